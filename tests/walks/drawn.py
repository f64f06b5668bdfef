"""Hypothesis draws the seed and the house rules of a walk; and what may be done to a walk that keeps it true."""

from dataclasses import fields
from typing import Any

from hypothesis import strategies as st

from recorder import rulebook
from schemas.options import plain, values_of
from schemas.rules import BuraRules
from tests.walks.bura import Habits, Json, evening

PRESETS = ("bura/classic-36@1", "bura/classic-32@1", "bura/pagat-36@1", "bura/georgian-20@1")
OPTIONS = {each.name: [plain(value) for value in values_of("bura", each.name)] for each in fields(BuraRules)}
ALL_VALUES = [(name, value) for name, values in OPTIONS.items() for value in values]
STACKS: list[list[int] | None] = [None, [1000], [40, 25, 60], [12, 3, 30, 8]]


def walk(seed: int, preset: str, options: Json, **how: Any) -> list[Json]:
    """An evening under these options; what they need beside them is added."""
    given = dict(options)
    match = {**rulebook.preset_options(preset), **given}["scoring"] == "match_points"
    if match:
        given.setdefault("match_to", 5)
        how["pot"] = 0
    return evening(seed, preset=preset, options=given, **how)


@st.composite
def walks(draw: st.DrawFn, /, habits: Habits | None = None, most_hands: int = 4, **fixed: Any) -> list[Json]:
    """A legal evening of any preset, options, seats and purses."""
    preset = draw(st.sampled_from(PRESETS))
    names = draw(st.lists(st.sampled_from(sorted(OPTIONS)), unique=True, max_size=len(OPTIONS)))
    options = {name: draw(st.sampled_from(OPTIONS[name])) for name in names}
    return walk(
        draw(st.integers(0, 2**32)),
        preset,
        {**options, **fixed},
        seats=draw(st.integers(2, 6)),
        hands=draw(st.integers(1, most_hands)),
        stacks=draw(st.sampled_from(STACKS)),
        pot=draw(st.sampled_from([0, 0, 17, 60])),
        habits=habits,
    )


def rotated(events: list[Json], by: int, seats: int) -> list[Json]:
    """The same evening with every seat moved on by so many chairs; nobody may join."""

    def moved(seat: int) -> int:
        return (seat - 1 + by) % seats + 1

    turned = []
    for event in events:
        new = dict(event)
        for name in ("seat", "dealer"):
            if name in new:
                new[name] = moved(new[name])
        for name in ("seats", "stacks"):
            if name in new:
                new[name] = [new[name][(place - by) % seats] for place in range(seats)]
        turned.append(new)
    return turned


def renumbered(events: list[Json]) -> list[Json]:
    """The events numbered anew, the total in `recording_ended` put right; references to numbers are not followed."""
    told = [{**event, "seq": seq} for seq, event in enumerate(events)]
    return [{**event, "events": event["seq"] + 1} if event["type"] == "recording_ended" else event for event in told]
