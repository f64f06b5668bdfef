"""A play that was forgotten and put in later is judged as if it had been written in its place (`record.md` 3.1)."""

import json
from typing import Any

import pytest

from recorder import intake
from replay import desk
from replay.audit.clocks import course
from replay.audit.dispute import Moment
from schemas.events import Recording
from tests.audit.test_dispute_facts import THREE, _first_trick
from tests.check_cases import recording_path
from tests.engine.bourre.hands import Script
from tests.walks.bura import Json, to_bytes
from tests.walks.script import START, made

PLACES = frozenset({"seq", "at", "proved_by", "possibly", "surely", "entitled_at", "opened_at"})
"""Fields of a dispute that hold the number of an event."""
TURNS = made(*START, *THREE, options={"open_window": "own_turn"})
_UNSEEN: list[Json] = [
    {**event, "cards": ["??"] * len(event["cards"])} if event["type"] == "dealt" and event["seat"] == 3 else event
    for event in _first_trick("head_duty", "6h")
]
_DEALT = next(event for event in _first_trick("head_duty", "6h") if event["type"] == "dealt" and event["seat"] == 3)
SHOWN = [*_UNSEEN, {"seq": len(_UNSEEN), "type": "revealed", "of": _DEALT["seq"], "cards": _DEALT["cards"]}]


def case(name: str) -> list[Json]:
    return [json.loads(line) for line in recording_path(name).read_bytes().splitlines()]


def _proved() -> list[Json]:
    """Nobody saw what was dealt; that the club does not follow only the next play shows."""
    script = Script(2)
    script.deal("?? ?? ?? ?? ??/?? ?? ?? ?? ??", "2d")
    script.say("1+ 2+")
    script.play("1Ah 23c 1Kh 24h 1Qh 25h")
    return script.events


def put_in_later(events: list[Json], seq: int) -> tuple[list[Json], int]:
    """The same recording with one event struck and put in again where it stood; and the number it bears then."""
    now = len(events) + 1
    event = {name: value for name, value in events[seq].items() if name != "seq"}
    struck = {"seq": now - 1, "type": "corrected", "of": seq, "event": None, "reason": "forgotten"}
    return [*events, struck, {"seq": now, "type": "inserted", "after": seq, "event": event, "reason": "forgotten"}], now


def numbered(value: Any, now: int, then: int, name: str = "") -> Any:
    if isinstance(value, dict):
        return {key: numbered(each, now, then, key) for key, each in value.items() if key != "recording"}
    if isinstance(value, list):
        return [numbered(each, now, then, name) for each in value]
    return then if name in PLACES and value == now else value


@pytest.mark.parametrize(
    "events",
    [case("bura/rule-two-hold-31"), TURNS, case("bourre/head-with-queen-only"), _proved(), SHOWN],
    ids=["clocks", "own-turn", "duties", "proof", "reveal"],
)
def test_a_play_put_in_later_is_disputed_in_its_place(events: list[Json]) -> None:
    before = numbered(desk.dispute(to_bytes(events), hand=1), -1, -1)
    for event in events:
        if event["type"] == "played":
            amended, now = put_in_later(events, event["seq"])
            assert numbered(desk.dispute(to_bytes(amended), hand=1), now, event["seq"]) == before


@pytest.mark.parametrize("events", [case("bura/rule-two-hold-31"), TURNS], ids=["opened", "turns"])
def test_a_play_put_in_later_moves_no_other_event(events: list[Json]) -> None:
    """What had ended when an event came is told by where both stand, not by their numbers."""

    def ended(events: list[Json]) -> list[list[int]]:
        recording = intake.read(to_bytes(events))
        assert isinstance(recording, Recording)
        found = course(recording, desk.house_of(recording), Moment(1))
        return [[row.trick for row in found.ended(event["seq"])] for event in others]

    for put in [event["seq"] for event in events if event["type"] == "played"]:
        others = [event for event in events if event["seq"] != put and event["type"] != "recording_ended"][1:]
        assert ended(put_in_later(events, put)[0]) == ended(events)
