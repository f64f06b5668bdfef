"""Whole hands of Bourré: words, draws, fees, settlements, and what is told where they go wrong (`rules.md` 4, 6)."""

from typing import Any

import pytest

from recorder import intake
from replay import desk
from replay.audit.explore import Script as Answers
from replay.audit.fold import Fold
from replay.engine.bourre.play import Bourre
from replay.engine.catalog import seat_table
from schemas.events import Recording, RecordingBegan
from tests.engine.bourre.hands import Json, Script
from tests.walks.bura import to_bytes

THREE = "Ah 7c 5s 2d 3d/Kc Qc 9s 8d 4h/As Td 6c 2h 3h"
"""Seats 1, 2, 3; trump spades."""
FIVE_NIL = "1As 2Kc 1Ks 2Qc 1Qs 2Jc 1Js 2Tc 1Ts 2Kd"
TWO = "As Ks Qs Js Ts/Kc Qc Jc Tc Kd"


def two_seats(**more: Any) -> Script:
    """Two seats, seat 1 takes five tricks with spades as trumps; B = 20."""
    script = Script(2, **more)
    script.deal(TWO, "2s")
    script.say("1+ 2+")
    script.play(FIVE_NIL)
    return script


def hand_of(report: Json, number: int = 1) -> Json:
    found: Json = next(hand for hand in report["hands"] if hand["hand"] == number)
    return found


def test_a_clean_hand_is_verified() -> None:
    script = two_seats()
    script.take(1, 20)
    script.pay(2, 20)
    script.end("most_tricks")
    hand = hand_of(script.report())
    assert script.told() == []
    assert (hand["reason"], hand["takers"], hand["pot"], hand["pot_after"]) == ("most_tricks", [1], 20, 20)
    assert {seat: row["net_due"] for seat, row in hand["seats"].items()} == {"1": 10, "2": -30}
    assert {seat: row["tricks"] for seat, row in hand["seats"].items()} == {"1": 5, "2": 0}


def test_first_and_second_fold_and_the_third_takes_the_pot_without_a_word() -> None:
    script = Script(3)
    script.deal(THREE, "2s")
    script.say("1- 2-")
    script.take(3, 30)
    script.end("sole_survivor")
    assert script.told() == []
    assert hand_of(script.report())["takers"] == [3]


@pytest.mark.parametrize("word", ["3+", "3-"])
def test_a_sole_survivor_who_speaks_is_out_of_place(word: str) -> None:
    script = Script(3)
    script.deal(THREE, "2s")
    said = script.say("1- 2- " + word)
    script.take(3, 30)
    script.end("sole_survivor")
    assert script.told() == [(said, "table/out-of-place")]


def test_the_first_seat_may_be_left_after_it_has_drawn() -> None:
    script = Script(3)
    script.deal(THREE, "2s")
    script.say("1+")
    script.change(1, "7c 2d", "4c 5c")
    script.say("2- 3-")
    script.take(1, 40)
    script.end("sole_survivor")
    assert script.told() == []


@pytest.mark.parametrize(
    ("words", "wrong"),
    [("2+ 1+ 3+", 0), ("1+ 3+ 2+", 1), ("1+ 1+ 2+ 3+", 1)],
)
def test_words_go_round_from_the_dealers_left(words: str, wrong: int) -> None:
    script = Script(3)
    first = script.deal(THREE, "2s") + 1
    script.say(words)
    code = "table/out-of-place" if words.startswith("1+ 1+") else "table/wrong-turn"
    assert (first + wrong, code) in script.told()


def test_folding_after_drawing_is_late_and_stands() -> None:
    script = Script(3)
    script.deal(THREE, "2s")
    script.say("1+")
    script.change(1, "7c", "4c")
    late = script.say("1-")
    script.say("2-")
    script.take(3, 40)
    script.end("sole_survivor")
    assert script.told() == [(late, "bourre/folded-late")]


def test_a_seat_that_folds_late_and_plays_on_is_told_once() -> None:
    script = Script(2)
    script.deal(TWO, "2s")
    script.say("1+ 2+")
    script.play("1As 2Kc 1Ks 2Qc")
    script.seats = [1, 2]
    late = script.say("2-")
    assert script.told() == [(late, "bourre/folded-late")]
    script = Script(3)
    script.deal(THREE, "2s")
    script.say("1+ 2+ 3+")
    late = script.say("2-")
    script.play("1Ah 24h")
    script.play("32h")
    assert script.told() == [(late, "bourre/folded-late")]


