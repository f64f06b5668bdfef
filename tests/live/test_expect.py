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


HOUSES = [
    *((bura.evening, "bura/classic-36@1", {}, seed) for seed in range(4)),
    (bura.evening, "bura/classic-36@1", {"hand_size": 5}, 1),
    (bura.evening, "bura/classic-36@1", {"open_window": "both_after_trick", "join_pot": "share"}, 2),
    *((bura.evening, "bura/pagat-36@1", {"raise_ladder": "to_6"}, seed) for seed in range(3)),
    *((bura.evening, "bura/georgian-20@1", {}, seed) for seed in range(4)),
    *((bourre.evening, "bourre/classic@1", {}, seed) for seed in range(4)),
    *((bourre.evening, "bourre/hoyle@1", {}, seed) for seed in range(2)),
    *((bourre.evening, "bourre/louisiana@1", {"draw_fee": "ante_if_staying"}, seed) for seed in range(4)),
]
PAID_LATER = {"table/missing-stake", "table/missing-payout", "table/wrong-dealer"}
"""Who goes on lacks what is due before; and a wrong dealer may sit out yet."""


@pytest.mark.parametrize(("make", "preset", "options", "seed"), HOUSES)
def test_what_may_be_recorded_as_it_stands_breaks_no_rule(
    make: Callable[..., list[Json]], preset: str, options: Json, seed: int
) -> None:
    habits = bura.Habits(commits=0) if make is bura.evening else bourre.Habits(commits=0)
    stacks = [40] if seed % 2 else None
    events = make(seed, preset=preset, options=options, seats=2 + seed % 3, hands=3, stacks=stacks, habits=habits)
    house = desk.house_of(read(events))
    for place in range(1 + seed % 5, len(events), 5):
        at = now(read(events[:place]).events, house)
        before = {(each.seq, each.code) for each in at.findings}
        for step in expected(at, place):
            more = [{"seq": place + n, **one} for n, one in enumerate(step.events) if step.kind != "recording_ended"]
            after = now(read([*events[:place], *more]).events, house)
            told = {
                each.code for each in after.findings if each.severity == "error" and (each.seq, each.code) not in before
            }
            assert told <= (set() if step.due and step.joined else PAID_LATER), (place, step)


def offered(*lines: str | Json, **how: Any) -> tuple[Step, ...]:
    recording = read(made(*lines, closed=False, **how))
    return expected(now(recording.events, desk.house_of(recording)), len(recording.events))


def bourre_offered(events: list[Json], **options: Any) -> tuple[Step, ...]:
    header = {"format": "razbor/1", "game": "bourre", "rules": {"preset": "bourre/classic@1", "options": options}}
    began = {"seq": 0, "type": "recording_began", **header, "seats": ["A", "B", "C"]}
    recording = read([began, *({"seq": seq, **event} for seq, event in enumerate(events, 1))])
    return expected(now(recording.events, desk.house_of(recording)), len(recording.events))


def due(steps: tuple[Step, ...]) -> list[tuple[str, int]]:
    return [(step.kind, step.seat) for step in steps if step.due]


def ready(steps: tuple[Step, ...], kind: str) -> list[Json]:
    return [dict(one) for step in steps for one in step.events if step.kind == kind]


def test_a_dealer_who_must_stay_is_not_offered_to_fold() -> None:
    """`dealer_stays_on_ace`: the dealer may not fold when the turned card is an ace (`rules.md` 5)."""
    hands = ("9s 2s 3d 4d 5d", "Ks 3s Ah 7c 8c", "Qs Js Ts 6h 7h")
    events: list[Json] = [
        {"type": "stake_set", "amount": 1, "seat": 3},
        {"type": "hand_began", "hand": 1, "dealer": 3},
        *({"type": "staked", "seat": seat, "amount": 1, "why": "ante"} for seat in (1, 2, 3)),
        *({"type": "dealt", "seat": seat, "cards": cards.split()} for seat, cards in enumerate(hands, 1)),
        {"type": "trump_turned", "card": "Ad"},
        {"type": "stayed", "seat": 1},
    ]
    second = {"type": "stayed", "seat": 2}
    assert due(bourre_offered(events, dealer_stays_on_ace=True)) == [("stayed", 2), ("folded", 2)]
    assert due(bourre_offered([*events, second], dealer_stays_on_ace=True)) == [("stayed", 3)]
    assert due(bourre_offered([*events, second], dealer_stays_on_ace=False)) == [("stayed", 3), ("folded", 3)]


def test_who_has_set_the_first_ante_is_offered_as_dealer() -> None:
    """The dealer sets the ante of his hand (`bourre.3`); before that anybody may deal: by lot (`bourre.2`)."""
    assert [one["dealer"] for one in ready(bourre_offered([]), "hand_began")] == [1, 2, 3]
    steps = bourre_offered([{"type": "stake_set", "amount": 1, "seat": 2}])
    assert ready(steps, "hand_began") == [{"type": "hand_began", "hand": 1, "dealer": 2}]
    assert due(steps) == [("hand_began", 0)]


