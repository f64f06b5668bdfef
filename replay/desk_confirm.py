"""Confirmed and held settlements: a player says by his link that a hand was settled right, in the record itself, or
that he disputes it, beside the record."""

import secrets
from collections.abc import Sequence
from typing import Final

from recorder import confirm
from recorder.confirm import Confirmation
from recorder.journal import VersionConflictError
from recorder.rows import Entry
from replay.audit.amend import read
from replay.desk_live import Role, TableDesk
from schemas.events import HandBegan, Recording

_TRIES: Final = 50


class NoSettlementError(Exception):
    """No hand of this number has ended."""


class NoHandError(Exception):
    """No hand of this number has begun."""


def confirmations(tables: TableDesk, entry: Entry, upto: int | None = None) -> tuple[Confirmation, ...]:
    """What was confirmed at a table in its first `upto` events; of an upload, nothing: nobody knows who wrote it."""
    if entry.arrived != "live":
        return ()
    lines, writers = tables.journal.load(entry.key).recording.lines, tables.writers(entry.key)
    count = min(len(lines), len(writers)) if upto is None else upto
    return confirm.confirmations(lines[:count], writers[:count])


def open_hands(tables: TableDesk, entry: Entry, seat: int) -> tuple[int, ...]:
    """The hands that have ended and that this seat has not confirmed, or not since they were amended."""
    ends = confirm.settlements(tables.journal.load(entry.key).recording.lines)
    standing = {each.ended for each in confirmations(tables, entry) if each.seat == seat and each.amended is None}
    return tuple(hand for ended, hand in ends.items() if ended not in standing)


def confirm_hand(tables: TableDesk, key: str, hand: int, text: str, role: Role) -> bool:
    """Writes that this seat confirms the settlement of the last hand of this number; False where it stands already.

    `NoSettlementError` where no such hand has ended, `VersionConflictError` where others wrote first each time.
    """
    assert role.seat
    for _ in range(_TRIES):
        entry = tables.table(key)
        ends = confirm.settlements(tables.journal.load(key).recording.lines)
        ended = max((seq for seq, number in ends.items() if number == hand), default=None)
        if ended is None:
            raise NoSettlementError(hand)
        found = confirmations(tables, entry)
        if any((each.seat, each.ended, each.amended) == (role.seat, ended, None) for each in found):
            return False
        event = confirm.event(role.seat, ended, text, secrets.token_hex(8))
        try:
            tables.append(key, [event], entry.events, None, role)
        except VersionConflictError:
            continue
        tables.journal.settled()
        return True
    raise VersionConflictError(tables.table(key).events)


def hold_hand(tables: TableDesk, key: str, hand: int, text: str, role: Role, *, rule: bool) -> bool:
    """Holds the settlement of a hand, or rules on it; False where that is so already.

    `NoHandError` where no hand of this number has begun, as recorded or as amended.
    """
    events = tables.journal.load(key).recording.events
    begun = (event for event in (*events, *read(events, "amended")) if isinstance(event, HandBegan))
    if all(event.hand != hand for event in begun):
        raise NoHandError(hand)
    return (tables.roles.rule if rule else tables.roles.hold)(key, hand, role.actor, text)


def only_confirmed_since(recording: Recording, writers: Sequence[str], version: int) -> bool:
    """Whether nothing but confirmations was written after this version: who did not see them missed nothing of the
    game, and may go on."""
    count = min(len(recording.lines), len(writers))
    confirmed = {each.seq for each in confirm.confirmations(recording.lines[:count], writers[:count])}
    return 0 < version < count and confirmed >= set(range(version, count))
