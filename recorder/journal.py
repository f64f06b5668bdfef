"""The append-only journal: what was acknowledged stays, and nothing stored changes unseen (`integrity.md`).

Live recordings are written event by event, uploads at once. Every answer is given after the commit.
"""

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from recorder import anchor, chain, continuation, intake, rows
from recorder.address import Place, place_of
from recorder.anchor import RestoredError
from recorder.cases import Cases
from recorder.chain import ChainBrokenError, Link, MissingEventsError
from recorder.database import Connections, ForeignSchemaError
from recorder.ongoing import EventsRefusedError, Memory, raw_of, request_hash, says_the_same
from recorder.roles import Roles
from recorder.rows import Entry, Pen, UnknownRecordingError
from recorder.store import Database
from schemas.events import HandEnded, Recording, RecordingBegan, RecordingEnded
from schemas.problems import Refusal

__all__ = [
    "Appended",
    "ChainBrokenError",
    "CommandReusedError",
    "Entry",
    "EventsRefusedError",
    "ForeignSchemaError",
    "Journal",
    "Kept",
    "MissingEventsError",
    "Page",
    "RestoredError",
    "Stored",
    "UnknownRecordingError",
    "VersionConflictError",
]

_SETTLING: Final = frozenset((HandEnded, RecordingEnded))


class VersionConflictError(Exception):
    """The recording has another number of events than the writer thought; `current` says how many."""

    def __init__(self, current: int) -> None:
        super().__init__(str(current))
        self.current = current


class CommandReusedError(Exception):
    """The command's key was already used for another request."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A recording from the journal, its chain verified anew. Where `entry.erased`, names are `seat 1` ... and the
    digest of `recording` is not that of the file once recorded."""

    entry: Entry
    recording: Recording


@dataclass(frozen=True, slots=True)
class Stored:
    """The answer to an upload: its key, whether it is new, and the key of what it goes on from, if there is such."""

    key: str
    new: bool
    continues: str | None = None


@dataclass(frozen=True, slots=True)
class Appended:
    """The answer to an append: the number of each event given, the version now, and whether nothing new was written."""

    seqs: tuple[int, ...]
    version: int
    repeated: bool


@dataclass(frozen=True, slots=True)
class Page:
    """Some entries, in order, and the cursor of the next page where there is one."""

    entries: tuple[Entry, ...]
    cursor: int | None


def _milliseconds() -> int:
    return time.time_ns() // 1_000_000


