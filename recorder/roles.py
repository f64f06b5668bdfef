"""Who may do what with a recording: links that are tokens, each with a role; and what is held until it is ruled.

A token itself is never stored, only its hash. A link can be revoked, and stays in the table, for events name it.
"""

import base64
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from recorder import rows
from recorder.database import Connections

OPERATOR: Final = "operator"
SCRIBE: Final = "scribe"
ARBITER: Final = "arbiter"
PUBLIC: Final = "public"
_BYTES: Final = 18


class UnknownLinkError(KeyError):
    """The recording has no link of this number."""


@dataclass(frozen=True, slots=True)
class RoleLink:
    """One link: its number, the recording's key (empty for an operator), its role, whether it was revoked.

    `role` is `operator`, `scribe`, `arbiter` or `seat:K`.
    """

    number: int
    key: str
    role: str
    revoked: bool

    @property
    def actor(self) -> str:
        """What the journal notes of whoever writes with this link.

        >>> RoleLink(7, "0" * 16, "scribe", False).actor
        'scribe/7'
        """
        return f"{self.role}/{self.number}"


@dataclass(frozen=True, slots=True)
class NewLink:
    """A link just made, with its token: the one time that it is seen."""

    link: RoleLink
    token: str


@dataclass(frozen=True, slots=True)
class Hold:
    """A settlement that is held: the hand's number, who holds it (an actor), why, when, and the ruling with who
    made it, None as long as there is none. `at` is in milliseconds since 1970.
    """

    hand: int
    by: str
    text: str
    at: int
    ruling: str | None
    ruled_by: str | None


class Roles:
    """The role links and holds of the recordings of one journal."""

    def __init__(self, connections: Connections, clock: Callable[[], int], randomness: Callable[[int], bytes]) -> None:
        self._connections = connections
        self._clock = clock
        self._randomness = randomness

    def make(self, key: str, roles: Sequence[str]) -> tuple[NewLink, ...]:
        """New links of one recording, or of an operator where `key` is empty."""
        made = []
        with self._connections.writing() as database:
            if key:
                key = rows.find(database, key).key
            for role in roles:
                token = base64.urlsafe_b64encode(self._randomness(_BYTES)).decode().rstrip("=")
                number = database.execute("SELECT coalesce(max(number), 0) + 1 FROM role_links").fetchone()[0]
                database.execute(
                    "INSERT INTO role_links (number, rec, role, hash, at) VALUES (?, ?, ?, ?, ?)",
                    [number, key, role, _hash(token), self._clock()],
                )
                made.append(NewLink(RoleLink(number, key, role, revoked=False), token))
        return tuple(made)

    def find(self, key: str, token: str) -> RoleLink | None:
        """The link of this token, if it is one of the recording or of an operator, and was not revoked."""
        with self._connections.reading() as database:
            row = database.execute(
                "SELECT number, rec, role FROM role_links WHERE hash = ? AND rec IN (?, '') AND revoked IS NULL",
                [_hash(token), key],
            ).fetchone()
        return RoleLink(row[0], row[1], row[2], revoked=False) if row else None

    def links(self, key: str) -> tuple[RoleLink, ...]:
        """Every link ever made of a recording, in that order."""
        with self._connections.reading() as database:
            found = database.execute(
                "SELECT number, rec, role, revoked IS NOT NULL FROM role_links WHERE rec = ? ORDER BY number", [key]
            ).fetchall()
        return tuple(RoleLink(number, rec, role, bool(revoked)) for number, rec, role, revoked in found)

    def revoke(self, key: str, number: int) -> None:
        """The link opens nothing any more; a second time changes nothing. `UnknownLinkError`."""
        with self._connections.writing() as database:
            known = database.execute("SELECT 1 FROM role_links WHERE rec = ? AND number = ?", [key, number]).fetchone()
            if known is None:
                raise UnknownLinkError(number)
            database.execute(
                "UPDATE role_links SET revoked = ? WHERE number = ? AND revoked IS NULL", [self._clock(), number]
            )

    def delay_by(self, key: str, seconds: int) -> None:
        """So many seconds later spectators see what is written from now on."""
        with self._connections.writing() as database:
            database.execute("INSERT INTO spectators (rec, delay) VALUES (?, ?)", [key, seconds])

    def delay(self, key: str) -> int:
        """How many seconds later spectators see an event; 0 where nothing was said."""
        with self._connections.reading() as database:
            row = database.execute("SELECT delay FROM spectators WHERE rec = ?", [key]).fetchone()
        return int(row[0]) if row else 0

    def hold(self, key: str, hand: int, by: str, text: str) -> bool:
        """Marks the settlement of a hand as held; False where it is held already, and nothing changes."""
        return self._hold(key, hand, "held", by, text)

    def rule(self, key: str, hand: int, by: str, text: str) -> bool:
        """Rules on a held settlement; False where none is held."""
        return self._hold(key, hand, "ruled", by, text)

    def _hold(self, key: str, hand: int, act: str, by: str, text: str) -> bool:
        with self._connections.writing() as database:
            last = database.execute(
                "SELECT act FROM holds WHERE rec = ? AND hand = ? ORDER BY idx DESC LIMIT 1", [key, hand]
            ).fetchone()
            if ((last[0] if last else "ruled") == "held") == (act == "held"):
                return False
            database.execute(
                "INSERT INTO holds (idx, rec, hand, act, by, text, at) "
                "VALUES ((SELECT coalesce(max(idx), -1) + 1 FROM holds), ?, ?, ?, ?, ?, ?)",
                [key, hand, act, by, text, self._clock()],
            )
            return True

    def holds(self, key: str) -> tuple[Hold, ...]:
        """What was held of a recording, in that order, with the ruling where there is one."""
        with self._connections.reading() as database:
            found = database.execute(
                "SELECT hand, act, by, text, at FROM holds WHERE rec = ? ORDER BY idx", [key]
            ).fetchall()
        holds: list[Hold] = []
        for hand, act, by, text, at in found:
            if act == "held":
                holds.append(Hold(hand, by, text, at, None, None))
                continue
            place = next(spot for spot in range(len(holds) - 1, -1, -1) if holds[spot].hand == hand)
            held = holds[place]
            holds[place] = Hold(hand, held.by, held.text, held.at, text, by)
        return tuple(holds)


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
