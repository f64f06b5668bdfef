"""`razbor verify` of much at once: divided, judged, told in the order given, and what is done remembered."""

import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

from recorder.shares import SIZE, shares
from replay.cli_bar import bar
from replay.cli_summary import Summary
from replay.cli_tasks import Done, Part, Pool, judged
from replay.cli_verify import STDIN, Source, sources, unreadable
from replay.cli_words import MistypedError, put

Json = Mapping[str, Any]


class Memory:
    """What `--resume` remembers: a line of JSON a file, written when its answers are printed."""

    def __init__(self, path: str | None, asked: Json) -> None:
        self._path = Path(path) if path else None
        self._asked = json.dumps({**asked, "language": None}, sort_keys=True)
        self._known: dict[str, Json] = {}
        try:
            if self._path:
                self._path.open("ab").close()
            data = self._path.read_bytes() if self._path else b""
            whole, _, torn = data.rpartition(b"\n")
            self._known = {row["name"]: row for row in map(json.loads, whole.splitlines())}
            if self._path and torn:
                self._path.write_bytes(whole + b"\n" if whole else b"")
        except OSError as error:
            raise MistypedError("unwritable", name=path, reason=error.strerror) from error
        except (ValueError, KeyError, TypeError) as error:
            raise MistypedError("resume", name=path) from error

    def recall(self, name: str) -> Summary | None:
        """What was said of a file, where it and what is asked are what they were."""
        row = self._known.get(name)
        if row is None or name == STDIN or row["asked"] != self._asked or row["mark"] != _mark(name):
            return None
        return Summary.of_data(row)

    def keep(self, name: str, summary: Summary) -> None:
        """Remember it for the next time."""
        if self._path is None:
            return
        row = {"name": name, **summary.as_data(), "asked": self._asked, "mark": _mark(name)}
        with self._path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _mark(name: str) -> list[int]:
    """A file's size and the time it was written; of standard input, nothing."""
    if name == STDIN:
        return []
    stat = Path(name).stat()
    return [stat.st_size, stat.st_mtime_ns]


def verify(
    names: Sequence[str], asked: Json, as_json: bool, resume: str | None, workers: AbstractContextManager[Pool]
) -> int:
    """Judges everything named, prints the answers, and gives the exit code: the gravest of all.

    Interrupted, it tells what is done and lets the interruption pass on.
    """
    found, memory, lang = [source.name for source in sources(names)], Memory(resume, asked), asked["language"]
    known = {name: summary for name in dict.fromkeys(found) if (summary := memory.recall(name))}
    left = [name for name in found if name not in known]
    total = sum(known.values(), Summary())
    with workers as pool:
        try:
            for summary in _worked(left, asked, as_json, memory, pool):
                total += summary
        finally:
            if total.verdicts:
                put(total.told(lang), error=as_json)
    return total.worst


def _worked(names: Sequence[str], asked: Json, as_json: bool, memory: Memory, pool: Pool) -> Iterator[Summary]:
    """What each part comes to, as soon as it is printed."""
    of_file = Summary()
    with tempfile.TemporaryDirectory() as folder, bar(names, _bytes(names), asked["language"]) as shown:
        for done in judged(_tasks(names, folder if pool.near else ""), asked, as_json, pool):
            with shown.aside():
                _print(done)
            yield done.summary
            of_file += done.summary
            if done.last:
                memory.keep(done.name, of_file)
                of_file = Summary()
            shown.moved(done.size, done.name if done.last else "")


def _print(done: Done) -> None:
    for text in done.texts:
        put(text)
    sys.stdout.flush()


def _tasks(names: Sequence[str], folder: str) -> Iterator[list[Part]]:
    """The files divided into tasks of much the same size, small ones put together; spilled texts lie in the folder."""
    task, size = list[Part](), 0
    try:
        for name in names:
            for part in _parts(name, folder):
                task.append(part)
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
