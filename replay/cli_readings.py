"""What differs between two readings of an amended recording, as lines of text."""

from collections.abc import Mapping, Sequence

from recorder.words import topic
from replay.audit.amend import Reading
from replay.audit.readings import Differs
from replay.cli_words import columns
from replay.views.readings import TOPICS, readings_box
from replay.views.wording import Wording


def readings_told(
    differs: Sequence[Differs],
    reading: Reading,
    amendments: Sequence[int],
    names: Mapping[int, str],
    lang: str,
    digits: int = 0,
) -> list[str]:
    """The lines: which events amend it, and a table of what differs; `names` by seat, `digits` of its sums."""
    words = Wording(lang, {name: topic(name, lang) for name in TOPICS}).of(digits)
    box = readings_box(differs, str(reading), amendments, words, lambda seat: f"{seat} {names.get(seat, '')}".rstrip())
    rows = [(row.label, row.first, row.second) for row in box.rows]
    return ["", box.lead, *(columns([("", *box.columns), *rows]) if rows else [])]
