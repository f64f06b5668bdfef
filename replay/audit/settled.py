"""Whose word would settle it: the smallest sets of seats whose face-down cards, whatever they are, decide an answer."""

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import Final

from replay.audit.arrange import Optimum, Search
from replay.audit.board import board_of
from replay.audit.certain import Group, certain, narrowed
from replay.audit.scene import Scene
from schemas.cards import spread

MOST_PARTS: Final = 250
"""So many parts of the question are looked at before a set of seats counts as not settling it."""
NODES: Final = 60
"""So many relaxed problems one sum may cost here."""
BUDGET: Final = 2400
"""So many relaxed problems all that is asked of the piles of one hand may cost."""
UNUSED: Final = frozenset({"shown", "hands", "cards"})
"""What is left out of a record that cannot be true of one pack: nobody's word makes sense of that."""

Masks = tuple[int, ...]
Answer = tuple[str, Optimum | None, Optimum | None]
"""`must`, `cannot`, `open`, or `never` where nothing fits; with the least and greatest sum where it is open."""


def settled_by(
    scene: Scene,
    seat: int,
    others: Sequence[int],
    target: int,
    groups: Sequence[Group] | None = None,
    budget: int = BUDGET,
) -> list[list[int]]:
    """The smallest sets of other seats whose word about the cards they laid face down settles whether the pile has
    `target` points; several where several are equally small, none where no word of theirs does (`report.md` 5).

    `groups` are those of `certain`, where they are known already; `budget` is this pile's share of `BUDGET`.
    """
    question = _Question(scene, seat, target, groups, budget)
    speakers = [other for other in others if other != seat and question.unknown({other})]
    known: dict[frozenset[int], bool] = {}

    def settles(group: tuple[int, ...]) -> bool:
        asked = frozenset(group)
        if asked not in known:
            hopeless = any(asked <= other for other, settled in known.items() if not settled)
            known[asked] = not hopeless and question.settles(group)
        return known[asked]

    if not speakers or not settles(tuple(speakers)):
        return []
    for group in combinations(speakers, len(speakers) - 1):  # where a large set does not, none of its parts does
        settles(group)
    for size in range(1, len(speakers) + 1):
        found = [list(group) for group in combinations(speakers, size) if settles(group)]
        if found:
            return found
    return []


class _Question:
    """Has one pile the target? Asked again and again, with more and more of its cards named."""

    def __init__(
        self, scene: Scene, seat: int, target: int, groups: Sequence[Group] | None = None, budget: int = BUDGET
    ) -> None:
        self.scene = scene
        self.seat = seat
        self.target = target
        self.board = board_of(scene)
        self.search = Search(self.board, scene.points)
        self.masks = narrowed(scene, self.board)
        self.settled = {at for places, _ in groups or certain(scene, self.board) for at in places}
        self.weights = [int(lay.pile == seat) for lay in scene.lays]
        self.against = [-weight for weight in self.weights]
        self.budget = budget
        self.spent = 0

    def unknown(self, seats: Collection[int]) -> list[int]:
        """The cards of these seats that somebody's word may name."""
        return [at for at, lay in enumerate(self.scene.lays) if lay.seat in seats and at not in self.settled]

    def settles(self, speakers: Collection[int]) -> bool:
        """Whether, once these seats have named their cards, the answer is must or cannot in every case."""
        theirs = self.unknown(speakers)
        if all(at in theirs or at in self.settled for at, weight in enumerate(self.weights) if weight):
            return True
        whole = self.masks
        if self.board.dropped & UNUSED or self._answer(whole)[0] == "never":
            return False
        stack = [whole]
        for _ in range(MOST_PARTS):
            if not stack or self.spent > self.budget:
                break
            masks = stack.pop()
            answer = self._answer(masks)
            if answer[0] == "open":
                if self._open_in_one(masks, theirs, answer):
                    return False
                stack += list(self._parts(masks, theirs))
        return not stack

    def _answer(self, masks: Masks) -> Answer:
        low = self._least(self.weights, masks)
        if low.cards is None and low.exact:
            return "never", None, None
        if low.value >= self.target:
            return "must", None, None
        high = self._least(self.against, masks)
        return ("cannot", None, None) if -high.value < self.target else ("open", low, high)

    def _least(self, weights: Sequence[int], masks: Masks) -> Optimum:
        found = self.search.least(weights, masks, NODES)
        self.spent += found.nodes
        return found

    def _open_in_one(self, masks: Masks, theirs: Sequence[int], answer: Answer) -> bool:
        """Whether one naming of all their cards still leaves the answer open: an extreme one, or one between."""
        extremes = [found.cards for found in answer[1:] if found is not None]
        if None in extremes or all(masks[at].bit_count() == 1 for at in theirs):
            return True
        low, high = ({at: cards[at] for at in theirs} for cards in extremes if cards is not None)
        ends = [self._named(masks, naming) for naming in (low, high)]
        if "open" in ends:
            return True
        while ends == ["cannot", "must"]:
            differing = [at for at in theirs if low[at] != high[at]]
            if len(differing) < 2:
                return False
            between = _exchanged(low, high, differing[: len(differing) // 2])
            if between in (low, high):
                return False
            answered = self._named(masks, between)
            if answered == "open":
                return True
            if answered == "cannot":
                low = between
            elif answered == "must":
                high = between
            else:
                return False
        return False

    def _named(self, masks: Masks, naming: dict[int, int]) -> str:
        named = tuple(mask & 1 << naming[at] if at in naming else mask for at, mask in enumerate(masks))
        return self._answer(named)[0]

    def _parts(self, masks: Masks, theirs: Sequence[int]) -> Iterator[Masks]:
        """The same question, cut by what one of their cards is worth, or else by which card it is."""
        order = sorted(theirs, key=lambda at: not self.weights[at])
        for at in order:
            by_worth: dict[int, int] = {}
            for card in spread(masks[at]):
                worth = self.scene.points[card]
                by_worth[worth] = by_worth.get(worth, 0) | 1 << card
            if len(by_worth) > 1:
                yield from ((*masks[:at], mask, *masks[at + 1 :]) for mask in by_worth.values())
                return
        for at in order:
            if masks[at].bit_count() > 1:
                yield from ((*masks[:at], 1 << card, *masks[at + 1 :]) for card in spread(masks[at]))
                return


def _exchanged(low: dict[int, int], high: dict[int, int], places: Sequence[int]) -> dict[int, int]:
    """The first naming, with these places named as in the second; a card that is needed elsewhere changes places."""
    between = dict(low)
    for at in places:
        holder = next((other for other, card in between.items() if card == high[at]), at)
        between[holder], between[at] = between[at], high[at]
    return between
