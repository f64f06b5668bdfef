"""The last signed checkpoint, kept a second time in another directory: by it an old copy of the journal shows."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from recorder import merkle
from recorder.address import Place
from recorder.database import Connections
from recorder.store import Database

DIRECTORY: Final = "RAZBOR_ANCHOR"
"""The environment's name for the directory of the anchor."""
_TABLE: Final = """
CREATE TABLE IF NOT EXISTS anchors (
    origin TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    root BLOB NOT NULL CHECK (length(root) = 32),
    note TEXT NOT NULL
) STRICT"""


class AnchorMovedError(Exception):
    """Somebody else moved the anchor meanwhile."""


class RestoredError(Exception):
    """The journal is not what it was when it was last signed: restored from an old copy, or changed.

    `code` is `log/missing-events` where it is behind, `log/chain-broken` where it differs; it is not written to.
    """

    def __init__(self, code: str, anchored: int, size: int) -> None:
        super().__init__(f"{code}: signed with {anchored} events, now {size}")
        self.code, self.anchored, self.size = code, anchored, size


@dataclass(frozen=True, slots=True)
class Anchored:
    """What the log was when it was last signed, and the signed note."""

    size: int
    root: bytes
    note: str


def directory(database: Place) -> Path:
    """Where the anchor of a database lies: what `RAZBOR_ANCHOR` says, or else beside it."""
    told = os.environ.get(DIRECTORY)
    return Path(told) if told else database.with_name(f"{database.name}.anchor")


def stored_hash(database: Database) -> Callable[[int], bytes]:
    """Reads a stored hash of the tree by its place; `LookupError` where there is none."""

    def read(place: int) -> bytes:
        row = database.execute("SELECT hash FROM nodes WHERE id = ?", [place]).fetchone()
        if row is None:
            raise LookupError(place)
        found: bytes = row[0]
        return found

    return read


class Anchor:
    """The small database of the last signed checkpoints, one for each log."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    @classmethod
    def open(cls, folder: Path) -> Self:
        """The anchor in this directory, made where there is none."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        connections = Connections(folder / "anchor.db")
        with connections.writing() as database:
            database.execute(_TABLE)
        return cls(connections)

    def close(self) -> None:
        """Closes the file."""
        self._connections.close()

    def of(self, origin: str) -> Anchored | None:
        """What is anchored of a log; None where it was never signed."""
        with self._connections.reading() as database:
            return _of(database, origin)

    def move(self, origin: str, expected: Anchored | None, new: Anchored) -> None:
        """Puts the new one in the place of the expected one; `AnchorMovedError` where another stands there.

        `ValueError` where the new one is of a smaller tree: an anchor never goes back.
        """
        with self._connections.writing() as database:
            if _of(database, origin) != expected:
                raise AnchorMovedError(origin)
            if expected is not None and new.size < expected.size:
                raise ValueError("an anchor never goes back")
            database.execute(
                "INSERT INTO anchors (origin, size, root, note) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (origin) DO UPDATE SET size = excluded.size, root = excluded.root, note = excluded.note",
                [origin, new.size, new.root, new.note],
            )


def _of(database: Database, origin: str) -> Anchored | None:
    row = database.execute("SELECT size, root, note FROM anchors WHERE origin = ?", [origin]).fetchone()
    return Anchored(*row) if row else None


def objection(database: Database, anchored: Anchored | None) -> RestoredError | None:
    """Why this journal must not be written to, seen from what was last signed; None where there is no reason."""
    if anchored is None:
        return None
    size: int = database.execute("SELECT size FROM tree").fetchone()[0]
    if size < anchored.size:
        return RestoredError("log/missing-events", anchored.size, size)
    try:
        root = merkle.subtree(stored_hash(database), 0, anchored.size)
    except LookupError:
        return RestoredError("log/missing-events", anchored.size, size)
    return None if root == anchored.root else RestoredError("log/chain-broken", anchored.size, size)


def anchored_at(path: Place, origin: str) -> Anchored | None:
    """What the anchor that belongs to a journal says of it; None where there is no such anchor, or it says nothing."""
    folder = directory(path)
    if not (folder / "anchor.db").exists():
        return None
    anchor = Anchor.open(folder)
    try:
        return anchor.of(origin)
    finally:
        anchor.close()


def lost(database: Database, anchored: Anchored | None) -> int:
    """How many events this journal says were signed, where its anchor knows nothing of it; else 0.

    Then nobody can tell any more whether it was restored from an old copy (`integrity.md`).
    """
    signed = database.execute("SELECT max(size) FROM checkpoints").fetchone()[0] if anchored is None else None
    return signed if isinstance(signed, int) else 0
