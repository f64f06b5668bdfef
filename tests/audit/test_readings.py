"""A log read as recorded, as amended, and with the amendments known at an event; what differs between them."""

from typing import Any

import pytest

from recorder import intake
from recorder.decode import BULK
from replay import desk
from replay.audit.amend import as_reading, read
from replay.audit.readings import Differs, between_disputes, between_reports
from schemas.events import Corrected, Inserted, PotTaken, Recording
from tests.check_cases import case_names, expectation, recording_path
from tests.walks.bura import Json, to_bytes
from tests.walks.script import START, made

TAKES = (*START, "deal 1 As Ks Ts", "deal 2 Ah Kh Th", "turn 6d", "up 1 As Ks Ts", "down 2 Ah Kh Th", "trick_taken 1",
         "opened 1", "counted 1 50", "pot_taken 1 15", "end opened")  # fmt: skip
"""Seat 1 opens at seq 11 and takes 15 of 20 at seq 13."""


def pays(amount: int) -> Json:
    return {"type": "corrected", "of": 13, "reason": "описка",
            "event": {"type": "pot_taken", "seat": 1, "amount": amount}}  # fmt: skip


AMENDED = (
    *TAKES,
    pays(18),
    {"type": "noted", "text": "нет, двадцать"},
    pays(20),
    {"type": "inserted", "after": 14, "reason": "забыли", "event": {"type": "stack_counted", "seat": 1, "amount": 10}},
)
"""The payment is corrected at seq 15 and once more at seq 17; at seq 18 something forgotten is put in."""


def recording(*lines: str | Json) -> Recording:
    found = intake.read(to_bytes(made(*lines)))
    assert isinstance(found, Recording)
    return found


def paid(reading: Any) -> int:
    found = [event for event in read(recording(*AMENDED).events, reading) if isinstance(event, PotTaken)]
    return found[-1].amount


@pytest.mark.parametrize(
    ("reading", "amount"),
    [("recorded", 15), (0, 15), (14, 15), (15, 18), (16, 18), (17, 20), (18, 20), (19, 20), ("amended", 20)],
)
def test_an_amendment_counts_from_its_own_number_on(reading: Any, amount: int) -> None:
    assert paid(reading) == amount


@pytest.mark.parametrize("known", [17, 18])
def test_what_was_put_in_later_is_not_there_before(known: int) -> None:
    events = read(recording(*AMENDED).events, known)
    assert [event.seq for event in events if event.seq > 13] == [14, *([18] if known == 18 else []), 16, 19]


@pytest.mark.parametrize("text", ["recorded", "amended", "0", "7", "120"])
def test_a_reading_is_asked_for_in_one_way_only(text: str) -> None:
    assert str(as_reading(text)) == text


@pytest.mark.parametrize("text", ["", "Recorded", "07", "-1", "1.0", " 7", "٣", "²", "1_0", "9" * 10, "latest"])
def test_no_other_word_is_a_reading(text: str) -> None:
    with pytest.raises(ValueError, match=f"^{text.replace('.', '[.]')}$"):
        as_reading(text)


def amended_cases() -> list[str]:
    names = [name for name in case_names() if expectation(name).get("exit") != desk.REFUSED]
    return [name for name in names if b'"corrected"' in data(name) or b'"inserted"' in data(name)]


def data(name: str) -> bytes:
    return recording_path(name).read_bytes()


@pytest.mark.parametrize("name", amended_cases())
def test_at_its_ends_a_log_known_at_an_event_is_as_recorded_and_as_amended(name: str) -> None:
    found = intake.read(data(name), BULK)
    assert isinstance(found, Recording)
    numbers = [event.seq for event in found.events if isinstance(event, Corrected | Inserted)]

    def judged(reading: Any) -> Json:
        return desk.verify(data(name), reading=reading, limits=BULK)

    assert numbers
    assert judged(min(numbers) - 1) == judged("recorded")
    assert judged(max(numbers)) == judged("amended")
    differs = between_reports(judged("recorded"), judged("amended"))
    assert differs
    assert between_reports(judged("amended"), judged("recorded")) == tuple(
        Differs(each.what, each.second, each.first, each.hand, each.seat, each.seq, each.code) for each in differs
    )
    assert between_reports(judged("amended"), judged("amended")) == ()


def report(reading: Any) -> Json:
    return desk.verify(to_bytes(made(*AMENDED)), reading=reading)


def test_what_two_reports_tell_differently() -> None:
    assert between_reports(report("recorded"), report("amended")) == (
        Differs("verdict", "refuted", "verified"),
        Differs("finding", ("error", 15, 20), None, 1, 1, 13, "table/wrong-payout"),
        Differs("finding", ("note", None, 5), None, 0, 0, 19, "table/pot-left"),
        Differs("net_recorded", 5, 10, 1, 1),
        Differs("balance_recorded", 5, 10, 0, 1),
    )
    assert between_reports(report(15), report("amended"))[1] == Differs(
        "finding", ("error", 18, 20), None, 1, 1, 13, "table/wrong-payout"
    )


def test_what_two_disputes_tell_differently() -> None:
    def asked(reading: Any) -> Json:
        return desk.dispute(to_bytes(made(*AMENDED)), hand=1, reading=reading)

    assert between_disputes(asked("recorded"), asked("amended")) == (Differs("remedy", 5, 0, 1, 1),)
    assert between_disputes(asked(15), asked(17)) == (Differs("remedy", 2, 0, 1, 1),)
    assert between_disputes(asked("amended"), asked(18)) == ()


def test_a_card_written_otherwise_changes_points_and_whose_the_pot_is() -> None:
    lines = (*START, "deal 1 As Ks Ts", "deal 2 6h 7h 8h", "turn 6d", "up 1 As Ks Ts", "down 2 6h 7h 8h",
             "trick_taken 1", "opened 1")  # fmt: skip
    other = {"seat": 2, "cards": ["6h", "Kh", "Th"]}
    dealt, laid = {"type": "dealt", **other}, {"type": "played", "face": "down", **other}
    fixed = [{"type": "corrected", "of": of, "reason": "не те карты", "event": event}
             for of, event in ((6, dealt), (9, laid))]  # fmt: skip
    events = to_bytes(made(*lines, *fixed))
    both = [desk.dispute(events, hand=1, reading=reading) for reading in ("recorded", "amended")]
    found = {(each.what, each.seat): (each.first, each.second) for each in between_disputes(*both)}
    assert found["points", 1] == ({"low": 25, "high": 25}, {"low": 39, "high": 39})
    assert found["answer", 1] == ("cannot", "must")
    assert found["rightful_seats", 0] == ([], [1])
    assert found["rightful_why", 0] == ("failed_open", "opened")


def test_a_hand_that_was_struck_out_stands_in_one_reading_only() -> None:
    struck = [{"type": "corrected", "of": seq, "event": None, "reason": "не было"} for seq in range(2, 15)]
    events = to_bytes(made(*TAKES, *struck))
    first, second = (desk.verify(events, reading=reading) for reading in ("recorded", "amended"))
    assert Differs("hand", True, False, 1) in between_reports(first, second)


def test_seats_stand_in_the_order_of_the_table() -> None:
    none: Json = {"verdict": "verified", "findings": [], "hands": []}
    seats = [str(seat) for seat in range(12, 0, -1)]
    one, two = ({**none, "balances": {"recorded": dict.fromkeys(seats, chips), "due": {}}} for chips in (0, 1))
    assert [each.seat for each in between_reports(one, two)] == list(range(1, 13))
