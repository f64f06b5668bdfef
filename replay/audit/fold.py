"""Events to findings and results: one fold over the log; never repairs, never stops early (`report.md` 1)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace as replaced

from replay.audit.amend import furthest_seat
from replay.audit.explore import Branch, Choice, Script, branches, fork, lay_together
from replay.audit.naming import foreknown, has_unseen, read_deck, read_reveals
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
)
from schemas.rules import BuraRules, HouseRules, values_of

if TYPE_CHECKING:
    from replay.audit.scene import Scene

TARGET_PILE: Final = 1
SHAPE_THE_DEAL: Final = frozenset({"pack", "turnup", "draw_style", "deal_packet"})
"""Options that decide which card can lie where."""


class Probe:
    """Rules of which some are unrecorded: reading one of those asks which value it shall have this time."""

    __slots__ = ("_house", "_script", "_table")

    def __init__(self, house: HouseRules, script: Script, table: Any) -> None:
        self._house = house
        self._script = script
        self._table = table

    def __getattr__(self, name: str) -> Any:
        if name not in self._house.unrecorded:
            return getattr(self._house.rules, name)
        values = [value for value in values_of(self._house.game, name) if value != "cinch"]
        return self._script.choose(Code.RULE_UNRECORDED, name, values, self._table.seq)


Testimony = Mapping[tuple[int, int], int]
"""By seq of an event and place in it: the mask of cards a believed seat says it may be."""


class HandWitness:
    """Answers the engine within one hand: exact bounds from all that is known of it, branches from a script."""

    __slots__ = ("events", "found", "house", "missing", "script", "table", "testimony")

    def __init__(
        self,
        house: HouseRules,
        events: Sequence[Event],
        missing: Sequence[int],
        script: Script,
        table: Any,
        testimony: Testimony | None = None,
        found: "dict[Any, tuple[int, int]] | None" = None,
    ) -> None:
        self.testimony = testimony
        self.found = {} if found is None else found
        self.house = house
        self.events = events
        self.missing = missing
        self.script = script
        self.table = table

    def choose(self, kind: Code, name: str, values: Sequence[Any], seq: int) -> Any:
        """The answer of this branch."""
        return self.script.choose(kind, name, values, seq)

    def scene(self) -> "Scene":
        """The hand as cards and places, with the tricks taken so far."""
        rules: Any = self.table.rules if self.house.unrecorded else self.house.rules
        sent_back = getattr(self.table, "sent_back", ())
        from replay.audit.scene import scene_of  # noqa: PLC0415 - where every card was seen none is needed

        return scene_of(
            self.plain_events(),
            self.table.tricks,
            rules,
            missing=self.missing,
            returned=tuple(sent_back),
            testimony=self.testimony,
        )

    def plain_events(self) -> Sequence[Event]:
        """The hand's events, with every card that cannot be what was written as an unseen one."""
        return without_strange(self.events, self.table.strange)

    def bounds(self, seat: int) -> tuple[int, int]:
        """The least and greatest points in the seat's pile."""
        return self._once((seat,), self.scene, seat)

    def _once(self, asked: tuple[int, ...], scene: "Callable[[], Scene]", pile: int) -> tuple[int, int]:
        """Bounds are dear, and the branches of one hand ask for the same ones again and again."""
        known = self.found.get((asked, self._layout()))
        if known is None:
            from replay.audit.places import bounds  # noqa: PLC0415 - where every card was seen none is needed

            exact = bounds(scene(), pile)
            known = self.found[asked, self._layout()] = exact.low, exact.high
        return known

    def _layout(self) -> tuple[Any, ...]:
        """All that a scene is made of; a rule that the scene has first to ask for is not answered yet."""
        table = self.table
        tricks = tuple((trick.taker, trick.seqs) for trick in table.tricks)
        shape = tuple(self.script.known.get(name) for name in self.house.unrecorded if name in SHAPE_THE_DEAL)
        return len(self.events), tricks, tuple(table.strange), tuple(table.sent_back), shape

    def trick_bounds(self, seqs: Sequence[int]) -> tuple[int, int]:
        """The least and greatest points in one trick."""

        def scene() -> "Scene":
            whole = self.scene()
            lays = tuple(replace(lay, pile=TARGET_PILE if lay.seq in seqs else 0) for lay in whole.lays)
            return replace(whole, lays=lays)

        return self._once((0, *seqs), scene, TARGET_PILE)


def hand_end(events: Sequence[Event], place: int) -> int:
    """The place after the hand that begins at `place`: after its end, or before the next hand."""
    for at in range(place + 1, len(events)):
        if isinstance(events[at], HandEnded):
            return at + 1
        if isinstance(events[at], HandBegan | RecordingEnded):
            return at
    return len(events)


def without_strange(events: Sequence[Event], strange: Sequence[tuple[int, int]]) -> Sequence[Event]:
    """The events with every card that cannot be what was written as an unseen one."""
    if not strange:
        return events
    spots: dict[int, set[int]] = {}
    for seq, spot in strange:
        spots.setdefault(seq, set()).add(spot)
    plain: list[Event] = []
    for event in events:
        wrong = spots.get(event.seq)
        if wrong and isinstance(event, Dealt | Drew | Played):
            cards = tuple("??" if at in wrong else card for at, card in enumerate(event.cards))
            plain.append(replaced(event, cards=cards))
        else:
            plain.append(event)
    return plain


