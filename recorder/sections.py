"""A file cut into its recordings: each is the text from one beginning to just before the next one's (`record.md` 1)."""

import io
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import BinaryIO, Final

import msgspec

from recorder.decode import ARCHIVED, Limits, UnreadableError, chunks, parse, sound, texts
from recorder.wrappers import PARQUET, PIECE
from schemas.events import Event
from schemas.problems import Code, Flaw, Problem

_BEGAN: Final = b"recording_began"
_ESCAPED: Final = b"\\u"
_ENOUGH: Final = (1 << 20, 1 << 23)
"""After so many bytes of a recording it is asked whether it is one at all: short lines show it soon, long ones late."""


class Section(msgspec.Struct):
    """The lines of one recording in a file, each ended by LF.

    `first` is the number of its first line, `next` that of the next beginning; `trouble` is why the file breaks off.
    Only what stands before the first beginning of a file does not begin itself.
    """

    first: int
    text: bytes
    next: int | None = None
    trouble: Problem | None = None
    begins: bool = True

    @property
    def lines(self) -> Iterator[bytes]:
        """Its lines without their ends."""
        return lines_of(self.text)


def lines_of(text: bytes) -> Iterator[bytes]:
    """Whole lines one by one, without their ends; they end at LF and nowhere else."""
    return (line[:-1] for line in io.BytesIO(text))


class Piece(msgspec.Struct, frozen=True):
    """Some whole lines of a file, no more than one recording's; `first` is the number of the first of them."""

    text: bytes
    first: int
    begins: bool
    events: list[Event] | None = None
    """Its events, where they were read already and the text was made from them."""
    bare: bool = False
    """No event has a time, a note, a source, a key or a private field."""
    digest: str = ""
    """The SHA-256 in hex of the recording's canonical lines so far, where it was reckoned already."""
    trouble: Problem | None = None
    """Why the rest of the recording is not read."""


def pieces(stream: BinaryIO, limits: Limits) -> Iterator[Piece]:
    """The lines of a file piece by piece; a recording's beginning begins a piece."""
    archived, batches = opened(stream, limits)
    yield from archived_pieces(batches, limits) if archived else plain_pieces(batches, limits)


def opened(stream: BinaryIO, limits: Limits) -> tuple[bool, Iterator[bytes]]:
    """Whether a file is an archive, and its text in batches of whole lines."""
    begun = stream.read(PIECE)
    if limits.tables and begun.startswith(PARQUET):
        from recorder import parquet  # noqa: PLC0415 - an extra

        return True, texts(sound(parquet.text(begun, stream)))
    batches = chunks(stream, limits, begun)
    head = next(batches, b"")
    return head.startswith(ARCHIVED), texts(chain([head], batches) if head else batches)


def archived_pieces(batches: Iterator[bytes], limits: Limits, first: int = 1) -> Iterator[Piece]:
    """What the lines of an archive unpack to, the first line of it numbered as given."""
    from recorder import archive  # noqa: PLC0415 - most files are none, and verify starts quickly

    for found in archive.pieces(batches, limits, first):
        text, events, flaw = b"".join(found.texts), found.events or None, found.flaw
        trouble = Problem(found.first, flaw.field, flaw.code, flaw.args) if flaw else None
        yield Piece(text, found.first, found.begins, events, found.plain, found.digest, trouble)


def plain_pieces(batches: Iterator[bytes], limits: Limits, first: int = 1) -> Iterator[Piece]:
    """The lines of JSON Lines, the first one numbered as given."""
    number = first - 1
    for text in _limited(batches, limits):
        taken, begins = 0, False
        for start in _beginnings(text):
            if start > taken:
                yield Piece(text[taken:start], number + 1, begins)
                number += text.count(b"\n", taken, start)
            taken, begins = start, True
        yield Piece(text[taken:] if taken else text, number + 1, begins)
        number += text.count(b"\n", taken)


class Held:
    """The text of a recording as it comes in; what follows a beginning that is refused anyway is thrown away."""

    def __init__(self, is_refused: Callable[[bytes], bool], begun: Iterable[bytes] = ()) -> None:
        self._is_refused = is_refused
        self._texts: list[bytes] = []
        self._size = 0
        self._asked = list(_ENOUGH)
        self._full = False
        for text in begun:
            self.add(text)

    def add(self, text: bytes) -> None:
        """The next whole lines of it."""
        if self._full:
            return
        self._texts.append(text)
        self._size += len(text)
        if self._asked and self._size > self._asked[0]:
            self._full = self._is_refused(self.text)
            del self._asked[0]

    @property
    def text(self) -> bytes:
        """What is held."""
        return b"".join(self._texts)


def sections(stream: BinaryIO, limits: Limits, is_refused: Callable[[bytes], bool]) -> Iterator[Section]:
    """Each recording of a file in turn, the file read piece by piece; a file with no line is one empty section.

    Of one of which `is_refused` says so by its beginning, the rest is left out.
    """
    section, held = Section(1, b""), Held(is_refused)
    started = False
    try:
        for piece in pieces(stream, limits):
            if piece.begins and (started or section.trouble):
                section.text, section.next = held.text, piece.first
                yield section
                section, held, started = Section(piece.first, b""), Held(is_refused), False
            section.begins = piece.begins or (section.begins and started)
            held.add(piece.text)
            started = True
            section.trouble = piece.trouble
    except UnreadableError as error:
        section.trouble = trouble_of(error)
    section.text = held.text
    yield section


def trouble_of(error: UnreadableError) -> Problem:
    """Why a file breaks off, as a problem of it."""
    return Problem(error.line, error.flaw.field, error.flaw.code, error.flaw.args)


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
