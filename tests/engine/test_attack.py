"""One fault in a game that is otherwise right is told once: what follows from it is no fault of its own."""

from typing import Any

import pytest

from replay import desk
from tests.engine.bourre.hands import Script
from tests.walks.bura import to_bytes
from tests.walks.script import START, START3, made, told, verified

THREE = "Ah 7c 5s 2d 3d/Kc Qc 9s 8d 4h/As Td 6c 2h 3h"
FOUR = "As Ks Qs Js Ts/2h 3h 4h 5h 6h/2d 3d 4d 5d 6d/2c 3c 4c 5c 6c"
ROUND = ("1As 2{0} 32d 42c", "1Ks 23h 33d 43c", "1Qs 24h 34d 44c", "1Js 25h 35d 45c", "1Ts 26h 36d 46c")


def errors(report: dict[str, Any]) -> list[tuple[int, str]]:
    return told(report, "error")


def four(words: str) -> tuple[Script, int]:
    """Seat 1 takes five tricks of spades, seat 4 deals; the seq of the first card."""
    script = Script(4)
    script.deal(FOUR, "2s")
    return script, script.say(words) + 1


@pytest.mark.parametrize("place", [1, 2, 3, 4])
def test_a_card_of_a_seat_that_has_folded_is_no_card_of_the_trick(place: int) -> None:
    script, _ = four("1+ 2+ 3+ 4-")
    first = ["1As", "22h", "32d"]
    first.insert(place, "42c") if place < 4 else first.append("42c")
    stray = [script.play(card) for card in first][first.index("42c")]
    for trick in ROUND[1:]:
        script.play(trick[:-4])
    script.take(1, 40)
    script.pay(2, 40)
    script.pay(3, 40)
    script.end("most_tricks")
    assert script.told() == [(stray, "table/out-of-place")]
    assert script.report()["hands"][0]["seats"]["1"]["tricks"] == 5


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_who_folds_late_and_plays_on_in_his_turn_has_not_folded(seat: int) -> None:
    script, _ = four("1+ 2+ 3+ 4+")
    late = script.say(f"{seat}-")
    script.play(ROUND[0].format("2h"))
    script.put("trick_taken", seat=1)
    for trick in ROUND[1:]:
        script.play(trick)
    script.take(1, 40)
    for bourre in (2, 3, 4):
        script.pay(bourre, 40)
    script.end("most_tricks")
    assert script.told() == [(late, "bourre/folded-late")]
    assert script.report()["hands"][0]["takers"] == [1]


def hand(number: int, dealer: int, order: str, *, pot: int = 30) -> tuple[str, ...]:
    """Three seats; the first dealt takes the first trick with 45 points and opens."""
    first, second, third = list(order)
    cards = ("As Ks Ts", "Td Qh 9h", "7h 8h Jd")
    dealt = tuple(f"deal {seat} {held}" for seat, held in zip(order, cards, strict=True))
    answers = (f"up {first} {cards[0]}", f"down {second} {cards[1]}", f"down {third} {cards[2]}")
    antes = tuple(f"ante {seat} 10" for seat in order)
    end = (f"opened {first}", f"pot_taken {first} {pot}", "end opened")
    return (f"hand {number} {dealer}", *antes, *dealt, "turn 6c", *answers, *end)


def three(*lines: str) -> dict[str, Any]:
    return verified("stake_set 10", *lines, seats=3)


def test_a_wrong_dealer_written_over_a_deal_of_the_right_one_is_one_fault() -> None:
    first, second = hand(1, 3, "123"), hand(2, 3, "231")
    report = three(*first, *second)
    assert errors(report) == [(2 + len(first), "wrong-dealer")]
    assert report["hands"][1]["dealer"] == 3


def test_two_seats_dealt_in_each_others_place_are_one_fault() -> None:
    lines = list(hand(1, 3, "123"))
    lines[4], lines[5] = lines[5], lines[4]
    assert errors(three(*lines)) == [(6, "wrong-turn")]


def test_a_card_that_cannot_have_been_dealt_is_not_told_again_when_it_is_laid() -> None:
    for strange, code in (("2h", "card-not-in-pack"), ("Ks", "card-twice")):
        lines = [line.replace("8h", strange) for line in hand(1, 3, "123")]
        assert errors(three(*lines)) == [(8, code)], strange


