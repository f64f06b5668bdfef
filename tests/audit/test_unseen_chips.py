"""`record.md` 3.1, `unseen`: pot and stacks are not known after it; what hangs on them is doubt, never error."""

from typing import Any

import pytest

from tests.engine.bourre.hands import Script
from tests.walks.script import START, Codes, told, verified

Lines = tuple[str, ...]
BROKEN: Lines = (*START, "deal 1 As Ks Ts", "deal 2 Td Qh 9h", "turn 6c", "up 1 As", "unseen")
"""A hand with a pot of 20, not seen from event 9 on."""
WHOLE: Lines = (*START, "deal 1 As Ks Ts", "deal 2 Td Qh 9h", "turn 6c", "up 1 As Ks Ts", "down 2 Td Qh 9h")
TAKEN: Lines = (*WHOLE, "opened 1", "pot_taken 1 20", "end opened", "unseen")
"""A hand that seat 1 takes, then a stretch of whole hands that nobody saw."""
ANTES: Lines = ("ante 1 10", "ante 2 10")


def hand(number: int, antes: Lines, *end: str) -> Lines:
    """Seat 2 takes the first trick with 38 points, and what follows."""
    dealt = ("deal 2 As Ks Ts", "deal 1 Td Qh 9h", "turn 6c", "up 2 As Ks Ts", "down 1 Td Qh 9h", "opened 2")
    return (f"hand {number} 1", *antes, *dealt, *end)


def opened(number: int, amount: int, antes: Lines = ()) -> Lines:
    return hand(number, antes, f"pot_taken 2 {amount}", "end opened")


def failed(number: int, amount: int) -> Lines:
    dealt = ("deal 2 Ks 8s 7s", "deal 1 Td Qh 9h", "turn 6c", "up 2 Ks", "down 1 9h", "opened 2")
    return (f"hand {number} 1", *dealt, f"failed_open 2 {amount}", "end failed_open")


def doubts_after(report: dict[str, Any], seq: int) -> Codes:
    return [each for each in told(report, "doubt") if each[0] > seq]


@pytest.mark.parametrize(
    ("before", "after", "pots"),
    [
        ((*BROKEN, "end opened"), opened(2, 20), (20, 20, 0)),  # the recorded 20 lie there
        ((*BROKEN, "end opened"), opened(2, 20, ANTES), (0, 20, 0)),  # they were taken unseen
        ((*BROKEN, "end failed_open"), opened(2, 40), (40, 40, 0)),  # and matched unseen
        ((*BROKEN, "failed_open 1 20", "end failed_open"), opened(2, 40), (40, 40, 0)),
        ((*BROKEN, "pot_taken 1 20", "end opened"), opened(2, 20, ANTES), (0, 20, 0)),
        ((*BROKEN, "pot_taken 1 20", "end opened"), opened(2, 80), (80, 80, 0)),
        (TAKEN, opened(5, 20, ANTES), (0, 20, 0)),
        (TAKEN, opened(5, 40), (40, 40, 0)),
        (TAKEN, failed(5, 40), (40, 80, 80)),
    ],
)
def test_the_first_payment_shows_a_pot_that_nobody_saw(before: Lines, after: Lines, pots: tuple[int, ...]) -> None:
    report = verified(*before, *after)
    assert told(report) == []
    assert doubts_after(report, before.index("unseen") + 1) == []
    last = report["hands"][-1]
    assert (last["pot_before"], last["pot"], last["pot_after"]) == pots
    assert sum(seat["net_due"] for seat in last["seats"].values()) == pots[0] - pots[2]


@pytest.mark.parametrize(
    ("after", "place"),
    [
        (opened(5, 30, ANTES), -2),  # antes show that nothing lay there
        (hand(5, ("ante 1 10",), "pot_taken 2 20", "end opened"), 2),  # either both owe one or nobody does
        ((*failed(5, 40), "hand 6 2", "ante 1 10"), -1),  # what has been shown is known in the next hand
        (("hand 5 1", "ante 1 10", "ante 2 9"), -1),
    ],
)
def test_what_no_pot_makes_right_is_an_error(after: Lines, place: int) -> None:
    report = verified(*TAKEN, *after, closed=False)
    assert [seq for seq, _ in told(report)] == [len(TAKEN) + (place if place > 0 else len(after) + place) + 1]


