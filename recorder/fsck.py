"""Everything stored, verified anew: `razbor audit-log` rebuilds it all from the events and compares."""

import contextlib
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined] # the one sqlite-utils itself found

from recorder import anchor, chain, keys, merkle, rows
from recorder.address import Place
from recorder.checkpoint import Checkpoint, NoteError, Verifier, split
from recorder.database import store_of
from recorder.store import Database, StoreError

BROKEN: Final = chain.LogError.code
MISSING: Final = chain.MissingEventsError.code
MOST_FINDINGS: Final = 1000
"""No more is told of one journal."""
_EVENTS: Final = (
    "SELECT e.idx, e.rec, e.seq, e.type, e.at, e.cmd, e.header, e.leaf, p.body, q.body FROM events e "
    "LEFT JOIN payloads p ON p.idx = e.idx LEFT JOIN people q ON q.idx = e.idx ORDER BY e.idx"
)
_UNREADABLE: Final = (sqlite3.DatabaseError, StoreError, UnicodeDecodeError, OverflowError)
"""What SQLite and its driver raise at a spoiled file, and a server at spoiled tables."""
_KINDS: Final[dict[str, type]] = {"i": int, "t": str, "b": bytes}
_VIEW: Final = re.compile("full|public|seat:[1-9][0-9]?")


@dataclass(frozen=True, slots=True)
class LogFinding:
    """What is wrong (`log/chain-broken`, `log/missing-events`) and where: table or file, recording, event."""

    code: str
    place: str
    recording: str | None = None
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class LogAudit:
    """What stands in the log, recomputed, and everything that is wrong with how it is stored.

    `signed` checkpoints were verified; `unverified` ones have a signature for which no key is at hand; `unanchored` is
    how many events were signed where the anchor was asked and knows nothing of this log, else 0.
    """

    findings: tuple[LogFinding, ...]
    events: int
    recordings: int
    root: bytes
    signed: int
    unverified: int
    unanchored: int = 0


@dataclass(slots=True)
class _Course:
    """One recording as its events tell it."""

    number: int
    at: int
    count: int = 0
    previous: str | None = None
    first_line: bytes | None = None
    ended: bool = False
    erased: dict[int, bytes] = field(default_factory=dict)
    running: Any = field(default_factory=hashlib.sha256)
    digests: set[str] = field(default_factory=set)


def audit(
    place: Place, *, verifiers: Sequence[Verifier] | None = None, held: Sequence[str] = (), anchored: bool = True
) -> LogAudit:
    """Verifies a journal without changing it, as it stands at one moment, whoever writes meanwhile.

    `held` are signed checkpoints somebody kept: the log must go on from each. `verifiers` are the log's public keys, by
    default those beside the database; `anchored` says whether the anchor is asked. `FileNotFoundError`; `StoreError`
    where the server cannot be asked.
    """
    with store_of(place).at_one_moment() as database:
        return examine(database, place, verifiers=verifiers, held=held, anchored=anchored)


def examine(
    database: Database,
    place: Place,
    *,
    verifiers: Sequence[Verifier] | None = None,
    held: Sequence[str] = (),
    anchored: bool = True,
) -> LogAudit:
    """`audit` of an open database, in whatever state its connection sees."""
    work = _Audit(database)
    with work.part("file"):
        for flaw in store_of(place).flaws(database):
            work.find(flaw)
    with work.part("log"):
        work.read_origin()
    known = tuple(verifiers) if verifiers is not None else work.known(keys.directory(place))
    with work.part("checkpoints"):
        work.expect(known, held)
    with work.part("anchor"):
        work.expect_anchor(place if anchored else None, known)
    with work.part("events"):
        work.events()
    with work.part("recordings"):
        work.recordings()
    with work.part("continuations"):
        work.continuations()
    work.compare_roots()
    root = merkle.root(work.frontier)
    told = work.signed, work.unverified, work.unanchored
    return LogAudit(tuple(work.findings), work.size, len(work.courses), root, *told)


