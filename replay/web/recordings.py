"""A recording, its hands and events, its protocol; every page with its JSON twin, redacted before it gets here."""

from dataclasses import replace

import segno
from flask import Blueprint, Response, abort, jsonify, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from replay.views.scene import seat_of
from replay.views.sources import RecordingHead
from replay.views.step import step_page
from replay.views.summary import recording_page, report_page
from replay.web import reader

pages = Blueprint("recordings", __name__, url_prefix="/recordings")

HELP = (
    ("← →", "arrows"),
    ("[ ]", "tricks"),
    ("PgUp PgDn", "hands"),
    ("Home End", "ends"),
    ("Space", "play"),
    ("- +", "speed"),
    ("o p e n", "jumps"),
    ("v", "rotate"),
    ("1 2 3", "views"),
    ("b", "blind"),
    ("g", "go"),
    ("c", "copy"),
    ("d", "dispute"),
    ("?", "help"),
)


def _head(id_: str) -> RecordingHead:
    """The recording in the view asked for; 404 where it is not there, or not for this reader."""
    asked = request.args.get("view", "")
    head = reader.desk().head(id_, asked)
    if head is None or (asked and asked not in head.views):
        abort(404)
    return head


def _asked() -> str:
    return request.args.get("view", "")


@pages.get("/<key:id_>")
@pages.get("/<key:id_>.json")
def recording(id_: str) -> Response:
    """Verdict, findings, hands, balances."""
    head = _head(id_)
    report = reader.desk().report(id_, head.view)
    if report is None:
        abort(404)
    page = recording_page(head, report, reader.words(), reader.addresses(id_, _asked()), reader.languages())
    return reader.show("recording.html", page)


@pages.get("/<key:id_>/report")
def report(id_: str) -> Response:
    """The printable protocol."""
    head = _head(id_)
    found = reader.desk().report(id_, head.view)
    if found is None:
        abort(404)
    address = request.host_url.rstrip("/") + reader.addresses(id_, _asked()).report()
    page = report_page(
        head, found, reader.words(), reader.addresses(id_, _asked()), address, qr(address), reader.languages()
    )
    return reader.show("report.html", page)


@pages.get("/<key:id_>/report.json")
def report_json(id_: str) -> Response:
    """The report itself, `razbor-report/1`."""
    head = _head(id_)
    found = reader.desk().report(id_, head.view)
    if found is None:
        abort(404)
    return jsonify(found)


@pages.get("/<key:id_>/recording.jsonl")
def lines(id_: str) -> Response:
    """The recording's own lines as this view may have them."""
    head = _head(id_)
    data = reader.desk().lines(id_, head.view)
    if data is None:
        abort(404)
    answer = Response(data, mimetype="application/jsonl")
    answer.headers["Content-Disposition"] = f'attachment; filename="{id_}.{head.game}.jsonl"'
    return answer


@pages.get("/<key:id_>/hands/<number:hand>")
def hand(id_: str, hand: int) -> AnyResponse:
    """A hand leads to its first event."""
    head = _head(id_)
    first = next((span.first for span in head.hands if span.hand == hand), None)
    if first is None:
        abort(404)
    return redirect(reader.addresses(id_, _asked()).event(hand, first), 302)


@pages.get("/<key:id_>/hands/<number:hand>/events")
def slide(id_: str, hand: int) -> AnyResponse:
    """Where the slider's form leads without JavaScript."""
    head = _head(id_)
    if all(span.hand != hand for span in head.hands):
        abort(404)
    asked = request.args.get("at", "")
    if not (asked.isascii() and asked.isdigit() and str(int(asked)) == asked):
        abort(404)
    return _own_address(head, int(asked), "")


def _own_address(head: RecordingHead, seq: int, ending: str) -> AnyResponse:
    """An event's own address, in the hand it belongs to."""
    found = next((span.hand for span in head.hands if span.holds(seq)), None)
    if found is None:
        abort(404)
    path, mark, query = reader.addresses(head.id, _asked()).event(found, seq).partition("?")
    return redirect(f"{path}{ending}{mark}{query}", 302)


@pages.get("/<key:id_>/hands/<number:hand>/events/<number:seq>")
@pages.get("/<key:id_>/hands/<number:hand>/events/<number:seq>.json")
def event(id_: str, hand: int, seq: int) -> AnyResponse:
    """One step of one hand; an event of another hand leads to its own address."""
    head = _head(id_)
    ending = ".json" if request.path.endswith(".json") else ""
    span = next((span for span in head.hands if span.hand == hand and span.holds(seq)), None)
    if span is None:
        return _own_address(head, seq, ending)
    source = reader.desk().hand(id_, hand, head.view)
    if source is None:
        abort(404)
    view = _asked() or head.view
    to = replace(reader.addresses(id_, view), view=view)
    page = step_page(source, seq, reader.words(), to, reader.languages())
    return reader.show("step.html", page, help=HELP, seat=seat_of(head.view))


def qr(address: str) -> tuple[str, int]:
    """The address as a QR code: an SVG path of unit squares, and the number of modules a side."""
    code = segno.make(address, error="m", micro=False)
    rows = [bytes(row) for row in code.matrix]
    path = "".join(
        f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark
    )
    return path, len(rows)
