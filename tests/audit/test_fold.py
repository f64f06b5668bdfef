"""The fold over one log: amendments, packs revealed, gaps, half-known cards, rules nobody wrote down (`report.md`)."""

import hashlib
import time
from typing import Any

import pytest

from replay import desk
from replay.audit import explore
from tests.walks.bura import Habits, Json, to_bytes
from tests.walks.drawn import ALL_VALUES, PRESETS, walk
from tests.walks.script import START, START3, Codes, made, told, verified

Lines = tuple[str | Json, ...]
DEALT: Lines = (*START, "deal 1 As Ks Ts", "deal 2 Td Qh 9h", "turn 6c")
OPENED: Lines = ("up 1 As Ks Ts", "down 2 Td Qh 9h", "opened 1", "counted 1 38")
ENDED: Lines = ("pot_taken 1 20", "end opened")
PLAYED: Lines = (*DEALT, *OPENED, *ENDED)
"""A clean hand; seq 13 is its `hand_ended`."""


def corrected(of: int, event: Json | None, **more: Any) -> Json:
    return {"type": "corrected", "of": of, "event": event, "reason": "описка", **more}


def inserted(after: int, event: Json, **more: Any) -> Json:
    return {"type": "inserted", "after": after, "event": event, "reason": "забыли", **more}


# -- amendments ---------------------------------------------------------------------------------------------------

WRONG: Lines = (*DEALT, "up 1 As Ks Ts", "down 2 Td Qh 9h", "opened 1", "counted 1 37", *ENDED)
COUNT: Json = {"type": "counted", "seat": 1, "points": 38}


@pytest.mark.parametrize(
    ("amendments", "amended"),
    [
        ((), [(11, "points-miscounted")]),
        ((corrected(11, COUNT),), []),
        ((corrected(11, None),), []),
        ((corrected(11, {**COUNT, "points": 36}),), [(11, "points-miscounted")]),
        ((corrected(11, {**COUNT, "points": 36}), corrected(11, COUNT)), []),
        ((corrected(11, COUNT), corrected(11, {**COUNT, "points": 36})), [(11, "points-miscounted")]),
        ((corrected(11, None), inserted(10, COUNT)), []),
        ((corrected(11, None), inserted(10, {**COUNT, "points": 36})), [(15, "points-miscounted")]),
    ],
)
def test_both_readings_of_a_corrected_count(amendments: Lines, amended: list[tuple[int, str]]) -> None:
    """The last of several corrections of one event counts; an inserted event is told at its `inserted` line."""
    assert told(verified(*WRONG, *amendments)) == amended
    assert told(verified(*WRONG, *amendments, reading="recorded")) == [(11, "points-miscounted")]


def test_several_events_inserted_after_one_stand_in_the_order_written() -> None:
    cut = (*DEALT[:2], *DEALT[4:], *OPENED, *ENDED)
    antes = [{"type": "staked", "seat": seat, "amount": 10, "why": "ante"} for seat in (1, 2)]
    lines = (*cut, *(inserted(2, ante) for ante in antes))
    assert told(verified(*lines)) == []
    assert [code for _, code in told(verified(*lines, reading="recorded"))][:2] == ["missing-stake", "missing-stake"]
    dealt = ("deal 2 Td Qh 9h", "turn 6c")
    first: Json = {"type": "dealt", "seat": 1, "cards": ["As", "Ks", "Ts"]}
    wrong = (*START, *dealt, inserted(4, first), *OPENED, *ENDED)
    assert told(verified(*wrong)) == []
    chain = (*START, *dealt[1:], inserted(4, first), inserted(4, {**first, "seat": 2, "cards": ["Td", "Qh", "9h"]}))
    assert told(verified(*chain, *OPENED, *ENDED)) == []


def test_amendments_after_the_end_are_not_counted() -> None:
    events = made(*WRONG)
    for line in (corrected(11, COUNT), {"type": "testified", "seat": 2, "of": 9, "cards": ["Td", "Qh", "9h"]}):
        events.append({"seq": len(events), **line})
    report = desk.verify(to_bytes(events))
    assert report["verdict"] == "verified"
    assert report["findings"] == []


