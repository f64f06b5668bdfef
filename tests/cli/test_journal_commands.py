"""`razbor add`, `list` and `export`: into the journal and back, byte for byte."""

import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from recorder import intake, rows
from recorder.database import Connections
from recorder.journal import Journal
from recorder.notary import Notary
from replay import desk
from schemas.events import Recording
from tests.check_cases import case_names, recording_path
from tests.cli.razbor import REFUSED, REFUTED, UNDECIDED, VERIFIED, data_of, razbor


@pytest.fixture
def db(tmp_path: Path) -> str:
    return str(tmp_path / "deep" / "journal.db")


def test_a_second_time_changes_nothing(db: str) -> None:
    first = razbor("add", VERIFIED, REFUTED, "--db", db, "--json")
    again = razbor("add", VERIFIED, REFUTED, "--db", db, "--json")
    assert [row["new"] for row in data_of(first)] == [True, True]
    assert [row["new"] for row in data_of(again)] == [False, False]
    assert [row["key"] for row in data_of(first)] == [row["key"] for row in data_of(again)]
    assert first.exit_code == again.exit_code == 0
    assert "was there already" in razbor("add", VERIFIED, "--db", db).stdout
    assert len(data_of(razbor("list", "--db", db, "--json"))) == 2


def test_a_refused_file_leaves_nothing(db: str, tmp_path: Path) -> None:
    bundle = tmp_path / "bundle.jsonl"
    bundle.write_bytes(Path(VERIFIED).read_bytes() + Path(REFUSED).read_bytes())
    result = razbor("add", str(bundle), UNDECIDED, "--db", db, "--json")
    assert result.exit_code == 3
    assert [row.get("format", "stored") for row in data_of(result)] == ["razbor-refusal/1", "stored"]
    assert len(data_of(razbor("list", "--db", db, "--json"))) == 1


def test_nothing_is_added_to_an_old_copy(db: str) -> None:
    assert razbor("add", VERIFIED, "--db", db).exit_code == 0
    old = Path(db).read_bytes()
    assert razbor("add", REFUTED, "--db", db).exit_code == 0
    notary = Notary.open(db)
    notary.checkpoint()
    notary.close()
    assert not Path(f"{db}-wal").exists()
    Path(db).write_bytes(old)
    refused = razbor("add", UNDECIDED, "--db", db)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr.startswith("Not written: log/missing-events; signed with 43 events, now 27.")
    assert razbor("list", "--db", db).exit_code == 0


def test_a_bundle_is_stored_as_its_recordings(db: str) -> None:
    bundle = Path(VERIFIED).read_bytes() + Path(REFUTED).read_bytes()
    assert len(data_of(razbor("add", "-", "--db", db, "--json", given=bundle))) == 2


@pytest.mark.parametrize("name", [name for name in case_names() if "accept-" in name or "clean-0" in name])
def test_what_went_in_comes_out_canonical(name: str, db: str) -> None:
    (row,) = data_of(razbor("add", str(recording_path(name)), "--db", db, "--json"))
    out = razbor("export", row["key"], "--db", db).stdout_bytes
    found = intake.read(recording_path(name).read_bytes())
    assert isinstance(found, Recording)
    assert hashlib.sha256(out).hexdigest() == found.digest
    assert (
        razbor("verify", "-", "--json", given=out).stdout
        == razbor("verify", str(recording_path(name)), "--json").stdout
    )


@pytest.mark.parametrize("view", ["public", "seat:1", "seat:2"])
def test_an_exported_view_is_judged_as_that_view(view: str, db: str, tmp_path: Path) -> None:
    (row,) = data_of(razbor("add", UNDECIDED, "--db", db, "--json"))
    file = tmp_path / "seen.jsonl"
    assert razbor("export", row["key"], "--view", view, "-o", str(file), "--db", db).exit_code == 0
    assert data_of(razbor("verify", str(file), "--json")) == [desk.verify(Path(UNDECIDED).read_bytes(), view=view)]


def test_the_newest_stands_first(db: str) -> None:
    for file in (VERIFIED, REFUTED):
        razbor("add", file, "--db", db)
    rows = data_of(razbor("list", "--db", db, "--json"))
    names = [json.loads(Path(file).read_bytes().split(b"\n")[0])["game"] for file in (REFUTED, VERIFIED)]
    assert [row["game"] for row in rows] == names
    assert rows[0]["added"].endswith("Z")
    text = razbor("list", "--db", db).stdout.split("\n")
    assert text[0].split() == ["key", "game", "rules", "events", "state", "added", "title"]
    assert text[1].startswith(rows[0]["key"])


