"""One recording in one view and one reading: judged as a whole, and looked at as it could be known at each event."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Final

from replay import desk
from replay.audit import effort
from replay.audit.amend import as_reading, read, touched
from replay.audit.fold import fold, hand_end
from replay.audit.moments import AT_THE_END, Cut, Moments, cuts_of
from replay.audit.report import audit, finding_row, report
from replay.audit.sight import FULL, redact
from replay.desk_match import match_of, match_so_far
from replay.engine.findings import Finding
from replay.views.observe import watch
from replay.views.sources import (
    EventDict,
    HandSource,
    HandSpan,
    LegalView,
    Lens,
    Match,
    PotTerm,
    RecordingHead,
)
from schemas import wire
from schemas.events import Corrected, Event, HandBegan, Inserted, PotTaken, Recording, RecordingBegan, Staked
from schemas.rules import BuraRules, HouseRules

_MOST_HANDS: Final = 16
_STEPS_TO_LOOK: Final = 4
"""What an event of a hand costs that is looked at for the first time: no hand has five thousand of them."""
_EVENTS_A_STEP: Final = 50
"""So many events of a hand are gone through in a millisecond, for each of its steps."""


@dataclass(frozen=True)
class Place:
    """A hand in a reading: its span, and the place of its first event."""

    span: HandSpan
    first: int


@dataclass(frozen=True)
class Seen:
    """One recording in one view."""

    #: Redacted to the view.
    recording: Recording
    house: HouseRules
    events: tuple[Event, ...]
    report: Mapping[str, Any]
    spans: tuple[Place, ...]
    cut: Cut
    view: str
    amendments: tuple[Corrected | Inserted, ...] = ()
    match: Match | None = None
    heads: dict[tuple[str, tuple[str, ...]], RecordingHead] = field(default_factory=dict)
    _hands: dict[int, tuple[Moments, HandSource]] = field(default_factory=dict)

    @cached_property
    def plain_events(self) -> tuple[EventDict, ...]:
        """The events of the reading as JSON objects."""
        return tuple(wire.object_of(event) for event in self.events)

    @cached_property
    def holds_more(self) -> bool:
        """Whether more is on record here than who has the view that the header names could have seen."""
        own = self.recording.began.view or FULL
        return redact(self.recording, own, self.house.rules).events != self.recording.events

    def hand(self, number: int) -> Place | None:
        """The last hand of that number."""
        return next((one for one in reversed(self.spans) if one.span.hand == number), None)

    def source(self, head: RecordingHead, place: Place) -> HandSource:
        """The hand from its first to its last event."""
        return self._looked_at(head, place)[1]

    def _looked_at(self, head: RecordingHead, place: Place) -> tuple[Moments, HandSource]:
        found = self._hands.get(place.first)
        if found is None:
            effort.spend(_STEPS_TO_LOOK * len(place.span.seqs))
            moments = Moments(self.cut, self.events, self.house, place.first)
            tables = watch(self.house.game, moments.steps())
            source = HandSource(
                head=head,
                hand=place.span.hand,
                events=self.plain_events[place.first : place.first + len(tables)],
                tables=tables,
                findings=tuple(self.report["findings"]),
                carried=carried_into(self.events, place.first),
            )
            for old in list(self._hands)[: -_MOST_HANDS + 1]:
                self._hands.pop(old, None)
            found = self._hands[place.first] = moments, source
        moments, source = found
        return moments, replace(source, head=head)

    def _match_until(self, events: tuple[Event, ...]) -> Match | None:
        """The match as it stood after these events, by what was known then; the last hand counts once it has ended."""
        if self.match is None:
            return None
        return match_so_far(fold(events, self.house).results, events, self.house)

    def step(self, head: RecordingHead, place: Place, seq: int, *, blind: bool) -> HandSource | None:
        """The hand as it could be known at an event; `blind`: with nothing of what came later, not even that it did."""
        moments, whole = self._looked_at(head, place)
        effort.spend(len(whole.events) // _EVENTS_A_STEP)
        at = next((n for n, event in enumerate(whole.events) if event["seq"] == seq), None)
        if at is None:
            return None
        here = place.first + at
        now = zip(moments.cut(here)[place.first :], self.events[place.first :], whole.events, strict=False)
        cut = tuple(plain if event == later else wire.object_of(event) for event, later, plain in now)
        before = moments.findings(here - 1) if at else ()
        known = tuple(finding_row(each) for each in moments.findings(here))
        legal = moments.legal(here)
        source = replace(
            whole,
            proved=tuple(finding_row(one) for one in _newly(moments.findings(here), before) if one.seq < seq)
            if at
            else (),
            amended=tuple(each.seq for each in self.amendments if each.seq > seq >= touched(each)),
            legal=LegalView(legal.kind, legal.sets, legal.count) if legal else None,
            placements=partial(moments.placements, here),
        )
        if blind:
            return replace(
                source,
                head=replace(_head_until(head, place, seq), match=self._match_until(moments.cut(here))),
                events=cut,
                tables=whole.tables[: at + 1],
                findings=known,
                amended=(),
            )
        later = tuple(one for one in whole.findings if one["seq"] > seq or one["code"] in AT_THE_END)
        return replace(source, events=cut + whole.events[at + 1 :], findings=known + later)


def _newly(found: Iterable[Finding], before: Iterable[Finding]) -> Iterator[Finding]:
    """The findings that were not among those of before."""
    known: dict[int, list[Finding]] = {}
    for one in before:
        known.setdefault(one.seq, []).append(one)
    return (one for one in found if one not in known.get(one.seq, ()))


def _head_until(head: RecordingHead, place: Place, seq: int) -> RecordingHead:
    """A recording of which nobody knows how it goes on, nor whether it does."""
    spans = tuple(one for one in head.hands if one.first < place.span.first)
    here = replace(place.span, last=seq, seqs=frozenset(one for one in place.span.seqs if one <= seq))
    return replace(head, hands=(*spans, here), events=seq + 1, complete=False)


def see(whole: Recording, view: str, lens: Lens) -> Seen:
    """A recording judged in a view, in one of its readings, under its own or other rules."""
    house = desk.house_of(whole, lens.rules or None)
    seen = redact(whole, view, house.rules)
    reading = as_reading(lens.reading)
    events = tuple(read(seen.events, reading))
    judged = audit(seen, house, reading)
    amendments = tuple(event for event in seen.events if isinstance(event, Corrected | Inserted))
    cut = cuts_of(whole, view, house, reading)
    match = match_of(judged.results, house)
    return Seen(seen, house, events, report(judged), spans_of(events), cut, view, amendments, match)


def head_of(key: str, seen: Seen, views: tuple[str, ...]) -> RecordingHead:
    """What a recording is, without its events."""
    if (key, views) not in seen.heads:
        seen.heads[key, views] = _head_of(key, seen, views)
    return seen.heads[key, views]


def _head_of(key: str, seen: Seen, views: tuple[str, ...]) -> RecordingHead:
    began = seen.recording.began
    rules = seen.house.rules
    stamped = next((event.at for event in seen.events if event.at), "")
    names = desk.names_of(seen.recording)
    return RecordingHead(
        id=key,
        title=began.title or "",
        game=began.game,
        preset=seen.house.preset,
        options=dict(seen.house.options),
        seats=tuple(names[seat] for seat in sorted(names)),
        view=seen.view,
        views=views,
        events=len(seen.recording.events),
        hands=tuple(place.span for place in seen.spans),
        complete=seen.recording.complete,
        target=rules.target if isinstance(rules, BuraRules) else 0,
        pack=rules.pack if isinstance(rules, BuraRules) else 52,
        date=(stamped or "")[:10],
        digits=began.unit_digits or 0,
        match=seen.match,
    )


def spans_of(events: tuple[Event, ...]) -> tuple[Place, ...]:
    """Each hand with the place of its first event in the reading."""
    spans = []
    for first, began in enumerate(events):
        if isinstance(began, HandBegan):
            seqs = [event.seq for event in events[first : hand_end(events, first)]]
            spans.append(Place(HandSpan(began.hand, began.seq, seqs[-1], frozenset(seqs)), first))
    return tuple(spans)


def carried_into(events: tuple[Event, ...], first: int) -> tuple[PotTerm, ...]:
    """The moves that brought what lay in the pot when the hand at place `first` began."""
    terms: list[PotTerm] = []
    lying = hand = 0
    for event in events[:first]:
        if isinstance(event, RecordingBegan) and event.pot:
            terms.append(PotTerm(event.pot, "lying", 0, 0, 0))
            lying += event.pot
        elif isinstance(event, HandBegan):
            hand = event.hand
        elif isinstance(event, Staked):
            terms.append(PotTerm(event.amount, event.why, event.seat, event.seq, hand))
            lying += event.amount
        elif isinstance(event, PotTaken):
            lying -= event.amount
            terms = [*terms, PotTerm(-event.amount, "taken", event.seat, event.seq, hand)] if lying else []
    return tuple(terms)
