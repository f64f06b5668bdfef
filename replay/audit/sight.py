"""What a viewer can know: the recording as the table, or one seat, could have written it down (`report.md` 4 and 6)."""

import hashlib
import re
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeVar

import msgspec

from replay.audit.amend import as_event, read
from schemas.events import (
    TYPES,
    CardMissing,
    Corrected,
    Dealt,
    Declared,
    Discarded,
    Drew,
    Event,
    HandBegan,
    Happening,
    Inserted,
    Played,
    Recording,
    RecordingEnded,
    Revealed,
    TrickTaken,
    TrumpTurned,
    type_of,
)
from schemas.rules import BourreRules, BuraRules, Rules, TrumpCard, Turnup

FULL: Final = "full"
PUBLIC: Final = "public"
"""The views that are no seat's: all the record holds, and what the table saw."""
WITHHELD: Final = "deck_revealed withheld"
"""The text of the comment that stands where a view may not see the whole pack."""

_UNSEEN: Final = "??"
_SEAT_VIEW: Final = re.compile(r"seat:([1-9][0-9]?)")
_FACED: Final = (Dealt, Drew, Discarded, Played)
_Faced = Dealt | Drew | Discarded | Played
_KEPT_OF_A_DECK: Final = ("at", "id", "note", "seq", "source")
_Placed = tuple[int, Happening]
"""An event with the number it is known by: its own `seq`, or that of the line that inserted it."""
_Shape = TypeVar("_Shape", bound=Happening)


def seat_of(view: str) -> int:
    """The seat whose own cards a view sees: K of `seat:K`, 0 for `public`; `ValueError` where `view` is no such word.

    >>> seat_of("seat:3"), seat_of("public")
    (3, 0)
    """
    if view == PUBLIC:
        return 0
    found = _SEAT_VIEW.fullmatch(view)
    if found is None:
        raise ValueError(view)
    return int(found[1])


def narrower(own: str, asked: str) -> str:
    """The view that sees only what both see: a record of seat 1 tells seat 2 no more than the table saw.

    >>> narrower("full", "seat:2"), narrower("seat:1", "seat:2"), narrower("public", "full")
    ('seat:2', 'public', 'public')
    """
    if asked in (own, FULL):
        return own
    return asked if own == FULL else PUBLIC


def redact(recording: Recording, view: str, rules: Rules, upto: int | None = None) -> Recording:
    """The recording as a viewer could know it, optionally only its events up to and including seq `upto`.

    `view` is `full` (nothing is withheld), `public` or `seat:K`, else `ValueError`; a recording that is already in a
    narrower view stays so. Every `seq` stays; lines and digest are those of the redacted file, so that its upload gives
    the same report. Where an amendment changes who could see a card, it is shown only if both readings show it
    (`report.md` 6, `export --view`).
    """
    whole = recording.events
    events = whole if upto is None else whole[: upto + 1]
    lines = recording.lines[: len(events)]
    if view != FULL:
        seen = narrower(recording.began.view or FULL, view)
        shown = _Shown(whole, events, _Sight(seat_of(seen), rules))
        pairs = [_withhold(event, line, shown, seen) for event, line in zip(events, lines, strict=True)]
        events = tuple(event for event, _ in pairs)
        lines = tuple(line for _, line in pairs)
    elif upto is None:
        return recording
    digest = hashlib.sha256(b"".join(line + b"\n" for line in lines)).hexdigest()
    complete = any(isinstance(event, RecordingEnded) for event in events)
    return Recording(events=events, lines=lines, digest=digest, complete=complete)


def redacted_until(recording: Recording, view: str, rules: Rules) -> Callable[[int], tuple[Event, ...]]:
    """By seq: the events of `redact` up to and including it. A hand that is over is looked at once."""
    whole = recording.events
    return (lambda upto: whole[: upto + 1]) if view == FULL else _Until(recording, view, rules)


class _Until:
    """The events up to any seq as a viewer could know them then; what is withheld of one is put together once."""

    def __init__(self, recording: Recording, view: str, rules: Rules) -> None:
        self.recording = recording
        self.view = narrower(recording.began.view or FULL, view)
        self.sight = _Sight(seat_of(self.view), rules)
        self.amended = any(isinstance(event, Corrected | Inserted) for event in recording.events)
        self.starts = [event.seq for event in recording.events if isinstance(event, HandBegan)]
        self.known: dict[tuple[int, Hashable], Event] = {}
        self.over: tuple[int, tuple[Event, ...]] = 0, ()
        """The seq at which the hand looked at last begins, and the events before it."""

    def __call__(self, upto: int) -> tuple[Event, ...]:
        """With amendments from the start on: they reach back into other hands."""
        later = 0 if self.amended else bisect_right(self.starts, upto)
        first = self.starts[later - 1] if later else 0
        over = self.over
        if over[0] != first:
            over = self.over = first, self._between(0, first)
        return over[1] + self._between(first, upto + 1)

    def _between(self, first: int, end: int) -> tuple[Event, ...]:
        whole, events = self.recording.events, self.recording.events[first:end]
        missing = _missing(whole[:first])
        shown = _Shown(whole if self.amended else (), events, self.sight, missing)
        return tuple(map(partial(self._withheld, shown), events, self.recording.lines[first:end]))

    def _withheld(self, shown: "_Shown", event: Event, line: bytes) -> Event:
        if isinstance(event, Corrected | Inserted) or (type_of(event) not in _TOUCHED and b'"x_' not in line):
            return _withhold(event, line, shown, self.view)[0]
        faces = shown.flags(event) if isinstance(event, _FACED) else shown.dark(event.seq, event.seq)
        found = self.known.get((event.seq, faces))
        if found is None:
            found = self.known[event.seq, faces] = _withhold(event, line, shown, self.view)[0]
        return found


