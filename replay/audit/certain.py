"""What is certain of piles though no face tells it: places that together hold known cards, in whatever order."""

from typing import Final

from replay.audit.arrange import Search
from replay.audit.board import Board
from replay.audit.scene import Scene

NODES: Final = 20
"""So many relaxed problems it may cost to see that a place can hold no other card."""

Group = tuple[tuple[int, ...], int]
"""Lays of one pile, by index in the scene, and the mask of the cards that lie there: as many as the lays."""


def certain(scene: Scene, board: Board) -> list[Group]:
    """The groups of lays of one pile whose cards are certain: single faces, piles counted whole, hands known whole,
    and lays for which the seat can have had no other card."""
    masks = narrowed(scene, board)
    groups: list[Group] = [((at,), mask) for at, mask in enumerate(masks) if mask.bit_count() == 1]
    if "shown" not in board.dropped:
        groups += [(places, mask) for places, mask in scene.sets if mask.bit_count() == len(places)]
    for seat, hand in board.hands.items():
        laid = [at for at, lay in enumerate(scene.lays) if lay.seat == seat]
        rest = tuple(at for at in laid if masks[at].bit_count() > 1)
        left = hand.known & ~sum({masks[at] for at in laid if masks[at].bit_count() == 1})
        if rest and not hand.spare and "hand" not in board.dropped and left.bit_count() == len(rest):
            groups.append((rest, left))
    groups = [group for group in groups if len({scene.lays[at].pile for at in group[0]}) == 1]
    return groups + _forced(scene, board, masks, {at for places, _ in groups for at in places})


def _forced(scene: Scene, board: Board, masks: tuple[int, ...], filled: set[int]) -> list[Group]:
    """The lays that must be of one card: without it no arrangement is left."""
    search, free = Search(board, scene.points), [0] * len(masks)
    cards = search.least(free, masks, NODES).cards
    found: list[Group] = []
    for at, lay in enumerate(scene.lays):
        if cards is None or at in filled or not board.hands[lay.seat].known >> cards[at] & 1:
            continue
        other = search.least(free, (*masks[:at], masks[at] & ~(1 << cards[at]), *masks[at + 1 :]), NODES)
        if other.cards is None and other.exact:
            found.append(((at,), 1 << cards[at]))
    return found


def narrowed(scene: Scene, board: Board) -> tuple[int, ...]:
    """The masks of the board; what a seat lays of which every card is known is one of those cards."""
    lent = "hand" in board.dropped
    whole = {seat: hand.known for seat, hand in board.hands.items() if not hand.spare and not lent}
    return tuple(mask & whole.get(lay.seat, mask) or mask for mask, lay in zip(board.masks, scene.lays, strict=True))