def test_an_amendment_may_name_a_seat_before_anybody_joins_there() -> None:
    early = inserted(1, {"type": "chips_bought", "seat": 3, "amount": 5})
    report = verified(*PLAYED, "joined 3 Вера 20", early)
    assert report["format"] == "razbor-report/1"


def test_as_many_insertions_as_amendment_lines_are_amendments_still() -> None:
    """One line inserted, one line that inserts: the number of events is the same, their order is not."""
    report = verified(*PLAYED, "joined 3 Вера", inserted(2, {"type": "staked", "seat": 3, "amount": 1, "why": "ante"}))
    assert (15, "unexpected-stake") in told(report)


@pytest.mark.parametrize(("events", "codes"), [(15, []), (14, ["wrong-event-total"]), (16, ["wrong-event-total"])])
def test_the_number_of_events_counts_itself(events: int, codes: list[str]) -> None:
    lines = made(*PLAYED, closed=False)
    lines.append({"seq": len(lines), "type": "recording_ended", "events": events})
    assert [code for _, code in told(desk.verify(to_bytes(lines)))] == codes


# -- hands that do not end ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", range(1, len(PLAYED)))
def test_a_record_that_breaks_off_lacks_nothing(length: int) -> None:
    report = verified(*PLAYED[:length], closed=False)
    assert told(report) == []
    begun = length >= 2
    assert [code for _, code in told(report, "doubt")] == (["hand-unfinished"] if begun else [])
    assert report["verdict"] == ("undecided" if begun else "verified")
    assert (length, "not-closed") in told(report, "note")


@pytest.mark.parametrize("length", [8, 9, 10])
@pytest.mark.parametrize("after", ["closed", "another hand", "a reason"])
def test_a_hand_that_is_not_decided_is_an_error_where_the_record_goes_on(length: int, after: str) -> None:
    more: dict[str, Lines] = {"closed": (), "another hand": ("hand 2 1", "end misdeal"), "a reason": ("end opened",)}
    report = verified(*PLAYED[: length - 1], *more[after])
    assert (length, "hand-unfinished") in told(report)


@pytest.mark.parametrize("after", ["breaks off", "closed", "another hand"])
def test_a_hand_without_its_end_has_the_bounds_of_all_ways_to_name_its_unseen_cards(after: str) -> None:
    lines = (*START, "deal 1 As Ks Ts", "deal 2 Qh ?? Qd", "turn Jc", "up 1 As", "down 2 ??", "draw 1 Kc")
    more = ("hand 2 2", "deal 1 As Ks Ts", "end misdeal") if after == "another hand" else ()
    report = verified(*lines, *more, options={"pack": 20}, closed=after != "breaks off")
    hand = report["hands"][0]
    assert hand["seats"]["1"]["points"] == {"low": 13, "high": 22}, "11, and a jack, a queen, or any ten or ace"
    assert hand["tricks"][0]["points"] == {"low": 13, "high": 22}
    severity = "doubt" if after == "breaks off" else "error"
    assert [code for _, code in told(report, severity)] == ["hand-unfinished"]


@pytest.mark.parametrize("closed", [False, True])
def test_a_hand_without_its_end_convicts_nobody_of_what_hangs_on_unseen_cards(closed: bool) -> None:
    """Of two buras the later may beat the earlier or not: to whom the pot was due is open."""
    hands = ("deal 1 7s Js Qs", "deal 2 ?? As Ts", "turn Ks")
    report = verified(*START, *hands, "bura 1", "bura 2", options={"pack": 32}, closed=closed)
    accused = [(each["code"], each["seat"]) for each in report["findings"] if each["severity"] == "error"]
    assert accused == ([("table/missing-payout", None), ("table/hand-unfinished", None)] if closed else [])
    assert report["hands"][0]["takers"] is None


def test_hand_numbers_follow_the_recorded_one() -> None:
    begun = ("hand 1 2", "end misdeal", "hand 3 2", "end misdeal", "hand 4 2", "end misdeal")
    report = verified("stake_set 10", *begun)
    assert told(report) == []
    assert told(report, "note") == [(4, "wrong-hand-number")]
    lines = (*PLAYED, "hand 3 1", "ante 1 10", "ante 2 10", "deal 2 As Ks Ts", "deal 1 Td Qh 9h", "turn 6c")
    assert told(verified(*lines, closed=False)) == [(14, "wrong-hand-number")]


# -- what was not seen --------------------------------------------------------------------------------------------


