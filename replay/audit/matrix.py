"""The rule matrix: the same facts judged under the other values of each option this hand touches (`report.md` 5)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from replay.audit.explore import Branch, Script
from replay.audit.fold import Fold, Probe
from schemas.events import HandEnded
from schemas.rules import HouseRules, plain, values_of


class Tracing:
    """Rules that remember which of their options were asked for."""

    __slots__ = ("_rules", "_touched")

    def __init__(self, rules: Any, touched: set[str]) -> None:
        self._rules = rules
        self._touched = touched

    def __getattr__(self, name: str) -> Any:
        self._touched.add(name)
        return getattr(self._rules, name)


def matrix(fold: Fold, house: HouseRules, first: int, end: int) -> list[dict[str, Any]]:
    """Rows of options, rightful seats and net due: the recorded rules first, equal results merged.

    `fold` stands at the hand that begins at place `first`. `also` lists further single changes that come to the row's
    result; the first row after the recorded rules whose `rightful` differs is the smallest change that flips it.
    """
    stop = end - 1 if isinstance(fold.events[end - 1], HandEnded) else end
    over = stop < end
    touched: set[str] = set()
    base = _judge(fold, house, first, stop, over, touched)
    names = [name for name in vars(house.rules) if name in touched and values_of(house.game, name)]
    recorded = {name: "unrecorded" if name in house.unrecorded else plain(_own(house, name)) for name in names}
    rows = [{"options": recorded, "also": [], **base}]
    for name in names:
        for value in values_of(house.game, name):
            if name not in house.unrecorded and value == _own(house, name):
                continue
            result = _judge(fold, with_option(house, name, value), first, stop, over, set())
            _merge(rows, {name: plain(value)}, result)
    return rows


def _own(house: HouseRules, name: str) -> Any:
    return getattr(house.rules, name)


def with_option(house: HouseRules, name: str, value: Any) -> HouseRules:
    """The house with one option changed; what was unrecorded of it is so no more."""
    rules: Any = replace(house.rules, **{name: value})
    return replace(house, rules=rules, unrecorded=tuple(each for each in house.unrecorded if each != name))


def _merge(rows: list[dict[str, Any]], options: dict[str, Any], result: dict[str, Any]) -> None:
    for row in rows[1:]:
        if row["rightful"] == result["rightful"] and row["net_due"] == result["net_due"]:
            row["also"].append(options)
            return
    rows.append({"options": options, "also": [], **result})


def _judge(fold: Fold, house: HouseRules, first: int, stop: int, over: bool, touched: set[str]) -> dict[str, Any]:
    def rules(script: Script, table: Any) -> Any:
        own: Any = Probe(house, script, table) if house.unrecorded else house.rules
        return Tracing(own, touched)

    ways = fold.ways(first, stop, rules)
    if over:
        for way in ways:
            way.table.decide_at_last()
    return _result(ways)


def _result(ways: Sequence[Branch]) -> dict[str, Any]:
    tables = [way.table for way in ways]
    takers = {table.takers for table in tables if table.decided}
    settled = len(takers) == 1 and all(table.decided for table in tables)
    nets = [_nets(table) for table in tables]
    common = {seat: net if all(each.get(seat) == net for each in nets) else None for seat, net in nets[0].items()}
    return {"rightful": list(takers.pop()) if settled else [], "net_due": common}


def _nets(table: Any) -> dict[str, int]:
    """By seat: what its chips should change by in this hand, with what is due and not yet paid."""
    seats = [seat for seat in range(1, table.seats() + 1) if table.occupied[seat]]
    return {str(seat): table.net_due(seat) + table.still_due(seat) for seat in seats}