def test_a_dealer_may_not_fold_on_an_ace() -> None:
    for stays, told in ((True, ["bourre/dealer-must-stay"]), (False, [])):
        script = Script(3, dealer_stays_on_ace=stays)
        script.deal("Ah 7c 5s 2d 3d/Kc Qc 9s 8d 4h/Ks Td 6c 2h 3h", "As")
        script.say("1+ 2+ 3-")
        assert [code for _, code in script.told()] == told


@pytest.mark.parametrize(("turned", "severity"), [("??", "doubt"), ("A?", "error"), ("K?", None), ("?s", "doubt")])
def test_a_dealers_fold_on_a_card_nobody_saw(turned: str, severity: str | None) -> None:
    script = Script(3, dealer_stays_on_ace=True)
    script.deal("Ah 7c 5s 2d 3d/Kc Qc 9s 8d 4h/8h Td 6c 2h 3h", turned)
    folded = script.say("1+ 2+ 3-")
    findings = script.report()["findings"]
    found = [each for each in findings if each["seq"] == folded and each["rule"] == "dealer_stays_on_ace"]
    assert [each["severity"] for each in found] == ([severity] if severity else [])


# -- draws and fees ---------------------------------------------------------------------------------------------------


def drawing(**more: Any) -> Script:
    script = Script(3, **more)
    script.deal(THREE, "2s")
    script.say("1+")
    return script


def test_drawing_without_the_fee_lacks_it_at_the_draw() -> None:
    script = drawing()
    drew = script.change(1, "7c", "4c", fee=0)
    assert script.told() == [(drew, "table/missing-stake")]
    script.pay(1, 10, "draw_fee")
    assert script.told() == [(drew, "table/missing-stake")], "paid late: no second word"


def test_a_fee_that_is_not_the_ante_is_wrong() -> None:
    script = drawing()
    script.change(1, "7c", "4c", fee=9)
    assert [code for _, code in script.told()] == ["table/wrong-stake"]


@pytest.mark.parametrize("amount", [10, 9, 11])
def test_standing_pat_is_free(amount: int) -> None:
    """Whatever was paid was not a wrong fee, for none was due."""
    script = drawing()
    paid = script.pay(1, amount, "draw_fee")
    script.say("2+ 3+")
    script.play("1Ah")
    assert script.told() == [(paid, "table/unexpected-stake")]
    finding = next(each for each in script.report()["findings"] if each["seq"] == paid)
    assert (finding["recorded"], finding["expected"]) == (amount, None)


def test_a_wrong_fee_paid_before_the_discard_is_wrong_once() -> None:
    script = drawing()
    paid = script.pay(1, 9, "draw_fee")
    script.change(1, "7c", "4c", fee=0)
    assert script.told() == [(paid, "table/wrong-stake")]


def test_a_fee_paid_before_the_discard_is_the_fee() -> None:
    script = drawing()
    script.pay(1, 10, "draw_fee")
    script.change(1, "7c", "4c", fee=0)
    script.say("2+ 3+")
    script.play("1Ah 24h 32h")
    assert "table/unexpected-stake" not in {code for _, code in script.told()}


def test_where_drawing_is_free_a_fee_is_not_due() -> None:
    script = drawing(draw_fee="none")
    script.change(1, "7c", "4c")
    assert [code for _, code in script.told()] == ["table/unexpected-stake"]


def test_where_staying_costs_the_fee_is_due_until_the_first_lead() -> None:
    script = drawing(draw_fee="ante_if_staying")
    script.pay(1, 10, "draw_fee")
    script.say("2+ 3+")
    script.pay(2, 10, "draw_fee")
    lead = script.play("1Ah")
    found = [each for each in script.report()["findings"] if each["severity"] == "error"]
    assert [(each["seq"], each["code"], each["seat"]) for each in found] == [(lead, "table/missing-stake", 3)]


@pytest.mark.parametrize(
    ("seats", "count", "told"), [(3, 4, []), (3, 5, ["bourre/drew-too-many"]), (6, 4, ["bourre/drew-too-many"])]
)
def test_how_many_cards_may_be_changed_depends_on_the_seats_dealt_in(seats: int, count: int, told: list[str]) -> None:
    pack = [rank + suit for suit in "hdcs" for rank in "23456789TJQKA"]
    hands = "/".join(" ".join(pack[5 * place : 5 * place + 5]) for place in range(seats))
    script = Script(seats)
    script.deal(hands, pack[5 * seats])
    script.say("1+")
    script.change(1, " ".join(pack[:count]), " ".join(pack[5 * seats + 1 : 5 * seats + 1 + count]))
    assert [code for _, code in script.told()] == told


