"""Bytes -> Recording, or a Refusal that lists every problem (`record.md` 1-4, `report.md` 1).

Three roads, one answer. Quick: msgspec reads a line and writes it again as canonical bytes of the same length, so the
line held nothing else. Middle: the standard library's JSON with hooks, then the same types. Strict: marshmallow, which
finds every flaw of the line. The test that they agree is in `tests/recorder/test_roads.py`.
"""

import hashlib
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

import msgspec

from recorder import rulebook
from recorder.course import Course, fields_of
from recorder.decode import BULK, LONGEST_LINE, WEB, Limits, Parsed, UnreadableError, chunks, lines, parse
from schemas import events as shapes
from schemas import wire
from schemas.events import Event, Recording, type_of
from schemas.problems import MOST_PROBLEMS, Code, Flaw, Problem, Refusal, refuse

__all__ = ["BULK", "WEB", "Continuation", "Limits", "Read", "continue_event", "read", "read_all", "read_bundle"]

_DECODER: Final = msgspec.json.Decoder(Event)
_ENCODER: Final = msgspec.json.Encoder(order="sorted")
_BEGAN: Final = b"recording_began"
_C1: Final = re.compile(rb"\xc2[\x80-\x9f]")
_SPACES: Final = b" \t\r"
_PRIVATE: Final = b'"x_'
_NO_TYPES: Final[frozenset[type]] = frozenset()
_SEATED: Final = frozenset(
    (
        shapes.ChipsBought, shapes.Staked, shapes.Dealt, shapes.Played, shapes.Drew, shapes.PotTaken, shapes.TrickTaken,
        shapes.Declared, shapes.Opened, shapes.Counted, shapes.OpenDeclined, shapes.RaiseOffered, shapes.RaiseAccepted,
        shapes.RaiseDeclined, shapes.Scored, shapes.Folded, shapes.Stayed, shapes.Discarded, shapes.SatOut,
        shapes.PlayerLeft,
    )
)  # fmt: skip
"""Types that refer to nothing but their one seat."""
_WHOLE: Final = (shapes.RecordingBegan, shapes.Corrected, shapes.Inserted)
"""Types with objects inside, which the types alone do not judge: never the quick road."""
_AMENDMENTS: Final = ("corrected", "inserted")
_OF_ONE_GAME: Final = {
    "bura": _SEATED - frozenset(shapes.BOURRE_TYPES),
    "bourre": _SEATED - frozenset(shapes.BURA_TYPES),
}


@dataclass(frozen=True, slots=True)
class Read:
    """One event that was read: its shape, and its canonical line without the line end."""

    event: Event
    line: bytes


@dataclass(slots=True)
class _Section:
    """The lines of one recording in a file, from its beginning to just before the next one's.

    `first` is the number of its first line, `next` that of the next beginning; `trouble` is why the file breaks off.
    """

    first: int
    lines: list[bytes]
    next: int | None = None
    trouble: Problem | None = None


def read(data: bytes, limits: Limits = WEB) -> Recording | Refusal:
    """The one recording a file holds, or every problem of the file; of a bundle, the second beginning is one."""
    sections = list(_sections(io.BytesIO(data), limits))
    found = [_read(section) for section in sections]
    if len(found) == 1:
        return found[0]
    seconds = {section.first: Problem(section.first, "type", Code.NOT_A_RECORDING) for section in sections[1:]}
    others = [problem for each in found if isinstance(each, Refusal) for problem in each.problems]
    return refuse([*seconds.values(), *(problem for problem in others if problem.line not in seconds)])


def read_bundle(data: bytes | BinaryIO, limits: Limits = BULK) -> Iterator[Recording | Refusal]:
    """Each recording of a file in turn, or the problems it has by the lines of the file.

    A stream is read piece by piece; no more than one recording is held.
    """
    stream = io.BytesIO(data) if isinstance(data, bytes) else data
    return map(_read, _sections(stream, limits))


