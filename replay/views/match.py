"""The score of a match: by seat and hand, who reached the number that ends it, and what is not settled."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from replay.views.sources import HandScore, Match, RecordingHead
from replay.views.wording import Wording

Name = Callable[[int], str]
MOST_NAMED: Final = 8
"""So many hands that are not settled are named."""


@dataclass(frozen=True)
class Score:
    """How a match stands after some of its hands; it ends with the hand in which somebody reaches its number."""

    to: int | None
    points: dict[int, int]
    #: The hand that ended it, 0 where none did, and who had reached the number then.
    ended: int
    winners: tuple[int, ...]
    #: Hands nobody can give to a seat yet; what they bring is not in `points`.
    open: tuple[int, ...]


def everybody(head: RecordingHead) -> range:
    """All seats anybody ever took: who leaves in the middle of a match keeps his points in its score."""
    return range(1, len(head.seats) + 1)


def scores(match: Match, seats: Sequence[int]) -> Iterator[tuple[HandScore, Score]]:
    """The score after each hand, its last one as it stands when the match is over."""
    points, open_ = dict.fromkeys(seats, 0), []
    now = Score(match.to, points, 0, (), ())
    for hand in match.hands:
        if not now.ended:
            for seat, won in (hand.points or {}).items():
                points[seat] = points.get(seat, 0) + won
            open_ += [hand.hand] if hand.points is None else []
            winners = tuple(seat for seat, had in points.items() if match.to and had >= match.to)
            now = Score(match.to, dict(points), hand.hand if winners else 0, winners, tuple(open_))
        yield hand, now


def score_at(match: Match, seats: Sequence[int], seq: int | None = None) -> Score:
    """The score of the hands that were over at an event; of all of them where no event is given."""
    over = tuple(takewhile(lambda hand: seq is None or hand.end <= seq, match.hands))
    begun = Score(match.to, dict.fromkeys(seats, 0), 0, (), ())
    return [begun, *(score for _, score in scores(Match(match.to, over), seats))][-1]


def colons(score: Score) -> str:
    """`3 : 2`, the seats in order."""
    return "\u00a0:\u00a0".join(str(points) for _, points in sorted(score.points.items()))


def by_name(score: Score, name: Name) -> str:
    """`Anna 3 · Boris 2`."""
    return " · ".join(f"{name(seat)}\u00a0{points}" for seat, points in sorted(score.points.items()))


def standing(score: Score, name: Name, w: Wording) -> tuple[str, ...]:
    """To how many it goes or who reached that and when, and which hands are not settled: a sentence each."""
    said = []
    if score.ended:
        key = "match.ended_by_certain" if score.open else "match.ended"
        names = ", ".join(map(name, score.winners))
        said.append(w.say(key, to=score.to or 0, hand=score.ended, seat=names))
    elif score.to:
        said.append(w.say("match.to", to=score.to))
    if score.open:
        more = ["…"] if len(score.open) > MOST_NAMED else []
        hands = ", ".join([*map(str, score.open[:MOST_NAMED]), *more])
        said.append(w.say("match.open", len(score.open), hands=hands))
    return tuple(said)


def at_the_end(match: Match, seats: Sequence[int], name: Name, w: Wording) -> tuple[Score, tuple[str, ...]]:
    """The score of all hands, and what there is to say of it."""
    now = score_at(match, seats)
    beyond = now.ended and match.hands[-1].hand != now.ended
    return now, (*standing(now, name, w), *([w.say("match.after")] if beyond else []))
