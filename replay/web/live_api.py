"""The API for game servers: tables written event by event; every answer is JSON, every refusal has one shape."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any, Final

from flask import Blueprint, Response, jsonify, request

from recorder.roles import NewLink, RoleLink, UnknownLinkError
from recorder.rows import Entry
from replay import desk_confirm
from replay.desk_live import LONGEST_DELAY, Role
from replay.web import gate, live_openapi, live_stream, reader
from replay.web.gate import ApiError
from schemas.values import GREATEST

pages = Blueprint("live_api", __name__, url_prefix="/api/v1")
MOST_EVENTS: Final = 500
MOST_READ: Final = 1000
_VERSION: Final = re.compile(r'(?:W/)?"?(0|[1-9][0-9]{0,8})"?')
_COMMAND: Final = re.compile(r"[A-Za-z0-9._:-]{1,64}")
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,8}")
ROLE: Final = re.compile(r"scribe|arbiter|seat:[1-9]")
"""The roles a link may be made for."""


@pages.get("/openapi.json")
def openapi() -> Response:
    """What this API takes and answers, OpenAPI 3.1."""
    return jsonify(live_openapi.document())


# -- reading what is asked -------------------------------------------------------------------------------------------


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ApiError(400, "not-json")
    return dict(pairs)


def body() -> dict[str, Any]:
    """The JSON object of a request, as strict as a recording's line; 400."""
    try:
        found = json.loads(request.get_data() or b"{}", object_pairs_hook=_pairs)
    except (ValueError, RecursionError) as error:
        raise ApiError(400, "not-json") from error
    if not isinstance(found, dict):
        raise ApiError(400, "not-an-object")
    return found


def only(found: Mapping[str, Any], *names: str) -> None:
    """400 where an object holds other fields."""
    if set(found) - set(names):
        raise ApiError(400, "unknown-field")


def _text(found: Mapping[str, Any], name: str) -> str:
    value = found.get(name)
    if not isinstance(value, str) or not 1 <= len(value) <= 500 or any(not each.isprintable() for each in value):
        raise ApiError(400, "bad-value")
    return value


