"""Whose word would settle it: the smallest sets of seats whose face-down cards, whatever they are, decide an answer."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final

from replay.audit.places import Bounds, Scene, bounds
from schemas.cards import spread

MOST_PARTS: Final = 150
"""So many parts of the question are looked at before a set of seats counts as not settling it."""


def settled_by(scene: Scene, seat: int, others: Sequence[int], target: int) -> list[list[int]]:
    """The smallest sets of other seats whose word about the cards they laid face down settles whether the pile has
    `target` points; several where several are equally small, none where no word of theirs does (`report.md` 5)."""
    whole = bounds(scene, seat)
    speakers = [other for other in others if other != seat and _unknown(scene, {other})]
    for size in range(1, len(speakers) + 1):
        found = [list(group) for group in combinations(speakers, size) if settles(scene, seat, set(group), target, whole)]
        if found:
            return found
    return []


def _unknown(scene: Scene, seats: Collection[int]) -> list[int]:
    return [at for at, lay in enumerate(scene.lays) if lay.seat in seats and lay.domain.bit_count() != 1]


def settles(scene: Scene, seat: int, speakers: set[int], target: int, whole: Bounds | None = None) -> bool:
    """Whether, once these seats have named their face-down cards, the answer is must or cannot in every case.

    `whole` are the bounds of the pile with nothing named, where they are known already.
    """
    theirs = _unknown(scene, speakers)
    rest = [at for at, lay in enumerate(scene.lays) if lay.pile == seat and lay.domain.bit_count() != 1]
    if all(at in theirs for at in rest):
        return True
    stack = [scene]
    looked = 0
    while stack:
        part = stack.pop()
        looked += 1
        if looked > MOST_PARTS:
            return False
        found = whole if whole is not None and looked == 1 else bounds(part, seat)
        if not _open(found, target):
            continue
        if _open_in_one(part, seat, theirs, found, target):
            return False
        stack += list(_parts(part, theirs, seat))
    return True


def _open(found: Bounds, target: int) -> bool:
    return found.best_low is not None and found.low < target <= found.high


def _open_in_one(part: Scene, seat: int, theirs: Sequence[int], found: Bounds, target: int) -> bool:
    """Whether one naming of all their cards, taken from an extreme arrangement, still leaves the answer open."""
    for cards in (found.best_low, found.best_high):
        if cards is not None:
            named = _with(part, {at: 1 << cards[at] for at in theirs})
            if _open(bounds(named, seat), target):
                return True
    return all(part.lays[at].domain.bit_count() == 1 for at in theirs)


def _with(scene: Scene, masks: dict[int, int]) -> Scene:
    lays = tuple(replace(lay, domain=masks.get(at, lay.domain)) for at, lay in enumerate(scene.lays))
    return replace(scene, lays=lays)


def _parts(part: Scene, theirs: Sequence[int], seat: int) -> Iterator[Scene]:
    """The same question, cut by what one of their cards is worth, or else by which card it is."""
    order = sorted(theirs, key=lambda at: part.lays[at].pile != seat)
    for at in order:
        by_worth: dict[int, int] = {}
        for card in spread(part.lays[at].domain & part.pack):
            worth = part.points[card]
            by_worth[worth] = by_worth.get(worth, 0) | 1 << card
        if len(by_worth) > 1:
            yield from (_with(part, {at: mask}) for mask in by_worth.values())
            return
    for at in order:
        cards = spread(part.lays[at].domain & part.pack)
        if len(cards) > 1:
            yield from (_with(part, {at: 1 << card}) for card in cards)
            return
