"""Who reads: language, deck and view of a request, and how a page is answered in them."""

import hashlib
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import asdict
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, Final

from flask import Response, abort, current_app, g, jsonify, redirect, render_template, request
from markupsafe import Markup, escape
from werkzeug.wrappers import Response as AnyResponse

from recorder.words import LANGUAGES, load
from replay.audit.amend import as_reading
from replay.views.addresses import Addresses, query
from replay.views.cards import sheet
from replay.views.marks import sprite
from replay.views.parts import Link
from replay.views.scene import Look
from replay.views.sources import Lens
from replay.views.steps import step_words
from replay.views.wording import GAP, Part, Sentence, Wording
from replay.web.door import Desk
from replay.web.kept import KeptPages

STATIC: Final = Path(__file__).parent / "static"
_MOST_DRAWN: Final = 8192
_YEAR: Final = 365 * 24 * 3600
_RANGE: Final = re.compile("[0-9]+[–…][0-9]+")
_FIT_FOR_BLIND: Final = frozenset({"recording", "hand", "slide", "event", "event_json", "picture"})


def desk() -> Desk:
    """The desk this application was made with."""
    found: Desk = current_app.extensions["razbor-desk"]
    return found


def language() -> str:
    """`?lang=`, else the cookie, else what the browser prefers, else English; an unknown one never fails."""
    for asked in (request.args.get("lang"), request.cookies.get("lang")):
        if asked in LANGUAGES:
            return asked
    return request.accept_languages.best_match(LANGUAGES) or "en"


def deck() -> int:
    """Four colours, or two where the reader asked for them."""
    asked = request.args.get("deck") or request.cookies.get("deck")
    return 2 if asked == "2" else 4


def words() -> Wording:
    """All sentences of this reader's language."""
    if "words" not in g:
        g.words = _wording(language())
    found: Wording = g.words
    return found


@cache
def _wording(lang: str) -> Wording:
    return Wording(lang, load(lang))


def _here(name: str, value: str) -> str:
    """This very address with another value of one name; what stands beside a step is part of the step's page."""
    kept = [pair for pair in request.args.items(multi=True) if pair[0] not in (name, "k")]
    return request.path.removesuffix("/beside") + query((*kept, (name, value)))


def languages() -> tuple[Link, ...]:
    """This very address in each language."""
    return tuple(Link(lang.upper(), _here("lang", lang), lang == words().lang) for lang in LANGUAGES)


def lens() -> Lens:
    """In which reading, under which rules: `?as=recorded`, `?as=SEQ`, `?rules=PRESET`.

    Blind, no number is taken: whether there is such an event would tell how long the recording is.
    """
    reading = request.args.get("as", "amended")
    return Lens("-" if blind() and reading.isdigit() else reading, request.args.get("rules", ""))


def reading() -> str:
    """The reading asked for where it is another than as amended; nothing for a word that names none."""
    asked = request.args.get("as", "amended")
    try:
        as_reading(asked)
    except ValueError:
        return ""
    return "" if asked == "amended" else asked


def look() -> Look:
    """What is asked of a step beside the step: a card's moments, a card of the count, a pin; 404 for an odd number."""
    card = request.args.get("card", "0")
    if not (card.isascii() and card.isdigit() and len(card) < 4 and str(int(card)) == card):
        abort(404)
    return Look(request.args.get("of", "")[:4], int(card), request.args.get("h", "")[:8])


def blind() -> bool:
    """The reader wants to know nothing of what comes later."""
    return request.args.get("blind") == "1"


def named() -> bool:
    """Names are shown; else seat numbers."""
    return request.args.get("names") != "0"


def root() -> str:
    """Where the addresses of this page begin: `/embed` inside another site's frame."""
    return "/embed" if request.path.startswith("/embed/") else ""


def admit() -> AnyResponse | None:
    """Take note of whose private link the reader holds, by `?k=` or its cookie; a page's address is cleaned of it.

    Who reads blind finds only the pages that tell nothing of what comes later.
    """
    id_ = (request.view_args or {}).get("id_", "")
    desk().hold(())
    if not id_:
        return None
    if blind() and (request.endpoint or "").rpartition(".")[2] not in _FIT_FOR_BLIND:
        abort(404)
    key = request.args.get("k", "")
    held = next((one for one in (key, request.cookies.get("k", "")) if one and desk().opens(id_, one)), "")
    if held:
        desk().hold((id_,))
    if not (key and key == held and request.method == "GET") or "." in request.path.rsplit("/", 1)[-1]:
        return None
    kept = [(name, value) for name, value in request.args.items(multi=True) if name != "k"]
    answer = redirect(request.path + query(tuple(kept)), 303)
    answer.set_cookie(
        "k", key, max_age=_YEAR, path=f"/recordings/{id_}", samesite="Lax", httponly=True, secure=request.is_secure
    )
    return answer


def addresses(id_: str, view: str) -> Addresses:
    """The recording's places with what this reader carries along."""
    log = request.args.get("log", "")
    return Addresses(
        id=id_,
        view=view,
        blind=blind(),
        names=named(),
        disputes="disputes" in current_app.blueprints and not root(),
        log=log if log in ("joined", "play", "money", "marks") else "",
        reading=reading(),
        rules=request.args.get("rules", ""),
        root=root(),
    )


