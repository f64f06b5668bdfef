"""The game as text: one line an event, with what it changed; for the terminal and for golden files.

The words are those of the wire and a few of the log (`pot`, `stock`, `holds`, `has`), the same in every language.
Sums have the recording's decimals, behind a point in every language.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from replay.audit.amend import counted
from replay.audit.report import Audit
from replay.engine.findings import Finding, Severity
from replay.engine.outcome import HandResult, SeatResult
from replay.views.observe import observe
from replay.views.sources import SeatView, TableView
from schemas import sums
from schemas.events import (
    Corrected,
    Event,
    HandBegan,
    HandEnded,
    Happening,
    Inserted,
    PlayerJoined,
    RecordingBegan,
    RecordingEnded,
    type_of,
)
from schemas.options import typed
from schemas.rules import AMOUNTS

MARK: Final = {Severity.ERROR: "!", Severity.DOUBT: "?", Severity.NOTE: "-"}
_INDENT: Final = " " * 6
_UNSAID: Final = frozenset({"seq", "at", "note", "source", "id", "seat", "name"})
_PLAIN: Final = frozenset({"amount", "why", "card", "cards", "face", "reason", "combination", "text", "game", "title"})
"""Fields whose value speaks for itself; of every other the name is written before it."""


@dataclass(frozen=True)
class Line:
    """One event of a transcript: the event, the hand it belongs to (0 = none), the table after it, what was found."""

    event: Event
    hand: int
    table: TableView | None
    findings: tuple[Finding, ...]
    text: tuple[str, ...]


def transcript(judged: Audit, hand: int | None = None, at: int | None = None) -> Iterator[Line]:
    """The lines of a judged recording, of all hands or one (the last that bears the number), up to the event `at`."""
    teller = _Teller(judged)
    wanted = None if hand is None else max(first for first, number in hands_of(judged.events) if number == hand)
    for line, first in teller.lines(wanted):
        if hand is None or first == wanted:
            yield line
        if at is not None and line.event.seq == at:
            return


def hands_of(events: Iterable[Event]) -> list[tuple[int, int]]:
    """The place in a reading at which each hand begins, and its recorded number."""
    return [(place, event.hand) for place, event in enumerate(events) if isinstance(event, HandBegan)]


class _Teller:
    """Knows the names, the findings and the amendments of one judged recording."""

    def __init__(self, judged: Audit) -> None:
        self.judged = judged
        self.names: dict[int, str] = dict(enumerate(judged.recording.began.seats, 1))
        self.digits = judged.recording.began.unit_digits or 0
        self.findings: dict[int, list[Finding]] = {}
        for finding in judged.findings:
            self.findings.setdefault(finding.seq, []).append(finding)
        self.results = {result.seq: result for result in judged.results}
        self.amendments = counted(judged.recording.events, judged.reading)
        self.marks = {each.of if isinstance(each, Corrected) else each.seq: each for each in self.amendments}

    def lines(self, only: int | None) -> Iterator[tuple[Line, int]]:
        """Each line with the place at which its hand began (-1 = no hand); tables for the hand `only`, or for all."""
        events, waiting = self.judged.events, list(self.amendments)
        place, last = 0, 0
        while place < len(events):
            end = self._end(place)
            first = place if isinstance(events[place], HandBegan) else -1
            tables = observe(events, self.judged.house, first) if first >= 0 and only in (None, first) else ()
            before: TableView | None = None
            for step, event in enumerate(events[place:end]):
                plain = event.seq not in self.marks or not isinstance(self.marks[event.seq], Inserted)
                while plain and waiting and waiting[0].seq < event.seq:
                    yield self._line(waiting.pop(0), last, None, None), -1
                table = tables[step] if tables else None
                last = table.hand if table else 0
                yield self._line(event, last, table, before), first
                before = table
            place, last = end, 0
        for amendment in waiting:
            yield self._line(amendment, 0, None, None), -1

    def _end(self, place: int) -> int:
        """The place after a hand that begins here, or after the one event that stands between hands."""
        events = self.judged.events
        if not isinstance(events[place], HandBegan):
            return place + 1
        for at in range(place + 1, len(events)):
            if isinstance(events[at], HandEnded):
                return at + 1
            if isinstance(events[at], HandBegan | RecordingEnded):
                return at
        return len(events)

    def _line(self, event: Event, hand: int, table: TableView | None, before: TableView | None) -> Line:
        if isinstance(event, PlayerJoined):
            self.names[event.seat] = event.name
        found = tuple(self.findings.pop(event.seq, ()))
        said = f"{event.seq:>5} {type_of(event):<15} {self._what(event)}".rstrip() + self._mark(event)
        changed = "; ".join(self._changes(table, before)) if table else ""
        text = [f"{said:<46} | {changed}" if changed else said, *(self._finding(each) for each in found)]
        result = self._result_at(event, table)
        if result:
            text.append(self._result(result))
        if isinstance(event, RecordingBegan):
            text += self._head()
        return Line(event, hand, table, found, tuple(text))

    def _sum(self, value: Any) -> str:
        """A sum, or several, in the recording's unit."""
        if isinstance(value, list | tuple):
            return ",".join(map(self._sum, value))
        return sums.decimal(value, self.digits) if isinstance(value, int) else _value(value)

    def _field(self, name: str, value: Any) -> str:
        """A field's value, a sum in the recording's unit; of an amendment, its whole event."""
        if isinstance(value, Mapping):
            value = {key: self._field(key, each) for key, each in value.items()}
        return self._sum(value) if name in sums.FIELDS else _value(value)

    def _option(self, name: str, value: Any) -> str:
        """A house rule as it is typed; beside an amount the sum it is, where that reads otherwise."""
        is_sum = self.digits and name in AMOUNTS and isinstance(value, int)
        return f"{name}={typed(value)}" + (f" ({self._sum(value)})" if is_sum else "")

    def _seat(self, seat: int) -> str:
        name = self.names.get(seat)
        return f"{seat} {name}" if name else str(seat)

    def _head(self) -> list[str]:
        house, began = self.judged.house, self.judged.recording.began
        options = [self._option(name, value) for name, value in house.options.items()]
        stacks: Iterable[int | None] = began.stacks or (None for _ in began.seats)
        seats = [
            self._seat(seat) + (f" {self._sum(stack)}" if stack is not None else "")
            for seat, stack in zip(range(1, len(began.seats) + 1), stacks, strict=True)
        ]
        return [f"{_INDENT}{' '.join([house.preset, *options])}", f"{_INDENT}{', '.join(seats)}"]

    def _what(self, event: Happening) -> str:
        """An event's fields: its seat first, then the others as they are declared."""
        if isinstance(event, RecordingBegan):
            parts = [event.game, f"view {event.view}" if event.view else ""]
            parts += [f"pot {self._sum(event.pot)}" if event.pot else "", f"unit {event.unit}" if event.unit else ""]
            return " ".join([*(part for part in parts if part), *([f"«{event.title}»"] if event.title else [])])
        seat = getattr(event, "seat", None)
        words = [self._seat(seat)] if seat else []
        for name in event.__struct_fields__:
            value = getattr(event, name)
            if name in _UNSAID or value is None:
                words += ["struck"] if name == "event" else []
            elif name == "dealer":
                words.append(f"dealer {self._seat(value)}")
            else:
                told = self._field(name, value)
                words.append(told if name in _PLAIN else f"{name} {told}")
        words += [f"«{event.note}»"] if event.note else []
        words += [f"({event.source})"] if event.source and event.source != "seen" else []
        return " ".join(words)

    def _mark(self, event: Event) -> str:
        amendment = self.marks.get(event.seq)
        if amendment is None or event is amendment:
            return ""
        return f"  [{type_of(amendment)} {amendment.seq}]"

    def _changes(self, now: TableView, before: TableView | None) -> Iterator[str]:
        """What an event changed: trump, stock, pot, and of each seat its holding, points or tricks, and stack."""
        old = {seat.seat: seat for seat in before.seats} if before else {}
        if now.trump and (before is None or now.trump != before.trump):
            yield f"trump {now.trump}"
        if now.stock is not None and (before is None or now.stock != before.stock):
            yield f"stock {now.stock}"
        if before is None or now.pot != before.pot:
            yield f"pot {self._sum(now.pot)}"
        for seat in now.seats:
            before_it = old.get(seat.seat)
            if before_it is None or seat.stack != before_it.stack:
                yield f"{seat.seat} stack {self._sum(seat.stack)}"
            yield from _seat_changes(seat, before_it, self.judged.house.game == "bura")

    def _finding(self, finding: Finding) -> str:
        seat = f" {self._seat(finding.seat)}" if finding.seat else ""
        sides = {"recorded": finding.recorded, "due": sums.outcomes(finding.expected, self._sum)}
        told = self._sum if finding.code in sums.FINDINGS else _value
        said = ", ".join(f"{name} {told(value)}" for name, value in sides.items() if value is not None)
        shaken = ", shaken" if finding.shaken else ""
        about = f": {said}" if said else ""
        return f"{_INDENT}{MARK[finding.severity]} {finding.code}{seat}{about} ({finding.rule}){shaken}"

    def _result_at(self, event: Event, table: TableView | None) -> HandResult | None:
        """The result of the hand that ends here: at `hand_ended`, or at the last event of a hand without it."""
        if table is None:
            return None
        ends = [result for result in self.results.values() if result.hand == table.hand and result.end == event.seq]
        return ends[0] if ends and isinstance(event, HandEnded) else None

    def _result(self, result: HandResult) -> str:
        takers = "?" if result.takers is None else ", ".join(map(str, result.takers)) or "nobody"
        pots = " ".join(self._sum(each) for each in (result.pot_before, result.pot, result.pot_after))
        bura = self.judged.house.game == "bura"
        seats = "; ".join(f"{seat} {self._net(row, bura)}" for seat, row in sorted(result.seats.items()))
        return f"{_INDENT}= {result.reason or '?'}, taken by {takers}, pot {pots}; {seats}"

    def _net(self, row: SeatResult, bura: bool) -> str:
        """Chips as due, the recorded change where it differs, and points or tricks."""
        moved = "" if row.net_due == row.net_recorded else f" (moved {self._signed(row.net_recorded)})"
        had = f"points {_range(row.low, row.high)}" if bura else f"tricks {_value(row.tricks)}"
        return f"{self._signed(row.net_due)}{moved} {had}"

    def _signed(self, value: int | None) -> str:
        return ("+" if value is not None and value >= 0 else "") + self._sum(value)


def _seat_changes(now: SeatView, old: SeatView | None, bura: bool) -> Iterator[str]:
    if now.cards != (old.cards if old else ()):
        yield f"{now.seat} holds {' '.join(now.cards) or '-'}"
    if bura and (now.low, now.high) != ((old.low, old.high) if old else (0, 0)):
        yield f"{now.seat} has {_range(now.low, now.high)}"
    if not bura and now.tricks != (old.tricks if old else 0):
        yield f"{now.seat} took {now.tricks}"
    if now.status != (old.status if old else "in"):
        yield f"{now.seat} {now.status}"


def _range(low: int | None, high: int | None) -> str:
    return _value(low) if low == high else f"{_value(low)}..{_value(high)}"


def _value(value: Any) -> str:
    """A value in the log's words: lists with spaces, maps as `key=value`, `?` for what is not known."""
    if value is None:
        return "?"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return " ".join(f"{key}={_value(each)}" for key, each in value.items())
    if isinstance(value, list | tuple):
        return ("," if all(isinstance(each, int) for each in value) else " ").join(map(_value, value))
    return str(value)
