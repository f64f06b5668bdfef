"""The journal's tables, and how a database comes to have them (`integrity.md`, "Tables")."""

import hashlib
from functools import cache
from typing import Final

from sqlite_utils import Database, Migrations

MIGRATIONS: Final = Migrations("journal")

_TABLES: Final = """
CREATE TABLE log (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    origin TEXT NOT NULL
) STRICT;
CREATE TABLE events (
    idx INTEGER PRIMARY KEY,
    rec TEXT NOT NULL,
    seq INTEGER NOT NULL,
    type TEXT NOT NULL,
    at INTEGER NOT NULL,
    cmd TEXT UNIQUE,
    header BLOB NOT NULL,
    leaf BLOB NOT NULL CHECK (length(leaf) = 32),
    UNIQUE (rec, seq)
) STRICT;
CREATE TABLE payloads (
    idx INTEGER PRIMARY KEY REFERENCES events (idx),
    body BLOB NOT NULL
) STRICT;
CREATE TABLE people (
    idx INTEGER PRIMARY KEY REFERENCES events (idx),
    body BLOB NOT NULL
) STRICT;
CREATE TABLE nodes (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;
CREATE TABLE tree (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    size INTEGER NOT NULL,
    frontier BLOB NOT NULL
) STRICT;
CREATE TABLE recordings (
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    id TEXT,
    digest TEXT,
    game TEXT NOT NULL,
    preset TEXT NOT NULL,
    arrived TEXT NOT NULL CHECK (arrived IN ('live', 'uploaded')),
    at INTEGER NOT NULL,
    events INTEGER NOT NULL,
    ended INTEGER NOT NULL CHECK (ended IN (0, 1)),
    shown TEXT,
    nameless TEXT
) STRICT;
CREATE INDEX recordings_id ON recordings (id);
CREATE TABLE checkpoints (
    size INTEGER PRIMARY KEY,
    root BLOB NOT NULL CHECK (length(root) = 32),
    note TEXT NOT NULL
) STRICT;
CREATE TABLE verdicts (
    rec TEXT NOT NULL,
    events INTEGER NOT NULL,
    engine TEXT NOT NULL,
    rules TEXT NOT NULL,
    verdict TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (rec, events, engine, rules)
) STRICT, WITHOUT ROWID;
"""
_ONLY_GROW: Final = ("log", "events", "payloads", "nodes", "checkpoints", "verdicts")
_NEVER_CHANGE: Final = (*_ONLY_GROW, "people")
_NEVER_LEAVE: Final = (*_ONLY_GROW, "tree", "recordings")
_ORDER: Final = """
CREATE TRIGGER events_follow BEFORE INSERT ON events
WHEN NEW.idx IS NOT (SELECT coalesce(max(idx), -1) + 1 FROM events)
  OR NEW.seq IS NOT (SELECT coalesce(max(seq), -1) + 1 FROM events WHERE rec = NEW.rec)
BEGIN SELECT RAISE(ABORT, 'events: not the next'); END;
CREATE TRIGGER payloads_follow BEFORE INSERT ON payloads
WHEN NEW.idx IS NOT (SELECT max(idx) FROM events) OR EXISTS (SELECT 1 FROM payloads WHERE idx = NEW.idx)
BEGIN SELECT RAISE(ABORT, 'payloads: not of the last event'); END;
CREATE TRIGGER people_follow BEFORE INSERT ON people
WHEN NEW.idx IS NOT (SELECT max(idx) FROM events) OR EXISTS (SELECT 1 FROM people WHERE idx = NEW.idx)
BEGIN SELECT RAISE(ABORT, 'people: not of the last event'); END;
CREATE TRIGGER nodes_follow BEFORE INSERT ON nodes
WHEN NEW.id IS NOT (SELECT coalesce(max(id), -1) + 1 FROM nodes)
BEGIN SELECT RAISE(ABORT, 'nodes: not the next'); END;
CREATE TRIGGER log_once BEFORE INSERT ON log WHEN EXISTS (SELECT 1 FROM log)
BEGIN SELECT RAISE(ABORT, 'log: has its origin'); END;
CREATE TRIGGER tree_once BEFORE INSERT ON tree WHEN EXISTS (SELECT 1 FROM tree)
BEGIN SELECT RAISE(ABORT, 'tree: there is one'); END;
CREATE TRIGGER tree_grows BEFORE UPDATE ON tree WHEN NEW.size < OLD.size
BEGIN SELECT RAISE(ABORT, 'tree: only grows'); END;
CREATE TRIGGER checkpoints_follow BEFORE INSERT ON checkpoints
WHEN NEW.size <= (SELECT coalesce(max(size), -1) FROM checkpoints) OR NEW.size > (SELECT size FROM tree)
BEGIN SELECT RAISE(ABORT, 'checkpoints: not a later size'); END;
CREATE TRIGGER verdicts_stand BEFORE INSERT ON verdicts
WHEN EXISTS (SELECT 1 FROM verdicts WHERE rec = NEW.rec AND events = NEW.events AND engine = NEW.engine
    AND rules = NEW.rules)
BEGIN SELECT RAISE(ABORT, 'verdicts: stands already'); END;
"""
_CASES: Final = """
CREATE TABLE cases (
    idx INTEGER PRIMARY KEY,
    rec TEXT NOT NULL,
    number INTEGER NOT NULL CHECK (number > 0),
    turn INTEGER NOT NULL,
    at INTEGER NOT NULL,
    act TEXT NOT NULL CHECK (act IN ('opened', 'quoted', 'testified', 'ruled', 'withdrawn')),
    body TEXT NOT NULL,
    CHECK ((turn = 0) = (act = 'opened')),
    UNIQUE (rec, number, turn)
) STRICT;
CREATE TRIGGER cases_follow BEFORE INSERT ON cases
WHEN NEW.idx IS NOT (SELECT coalesce(max(idx), -1) + 1 FROM cases)
  OR NEW.turn IS NOT (SELECT coalesce(max(turn), -1) + 1 FROM cases WHERE rec = NEW.rec AND number = NEW.number)
  OR NEW.number > (SELECT coalesce(max(number), 0) + 1 FROM cases WHERE rec = NEW.rec)
BEGIN SELECT RAISE(ABORT, 'cases: not the next'); END;
CREATE TRIGGER cases_no_update BEFORE UPDATE ON cases BEGIN SELECT RAISE(ABORT, 'cases: no UPDATE'); END;
CREATE TRIGGER cases_no_delete BEFORE DELETE ON cases BEGIN SELECT RAISE(ABORT, 'cases: no DELETE'); END;
"""
_ROLES: Final = (
    """CREATE TABLE role_links (
    number INTEGER PRIMARY KEY,
    rec TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('operator', 'scribe', 'arbiter') OR role GLOB 'seat:[1-9]*'),
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    at INTEGER NOT NULL,
    revoked INTEGER,
    CHECK ((rec = '') = (role = 'operator'))
) STRICT""",
    "CREATE INDEX role_links_rec ON role_links (rec)",
    "CREATE TABLE spectators (rec TEXT PRIMARY KEY, delay INTEGER NOT NULL CHECK (delay >= 0)) STRICT, WITHOUT ROWID",
    """CREATE TABLE holds (
    idx INTEGER PRIMARY KEY,
    rec TEXT NOT NULL,
    hand INTEGER NOT NULL,
    act TEXT NOT NULL CHECK (act IN ('held', 'ruled')),
    by TEXT NOT NULL,
    text TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT""",
    "CREATE TRIGGER holds_no_update BEFORE UPDATE ON holds BEGIN SELECT RAISE(ABORT, 'holds: no UPDATE'); END",
    "CREATE TRIGGER holds_no_delete BEFORE DELETE ON holds BEGIN SELECT RAISE(ABORT, 'holds: no DELETE'); END",
    (
        "CREATE TRIGGER role_links_no_delete BEFORE DELETE ON role_links "
        "BEGIN SELECT RAISE(ABORT, 'role_links: no DELETE'); END"
    ),
)


