"""What the journal holds, page by page, for programs."""

from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, jsonify, url_for

from recorder.rows import Entry
from replay.web import gate
from replay.web.gate import ApiError
from replay.web.live_api import number, table_row

pages = Blueprint("listing", __name__, url_prefix="/api/v1")


def _row(entry: Entry) -> dict[str, Any]:
    return {
        **table_row(entry), "arrived": entry.arrived, "added": entry.added, "view": entry.shown,
        "href": f"/recordings/{entry.key}",
    }  # fmt: skip


@pages.get("/recordings")
def recordings() -> Response:
    """Recordings, the newest first: an operator sees all, others those shown to everybody.

    A cursor stays good whatever is added meanwhile: nothing is told twice, and nothing that stood there is left out.
    """
    desk = gate.desk()
    everything = gate.operator() is not None or desk.open_house
    limit, cursor = number("limit", 50, 200), number("cursor", 0, 10**9 - 1) or None
    if not limit:
        raise ApiError(400, "bad-value")
    page = desk.journal.list(cursor, limit, shown_only=not everything)
    rows = [_row(entry) for entry in page.entries if everything or entry.ended or not desk.roles.delay(entry.key)]
    asked = urlencode({"cursor": page.cursor, "limit": limit})
    following = f"{url_for('listing.recordings')}?{asked}" if page.cursor is not None else None
    answer = jsonify({"recordings": rows, "cursor": page.cursor, "next": following})
    if following:
        answer.headers["Link"] = f'<{following}>; rel="next"'
    return answer
