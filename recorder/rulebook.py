"""data/rules/GAME/NAME@VERSION.toml -> presets, and the house rules of one recording (`rules.md` 2 and 5)."""

import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from types import MappingProxyType
from typing import Any, Final, TypeGuard

from recorder.places_on_disk import RULES
from schemas import wire
from schemas.forms import Told, shown
from schemas.options import plain, values_of
from schemas.problems import Code, Flaw
from schemas.rules import AMOUNTS, RULES_OF, UNRECORDED, HouseRules
from schemas.values import GREATEST

MUST_BE_GIVEN: Final = "must be given"
"""A preset's word for an option without a default: the recording itself must say it."""
_MOST_CARDS: Final = 5
_MOST_SEATS: Final = 8


class UnknownRulesError(ValueError):
    """A preset, an option or a value that is not in the rule book; `flaws` names each, the first first.

    The fields are `rules.preset` and `rules.options.NAME`; the code is `unknown-rules`.
    """

    def __init__(self, flaws: list[Flaw]) -> None:
        super().__init__(", ".join(flaw.field for flaw in flaws))
        self.flaws = tuple(flaws)

    @property
    def field(self) -> str:
        """The path of the first offending thing."""
        return self.flaws[0].field


@cache
def presets(game: str | None = None) -> tuple[str, ...]:
    """The names of the presets with their versions, such as `bura/classic-36@1`, of one game or of both."""
    games = [game] if game else sorted(RULES_OF)
    return tuple(f"{each}/{path.stem}" for each in games for path in sorted((RULES / each).glob("*.toml")))


@cache
def preset_options(preset: str) -> Mapping[str, Any]:
    """Every option of a preset as the wire writes it; `"must be given"` where it has no default.

    `UnknownRulesError` where there is no such preset.
    """
    if preset not in presets():
        known = " ".join(presets())
        raise UnknownRulesError([_flaw("rules.preset", preset, known)])
    return MappingProxyType(tomllib.loads((RULES / f"{preset}.toml").read_text(encoding="utf-8")))


def house_rules(game: str, preset: str, options: Mapping[str, Any]) -> HouseRules:
    """The rules of one recording: the preset, and the options in which its table differs from it.

    `UnknownRulesError` names every option or value that does not exist, an option that must be given and is not, and a
    preset of the other game.
    """
    flaws = examine(game, preset, options)
    if flaws:
        raise UnknownRulesError(flaws)
    wanted = {**preset_options(preset), **options}
    unrecorded = tuple(name for name in wanted if wanted[name] == UNRECORDED)
    chosen = {name: _member(game, name, value) for name, value in wanted.items()}
    rules = RULES_OF[game](**chosen)
    spelled = {name: plain(UNRECORDED if name in unrecorded else value) for name, value in chosen.items()}
    digest = hashlib.sha256(wire.canonical({"options": spelled, "preset": preset})).hexdigest()[:16]
    return HouseRules(game, preset, _in_order(game, options), rules, unrecorded, digest)


