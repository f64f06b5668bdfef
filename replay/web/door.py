"""What the web needs from the desk; `replay.desk` gives it, a test may give less."""

from collections.abc import Mapping
from typing import Any, Protocol

from replay.views.sources import HandSource, Received, RecordingHead, ShelfRow
from schemas.problems import Refusal


class Desk(Protocol):
    """The one bridge. A view of "" means the widest this reader may have; `None` means there is no such thing."""

    def shelf(self) -> tuple[ShelfRow, ...]:
        """The recordings that lie open to everybody."""

    def receive(self, data: bytes, *, keep: bool, public: bool) -> Received | Refusal:
        """Read and judge an upload, and keep it or not."""

    def head(self, id_: str, view: str) -> RecordingHead | None:
        """A recording in a view."""

    def report(self, id_: str, view: str) -> Mapping[str, Any] | None:
        """Its `razbor-report/1` in that view."""

    def hand(self, id_: str, hand: int, view: str) -> HandSource | None:
        """One hand of it, event by event, in that view."""

    def lines(self, id_: str, view: str) -> bytes | None:
        """The recording's own lines as that view may have them."""
