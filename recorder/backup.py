"""A copy of the journal that was verified, and the way back from it."""

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlite_utils import Database
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined] # the one sqlite-utils itself found

from recorder import anchor, fsck, keys
from recorder.anchor import Anchored, RestoredError
from recorder.checkpoint import Verifier
from recorder.database import ForeignSchemaError
from recorder.fsck import LogAudit, LogFinding
from recorder.journal import Journal
from recorder.sqlite_file import Telling

_PAGES_A_STEP: Final = 1024


class UnwritableCopyError(OSError):
    """The copy cannot be written where it should lie."""


class CopyRefusedError(Exception):
    """The copy is not what it should be, and was thrown away; `findings` say why."""

    def __init__(self, findings: tuple[LogFinding, ...]) -> None:
        super().__init__(", ".join(sorted({f"{each.code} {each.place}" for each in findings})))
        self.findings = findings


@dataclass(frozen=True, slots=True)
class Restored:
    """A journal brought back: what stands in it, and why it is not written to, if so."""

    audit: LogAudit
    objection: RestoredError | None


@dataclass(frozen=True, slots=True)
class Drill:
    """What a rehearsal brought back: how many recordings could be read in full, byte for byte, of how many."""

    audit: LogAudit
    read: int


def backup(path: Path, target: Path) -> LogAudit:
    """Copies a journal that may be in use, verifies the copy in full, and only then gives it its name.

    `FileExistsError` where the target is there, `UnwritableCopyError` where it cannot be written, `CopyRefusedError`
    where the copy has findings.
    """
    before = _now(path)
    return _copy(path, target, _verifiers(path), before)


def restore(source: Path, target: Path) -> Restored:
    """Brings a journal back from a copy to a place where there is none. Keys and anchor are those of the target.

    A copy older than the last signed checkpoint can be read and exported but not written to: to go on, begin a new
    journal and add the exported recordings there. `ForeignSchemaError` where the copy is no journal.
    """
    audit = _copy(source, target, _verifiers(target) or _verifiers(source), None)
    connection = sqlite3.connect(str(target))
    try:
        database = Database(connection, execute_plugins=False)
        origin: str = database.execute("SELECT origin FROM log").fetchone()[0]
        return Restored(audit, anchor.objection(database, anchor.anchored_at(target, origin)))
    finally:
        connection.close()


def drill(source: Path) -> Drill:
    """Restores a copy into a directory that is thrown away, and reads every recording from there."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "drill.db"
        audit = _copy(source, target, _verifiers(source), None)
        journal = Journal.open(target)
        try:
            read, cursor = 0, None
            while True:
                page = journal.list(cursor)
                for entry in page.entries:
                    journal.load(entry.key)
                    read += 1
                cursor = page.cursor
                if cursor is None:
                    return Drill(audit, read)
        finally:
            journal.close()


def _verifiers(path: Path) -> tuple[Verifier, ...]:
    if not path.is_file():
        return ()
    connection = sqlite3.connect(str(path))
    try:
        row = connection.execute("SELECT origin FROM log").fetchone()
    except sqlite3.DatabaseError as error:
        raise ForeignSchemaError(path) from error
    finally:
        connection.close()
    return keys.known(keys.directory(path), row[0]) if row else ()


def _now(path: Path) -> Anchored:
    """The tree as it is before copying: the copy has to go on from there."""
    audit = fsck.audit(path)
    if audit.findings:
        raise CopyRefusedError(audit.findings)
    return Anchored(audit.events, audit.root, "")


def _copy(source: Path, target: Path, verifiers: tuple[Verifier, ...], least: Anchored | None) -> LogAudit:
    if target.exists():
        raise FileExistsError(target)
    if not source.is_file():
        raise FileNotFoundError(source)
    partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        partial.touch()
    except OSError as error:
        raise UnwritableCopyError(error.errno, error.strerror) from error
    try:
        _copy_pages(source, partial)
        audit = fsck.audit(partial, verifiers=verifiers or None, anchored=False)
        findings = audit.findings
        if least is not None and not _goes_on(partial, least):
            findings = (*findings, LogFinding(fsck.MISSING, "file"))
        if findings:
            raise CopyRefusedError(findings)
        os.link(partial, target)
        _sync(target.parent)
        return audit
    finally:
        for leftover in ("", "-wal", "-shm", "-journal"):
            partial.with_name(partial.name + leftover).unlink(missing_ok=True)


def _copy_pages(source: Path, partial: Path) -> None:
    """SQLite's own copying: sees one state of the database while others write."""
    reading, writing = sqlite3.connect(str(source)), sqlite3.connect(str(partial))
    try:
        with Telling(partial):
            reading.backup(writing, pages=_PAGES_A_STEP)
            writing.execute("PRAGMA journal_mode = DELETE")  # one file, whole by itself
    finally:
        writing.close()
        reading.close()
    handle = os.open(partial, os.O_RDWR)
    os.fsync(handle)
    os.close(handle)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    os.fsync(handle)
    os.close(handle)


def _goes_on(path: Path, least: Anchored) -> bool:
    connection = sqlite3.connect(str(path))
    try:
        return anchor.objection(Database(connection, execute_plugins=False), least) is None
    finally:
        connection.close()
