"""The quick road: what msgspec reads and writes again as the very same bytes held nothing else (`recorder.intake`)."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from recorder.course import LIGHT, Course, fields_of
from recorder.decode import LONGEST_LINE, Parsed, parse
from schemas import events as shapes
from schemas import wire
from schemas.events import Event, type_of
from schemas.problems import Flaw

_DECODER: Final = msgspec.json.Decoder(Event)
_ENCODER: Final = msgspec.json.Encoder(order="sorted")
_C1: Final = re.compile(rb"\xc2[\x80-\x9f]")
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
_REFERRING: Final = frozenset((shapes.Revealed, shapes.Testified, shapes.Corrected, shapes.Inserted))
"""Types that refer to an earlier event."""
_OF_ONE_GAME: Final = {
    "bura": _SEATED - frozenset(shapes.BOURRE_TYPES),
    "bourre": _SEATED - frozenset(shapes.BURA_TYPES),
}


class Read(msgspec.Struct, frozen=True):
    """One event that was read: its shape, and its canonical line without the line end."""

    event: Event
    line: bytes


Judge = Callable[[Parsed], tuple[Read | None, list[Flaw]]]
"""A line by the middle or the strict road: its event and what is wrong with it."""


class Quick:
    """The quick road for one recording, so many whole lines at a time.

    `judge` is the road for types with objects inside; `course` is what it holds them to.
    """

    def __init__(self, course: Course, judge: Judge) -> None:
        self.course = course
        self.count = 0
        self._judge = judge

    def take(self, text: bytes) -> tuple[list[Event], bytes] | None:
        """The events of the next lines and their canonical text; None if anything is amiss."""
        if not text or not _short(text):
            return None
        plain, apart = (text, dict[int, bytes]()) if not _suspect(text) else _set_apart(text)
        events = _decoded(plain)
        if events is None and plain is text and _PRIVATE in text:
            plain, apart = _set_apart(text)
            events = _decoded(plain)
        if not events:
            return None
        written = _ENCODER.encode_lines(events)
        spaced = written != plain
        first, self.count = self.count, self.count + len(events)
        if [event.seq for event in events] != list(range(first, self.count)):
            return None
        if spaced and not _same(events, written, plain, apart):
            return None
        if not self._in_course(events, text, apart, spaced=spaced):
            return None
        return events, _with_lines(written, apart) if apart else written

    def _in_course(self, events: list[Any], text: bytes, apart: dict[int, bytes], *, spaced: bool) -> bool:
        """Holds each event to its course; the canonical lines of those that are judged one by one go to `apart`."""
        course, first, given = self.course, self.count - len(events), list[bytes]()
        loose = any(key in text for key in (b'"at":', b'"note":', b'"id":'))
        seats, simple, light = self._looks()
        if not loose and light.keys() | simple >= set(map(type, events)):
            rest = [event for event in events if type(event) not in simple or event.seat > seats]
            if all(type(event) in light and light[type(event)](course, event) for event in rest):
                return True
        for number, event in enumerate(events):
            kind = type(event)
            easy = event.seat <= seats if kind in simple else kind in light and light[kind](course, event)
            if easy and (not loose or (event.id is None and wire.passes(event))):
                continue
            course.expected = (number + first, number + first)
            if kind in _REFERRING:
                if first:
                    return False
                if len(course.log) < len(events):
                    course.log = dict(enumerate(events)) | course.log
            if kind in _WHOLE:
                given = given or text.split(b"\n")
                found, flaws = self._judge(parse(given[number]))
                if found is None or flaws:
                    return False
                if spaced or found.line != given[number]:
                    apart[number] = found.line
            elif course.game is None or not wire.passes(event) or course.admit(type_of(event), fields_of(event)):
                return False
            seats, simple, light = self._looks()
        return True

    def _looks(self) -> tuple[int, frozenset[type], Mapping[type, Callable[[Course, Any], bool]]]:
        """What lets an event pass at one look: the seats there are, types of one seat, and the checks of others."""
        course = self.course
        if course.ended or course.game is None:
            return 0, _NO_TYPES, {}
        return course.seats or 0, _OF_ONE_GAME[course.game], LIGHT


def _decoded(text: bytes) -> list[Event] | None:
    try:
        return _DECODER.decode_lines(text)
    except (msgspec.MsgspecError, RecursionError):
        return None


def _short(text: bytes) -> bool:
    """Whether no line is too long."""
    at = 0
    while len(text) - at > LONGEST_LINE:
        at = text.rfind(b"\n", at, at + LONGEST_LINE + 1) + 1
        if not at:
            return False
    return True


def _set_apart(text: bytes) -> tuple[bytes, dict[int, bytes]]:
    """The text as the types read it, and the canonical lines of those that hold private fields or escapes.

    Nothing at all where the middle road does not take such a line either.
    """
    apart: dict[int, bytes] = {}
    plain = text.split(b"\n")
    for number, line in enumerate(plain):
        if _suspect(line) or _PRIVATE in line:
            found = _without_private(line)
            if found is None:
                return b"", apart
            plain[number], apart[number] = found
    return b"\n".join(plain), apart


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


def _same(events: list[Event], written: bytes, plain: bytes, apart: Mapping[int, bytes]) -> bool:
    """Whether no line held more than its event and spaces."""
    if events and type(events[0]) in _WHOLE and written.partition(b"\n")[2] == plain.partition(b"\n")[2]:
        return True
    canonical, tight, given = written.split(b"\n"), _tight(plain).split(b"\n"), plain.split(b"\n")
    if not len(canonical) == len(tight) == len(given) == len(events) + 1:
        return False
    if tight == given and list(map(len, canonical)) == list(map(len, given)):
        return True
    return not any(
        _differs(*texts)
        for at, (event, *texts) in enumerate(zip(events, canonical, tight, given, strict=False))
        if type(event) not in _WHOLE and at not in apart
    )


def _with_lines(text: bytes, lines: Mapping[int, bytes]) -> bytes:
    """The text with some of its lines replaced."""
    whole = text.split(b"\n")
    for number, line in lines.items():
        whole[number] = line
    return b"\n".join(whole)


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


def quick_line(line: bytes) -> Read | None:
    """The event of one line by the quick road; None where only another one can tell."""
    if len(line) > LONGEST_LINE or _suspect(line):
        return None
    try:
        event = _DECODER.decode(line)
    except (msgspec.MsgspecError, RecursionError):
        return None
    canonical = _ENCODER.encode(event)
    if _differs(canonical, _tight(line), line) or type(event) in _WHOLE or not wire.passes(event):
        return None
    return Read(event, canonical)