def test_who_plays_for_a_pot_that_nobody_saw_plays_for_what_is_left_of_it() -> None:
    again = ("deal 1 As Ks Ts", "deal 2 Td Qh 9h", "turn 6c", "up 1 As Ks Ts", "down 2 Td Qh 9h", "opened 1")
    report = verified(*TAKEN, *failed(5, 40), "hand 6 2", *again, "pot_taken 1 80", "end opened")
    assert told(report) == []
    assert doubts_after(report, len(TAKEN)) == []


@pytest.mark.parametrize(("stacks", "paid", "doubts"), [(None, 10, 0), ([100, 100], 10, 1), ([100, 100], 50, 0)])
def test_less_than_the_recorded_pot_may_be_all_that_a_seat_has(
    stacks: list[int] | None, paid: int, doubts: int
) -> None:
    """Where balances are open a seat pays what is due, and shows the pot; a stack that nobody saw may be empty."""
    lines = (*BROKEN, "end failed_open", *failed(2, paid))
    report = verified(*lines, **({} if stacks is None else {"stacks": stacks}))
    assert told(report) == []
    assert len(doubts_after(report, 9)) == doubts
    assert report["hands"][1]["seats"]["2"]["net_recorded"] == -paid


LAID: Lines = (
    "deal 1 As Ts Ks Qs Js",
    "deal 2 Ad Td Kd Qd Jd",
    "turn Ah",
    "up 1 As Ts Ks Qs Js",
    "down 2 Ad Td Kd Qd Jd",
)
DRAWN: Lines = ("draw 1 Ac Tc Kc Qc Jc", "draw 2 Th Kh Qh Jh Ah")
"""Twenty cards, five a hand: the draw after the first trick empties the stock."""


@pytest.mark.parametrize(
    ("razburka", "each", "taken", "errors"),
    [
        ("double", 10, 40, []),  # the recorded 20 lay there
        ("double", 30, 120, []),
        ("double", 30, 119, [25]),  # what a razburka has shown is known in the next hand
        ("restake", 10, 40, []),
        ("restake", 10, 60, []),  # a stake anew does not show what lies there
        ("restake", 7, 60, [15, 16]),  # but what it is hangs on nothing that was not seen
    ],
)
def test_a_razburka_shows_the_pot_where_it_is_doubled(razburka: str, each: int, taken: int, errors: list[int]) -> None:
    options = {"scoring": "pot", "hand_size": 5, "match_to": 3, "raise_ladder": "none", "first_lead": "left_of_dealer"}
    options |= {"failed_open": "match_pot", "razburka": razburka, "razburka_when": "stock_empty"}
    void = (*LAID, *DRAWN, f"razburka 1 {each}", f"razburka 2 {each}", "end razburka")
    report = verified(
        *("stake_set 10", "hand 1 2", *ANTES, "unseen", "end razburka", "hand 2 2", *void),
        *("hand 3 2", *LAID, "opened 1", f"pot_taken 1 {taken}", "end opened"),
        preset="bura/georgian-20@1",
        options=options,
    )
    assert [seq for seq, _ in told(report)] == errors
    assert doubts_after(report, 5) == []


