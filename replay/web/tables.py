"""The recording pad: a table is made, written tap by tap, corrected with a reason, and ended."""

import secrets
from typing import Any, Final

from flask import Blueprint, Response, abort, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from recorder.journal import EventsRefusedError, VersionConflictError
from recorder.rows import Entry
from replay.desk_confirm import only_confirmed_since
from replay.desk_live import Role
from replay.desk_pad import pad_source, standing
from replay.views.pad import PadSource, pad_page
from replay.views.wording import Wording
from replay.web import gate, pad_form, reader
from replay.web.gate import ApiError
from replay.web.pad_form import BadFormError, Json
from schemas.problems import Refusal
from schemas.rules import RULES_OF

pages = Blueprint("tables", __name__, url_prefix="/tables")
_YEAR: Final = 365 * 24 * 3600


def fresh_id() -> str:
    """An id for an event that nobody has recorded yet."""
    return secrets.token_urlsafe(9).replace("-", ".").replace("_", ":")


@pages.get("/<key:key>/as/<token>")
def enter(key: str, token: str) -> AnyResponse:
    """A role link: the browser keeps it and goes on to the table, so that the address bar does not show it."""
    gate.table(key)
    role = gate.desk().role(key, token)
    if role is None:
        raise ApiError(404, "unknown-token")
    answer = redirect(f"/tables/{key}", 303)
    remember(answer, key, token)
    return answer


def remember(answer: AnyResponse, key: str, token: str) -> None:
    """Keeps a role in a cookie of this table."""
    answer.set_cookie(
        gate.cookie_name(key), token, max_age=_YEAR, path="/", httponly=True, samesite="Lax", secure=gate.secure()
    )


def scribe(key: str) -> tuple[Entry, Role]:
    """The table, and who writes it; 403 for whoever may not."""
    entry = gate.table(key)
    role = gate.whoever(key)
    if not role.writes:
        raise ApiError(403, "not-your-role")
    return entry, role


@pages.get("/<key:key>")
def pad(key: str) -> AnyResponse:
    """The pad for who writes; everybody else watches."""
    entry = gate.table(key)
    if not gate.whoever(key).writes:
        return redirect(f"/tables/{key}/watch", 302)
    return show(entry, [], chosen=_chosen(request.args.get("step", "")))


def _chosen(asked: str) -> int | None:
    return int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 4 else None


@pages.post("/<key:key>")
def tap(key: str) -> AnyResponse:
    """What was tapped before is confirmed and stored, what is tapped now can still be undone until the next."""
    entry, role = scribe(key)
    try:
        draft, new = pad_form.listed(request.form.get("draft", "")), pad_form.built(request.form)
    except BadFormError:
        abort(400)
    if "undo" in request.form:
        return show(entry, [])
    if "step" in request.form:
        return show(entry, draft, chosen=_chosen(request.form["step"]))
    words = reader.words()
    if any(event.get("type") == "played" and not event.get("cards") for event in new):
        return show(entry, draft, notice=words.say("pad.no_cards"), status=422)
    try:
        if draft:
            _store(entry, draft, role)
    except VersionConflictError:
        return show(gate.table(key), draft, notice=words.say("pad.moved"), status=409)
    except EventsRefusedError as error:
        return show(entry, [], notice=why(error.refusal), status=422)
    return _go_on(gate.table(key), new, role)


def _store(entry: Entry, events: list[Json], role: Role) -> None:
    version = request.form.get("version", "")
    expected = int(version) if version.isascii() and version.isdigit() and len(version) < 10 else entry.events
    tables = gate.desk()
    whole = tables.journal.load(entry.key).recording
    if only_confirmed_since(whole, tables.writers(entry.key), expected):
        expected = len(whole.events)
    tables.append(entry.key, events, expected, None, role)


def _go_on(entry: Entry, new: list[Json], role: Role) -> AnyResponse:
    """The pad after a tap; the end of a recording waits for nothing, there is no next event to confirm it."""
    whole = gate.desk().journal.load(entry.key).recording
    if not new or standing(whole, new):
        return show(entry, [])
    found = pad_source(gate.desk(), entry, new, fresh_id())
    if isinstance(found, Refusal):
        return show(entry, [], notice=why(found), status=422)
    if "final" in request.form or any(event.get("type") == "recording_ended" for event in new):
        gate.desk().append(entry.key, new, entry.events, None, role)
        return show(gate.table(entry.key), [])
    return drawn(found)


def show(
    entry: Entry, draft: list[Json], *, notice: str = "", status: int = 200, chosen: int | None = None
) -> Response:
    """The pad's page with this draft; without it where the draft does not fit any more."""
    found = pad_source(gate.desk(), entry, draft, fresh_id(), notice=notice, chosen=chosen)
    if isinstance(found, Refusal):
        found = pad_source(gate.desk(), entry, [], fresh_id(), notice=notice or why(found))
    assert isinstance(found, PadSource)
    return drawn(found, status)


def drawn(source: PadSource, status: int = 200) -> Response:
    """The page of a source."""
    return reader.show("pad.html", pad_page(source, reader.words(), reader.languages()), status)


def _called(field: str, words: Wording) -> str:
    """A field as people know it: a house rule by its title."""
    name = field.removeprefix("rules.options.")
    titles = [f"options.{game}.{name}.title" for game in RULES_OF]
    return next((words.say(key) for key in titles if words.has(key)), field)


def why(refusal: Refusal) -> str:
    """What was refused, in words."""
    words = reader.words()
    told: list[Any] = [
        words.template(f"problems.{each.code}").format_map({**each.args, "field": _called(each.field, words)})
        for each in refusal.problems[:3]
    ]
    return words.say("pad.not_recorded", text=" ".join(told))
