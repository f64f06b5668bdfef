"""Two scribes of one evening: a page that compares two recordings as far as this reader may see them."""

import json
import re
from typing import Any, Final

from flask import Blueprint, Response, current_app, request

from recorder import intake
from recorder.decode import BULK
from replay.audit.compare import compare, merged
from replay.views.pad_compare import compare_page
from replay.views.pages import RefusalPage
from replay.views.parts import Frame
from replay.views.shelf import refusal_box, size
from replay.web import gate, reader
from schemas import wire
from schemas.problems import Refusal
from schemas.sums import digits_of

pages = Blueprint("compare", __name__)
_ID: Final = re.compile(r"[0-9a-f]{16}")
_ADDRESS: Final = re.compile(r"/recordings/([0-9a-f]{16})\b")
Json = dict[str, Any]


def _events(id_: str) -> list[Json] | None:
    """The events of a recording in the widest view of this reader."""
    head = gate.desk().head(id_, "") if _ID.fullmatch(id_) else None
    lines = gate.desk().lines(id_, head.view) if head is not None else None
    return [json.loads(line) for line in lines.splitlines()] if lines else None


def _id_in(text: str) -> str:
    """The id in what was typed: as its page shows it, with spaces, or in an address."""
    plain = "".join(text.split())
    found = _ADDRESS.search(plain)
    return found[1] if found else plain


@pages.get("/compare")
@pages.get("/compare.json")
def side_by_side() -> Response:
    """Agreements, conflicts and gaps, event by event."""
    words = reader.words()
    asked = [_id_in(request.args.get(name, "")) for name in ("first", "second")]
    found, notice = None, ""
    names: list[dict[int, str]] = []
    digits = [0, 0]
    if all(asked):
        both = [_events(id_) for id_ in asked]
        missing = next((id_ for id_, events in zip(asked, both, strict=True) if events is None), None)
        if missing is not None:
            notice = words.say("pad.no_such", id=missing)
        elif both[0] and both[1]:
            found = compare(both[0], both[1])
            names = [dict(enumerate(each[0]["seats"], 1)) for each in both if each]
            digits = [digits_of(each[0]) for each in both if each]
    page = compare_page(asked[0], asked[1], found, names, words, reader.languages(), notice, digits)
    return reader.show("compare.html", page, 404 if notice else 200)


def _no_recording(data: bytes, found: Refusal) -> Response:
    """What both agree on need not be a recording; then nothing is taken home, and the page says why."""
    words = reader.words()
    frame = Frame(words.lang, words.say("refusal.title"), reader.languages())
    box = refusal_box("merged.jsonl", data, found, words)
    limit = size(int(current_app.config["UPLOAD_LIMIT"]), words)
    return reader.show("refusal.html", RefusalPage(frame, (box,), "", limit), 422)


@pages.get("/compare/merged.jsonl")
def joined() -> Response:
    """The recording of what both agree on and of what one alone has."""
    both = [_events(request.args.get(name, "")) for name in ("first", "second")]
    if not both[0] or not both[1]:
        raise gate.ApiError(404, "no-such-table")
    data = b"".join(wire.canonical(event) + b"\n" for event in merged(compare(both[0], both[1])))
    found = intake.read(data, BULK)
    if isinstance(found, Refusal):
        return _no_recording(data, found)
    answer = Response(data, mimetype="application/jsonl")
    answer.headers["Content-Disposition"] = 'attachment; filename="merged.jsonl"'
    return answer
