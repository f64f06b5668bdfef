"""Cases kept beside a recording: what is claimed, who says what of it, how it was ruled. They never change a recording.

Every change of a case is one more row; a row once written stays as it is.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from recorder import rows
from recorder.database import Connections


class UnknownCaseError(KeyError):
    """The recording has no case of this number."""


class CaseMovedError(Exception):
    """The case has another number of entries than the writer saw; `current` says how many."""

    def __init__(self, current: int) -> None:
        super().__init__(str(current))
        self.current = current


class CaseClosedError(Exception):
    """A case that was withdrawn takes no more entries."""


@dataclass(frozen=True, slots=True)
class CaseEntry:
    """One row of a case: its place in it from 0, when (milliseconds since 1970), what was done, and what was said."""

    turn: int
    at: int
    act: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """A case of a recording, by its number from 1, with all its entries in order; the first one opened it."""

    number: int
    entries: tuple[CaseEntry, ...]

    @property
    def state(self) -> str:
        """`open`, `ruled` or `withdrawn`.

        >>> Case(1, (CaseEntry(0, 0, "opened", {}), CaseEntry(1, 0, "ruled", {}), CaseEntry(2, 0, "quoted", {}))).state
        'ruled'
        """
        acts = [entry.act for entry in self.entries]
        if "withdrawn" in acts:
            return "withdrawn"
        return "ruled" if "ruled" in acts else "open"


class Cases:
    """The cases in a journal's database."""

    def __init__(self, connections: Connections, clock: Callable[[], int]) -> None:
        self._connections = connections
        self._clock = clock

    def of(self, key_or_id: str) -> tuple[Case, ...]:
        """All cases of a recording, the oldest first; `UnknownRecordingError` where there is no such recording."""
        found: dict[int, list[CaseEntry]] = {}
        with self._connections.reading() as database:
            key = rows.find(database, key_or_id).key
            for number, turn, at, act, body in database.execute(
                "SELECT number, turn, at, act, body FROM cases WHERE rec = ? ORDER BY number, turn", [key]
            ):
                found.setdefault(number, []).append(CaseEntry(turn, at, act, json.loads(body)))
        return tuple(Case(number, tuple(entries)) for number, entries in found.items())

    def open(self, key_or_id: str, body: Mapping[str, Any]) -> int:
        """Begins a case; its number."""
        with self._connections.writing() as database:
            key = rows.find(database, key_or_id).key
            last = database.execute("SELECT coalesce(max(number), 0) FROM cases WHERE rec = ?", [key]).fetchone()[0]
            self._write(database, key, last + 1, 0, "opened", body)
            return int(last) + 1

    def add(self, key_or_id: str, number: int, act: str, body: Mapping[str, Any], expected: int | None = None) -> None:
        """One more entry of a case.

        `UnknownCaseError`; `CaseClosedError` where it was withdrawn; `CaseMovedError` where it has not `expected`
        entries.
        """
        with self._connections.writing() as database:
            key = rows.find(database, key_or_id).key
            acts = [
                row[0]
                for row in database.execute(
                    "SELECT act FROM cases WHERE rec = ? AND number = ? ORDER BY turn", [key, number]
                )
            ]
            if not acts:
                raise UnknownCaseError(number)
            if "withdrawn" in acts:
                raise CaseClosedError(number)
            if expected is not None and expected != len(acts):
                raise CaseMovedError(len(acts))
            self._write(database, key, number, len(acts), act, body)

    def _write(self, database: Any, key: str, number: int, turn: int, act: str, body: Mapping[str, Any]) -> None:
        said = json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        database.execute(
            "INSERT INTO cases (idx, rec, number, turn, at, act, body) "
            "SELECT coalesce(max(idx), -1) + 1, ?, ?, ?, ?, ?, ? FROM cases",
            [key, number, turn, self._clock(), act, said],
        )
