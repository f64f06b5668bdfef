"""Cards half seen: a doubt stands only where one way to name them is a breach and another is not (`report.md` 1)."""

import pytest

from tests.walks.bura import Json
from tests.walks.script import START, verified

UNSEEN = "?? ?? ??"
BEATS = "bura/face-up-without-beating"
MIXED = "bura/mixed-suit-lead"
FALSE = "bura/false-declaration"
NEVER, OPEN = "breach", "doubt"


def judged(first: str, second: str, *lines: str, turned: str = "6c") -> Json:
    begun = (f"deal 1 {first}", f"deal 2 {second}", f"turn {turned}")
    return verified(*START, *begun, *lines, "end abandoned")


def said(report: Json, code: str) -> str:
    """How the breach is told: not at all, for certain, or as open."""
    for finding in report["findings"]:
        if finding["code"] == code:
            return NEVER
        if (finding["code"], finding["recorded"]) in (("table/unknown-card", code), ("table/unknown-card", "one_suit")):
            return OPEN
    return ""


@pytest.mark.parametrize(
    ("led", "hand", "answer", "told"),
    [
        ("As", "As Ks Ts", "?c", ""),
        ("As Ts", "As Ks Ts", "?c ?c", ""),
        ("6s", "6s Kd Th", "?s", ""),
        ("As", "As Ks Ts", "?s", NEVER),
        ("Ts", "Ts Kd Th", "?s", OPEN),
        ("9s 8s", "9s 8s Ts", "?c ?s", OPEN),
        ("9s 8s", "9s 8s Ts", "?c ?h", NEVER),
        ("9s", "9s Th Td", "T?", ""),
        ("As", "As Th Td", "T?", OPEN),
        ("Qs", "Qs Ah Ad", "A?", ""),
        ("Tc", "Tc Th Td", "A?", OPEN),
        ("As", "As Ks Ts", "??", OPEN),
    ],
)
def test_an_answer_face_up(led: str, hand: str, answer: str, told: str) -> None:
    report = judged(hand, UNSEEN, f"up 1 {led}", f"up 2 {answer}", turned="9c")
    assert said(report, BEATS) == told
    taker = {"": 2, NEVER: 1, OPEN: None}[told]
    assert report["hands"][0]["tricks"][0]["taker"] == taker


@pytest.mark.parametrize(
    ("led", "hand", "answer", "told"),
    [
        ("?s", "As Kd Kh", "As", ""),
        ("?s", "7c Kd Kh", "7c", ""),
        ("?c", "As Kd Kh", "As", NEVER),
        ("?s", "7s 6s Kh", "7s", NEVER),
        ("?s", "7s Kd Kh", "7s", OPEN),
    ],
)
def test_an_answer_to_a_lead_half_seen(led: str, hand: str, answer: str, told: str) -> None:
    assert said(judged(UNSEEN, hand, f"up 1 {led}", f"up 2 {answer}"), BEATS) == told


@pytest.mark.parametrize(
    ("led", "told"),
    [
        ("?s ?s", ""),
        ("Ts ?s", ""),
        ("?h ?s", NEVER),
        ("Ts T?", NEVER),
        ("T? T?", NEVER),
        ("T? ?s", OPEN),
        ("?? ?s", OPEN),
    ],
)
def test_a_lead_half_seen_is_of_one_suit_or_not(led: str, told: str) -> None:
    report = judged(UNSEEN, "7s Ks Kh", f"up 1 {led}", "down 2 7s Ks")
    assert said(report, MIXED) == told


@pytest.mark.parametrize(
    ("hand", "words", "doubts"),
    [
        ("?c ?c ?c", "bura 1", 0),
        ("?c ?c Ac", "bura 1 ?c ?c Ac", 0),
        ("?? ?c ?c", "bura 1", 1),
        ("?h ?h ?h", "molodka 1", 0),
        ("A? A? A?", "three_aces 1", 0),
        ("A? ?? A?", "three_aces 1", 1),
    ],
)
def test_a_combination_half_seen_is_true_whichever_cards_they_are(hand: str, words: str, doubts: int) -> None:
    findings = judged(hand, "7s Ks Kd", words)["findings"]
    told = [each["code"] for each in findings if each["seq"] == 8]
    assert told == ["table/unknown-card"] * doubts


def test_a_combination_half_seen_may_be_false_for_certain() -> None:
    findings = judged("?s ?s ?s", "7s Ks Kd", "bura 1")["findings"]
    assert [each["code"] for each in findings if each["seq"] == 8] == [FALSE]
