"""What a seat could have laid instead: each set of its cards is laid on a copy of the table, and the laws are asked."""

from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any, Final

from msgspec.structs import replace as replaced

from replay.audit.explore import Script, fork
from replay.engine.findings import Code, Severity
from schemas.cards import spell_all
from schemas.events import Played

LAWS: Final = frozenset(
    {
        *(Code.MIXED_SUIT_LEAD, Code.LEAD_TOO_LARGE, Code.DID_NOT_FOLLOW, Code.DID_NOT_HEAD, Code.DID_NOT_TRUMP),
        *(Code.DID_NOT_OVERTRUMP, Code.LED_LOW_TRUMP, Code.WRONG_CARD_COUNT),
    }
)
"""The codes that speak of which cards were laid, not of whose turn it was."""
MOST_CARDS: Final = 7
"""A hand with more cards than any rule deals is no hand to try."""


@dataclass(frozen=True, slots=True)
class Legal:
    """Sets a seat could lay. `kind`: `lead` and `follow` list legal sets, `beat` those that beat the best so far."""

    kind: str
    sets: tuple[tuple[str, ...], ...]
    #: How many cards an answer has; 0 for a lead.
    count: int


def alternatives(table: Any, played: Played) -> Legal | None:
    """The choices of the seat that plays next, from the table just before; None where its hand is not wholly known."""
    seat = played.seat
    held = spell_all(table.held[seat].sure) if seat < len(table.held) else []
    if table.silent or not held or len(held) != table.held[seat].size or len(held) > MOST_CARDS:
        return None
    if not set(played.cards) <= set(held):
        return None
    if hasattr(table, "ring"):
        kind = "follow" if table.trick_open() else "lead"
        return Legal(kind, tuple((card,) for card in held if _lawful(table, played, (card,))), 1)
    if table.trick_open() and table.to_answer:
        count = min(len(table.lead), len(held))
        ways = [one for one in combinations(held, count) if _beats(table, played, one)]
        return Legal("beat", tuple(ways), count)
    sizes = range(1, len(held) + 1)
    leads = [one for size in sizes for one in combinations(held, size) if _lawful(table, played, one)]
    return Legal("lead", tuple(leads), 0)


def _laid(table: Any, played: Played, cards: tuple[str, ...]) -> Any:
    twin = fork(table)
    twin.witness = _Unmoved(table.witness)
    twin.step(replaced(played, cards=cards, face="up"))
    return twin


def _lawful(table: Any, played: Played, cards: tuple[str, ...]) -> bool:
    found = _laid(table, played, cards).findings
    return not any(each.code in LAWS and each.severity is Severity.ERROR for each in found)


def _beats(table: Any, played: Played, cards: tuple[str, ...]) -> bool:
    """In one order or another: sets may have to be paired as they are laid."""
    ways = permutations(cards)
    return any(
        not any(each.code is Code.FACE_UP_WITHOUT_BEATING for each in twin.findings) and twin.winner == played.seat
        for twin in (_laid(table, played, one) for one in ways)
    )


class _Unmoved:
    """Answers as the witness of the real table does, from a script of its own."""

    def __init__(self, witness: Any) -> None:
        self._witness, self._script = witness, Script()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._witness, name)

    def choose(self, kind: Code, name: str, values: Any, seq: int) -> Any:
        """The first answer; the table's own script stays as it is."""
        return self._script.choose(kind, name, values, seq)
