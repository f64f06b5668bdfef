"""Which card beats which: strength by game, pairing of sets, the winner of a trick."""

from typing import Final

from schemas.cards import CARDS_PER_SUIT, KNOWN, PACK, RANKS, SUIT_MASK, SUITS

BURA_RANKS: Final = "23456789JQKTA"
"""Bura's ranks from low to high: the ten stands between king and ace (`rules.md` 1.2)."""
BURA_POINTS: Final = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
"""Card points by rank in Bura; other ranks have none (`rules.md` 1.2)."""

STRENGTH: Final[tuple[int, ...]] = tuple(BURA_RANKS.index(rank) for _ in SUITS for rank in RANKS)
"""By card: its strength within its suit in Bura."""
POINTS: Final[tuple[int, ...]] = tuple(BURA_POINTS.get(rank, 0) for _ in SUITS for rank in RANKS)
"""By card: its points in Bura; 120 in the whole pack."""


def _lower() -> list[int]:
    """By card: the mask of the cards of its suit that are lower in Bura."""
    lower = [0] * KNOWN
    for suit in range(len(SUITS)):
        below = 0
        for card in sorted(range(suit * CARDS_PER_SUIT, (suit + 1) * CARDS_PER_SUIT), key=STRENGTH.__getitem__):
            lower[card] = below
            below |= 1 << card
    return lower


LOWER: Final[tuple[int, ...]] = tuple(_lower())
"""By card: the mask of the lower cards of its suit in Bura."""
BEATEN: Final[tuple[tuple[int, ...], ...]] = (
    *(
        tuple(low | (PACK[52] & ~trumps if 1 << card & trumps else 0) for card, low in enumerate(LOWER))
        for trumps in SUIT_MASK
    ),
    LOWER,
)
"""By trump suit (-1: none) and card: the mask of the cards it beats: lower ones of its suit, a trump all plain ones."""


def beats(card: int, other: int, trump: int) -> bool:
    """Whether `card` beats `other` in Bura: same suit and higher, or trump on a plain card (`rules.md` 1.10)."""
    return BEATEN[trump][card] >> other & 1 == 1


def set_beats(cards: list[int], others: list[int], trump: int, any_pairing: bool) -> bool:
    """Whether a set beats another of the same size in Bura, each card its own partner (`rules.md` 1.10).

    With `any_pairing` the cards may be paired in any way, else only in the order laid. Sets of different size never
    beat.
    """
    if len(cards) != len(others):
        return False
    if len(cards) == 1:
        return beats(cards[0], others[0], trump)
    if not any_pairing:
        return all(beats(card, other, trump) for card, other in zip(cards, others, strict=True))
    return _pairs_off(cards, others, trump)


def _pairs_off(cards: list[int], others: list[int], trump: int) -> bool:
    if not others:
        return True
    first = others[0]
    for place, card in enumerate(cards):
        if beats(card, first, trump) and _pairs_off(cards[:place] + cards[place + 1 :], others[1:], trump):
            return True
    return False