def test_a_draw_of_another_number_than_thrown_away() -> None:
    script = drawing()
    drew = script.change(1, "7c 2d", "4c")
    assert script.told() == [(drew, "table/wrong-card-count")]


def test_more_drawn_than_may_be_changed_is_told_as_that() -> None:
    script = drawing(max_draw=2)
    drew = script.change(1, "7c 2d", "4c 8c 9c")
    assert script.told() == [(drew, "bourre/drew-too-many")]


def test_a_draw_that_never_comes_is_told_when_the_next_seat_speaks() -> None:
    script = drawing()
    script.put("discarded", seat=1, cards=["7c"])
    script.pay(1, 10, "draw_fee")
    said = script.say("2+")
    assert script.told() == [(said, "table/wrong-card-count")]


def test_no_second_draw() -> None:
    script = drawing()
    script.change(1, "7c", "4c")
    again = script.put("discarded", seat=1, cards=["4c"])
    assert script.told() == [(again, "table/out-of-place")]


def test_in_two_rounds_all_speak_before_anybody_draws() -> None:
    script = drawing(declaration="two_rounds")
    early = script.put("discarded", seat=1, cards=["7c"])
    assert script.told() == [(early, "table/wrong-turn")]
    script = drawing(declaration="two_rounds")
    script.say("2+ 3+")
    script.change(1, "7c", "4c")
    script.change(3, "6c", "5c")
    assert script.told() == []
    late = script.put("discarded", seat=2, cards=["9s"])
    assert script.told() == [(late, "table/wrong-turn")]


def test_in_one_round_a_seat_draws_before_the_next_speaks() -> None:
    script = drawing()
    script.say("2+ 3+")
    late = script.put("discarded", seat=1, cards=["7c"])
    assert script.told() == [(late, "table/wrong-turn")]


def test_a_draw_in_mid_play_is_out_of_place() -> None:
    script = drawing()
    script.say("2+ 3+")
    script.play("1Ah 24h")
    drew = script.put("drew", seat=3, cards=["4c"])
    assert (drew, "table/out-of-place") in script.told()


# -- a stock made new -----------------------------------------------------------------------------------------------

PACK = [rank + suit for suit in "hdcs" for rank in "23456789TJQKA"]


def eight(**more: Any) -> Script:
    """Eight seats: 11 cards in the stock; four fold, two change four cards each, three are left."""
    script = Script(8, preset="bourre/louisiana@1", declaration="one_round", trump_card="extra", **more)
    hands = "/".join(" ".join(PACK[5 * place : 5 * place + 5]) for place in range(8))
    script.deal(hands, PACK[40])
    script.say("1- 2- 3+")
    script.change(3, " ".join(PACK[10:14]), " ".join(PACK[41:45]), fee=0)
    script.say("4+")
    script.change(4, " ".join(PACK[15:19]), " ".join(PACK[45:49]), fee=0)
    script.say("5+")
    script.put("discarded", seat=5, cards=PACK[20:24])
    return script


def test_folded_and_served_cards_become_stock_again() -> None:
    script = eight()
    gone = PACK[:10] + PACK[10:14] + PACK[15:19]
    script.put("stock_recycled", cards=gone)
    script.put("drew", seat=5, cards=[*PACK[49:52], gone[0]])
    assert script.told() == []


def test_only_folded_cards_first() -> None:
    script = eight(recycle="folded_first")
    script.put("stock_recycled", cards=PACK[:10])
    script.put("drew", seat=5, cards=[*PACK[49:52], PACK[0]])
    assert script.told() == []
    script = eight(recycle="folded_first")
    wrong = script.put("stock_recycled", cards=PACK[:14])
    assert (wrong, "table/wrong-card-count") in script.told()


def test_without_a_new_stock_the_seat_draws_what_is_left() -> None:
    script = eight(recycle="none")
    script.put("drew", seat=5, cards=PACK[49:52])
    assert script.told() == []
    wrong = eight(recycle="none").put("stock_recycled")
    script = eight(recycle="none")
    script.put("stock_recycled")
    assert (wrong, "table/out-of-place") in script.told()


