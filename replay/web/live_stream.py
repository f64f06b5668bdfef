"""Server-sent events under a server with few threads: some streams are held open, the rest are served in turns.

A held stream keeps a thread. So many are held and no more; whoever comes on top of that gets what is new at once and is
told when to ask again. Either way every event comes once, in order, by its number.
"""

import json
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from typing import Any, Final

from replay.desk_live import Role, TableDesk

HELD: Final = 6
"""Streams held open at one time in one process, of the 16 threads that `razbor serve` has."""
HEARTBEAT: Final = 10.0
LONGEST: Final = 60.0
"""Seconds after which a held stream ends and the browser comes again."""
AGAIN: Final = 2000
"""Milliseconds after which one of the crowd asks again."""
MOST_AT_ONCE: Final = 500

Dress = Callable[[Mapping[str, Any]], dict[str, Any]]
"""What is sent of an event."""
_places: Final = threading.BoundedSemaphore(HELD)


def pieces(desk: TableDesk, key: str, role: Role, after: int, dress: Dress = dict) -> Iterator[bytes] | list[bytes]:
    """The stream after event `after` (-1: from the first), as this role may have it."""
    places = _places
    if places.acquire(blocking=False):
        return _Held(places, _pieces(desk, key, role, after, dress))
    text, _, _ = _news(desk, key, role, after, dress)
    return [b"retry: %d\n: one of many\n\n" % AGAIN + text]


def _news(desk: TableDesk, key: str, role: Role, after: int, dress: Dress) -> tuple[bytes, int, bool]:
    """What is new after an event, the number of its last, and whether the recording has ended."""
    found = desk.stretch(desk.table(key), role.view, after, MOST_AT_ONCE)
    text = b"".join(
        b"id: %d\ndata: %s\n\n" % (seq, json.dumps(dress(event), ensure_ascii=False).encode())
        for seq, event in enumerate(found.events, after + 1)
    )
    last = after + len(found.events)
    ended = found.ended and last + 1 >= found.version
    return text + (b"event: ended\ndata: {}\n\n" if ended else b""), last, ended


class _Held:
    """One stream held open; the server closes it when the other side has gone. It frees the place that it took."""

    def __init__(self, places: threading.BoundedSemaphore, walk: Generator[bytes, None, None]) -> None:
        self._places = places
        self._walk = walk
        self._freed = False

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        return next(self._walk)

    def close(self) -> None:
        """The place is free for another."""
        self._walk.close()
        if not self._freed:
            self._freed = True
            self._places.release()


def _pieces(desk: TableDesk, key: str, role: Role, after: int, dress: Dress) -> Generator[bytes, None, None]:
    until = time.monotonic() + LONGEST
    yield b"retry: 1000\n: held\n\n"
    while time.monotonic() < until:
        text, after, ended = _news(desk, key, role, after, dress)
        if text:
            yield text
        if ended:
            return
        before = time.monotonic()
        desk.wait(key, after + 1, role.view, HEARTBEAT)
        if time.monotonic() - before >= HEARTBEAT - 1:
            yield b": still here\n\n"
