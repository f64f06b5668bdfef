"""A line of Bourré that was written twice: what cannot be done again changes nothing (`report.md` 1)."""

import pytest

from tests.engine.bourre.hands import Json, Script

HANDS = "Ah 7c 5s 2d 3d/6c Qc 9s 8d 4h/As Td Kc 2h 3h"


def clean() -> Script:
    """Three seats; 1 and 2 change cards, all stay; seat 2 takes no trick."""
    script = Script(3)
    script.deal(HANDS, "Kh")
    script.say("1+")
    script.change(1, "2d 3d", "2c 3c")
    script.say("2+")
    script.change(2, "8d", "9d")
    script.say("3+")
    script.play("1Ah 24h 32h")
    script.play("17c 2Qc 3Kc")
    script.play("3As 15s 29s")
    script.play("3Td 13c 29d")
    script.play("33h 12c 26c")
    script.take(3, 50)
    script.pay(2, 50)
    script.end("most_tricks")
    return script


def places(kind: str) -> list[int]:
    return [event["seq"] for event in clean().events if event["type"] == kind]


def twice(place: int) -> Script:
    """The same with the line at this place written twice."""
    script = clean()
    again: list[Json] = [*script.events[: place + 1], dict(script.events[place]), *script.events[place + 1 :]]
    script.events = [{**event, "seq": seq} for seq, event in enumerate(again)]
    return script


def test_the_hand_is_right() -> None:
    assert clean().told() == []


def told_of(place: int) -> list[str]:
    """The codes told of the second line; nothing else is told, and the hand is judged as if it were not there."""
    script = twice(place)
    assert {seq for seq, _ in script.told()} == {place + 1}
    assert script.told("doubt") == []
    right, found = (each.report()["hands"][0] for each in (clean(), script))
    assert found["takers"] == right["takers"]
    assert [trick["taker"] for trick in found["tricks"]] == [trick["taker"] for trick in right["tricks"]]
    assert found["seats"] == right["seats"]
    return [code for _, code in script.told()]


@pytest.mark.parametrize("place", places("played"))
def test_a_card_is_laid_once(place: int) -> None:
    last = place == places("played")[-1]
    won_by_it = place == places("played")[5]
    if last:
        assert told_of(place) == ["table/out-of-place"]
    elif won_by_it:
        assert told_of(place) == ["table/card-not-held"]
    else:
        assert told_of(place) == ["table/card-not-held", "table/wrong-turn"]


@pytest.mark.parametrize("place", places("drew"))
def test_cards_are_drawn_once(place: int) -> None:
    assert told_of(place) == ["table/card-twice", "table/out-of-place"]


@pytest.mark.parametrize("place", places("discarded"))
def test_cards_are_thrown_away_once(place: int) -> None:
    assert told_of(place) == ["table/card-not-held", "table/out-of-place"]


def test_a_discard_written_again_in_mid_play_changes_nothing() -> None:
    place = places("discarded")[0]
    for at in places("played"):
        script = clean()
        script.events.insert(at, {**script.events[place]})
        script.events = [{**event, "seq": seq} for seq, event in enumerate(script.events)]
        assert {seq for seq, _ in script.told()} == {at}
