"""The rows of the journal: what each table says of a recording, and how an event comes into all of them.

Every function works inside the transaction of its caller.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from recorder import chain, intake, merkle
from recorder.chain import ChainBrokenError, Header, Link, MissingEventsError
from recorder.store import Database
from schemas import wire
from schemas.events import Corrected, Event, Inserted, Recording, RecordingBegan, RecordingEnded, type_of
from schemas.problems import Refusal

_NAMING: Final = ("recording_began", "player_joined")
"""Types that name people."""
_AMENDING: Final = ("corrected", "inserted")
COLUMNS: Final = "number, key, id, digest, game, preset, arrived, at, events, ended, shown, nameless IS NOT NULL"
_HASH: Final = 32


class UnknownRecordingError(KeyError):
    """No recording has this key or id."""


class Entry(msgspec.Struct, frozen=True):
    """One recording as the journal lists it.

    `key` is its address; `id` and `digest` are fixed at its end or on upload, None before; `arrived` is `live` or
    `uploaded`; `at` is when, in milliseconds since 1970; `events` is its version; `shown` is the view in which its
    owner lets everybody see it, None where he does not; `erased` says that its names are gone.
    """

    number: int
    key: str
    id: str | None
    digest: str | None
    game: str
    preset: str
    arrived: str
    at: int
    events: int
    ended: bool
    shown: str | None
    erased: bool

    @property
    def added(self) -> str:
        """When it arrived, to the second, in UTC."""
        return datetime.fromtimestamp(self.at // 1000, UTC).isoformat().replace("+00:00", "Z")


class Pen(msgspec.Struct, frozen=True):
    """Who writes, when (milliseconds since 1970), in which log, and by which command."""

    origin: str
    by: str
    at: int
    randomness: Callable[[int], bytes]
    command: str | None = None
    request: str | None = None


def entry_of(row: Sequence[Any]) -> Entry:
    """The entry of a row of `COLUMNS`."""
    number, key, recording_id, digest, game, preset, arrived, at, events, ended, shown, erased = row
    return Entry(number, key, recording_id, digest, game, preset, arrived, at, events, bool(ended), shown, bool(erased))


def find(database: Database, key_or_id: str) -> Entry:
    """The recording with this key, or else the first with this id; `UnknownRecordingError`."""
    row = database.execute(f"SELECT {COLUMNS} FROM recordings WHERE key = ?", [key_or_id]).fetchone()  # noqa: S608
    row = (
        row
        or database.execute(
            f"SELECT {COLUMNS} FROM recordings WHERE id = ? ORDER BY number LIMIT 1",  # noqa: S608
            [key_or_id],
        ).fetchone()
    )
    if row is None:
        raise UnknownRecordingError(key_or_id)
    return entry_of(row)


def links(database: Database, entry: Entry) -> list[tuple[int, Link]]:
    """Each event of a recording with its place among all leaves; `ChainBrokenError` where a row denies its header,
    `MissingEventsError` where a payload that nobody erased is gone.
    """
    found = []
    rows = database.execute(
        "SELECT e.idx, e.seq, e.type, e.at, e.cmd, e.header, e.leaf, coalesce(p.body, q.body) FROM events e "
        "LEFT JOIN payloads p ON p.idx = e.idx LEFT JOIN people q ON q.idx = e.idx WHERE e.rec = ? ORDER BY e.seq",
        [entry.key],
    )
    for index, seq, kind, at, command, header, leaf, body in rows:
        said = chain.read_header(header)
        if said is None or (said.seq, said.type, said.at, said.cmd) != (seq, kind, at, command):
            raise ChainBrokenError(entry.key, seq)
        if body is None and not (entry.erased and said.nh is not None):
            raise MissingEventsError(entry.key, seq)
        found.append((index, Link(header, leaf, body)))
    return found


def lines(database: Database, entry: Entry) -> list[bytes]:
    """The canonical lines of a recording, held to the chain; erased ones with `seat 1` for a name.

    `ChainBrokenError` and `MissingEventsError` name the first event that is wrong.
    """
    stored = [link for _, link in links(database, entry)]
    verified = chain.verify(entry.key, stored, entry.events)
    if None not in verified:
        return [line for line in verified if line is not None]
    row = database.execute("SELECT nameless FROM recordings WHERE key = ?", [entry.key]).fetchone()
    left: dict[str, str] = json.loads(row[0])
    whole = [left.get(str(seq), "").encode() if line is None else line for seq, line in enumerate(verified)]
    for seq, line in enumerate(verified):
        if line is None and not is_left_of(stored[seq].header, whole[seq]):
            raise ChainBrokenError(entry.key, seq)
    return whole


def headline(database: Database, entry: Entry) -> str:
    """The title of a recording, else the names of its seats; "" where its first event is erased or not as stored."""
    row = database.execute(
        "SELECT e.header, e.leaf, q.body FROM events e JOIN people q ON q.idx = e.idx WHERE e.rec = ? AND e.seq = 0",
        [entry.key],
    ).fetchone()
    try:
        (line,) = chain.verify(entry.key, [Link(*row)] if row else [], 1)
    except (ChainBrokenError, MissingEventsError):
        return ""
    began: dict[str, Any] = json.loads(line or b"{}")
    return began.get("title") or ", ".join(began.get("seats", ()))


def is_personal(event: Event) -> bool:
    """Whether an event names people, or amends one that does: its payload stands in the table that can be erased."""
    amended = event.event if isinstance(event, (Corrected, Inserted)) else None
    return type_of(event) in _NAMING or (amended is not None and amended.get("type") in _NAMING)


def nameless(line: bytes) -> bytes:
    """An event without what names a person: `seat 1` for a name, no title, note or private field."""
    return wire.canonical(without_names(json.loads(line)))


def without_names(raw: dict[str, Any]) -> dict[str, Any]:
    """What `nameless` leaves of an object, whatever it is: a receipt's may be none that was ever written."""
    left = {name: each for name, each in raw.items() if name not in ("title", "note") and name[:2] != wire.PRIVATE}
    if isinstance(left.get("seats"), list):
        left["seats"] = [f"seat {seat}" for seat in range(1, len(left["seats"]) + 1)]
    if "name" in left:
        left["name"] = f"seat {wire.canonical(left.get('seat')).decode()}"
    if isinstance(left.get("event"), dict):
        left["event"] = without_names(left["event"])
    return left


