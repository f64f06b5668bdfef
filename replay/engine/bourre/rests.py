"""What a seat has left where some of its cards were not seen, in every way its cards may have gone (`report.md` 1)."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from schemas.cards import spread

MOST_RESTS: Final = 400
"""Of more ways than these none is looked at: what the seat holds is then known no better than by its masks."""

Rest = tuple[int, ...]
"""Cards left, each as the mask of what it may be, in order."""


class Move(NamedTuple):
    """Cards a seat took or let go, each as the mask of what it may be."""

    taken: bool
    cards: tuple[int, ...]


def rests_of(moves: Sequence[Move], held: int, free: int) -> tuple[Rest, ...]:
    """What may be left after these moves beside the cards surely held, each way once; none where they are too many.

    `free` are the cards of which nobody knows where they lie: a place that was not seen holds one of these.
    """
    ways: set[Rest] = {()}
    for taken, cards in moves:
        for card in cards:
            if taken:
                ways = {tuple(sorted((*way, card))) for way in ways}
            else:
                ways = {less for way in ways for less in _without(way, card, free)}
        if len(ways) > MOST_RESTS:
            return ()
    for card in spread(held):
        ways = {less for way in ways for less in _without(way, 1 << card, free)}
    narrowed = {tuple(sorted(place if _named(place) else place & free for place in way)) for way in ways}
    return tuple(sorted(way for way in narrowed if all(way)))


def _named(place: int) -> bool:
    return not place & (place - 1)


def _without(way: Rest, card: int, free: int) -> Iterator[Rest]:
    """The ways in which that card is one of these; a card that was named there is that one."""
    if _named(card):
        places = {card} if card in way else {place for place in way if place & card}
    else:
        places = {place for place in way if place & card & (place if _named(place) else free)}
    for place in sorted(places):
        at = way.index(place)
        yield way[:at] + way[at + 1 :]
