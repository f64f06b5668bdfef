"""How the command line speaks: its language, its sentences, its help, and what it says to a mistyped command."""

import io
import json
import os
import sys
from collections.abc import Sequence
from typing import Any, Final

import click

LANGUAGES: Final = ("en", "ru", "fr")
CLI: Final = "cli"
INTERRUPTED: Final = 130
BUG: Final = 70
_LANGUAGE: Final = "razbor.language"


def language(ctx: click.Context | None = None) -> str:
    """The language asked for with `--lang`, else that of the environment, else English."""
    asked = ctx.meta.get(_LANGUAGE) if ctx else None
    if asked:
        return str(asked)
    named = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "")
    return named[:2] if named[:2] in LANGUAGES and not named[2:3].isalpha() else "en"


def choose_language(ctx: click.Context, _: click.Parameter, value: str | None) -> None:
    """Remembers `--lang` for this command and those around it."""
    if value:
        ctx.meta[_LANGUAGE] = value


def asked_language(ctx: click.Context) -> str:
    """The language of data: only `--lang` changes it, so that data are the same in every environment."""
    return str(ctx.meta.get(_LANGUAGE) or "en")


def say(key: str, lang: str, /, **values: object) -> str:
    """The sentence of a dotted key of `data/words/cli.LANG.toml`, its holes filled."""
    from recorder.words import topic

    found: Any = topic(CLI, lang)
    for step in key.split("."):
        found = found[step]
    return str(found).format_map(values) if values else str(found)


class Mistyped(click.UsageError):
    """A command that cannot be carried out as it was typed: exit code 2, one sentence."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.key, self.values = key, values

    def sentence(self, lang: str) -> str:
        """The sentence in a language."""
        return say(f"error.{self.key}", lang, **self.values)


class Spoken(click.Option):
    """An option whose help is a sentence of the words, by its longest name."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        self.help = say(f"option.{max(self.opts, key=len).lstrip('-')}", language(ctx))
        return super().get_help_record(ctx)


class SpokenCommand(click.Command):
    """A command whose help is a sentence of the words, by its own name."""

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        found = super().get_help_option(ctx)
        if found is not None:
            found.help = say("option.help", language(ctx))
        return found

    def get_short_help_str(self, limit: int = 45) -> str:  # noqa: ARG002 - click's own signature
        return say(f"help.{self.name}", language(click.get_current_context(silent=True)))

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        lang = language(ctx)
        pieces = [say("frame.arguments", lang)]
        pieces += [param.make_metavar(ctx) for param in self.params if isinstance(param, click.Argument)]
        if isinstance(self, click.Group):
            pieces.append(say("frame.command", lang))
        formatter.write_usage(ctx.command_path, " ".join(pieces), say("frame.usage", lang))

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(say(f"help.{self.name}", language(ctx)))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        named = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        records = [record for param in named if (record := param.get_help_record(ctx))]
        with formatter.section(say("frame.options", language(ctx))):
            formatter.write_dl(records)


class Door(SpokenCommand, click.Group):
    """All commands. A mistyped one exits with 2 and one sentence, an interrupted one with 130, a bug with 70."""

    command_class = SpokenCommand

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Runs one command and exits with its code."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        sys.excepthook = _tell_bug
        try:
            code = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        except click.UsageError as error:
            lang = language(error.ctx)
            path = error.ctx.command_path if error.ctx else "razbor"
            click.echo(f"{path}: {usage_sentence(error, lang)}", err=True)
            click.echo(say("frame.more", lang, command=path), err=True)
            sys.exit(error.exit_code)
        except click.Abort:
            click.echo(say("error.stopped", language()), err=True)
            sys.exit(INTERRUPTED)
        sys.exit(code if isinstance(code, int) else 0)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_options(ctx, formatter)
        rows = [(name, command.get_short_help_str()) for name, command in self.commands.items()]
        with formatter.section(say("frame.commands", language(ctx))):
            formatter.write_dl(rows)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        for line in say("help.epilog", language(ctx)).split("\n"):
            formatter.write_text(line)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's own signature
        """The commands in the order of the manual."""
        return list(self.commands)


def usage_sentence(error: click.UsageError, lang: str) -> str:
    """What was mistyped, and what may have been meant, in a language."""
    match error:
        case Mistyped():
            return error.sentence(lang)
        case click.NoSuchOption():
            return say("error.no_option", lang, name=error.option_name) + _meant(error.possibilities, lang)
        case click.exceptions.NoSuchCommand():
            return say("error.no_command", lang, name=error.command_name) + _meant(error.possibilities, lang)
        case click.exceptions.BadOptionUsage():
            return say("error.option_value", lang, name=error.option_name)
        case click.MissingParameter():
            return say("error.missing", lang, name=_name(error))
        case click.BadParameter(param=click.Parameter(type=click.Choice(choices=choices))):
            shown = ", ".join(map(str, choices))
            return say("error.choices", lang, name=_name(error), value=_value(error), choices=shown)
        case click.BadParameter():
            return say("error.bad", lang, name=_name(error), value=_value(error))
        case _:
            return say("error.surplus", lang, value=error.format_message())


def _name(error: click.BadParameter) -> str:
    param = error.param
    if param is None:
        return str(error.param_hint or "")
    return param.opts[0] if isinstance(param, click.Option) else str(param.human_readable_name)


def _value(error: click.BadParameter) -> str:
    """What was given: click says it first, `'x' is not a valid integer`."""
    return error.message.partition(" is not ")[0].strip("'")


def _meant(names: Sequence[str] | None, lang: str) -> str:
    return " " + say("frame.meant", lang, names=", ".join(names)) if names else ""


def _tell_bug(kind: type[BaseException], error: BaseException, trace: Any) -> None:
    """An exception nobody expected: told whole, with exit code 70, so that it is taken for no verdict."""
    sys.__excepthook__(kind, error, trace)
    print(say("error.bug", language()), file=sys.stderr)  # noqa: T201 - click may be what failed
    sys.exit(BUG)


def line(value: object) -> str:
    """Data as one line of JSON, the keys in the order given."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def coloured(text: str, colour: str) -> str:
    """The text in a colour where the terminal shows one; `NO_COLOR` is honoured."""
    return text if os.environ.get("NO_COLOR") else click.style(text, fg=colour, bold=True)


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines of aligned columns, two spaces between them.

    >>> columns([("hand", "pot"), ("1", "120")])
    ['hand  pot', '1     120']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
