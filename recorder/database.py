"""A connection to the journal's database: settings under which an acknowledged write is never lost."""

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import quote

from sqlite_utils import Database
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined] # the one sqlite-utils itself found

from recorder.migrations import MIGRATIONS, expected_fingerprint, fingerprint, is_ours

WAL_IS_SOUND: Final = (3, 51, 3)
"""Older SQLite can lose a write when the write-ahead log is reset."""
MOST_TOGETHER: Final = 64
"""So many appends share one commit at most."""
_Done = TypeVar("_Done")
_PATIENCE: Final = 30.0
_PATIENCE_AT_THE_END: Final = 5.0
"""So many seconds a transaction of another thread may take before its connection is closed under it."""
_SETTINGS: Final = (
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA recursive_triggers = ON",
    "PRAGMA secure_delete = ON",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
)


class _Database(Database):
    """Without a transaction of its own for each statement: ours are begun and ended by `_Transaction`."""

    def execute(self, sql: str, parameters: Any = ()) -> Any:
        return self.conn.execute(sql, parameters)


class ForeignSchemaError(Exception):
    """The file is no journal, or its tables and triggers are not those of this program."""


def journal_mode() -> str:
    """`WAL` where the SQLite at hand keeps it soundly, else `TRUNCATE`."""
    return "WAL" if sqlite3.sqlite_version_info >= WAL_IS_SOUND else "TRUNCATE"


class _Work:
    """What one thread wants written, and what came of it; an exception is raised where the thread waits."""

    def __init__(self, work: Callable[[Database], Any]) -> None:
        self._work = work
        self.answer: Any = None
        self.error: BaseException | None = None
        self.over = False

    def run(self, database: Database, *, alone: bool) -> None:
        """Does it within a transaction that others share: what it wrote goes back where it fails."""
        if alone:
            self.answer = self._work(database)
            return
        database.execute("SAVEPOINT work")
        with _Waiting([self]):
            self.answer = self._work(database)
        if self.error is not None:
            database.execute("ROLLBACK TO work")
        database.execute("RELEASE work")


class _Waiting:
    """Takes what is raised in its block to the threads that wait for these works, and raises it there."""

    def __init__(self, works: Sequence[_Work]) -> None:
        self._works = works

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> bool:
        for each in self._works:
            each.error = each.error or error
        return isinstance(error, Exception)


class _Own:
    """One thread's connection; whoever closes it waits until no transaction of that thread is under way."""

    def __init__(self, path: Path) -> None:
        self.database = _connect(path)
        self.lock = threading.RLock()
        self.gone = False

    def close(self) -> None:
        idle = self.lock.acquire(timeout=_PATIENCE_AT_THE_END)
        self.gone = True
        self.database.close()
        if idle:
            self.lock.release()


class _Transaction:
    """One transaction on this thread's connection: all of its block, or nothing where that or the commit fails."""

    __slots__ = ("_begin", "_own", "_take")

    def __init__(self, take: Callable[[], _Own], begin: str) -> None:
        self._take, self._begin = take, begin

    def __enter__(self) -> Database:
        while (own := self._take()).lock.acquire() and own.gone:
            own.lock.release()
        try:
            own.database.conn.execute(self._begin)
        except BaseException:
            own.lock.release()
            raise
        self._own = own
        return own.database

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        connection = self._own.database.conn
        try:
            if error is None:
                connection.commit()
        finally:
            try:
                connection.rollback()  # where it was committed, there is nothing to take back
            finally:
                self._own.lock.release()


class Connections:
    """One connection for each thread that asks, all to the same file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.refusal: Exception | None = None
        self._here = threading.local()
        self._open: list[_Own] = []
        self._lock = threading.Lock()
        self._waiting: deque[_Work] = deque()
        self._turn = threading.Lock()

    def database(self) -> Database:
        """This thread's connection, opened when first asked for."""
        return self._own().database

    def _own(self) -> _Own:
        found: _Own | None = getattr(self._here, "own", None)
        if found is None:
            found = self._here.own = _Own(self.path)
            with self._lock:
                self._open.append(found)
        return found

    def close(self) -> None:
        """Closes every connection; another question opens a new one."""
        with self._lock:
            own, self._open, self._here = self._open, [], threading.local()
        for each in own:
            each.close()

    def writing(self) -> AbstractContextManager[Database]:
        """One transaction that holds the write lock from its first moment; all of it or nothing.

        Raises `refusal` where there is a reason not to write.
        """
        if self.refusal is not None:
            raise self.refusal
        return _Transaction(self._own, "BEGIN IMMEDIATE")

    def together(self, work: Callable[[Database], _Done]) -> _Done:
        """One transaction as `writing`, shared with the threads that wait to write at this moment.

        Each work is all or nothing by itself; each answer comes after the commit that all of them share.
        """
        mine = _Work(work)
        self._waiting.append(mine)
        with self._turn:
            while not mine.over:
                batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), MOST_TOGETHER))]
                self._do(batch or [mine])
        if mine.error is not None:
            raise mine.error
        done: _Done = mine.answer
        return done

    def _do(self, batch: Sequence[_Work]) -> None:
        try:
            with _Waiting(batch), self.writing() as database:
                for each in batch:
                    each.run(database, alone=len(batch) == 1)
        finally:
            for each in batch:
                each.over = True

    def reading(self) -> AbstractContextManager[Database]:
        """One transaction that sees one state of the database throughout."""
        return _Transaction(self._own, "BEGIN")

    def prepare(self) -> None:
        """Brings the tables up to date and checks that they are what they should be: `ForeignSchemaError`.

        A file that was made by others, or changed by them, stays as it is to the byte.
        """
        if not _is_ours(self.path):
            raise ForeignSchemaError(self.path.name)
        with self.writing() as database:
            MIGRATIONS.apply(database)
        if fingerprint(self.database()) != expected_fingerprint():
            raise ForeignSchemaError(self.path.name)


def _is_ours(path: Path) -> bool:
    """Whether a file may be opened for writing: none, an empty one, or a journal. Opening alone may change a file."""
    if not path.is_file() or not path.stat().st_size:
        return True
    try:
        return _looks_ours(path, "ro")
    except sqlite3.OperationalError:  # what was being written when the power failed is taken back by writing
        return _looks_ours(path, "rw")


def _looks_ours(path: Path, mode: str) -> bool:
    address = f"file:{quote(path.absolute().as_posix())}?mode={mode}"
    connection = sqlite3.connect(address, uri=True, timeout=_PATIENCE, isolation_level=None)
    try:
        return is_ours(Database(connection, execute_plugins=False))
    finally:
        connection.close()


def _connect(path: Path) -> Database:
    connection = sqlite3.connect(str(path), timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
    database = _Database(connection, execute_plugins=False)
    _set_journal_mode(database)
    for setting in _SETTINGS:
        database.conn.execute(setting)
    return database


def _set_journal_mode(database: Database) -> None:
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
