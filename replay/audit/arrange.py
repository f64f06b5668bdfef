"""Arrangements of the cards of one scene: every lay its card, every card from a take of the same seat, in time.

A relaxed problem - lays and cards only - is solved as an assignment; where its answer takes cards from a hand that
did not have them, the search branches, so that what comes out is exact or says that it is not.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from replay.audit.assignment import assign
from replay.audit.board import Board, Holding
from replay.audit.effort import spend
from schemas.cards import spread

NODES: Final = 400
"""So many relaxed problems one question may cost."""
_IN_HAND: Final = -1
Aim = tuple[Sequence[int], int]
"""Weights by lay and a limit: the sum of weight times points is not to be above it."""
Split = Callable[[tuple[int, ...]], Iterable[tuple[int, ...]]]


@dataclass(frozen=True, slots=True)
class Optimum:
    """The least sum (`value`), a card for each lay that reaches it, and the problems solved.

    With `exact` false the search was cut off: the true value is not below `value`, and `cards` may reach only more.
    Nothing fits where `cards` is None and `exact` is true.
    """

    value: int
    cards: tuple[int, ...] | None
    exact: bool
    nodes: int


@dataclass(frozen=True, slots=True)
class _Node:
    """A part of the search: masks so narrowed, and where the half-known takes decided so far went."""

    bound: int
    masks: tuple[int, ...]
    plan: tuple[tuple[int, int], ...] = ()


class Search:
    """Branch and bound over one board; `masks` may be narrower than the board's."""

    def __init__(self, board: Board, points: Sequence[int]) -> None:
        self.board = board
        self.points = points
        self.checked = {seat: hand for seat, hand in board.hands.items() if hand.known or hand.halves}
        self._solved: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[int, ...] | None] = {}

    def least(self, weights: Sequence[int], masks: Sequence[int] | None = None, nodes: int = NODES) -> Optimum:
        """The least sum of weight times points over all arrangements; weights go by lay."""
        best: int | None = None
        found: tuple[int, ...] | None = None
        stack = [_Node(-(1 << 40), tuple(self.board.masks if masks is None else masks))]
        spent = 0
        while stack:
            node = stack.pop()
            if best is not None and node.bound >= best:
                continue
            if spent >= nodes:
                bounds = [open_node.bound for open_node in (*stack, node)] + ([] if best is None else [best])
                return Optimum(min(bounds), found, False, spent)
            spent += 1
            cards = self._relaxed(node, weights)
            if cards is None:
                continue
            value = self._sum(weights, cards)
            if best is not None and value >= best:
                continue
            children = self._branch(node, cards, value)
            if children is None:
                best, found = value, tuple(cards[: len(weights)])
            else:
                stack += reversed(list(children))
        return Optimum(0 if best is None else best, found, True, spent)

    def fits(self, aims: Sequence[Aim], split: Split, nodes: int = NODES) -> bool | None:
        """Whether one arrangement keeps every aim; None where the search was cut off.

        `split` cuts masks into parts by the points of one card of the piles aimed at; it gives none where all of
        those are decided.
        """
        together = (
            [sum(parts) for parts in zip(*(weights for weights, _ in aims), strict=True)],
            sum(limit for _, limit in aims),
        )
        tests = [together, *aims] if len(aims) > 1 else list(aims)
        stack = [_Node(0, tuple(self.board.masks))]
        for _ in range(nodes):
            if not stack:
                return False
            node = stack.pop()
            cards = self._aimed(node, tests, aims)
            if cards is None:
                continue
            if cards:
                children = self._branch(node, cards, 0)
                if children is None:
                    return True
                stack += reversed(list(children))
            else:
                stack += [_Node(0, part, node.plan) for part in split(node.masks)]
        return None if stack else False

    def _aimed(self, node: _Node, tests: Sequence[Aim], aims: Sequence[Aim]) -> list[int] | None:
        """Cards that keep every aim, hands left aside; empty where none were found; None where there are none."""
        for weights, limit in tests:
            cards = self._relaxed(node, weights)
            if cards is None or self._sum(weights, cards) > limit:
                return None
            for _ in range(len(aims) * 4):
                if all(self._sum(each, cards) <= most for each, most in aims):
                    return cards
                if not self._exchange(node, cards, aims):
                    break
        return []

    def _sum(self, weights: Sequence[int], cards: Sequence[int]) -> int:
        points = self.points
        return sum(weight * points[card] for weight, card in zip(weights, cards, strict=False) if weight)

    def _exchange(self, node: _Node, cards: list[int], aims: Sequence[Aim]) -> bool:
        """Change the cards of two places where that brings the aims nearer; False where none does."""
        points = self.points
        over = [max(0, self._sum(weights, cards) - limit) for weights, limit in aims]
        slack = [self._sum(weights, cards) - limit for weights, limit in aims]
        loose = [index for index, mask in enumerate(node.masks) if mask & (mask - 1)]
        best, swap = sum(over), None
        for place, one in enumerate(loose):
            for two in loose[place + 1 :]:
                more = points[cards[two]] - points[cards[one]]
                if not more or not node.masks[one] >> cards[two] & node.masks[two] >> cards[one] & 1:
                    continue
                pairs = zip(slack, aims, strict=True)
                after = sum(max(0, now + (weights[one] - weights[two]) * more) for now, (weights, _) in pairs)
                if after < best:
                    best, swap = after, (one, two)
        if swap is None:
            return False
        one, two = swap
        cards[one], cards[two] = cards[two], cards[one]
        return True

    def _relaxed(self, node: _Node, weights: Sequence[int]) -> list[int] | None:
        kept = [self._half(half)[1] & ~self.board.must for half, where in node.plan if where == _IN_HAND]
        extra = [*self.board.extra, *kept]
        asked = (*node.masks, *extra), (*weights, *[0] * len(extra))
        if asked in self._solved:
            spend()
        else:
            cards = assign(*asked, self.points, self.board.owned, self.board.must)
            self._solved[asked] = None if cards is None else tuple(cards)
        solved = self._solved[asked]
        return None if solved is None else list(solved)

    def _half(self, half: int) -> tuple[int, int]:
        """Time and mask of a half-known take: of its cards, those no seat is known to have taken."""
        for hand in self.checked.values():
            if half in hand.halves:
                at, mask = hand.halves[half]
                return at, mask & ~self.board.owned
        raise KeyError(half)

    def _branch(self, node: _Node, cards: list[int], value: int) -> Iterator[_Node] | None:
        """None where the cards can have come from the hands; else the parts that together hold every arrangement."""
        plan = dict(node.plan)
        for hand in self.checked.values():
            free = [
                (at, index)
                for at, index in hand.gone
                if index not in plan.values() and (index < 0 or not hand.known >> cards[index] & 1)
            ]
            open_halves = [half for half in hand.halves if half not in plan]
            if open_halves:
                if not self._supplied(hand, free, open_halves, cards):
                    return self._over_half(node, hand, open_halves[0], value)
            else:
                short = _first_short(free, sorted(hand.unknown))
                if short is not None:
                    return self._over_kind(node, hand, free[: short + 1], value)
        waiting = [half for hand in self.checked.values() for half in hand.halves if half not in plan]
        lost = self._homeless(waiting, plan, cards)
        if lost is not None:
            hand = next(hand for hand in self.checked.values() if lost in hand.halves)
            return self._over_half(node, hand, lost, value)
        return None

    def _over_kind(self, node: _Node, hand: Holding, free: list[tuple[int, int]], value: int) -> Iterator[_Node]:
        """One of these lays was of a card its seat is known to have taken: this one, or another."""
        for _, index in free:
            if index >= 0 and node.masks[index] & hand.known and node.masks[index] & ~hand.known:
                for part in (hand.known, ~hand.known):
                    yield _Node(value, _narrowed(node.masks, index, part), node.plan)
                return

    def _over_half(self, node: _Node, hand: Holding, half: int, value: int) -> Iterator[_Node]:
        """The half-known card was laid here, or there, or stayed in the hand."""
        at, mask = self._half(half)
        decided = {index for _, index in node.plan}
        for time, index in hand.gone:
            if time <= at or index in decided:
                continue
            if index < 0:
                if self.board.shown[index] & hand.halves[half][1]:
                    yield _Node(value, node.masks, (*node.plan, (half, index)))
            elif node.masks[index] & mask:
                yield _Node(value, _narrowed(node.masks, index, mask), (*node.plan, (half, index)))
        yield _Node(value, node.masks, (*node.plan, (half, _IN_HAND)))

    def _supplied(self, hand: Holding, free: list[tuple[int, int]], halves: list[int], cards: list[int]) -> bool:
        """Whether each of these cards can have come from an unknown or half-known take of its own before it."""
        takes = [(at, -1) for at in hand.unknown] + [hand.halves[half] for half in halves]
        ways = []
        for time, index in free:
            card = self.board.shown[index] if index < 0 else 1 << cards[index]
            ways.append([number for number, (at, mask) in enumerate(takes) if at < time and card & mask])
        return _matched(ways) is None

    def _homeless(self, halves: list[int], plan: dict[int, int], cards: list[int]) -> int | None:
        """A half-known take left without a card, where each needs one of its own: laid, or not laid by anybody."""
        if not halves:
            return None
        used = sum(1 << card for card in cards)
        ways = []
        for half in halves:
            hand = next(hand for hand in self.checked.values() if half in hand.halves)
            at, mask = self._half(half)
            way = spread(mask & ~used)
            for time, index in hand.gone:
                if time > at and index not in plan.values():
                    card = self.board.shown[index] if index < 0 else 1 << cards[index]
                    if card & (hand.halves[half][1] if index < 0 else mask):
                        way.append(1000 + index if index >= 0 else index)
            ways.append(way)
        lost = _matched(ways)
        return None if lost is None else halves[lost]


def _narrowed(masks: tuple[int, ...], index: int, part: int) -> tuple[int, ...]:
    return (*masks[:index], masks[index] & part, *masks[index + 1 :])


def _first_short(free: list[tuple[int, int]], unknown: list[int]) -> int | None:
    """The first of these cards, in time order, for which too few unknown takes came before it."""
    ready = 0
    for count, (time, _) in enumerate(free):
        while ready < len(unknown) and unknown[ready] < time:
            ready += 1
        if count >= ready:
            return count
    return None


def _matched(ways: list[list[int]]) -> int | None:
    """None where each entry can have one of its ways to itself, else the index of one that cannot."""
    holder: dict[int, int] = {}

    def place(entry: int, tried: set[int]) -> bool:
        for way in ways[entry]:
            if way not in tried:
                tried.add(way)
                if way not in holder or place(holder[way], tried):
                    holder[way] = entry
                    return True
        return False

    for entry in range(len(ways)):
        if not place(entry, set()):
            return entry
    return None
