"""Small changes of a record: one field of an event, or one card, its place in the order, or that it stands there.

What may have been written instead is proposed here; whether it fits is seen elsewhere.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from msgspec.structs import replace

from schemas.cards import spell_all
from schemas.events import Counted, Event, HandEnded, Played, PotCounted, PotTaken, StackCounted, Staked, type_of
from schemas.values import BOURRE_REASONS, BURA_REASONS, GREATEST

AFTER: Final = "after"
"""The field that stands for an event's place: the `seq` of the event before it."""
EVENT: Final = "event"
"""The field that stands for the whole event: struck where `instead` is None, put in where `recorded` is None."""
RULES: Final = "rules."
"""What the name of an option begins with, where the header is changed."""
NUMBERS: Final = ("amount", "points", "hand", "to", "stack", "events")
SEATS: Final = ("seat", "dealer")
WHYS: Final = {
    "bura": ("ante", "failed_open", "razburka", "raise", "debt"),
    "bourre": ("ante", "draw_fee", "bourre", "debt"),
}
COMBINATIONS: Final = ("bura", "three_aces", "molodka")
FACES: Final = ("up", "down")


@dataclass(frozen=True, slots=True)
class Edit:
    """One field of one event, changed: what was recorded and what would stand `instead`.

    `place` counts the cards of the event from 1, 0 where the field is no list of cards. A card too many has no
    `instead`, a card too few no `recorded`; `also` are further values that would do as well. Beside the fields of the
    event there are `after`, `event` and `rules.OPTION`; an event put in stands after the one numbered `seq`.
    """

    seq: int
    kind: str
    field: str
    place: int
    recorded: Any
    instead: Any
    also: tuple[Any, ...] = ()

    @property
    def spot(self) -> tuple[int, str, int]:
        """What is changed, whatever to."""
        return self.seq, self.field, self.place

    def of(self, event: Event) -> Event:
        """The event with this change made."""
        if not self.place:
            return replace(event, **{self.field: self.instead})
        if self.field == "card":
            return replace(event, card=self.instead)
        cards = list(getattr(event, "cards", None) or ())
        put = [] if self.instead is None else [self.instead]
        cards[self.place - 1 : self.place - (self.recorded is None)] = put
        return replace(event, cards=tuple(cards))


@dataclass(frozen=True, slots=True)
class Stock:
    """What may stand in an event of this recording: the cards of the pack, seats, and numbers that were heard of."""

    game: str
    pack: int
    seats: int
    numbers: tuple[int, ...]
    likely: frozenset[str] = frozenset()
    """Cards that should have been there."""

    def edits(self, event: Event) -> Iterator[Edit]:
        """Every change of one field of the event, the likelier ones first."""
        yield from self.plain(event)
        yield from self.faces(event)
        yield from self.counts(event)

    def plain(self, event: Event) -> Iterator[Edit]:
        """Changes of seats, numbers and words."""
        for field in event.__struct_fields__:
            recorded = getattr(event, field)
            if recorded is None:
                continue
            for value in self._values(event, field, recorded):
                if value != recorded:
                    yield Edit(event.seq, type_of(event), field, 0, recorded, value)

    def _values(self, event: Event, field: str, recorded: Any) -> Iterable[Any]:
        if field in SEATS:
            return range(1, self.seats + 1)
        if field in NUMBERS:
            least = -GREATEST if isinstance(event, StackCounted) else not isinstance(event, Counted | PotCounted)
            return [value for value in dict.fromkeys((*self.numbers, *_near(recorded))) if value >= least]
        if field == "face" and isinstance(event, Played):
            return FACES
        if field == "why" and isinstance(event, Staked):
            return WHYS[self.game]
        if field == "reason" and isinstance(event, HandEnded):
            return BURA_REASONS if self.game == "bura" else BOURRE_REASONS
        return COMBINATIONS if field == "combination" else ()

    def faces(self, event: Event) -> Iterator[Edit]:
        """Another card in the place of one: first what should have been there, then what differs in one letter."""
        one = getattr(event, "card", None)
        field, cards = ("card", (one,)) if one else ("cards", getattr(event, "cards", None) or ())
        for place, recorded in enumerate(cards, 1):
            for card in sorted(spell_all(self.pack), key=self._likeness(recorded)):
                if card != recorded:
                    yield Edit(event.seq, type_of(event), field, place, recorded, card)

    def _likeness(self, recorded: str) -> Callable[[str], tuple[bool, int]]:
        return lambda card: (card not in self.likely, letters_apart(card, recorded))

    def counts(self, event: Event) -> Iterator[Edit]:
        """A card too many, or one more."""
        cards = getattr(event, "cards", None)
        if cards is None:
            return
        for place, recorded in enumerate(cards, 1):
            if len(cards) > 1:
                yield Edit(event.seq, type_of(event), "cards", place, recorded, None)
        for card in spell_all(self.pack):
            if card not in cards:
                yield Edit(event.seq, type_of(event), "cards", len(cards) + 1, None, card)


