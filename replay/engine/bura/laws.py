"""The laws of Bura's play: one law, one function; each says whether it is kept, or what would be right."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import Final

from replay.engine.bura.state import BuraState
from replay.engine.holdings import Codes
from replay.engine.tricks import BEATEN, set_beats
from schemas.cards import DOMAIN, KNOWN, RANK_MASK, SUIT_MASK, spread
from schemas.rules import BeatPairing, BuraRight, DrawStyle, ThreeAces

ACES: Final = RANK_MASK[-1]
MOST_NAMINGS: Final = 500
"""So many ways to name the cards of two sets are looked at before it counts as open which of them wins."""

Faces = tuple[int, ...]
"""By card of a set: the mask of the known cards it may be."""


def faces_of(codes: Sequence[int], may: int) -> Faces:
    """By card of a set laid by a seat that may have held `may`: the mask of the cards it may be."""
    return tuple(DOMAIN[code] & may or DOMAIN[code] for code in codes)


def one_suit(faces: Faces) -> bool | None:
    """A lead is of one suit (`bura.9`): kept, broken, or None where unseen cards leave it open."""
    could = False
    for suit in SUIT_MASK:
        if all(not face & ~suit for face in faces):
            return True
        fitting = [face & suit for face in faces]
        could = could or (all(fitting) and union(fitting).bit_count() >= len(faces))
    return None if could else False


def union(faces: Iterable[int]) -> int:
    """The mask of the cards that are in any of these masks."""
    cards = 0
    for face in faces:
        cards |= face
    return cards


def largest_lead(table: BuraState, seat: int) -> int:
    """How many cards may be led: no more than the smallest hand among opponents who hold cards (`bura.13`)."""
    least = table.hand_size
    for other in table.players:
        if other != seat and 0 < table.held[other].size < least:
            least = table.held[other].size
    return least


def dealt_out(wants: list[int], left: int, style: DrawStyle) -> tuple[list[int], int]:
    """How a stock of `left` cards, just or not enough, is dealt out to who wants so many (`bura.13`).

    With it the place in the row that gets the last card.
    """
    got = [0] * len(wants)
    last = -1
    if style is DrawStyle.FILL_EACH:
        for place, want in enumerate(wants):
            got[place] = min(want, left)
            left -= got[place]
            last = place if got[place] else last
        return got, last
    while left and any(have < want for have, want in zip(got, wants, strict=True)):
        for place, want in enumerate(wants):
            if left and got[place] < want:
                got[place] += 1
                left -= 1
                last = place
    return got, last


def answer_beats(table: BuraState, codes: Codes, may: int) -> bool | None:
    """Whether an answer beats the best set so far (`bura.10`); None where unseen cards leave it open.

    `may` are the cards its seat may have held when it laid them.
    """
    any_pairing = table.rules.beat_pairing is BeatPairing.ANY_PAIRING if len(codes) > 1 else True
    if all(code < KNOWN for code in codes) and all(code < KNOWN for code in table.best):
        return set_beats(list(codes), list(table.best), table.trump, any_pairing)
    return beats_unseen(faces_of(codes, may), faces_of(table.best, table.best_may), table.trump, any_pairing)


@lru_cache(maxsize=1024)
def beats_unseen(answer: Faces, best: Faces, trump: int, any_pairing: bool) -> bool | None:
    """Whether a set beats another whichever cards they are; None where it hangs on that, or on too much to say."""
    if len(answer) != len(best):
        return False
    beaten = [union(BEATEN[trump][card] for card in spread(face)) for face in answer]
    if any(not any(each & other for each in beaten) for other in best):
        return False
    target = union(best)
    if all(not target & ~BEATEN[trump][card] for face in answer for card in spread(face)):
        return True
    size = len(answer)
    said = set()
    for tried, naming in enumerate(product(*map(spread, answer + best))):
        if tried == MOST_NAMINGS:
            return None
        if len(set(naming)) == 2 * size:
            said.add(set_beats(list(naming[:size]), list(naming[size:]), trump, any_pairing))
        if len(said) == 2:
            return None
    return said.pop() if said else None


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


def unseen_combination(table: BuraState, combination: str, seat: int, shown: Faces = ()) -> bool | None:
    """Whether the seat's hand, not all of it seen, is the combination declared; None where that is open.

    `shown` are the faces with which it was declared, all of them where there are some.
    """
    rules = table.rules
    if table.held[seat].size != table.hand_size or len(shown) not in (0, table.hand_size):
        return False
    if combination == "three_aces":
        masks = [ACES] if table.hand_size == 3 and rules.three_aces is not ThreeAces.OFF else []
    elif combination == "bura":
        masks = [SUIT_MASK[table.trump]] if rules.bura is not BuraRight.OFF else []
    else:
        masks = [mask for suit, mask in enumerate(SUIT_MASK) if suit != table.trump]
    possible, sure = table.possible(seat), table.certain(seat)
    whole = union(shown) or possible
    if any(not whole & ~mask for mask in masks):
        return True
    may = any(
        not sure & ~mask
        and (possible & mask).bit_count() >= table.hand_size
        and may_differ([face & mask for face in shown])
        for mask in masks
    )
    return None if may else False


def may_differ(faces: Sequence[int]) -> bool:
    """Whether these can be as many different cards: of some of them there are no fewer than they are."""
    return all(
        union(some).bit_count() >= size for size in range(1, len(faces) + 1) for some in combinations(faces, size)
    )
