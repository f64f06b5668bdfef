"""A dispute by hand-written hands: what is known when, who may open, whose the pot is, what is owed (`report.md` 5)."""

import json
from typing import Any

import pytest

from replay import desk
from replay.audit.stand import NoSuchMomentError
from tests.check_cases import recording_path
from tests.engine.bourre.test_hands import two_seats
from tests.walks.bura import Json, to_bytes
from tests.walks.script import START, made

UNSEEN = (*START, "deal 1 As Ks Ts", "deal 2 ?? ?? ??", "turn 6d", "up 1 As", "down 2 ??", "trick_taken 1",
          "draw 1 7c", "draw 2 ??")  # fmt: skip
"""Seat 1 takes an ace and a card of seat 2, laid at seq 9, that nobody saw; the next line has seq 13."""


def ask(*lines: str | Json, options: Json | None = None, seats: int = 2, **how: Any) -> Json:
    answer = desk.dispute(to_bytes(made(*lines, options=options, seats=seats)), hand=how.pop("hand", 1), **how)
    assert answer["format"] == "razbor-dispute/1", answer
    return answer


def points(answer: Json, seat: int) -> tuple[int | None, int | None]:
    found = answer["seats"][str(seat)]["points"]
    return found["low"], found["high"]


# -- what is known when -------------------------------------------------------------------------------------------


def test_a_later_reveal_is_not_known_before() -> None:
    lines = (*UNSEEN, "revealed 9 Td")
    assert points(ask(*lines, at=12), 1) == (11, 22)
    assert points(ask(*lines, at=13), 1) == (21, 21)
    assert points(ask(*lines), 1) == (21, 21)


def test_at_the_end_all_that_the_record_ever_tells_counts() -> None:
    lines = (*UNSEEN, "end abandoned", "revealed 9 Td")
    assert points(ask(*lines), 1) == (21, 21)
    assert points(ask(*lines, at=13), 1) == (11, 22)


def test_words_count_wherever_they_stand_but_only_of_what_has_happened() -> None:
    word = {"type": "testified", "seat": 2, "of": 9, "cards": ["Td"]}
    assert points(ask(*UNSEEN, word, believe=[2]), 1) == (21, 21)
    assert points(ask(*UNSEEN, word, at=9, believe=[2]), 1) == (21, 21)
    assert points(ask(*UNSEEN, word, at=8, believe=[2]), 1) == (0, 0)
    assert points(ask(*UNSEEN, word, believe=[1]), 1) == (11, 22)


def test_a_word_against_a_fact_is_told_and_left_out() -> None:
    false = {"type": "testified", "seat": 2, "of": 9, "cards": ["As"]}
    answer = ask(*UNSEEN, false, believe=[2])
    assert answer["contradictions"] == [{"seat": 2, "seq": 13}]
    assert points(answer, 1) == (11, 22)


def test_a_word_that_the_turn_up_was_drawn_while_it_lay_under_the_stock_is_against_a_fact() -> None:
    drew = next(event["seq"] for event in made(*UNSEEN) if event["type"] == "drew" and event["seat"] == 2)
    said = {"type": "testified", "seat": 2, "of": drew, "cards": ["6d"]}
    assert ask(*UNSEEN, said, believe=[2])["contradictions"] == [{"seat": 2, "seq": 13}]
    either = {**said, "cards": ["6d/7h"]}
    assert ask(*UNSEEN, either, believe=[2])["contradictions"] == []


def test_two_seats_that_cannot_both_be_right_are_both_left_out() -> None:
    words = [{"type": "testified", "seat": seat, "of": 9, "cards": [card]} for seat, card in ((1, "Td"), (2, "Kd"))]
    answer = ask(*UNSEEN, *words, believe=[1, 2])
    assert answer["contradictions"] == [{"seat": 1, "seq": 13}, {"seat": 2, "seq": 14}]
    assert points(answer, 1) == (11, 22)
    assert points(ask(*UNSEEN, *words, believe=[2]), 1) == (15, 15)


def test_words_about_what_was_dealt_bound_what_was_laid() -> None:
    word = {"type": "testified", "seat": 2, "of": 6, "cards": ["6s", "7s/8s", "Kd"]}
    assert points(ask(*UNSEEN, word, believe=[2]), 1) == (11, 15)


