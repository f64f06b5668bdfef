"""Watching a table: the page of each role, and the stream that tells what comes next in sentences."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from recorder.rows import Entry
from replay import desk as desks
from replay.audit.amend import read
from replay.audit.expect import now
from replay.desk_confirm import NoSettlementError, confirm_hand, confirmations, open_hands
from replay.desk_live import Role
from replay.views.pad_watch import WatchSource, said, watch_page
from replay.views.pad_words import stacks_of
from replay.web import gate, live_api, live_stream, reader
from replay.web.gate import ApiError
from schemas import wire
from schemas.events import HandBegan

pages = Blueprint("watch", __name__, url_prefix="/tables")


@pages.get("/<key:key>/watch")
@pages.get("/<key:key>/watch.json")
def watch(key: str) -> Response:
    """The table as this role may see it."""
    entry, role = gate.table(key), gate.whoever(key)
    page = watch_page(_source(entry, role), reader.words(), reader.languages())
    return reader.show("watch.html", page)


def _source(entry: Entry, role: Role) -> WatchSource:
    seen = gate.desk().recording(entry, role.view)
    table = now(read(seen.events, "amended"), desks.house_of(seen)).table
    return WatchSource(
        key=entry.key,
        title=seen.began.title or "",
        names=desks.names_of(seen),
        events=tuple(wire.object_of(event) for event in seen.events),
        stacks=stacks_of(table),
        pot=table.pot,
        match=gate.desk().scored(entry, role.view),
        ended=seen.complete,
        role=role.name,
        hands=[event.hand for event in seen.events if isinstance(event, HandBegan)],
        holds=gate.desk().held_settlements(entry, role.view),
        may_hold=role.holds,
        may_rule=role.rules,
        confirmed=confirmations(gate.desk(), entry, len(seen.events)),
        may_confirm=open_hands(gate.desk(), entry, role.seat) if role.seat else (),
    )


@pages.post("/<key:key>/confirmations")
def confirm(key: str) -> AnyResponse:
    """A player confirms the settlement of a hand; a second time changes nothing."""
    gate.table(key)
    role, hand = gate.whoever(key), request.form.get("hand", "")
    if not role.seat:
        raise ApiError(403, "not-your-role")
    if not (hand.isascii() and hand.isdigit() and len(hand) < 10):
        raise ApiError(400, "bad-value")
    try:
        confirm_hand(gate.desk(), key, int(hand), reader.words().say("pad.confirms", hand=int(hand)), role)
    except NoSettlementError as error:
        raise ApiError(404, "no-settlement") from error
    return redirect(f"/tables/{key}/watch", 303)


@pages.get("/<key:key>/stream")
def stream(key: str) -> Response:
    """The events as they come, each with its sentence; resumed by `Last-Event-ID`."""
    entry, role = gate.table(key), gate.whoever(key)
    if request.method == "HEAD":
        return live_api.sent([])
    words, tables = reader.words(), gate.desk()

    def dressed(event: Mapping[str, Any]) -> dict[str, Any]:
        seen = tables.recording(tables.table(entry.key), role.view)
        spoken = words.of(seen.began.unit_digits or 0)
        return {"event": dict(event), "say": said(event, desks.names_of(seen), spoken)}

    return live_api.sent(live_stream.pieces(tables, entry.key, role, live_api.resumed(), dressed))
