"""Who took what in a hand of Bourré, who is bourré, what each seat owes, and which plays broke a duty."""

from collections.abc import Sequence
from itertools import dropwhile
from typing import Any

from replay.audit.stand import Stand, Way
from replay.engine.bourre.laws import BROKEN, KEPT, OPEN, Duty
from schemas.events import Dealt, Drew, Event, PotTaken, Revealed, Staked
from schemas.rules import BourrePays, Debt


def bourre_part(stand: Stand) -> dict[str, Any]:
    """What the answer says of a hand of Bourré: by seat, tricks, bourré, share, what it owes, and its duties."""
    players = sorted(stand.table.players) or stand.seats
    return {"seats": {str(seat): _seat(stand, seat) for seat in players}}


def _seat(stand: Stand, seat: int) -> dict[str, Any]:
    dark = stand.dark
    spans = [tricks_of(way, seat) for way in stand.ways]
    dues = {due_of(stand, way, seat) for way in stand.ways}
    share, owes = (None if dark or len(dues) > 1 else dues.pop()) or (None, None)
    return {
        "tricks": {
            "low": None if dark else min(low for low, _ in spans),
            "high": None if dark else max(high for _, high in spans),
        },
        "bourre": "open" if dark else _is_bourre(stand, seat),
        "share": share,
        "owes": owes,
        "duties": duties_of(stand, seat),
    }


def tricks_of(way: Way, seat: int) -> tuple[int, int]:
    """The least and greatest number of tricks the seat may have taken so far."""
    won = sum(trick.taker == seat for trick in way.table.tricks)
    return won, won + sum(seats >> seat & 1 for _, seats in way.table.unsure)


def due_of(stand: Stand, way: Way, seat: int) -> tuple[int, int] | None:
    """The chips of the seat's share of the pot and those it owes to the next; None before the end of the hand."""
    table = way.table
    if not table.decided:
        return (0, 0) if stand.over and not stand.dark else None
    share, owes = table.share_and_debt(seat)
    forgiven = way.rules.debt is Debt.CAPPED or way.rules.bourre_pays is BourrePays.CAPPED_AT_STACK
    if owes and forgiven and table.capped:
        owes = min(owes, max(0, table.stack[seat] + _paid(stand.events, seat)))
    return share, owes


def _paid(events: Sequence[Event], seat: int) -> int:
    """What has gone from the seat since the hand was decided: its penalty, less what it took from the pot."""
    paid = 0
    for event in events:
        if isinstance(event, Staked) and event.seat == seat and event.why == "bourre":
            paid += event.amount
        elif isinstance(event, PotTaken) and event.seat == seat:
            paid -= event.amount
    return paid


def _is_bourre(stand: Stand, seat: int) -> str:
    """`must` where the hand is played out and the seat stayed without a trick; `cannot` where it folded, took one, or
    the hand ended without play."""
    answers = set()
    for way in stand.ways:
        table = way.table
        if table.decided or stand.over:
            answers.add("must" if table.bourre_now >> seat & 1 else "cannot")
        elif tricks_of(way, seat)[0] or table.folded_mask() >> seat & 1:
            answers.add("cannot")
        else:
            answers.add("open")
    return answers.pop() if len(answers) == 1 else "open"


def duties_of(stand: Stand, seat: int) -> list[dict[str, Any]]:
    """Every play of the seat that had a duty, as played; open is one that some of the ways break and others do not."""
    told: dict[int, list[Duty]] = {}
    for way in stand.ways:
        for duty in way.table.duties():
            if duty.seat == seat:
                told.setdefault(duty.seq, []).append(duty)
    places = {event.seq: at for at, event in enumerate(stand.events)}
    return [_duty_row(stand, told[seq]) for seq in sorted(told, key=lambda seq: places.get(seq, -1))]


def _duty_row(stand: Stand, said: Sequence[Duty]) -> dict[str, Any]:
    """What the ways say of one play, as one: of those that do not keep it, the one that leaves the fewest cards right,
    and of these the ones that are right in each of them.

    A way that knows no duty there breaks none.
    """
    answers = {duty.answer for duty in said} | ({KEPT} if len(said) < len(stand.ways) else set())
    answers |= {OPEN} if stand.cut else set()
    answer = answers.pop() if len(answers) == 1 else OPEN
    not_kept = [each for each in said if each.answer != KEPT]
    duty = min(not_kept, key=lambda each: len(each.would_have)) if not_kept else said[0]
    right = [card for card in duty.would_have if all(card in each.would_have for each in not_kept or said)]
    proved_by = duty.proved_by if answer == BROKEN else None
    if answer == BROKEN and proved_by is None:
        proved_by = _revealed_by(stand, duty.seat, duty.seq, right)
    return {
        "seq": duty.seq,
        "duty": duty.duty,
        "answer": answer,
        "would_have": right,
        "proved_by": proved_by,
    }


def _revealed_by(stand: Stand, seat: int, seq: int, cards: Sequence[str]) -> int | None:
    """The reveal after the play that shows one of these cards was held; None where that was on record anyway."""
    own = {event.seq: event for event in stand.recorded if isinstance(event, Dealt | Drew) and event.seat == seat}
    if any(card in event.cards for event in own.values() for card in cards):
        return None
    after = dropwhile(lambda event: event.seq != seq, stand.events)
    return next(
        (
            event.seq
            for event in after
            if isinstance(event, Revealed) and event.of in own and set(cards) & set(event.cards)
        ),
        None,
    )
