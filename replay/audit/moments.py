"""One hand as it could be known after each of its events: the table as it stood, and what had been found by then."""

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from functools import cached_property, lru_cache
from typing import Any, Final

import msgspec

from replay.audit.amend import Reading, counted, furthest_seat, read
from replay.audit.explore import Script, fork
from replay.audit.fold import Fold, Probe, fold, hand_end
from replay.audit.legal import Legal, alternatives
from replay.audit.naming import has_unseen
from replay.audit.placements import Placements, placements
from replay.audit.sight import redact, redacted_until
from replay.engine.findings import Code, Finding, in_report_order
from schemas.events import Event, Inserted, Played, Recording, RecordingBegan, RecordingEnded, Revealed, Unseen
from schemas.rules import BuraRules, HouseRules

AT_THE_END: Final = frozenset(
    {Code.HAND_UNFINISHED, Code.NOT_CLOSED, Code.WRONG_EVENT_TOTAL, Code.DEBT_OPEN, Code.POT_LEFT}
)
"""What is told because a record stops: of a record cut for a page it says nothing."""

Cut = Callable[[int], tuple[Event, ...]]
"""By place in the reading: the events up to it, as they could be known when it happened."""


def cuts_of(recording: Recording, view: str, house: HouseRules, reading: Reading) -> Cut:
    """The reading in a view, cut anywhere: redacted as if nothing had happened since.

    An amendment belongs to its reading from the start; a face is shown where the whole log, and what was written of it
    by then, both show it.
    """
    whole = tuple(read(redact(recording, view, house.rules).events, reading))
    amended = bool(counted(recording.events, reading))
    late = {event.seq for event in recording.events if isinstance(event, Inserted)}
    until = redacted_until(recording, view, house.rules)

    def cut(place: int) -> tuple[Event, ...]:
        if view == "full":
            return whole[: place + 1]
        if amended:
            upto = max((event.seq for event in whole[: place + 1] if event.seq not in late), default=0)
            then = until(upto)
            return tuple(_veiled(event, then[event.seq] if event.seq <= upto else None) for event in whole[: place + 1])
        return tuple(read(until(whole[place].seq), reading))

    return cut


def _veiled(event: Event, then: Event | None) -> Event:
    """An event without the faces that were hidden when it happened."""
    if then is None or type(event) is not type(then):
        return event
    cards, known = getattr(event, "cards", None) or (), getattr(then, "cards", None) or ()
    if len(cards) != len(known) or cards == known:
        return event
    veiled = tuple(other if other == "??" else card for card, other in zip(cards, known, strict=True))
    return event if veiled == cards else msgspec.structs.replace(event, cards=veiled)


