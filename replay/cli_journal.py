"""`razbor add`, `list` and `export`: the journal from the command line."""

import errno
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from recorder import anchor, intake
from recorder.address import Place
from recorder.chain import Link, LogError, read_header
from recorder.database import store_of
from recorder.journal import Entry, ForeignSchemaError, Journal, UnknownRecordingError
from recorder.store import StoreError
from recorder.words import topic
from replay import desk
from replay.cli_sources import SQLITE, made_anew, sources
from replay.cli_verify import check_view, refused
from replay.cli_words import MistypedError, aligned, bare, line, put, say
from schemas.events import Happening
from schemas.problems import Refusal

BROKEN: Final = 1
HEADS: Final = ("key", "game", "rules", "events", "state", "added", "title")


@contextmanager
def opened(place: Place, *, new: bool) -> Iterator[Journal]:
    """The journal at a place; `MistypedError` where none is and none is to be made, or something else lies there."""
    if not new and not store_of(place).is_there():
        raise MistypedError("no_journal", name=place)
    try:
        if isinstance(place, Path):
            _writable(place)
        journal = Journal.open(place)
    except ForeignSchemaError as error:
        raise MistypedError("foreign_journal", name=place) from error
    except OSError as error:
        raise MistypedError("unwritable", name=place, reason=error.strerror) from error
    try:
        yield journal
    finally:
        journal.close()


def amiss(journal: Journal, lang: str) -> str:
    """What is amiss between a journal and its anchor: nothing is written, or the anchor was lost; or nothing is."""
    refusal = journal.refusal
    if refusal is None:
        return anchor_lost(journal.path, unanchored(journal), lang)
    told = topic("log", lang)["said"]["written"]
    return str(told.format(code=refusal.code, anchored=refusal.anchored, size=refusal.size))


def unanchored(journal: Journal) -> int:
    """How many events of a journal were signed of which its anchor knows nothing; else 0."""
    with store_of(journal.path).at_one_moment() as database:
        return anchor.lost(database, anchor.anchored_at(journal.path, journal.origin))


def anchor_lost(place: Place, signed: int, lang: str) -> str:
    """That so many events were signed and the anchor knows nothing of it; nothing where it does."""
    folder = bare(str(anchor.directory(place)))
    return str(topic("log", lang)["said"]["anchor_lost"]).format(signed=signed, folder=folder) if signed else ""


def _writable(path: Path) -> None:
    """Makes the journal's file where there is none; `OSError` where it, or what SQLite lays beside it, cannot be
    written, which SQLite itself would only say after it has waited half a minute for another writer.
    """
    if path.exists() and not _is_database(path):
        raise MistypedError("foreign_journal", name=path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.open("ab").close()
    if not os.access(path.parent, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _is_database(path: Path) -> bool:
    """Whether a file may be a journal: SQLite's own, or still empty."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(SQLITE)) in (b"", SQLITE)


def add(place: Place, files: Sequence[str], lang: str, as_json: bool) -> int:
    """Stores the recordings of each file, all of a file or none.

    The exit code is 3 where one was refused, and 1 where the journal is not what was signed last.
    """
    found, code = sources(files), 0
    with opened(place, new=True) as journal:
        if told := amiss(journal, lang):
            put(told, error=True)
        if journal.refusal is not None:
            return BROKEN
        for source in found:
            recordings = intake.read_all(source.read(), intake.BULK)
            if isinstance(recordings, Refusal):
                code = refused(source.name, recordings, lang, as_json)
                continue
            for recording in recordings:
                stored = journal.store(recording, by="cli")
                data = {"key": stored.key, "new": stored.new, "file": source.name, "continues": stored.continues}
                word = "add.new" if stored.new else "add.known"
                put(line(data) if as_json else say(word, lang, key=stored.key, name=bare(source.name)))
                if stored.continues and not as_json:
                    put(say("add.continues", lang, key=stored.key, of=stored.continues))
    return code


def entries(journal: Journal) -> Iterator[Entry]:
    """Every recording of a journal, the newest first."""
    page = journal.list()
    yield from page.entries
    while page.cursor is not None:
        page = journal.list(page.cursor)
        yield from page.entries


def keys(place: Place) -> list[str]:
    """The keys of a journal's recordings, none where there is no journal; for completion."""
    try:
        with opened(place, new=False) as journal:
            return [entry.key for entry in entries(journal)]
    except (MistypedError, StoreError):
        return []


def list_all(place: Place, lang: str, as_json: bool) -> None:
    """Prints the recordings of the journal, no more of them held than a page."""
    with opened(place, new=False) as journal:
        if as_json:
            for entry in entries(journal):
                put(line(entry_row(entry, journal.headline(entry))))
        elif not journal.list(limit=1).entries:
            put(say("list.empty", lang))
        else:
            for text in aligned(lambda: _rows(journal, lang)):
                put(text)


def _rows(journal: Journal, lang: str) -> Iterator[Sequence[str]]:
    yield tuple(say(f"list.{name}", lang) for name in HEADS)
    for entry in entries(journal):
        data = entry_row(entry, journal.headline(entry))
        yield *(str(data[name]) for name in HEADS[:4]), _state(entry, lang), data["added"], data["title"]


def entry_row(entry: Entry, title: str) -> dict[str, Any]:
    """One recording of the journal as plain data; `added` in UTC, `title` what it is called."""
    return {
        "key": entry.key, "id": entry.id, "digest": entry.digest, "game": entry.game, "rules": entry.preset,
        "events": entry.events, "ended": entry.ended, "arrived": entry.arrived, "added": entry.added,
        "title": title,
    }  # fmt: skip


def _state(entry: Entry, lang: str) -> str:
    if entry.ended:
        return say("list.closed", lang)
    return say("list.live" if entry.arrived == "live" else "list.breaks_off", lang)


def export(place: Place, key: str, view: str, output: str | None, lang: str, writers: str | None = None) -> int:
    """Writes one recording to a file or to standard output; the exit code is 1 where its chain is broken.

    Its lines are what they are, so who wrote each of them goes to a file beside it, `writers`, where asked for.
    """
    with opened(place, new=False) as journal:
        try:
            kept = journal.load(key)
            recording, erased = kept.recording, kept.entry.erased
            written = "".join(map(_writer_row, recording.events, journal.links(key)))
        except UnknownRecordingError as error:
            raise MistypedError("no_recording", name=key) from error
        except LogError as error:
            put(told_broken(error, lang), error=True)
            return BROKEN
    check_view(view, desk.names_of(recording))
    if erased:
        put(str(topic("log", lang)["said"]["erased"]), error=True)
    if writers:
        write(written.encode(), writers)
    write(desk.seen_as(recording, view), output)
    return 0


def _writer_row(event: Happening, link: tuple[int, Link]) -> str:
    """Of one event, as a line of JSON: its number and type, which link or door wrote it, when, how it was known."""
    header = read_header(link[1].header)
    if header is None:
        return ""
    at = datetime.fromtimestamp(header.at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    row = {"seq": event.seq, "type": header.type, "by": header.by, "at": at, "source": event.source or "seen"}
    return line(row) + "\n"


def told_broken(error: LogError, lang: str) -> str:
    """The sentence for a recording that is not what was stored."""
    return say(f"broken.{error.code.replace('/', '-')}", lang, key=error.key, seq=error.seq)


def write(data: bytes, output: str | None) -> None:
    """Bytes to a file, or to standard output where none or `-` is named."""
    if output in (None, "-"):
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return
    try:
        with made_anew(str(output)) as file:
            file.write(data)
    except OSError as error:
        raise MistypedError("unwritable", name=output, reason=error.strerror) from error
