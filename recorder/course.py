"""What an event may refer to, from what stood before it: numbers, seats, keys, its game, the end (`record.md` 4)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from schemas import forms, wire
from schemas.events import (
    BOURRE_TYPES,
    BURA_TYPES,
    Event,
    HandBegan,
    HandEnded,
    Happening,
    PotCounted,
    StackCounted,
    StakeSet,
    TrumpTurned,
    type_of,
)
from schemas.problems import Code, Flaw
from schemas.values import BOURRE_REASONS, BURA_REASONS, GREATEST

_OF_ANOTHER: Final[Mapping[str | None, frozenset[str]]] = {
    "bura": frozenset(str(shape.__struct_config__.tag) for shape in BOURRE_TYPES),
    "bourre": frozenset(str(shape.__struct_config__.tag) for shape in BURA_TYPES),
    None: frozenset(),
}
"""The types of events that only another game has."""
_REASONS: Final = {"bura": BURA_REASONS, "bourre": BOURRE_REASONS}
_AMENDMENTS: Final = ("corrected", "inserted")
_AFTER_THE_END: Final = (*_AMENDMENTS, "testified", "noted")
_HAS_FACES: Final = ("dealt", "played", "drew")
_HAS_CARDS: Final = (*_HAS_FACES, "discarded", "declared", "counted", "trump_turned", "stock_recycled", "deck_revealed")

Shape = tuple[str, int]
"""An event's type and how many cards it names."""


def _shape(kind: str, good: Mapping[str, Any]) -> Shape:
    cards = good.get("cards")
    return kind, len(cards) if cards else 0


