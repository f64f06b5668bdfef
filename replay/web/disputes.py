"""Disputes and cases: who really had it, by whose word; and what is kept beside a recording, never in it."""

from dataclasses import replace
from typing import Any, Final

from flask import Blueprint, Response, abort, current_app, jsonify, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from replay.audit.amend import as_reading
from replay.desk_cases import CaseDesk, Trouble
from replay.views.dispute import case_link, dispute_page
from replay.views.dispute_case import case_page
from replay.views.dispute_fit import fit_page
from replay.views.dispute_page import CaseLink
from replay.views.dispute_sources import DisputeSource, Question
from replay.views.pages import ErrorPage
from replay.views.parts import Frame
from replay.views.sources import PLAIN, Lens, RecordingHead
from replay.web import reader
from replay.web.recordings import qr

pages = Blueprint("disputes", __name__, url_prefix="/recordings")
_MOST_CARDS: Final = 5
_STATUS: Final = {"moved": 409, "closed": 409}


def desk() -> CaseDesk:
    """The desk of cases this application was made with."""
    found: CaseDesk = current_app.extensions["razbor-cases"]
    return found


def _number(text: str) -> int:
    """A number as it is written once and only once; 404 for anything else."""
    if not (text.isascii() and text.isdigit() and len(text) < 17 and str(int(text)) == text):
        abort(404)
    return int(text)


def _question(hand: int, given: Any) -> Question:
    """What an address or a form asks."""
    at = given.get("at", "")
    reading = given.get("as", "amended")
    try:
        as_reading(reading)
    except ValueError:
        abort(404)
    believe = [_number(seat) for one in given.getlist("believe") for seat in one.split(",") if seat]
    return Question(
        hand=hand,
        at=_number(at) if at else None,
        view=given.get("view", ""),
        believe=tuple(sorted(set(believe))),
        reading=reading,
        rules=given.get("rules", ""),
        case=_number(given["case"]) if given.get("case") else 0,
        pin=given.get("h", "")[:8],
    )


def _head(id_: str, view: str, lens: Lens = PLAIN) -> RecordingHead:
    """The recording in that view; 404 where it is not there, and for who wants to know neither length nor result."""
    if reader.blind():
        abort(404)
    head = reader.desk().head(id_, view, lens)
    if head is None or (view and view not in head.views):
        abort(404)
    return head


def _found(id_: str, question: Question) -> DisputeSource:
    head = _head(id_, question.view, Lens(question.reading, question.rules))
    if any(not 1 <= seat <= len(head.seats) for seat in question.believe):
        abort(404)
    found = desk().dispute(id_, question)
    if found is None:
        abort(404)
    return found


@pages.get("/<key:id_>/hands/<number:hand>/dispute")
@pages.get("/<key:id_>/hands/<number:hand>/dispute.json")
def dispute(id_: str, hand: int) -> AnyResponse:
    """One dispute, or its twin `razbor-dispute/1`; an event of another hand leads to its own address."""
    question = _question(hand, request.args)
    head = _head(id_, question.view, Lens(question.reading, question.rules))
    span = next((one for one in reversed(head.hands) if one.hand == hand), None)
    ending = ".json" if request.path.endswith(".json") else ""
    if question.at is not None and (span is None or not span.holds(question.at)):
        other = next((one.hand for one in head.hands if one.holds(question.at)), None)
        if other is None:
            abort(404)
        query = request.query_string.decode()
        return redirect(f"/recordings/{id_}/hands/{other}/dispute{ending}?{query}", 302)
    found = _found(id_, question)
    if ending:
        return jsonify(found.answer)
    to = reader.addresses(id_, question.view)
    plain = replace(to, reading="")
    here = plain.dispute(
        hand, question.at, believe=question.believe, case=question.case, reading=question.reading, pin=found.pin
    )
    address = request.host_url.rstrip("/") + here
    page = dispute_page(found, reader.words(), to, address, qr(address), reader.languages())
    return reader.show("dispute.html", page)


@pages.get("/<key:id_>/events/<number:seq>/fit")
@pages.get("/<key:id_>/events/<number:seq>/fit.json")
def fit(id_: str, seq: int) -> Response:
    """What would make it fit: guesses, never applied; or its twin `razbor-explain/1`."""
    view = request.args.get("view", "")
    _head(id_, view, reader.lens())
    found = desk().fit(id_, seq, view, reader.lens())
    if found is None:
        abort(404)
    if request.path.endswith(".json"):
        return jsonify(found.told)
    return reader.show("fit.html", fit_page(found, reader.words(), reader.addresses(id_, view), reader.languages()))


# -- cases ------------------------------------------------------------------------------------------------------------


@pages.app_context_processor
def _listed() -> dict[str, Any]:
    """The cases of the recording a page is about, for whatever template asks for them."""
    return {"cases_here": _cases_here, "fit_of": _fit_of}


def _fit_of(seq: int) -> str:
    """Where a finding of the recording a page is about may be explained; nothing on other pages."""
    id_ = (request.view_args or {}).get("id_", "")
    return reader.addresses(id_, request.args.get("view", "")).fit(seq) if id_ and not reader.blind() else ""


def _cases_here() -> tuple[CaseLink, ...]:
    id_ = (request.view_args or {}).get("id_", "")
    to = reader.addresses(id_, request.args.get("view", ""))
    return tuple(case_link(case, reader.words(), to) for case in desk().cases(id_)) if id_ else ()


