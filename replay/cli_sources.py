"""What commands read: files, those of a folder, standard input; and the files they write."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, NoReturn

from replay.cli_words import MistypedError

STDIN: Final = "-"
ENDINGS: Final = (".jsonl", ".jsonl.gz", ".jsonl.zst")
"""How the names of recordings in a folder end."""
SQLITE: Final = b"SQLite format 3\x00"
"""How every SQLite file begins."""


@dataclass(frozen=True)
class Source:
    """A file that was named, or standard input."""

    name: str

    def open(self) -> AbstractContextManager[BinaryIO]:
        """Its bytes; `MistypedError` where they cannot be read."""
        if self.name == STDIN:
            return nullcontext(sys.stdin.buffer)
        try:
            return Path(self.name).open("rb")
        except OSError as error:
            raise unreadable(self.name, error) from error

    def read(self) -> bytes:
        """All its bytes; `MistypedError` where they cannot be read."""
        with self.open() as stream:
            try:
                return stream.read()
            except OSError as error:
                raise unreadable(self.name, error) from error


def unreadable(name: str, error: OSError) -> MistypedError:
    """The sentence for a file that is not there or cannot be read."""
    if isinstance(error, FileNotFoundError):
        return MistypedError("no_file", name=name)
    return MistypedError("unreadable", name=name, reason=error.strerror or type(error).__name__)


def sources(names: Iterable[str]) -> list[Source]:
    """The files named, and those in the folders named, in that order; of a folder, its recordings by name."""
    names, found = once(names), list[Source]()
    for name in names:
        if not name:
            raise MistypedError("no_file", name=repr(name))
        if name != STDIN and Path(name).is_dir():
            inside = sorted(_inside(name))
            if not inside:
                raise MistypedError("empty_folder", name=name)
            found += [Source(str(path)) for path in inside]
        elif name == STDIN or os.access(name, os.R_OK):
            found.append(Source(name))
        else:
            with Source(name).open():
                found.append(Source(name))
    return found


def once(names: Iterable[str]) -> Sequence[str]:
    """The same names; `MistypedError` where standard input is among them twice: the second time it is empty."""
    told = tuple(names)
    if told.count(STDIN) > 1:
        raise MistypedError("stdin_once")
    return told


def _inside(folder: str) -> Iterator[Path]:
    """The recordings in a folder and those in it: files, and links that lead nowhere; no pipe that nobody fills."""

    def amiss(error: OSError) -> NoReturn:
        raise unreadable(str(error.filename), error)

    for place, _, names in os.walk(folder, onerror=amiss):
        paths = (Path(place, name) for name in names if name.endswith(ENDINGS))
        yield from (path for path in paths if path.is_file() or not path.exists())


def made_anew(name: str) -> BinaryIO:
    """A file to be written from its beginning; `MistypedError` where it cannot be, or where `spared` raises it."""
    spared(name)
    try:
        return Path(name).open("wb")
    except OSError as error:
        raise MistypedError("unwritable", name=name, reason=error.strerror) from error


def spared(name: str) -> None:
    """`MistypedError` where a database lies there: no answer is written over a journal."""
    path = Path(name)
    try:
        if path.is_file() and _begins_with(path, SQLITE):
            raise MistypedError("is_database", name=name)
    except OSError as error:
        raise MistypedError("unwritable", name=name, reason=error.strerror) from error


def apart(output: str | None, inputs: Iterable[str]) -> None:
    """`MistypedError` where what is to be written is one of the files that are read: it would be gone."""
    if not output or output == STDIN or not Path(output).is_file():
        return
    if any(name != STDIN and Path(name).exists() and Path(name).samefile(output) for name in inputs):
        raise MistypedError("is_input", name=output)


def _begins_with(path: Path, head: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(head)) == head
