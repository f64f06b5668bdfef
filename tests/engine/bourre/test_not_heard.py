"""Seats of whose word or right to play nothing is on record: a fold that got lost, cards dealt to who sits out."""

from tests.engine.bourre.hands import Script
from tests.engine.bourre.test_hands import THREE

REST = "17c 36c 12d 3Td 3As 15s 32h 13d"
"""Seat 3 takes the last three tricks."""


def staying_costs(*lost: int, fees: str = "13") -> Script:
    """Seats 1 and 3 stay and pay for it, seat 2 folds; of seats in `lost` no word is on record."""
    script = Script(3, draw_fee="ante_if_staying")
    script.deal(THREE, "2s")
    for seat, word in ((1, "1+"), (2, "2-"), (3, "3+")):
        if seat not in lost:
            script.say(word)
        if str(seat) in fees:
            script.pay(seat, 10, "draw_fee")
    return script


def test_a_seat_whose_fold_got_lost_owes_no_fee_for_staying() -> None:
    script = staying_costs(2)
    passed_over = len(script.events) - 2
    script.play("1Ah 33h")
    not_waited_for = len(script.events) - 1
    script.play(REST)
    script.take(3, 50)
    script.end("most_tricks")
    assert script.told() == [(passed_over, "table/wrong-turn"), (not_waited_for, "table/wrong-turn")]
    hand = script.report()["hands"][0]
    assert (hand["pot"], hand["takers"]) == (50, [3])
    assert {seat: each["net_due"] for seat, each in hand["seats"].items()} == {"1": -20, "2": -10, "3": 30}


def test_who_plays_has_stayed_and_lacks_the_fee_at_the_first_lead() -> None:
    script = staying_costs(3, fees="1")
    lead = script.play("1Ah")
    script.play("33h")
    assert script.told()[:2] == [(lead, "table/out-of-place"), (lead, "table/missing-stake")]
    assert [each["seat"] for each in script.report()["findings"] if each["code"] == "table/missing-stake"] == [3]


def dealt_to_who_sits_out(words: str) -> tuple[Script, int]:
    script = Script(3)
    script.put("stake_set", amount=10)
    script.put("hand_began", hand=1, dealer=3)
    script.put("sat_out", seat=2)
    for seat in (1, 3):
        script.pay(seat, 10, "ante")
    dealt = [script.put("dealt", seat=seat, cards=cards.split()) for seat, cards in enumerate(THREE.split("/"), 1)]
    script.put("trump_turned", card="2s")
    script.say(words)
    return script, dealt[1]


def test_who_sits_out_is_not_waited_for_though_cards_were_dealt_to_it() -> None:
    script, dealt = dealt_to_who_sits_out("1+ 3+")
    script.play(f"1Ah 33h {REST}")
    script.take(3, 20)
    script.end("most_tricks")
    assert script.told() == [(dealt, "table/wrong-turn")]


def test_who_sits_out_is_not_left_over_though_cards_were_dealt_to_it() -> None:
    script, dealt = dealt_to_who_sits_out("1-")
    script.take(3, 20)
    script.end("sole_survivor")
    assert script.told() == [(dealt, "table/wrong-turn")]
    assert script.report()["hands"][0]["takers"] == [3]


def test_who_sits_out_and_takes_part_all_the_same_plays_by_the_same_duties() -> None:
    script, dealt = dealt_to_who_sits_out("1+ 2+ 3+")
    script.play("1Ah")
    off_suit = script.play("2Kc")
    script.play("33h")
    assert script.told()[:2] == [(dealt, "table/wrong-turn"), (off_suit, "bourre/did-not-follow")]
