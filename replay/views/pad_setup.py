"""The page where a table is made, and the page of its links."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from replay.views.pad_words import actor
from replay.views.parts import Frame, Link
from replay.views.wording import Wording
from schemas.options import plain, values_of
from schemas.rules import AMOUNTS, RULES_OF

MUST_BE_GIVEN: Final = "must be given"
UNRECORDED: Final = "unrecorded"


@dataclass(frozen=True)
class OptionField:
    """One house rule: its choices as value and word; without choices a number is written."""

    name: str
    title: str
    choices: tuple[tuple[str, str], ...]
    #: The preset's own value in words, and whether one has to be chosen.
    preset: str
    must: bool


@dataclass(frozen=True)
class SetupPage:
    """Game, rules, names, stakes."""

    frame: Frame
    game: str
    games: tuple[tuple[str, str], ...]
    preset: str
    presets: tuple[str, ...]
    options: tuple[OptionField, ...]
    seats: tuple[int, ...]
    #: What was typed, by name of the field.
    given: Mapping[str, str]
    notice: str
    token: bool


@dataclass(frozen=True)
class RoleLine:
    """One link of a table; its address only where it was just made."""

    number: int
    role: str
    href: str
    revoked: bool
    #: The whole address as a QR code, path and modules a side; nothing where it is not shown.
    code: tuple[str, int] | None = None


@dataclass(frozen=True)
class LinksPage:
    """The links of a table."""

    frame: Frame
    key: str
    lines: tuple[RoleLine, ...]
    #: Roles another link can be made for: value and word.
    roles: tuple[tuple[str, str], ...]
    base: str
    #: The spectators' address as a QR code.
    watch_code: tuple[str, int]

    @property
    def fresh(self) -> bool:
        """Whether any address is shown here."""
        return any(line.href for line in self.lines)


def setup_page(
    game: str,
    preset: str,
    options: Mapping[str, Any],
    words: Wording,
    langs: tuple[Link, ...],
    *,
    presets: Sequence[str],
    given: Mapping[str, str],
    notice: str,
    token: bool,
) -> SetupPage:
    """The page for one game and preset; `options` are the preset's own."""
    title = words.say("pad.new_heading")
    return SetupPage(
        frame=Frame(words.lang, title, langs),
        game=game,
        games=tuple((each, words.say(f"game.{each}")) for each in RULES_OF),
        preset=preset,
        presets=tuple(presets),
        options=tuple(_option(game, name, value, words) for name, value in options.items()),
        seats=tuple(range(1, max(int(str(most)) for most in values_of(game, "seats_max")) + 1)),
        given=given,
        notice=notice,
        token=token,
    )


def _option(game: str, name: str, value: Any, words: Wording) -> OptionField:
    must = value == MUST_BE_GIVEN
    choices: tuple[tuple[str, str], ...] = ()
    if name not in AMOUNTS and name != "max_draw":
        found = [str(plain(each)).lower() for each in values_of(game, name)]
        found = [*found, *(["none"] if name == "match_to" else []), UNRECORDED]
        choices = tuple((each, _word(game, name, each, words)) for each in found)
    if isinstance(value, Mapping):
        shown = ",".join(f"{seats}:{cards}" for seats, cards in value.items())
    else:
        shown = "" if must else _word(game, name, str(value).lower(), words)
    return OptionField(name, words.say(f"options.{game}.{name}.title"), choices, shown, must)


def _word(game: str, name: str, value: str, words: Wording) -> str:
    key = f"options.{game}.{name}.{value}"
    if words.has(key):
        return words.say(key)
    if value == "none":
        return words.say("pad.no_value")
    return words.say("pad.unrecorded") if value == UNRECORDED else value


def links_page(
    key: str,
    lines: Sequence[RoleLine],
    names: Mapping[int, str],
    words: Wording,
    langs: tuple[Link, ...],
    base: str,
    watch_code: tuple[str, int],
) -> LinksPage:
    """The page of a table's links."""
    roles = ["scribe", "arbiter", *(f"seat:{seat}" for seat in names)]
    return LinksPage(
        frame=Frame(words.lang, words.say("pad.links_heading"), langs),
        key=key,
        lines=tuple(replace(each, role=actor(each.role, names, words)) for each in lines),
        roles=tuple((role, actor(role, names, words)) for role in roles),
        base=base,
        watch_code=watch_code,
    )
