"""What comes after a step is told by where events stand: one that was put in later bears a later number."""

from types import SimpleNamespace
from typing import Any, cast

from replay.views.scene import Scene
from replay.views.sources import HandSource


def at(step: int) -> Scene:
    """A hand of the events 4, 5, 90 and 6, of which 90 was put in."""
    events = tuple({"seq": seq} for seq in (4, 5, 90, 6))
    unused: Any = None
    return Scene(cast(HandSource, SimpleNamespace(events=events)), unused, unused, step)


def test_what_comes_after_a_step() -> None:
    asked = (3, 4, 5, 90, 6, 7)
    assert [seq for seq in asked if at(1).later(seq)] == [90, 6, 7]
    assert [seq for seq in asked if at(2).later(seq)] == [6, 7]
    assert [seq for seq in asked if at(3).later(seq)] == [7]


def test_events_stand_in_the_order_of_the_hand() -> None:
    assert sorted((7, 6, 90, 5, 4, 3), key=at(0).place) == [3, 4, 5, 90, 6, 7]
