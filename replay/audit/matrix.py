"""The rule matrix: the same facts judged under the other values of each option this hand touches (`report.md` 5)."""

from collections.abc import Sequence
from copy import copy
from typing import Any, Final

from replay.audit.explore import Branch, Script
from replay.audit.fold import Fold, Probe
from replay.audit.stand import Remembering, Stand, every_way, folded, with_option
from replay.engine.findings import Code, Finding
from schemas.events import HandEnded
from schemas.options import plain, values_of
from schemas.rules import HouseRules

ANOTHER_GAME: Final = frozenset({"pack", "hand_size", "seats_max", "scoring", "match_to"})
"""Options that say what was played, not how it is judged: pack and hands lie on the table, chips were paid or not."""
OF_THE_TABLE: Final = frozenset({"turnup", "trump_card", "deal_packet"})
"""Options of which a value is no other rule where the facts exclude it."""
EXCLUDING: Final = frozenset(
    {Code.CARD_NOT_IN_PACK, Code.CARD_TWICE, Code.CARD_NOT_HELD, Code.WRONG_CARD_COUNT, Code.TOO_MANY_SEATS}
)
Row = dict[str, Any]


class Tracing:
    """Rules that remember which of their options were asked for."""

    __slots__ = ("_rules", "_touched")

    def __init__(self, rules: Any, touched: set[str]) -> None:
        self._rules = rules
        self._touched = touched

    def __getattr__(self, name: str) -> Any:
        self._touched.add(name)
        return getattr(self._rules, name)


def matrix(stand: Stand, house: HouseRules) -> list[Row]:
    """Rows of options, rightful seats and net due: the recorded rules first, equal results merged.

    `also` lists further single changes that come to the row's result - of the first row, those that change nothing.
    Rows in which another seat is rightful stand before those in which only the sums differ: the first of them is the
    smallest change that flips the result.
    """
    trial = _Trials(stand, house)
    touched: set[str] = set()
    base, told = trial.judge(house, touched)
    names = [name for name in vars(house.rules) if name in touched - ANOTHER_GAME and values_of(house.game, name)]
    recorded = {name: "unrecorded" if name in house.unrecorded else plain(_own(house, name)) for name in names}
    rows = [{"options": recorded, "also": [], **base}]
    for name in names:
        for value in values_of(house.game, name):
            if name not in house.unrecorded and value == _own(house, name):
                continue
            result, found = trial.judge(with_option(house, name, value), set())
            if name not in OF_THE_TABLE or not found - told:
                _merge(rows, {name: plain(value)}, result)
    return sorted(rows, key=lambda row: (row is not rows[0], row["rightful"] == base["rightful"]))


def _own(house: HouseRules, name: str) -> Any:
    return getattr(house.rules, name)


def _merge(rows: list[Row], options: dict[str, Any], result: Row) -> None:
    for row in rows:
        if row["rightful"] == result["rightful"] and row["net_due"] == result["net_due"]:
            row["also"].append(options)
            return
    rows.append({"options": options, "also": [], **result})


class _Trials:
    """One hand, for each way to name cards of which candidates were heard, judged again and again."""

    def __init__(self, stand: Stand, house: HouseRules) -> None:
        self.each = [_Trial(one, house) for one in stand.namings or (stand,)]

    def judge(self, house: HouseRules, touched: set[str]) -> tuple[Row, set[Any]]:
        """Rightful seats and net due under these rules, and what was found that may exclude them."""
        ways = [way for trial in self.each for way in trial.ways(house, touched)]
        return self.each[0].result(ways), {_shape(finding) for way in ways for finding in way.findings} - {None}


class _Trial:
    """One hand, judged again and again from where it began."""

    def __init__(self, stand: Stand, house: HouseRules) -> None:
        self.fold = stand.folds[0] if stand.folds[0].house == house else folded(stand.span, house)
        self.fold.testimony = stand.heard.masks
        self.first = stand.span.first
        self.over = stand.over or stand.span.whole
        ended = isinstance(self.fold.events[stand.span.end - 1], HandEnded)
        self.stop = stand.span.end - ended
        self.dark = stand.dark
        self.seats = stand.seats
        self.memory = stand.memory

    def ways(self, house: HouseRules, touched: set[str]) -> list[Branch]:
        """Every way in which the hand may have gone under these rules."""
        fold: Fold = copy(self.fold)
        fold.reached, fold.house = self.fold.reached, house

        def rules(script: Script, table: Any) -> Any:
            if house.game == "bura":
                table.witness = Remembering(table.witness, house, self.memory)
            own: Any = Probe(house, script, table) if house.unrecorded else house.rules
            return Tracing(own, touched)

        ways = every_way(fold, self.first, self.stop, rules, over=self.over)
        self.fold.reached, self.fold.table = fold.reached, fold.table
        return ways

    def result(self, ways: Sequence[Branch]) -> Row:
        """Rightful seats and net due: what all these ways agree on."""
        blurred = self.dark or any(way.cut for way in ways)
        tables = [way.table for way in ways]
        takers = {tuple(sorted(table.takers)) for table in tables if table.decided}
        settled = len(takers) == 1 and all(table.decided for table in tables) and not blurred
        nets = [self._nets(table) for table in tables]
        common = {
            seat: net if not blurred and all(each[seat] == net for each in nets) else None
            for seat, net in nets[0].items()
        }
        return {"rightful": list(takers.pop()) if settled else [], "net_due": common}

    def _nets(self, table: Any) -> dict[str, int]:
        """By seat: what its chips should change by in this hand, with what is due and not yet paid."""
        return {str(seat): table.net_due(seat) + table.still_due(seat) for seat in self.seats}


def _shape(finding: Finding) -> tuple[Any, ...] | None:
    return (finding.code, finding.seq) if finding.code in EXCLUDING else None