def read_all(data: bytes | BinaryIO, limits: Limits = WEB) -> tuple[Recording, ...] | Refusal:
    """All recordings of a file, or, where any of them has a problem, every problem of the file."""
    recordings: list[Recording] = []
    problems: list[Problem] = []
    for each in read_bundle(data, limits):
        if isinstance(each, Refusal):
            problems += each.problems
        else:
            recordings.append(each)
    return refuse(problems) if problems else tuple(recordings)


class Continuation:
    """A recording that is being written, and what may come next in it.

    A `finished` one (ended, or uploaded and breaking off) takes amendments, testimony and notes only.
    """

    def __init__(self, so_far: Sequence[Event], *, finished: bool = False) -> None:
        self._reader = _Reader(Course.of(so_far))
        self._reader.course.ended |= finished
        self._next = len(so_far)

    def take(self, given: bytes | Mapping[str, Any]) -> Read | tuple[Flaw, ...]:
        """The next event, or its flaws; without a `seq` it gets the next. Only an event that was read is counted."""
        line = given if isinstance(given, bytes) else json.dumps(given).encode()
        parsed = parse(line) if line.strip(_SPACES) else Parsed(None, [Flaw(Code.BLANK_LINE)])
        if parsed.raw is not None:
            parsed.raw.setdefault("seq", self._next)
        found, flaws = self._reader.judge(parsed)
        if found is not None and not self._next:
            flaws += self._reader.course.close()
        if found is None or flaws:
            return tuple(flaws)
        self._next += 1
        return found


def continue_event(so_far: Sequence[Event], given: bytes | Mapping[str, Any]) -> Read | Refusal:
    """One more event of a recording that is being written, after `so_far`; without a `seq` it gets the next.

    The rules and codes are those of a file; the line of every problem is 1.
    """
    found = Continuation(so_far).take(given)
    if isinstance(found, Read):
        return found
    return refuse(Problem(1, flaw.field, flaw.code, flaw.args) for flaw in found)


def _sections(stream: BinaryIO, limits: Limits) -> Iterator[_Section]:
    section, number = _Section(1, []), 0
    try:
        for batch in lines(chunks(stream, limits)):
            for line in batch:
                number += 1
                if number > limits.events:
                    raise UnreadableError(Flaw(Code.TOO_MANY_EVENTS, args={"limit": limits.events}), number)
                if (_BEGAN in line or b"\\u" in line) and number > section.first and _begins(line):
                    section.next = number
                    yield section
                    section = _Section(number, [])
                section.lines.append(line)
    except UnreadableError as error:
        section.trouble = Problem(error.line, error.flaw.field, error.flaw.code, error.flaw.args)
    yield section


def _begins(line: bytes) -> bool:
    raw = parse(line).raw
    return raw is not None and raw.get("type") == "recording_began"


def _read(section: _Section) -> Recording | Refusal:
    if section.trouble is None and (found := _quick(section.lines)):
        events, canonical, ended = found
        if ended or section.next is None:
            return _recording(events, canonical, complete=ended)
    reader = _Reader(Course())
    for number, line in enumerate(section.lines, section.first):
        if section.trouble and section.trouble.code is not Code.TOO_MANY_EVENTS:
            break
        reader.take(number, line)
        if reader.hopeless or len(reader.problems) >= MOST_PROBLEMS:
            return refuse(reader.problems)
    problems = [*reader.problems, *reader.at_the_end(section)]
    return refuse(problems) if problems else _recording(reader.events, reader.lines, complete=reader.course.ended)


def _recording(events: list[Event], canonical: list[bytes], *, complete: bool) -> Recording:
    digest = hashlib.sha256(b"\n".join(canonical) + b"\n").hexdigest()
    return Recording(tuple(events), tuple(canonical), digest, complete)


