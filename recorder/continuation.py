"""Uploads that begin with a recording that was stored before: which goes on from which.

Every function works inside the transaction of its caller.
"""

import contextlib
import hashlib
from typing import Final

from recorder import chain, rows
from recorder.chain import LogError
from recorder.store import Database
from schemas.events import Recording

_AT_ONCE: Final = 500
MOST_OPEN: Final = 200
"""So many of the live recordings that have not ended are compared, those begun last."""


def note(database: Database, recording: Recording) -> str | None:
    """The longest recording, stored before, with which this one begins and does not end; remembered for both.

    The answer is its key. One whose names were erased is none: nobody is to find the names again by it.
    """
    running, prefixes = hashlib.sha256(), dict[str, int]()
    for count, line in enumerate(recording.lines[:-1], 1):
        running.update(line + b"\n")
        prefixes[running.hexdigest()] = count
    found = _finished(database, list(prefixes)) | _open(database, recording, prefixes)
    if not found:
        return None
    digest = max(found, key=prefixes.__getitem__)
    database.execute(
        "INSERT INTO continuations (rec, of, digest) VALUES (?, ?, ?)", [recording.id, found[digest], digest]
    )
    return found[digest]


def _finished(database: Database, digests: list[str]) -> dict[str, str]:
    """By digest, of these: the key of the recording that has it."""
    found: dict[str, str] = {}
    for start in range(0, len(digests), _AT_ONCE):
        some = digests[start : start + _AT_ONCE]
        holes = ", ".join("?" * len(some))
        asked = database.execute(
            f"SELECT digest, key FROM recordings WHERE id IN ({holes}) AND nameless IS NULL ORDER BY number DESC",  # noqa: S608
            [digest[:16] for digest in some],
        )
        found |= {digest: key for digest, key in asked.fetchall() if digest in some}
    return found


def _open(database: Database, recording: Recording, prefixes: dict[str, int]) -> dict[str, str]:
    """Likewise of live recordings that have no digest yet, as far as they go."""
    candidates = database.execute(
        "SELECT key FROM recordings WHERE digest IS NULL AND nameless IS NULL AND game = ? "
        "ORDER BY number DESC LIMIT ?",
        [recording.began.game, MOST_OPEN],
    ).fetchall()
    found: dict[str, str] = {}
    for (key,) in candidates:
        entry = rows.find(database, key)
        if entry.events < len(recording.lines) and _begins_alike(database, key, recording.lines[0]):
            with contextlib.suppress(LogError):
                digest = chain.digest(rows.lines(database, entry))
                found |= {digest: key} if digest in prefixes else {}
    return found


def _begins_alike(database: Database, key: str, line: bytes) -> bool:
    row = database.execute(
        "SELECT p.body FROM events e JOIN people p ON p.idx = e.idx WHERE e.rec = ? AND e.seq = 0", [key]
    ).fetchone()
    return row is not None and chain.line_of(row[0]) == line


_NAMED: Final = (
    "SELECT c.of, c.rec, c.digest FROM continuations c "
    "JOIN recordings a ON a.key = c.of JOIN recordings b ON b.key = c.rec "
    "WHERE a.nameless IS NULL AND b.nameless IS NULL AND "
)


def before(database: Database, key: str) -> str | None:
    """The key of the recording that this one goes on from; None where there is none."""
    row = database.execute(_NAMED + "c.rec = ?", [key]).fetchone()
    return row[0] if row and _stands(database, row[0], row[2]) else None


def after(database: Database, key: str) -> tuple[str, ...]:
    """The keys of those that go on from this one, in the order in which they came."""
    found = database.execute(_NAMED + "c.of = ? ORDER BY b.number", [key]).fetchall()
    return tuple(rec for _, rec, digest in found if _stands(database, key, digest))


def _stands(database: Database, key: str, digest: str) -> bool:
    """Whether the beginning of an upload is still all of the other: one written live may have gone on otherwise."""
    entry = rows.find(database, key)
    if entry.arrived != "live":
        return True
    try:
        return chain.digest(rows.lines(database, entry)) == digest
    except LogError:
        return False
