"""A line written under another seat than the one that acted: one fault, and nobody's sums are others for it."""

import pytest

from replay import desk
from tests.walks import bura as walks
from tests.walks.bura import Json, to_bytes
from tests.walks.script import START, told, verified

CALM = walks.Habits(tells=0, opens=0.6, bluffs=0, moves=0, spoils=0, raises=0, commits=0, stacked=0)
SEATS = 5
EVENING = walks.evening(8, seats=SEATS, hands=3, habits=CALM)
"""Five at the table: the stock runs short, its last card is the turn-up."""
TOLD = {"played": "table/card-not-held", "drew": "table/wrong-turn", "dealt": "table/wrong-turn"}
LINES = [(kind, event["seq"]) for kind in TOLD for event in EVENING if event["type"] == kind]


def judged(events: list[Json]) -> Json:
    report = desk.verify(to_bytes(events))
    assert report["format"] == "razbor-report/1"
    return report


def nets(report: Json) -> list[Json]:
    return [{seat: each["net_due"] for seat, each in hand["seats"].items()} for hand in report["hands"]]


NETS = nets(judged(EVENING))


def test_the_evening_is_clean_and_has_it_all() -> None:
    assert judged(EVENING)["verdict"] == "verified"
    turned = [event["card"] for event in EVENING if event["type"] == "trump_turned"]
    assert any(set(turned) & set(event["cards"]) for event in EVENING if event["type"] == "drew")


@pytest.mark.parametrize(("kind", "seq"), LINES)
def test_a_line_under_another_seat_is_one_fault(kind: str, seq: int) -> None:
    right = EVENING[seq]
    for other in range(1, SEATS + 1):
        if other != right["seat"]:
            report = judged([*EVENING[:seq], right | {"seat": other}, *EVENING[seq + 1 :]])
            assert [each["code"] for each in report["findings"] if each["severity"] == "error"] == [TOLD[kind]], other
            for told, right_ones in zip(nets(report), NETS, strict=True):
                assert all(net in (None, right_ones[each]) for each, net in told.items())


def lines_of(kind: str) -> list[int]:
    return [event["seq"] for event in BURAS if event["type"] == kind and (kind == "counted" or event.get("cards"))]


BURAS = walks.evening(
    3,
    seats=4,
    hands=6,
    habits=walks.Habits(tells=0.5, opens=0.8, bluffs=0, moves=0, spoils=0, raises=0, commits=0, stacked=0.8),
)


def test_combinations_are_shown_and_piles_are_counted() -> None:
    kinds = {event["combination"] for event in BURAS if event["type"] == "declared" and event.get("cards")}
    assert kinds == {"bura", "three_aces", "molodka"}
    assert lines_of("counted")


@pytest.mark.parametrize("seq", lines_of("declared"))
def test_a_declaration_is_that_of_who_holds_the_cards_shown(seq: int) -> None:
    """The seat written down holds none of them (`table/card-not-held`); who does has the right that they give."""
    right = BURAS[seq]
    for other in {1, 2, 3, 4} - {right["seat"]}:
        report = judged([*BURAS[:seq], right | {"seat": other}, *BURAS[seq + 1 :]])
        errors = [(each["seq"], each["code"]) for each in report["findings"] if each["severity"] == "error"]
        assert errors == [(seq, "table/card-not-held")]
        assert nets(report) == nets(judged(BURAS))


@pytest.mark.parametrize("seq", lines_of("counted"))
def test_a_count_under_another_seat_is_told_once(seq: int) -> None:
    """Where two codes fit one event, one is told (`report.md` 1)."""
    right = BURAS[seq]
    for other in {1, 2, 3, 4} - {right["seat"]}:
        report = judged([*BURAS[:seq], right | {"seat": other}, *BURAS[seq + 1 :]])
        errors = [(each["seq"], each["code"]) for each in report["findings"] if each["severity"] == "error"]
        assert errors == [(seq, "table/wrong-turn")]


def test_cards_shown_that_are_not_another_whole_hand_are_a_false_declaration_of_nobody_else() -> None:
    lines = (*START, "deal 1 6h 7s 8d", "deal 2 Ad 9d 7d", "turn 6d", "bura 1 Ad 9d", "up 1 6h")
    assert told(verified(*lines, closed=False)) == [(8, "card-not-held")]
