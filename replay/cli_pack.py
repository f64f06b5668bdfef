"""`razbor pack` and `razbor unpack`: recordings to the archive form, and back to canonical lines byte for byte."""

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO

from recorder import archive, intake
from replay import desk
from replay.cli_sources import Source, made_anew, sources, unreadable
from replay.cli_verify import REFUSED, refusal_told
from replay.cli_words import MistypedError, put
from schemas.events import Recording

Writer = Callable[[Iterable[Recording], IO[bytes]], None]


def pack(files: Sequence[str], output: str | None, lang: str, *, table: bool) -> int:
    """Writes every recording of the files as an archive, a Parquet one where a `table` is asked for; nothing where one
    of them cannot be read: 3.
    """
    return _convert(files, output, lang, _as_table if table else _as_archive)


def unpack(files: Sequence[str], output: str | None, lang: str) -> int:
    """Writes every recording of the files as its canonical lines; nothing where one of them cannot be read: 3."""
    return _convert(files, output, lang, _as_lines)


def _as_table(recordings: Iterable[Recording], file: IO[bytes]) -> None:
    from recorder import parquet

    parquet.write(recordings, file)


def _as_archive(recordings: Iterable[Recording], file: IO[bytes]) -> None:
    for recording in recordings:
        file.writelines(archive.packed(recording))


def _as_lines(recordings: Iterable[Recording], file: IO[bytes]) -> None:
    for recording in recordings:
        file.writelines(line + b"\n" for line in recording.lines)


def _convert(files: Sequence[str], output: str | None, lang: str, write: Writer) -> int:
    """What is written waits on disk until the last recording was read."""
    refused: list[str] = []
    with tempfile.TemporaryFile() as waiting:
        write(_read(sources(files), lang, refused), waiting)
        if refused:
            return REFUSED
        waiting.seek(0)
        if output in (None, "-"):
            sys.stdout.flush()
            shutil.copyfileobj(waiting, sys.stdout.buffer)
            return 0
        try:
            with made_anew(str(output)) as file:
                shutil.copyfileobj(waiting, file)
        except OSError as error:
            raise MistypedError("unwritable", name=output, reason=error.strerror) from error
    return 0


def _read(found: Sequence[Source], lang: str, refused: list[str]) -> Iterator[Recording]:
    """Every recording that can be read; why another cannot is told beside, and its file remembered."""
    for source in found:
        with source.open() as stream:
            try:
                for each in intake.read_bundle(stream):
                    if isinstance(each, Recording):
                        yield each
                        continue
                    refused.append(source.name)
                    put("\n".join(refusal_told(source.name, desk.refusal(each, lang), lang)), error=True)
            except OSError as error:
                raise unreadable(source.name, error) from error
