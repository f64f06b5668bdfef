"""A file divided into shares of whole recordings, for many processes; the answers stay those of the file."""

import os
from collections.abc import Iterator
from typing import BinaryIO, Final

import msgspec

from recorder.decode import ARCHIVED, BULK, Limits, UnreadableError
from recorder.sections import Piece, lines_of, opened, plain_pieces, trouble_of
from schemas.problems import Problem

SIZE: Final = 1 << 18
"""So many bytes of text a share has, unless one recording has more."""
SPILLED: Final = 1 << 22
"""A recording of more bytes than this waits on disk, where a folder is given for it."""


class Share(msgspec.Struct, frozen=True):
    """Some recordings of a file, as whole lines of their form: `text`, or all that stands in the file at `path`.

    `first` is the number of its first line in the file, `next` that of the recording after it; `trouble` is why the
    file breaks off there. Of an archive, lines are those it unpacks to.
    """

    archived: bool
    first: int
    text: bytes = b""
    path: str = ""
    next: int | None = None
    trouble: Problem | None = None


def shares(stream: BinaryIO, limits: Limits = BULK, *, size: int = SIZE, folder: str = "") -> Iterator[Share]:
    """The shares of a file in order, at least one; the file is read piece by piece."""
    held = _Held(1, folder)
    archived = False
    try:
        archived, batches = opened(stream, limits)
        for piece in _archived_pieces(batches) if archived else plain_pieces(batches, limits):
            if piece.begins and held.size >= size:
                yield held.share(archived, piece.first)
                held = _Held(piece.first, folder)
            held.add(piece.text)
    except UnreadableError as error:
        yield held.share(archived, None, trouble_of(error))
        return
    yield held.share(archived, None)


class _Held:
    """What was read of the share that is to come."""

    def __init__(self, first: int, folder: str) -> None:
        self.size = 0
        self._first = first
        self._folder = folder
        self._texts: list[bytes] = []
        self._path = ""

    def add(self, text: bytes) -> None:
        self._texts.append(text)
        self.size += len(text)
        if self._folder and self.size > SPILLED:
            self._spill()

    def share(self, archived: bool, following: int | None, trouble: Problem | None = None) -> Share:
        if self._path:
            self._spill()
        return Share(archived, self._first, b"".join(self._texts), self._path, following, trouble)

    def _spill(self) -> None:
        if not self._path:
            import tempfile  # noqa: PLC0415 - a verdict on one game needs none of it, and starts quickly

            handle, self._path = tempfile.mkstemp(dir=self._folder)
            os.close(handle)
        with open(self._path, "ab") as file:  # noqa: PTH123 - a path of mkstemp
            file.writelines(self._texts)
        self._texts = []


def _archived_pieces(batches: Iterator[bytes]) -> Iterator[Piece]:
    """The lines of an archive, a recording's beginning at the beginning of a piece."""
    from recorder import archive  # noqa: PLC0415 - most files are none

    number = 1
    for text in batches:
        held, first, begins = list[bytes](), number, False
        for line in lines_of(text):
            if line.startswith(ARCHIVED):
                if held:
                    yield Piece(b"".join(held), first, begins)
                held, first, begins = [], number, True
            else:
                number += archive.events_in(line)
            held.append(line + b"\n")
        yield Piece(b"".join(held), first, begins)
