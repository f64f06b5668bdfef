"""The first doors for programs: put a recording in, or have one judged; JSON in every answer."""

from flask import Blueprint, Response, jsonify, request

from replay import desk
from replay.web import reader
from schemas.problems import Refusal

pages = Blueprint("api", __name__, url_prefix="/api/v1")


def _refused(refusal: Refusal) -> Response:
    answer = jsonify(desk.refusal(refusal, reader.words().lang))
    answer.status_code = 422
    return answer


@pages.post("/recordings")
def put() -> Response:
    """A recording's bytes: 201 with its id, 200 with the same id the second time, 422 with every problem."""
    public = request.args.get("public") == "1"
    shown = request.args.get("shown", "public")
    found = reader.desk().receive(request.get_data(), keep=True, public=public, shown=shown)
    if isinstance(found, Refusal):
        return _refused(found)
    body = {"id": found.id, "verdict": found.report["verdict"], "created": found.created, "key": found.key}
    body["continues"] = found.continues or None
    answer = jsonify(body)
    answer.status_code = 201 if found.created else 200
    answer.headers["Location"] = f"/recordings/{found.id}"
    return answer


@pages.post("/verify")
def verify() -> Response:
    """The report of a recording's bytes; nothing is kept."""
    found = reader.desk().receive(request.get_data(), keep=False, public=False)
    return _refused(found) if isinstance(found, Refusal) else jsonify(found.report)
