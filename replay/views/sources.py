"""What the desk hands to the views: frozen, already redacted to the viewer, with no rules left to apply."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from replay.audit.placements import Placements

#: One event as its JSON object.
EventDict = Mapping[str, Any]


@dataclass(frozen=True)
class PileCard:
    """A card taken into a pile."""

    #: Spelling, `??` where this viewer may not see it.
    card: str
    #: The trick it was won in.
    trick: int
    #: It lies face down in the pile.
    face_down: bool
    #: The event it was played at.
    seq: int


@dataclass(frozen=True)
class SetView:
    """The cards one seat laid in the trick on the table."""

    seat: int
    cards: tuple[str, ...]
    #: `up` or `down`.
    face: str
    #: `led`, `beats`, `thrown` or `beaten`.
    role: str
    #: The event that laid them.
    seq: int


@dataclass(frozen=True)
class SeatView:
    """One seat as it stands."""

    seat: int
    #: The holding, `??` for a back.
    cards: tuple[str, ...]
    pile: tuple[PileCard, ...]
    #: The least and greatest points the pile can hold; `None` where the game counts no points.
    low: int | None
    high: int | None
    #: Tricks taken (Bourré).
    tricks: int
    stack: int
    #: `in`, `folded`, `sat_out` or `left`.
    status: str = "in"


@dataclass(frozen=True)
class TableView:
    """The table after one event."""

    seq: int
    hand: int
    phase: str
    dealer: int
    #: A suit letter, or `None` before the turn-up and where nobody saw its suit.
    trump: str | None
    turnup: str | None
    #: `under_stock`, `drawn`, `beside`, `dealers` (a card of his hand) or `None`.
    turnup_place: str | None
    stock: int | None
    pot: int
    #: The seat that acts in this event.
    acting: int | None
    #: The seat whose set wins so far.
    winning: int | None
    #: The trick on the table, 0 before the first.
    trick: int
    leader: int | None
    sets: tuple[SetView, ...]
    seats: tuple[SeatView, ...]


@dataclass(frozen=True)
class Lens:
    """How a recording is read: in which of its readings, under which rules."""

    #: `amended`, `recorded`, or the number of the event at which the amendments that count were known.
    reading: str = "amended"
    #: A preset in place of the recorded one, or nothing.
    rules: str = ""


PLAIN: Final = Lens()


@dataclass(frozen=True)
class LegalView:
    """What the seat that plays could have laid, where this view knows its hand."""

    #: `lead`, `follow` (both: every legal set) or `beat` (the sets that beat; others go face down).
    kind: str
    sets: tuple[tuple[str, ...], ...]
    #: Cards an answer has, 0 for a lead.
    count: int


@dataclass(frozen=True)
class HandSpan:
    """Where a hand stands in the recording."""

    hand: int
    #: Its first and last event.
    first: int
    last: int
    #: The numbers of its events, where they are not simply all from the first to the last (amendments).
    seqs: frozenset[int] = frozenset()

    def holds(self, seq: int) -> bool:
        """Whether an event belongs to this hand."""
        return seq in self.seqs if self.seqs else self.first <= seq <= self.last


@dataclass(frozen=True)
class PotTerm:
    """Chips that came into the pot (or left it) in one event."""

    amount: int
    #: `ante`, `failed_open` ... or `taken`.
    why: str
    seat: int
    seq: int
    hand: int


@dataclass(frozen=True)
class HandScore:
    """The match points of one hand, as it was judged."""

    hand: int
    #: The event from which on it is over.
    end: int
    #: By seat, who won any; `None` where the hand is not settled.
    points: Mapping[int, int] | None


@dataclass(frozen=True)
class Match:
    """A recording that is played for match points."""

    #: The points that end it, or `None` where none were agreed.
    to: int | None
    hands: tuple[HandScore, ...]


@dataclass(frozen=True)
class RecordingHead:
    """A recording as one viewer may know it, without its events."""

    id: str
    title: str
    #: `bura` or `bourre`.
    game: str
    preset: str
    options: Mapping[str, Any]
    seats: tuple[str, ...]
    #: The view everything here is redacted to: `full`, `public` or `seat:K`.
    view: str
    #: The views this reader may have.
    views: tuple[str, ...]
    events: int
    hands: tuple[HandSpan, ...]
    #: The record was closed by `recording_ended`.
    complete: bool
    #: Points that win by opening; 0 where the game counts none.
    target: int = 31
    #: Cards in the pack.
    pack: int = 36
    #: ISO date of the first event that bears a time, or nothing.
    date: str = ""
    #: The decimals of its sums.
    digits: int = 0
    #: Hand by hand, where it is played for match points.
    match: Match | None = None


@dataclass(frozen=True)
class HandSource:
    """One hand, event by event."""

    head: RecordingHead
    hand: int
    events: tuple[EventDict, ...]
    #: The table after each event; same length and order as `events`.
    tables: tuple[TableView, ...]
    #: Findings of the report in this view (`report.md` 3), of the whole recording.
    findings: tuple[Mapping[str, Any], ...]
    #: What lay in the pot when the hand began, by the events that brought it.
    carried: tuple[PotTerm, ...] = ()
    legal: LegalView | None = None
    #: By seat, counted when it is asked for: how many placements of its pile's unseen cards reach the target.
    placements: Callable[[int], Placements | None] | None = None
    #: Findings on earlier events that only the step's event has proved.
    proved: tuple[Mapping[str, Any], ...] = ()
    #: By event: which role link wrote it (`scribe/3`, `seat:2/5`), of a recording that was written live.
    writers: Mapping[int, str] = field(default_factory=dict)
    #: Eight hex digits of the chain at the step's event, or nothing.
    pin: str = ""
    #: The amendments that were written after the step's event and change it or what came before.
    amended: tuple[int, ...] = ()
    #: What was said of the hand before: most of it stays the same from step to step.
    said: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True)
class Amended:
    """A recording that was amended, as one viewer may know it."""

    #: In which reading it is told here (`Lens.reading`).
    reading: str
    #: Its amendments by number.
    amendments: tuple[int, ...]
    #: Its report as recorded, and as amended.
    recorded: Mapping[str, Any]
    amended: Mapping[str, Any]


@dataclass(frozen=True)
class Story:
    """A whole recording in one view, event by event, with its report."""

    head: RecordingHead
    events: tuple[EventDict, ...]
    report: Mapping[str, Any]
    amended: Amended | None = None


@dataclass(frozen=True)
class Received:
    """An upload that could be read."""

    #: Empty where nothing was kept.
    id: str
    report: Mapping[str, Any]
    #: False where the same recording was already there.
    created: bool
    #: The key of its private link, where something was kept.
    key: str = ""
    #: The recording stored before with which it begins, or nothing.
    continues: str = ""


@dataclass(frozen=True)
class ShelfRow:
    """A recording on the shelf."""

    id: str
    title: str
    game: str
    hands: int
    #: Nothing where it was not judged.
    verdict: str
    breaches: int
    doubts: int
    #: ISO date it was added.
    added: str
    seats: tuple[str, ...] = ()
    date: str = ""
    #: The first event that is not what was stored; then nothing else is known of it.
    broken: int | None = None


@dataclass(frozen=True)
class Shelf:
    """A page of the shelf, the newest first."""

    rows: tuple[ShelfRow, ...]
    #: Where the page of older ones begins, where there are any.
    older: int | None = None
