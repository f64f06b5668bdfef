"""Where the unseen cards can lie: exact bounds of the points in each pile (`report.md` 5).

Least and greatest sum over all ways to put the unseen cards into the unknown places that agree with the record: not
narrower, not wider. Arrangements are limited by the cards alone, never by what players would or should have done.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal

from replay.audit.arrange import Optimum, Search
from replay.audit.board import board_of
from replay.audit.scene import Lay, Scene, Show, Take, scene_of
from schemas.cards import spread

__all__ = [
    "Bounds", "Joint", "Lay", "Scene", "Show", "Take", "View", "bounds", "bounds_of", "joint", "possible", "scene_of",
]  # fmt: skip

Answer = Literal["must", "cannot", "open"]
_TRIES: Final = 250
"""So many parts of a joint question are looked at before it stays open."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Least and greatest points of one pile.

    `best_low` and `best_high` give a card for each lay of the scene (all lays, in order) that reaches them (-1: in
    another pile and of no matter); None where nothing fits together. With `exact` false the search was cut off, or
    the record cannot be true of one pack: the bounds may be too wide, never too narrow. `dropped` names what in the
    record contradicted the rest and was not used: `take`, `lay`, `show` (a face that cannot be), `hand` (more laid
    than taken), `count` (more cards than the pack), `shown`, `hands`, `cards` (all of what was shown, of what the
    hands held, of what lies elsewhere).
    """

    low: int
    high: int
    exact: bool
    best_low: tuple[int, ...] | None
    best_high: tuple[int, ...] | None
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Joint:
    """Whether at least one, and at most one, of the piles has the target; `exact` false: cut off, so `open`."""

    at_least_one: Answer
    at_most_one: Answer
    exact: bool


def bounds(scene: Scene, seat: int) -> Bounds:
    """The points that may lie in the seat's pile; never fails, whatever the record claims."""
    return View(scene).bounds(seat)


def bounds_of(scene: Scene, seats: Iterable[int]) -> dict[int, Bounds]:
    """`bounds` of several seats of one scene, which is read only once."""
    view = View(scene)
    return {seat: view.bounds(seat) for seat in seats}


def possible(scene: Scene, least: Mapping[int, int], below: Mapping[int, int]) -> bool | None:
    """Whether one arrangement gives each seat of `least` so many points and each of `below` fewer than so many.

    None where the search was cut off.
    """
    return View(scene).possible(least, below)


def joint(scene: Scene, seats: Sequence[int], target: int, view: "View | None" = None) -> Joint:
    """Must one of the seats have the target? Can two have it at once? (`report.md` 5, `joint`).

    `view` is that of the scene, where there is one already.
    """
    view = view or View(scene)
    low_high = {seat: view.bounds(seat) for seat in seats}
    sure = [seat for seat in seats if low_high[seat].low >= target]
    maybe = [seat for seat in seats if low_high[seat].low < target <= low_high[seat].high]
    cut = any(not low_high[seat].exact for seat in maybe)
    none = False if sure else view.possible({}, dict.fromkeys(maybe, target))
    pairs = [len(sure) > 1] if len(sure) > 1 else view.pairs(sure, maybe, target)
    few = [not sure] if len(sure) > 1 else view.loners(sure, maybe, target)
    return Joint(
        at_least_one="must" if none is False else "cannot" if not sure and not maybe else "open",
        at_most_one="must" if not any(pair is not False for pair in pairs) else _rarely(few),
        exact=not cut and None not in (none, *pairs, *few),
    )


def _rarely(few: Sequence[bool | None]) -> Answer:
    """`cannot` where no arrangement leaves all but one below the target."""
    return "open" if any(one is not False for one in few) else "cannot"


