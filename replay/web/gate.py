"""Who asks: a bearer token, or the cookie that a role link leaves; and the one shape in which the API refuses."""

import re
from typing import Any, Final

from flask import Response, current_app, g, jsonify, request

from recorder.roles import OPERATOR
from recorder.rows import Entry, UnknownRecordingError
from replay.desk_live import NOBODY, Role, TableDesk
from replay.web import reader
from schemas.problems import Refusal

_BEARER: Final = re.compile(r"Bearer +([A-Za-z0-9._~+/=-]{1,200})", re.IGNORECASE)
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{10,64}")
SAFE: Final = ("GET", "HEAD")


class ApiError(Exception):
    """A refusal of the API: HTTP status, code, and what else belongs to it."""

    def __init__(self, status: int, code: str, problems: Refusal | None = None, version: int | None = None) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.problems = problems
        self.version = version


def refused(error: ApiError) -> Response:
    """`{"error": {"code", "message", "problems"?}}`, with the version now where another was expected."""
    words = reader.words()
    told: dict[str, Any] = {"code": error.code, "message": words.say(f"pad.api.{error.code}")}
    if error.problems is not None:
        told["problems"] = [
            {
                "line": each.line,
                "field": each.field,
                "code": str(each.code),
                "message": words.template(f"problems.{each.code}").format_map({**each.args, "field": each.field}),
            }
            for each in error.problems.problems
        ]
    if error.version is not None:
        told["version"] = error.version
    answer = jsonify({"error": told})
    answer.status_code = error.status
    if error.version is not None:
        answer.headers["ETag"] = f'"{error.version}"'
    if error.status == 401:
        answer.headers["WWW-Authenticate"] = "Bearer"
    return answer


def tables() -> TableDesk | None:
    """The desk, if it is one that writes."""
    desk = reader.desk()
    return desk if isinstance(desk, TableDesk) else None


def desk() -> TableDesk:
    """The desk that writes; 404 where this application has none."""
    found = tables()
    if found is None:
        raise ApiError(404, "no-such-table")
    return found


def bearer() -> str:
    """The token of the request's `Authorization`, or nothing."""
    given = request.headers.get("Authorization", "")
    found = _BEARER.fullmatch(given.strip())
    return found[1] if found else given and "?"


def cookie_name(key: str) -> str:
    """The cookie in which a role link is kept, one a table."""
    return f"role-{key}"


def whoever(key: str) -> Role:
    """Who asks for this recording: by bearer token or, where nothing is changed, by cookie; 401 for a false token."""
    found = tables()
    if found is None:
        return NOBODY
    known: dict[str, Role] = g.setdefault("roles", {})
    if key not in known:
        token = bearer()
        role = found.role(key, token) if token else NOBODY
        if role is None:
            raise ApiError(401, "unknown-token")
        known[key] = role if token else by_cookie(found, key)
    return known[key]


def by_cookie(found: TableDesk, key: str) -> Role:
    """Who asks by the cookie of a role link."""
    token = request.cookies.get(cookie_name(key), "")
    return (found.role(key, token) if _TOKEN.fullmatch(token) else None) or NOBODY


def programs_only(key: str) -> Role:
    """Who wants to change something through the API: only a bearer token counts, browsers send cookies unasked."""
    role = whoever(key) if bearer() or request.method in SAFE else NOBODY
    if role is NOBODY:
        raise ApiError(401, "token-needed")
    return role


def operator() -> Role | None:
    """The operator whose token the request bears; None without a token, 401 with a false one."""
    token = bearer()
    if not token:
        return None
    role = desk().role("", token)
    if role is None or role.name != OPERATOR:
        raise ApiError(401, "unknown-token")
    return role


def table(key: str) -> Entry:
    """The live recording of a key; 404."""
    try:
        return desk().table(key)
    except UnknownRecordingError as error:
        raise ApiError(404, "no-such-table") from error


def lets_in(form_token: str = "") -> str:
    """Who makes a table, as the journal notes it; 401 where an operator's token is demanded and none is given."""
    found = operator()
    if found is None and form_token:
        found = desk().role("", form_token) if _TOKEN.fullmatch(form_token) else None
        if found is None:
            raise ApiError(401, "unknown-token")
    if found is None and desk().require_token:
        raise ApiError(401, "token-needed")
    return found.actor if found else "table"


def secure() -> bool:
    """Whether cookies are to travel over TLS only."""
    return request.is_secure or bool(current_app.config.get("SESSION_COOKIE_SECURE"))
