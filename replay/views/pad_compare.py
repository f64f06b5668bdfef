"""The page that lays two recordings of one evening side by side."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from replay.audit.compare import Comparison, Row, bare
from replay.views.pad_words import tell
from replay.views.parts import Frame, Link
from replay.views.wording import Part, Sentence, Wording, plain


@dataclass(frozen=True)
class CompareRow:
    """One event: `same`, `differ`, `first` or `second`, its word, and what each recording says."""

    answer: str
    word: str
    first_seq: str
    first: Sentence
    second_seq: str
    second: Sentence


@dataclass(frozen=True)
class ComparePage:
    """Two recordings, or the form that asks for them."""

    frame: Frame
    first: str
    second: str
    #: Counts in words; empty where nothing was compared.
    counts: tuple[str, ...]
    rows: tuple[CompareRow, ...]
    notice: str


def both_told(
    row: Row, names: Sequence[Mapping[int, str]], words: Sequence[Wording]
) -> tuple[Sentence, Sentence]:
    """What each recording says; where one sentence hides in what they differ, the fields that are not alike too."""
    events = (row.first, row.second)
    one, two = (tell(event, names[n], words[n]) if event else () for n, event in enumerate(events))
    if row.answer != "differ" or row.first is None or row.second is None or plain(one) != plain(two):
        return one, two
    ours, theirs = bare(row.first), bare(row.second)
    apart = [name for name in {**ours, **theirs} if ours.get(name) != theirs.get(name)]
    return (*one, *_fields(ours, apart)), (*two, *_fields(theirs, apart))


def _fields(said: Mapping[str, Any], names: Sequence[str]) -> Sentence:
    """Fields as they are written, such as ` · seats ["Anna","Boris"]`."""
    told = (f"{name} {json.dumps(said[name], ensure_ascii=False) if name in said else '–'}" for name in names)
    return tuple(Part(f" · {each}") for each in told)


def _row(row: Row, word: str, names: Sequence[Mapping[int, str]], words: Sequence[Wording]) -> CompareRow:
    first, second = both_told(row, names, words)
    numbers = (str(event["seq"]) if event else "" for event in (row.first, row.second))
    return CompareRow(row.answer, word, next(numbers), first, next(numbers), second)


def compare_page(
    first: str,
    second: str,
    found: Comparison | None,
    names: Sequence[Mapping[int, str]],
    words: Wording,
    langs: tuple[Link, ...],
    notice: str = "",
    digits: Sequence[int] = (0, 0),
) -> ComparePage:
    """The page; `names` and `digits` of sums are those of each recording: two scribes may have written otherwise."""
    one, two = (words.of(each) for each in digits)
    counts: tuple[str, ...] = ()
    if found is not None:
        counts = (
            words.say("pad.agree_count", count=found.agreements),
            words.say("pad.conflict_count", count=found.conflicts),
            words.say("pad.gap_count", count=found.gaps),
        )
    word = {
        "same": words.say("pad.same"),
        "differ": words.say("pad.conflict"),
        "first": words.say("pad.only_first"),
        "second": words.say("pad.only_second"),
    }
    rows = tuple(_row(row, word[row.answer], names, (one, two)) for row in (found.rows if found is not None else ()))
    title = words.say("pad.compare_heading")
    return ComparePage(Frame(words.lang, title, langs), first, second, counts, rows, notice)