@dataclass(frozen=True)
class _Sight:
    """One viewer under one table's rules: `seat` 0 is the table."""

    seat: int
    rules: Rules

    def sees_all(self, event: Happening) -> bool:
        """Whether an event shows the viewer all its faces whatever else happened: own cards and cards laid face up."""
        if isinstance(event, Played) and event.face == "up":
            return True
        return not isinstance(event, _FACED) or event.seat == self.seat

    def walk(self, events: Iterable[_Placed], missing: Sequence[str] = ()) -> "_Reading":
        """What one reading of the log shows, hand by hand; `missing` cards were lacking before."""
        reading = _Reading()
        for hand in _hands(events):
            trump, dealer = _last(hand, TrumpTurned), _last(hand, HandBegan)
            turned = trump.card if trump and "?" not in trump.card else ""
            last_draws = self._last_draws(hand, missing)
            for key, event in hand:
                if isinstance(event, _FACED):
                    if self.sees_all(event):
                        flags = (True,) * len(event.cards)
                    elif key in last_draws:
                        flags = tuple(card == turned for card in event.cards)
                    else:
                        flags = self._fifth(event, turned, dealer.dealer if dealer else 0)
                    reading.flags[key] = flags
            missing = [*missing, *_missing(event for _, event in hand)]
            reading.mark_dark_tricks(hand)
        return reading

    def _fifth(self, event: _Faced, turned: str, dealer: int) -> tuple[bool, ...]:
        """The turned card is the dealer's own fifth where the rules say so (`bourre` option `trump_card`)."""
        rules, last = self.rules, len(event.cards) - 1
        fits = isinstance(rules, BourreRules) and rules.trump_card is TrumpCard.DEALERS_FIFTH
        fits = fits and isinstance(event, Dealt) and event.seat == dealer
        return tuple(fits and at == last and card == turned for at, card in enumerate(event.cards))

    def _last_draws(self, hand: list[_Placed], missing: Sequence[str]) -> set[int]:
        """The draws after one trick that emptied the stock: one of them is of the turn-up, seen by all (bura.5)."""
        if not isinstance(self.rules, BuraRules) or self.rules.turnup is not Turnup.LAST_OF_STOCK:
            return set()
        stock, lost = self.rules.pack - _lacking(missing), [*missing]
        round_of_draws: set[int] = set()
        for key, event in hand:
            if isinstance(event, Played):
                if stock <= 0:
                    break
                round_of_draws = set()
            elif isinstance(event, Dealt):
                stock -= len(event.cards)
            elif isinstance(event, CardMissing):
                lost.append(event.card)
                stock -= _lacking(lost) - _lacking(lost[:-1])
            elif isinstance(event, Drew):
                stock -= len(event.cards)
                round_of_draws.add(key)
        return round_of_draws if stock <= 0 else set()


def _missing(events: Iterable[Happening]) -> list[str]:
    return [event.card for event in events if isinstance(event, CardMissing)]


def _lacking(missing: Sequence[str]) -> int:
    """How many cards the pack lacks: a known one counts once, however often that is said."""
    return len({card for card in missing if "?" not in card}) + sum("?" in card for card in missing)


@dataclass
class _Reading:
    """What one reading of the log shows: for each event with faces, which of them; and the claims on dark tricks."""

    flags: dict[int, tuple[bool, ...]] = field(default_factory=dict)
    dark: set[int] = field(default_factory=set)

    def mark_dark_tricks(self, hand: list[_Placed]) -> None:
        """Note each `trick_taken` of a trick that holds, at that moment, a card the viewer has not seen.

        Who leads a trick laid cards in the trick before, so a seat that lays again begins a new one.
        """
        trick: dict[int, bool] = {}
        seat_at: dict[int, int] = {}
        closed = False
        for key, event in hand:
            if isinstance(event, Played):
                if closed or event.seat in trick:
                    trick, closed = {}, False
                flags = self.flags[key]
                trick[event.seat] = all(flags) and not any("?" in card for card in event.cards)
                seat_at = {at: seat for at, seat in seat_at.items() if seat in trick} | {key: event.seat}
            elif isinstance(event, Declared):
                trick = {}
            elif isinstance(event, Revealed):
                seat = seat_at.get(event.of, 0)
                if seat in trick and not any("?" in card for card in event.cards):
                    trick[seat] = True
            elif isinstance(event, TrickTaken):
                closed = True
                if not all(trick.values()):
                    self.dark.add(key)


