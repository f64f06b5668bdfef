"""Index letters and suits as strokes and shapes: no font draws a rank or a suit anywhere."""

from typing import Final

SUITS: Final = "shdc"
RANKS: Final = "AKQJT98765432"

STROKE: Final = 5.2

#: Stroke paths in a box 24 wide and 34 high ("10" is 33 wide).
STROKES: Final[dict[str, str]] = {
    "A": "M3 31L12 3L21 31M6.6 21.4H17.4",
    "K": "M4 3V31M20 3L4.8 19M10.4 13.4L21 31",
    "Q": "M3 11.8a9 9 0 0 1 18 0v10.4a9 9 0 0 1-18 0zM14 23.4L21 31.4",
    "J": "M19.5 3V22.4a8 8 0 0 1-16 .6",
    "R": "M4 31V3h8.8a7.4 7.4 0 0 1 0 15.2H4M12.6 18.2L20.6 31",
    "D": "M4 3h5.4a11.4 11.4 0 0 1 11.4 11.4v5.2A11.4 11.4 0 0 1 9.4 31H4z",
    "V": "M3 3L12 31L21 3",
    "Т": "M3 3H21M12 3V31",
    "К": "M4 3V31M20 3L4.8 19M10.4 13.4L21 31",
    "Д": "M3 31.4V25.4H21V31.4M5.6 25.2C8 19.6 8.4 14 8.4 3H18.4V25.2",
    "В": "M12.4 16.4H4M4 3h7.4a6.7 6.7 0 0 1 0 13.4h1a7.3 7.3 0 0 1 0 14.6H4z",
    "0": "M3.6 11.4a8.4 8.4 0 0 1 16.8 0v11.2a8.4 8.4 0 0 1-16.8 0z",
    "1": "M6.4 8.6L14 3V31",
    "2": "M3.8 10.6A8.2 7.8 0 0 1 20.2 10.8C20.2 16.4 12 20.6 3.4 31H21",
    "3": "M4.4 3H19.4L11 13.6A8.9 8.7 0 1 1 3.2 26.4",
    "4": "M15.6 31V3L3 22.6H21.2",
    "5": "M19.2 3H6.4L4.8 15.4A8.8 8.6 0 1 1 3.2 27",
    "6": "M17.4 3C9.6 5.6 3.2 12.6 3.2 22.2A8.8 8.8 0 1 0 12 13.4C7.8 13.4 4.2 16.2 3.4 20",
    "7": "M3 3H21L9.6 31",
    "8": "M12 15.8a7 6.4 0 1 1 .01 0a8.6 7.6 0 1 1-.01 0z",
    "10": "M3 8.4L9.4 3V31M17 11a6.8 6.8 0 0 1 13.4 0v12a6.8 6.8 0 0 1-13.4 0z",
    "#": "M9.4 5L6.6 29M17.4 5L14.6 29M3.4 12.4H20.8M2.8 21.6H20.2",
}

#: Filled shapes in a box 32 by 32.
SHAPES: Final[dict[str, str]] = {
    "s": "M16 1C17.4 6.6 29.8 12 29.8 20.2a6.7 6.7 0 0 1-12.1 4c.3 2.7 1.4 4.9 3.5 6.8H10.8c2.1-1.9 3.2-4.1 3.5-6.8"
    "a6.7 6.7 0 0 1-12.1-4C2.2 12 14.6 6.6 16 1z",
    "h": "M16 30C13.4 24.6 2 19.2 2 10.4A7.4 7.4 0 0 1 16 7.4A7.4 7.4 0 0 1 30 10.4C30 19.2 18.6 24.6 16 30z",
    "d": "M16 1C18.8 7 22.8 11.8 27.6 16C22.8 20.2 18.8 25 16 31C13.2 25 9.2 20.2 4.4 16C9.2 11.8 13.2 7 16 1z",
    "c": "M16 1.4a6.8 6.8 0 0 1 5.2 11.2l-1.5 2a6.8 6.8 0 1 1-1.9 9.6c.3 2.7 1.4 4.9 3.4 6.8H10.8c2-1.9 3.1-4.1 3.4-6.8"
    "a6.8 6.8 0 1 1-1.9-9.6l-1.5-2A6.8 6.8 0 0 1 16 1.4z",
}

#: What stands in the corner of a card, by language; pips read the same everywhere.
LETTERS: Final[dict[str, dict[str, str]]] = {
    "en": {"A": "A", "K": "K", "Q": "Q", "J": "J"},
    "ru": {"A": "Т", "K": "К", "Q": "Д", "J": "В"},
    "fr": {"A": "A", "K": "R", "Q": "D", "J": "V"},
}


def letter(rank: str, lang: str) -> str:
    """The index a reader of that language expects: `letter("Q", "ru")` is "Д", `letter("T", "en")` is "10"."""
    return LETTERS[lang].get(rank, "10" if rank == "T" else rank)


def width(text: str) -> float:
    """How many units of the 34-high box a glyph takes."""
    return 33.0 if text == "10" else 24.0


def number(value: float) -> str:
    """A coordinate as short as it can be written.

    >>> number(2.50), number(-0.04)
    ('2.5', '0')
    """
    text = f"{value:.1f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def stroke(text: str, x: float, y: float, height: float) -> str:
    """One index glyph, its box's corner at (x, y), as an SVG path in the current colour."""
    if text == "9":
        turned = f"rotate(180 {number(x + 12 * height / 34)} {number(y + height / 2)})"
        return f'<g transform="{turned}">{stroke("6", x, y, height)}</g>'
    scale = f"{height / 34:.3f}".rstrip("0").rstrip(".")
    place = f"translate({number(x)} {number(y)}) scale({scale})"
    return (
        f'<path transform="{place}" d="{STROKES[text]}" fill="none" stroke="currentColor" '
        f'stroke-width="{STROKE}" stroke-linecap="round" stroke-linejoin="round"/>'
    )


def suit(name: str, x: float, y: float, size: float, fill: str = "currentColor") -> str:
    """One suit, centred at (x, y) and `size` wide."""
    scale = f"{size / 32:.3f}".rstrip("0").rstrip(".")
    place = f"translate({number(x - size / 2)} {number(y - size / 2)}) scale({scale})"
    return f'<path transform="{place}" d="{SHAPES[name]}" fill="{fill}"/>'
