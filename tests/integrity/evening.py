"""A small journal with everything a journal can hold, and what its reader sees of it."""

import itertools
import json
import os
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from recorder import fsck, intake
from recorder.address import Place
from recorder.journal import Entry, Journal
from recorder.notary import Notary
from recorder.places_on_disk import RECORDINGS
from schemas.events import Recording

BEGAN: dict[str, Any] = {
    "type": "recording_began",
    "format": "razbor/1",
    "game": "bura",
    "rules": {"preset": "bura/classic-36@1", "options": {"molodka_turn": "in_turn"}},
    "seats": ["Анна", "Борис"],
}
ORIGIN = "razbor.test/evening"
SAMPLE = RECORDINGS / "thirty-counted-as-thirty-one.bura.jsonl"


@contextmanager
def quick_folder() -> Iterator[Path]:
    """A folder of nobody else's, gone afterwards; on a disk that is quick, where there is one."""
    memory = "/dev/shm"
    with tempfile.TemporaryDirectory(prefix="razbor-", dir=memory if os.access(memory, os.W_OK) else None) as name:
        yield Path(name)


def sample(path: Path = SAMPLE) -> Recording:
    found = intake.read(path.read_bytes())
    assert isinstance(found, Recording)
    return found


def noted(number: int, **fields: Any) -> dict[str, Any]:
    return {"type": "noted", "text": f"number {number}", **fields}


def open_journal(place: Place, seed: int = 1) -> Journal:
    """A journal that is the same to the byte for the same calls."""
    ticks = itertools.count(1_700_000_000_000)
    return Journal.open(place, origin=ORIGIN, clock=lambda: next(ticks), randomness=random.Random(seed).randbytes)


def fill(journal: Journal) -> tuple[str, ...]:
    """An upload, a live recording written by commands, one whose names were erased, one that ended; their keys."""
    uploaded = journal.store(sample()).key
    live = journal.create(BEGAN, "00000000000000aa").key
    journal.append(live, [{"type": "stake_set", "amount": 10}, {"type": "hand_began", "hand": 1, "dealer": 2}], 1, "c1")
    journal.append(live, [noted(1, id="one", x_place="kitchen")], 3, "c2")
    erased = journal.create(BEGAN, "00000000000000bb").key
    journal.append(erased, [{"type": "player_joined", "seat": 3, "name": "Вера"}, noted(2)], 1)
    journal.erase(erased)
    ended = journal.create(BEGAN, "00000000000000cc").key
    journal.append(ended, [noted(3), {"type": "recording_ended", "events": 3}, noted(4)], 1)
    journal.show(uploaded, "public")
    return uploaded, live, erased, ended


def make(path: Path) -> tuple[str, ...]:
    """The journal on disk: one file, signed, and nothing open."""
    journal = open_journal(path)
    keys = fill(journal)
    notary = Notary.open(path)
    notary.checkpoint()
    notary.close()
    journal.close()
    assert not path.with_name(path.name + "-wal").exists()
    assert fsck.audit(path).findings == ()
    return keys


def seen(path: Path) -> dict[str, tuple[Entry, tuple[bytes, ...]]]:
    """What a reader is shown of every recording; who may see it is a setting, not content."""
    journal = Journal.open(path)
    try:
        return {
            entry.key: (msgspec.structs.replace(entry, shown=None), journal.load(entry.key).recording.lines)
            for entry in journal.list(limit=1000).entries
        }
    finally:
        journal.close()


def texts(journal: Journal, key: str) -> list[str]:
    """The texts of the notes of a recording, in order."""
    lines = journal.load(key).recording.lines
    return [raw["text"] for raw in map(json.loads, lines) if raw["type"] == "noted"]
