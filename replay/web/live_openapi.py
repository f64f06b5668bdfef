"""What the API takes and answers, as OpenAPI 3.1, made from the declarations below; the words stand in `data/words`."""

from typing import Any, Final

from recorder import rulebook, words
from replay.audit.report import ENGINE
from schemas.problems import Code
from schemas.values import GREATEST

Json = dict[str, Any]

_LIMITS: Final[Json] = {"type": "integer", "minimum": 0, "maximum": 10**9 - 1}
_KEY: Final[Json] = {"type": "string", "pattern": "^[0-9a-f]{16}$"}
_HAND: Final[Json] = {"type": "integer", "minimum": 0, "maximum": GREATEST}
_ROLE: Final[Json] = {"type": "string", "pattern": "^(scribe|arbiter|seat:[1-9])$"}
_TEXT: Final[Json] = {"type": "string", "minLength": 1, "maxLength": 500}
_ANY: Final[Json] = {"type": "object"}
_NULLABLE_TEXT: Final[Json] = {"type": ["string", "null"]}
_EVENT: Final[Json] = {"type": "object", "required": ["seq", "type"], "properties": {"seq": _LIMITS}}
_ANYWHERE: Final = (400, 405, 413, 422, 429, 503)
"""What may be answered whatever is asked: a host or a body that is none, another method, too much at once or for one
request, a journal that cannot be reached or is not as it was stored."""


def _object(optional: tuple[str, ...] = (), **fields: Json) -> Json:
    return {
        "type": "object",
        "properties": fields,
        "required": [name for name in fields if name not in optional],
        "additionalProperties": False,
    }


def _list(what: str) -> Json:
    return {"type": "array", "items": {"$ref": f"#/components/schemas/{what}"}}


_ROW: Final[Json] = {
    "key": _KEY,
    "id": _NULLABLE_TEXT,
    "game": {"enum": ["bura", "bourre"]},
    "rules": {"type": "string"},
    "version": _LIMITS,
    "ended": {"type": "boolean"},
}
_HEADER: Final[Json] = {
    "type": "object",
    "required": ["game", "rules", "seats"],
    "properties": {
        "game": {"enum": ["bura", "bourre"]},
        "rules": {
            "type": "object",
            "required": ["preset"],
            "properties": {"preset": {"enum": list(rulebook.presets())}, "options": {"type": "object"}},
        },
        "seats": {"type": "array", "minItems": 2, "maxItems": 8, "items": {"type": "string", "maxLength": 40}},
        "stacks": {"type": "array", "items": {"type": "integer", "minimum": 0}},
        "pot": {"type": "integer", "minimum": 0},
    },
}
SCHEMAS: Final[dict[str, Json]] = {
    "Table": _object(**_ROW),
    "TableSeen": _object(**_ROW, role={"type": "string"}, view={"type": "string"}),
    "NewTable": _object(("delay",), header=_HEADER, delay={"type": "integer", "minimum": 0, "maximum": 3600}),
    "TableMade": _object(**_ROW, delay=_LIMITS, links=_list("LinkMade")),
    "Link": _object(number=_LIMITS, role={"type": "string"}, revoked={"type": "boolean"}),
    "LinkMade": _object(
        number=_LIMITS,
        role={"type": "string"},
        revoked={"type": "boolean"},
        token={"type": "string"},
        href={"type": "string"},
    ),
    "NewLink": _object(role=_ROLE),
    "Links": _object(links=_list("Link")),
    "Tables": _object(tables=_list("Table"), cursor={"type": ["integer", "null"]}),
    "Recording": _object(
        **_ROW,
        arrived={"enum": ["live", "uploaded"]},
        added={"type": "string", "format": "date-time"},
        view=_NULLABLE_TEXT,
        href={"type": "string"},
    ),
    "Recordings": _object(recordings=_list("Recording"), cursor={"type": ["integer", "null"]}, next=_NULLABLE_TEXT),
    "NewEvents": _object(events={"type": "array", "minItems": 1, "maxItems": 500, "items": _ANY}),
    "Appended": _object(
        seqs={"type": "array", "items": _LIMITS}, version=_LIMITS, repeated={"type": "boolean"}
    ),
    "Events": _object(
        events={"type": "array", "items": _EVENT},
        version=_LIMITS,
        view={"type": "string"},
        next={"type": ["integer", "null"]},
    ),
    "Report": {"type": "object", "required": ["format", "recording", "verdict", "findings", "hands", "balances"]},
    "Hold": _object(
        hand=_HAND, by={"type": "string"}, text=_TEXT, ruling=_NULLABLE_TEXT, ruled_by=_NULLABLE_TEXT
    ),
    "Holds": _object(holds=_list("Hold")),
    "NewHold": _object(
        hand={"type": "integer", "minimum": 1, "maximum": GREATEST}, text=_TEXT, act={"enum": ["hold", "rule"]}
    ),
    "Confirmation": _object(
        hand=_HAND, seat={"type": "integer", "minimum": 1, "maximum": 8}, seq=_LIMITS,
        amended={"type": ["integer", "null"]},
    ),
    "Confirmations": _object(confirmations=_list("Confirmation")),
    "NewConfirmation": _object(hand={"type": "integer", "minimum": 1, "maximum": GREATEST}),
    "Problem": _object(
        line=_LIMITS, field={"type": "string"}, code={"enum": [str(code) for code in Code]}, message={"type": "string"}
    ),
    "Error": _object(
        error=_object(
            ("problems", "version"),
            code={"type": "string"},
            message={"type": "string"},
            problems=_list("Problem"),
            version=_LIMITS,
        )
    ),
}  # fmt: skip