@pytest.mark.parametrize("answer", ["Td", "Td Qh 9h"])
def test_a_set_of_another_size_than_the_lead_is_one_fault(answer: str) -> None:
    lines = list(hand(1, 3, "123"))[:-6]
    assert errors(three(*lines, "up 1 As Ks", f"up 2 {answer}", "down 3 7h 8h", "end abandoned")) == [
        (len(lines) + 3, "wrong-card-count")
    ]


def test_a_stake_is_set_between_hands() -> None:
    lines = list(hand(1, 3, "123"))
    assert errors(three(*lines[:-3], "stake_set 20", *lines[-3:])) == [(len(lines) - 1, "out-of-place")]


def test_the_dealer_who_should_deal_may_set_the_ante_though_another_is_written_down() -> None:
    script = Script(3)
    script.deal(THREE, "2s")
    script.say("1- 2-")
    script.take(3, 30)
    script.end("sole_survivor")
    script.put("stake_set", amount=10, seat=1)
    wrong = script.put("hand_began", hand=2, dealer=2)
    for seat in (2, 3, 1):
        script.put("staked", seat=seat, amount=10, why="ante")
    for seat, cards in zip((2, 3, 1), THREE.split("/"), strict=True):
        script.put("dealt", seat=seat, cards=cards.split())
    script.put("trump_turned", card="2s")
    script.say("2- 3-")
    script.take(1, 30)
    script.end("sole_survivor")
    assert script.told() == [(wrong, "table/wrong-dealer")]


THREE_SEATS = ("deal 1 As Ts Ks", "deal 2 Th Kh 6c", "deal 3 7c 8c 9c", "turn 6d", "up 1 As")
REST = ("down 3 7c", "trick_taken 1 11", "draw 1 7h", "draw 2 8h", "draw 3 9h")


@pytest.mark.parametrize(
    ("early", "place"),
    [("draw 1 7h", 11), ("draw 1 7h", 12), ("draw 2 8h", 11), ("draw 2 8h", 12), ("draw 3 9h", 11), ("draw 3 9h", 12)],
)
def test_a_draw_in_mid_trick_does_not_end_the_trick(early: str, place: int) -> None:
    lines = [*START3, *THREE_SEATS, "down 2 6c", *(line for line in REST if line != early)]
    lines.insert(place - 1, early)
    again = ("up 1 7h", "up 2 8h", "up 3 9h", "trick_taken 3 0", "end abandoned")
    report = verified(*lines, *again, seats=3)
    assert errors(report) == [(place, "out-of-place")]
    assert [trick["taker"] for trick in report["hands"][0]["tricks"]] == [1, 3]


def test_a_trick_that_was_called_over_is_over_at_the_draw() -> None:
    """The answer of seat 3 is not on record."""
    lines = (*START3, *THREE_SEATS, "down 2 6c", *REST[1:], "up 1 7h", "up 2 8h", "down 3 7c", "end abandoned")
    report = verified(*lines, seats=3)
    assert errors(report) == [(12, "out-of-place")]


def test_a_draw_after_the_next_lead_leaves_the_trick_as_it_is() -> None:
    swapped = (*REST[:4], "up 1 7h", "draw 3 9h", "up 2 8h", "up 3 9h", "trick_taken 3 0", "end abandoned")
    report = verified(*START3, *THREE_SEATS, "down 2 6c", *swapped, seats=3)
    assert errors(report) == [(16, "out-of-place")]  # the draw that comes after all is told no second time


def test_nothing_lies_in_a_pot_of_which_more_was_taken_than_lay_there() -> None:
    lines = ("deal 1 As Ks Ts", "deal 2 Td Qh 9h", "turn 6c", "up 1 As Ks Ts", "down 2 Td Qh 9h", "opened 1")
    for amount, left in ((20, False), (30, False), (15, True)):
        report = verified(*START, *lines, f"pot_taken 1 {amount}", "end opened")
        assert errors(report) == ([] if amount == 20 else [(11, "wrong-payout")])
        assert ("pot-left" in [code for _, code in told(report, "note")]) is left


