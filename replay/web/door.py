"""What the web needs from the desk; `replay.desk` gives it, a test may give less."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from replay.views.sources import PLAIN, HandSource, Lens, Received, RecordingHead, Shelf, Story
from schemas.problems import Refusal


class Desk(Protocol):
    """The one bridge. A view of "" means the widest this reader may have; `None` means there is no such thing."""

    def key(self, id_: str) -> str:
        """The key of a recording's private link."""

    def opens(self, id_: str, key: str) -> bool:
        """Whether this is that recording's key."""

    def hold(self, ids: Iterable[str]) -> None:
        """From now on the reader in this thread holds the private links of these recordings alone."""

    def holds(self, id_: str) -> bool:
        """Whether the reader holds that recording's private link."""

    def shelf(self, before: int | None = None) -> Shelf:
        """The recordings that lie open to everybody, the newest first; `before`: those that came before that one."""

    def receive(self, data: bytes, *, keep: bool, public: bool, shown: str = "public") -> Received | Refusal:
        """Read and judge an upload, and keep it or not; `public`: on the shelf, in the view `shown`."""

    def head(self, id_: str, view: str, lens: Lens = PLAIN) -> RecordingHead | None:
        """A recording in a view."""

    def report(self, id_: str, view: str, lens: Lens = PLAIN) -> Mapping[str, Any] | None:
        """Its `razbor-report/1` in that view."""

    def story(self, id_: str, view: str, lens: Lens = PLAIN) -> Story | None:
        """All its events in that view, with the report."""

    def hand(self, id_: str, hand: int, view: str, lens: Lens = PLAIN) -> HandSource | None:
        """One hand of it, event by event, in that view."""

    def step(
        self, id_: str, hand: int, seq: int, view: str, lens: Lens = PLAIN, *, blind: bool = False
    ) -> HandSource | None:
        """The hand as it could be known at an event; `blind`: with nothing of what came later."""

    def lines(self, id_: str, view: str) -> bytes | None:
        """The recording's own lines as that view may have them."""
