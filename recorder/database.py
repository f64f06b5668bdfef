"""Connections to the journal's database, one a thread, and their transactions, which threads may share."""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final, TypeVar

from recorder.address import Address, Place
from recorder.sqlite_file import FileStore
from recorder.store import Database, Store, StoreError
from recorder.wrappers import MissingExtraError

MOST_TOGETHER: Final = 64
"""So many appends share one commit at most."""
_Done = TypeVar("_Done")
_PATIENCE_AT_THE_END: Final = 5.0
"""So many seconds a transaction of another thread may take before its connection is closed under it."""


class ForeignSchemaError(Exception):
    """The file is no journal, or its tables and triggers are not those of this program."""


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
            database.execute("RELEASE work")
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

    def __init__(self, store: Store) -> None:
        self.store = store
        self.connection = store.connect()
        self.database = self.connection.database
        self.thread = threading.current_thread()
        self.lock = threading.RLock()
        self.gone = False

    def close(self) -> None:
        idle = self.lock.acquire(timeout=_PATIENCE_AT_THE_END)
        self.gone = True
        self.connection.close()
        if idle:
            self.lock.release()

    def begin(self, *, writing: bool) -> bool:
        """Begins a transaction and keeps the lock; False where the server was gone, and another connection may do."""
        begun = False
        try:
            with self.store.telling:
                self.connection.begin(writing=writing)
            begun = True
        except StoreError:
            if not self.connection.lost:
                raise
        finally:
            if not begun:
                self.lock.release()
        return begun


class _Transaction:
    """One transaction on this thread's connection: all of its block, or nothing where that or the commit fails."""

    __slots__ = ("_own", "_take", "_writing")

    def __init__(self, take: Callable[[], _Own], *, writing: bool) -> None:
        self._take, self._writing = take, writing

    def __enter__(self) -> Database:
        own = self._taken()
        if not own.begin(writing=self._writing):
            own = self._taken()
            if not own.begin(writing=self._writing):
                raise StoreError("lost")
        self._own = own
        return own.database

    def _taken(self) -> _Own:
        while (own := self._take()).lock.acquire() and own.gone:
            own.lock.release()
        return own

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        connection = self._own.connection
        try:
            with self._own.store.telling:
                if error is None:
                    connection.commit()
            if error is not None and (told := self._own.store.told(error)) is not error:
                raise told from error
        finally:
            try:
                connection.rollback()  # where it was committed, there is nothing to take back
            finally:
                self._own.lock.release()


class Connections:
    """One connection for each thread that asks, all to the same file or server."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self._store = store_of(place)
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
        if found is None or found.connection.lost:
            self._close_unused()
            found = self._here.own = _Own(self._store)
            with self._lock:
                self._open.append(found)
        return found

    def _close_unused(self) -> None:
        """Closes the connections of threads that have ended, and those that were lost."""
        with self._lock:
            unused = [own for own in self._open if own.connection.lost or not own.thread.is_alive()]
            self._open = [own for own in self._open if own not in unused]
        for each in unused:
            each.close()

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
        return _Transaction(self._own, writing=True)

    def together(self, work: Callable[[Database], _Done]) -> _Done:
        """One transaction as `writing`, shared with the threads that wait to write at this moment.

        Each work is all or nothing by itself; each answer comes after the commit that all of them share.
        """
        if not self._waiting and self._turn.acquire(blocking=False):  # nobody to share it with
            try:
                with self.writing() as database:
                    return work(database)
            finally:
                self._turn.release()
        mine = _Work(work)
        self._waiting.append(mine)
        with self._turn:
            while not mine.over:
                batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), MOST_TOGETHER))]
                self._do(batch or [mine])
        if mine.error is not None:
            raise self._store.told(mine.error)
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
        return _Transaction(self._own, writing=False)

    def ready(self) -> None:
        """Raises why nothing can be written now: `refusal`, or a `StoreError`."""
        if self.refusal is not None:
            raise self.refusal
        self._store.ready()

    def sweep(self) -> None:
        """What was deleted leaves what the database keeps beside its tables too."""
        own = self._own()
        with own.lock:
            if not own.gone:
                own.connection.sweep()

    def prepare(self) -> None:
        """Brings the tables up to date and checks that they are what they should be: `ForeignSchemaError`.

        What was made by others, or changed by them, stays as it is.
        """
        if not self._store.is_ours():
            raise ForeignSchemaError(self._store.name)
        with self.writing() as database:
            self._store.bring_up_to_date(database)
        with self.reading() as database:
            whole = self._store.is_whole(database)
        if not whole:
            raise ForeignSchemaError(self._store.name)


def store_of(place: Place) -> Store:
    """What holds, or may hold, the journal at a place; `MissingExtraError` where the driver of a server is missing."""
    if not isinstance(place, Address):
        return FileStore(place)
    try:
        from recorder.postgres import PostgresStore  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtraError("postgres") from error
    return PostgresStore(place)
