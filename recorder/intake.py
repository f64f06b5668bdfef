"""Bytes -> Recording, or a Refusal that lists every problem (`record.md` 1-4, `report.md` 1).

Three roads, one answer. Quick: msgspec reads a line and writes it again as canonical bytes of the same length, so the
line held nothing else. Middle: the standard library's JSON with hooks, then the same types. Strict: marshmallow, which
finds every flaw of the line. The test that they agree is in `tests/recorder/test_roads.py`.
"""

import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, BinaryIO, Final

import msgspec

from recorder import rulebook
from recorder.course import Course, fields_of
from recorder.decode import BULK, LONGEST_LINE, WEB, Limits, Parsed, UnreadableError, chunks, parse, texts
from recorder.quick import Quick, Read
from recorder.quick import quick_line as _quick_line
from recorder.sections import Section, lines_of, sections, trouble_of
from schemas import wire
from schemas.events import Event, Recording, type_of
from schemas.forms import Told
from schemas.problems import MOST_PROBLEMS, Code, Flaw, Problem, Refusal, refuse

__all__ = [
    "BULK", "WEB", "Continuation", "Limits", "Read", "continue_event", "read", "read_all", "read_bundle", "read_half",
]  # fmt: skip

_SPACES: Final = b" \t\r"
_AMENDMENTS: Final = ("corrected", "inserted")


def read(data: bytes, limits: Limits = WEB) -> Recording | Refusal:
    """The one recording a file holds, or every problem of the file; of a bundle, the second beginning is one."""
    parts = list(sections(io.BytesIO(data), limits, is_refused))
    found = [read_section(section) for section in parts]
    if len(found) == 1:
        return found[0]
    lines = [part.first for before, part in pairwise(parts) if before.begins]
    seconds = {line: Problem(line, "type", Code.NOT_A_RECORDING) for line in lines}
    others = [problem for each in found if isinstance(each, Refusal) for problem in each.problems]
    return refuse([*seconds.values(), *(problem for problem in others if problem.line not in seconds)])


def read_bundle(data: bytes | BinaryIO, limits: Limits = BULK) -> Iterator[Recording | Refusal]:
    """Each recording of a file in turn, or the problems it has by the lines of the file.

    A stream is read piece by piece; no more than one recording is held, and little of one that is refused.
    """
    stream = io.BytesIO(data) if isinstance(data, bytes) else data
    return map(read_section, sections(stream, limits, is_refused))


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


def read_half(data: bytes, limits: Limits = BULK) -> tuple[dict[str, Any], ...] | Refusal:
    """The objects of lines that are a recording only together with others, or every problem of them by themselves."""
    rows: list[dict[str, Any]] = []
    problems: list[Problem] = []
    try:
        lines = [line for text in texts(chunks(io.BytesIO(data), limits)) for line in lines_of(text)]
    except UnreadableError as error:
        return refuse([trouble_of(error)])
    for number, line in enumerate(lines, 1):
        parsed = parse(line) if line.strip(_SPACES) else Parsed(None, [Flaw(Code.BLANK_LINE)])
        flaws = parsed.flaws or (wire.examine(parsed.raw)[0] if parsed.raw is not None else [])
        problems += [Problem(number, flaw.field, flaw.code, flaw.args) for flaw in flaws]
        rows.append(parsed.raw or {})
    if not rows:
        problems.append(Problem(1, "", Code.NOT_A_RECORDING))
    return refuse(problems) if problems else tuple(rows)


class Continuation:
    """A recording that is being written, and what may come next in it.

    A `finished` one (ended, or uploaded and breaking off) takes amendments, testimony and notes only.
    """

    def __init__(self, so_far: Sequence[Event], *, finished: bool = False) -> None:
        self._reader = Reader(Course.of(so_far))
        self._reader.course.ended |= finished
        self._next = len(so_far)

    def take(self, given: bytes | Mapping[str, Any]) -> Read | tuple[Flaw, ...]:
        """The next event, or its flaws; without a `seq` it gets the next. Only an event that was read is counted."""
        line = given if isinstance(given, bytes) else _line_of({"seq": self._next, **given})
        found, flaws = self._reader.one(line) if b'"seq"' in line else self._numbered(line)
        if found is not None and not self._next:
            flaws += self._reader.course.close()
        if found is not None and len(found.line) > LONGEST_LINE:  # with the number that it got
            flaws.append(Flaw(Code.LINE_TOO_LONG, args={"limit": LONGEST_LINE}))
        if found is None or flaws:
            return tuple(flaws)
        self._next += 1
        return found

    def _numbered(self, line: bytes) -> tuple[Read | None, list[Flaw]]:
        parsed = parse(line) if line.strip(_SPACES) else Parsed(None, [Flaw(Code.BLANK_LINE)])
        if parsed.raw is not None:
            parsed.raw.setdefault("seq", self._next)
        return self._reader.judge(parsed)


