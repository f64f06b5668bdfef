"""`razbor rules`: presets, every option with its values and paragraph, and what each means."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from recorder import rulebook
from recorder.words import topic
from replay.cli_words import say
from schemas.options import paragraph_of, plain, typed, values_of
from schemas.rules import AMOUNTS, RULES_OF

_MARK: Final = {True: "*", False: " "}


def as_data(preset: str | None) -> dict[str, Any]:
    """Presets with every option spelled out, and of each game's options the paragraph and the values."""
    games = [preset.split("/")[0]] if preset else sorted(RULES_OF)
    wanted = [preset] if preset else list(rulebook.presets())
    return {
        "presets": {name: dict(rulebook.preset_options(name)) for name in wanted},
        "options": {game: {each.name: _option(game, each.name) for each in fields(RULES_OF[game])} for game in games},
    }


def _option(game: str, name: str) -> dict[str, Any]:
    return {"paragraph": paragraph_of(game, name), "values": [plain(value) for value in values_of(game, name)]}


def as_text(preset: str | None, lang: str) -> list[str]:
    """The same as lines of text in a language; of one preset, its own values are marked."""
    if preset:
        game = preset.split("/")[0]
        return [preset, *_options(game, rulebook.preset_options(preset), lang)]
    lines = []
    for game in RULES_OF:
        lines += [f"{name}" for name in rulebook.presets(game)]
        lines += [*_options(game, {}, lang), ""]
    return lines[:-1]


def _options(game: str, chosen: Mapping[str, Any], lang: str) -> list[str]:
    lines = []
    words = topic("options", lang)[game]
    for each in fields(RULES_OF[game]):
        paragraph = say("rules.paragraph", lang, paragraph=paragraph_of(game, each.name))
        value = chosen.get(each.name)
        lines += ["", f"{each.name}{_chosen(value, lang)}  ({paragraph})", f"  {words[each.name]['title']}"]
        lines += [f"  {words[each.name]['text']}"] if "text" in words[each.name] else []
        lines += _values(game, each.name, words[each.name], value, lang)
    return lines


def _chosen(value: Any, lang: str) -> str:
    if value is None:
        return ""
    if value == rulebook.MUST_BE_GIVEN:
        return f" = ({say('rules.must_be_given', lang)})"
    return f" = {typed(value)}"


def _values(game: str, name: str, words: Mapping[str, str], chosen: Any, lang: str) -> list[str]:
    if name in AMOUNTS or name == "max_draw":
        return [f"    {say('rules.amount' if name in AMOUNTS else 'rules.draws', lang)}"]
    named = [(typed(plain(value)), plain(value) == chosen) for value in values_of(game, name)]
    width = max(len(value) for value, _ in named)
    return [f"  {_MARK[mine]} {value:<{width}}  {words.get(value, '')}".rstrip() for value, mine in named]
