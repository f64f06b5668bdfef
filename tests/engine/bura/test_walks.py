"""Random legal evenings under every option value: no finding, no chip and no card lost, no seat preferred."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recorder import intake
from replay import desk
from replay.audit.fold import Fold
from replay.audit.report import audit, report
from replay.engine.bura.state import ANSWERING, LEADING, TAKEN
from schemas.events import Recording
from tests.walks.bura import Habits, Json, to_bytes
from tests.walks.drawn import ALL_VALUES, PRESETS, rotated, walk, walks

QUIET = {"table/debt-open", "table/pot-left"}
"""Notes that a legal evening may end with."""


def told(events: list[Json]) -> Json:
    result = desk.verify(to_bytes(events))
    assert result["format"] == "razbor-report/1", result
    return result


def assert_clean(events: list[Json]) -> Json:
    result = told(events)
    loud = [finding for finding in result["findings"] if finding["code"] not in QUIET]
    assert not loud, (events[0], loud)
    assert result["verdict"] == "verified"
    assert result["balances"]["recorded"] == result["balances"]["due"]
    for hand in result["hands"]:
        assert all(seat["net_recorded"] == seat["net_due"] for seat in hand["seats"].values())
    return result


def recording_of(events: list[Json]) -> Recording:
    recording = intake.read(to_bytes(events))
    assert isinstance(recording, Recording)
    return recording


@settings(max_examples=250)
@given(walks())
def test_a_legal_evening_gives_no_finding(events: list[Json]) -> None:
    assert_clean(events)


@pytest.mark.soak
@settings(max_examples=20_000)
@given(walks(most_hands=12))
def test_a_great_many_legal_evenings_give_no_finding(events: list[Json]) -> None:
    assert_clean(events)


@pytest.mark.parametrize(("name", "value"), ALL_VALUES, ids=str)
def test_every_value_of_every_option_is_walked(name: str, value: Any) -> None:
    for seed in range(8):
        for preset in PRESETS:
            assert_clean(walk(seed, preset, {name: value}, seats=2 + seed % 5, hands=2))


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("pack", [32, 36])
def test_short_stocks_and_uneven_hands_are_walked_to_their_last_card(seats: int, pack: int) -> None:
    patient = Habits(opens=0, bluffs=0, spoils=0, declares=0.2)
    for seed in range(6):
        for style in ("round_robin", "fill_each"):
            events = walk(seed, f"bura/classic-{pack}@1", {"draw_style": style}, seats=seats, hands=2, habits=patient)
            result = assert_clean(events)
            assert {hand["reason"] for hand in result["hands"]} <= {"razburka", "bura"}


@settings(max_examples=80)
@given(walks(most_hands=2))
def test_chips_and_cards_are_conserved_at_every_step(events: list[Json]) -> None:
    recording = recording_of(events)
    table = Fold(recording.events, desk.house_of(recording)).table
    for event in recording.events[1:]:
        table.step(event)
        assert table.conserved()
        assert sum(table.stack) + table.pot == table.total
        aside = table.rules.short_stock == "set_aside" and not table.stock
        if table.phase in (LEADING, ANSWERING, TAKEN) and not aside:
            assert cards_of(table) == table.rules.pack - table.barred


def cards_of(table: Any) -> int:
    """Cards that lie somewhere: in hands, piles, the trick in hand, the stock, or turned up beside it."""
    piles = sum(mask.bit_count() for mask in table.pile_cards) + sum(table.pile_blank)
    trick = (table.trick_cards.bit_count() + table.trick_blank) if table.phase == ANSWERING else 0
    beside = 0 if table.rules.turnup == "last_of_stock" else 1
    return int(sum(each.size for each in table.held) + piles + trick + table.stock + beside)


STILL = Habits(moves=0)


@settings(max_examples=80)
@given(walks(habits=STILL), st.integers(1, 5))
def test_moving_everybody_on_by_some_chairs_moves_the_report(events: list[Json], by: int) -> None:
    seats = len(events[0]["seats"])
    plain, turned = told(events), told(rotated(events, by, seats))

    def moved(seat: int | None) -> int | None:
        return None if seat is None else (seat - 1 + by) % seats + 1

    for one, other in zip(plain["hands"], turned["hands"], strict=True):
        assert [moved(seat) for seat in one["takers"]] == other["takers"]
        assert {str(moved(int(seat))): row for seat, row in one["seats"].items()} == other["seats"]
        assert {key: one[key] for key in ("pot", "pot_after", "reason")} == {
            key: other[key] for key in ("pot", "pot_after", "reason")
        }
    assert {str(moved(int(s))): chips for s, chips in plain["balances"]["due"].items()} == turned["balances"]["due"]
    assert plain["verdict"] == turned["verdict"]


@settings(max_examples=25)
@given(walks(most_hands=2))
def test_the_report_is_the_same_bytes_the_second_time(events: list[Json]) -> None:
    recording = recording_of(events)
    house = desk.house_of(recording)
    once, twice = (json.dumps(report(audit(recording, house)), ensure_ascii=False) for _ in range(2))
    assert once == twice == json.dumps(desk.verify(to_bytes(events)), ensure_ascii=False)
