"""Arrangements of the cards of one scene: every lay its card, every card from a take of the same seat, in time.

A relaxed problem - lays and cards only - is solved as an assignment; where its answer takes cards from a hand that
did not have them, the search branches, so that what comes out is exact or says that it is not.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from replay.audit.assignment import assign
from replay.audit.scene import Scene, Show
from schemas.cards import spread

NODES: Final = 400
"""So many relaxed problems one question may cost."""
_IN_HAND: Final = -1


@dataclass
class Hand:
    """What one seat took and let go. Times are those of the scene.

    `unknown` are the times of takes that may be any card; `halves` takes of which something is known, by their number
    in the scene; `known` the mask of cards it certainly took. `gone` are its lays (index in the scene) and shows of
    cards that came from a take not known (index < 0), in time order.
    """

    unknown: list[int] = field(default_factory=list)
    halves: dict[int, tuple[int, int]] = field(default_factory=dict)
    known: int = 0
    gone: list[tuple[int, int]] = field(default_factory=list)
    spare: int = 0
    """Takes not known, less the cards that certainly came from them."""


@dataclass
class Board:
    """A scene made consistent, as far as single facts go: `masks` has the cards each lay may hold.

    `extra` are masks of further places, outside piles; `must` the cards that some lay must hold; `shown` the card
    of each show, by its negative index; `dropped` names what contradicted the rest and was not used.
    """

    masks: list[int]
    times: list[int]
    hands: dict[int, Hand]
    extra: list[int]
    must: int
    owned: int
    shown: dict[int, int]
    dropped: set[str]


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


def board_of(scene: Scene, *, with_shown: bool = True) -> Board:
    """The board of a scene: facts in the order of time, a later one that cannot be counts as unseen.

    `with_shown` false leaves out what was shown in hands and counted in piles.
    """
    builder = _Builder(scene)
    steps = [(take.at, 0, index) for index, take in enumerate(scene.takes)]
    steps += [(lay.at, 1, index) for index, lay in enumerate(scene.lays)]
    steps += [(show.at, 2, index) for index, show in enumerate(scene.shows if with_shown else ())]
    for _, kind, index in sorted(steps):
        (builder.take, builder.lay, builder.show)[kind](index)
    builder.close()
    if with_shown:
        builder.gather()
    elif scene.sets or scene.shows:
        builder.board.dropped.add("shown")
    return builder.board


class _Builder:
    """Reads a scene in time order; each fact is believed unless an earlier one excludes it."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.cards = scene.pack & ~scene.elsewhere
        self.owner: dict[int, tuple[int, int]] = {}
        self.placed = 0
        seats = {take.seat for take in scene.takes} | {lay.seat for lay in scene.lays}
        hands = {seat: Hand() for seat in sorted(seats | {show.seat for show in scene.shows})}
        extra = [mask & self.cards for mask in scene.apart if self.cards & ~mask]
        masks = [lay.domain & self.cards for lay in scene.lays]
        self.board = Board(masks, [lay.at for lay in scene.lays], hands, extra, 0, 0, {}, set())

    def take(self, index: int) -> None:
        take = self.scene.takes[index]
        mask = take.domain & self.cards
        hand = self.board.hands[take.seat]
        if mask and not mask & (mask - 1):
            if not mask & (self.board.owned | self.placed):
                self.owner[mask] = (take.seat, take.at)
                self.board.owned |= mask
                return
            self.board.dropped.add("take")
            mask = self.cards
        elif not mask:
            self.board.dropped.add("take")
            mask = self.cards
        hand.spare += 1
        if mask == self.cards:
            hand.unknown.append(take.at)
        else:
            hand.halves[index] = (take.at, mask)

    def lay(self, index: int) -> None:
        lay = self.scene.lays[index]
        mask = self.board.masks[index]
        hand = self.board.hands[lay.seat]
        hand.gone.append((lay.at, index))
        if mask and not mask & (mask - 1):
            seat = self.owner[mask][0] if mask in self.owner else 0
            fits = not mask & self.placed and (seat == lay.seat or (not seat and hand.spare > 0))
            if fits:
                hand.spare -= not seat
                self.placed |= mask
                return
            mask = 0
        if not mask:
            self.board.dropped.add("lay")
            self.board.masks[index] = self.cards

    def show(self, index: int) -> None:
        show: Show = self.scene.shows[index]
        card = show.card & self.cards
        hand = self.board.hands[show.seat]
        seat = self.owner[card][0] if card in self.owner else 0
        if not card or card & self.placed or (seat and seat != show.seat) or (not seat and hand.spare <= 0):
            self.board.dropped.add("show")
            return
        if not seat:
            hand.spare -= 1
            hand.gone.append((show.at, _shown_at(index)))
            self.board.shown[_shown_at(index)] = card
        self.owner[card] = (show.seat, show.at)
        self.board.owned |= card

    def close(self) -> None:
        """Every lay may hold free cards and what its seat had by then; a hand that laid too much had more."""
        board = self.board
        for card, (seat, _) in self.owner.items():
            board.hands[seat].known |= card
        for index, lay in enumerate(self.scene.lays):
            own = sum(card for card, (seat, at) in self.owner.items() if seat == lay.seat and at < lay.at)
            may = (self.cards & ~board.owned) | own
            if board.masks[index] & (board.masks[index] - 1):
                board.dropped |= set() if board.masks[index] & may else {"lay"}
                board.masks[index] = board.masks[index] & may or may
        board.extra = [mask & ~board.owned for mask in board.extra if mask & ~board.owned]
        self._lend()

    def _lend(self) -> None:
        board = self.board
        for seat, hand in board.hands.items():
            had = sorted(take.at for take in self.scene.takes if take.seat == seat)
            laid = sorted(lay.at for lay in self.scene.lays if lay.seat == seat)
            for count, at in enumerate(laid, 1):
                short = count - sum(time < at for time in had)
                if short > 0:
                    had += [at - 1] * short
                    hand.unknown += [at - 1] * short
                    board.dropped.add("hand")
            hand.gone.sort()
        if len(self.scene.takes) + len(self.scene.apart) > self.cards.bit_count():
            board.dropped.add("count")

    def gather(self) -> None:
        """Cards counted in a pile lie in its lays and nowhere else."""
        masks = self.board.masks
        for indices, mask in self.scene.sets:
            if mask & ~self.cards or mask.bit_count() > len(indices):
                self.board.dropped.add("shown")
                continue
            inside = set(indices)
            whole = mask.bit_count() == len(indices)
            for index, may in enumerate(masks):
                masks[index] = may & ~mask if index not in inside else may & mask if whole else may
            self.board.extra = [may & ~mask for may in self.board.extra]
            self.board.must |= 0 if whole else mask


