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


def told_of_candidates(*said: str) -> Json:
    """Seat 2 says what its five cards were; led the king of spades, trump diamonds, it laid the seven of clubs."""
    script = Script(2)
    dealt = script.deal(f"Ks 8c 9c 6h Jh/{DEALT}", "2d", dealer=2) - 1
    script.say("1+ 2+")
    at = script.play("1Ks 27c")
    script.put("testified", seat=2, of=dealt, cards=[*DEALT.split()[: 5 - len(said)], *said])
    return desk.dispute(to_bytes(script.events), hand=1, at=at, view="public", believe=[2])


@pytest.mark.parametrize(
    ("said", "answers", "would_have"),
    [
        ("9d/8d", ["broken"], []),
        ("9d/8s", ["broken"], []),
        ("9d/8h", ["open"], ["9d"]),
        ("Kh/8h", [], []),
        ("9d/Ks", ["broken"], ["9d"]),
        ("9d/2d", ["broken"], ["9d"]),
    ],
)
def test_each_candidate_is_tried_and_what_cannot_be_is_none(
    said: str, answers: list[str], would_have: list[str]
) -> None:
    told = told_of_candidates(said)
    assert told["contradictions"] == []
    duties = told["seats"]["2"]["duties"]
    assert [each["answer"] for each in duties] == answers
    assert [card for each in duties for card in each["would_have"]] == would_have


def test_a_word_of_which_no_candidate_can_be_is_told_and_left_out() -> None:
    told = told_of_candidates("Ks/2d")
    assert [each["seat"] for each in told["contradictions"]] == [2]
    assert [each["answer"] for each in told["seats"]["2"]["duties"]] == ["open"]


def test_two_cards_are_never_the_same_candidate() -> None:
    """Of two cards that are the nine of diamonds or the eight of hearts, one is the trump."""
    duties = told_of_candidates("9d/8h", "9d/8h")["seats"]["2"]["duties"]
    assert [(each["answer"], each["would_have"]) for each in duties] == [("broken", ["9d"])]


def test_where_candidates_make_too_many_ways_the_card_of_the_fewest_still_counts() -> None:
    told = told_of_candidates("3d/4d/5d/6d/7d/8d/9d/Td/Jd/Qd/Kd/Ad", "3d/4d/5d")
    assert [each["answer"] for each in told["seats"]["2"]["duties"]] == ["broken"]
    assert told["contradictions"] == []


@pytest.mark.parametrize(("thrown", "answers"), [("3h/9d", ["open"]), ("3h/4h", ["broken"]), ("3h/Ks", ["broken"])])
def test_candidates_of_what_was_thrown_away(thrown: str, answers: list[str]) -> None:
    told = asked(thrown, believe=[2])
    assert not told["contradicted"]
    assert [each["answer"] for each in told["duties"]] == answers


def test_of_a_duty_kept_the_cards_are_told_that_are_right_whichever_candidate_it_was() -> None:
    script = Script(2)
    script.deal("?? ?? ?? ?? ??/?? ?? ?? ?? ??", "2d", dealer=2)
    script.say("1+ 2+")
    laid = script.play("1Ks 27c 1Kh 2??")
    at = script.play("1Qh 2Jh 19h 28h 13c 24c")
    script.put("testified", seat=2, of=laid, cards=["5h/6h"])
    told = desk.dispute(to_bytes(script.events), hand=1, at=at, view="full", believe=[2])
    duties = {each["seq"]: each for each in told["seats"]["2"]["duties"]}
    assert (duties[laid]["answer"], duties[laid]["would_have"]) == ("kept", ["8h", "Jh"])
