"""A line written under a seat that does not play, as nobody sits there or it sits out: one fault, and right sums."""

from collections.abc import Iterator

import pytest

from replay import desk
from tests.engine.bourre import walks as bourre_walks
from tests.walks import bura as bura_walks
from tests.walks.bura import Json, to_bytes

EVENINGS = {
    "bura": bura_walks.evening(
        2,
        seats=4,
        hands=4,
        habits=bura_walks.Habits(tells=0.2, opens=0.6, bluffs=0, moves=0.5, spoils=0, raises=0, commits=0, stacked=0),
    ),
    "bourre": bourre_walks.evening(
        1,
        seats=4,
        hands=4,
        habits=bourre_walks.Habits(tells=0.2, moves=0.5, spoils=0, commits=0, strong=0),
    ),
}
ONE_OF = 3
"""Of so many lines one is tried."""


def slips(game: str, kinds: set[str]) -> Iterator[tuple[int, int, str]]:
    """The seq of a line of these kinds, a seat that does not play then, and whether it is `empty` or sits `out`."""
    events = EVENINGS[game]
    sitting = set(range(1, len(events[0]["seats"]) + 1))
    everybody = sitting | {event["seat"] for event in events if event["type"] == "player_joined"}
    known, out = sitting.copy(), set[int]()
    for event in events:
        kind = event["type"]
        if kind == "player_joined":
            sitting.add(event["seat"])
            known.add(event["seat"])
        elif kind == "player_left":
            sitting.discard(event["seat"])
        elif kind == "hand_began":
            out = set()
        elif kind == "sat_out":
            out.add(event["seat"])
        elif kind in kinds:
            for seat in everybody & known:
                if seat not in sitting or seat in out:
                    yield event["seq"], seat, "out" if seat in sitting else "empty"


def nets(report: Json) -> list[Json]:
    """By hand: what each seat's chips should have changed by, where they should."""
    rows = [hand["seats"] for hand in report["hands"]]
    return [{seat: each["net_due"] for seat, each in row.items() if each["net_due"]} for row in rows]


def judged(events: list[Json]) -> Json:
    report = desk.verify(to_bytes(events))
    assert report["format"] == "razbor-report/1"
    return report


def told(report: Json) -> list[tuple[int, str, int, int]]:
    return [
        (each["seq"], each["code"], each["seat"], each["expected"])
        for each in report["findings"]
        if each["severity"] == "error"
    ]


def under(game: str, seq: int, seat: int) -> list[Json]:
    events = EVENINGS[game]
    return [*events[:seq], events[seq] | {"seat": seat}, *events[seq + 1 :]]


LINES = [
    (game, seq, seat, where)
    for game in EVENINGS
    for kind in ("dealt", "drew", "stayed", "folded")
    for seq, seat, where in list(slips(game, {kind}))[::ONE_OF]
]


def test_the_evenings_are_clean_and_have_it_all() -> None:
    assert all(judged(events)["verdict"] == "verified" for events in EVENINGS.values())
    assert {(game, where) for game, _, _, where in LINES} == {
        (game, where) for game in EVENINGS for where in ("empty", "out")
    }


@pytest.mark.parametrize(("game", "seq", "seat", "where"), LINES)
def test_what_a_seat_that_does_not_play_cannot_do_was_done_by_whose_turn_it_is(
    game: str, seq: int, seat: int, where: str
) -> None:
    """Nobody takes cards or speaks there (`report.md` 1: what cannot be leaves the state alone)."""
    report = judged(under(game, seq, seat))
    assert told(report) == [(seq, "table/wrong-turn", seat, EVENINGS[game][seq]["seat"])], where
    assert nets(report) == nets(judged(EVENINGS[game]))
