"""Recordings that are being written, as far as they were verified: a steady append costs what is new in it.

What is remembered is held to the version and the last leaf that stand in the database: where another process wrote, or
names were erased, it is read and verified anew.
"""

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from recorder import intake, rows
from recorder.decode import parse
from recorder.rows import Entry
from recorder.store import Database
from schemas.events import Event, Recording
from schemas.problems import Problem, Refusal, refuse

MOST_KEPT: Final = 64
"""So many recordings are remembered at a time, those written to last."""
Given = bytes | Mapping[str, Any]
_Mark = tuple[int, bytes, bool, bool]


class EventsRefusedError(Exception):
    """Events that cannot be appended; the line of each problem counts the events of the request from 1."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(", ".join(problem.code for problem in refusal.problems))
        self.refusal = refusal


@dataclass(slots=True)
class Ongoing:
    """One recording at a version: what may come next, and its events that have an `id`. Moves with `sift`."""

    course: intake.Continuation
    standing: dict[str, tuple[int, bytes]] = field(default_factory=dict)

    @classmethod
    def of(cls, recording: Recording, *, finished: bool) -> "Ongoing":
        """After all its events; a `finished` one takes amendments, testimony and notes only."""
        made = cls(intake.Continuation(recording.events, finished=finished))
        for event, line in zip(recording.events, recording.lines, strict=True):
            if event.id:
                made.standing[event.id] = event.seq, _without_number(json.loads(line))
        return made

    def sift(self, given: Sequence[Given]) -> tuple[tuple[int, ...], list[tuple[Event, bytes]]]:
        """The number of each event given, and those that are new.

        `EventsRefusedError` tells every problem; what was sifted then is of no use any more.
        """
        numbers: list[int] = []
        fresh: list[tuple[Event, bytes]] = []
        problems: list[Problem] = []
        for place, each in enumerate(given, 1):
            raw = raw_of(each) if _may_be_keyed(each) else {}
            key = raw.get("id")
            known = self.standing.get(key) if isinstance(key, str) else None
            if known and _is_number(raw.get("seq", known[0]), known[0]) and known[1] == _without_number(raw):
                numbers.append(known[0])
                continue
            found = self.course.take(each)
            if not isinstance(found, intake.Read):
                problems += [Problem(place, flaw.field, flaw.code, flaw.args) for flaw in found]
                continue
            numbers.append(found.event.seq)
            fresh.append((found.event, found.line))
            if found.event.id:
                self.standing[found.event.id] = (found.event.seq, _without_number(raw))
        if problems:
            raise EventsRefusedError(refuse(problems))
        return tuple(numbers), fresh


class Memory:
    """The recordings one journal wrote to last. Whoever takes one has it alone, and puts it back when it was moved."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[_Mark, Ongoing]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, database: Database, entry: Entry, leaf: bytes | None) -> Ongoing:
        """A recording as it stands in the database, `leaf` being the last; `LogError` where it is not what was kept."""
        with self._lock:
            kept = self._kept.pop(entry.key, None)
        if kept is not None and kept[0] == _mark(entry, leaf):
            return kept[1]
        recording = rows.recording(entry.key, rows.lines(database, entry))
        return Ongoing.of(recording, finished=_finished(entry))

    def put(self, entry: Entry, leaf: bytes | None, ongoing: Ongoing) -> None:
        """Remembers a recording by what stands in the database, be it committed or not."""
        with self._lock:
            self._kept[entry.key] = _mark(entry, leaf), ongoing
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)


def _finished(entry: Entry) -> bool:
    return entry.ended or entry.arrived == "uploaded"


def _mark(entry: Entry, leaf: bytes | None) -> _Mark:
    return entry.events, leaf or b"", _finished(entry), entry.erased


def raw_of(given: Given) -> dict[str, Any]:
    """The object of an event as it was given; an empty one where it is none, or none that JSON reads in one way."""
    if not isinstance(given, bytes):
        return dict(given)
    parsed = parse(given)
    return parsed.raw or {} if not parsed.flaws else {}


def request_hash(key: str, given: Sequence[Given]) -> str:
    """SHA-256 in hex of what a command asks: which recording, and the events as they were given."""
    spelled = [each if isinstance(each, bytes) else json.dumps(each, sort_keys=True).encode() for each in given]
    return hashlib.sha256(b"\n".join([key.encode(), *spelled])).hexdigest()


def _may_be_keyed(given: Given) -> bool:
    return not isinstance(given, bytes) or b'"id"' in given or b"\\" in given


def _is_number(given: object, seq: int) -> bool:
    return type(given) is int and given == seq


def _without_number(raw: Mapping[str, Any]) -> bytes:
    return json.dumps({key: value for key, value in raw.items() if key != "seq"}, sort_keys=True, default=str).encode()


def says_the_same(lines: Sequence[bytes], given: Sequence[bytes | Mapping[str, Any]]) -> bool:
    """Whether a request may be the one that wrote these lines, of which the names were erased since."""
    stored = [_without_number(rows.without_names(json.loads(line))) for line in lines]
    try:
        told = [_without_number(rows.without_names(raw_of(each))) for each in given]
    except (UnicodeEncodeError, OverflowError, RecursionError):  # no event of a recording
        return False
    return [each for each in told if each in stored] == stored