def test_more_cards_than_were_laid_contradict_the_record() -> None:
    word = {"type": "testified", "seat": 2, "of": 9, "cards": ["Td", "Kd"]}
    assert ask(*UNSEEN, word, believe=[2])["contradictions"] == [{"seat": 2, "seq": 13}]


def test_after_an_unseen_stretch_nothing_is_known() -> None:
    answer = ask(*UNSEEN, "unseen", "opened 1", "counted 1 31", "pot_taken 1 20", "end opened", view="public")
    said = answer["seats"]["1"]
    assert said["points"] == {"low": None, "high": None}
    assert (said["answer"], said["unknown"], said["opened_at"], said["counted"]) == ("open", None, 14, 31)
    assert answer["rightful"] == {"seats": [], "amount": None, "why": None, "answer": "open"}
    assert answer["remedy"] == {"1": None, "2": None}
    assert points(ask(*UNSEEN, "unseen", at=12), 1) == (11, 22)


def test_the_last_hand_of_a_number_is_meant() -> None:
    lines = (*UNSEEN, "end abandoned", *START[1:], "deal 1 Ah Kh Th", "deal 2 6s 7s 8s", "turn 9d")
    answer = ask(*lines, "up 1 Ah Kh Th", "down 2 6s 7s 8s")
    assert points(answer, 1) == (25, 25)


@pytest.mark.parametrize(("hand", "at"), [(2, None), (1, 0), (1, 99)])
def test_there_is_no_such_moment(hand: int, at: int | None) -> None:
    with pytest.raises(NoSuchMomentError):
        ask(*UNSEEN, hand=hand, at=at)


def test_at_an_amendment_it_stands_as_just_before_it() -> None:
    change = {"type": "corrected", "of": 9, "event": None, "reason": "нет"}
    assert ask(*UNSEEN, change, "up 1 Ks", at=13)["at"] == 13


def test_an_unseen_card_laid_face_up_may_have_taken_the_trick() -> None:
    lines = (*START, "deal 1 Qs Ks 6s", "deal 2 ?? ?? ??", "turn 6d", "up 1 Qs", "up 2 ??")
    answer = ask(*lines)
    assert points(answer, 1) == (0, 3 + 11)
    assert points(answer, 2) == (0, 3 + 11)


def test_a_target_nobody_wrote_down() -> None:
    lines = (*START, "deal 1 As Ks Ts", "deal 2 Ah Kh Th", "turn 6d", "up 1 As Ks Ts", "down 2 Ah Kh Th")
    answer = ask(*lines, options={"target": "unrecorded"})
    assert answer["target"] is None
    assert points(answer, 1) == (50, 50)
    assert answer["seats"]["1"]["answer"] == "open"
    assert answer["seats"]["2"]["answer"] == "cannot"


# -- who may open -------------------------------------------------------------------------------------------------

THREE = ("deal 1 As Ks Ts", "deal 2 Ah Kh Th", "turn 6d", "up 1 Ts", "down 2 Kh", "trick_taken 1", "draw 1 7c",
         "draw 2 7h", "up 1 As", "down 2 7h", "trick_taken 1")  # fmt: skip


@pytest.mark.parametrize(
    ("window", "first", "second"),
    [
        ("taker_before_draw", [9, 14], []),
        ("both_after_trick", [9, 14], [9, 14]),
        ("own_turn", [9, 14], [9]),
    ],
)
def test_after_which_tricks_a_seat_could_open(window: str, first: list[int], second: list[int]) -> None:
    """In one's own turn: seat 2 has had none since the second trick."""
    answer = ask(*START, *THREE, options={"open_window": window})
    assert answer["seats"]["1"]["entitled_at"] == first
    assert answer["seats"]["2"]["entitled_at"] == second


def test_an_opening_without_the_right_is_not_the_one_that_counts() -> None:
    lines = (*START, *THREE[:6], "opened 2", "opened 1", "counted 1 14")
    answer = ask(*lines)
    assert answer["seats"]["1"]["opened_at"] == 12
    assert answer["seats"]["2"]["opened_at"] == 11


# -- whose the pot is, and what is owed ---------------------------------------------------------------------------

WINS = (*START, "deal 1 As Ks Ts", "deal 2 Ah Kh Th", "turn 6d", "up 1 As Ks Ts", "down 2 Ah Kh Th", "trick_taken 1",
        "opened 1")  # fmt: skip