@pytest.mark.parametrize(
    ("lines", "errors", "doubts"),
    [
        (("ante 3 20",), [], [13]),  # 40 may lie there
        (("ante 3 10",), [], [13]),  # 20 may, or nothing: an ante
        (("ante 3 10", "ante 2 10", "ante 1 10"), [], [13]),
        (("ante 2 10", "ante 3 10", "ante 1 10"), [], []),  # of who sat there before it is an ante
        (("ante 2 10", "ante 3 20", "ante 1 10"), [14], []),
        (("ante 3 20", "ante 3 20"), [14], [13]),
    ],
)
def test_a_newcomers_share_of_a_pot_that_nobody_saw_convicts_nobody(
    lines: Lines, errors: list[int], doubts: list[int]
) -> None:
    """`join_pot=share`: what a newcomer pays is a part of what lies there, or an ante where nothing does."""
    before = (*BROKEN, "end failed_open", "joined 3 Ира", "hand 2 1", *lines, "deal 2 As Ks Ts")
    report = verified(*before, seats=2, options={"join_pot": "share"}, closed=False)
    assert [seq for seq, _ in told(report)] == errors
    assert [seq for seq, code in doubts_after(report, 9) if code == "unknown-card"] == doubts


@pytest.mark.parametrize("end", [(*BROKEN, "end opened"), TAKEN])
def test_counts_of_what_was_not_seen_convict_nobody(end: Lines) -> None:
    report = verified(*end, "pot_counted 77", "stack_counted 1 5", "stack_counted 2 -99")
    assert told(report) == []
    assert doubts_after(report, len(end)) == []


def test_a_later_count_that_differs_is_a_doubt_for_stacks_and_an_error_for_a_pot_that_is_known() -> None:
    lines = (*TAKEN, "hand 2 1", *ANTES, "pot_counted 20", "stack_counted 1 3", "pot_counted 30")
    report = verified(*lines, closed=False)
    assert told(report) == [(len(lines), "pot-miscounted")]
    assert (len(lines) - 1, "unknown-card") in told(report, "doubt")
    lines = (*TAKEN, "hand 2 1", "pot_counted 60")
    report = verified(*lines, closed=False)
    assert told(report) == []
    assert (len(lines), "unknown-card") in told(report, "doubt")


def test_nobody_overdraws_a_stack_that_nobody_saw() -> None:
    lines = (*TAKEN, "stake_set 50", "hand 2 1", "ante 1 50", "ante 2 50")
    report = verified(*lines, stacks=[100, 20], closed=False)
    assert told(report) == []
    assert (len(lines), "unknown-card") in told(report, "doubt")
    seen = tuple(line for line in lines if line != "unseen")
    assert told(verified(*seen, stacks=[100, 20], closed=False)) == [(len(seen), "overdrawn")]


def bourre(carried: int) -> Script:
    """A second hand after an unseen stretch, where seat 1 takes every trick and so much lay in the pot before."""
    two = "Ah Kh Qh Jh Th/3c 4c 5c 6c 7c"
    tricks = "1Ah 2{} 1Kh 2{} 1Qh 2{} 1Jh 2{} 1Th 2{}".format("3c", "4c", "5c", "6c", "7c")
    script = Script(2)
    script.deal(two, "2h", dealer=2)
    script.put("unseen")
    script.end("carried")
    script.deal(two, "2h", dealer=2)
    script.say("1+ 2+")
    script.play(tricks)
    script.take(1, carried + 20)
    script.pay(2, carried + 20)
    script.end("most_tricks")
    return script


@pytest.mark.parametrize("carried", [0, 20, 70])
def test_a_bourre_pot_that_nobody_saw_is_what_is_taken(carried: int) -> None:
    script = bourre(carried)
    assert script.told() == []
    last = script.report()["hands"][-1]
    assert (last["pot"], last["pot_after"]) == (carried + 20, carried + 20)
    script.events[-2]["amount"] += 5
    assert script.told() == [(len(script.events) - 2, "table/wrong-stake")]


def test_a_pot_taken_after_the_end_of_a_hand_that_is_open_makes_antes_due() -> None:
    hidden = (*START, "deal 1 As Ks Ts", "deal 2 ?? ?? ??", "turn 6c", "up 1 As Ks Ts", "down 2 ?? ?? ??", "opened 1")
    lines = (*hidden, "end opened", "pot_taken 1 20", *opened(2, 20, ANTES))
    report = verified(*lines)
    assert told(report) == [(11, "missing-payout")]
    assert report["hands"][1]["pot"] == 20