def test_after_an_unseen_stretch_nothing_is_an_error_until_the_next_hand() -> None:
    gap = (*DEALT, "up 1 As Ks Ts", "unseen", "up 1 As", "draw 2 As As", "pot_taken 1 20", "end opened")
    report = verified(*gap)
    assert told(report) == []
    assert told(report, "doubt") == [(9, "unknown-card")]
    hand = report["hands"][0]
    assert (hand["reason"], hand["takers"], hand["pot"], hand["pot_after"]) == (None, None, None, None)
    assert {row["net_due"] for row in hand["seats"].values()} == {None}
    again = ("hand 2 1", "ante 1 10", "ante 2 10", "deal 2 As Ks Ts", "deal 1 Td Qh 9h", "turn 6c", "up 2 As Td")
    assert told(verified(*gap, *again, closed=False)) == [(20, "card-not-held"), (20, "mixed-suit-lead")]


def test_a_card_found_lacking_is_gone_for_the_rest_of_the_recording() -> None:
    lines = (*PLAYED, "lack Kd", "hand 2 1", "ante 1 10", "ante 2 10", "deal 2 As Ks Kd")
    assert told(verified(*lines, closed=False)) == [(18, "reveal-contradicts")]
    lines = (*DEALT, "lack As")
    assert told(verified(*lines, closed=False)) == [(8, "reveal-contradicts")]
    assert told(verified(*DEALT, "lack 2d", closed=False)) == [(8, "card-not-in-pack")]


@pytest.mark.parametrize(
    ("lead", "doubts"),
    [("As ?s Ts", 0), ("As ?? Ts", 0), ("As K? Ts", 0)],
)
def test_half_known_and_unseen_cards_that_were_seen_in_the_deal_leave_nothing_open(lead: str, doubts: int) -> None:
    """The seat holds three known cards and lays them all: which they are is known, whatever was seen of them."""
    report = verified(*DEALT, f"up 1 {lead}", *OPENED[1:], *ENDED)
    assert len(told(report, "doubt")) == doubts
    assert report["verdict"] == "verified"


@pytest.mark.parametrize(
    ("dealt", "answer", "verdict"),
    [
        ("Td Qh ??", "??", "verified"),
        ("Td Qh ??", "Td", "verified"),
    ],
)
def test_a_face_down_unseen_card_is_never_a_breach(dealt: str, answer: str, verdict: str) -> None:
    lines = (*START, "deal 1 As Ks Ts", f"deal 2 {dealt}", "turn 6c", "up 1 As", f"down 2 {answer}", "end abandoned")
    assert verified(*lines)["verdict"] == verdict


def test_an_unseen_card_that_can_be_one_card_only_is_known() -> None:
    """Everything else of the pack was seen: what is left is what was laid, and it does not beat."""
    events = walk(
        3, "bura/classic-36@1", {"pack": 20}, seats=2, hands=1, habits=Habits(opens=0, bluffs=0, spoils=0, moves=0)
    )
    clean = desk.verify(to_bytes(events))
    assert clean["verdict"] == "verified"
    drawn = next(event for event in events if event["type"] == "drew")
    blank = [{**event, "cards": ["??" for _ in event["cards"]]} if event is drawn else event for event in events]
    report = desk.verify(to_bytes(blank))
    assert report["verdict"] == "verified"
    assert [hand["tricks"] for hand in report["hands"]] == [hand["tricks"] for hand in clean["hands"]]


# -- packs committed and revealed ---------------------------------------------------------------------------------

REST = [rank + suit for suit in "shdc" for rank in "6789TJQKA"]
INTERLEAVED = ["As", "Td", "Ks", "Qh", "Ts", "9h", "6c"]
DECK = INTERLEAVED + [card for card in REST if card not in INTERLEAVED]


def commitment(cards: list[str], salt: str = "") -> Json:
    return {"type": "deck_committed", "commitment": hashlib.sha256((salt + " ".join(cards)).encode()).hexdigest()}


def swapped(cards: list[str], one: int, other: int) -> list[str]:
    cards = cards[:]
    cards[one], cards[other] = cards[other], cards[one]
    return cards


