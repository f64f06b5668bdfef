"""A hand judged again with small changes made in it: quickly where all of it is known, else in every way it may go."""

from collections.abc import Iterable, Sequence
from copy import copy
from typing import Any, Final

from replay.audit.edits import RULES, Edit, edited
from replay.audit.explore import Script, fork
from replay.audit.fold import Fold, HandWitness, hand_end
from replay.audit.naming import has_unseen
from replay.audit.other_rules import ruled
from replay.engine.findings import Finding, Severity
from replay.engine.table import BETWEEN
from schemas.events import Event, HandBegan, Revealed
from schemas.rules import HouseRules

DEAR: Final = 60
"""What a step of a hand with unseen cards or open rules counts for, in each way that the hand may have gone."""

Key = tuple[int, str]
Keys = frozenset[Key]


def errors_in(findings: Iterable[Finding]) -> Keys:
    """Seq and code of each error."""
    return frozenset((each.seq, str(each.code)) for each in findings if each.severity is Severity.ERROR)


class Whole:
    """An event that stands in no hand: the whole recording is judged again."""

    def __init__(self, events: Sequence[Event], house: HouseRules) -> None:
        self.events = list(events)
        self.house = house
        self.first, self.end = 0, len(events)
        self.dear = 1
        self.asked = 0
        """Bounds asked for so far: they cost most."""
        self.own = {event.seq for event in events}

    def cost(self, edits: Sequence[Edit]) -> int:  # noqa: ARG002 - as `Hand` asks it
        """How many events are stepped through to judge these changes, dear ones counted so many times."""
        return (self.end - self.first) * self.dear

    def cost_beyond(self, edits: Sequence[Edit]) -> int:  # noqa: ARG002 - as `Hand` asks it
        """The same for `spares`."""
        return 0

    def spares(self, edits: Sequence[Edit]) -> bool:  # noqa: ARG002 - as `Hand` asks it
        """Whether these changes bring no new error outside."""
        return True

    def judged(self, edits: Sequence[Edit]) -> tuple[Finding, ...]:
        """What is found with these changes made."""
        return Fold(edited(self.events, edits), ruled(self.house, edits)).run().findings

    def may_fit(self, edits: Sequence[Edit], known: Keys | None, gone: Keys) -> bool:  # noqa: ARG002 - as `Hand` asks it
        """Whether it is worth judging with these changes made."""
        return True

    def reach(self, keys: Keys) -> int:  # noqa: ARG002 - as `Hand` asks it
        """The place after which no change can undo what was found."""
        return self.end


