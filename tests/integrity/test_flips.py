"""Bits flipped in the rows and in the file, pages zeroed, swapped, cut off: nothing changes unnoticed."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils import Database
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined] # the one sqlite-utils itself found

from recorder import fsck, keys
from recorder.anchor import RestoredError
from recorder.chain import LogError
from recorder.journal import ForeignSchemaError, UnknownRecordingError
from recorder.store import StoreError
from tests.integrity.evening import ORIGIN, make, quick_folder, seen

COLUMNS = {
    "events": ("idx", "rec", "seq", "type", "at", "cmd", "header", "leaf"),
    "payloads": ("idx", "body"),
    "people": ("idx", "body"),
    "nodes": ("id", "hash"),
    "tree": ("size", "frontier"),
    "log": ("origin",),
    "checkpoints": ("size", "root", "note"),
    "recordings": ("number", "key", "id", "digest", "game", "preset", "arrived", "at", "events", "ended", "nameless"),
}
UNREADABLE = (
    sqlite3.DatabaseError,
    StoreError,
    UnicodeDecodeError,
    LogError,
    ForeignSchemaError,
    UnknownRecordingError,
    RestoredError,
)
FLIPS, FLIPS_SOAK, FLIPS_A_CELL = 2_500, 10_000, 4


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A journal on a disk that is quick, where there is one."""
    with quick_folder() as folder:
        monkeypatch.setenv("RAZBOR_KEYS", str(folder / "keys"))
        monkeypatch.setenv("RAZBOR_ANCHOR", str(folder / "anchor"))
        make(folder / "evening.db")
        yield folder


def flipped(value: Any, chance: random.Random) -> Any:
    """The value with one bit another; of a text, one that leaves it a text."""
    if isinstance(value, int):
        return value ^ 1 << chance.randrange(40)
    data = bytearray(value.encode() if isinstance(value, str) else value)
    while True:
        place = chance.randrange(len(data) * 8)
        data[place // 8] ^= 1 << place % 8
        if isinstance(value, bytes):
            return bytes(data)
        try:
            return data.decode()
        except UnicodeDecodeError:
            data[place // 8] ^= 1 << place % 8


def cells(connection: Any, table: str) -> list[tuple[int, str, Any]]:
    found = []
    for column in COLUMNS[table]:
        for row, value in connection.execute(f"SELECT rowid, {column} FROM {table}").fetchall():
            if value not in (None, b"", ""):
                found.append((row, column, value))
    return found


@pytest.mark.parametrize("table", COLUMNS)
def test_one_bit_in_every_column_of_every_row(quick: Path, table: str) -> None:
    path, chance = quick / "evening.db", random.Random(table)
    connection = sqlite3.connect(str(path), isolation_level=None)
    database = Database(connection, execute_plugins=False)
    triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    connection.execute("PRAGMA ignore_check_constraints = ON")
    unnoticed, tried = [], 0
    for row, column, value in cells(connection, table) * FLIPS_A_CELL:
        connection.execute("BEGIN")
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        try:
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", [flipped(value, chance), row])
        except sqlite3.IntegrityError:  # another row has this very number: no such flip can be stored
            connection.execute("ROLLBACK")
            continue
        for _, text in triggers:
            connection.execute(text)
        tried += 1
        if not fsck.examine(database, path, anchored=False).findings:
            unnoticed.append((row, column))
        connection.execute("ROLLBACK")
    connection.close()
    assert unnoticed == []
    assert tried


def every_row(path: Path) -> list[list[Any]]:
    """The whole schema and all rows of the tables of the log."""
    connection = sqlite3.connect(str(path))
    try:
        schema = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
        return [schema, *(connection.execute(f"SELECT * FROM {table}").fetchall() for table in COLUMNS)]
    finally:
        connection.close()


class Watch:
    """Compares images of a journal's file with the journal."""

    def __init__(self, folder: Path) -> None:
        self.image = folder / "image.db"
        self.data = (folder / "evening.db").read_bytes()
        self.before = seen(folder / "evening.db")
        self.rows = every_row(folder / "evening.db")
        self.known = keys.known(folder / "keys", ORIGIN)

    def is_noticed(self, data: bytes) -> bool:
        """Whether every row is as before, or the audit has findings, or the file cannot be read or reads as before."""
        for leftover in ("-wal", "-shm", "-journal"):
            self.image.with_name(self.image.name + leftover).unlink(missing_ok=True)
        self.image.write_bytes(data)
        try:
            if every_row(self.image) == self.rows:
                return True
            if fsck.audit(self.image, verifiers=self.known, anchored=False).findings:
                return True
            return seen(self.image) == self.before
        except UNREADABLE:
            return True


def flip_bits(folder: Path, count: int, seed: int) -> list[int]:
    """The places of flips that changed what a reader sees, unnoticed."""
    watch, chance, unnoticed = Watch(folder), random.Random(seed), []
    for _ in range(count):
        place = chance.randrange(len(watch.data) * 8)
        data = bytearray(watch.data)
        data[place // 8] ^= 1 << place % 8
        if not watch.is_noticed(bytes(data)):
            unnoticed.append(place)
    return unnoticed


def test_random_bits_of_the_file(quick: Path) -> None:
    assert flip_bits(quick, FLIPS, 1) == []


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_ten_thousand_random_bits_of_the_file(quick: Path) -> None:
    assert flip_bits(quick, FLIPS_SOAK, 2) == []


def page_size(data: bytes) -> int:
    return int.from_bytes(data[16:18])


def spoiled_files(data: bytes) -> Iterator[bytes]:
    size = page_size(data)
    pages = [data[at : at + size] for at in range(0, len(data), size)]
    for number in range(len(pages)):
        yield b"".join([*pages[:number], bytes(size), *pages[number + 1 :]])
        yield b"".join(pages[:number])
        yield b"".join(pages[:number]) + pages[number][: size // 2]
        for other in range(number + 1, min(number + 5, len(pages))):
            swapped = list(pages)
            swapped[number], swapped[other] = pages[other], pages[number]
            yield b"".join(swapped)
        for other in (number - 1, number + 1):
            if 0 <= other < len(pages):
                yield b"".join([*pages[:number], pages[other], *pages[number + 1 :]])


def test_pages_zeroed_swapped_doubled_and_cut_off(quick: Path) -> None:
    watch, tried = Watch(quick), 0
    for number, spoiled in enumerate(spoiled_files(watch.data)):
        assert watch.is_noticed(spoiled), number
        tried += spoiled != watch.data
    assert tried > 150


def test_the_check_itself_can_fail(quick: Path) -> None:
    """A journal with other content passes for noticed only because the audit compares with what was seen before."""
    watch = Watch(quick)
    assert len(watch.before) == 4
    assert watch.is_noticed(watch.data)
    watch.before, watch.rows = {}, []
    assert not watch.is_noticed(watch.data)
