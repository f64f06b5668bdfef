"""The words of the command line: the same keys and holes in every language, and none that nobody says."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from recorder.words import LANGUAGES, load, topic
from replay.cli import main
from replay.engine.findings import Code
from tests.cli.razbor import ROOT

SAID = re.compile(r'(?:say|MistypedError)\(\s*"([a-z_.-]+)"')
SOURCES = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "replay").glob("cli*.py")))

ARGUMENTS = {"files", "file", "id", "preset", "what", "act", "target", "source", "first", "second"}


def flat(words: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in words.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def holes(lang: str) -> dict[str, set[str]]:
    """The holes of each sentence; where two topics have the same key, those of the log stand beside."""
    words = [*flat(topic("cli", lang)), *flat(topic("log", lang))]
    return {key: set(re.findall(r"\{(\w+)\}", text)) for key, text in words}


@pytest.mark.parametrize("lang", [lang for lang in LANGUAGES if lang != "en"])
def test_every_language_says_the_same(lang: str) -> None:
    assert holes(lang) == holes("en")


def test_every_command_and_option_has_its_words() -> None:
    words = holes("en")
    options = {max(each.opts, key=len).lstrip("-") for command in main.commands.values() for each in command.params}
    named = {each for each in options if not each.isupper()} - ARGUMENTS
    assert {f"option.{name}" for name in named} <= set(words)
    assert {f"help.{name}" for name in main.commands} <= set(words)
    assert {key for key in words if key.startswith("option.")} == {
        f"option.{name}" for name in named | {"help", "version"}
    }


def test_no_sentence_is_left_unsaid() -> None:
    whole = set(SAID.findall(SOURCES))
    begun = tuple(re.findall(r'f["\']([a-z_]+\.[a-z_]*)\{', SOURCES))
    said = {f"error.{key}" if "." not in key else key for key in whole}
    unsaid = [
        key
        for key in holes("en")
        if key not in said
        and not key.startswith((*begun, "help.", "option.", "web."))
        and not re.search(rf"""["']({re.escape(key)}|{re.escape(key.partition(".")[2])})["']""", SOURCES)
    ]
    assert unsaid == []
    assert sorted(key for key in said if key not in holes("en")) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_finding_has_a_sentence(lang: str) -> None:
    words = topic("findings", lang)
    assert [code for code in Code if "title" not in words.get(code.split("/")[0], {}).get(code.split("/")[1], {})] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_apostrophes_and_dashes_are_those_of_print(lang: str) -> None:
    """The words of a score sheet are typed by hand, and an option is written with hyphens."""
    said = [(f"{name}.{key}", text) for name in load(lang) if name != "sheet" for key, text in flat(load(lang)[name])]
    assert [key for key, text in said if re.search(r"[^\W\d_]'[^\W\d_]", str(text))] == []
    if lang == "ru":
        assert [key for key, text in said if re.search(r"(?<!или) - ", str(text))] == []
