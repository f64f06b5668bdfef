"""The page that lays two recordings of one evening side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from replay.audit.compare import Comparison
from replay.views.pad_words import tell
from replay.views.parts import Frame, Link
from replay.views.wording import Sentence, Wording


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
    rows = tuple(
        CompareRow(
            row.answer,
            word[row.answer],
            str(row.first["seq"]) if row.first else "",
            tell(row.first, names[0], one) if row.first else (),
            str(row.second["seq"]) if row.second else "",
            tell(row.second, names[1], two) if row.second else (),
        )
        for row in (found.rows if found is not None else ())
    )
    title = words.say("pad.compare_heading")
    return ComparePage(Frame(words.lang, title, langs), first, second, counts, rows, notice)
