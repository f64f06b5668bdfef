"""Cards, charts and words: what is drawn and said without any page around it."""

from xml.dom.minidom import parseString

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder.words import LANGUAGES, load
from replay.views import cards, charts, glyphs, marks, shelf
from replay.views.wording import Wording
from schemas import sums
from schemas.problems import Code, Problem


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_sheet_has_every_face_full_and_small(lang: str) -> None:
    names = {node.getAttribute("id") for node in parseString(cards.sheet(lang)).getElementsByTagName("symbol")}
    for rank in glyphs.RANKS:
        for suit in glyphs.SUITS:
            assert {f"{rank}{suit}", f"s{rank}{suit}"} <= names
    assert {"back", "n1", "n36"} <= names
    assert "<text" not in cards.sheet(lang)


def test_the_index_letters_differ_by_language() -> None:
    letters = {lang: [glyphs.letter(rank, lang) for rank in "AKQJT9"] for lang in LANGUAGES}
    assert letters["ru"] == ["Т", "К", "Д", "В", "10", "9"]
    assert letters["en"] == ["A", "K", "Q", "J", "10", "9"]
    assert letters["fr"] == ["A", "R", "D", "V", "10", "9"]


def test_the_marks_are_well_formed() -> None:
    names = [node.getAttribute("id") for node in parseString(marks.sprite()).getElementsByTagName("symbol")]
    assert len(names) == len(set(names))
    assert {"opened", "pot", "bad", "dbt", "note", "ok", "s", "h", "d", "c"} <= set(names)


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("ru", ["1 взятка", "2 взятки", "5 взяток", "21 взятка", "11 взяток"]),
        ("en", ["1 trick", "2 tricks", "5 tricks", "21 tricks", "11 tricks"]),
        ("fr", ["1 levée", "2 levées", "5 levées", "21 levées", "11 levées"]),
    ],
)
def test_plurals_follow_the_language(lang: str, said: list[str]) -> None:
    words = Wording(lang, load(lang))
    assert [words.say("tricks", n) for n in (1, 2, 5, 21, 11)] == said


@pytest.mark.parametrize(("lang", "name"), [("ru", "дама пик"), ("en", "queen of spades"), ("fr", "dame de pique")])
def test_a_card_is_named_in_the_language(lang: str, name: str) -> None:
    assert Wording(lang, load(lang)).card_name("Qs") == name


def test_ranges_are_written_as_the_language_writes_them() -> None:
    assert Wording("en", {}).span(25, 47) == "25–47"
    assert Wording("ru", {}).span(25, 47) == "25…47"
    assert Wording("ru", {}).signed(-4) == "−4"
    assert Wording("fr", {}).amount(12_000) == "12\u202f000"


def test_the_wrong_piece_of_a_line_is_found() -> None:
    problem = Problem(1, "amount", Code.NOT_AN_INTEGER, {"value": "1.5"})
    assert shelf.excerpt('{"amount":1.5}', problem) == ('{"amount":', "1.5", "}")
    nowhere = Problem(1, "", Code.BLANK_LINE, {})
    assert shelf.excerpt("", nowhere) == ("", "", "")


def test_a_chart_of_the_pot_shows_what_is_not_settled_and_none_where_no_chips_are_played_for() -> None:
    words = Wording("en", load("en"))
    whole = {"hand": 1, "pot_before": 0, "pot": 30, "pot_after": 0}
    settled, cut, dark, match = (
        charts.pot_chart([{**whole, **also}, {**whole, "hand": 2, "pot": 0 if also.get("pot") == 0 else 30}], [], words)
        for also in ({}, {"pot_after": None}, {"pot": None}, {"pot": 0})
    )
    assert settled
    assert cut
    assert dark
    assert [chart.svg.count('class="dbt"') for chart in (settled, cut, dark)] == [0, 1, 1]
    assert [chart.svg.count('class="p"') for chart in (settled, cut, dark)] == [2, 2, 1]
    assert match is None


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Anna", "Le tas d’Anna, carte par carte"),
        ("Émile", "Le tas d’Émile, carte par carte"),
        ("Boris", "Le tas de Boris, carte par carte"),
        ("Yann", "Le tas de Yann, carte par carte"),
        ("Place 1", "Le tas de Place 1, carte par carte"),
    ],
)
def test_french_drops_a_vowel_before_a_vowel(name: str, said: str) -> None:
    assert Wording("fr", load("fr")).say("count_pile.title", seat=name) == said
    assert Wording("en", load("en")).say("count_pile.title", seat=name) == f"The pile of {name}, card by card"


@given(st.integers(-(2**53), 2**53), st.integers(0, 9), st.sampled_from(LANGUAGES))
def test_a_sum_is_exact_whatever_its_size(value: int, digits: int, lang: str) -> None:
    """Of no sum a part is lost, as it would be where it went through a float."""
    said = Wording(lang, {}).of(digits).money(value)
    assert int("".join(sign for sign in said if sign.isdigit())) == abs(value)
    assert said.startswith("−") == (value < 0)
    whole, _, parts = said.partition("." if lang == "en" else ",") if digits else (said, "", "")
    assert len(parts) == digits
    assert whole.lstrip("−") == Wording(lang, {}).amount(abs(value) // 10**digits)
    assert sums.decimal(value, 0) == str(value)


def test_points_never_get_decimals() -> None:
    """A recording in euros: points, cards and match points are counted, not paid."""
    words = Wording("en", load("en")).of(2)
    assert words.span(25, 47) == "25–47"
    assert words.say("tricks", 2) == "2 tricks"
    assert words.say("event.counted", seat="Anna", points=31) == "Anna counts aloud: 31"
    assert words.say("event.scored", seat="Anna", points=3).count(".") == 0
    assert words.say("event.pot_taken", seat="Anna", amount=31) == "Anna takes 0.31 from the pot"
    assert Wording("en", load("en")).say("event.pot_taken", seat="Anna", amount=31) == "Anna takes 31 from the pot"
