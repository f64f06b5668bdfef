"""What a game is: one table that is stepped through event by event, and frozen results outside."""

from collections.abc import Sequence
from typing import Any, Protocol

from replay.engine.findings import Finding
from replay.engine.outcome import HandResult
from replay.engine.voice import Witness
from schemas.events import RecordingBegan


class Game(Protocol):
    """A table of one game, as `replay.engine.catalog` hands it out; it never raises on a bad game.

    `findings` are those told so far, `results` of the hands that are over; `seq` is the event it stands at, `hand` the
    recorded number of the hand, `phase` where in the hand it is (0 between hands).
    """

    findings: list[Finding]
    results: list[HandResult]
    seq: int
    hand: int
    phase: int

    def sit_down(self, began: RecordingBegan, rules: Any, witness: Witness) -> None:
        """Before the first hand: who sits there with how many chips, and by which rules of the game they play."""

    def step(self, event: Any) -> None:
        """Apply one event of the recording, and tell what was wrong about it."""

    def foresee(self, events: Sequence[Any]) -> None:
        """The events of the hand that begins now, for what only later ones show."""

    def settle_open_ends(self) -> None:
        """The record stops here for now."""
