"""The rules of the house in words: what an option is called, what its values mean, and how a hand ended under them."""

from collections.abc import Mapping, Sequence
from typing import Any

from replay.views.wording import Wording
from schemas.rules import AMOUNTS


def game_of(w: Wording, option: str) -> str:
    """The game whose rules have that option; of one both have, Bura."""
    return "bura" if w.has(f"options.bura.{option}.title") else "bourre"


def option_title(w: Wording, game: str, option: str) -> str:
    """What an option is called; its own name where there is no other."""
    key = f"options.{game}.{option}.title"
    return w.say(key) if w.has(key) else option


def option_value(w: Wording, game: str, option: str, value: Any) -> str:
    """What one of its values means."""
    spelled = str(value).lower()
    key = f"options.{game}.{option}.{spelled}"
    if isinstance(value, Mapping):
        return ", ".join(w.say("disputes_page.rules.up_to", most=str(most), n=count) for most, count in value.items())
    if spelled == "unrecorded":
        return w.say("disputes_page.rules.unrecorded")
    if w.has(key):
        return w.say(key)
    if spelled == "none":
        return w.say("disputes_page.rules.no_limit")
    if isinstance(value, int):
        return w.money(value) if option in AMOUNTS else w.amount(value)
    return spelled


def ended(w: Wording, reason: str | None, takers: Sequence[str], pot: int | None = None) -> str:
    """How a hand ended. `pot` is what was to be won, in chips; 0 where the hand was for match points (`rules.md` 2).

    An opening that failed matches the pot or, by other rules, gives it to others; what is said follows the takers.
    """
    key = f"ended.{reason or 'unknown'}"
    if takers and pot == 0 and w.has(f"{key}_won"):
        key += "_won"
    elif takers and w.has(f"{key}_taken"):
        key += "_taken"
    return w.say(key, taker=", ".join(takers) or "–")
