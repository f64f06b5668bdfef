"""Who really had 31: bounds, clocks, whose word settles it, the rightful taker, and what each seat is owed.

All of it from one viewpoint, at the end of a hand or at one event of it, as `razbor-dispute/1` (`report.md` 5).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from replay.audit.amend import Reading, read
from replay.audit.dispute_bourre import bourre_part
from replay.audit.dispute_bura import bura_part
from replay.audit.fold import Fold
from replay.audit.matrix import matrix
from replay.audit.placings import OF_THE_CARDS
from replay.audit.scene import Scene
from replay.audit.sight import redact
from replay.audit.stand import Moment, NoSuchMomentError, Span, Stand, Way, span_of, stand_of
from replay.audit.testimony import (
    Heard,
    Word,
    Words,
    as_reveals,
    candidates_in,
    each_naming,
    faces_of,
    hear,
    hear_plainly,
    thrown_as_said,
    words_of,
)
from schemas.events import Discarded, Event, Recording
from schemas.rules import BuraRules, HouseRules

__all__ = ["FORMAT", "Moment", "NoSuchMomentError", "dispute", "stand_at"]

FORMAT: Final = "razbor-dispute/1"
NOTHING_HEARD: Final = Heard({}, ())


def dispute(recording: Recording, house: HouseRules, moment: Moment, reading: Reading = "amended") -> dict[str, Any]:
    """The dispute of one hand as plain data; `NoSuchMomentError` where there is no such hand or event."""
    stand = stand_at(recording, house, moment, reading)
    answer: dict[str, Any] = {
        "format": FORMAT,
        "recording": recording.id,
        "hand": moment.hand,
        "at": moment.at if moment.at is not None else _last_seq(stand.span),
        "view": moment.view,
    }
    if isinstance(house.rules, BuraRules):
        answer |= bura_part(stand, house.rules, house.unrecorded)
    else:
        answer |= bourre_part(stand)
    answer |= {"rightful": _rightful(stand), "remedy": _remedy(stand)}
    answer["rules"] = matrix(stand, house)
    answer["contradictions"] = [{"seat": seat, "seq": seq} for seat, seq in stand.heard.contradictions]
    return answer


def stand_at(recording: Recording, house: HouseRules, moment: Moment, reading: Reading = "amended") -> Stand:
    """The hand at that moment, seen from there, believing whom it believes; `NoSuchMomentError`."""
    seen = redact(recording, moment.view, house.rules)
    span = span_of(seen.events, read(seen.events, reading), moment)
    stand = stand_of(span, house, NOTHING_HEARD)
    if moment.believe and not stand.dark:
        words = words_of(read(seen.events, reading), moment.believe, {event.seq for event in stand.events})
        if isinstance(house.rules, BuraRules):
            heard = _hear(stand, words)
            return stand_of(span, house, heard, stand) if heard.masks else replace(stand, heard=heard)
        return _told(stand, words, house)
    return stand


def _last_seq(span: Span) -> int:
    """The number of the event that closes the hand, or of its last one."""
    return span.events[span.end - 1].seq


def _told(stand: Stand, words: Sequence[Word], house: HouseRules) -> Stand:
    """The hand of Bourré with what is heard taken for turned up; what cannot be there is told and left out.

    Where candidates were heard of a card, it is each of them in turn that can be there.
    """
    told = _taken(stand, words, hear_plainly(words, faces_of(stand.events)), house)
    masks, known = told.heard.masks, told.heard.contradictions

    def ways_with(keys: Sequence[tuple[int, int]]) -> list[Stand]:
        named = [_taken(stand, words, Heard(each, known), house) for each in each_naming(masks, keys)]
        return [each for each in named if each.heard.contradictions == known]

    candidates = candidates_in(masks)
    spoken = {of for of, _ in candidates}
    false = {of for of in spoken if len(spoken) > 1 and not ways_with([key for key in candidates if key[0] == of])}
    keys = [key for key in candidates if key[0] not in false]
    stands = ways_with(keys) if keys else []
    false |= set() if stands else {of for of, _ in keys}
    wrong = {(word.seat, word.seq) for word in words if false & {of for of, _ in word.masks}}
    told = replace(told, heard=Heard(masks, tuple(sorted({*known, *wrong}))), namings=tuple(stands))
    return replace(told, ways=tuple(way for each in stands for way in each.ways)) if stands else told


def _taken(stand: Stand, words: Sequence[Word], heard: Heard, house: HouseRules) -> Stand:
    """The same, a card of which no face says what was heard left unseen."""
    reveals = as_reveals(heard, max(event.seq for event in stand.span.events))
    named = Fold((*stand.span.events, *reveals), house)
    told = {each.seq for each in named.told}
    wrong = {reveal.of for reveal in reveals if reveal.seq in told}
    false = [(word.seat, word.seq) for word in words if wrong & {of for of, _ in word.masks}]
    heard = Heard(heard.masks, tuple(sorted({*heard.contradictions, *false})))
    kept = [reveal for reveal in reveals if reveal.of not in wrong]
    plain = (*stand.span.events, *kept)
    events, false_throws = _thrown_as_said(plain, heard.masks, house)
    false = [(word.seat, word.seq) for word in words if false_throws & {of for of, _ in word.masks}]
    heard = Heard(heard.masks, tuple(sorted({*heard.contradictions, *false})))
    if not kept and events == plain:
        return replace(stand, heard=heard)
    return replace(stand_of(replace(stand.span, events=events), house, NOTHING_HEARD), heard=heard)


def _thrown_as_said(events: tuple[Event, ...], said: Words, house: HouseRules) -> tuple[tuple[Event, ...], set[int]]:
    """The events with the cards thrown away that words name; and the seqs of throws that cannot have been so."""
    named = {event.seq: thrown_as_said(event, said) for event in events if isinstance(event, Discarded)}
    false: set[int] = set()
    if any(named[event.seq] != event for event in events if event.seq in named):
        found = Fold(tuple(named.get(event.seq, event) for event in events), house).run().findings
        false = {each.seq for each in found if each.code in OF_THE_CARDS and each.seq in named}
        found = Fold(events, house).run().findings if false else ()
        false -= {each.seq for each in found if each.code in OF_THE_CARDS}
    heard = tuple(event if event.seq in false else named.get(event.seq, event) for event in events)
    return heard, false


def _hear(stand: Stand, words: Sequence[Word]) -> Heard:
    if not words:
        return NOTHING_HEARD
    witness: Any = stand.witness

    def scene(masks: Words) -> Scene:
        told: Scene = witness.believing(masks).scene()
        return told

    return hear(words, faces_of(stand.events, witness.scene()), scene)


def _rightful(stand: Stand) -> dict[str, Any]:
    """Who should have the pot: what all ways agree on; nobody where they do not."""
    tables = [way.table for way in stand.ways]
    decided = [table for table in tables if table.decided or (stand.over and table.reason)]
    outcomes = {(table.reason, tuple(table.takers)) for table in decided}
    settled = len(decided) == len(tables) and len(outcomes) == 1 and not stand.dark
    reasons = {table.reason for table in decided}
    why = reasons.pop() if len(reasons) == 1 else "opened" if reasons == {"opened", "failed_open"} else None
    amounts = {table.due_truly(table.pot_due) if settled else _lying(table) for table in tables}
    return {
        "seats": sorted(tables[0].takers) if settled else [],
        "amount": amounts.pop() if len(amounts) == 1 and not stand.dark else None,
        "why": None if stand.dark or len(decided) < len(tables) else why,
        "answer": "must" if settled else "open",
    }


def _lying(table: Any) -> int:
    """What lies in the pot, without what the decision makes due."""
    if not table.decided:
        return int(table.pot_basis())
    dues = table.dues_in | {seat: ("", due) for seat, due in table.done_in.items()}
    owed = sum(table.due_truly(table.within_means(seat, due)) for seat, (_, due) in dues.items())
    return int(table.due_truly(table.pot_due) - (owed if table.game == "bura" else 0))


def _remedy(stand: Stand) -> dict[str, int | None]:
    """By seat: what it is owed (+) or owes (-) against what was paid; 0 where that is open, None where unknown."""
    remedy: dict[str, int | None] = {}
    for seat in stand.seats:
        owed = {_owed(way, seat) for way in stand.ways}
        one = owed.pop() if len(owed) == 1 else 0
        remedy[str(seat)] = None if stand.dark else one
    return remedy


def _owed(way: Way, seat: int) -> int:
    """What is due to the seat by now and has not come, or the other way round."""
    if way.result is not None:
        row = way.result.seats.get(seat)
        return 0 if row is None or row.net_due is None else row.net_due - row.net_recorded
    return int(way.table.net_due(seat) + way.table.still_due(seat) - way.table.net_recorded(seat))
