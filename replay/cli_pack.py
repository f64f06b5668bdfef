"""`razbor pack` and `razbor unpack`: recordings to the archive form, and back to canonical lines byte for byte."""

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import IO

from recorder import archive, intake
from replay import desk
from replay.cli_verify import REFUSED, Source, refusal_told, sources, unreadable
from replay.cli_words import MistypedError, put
from schemas.events import Recording
from schemas.problems import Refusal

Spelled = Callable[[Recording], Iterable[bytes]]


def pack(files: Sequence[str], output: str | None, lang: str) -> int:
    """Writes every recording of the files as an archive; nothing where one of them cannot be read: 3."""
    return _convert(files, output, lang, archive.packed)


def unpack(files: Sequence[str], output: str | None, lang: str) -> int:
    """Writes every recording of the files as its canonical lines; nothing where one of them cannot be read: 3."""
    return _convert(files, output, lang, lambda recording: (line + b"\n" for line in recording.lines))


def _convert(files: Sequence[str], output: str | None, lang: str, spelled: Spelled) -> int:
    """No more than one recording is held; what is written waits on disk until the last one was read."""
    with tempfile.TemporaryFile() as waiting:
        sound = [_read(source, waiting, lang, spelled) for source in sources(files)]  # every one is read and told
        if not all(sound):
            return REFUSED
        waiting.seek(0)
        if output in (None, "-"):
            sys.stdout.flush()
            shutil.copyfileobj(waiting, sys.stdout.buffer)
            return 0
        try:
            with Path(str(output)).open("wb") as file:
                shutil.copyfileobj(waiting, file)
        except OSError as error:
            raise MistypedError("unwritable", name=output, reason=error.strerror) from error
    return 0


def _read(source: Source, waiting: IO[bytes], lang: str, spelled: Spelled) -> bool:
    """Whether all recordings of a file could be read; why not is told beside."""
    sound = True
    with source.open() as stream:
        try:
            for found in intake.read_bundle(stream):
                if isinstance(found, Refusal):
                    put("\n".join(refusal_told(source.name, desk.refusal(found, lang), lang)), error=True)
                    sound = False
                else:
                    waiting.writelines(spelled(found))
        except OSError as error:
            raise unreadable(source.name, error) from error
    return sound
