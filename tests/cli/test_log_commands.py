"""`receipt`, `audit-log`, `key`, `backup`, `restore`, `witness` at the command line."""

import json
import re
from collections.abc import Callable
from pathlib import Path

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
from tests.cli.razbor import PLAIN, REFUTED, ROOT, VERIFIED
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
