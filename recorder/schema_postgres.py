"""The journal's tables on a PostgreSQL server: the same as in a file (`recorder.migrations`), with the same guards.

Every text is compared byte by byte (`COLLATE "C"`). Each trigger fires whatever a session has set, and looks at the
tables of this schema, whatever the session's own search path says.
"""

import hashlib
from collections.abc import Iterator
from typing import Final

from recorder.store import Database

_TABLES: Final = """
CREATE TABLE migrations (name TEXT COLLATE "C" PRIMARY KEY);
CREATE TABLE log (
    one BIGINT PRIMARY KEY CHECK (one = 1),
    origin TEXT COLLATE "C" NOT NULL
);
CREATE TABLE events (
    idx BIGINT PRIMARY KEY,
    rec TEXT COLLATE "C" NOT NULL,
    seq BIGINT NOT NULL,
    type TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    cmd TEXT COLLATE "C" UNIQUE,
    header BYTEA NOT NULL,
    leaf BYTEA NOT NULL CHECK (octet_length(leaf) = 32),
    UNIQUE (rec, seq)
);
CREATE TABLE payloads (idx BIGINT PRIMARY KEY REFERENCES events (idx), body BYTEA NOT NULL);
CREATE TABLE people (idx BIGINT PRIMARY KEY REFERENCES events (idx), body BYTEA NOT NULL);
CREATE TABLE nodes (id BIGINT PRIMARY KEY, hash BYTEA NOT NULL CHECK (octet_length(hash) = 32));
CREATE TABLE tree (one BIGINT PRIMARY KEY CHECK (one = 1), size BIGINT NOT NULL, frontier BYTEA NOT NULL);
CREATE TABLE recordings (
    number BIGINT PRIMARY KEY,
    key TEXT COLLATE "C" NOT NULL UNIQUE,
    id TEXT COLLATE "C",
    digest TEXT COLLATE "C",
    game TEXT COLLATE "C" NOT NULL,
    preset TEXT COLLATE "C" NOT NULL,
    arrived TEXT COLLATE "C" NOT NULL CHECK (arrived IN ('live', 'uploaded')),
    at BIGINT NOT NULL,
    events BIGINT NOT NULL,
    ended BIGINT NOT NULL CHECK (ended IN (0, 1)),
    shown TEXT COLLATE "C",
    nameless TEXT COLLATE "C"
);
CREATE INDEX recordings_id ON recordings (id);
CREATE TABLE checkpoints (
    size BIGINT PRIMARY KEY,
    root BYTEA NOT NULL CHECK (octet_length(root) = 32),
    note TEXT COLLATE "C" NOT NULL
);
CREATE TABLE verdicts (
    rec TEXT COLLATE "C" NOT NULL,
    events BIGINT NOT NULL,
    engine TEXT COLLATE "C" NOT NULL,
    rules TEXT COLLATE "C" NOT NULL,
    verdict TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (rec, events, engine, rules)
);
CREATE TABLE cases (
    idx BIGINT PRIMARY KEY,
    rec TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL CHECK (number > 0),
    turn BIGINT NOT NULL,
    at BIGINT NOT NULL,
    act TEXT COLLATE "C" NOT NULL CHECK (act IN ('opened', 'quoted', 'testified', 'ruled', 'withdrawn')),
    body TEXT COLLATE "C" NOT NULL,
    CHECK ((turn = 0) = (act = 'opened')),
    UNIQUE (rec, number, turn)
);
CREATE TABLE role_links (
    number BIGINT PRIMARY KEY,
    rec TEXT COLLATE "C" NOT NULL,
    role TEXT COLLATE "C" NOT NULL CHECK (role IN ('operator', 'scribe', 'arbiter') OR role ~ '^seat:[1-9]'),
    hash BYTEA NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
    at BIGINT NOT NULL,
    revoked BIGINT,
    CHECK ((rec = '') = (role = 'operator'))
);
CREATE INDEX role_links_rec ON role_links (rec);
CREATE TABLE spectators (rec TEXT COLLATE "C" PRIMARY KEY, delay BIGINT NOT NULL CHECK (delay >= 0));
CREATE TABLE holds (
    idx BIGINT PRIMARY KEY,
    rec TEXT COLLATE "C" NOT NULL,
    hand BIGINT NOT NULL,
    act TEXT COLLATE "C" NOT NULL CHECK (act IN ('held', 'ruled')),
    by TEXT COLLATE "C" NOT NULL,
    text TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL
);
CREATE TABLE continuations (
    rec TEXT COLLATE "C" PRIMARY KEY,
    of TEXT COLLATE "C" NOT NULL,
    digest TEXT COLLATE "C" NOT NULL,
    CHECK (rec <> of)
);
CREATE INDEX continuations_of ON continuations (of);
INSERT INTO tree (one, size, frontier) VALUES (1, 0, '')
"""
_NEVER_LEAVE: Final = (
    "migrations", "log", "events", "payloads", "nodes", "checkpoints", "verdicts", "tree", "recordings", "cases",
    "role_links", "holds", "continuations",
)  # fmt: skip
_NEVER_CHANGE: Final = (
    "migrations", "log", "events", "payloads", "people", "nodes", "checkpoints", "verdicts", "cases", "holds",
    "continuations",
)  # fmt: skip
_ALL: Final = tuple(sorted({*_NEVER_LEAVE, *_NEVER_CHANGE, "spectators"}))
_LATER: Final = "NEW.{0} IS DISTINCT FROM (SELECT coalesce(max({0}), -1) + 1 FROM {1})"
_OF_THE_LAST: Final = "NEW.idx IS DISTINCT FROM (SELECT max(idx) FROM events)"
_OF_ITS_CASE: Final = (
    "NEW.turn IS DISTINCT FROM "
    "(SELECT coalesce(max(turn), -1) + 1 FROM cases WHERE rec = NEW.rec AND number = NEW.number) OR "
    "NEW.number > (SELECT coalesce(max(number), 0) + 1 FROM cases WHERE rec = NEW.rec)"
)
_NEXT: Final = {
    "events": (
        "not the next",
        f"{_LATER.format('idx', 'events')} OR {_LATER.format('seq', 'events WHERE rec = NEW.rec')}",
    ),
    "payloads": ("not of the last event", _OF_THE_LAST),
    "people": ("not of the last event", _OF_THE_LAST),
    "nodes": ("not the next", _LATER.format("id", "nodes")),
    "log": ("has its origin", "EXISTS (SELECT 1 FROM log)"),
    "tree": ("there is one", "EXISTS (SELECT 1 FROM tree)"),
    "checkpoints": (
        "not a later size",
        "NEW.size <= (SELECT max(size) FROM checkpoints) OR NEW.size > (SELECT size FROM tree)",
    ),
    "cases": ("not the next", f"{_LATER.format('idx', 'cases')} OR {_OF_ITS_CASE}"),
}
"""Of a table: why a row is refused, and when."""
_REFUSAL: Final = "RAISE EXCEPTION '%: {why}', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';"
_BODIES: Final = {
    "refuse": _REFUSAL.format(why="no %").replace("TG_TABLE_NAME", "TG_TABLE_NAME, TG_OP"),
    "tree_grows": f"IF NEW.size < OLD.size THEN {_REFUSAL.format(why='only grows')} END IF; RETURN NEW;",
    "recordings_follow": "NEW.number := (SELECT coalesce(max(number), 0) + 1 FROM recordings); RETURN NEW;",
    **{
        f"{table}_follow": f"IF {when} THEN {_REFUSAL.format(why=why)} END IF; RETURN NEW;"
        for table, (why, when) in _NEXT.items()
    },
}


