"""The bar on standard error while much is judged: files, bytes a second, the time that is left."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from replay.cli_words import say

if TYPE_CHECKING:
    from rich.progress import Progress


class Bar:
    """What is told how far it went; without a terminal on standard error it shows nothing."""

    def moved(self, size: int, name: str = "") -> None:
        """So many more bytes are done, and with them the file `name`, where one is named."""

    def aside(self) -> AbstractContextManager[Any]:
        """The bar out of the way of what is printed on the same terminal."""
        return nullcontext()


class _Shown(Bar):
    def __init__(self, progress: "Progress", names: Sequence[str], total: int) -> None:
        self._progress = progress
        self._count = len(names)
        self._done = 0
        self._task = progress.add_task("", total=total, files=f"0/{self._count}")

    def moved(self, size: int, name: str = "") -> None:
        self._done += bool(name)
        self._progress.update(self._task, advance=size, files=f"{self._done}/{self._count}")

    @contextmanager
    def aside(self) -> Iterator[None]:
        if not sys.stdout.isatty():
            yield
            return
        self._progress.stop()
        try:
            yield
            sys.stdout.flush()
        finally:
            self._progress.start()


@contextmanager
def bar(names: Sequence[str], total: int, lang: str) -> Iterator[Bar]:
    """A bar for so many files and bytes, on standard error where that is a terminal; it is gone at the end."""
    if not sys.stderr.isatty():
        yield Bar()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (BarColumn(), TextColumn("{task.fields[files]}"), TransferSpeedColumn(), TimeRemainingColumn())
    working, console = TextColumn(say("verify.working", lang)), Console(stderr=True)
    with Progress(working, *columns, console=console, transient=True, redirect_stdout=False) as progress:
        yield _Shown(progress, names, total)
