"""What can be wrong with bytes that were meant to be a recording: codes that never change, and where each stands."""

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import msgspec

MOST_PROBLEMS: Final = 100
"""So many problems of one file are told (`report.md` 1)."""


class Code(StrEnum):
    """The problem codes of a refusal (`record.md` 1)."""

    NOT_UTF8 = "not-utf8"
    NOT_JSON = "not-json"
    NOT_AN_OBJECT = "not-an-object"
    DUPLICATE_KEY = "duplicate-key"
    NOT_AN_INTEGER = "not-an-integer"
    OUT_OF_RANGE = "out-of-range"
    BAD_TEXT = "bad-text"
    BAD_CARD = "bad-card"
    LOOK_ALIKE_LETTER = "look-alike-letter"
    UNKNOWN_FIELD = "unknown-field"
    MISSING_FIELD = "missing-field"
    BAD_VALUE = "bad-value"
    UNKNOWN_TYPE = "unknown-type"
    WRONG_GAME = "wrong-game"
    SEQ_GAP = "seq-gap"
    DUPLICATE_ID = "duplicate-id"
    BAD_REFERENCE = "bad-reference"
    BLANK_LINE = "blank-line"
    LINE_TOO_LONG = "line-too-long"
    TOO_DEEP = "too-deep"
    TOO_LARGE = "too-large"
    TOO_MANY_EVENTS = "too-many-events"
    BAD_GZIP = "bad-gzip"
    BAD_ZSTD = "bad-zstd"
    BAD_ARCHIVE = "bad-archive"
    BAD_HASH = "bad-hash"
    UNKNOWN_VERSION = "unknown-version"
    UNKNOWN_RULES = "unknown-rules"
    NOT_A_RECORDING = "not-a-recording"


@dataclass(frozen=True, slots=True)
class Flaw:
    """One thing wrong with one event: the field's path with dots (empty: the line itself), and numbers and letters
    for the sentence in `data/words/problems.LANGUAGE.toml`."""

    code: Code
    field: str = ""
    args: dict[str, Any] = dataclasses.field(default_factory=dict, hash=False)

    def under(self, path: str) -> "Flaw":
        """The same flaw, of a value that stands inside the field `path`."""
        return Flaw(self.code, f"{path}.{self.field}" if self.field else path, self.args)


@dataclass(frozen=True, slots=True)
class Problem:
    """A flaw and the line of the file it stands in, counted from 1.

    On a score sheet or in a table of plays it has a column, too, counted from 1 (else 0). `words` is the topic of
    `data/words` whose `[problem]` sentences go before those of any file.
    """

    line: int
    field: str
    code: Code
    args: dict[str, Any] = dataclasses.field(default_factory=dict, hash=False)
    column: int = 0
    words: str = ""


class Refusal(msgspec.Struct, frozen=True):
    """Bytes that cannot be read as a recording: every problem of the file, up to 100, by line (`report.md` 1)."""

    problems: tuple[Problem, ...]


def refuse(problems: Iterable[Problem]) -> Refusal:
    """The refusal for these problems: by line, each told once, no more than a hundred."""
    told: dict[tuple[int, int, str, Code], Problem] = {}
    for problem in problems:
        told.setdefault((problem.line, problem.column, problem.field, problem.code), problem)
    return Refusal(tuple(sorted(told.values(), key=lambda problem: (problem.line, problem.column))[:MOST_PROBLEMS]))
