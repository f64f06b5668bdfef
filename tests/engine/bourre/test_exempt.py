"""Who was tied is a fact; whether that frees from the next ante hangs on what a tie does (`ante_exempt`, `tie`)."""

import pytest

from tests.engine.bourre.hands import Json, Script

TIED = "Ah Ac 2d 3d 4d/2h 2c Ad Kd 5d/3h 3c Qd 6d 7d"
PLAYS = "1Ah 22h 33h 1Ac 22c 33c 12d 2Ad 36d 2Kd 37d 13d 25d 3Qd 14d"
SECOND = "Kc Qc Jc Tc Kd/9s 8s 7s 6s 5s/9c 8c 6h 4h 3h"


def tied(tie: str, *, payers: list[int], unseen: bool = False) -> tuple[Script, int]:
    """Seats 1 and 2 take two tricks each of a pot of 30, which is carried; then `payers` ante, and the first deal."""
    script = Script(3, tie=tie, ante_exempt="tied")
    script.deal(TIED, "2s")
    script.say("1+ 2+ 3+")
    script.play(PLAYS)
    script.end("carried")
    if unseen:
        script.put("unseen")
    script.begin(1, payers=payers)
    dealt = zip((2, 3, 1), SECOND.split("/"), strict=True)
    hands = [script.put("dealt", seat=seat, cards=cards.split()) for seat, cards in dealt]
    script.put("trump_turned", card="2d")
    script.say("2- 3-")
    script.take(1, 30 + 10 * len(payers))
    script.end("sole_survivor")
    return script, hands[0]


def second(script: Script) -> Json:
    hand: Json = script.report()["hands"][1]
    return hand


def told_of_second(script: Script, severity: str) -> list[Json]:
    return [each for each in script.report()["findings"] if each["severity"] == severity and each["hand"] == 2]


def test_where_nobody_wrote_down_what_a_tie_does_the_antes_of_the_tied_are_open() -> None:
    script, first = tied("unrecorded", payers=[3])
    doubts = told_of_second(script, "doubt")
    assert [(each["seq"], each["code"], each["expected"]) for each in doubts] == [
        (first, "table/rule-unrecorded", {"split": "table/missing-stake", "carry": "ok"})
    ]
    assert script.told() == []
    assert second(script)["pot"] is None
    assert [second(script)["seats"][seat]["net_due"] for seat in "123"] == [None, None, -10]


def test_antes_of_all_are_right_where_the_pot_would_have_been_split() -> None:
    script, first = tied("unrecorded", payers=[2, 3, 1])
    doubts = told_of_second(script, "doubt")
    assert {each["seq"] for each in doubts} == {first - 3, first - 1}
    assert [each["expected"] for each in doubts] == [{"split": "ok", "carry": "table/unexpected-stake"}] * 2


@pytest.mark.parametrize(("tie", "payers", "wrong"), [("carry", [3], 0), ("carry", [2, 3, 1], 2), ("split", [3], 2)])
def test_of_a_rule_that_was_written_down_it_follows(tie: str, payers: list[int], wrong: int) -> None:
    assert len(told_of_second(tied(tie, payers=payers)[0], "error")) == wrong


@pytest.mark.parametrize("tie", ["split", "carry"])
@pytest.mark.parametrize("payers", [[3], [2, 3, 1]])
def test_after_a_stretch_not_seen_nobody_is_told_to_lack_an_ante(tie: str, payers: list[int]) -> None:
    """The last hand that nobody saw may have been a misdeal, after which nobody antes anew."""
    assert told_of_second(tied(tie, payers=payers, unseen=True)[0], "error") == []
