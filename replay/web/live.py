"""The doors of a table that is being recorded, put into an application whose desk can write."""

import logging
from functools import partial
from typing import Any, Final

from flask import Flask, Response, request

from recorder.chain import LogError
from recorder.journal import CommandReusedError, EventsRefusedError, RestoredError, VersionConflictError
from recorder.store import StoreError
from replay.audit.effort import TooLongError
from replay.desk_live import TableDesk
from replay.views.pages import ErrorPage
from replay.views.parts import Frame
from replay.web import compare, gate, listing, live_api, reader, table_mend, table_setup, tables, watch
from replay.web.gate import ApiError

_LOG: Final = logging.getLogger("razbor.web")
_KINDS: Final = {401: "forbidden", 403: "forbidden", 404: "not_found", 503: "away"}


def join(app: Flask, desk: TableDesk, tables_a_minute: int) -> None:
    """The API, the pad and the watchers' page; who asks for a live recording is known from then on.

    From one address no more than `tables_a_minute` are begun.
    """
    desk.viewer = gate.whoever
    desk.guest = partial(gate.by_cookie, desk)
    app.extensions["csrf"].exempt(live_api.pages)
    app.config["WTF_CSRF_TIME_LIMIT"] = None  # an evening is longer than an hour
    for door in (live_api, listing, tables, table_setup, table_mend, watch, compare):
        app.register_blueprint(door.pages)
    for limiter in app.extensions["limiter"]:
        for name in ("live_api.create", "table_setup.create"):
            app.view_functions[name] = limiter.limit(f"{tables_a_minute}/minute")(app.view_functions[name])
    app.register_error_handler(ApiError, refuse)
    app.register_error_handler(EventsRefusedError, lambda error: refuse(ApiError(422, "events-refused", error.refusal)))
    app.register_error_handler(VersionConflictError, _conflict)
    app.register_error_handler(CommandReusedError, lambda _: refuse(ApiError(422, "command-reused")))
    app.register_error_handler(RestoredError, lambda _: refuse(ApiError(503, "read-only")))
    app.register_error_handler(StoreError, _away)
    app.register_error_handler(LogError, _broken)
    app.register_error_handler(TooLongError, lambda _: refuse(ApiError(422, "too-long")))


def _conflict(error: VersionConflictError) -> Response:
    return refuse(ApiError(412, "version-conflict", version=error.current))


def _away(error: StoreError) -> Response:
    """The server that holds the journal does not do its part; the log says why."""
    _LOG.error("journal: %s", error)
    return refuse(ApiError(503, "journal-away"))


def _broken(error: LogError) -> Response:
    """Somebody changed what was stored; which recording it is, `razbor audit-log` tells."""
    _LOG.error("journal: %s at event %d", error.code, error.seq)
    return refuse(ApiError(503, "not-as-stored"))


def refuse(error: ApiError) -> Response:
    """The API's shape where a program asked, a page where a person did."""
    if request.path.startswith("/api/") or request.path.endswith(".json"):
        return gate.refused(error)
    words: Any = reader.words()
    text = words.say(f"pad.api.{error.code}")
    kind = "broken" if error.code == "not-as-stored" else _KINDS.get(error.status, "bad_request")
    frame = Frame(words.lang, words.say(f"error.{kind}"), reader.languages())
    return reader.show("error.html", ErrorPage(frame, error.status, words.say(f"error.{kind}"), text), error.status)
