"""Disputes and explanations as text: every language says the same, and the sums can be checked with a pencil."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from recorder import intake
from recorder.words import LANGUAGES, topic
from replay import desk
from replay.views.dispute_text import dispute_text, table
from replay.views.explain_text import explain_text
from replay.views.wording import Wording
from schemas.events import HandBegan, Recording
from tests.check_cases import case_names, expectation, recording_path

TOPICS = ("dispute", "explain")
PLURALS = {"one", "few", "many", "other"}


def flat(words: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in words.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def holes(name: str, lang: str) -> dict[str, set[str]]:
    """By key: its holes; plural forms of one sentence are one key."""
    found: dict[str, set[str]] = {}
    for key, text in flat(topic(name, lang)):
        whole, _, last = key.rpartition(".")
        found.setdefault(whole if last in PLURALS else key, set()).update(re.findall(r"\{(\w+)\}", text))
    return found


@pytest.mark.parametrize("name", TOPICS)
@pytest.mark.parametrize("lang", [lang for lang in LANGUAGES if lang != "en"])
def test_every_language_says_the_same(name: str, lang: str) -> None:
    assert holes(name, lang) == holes(name, "en")


def words(lang: str) -> Wording:
    return Wording(lang, {name: topic(name, lang) for name in (*TOPICS, "options")})


def read(name: str) -> Recording:
    found = intake.read(recording_path(name).read_bytes())
    assert isinstance(found, Recording)
    return found


def text_of(name: str, lang: str = "en", **asked: Any) -> list[str]:
    answer = desk.dispute(recording_path(name).read_bytes(), **asked)
    return dispute_text(answer, desk.names_of(read(name)), words(lang))


ASKED = [(name, part["args"]) for name in case_names() for part in expectation(name).get("disputes", [])]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_dispute_of_the_cases_reads_as_text(lang: str) -> None:
    for name, args in ASKED:
        lines = text_of(name, lang, **args)
        assert not [line for line in lines if re.search(r"\{\w+\}|None|\bTrue\b|\bFalse\b", line)]
        assert lines[0]


def test_the_sums_add_up() -> None:
    """Every line that ends in `a + b = c` is true, and so are sums of cards with their points."""
    seen = 0
    for name, args in ASKED:
        for line in text_of(name, **args):
            left, sign, right = line.partition(" = ")
            if sign:
                numbers = re.findall(r"(?<![\w-])(\d+)(?= \+|$)", left.partition(":")[2].strip())
                assert sum(map(int, numbers)) == int(right), line
                seen += 1
    assert seen > 20


def test_what_a_dispute_says() -> None:
    text = "\n".join(text_of("bura/dispute-open-01", hand=1, view="public"))
    for said in (
        "as the table saw it",
        "opened at event 31 and claims 31 (said 43)",
        "Undecided: the pile had 28–70 points",
        "event 9, laid by 1 O'Neil   least ",
        "least: 28 + 0 + 0 + 0 + 0 = 28",
        "had 31 possibly from event 24, never for certain",
        "could open after events 9, 19, 24, 29",
        "the word of 1 O'Neil about the cards laid face down would settle it",
        "Cards not seen: 7s 8s",
        "Whose the pot of 20 is stays undecided.",
        "as recorded",
    ):
        assert said in text


def test_a_hand_of_bourre() -> None:
    text = "\n".join(text_of("bourre/fault-wrong-payout-split", hand=3))
    for said in ("bourré?", "The pot of 154 belongs to 3", "equal tricks, shared", "owes 77 against what was paid."):
        assert said in text


def test_nothing_is_known_after_an_unseen_stretch() -> None:
    numbers = [event.hand for event in read("bura/table-unseen-stretch").events if isinstance(event, HandBegan)]
    unseen = next(number for number in numbers if "?" in text_of("bura/table-unseen-stretch", hand=number)[3])
    text = "\n".join(text_of("bura/table-unseen-stretch", hand=unseen))
    assert "?" in text
    assert "What is owed is not known." in text


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("name", "event"),
    [
        ("bura/fault-wrong-dealer", 21),
        ("bura/fault-face-up-without-beating", 25),
        ("bura/fault-molodka-rule-unrecorded", 9),
        ("bura/clean-01", 9),
        ("bourre/fault-wrong-count-drew", 102),
        ("bourre/fault-missing-stake-ante", 64),
        ("bourre/fault-folded-late-draw", 67),
        ("bourre/fault-wrong-turn-play", 64),
        ("bourre/fault-drew-too-many", 28),
    ],
)
def test_an_explanation_reads_as_text(name: str, event: int, lang: str) -> None:
    said = desk.explain(recording_path(name).read_bytes(), event=event)
    lines = explain_text(said, desk.names_of(read(name)), words(lang))
    assert len(lines) >= (1 if not said["findings"] else 3)
    assert not [line for line in lines if re.search(r"\{\w+\}|None", line)]


def test_what_an_explanation_says() -> None:
    said = desk.explain(recording_path("bura/fault-wrong-dealer").read_bytes(), event=21)
    lines = explain_text(said, {1: "Анна", 2: "Борис"}, words("en"))
    assert lines[0] == "At event 21: table/wrong-dealer. What would make it fit:"
    assert lines[1] == "  1. If the dealer of event 21 were 1 Анна, not 2 Борис, all would fit."


def test_a_table_is_aligned() -> None:
    assert table([("a", "b"), ("long", "c")]) == ["a     b", "long  c"]
    assert table([]) == []
