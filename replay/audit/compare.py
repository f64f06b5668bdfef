"""Two scribes of one evening: their recordings side by side, what they agree on, where they differ, what one lacks.

Pure. Events are compared by what happened, not by their numbers, times, ids, notes or how somebody knew; and which
event one speaks of (`of`, `after`) by where that stands in the other recording, not by its number.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final, Literal

Json = dict[str, Any]
MOST_CELLS: Final = 2_000_000
"""Of so many pairs of events it is asked whether they are one, some seconds' work; longer stretches are cut up."""
Answer = Literal["same", "differ", "first", "second"]
_ABOUT: Final = ("seq", "at", "note", "source", "id")
"""What one scribe may write and the other need not: its lack is no gap in the game."""
_BESIDE: Final = ("at", "note", "source")
"""What is kept of it in a merger: from who wrote it, and where both did, from the first."""
_KNOWN_BY: Final = ("seen", "told", "inferred")
_POINTS: Final = ("of", "after")
_FOUNDING: Final = ("recording_began", "player_joined")
"""Without them nothing that follows could be read."""
_AFTER_THE_END: Final = ("corrected", "inserted", "testified", "noted")


@dataclass(frozen=True, slots=True)
class Row:
    """One event of the evening: `same`, `differ`, or only in the `first` or the `second` recording."""

    answer: Answer
    first: Mapping[str, Any] | None
    second: Mapping[str, Any] | None
    #: What both together say, where they do not contradict: unseen cards filled in by whoever saw them.
    merged: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """All rows in order, and how many there are of each kind; `gaps` counts what is in one only."""

    rows: tuple[Row, ...]
    agreements: int
    conflicts: int
    gaps: int


def bare(event: Mapping[str, Any]) -> Json:
    """What happened, without number, time, id, note, source and private fields, nor the numbers of other events."""
    if event["type"] == "recording_ended":
        return {"type": "recording_ended"}  # how many events it counts follows from the rest
    said = {name: value for name, value in event.items() if name not in _ABOUT and not name.startswith("x_")}
    return _redirected(said, lambda _: 0)


def _pointers(event: Mapping[str, Any]) -> tuple[int, ...]:
    """The numbers of the events it speaks of: by itself, and by the event that an amendment holds."""
    inner = event.get("event")
    own = tuple(int(event[name]) for name in _POINTS if name in event)
    return own + (_pointers(inner) if isinstance(inner, Mapping) else ())


def _redirected(event: Mapping[str, Any], to: Callable[[int], int]) -> Json:
    """The event with other numbers in their place, asked for in the order of `_pointers`."""
    said = {name: to(value) if name in _POINTS else value for name, value in event.items()}
    inner = said.get("event")
    return {**said, "event": _redirected(inner, to)} if isinstance(inner, Mapping) else said


def compare(first: Sequence[Mapping[str, Any]], second: Sequence[Mapping[str, Any]]) -> Comparison:
    """The events of two recordings as JSON objects, laid side by side."""
    rows = tuple(_settled(_rows(first, second)))
    counted = {answer: sum(row.answer == answer for row in rows) for answer in ("same", "differ", "first", "second")}
    return Comparison(rows, counted["same"], counted["differ"], counted["first"] + counted["second"])


def merged(comparison: Comparison) -> tuple[Json, ...]:
    """The recording of what both agree on and of what one alone has written, numbered anew; conflicts are left out.

    A gap is taken from who has it; what speaks of an event that is left out is left out too. Where the two begin or
    somebody joins otherwise (another title, a name spelled in another way), the first recording's is taken. The end, if
    there is one, counts the events before it.
    """
    events: list[Json] = []
    places: tuple[dict[int, int], dict[int, int]] = ({}, {})
    for row in _in_order([_founded(row) for row in comparison.rows]):
        if row.merged is None:
            continue
        if row.merged["type"] == "recording_ended":
            events.append({**row.merged, "seq": len(events), "events": len(events) + 1})
            continue
        known = places[0] if row.first is not None else places[1]
        if any(seq not in known for seq in _pointers(row.merged)):
            continue
        for side, source in zip(places, (row.first, row.second), strict=True):
            if source is not None:
                side[int(source["seq"])] = len(events)
        events.append({"seq": len(events), **_redirected(row.merged, known.__getitem__)})
    return tuple(events)


def _founded(row: Row) -> Row:
    if row.merged is not None or row.first is None or row.first["type"] not in _FOUNDING:
        return row
    return replace(row, merged=_beside(bare(row.first), row.first, row.second))