def titled(title: str | None) -> bytes:
    """A recording that breaks off after its first line, under this title or none."""
    began = json.loads(Path(VERIFIED).read_bytes().split(b"\n")[0])
    began.pop("title", None)
    return json.dumps(began | ({"title": title} if title else {})).encode()


def test_a_recording_is_listed_by_its_title_or_by_who_sat_there(db: str) -> None:
    for title in ("Вечер у Анны", None):
        razbor("add", "-", "--db", db, given=titled(title))
    seats = ", ".join(json.loads(titled(None))["seats"])
    assert [row["title"] for row in data_of(razbor("list", "--db", db, "--json"))] == [seats, "Вечер у Анны"]
    text = razbor("list", "--db", db).stdout.splitlines()
    assert [line.partition("Z  ")[2] for line in text[1:]] == [seats, "Вечер у Анны"]


def test_no_title_is_told_of_what_was_erased_or_tampered_with(db: str) -> None:
    keys = [
        data_of(razbor("add", "-", "--db", db, "--json", given=titled(title)))[0]["key"]
        for title in ("One", "Two", "Three")
    ]
    journal = Journal.open(db)
    journal.erase(keys[0])
    journal.close()
    with closing(sqlite3.connect(db)) as connection, connection:
        (body,) = connection.execute("SELECT body FROM people WHERE idx = 1").fetchone()
        assert b"Two" in body
        triggers = "SELECT name FROM sqlite_master WHERE tbl_name = 'people' AND type = 'trigger'"
        for (name,) in connection.execute(triggers).fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("UPDATE people SET body = ? WHERE idx = 1", [bytes(body).replace(b"Two", b"Owt")])
    assert [journal_title(db, key) for key in keys] == ["", "", "Three"]


def journal_title(db: str, key: str) -> str:
    """What the journal calls a recording, read without asking whether its schema is whole."""
    connections = Connections(Path(db))
    with connections.reading() as database:
        told = rows.headline(database, rows.find(database, key))
    connections.close()
    return told


def test_a_live_recording_is_listed_as_such(db: str) -> None:
    header = json.loads(Path(VERIFIED).read_bytes().split(b"\n")[0])
    Path(db).parent.mkdir(parents=True)
    journal = Journal.open(db)
    key = journal.create(header).key
    journal.close()
    text = razbor("list", "--db", db).stdout
    assert f"{key}  bura" in text
    assert "live" in text


@pytest.mark.parametrize("command", [("list",), ("export", "0123456789abcdef")])
def test_where_there_is_no_journal_none_is_made(command: tuple[str, ...], db: str) -> None:
    result = razbor(*command, "--db", db)
    assert result.exit_code == 2
    assert f"There is no journal at {db}." in result.stderr
    assert not Path(db).exists()


def test_an_unknown_recording_is_a_mistake(db: str) -> None:
    razbor("add", VERIFIED, "--db", db)
    result = razbor("export", "0123456789abcdef", "--db", db)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "holds no recording 0123456789abcdef" in result.stderr


