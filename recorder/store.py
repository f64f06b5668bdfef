"""What the journal asks of the database that holds it, be that a file of SQLite or a server of PostgreSQL.

Statements are the same for both: `?` stands for a value, bytes are bytes, a question of yes or no has 0 and 1 or False
and True for an answer.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol


class StoreError(Exception):
    """What a server or a file did not do. `code` says why: `address`, `unreachable`, `not-utf8`, `unsafe`, `read-only`,
    `busy`, `lost`, `refused`, of a file `busy`, `full`, `damaged`, `unwritable`, `disk`; `detail` is why there is no
    connection, the unsafe setting, the server's own code, or the file.

    Neither a password nor a value that was to be written stands in it.
    """

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code, self.detail = code, detail


class Rows(Protocol):
    """What a statement answers."""

    def fetchone(self) -> Any:
        """The next row; None where there is none."""

    def fetchall(self) -> list[Any]:
        """All that is left."""

    def __iter__(self) -> Iterator[Any]: ...


class Database(Protocol):
    """A connection, as far as the journal's statements need it."""

    def execute(self, sql: str, parameters: Sequence[Any] | None = None, /) -> Rows:
        """Does a statement."""


class Connection(Protocol):
    """A connection and its transactions."""

    @property
    def database(self) -> Database:
        """What statements are given to."""

    @property
    def lost(self) -> bool:
        """Whether it is of no more use, and another one has to be made."""

    def begin(self, *, writing: bool) -> None:
        """Begins a transaction: one that holds the write lock from now on, or one that sees one state throughout."""

    def commit(self) -> None:
        """Ends it; when this comes back, what was written is safe. Else nothing is known to be."""

    def rollback(self) -> None:
        """Takes back what was written since it began."""

    def sweep(self) -> None:
        """What was deleted leaves what is kept beside the tables too, as far as that can be had now."""

    def close(self) -> None:
        """Closes it."""


class Store(Protocol):
    """Something that may hold a journal."""

    @property
    def name(self) -> str:
        """Its name, to be told."""

    def connect(self) -> Connection:
        """A new connection."""

    def ready(self) -> None:
        """Whether something could be written now, soon told and writing nothing; `StoreError`."""

    @property
    def telling(self) -> AbstractContextManager[None]:
        """Raises what `told` makes of an error that is raised in it."""

    def told(self, error: BaseException) -> BaseException:
        """An error as the journal tells it: a `StoreError` for what the store did not do, any other as it is."""

    def is_there(self) -> bool:
        """Whether there is anything yet; makes nothing."""

    def is_ours(self) -> bool:
        """Whether there is nothing, or a journal of this program or an older one; changes nothing."""

    def at_one_moment(self) -> AbstractContextManager[Database]:
        """Everything as it stands at one moment, for questions, however much there is; `FileNotFoundError`."""

    def flaws(self, database: Database) -> Iterator[str]:
        """What is wrong with how it is stored, seen from such a moment: `file`, `schema`."""

    def bring_up_to_date(self, database: Database) -> None:
        """Makes what tables are missing, inside a transaction that writes."""

    def is_whole(self, database: Database) -> bool:
        """Whether all is there that should be, as it should be, and nothing else."""
