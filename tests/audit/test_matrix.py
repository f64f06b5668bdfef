"""The rule matrix: the same facts under other values of the options that the hand touches (`report.md` 5)."""

from typing import Any

import pytest

from replay import desk
from schemas.options import plain, values_of
from schemas.rules import BourreRules, BuraRules
from tests.check_cases import case_names, expectation, recording_path
from tests.walks.bura import Json, to_bytes
from tests.walks.script import START, START3, made

CLEAN = [name for name in case_names() if "/clean-" in name or "/session-" in name]


def rows_of(data: bytes, hand: int) -> list[Json]:
    rows: list[Json] = desk.dispute(data, hand=hand)["rules"]
    return rows


@pytest.mark.parametrize("name", CLEAN)
def test_a_row_is_what_those_rules_say_of_the_hand(name: str) -> None:
    """The first hand judged wholly under each other value says the same."""
    data = recording_path(name).read_bytes()
    report = desk.verify(data)
    hand = report["hands"][0]
    rows = rows_of(data, hand["hand"])
    assert rows[0]["rightful"] == sorted(hand["takers"])
    for row in rows:
        for options in (row["options"], *row["also"]) if row is not rows[0] else row["also"]:
            judged = desk.verify(data, options=options)["hands"][0]
            if judged["reason"] in ("abandoned", "misdeal") or judged["takers"] is None:
                continue
            assert sorted(judged["takers"]) == row["rightful"], options


def test_each_value_stands_once_and_only_of_what_was_touched() -> None:
    lines = (*START, "deal 1 As Ks Ts", "deal 2 Ah Kh Th", "turn 6d", "up 1 As Ks Ts", "down 2 Ah Kh Th", "opened 1",
             "pot_taken 1 20", "end opened")  # fmt: skip
    rows = rows_of(to_bytes(made(*lines)), 1)
    recorded = rows[0]["options"]
    assert recorded["open_window"] == "taker_before_draw"
    assert "draw_style" not in recorded
    named = [each for row in rows[1:] for each in (row["options"], *row["also"])] + rows[0]["also"]
    assert len({str(each) for each in named}) == len(named)
    for each in named:
        ((name, value),) = each.items()
        assert value != recorded[name]
        assert value in [plain(one) for one in values_of("bura", name)]


def test_no_two_rows_say_the_same() -> None:
    for name in CLEAN:
        rows = rows_of(recording_path(name).read_bytes(), 1)
        said = [(row["rightful"], tuple(row["net_due"].items())) for row in rows]
        assert len({str(each) for each in said}) == len(said)


def test_a_rule_nobody_wrote_down_is_named_so() -> None:
    data = recording_path("bura/fault-molodka-rule-unrecorded").read_bytes()
    answer = desk.dispute(data, hand=1)
    rows = answer["rules"]
    assert rows[0]["options"]["molodka_turn"] == "unrecorded"
    given = {each["molodka_turn"] for row in rows for each in (row["options"], *row["also"]) if "molodka_turn" in each}
    assert given == {"unrecorded", "out_of_turn", "in_turn", "counter_lead"}


@pytest.mark.parametrize("shape", [BuraRules, BourreRules])
def test_every_option_but_an_amount_has_values_to_try(shape: Any) -> None:
    game = "bura" if shape is BuraRules else "bourre"
    without = {name for name in shape.__dataclass_fields__ if not values_of(game, name)}
    assert without <= {"max_ante", "pot_limit", "max_draw"}


def test_an_undecided_hand_has_nobody_rightful_in_any_row() -> None:
    names = [name for name in case_names() if "/dispute-open" in name]
    for name in names:
        for part in expectation(name)["disputes"]:
            answer = desk.dispute(recording_path(name).read_bytes(), **part["args"])
            if answer["rightful"]["answer"] == "open":
                assert answer["rules"][0]["rightful"] == []


def test_who_cannot_have_the_most_points_knows_what_it_lost() -> None:
    """Seat 1 took 32 to 42 points, seat 2 took 34, seat 3 none: what that rule makes of seat 3 is not open."""
    options = {"pack": 20, "hand_size": 5, "short_stock": "set_aside", "razburka": "draw"}
    deal = ("deal 1 Ks Qs Js Qd Jd", "deal 2 Th Qh Tc Kc Qc", "deal 3 Kd Kh Jh ?? ??", "turn Ac")
    one = ("up 1 Ks Qs", "down 2 Th Qh", "down 3 ?? ??", "up 1 Js", "up 2 Qc", "down 3 Kd")
    two = ("up 2 Kc", "down 3 Kh", "down 1 Qd", "up 2 Tc", "down 3 Jh", "down 1 Jd")
    rows = rows_of(to_bytes(made(*START3, *deal, *one, *two, "end razburka", seats=3, options=options)), 1)
    [row] = [row for row in rows if {"razburka": "most_points"} in (row["options"], *row["also"])]
    assert (row["rightful"], row["net_due"]) == ([], {"1": None, "2": None, "3": -10})


@pytest.mark.parametrize(("hand", "drawn"), [(1, False), (4, True)])
def test_no_row_is_of_rules_under_which_the_cards_cannot_have_come_so(hand: int, drawn: bool) -> None:
    """Where the turn-up was drawn it did not lie out of play (`turnup`); where it was not, it may have."""
    rows = rows_of(recording_path("bura/clean-04").read_bytes(), hand)
    tried = [changed for row in rows for changed in (row["options"], *row["also"]) if changed is not rows[0]["options"]]
    assert ({"turnup": "out_of_play"} in tried) == (not drawn)
