"""The journal on a PostgreSQL server: the one module that knows its driver, an extra that is imported only when asked.

What a file's settings promise is here asked of the server, with each transaction that writes: it is refused where an
acknowledged write could be lost. One transaction writes at a time, from its first moment (an advisory lock).
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from functools import lru_cache
from itertools import count
from typing import Any, Final

import psycopg
from psycopg import conninfo
from psycopg.pq import TransactionStatus

from recorder import schema_postgres
from recorder.address import Address
from recorder.store import Database, Rows, StoreError

_LOCK: Final = 0x72617A626F72
"""The number of the lock that who writes holds; `razbor` in ASCII."""
_SAFE: Final = {
    "fsync": "on",
    "full_page_writes": "on",
    "synchronous_commit": "on",
    "session_replication_role": "origin",
}
"""What the server has to have set while it writes: else a power failure loses what was acknowledged, or no foreign key
is looked after."""
_WRITE: Final = (
    "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; "
    "SET LOCAL synchronous_commit = on; SET LOCAL lock_timeout = '30s'; "
    "SET LOCAL idle_in_transaction_session_timeout = '60s'; "
    f"SELECT pg_advisory_xact_lock({_LOCK}), " + ", ".join(f"current_setting('{name}')" for name in _SAFE)
)
_READ: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_WRITES: Final = ("INSERT", "UPDATE", "DELETE")
_PATIENT: Final[Mapping[str, Any]] = {
    "connect_timeout": 10, "keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3,
    "tcp_user_timeout": 30_000, "application_name": "razbor",
}  # fmt: skip
"""How long a server that does not answer is waited for, in seconds and milliseconds, where the address does not say."""
_CODES: Final = {
    "0A000": "read-only", "25006": "read-only", "25P03": "lost", "55P03": "busy", "57P": "lost", "08": "lost"
}  # fmt: skip
"""By SQLSTATE, or how it begins: what it is to us."""


def code_of(error: psycopg.Error) -> str:
    """What an error of the driver is to us (`StoreError.code`)."""
    state = error.sqlstate or ""
    known = next((code for begin, code in _CODES.items() if state.startswith(begin)), "refused")
    return known if state else "lost"


@contextmanager
def _told() -> Iterator[None]:
    """What the driver raises in the block is told as `StoreError`: its own words may show an address or a value."""
    try:
        yield
    except psycopg.Error as error:
        raise StoreError(code_of(error), error.sqlstate or "") from None


@lru_cache(maxsize=256)
def _translated(sql: str) -> bytes:
    return sql.replace("%", "%%").replace("?", "%s").encode()


def _without(password: object, text: str) -> str:
    return text.replace(str(password), "***") if password else text


class _Server:
    """A connection to the server, as the journal uses one."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection
        self._row: AbstractContextManager[object] | None = None

    @property
    def database(self) -> Database:
        return self

    @property
    def lost(self) -> bool:
        return self._connection.closed

    def execute(self, sql: str, parameters: Sequence[Any] | None = None, /) -> Rows:
        """Does a statement; `StoreError`, of one that writes at the latest with the next that asks or ends something.

        Those that write go out one after another, and nobody waits for the server between them.
        """
        with _told():
            self._in_a_row(sql.startswith(_WRITES))
            if parameters is None:
                return self._connection.execute(sql.encode())
            return self._connection.execute(_translated(sql), parameters)

    def _in_a_row(self, goes_on: bool) -> None:
        if goes_on and self._row is None:
            self._row = self._connection.pipeline()
            self._row.__enter__()
        elif not goes_on and self._row is not None:
            row, self._row = self._row, None
            row.__exit__(None, None, None)

    def begin(self, *, writing: bool) -> None:
        """As `recorder.store.Connection`; `StoreError` where the server would not keep what it acknowledges."""
        with _told():
            cursor = self._connection.cursor()
            try:
                cursor.execute(_WRITE if writing else _READ)
            except BaseException:
                self.rollback()
                raise
            if not writing:
                return
            while cursor.nextset():
                pass
            found = cursor.fetchall()[0][1:]
        for (name, wanted), value in zip(_SAFE.items(), found, strict=True):
            if value != wanted:
                self.rollback()
                raise StoreError("unsafe", f"{name} = {value}")

    def commit(self) -> None:
        """As `recorder.store.Connection`: a server answers a COMMIT it could not do with a ROLLBACK, and no error."""
        with _told():
            self._in_a_row(False)
            answer = self._connection.execute("COMMIT").statusmessage
        if answer != "COMMIT":
            raise StoreError("refused", answer or "")

    def rollback(self) -> None:
        """As `recorder.store.Connection`. A lost connection takes back by itself what was not committed."""
        with suppress(psycopg.Error):
            self._in_a_row(False)
        if self._connection.info.transaction_status in (TransactionStatus.IDLE, TransactionStatus.UNKNOWN):
            return
        try:
            self._connection.execute("ROLLBACK")
        except psycopg.Error:
            self._connection.close()

    def sweep(self) -> None:
        """Nothing: the server's files and its write-ahead log are the matter of who runs it."""

    def close(self) -> None:
        self._connection.close()