@dataclass(frozen=True, slots=True)
class Folded:
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
            self.events, self.told = read_reveals(self.events, house.game, PACK[cards])
        self.began = began
        self.strange: set[int] = set()
        self.script = Script()
        self.testimony: Testimony | None = None
        self.reached = 1
        self.missing: list[int] = []
        self.found: dict[Any, tuple[int, int]] = {}
        self.seats = furthest_seat(events) if amended else 0
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

    def run(self) -> Folded:
        """Step through everything."""
        if not self.unseen and not self.house.unrecorded:
            self._run_straight()
            self.strange = set(self.table.strange_hands)
        if self.unseen or self.house.unrecorded or self.strange:
            self._run_by_hands()
        self._close()
        return Folded((*self.told, *self.table.findings), tuple(self.table.results), self.table)

    def _run_straight(self) -> None:
        """Everything is known: event by event, without a look ahead."""
        table, handlers = self.table, self.table.HANDLERS
        for event in self.events[1:]:
            table.seq = event.seq
            handlers[type(event)](table, event)

    def _run_by_hands(self) -> None:
        """Hand by hand, each in every way that what was not seen or not written down leaves open."""
        self.table = self._seat()
        self.unseen = True
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
        table = self.table
        script = Script()
        if self.house.unrecorded:
            table.rules = Probe(self.house, script, table)
        for at in range(first, hand_end(self.events, first)):
            table.witness = self._witness(self.events[first : at + 1], script, table)
            table.step(self.events[at])
            yield self.events[at], table

    def ways(self, first: int, end: int, rules: Callable[[Script, Any], Any] | None = None) -> list[Branch]:
        """Every way the hand that begins at place `first` may have gone up to place `end`, later events not known.

        `rules` gives the rules object of each branch, in place of the house's own.
        """
        while self.reached < first:
            self.reached = self._advance(self.reached)
        events = self._named(first, end)
        hints = foreknown(events)

        def go(table: Any, script: Script) -> None:
            self._step_hand(table, events, script, len(events), hints, rules)

        return branches(self.table, go)

    def _advance(self, place: int) -> int:
        """One event between hands, or a whole hand: the place after it."""
        event = self.events[place]
        if not isinstance(event, HandBegan):
            if isinstance(event, CardMissing):
                self.missing.append(DOMAIN[CODE[event.card]])
            self.table.step(event)
            return place + 1
        end = hand_end(self.events, place)
        events = self._named(place, end)
        if not self.house.unrecorded and event.seq not in self.strange and not self._open(events):
            self._step_hand(self.table, events, self.script, len(events))
        else:
            self._branch(events)
        self.missing += [DOMAIN[CODE[each.card]] for each in events if isinstance(each, CardMissing)]
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
        return read_deck(events, one_by_one, in_rounds, bura and rules.turnup == "last_of_stock", apart)

    def _branch(self, events: list[Event]) -> None:
        start = self.table
        self.found.clear()
        hints = foreknown(events)
        open_end = events and not isinstance(events[-1], HandEnded)

        def go(table: Any, script: Script) -> None:
            self._step_hand(table, events, script, len(events), hints)
            if open_end:
                table.settle_open_ends()

        findings, result, table = lay_together(self._each_placing(events) or branches(start, go))
        table.findings = start.findings + findings
        table.results = start.results + ([result] if result else [])
        self.table = table

    def _sent_back(self, events: list[Event]) -> tuple[int, ...]:
        """The seqs of plays that went back to the hand, which the words alone decide (`counter_lead`)."""
        if not any(isinstance(event, Declared) for event in events):
            return ()
        table = fork(self.table)
        self._step_hand(table, events, Script(), len(events), {})
        return tuple(table.sent_back)

    def _each_placing(self, events: list[Event]) -> list[Branch]:
        """The branches of the hand for each way to name its unseen cards, where these are few (`report.md` 1)."""
        if self.house.game != "bura" or not has_unseen(events) or set(self.house.unrecorded) & SHAPE_THE_DEAL:
            return []
        rules: Any = self.house.rules
        from replay.audit.placings import MOST_PLACINGS, OF_THE_CARDS, as_recorded, placings  # noqa: PLC0415 - as above
        from replay.audit.scene import scene_of  # noqa: PLC0415 - as above

        scene = scene_of(events, (), rules, missing=tuple(self.missing))
        ways = placings(events, scene, 8 if self.house.unrecorded else MOST_PLACINGS, self._sent_back(events))
        found: list[Branch] = []
        for number, named in enumerate(ways):
            choice = Choice(Code.UNKNOWN_CARD, "cards", tuple(range(len(ways))), events[0].seq, number)

            def go(table: Any, script: Script, named: list[Event] = named) -> None:
                self._step_hand(table, named, script, len(named), {})
                table.findings[:] = as_recorded(table.findings, named, events)

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
        hints = foreknown(events) if hints is None and self.unseen else hints or {}
        for place, event in enumerate(events[:count]):
            table.step(event)
            hint = hints.get(place)
            if hint is not None:
                table.foreknow(*hint)

    def _close(self) -> None:
        """The end of the record: what stays open, what was counted wrong."""
        table = self.table
        last = self.events[-1]
        ended = next((event for event in self.events if isinstance(event, RecordingEnded)), None)
        table.seq = last.seq if ended is None else ended.seq
        if table.phase != BETWEEN:
            table.break_off(Severity.ERROR if ended else Severity.DOUBT)
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


def fold(events: Sequence[Event], house: HouseRules, *, maybe_unseen: bool = True, amended: bool = True) -> Folded:
    """Judge the events of one reading under the house's rules.

    `maybe_unseen` false says that every face is known, `amended` false that no amendment moved an event.
    """
    return Fold(events, house, maybe_unseen=maybe_unseen, amended=amended).run()
