"""`razbor add`, `list` and `export`: the journal from the command line."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import click

from recorder import intake
from recorder.chain import LogError
from recorder.journal import Entry, ForeignSchemaError, Journal, UnknownRecordingError
from replay import desk
from replay.cli_verify import check_view, refused, sources
from replay.cli_words import Mistyped, columns, language, line, say
from schemas.problems import Refusal

BROKEN: Final = 1
SQLITE: Final = b"SQLite format 3\x00"
"""How every SQLite file begins."""
HEADS: Final = ("key", "game", "rules", "events", "state", "added")


@contextmanager
def opened(path: Path, *, new: bool) -> Iterator[Journal]:
    """The journal in a file; `Mistyped` where there is none and none is to be made, or something else lies there."""
    if not new and not path.is_file():
        raise Mistyped("no_journal", name=path)
    if path.exists() and not _is_database(path):
        raise Mistyped("foreign_journal", name=path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        journal = Journal.open(path)
    except ForeignSchemaError as error:
        raise Mistyped("foreign_journal", name=path) from error
    except OSError as error:
        raise Mistyped("unwritable", name=path, reason=error.strerror) from error
    try:
        yield journal
    finally:
        journal.close()


def _is_database(path: Path) -> bool:
    """Whether a file may be a journal: SQLite's own, or still empty."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(SQLITE)) in (b"", SQLITE)


def add(ctx: click.Context, path: Path, files: Sequence[str], as_json: bool) -> int:
    """Stores the recordings of each file, all of a file or none; the exit code is 3 where one was refused."""
    found, code, spoken = sources(files), 0, language(ctx)
    with opened(path, new=True) as journal:
        for source in found:
            recordings = intake.read_all(source.read(), intake.BULK)
            if isinstance(recordings, Refusal):
                code = refused(ctx, source.name, recordings, as_json)
                continue
            for recording in recordings:
                stored = journal.store(recording, by="cli")
                data = {"key": stored.key, "new": stored.new, "file": source.name}
                word = "add.new" if stored.new else "add.known"
                click.echo(line(data) if as_json else say(word, spoken, key=stored.key, name=source.name))
    return code


def entries(journal: Journal) -> Iterator[Entry]:
    """Every recording of a journal, the newest first."""
    page = journal.list()
    yield from page.entries
    while page.cursor is not None:
        page = journal.list(page.cursor)
        yield from page.entries


def keys(path: Path) -> list[str]:
    """The keys of a journal's recordings, none where there is no journal; for completion."""
    if not path.is_file():
        return []
    with opened(path, new=False) as journal:
        return [entry.key for entry in entries(journal)]


def list_all(ctx: click.Context, path: Path, as_json: bool) -> None:
    """Prints the recordings of the journal."""
    spoken = language(ctx)
    rows = [tuple(say(f"list.{name}", spoken) for name in HEADS)]
    with opened(path, new=False) as journal:
        for entry in entries(journal):
            data = entry_row(entry)
            if as_json:
                click.echo(line(data))
            rows.append((*(str(data[name]) for name in HEADS[:4]), _state(entry, spoken), data["added"]))
    if not as_json:
        click.echo("\n".join(columns(rows) if len(rows) > 1 else [say("list.empty", spoken)]))


def entry_row(entry: Entry) -> dict[str, Any]:
    """One recording of the journal as plain data; `added` in UTC."""
    added = datetime.fromtimestamp(entry.at // 1000, UTC).isoformat().replace("+00:00", "Z")
    return {
        "key": entry.key, "id": entry.id, "digest": entry.digest, "game": entry.game, "rules": entry.preset,
        "events": entry.events, "ended": entry.ended, "arrived": entry.arrived, "added": added,
    }  # fmt: skip


def _state(entry: Entry, spoken: str) -> str:
    if entry.ended:
        return say("list.closed", spoken)
    return say("list.live" if entry.arrived == "live" else "list.breaks_off", spoken)


def export(ctx: click.Context, path: Path, key: str, view: str, output: str | None) -> int:
    """Writes one recording to a file or to standard output; the exit code is 1 where its chain is broken."""
    with opened(path, new=False) as journal:
        try:
            recording = journal.load(key).recording
        except UnknownRecordingError as error:
            raise Mistyped("no_recording", name=key) from error
        except LogError as error:
            word = f"broken.{error.code.replace('/', '-')}"
            click.echo(say(word, language(ctx), key=error.key, seq=error.seq), err=True)
            return BROKEN
    check_view(view, desk.names_of(recording))
    _write(desk.seen_as(recording, view), output)
    return 0


def _write(data: bytes, output: str | None) -> None:
    if output in (None, "-"):
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return
    try:
        Path(str(output)).write_bytes(data)
    except OSError as error:
        raise Mistyped("unwritable", name=output, reason=error.strerror) from error
