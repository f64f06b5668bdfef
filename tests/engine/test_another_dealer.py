"""Another dealer than the one who dealt is written down for a hand that no rule gives to anybody: one fault."""

import pytest

from replay import desk
from tests.engine.bourre import walks as bourre_walks
from tests.walks import bura as bura_walks
from tests.walks.bura import Json, to_bytes
from tests.walks.script import told, verified

SEATS = 4
EVENINGS = {
    ("bura", seed): bura_walks.evening(
        seed,
        seats=SEATS,
        hands=2,
        habits=bura_walks.Habits(tells=0, declares=0, bluffs=0, moves=0, spoils=0, raises=0, commits=0, stacked=0),
    )
    for seed in (1, 2)
} | {
    ("bourre", seed): bourre_walks.evening(
        seed,
        preset="bourre/hoyle@1",
        seats=SEATS,
        hands=2,
        habits=bourre_walks.Habits(tells=0, moves=0, spoils=0, commits=0, strong=0),
    )
    for seed in (1, 2)
}


def judged(events: list[Json]) -> Json:
    report = desk.verify(to_bytes(events))
    assert report["format"] == "razbor-report/1"
    return report


def nets(report: Json) -> list[Json]:
    return [{seat: each["net_due"] for seat, each in hand["seats"].items()} for hand in report["hands"]]


@pytest.mark.parametrize(("game", "seed"), EVENINGS)
@pytest.mark.parametrize("more", [1, 2, 3])
def test_another_dealer_of_the_first_hand_is_told_at_the_first_deal(game: str, seed: int, more: int) -> None:
    """The first dealer is found by lot (`rules.md` 1.4, 4.2): the deal, the words and the lead show who it was."""
    events = EVENINGS[game, seed]
    seq = next(event["seq"] for event in events if event["type"] == "hand_began")
    dealer = (events[seq]["dealer"] + more - 1) % SEATS + 1
    report = judged([*events[:seq], events[seq] | {"dealer": dealer}, *events[seq + 1 :]])
    first = next(event["seq"] for event in events if event["type"] == "dealt")
    errors = [(each["seq"], each["code"]) for each in report["findings"] if each["severity"] == "error"]
    assert errors == [(first, "table/wrong-turn")]
    assert nets(report) == nets(judged(events))


def test_who_deals_from_another_seat_on_and_has_his_left_lead_is_told_once_too() -> None:
    """The recorded act stands: seat 3 has dealt, to seat 2 first, and seat 1 leads as it should."""
    start = ("stake_set 10", "hand 1 3", "ante 1 10", "ante 2 10", "ante 3 10")
    deal = ("deal 2 Td Qh 9h", "deal 3 6h 7h 8h", "deal 1 As Ks Ts", "turn 6c")
    assert told(verified(*start, *deal, "up 1 As", "down 2 9h", "down 3 6h", seats=3, closed=False)) == [
        (6, "wrong-turn")
    ]
