"""How the command line speaks: its language, its sentences, its columns, and what a bug looks like. Without click."""

import gc
import io
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from recorder.words import LANGUAGES, topic

CLI: Final = "cli"
BUG: Final = 70
INTERRUPTED: Final = 130
UNHEARD: Final = 141
"""The exit code of a command nobody listened to, as a shell would give it."""
BOLD: Final = {"red": "31;1", "green": "32;1", "yellow": "33;1", "blue": "34;1"}


class MistypedError(Exception):
    """A command that cannot be carried out as it was typed: one sentence, by its key in `cli.LANG.toml` `[error]`."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.key, self.values = key, values

    def sentence(self, lang: str) -> str:
        """The sentence in a language."""
        return say(f"error.{self.key}", lang, **self.values)


@contextmanager
def importing() -> Iterator[None]:
    """While modules are imported nothing is garbage, and what they hold stays: it is not looked through, ever."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()


def language_here() -> str:
    """The language of the environment, else English."""
    named = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "")
    return named[:2] if named[:2] in LANGUAGES and not named[2:3].isalpha() else "en"


def say(key: str, lang: str, /, **values: object) -> str:
    """The sentence of a dotted key of `data/words/cli.LANG.toml`, its holes filled."""
    found: Any = topic(CLI, lang)
    for step in key.split("."):
        found = found[step]
    return str(found).format_map(values) if values else str(found)


def prepare_streams() -> None:
    """What is printed is UTF-8 whatever the locale, and an exception that nobody expected is taken for no verdict."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.excepthook = _tell_bug


def finish() -> None:
    """The command is done: what it said is on its way, or nobody listens; nothing is looked through once more."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    gc.freeze()


def _tell_bug(kind: type[BaseException], error: BaseException, trace: Any) -> None:
    """An exception nobody expected: told whole, with exit code 70, so that it is taken for no verdict; or Ctrl-C."""
    if issubclass(kind, KeyboardInterrupt):
        put("\n" + say("error.stopped", language_here()), error=True)
        sys.exit(INTERRUPTED)
    sys.__excepthook__(kind, error, trace)
    put(say("error.bug", language_here()), error=True)
    sys.exit(BUG)


def put(text: str, *, error: bool = False) -> None:
    """Prints a line, or several, on standard output or, where it is no answer, beside it."""
    (sys.stderr if error else sys.stdout).write(text + "\n")


def line(value: object) -> str:
    """Data as one line of JSON, the keys in the order given."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def put_report(said: Mapping[str, Any]) -> None:
    """Prints a report as one line of JSON, the rows of a long recording's hands one after the other."""
    sys.stdout.writelines(report_pieces(said))
    sys.stdout.write("\n")


def report_pieces(said: Mapping[str, Any]) -> Iterator[str]:
    """A report as one line of JSON, in pieces."""
    hands = said.get("hands", [])
    if isinstance(hands, list):
        yield line(said)
        return
    before, key, after = line({**said, "hands": []}).partition('"hands":[]')
    yield before + key[:-1]
    for place, hand in enumerate(hands):
        yield ("," if place else "") + line(hand)
    yield "]" + after


def coloured(text: str, colour: str) -> str:
    """The text in a colour where a terminal shows it; `NO_COLOR` is honoured."""
    if os.environ.get("NO_COLOR") or not sys.stdout.isatty():
        return text
    return f"\x1b[{BOLD[colour]}m{text}\x1b[0m"


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines of aligned columns, two spaces between them.

    >>> columns([("hand", "pot"), ("1", "120")])
    ['hand  pot', '1     120']
    """
    return list(aligned(lambda: iter(rows)))


def aligned(rows: Callable[[], Iterator[Sequence[str]]]) -> Iterator[str]:
    """The same of rows that are made anew each time they are asked for, and never held together."""
    widths: list[int] = []
    for row in rows():
        lengths = map(len, row)
        widths = list(map(max, widths, lengths)) if widths else list(lengths)
    for row in rows():
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
