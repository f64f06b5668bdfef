"""Cards half seen: a doubt stands only where one way to name them is a breach and another is not (`report.md` 1)."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from replay import desk
from tests.walks.bura import Json, to_bytes
from tests.walks.script import START, told, verified

CLEAN = Path(__file__).parents[2] / "cases" / "bura" / "rule-stock-2-1.bura.jsonl"

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


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (("up 1 As ?h Ts",), "card-not-held"),
        (("up 1 As Q? Ts",), "card-not-held"),
        (("up 1 As ?s K?",), None),
        (("up 1 As", "down 2 ?h"), None),
        (("up 1 As", "down 2 ?c"), "card-not-held"),
        (("up 1 As Ts", "down 2 ?d ?d"), "card-not-held"),  # it holds one of that suit
        (("up 1 As Ts", "down 2 ?d ??"), None),
        (("up 1 As 2?",), "card-not-in-pack"),
        (("molodka 1 As ?h Ts",), "card-not-held"),
        (("molodka 1 As ?s Ts",), None),
    ],
)
def test_a_half_seen_card_that_the_seat_cannot_hold_is_told(lines: tuple[str, ...], code: str | None) -> None:
    report = judged("As Ks Ts", "Td Qh 9h", *lines)
    found = [each["code"] for each in report["findings"] if each["code"].startswith("table/card")]
    assert found == ([f"table/{code}"] if code else [])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("bura 1 ?c ?c ?c", ""),
        ("bura 1 ?c ?? ?c", OPEN),
        ("bura 1 ?c ?h ??", NEVER),
        ("three_aces 1 A? A? A?", ""),
        ("three_aces 1 A? ?? ?s", OPEN),
        ("three_aces 1 A? K? ??", NEVER),
        ("three_aces 1 A? A?", OPEN),  # a part of them
        ("three_aces 1 A? K?", NEVER),
        ("molodka 1 ?s ?s ?s", ""),
        ("molodka 1 ?s ?? Q?", OPEN),
        ("molodka 1 ?s ?h ??", NEVER),
        ("molodka 1 ?s ?? K?", NEVER),  # the other seat has that king
        ("molodka 1 ?c ?? ??", NEVER),  # of trumps
        ("molodka 1 A? A? ??", NEVER),
    ],
)
def test_a_combination_shown_half_seen_is_true_or_false_whichever_cards_they_are(words: str, told: str) -> None:
    findings = judged(UNSEEN, "7s Ks Kd", words)["findings"]
    codes = {"": [], OPEN: ["table/unknown-card"], NEVER: [FALSE]}[told]
    assert [each["code"] for each in findings if each["seq"] == 8] == codes


@pytest.mark.parametrize(
    ("first", "second", "turned", "codes"),
    [
        ("As Ah Ad", "Ac A? 9h", "6c", ["card-twice"]),
        ("As Ah Ad", "T? A? 9h", "6c", []),
        ("As 2? Ts", "Td Qh 9h", "6c", ["card-not-in-pack"]),
        ("As Ks Ts", "Td Qh 9h", "2?", ["card-not-in-pack"]),
        ("As Ks Ts", "Td Qh 9h", "?s", []),
    ],
)
def test_a_half_seen_card_that_no_card_can_be_is_told(first: str, second: str, turned: str, codes: list[str]) -> None:
    report = verified(*START, f"deal 1 {first}", f"deal 2 {second}", f"turn {turned}", "up 1 As", "end abandoned")
    assert [code for _, code in told(report)] == codes


@pytest.mark.parametrize(
    ("shown", "right"),
    [
        ("?s ?s ?s ?d ?h ?h", True),
        ("A? K? T? T? Q? 9?", True),
        ("As ?s ?? Td Q? ?h", True),
        ("?s ?s ?s ?s ?h ?h", False),
        ("A? K? T? T? T? 9?", False),
        ("As Ks Ts Td Qh ?c", False),
        ("As Ks Ts Td Qh 2?", False),
        ("As Ks Ts Td ?d ?h", False),
    ],
)
def test_faces_of_a_pile_shown_in_part_are_those_that_lie_in_it(shown: str, right: bool) -> None:
    deal = ("deal 1 As Ks Ts", "deal 2 Td Qh 9h", "turn 6c", "up 1 As Ks Ts", "down 2 Td Qh 9h")
    report = verified(*START, *deal, "opened 1", f"counted 1 38 {shown}", "pot_taken 1 20", "end opened")
    assert told(report) == ([] if right else [(11, "reveal-contradicts")])


@pytest.mark.parametrize("half", [lambda card: f"?{card[1]}", lambda card: f"{card[0]}?"])
@pytest.mark.parametrize("kinds", [("dealt", "drew"), ("played",)])
def test_what_is_truly_half_seen_refutes_nobody(half: Callable[[str], str], kinds: tuple[str, ...]) -> None:
    """All cards of a whole hand, the turn-up under the stock among them, and each in its turn."""
    lines = [json.loads(line) for line in CLEAN.read_bytes().splitlines()]
    assert desk.verify(to_bytes(lines))["verdict"] == "verified"
    blurred = [line | ({"cards": list(map(half, line["cards"]))} if line["type"] in kinds else {}) for line in lines]
    assert told(desk.verify(to_bytes(blurred))) == []
    for at, line in enumerate(lines):
        for spot in range(len(line.get("cards", ())) if line["type"] in kinds else 0):
            cards = [half(card) if place == spot else card for place, card in enumerate(line["cards"])]
            report = desk.verify(to_bytes([*lines[:at], line | {"cards": cards}, *lines[at + 1 :]]))
            assert told(report) == [], (at, spot)


@pytest.mark.parametrize(("turned", "verdict"), [("??", "verified"), ("9?", "verified"), ("8?", "undecided")])
def test_the_last_card_of_the_pack_shows_which_was_turned(turned: str, verdict: str) -> None:
    """Thirty-six cards were dealt and drawn, the last of them the nine of spades (`rules.md` 1.5)."""
    lines = [json.loads(line) for line in CLEAN.read_bytes().splitlines()]
    blurred = [line | {"card": turned} if line["type"] == "trump_turned" else line for line in lines]
    report = desk.verify(to_bytes(blurred))
    assert report["verdict"] == verdict
    assert report["hands"][0]["trump"] == ("s" if verdict == "verified" else None)


@pytest.mark.parametrize("view", ["public", "seat:1"])
def test_a_part_of_a_combination_is_no_false_declaration_to_who_does_not_see_the_rest(view: str) -> None:
    lines = (*START, "deal 1 Ad 9c 7d", "deal 2 Td Jd Qd", "turn 6s", "molodka 2 Jd Qd", "up 2 Td Jd Qd")
    assert told(verified(*lines, closed=False)) == []
    findings = verified(*lines, closed=False, view=view)["findings"]
    assert "bura/false-declaration" not in [each["code"] for each in findings]
    assert [each["seq"] for each in findings if each["severity"] == "error"] == []
