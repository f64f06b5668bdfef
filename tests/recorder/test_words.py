"""Every problem has one sentence in every language, with the same placeholders."""

import string

import pytest

from recorder import words
from schemas.problems import Code, Problem


def names(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_code_has_a_sentence(language: str) -> None:
    sentences = words.load(language)["problems"]
    assert set(sentences) == set(Code)
    for code, sentence in sentences.items():
        assert sentence.endswith(".")
        assert names(sentence) == names(words.load("en")["problems"][code])


def test_a_look_alike_letter_is_named_with_its_twin() -> None:
    args = {"value": '"Тh"', "letter": "Т", "name": "CYRILLIC CAPITAL LETTER TE", "twin": "T"}
    for language in words.LANGUAGES:
        told = words.tell(Problem(1, "cards", Code.LOOK_ALIKE_LETTER, args), language)
        assert all(part in told for part in ("Т", "CYRILLIC CAPITAL LETTER TE", " T", "cards"))


def test_an_unknown_language_is_no_language() -> None:
    with pytest.raises(KeyError):
        words.load("../en")
