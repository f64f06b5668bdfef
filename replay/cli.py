"""The command line (`report.md` 6): the plain road for one game, the door of click for everything else."""

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from recorder.wrappers import MissingExtraError
from replay.cli_words import UNHEARD, MistypedError, finish, importing, language_here, prepare_streams, unwritten

if TYPE_CHECKING:
    from replay.cli_door import Door

DATA: Final = "--json"


class Main:
    """The program `razbor`. Called, it runs the command that was typed; else it is the click group of all commands."""

    def __call__(self, args: Sequence[str] | None = None, **named: Any) -> Any:
        """Runs the command of `args`, else that of `sys.argv`, and exits with its code."""
        typed = list(sys.argv[1:] if args is None else args)
        if not named and (code := plainly(typed)) is not None:
            sys.exit(finish(code))
        return _door()(typed, **named)

    def __getattr__(self, name: str) -> Any:
        return getattr(_door(), name)


def _door() -> "Door":
    with importing():
        from replay import cli_bulk_commands, cli_commands, cli_import, cli_live, cli_log_commands

    for command in (*cli_bulk_commands.COMMANDS, *cli_log_commands.COMMANDS, *cli_live.COMMANDS, *cli_import.COMMANDS):
        cli_commands.main.add_command(command)
    return cli_commands.main


def plainly(typed: list[str]) -> int | None:
    """The exit code of `verify FILE`, with `--json` or without, done without click, which takes longer to import than
    a game to judge; None for any other command, and where something is amiss: the door says what.
    """
    files = [word for word in typed[1:] if word != DATA]
    if typed[:1] != ["verify"] or len(files) != 1 or files[0].startswith("-") or "_RAZBOR_COMPLETE" in os.environ:
        return None
    prepare_streams()
    with importing():
        from replay import cli_verify

    as_json = DATA in typed
    asked: dict[str, Any] = {"reading": "amended", "view": "full", "rules": None, "options": {}}
    try:
        return cli_verify.verify(files, asked | {"language": "en" if as_json else language_here()}, as_json)
    except (MistypedError, MissingExtraError):
        return None
    except BrokenPipeError:
        return UNHEARD
    except OSError as error:
        return unwritten(error, language_here())


main: Final = Main()