def test_what_was_taken_unduly_before_is_put_right_in_a_pot_that_a_payment_shows() -> None:
    script = bourre(40)
    taken = next(at for at, event in enumerate(script.events) if event["type"] == "trump_turned" and at > 12)
    script.events.insert(taken, {"type": "pot_taken", "seat": 1, "amount": 2})
    for at, event in enumerate(script.events):
        event["seq"] = at
        if at > taken and "amount" in event:
            event["amount"] -= 2
    assert script.told() == [(taken, "table/unexpected-payout")]
    last = script.report()["hands"][-1]
    assert (last["pot_before"], last["pot"]) == (40, 60)
    assert last["pot_before"] - sum(seat["net_due"] for seat in last["seats"].values()) == last["pot_after"]


def later(**more: Any) -> Script:
    """A hand of Bourré with a stretch that nobody saw, and after it one that ends without a payment."""
    two = "Ah Kh Qh Jh Th/3c 4c 5c 6c 7c"
    script = Script(2, **more)
    script.deal(two, "2h", dealer=2)
    script.put("unseen")
    script.end("carried")
    script.deal(two, "2h", dealer=2)
    script.end("misdeal")
    return script


@pytest.mark.parametrize("pot", [40, 75])
def test_a_pot_that_nobody_saw_stays_unknown_until_a_payment_shows_it(pot: int) -> None:
    script = later()
    script.hand += 1
    script.put("hand_began", hand=script.hand, dealer=2)
    for seat, cards in ((1, "Ah Kh Qh Jh Th"), (2, "3c 4c 5c 6c 7c")):
        script.put("dealt", seat=seat, cards=cards.split())
    script.put("trump_turned", card="2h")
    script.say("1-")
    script.take(2, pot)
    script.end("sole_survivor")
    assert script.told() == []
    assert script.report()["hands"][-1]["pot"] == pot


@pytest.mark.parametrize(("stacks", "errors"), [([100, 100], 0), (None, 1)])
def test_who_pays_nothing_of_a_stack_that_nobody_saw_may_have_had_none(stacks: list[int] | None, errors: int) -> None:
    script = later(stacks=stacks)
    script.put("player_joined", seat=3, name="C", **({"stack": 50} if stacks else {}))
    script.begin(2, payers=[])
    at = script.put("dealt", seat=3, cards=["Ah", "Kh", "Qh", "Jh", "Th"])
    assert script.told() == [(at, "table/missing-stake")] * errors
    assert ((at, "table/unknown-card") in script.told("doubt")) == (not errors)


@pytest.mark.parametrize(
    ("more", "errors"), [({"stacks": [100, 100]}, 0), ({"stacks": [100, 100], "debt": "capped"}, 1), ({}, 1)]
)
def test_a_debt_may_have_been_made_where_nobody_saw_it(more: dict[str, Any], errors: int) -> None:
    script = later(**more)
    script.hand += 1
    script.put("hand_began", hand=script.hand, dealer=2)
    at = script.pay(2, 15, "debt")
    assert script.told() == [(at, "table/unexpected-stake")] * errors
    assert ((at, "table/unknown-card") in script.told("doubt")) == (not errors)


def shown_in_part(share: int, penalty: int, last: int, *, unseen: bool = True, **more: Any) -> Script:
    """Two seats with two tricks share the pot, the fourth pays a penalty; in the hand after it one takes the pot."""
    hands = "As Ks 2c 3c 4c/Ac Kc 2d 3d 4d/Ad 2s 3s 5d 5c/6s 7s 6c 6d 7d"
    script = Script(4, lead_duty="free", head_duty="none", void_duty="none", **more)
    if unseen:
        script.put("stake_set", amount=10)
        script.put("hand_began", hand=1, dealer=4)
        script.put("unseen")
        script.end("carried")
        script.hand = 1
    script.deal(hands, "2h", dealer=4)
    script.say("1+ 2+ 3+ 4+")
    script.play("1As 24d 32s 46s 1Ks 23d 33s 47s 12c 2Ac 35c 46c 2Kc 35d 47d 13c 22d 3Ad 46d 14c")
    script.take(1, share)
    script.take(2, share)
    script.pay(4, penalty)
    script.end("split")
    script.begin(1)
    for seat, cards in zip((2, 3, 4, 1), hands.split("/"), strict=True):
        script.put("dealt", seat=seat, cards=cards.split())
    script.put("trump_turned", card="2h")
    script.say("2- 3- 4-")
    script.take(1, last)
    script.end("sole_survivor")
    return script


