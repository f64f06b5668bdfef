"""A match on a terminal: what each hand brought, the score after it, and how it stands at the end."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from recorder.words import topic
from replay.cli_values import seat_name
from replay.cli_words import columns, say
from replay.views.match import at_the_end, colons, scores
from replay.views.sources import Match
from replay.views.wording import Wording


class Brought(NamedTuple):
    """The score after a hand, and the match points it brought by seat; None where nobody can tell."""

    score: str
    points: Mapping[int, int] | None

    def by_seat(self, seats: Sequence[int]) -> list[str]:
        """What each of these seats won."""
        if self.points is None:
            return ["?"] * len(seats)
        return [f"{'+' if won else ''}{won}" for won in (self.points.get(seat, 0) for seat in seats)]


def hand_by_hand(match: Match, names: Mapping[int, str]) -> Iterator[Brought]:
    """Of every hand; a dash for the score after one that is not settled, or that was played when the match was over."""
    for hand, now in scores(match, sorted(names)):
        counts = hand.points is not None and now.ended in (0, hand.hand)
        yield Brought(colons(now) if counts else "-", hand.points)


def match_told(match: Match, names: Mapping[int, str], lang: str) -> list[str]:
    """The score at the end, and what there is to say of it."""
    words = Wording(lang, {"ui": topic("ui", lang)})
    now, said = at_the_end(match, sorted(names), names.__getitem__, words)
    rows = [[seat_name(seat, names, lang) for seat in now.points], [str(points) for points in now.points.values()]]
    return [say("verify.match", lang), *columns(rows), *said]
