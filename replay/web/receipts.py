"""The receipt of a recording, to be kept by whoever wants to prove some day what it said."""

from collections.abc import Callable

from flask import Blueprint, Response, abort, request

from replay.desk_journal import JournalDesk
from replay.desk_receipts import withheld
from replay.web import gate, reader

pages = Blueprint("receipts", __name__, url_prefix="/recordings")


@pages.get("/<key:id_>/receipt.json")
def receipt(id_: str) -> Response:
    """`razbor-receipt/1` of all events so far; of those this view may not see, only the hash."""
    desk, asked = reader.desk(), request.args.get("view", "")
    head = desk.head(id_, asked)
    if head is None or not isinstance(desk, JournalDesk):
        abort(404)
    recording = desk.journal.load(id_).recording
    made = desk.seal.receipt(id_, withheld(recording, head.view, named=reader.named()), len(recording.events) - 1)
    if made is None:
        return gate.refused(gate.ApiError(503, "read-only"))
    answer = Response(made, mimetype="application/json")
    answer.headers["Content-Disposition"] = f'attachment; filename="{id_}.receipt.json"'
    return answer


@pages.app_context_processor
def _link() -> dict[str, Callable[[str], str]]:
    return {"receipt_of": lambda download: download.replace("/recording.jsonl", "/receipt.json", 1)}
