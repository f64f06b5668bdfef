"""Standard streams that are full or closed, and odd names: one sentence, no verdict that is none, no traceback."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.razbor import PLAIN, REFUTED, ROOT, RUN, SAMPLES, VERIFIED, data_of, razbor

FULL = Path("/dev/full")
SAYS = [
    ("verify", VERIFIED), ("verify", VERIFIED, REFUTED), ("verify", "--jobs", "2", VERIFIED, REFUTED),
    ("show", VERIFIED), ("pack", VERIFIED), ("import", str(SAMPLES / "sheets" / "thursday.bura.txt")), ("schema",),
    ("--help",), ("verify", "--help"), ("--version",),
]  # fmt: skip


def run(
    *typed: str, closed: int | None = None, out: Path | None = None, err: Path | None = None, unbuffered: str = ""
) -> subprocess.CompletedProcess[bytes]:
    """A command, one of its standard streams closed, or written to a file."""
    close: Callable[[], None] | None = None if closed is None else lambda: os.close(closed)
    env = {**os.environ, **PLAIN, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": unbuffered}
    command = [sys.executable, "-c", RUN, *typed]
    given = subprocess.DEVNULL if closed != 0 else None
    with (out or Path(os.devnull)).open("wb") as to, (err or Path(os.devnull)).open("wb") as beside:
        streams = {"stdout": to if out else subprocess.PIPE, "stderr": beside if err else subprocess.PIPE}
        return subprocess.run(command, env=env, stdin=given, **streams, preexec_fn=close, check=False)  # type: ignore[call-overload,no-any-return]


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(("typed", "unbuffered"), [*((typed, "") for typed in SAYS), (SAYS[0], "1"), (SAYS[4], "1")])
def test_a_full_disk_is_told_in_one_sentence(typed: tuple[str, ...], unbuffered: str) -> None:
    done = run(*typed, out=FULL, unbuffered=unbuffered)
    assert done.returncode == 2
    assert done.stderr.decode().splitlines() == ["Nothing more can be written: No space left on device."]


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    ("typed", "code"),
    [
        (("verify", VERIFIED), 0), (("verify", REFUTED), 1), (("verify", "--json", VERIFIED, REFUTED), 1),
        (("verify", "no such file"), 2), (("no such command",), 2),
    ],
)  # fmt: skip
def test_what_cannot_be_said_beside_changes_no_exit_code(typed: tuple[str, ...], code: int) -> None:
    assert run(*typed, err=FULL).returncode == code
    assert run(*typed, closed=2).returncode == code


@pytest.mark.parametrize("typed", [SAYS[0], SAYS[2], SAYS[4], SAYS[7]], ids=" ".join)
def test_where_nothing_can_be_said_that_is_told_as_where_nobody_listens(typed: tuple[str, ...]) -> None:
    done = run(*typed, closed=1)
    assert done.returncode in (int(REFUTED in typed), 141)
    assert done.stderr == b""


@pytest.mark.parametrize(
    "typed", [("verify", "-"), ("verify", "--jobs", "2", "-"), ("show", "-"), ("pack", "-"), ("compare", "-", VERIFIED)]
)
def test_a_standard_input_that_is_closed_cannot_be_read(typed: tuple[str, ...]) -> None:
    done = run(*typed, closed=0)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"- cannot be read: Bad file descriptor." in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_name_does_nothing_to_terminal_or_line(tmp_path: Path) -> None:
    name = bytes(tmp_path) + b"/a\nb\x1b[2J\xff.bura.jsonl"
    Path(os.fsdecode(name)).write_bytes(Path(VERIFIED).read_bytes())
    shown = f"{tmp_path}/a\\nb\\x1b[2J\\udcff.bura.jsonl"
    for typed in (("verify",), ("verify", "--jobs", "2"), ("add", "--db", str(tmp_path / "x.db"))):
        assert shown in razbor(*typed, os.fsdecode(name)).stdout
    assert f"There is no file {shown}2." in razbor("verify", os.fsdecode(name + b"2")).stderr
    assert "\x1b" not in razbor("verify", "--\x1b[2J").stderr
    assert "\x1b" not in razbor("receipt", "verify", "--key", os.fsdecode(name), VERIFIED).stderr


def test_a_folder_gives_its_files_and_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").mkdir()
    inner = tmp_path / "a.jsonl" / "b.jsonl"
    inner.write_bytes(Path(VERIFIED).read_bytes())
    (tmp_path / "round").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe.jsonl")
    told = razbor("verify", str(tmp_path))
    assert told.exit_code == 0
    assert told.stdout.count(str(inner)) == 1
    (tmp_path / "z.jsonl").symlink_to(tmp_path / "nothing")
    told = razbor("verify", str(tmp_path))
    assert told.exit_code == 2
    assert f"There is no file {tmp_path / 'z.jsonl'}." in told.stderr
    assert razbor("verify", "").exit_code == 2


def test_a_folder_in_a_folder_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "closed").mkdir()
    (tmp_path / "a.jsonl").write_bytes(Path(VERIFIED).read_bytes())
    scandir = os.scandir

    def refuse(path: str) -> object:
        if str(path).endswith("closed"):
            raise PermissionError(13, os.strerror(13), str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    told = razbor("verify", str(tmp_path))
    assert told.exit_code == 2
    assert f"{tmp_path / 'closed'} cannot be read: Permission denied." in told.stderr


@pytest.mark.parametrize(
    "typed",
    [
        ("export", "--all", "-o"), ("export", "{key}", "-o"), ("export", "{key}", "--writers"),
        ("receipt", "{key}", "-o"), ("pack", VERIFIED, "-o"), ("unpack", VERIFIED, "-o"),
        ("compare", VERIFIED, VERIFIED, "--merged"),
        ("import", str(SAMPLES / "sheets" / "thursday.bura.txt"), "-o"),
    ],
)  # fmt: skip
def test_no_answer_is_written_over_a_journal(typed: tuple[str, ...], tmp_path: Path) -> None:
    db = tmp_path / "x.db"
    (added,) = data_of(razbor("add", "--json", VERIFIED, "--db", str(db)))
    named = [word.format(key=added["key"]) for word in typed]
    told = razbor(*named, str(db), env={"RAZBOR_DB": str(db)})
    assert (told.exit_code, told.stdout) == (2, "")
    assert f"{db} is a database, such as a journal, and is not written over" in told.stderr
    assert [entry["key"] for entry in data_of(razbor("list", "--json", "--db", str(db)))] == [added["key"]]
