"""One hand judged under every way to settle what the record leaves open, and the ways laid together again.

The engine asks its witness wherever an unseen card or an unrecorded rule decides how the hand goes on. Each answer is a
branch; the hand is stepped through once for each. What all branches say stands, what differs is a doubt.
"""

from collections.abc import Callable, Sequence, Sized
from dataclasses import dataclass, replace
from functools import cache
from types import GetSetDescriptorType, MemberDescriptorType
from typing import Any, Final

from msgspec.structs import replace as replaced

from replay.engine.findings import Code, Finding, Severity, severity_of
from replay.engine.outcome import HandResult, SeatResult, TrickResult

MOST_BRANCHES: Final = 1500
"""In so many ways a hand is judged at the most."""
MOST_BOUNDS: Final = 64
"""So many bounds of piles and tricks are looked for in one hand: a small file cannot become a long time."""

Key = tuple[int, Code, int, str, bool]


@dataclass(frozen=True, slots=True)
class Choice:
    """One question the engine asked, and the answer it was given in this branch."""

    kind: Code
    name: str
    values: tuple[Any, ...]
    seq: int
    taken: Any
    told: int = 0
    """How many findings of the hand had been made when it was asked."""


class Script:
    """Answers in the order they are asked for; past its end, the first value."""

    __slots__ = ("asked", "known", "lines")

    def __init__(self, lines: Sequence[Any] = ()) -> None:
        self.lines = list(lines)
        self.asked: list[Choice] = []
        self.known: dict[str, Any] = {}

    def choose(self, kind: Code, name: str, values: Sequence[Any], seq: int, told: int = 0) -> Any:
        """The answer of this branch; a rule has one value throughout a hand."""
        if kind is Code.RULE_UNRECORDED and name in self.known:
            return self.known[name]
        place = len(self.asked)
        taken = self.lines[place] if place < len(self.lines) else values[0]
        self.asked.append(Choice(kind, name, tuple(values), seq, taken, told))
        self.known[name] = taken
        return taken

    def next_lines(self) -> list[Any] | None:
        """The script of the next branch, or None after the last."""
        for place in range(len(self.asked) - 1, -1, -1):
            choice = self.asked[place]
            at = choice.values.index(choice.taken)
            if at + 1 < len(choice.values):
                return [each.taken for each in self.asked[:place]] + [choice.values[at + 1]]
        return None


@dataclass(frozen=True, slots=True)
class Branch:
    """One way the hand may have gone: what was asked, what was found, what the table looks like after it."""

    choices: tuple[Choice, ...]
    findings: tuple[Finding, ...]
    result: HandResult | None
    table: Any
    cut: bool = False
    """There were more ways than can be looked at: what all those say that were looked at is not yet certain."""


@cache
def _slots(kind: type) -> tuple[str, ...]:
    """The names of all that a table of this kind is made of, also where it was compiled."""
    members = (MemberDescriptorType, GetSetDescriptorType)
    own = (name for shape in kind.__mro__ for name, value in vars(shape).items() if isinstance(value, members))
    return tuple(name for name in own if not name.startswith("__"))


def fork(table: Any) -> Any:
    """A table that can be moved without moving the one it was made from; its findings and results begin empty."""
    kind: Any = type(table)
    twin = kind()
    for slot in _slots(kind):
        value = getattr(table, slot)
        if isinstance(value, list | dict):
            value = value.copy()
        setattr(twin, slot, value)
    twin.held = [each.copy() for each in table.held]
    twin.findings = []
    twin.results = []
    return twin


def branches(start: Any, run: Callable[[Any, Script], None], bounds: Sized = ()) -> list[Branch]:
    """Every branch of one hand, from a table that stays as it is; `bounds` grows by each that had to be looked for."""
    found: list[Branch] = []
    lines: list[Any] | None = []
    most = len(bounds) + MOST_BOUNDS
    while lines is not None and len(found) < MOST_BRANCHES and len(bounds) < most:
        script = Script(lines)
        table = fork(start)
        run(table, script)
        result = table.results[-1] if table.results else None
        found.append(Branch(tuple(script.asked), tuple(table.findings), result, table))
        lines = script.next_lines()
    if lines is not None:
        return [replace(branch, cut=True) for branch in found]
    return found


def lay_together(ways: list[Branch]) -> tuple[list[Finding], HandResult | None, Any]:
    """What all branches agree on; what they differ in becomes a doubt or an unknown value."""
    if len(ways) == 1 and not ways[0].cut:
        return list(ways[0].findings), ways[0].result, ways[0].table
    asked, ways = ways, _without_their_own_doubts(ways)
    findings = _common_findings(ways)
    result = _common_result([way.result for way in ways])
    table = ways[0].table
    table.forget_what_differs([way.table for way in ways])
    if ways[0].cut:
        table.forget_all()
        return _uncertain(ways, findings, _before_all_questions(asked)), result and _not_known(result), table
    if result is not None and not any(finding.severity is not Severity.NOTE for finding in findings):
        findings += _doubt_of_result(ways, result)
    return findings, result, table


