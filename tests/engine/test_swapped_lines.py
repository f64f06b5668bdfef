"""Two lines of a clean evening that stand in each other's place: one fault where it matters, and right sums."""

import pytest

from replay import desk
from tests.engine.bourre import walks as bourre_walks
from tests.walks import bura as bura_walks
from tests.walks.bura import Json, to_bytes

BURA = bura_walks.evening(
    11,
    seats=3,
    hands=6,
    habits=bura_walks.Habits(tells=0.3, opens=0.6, bluffs=0, moves=0, spoils=0, raises=0, commits=0, stacked=0),
)
CALM = bourre_walks.Habits(tells=0.3, moves=0, spoils=0, commits=0, strong=0)
BOURRE = bourre_walks.evening(7, seats=4, hands=6, habits=CALM)
WITHOUT_A_FEE = bourre_walks.evening(7, seats=4, hands=4, options={"draw_fee": "none"}, habits=CALM)
EVENINGS = {"bura": BURA, "bourre": BOURRE, "bourre without a fee": WITHOUT_A_FEE}
ONE_FAULT = {
    "bura": {"drew<>drew", "drew<>played", "played<>trick_taken", "trump_turned<>played", "hand_began<>staked"},
    "bourre without a fee": {"discarded<>drew", "stayed<>played"},
    "bourre": {
        *("drew<>stayed", "drew<>folded", "drew<>played", "stayed<>played"),
        *("trump_turned<>stayed", "trump_turned<>folded", "hand_began<>staked", "stayed<>folded", "folded<>folded"),
        *("dealt<>dealt", "played<>trick_taken", "trick_taken<>played"),
    },
}
"""Neighbours that a scorekeeper may write down in the wrong order, and what that is told as: one error."""


def pair(events: list[Json], at: int) -> str:
    return f"{events[at]['type']}<>{events[at + 1]['type']}"


def nets(report: Json) -> list[Json]:
    return [{seat: each["net_due"] for seat, each in hand["seats"].items()} for hand in report["hands"]]


def swapped(events: list[Json], at: int) -> Json:
    first, second = events[at] | {"seq": at + 1}, events[at + 1] | {"seq": at}
    report = desk.verify(to_bytes([*events[:at], second, first, *events[at + 2 :]]))
    assert report["format"] == "razbor-report/1"
    return report


def places() -> list[tuple[str, int]]:
    return [
        (game, at)
        for game, events in EVENINGS.items()
        for at in range(1, len(events) - 2)
        if pair(events, at) in ONE_FAULT[game]
    ]


def test_both_evenings_have_what_is_asked_of_them() -> None:
    found = {(game, pair(EVENINGS[game], at)) for game, at in places()}
    assert found == {(game, each) for game, pairs in ONE_FAULT.items() for each in pairs}


@pytest.mark.parametrize(("game", "at"), places())
def test_neighbours_in_the_wrong_order_are_one_fault(game: str, at: int) -> None:
    events = EVENINGS[game]
    report = swapped(events, at)
    assert len([each for each in report["findings"] if each["severity"] == "error"]) == 1
    assert nets(report) == nets(desk.verify(to_bytes(events)))
