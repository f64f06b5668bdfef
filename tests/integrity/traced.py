"""A writer under strace: what it asks of the disk, and what becomes of it when the disk says no."""

import contextlib
import itertools
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
_COUNT = itertools.count()


@contextlib.contextmanager
def press(*arguments: object) -> "Iterator[subprocess.Popen[str]]":
    command = [sys.executable, "-m", "tests.integrity.press", *map(str, arguments)]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin
    assert process.stdout
    try:
        yield process
    finally:
        process.stdin.close()
        process.kill()
        process.wait()
        process.stdout.close()


def files_of(path: Path) -> list[str]:
    """The options by which strace looks at a journal's files only."""
    names = [path.name + ending for ending in ("", "-wal", "-shm", "-journal")] + ["acknowledged"]
    return [part for name in names for part in ("-P", str(path.with_name(name)))]


@contextlib.contextmanager
def strace(pid: int, output: Path, *options: str, patience: float = 0.01) -> Iterator[None]:
    """Attached when the block begins, gone when it ends.

    Of a process that ends with the block, `patience` seconds are what its last lines may take to be written.
    """
    command = ["strace", "-p", str(pid), "-o", str(output), *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr
    line = process.stderr.readline()
    assert "attached" in line, line
    try:
        yield
    finally:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=patience)
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        process.stderr.close()
        process.wait()


@dataclass(frozen=True)
class Call:
    """A system call on one of the files; how often one of its name came before."""

    name: str
    nth: int


def calls(trace: str) -> list[Call]:
    seen: dict[str, int] = {}
    found = []
    for line in trace.splitlines():
        match = re.match(r"(?:\d+\s+)?([a-z_0-9]+)\(", line)
        if match:
            seen[match[1]] = seen.get(match[1], 0) + 1
            found.append(Call(match[1], seen[match[1]]))
    return found


class Probes:
    """Writers forked from one process, each of which opens the journal, and appends when told."""

    def __init__(self, server: "subprocess.Popen[str]", path: Path) -> None:
        self._server = server
        self._path = path

    def run(self, options: Sequence[str]) -> tuple[str, str]:
        """What a writer said of its append under these options of strace, and the trace."""
        folder = self._path.parent / f"pipes-{next(_COUNT)}"
        folder.mkdir()
        for name in ("in", "out"):
            os.mkfifo(folder / name)
        assert self._server.stdin
        self._server.stdin.write(f"{folder}\n")
        self._server.stdin.flush()
        with (folder / "out").open() as out, (folder / "in").open("w") as inlet:
            pid = int(out.readline())
            assert out.readline() == "ready\n"
            with strace(pid, folder / "trace", *files_of(self._path), *options, patience=60):
                with contextlib.suppress(BrokenPipeError):
                    inlet.write("go\n")
                    inlet.flush()
                said = out.readline()
                out.read()
        while Path(f"/proc/{pid}").exists():
            time.sleep(0.001)
        return said, (folder / "trace").read_text()
