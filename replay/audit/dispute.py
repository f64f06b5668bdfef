"""Who really had 31: bounds, clocks, whose word settles it, the rightful taker, and what each seat is owed.

All of it from one viewpoint, at the end of a hand or at one event of it, as `razbor-dispute/1` (`report.md` 5).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from replay.audit.amend import Reading, read
from replay.audit.explore import Branch
from replay.audit.fold import Fold, hand_end
from replay.audit.matrix import matrix
from replay.audit.places import Bounds, Lay, Scene, Take, bounds_of, joint, scene_of
from replay.audit.settled import settled_by
from replay.audit.sight import redact
from replay.audit.testimony import Heard, hear, words_of
from replay.engine.outcome import TrickResult
from schemas.cards import SPELLING, spell_all, spread
from schemas.events import Counted, Event, HandBegan, HandEnded, Opened, Recording
from schemas.rules import BuraRules, HouseRules, OpenWindow

FORMAT: Final = "razbor-dispute/1"


class NoSuchMomentError(LookupError):
    """The recording has no such hand, or the hand no such event."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What is asked: a hand by its recorded number, an event of it or its end, from a viewpoint, believing seats."""

    hand: int
    at: int | None = None
    view: str = "full"
    believe: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Stand:
    """The hand as it stands at the moment asked for: its events so far, and every way it may have gone."""

    events: tuple[Event, ...]
    ways: tuple[Branch, ...]
    fold: Fold
    first: int
    end: int
    heard: Heard

    @property
    def table(self) -> Any:
        """The table in the first of the ways."""
        return self.ways[0].table

    @property
    def over(self) -> bool:
        """Whether the hand has been played and settled to its end."""
        return isinstance(self.events[-1], HandEnded)


def dispute(recording: Recording, house: HouseRules, moment: Moment, reading: Reading = "amended") -> dict[str, Any]:
    """The dispute of one hand as plain data; `NoSuchMomentError` where there is no such hand or event."""
    stand = stand_at(recording, house, moment, reading)
    heard = stand.heard
    answer: dict[str, Any] = {
        "format": FORMAT,
        "recording": recording.id,
        "hand": moment.hand,
        "at": moment.at if moment.at is not None else stand.events[-1].seq,
        "view": moment.view,
    }
    if isinstance(house.rules, BuraRules):
        answer |= _bura(stand, house.rules)
    else:
        answer |= {"seats": bourre_seats(stand)}
    answer |= _outcome(stand)
    answer["rules"] = matrix(stand.fold, house, stand.first, stand.end)
    answer["contradictions"] = [{"seat": seat, "seq": seq} for seat, seq in heard.contradictions]
    return answer


def stand_at(recording: Recording, house: HouseRules, moment: Moment, reading: Reading = "amended") -> Stand:
    """The hand at that moment, seen from there, believing whom it believes; `NoSuchMomentError`."""
    seen = redact(recording, moment.view, house.rules)
    events = read(seen.events, reading)
    spoken = read(recording.events, reading)
    first, end = _span(events, moment)
    stand = _stand(events, house, first, end, Heard({}, ()))
    if moment.believe and isinstance(house.rules, BuraRules):
        stand = _stand(events, house, first, end, _hear(stand, spoken, moment, house))
    return stand


def _span(events: Sequence[Event], moment: Moment) -> tuple[int, int]:
    """The places of the hand's first event and after its last one that is looked at."""
    starts = [at for at, event in enumerate(events) if isinstance(event, HandBegan) and event.hand == moment.hand]
    if not starts:
        raise NoSuchMomentError(f"hand {moment.hand}")
    first = starts[-1]
    end = hand_end(events, first)
    if moment.at is None:
        return first, end
    found = [at for at in range(first, end) if events[at].seq == moment.at]
    if not found:
        raise NoSuchMomentError(f"event {moment.at} of hand {moment.hand}")
    return first, found[-1] + 1


def _stand(events: Sequence[Event], house: HouseRules, first: int, end: int, heard: Heard) -> Stand:
    fold = Fold(events, house)
    fold.testimony = heard.masks
    ways = fold.ways(first, end)
    return Stand(tuple(fold.events[first:end]), tuple(ways), fold, first, end, heard)


def _hear(stand: Stand, spoken: Sequence[Event], moment: Moment, house: HouseRules) -> Heard:
    own = {event.seq for event in stand.events}
    words = words_of(spoken, moment.believe, own)

    def scene(masks: Mapping[tuple[int, int], int]) -> Scene:
        return scene_after(stand, house.rules, stand.table.tricks, masks)

    return hear(words, scene({}), scene)


