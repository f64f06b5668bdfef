"""`razbor import`: a score sheet written by hand, or a table of plays, as a recording."""

from typing import TYPE_CHECKING, Final

import click

from recorder.words import topic
from replay.cli_commands import as_json, lang, option
from replay.cli_door import SpokenCommand, language
from replay.cli_words import MistypedError, columns, put, say
from schemas.problems import Code, Refusal

if TYPE_CHECKING:
    from recorder.plays_mapping import MappingError, PlaysMapping


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
@click.argument("files", type=click.Path(), nargs=-1, required=True)
@option("--mapping", type=click.Path(), metavar="FILE")
@option("-o", "--output", type=click.Path(), metavar="FILE")
@as_json
@lang
@click.pass_context
def import_(ctx: click.Context, files: tuple[str, ...], mapping: str | None, output: str | None, as_json: bool) -> None:
    """Sheets or tables as recordings; exits with 3 where one cannot be read, and then nothing of it is written."""
    from recorder import plays, sheet
    from replay.cli_export import into, is_folder
    from replay.cli_journal import BROKEN
    from replay.cli_sources import Source, apart, once
    from replay.cli_verify import refused

    apart(output, (*files, *([mapping] if mapping else ())))
    meaning, code, written = _mapping(mapping, language(ctx)) if mapping else None, 0, 0
    alone, open_end = is_folder(output), ""
    with into(output) as give:
        held: list[tuple[str, bytes]] = []
        for file in once(files):
            data = Source(file).read()
            found = plays.read_plays(data, meaning) if meaning else sheet.read_sheet(data)
            if isinstance(found, Refusal):
                if not meaning and found.problems[0].code is Code.NOT_A_RECORDING:
                    put(say("error.no_sheet", language(ctx)), error=True)
                code = refused(file, found, language(ctx, data=as_json), as_json)
                continue
            for place, recording in enumerate(found, 1):
                if held:  # it breaks off, and another follows it
                    held.clear()
                    put(say("export.breaks_off", language(ctx), key=open_end), error=True)
                    code = code or BROKEN
                name = f"{recording.digest[:16]}.{recording.began.game}.jsonl"
                held, open_end = [(name, b"".join(line + b"\n" for line in recording.lines))], f"{file} ({place})"
                if recording.complete or alone:
                    give(*held.pop())
                    written += 1
        for each in held:
            give(*each)
            written += 1
    if len(files) > 1:
        put(say("import.written", language(ctx), count=written), error=True)
    ctx.exit(code)


def _mapping(name: str, lang: str) -> "PlaysMapping":
    from recorder import plays_mapping
    from replay.cli_sources import Source

    try:
        return plays_mapping.read_mapping(Source(name).read())
    except plays_mapping.MappingError as error:
        raise _mistaken(name, error, lang) from error


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