def _query(name: str, most: int, least: int = 0) -> Json:
    return {"name": name, "in": "query", "schema": {"type": "integer", "minimum": least, "maximum": most}}


def _header(name: str, pattern: str, *, required: bool = False) -> Json:
    return {"name": name, "in": "header", "required": required, "schema": {"type": "string", "pattern": pattern}}


_IF_MATCH: Final = _header("If-Match", '^"(0|[1-9][0-9]{0,8})"$', required=True)
_COMMAND: Final = _header("Idempotency-Key", "^[A-Za-z0-9._:-]{1,64}$")
_LAST: Final = _header("Last-Event-ID", "^(0|[1-9][0-9]{0,8})$")
_AFTER: Final = _query("after", 10**9 - 1)
_CURSOR: Final = _query("cursor", 10**9 - 1)
_TABLE: Final = "/tables/{key}"
OPERATIONS: Final[tuple[tuple[str, str, str, list[Json], str, dict[int, str], tuple[int, ...]], ...]] = (
    ("createTable", "post", "/tables", [], "NewTable", {201: "TableMade"}, (401,)),
    ("listTables", "get", "/tables", [_CURSOR, _query("limit", 200)], "", {200: "Tables"}, (401,)),
    ("listRecordings", "get", "/recordings", [_CURSOR, _query("limit", 200, 1)], "", {200: "Recordings"}, (401,)),
    ("readTable", "get", _TABLE, [], "", {200: "TableSeen"}, (401, 404)),
    (
        "appendEvents", "post", f"{_TABLE}/events", [_IF_MATCH, _COMMAND], "NewEvents",
        {200: "Appended", 201: "Appended"}, (401, 403, 404, 412, 415, 428),
    ),
    (
        "readEvents", "get", f"{_TABLE}/events", [_AFTER, _query("limit", 1000)], "",
        {200: "Events"}, (401, 404),
    ),
    ("readReport", "get", f"{_TABLE}/report", [], "", {200: "Report"}, (401, 404)),
    ("streamEvents", "get", f"{_TABLE}/stream", [_AFTER, _LAST], "", {200: "text"}, (401, 404)),
    ("listLinks", "get", f"{_TABLE}/links", [], "", {200: "Links"}, (401, 403, 404)),
    ("makeLink", "post", f"{_TABLE}/links", [], "NewLink", {201: "LinkMade"}, (401, 403, 404)),
    ("revokeLink", "delete", f"{_TABLE}/links/{{number}}", [], "", {204: ""}, (401, 403, 404)),
    ("listHolds", "get", f"{_TABLE}/holds", [], "", {200: "Holds"}, (401, 404)),
    ("listConfirmations", "get", f"{_TABLE}/confirmations", [], "", {200: "Confirmations"}, (401, 404)),
    (
        "confirmSettlement", "post", f"{_TABLE}/confirmations", [], "NewConfirmation", {201: "Confirmations"},
        (401, 403, 404, 409, 412),
    ),
    ("holdSettlement", "post", f"{_TABLE}/holds", [], "NewHold", {201: "Holds"}, (401, 403, 404, 409)),
)  # fmt: skip
"""Name, method, path, parameters, what is sent, what is answered, and the refusals."""


def document() -> Json:
    """The whole document."""
    said = words.topic("pad", "en")["openapi"]
    paths: dict[str, Json] = {}
    for name, method, path, parameters, sent, answers, refusals in OPERATIONS:
        made: Json = {"operationId": name, "summary": said[name], "security": [{}, {"bearer": []}]}
        if own := _path_parameters(path) + parameters:
            made["parameters"] = own
        if sent:
            made["requestBody"] = {"required": True, "content": _content(sent)}
        made["responses"] = {str(code): _answer(said, code, what) for code, what in answers.items()}
        made["responses"] |= {str(code): _answer(said, code, "Error") for code in (*_ANYWHERE, *refusals)}
        paths.setdefault(f"/api/v1{path}", {})[method] = made
    return {
        "openapi": "3.1.0",
        "info": {"title": said["title"], "version": ENGINE, "description": said["description"]},
        "paths": paths,
        "components": {"schemas": SCHEMAS, "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}}},
    }


def _path_parameters(path: str) -> list[Json]:
    known = {"key": _KEY, "number": _LIMITS}
    return [
        {"name": name, "in": "path", "required": True, "schema": schema}
        for name, schema in known.items()
        if f"{{{name}}}" in path
    ]


_STREAMED: Final[Json] = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "pattern": "^[0-9]+$"},
        "event": {"enum": ["message", "ended"]},
        "data": {"type": "string", "contentMediaType": "application/json"},
        "retry": {"type": "integer"},
    },
    "required": ["data"],
    "additionalProperties": False,
}
"""One server-sent event: a `message` (so those without a name are called) with the recording's event in `data` and its
number as `id`, or `ended`. OpenAPI 3.1 describes a stream by its events."""


def _content(what: str) -> Json:
    content: Json = {"application/json": {"schema": {"$ref": f"#/components/schemas/{what}"}}}
    if what == "NewEvents":
        content["application/jsonl"] = {"schema": {"type": "string"}}
    return content


def _answer(said: Any, code: int, what: str) -> Json:
    answer: Json = {"description": said["answers"][str(code)]}
    if what == "text":
        answer["content"] = {"text/event-stream": {"schema": _STREAMED}}
    elif what:
        answer["content"] = {"application/json": {"schema": {"$ref": f"#/components/schemas/{what}"}}}
    return answer
