"""One thing changed in a clean recording of Bourré is told, or `SILENT` says why it cannot be."""

import random
from typing import Final

import pytest

from replay import desk
from tests.audit.test_mutations import (
    Change,
    Proof,
    always,
    changes,
    hand_of,
    never_seen_again,
    nobody_counts,
    nobody_dealt,
    not_revealed,
    same_chips,
    told_of,
)
from tests.engine.bourre.walks import Habits, evening
from tests.walks.bura import Json, to_bytes

CLAIMS: Final = {"noted", "pot_counted", "stack_counted", "stake_set", "trick_taken"}


def another_pays(events: list[Json], change: Change) -> bool:
    """Payments of one moment come in any order, a fee before or after the discard, a word beside another's fee."""
    first, second = events[change.at], events[change.at + 1]
    kinds = {first["type"], second["type"]}
    words = {"stayed", "folded", "discarded"}
    return kinds == {"pot_taken", "staked"} or ("staked" in kinds and bool(kinds & words))


def anywhere(events: list[Json], change: Change) -> bool:
    """One of the two may stand anywhere, or both in either order: who leaves in a hand leaves at its end."""
    kinds = {events[change.at]["type"], events[change.at + 1]["type"]}
    if kinds == {"hand_ended", "player_left"} or kinds & CLAIMS:
        return True
    free = {"deck_committed", "deck_revealed", "chips_bought", "sat_out", "card_missing"}
    return bool(kinds & free) or another_pays(events, change)


def decides_nothing(events: list[Json], change: Change) -> bool:
    """Nobody meets the card, and by its suit nobody took the pot or owed another thing."""
    before, after = (desk.verify(to_bytes(each))["hands"] for each in (events, change.events))
    met = {card for event in events[slice(*hand_of(events, change.at))] for card in event.get("cards", ())}
    sums = [
        [(hand["takers"], [(seat, each["net_due"]) for seat, each in hand["seats"].items()]) for hand in hands]
        for hands in (before, after)
    ]
    return change.events[change.at]["card"] not in met and sums[0] == sums[1]


def another_of_the_hand(events: list[Json], change: Change) -> bool:
    """The seat held the other card too, and laid or threw away neither later."""
    begin, end = hand_of(events, change.at)
    seat, held, later = events[change.at]["seat"], set[str](), set[str]()
    for event in events[begin:end]:
        if event.get("seat") == seat and event["type"] in ("dealt", "drew") and event["seq"] < change.at:
            held |= set(event["cards"])
        elif event.get("seat") == seat and event["type"] in ("played", "discarded") and event["seq"] != change.at:
            later |= set(event["cards"])
    return set(change.events[change.at]["cards"]) <= held - later


def given_up_there(events: list[Json], change: Change) -> bool:
    """The hand is abandoned with no further card."""
    _, end = hand_of(events, change.at)
    rest = {event["type"] for event in events[change.at + 1 : end]}
    return events[end].get("reason") == "abandoned" and "played" not in rest


def hand_thrown_in(events: list[Json], change: Change) -> bool:
    """The hand ends in a misdeal, which excuses its deal."""
    return events[hand_of(events, change.at)[1]].get("reason") == "misdeal"


