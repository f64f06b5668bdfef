"""The pad's words: the same in every language, every refusal of the API with its sentence."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from recorder.words import LANGUAGES, load
from replay.views.pad import BY_HAND, OF_GAME
from replay.views.wording import Wording
from tests.web.test_words import PLURAL, holes, keys

TREE = Path(__file__).parents[2]
PLURALS = {"en": {"one", "other"}, "ru": {"one", "few", "many", "other"}, "fr": {"one", "many", "other"}}
SOURCES = "\n".join(
    path.read_text(encoding="utf-8")
    for pattern in ("replay/web/*.py", "replay/views/pad*.py", "templates/*.html")
    for path in sorted(TREE.glob(pattern))
)
BUILT = (
    *("openapi.", "api.", "kind.", "field.", "why.", "combination.", "role.", "source.", "mend.", "ask.", "step."),
    *("hold_send", "rule_send"),
)


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_the_languages_have_the_same_sentences_and_holes(lang: str) -> None:
    ours, theirs = load("en")["pad"], load(lang)["pad"]
    assert set(keys(ours)) == set(keys(theirs))
    one, other = Wording("en", {"ui": ours}), Wording(lang, {"ui": theirs})
    for key in keys(ours):
        if key != "step.antes":
            assert holes(one._find(key)) == holes(other._find(key)), key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_plural_has_the_forms_of_its_language(lang: str) -> None:
    words = Wording(lang, {"ui": load(lang)["pad"]})
    for key in keys(load(lang)["pad"]):
        found = words._find(key)
        if isinstance(found, Mapping):
            assert set(found) & PLURAL == PLURALS[lang], key


def test_every_refusal_and_every_kind_has_its_words() -> None:
    words = Wording("en", load("en"))
    for code in re.findall(r'ApiError\(\s*[0-9]+, "([a-z-]+)"', SOURCES):
        assert words.has(f"pad.api.{code}"), code
    for kind in (*BY_HAND, *(kind for kinds in OF_GAME.values() for kind in kinds)):
        assert words.has(f"pad.kind.{kind}"), kind


def test_no_sentence_is_left_unsaid() -> None:
    unsaid = [
        key
        for key in keys(load("en")["pad"])
        if not key.startswith(BUILT) and f'"pad.{key}"' not in SOURCES and f"'pad.{key}'" not in SOURCES
    ]
    assert unsaid == []
