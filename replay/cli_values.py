"""How the values of a report read on a terminal: seats with names, sums in their unit, all else as on the wire."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from replay.cli_words import say
from schemas import sums
from schemas.options import typed
from schemas.rules import AMOUNTS

BY_SEAT: Final = frozenset({"table/wrong-turn", "table/wrong-dealer", "table/trick-misawarded"})
"""Findings whose recorded and expected values are seats."""


class Sums(msgspec.Struct, frozen=True):
    """How the sums of a recording read: with so many decimals, in a language."""

    digits: int
    lang: str

    def told(self, value: int | None) -> str:
        """A sum; `?` where it is not known."""
        return "?" if value is None else sums.decimal(value, self.digits, "." if self.lang == "en" else ",")

    def signed(self, value: int | None) -> str:
        """A change of chips with its sign; `?` where it is not known."""
        return ("+" if value and value > 0 else "") + self.told(value)

    def option(self, name: str, value: Any) -> str:
        """A house rule's value as it is typed; beside an amount the sum it is, where that reads otherwise."""
        is_sum = self.digits and name in AMOUNTS and isinstance(value, int)
        return f"{typed(value)} ({self.told(value)})" if is_sum else typed(value)


def side_told(value: Any, code: str, names: Mapping[int, str], how: Sums) -> str:
    """What a finding of a code has as recorded, or as expected; nothing where it has none."""
    if isinstance(value, int) and not isinstance(value, bool):
        if code in BY_SEAT:
            return seat_name(value, names, how.lang)
        if code in sums.FINDINGS:
            return how.told(value)
    if isinstance(value, str) and code == "table/wrong-reason":
        return reason_told(value, how.lang)
    if isinstance(value, Mapping) and value.keys() == {"played", "proved_by"}:
        return spelled(value["played"])
    return "" if value is None else spelled(sums.outcomes(value, how.told))


def reason_told(reason: str | None, lang: str) -> str:
    """How a hand ended, in words; `?` where it is not known."""
    return "?" if reason is None else say(f"reason.{reason}", lang)


def seat_name(seat: int | None, names: Mapping[int, str], lang: str) -> str:
    """What a seat is called: its number and who sits there."""
    if not seat:
        return say("verify.nobody", lang)
    name = names.get(seat)
    return f"{seat} {name}" if name else say("verify.seat", lang, seat=seat)


def spelled(value: Any) -> str:
    """A value of a report as text; the words and cards of the wire stay as they are."""
    if value is None:
        return "?"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        if value.keys() == {"low", "high"}:
            return f"{spelled(value['low'])}..{spelled(value['high'])}"
        return ", ".join(f"{key}: {spelled(each)}" for key, each in value.items())
    return ", ".join(map(spelled, value)) if isinstance(value, list | tuple) else str(value)
