"""Events to findings and results: one fold over the log; never repairs, never stops early (`report.md` 1)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from replay.audit.amend import furthest_seat
from replay.audit.explore import Branch, Choice, Script, branches, fork, lay_together
from replay.audit.naming import foreknown, has_unseen, read_deck, read_reveals, read_turnup
from replay.audit.witness import SHAPE_THE_DEAL, HandWitness, Probe, Testimony, lacking
from replay.engine.catalog import seat_table
from replay.engine.findings import Code, Finding, Severity
from replay.engine.outcome import HandResult
from replay.engine.table import BETWEEN
from schemas.cards import CODE, DOMAIN, KNOWN, PACK
from schemas.events import (
    CardMissing,
    Dealt,
    Declared,
    Drew,
    Event,
    HandBegan,
    HandEnded,
    Played,
    RecordingBegan,
    RecordingEnded,
    Revealed,
    SatOut,
    Staked,
    TrumpTurned,
    Unseen,
)
from schemas.options import values_of
from schemas.rules import BuraRules, HouseRules

__all__ = ["Fold", "HandWitness", "Judgement", "Probe", "fold", "hand_end"]


def hand_end(events: Sequence[Event], place: int) -> int:
    """The place after the hand that begins at `place`: after its end, or before the next hand.

    An end that comes before anything is done in it is that of the hand before, where that one lacks its own.
    """
    done = not _cut_short(events, place)
    for at in range(place + 1, len(events)):
        event = events[at]
        if isinstance(event, HandEnded) and done:
            return at + 1
        if isinstance(event, HandBegan | RecordingEnded):
            return at
        done = done or isinstance(event, Dealt | TrumpTurned | SatOut)
        done = done or (isinstance(event, Staked) and event.why == "ante")
    return len(events)


def _cut_short(events: Sequence[Event], place: int) -> bool:
    """Whether the hand before the one that begins at `place` has not ended, though all of it was seen."""
    for at in range(place - 1, -1, -1):
        if isinstance(events[at], HandBegan | HandEnded | Unseen):
            return isinstance(events[at], HandBegan)
    return False


def heard_of(named: Sequence[Event], words: Testimony) -> bool:
    """Whether all cards are named as it was heard of them."""
    return all(
        DOMAIN[CODE[card]] & words.get((event.seq, spot), -1)
        for event in named
        if isinstance(event, Dealt | Drew | Played)
        for spot, card in enumerate(event.cards)
    )


def _cut_off(table: Any, cut_at: int) -> None:
    """The hand is over where the next one begins, if that comes before its end."""
    if cut_at and table.phase != BETWEEN:
        table.seq = cut_at
        table.cut_off()


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the fold gave: all findings in the order told, each hand's result, and the table as it stands at the end."""

    findings: tuple[Finding, ...]
    results: tuple[HandResult, ...]
    table: Any


