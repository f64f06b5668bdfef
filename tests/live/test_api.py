"""The API: all or nothing, once and in order; who may do what; one shape for every refusal; never a 500."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from openapi_spec_validator import validate

from recorder.ongoing import EventsRefusedError
from replay import desk as desks
from replay.desk_live import TableDesk
from replay.web import live_openapi
from replay.web.app import create_app
from schemas.problems import Code, Problem, Refusal
from tests.live.conftest import HEADER, Json, Seated, seated

STAKE: Json = {"type": "stake_set", "amount": 10, "id": "a"}
IN_BOTH = pytest.mark.usefixtures("place")  # the journal in a file and on a server
HAND: Json = {"type": "hand_began", "hand": 1, "dealer": 3, "id": "b"}


def code(answer: Any) -> str:
    found = answer.get_json()["error"]
    assert found["message"]
    return str(found["code"])


@IN_BOTH
def test_a_table_has_a_key_and_a_link_for_every_role(table: Seated) -> None:
    assert set(table.tokens) == {"scribe", "arbiter", "seat:1", "seat:2", "seat:3"}
    seen = table.ask("GET", "", "seat:2").get_json()
    assert (seen["role"], seen["view"], seen["version"]) == ("seat:2", "seat:2", 1)
    assert table.ask("GET", "").get_json()["role"] == "public"


@IN_BOTH
def test_events_are_appended_all_or_none(table: Seated) -> None:
    assert table.append([STAKE, {"type": "staked", "seat": 9, "amount": 1, "why": "ante"}], 1).status_code == 422
    assert table.ask("GET", "").get_json()["version"] == 1
    answer = table.append([STAKE, HAND], 1)
    assert (answer.status_code, answer.get_json()) == (201, {"seqs": [1, 2], "version": 3, "repeated": False})
    assert answer.headers["ETag"] == '"3"'


@IN_BOTH
def test_a_version_that_is_not_the_present_one_is_refused_with_the_present_one(table: Seated) -> None:
    answer = table.append([STAKE], 5)
    assert (answer.status_code, code(answer), answer.get_json()["error"]["version"]) == (412, "version-conflict", 1)
    without = table.ask("POST", "/events", "scribe", json={"events": [STAKE]})
    assert (without.status_code, code(without)) == (428, "version-needed")


def test_what_comes_too_early_is_a_matter_of_version(table: Seated) -> None:
    answer = table.append([{"type": "staked", "seat": 4, "amount": 1, "why": "ante"}], 9)
    assert (answer.status_code, code(answer)) == (412, "version-conflict")


@IN_BOTH
def test_the_same_command_gets_the_same_answer_and_another_request_none(table: Seated) -> None:
    first, again = (table.append([{"type": "noted", "text": "so"}], 1, command="x") for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.get_json() == {**first.get_json(), "repeated": True}
    other = table.append([{"type": "noted", "text": "else"}], 1, command="x")
    assert (other.status_code, code(other)) == (422, "command-reused")


@IN_BOTH
def test_two_tables_may_use_the_same_command(client: FlaskClient) -> None:
    one, two = seated(client), seated(client)
    assert [each.append([STAKE], 1, command="1").status_code for each in (one, two)] == [201, 201]


@IN_BOTH
def test_an_event_with_an_id_is_recorded_once(table: Seated) -> None:
    assert [table.append([STAKE], 1).status_code for _ in range(3)] == [201, 200, 200]
    assert table.ask("GET", "").get_json()["version"] == 2


@IN_BOTH
def test_lines_are_as_good_as_a_list(table: Seated) -> None:
    body = b"\n".join(json.dumps(each).encode() for each in (STAKE, HAND)) + b"\n"
    headers = {"If-Match": "1"}
    answer = table.ask("POST", "/events", "scribe", data=body, content_type="application/jsonl", headers=headers)
    assert answer.get_json()["seqs"] == [1, 2]


@pytest.mark.parametrize("role", ["", "seat:1", "arbiter", "nonsense-token"])
def test_only_the_scribe_writes(table: Seated, role: str) -> None:
    assert table.append([STAKE], 1, role).status_code == {"": 401, "nonsense-token": 401}.get(role, 403)


def test_a_cookie_does_not_write_through_the_api(table: Seated) -> None:
    table.client.get(f"/tables/{table.key}/as/{table.tokens['scribe']}")
    assert table.ask("GET", "").get_json()["role"] == "scribe"
    assert table.append([STAKE], 1, "").status_code == 401


@IN_BOTH
def test_a_revoked_link_opens_nothing(table: Seated) -> None:
    links = table.ask("GET", "/links", "scribe").get_json()["links"]
    number = next(link["number"] for link in links if link["role"] == "seat:1")
    assert table.ask("DELETE", f"/links/{number}", "seat:1").status_code == 403
    assert table.ask("DELETE", f"/links/{number}", "arbiter").status_code == 204
    assert table.ask("GET", "", "seat:1").status_code == 401
    assert table.ask("DELETE", "/links/99", "arbiter").status_code == 404


def test_what_was_judged_too_early_is_judged_again(
    table: Seated, desk: TableDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the refusal and the answer the events before came, and then a second delivery of the same ones."""
    append, late = desk.journal.append, list[int]()

    def refused_early(*given: Any, **by: Any) -> Any:
        if not late:
            late.append(append(*given, **by).version)
            raise EventsRefusedError(Refusal((Problem(1, "of", Code.BAD_REFERENCE),)))
        return append(*given, **by)

    monkeypatch.setattr(desk.journal, "append", refused_early)
    answer = table.append([STAKE], 1, command="a")
    assert (answer.status_code, answer.get_json()["version"]) == (200, 2)
    assert late == [2]
    assert len(desk.journal.load(table.key).recording.events) == 2