def test_the_drawing_seats_own_discards_are_not_made_stock() -> None:
    script = eight()
    gone = PACK[:10] + PACK[10:14] + PACK[15:19]
    wrong = script.put("stock_recycled", cards=[*gone[:-1], PACK[20]])
    assert script.told() == [(wrong, "table/card-twice")]


def test_cards_of_a_new_stock_are_drawn_in_its_order() -> None:
    script = eight()
    gone = PACK[:10] + PACK[10:14] + PACK[15:19]
    script.put("stock_recycled", cards=gone)
    drew = script.put("drew", seat=5, cards=[*PACK[49:52], gone[1]])
    assert script.told() == [(drew, "table/deck-mismatch")]


def test_a_stock_that_suffices_is_not_made_new() -> None:
    script = Script(3)
    script.deal(THREE, "2s")
    script.say("1-")
    script.say("2+")
    script.put("discarded", seat=2, cards=["9s"])
    early = script.put("stock_recycled")
    assert (early, "table/out-of-place") in script.told()


# -- settlements ------------------------------------------------------------------------------------------------------


def decided(won: dict[int, int], stacks: list[int] | None = None, **options: Any) -> Bourre:
    """A hand of so many tricks by seat (the last seat deals), antes of 10 and what `pot` says lay there before."""
    script = Script(len(won), stacks=stacks, **options)
    cards = [rank + suit for suit in "hdcs" for rank in "23456789TJQKA"]
    script.deal("/".join(" ".join(cards[5 * at : 5 * at + 5]) for at in range(len(won))), "2s")
    recording = intake.read(to_bytes(script.events))
    assert isinstance(recording, Recording)
    began = recording.events[0]
    assert isinstance(began, RecordingBegan)
    rules = desk.house_of(recording).rules
    witness: Any = Answers()
    table: Bourre = seat_table(began, rules, witness)
    for event in recording.events[1:]:
        table.step(event)
    table.ring = [seat for seat in table.players if won[seat] >= 0]
    table.won = [0, *(max(0, tricks) for tricks in won.values())]
    table.settle_tricks()
    return table


FOLDED = -1
SETTLED: list[tuple[list[int], Json, str, dict[int, int], dict[int, int]]] = [
    ([2, 2, 1], {}, "split", {1: 15, 2: 15}, {}),
    ([2, 2, 1, 0], {}, "split", {1: 20, 2: 20}, {4: 40}),
    ([2, 1, 1, 1], {}, "most_tricks", {1: 40}, {}),
    ([1, 1, 1, 1, 1, 0, 0], {}, "split", dict.fromkeys(range(1, 6), 14), {6: 70, 7: 70}),
    ([2, 2, 1], {"pot": 25}, "split", {1: 27, 2: 27}, {}),
    ([2, 2, 1], {"pot": 25, "odd_chips": "left_of_dealer_first"}, "split", {1: 28, 2: 27}, {}),
    ([2, 1, 2], {"pot": 25, "odd_chips": "left_of_dealer_first"}, "split", {1: 28, 3: 27}, {}),
    ([3, 2, 0, FOLDED], {}, "most_tricks", {1: 40}, {3: 40}),
    ([2, 2, 1, 0], {"tie": "carry"}, "carried", {}, {4: 40}),
    ([5, 0, 0], {"pot": 220}, "most_tricks", {1: 250}, {2: 250, 3: 250}),
    ([3, 2, 0], {"pot": 24, "pot_limit": 20}, "most_tricks", {1: 20}, {3: 54}),
    ([3, 2, 0], {"pot": 24, "pot_limit": 20, "bourre_pays": "limit"}, "most_tricks", {1: 20}, {3: 20}),
    ([3, 2, 0], {"bourre_pays": "limit"}, "most_tricks", {1: 30}, {3: 30}),
    ([2, 2, 1], {"pot": 25, "pot_limit": 21}, "split", {1: 10, 2: 10}, {}),
]


@pytest.mark.parametrize(("won", "options", "reason", "takes", "pays"), SETTLED)
def test_settlement(won: list[int], options: Json, reason: str, takes: dict[int, int], pays: dict[int, int]) -> None:
    table = decided(dict(enumerate(won, 1)), **options)
    assert table.reason == reason
    assert {seat: due[1] for seat, due in table.dues_out.items()} == takes
    assert {seat: due[1] for seat, (_, due) in table.dues_in.items()} == pays


