"""What a believed seat says it threw away, in Bourré (`report.md` 5, `--believe`)."""

import pytest

from replay import desk
from tests.engine.bourre.hands import Json, Script
from tests.walks.bura import to_bytes

DEALT = "7c 5h 4h 3h 9d"


def asked(thrown: str, *, believe: list[int]) -> Json:
    """Seat 2 throws a card away and draws the two of hearts; led a spade, it lays a club: did it keep the nine?"""
    script = Script(2)
    dealt = script.deal(f"Ks 8c 9c 6h Jh/{DEALT}", "2d", dealer=2) - 1
    script.say("1+ 2+")
    drew = script.change(2, "3h", "2h")
    at = script.play("1Ks 27c")
    script.put("testified", seat=2, of=dealt, cards=DEALT.split())
    script.put("testified", seat=2, of=drew, cards=["2h"])
    script.put("testified", seat=2, of=drew - 2, cards=[thrown])
    answer = desk.dispute(to_bytes(script.events), hand=1, at=at, view="public", believe=believe)
    assert answer["format"] == "razbor-dispute/1", answer
    said = answer["contradictions"]
    last = len(script.events) - 1
    assert said in ([], [{"seat": 2, "seq": last}])
    return {"contradicted": bool(said), "duties": answer["seats"]["2"]["duties"]}


def test_with_what_was_thrown_away_a_holding_is_known_to_the_last_card() -> None:
    told = asked("3h", believe=[2])
    assert not told["contradicted"]
    assert [(each["duty"], each["answer"], each["would_have"]) for each in told["duties"]] == [
        ("trump", "broken", ["9d"])
    ]


def test_whoever_threw_the_trump_away_had_no_duty() -> None:
    assert asked("9d", believe=[2])["duties"] == []


def test_without_the_word_it_is_open() -> None:
    assert [each["answer"] for each in asked("3h", believe=[])["duties"]] == ["open"]


@pytest.mark.parametrize("thrown", ["Ks", "2d", "Ah"])
def test_a_card_that_it_never_had_cannot_have_been_thrown_away(thrown: str) -> None:
    assert asked(thrown, believe=[2])["contradicted"]


@pytest.mark.parametrize(("said", "answer"), [("9d", "broken"), ("?d", "broken"), ("9?", "open"), ("??", "open")])
def test_a_suit_that_was_heard_counts(said: str, answer: str) -> None:
    """Five cards and no draw: who says that the fifth was a trump says that it was held back."""
    script = Script(2)
    dealt = script.deal(f"Ks 8c 9c 6h Jh/{DEALT}", "2d", dealer=2) - 1
    script.say("1+ 2+")
    at = script.play("1Ks 27c")
    script.put("testified", seat=2, of=dealt, cards=[*DEALT.split()[:4], said])
    told = desk.dispute(to_bytes(script.events), hand=1, at=at, view="public", believe=[2])
    assert [each["answer"] for each in told["seats"]["2"]["duties"]] == [answer]
    assert told["contradictions"] == []
