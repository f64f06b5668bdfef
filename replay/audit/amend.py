"""Readings of one log: as recorded, as amended, or between (`record.md` 3.1). The log itself is never edited."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal

import msgspec

from schemas.events import Corrected, Event, Inserted

Reading = Literal["amended", "recorded"] | int
"""Which amendments count: all, none, or those known at the event of that number, itself among them."""
MOST_DIGITS: Final = 10
AMENDMENTS: Final[frozenset[type]] = frozenset((Corrected, Inserted))


def as_reading(text: str) -> Reading:
    """A reading as it is asked for: `amended`, `recorded`, or an event's number, written once and only once.

    `ValueError` for anything else.

    >>> as_reading("recorded"), as_reading("60")
    ('recorded', 60)
    """
    if text == "amended":
        return "amended"
    if text == "recorded":
        return "recorded"
    if not (text.isascii() and text.isdigit() and len(text) < MOST_DIGITS and str(int(text)) == text):
        raise ValueError(text)
    return int(text)


def counted(events: Iterable[Event], reading: Reading) -> list[Corrected | Inserted]:
    """The amendments that count in a reading."""
    found = [event for event in events if isinstance(event, Corrected | Inserted)]
    if isinstance(reading, int):
        return [event for event in found if event.seq <= reading]
    return found if reading == "amended" else []


def touched(amendment: Corrected | Inserted) -> int:
    """The number of the event it changes, or after which it puts one."""
    return amendment.of if isinstance(amendment, Corrected) else amendment.after


def read(events: Iterable[Event], reading: Reading) -> list[Event]:
    """The events of one reading in order; amendments themselves never stand in it.

    An amended event keeps its `seq`; an inserted one bears the `seq` of its `inserted` line.
    """
    kept = list(events)
    if AMENDMENTS.isdisjoint(map(type, kept)):
        return kept
    amendments = counted(kept, reading)
    if not amendments:
        return [event for event in kept if not isinstance(event, Corrected | Inserted)]
    corrections = {event.of: event for event in amendments if isinstance(event, Corrected)}
    after: dict[int, list[Inserted]] = {}
    for amendment in amendments:
        if isinstance(amendment, Inserted):
            after.setdefault(amendment.after, []).append(amendment)
    amended: list[Event] = []
    for event in kept:
        if not isinstance(event, Corrected | Inserted):
            _put(amended, event, corrections)
        if not isinstance(event, Inserted):
            _put_after(amended, event.seq, after)
    return amended


def _put(amended: list[Event], event: Event, corrections: dict[int, Corrected]) -> None:
    correction = corrections.get(event.seq)
    if correction is None:
        amended.append(event)
    elif correction.event is not None:
        amended.append(as_event(correction.event, event.seq))


def _put_after(amended: list[Event], seq: int, after: dict[int, list[Inserted]]) -> None:
    for insertion in after.get(seq, ()):
        amended.append(as_event(insertion.event, insertion.seq))
        _put_after(amended, insertion.seq, after)


def as_event(fields: dict[str, Any], seq: int) -> Event:
    """The event an amendment carries, with the number it is told by; private fields stay behind."""
    public = {name: value for name, value in fields.items() if not name.startswith("x_")}
    shaped: Event = msgspec.convert({**public, "seq": seq}, Event)
    return shaped


def furthest_seat(events: Sequence[Event]) -> int:
    """The highest seat number an event names: amendments may name it before anybody has joined there."""
    return max(max(getattr(event, "seat", 0) or 0, getattr(event, "dealer", 0)) for event in events)
