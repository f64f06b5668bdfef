"""The card sheet: every face, back and label as one SVG sprite a language, 240 by 336 a card.

Colours come from outside: the suit is the current colour, its tint the property `--tint`; so one sheet serves the
four-colour, the two-colour and the black deck.
"""

from functools import lru_cache
from typing import Final

from replay.views.courts import court
from replay.views.glyphs import RANKS, SHAPES, SUITS, letter, number, stroke, suit, width

LABELS: Final = 60
EDGE: Final = "#7F8489"
PAPER: Final = "#FFFDF8"
FIELD: Final = "#2F7A80"
PLATE_INK: Final = "#0E5F66"

_EIGHT: Final[tuple[tuple[str, float], ...]] = tuple((column, row) for row in (0, 2, 4, 6) for column in "lr")
#: Pips as (column, row); columns l c r, rows 0..6 down the middle of the card.
PIPS: Final[dict[str, tuple[tuple[str, float], ...]]] = {
    "2": (("c", 0), ("c", 6)),
    "3": (("c", 0), ("c", 3), ("c", 6)),
    "4": (("l", 0), ("r", 0), ("l", 6), ("r", 6)),
    "5": (("l", 0), ("r", 0), ("c", 3), ("l", 6), ("r", 6)),
    "6": (("l", 0), ("r", 0), ("l", 3), ("r", 3), ("l", 6), ("r", 6)),
    "7": (("l", 0), ("r", 0), ("c", 1.5), ("l", 3), ("r", 3), ("l", 6), ("r", 6)),
    "8": (("l", 0), ("r", 0), ("c", 1.5), ("l", 3), ("r", 3), ("c", 4.5), ("l", 6), ("r", 6)),
    "9": (*_EIGHT, ("c", 3)),
    "T": (*_EIGHT, ("c", 1), ("c", 5)),
}


def _paper(edge: float) -> str:
    half = edge / 2
    return (
        f'<rect x="{number(half)}" y="{number(half)}" width="{number(240 - edge)}" height="{number(336 - edge)}" '
        f'rx="{number(20 - half)}" fill="{PAPER}" stroke="{EDGE}" stroke-width="{number(edge)}"/>'
    )


def _turned(drawing: str) -> str:
    return f'<g transform="rotate(180 120 168)">{drawing}</g>'


def _pips(rank: str, name: str) -> str:
    wide = rank in "9T"
    columns = {"l": 96.0, "c": 120.0, "r": 144.0} if wide else {"l": 92.0, "c": 120.0, "r": 148.0}
    size = 33.0 if wide else 38.0
    upper: list[str] = []
    lower: list[str] = []
    for column, row in PIPS[rank]:
        target = lower if row > 3 else upper
        shown = 6 - row if row > 3 else row
        x = 240 - columns[column] if row > 3 else columns[column]
        target.append(suit(name, x, 60 + 36 * shown, size))
    return "".join(upper) + _turned("".join(lower))


def _ace(name: str) -> str:
    ring = '<circle cx="120" cy="168" r="66" fill="none" stroke="currentColor" stroke-opacity=".4" stroke-width="2"/>'
    return ring + suit(name, 120, 168, 86)


def _picture(rank: str, name: str) -> str:
    if rank == "A":
        return _ace(name)
    return court(rank, name) if rank in "KQJ" else _pips(rank, name)


def full_face(rank: str, name: str, lang: str) -> str:
    """A face for 72 px of width and more: index in two corners, pips or a court picture between."""
    text = letter(rank, lang)
    height = 56.0 if text == "10" else 62.0
    index = stroke(text, 14 if text != "10" else 9, 18, height)
    centre = 9 + width(text) * height / 68 if text == "10" else 14 + width(text) * height / 68
    corner = index + suit(name, centre, 107, 38)
    return _paper(2) + _picture(rank, name) + corner + _turned(corner)


def small_face(rank: str, name: str, lang: str) -> str:
    """A face below 72 px of width: one big index, one big suit."""
    return _paper(4) + stroke(letter(rank, lang), 26, 30, 140) + suit(name, 154, 246, 118)


def back() -> str:
    """The back: a field with a thin diamond lattice and one inner line."""
    lattice = "".join(
        f"M{18 + 17 * n} 18L{18 + 17 * n - 300} 318M{18 + 17 * n - 300} 18L{18 + 17 * n} 318" for n in range(1, 31)
    )
    return (
        f"{_paper(2)}"
        f'<clipPath id="f"><rect x="16" y="16" width="208" height="304" rx="10"/></clipPath>'
        f'<rect x="16" y="16" width="208" height="304" rx="10" fill="{FIELD}"/>'
        f'<path clip-path="url(#f)" d="{lattice}" fill="none" stroke="#FFFDF8" stroke-opacity=".42" '
        'stroke-width="1.6"/>'
        '<rect x="26" y="26" width="188" height="284" rx="5" fill="none" stroke="#FFFDF8" stroke-opacity=".7" '
        'stroke-width="2.4"/>'
    )


def label(count: int) -> str:
    """The plate `#3` that names a face-down card; it grows with the digits."""
    digits = str(count)
    height, gap = (66.0, 9.0) if len(digits) == 1 else (56.0, 7.0)
    step = 24 * height / 34
    span = step * (1 + len(digits)) + gap * len(digits)
    box = span + 32
    left = 120 - span / 2
    plate = (
        f'<rect x="{number(120 - box / 2)}" y="{number(168 - 50)}" width="{number(box)}" height="100" rx="16" '
        f'fill="{PAPER}"/>'
    )
    top = 168 - height / 2
    text = "".join(stroke(mark, left + n * (step + gap), top, height) for n, mark in enumerate("#" + digits))
    return f'{plate}<g color="{PLATE_INK}">{text}</g>'


def _symbol(name: str, drawing: str, box: str = "0 0 240 336") -> str:
    return f'<symbol id="{name}" viewBox="{box}">{drawing}</symbol>'


@lru_cache(maxsize=8)
def sheet(lang: str, ranks: str = RANKS) -> str:
    """The sprite of one language: `Kh` full, `kh` small (lower-case rank; digits as `s7h`), `back`, `n3` a label."""
    parts = ['<svg xmlns="http://www.w3.org/2000/svg">']
    for rank in ranks:
        for name in SUITS:
            parts.append(_symbol(f"{rank}{name}", full_face(rank, name, lang)))
            parts.append(_symbol(f"s{rank}{name}", small_face(rank, name, lang)))
    parts.append(_symbol("back", back()))
    parts.extend(_symbol(f"n{count}", label(count)) for count in range(1, LABELS + 1))
    parts.append("</svg>")
    return "".join(parts)


@lru_cache(maxsize=1)
def suit_symbols() -> str:
    """The four suits alone, for cards named in running text."""
    return "".join(_symbol(name, f'<path d="{SHAPES[name]}"/>', "0 0 32 32") for name in SUITS)
