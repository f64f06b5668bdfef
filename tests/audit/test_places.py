"""Exact bounds of piles against a walk through every arrangement (`report.md` 5)."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from replay.audit.assignment import assign
from replay.audit.places import Lay, Scene, Show, Take, bounds, bounds_of, joint, possible
from schemas.cards import spread

WORTH = (11, 10, 4, 3, 2, 0, 0, 10)
SEATS = (1, 2, 3)
Sums = tuple[int, ...]


def ways_to_take(scene: Scene, index: int, used: int) -> Iterator[list[int]]:
    """Every way to give each take a card of its own."""
    if index == len(scene.takes):
        yield []
        return
    for card in spread(scene.takes[index].domain & scene.pack & ~scene.elsewhere & ~used):
        for rest in ways_to_take(scene, index + 1, used | 1 << card):
            yield [card, *rest]


def ways_to_lay(scene: Scene, taken: list[int], index: int, used: frozenset[int]) -> Iterator[list[int]]:
    """Every way to give each lay an earlier take of its seat, each take once: the cards laid."""
    if index == len(scene.lays):
        yield []
        return
    lay = scene.lays[index]
    for number, take in enumerate(scene.takes):
        fits = take.seat == lay.seat and take.at < lay.at and lay.domain >> taken[number] & 1
        if fits and number not in used:
            for rest in ways_to_lay(scene, taken, index + 1, used | {number}):
                yield [taken[number], *rest]


def keeps(scene: Scene, taken: list[int], laid: list[int]) -> bool:
    """Whether an arrangement agrees with what was counted and shown, and leaves cards for the places apart."""
    for indices, mask in scene.sets:
        inside = sum(1 << laid[index] for index in indices)
        if mask & ~inside or (mask.bit_count() == len(indices) and mask != inside):
            return False
    for show in scene.shows:
        card = show.card.bit_length() - 1
        held = any(
            take.seat == show.seat and take.at < show.at and got == card
            for take, got in zip(scene.takes, taken, strict=True)
        )
        if not held or any(got == card and lay.at < show.at for lay, got in zip(scene.lays, laid, strict=True)):
            return False
    left = scene.pack & ~scene.elsewhere & ~sum(1 << card for card in taken)
    return assign([mask & left for mask in scene.apart], [0] * len(scene.apart), [0] * 52) is not None


def every_sum(scene: Scene) -> set[Sums]:
    """The points of the piles of seats 1, 2, 3 in every arrangement."""
    found: set[Sums] = set()
    for taken in ways_to_take(scene, 0, 0):
        for laid in ways_to_lay(scene, taken, 0, frozenset()):
            sums = [0, 0, 0, 0]
            for lay, card in zip(scene.lays, laid, strict=True):
                sums[lay.pile] += scene.points[card]
            if tuple(sums[1:]) not in found and keeps(scene, taken, laid):
                found.add(tuple(sums[1:]))
    return found


@st.composite
def counted(draw: st.DrawFn, lays: list[Lay], laid: list[int]) -> list[tuple[tuple[int, ...], int]]:
    """Some of the cards that truly lie in a pile, shown when it is counted."""
    sets: list[tuple[tuple[int, ...], int]] = []
    for pile in (1, 2):
        indices = tuple(index for index, lay in enumerate(lays) if lay.pile == pile)
        if indices and draw(st.integers(0, 3)) == 0:
            shown = draw(st.lists(st.sampled_from(indices), unique=True))
            sets.append((indices, sum(1 << laid[index] for index in shown)))
    return sets


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    """A small scene that has at least one arrangement: cards are dealt, drawn, laid; then faces are forgotten."""
    size = draw(st.integers(4, 7))
    deck = draw(st.permutations(range(size)))
    takes: list[Take] = []
    lays: list[Lay] = []
    shows: list[Show] = []
    laid: list[int] = []
    holding: dict[int, list[int]] = {seat: [] for seat in SEATS}
    halves = st.sampled_from((0b111, 0b11100, 0b1110000, 0b1010101, 0b10000011))
    unseen = draw(st.sampled_from((0.2, 0.5, 0.9)))

    def domain(card: int) -> int:
        roll = draw(st.floats(0, 1))
        return 1 << card if roll > unseen else draw(halves) | 1 << card if roll < unseen / 3 else -1

    def step(at: int) -> None:
        seat = draw(st.sampled_from((1, 1, 2, 3)))
        kind = draw(st.sampled_from(("take", "lay", "lay", "show")))
        if kind == "take" or not holding[seat]:
            if len(takes) < min(size, 5):
                card = deck[len(takes)]
                takes.append(Take(seat, at, domain(card)))
                holding[seat].append(card)
        elif kind == "lay" and len(lays) < 4:
            card = holding[seat].pop(draw(st.integers(0, len(holding[seat]) - 1)))
            lays.append(Lay(seat, at, domain(card), draw(st.sampled_from((0, 1, 1, 2, 3)))))
            laid.append(card)
        elif kind == "show" and len(shows) < 2 and draw(st.integers(0, 2)) == 0:
            shows.append(Show(seat, at, 1 << draw(st.sampled_from(holding[seat]))))

    for at in range(draw(st.integers(3, 10))):
        step(at)
    sets = draw(counted(lays, laid))
    left = list(deck[len(takes) :])
    elsewhere = 1 << left.pop() if left and draw(st.integers(0, 1)) == 0 else 0
    apart = (draw(halves) | 1 << left.pop(),) if left and draw(st.integers(0, 3)) == 0 else ()
    return Scene(
        (1 << size) - 1, tuple(takes), tuple(lays), elsewhere, (*WORTH, *[0] * 44), tuple(sets), tuple(shows), apart
    )


def reaches(scene: Scene, seat: int, cards: tuple[int, ...] | None) -> int:
    """The points of a certificate, whose cards differ and lie where they may."""
    assert cards is not None
    named = [card for card in cards if card >= 0]
    assert len(set(named)) == len(named)
    assert all(card < 0 or lay.domain >> card & 1 for lay, card in zip(scene.lays, cards, strict=True))
    return sum(scene.points[card] for lay, card in zip(scene.lays, cards, strict=True) if lay.pile == seat)


def check_bounds(scene: Scene) -> None:
    sums = every_sum(scene)
    assert sums
    for seat, found in bounds_of(scene, SEATS).items():
        mine = {each[seat - 1] for each in sums}
        assert (found.low, found.high) == (min(mine), max(mine))
        assert found.exact
        assert not found.dropped
        assert reaches(scene, seat, found.best_low) == found.low
        assert reaches(scene, seat, found.best_high) == found.high


@settings(max_examples=1000, deadline=None, suppress_health_check=list(HealthCheck))
@given(scenes())
def test_bounds_are_those_of_a_walk_through_every_arrangement(scene: Scene) -> None:
    check_bounds(scene)


@pytest.mark.soak
@pytest.mark.timeout(0)
@settings(max_examples=25_000, deadline=None, suppress_health_check=list(HealthCheck))
@given(scenes())
def test_so_they_are_in_many_more_scenes(scene: Scene) -> None:
    check_bounds(scene)


@settings(max_examples=600, deadline=None, suppress_health_check=list(HealthCheck))
@given(scenes(), st.integers(1, 24))
def test_joint_answers_are_those_of_a_walk_through_every_arrangement(scene: Scene, target: int) -> None:
    sums = every_sum(scene)
    counts = {sum(points >= target for points in each) for each in sums}
    found = joint(scene, SEATS, target)
    assert found.exact
    assert found.at_least_one == ("must" if 0 not in counts else "cannot" if counts == {0} else "open")
    assert found.at_most_one == ("must" if max(counts) < 2 else "cannot" if min(counts) > 1 else "open")
    for one, two in combinations(SEATS, 2):
        both = any(each[one - 1] >= target > each[two - 1] for each in sums)
        assert possible(scene, {one: target}, {two: target}) is both


@st.composite
def quarrels(draw: st.DrawFn) -> Scene:
    """A scene of any claims whatever: cards twice, cards not held, more laid than taken, impossible counts."""
    domains = st.sampled_from((1, 2, 4, 64, 0b111, 0b11100, 0, 1 << 40, -1))
    seats = st.sampled_from(SEATS)
    times = st.integers(0, 6)
    takes = draw(st.lists(st.builds(Take, seats, times, domains), max_size=5))
    lays = draw(st.lists(st.builds(Lay, seats, times, domains, st.sampled_from((0, 1, 2))), max_size=4))
    shows = draw(st.lists(st.builds(Show, seats, times, st.sampled_from((1, 2, 64, 1 << 40))), max_size=2))
    indices: st.SearchStrategy[list[int]] = st.lists(
        st.integers(0, max(0, len(lays) - 1)), unique=True, max_size=len(lays)
    )
    sets = draw(st.lists(st.tuples(indices.map(tuple), st.integers(0, 300)), max_size=2))
    apart = draw(st.lists(domains, max_size=2))
    worth = (*WORTH, *[0] * 44)
    return Scene(
        127, tuple(takes), tuple(lays), draw(st.sampled_from((0, 1, 6))), worth, tuple(sets), tuple(shows), tuple(apart)
    )


@settings(max_examples=800, deadline=None, suppress_health_check=list(HealthCheck))
@given(quarrels())
def test_an_impossible_record_still_has_bounds_that_are_not_too_narrow(scene: Scene) -> None:
    sums = every_sum(scene)
    for seat, found in bounds_of(scene, SEATS).items():
        assert 0 <= found.low <= found.high
        mine = [each[seat - 1] for each in sums]
        if mine:
            assert found.low <= min(mine)
            assert found.high >= max(mine)
    joint(scene, SEATS, 10)


@settings(max_examples=600, deadline=None, suppress_health_check=list(HealthCheck))
@given(scenes(), st.data())
def test_more_knowledge_never_widens_a_bound(scene: Scene, data: st.DataObject) -> None:
    if not scene.lays:
        return
    before = bounds(scene, 1)
    assert before.best_high is not None
    index = data.draw(st.sampled_from(range(len(scene.lays))))
    if before.best_high[index] < 0:
        return
    known = replace(scene.lays[index], domain=1 << before.best_high[index])
    told = replace(scene, lays=(*scene.lays[:index], known, *scene.lays[index + 1 :]))
    after = bounds(told, 1)
    assert before.low <= after.low <= after.high == before.high
