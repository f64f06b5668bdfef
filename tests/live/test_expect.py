"""What the pad offers: in a legal evening every event is offered when it comes, and what is due keeps every rule."""

from collections.abc import Callable
from typing import Any

import pytest

from recorder import intake
from replay import desk
from replay.audit.expect import Now, Step, expected, now
from replay.audit.expect_steps import unlawful, used
from schemas.events import Recording
from tests.engine.bourre import walks as bourre
from tests.walks import bura
from tests.walks.script import START, made

Json = dict[str, Any]
ANYWHERE = ("noted", "pot_counted", "stack_counted")
CASES = [
    *((bura.evening, "bura/classic-36@1", seed) for seed in range(6)),
    *((bura.evening, "bura/pagat-36@1", seed) for seed in range(3)),
    *((bura.evening, "bura/georgian-20@1", seed) for seed in range(3)),
    *((bourre.evening, "bourre/classic@1", seed) for seed in range(6)),
    *((bourre.evening, "bourre/louisiana@1", seed) for seed in range(4)),
]


def read(events: list[Json]) -> Recording:
    found = intake.read(bura.to_bytes(events))
    assert isinstance(found, Recording)
    return found


def habits_of(make: Callable[..., list[Json]]) -> Any:
    calm = {"moves": 0, "spoils": 0, "commits": 0}
    return bura.Habits(**calm) if make is bura.evening else bourre.Habits(**calm)


def offers(step: Step, event: Json) -> bool:
    if step.kind != event["type"] and not step.joined:
        return False
    if step.asks:
        return all(event.get(name) == value for name, value in step.fields.items())
    bare = {name: value for name, value in event.items() if name != "seq"}
    return any(one.items() <= bare.items() or bare.items() <= one.items() for one in step.events)


@pytest.mark.parametrize(("make", "preset", "seed"), CASES)
def test_every_event_of_a_legal_evening_is_offered(make: Callable[..., list[Json]], preset: str, seed: int) -> None:
    stacks = [300] if seed % 2 else None
    events = make(seed, preset=preset, seats=2 + seed % 3, hands=3, stacks=stacks, habits=habits_of(make))
    recording = read(events)
    house = desk.house_of(recording)
    for place in range(1, len(events)):
        event = events[place]
        if event["type"] in ANYWHERE:
            continue
        at = now(recording.events[:place], house)
        steps = expected(at, place)
        assert any(offers(step, event) for step in steps), (place, event, steps)


PAID = [
    *((bourre.evening, {"draw_fee": "ante_if_staying", "declaration": "two_rounds"}, seed) for seed in range(4)),
    *((bourre.evening, {"draw_fee": "ante_if_staying", "declaration": "one_round"}, seed) for seed in range(4)),
    *((bura.evening, {"raise_ladder": "to_6"}, seed) for seed in range(8)),
]


@pytest.mark.parametrize(("make", "options", "seed"), PAID)
def test_every_payment_of_another_house_is_offered(make: Callable[..., list[Json]], options: Json, seed: int) -> None:
    habits = bura.Habits(raises=0.6, moves=0, spoils=0, commits=0) if make is bura.evening else habits_of(make)
    preset = "bourre/louisiana@1" if make is bourre.evening else "bura/pagat-36@1"
    stacks = [60, 25, 300] if seed % 2 else None
    events = make(seed, preset=preset, options=options, seats=3, hands=4, stacks=stacks, habits=habits)
    recording = read(events)
    house = desk.house_of(recording)
    paid = [place for place, event in enumerate(events) if event.get("why") in ("draw_fee", "raise")]
    assert paid
    for place in paid:
        steps = expected(now(recording.events[:place], house), place)
        assert any(offers(step, events[place]) for step in steps), (place, events[place], steps)


@pytest.mark.parametrize(("make", "preset", "seed"), CASES[::2])
def test_what_is_due_and_ready_breaks_no_rule(make: Callable[..., list[Json]], preset: str, seed: int) -> None:
    events = make(seed, preset=preset, seats=3, hands=2, habits=habits_of(make))
    recording = read(events)
    house = desk.house_of(recording)
    for place in range(1, len(events), 3):
        at = now(recording.events[:place], house)
        for step in expected(at, place):
            if not step.due or not step.events or any("??" in one.get("cards", ()) for one in step.events):
                continue
            more = [{"seq": place + n, **one} for n, one in enumerate(step.events)]
            after = errors(now(read([*events[:place], *more]).events, house))
            assert after == errors(at), (place, step)


def errors(at: Now) -> int:
    return sum(finding.severity == "error" for finding in at.findings)


def test_a_card_that_breaks_a_duty_is_marked_before_it_is_laid() -> None:
    events: list[Json] = [
        {"type": "recording_began", "format": "razbor/1", "game": "bourre", "rules": {"preset": "bourre/classic@1"},
         "seats": ["A", "B"]},
        {"type": "stake_set", "amount": 1, "seat": 2},
        {"type": "hand_began", "hand": 1, "dealer": 2},
        *({"type": "staked", "seat": seat, "amount": 1, "why": "ante"} for seat in (1, 2)),
        {"type": "dealt", "seat": 1, "cards": ["9s", "2s", "3d", "4d", "5d"]},
        {"type": "dealt", "seat": 2, "cards": ["Ks", "3s", "Ah", "7c", "8c"]},
        {"type": "trump_turned", "card": "Th"},
        *({"type": "stayed", "seat": seat} for seat in (1, 2)),
        {"type": "played", "seat": 1, "cards": ["9s"], "face": "up"},
    ]  # fmt: skip
    recording = read([{"seq": seq, **event} for seq, event in enumerate(events)])
    at = now(recording.events, desk.house_of(recording))
    (step,) = [step for step in expected(at, len(events)) if step.kind == "played"]
    assert unlawful(at.table, step) == {"3s", "Ah", "7c", "8c"}
    assert used(at.table, step) >= {"9s", "Th", "2d"}
    assert not used(at.table, step) & {"Ks", "3s", "Ah", "7c", "8c"}


def test_after_a_declared_bura_no_opening_is_offered() -> None:
    tricks = ("up 1 As Ks", "up 2 Td Jd", "draw 1 Ad 6d", "draw 2 9c Jc")
    deal = ("deal 1 As Ks Ts", "deal 2 8c Td Jd", "turn 7c")
    for words, kinds in (((), {"opened", "played"}), (("bura 2",), {"pot_taken"})):
        recording = read(made(*START, *deal, *tricks, *words, preset="bura/pagat-36@1", closed=False))
        steps = expected(now(recording.events, desk.house_of(recording)), len(recording.events))
        assert {step.kind for step in steps} & {"opened", "played", "pot_taken"} == kinds