def _triggers() -> Iterator[tuple[str, str, str]]:
    """Each by its name, its table, and when it does what."""
    for table in (*_NEXT, "recordings"):
        yield f"{table}_follow", table, f"BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION {table}_follow()"
    yield "tree_grows", "tree", "BEFORE UPDATE ON tree FOR EACH ROW EXECUTE FUNCTION tree_grows()"
    for act, tables in (("UPDATE", _NEVER_CHANGE), ("DELETE", _NEVER_LEAVE), ("TRUNCATE", _ALL)):
        for table in tables:
            yield f"{table}_no_{act.lower()}", table, f"BEFORE {act} ON {table} EXECUTE FUNCTION refuse()"


def _make_tables(database: Database) -> None:
    database.execute(_TABLES)
    ((schema,),) = database.execute("SELECT quote_ident(current_schema())").fetchall()
    for name, body in _BODIES.items():
        database.execute(
            f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql SET search_path = {schema}, pg_temp "
            f"AS $$BEGIN {body} END$$"
        )
    for name, table, what in _triggers():
        database.execute(f"CREATE TRIGGER {name} {what}")
        database.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}")


_MIGRATIONS: Final = (("tables", _make_tables, "71457493a0b82de2c8bba51e3f0be0089d29cf85f9a16d55a81e1cf3936df5f3"),)
"""Each with its name, and the fingerprint of what is there after it."""
_SCHEMA: Final = "(SELECT oid FROM pg_namespace WHERE nspname = current_schema())"
_DESCRIPTION: Final = """
SELECT 'relation', relname, relkind, relpersistence, relrowsecurity, relforcerowsecurity
    FROM pg_class WHERE relnamespace = {schema};
SELECT 'column', c.relname, attname, format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated,
        (SELECT collname FROM pg_collation o WHERE o.oid = attcollation),
        (SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = c.oid AND adnum = attnum)
    FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
    WHERE relnamespace = {schema} AND relkind <> 'i' AND attnum > 0 AND NOT attisdropped;
SELECT 'constraint', relname, conname, contype, pg_get_constraintdef(o.oid), convalidated, condeferrable
    FROM pg_constraint o LEFT JOIN pg_class c ON c.oid = conrelid WHERE connamespace = {schema} AND contype <> 'n';
SELECT 'index', relname, replace(pg_get_indexdef(c.oid), format('%I.', current_schema()), ''),
        indisvalid, indisready, indislive
    FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE relnamespace = {schema};
SELECT 'trigger', relname, CASE WHEN tgisinternal THEN '' ELSE tgname END, proname, tgtype, tgenabled, tgqual IS NULL,
        tgattr::text, tgnargs, tgdeferrable, tgoldtable, tgnewtable
    FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid JOIN pg_proc p ON p.oid = tgfoid WHERE relnamespace = {schema};
SELECT 'function', proname, prosrc, lanname, prokind, provolatile, prosecdef, proisstrict, pronargs,
        format_type(prorettype, NULL),
        replace(array_to_string(proconfig, '; '), format('search_path=%I,', current_schema()), 'search_path=,')
    FROM pg_proc JOIN pg_language l ON l.oid = prolang WHERE pronamespace = {schema};
SELECT 'rule', relname, rulename, ev_type, is_instead
    FROM pg_rewrite JOIN pg_class c ON c.oid = ev_class WHERE relnamespace = {schema};
SELECT 'policy', relname, polname FROM pg_policy JOIN pg_class c ON c.oid = polrelid WHERE relnamespace = {schema};
SELECT 'heir', a.relname, b.relname
    FROM pg_inherits JOIN pg_class a ON a.oid = inhparent JOIN pg_class b ON b.oid = inhrelid
    WHERE {schema} IN (a.relnamespace, b.relnamespace);
SELECT 'type', typname, typtype
    FROM pg_type WHERE typnamespace = {schema} AND typtype <> 'c' AND typcategory <> 'A';
SELECT 'operator', oprname, oprcode::text FROM pg_operator WHERE oprnamespace = {schema}
"""
"""All that may stand in a schema and have a say in what is stored. Names of schemas are left out of it."""


