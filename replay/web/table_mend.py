"""A slip is mended by a line more, with its reason and who agreed: nothing that stands is ever edited."""

import json
from typing import Any, Final

from flask import Blueprint, Response, abort, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from recorder.journal import EventsRefusedError
from recorder.rows import Entry
from replay import desk as desks
from replay.views.pad import BY_HAND, OF_GAME
from replay.views.pad_watch import mend_page
from replay.web import gate, pad_form, reader, tables
from replay.web.pad_form import BadFormError, Json
from schemas import wire
from schemas.events import Recording

pages = Blueprint("table_mend", __name__, url_prefix="/tables")
_UNMENDABLE: Final = ("recording_began", "recording_ended", "corrected", "inserted")


def _event(key: str, seq: int) -> tuple[Entry, Recording, Json]:
    entry, _ = tables.scribe(key)
    recording = gate.desk().journal.load(key).recording
    if seq >= len(recording.events):
        abort(404)
    event = wire.object_of(recording.events[seq])
    if event["type"] in _UNMENDABLE:
        abort(404)
    return entry, recording, event


@pages.get("/<key:key>/events/<number:seq>")
def mend(key: str, seq: int) -> Response:
    """The form for one event."""
    entry, recording, event = _event(key, seq)
    return _page(entry, recording, event, "", 200)


def _page(entry: Entry, recording: Recording, event: Json, notice: str, status: int) -> Response:
    kinds = (*BY_HAND, *OF_GAME[entry.game])
    names = desks.names_of(recording)
    words = reader.words().of(recording.began.unit_digits or 0)
    page = mend_page(entry.key, event, names, kinds, words, reader.languages(), notice)
    return reader.show("pad_mend.html", page, status)


@pages.post("/<key:key>/events/<number:seq>")
def mended(key: str, seq: int) -> AnyResponse:
    """The amendment is recorded at once; it may itself be replaced by a later one."""
    entry, recording, event = _event(key, seq)
    form = request.form
    about: dict[str, Any] = {"reason": form.get("reason", "").strip(), "id": tables.fresh_id()}
    agreed = [int(seat) for seat in form.getlist("agreed") if seat in "12345678" and seat]
    about |= {"agreed": agreed} if agreed else {}
    way = form.get("way", "")
    try:
        if way == "strike":
            amendment = {"type": "corrected", "of": seq, "event": None, **about}
        elif way == "replace":
            amendment = {"type": "corrected", "of": seq, "event": _changed(json.loads(recording.lines[seq])), **about}
        elif way == "insert":
            amendment = {"type": "inserted", "after": seq, "event": pad_form.by_hand(form), **about}
        else:
            abort(400)
        _, role = tables.scribe(key)
        gate.desk().append(key, [amendment], entry.events, None, role)
    except BadFormError:
        abort(400)
    except EventsRefusedError as error:
        return _page(entry, recording, event, tables.why(error.refusal), 422)
    return redirect(f"/tables/{key}", 303)


def _changed(event: Json) -> Json:
    """The event with the fields of the form in place of its own."""
    new: Json = {"type": event["type"]}
    for name, value in event.items():
        if name in ("seq", "type", "id"):
            continue
        text = request.form.get(f"f_{name}")
        if text is None:
            new[name] = value
        elif isinstance(value, list | tuple):
            whole = bool(value) and isinstance(value[0], int)
            new[name] = [pad_form.value_of(each) if whole else each for each in text.split()]
        elif isinstance(value, int):
            new[name] = pad_form.value_of(text.strip())
        elif text.strip():
            new[name] = text.strip()
    return new
