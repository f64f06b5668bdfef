"""Every command with its options, thin: what it does stands in the module of its name (`report.md` 6)."""

import json
import os
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from recorder.words import LANGUAGES
from replay.cli_door import Door, Spoken, choose_language, language
from replay.cli_words import MistypedError, importing, line, put, say

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from recorder.address import Place
    from replay.audit.amend import Reading

SCHEMAS: Final = ("recording", "event", "report", "refusal", "dispute", "explain")
_VIEW: Final = re.compile("full|public|seat:[1-9][0-9]?")
_Function = TypeVar("_Function", bound=Callable[..., Any])


def option(*names: str, **settings: Any) -> Callable[[_Function], _Function]:
    """An option whose help is a sentence of the words."""
    return click.option(*names, cls=Spoken, **settings)


def _view(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    if value is not None and not _VIEW.fullmatch(value):
        raise MistypedError("choices", name="--view", value=value, choices="full, public, seat:K")
    return value


def _preset(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    if value is not None:
        from recorder import rulebook

        if value not in rulebook.presets():
            raise MistypedError("no_preset", value=value, choices=", ".join(rulebook.presets()))
    return value


def _reading(_ctx: click.Context, _param: click.Parameter, value: str) -> "Reading":
    from replay.audit.amend import as_reading

    try:
        return as_reading(value)
    except ValueError as error:
        raise MistypedError("choices", name="--as", value=value, choices="amended, recorded, SEQ") from error


def _readings(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> "list[str | CompletionItem]":
    return [word for word in ("amended", "recorded") if word.startswith(incomplete)]


def _presets(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> "list[str | CompletionItem]":
    from recorder import rulebook

    return [name for name in rulebook.presets() if name.startswith(incomplete)]


def _settings(_ctx: click.Context, _param: click.Parameter, given: Sequence[str]) -> dict[str, Any]:
    """`--set NAME=VALUE` as the wire writes it."""
    settings: dict[str, Any] = {}
    if given:
        from recorder import rulebook
        from schemas.rules import RULES_OF

        for pair in given:
            name, sign, text = pair.partition("=")
            if not sign or not name:
                raise MistypedError("set_form", value=pair)
            game = next((game for game, shape in RULES_OF.items() if name in shape.__dataclass_fields__), "bura")
            settings[name] = rulebook.read_value(game, name, text)
    return settings


def _database(_ctx: click.Context, _param: click.Parameter, value: str | None) -> "Place":
    """The journal's file or address: as asked, or RAZBOR_DB, or a file in the user's data folder."""
    from recorder.address import AddressError, data_folder, place_of

    named = value or os.environ.get("RAZBOR_DB")
    try:
        return place_of(named) if named else data_folder() / "journal.db"
    except AddressError as error:
        raise MistypedError("server_address") from error


lang = option("--lang", type=click.Choice(LANGUAGES), is_eager=True, expose_value=False, callback=choose_language)
as_json = option("--json", "as_json", is_flag=True)
view = option("--view", metavar="VIEW", default="full", callback=_view)
reading = option(
    "--as", "reading", metavar="amended|recorded|SEQ", default="amended", callback=_reading, shell_complete=_readings
)
rules_asked = option("--rules", metavar="PRESET", callback=_preset, shell_complete=_presets)
options_asked = option("--set", "options", metavar="NAME=VALUE", multiple=True, callback=_settings)
database = option("--db", metavar="PATH", callback=_database, type=click.Path())
at = option("--at", type=click.IntRange(0), metavar="SEQ")
one_file = click.argument("file", type=click.Path())


def _version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from importlib.util import find_spec

        from replay.audit.report import ENGINE

        engine = find_spec("replay.engine.voice")
        pure = engine is None or str(engine.origin).endswith(".py")
        put(f"razbor {ENGINE} ({say('engine.python' if pure else 'engine.compiled', language(ctx))})")
        ctx.exit()


@click.group("razbor", cls=Door, invoke_without_command=True)
@option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version)
@lang
@click.pass_context
def main(ctx: click.Context) -> None:
    """The program `razbor`; where no command was typed, its help is told, and the exit code is that of a slip."""
    if ctx.invoked_subcommand is None:
        put(ctx.get_help(), error=True)
        ctx.exit(2)


@main.command()
@click.argument("files", type=click.Path(), nargs=-1, required=True)
@as_json
@reading
@view
@rules_asked
@options_asked
@option("--jobs", type=click.IntRange(1), metavar="N", default=1)
@option("--cluster", metavar="ADDRESS")
@option("--resume", metavar="PATH", type=click.Path())
@lang
@click.pass_context
def verify(
    ctx: click.Context,
    /,
    files: Sequence[str],
    as_json: bool,
    jobs: int,
    cluster: str | None,
    resume: str | None,
    **asked: Any,
) -> None:
    """Judges recordings: `report.md` 2 to 4."""
    with importing():
        from replay import cli_verify

    asked["language"] = language(ctx, data=as_json)
    if jobs > 1 and cluster is not None:
        raise MistypedError("jobs_or_cluster")
    if jobs > 1 or resume or cluster is not None:
        from replay import cli_bulk, cli_tasks

        workers = cli_tasks.processes(jobs) if cluster is None else cli_tasks.cluster(cluster)
        ctx.exit(cli_bulk.verify(files, asked, as_json, resume, workers))
    ctx.exit(cli_verify.verify(files, asked, as_json))


@main.command()
@one_file
@option("--hand", type=click.IntRange(1), metavar="N")
@at
@view
@reading
@option("--notation", is_flag=True)
@as_json
@lang
@click.pass_context
def show(ctx: click.Context, /, file: str, as_json: bool, notation: bool, **asked: Any) -> None:
    """The game as text, or as a score sheet."""
    with importing():
        from replay import cli_show

    if notation:
        if as_json or asked["hand"] or asked["at"] is not None or asked["reading"] != "amended":
            raise MistypedError("notation_whole")
        ctx.exit(cli_show.show_sheet(file, language(ctx), asked["view"]))
    ctx.exit(cli_show.show(file, language(ctx, data=as_json), as_json, **asked))


@main.command()
@one_file
@option("--hand", type=click.IntRange(1), metavar="N", required=True)
@at
@view
@option("--believe", type=click.IntRange(1), metavar="SEAT", multiple=True)
@reading
@rules_asked
@options_asked
@as_json
@lang
@click.pass_context
def dispute(ctx: click.Context, /, file: str, as_json: bool, **asked: Any) -> None:
    """Who really had what in one hand: `report.md` 5."""
    with importing():
        from replay import cli_dispute

    ctx.exit(cli_dispute.dispute(file, language(ctx, data=as_json), as_json, **asked))


@main.command()
@one_file
@option("--event", type=click.IntRange(0), metavar="SEQ", required=True)
@reading
@as_json
@lang
@click.pass_context
def explain(ctx: click.Context, /, file: str, as_json: bool, **asked: Any) -> None:
    """Which small slip of the record would explain what was found at an event."""
    with importing():
        from replay import cli_explain

    ctx.exit(cli_explain.explain(file, language(ctx, data=as_json), as_json, **asked))


@main.command()
@click.argument("files", type=click.Path(), nargs=-1, required=True)
@database
@as_json
@lang
@click.pass_context
def add(ctx: click.Context, files: Sequence[str], db: "Place", as_json: bool) -> None:
    """Puts recordings into the journal."""
    with importing():
        from replay import cli_journal

    ctx.exit(cli_journal.add(db, files, language(ctx, data=as_json), as_json))


@main.command("list")
@database
@as_json
@lang
@click.pass_context
def list_(ctx: click.Context, db: "Place", as_json: bool) -> None:
    """The recordings in the journal, the newest first."""
    with importing():
        from replay import cli_journal

    cli_journal.list_all(db, language(ctx), as_json)


def _keys(ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[str | CompletionItem]":
    with importing():
        from replay import cli_journal

    return [key for key in cli_journal.keys(_database(ctx, param, ctx.params.get("db"))) if key.startswith(incomplete)]


@main.command()
@click.argument("id", required=False, shell_complete=_keys)
@option("--all", "everything", is_flag=True)
@option("-o", "--output", type=click.Path(), metavar="FILE")
@option("--writers", type=click.Path(), metavar="FILE")
@option("--view", metavar="VIEW", default="full", callback=_view)
@database
@lang
@click.pass_context
def export(ctx: click.Context, /, id: str | None, everything: bool, db: "Place", **asked: Any) -> None:  # noqa: A002
    """Writes a recording of the journal, or all of them, byte for byte or redacted to a view."""
    with importing():
        from replay import cli_export, cli_journal

    if (id is None) != everything:
        raise MistypedError("one_or_all")
    if everything and asked["writers"]:
        raise MistypedError("writers_of_one")
    if id is None:
        ctx.exit(cli_export.export_all(db, asked["view"], asked["output"], language(ctx)))
    ctx.exit(cli_journal.export(db, id, lang=language(ctx), **asked))


@main.command()
@click.argument("preset", required=False, callback=_preset, shell_complete=_presets)
@as_json
@lang
@click.pass_context
def rules(ctx: click.Context, preset: str | None, as_json: bool) -> None:
    """Presets and every option."""
    with importing():
        from replay import cli_rules

    put(line(cli_rules.as_data(preset)) if as_json else "\n".join(cli_rules.as_text(preset, language(ctx))))


@main.command()
@click.argument("name", required=False, type=click.Choice(SCHEMAS))
@as_json
@lang
def schema(name: str | None, as_json: bool) -> None:
    """JSON Schema of what Razbor reads and says."""
    from replay.engine.findings import Code
    from schemas import jsonschema

    made = jsonschema.schema([str(code) for code in Code], name)
    put(line(made) if as_json else json.dumps(made, ensure_ascii=False, indent=2))


@main.command()
@database
@option("--host", default="127.0.0.1", show_default=True)
@option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, metavar="N")
@option("--open", "browse", is_flag=True)
@option("--require-token", is_flag=True)
@option("--shown-only", is_flag=True)
@lang
@click.pass_context
def serve(ctx: click.Context, /, db: "Place", host: str, port: int, browse: bool, **strict: bool) -> None:
    """The site and the API, until it is stopped."""
    with importing():
        from replay import cli_serve

    cli_serve.serve(db, host, port, language(ctx), browse=browse, **strict)
