"""What a browser may send beside what the pad's forms send: it is refused, and what is mended loses nothing."""

import json

import pytest

from replay.desk_live import TableDesk
from tests.live.conftest import Json, Seated

STAKE: Json = {"type": "stake_set", "amount": 10}


def entered(table: Seated) -> None:
    assert table.client.get(f"/tables/{table.key}/as/{table.tokens['scribe']}").status_code == 303


@pytest.mark.parametrize("role", ["seat:", "seat:12", "seat:23456789", "seat:0", "public", "operator", ""])
def test_a_link_is_made_for_a_role_there_is(table: Seated, role: str) -> None:
    entered(table)
    before = table.ask("GET", "/links", "scribe").get_json()
    assert table.client.post(f"/tables/{table.key}/links", data={"role": role}).status_code == 400
    assert table.ask("GET", "/links", "scribe").get_json() == before


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"base": "{},{}"}, 400),
        ({"base": "1"}, 400),
        ({"base": " "}, 400),
        ({"events": '[{"type":"stake_set","amount":5,"id":{"a":1}}]'}, 422),
        ({"events": '[{"type":"stake_set","amount":5,"id":[1]}]'}, 422),
        ({"events": '[{"type":"stake_set","amount":5,"id":null}]'}, 422),
    ],
)
def test_what_no_pad_has_sent_is_refused(table: Seated, form: Json, status: int) -> None:
    entered(table)
    assert table.client.post(f"/tables/{table.key}", data={"id": "a1", **form}).status_code == status
    assert table.ask("GET", "", "scribe").get_json()["version"] == 1


def test_an_event_without_cards_is_mended_to_one_with_cards(table: Seated, desk: TableDesk) -> None:
    entered(table)
    table.append([STAKE, {"type": "hand_began", "hand": 1, "dealer": 3}, {"type": "drew", "seat": 1, "cards": []}], 1)
    sent = {"way": "replace", "reason": "x", "f_seat": "1", "f_cards": "As ??"}
    assert table.client.post(f"/tables/{table.key}/events/3", data=sent).status_code == 303
    last = json.loads(desk.journal.load(table.key).recording.lines[-1])
    assert last["event"] == {"type": "drew", "seat": 1, "cards": ["As", "??"]}


def test_a_private_field_stays_where_another_field_is_mended(table: Seated, desk: TableDesk) -> None:
    entered(table)
    table.append([{**STAKE, "note": "n", "x_table": {"camera": 2}, "id": "s1"}], 1)
    sent = {"way": "replace", "reason": "x", "f_amount": "20"}
    assert table.client.post(f"/tables/{table.key}/events/1", data=sent).status_code == 303
    last = json.loads(desk.journal.load(table.key).recording.lines[-1])
    assert last["event"] == {"type": "stake_set", "amount": 20, "note": "n", "x_table": {"camera": 2}}
