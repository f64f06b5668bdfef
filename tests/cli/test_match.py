"""`razbor verify` of a match: the score after each hand and at the end, and no pots where nobody pays one."""

import json
import re
from typing import Any, Final

import pytest

from recorder.words import topic
from tests.cli.razbor import razbor
from tests.web.test_match import KEPT, LINES, MATCH

HEAD: Final = {
    "en": ["hand", "dealer", "trump", "score", "ended"],
    "ru": ["раздача", "сдаёт", "козырь", "счёт", "конец"],
    "fr": ["donne", "donneur", "atout", "score", "fin"],
}
ENDED: Final = {
    "en": "p1 reached 11 in hand 19; the match ended there.",
    "ru": "p1: 11 набрано в раздаче 19, на ней матч окончен.",
    "fr": "p1 a atteint 11 à la donne 19 : la partie s’arrête là.",
}


def bare(text: str) -> str:
    return re.sub("[\u00a0\u202f]", " ", text)


def data(lines: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def told(given: bytes, *more: str) -> list[str]:
    return bare(razbor("verify", "-", *more, given=given).stdout).splitlines()


@pytest.mark.parametrize("lang", HEAD)
def test_the_score_is_told_in_three_languages(lang: str) -> None:
    lines = told(MATCH, "--lang", lang)
    assert any(line.split()[:5] == HEAD[lang] for line in lines)
    assert ENDED[lang] in lines


def test_the_score_after_each_hand_is_that_of_the_program_that_wrote_it() -> None:
    found = [match[0] for line in told(MATCH) if (match := re.search(r"\d+ : \d+", line))]
    assert found == [f"{a} : {b}" for a, b in KEPT.values()]


def test_what_each_hand_brought_stands_beside_the_points() -> None:
    lines = told(MATCH)
    assert any(re.fullmatch(r"1 +2 +h +1 : 0 +opened +1 +32 \+1 +13 0", line) for line in lines)
    assert "Balances" not in lines


def test_the_whole_and_its_pieces_say_the_same() -> None:
    """With a view it is judged as a whole, else in pieces; with ?? in it as well."""
    assert told(MATCH)[2:] == told(MATCH, "--view", "full")[2:]
    noted = [*LINES[:5], {"type": "noted", "text": "?"}, *LINES[5:]]
    numbered = [{**line, "seq": seq} for seq, line in enumerate(noted)]
    numbered[-1]["events"] += 1
    assert told(data(numbered))[2:] == told(MATCH)[2:]


def test_a_hand_that_is_not_settled_brings_nothing_and_is_named() -> None:
    lines = told(data(LINES[:40]))
    assert any(re.match(r"2 +1 +d +- +\? ", line) for line in lines)
    assert "Not settled, and not counted: hand 2." in lines


def test_chips_are_told_where_there_are_some() -> None:
    lines = told(data([{**LINES[0], "stacks": [70, 80]}, *LINES[1:]]))
    assert any(re.fullmatch("as due +70 +80", line) for line in lines)


def test_under_rules_with_a_pot_there_is_no_score() -> None:
    lines = told(MATCH, "--set", "scoring=pot")
    assert any(line.startswith("hand  dealer  trump  lay  pot  left") for line in lines)
    assert "Score of the match" not in lines


@pytest.mark.parametrize("lang", HEAD)
@pytest.mark.parametrize(
    ("last", "hand", "key"), [(39, 2, "hand_open"), (len(LINES) - 1, 3, "hand"), (len(LINES) - 1, 18, "hand")]
)
def test_a_dispute_in_a_match_is_about_the_hand(last: int, hand: int, key: str, lang: str) -> None:
    told = bare(razbor("dispute", "-", "--hand", str(hand), "--lang", lang, given=data(LINES[: last + 1])).stdout)
    sentence = bare(topic("dispute", lang)["rightful"][key]).partition("{")[0]
    assert any(line.startswith(sentence) for line in told.splitlines())
    assert not re.search(r"\b(pot of 0|кон 0|pot de 0)\b", told)
