"""A line written under another seat than the one that acted: one fault, and nobody's sums are others for it."""

import pytest

from replay import desk
from tests.engine.bourre import walks
from tests.engine.bourre.hands import Script
from tests.engine.bourre.test_hands import TWO
from tests.walks.bura import Json, to_bytes

CALM = walks.Habits(tells=0, moves=0, spoils=0, commits=0, strong=0)
EVENING = walks.evening(3, seats=4, hands=4, habits=CALM)


def places(kind: str) -> list[int]:
    return [event["seq"] for event in EVENING if event["type"] == kind]


def judged(events: list[Json]) -> Json:
    report = desk.verify(to_bytes(events))
    assert report["format"] == "razbor-report/1"
    return report


def nets(report: Json) -> list[Json]:
    return [{seat: each["net_due"] for seat, each in hand["seats"].items()} for hand in report["hands"]]


def slips(seq: int) -> list[Json]:
    """The reports of the evening with this line under each other seat."""
    right = EVENING[seq]
    others = [seat for seat in range(1, 5) if seat != right["seat"]]
    return [judged([*EVENING[:seq], right | {"seat": other}, *EVENING[seq + 1 :]]) for other in others]


def told(report: Json) -> list[tuple[int, str]]:
    return [(each["seq"], each["code"]) for each in report["findings"] if each["severity"] != "note"]


def test_the_evening_is_clean() -> None:
    assert judged(EVENING)["verdict"] == "verified"
    assert all(places(kind) for kind in ("dealt", "discarded", "drew", "played", "stayed", "folded"))


@pytest.mark.parametrize("seq", places("played"))
def test_a_play_is_that_of_whose_turn_it_is(seq: int) -> None:
    """That seat surely holds the card, and the one written down cannot have laid it (`report.md` 3)."""
    for report in slips(seq):
        assert told(report) == [(seq, "table/card-not-held")]
        assert nets(report) == nets(judged(EVENING))


@pytest.mark.parametrize("seq", places("discarded"))
def test_a_discard_is_that_of_who_surely_holds_the_cards(seq: int) -> None:
    for report in slips(seq):
        assert told(report) == [(seq, "table/card-not-held")]
        assert nets(report) == nets(judged(EVENING))


@pytest.mark.parametrize("seq", places("drew"))
def test_a_draw_is_that_of_who_was_to_draw(seq: int) -> None:
    for report in slips(seq):
        assert told(report) == [(seq, "table/wrong-turn")]
        assert nets(report) == nets(judged(EVENING))


def test_a_draw_too_many_is_one_where_the_draw_that_was_due_comes_too() -> None:
    """The cards that another seat drew before are its own then: it lays one of them."""
    script = Script(2)
    script.deal(TWO, "2s")
    script.say("1+")
    script.put("discarded", seat=1, cards=["Ts"])
    script.put("staked", seat=1, amount=10, why="draw_fee")
    extra = script.put("drew", seat=2, cards=["9d"])
    script.put("drew", seat=1, cards=["9h"])
    script.say("2+")
    script.play("1As 2Kc 1Ks 2Qc 1Qs 2Jc 1Js 2Tc 19h 29d")
    assert script.told() == [(extra, "table/wrong-turn")]


@pytest.mark.parametrize("seq", places("dealt"))
def test_a_deal_is_that_of_whose_place_it_was(seq: int) -> None:
    for report in slips(seq):
        assert [code for _, code in told(report)] == ["table/wrong-turn"]
        assert nets(report) == nets(judged(EVENING))


@pytest.mark.parametrize("seq", [*places("stayed"), *places("folded")])
def test_a_word_is_that_of_whose_turn_it_is(seq: int) -> None:
    """The seat written down has a word of its own, and whose turn it is has none."""
    for report in slips(seq):
        assert told(report) == [(seq, "table/wrong-turn")]
        assert nets(report) == nets(judged(EVENING))


def test_a_word_out_of_turn_stands_where_both_seats_speak_once() -> None:
    """The recorded act stands (`report.md` 1): seat 2 has folded before seat 1 spoke."""
    script = Script(3)
    script.deal("As Ks Qs Js Ts/Kc Qc Jc Tc Kd/2c 3c 4c 5c 6c", "2s")
    early = script.say("2-")
    script.say("1+ 3+")
    script.play("1As 32c 1Ks 33c 1Qs 34c 1Js 35c 1Ts 36c")
    script.take(1, 30)
    script.pay(3, 30)
    script.end("most_tricks")
    assert script.told() == [(early, "table/wrong-turn")]
    assert script.report()["hands"][0]["seats"]["2"] == {"tricks": 0, "net_recorded": -10, "net_due": -10}


def test_who_stayed_and_folds_after_that_is_late_where_the_next_speaks_too() -> None:
    script = Script(3)
    script.deal("As Ks Qs Js Ts/Kc Qc Jc Tc Kd/2c 3c 4c 5c 6c", "2s")
    script.say("1+")
    late = script.say("1-")
    script.say("2+ 3+")
    assert (late, "bourre/folded-late") in script.told()


def test_a_word_too_many_is_out_of_place_where_the_next_speaks_too() -> None:
    script = Script(3)
    script.deal("As Ks Qs Js Ts/Kc Qc Jc Tc Kd/2c 3c 4c 5c 6c", "2s")
    script.say("1+")
    again = script.say("1+")
    script.say("2+ 3-")
    assert script.told() == [(again, "table/out-of-place")]


def test_a_fold_is_that_of_whose_turn_it_is_where_the_one_written_down_takes_the_pot() -> None:
    """The last seat left says nothing: all others have folded (`bourre.6`)."""
    script = Script(3)
    script.deal("As Ks Qs Js Ts/Kc Qc Jc Tc Kd/2c 3c 4c 5c 6c", "2s")
    script.say("1-")
    slip = script.say("3-")
    script.take(3, 30)
    script.end("sole_survivor")
    assert script.told() == [(slip, "table/wrong-turn")]
    assert [each["net_due"] for each in script.report()["hands"][0]["seats"].values()] == [-10, -10, 20]
