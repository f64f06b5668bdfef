"""The course of the piles agrees with the dispute's own answer, and only grows."""

from pathlib import Path

import pytest

from recorder import intake
from replay import desk
from replay.audit.clocks import _widest, course
from replay.audit.dispute import Moment, NoSuchMomentError, dispute
from schemas.events import HandBegan, Recording

CASES = Path(__file__).parents[1] / "cases"
BURA = sorted(
    path
    for pattern in ("dispute-*", "public-36a-0[0-3]*", "table-*", "fault-molodka-*", "clean-0*")
    for path in CASES.glob(f"bura/{pattern}.bura.jsonl")
)


def recording(path: Path) -> Recording:
    found = intake.read(path.read_bytes())
    assert isinstance(found, Recording)
    return found


@pytest.mark.parametrize("path", BURA, ids=lambda path: path.name.partition(".")[0])
@pytest.mark.parametrize("view", ["full", "public"])
def test_the_last_trick_end_says_what_the_answer_says(path: Path, view: str) -> None:
    whole = recording(path)
    house = desk.house_of(whole)
    hands = {event.hand for event in whole.events if isinstance(event, HandBegan)}
    for hand in sorted(hands)[:4]:
        moment = Moment(hand, None, view)
        answer, found = dispute(whole, house, moment), course(whole, house, moment)
        if not found.tricks or answer["seats"][next(iter(answer["seats"]))]["points"]["low"] is None:
            continue
        for seat, span in found.tricks[-1].piles.items():
            points = answer["seats"][str(seat)]["points"]
            assert span == (points["low"], points["high"])
        for before, after in zip(found.tricks, found.tricks[1:], strict=False):
            assert all(after.piles[seat][0] >= low for seat, (low, _) in before.piles.items())


def test_hidden_cards_are_named_by_who_laid_them() -> None:
    whole = recording(CASES / "bura" / "dispute-open-01.bura.jsonl")
    found = course(whole, desk.house_of(whole), Moment(1, 24, "public"))
    places = [(one.pile, one.seat, one.seq, one.spot) for one in found.hidden]
    assert places == [(2, 1, 9, 0), (2, 1, 24, 0), (2, 1, 24, 1)]
    assert [(row.seq, row.taker) for row in found.tricks] == [(9, 2), (14, 1), (19, 2), (24, 2)]
    assert found.tricks[-1].piles == {1: (14, 14), 2: (24, 56)}


def test_where_no_points_count_there_is_no_course() -> None:
    whole = recording(CASES / "bourre" / "session-05.bourre.jsonl")
    assert not course(whole, desk.house_of(whole), Moment(1)).tricks


def test_a_hand_that_is_not_there_is_said_so() -> None:
    whole = recording(CASES / "bura" / "dispute-open-01.bura.jsonl")
    with pytest.raises(NoSuchMomentError):
        course(whole, desk.house_of(whole), Moment(7))


def test_of_several_ways_the_least_and_the_greatest_are_told() -> None:
    """By way, seat and trick taken; before its first trick a pile is empty in every way."""
    ways = [{1: {1: (0, 10), 3: (4, 30)}}, {1: {1: (5, 20), 3: (6, 25)}}]
    assert [_widest(ways, 1, count) for count in range(4)] == [(0, 0), (0, 20), (0, 20), (4, 30)]