@pytest.mark.parametrize(
    ("options", "owed"),
    [({}, 15), ({"debt": "capped"}, 0), ({"bourre_pays": "capped_at_stack"}, 0)],
)
def test_what_a_bourre_seat_cannot_pay(options: Json, owed: int) -> None:
    script = two_seats(stacks=[100, 15], **options)
    script.take(1, 20)
    script.pay(2, 5)
    script.end("most_tricks")
    assert script.told() == []
    assert hand_of(script.report())["pot_after"] == 5
    notes = [each for each in script.report()["findings"] if each["code"] == "table/debt-open"]
    assert [each["expected"] for each in notes] == ([owed] if owed else [])


def test_what_is_paid_later_with_why_debt_lies_in_that_pot() -> None:
    script = two_seats(stacks=[100, 15])
    script.take(1, 20)
    script.pay(2, 5)
    script.end("most_tricks")
    script.put("chips_bought", seat=2, amount=100)
    script.begin(1)
    paid = script.pay(2, 16, "debt")
    assert script.told()[0] == (paid, "table/wrong-stake")
    script.events[-1]["amount"] = 15
    assert (paid, "table/wrong-stake") not in script.told()


# -- from hand to hand ----------------------------------------------------------------------------------------------


def carried(**options: Any) -> Script:
    """A first hand that seat 1 takes and for which seat 2 owes 20 to the next pot."""
    script = two_seats(**options)
    script.take(1, 20)
    script.pay(2, 20)
    script.end("most_tricks")
    return script


def test_everyone_antes_on_every_hand() -> None:
    script = carried()
    script.deal(TWO, "2s", dealer=1)
    assert script.told() == []
    assert hand_of(script.report(), 2)["pot_before"] == 20


def test_a_seat_that_was_bourre_is_free_of_the_next_ante_where_that_is_the_rule() -> None:
    script = carried(ante_exempt="bourre")
    script.deal(TWO, "2s", dealer=1, payers=[1])
    assert script.told() == []
    script = carried(ante_exempt="bourre")
    script.begin(1)
    assert [code for _, code in script.told() if code != "table/hand-unfinished"] == ["table/unexpected-stake"]


def test_after_a_stretch_not_seen_nobody_knows_who_is_exempt() -> None:
    for payers in ([1], [2, 1]):
        script = carried(ante_exempt="bourre")
        script.put("unseen")
        script.deal(TWO, "2s", dealer=1, payers=payers)
        assert script.told() == [], payers


def test_the_dealer_goes_round_and_stays_after_a_misdeal() -> None:
    script = carried()
    wrong = script.put("hand_began", hand=2, dealer=2)
    script.put("dealt", seat=1, cards=TWO.split("/", maxsplit=1)[0].split())
    assert (wrong, "table/wrong-dealer") in script.told()
    script = Script(2)
    script.begin(2)
    script.end("misdeal")
    script.deal(TWO, "2s", dealer=2, payers=[])
    assert script.told() == []


def test_a_seat_that_had_not_anted_before_the_misdeal_antes_after_it() -> None:
    script = Script(2)
    script.put("stake_set", amount=10)
    script.put("hand_began", hand=1, dealer=2)
    script.end("misdeal")
    script.hand = 1
    script.deal(TWO, "2s", dealer=2, payers=[])
    assert [code for _, code in script.told()] == ["table/missing-stake", "table/missing-stake"]


@pytest.mark.parametrize(("seat", "code"), [(3, None), (1, "table/wrong-turn"), (None, None)])
def test_the_ante_is_set_by_the_dealer_of_the_hand_that_begins_next(seat: int | None, code: str | None) -> None:
    script = Script(3)
    setter = {} if seat is None else {"seat": seat}
    script.put("stake_set", amount=10, **setter)
    script.put("hand_began", hand=1, dealer=3)
    assert [told for _, told in script.told() if told != "table/hand-unfinished"] == ([code] if code else [])


def test_a_fixed_ante_is_set_by_nobody_alone() -> None:
    script = Script(3, ante_by="fixed")
    script.put("stake_set", amount=10, seat=3)
    script.put("hand_began", hand=1, dealer=3)
    assert (1, "table/wrong-turn") in script.told()


def test_an_ante_above_the_maximum_is_told_where_it_is_set() -> None:
    script = Script(3, max_ante=9)
    script.begin(3)
    assert script.told() == [(1, "bourre/ante-above-maximum")]
    script = Script(3, max_ante=9, ante_by="fixed")
    script.begin(3)
    assert script.told() == [], "what the table agrees anew is no dealer's ante"


