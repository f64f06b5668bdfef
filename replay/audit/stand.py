"""How a hand stands at one moment: its events so far, and every way in which it may have gone (`report.md` 5)."""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final

from replay.audit.explore import Branch, Script, fork
from replay.audit.fold import Fold, HandWitness, Probe, hand_end
from replay.audit.places import Scene, View
from replay.audit.testimony import Heard
from replay.engine.findings import Code, Finding
from replay.engine.outcome import HandResult
from replay.engine.tricks import POINTS
from schemas.events import Declared, Event, HandBegan, HandEnded, Revealed, Unseen
from schemas.options import values_of
from schemas.rules import HouseRules

MOST_HOUSES: Final = 24
"""So many combinations of unrecorded rules are judged one by one; where there are more, the fold asks for each."""

MOST_OPEN: Final = 16
"""In so many ways are unseen cards named that lay open."""
MOST_DOUBTED: Final = 3
"""So many declarations of one hand may be false at once, where nobody saw the cards."""
ASKED_LATER: Final = frozenset(
    {"pack", "turnup", "draw_style", "deal_packet", "target", "open_window", "debt", "bourre_pays"}
)
"""Options that a dispute reads when the hand has been stepped through."""

Memory = dict[Any, Any]
"""Scenes and bounds that several ways of one hand ask for."""


class NoSuchMomentError(LookupError):
    """The recording has no such hand, or the hand no such event."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What is asked: a hand by its recorded number, an event of it or its end, from a viewpoint, believing seats."""

    hand: int
    at: int | None = None
    view: str = "full"
    believe: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Span:
    """The events of one reading as far as they count, and in them the hand: its first place, the place after it."""

    events: tuple[Event, ...]
    first: int
    end: int
    whole: bool
    """Whether the hand's end was asked for, and not one event of it."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which the hand may have gone: the table after it, the rules it was played by, what was found."""

    table: Any
    rules: Any
    findings: tuple[Finding, ...]
    result: HandResult | None
    cut: bool
    """There were more ways than can be looked at."""

    @property
    def scene(self) -> Scene:
        """The hand as cards and places, of Bura."""
        scene: Scene = self.table.witness.scene()
        return scene

    @property
    def view(self) -> View:
        """The same made consistent, once for all that is asked of it."""
        view: View = self.table.witness.view()
        return view


@dataclass(frozen=True, slots=True)
class Stand:
    """A hand of which something is asked."""

    events: tuple[Event, ...]
    ways: tuple[Way, ...]
    span: Span
    heard: Heard
    memory: Memory
    folds: tuple[Fold, ...]
    """One for each combination of unrecorded rules, come as far as the hand's beginning."""
    witness: HandWitness
    """Of the hand as it was recorded, no card of it named."""
    namings: "tuple[Stand, ...]" = ()
    """The same hand for each way to name cards of which only candidates were heard; `ways` are those of all."""

    @property
    def recorded(self) -> tuple[Event, ...]:
        """The hand's events as they were written, before later faces were read into them."""
        return self.span.events[self.span.first : self.span.end]

    @property
    def table(self) -> Any:
        """The table in the first of the ways."""
        return self.ways[0].table

    @property
    def over(self) -> bool:
        """Whether the hand is closed by its end."""
        return isinstance(self.events[-1], HandEnded)

    @property
    def dark(self) -> bool:
        """Whether nothing of the hand is known: a stretch was not seen (`record.md` 3.1, `unseen`), or it was cut."""
        return self.cut or any(isinstance(event, Unseen) for event in self.events)

    @property
    def cut(self) -> bool:
        """Whether there were more ways than can be looked at."""
        return any(way.cut for way in self.ways)

    @property
    def seats(self) -> list[int]:
        """Everybody who sits at the table."""
        return [seat for seat in range(1, self.table.seats() + 1) if self.table.occupied[seat]]


def span_of(recorded: Sequence[Event], events: Sequence[Event], moment: Moment) -> Span:
    """Where the hand lies in the events of a reading, and what of them counts at that moment; `NoSuchMomentError`.

    Up to an event only what stands before it is known; to the hand's end all that the record ever tells of it.
    """
    starts = [at for at, event in enumerate(events) if isinstance(event, HandBegan) and event.hand == moment.hand]
    if not starts:
        raise NoSuchMomentError(f"hand {moment.hand}")
    first = starts[-1]
    end = hand_end(events, first)
    if moment.at is None:
        return _with_late_faces(events, first, end)
    place = _place(recorded, events, first, end, moment.at)
    if place < 0:
        raise NoSuchMomentError(f"event {moment.at} of hand {moment.hand}")
    return Span(tuple(events[: place + 1]), first, place + 1, whole=False)


