"""Random legal evenings of Bourré under every option value: no finding, no chip lost; and what must not go unseen."""

import random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from recorder import intake
from replay import desk
from replay.audit.fold import Fold
from schemas.events import Recording
from tests.engine.bourre.drawn import ALL_VALUES, OPTIONS, PRESETS, walks
from tests.engine.bourre.walks import Evening, Habits, Json, evening, walk
from tests.walks.bura import to_bytes
from tests.walks.drawn import renumbered
from tests.walks.noise import Noise, scrambled

QUIET = {"table/debt-open", "table/pot-left"}
"""Notes that a legal evening may end with."""
UNDER_OATH = ("bourre/classic@1", "bourre/hoyle@1", "bourre/louisiana@1")
"""Presets whose duties do not hang on what a seat threw away unseen."""


def told(events: list[Json], **how: Any) -> Json:
    result = desk.verify(to_bytes(events), **how)
    assert result["format"] == "razbor-report/1", result
    return result


def loud(result: Json) -> list[Json]:
    return [finding for finding in result["findings"] if finding["code"] not in QUIET]


def assert_clean(events: list[Json], **how: Any) -> Json:
    result = told(events, **how)
    assert not loud(result), (events[0], loud(result))
    assert result["balances"]["recorded"] == result["balances"]["due"]
    for hand in result["hands"]:
        assert all(seat["net_recorded"] == seat["net_due"] for seat in hand["seats"].values())
    return result


@settings(max_examples=120)
@given(walks())
def test_a_legal_evening_gives_no_finding(played: Evening) -> None:
    assert_clean(played.events)


@pytest.mark.soak
@settings(max_examples=20_000)
@given(walks(most_hands=12))
def test_a_great_many_legal_evenings_give_no_finding(played: Evening) -> None:
    assert_clean(played.events)


@pytest.mark.parametrize(("name", "value"), ALL_VALUES, ids=str)
def test_every_value_of_every_option_is_walked(name: str, value: Any) -> None:
    for seed, preset in enumerate(PRESETS):
        for seats in (3, 5, 8):
            assert_clean(evening(seed, preset=preset, options={name: value}, seats=seats, hands=3))


@settings(max_examples=60)
@given(walks())
def test_chips_are_conserved_at_every_step(played: Evening) -> None:
    recording = intake.read(to_bytes(played.events))
    assert isinstance(recording, Recording)
    fold = Fold(recording.events, desk.house_of(recording))
    for event in recording.events[1:]:
        fold.table.step(event)
        assert fold.table.conserved()


@settings(max_examples=80)
@given(walks(Habits(spoils=0)))
def test_a_public_record_of_whole_hands_is_as_good_as_a_full_one(played: Evening) -> None:
    full = told(played.events)
    for view in ("public", "seat:1"):
        seen = assert_clean(played.events, view=view)
        assert (seen["hands"], seen["balances"]) == (full["hands"], full["balances"])


@settings(max_examples=60)
@given(walks(Habits(spoils=0, reneges=0.3, strong=0.4)))
def test_every_broken_duty_is_told_with_the_cards_that_were_right(played: Evening) -> None:
    found = [(each["seq"], each["seat"], each["code"], each["expected"]) for each in loud(told(played.events))]
    assert found == [(each.seq, each.seat, each.code, each.right) for each in played.breaches]


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.sampled_from(UNDER_OATH), st.integers(2, 8))
def test_the_plays_alone_prove_every_renege(seed: int, preset: str, seats: int) -> None:
    habits = Habits(spoils=0, reneges=0.3, strong=0.4)
    played = walk(seed, preset=preset, options={"trump_card": "extra"}, seats=seats, habits=habits)
    found = [
        (each["seq"], each["code"], each["expected"], each["recorded"]["proved_by"])
        for each in loud(told(played.events, view="public"))
    ]
    assert found == [(each.seq, each.code, each.right, each.proved_by) for each in played.breaches]