def _beside(said: Json, one: Mapping[str, Any] | None, other: Mapping[str, Any] | None) -> Json:
    """What happened, with its time and note from who wrote them, and as how one knows it.

    That is as whoever said it all knows it, the nearer of two; of what was put together from both, the farther.
    """
    both = [event for event in (one, other) if event is not None]
    beside = {name: event[name] for event in reversed(both) for name in ("at", "note") if name in event}
    told = [event for event in both if bare(event) == said]
    ways = [str(event.get("source", "seen")) for event in told or both]
    known = (min if told else max)(ways, key=_KNOWN_BY.index)
    written = any(event.get("source") == known for event in told or both)
    return {**said, **beside, **({"source": known} if written else {})}


def _in_order(rows: Sequence[Row]) -> Iterator[Row]:
    """The rows with one end, after the last event that may not follow it."""
    ends = [row for row in rows if row.merged is not None and row.merged["type"] == "recording_ended"]
    last = max(
        (at for at, row in enumerate(rows) if row.merged is not None and row.merged["type"] not in _AFTER_THE_END),
        default=-1,
    )
    for at, row in enumerate(rows):
        if row not in ends:
            yield row
        if ends and at == last:
            yield ends[0]


def _settled(rows: Sequence[Row]) -> Iterator[Row]:
    """The rows, each event with the numbers it speaks of; two that speak of different events contradict each other."""
    beside: dict[int, int] = {}
    for row in rows:
        one, other = row.first, row.second
        numbers = _pointers(one or other or {})
        if one is not None and other is not None:
            beside[int(one["seq"])] = int(other["seq"])
            if [beside.get(seq) for seq in numbers] != list(_pointers(other)):
                yield replace(row, answer="differ", merged=None)
                continue
        if row.merged is not None:
            following = iter(numbers)
            said = _beside(dict(row.merged), one, other)
            yield replace(row, merged=_redirected(said, lambda _: next(following)))  # noqa: B023
        else:
            yield row


def _rows(first: Sequence[Mapping[str, Any]], second: Sequence[Mapping[str, Any]]) -> list[Row]:
    """The alignment with the most agreement; of two that agree as much, the one with more events side by side."""
    ours, theirs = [bare(event) for event in first], [bare(event) for event in second]
    head = _common(ours, theirs)
    tail = _common(ours[head:][::-1], theirs[head:][::-1])
    rows = [Row("same", first[place], second[place], ours[place]) for place in range(head)]
    middle = _by_hands(ours[head : len(ours) - tail], theirs[head : len(theirs) - tail])
    for a, b in middle:
        rows.append(_row(first, second, ours, theirs, a + head if a >= 0 else -1, b + head if b >= 0 else -1))
    ends = zip(range(len(ours) - tail, len(ours)), range(len(theirs) - tail, len(theirs)), strict=True)
    return rows + [Row("same", first[a], second[b], ours[a]) for a, b in ends]


def _common(ours: Sequence[Json], theirs: Sequence[Json]) -> int:
    """How many events both begin with."""
    count = 0
    for one, other in zip(ours, theirs, strict=False):
        if one != other:
            break
        count += 1
    return count


def _row(
    first: Sequence[Mapping[str, Any]],
    second: Sequence[Mapping[str, Any]],
    ours: Sequence[Json],
    theirs: Sequence[Json],
    a: int,
    b: int,
) -> Row:
    if b < 0:
        return Row("first", first[a], None, ours[a])
    if a < 0:
        return Row("second", None, second[b], theirs[b])
    both = together(ours[a], theirs[b])
    return Row("same" if both is not None else "differ", first[a], second[b], both)


def together(one: Json, other: Json) -> Json | None:
    """What both say, an unseen card filled in by who saw it; None where they contradict each other."""
    if one == other:
        return one
    if one["type"] != other["type"]:
        return None
    both: Json = {}
    for name in {**one, **other}:
        if name not in one or name not in other:
            if name in ("points", "cards"):
                both[name] = one.get(name, other.get(name))
                continue
            return None
        found = _cards(one[name], other[name]) if name in ("cards", "card") else one[name]
        if found is None or (name not in ("cards", "card") and one[name] != other[name]):
            return None
        both[name] = found
    return both


def _cards(one: Any, other: Any) -> Any:
    if isinstance(one, str) and isinstance(other, str):
        return _card(one, other)
    if len(one) != len(other):
        return None
    found = [_card(a, b) for a, b in zip(one, other, strict=True)]
    return None if None in found else found


