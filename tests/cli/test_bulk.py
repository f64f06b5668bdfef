"""`razbor verify` of many files: several processes say what one says; what is done is remembered; Ctrl-C is no bug."""

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from replay import cli_verify
from tests.check_cases import CASES
from tests.cli.razbor import REFUTED, VERIFIED, process, razbor

RAZBOR = "import sys; from replay.cli import main; main(sys.argv[1:])"
AT_A_TERMINAL = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
"""Whoever starts the suite in the background of a shell leaves Ctrl-C ignored to everything started in it."""


def test_two_processes_say_what_one_says_in_the_order_given() -> None:
    files = (str(CASES / "bourre"), REFUTED, VERIFIED)
    for how in ((), ("--json",)):
        one, two = process("verify", *how, *files), process("verify", "--jobs", "2", *how, *files)
        assert two.stdout == one.stdout
        assert (two.returncode, two.stderr) == (one.returncode, one.stderr)


def test_what_is_remembered_is_counted_and_not_judged_again(tmp_path: Path) -> None:
    state, copy = tmp_path / "state", tmp_path / "copy.bura.jsonl"
    shutil.copy(VERIFIED, copy)
    first = razbor("verify", "--resume", str(state), REFUTED, str(copy))
    again = razbor("verify", "--resume", str(state), REFUTED, str(copy))
    assert first.exit_code == again.exit_code == 1
    assert str(copy) not in again.stdout
    assert again.stdout.strip() == first.stdout[first.stdout.index("\nRecordings 2") :].strip()
    copy.write_bytes(Path(REFUTED).read_bytes())
    changed = razbor("verify", "--resume", str(state), VERIFIED, str(copy))
    assert changed.exit_code == 1
    assert str(copy) in changed.stdout


def test_a_line_that_was_cut_short_is_forgotten(tmp_path: Path) -> None:
    state = tmp_path / "state"
    razbor("verify", "--resume", str(state), REFUTED, VERIFIED)
    whole = state.read_bytes()
    state.write_bytes(whole[:-9])
    assert VERIFIED in razbor("verify", "--resume", str(state), REFUTED, VERIFIED).stdout
    assert state.read_bytes() == whole
    state.write_bytes(b"[]\n")
    assert razbor("verify", "--resume", str(state), VERIFIED).exit_code == 2


def test_an_interruption_tells_what_is_done(tmp_path: Path) -> None:
    state, files = tmp_path / "state", [str(CASES / "bura")] * 200
    asked = ["verify", "--json", "--jobs", "2", "--resume", str(state), *files]
    command = [sys.executable, "-c", AT_A_TERMINAL + RAZBOR, *asked]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout is not None
    # A file is remembered after its answer is printed: the answer to the second shows that the first one is.
    assert all(child.stdout.readline() for _ in range(2))
    child.send_signal(signal.SIGINT)
    _, told = child.communicate(timeout=60)
    assert child.returncode == 130
    assert "Recordings " in told
    assert "Traceback" not in told
    *remembered, torn = state.read_bytes().split(b"\n")
    assert torn == b""
    names = [json.loads(row)["name"] for row in remembered]
    assert names
    assert names == sorted(map(str, (CASES / "bura").glob("*.jsonl")))[: len(names)]


def test_an_interrupted_plain_command_is_no_bug() -> None:
    stop = "from replay import cli_verify\ndef stop(*_): raise KeyboardInterrupt\ncli_verify.verify = stop\n"
    for arguments in ((VERIFIED,), (VERIFIED, REFUTED)):
        told = process("verify", *arguments, code=stop + RAZBOR)
        assert (told.returncode, told.stdout, told.stderr) == (130, b"", b"\nStopped.\n")


@pytest.mark.parametrize("how", [(), ("--json",)])
def test_whoever_is_interrupted_says_what_is_done(how: tuple[str, ...]) -> None:
    def interrupted(found: list[cli_verify.Source], asked: Mapping[str, Any]) -> Iterator[cli_verify.Answer]:
        yield from judged(found[:2], asked)
        raise KeyboardInterrupt

    judged = cli_verify.answers
    with mock.patch.object(cli_verify, "answers", interrupted):
        told = razbor("verify", *how, VERIFIED, REFUTED, VERIFIED)
    assert told.exit_code == 130
    assert "Recordings 2: verified 1, refuted 1" in (told.stderr if how else told.stdout)
