"""What no value of any field may be, put at every place of every event: one problem there, and never an exception."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from recorder import intake
from schemas.problems import Refusal
from tests.engine.bourre import walks as bourre
from tests.walks import bura

Place = tuple[str | int, ...]
BAD = {
    "1.5": "not-an-integer",
    "9007199254740992": "out-of-range",
    '"a\\u0007"': "bad-text",
    '"\\ud800"': "bad-text",
}
ABOUT = {"id": "k", "at": "2026-01-01T00:00:00Z", "source": "seen", "note": "n", "x_a": {"b": [1, {"c": "d"}]}}
HEAD = {
    "seq": 0, "type": "recording_began", "format": "razbor/1", "seats": ["A", "B"], "stacks": [5, 5], "pot": 1,
    "unit": "u", "unit_digits": 1, "view": "full", "title": "t", **ABOUT,
}  # fmt: skip
RULES = {
    "bura": {"preset": "bura/classic-36@1", "options": {"molodka_turn": "in_turn", "match_to": 5}},
    "bourre": {"preset": "bourre/classic@1", "options": {"max_draw": {"5": 4, "7": 3}, "tie": "carry", "max_ante": 9}},
}
WALKS = {"bura": bura.evening(3, hands=6, seats=3), "bourre": bourre.evening(3, hands=6, seats=3)}


def places(value: Any, here: Place = ()) -> Iterator[Place]:
    """Every place inside a value, its own first."""
    yield here
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in inside:
        yield from places(each, (*here, name))


def spoilt(event: dict[str, Any], place: Place, text: str) -> bytes:
    changed: Any = copy.deepcopy(event)
    holder = changed
    for name in place[:-1]:
        holder = holder[name]
    holder[place[-1]] = "@@"
    return json.dumps(changed).replace('"@@"', text).encode()


def problems(data: bytes) -> list[tuple[int, str]]:
    found = intake.read(data)
    assert isinstance(found, Refusal), data
    return [(each.line, str(each.code)) for each in found.problems]


@pytest.mark.parametrize("text", BAD)
@pytest.mark.parametrize("game", RULES)
def test_in_a_header_it_is_told_once(game: str, text: str) -> None:
    head = {**HEAD, "game": game, "rules": RULES[game]}
    assert not isinstance(intake.read(json.dumps(head).encode()), Refusal)
    for place in [each for each in places(head) if each]:
        assert problems(spoilt(head, place, text) + b"\n") == [(1, BAD[text])], place


@pytest.mark.parametrize("text", BAD)
@pytest.mark.parametrize("game", WALKS)
def test_in_an_event_of_each_type_it_is_told_at_its_line(game: str, text: str) -> None:
    events = WALKS[game]
    lines = [json.dumps(event).encode() for event in events]
    tried = set()
    for seq, event in enumerate(events):
        if not seq or event["type"] in tried:
            continue
        tried.add(event["type"])
        whole = {**event, **ABOUT}
        for place in [each for each in places(whole) if each]:
            told = problems(b"\n".join([*lines[:seq], spoilt(whole, place, text), *lines[seq + 1 :]]))
            assert told[0] == (seq + 1, BAD[text]), (place, event)
            assert {line for line, _ in told} == {seq + 1} or place in {("seq",), ("type",), ("seat",)}, (place, told)
    assert len(tried) > 8