def _place(recorded: Sequence[Event], events: Sequence[Event], first: int, end: int, at: int) -> int:
    """The place of the event numbered `at`; of an amendment, or of an event struck out, the place before it; or -1."""
    exact = [place for place in range(first, end) if events[place].seq == at]
    if exact:
        return exact[-1]
    own = {event.seq for event in recorded}
    last = events[end - 1].seq
    if at not in own or not events[first].seq < at < last or any(event.seq == at for event in events):
        return -1
    return max(place for place in range(first, end) if events[place].seq < at)


def _with_late_faces(events: Sequence[Event], first: int, end: int) -> Span:
    """The hand to its end; what is revealed of it later stands before that end."""
    own = {event.seq for event in events[first:end]}
    late = [event for event in events[end:] if isinstance(event, Revealed) and event.of in own]
    close = end - isinstance(events[end - 1], HandEnded)
    rest = [event for event in events[end:] if event not in late] if late else events[end:]
    return Span((*events[:close], *late, *events[close:end], *rest), first, end + len(late), whole=True)


class Remembering(HandWitness):
    """A witness that builds each scene and asks for each bound only once for all ways of one hand."""

    __slots__ = ("memory",)

    def __init__(self, witness: HandWitness, house: HouseRules, memory: Memory) -> None:
        own = (witness.events, witness.missing, witness.script, witness.table, witness.testimony)
        super().__init__(house, *own)
        self.memory = memory

    def scene(self) -> Scene:
        """The hand as cards and places, with the tricks taken so far."""
        key = self._key()
        if key not in self.memory:
            self.memory[key] = super().scene()
        scene: Scene = self.memory[key]
        return scene

    def bounds(self, seat: int) -> tuple[int, int]:
        """The least and greatest points in the seat's pile."""
        key = *self._key(), seat
        if key not in self.memory:
            exact = self.view().bounds(seat)
            self.memory[key] = exact.low, exact.high
        found: tuple[int, int] = self.memory[key]
        return found

    def view(self) -> View:
        """The scene made consistent."""
        key = *self._key(), View
        if key not in self.memory:
            self.memory[key] = View(self.scene())
        view: View = self.memory[key]
        return view

    def trick_bounds(self, seqs: Sequence[int]) -> tuple[int, int]:  # noqa: ARG002 - as the engine asks for it
        """Anything: what was said of one trick's points is no matter of a dispute."""
        return 0, sum(POINTS)

    def may_have(self, seat: int, seqs: Sequence[int], points: int) -> bool:  # noqa: ARG002 - as the engine asks for it
        """Whatever points were said: no matter of a dispute."""
        return True

    def believing(self, testimony: Mapping[tuple[int, int], int]) -> "Remembering":
        """The same witness, with other words taken for true; nothing is remembered of them."""
        told = Remembering(self, self.house, {})
        told.testimony = testimony
        return told

    def _key(self) -> tuple[Any, ...]:
        table = self.table
        rules: Any = table.rules if self.house.unrecorded else self.house.rules
        shape = (rules.pack, rules.turnup, rules.draw_style, rules.deal_packet)
        tricks = tuple((trick.seqs, trick.taker) for trick in table.tricks)
        return shape, tricks, tuple(table.strange), tuple(table.unrecorded), tuple(table.sent_back)


def folded(span: Span, house: HouseRules) -> Fold:
    """A fold that stands ready to look into the hand."""
    fold = Fold(span.events, house)
    if not fold.unseen and not house.unrecorded:
        before = Fold(span.events[: span.end], house)
        before.run()
        if before.strange:
            fold.strange, fold.unseen = before.strange, True
    return fold