@settings(max_examples=40)
@given(st.integers(0, 2**32), st.sampled_from(["free", "must"]), st.sampled_from(["one_round", "two_rounds"]))
def test_seats_that_draw_short_from_an_empty_stock_play_with_what_they_have(
    seed: int, overtrump: str, declaration: str
) -> None:
    """`recycle=none`: the seat draws what is left, if anything, and has no turn in a trick when its cards are gone."""
    options = {"recycle": "none", "max_draw": 5, "overtrump": overtrump, "declaration": declaration}
    habits = Habits(folds=0.02, draws=0.98, spoils=0, moves=0, commits=0.3, tells=0.8, reneges=0.1)
    played = walk(seed, options=options, seats=7, hands=2, habits=habits)
    for view in ("full", "public"):
        found = [(each["seq"], each["code"]) for each in loud(told(played.events, view=view))]
        assert found == [(each.seq, each.code) for each in played.breaches]


@pytest.mark.parametrize("seed", range(10))
def test_a_fold_in_the_middle_of_play_is_one_breach_where_the_seat_plays_on(seed: int) -> None:
    """The fold was none: whoever lays cards after it is in. (Who lays the hand's very last card has folded by then.)"""
    habits = Habits(folds=0.1, spoils=0, moves=0, commits=0, tells=seed % 2)
    events = evening(seed, seats=3 + seed % 2, hands=1, habits=habits)
    plays = [at for at, event in enumerate(events) if event["type"] == "played"]
    seats = {events[at]["seat"] for at in plays}
    for at in range(plays[0] + 1, plays[-1] + 1) if len(seats) > 2 else ():
        for seat in sorted(seats & {events[later]["seat"] for later in plays if later >= at}):
            if seat == events[plays[-1]]["seat"]:
                continue
            made = [*events[:at], {"type": "folded", "seat": seat}, *events[at:]]
            report = told(renumbered(made))
            assert [(each["seq"], each["code"]) for each in loud(report)] == [(at, "bourre/folded-late")]


def hidden(events: list[Json], seed: int, share: float) -> list[Json]:
    """The record with some cards seen by half or not at all."""
    rng = random.Random(seed)
    partly: list[Json] = []
    for event in map(dict, events):
        if event["type"] in ("dealt", "drew", "discarded", "played"):
            event["cards"] = [
                rng.choice(["??", "??", "?" + card[1], card[0] + "?"]) if rng.random() < share else card
                for card in event["cards"]
            ]
        elif event["type"] == "stock_recycled":
            event.pop("cards", None)
        partly.append(event)
    return partly


def errors(result: Json) -> set[tuple[int, str]]:
    """Seq and code; of a card that breaks a duty for sure it may be open which."""
    found = [each for each in result["findings"] if each["severity"] == "error"]
    return {(each["seq"], "duty" if "did-not" in each["code"] else each["code"]) for each in found}


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(UNDER_OATH), st.integers(2, 7), st.sampled_from([0.05, 0.2, 0.5]))
def test_what_is_not_seen_neither_convicts_nor_acquits(seed: int, preset: str, seats: int, share: float) -> None:
    habits = Habits(spoils=0.3, moves=0, commits=0, reneges=0.2)
    played = walk(seed, preset=preset, seats=seats, hands=1, habits=habits)
    full, part = told(played.events), told(hidden(played.events, seed, share))
    doubts = {each["seq"] for each in part["findings"] if each["severity"] == "doubt"}
    assert errors(part) <= errors(full), "an error is true whatever the unseen cards were"
    assert all(seq in doubts for seq, _ in errors(full) - errors(part)), "what may be wrong is told as doubt"
    for seen, true in zip(part["hands"], full["hands"], strict=True):
        for name in ("pot", "pot_after", "reason", "takers"):
            assert seen[name] in (None, true[name])


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.integers(2, 7))
def test_one_unseen_card_of_a_hand_leaves_nothing_open(seed: int, seats: int) -> None:
    played = walk(seed, seats=seats, hands=2, habits=Habits(spoils=0, moves=0, reneges=0.2))
    rng = random.Random(seed)
    spared: set[int] = set()
    part: list[Json] = []
    for event in map(dict, played.events):
        if event["type"] == "hand_began":
            spared = set()
        if event["type"] == "played" and event["seat"] not in spared and rng.random() < 0.3:
            spared.add(event["seat"])
            event["cards"] = ["??"]
        part.append(event)
    full, seen = told(played.events), told(part)
    assert seen["hands"] == full["hands"]
    assert [(each["seq"], each["code"], each["expected"]) for each in seen["findings"]] == [
        (each["seq"], each["code"], each["expected"]) for each in full["findings"]
    ]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_rules_nobody_wrote_down_make_doubts_and_no_errors(data: st.DataObject) -> None:
    names = sorted(set(OPTIONS) - {"max_ante", "pot_limit", "max_draw", "seats_max"})
    played = data.draw(walks(presets=UNDER_OATH))
    options = played.events[0]["rules"]["options"]
    assume(options.get("lead_duty") != "cinch")
    forgotten = data.draw(st.lists(st.sampled_from(names), unique=True, min_size=1, max_size=6))
    options.update(dict.fromkeys(forgotten, "unrecorded"))
    result = told(played.events)
    heard = [each for each in loud(result) if each["code"] != "table/carry-disputed"]
    assert {each["severity"] for each in heard} <= {"doubt"}, "of two sums, by two rules, the note says which was used"