class _Hand(Fold):
    """A fold that goes to the start of a hand, or begins where another one got to, and then on event by event."""

    #: The place of the next event of the hand; 0 before the first step into it.
    at = 0
    #: The record has ended before.
    ended = False

    def go_to(self, first: int) -> None:
        place = 1
        while place < first:
            place = self._advance(place)

    def again(self, *, apart: bool = True) -> "_Hand":
        """Another fold at the start of the hand where this one stands; not `apart`, it must not move the table."""
        twin = copy(self)
        twin.missing, twin.script, twin.found = list(self.missing), Script(), {}
        if apart:
            twin.adopt(self)
        return twin

    def cut_at(self, first: int, place: int) -> "_Hand":
        """The hand at whose start this one stands, with nothing known of what comes after a place."""
        events = self.events[: place + 1]
        many_ways = bool(self.house.unrecorded) or self._open(events[first:])
        twin = self.again(apart=not many_ways)  # each of many ways is a fork of its own
        twin.events = events
        return twin

    def adopt(self, other: "_Hand") -> None:
        self.table = fork(other.table)
        self.table.witness = self._witness([], self.script, self.table)
        self.missing = list(other.missing)

    def finish(self, first: int) -> tuple[Finding, ...]:
        """What is found in the hand that begins at place `first`."""
        self.unseen = True
        before = len(self.table.findings)
        self._advance(first)
        return tuple(self.table.findings[before:])

    def walk(self, first: int, last: int) -> Iterator[tuple[Event, Any]]:
        """Each event of the hand up to place `last` with the table after it, which then moves on."""
        for at in range(first, last + 1):
            yield self.events[at], self.after(first, at)

    def after(self, first: int, place: int) -> Any:
        """The table just after the event at a place, where it has gone no further."""
        self._reach(first, place + 1)
        self._look(first, place)
        return self.table

    def before(self, first: int, place: int) -> Any:
        """The table just before the event at a place, where it has gone no further."""
        self._reach(first, place)
        self._look(first, place)
        self.table.seq = self.events[place].seq
        return self.table

    def _reach(self, first: int, place: int) -> None:
        if not self.at:
            self.at = first
            if self.house.unrecorded:
                self.table.rules = Probe(self.house, self.script, self.table)
        for at in range(self.at, place):
            self._look(first, at)
            self.table.step(self.events[at])
        self.at = place

    def _look(self, first: int, at: int) -> None:
        self.table.witness = self._witness(self.events[first : at + 1], self.script, self.table)

    def told_at(self, place: int) -> tuple[Finding, ...] | None:
        """All that a fold of the events up to a place finds, every card of them seen, but what it tells `AT_THE_END`.

        It goes on from there. None where the cards of a hand cannot be as they were written, for then there is more
        than one way to read it, and where the record has ended.
        """
        while self.reached <= place:
            self.table.step(self.events[self.reached])
            self.ended |= isinstance(self.events[self.reached], RecordingEnded)
            self.reached += 1
        return None if self.table.strange_hands or self.ended else tuple(self.table.findings)


