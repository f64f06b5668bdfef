"""`razbor import`: a score sheet written by hand, or a table of plays, as a recording."""

from typing import TYPE_CHECKING, Final

import click

from recorder.words import topic
from replay.cli_commands import as_json, lang, option
from replay.cli_door import SpokenCommand, language
from replay.cli_words import MistypedError, columns, put, say
from schemas.problems import Code, Refusal

if TYPE_CHECKING:
    from recorder.plays import MappingError
    from schemas.events import Recording


class SheetCommand(SpokenCommand):
    """A command whose help tells the notation and all its words."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write("\n" + notation(language(ctx)) + "\n")


def notation(lang: str) -> str:
    """How a sheet is written in a language, with an example and every word."""
    from replay.views.reference import notation as told

    text, words = told(topic("sheet", lang))
    return "\n".join([text, *columns([(f"  {meaning}", spelled) for meaning, spelled in words])])


@click.command("import", cls=SheetCommand)
@click.argument("file", type=click.Path())
@option("--mapping", type=click.Path(), metavar="FILE")
@option("-o", "--output", type=click.Path(), metavar="FILE")
@as_json
@lang
@click.pass_context
def import_(ctx: click.Context, file: str, mapping: str | None, output: str | None, as_json: bool) -> None:
    """A sheet or a table as a recording; exits with 3 where it cannot be read, and then nothing is written."""
    from recorder import sheet
    from replay.cli_journal import write
    from replay.cli_sources import Source
    from replay.cli_verify import refused

    data = Source(file).read()
    found = _table(data, mapping, language(ctx)) if mapping else sheet.read_sheet(data)
    if isinstance(found, Refusal):
        if not mapping and found.problems[0].code is Code.NOT_A_RECORDING:
            put(say("error.no_sheet", language(ctx)), error=True)
        ctx.exit(refused(file, found, language(ctx, data=as_json), as_json))
    write(b"".join(line + b"\n" for recording in found for line in recording.lines), output)


def _table(data: bytes, mapping: str, lang: str) -> "tuple[Recording, ...] | Refusal":
    from recorder import plays
    from replay.cli_sources import Source

    try:
        found = plays.read_plays(data, plays.read_mapping(Source(mapping).read()))
    except plays.MappingError as error:
        raise _mistaken(mapping, error, lang) from error
    return found if isinstance(found, Refusal) else (found,)


def _mistaken(name: str, error: "MappingError", lang: str) -> MistypedError:
    from recorder.words import tell

    if error.problem is not None:
        return MistypedError("bad_recording", name=name, told=tell(error.problem, lang))
    if error.place is not None:
        return MistypedError("bad_toml", name=name, line=error.place[0], column=error.place[1])
    if not error.expected:
        return MistypedError("mapping_lacks", name=name, what=error.key)
    return MistypedError("bad_mapping", name=name, what=error.key, choices=error.expected)


COMMANDS: Final = (import_,)
