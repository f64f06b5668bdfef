#!/usr/bin/env python3
"""Record a game with Razbor while it is played: a client of its API that needs nothing but Python.

    python client.py http://127.0.0.1:8000 evening.bura.jsonl

plays the events of a file to the server as a game server would send them. What makes it safe on a bad line:

* every event has an `id` of its own, so that a second delivery of it is harmless;
* every request has an `Idempotency-Key`, so that the same request gets the same answer;
* `If-Match` says how many events must stand there before: what comes too early is refused (412) and sent again.

In your own server: `create` when the table opens, `append` after each move, from one thread or from several.
"""

import http.client
import json
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

Json = dict[str, Any]
PATIENCE = 60.0
"""Seconds for which a request is sent again while nobody answers or the version is not yet the right one."""


class RefusedError(Exception):
    """The server said no: status, code, problems."""

    def __init__(self, status: int, error: Json) -> None:
        super().__init__(f"{status} {error.get('code')}: {error.get('message')} {error.get('problems', '')}")
        self.status = status
        self.error = error


class Table:
    """One live recording. `key` is its address, `links` holds the token and address of every role."""

    def __init__(self, server: str, key: str, token: str, links: list[Json] | None = None) -> None:
        self.server = server.rstrip("/")
        self.key = key
        self.token = token
        self.links = links or []

    @classmethod
    def create(cls, server: str, header: Json, operator: str = "") -> "Table":
        """A new table; `header` holds game, rules and seats. `operator` is a token, where the server demands one."""
        made = call(f"{server.rstrip('/')}/api/v1/tables", "POST", {"header": header}, operator)
        scribe = next(link["token"] for link in made["links"] if link["role"] == "scribe")
        return cls(server, made["key"], scribe, made["links"])

    def append(self, events: list[Json], version: int) -> Json:
        """Events after the first `version` ones, all or none; sent again until the server has said yes or no."""
        headers = {"If-Match": f'"{version}"', "Idempotency-Key": f"{events[0]['id']}:{len(events)}"}
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return call(self._at("events"), "POST", {"events": events}, self.token, headers)
            except RefusedError as refused:
                early = refused.status == 412 and refused.error["version"] < version
                if not early or time.monotonic() > until:
                    raise
            except OSError:
                if time.monotonic() > until:
                    raise
            time.sleep(0.02)

    def play(self, events: Iterable[Json], batch: int = 1, lanes: int = 1) -> None:
        """All events after the first, so many a request and so many requests on the way at one time."""
        numbered = [{**event, "id": event.get("id", f"e{place}")} for place, event in enumerate(events, 1)]
        pieces = [(place, numbered[place : place + batch]) for place in range(0, len(numbered), batch)]
        with ThreadPoolExecutor(lanes) as pool:
            for done in [pool.submit(self.append, piece, place + 1) for place, piece in pieces]:
                done.result()

    def events(self) -> Iterator[Json]:
        """The events that stand there, as this role may have them."""
        after: int | None = -1
        while after is not None:
            found = call(self._at("events" if after < 0 else f"events?after={after}"), "GET", None, self.token)
            yield from found["events"]
            after = found["next"]

    def report(self) -> Json:
        """The report so far."""
        return call(self._at("report"), "GET", None, self.token)

    def _at(self, place: str) -> str:
        return f"{self.server}/api/v1/tables/{self.key}/{place}"


def call(address: str, method: str, data: Json | None, token: str = "", headers: Json | None = None) -> Json:
    """One request; `RefusedError` where the server refuses, `OSError` where nobody answers."""
    body = None if data is None else json.dumps(data).encode()
    told = {"Content-Type": "application/json", **(headers or {})}
    asked = urllib.request.Request(address, body, told, method=method)  # noqa: S310 - the caller's own server
    if token:
        asked.add_header("Authorization", f"Bearer {token}")
    try:
        try:
            with urllib.request.urlopen(asked, timeout=30) as answer:  # noqa: S310
                found: Json = json.load(answer)
                return found
        except urllib.error.HTTPError as error:
            if error.code >= 500:
                raise OSError(str(error)) from error
            raise RefusedError(error.code, json.load(error)["error"]) from error
    except (http.client.HTTPException, ValueError) as broken:  # the line was lost in the middle of the answer
        raise OSError(str(broken)) from broken


def main() -> None:
    """Plays a file to a server and prints the verdict and the links."""
    server, name, *operator = sys.argv[1:]
    lines = Path(name).read_text(encoding="utf-8").split("\n")
    header, *events = [json.loads(line) for line in lines if line.strip()]
    begun = {name: header[name] for name in header if name not in ("seq", "type", "format")}
    table = Table.create(server, begun, *operator)
    for link in table.links:
        sys.stdout.write(f"{link['role']:>8}  {server}{link['href']}\n")
    table.play({name: event[name] for name in event if name != "seq"} for event in events)
    sys.stdout.write(f"{server}/tables/{table.key}/watch {table.report()['verdict']}\n")


if __name__ == "__main__":
    main()
