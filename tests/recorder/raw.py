"""The rows of a journal behind its back, in a file or on a server, with its guards or without.

Statements are written as SQLite has them; for a server they are spelled as PostgreSQL has them.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

import psycopg
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined] # the one sqlite-utils itself found

from recorder.address import Place

REFUSED: Final = (sqlite3.IntegrityError, sqlite3.OperationalError, psycopg.IntegrityError)
"""What a guard raises."""


class Raw:
    """A connection of somebody who may do anything."""

    def __init__(self, connection: Any, *, served: bool) -> None:
        self._connection, self._served = connection, served

    def execute(self, statement: str, parameters: Sequence[Any] = ()) -> Any:
        if not self._served:
            return self._connection.execute(_with_bytes(statement), parameters)
        return self._connection.execute(spelled(statement).replace("?", "%s").encode(), parameters)


@contextmanager
def opened(place: Place, *, unguarded: bool = False) -> Iterator[Raw]:
    """Such a connection; `unguarded`: triggers and foreign keys sleep meanwhile."""
    if isinstance(place, Path):
        with closing(sqlite3.connect(str(place), isolation_level=None)) as connection:
            triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
            for name, _ in triggers if unguarded else ():
                connection.execute(f"DROP TRIGGER {name}")
            yield Raw(connection, served=False)
            for _, text in triggers if unguarded else ():
                connection.execute(text)
        return
    with psycopg.connect(place.url, autocommit=True) as server:
        guards = server.execute(_GUARDS).fetchall() if unguarded else []
        for table, _ in guards:
            server.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL".encode())
        yield Raw(server, served=True)
        for table, _ in guards:
            server.execute(f"ALTER TABLE {table} ENABLE TRIGGER ALL".encode())
        for table, names in guards:
            for name in names:
                server.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}".encode())


_GUARDS: Final = (
    "SELECT relname, array_agg(tgname::text) FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid WHERE NOT tgisinternal "
    "AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) GROUP BY relname"
)


def spelled(statement: str) -> str:
    """As PostgreSQL has it; what would put one row in the place of another becomes a plain new row.

    >>> spelled("INSERT OR REPLACE INTO people VALUES (0, x'00')")
    "INSERT INTO people VALUES (0, '\\\\x00'::bytea)"
    """
    statement = statement.replace("INSERT OR REPLACE", "INSERT").replace("zeroblob(32)", f"x'{'00' * 32}'")
    statement = re.sub(r"x'([0-9a-f]*)'", r"'\\x\1'::bytea", statement)
    return re.sub(
        r"replace\((header|body), ('.*?'), ('.*?')\)",
        r"convert_to(replace(convert_from(\1, 'UTF8'), \2, \3), 'UTF8')",
        statement,
    )


def _with_bytes(statement: str) -> str:
    """`replace` gives text; these columns hold bytes."""
    return re.sub(r"(replace\((?:header|body), '.*?', '.*?'\))", r"CAST(\1 AS BLOB)", statement)
