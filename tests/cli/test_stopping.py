"""Stopped, a command that judges much says what is done and leaves nobody behind."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.check_cases import CASES
from tests.cli.razbor import PLAIN, ROOT

RAZBOR = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "signal.signal(signal.SIGTERM, signal.SIG_DFL); signal.signal(signal.SIGHUP, signal.SIG_DFL); "
    "sys.argv[0] = 'razbor'; from replay.cli import main; main()"
)
"""Whatever this process was told to ignore, as under `nohup`, these are not."""


def started(tmp_path: Path, *how: str, script: str = RAZBOR, times: int = 40) -> "subprocess.Popen[bytes]":
    """A command with much to do that has told its second answer: the first is counted."""
    env = {**os.environ, **PLAIN, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", script, "verify", "--json", *how, *([str(CASES)] * times)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, start_new_session=True)
    assert child.stdout is not None
    assert all(child.stdout.readline() for _ in range(2))
    return child


@pytest.mark.parametrize(
    ("how", "told", "whole"),
    [
        ((), signal.SIGTERM, False),
        (("--jobs", "2"), signal.SIGTERM, False),
        *((("--jobs", "2"), told, True) for told in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)),
    ],
)
def test_whoever_is_stopped_says_what_is_done(
    how: tuple[str, ...], told: signal.Signals, whole: bool, tmp_path: Path
) -> None:
    """`whole`: as from a terminal, a service or `timeout`, which tell it to all processes of the command."""
    child = started(tmp_path, *how)
    (os.killpg if whole else os.kill)(child.pid, told)
    _, beside = child.communicate(timeout=60)  # to the end: whoever is left behind would hold these pipes open
    assert child.returncode == 130
    assert b"\nRecordings " in beside
    assert beside.endswith(b"\nStopped.\n")
    assert b"Traceback" not in beside
    assert list(tmp_path.iterdir()) == []


def test_what_it_was_told_to_ignore_it_ignores(tmp_path: Path) -> None:
    """Under `nohup`, a terminal that is gone ends nothing."""
    ignoring = RAZBOR.replace("SIGHUP, signal.SIG_DFL", "SIGHUP, signal.SIG_IGN")
    child = started(tmp_path, script=ignoring, times=2)
    os.kill(child.pid, signal.SIGHUP)
    _, beside = child.communicate(timeout=60)
    assert (child.returncode, b"Stopped" in beside) == (3, False)


def test_where_the_command_is_killed_its_processes_end(tmp_path: Path) -> None:
    child = started(tmp_path, "--jobs", "2")
    child.kill()
    try:
        child.communicate(timeout=60)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
