"""Who joins while two sums may lie in the pot: it plays, waits or pays by the sum that the table used (`join_pot`)."""

import pytest

from tests.walks.script import START, START3, Codes, told, verified

WON = (*START, "deal 1 Ah Kh Th", "deal 2 Td Qs 9s", "turn 6c", "up 1 Ah Kh Th", "down 2 Td Qs 9s", "opened 1")
UNPAID = (*WON, "end opened", "joined 3 Zoe", "hand 2 1")
"""Seat 1 won with 38 and did not take the 20: they lie there, and nothing should; seq 11 is the hand's end."""
DOUBLE = ("deal 1 7h 8h Kh", "deal 2 7d 8d 9d", "turn 6c", "up 1 7h 8h Kh", "down 2 7d 8d 9d", "opened 1")
TAKEN = (*START, *DOUBLE, "failed_open 1 20", "pot_taken 2 40", "end failed_open", "joined 3 Zoe", "hand 2 1")
"""Seat 1 failed and matched the pot of 20; seat 2 took all of it: nothing lies there, and 40 should; seq 12 is that."""
TWO = ("deal 2 Ah Kh Th", "deal 1 Td Qs 9s", "turn 6c", "up 2 Ah Kh Th", "down 1 Td Qs 9s", "opened 2")
THREE = (
    *("deal 2 Ah Kh Th", "deal 3 7d 8d 9c", "deal 1 Td Qs 9s", "turn 6c"),
    *("up 2 Ah Kh Th", "down 3 7d 8d 9c", "down 1 Td Qs 9s", "opened 2"),
)
ANTES = ("ante 2 10", "ante 3 10", "ante 1 10")
UNTAKEN: Codes = [(11, "missing-payout")]
UNEXPECTED: Codes = [(12, "unexpected-payout")]


@pytest.mark.parametrize(
    ("lines", "option", "codes"),
    [
        ((*UNPAID, *TWO, "pot_taken 2 20", "end opened"), "wait", UNTAKEN),
        ((*UNPAID, *ANTES, *THREE, "pot_taken 2 30", "end opened"), "wait", UNTAKEN),
        ((*UNPAID, *THREE, "pot_taken 2 20", "end opened"), "free", UNTAKEN),
        ((*UNPAID, "ante 3 10", *THREE, "pot_taken 2 30", "end opened"), "share", UNTAKEN),
        ((*TAKEN, *TWO, "pot_taken 2 40", "end opened"), "wait", UNEXPECTED),
        ((*TAKEN, *ANTES, *THREE, "pot_taken 2 30", "end opened"), "wait", UNEXPECTED),
        ((*TAKEN, "ante 3 20", *THREE, "pot_taken 2 60", "end opened"), "share", UNEXPECTED),
    ],
)
def test_one_wrong_payout_convicts_nobody_who_joins_after_it(lines: tuple[str, ...], option: str, codes: Codes) -> None:
    assert told(verified(*lines, options={"join_pot": option})) == codes


@pytest.mark.parametrize(
    ("lines", "option", "code"),
    [
        ((*UNPAID, *THREE, "pot_taken 2 20", "end opened"), "wait", (15, "wrong-turn")),
        ((*UNPAID, *ANTES, *TWO, "pot_taken 2 30", "end opened"), "wait", (18, "wrong-turn")),
        ((*UNPAID, "ante 3 10", *TWO, "pot_taken 2 30", "end opened"), "wait", (15, "missing-stake")),
        ((*UNPAID, "ante 3 15", *THREE, "pot_taken 2 35", "end opened"), "share", (14, "wrong-stake")),
        ((*UNPAID, *THREE, "pot_taken 2 20", "end opened"), "share", (14, "missing-stake")),
        ((*TAKEN, "ante 3 15", *THREE, "pot_taken 2 55", "end opened"), "share", (16, "wrong-stake")),
    ],
)
def test_what_is_right_by_neither_sum_is_told(lines: tuple[str, ...], option: str, code: tuple[int, str]) -> None:
    assert code in told(verified(*lines, options={"join_pot": option}))