class Hand(Whole):
    """One hand, judged again and again from where it began."""

    def __init__(self, events: Sequence[Event], house: HouseRules, first: int) -> None:
        super().__init__(events, house)
        self.first, self.end = first, hand_end(events, first)
        self.own = {event.seq for event in events[first : self.end]}
        self.late = [event for event in events[self.end :] if isinstance(event, Revealed) and event.of in self.own]
        self.fold = Fold(events, house)
        self.fold.ways(first, first + 1)
        self.hand = self.events[first : self.end]
        self.straight = not (house.unrecorded or has_unseen(self.hand) or self.fold.table.unsettled())
        self.dear = 1 if self.straight else DEAR * len(copy(self.fold).ways(first, self.end))
        self.faces = any(isinstance(event, Revealed) for event in (*self.hand, *self.late))
        self.outside: Keys | None = None
        self.tables: list[Any] = []
        self.told: dict[Key, int] = {}
        if self.straight:
            self._step_through()

    def _step_through(self) -> None:
        """The table before each event, and at which place each finding was told first."""
        table = self._seated(fork(self.fold.table), self.hand)
        for place, event in enumerate(self.hand):
            self.tables.append(fork(table))
            before = len(table.findings)
            table.step(event)
            for each in table.findings[before:]:
                self.told.setdefault((each.seq, str(each.code)), place)

    def _seated(self, table: Any, events: Sequence[Event]) -> Any:
        table.witness = HandWitness(self.house, events, tuple(self.fold.missing), Script(), table)
        return table

    def reach(self, keys: Keys) -> int:
        """The place after which no change can undo what was found."""
        last = len(self.hand) - 1
        places = [self.told.get(key, last) for key in keys]
        return self.first + (last if self.faces or not self.straight else max(places, default=0)) + 1

    def judged(self, edits: Sequence[Edit]) -> tuple[Finding, ...]:
        """What is found in the hand with these changes made, as the fold of the whole recording finds it."""
        if self._earlier(edits):
            return tuple(each for each in super().judged(edits) if each.seq in self.own)
        events, house = edited(self.hand, edits), ruled(self.house, edits)
        told: list[Finding] = []
        if self.faces:
            named = Fold([self.events[0], *events, *edited(self.late, edits)], self.house)
            events, told = named.events[1 : len(events) + 1], named.told
        table = self._through(events, house, set())
        branched = house.unrecorded or not self.straight or has_unseen(events)
        if not branched and table.strange_hands[len(self.fold.table.strange_hands) :]:
            table = self._through(events, house, {events[0].seq})
        return (*told, *table.findings)

    def _through(self, events: list[Event], house: HouseRules, strange: set[int]) -> Any:
        """The table after the hand, broken off where the record breaks off."""
        fold: Fold = copy(self.fold)
        fold.house = house
        fold.events = [*self.fold.events[: self.first], *events]
        fold.reached, fold.table = self.first, fork(self.fold.table)
        fold.table.rules = house.rules
        fold.missing, fold.found, fold.strange = list(self.fold.missing), {}, strange
        fold.unseen = not self.straight or bool(strange) or has_unseen(events)
        fold.ways(len(fold.events), len(fold.events))
        self.asked += len(fold.found)
        if fold.table.phase != BETWEEN and self.end == len(self.events):
            fold.table.break_off(Severity.DOUBT)
        return fold.table

    def cost(self, edits: Sequence[Edit]) -> int:
        """More where the change reaches beyond the hand."""
        return (len(self.events) if self._earlier(edits) else self.end - self.first) * self.dear

    def cost_beyond(self, edits: Sequence[Edit]) -> int:
        """Everything is judged again for a change that reaches beyond the hand."""
        return len(self.events) * (1 if self.straight else DEAR) if self._wide(edits) else 0

    def spares(self, edits: Sequence[Edit]) -> bool:
        """Whether a change that reaches beyond the hand brings no new error there."""
        if not self._wide(edits):
            return True
        if self.outside is None:
            self.outside = self._beyond(())
        return self._beyond(edits) <= self.outside

    def _beyond(self, edits: Sequence[Edit]) -> Keys:
        return frozenset(key for key in errors_in(super().judged(edits)) if key[0] not in self.own)

    def _wide(self, edits: Sequence[Edit]) -> bool:
        return any(edit.seq not in self.own for edit in edits)

    def _earlier(self, edits: Sequence[Edit]) -> bool:
        return any(edit.seq not in self.own and not edit.field.startswith(RULES) for edit in edits)

    def may_fit(self, edits: Sequence[Edit], known: Keys | None, gone: Keys) -> bool:
        """Whether, everything being seen, no new error is told and what was found is gone; for other hands, yes.

        Without `known` errors new ones may be told, and it is enough that a part of what was found is gone.
        """
        if not self.straight or self.faces or self._wide(edits):
            return True
        events = edited(self.hand, edits)
        pairs = enumerate(zip(events, self.hand, strict=False))
        start = next((place for place, (one, other) in pairs if one is not other), len(self.tables) - 1)
        table = self._seated(fork(self.tables[start]), events)
        told = {key for key, place in self.told.items() if place < start}
        for event in events[start:]:
            before = len(table.findings)
            table.step(event)
            new = errors_in(table.findings[before:])
            if known is not None and new - known:
                return False
            told |= new
        return not gone & told if known is not None else not gone <= told


def scope_of(events: Sequence[Event], house: HouseRules, place: int) -> Whole:
    """The hand in which the event at that place stands, or the whole recording where it stands in none."""
    starts = [at for at, event in enumerate(events[: place + 1]) if isinstance(event, HandBegan)]
    if starts and hand_end(events, starts[-1]) > place:
        return Hand(events, house, starts[-1])
    return Whole(events, house)