def _in_order(game: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The same options in the order of the tables, however they were written: a report has the same bytes."""
    given = {name: options[name] for name in _names(game) if name in options}
    return {name: dict(sorted(value.items())) if isinstance(value, dict) else value for name, value in given.items()}


def judged_by(recorded: HouseRules, preset: str | None = None, options: Mapping[str, Any] | None = None) -> HouseRules:
    """The recorded rules changed by `--rules PRESET` and `--set OPTION=VALUE` (`report.md` 6).

    Another preset replaces preset and recorded options, except one that the new preset wants given.
    """
    given = dict(options or {})
    if preset is None or preset == recorded.preset:
        return house_rules(recorded.game, recorded.preset, {**recorded.options, **given})
    for name, value in preset_options(preset).items():
        if value == MUST_BE_GIVEN and name not in given and hasattr(recorded.rules, name):
            given[name] = UNRECORDED if name in recorded.unrecorded else plain(getattr(recorded.rules, name))
    return house_rules(recorded.game, preset, given)


def read_value(game: str, name: str, text: str) -> Any:
    """The wire's value of an option written as `--set NAME=TEXT`: a number, true, false, `5:4,7:3`, or a word.

    Such steps may be written as a recording writes them, too: `{"5": 4, "7": 3}`.
    """
    if text[:1] + text[-1:] == "{}":
        text = re.sub('[{}" ]', "", text)
    if re.fullmatch(r"[0-9]{1,16}", text):
        return int(text)
    if text in ("true", "false") and name in _names(game) and values_of(game, name) == (False, True):
        return text == "true"
    if re.fullmatch(r"[0-9]+:[0-9](,[0-9]+:[0-9])*", text):
        return {seats: int(cards) for seats, cards in (pair.split(":") for pair in text.split(","))}
    return text


def examine(game: str | None, preset: object, options: Mapping[str, Any]) -> list[Flaw]:
    """What is wrong with a choice of rules, but for what was told: `unknown-rules` for preset, each option and value.

    Without a `game` the preset says which it is.
    """
    if not isinstance(preset, str) or preset not in presets(game):
        return [_flaw("rules.preset", preset, " | ".join(presets(game)))]
    game = preset.split("/")[0]
    flaws = []
    for name, value in options.items():
        field = f"rules.options.{wire.spell_key(name)}"
        if name not in _names(game):
            flaws.append(_flaw(field, name, " ".join(_names(game))))
        elif not _is_told(value) and not _allowed(game, name, value):
            flaws.append(_flaw(field, value, _expected(game, name)))
    for name, value in preset_options(preset).items():
        if value == MUST_BE_GIVEN and name not in options:
            flaws.append(_flaw(f"rules.options.{name}", None, _expected(game, name)))
    return flaws


def _is_told(value: object) -> bool:
    """Whether something in an option's value was told already: what else it would be is not asked."""
    inner = value.values() if isinstance(value, dict) else ()
    return isinstance(value, Told) or any(isinstance(each, Told) for each in inner)


def _flaw(field: str, value: object, expected: str) -> Flaw:
    return Flaw(Code.UNKNOWN_RULES, field, {"value": shown(value), "expected": expected})


@cache
def _names(game: str) -> tuple[str, ...]:
    return tuple(each.name for each in fields(RULES_OF[game]))


def _allowed(game: str, name: str, value: object) -> bool:
    if name in AMOUNTS:
        return value == "none" or (_whole(value) and 1 <= value <= GREATEST)
    if name == "max_draw":
        return (_whole(value) and 1 <= value <= _MOST_CARDS) or (isinstance(value, dict) and _draw_table(value))
    if value == UNRECORDED or (name == "match_to" and value == "none"):
        return True
    return any(type(plain(choice)) is type(value) and plain(choice) == value for choice in values_of(game, name))


def _whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _draw_table(value: dict[str, Any]) -> bool:
    return bool(value) and all(
        re.fullmatch("[2-8]", seats) and _whole(cards) and 1 <= cards <= _MOST_CARDS for seats, cards in value.items()
    )


def _expected(game: str, name: str) -> str:
    if name in AMOUNTS:
        return f"1 .. {GREATEST} | none"
    if name == "max_draw":
        return '1 .. 5 | {"5": 4, "7": 3}'
    return " | ".join(
        wire.canonical(plain(value)).decode().strip('"') for value in (*values_of(game, name), UNRECORDED)
    )


def _member(game: str, name: str, value: Any) -> Any:
    """The value as the rules class holds it; of an unrecorded option, the first of the table."""
    if name == "max_draw":
        table = value if isinstance(value, dict) else {_MOST_SEATS: value}
        return tuple(sorted((int(seats), cards) for seats, cards in table.items()))
    if value == "none" and (name in AMOUNTS or name == "match_to"):
        return None
    choices = values_of(game, name)
    if value == UNRECORDED:
        return choices[0]
    return next((choice for choice in choices if plain(choice) == value), value)