@pytest.mark.parametrize("command", [("add", VERIFIED), ("list",)])
def test_a_file_of_another_kind_is_left_alone(command: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "letter.db"
    path.write_bytes(b"Dear Anna,\n")
    result = razbor(*command, "--db", str(path))
    assert result.exit_code == 2
    assert "is not a journal of this version" in result.stderr
    assert path.read_bytes() == b"Dear Anna,\n"
    assert razbor(*command, "--db", str(tmp_path)).exit_code == 2


def test_a_foreign_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "foreign.db"
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE recipes (name TEXT)")
    database.close()
    result = razbor("add", VERIFIED, "--db", str(path))
    assert result.exit_code == 2
    assert "is not a journal of this version" in result.stderr


def test_the_environment_names_the_journal(tmp_path: Path) -> None:
    named = tmp_path / "named.db"
    razbor("add", VERIFIED, env={"RAZBOR_DB": str(named)})
    assert named.is_file()
    razbor("add", VERIFIED, env={"RAZBOR_DB": "", "XDG_DATA_HOME": str(tmp_path)})
    assert (tmp_path / "razbor" / "journal.db").is_file()


def test_an_unwritable_output_is_a_mistake(db: str, tmp_path: Path) -> None:
    (row,) = data_of(razbor("add", VERIFIED, "--db", db, "--json"))
    result = razbor("export", row["key"], "--db", db, "-o", str(tmp_path / "no" / "folder.jsonl"))
    assert result.exit_code == 2
    assert "cannot be written" in result.stderr


# -- all of them -----------------------------------------------------------------------------------------------------


def test_everything_comes_out_as_a_bundle_that_goes_in_again(db: str, tmp_path: Path) -> None:
    rows = data_of(razbor("add", VERIFIED, REFUTED, UNDECIDED, "--db", db, "--json"))
    out = razbor("export", "--all", "--db", db)
    assert out.exit_code == 0
    assert out.stderr == "Recordings written: 3; left out: 0\n"
    assert out.stdout_bytes == b"".join(razbor("export", row["key"], "--db", db).stdout_bytes for row in rows)
    file = tmp_path / "all.jsonl"
    assert razbor("export", "--all", "-o", str(file), "--db", db).stdout_bytes == b""
    assert file.read_bytes() == out.stdout_bytes
    assert [row["new"] for row in data_of(razbor("add", str(file), "--db", db, "--json"))] == [False] * 3


def test_everything_comes_out_as_a_file_each(db: str, tmp_path: Path) -> None:
    rows = data_of(razbor("add", VERIFIED, UNDECIDED, "--db", db, "--json"))
    folder = tmp_path / "new" / "folder"
    for name in (f"{folder}/", str(folder)):
        assert razbor("export", "--all", "-o", name, "--view", "public", "--db", db).exit_code == 0
        files = {path.name.split(".")[0]: path.read_bytes() for path in folder.iterdir()}
        assert files == {
            row["key"]: razbor("export", row["key"], "--view", "public", "--db", db).stdout_bytes for row in rows
        }


def test_what_breaks_off_is_told_and_stands_in_a_folder_only(db: str, tmp_path: Path) -> None:
    cut = b"\n".join(Path(VERIFIED).read_bytes().split(b"\n")[:4])
    (row,) = data_of(razbor("add", "-", "--db", db, "--json", given=cut))
    razbor("add", REFUTED, "--db", db)
    bundle = razbor("export", "--all", "--db", db)
    assert bundle.exit_code == 1
    assert bundle.stderr.startswith(f"{row['key']} breaks off")
    assert bundle.stderr.endswith("Recordings written: 1; left out: 1\n")
    assert razbor("verify", "-", given=bundle.stdout_bytes).exit_code == 1
    assert razbor("export", "--all", "-o", f"{tmp_path}/all/", "--db", db).exit_code == 0
    file = tmp_path / "all" / f"{row['key']}.bura.jsonl"
    assert file.read_bytes() == razbor("export", row["key"], "--db", db).stdout_bytes


def test_a_recording_without_the_seat_is_told_and_the_others_come_out(db: str, tmp_path: Path) -> None:
    """One table of two, among a month of tables of three, had ended it."""
    two, three = data_of(razbor("add", REFUTED, UNDECIDED, "--db", db, "--json"))
    out = razbor("export", "--all", "--view", "seat:3", "--db", db)
    assert out.exit_code == 1
    assert out.stderr.startswith(f"{two['key']} has no such seat")
    assert out.stderr.endswith("Recordings written: 1; left out: 1\n")
    assert out.stdout_bytes == razbor("export", three["key"], "--view", "seat:3", "--db", db).stdout_bytes


def test_a_broken_chain_is_told_and_the_others_come_out(db: str) -> None:
    rows = data_of(razbor("add", VERIFIED, REFUTED, "--db", db, "--json"))
    database = sqlite3.connect(db)
    (guard,) = database.execute("SELECT sql FROM sqlite_master WHERE name = 'payloads_no_update'").fetchone()
    database.execute("DROP TRIGGER payloads_no_update")
    database.execute("UPDATE payloads SET body = x'00' WHERE idx = 3")
    database.execute(guard)
    database.commit()
    database.close()
    out = razbor("export", "--all", "--db", db)
    assert (out.exit_code, rows[0]["key"] in out.stderr) == (1, True)
    assert out.stdout_bytes == razbor("export", rows[1]["key"], "--db", db).stdout_bytes


@pytest.mark.parametrize("arguments", [(), ("0123456789abcdef", "--all")])
def test_one_or_all_is_asked_for(arguments: tuple[str, ...], db: str) -> None:
    razbor("add", VERIFIED, "--db", db)
    result = razbor("export", *arguments, "--db", db)
    assert result.exit_code == 2
    assert "Give the id of one recording, or --all." in result.stderr


def test_a_long_list_is_whole(db: str) -> None:
    keys = [data_of(razbor("add", "-", "--db", db, "--json", given=copy))[0]["key"] for copy in copies(60)]
    assert [row["key"] for row in data_of(razbor("list", "--db", db, "--json"))] == keys[::-1]
    lines = razbor("list", "--db", db).stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == keys[::-1]
    assert len({line.index("bura/") for line in lines[1:]}) == 1


def copies(count: int) -> list[bytes]:
    """So many short recordings, each another."""
    first = Path(VERIFIED).read_bytes().split(b"\n")[0]
    return [first.replace(b"Two held", b"%d held" % number) for number in range(count)]