"""Seat 1 opens with 50 at seq 11."""


def test_before_the_pot_is_paid_it_is_owed() -> None:
    answer = ask(*WINS)
    assert answer["rightful"] == {"seats": [1], "amount": 20, "why": "opened", "answer": "must"}
    assert answer["remedy"] == {"1": 20, "2": 0}


@pytest.mark.parametrize(
    ("lines", "remedy"),
    [
        (("pot_taken 1 20",), {"1": 0, "2": 0}),
        (("pot_taken 1 15",), {"1": 5, "2": 0}),
        (("pot_taken 2 20",), {"1": 20, "2": -20}),
        (("pot_taken 1 10", "pot_taken 2 10"), {"1": 10, "2": -10}),
        ((), {"1": 20, "2": 0}),
    ],
)
def test_what_is_owed_against_what_was_paid(lines: tuple[str, ...], remedy: Json) -> None:
    assert ask(*WINS, *lines, "end opened")["remedy"] == remedy


def test_who_opened_with_too_little_owes_the_pot() -> None:
    lines = (*START, *THREE[:6], "opened 1", "pot_taken 1 20", "end opened")
    answer = ask(*lines)
    assert answer["rightful"] == {"seats": [], "amount": 40, "why": "failed_open", "answer": "must"}
    assert answer["remedy"] == {"1": -40, "2": 0}


def test_an_opening_that_unseen_cards_leave_open_belongs_to_nobody_yet() -> None:
    lines = (*START, "deal 1 As Ks Ts", "deal 2 ?? ?? ??", "turn 6d", "up 1 As Ks Ts", "down 2 ?? ?? ??", "opened 1")
    answer = ask(*lines)
    assert answer["rightful"] == {"seats": [], "amount": 20, "why": "opened", "answer": "open"}
    assert answer["remedy"] == {"1": 0, "2": 0}
    assert answer["seats"]["1"]["settled_by"] == [[2]]
    assert answer["joint"] == {"at_least_one": "open", "at_most_one": "must"}


# -- other rules --------------------------------------------------------------------------------------------------


def test_recorded_rules_first_then_what_flips_it_then_what_changes_the_sums() -> None:
    lines = (*START, *THREE[:6], "opened 1", {"type": "staked", "seat": 1, "amount": 20, "why": "failed_open"},
             "end failed_open")  # fmt: skip
    rows = ask(*lines)["rules"]
    assert rows[0]["options"]["failed_open"] == "match_pot"
    assert rows[0]["rightful"] == []
    assert rows[1]["options"] == {"failed_open": "pot_to_others"}
    assert rows[1]["also"] == [{"failed_open": "opponent_wins"}]
    assert (rows[1]["rightful"], rows[1]["net_due"]) == ([2], {"1": -10, "2": 10})
    results = [(row["rightful"], row["net_due"]) for row in rows]
    assert all(result not in results[:place] for place, result in enumerate(results))
    flips = [row["rightful"] != rows[0]["rightful"] for row in rows[1:]]
    assert flips == sorted(flips, reverse=True)


def test_what_lies_on_the_table_is_no_rule_to_quarrel_about() -> None:
    rows = ask(*WINS, "pot_taken 1 20", "end opened")["rules"]
    named = {name for row in rows for each in (row["options"], *row["also"]) for name in each}
    assert not named & {"pack", "hand_size", "seats_max", "scoring"}


# -- Bourré -------------------------------------------------------------------------------------------------------


def test_share_and_debt_are_not_known_before_the_settlement() -> None:
    data = recording_path("bourre/fault-wrong-payout-split").read_bytes()
    before = desk.dispute(data, hand=3, at=110)["seats"]["3"]
    after = desk.dispute(data, hand=3)["seats"]["3"]
    assert (before["share"], before["owes"], before["bourre"]) == (None, None, "open")
    assert (after["share"], after["owes"]) == (77, 0)


def test_a_breach_names_the_card_and_the_event_that_proves_it() -> None:
    answer = desk.dispute(recording_path("bourre/redacted-proved-1").read_bytes(), hand=1)
    duties = [duty for said in answer["seats"].values() for duty in said["duties"]]
    assert {duty["answer"] for duty in duties} <= {"kept", "broken"}
    for duty in duties:
        assert duty["answer"] == "kept" or (duty["would_have"] and (duty["proved_by"] or 0) > duty["seq"])