@MIGRATIONS()
def tables(db: Database) -> None:
    """The first form of the journal."""
    for statement in (*_TABLES.split(";\n"), *_ORDER.split("END;\n")):
        if statement.strip():
            db.execute(f"{statement} END" if statement.lstrip().startswith("CREATE TRIGGER") else statement)
    for act, names in (("UPDATE", _NEVER_CHANGE), ("DELETE", _NEVER_LEAVE)):
        for name in names:
            db.execute(
                f"CREATE TRIGGER {name}_no_{act.lower()} BEFORE {act} ON {name} "
                f"BEGIN SELECT RAISE(ABORT, '{name}: no {act}'); END"
            )
    db.execute("INSERT INTO tree (one, size, frontier) VALUES (1, 0, x'')")


@MIGRATIONS()
def cases(db: Database) -> None:
    """Cases beside the recordings; every change of one is a row of its own."""
    table, *triggers = _CASES.strip().split("CREATE TRIGGER")
    for statement in (table, *(f"CREATE TRIGGER{each}" for each in triggers)):
        db.execute(statement.strip().removesuffix(";"))


@MIGRATIONS()
def roles(db: Database) -> None:
    """Who may do what with a live recording, what spectators see how much later, and what is held."""
    for statement in _ROLES:
        db.execute(statement)