def test_without_a_stake_set_the_first_ante_is_the_ante() -> None:
    script = Script(3, max_ante=8)
    script.put("hand_began", hand=1, dealer=3)
    script.pay(1, 9, "ante")
    script.pay(2, 9, "ante")
    wrong = script.pay(3, 8, "ante")
    assert script.told() == [(2, "bourre/ante-above-maximum"), (wrong, "table/wrong-stake")]


def test_an_ante_set_in_mid_hand_is_out_of_place_and_holds_from_the_next_hand_on() -> None:
    script = two_seats()
    script.events.insert(-5, {"seq": 0, "type": "stake_set", "amount": 7})
    script.events = [{**event, "seq": seq} for seq, event in enumerate(script.events)]
    script.take(1, 20)
    script.pay(2, 20)
    script.end("most_tricks")
    script.ante = 7
    script.deal(TWO, "2s", dealer=1)
    assert [code for _, code in script.told()] == ["table/out-of-place"]


# -- the turned card --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("turned", "code"),
    [("Kd", None), ("?d", None), ("Kc", "table/card-twice"), ("As", "table/card-twice"), ("2h", "table/card-not-held")],
)
def test_the_dealers_fifth_card_is_named_again(turned: str, code: str | None) -> None:
    script = Script(2, trump_card="dealers_fifth")
    script.deal(TWO, turned)
    assert [told for _, told in script.told()] == ([code] if code else [])


def test_a_turned_card_that_was_dealt_already_still_names_the_trump() -> None:
    script = Script(2)
    turned = script.deal("2s 3s 4s 5s 6s/Kc Qc Jc Tc Kd", "Kd")
    script.say("1+ 2+")
    script.play("12s 2Kd 2Kc 13s 2Qc 14s 2Jc 15s 2Tc 16s")
    assert script.told() == [(turned, "table/card-twice")]


@pytest.mark.parametrize(("recorded", "verdict"), [("dealers_fifth", "verified"), ("unrecorded", "undecided")])
def test_the_dealers_fifth_is_one_doubt_where_nobody_wrote_down_whether_it_is_turned(
    recorded: str, verdict: str
) -> None:
    script = Script(2, trump_card=recorded)
    turned = script.deal("2s 3s 4s 5s 6s/Kc Qc Jc Tc Kd", "Kd")
    script.say("1+ 2+")
    script.play("12s 2Kd 2Kc 13s 2Qc 14s 2Jc 15s 2Tc 16s")
    script.take(2, 20)
    script.pay(1, 20)
    script.end("most_tricks")
    script.put("recording_ended", events=len(script.events) + 1)
    report = script.report()
    doubts = [(each["seq"], each["code"]) for each in report["findings"] if each["severity"] == "doubt"]
    assert doubts == [(turned, "table/rule-unrecorded")] * (verdict == "undecided")
    assert report["verdict"] == verdict
    assert (hand_of(report)["trump"], hand_of(report)["takers"], hand_of(report)["pot_after"]) == ("d", [2], 20)


def test_a_dealers_unseen_fifth_card_is_named_by_being_turned() -> None:
    script = Script(2, trump_card="dealers_fifth")
    script.deal("As Ks Qs Js Ts/?? ?? ?? ?? ??", "Kd")
    assert script.told() == []
    script.say("1+ 2+")
    thrown = script.play("1As 2Kc")
    assert script.told() == [(thrown, "bourre/did-not-trump")], "he holds the king of trumps, whatever else"


# -- play out of order ----------------------------------------------------------------------------------------------


def test_play_before_its_turn() -> None:
    script = Script(3)
    script.deal(THREE, "2s")
    script.say("1+ 2+ 3+")
    early = script.play("1Ah 32h")
    script.play("24h")
    assert script.told() == [(early, "table/wrong-turn")]


def test_a_lead_by_another_than_the_taker() -> None:
    script = Script(2)
    script.deal(TWO, "2s")
    script.say("1+ 2+")
    wrong = script.play("1As 2Kc 2Qc")
    assert script.told() == [(wrong, "table/wrong-turn")]


def test_two_cards_in_one_play_and_a_card_face_down() -> None:
    script = Script(2)
    script.deal(TWO, "2s")
    script.say("1+ 2+")
    two = script.put("played", seat=1, cards=["As", "Ks"], face="up")
    down = script.put("played", seat=2, cards=["Kc"], face="down")
    assert script.told() == [(two, "table/wrong-card-count"), (down, "table/out-of-place")]


