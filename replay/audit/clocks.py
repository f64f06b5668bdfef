"""How the points of each pile grew trick by trick, by all that is known at the moment asked for; and what hides in it.

The chart of the three clocks and the check with a pencil are drawn from this; the answer itself is `dispute`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from replay.audit.amend import Reading
from replay.audit.dispute import Moment, Stand, known_in_pile, scene_after, stand_at
from replay.audit.places import Bounds, Scene, bounds_of
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
    """One card of a pile that is not known: who laid it at which event and place in it.

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


def course(recording: Recording, house: HouseRules, moment: Moment, reading: Reading = "amended") -> Course:
    """The points of every seat at every trick end up to the moment; `NoSuchMomentError` as `dispute` raises it."""
    if not isinstance(house.rules, BuraRules):
        return Course()
    stand = stand_at(recording, house, moment, reading)
    players = sorted(stand.table.players)
    rows = _rows(stand, house.rules, players)
    scene = scene_after(stand, house.rules, stand.table.tricks)
    found = bounds_of(scene, players)
    return Course(rows, tuple(one for seat in players for one in _hidden(scene, seat, found[seat])))


def _rows(stand: Stand, rules: BuraRules, players: Sequence[int]) -> tuple[TrickEnd, ...]:
    """Only the taker's pile grows at a trick's end; the others keep what was found before."""
    rows: list[TrickEnd] = []
    piles = dict.fromkeys(players, (0, 0))
    tricks = stand.table.tricks
    for count, trick in enumerate(tricks, 1):
        if trick.taker in piles:
            found = bounds_of(scene_after(stand, rules, tricks[:count]), [trick.taker])[trick.taker]
            piles = {**piles, trick.taker: (found.low, found.high)}
        rows.append(TrickEnd(trick.seqs[-1], count, trick.taker, piles))
    return tuple(rows)


def _hidden(scene: Scene, seat: int, found: Bounds) -> list[Hidden]:
    if found.best_low is None or found.best_high is None:
        return []
    known = known_in_pile(scene, seat)
    hidden = []
    for at, lay in enumerate(scene.lays):
        low, high = found.best_low[at], found.best_high[at]
        if lay.pile != seat or lay.domain.bit_count() == 1 or low < 0 or high < 0 or 1 << low & known:
            continue
        hidden.append(Hidden(seat, lay.seat, lay.seq, lay.spot, SPELLING[low], SPELLING[high]))
    return hidden
