"""boardgame.io, the same rules of Bura on it (`bura.cjs`), as a process of node of its own."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.table import Work

HERE = Path(__file__).resolve().parent
RELEASE = "boardgame.io@0.50.2"
PATIENCE = 300
"""Seconds that npm has to fetch it."""


class MissingError(Exception):
    """It cannot be measured here; why."""


@contextmanager
def board(record: bytes) -> Iterator[Work]:
    """A recording of Bura played by boardgame.io, events in a whole process; fetched into a folder that goes again."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise MissingError("node or npm is not installed")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "evening.jsonl")
        file.write_bytes(record)
        _fetch(npm, folder)
        env = {**os.environ, "NODE_PATH": str(Path(folder, "node_modules")), "NODE_ENV": "production"}

        def play() -> int:
            command = [node, str(HERE / "board.cjs"), str(file)]
            return int(subprocess.run(command, env=env, stdout=subprocess.PIPE, check=True).stdout)

        yield play


def _fetch(npm: str, folder: str) -> None:
    command = [npm, "install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", "--silent", RELEASE]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        raise MissingError(f"npm did not fetch it in {PATIENCE} seconds") from None
    if done.returncode:
        raise MissingError(f"npm could not fetch it (exit {done.returncode})")