def _card(one: str, other: str) -> str | None:
    """The face both may mean: `??` and `Th` are `Th`, `?h` and `T?` are `Th`."""
    rank = other[0] if one[0] == "?" else one[0] if other[0] in ("?", one[0]) else ""
    suit = other[1] if one[1] == "?" else one[1] if other[1] in ("?", one[1]) else ""
    return rank + suit if rank and suit else None


def _likeness(one: Json, other: Json) -> int:
    """How much speaks for these two being one event: 0 nothing, 8 they say the same."""
    if one == other:
        return 8
    if one["type"] != other["type"]:
        return 0
    if together(one, other) is not None:
        return 7
    return 3 if one.get("seat") == other.get("seat") else 1


def _hands(events: Sequence[Json]) -> dict[tuple[int, int], int]:
    """The place where each hand begins, by its number and how often that number stood there before."""
    found: dict[tuple[int, int], int] = {}
    for place, event in enumerate(events):
        if event["type"] == "hand_began":
            again = sum(known == event["hand"] for known, _ in found)
            found[event["hand"], again] = place
    return found


def _by_hands(ours: Sequence[Json], theirs: Sequence[Json]) -> list[tuple[int, int]]:
    """The alignment from each hand that both have begun to the next such one."""
    one, other = _hands(ours), _hands(theirs)
    starts = [(0, 0)]
    for key in one:
        if key in other and one[key] > starts[-1][0] and other[key] > starts[-1][1]:
            starts.append((one[key], other[key]))
    pairs: list[tuple[int, int]] = []
    cells = MOST_CELLS
    for (a, b), (a_end, b_end) in pairwise([*starts, (len(ours), len(theirs))]):
        head = _common(ours[a:a_end], theirs[b:b_end])
        pairs += [(a + place, b + place) for place in range(head)]
        cells -= _in_parts(ours[:a_end], theirs[:b_end], (a + head, b + head), cells, pairs)
    return pairs


def _in_parts(
    ours: Sequence[Json], theirs: Sequence[Json], start: tuple[int, int], cells: int, pairs: list[tuple[int, int]]
) -> int:
    """Aligns what follows a place of each, whole or, where that would ask too much, part by part; what it asked."""
    a, b = start
    left, right = len(ours) - a, len(theirs) - b
    longer = max(left, right, 1)
    size = longer if left * right <= cells else max(1, cells // longer)
    for at in range(0, longer, size):
        for one, other in _aligned(ours[a + at : a + at + size], theirs[b + at : b + at + size]):
            pairs.append((one + a + at if one >= 0 else -1, other + b + at if other >= 0 else -1))
    return min(left * right, longer * size)


def _aligned(ours: Sequence[Json], theirs: Sequence[Json]) -> list[tuple[int, int]]:
    """Pairs of places, -1 where a side has nothing: the alignment with the greatest likeness."""
    width = len(theirs) + 1
    best = [[0] * width for _ in range(len(ours) + 1)]
    for a in range(len(ours) - 1, -1, -1):
        for b in range(len(theirs) - 1, -1, -1):
            like = _likeness(ours[a], theirs[b])
            best[a][b] = max(best[a + 1][b], best[a][b + 1], best[a + 1][b + 1] + like if like else 0)
    pairs: list[tuple[int, int]] = []
    a = b = 0
    while a < len(ours) or b < len(theirs):
        like = _likeness(ours[a], theirs[b]) if a < len(ours) and b < len(theirs) else 0
        if like and best[a][b] == best[a + 1][b + 1] + like:
            pairs.append((a, b))
            a, b = a + 1, b + 1
        elif b == len(theirs) or (a < len(ours) and best[a][b] == best[a + 1][b]):
            pairs.append((a, -1))
            a += 1
        else:
            pairs.append((-1, b))
            b += 1
    return pairs


def join(first: Sequence[Mapping[str, Any]], second: Sequence[Mapping[str, Any]]) -> tuple[Json, ...] | int:
    """Two halves of one recording as one; the `seq` at which they do not continue, where they do not.

    The second half begins with the number that follows the last of the first, or repeats events that stand there alike.
    """
    events: list[Json] = []
    for event in (*first, *second):
        seq = int(event["seq"])
        if seq < len(events) and events[seq] == dict(event):
            continue
        if seq != len(events):
            return seq
        events.append(dict(event))
    return tuple(events)
