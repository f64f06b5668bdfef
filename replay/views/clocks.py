"""The three clocks as SVG: points low to high trick by trick, and when a seat had it, could open, and opened."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

from replay.audit.clocks import Course
from replay.views.wording import Wording

_DASHES: Final = ("", "7 4", "2 3", "10 3 2 3", "4 2", "1 5", "12 4")
_ROW: Final = 26
_SPACE: Final = 16


@dataclass(frozen=True)
class Shape:
    """Where things stand in one drawing: `wide` for a desk and for paper, `thin` for a phone."""

    width: int
    left: int
    right: int
    top: int = 14
    floor: int = 204
    #: Names of the clocks stand beside their lines, else above them.
    beside: bool = True


WIDE: Final = Shape(width=700, left=164, right=560)
THIN: Final = Shape(width=340, left=28, right=244, top=12, floor=172, beside=False)


@dataclass(frozen=True)
class Clock:
    """The three clocks of the seat in question, as event numbers."""

    seat: int
    possibly: int | None
    surely: int | None
    entitled: tuple[int, ...]
    opened: int | None


class Plot:
    """One drawing over the tricks of a course."""

    def __init__(
        self, course: Course, clock: Clock, target: int, name: Callable[[int], str], w: Wording, shape: Shape
    ) -> None:
        self.course, self.clock, self.target, self.name, self.w, self.shape = course, clock, target, name, w, shape
        highest = max([target, *(high for row in course.tricks for _, high in row.piles.values())])
        by = 10 if highest <= 60 else 20
        self.marks = tuple(range(0, highest + by, by))
        self.step = (shape.right - shape.left) / (len(course.tricks) + 0.5)

    def x(self, trick: float) -> float:
        """Where a trick ends."""
        return self.shape.left + self.step * trick

    def y(self, points: int) -> float:
        """How high so many points stand."""
        return self.shape.floor - (self.shape.floor - self.shape.top) * points / self.marks[-1]

    def place(self, seq: int) -> float:
        """Where an event stands: at its trick's end, or between two."""
        ended = self.course.ended(seq)
        at = ended[-1].trick if ended else 0
        exact = at and self.course.tricks[at - 1].seq == seq
        return self.x(at if exact else min(at + 0.25, len(self.course.tricks) + 0.5))

    def svg(self, cls: str) -> str:
        """The whole drawing, for the eye alone: a table says the same in words."""
        rows = self._clocks()
        height = self.shape.floor + 28 + len(rows) * self._row() + 6
        body = f"{self._grid(height)}{self._piles()}{self._target()}{''.join(rows)}"
        box = f"0 0 {self.shape.width} {height}"
        return f'<svg class="chart clocks {cls}" viewBox="{box}" aria-hidden="true">{body}</svg>'

    def _row(self) -> int:
        return _ROW if self.shape.beside else _ROW + 14

    def _grid(self, height: int) -> str:
        s = self.shape
        lines = "".join(
            f'<path class="g" d="M{s.left} {self.y(mark):.1f}H{s.right}"/>'
            f'<text x="{s.left - 7}" y="{self.y(mark) + 4:.1f}" text-anchor="end">{self.w.amount(mark)}</text>'
            for mark in self.marks
        )
        every = max(1, -(-len(self.course.tricks) // (12 if s.beside else 7)))
        for row in self.course.tricks:
            x = self.x(row.trick)
            lines += f'<path class="g" d="M{x:.1f} {s.floor}V{height - 6}"/>'
            if row.trick % every == 0 or row.trick == 1:
                long = row.trick == 1 and s.beside
                text = self.w.say("chapter.trick_short", trick=1) if long else self.w.amount(row.trick)
                lines += f'<text x="{x:.1f}" y="{s.floor + 17}" text-anchor="middle">{escape(text)}</text>'
        return f'{lines}<path class="ax" d="M{s.left} {s.floor}H{s.right}"/>'

    def _target(self) -> str:
        y = self.y(self.target)
        word = escape(self.w.say("disputes_page.chart.target"))
        return (
            f'<path class="need" d="M{self.shape.left} {y:.1f}H{self.shape.right}"/>'
            f'<text class="need" x="{self.shape.left + 6}" y="{y - 5:.1f}"><tspan class="k">'
            f"{self.w.amount(self.target)}</tspan> {word}</text>"
        )

    def _piles(self) -> str:
        seats = sorted(self.course.tricks[-1].piles) if self.course.tricks else []
        order = sorted(seats, key=lambda seat: (seat == self.clock.seat, -seat))
        dashes = {seat: _DASHES[n % len(_DASHES)] for n, seat in enumerate(reversed(order))}
        return "".join(self._pile(seat, dashes[seat]) for seat in order) + self._labels(seats)

    def _pile(self, seat: int, dash: str) -> str:
        first = next((row.trick for row in self.course.tricks if row.taker == seat), 0)
        if not first:
            return ""
        low, high = self._line(seat, 0, first), self._line(seat, 1, first)
        own = " own" if seat == self.clock.seat else ""
        ink = f' stroke-dasharray="{dash}"' if dash else ""
        lines = f'<path class="edge{own}" d="{self._path(low)}"{ink}/>'
        if low != high:
            around = self._path(high) + "L" + "L".join(f"{x:.1f} {y:.1f}" for x, y in reversed(low)) + "Z"
            lines = f'<path class="area{own}" d="{around}"/>{lines}'
            lines += f'<path class="edge{own}" d="{self._path(high)}"{ink}/>'
        return lines

    def _line(self, seat: int, side: int, first: int) -> list[tuple[float, float]]:
        """The corners of one edge of a pile: level between trick ends, then a step."""
        points = [(self.x(first), self.y(0))]
        for row in self.course.tricks[first - 1 :]:
            points += [(self.x(row.trick), points[-1][1]), (self.x(row.trick), self.y(row.piles[seat][side]))]
        return [*points, (float(self.shape.right), points[-1][1])]

    @staticmethod
    def _path(points: Sequence[tuple[float, float]]) -> str:
        return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)

    def _labels(self, seats: Sequence[int]) -> str:
        """`Boris 25–47` at the end of each pile's lines, moved apart where they would cover each other."""
        last = self.course.tricks[-1].piles if self.course.tricks else {}
        wanted = sorted((self.y(sum(last[seat]) // 2), seat) for seat in seats)
        said = ""
        for y, (_, seat) in zip(apart([y for y, _ in wanted], self.shape.floor), wanted, strict=True):
            own = ' class="own"' if seat == self.clock.seat else ""
            text = f"{_short(self.name(seat), 16 if self.shape.beside else 6)} {self.w.span(*last[seat])}"
            said += f'<text{own} x="{self.shape.right + 8}" y="{y + 4:.1f}">{escape(text)}</text>'
        return said

    def _clocks(self) -> list[str]:
        c, say = self.clock, self.w.say
        had = "" if c.possibly is None else self._had(c.possibly, c.surely)
        rows = [(say("disputes_page.chart.had", seat=_short(self.name(c.seat), 9), target=self.target), had)]
        rows.append((say("disputes_page.chart.entitled"), "".join(self._mark("entitled", seq) for seq in c.entitled)))
        rows.append((say("disputes_page.chart.opened"), "" if c.opened is None else self._mark("opened", c.opened)))
        return [self._clock(n, word, drawn) for n, (word, drawn) in enumerate(rows)]

    def _clock(self, row: int, word: str, drawn: str) -> str:
        s = self.shape
        y = s.floor + 28 + row * self._row() + self._row() / 2 + (0 if s.beside else 6)
        spot = f'x="{s.left - 12}" y="4" text-anchor="end"' if s.beside else f'x="{s.left}" y="-12"'
        never = escape(self.w.say("disputes_page.chart.never"))
        none = "" if drawn else f'<text x="{s.right + 8}" y="4">{never}</text>'
        return (
            f'<g transform="translate(0 {y:.1f})"><text class="name" {spot}>{escape(word)}</text>'
            f'<path class="g" d="M{s.left} 0H{s.right}"/>{drawn}{none}</g>'
        )

    def _had(self, possibly: int, surely: int | None) -> str:
        a, right = self.place(possibly), self.shape.right
        drawn = f'<path class="may" d="M{a:.1f} 0H{right}"/>'
        if surely is not None:
            drawn += f'<path class="had" d="M{self.place(surely):.1f} 0H{right}"/>'
        if surely != possibly:
            drawn += self._mark("dbt", possibly)
        if surely is not None:
            return drawn + self._mark("must", surely)
        word = escape(self.w.say("disputes_page.chart.not_surely"))
        return f'{drawn}<text x="{right + 8}" y="4">{word}</text>'

    def _mark(self, mark: str, seq: int) -> str:
        x = self.place(seq)
        number = f'<text x="-9" y="4" text-anchor="end">{self.w.amount(seq)}</text>'
        return f'<g class="mk" transform="translate({x:.1f} 0)">{_MARKS[mark]}{number}</g>'


_MARKS: Final[Mapping[str, str]] = {
    "dbt": '<circle class="hole" r="5.4"/><path class="full" d="M0-5.4a5.4 5.4 0 0 1 0 10.8z"/>',
    "must": '<circle class="full" r="6"/>',
    "entitled": '<path class="hole" d="M0-5.4L5.6 4.6H-5.6z"/>',
    "opened": '<circle class="ring" r="4.6"/>',
}


def apart(wanted: Sequence[float], floor: float) -> list[float]:
    """The same heights, from above, moved apart where they are closer than a line, none below the floor; no farther.

    >>> apart([60.0, 98.0, 100.0], 100.0), apart([50.0, 51.0], 100.0)
    ([60.0, 84.0, 100.0], [50.0, 66.0])
    """
    placed: list[float] = []
    for y in wanted:
        placed.append(max(y, placed[-1] + _SPACE) if placed else y)
    for n in range(len(placed) - 1, -1, -1):
        placed[n] = min(placed[n], floor if n == len(placed) - 1 else placed[n + 1] - _SPACE)
    return placed


def _short(name: str, most: int) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


def drawings(
    course: Course, clock: Clock, target: int, name: Callable[[int], str], w: Wording
) -> tuple[str, str] | None:
    """The chart for a desk and for a phone; nothing before the first trick has ended."""
    if not course.tricks:
        return None
    wide, thin = (Plot(course, clock, target, name, w, shape) for shape in (WIDE, THIN))
    return wide.svg("wide"), thin.svg("thin")
