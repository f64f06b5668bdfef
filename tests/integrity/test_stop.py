"""`razbor serve` is told to end while tables are written: nothing acknowledged is lost, what was begun is answered."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined] # the one sqlite-utils itself found

from recorder import anchor, fsck
from recorder.anchor import Anchor
from recorder.journal import Journal
from tests.cli.razbor import PLAIN, ROOT, RUN
from tests.integrity.evening import texts
from tests.live.conftest import HEADER

WRITERS = 4


@dataclass
class Table:
    """A table, its scribe's token, and the texts of the events that were acknowledged."""

    key: str
    token: str
    acknowledged: list[str] = field(default_factory=list)

    def append(self, connection: http.client.HTTPConnection, text: str, version: int) -> int:
        """The answer's status."""
        self.send(connection, text, version)
        return self.answered(connection, text)

    def send(self, connection: http.client.HTTPConnection, text: str, version: int) -> None:
        headers = {
            "Authorization": f"Bearer {self.token}", "If-Match": f'"{version}"', "Content-Type": "application/json",
        }  # fmt: skip
        body = json.dumps({"events": [{"type": "noted", "text": text}]})
        connection.request("POST", f"/api/v1/tables/{self.key}/events", body, headers)

    def answered(self, connection: http.client.HTTPConnection, text: str) -> int:
        answer = connection.getresponse()
        answer.read()
        if answer.status == 201:
            self.acknowledged.append(text)
        return answer.status


@dataclass
class Served:
    process: "subprocess.Popen[bytes]"
    path: Path
    port: int

    def connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port)

    def table(self) -> Table:
        with closing(self.connection()) as connection:
            connection.request("POST", "/api/v1/tables", json.dumps({"header": HEADER}))
            made: dict[str, Any] = json.loads(connection.getresponse().read())
        return Table(made["key"], made["links"][0]["token"])

    def end(self) -> None:
        """Tells it to end, and waits until it knows."""
        self.process.send_signal(signal.SIGTERM)
        status = Path(f"/proc/{self.process.pid}/status")
        while status.exists():
            pending = re.search(r"ShdPnd:\s*(\w+)", status.read_text())
            if not pending or "State:\tZ" in status.read_text() or not int(pending[1], 16) >> (signal.SIGTERM - 1) & 1:
                return


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    path = tmp_path / "journal.db"
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RAZBOR")}
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, "serve", "--db", str(path), "--port", "0"],
        env={**kept, **PLAIN, "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout
    told = re.search(rb":(\d+)/", process.stdout.readline())
    assert told
    yield Served(process, path, int(told[1]))
    process.kill()
    process.wait()
    process.stdout.close()


def check_stored(served: Served, tables: list[Table]) -> None:
    """Everything acknowledged is there and no event has a gap before it; the log is sound, and signed to its end."""
    assert served.process.wait() == 0
    journal = Journal.open(served.path)
    for table in tables:
        stored = texts(journal, table.key)
        assert stored[: len(table.acknowledged)] == table.acknowledged
        assert len(stored) <= len(table.acknowledged) + 1
    size, origin = journal.size()[0], journal.origin
    journal.close()
    assert fsck.audit(served.path).findings == ()
    with closing(Anchor.open(anchor.directory(served.path))) as kept:
        anchored = kept.of(origin)
    assert anchored is not None
    assert anchored.size == size


def test_what_was_acknowledged_is_there_after_the_end(served: Served) -> None:
    tables = [served.table() for _ in range(WRITERS)]
    enough = threading.Barrier(WRITERS + 1)

    def write(table: Table) -> None:
        version = 1
        with closing(served.connection()) as connection:
            while True:
                try:
                    if table.append(connection, f"number {version}", version) != 201:
                        return
                except (http.client.HTTPException, OSError):
                    return
                if version == 5:
                    enough.wait()
                version += 1

    threads = [threading.Thread(target=write, args=[table]) for table in tables]
    for thread in threads:
        thread.start()
    enough.wait()
    served.end()
    for thread in threads:
        thread.join()
    assert all(len(table.acknowledged) >= 5 for table in tables)
    check_stored(served, tables)


@contextmanager
def nobody_can_write(path: Path) -> Iterator[None]:
    """Somebody else holds the journal's write lock."""
    with closing(sqlite3.connect(str(path), isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


def test_what_was_begun_is_answered(served: Served) -> None:
    """An append waits for the write lock when the service is told to end: it is stored, and its writer hears of it."""
    table = served.table()
    with closing(served.connection()) as connection:
        with nobody_can_write(served.path):
            table.send(connection, "number 1", 1)
            with closing(served.connection()) as later:  # who came later was answered: the append was begun
                later.request("GET", f"/api/v1/tables/{table.key}")
                later.getresponse().read()
            served.end()
            assert served.process.poll() is None
        assert table.answered(connection, "number 1") == 201
    check_stored(served, [table])
    assert table.acknowledged == ["number 1"]
