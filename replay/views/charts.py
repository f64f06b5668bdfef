"""Charts as SVG, made on the server: step lines, hairline grid, direct labels, no colour without a word."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from xml.sax.saxutils import escape

from replay.views.pages import Chart
from replay.views.scene import Scene, percent
from replay.views.wording import Wording

_WIDE: Final = 356
_HIGH: Final = 190
_LEFT: Final = 34
_FLOOR: Final = 150
_TOP: Final = 14
#: How wide a digit of its numbers may be.
_DIGIT: Final = 7


def ticks(highest: int) -> tuple[int, ...]:
    """Round numbers from 0 to at least `highest`, four or five of them.

    >>> ticks(48), ticks(7)
    ((0, 20, 40, 60), (0, 2, 4, 6, 8))
    """
    step = 1
    for grow in (2, 2.5, 2) * 12:
        if highest <= step * 4:
            break
        step = int(step * grow) if step > 1 or grow != 2.5 else 2
    count = max(1, -(-highest // step))
    return tuple(step * n for n in range(count + 1))


def pot_chart(hands: Sequence[Mapping[str, Any]], disputed: Sequence[int], wording: Wording) -> Chart | None:
    """The pot over the hands: before, at its largest, after. Hands in `disputed` stand on a tint with a mark.

    There is none where no chips were played for.
    """
    known = [hand for hand in hands if hand.get("pot") is not None]
    most = max((int(hand[key] or 0) for hand in known for key in ("pot_before", "pot", "pot_after")), default=0)
    if not most:
        return None
    marks = ticks(most)
    left = max(_LEFT, 12 + _DIGIT * max(len(wording.money(mark)) for mark in marks))
    wide = (_WIDE - left - 6) / len(hands)

    def y(value: int) -> float:
        return _FLOOR - (_FLOOR - _TOP) * value / marks[-1]

    grid = "".join(
        f'<path class="g" d="M{left} {y(mark):.1f}H{_WIDE}"/>'
        f'<text x="{left - 8}" y="{y(mark) + 4:.1f}" text-anchor="end">{wording.money(mark)}</text>'
        for mark in marks
    )
    tint, label, path = "", "", ""
    every = max(1, len(hands) // 12)
    for n, hand in enumerate(hands):
        x = left + n * wide
        if int(hand["hand"]) in disputed:
            tint += f'<rect class="b" x="{x:.1f}" y="{_TOP}" width="{wide:.1f}" height="{_FLOOR - _TOP}"/>'
        if n % every == 0:
            label += f'<text x="{x + wide / 2:.1f}" y="{_FLOOR + 17}" text-anchor="middle">{int(hand["hand"])}</text>'
        path += _steps(hand, x, wide, y)
    word = escape(wording.say("recording.chart_hand"))
    middle = percent(left + (_WIDE - left) / 2, 100)
    svg = (
        f'<svg class="chart" viewBox="0 0 {_WIDE} {_HIGH}" aria-hidden="true">{tint}{grid}'
        f'<path class="ax" d="M{left} {_FLOOR}H{_WIDE}"/>{path}{label}'
        f'<text x="{middle}" y="{_HIGH - 4}" text-anchor="middle">{word}</text></svg>'
    )
    return Chart(svg, wording.say("recording.chart_text"))


def points_chart(scene: Scene) -> Chart | None:
    """Points of every pile after each trick so far: a line for the least, a thin one for the most, and the target."""
    events, tables = scene.source.events, scene.source.tables
    ends = [tables[n] for n in range(scene.at + 1) if events[n]["type"] == "trick_taken"]
    target = scene.source.head.target
    if not ends or not target or any(seat.low is None for one in ends for seat in one.seats):
        return None
    wide = (_WIDE - _LEFT - 80) / max(3, len(ends))
    drawn = ""
    for mark in (0, target, 60):
        drawn += f'<path class="{"ax" if mark == target else "g"}" d="M{_LEFT} {_y60(mark):.1f}H{_WIDE - 80}"/>'
        drawn += f'<text x="{_LEFT - 8}" y="{_y60(mark) + 4:.1f}" text-anchor="end">{mark}</text>'
    taken: list[float] = []
    for n, seat in enumerate(ends[-1].seats):
        here = [next(one for one in table.seats if one.seat == seat.seat) for table in ends]
        for key, kind in (("low", "p"), ("high", "u")):
            path = "".join(f"H{_LEFT + at * wide:.0f}V{_y60(getattr(one, key)):.1f}" for at, one in enumerate(here))
            drawn += f'<path class="{kind} l{n % 4}" d="M{_LEFT} {_y60(0):.1f}{path}h{wide:.0f}"/>'
        place = _y60(here[-1].high or 0) + 4
        while any(abs(place - other) < 14 for other in taken):
            place -= 14
        taken.append(place)
        x = _LEFT + len(ends) * wide + 6
        drawn += f'<text class="x{n % 4}" x="{x:.0f}" y="{place:.1f}">{escape(scene.name(seat.seat)[:11])}</text>'
    svg = f'<svg class="chart pc" viewBox="0 0 {_WIDE} {_FLOOR + 14}" aria-hidden="true">{drawn}</svg>'
    return Chart(svg, scene.wording.say("chart.points_text", target=target))


def _y60(points: int | None) -> float:
    return _FLOOR - (_FLOOR - _TOP) * min(points or 0, 60) / 60


def _steps(hand: Mapping[str, Any], x: float, wide: float, y: Any) -> str:
    before, pot, after = hand.get("pot_before"), hand.get("pot"), hand.get("pot_after")
    a, b = x + wide * 0.12, x + wide * 0.88
    if before is None or pot is None:
        return _unsettled(x + wide / 2, (_FLOOR + _TOP) / 2)
    if after is None:
        path = f'<path class="p" d="M{x:.1f} {y(int(before)):.1f}H{a:.1f}V{y(int(pot)):.1f}H{b:.1f}"/>'
        return path + _unsettled(b, y(int(pot)))
    return (
        f'<path class="p" d="M{x:.1f} {y(int(before)):.1f}H{a:.1f}V{y(int(pot)):.1f}H{b:.1f}V{y(int(after)):.1f}'
        f'H{x + wide:.1f}"/>'
    )


def _unsettled(x: float, y: float) -> str:
    """The half-filled circle: what follows is not settled."""
    x = min(x, _WIDE - 8)
    return (
        f'<g class="dbt" fill="currentColor">'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" fill="none" stroke="currentColor"/>'
        f'<path d="M{x:.1f} {y - 6:.1f}a6 6 0 0 1 0 12z"/></g>'
    )
