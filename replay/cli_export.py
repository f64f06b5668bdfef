"""`razbor export --all`: every recording of the journal, the oldest first, into one bundle or a file each."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from recorder.address import Place
from recorder.chain import LogError
from recorder.journal import Entry, Journal
from replay import desk
from replay.cli_journal import BROKEN, opened, told_broken, write
from replay.cli_sources import made_anew
from replay.cli_verify import check_view
from replay.cli_words import MistypedError, put, say
from schemas.events import Recording

Give = Callable[[str, bytes], None]
"""Takes a recording's file name and bytes."""


def export_all(place: Place, view: str, output: str | None, lang: str) -> int:
    """Writes every recording: a file each where `output` is a folder or ends in `/`, else one after another.

    One that breaks off cannot stand in a bundle; it, one whose chain is broken and one without the seat of the view are
    told, and the exit code is 1.
    """
    folder = is_folder(output)
    written = left = 0
    with opened(place, new=False) as journal, _folder(str(output)) if folder else _bundle(output) as give:
        for entry in _oldest_first(journal):
            recording = _loaded(journal, entry, lang)
            if recording is None or not (folder or recording.complete):
                left += 1
                if recording is not None:
                    put(say("export.breaks_off", lang, key=entry.key), error=True)
                continue
            try:
                check_view(view, desk.names_of(recording))
            except MistypedError:
                left += 1
                put(say("export.no_seat", lang, key=entry.key, view=view), error=True)
                continue
            give(f"{entry.key}.{entry.game}.jsonl", desk.seen_as(recording, view))
            written += 1
    put(say("export.written", lang, count=written, left=left), error=True)
    return BROKEN if left else 0


def is_folder(output: str | None) -> bool:
    """Whether what is written goes into a file each: `output` is a folder or ends in `/`."""
    return output is not None and (output.endswith(os.sep) or Path(output).is_dir())


@contextmanager
def into(output: str | None) -> Iterator[Give]:
    """Takes recordings one by one, for a folder or one after another; without any, nothing is made."""
    with ExitStack() as stack:
        givers: list[Give] = []

        def give(name: str, data: bytes) -> None:
            if not givers:
                givers.append(stack.enter_context(_folder(str(output)) if is_folder(output) else _bundle(output)))
            givers[0](name, data)

        yield give


def _oldest_first(journal: Journal) -> Iterator[Entry]:
    page = journal.list(oldest_first=True)
    yield from page.entries
    while page.cursor is not None:
        page = journal.list(page.cursor, oldest_first=True)
        yield from page.entries


def _loaded(journal: Journal, entry: Entry, lang: str) -> Recording | None:
    """A recording from the journal; None, and said why, where it is not what was stored."""
    try:
        return journal.load(entry.key).recording
    except LogError as error:
        put(told_broken(error, lang), error=True)
        return None


@contextmanager
def _folder(output: str) -> Iterator[Give]:
    with _writing(output):
        Path(output).mkdir(parents=True, exist_ok=True)
    yield lambda name, data: write(data, str(Path(output) / name))


@contextmanager
def _bundle(output: str | None) -> Iterator[Give]:
    if output in (None, "-"):
        yield lambda _, data: write(data, None)
        return
    file = made_anew(str(output))

    def give(_: str, data: bytes) -> None:
        with _writing(output):
            file.write(data)

    try:
        yield give
    finally:
        with _writing(output):
            file.close()


@contextmanager
def _writing(output: str | None) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise MistypedError("unwritable", name=output, reason=error.strerror) from error
