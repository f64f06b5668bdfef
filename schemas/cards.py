"""What a card is: suits, ranks, packs, the one ASCII spelling, and faces nobody saw.

A known card is an integer 0..51: `suit * 13 + rank`, suits in the order s h d c, ranks 2..A. A set of cards is a
bit mask of these. Codes from 52 on are faces that are unknown or half known; each has a *domain*, the mask of the
cards it may be (`record.md` 2).
"""

from typing import Final

SUITS: Final = "shdc"
RANKS: Final = "23456789TJQKA"
CARDS_PER_SUIT: Final = 13
KNOWN: Final = 52
"""The codes below are known cards, the others unknown or half known faces."""


def _spellings() -> tuple[str, ...]:
    known = [rank + suit for suit in SUITS for rank in RANKS]
    return (*known, "??", *("?" + suit for suit in SUITS), *(rank + "?" for rank in RANKS))


SPELLING: Final[tuple[str, ...]] = _spellings()
"""The two ASCII characters of each code: `SPELLING[12] == "As"`, `SPELLING[52] == "??"`."""
CODE: Final[dict[str, int]] = {spelling: code for code, spelling in enumerate(SPELLING)}
"""The code of each spelling, the inverse of `SPELLING`: `CODE["As"] == 12`; no other text has one."""
UNKNOWN: Final = CODE["??"]
BIT: Final[dict[str, int]] = {spelling: 1 << code if code < KNOWN else 0 for spelling, code in CODE.items()}
"""By spelling: the mask of that one card, 0 for a face that is not wholly known."""


def _domain(spelling: str) -> int:
    rank, suit = spelling[0], spelling[1]
    fits = 0
    for code, known in enumerate(SPELLING[:KNOWN]):
        if rank in ("?", known[0]) and suit in ("?", known[1]):
            fits |= 1 << code
    return fits


DOMAIN: Final[tuple[int, ...]] = tuple(_domain(spelling) for spelling in SPELLING)
"""By code: the mask of the known cards it may be; of a known card, itself alone."""
SUIT_MASK: Final[tuple[int, ...]] = tuple(DOMAIN[CODE["?" + suit]] for suit in SUITS)
"""By suit number (s h d c): the mask of its thirteen cards."""
RANK_MASK: Final[tuple[int, ...]] = tuple(DOMAIN[CODE[rank + "?"]] for rank in RANKS)
"""By rank number (2..A): the mask of its four cards."""


def _pack(lowest_ranks: str) -> int:
    return sum(1 << CODE[rank + suit] for rank in lowest_ranks for suit in SUITS)


PACK: Final[dict[int, int]] = {
    20: _pack("TJQKA"),
    32: _pack("789TJQKA"),
    36: _pack("6789TJQKA"),
    52: _pack(RANKS),
}
"""By its number of cards: the mask of the pack."""


def mask_of(spellings: tuple[str, ...] | list[str]) -> int:
    """The mask of the known cards among `spellings`; unknown faces add nothing."""
    mask = 0
    for spelling in spellings:
        mask |= BIT[spelling]
    return mask


def spread(mask: int) -> list[int]:
    """The cards of a mask, from the lowest code to the highest."""
    cards = []
    while mask:
        low = mask & -mask
        cards.append(low.bit_length() - 1)
        mask ^= low
    return cards


def spell_all(mask: int) -> list[str]:
    """The spellings of a mask's cards, in code order."""
    return [SPELLING[card] for card in spread(mask)]
