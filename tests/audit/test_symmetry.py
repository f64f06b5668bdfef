"""What cannot matter does not: the suits by other names, the seats counted from another one, words between events."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import pytest

from replay import desk
from tests.check_cases import Json, case_names, expectation, recording_path
from tests.walks.bura import to_bytes

Change = Callable[[Any], Any]
SUITS: Final = str.maketrans("shdc", "hdcs")
SEATS: Final = ("seat", "dealer", "leader", "taker", "takers", "agreed", "rightful", "settled_by")
FINDING: Final = ("code", "severity", "seq", "hand", "seat", "shaken")


def events_of(name: str) -> list[Json]:
    """The events of a case; none where it is refused, or tells a pack by its hash."""
    data = recording_path(name).read_bytes()
    if data[:1] != b"{" or expectation(name).get("exit") == desk.REFUSED:
        return []
    events: list[Json] = [json.loads(line) for line in data.splitlines() if line]
    return [] if any(event["type"] == "deck_revealed" for event in events) else events


CASES: Final = {name: events for name in case_names() if (events := events_of(name))}
STEADY: Final = [name for name, events in CASES.items() if b"player_joined" not in to_bytes(events)]
"""Where nobody joins, for who joins sits down after the last one."""


def judged(events: list[Json]) -> Json:
    """What the report says, each finding without its sums and cards."""
    report = desk.verify(to_bytes(events))
    findings = [{key: finding[key] for key in FINDING} for finding in report["findings"]]
    return {"verdict": report["verdict"], "findings": findings, "hands": report["hands"], "sums": report["balances"]}


@cache
def as_it_is(name: str) -> Json:
    """What is judged of a case where nothing was changed; whoever is given it changes none of it."""
    return judged(CASES[name])


def disputed(events: list[Json]) -> list[Json]:
    """What the table could know of the first hands of Bura: bounds, answers, who should have had the pot."""
    hands = [event["hand"] for event in events if event["type"] == "hand_began"][:2]
    answers = (desk.dispute(to_bytes(events), hand=hand, view="public") for hand in hands)
    kept = ("points", "answer", "reached", "entitled_at", "settled_by")
    return [
        {
            "seats": {seat: {key: said[key] for key in kept if key in said} for seat, said in answer["seats"].items()},
            "joint": answer.get("joint"),
            "rightful": answer["rightful"]["seats"],
            "remedy": answer["remedy"],
        }
        for answer in answers
    ]


def renamed(told: Any, key: str = "") -> Any:
    """Recorded events, or a judgement, with every suit by another name."""
    if isinstance(told, dict):
        return {name: renamed(value, name) for name, value in told.items()}
    if isinstance(told, list):
        return [renamed(value, key) for value in told]
    if key in ("card", "cards") and isinstance(told, str):
        return "/".join(face[:1] + face[1:].translate(SUITS) for face in told.split("/"))
    return told.translate(SUITS) if key == "trump" and told else told


def turned(seats: int) -> Change:
    """Recorded events, or a judgement, with seat 1 as seat 2, and so on round the table."""

    def of(told: Any, key: str = "") -> Any:
        if isinstance(told, dict) and told and all(name.isdigit() for name in told):
            return dict(sorted((str(of(int(name), "seat")), of(value)) for name, value in told.items()))
        if isinstance(told, dict):
            return {name: of(value, name) for name, value in told.items()}
        if isinstance(told, list) and key in ("seats", "stacks") and not isinstance(told[0], dict):
            return [told[-1], *told[:-1]]
        if isinstance(told, list):
            values = [of(value, key) for value in told]
            return sorted(values, key=str) if key in ("takers", "settled_by") else values
        if key == "view" and str(told).startswith("seat:"):
            return f"seat:{of(int(told[5:]), 'seat')}"
        return told % seats + 1 if key in SEATS and isinstance(told, int) else told

    return of


def with_words(events: list[Json]) -> tuple[list[Json], Change]:
    """The events with a comment after every one but the last, and what a judgement's numbers become by that."""

    def of(told: Any, key: str = "") -> Any:
        if isinstance(told, dict):
            return {name: of(value, name) for name, value in told.items()}
        if isinstance(told, list):
            return [of(value, key) for value in told]
        return 2 * told if key in ("seq", "seqs", "of", "after") and isinstance(told, int) else told

    spoken: list[Json] = []
    for event in events:
        after = {"type": "noted", "text": "?", "seq": 2 * event["seq"] + 1}
        spoken += [of(event), after]
    for event in spoken:
        if event["type"] == "recording_ended" and event["seq"] < 2 * event["events"]:
            event["events"] = 2 * event["events"] - 1
    return spoken[:-1], of


@pytest.mark.parametrize("name", CASES)
def test_suits_are_but_names(name: str) -> None:
    """The four suits are equal before the trump is turned (`rules.md` 1)."""
    events = CASES[name]
    assert judged(renamed(events)) == renamed(as_it_is(name))


@pytest.mark.parametrize("name", STEADY)
def test_seats_are_but_numbers(name: str) -> None:
    """Seats go round the table; none is more than another (`record.md` 3)."""
    events = CASES[name]
    turn = turned(len(events[0]["seats"]))
    assert by_seq(judged(turn(events))) == by_seq(turn(as_it_is(name)))


@pytest.mark.parametrize("name", CASES)
def test_words_between_change_nothing(name: str) -> None:
    """A comment never changes the state (`record.md` 3)."""
    spoken, moved = with_words(CASES[name])
    assert judged(spoken) == moved(as_it_is(name))


@pytest.mark.parametrize("name", [name for name in CASES if "dispute" in name or name.startswith("bura/table")])
def test_a_dispute_is_the_same_by_other_names(name: str) -> None:
    events = CASES[name]
    assert disputed(renamed(events)) == disputed(events)
    if name in STEADY:
        turn = turned(len(events[0]["seats"]))
        assert disputed(turn(events)) == turn(disputed(events))


def by_seq(told: Json) -> Json:
    """Of several findings at one event, those of one code by seat."""
    findings = sorted(told["findings"], key=lambda each: (each["seq"], each["code"], str(each["seat"])))
    return told | {"findings": findings}
