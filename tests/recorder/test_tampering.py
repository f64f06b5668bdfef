"""What was changed, dropped, added or re-ordered in the file shows (`integrity.md`)."""

from pathlib import Path

import pytest
from sqlite_utils import Database

from recorder import chain, fsck, merkle
from recorder.address import Place
from recorder.journal import ChainBrokenError, ForeignSchemaError, Journal, MissingEventsError
from recorder.migrations import MIGRATIONS, expected_fingerprint, fingerprint
from recorder.notary import Notary
from tests.recorder.lines import HAND_OBJECT, HEADER, STAKE_OBJECT
from tests.recorder.raw import REFUSED, opened

STAKE, HAND = STAKE_OBJECT, HAND_OBJECT


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET type = 'x'", "DELETE FROM events", "UPDATE payloads SET body = x''", "DELETE FROM payloads",
        "UPDATE people SET body = x''", "UPDATE nodes SET hash = zeroblob(32)", "DELETE FROM nodes", "DELETE FROM tree",
        "UPDATE tree SET size = 0", "DELETE FROM recordings", "UPDATE log SET origin = 'x'", "DELETE FROM log",
        "INSERT INTO log VALUES (1, 'x')", "INSERT OR REPLACE INTO log VALUES (1, 'x')",
        "INSERT INTO tree VALUES (1, 9, x'')", "INSERT OR REPLACE INTO tree VALUES (1, 9, x'')",
        "INSERT INTO events SELECT idx + 2, 'r', 0, type, at, NULL, header, leaf FROM events WHERE idx = 1",
        "INSERT INTO events SELECT idx + 1, rec, seq + 2, type, at, NULL, header, leaf FROM events WHERE idx = 1",
        "INSERT OR REPLACE INTO events SELECT idx, rec, seq, 'x', at, cmd, header, leaf FROM events WHERE idx = 1",
        "INSERT OR REPLACE INTO payloads VALUES (1, x'')", "INSERT INTO payloads VALUES (7, x'')",
        "INSERT INTO nodes VALUES (77, zeroblob(32))", "INSERT INTO checkpoints VALUES (99, zeroblob(32), 'x')",
        "INSERT OR REPLACE INTO people VALUES (0, x'')",
    ],
)  # fmt: skip
def test_triggers_refuse_what_would_change_or_skip(journal: Journal, statement: str) -> None:
    key = journal.create(HEADER).key
    journal.append(key, [STAKE], 1)
    with opened(journal.path) as rows, pytest.raises(REFUSED):
        rows.execute(statement)
    assert journal.load(key).entry.events == 2


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT OR REPLACE INTO verdicts SELECT rec, events, engine, rules, 'verified', at FROM verdicts",
        "UPDATE verdicts SET verdict = 'verified'", "DELETE FROM verdicts",
        "UPDATE checkpoints SET note = 'x'", "DELETE FROM checkpoints",
        "INSERT OR REPLACE INTO checkpoints SELECT size, root, 'x' FROM checkpoints",
        "UPDATE cases SET body = 'x'", "DELETE FROM cases",
        "INSERT OR REPLACE INTO cases SELECT idx, rec, number, turn, at, act, 'x' FROM cases",
        "INSERT INTO cases SELECT idx + 2, rec, number + 1, 0, at, act, body FROM cases",
        "INSERT INTO cases SELECT idx + 1, rec, number, 2, at, 'ruled', body FROM cases",
        "INSERT INTO cases SELECT idx + 1, rec, number + 2, 0, at, act, body FROM cases",
        "UPDATE holds SET text = 'x'", "DELETE FROM holds", "DELETE FROM role_links",
        "UPDATE continuations SET of = 'x'", "DELETE FROM continuations",
    ],
)  # fmt: skip
def test_triggers_guard_what_stands_beside_the_events(journal: Journal, statement: str) -> None:
    key = journal.create(HEADER).key
    journal.note_verdict(key, 1, "engine", "rules", "refuted")
    journal.cases().open(key, {"claim": "mine"})
    journal.roles().make(key, ["scribe"])
    assert journal.roles().hold(key, 1, "arbiter/1", "wait")
    notary = Notary.open(journal.path)
    notary.checkpoint()
    notary.close()
    with opened(journal.path) as rows:
        rows.execute("INSERT INTO continuations VALUES ('b', 'a', 'digest')")
        with pytest.raises(REFUSED):
            rows.execute(statement)