def _line_of(raw: Mapping[str, Any]) -> bytes:
    """An object as the shortest line that says it; what is no text of UTF-8 stays escaped, and is told."""
    try:
        return json.dumps(raw, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(raw, separators=(",", ":")).encode()


def continue_event(so_far: Sequence[Event], given: bytes | Mapping[str, Any]) -> Read | Refusal:
    """One more event of a recording that is being written, after `so_far`; without a `seq` it gets the next.

    The rules and codes are those of a file; the line of every problem is 1.
    """
    found = Continuation(so_far).take(given)
    if isinstance(found, Read):
        return found
    return refuse(Problem(1, flaw.field, flaw.code, flaw.args) for flaw in found)


def read_section(section: Section) -> Recording | Refusal:
    """The recording of a section, or every problem of it."""
    if section.trouble is None and (found := _quick(section.text)):
        events, canonical, ended = found
        if ended or section.next is None:
            return _recording(events, canonical, complete=ended)
    reader = Reader(Course())
    for number, line in enumerate(section.lines, section.first):
        if section.trouble and section.trouble.code is not Code.TOO_MANY_EVENTS:
            break
        reader.take(number, line)
        if reader.is_enough:
            return refuse(reader.problems)
    problems = [*reader.problems, *reader.at_the_end(section)]
    if problems:
        return refuse(problems)
    return _recording(reader.events, b"".join(line + b"\n" for line in reader.lines), complete=reader.course.ended)


def is_refused(begun: bytes) -> bool:
    """Whether a recording that begins with these lines is refused by what stands in them, whatever follows."""
    reader = Reader(Course())
    for number, line in enumerate(lines_of(begun)):
        reader.take(number, line)
        if reader.is_enough:
            return True
    return False


def _recording(events: list[Event], canonical: bytes, *, complete: bool) -> Recording:
    lines = tuple(canonical.split(b"\n")[:-1])
    return Recording(tuple(events), lines, hashlib.sha256(canonical).hexdigest(), complete)


class Reader:
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

    @property
    def is_enough(self) -> bool:
        """No more problems are told than there are."""
        return self.hopeless or len(self.problems) >= MOST_PROBLEMS

    def take(self, number: int, line: bytes) -> None:
        """The next line of the file."""
        if not line.strip(_SPACES):
            self.problems.append(Problem(number, "", Code.BLANK_LINE))
            return
        found, flaws = self.one(line)
        if not self.events and not self.problems:
            self.begun_at = number
        if found is not None and not flaws:
            self.events.append(found.event)
            self.lines.append(found.line)
            return
        unknown = [flaw for flaw in flaws if flaw.code is Code.UNKNOWN_VERSION]
        self.hopeless = bool(unknown)  # what the other version means by the rest, nobody knows here
        self.problems += [Problem(number, flaw.field, flaw.code, flaw.args) for flaw in unknown or flaws]

    def at_the_end(self, section: Section) -> list[Problem]:
        """What only the end of a recording shows."""
        if section.trouble:
            return [section.trouble]
        if not section.text:
            return [Problem(section.first, "", Code.NOT_A_RECORDING)]
        if section.next and section.begins and not self.course.ended and not self.stumbled:
            return [Problem(section.next, "type", Code.NOT_A_RECORDING)]
        return [Problem(self.begun_at, flaw.field, flaw.code, flaw.args) for flaw in self.course.close()]

    def one(self, line: bytes) -> tuple[Read | None, list[Flaw]]:
        """The event of a line by the shortest road that leads there, and what is wrong with it."""
        quick = _quick_line(line)
        if quick is None:
            return self.judge(parse(line) if line.strip(_SPACES) else Parsed(None, [Flaw(Code.BLANK_LINE)]))
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
    if any((name in given) != (name in rules) or isinstance(given.get(name), Told) for name in ("preset", "options")):
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


def _quick(text: bytes) -> tuple[list[Event], bytes, bool] | None:
    """All lines of a recording at once: events, canonical text, whether its end stands in it; None if any is amiss."""
    reader = Reader(Course())
    found = Quick(reader.course, reader.judge).take(text)
    return None if found is None or reader.course.close() else (*found, reader.course.ended)