def stand_of(span: Span, house: HouseRules, heard: Heard, before: Stand | None = None) -> Stand:
    """Every way in which the hand may have gone, under every value of a rule that nobody wrote down.

    `before` is how it stood with other words heard: the hands before this one are not folded again.
    """
    memory: Memory = {}
    folds = before.folds if before else _folds(span, house, memory)
    ways: list[Way] = []
    witnesses: list[HandWitness] = []
    for fold in folds:
        fold.testimony = heard.masks
        branches = every_way(fold, span.first, span.end, ruling(fold.house, memory))
        witnesses.append(branches[0].table.witness)
        for branch in _laid_open(fold, span, MOST_OPEN // len(folds), branches):
            table = settled_table(branch) if span.whole else branch.table
            ways.append(Way(table, table.rules, branch.findings, branch.result, branch.cut))
    events = tuple(folds[0].events[span.first : span.end])
    return Stand(events, tuple(ways), span, heard, memory, folds, witnesses[0])


def _laid_open(fold: Fold, span: Span, most: int, ways: list[Branch]) -> list[Branch]:
    """The ways of a hand in each of which every card that lay open is named, where unseen ones leave several of it.

    The same ways where there are more than `most` ways to name them.
    """
    if len(ways) == 1 or fold.house.game != "bura":
        return ways
    namings = fold.laid_open(span.first, span.end)
    if not 0 < len(namings) <= most:
        return ways
    found: list[Branch] = []
    for named in namings:
        twin: Fold = copy(fold)
        twin.events = [*fold.events[: span.first], *named, *fold.events[span.end :]]
        twin.found = {}
        found += every_way(twin, span.first, span.end, ruling(twin.house, {}))
    return found


def _folds(span: Span, house: HouseRules, memory: Memory) -> tuple[Fold, ...]:
    """A fold for each combination of values of those unrecorded options that this hand touches."""
    fold = folded(span, house)
    if not house.unrecorded:
        return (fold,)
    ways = fold.ways(span.first, span.end, ruling(house, memory))
    asked = {choice.name for way in ways for choice in way.choices if choice.kind is Code.RULE_UNRECORDED}
    if any(way.cut for way in ways):
        asked.update(house.unrecorded)
    houses = spelled_out(house, [name for name in house.unrecorded if name in asked | ASKED_LATER])
    return (fold,) if houses == [house] else tuple(folded(span, each) for each in houses)


def every_way(
    fold: Fold, first: int, end: int, rules: Callable[[Script, Any], Any], *, over: bool = False
) -> list[Branch]:
    """The ways of `Fold.ways`, and those in which a combination declared unseen was not held: it has no effect then."""
    ways = fold.ways(first, end, rules, over=over)
    unseen = {event.seq for event in fold.events[first:end] if isinstance(event, Declared)}
    doubted = {each.seq for way in ways for each in way.findings if each.code is Code.UNKNOWN_CARD} & unseen
    for count in range(1, min(len(doubted), MOST_DOUBTED) + 1):
        for false in combinations(sorted(doubted), count):
            twin: Fold = copy(fold)
            twin.events = [event for event in fold.events if event.seq not in false]
            ways += twin.ways(first, end - count, rules, over=over)
    return ways


def settled_table(branch: Branch) -> Any:
    """The table after what had to wait for a payment or the end is decided, where that leaves nothing to ask."""
    if branch.table.decided or branch.result is not None:
        return branch.table
    table = fork(branch.table)
    table.decide_at_last()
    return branch.table if len(table.witness.script.asked) > len(branch.choices) else table


def ruling(house: HouseRules, memory: Memory) -> Callable[[Script, Any], Any]:
    """The rules object of a branch, for `Fold.ways`: the house's own; the branch's witness remembers scenes."""

    def rules(script: Script, table: Any) -> Any:
        if house.game == "bura":
            table.witness = Remembering(table.witness, house, memory)
        return Probe(house, script, table) if house.unrecorded else house.rules

    return rules


def spelled_out(house: HouseRules, names: Sequence[str]) -> list[HouseRules]:
    """The house once for each combination of values of these unrecorded options, where these are not too many."""
    houses = [house]
    for name in names:
        values = [value for value in values_of(house.game, name) if value != "cinch"]
        houses = [with_option(each, name, value) for each in houses for value in values]
        if len(houses) > MOST_HOUSES:
            return [house]
    return houses


def with_option(house: HouseRules, name: str, value: Any) -> HouseRules:
    """The house with one option changed; what was unrecorded of it is so no more."""
    rules: Any = replace(house.rules, **{name: value})
    return replace(house, rules=rules, unrecorded=tuple(each for each in house.unrecorded if each != name))
