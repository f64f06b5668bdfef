"""Payments written down before they are due or after the hand's end: told once, where they stand or lack."""

import pytest

from tests.engine.bourre.hands import Script
from tests.engine.bourre.test_hands import FIVE_NIL, TWO


def nets(script: Script) -> dict[str, int]:
    return {seat: each["net_due"] for seat, each in script.report()["hands"][0]["seats"].items()}


def played(upto: int = 10) -> Script:
    """Two seats, seat 1 takes every trick: 20 lie in the pot, seat 2 owes as much."""
    script = Script(2)
    script.deal(TWO, "2s")
    script.say("1+ 2+")
    script.play(" ".join(FIVE_NIL.split()[:upto]))
    return script


def next_hand(script: Script, pot: int) -> None:
    script.deal(TWO, "2s", dealer=1)
    script.say("2-")
    script.take(1, pot)
    script.end("sole_survivor")


@pytest.mark.parametrize(("kind", "code"), [("pot", "table/missing-payout"), ("bourre", "table/missing-stake")])
def test_what_comes_after_the_hands_end_is_told_as_lacking_there_and_not_again(kind: str, code: str) -> None:
    script = played()
    if kind == "pot":
        script.pay(2, 20)
    else:
        script.take(1, 20)
    end = script.end("most_tricks")
    if kind == "pot":
        script.take(1, 20)
    else:
        script.pay(2, 20)
    next_hand(script, 40)
    assert script.told() == [(end, code)]
    assert nets(script) == {"1": 10, "2": -30}


@pytest.mark.parametrize(("seat", "amount"), [(1, 20), (2, 21)])
def test_another_payment_after_the_hands_end_is_not_the_one_that_lacks(seat: int, amount: int) -> None:
    script = played()
    script.take(1, 20)
    end = script.end("most_tricks")
    late = script.pay(seat, amount)
    assert script.told() == [(end, "table/missing-stake"), (late, "table/unexpected-stake")]


def test_a_payment_after_the_hands_end_is_late_only_once() -> None:
    script = played()
    script.take(1, 20)
    end = script.end("most_tricks")
    script.pay(2, 20)
    again = script.pay(2, 20)
    assert script.told() == [(end, "table/missing-stake"), (again, "table/unexpected-stake")]


@pytest.mark.parametrize(("taken", "paid", "lacking"), [(20, 20, []), (19, 20, [1]), (20, 19, [2])])
def test_what_comes_before_it_is_due_is_told_there_and_does_not_lack(taken: int, paid: int, lacking: list[int]) -> None:
    script = played(8)
    early = [script.take(1, taken), script.pay(2, paid)]
    script.play(" ".join(FIVE_NIL.split()[8:]))
    end = script.end("most_tricks")
    told = [(early[0], "table/unexpected-payout"), (early[1], "table/unexpected-stake")]
    codes = {1: "table/missing-payout", 2: "table/missing-stake"}
    assert script.told() == told + [(end, codes[seat]) for seat in lacking]
    assert nets(script) == {"1": 10, "2": -30}


def test_a_fee_paid_before_the_word_does_not_lack_at_the_draw() -> None:
    script = Script(2)
    script.deal("As Ks Qs Js 3c/Kc Qc Jc Tc Kd", "2s")
    early = script.pay(1, 10, "draw_fee")
    script.say("1+")
    script.change(1, "3c", "Ts", fee=0)
    script.say("2+")
    script.play(FIVE_NIL)
    script.take(1, 30)
    script.pay(2, 30)
    script.end("most_tricks")
    assert script.told() == [(early, "table/unexpected-stake")]
    assert nets(script) == {"1": 10, "2": -40}


def test_an_ante_paid_before_the_hand_began_does_not_lack_at_the_deal() -> None:
    script = Script(2)
    script.put("stake_set", amount=10)
    early = script.pay(2, 10, "ante")
    script.hand = 1
    script.put("hand_began", hand=1, dealer=2)
    script.pay(1, 10, "ante")
    for seat, cards in enumerate(TWO.split("/"), 1):
        script.put("dealt", seat=seat, cards=cards.split())
    script.put("trump_turned", card="2s")
    script.say("1+ 2+")
    script.play(FIVE_NIL)
    script.take(1, 20)
    script.pay(2, 20)
    script.end("most_tricks")
    assert script.told() == [(early, "table/unexpected-stake")]
    hand = script.report()["hands"][0]
    assert [hand[key] for key in ("pot_before", "pot", "pot_after")] == [0, 20, 20]
    assert nets(script) == {"1": 10, "2": -30}


