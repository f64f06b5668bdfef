"""Keys, anchor and witness: what is signed once binds the log from then on."""

import shutil
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from recorder import keys, merkle, witness
from recorder.address import Place
from recorder.anchor import Anchor, Anchored, AnchorMovedError, directory
from recorder.checkpoint import COSIGNATURE, Checkpoint, NoteError
from recorder.journal import Journal, RestoredError
from recorder.notary import Notary
from recorder.proof import Growth
from recorder.witness import NotConsistentError, OtherSizeError, Witness
from tests.recorder.lines import BEGAN, STAKE_OBJECT


@pytest.fixture
def notary(journal: Journal, place: Place) -> Iterator[Notary]:
    found = Notary.open(place)
    yield found
    found.close()


def begin(journal: Journal) -> str:
    return journal.create(BEGAN.encode()).key


def test_the_key_is_made_once_and_for_its_owner_only(notary: Notary, path: Path) -> None:
    folder = keys.directory(path)
    assert not folder.exists()
    key = notary.verifiers
    assert key == notary.verifiers
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    files = list(folder.iterdir())
    assert [(file.name, stat.S_IMODE(file.stat().st_mode)) for file in files] == [("log.key", 0o600)]
    secret = files[0].read_text(encoding="utf-8").split("+", 4)[-1].strip()
    notary.checkpoint()
    for file in path.parent.rglob("*"):
        assert file.parent == folder or not file.is_file() or secret.encode() not in file.read_bytes()


def test_a_key_others_can_read_is_not_used(notary: Notary, place: Place) -> None:
    file = keys.directory(place) / "log.key"
    assert notary.verifiers
    file.chmod(0o640)
    with pytest.raises(keys.KeyExposedError):
        notary.checkpoint()


def test_the_key_of_another_log_is_not_used(notary: Notary, place: Place) -> None:
    assert notary.verifiers
    with pytest.raises(keys.KeyOfAnotherLogError):
        keys.signer(keys.directory(place), "razbor.test/other")


