"""The owner of the database changes the past and recomputes everything: only what others hold convicts him."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from recorder import fsck, receipt
from recorder.checkpoint import Checkpoint
from recorder.journal import Journal
from recorder.notary import Notary
from recorder.witness import NotConsistentError, OtherSizeError, Witness
from tests.integrity.evening import BEGAN, noted, open_journal

WRITTEN = [noted(number) for number in range(12)]
FORGERIES: dict[str, Callable[[list[dict[str, object]]], list[dict[str, object]]]] = {
    "delete": lambda events: events[:4] + events[5:],
    "insert": lambda events: [*events[:4], noted(99), *events[4:]],
    "swap": lambda events: [*events[:4], events[5], events[4], *events[6:]],
    "change": lambda events: [*events[:4], noted(98), *events[5:]],
    "roll back": lambda events: events[:8],
    "roll back and go on": lambda events: [*events[:8], *(noted(90 + number) for number in range(6))],
    "drop all": lambda events: [],
}


def write(path: Path, events: Sequence[dict[str, object]]) -> str:
    """A journal whose every hash is right for these events; the same random numbers, the same clock."""
    journal = open_journal(path)
    key = journal.create(BEGAN, "00000000000000aa").key
    for number, event in enumerate(events, 1):
        journal.append(key, [event], number)
    journal.close()
    return key


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The owner has the key, and hides the anchor."""
    monkeypatch.setenv("RAZBOR_KEYS", str(tmp_path / "keys"))
    return tmp_path


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES)
def test_a_forgery_passes_alone_and_fails_before_who_holds_a_checkpoint(
    folders: Path, forge: Callable[[list[dict[str, object]]], list[dict[str, object]]]
) -> None:
    honest, forged = folders / "honest.db", folders / "forged.db"
    key = write(honest, WRITTEN)
    journal, notary = Journal.open(honest), Notary.open(honest)
    log = notary.verifiers
    held = receipt.make(journal, notary, key)
    watcher = Witness(folders / "witness", "witness.test/w")
    watcher.cosign(str(notary.growth(0)), log)
    note = notary.checkpoint()
    notary.close()
    journal.close()
    write(forged, forge(list(WRITTEN)))

    # By itself the forged journal is without a flaw, and is signed.
    forger = Notary.open(forged)
    signed = Checkpoint.verified(forger.checkpoint(), log)
    assert fsck.audit(forged).findings == ()

    # Whoever holds an earlier checkpoint sees it,
    codes = {(each.code, each.place) for each in fsck.audit(forged, held=[note]).findings}
    assert codes == {("log/missing-events" if signed.size < 13 else "log/chain-broken", "held")}
    # so does whoever holds a receipt, for it holds the checkpoint,
    proved = receipt.verify(held, log).checkpoint
    assert fsck.audit(honest, held=[note]).findings == ()
    assert (proved.size, proved.root) != (signed.size, signed.root)
    # and the witness does not sign.
    with pytest.raises((NotConsistentError, OtherSizeError, ValueError)):
        watcher.cosign(str(forger.growth(13)), log)
    forger.close()


def test_what_only_grew_passes_before_who_holds_a_checkpoint(folders: Path) -> None:
    path = folders / "honest.db"
    key = write(path, WRITTEN)
    notary = Notary.open(path)
    note = notary.checkpoint()
    journal = Journal.open(path)
    journal.append(key, [noted(50)], 13)
    assert fsck.audit(path, held=[note, notary.checkpoint()]).findings == ()
    journal.close()
    notary.close()
