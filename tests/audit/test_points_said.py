"""`report.md` 1: a number said that no naming of the unseen cards makes true is an error, not a doubt."""

from itertools import combinations

import pytest

from replay.audit.places import View
from replay.engine.tricks import POINTS
from schemas.cards import PACK, mask_of, spread
from tests.audit.test_placements import unseen
from tests.walks.script import START, told, verified

HIDDEN = (*START, "deal 1 ?? ?? ??", "deal 2 ?? ?? ??", "turn 6d")
VALUES = {0, 2, 3, 4, 10, 11}


@pytest.mark.parametrize("known", ["As Ts", "As"])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_what_sums_a_pile_can_have(known: str, count: int) -> None:
    pile = mask_of(known.split())
    pool = [POINTS[card] for card in spread(PACK[36] & ~pile)]
    base = sum(POINTS[card] for card in spread(pile))
    sums = {base + sum(chosen) for chosen in combinations(pool, count)}
    view = View(unseen(count, known=known))
    assert {points for points in range(130) if view.exactly(1, points)} == sums
    assert all(view.exactly(1, points) is not None for points in range(130))


@pytest.mark.parametrize("said", range(13))
def test_points_of_a_trick_with_one_card_unseen(said: int) -> None:
    report = verified(*HIDDEN, "up 1 7h", "down 2 ??", f"trick_taken 1 {said}", closed=False)
    assert told(report) == ([] if said in VALUES else [(10, "points-miscounted")])
    assert ((10, "unknown-card") in told(report, "doubt")) is (said in VALUES)


@pytest.mark.parametrize("said", range(29, 43))
def test_points_of_an_opened_pile_with_one_card_unseen(said: int) -> None:
    deal = ("deal 1 As Ks Ts", "deal 2 Qh Jh ??", "turn 6d", "up 1 As Ks Ts", "down 2 Jh ?? ??", "opened 1")
    report = verified(*START, *deal, f"counted 1 {said}", closed=False)
    assert ((11, "points-miscounted") in told(report)) is (said - 30 not in VALUES)


def test_a_declaration_nobody_saw_neither_gives_nor_takes_the_right_to_lead() -> None:
    lines = (*HIDDEN, "molodka 2", "up 1 As", "down 2 ??", "end abandoned")
    report = verified(*lines)
    assert told(report) == []
    assert (8, "unknown-card") in told(report, "doubt")
    assert (9, "unknown-card") in told(report, "doubt")


def test_a_bura_nobody_saw_decides_nothing_for_certain() -> None:
    report = verified(*HIDDEN, "bura 1", "pot_taken 1 20", "end bura")
    assert told(report) == []
    hand = report["hands"][0]
    assert (hand["reason"], hand["takers"], hand["seats"]["1"]["net_due"]) == (None, None, None)
    shown = verified(*HIDDEN, "bura 1 7d 8d 9d", "pot_taken 1 20", "end bura")
    assert shown["verdict"] == "verified"
    assert shown["hands"][0]["takers"] == [1]
