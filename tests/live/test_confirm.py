"""Each seat's link may confirm a settlement: an event of the record, shown everywhere, and in the receipt."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from recorder import confirm, receipt
from recorder.notary import Notary
from replay.desk_live import TableDesk
from tests.cli.razbor import process
from tests.live.conftest import Json, Seated

pytestmark = pytest.mark.usefixtures("place")  # the journal in a file and on a server
HAND: list[Json] = [
    {"type": "stake_set", "amount": 10},
    {"type": "hand_began", "hand": 1, "dealer": 3},
    *({"type": "staked", "seat": seat, "amount": 10, "why": "ante"} for seat in (1, 2, 3)),
    {"type": "hand_ended", "reason": "misdeal"},
]
ENDED = len(HAND)
RENAMED: Json = {"type": "corrected", "of": 4, "event": None, "reason": "no stake"}


@pytest.fixture
def settled(table: Seated) -> Seated:
    assert table.append(HAND, 1).status_code == 201
    return table


def confirmed(table: Seated, role: str, hand: int = 1) -> Any:
    return table.ask("POST", "/confirmations", role, json={"hand": hand})


def page(table: Seated, role: str, path: str) -> str:
    client = table.client.application.test_client()
    client.get(f"/tables/{table.key}/as/{table.tokens[role]}")
    answer = client.get(f"{path}?lang=en", follow_redirects=True)
    assert answer.status_code == 200
    return str(answer.get_data(as_text=True))


def test_a_seat_confirms_and_it_is_an_event_of_the_recording(settled: Seated) -> None:
    answer = confirmed(settled, "seat:2")
    assert answer.status_code == 201
    row = {"hand": 1, "seat": 2, "seq": ENDED + 1, "amended": None}
    assert answer.get_json() == {"confirmations": [row]}
    event = settled.ask("GET", f"/events?after={ENDED}").get_json()["events"][0]
    assert (event["type"], event["seat"], event["text"]) == ("noted", 2, "I confirm the settlement of hand 1.")
    assert confirmed(settled, "seat:1").get_json()["confirmations"][1]["seat"] == 1
    again = confirmed(settled, "seat:2")
    assert (again.status_code, again.get_json()["error"]["code"]) == (409, "already-so")
    assert settled.ask("GET", "/confirmations").get_json()["confirmations"][0] == row


@pytest.mark.parametrize(("role", "status"), [("", 401), ("scribe", 403), ("arbiter", 403), ("seat:9", 401)])
def test_nobody_else_confirms(settled: Seated, role: str, status: int) -> None:
    assert confirmed(settled, role).status_code == status
    assert settled.ask("GET", "").get_json()["version"] == ENDED + 1


def test_only_a_hand_that_ended_is_confirmed(settled: Seated) -> None:
    settled.append([{"type": "hand_began", "hand": 2, "dealer": 1}], ENDED + 1)
    for hand, status in ((2, 404), (3, 404), (0, 400), ("1", 400)):
        assert confirmed(settled, "seat:1", hand).status_code == status  # type: ignore[arg-type]


def test_the_log_says_whose_word_a_note_is(settled: Seated) -> None:
    confirmed(settled, "seat:2")
    settled.append([{"type": "noted", "text": "late"}], ENDED + 2)
    for path in (f"/tables/{settled.key}/watch", f"/tables/{settled.key}"):
        text = page(settled, "scribe", path)
        assert "Борис: I confirm the settlement of hand 1." in text
        assert ": late" not in text
        assert "late" in text


def test_a_scribe_cannot_write_the_confirmation_of_a_seat(settled: Seated) -> None:
    forged = confirm.event(1, ENDED, "I confirm the settlement of hand 1.", "x")
    assert settled.append([forged], ENDED + 1).status_code == 201
    assert settled.ask("GET", "/confirmations").get_json() == {"confirmations": []}


def test_an_amendment_afterwards_is_told_and_may_be_confirmed_again(settled: Seated) -> None:
    confirmed(settled, "seat:1")
    assert settled.append([RENAMED], ENDED + 2).status_code == 201
    found = settled.ask("GET", "/confirmations").get_json()["confirmations"]
    assert [each["amended"] for each in found] == [ENDED + 2]
    assert "before it was amended at event 8" in page(settled, "seat:2", f"/tables/{settled.key}/watch")
    assert confirmed(settled, "seat:1").status_code == 201
    found = settled.ask("GET", "/confirmations").get_json()["confirmations"]
    assert [each["amended"] for each in found] == [ENDED + 2, None]


def test_an_end_that_was_forgotten_and_inserted_can_be_confirmed(table: Seated) -> None:
    table.append([*HAND[:-1], {"type": "hand_began", "hand": 2, "dealer": 1}], 1)
    inner = {"type": "hand_ended", "reason": "misdeal"}
    table.append([{"type": "inserted", "after": ENDED - 1, "event": inner, "reason": "forgotten"}], ENDED + 1)
    assert confirmed(table, "seat:3").get_json()["confirmations"][0]["hand"] == 1


def test_it_is_shown_on_the_pad_the_watchers_page_and_the_recordings_page(settled: Seated) -> None:
    watch = f"/tables/{settled.key}/watch"
    assert "Confirm the settlement" in page(settled, "seat:2", watch)
    assert "Confirm the settlement" not in page(settled, "arbiter", watch)
    confirmed(settled, "seat:2")
    confirmed(settled, "seat:1")
    told = "Settlement of hand 1 confirmed: Борис, Анна"
    places = {"scribe": f"/tables/{settled.key}", "seat:3": watch, "seat:1": f"/recordings/{settled.key}"}
    for role, path in places.items():
        assert told in page(settled, role, path), path
    assert "Confirm the settlement" not in page(settled, "seat:2", watch)
    assert "confirmed" not in page(settled, "scribe", f"/recordings/{settled.key}?blind=1&").lower()


def test_a_player_confirms_on_the_page(settled: Seated, desk: TableDesk) -> None:
    client = settled.client.application.test_client()
    client.get(f"/tables/{settled.key}/as/{settled.tokens['seat:3']}")
    path = f"/tables/{settled.key}/confirmations?lang=ru"
    assert client.post(path, data={"hand": "1"}).status_code == 303
    assert client.post(path, data={"hand": "1"}).status_code == 303
    assert [client.post(path, data={"hand": hand}).status_code for hand in ("7", "", "x")] == [404, 400, 400]
    assert settled.client.application.test_client().post(path, data={"hand": "1"}).status_code == 403
    recording = desk.journal.load(settled.key).recording
    assert len(recording.events) == ENDED + 2
    assert "Подтверждаю расчёт раздачи 1." in recording.lines[-1].decode()


def test_who_writes_goes_on_as_if_nothing_were_confirmed_meanwhile(settled: Seated, desk: TableDesk) -> None:
    client = settled.client.application.test_client()
    client.get(f"/tables/{settled.key}/as/{settled.tokens['scribe']}")
    begun = [{"type": "hand_began", "hand": 2, "dealer": 1}]
    form = {"version": str(ENDED + 1), "draft": json.dumps(begun), "confirm": "1"}
    confirmed(settled, "seat:1")
    assert client.post(f"/tables/{settled.key}", data=form).status_code == 200
    assert desk.table(settled.key).events == ENDED + 3
    late = {**form, "draft": json.dumps([{"type": "staked", "seat": 1, "amount": 10, "why": "ante"}])}
    assert client.post(f"/tables/{settled.key}", data=late).status_code == 409


def test_it_stands_in_the_receipt(settled: Seated, desk: TableDesk, tmp_path: Path) -> None:
    confirmed(settled, "seat:2")
    settled.append([{"type": "recording_ended", "events": ENDED + 3}], ENDED + 2)
    confirmed(settled, "seat:1")
    notary = Notary.open(desk.journal.path)
    made, keys = receipt.make(desk.journal, notary, settled.key), notary.verifiers
    notary.close()
    told = receipt.summary(receipt.verify(made, keys))["confirmed"]
    assert [(each["hand"], each["seat"]) for each in told] == [(1, 2), (1, 1)]
    public = settled.client.get(f"/recordings/{settled.key}/receipt.json?view=public").get_data()
    assert receipt.summary(receipt.verify(public, keys))["confirmed"] == told
    file = tmp_path / "receipt.json"
    file.write_bytes(made)
    said = process("receipt", "verify", str(file), "--key", str(keys[0]), env={"LC_ALL": "C"}).stdout.decode()
    assert re.findall(r"Seat (\d) confirmed the settlement of hand 1", said) == ["2", "1"]


def test_the_api_describes_it(client: FlaskClient) -> None:
    paths = client.get("/api/v1/openapi.json").get_json()["paths"]
    assert set(paths["/api/v1/tables/{key}/confirmations"]) == {"get", "post"}