class Course:
    """A recording as far as it was read; `admit` tells what an event has wrong in the light of it, and moves on.

    What cannot be known because an earlier line could not be read is not held against a later one.
    """

    def __init__(self) -> None:
        self.game: str | None = None
        self.seats: int | None = None  # so many seats are or were held; None: the header could not be read
        self.amended_seats = 0  # likewise with the players that amendments let join
        self.open_balances = True
        self.view_seat = 0
        self.ended = False
        self.expected = (0, 0)  # the next seq, and the other one that would do after a slip
        self.seq = 0  # of the event at hand
        self.log: dict[int, Event | Shape | None] = {}
        self.amended: dict[int, list[Shape]] = {}
        self.ids: set[str] = set()

    @classmethod
    def of(cls, events: Sequence[Event]) -> "Course":
        """The course after events that were all admitted before."""
        course = cls()
        for event in events:
            course.admit(type_of(event), fields_of(event))
        return course

    def stumble(self) -> None:
        """A line that could not be read took a number, or took none; after the end it may have been a new beginning."""
        if self.ended:
            self.game, self.seats, self.view_seat, self.ended = None, None, 0, False
            self.log, self.amended, self.ids, self.expected = {0: None}, {}, set(), (1, 0)
            return
        self.log[self.expected[0]] = None
        self.expected = (self.expected[0] + 1, self.expected[0])

    def admit(self, kind: str | None, good: Mapping[str, Any]) -> list[Flaw]:
        """The flaws of one event by its type and those of its fields that are right by themselves."""
        flaws = self._number(good.get("seq"))
        key = good.get("id")
        if key is not None:
            if key in self.ids:
                flaws.append(Flaw(Code.DUPLICATE_ID, "id", {"value": forms.shown(key)}))
            self.ids.add(key)
        if kind is None:
            self.log[self.seq] = None
            return flaws
        second = kind == "recording_began" and bool(self.log)
        if second or (self.ended and kind not in _AFTER_THE_END):
            flaws.append(Flaw(Code.NOT_A_RECORDING, "type", {"value": forms.shown(kind)}))
        flaws += self._in_context(kind, good, nested=False)
        if kind == "recording_began":
            self._begin(good)
        elif kind == "recording_ended":
            self.ended = True
        elif kind in _AMENDMENTS:
            flaws += self._amend(kind, good)
        self.log[self.seq] = _shape(kind, good)
        return flaws

    def close(self) -> list[Flaw]:
        """What only the end shows: whether the seat of the header's `view` is ever held."""
        if self.seats is None or self.view_seat <= max(self.seats, self.amended_seats):
            return []
        return [self._no_seat("view", self.view_seat, max(self.seats, self.amended_seats))]

    def _number(self, seq: int | None) -> list[Flaw]:
        wanted = self.expected[0]
        self.seq = wanted if seq is None else seq
        if seq is None:
            self.expected = (wanted + 1, wanted)
            return []
        if seq in self.expected:
            self.expected = (seq + 1, seq + 1)
            return []
        self.expected = (seq + 1, wanted + 1)
        return [Flaw(Code.SEQ_GAP, "seq", {"value": seq, "expected": wanted})]

    def _begin(self, good: Mapping[str, Any]) -> None:
        self.game = good.get("game")
        seats = good.get("seats")
        self.seats = len(seats) if seats else None
        self.amended_seats = self.seats or 0
        self.open_balances = good.get("stacks") is None
        view = good.get("view") or ""
        self.view_seat = int(view.removeprefix("seat:")) if view.startswith("seat:") else 0

    def _in_context(self, kind: str, good: Mapping[str, Any], *, nested: bool) -> list[Flaw]:
        flaws = []
        if kind in _OF_ANOTHER[self.game]:
            flaws.append(Flaw(Code.WRONG_GAME, "type", {"value": forms.shown(kind), "game": self.game}))
        flaws += self._seats(kind, good, nested=nested)
        if kind == "revealed":
            flaws += self._revealed(good)
        elif kind == "testified":
            flaws += self._refers(good, "of", _HAS_CARDS)
        elif kind == "hand_ended" and self.game and good.get("reason", "misdeal") not in _REASONS[self.game]:
            flaws.append(forms.bad_value(good["reason"], " | ".join(_REASONS[self.game])).under("reason"))
        elif kind == "stack_counted" and not self.open_balances and good.get("amount", 0) < 0:
            flaws.append(forms.bad_value(good["amount"], f"0 .. {GREATEST}").under("amount"))
        return flaws

    def _seats(self, kind: str, good: Mapping[str, Any], *, nested: bool) -> list[Flaw]:
        if self.seats is None:
            return []
        held = max(self.seats, self.amended_seats) if nested else self.seats
        seat, dealer = good.get("seat"), good.get("dealer")
        flaws = []
        if kind == "player_joined" and seat is not None:
            if seat > held + 1:
                flaws.append(self._no_seat("seat", seat, held + 1))
            elif nested:
                self.amended_seats = max(self.amended_seats, seat)
            else:
                self.seats = max(self.seats, seat)
        elif seat is not None and seat > held:
            flaws.append(self._no_seat("seat", seat, held))
        if dealer is not None and dealer > held:
            flaws.append(self._no_seat("dealer", dealer, held))
        if agreed := good.get("agreed"):
            held = max(self.seats, self.amended_seats)
            flaws += [self._no_seat("agreed", each, held) for each in agreed if each > held]
        return flaws

    def _no_seat(self, field: str, seat: int, held: int) -> Flaw:
        return Flaw(Code.BAD_REFERENCE, field, {"value": forms.shown(seat), "expected": f"1 .. {held}"})

    def _readings(self, seq: int) -> list[Shape] | None:
        """What event `seq` is, as recorded and as amended so far; None where its line could not be read."""
        entry = self.log.get(seq)
        if entry is None:
            return None
        shape = entry if isinstance(entry, tuple) else _shape(type_of(entry), fields_of(entry))
        return [shape, *self.amended.get(seq, ())]

    def _refers(self, good: Mapping[str, Any], field: str, kinds: tuple[str, ...] | None) -> list[Flaw]:
        """`of` and `after` name an earlier event, where `kinds` is given one of these types."""
        target = good.get(field)
        if target is None:
            return []
        if target >= self.seq:
            return [Flaw(Code.BAD_REFERENCE, field, {"value": target, "expected": f"0 .. {self.seq - 1}"})]
        readings = self._readings(target)
        if readings is None or kinds is None or any(kind in kinds for kind, _ in readings):
            return []
        return [Flaw(Code.BAD_REFERENCE, field, {"value": target, "expected": " | ".join(kinds)})]

    def _revealed(self, good: Mapping[str, Any]) -> list[Flaw]:
        flaws = self._refers(good, "of", _HAS_FACES)
        if flaws or good.get("of") is None or good.get("cards") is None:
            return flaws
        lengths = {cards for kind, cards in self._readings(good["of"]) or () if kind in _HAS_FACES}
        if not lengths or len(good["cards"]) in lengths:
            return []
        return [forms.bad_value(list(good["cards"]), f"[{' | '.join(map(str, sorted(lengths)))}]").under("cards")]

    def _amend(self, kind: str, good: Mapping[str, Any]) -> list[Flaw]:
        field = "of" if kind == "corrected" else "after"
        flaws = self._refers(good, field, None)
        target, event = good.get(field), good.get("event")
        readings = self._readings(target) if target is not None and not flaws else None
        if kind == "corrected" and readings and readings[0][0] in (*_AMENDMENTS, "recording_began"):
            flaws.append(Flaw(Code.BAD_REFERENCE, "of", {"value": target, "expected": "! " + readings[0][0]}))
        if not isinstance(event, dict):
            return flaws
        _, inner_kind, inner = wire.examine(event, nested=True)
        if inner_kind is None:
            return flaws
        flaws += [flaw.under("event") for flaw in self._in_context(inner_kind, inner, nested=True)]
        if isinstance(target, int):
            at = target if kind == "corrected" else self.seq
            self.amended.setdefault(at, []).append(_shape(inner_kind, inner))
        return flaws


def fields_of(event: Happening) -> dict[str, Any]:
    """The fields of an event by name, as `admit` takes them; None where one was not written."""
    return msgspec.structs.asdict(event)


def _seat_of_stack(course: Course, event: StackCounted) -> bool:
    return event.seat <= (course.seats or 0) and (event.amount >= 0 or course.open_balances)


LIGHT: Final[Mapping[type, Callable[[Course, Any], bool]]] = {
    HandBegan: lambda course, event: event.dealer <= (course.seats or 0),
    StakeSet: lambda course, event: (event.seat or 0) <= (course.seats or 0),
    TrumpTurned: lambda *_: True,
    PotCounted: lambda *_: True,
    StackCounted: _seat_of_stack,
    HandEnded: lambda course, event: event.reason in _REASONS[course.game or "bura"],
}
"""Of the frequent types, before the end: whether `admit` would find nothing wrong; the number is held to elsewhere."""