def test_words_about_a_hand_of_bourre() -> None:
    """What somebody says against the record is told; what he adds to it is taken for dealt."""
    lines = recording_path("bourre/redacted-proved-1").read_bytes().split(b"\n")
    events: list[Json] = [json.loads(line) for line in lines if line]
    play = next(event for event in events if event["type"] == "played")
    deal = next(event for event in events if event["type"] == "dealt" and event["seat"] == play["seat"])
    other = next(event for event in events if event["type"] == "played" and event["seat"] != play["seat"])
    said = [
        (play, ["2c"], True),
        (deal, [*play["cards"], *["??"] * 4], False),
        (deal, [*other["cards"], *["??"] * 4], True),
    ]
    for of, cards, wrong in said:
        word = {"seq": len(events), "type": "testified", "seat": 1, "of": of["seq"], "cards": cards}
        answer = desk.dispute(to_bytes([*events, word]), hand=1, believe=[1])
        assert answer["contradictions"] == ([{"seat": 1, "seq": len(events)}] if wrong else [])


@pytest.mark.parametrize(
    ("option", "second", "third"),
    [
        ("head_duty", ("head", "kept", ["Qs"]), ("head", "open", ["Ts"])),
        ("void_duty", ("head", "kept", ["Qs"]), ("follow", "kept", ["4s", "Ts"])),
    ],
)
def test_under_a_rule_nobody_wrote_down_a_duty_is_open_only_where_its_values_differ(
    option: str, second: Json, third: Json
) -> None:
    """9s led, Qs on it, then the four though the ten was held: only `beat_lead` asks for the ten."""
    answer = desk.dispute(to_bytes(_first_trick(option, "4s")), hand=1)["seats"]
    assert [_duty(answer, seat, 0) for seat in (2, 3)] == [(*second, None), (*third, None)]


def test_a_duty_that_every_value_breaks_is_broken() -> None:
    answer = desk.dispute(to_bytes(_first_trick("head_duty", "6h")), hand=1)["seats"]
    assert _duty(answer, 3, 0) == ("follow", "broken", ["Ts"], None)


def _duty(seats: Json, seat: int, place: int) -> tuple[Any, ...]:
    duty = seats[str(seat)]["duties"][place]
    return duty["duty"], duty["answer"], duty["would_have"], duty["proved_by"]


def _first_trick(unrecorded: str, card: str) -> list[Json]:
    """Three seats, clubs trumps, nobody holds one; seat 3 answers 9s and Qs with a card."""
    dealt = ["9s 2h 3h 4h 5h", "Qs 2d 3d 4d 5d", "Ts 4s 6h 7h 8h"]
    events: list[Json] = [
        {"type": "recording_began", "format": "razbor/1", "game": "bourre", "seats": ["a", "b", "c"],
         "rules": {"preset": "bourre/classic@1", "options": {unrecorded: "unrecorded"}}},
        {"type": "stake_set", "amount": 5, "seat": 3},
        {"type": "hand_began", "hand": 1, "dealer": 3},
        *({"type": "staked", "seat": seat, "amount": 5, "why": "ante"} for seat in (1, 2, 3)),
        *({"type": "dealt", "seat": seat, "cards": cards.split()} for seat, cards in enumerate(dealt, 1)),
        {"type": "trump_turned", "card": "9c"},
        *({"type": "stayed", "seat": seat} for seat in (1, 2, 3)),
        *({"type": "played", "seat": seat, "cards": [laid], "face": "up"}
          for seat, laid in enumerate(("9s", "Qs", card), 1)),
    ]  # fmt: skip
    return [{"seq": seq, **event} for seq, event in enumerate(events)]


