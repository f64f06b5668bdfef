"""Telling what was found: the running event number, the hand, and the findings so far (`report.md` 3)."""

from collections.abc import Sequence
from typing import Any, Protocol

from replay.engine.findings import IMPOSSIBLE, Code, Finding, Severity, severity_of


class Witness(Protocol):
    """Who the engine asks where the record alone does not settle a question."""

    def choose(self, kind: Code, name: str, values: Sequence[Any], seq: int) -> Any:
        """One of `values`: the branch under which the hand is to be judged this time."""

    def bounds(self, seat: int) -> tuple[int, int]:
        """The least and greatest points that may lie in the seat's pile now."""

    def trick_bounds(self, seqs: Sequence[int]) -> tuple[int, int]:
        """The least and greatest points that may lie in the trick of these plays."""

    def may_have(self, seat: int, seqs: Sequence[int], points: int) -> bool:
        """Whether some naming of the unseen cards gives the trick of these plays, or the seat's pile, such points."""


class Voice:
    """The part of the state that tells: `find` adds a finding at the event being stepped through."""

    __slots__ = ("findings", "hand", "seq", "shaken", "silent")

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.seq = 0
        self.hand = 0
        self.shaken = False
        self.silent = False
        """After `unseen`: nothing of this hand can be judged."""

    def find(self, code: Code, seat: int, recorded: Any, expected: Any, rule: str) -> None:
        """Tell what was found at the present event; silent where the hand can no longer be judged."""
        if not self.silent:
            self.tell(code, severity_of(code), seat, recorded, expected, rule)

    def tell(self, code: Code, severity: Severity, seat: int, recorded: Any, expected: Any, rule: str) -> None:
        """Add a finding whose severity differs from the code's usual one."""
        self.findings.append(Finding(code, severity, self.seq, self.hand, seat, recorded, expected, rule, self.shaken))
        if code in IMPOSSIBLE:
            self.shaken = True