@pytest.mark.parametrize(
    ("share", "penalty", "last", "more"),
    [
        (30, 61, 102, {}),  # one chip does not divide
        (10, 61, 20, {"pot_limit": 20}),  # the rest stays
        (10, 20, 20, {"pot_limit": 20, "bourre_pays": "limit"}),
    ],
)
def test_where_only_a_part_of_the_pot_is_shown_the_rest_stays_unknown(
    share: int, penalty: int, last: int, more: dict[str, Any]
) -> None:
    script = shown_in_part(share, penalty, last, **more)
    assert script.told() == []
    assert script.report()["hands"][-1]["takers"] == [1]


def test_a_pot_that_was_seen_is_known_to_the_chip() -> None:
    seen = shown_in_part(30, 61, 102, unseen=False, pot=21)
    assert seen.told() == []
    wrong = shown_in_part(30, 60, 101, unseen=False, pot=21)
    assert [code for _, code in wrong.told()] == ["table/wrong-stake"]


# -- what else hangs on hands that nobody saw ------------------------------------------------------------------------

OPENS: Lines = ("turn 6c", "up 2 As Ks Ts", "down 1 Td Qh 9h", "opened 2")
DEALT: Lines = ("deal 2 As Ks Ts", "deal 1 Td Qh 9h")
NOTHING: Lines = ("stake_set 10",)


@pytest.mark.parametrize("rule", ["previous_winner", "last_trick_taker"])
@pytest.mark.parametrize("leader", [1, 2])
def test_after_hands_that_nobody_saw_nobody_knows_who_leads(rule: str, leader: int) -> None:
    """Seat 2 won the hand before the stretch; of those in it nothing is known."""
    seen = ("stake_set 10", *hand(1, ANTES, "pot_taken 2 20", "end opened"), "unseen")
    report = verified(*seen, "hand 5 1", *ANTES, *DEALT, "turn 6c", f"up {leader} {'As' if leader == 2 else 'Td'}",
                      closed=False, options={"first_lead": rule})  # fmt: skip
    assert told(report) == []


@pytest.mark.parametrize(
    ("lines", "errors"),
    [
        (("sat_out 3", *DEALT, *OPENS, "pot_taken 2 60", "end opened"), []),
        ((*DEALT, *OPENS, "pot_taken 2 60", "end opened"), []),  # seat 3 had not paid into the pot that lies
        (("joined 4 Ира", *DEALT, *OPENS, "pot_taken 2 60", "end opened"), []),  # nor has a newcomer (`join_pot`)
        (("ante 2 10", "ante 1 10", *DEALT, *OPENS), ["missing-stake", "wrong-turn"]),  # antes: all stake and play
    ],
)
def test_who_had_paid_into_a_pot_that_nobody_saw_is_who_is_dealt_to(lines: Lines, errors: list[str]) -> None:
    joined = tuple(line for line in lines if line.startswith("joined"))
    begun = (*NOTHING, "hand 1 1", "unseen", "end failed_open", *joined, "hand 2 1")
    report = verified(*begun, *(line for line in lines if line not in joined), seats=3, closed=False)
    assert [code for _, code in told(report)] == errors