def test_a_missing_play_is_told_at_the_next_lead_and_the_hand_goes_on() -> None:
    script = Script(3)
    script.deal(THREE, "2s")
    script.say("1+ 2+ 3+")
    script.play("1Ah 24h")
    lead = script.play("17c")
    script.play("2Qc 36c 2Kc 3As 15s")
    assert script.told() == [(lead, "table/wrong-turn")]
    assert [doubt for doubt in script.told("doubt") if doubt[1] == "table/unknown-card"] == [], "it was a heart"


def test_who_is_passed_over_is_told_once() -> None:
    script = Script(4)
    script.deal("2h 3h 4h 5h 6h/7h 8h 9h Th Jh/2d 3d 4d 5d 6d/7d 8d 9d Td Jd", "2c")
    second = script.say("2+")
    script.say("3+ 4+")
    assert script.told() == [(second, "table/wrong-turn")]
    script.say("1+")
    assert script.told() == [(second, "table/wrong-turn")]
    early = script.play("12h 32d")
    script.play("4Td 2Jh")
    assert script.told() == [(second, "table/wrong-turn"), (early, "table/wrong-turn")]


def test_a_deal_that_is_not_on_record_is_a_hand_nobody_knows() -> None:
    script = Script(2)
    script.begin(2)
    script.put("dealt", seat=1, cards=TWO.split("/", maxsplit=1)[0].split())
    turned = script.put("trump_turned", card="2s")
    script.say("1+ 2+")
    script.play(FIVE_NIL)
    assert script.told() == [(turned, "table/out-of-place")]


def test_a_discard_or_a_draw_that_is_not_on_record() -> None:
    script = Script(2)
    script.deal("As Ks Qs Js Ts/Kc Qc Jc Tc 9c", "2s")
    script.say("1+ 2+")
    drew = script.put("drew", seat=2, cards=["Kd"])
    script.play(FIVE_NIL)
    assert script.told() == [(drew, "table/out-of-place")]
    script = Script(2)
    script.deal("As Ks Qs Js Ts/Kc Qc Jc Tc 9c", "2s")
    script.say("1+ 2+")
    script.put("discarded", seat=2, cards=["9c"])
    script.pay(2, 10, "draw_fee")
    lead = script.play("1As")
    script.play(FIVE_NIL.split(" ", maxsplit=1)[1])
    assert script.told() == [(lead, "table/wrong-card-count")]


def test_play_before_all_have_spoken() -> None:
    script = Script(3)
    script.deal(THREE, "2s")
    script.say("1+ 2+")
    early = script.play("1Ah")
    script.play("24h 32h")
    assert script.told() == [(early, "table/out-of-place")]


def test_play_after_the_end_and_by_strangers() -> None:
    script = two_seats()
    late = script.play("1As")
    assert script.told()[-1] == (late, "table/out-of-place")
    script = Script(3)
    script.put("player_left", seat=3)
    script.seats = [1, 2]
    script.deal(TWO, "2s")
    script.say("1+ 2+")
    stranger = script.play("32c")
    assert script.told() == [(stranger, "table/out-of-place")]


def test_a_trump_that_was_never_turned_is_one_of_four() -> None:
    script = Script(2)
    script.begin(2)
    for seat, cards in zip((1, 2), TWO.split("/"), strict=True):
        script.put("dealt", seat=seat, cards=cards.split())
    said = script.say("1+ 2+") - 1
    script.play(FIVE_NIL)
    script.end("most_tricks")
    assert (said, "table/out-of-place") in script.told()
    hand = hand_of(script.report())
    assert (hand["trump"], hand["reason"], hand["takers"]) == (None, "most_tricks", None)


def test_a_trick_is_claimed_by_its_taker_once() -> None:
    script = Script(2)
    script.deal(TWO, "2s")
    script.say("1+ 2+")
    early = script.put("trick_taken", seat=1)
    script.play("1As 2Kc")
    wrong = script.put("trick_taken", seat=2)
    again = script.put("trick_taken", seat=1)
    codes = ["table/out-of-place", "table/trick-misawarded", "table/out-of-place"]
    assert script.told() == list(zip((early, wrong, again), codes, strict=True))


def test_a_wrong_reason() -> None:
    script = two_seats()
    script.take(1, 20)
    script.pay(2, 20)
    wrong = script.end("split")
    assert script.told() == [(wrong, "table/wrong-reason")]