def test_many_at_once_make_one_key(tmp_path: Path) -> None:
    made: list[str] = []
    threads = [
        threading.Thread(target=lambda: made.append(keys.signer(tmp_path / "keys", "log").spell())) for _ in range(16)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 16
    assert len(set(made)) == 1
    assert [file.name for file in (tmp_path / "keys").iterdir()] == ["log.key"]


def test_keys_and_anchor_lie_where_the_environment_says(
    journal: Journal, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(keys.DIRECTORY, str(tmp_path / "elsewhere" / "keys"))
    monkeypatch.setenv("RAZBOR_ANCHOR", str(tmp_path / "elsewhere" / "anchor"))
    begin(journal)
    notary = Notary.open(path)
    notary.checkpoint()
    notary.close()
    assert (tmp_path / "elsewhere" / "keys" / "log.key").exists()
    assert (tmp_path / "elsewhere" / "anchor" / "anchor.db").exists()
    assert not [each for each in path.parent.iterdir() if each.is_dir() and each.name != "elsewhere"]


def test_a_checkpoint_says_what_is_there_and_is_kept_twice(journal: Journal, notary: Notary, place: Place) -> None:
    empty = notary.checkpoint()
    assert Checkpoint.verified(empty, notary.verifiers) == Checkpoint(journal.origin, 0, merkle.EMPTY)
    key = begin(journal)
    note = notary.checkpoint()
    assert note == notary.checkpoint()
    found = Checkpoint.verified(note, notary.verifiers)
    assert (found.size, found.root) == (1, journal.links(key)[0][1].leaf)
    anchor = Anchor.open(directory(place))
    assert anchor.of(journal.origin) == Anchored(1, found.root, note)
    assert anchor.of("razbor.test/other") is None
    anchor.close()


def test_the_anchor_moves_only_from_where_it_is_thought_to_be_and_never_back(tmp_path: Path) -> None:
    anchor = Anchor.open(tmp_path / "anchor")
    one, two = Anchored(1, bytes(32), "one"), Anchored(2, bytes(32), "two")
    anchor.move("log", None, one)
    for expected in (None, two):
        with pytest.raises(AnchorMovedError):
            anchor.move("log", expected, two)
    anchor.move("log", one, two)
    with pytest.raises(ValueError, match="never goes back"):
        anchor.move("log", two, one)
    assert anchor.of("log") == two
    anchor.close()


def test_signing_from_many_threads_never_forks(journal: Journal, place: Place) -> None:
    key = begin(journal)
    notes: list[str] = []

    def sign() -> None:
        mine = Notary.open(place)
        notes.extend(mine.checkpoint() for _ in range(5))
        mine.close()

    threads = [threading.Thread(target=sign) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(10):
        journal.append(key, [{"type": "noted", "text": f"{number}"}], number + 1)
    for thread in threads:
        thread.join()
    notary = Notary.open(place)

    def opened(note: str) -> Checkpoint:
        return Checkpoint.verified(note, notary.verifiers)

    roots = {(found.size, found.root) for found in map(opened, notes)}
    assert len({size for size, _ in roots}) == len(roots)
    for size, root in roots:
        growth = notary.growth(size)
        now = Checkpoint.verified(growth.note, notary.verifiers)
        assert merkle.is_consistent(size, root, now.size, now.root, growth.hashes)
    notary.close()
    assert len(notes) == 20


def rolled_back(journal: Journal, notary: Notary, path: Path) -> str:
    """An old copy put in the place of a journal that was signed since; the key of its recording."""
    key = begin(journal)
    notary.close()
    journal.close()
    copy = path.with_name("copy.db")
    shutil.copy(path, copy)
    journal.append(key, [STAKE_OBJECT], 1)
    notary.checkpoint()
    journal.close()
    notary.close()
    for leftover in ("-wal", "-shm"):
        path.with_name(path.name + leftover).unlink(missing_ok=True)
    shutil.copy(copy, path)
    return key


def test_an_old_copy_is_read_but_not_written_to(journal: Journal, notary: Notary, path: Path) -> None:
    key = rolled_back(journal, notary, path)
    again = Journal.open(path)
    assert again.load(key).entry.events == 1
    assert again.export(key)
    for write in (
        lambda: again.append(key, [STAKE_OBJECT], 1),
        lambda: begin(again),
        lambda: again.store(again.load(key).recording),
        lambda: again.erase(key),
    ):
        with pytest.raises(RestoredError) as caught:
            write()
        assert (caught.value.code, caught.value.anchored, caught.value.size) == ("log/missing-events", 2, 1)
    again.close()
    with pytest.raises(RestoredError):
        Notary.open(path).checkpoint()


def test_without_its_anchor_an_old_copy_passes(journal: Journal, notary: Notary, path: Path) -> None:
    key = rolled_back(journal, notary, path)
    shutil.rmtree(path.with_name("journal.db.anchor"))
    again = Journal.open(path)
    assert again.append(key, [{"type": "stake_set", "amount": 99}], 1).version == 2
    again.close()


def test_a_log_that_went_on_otherwise_is_not_written_to(journal: Journal, notary: Notary, path: Path) -> None:
    key = rolled_back(journal, notary, path)
    folder, aside = path.with_name("journal.db.anchor"), path.with_name("aside")
    folder.rename(aside)
    again = Journal.open(path)
    again.append(key, [{"type": "stake_set", "amount": 99}], 1)
    again.close()
    aside.rename(folder)
    again = Journal.open(path)
    with pytest.raises(RestoredError) as caught:
        again.append(key, [{"type": "noted", "text": "x"}], 2)
    assert caught.value.code == "log/chain-broken"
    again.close()


# A witness.


def test_a_witness_signs_what_only_grew(journal: Journal, notary: Notary, tmp_path: Path) -> None:
    watcher = Witness(tmp_path / "witness", "witness.test/w", lambda: 1_700_000_000)
    key = begin(journal)
    assert watcher.last(notary.verifiers) is None
    first = notary.growth(0)
    line = watcher.cosign(str(first), notary.verifiers)
    assert watcher.verifier.kind == COSIGNATURE
    note = witness.add(first.note, line, watcher.verifier)
    assert Checkpoint.verified(note, notary.verifiers, [watcher.verifier]).size == 1
    journal.append(key, [STAKE_OBJECT], 1)
    with pytest.raises(OtherSizeError) as caught:
        watcher.cosign(str(notary.growth(0)), notary.verifiers)
    assert caught.value.size == 1
    second = notary.growth(1)
    watcher.cosign(str(second), notary.verifiers)
    watcher.cosign(str(notary.growth(2)), notary.verifiers)
    last = watcher.last(notary.verifiers)
    assert last
    assert last.size == 2
    with pytest.raises(NoteError):
        witness.add(second.note, line, watcher.verifier)


def test_a_witness_does_not_sign_another_history(journal: Journal, notary: Notary, path: Path, tmp_path: Path) -> None:
    watcher = Witness(tmp_path / "witness", "witness.test/w")
    key = rolled_back(journal, notary, path)
    log = notary.verifiers
    watcher.cosign(str(notary_growth_of(notary)), log)
    shutil.rmtree(path.with_name("journal.db.anchor"))  # the owner hides what was signed
    again = Journal.open(path)
    again.append(key, [{"type": "stake_set", "amount": 99}, {"type": "noted", "text": "x"}], 1)
    forger = Notary.open(path)
    with pytest.raises(NotConsistentError):
        watcher.cosign(str(forger.growth(2)), log)
    forged = forger.growth(2)
    with pytest.raises(NotConsistentError):
        watcher.cosign(str(Growth(2, (), forged.note)), log)
    forger.close()
    again.close()


def notary_growth_of(notary: Notary) -> Growth:
    """The request for what was signed before the roll-back: the note is still at the anchor."""
    found = notary._anchor.of(notary.origin)
    assert found
    return Growth(0, (), found.note)


def test_a_witness_does_not_sign_for_strangers(journal: Journal, notary: Notary, tmp_path: Path) -> None:
    watcher = Witness(tmp_path / "witness", "witness.test/w")
    begin(journal)
    request = str(notary.growth(0))
    with pytest.raises(NoteError):
        watcher.cosign(request, [watcher.verifier])
    with pytest.raises(NoteError):
        watcher.cosign(request.replace("old 0", "old 00"), notary.verifiers)
    assert watcher.last(notary.verifiers) is None
