"""How many placements of a pile's unseen cards reach a number of points: whole numbers, never a likelihood.

A placement gives each unseen place of the pile a card of its own, so that all the rest of the record can still be
true. Cards that can lie in the same places by the same hands are counted together and never told apart one by one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import comb, factorial, prod
from typing import Final

from replay.audit.arrange import Search
from replay.audit.board import Board, board_of
from replay.audit.scene import Scene
from schemas.cards import spread

MOST_SHARINGS: Final = 240
"""So many ways to share the kinds of cards among the places are looked at; where there are more, nothing is counted."""
NODES: Final = 60
"""So many relaxed problems it may cost to see whether one of them leaves the rest of the record possible."""


@dataclass(frozen=True, slots=True)
class Placements:
    """Of `all` placements `reach` have the points; both are None where there are too many to count."""

    reach: int | None
    all: int | None


TOO_MANY: Final = Placements(None, None)
Kinds = dict[int, int]
"""By kind of cards: how many of them."""


def placements(scene: Scene, seat: int, target: int) -> Placements | None:
    """The placements of the unseen cards in the seat's pile, and how many of them have `target` points or more.

    None where there is nothing to count: every card is seen, or the record contradicts itself (`report.md` 5).
    """
    board = board_of(scene)
    named = sum({mask for mask in board.masks if mask.bit_count() == 1})
    masks = [mask if mask.bit_count() == 1 else mask & ~named for mask in board.masks]
    pile = [at for at, lay in enumerate(scene.lays) if lay.pile == seat]
    places = [at for at in pile if masks[at].bit_count() != 1]
    if board.dropped or not places:
        return None
    seen = sum(scene.points[masks[at].bit_length() - 1] for at in pile if at not in places)
    return _Counter(scene, replace(board, masks=masks), places).count(target - seen)


class _Counter:
    """The unseen places of one pile, alike ones together, and the cards by kind."""

    def __init__(self, scene: Scene, board: Board, places: Sequence[int]) -> None:
        self.scene = scene
        self.board = board
        self.search = Search(board, scene.points)
        self.kinds = _kinds(scene, board)
        groups: dict[tuple[int, int, int], list[int]] = {}
        for at in places:
            lay = scene.lays[at]
            groups.setdefault((lay.seat, lay.at, board.masks[at]), []).append(at)
        self.groups = list(groups.values())

    def count(self, need: int) -> Placements | None:
        """Over all ways to share the kinds among the places: how often, times how many cards of a kind."""
        reach = whole = 0
        for tried, sharing in enumerate(self._sharings(0, dict.fromkeys(range(len(self.kinds)), 0))):
            possible = self._possible(sharing) if tried < MOST_SHARINGS else None
            if possible is None:
                return TOO_MANY
            if possible:
                times = prod(_orders(group) for group in sharing)
                sums = self._sums(sharing)
                whole += times * sum(sums.values())
                reach += times * sum(ways for points, ways in sums.items() if points >= need)
        return Placements(reach, whole) if whole else None

    def _sharings(self, group: int, used: Kinds) -> Iterator[list[Kinds]]:
        """Of each group of like places: how many of them hold which kind."""
        if group == len(self.groups):
            yield []
            return
        mask = self.board.masks[self.groups[group][0]]
        fits = [kind for kind, cards in enumerate(self.kinds) if cards & mask]
        for own in self._shares(len(self.groups[group]), fits, used):
            after = {kind: count + own.get(kind, 0) for kind, count in used.items()}
            for rest in self._sharings(group + 1, after):
                yield [own, *rest]

    def _shares(self, places: int, fits: Sequence[int], used: Kinds) -> Iterator[Kinds]:
        if not places:
            yield {}
        elif fits:
            kind, *others = fits
            for count in range(min(places, self.kinds[kind].bit_count() - used[kind]) + 1):
                for rest in self._shares(places - count, others, used):
                    yield {kind: count, **rest} if count else rest

    def _possible(self, sharing: Sequence[Kinds]) -> bool | None:
        """Whether the rest of the record can be true with it; None where the search was cut off."""
        masks = list(self.board.masks)
        for places, own in zip(self.groups, sharing, strict=True):
            kinds = [kind for kind, count in own.items() for _ in range(count)]
            for at, kind in zip(places, kinds, strict=True):
                masks[at] &= self.kinds[kind]
        found = self.search.least([0] * len(masks), masks, NODES)
        return found.cards is not None if found.exact or found.cards is not None else None

    def _sums(self, sharing: Sequence[Kinds]) -> dict[int, int]:
        """By sum of points: in how many ways the cards of the kinds can be chosen for their places."""
        sums = {0: 1}
        for kind, cards in enumerate(self.kinds):
            count = sum(own.get(kind, 0) for own in sharing)
            if count:
                sums = _together(sums, _chosen(cards, count, self.scene.points))
        return sums


def _kinds(scene: Scene, board: Board) -> list[int]:
    """Masks of the cards that no place, no hand and nothing else on record tells apart; points do not count here."""
    found: dict[tuple[object, ...], int] = {}
    for card in spread(scene.pack & ~scene.elsewhere):
        bit = 1 << card
        halves = [mask for hand in board.hands.values() for _, mask in hand.halves.values()]
        like = (
            tuple(bool(mask & bit) for mask in (*board.masks, *board.extra, *halves, board.must)),
            tuple(bool(hand.known & bit) for hand in board.hands.values()),
            tuple(shown == bit for shown in board.shown.values()),
        )
        found[like] = found.get(like, 0) | bit
    return list(found.values())


def _orders(own: Kinds) -> int:
    """In how many orders so many of each kind can lie in as many places."""
    return factorial(sum(own.values())) // prod(factorial(count) for count in own.values())


def _chosen(cards: int, count: int, points: Sequence[int]) -> dict[int, int]:
    """By sum of points: in how many orders so many different ones of these cards can be laid."""
    worth: dict[int, int] = {}
    for card in spread(cards):
        worth[points[card]] = worth.get(points[card], 0) + 1
    rows: dict[tuple[int, int], int] = {(0, 0): 1}
    for each, number in worth.items():
        more: dict[tuple[int, int], int] = {}
        for (taken, total), ways in rows.items():
            for extra in range(min(number, count - taken) + 1):
                key = taken + extra, total + extra * each
                more[key] = more.get(key, 0) + ways * comb(number, extra)
        rows = more
    return {total: ways * factorial(count) for (taken, total), ways in rows.items() if taken == count}


def _together(first: dict[int, int], second: dict[int, int]) -> dict[int, int]:
    """By sum of both."""
    found: dict[int, int] = {}
    for one, ways in first.items():
        for other, more in second.items():
            found[one + other] = found.get(one + other, 0) + ways * more
    return found