class Moments:
    """The hand that begins at place `first`, looked at after each of its events."""

    def __init__(self, cut: Cut, whole: Sequence[Event], house: HouseRules, first: int) -> None:
        self._cut, self.whole, self.house, self.first = lru_cache(maxsize=4)(cut), tuple(whole), house, first
        self.end = hand_end(whole, first)
        self._start: tuple[list[Event], list[Finding], _Hand] | None = None
        self._found: dict[int, tuple[Finding, ...]] = {}
        self._resting: dict[str, _Hand] = {}

    def cut(self, place: int) -> tuple[Event, ...]:
        """The reading up to a place, as it could be known then."""
        return self._cut(place) if self._grown is None else self._grown[: place + 1]

    def _begin(self, events: Sequence[Event]) -> _Hand:
        """A fold at the hand's start; the hands before are folded once, unless later cards shed light on them."""
        fresh = _Hand(events, self.house)
        before = fresh.events[: self.first]
        if self._start is None or self._start[0] != before or self._start[1] != fresh.told:
            start = _Hand(events, self.house)
            start.go_to(self.first)
            self._start = before, list(fresh.told), start
        fresh.adopt(self._start[2])
        return fresh

    @cached_property
    def _grown(self) -> tuple[Event, ...] | None:
        """The reading up to the hand's end, where what was known at each event of it is just the beginning of that."""
        known, began = self._cut(self.end - 1), self.whole[0]
        assert isinstance(began, RecordingBegan)
        seats = max(len(began.seats), furthest_seat(known[: self.first + 1]))
        if any(isinstance(event, Revealed) for event in known) or furthest_seat(known) > seats:
            return None
        same = all(self._cut(place) == known[: place + 1] for place in range(self.first, self.end))
        return known if same else None

    @cached_property
    def _begun(self) -> _Hand:
        """A fold at the hand's start, of a reading that only grows."""
        assert self._grown is not None
        self._begin(self._grown)
        assert self._start is not None
        return self._start[2]

    @cached_property
    def _first_unseen(self) -> int:
        known = self._grown or ()
        return next((place for place, event in enumerate(known) if has_unseen((event,))), len(known))

    def _led(self, place: int) -> _Hand:
        """A fold in this hand that has not passed a place: where one rests it goes on, from step to step.

        Whoever takes it has it alone and puts it back.
        """
        found = self._resting.pop("walk", None)
        return found if found is not None and found.at <= place else self._begun.again()

    def _rest(self, hand: _Hand) -> None:
        if self._grown is not None:
            self._resting["walk"] = hand

    def _straight(self, place: int) -> tuple[Finding, ...] | None:
        """The findings up to a place where the whole recording up to it was seen, each event judged once."""
        if self._grown is None or place >= self._first_unseen:
            return None
        run = self._resting.pop("run", None)
        if run is None or run.reached > place + 1:
            run = _Hand(self._grown, self.house)
            run.events = self._begun.events
        found = run.told_at(place)
        self._resting["run"] = run
        return found

    def findings(self, place: int) -> tuple[Finding, ...]:
        """Everything found up to the event at this place, by what was known then, in report order."""
        if place not in self._found:
            kept = (each for each in self._all_found(place) if each.code not in AT_THE_END)
            self._found[place] = tuple(sorted(kept, key=in_report_order))
        return self._found[place]

    def _all_found(self, place: int) -> Sequence[Finding]:
        if not self.house.unrecorded:
            straight = self._straight(place)
            if straight is not None:
                return straight
        events = self.cut(place)
        unseen = has_unseen(events) if self._grown is None else place >= self._first_unseen
        if not unseen and not self.house.unrecorded:
            return fold(events, self.house).findings
        hand = self._begin(events) if self._grown is None else self._begun.cut_at(self.first, place)
        here = hand.finish(self.first)
        assert self._start is not None
        return (*hand.told, *self._start[2].table.findings, *here)

    def steps(self) -> Iterator[tuple[Event, Any]]:
        """Each event with the table after it, as both could be known then; the table is used up by the next step."""
        known = self._grown
        if known is None and all(self._says_what_came(place) for place in range(self.first, self.end)):
            known = self.whole
        if known is not None:
            yield from self._begin(known).walk(self.first, self.end - 1)
            return
        for place in range(self.first, self.end):
            *_, last = self._begin(self.cut(place)).walk(self.first, place)
            yield self.cut(place)[place], last[1]

    def _says_what_came(self, place: int) -> bool:
        """Whether what is known now of the hand up to a place was known then: one walk shows it all."""
        events = self.cut(place)
        if events[self.first :] != tuple(self.whole[self.first : place + 1]):
            return False
        return Fold(events, self.house).events[self.first :] == self._named[self.first : place + 1]

    @cached_property
    def _named(self) -> list[Event]:
        return Fold(self.whole, self.house).events

    def placements(self, place: int, seat: int) -> Placements | None:
        """How many placements of the unseen cards in a seat's pile reach the target, by what was known at this place.

        None where that is not counted: no points or a target nobody wrote down, a stretch that was not seen.
        """
        events = self.cut(place)
        rules = self.house.rules
        dark = any(isinstance(event, Unseen) for event in events[self.first :])
        if not isinstance(rules, BuraRules) or "target" in self.house.unrecorded or dark:
            return None
        hand = self._begin(events) if self._grown is None else self._led(place)
        found = placements(hand.after(self.first, place).witness.scene(), seat, rules.target)
        self._rest(hand)
        return found

    def legal(self, place: int) -> Legal | None:
        """What the seat that plays at this place could have laid; None where the view does not know its hand."""
        events = self.cut(place)
        played = events[place]
        if not isinstance(played, Played) or any("?" in card for card in played.cards):
            return None
        hand = self._begin(events) if self._grown is None else self._led(place)
        found = alternatives(hand.before(self.first, place), played)
        self._rest(hand)
        return found