DEALS = ("deal 1 As Ts Ks", "deal 2 Th Kh 6c", "deal 3 7c 8c 9c")
ROUND_OF_THREE = ("up 1 As Ts", "down 2 Th Kh", "down 3 7c 8c", "trick_taken 1 35")
WON = ("opened 1", "counted 1 35", "pot_taken 1 30", "end opened")


def with_draws(*draws: str) -> tuple[str, ...]:
    played = (*START3, *DEALS, "turn 6d", *ROUND_OF_THREE, *draws)
    return (*played, "up 1 7h", "down 2 7d", "down 3 9c", "trick_taken 1 0", *WON)


def test_a_trump_turned_before_the_last_deal_is_one_fault() -> None:
    lines = (*START3, *DEALS[:2], "turn 6d", DEALS[2], *ROUND_OF_THREE)
    report = verified(*lines, "draw 1 7h 8h", "draw 2 7d 8d", "draw 3 9h 9d", *with_draws()[-8:], seats=3)
    assert errors(report) == [(8, "out-of-place")]


@pytest.mark.parametrize(
    ("lacking", "told_at"), [(0, (6, "wrong-turn")), (1, (7, "wrong-turn")), (2, (8, "out-of-place"))]
)
def test_a_deal_that_is_not_on_record_is_one_fault(lacking: int, told_at: tuple[int, str]) -> None:
    dealt = tuple(deal for place, deal in enumerate(DEALS) if place != lacking)
    lines = (*START3, *dealt, "turn 6d", *ROUND_OF_THREE, *WON)
    report = verified(*lines, seats=3)
    assert errors(report) == [told_at]
    assert report["hands"][0]["takers"] == [1]
    answer = desk.dispute(to_bytes(made(*lines, seats=3)), hand=1)
    assert {seat: entry["points"]["high"] for seat, entry in answer["seats"].items()} == {"1": 35, "2": 0, "3": 0}


@pytest.mark.parametrize("lacking", [0, 1])
def test_a_draw_that_is_not_on_record_is_one_fault(lacking: int) -> None:
    draws = ["draw 1 7h 8h", "draw 2 7d 8d", "draw 3 9h 9d"]
    del draws[lacking]
    report = verified(*with_draws(*draws)[:-8], seats=3, closed=False)
    assert errors(report)[0] == (14 + lacking, "wrong-turn")
    assert "wrong-turn" not in [code for _, code in errors(report)[1:]]
    assert "out-of-place" not in [code for _, code in errors(report)]


@pytest.mark.parametrize(
    ("place", "codes"),
    [
        (6, ["card-twice", "wrong-turn"]),
        (7, ["card-twice", "wrong-turn"]),
        (10, ["card-not-held", "wrong-turn"]),
        (11, ["card-not-held", "wrong-turn"]),
        (12, ["card-not-held", "out-of-place"]),
        (13, ["out-of-place"]),
        (14, ["card-twice", "wrong-turn"]),
        (15, ["card-twice", "wrong-turn"]),
    ],
)
def test_a_line_written_twice_changes_nothing(place: int, codes: list[str]) -> None:
    clean = with_draws("draw 1 7h 8h", "draw 2 7d 8d", "draw 3 9h 9d")
    report = verified(*clean[:place], clean[place - 1], *clean[place:], seats=3)
    assert errors(report) == [(place + 1, code) for code in codes]
    assert report["hands"][0]["takers"] == [1]
    assert errors(verified(*clean, seats=3)) == []


@pytest.mark.parametrize("unseen", [False, True])
def test_an_end_written_after_the_next_hand_began_does_not_end_that_one(unseen: bool) -> None:
    first = (*START, "deal 1 As Ks Ts", "deal 2 Td Qh 9h", "turn 6c", "up 1 As Ks Ts", "down 2 Td Qh 9h", "opened 1")
    lays = "?? ?? ??" if unseen else "Td Qh 9h"
    again = (
        "ante 1 10",
        "ante 2 10",
        "deal 2 As Ks Ts",
        f"deal 1 {lays}",
        "turn 6c",
        "up 2 As Ks Ts",
        f"down 1 {lays}",
    )
    lines = (*first, "pot_taken 1 20", "hand 2 1", "end opened", *again, "opened 2")
    won = ("counted 2 38 As Ks Ts Td Qh 9h", "pot_taken 2 20", "end opened")
    report = verified(*lines, *won)
    assert errors(report) == [(12, "hand-unfinished"), (13, "out-of-place")]
    assert [hand["takers"] for hand in report["hands"]] == [[1], [2]]
    assert report["balances"]["due"] == {"1": 0, "2": 0}
    asked = desk.dispute(to_bytes(made(*lines, *won)), hand=2)
    assert asked["rightful"]["seats"] == [2]


