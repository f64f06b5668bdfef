"""The steps a pad offers: their form, the payments of a decided hand, and which cards may be meant."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from replay.audit.explore import fork
from replay.engine.findings import Finding, Severity
from replay.engine.ledger import NOTHING
from schemas.cards import KNOWN, spell_all
from schemas.events import Counted, Event, Played, Scored
from schemas.rules import FailedOpen, Scoring
from schemas.values import Seat

Fields = Mapping[str, Any]
UNSEEN: Final = "??"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that may happen next."""

    #: The event's type.
    kind: str
    #: Whose move it is; 0 for nobody's.
    seat: int = 0
    #: The rules want this now; else they only allow it.
    due: bool = False
    #: Ready to record, in this order.
    events: tuple[Fields, ...] = ()
    #: What is lacking: `cards`, `points`, `amount`, or nothing.
    asks: str = ""
    #: How many cards, at the least and at the most.
    least: int = 0
    most: int = 0
    #: The other fields of the event, as far as they are known.
    fields: Fields = field(default_factory=dict)
    #: The paragraph.
    rule: str = ""
    #: It stands for several events that are usual together.
    joined: bool = False


@dataclass(frozen=True, slots=True)
class Now:
    """A table as it stands: its state, what was found in the hand so far, and the events of that hand."""

    table: Any
    findings: tuple[Finding, ...]
    hand: tuple[Event, ...]


def one(kind: str, *, due: bool = False, rule: str = "", **fields: Any) -> Step:
    """A step that is one event, known whole."""
    event = {"type": kind, **{name: value for name, value in fields.items() if value is not None}}
    return Step(kind, fields.get("seat", 0) or 0, due, (event,), fields=event, rule=rule)


def several(kind: str, events: Sequence[Fields], *, due: bool = False, rule: str = "") -> Step:
    """Several events that are usual together, for one tap."""
    return Step(kind, 0, due, tuple(events), rule=rule, joined=True)


def rule_of(table: Any, bura: str, bourre: str) -> str:
    """The paragraph in the rules of the table's game."""
    return f"bura{bura}" if table.game == "bura" else f"bourre{bourre}"


def plain(event: Fields) -> dict[str, Any]:
    """The fields of an event without its type."""
    return {name: value for name, value in event.items() if name != "type"}


def decided(table: Any) -> Any:
    """A copy of the table where what waits for a payment is decided; the table itself is not moved."""
    twin = fork(table)
    twin.seq = table.seq
    twin.decide_at_last()
    return twin


def settlement(table: Any, hand: Sequence[Event]) -> list[Step]:
    """The payments of a decided hand, and its end; one step for all of them together."""
    rule = rule_of(table, ".15", ".10")
    moves: list[dict[str, Any]] = []
    for seat, dues in table.dues_out.items():
        if (amount := table.due_now(dues)) > 0:
            moves.append({"type": "pot_taken", "seat": seat, "amount": amount})
    for seat, (why, dues) in table.dues_in.items():
        if (amount := table.due_now(table.within_means(seat, dues or NOTHING))) > 0:
            moves.append({"type": "staked", "seat": seat, "amount": amount, "why": why})
    moves += _scores(table, hand)
    end = {"type": "hand_ended", "reason": table.reason}
    counting = _counting(table, hand)
    steps = [one(str(move["type"]), due=True, rule=rule, **plain(move)) for move in moves]
    steps.append(one("hand_ended", due=not moves, reason=table.reason))
    if moves:
        steps.insert(0, several("settle", [*moves, end], due=not counting, rule=rule))
    other = _failed_after_all(table, hand)
    if other is not None:
        steps.insert(0, other)
    return [*counting, *steps]


def _scores(table: Any, hand: Sequence[Event]) -> list[dict[str, Any]]:
    if table.game != "bura" or table.rules.scoring is not Scoring.MATCH_POINTS:
        return []
    if any(isinstance(event, Scored) for event in hand):
        return []
    points = table.level * (2 if table.won_double else 1)
    return [{"type": "scored", "seat": seat, "points": points} for seat in table.takers]


def _counting(table: Any, hand: Sequence[Event]) -> list[Step]:
    """Who opened counts aloud."""
    if table.game != "bura" or not table.opener or any(isinstance(event, Counted) for event in hand):
        return []
    low, high = table.pile_bounds(table.opener)
    fields = {"type": "counted", "seat": table.opener}
    known = [one("counted", due=True, seat=table.opener, points=low, rule="bura.12")] if low == high else []
    return [*known, Step("counted", table.opener, not known, asks="points", fields=fields, rule="bura.12")]


def _failed_after_all(table: Any, hand: Sequence[Event]) -> Step | None:
    """Where unseen cards leave it open whether an opening had enough: the way of one that had not, for whom it fits."""
    if table.game != "bura" or table.reason != "opened" or table.pot_taken_now:
        return None
    low, high = table.pile_bounds(table.opener)
    said = next((event.points for event in reversed(hand) if isinstance(event, Counted)), None)
    if not low < table.rules.target <= high or table.rules.failed_open is not FailedOpen.MATCH_POT:
        return None
    due = table.due_now(table.within_means(table.opener, table.pots()))
    moves = [
        {"type": "staked", "seat": table.opener, "amount": due, "why": "failed_open"},
        {"type": "hand_ended", "reason": "failed_open"},
    ]
    return several("settle_failed", moves, due=said is not None and said < table.rules.target, rule="bura.12")


def pack_of(table: Any) -> tuple[str, ...]:
    """Every card of the pack."""
    return tuple(spell_all(table.pack))


def used(table: Any, step: Step) -> frozenset[str]:
    """The cards that cannot be this step's, as far as the record knows: they lie elsewhere, or the seat has others."""
    if step.asks != "cards":
        return frozenset()
    gone = table.seen
    if step.kind in ("dealt", "drew", "trump_turned"):
        under = table.game == "bura" and step.kind == "drew" and 0 <= table.turnup < KNOWN
        return frozenset(spell_all(gone & ~(1 << table.turnup) if under else gone))
    return frozenset(spell_all(table.pack & ~table.possible(step.seat)))


def unlawful(table: Any, step: Step) -> frozenset[str]:
    """Of a hand that is wholly known: the cards that may be laid, and would break a duty of Bourré if they were."""
    if step.kind != "played" or table.game != "bourre" or table.blind or table.silent:
        return frozenset()
    held = table.held[step.seat].sure
    if held.bit_count() != table.held[step.seat].size:
        return frozenset()
    return frozenset(card for card in spell_all(held) if _breaks(table, step.seat, card))


def _breaks(table: Any, seat: int, card: str) -> bool:
    twin = fork(table)
    twin.step(Played(seq=table.seq + 1, seat=Seat(seat), cards=(card,), face="up"))
    return any(finding.severity is Severity.ERROR for finding in twin.findings)
