"""The report's shape: keys in their order, integers or null, findings by seq and then by registry (`report.md` 4)."""

import json
from typing import Any

import pytest
from hypothesis import given, settings

from replay import desk
from replay.engine.findings import ORDER, Code, Severity, severity_of
from tests.walks.bura import Json, to_bytes
from tests.walks.drawn import walks
from tests.walks.script import START, told, verified

KEYS = ["format", "engine", "recording", "verdict", "findings", "hands", "balances"]
RECORDING = ["digest", "id", "game", "rules", "options", "rules_digest", "view", "events", "hands", "complete"]
FINDING = ["code", "severity", "seq", "hand", "seat", "recorded", "expected", "rule", "shaken"]
HAND = ["hand", "dealer", "trump", "pot_before", "pot", "pot_after", "reason", "takers", "tricks", "seats"]
TRICK = ["trick", "leader", "taker", "seqs", "points"]
SEAT = ["points", "net_recorded", "net_due"]


def assert_shaped(report: Json) -> None:
    assert list(report) == KEYS
    assert list(report["recording"]) == RECORDING
    assert report["recording"]["id"] == report["recording"]["digest"][:16]
    for finding in report["findings"]:
        assert list(finding) == FINDING
        assert finding["code"] in list(Code)
    order = [(finding["seq"], ORDER[Code(finding["code"])]) for finding in report["findings"]]
    assert order == sorted(order)
    for hand in report["hands"]:
        assert list(hand) == HAND
        for trick in hand["tricks"]:
            assert list(trick) == TRICK
            assert_range(trick["points"])
        for seat in hand["seats"].values():
            assert list(seat) == SEAT
            assert_range(seat["points"])
    assert_no_floats(report)


def assert_range(points: dict[str, int | None]) -> None:
    low, high = points["low"], points["high"]
    assert (low is None and high is None) or (low is not None and high is not None and 0 <= low <= high <= 120)


def assert_no_floats(value: Any) -> None:
    if isinstance(value, dict):
        assert all(isinstance(key, str) for key in value)
        for each in value.values():
            assert_no_floats(each)
    elif isinstance(value, list | tuple):
        for each in value:
            assert_no_floats(each)
    else:
        assert value is None or isinstance(value, str | int)


@settings(max_examples=30)
@given(walks(most_hands=2))
def test_every_view_of_every_evening_has_the_same_shape(events: list[Json]) -> None:
    for view in ("full", "public", "seat:1"):
        report = desk.verify(to_bytes(events), view=view)
        assert_shaped(report)
        assert report == json.loads(json.dumps(report))
        assert report["recording"]["view"] == view
        assert report["recording"]["hands"] == len(report["hands"])


def test_points_of_a_trick_with_unseen_cards_are_bounds_and_not_negative() -> None:
    lines = (*START, "deal 1 As Ks Ts", "deal 2 ?? ?? ??", "turn 6c", "up 1 As Ks Ts", "down 2 ?? ?? ??")
    report = verified(*lines, "end abandoned")
    assert report["hands"][0]["tricks"][0]["points"] == {"low": 25, "high": 25 + 3 * 11}
    assert_shaped(report)


def test_after_an_unseen_stretch_points_are_null() -> None:
    lines = (*START, "deal 1 As Ks Ts", "deal 2 Td Qh 9h", "turn 6c", "up 1 As", "down 2 ??", "unseen", "end opened")
    report = verified(*lines)
    assert_shaped(report)
    assert report["hands"][0]["seats"]["1"]["points"] == {"low": None, "high": None}


def test_what_cannot_be_shakes_the_rest_of_its_hand_only() -> None:
    first = (*START, "deal 1 As Ks Ts", "deal 2 Td Qh 9h", "turn 6c", "up 1 Ad", "up 2 9h", "end abandoned")
    second = ("hand 2 2", "deal 1 As Ks Ts", "deal 2 Td Qh 9h", "turn 6c", "up 1 As Td")
    report = verified(*first, *second, closed=False)
    shaken = [(finding["seq"], finding["shaken"]) for finding in report["findings"] if finding["severity"] == "error"]
    assert shaken[0] == (8, False)
    assert all(flag is False for seq, flag in shaken if seq > 11 and seq < 15)


DEALT = (*START, "deal 1 As Ks Ts", "deal 2 Td Qh 9h", "turn 6c")


@pytest.mark.parametrize(
    ("lines", "shakes"),
    [
        (("up 2 As",), True),  # leads what another holds
        (("up 1 Ad",), True),
        (("deal 1 As Ks Ts",), True),  # dealt once more
        (("three_aces 1 As Ah Ad",), True),
        (("lack 2s",), True),
        (("up 1 As", "down 2 9h", "draw 1 Ks"), True),  # draws what it holds
        (("up 1 As", "down 2 9h", "draw 2 Td"), True),
        (("up 2 Td",), False),  # a breach, but the card was there
        (("bura 1",), False),
    ],
)
def test_what_stands_after_a_card_that_cannot_be_is_shaken(lines: tuple[str, ...], shakes: bool) -> None:
    report = verified(*DEALT, *lines, "pot_counted 99", "end abandoned", "hand 2 2", "pot_counted 98")
    counted = [each["shaken"] for each in report["findings"] if each["code"] == "table/pot-miscounted"]
    assert counted == [shakes, False]


@pytest.mark.parametrize(
    ("lines", "verdict"),
    [
        (("end misdeal",), "verified"),
        (("deal 1 As Ks Ts", "deal 2 Td Qh 9h", "turn 6c", "up 1 As", "end opened"), "refuted"),
        (("unseen", "end misdeal"), "undecided"),
    ],
)
def test_the_verdict_is_the_gravest_finding(lines: tuple[str, ...], verdict: str) -> None:
    report = verified(*START, *lines)
    assert report["verdict"] == verdict
    assert desk.exit_code(report) == {"verified": 0, "refuted": 1, "undecided": 4}[verdict]


def test_the_registry_knows_the_severity_of_every_code() -> None:
    assert len(ORDER) == len(Code)
    doubts = {code for code in Code if severity_of(code) is Severity.DOUBT}
    assert doubts == {Code.UNKNOWN_CARD, Code.RULE_UNRECORDED}


def test_too_many_seats_is_told_once_at_the_header_or_at_the_hand() -> None:
    assert told(verified(*START, "end misdeal", seats=3, options={"seats_max": 2}))[0] == (0, "too-many-seats")
    joined = (*START, "end misdeal", "joined 3 Вера", "hand 2 2")
    dealt = ("deal 3 9s 8s 7s", "deal 1 As Ks Ts", "deal 2 Td Qh 9h", "turn 6c")
    report = verified(*joined, *dealt, closed=False, options={"seats_max": 2, "join_pot": "free"})
    assert told(report) == [(7, "too-many-seats")]