def _without_their_own_doubts(ways: list[Branch]) -> list[Branch]:
    """Where only some ways show gaps in the record, what those leave open is no matter of cards that were not seen:
    under the other ways all is on record."""
    gaps = [way.table.has_gaps() for way in ways]
    if all(gaps) or not any(gaps):
        return ways
    return [
        replace(
            way,
            choices=tuple(choice for choice in way.choices if choice.kind is Code.RULE_UNRECORDED),
            findings=tuple(each for each in way.findings if each.severity is not Severity.DOUBT),
        )
        if gap and any(choice.kind is Code.RULE_UNRECORDED for choice in way.choices)
        else way
        for way, gap in zip(ways, gaps, strict=True)
    ]


def _key(finding: Finding) -> Key:
    return finding.seq, finding.code, finding.seat, finding.severity, finding.shaken


def _common_findings(ways: list[Branch]) -> list[Finding]:
    by_key: dict[Key, list[Finding | None]] = {}
    for place, way in enumerate(ways):
        for finding in way.findings:
            row = by_key.setdefault(_key(finding), [None] * len(ways))
            row[place] = row[place] or finding
    kept: list[Finding] = []
    partial: dict[int, list[list[Finding | None]]] = {}
    for row in by_key.values():
        if all(row):
            kept.append(_blurred([each for each in row if each]))
        else:
            first = next(each for each in row if each)
            partial.setdefault(first.seq, []).append(row)
    for rows in partial.values():
        kept += _partial_at(ways, rows)
    return kept


def _blurred(same: list[Finding]) -> Finding:
    """One finding of several that say the same; what they expect differently is left open."""
    first = same[0]
    expected = first.expected if all(each.expected == first.expected for each in same) else None
    recorded = first.recorded if all(each.recorded == first.recorded for each in same) else None
    seat = first.seat if all(each.seat == first.seat for each in same) else 0
    return replace(first, expected=expected, recorded=recorded, seat=seat)


def _partial_at(ways: list[Branch], rows: list[list[Finding | None]]) -> list[Finding]:
    """Findings at one event that only some branches make."""
    errors = [row for row in rows if next(each for each in row if each).severity is Severity.ERROR]
    if errors:
        wrong = [any(row[place] for row in errors) for place in range(len(ways))]
        if all(wrong):
            first = [each for row in errors for each in row if each]
            return [_blurred([first[0], *(each for each in first if each.code is first[0].code)])]
    doubts = []
    for row in rows:
        finding = next(each for each in row if each)
        if finding.severity is Severity.NOTE:
            continue
        if finding.severity is Severity.DOUBT:
            doubts.append(finding)
            continue
        doubts += _doubts(ways, [bool(each) for each in row], finding)
    return _once(doubts)


def _once(doubts: list[Finding]) -> list[Finding]:
    seen = set()
    kept = []
    for doubt in doubts:
        key = (doubt.seq, doubt.code, doubt.rule)
        if key not in seen:
            seen.add(key)
            kept.append(doubt)
    return kept


def _doubts(ways: list[Branch], wrong: list[bool], finding: Finding) -> list[Finding]:
    """The doubts that stand for a breach which only some branches see: one for each question it hangs on."""
    doubts = []
    for choice in _hangs_on(ways, wrong):
        if choice.kind is Code.RULE_UNRECORDED:
            said = _results_by_value(ways, choice.name, wrong, str(finding.code))
            doubts.append(_doubt(finding, choice.kind, choice.name, said, choice.name))
        else:
            doubts.append(_doubt(finding, choice.kind, str(finding.code), None, finding.rule))
    return doubts


def _doubt(finding: Finding, code: Code, recorded: Any, expected: Any, rule: str) -> Finding:
    return replace(finding, code=code, severity=severity_of(code), recorded=recorded, expected=expected, rule=rule)


def _before_all_questions(ways: list[Branch]) -> set[Key]:
    """What was found before anything was asked: it stands in every way, also in those that were not looked at."""
    return set.intersection(*({_key(each) for each in way.findings[: way.choices[0].told]} for way in ways))


def _uncertain(ways: list[Branch], findings: list[Finding], certain: set[Key]) -> list[Finding]:
    """What was found in ways of which not all were looked at: a breach in each of them is a doubt, and one there is."""
    first = ways[0].choices[0]
    sure = [each.severity is not Severity.ERROR or _key(each) in certain for each in findings]
    told = [
        each if stands else _doubt(each, first.kind, str(each.code), None, each.rule)
        for each, stands in zip(findings, sure, strict=True)
    ]
    if not any(each.severity is Severity.DOUBT for each in told):
        rule = first.name if first.kind is Code.RULE_UNRECORDED else "report.1"
        hand = ways[0].table.hand
        told.append(Finding(first.kind, severity_of(first.kind), first.seq, hand, 0, first.name, None, rule, False))
    return _once(told)


