"""Every sentence is there in every language, each is used, and every code and event has one."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from recorder.words import LANGUAGES, load
from replay.engine.findings import Code
from replay.views.reference import codes_page
from replay.views.wording import Part, Wording
from replay.web.reader import markup
from schemas.events import TYPES
from schemas.options import values_of
from schemas.rules import RULES_OF

TREE = Path(__file__).parents[2]
PLURAL = {"one", "few", "many", "other"}
TOPICS = ("ui", "findings", "options", "rulebook")


def keys(tree: Mapping[str, Any], before: str = "") -> Iterator[str]:
    for name, value in tree.items():
        if isinstance(value, Mapping) and not set(value) <= PLURAL:
            yield from keys(value, f"{before}{name}.")
        else:
            yield before + name


def holes(value: Any) -> set[str]:
    texts = value.values() if isinstance(value, Mapping) else [value]
    return {hole for text in texts for hole in re.findall(r"\{([a-z_]+)\}", text)}


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_the_languages_have_the_same_sentences_and_holes(topic: str, lang: str) -> None:
    ours, theirs = load("en")[topic], load(lang)[topic]
    assert set(keys(ours)) == set(keys(theirs))
    a, b = Wording("en", {"ui": ours}), Wording(lang, {"ui": theirs})
    for key in keys(ours):
        if not key.startswith(("points.", "pot.")):
            assert holes(a._find(key)) == holes(b._find(key)), key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_plural_has_the_forms_of_its_language(lang: str) -> None:
    needed = {"en": {"one", "other"}, "ru": {"one", "few", "many", "other"}, "fr": {"one", "many", "other"}}[lang]
    words = Wording(lang, load(lang))
    for key in keys(load(lang)["ui"]):
        found = words._find(key)
        if isinstance(found, Mapping):
            assert set(found) == needed, key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_code_has_its_title_and_sentence(lang: str) -> None:
    words = Wording(lang, load(lang))
    for code in Code:
        key = "findings." + code.replace("/", ".")
        assert words.has(f"{key}.title"), code
        assert words.has(f"{key}.text"), code


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_event_has_its_sentence(lang: str) -> None:
    words = Wording(lang, load(lang))
    for kind in TYPES:
        assert words.has(f"event.{kind}") or kind == "noted", kind


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_option_and_value_is_explained(lang: str) -> None:
    words = Wording(lang, load(lang))
    for game, shape in RULES_OF.items():
        for name in shape.__dataclass_fields__:
            assert words.has(f"options.{game}.{name}.title"), name
            for value in values_of(game, name):
                if not isinstance(value, int) or isinstance(value, bool):
                    assert words.has(f"options.{game}.{name}.{str(value).lower()}"), (name, value)


def test_every_sentence_asked_for_is_there_and_each_is_asked_for() -> None:
    paths = [*sorted((TREE / "templates").glob("*.html"))]
    paths += [path for room in ("views", "web") for path in sorted((TREE / "replay" / room).glob("*.py"))]
    text = "\n".join(path.read_text() for path in paths)
    # Disputes and the pad speak from topics of their own, by short keys.
    theirs = re.compile("_?(dispute|case|sheet|pad|live|table_)")
    ours = "\n".join(path.read_text() for path in paths if not theirs.match(path.name))
    words = Wording("en", load("en"))
    literal = set(re.findall(r"""(?:say|parts|template|has)\(\s*["']([a-z_.]+)["']""", ours))
    assert [key for key in sorted(literal) if not key.endswith((".", "_", ".html")) and not words.has(key)] == []
    built = (
        *("seat_note.", "act.", "set.", "mark.", "game.", "verdict.", "severity.", "ended.", "log.", "view.", "value."),
        *("moments.", "legal.", "shelf.shown_", "pin.", "refusal.hint."),
        *("event.", "suit.", "suit_of.", "rank.", "points.", "trump.", "chapter.", "aside.", "error.", "help.", "pot."),
        *("count.", "recording.headline_", "recording.lead_", "step.", "frame.", "status.", "rail.", "rule."),
    )
    unused = [
        key
        for key in keys(load("en")["ui"])
        if not any(key.startswith(start) for start in built) and f'"{key}"' not in text and f"'{key}'" not in text
    ]
    assert unused == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_sentence_of_the_codes_ends_with_a_space_before_its_point(lang: str) -> None:
    told = [row for _, rows in codes_page(Wording(lang, load(lang))).groups for row in rows]
    assert told
    assert [row.code for row in told if re.search(r"\s\.(\s|$)", f"{row.title} {row.text}")] == []


def texts(tree: Mapping[str, Any]) -> Iterator[str]:
    for value in tree.values():
        if isinstance(value, Mapping):
            yield from texts(value)
        elif isinstance(value, str):
            yield value


@pytest.mark.parametrize(("lang", "broken"), [("fr", r" [;:!?»—]|« "), ("ru", " —")])
def test_no_line_begins_with_a_sign_that_belongs_to_the_line_before(lang: str, broken: str) -> None:
    said = [line for text in texts(load(lang)) for line in text.splitlines() if not line.startswith("    ")]
    assert len(said) > 1000
    assert [line for line in said if re.search(broken, line)] == []
    assert sum("\u00a0" in line for line in said) > 50


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_example_that_is_copied_holds_plain_spaces_alone(lang: str) -> None:
    example = [line for line in load(lang)["sheet"]["help"]["text"].splitlines() if line.startswith("    ")]
    assert len(example) > 12
    assert not re.search("[\u00a0\u202f]", "".join(example))


def test_a_range_is_not_broken_over_two_lines() -> None:
    drawn = markup((Part("with them 25–47, <#6> 1…2 & 3–"), Part("4")), "/marks")
    assert drawn == ('with them <span class="nw">25–47</span>, &lt;#6&gt; <span class="nw">1…2</span> &amp; 3–4')
