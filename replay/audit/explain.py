"""What would make it fit: the smallest changes of the record after which what was found at an event is gone.

Hypotheses, never applied and never judged: whoever kept the record may remember which of them was the slip. Bounded
in steps, not in time, so that the same recording is always explained alike.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from replay.audit.amend import Reading, read
from replay.audit.edits import (
    AFTER,
    EVENT,
    RULES,
    Edit,
    Stock,
    exchanges,
    letters_apart,
    moved,
    paid,
    renamed,
    shortened,
    struck,
)
from replay.audit.retrial import Key, Keys, Whole, errors_in, scope_of
from replay.engine.findings import Code, Finding, Severity
from schemas.cards import PACK, spell_all
from schemas.events import Claim, Discarded, Drew, Event, HandBegan, Recording
from schemas.rules import RULES_OF, UNRECORDED, HouseRules, plain, values_of

FORMAT: Final = "razbor-explain/1"
MOST: Final = 5
STEPS: Final = 160_000
"""So many events are stepped through for one explanation."""
MANY: Final = 1 << 30
BOUND: Final = 500
"""What one question for the bounds of a pile counts for."""
FAR: Final = 8
"""So many events away an event may have stood, and so many others may have been moved or made up."""


class NoSuchEventError(LookupError):
    """The reading has no event of that number."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """Changes of one or two fields; `left` are the errors of the hand, by seq and code, that would still stand."""

    edits: tuple[Edit, ...]
    left: tuple[Key, ...]

    @property
    def fields(self) -> int:
        """How many fields are changed."""
        return len(self.edits)


@dataclass(frozen=True, slots=True)
class Explanation:
    """What was found at the event, what would make it fit, and whether the search was cut before its end."""

    seq: int
    hand: int
    found: tuple[Finding, ...]
    hypotheses: tuple[Hypothesis, ...]
    cut: bool


def explain(recording: Recording, house: HouseRules, seq: int, reading: Reading = "amended") -> Explanation:
    """Up to five smallest changes that make what was found at event `seq` disappear without a new error in its hand.

    `NoSuchEventError` where the reading has no such event.
    """
    events = read(recording.events, reading)
    places = [place for place, event in enumerate(events) if event.seq == seq]
    if not places:
        raise NoSuchEventError(f"event {seq}")
    scope = scope_of(events, house, places[0])
    base = scope.judged(())
    found = tuple(each for each in base if each.seq == seq and each.severity is not Severity.NOTE)
    search = _Search(scope, places[0], found, base)
    hypotheses = search.run() if found else ()
    hands = [event.hand for event in events[: places[0] + 1] if isinstance(event, HandBegan)]
    hand = found[0].hand if found else hands[-1] if hands else 0
    return Explanation(seq, hand, found, hypotheses, search.steps > STEPS)


def as_data(explanation: Explanation, recording: Recording) -> dict[str, Any]:
    """The explanation as `razbor-explain/1`."""
    return {
        "format": FORMAT,
        "recording": recording.id,
        "event": explanation.seq,
        "hand": explanation.hand or None,
        "findings": [str(each.code) for each in explanation.found],
        "hypotheses": [
            {
                "fields": one.fields,
                "edits": [
                    {
                        "seq": edit.seq,
                        "type": edit.kind,
                        "field": edit.field,
                        "place": edit.place or None,
                        "recorded": edit.recorded,
                        "instead": edit.instead,
                        "also": list(edit.also),
                    }
                    for edit in one.edits
                ],
                "left": [{"seq": seq, "code": code} for seq, code in one.left],
            }
            for one in explanation.hypotheses
        ],
        "cut": explanation.cut,
    }


# -- the search -------------------------------------------------------------------------------------------------------


class _Search:
    """Tries changes, one field first, and keeps those after which it fits."""

    def __init__(self, scope: Whole, place: int, found: Sequence[Finding], base: Sequence[Finding]) -> None:
        self.scope = scope
        self.event = scope.events[place]
        self.found = found
        self.target = frozenset((each.seq, str(each.code)) for each in found)
        self.codes = {code for _, code in self.target}
        self.before = {(each.seq, str(each.code)) for each in base}
        self.known: Keys = errors_in(base)
        self.steps = 0
        self.alone: dict[tuple[Any, str], int] = {}
        """Changes of one field that do alone: how many errors they leave."""
        self.kept: dict[tuple[Any, ...], Hypothesis] = {}
        numbers = dict.fromkeys(number for each in found for number in _numbers(each.expected))
        events = scope.events[scope.first : scope.end]
        amounts = dict.fromkeys(_numbers([getattr(event, "amount", None) for event in events]))
        rules: Any = scope.house.rules
        seats = len(getattr(scope.events[0], "seats", ())) or 2
        pack = PACK[rules.pack if scope.house.game == "bura" else 52]
        self.stock = Stock(scope.house.game, pack, seats, (*numbers, *amounts))

    def run(self) -> tuple[Hypothesis, ...]:
        """The best hypotheses: fewest fields, then those that leave least wrong, then those nearest to the event."""
        for edit in self._singles():
            self._try((edit,))
        if sum(not one.left for one in self.kept.values()) < MOST:
            for pair in self._pairs():
                self._try(pair)
        return tuple(sorted(self.kept.values(), key=self._rank)[:MOST])

    def _rank(self, one: Hypothesis) -> tuple[int, int, int, int, int]:
        """Fewer fields; what was written, before what stood where or was forgotten; least left; nearest; likest."""
        away = [abs(edit.seq - self.event.seq) for edit in one.edits]
        slip = sum(
            letters_apart(edit.recorded, edit.instead) if edit.place and edit.recorded and edit.instead else 1
            for edit in one.edits
        )
        kind = max((AFTER, EVENT).index(e.field) + 1 if e.field in (AFTER, EVENT) else 0 for e in one.edits)
        return one.fields, kind, len(one.left), sum(away), slip

    def _near(self) -> list[Event]:
        """The event, then the others that can bear on it: with the same cards, of the same seat, then the nearest."""
        reach = self.scope.reach(self.target)
        events = [event for event in self.scope.events[self.scope.first : reach] if event.seq != self.event.seq]
        if type(self.scope) is Whole:
            return [self.event]
        cards, seat = set(_faces(self.event)), getattr(self.event, "seat", 0)

        def far(event: Event) -> tuple[int, int, int]:
            return (
                not cards & set(_faces(event)),
                getattr(event, "seat", 0) != seat,
                abs(event.seq - self.event.seq),
            )

        return [self.event, *sorted(events, key=far)]

    def _singles(self) -> Iterator[Edit]:
        near = self._near()
        yield from self._options()
        for event in near:
            yield from self.stock.edits(event)
        if len(near) > 1:
            hand = self.scope.events[self.scope.first : self.scope.end]
            yield from self._forgotten(hand)
            yield from moved(self.event, hand, FAR)
            yield from (each for event in near[1 : FAR + 1] for each in moved(event, hand, 2))
            yield from (struck(event) for event in near[:FAR] if not isinstance(event, Claim))

    def _options(self) -> Iterator[Edit]:
        """Other values of the options that the findings name."""
        house = self.scope.house
        names = {each.rule for each in self.found} & set(RULES_OF[house.game].__dataclass_fields__)
        for name in sorted(names):
            own = UNRECORDED if name in house.unrecorded else plain(getattr(house.rules, name))
            for value in map(plain, values_of(house.game, name)):
                if value != own:
                    yield Edit(0, "recording_began", RULES + name, 0, own, value)

    def _forgotten(self, hand: Sequence[Event]) -> Iterator[Edit]:
        """Payments that lack."""
        place = next(at for at, event in enumerate(hand) if event.seq == self.event.seq)
        for each in self.found if place else ():
            if each.code in (Code.MISSING_STAKE, Code.MISSING_PAYOUT) and isinstance(each.expected, int):
                kind = "staked" if each.code is Code.MISSING_STAKE else "pot_taken"
                yield from paid(hand[place - 1], kind, each.seat, each.expected, self.scope.house.game)

    def _pairs(self) -> Iterator[tuple[Edit, ...]]:
        near = self._near()
        own = [*self.stock.plain(self.event)]
        for place, one in enumerate(own):
            yield from ((one, other) for other in own[place + 1 :] if other.field != one.field)
            yield from ((one, other) for other in self.stock.faces(self.event))
        hand = self.scope.events[self.scope.first : self.scope.end] if len(near) > 1 else []
        for event in sorted(hand, key=lambda event: abs(event.seq - self.event.seq))[1:]:
            yield from exchanges(self.event, event)
        for event in near:
            for other in near:
                if isinstance(event, Discarded) and isinstance(other, Drew) and event.seat == other.seat:
                    yield from shortened(event, other)
        for card in dict.fromkeys(card for event in near for card in _faces(event) if "?" not in card):
            for instead in sorted(spell_all(self.stock.pack), key=_likeness(card)):
                edits = renamed(card, instead, hand)
                if len(edits) == 2 and card != instead:
                    yield edits

    def _try(self, edits: tuple[Edit, ...]) -> None:
        alone = min((self.alone.get((edit.spot, repr(edit.instead)), MANY) for edit in edits), default=MANY)
        if self.steps > STEPS or not alone:
            return
        size = self.scope.end - self.scope.first
        self.steps += size // 4 if self.scope.dear == 1 else 0
        if not self.scope.may_fit(edits, self.known, self.target):
            return
        self.steps += size * self.scope.dear
        asked = self.scope.asked
        found = self.scope.judged(edits)
        self.steps += BOUND * (self.scope.asked - asked)
        errors = errors_in(found)
        keys = {(each.seq, str(each.code)) for each in found if each.severity is not Severity.NOTE}
        if errors - self.known or any(seq == self.event.seq for seq, _ in keys):
            return
        if any(code in self.codes and (seq, code) not in self.before for seq, code in keys):
            return
        if len(edits) == 1:
            self.alone[edits[0].spot, repr(edits[0].instead)] = len(errors)
        if len(errors) < alone:
            self._keep(edits, tuple(sorted(errors)))

    def _keep(self, edits: tuple[Edit, ...], left: tuple[Key, ...]) -> None:
        """Values of the same field are one hypothesis: the nearest, and the others that would do as well."""
        spot = tuple(edit.spot for edit in edits)
        known = self.kept.get(spot)
        if known is None:
            self.kept[spot] = Hypothesis(edits, left)
        elif len(edits) == 1:
            first, new = known.edits[0], edits[0]
            if len(left) < len(known.left):
                first, new, known = new, first, Hypothesis(edits, left)
            also = (*first.also, new.instead, *new.also)
            self.kept[spot] = replace(known, edits=(replace(first, also=also),))


def _likeness(card: str) -> Callable[[str], int]:
    return lambda other: letters_apart(other, card)


def _faces(event: Event) -> Sequence[str]:
    one = getattr(event, "card", None)
    return (one,) if one else getattr(event, "cards", None) or ()


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
