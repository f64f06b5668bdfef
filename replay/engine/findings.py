"""What can be found wrong: each code documented once, its severity, and the finding itself (`report.md` 3)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final


class Severity(StrEnum):
    """How grave a finding is: an error refutes, a doubt leaves undecided, a note changes nothing."""

    ERROR = "error"
    DOUBT = "doubt"
    NOTE = "note"


class Code(StrEnum):
    """The registry: a code is a word for ever, never renamed and never reused. The order here is the report's."""

    CARD_NOT_IN_PACK = "table/card-not-in-pack"
    CARD_TWICE = "table/card-twice"
    CARD_NOT_HELD = "table/card-not-held"
    WRONG_CARD_COUNT = "table/wrong-card-count"
    WRONG_TURN = "table/wrong-turn"
    OUT_OF_PLACE = "table/out-of-place"
    WRONG_DEALER = "table/wrong-dealer"
    WRONG_HAND_NUMBER = "table/wrong-hand-number"
    TOO_MANY_SEATS = "table/too-many-seats"
    CARRY_DISPUTED = "table/carry-disputed"
    DECK_MISMATCH = "table/deck-mismatch"
    WRONG_STAKE = "table/wrong-stake"
    MISSING_STAKE = "table/missing-stake"
    UNEXPECTED_STAKE = "table/unexpected-stake"
    WRONG_PAYOUT = "table/wrong-payout"
    MISSING_PAYOUT = "table/missing-payout"
    UNEXPECTED_PAYOUT = "table/unexpected-payout"
    OVERDRAWN = "table/overdrawn"
    POT_MISCOUNTED = "table/pot-miscounted"
    STACK_MISCOUNTED = "table/stack-miscounted"
    POINTS_MISCOUNTED = "table/points-miscounted"
    TRICK_MISAWARDED = "table/trick-misawarded"
    WRONG_REASON = "table/wrong-reason"
    REVEAL_CONTRADICTS = "table/reveal-contradicts"
    DEBT_OPEN = "table/debt-open"
    POT_LEFT = "table/pot-left"
    HAND_UNFINISHED = "table/hand-unfinished"
    NOT_CLOSED = "table/not-closed"
    WRONG_EVENT_TOTAL = "table/wrong-event-total"
    UNKNOWN_CARD = "table/unknown-card"
    RULE_UNRECORDED = "table/rule-unrecorded"
    MIXED_SUIT_LEAD = "bura/mixed-suit-lead"
    LEAD_TOO_LARGE = "bura/lead-too-large"
    FACE_UP_WITHOUT_BEATING = "bura/face-up-without-beating"
    LAID_FACE_DOWN = "bura/laid-face-down"
    MAY_NOT_OPEN = "bura/may-not-open"
    OPENED_LATE = "bura/opened-late"
    SHORT_COUNT = "bura/short-count"
    FALSE_DECLARATION = "bura/false-declaration"
    LATE_DECLARATION = "bura/late-declaration"
    LEAD_NOT_ENTITLED = "bura/lead-not-entitled"
    DID_NOT_FOLLOW = "bourre/did-not-follow"
    DID_NOT_HEAD = "bourre/did-not-head"
    DID_NOT_TRUMP = "bourre/did-not-trump"
    DID_NOT_OVERTRUMP = "bourre/did-not-overtrump"
    LED_LOW_TRUMP = "bourre/led-low-trump"
    DREW_TOO_MANY = "bourre/drew-too-many"
    FOLDED_LATE = "bourre/folded-late"
    ANTE_ABOVE_MAXIMUM = "bourre/ante-above-maximum"
    DEALER_MUST_STAY = "bourre/dealer-must-stay"
    CHAIN_BROKEN = "log/chain-broken"
    MISSING_EVENTS = "log/missing-events"


ORDER: Final[dict[Code, int]] = {code: place for place, code in enumerate(Code)}
"""By code: its place in the registry."""
NOTES: Final = frozenset({Code.CARRY_DISPUTED, Code.DEBT_OPEN, Code.POT_LEFT, Code.NOT_CLOSED})
"""Codes that change no verdict."""
DOUBTS: Final = frozenset({Code.UNKNOWN_CARD, Code.RULE_UNRECORDED})
"""Codes that leave a verdict undecided where nothing refutes it."""
IMPOSSIBLE: Final = frozenset({Code.CARD_NOT_IN_PACK, Code.CARD_TWICE, Code.CARD_NOT_HELD})
"""A card that cannot be where it is written: what is found after it, within the same hand, is shaken."""


def severity_of(code: Code) -> Severity:
    """The severity a code has where nothing else is said."""
    if code in NOTES:
        return Severity.NOTE
    return Severity.DOUBT if code in DOUBTS else Severity.ERROR


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found: `seq` of the event, `hand` and `seat` (0 = none), said beside computed, and the rule.

    `recorded` and `expected` are integers, words, card spellings, or lists and maps of these; `None` where there is
    nothing to set beside. `shaken` marks what stands after something that cannot be, within the same hand.
    """

    code: Code
    severity: Severity
    seq: int
    hand: int
    seat: int
    recorded: Any
    expected: Any
    rule: str
    shaken: bool


def in_report_order(finding: Finding) -> tuple[int, int, int, int]:
    """A sort key: by `seq`, then in registry order, then by seat."""
    return finding.seq, ORDER[finding.code], finding.hand, finding.seat
