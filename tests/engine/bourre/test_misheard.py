"""A word written down as the other one, and a second card in a play: the recorded act stands (`report.md` 1)."""

import pytest

from replay import desk
from tests.engine.bourre.hands import Script
from tests.walks.bura import to_bytes

HANDS = "Ah Kh 2c 3c 4c/2h 3h Ac Kc 2d/4h 5h 5c 6c Ad"


def test_who_stays_and_lays_nothing_pays_the_pot_all_the_same() -> None:
    """A seat that withholds its cards does not escape: it has stayed and taken no trick."""
    script = Script(3)
    script.deal("Ah Kh Qh Jh Th/2h 3h 4h 5h 6h/2c 3c 4c 5c 6c", "2s")
    script.say("1+ 2+ 3+")
    script.play("1Ah 22h 1Kh 23h 1Qh 24h 1Jh 25h 1Th 26h")
    script.take(1, 30)
    script.pay(2, 30)
    script.pay(3, 30)
    script.end("most_tricks")
    assert [code for _, code in script.told()] == ["table/wrong-turn"]
    assert [each["net_due"] for each in script.report()["hands"][0]["seats"].values()] == [20, -40, -40]


def test_who_stays_and_lays_nothing_is_told_of_once_and_of_the_payment_it_owes() -> None:
    """One act, one finding: no later trick waits for the seat; what it pays for no trick is due all the same."""
    script = Script(3)
    script.deal("Ah Kh Qh Jh Th/2h 3h 4h 5h 6h/2c 3c 4c 5c 6c", "2s")
    script.say("1+ 2+ 3+")
    script.play("1Ah 22h")
    first = script.put("trick_taken", seat=1)
    for card, answer in zip(("Kh", "Qh", "Jh", "Th"), "3456", strict=True):
        script.play(f"1{card} 2{answer}h")
        script.put("trick_taken", seat=1)
    script.take(1, 30)
    script.pay(2, 30)
    ended = script.end("most_tricks")
    assert script.told() == [(first, "table/out-of-place"), (ended, "table/missing-stake")]
    assert [each["net_due"] for each in script.report()["hands"][0]["seats"].values()] == [20, -40, -40]


def test_who_never_leads_is_told_of_once_as_well() -> None:
    script = Script(3)
    script.deal("2c 3c 4c 5c 6c/Ah Kh Qh Jh Th/2h 3h 4h 5h 6h", "2s")
    script.say("1+ 2+ 3+")
    first = script.play("2Ah")
    script.play("32h 2Kh 33h 2Qh 34h 2Jh 35h 2Th 36h")
    assert script.told() == [(first, "table/wrong-turn")]


def test_who_lays_no_card_any_more_lies_in_no_ones_way_before_its_turn() -> None:
    """Seat 2 answers the lead before seat 3 would: no trump of seat 3 can have lain there."""
    script = Script(3)
    script.deal("9s 8s Ah Kh Qh/Ks 3s 4h 5h 6h/3d 3c 4c 5c 6c", "2d")
    script.say("1+ 2+ 3+")
    missed = script.play("1Ah 24h 19s")
    broken = script.play("23s")
    script.play("18s 2Ks")
    assert script.told() == [(missed, "table/wrong-turn"), (broken, "bourre/did-not-head")]
    duties = desk.dispute(to_bytes(script.events), hand=1)["seats"]["2"]["duties"]
    assert {duty["seq"]: duty["answer"] for duty in duties}[broken] == "broken"


def test_who_lays_no_card_in_one_trick_is_waited_for_in_the_next_where_it_lays_one_later() -> None:
    script = Script(3)
    script.deal("Ah Kh Qh Jh Th/2h 3h 4h 5h 6h/2c 3c 4c 5c 6c", "2s")
    script.say("1+ 2+ 3+")
    first = script.play("1Ah 33c")
    script.play("1Kh")
    again = script.play("34c")
    script.play("24h 1Qh 25h 35c")
    assert script.told() == [(first, "table/wrong-turn"), (again, "table/wrong-turn")]


def test_who_folds_and_lays_one_card_after_all_is_out_of_the_hand() -> None:
    """The recorded act stands (`report.md` 1): a card laid by who has folded is out of place."""
    script = Script(3)
    script.deal(HANDS, "2s")
    script.say("1+ 2+ 3-")
    script.play("1Ah 22h")
    late = script.play("34h")
    script.play("1Kh 23h")
    assert script.told() == [(late, "table/out-of-place")]


def test_who_stays_has_to_play_where_the_hand_was_not_played_out() -> None:
    script = Script(3)
    script.deal(HANDS, "2s")
    script.say("1+ 2+ 3+")
    script.play("1Ah 22h")
    early = script.play("1Kh")
    assert script.told() == [(early, "table/wrong-turn")]


def test_who_stays_is_not_out_of_the_pot_that_another_takes_without_play() -> None:
    """No card was laid: whoever stayed has a right to the pot, and the hand is not decided (`bourre.6`)."""
    script = Script(3)
    script.deal(HANDS, "2s")
    script.say("1+ 2- 3+")
    taken = script.take(1, 30)
    ended = script.end("sole_survivor")
    assert script.told() == [(taken, "table/unexpected-payout"), (ended, "table/hand-unfinished")]


@pytest.mark.parametrize("more", ["2c", "9d"])
def test_a_second_card_in_a_play_is_told_once_where_all_five_plays_are_on_record(more: str) -> None:
    """Two cards in one play are `table/wrong-card-count` (`report.md` 3); held or not, the second is no play."""
    script = Script(3)
    script.deal(HANDS, "2s")
    script.say("1+ 2+ 3+")
    slip = script.play("1Ah")
    script.events[slip]["cards"].append(more)
    script.play("22h 34h 1Kh 23h 35h 12c 2Ac 35c 2Kc 36c 13c 22d 3Ad 14c")
    script.take(1, 15)
    script.take(2, 15)
    script.end("split")
    assert script.told() == [(slip, "table/wrong-card-count")]


def test_a_second_card_that_the_seat_holds_is_gone_where_it_lays_no_fifth() -> None:
    script = Script(3)
    script.deal(HANDS, "2s")
    script.say("1+ 2+ 3+")
    slip = script.play("1Ah")
    script.events[slip]["cards"].append("2c")
    script.play("22h 34h 1Kh 23h 35h")
    gone = script.play("12c")
    assert script.told() == [(slip, "table/wrong-card-count"), (gone, "table/card-not-held")]


def test_a_card_left_out_of_a_deal_or_a_draw_spends_no_other() -> None:
    """What cannot be leaves the state alone (`report.md` 1): the four cards that were dealt are all held still."""
    script = Script(3)
    script.deal("Ah Kh 2c 3c 4c/2h 3h Ac Kc/4h 5h 5c 6c Ad", "2s")
    script.say("1+ 2+ 3+")
    script.play("1Ah 22h 34h 1Kh 23h 35h 12c 2Ac 35c 2Kc 36c 13c")
    strange = script.play("22d")
    script.play("3Ad 14c")
    assert script.told()[1:] == [(strange, "table/card-not-held")]
    script = Script(3)
    script.deal(HANDS, "2s")
    script.say("1+ 2+")
    slip = script.change(2, "2d Kc", "Qc")
    script.say("3+")
    script.play("1Ah 22h 34h 1Kh 23h 35h 12c 2Ac 35c")
    strange = script.play("29d")
    script.play("3Ad 13c 36c 14c 2Qc")
    assert script.told() == [(slip, "table/wrong-card-count"), (strange, "table/card-not-held")]