@pytest.mark.parametrize(
    ("committed", "revealed", "codes"),
    [
        (commitment(DECK), {"cards": DECK}, []),
        (commitment(DECK, "00ff"), {"cards": DECK, "salt": "00ff"}, []),
        (commitment(DECK, "00ff"), {"cards": DECK}, ["deck-mismatch"]),
        (commitment(DECK), {"cards": swapped(DECK, 8, 9)}, ["deck-mismatch"]),
        (None, {"cards": DECK}, []),
        (None, {"cards": swapped(DECK, 0, 1)}, ["deck-mismatch"]),
        (None, {"cards": swapped(DECK, 6, 7)}, ["deck-mismatch"]),
        (None, {"cards": swapped(DECK, 30, 31)}, []),
        (None, {"cards": DECK[:-1]}, ["deck-mismatch"]),
        (None, {"cards": [*DECK[:-1], DECK[0]]}, ["deck-mismatch"]),
        (None, {"cards": [*DECK[:-1], "2d"]}, ["deck-mismatch"]),
    ],
)
def test_a_revealed_pack_agrees_with_what_was_dealt(committed: Json | None, revealed: Json, codes: list[str]) -> None:
    begun = (*START[:2], *([committed] if committed else []), *START[2:], *DEALT[4:])
    lines = (*begun, *OPENED, "pot_taken 1 20", {"type": "deck_revealed", **revealed}, "end opened")
    assert [code for _, code in told(verified(*lines))] == codes


@pytest.mark.parametrize(("shown", "codes"), [(DECK, []), (swapped(DECK, 8, 9), ["deck-mismatch"])])
def test_a_seal_does_not_hang_on_what_was_not_seen(shown: list[str], codes: list[str]) -> None:
    begun = (*START[:2], commitment(DECK), *START[2:], *DEALT[4:], "unseen")
    report = verified(*begun, {"type": "deck_revealed", "cards": shown}, "end abandoned")
    assert [code for _, code in told(report)] == codes


def test_a_revealed_pack_names_what_was_not_seen() -> None:
    unseen = (*START, "deal 1 ?? ?? ??", "deal 2 ?? ?? ??", "turn 6c", "up 1 As Ks Ts", "down 2 ?? ?? ??", "opened 1")
    deck: Json = {"type": "deck_revealed", "cards": DECK}
    report = verified(*unseen, "counted 1 38", "pot_taken 1 20", deck, "end opened")
    assert report["verdict"] == "verified"
    wrong = verified(*unseen, "counted 1 37", "pot_taken 1 20", deck, "end opened")
    assert told(wrong) == [(11, "points-miscounted")]


@pytest.mark.parametrize(
    ("said", "counted", "weights"),
    [
        (38, "35 As Ks Ts Td 9h 8h", [(10, "error")]),
        (35, "35 As Ks Ts Td 9h 8h", []),
        (35, "35", [(10, "doubt"), (12, "doubt")]),
    ],
)
def test_a_pile_that_is_counted_card_by_card_settles_what_its_trick_was_said_to_hold(
    said: int, counted: str, weights: list[tuple[int, str]]
) -> None:
    unseen = (*START, "deal 1 ?? ?? ??", "deal 2 ?? ?? ??", "turn 6c", "up 1 As Ks Ts", "down 2 ?? ?? ??")
    lines = (*unseen, f"trick_taken 1 {said}", "opened 1", f"counted 1 {counted}", "pot_taken 1 20", "end opened")
    findings = verified(*lines)["findings"]
    assert [(row["seq"], row["severity"]) for row in findings if row["seq"] in {10, 12}] == weights


# -- rules nobody wrote down --------------------------------------------------------------------------------------

PLAIN = ("deal 1 9d 7c 8h", "deal 2 Jc Qc Tc", "turn 6s")


