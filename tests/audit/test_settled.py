"""Whose word would settle it, against a walk through every arrangement (`report.md` 5, `settled_by`)."""

from itertools import combinations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from replay.audit.board import board_of
from replay.audit.certain import certain
from replay.audit.places import Lay, Scene, Take
from replay.audit.settled import settled_by
from tests.audit.test_places import SEATS, keeps, scenes, ways_to_lay, ways_to_take

POINTS = (11, 10, 4, 3, 2, 0, 0, 10, *[0] * 44)


def arrangements(scene: Scene) -> set[tuple[int, ...]]:
    """The cards of all lays in every arrangement."""
    return {
        tuple(laid)
        for taken in ways_to_take(scene, 0, 0)
        for laid in ways_to_lay(scene, taken, 0, frozenset())
        if keeps(scene, taken, laid)
    }


def by_hand(scene: Scene, seat: int, target: int, ways: set[tuple[int, ...]]) -> list[list[int]]:
    """The smallest sets of other seats so that, whatever they name, all arrangements left answer alike."""
    others = [other for other in SEATS if other != seat]

    def settles(group: tuple[int, ...]) -> bool:
        answers: dict[tuple[int, ...], set[bool]] = {}
        for way in ways:
            named = tuple(card for lay, card in zip(scene.lays, way, strict=True) if lay.seat in group)
            sum_ = sum(scene.points[card] for lay, card in zip(scene.lays, way, strict=True) if lay.pile == seat)
            answers.setdefault(named, set()).add(sum_ >= target)
        return all(len(each) == 1 for each in answers.values())

    if settles(()):
        return []
    for size in (1, 2):
        found = [list(group) for group in combinations(others, size) if settles(group)]
        if found:
            return found
    return []


@settings(max_examples=250, suppress_health_check=list(HealthCheck))
@given(scenes(), st.integers(1, 24))
def test_settled_by_is_that_of_a_walk_through_every_arrangement(scene: Scene, target: int) -> None:
    ways = arrangements(scene)
    for seat in SEATS:
        expected = by_hand(scene, seat, target, ways)
        own = [at for at, lay in enumerate(scene.lays) if lay.pile == seat]
        sums = {sum(scene.points[way[at]] for at in own) for way in ways}
        if min(sums) < target <= max(sums):
            assert sorted(settled_by(scene, seat, SEATS, target)) == expected


@settings(max_examples=250, suppress_health_check=list(HealthCheck))
@given(scenes())
def test_what_is_called_certain_lies_there_in_every_arrangement(scene: Scene) -> None:
    ways = arrangements(scene)
    for places, mask in certain(scene, board_of(scene)):
        for way in ways:
            assert sum(1 << way[at] for at in places) == mask


def scene_of(*lays: Lay) -> Scene:
    """Every lay's card was dealt to its seat unseen."""
    takes = tuple(Take(lay.seat, 0, -1) for lay in lays)
    return Scene(0b11111111, takes, lays, points=POINTS)


def test_the_one_who_laid_the_only_unseen_card_settles_it() -> None:
    scene = scene_of(Lay(1, 1, 1, 1), Lay(2, 2, -1, 1))
    assert settled_by(scene, 1, (1, 2, 3), 15) == [[2]]


def test_either_of_two_is_not_enough_where_both_are_needed() -> None:
    scene = scene_of(Lay(2, 1, -1, 1), Lay(3, 2, -1, 1))
    assert settled_by(scene, 1, (1, 2, 3), 14) == [[2, 3]]


def test_ones_own_word_settles_nothing() -> None:
    scene = scene_of(Lay(1, 1, -1, 1))
    assert settled_by(scene, 1, (1, 2, 3), 10) == []


def test_a_word_about_a_card_in_another_pile_may_settle_it() -> None:
    """Two cards are left for two places: whoever names the one has named the other."""
    scene = Scene(0b11, (Take(1, 0, -1), Take(2, 0, -1)), (Lay(1, 1, -1, 1), Lay(2, 2, -1, 2)), points=POINTS)
    assert settled_by(scene, 1, (1, 2), 11) == [[2]]
