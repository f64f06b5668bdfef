"""The desk over a journal: what is kept, shown to whom, and judged each time anew from its bytes."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Final

from recorder import chain, rulebook, share, sheet
from recorder.decode import WEB, Limits
from recorder.journal import Journal
from recorder.rows import Entry, UnknownRecordingError
from recorder.seal import Seal
from replay import desk
from replay.audit import effort
from replay.audit.amend import as_reading
from replay.audit.report import ENGINE, audit, report
from replay.audit.sight import FULL, PUBLIC
from replay.desk_kept import Remembered
from replay.desk_seen import Seen, head_of, see
from replay.views.sources import PLAIN, Amended, HandSource, Lens, Received, RecordingHead, Shelf, ShelfRow, Story
from schemas.problems import Refusal

MOST_KEPT: Final = 64
"""So many judged recordings and observed hands are remembered; each is found by bytes that never change."""
MOST_STEPS_OF_A_ROW: Final = 5_000
"""What may be looked for among the unseen cards of one recording to show it on the shelf: some five seconds."""
MOST_ROWS: Final = 1_000
"""So many rows of the shelf are remembered."""
MOST_ON_A_PAGE: Final = 200
"""So many of them a page of the shelf shows."""
SHOWN: Final = (PUBLIC, FULL)
"""The views an uploader may choose for the shelf."""


class JournalDesk:
    """Reads and keeps recordings. With `open_house` everybody sees everything, for a club's own machine."""

    def __init__(self, journal: Journal, *, open_house: bool = False, limits: Limits = WEB) -> None:
        self.journal = journal
        self.seal = Seal(journal)
        self.open_house = open_house
        self.limits = limits
        self._held: ContextVar[frozenset[str]] = ContextVar("held", default=frozenset())
        self._seen: Remembered[tuple[str, int, bool, str, Lens], Seen] = Remembered(
            MOST_KEPT, lambda seen: len(seen.events)
        )
        self._rows: OrderedDict[tuple[str, int, bool, str | None], ShelfRow] = OrderedDict()
        self._pins: OrderedDict[tuple[str, int], tuple[str, ...]] = OrderedDict()
        self._written: OrderedDict[tuple[str, int], tuple[str, ...]] = OrderedDict()

    # -- private links ----------------------------------------------------------------------------------------------

    @cached_property
    def _secret(self) -> bytes:
        return share.secret(self.journal.path)

    def prepare(self) -> None:
        """Makes or reads the secret of all private links; `OSError` where its folder cannot be used."""
        assert self._secret

    def key(self, id_: str) -> str:
        """The key of a recording's private link."""
        return share.key_of(self._secret, id_)

    def opens(self, id_: str, key: str) -> bool:
        """Whether this is the key of that recording's private link."""
        return share.opens(self._secret, id_, key)

    def hold(self, ids: Iterable[str]) -> None:
        """Whoever asks from now on, in this thread, holds the private links of these recordings and of no others."""
        self._held.set(frozenset(ids))

    def holds(self, id_: str) -> bool:
        """Whether who asks holds the recording's private link; unlisted, its address alone is that link."""
        entry = self._entry(id_)
        return entry is not None and self._is_held(entry)

    def seat_of(self, id_: str) -> int:
        """The seat in whose name alone the reader may speak, 0 where he is bound to none."""
        del id_
        return 0

    def is_shown(self, id_: str) -> bool:
        """Whether everybody may see something of a recording."""
        entry = self._entry(id_)
        return entry is not None and (self.open_house or entry.shown is not None)

    def _is_held(self, entry: Entry) -> bool:
        if self.open_house or entry.key in self._held.get():
            return True
        return entry.shown is None and entry.id is not None

    # -- the shelf --------------------------------------------------------------------------------------------------

    def shelf(self, before: int | None = None) -> Shelf:
        """The recordings everybody may see, the newest first, each judged in the view its owner chose."""
        page = self.journal.list(before, MOST_ON_A_PAGE, shown_only=not self.open_house)
        return Shelf(tuple(self._kept_row(entry) for entry in page.entries), page.cursor)

    def _kept_row(self, entry: Entry) -> ShelfRow:
        """The row of a recording; one that is not what was stored, or takes too long to judge, hides no other.

        Where too little is left to this request, the row is judged by one that comes later.
        """
        added = datetime.fromtimestamp(entry.at / 1000, UTC).date().isoformat()
        at, left = (entry.key, entry.events, entry.erased, entry.shown), effort.left()
        row = self._rows.get(at)
        if row is not None:
            return row
        try:
            with effort.at_most(MOST_STEPS_OF_A_ROW):
                row = self._row(entry)
        except chain.LogError as error:
            return ShelfRow(entry.key, "", entry.game, 0, "", 0, 0, added, broken=error.seq)
        except effort.TooLongError:
            row = ShelfRow(entry.key, self.journal.headline(entry), entry.game, 0, "", 0, 0, added)
            if left is not None and left < MOST_STEPS_OF_A_ROW:
                return row
        self._rows[at] = row
        while len(self._rows) > MOST_ROWS:
            self._rows.popitem(last=False)
        return row

    def _row(self, entry: Entry) -> ShelfRow:
        seen = self._see(entry, FULL if self.open_house else entry.shown or PUBLIC)
        findings = seen.report["findings"]
        head = head_of(entry.key, seen, ())
        return ShelfRow(
            id=entry.key,
            title=head.title,
            game=entry.game,
            hands=len(seen.spans),
            verdict=seen.report["verdict"],
            breaches=sum(1 for each in findings if each["severity"] == "error"),
            doubts=sum(1 for each in findings if each["severity"] == "doubt"),
            added=datetime.fromtimestamp(entry.at / 1000, UTC).date().isoformat(),
            seats=head.seats,
            date=head.date,
        )

    def receive(self, data: bytes, *, keep: bool, public: bool, shown: str = PUBLIC) -> Received | Refusal:
        """Read and judge an upload; keep it where asked to, on the shelf in the view `shown` where `public`.

        Of a recording that is there already nothing changes.
        """
        found = sheet.read_one(data, self.limits)
        if isinstance(found, Refusal):
            return found
        house = desk.house_of(found)
        told = report(audit(found, house))
        if not keep:
            return Received("", told, created=False)
        stored = self.journal.store(found)
        if public and stored.new:
            self.journal.show(stored.key, shown if shown in SHOWN else PUBLIC)
        self.journal.note_verdict(stored.key, len(found.events), ENGINE, house.digest, told["verdict"])
        continues = stored.continues if stored.continues and self.names(stored.continues) else ""
        return Received(stored.key, told, stored.new, self.key(stored.key), continues)

    def names(self, begun: str) -> bool:
        """Whether who brings what begins with this recording, line for line, is told that it is here."""
        del begun
        return True

    # -- one recording ----------------------------------------------------------------------------------------------

    def head(self, id_: str, view: str, lens: Lens = PLAIN) -> RecordingHead | None:
        """A recording in a view; an empty view is the widest this reader may have."""
        entry = self._entry(id_)
        return self._head(entry, view, lens) if entry else None

    def _head(self, entry: Entry, view: str, lens: Lens) -> RecordingHead | None:
        if not self._is_lens(entry, lens):
            return None
        views = self._views(entry)
        asked = view or views[0]
        return head_of(entry.key, self._see(entry, asked, lens), views) if asked in views else None

    def report(self, id_: str, view: str, lens: Lens = PLAIN) -> Mapping[str, Any] | None:
        """Its `razbor-report/1` in that view."""
        entry = self._entry(id_)
        return self._see(entry, view, lens).report if entry else None

    def story(self, id_: str, view: str, lens: Lens = PLAIN) -> Story | None:
        """All its events in that view, with the report."""
        head, entry = self.head(id_, view, lens), self._entry(id_)
        if head is None or entry is None:
            return None
        seen = self._see(entry, head.view, lens)
        return Story(head, seen.plain_events, seen.report, self._amended(entry, head.view, lens))

    def _amended(self, entry: Entry, view: str, lens: Lens) -> Amended | None:
        """Both readings of a recording that was amended."""
        events = tuple(one.seq for one in self._see(entry, view, lens).amendments)
        if not events:
            return None
        both = [self._see(entry, view, replace(lens, reading=one)).report for one in ("recorded", "amended")]
        return Amended(lens.reading, events, *both)

    def lines(self, id_: str, view: str) -> bytes | None:
        """The recording's own lines as that view may have them."""
        entry = self._entry(id_)
        return b"".join(line + b"\n" for line in self._see(entry, view).recording.lines) if entry else None

    def hand(self, id_: str, hand: int, view: str, lens: Lens = PLAIN) -> HandSource | None:
        """One hand of it, event by event, in that view; where several bear the number, the last."""
        head, entry = self.head(id_, view, lens), self._entry(id_)
        if head is None or entry is None:
            return None
        seen = self._see(entry, head.view, lens)
        found = seen.hand(hand)
        return seen.source(head, found) if found else None

    def step(
        self, id_: str, hand: int, seq: int, view: str, lens: Lens = PLAIN, *, blind: bool = False
    ) -> HandSource | None:
        """One hand as it could be known at an event; `blind`: with nothing of what came later."""
        entry = self._entry(id_)
        head = self._head(entry, view, lens) if entry else None
        if head is None or entry is None:
            return None
        seen = self._see(entry, head.view, lens)
        found = seen.hand(hand)
        source = seen.step(head, found, seq, blind=blind) if found else None
        if source is None:
            return None
        return replace(source, pin=self._pin(entry, seq), writers=self._writers(entry, seq if blind else entry.events))

    def writers(self, key: str) -> tuple[str, ...]:
        """By number of the event: who wrote it."""
        heads = [chain.read_header(link.header) for _, link in self.journal.links(key)]
        return tuple(head.by if head is not None else "" for head in heads)

    def _writers(self, entry: Entry, last: int) -> Mapping[int, str]:
        """Who wrote each event up to one, where the recording was written live."""
        key = (entry.key, entry.events)
        if entry.arrived != "live":
            return {}
        written = self._written.get(key)
        if written is None:
            written = self._written[key] = self.writers(entry.key)
            while len(self._written) > MOST_KEPT:
                self._written.popitem(last=False)
        return {seq: by for seq, by in enumerate(written) if seq <= last}

    def pin(self, id_: str, seq: int) -> str:
        """The first digits of the chain at an event; nothing where there is none."""
        entry = self._entry(id_)
        return self._pin(entry, seq) if entry else ""

    def _pin(self, entry: Entry, seq: int) -> str:
        """The first digits of the chain at an event: they change with anything written before it."""
        key = (entry.key, entry.events)
        pins = self._pins.get(key)
        if pins is None:
            pins = self._pins[key] = tuple(link.leaf.hex()[:8] for _, link in self.journal.links(entry.key))
            while len(self._pins) > MOST_KEPT:
                self._pins.popitem(last=False)
        return pins[seq] if seq < len(pins) else ""

    # -- how it is found and judged ---------------------------------------------------------------------------------

    def _entry(self, id_: str) -> Entry | None:
        try:
            return self.journal.entry(id_)
        except UnknownRecordingError:
            return None

    def _views(self, entry: Entry) -> tuple[str, ...]:
        """The views of this reader, his widest first: of what the uploader shows, or of the whole."""
        return self._views_within(entry, FULL if self._is_held(entry) else entry.shown or PUBLIC)

    def _views_within(self, entry: Entry, widest: str) -> tuple[str, ...]:
        """The views somebody may have who may have this one; all of a record that holds more than its header says."""
        seen = self._see(entry, widest)
        held = seen.recording.began.view or FULL
        if held == FULL:
            return (FULL, PUBLIC, *(f"seat:{seat}" for seat in sorted(desk.names_of(seen.recording))))
        whole = (FULL,) if widest == FULL and seen.holds_more else ()
        return tuple(dict.fromkeys((*whole, held, PUBLIC)))

    def _is_lens(self, entry: Entry, lens: Lens) -> bool:
        """Whether there are such rules for this game and such a reading."""
        try:
            reading = as_reading(lens.reading)
        except ValueError:
            return False
        known = not lens.rules or lens.rules in rulebook.presets(entry.game)
        return known and not (isinstance(reading, int) and reading >= entry.events)

    def _see(self, entry: Entry, view: str, lens: Lens = PLAIN) -> Seen:
        key = (entry.key, entry.events, entry.erased, view, lens)
        seen = self._seen.get(key)
        if seen is None:
            seen = self._seen.put(key, see(self.journal.load(entry.key).recording, view, lens))
        return seen
