"""The options of house rules: what values each may take, of which paragraph it is, how a value is written and typed."""

from collections.abc import Mapping
from dataclasses import fields
from enum import StrEnum
from typing import Any

from schemas.rules import RULES_OF


def values_of(game: str, name: str) -> tuple[Any, ...]:
    """The values an option may take, in the order of the table; empty for an amount and for `max_draw`.

    `KeyError` where the game has no such option.
    """
    for each in fields(RULES_OF[game]):
        if each.name == name:
            if isinstance(each.type, type) and issubclass(each.type, StrEnum):
                return tuple(each.type)
            return tuple(each.metadata["values"])
    raise KeyError(name)


def paragraph_of(game: str, name: str) -> str:
    """The paragraph of `rules.md` that an option belongs to, such as `bura.12`; `KeyError` where there is none."""
    for each in fields(RULES_OF[game]):
        if each.name == name:
            return str(each.metadata["paragraph"])
    raise KeyError(name)


def plain(value: Any) -> Any:
    """An option's value as the wire writes it: `none` for a lacking amount, an object for `max_draw`."""
    if value is None:
        return "none"
    if isinstance(value, tuple):
        return {str(seats): cards for seats, cards in value}
    if isinstance(value, StrEnum):
        return str(value)
    return value


def typed(value: Any) -> str:
    """An option's wire value as it is typed, `--set NAME=VALUE`.

    >>> typed({"5": 4, "7": 3}), typed(True), typed(1250), typed("none")
    ('5:4,7:3', 'true', '1250', 'none')
    """
    if isinstance(value, Mapping):
        return ",".join(f"{seats}:{cards}" for seats, cards in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)
