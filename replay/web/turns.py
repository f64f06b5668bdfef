"""No client keeps the others waiting: how much one address may ask for at once, and how much one request may cost.

A thread that judges is held until it is done, and all of them share the processor. So one address has so many requests
under way and no more, fewer where some of them take long; and what asks for more than a judgement may cost is refused.
"""

import threading
import time
from collections import defaultdict
from collections.abc import Callable
from ipaddress import ip_address
from typing import Final

from flask import Flask, Response, abort, g, request

from replay.audit import effort

MOST_STEPS: Final = 20_000
"""What one request may look for among unseen cards: some twenty seconds, and an evening of two hundred hands."""
MOST_AT_ONCE: Final = 6
"""Requests of one address under way at one time, of the 16 threads that `razbor serve` has."""
MOST_SLOW: Final = 3
"""So many of them may be slow; then no other is begun."""
SLOW: Final = 1.0
"""Seconds."""
AGAIN: Final = "5"
"""Seconds after which somebody who was refused may ask again."""
_FREE: Final = ("static", "cards", "words", "operations.health", "operations.ready", "operations.metrics")
_STREAMS: Final = ("live_api.stream", "watch.stream")
"""They wait rather than work, and have a bound of their own."""


class Turns:
    """The requests that are under way, by address. `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._begun: defaultdict[str, list[float]] = defaultdict(list)

    def begin(self, address: str) -> float | None:
        """When one more was begun, to end it by; None where this address has enough."""
        now = self._clock()
        with self._lock:
            under_way = self._begun.get(address, ())
            slow = sum(1 for each in under_way if now - each > SLOW)
            if len(under_way) >= MOST_AT_ONCE or slow >= MOST_SLOW:
                return None
            self._begun[address].append(now)
            return now

    def end(self, address: str, begun: float) -> None:
        """It is answered."""
        with self._lock:
            self._begun[address].remove(begun)
            if not self._begun[address]:
                del self._begun[address]


def join(app: Flask) -> None:
    """Puts the bounds into an application."""
    turns = app.extensions["razbor-turns"] = Turns()

    def begin() -> None:
        g.bound = effort.at_most(MOST_STEPS)
        g.bound.__enter__()
        address = request.remote_addr or ""
        if request.endpoint in (*_FREE, *_STREAMS) or _is_here(address):
            return
        begun = turns.begin(address)
        if begun is None:
            abort(429)
        g.turn = address, begun

    def end(_error: BaseException | None) -> None:
        if "bound" in g:
            g.pop("bound").__exit__(None, None, None)
        if "turn" in g:
            turns.end(*g.pop("turn"))

    app.before_request(begin)
    app.teardown_request(end)
    app.after_request(_told)


def _told(response: Response) -> Response:
    if response.status_code == 429:
        response.headers.setdefault("Retry-After", AGAIN)
    return response


def _is_here(address: str) -> bool:
    """Whether it is this machine itself: its owner, or a proxy that does not say for whom it asks."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
