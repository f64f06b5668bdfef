"""A line written under another seat than the one that acted: one fault, and nobody's sums are others for it."""

import pytest

from replay import desk
from tests.walks import bura as walks
from tests.walks.bura import Json, to_bytes

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