# -- duties, as a dispute tells them ----------------------------------------------------------------------------------


def duties_of(script: Script, hide: bool) -> list[tuple[int, str, str, tuple[str, ...], int | None]]:
    """The duties of the last hand, with every deal unseen or as dealt."""
    events = [{**event, "cards": ["??"] * 5} if hide and event["type"] == "dealt" else event for event in script.events]
    recording = intake.read(to_bytes(events))
    assert isinstance(recording, Recording)
    table: Bourre = Fold(recording.events, desk.house_of(recording)).run().table
    return [(each.seq, each.duty, each.answer, each.would_have, each.proved_by) for each in table.duties()]


@pytest.mark.parametrize("hide", [False, True])
def test_each_play_with_a_duty_is_listed_kept_or_not_with_its_proof(hide: bool) -> None:
    script = Script(2)
    script.deal("As 7c 5h 4h 3h/Ks 8c 9c 6h 2h", "2s")
    script.say("1+ 2+")
    first = script.play("1As")
    script.play("22h 15h 2Ks 28c 17c 29c 14h 26h 13h")
    script.end("split")
    listed = duties_of(script, hide)
    assert listed[0] == (first, "lead_highest_trump", "kept", ("As",), None)
    assert listed[1] == (first + 1, "follow", "broken", ("Ks",), first + 3 if hide else None)
    assert listed[2] == (first + 3, "follow", "broken", ("6h",), first + 8 if hide else None)
    assert listed[3] == (first + 5, "follow", "kept", ("7c",), None)
    broken = [each[0] for each in listed if each[2] == "broken"]
    assert broken == [seq for seq, code in script.told() if "did-not" in code]


def test_the_duties_of_a_trick_that_was_given_up_are_told() -> None:
    script = Script(3)
    script.deal(THREE, "2s")
    script.say("1+ 2+ 3+")
    revoked = script.play("17c 29s")
    script.end("abandoned")
    assert (revoked, "bourre/did-not-follow") in script.told()
    seats = desk.dispute(to_bytes(script.events), hand=1)["seats"]
    assert [(each["seq"], each["duty"], each["answer"], each["would_have"]) for each in seats["2"]["duties"]] == [
        (revoked, "follow", "broken", ["Qc", "Kc"])
    ]


@pytest.mark.parametrize(("turned", "trump", "taker"), [("2s", "s", 1), ("?s", "s", 1), ("??", None, None)])
def test_of_a_hand_that_breaks_off_only_what_is_known_is_told(
    turned: str, trump: str | None, taker: int | None
) -> None:
    script = Script(2)
    script.deal("As 7c 5h 4h 3h/Kd 8d 9d 6h 2h", turned)
    script.say("1+ 2+")
    script.play("17c 2Kd")
    hand = hand_of(script.report())
    assert (hand["trump"], [trick["taker"] for trick in hand["tricks"]]) == (trump, [taker])


@pytest.mark.parametrize(
    ("moves", "told"),
    [
        (["fee", "take 40"], []),
        (["take 30"], []),
        (["fee", "take 30"], ["table/wrong-payout"]),
        (["take 30", "fee"], ["table/unexpected-stake"]),
        (["fee", "fee", "take 40"], ["table/unexpected-stake"]),
    ],
)
def test_who_stayed_may_pay_for_it_after_all_others_have_folded(moves: list[str], told: list[str]) -> None:
    script = Script(3, draw_fee="ante_if_staying")
    script.deal(THREE, "2s")
    script.say("1+ 2- 3-")
    for move in moves:
        if move == "fee":
            script.pay(1, 10, "draw_fee")
        else:
            script.take(1, int(move.removeprefix("take ")))
    script.end("sole_survivor")
    assert [code for _, code in script.told()] == told


@pytest.mark.parametrize(("stack", "owed"), [(10, 10), (13, 7)])
def test_a_sole_survivor_owes_what_it_could_not_pay_for_staying(stack: int, owed: int) -> None:
    script = Script(3, draw_fee="ante_if_staying", stacks=[stack, 100, 100])
    script.deal(THREE, "2s")
    script.say("1+")
    if stack > 10:
        script.pay(1, stack - 10, "draw_fee")
    script.say("2- 3-")
    script.take(1, 20 + stack)
    script.end("sole_survivor")
    script.begin(1)
    script.pay(1, owed, "debt")
    assert script.told() == []
    script.pay(1, 1, "debt")
    assert [code for _, code in script.told()] == ["table/unexpected-stake"]
