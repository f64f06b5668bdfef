"""A line of a clean recording that got lost, or was written twice: the fault is told, and no wrong amount follows."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from replay import desk
from replay.engine.findings import Code
from schemas import jsonschema
from tests.engine.bourre.hands import Json
from tests.walks.bura import to_bytes
from tests.walks.script import START, told, verified

CASES = Path(__file__).parent.parent / "cases"
BURA = ("clean-01", "clean-03", "clean-05", "dispute-open-02", "public-36a-000", "public-36a-001", "public-36a-035")
BOURRE = ("cannot-pay-capped", "plurality-2-1-1-1", "session-01", "session-02", "session-06", "tie-carry-exempt")
NAMES = (*(f"bura/{name}.bura" for name in BURA), *(f"bourre/{name}.bourre" for name in BOURRE))


def lines_of(name: str) -> list[Json]:
    lines = [json.loads(line) for line in (CASES / f"{name}.jsonl").read_bytes().splitlines()]
    return [{field: value for field, value in line.items() if field != "id"} for line in lines]


def places(lines: list[Json], *kinds: str) -> Iterator[int]:
    return (place for place, line in enumerate(lines) if line["type"] in kinds)


def judged(lines: list[Json]) -> dict[str, Any]:
    """The report of these lines, numbered anew."""
    numbered = [{**line, "seq": seq} for seq, line in enumerate(lines)]
    if numbered[-1]["type"] == "recording_ended":
        numbered[-1]["events"] = len(numbered)
    return desk.verify(to_bytes(numbered))


def without(lines: list[Json], place: int) -> dict[str, Any]:
    return judged(lines[:place] + lines[place + 1 :])


def errors(report: dict[str, Any]) -> list[int]:
    return [each["seq"] for each in report["findings"] if each["severity"] == "error"]


def amounts(report: dict[str, Any]) -> list[dict[str, int | None]]:
    """By hand: what each seat's chips should have changed by."""
    return [{seat: row["net_due"] for seat, row in hand["seats"].items()} for hand in report["hands"]]


def contradict(found: list[dict[str, int | None]], right: list[dict[str, int | None]]) -> bool:
    """Whether an amount is told that is not the right one; one that is told to be unknown is none."""
    pairs = [(one[seat], other[seat]) for one, other in zip(found, right, strict=True) for seat in one]
    return any(one is not None and one != other for one, other in pairs)


@pytest.mark.parametrize("name", NAMES)
def test_a_line_that_got_lost_gives_no_wrong_amount(name: str) -> None:
    lines = lines_of(name)
    right = amounts(judged(lines))
    for place in places(lines, "dealt", "played", "drew", "discarded"):
        report = without(lines, place)
        assert errors(report), place
        assert not contradict(amounts(report), right), place


@pytest.mark.parametrize("name", NAMES)
def test_a_draw_or_discard_that_got_lost_is_one_error(name: str) -> None:
    lines = lines_of(name)
    for place in places(lines, "drew", "discarded"):
        renewed = "stock_recycled" in [line["type"] for line in lines[place + 1 : place + 3]]  # out of place
        assert len(errors(without(lines, place))) == 1 + renewed, place


@pytest.mark.parametrize("name", NAMES)
def test_a_line_that_was_written_twice_changes_nothing(name: str) -> None:
    lines = lines_of(name)
    right = judged(lines)
    for place in places(lines, "dealt", "played", "drew", "discarded", "stayed", "folded", "trick_taken", "opened"):
        report = judged([*lines[: place + 1], *lines[place:]])
        assert set(errors(report)) == {place + 1}
        assert [each for each in report["findings"] if each["severity"] == "doubt"] == []
        assert amounts(report) == amounts(right)
        assert [hand["takers"] for hand in report["hands"]] == [hand["takers"] for hand in right["hands"]]


TRICKS = (
    ("up 1 As", "down 2 6c", "trick_taken 1 11", "draw 1 Ah", "draw 2 7d"),
    ("up 1 Ah", "down 2 6s", "trick_taken 1 11", "draw 1 9c", "draw 2 9d"),
    ("up 1 9c", "down 2 6h", "trick_taken 1 0", "draw 1 8d", "draw 2 8s"),
)


@pytest.mark.parametrize(
    ("wrong", "later"),
    [
        ("draw 2 7d 7s", ("draw 2 9d", "draw 2 8s")),  # one too many, and then as many as are laid
        ("draw 2 7d 7s", ("", "draw 2 8s")),  # or none, until it holds three again
        ("draw 2", ("draw 2 9d", "draw 2 8s")),  # none, and then as many as are laid
        ("draw 2", ("draw 2 9d 7s", "draw 2 8s")),  # or more, until it holds three again
    ],
)
def test_a_draw_of_too_few_or_too_many_is_told_once(wrong: str, later: tuple[str, str]) -> None:
    lines = [line for trick in TRICKS for line in trick]
    lines[4], lines[9], lines[14] = wrong, *later
    hand = ("deal 1 As Kh Kc", "deal 2 6c 6s 6h", "turn 6d")
    report = verified(*START, *hand, *(line for line in lines if line), closed=False)
    assert told(report) == [(12, "wrong-card-count")]


@pytest.mark.parametrize("name", ["bourre/trump-lead-headed.bourre", "bourre/void-trumps.bourre", "bura/clean-01.bura"])
def test_a_dispute_over_a_hand_that_lost_a_play_names_no_event_that_is_not_there(name: str) -> None:
    lines = lines_of(name)
    schema = Draft202012Validator(jsonschema.schema(list(Code), "dispute"))
    for place in places(lines, "played"):
        left = [{**line, "seq": seq} for seq, line in enumerate(lines[:place] + lines[place + 1 :])]
        hand = next(line["hand"] for line in reversed(left[:place]) if line["type"] == "hand_began")
        answer = desk.dispute(to_bytes(left), hand=hand)
        assert not list(schema.iter_errors(answer))
        plays = {line["seq"] for line in left if line["type"] == "played"}
        assert {duty["seq"] for seat in answer["seats"].values() for duty in seat.get("duties", ())} <= plays


def test_no_pile_is_worth_more_than_the_pack_where_the_record_cannot_be_true_of_one() -> None:
    lines = lines_of("bura/rule-stock-2-1.bura")
    left = [{**line, "seq": seq} for seq, line in enumerate([*lines[:9], *lines[8:10], *lines[11:]])]
    report = desk.verify(to_bytes(left), view="public")
    points = [row["points"] for row in report["hands"][0]["seats"].values()]
    assert all(0 <= each["low"] <= each["high"] <= 120 for each in points)
    assert desk.dispute(to_bytes(left), hand=1, view="public")["seats"]["2"]["certificate"]["dropped"]