def _shown_at(index: int) -> int:
    return _IN_HAND - 1 - index


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
            value = sum(weight * self.points[card] for weight, card in zip(weights, cards, strict=False) if weight)
            if best is not None and value >= best:
                continue
            children = self._branch(node, cards, value)
            if children is None:
                best, found = value, tuple(cards[: len(weights)])
            else:
                stack += reversed(list(children))
        return Optimum(0 if best is None else best, found, True, spent)

    def _relaxed(self, node: _Node, weights: Sequence[int]) -> list[int] | None:
        kept = [self._half(half)[1] for half, where in node.plan if where == _IN_HAND]
        extra = [*self.board.extra, *kept]
        slots = [*node.masks, *extra]
        return assign(slots, [*weights, *[0] * len(extra)], self.points, self.board.owned, self.board.must)

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

    def _over_kind(self, node: _Node, hand: Hand, free: list[tuple[int, int]], value: int) -> Iterator[_Node]:
        """One of these lays was of a card its seat is known to have taken: this one, or another."""
        for _, index in free:
            if index >= 0 and node.masks[index] & hand.known and node.masks[index] & ~hand.known:
                for part in (hand.known, ~hand.known):
                    yield _Node(value, _narrowed(node.masks, index, part), node.plan)
                return

    def _over_half(self, node: _Node, hand: Hand, half: int, value: int) -> Iterator[_Node]:
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

    def _supplied(self, hand: Hand, free: list[tuple[int, int]], halves: list[int], cards: list[int]) -> bool:
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