FAILED = ("deal 2 7h 8h Kh", "deal 1 7d 8d 9d", "turn 6c", "up 2 7h 8h Kh", "down 1 7d 8d 9d", "opened 2")
NEXT = (*UNPAID, *FAILED, "failed_open 2 20", "end failed_open", "hand 3 2")
"""The table used the chips that lie there, so hand 2 was played without seat 3, and so is the next for that pot."""


def test_who_waited_in_one_hand_waits_in_the_next() -> None:
    won = ("deal 1 Ah Kh Th", "deal 2 Td Qs 9s", "turn 6c", "up 1 Ah Kh Th", "down 2 Td Qs 9s", "opened 1")
    assert told(verified(*NEXT, *won, "pot_taken 1 40", "end opened", options={"join_pot": "wait"})) == UNTAKEN
    dealt = verified(*NEXT, "deal 3 9h 8c 7c", *won, "pot_taken 1 40", "end opened", options={"join_pot": "wait"})
    assert told(dealt)[:2] == [*UNTAKEN, (23, "wrong-turn")]


@pytest.mark.parametrize("option", ["wait", "free", "share"])
def test_a_misdeal_before_the_first_card_changes_nothing_for_who_is_in_the_pot(option: str) -> None:
    """Seats 1 and 2 paid into the 20 that lie there: they play for them, and owe nothing more."""
    lines = (*WON, "end opened", "hand 2 1", "end misdeal", "hand 3 1", *TWO, "pot_taken 2 20", "end opened")
    assert told(verified(*lines, options={"join_pot": option})) == UNTAKEN


@pytest.mark.parametrize("option", ["wait", "free", "share"])
def test_who_sits_out_while_two_sums_may_lie_there_comes_back_as_having_paid(option: str) -> None:
    won = ("deal 1 Ah Kh Th", "deal 2 Td Qs 9s", "deal 3 7d 8d 9c", "turn 6c", "up 1 Ah Kh Th", "down 2 Td Qs 9s")
    failed = ("deal 2 7h 8h Kh", "deal 1 7d 8d 9d", "turn 6c", "up 2 7h 8h Kh", "down 1 7d 8d 9d", "opened 2")
    again = ("deal 3 Ah Kh Th", "deal 1 Td Qs 9s", "deal 2 7d 8d 9c", "turn 6c", "up 3 Ah Kh Th", "down 1 Td Qs 9s")
    lines = (
        *(*START3, *won, "down 3 7d 8d 9c", "opened 1", "end opened", "hand 2 1", {"type": "sat_out", "seat": 3}),
        *(*failed, "failed_open 2 30", "end failed_open", "hand 3 2"),
        *(*again, "down 2 7d 8d 9c", "opened 3", "pot_taken 3 60", "end opened"),
    )
    assert told(verified(*lines, seats=3, options={"join_pot": option})) == [(14, "missing-payout")]


@pytest.mark.parametrize("dealt", [TWO, THREE])
def test_after_a_stretch_not_seen_who_joined_may_wait_or_play(dealt: tuple[str, ...]) -> None:
    """No antes are paid: a pot may lie there, of which seat 3 has no part, or they may lack."""
    lines = (*WON, "unseen", "end opened", "joined 3 Zoe", "hand 2 1", *dealt, "pot_taken 2 20", "end opened")
    report = verified(*lines, options={"join_pot": "wait"})
    assert (report["verdict"], told(report)) == ("undecided", [])


def test_after_a_stretch_not_seen_a_seat_that_had_paid_is_not_passed_over() -> None:
    lines = (*WON, "unseen", "end opened", "joined 3 Zoe", "hand 2 1", *TWO[1:], "pot_taken 1 20", "end opened")
    assert (15, "wrong-turn") in told(verified(*lines, options={"join_pot": "wait"}))