class Journal:
    """The journal of one database. `clock` gives milliseconds since 1970, `randomness` so many random bytes."""

    def __init__(
        self, connections: Connections, origin: str, clock: Callable[[], int], randomness: Callable[[int], bytes]
    ) -> None:
        self._connections = connections
        self.origin = origin
        self._clock = clock
        self._randomness = randomness
        self._memory = Memory()
        self.settled: Callable[[], object] = lambda: None
        """Called when an upload, the end of a hand or that of a live recording was stored, and is safe."""

    @classmethod
    def open(
        cls,
        place: str | Place,
        *,
        origin: str | None = None,
        clock: Callable[[], int] = _milliseconds,
        randomness: Callable[[int], bytes] = os.urandom,
    ) -> Self:
        """The journal in this file, or at this address of a server, made where there is none.

        Its `origin` is fixed then, and random if not given. `StoreError` where the server does not do its part;
        `ForeignSchemaError` where there are other tables or triggers. Where it is behind what was signed last, or
        differs from it, it can be read, and every write raises `RestoredError`.
        """
        connections = Connections(place_of(place))
        try:
            connections.prepare()
            with connections.writing() as database:
                row = database.execute("SELECT origin FROM log").fetchone()
                name = row[0] if row else origin or f"razbor/{randomness(8).hex()}"
                if not row:
                    database.execute("INSERT INTO log (one, origin) VALUES (1, ?)", [name])
                connections.refusal = anchor.objection(database, anchor.anchored_at(connections.place, name))
        except BaseException:
            connections.close()
            raise
        return cls(connections, name, clock, randomness)

    @property
    def path(self) -> Place:
        """The file of the database, or its address on a server."""
        return self._connections.place

    @property
    def refusal(self) -> RestoredError | None:
        """Why nothing is written: the journal is not what was signed last; None where there is no reason."""
        return found if isinstance(found := self._connections.refusal, RestoredError) else None

    def refuse(self, reason: RestoredError) -> None:
        """Writes nothing from now on, for this reason."""
        self._connections.refusal = reason

    def close(self) -> None:
        """Closes it; every thread's connection with it."""
        self._connections.close()

    def create(self, header: bytes | Mapping[str, Any], key: str | None = None, *, by: str = "live") -> Entry:
        """A new live recording with its first event, `recording_began`; 16 random hex digits as key unless given.

        `EventsRefusedError` where the event is none with which a recording can begin.
        """
        if isinstance(found := intake.continue_event((), header), Refusal):
            raise EventsRefusedError(found)
        assert isinstance(found.event, RecordingBegan)
        with self._connections.writing() as database:
            chosen = key or self._randomness(8).hex()
            pen = self._pen(by)
            rows.enter(database, chosen, found.event, "live", pen.at)
            rows.write(database, chosen, [(found.event, found.line)], pen)
            return rows.find(database, chosen)

    def append(
        self,
        key: str,
        given: Sequence[bytes | Mapping[str, Any]],
        expected_version: int,
        command_id: str | None = None,
        *,
        by: str = "live",
    ) -> Appended:
        """Events after those that stand there: all of them or none, acknowledged only when they are safe.

        The same command again gives the same answer and writes nothing; `CommandReusedError` where the request
        differs. An event with an `id` that stands there with the same bytes is skipped. `VersionConflictError` where
        the recording has another number of events than expected, `EventsRefusedError` where an event cannot be read.
        """
        answer, settled = self._connections.together(
            lambda database: self._append(database, key, given, expected_version, command_id, by)
        )
        if settled:
            self.settled()
        return answer

    def _append(
        self,
        database: Database,
        key: str,
        given: Sequence[bytes | Mapping[str, Any]],
        expected_version: int,
        command_id: str | None,
        by: str,
    ) -> tuple[Appended, bool]:
        """The answer, and whether a hand or the recording ended."""
        entry, tip = rows.stand(database, key, command_id)
        request = request_hash(entry.key, given) if command_id is not None else None
        if tip.known and command_id is not None and request is not None:
            first = _first_of(database, entry.key, command_id, request)
            if first is not None:
                recording = rows.recording(entry.key, rows.lines(database, entry))
                return _answer_again(recording, given, first, rows.links(database, entry)), False
        ongoing = self._memory.take(database, entry, tip.leaf)
        numbers, fresh = ongoing.sift(given)
        if not fresh:
            self._memory.put(entry, tip.leaf, ongoing)
            return Appended(numbers, entry.events, repeated=True), False
        if expected_version != entry.events:
            raise VersionConflictError(entry.events)
        leaf = rows.write(database, entry.key, fresh, self._pen(by, command_id, request), tip)
        self._memory.put(rows.close(database, entry, fresh), leaf, ongoing)
        settled = not _SETTLING.isdisjoint([type(event) for event, _ in fresh])
        return Appended(numbers, entry.events + len(fresh), repeated=False), settled

    def store(self, recording: Recording, *, by: str = "upload") -> Stored:
        """A finished recording as it was read; a second time it says so and changes nothing."""
        stored = self._store(recording, by)
        if stored.new:
            self.settled()
        return stored

    def _store(self, recording: Recording, by: str) -> Stored:
        with self._connections.writing() as database:
            known = database.execute(
                "SELECT key FROM recordings WHERE key = ? OR digest = ? ORDER BY number",
                [recording.id, recording.digest],
            ).fetchone()
            if known:
                return Stored(known[0], new=False, continues=continuation.before(database, known[0]))
            pen = self._pen(by)
            rows.enter(database, recording.id, recording.began, "uploaded", pen.at)
            rows.write(database, recording.id, list(zip(recording.events, recording.lines, strict=True)), pen)
            database.execute(
                "UPDATE recordings SET id = ?, digest = ?, ended = ? WHERE key = ?",
                [recording.id, recording.digest, int(recording.complete), recording.id],
            )
            return Stored(recording.id, new=True, continues=continuation.note(database, recording))

    def continuations(self, key: str) -> tuple[str | None, tuple[str, ...]]:
        """The key of the recording that an upload begins with, and those of the uploads that begin with this one."""
        with self._connections.reading() as database:
            return continuation.before(database, key), continuation.after(database, key)

    def list(
        self, cursor: int | None = None, limit: int = 50, *, shown_only: bool = False, oldest_first: bool = False
    ) -> Page:
        """The recordings, the newest first, from after `cursor`; `shown_only`: those their owner lets everybody see."""
        where = "number > ?" if oldest_first else "number < ?"
        where += " AND shown IS NOT NULL" if shown_only else ""
        begin, order = (0, "") if oldest_first else (1 << 62, " DESC")
        with self._connections.reading() as database:
            found = database.execute(
                f"SELECT {rows.COLUMNS} FROM recordings WHERE {where} ORDER BY number{order} LIMIT ?",  # noqa: S608
                [begin if cursor is None else cursor, limit + 1],
            ).fetchall()
        entries = tuple(rows.entry_of(row) for row in found[:limit])
        return Page(entries, entries[-1].number if len(found) > limit else None)

    def entry(self, key_or_id: str) -> Entry:
        """What the journal knows of one recording without reading it; `UnknownRecordingError` where there is none."""
        with self._connections.reading() as database:
            return rows.find(database, key_or_id)

    def headline(self, entry: Entry) -> str:
        """What the recording is called: its title, else who sat there; "" if that is erased or not as stored."""
        with self._connections.reading() as database:
            return rows.headline(database, entry)

    def load(self, key_or_id: str) -> Kept:
        """One recording, every byte of it held to its chain; `UnknownRecordingError` where there is none.
        `ChainBrokenError`, `MissingEventsError`: it is not what was stored (`log/chain-broken`, `log/missing-events`).
        """
        with self._connections.reading() as database:
            entry = rows.find(database, key_or_id)
            return Kept(entry, rows.recording(entry.key, rows.lines(database, entry)))

    def export(self, key_or_id: str) -> bytes:
        """The canonical file of one recording, byte for byte what its digest was taken of."""
        return b"".join(line + b"\n" for line in self.load(key_or_id).recording.lines)

    def links(self, key_or_id: str) -> tuple[tuple[int, Link], ...]:
        """Each event of a recording as it lies on disk, with its place among all leaves of the log."""
        with self._connections.reading() as database:
            return tuple(rows.links(database, rows.find(database, key_or_id)))

    def show(self, key_or_id: str, view: str | None) -> None:
        """Lets everybody see the recording in this view (`full`, `public`, `seat:K`), or nobody."""
        with self._connections.writing() as database:
            key = rows.find(database, key_or_id).key
            database.execute("UPDATE recordings SET shown = ? WHERE key = ?", [view, key])

    def erase(self, key_or_id: str) -> None:
        """Deletes the names of a recording for good; headers, chain and proofs still hold (`integrity.md`)."""
        with self._connections.writing() as database:
            if (entry := rows.find(database, key_or_id)).erased:
                return
            heads = [chain.read_header(link.header) for _, link in rows.links(database, entry)]
            lines = rows.lines(database, entry)
            named = [seq for seq, head in enumerate(heads) if head is not None and head.nh is not None]
            nameless = {str(seq): rows.nameless(lines[seq]).decode() for seq in named}
            database.execute("UPDATE recordings SET nameless = ? WHERE key = ?", [json.dumps(nameless), entry.key])
            database.execute("DELETE FROM people WHERE idx IN (SELECT idx FROM events WHERE rec = ?)", [entry.key])
        self._connections.sweep()

    def note_verdict(self, key: str, events: int, engine: str, rules: str, verdict: str) -> None:
        """Keeps a verdict beside those of other engines and rules; one that stands already is left alone."""
        with self._connections.writing() as database:
            stands = database.execute(
                "SELECT 1 FROM verdicts WHERE rec = ? AND events = ? AND engine = ? AND rules = ?",
                [key, events, engine, rules],
            ).fetchone()
            if not stands:
                database.execute(
                    "INSERT INTO verdicts (rec, events, engine, rules, verdict, at) VALUES (?, ?, ?, ?, ?, ?)",
                    [key, events, engine, rules, verdict, self._clock()],
                )

    def verdicts(self, key: str) -> tuple[dict[str, Any], ...]:
        """Every verdict kept of a recording: events, engine, rules (digest), verdict, at."""
        with self._connections.reading() as database:
            found = database.execute(
                "SELECT events, engine, rules, verdict, at FROM verdicts WHERE rec = ? ORDER BY events, engine, rules",
                [key],
            ).fetchall()
        return tuple(dict(zip(("events", "engine", "rules", "verdict", "at"), row, strict=True)) for row in found)

    def cases(self) -> Cases:
        """The cases kept beside the recordings."""
        return Cases(self._connections, self._clock)

    def size(self) -> tuple[int, int]:
        """How many events and recordings it holds."""
        with self._connections.reading() as database:
            size, count = database.execute("SELECT size, (SELECT count(*) FROM recordings) FROM tree").fetchone()
        return size, count

    def ready(self) -> None:
        """Raises why nothing could be written now: `RestoredError`, `StoreError`."""
        self._connections.ready()

    def now(self) -> int:
        """The journal's clock, in milliseconds since 1970."""
        return self._clock()

    def roles(self) -> Roles:
        """The role links of the recordings, and what is held."""
        return Roles(self._connections, self._clock, self._randomness)

    def _pen(self, by: str, command: str | None = None, request: str | None = None) -> Pen:
        return Pen(self.origin, by, self._clock(), self._randomness, command, request)