TAMPERINGS = [
    ("UPDATE payloads SET body = replace(body, '\"amount\":10', '\"amount\":99')", ChainBrokenError, 1),
    ("UPDATE payloads SET body = x'00'", ChainBrokenError, 1),
    ("UPDATE people SET body = replace(body, 'n', 'm')", ChainBrokenError, 0),
    ('UPDATE events SET header = replace(header, \'"by":"live"\', \'"by":"dead"\') WHERE seq = 1', ChainBrokenError, 1),
    ("UPDATE events SET header = x'00' WHERE seq = 1", ChainBrokenError, 1),
    ("UPDATE events SET leaf = zeroblob(32) WHERE seq = 1", ChainBrokenError, 1),
    ("UPDATE events SET type = 'noted' WHERE seq = 1", ChainBrokenError, 1),
    ("UPDATE events SET at = at + 1 WHERE seq = 1", ChainBrokenError, 1),
    ("UPDATE events SET cmd = 'other' WHERE seq = 1", ChainBrokenError, 1),
    ("UPDATE events SET seq = seq + 5 WHERE seq = 2", ChainBrokenError, 7),
    ("DELETE FROM payloads WHERE idx = 1", MissingEventsError, 1),
    ("DELETE FROM people WHERE idx = 0", MissingEventsError, 0),
    ("DELETE FROM events WHERE seq = 1", MissingEventsError, 1),
    ("DELETE FROM events WHERE seq = 2", MissingEventsError, 2),
    ("DELETE FROM events WHERE seq = 0", MissingEventsError, 0),
]


@pytest.mark.parametrize(("statement", "error", "seq"), TAMPERINGS)
def test_what_was_tampered_with_is_told(
    journal: Journal, statement: str, error: type[chain.LogError], seq: int
) -> None:
    key = journal.create(HEADER).key
    journal.append(key, [STAKE, HAND], 1, "c1")
    with opened(journal.path, unguarded=True) as rows:
        rows.execute(statement)
    with pytest.raises(error) as caught:
        journal.load(key)
    assert caught.value.seq == seq
    assert caught.value.code in ("log/chain-broken", "log/missing-events")


@pytest.mark.usefixtures("path")  # they are of no journal any more
def test_every_flipped_bit_of_a_header_or_payload_is_told(journal: Journal) -> None:
    key = journal.create(HEADER).key
    journal.append(key, [STAKE], 1)
    ((_, first), (_, second)) = journal.links(key)
    assert first.payload is not None
    assert second.payload is not None
    for place in range(len(second.header) * 8):
        header = flipped(second.header, place)
        with pytest.raises(chain.LogError):
            chain.verify(key, [first, chain.Link(header, second.leaf, second.payload)], 2)
    for place in range(len(second.payload) * 8):
        with pytest.raises(chain.LogError):
            chain.verify(key, [first, chain.Link(second.header, second.leaf, flipped(second.payload, place))], 2)


def flipped(data: bytes, place: int) -> bytes:
    changed = bytearray(data)
    changed[place // 8] ^= 1 << place % 8
    return bytes(changed)


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TRIGGER events_no_update", "CREATE TABLE other (a)", "DROP INDEX recordings_id",
        "CREATE TRIGGER t AFTER INSERT ON events BEGIN UPDATE tree SET size = 99; END",
        "CREATE TRIGGER t AFTER INSERT ON _sqlite_migrations BEGIN UPDATE tree SET size = 99; END",
        "CREATE INDEX i ON _sqlite_migrations (name)", "CREATE VIEW v AS SELECT 1",
    ],
)  # fmt: skip
def test_a_changed_schema_is_noticed_at_start(journal: Journal, path: Path, statement: str) -> None:
    journal.close()
    with opened(path) as rows:
        rows.execute(statement)
    with pytest.raises(ForeignSchemaError):
        Journal.open(path)


