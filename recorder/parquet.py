"""The archive form as a Parquet table, a row a hand (the extra `parquet`): for who asks a month of games questions."""

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from typing import IO, Any, BinaryIO, Final

from recorder import archive
from recorder.wrappers import DamagedError, MissingExtraError
from schemas.archive import FORMAT
from schemas.events import HandBegan, HandEnded, Recording
from schemas.problems import Code

try:
    import pyarrow
    from pyarrow import parquet
except ImportError as missing:
    raise MissingExtraError("parquet") from missing

Row = dict[str, Any]
GROUP: Final = 2048
"""A row group has so many rows and the rest of the recording they end in; of a recording longer than that, four times
as many."""
_READ: Final = ["digest", "hash", "line"]
COLUMNS: Final = pyarrow.schema(
    [
        ("digest", pyarrow.string()), ("game", pyarrow.string()), ("rules", pyarrow.string()),
        ("hand", pyarrow.int64()), ("dealer", pyarrow.int64()), ("reason", pyarrow.string()),
        ("first", pyarrow.int64()), ("events", pyarrow.int64()), ("hash", pyarrow.string()), ("line", pyarrow.string()),
    ],
    metadata={"form": FORMAT},
)  # fmt: skip
"""A row: the recording's digest, game and preset; the hand's number (0: what stands before the first), its dealer and
recorded reason; the number of its first event and how many there are; hash and events as in a line of the archive."""


def write(recordings: Iterable[Recording], file: IO[bytes]) -> None:
    """Writes recordings as a table; no more of them are held than a row group."""
    with parquet.ParquetWriter(file, COLUMNS, compression="zstd") as writer:
        held: list[Row] = []
        for recording in recordings:
            for row in rows(recording):
                held.append(row)
                if len(held) >= 4 * GROUP:
                    held = _written(writer, held)
            if len(held) >= GROUP:
                held = _written(writer, held)
        _written(writer, held)


def _written(writer: Any, held: list[Row]) -> list[Row]:
    if held:
        writer.write_table(pyarrow.Table.from_pylist(held, schema=COLUMNS))
    return []


def rows(recording: Recording) -> Iterator[Row]:
    """The rows of a recording, by column."""
    hand, dealer = 0, None
    began = recording.began
    for each in archive.hands(recording):
        first = each.events[0]
        hand, dealer = (first.hand, first.dealer) if isinstance(first, HandBegan) else (hand, dealer)
        yield {
            "digest": recording.digest, "game": began.game, "rules": began.rules.preset, "hand": hand, "dealer": dealer,
            "reason": next((event.reason for event in each.events if isinstance(event, HandEnded)), None),
            "first": first.seq, "events": len(each.events), "hash": each.hash, "line": each.spelled.decode(),
        }  # fmt: skip


def text(head: bytes, stream: BinaryIO) -> Iterator[bytes]:
    """The archive text of a table, a row group at a time; `DamagedError`."""
    if stream.seekable():
        stream.seek(0)
        yield from _groups(stream)
        return
    with tempfile.TemporaryFile() as whole:  # a table is read from its end
        whole.write(head)
        shutil.copyfileobj(stream, whole)
        yield from _groups(whole)


def _groups(file: IO[bytes]) -> Iterator[bytes]:
    try:
        table = parquet.ParquetFile(file)
        before: Row | None = None
        for group in range(table.num_row_groups):
            found = table.read_row_group(group, columns=_READ, use_threads=False).to_pylist()
            yield b"".join(_lines(found, before))
            before = found[-1] if found else before
    except (pyarrow.ArrowException, OSError, TypeError, AttributeError, KeyError, UnicodeError):
        raise DamagedError(Code.BAD_ARCHIVE) from None


def _lines(found: list[Row], before: Row | None) -> Iterator[bytes]:
    """The lines of some rows after another; a recording ends where the hash is its digest."""
    for row in found:
        if before is None or before["hash"] == before["digest"] or row["digest"] != before["digest"]:
            yield archive.head(row["digest"])
        yield archive.line(row["hash"], row["line"].encode())
        before = row
