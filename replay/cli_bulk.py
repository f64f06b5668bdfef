"""`razbor verify` of much at once: divided, judged, told in the order given, and what is done remembered."""

import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from recorder.shares import SIZE, shares
from replay.audit.report import ENGINE
from replay.cli_bar import bar
from replay.cli_sources import STDIN, Source, sources, unreadable
from replay.cli_summary import Summary
from replay.cli_tasks import Done, Part, Pool, judged
from replay.cli_verify import until_amiss
from replay.cli_words import MistypedError, put, stoppable

Json = Mapping[str, Any]
_ROW: Final = b'{"name": '
"""How each line of what is remembered begins."""


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is remembered of a file: what its answers came to, what was asked, and when it was so."""

    name: str
    verdicts: dict[str, int]
    codes: dict[str, int]
    worst: Literal[0, 1, 3, 4]
    asked: str
    mark: tuple[int, int]


class Memory:
    """What `--resume` remembers: a line of JSON a file, written when its answers are printed."""

    def __init__(self, path: str | None, asked: Json) -> None:
        self._path = Path(path) if path else None
        self._asked = json.dumps({**asked, "language": None, "engine": ENGINE}, sort_keys=True)
        self._marks: dict[str, tuple[int, int] | None] = {}
        try:
            if self._path and (self._path.is_file() or not self._path.exists()):
                self._path.open("ab").close()
            elif self._path:
                raise MistypedError("resume", name=path)
            data = self._path.read_bytes() if self._path else b""
            whole, _, torn = data.rpartition(b"\n")
            rows = [msgspec.convert(json.loads(row), Row) for row in whole.splitlines()]
            if not torn.startswith(_ROW[: len(torn)]):
                raise MistypedError("resume", name=path)
            if self._path and torn:
                os.truncate(self._path, len(data) - len(torn))
        except OSError as error:
            raise MistypedError("unwritable", name=path, reason=error.strerror) from error
        except (ValueError, msgspec.MsgspecError, RecursionError) as error:
            raise MistypedError("resume", name=path) from error
        self._known = {row.name: row for row in rows}

    def recall(self, name: str) -> Summary | None:
        """What was said of a file, where it and what is asked are what they were."""
        row = self._known.get(name)
        if row is None or row.asked != self._asked or row.mark != _mark(name):
            return None
        return Summary(Counter(row.verdicts), Counter(row.codes), row.worst)

    def begin(self, name: str) -> None:
        """A file is about to be read; what it is by then is what will be remembered of it."""
        self._marks[name] = _mark(name)

    def keep(self, name: str, summary: Summary) -> None:
        """Remember it for the next time, unless it is no file that could be read again."""
        mark = self._marks.pop(name, None)
        if self._path is None or mark is None:
            return
        row = {"name": name, **summary.as_data(), "asked": self._asked, "mark": mark}
        with self._path.open("ab") as file:
            file.write(json.dumps(row).encode() + b"\n")


def _mark(name: str) -> tuple[int, int] | None:
    """A file's size and the time it was written; of what is no file, None."""
    if name == STDIN or not Path(name).is_file():
        return None
    stat = Path(name).stat()
    return stat.st_size, stat.st_mtime_ns


def verify(
    names: Sequence[str], asked: Json, as_json: bool, resume: str | None, workers: AbstractContextManager[Pool]
) -> int:
    """Judges everything named, prints the answers, and gives the exit code: the gravest of all.

    Interrupted, it tells what is done and lets the interruption pass on.
    """
    found, memory, lang = [source.name for source in sources(names)], Memory(resume, asked), asked["language"]
    known = {name: summary for name in dict.fromkeys(found) if (summary := memory.recall(name))}
    left = [name for name in found if name not in known]
    total = sum((known[name] for name in found if name in known), Summary())
    alone = False
    with stoppable(), workers as pool:
        try:
            for done in _worked(left, asked, memory, pool, as_json=as_json, alone=not known):
                total += done.summary
                alone = bool(done.whole)
        except KeyboardInterrupt:
            alone = False
            raise
        finally:
            if total.verdicts and not alone:
                put(total.told(lang), error=as_json)
    return total.worst


def _worked(
    names: Sequence[str], asked: Json, memory: Memory, pool: Pool, *, as_json: bool, alone: bool
) -> Iterator[Done]:
    """Each part, as soon as it is printed; `alone`: nothing else is known of."""
    of_file = Summary()
    with tempfile.TemporaryDirectory() as folder, bar(names, _bytes(names), asked["language"]) as shown:
        tasks = _tasks(names, folder if pool.near else "", memory)
        for done in _only(judged(tasks, asked, as_json, pool), alone=alone):
            with shown.aside():
                _print(done)
            yield done
            of_file += done.summary
            if done.last:
                memory.keep(done.name, of_file)
                of_file = Summary()
            shown.moved(done.size, done.name if done.last else "")


def _only(given: Iterator[Done], *, alone: bool) -> Iterator[Done]:
    """The same, but `whole` only where there is one answer and nothing else."""
    amiss: list[MistypedError] = []
    given = until_amiss(given, amiss)
    first = list(islice(given, 2))
    if not alone or amiss or len(first) > 1:
        first = [replace(done, whole="") for done in first]
    yield from chain(first, given)
    for error in amiss:
        raise error


def _print(done: Done) -> None:
    for text in [done.whole] if done.whole else done.texts:
        put(text)
    sys.stdout.flush()


def _tasks(names: Sequence[str], folder: str, memory: Memory) -> Iterator[list[Part]]:
    """The files divided into tasks of much the same size, small ones put together; spilled texts lie in the folder."""
    task, size, first = list[Part](), 0, True
    try:
        for name in names:
            memory.begin(name)
            for part in _parts(name, folder):
                task.append(replace(part, first=first))
                first = False
                size += len(part.share.text) if not part.share.path else SIZE
                if size >= SIZE:
                    yield task
                    task, size = [], 0
    except MistypedError:
        yield task
        raise
    yield task


def _parts(name: str, folder: str) -> Iterator[Part]:
    """The shares of a file; one is held back until it is known whether another follows."""
    with Source(name).open() as stream:
        before, held = 0, None
        try:
            for share in shares(stream, size=SIZE, folder=folder):
                if held is not None:
                    yield held
                now = stream.tell() if stream.seekable() else 0
                held, before = Part(name, share, now - before, last=False), now
        except OSError as error:
            raise unreadable(name, error) from error
    if held is not None:
        yield replace(held, last=True)


def _bytes(names: Sequence[str]) -> int:
    return sum(Path(name).stat().st_size for name in names if Path(name).is_file())
