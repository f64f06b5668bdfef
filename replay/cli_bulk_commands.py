"""The commands for many recordings at once with their options, thin: what they do stands in modules of their names."""

from collections.abc import Sequence
from typing import Final

import click

from replay.cli_commands import lang
from replay.cli_door import Spoken, SpokenCommand, language
from replay.cli_words import importing

_files = click.argument("files", type=click.Path(), nargs=-1, required=True)
_output = click.option("-o", "--output", cls=Spoken, type=click.Path(), metavar="FILE")


@click.command("pack", cls=SpokenCommand)
@_files
@_output
@click.option("--parquet", cls=Spoken, is_flag=True)
@lang
@click.pass_context
def pack(ctx: click.Context, files: Sequence[str], output: str | None, parquet: bool) -> None:
    """Recordings in the archive form."""
    with importing():
        from replay import cli_pack

    ctx.exit(cli_pack.pack(files, output, language(ctx), table=parquet))


@click.command("unpack", cls=SpokenCommand)
@_files
@_output
@lang
@click.pass_context
def unpack(ctx: click.Context, files: Sequence[str], output: str | None) -> None:
    """Recordings as their canonical lines."""
    with importing():
        from replay import cli_pack

    ctx.exit(cli_pack.unpack(files, output, language(ctx)))


COMMANDS: Final = (pack, unpack)