@pytest.mark.parametrize(
    ("option", "lines", "rules"),
    [
        ("molodka_turn", (*START, *PLAIN, "molodka 2", "up 2 Jc Qc Tc", "down 1 9d 7c 8h", "end abandoned"), True),
        ("molodka_turn", (*PLAYED,), False),
        ("open_window", (*DEALT, "up 1 As", "down 2 Td", "draw 1 7c", "draw 2 8c", "opened 1"), True),
        ("target", (*PLAYED,), True),
        ("failed_open", (*DEALT, "up 1 Ks", "down 2 9h", "opened 1", "failed_open 1 20", "end failed_open"), True),
        ("answer_face", (*PLAYED,), True),
        ("beat_pairing", (*PLAYED,), False),
        ("razburka", (*PLAYED,), False),
        ("bura", (*PLAYED,), False),
        ("three_aces", (*PLAYED,), False),
        ("short_stock", (*PLAYED,), False),
        ("join_pot", (*PLAYED,), False),
        ("dealer_after_win", (*PLAYED,), False),
    ],
)
def test_what_differs_between_the_values_of_an_unrecorded_rule_is_a_doubt(
    option: str, lines: Lines, rules: bool
) -> None:
    report = verified(*lines, options={option: "unrecorded"}, closed=lines[-1] != "opened 1")
    assert told(report) == []
    named = [finding for finding in report["findings"] if finding["code"] == "table/rule-unrecorded"]
    assert bool(named) is rules
    assert all(finding["rule"] == option for finding in named)


@pytest.mark.parametrize(("name", "value"), ALL_VALUES, ids=str)
def test_whatever_was_played_a_rule_nobody_wrote_down_convicts_nobody(name: str, value: object) -> None:
    """A legal evening under some value of the option, recorded as if nobody knew which."""
    for seed in range(3):
        events = walk(seed, PRESETS[seed % 4], {name: value}, seats=2 + seed, hands=2)
        events[0]["rules"]["options"][name] = "unrecorded"
        report = desk.verify(to_bytes(events))
        assert report["format"] == "razbor-report/1", report
        assert told(report) == []
        doubts = [finding for finding in report["findings"] if finding["severity"] == "doubt"]
        # A card that a smaller pack lacks leaves more open than the rule: what lay in its place is not known then.
        told_of_the_rule = [each for each in doubts if each["code"] == "table/rule-unrecorded"]
        assert doubts == told_of_the_rule or name == "pack"
        assert {each["rule"] for each in told_of_the_rule} <= {name}
        assert report["verdict"] == ("undecided" if doubts else "verified")


def test_a_breach_under_every_value_is_a_breach() -> None:
    report = verified(*DEALT, "up 1 As Td", options={"molodka_turn": "unrecorded"}, closed=False)
    assert told(report) == [(8, "card-not-held"), (8, "mixed-suit-lead")]


@pytest.mark.parametrize(
    ("dealer", "order", "errors", "doubts"),
    [
        (1, "231", [], [(16, "rule-unrecorded")]),  # the winner
        (3, "123", [], [(16, "rule-unrecorded")]),  # with more than two seats the last dealer again
        (2, "312", [(16, "wrong-dealer")], []),
    ],
)
def test_an_unrecorded_dealer_rule_convicts_only_whom_no_value_allows(
    dealer: int, order: str, errors: Codes, doubts: Codes
) -> None:
    cards = ("As Ks Ts", "Td Qh 9h", "7c 8c 9c")
    dealt = [f"deal {seat} {laid}" for seat, laid in zip(order, cards, strict=True)]
    lays = [f"{'down' if at else 'up'} {seat} {cards[at]}" for at, seat in enumerate(order)]
    hand = (*dealt, "turn 6h", *lays, f"opened {order[0]}", f"pot_taken {order[0]} 30", "end opened")
    first = ("deal 1 As Ks Ts", "deal 2 Td Qh 9h", "deal 3 7c 8c 9c", "turn 6h", "up 1 As Ks Ts", "down 2 Td Qh 9h")
    taken = ("down 3 7c 8c 9c", "opened 1", "pot_taken 1 30", "end opened")
    antes = ("ante 1 10", "ante 2 10", "ante 3 10")
    lines = (*START3, *first, *taken, f"hand 2 {dealer}", *antes, *hand)
    report = verified(*lines, seats=3, options={"dealer_after_win": "unrecorded"})
    assert told(report) == errors
    assert told(report, "doubt") == doubts


SIX = ("bura", "three_aces", "molodka_turn", "beat_pairing", "answer_face", "open_window")


def test_six_unrecorded_rules_at_once_stay_fast() -> None:
    events = walk(5, "bura/classic-36@1", {}, seats=3, hands=4, habits=Habits(moves=0))
    events[0]["rules"]["options"].update(dict.fromkeys(SIX, "unrecorded"))
    for view in ("full", "public"):
        began = time.process_time()
        report = desk.verify(to_bytes(events), view=view)
        assert told(report) == []
        assert (time.process_time() - began) / len(report["hands"]) < 1


