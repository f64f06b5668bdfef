"""What cannot be done as it was typed: one sentence that says what and where, exit code 2, and no bug of ours."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from recorder.words import LANGUAGES, topic
from replay.cli import main
from tests.cli.razbor import VERIFIED, data_of, process, razbor


def test_no_command_is_answered_with_the_help() -> None:
    bare, spoken = razbor(), razbor("--lang", "fr")
    assert (bare.exit_code, spoken.exit_code) == (2, 2)
    assert bare.stderr.startswith("Usage: razbor")
    assert spoken.stderr == razbor("--lang", "fr", "--help").stdout


@pytest.mark.parametrize("command", ["", *main.commands])
def test_help_is_told_in_the_language_wherever_that_stands(command: str) -> None:
    asked = [command] if command else []
    told = razbor(*asked, "--lang", "ru", "--help").stdout
    assert told != razbor(*asked, "--help").stdout
    assert razbor(*asked, "--help", "--lang", "ru").stdout == told
    assert razbor(*asked, "--help", "--lang=ru").stdout == told


def test_so_is_the_version_and_a_file_may_be_called_like_an_option() -> None:
    assert razbor("--version", "--lang", "ru").stdout == razbor("--lang", "ru", "--version").stdout
    assert "There is no file --lang." in razbor("verify", "--", "--lang", "ru").stderr


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_click_adds_to_the_help_is_said_in_the_language(lang: str) -> None:
    frame = topic("cli", lang)["frame"]
    assert f"[{frame['default']}127.0.0.1]" in razbor("serve", "--lang", lang, "--help").stdout
    assert f"{frame['required']}]" in " ".join(razbor("dispute", "--lang", lang, "--help").stdout.split())


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (("key",), "ACT is missing; possible: show, new."),
        (("show", VERIFIED, "one", "more"), "Too much was typed: one more."),
        (("verify", VERIFIED, "--jobs", "0"), "--jobs: 0 is not possible here; give a whole number from 1 on."),
        (("serve", "--port", "70000"), "--port: 70000 is not possible here; give a whole number from 0 to 65535."),
        (("verify", VERIFIED, "--nothing", "--lang", "ru"), "Настройки --nothing нет."),
        (("verify", VERIFIED, "--nothing", "--lang=fr"), "--nothing"),
    ],
)
def test_the_sentence_says_what_would_be_right(typed: tuple[str, ...], said: str) -> None:
    result = razbor(*typed)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 2


@pytest.mark.parametrize("host", ["300.1.1.1", "no such name"])
def test_a_name_that_is_no_address_is_a_mistake(host: str, tmp_path: Path) -> None:
    done = process("serve", "--db", str(tmp_path / "x.db"), "--host", host)
    assert done.returncode == 2
    assert f"{host} is not an address of this machine." in done.stderr.decode()


@pytest.mark.parametrize("content", [b"", b"no journal at all\n"])
@pytest.mark.parametrize("drill", [(), ("--drill",)])
def test_what_is_no_journal_is_not_restored(content: bytes, drill: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_bytes(content)
    result = razbor("restore", str(tmp_path / "copy.db"), "--db", str(tmp_path / "x.db"), *drill)
    assert result.exit_code == 2
    assert f"{tmp_path / 'copy.db'} is not a journal" in result.stderr
    assert not (tmp_path / "x.db").exists()


def test_a_copy_goes_into_a_folder_that_is_there(tmp_path: Path) -> None:
    db, nowhere = str(tmp_path / "x.db"), str(tmp_path / "no" / "copy.db")
    assert razbor("add", VERIFIED, "--db", db).exit_code == 0
    out = razbor("backup", nowhere, "--db", db)
    assert (out.exit_code, f"{nowhere} cannot be written: " in out.stderr) == (2, True)
    back = razbor("restore", db, "--db", nowhere)
    assert (back.exit_code, f"{nowhere} cannot be written: " in back.stderr) == (2, True)


def test_what_is_judged_is_remembered_where_it_can_be_written(tmp_path: Path) -> None:
    state = str(tmp_path / "no" / "state")
    result = razbor("verify", VERIFIED, "--resume", state)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{state} cannot be written: " in result.stderr


@pytest.mark.parametrize("there", [True, False])
def test_a_journal_that_cannot_be_written_is_told_at_once(
    there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = str(tmp_path / "x.db")
    if there:
        assert razbor("add", VERIFIED, "--db", db).exit_code == 0
    monkeypatch.setattr(os, "access", lambda place, _how: Path(place) != tmp_path)
    result = razbor("token", "--db", db)
    assert result.exit_code == 2
    assert f"{db} cannot be written: Permission denied." in result.stderr


def test_a_file_that_may_not_be_read_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    closed = tmp_path / "it's mine.jsonl"
    closed.write_bytes(b"")
    monkeypatch.setattr(os, "access", lambda place, _how: Path(os.fsdecode(place)) != closed)
    result = razbor("show", str(closed))
    assert result.exit_code == 2
    assert f"{closed} cannot be read: Permission denied." in result.stderr


def test_a_receipt_for_an_event_there_is_not_says_which_is_the_last(tmp_path: Path) -> None:
    db = str(tmp_path / "x.db")
    assert razbor("add", VERIFIED, "--db", db).exit_code == 0
    (entry,) = data_of(razbor("list", "--db", db, "--json"))
    last = entry["events"] - 1
    assert razbor("receipt", entry["key"], "--db", db, "--at", str(last)).exit_code == 0
    result = razbor("receipt", entry["key"], "--db", db, "--at", str(last + 1))
    assert result.exit_code == 2
    assert f"There is no event {last + 1}; the last one is {last}." in result.stderr


def test_french_sets_the_colon_of_a_heading_off() -> None:
    told = razbor("--lang", "fr", "--help").stdout
    assert [line for line in told.split("\n") if line.endswith(":")] == ["Options\u00a0:", "Commandes\u00a0:"]


@pytest.mark.parametrize("lang", [(), ("--lang", "ru")])
def test_where_nobody_listens_nothing_is_refuted(lang: tuple[str, ...]) -> None:
    """`razbor ... | head`: what the reader left is no verdict, by the plain road and by the door of click."""
    program = f"from replay.cli import main; main({[*lang, 'verify', '--json', str(VERIFIED)]!r})"
    env = {**os.environ, "PYTHONUNBUFFERED": "1"}  # so that it is heard at once that nobody listens
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-c", program]
    child = subprocess.run(command, env=env, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert child.returncode == 141
    assert b"Traceback" not in child.stderr