class _Audit:
    def __init__(self, database: Database) -> None:
        self._database = database
        self.origin = ""
        self.findings: list[LogFinding] = []
        self.courses: dict[str, _Course] = {}
        self.frontier: list[bytes] = []
        self.size = self.signed = self.unverified = self.unanchored = 0
        self._claims: list[tuple[str, int, bytes]] = []  # where it is claimed, at which size, which root
        self._roots: dict[int, bytes] = {0: merkle.EMPTY}

    def find(self, place: str, recording: str | None = None, seq: int | None = None, *, code: str = BROKEN) -> None:
        if len(self.findings) < MOST_FINDINGS:
            self.findings.append(LogFinding(code, place, recording, seq))

    @contextlib.contextmanager
    def part(self, place: str) -> Iterator[None]:
        """What cannot even be read is a finding."""
        try:
            yield
        except _UNREADABLE:
            self.find(place)

    def _rows(self, question: str, kinds: str) -> Iterator[tuple[Any, ...]]:
        """Rows whose values are of the kinds they should be, a capital where there may be none; a spoiled file has
        any. `StoreError` at the first other one.
        """
        for row in self._database.execute(question):
            for value, kind in zip(row, kinds, strict=True):
                if not isinstance(value, _KINDS[kind.lower()]) and (value is not None or kind.islower()):
                    raise StoreError("refused", "a value of another kind")
            yield row

    def read_origin(self) -> None:
        (self.origin,) = next(self._rows("SELECT origin FROM log", "t"), ("",))

    def known(self, folder: Path) -> tuple[Verifier, ...]:
        try:
            return keys.known(folder, self.origin)
        except keys.KeyOfAnotherLogError:
            self.find("log")
            return ()

    def expect(self, known: Sequence[Verifier], held: Sequence[str]) -> None:
        """Notes what every checkpoint says the root was."""
        for size, root, note in self._rows("SELECT size, root, note FROM checkpoints ORDER BY size", "ibt"):
            said = self._checkpoint("checkpoints", note, known)
            if said is not None and (said.size, said.root) != (size, root):
                self.find("checkpoints")
            self._claims.append(("checkpoints", size, root))
        for note in held:
            said = self._checkpoint("held", note, known)
            if said is not None:
                self._claims.append(("held", said.size, said.root))

    def _checkpoint(self, place: str, note: str, known: Sequence[Verifier]) -> Checkpoint | None:
        try:
            if known:
                found = Checkpoint.verified(note, known)
                self.signed += 1
            else:
                found = Checkpoint.parse(split(note)[0])
                self.unverified += 1
        except NoteError:
            self.find(place)
            return None
        if found.origin != self.origin:
            self.find(place)
            return None
        return found

    def expect_anchor(self, place: Place | None, known: Sequence[Verifier]) -> None:
        if place is None:
            return
        anchored = anchor.anchored_at(place, self.origin)
        self.unanchored = anchor.lost(self._database, anchored)
        if anchored is not None:
            said = self._checkpoint("anchor", anchored.note, known)
            if said is not None and (said.size, said.root) != (anchored.size, anchored.root):
                self.find("anchor")
            self._claims.append(("anchor", anchored.size, anchored.root))

    def events(self) -> None:
        wanted = {size for _, size, _ in self._claims}
        nodes = self._rows("SELECT id, hash FROM nodes ORDER BY id", "ib")
        node = 0
        for row in self._rows(_EVENTS, "ititiTbbBB"):
            if row[0] != self.size:
                self.find("events", row[1], row[2], code=MISSING)
                return
            leaf = self._event(row)
            self.frontier, stored = merkle.grow(self.size, self.frontier, leaf)
            self.size += 1
            for each in stored:
                if next(nodes, None) != (node, each):
                    self.find("nodes", row[1], row[2])
                node += 1
            if self.size in wanted:
                self._roots[self.size] = merkle.root(self.frontier)
        if next(nodes, None) is not None:
            self.find("nodes", code=MISSING)
        tree = list(self._rows("SELECT size, frontier FROM tree", "ib"))
        if tree != [(self.size, b"".join(self.frontier))]:
            self.find("tree", code=MISSING if tree and tree[0][0] > self.size else BROKEN)

    def _event(self, row: Sequence[Any]) -> bytes:
        """Verifies one row; the leaf its header has."""
        _, key, seq, kind, at, command, header, leaf, payload, people = row
        said, right = chain.read_header(header), merkle.leaf_hash(header)
        if said is None or said.v != chain.VERSION:
            self.find("events.header", key, seq)
            return right
        if (said.log, said.rec, said.seq, said.type, said.at, said.cmd) != (self.origin, key, seq, kind, at, command):
            self.find("events.header", key, seq)
        if leaf != right:
            self.find("events.leaf", key, seq)
        course = self.courses.setdefault(key, _Course(len(self.courses) + 1, at))
        if said.seq != course.count or said.prev != course.previous:
            self.find("events.chain", key, seq, code=MISSING if said.seq > course.count else BROKEN)
        course.count, course.previous = said.seq + 1, right.hex()
        course.ended |= said.type == "recording_ended"
        self._payload(course, said, header, payload, people)
        return right

    def _payload(
        self, course: _Course, said: chain.Header, header: bytes, payload: bytes | None, people: bytes | None
    ) -> None:
        personal = said.nh is not None
        body, other = (people, payload) if personal else (payload, people)
        if other is not None:
            self.find("payloads" if personal else "people", said.rec, said.seq)
        if body is None and personal:
            course.erased[said.seq] = header
            return
        if body is None:
            self.find("payloads", said.rec, said.seq, code=MISSING)
            return
        line = chain.line_of(body)
        if line is None or hashlib.sha256(body).hexdigest() != said.ph or not chain.is_told_by(said, line):
            self.find("people" if personal else "payloads", said.rec, said.seq)
            return
        if not rows.binds(said, line):
            self.find("events.header", said.rec, said.seq)
        if said.seq == 0:
            course.first_line = line
        course.running.update(line + b"\n")
        course.digests.add(course.running.hexdigest())

    def recordings(self) -> None:
        question = f"SELECT {rows.COLUMNS}, nameless FROM recordings ORDER BY number"  # noqa: S608
        found = list(self._rows(question, "itTTtttiiiTiT"))
        for row in found:
            entry = rows.entry_of(row[:-1])
            course = self.courses.get(entry.key)
            if course is None:
                self.find("events", entry.key, 0, code=MISSING)
                continue
            left = self._left(entry.key, course, row[-1])
            if course.count < entry.events:
                self.find("events", entry.key, course.count, code=MISSING)
            as_written = row[6] in ("live", "uploaded") and row[9] in (0, 1)
            if not as_written or not self._agrees(entry, course, left):
                self.find("recordings", entry.key)
        for key in self.courses.keys() - {row[1] for row in found}:
            self.find("recordings", key, code=MISSING)

    def continuations(self) -> None:
        """Which upload begins with which: both have that beginning, unless names were erased since."""
        for key, of, digest in self._rows("SELECT rec, of, digest FROM continuations ORDER BY rec", "ttt"):
            both = [self.courses.get(each) for each in (key, of)]
            if not all(each and (each.erased or digest in each.digests) for each in both):
                self.find("continuations", key)

    def _left(self, key: str, course: _Course, nameless: str | None) -> dict[str, str]:
        """What is left of the erased events of a recording, each held to its header."""
        try:
            left = json.loads(nameless or "{}")
        except ValueError:
            left = None
        if not isinstance(left, dict) or (nameless is not None and json.dumps(left) != nameless):
            self.find("recordings.nameless", key)
            return {}
        for seq, header in course.erased.items():
            line = left.get(str(seq))
            if nameless is None:
                self.find("people", key, seq, code=MISSING)
            elif not isinstance(line, str) or not rows.is_left_of(header, line.encode()):
                self.find("recordings.nameless", key, seq)
        if not {str(seq) for seq in course.erased} >= left.keys():
            self.find("recordings.nameless", key)
        return left

    @staticmethod
    def _agrees(entry: rows.Entry, course: _Course, left: dict[str, str]) -> bool:
        """Whether the list of recordings says of one what its events say."""
        line = course.first_line or str(left.get("0", "{}")).encode()
        try:
            began = json.loads(line)
            named = began.get("game"), began.get("rules", {}).get("preset")
        except (ValueError, AttributeError):
            return False
        told = entry.number, entry.at, entry.events, entry.ended, (entry.game, entry.preset)
        if told != (course.number, course.at, course.count, course.ended, named):
            return False
        uploaded = entry.arrived == "uploaded"
        if entry.id != (entry.digest and entry.digest[:16]) or uploaded != (entry.key == entry.id):
            return False
        if not course.erased and (entry.digest is None) == (uploaded or course.ended):
            return False
        if not course.erased and entry.digest is not None and entry.digest not in course.digests:
            return False
        return entry.shown is None or _VIEW.fullmatch(entry.shown) is not None

    def compare_roots(self) -> None:
        """What was signed against what is there."""
        for place, size, root in self._claims:
            if size > self.size:
                self.find(place, code=MISSING)
            elif self._roots.get(size) != root:
                self.find(place)
