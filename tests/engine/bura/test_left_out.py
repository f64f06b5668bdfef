"""A card left out of a line of the deal or a draw: told once there, and the hand goes on as if it were in it."""

from dataclasses import replace

import pytest

from replay import desk
from tests.walks import bura as walks
from tests.walks.bura import Json, to_bytes
from tests.walks.script import START, Codes, made, told, verified

TOO_FEW = "table/wrong-card-count"
CALM = walks.Habits(tells=0, opens=0.6, bluffs=0, moves=0, spoils=0, raises=0, commits=0, stacked=0)
EVENINGS = [walks.evening(4, seats=3, hands=3, habits=CALM), walks.evening(8, seats=5, hands=3, habits=CALM)]
"""Of the three some cards never come to light; with five the stock is drawn to its last card, the turn-up."""
LINES = [(evening, event["seq"]) for evening in EVENINGS for event in evening if event["type"] == "dealt"]


def judged(events: list[Json], view: str = "full") -> Json:
    report = desk.verify(to_bytes(events), view=view)
    assert report["format"] == "razbor-report/1"
    return report


def errors_of(report: Json) -> list[tuple[int, str]]:
    return [(each["seq"], each["code"]) for each in report["findings"] if each["severity"] == "error"]


def nets(report: Json) -> list[Json]:
    return [{seat: each["net_due"] for seat, each in hand["seats"].items()} for hand in report["hands"]]


@pytest.mark.parametrize(("evening", "seq"), LINES)
@pytest.mark.parametrize(("spot", "view"), [(0, "full"), (1, "full"), (2, "full"), (0, "public"), (2, "public")])
def test_a_card_left_out_of_the_deal_is_one_fault(evening: list[Json], seq: int, spot: int, view: str) -> None:
    """For the table, too, which sees of it only that the seat lays, or shows, a card more than it got."""
    right = evening[seq]
    cards = [card for place, card in enumerate(right["cards"]) if place != spot]
    report = judged([*evening[:seq], right | {"cards": cards}, *evening[seq + 1 :]], view)
    assert errors_of(report) == [(seq, TOO_FEW)]
    assert nets(report) == nets(judged(evening, view))


def test_a_card_left_out_of_a_draw_is_one_fault_for_the_table_too() -> None:
    """The last trick shows it: who laid all that it got lays one card more, and nobody is due to draw that one."""
    evening = walks.evening(1, seats=2, hands=1, habits=replace(CALM, opens=0))
    drawn = [event for event in evening if event["type"] == "drew"]
    for event in (drawn[0], drawn[len(drawn) // 2]):
        cards = event["cards"][1:]
        report = judged([*evening[: event["seq"]], event | {"cards": cards}, *evening[event["seq"] + 1 :]], "public")
        assert errors_of(report) == [(event["seq"], TOO_FEW)]


FEW = (*START, "deal 1 As Ks", "deal 2 Th Qd 9c", "turn 6d")
"""Seat 1 got two cards: told at its deal, seq 5."""
ONCE = [(5, "wrong-card-count")]


@pytest.mark.parametrize(
    ("lines", "codes"),
    [
        (("up 1 As", "down 2 9c", "draw 1 Ac", "draw 2 Ad"), ONCE),
        (("up 1 As", "down 2 9c", "draw 1 Ac 8h", "draw 2 Ad"), ONCE),
        (("up 1 As", "down 2 9c", "draw 1 Ac 8h 8s", "draw 2 Ad"), [*ONCE, (10, "wrong-card-count")]),
        (("up 1 As", "down 2 9c", "draw 1 Ac", "draw 2 Ad", "up 1 Qs", "up 2 Qd"), ONCE),
        (("up 1 As", "down 2 9c", "draw 1 Ac 8h", "draw 2 Ad", "up 1 Qs", "up 2 Qd"), [*ONCE, (12, "card-not-held")]),
        (("up 1 Qs 8s", "down 2 9c Qd"), [*ONCE, (8, "card-not-held")]),
        (("up 1 Qd", "down 2 9c"), [*ONCE, (8, "card-not-held")]),
    ],
)
def test_who_got_too_few_goes_on_so_or_fills_its_hand_or_lays_what_was_left_out(
    lines: tuple[str, ...], codes: Codes
) -> None:
    report = verified(*FEW, *lines, closed=False)
    assert [each for each in told(report) if each[1] != "hand-unfinished"] == codes


def test_a_card_left_out_counts_where_it_is_shown_and_where_it_is_laid() -> None:
    deal = (*START, "deal 1 Ad Kd", "deal 2 Th Qh 9c", "turn 6d")
    shown = verified(*deal, "bura 1 Ad Kd 7d", "pot_taken 1 20", "end bura")
    assert told(shown) == ONCE
    assert shown["hands"][0]["seats"]["1"]["net_due"] == 10
    laid = (*FEW, "up 1 As", "down 2 9c", "draw 1 Ac", "draw 2 Ad", "up 1 Qs", "up 2 Qd", "opened 2")
    found = desk.dispute(to_bytes(made(*laid, "failed_open 2 20", "end failed_open")), hand=1)
    assert {seat: row["points"]["low"] for seat, row in found["seats"].items()} == {"1": 11, "2": 6}


def test_a_card_left_out_makes_no_lead_too_large_and_takes_no_right() -> None:
    few = (*START, "deal 1 As Ks Qs", "deal 2 Th Qd", "turn 6d")
    lead = verified(*few, "up 1 As Ks Qs", "down 2 Th Qd 9c", "opened 1", "pot_taken 1 20", "end opened")
    assert told(lead) == [(6, "wrong-card-count")]
    assert lead["hands"][0]["seats"]["1"]["net_due"] == 10
    two = verified(*few, "up 1 As Ks Qs", "down 2 Th Qd", "opened 1", "pot_taken 1 20", "end opened")
    assert told(two) == [(6, "wrong-card-count"), (8, "lead-too-large")]
    bura = verified(*START, "deal 1 Ad Kd 7d", "deal 2 Th Qd", "turn 6d", "bura 1", "pot_taken 1 20", "end bura")
    assert told(bura) == [(6, "wrong-card-count")]