_LED_TO: Final = (
    ("events", "idx"), ("events", "rec", "seq"), ("events", "cmd"), ("payloads", "idx"), ("people", "idx"),
    ("nodes", "id"), ("recordings", "key"), ("recordings", "id"), ("recordings", "number"), ("checkpoints", "size"),
    ("verdicts", "rec", "events", "engine", "rules"), ("cases", "idx"), ("cases", "rec", "number", "turn"),
    ("role_links", "hash"), ("role_links", "rec"), ("spectators", "rec"), ("holds", "idx"), ("continuations", "rec"),
    ("continuations", "of"),
)  # fmt: skip
"""Each index by its table and columns."""
_OTHER_WAYS: Final = (
    "SELECT set_config(name, CASE name WHEN 'jit' THEN 'off' ELSE ? END, true) FROM (VALUES ('enable_seqscan'), "
    "('enable_hashjoin'), ('enable_mergejoin'), ('enable_bitmapscan'), ('jit')) ways (name)"
)
"""Whether a row may be found by anything else than an index, until the transaction ends."""


def fingerprint(database: Database) -> str:
    """SHA-256 in hex of every table, constraint, index, trigger, function and rule of the current schema."""
    return hashlib.sha256(repr(sorted(_described(database))).encode()).hexdigest()


