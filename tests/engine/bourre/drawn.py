"""Hypothesis draws the seed, the house rules and the habits of a walk of Bourré."""

from dataclasses import fields
from typing import Any

from hypothesis import strategies as st

from schemas.options import plain, values_of
from schemas.rules import BourreRules
from tests.engine.bourre.walks import Evening, Habits, walk

PRESETS = ("bourre/classic@1", "bourre/hoyle@1", "bourre/louisiana@1", "bourre/louisiana-cinch@1")
OPTIONS: dict[str, list[Any]] = {
    each.name: [plain(value) for value in values_of("bourre", each.name)] for each in fields(BourreRules)
} | {"max_ante": ["none", 5], "pot_limit": ["none", 20, 45], "max_draw": [5, 1, 3, {"5": 4, "7": 3}]}
ALL_VALUES = [(name, value) for name, values in OPTIONS.items() for value in values]
STACKS: list[list[int] | None] = [None, [1000], [40, 25, 60], [12, 3, 30, 8]]


@st.composite
def walks(
    draw: st.DrawFn, /, habits: Habits | None = None, most_hands: int = 4, presets: tuple[str, ...] = PRESETS
) -> Evening:
    """A legal evening of any preset, options, seats and purses."""
    names = draw(st.lists(st.sampled_from(sorted(OPTIONS)), unique=True, max_size=len(OPTIONS)))
    return walk(
        draw(st.integers(0, 2**32)),
        preset=draw(st.sampled_from(presets)),
        options={name: draw(st.sampled_from(OPTIONS[name])) for name in names},
        seats=draw(st.integers(2, 8)),
        hands=draw(st.integers(1, most_hands)),
        stacks=draw(st.sampled_from(STACKS)),
        pot=draw(st.sampled_from([0, 0, 17, 60])),
        habits=habits,
    )
