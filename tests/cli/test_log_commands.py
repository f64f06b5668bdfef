"""`receipt`, `audit-log`, `key`, `backup`, `restore`, `witness` at the command line."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined] # the one sqlite-utils itself found

from recorder import witness
from recorder.checkpoint import PLAIN as PLAIN_KEY
from recorder.checkpoint import Signer
from recorder.words import LANGUAGES, topic
from replay.cli_door import Door
from replay.cli_log import say
from replay.cli_log_commands import COMMANDS
from tests.cli.razbor import PLAIN, REFUTED, ROOT, RUN, VERIFIED
from tests.cli.razbor import razbor as other

DOOR = Door("razbor", commands={str(each.name): each for each in COMMANDS})
Razbor = Callable[..., Result]


@pytest.fixture
def razbor(tmp_path: Path) -> Razbor:
    """A command over a journal that holds one recording."""
    path = tmp_path / "journal.db"
    assert other("add", REFUTED, "--db", str(path)).exit_code == 0

    def run(*arguments: object) -> Result:
        runner = CliRunner(env={**PLAIN, "RAZBOR_DB": str(path)})
        result = runner.invoke(DOOR, [str(each) for each in arguments], prog_name="razbor")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


@pytest.fixture
def key(tmp_path: Path, razbor: Razbor) -> str:
    listed = other("list", "--json", "--db", str(tmp_path / "journal.db"))
    return str(json.loads(listed.stdout)["key"])


def test_a_receipt_from_the_journal_to_somebody_elses_machine(tmp_path: Path, razbor: Razbor, key: str) -> None:
    file = tmp_path / "receipt.json"
    assert razbor("receipt", key, "-o", file).exit_code == 0
    log = razbor("key", "show").stdout.strip()
    away = razbor("receipt", "verify", file, "--key", log, "--db", tmp_path / "none.db", "--json")
    told = json.loads(away.stdout)
    assert (away.exit_code, told["holds"], told["key"], told["verdict"]) == (0, True, key, "refuted")
    assert "Holds" in razbor("receipt", "verify", file).stdout
    file.write_bytes(file.read_bytes().replace(b'"amount\\\\\\":10', b'"amount\\\\\\":11', 1))
    file.write_bytes(file.read_bytes().replace(b"10", b"11", 1))
    broken = razbor("receipt", "verify", file, "--key", log)
    assert broken.exit_code == 1
    assert broken.stdout.startswith("Does not hold")
    assert json.loads(razbor("receipt", "verify", file, "--key", log, "--json").stdout)["holds"] is False


def test_a_receipt_for_a_view_and_at_an_event(tmp_path: Path, razbor: Razbor, key: str) -> None:
    file = tmp_path / "receipt.json"
    assert razbor("receipt", key, "--at", 9, "--view", "seat:1", "-o", file).exit_code == 0
    told = json.loads(razbor("receipt", "verify", file, "--json").stdout)
    assert told["events"] == 10
    assert told["withheld"]
    assert 0 not in told["withheld"]
    assert told["verdict"] is None
    assert "cannot be judged" in razbor("receipt", "verify", file).stdout


def test_audit_log_is_silent_about_what_is_sound_and_names_what_is_not(
    tmp_path: Path, razbor: Razbor, key: str
) -> None:
    assert razbor("receipt", key, "-o", tmp_path / "receipt.json").exit_code == 0
    sound = razbor("audit-log")
    assert (sound.exit_code, sound.stdout.startswith("Sound: events 16, recordings 1")) == (0, True)
    connection = sqlite3.connect(str(tmp_path / "journal.db"))
    connection.execute("DROP TRIGGER payloads_no_update")
    connection.execute("UPDATE payloads SET body = x'00' WHERE idx = 9")
    connection.commit()
    connection.close()
    found = razbor("audit-log")
    assert found.exit_code == 1
    assert f"log/chain-broken: payloads, recording {key}, event 9" in found.stdout
    assert json.loads(razbor("audit-log", "--json").stdout)["findings"][0]["place"] == "schema"


def test_what_is_no_checkpoint_says_nothing_against_the_journal(tmp_path: Path, razbor: Razbor, key: str) -> None:
    receipt = tmp_path / "receipt.json"
    assert razbor("receipt", key, "-o", receipt).exit_code == 0
    for held in (receipt, Path(VERIFIED)):
        told = razbor("audit-log", "--held", held)
        assert (told.exit_code, "holds no signed checkpoint" in told.stderr, told.stdout) == (2, True, "")


def test_who_judges_a_journal_is_told_that_it_is_one(tmp_path: Path, key: str) -> None:
    told = other("verify", str(tmp_path / "journal.db"))
    assert (told.exit_code, "razbor list --db" in told.stdout) == (3, True)


@pytest.mark.parametrize("folder", ["file", "file/in", "/proc/none"])
@pytest.mark.parametrize("setting", ["RAZBOR_KEYS", "RAZBOR_ANCHOR"])
def test_a_folder_of_keys_or_anchor_that_cannot_be_is_no_bug_of_ours(
    tmp_path: Path, key: str, setting: str, folder: str
) -> None:
    (tmp_path / "file").write_bytes(b"")
    env = {"RAZBOR_DB": str(tmp_path / "journal.db"), setting: str(tmp_path / folder)}
    asked: list[tuple[str, ...]] = [
        ("receipt", key, "-o", str(tmp_path / "r")),
        ("witness", "ask", "-o", str(tmp_path / "q")),
    ]
    asked += [("key", "show"), ("serve", "--port", "0")] if setting == "RAZBOR_KEYS" else []
    for command in asked:
        told = other(*command, env=env)
        assert (told.exit_code, "cannot be written" in told.stderr) == (2, True), command


def test_keys_are_renewed(razbor: Razbor) -> None:
    old = razbor("key", "show").stdout.split()
    new = razbor("key", "new").stdout.split()
    assert new[1:] == old
    assert json.loads(razbor("key", "show", "--json").stdout)["keys"] == new


def test_names_are_erased_only_where_that_was_said_for_good(tmp_path: Path, razbor: Razbor, key: str) -> None:
    path = tmp_path / "journal.db"
    receipt, names = tmp_path / "receipt.json", ("Анна", "Борис")
    razbor("receipt", key, "-o", receipt)
    told = razbor("erase", key)
    assert (told.exit_code, key in told.stderr, "--for-good" in told.stderr) == (2, True, True)
    assert all(name in other("export", key, "--db", str(path)).stdout for name in names)
    assert razbor("erase", "0000000000000000", "--for-good").exit_code == 2
    assert razbor("erase", key, "--for-good").stdout.startswith(f"{key}: names erased.")
    exported = other("export", key, "--db", str(path))
    assert not any(name in exported.stdout for name in names)
    assert exported.stderr == topic("log", "en")["said"]["erased"] + "\n"
    assert (razbor("audit-log").exit_code, razbor("receipt", "verify", receipt).exit_code) == (0, 0)
    assert razbor("erase", key, "--for-good").exit_code == 0


def test_backup_restore_and_rehearsal(tmp_path: Path, razbor: Razbor) -> None:
    assert "events 16" in razbor("backup", tmp_path / "copy.db").stdout
    assert ": 1." in razbor("restore", tmp_path / "copy.db", "--drill").stdout
    assert razbor("restore", tmp_path / "copy.db", "--db", tmp_path / "back.db").exit_code == 0
    assert razbor("audit-log", "--db", tmp_path / "back.db").exit_code == 0
    assert razbor("backup", tmp_path / "copy.db").exit_code == 2
    assert razbor("restore", tmp_path / "none.db", "--db", tmp_path / "x.db").exit_code == 2


def test_after_a_loss_what_the_copy_holds_goes_into_a_new_journal(tmp_path: Path, razbor: Razbor, key: str) -> None:
    """The restored journal stays closed, its receipts hold by its own key; the new one is another log."""
    old, new, copy, bundle = (str(tmp_path / name) for name in ("journal.db", "new.db", "copy.db", "old.jsonl"))
    assert razbor("receipt", key, "-o", tmp_path / "before.json").exit_code == 0
    log = razbor("key", "show").stdout.strip()
    assert razbor("backup", copy).exit_code == 0
    assert other("add", VERIFIED, "--db", old).exit_code == 0
    assert razbor("receipt", key, "-o", tmp_path / "signed.json").exit_code == 0
    for lost in tmp_path.glob("journal.db*"):
        if lost.is_file():
            lost.unlink()

    restored = razbor("restore", copy)
    assert (restored.exit_code, "export --all" in restored.stderr) == (1, True)
    assert other("add", VERIFIED, "--db", old).exit_code == 1
    assert other("export", "--all", "-o", bundle, "--db", old).exit_code == 0
    assert other("add", bundle, VERIFIED, "--db", new).exit_code == 0
    assert other("export", key, "--db", new).stdout == other("export", key, "--db", old).stdout
    assert razbor("receipt", key, "--db", new, "-o", tmp_path / "after.json").exit_code == 0
    assert razbor("receipt", "verify", tmp_path / "before.json", "--key", log).exit_code == 0
    assert razbor("receipt", "verify", tmp_path / "after.json", "--key", log).exit_code == 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_lost_anchor_is_told_before_it_is_made_anew(tmp_path: Path, razbor: Razbor, key: str, lang: str) -> None:
    """Else a copy from before could be put in the place of the journal, and nothing would say so."""
    sentence = topic("log", lang)["said"]["anchor_lost"].partition("{folder}")[2]
    file = tmp_path / "receipt.json"
    assert razbor("receipt", key, "-o", file).stderr == ""
    assert razbor("audit-log", "--lang", lang).stderr == ""
    shutil.rmtree(tmp_path / "journal.db.anchor")
    audited = razbor("audit-log", "--lang", lang)
    assert (audited.exit_code, sentence in audited.stderr) == (0, True)
    assert json.loads(razbor("audit-log", "--json").stdout)["unanchored"] == 16
    added = other("add", VERIFIED, "--db", str(tmp_path / "journal.db"), "--lang", lang)
    assert (added.exit_code, sentence in added.stderr) == (0, True)
    again = razbor("receipt", key, "-o", file, "--lang", lang)
    assert (again.exit_code, sentence in again.stderr) == (0, True)
    assert razbor("receipt", key, "-o", file, "--lang", lang).stderr == ""
    assert json.loads(razbor("audit-log", "--json").stdout)["unanchored"] == 0


@pytest.mark.parametrize("asked", ["ask", "serve"])
def test_so_is_it_to_who_signs_otherwise(tmp_path: Path, razbor: Razbor, key: str, asked: str) -> None:
    assert razbor("receipt", key, "-o", tmp_path / "receipt.json").exit_code == 0
    shutil.rmtree(tmp_path / "journal.db.anchor")
    if asked == "ask":
        assert "begins a new anchor" in razbor("witness", "ask", "-o", tmp_path / "request").stderr
        return
    told = served_and_stopped(tmp_path)
    assert [row["from"] for row in told] == ["razbor.anchor"]
    assert "begins a new anchor" in told[0]["said"]


def test_a_service_that_may_not_write_says_so_when_it_starts(tmp_path: Path, razbor: Razbor, key: str) -> None:
    path = tmp_path / "journal.db"
    shutil.copy(path, tmp_path / "old.db")
    assert other("add", VERIFIED, "--db", str(path)).exit_code == 0
    assert razbor("receipt", key, "-o", tmp_path / "receipt.json").exit_code == 0
    shutil.copy(tmp_path / "old.db", path)
    told = served_and_stopped(tmp_path)
    assert told[0]["said"].startswith("Not written: log/missing-events")


def served_and_stopped(folder: Path) -> list[dict[str, Any]]:
    """What a service over the folder's journal wrote to standard error until it said its address."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RAZBOR")}
    env = {**kept, **PLAIN, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", RUN, "serve", "--port", "0", "--db", str(folder / "journal.db"), "--lang", "en"]
    with subprocess.Popen(
        command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert "http://127.0.0.1:" in process.stdout.readline()
        process.terminate()
        _, told = process.communicate(timeout=60)
    return [json.loads(line) for line in told.splitlines()]


def test_a_witness_from_files(tmp_path: Path, razbor: Razbor, key: str) -> None:
    request, line, note = tmp_path / "request", tmp_path / "line", tmp_path / "note"
    assert razbor("witness", "ask", "-o", request).exit_code == 0
    log = razbor("key", "show").stdout.strip()
    sign = ("witness", "sign", request, "--key", log, "--folder", tmp_path / "w", "--name", "w.test/1", "-o", line)
    signed = razbor(*sign)
    assert signed.exit_code == 0
    watcher = signed.stderr.strip()
    assert razbor("witness", "add", request, line, "--cosigned", watcher, "-o", note).exit_code == 0
    assert razbor("receipt", key, "--checkpoint", note, "-o", tmp_path / "receipt.json").exit_code == 0
    checked = razbor("receipt", "verify", tmp_path / "receipt.json", "--key", log, "--cosigned", watcher)
    assert checked.exit_code == 0
    assert razbor("audit-log", "--held", note).exit_code == 0
    assert razbor(*sign).exit_code == 1


@pytest.mark.parametrize(
    "typed",
    [
        ("receipt",), ("receipt", "verify"), ("receipt", "0000000000000000"), ("key",), ("witness", "sign"),
        ("receipt", "verify", "none.json"), ("audit-log", "--db", "none.db"), ("key", "show", "--db", "none.db"),
        ("receipt", "verify", REFUTED, "--key", "nonsense"), ("receipt", "verify", REFUTED, "--db", "none.db"),
    ],
)  # fmt: skip
def test_what_is_mistyped(razbor: Razbor, typed: tuple[str, ...]) -> None:
    result = razbor(*typed)
    assert result.exit_code == 2
    assert result.stderr


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("command", [str(each.name) for each in COMMANDS])
def test_help_in_every_language(razbor: Razbor, lang: str, command: str) -> None:
    text = " ".join(razbor(command, "--lang", lang, "--help").stdout.split())
    assert " ".join(topic("log", lang)["help"][command].split()[:4]) in text


def test_every_language_says_the_same() -> None:
    for lang in LANGUAGES:
        words = topic("log", lang)
        assert {(section, name) for section in words for name in words[section]} == {
            (section, name) for section in topic("log", "en") for name in topic("log", "en")[section]
        }


def test_every_reason_has_its_words() -> None:
    """Every code that the parsers raise is told in every language, and no other."""
    source = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "recorder").glob("*.py")))
    raised = set(re.findall(r'(?:NoteError|ReceiptError)\(\s*"([^"]+)"', source))
    raised |= {witness.OtherSizeError(1).code, witness.NotConsistentError.code}
    assert len(raised) > 20
    for lang in LANGUAGES:
        assert set(topic("log", lang)["reason"]) == raised
        assert all("{" not in say(f"reason.{code}", lang, name="x") for code in raised)


def test_a_reason_is_a_code_to_programs_and_a_sentence_to_people(tmp_path: Path, razbor: Razbor, key: str) -> None:
    file = tmp_path / "receipt.json"
    razbor("receipt", key, "-o", file)
    mine, other = razbor("key", "show").stdout.strip(), str(Signer("log.test/other", PLAIN_KEY, bytes(32)).verifier)
    told = json.loads(razbor("receipt", "verify", file, "--key", other, "--json").stdout)
    assert told == {"holds": False, "reason": "not-signed-by-log", "name": None, "seq": None}
    given = [razbor("receipt", "verify", file, "--key", other, "--lang", lang).stdout for lang in LANGUAGES]
    assert given == [
        "Does not hold: the log has not signed it.\n", "Неверна: журнал этого не подписывал.\n",
        "Non valable\u00a0: le journal ne l’a pas signé.\n",
    ]  # fmt: skip
    file.write_bytes(file.read_bytes().replace(b'\\"seat\\":1', b'\\"seat\\":2', 1))
    spoiled = razbor("receipt", "verify", file, "--key", mine)
    assert re.fullmatch(r"Does not hold: what stands there is not what was hashed \(event \d+\)\.\n", spoiled.stdout)
