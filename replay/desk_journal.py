"""The desk over a journal: what is kept, shown to whom, and judged each time anew from its bytes."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from recorder import intake
from recorder.decode import WEB, Limits
from recorder.journal import Journal
from recorder.rows import Entry, UnknownRecordingError
from replay import desk
from replay.audit.amend import read
from replay.audit.fold import hand_end
from replay.audit.report import ENGINE, audit, report
from replay.audit.sight import FULL, PUBLIC, narrower, redact
from replay.views.observe import observe
from replay.views.sources import HandSource, HandSpan, PotTerm, Received, RecordingHead, ShelfRow
from schemas import wire
from schemas.events import Event, HandBegan, PotTaken, Recording, RecordingBegan, Staked
from schemas.problems import Refusal
from schemas.rules import BuraRules, HouseRules

MOST_KEPT: Final = 64
"""So many judged recordings and observed hands are remembered; each is found by bytes that never change."""


@dataclass(frozen=True)
class _Judged:
    """One recording in one view."""

    recording: Recording
    house: HouseRules
    events: tuple[Event, ...]
    report: Mapping[str, Any]
    spans: tuple[tuple[HandSpan, int], ...]


class JournalDesk:
    """Reads and keeps recordings. With `open_house` everybody sees everything, for a club's own machine."""

    def __init__(self, journal: Journal, *, open_house: bool = False, limits: Limits = WEB) -> None:
        self.journal = journal
        self.open_house = open_house
        self.limits = limits
        self._judged: OrderedDict[tuple[str, int, str], _Judged] = OrderedDict()
        self._hands: OrderedDict[tuple[str, int, str, int], HandSource] = OrderedDict()

    # -- the shelf --------------------------------------------------------------------------------------------------

    def shelf(self) -> tuple[ShelfRow, ...]:
        """The recordings everybody may see, the newest first, each judged in the view its owner chose."""
        page = self.journal.list(None, 200, shown_only=not self.open_house)
        return tuple(self._row(entry) for entry in page.entries)

    def _row(self, entry: Entry) -> ShelfRow:
        judged = self._judge(entry, self._widest(entry))
        findings = judged.report["findings"]
        return ShelfRow(
            id=entry.key,
            title=judged.recording.began.title or "",
            game=entry.game,
            hands=len(judged.spans),
            verdict=judged.report["verdict"],
            breaches=sum(1 for each in findings if each["severity"] == "error"),
            doubts=sum(1 for each in findings if each["severity"] == "doubt"),
            added=datetime.fromtimestamp(entry.at / 1000, UTC).date().isoformat(),
        )

    def receive(self, data: bytes, *, keep: bool, public: bool) -> Received | Refusal:
        """Read and judge an upload; keep it where asked to, on the shelf in the table's view where `public`."""
        found = intake.read(data, self.limits)
        if isinstance(found, Refusal):
            return found
        house = desk.house_of(found)
        told = report(audit(found, house))
        if not keep:
            return Received("", told, created=False)
        stored = self.journal.store(found)
        if public and stored.new:
            self.journal.show(stored.key, PUBLIC)
        self.journal.note_verdict(stored.key, len(found.events), ENGINE, house.digest, told["verdict"])
        return Received(stored.key, told, stored.new)

    # -- one recording ----------------------------------------------------------------------------------------------

    def head(self, id_: str, view: str) -> RecordingHead | None:
        """A recording in a view; an empty view is the widest this reader may have."""
        entry = self._entry(id_)
        if entry is None:
            return None
        widest = self._widest(entry)
        views = self._views(entry, widest)
        asked = view or views[0]
        if asked not in views:
            return None
        return self._head(entry, self._judge(entry, asked), asked, views)

    def report(self, id_: str, view: str) -> Mapping[str, Any] | None:
        """Its `razbor-report/1` in that view."""
        entry = self._entry(id_)
        return self._judge(entry, view).report if entry else None

    def lines(self, id_: str, view: str) -> bytes | None:
        """The recording's own lines as that view may have them."""
        entry = self._entry(id_)
        return b"".join(line + b"\n" for line in self._judge(entry, view).recording.lines) if entry else None

    def hand(self, id_: str, hand: int, view: str) -> HandSource | None:
        """One hand of it, event by event, in that view; where several bear the number, the last."""
        head = self.head(id_, view)
        entry = self._entry(id_)
        if head is None or entry is None:
            return None
        key = (entry.key, entry.events, head.view, hand)
        if key not in self._hands:
            source = self._observe(head, self._judge(entry, head.view), hand)
            if source is None:
                return None
            self._remember(self._hands, key, source)
        return self._hands[key]

    def _observe(self, head: RecordingHead, judged: _Judged, hand: int) -> HandSource | None:
        found = [(span, first) for span, first in judged.spans if span.hand == hand]
        if not found:
            return None
        _, first = found[-1]
        tables = observe(judged.events, judged.house, first)
        part = judged.events[first : first + len(tables)]
        return HandSource(
            head=head,
            hand=hand,
            events=tuple({**wire.object_of(event)} for event in part),
            tables=tables,
            findings=tuple(judged.report["findings"]),
            carried=carried_into(judged.events, first),
        )

    # -- how it is found and judged ---------------------------------------------------------------------------------

    def _entry(self, id_: str) -> Entry | None:
        try:
            return self.journal.entry(id_)
        except UnknownRecordingError:
            return None

    def _widest(self, entry: Entry) -> str:
        if self.open_house or (entry.shown is None and entry.id):
            return FULL
        return entry.shown or PUBLIC

    def _views(self, entry: Entry, widest: str) -> tuple[str, ...]:
        own = self._judge(entry, widest).recording.began
        seats = [f"seat:{seat}" for seat in range(1, len(own.seats) + 1)]
        held = own.view or FULL
        if held == FULL:
            return (FULL, PUBLIC, *seats)
        return (held, PUBLIC) if held != PUBLIC else (PUBLIC,)

    def _judge(self, entry: Entry, view: str) -> _Judged:
        key = (entry.key, entry.events, view)
        if key not in self._judged:
            whole = self.journal.load(entry.key).recording
            house = desk.house_of(whole)
            seen = redact(whole, narrower(whole.began.view or FULL, view), house.rules)
            events = tuple(read(seen.events, "amended"))
            told = report(audit(seen, house))
            self._remember(self._judged, key, _Judged(seen, house, events, told, spans_of(events)))
        return self._judged[key]

    @staticmethod
    def _remember(kept: OrderedDict[Any, Any], key: Any, value: Any) -> None:
        kept[key] = value
        while len(kept) > MOST_KEPT:
            kept.popitem(last=False)

    @staticmethod
    def _head(entry: Entry, judged: _Judged, view: str, views: tuple[str, ...]) -> RecordingHead:
        began = judged.recording.began
        rules = judged.house.rules
        stamped = next((event.at for event in judged.events if event.at), "")
        names = desk.names_of(judged.recording)
        return RecordingHead(
            id=entry.key,
            title=began.title or "",
            game=began.game,
            preset=began.rules.preset,
            options=dict(began.rules.options),
            seats=tuple(names[seat] for seat in sorted(names)),
            view=view,
            views=views,
            events=len(judged.recording.events),
            hands=tuple(span for span, _ in judged.spans),
            complete=judged.recording.complete,
            target=rules.target if isinstance(rules, BuraRules) else 0,
            pack=rules.pack if isinstance(rules, BuraRules) else 52,
            date=(stamped or "")[:10],
        )


def spans_of(events: tuple[Event, ...]) -> tuple[tuple[HandSpan, int], ...]:
    """Each hand with the place of its first event in the reading."""
    spans = []
    for first, began in enumerate(events):
        if isinstance(began, HandBegan):
            seqs = [event.seq for event in events[first : hand_end(events, first)]]
            spans.append((HandSpan(began.hand, began.seq, seqs[-1], frozenset(seqs)), first))
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

