"""The forms a value may have (`record.md` 2): one check for each, giving the flaw or nothing.

Every check takes a decoded JSON value of any type. `TOLD` stands for a value whose flaw was already told.
"""

import json
import re
import unicodedata
from collections.abc import Callable
from datetime import date
from typing import Any, Final

from msgspec import inspect

from schemas.cards import CODE, RANKS, SUITS
from schemas.problems import Code, Flaw
from schemas.values import FORMAT, GREATEST


class Told:
    """The type of `TOLD`."""


TOLD: Final = Told()
"""Stands in for a value that has been told to be wrong, so that nothing else is said about it."""

Check = Callable[[object], Flaw | None]

_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_TIME: Final = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?"
    r"(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))"
)
TWINS: Final[dict[str, str]] = {
    **dict(zip("АВДЕКМНОРСТХасдеорухԁһѕЅЈ", "ABDEKMHOPCTXacdeopyxdhsSJ", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX", strict=True)),
    **dict(zip("ⲦᎢᴛ", "TTT", strict=True)),
}
"""By letter that is not ASCII: the Latin letter it can be taken for."""


def shown(value: object) -> str:
    """A value as JSON, shortened to a width that fits a sentence, free of control characters."""
    text = "..." if isinstance(value, Told) else json.dumps(value, ensure_ascii=False, default=lambda _: "...")
    text = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)
    return text if len(text) <= 60 else text[:57] + "..."


def bad_value(value: object, expected: str) -> Flaw:
    """The flaw of a value of the wrong type, sign or choice; `expected` in a notation without words."""
    return Flaw(Code.BAD_VALUE, args={"value": shown(value), "expected": expected})


def unclean(text: str) -> bool:
    """Whether a text holds a control character or a lone surrogate, which no string anywhere may."""
    return _CONTROL.search(text) is not None


def bad_text(text: str, limit: int) -> Flaw:
    """The flaw of a text that is empty, unclean, not in NFC or longer than `limit` code points."""
    return Flaw(Code.BAD_TEXT, args={"value": shown(text), "limit": limit})


def text_check(limit: int) -> Check:
    """The check of a text in NFC of 1..`limit` code points without control characters."""

    def check(value: object) -> Flaw | None:
        if isinstance(value, Told):
            return None
        if not isinstance(value, str):
            return bad_value(value, '"..."')
        if not 1 <= len(value) <= limit or unclean(value) or not unicodedata.is_normalized("NFC", value):
            return bad_text(value, limit)
        return None

    return check


def integer_check(least: int | None, greatest: int | None) -> Check:
    """The check of a whole number between two bounds, both included; true and false are no numbers."""
    low = -GREATEST if least is None else least
    high = GREATEST if greatest is None else greatest
    expected = f"{low} .. {high}"

    def check(value: object) -> Flaw | None:
        if isinstance(value, Told):
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            return bad_value(value, expected)
        if abs(value) > GREATEST:
            return Flaw(Code.OUT_OF_RANGE, args={"value": shown(value)})
        return None if low <= value <= high else bad_value(value, expected)

    return check


def choice_check(choices: tuple[object, ...]) -> Check:
    """The check of one word out of a few."""
    expected = " | ".join(sorted(str(choice) for choice in choices))

    def check(value: object) -> Flaw | None:
        if isinstance(value, Told) or (isinstance(value, str) and value in choices):
            return None
        return bad_value(value, expected)

    return check


def pattern_check(pattern: str, expected: str) -> Check:
    """The check of a text that must match a pattern as a whole."""
    matches = re.compile(pattern).fullmatch

    def check(value: object) -> Flaw | None:
        if isinstance(value, Told) or (isinstance(value, str) and matches(value)):
            return None
        return bad_value(value, expected)

    return check


def card(value: object) -> Flaw | None:
    """A card's two characters, known or not: `bad-card`, or `look-alike-letter` with the letter and its Latin twin."""
    if isinstance(value, Told):
        return None
    if not isinstance(value, str):
        return bad_value(value, '"As"')
    return None if value in CODE else _no_card(value)


def _no_card(value: str) -> Flaw:
    if len(value) <= 40:
        for letter in value:
            twin = TWINS.get(letter) or unicodedata.normalize("NFKC", letter)
            if not letter.isascii() and twin.isascii() and len(twin) == 1:
                name = unicodedata.name(letter, f"U+{ord(letter):04X}")
                return Flaw(
                    Code.LOOK_ALIKE_LETTER, args={"value": shown(value), "letter": letter, "name": name, "twin": twin}
                )
    return Flaw(Code.BAD_CARD, args={"value": shown(value), "ranks": " ".join(RANKS), "suits": " ".join(SUITS)})


def testimony(value: object) -> Flaw | None:
    """A card, or two and more different known cards joined by `/`, of which the seat says it was one."""
    if not isinstance(value, str) or "/" not in value:
        return card(value)
    candidates = value.split("/")
    for candidate in candidates:
        if candidate not in CODE or "?" in candidate:
            return _no_card(candidate)
    return _no_card(value) if len(set(candidates)) < len(candidates) else None


def time(value: object) -> Flaw | None:
    """RFC 3339 with an explicit offset or `Z`, of a day and an hour that exist (a leap second is allowed)."""
    if isinstance(value, Told):
        return None
    match = _TIME.fullmatch(value) if isinstance(value, str) else None
    if match and _exists(*map(int, match.group(1, 2, 3, 4, 5, 6)), offset=match.group(7, 8, 9)):
        return None
    return bad_value(value, '"2026-11-29T20:15:00+03:00"')


def _exists(
    year: int, month: int, day: int, hour: int, minute: int, second: int, *, offset: tuple[str | None, ...]
) -> bool:
    try:
        date(year or 4, month, day)  # the year 0 is a leap year
    except ValueError:
        return False
    sign, hours, minutes = offset
    off_hour, off_minute = int(hours or 0), int(minutes or 0)
    off = (off_hour * 60 + off_minute) * (-1 if sign == "-" else 1)
    leap = second == 60 and (hour * 60 + minute - off) % 1440 == 1439
    return hour <= 23 and minute <= 59 and (second <= 59 or leap) and off_hour <= 23 and off_minute <= 59


def version(value: object) -> Flaw | None:
    """The format's name and version, one this code knows."""
    if isinstance(value, Told) or value == FORMAT:
        return None
    if not isinstance(value, str):
        return bad_value(value, f'"{FORMAT}"')
    return Flaw(Code.UNKNOWN_VERSION, args={"value": shown(value), "known": FORMAT})


def any_string(value: object) -> Flaw | None:
    """Any string: what it may be is judged elsewhere."""
    return None if isinstance(value, str | Told) else bad_value(value, '"..."')


def any_object(value: object) -> Flaw | None:
    """Any object: what stands in it is judged elsewhere."""
    return None if isinstance(value, dict | Told) else bad_value(value, "{...}")


FORMS: Final[dict[str, Check]] = {
    "text": text_check(500),
    "name": text_check(40),
    "time": time,
    "version": version,
    "card": card,
    "testimony": testimony,
    "preset": any_string,
}
"""By the name `schemas.events` gives a form that types do not say in full: its check."""


def bare(of: inspect.Type) -> tuple[inspect.Type, dict[str, Any]]:
    """A declared type without its wrapping, and what `schemas.events` noted about it (`form`)."""
    extra: dict[str, Any] = {}
    while isinstance(of, inspect.Metadata | inspect.UnionType):
        if isinstance(of, inspect.Metadata):
            extra |= of.extra or {}
            of = of.type
        else:
            of = next(each for each in of.types if not isinstance(each, inspect.NoneType))
    return of, extra


def spell_key(key: str) -> str:
    """A key as it stands in a problem's field: shortened, and free of characters that print nothing."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in key[:60])
