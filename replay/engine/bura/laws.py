"""The laws of Bura's play: one law, one function; each says whether it is kept, or what would be right."""

from collections.abc import Sequence

from replay.engine.bura.state import BuraState
from replay.engine.tricks import beats, set_beats
from schemas.cards import CARDS_PER_SUIT, DOMAIN, KNOWN, RANK_MASK, SUIT_MASK
from schemas.rules import BeatPairing, BuraRight, ThreeAces

ACES = RANK_MASK[-1]


def known_suits(codes: Sequence[int]) -> set[int]:
    """The suits that are known among codes; a half-known suit counts."""
    suits = set()
    for code in codes:
        for suit, mask in enumerate(SUIT_MASK):
            if not DOMAIN[code] & ~mask:
                suits.add(suit)
    return suits


def one_suit(codes: Sequence[int]) -> bool | None:
    """A lead is of one suit (`bura.9`): kept, broken, or None where unseen cards leave it open."""
    first = codes[0] // CARDS_PER_SUIT
    for code in codes:
        if code >= KNOWN or code // CARDS_PER_SUIT != first:
            break
    else:
        return True
    if len(codes) == 1:
        return True
    suits = known_suits(codes)
    if len(suits) > 1:
        return False
    settled = all(any(not DOMAIN[code] & ~mask for mask in SUIT_MASK) for code in codes)
    return True if settled else None


def largest_lead(table: BuraState, seat: int) -> int:
    """How many cards may be led: no more than the smallest hand among opponents who hold cards (`bura.13`)."""
    least = table.hand_size
    for other in table.players:
        if other != seat and 0 < table.size[other] < least:
            least = table.size[other]
    return least


def answer_beats(table: BuraState, codes: list[int], best: list[int]) -> bool | None:
    """Whether an answer beats the best set so far (`bura.10`); None where unseen cards leave it open."""
    any_pairing = table.rules.beat_pairing is BeatPairing.ANY_PAIRING if len(codes) > 1 else True
    if len(codes) != len(best):
        return False
    if all(code < KNOWN for code in codes) and all(code < KNOWN for code in best):
        return set_beats(codes, best, table.trump, any_pairing)
    hopeless = any(not _some_beats(codes, other, table.trump) for other in best)
    return False if hopeless else None


def _some_beats(codes: list[int], other: int, trump: int) -> bool:
    """Whether some card of the set may beat this one under some naming."""
    others = [other] if other < KNOWN else [card for card in range(KNOWN) if DOMAIN[other] >> card & 1]
    for code in codes:
        cards = [code] if code < KNOWN else [card for card in range(KNOWN) if DOMAIN[code] >> card & 1]
        if any(beats(card, each, trump) for card in cards for each in others):
            return True
    return False


def is_combination(table: BuraState, combination: str, cards: int) -> bool:
    """Whether these cards, a whole hand, are the combination declared (`bura.7`)."""
    if cards.bit_count() != table.hand_size:
        return False
    if combination == "three_aces":
        return table.hand_size == 3 and not cards & ~ACES and table.rules.three_aces is not ThreeAces.OFF
    trumps = SUIT_MASK[table.trump]
    if combination == "bura":
        return not cards & ~trumps and table.rules.bura is not BuraRight.OFF
    return any(not cards & ~mask for mask in SUIT_MASK if mask != trumps)


def can_be_combination(table: BuraState, combination: str, seat: int) -> bool:
    """Whether the seat's unseen hand may be the combination declared."""
    possible = table.possible(seat)
    sure = table.certain(seat)
    if table.size[seat] != table.hand_size:
        return False
    masks = [ACES] if combination == "three_aces" else [SUIT_MASK[table.trump]]
    if combination == "molodka":
        masks = [mask for suit, mask in enumerate(SUIT_MASK) if suit != table.trump]
    fits = any(not sure & ~mask and (possible & mask).bit_count() >= table.hand_size for mask in masks)
    if combination == "three_aces":
        return fits and table.hand_size == 3 and table.rules.three_aces is not ThreeAces.OFF
    return fits and (combination != "bura" or table.rules.bura is not BuraRight.OFF)