def test_a_hand_that_is_decided_may_not_be_given_up() -> None:
    deal = ("deal 1 Ac Kc Tc", "deal 2 8d Td Jd", "turn 7c")
    kinds = {one["reason"] for one in ready(offered(*START, *deal), "hand_ended")}
    assert kinds == {"misdeal"}
    assert {one["reason"] for one in ready(offered(*START, *deal, "bura 1"), "hand_ended")} == {"bura"}
    assert {one["reason"] for one in ready(offered(*START, *deal, "up 1 Ac"), "hand_ended")} == {"abandoned"}


def test_of_a_stretch_that_was_not_seen_only_the_end_is_offered() -> None:
    assert [dict(one) for step in offered(*START, "unseen") for one in step.events] == [
        {"type": "hand_ended", "reason": "abandoned"}
    ]


def test_before_the_deal_antes_debts_and_who_sits_out_are_offered() -> None:
    lines = ("stake_set 10", "hand 1 3", "ante 1 10")
    steps = offered(*lines, seats=3)
    antes = [{"type": "staked", "seat": seat, "amount": 10, "why": "ante"} for seat in (2, 3)]
    assert ready(steps, "antes") == antes
    assert ready(steps, "staked") == antes
    assert [one["seat"] for one in ready(steps, "sat_out")] == [2, 3]
    assert [step.least for step in steps if step.kind == "dealt"] == [3]
    assert not ready(offered(*START[:3]), "sat_out")
    broke = ("deal 1 As Ks Ts", "deal 2 Td Qh 9h", "turn 6c", "up 1 Ks", "down 2 9h", "opened 1", "failed_open 1 5")
    owing = offered(*START, *broke, "end failed_open", "chips_bought 1 9", "hand 2 1", stacks=[15, 90])
    assert ready(owing, "staked") == [{"type": "staked", "seat": 1, "amount": 9, "why": "debt"}]


def test_an_ante_that_nobody_has_set_is_asked_for() -> None:
    steps = offered("hand 1 2")
    assert due(steps) == [("stake_set", 0)]
    assert {step.kind for step in steps} >= {"dealt", "deal_unseen"}
    assert [(step.kind, step.seat, step.asks) for step in steps if step.asks == "amount"] == [
        ("stake_set", 0, "amount"),
        ("staked", 1, "amount"),
    ]


@pytest.mark.parametrize(("said", "failed"), [((), False), (("counted 1 31",), False), (("counted 1 30",), True)])
def test_where_unseen_cards_leave_an_opening_open_both_ends_are_offered(said: tuple[str, ...], failed: bool) -> None:
    """31 takes the pot, less adds as much as it holds (`bura.12`); what was counted aloud says which is due."""
    lines = (*START, "deal 1 As Ks Ts", "deal 2 ?? ?? ??", "turn 6c", "up 1 As Ks Ts", "down 2 ?? ?? ??", "opened 1")
    (step,) = [step for step in offered(*lines, *said) if step.kind == "settle_failed"]
    assert [dict(one) for one in step.events] == [
        {"type": "staked", "seat": 1, "amount": 20, "why": "failed_open"},
        {"type": "hand_ended", "reason": "failed_open"},
    ]
    assert step.due == failed
    assert bool(said) != any(step.kind == "counted" for step in offered(*lines, *said))
    others = offered(*lines, *said, options={"failed_open": "pot_to_others"})
    assert not [step for step in others if step.kind == "settle_failed"]


def test_a_pile_that_is_known_leaves_one_end() -> None:
    deal = (*START, "deal 1 As Ks Ts", "deal 2 Td Qh 9h", "turn 6c", "up 1 As Ks Ts", "down 2 Td Qh 9h", "opened 1")
    steps = offered(*deal)
    assert ready(steps, "counted") == [{"type": "counted", "seat": 1, "points": 38}]
    assert ready(steps, "settle") == [
        {"type": "pot_taken", "seat": 1, "amount": 20},
        {"type": "hand_ended", "reason": "opened"},
    ]
    assert not ready(steps, "settle_failed")


def test_the_turn_up_is_named_in_the_draw_that_takes_it() -> None:
    """It lies under the stock and is its last card (`bura.5`): the pad knows who draws it."""
    deal = (*START, "deal 1 As Ks Ts", "deal 2 Td Qd Jd", "turn Jc", "up 1 As Ks Ts", "down 2 Td Qd Jd")
    few = {"options": {"pack": 20}}
    drawn = (
        "draw 1 ?? ?? ??",
        "draw 2 ?? ?? ??",
        "up 1 ?? ?? ??",
        "down 2 ?? ?? ??",
        "draw 1 ?? ?? ??",
        "draw 2 ?? ?? ??",
    )
    (first,) = [step for step in offered(*deal, **few) if step.kind == "draw_unseen"]
    assert [one["cards"] for one in first.events] == [["??"] * 3] * 2
    last = (*deal, *drawn, "up 1 ??", "down 2 ??")
    (step,) = [step for step in offered(*last, **few) if step.kind == "draw_unseen"]
    assert [one["cards"] for one in step.events] == [["??"], ["Jc"]]