def is_left_of(header: bytes, line: bytes) -> bool:
    """Whether this is the nameless line of the event with this header."""
    said = chain.read_header(header)
    if said is None or said.type not in (*_NAMING, *_AMENDING):
        return False
    return said.nh == hashlib.sha256(line).hexdigest() and chain.is_told_by(said, line)


def binds(header: Header, line: bytes) -> bool:
    """Whether what would be left of an event without its names is what its header says, if it says so.

    Else a log could have two events in one leaf: one in the payload, another to be shown once that is erased.
    """
    if header.nh is None:
        return True
    return header.type in (*_NAMING, *_AMENDING) and header.nh == hashlib.sha256(nameless(line)).hexdigest()


def recording(key: str, found: Sequence[bytes]) -> Recording:
    """The recording of canonical lines; `ChainBrokenError` where they cannot be read, for they once could."""
    read = intake.read(b"\n".join(found), intake.BULK)
    if isinstance(read, Refusal):
        raise ChainBrokenError(key, read.problems[0].line - 1)
    return read


def enter(database: Database, key: str, began: RecordingBegan, arrived: str, at: int) -> None:
    """A new line in the list of recordings; `at` in milliseconds since 1970."""
    database.execute(
        "INSERT INTO recordings (key, game, preset, arrived, at, events, ended) VALUES (?, ?, ?, ?, ?, 0, 0)",
        [key, began.game, began.rules.preset, arrived, at],
    )


class Tip(msgspec.Struct, frozen=True):
    """Where the next event goes: the size of the tree and its frontier, the leaf of the recording's last event (None
    where it has none), and whether a command of this key has written before."""

    size: int
    frontier: bytes
    leaf: bytes | None
    known: bool


_TIP: Final = (
    "SELECT size, frontier, (SELECT leaf FROM events WHERE rec = ? ORDER BY seq DESC LIMIT 1), "
    "EXISTS (SELECT 1 FROM events WHERE cmd = ?) FROM tree"
)
_ENTRY_AND_TIP: Final = (
    f"SELECT size, frontier, (SELECT leaf FROM events WHERE rec = key ORDER BY seq DESC LIMIT 1), "  # noqa: S608
    f"EXISTS (SELECT 1 FROM events WHERE cmd = ?), {COLUMNS} FROM tree JOIN recordings ON key = ?"
)


