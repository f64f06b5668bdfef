"""A stock made new: a card that one seat threw away may come to another, and a reveal may tell of both (`bourre.5`)."""

import pytest

from schemas.cards import RANKS, SUITS
from tests.engine.bourre.hands import Script

PACK = [rank + suit for rank in RANKS for suit in SUITS]
SEATS = 7


def made_new() -> tuple[Script, int, int]:
    """Seats 1 to 3 change five cards each, one card is left, and seat 4 draws it and four that seat 1 threw away.

    Nobody saw what was dealt to seat 1. The script, the seq of that deal, and of seat 4's draw.
    """
    script = Script(SEATS, preset="bourre/hoyle@1", max_draw=5)
    hands = [PACK[5 * seat : 5 * seat + 5] for seat in range(SEATS)]
    stock = PACK[5 * SEATS + 1 :]
    first = script.deal("/".join([" ".join(["??"] * 5), *map(" ".join, hands[1:])]), PACK[5 * SEATS]) - SEATS
    script.say("1+ 2+ 3+ 4+ 5+ 6+ 7+")
    for seat in (1, 2, 3):
        script.change(seat, " ".join(hands[seat - 1]), " ".join(stock[5 * seat - 5 : 5 * seat]), fee=0)
    script.put("discarded", seat=4, cards=hands[3])
    script.put("stock_recycled")
    drew = script.put("drew", seat=4, cards=[stock[15], *hands[0][:4]])
    return script, first, drew


def test_what_was_dealt_to_one_seat_and_drawn_by_another_is_revealed_rightly() -> None:
    script, first, _ = made_new()
    script.put("revealed", of=first, cards=PACK[:5])
    assert script.told() == []


def test_what_another_seat_drew_from_the_new_stock_is_revealed_rightly() -> None:
    script, first, drew = made_new()
    cards = script.events[drew]["cards"]
    script.events[first]["cards"], script.events[drew]["cards"] = PACK[:5], ["??"] * 5
    script.put("revealed", of=drew, cards=cards)
    assert script.told() == []


@pytest.mark.parametrize("card", [PACK[5], PACK[5 * SEATS]])
def test_what_lay_elsewhere_before_the_stock_was_made_new_was_not_dealt_to_it(card: str) -> None:
    script, first, _ = made_new()
    script.events[first + SEATS + SEATS + 1]["cards"] = ["??"] * 5
    seq = script.put("revealed", of=first, cards=[*PACK[:4], card])
    assert script.told() == [(seq, "table/reveal-contradicts")]
