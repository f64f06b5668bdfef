"""Placements of a pile's unseen cards against a walk through every arrangement, one by one."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recorder import intake
from replay import desk
from replay.audit.amend import read
from replay.audit.clocks import course
from replay.audit.moments import Moments, cuts_of
from replay.audit.placements import TOO_MANY, Placements, placements
from replay.audit.places import Lay, Scene, Take, bounds
from replay.audit.sight import redact
from replay.audit.stand import Moment
from schemas.cards import CODE, DOMAIN, PACK, spread
from schemas.events import HandBegan, Opened, TrickTaken, Unseen
from tests.audit.oracle import Oracle, pack_of, points, position
from tests.audit.test_dispute import hand_of, quarrel, rules_of, seen_as, together, with_words, words_in
from tests.audit.test_places import SEATS, keeps, scenes, ways_to_lay, ways_to_take
from tests.check_cases import recording_path
from tests.walks.bura import to_bytes

ALL = list(HealthCheck)


def every_placement(scene: Scene, seat: int) -> set[tuple[int, ...]]:
    """The cards of the seat's pile, lay by lay, in every arrangement."""
    pile = [at for at, lay in enumerate(scene.lays) if lay.pile == seat]
    return {
        tuple(laid[at] for at in pile)
        for taken in ways_to_take(scene, 0, 0)
        for laid in ways_to_lay(scene, taken, 0, frozenset())
        if keeps(scene, taken, laid)
    }


@settings(max_examples=250, deadline=None, suppress_health_check=ALL)
@given(scenes(), st.integers(1, 24))
def test_they_are_those_of_a_walk_through_every_arrangement(scene: Scene, target: int) -> None:
    for seat in SEATS:
        ways = every_placement(scene, seat)
        found = placements(scene, seat, target)
        if found is None:
            assert len(ways) == 1
        elif found != TOO_MANY:
            assert found.all == len(ways)
            assert found.reach == sum(sum(scene.points[card] for card in way) >= target for way in ways)


def test_few_scenes_are_too_many_to_count() -> None:
    counted: list[bool] = []

    @settings(max_examples=80, deadline=None, suppress_health_check=ALL, database=None, derandomize=True)
    @given(scenes())
    def look(scene: Scene) -> None:
        counted.extend(placements(scene, seat, 10) != TOO_MANY for seat in SEATS)

    look()
    assert sum(counted) > 0.97 * len(counted)


def compare(events: list[Any], view: str, at: int, oracle: Oracle, believe: tuple[int, ...] = ()) -> None:
    recording: Any = intake.read(to_bytes(events))
    hand = hand_of(seen_as(events, view))[0]["hand"]
    found = course(recording, desk.house_of(recording), Moment(hand, at, view, believe)).placements
    for seat in SEATS:
        keys = oracle.pile(seat)
        ways = {tuple(way[key] for key in keys) for way in oracle.ways}
        if seat in found and found[seat] != TOO_MANY:
            reach = sum(sum(map(points, way)) >= 31 for way in ways)
            assert found[seat] == Placements(reach, len(ways))
        elif seat not in found:
            assert len({frozenset(way) for way in ways}) == 1 or len(ways) == 1


@settings(max_examples=30, deadline=None, suppress_health_check=ALL)
@given(st.integers(0, 2**32))
def test_in_any_view_they_are_those_of_a_walk(seed: int) -> None:
    events, view, at, _ = quarrel(seed, 3)
    whole = hand_of(seen_as(events, view))
    hand = [event for event in whole if event["seq"] <= at]
    pack, rules = pack_of(rules_of(events)["pack"]), rules_of(events)
    compare(events, view, at, Oracle(position(hand, whole, pack, {}, rules), 31))


@settings(max_examples=30, deadline=None, suppress_health_check=ALL)
@given(st.integers(0, 2**32), st.randoms(use_true_random=False))
def test_with_words_believed_they_are_those_of_a_walk(seed: int, rng: Any) -> None:
    events, view, at, played = quarrel(seed, 3)
    events = with_words(events, played, rng)
    believe = tuple(range(1, len(events[0]["seats"]) + 1))
    whole = hand_of(seen_as(events, view))
    hand = [event for event in whole if event["seq"] <= at]
    pack = pack_of(rules_of(events)["pack"])
    answer = desk.dispute(to_bytes(events), hand=hand[0]["hand"], at=at, view=view, believe=believe)
    wrong = {each["seq"] for each in answer["contradictions"]}
    kept = [word for word in words_in(events, believe, at, pack) if word[1] not in wrong]
    compare(events, view, at, Oracle(position(hand, whole, pack, together(kept), rules_of(events)), 31), believe)


# -- by hand ------------------------------------------------------------------------------------------------------