class _Reader:
    """Reads one recording line by line and collects its problems."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self.events: list[Event] = []
        self.lines: list[bytes] = []
        self.problems: list[Problem] = []
        self.begun = bool(course.log)
        self.begun_at = 1
        self.stumbled = False
        self.hopeless = False

    def take(self, number: int, line: bytes) -> None:
        """The next line of the file."""
        if not line.strip(_SPACES):
            self.problems.append(Problem(number, "", Code.BLANK_LINE))
            return
        found, flaws = self._one(line)
        if not self.events and not self.problems:
            self.begun_at = number
        if found is not None and not flaws:
            self.events.append(found.event)
            self.lines.append(found.line)
            return
        unknown = [flaw for flaw in flaws if flaw.code is Code.UNKNOWN_VERSION]
        self.hopeless = bool(unknown)  # what the other version means by the rest, nobody knows here
        self.problems += [Problem(number, flaw.field, flaw.code, flaw.args) for flaw in unknown or flaws]

    def at_the_end(self, section: _Section) -> list[Problem]:
        """What only the end of a recording shows."""
        if section.trouble:
            return [section.trouble]
        if not section.lines:
            return [Problem(section.first, "", Code.NOT_A_RECORDING)]
        if section.next and not self.course.ended and not self.stumbled:
            return [Problem(section.next, "type", Code.NOT_A_RECORDING)]
        return [Problem(self.begun_at, flaw.field, flaw.code, flaw.args) for flaw in self.course.close()]

    def _one(self, line: bytes) -> tuple[Read | None, list[Flaw]]:
        quick = _quick_line(line)
        if quick is None:
            return self.judge(parse(line))
        return quick, self._in_course(type_of(quick.event), fields_of(quick.event))

    def judge(self, parsed: Parsed) -> tuple[Read | None, list[Flaw]]:
        """The event of a line by the middle or the strict road, and what is wrong with it."""
        raw = parsed.raw
        if raw is None:
            self.stumbled = self.begun = True
            self.course.stumble()
            return None, parsed.flaws
        event = None if parsed.flaws else _middle(raw)
        if event is not None:
            return Read(event, wire.canonical(raw)), self._in_course(type_of(event), fields_of(event))
        flaws, kind, good = wire.examine(raw)
        if kind == "recording_began":
            flaws = _with_rules(flaws, good, raw)
        told = {flaw.field for flaw in parsed.flaws if flaw.code is not Code.DUPLICATE_KEY}
        flaws = [*parsed.flaws, *(flaw for flaw in flaws if flaw.field not in told)]
        sound = not flaws
        flaws += self._in_course(kind, good)
        return (Read(wire.event_of(raw), wire.canonical(raw)) if sound else None), flaws

    def _in_course(self, kind: str | None, good: Mapping[str, Any]) -> list[Flaw]:
        flaws = self.course.admit(kind, good)
        if not self.begun and kind not in (None, "recording_began"):
            flaws = [Flaw(Code.NOT_A_RECORDING, "type", {"value": kind})]
        self.begun = True
        return flaws


def _with_rules(flaws: list[Flaw], good: Mapping[str, Any], raw: Mapping[str, Any]) -> list[Flaw]:
    """The flaws of a header with those of its choice of rules, as far as the choice can be read."""
    given, rules = raw.get("rules"), good.get("rules")
    if not isinstance(given, dict) or not isinstance(rules, dict):
        return flaws
    if ("preset" in given) != ("preset" in rules) or ("options" in given) != ("options" in rules):
        return flaws
    others = [flaw for flaw in flaws if flaw.code is not Code.UNKNOWN_RULES]
    return others + rulebook.examine(good.get("game"), rules.get("preset"), rules.get("options", {}))


def _middle(raw: dict[str, Any]) -> Event | None:
    """The event of an object that is right by itself; None where only the strict road can tell."""
    kind = raw.get("type")
    if None in raw.values() or kind in _AMENDMENTS:
        return None
    try:
        event = wire.event_of(raw)
    except msgspec.ValidationError:
        return None
    if kind == "recording_began" and (wire.header_flaws(raw) or _with_rules([], raw, raw)):
        return None
    return event if wire.passes(event) else None


def _suspect(text: bytes) -> bool:
    """Whether a text holds escapes or control characters, which the quick road leaves to the middle one."""
    return b"\\" in text or b"\x7f" in text or (b"\xc2" in text and _C1.search(text) is not None)


def _tight(text: bytes) -> bytes:
    """The text without the spaces that most writers put after `:` and `,`; those inside strings go as well."""
    return text.replace(b": ", b":").replace(b", ", b",") if b'": ' in text else text


def _differs(canonical: bytes, tight: bytes, given: bytes) -> bool:
    """Whether a line held more than its canonical form and a space after `:` and `,`.

    No line that reads the same is shorter than the canonical one, so equal length means equal content. Strings that
    hold such spaces themselves would spoil the count.
    """
    spaced = len(tight) != len(given)
    return len(canonical) != len(tight) or (spaced and (b", " in canonical or b": " in canonical))


def _quick_line(line: bytes) -> Read | None:
    if len(line) > LONGEST_LINE or _suspect(line):
        return None
    try:
        event = _DECODER.decode(line)
    except (msgspec.MsgspecError, RecursionError):
        return None
    canonical = _ENCODER.encode(event)
    if _differs(canonical, _tight(line), line) or isinstance(event, _WHOLE) or not wire.passes(event):
        return None
    return Read(event, canonical)


def _quick(given: list[bytes]) -> tuple[list[Event], list[bytes], bool] | None:
    """All lines of a recording at once: events, canonical lines, whether its end stands in it; None if any is amiss."""
    if not given or max(map(len, given)) > LONGEST_LINE:
        return None
    plain, apart = list(given), dict[int, bytes]()
    text = b"\n".join(given)
    if _suspect(text) or _PRIVATE in text:
        for number, line in enumerate(given):
            if _suspect(line) or _PRIVATE in line:
                found = _without_private(line)
                if found is None:
                    return None
                plain[number], apart[number] = found
        text = b"\n".join(plain)
    try:
        events: list[Event] = _DECODER.decode_lines(text)
    except (msgspec.MsgspecError, RecursionError):
        return None
    canonical = _ENCODER.encode_lines(events).split(b"\n")[:-1]
    if len(events) != len(given) or [event.seq for event in events] != list(range(len(events))):
        return None
    tight = _tight(text).split(b"\n")
    if tight != plain or list(map(len, canonical)) != list(map(len, tight)):
        compared = enumerate(zip(events, canonical, tight, plain, strict=True))
        if any(_differs(*rest) for at, (event, *rest) in compared if not isinstance(event, _WHOLE) and at not in apart):
            return None
    for number, line in apart.items():
        canonical[number] = line
    ended = _run(events, canonical, given, loose=any(key in text for key in (b'"at":', b'"note":', b'"id":')))
    return None if ended is None else (events, canonical, ended)


def _without_private(line: bytes) -> tuple[bytes, bytes] | None:
    """Of a line with private fields or escapes: what msgspec would write of its event, and its canonical bytes."""
    parsed = parse(line)
    if parsed.raw is None or parsed.flaws or (None in parsed.raw.values() and parsed.raw.get("event", "") is not None):
        return None
    try:
        event = wire.event_of(parsed.raw)
    except msgspec.ValidationError:
        return None
    return _ENCODER.encode(event), wire.canonical(parsed.raw)


def _run(events: list[Any], canonical: list[bytes], given: list[bytes], *, loose: bool) -> bool | None:
    """Holds each event of the quick road to its course; the end was seen or not, None where anything is amiss."""
    reader = _Reader(Course())
    course = reader.course
    course.log = dict(enumerate(events))
    seats, simple = 0, _NO_TYPES
    for number, event in enumerate(events):
        if type(event) in simple and event.seat <= seats and not (loose and event.id):
            if loose and not wire.passes(event):
                return None
            continue
        course.expected = (number, number)
        if isinstance(event, _WHOLE):
            found, flaws = reader.judge(parse(given[number]))
            if found is None or flaws:
                return None
            canonical[number] = found.line
        elif not number or not wire.passes(event) or course.admit(type_of(event), fields_of(event)):
            return None
        seats, simple = course.seats or 0, _NO_TYPES if course.ended else _OF_ONE_GAME.get(course.game or "", _NO_TYPES)
    return None if course.close() else course.ended
