"""The forms of single values, each with what it takes and what it does not (`record.md` 2)."""

import pytest

from schemas import forms
from schemas.problems import Code


@pytest.mark.parametrize(
    "time",
    [
        "2026-11-29T20:15:00Z", "2026-11-29t20:15:00z", "2026-11-29T20:15:00.123456789+03:00",
        "2024-02-29T00:00:00-11:30",
        "2000-02-29T23:59:59+00:00", "0000-02-29T00:00:00Z", "2016-12-31T23:59:60Z", "2017-01-01T02:59:60+03:00",
    ],
)  # fmt: skip
def test_a_time_has_an_offset_and_exists(time: str) -> None:
    assert forms.time(time) is None


@pytest.mark.parametrize(
    "time",
    [
        "2026-11-29T20:15:00", "2026-11-29 20:15:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-04-31T00:00:00Z", "2026-04-00T00:00:00Z",
        "2026-11-29T24:00:00Z", "2026-11-29T23:60:00Z", "2026-11-29T20:15:60Z", "2026-11-29T20:15:00+24:00",
        "2026-11-29T20:15:00+03:60", "2026-11-29T20:15:00+0300", "2026-11-29T20:15Z", "2026-11-29",
        "26-11-29T20:15:00Z",
        "2026-11-29T20:15:00.Z", "٢٠٢٦-11-29T20:15:00Z", "2026-11-29T20:15:00Z\n", "", None, 1764447300, True,
    ],
)  # fmt: skip
def test_no_other_time_is_one(time: object) -> None:
    flaw = forms.time(time)
    assert flaw is not None
    assert flaw.code is Code.BAD_VALUE


@pytest.mark.parametrize(
    ("letter", "twin"),
    [("Т", "T"), ("К", "K"), ("А", "A"), ("Τ", "T"), ("Κ", "K"), ("Ｔ", "T"), ("В", "B"), ("Д", "D")],
)
def test_a_letter_that_looks_like_another_is_named_with_its_twin(letter: str, twin: str) -> None:
    flaw = forms.card(letter + "h")
    assert flaw is not None
    assert (flaw.code, flaw.args["letter"], flaw.args["twin"]) == (Code.LOOK_ALIKE_LETTER, letter, twin)
    assert flaw.args["name"].isascii()


@pytest.mark.parametrize("suit", ["һ", "ѕ", "с", "ԁ"])
def test_so_is_a_suit(suit: str) -> None:
    flaw = forms.card("T" + suit)
    assert flaw is not None
    assert flaw.code is Code.LOOK_ALIKE_LETTER


@pytest.mark.parametrize("card", ["Xh", "10h", "th", "Ax", "", "A", "Ahh", "hA", "T♥", "A" * 1000])
def test_other_strings_are_bad_cards(card: str) -> None:
    flaw = forms.card(card)
    assert flaw is not None
    assert flaw.code is Code.BAD_CARD


@pytest.mark.parametrize("words", ["Td", "??", "?s", "T?", "Td/Ks", "Td/Ks/7d/6s"])
def test_testimony_is_a_card_or_candidates(words: str) -> None:
    assert forms.testimony(words) is None


@pytest.mark.parametrize("words", ["Td/", "/Td", "Td/??", "Td/Td", "Td/?s", "Td Ks", "Td//Ks", "Тd/Ks"])
def test_candidates_are_known_and_different(words: str) -> None:
    assert forms.testimony(words) is not None


@pytest.mark.parametrize("value", [True, False, 1.0, "1", None, [], {}, 0, -1, 2**53, -(2**53)])
def test_an_amount_is_a_whole_positive_number(value: object) -> None:
    assert forms.integer_check(1, None)(value) is not None


def test_text_is_counted_in_code_points() -> None:
    check = forms.text_check(40)
    assert check("\N{GRINNING FACE}" * 40) is None
    assert check("\N{GRINNING FACE}" * 41) is not None


@pytest.mark.parametrize("text", ["", "e\N{COMBINING ACUTE ACCENT}", "a\tb", "a\x7f", "a\x85", "\ud800", "я" * 501])
def test_bad_text(text: str) -> None:
    flaw = forms.text_check(500)(text)
    assert flaw is not None
    assert flaw.code is Code.BAD_TEXT


def test_a_line_separator_is_text() -> None:
    assert forms.text_check(500)("a\N{LINE SEPARATOR}b") is None


def test_what_is_shown_of_a_value_fits_a_sentence() -> None:
    assert len(forms.shown("\x1b" * 1000)) == 60
    assert forms.shown({"a": [forms.TOLD]}).isprintable()
