"""A file's recordings read piece by piece, for whoever can judge them so; what was read can still be had as a whole."""

import hashlib
import io
from collections.abc import Iterator
from typing import IO, BinaryIO, Final

from recorder.course import Course
from recorder.decode import BULK, Limits, UnreadableError
from recorder.intake import Reader, is_refused, read_section
from recorder.quick import Quick
from recorder.sections import Held, Piece, Section, archived_pieces, pieces, plain_pieces, trouble_of
from recorder.shares import Share
from recorder.wrappers import PIECE
from schemas.events import Event, Recording
from schemas.problems import Problem, Refusal

_IN_MEMORY: Final = 1 << 18
"""So many bytes of a recording that was read so far are held in memory; more of them wait on disk."""


def flows(stream: BinaryIO | Share, limits: Limits = BULK) -> Iterator["Flow"]:
    """Each recording of a file, or of a share of one, in turn; one that is not asked for is passed over."""
    if isinstance(stream, Share):
        with open(stream.path, "rb") if stream.path else io.BytesIO(stream.text) as file:  # noqa: PTH123 - a spilled text
            yield from _flows(_Source(_pieces_of(stream, file, limits), stream.first, stream.trouble))
    else:
        yield from _flows(_Source(pieces(stream, limits)))


def _flows(source: "_Source") -> Iterator["Flow"]:
    while True:
        flow = Flow(source)
        yield flow
        flow.skip()
        if source.next is None or not (source.next.text or source.next.trouble):
            return


def _pieces_of(share: Share, file: IO[bytes], limits: Limits) -> Iterator[Piece]:
    """The pieces of a share, and, where another recording follows it in its file, an empty one that says so."""
    read = archived_pieces if share.archived else plain_pieces
    yield from read(_whole_lines(file), limits, share.first)
    if share.next is not None:
        yield Piece(b"", share.next, begins=True)


def _whole_lines(file: IO[bytes]) -> Iterator[bytes]:
    """The text of a file that consists of whole lines, in batches of such."""
    rest = b""
    while text := file.read(PIECE):
        end = text.rfind(b"\n") + 1
        if end:
            yield rest + text[:end]
            rest = text[end:]
        else:
            rest += text


class _Source:
    """The pieces of a file, and the one that comes next."""

    def __init__(self, given: Iterator[Piece], first: int = 1, trouble: Problem | None = None) -> None:
        self._pieces = given
        self.next: Piece | None = None
        self.first, self.trouble = first, trouble
        self.advance()

    def advance(self) -> None:
        try:
            self.next = next(self._pieces, None)
        except UnreadableError as error:
            self.next, self.trouble = None, trouble_of(error)


class _Quick(Quick):
    """The quick road, and a shorter one for events that were read already."""

    def take_piece(self, piece: Piece) -> tuple[list[Event], bytes] | None:
        """The events of the next lines and their canonical text; None if anything is amiss."""
        if piece.events is None:
            return self.take(piece.text)
        self.count += len(piece.events)
        bare = b"" if piece.bare else piece.text  # short events have nothing that would have to be looked for
        sound = self._in_course(piece.events, bare, {}, spaced=False)
        return (piece.events, piece.text) if sound else None


class Flow:
    """One recording of a file as it comes in.

    `batches` gives its events on the quick road; `sound` says afterwards that it led to the end, and then `digest`,
    `count` and `complete` are those of the recording. `read` gives the recording, or its problems, in any case.
    """

    def __init__(self, source: _Source) -> None:
        reader = Reader(Course())
        self.sound = False
        self._source = source
        self._first = source.next.first if source.next else source.first
        self._begins = source.next is None or source.next.begins
        self._started = False
        self._trouble: Problem | None = None
        self._quick = _Quick(reader.course, reader.judge)
        self._hash = hashlib.sha256()
        self._told = ""
        self._begun: list[bytes] = []
        self._size = 0
        self._more: IO[bytes] | None = None
        self._only: tuple[list[Event], bytes] | None = None

    @property
    def digest(self) -> str:
        """The SHA-256 in hex of its canonical lines."""
        return self._told or self._hash.hexdigest()

    @property
    def count(self) -> int:
        """The number of its events."""
        return self._quick.count

    @property
    def complete(self) -> bool:
        """Whether its end stands in it."""
        return self._quick.course.ended

    def batches(self) -> Iterator[list[Event]]:
        """Its events, some at a time, as long as every line goes the quick road and no face is unseen."""
        for piece in self._pieces():
            self._keep(piece.text)
            found = None if b"?" in piece.text else self._quick.take_piece(piece)
            if found is None:
                return
            self._only = found if self._size == len(piece.text) else None
            self._told = piece.digest
            if not self._told:
                self._hash.update(found[1])
            yield found[0]
        course = self._quick.course
        ends = course.ended if self._source.next else self._source.trouble is None
        self.sound = self._started and ends and not course.close()

    def read(self) -> Recording | Refusal:
        """The whole recording, or every problem of it."""
        if self.sound and self._only:
            events, canonical = self._only
            return Recording(tuple(events), tuple(canonical.split(b"\n")[:-1]), self.digest, self.complete)
        held = Held(is_refused, self._kept())
        for piece in self._pieces():
            held.add(piece.text)
        following = self._source.next
        trouble = self._trouble or (None if following else self._source.trouble)
        next_first = following.first if following else None
        return read_section(Section(self._first, held.text, next_first, trouble, self._begins))

    def skip(self) -> None:
        """Nobody asks for the rest of it."""
        for _ in self._pieces():
            pass
        if self._more is not None:
            self._more.close()

    def _pieces(self) -> Iterator[Piece]:
        while (piece := self._source.next) is not None and not (piece.begins and self._started):
            self._started = True
            self._trouble = piece.trouble
            self._source.advance()
            yield piece

    def _keep(self, text: bytes) -> None:
        self._size += len(text)
        if self._size <= _IN_MEMORY:
            self._begun.append(text)
            return
        if self._more is None:
            from tempfile import TemporaryFile  # noqa: PLC0415 - few recordings are as long

            self._more = TemporaryFile()  # noqa: SIM115 - closed when the next recording is asked for
        self._more.write(text)

    def _kept(self) -> list[bytes]:
        """What was read so far, in its order."""
        if self._more is None:
            return self._begun
        self._more.seek(0)
        return [*self._begun, self._more.read()]