PAIRED: Lines = (*START, "deal 1 As 6s 7d", "deal 2 7s 6h 8d", "turn 9h", "up 1 As 6s", "up 2 7s 6h")
UNPAIRED = ("beat_pairing", "failed_open", "dealer_after_failed_open", "bura_tie")


@pytest.mark.parametrize("then", [("opened 2", "failed_open 2 20", "end failed_open"), ("end abandoned",)])
def test_nothing_is_certain_of_a_hand_of_which_not_every_way_was_looked_at(
    then: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Laid in this order the answer beats only where any pairing will do; that value is the first to be tried."""
    lines, options = (*PAIRED, *then), dict.fromkeys(UNPAIRED, "unrecorded")
    whole = verified(*lines, options=options)
    monkeypatch.setattr(explore, "MOST_BRANCHES", 1)
    report = verified(*lines, options=options)
    assert (report["verdict"], told(report)) == ("undecided", [])
    assert whole["verdict"] == "undecided"
    hand = report["hands"][0]
    assert (hand["reason"], hand["takers"], hand["pot"], hand["pot_after"]) == (None, None, None, None)
    for row in hand["seats"].values():
        assert (row["points"], row["net_due"]) == ({"low": None, "high": None}, None)
    answer = desk.dispute(to_bytes(made(*lines, options=options)), hand=1)
    assert (answer["rightful"]["seats"], answer["rightful"]["answer"]) == ([], "open")
    assert {row["answer"] for row in answer["seats"].values()} == {"open"}


def test_what_was_found_before_anything_was_asked_stands_though_not_every_way_was_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An ante of 9 is wrong in every way; what comes of the answer hangs on rules nobody wrote down."""
    lines = ("stake_set 10", "hand 1 2", "ante 1 10", "ante 2 9", *PAIRED[4:], "end abandoned")
    monkeypatch.setattr(explore, "MOST_BRANCHES", 1)
    report = verified(*lines, options=dict.fromkeys(UNPAIRED, "unrecorded"))
    assert (report["verdict"], told(report)) == ("refuted", [(4, "wrong-stake")])


COUNTERED: Lines = (
    *("stake_set 12", "hand 1 4", "ante 1 12", "ante 2 12", "ante 3 12", "ante 4 12"),
    *("deal 1 9s 8c Th", "deal 2 As Kc 7h", "deal 3 Js Qs Ts", "deal 4 7s 8s Ks", "turn Jh", "up 1 8c"),
    *("molodka 3 Js Qs Ts", "up 3 Js Qs Ts", "down 4 8s Ks 7s", "down 1 8c Th 9s", "down 2 As 7h Kc"),
    *("draw 3 Ad 9h Ac", "draw 4 8h Kd 9d", "draw 1 Kh Qh Tc", "draw 2 Jc 7c 9c", "up 3 9h", "molodka 2 Jc 7c 9c"),
    *("up 2 Jc 7c 9c", "down 3 9h Ac Ad", "down 4 8h Kd 9d", "down 1 Tc Qh Kh", "draw 2 Jd 8d", "draw 3 Qc Qd"),
    *("draw 4 7d Td", "draw 1 Ah Jh", "up 2 8d Jd", "down 3 Qc Qd", "down 4 Td 7d", "down 1 Jh Ah"),
    *("razburka 1 12", "razburka 2 12", "razburka 3 12", "razburka 4 12", "end razburka"),
)
"""Two leads are sent back by a molodka declared after them; seq 13 is the first of these words."""


@pytest.mark.parametrize("turn", ["out_of_turn", "in_turn"])
def test_a_hand_played_by_another_rule_is_refuted_where_it_first_breaks_the_one_written_down(turn: str) -> None:
    """All cards are seen; what is not on record by that rule leaves more ways than are looked at."""
    lines, rules = COUNTERED, {"preset": "bura/classic-32@1", "seats": 4}
    assert verified(*lines, options={"molodka_turn": "counter_lead"}, **rules)["verdict"] == "verified"
    report = verified(*lines, options={"molodka_turn": turn}, **rules)
    assert report["verdict"] == "refuted"
    assert told(report)[0] == (13, "late-declaration")
