"""What a seat had left where some of its cards were not seen, in every way its cards may have gone (`report.md` 1)."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from schemas.cards import spread

MOST_RESTS: Final = 400
"""Of more ways than these none is looked at: what the seat holds is then known no better than by its masks."""

MOST_FACES: Final = 16
"""Of a card that may be more than these, nobody asks what each of them would leave."""

Rest = tuple[int, ...]
"""Cards left, each as the mask of what it may be, in order."""


class Move(NamedTuple):
    """Cards a seat took or let go, each as the mask of what it may be."""

    taken: bool
    cards: tuple[int, ...]


class Story(NamedTuple):
    """What a seat took and let go before a card it laid, the cards surely held then, and those it let go later.

    Cards are masks of what each may be. `free` are the cards of which nobody knows where they lie: a place that was not
    seen holds one of these.
    """

    moves: tuple[Move, ...]
    sure: int
    later: tuple[int, ...]
    free: int


@lru_cache(maxsize=4096)
def rests_by_card(story: Story, faces: int, left: int) -> tuple[tuple[int, tuple[Rest, ...]], ...]:
    """By card that one of these faces may have been: all that may be left then; nothing where that is not known.

    `left` is how many cards are left.
    """
    told = []
    for card in spread(faces):
        bit = 1 << card
        free = story.free & ~story.sure & ~bit
        rests = _rests_of(story.moves, card, story.sure & ~bit, story.later, free)
        if rests is None or (rests and len(rests[0]) != left):
            return ()
        if rests:
            told.append((card, rests))
    return tuple(told)


def _rests_of(
    moves: tuple[Move, ...], laid: int, sure: int, later: tuple[int, ...], free: int
) -> tuple[Rest, ...] | None:
    """What may be left after these moves and a card laid, each way once; None where the ways are too many."""
    ways: set[Rest] = {()}
    for taken, cards in (*moves, Move(taken=False, cards=(1 << laid,))):
        for card in cards:
            if taken:
                ways = {tuple(sorted((*way, card))) for way in ways}
            else:
                ways = {less for way in ways for less, _ in _without(way, card, free)}
        if len(ways) > MOST_RESTS:
            return None
    for card in spread(sure):
        ways = {tuple(sorted((*less, 1 << card))) for way in ways for less, _ in _without(way, 1 << card, free)}
    shown: set[tuple[Rest, Rest]] = {(way, ()) for way in ways}
    for card in later:
        shown = {(less, (*told, face)) for way, told in shown for less, face in _without(way, card, free)}
        if len(shown) > MOST_RESTS:
            return None
    rests = {tuple(sorted((*told, *[_face(place, free) for place in way]))) for way, told in shown}
    return tuple(sorted(rest for rest in rests if all(rest)))


def _named(place: int) -> bool:
    return not place & (place - 1)


def _face(place: int, free: int) -> int:
    """What lies there: the card that was named, or one of those nobody knows of."""
    return place if _named(place) else place & free


def _without(way: Rest, card: int, free: int) -> Iterator[tuple[Rest, int]]:
    """The ways in which that card is one of these, and what it is then; one that was named there is that one."""
    if _named(card):
        places = {card: card} if card in way else {place: card for place in way if place & card}
    else:
        places = {place: _face(place, free) & card for place in way if _face(place, free) & card}
    for place in sorted(places):
        at = way.index(place)
        yield way[:at] + way[at + 1 :], places[place]
