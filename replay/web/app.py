"""The web application: a factory, its security headers, and what it answers when something is not there."""

import re
import secrets
from pathlib import Path
from typing import Any, Final

from flask import Flask, Response, abort, current_app, make_response, redirect, request
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from flask_wtf.csrf import CSRFError, CSRFProtect
from werkzeug.exceptions import HTTPException
from werkzeug.routing import BaseConverter

from recorder.words import LANGUAGES
from replay.desk_cases import CaseDesk
from replay.desk_journal import JournalDesk
from replay.desk_live import TableDesk
from replay.views.addresses import query
from replay.views.cards import sheet
from replay.views.marks import sprite
from replay.views.pages import ErrorPage
from replay.views.parts import Frame
from replay.views.shelf import size
from replay.web import api, disputes, gate, live, operations, reader, receipts, recordings, reference, turns, uploads
from replay.web.door import Desk
from replay.web.kept import KeptPages

TEMPLATES: Final = Path(__file__).resolve().parent.parent.parent / "templates"
MEBIBYTE: Final = 1024 * 1024
_HOST: Final = re.compile(r"(?P<name>[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?")
_POLICY: Final = (
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_KINDS: Final = {
    400: "bad_request",
    403: "forbidden",
    404: "not_found",
    405: "not_found",
    413: "too_large",
    429: "too_many",
    500: "failed",
}


class Number(BaseConverter):
    """A number as it is written once and only once: no `0003`, no digits of other scripts; no longer than one of a
    recording may be.
    """

    regex = "0|[1-9][0-9]{0,15}"

    def to_python(self, value: str) -> int:
        """The number itself."""
        return int(value)


class Key(BaseConverter):
    """A recording's id: 16 hex digits."""

    regex = "[0-9a-f]{16}"


def create_app(
    desk: Desk,
    *,
    secret: bytes | None = None,
    limit: int = 8 * MEBIBYTE,
    uploads_a_minute: int = 60,
    hosts: list[str] | None = None,
    framed_by: str = "*",
) -> Flask:
    """The application over a desk.

    `limit` is the size of a request in bytes; `hosts` are the names it answers to, small (all where `None`); without a
    `secret` forms grow old when the server restarts; `framed_by` are the sites that may show `/embed/...` in a frame.
    """
    app = Flask("replay.web", static_folder=str(reader.STATIC), template_folder=str(TEMPLATES))
    app.config.update(SECRET_KEY=secret or secrets.token_bytes(32), HOSTS=hosts, **_limits(limit))
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.config["FRAMED_BY"] = framed_by
    app.extensions["razbor-desk"] = desk
    app.extensions["razbor-pages"] = KeptPages()
    app.url_map.converters.update(number=Number, key=Key)
    app.url_map.strict_slashes = True
    CSRFProtect(app).exempt(api.pages)
    limiter = Limiter(get_remote_address, app=app)
    for blueprint in (uploads.pages, api.pages, disputes.pages):
        limiter.limit(f"{uploads_a_minute}/minute", methods=["POST"])(blueprint)
    for blueprint in (uploads.pages, recordings.pages, reference.pages, api.pages):
        app.register_blueprint(blueprint)
    if isinstance(desk, JournalDesk):  # cases are kept in its journal; a test's desk has none
        app.extensions["razbor-cases"] = CaseDesk(desk)
        app.register_blueprint(disputes.pages)
        app.register_blueprint(receipts.pages)
    if isinstance(desk, TableDesk):
        live.join(app, desk, uploads_a_minute)
    app.register_blueprint(recordings.pages, name="embedded", url_prefix="/embed/recordings")
    operations.join(app)
    turns.join(app)
    _wire(app)
    return app


def _wire(app: Flask) -> None:
    """What happens around every request."""
    app.context_processor(reader.context)
    app.before_request(_check_host)
    app.before_request(reader.admit)
    app.after_request(_finish)
    app.add_url_rule("/cards/<name>.svg", "cards", _cards)
    app.add_url_rule("/words/<lang>.json", "words", _words)
    app.register_error_handler(HTTPException, _failed)


def _limits(limit: int) -> dict[str, Any]:
    """The settings that bound a request; form fields and whole requests are bounded apart in Flask."""
    return {
        "UPLOAD_LIMIT": limit,
        "MAX_CONTENT_LENGTH": limit + 64 * 1024,
        "MAX_FORM_MEMORY_SIZE": limit,
        "MAX_FORM_PARTS": 200,
        "SESSION_COOKIE_SAMESITE": "Lax",
        "SESSION_COOKIE_HTTPONLY": True,
        "SEND_FILE_MAX_AGE_DEFAULT": 365 * 24 * 3600,
        "RATELIMIT_STORAGE_URI": "memory://",
    }


def _check_host() -> None:
    """Another site's name may lead to this address: what its pages ask for is not answered where `hosts` are given."""
    found, names = _HOST.fullmatch(request.headers.get("Host", "localhost")), current_app.config["HOSTS"]
    if found is None or (names is not None and found["name"].lower() not in names):
        abort(400)


def _finish(response: Response) -> Response:
    if request.path.startswith("/embed/"):
        told = response.headers.get("Content-Security-Policy", _POLICY)
        ours = told.replace("frame-ancestors 'none'", f"frame-ancestors {current_app.config['FRAMED_BY']}")
        response.headers["Content-Security-Policy"] = ours
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    for name, value in HEADERS.items():
        if not (name == "X-Frame-Options" and request.path.startswith("/embed/")):
            response.headers.setdefault(name, value)
    if not request.path.startswith(("/static/", "/cards/", "/words/")):
        response.headers.setdefault("Cache-Control", "private, no-cache")
    return reader.remember(response)


def _cards(name: str) -> Response:
    if name == "marks":
        drawing = sprite()
    elif name in LANGUAGES:
        drawing = sheet(name)
    else:
        abort(404)
    return _for_long(drawing, "image/svg+xml; charset=utf-8")


def _words(lang: str) -> Response:
    if lang not in LANGUAGES:
        abort(404)
    return _for_long(reader.word_list(lang), "application/json")


def _for_long(text: str, kind: str) -> Response:
    """What changes its address whenever it changes."""
    answer = make_response(text)
    answer.headers["Content-Type"] = kind
    answer.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    answer.set_etag(reader.stamp(text))
    answer.make_conditional(request)
    return answer


def _failed(error: HTTPException) -> Any:
    """One shape for everything that goes wrong: a page, or JSON where JSON was asked for."""
    code = error.code or 500
    if code < 400:
        return error
    kind = _KINDS.get(code, "bad_request")
    if request.path.endswith(".json") or request.path.startswith("/api/"):
        return gate.refused(gate.ApiError(code, "method-not-allowed" if code == 405 else kind.replace("_", "-")))
    if code == 405 and request.method == "GET":
        return redirect(_nearest(request.path) + query(tuple(request.args.items(multi=True))))
    words = reader.words()
    kind = "stale" if isinstance(error, CSRFError) else kind
    limit = size(current_app.config["UPLOAD_LIMIT"], words)
    frame = Frame(words.lang, words.say(f"error.{kind}"), reader.languages())
    page = ErrorPage(frame, code, words.say(f"error.{kind}"), words.say(f"error.{kind}_text", limit=limit))
    return reader.show("error.html", page, code)


def _nearest(path: str) -> str:
    """The page a form was sent from: what answers a form links to itself (language, deck), but cannot be fetched."""
    pages = current_app.url_map.bind("")
    while path.strip("/") and not pages.test(path, "GET"):
        path = path.rpartition("/")[0]
    return path or "/"