def unseen(count: int, takes: int = 3, known: str = "") -> Scene:
    """A pile of seat 1 that holds `count` cards which seat 2 laid unseen, and the cards named."""
    face = [DOMAIN[CODE[card]] for card in known.split()]
    own = tuple(Take(1, 0, card) for card in face)
    lays = tuple(Lay(1, 1, card, 1) for card in face)
    return Scene(PACK[36], (*own, *(Take(2, 0, -1) for _ in range(takes))), (*lays, *(Lay(2, 1, -1, 1),) * count))


@pytest.mark.parametrize(
    ("scene", "reach", "whole"),
    [
        (unseen(1, known="As Ts Ks Qs"), 12, 32),  # 28 points seen; an ace, a ten, a king or a queen reaches 31
        (unseen(1, known="As Ah"), 2 + 4, 34),  # 22 seen; nine are lacking: two aces and four tens
        (unseen(2, known="As Ah"), 34 * 33 - 28 * 27, 34 * 33),  # no ace and no ten among them: at most 8 more
    ],
)
def test_by_hand(scene: Scene, reach: int, whole: int) -> None:
    found = placements(scene, 1, 31)
    assert found is not None
    assert (found.all, found.reach) == (whole, reach)


def test_a_dozen_unseen_cards_are_counted_exactly() -> None:
    takes = tuple(Take(seat, 0, -1) for seat in (2, 3, 4, 5, 6) for _ in range(3))
    lays = tuple(Lay(seat, 1, -1, 1) for seat in (2, 3, 4, 5) for _ in range(3))
    scene = Scene(PACK[36], takes, lays)
    found = placements(scene, 1, 31)
    assert found is not None
    product = 1
    for number in range(36, 24, -1):
        product *= number
    assert found.all == product
    assert found.reach is not None
    assert 0 < found.reach < found.all
    low, high = bounds(scene, 1).low, bounds(scene, 1).high
    assert (low, high) == (0, 100)
    lowest, highest = placements(scene, 1, 1), placements(scene, 1, high)
    assert lowest
    assert highest
    assert lowest.all == product
    assert lowest.reach == product - _ordered(16, 12)
    assert highest.reach == _ordered(12, 12)


def _ordered(cards: int, places: int) -> int:
    product = 1
    for number in range(cards, cards - places, -1):
        product *= number
    return product


def test_what_contradicts_itself_is_not_counted() -> None:
    twice = Scene(PACK[36], (Take(1, 0, 1), Take(2, 0, 1), Take(2, 0, -1)), (Lay(2, 1, -1, 1),))
    assert placements(twice, 1, 31) is None


def test_every_card_seen_there_is_nothing_to_count() -> None:
    assert placements(unseen(0, known="As Ts"), 1, 31) is None


def test_too_many_ways_are_said_to_be_too_many() -> None:
    """Six places of one seat, each after another draw of known cards: the ways to share them out are no longer few."""
    cards = iter(spread(PACK[36]))
    takes = tuple(Take(2, at, 1 << next(cards)) for at in range(8) for _ in (0, 1))
    lays = tuple(Lay(2, at + 1, -1, 1) for at in range(8))
    assert placements(Scene(PACK[36], (*takes, *(Take(2, 0, -1),) * 9), lays), 1, 31) == TOO_MANY


# -- as the pages ask for them --------------------------------------------------------------------------------------

CASES = ("bura/dispute-open-01", "bura/dispute-open-02", "bura/dispute-believe-01", "bura/public-36a-001")


@pytest.mark.parametrize("view", ["full", "public", "seat:1"])
@pytest.mark.parametrize("name", CASES)
def test_a_step_and_a_dispute_count_the_same(name: str, view: str) -> None:
    recording: Any = intake.read(recording_path(name).read_bytes())
    house = desk.house_of(recording)
    seen = redact(recording, view, house.rules)
    first = next(at for at, event in enumerate(seen.events) if isinstance(event, HandBegan))
    moments = Moments(cuts_of(recording, view, house, "amended"), read(seen.events, "amended"), house, first)
    places = [at for at in range(first, moments.end) if isinstance(seen.events[at], Opened | TrickTaken)]
    for place in places:
        counted = course(recording, house, Moment(1, seen.events[place].seq, view)).placements
        for seat in range(1, len(recording.began.seats) + 1):
            assert moments.placements(place, seat) == counted.get(seat)


def test_nothing_is_counted_where_a_stretch_was_not_seen() -> None:
    recording: Any = intake.read(recording_path("bura/table-unseen-stretch").read_bytes())
    house = desk.house_of(recording)
    first = next(at for at, event in enumerate(recording.events) if isinstance(event, Unseen))
    began = max(at for at, event in enumerate(recording.events[:first]) if isinstance(event, HandBegan))
    moments = Moments(cuts_of(recording, "public", house, "amended"), recording.events, house, began)
    assert moments.placements(first, 1) is None
