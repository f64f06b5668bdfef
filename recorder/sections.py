"""A file cut into its recordings: each is the text from one beginning to just before the next one's (`record.md` 1)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

from recorder.decode import Limits, UnreadableError, chunks, parse, texts
from schemas.problems import Code, Flaw, Problem

_BEGAN: Final = b"recording_began"
_ESCAPED: Final = b"\\u"


@dataclass(slots=True)
class Section:
    """The lines of one recording in a file, each ended by LF.

    `first` is the number of its first line, `next` that of the next beginning; `trouble` is why the file breaks off.
    """

    first: int
    text: bytes
    next: int | None = None
    trouble: Problem | None = None

    @property
    def lines(self) -> list[bytes]:
        """Its lines without their ends."""
        return self.text.split(b"\n")[:-1]


def sections(stream: BinaryIO, limits: Limits) -> Iterator[Section]:
    """Each recording of a file in turn, the file read piece by piece; a file with no line is one empty section."""
    section, number, held = Section(1, b""), 0, list[bytes]()
    try:
        for text in _limited(texts(chunks(stream, limits)), limits):
            taken = 0
            for start in _beginnings(text):
                number += text.count(b"\n", taken, start)
                held.append(text[taken:start])
                taken = start
                if number:
                    section.text, section.next = b"".join(held), number + 1
                    yield section
                    section, held = Section(number + 1, b""), []
            held.append(text[taken:] if taken else text)
            number += text.count(b"\n", taken)
    except UnreadableError as error:
        section.trouble = Problem(error.line, error.flaw.field, error.flaw.code, error.flaw.args)
    section.text = b"".join(held)
    yield section


def _limited(batches: Iterator[bytes], limits: Limits) -> Iterator[bytes]:
    """The same lines, and no more of them than a file may have."""
    left = limits.events
    for text in batches:
        count = text.count(b"\n")
        if count > left:
            yield b"".join(line + b"\n" for line in text.split(b"\n", left)[:left])
            raise UnreadableError(Flaw(Code.TOO_MANY_EVENTS, args={"limit": limits.events}), limits.events + 1)
        left -= count
        yield text


def _beginnings(text: bytes) -> Iterator[int]:
    """The places in a text where a line starts that is a recording's beginning."""
    at = 0
    while (mark := _next_mark(text, at)) >= 0:
        start, at = text.rfind(b"\n", 0, mark) + 1, text.index(b"\n", mark)
        raw = parse(text[start:at]).raw
        if raw is not None and raw.get("type") == "recording_began":
            yield start


def _next_mark(text: bytes, at: int) -> int:
    began = text.find(_BEGAN, at)
    if b"\\" not in text:
        return began
    escaped = text.find(_ESCAPED, at, began if began >= 0 else len(text))
    return escaped if escaped >= 0 else began
