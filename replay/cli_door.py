"""The door of click: help in the reader's language, and one sentence for a mistyped command."""

import errno
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise, takewhile
from typing import Any, Final

import click

from recorder.store import StoreError
from recorder.words import LANGUAGES
from recorder.wrappers import MissingExtraError
from replay.cli_words import (
    INTERRUPTED,
    UNHEARD,
    MistypedError,
    bare,
    finish,
    language_here,
    prepare_streams,
    put,
    say,
    unwritten,
)

_LANGUAGE: Final = "razbor.language"
_EXTRAS: Final = {"parquet": "Parquet", "postgres": "PostgreSQL"}


def language(ctx: click.Context | None, *, data: bool = False) -> str:
    """The language asked for with `--lang`, else that of the environment.

    Of data only `--lang` changes it, so that they are the same in every environment.
    """
    asked = ctx.meta.get(_LANGUAGE) if ctx else None
    return str(asked or ("en" if data else language_here()))


def choose_language(ctx: click.Context, _: click.Parameter | None, value: str | None) -> None:
    """Remembers `--lang` for this command and those around it."""
    if value:
        ctx.meta[_LANGUAGE] = value


class Mistyped(click.UsageError):
    """A `MistypedError` and the command that was typed."""

    def __init__(self, error: MistypedError, ctx: click.Context) -> None:
        super().__init__(error.key, ctx)
        self.sentence = error.sentence


class Spoken(click.Option):
    """An option whose help is a sentence of the words, by its longest name."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option and its sentence, `option.NAME`."""
        return self.record(ctx, say(f"option.{max(self.opts, key=len).lstrip('-')}", language(ctx)))

    def record(self, ctx: click.Context, told: str) -> tuple[str, str] | None:
        """The option and what it does; what click adds in English is said in the reader's language."""
        self.help = told
        found = super().get_help_record(ctx)
        if found is None:
            return None
        head, sign, added = found[1].partition(f"{told}  [")
        for said, key in (("default: ", "frame.default"), ("required", "frame.required")):
            added = added.replace(said, say(key, language(ctx)))
        return found[0], head + sign + added


class SpokenCommand(click.Command):
    """A command whose help is a sentence of the words, by its own name."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does, but a `MistypedError` bears the command's name, and the language counts for what stands before
        it, too.
        """
        choose_language(ctx, None, _typed_language(args))
        try:
            return super().parse_args(ctx, args)
        except MistypedError as error:
            raise Mistyped(error, ctx) from error

    def invoke(self, ctx: click.Context) -> Any:
        """As click does, but a `MistypedError` bears the command's name."""
        try:
            return super().invoke(ctx)
        except MistypedError as error:
            raise Mistyped(error, ctx) from error
        except MissingExtraError as error:
            raise Mistyped(MistypedError("extra", name=_EXTRAS[error.extra], extra=error.extra), ctx) from error
        except StoreError as error:
            key = f"store_{error.code.replace('-', '_')}"
            raise Mistyped(MistypedError(key, detail=error.detail), ctx) from error

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
        prepare_streams()
        try:
            code = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        except click.UsageError as error:
            lang = _typed_language(sys.argv[1:] if args is None else args) or language(error.ctx)
            path = error.ctx.command_path if error.ctx else "razbor"
            told = usage_sentence(error, lang)
            put(f"{path}: {told if isinstance(error, Mistyped) else bare(told)}", error=True)
            put(say("frame.more", lang, command=path), error=True)
            sys.exit(finish(error.exit_code))
        except click.Abort:
            put(say("error.stopped", language_here()), error=True)
            sys.exit(finish(INTERRUPTED))
        sys.exit(finish(code if isinstance(code, int) else 0))

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Reads what was typed; where help was asked for, it is told here."""
        with _heard(parent):
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command."""
        with _heard(ctx):
            return super().invoke(ctx)

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


@contextmanager
def _heard(ctx: click.Context | None) -> Iterator[None]:
    """Where nobody listens any more, or the disk is full, that is no verdict, which click would make of it."""
    try:
        yield
    except BrokenPipeError as error:
        raise click.exceptions.Exit(UNHEARD) from error
    except OSError as error:
        raise click.exceptions.Exit(unwritten(error, language(ctx))) from error


def _typed_language(typed: Sequence[str]) -> str:
    """The `--lang` of a command line that cannot be read to its end, or nothing."""
    typed = list(takewhile(lambda word: word != "--", typed))
    found = [value for word, value in pairwise(typed) if word == "--lang"]
    found += [word.removeprefix("--lang=") for word in typed if word.startswith("--lang=")]
    return found[-1] if found and found[-1] in LANGUAGES else ""


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
        case click.MissingParameter(param=click.Parameter(type=click.Choice(choices=choices))):
            return say("error.missing_choice", lang, name=_name(error), choices=", ".join(map(str, choices)))
        case click.MissingParameter():
            return say("error.missing", lang, name=_name(error))
        case click.BadParameter(param=click.Parameter(type=click.Choice(choices=choices))):
            shown = ", ".join(map(str, choices))
            return say("error.choices", lang, name=_name(error), value=_value(error), choices=shown)
        case click.BadParameter(param=click.Parameter(type=click.Path())):
            return say("error.unreadable", lang, name=_quoted(error), reason=os.strerror(errno.EACCES))
        case click.BadParameter(param=click.Parameter(type=click.IntRange(min=least, max=most))):
            key = "error.number_from" if most is None else "error.number_between"
            return say(key, lang, name=_name(error), value=_value(error), least=least, most=most)
        case click.BadParameter():
            return say("error.bad", lang, name=_name(error), value=_value(error))
        case _:
            return say("error.surplus", lang, value=error.format_message().partition("(")[2].removesuffix(")"))


def _name(error: click.BadParameter) -> str:
    param = error.param
    if param is None:
        return str(error.param_hint or "")
    return param.opts[0] if isinstance(param, click.Option) else str(param.human_readable_name)


def _value(error: click.BadParameter) -> str:
    """What was given: click says it first, `'x' is not a valid integer`."""
    return error.message.partition(" is not ")[0].strip("'")


def _quoted(error: click.BadParameter) -> str:
    """The file that was named: click says it between quotes, `Path 'x' is not readable`."""
    return error.message.partition(" ")[2].rpartition(" is not ")[0][1:-1]


def _meant(names: Sequence[str] | None, lang: str) -> str:
    return " " + say("frame.meant", lang, names=", ".join(names)) if names else ""
