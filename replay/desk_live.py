"""The desk of a recording that is still being written: who may write, who sees what, who waits for what comes next."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from recorder import chain, confirm
from recorder.decode import WEB, Limits
from recorder.journal import Appended, EventsRefusedError, Journal, RestoredError, VersionConflictError
from recorder.roles import ARBITER, OPERATOR, PUBLIC, SCRIBE, Hold, NewLink, Roles
from recorder.rows import Entry, UnknownRecordingError
from replay import desk
from replay.audit import effort
from replay.audit.amend import read
from replay.audit.report import audit, report
from replay.audit.sight import FULL, redact
from replay.desk_journal import MOST_STEPS_OF_A_ROW, JournalDesk
from replay.desk_kept import Remembered
from replay.desk_match import match_so_far
from replay.views.sources import HandScore, Match
from schemas import wire
from schemas.events import HandBegan, HandEnded, PlayerJoined, Recording
from schemas.rules import HouseRules

__all__ = ["NOBODY", "NewTable", "RestoredError", "Role", "Stretch", "TableDesk"]

MOST_SEEN: Final = 128
LONGEST_NAP: Final = 1.0
"""Seconds after which a waiter looks again by himself: another process may have written."""
LONGEST_DELAY: Final = 3600


@dataclass(frozen=True, slots=True)
class Role:
    """Who asks: `operator`, `scribe`, `arbiter`, `seat:K` or `public`, and what the journal notes of what he writes."""

    name: str
    actor: str

    @property
    def view(self) -> str:
        """What this role sees of a recording that is still being written."""
        return FULL if self.name in (OPERATOR, SCRIBE, ARBITER) else self.name

    @property
    def writes(self) -> bool:
        """Whether this role may append events and make links."""
        return self.name in (OPERATOR, SCRIBE)

    @property
    def rules(self) -> bool:
        """Whether this role may rule on a settlement that is held."""
        return self.name in (OPERATOR, ARBITER)

    @property
    def holds(self) -> bool:
        """Whether this role may hold a settlement: who plays, and who rules."""
        return self.name not in (PUBLIC, SCRIBE)

    @property
    def seat(self) -> int:
        """The seat this role plays, 0 where it plays none; who plays may confirm a settlement."""
        return int(self.name.removeprefix("seat:")) if self.name.startswith("seat:") else 0


NOBODY: Final = Role(PUBLIC, PUBLIC)


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table just made, and its links: the one time that their tokens are seen."""

    entry: Entry
    links: tuple[NewLink, ...]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some events as a view may have them, the version that view has, and whether its last event is there."""

    events: tuple[Mapping[str, Any], ...]
    version: int
    ended: bool


def _scored(seen: Recording, house: HouseRules) -> Match:
    events = read(seen.events, "amended")
    try:
        with effort.at_most(MOST_STEPS_OF_A_ROW):
            found = match_so_far(audit(seen, house).results, events, house)
    except effort.TooLongError:
        hand, over = 0, list[HandScore]()
        for event in events:
            if isinstance(event, HandBegan):
                hand = event.hand
            elif isinstance(event, HandEnded):
                over.append(HandScore(hand, event.seq, None))
        found = Match(house.match_to, tuple(over))
    assert found
    return found


def _nobody(_key: str) -> Role:
    return NOBODY


class TableDesk(JournalDesk):
    """A desk that also writes. `viewer` says who asks for a recording in this very request, `guest` the same but never
    refuses a token; the web sets both."""

    def __init__(
        self, journal: Journal, *, open_house: bool = False, limits: Limits = WEB, require_token: bool = False
    ) -> None:
        super().__init__(journal, open_house=open_house, limits=limits)
        self.require_token = require_token
        self.viewer: Callable[[str], Role] = _nobody
        self.guest: Callable[[str], Role] = _nobody
        self.roles: Roles = journal.roles()
        self._now: Remembered[tuple[str, int, bool, str], Recording] = Remembered(
            MOST_SEEN, lambda seen: len(seen.events)
        )
        self._scored: Remembered[str, Match] = Remembered(MOST_SEEN, lambda match: len(match.hands))
        self._moved = threading.Condition()

    # -- who --------------------------------------------------------------------------------------------------------

    def link(self, key: str, role: str) -> NewLink | None:
        """One more link; none for a seat that nobody holds or ever held."""
        whole = self.journal.load(key).recording
        joined = {event.seat for event in read(whole.events, "amended") if isinstance(event, PlayerJoined)}
        seats = joined | desk.names_of(whole).keys()
        if role.startswith("seat:") and int(role.removeprefix("seat:")) not in seats:
            return None
        return self.roles.make(key, [role])[0]

    def role(self, key: str, token: str) -> Role | None:
        """Whom a token makes of its bearer at this table; an operator's has no table (`key` may be empty)."""
        link = self.roles.find(key, token)
        return Role(link.role, link.actor) if link else None

    def _views(self, entry: Entry) -> tuple[str, ...]:
        """A recording still being written is shown by role alone, a finished one whole to who has any role in it."""
        if entry.arrived != "live":
            return super()._views(entry)
        role = self.viewer(entry.key)
        widest = role.view
        if entry.ended:
            widest = FULL if self._is_held(entry) else entry.shown or PUBLIC
        return self._views_within(entry, widest)

    def _is_held(self, entry: Entry) -> bool:
        """The address of a table is known to its spectators: it is no private link."""
        if entry.arrived != "live":
            return super()._is_held(entry)
        known = self.viewer(entry.key) is not NOBODY or entry.key in self._held.get()
        return entry.ended and (self.open_house or known)

    def names(self, begun: str) -> bool:
        """Of a live recording only who sees all its cards is told: else a hidden card is guessed upload by upload."""
        entry = self.journal.entry(begun)
        if entry.arrived != "live":
            return True
        role = self.guest(entry.key)
        may = self.open_house or entry.shown == FULL or role is not NOBODY or entry.key in self._held.get()
        return role.view == FULL or (entry.ended and may)

    def seat_of(self, id_: str) -> int:
        """Whose link a player came by speaks for his seat alone; the recording's own private link binds nobody."""
        entry = self._entry(id_)
        if entry is None or entry.arrived != "live" or entry.key in self._held.get():
            return 0
        return self.viewer(entry.key).seat

    def _entry(self, id_: str) -> Entry | None:
        """A table that spectators see later is shown to them where they watch, nowhere else, until it ends."""
        entry = super()._entry(id_)
        if entry is None or entry.arrived != "live" or entry.ended or self.viewer(entry.key).view != PUBLIC:
            return entry
        return None if self.roles.delay(entry.key) else entry

    # -- writing ----------------------------------------------------------------------------------------------------

    def create(self, header: bytes | Mapping[str, Any], delay: int, by: str) -> NewTable:
        """A new table with a link for the scribe, the arbiter and each seat; `EventsRefusedError`.

        Spectators see it `delay` seconds later.
        """
        entry = self.journal.create(header, by=by)
        if delay:
            self.roles.delay_by(entry.key, delay)
        seats = len(self.journal.load(entry.key).recording.began.seats)
        made = self.roles.make(entry.key, [SCRIBE, ARBITER, *(f"seat:{seat}" for seat in range(1, seats + 1))])
        return NewTable(entry, made)

    def append(
        self, key: str, given: Sequence[bytes | Mapping[str, Any]], version: int, command: str | None, role: Role
    ) -> Appended:
        """Events at the end, all or none; everybody who waits for them is woken. Raises what `Journal.append` does, and
        `VersionConflictError` for events that cannot be judged because others are not there yet.
        """
        scoped = f"{key}:{command}" if command is not None else None
        try:
            answer = self._append(key, given, version, scoped, role)
        except EventsRefusedError as error:
            current = self.journal.entry(key).events
            if current != version:  # what comes too early cannot be judged yet
                raise VersionConflictError(current) from error
            raise
        with self._moved:
            self._moved.notify_all()
        return answer

    def _append(
        self, key: str, given: Sequence[bytes | Mapping[str, Any]], version: int, command: str | None, role: Role
    ) -> Appended:
        """Appends; events that were refused too early, while others or their own second delivery came, once more."""
        try:
            return self.journal.append(key, given, version, command, by=role.actor)
        except EventsRefusedError:
            if self.journal.entry(key).events < version:
                raise
            return self.journal.append(key, given, version, command, by=role.actor)

    # -- reading ----------------------------------------------------------------------------------------------------

    def table(self, key: str) -> Entry:
        """What the journal knows of a table; `UnknownRecordingError` also where it is no live recording."""
        entry = self.journal.entry(key)
        if entry.arrived != "live":
            raise UnknownRecordingError(key)
        return entry

    def recording(self, entry: Entry, view: str) -> Recording:
        """The recording as a view may have it now; of the public one, as much as is old enough."""
        shown = self._shown(entry, view)
        at = (entry.key, shown, entry.erased, view)
        seen = self._now.get(at)
        if seen is None:
            whole = self.journal.load(entry.key).recording
            upto = shown - 1 if shown < len(whole.events) else None
            seen = self._now.put(at, redact(whole, view, desk.house_of(whole).rules, upto))
        return seen

    def _shown(self, entry: Entry, view: str) -> int:
        """How many events a view may have by now."""
        delay = self.roles.delay(entry.key) if view == PUBLIC else 0
        if not delay:
            return entry.events
        until = self.journal.now() - delay * 1000
        heads = [chain.read_header(link.header) for _, link in self.journal.links(entry.key)]
        return max(1, sum(1 for head in heads if head is not None and head.at <= until))

    def stretch(self, entry: Entry, view: str, after: int, most: int) -> Stretch:
        """At most so many events after number `after` (-1: from the first)."""
        seen = self.recording(entry, view)
        picked = seen.events[after + 1 : after + 1 + most]
        return Stretch(tuple(wire.object_of(event) for event in picked), len(seen.events), seen.complete)

    def judged(self, entry: Entry, view: str) -> dict[str, Any]:
        """The report of a table so far, in a view."""
        seen = self.recording(entry, view)
        return report(audit(seen, desk.house_of(seen)))

    def scored(self, entry: Entry, view: str) -> Match | None:
        """The match points of a table so far, where they are played for; none is settled of what takes too long."""
        seen = self.recording(entry, view)
        house = desk.house_of(seen)
        if not house.for_points:
            return None
        found = self._scored.get(seen.digest)
        return found or self._scored.put(seen.digest, _scored(seen, house))

    def held_settlements(self, entry: Entry, view: str) -> tuple[Hold, ...]:
        """The settlements that are or were held; whoever sees the table later is told with the end of the hand."""
        found = self.roles.holds(entry.key)
        if view != PUBLIC or not self.roles.delay(entry.key):
            return found
        ended = set(confirm.settlements(self.recording(entry, view).lines).values())
        return tuple(hold for hold in found if hold.hand in ended)

    def wait(self, key: str, version: int, view: str, seconds: float) -> Entry:
        """The table as soon as this view may have more than `version` events, or after so many seconds."""
        entry = self.journal.entry(key)
        while seconds > 0 and self._shown(entry, view) <= version:
            with self._moved:
                self._moved.wait(min(LONGEST_NAP, seconds))
            seconds -= LONGEST_NAP
            entry = self.journal.entry(key)
        return entry
