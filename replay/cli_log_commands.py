"""The commands of the log with their options, thin: what they do stands in `cli_log`."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from recorder.words import topic
from replay.cli_commands import as_json, at, database, lang, option, view
from replay.cli_door import Mistyped, Spoken, SpokenCommand, language
from replay.cli_words import MistypedError, importing

if TYPE_CHECKING:
    from recorder.address import Place

_Function = TypeVar("_Function", bound=Callable[..., Any])
_TOPIC: Final = "log"


class LogOption(Spoken):
    """An option whose help stands in `log.LANG.toml`."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        return self.record(ctx, str(topic(_TOPIC, language(ctx))["option"][max(self.opts, key=len).lstrip("-")]))


class LogCommand(SpokenCommand):
    """A command whose help stands in `log.LANG.toml`."""

    def invoke(self, ctx: click.Context) -> Any:
        """As its parent; what is wrong with a key or its folder is told too."""
        from recorder import keys

        try:
            return super().invoke(ctx)
        except (keys.KeyExposedError, keys.KeyOfAnotherLogError, keys.KeyUnreadableError) as error:
            raise Mistyped(_about(error), ctx) from error
        except OSError as error:
            if error.filename is None:  # nobody listens, or there is no room for what is told
                raise
            told = MistypedError("unwritable", name=error.filename, reason=error.strerror)
            raise Mistyped(told, ctx) from error

    def get_short_help_str(self, limit: int = 45) -> str:  # noqa: ARG002 - click's own signature
        return str(topic(_TOPIC, language(click.get_current_context(silent=True)))["help"][self.name])

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(self.get_short_help_str())


def _about(error: Exception) -> MistypedError:
    from recorder import keys
    from replay.cli_log import LogMistypedError

    kinds = {keys.KeyExposedError: "exposed", keys.KeyOfAnotherLogError: "other_key"}
    return LogMistypedError(kinds.get(type(error), "key_unreadable"), name=error)


def _option(*names: str, **settings: Any) -> Callable[[_Function], _Function]:
    return click.option(*names, cls=LogOption, **settings)


def _usage(*choices: str) -> MistypedError:
    from replay.cli_log import LogMistypedError

    return LogMistypedError("usage", choices=", ".join(choices))


output = option("-o", "--output", type=click.Path(), metavar="FILE")
log_keys = _option("--key", "log", metavar="KEY", multiple=True)
cosigned = _option("--cosigned", metavar="KEY", multiple=True)


@click.command("receipt", cls=LogCommand)
@click.argument("what", nargs=-1, metavar="ID | verify FILE")
@at
@view
@output
@_option("--checkpoint", type=click.Path(), metavar="FILE")
@log_keys
@cosigned
@database
@as_json
@lang
@click.pass_context
def receipt(ctx: click.Context, /, what: Sequence[str], db: "Place", as_json: bool, **asked: Any) -> None:
    """Writes or checks a receipt."""
    with importing():
        from replay import cli_log

    lang = language(ctx, data=as_json)
    match what:
        case ("verify", file):
            ctx.exit(cli_log.verify_receipt(file, asked["log"], asked["cosigned"], db, lang, as_json))
        case (key,) if key != "verify":
            made = asked["at"], asked["view"], asked["output"], asked["checkpoint"]
            ctx.exit(cli_log.write_receipt(db, key, *made, lang))
    raise _usage("receipt ID", "receipt verify FILE")


@click.command("audit-log", cls=LogCommand)
@_option("--held", type=click.Path(), metavar="FILE", multiple=True)
@log_keys
@database
@as_json
@lang
@click.pass_context
def audit_log(ctx: click.Context, held: Sequence[str], log: Sequence[str], db: "Place", as_json: bool) -> None:
    """Verifies everything stored."""
    with importing():
        from replay import cli_log

    ctx.exit(cli_log.audit_log(db, held, log, language(ctx, data=as_json), as_json))


@click.command("key", cls=LogCommand)
@click.argument("act", type=click.Choice(["show", "new"]))
@database
@as_json
@lang
@click.pass_context
def key(ctx: click.Context, act: str, db: "Place", as_json: bool) -> None:
    """Shows or renews the log's key."""
    with importing():
        from replay import cli_log

    ctx.exit(cli_log.key(db, act, as_json))


@click.command("erase", cls=LogCommand)
@click.argument("id", metavar="ID")
@_option("--for-good", is_flag=True)
@database
@lang
@click.pass_context
def erase(ctx: click.Context, id: str, for_good: bool, db: "Place") -> None:  # noqa: A002 - the argument's own name
    """Erases the names of a recording."""
    with importing():
        from replay import cli_log

    ctx.exit(cli_log.erase(db, id, for_good, language(ctx)))


@click.command("backup", cls=LogCommand)
@click.argument("target", type=click.Path(path_type=Path))
@database
@lang
@click.pass_context
def backup(ctx: click.Context, target: Path, db: "Place") -> None:
    """Makes a verified copy."""
    with importing():
        from replay import cli_log

    ctx.exit(cli_log.copy(db, target, language(ctx)))


@click.command("restore", cls=LogCommand)
@click.argument("source", type=click.Path(path_type=Path))
@_option("--drill", is_flag=True)
@database
@lang
@click.pass_context
def restore(ctx: click.Context, source: Path, drill: bool, db: "Place") -> None:
    """Brings the journal back."""
    with importing():
        from replay import cli_log

    ctx.exit(cli_log.restore(source, db, drill, language(ctx)))


@click.command("witness", cls=LogCommand)
@click.argument("act", type=click.Choice(["ask", "sign", "add"]))
@click.argument("files", nargs=-1, type=click.Path())
@_option("--old", type=click.IntRange(0), default=0, metavar="N")
@_option("--folder", type=click.Path(path_type=Path), default=Path("witness"), metavar="FOLDER")
@_option("--name", default="witness", metavar="NAME")
@log_keys
@cosigned
@output
@database
@lang
@click.pass_context
def witness(ctx: click.Context, /, act: str, files: Sequence[str], db: "Place", **asked: Any) -> None:
    """Asks a witness, is one, or takes its signature over."""
    with importing():
        from replay import cli_log

    lang, out = language(ctx), asked["output"]
    match act, files:
        case "ask", ():
            ctx.exit(cli_log.ask(db, asked["old"], out, lang))
        case "sign", (request,):
            ctx.exit(cli_log.cosign(request, asked["log"], asked["folder"], asked["name"], out, lang))
        case "add", (request, signature):
            ctx.exit(cli_log.add(request, signature, asked["cosigned"], out, lang))
        case _:
            pass
    raise _usage("witness ask", "witness sign FILE", "witness add FILE FILE")


COMMANDS: Final = (receipt, audit_log, key, erase, backup, restore, witness)
"""For the door to add."""
