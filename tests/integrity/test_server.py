"""The journal on a server that crashes, leaves, answers otherwise than it should, or was changed behind its back."""

import contextlib
import random
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from recorder import anchor, fsck, intake, postgres, rows, schema_postgres
from recorder.address import Address, Place
from recorder.anchor import RestoredError
from recorder.journal import ForeignSchemaError, Journal
from recorder.notary import Notary
from recorder.store import StoreError
from replay import desk
from replay.audit.report import report
from schemas.events import Recording
from tests.check_cases import case_names, recording_path
from tests.integrity.evening import BEGAN, fill, noted, open_journal, texts
from tests.integrity.test_flips import COLUMNS, flipped
from tests.server import USER, Server, administer

pytestmark = pytest.mark.needs("postgresql")
README = Path(__file__).resolve().parents[2] / "README.md"
WRITERS, ROUNDS, ENOUGH = 4, 3, 60


@pytest.fixture
def address(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Address:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return server.new_place()


@pytest.fixture
def journal(address: Address) -> Iterator[Journal]:
    made = open_journal(address)
    yield made
    made.close()


# -- it crashes, or leaves -------------------------------------------------------------------------------------------


class Writer:
    """Appends to a recording of its own until the server does not answer; `told` is what was acknowledged."""

    def __init__(self, journal: Journal, enough: threading.Semaphore) -> None:
        self.journal, self.enough = journal, enough
        self.key = journal.create(BEGAN).key
        self.told: list[str] = []

    def write(self) -> None:
        with contextlib.suppress(StoreError):
            version = self.journal.entry(self.key).events
            while True:
                self.journal.append(self.key, [noted(version)], version)
                self.told.append(f"number {version}")
                self.enough.release()
                version += 1


def test_a_server_that_crashes_loses_nothing_acknowledged(server: Server, journal: Journal) -> None:
    enough = threading.Semaphore(0)
    writers = [Writer(journal, enough) for _ in range(WRITERS)]
    for _ in range(ROUNDS):
        threads = [threading.Thread(target=writer.write) for writer in writers]
        for thread in threads:
            thread.start()
        for _ in range(ENOUGH):
            assert enough.acquire(timeout=100)
        server.stop("immediate")
        for thread in threads:
            thread.join()
        server.start()
        for writer in writers:  # the same journal goes on
            stored = texts(journal, writer.key)
            assert set(writer.told) <= set(stored)
            assert stored == [f"number {at + 1}" for at in range(len(stored))]
    assert sum(len(writer.told) for writer in writers) >= ROUNDS * ENOUGH
    assert fsck.audit(journal.path).findings == ()


def leave(place: Place) -> None:
    """Every connection to this server but the asking one is ended by it."""
    assert isinstance(place, Address)
    others = "pid <> pg_backend_pid() AND backend_type = 'client backend'"
    administer(place, [f"SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE {others}"])


def test_a_connection_that_was_ended_is_made_anew(journal: Journal) -> None:
    key = journal.create(BEGAN).key
    for version in range(1, 4):
        leave(journal.path)
        assert journal.append(key, [noted(version)], version).version == version + 1
        leave(journal.path)
        assert journal.entry(key).events == version + 1


def test_what_was_under_way_when_it_was_ended_is_not_acknowledged(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, close = journal.create(BEGAN).key, rows.close

    def left(*given: Any) -> Any:
        leave(journal.path)
        return close(*given)

    with monkeypatch.context() as patch:
        patch.setattr(rows, "close", left)
        with pytest.raises(StoreError, match="lost"):
            journal.append(key, [noted(1)], 1, "command")
    assert texts(journal, key) == []
    assert not journal.append(key, [noted(1)], 1, "command").repeated
    assert journal.append(key, [noted(1)], 1, "command").repeated


def test_a_commit_that_was_none_is_not_taken_for_one(journal: Journal) -> None:
    """Where a statement failed and nobody said so, a server answers COMMIT with ROLLBACK, and raises nothing."""
    writing = journal._connections.writing()
    database = writing.__enter__()
    with pytest.raises(StoreError, match="refused: 22012"):
        database.execute("SELECT 1 / 0")
    with pytest.raises(StoreError, match="refused: ROLLBACK"):
        writing.__exit__(None, None, None)
    assert journal.create(BEGAN).events == 1


def test_a_write_that_was_refused_is_told_before_the_end(journal: Journal) -> None:
    """Nobody waits between writes; what one of them came to is asked before anything is acknowledged."""

    def write(asks: Sequence[str]) -> None:
        with journal._connections.writing() as database:
            database.execute("INSERT INTO spectators (rec, delay) VALUES (?, 5)", ["x"])
            database.execute("UPDATE log SET origin = 'x'")
            for each in asks:
                database.execute(each)

    for asks in ([], ["SELECT 1"]):
        with pytest.raises(StoreError, match="refused: 23000"):
            write(asks)
    assert journal.roles().delay("x") == 0
    assert journal.create(BEGAN).events == 1


def test_threads_that_have_ended_leave_no_connection_behind(journal: Journal, address: Address) -> None:
    count = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'razbor'"
    before = administer(address, [count])[0][0]
    for _ in range(30):
        thread = threading.Thread(target=journal.size)
        thread.start()
        thread.join()
    assert administer(address, [count])[0][0] <= before + 2


# -- it could lose what it acknowledges, or is not to be written to ---------------------------------------------------


@pytest.mark.parametrize("setting", ["fsync", "full_page_writes"])
def test_a_server_that_could_lose_what_it_acknowledges_is_not_written_to(
    journal: Journal, address: Address, setting: str
) -> None:
    """Even where that was changed under an open journal; it is read as before."""
    key = journal.create(BEGAN).key
    with psycopg.connect(address.url, autocommit=True) as owner:

        def change(value: str) -> None:
            owner.execute(f"ALTER SYSTEM SET {setting} = {value}".encode())
            owner.execute("SELECT pg_reload_conf()")
            for _ in range(10_000):
                if owner.execute(f"SHOW {setting}".encode()).fetchone() == (value,):
                    break
                owner.execute("SELECT pg_sleep(0.005)")

        change("off")
        try:
            for _ in range(2):
                with pytest.raises(StoreError, match=f"unsafe: {setting} = off"):
                    journal.append(key, [noted(1)], 1)
            with pytest.raises(StoreError, match="unsafe"):
                Journal.open(address)
            assert texts(journal, key) == []
        finally:
            change("on")
    assert journal.append(key, [noted(1)], 1).version == 2


def with_option(address: Address, option: str) -> Address:
    return Address(f"{address.url}%20-c{option.replace('=', '%3D')}")


def test_commits_are_waited_for_whatever_a_session_has_set(journal: Journal, address: Address) -> None:
    other = Journal.open(with_option(address, "synchronous_commit=off"))
    with closing(other), other._connections.writing() as database:
        assert database.execute("SHOW synchronous_commit").fetchone() == ("on",)
    with pytest.raises(StoreError, match="session_replication_role = replica"):
        Journal.open(with_option(address, "session_replication_role=replica"))


def test_where_only_questions_are_answered_nothing_is_written(journal: Journal) -> None:
    with pytest.raises(StoreError, match="read-only"), journal._connections.reading() as database:
        database.execute("UPDATE recordings SET shown = 'full'")


def test_a_database_in_another_encoding_is_not_used(server: Server, address: Address) -> None:
    administer(address, ["CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0"])
    with pytest.raises(StoreError, match="not-utf8"):
        Journal.open(server.address("latin"))


def test_a_writer_that_hangs_holds_up_the_others_for_a_while_only(
    journal: Journal, address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "_WRITE", postgres._WRITE.replace("'30s'", "'50ms'"))
    other = postgres.PostgresStore(address).connect()
    other.begin(writing=True)
    with pytest.raises(StoreError, match="busy"):
        journal.create(BEGAN)
    other.close()
    assert journal.create(BEGAN).events == 1


def test_a_role_that_may_do_no_more_than_it_must_keeps_a_journal(
    server: Server, address: Address, tmp_path: Path
) -> None:
    """One that owns no table cannot put a guard to sleep; it can do all that a journal does."""
    Journal.open(address, origin="razbor.test/roles").close()
    schema = administer(address, ["SELECT current_schema()"])[0][0]
    lines = README.read_text(encoding="utf-8").splitlines()
    granted = [line.replace(" public ", f" {schema} ") for line in lines if line.startswith("GRANT ")]
    assert len(granted) == 4
    administer(address, ["CREATE ROLE scribe LOGIN", *granted])
    scribe = server.address(schema=schema, user="scribe")
    with closing(Journal.open(scribe)) as journal:
        keys = fill(journal)
        journal.cases().open(keys[0], {"claim": "?"})
        (made,) = journal.roles().make(keys[1], ["scribe"])
        journal.roles().revoke(keys[1], made.link.number)
        journal.note_verdict(keys[0], 1, "0.1.0", "r", "verified")
        with closing(Notary.open(scribe)) as notary:
            notary.checkpoint()
    assert fsck.audit(scribe).findings == ()
    for statement in ("ALTER TABLE events DISABLE TRIGGER ALL", "DELETE FROM events", "UPDATE log SET origin = ''"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            administer(scribe, [statement])


# -- no secret is told -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://anna:secret@127.0.0.1:1/club", "postgresql://anna:secret@127.0.0.1:1/club?password=secret",
        "postgresql://anna:secret@nowhere.invalid/club", "postgresql://anna:secret@127.0.0.1:nine/club",
        "postgresql://anna:secret%zz@127.0.0.1:1/club",
    ],
)  # fmt: skip
def test_no_password_is_told(url: str) -> None:
    place = Address(url)
    with pytest.raises(StoreError) as caught:
        Journal.open(place)
    told = f"{place} {place!r} {caught.value!r} {caught.value.detail} {caught.value.__cause__!r}"
    assert "secret" not in told
    assert caught.value.__suppress_context__


# -- its schema was changed ------------------------------------------------------------------------------------------


CHANGES = [
    "DROP TRIGGER events_no_update ON events", "ALTER TABLE events DISABLE TRIGGER events_no_update",
    "ALTER TABLE events ENABLE TRIGGER events_no_update", "ALTER TABLE payloads DISABLE TRIGGER ALL",
    "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
    "ALTER FUNCTION events_follow() RESET search_path", "ALTER TABLE people SET UNLOGGED",
    "ALTER TABLE events ADD COLUMN more TEXT", "ALTER TABLE events ALTER COLUMN cmd TYPE VARCHAR(9)",
    "ALTER TABLE events ALTER COLUMN type DROP NOT NULL", "ALTER TABLE tree ALTER COLUMN size SET DEFAULT 7",
    "ALTER TABLE events DROP CONSTRAINT events_cmd_key", "ALTER TABLE payloads DROP CONSTRAINT payloads_idx_fkey",
    "ALTER TABLE nodes DROP CONSTRAINT nodes_hash_check", "ALTER TABLE nodes ADD CHECK (id < 9)",
    "DROP INDEX recordings_id", "CREATE INDEX more ON events (at)", "CREATE TABLE more (a INT)",
    "CREATE VIEW more AS SELECT 1", "CREATE TABLE more () INHERITS (events)", "CREATE SEQUENCE more",
    "CREATE RULE more AS ON INSERT TO verdicts DO INSTEAD NOTHING",
    "CREATE POLICY more ON events USING (seq < 2)", "ALTER TABLE events ENABLE ROW LEVEL SECURITY",
    "CREATE FUNCTION more() RETURNS INT LANGUAGE sql AS 'SELECT 1'", "CREATE DOMAIN more AS TEXT",
    "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'recordings_id'::regclass",
]  # fmt: skip


def test_a_changed_schema_is_noticed(journal: Journal, address: Address) -> None:
    journal.create(BEGAN)
    journal.close()
    unnoticed = []
    with psycopg.connect(address.url, autocommit=True) as owner:
        for statement in CHANGES:
            owner.execute("BEGIN")
            owner.execute(statement.encode())
            if schema_postgres.is_whole(postgres._Server(owner)):
                unnoticed.append(statement)
            owner.execute("ROLLBACK")
        assert schema_postgres.is_whole(postgres._Server(owner))
    assert unnoticed == []


@pytest.mark.parametrize("statement", [CHANGES[0], CHANGES[4]])
def test_a_journal_of_a_changed_schema_is_not_opened(journal: Journal, address: Address, statement: str) -> None:
    journal.create(BEGAN)
    journal.close()
    assert fsck.audit(address).findings == ()
    administer(address, [statement])
    with pytest.raises(ForeignSchemaError):
        Journal.open(address)
    assert [each.place for each in fsck.audit(address).findings] == ["schema"]


def test_a_schema_may_have_any_name(server: Server, address: Address) -> None:
    administer(address, ['CREATE SCHEMA "Клуб, 7"'])
    club = server.address(schema='"Клуб,\\ 7"')
    for _ in range(2):
        with closing(Journal.open(club)) as journal:
            journal.create(BEGAN)
    assert (journal.size(), fsck.audit(club).findings) == ((2, 2), ())
    journal.close()


def test_a_schema_of_others_is_left_alone(address: Address) -> None:
    administer(address, ["CREATE TABLE theirs (a INT)"])
    with pytest.raises(ForeignSchemaError):
        Journal.open(address)
    tables = "SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
    assert administer(address, [tables]) == [(1,)]


def test_no_table_in_front_of_another_misleads_a_guard(journal: Journal, address: Address) -> None:
    """A session's own `events` comes first for the session, not for the trigger."""
    journal.create(BEGAN)
    with psycopg.connect(address.url, autocommit=True) as other:
        schema = other.execute("SELECT current_schema()").fetchone()
        assert schema
        other.execute("CREATE TEMP TABLE events (idx BIGINT, rec TEXT, seq BIGINT)")
        with pytest.raises(psycopg.IntegrityError, match="not the next"):
            other.execute(
                f"INSERT INTO {schema[0]}.events (idx, rec, seq, type, at, header, leaf) "
                "VALUES (0, 'r', 0, 'x', 0, '', decode(repeat('00', 32), 'hex'))".encode()
            )


# -- its rows were changed -------------------------------------------------------------------------------------------


def test_a_superuser_s_bit_in_any_column_is_told(journal: Journal, address: Address) -> None:
    fill(journal)
    with closing(Notary.open(address)) as notary:
        notary.checkpoint()
    chance, unnoticed, tried = random.Random(7), [], 0
    with psycopg.connect(address.url, autocommit=True) as owner:
        for table, column in [(table, column) for table, columns in COLUMNS.items() for column in columns]:
            values = owner.execute(f"SELECT ctid::text, {column} FROM {table}".encode()).fetchall()
            row, value = chance.choice([each for each in values if each[1] not in (None, b"", "")])
            owner.execute("BEGIN")
            for name in COLUMNS:
                owner.execute(f"ALTER TABLE {name} DISABLE TRIGGER ALL".encode())
            try:
                change = f"UPDATE {table} SET {column} = %s WHERE ctid = %s::tid"
                owner.execute(change.encode(), [flipped(value, chance), row])
            except psycopg.IntegrityError:  # no such flip can be stored
                owner.execute("ROLLBACK")
                continue
            places = {each.place for each in fsck.examine(postgres._Server(owner), address, anchored=False).findings}
            owner.execute("ROLLBACK")
            tried += 1
            if not places - {"schema"}:  # that the triggers sleep is told too
                unnoticed.append((table, column))
    assert unnoticed == []
    assert tried > 25


def test_an_index_that_lost_a_command_is_told(journal: Journal, address: Address) -> None:
    """No row of any table is changed, yet the command would be taken for a new one."""
    key = journal.create(BEGAN).key
    asleep = "UPDATE pg_index SET indisready = {} WHERE indexrelid = 'events_cmd_key'::regclass"
    journal.append(key, [noted(1)], 1, "before")
    administer(address, [asleep.format("false")])
    journal.append(key, [noted(2)], 2, "lost")
    administer(address, [asleep.format("true")])
    assert [each.place for each in fsck.audit(address).findings] == ["file"]


def test_an_old_dump_brought_back_is_read_and_not_written_to(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What `pg_dump` wrote is the journal to the byte, triggers and all; the anchor knows that it is an old one."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    administer(server.address(), ["CREATE DATABASE club", "CREATE DATABASE club_back"])
    club, back, dump = server.address("club"), server.address("club_back"), str(server.folder / "club.dump")
    journal = open_journal(club)
    before = {key: journal.export(key) for key in fill(journal)}
    how = ("-h", str(server.folder), "-U", USER)
    server.run("pg_dump", *how, "-Fc", "-f", dump, "club")
    server.run("pg_restore", *how, "-d", "club_back", dump)
    with closing(Journal.open(back)) as restored:
        assert {key: restored.export(key) for key in before} == before
    assert fsck.audit(back).findings == ()
    journal.create(BEGAN)
    with closing(Notary.open(club)) as notary:
        notary.checkpoint()
    journal.close()
    anchor.directory(club).rename(anchor.directory(back))
    with closing(Journal.open(back)) as restored:
        assert {key: restored.export(key) for key in before} == before
        with pytest.raises(RestoredError, match="log/missing-events"):
            restored.create(BEGAN)
    assert [(each.code, each.place) for each in fsck.audit(back).findings] == [(fsck.MISSING, "anchor")]


# -- what comes back is what went in ---------------------------------------------------------------------------------


def test_every_case_is_judged_as_its_file_is(journal: Journal) -> None:
    read = [intake.read(recording_path(name).read_bytes()) for name in case_names()]
    recordings = [each for each in read if isinstance(each, Recording)]
    for recording in recordings:
        journal.store(recording)
        kept = journal.load(recording.id).recording
        assert kept.lines == recording.lines
        assert report(desk.judge(kept)) == report(desk.judge(recording))
    assert len(recordings) > 200
    assert journal.size()[1] == len({each.id for each in recordings})