class View:
    """One scene, made consistent by dropping as little as need be."""

    def __init__(self, scene: Scene, like: "View | None" = None) -> None:
        """`like` is of a scene that differs in whose the piles are alone: what cannot be in one cannot in the other."""
        self.scene = scene
        self.board = board_of(scene)
        self.search: Search | None = Search(self.board, scene.points)
        self.tried = 0
        self._known: dict[tuple[tuple[int, int], ...], Optimum] = {}
        for _ in range(like.tried if like else 0):
            self._descend()

    def _descend(self) -> None:
        """Nothing fits: leave out what was shown, then what the hands held, then that cards differ."""
        self.tried += 1
        self._known = {}
        scene = self.scene if self.tried == 1 else _without_hands(self.scene)
        dropped = self.board.dropped
        self.board = board_of(scene, with_shown=False)
        self.board.dropped |= dropped | ({"hands"} if self.tried > 1 else set())
        self.search = Search(self.board, scene.points)
        if self.tried > 2:
            self.board.dropped |= {"cards"}
            self.search = None

    def least(self, signs: Mapping[int, int]) -> Optimum | None:
        """The least sum of sign times points over the piles; None where the record cannot be true of one pack."""
        asked = tuple(sorted(signs.items()))
        while self.search is not None:
            if asked not in self._known:
                self._known[asked] = self.search.least(self._weights(signs))
            optimum = self._known[asked]
            if optimum.cards is not None or not optimum.exact:
                return optimum
            self._descend()
        return None

    def _weights(self, signs: Mapping[int, int]) -> list[int]:
        return [signs.get(lay.pile, 0) for lay in self.scene.lays]

    def bounds(self, seat: int) -> Bounds:
        """The least and the greatest, each with an arrangement."""
        pile = [index for index, lay in enumerate(self.scene.lays) if lay.pile == seat]
        if self.tried == 0 and all(self.board.masks[index].bit_count() == 1 for index in pile):
            cards = [mask.bit_length() - 1 if mask.bit_count() == 1 else -1 for mask in self.board.masks]
            points = sum(self.scene.points[cards[index]] for index in pile)
            return Bounds(points, points, True, tuple(cards), tuple(cards), tuple(sorted(self.board.dropped)))
        low, high = self.least({seat: 1}), self.least({seat: -1})
        if low is None or high is None:
            return self._apart(seat)
        dropped = tuple(sorted(self.board.dropped))
        return Bounds(low.value, -high.value, low.exact and high.exact, low.cards, high.cards, dropped)

    def _apart(self, seat: int) -> Bounds:
        """Each place for itself, where the record cannot be true of one pack, and no more than a pack is worth."""
        low = high = 0
        every = [self.scene.points[card] for card in spread(self.scene.pack)] or [0]
        for lay in self.scene.lays:
            if lay.pile == seat:
                worth = [points for card, points in enumerate(self.scene.points) if lay.domain >> card & 1]
                low += min(worth, default=min(every))
                high += max(worth, default=max(every))
        low, high = min(low, sum(every)), min(high, sum(every))
        return Bounds(low, high, False, None, None, tuple(sorted(self.board.dropped)))

    def pairs(self, sure: Sequence[int], maybe: Sequence[int], target: int) -> list[bool | None]:
        """Can two have it at once? One answer for each pair that is not settled."""
        found: list[bool | None] = []
        for pair in [(seat,) for seat in maybe] if sure else list(combinations(maybe, 2)):
            found.append(self.possible(dict.fromkeys(pair, target), {}))
            if found[-1]:
                break
        return found

    def loners(self, sure: Sequence[int], maybe: Sequence[int], target: int) -> list[bool | None]:
        """Can all but one be below it? With a sure seat, all others; else one answer for each that may be the one."""
        if len(maybe) + len(sure) < 2:
            return [True]
        if sure:
            return [self.possible({}, dict.fromkeys(maybe, target))]
        found: list[bool | None] = []
        for one in maybe:
            found.append(self.possible({}, {seat: target for seat in maybe if seat != one}))
            if found[-1]:
                break
        return found

    def possible(self, least: Mapping[int, int], below: Mapping[int, int]) -> bool | None:
        """Exact search over the points of the cards in the piles asked about, bounded in parts."""
        if self.least({}) is None or self.search is None:
            return None
        signs = {seat: (-1, -points) for seat, points in least.items()}
        signs |= {seat: (1, points - 1) for seat, points in below.items() if seat not in least}
        aims = [(self._weights({seat: sign}), limit) for seat, (sign, limit) in signs.items()]
        piles = frozenset(signs)
        return self.search.fits(aims, lambda masks: self._parts(masks, piles), _TRIES) if aims else True

    def exactly(self, seat: int, points: int) -> bool | None:
        """Whether some arrangement gives the seat's pile just so many points; None where the search was cut off."""
        if self.least({}) is None or self.search is None:
            return None
        aims = [(self._weights({seat: -1}), -points), (self._weights({seat: 1}), points)]
        return self.search.fits(aims, lambda masks: self._parts(masks, (seat,)), _TRIES)

    def _parts(self, masks: tuple[int, ...], piles: Collection[int]) -> Iterator[tuple[int, ...]]:
        """The same part, cut by the points of the first undecided card in one of the piles."""
        for index, lay in enumerate(self.scene.lays):
            by_worth: dict[int, int] = {}
            for card in spread(masks[index]) if lay.pile in piles else ():
                worth = self.scene.points[card]
                by_worth[worth] = by_worth.get(worth, 0) | 1 << card
            if len(by_worth) > 1:
                like = [other for other in range(index + 1, len(masks)) if self._alike(index, other, masks)]
                for top in sorted(by_worth):
                    part = list(masks)
                    part[index] = by_worth[top]
                    lower = sum(mask for worth, mask in by_worth.items() if worth <= top)
                    for other in like:
                        part[other] &= lower
                    yield tuple(part)
                return

    def _alike(self, index: int, other: int, masks: tuple[int, ...]) -> bool:
        """Whether two places may be exchanged in every arrangement, so that one order of them is enough."""
        one, two = self.scene.lays[index], self.scene.lays[other]
        same = (one.seat, one.pile, masks[index]) == (two.seat, two.pile, masks[other])
        hand = self.board.hands.get(one.seat)
        return same and (hand is None or (not hand.halves and not hand.known & masks[index]))


def _without_hands(scene: Scene) -> Scene:
    """The scene as if nothing were known of what the seats took: only distinct cards in the places."""
    takes = tuple(Take(lay.seat, lay.at - 1, scene.pack) for lay in scene.lays)
    return Scene(scene.pack, takes, scene.lays, scene.elsewhere, scene.points)
