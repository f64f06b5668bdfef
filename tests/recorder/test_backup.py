"""A copy is verified before it gets its name, and there is a way back from it."""

import threading
from pathlib import Path

import pytest
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined] # the one sqlite-utils itself found

from recorder import backup, fsck, intake
from recorder.backup import CopyRefusedError
from recorder.journal import Journal, RestoredError
from recorder.notary import Notary
from recorder.places_on_disk import RECORDINGS
from tests.recorder.lines import BEGAN, STAKE_OBJECT


def fill(journal: Journal) -> None:
    for file in sorted(RECORDINGS.glob("*.jsonl"))[:4]:
        recording = intake.read(file.read_bytes())
        assert not hasattr(recording, "problems")
        journal.store(recording)


def test_a_backup_is_the_journal(journal: Journal, path: Path, tmp_path: Path) -> None:
    fill(journal)
    notary = Notary.open(path)
    notary.checkpoint()
    notary.close()
    made = backup.backup(path, tmp_path / "copy.db")
    assert (made.findings, made.recordings, made.signed) == ((), 4, 1)
    assert sorted(file.name for file in tmp_path.iterdir() if "copy" in file.name) == ["copy.db"]
    copy = Journal.open(tmp_path / "copy.db")
    assert [copy.load(entry.key) for entry in copy.list().entries] == [
        journal.load(entry.key) for entry in journal.list().entries
    ]
    copy.close()
    with pytest.raises(FileExistsError):
        backup.backup(path, tmp_path / "copy.db")


def test_a_backup_while_others_write_is_one_moment(journal: Journal, path: Path, tmp_path: Path) -> None:
    fill(journal)
    key = journal.create(BEGAN.encode()).key
    stop = threading.Event()

    def write() -> None:
        number = 1
        while not stop.is_set():
            journal.append(key, [{"type": "noted", "text": f"{number}"}], number)
            number += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        made = [backup.backup(path, tmp_path / f"copy-{number}.db") for number in range(3)]
    finally:
        stop.set()
        writer.join()
    assert [audit.findings for audit in made] == [(), (), ()]
    assert made[0].events < made[2].events


def test_a_backup_of_what_is_broken_is_refused(journal: Journal, path: Path, tmp_path: Path) -> None:
    fill(journal)
    connection = sqlite3.connect(str(path))
    connection.execute("DROP TRIGGER payloads_no_update")
    connection.execute("UPDATE payloads SET body = x'00' WHERE idx = 9")
    connection.commit()
    connection.close()
    with pytest.raises(CopyRefusedError):
        backup.backup(path, tmp_path / "copy.db")
    assert not list(tmp_path.glob("*copy*"))


def test_a_copy_of_an_earlier_moment_is_refused(
    journal: Journal, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever put another file in the place of the journal while it was copied."""
    key = journal.create(BEGAN.encode()).key
    backup.backup(path, tmp_path / "earlier.db")
    journal.append(key, [STAKE_OBJECT], 1)
    copy_pages = backup._copy_pages
    monkeypatch.setattr(backup, "_copy_pages", lambda _, partial: copy_pages(tmp_path / "earlier.db", partial))
    with pytest.raises(CopyRefusedError, match="log/missing-events file"):
        backup.backup(path, tmp_path / "copy.db")
    assert not list(tmp_path.glob("*copy*"))


def test_the_way_back(journal: Journal, path: Path, tmp_path: Path) -> None:
    fill(journal)
    backup.backup(path, tmp_path / "copy.db")
    drill = backup.drill(tmp_path / "copy.db")
    assert (drill.read, drill.audit.findings) == (4, ())
    restored = backup.restore(tmp_path / "copy.db", tmp_path / "back.db")
    assert restored.objection is None
    again = Journal.open(tmp_path / "back.db")
    assert again.create(BEGAN.encode()).events == 1
    again.close()
    with pytest.raises(FileExistsError):
        backup.restore(tmp_path / "copy.db", path)
    with pytest.raises(FileNotFoundError):
        backup.restore(tmp_path / "none.db", tmp_path / "other.db")


def test_a_restored_copy_that_is_behind_says_so(
    journal: Journal, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAZBOR_KEYS", str(tmp_path / "keys"))
    monkeypatch.setenv("RAZBOR_ANCHOR", str(tmp_path / "anchor"))
    key = journal.create(BEGAN.encode()).key
    backup.backup(path, tmp_path / "copy.db")
    journal.append(key, [STAKE_OBJECT], 1)
    notary = Notary.open(path)
    notary.checkpoint()
    notary.close()
    restored = backup.restore(tmp_path / "copy.db", tmp_path / "back.db")
    assert restored.objection
    assert restored.objection.code == "log/missing-events"
    again = Journal.open(tmp_path / "back.db")
    assert again.export(key)
    with pytest.raises(RestoredError):
        again.append(key, [STAKE_OBJECT], 1)
    again.close()
    audit = fsck.audit(tmp_path / "back.db")
    assert [(each.code, each.place) for each in audit.findings] == [("log/missing-events", "anchor")]


def test_a_broken_copy_is_not_brought_back(journal: Journal, path: Path, tmp_path: Path) -> None:
    fill(journal)
    copy, back = tmp_path / "copy.db", tmp_path / "back.db"
    backup.backup(path, copy)
    connection = sqlite3.connect(str(copy))
    connection.execute("DROP TRIGGER payloads_no_update")
    connection.execute("UPDATE payloads SET body = x'00' WHERE idx = 9")
    connection.commit()
    connection.close()
    for bring_back in (lambda: backup.restore(copy, back), lambda: backup.drill(copy)):
        with pytest.raises(CopyRefusedError):
            bring_back()
    assert not list(tmp_path.glob("*back*"))
