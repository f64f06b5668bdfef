"""data/words/TOPIC.LANGUAGE.toml -> the sentences of a language; code carries codes and numbers only."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from recorder.places_on_disk import WORDS
from schemas.problems import Problem

LANGUAGES: Final = ("en", "ru", "fr")
_HELD: Final = {"ru": re.compile(" (?=— )"), "fr": re.compile(" (?=[;:!?»])|(?<=«) | (?=— )")}
"""By language: the spaces at which no line may break, those before a sign that no line may begin with."""
_TABLE: Final = re.compile(r"^\[([a-z_0-9-]+)", re.MULTILINE)


@cache
def load(language: str) -> Mapping[str, Any]:
    """All sentences of a language, by topic (the file's name) and then as the file nests them.

    `KeyError` for a language there is not: choose from `LANGUAGES` first.
    """
    if language not in LANGUAGES:
        raise KeyError(language)
    files = sorted(WORDS.glob(f"*.{language}.toml"))
    return MappingProxyType({name: topic(name, language) for name in (path.name.split(".")[0] for path in files)})


@cache
def topic(name: str, language: str) -> Mapping[str, Any]:
    """The sentences of one topic alone, for those who need no more; what must stay on one line holds together."""
    return _Tables(_held((WORDS / f"{name}.{language}.toml").read_text(encoding="utf-8"), language))


class _Tables(Mapping[str, Any]):
    """A file of TOML of which a table is read when it is first asked for: a verdict needs a quarter of the words.

    A line that begins with a bracket begins a table, and belongs to no longer string.
    """

    def __init__(self, text: str) -> None:
        first, *rest = _TABLE.split(text)
        self._read: dict[str, Any] = tomllib.loads(first)
        self._text: dict[str, str] = {}
        for name, table in zip(rest[::2], rest[1::2], strict=True):
            self._text[name] = f"{self._text.get(name, '')}[{name}{table}"

    def __getitem__(self, name: str) -> Any:
        if name not in self._read:
            self._read[name] = tomllib.loads(self._text[name])[name]
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter([*(name for name in self._read if name not in self._text), *self._text])

    def __len__(self) -> int:
        return len({*self._read, *self._text})


def _held(text: str, language: str) -> str:
    """The text with its no-break spaces; a line set in by four is an example to be copied, and stays as it is."""
    spaces = _HELD.get(language)
    if spaces is None:
        return text
    return "\n".join(one if one.startswith("    ") else spaces.sub("\u00a0", one) for one in text.split("\n"))


def sentence_of(problem: Problem, language: str) -> str:
    """The sentence for a problem's code with its holes: that of its own kind of file where it has one, else that for
    what is not there where there is one."""
    own = topic(problem.words, language)["problem"] if problem.words else {}
    usual = topic("problems", language)
    absent = usual["missing"] if problem.args.get("value") == "null" else {}
    return str(own.get(problem.code) or absent.get(problem.code) or usual[problem.code])


def tell(problem: Problem, language: str) -> str:
    """The sentence for a problem of a refusal: what is wrong, and what would be right."""
    sentence = sentence_of(problem, language)
    return sentence.format_map({**problem.args, "field": problem.field})