def edited(events: Sequence[Event], edits: Sequence[Edit]) -> list[Event]:
    """The events with these changes made; those of the header's rules change no event."""
    changed = list(events)
    for edit in edits:
        for place, event in enumerate(changed):
            if event.seq == edit.seq and not edit.field.startswith(RULES):
                _make(changed, place, edit)
                break
    return changed


def _make(changed: list[Event], place: int, edit: Edit) -> None:
    event = changed[place]
    if edit.field == AFTER:
        del changed[place]
        changed.insert(1 + next(at for at, each in enumerate(changed) if each.seq == edit.instead), event)
    elif edit.field != EVENT:
        changed[place] = edit.of(event)
    elif edit.instead is None:
        del changed[place]
    else:
        shape = Staked if edit.kind == "staked" else PotTaken
        changed.insert(place + 1, shape(seq=edit.seq, **edit.instead))


def moved(event: Event, events: Sequence[Event], far: int) -> Iterator[Edit]:
    """The event at another place of its hand, no more than so many events away."""
    place = next(at for at, each in enumerate(events) if each is event)
    before = events[place - 1].seq if place else event.seq
    for away in range(1, far + 1):
        for at in (place - 1 - away, place + away):
            if 0 <= at < len(events) and at != place:
                yield Edit(event.seq, type_of(event), AFTER, 0, before, events[at].seq)


def struck(event: Event) -> Edit:
    """The event as if it had not happened."""
    return Edit(event.seq, type_of(event), EVENT, 0, type_of(event), None)


def paid(before: Event, kind: str, seat: int, amount: int, game: str) -> Iterator[Edit]:
    """A payment of so many chips that was forgotten, after the event `before`."""
    for why in WHYS[game] if kind == "staked" else ("",):
        fields = {"seat": seat, "amount": amount} | ({"why": why} if why else {})
        yield Edit(before.seq, kind, EVENT, 0, None, fields)


def renamed(card: str, instead: str, events: Sequence[Event]) -> tuple[Edit, ...]:
    """One card called by another name wherever it stands."""
    return tuple(
        _card(event, place, card, instead)
        for event in events
        for place, each in enumerate(cards_of(event), 1)
        if each == card
    )


def letters_apart(one: str, other: str) -> int:
    """In how many of its two letters a card differs from another.

    >>> letters_apart("Tc", "Td"), letters_apart("Tc", "9d")
    (1, 2)
    """
    return sum(a != b for a, b in zip(one, other, strict=True))


def exchanges(event: Event, other: Event) -> Iterator[tuple[Edit, Edit]]:
    """One card of each event in the place of the other's; or the seats of the two exchanged."""
    for place, card in enumerate(cards_of(event), 1):
        for where, second in enumerate(cards_of(other), 1):
            if card != second and "?" not in card + second:
                yield _card(event, place, card, second), _card(other, where, second, card)
    seat, another = getattr(event, "seat", None), getattr(other, "seat", None)
    if type(event) is type(other) and seat and another and seat != another:
        yield (
            Edit(event.seq, type_of(event), "seat", 0, seat, another),
            Edit(other.seq, type_of(other), "seat", 0, another, seat),
        )


def ascribed(event: Event, other: Event, seats: int) -> Iterator[tuple[Edit, Edit]]:
    """What two events say of one seat, said of another."""
    seat = getattr(event, "seat", None)
    if seat and seat == getattr(other, "seat", None):
        for another in range(1, seats + 1):
            if another != seat:
                yield (
                    Edit(event.seq, type_of(event), "seat", 0, seat, another),
                    Edit(other.seq, type_of(other), "seat", 0, seat, another),
                )


def shortened(event: Event, other: Event) -> Iterator[tuple[Edit, Edit]]:
    """One card less in each of two events."""
    if len(cards_of(event)) > 1 and len(cards_of(other)) > 1:
        for place, card in enumerate(cards_of(event), 1):
            for where, second in enumerate(cards_of(other), 1):
                yield (
                    Edit(event.seq, type_of(event), "cards", place, card, None),
                    Edit(other.seq, type_of(other), "cards", where, second, None),
                )


def cards_of(event: Event) -> Sequence[str]:
    """The cards of an event as they are spelled, in its order; none where it has none."""
    one = getattr(event, "card", None)
    return (one,) if one else getattr(event, "cards", None) or ()


def _card(event: Event, place: int, recorded: str, instead: str) -> Edit:
    field = "card" if hasattr(event, "card") else "cards"
    return Edit(event.seq, type_of(event), field, place, recorded, instead)


def _near(value: int) -> tuple[int, ...]:
    """Numbers one slip of the pen away."""
    return value - 1, value + 1, value - 10, value + 10, value * 10, value // 10, value * 2