class Fold:
    """One pass over the events of one reading; `step_to` stops before its end for a page."""

    def __init__(
        self, events: Sequence[Event], house: HouseRules, *, maybe_unseen: bool = True, amended: bool = True
    ) -> None:
        began = events[0]
        assert isinstance(began, RecordingBegan)
        self.house = house
        self.unseen = maybe_unseen and has_unseen(events)
        self.told: list[Finding] = []
        self.events: list[Event] = list(events)
        if any(type(event) is Revealed for event in events):
            cards = house.rules.pack if isinstance(house.rules, BuraRules) else KNOWN
            fifth = getattr(house.rules, "trump_card", "") == "dealers_fifth"
            self.events, self.told = read_reveals(self.events, house.game, PACK[cards], fifth=fifth)
        self.began = began
        self.strange: set[int] = set()
        self.script = Script()
        self.testimony: Testimony | None = None
        self.reached = 1
        self.missing: list[int] = []
        self.found: dict[Any, tuple[int, int]] = {}
        self.seats = furthest_seat(events) if amended else 0
        self.to_the_end = False
        self.table: Any = self._seat()

    def _seat(self) -> Any:
        rules: Any = self.house.rules
        if "seats_max" in self.house.unrecorded:
            rules = replace(rules, seats_max=max(values_of(self.house.game, "seats_max")))
        table = seat_table(self.began, rules, self._witness([], self.script, None))
        table.witness.table = table
        table.make_room(self.seats)
        return table

    def _witness(self, events: Sequence[Event], script: Script, table: Any) -> HandWitness:
        return HandWitness(self.house, events, tuple(self.missing), script, table, self.testimony, self.found)

    def run(self) -> Judgement:
        """Step through everything."""
        if not self.unseen and not self.house.unrecorded:
            self._run_straight()
            self.strange = set(self.table.strange_hands)
        if self.unseen or self.house.unrecorded or self.strange:
            self._run_by_hands()
        self._close()
        return Judgement((*self.told, *self.table.findings), tuple(self.table.results), self.table)

    def _run_straight(self) -> None:
        """Everything is known: event by event, without a look ahead."""
        self.table.walk(self.events[1:])

    def _run_by_hands(self) -> None:
        """Hand by hand, each in every way that what was not seen or not written down leaves open."""
        self.table = self._seat()
        self.unseen = self.to_the_end = True
        place = 1
        while place < len(self.events):
            place = self._advance(place)

    def trace(self, first: int) -> Iterator[tuple[Event, Any]]:
        """The events from place `first`, where a hand begins, to that hand's end, each with the table after it.

        Nothing that comes later is known to the table: unseen cards stay unseen until an event tells them, and bounds
        are those of the moment. The table is the same object each time, moved on.
        """
        place = 1
        while place < first:
            place = self._advance(place)
        table, script = self.table, Script()
        table.foresee(self.events[first : hand_end(self.events, first)])
        if self.house.unrecorded:
            table.rules = Probe(self.house, script, table)
        for at in range(first, hand_end(self.events, first)):
            table.witness = self._witness(self.events[first : at + 1], script, table)
            table.step(self.events[at])
            yield self.events[at], table

    def ways(
        self, first: int, end: int, rules: Callable[[Script, Any], Any] | None = None, *, over: bool = False
    ) -> list[Branch]:
        """Every way the hand that begins at place `first` may have gone up to place `end`, later events not known.

        `rules` gives the rules object of each branch, in place of the house's own. `over`: the hand is over there, and
        what waits for its end is decided.
        """
        while self.reached < first:
            self.reached = self._advance(self.reached)
        events = self._named(first, end)
        hints = foreknown(events)

        def go(table: Any, script: Script) -> None:
            self._step_hand(table, events, script, len(events), hints, rules)
            if over:
                table.decide_at_last()

        return branches(self.table, go, self.found)

    def _advance(self, place: int) -> int:
        """One event between hands, or a whole hand: the place after it."""
        event = self.events[place]
        if not isinstance(event, HandBegan):
            self.missing = lacking(self.missing, [event])
            self.table.step(event)
            return place + 1
        end = hand_end(self.events, place)
        events = self._named(place, end)
        cut_at = self._cut_at(end)
        if not self.house.unrecorded and event.seq not in self.strange and not self._open(events):
            self._step_hand(self.table, events, self.script, len(events))
            _cut_off(self.table, cut_at)
        else:
            self._branch(events, cut_at)
        self.missing = lacking(self.missing, events)
        return end

    def _open(self, events: Sequence[Event]) -> bool:
        """Whether this hand may have gone in more than one way."""
        return self.table.unsettled() or has_unseen(events)

    def _named(self, place: int, end: int) -> list[Event]:
        events = self.events[place:end]
        rules: Any = self.house.rules
        bura = self.house.game == "bura"
        one_by_one = not bura or rules.deal_packet == "one_by_one"
        in_rounds = bura and rules.draw_style == "round_robin"
        apart = bura or rules.trump_card == "extra"
        under = bura and rules.turnup == "last_of_stock"
        events = read_deck(events, one_by_one, in_rounds, under, apart)
        whole = not any(isinstance(event, CardMissing | Unseen) for event in events)
        if under and whole and not set(self.house.unrecorded) & SHAPE_THE_DEAL:
            return read_turnup(events, rules.pack - len(self.missing), in_rounds)
        return events

    def _cut_at(self, end: int) -> int:
        """The seq of the next hand where that begins before this one has ended, else 0."""
        event = self.events[end] if end < len(self.events) else None
        return event.seq if isinstance(event, HandBegan) and not isinstance(self.events[end - 1], HandEnded) else 0

    def _branch(self, events: list[Event], cut_at: int = 0) -> None:
        start = self.table
        self.found.clear()
        hints = foreknown(events)

        def stop(table: Any) -> None:
            self._stop(table, events, cut_at)

        def go(table: Any, script: Script) -> None:
            self._step_hand(table, events, script, len(events), hints)
            stop(table)

        ways = self._each_placing(events, stop) or self._each_laying(events, stop) or branches(start, go, self.found)
        findings, result, table = lay_together(ways)
        table.findings = start.findings + findings
        table.results = start.results + ([result] if result else [])
        self.table = table

    def _stop(self, table: Any, events: Sequence[Event], cut_at: int) -> None:
        """A hand that lacks its end stops, in each way it may have gone, where the next begins or the record ends."""
        if cut_at:
            _cut_off(table, cut_at)
        elif not isinstance(events[-1], HandEnded):
            table.settle_open_ends()
            if self.to_the_end:
                self._break_off(table)

    def _sent_back(self, events: list[Event]) -> tuple[int, ...]:
        """The seqs of plays that went back to the hand, which words decide, or an unsaid molodka (`counter_lead`)."""
        rules: Any = self.house.rules
        if rules.molodka_turn != "counter_lead" and not any(isinstance(event, Declared) for event in events):
            return ()
        table = fork(self.table)
        self._step_hand(table, events, Script(), len(events), {})
        return tuple(table.sent_back)

    def _namings(self, events: list[Event]) -> list[list[Event]]:
        """The hand's events once for each way to name its unseen cards; empty where there are too many or none."""
        if self.house.game != "bura" or not has_unseen(events) or set(self.house.unrecorded) & SHAPE_THE_DEAL:
            return []
        rules: Any = self.house.rules
        from replay.audit.placings import MOST_PLACINGS, placings  # noqa: PLC0415 - as above
        from replay.audit.scene import scene_of  # noqa: PLC0415 - as above

        scene = scene_of(events, (), rules, missing=tuple(self.missing))
        return placings(events, scene, 8 if self.house.unrecorded else MOST_PLACINGS, self._sent_back(events))

    def laid_open(self, first: int, end: int) -> list[list[Event]]:
        """The events of a hand, once for each way to name the unseen cards that lay open in it, beside all others.

        What is face down stays unseen; what is heard of a card is true. Empty where there are too many ways to name
        all, or none.
        """
        while self.reached < first:
            self.reached = self._advance(self.reached)
        events = self._named(first, end)
        opened = [at for at, event in enumerate(events) if isinstance(event, Played) and event.face == "up"]
        if not has_unseen([events[at] for at in opened]):
            return []
        found: dict[tuple[Event, ...], list[Event]] = {}
        for named in self._namings(events):
            if not heard_of(named, self.testimony or {}):
                continue
            faces = tuple(named[at] for at in opened)
            found.setdefault(faces, [named[at] if at in opened else event for at, event in enumerate(events)])
        return list(found.values())

    def _each_placing(self, events: list[Event], stop: Callable[[Any], None]) -> list[Branch]:
        """The branches of the hand for each way to name its unseen cards, where these are few (`report.md` 1)."""
        ways = self._namings(events)
        if not ways:
            return []
        from replay.audit.placings import OF_THE_CARDS, as_recorded  # noqa: PLC0415 - as above

        found: list[Branch] = []
        for number, named in enumerate(ways):
            choice = Choice(Code.UNKNOWN_CARD, "cards", tuple(range(len(ways))), events[0].seq, number)

            def go(table: Any, script: Script, named: list[Event] = named) -> None:
                self._step_hand(table, named, script, len(named), {})
                stop(table)
                table.findings[:] = as_recorded(table.findings, named, events)

            found += [
                replace(each, choices=(choice, *each.choices)) if len(ways) > 1 else each
                for each in branches(self.table, go)
            ]
        return [each for each in found if not any(finding.code in OF_THE_CARDS for finding in each.findings)]

    def _each_laying(self, events: list[Event], stop: Callable[[Any], None]) -> list[Branch]:
        """The same of a hand of Bourré for each way to name what was laid and turned unseen."""
        if self.house.game != "bourre" or not has_unseen(events) or "trump_card" in self.house.unrecorded:
            return []
        rules: Any = self.house.rules
        from replay.audit.layings import MOST_LAYINGS, as_written, layings  # noqa: PLC0415 - as above
        from replay.audit.placings import OF_THE_CARDS  # noqa: PLC0415 - as above

        pack = self.table.pack & ~self.table.missing
        most = 8 if self.house.unrecorded else MOST_LAYINGS
        ways = layings(events, pack, most, fifth=rules.trump_card == "dealers_fifth")
        found: list[Branch] = []
        for number, named in enumerate(ways):
            choice = Choice(Code.UNKNOWN_CARD, "cards", tuple(range(len(ways))), events[0].seq, number)
            hints = foreknown(named)

            def go(
                table: Any, script: Script, named: list[Event] = named, hints: dict[int, tuple[int, int]] = hints
            ) -> None:
                self._step_hand(table, named, script, len(named), hints)
                stop(table)
                table.findings[:] = as_written(table.findings, events)

            found += [
                replace(each, choices=(choice, *each.choices)) if len(ways) > 1 else each
                for each in branches(self.table, go)
            ]
        return [each for each in found if not any(finding.code in OF_THE_CARDS for finding in each.findings)]

    def _step_hand(
        self,
        table: Any,
        events: Sequence[Event],
        script: Script,
        count: int,
        hints: dict[int, tuple[int, int]] | None = None,
        rules: Callable[[Script, Any], Any] | None = None,
    ) -> None:
        table.witness = self._witness(events, script, table)
        if rules is not None:
            table.rules = rules(script, table)
        elif self.house.unrecorded:
            table.rules = Probe(self.house, script, table)
        table.foresee(events)
        hints = foreknown(events) if hints is None and self.unseen else hints or {}
        for place, event in enumerate(events[:count]):
            table.step(event)
            hint = hints.get(place)
            if hint is not None:
                table.foreknow(*hint)

    def _close(self) -> None:
        """The end of the record: what stays open, what was counted wrong."""
        table = self.table
        ended = self._break_off(table)
        table.hand = 0
        table.shaken = False
        if ended is None:
            table.tell(Code.NOT_CLOSED, Severity.NOTE, 0, None, None, "record.3.1")
        elif ended.events != ended.seq + 1:
            table.find(Code.WRONG_EVENT_TOTAL, 0, ended.events, ended.seq + 1, "record.3.1")
        rule = self.house.game + table.money_rule()
        for seat, debt in table.open_debts():
            table.find(Code.DEBT_OPEN, seat, None, debt, rule)
        if table.pot_basis() > 0:
            table.find(Code.POT_LEFT, 0, None, table.pot_basis(), rule)

    def _break_off(self, table: Any) -> RecordingEnded | None:
        """A hand that is not over where the record ends stops there; the event that ends the record, if it has one."""
        ended = next((event for event in self.events if isinstance(event, RecordingEnded)), None)
        table.seq = self.events[-1].seq if ended is None else ended.seq
        if table.phase != BETWEEN:
            table.break_off(Severity.ERROR if ended else Severity.DOUBT)
        return ended


def fold(events: Sequence[Event], house: HouseRules, *, maybe_unseen: bool = True, amended: bool = True) -> Judgement:
    """Judge the events of one reading under the house's rules.

    `maybe_unseen` false says that every face is known, `amended` false that no amendment moved an event.
    """
    return Fold(events, house, maybe_unseen=maybe_unseen, amended=amended).run()
