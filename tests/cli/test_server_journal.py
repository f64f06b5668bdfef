"""The commands over a journal on a PostgreSQL server: as over a file, and in a sentence where that cannot be."""

import subprocess
import sys
from pathlib import Path

import pytest

from recorder import intake
from recorder.address import Address
from schemas.events import Recording
from tests.cli.razbor import REFUTED, VERIFIED, data_of, process, razbor
from tests.server import Server

NOWHERE = "postgresql://anna:geheim@127.0.0.1:1/club"
LANGUAGES = ("en", "ru", "fr")


@pytest.fixture
def db(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return server.new_place().url


@pytest.mark.needs("postgresql")
def test_the_journal_is_used_as_a_file_is(db: str, tmp_path: Path) -> None:
    assert razbor("list", "--db", db).exit_code == 2
    rows = data_of(razbor("add", VERIFIED, REFUTED, "--db", db, "--json"))
    assert [row["new"] for row in rows] == [True, True]
    listed = data_of(razbor("list", "--json", env={"RAZBOR_DB": db}))
    assert [row["key"] for row in listed] == [row["key"] for row in rows[::-1]]
    key, out = rows[0]["key"], tmp_path / "receipt.json"
    recording = intake.read(Path(VERIFIED).read_bytes())
    assert isinstance(recording, Recording)
    assert listed[1]["title"] == (recording.began.title or ", ".join(recording.began.seats))
    assert razbor("export", key, "--db", db).stdout_bytes == b"".join(line + b"\n" for line in recording.lines)
    assert "Sound" in razbor("audit-log", "--db", db).stdout
    assert razbor("receipt", key, "--db", db, "-o", str(out)).exit_code == 0
    (log,) = razbor("key", "show", "--db", db).stdout.split()
    assert "Holds" in razbor("receipt", "verify", str(out), "--key", log).stdout
    assert "Holds" in razbor("receipt", "verify", str(out), "--db", db).stdout
    assert razbor("witness", "ask", "--db", db).exit_code == 0
    assert "number 1" in razbor("token", "--db", db).stdout


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_server_s_database_is_copied_by_the_server_s_programs(lang: str, tmp_path: Path) -> None:
    copied = razbor("backup", str(tmp_path / "copy.db"), "--db", NOWHERE, "--lang", lang)
    restored = razbor("restore", str(tmp_path / "copy.db"), "--db", NOWHERE, "--lang", lang)
    for done, program in ((copied, "pg_dump"), (restored, "pg_restore")):
        assert done.exit_code == 2
        assert program in done.stderr
        assert "pg_basebackup" in done.stderr
        assert "razbor audit-log" in done.stderr
        assert "geheim" not in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("command", ["list", "audit-log", "token", "serve"])
def test_a_server_that_does_not_answer_is_told(lang: str, command: str) -> None:
    done = razbor(command, "--db", NOWHERE, "--lang", lang)
    assert done.exit_code == 2
    assert "127.0.0.1" in done.stderr
    assert "geheim" not in done.stderr + done.stdout


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_address_that_is_none_is_told_and_not_repeated(lang: str) -> None:
    done = razbor("list", "--db", "postgresql://anna:ge/heim@127.0.0.1/club", "--lang", lang)
    assert done.exit_code == 2
    assert "%40" in done.stderr
    assert "heim" not in done.stderr


@pytest.mark.parametrize("lang", LANGUAGES)
def test_without_the_extra_it_is_told_what_to_install(lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "recorder.postgres", raising=False)
    done = razbor("list", "--db", NOWHERE, "--lang", lang)
    assert done.exit_code == 2
    assert "pip install 'razbor[postgres]'" in done.stderr


@pytest.mark.needs("postgresql")
def test_completion_offers_its_keys_and_nothing_where_there_is_none(db: str) -> None:
    (row,) = data_of(razbor("add", VERIFIED, "--db", db, "--json"))
    for place, offered in ((db, True), (NOWHERE, False)):
        words = {"_RAZBOR_COMPLETE": "bash_complete", "COMP_WORDS": f"razbor export --db {place} ", "COMP_CWORD": "4"}
        done = process(env=words)
        assert (done.returncode, row["key"] in done.stdout.decode()) == (0, offered)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://anna:a%40b@db.example:5433/club", "postgresql://anna@db.example:5433/club"),
        ("postgres://:secret@[::1]/club?password=secret", "postgresql://[::1]/club"),
        ("postgresql:///club?host=/run/postgresql", "postgresql:///club"),
    ],
)
def test_an_address_is_shown_without_its_password(url: str, shown: str) -> None:
    assert (str(Address(url)), repr(Address(url))) == (shown, shown)


def test_the_driver_is_imported_only_when_asked_for(tmp_path: Path) -> None:
    told = "import sys; from recorder.journal import Journal; import replay.cli_commands, replay.cli_log; "
    told += f"Journal.open({str(tmp_path / 'journal.db')!r}).close(); print('psycopg' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", told], check=True, capture_output=True, text=True)
    assert done.stdout == "False\n"
