"""The one spelling of cards: every code and every mask there and back."""

import pytest

from schemas import cards


@pytest.mark.parametrize("code", range(len(cards.SPELLING)))
def test_a_card_is_spelled_and_parsed_to_itself(code: int) -> None:
    assert cards.CODE[cards.SPELLING[code]] == code


def test_there_are_52_known_cards_and_18_that_are_not() -> None:
    assert len(set(cards.SPELLING)) == len(cards.SPELLING) == 52 + 1 + 4 + 13
    assert all("?" not in spelling for spelling in cards.SPELLING[: cards.KNOWN])
    assert all("?" in spelling for spelling in cards.SPELLING[cards.KNOWN :])


@pytest.mark.parametrize("spelling", ["", "A", "as", "AS", "sA", "10s", "1s", "Тs", "As ", "Xh", "T♥", "Ass"])
def test_nothing_else_is_a_card(spelling: str) -> None:
    assert spelling not in cards.CODE


def test_the_domain_of_a_known_card_is_itself() -> None:
    assert all(cards.DOMAIN[code] == 1 << code for code in range(cards.KNOWN))


@pytest.mark.parametrize(("spelling", "size"), [("??", 52), ("?s", 13), ("T?", 4), ("As", 1)])
def test_an_unseen_face_may_be_any_card_that_fits(spelling: str, size: int) -> None:
    found = cards.spell_all(cards.DOMAIN[cards.CODE[spelling]])
    assert len(found) == size
    assert all(have in ("?", is_) for card in found for have, is_ in zip(spelling, card, strict=True))


@pytest.mark.parametrize(("size", "lowest"), [(20, "T"), (32, "7"), (36, "6"), (52, "2")])
def test_a_pack_holds_its_ranks_in_four_suits(size: int, lowest: str) -> None:
    pack = cards.spell_all(cards.PACK[size])
    assert len(pack) == size
    assert {card[0] for card in pack} == set(cards.RANKS[cards.RANKS.index(lowest) :])


@pytest.mark.parametrize("size", [20, 32, 36, 52])
def test_a_mask_is_spread_and_gathered_to_itself(size: int) -> None:
    mask = cards.PACK[size]
    assert sum(1 << card for card in cards.spread(mask)) == mask
    assert cards.mask_of(cards.spell_all(mask)) == mask


def test_a_code_is_its_suit_and_its_rank() -> None:
    for code in range(cards.KNOWN):
        suit, rank = divmod(code, cards.CARDS_PER_SUIT)
        assert cards.RANKS[rank] + cards.SUITS[suit] == cards.SPELLING[code]
        assert 1 << code == cards.SUIT_MASK[suit] & cards.RANK_MASK[rank]


def test_unknown_faces_add_nothing_to_a_mask() -> None:
    assert cards.mask_of(["As", "??", "?h", "K?"]) == 1 << cards.CODE["As"]
