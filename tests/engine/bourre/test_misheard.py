"""A word written down as the other one: one fault, where the rest of the hand shows what was said."""

import pytest

from replay import desk
from tests.engine.bourre import walks
from tests.engine.bourre.hands import Script
from tests.walks.bura import Json, to_bytes

CALM = walks.Habits(tells=0, moves=0, spoils=0, commits=0, strong=0, folds=0.2)
EVENING = walks.evening(11, seats=5, hands=5, habits=CALM)
OTHER = {"stayed": "folded", "folded": "stayed"}
HANDS = "Ah Kh 2c 3c 4c/2h 3h Ac Kc 2d/4h 5h 5c 6c Ad"


def judged(events: list[Json]) -> Json:
    report = desk.verify(to_bytes(events))
    assert report["format"] == "razbor-report/1"
    return report


def nets(report: Json) -> list[Json]:
    return [{seat: each["net_due"] for seat, each in hand["seats"].items()} for hand in report["hands"]]


def words() -> list[int]:
    """The words of hands that were played out."""
    found: list[int] = []
    hand: list[int] = []
    for event in EVENING:
        if event["type"] in OTHER:
            hand.append(event["seq"])
        elif event["type"] == "hand_ended":
            found += hand if event["reason"] in ("most_tricks", "split") else []
            hand = []
    return found


def test_words_of_both_kinds_are_tried() -> None:
    assert judged(EVENING)["verdict"] == "verified"
    assert {EVENING[seq]["type"] for seq in words()} == set(OTHER)


@pytest.mark.parametrize("seq", words())
def test_a_word_written_as_the_other_is_told_once(seq: int) -> None:
    right = EVENING[seq]
    report = judged([*EVENING[:seq], right | {"type": OTHER[right["type"]]}, *EVENING[seq + 1 :]])
    errors = [(each["seq"], each["code"]) for each in report["findings"] if each["severity"] == "error"]
    assert errors == [(seq, "table/out-of-place")]
    assert nets(report) == nets(judged(EVENING))


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


def test_who_is_said_to_fold_and_changes_cards_and_takes_the_pot_has_stayed() -> None:
    script = Script(3)
    script.deal(HANDS, "2s")
    slip = script.say("1-")
    script.change(1, "2c", "7c")
    script.say("2- 3-")
    script.take(1, 40)
    script.end("sole_survivor")
    assert script.told() == [(slip, "table/out-of-place")]
    assert [each["net_due"] for each in script.report()["hands"][0]["seats"].values()] == [20, -10, -10]


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