SEVEN: Json = {"seats": 7, "hands": 50, "habits": Habits(moves=0, spoils=0.03, folds=0.6, tells=0.8)}


def test_seven_seats_and_fifty_hands_with_carry() -> None:
    result = assert_clean(evening(0, **SEVEN))
    assert len(result["hands"]) == 50
    assert sum(hand["pot_before"] > 0 for hand in result["hands"]) > 20


@pytest.mark.parametrize("share", [4, pytest.param(1, marks=[pytest.mark.soak, pytest.mark.timeout(0)])])
def test_one_changed_amount_is_found_at_its_event_and_the_hands_after_it_are_judged(share: int) -> None:
    """Every amount in the soak, otherwise a share of those of each type."""
    events = evening(0, **SEVEN)
    whole, rng = told(events), random.Random(7)
    amounts = [at for at, event in enumerate(events) if "amount" in event]
    for at in sorted(amounts, key=lambda at: (events[at]["type"], at))[::share]:
        changed = [dict(event) for event in events]
        changed[at]["amount"] += rng.choice([1, 5, -1]) if changed[at]["amount"] > 1 else 1
        result = told(changed)
        wrong = [each for each in result["findings"] if each["severity"] == "error"]
        if events[at]["type"] == "stake_set":  # what the dealer set is right by itself: the first ante is not
            first = next(later for later in range(at, len(events)) if events[later]["type"] == "staked")
            assert (wrong[0]["seq"], wrong[0]["code"]) == (first, "table/wrong-stake")
            assert [hand["reason"] for hand in result["hands"]] == [hand["reason"] for hand in whole["hands"]]
            continue
        assert wrong[0]["seq"] == at, (events[at], wrong[:2])
        assert {each["code"] for each in wrong[1:]} <= {"table/stack-miscounted"}
        assert [hand["reason"] for hand in result["hands"]] == [hand["reason"] for hand in whole["hands"]]


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(PRESETS), st.integers(2, 8), st.sampled_from([0.03, 0.2, 0.6]))
def test_whatever_stands_in_a_record_is_judged_and_never_raises(
    seed: int, preset: str, seats: int, share: float
) -> None:
    events = evening(seed, preset=preset, seats=seats, hands=2)
    noise = Noise(seed, "bourre", len(events[0]["seats"]), unseen=0.2)
    result = desk.verify(to_bytes(scrambled(events, noise, share)))
    assert result["format"] in ("razbor-report/1", "razbor-refusal/1")


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 8))
def test_any_events_in_any_order_never_raise(seed: int, seats: int) -> None:
    noise, events = Noise(seed, "bourre", seats, unseen=0.3), evening(seed, seats=seats, hands=1)[:1]
    for _ in range(80):
        faced = [each for each in events if each["type"] in ("dealt", "played", "drew")]
        events.append({**noise.event(faced), "seq": len(events)})
    result = desk.verify(to_bytes(events))
    assert result["format"] in ("razbor-report/1", "razbor-refusal/1")
