"""How the command line speaks: its language, its sentences, its columns, and what a bug looks like. Without click."""

import errno
import gc
import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, TextIO

from recorder.words import LANGUAGES, topic

CLI: Final = "cli"
BUG: Final = 70
INTERRUPTED: Final = 130
UNHEARD: Final = 141
"""The exit code of a command nobody listened to, as a shell would give it."""
MISTYPED: Final = 2
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO})
"""What a disk says that takes no more: no bug of ours, and no verdict."""
_COLOURS: Final = ContextVar[bool | None]("colours", default=None)
_TYPED: Final = frozenset({"name", "value"})
_ACTING: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Signs that act where they are printed, and bytes of a name that are no text."""
BOLD: Final = {"red": "31;1", "green": "32;1", "yellow": "33;1", "blue": "34;1"}


class MistypedError(Exception):
    """A command that cannot be carried out as it was typed: one sentence, by its key in `cli.LANG.toml` `[error]`."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.key, self.values = key, values

    def sentence(self, lang: str) -> str:
        """The sentence in a language."""
        return say(f"error.{self.key}", lang, **self.shown)

    @property
    def shown(self) -> dict[str, object]:
        """What fills the holes of the sentence."""
        return {name: bare(str(value)) if name in _TYPED else value for name, value in self.values.items()}


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


def bare(text: str) -> str:
    """A name that somebody gave a file, or a word that was typed, as one that does nothing to a terminal or a line.

    >>> bare("a\\nb\\x1b[2J")
    'a\\\\nb\\\\x1b[2J'
    """
    return _ACTING.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def prepare_streams() -> None:
    """What is printed is UTF-8 whatever the locale, and an exception that nobody expected is taken for no verdict.

    A standard stream that was closed is one that cannot be read, or that nobody listens to.
    """
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_WRONLY))
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if sys.stdout is None:
        reader, writer = os.pipe()
        sys.stdout = os.fdopen(writer, "w")
        os.close(reader)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.excepthook = _tell_bug


def finish(code: int) -> int:
    """The command is done: what it said is on its way, or nobody listens; nothing is looked through once more.

    Gives the exit code: that of the command, unless what it said cannot be written.
    """
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _hush(sys.stdout)
    except OSError as error:
        code = unwritten(error, language_here())
    gc.freeze()
    return code


def unwritten(error: OSError, lang: str) -> int:
    """Tells that the disk takes no more of what is said or kept, and gives the exit code; any other error is raised."""
    if error.errno not in _FULL:
        raise error
    _hush(sys.stdout)
    put(say("error.full", lang, reason=error.strerror), error=True)
    return MISTYPED


def _hush(stream: TextIO) -> None:
    """What waits to be written to a stream, and all that follows, is thrown away."""
    if isinstance(stream, io.TextIOWrapper) and stream.fileno() >= 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _tell_bug(kind: type[BaseException], error: BaseException, trace: Any) -> None:
    """An exception nobody expected: told whole, with exit code 70, so that it is taken for no verdict; or Ctrl-C."""
    if issubclass(kind, KeyboardInterrupt):
        put("\n" + say("error.stopped", language_here()), error=True)
        sys.exit(finish(INTERRUPTED))
    sys.__excepthook__(kind, error, trace)
    put(say("error.bug", language_here()), error=True)
    sys.exit(BUG)


def put(text: str, *, error: bool = False) -> None:
    """Prints a line, or several, on standard output or, where it is no answer, beside it, if that can be written."""
    if not error:
        sys.stdout.write(text + "\n")
        return
    try:
        sys.stderr.write(text + "\n")
    except OSError:
        _hush(sys.stderr)


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
    return f"\x1b[{BOLD[colour]}m{text}\x1b[0m" if shows_colours() else text


def shows_colours() -> bool:
    """Whether this process, or the one it works for, prints on a terminal and `NO_COLOR` is not set."""
    told = _COLOURS.get()
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") if told is None else told


@contextmanager
def colours_as_told(shown: bool) -> Iterator[None]:
    """What is made here is printed by another process, which says whether there are colours."""
    before = _COLOURS.set(shown)
    try:
        yield
    finally:
        _COLOURS.reset(before)


@contextmanager
def stoppable() -> Iterator[None]:
    """Told to end (SIGTERM), or where its terminal is gone (SIGHUP), what is done here ends as after Ctrl-C."""
    import signal  # one game is judged without it

    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    for number, heeded in before.items():
        if heeded is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number, heeded in before.items():
            signal.signal(number, heeded)


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