def test_a_trigger_of_a_name_that_only_sqlite_gives_is_noticed(journal: Journal, path: Path) -> None:
    """SQLite itself makes none of such a name, but obeys one that was written into its list of tables."""
    journal.create(HEADER)
    journal.close()
    hidden = "CREATE TRIGGER sqlite_hidden AFTER INSERT ON nodes BEGIN DELETE FROM people; END"
    with opened(path) as rows:
        rows.execute("PRAGMA writable_schema = ON")
        rows.execute("INSERT INTO sqlite_master VALUES ('trigger', 'sqlite_hidden', 'nodes', 0, ?)", [hidden])
        version = rows.execute("PRAGMA schema_version").fetchone()[0]
        rows.execute(f"PRAGMA schema_version = {version + 1}")
    assert places(path) == {"schema"}
    with pytest.raises(ForeignSchemaError):
        Journal.open(path)


def test_statistics_that_sqlite_keeps_are_no_change(journal: Journal, path: Path) -> None:
    journal.create(HEADER)
    journal.close()
    with opened(path) as rows:
        rows.execute("ANALYZE")
    assert places(path) == set()
    Journal.open(path).close()


@pytest.mark.parametrize("mode", ["delete", "wal"])
@pytest.mark.parametrize("statement", ["CREATE TABLE other (a)", "CREATE TABLE _sqlite_migrations (id)"])
def test_a_file_of_others_stays_as_it_is(path: Path, mode: str, statement: str) -> None:
    with opened(path) as rows:
        rows.execute(f"PRAGMA journal_mode = {mode}")
        rows.execute(statement)
    before = path.read_bytes()
    with pytest.raises(ForeignSchemaError):
        Journal.open(path)
    assert path.read_bytes() == before


