"""A recording, its hands and events, its protocol; every page with its JSON twin, redacted before it gets here."""

import json
from collections.abc import Callable, Hashable
from dataclasses import asdict, replace
from typing import Final

import segno
from flask import Blueprint, Response, abort, current_app, jsonify, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from recorder import rulebook
from recorder.rows import nameless
from replay.audit import effort
from replay.desk_confirm import confirmations
from replay.desk_journal import JournalDesk
from replay.views.addresses import Addresses
from replay.views.ledger import as_csv
from replay.views.pad_confirmed import confirmed_lines
from replay.views.pages import StepPage
from replay.views.parts import Link
from replay.views.shelf import continues_link
from replay.views.sources import HandSpan, RecordingHead, Story
from replay.views.step import step_page
from replay.views.steps import hand_steps
from replay.views.still import still
from replay.views.summary import blind_page, names_of, recording_page, report_page
from replay.web import gate, reader
from schemas import wire

pages = Blueprint("recordings", __name__, url_prefix="/recordings")

_EVENTS_DRAWN: Final = 2
"""So many events of a hand are put on a page in a millisecond."""
_KINDS: Final = {"": "text/html", "/beside": "text/html", ".json": "application/json", ".svg": "image/svg+xml"}
HELP: Final = (
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
    asked = _asked()
    head = reader.desk().head(id_, asked, reader.lens())
    if head is None or (asked and asked not in head.views):
        abort(404)
    return head


def _asked() -> str:
    return request.args.get("view", "")


def _story(id_: str) -> Story:
    """The whole recording in the view asked for."""
    head = _head(id_)
    story = reader.desk().story(id_, head.view, reader.lens())
    if story is None:
        abort(404)
    return story


@pages.get("/<key:id_>")
@pages.get("/<key:id_>.json")
def recording(id_: str) -> Response:
    """Verdict, findings, hands, balances; in blind mode only where to begin."""
    to = reader.addresses(id_, _asked())
    if reader.blind():
        page = blind_page(_head(id_), reader.words(), to, reader.languages())
    else:
        page = replace(recording_page(_story(id_), reader.words(), to, reader.languages()), confirmed=_confirmed(id_))
        continues, continued = _continuations(id_)
        page = replace(page, continues=continues, continued=continued, erased=_erased(id_))
    return reader.show("recording.html", page, private=_private(id_), presets=_presets(id_), otherwise=_as_agreed(id_))


def _continuations(id_: str) -> tuple[tuple[Link, ...], tuple[Link, ...]]:
    """What this recording goes on from, for who sees the whole of it, and what goes on from it, where it is shown."""
    desk, words = reader.desk(), reader.words()
    if not isinstance(desk, JournalDesk):
        return (), ()
    before, after = desk.journal.continuations(desk.journal.entry(id_).key)
    seen = before is not None and desk.names(before) and (desk.holds(id_) or desk.is_shown(before))
    continues = (continues_link(before or "", words),) if seen else ()
    shown = [key for key in after if desk.is_shown(key)]
    return continues, tuple(Link(words.say("shelf.continued", id=key), Addresses(key).recording()) for key in shown)


def _erased(id_: str) -> str:
    """That its names were erased, where they were."""
    desk = reader.desk()
    erased = isinstance(desk, JournalDesk) and desk.journal.entry(id_).erased
    return reader.words().say("log.said.erased") if erased else ""


def _confirmed(id_: str) -> tuple[str, ...]:
    """The settlements that seats confirmed while it was recorded."""
    desk = gate.tables()
    if desk is None:
        return ()
    entry, story = desk.journal.entry(id_), _story(id_)
    names = {seat: names_of(story.head, reader.words(), reader.named())(seat) for seat in range(1, 9)}
    return confirmed_lines(confirmations(desk, entry, len(story.events)), names, reader.words())


def _presets(id_: str) -> tuple[Link, ...]:
    """The rules the recording could be judged by, its own among them; none in blind mode."""
    head = _head(id_)
    if reader.blind():
        return ()
    to = reader.addresses(id_, _asked())
    return tuple(
        Link(name.partition("/")[2], replace(to, rules=name).recording() + "#rules", name == head.preset)
        for name in rulebook.presets(head.game)
    )


def _as_agreed(id_: str) -> str:
    """Where it is judged by the rules of its table; empty where it is so here."""
    head = _head(id_)
    plain = reader.desk().head(id_, head.view)
    if plain is None or (plain.preset, plain.options) == (head.preset, head.options):
        return ""
    return replace(reader.addresses(id_, _asked()), rules="").recording()


def _private(id_: str) -> str:
    """The private link, for who holds it, where the bare address shows less than he sees."""
    desk = reader.desk()
    if not desk.holds(id_) or reader.root():
        return ""
    return f"{request.host_url.rstrip('/')}/recordings/{id_}?k={desk.key(id_)}"


@pages.get("/<key:id_>/report")
def report(id_: str) -> Response:
    """The printable protocol."""
    story = _story(id_)
    to = reader.addresses(id_, _asked())
    address = request.host_url.rstrip("/") + to.report()
    page = report_page(story, reader.words(), to, address, qr(address), reader.languages())
    page = replace(page, erased=_erased(id_))
    return reader.show("report.html", page, here="report")


@pages.get("/<key:id_>/report.json")
def report_json(id_: str) -> Response:
    """The report itself, `razbor-report/1`."""
    return jsonify(_story(id_).report)


@pages.get("/<key:id_>/recording.jsonl")
def lines(id_: str) -> Response:
    """The recording's own lines as this view may have them; with `names=0` without names and free text."""
    head = _story(id_).head
    data = reader.desk().lines(id_, head.view)
    if data is None:
        abort(404)
    if not reader.named():
        data = b"".join(_without_text(line) + b"\n" for line in data.splitlines())
    answer = Response(data, mimetype="application/jsonl")
    answer.headers["Content-Disposition"] = f'attachment; filename="{id_}.{head.game}.jsonl"'
    return answer


def _without_text(line: bytes) -> bytes:
    raw = json.loads(nameless(line))
    free = {"noted": "text", "unseen": "text", "corrected": "reason", "inserted": "reason"}.get(raw["type"], "")
    if free in raw:
        raw[free] = "-"
    if isinstance(raw.get("event"), dict):
        inner = {"seq": 0, **raw["event"]}
        raw["event"] = json.loads(_without_text(json.dumps(inner).encode()))
        del raw["event"]["seq"]
    return wire.canonical(raw)


@pages.get("/<key:id_>/ledger.csv")
def ledger(id_: str) -> Response:
    """Every chip move as a table for a spreadsheet."""
    story = _story(id_)
    name = names_of(story.head, reader.words(), reader.named())
    answer = Response("\ufeff" + as_csv(story, name), mimetype="text/csv")
    answer.headers["Content-Disposition"] = f'attachment; filename="{id_}.ledger.csv"'
    return answer


@pages.get("/<key:id_>/hands/<number:hand>")
def hand(id_: str, hand: int) -> AnyResponse:
    """A hand leads to its first event."""
    span = _span(_head(id_), hand)
    return redirect(reader.addresses(id_, _asked()).event(hand, span.first), 302)


def _span(head: RecordingHead, hand: int) -> HandSpan:
    found = next((span for span in head.hands if span.hand == hand), None)
    if found is None:
        abort(404)
    return found


@pages.get("/<key:id_>/hands/<number:hand>/events")
def slide(id_: str, hand: int) -> AnyResponse:
    """Where the slider's form leads without JavaScript; and the event after one, for who does not know the way on."""
    head = _head(id_)
    span = _span(head, hand)
    if "after" in request.args:
        return redirect(_following(head, span, _number("after")), 302)
    return _own_address(head, _number("at"), "")


def _number(name: str) -> int:
    asked = request.args.get(name, "")
    if not (asked.isascii() and asked.isdigit() and len(asked) < 10 and str(int(asked)) == asked):
        abort(404)
    return int(asked)


def _following(head: RecordingHead, span: HandSpan, seq: int) -> str:
    """The address of the event after this one; after the last the recording's own."""
    source = reader.desk().hand(head.id, span.hand, head.view, reader.lens())
    seqs = [int(event["seq"]) for event in source.events] if source else []
    if seq not in seqs:
        abort(404)
    to = reader.addresses(head.id, _asked())
    if seq != seqs[-1]:
        return to.event(span.hand, seqs[seqs.index(seq) + 1])
    later = next((one for one in head.hands if one.hand > span.hand), None)
    return to.event(later.hand, later.first) if later else to.recording()


def _own_address(head: RecordingHead, seq: int, ending: str) -> AnyResponse:
    """An event's own address, in the hand it belongs to."""
    place = _nearest(head, seq)
    if place is None:
        abort(404)
    path, mark, query = reader.addresses(head.id, _asked()).event(*place).partition("?")
    return redirect(f"{path}{ending}{mark}{query}", 302)


def _nearest(head: RecordingHead, seq: int) -> tuple[int, int] | None:
    """The hand an event belongs to, and the event; of one between hands, which has no step, where the next one begins,
    or where the last one ends; None where there is no such event. Blind, nobody is led to the last one.
    """
    here = next((span for span in head.hands if span.holds(seq)), None)
    if here is not None or not head.hands or seq >= head.events or reader.blind():
        return (here.hand, seq) if here else None
    later = next((span for span in head.hands if span.first > seq), None)
    return (later.hand, later.first) if later else (head.hands[-1].hand, head.hands[-1].last)


def _step(id_: str, head: RecordingHead, hand: int, seq: int) -> StepPage:
    source = reader.desk().step(id_, hand, seq, head.view, reader.lens(), blind=reader.blind())
    if source is None:
        abort(404)
    effort.spend(len(source.events) // _EVENTS_DRAWN)
    view = _asked() or head.view
    to = replace(reader.addresses(id_, view), view=view)
    return step_page(source, seq, reader.words(), to, reader.languages(), reader.look())


def _at(id_: str, hand: int, seq: int, ending: str, draw: Callable[[StepPage], str]) -> AnyResponse:
    """One step, drawn one way or another; an event of another hand leads to its own address.

    A step depends on the recording as far as it is written, on the address, and on the reader's language and deck.
    """
    head = _head(id_)
    if not any(span.hand == hand and span.holds(seq) for span in head.hands):
        return _own_address(head, seq, ending)
    body = reader.kept().page(_asked_for(head), lambda: draw(_step(id_, head, hand, seq)))
    return reader.answer(body, _KINDS[ending])


def _asked_for(head: RecordingHead) -> Hashable:
    """Everything an answer about a recording depends on."""
    written = (head.events, head.complete, head.title, head.seats, head.view, head.views)
    return written, request.host_url, request.full_path, reader.language(), reader.deck()


@pages.get("/<key:id_>/hands/<number:hand>/events/<number:seq>")
def event(id_: str, hand: int, seq: int) -> AnyResponse:
    """One step of one hand."""
    return _at(id_, hand, seq, "", lambda page: render_template("step.html", page=page, help=HELP))


@pages.get("/<key:id_>/hands/<number:hand>/events/<number:seq>/beside")
def beside(id_: str, hand: int, seq: int) -> AnyResponse:
    """What stands around a step's table, for who draws the table in his browser."""
    return _at(id_, hand, seq, "/beside", lambda page: render_template("step_beside.html", page=page))


@pages.get("/<key:id_>/hands/<number:hand>/steps.json")
def steps(id_: str, hand: int) -> AnyResponse:
    """A whole hand at once: what each event changes on the table."""
    head = _head(id_)
    _span(head, hand)
    body = reader.kept().page(_asked_for(head), lambda: _steps(id_, head, hand))
    return reader.answer(body, "application/json")


def _steps(id_: str, head: RecordingHead, hand: int) -> str:
    desk, lens = reader.desk(), reader.lens()
    whole = desk.hand(id_, hand, head.view, lens)
    seqs = [int(event["seq"]) for event in whole.events] if whole else []
    sources = [one for seq in seqs if (one := desk.step(id_, hand, seq, head.view, lens))]
    if not sources or len(sources) != len(seqs):
        abort(404)
    view = _asked() or head.view
    to = replace(reader.addresses(id_, view), view=view)
    told = {"sheet": reader.card_sheet(), "words": reader.word_sheet()} | hand_steps(sources, reader.words(), to)
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


@pages.get("/<key:id_>/hands/<number:hand>/events/<number:seq>.json", endpoint="event_json")
def event_json(id_: str, hand: int, seq: int) -> AnyResponse:
    """The step's twin."""
    return _at(id_, hand, seq, ".json", lambda page: current_app.json.dumps(asdict(page)) + "\n")


@pages.get("/<key:id_>/hands/<number:hand>/events/<number:seq>.svg")
def picture(id_: str, hand: int, seq: int) -> AnyResponse:
    """The table after an event as a still picture."""
    answer = _at(id_, hand, seq, ".svg", lambda page: still(page, reader.words()))
    answer.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
    return answer


def qr(address: str) -> tuple[str, int]:
    """The address as a QR code: an SVG path of unit squares, and the number of modules a side."""
    code = segno.make(address, error="m", micro=False)
    rows = [bytes(row) for row in code.matrix]
    path = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark)
    return path, len(rows)
