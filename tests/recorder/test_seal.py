"""What was stored is signed: uploads, ends of hands, ends of recordings."""

import shutil
from pathlib import Path

import pytest

from recorder import keys
from recorder.checkpoint import Checkpoint
from recorder.journal import Journal, RestoredError
from recorder.notary import Notary
from recorder.seal import Seal
from tests.recorder.lines import HAND_OBJECT, HEADER, STAKE_OBJECT
from tests.recorder.test_journal import a_recording

HAND_ENDED = {"type": "hand_ended", "reason": "abandoned"}


def size_of(seal: Seal, path: Path) -> int:
    notary = Notary.open(path)
    assert seal.note
    found = Checkpoint.verified(seal.note, notary.verifiers).size
    notary.close()
    return found


def test_uploads_and_ends_are_signed(journal: Journal, path: Path) -> None:
    seal = Seal(journal)
    recording = a_recording()
    journal.store(recording)
    stored = len(recording.events)
    assert size_of(seal, path) == stored
    key = journal.create(HEADER).key
    journal.append(key, [STAKE_OBJECT, HAND_OBJECT], 1)
    assert size_of(seal, path) == stored
    journal.append(key, [HAND_ENDED], 3)
    assert size_of(seal, path) == stored + 4
    journal.append(key, [{"type": "recording_ended", "events": 5}], 4)
    assert size_of(seal, path) == stored + 5


def test_a_key_others_can_read_costs_no_event(journal: Journal, path: Path, caplog: pytest.LogCaptureFixture) -> None:
    seal = Seal(journal)
    seal.sign()
    (keys.directory(path) / "log.key").chmod(0o644)
    recording = a_recording()
    assert journal.store(recording).new
    assert (seal.failed, caplog.messages) == (1, ["not signed: KeyExposedError"])
    (keys.directory(path) / "log.key").chmod(0o600)
    assert seal.sign()
    assert size_of(seal, path) == len(recording.events)


def test_an_old_copy_put_there_meanwhile_is_not_written_to(path: Path) -> None:
    journal = Journal.open(path)
    journal.close()
    shutil.copy(path, path.with_name("old.db"))
    seal = Seal(journal)
    journal.store(a_recording())
    journal.close()
    shutil.copy(path.with_name("old.db"), path)
    assert seal.sign() is None
    with pytest.raises(RestoredError):
        journal.create(HEADER)
    journal.close()