def scene_after(
    stand: Stand, rules: Any, tricks: Sequence[TrickResult], masks: Mapping[tuple[int, int], int] | None = None
) -> Scene:
    """The hand as cards and places once these tricks were taken, with all that is known now; `masks`: other words."""
    witness = stand.table.witness
    return scene_of(
        witness.plain_events(),
        tricks,
        rules,
        missing=witness.missing,
        returned=tuple(stand.table.sent_back),
        testimony=stand.heard.masks if masks is None else masks,
    )


# -- Bura -----------------------------------------------------------------------------------------------------------


def _bura(stand: Stand, rules: BuraRules) -> dict[str, Any]:
    table = stand.table
    players = sorted(table.players)
    scene = scene_after(stand, rules, table.tricks)
    found = bounds_of(scene, players)
    clocks = _clocks(stand, rules, players)
    seats = {
        str(seat): _bura_seat(stand, rules, scene, seat, found[seat], clocks[seat], players) for seat in players
    }
    both = joint(scene, players, rules.target)
    return {
        "target": rules.target,
        "seats": seats,
        "joint": {"at_least_one": both.at_least_one, "at_most_one": both.at_most_one},
        "unseen": spell_all(unseen(scene)),
    }


def answer_of(found: Bounds, target: int) -> str:
    """`must`, `cannot` or `open`; open too where the search was cut off between."""
    if found.low >= target:
        return "must"
    return "cannot" if found.high < target else "open"


def _bura_seat(
    stand: Stand,
    rules: BuraRules,
    scene: Scene,
    seat: int,
    found: Bounds,
    clock: dict[str, int | None],
    players: Sequence[int],
) -> dict[str, Any]:
    answer = answer_of(found, rules.target)
    opened = [event.seq for event in stand.events if isinstance(event, Opened) and event.seat == seat]
    counted = [event.points for event in stand.events if isinstance(event, Counted) and event.seat == seat]
    known = known_in_pile(scene, seat)
    count = sum(1 for lay in scene.lays if lay.pile == seat)
    return {
        "points": {"low": found.low, "high": found.high},
        "answer": answer,
        "reached": clock,
        "entitled_at": _entitled(stand, rules, seat),
        "opened_at": opened[0] if opened else None,
        "counted": counted[-1] if counted else None,
        "known": spell_all(known),
        "unknown": count - known.bit_count(),
        "settled_by": settled_by(scene, seat, players, rules.target) if answer == "open" else [],
        "certificate": certificate(scene, seat, found),
    }


def known_in_pile(scene: Scene, seat: int) -> int:
    """The mask of cards known to lie in the seat's pile."""
    own = [at for at, lay in enumerate(scene.lays) if lay.pile == seat]
    known = 0
    for at in own:
        if scene.lays[at].domain.bit_count() == 1:
            known |= scene.lays[at].domain
    for places, mask in scene.sets:
        if mask.bit_count() <= len(places) and set(places) <= set(own):
            known |= mask
    return known


def unseen(scene: Scene) -> int:
    """The mask of all cards the view cannot place."""
    placed = scene.elsewhere
    places: list[Take | Lay] = [*scene.takes, *scene.lays]
    for place in places:
        if place.domain.bit_count() == 1:
            placed |= place.domain
    for show in scene.shows:
        placed |= show.card
    for _, mask in scene.sets:
        placed |= mask
    return scene.pack & ~placed


def certificate(scene: Scene, seat: int, found: Bounds) -> dict[str, Any]:
    """The sums a person can check with a pencil: known cards, and for each unknown place a card for least and most."""
    known = known_in_pile(scene, seat)
    places = [at for at, lay in enumerate(scene.lays) if lay.pile == seat and not lay.domain & known]
    if found.best_low is None or found.best_high is None:
        places = []
    return {
        "known": [[SPELLING[card], scene.points[card]] for card in spread(known)],
        "places": [
            {
                "seq": scene.lays[at].seq,
                "seat": scene.lays[at].seat,
                "low": _worth(scene, found.best_low, at),
                "high": _worth(scene, found.best_high, at),
            }
            for at in places
        ],
        "exact": found.exact,
        "dropped": list(found.dropped),
    }


def _worth(scene: Scene, cards: Sequence[int] | None, at: int) -> list[Any]:
    assert cards is not None
    return [SPELLING[cards[at]], scene.points[cards[at]]]


