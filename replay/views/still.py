"""The table after one event as a still picture: one SVG that needs nothing beside it, redacted like the page."""

from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from replay.views.cards import back, full_face, label, small_face
from replay.views.pages import StepPage
from replay.views.parts import CardFace, SeatBox, SetBox
from replay.views.wording import Wording, plain

_WIDE: Final = 960
#: How wide a letter of the small text may be, in units of the picture.
_LETTER: Final = 7.2
_INKS: Final = {"s": "#1C1E21", "h": "#B4231A", "d": "#1B55AD", "c": "#17683A", "b": "#1C1E21", "n": "#1C1E21"}
_TINTS: Final = {"s": "#D9DADC", "h": "#F3D3CE", "d": "#CFDDF1", "c": "#CDE2D4", "b": "#FFF", "n": "#FFF"}
_STYLE: Final = (
    "text{font:15px -apple-system,'Segoe UI',Roboto,'Noto Sans',Arial,sans-serif;fill:#1C1E21}"
    "text.q{font-size:13px;fill:#474C52}text.n{font-weight:700}"
    "text.h{font:600 26px 'Iowan Old Style',Charter,Georgia,serif}"
)


class _Picture:
    """Collects the symbols that are used, and the drawing."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self.symbols: dict[str, str] = {}
        self.drawn: list[str] = []

    def text(self, x: float, y: float, words: str, kind: str = "", anchor: str = "") -> None:
        end = f' text-anchor="{anchor}"' if anchor else ""
        self.drawn.append(f'<text x="{x:g}" y="{y:g}" class="{kind}"{end}>{escape(words)}</text>')

    def box(self, x: float, y: float, wide: float, high: float, fill: str, line: str, strong: bool = False) -> None:
        self.drawn.append(
            f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="12" fill="{fill}" stroke="{line}" '
            f'stroke-width="{2 if strong else 1}"/>'
        )

    def card(self, face: CardFace, x: float, y: float, wide: float) -> None:
        names = [face.full if wide >= 72 else face.small]
        if face.label and face.suit == "b":
            names.append(f"n{face.label}")
        for name in names:
            self.symbols.setdefault(name, self._symbol(name))
        used = "".join(f'<use href="#{name}" width="{wide:g}" height="{wide * 1.4:g}"/>' for name in names)
        self.drawn.append(
            f'<g transform="translate({x:g} {y:g})" color="{_INKS[face.suit]}" class="t{face.suit}">'
            f"<title>{escape(face.name)}</title>{used}</g>"
        )

    def _symbol(self, name: str) -> str:
        if name == "back":
            return back()
        if name[0] == "n":
            return label(int(name[1:]))
        return small_face(name[1], name[2], self.lang) if name[0] == "s" else full_face(name[0], name[1], self.lang)

    def finished(self, high: int, title: str) -> str:
        tints = "".join(f".t{suit}{{--tint:{tint}}}" for suit, tint in _TINTS.items())
        symbols = "".join(
            f'<symbol id={quoteattr(name)} viewBox="0 0 240 336">{drawing}</symbol>'
            for name, drawing in self.symbols.items()
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {high}" width="{_WIDE}" height="{high}" '
            f'lang="{self.lang}" role="img"><title>{escape(title)}</title><style>{_STYLE}{tints}</style>'
            f'<defs>{symbols}</defs><rect width="{_WIDE}" height="{high}" fill="#FAF8F4"/>{"".join(self.drawn)}</svg>'
        )


def still(page: StepPage, words: Wording) -> str:
    """The picture of a step."""
    draw = _Picture(words.lang)
    draw.text(24, 44, plain(page.sentence), "h")
    draw.text(_WIDE - 24, 30, f"{words.say('replay')} · {page.recording.text}", "q", "end")
    draw.text(_WIDE - 24, 50, f"{page.place} · {words.say('step.event_blind', seq=page.seq)}", "q", "end")
    y = 66.0
    across = min(3, max(1, len(page.others)))
    wide = (_WIDE - 48 - 12 * (across - 1)) / across
    for n, seat in enumerate(page.others):
        row, column = divmod(n, across)
        _seat(draw, seat, 24 + column * (wide + 12), y + row * 112, wide)
    y += 112 * (-(-len(page.others) // across)) + 2
    draw.box(24, y, _WIDE - 48, 220, "#EBF0EC", "#EBF0EC")
    _sets(draw, page.sets, y)
    if page.stock:
        draw.text(_WIDE - 40, y + 190, page.stock.stock, "q", "end")
        draw.text(_WIDE - 40, y + 210, plain(page.stock.trump), "q", "end")
    _seat(draw, page.mine, 24, y + 232, _WIDE - 48)
    y += 232 + 112
    draw.text(24, y + 20, f"{page.pot_word} {page.pot} {plain(page.pot_text)}")
    return draw.finished(int(y + 40), page.frame.title)


def _seat(draw: _Picture, seat: SeatBox, x: float, y: float, wide: float) -> None:
    draw.box(x, y, wide, 100, "#FFF", "#0E5F66" if seat.acting else "#E2DED5", seat.acting)
    act = f" · {seat.act.text}" if seat.act else "".join(f" · {note}" for note in seat.notes)
    draw.text(x + 14, y + 24, seat.name + act, "n")
    step = min(32.0, (wide * 0.42) / max(1, len(seat.cards)))
    for n, card in enumerate(seat.cards):
        draw.card(card, x + 14 + n * step, y + 36, 38)
    for n, line in enumerate(_about(seat)):
        draw.text(x + wide - 14, y + 24 + 22 * n, line, "q", "end")


def _about(seat: SeatBox) -> Iterator[str]:
    yield f"{seat.stack_word} {seat.stack}"
    if seat.pile:
        yield plain(seat.pile)
    if seat.track:
        yield f"{seat.track.span} · {seat.track.word}"
    elif seat.tricks:
        yield seat.tricks


def _sets(draw: _Picture, sets: tuple[SetBox, ...], y: float) -> None:
    count = sum(len(one.cards) for one in sets)
    wide = min(84.0, (_WIDE - 220 - 22 * len(sets)) / max(1, count) - 4)
    room = (_WIDE - 88 - 22 * (len(sets) - 1)) / max(1, len(sets))
    x = 44.0
    for one in sets:
        span = len(one.cards) * (wide + 4) - 4
        crowded = len(sets) > 3
        said = (f"{one.order}. {one.act}", one.name) if crowded else (f"{one.order}. {one.act} · {one.name}",)
        place = max(span, 96, min(room, max(len(line) for line in said) * _LETTER))
        if one.winning:
            draw.box(x - 5, y + 35, span + 10, wide * 1.4 + 10, "none", "#0E5F66", strong=True)
        for n, line in enumerate(said):
            draw.text(x, y + (16 + 17 * n if crowded else 24), _cut(line, int(place / _LETTER)), "q")
        for n, card in enumerate(one.cards):
            draw.card(card, x + n * (wide + 4), y + 40, wide)
        draw.text(x, y + 40 + wide * 1.4 + 24, one.note if not crowded or one.winning else "", "q")
        x += place + 22


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: max(1, most - 1)].rstrip() + "…"
