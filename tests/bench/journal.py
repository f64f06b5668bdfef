"""The journal against SQLite alone: the same rows in the same tables, with hashes and without."""

import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import sqlite_utils

from recorder import intake, migrations
from recorder.database import Connections
from recorder.journal import Journal
from recorder.store import Database
from schemas.events import Recording
from tests.bench.evenings import evening

Row = tuple[Any, ...]
Pair = tuple[list[float], list[float]]
"""So many a second in each round, in turn: ours, and plain SQLite."""
Event = tuple[Row, Row, Sequence[Row], int]
"""One event's rows: of `events`, of its payload, of `nodes`; and the size of the tree with it."""
APPENDS, ROUNDS = 200, 5
_EVENT = "INSERT INTO events (idx, rec, seq, type, at, cmd, header, leaf) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_BODY = "INSERT INTO payloads (idx, body) VALUES (?, ?)"
_RECORDING = (
    "INSERT INTO recordings (key, game, preset, arrived, at, events, ended) VALUES (?, '', '', 'live', 0, 0, 0)"
)
_NODE = "INSERT INTO nodes (id, hash) VALUES (?, ?)"


@contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def tables(database: Database) -> None:
    assert isinstance(database, sqlite_utils.Database)
    migrations.MIGRATIONS.apply(database)


def driver(connections: Connections) -> Any:
    """SQLite's own connection."""
    database = connections.database()
    assert isinstance(database, sqlite_utils.Database)
    return database.conn


def recording(hands: int) -> Recording:
    found = intake.read(evening(hands), intake.BULK)
    assert isinstance(found, Recording)
    return found


def rows_of(path: Path) -> list[Event]:
    """What the journal wrote, to be written again without it."""
    connections = Connections(path)
    with connections.reading() as database:
        events = database.execute("SELECT idx, rec, seq, type, at, cmd, header, leaf FROM events").fetchall()
        bodies = dict(database.execute("SELECT idx, body FROM payloads UNION SELECT idx, body FROM people").fetchall())
        nodes = database.execute("SELECT id, hash FROM nodes ORDER BY id").fetchall()
    connections.close()
    found: list[Event] = []
    begun = 0
    for event in events:
        size = event[0] + 1
        upto = 2 * size - size.bit_count()
        found.append((event, (event[0], bodies[event[0]]), nodes[begun:upto], size))
        begun = upto
    return found


def ours(path: Path, lines: Sequence[bytes]) -> list[float]:
    """The seconds of each durable append, one event each, with a key for each command."""
    journal = Journal.open(path)
    key = journal.create(lines[0]).key
    took = []
    for version, line in enumerate(lines[1:], 1):
        began = time.perf_counter()
        journal.append(key, [line], version, f"command-{version}")
        took.append(time.perf_counter() - began)
    journal.close()
    return took


def appends() -> Pair:
    """Durable transactions a second of one thread by the middle one of each round. A disk is moody."""
    lines = recording(40).lines[: APPENDS + 1]
    found: Pair = ([], [])
    for _ in range(ROUNDS):
        with folder() as here:
            found[0].append(1 / median(ours(here / "ours.db", lines)))
            connections = Connections(here / "plain.db")
            _begin(connections, ["0"])
            found[1].append(1 / median(_plain(connections, "0", APPENDS)))
            connections.close()
    return found


def crowd(writers: int = 8, each: int = 50) -> Pair:
    """Durable appends a second of so many threads, each to a recording of its own."""
    lines, found = recording(40).lines[: each + 1], (list[float](), list[float]())
    for _ in range(ROUNDS):
        with folder() as here:
            journal = Journal.open(here / "ours.db")
            keys = [journal.create(lines[0]).key for _ in range(writers)]

            def append(key: str, journal: Journal = journal) -> None:
                for version, line in enumerate(lines[1:], 1):
                    journal.append(key, [line], version, f"{key}-{version}")

            found[0].append(writers * each / _seconds([partial(append, key) for key in keys]))
            journal.close()
            connections = Connections(here / "plain.db")
            _begin(connections, map(str, range(writers)))
            works = [partial(_written, connections, str(number), each) for number in range(writers)]
            found[1].append(writers * each / _seconds(works))
            connections.close()
    return found


def _seconds(works: Sequence[Callable[[], None]]) -> float:
    """How long it takes until all are done, begun at once."""
    gate = threading.Barrier(len(works) + 1)

    def run(work: Callable[[], None]) -> None:
        gate.wait()
        work()

    threads = [threading.Thread(target=run, args=[work]) for work in works]
    for thread in threads:
        thread.start()
    gate.wait()
    began = time.perf_counter()
    for thread in threads:
        thread.join()
    return time.perf_counter() - began


def _begin(connections: Connections, keys: Iterable[str]) -> None:
    with connections.writing() as database:
        tables(database)
        for key in keys:
            database.execute(_RECORDING, [key])


def _written(connections: Connections, key: str, count: int) -> None:
    _plain(connections, key, count)


def _plain(connections: Connections, key: str, count: int) -> list[float]:
    """The seconds of each durable transaction that does what ours does: version and command looked up, then the rows
    into the same tables, under the same triggers and settings; only what they say is not made from an event."""
    connection, header, hash_, body = driver(connections), bytes(330), bytes(32), bytes(150)
    took = []
    for version in range(count):
        began, command = time.perf_counter(), f"{key}-{version}"
        connection.execute("BEGIN IMMEDIATE")
        (known,) = connection.execute("SELECT events FROM recordings WHERE key = ?", [key]).fetchone()
        assert known == version
        assert connection.execute("SELECT 1 FROM events WHERE cmd = ?", [command]).fetchone() is None
        (size,) = connection.execute("SELECT size FROM tree").fetchone()
        connection.execute(_EVENT, (size, key, version, "noted", 0, command, header, hash_))
        connection.execute(_BODY, (size, body))
        for node in range(2 * size - size.bit_count(), 2 * size + 2 - (size + 1).bit_count()):
            connection.execute(_NODE, (node, hash_))
        connection.execute("UPDATE tree SET size = ?, frontier = ?", [size + 1, bytes(32 * (size + 1).bit_count())])
        connection.execute("UPDATE recordings SET events = events + 1 WHERE key = ?", [key])
        connection.execute("COMMIT")
        took.append(time.perf_counter() - began)
    return took


def bulk() -> Pair:
    """Events a second of one upload: ours, and `executemany` of the same rows into the same tables without triggers."""
    given, found = recording(300), (list[float](), list[float]())
    for _ in range(ROUNDS):
        with folder() as here:
            journal = Journal.open(here / "ours.db")
            began = time.perf_counter()
            journal.store(given)
            found[0].append(len(given.lines) / (time.perf_counter() - began))
            journal.close()
            found[1].append(raw(here / "raw.db", rows_of(here / "ours.db")))
    return found


def raw(path: Path, rows: Sequence[Event]) -> float:
    connections = Connections(path)
    with connections.writing() as database:
        tables(database)
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f"DROP TRIGGER {name}")
    connection = driver(connections)
    nodes = [node for row in rows for node in row[2]]
    began = time.perf_counter()
    connection.execute("BEGIN IMMEDIATE")
    connection.executemany(_EVENT, [row[0] for row in rows])
    connection.executemany(_BODY, [row[1] for row in rows])
    connection.executemany(_NODE, nodes)
    connection.execute("COMMIT")
    took = time.perf_counter() - began
    connections.close()
    return len(rows) / took
