"""Distinct cards for places at the least cost: the assignment problem, solved exactly in integers.

Places that may hold the same cards, and cards that may lie in the same places for the same points, are counted
together; what is left is a small transportation problem, filled along shortest paths.
"""

from collections.abc import Sequence
from typing import Final

from replay.audit.effort import spend
from schemas.cards import spread

_MUST: Final = 1 << 40
_SCALE: Final = 64
"""More than there are places: a preference never outweighs a point."""
_FAR: Final = 1 << 60


def assign(
    masks: Sequence[int], weights: Sequence[int], points: Sequence[int], preferred: int = 0, must: int = 0
) -> list[int] | None:
    """A distinct card for each place so that the sum of weight times points is least; None where there is none.

    `masks[i]` are the cards place `i` may hold, `weights[i]` what a point in it costs, `points` go by card. Every card
    of `must` is used. Among equals more cards of `preferred` are used, and the first places of a kind get them.

    >>> assign([0b111, 0b110], [1, 0], [5, 3, 4])
    [1, 2]
    """
    spend()
    cards = [-1] * len(masks)
    taken = _settle(masks, cards)
    if taken is None:
        return None
    members: dict[tuple[int, int], list[int]] = {}
    for place, card in enumerate(cards):
        if card < 0:
            members.setdefault((masks[place] & ~taken, weights[place]), []).append(place)
    if members and not _fill(members, cards, points, preferred, must):
        return None
    if must and sum(1 << card for card in cards if must >> card & 1) != must:
        return None
    return cards


def _settle(masks: Sequence[int], cards: list[int]) -> int | None:
    """Fill the places that leave no choice; the mask of the cards this takes, None where two need the same."""
    taken = 0
    waiting = list(range(len(masks)))
    while True:
        before = taken
        rest = []
        for place in waiting:
            mask = masks[place] & ~taken
            if not mask:
                return None
            if mask & (mask - 1):
                rest.append(place)
            else:
                cards[place] = mask.bit_length() - 1
                taken |= mask
        waiting = rest
        if taken == before:
            return taken


def _fill(
    members: dict[tuple[int, int], list[int]], cards: list[int], points: Sequence[int], preferred: int, must: int
) -> bool:
    """Fill the groups of like places; False where there are not cards enough."""
    groups = list(members)
    union = 0
    for mask, _ in groups:
        union |= mask
    kinds: dict[tuple[int, int, int, int], list[int]] = {}
    for card in spread(union):
        where = sum(1 << at for at, (mask, _) in enumerate(groups) if mask >> card & 1)
        kinds.setdefault((where, points[card], preferred >> card & 1, must >> card & 1), []).append(card)
    costs = [
        [
            weight * worth * _SCALE - liked - needed * _MUST if where >> at & 1 else _FAR
            for where, worth, liked, needed in kinds
        ]
        for at, (_, weight) in enumerate(groups)
    ]
    demand = [len(places) for places in members.values()]
    flow = _transport(costs, demand, [len(same) for same in kinds.values()])
    if flow is None:
        return False
    left = list(kinds.values())
    order = sorted(range(len(left)), key=lambda kind: -(preferred >> left[kind][0] & 1))
    for at, places in enumerate(members.values()):
        given = [left[kind].pop() for kind in order for _ in range(flow[at][kind])]
        for place, card in zip(places, given, strict=True):
            cards[place] = card
    return True


def _transport(costs: list[list[int]], demand: list[int], supply: list[int]) -> list[list[int]] | None:
    """How many of each kind go to each group, at least cost, every demand met; None where it cannot be met."""
    flow = [[0] * len(supply) for _ in demand]
    ways = [[(kind, cost) for kind, cost in enumerate(row) if cost < _FAR] for row in costs]
    holders: list[set[int]] = [set() for _ in supply]
    while any(demand):
        from_group, from_kind, distance = _shortest(costs, ways, demand, holders)
        ends = [kind for kind, count in enumerate(supply) if count and distance[kind] < _FAR // 2]
        if not ends:
            return None
        end = min(ends, key=distance.__getitem__)
        path = []
        kind = end
        while kind >= 0:
            group = from_group[kind]
            path.append((group, kind))
            kind = from_kind[group]
        first = path[-1][0]
        backs = [flow[group][path[step + 1][1]] for step, (group, _) in enumerate(path[:-1])]
        amount = min(supply[end], demand[first], *backs)
        for step, (group, kind) in enumerate(path):
            flow[group][kind] += amount
            holders[kind].add(group)
            if step + 1 < len(path):
                back = path[step + 1][1]
                flow[group][back] -= amount
                if not flow[group][back]:
                    holders[back].discard(group)
        supply[end] -= amount
        demand[first] -= amount
    return flow


def _shortest(
    costs: list[list[int]], ways: list[list[tuple[int, int]]], demand: list[int], holders: list[set[int]]
) -> tuple[list[int], list[int], list[int]]:
    """Cheapest ways from the groups still waiting to each kind: group before a kind, kind before a group, cost.

    `ways` are the kinds each group may have and what they cost it, `holders` the groups that have some of a kind.
    """
    at_group = [0 if count else _FAR for count in demand]
    at_kind = [_FAR] * len(holders)
    from_group, from_kind = [-1] * len(holders), [-1] * len(demand)
    moved = {group for group, count in enumerate(demand) if count}
    while moved:
        touched = set()
        for group in moved:
            base = at_group[group]
            for kind, cost in ways[group]:
                if base + cost < at_kind[kind]:
                    at_kind[kind] = base + cost
                    from_group[kind] = group
                    touched.add(kind)
        moved = set()
        for kind in touched:
            reached = at_kind[kind]
            for group in holders[kind]:
                if reached - costs[group][kind] < at_group[group]:
                    at_group[group] = reached - costs[group][kind]
                    from_kind[group] = kind
                    moved.add(group)
    return from_group, from_kind, at_kind