class _Shown:
    """Which faces and claims of each line a viewer sees: what the log as recorded and as amended both show."""

    def __init__(
        self, whole: tuple[Event, ...], events: tuple[Event, ...], sight: _Sight, missing: Sequence[str] = ()
    ) -> None:
        self.sight = sight
        self.final: dict[int, Happening | None] = {}
        self.final_line: dict[int, int] = {}
        for event in whole:
            if isinstance(event, Corrected):
                self.final[event.of] = None if event.event is None else as_event(event.event, event.of)
                self.final_line[event.of] = event.seq
        last = len(events)
        self.recorded = sight.walk(((event.seq, event) for event in events), missing)
        amended = self.final or any(isinstance(event, Inserted) for event in whole)
        after = ((event.seq, event) for event in read(whole, "amended") if event.seq < last)
        self.amended = sight.walk(after) if amended else self.recorded

    def flags(self, event: _Faced) -> tuple[bool, ...]:
        """Of a recorded event: which faces both readings show."""
        here = self.recorded.flags[event.seq]
        now = self.final.get(event.seq, event)
        if now is None:
            return here
        if now is event:
            there = self.amended.flags[event.seq]
            return tuple(one and other for one, other in zip(here, there, strict=True))
        same = isinstance(now, type(event)) and now.seat == event.seat
        shown = self.sight.sees_all(now) or (same and any(self.amended.flags[event.seq]))
        return here if shown else (False,) * len(here)

    def nested_flags(self, key: int, line: int, event: _Faced) -> tuple[bool, ...]:
        """Of an event inside the amendment at seq `line`; a replaced correction shows what the final one shows too."""
        if self.final_line.get(key, line) == line:
            return self.amended.flags.get(key, (False,) * len(event.cards))
        last = self.final[key]
        plain = self.sight.sees_all(event) and (last is None or self.sight.sees_all(last))
        return (plain,) * len(event.cards)

    def dark(self, key: int, line: int) -> bool:
        """Whether the points of the `trick_taken` known as `key`, standing in line `line`, would tell unseen cards."""
        replaced = line != key and self.final_line.get(key, line) != line
        return replaced or key in self.amended.dark or (line == key and key in self.recorded.dark)


def _withhold(event: Event, line: bytes, shown: _Shown, view: str) -> tuple[Event, bytes]:
    """One event and its canonical line without what the viewer may not know."""
    kind = type_of(event)
    if kind not in _TOUCHED and b'"x_' not in line:
        return event, line
    wire = {name: value for name, value in msgspec.json.decode(line).items() if not name.startswith("x_")}
    if kind == "recording_began":
        wire["view"] = view
    elif isinstance(event, Corrected | Inserted):
        if wire["event"] is not None:
            key = event.of if isinstance(event, Corrected) else event.seq
            wire["event"] = _withhold_nested(wire["event"], key, event.seq, shown)
    elif isinstance(event, _FACED):
        wire = _cover(wire, shown.flags(event))
    else:
        wire = _withhold_claim(wire, shown.dark(event.seq, event.seq))
    return _typed(wire), msgspec.json.encode(wire, order="sorted")


_TOUCHED: Final = frozenset(
    {"recording_began", "corrected", "inserted", "dealt", "drew", "discarded", "played", "trick_taken"}
    | {"deck_revealed", "stock_recycled"}
)


def _withhold_nested(inner: dict[str, Any], key: int, line: int, shown: _Shown) -> dict[str, Any]:
    wire = {name: value for name, value in inner.items() if not name.startswith("x_")}
    event = as_event(wire, key)
    if isinstance(event, _FACED):
        return _cover(wire, shown.nested_flags(key, line, event))
    return _withhold_claim(wire, shown.dark(key, line))


def _cover(wire: dict[str, Any], flags: tuple[bool, ...]) -> dict[str, Any]:
    cards = [card if seen else _UNSEEN for card, seen in zip(wire["cards"], flags, strict=True)]
    return {**wire, "cards": cards}


def _withhold_claim(wire: dict[str, Any], dark: bool) -> dict[str, Any]:
    """Without the pack, the order of a new stock, and the points of a trick the viewer did not see whole."""
    if wire["type"] == "deck_revealed":
        return {name: wire[name] for name in _KEPT_OF_A_DECK if name in wire} | {"type": "noted", "text": WITHHELD}
    gone = "cards" if wire["type"] == "stock_recycled" else "points" if wire["type"] == "trick_taken" and dark else ""
    return {name: value for name, value in wire.items() if name != gone}


def _typed(wire: dict[str, Any]) -> Any:
    return msgspec.convert(wire, TYPES[wire["type"]])


def _hands(events: Iterable[_Placed]) -> Iterator[list[_Placed]]:
    """The events cut before each `hand_began`; the first piece is what stands before the first hand."""
    hand: list[_Placed] = []
    for key, event in events:
        if isinstance(event, HandBegan):
            yield hand
            hand = []
        hand.append((key, event))
    yield hand


def _last(hand: list[_Placed], shape: type[_Shape]) -> _Shape | None:
    for _, event in reversed(hand):
        if isinstance(event, shape):
            return event
    return None