@cache
def stamp(text: str) -> str:
    """Eight hex digits that change with the text."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


@cache
def asset(name: str) -> str:
    """The address of a static file, with its digest, so that it may be kept for long."""
    return f"/static/{name}?v={stamp((STATIC / name).read_text(encoding='utf-8'))}"


_drawn: dict[tuple[int, str], tuple[Any, Markup]] = {}


def once(thing: Any, around: str, draw: Callable[[Any], Markup]) -> Markup:
    """What was drawn of this very thing before: the same sentences and lines come step after step.

    `around` is all else that the drawing depends on.
    """
    found = _drawn.get((id(thing), around))
    if found is None or found[0] is not thing:
        if len(_drawn) >= _MOST_DRAWN:
            _drawn.clear()
        found = _drawn[id(thing), around] = thing, draw(thing)
    return found[1]


def _drawn_once(around: str, thing: Any, macro: Any) -> Markup:
    return once(thing, around + macro.name, macro)


def _each_drawn_once(around: str, things: Iterable[Any], macro: Any) -> Markup:
    """One after another, as `once` draws each."""
    around += macro.name
    return _run_together([once(thing, around, macro) for thing in things])


def _run_together(drawn: Iterable[Markup]) -> Markup:
    return Markup("".join(drawn))  # noqa: S704 - each is markup already


def markup(sentence: Sentence, marks: str) -> Markup:
    """A sentence as HTML: cards drawn with their names, labels, links."""
    return once(sentence, marks, lambda parts: _run_together(_linked(part, marks) for part in parts))


@lru_cache(maxsize=4096)
def _linked(part: Part, marks: str) -> Markup:
    inner = _inner(part, marks)
    return Markup('<a href="{}">{}</a>').format(part.href, inner) if part.href else inner


def _inner(part: Part, marks: str) -> Markup:
    if part.card:
        rank, suit = part.card[0], part.card[1]
        known = suit in "shdc"
        text = escape(part.text) if rank != "?" or suit == "?" else Markup("")
        if known:
            text += Markup('<svg class="i"><use href="{}#{}"/></svg>').format(marks, suit)
        kind = suit if known else "n"
        return Markup('<span class="t {}" role="img" aria-label="{}">{}</span>').format(kind, part.name, text)
    if part.label:
        return Markup('<span class="l">{}</span>').format(part.text)
    if part == GAP:
        return Markup("<i> </i>")
    return Markup("<b>{}</b>").format(part.text) if part.strong else _held(part.text)


def _held(text: str) -> Markup:
    """Text in which no range (`25–47`) is broken over two lines."""
    return Markup(_RANGE.sub(r'<span class="nw">\g<0></span>', str(escape(text))))  # noqa: S704 - it is escaped


def remember(response: Response) -> Response:
    """Keep the language and the deck the reader asked for in cookies."""
    for name, allowed in (("lang", LANGUAGES), ("deck", ("2", "4"))):
        asked = request.args.get(name)
        if asked in allowed and request.cookies.get(name) != asked:
            secure = request.is_secure
            response.set_cookie(name, asked or "", max_age=_YEAR, samesite="Lax", httponly=True, secure=secure)
    return response


def context() -> dict[str, Any]:
    """What every template may use beside its page."""
    marks = f"/cards/marks.svg?v={stamp(sprite())}"
    around = marks + words().lang
    return {
        "say": partial(_said, words()),
        "colon": words().colon,
        "semicolon": words().semicolon,
        "markup": partial(markup, marks=marks),
        "once": partial(_drawn_once, around),
        "each": partial(_each_drawn_once, around),
        "asset": asset,
        "sheet": card_sheet(),
        "marks": marks,
        "deck": deck(),
        "other_deck": _here("deck", str(6 - deck())),
        "base": request.host_url.rstrip("/"),
        "embedded": bool(root()),
        "named": named(),
    }


def card_sheet() -> str:
    """The address of this reader's card faces."""
    return f"/cards/{words().lang}.svg?v={stamp(sheet(words().lang))}"


def word_sheet() -> str:
    """The address of the words around every step in this reader's language."""
    return f"/words/{words().lang}.json?v={stamp(word_list(words().lang))}"


@cache
def word_list(lang: str) -> str:
    """Those words as JSON."""
    return json.dumps(step_words(_wording(lang)), ensure_ascii=False, separators=(",", ":"))


def _said(wording: Wording, key: str, n: int | None = None, **values: Any) -> str:
    """A sentence for a template; one without holes is found as it was escaped before."""
    if n is not None or values:
        return wording.say(key, n, **values)
    found: Markup | None = wording.known.get(("escaped", key))
    if found is None:
        found = wording.known["escaped", key] = escape(wording.say(key))
    return found


def kept() -> KeptPages:
    """The steps drawn before."""
    found: KeptPages = current_app.extensions["razbor-pages"]
    return found


def answer(body: str, kind: str) -> Response:
    """A finished page, twin or picture."""
    made = Response(body, mimetype=kind)
    if kind == "text/html":
        made.headers["Content-Language"] = words().lang
    made.headers["Vary"] = "Accept-Language, Cookie"
    return made


def show(template: str, page: Any, status: int = 200, **more: Any) -> Response:
    """A page as HTML, or its twin as JSON where the address ends in `.json`."""
    if request.path.endswith(".json"):
        made = jsonify(asdict(page))
        made.headers["Vary"] = "Accept-Language, Cookie"
    else:
        made = answer(render_template(template, page=page, **more), "text/html")
    made.status_code = status
    return made