def test_the_last_one_left_is_not_bourre() -> None:
    folded = [{"type": "folded", "seat": seat} for seat in (1, 2)]
    events: list[Json] = [
        {"type": "recording_began", "format": "razbor/1", "game": "bourre", "rules": {"preset": "bourre/classic@1"},
         "seats": ["a", "b", "c"]},
        {"type": "stake_set", "amount": 5, "seat": 3},
        {"type": "hand_began", "hand": 1, "dealer": 3},
        *({"type": "staked", "seat": seat, "amount": 5, "why": "ante"} for seat in (1, 2, 3)),
        *({"type": "dealt", "seat": seat, "cards": [rank + "shd"[seat - 1] for rank in "23456"]} for seat in (1, 2, 3)),
        {"type": "trump_turned", "card": "9c"},
        *folded,
        {"type": "pot_taken", "seat": 3, "amount": 15},
        {"type": "hand_ended", "reason": "sole_survivor"},
    ]  # fmt: skip
    answer = desk.dispute(to_bytes([{"seq": seq, **event} for seq, event in enumerate(events)]), hand=1)
    assert [said["bourre"] for said in answer["seats"].values()] == ["cannot"] * 3
    assert answer["seats"]["3"]["share"] == 15
    assert answer["rightful"] == {"seats": [3], "amount": 15, "why": "sole_survivor", "answer": "must"}


@pytest.mark.parametrize(("took", "paid"), [(0, 5), (0, 0), (3, 5), (3, 8)])
def test_what_a_seat_owes_is_what_it_had_when_the_hand_was_decided(took: int, paid: int) -> None:
    """The rest is forgiven (`debt=capped`); what it took from the pot without a right to it is no chip of its own."""
    script = two_seats(stacks=[100, 15], debt="capped")
    for seat, amount in ((2, took), (1, 20 - took)):
        if amount:
            script.take(seat, amount)
    if paid:
        script.pay(2, paid)
    script.end("most_tricks")
    said = desk.dispute(to_bytes(script.events), hand=1)["seats"]
    assert [(said[seat]["share"], said[seat]["owes"]) for seat in "12"] == [(20, 0), (0, 5)]


SECOND = ("hand 2 1", "deal 2 Ad Kd Td", "deal 1 ?? ?? ??", "turn 6c", "up 2 Ad", "down 1 ??", "trick_taken 2")
TWO_HANDS = (*UNSEEN, "end abandoned", *SECOND, "end abandoned")
"""Seat 2 takes an ace and a card of seat 1, laid at seq 19, that nobody saw; the next line has seq 22."""


def test_what_is_revealed_after_the_next_hand_began_counts_for_its_own_hand() -> None:
    """At the hand's end counts all that the record ever tells of it (`report.md` 5)."""
    assert points(ask(*TWO_HANDS), 1) == (11, 22)
    late = (*TWO_HANDS, "revealed 9 Td", "revealed 19 9h")
    assert points(ask(*late), 1) == (21, 21)
    assert points(ask(*late, hand=2), 2) == (11, 11)
    assert points(ask(*TWO_HANDS, "revealed 9 Td", hand=2), 2) == (11, 22)
    assert ask(*late)["at"] == ask(*TWO_HANDS)["at"]


@pytest.mark.parametrize(("hand", "at"), [(2, 9), (2, 13), (1, 14), (1, 19), (2, 22), (1, 99)])
def test_an_event_of_another_hand_is_no_moment_of_this_one(hand: int, at: int) -> None:
    with pytest.raises(NoSuchMomentError):
        ask(*TWO_HANDS, hand=hand, at=at)


def test_an_event_struck_out_is_the_moment_before_it_in_its_own_hand() -> None:
    struck = {"type": "corrected", "of": 19, "event": None, "reason": "never laid"}
    assert points(ask(*TWO_HANDS, struck, hand=2, at=19), 2) == points(ask(*TWO_HANDS, hand=2, at=18), 2) == (0, 0)
    with pytest.raises(NoSuchMomentError):
        ask(*TWO_HANDS, struck, hand=1, at=19)


def test_a_declared_bura_has_the_pot_though_nobody_has_taken_it_yet() -> None:
    """The hand is decided at once (`bura.7`)."""
    deal = ("deal 1 Ac Kc Tc", "deal 2 8d Td Jd", "turn 7c", "bura 1 Ac Kc Tc")
    answer = ask(*START, *deal)
    assert (answer["rightful"]["seats"], answer["rightful"]["why"], answer["rightful"]["amount"]) == ([1], "bura", 20)
    assert answer["remedy"] == {"1": 20, "2": 0}


def test_a_declaration_that_nobody_saw_leaves_the_pot_open() -> None:
    """True or false: if it is false it has no effect, and the hand goes on."""
    deal = ("deal 1 ?? ?? ??", "deal 2 8d Td Jd", "turn 7c", "bura 1")
    answer = ask(*START, *deal)
    assert (answer["rightful"]["seats"], answer["rightful"]["answer"]) == ([], "open")
