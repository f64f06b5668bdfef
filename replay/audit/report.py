"""The wing's one door: a recording judged, and the report of it, the same bytes on every machine (`report.md` 4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import is_
from typing import Any, Final, NamedTuple

from replay.audit.amend import Reading, read
from replay.audit.fold import Judgement, fold
from replay.engine.findings import Finding, Severity, in_report_order
from replay.engine.outcome import HandResult, SeatResult
from schemas.events import Event, Recording
from schemas.rules import HouseRules

ENGINE: Final = "0.1.0"
VERIFIED: Final = "verified"
REFUTED: Final = "refuted"
UNDECIDED: Final = "undecided"


@dataclass(frozen=True, slots=True)
class Audit:
    """A recording judged: the events of the reading, findings in report order, results by hand, and the verdict."""

    recording: Recording
    house: HouseRules
    reading: Reading
    events: tuple[Event, ...]
    findings: tuple[Finding, ...]
    results: tuple[HandResult, ...]
    table: Any
    verdict: str


def audit(recording: Recording, house: HouseRules, reading: Reading = "amended") -> Audit:
    """Judge a recording under the given rules, in one of its readings."""
    events = read(recording.events, reading)
    amended = len(events) != len(recording.events) or not all(map(is_, events, recording.events))
    folded = fold(events, house, maybe_unseen=b"?" in b"".join(recording.lines), amended=amended)
    findings = tuple(sorted(folded.findings, key=in_report_order))
    return Audit(recording, house, reading, tuple(events), findings, folded.results, folded.table, verdict_of(findings))


def verdict_of(findings: Sequence[Finding]) -> str:
    """The verdict findings come to (`report.md` 2)."""
    if any(finding.severity is Severity.ERROR for finding in findings):
        return REFUTED
    return UNDECIDED if any(finding.severity is Severity.DOUBT for finding in findings) else VERIFIED


def report(judged: Audit) -> dict[str, Any]:
    """The report as plain data, keys in the order of `report.md` 4; chips and points are integers or None."""
    recording, house = judged.recording, judged.house
    head = Head(recording.digest, recording.began.view or "full", len(recording.events), recording.complete)
    hands = [hand_row(result, house.game) for result in judged.results]
    return report_of(head, house, judged.findings, hands, judged.table)


class Head(NamedTuple):
    """What a report says of the recording itself: digest, view, number of events, whether its end stands in it."""

    digest: str
    view: str
    events: int
    complete: bool


def report_of(
    head: Head, house: HouseRules, findings: Sequence[Finding], hands: Sequence[dict[str, Any]], table: Any
) -> dict[str, Any]:
    """The report of findings in report order, rows by hand, and the table as it stands at the end."""
    return {
        "format": "razbor-report/1",
        "engine": ENGINE,
        "recording": {
            "digest": head.digest,
            "id": head.digest[:16],
            "game": house.game,
            "rules": house.preset,
            "options": dict(house.options),
            "rules_digest": house.digest,
            "view": head.view,
            "events": head.events,
            "hands": len(hands),
            "complete": head.complete,
        },
        "verdict": verdict_of(findings),
        "findings": [finding_row(finding) for finding in findings],
        "hands": hands,
        "balances": balances(table),
    }


def finding_row(finding: Finding) -> dict[str, Any]:
    """One finding as plain data; hand and seat are None where it has none."""
    return {
        "code": str(finding.code),
        "severity": str(finding.severity),
        "seq": finding.seq,
        "hand": finding.hand or None,
        "seat": finding.seat or None,
        "recorded": finding.recorded,
        "expected": finding.expected,
        "rule": finding.rule,
        "shaken": finding.shaken,
    }


def hand_row(result: HandResult, game: str) -> dict[str, Any]:
    """One hand's result as plain data."""
    bura = game == "bura"
    return {
        "hand": result.hand,
        "dealer": result.dealer,
        "trump": result.trump,
        "pot_before": result.pot_before,
        "pot": result.pot,
        "pot_after": result.pot_after,
        "reason": result.reason,
        "takers": None if result.takers is None else list(result.takers),
        "tricks": [
            {
                "trick": trick.trick,
                "leader": trick.leader or None,
                "taker": trick.taker or None,
                "seqs": list(trick.seqs),
                **({"points": _range(*_known(trick.low, trick.high))} if bura else {}),
            }
            for trick in result.tricks
        ],
        "seats": {str(seat): _seat_row(row, bura) for seat, row in sorted(result.seats.items())},
    }


def _known(low: int, high: int) -> tuple[int | None, int | None]:
    """Points that are counted below nothing are not known."""
    return (None, None) if low < 0 else (low, high)


def _range(low: int | None, high: int | None) -> dict[str, int | None]:
    return {"low": low, "high": high}


def _seat_row(row: SeatResult, bura: bool) -> dict[str, Any]:
    what: dict[str, Any] = {"points": _range(row.low, row.high)} if bura else {"tricks": row.tricks}
    return {**what, "net_recorded": row.net_recorded, "net_due": row.net_due}


def balances(table: Any) -> dict[str, dict[str, int | None]]:
    """Each present player's chips at the end, by the recorded moves and as due."""
    seats = [seat for seat in range(1, table.seats() + 1) if table.occupied[seat]]
    return {
        "recorded": {str(seat): table.stack[seat] for seat in seats},
        "due": {str(seat): table.chips_due[seat] for seat in seats},
    }


def summary(folded: Judgement) -> dict[str, int]:
    """How often each code was told; for bulk tables."""
    counts: dict[str, int] = {}
    for finding in folded.findings:
        counts[finding.code] = counts.get(finding.code, 0) + 1
    return counts
