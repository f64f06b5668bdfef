"""Many watch one table under the real server: each gets every event once, and ordinary pages stay quick."""

import contextlib
import http.client
import json
import statistics
import threading
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
import waitress

from replay.cli_serve import THREADS
from replay.desk_live import TableDesk
from replay.web.app import create_app
from replay.web.live_stream import HELD
from tests.live.conftest import Seated, seated

WATCHERS = 200
WRITTEN = 12


class Watcher(threading.Thread):
    """Reads as a browser's EventSource does: goes on after the last number, waits as it was told, comes again."""

    def __init__(self, address: str, key: str) -> None:
        super().__init__(daemon=True)
        self.place = urlsplit(address)
        self.key = key
        self.got: list[int] = []
        self.visits = 0
        self.stop = threading.Event()

    def run(self) -> None:
        while not self.stop.is_set():
            again = self._visit()
            self.stop.wait(again)

    def _visit(self) -> float:
        again = 1.0
        line = http.client.HTTPConnection(self.place.hostname or "", self.place.port, timeout=30)
        headers = {"Last-Event-ID": str(self.got[-1])} if self.got else {}
        self.visits += 1
        try:
            line.request("GET", f"/api/v1/tables/{self.key}/stream", headers=headers)
            answer = line.getresponse()
            for row in answer:
                if row.startswith(b"retry:"):
                    again = int(row[6:]) / 1000
                elif row.startswith(b"id:"):
                    self.got.append(int(row[3:]))
                if self.stop.is_set():
                    break
        except OSError:
            return again
        finally:
            line.close()
        return again


@pytest.fixture
def served(desk: TableDesk) -> Iterator[tuple[str, Seated]]:
    app = create_app(desk, secret=b"tests")
    table = seated(app.test_client())
    server = waitress.create_server(app, host="127.0.0.1", port=0, threads=THREADS, connection_limit=1000)
    thread = threading.Thread(target=_run, args=[server], daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.effective_port}", table
    server.close()
    thread.join(timeout=30)


def _run(server: "waitress.server.BaseWSGIServer") -> None:
    with contextlib.suppress(OSError):  # closed, it waits for sockets that are no more
        server.run()


def seconds_for_a_page(address: str) -> float:
    place = urlsplit(address)
    with contextlib.closing(http.client.HTTPConnection(place.hostname or "", place.port, timeout=30)) as line:
        began = time.perf_counter()
        line.request("GET", "/rules")
        assert line.getresponse().read()
        return time.perf_counter() - began


@pytest.mark.timeout(240)
@pytest.mark.filterwarnings("ignore")
def test_two_hundred_watchers_miss_nothing_and_starve_nobody(served: tuple[str, Seated]) -> None:
    address, table = served
    calm = statistics.median(seconds_for_a_page(address) for _ in range(9))
    crowd = [Watcher(address, table.key) for _ in range(WATCHERS)]
    for each in crowd:
        each.start()
    took = []
    for written in range(1, WRITTEN + 1):
        assert table.append([{"type": "noted", "text": str(written)}], written).status_code == 201
        for _ in range(3):
            took.append(seconds_for_a_page(address))
            time.sleep(0.1)
    until = time.monotonic() + 120
    while time.monotonic() < until and any(len(each.got) <= WRITTEN for each in crowd):
        time.sleep(0.2)
    for each in crowd:
        each.stop.set()
    assert [each.got for each in crowd] == [list(range(WRITTEN + 1))] * WATCHERS
    assert max(each.visits for each in crowd) > 1
    middle = statistics.median(took)
    print(json.dumps({"median_ms": round(middle * 1000, 1), "worst_ms": round(max(took) * 1000, 1), "held": HELD}))
    assert middle < max(0.1, 10 * calm), "who starves waits for a stream to end, which is a matter of many seconds"
