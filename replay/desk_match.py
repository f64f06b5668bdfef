"""The match points of every hand of a recording, where they are what is played for (`rules.md` 2)."""

from collections.abc import Iterable, Sequence

from replay.engine.outcome import HandResult
from replay.views.sources import HandScore, Match
from schemas.events import Event, HandBegan, HandEnded
from schemas.rules import HouseRules


def match_of(results: Iterable[HandResult], house: HouseRules) -> Match | None:
    """The match points of every hand, where they are what is played for."""
    if not house.for_points:
        return None
    return Match(house.match_to, tuple(HandScore(one.hand, one.end, one.score) for one in results))


def match_so_far(results: Sequence[HandResult], events: Sequence[Event], house: HouseRules) -> Match | None:
    """The same of a recording that is still being written: a hand counts once it has ended."""
    bounds = (event for event in reversed(events) if isinstance(event, HandBegan | HandEnded))
    return match_of(results[:-1] if isinstance(next(bounds, None), HandBegan) else results, house)