def test_antes_show_for_good_that_nothing_lay_there() -> None:
    """A misdeal after the antes: the pot of the next hand is known, and who sits out of it has paid into it."""
    begun = (*NOTHING, "hand 1 1", "unseen", "end failed_open", "hand 2 1", "ante 2 10", "ante 3 10", "ante 1 10")
    failed = ("deal 2 Ks 8s 7s", "deal 1 Td Qh 9h", "turn 6c", "up 2 Ks", "down 1 9h", "opened 2", "failed_open 2 30")
    again = ("hand 4 2", "deal 3 As Ks Ts", "deal 1 Td Qh 9h", "deal 2 7h 8h 8d")
    for paid in (30, 31):
        third = tuple(line.replace("failed_open 2 30", f"failed_open 2 {paid}") for line in failed)
        lines = (*begun, "end misdeal", "hand 3 1", "sat_out 3", *third, "end failed_open", *again)
        report = verified(*lines, seats=3, closed=False)
        assert [code for _, code in told(report)] == ([] if paid == 30 else ["wrong-stake"])


def test_a_seat_that_may_have_won_unseen_does_not_overdraw() -> None:
    """By the recorded moves a pot lies there and no ante is due, and seat 2 has nothing left."""
    lines = ("stake_set 5", "hand 1 1", "deal 2 As Ks Ts", "unseen", "hand 2 1", "ante 2 5", "ante 1 5")
    report = verified(*lines, *DEALT, closed=False, pot=60, stacks=[12, 3])
    assert told(report) == []


@pytest.mark.parametrize("shares", [(14, 13, 13), (13, 13, 13), (20, 20, 20)])
def test_shares_of_a_razburka_with_odd_chips_convict_nobody(shares: tuple[int, int, int]) -> None:
    """A pot that nobody saw of 40, 39 or 60; the record has 0."""
    dealt = ("deal 2 As Ts Ks Qs Js", "deal 3 Ad Td Kd Qd Jd", "deal 1 Ac Tc Kc Qc Jc", "turn Ah")
    paid = tuple(f"razburka {seat} {share}" for seat, share in zip((2, 3, 1), shares, strict=True))
    options = {"pack": 20, "hand_size": 5, "razburka_when": "stock_empty", "seats_max": 3, "draw_style": "fill_each"}
    lines = (
        *NOTHING,
        "unseen",
        "hand 5 1",
        *dealt,
        "up 2 As Ts Ks Qs Js",
        "down 3 Ad Td Kd Qd Jd",
        "down 1 Ac Tc Kc Qc Jc",
    )
    report = verified(*lines, "draw 2 Th Kh Qh Jh Ah", *paid, "end razburka", seats=3, options=options)
    assert told(report) == []


@pytest.mark.parametrize(
    ("before", "antes", "errors"),
    [
        ("misdeal", [], []),
        ("unseen", [], []),  # the last of the hands that nobody saw may have been a misdeal
        ("unseen", [1, 2, 3], []),
        ("split", [], ["missing-stake"] * 3),
        ("split", [1, 2, 3], []),
        ("seen", [], ["missing-stake"] * 3),
    ],
)
def test_after_a_misdeal_that_nobody_saw_nobody_antes_anew(before: str, antes: list[int], errors: list[str]) -> None:
    script = Script(3)
    script.put("stake_set", amount=10)
    if before in ("misdeal", "split"):
        script.put("hand_began", hand=1, dealer=3)
        script.put("unseen")
        script.end(before)
    elif before == "unseen":
        script.put("unseen")
    dealer = 3 if before in ("misdeal", "seen") else 1
    script.put("hand_began", hand=1 if before == "seen" else 2, dealer=dealer)
    for seat in antes:
        script.put("staked", seat=seat, amount=10, why="ante")
    for step in (1, 2, 3):
        seat = (dealer + step - 1) % 3 + 1
        script.put("dealt", seat=seat, cards=[rank + "shd"[seat - 1] for rank in "23456"])
    assert [code.partition("/")[2] for _, code in script.told()] == errors


def test_who_set_the_ante_of_a_hand_that_nobody_saw_is_not_judged() -> None:
    for unseen in (True, False):
        script = Script(3)
        setting = script.put("stake_set", amount=5, seat=1)
        if unseen:
            script.put("unseen")
        script.put("hand_began", hand=2 if unseen else 1, dealer=3)
        assert script.told() == ([] if unseen else [(setting, "table/wrong-turn")])