def _clocks(stand: Stand, rules: BuraRules, players: Sequence[int]) -> dict[int, dict[str, int | None]]:
    """By seat: the first trick end from which it possibly, and surely, had the target, by all that is known now."""
    clocks: dict[int, dict[str, int | None]] = {seat: {"possibly": None, "surely": None} for seat in players}
    tricks = stand.table.tricks
    for count, trick in enumerate(tricks, 1):
        taker = trick.taker
        if taker not in clocks or clocks[taker]["surely"] is not None:
            continue
        found = bounds_of(scene_after(stand, rules, tricks[:count]), [taker])[taker]
        if found.high >= rules.target and clocks[taker]["possibly"] is None:
            clocks[taker]["possibly"] = trick.seqs[-1]
        if found.low >= rules.target:
            clocks[taker]["surely"] = trick.seqs[-1]
    return clocks


def _entitled(stand: Stand, rules: BuraRules, seat: int) -> list[int]:
    """The trick ends after which the seat could open (`open_window`)."""
    taker_only = rules.open_window is OpenWindow.TAKER_BEFORE_DRAW
    return [trick.seqs[-1] for trick in stand.table.tricks if trick.taker == seat or not taker_only]


# -- what should have come of it --------------------------------------------------------------------------------------


def _outcome(stand: Stand) -> dict[str, Any]:
    """Rightful taker and remedy: what all ways agree on; the rest stays open."""
    tables = [way.table for way in stand.ways]
    decided = [(table.reason, table.takers) for table in tables if table.decided or (stand.over and table.reason)]
    same = len(decided) == len(tables) and all(each == decided[0] for each in decided)
    table = tables[0]
    rightful = {
        "seats": list(table.takers) if same else [],
        "amount": table.due_now(table.pot_due) if decided else table.pot_basis(),
        "why": (table.reason or None) if same or decided else None,
        "answer": "must" if same else "open",
    }
    return {"rightful": rightful, "remedy": _remedy(stand)}


def _remedy(stand: Stand) -> dict[str, int]:
    """By seat: what it is owed (+) or owes (-) against what was paid; 0 where that is open or not yet due."""
    table = stand.table
    seats = [seat for seat in range(1, table.seats() + 1) if table.occupied[seat]]
    if not stand.over:
        return {str(seat): 0 for seat in seats}
    results = [way.result for way in stand.ways]
    remedy = {}
    for seat in seats:
        owed = {None if row is None else _owed(row.seats.get(seat)) for row in results}
        one = owed.pop() if len(owed) == 1 else None
        remedy[str(seat)] = one or 0
    return remedy


def _owed(row: Any) -> int | None:
    return None if row is None or row.net_due is None else row.net_due - row.net_recorded


# -- Bourré -----------------------------------------------------------------------------------------------------------


def bourre_seats(stand: Stand) -> dict[str, Any]:
    """By seat: tricks, whether it is bourré, its share and what it owes, and every play that had a duty."""
    tables = [way.table for way in stand.ways]
    return {str(seat): _bourre_seat(tables, seat) for seat in sorted(tables[0].players)}


def _bourre_seat(tables: Sequence[Any], seat: int) -> dict[str, Any]:
    taken = [sum(1 for trick in table.tricks if trick.taker == seat) for table in tables]
    dues = {table.share_and_debt(seat) if table.decided else None for table in tables}
    share, owes = (dues.pop() if len(dues) == 1 else None) or (None, None)
    return {
        "tricks": {"low": min(taken), "high": max(taken)},
        "bourre": _is_bourre(tables, seat),
        "share": share,
        "owes": owes,
        "duties": [
            {
                "seq": duty.seq,
                "duty": duty.duty,
                "answer": duty.answer,
                "would_have": list(duty.would_have),
                "proved_by": duty.proved_by,
            }
            for duty in tables[0].duties
            if duty.seat == seat
        ],
    }


def _is_bourre(tables: Sequence[Any], seat: int) -> str:
    """`must` where the hand is played out and the seat stayed without a trick, `cannot` where it folded or took one."""
    answers = set()
    for table in tables:
        took = any(trick.taker == seat for trick in table.tricks)
        if took or table.folded_mask() >> seat & 1 or (table.decided and len(table.tricks) < table.hand_size):
            answers.add("cannot")
        else:
            answers.add("must" if table.decided else "open")
    return answers.pop() if len(answers) == 1 else "open"
