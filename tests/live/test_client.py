"""The example client plays hands over a line that repeats, shuffles and loses what it carries; the log is exact."""

import itertools
import json
import random
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from data.examples.client import RefusedError, Table
from replay.desk_live import TableDesk
from tests.live.conftest import Json
from tests.walks.bura import evening

HANDS = 100
EACH = 4


BROKEN = itertools.cycle(
    [
        b"",
        b"HT",
        b"HTTP/1.0 201 CREATED\r\nContent-Length: 47\r\n",
        b'HTTP/1.0 201 CREATED\r\nContent-Length: 47\r\n\r\n{"seqs":[',
        b'HTTP/1.0 201 CREATED\r\n\r\n{"seqs":[1],"version":2',
        b'HTTP/1.0 412 PRECONDITION FAILED\r\nContent-Length: 47\r\n\r\n{"err',
        b"HTTP/1.0 502 BAD GATEWAY\r\nContent-Length: 470\r\n\r\n<html>",
    ]
)
"""Where an answer is lost: as much of it as comes through."""


class Relay:
    """Carries every delivery twice or more, old ones among the new, in an order of its own, and loses answers."""

    def __init__(self, server: str) -> None:
        self.server = server
        self.rng = random.Random(7)
        self.old: list[tuple[str, bytes, dict[str, str]]] = []
        self.lock = threading.Lock()
        self.carried = self.broken = 0

    def carry(self, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
        letter = (path, body, headers)
        with self.lock:
            self.old = [*self.old[-40:], letter]
            others = self.rng.sample(self.old, min(1, len(self.old)))
            mine = [letter, letter, *others]
            self.rng.shuffle(mine)
            wait, lost = self.rng.random() * 0.01, self.rng.random() < 0.15
        time.sleep(wait)
        answers = [self.deliver(*each) for each in mine]
        if lost:
            return 0, b""
        return next(answer for each, answer in zip(mine, answers, strict=True) if each is letter)

    def deliver(self, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
        self.carried += 1
        asked = urllib.request.Request(self.server + path, body, headers, method="POST")
        try:
            with urllib.request.urlopen(asked, timeout=30) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            self.broken += error.code >= 500
            return error.code, error.read()


@pytest.fixture
def relay(address: str) -> Iterator[tuple[str, Relay]]:
    line = Relay(address)

    class Door(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            wanted = ("Authorization", "If-Match", "Idempotency-Key", "Content-Type")
            headers = {name: self.headers[name] for name in wanted if self.headers[name]}
            status, answer = line.carry(self.path, body, headers)
            if not status:
                self.close_connection = True
                self.wfile.write(next(BROKEN))
                return
            self.send_response(status)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Door)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", line
    server.shutdown()
    thread.join()
    server.server_close()


def bare(event: Json) -> Json:
    return {name: value for name, value in event.items() if name not in ("seq", "id")}


def test_a_hundred_hands_arrive_exactly(address: str, relay: tuple[str, Relay], desk: TableDesk) -> None:
    through, line = relay
    played = 0
    for seed in range(HANDS // EACH):
        header, *rest = evening(seed, hands=EACH, seats=2 + seed % 3)
        begun = {name: header[name] for name in header if name not in ("seq", "type", "format")}
        table = Table.create(address, begun)
        table.server = through
        table.play([bare(event) for event in rest], batch=6, lanes=3)
        stored = [json.loads(row) for row in desk.journal.export(table.key).splitlines()]
        assert [bare(event) for event in stored] == [bare(event) for event in (header, *rest)]
        assert [event["seq"] for event in stored] == list(range(len(rest) + 1))
        table.server = address
        assert table.report()["verdict"] == "verified"
        assert [bare(event) for event in table.events()] == [bare(event) for event in stored]
        played += sum(event["type"] == "hand_began" for event in rest)
    assert played >= HANDS * 0.9
    assert line.carried > 300
    assert line.broken == 0


def test_a_second_writer_is_told_the_version(address: str) -> None:
    header, *rest = evening(1, hands=1)
    begun = {name: header[name] for name in header if name not in ("seq", "type", "format")}
    table = Table.create(address, begun)
    table.play([bare(rest[0])])
    with pytest.raises(RefusedError) as refused:
        table.append([{"type": "noted", "text": "too late", "id": "z"}], 1)
    assert (refused.value.status, refused.value.error["version"]) == (412, 2)
