"""What was measured, how it is told, and the clock by which works are measured in turn."""

import resource
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

Work = Callable[[], int]
"""Does so many things, and says how many."""


@dataclass(frozen=True)
class Figure:
    """What was measured, what was wanted of it (None: it is only told), and how the two stand.

    `spread`: the rounds taken in pairs, lowest, middle and highest; of a single measurement, nothing.
    """

    what: str
    got: float
    wanted: float | None = None
    unit: str = "x"
    at_least: bool = True
    spread: tuple[float, ...] = ()
    detail: str = ""

    @property
    def holds(self) -> bool:
        if self.wanted is None:
            return True
        return self.got >= self.wanted if self.at_least else self.got <= self.wanted

    @property
    def cells(self) -> tuple[str, ...]:
        """The row of the table."""
        mark = "" if self.wanted is None else "ok" if self.holds else "MISS"
        sign = ">=" if self.at_least else "<="
        wanted = "" if self.wanted is None else f"{sign} {self.wanted:,g}{self.unit}"
        return mark, self.what, number(self.got) + self.unit, wanted, " .. ".join(map(number, self.spread)), self.detail


HEAD = ("", "measured", "got", "wanted", "rounds", "what lies behind it")


def number(value: float) -> str:
    """Three figures that count, no more."""
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.{0 if value >= 100 else 1 if value >= 10 else 2}f}"


def table(figures: Sequence[Figure]) -> str:
    """All of them as one table, in Markdown that reads well as it is."""
    rows = [HEAD, *(figure.cells for figure in figures)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(HEAD))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in rows
    ]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines) + "\n"


def seconds() -> float:
    """Of processor time, this process's own and that of the children it has waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def rates(works: Mapping[str, Work], rounds: int = 9, clock: Callable[[], float] = seconds) -> dict[str, list[float]]:
    """By name of a work: things done in a second, in each of some rounds, all in turn."""
    found: dict[str, list[float]] = {name: [] for name in works}
    for work in works.values():
        work()  # imports, and what is worked out once
    for _ in range(rounds):
        for name, work in works.items():
            began = clock()
            done = work()
            found[name].append(done / (clock() - began))
    return found


def ratio(
    what: str,
    ours: Sequence[float],
    theirs: Sequence[float],
    wanted: float | None = None,
    per: str = "a second",
    best: Callable[[Sequence[float]], float] = max,
) -> Figure:
    """The best round against the best, and the spread of the rounds taken in pairs."""
    pairs = sorted(one / other for one, other in zip(ours, theirs, strict=True))
    spread = (pairs[0], statistics.median(pairs), pairs[-1])
    detail = f"{number(best(ours))} against {number(best(theirs))} {per}"
    return Figure(what, best(ours) / best(theirs), wanted, spread=spread, detail=detail)
