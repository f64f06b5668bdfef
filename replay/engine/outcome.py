"""What a hand came to: frozen, as the report shows it."""

from typing import Any

import msgspec


class TrickResult(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One trick: who led, who took (0 = not known), the seqs of its plays, the points in it (low, high)."""

    trick: int
    leader: int
    taker: int
    seqs: tuple[int, ...]
    low: int
    high: int


class SeatResult(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One seat in one hand: points of its pile (Bura) or tricks (Bourré), and what its chips changed by."""

    low: int | None
    high: int | None
    tricks: int | None
    net_recorded: int
    net_due: int | None


class HandResult(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One hand as it should have gone, given what was dealt, played, declared and opened; None where not known.

    Chips: `pot_before` lay there when it began, `pot` was due at its largest, `pot_after` is left for the next hand.
    `score` are match points won, by seat; None where they are not known, or none are played for.
    """

    hand: int
    seq: int
    end: int
    dealer: int
    trump: str | None
    pot_before: int | None
    pot: int | None
    pot_after: int | None
    reason: str | None
    takers: tuple[int, ...] | None
    tricks: tuple[TrickResult, ...]
    seats: dict[int, SeatResult]
    score: dict[int, int] | None = None
    facts: Any = None
