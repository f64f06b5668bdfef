"""How the points of each pile grew trick by trick, by all that is known at the moment asked for; and what hides in it.

The chart of the three clocks and the check with a pencil are drawn from this; the answer itself is `dispute`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from replay.audit.amend import Reading
from replay.audit.dispute import Moment, stand_at
from replay.audit.dispute_bura import MOST_SCENES, Pile, groups_of
from replay.audit.placements import Placements, placements
from replay.audit.places import Scene, bounds, bounds_of
from replay.audit.scene import NOBODY
from schemas.cards import SPELLING
from schemas.events import Recording
from schemas.rules import BuraRules, HouseRules


@dataclass(frozen=True, slots=True)
class TrickEnd:
    """The end of one trick: the `seq` of its last play, its taker, and by seat the least and greatest points."""

    seq: int
    trick: int
    taker: int
    piles: Mapping[int, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Hidden:
    """One card of a pile that is not known: who laid it at which event and place in it; `seq` is below 0 where that
    is not on record.

    `low` and `high` are a card for it in an arrangement of least, and of greatest, points of the pile.
    """

    pile: int
    seat: int
    seq: int
    spot: int
    low: str
    high: str


@dataclass(frozen=True, slots=True)
class Course:
    """The tricks of one hand up to a moment, and the cards then hidden in the piles; empty where no points count."""

    tricks: tuple[TrickEnd, ...] = ()
    hidden: tuple[Hidden, ...] = ()
    placements: Mapping[int, Placements] = field(default_factory=dict)
    """By seat whose pile hides cards, where the hand can have gone one way only: how many placements reach it."""
    order: tuple[int, ...] = ()
    """The numbers of the hand's events in the order of the reading: an event that was put in bears a later one."""

    def place(self, seq: int) -> int:
        """Where an event stands in the hand."""
        return self.order.index(seq) if seq in self.order else seq

    def ended(self, seq: int) -> list[TrickEnd]:
        """The tricks that had ended when an event came, that of its own card among them."""
        return [row for row in self.tricks if self.place(row.seq) <= self.place(seq)]


def course(recording: Recording, house: HouseRules, moment: Moment, reading: Reading = "amended") -> Course:
    """The points of every seat at every trick end up to the moment; `NoSuchMomentError` as `dispute` raises it.

    Where the hand may have gone several ways, the least and the greatest of all of them; what is hidden, of the first.
    """
    if not isinstance(house.rules, BuraRules):
        return Course()
    stand = stand_at(recording, house, moment, reading)
    if stand.dark:
        return Course()
    players = sorted(stand.table.players)
    scenes = list({id(way.scene): way.scene for way in stand.ways}.values())[:MOST_SCENES]
    grown = [{seat: _growth(scene, seat) for seat in players} for scene in scenes]
    rows = tuple(
        TrickEnd(trick.seqs[-1], count, trick.taker, {seat: _widest(grown, seat, count) for seat in players})
        for count, trick in enumerate(stand.table.tricks, 1)
    )
    order = tuple(event.seq for event in stand.events)
    hidden = _all_hidden(scenes[0], players) if scenes else ()
    targets = {int(way.rules.target) for way in stand.ways}
    if len(scenes) != 1 or len(targets) != 1:
        return Course(rows, hidden, order=order)
    counted = {seat: placements(scenes[0], seat, min(targets)) for seat in sorted({one.pile for one in hidden})}
    return Course(rows, hidden, {seat: found for seat, found in counted.items() if found}, order)


def _growth(scene: Scene, seat: int) -> dict[int, tuple[int, int]]:
    """By trick the seat took: what its pile holds from then on."""
    found = {}
    for trick in sorted({lay.trick for lay in scene.lays if lay.pile == seat}):
        lays = tuple(lay if lay.trick <= trick else replace(lay, pile=NOBODY) for lay in scene.lays)
        pile = bounds(replace(scene, lays=lays), seat)
        found[trick] = pile.low, pile.high
    return found


def _widest(grown: Sequence[Mapping[int, Mapping[int, tuple[int, int]]]], seat: int, count: int) -> tuple[int, int]:
    """The least and the greatest of all ways once so many tricks have ended."""
    spans = [max(((trick, span) for trick, span in way[seat].items() if trick <= count), default=(0, (0, 0)))[1]
             for way in grown]  # fmt: skip
    return min(low for low, _ in spans), max(high for _, high in spans)


def _all_hidden(scene: Scene, players: Sequence[int]) -> tuple[Hidden, ...]:
    found = bounds_of(scene, players)
    groups = groups_of(scene, found)
    return tuple(one for seat in players for one in _hidden(scene, Pile(scene, seat, found[seat], groups)))


def _hidden(scene: Scene, pile: Pile) -> Iterator[Hidden]:
    low, high = pile.found.best_low, pile.found.best_high
    for at in pile.open if low is not None and high is not None else ():
        assert low is not None
        assert high is not None
        lay = scene.lays[at]
        if low[at] >= 0 and high[at] >= 0:
            yield Hidden(lay.pile, lay.seat, lay.seq, lay.spot, SPELLING[low[at]], SPELLING[high[at]])
