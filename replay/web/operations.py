"""For who keeps the service running: is it alive, can it write, how much of what; and one line of log a request.

Nothing here names a recording, a person or a card: an address may be the key to what it shows.
"""

import json
import logging
import threading
import time
from collections import Counter
from collections.abc import Iterator
from typing import Final

from flask import Blueprint, Flask, Response, abort, current_app, g, jsonify, request

from recorder.anchor import RestoredError
from recorder.store import StoreError
from replay.desk_journal import JournalDesk
from replay.web import reader

pages = Blueprint("operations", __name__)
METRICS: Final = "METRICS"
"""The setting that opens `/metrics`."""
_ACCESS: Final = logging.getLogger("razbor.access")
_METHODS: Final = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH")
_KIND: Final = "text/plain; version=0.0.4; charset=utf-8"


class Counts:
    """How many requests of which kind were answered how, and in what time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.answered: Counter[tuple[str, str, int]] = Counter()
        self.seconds: Counter[str] = Counter()

    def note(self, page: str, method: str, status: int, seconds: float) -> None:
        """One more answer."""
        with self._lock:
            self.answered[page, method, status] += 1
            self.seconds[page] += seconds  # type: ignore[assignment] # a counter counts anything

    def lines(self) -> Iterator[str]:
        """As Prometheus reads it."""
        with self._lock:
            answered, seconds = sorted(self.answered.items()), sorted(self.seconds.items())
        yield "# TYPE razbor_requests_total counter"
        for (page, method, status), count in answered:
            yield f'razbor_requests_total{{page="{page}",method="{method}",status="{status}"}} {count}'
        yield "# TYPE razbor_request_seconds_total counter"
        for page, spent in seconds:
            yield f'razbor_request_seconds_total{{page="{page}"}} {spent:.6f}'


def join(app: Flask) -> None:
    """Puts the pages into an application, and counts and logs what it answers."""
    app.extensions["razbor-counts"] = Counts()
    app.config.setdefault(METRICS, False)
    app.before_request(_begin)
    app.after_request(_note)
    app.register_blueprint(pages)


def _begin() -> None:
    g.begun = time.perf_counter()


def _note(response: Response) -> Response:
    page = request.endpoint or "none"
    method = request.method if request.method in _METHODS else "other"
    spent = time.perf_counter() - g.get("begun", time.perf_counter())
    current_app.extensions["razbor-counts"].note(page, method, response.status_code, spent)
    told = {"page": page, "method": method, "status": response.status_code, "ms": round(spent * 1000, 1)}
    _ACCESS.info("%s", json.dumps(told), extra={"told": told})
    return response


@pages.get("/healthz")
def health() -> Response:
    """The process answers."""
    return Response("ok\n", mimetype="text/plain")


@pages.get("/readyz")
def ready() -> Response:
    """The journal can be read and may be written to; 503 and why where not."""
    desk = reader.desk()
    journal = desk.journal if isinstance(desk, JournalDesk) else None
    reason = None
    if journal is not None:
        try:
            journal.size()
            journal.ready()
        except RestoredError as error:
            reason = error.code
        except StoreError as error:
            reason = f"store/{error.code}"
    answer = jsonify({"ready": reason is None, "reason": reason})
    answer.status_code = 503 if reason else 200
    return answer


@pages.get("/metrics")
def metrics() -> Response:
    """Counters as text; only where the setting opens them."""
    if not current_app.config[METRICS]:
        abort(404)
    lines = [*current_app.extensions["razbor-counts"].lines(), *_journal_lines()]
    return Response("\n".join(lines) + "\n", content_type=_KIND)


def _journal_lines() -> Iterator[str]:
    desk = reader.desk()
    if not isinstance(desk, JournalDesk):
        return
    events, recordings = desk.journal.size()
    for name, kind, value in (
        ("events", "gauge", events),
        ("recordings", "gauge", recordings),
        ("writable", "gauge", int(desk.journal.refusal is None)),
        ("signatures_failed_total", "counter", desk.seal.failed),
    ):
        yield f"# TYPE razbor_{name} {kind}"
        yield f"razbor_{name} {value}"
