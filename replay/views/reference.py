"""The rules and the codes, each explained once: built from the declarations, so that none is forgotten."""

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from replay.engine.findings import Code, severity_of
from replay.views.addresses import code_page, option_place
from replay.views.house_words import option_value
from replay.views.pages import CodeRow, CodesPage, NotationPage, OptionRow, OptionValue, RulesPage
from replay.views.parts import Frame, Link
from replay.views.verdicts import capital, rule_name
from replay.views.wording import Wording, plain
from schemas.options import paragraph_of, values_of
from schemas.problems import Code as ProblemCode
from schemas.rules import BourreRules, BuraRules

#: Where the pad has words for what a score sheet's words mean.
_OF_PAD: Final = {
    "event": "pad.kind",
    "stake": "pad.why",
    "reason": "event.hand_ended",
    "combination": "pad.combination",
    "source": "pad.source",
}
#: By preset its name and every option spelled out.
Presets = Mapping[str, Mapping[str, Any]]


def _anchor(code: str) -> str:
    return code_page(code).partition("#")[2]


def _finding_row(code: str, w: Wording) -> CodeRow:
    key = "findings." + code.replace("/", ".")
    holes: dict[str, Any] = {
        "seat": w.say("somebody"),
        "recorded": "…",
        "expected": "…",
        "hand": "…",
    }
    title, text = (_ended(plain(capital(w.parts(f"{key}.{part}", **holes)))) for part in ("title", "text"))
    return CodeRow(_anchor(code), code, title, text, w.say(f"severity.{severity_of(Code(code))}"))


def _problem_row(code: str, w: Wording) -> CodeRow:
    sentence = w.template(f"problems.{code}").format_map(_Dots())
    title, _, text = sentence.partition("; ")
    title, text = (_ended(part) for part in (title.rstrip() + ("." if text else ""), text[:1].upper() + text[1:]))
    return CodeRow(_anchor(code), code, title, text, "")


def _ended(sentence: str) -> str:
    """A sentence that ends with what is left out ends so."""
    return sentence.replace("….", "…")


class _Dots(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return "…"


def codes_page(w: Wording, langs: tuple[Link, ...] = ()) -> CodesPage:
    """Every finding code and every problem code."""
    return CodesPage(
        Frame(w.lang, w.say("codes.title"), langs),
        (
            (w.say("codes.findings"), tuple(_finding_row(str(code), w) for code in Code)),
            (w.say("codes.problems"), tuple(_problem_row(str(code), w) for code in ProblemCode)),
        ),
    )


def notation_page(w: Wording, langs: tuple[Link, ...] = ()) -> NotationPage:
    """How a score sheet is written in this language."""
    text, rows = notation(w.tree["sheet"])
    return NotationPage(Frame(w.lang, w.say("notation.title"), langs), text, rows, _blocks(text))


def _blocks(text: str) -> tuple[tuple[bool, str], ...]:
    """Each sentence that has a line of its own, and each example: lines that are set in."""
    blocks: list[tuple[bool, str]] = []
    for line in text.splitlines():
        example = line.startswith(" ") or (not line and bool(blocks) and blocks[-1][0])
        if example and blocks and blocks[-1][0]:
            blocks[-1] = (True, f"{blocks[-1][1]}\n{line[4:]}")
        elif line:
            blocks.append((example, line[4:] if example else line))
    return tuple((example, lines.rstrip()) for example, lines in blocks)


def notation(said: Mapping[str, Any]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """How a score sheet is written, and each meaning with its words, from `data/words/sheet.LANG.toml`."""
    rows = tuple((meaning, ", ".join(spelled)) for table in said["heading"] for meaning, spelled in said[table].items())
    return str(said["help"]["text"]).strip("\n"), rows


def notation_groups(w: Wording) -> tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...]:
    """The words of a score sheet by what they are for: a heading, and each meaning, its words and what it is."""
    said = w.tree["sheet"]
    return tuple(
        (
            heading,
            tuple(
                (meaning, ", ".join(spelled), _explained(table, meaning, w)) for meaning, spelled in said[table].items()
            ),
        )
        for table, heading in said["heading"].items()
    )


def _explained(table: str, meaning: str, w: Wording) -> str:
    """A meaning in the words of the live table's pad, where that has it."""
    key = f"{_OF_PAD[table]}.{meaning}" if table in _OF_PAD else ""
    return w.template(key) if key and w.has(key) else ""


def rules_page(w: Wording, presets: Presets, langs: tuple[Link, ...] = ()) -> RulesPage:
    """Every paragraph and every option of both games, with the presets that choose each value."""
    games = []
    for game, shape in (("bura", BuraRules), ("bourre", BourreRules)):
        numbers = sorted(int(number) for number in w.tree["rulebook"][game])
        paragraphs = tuple((f"{game}.{number}", str(number), w.say(f"rulebook.{game}.{number}")) for number in numbers)
        options = tuple(_option(game, one.name, w, presets) for one in fields(shape))
        games.append((w.say(f"game.{game}"), paragraphs, options))
    return RulesPage(Frame(w.lang, w.say("rules.title"), langs), tuple(games))


def _option(game: str, name: str, w: Wording, presets: Presets) -> OptionRow:
    paragraph = paragraph_of(game, name)
    key = f"options.{game}.{name}"
    return OptionRow(
        place=option_place(game, name),
        name=name,
        title=w.say(f"{key}.title"),
        text=w.say(f"{key}.text") if w.has(f"{key}.text") else "",
        anchor=paragraph,
        paragraph=rule_name(paragraph, w),
        values=tuple(_value(game, name, value, w, presets) for value in _values(game, name, presets)),
    )


def _values(game: str, name: str, presets: Presets) -> tuple[Any, ...]:
    """The values an option may take; of an amount and of `max_draw` those that a preset chooses."""
    chosen = [options[name] for preset, options in presets.items() if preset.startswith(f"{game}/") and name in options]
    return values_of(game, name) or tuple({str(value): value for value in chosen}.values())


def _value(game: str, name: str, value: Any, w: Wording, presets: Presets) -> OptionValue:
    shown = str(value).lower()
    key = f"options.{game}.{name}.{shown}"
    spelled = json.dumps(value) if isinstance(value, Mapping) else shown
    told = w.has(key) or isinstance(value, Mapping) or shown == "none"
    chosen = [
        preset.partition("/")[2].partition("@")[0]
        for preset, options in presets.items()
        if preset.startswith(f"{game}/") and str(options.get(name)).lower() == shown
    ]
    return OptionValue(spelled, option_value(w, game, name, value) if told else "", ", ".join(chosen))