def tip(database: Database, key: str, command: str | None = None) -> Tip:
    """Where the next event of a recording goes."""
    size, frontier, leaf, known = database.execute(_TIP, [key, command]).fetchone()
    return Tip(size, frontier, leaf, bool(known))


def stand(database: Database, key_or_id: str, command: str | None = None) -> tuple[Entry, Tip]:
    """The recording with this key or id, and where its next event goes; `UnknownRecordingError`."""
    row = database.execute(_ENTRY_AND_TIP, [command, key_or_id]).fetchone()
    if row is None:
        entry = find(database, key_or_id)
        return entry, tip(database, entry.key, command)
    size, frontier, leaf, known, *columns = row
    return entry_of(columns), Tip(size, frontier, leaf, bool(known))


_EVENT: Final = "INSERT INTO events (idx, rec, seq, type, at, cmd, header, leaf) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_PAYLOAD: Final = "INSERT INTO payloads (idx, body) VALUES (?, ?)"
_PERSON: Final = "INSERT INTO people (idx, body) VALUES (?, ?)"


def write(database: Database, key: str, fresh: Sequence[tuple[Event, bytes]], pen: Pen, at: Tip | None = None) -> bytes:
    """Events at the end of a recording and of the log: header, payload, leaf, tree, and the new version.

    `at` is the tip as it stands, where it is known. The answer is the leaf of the last event.
    """
    at = at or tip(database, key)
    index, request, previous = at.size, None, at.leaf.hex() if at.leaf else None
    command, leaves = pen.command, list[bytes]()
    for event, line in fresh:
        kind, nonce, personal = type_of(event), pen.randomness(16), is_personal(event)
        request = request or (pen.request and chain.salted(pen.request, nonce))
        header = Header(
            chain.VERSION, pen.origin, key, event.seq, previous, kind, pen.at, pen.by, "", command, request,
            hashlib.sha256(nameless(line)).hexdigest() if personal else None,
        )  # fmt: skip
        link, _ = chain.link(header, line, nonce)
        row = (index, key, event.seq, kind, pen.at, command, link.header, link.leaf)
        database.execute(_EVENT, row)
        database.execute(_PERSON if personal else _PAYLOAD, [index, link.payload])
        leaves.append(link.leaf)
        previous, command, index = link.leaf.hex(), None, index + 1
    _grow(database, at, leaves)
    database.execute("UPDATE recordings SET events = events + ? WHERE key = ?", [len(fresh), key])
    return leaves[-1]


def _grow(database: Database, at: Tip, leaves: Sequence[bytes]) -> None:
    size, node = at.size, merkle.stored_index(0, at.size)
    frontier = [at.frontier[place : place + _HASH] for place in range(0, len(at.frontier), _HASH)]
    for leaf in leaves:
        frontier, stored = merkle.grow(size, frontier, leaf)
        size += 1
        for each in stored:
            database.execute("INSERT INTO nodes (id, hash) VALUES (?, ?)", [node, each])
            node += 1
    database.execute("UPDATE tree SET size = ?, frontier = ?", [size, b"".join(frontier)])


def close(database: Database, entry: Entry, fresh: Sequence[tuple[Event, bytes]]) -> Entry:
    """The entry after the fresh events, written just now; digest and id are fixed where one of them is the end.

    Later amendments do not move them. Where the names were erased before, nobody can compute them any more.
    """
    whole = msgspec.structs.replace(entry, events=entry.events + len(fresh))
    end = next((event.seq for event, _ in fresh if isinstance(event, RecordingEnded)), None)
    if end is not None:
        digest = None if entry.erased else chain.digest(lines(database, whole)[: end + 1])
        database.execute(
            "UPDATE recordings SET id = ?, digest = ?, ended = 1 WHERE key = ?",
            [digest and digest[:16], digest, entry.key],
        )
        return msgspec.structs.replace(whole, id=digest and digest[:16], digest=digest, ended=True)
    return whole
