"""What a game is: one table that is stepped through event by event, and frozen results outside."""

from typing import Any, Protocol

from replay.engine.findings import Finding
from replay.engine.outcome import HandResult


class Game(Protocol):
    """A table of one game. `step` applies an event and tells what was wrong; it never raises on a bad game."""

    findings: list[Finding]
    results: list[HandResult]
    seq: int
    hand: int
    phase: int

    def step(self, event: Any) -> None:
        """Apply one event of the recording."""
