"""After a wrong ante two sums lie in the pot: which one a payment used, what is due from then on (`report.md` 1)."""

import pytest

from tests.engine.bourre.hands import Json, Script
from tests.engine.bourre.test_hands import FIVE_NIL, TWO


def paid_wrongly(ante: int, stacks: list[int] | None = None) -> Script:
    """Seat 1 antes `ante` instead of 10 and takes five tricks: `ante` + 10 chips lie there, 20 should."""
    script = Script(2, stacks=stacks)
    script.deal(TWO, "2s")
    next(event for event in script.events if event.get("why") == "ante" and event["seat"] == 1)["amount"] = ante
    script.say("1+ 2+")
    script.play(FIVE_NIL)
    return script


def findings(script: Script, code: str) -> list[tuple[int, object, object]]:
    found: list[Json] = script.report()["findings"]
    return [(each["seq"], each["recorded"], each["expected"]) for each in found if each["code"] == code]


@pytest.mark.parametrize(("ante", "taken", "used"), [(17, 27, "lying"), (17, 20, "should"), (7, 17, "lying")])
def test_the_note_says_which_sum_the_table_used(ante: int, taken: int, used: str) -> None:
    script = paid_wrongly(ante)
    seq = script.take(1, taken)
    script.pay(2, taken)
    script.end("most_tricks")
    assert findings(script, "table/carry-disputed") == [(seq, taken, used)]
    assert [code for _, code in script.told()] == ["table/wrong-stake"]


def test_a_payment_never_made_is_no_chip_that_lies_there() -> None:
    script = Script(2)
    script.deal(TWO, "2s", payers=[2])
    script.say("1+ 2+")
    script.play(FIVE_NIL)
    seq = script.take(1, 20)
    assert findings(script, "table/carry-disputed") == [(seq, 20, "should")]


@pytest.mark.parametrize(("paid", "told"), [(27, []), (20, [(20, 27)]), (25, [(25, 27)])])
def test_the_sum_that_was_used_is_what_is_due_from_then_on(paid: int, told: list[tuple[int, int]]) -> None:
    script = paid_wrongly(17)
    script.take(1, 27)
    script.pay(2, paid)
    script.end("most_tricks")
    assert [(recorded, due) for _, recorded, due in findings(script, "table/wrong-stake")] == [(17, 10), *told]


@pytest.mark.parametrize("paid", [22, 23])
def test_a_debt_is_what_lacks_of_the_sum_that_was_used(paid: int) -> None:
    script = paid_wrongly(17, stacks=[100, 15])
    script.take(1, 27)
    script.pay(2, 5)
    script.end("most_tricks")
    script.put("chips_bought", seat=2, amount=100)
    script.begin(1)
    seq = script.pay(2, paid, "debt")
    assert findings(script, "table/wrong-stake")[1:] == ([(seq, 23, 22)] if paid > 22 else [])


@pytest.mark.parametrize(
    ("rules", "errors", "doubts", "notes"),
    [
        ({"debt": "recorded"}, [], [], [("table/debt-open", 9)]),
        ({"debt": "capped"}, ["table/unexpected-stake"], [], []),
        (
            {"debt": "unrecorded"},
            [],
            [{"recorded": "ok", "capped": "table/unexpected-stake"}],
            [("table/debt-open", 9)],
        ),
        ({"bourre_pays": "capped_at_stack"}, ["table/unexpected-stake"], [], []),
        (
            {"bourre_pays": "unrecorded"},
            [],
            [{"pot": "ok", "limit": "ok", "capped_at_stack": "table/unexpected-stake"}],
            [("table/debt-open", 9)],
        ),
    ],
)
def test_a_debt_paid_where_nobody_wrote_down_whether_it_is_owed_on_is_a_doubt(
    rules: Json, errors: list[str], doubts: list[Json], notes: list[tuple[str, int]]
) -> None:
    script = paid_wrongly(10, stacks=[100, 15])
    script.events[0]["rules"]["options"].update(rules)
    script.take(1, 20)
    script.pay(2, 5)
    script.end("most_tricks")
    script.put("chips_bought", seat=2, amount=100)
    script.begin(1)
    seq = script.pay(2, 6, "debt")
    script.end("misdeal")
    assert script.told() == [(seq, code) for code in errors]
    assert [expected for _, _, expected in findings(script, "table/rule-unrecorded")] == doubts
    assert [(code, owed) for code in ("table/debt-open",) for _, _, owed in findings(script, code)] == notes