class _Streamed:
    """Gives a question's rows piece by piece, however many they are; questions only."""

    def __init__(self, connection: psycopg.Connection[Any], cursors: ExitStack) -> None:
        self._connection = connection
        self._cursors = cursors
        self._names = count()

    def execute(self, sql: str, parameters: Sequence[Any] | None = None, /) -> Rows:
        cursor = self._connection.cursor(name=f"razbor_{next(self._names)}")
        self._cursors.enter_context(cursor)
        with _told():
            return _Piecewise(cursor.execute(_translated(sql), parameters or ()))


class _Piecewise:
    def __init__(self, cursor: psycopg.ServerCursor[Any]) -> None:
        self._cursor = cursor

    def fetchone(self) -> Any:
        with _told():
            return self._cursor.fetchone()

    def fetchall(self) -> list[Any]:
        with _told():
            return self._cursor.fetchall()

    def __iter__(self) -> Iterator[Any]:
        with _told():
            yield from self._cursor


class PostgresStore:
    """A database on a server, by its address, as `recorder.store.Store`."""

    def __init__(self, address: Address) -> None:
        self._address = address

    @property
    def name(self) -> str:
        return str(self._address)

    def connect(self) -> _Server:
        """As `recorder.store.Store`; `StoreError` tells why not, and never the password."""
        return _Server(self._connect())

    def _connect(self) -> psycopg.Connection[Any]:
        try:
            given = conninfo.conninfo_to_dict(self._address.url)
        except psycopg.Error:
            raise StoreError("address") from None
        try:
            connection = psycopg.connect(autocommit=True, **{**_PATIENT, **given, "client_encoding": "UTF8"})
        except psycopg.Error as error:
            raise StoreError("unreachable", _without(given.get("password"), str(error).partition("\n")[0])) from None
        if connection.info.parameter_status("server_encoding") != "UTF8":
            connection.close()
            raise StoreError("not-utf8")
        return connection

    @contextmanager
    def _asked(self) -> Iterator[Database]:
        server = self.connect()
        try:
            server.begin(writing=False)
            yield server
        finally:
            server.close()

    @contextmanager
    def at_one_moment(self) -> Iterator[Database]:
        connection = self._connect()
        try:
            with _told():
                connection.execute(_READ)
            with ExitStack() as cursors:
                yield _Streamed(connection, cursors)
        finally:
            connection.close()

    def flaws(self, database: Database) -> Iterator[str]:
        return schema_postgres.flaws(database)

    def ready(self) -> None:
        """Whether its server lets write, and keeps what it acknowledges."""
        connection = self.connect()
        try:
            connection.begin(writing=True)
        finally:
            connection.rollback()
            connection.close()

    @property
    def telling(self) -> AbstractContextManager[None]:
        return nullcontext()

    def told(self, error: BaseException) -> BaseException:
        return error

    def is_there(self) -> bool:
        with self._asked() as database:
            return not schema_postgres.is_empty(database)

    def is_ours(self) -> bool:
        with self._asked() as database:
            return schema_postgres.is_ours(database)

    def bring_up_to_date(self, database: Database) -> None:
        schema_postgres.bring_up_to_date(database)

    def is_whole(self, database: Database) -> bool:
        return schema_postgres.is_whole(database)