def _whole(value: object, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ApiError(400, "bad-value")
    return value


def number(name: str, default: int, most: int) -> int:
    """A number of the query; 400."""
    given = request.args.get(name)
    if given is None:
        return default
    if not _NUMBER.fullmatch(given) or int(given) > most:
        raise ApiError(400, "bad-value")
    return int(given)


def _version() -> int:
    given = request.headers.get("If-Match")
    if given is None:
        raise ApiError(428, "version-needed")
    found = _VERSION.fullmatch(given.strip())
    if found is None:
        raise ApiError(400, "bad-version")
    return int(found[1])


def _command() -> str | None:
    given = request.headers.get("Idempotency-Key")
    if given is not None and not _COMMAND.fullmatch(given):
        raise ApiError(400, "bad-command")
    return given


def _given() -> list[bytes | Mapping[str, Any]]:
    """The events of a request: `{"events": [...]}`, or one a line as `application/jsonl`."""
    if request.mimetype in ("application/jsonl", "application/x-ndjson"):
        lines = request.get_data().removesuffix(b"\n").split(b"\n")
        given: Any = [line.removesuffix(b"\r") for line in lines]
    elif request.mimetype == "application/json":
        found = body()
        only(found, "events")
        given = found.get("events", ())
        if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
            raise ApiError(400, "bad-value")
    else:
        raise ApiError(415, "media-type")
    if not 1 <= len(given) <= MOST_EVENTS:
        raise ApiError(400, "bad-value")
    return list(given)


# -- tables ----------------------------------------------------------------------------------------------------------


def table_row(entry: Entry) -> dict[str, Any]:
    """A recording as plain data: its address, game, rules and version (the number of its events)."""
    return {
        "key": entry.key, "id": entry.id, "game": entry.game, "rules": entry.preset, "version": entry.events,
        "ended": entry.ended,
    }  # fmt: skip


def _tagged(data: Mapping[str, Any], version: int, status: int = 200) -> Response:
    answer = jsonify(data)
    answer.status_code = status
    answer.headers["ETag"] = f'"{version}"'
    return answer


def link_row(made: NewLink) -> dict[str, Any]:
    """A link just made, with its token and its address."""
    return {**_link(made.link), "token": made.token, "href": f"/tables/{made.link.key}/as/{made.token}"}


def _link(link: RoleLink) -> dict[str, Any]:
    return {"number": link.number, "role": link.role, "revoked": link.revoked}


@pages.post("/tables")
def create() -> Response:
    """A new table: 201 with its key and the links of every role."""
    actor = gate.lets_in()
    found = body()
    only(found, "header", "delay")
    header = found.get("header")
    if not isinstance(header, dict):
        raise ApiError(400, "bad-value")
    delay = _whole(found.get("delay", 0), 0, LONGEST_DELAY)
    began = {"type": "recording_began", "format": "razbor/1", **header}
    opened = gate.desk().create(began, delay, actor)
    links = [link_row(made) for made in opened.links]
    answer = _tagged({**table_row(opened.entry), "delay": delay, "links": links}, opened.entry.events, 201)
    answer.headers["Location"] = f"/api/v1/tables/{opened.entry.key}"
    return answer


@pages.get("/tables")
def listing() -> Response:
    """Tables, the newest first: an operator sees all, others those shown to everybody."""
    everything = gate.operator() is not None
    limit = max(1, number("limit", 50, 200))
    cursor = number("cursor", 0, 10**9) or None
    page = gate.desk().journal.list(cursor, limit, shown_only=not everything)
    rows = [table_row(entry) for entry in page.entries if entry.arrived == "live"]
    return jsonify({"tables": rows, "cursor": page.cursor})


@pages.get("/tables/<key:key>")
def table(key: str) -> Response:
    """What a table is, and who asks."""
    entry, role = gate.table(key), gate.whoever(key)
    shown = gate.desk().recording(entry, role.view)
    row = {**table_row(entry), "version": len(shown.events), "ended": shown.complete}
    return _tagged({**row, "role": role.name, "view": role.view}, len(shown.events))


@pages.post("/tables/<key:key>/events")
def append(key: str) -> Response:
    """Events at the end, all or none: 201, 200 where they stood there already."""
    gate.table(key)
    role = gate.programs_only(key)
    if not role.writes:
        raise ApiError(403, "not-your-role")
    version, command, given = _version(), _command(), _given()
    answer = gate.desk().append(key, given, version, command, role)
    data = {"seqs": list(answer.seqs), "version": answer.version, "repeated": answer.repeated}
    return _tagged(data, answer.version, 200 if answer.repeated else 201)


@pages.get("/tables/<key:key>/events")
def events(key: str) -> Response:
    """Events after a number, as the role that asks may have them."""
    entry, role = gate.table(key), gate.whoever(key)
    after, limit = number("after", 10**9, 10**9), max(1, number("limit", 200, MOST_READ))
    after = -1 if "after" not in request.args else after
    found = gate.desk().stretch(entry, role.view, after, limit)
    last = after + len(found.events)
    more = last + 1 < found.version
    data = {"events": [dict(event) for event in found.events], "version": found.version, "view": role.view}
    return _tagged({**data, "next": last if more else None}, found.version)


@pages.get("/tables/<key:key>/report")
def report(key: str) -> Response:
    """The report so far, in the view of the role that asks."""
    entry, role = gate.table(key), gate.whoever(key)
    return jsonify(gate.desk().judged(entry, role.view))


# -- links and holds -------------------------------------------------------------------------------------------------


def _master(key: str) -> Role:
    """Who may make and revoke links: whoever writes, and the arbiter."""
    gate.table(key)
    role = gate.programs_only(key)
    if not (role.writes or role.rules):
        raise ApiError(403, "not-your-role")
    return role


@pages.get("/tables/<key:key>/links")
def links(key: str) -> Response:
    """Every link of a table, without its token."""
    _master(key)
    return jsonify({"links": [_link(link) for link in gate.desk().roles.links(key)]})


@pages.post("/tables/<key:key>/links")
def link(key: str) -> Response:
    """One more link."""
    _master(key)
    found = body()
    only(found, "role")
    role = found.get("role")
    if not isinstance(role, str) or not ROLE.fullmatch(role):
        raise ApiError(400, "bad-value")
    made = gate.desk().link(key, role)
    if made is None:
        raise ApiError(400, "bad-value")
    answer = jsonify(link_row(made))
    answer.status_code = 201
    return answer


@pages.delete("/tables/<key:key>/links/<number:one>")
def revoke(key: str, one: int) -> Response:
    """A link that opens nothing any more."""
    _master(key)
    try:
        gate.desk().roles.revoke(key, one)
    except UnknownLinkError as error:
        raise ApiError(404, "no-such-link") from error
    return Response(status=204)


@pages.get("/tables/<key:key>/holds")
def holds(key: str) -> Response:
    """The settlements that are or were held."""
    entry, role = gate.table(key), gate.whoever(key)
    return jsonify({"holds": [hold_row(hold) for hold in gate.desk().held_settlements(entry, role.view)]})


def hold_row(hold: Any) -> dict[str, Any]:
    """A hold as plain data."""
    return {"hand": hold.hand, "by": hold.by, "text": hold.text, "ruling": hold.ruling, "ruled_by": hold.ruled_by}


@pages.post("/tables/<key:key>/holds")
def hold(key: str) -> Response:
    """Hold the settlement of a hand, or rule on it: players and the arbiter hold, the arbiter rules."""
    gate.table(key)
    role = gate.programs_only(key)
    found = body()
    only(found, "hand", "text", "act")
    hand, text, act = _whole(found.get("hand"), 1, GREATEST), _text(found, "text"), found.get("act")
    if act not in ("hold", "rule"):
        raise ApiError(400, "bad-value")
    if not (role.holds if act == "hold" else role.rules):
        raise ApiError(403, "not-your-role")
    if not held(key, hand, text, role, rule=act == "rule"):
        raise ApiError(409, "already-so")
    answer = jsonify({"holds": [hold_row(each) for each in gate.desk().roles.holds(key)]})
    answer.status_code = 201
    return answer


def held(key: str, hand: int, text: str, role: Role, *, rule: bool) -> bool:
    """Whether that changed anything; 404 for a hand that never began."""
    try:
        return desk_confirm.hold_hand(gate.desk(), key, hand, text, role, rule=rule)
    except desk_confirm.NoHandError as error:
        raise ApiError(404, "no-hand") from error


@pages.get("/tables/<key:key>/confirmations")
def confirmations(key: str) -> Response:
    """The settlements that seats confirmed, as far as the role that asks may see the recording."""
    entry, role = gate.table(key), gate.whoever(key)
    seen = len(gate.desk().recording(entry, role.view).events)
    found = map(asdict, desk_confirm.confirmations(gate.desk(), entry, seen))
    rows = [{name: row[name] for name in ("hand", "seat", "seq", "amended")} for row in found]
    return jsonify({"confirmations": rows})


@pages.post("/tables/<key:key>/confirmations")
def confirm(key: str) -> Response:
    """The seat whose link this is confirms the settlement of a hand; 409 where it has."""
    gate.table(key)
    role = gate.programs_only(key)
    if not role.seat:
        raise ApiError(403, "not-your-role")
    found = body()
    only(found, "hand")
    hand = _whole(found.get("hand"), 1, GREATEST)
    try:
        said = reader.words().say("pad.confirms", hand=hand)
        if not desk_confirm.confirm_hand(gate.desk(), key, hand, said, role):
            raise ApiError(409, "already-so")
    except desk_confirm.NoSettlementError as error:
        raise ApiError(404, "no-settlement") from error
    answer = confirmations(key)
    answer.status_code = 201
    return answer


# -- the stream ------------------------------------------------------------------------------------------------------


@pages.get("/tables/<key:key>/stream")
def stream(key: str) -> Response:
    """Server-sent events, resumed by `Last-Event-ID`; a crowd is served in turns (`live_stream`)."""
    entry, role = gate.table(key), gate.whoever(key)
    if request.method == "HEAD":
        return sent([])
    return sent(live_stream.pieces(gate.desk(), entry.key, role, resumed()))


def resumed() -> int:
    """After which event a stream goes on."""
    given = request.headers.get("Last-Event-ID", "")
    return int(given) if _NUMBER.fullmatch(given) else number("after", -1, GREATEST)


def sent(pieces: Iterable[bytes]) -> Response:
    """An answer of `text/event-stream`."""
    kept: Iterator[bytes] | list[bytes] = iter(pieces) if not isinstance(pieces, list) else pieces
    answer = Response(kept, mimetype="text/event-stream")
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Accel-Buffering"] = "no"
    return answer
