"""A long evening judged piece by piece: only the table, what was found and the results, packed, are held (`house.md`).

The findings and the report are those of `replay.audit.report`; `tests/audit/test_stream.py` holds them together.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final, overload

import msgspec

from replay.audit.fold import Fold
from replay.audit.report import Head, hand_row, report_of
from replay.engine.findings import in_report_order
from replay.engine.outcome import HandResult
from schemas.events import Event, Noted, RecordingBegan, RecordingEnded, Testified
from schemas.rules import HouseRules

_PACKER: Final = msgspec.msgpack.Encoder()
_UNPACKER: Final = msgspec.msgpack.Decoder(list[HandResult])


class Hands(Sequence[dict[str, Any]]):
    """The rows of a report's hands, made anew each time they are asked for."""

    def __init__(self, game: str) -> None:
        self._game = game
        self._packed: list[bytes] = []
        self._count = 0

    def add(self, results: list[HandResult]) -> None:
        """More results, in the order of the hands."""
        self._packed.append(_PACKER.encode(results))
        self._count += len(results)

    def __len__(self) -> int:
        return self._count

    def results(self) -> Iterator[HandResult]:
        """What the rows are made of."""
        return (result for packed in self._packed for result in _UNPACKER.decode(packed))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (hand_row(result, self._game) for result in self.results())

    @overload
    def __getitem__(self, place: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, place: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, place: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        if isinstance(place, slice):
            return list(self)[place]
        return next(islice(self, range(self._count)[place], None))


def _end_of(events: list[Event]) -> RecordingEnded | None:
    """The end of the recording, after which only words may stand."""
    for event in reversed(events):
        if isinstance(event, RecordingEnded):
            return event
        if not isinstance(event, Noted | Testified):
            break
    return None


class Stream(Fold):
    """A recording on which nothing throws a new light later: every card seen, every rule written down, no amendment."""

    def __init__(self, began: RecordingBegan, house: HouseRules) -> None:
        super().__init__([began], house, maybe_unseen=False, amended=False)
        self._ended: RecordingEnded | None = None
        self._last: Event = began
        self._hands = Hands(house.game)

    def take(self, events: list[Event]) -> bool:
        """Judge the next events, by number; false where the recording has to be looked at as a whole."""
        if self.table.results:
            self._hands.add(self.table.results)
            self.table.results = []
        self.table.walk_on(events, events[0].seq)
        self._last = events[-1]
        self._ended = self._ended or _end_of(events)
        return not self.table.strange_hands and not self.table.looks_back

    def report(self, digest: str, count: int) -> dict[str, Any]:
        """The report after the last event (`report.md` 4); the hands of a long recording as `Hands`."""
        self.events = [*([self._ended] if self._ended else []), self._last]
        self._close()
        head = Head(digest, self.began.view or "full", count, self._ended is not None)
        findings = sorted((*self.told, *self.table.findings), key=in_report_order)
        return report_of(head, self.house, findings, self._rows(), self.table)

    def results(self) -> Iterator[HandResult]:
        """The result of every hand, after `report`."""
        return self._hands.results() if self._hands else iter(self.table.results)

    def _rows(self) -> Sequence[dict[str, Any]]:
        results = self.table.results
        if not self._hands:
            return [hand_row(result, self.house.game) for result in results]
        self._hands.add(results)
        return self._hands