@pages.get("/<key:id_>/cases/<number:number>")
@pages.get("/<key:id_>/cases/<number:number>.json")
def case(id_: str, number: int) -> Response:
    """One case, on the screen and on paper."""
    return _case(id_, number)


def _case(id_: str, number: int, trouble: str = "") -> Response:
    view = request.args.get("view", "")
    _head(id_, view)
    found = desk().case(id_, number, view)
    if found is None:
        abort(404)
    to = reader.addresses(id_, view)
    address = request.host_url.rstrip("/") + to.case(number)
    page = case_page(found, reader.words(), to, address, qr(address), reader.languages(), trouble)
    return reader.show("case.html", page, _STATUS.get(trouble, 422) if trouble else 200)


def _writer(id_: str) -> None:
    """403 where this reader may not write, 404 where there is nothing to write about."""
    _head(id_, request.values.get("view", ""))
    if not desk().may_write(id_):
        abort(403)


@pages.post("/<key:id_>/cases")
def open_case(id_: str) -> AnyResponse:
    """Opens a case about a hand."""
    _writer(id_)
    form = request.form
    found = _found(id_, _question(_number(form.get("hand", "")), form))
    claim = form.get("claim", "").strip()
    seats = range(1, len(found.source.head.seats) + 1)
    parties = [seat for seat in map(_number, form.getlist("party")) if seat in seats]
    if not claim:
        abort(400)
    number = desk().open(id_, found.question, claim, parties, _quoted(found))
    return redirect(reader.addresses(id_, found.question.view).case(number), 303)


def _quoted(found: DisputeSource) -> list[int]:
    """The events a dispute rests on: the one in question, and where the unseen cards were laid."""
    at = found.question.at if found.question.at is not None else int(found.answer["at"])
    return [at, *(one.seq for one in found.course.hidden if one.seq >= 0)]


@pages.post("/<key:id_>/hands/<number:hand>/words")
def testify(id_: str, hand: int) -> AnyResponse:
    """Adds a word to a case, opening one where there is none, and shows what follows if it is believed."""
    _writer(id_)
    form = request.form
    question = _question(hand, form)
    found = _found(id_, question)
    seat, of = _number(form.get("seat", "")), _number(form.get("of", ""))
    if desk().seat_of(id_) not in (0, seat):
        abort(403)
    cards = _cards(form)
    to = replace(reader.addresses(id_, question.view), rules=question.rules)
    number = question.case
    if not number and (trouble := desk().hears(id_, seat, of, cards)):
        return _unheard(trouble)
    if not number:
        claim = form.get("claim", "").strip() or reader.words().say("disputes_page.case.title", number=1)
        number = desk().open(id_, question, claim, [seat], _quoted(found))
    trouble = desk().testify(id_, number, seat, of, cards)
    if trouble:
        return _case(id_, number, trouble)
    believe = sorted({*question.believe, seat})
    return redirect(to.dispute(hand, question.at, believe=believe, case=number, reading=question.reading), 303)


def _unheard(trouble: str) -> Response:
    """Why a word was not written that would have opened a case; none is opened for it."""
    words = reader.words()
    frame = Frame(words.lang, words.say("error.bad_request"), reader.languages())
    text = words.say(f"disputes_page.trouble.{trouble}")
    return reader.show("error.html", ErrorPage(frame, 422, words.say("error.bad_request"), text), 422)


def _cards(form: Any) -> list[str]:
    """The cards said: known ones as they are, others as chosen, two choices as candidates."""
    cards = []
    for spot in range(_MOST_CARDS):
        chosen = [one for one in (form.get(f"card{spot}"), form.get(f"card{spot}or")) if one and one != "??"]
        if f"card{spot}" in form:
            cards.append("/".join(dict.fromkeys(chosen)) or "??")
    return cards


def _answered(id_: str, number: int, trouble: Trouble) -> AnyResponse:
    if trouble:
        return _case(id_, number, trouble)
    return redirect(reader.addresses(id_, request.args.get("view", "")).case(number), 303)


def _known_case(id_: str, number: int) -> None:
    _writer(id_)
    if all(one.number != number for one in desk().cases(id_)):
        abort(404)


def _judge(id_: str, number: int) -> None:
    """403 for who plays: a case is ruled, or closed, by somebody who does not."""
    _known_case(id_, number)
    if desk().seat_of(id_):
        abort(403)


@pages.post("/<key:id_>/cases/<number:number>/quote")
def quote(id_: str, number: int) -> AnyResponse:
    """Adds an event to those a case quotes."""
    _known_case(id_, number)
    return _answered(id_, number, desk().quote(id_, number, _number(request.form.get("of", ""))))


@pages.post("/<key:id_>/cases/<number:number>/rule")
def rule(id_: str, number: int) -> AnyResponse:
    """Adds the arbiter's ruling with its reason."""
    _judge(id_, number)
    form = request.form
    seen = _number(form["version"]) if form.get("version") else None
    trouble = desk().rule(id_, number, form.get("ruling", ""), form.get("reason", ""), form.get("by", ""), seen)
    return _answered(id_, number, trouble)


@pages.post("/<key:id_>/cases/<number:number>/withdraw")
def withdraw(id_: str, number: int) -> AnyResponse:
    """Closes a case without a ruling."""
    _judge(id_, number)
    return _answered(id_, number, desk().withdraw(id_, number, request.form.get("reason", "")))
