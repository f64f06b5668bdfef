"""Two scribes of one evening: their recordings side by side, what they agree on, where they differ, what one lacks.

Pure. Events are compared by what happened, not by their numbers, times, ids, notes or how somebody knew.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

Json = dict[str, Any]
Answer = Literal["same", "differ", "first", "second"]
_ABOUT: Final = ("seq", "at", "note", "source", "id")
"""What one scribe may write and the other need not: its lack is no gap in the game."""


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
    """What happened, without number, time, id, note, source and private fields."""
    if event["type"] == "recording_ended":
        return {"type": "recording_ended"}  # how many events it counts follows from the rest
    return {name: value for name, value in event.items() if name not in _ABOUT and not name.startswith("x_")}


def compare(first: Sequence[Mapping[str, Any]], second: Sequence[Mapping[str, Any]]) -> Comparison:
    """The events of two recordings as JSON objects, laid side by side."""
    rows = tuple(_rows(first, second))
    counted = {answer: sum(row.answer == answer for row in rows) for answer in ("same", "differ", "first", "second")}
    return Comparison(rows, counted["same"], counted["differ"], counted["first"] + counted["second"])


def merged(comparison: Comparison) -> tuple[Json, ...]:
    """The recording of what both agree on and of what one alone has written, numbered anew; conflicts are left out.

    A gap is taken from who has it; what speaks of an event that is left out is left out too. The end, if there is
    one, counts the new events.
    """
    events: list[Json] = []
    places: tuple[dict[int, int], dict[int, int]] = ({}, {})
    for row in comparison.rows:
        if row.merged is None or row.merged["type"] == "recording_ended":
            continue
        event = {"seq": len(events), **row.merged}
        known = places[0] if row.first is not None else places[1]
        pointed = _pointed(event)
        if any(seq not in known for seq in pointed):
            continue
        for side, source in zip(places, (row.first, row.second), strict=True):
            if source is not None:
                side[int(source["seq"])] = len(events)
        events.append(_pointing(event, [known[seq] for seq in pointed]))
    if any(row.merged is not None and row.merged["type"] == "recording_ended" for row in comparison.rows):
        events.append({"seq": len(events), "type": "recording_ended", "events": len(events) + 1})
    return tuple(events)


def _pointed(event: Mapping[str, Any]) -> list[int]:
    """The numbers of the events that an event speaks of, and of those that its new event does."""
    inner = event.get("event") or {}
    return [each[name] for each in (event, inner) for name in ("of", "after") if name in each]


def _pointing(event: Json, seqs: Sequence[int]) -> Json:
    """The event with other numbers in the place of those of `_pointed`."""
    rest = iter(seqs)
    outer: Json = {name: next(rest) for name in ("of", "after") if name in event}
    if event.get("event"):
        outer["event"] = event["event"] | {name: next(rest) for name in ("of", "after") if name in event["event"]}
    return event | outer


def _aimless(events: Sequence[Mapping[str, Any]]) -> list[Json]:
    """What happened, without the numbers of other events: a scribe who missed a line counts otherwise."""
    return [_pointing(bare(event), [0] * len(_pointed(event))) for event in events]


def _rows(first: Sequence[Mapping[str, Any]], second: Sequence[Mapping[str, Any]]) -> list[Row]:
    """The alignment with the most agreement; of two that agree as much, the one with more events side by side."""
    ours, theirs = _aimless(first), _aimless(second)
    head = _common(ours, theirs)
    tail = _common(ours[head:][::-1], theirs[head:][::-1])
    middle = _by_hands(ours[head : len(ours) - tail], theirs[head : len(theirs) - tail])
    pairs = [(place, place) for place in range(head)]
    pairs += [(a + head if a >= 0 else -1, b + head if b >= 0 else -1) for a, b in middle]
    ends = zip(range(len(ours) - tail, len(ours)), range(len(theirs) - tail, len(theirs)), strict=True)
    known: tuple[dict[int, int], dict[int, int]] = ({}, {})
    rows: list[Row] = []
    for a, b in [*pairs, *ends]:
        for side, events, place in ((known[0], first, a), (known[1], second, b)):
            if place >= 0:
                side[int(events[place]["seq"])] = len(rows)
        rows.append(_row(first[a] if a >= 0 else None, second[b] if b >= 0 else None, known))
    return rows


def _common(ours: Sequence[Json], theirs: Sequence[Json]) -> int:
    """How many events both begin with."""
    count = 0
    for one, other in zip(ours, theirs, strict=False):
        if one != other:
            break
        count += 1
    return count


def _row(
    first: Mapping[str, Any] | None, second: Mapping[str, Any] | None, known: tuple[dict[int, int], dict[int, int]]
) -> Row:
    """The row of one event; `known` gives by number of an event of either side the row it stands in."""
    if second is None or first is None:
        alone = first or second or {}
        return Row("second" if first is None else "first", first, second, bare(alone))
    both = together(_aimless([first])[0], _aimless([second])[0])
    aims = [[rows.get(seq) for seq in _pointed(event)] for rows, event in zip(known, (first, second), strict=True)]
    if both is None or aims[0] != aims[1]:
        return Row("differ", first, second, None)
    return Row("same", first, second, _pointing(both, _pointed(first)))


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


def _hands(events: Sequence[Json]) -> dict[tuple[int, int], tuple[int, int]]:
    """Each hand's first place and the place after it, by its number and how often that number stood there before."""
    starts = [0, *(place for place, event in enumerate(events) if event["type"] == "hand_began" and place)]
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for start, end in zip(starts, [*starts[1:], len(events)], strict=True):
        number = events[start].get("hand", 0) if start < len(events) else 0
        again = sum(known == number for known, _ in found)
        found[number, again] = (start, end)
    return found


def _by_hands(ours: Sequence[Json], theirs: Sequence[Json]) -> list[tuple[int, int]]:
    """The alignment hand by hand: a hand that one side lacks stands alone."""
    one, other = _hands(ours), _hands(theirs)
    pairs: list[tuple[int, int]] = []
    for key in sorted({**one, **other}):
        a, a_end = one.get(key, (0, 0))
        b, b_end = other.get(key, (0, 0))
        for left, right in _aligned(ours[a:a_end], theirs[b:b_end]):
            pairs.append((left + a if left >= 0 else -1, right + b if right >= 0 else -1))
    return pairs


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
