"""`razbor verify` of many files: several processes say what one says; what is done is remembered; Ctrl-C is no bug."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO
from unittest import mock

import pytest

from recorder.shares import Share, shares
from replay import cli_bulk, cli_verify
from replay.cli_sources import Source
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


def test_what_is_named_twice_or_has_a_name_that_is_no_text_is_remembered(tmp_path: Path) -> None:
    state, odd = str(tmp_path / "state"), os.fsdecode(bytes(tmp_path) + b"/\xff.bura.jsonl")
    shutil.copy(VERIFIED, odd)
    first = razbor("verify", "--json", "--resume", state, odd, REFUTED, odd)
    again = razbor("verify", "--json", "--resume", state, odd, REFUTED, odd)
    assert first.exit_code == again.exit_code == 1
    assert (first.stdout.count("\n"), again.stdout) == (3, "")
    assert again.stderr == first.stderr


@pytest.mark.parametrize(
    "written",
    [
        b"a note of mine", b"a note of mine\n", b"[]\n", b"{}\n", b'{"name": "x"}\n', b"[" * 5000 + b"\n", b"\xff\n",
        b"\x1f\x8b\x08",
        b'{"name": "x", "verdicts": {}, "codes": {}, "worst": 7, "asked": "", "mark": [1, 2]}\n',
        b'{"name": "x", "verdicts": {}, "codes": {}, "worst": 0, "asked": "", "mark": [], "version": 2}\n',
        b'{"name": "x", "verdicts": {"verified": "1"}, "codes": {}, "worst": 0, "asked": "", "mark": [1, 2]}\n',
    ],
)  # fmt: skip
def test_a_file_that_remembers_nothing_is_a_mistake_and_stays_as_it_was(written: bytes, tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.write_bytes(written)
    told = razbor("verify", "--resume", str(state), VERIFIED)
    assert (told.exit_code, told.stdout) == (2, "")
    assert "was not written by --resume" in told.stderr
    assert state.read_bytes() == written


def test_what_is_no_file_remembers_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for state in (tmp_path / "pipe", tmp_path, Path("/dev/zero")):
        told = razbor("verify", "--resume", str(state), VERIFIED)
        assert (told.exit_code, told.stdout) == (2, "")
        assert f"{state} was not written by --resume" in told.stderr


def test_what_another_engine_said_is_judged_again(tmp_path: Path) -> None:
    state = tmp_path / "state"
    razbor("verify", "--resume", str(state), VERIFIED)
    assert razbor("verify", "--json", "--resume", str(state), VERIFIED).stdout == ""
    with mock.patch.object(cli_bulk, "ENGINE", "0.0.9"):
        assert razbor("verify", "--json", "--resume", str(state), VERIFIED).stdout != ""


def test_a_file_that_changes_while_it_is_read_is_judged_again(tmp_path: Path) -> None:
    state, changing = str(tmp_path / "state"), tmp_path / "x.jsonl"
    shutil.copy(VERIFIED, changing)

    def shares_and_more(stream: BinaryIO, **how: Any) -> Iterator[Share]:
        yield from shares(stream, **how)
        changing.write_bytes(Path(REFUTED).read_bytes())

    with mock.patch.object(cli_bulk, "shares", shares_and_more):
        assert razbor("verify", "--resume", state, str(changing)).exit_code == 0
    assert razbor("verify", "--resume", state, str(changing)).exit_code == 1


def test_what_is_no_file_is_not_remembered(tmp_path: Path) -> None:
    state, pipe = str(tmp_path / "state"), tmp_path / "pipe"
    os.mkfifo(pipe)
    for _ in range(2):
        with mock.patch.object(Source, "open", return_value=Path(VERIFIED).open("rb")):
            assert razbor("verify", "--json", "--resume", state, str(pipe)).stdout != ""


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
    def interrupted(found: list[Source], asked: Mapping[str, Any]) -> Iterator[cli_verify.Answer]:
        yield from judged(found[:2], asked)
        raise KeyboardInterrupt

    judged = cli_verify.answers
    with mock.patch.object(cli_verify, "answers", interrupted):
        told = razbor("verify", *how, VERIFIED, REFUTED, VERIFIED)
    assert told.exit_code == 130
    assert "Recordings 2: verified 1, refuted 1" in (told.stderr if how else told.stdout)