def test_a_changed_journal_stays_as_it_is(journal: Journal, path: Path) -> None:
    journal.create(HEADER)
    journal.close()
    with opened(path) as rows:
        rows.execute("DROP TRIGGER events_no_update")
    before = path.read_bytes()
    with pytest.raises(ForeignSchemaError):
        Journal.open(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("stage", ["cases", "roles"])
def test_an_older_journal_is_brought_up_to_date(path: Path, stage: str) -> None:
    older = Database(path)
    MIGRATIONS.apply(older, stop_before=stage)
    older.close()
    Journal.open(path, origin="razbor.test/older").close()
    newer = Database(path)
    assert fingerprint(newer) == expected_fingerprint()
    newer.close()


def test_the_tree_is_that_of_all_leaves(journal: Journal) -> None:
    for _ in range(3):
        key = journal.create(HEADER).key
        journal.append(key, [STAKE, HAND, {"type": "noted", "text": "a"}], 1)
    with opened(journal.path) as rows:
        leaves = [row[0] for row in rows.execute("SELECT leaf FROM events ORDER BY idx")]
        nodes = [row[0] for row in rows.execute("SELECT hash FROM nodes ORDER BY id")]
        size, frontier = rows.execute("SELECT size, frontier FROM tree").fetchone()

    def root(some: list[bytes]) -> bytes:
        if len(some) == 1:
            return some[0]
        half = 1 << (len(some) - 1).bit_length() - 1
        return merkle.node_hash(root(some[:half]), root(some[half:]))

    assert size == len(leaves) == 12
    assert merkle.root([frontier[at : at + 32] for at in range(0, len(frontier), 32)]) == root(leaves)
    for level in range(4):
        for number in range(size >> level):
            part = leaves[number << level : number + 1 << level]
            assert nodes[merkle.stored_index(level, number)] == root(part)


def places(place: Place) -> set[str]:
    return {finding.place for finding in fsck.audit(place).findings}


def test_the_audit_tells_of_notes_that_changed_places(journal: Journal, path: Path) -> None:
    """Both are signed by the log; each stands in the other's row."""
    key = journal.create(HEADER).key
    notary = Notary.open(path)
    notary.checkpoint()
    journal.append(key, [STAKE], 1)
    notary.checkpoint()
    notary.close()
    journal.close()
    assert places(path) == set()
    with opened(path) as rows:
        triggers = rows.execute("SELECT name, sql FROM sqlite_master WHERE name = 'checkpoints_no_update'").fetchall()
        rows.execute(f"DROP TRIGGER {triggers[0][0]}")
        (one, first), (two, second) = rows.execute("SELECT size, note FROM checkpoints ORDER BY size").fetchall()
        rows.execute("UPDATE checkpoints SET note = ? WHERE size = ?", [second, one])
        rows.execute("UPDATE checkpoints SET note = ? WHERE size = ?", [first, two])
        rows.execute(triggers[0][1])
    assert places(path) == {"checkpoints"}


def test_the_audit_tells_of_an_index_that_lost_a_command(journal: Journal, path: Path) -> None:
    """No row of any table is changed, yet the command would be taken for a new one."""
    key = journal.create(HEADER).key
    journal.append(key, [STAKE], 1, "command-of-the-scribe")
    with opened(path) as rows:
        rows.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        page = rows.execute("SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_events_1'").fetchone()[0]
        size = rows.execute("PRAGMA page_size").fetchone()[0]
    journal.close()
    data = bytearray(path.read_bytes())
    at = data.index(b"command-of-the-scribe", (page - 1) * size, page * size)
    data[at] ^= 2
    path.write_bytes(data)
    assert places(path) == {"file"}


def test_the_audit_tells_of_tables_that_are_not_ours(journal: Journal, path: Path) -> None:
    journal.create(HEADER)
    journal.close()
    with opened(path) as rows:
        rows.execute("DROP TRIGGER nodes_no_delete")
    assert places(path) == {"schema"}


def test_the_audit_tells_of_the_last_event_gone_from_everywhere_but_the_list(journal: Journal, path: Path) -> None:
    key = journal.create(HEADER).key
    journal.append(key, [STAKE], 1)
    journal.close()
    with opened(path) as rows:
        triggers = rows.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            rows.execute(f"DROP TRIGGER {name}")
        leaf = rows.execute("SELECT leaf FROM events WHERE idx = 0").fetchone()[0]
        for statement in ("payloads WHERE idx = 1", "events WHERE idx = 1", "nodes WHERE id > 0"):
            rows.execute(f"DELETE FROM {statement}")
        rows.execute("UPDATE tree SET size = 1, frontier = ?", [leaf])
        for _, text in triggers:
            rows.execute(text)
    found = fsck.audit(path).findings
    assert [(each.code, each.place, each.seq) for each in found] == [
        (fsck.MISSING, "events", 1), (fsck.BROKEN, "recordings", None),
    ]  # fmt: skip


def test_the_audit_tells_of_events_that_do_not_follow_each_other(journal: Journal, path: Path) -> None:
    """A second event whose header names another one before it, every hash from there recomputed."""
    key = journal.create(HEADER).key
    journal.append(key, [STAKE], 1)
    journal.close()
    with opened(path) as rows:
        triggers = rows.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            rows.execute(f"DROP TRIGGER {name}")
        first, header = (rows.execute(f"SELECT leaf, header FROM events WHERE idx = {at}").fetchone() for at in (0, 1))
        forged = header[1].replace(first[0].hex().encode(), b"0" * 64)
        leaf = merkle.leaf_hash(forged)
        rows.execute("UPDATE events SET header = ?, leaf = ? WHERE idx = 1", [forged, leaf])
        rows.execute("UPDATE nodes SET hash = ? WHERE id = 1", [leaf])
        root = merkle.node_hash(first[0], leaf)
        rows.execute("UPDATE nodes SET hash = ? WHERE id = 2", [root])
        rows.execute("UPDATE tree SET frontier = ?", [root])
        for _, text in triggers:
            rows.execute(text)
    assert places(path) == {"events.chain"}
    with pytest.raises(ChainBrokenError) as caught:
        journal.load(key)
    assert caught.value.seq == 1