def _not_known(result: HandResult) -> HandResult:
    """What is certain of a hand of which not every way was looked at: what was written, not what it came to."""
    return replaced(
        result,
        pot=None,
        pot_after=None,
        reason=None,
        takers=None,
        tricks=(),
        seats={seat: SeatResult(None, None, None, row.net_recorded, None) for seat, row in result.seats.items()},
        score=None,
    )


def _hangs_on(ways: list[Branch], wrong: list[bool]) -> list[Choice]:
    """The questions whose answers separate the branches; all of them where none does alone."""
    asked: dict[str, Choice] = {}
    answers: list[dict[str, str]] = []
    for way in ways:
        answers.append({})
        for choice in way.choices:
            name = _name(choice)
            asked.setdefault(name, choice)
            answers[-1].setdefault(name, repr(choice.taken))
    telling = []
    for name, choice in asked.items():
        tallies: dict[str, list[int]] = {}
        for given, bad in zip(answers, wrong, strict=True):
            row = tallies.setdefault(given.get(name, "-"), [0, 0])
            row[bad] += 1
        shares = {bad * 1000 // (good + bad) for good, bad in tallies.values()}
        if len(shares) > 1:
            telling.append(choice)
    return telling or list(asked.values())


def _name(choice: Choice) -> str:
    return choice.name if choice.kind is Code.RULE_UNRECORDED else f"{choice.name}@{choice.seq}"


def _results_by_value(ways: list[Branch], name: str, wrong: list[bool], code: str) -> dict[str, Any]:
    """By value of an unrecorded option: the code it makes, or `ok`, or both."""
    said: dict[str, Any] = {}
    for way, bad in zip(ways, wrong, strict=True):
        for choice in way.choices:
            if choice.name == name:
                value = str(choice.taken)
                result = code if bad else "ok"
                said[value] = result if said.get(value, result) == result else "open"
    return said


def _common_result(results: list[HandResult | None]) -> HandResult | None:
    real = [result for result in results if result is not None]
    if not real:
        return None
    first = real[0]
    if all(result == first for result in real):
        return first

    def same(name: str) -> Any:
        value = getattr(first, name)
        return value if all(getattr(result, name) == value for result in real) else None

    seats = {seat: _common_seat([result.seats.get(seat) for result in real]) for seat in first.seats}
    return replaced(
        first,
        trump=same("trump"),
        pot_before=same("pot_before"),
        pot=same("pot"),
        pot_after=same("pot_after"),
        reason=same("reason"),
        takers=same("takers"),
        tricks=_common_tricks([result.tricks for result in real]),
        seats=seats,
        score=same("score"),
    )


def _common_tricks(rows: list[tuple[TrickResult, ...]]) -> tuple[TrickResult, ...]:
    """The tricks that all ways share; a leader or taker they differ in is not known."""
    shared = []
    for same in zip(*rows, strict=False):
        first = same[0]
        if any(each.seqs != first.seqs for each in same):
            break
        leader = first.leader if all(each.leader == first.leader for each in same) else 0
        taker = first.taker if all(each.taker == first.taker for each in same) else 0
        low, high = min(each.low for each in same), max(each.high for each in same)
        shared.append(TrickResult(first.trick, leader, taker, first.seqs, low, high))
    return tuple(shared)


def _common_seat(rows: list[SeatResult | None]) -> SeatResult:
    real = [row for row in rows if row is not None]
    first = real[0]
    lows = [row.low for row in real if row.low is not None]
    highs = [row.high for row in real if row.high is not None]
    return SeatResult(
        min(lows) if len(lows) == len(real) else None,
        max(highs) if len(highs) == len(real) else None,
        first.tricks if all(row.tricks == first.tricks for row in real) else None,
        first.net_recorded,
        first.net_due if all(row.net_due == first.net_due for row in real) else None,
    )


def _doubt_of_result(ways: list[Branch], result: HandResult) -> list[Finding]:
    """The hand's outcome differs though no event shows it: said once, at its end."""
    if all(way.result is None or way.result == result for way in ways):
        return []
    asked = {_name(choice): choice for way in ways for choice in way.choices}
    changing = []
    for name, choice in asked.items():
        by_value: dict[str, list[HandResult | None]] = {}
        for way in ways:
            value = next((str(each.taken) for each in way.choices if _name(each) == name), "-")
            by_value.setdefault(value, []).append(way.result)
        told = {value: _outcome(_common_result(results)) for value, results in by_value.items()}
        if len({repr(each) for each in told.values()}) > 1:
            changing.append((choice, told))
    return [
        Finding(
            choice.kind,
            severity_of(choice.kind),
            result.end,
            result.hand,
            0,
            choice.name,
            told if choice.kind is Code.RULE_UNRECORDED else None,
            choice.name if choice.kind is Code.RULE_UNRECORDED else "report.1",
            False,
        )
        for choice, told in changing
    ]


def _outcome(result: HandResult | None) -> dict[str, Any] | None:
    if result is None:
        return None
    return {
        "reason": result.reason,
        "takers": None if result.takers is None else list(result.takers),
        "pot_after": result.pot_after,
        "net_due": {str(seat): row.net_due for seat, row in result.seats.items()},
    }