@MIGRATIONS()
def continuations(db: Database) -> None:
    """Which upload begins with which recording stored before, and the digest of that beginning."""
    db.execute(
        "CREATE TABLE continuations (rec TEXT PRIMARY KEY NOT NULL, of TEXT NOT NULL, digest TEXT NOT NULL, "
        "CHECK (rec <> of)) STRICT"
    )
    db.execute("CREATE INDEX continuations_of ON continuations (of)")
    for act in ("UPDATE", "DELETE"):
        db.execute(
            f"CREATE TRIGGER continuations_no_{act.lower()} BEFORE {act} ON continuations "
            f"BEGIN SELECT RAISE(ABORT, 'continuations: no {act}'); END"
        )


def fingerprint(db: Database) -> str:
    """SHA-256 in hex of every table, index and trigger as they stand in the database.

    Left out are the migrations' own table and what SQLite makes by itself: the indexes of constraints, and statistics.
    A trigger never is, whatever its name and its table.
    """
    rows = db.execute(
        "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE NOT (type = 'index' AND sql IS NULL) "
        "AND NOT (type = 'table' AND (name = '_sqlite_migrations' OR name GLOB 'sqlite_stat[1-4]')) ORDER BY type, name"
    )
    return hashlib.sha256(repr(rows.fetchall()).encode()).hexdigest()


@cache
def _stages() -> tuple[tuple[tuple[str, ...], str], ...]:
    """After each migration: the names of all so far, and the fingerprint."""
    db = Database(memory=True)
    names = [each.name for each in MIGRATIONS.pending(db)]
    found = []
    for count in range(1, len(names) + 1):
        MIGRATIONS.apply(db, stop_before=names[count : count + 1])
        found.append((tuple(names[:count]), fingerprint(db)))
    db.close()
    return tuple(found)


def expected_fingerprint() -> str:
    """The fingerprint of a database that has every migration and nothing else."""
    return _stages()[-1][1]


def is_ours(db: Database) -> bool:
    """Whether a database has nothing in it, or just what these migrations, or the first of them, put there."""
    if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        return True
    made = {found: names for names, found in _stages()}.get(fingerprint(db))
    return made is not None and made == tuple(each.name for each in MIGRATIONS.applied(db))