@IN_BOTH
def test_every_event_tells_who_wrote_it(table: Seated, desk: TableDesk) -> None:
    table.append([STAKE], 1)
    number = next(each.number for each in desk.roles.links(table.key) if each.role == "scribe")
    assert desk.writers(table.key) == ("table", f"scribe/{number}")


@IN_BOTH
def test_a_settlement_is_held_by_a_player_and_ruled_by_the_arbiter(table: Seated) -> None:
    table.append([STAKE, HAND], 1)
    held = {"hand": 1, "text": "miscounted", "act": "hold"}
    assert table.ask("POST", "/holds", "scribe", json=held).status_code == 403
    assert table.ask("POST", "/holds", "seat:2", json=held).status_code == 201
    assert table.ask("POST", "/holds", "seat:3", json=held).status_code == 409
    ruled = {"hand": 1, "text": "stands", "act": "rule"}
    assert table.ask("POST", "/holds", "seat:2", json=ruled).status_code == 403
    assert table.ask("POST", "/holds", "arbiter", json=ruled).status_code == 201
    assert table.ask("GET", "/holds").get_json()["holds"][0]["ruling"] == "stands"


@IN_BOTH
@pytest.mark.parametrize(("act", "role"), [("hold", "seat:2"), ("hold", "arbiter"), ("rule", "arbiter")])
def test_nobody_holds_a_hand_that_never_was(table: Seated, client: FlaskClient, act: str, role: str) -> None:
    table.append([STAKE, HAND], 1)
    for hand in (2, 10**9):
        answer = table.ask("POST", "/holds", role, json={"hand": hand, "text": "miscounted", "act": act})
        assert (answer.status_code, answer.get_json()["error"]["code"]) == (404, "no-hand")
    assert client.get(f"/tables/{table.key}/as/{table.tokens[role]}").status_code == 303
    form = {"hand": "2", "text": "miscounted", act: "1"}
    answer = client.post(f"/tables/{table.key}/holds?lang=en", data=form)
    assert (answer.status_code, "No hand of this number has begun." in answer.text) == (404, True)
    assert table.ask("GET", "/holds").get_json() == {"holds": []}