@pytest.mark.parametrize(
    ("paid", "errors", "doubts"), [(4, [], 0), (5, [], 1), (20, [], 1), (21, ["table/wrong-stake"], 0)]
)
def test_an_ante_lacking_is_owed_on_though_a_penalty_may_be_forgiven(paid: int, errors: list[str], doubts: int) -> None:
    """Seat 2 has 6 chips: of its ante 4 are lacking, and all 16 of its penalty, which may be forgiven."""
    script = Script(2, stacks=[100, 6], bourre_pays="unrecorded")
    script.begin(2, payers=[])
    for seat, amount in ((1, 10), (2, 6)):
        script.pay(seat, amount, "ante")
    for seat, cards in enumerate(TWO.split("/"), 1):
        script.put("dealt", seat=seat, cards=cards.split())
    script.put("trump_turned", card="2s")
    script.say("1+ 2+")
    script.play(FIVE_NIL)
    script.take(1, 16)
    script.end("most_tricks")
    script.put("chips_bought", seat=2, amount=100)
    script.begin(1)
    seq = script.pay(2, paid, "debt")
    script.end("misdeal")
    assert script.told() == [(seq, code) for code in errors]
    assert len(findings(script, "table/rule-unrecorded")) == doubts


@pytest.mark.parametrize(("taken", "told"), [(60, []), (30, []), (45, ["table/wrong-payout"])])
def test_where_a_rule_nobody_wrote_down_makes_another_sum_a_payment_by_that_one_is_no_error(
    taken: int, told: list[str]
) -> None:
    """Two and two tricks and one: the pot of 30 was carried; had it been split, it would be gone."""
    script = Script(3, tie="unrecorded", ante_exempt="none")
    script.deal("Ah Ac 2d 3d 4d/2h 2c Ad Kd 5d/3h 3c Qd 6d 7d", "2s")
    script.say("1+ 2+ 3+")
    script.play("1Ah 22h 33h 1Ac 22c 33c 12d 2Ad 36d 2Kd 37d 13d 25d 3Qd 14d")
    script.end("carried")
    script.begin(1)
    for seat, cards in ((2, "Kc Qc Jc Tc Kd"), (3, "9s 8s 7s 6s 5s"), (1, "9c 8c 6h 4h 3h")):
        script.put("dealt", seat=seat, cards=cards.split())
    script.put("trump_turned", card="2d")
    script.say("2- 3-")
    script.take(1, taken)
    script.end("sole_survivor")
    assert [code for _, code in script.told()] == told


@pytest.mark.parametrize(("taken", "wrong"), [(0, False), (20, False), (60, True)])
def test_of_a_pot_from_which_more_was_taken_than_lay_there_nothing_is_due(taken: int, wrong: bool) -> None:
    script = Script(2, pot=40)
    script.deal(TWO, "2s")
    script.say("1-")
    script.take(2, 60)
    twice = script.take(2, 60)
    script.end("sole_survivor")
    script.deal(TWO, "2s", dealer=1)
    script.say("2-")
    payout = script.take(1, taken) if taken else 0
    script.end("sole_survivor")
    assert script.told() == [(twice, "table/unexpected-payout"), *([(payout, "table/wrong-payout")] if wrong else [])]


@pytest.mark.parametrize(("counted", "told"), [(3, None), (10, "carry-disputed"), (5, "stack-miscounted")])
def test_a_stack_is_counted_rightly_by_either_sum(counted: int, told: str | None) -> None:
    """Seat 1 anted 17 instead of 10 and has taken 20; that it has 3 and not 10 was told where it paid wrongly."""
    script = paid_wrongly(17)
    script.take(1, 20)
    script.pay(2, 20)
    script.end("most_tricks")
    seqs = [script.put("stack_counted", seat=1, amount=counted) for _ in range(2)]
    codes = ("table/carry-disputed", "table/stack-miscounted")
    found = [(seq, code) for code in codes for seq, *_ in findings(script, code) if seq in seqs]
    times = {"carry-disputed": 1, "stack-miscounted": 2, None: 0}[told]
    assert found == [(seq, f"table/{told}") for seq in seqs[:times]]
