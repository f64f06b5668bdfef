"""Which slips may lie behind what was found: changes of one field or two to be tried, the likelier ones first."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from replay.audit.edits import (
    Edit,
    Stock,
    ascribed,
    cards_of,
    exchanges,
    letters_apart,
    moved,
    paid,
    renamed,
    shortened,
    struck,
)
from replay.audit.other_rules import other_rules
from replay.audit.retrial import Key, Whole
from replay.engine.findings import Code, Finding, Severity
from schemas.cards import PACK, spell_all
from schemas.events import ChipsBought, Claim, Discarded, Drew, Event, HandBegan, PlayerJoined, StakeSet

FAR: Final = 8
"""So many events away an event may have stood, and so many others may have been moved or made up."""
BEFORE: Final = (StakeSet, HandBegan, ChipsBought, PlayerJoined)
"""What stands before a hand and bears on it."""


class Slips:
    """The changes that may explain what was found at one event."""

    def __init__(self, scope: Whole, place: int, found: Sequence[Finding]) -> None:
        self.scope = scope
        self.event = scope.events[place]
        self.found = found
        grave = [each for each in found if each.severity is Severity.ERROR] or found
        self.target: frozenset[Key] = frozenset((each.seq, str(each.code)) for each in grave)
        """What is to be gone: the errors, or the doubts where there is no error."""
        self.hand = scope.events[scope.first : scope.end] if type(scope) is not Whole else []
        expected = [each.expected for each in found]
        self.numbers = tuple(dict.fromkeys(_numbers(expected)))
        self.heard = tuple(dict.fromkeys(_numbers([each.recorded for each in found])))
        events = scope.events[scope.first : scope.end]
        amounts = dict.fromkeys(_numbers([getattr(event, "amount", None) for event in events]))
        rules: Any = scope.house.rules
        seats = len(getattr(scope.events[0], "seats", ())) or 2
        pack = PACK[rules.pack if scope.house.game == "bura" else 52]
        likely = frozenset(card for cards in expected if isinstance(cards, list | tuple) for card in cards)
        self.stock = Stock(scope.house.game, pack, seats, (*self.numbers, *amounts), likely)
        self.near = self._near()

    def _near(self) -> list[Event]:
        """The event, then the others that can bear on it: with the same cards, of the same seat, then the nearest."""
        reach = self.scope.reach(self.target)
        events = [event for event in self.scope.events[self.scope.first : reach] if event.seq != self.event.seq]
        if type(self.scope) is Whole:
            return [self.event]
        cards, seat = set(cards_of(self.event)), getattr(self.event, "seat", 0)

        def far(event: Event) -> tuple[int, int, int]:
            return (
                not cards & set(cards_of(event)),
                getattr(event, "seat", 0) != seat,
                abs(event.seq - self.event.seq),
            )

        return [self.event, *sorted(events, key=far)]

    def singles(self) -> Iterator[Edit]:
        """Changes of one field."""
        yield from self._expected()
        yield from other_rules(self.scope.house, self.found, (*self.numbers, *self.heard))
        for event in self.near:
            yield from self.stock.edits(event)
        if self.hand:
            yield from self._forgotten()
            yield from moved(self.event, self.hand, FAR)
            yield from (each for event in self.near[1 : FAR + 1] for each in moved(event, self.hand, 2))
            yield from (struck(event) for event in self.near[:FAR] if not isinstance(event, Claim))
            yield from self._earlier()

    def pairs(self) -> Iterator[tuple[Edit, ...]]:
        """Changes of two fields."""
        own = [*self.stock.plain(self.event)]
        for place, one in enumerate(own):
            yield from ((one, other) for other in own[place + 1 :] if other.field != one.field)
            yield from ((one, other) for other in self.stock.faces(self.event))
            yield from ((one, other) for other in self.stock.counts(self.event))
        yield from ((one, other) for one in self._forgotten() for other in own)
        for event in sorted(self.hand, key=lambda event: abs(event.seq - self.event.seq))[1:]:
            yield from exchanges(self.event, event)
            yield from ascribed(self.event, event, self.stock.seats)
        for event in self.near:
            for other in self.near:
                if isinstance(event, Discarded) and isinstance(other, Drew) and event.seat == other.seat:
                    yield from shortened(event, other)
        for card in dict.fromkeys(card for event in self.near for card in cards_of(event)):
            yield from self._renamed(card)

    def roughly(self) -> Iterator[tuple[Edit, ...]]:
        """What is left to try where nothing fits: changes at the event itself, without a look at what they bring."""
        yield from ((edit,) for edit in self._expected())
        yield from ((edit,) for edit in other_rules(self.scope.house, self.found, (*self.numbers, *self.heard)))
        own = [*self.stock.plain(self.event)]
        yield from ((edit,) for edit in own)
        for card in dict.fromkeys(cards_of(self.event)):
            yield from self._renamed(card, wherever=False)
        yield from ((one, other) for one in own for other in self.stock.counts(self.event))
        if self.hand:
            yield from ((edit,) for edit in self._forgotten())
            yield from ((edit,) for edit in moved(self.event, self.hand, FAR))
            if not isinstance(self.event, HandBegan | Claim):
                yield (struck(self.event),)
            for event in sorted(self.hand, key=lambda event: abs(event.seq - self.event.seq))[1:]:
                yield from ascribed(self.event, event, self.stock.seats)
        yield from ((edit,) for edit in (*self.stock.faces(self.event), *self.stock.counts(self.event)))

    def _expected(self) -> Iterator[Edit]:
        """What should have stood at the event."""
        for edit in (*self.stock.plain(self.event), *self.stock.faces(self.event)):
            if edit.instead in self.stock.likely or edit.instead in self.numbers:
                yield edit

    def _renamed(self, card: str, *, wherever: bool = True) -> Iterator[tuple[Edit, ...]]:
        """The card called otherwise in the two places where it stands, or in the first two."""
        for instead in sorted(spell_all(self.stock.pack), key=_likeness(card)) if "?" not in card else ():
            edits = renamed(card, instead, self.hand)
            if card != instead and edits and (len(edits) == 2 or not wherever):
                yield edits[:2]

    def _earlier(self) -> Iterator[Edit]:
        """Changes of the last of each kind of event that stands before the hand and bears on it."""
        last = {type(event): event for event in self.scope.events[: self.scope.first] if isinstance(event, BEFORE)}
        for event in last.values():
            yield from self.stock.plain(event)

    def _forgotten(self) -> Iterator[Edit]:
        """Payments that lack."""
        place = next((at for at, event in enumerate(self.hand) if event.seq == self.event.seq), 0)
        for each in self.found if place else ():
            if each.code in (Code.MISSING_STAKE, Code.MISSING_PAYOUT) and isinstance(each.expected, int):
                kind = "staked" if each.code is Code.MISSING_STAKE else "pot_taken"
                yield from paid(self.hand[place - 1], kind, each.seat, each.expected, self.scope.house.game)


def _likeness(card: str) -> Callable[[str], int]:
    return lambda other: letters_apart(other, card)


def _numbers(value: Any) -> Iterator[int]:
    """The whole numbers in a value of a finding."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int):
        yield value
    elif isinstance(value, dict):
        yield from (number for each in value.values() for number in _numbers(each))
    elif isinstance(value, list | tuple):
        yield from (number for each in value for number in _numbers(each))
