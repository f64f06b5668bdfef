"""A line with more cards than are due, of which one cannot be there: told once, and it leaves the state alone."""

import pytest

from tests.engine.bourre.hands import Script
from tests.walks.script import START, told, verified

DEALT = ("deal 1 As Ks Ts", "deal 2 Td Qh 9h", "turn 6c")
"""The next line has seq 8."""


def errors(*lines: str) -> list[tuple[int, str]]:
    return told(verified(*START, *lines, closed=False))


@pytest.mark.parametrize(("more", "code"), [("As", "card-twice"), ("2c", "card-not-in-pack"), ("Qh", "card-twice")])
def test_a_card_too_many_dealt_that_lies_elsewhere(more: str, code: str) -> None:
    """`report.md` 1: what cannot be leaves the state alone; of two codes that fit one event, one is told."""
    wrong = f"deal 2 Td Qh {more} 9h"
    rest = ("turn 6c", "up 1 As Ks Ts", "down 2 Td Qh 9h", "draw 1 Ah Kh Th", "draw 2 Ad Kd Jd", "up 1 Ah")
    assert errors("deal 1 As Ks Ts", wrong, *rest) == [(6, code)]


@pytest.mark.parametrize("more", ["Td", "Ks", "9h", "6c"])
def test_a_card_too_many_drawn_that_lies_elsewhere(more: str) -> None:
    first = ("up 1 As", "down 2 9h", f"draw 1 Ah {more}", "draw 2 Ad", "up 1 Ah", "down 2 Ad", "draw 1 Jd", "draw 2 Jh")
    assert errors(*DEALT, *first) == [(10, "card-twice")]


def test_a_card_too_many_that_may_be_there_is_drawn() -> None:
    """The recorded act stands: seat 1 has four cards."""
    lines = ("up 1 As", "down 2 9h", "draw 1 Ah Jd", "draw 2 Ad", "up 1 Ah", "down 2 Ad", "draw 1 Jh")
    assert errors(*DEALT, *lines)[:1] == [(10, "wrong-card-count")]
    again = ("up 1 As", "down 2 9h", "draw 1 Ah Jd", "draw 2 Jd")
    assert errors(*DEALT, *again) == [(10, "wrong-card-count"), (11, "card-twice")]


def test_an_answer_with_a_card_that_the_seat_cannot_hold_besides() -> None:
    lines = ("up 1 As", "down 2 9h Ts", "draw 1 Ah", "draw 2 Ad", "up 1 Ah", "down 2 Ad")
    assert errors(*DEALT, *lines) == [(9, "wrong-card-count")]


def test_a_card_laid_up_that_the_seat_cannot_hold_is_not_told_twice() -> None:
    """Whether it beats is not known: the card cannot be what was written."""
    assert errors(*DEALT, "up 1 As Ks", "up 2 9h 7d") == [(9, "card-not-held")]


def test_a_card_too_many_in_a_draw_of_bourre() -> None:
    script = Script(2)
    script.deal("As Ks Qs Js Ts/Kc Qc Jc Tc Kd", "2s")
    script.say("1+")
    slip = script.change(1, "Ts", "9h Kc")
    script.say("2+")
    script.play("1As 2Kc 1Ks 2Qc 1Qs 2Jc 1Js 2Tc 19h 2Kd")
    assert script.told() == [(slip, "table/card-twice")]