@IN_BOTH
def test_reading_goes_by_pages(table: Seated) -> None:
    table.append([{"type": "noted", "text": str(n)} for n in range(5)], 1)
    first = table.ask("GET", "/events?limit=4").get_json()
    rest = table.ask("GET", f"/events?after={first['next']}").get_json()
    assert [event["seq"] for event in first["events"] + rest["events"]] == [0, 1, 2, 3, 4, 5]
    assert rest["next"] is None


@IN_BOTH
def test_an_operator_may_demand_tokens(client: FlaskClient, desk: TableDesk) -> None:
    desk.require_token = True
    assert client.post("/api/v1/tables", json={"header": HEADER}).status_code == 401
    assert client.post("/tables", data={"game": "bura"}).status_code == 401
    (made,) = desk.roles.make("", ["operator"])
    bearer = {"Authorization": f"Bearer {made.token}"}
    assert client.post("/api/v1/tables", json={"header": HEADER}, headers=bearer).status_code == 201
    assert len(client.get("/api/v1/tables", headers=bearer).get_json()["tables"]) == 1
    assert client.get("/api/v1/tables").get_json()["tables"] == []


def test_tables_are_begun_only_so_often(desk: TableDesk) -> None:
    client = create_app(desk, secret=b"tests", uploads_a_minute=2).test_client()
    answers = [client.post("/api/v1/tables", json={"header": HEADER}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 429]
    assert code(answers[2]) == "too-many"


@IN_BOTH
def test_spectators_see_it_later_where_it_was_so_agreed(client: FlaskClient) -> None:
    table = seated(client, delay=600)
    table.append([STAKE, HAND], 1)
    assert table.ask("GET", "").get_json()["version"] == 1
    assert table.ask("GET", "", "seat:1").get_json()["version"] == 3
    assert client.get(f"/recordings/{table.key}").status_code == 404


@IN_BOTH
def test_who_sees_all_has_the_verdict_of_the_export_whatever_view_was_declared(
    client: FlaskClient, desk: TableDesk
) -> None:
    made = client.post("/api/v1/tables", json={"header": {**HEADER, "view": "public"}}).get_json()
    table = Seated(client, made["key"], {link["role"]: link["token"] for link in made["links"]})
    cards = ["As", "Ks", "Qs"]
    dealt = [{"type": "dealt", "seat": seat, "cards": cards} for seat in (1, 2)]  # each card twice
    table.append([STAKE, HAND, *dealt], 1)
    verified = desks.verify(desk.journal.export(table.key))
    assert verified["verdict"] == "refuted"
    for role in ("scribe", "arbiter"):
        assert table.ask("GET", "/report", role).get_json() == verified
    for role in ("", "seat:1"):
        assert table.ask("GET", "/report", role).get_json()["recording"]["view"] == "public"
        assert '"As"' not in table.ask("GET", "/events", role).get_data(as_text=True)


@IN_BOTH
def test_spectators_who_see_it_later_hear_of_a_held_settlement_later(client: FlaskClient, desk: TableDesk) -> None:
    table = seated(client, delay=600)
    table.append([STAKE, HAND, {"type": "hand_ended", "reason": "misdeal"}], 1)
    text = "he had the ace of spades"
    held = {"hand": 1, "text": text, "act": "hold"}
    assert table.ask("POST", "/holds", "seat:1", json=held).status_code == 201
    for role, told in (("", 0), ("seat:2", 1), ("arbiter", 1)):
        assert len(table.ask("GET", "/holds", role).get_json()["holds"]) == told
    assert text not in client.get(f"/tables/{table.key}/watch").get_data(as_text=True)
    client.get(f"/tables/{table.key}/as/{table.tokens['seat:2']}")
    assert text in client.get(f"/tables/{table.key}/watch").get_data(as_text=True)
    soon = seated(client)
    soon.append([STAKE, HAND, {"type": "hand_ended", "reason": "misdeal"}], 1)
    soon.ask("POST", "/holds", "seat:1", json=held)
    assert len(soon.ask("GET", "/holds").get_json()["holds"]) == 1


@pytest.mark.parametrize(
    "body",
    [
        b"", b"[", b"[]", b"null", b'{"events":1}', b'{"events":[]}', b'{"events":[1]}', b'{"a":1}', b'{"events":[{}]}',
        b'{"events":[{"type":"\\ud800"}]}', b'{"events":[{"type":"noted","text":NaN}]}', b"[" * 100_000, b"\xff",
        b'{"events":[{"type":"noted","text":"a"}],"events":[]}', b'{"events":[{"type":"staked","amount":1e400}]}',
        b'{"events":[{"amount":' + b"9" * 5000 + b"}]}",
        b'{"events":[{"type":"noted","x_":' + b"[" * 500 + b"]" * 500 + b"}]}",
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["application/json", "application/jsonl", "text/plain", ""])
def test_bad_bodies_are_refused_in_one_shape(table: Seated, body: bytes, kind: str) -> None:
    headers = {"If-Match": '"1"'}
    answer = table.ask("POST", "/events", "scribe", data=body, content_type=kind, headers=headers)
    assert answer.status_code in (400, 415, 422)
    assert code(answer)
    made = table.client.post("/api/v1/tables", data=body, content_type=kind)
    assert made.status_code in (400, 422)
    assert code(made)


@pytest.mark.parametrize("header", ["x", '"01"', "*", '"1", "2"', "-1", "9" * 40])
def test_a_version_that_is_none_is_refused(table: Seated, header: str) -> None:
    answer = table.ask("POST", "/events", "scribe", json={"events": [STAKE]}, headers={"If-Match": header})
    assert (answer.status_code, code(answer)) == (400, "bad-version")


@IN_BOTH
def test_what_is_not_there_is_refused_in_the_same_shape(client: FlaskClient) -> None:
    nowhere = "0" * 16
    for path in ("nothing", f"tables/{nowhere}", "tables/x", f"tables/{nowhere}/events"):
        answer = client.get(f"/api/v1/{path}")
        assert answer.status_code == 404
        assert code(answer)
    assert code(client.put("/api/v1/tables")) == "method-not-allowed"


def test_the_document_is_openapi_and_names_every_route(client: FlaskClient, app: Any) -> None:
    document = client.get("/api/v1/openapi.json").get_json()
    validate(document)
    assert document["openapi"].startswith("3.1")
    routes = {
        (str(rule).replace("<key:key>", "{key}").replace("<number:one>", "{number}"), method.lower())
        for rule in app.url_map.iter_rules()
        if rule.endpoint.startswith(("live_api.", "listing.")) and not rule.endpoint.endswith("openapi")
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    assert routes == {(path, method) for path, item in document["paths"].items() for method in item}
    assert document == json.loads(json.dumps(live_openapi.document()))


@IN_BOTH
def test_there_is_no_link_for_a_seat_that_nobody_holds(table: Seated) -> None:
    """It opened the cards of whoever might sit down there later, and looked as if somebody sat there."""
    before = table.ask("GET", "/links", "scribe").get_json()
    assert table.ask("POST", "/links", "scribe", json={"role": "seat:4"}).status_code == 400
    form = {"data": {"role": "seat:4"}, "headers": {"Authorization": f"Bearer {table.tokens['scribe']}"}}
    assert table.client.post(f"/tables/{table.key}/links", **form).status_code == 400
    assert table.ask("GET", "/links", "scribe").get_json() == before
    assert table.append([{"type": "player_joined", "seat": 4, "name": "Zoë"}], 1).status_code == 201
    assert table.ask("POST", "/links", "scribe", json={"role": "seat:4"}).status_code == 201
    assert table.append([{"type": "player_left", "seat": 4}], 2).status_code == 201
    assert table.ask("POST", "/links", "scribe", json={"role": "seat:4"}).status_code == 201
