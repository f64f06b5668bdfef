"""Where a table is made, and where its links are given out and revoked."""

from collections.abc import Sequence
from typing import Any, Final

from flask import Blueprint, Response, abort, make_response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from recorder import rulebook
from recorder.journal import EventsRefusedError
from recorder.roles import NewLink, UnknownLinkError
from replay import desk as desks
from replay.desk_live import LONGEST_DELAY, NOBODY, Role
from replay.views.pad_setup import RoleLine, links_page, setup_page
from replay.web import gate, live_api, reader, tables
from replay.web.gate import ApiError
from replay.web.recordings import qr
from schemas.problems import Refusal
from schemas.values import GREATEST

USUAL: Final = ("bura/classic-36@1", "bourre/classic@1")
"""The presets a table is offered first."""
_NUMBERS: Final = {"stake": 10**12, "stacks": 10**12, "pot": 10**12, "delay": LONGEST_DELAY}
"""The numbers a table is made with, and the greatest of each."""
pages = Blueprint("table_setup", __name__, url_prefix="/tables")


@pages.get("")
def to_new() -> AnyResponse:
    """Where a reload of the page of links leads."""
    return redirect("/tables/new", 302)


@pages.get("/new")
def new() -> Response:
    """Game, rules, names, stakes."""
    return _setup("", 200)


def _setup(notice: str, status: int) -> Response:
    game = request.values.get("game", "bura")
    if game not in ("bura", "bourre"):
        abort(404)
    found = rulebook.presets(game)
    preset = request.values.get("preset", "")
    preset = preset if preset in found else next((name for name in found if name in USUAL), found[0])
    page = setup_page(
        game,
        preset,
        rulebook.preset_options(preset),
        reader.words(),
        reader.languages(),
        presets=found,
        given=request.form.to_dict(),
        notice=notice,
        token=gate.desk().require_token,
    )
    return reader.show("pad_new.html", page, status, here="new")


def _count(text: str, most: int) -> int | None:
    plain = text.strip()
    return int(plain) if plain.isascii() and plain.isdigit() and len(plain) < 16 and int(plain) <= most else None


def _header() -> dict[str, Any]:
    form = request.form
    game, preset = form.get("game", ""), form.get("preset", "")
    options = {
        name[4:]: rulebook.read_value(game, name[4:], value.strip())
        for name, value in form.items()
        if name.startswith("opt.") and value.strip() and game in ("bura", "bourre")
    }
    seats = [name.strip() for name in (form.get(f"seat{seat}", "") for seat in range(1, 9)) if name.strip()]
    header: dict[str, Any] = {
        "type": "recording_began", "format": "razbor/1", "game": game, "seats": seats,
        "rules": {"preset": preset, "options": options},
    }  # fmt: skip
    stacks, pot = _count(form.get("stacks", ""), 10**12), _count(form.get("pot", ""), 10**12)
    header |= {"stacks": [stacks] * len(seats)} if stacks is not None else {}
    header |= {"pot": pot} if pot else {}
    header |= {"title": title} if (title := form.get("title", "").strip()) else {}
    return header


def _other_rules() -> Response | None:
    """The page anew where other rules were chosen than those it asked about: no table is made by mistake."""
    game, preset, shown = (request.form.get(name, "") for name in ("game", "preset", "shown"))
    if "show" in request.form:
        return _setup("", 200)
    if shown and (preset != shown or not preset.startswith(f"{game}/")):
        return _setup(reader.words().say("pad.rules_changed"), 422)
    return None


@pages.post("")
def create() -> Response:
    """A new table; its links are shown this once, and who makes it is its scribe."""
    if (wanted := _other_rules()) is not None:
        return wanted
    actor = gate.lets_in(request.form.get("token", ""))
    for name, most in _NUMBERS.items():
        if (text := request.form.get(name, "").strip()) and _count(text, most) is None:
            words = reader.words()
            return _setup(words.say("pad.no_number", what=words.say(f"pad.{name}_label"), given=text, most=most), 422)
    header = _header()
    if twice := next((name for name in header["seats"] if header["seats"].count(name) > 1), ""):
        return _setup(reader.words().say("pad.same_name", name=twice), 422)
    delay = _count(request.form.get("delay", ""), LONGEST_DELAY) or 0
    try:
        opened = gate.desk().create(header, delay, actor)
    except EventsRefusedError as error:
        return _setup(tables.why(error.refusal), 422)
    stake = _count(request.form.get("stake", ""), 10**12)
    role = Role(opened.links[0].link.role, opened.links[0].link.actor)
    if stake:
        event = {"type": "stake_set", "amount": stake, "id": tables.fresh_id()}
        gate.desk().append(opened.entry.key, [event], 1, None, role)
    answer = _links(opened.entry.key, opened.links, 201)
    tables.remember(answer, opened.entry.key, opened.links[0].token)
    return answer


def _links(key: str, fresh: Sequence[NewLink], status: int) -> Response:
    recording = gate.desk().journal.load(key).recording
    assert not isinstance(recording, Refusal)
    tokens = {made.link.number: f"/tables/{key}/as/{made.token}" for made in fresh}
    base = request.host_url.rstrip("/")
    codes = {number: qr(base + href) for number, href in tokens.items()}
    lines = [
        RoleLine(link.number, link.role, tokens.get(link.number, ""), link.revoked, codes.get(link.number))
        for link in gate.desk().roles.links(key)
    ]
    langs = () if fresh else reader.languages()  # the tokens are shown this once, in one language
    watch = qr(f"{base}/tables/{key}/watch")
    page = links_page(key, lines, desks.names_of(recording), reader.words(), langs, base, watch)
    return reader.show("pad_links.html", page, status)


def _master(key: str) -> Role:
    gate.table(key)
    role = gate.whoever(key)
    if not (role.writes or role.rules):
        raise ApiError(403, "not-your-role")
    return role


@pages.get("/<key:key>/links")
def links(key: str) -> Response:
    """Every link that was made, without its token."""
    _master(key)
    return _links(key, (), 200)


@pages.post("/<key:key>/links")
def change(key: str) -> Response:
    """One more link, or one less."""
    _master(key)
    number = _count(request.form.get("revoke", ""), 10**9)
    if number is not None:
        try:
            gate.desk().roles.revoke(key, number)
        except UnknownLinkError as error:
            raise ApiError(404, "no-such-link") from error
        return _links(key, (), 200)
    role = request.form.get("role", "")
    made = gate.desk().link(key, role) if live_api.ROLE.fullmatch(role) else None
    if made is None:
        abort(400)
    return _links(key, (made,), 201)


@pages.post("/<key:key>/holds")
def hold(key: str) -> AnyResponse:
    """A settlement is held by a player or the arbiter, and ruled by the arbiter."""
    gate.table(key)
    role = gate.whoever(key)
    hand, text = _count(request.form.get("hand", ""), GREATEST), request.form.get("text", "").strip()
    if role is NOBODY or not hand or not 1 <= len(text) <= 500 or not text.isprintable():
        raise ApiError(403 if role is NOBODY else 400, "not-your-role" if role is NOBODY else "bad-value")
    rule = "rule" in request.form
    if not (role.rules if rule else role.holds):
        raise ApiError(403, "not-your-role")
    live_api.held(key, hand, text, role, rule=rule)
    return make_response(redirect(f"/tables/{key}/watch", 303))