def test_an_end_that_nobody_saw_is_not_looked_for_in_the_next_hand() -> None:
    gap = (*START, "deal 1 As Ks Ts", "deal 2 Td Qh 9h", "turn 6c", "up 1 As Ks Ts", "unseen", "hand 2 1")
    report = verified(*gap, "end misdeal")
    assert (errors(report), report["verdict"]) == ([], "undecided")
    assert [hand["reason"] for hand in report["hands"]] == [None, "misdeal"]
    assert errors(verified(*gap, "end opened")) == [(11, "hand-unfinished")]


@pytest.mark.parametrize("cards", ["Td Qh 9h", "?? ?? ??"])
@pytest.mark.parametrize("done", [("ante 1 10", "ante 1 10"), ("ante 1 10",), ("sat_out 2",)])
def test_an_end_after_something_was_done_in_the_next_hand_is_its_own(done: tuple[str, ...], cards: str) -> None:
    lines = (*START, "deal 1 As Ks Ts", f"deal 2 {cards}", "turn 6c", "hand 2 1", *done, "end misdeal", "up 1 As")
    report = verified(*lines)
    assert (8, "hand-unfinished") in errors(report)
    assert (10 + len(done), "out-of-place") in errors(report)
    assert len(report["hands"]) == 2


HAND = ("deal 1 As Ks Ts", "deal 2 Td Qh 9h", "turn 6c", "up 1 As Ks Ts", "down 2 Td Qh 9h", "opened 1")
PAID = ("pot_taken 1 20", "end opened")


@pytest.mark.parametrize("place", range(2, 13))
def test_who_joins_in_mid_hand_plays_from_the_next_one(place: int) -> None:
    lines = [*START, *HAND, *PAID]
    lines.insert(place, "joined 3 Вера")
    again = ("ante 2 10", "ante 3 10", "ante 1 10", "deal 2 As Ks Ts", "deal 3 Td Qh 9h", "deal 1 7c 8c 9c", "turn 6c")
    report = verified(*lines, "hand 2 1", *again, "up 2 As Ks Ts", closed=False)
    assert errors(report) == ([(place + 1, "out-of-place")] if place < 12 else [])


def test_who_joins_after_the_hand_began_and_stakes_plays_in_it() -> None:
    antes = ("ante 1 10", "ante 2 10", "ante 3 10")
    deals = ("deal 3 Td Qh 9h", "deal 1 7c 8c 9c", "deal 2 As Ks Ts", "turn 6c", "up 3 9h")
    report = verified(*START[:2], "joined 3 Вера", *antes, *deals, closed=False)
    assert errors(report) == [(3, "out-of-place")]


def test_a_trump_that_was_not_turned_on_record_is_one_fault() -> None:
    """Where the trump decides nothing the hand is judged to its end; where it decides, that stays open."""
    report = verified(*START, *HAND[:2], *HAND[3:], *PAID)
    assert errors(report) == [(7, "out-of-place")]
    assert report["hands"][0]["takers"] == [1]
    assert report["hands"][0]["trump"] is None
    turned_late = (*START, *HAND[:2], HAND[3], HAND[2], *HAND[4:], *PAID)
    report = verified(*turned_late)
    assert (errors(report), report["hands"][0]["trump"]) == ([(7, "out-of-place")], HAND[2].split()[1][1])
    beaten = verified(*START, "deal 1 As Ks Ts", "deal 2 Td Qh 9h", "up 1 As", "up 2 Td", "end abandoned")
    assert errors(beaten) == [(7, "out-of-place")]
    assert (8, "unknown-card") in told(beaten, "doubt")
