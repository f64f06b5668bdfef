"""Every problem has one sentence in every language, with the same placeholders."""

import json
import string
import tomllib
from pathlib import Path

import pytest

from recorder import intake, words
from recorder.places_on_disk import WORDS
from schemas.problems import Code, Problem, Refusal


def names(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_code_has_a_sentence(language: str) -> None:
    said, english = words.load(language)["problems"], words.load("en")["problems"]
    assert set(said) == {*Code, "missing"}
    assert set(said["missing"]) == {Code.UNKNOWN_RULES}
    usual = {code: said[code] for code in Code}
    for sentences, like in ((usual, english), (said["missing"], english["missing"])):
        for code, sentence in sentences.items():
            assert sentence.endswith(".")
            assert names(sentence) == names(like[code])


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_what_is_missing_is_not_told_as_a_value(language: str) -> None:
    header = b'{"seq":0,"type":"recording_began","format":"razbor/1","game":"bura","seats":["A","B"],"rules":'
    for rules, field in (
        (b'{"preset":"bura/classic-36@1"}}', "rules.options.molodka_turn"),
        (b'{"options":{}}}', "rules.preset"),
    ):
        found = intake.read(header + rules)
        assert isinstance(found, Refusal)
        (problem,) = [each for each in found.problems if each.code is Code.UNKNOWN_RULES]
        assert "null" not in words.tell(problem, language)
        assert field in words.tell(problem, language)
        assert str(problem.args["expected"]) in words.tell(problem, language)


@pytest.mark.parametrize("path", sorted(WORDS.glob("*.toml")), ids=lambda path: path.stem)
def test_words_read_table_by_table_are_those_of_the_whole_file(path: Path) -> None:
    name, language = path.stem.split(".")
    whole = tomllib.loads(path.read_text(encoding="utf-8"))
    words.topic.cache_clear()
    last = words.topic(name, language)[list(whole)[-1]]  # the last first: no order is needed
    found = words.topic(name, language)
    assert (list(found), len(found), found[list(whole)[-1]]) == (list(whole), len(whole), last)
    read, said = (json.dumps(each, ensure_ascii=False).replace("\u00a0", " ") for each in (dict(found), whole))
    assert read == said
    assert found.get("no such table") is None


def test_a_look_alike_letter_is_named_with_its_twin() -> None:
    args = {"value": '"Тh"', "letter": "Т", "name": "CYRILLIC CAPITAL LETTER TE", "twin": "T"}
    for language in words.LANGUAGES:
        told = words.tell(Problem(1, "cards", Code.LOOK_ALIKE_LETTER, args), language)
        assert all(part in told for part in ("Т", "CYRILLIC CAPITAL LETTER TE", " T", "cards"))


def test_an_unknown_language_is_no_language() -> None:
    with pytest.raises(KeyError):
        words.load("../en")
