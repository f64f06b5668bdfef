"""What a dispute may cost: the goals are 150 ms a hand of a case and a second for six seats with a dozen unseen cards.

Here each is held to some times that, in time of this process alone, so that a busy machine breaks nothing.
"""

import random
import time
from typing import Any

import pytest

from recorder import intake
from replay import desk
from replay.audit.dispute import Moment, dispute
from tests.audit.test_dispute import FACED, HABITS, Json, forgotten, hand_of, seen_as, unseen_lays
from tests.audit.test_dispute_cases import READABLE, hands_of, recording_of
from tests.walks.bura import evening, to_bytes

A_CASE, SIX_SEATS = 0.15 * 10, 1.0 * 10
UNSEEN = 12


def cost(recording: Any, moment: Moment) -> float:
    """Seconds of this process for one answer."""
    house = desk.house_of(recording)
    began = time.process_time()
    assert dispute(recording, house, moment)["format"] == "razbor-dispute/1"
    return time.process_time() - began


def test_the_last_hand_of_every_case_as_the_table_saw_it() -> None:
    asked = [(recording_of(name), name) for name in READABLE]
    dear = {name: cost(one, Moment(max(hands_of(one)), None, "public")) for one, name in asked if hands_of(one)}
    assert {name: spent for name, spent in dear.items() if spent > A_CASE} == {}


def half_known(event: Json, rng: random.Random, lies: bool) -> Json:
    """An event of whose cards some are unseen, some known by half, and some, where `lies`, others than they were."""
    if event["type"] not in FACED or event.get("face") == "up":
        return event
    told = []
    for card in event["cards"]:
        roll = rng.random()
        word = "??" if roll < 0.35 else rng.choice([f"?{card[1]}", f"{card[0]}?"]) if roll < 0.6 else card
        told.append(rng.choice(["?s", "T?", "As", "6c"]) if lies and rng.random() < 0.12 else word)
    return {**event, "cards": told}


def six_seats(seed: int, kind: str) -> tuple[Any, Moment] | None:
    """Six seats, a moment with a dozen unseen cards laid or more; None where so many were never laid."""
    rng = random.Random(seed)
    played = evening(seed, options={"molodka_turn": "out_of_turn"}, seats=6, hands=1, habits=HABITS)
    share = rng.choice([0.5, 1.0])
    events = [forgotten(each, rng, share) if kind == "unseen" else half_known(each, rng, kind == "lies")
              for each in played]  # fmt: skip
    view = rng.choice(["full", "public", "seat:1"])
    hand = hand_of(seen_as(events, view))
    late = [each["seq"] for at, each in enumerate(hand) if unseen_lays(hand[: at + 1]) >= UNSEEN]
    return (intake.read(to_bytes(events)), Moment(hand[0]["hand"], late[0], view)) if late else None


@pytest.mark.parametrize("kind", ["unseen", "half known", "lies"])
def test_six_seats_with_a_dozen_unseen_cards(kind: str) -> None:
    asked = [found for seed in range(14) if (found := six_seats(seed, kind))]
    assert len(asked) >= 5
    assert [moment for recording, moment in asked if cost(recording, moment) > SIX_SEATS] == []
