"""Sums as people read them: in the recording's unit, with its decimals (`record.md` 3.1). Exact: whole numbers only.

What machines read (reports as data, CSV, recordings) keeps the smallest part. Points and match points are no sums.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

FINDINGS: Final = frozenset(
    {
        "table/carry-disputed", "table/wrong-stake", "table/missing-stake", "table/unexpected-stake",
        "table/wrong-payout", "table/missing-payout", "table/unexpected-payout", "table/overdrawn",
        "table/pot-miscounted", "table/stack-miscounted", "table/debt-open", "table/pot-left",
        "bourre/ante-above-maximum",
    }
)  # fmt: skip
"""The codes whose whole numbers, recorded and expected, are sums."""
FIELDS: Final = frozenset({"amount", "stack", "stacks", "pot"})
"""The fields of events whose numbers are sums."""


def digits_of(began: Mapping[str, Any]) -> int:
    """How many decimals a sum has, by the recording's first event."""
    return int(began.get("unit_digits") or 0)


def decimal(value: int, digits: int, point: str = ".", whole: Callable[[int], str] = str) -> str:
    """A number of smallest parts in the unit; `whole` writes what stands before the point.

    >>> decimal(1250, 2), decimal(-5, 2, ","), decimal(1250, 0)
    ('12.50', '-0,05', '1250')
    """
    if not digits:
        return whole(value)
    units, parts = divmod(abs(value), 10**digits)
    return f"{'-' if value < 0 else ''}{whole(units)}{point}{parts:0{digits}}"


def outcomes(value: Any, told: Callable[[Any], str]) -> Any:
    """What a finding sets beside another, the sums of every outcome in it (`table/rule-unrecorded`) as text."""
    if not isinstance(value, Mapping):
        return value
    if "net_due" not in value:
        return {key: outcomes(each, told) for key, each in value.items()}
    nets = {seat: told(net) for seat, net in value["net_due"].items()}
    return {**value, "pot_after": told(value["pot_after"]), "net_due": nets}
