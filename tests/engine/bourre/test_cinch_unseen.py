"""The duty to cinch where cards were not seen: own discards fill gaps, and a hand holds no more than its size."""

import pytest

from replay.engine.bourre.laws import Spot, sure_tricks
from schemas.cards import SUITS, mask_of
from tests.engine.bourre.hands import Json, Script

HEARTS = "2h 3h 4h 5h 6h"


def doubts(script: Script, seat: int, view: str) -> list[int]:
    found: list[Json] = script.report(view=view)["findings"]
    assert not [each for each in found if each["severity"] == "error"]
    return [each["seq"] for each in found if each["code"] == "table/unknown-card" and each["seat"] == seat]


def tricks(script: Script, leads: str) -> list[int]:
    """Seat 1 leads these one after another, seat 2 throws hearts: the seqs of the leads."""
    return [script.play(f"1{mine} 2{other}") - 1 for mine, other in zip(leads.split(), HEARTS.split(), strict=False)]


@pytest.mark.parametrize("view", ["full", "public", "seat:1", "seat:2"])
def test_five_cards_and_five_tricks_leave_nothing_open(view: str) -> None:
    """Seat 1 keeps K Q J of trumps back; that it may have thrown away the ace makes no doubt."""
    script = Script(2, lead_duty="cinch")
    script.deal(f"Ks Qs Js 4c 5c/{HEARTS}", "2s")
    script.say("1+")
    script.change(1, "4c", "7c")
    script.say("2+")
    tricks(script, "5c 7c Ks Qs Js")
    assert doubts(script, 1, view) == []


@pytest.mark.parametrize(("away", "expected"), [(None, [2]), ("Ks", [1, 2])])
def test_a_discard_nobody_saw_may_fill_a_gap_below_an_unseen_card(away: str | None, expected: list[int]) -> None:
    """The ace in hand and the king thrown away would have made two sure tricks of the queen."""
    script = Script(2, lead_duty="cinch")
    script.deal(f"5c {away or '7c'} Qs 2d 9d/{HEARTS}", "2s")
    script.say("1+")
    if away:
        script.change(1, away, "7c")
    script.say("2+")
    leads = tricks(script, "5c 7c Qs 2d")
    script.end("abandoned")
    assert doubts(script, 1, "public") == [leads[place] for place in expected]


def test_one_unseen_card_is_not_three_trumps() -> None:
    """Seat 1 lays four plain cards and keeps one: only where it lacks one trick may that one have bound it."""
    script = Script(2, lead_duty="cinch")
    script.deal(f"5c 7c 2d 3d 9d/{HEARTS}", "2s")
    script.say("1+ 2+")
    leads = tricks(script, "5c 7c 2d 3d")
    script.end("abandoned")
    assert doubts(script, 1, "public") == [leads[2]]


@pytest.mark.parametrize(
    ("unseen", "hidden", "most"),
    [
        ((), (), 0),
        (("Ah Kh 2c",), (), 1),
        (("Kh 2c",), (), 0),
        ((), ("Ah Kh 2c",), 0),
        ((), ("Ah 2c", "Kh 3c"), 1),
        (("Kh Jh",), ("Ah 2c",), 2),
        (("Ah Kh Jh", "Ah"), ("2c",), 3),
    ],
)
def test_unseen_cards_of_the_hand_count_and_those_thrown_away_fill_gaps(
    unseen: tuple[str, ...], hidden: tuple[str, ...], most: int
) -> None:
    masks = [tuple(mask_of(each.split()) for each in cards) for cards in (unseen, hidden)]
    assert sure_tricks(mask_of(["Qh", "Th"]), Spot(SUITS.index("h")), *masks) == most