def _described(database: Database) -> Iterator[str]:
    for question in _DESCRIPTION.replace("{schema}", _SCHEMA).split(";\n"):
        yield from (repr(row) for row in database.execute(question).fetchall())


def is_empty(database: Database) -> bool:
    """Whether nothing stands in the current schema."""
    return next(_described(database), None) is None


def is_ours(database: Database) -> bool:
    """Whether the schema is empty, or has just what these migrations, or the first of them, put there."""
    done = _applied(database)
    return is_empty(database) or (done > 0 and fingerprint(database) == _MIGRATIONS[done - 1][2])


def is_whole(database: Database) -> bool:
    """Whether the schema has every migration and nothing else."""
    return fingerprint(database) == _MIGRATIONS[-1][2] and _applied(database) == len(_MIGRATIONS)


def flaws(database: Database) -> Iterator[str]:
    """`schema` where the schema is not whole, `file` where an index does not lead to a row that is there."""
    if not is_whole(database):
        yield "schema"
    database.execute(_OTHER_WAYS, ["off"]).fetchall()
    if any(database.execute(question).fetchone() for question in _lost_rows()):
        yield "file"
    database.execute(_OTHER_WAYS, ["on"]).fetchall()


def _lost_rows() -> Iterator[str]:
    """Of each index, the question for a row of its table to which it does not lead."""
    for table, *keys in _LED_TO:
        same = " AND ".join(f"b.{key} = a.{key}" for key in keys)
        said = " AND ".join(f"a.{key} IS NOT NULL" for key in keys)
        each = f"SELECT {', '.join(keys)} FROM {table} WHERE ctid IS NOT NULL OFFSET 0"  # noqa: S608 - by no index
        yield f"SELECT 1 FROM ({each}) a WHERE {said} AND NOT EXISTS (SELECT 1 FROM {table} b WHERE {same}) LIMIT 1"  # noqa: S608


def bring_up_to_date(database: Database) -> None:
    """Does what migrations were not done yet."""
    for name, work, _ in _MIGRATIONS[_applied(database) :]:
        work(database)
        database.execute("INSERT INTO migrations (name) VALUES (?)", [name])


def _applied(database: Database) -> int:
    """How many of the migrations were done; 0 where other ones were."""
    if not database.execute(
        f"SELECT 1 FROM pg_class WHERE relname = 'migrations' AND relnamespace = {_SCHEMA}"  # noqa: S608
    ).fetchone():
        return 0
    names = [row[0] for row in database.execute("SELECT name FROM migrations").fetchall()]
    count = len(names)
    return count if sorted(names) == sorted(name for name, _, _ in _MIGRATIONS[:count]) else 0