def _first_of(database: Database, key: str, command: str, request: str) -> int | None:
    """The `seq` of the first event a command wrote, None where it wrote none; `CommandReusedError`."""
    row = database.execute(
        "SELECT e.header, coalesce(p.body, q.body) FROM events e LEFT JOIN payloads p ON p.idx = e.idx "
        "LEFT JOIN people q ON q.idx = e.idx WHERE e.cmd = ?",
        [command],
    ).fetchone()
    header = chain.read_header(row[0]) if row else None
    if header is None:
        return None
    same = row[1] is None or header.rq == chain.salted(request, chain.nonce_of(row[1]))  # erased: see _answer_again
    if header.rec != key or not same:
        raise CommandReusedError(command)
    return header.seq


def _answer_again(
    recording: Recording, given: Sequence[bytes | Mapping[str, Any]], first: int, links: Sequence[tuple[int, Link]]
) -> Appended:
    """The answer a command was given when it was new."""
    last, begun = first, chain.read_header(links[first][1].header)
    while last < len(links) and (header := chain.read_header(links[last][1].header)) and begun:
        if header.rq != begun.rq:
            break
        last += 1
    if links[first][1].payload is None and not says_the_same(recording.lines[first:last], given):
        raise CommandReusedError(str(first))
    keyed = {event.id: event.seq for event in recording.events if event.id}
    unkeyed = iter([event.seq for event in recording.events[first:last] if not event.id])
    keys = [raw_of(each).get("id") for each in given]
    return Appended(tuple(keyed[key] if key in keyed else next(unkeyed) for key in keys), last, repeated=True)
