"""The journal in a file of SQLite: settings under which an acknowledged write is never lost."""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import sqlite_utils
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined] # the one sqlite-utils itself found

from recorder.migrations import MIGRATIONS, expected_fingerprint, fingerprint, is_ours
from recorder.store import Database, StoreError

WAL_IS_SOUND: Final = (3, 51, 3)
"""Older SQLite can lose a write when the write-ahead log is reset."""
LEAST_ROOM: Final = 4 * 1024 * 1024
"""Bytes; with less on its disk a journal is not ready: a large upload would not go in."""
_PATIENCE: Final = 30.0
_SOON: Final = 1.0
_SETTINGS: Final = (
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA recursive_triggers = ON",
    "PRAGMA secure_delete = ON",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
)
_WHY: Final = {
    3: "unwritable", 5: "busy", 6: "busy", 8: "unwritable", 10: "disk", 11: "damaged", 13: "full", 14: "disk",
    15: "busy", 22: "disk", 26: "damaged",
}  # fmt: skip
"""What SQLite's result codes come to.

PERM, BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL (a lock that is not given back), NOLFS, NOTADB.
"""


def store_error(error: BaseException, path: Path) -> BaseException:
    """What a file or its disk did not do, as a `StoreError`; what is wrong with a statement or a row stays as it is."""
    why = _WHY.get(getattr(error, "sqlite_errorcode", 0) & 0xFF) if isinstance(error, sqlite3.DatabaseError) else None
    return error if why is None else StoreError(why, str(path))


class Telling:
    """Raises what `store_error` makes of what is raised in its block."""

    __slots__ = ("_path",)

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if error is not None and (told := store_error(error, self._path)) is not error:
            raise told from error


def journal_mode() -> str:
    """`WAL` where the SQLite at hand keeps it soundly, else `TRUNCATE`."""
    return "WAL" if sqlite3.sqlite_version_info >= WAL_IS_SOUND else "TRUNCATE"


class _Database(sqlite_utils.Database):
    """Without a transaction of its own for each statement: ours are begun and ended by the journal."""

    def execute(self, sql: str, parameters: Any = ()) -> Any:
        return self.conn.execute(sql, parameters)


class _File:
    """A connection to the file, as `recorder.store.Connection`."""

    lost: Final = False

    def __init__(self, database: _Database) -> None:
        self.database: Final = database
        self.commit: Final = database.conn.commit
        self.rollback: Final = database.conn.rollback
        self.close: Final = database.close

    def begin(self, *, writing: bool) -> None:
        self.database.conn.execute("BEGIN IMMEDIATE" if writing else "BEGIN")

    def sweep(self) -> None:
        """Empties the write-ahead log: pages stand there as they were before. It waits for who reads them."""
        self.database.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


class FileStore:
    """A file, as `recorder.store.Store`. One that others made or changed stays as it is to the byte."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.telling: Final = Telling(path)

    @property
    def name(self) -> str:
        return self._path.name

    def connect(self) -> _File:
        with self.telling:
            connection = sqlite3.connect(
                str(self._path), timeout=_PATIENCE, isolation_level=None, check_same_thread=False
            )
            database = _Database(connection, execute_plugins=False)
            _set_journal_mode(database)
            for setting in _SETTINGS:
                database.conn.execute(setting)
            return _File(database)

    def ready(self) -> None:
        """`StoreError` where the lock is not had within a second, the file cannot be written or its disk is full."""
        with self.telling:
            connection = sqlite3.connect(str(self._path), timeout=_SOON, isolation_level=None)
            try:
                connection.execute("BEGIN IMMEDIATE")
            finally:
                connection.close()
        disk = os.statvfs(self._path.parent)
        if disk.f_bavail * disk.f_frsize < LEAST_ROOM:
            raise StoreError("full", str(self._path))

    def told(self, error: BaseException) -> BaseException:
        return store_error(error, self._path)

    def is_there(self) -> bool:
        return self._path.is_file()

    def is_ours(self) -> bool:
        if not self._path.is_file() or not self._path.stat().st_size:
            return True
        with self.telling:
            try:
                return self._looks_ours("ro")
            except sqlite3.OperationalError:  # what was being written when the power failed is taken back by writing
                return self._looks_ours("rw")

    def _looks_ours(self, mode: str) -> bool:
        address = f"file:{quote(self._path.absolute().as_posix())}?mode={mode}"
        connection = sqlite3.connect(address, uri=True, timeout=_PATIENCE, isolation_level=None)
        try:
            return is_ours(sqlite_utils.Database(connection, execute_plugins=False))
        finally:
            connection.close()

    @contextlib.contextmanager
    def at_one_moment(self) -> Iterator[Database]:
        if not self._path.is_file():
            raise FileNotFoundError(self._path)
        address = f"file:{quote(self._path.absolute().as_posix())}?mode=rw"
        connection = sqlite3.connect(address, uri=True, isolation_level=None)
        try:
            with contextlib.suppress(sqlite3.DatabaseError):  # what is spoiled shows when it is asked for
                connection.execute("BEGIN").execute("SELECT 1 FROM log").fetchone()
            yield sqlite_utils.Database(connection, execute_plugins=False)
        finally:
            connection.close()

    def flaws(self, database: Database) -> Iterator[str]:
        assert isinstance(database, sqlite_utils.Database)
        if database.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
            yield "file"
        if database.execute("PRAGMA foreign_key_check").fetchone():
            yield "file"
        done = database.execute("SELECT id, migration_set, name, applied_at FROM _sqlite_migrations").fetchall()
        as_written = all(tuple(map(type, row)) == (int, str, str, str) for row in done)
        complete = len(done) == len(MIGRATIONS.applied(database)) and not MIGRATIONS.pending(database)
        if not as_written or not complete or fingerprint(database) != expected_fingerprint():
            yield "schema"

    def bring_up_to_date(self, database: Database) -> None:
        assert isinstance(database, sqlite_utils.Database)
        MIGRATIONS.apply(database)

    def is_whole(self, database: Database) -> bool:
        assert isinstance(database, sqlite_utils.Database)
        return fingerprint(database) == expected_fingerprint()


def _set_journal_mode(database: _Database) -> None:
    """Several processes may open a new file at once; changing the mode does not wait for the others by itself."""
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            database.conn.execute(f"PRAGMA journal_mode = {journal_mode()}")
        except sqlite3.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return