def test_what_came_early_in_one_hand_still_lacks_in_the_next() -> None:
    script = played(8)
    early = script.pay(1, 10, "bourre")
    script.play(" ".join(FIVE_NIL.split()[8:]))
    script.take(1, 20)
    script.pay(2, 20)
    script.end("most_tricks")
    script.deal(TWO, "2s", dealer=1)
    script.say("2+ 1+")
    script.play("2As 1Kc 2Ks 1Qc 2Qs 1Jc 2Js 1Tc 2Ts 1Kd")
    script.take(2, 40)
    end = script.end("most_tricks")
    assert script.told() == [(early, "table/unexpected-stake"), (end, "table/missing-stake")]


def test_a_payment_that_makes_up_for_an_earlier_one_shows_the_sum_that_should_lie_there() -> None:
    """Three chips too few are taken, then three too few staked: what lies there is what should."""
    script = played()
    few = script.take(1, 17)
    script.pay(2, 20)
    script.end("most_tricks")
    script.begin(1, payers=[2])
    less = script.pay(1, 7, "ante")
    for seat, cards in ((2, TWO.split("/")[0]), (1, TWO.split("/")[1])):
        script.put("dealt", seat=seat, cards=cards.split())
    script.put("trump_turned", card="2s")
    script.say("2-")
    script.take(1, 40)
    script.end("sole_survivor")
    assert script.told() == [(few, "table/wrong-payout"), (less, "table/wrong-stake")]
    hand = script.report()["hands"][1]
    assert [hand[key] for key in ("pot_before", "pot", "pot_after")] == [20, 40, 0]
    assert {seat: each["net_due"] for seat, each in hand["seats"].items()} == {"1": 30, "2": -10}


@pytest.mark.parametrize("view", ["full", "public", "seat:1", "seat:2"])
def test_the_last_trick_may_be_written_down_after_a_payment_that_shows_it_over(view: str) -> None:
    script = played(9)
    early = script.take(1, 20)
    last = script.play("2Kd")
    script.put("trick_taken", seat=1)
    script.pay(2, 20)
    script.end("most_tricks")
    assert script.told(view=view) == [(early, "table/out-of-place")]
    hand = script.report(view=view)["hands"][0]
    assert (hand["takers"], hand["tricks"][-1]["seqs"]) == ([1], [early - 1, last])


@pytest.mark.parametrize("card", ["2Kc", "2As", "22h"])
def test_a_card_that_cannot_belong_to_the_last_trick_is_out_of_place_after_a_payment(card: str) -> None:
    script = played(9)
    early = script.take(1, 20)
    wrong = script.play(card)
    script.pay(2, 20)
    script.end("most_tricks")
    assert script.told() == [(early, "table/out-of-place"), (wrong, "table/out-of-place")]


# -- a lead before the last answer ----------------------------------------------------------------------------------


@pytest.mark.parametrize("trick", [1, 2, 3, 4])
def test_a_lead_before_the_last_answer_is_one_fault_where_all_cards_are_on_record(trick: int) -> None:
    """Seat 1 leads again before seat 2 has answered, which answers twice then: its first card is the late one."""
    cards = FIVE_NIL.split()
    at = 2 * trick - 1
    cards[at], cards[at + 1] = cards[at + 1], cards[at]
    script = Script(2)
    script.deal(TWO, "2s")
    first = script.say("1+ 2+") + 1
    script.play(" ".join(cards))
    script.take(1, 20)
    script.pay(2, 20)
    script.end("most_tricks")
    assert script.told() == [(first + at, "table/wrong-turn")]
    assert script.told("doubt") == []
    assert nets(script) == {"1": 10, "2": -30}
    seqs = [each["seqs"] for each in script.report()["hands"][0]["tricks"]]
    assert seqs[trick - 1] == [first + at - 1, first + at + 1]
    assert seqs[trick] == [first + at, first + at + 2]


def test_a_late_answer_owes_what_it_would_have_owed_in_its_turn() -> None:
    """Seat 2 holds hearts and throws a diamond on the first heart; that seat 1 led again before excuses nothing."""
    script = Script(2)
    script.deal("Kh 9s 8s 7s 6s/Ah 9h Kd Qd Jd", "2s")
    first = script.say("1+ 2+") + 1
    script.play("1Kh 19s 2Kd 2Qd 18s 2Jd 17s 2Ah 16s 29h")
    assert script.told() == [(first + 1, "table/wrong-turn"), (first + 2, "bourre/did-not-follow")]


def test_a_trick_is_whose_the_late_answer_makes_it() -> None:
    """Seat 2 takes the trick to which it answers late: seat 1 had no right to lead, and leads."""
    script = Script(2)
    script.deal("Qh 9s 8s 7s 6s/Ah 9h Kd Qd Jd", "2s")
    first = script.say("1+ 2+") + 1
    script.play("1Qh 19s 2Ah 29h 18s 2Kd 17s 2Qd 16s 2Jd")
    report = script.report()
    assert script.told() == [(first + 1, "table/wrong-turn")]
    assert {seat: row["tricks"] for seat, row in report["hands"][0]["seats"].items()} == {"1": 4, "2": 1}
