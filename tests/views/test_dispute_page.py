"""The dispute page as data: its claim, its proof and its words, over an answer made by hand."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from recorder.words import LANGUAGES, load
from replay.audit.clocks import Course, Hidden, TrickEnd
from replay.views.addresses import Addresses
from replay.views.clocks import THIN, WIDE, Clock, Plot
from replay.views.dispute import dispute_page
from replay.views.dispute_page import DisputePage
from replay.views.dispute_sources import DisputeSource, Question, Said
from replay.views.wording import Wording, plain
from tests.web import evening
from tests.web.test_words import PLURAL, holes, keys

TREE = Path(__file__).parents[2]
COURSE = Course(
    (
        TrickEnd(66, 1, 1, {1: (3, 14), 2: (0, 0), 3: (0, 0)}),
        TrickEnd(73, 2, 3, {1: (3, 14), 2: (0, 0), 3: (0, 11)}),
        TrickEnd(80, 3, 2, {1: (3, 14), 2: (0, 0), 3: (0, 11)}),
        TrickEnd(87, 4, 1, {1: (13, 24), 2: (0, 0), 3: (0, 11)}),
        TrickEnd(94, 5, 2, {1: (13, 24), 2: (25, 47), 3: (0, 11)}),
    ),
    (Hidden(2, 3, 94, 0, "9s", "As"), Hidden(2, 3, 94, 1, "7s", "Ah")),
)


def entry(low: int, high: int, **more: Any) -> dict[str, Any]:
    state = "must" if low >= 31 else "cannot" if high < 31 else "open"
    return {
        "points": {"low": low, "high": high}, "answer": state, "reached": {"possibly": None, "surely": None},
        "entitled_at": [], "opened_at": None, "counted": None, "known": ["Qd"], "unknown": 0, "settled_by": [],
        "certificate": {"known": [["Qd", 3]], "places": [], "exact": True, "dropped": []}, **more,
    }  # fmt: skip


def boris(low: int = 25, high: int = 47, **more: Any) -> dict[str, Any]:
    known = [["Ac", 11], ["Tc", 10], ["Kc", 4], ["9c", 0]]
    places = [{"seq": 94, "seat": 3, "low": ["9s", 0], "high": ["As", 11]},
              {"seq": 94, "seat": 3, "low": ["7s", 0], "high": ["Ah", 11]}]  # fmt: skip
    fields: dict[str, Any] = {
        "reached": {"possibly": 94, "surely": None}, "entitled_at": [80, 94], "opened_at": 96, "counted": 31,
        "known": [card for card, _ in known], "unknown": 2, "settled_by": [[3]],
        "certificate": {"known": known, "places": places, "exact": True, "dropped": []},
    }  # fmt: skip
    return entry(low, high, **{**fields, **more})


def answer(**more: Any) -> dict[str, Any]:
    rules = [
        {"options": {"failed_open": "match_pot", "pack": 36}, "also": [{"pack": 32}], "rightful": [],
         "net_due": {"1": 0, "2": -24, "3": 0}},
        {"options": {"failed_open": "pot_to_others"}, "also": [{"failed_open": "opponent_wins"}], "rightful": [1, 3],
         "net_due": {"1": 12, "2": 0, "3": 12}},
    ]  # fmt: skip
    return {
        "format": "razbor-dispute/1", "recording": evening.ID, "hand": 4, "at": 96, "view": "public", "target": 31,
        "seats": {"1": entry(13, 24), "2": boris(), "3": entry(0, 11)},
        "joint": {"at_least_one": "open", "at_most_one": "must"}, "unseen": ["As", "9s", "7s", "Ah"],
        "rightful": {"seats": [], "amount": 24, "why": "opened", "answer": "open"},
        "remedy": {"1": 0, "2": 0, "3": 0}, "rules": rules, "contradictions": [], **more,
    }  # fmt: skip


def page(lang: str = "en", **more: Any) -> DisputePage:
    given = DisputeSource(
        source=evening.hand_source("public", lang), question=Question(4, 96, "public"), answer=answer(), course=COURSE,
        said=(), trusted={}, other=None, cases=(), case=None, may_write=False,
    )  # fmt: skip
    to = Addresses(evening.ID, "public", disputes=True)
    return dispute_page(replace(given, **more), Wording(lang, load(lang)), to, "http://x/y", ("M0 0h1v1h-1z", 21))


def test_the_claim_is_asked_and_answered_in_a_sentence_or_two() -> None:
    found = page()
    assert found.headline == "Did Boris have 31 at the opening?"
    said = "25 points are known. 2 cards, #2 #3, are unseen: with them 25–47. The word of Vera would settle it."
    assert re.sub(r"#\d", "#", plain(found.answer)) == re.sub(r"#\d", "#", said)
    assert found.tag.tone == "dbt"


@pytest.mark.parametrize(
    ("low", "high", "tone", "said"),
    [
        (35, 35, "ok", "Yes. The pile held 35 points."),
        (33, 47, "ok", "Yes. Whatever lies face down, the pile held 33–47 points."),
        (29, 29, "bad", "No. The pile held 29 points, 2 short of 31."),
        (20, 30, "bad", "No. Whatever lies face down, the pile held at most 30 points."),
    ],
)
def test_what_is_certain_is_said_so(low: int, high: int, tone: str, said: str) -> None:
    seats = {"1": entry(13, 24), "2": boris(low, high), "3": entry(0, 11)}
    last = replace(COURSE.tricks[-1], piles={1: (13, 24), 2: (low, high), 3: (0, 11)})
    found = page(answer=answer(seats=seats), course=Course((*COURSE.tricks[:-1], last), COURSE.hidden))
    assert (plain(found.answer), found.tag.tone) == (said, tone)


def test_an_opening_without_the_right_is_told() -> None:
    seats = {"1": entry(13, 24), "2": boris(entitled_at=[80]), "3": entry(0, 11)}
    assert "had no right to open" in plain(page(answer=answer(seats=seats)).answer)


def test_without_an_opening_everybody_who_may_have_it_is_named() -> None:
    seats = {"1": entry(33, 40), "2": boris(opened_at=None), "3": entry(0, 11)}
    found = page(answer=answer(seats=seats))
    assert found.headline == "Who had 31 at event 96?"
    assert "Anna had it for certain: 33–40. Boris may have it" in plain(found.answer).replace("had it: 25", "it: 25")


def test_of_an_unseen_stretch_nothing_is_claimed() -> None:
    dark = entry(0, 0, points={"low": None, "high": None}, answer="open", unknown=None, known=[])
    found = page(answer=answer(seats={"1": dark, "2": dark, "3": dark}), course=Course())
    assert "nothing certain" in plain(found.answer)
    assert found.charts is None


def test_the_sums_can_be_checked_with_a_pencil() -> None:
    first = page().certificates[0]
    assert first.title == "Pile of Boris"
    assert [points for _, points in first.known] == ["11", "10", "4", "0"]
    assert (first.total, first.least[1], first.most[1], first.span) == ("25", "0", "22", "25–47")


def test_the_recorded_rules_come_first_and_the_change_that_flips_is_marked() -> None:
    found = page()
    assert found.rules[0].recorded
    assert "doubles the pot" in found.rules[0].text
    assert "pack" not in found.rules[0].text
    assert found.rules[1].tag
    assert found.rules[1].taker == "Anna and Vera"
    assert "gives the hand to the opponent" in found.rules[1].also
    assert "cards in the pack" in found.unmoved


def test_debts_are_named_and_the_largest_stands_by_itself() -> None:
    due = {"seats": [], "amount": 48, "why": "failed_open", "answer": "must"}
    found = page(answer=answer(rightful=due, remedy={"1": 0, "2": -48, "3": 24}))
    assert found.remedy == ("Boris owes 48.", "Vera is owed 24.", "24 belongs in the pot.")
    assert found.debt == ("Boris owes", "48")


def test_a_word_shows_what_follows_if_it_is_believed() -> None:
    said = (Said(3, 94, ("Ks", "7s/8s"), seq=245),)
    believed = answer(seats={"1": entry(13, 24), "2": boris(29, 29), "3": entry(0, 11)})
    box = page(said=said, trusted={3: believed}).words[0]
    assert box.bound
    assert (box.bound.span, box.bound.state) == ("29", "cannot")
    assert "king of spades" in plain(box.statements[0].lines[0])
    assert " or " in plain(box.statements[0].lines[1])
    assert box.believe.href.endswith("at=96&believe=3")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_charts_fit_their_box_and_escape_names(lang: str) -> None:
    words = Wording(lang, load(lang))
    clock = Clock(2, 94, None, (80, 94), 96)
    for shape in (WIDE, THIN):
        drawn = Plot(COURSE, clock, 31, lambda seat: f"<b>&{seat}", words, shape).svg("x")
        assert "<b>" not in drawn
        for x in re.findall(r"[MH ](-?\d+\.?\d*)", drawn.partition("<g ")[0]):
            assert float(x) <= shape.width + 8
        assert " style=" not in drawn


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_the_languages_have_the_same_sentences_and_holes(lang: str) -> None:
    ours, theirs = load("en")["disputes_page"], load(lang)["disputes_page"]
    assert set(keys(ours)) == set(keys(theirs))
    a, b = Wording("en", {"ui": ours}), Wording(lang, {"ui": theirs})
    for key in keys(ours):
        assert holes(a._find(key)) == holes(b._find(key)), key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_plural_has_the_forms_of_its_language(lang: str) -> None:
    needed = {"en": {"one", "other"}, "ru": {"one", "few", "many", "other"}, "fr": {"one", "many", "other"}}[lang]
    words = Wording(lang, {"ui": load(lang)["disputes_page"]})
    for key in keys(load(lang)["disputes_page"]):
        found = words._find(key)
        assert not isinstance(found, dict) or set(found) == needed or not set(found) <= PLURAL, key


def test_each_sentence_is_asked_for() -> None:
    sources = [*(TREE / "templates").glob("*.html"), *(TREE / "replay").glob("*/*.py"), *(TREE / "replay").glob("*.py")]
    text = "\n".join(path.read_text() for path in sources)
    built = ("verdict.", "answer.", "joint.", "settle.", "duty.", "bourre.", "case.", "trouble.", "reading.", "seen.",
             "remedy.", "rightful.", "claim.", "words.", "fit.")  # fmt: skip
    unused = [key for key in keys(load("en")["disputes_page"]) if key not in text and not key.startswith(built)]
    assert unused == []