SILENT: Final[dict[tuple[str, str], tuple[str, Proof]]] = {
    ("hand_began", "dealer"): ("nobody deals", nobody_dealt),
    ("staked", "dropped"): ("the hand is thrown in before all have anted", nobody_dealt),
    ("dealt", "dropped"): ("the hand is thrown in when fewer are dealt", hand_thrown_in),
    ("dealt", "fewer"): ("the hand is thrown in for it", hand_thrown_in),
    ("trump_turned", "dropped"): ("the hand is thrown in before it is turned", hand_thrown_in),
    ("dealt", "card"): ("it is thrown in with the hand unseen, as any other would", never_seen_again),
    ("discarded", "card"): ("another card of the hand, thrown away as rightly", another_of_the_hand),
    ("played", "card"): ("another card of the hand, laid as rightly", another_of_the_hand),
    ("played", "dropped"): ("the hand is given up there", given_up_there),
    ("card_missing", "card"): ("another card that nobody meets", always),
    ("card_missing", "dropped"): ("a card that nobody meets need not be missed", always),
    ("card_missing", "doubled"): ("said twice", always),
    ("drew", "card"): ("it is thrown in with the hand unseen, as any other would", never_seen_again),
    ("trump_turned", "card"): ("another that nobody meets, and its suit decides nothing", decides_nothing),
    ("chips_bought", "seat"): ("a purse is what it is said to be", nobody_counts),
    ("chips_bought", "amount"): ("a purse is what it is said to be", nobody_counts),
    ("chips_bought", "dropped"): ("a purse is what it is said to be", nobody_counts),
    ("chips_bought", "doubled"): ("a purse is what it is said to be", nobody_counts),
    ("stack_counted", "seat"): ("both have the same chips", same_chips),
    ("deck_committed", "commitment"): ("the pack is never revealed", not_revealed),
    ("deck_committed", "dropped"): ("a commitment is not a duty", always),
    ("deck_revealed", "dropped"): ("a reveal is not a duty", always),
    ("deck_revealed", "doubled"): ("the same pack again", always),
    ("stake_set", "dropped"): ("the first ante shows it", always),
    ("stake_set", "doubled"): ("the same again", always),
    ("stake_set", "seat"): ("agreed by the table", always),
    ("sat_out", "doubled"): ("said twice", always),
    ("trick_taken", "dropped"): ("a claim is not a duty", always),
    ("pot_counted", "dropped"): ("a claim is not a duty", always),
    ("pot_counted", "doubled"): ("said twice", always),
    ("stack_counted", "dropped"): ("a claim is not a duty", always),
    ("stack_counted", "doubled"): ("said twice", always),
    ("noted", "dropped"): ("a comment", always),
    ("noted", "doubled"): ("a comment", always),
}
"""By event type and change: why it is not told, and the proof that this change is one of those."""

EVENINGS: Final[list[tuple[str, Json, int]]] = [
    ("bourre/classic@1", {}, 4),
    ("bourre/hoyle@1", {}, 3),
    ("bourre/classic@1", {"draw_fee": "ante_if_staying", "declaration": "two_rounds"}, 5),
    ("bourre/classic@1", {"trump_card": "dealers_fifth", "tie": "split"}, 3),
]


def unexplained(preset: str, options: Json, seats: int, *, seeds: range, share: float) -> list[object]:
    found: list[object] = []
    for seed in seeds:
        events = evening(seed, preset=preset, options=options, seats=seats, hands=2, habits=Habits(commits=0.5))
        chosen, clean = random.Random(seed), told_of(events)
        assert clean[0] == "verified"
        found += [
            (seed, change.what, events[change.at], change.events[change.at])
            for change in changes(events)
            if chosen.random() <= share and told_of(change.events) == clean and not excused(events, change)
        ]
    return found


def excused(events: list[Json], change: Change) -> bool:
    if change.what == "swapped":
        return anywhere(events, change)
    reason = SILENT.get((events[change.at]["type"], change.what))
    return reason is not None and reason[1](events, change)


@pytest.mark.parametrize(("preset", "options", "seats"), EVENINGS)
def test_one_change_is_told_or_cannot_be(preset: str, options: Json, seats: int) -> None:
    assert not unexplained(preset, options, seats, seeds=range(2), share=0.1)


@pytest.mark.soak
@pytest.mark.parametrize(("preset", "options", "seats"), EVENINGS)
def test_every_single_change_is_told_or_cannot_be(preset: str, options: Json, seats: int) -> None:
    assert not unexplained(preset, options, seats, seeds=range(10), share=1)
