"""Every route and every role, from the url map: a live recording shows each role its view and no more."""

import json
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from flask import Flask
from flask.testing import FlaskClient

from recorder.journal import Journal
from replay import desk as desks
from replay.audit.sight import redact
from replay.desk_live import TableDesk
from replay.web import live_stream
from replay.web.app import create_app
from tests.live.conftest import HEADER, Json, Seated, seated

ROLES = ("", "seat:1", "seat:2", "scribe", "arbiter")
EVENTS: list[Json] = [
    {"type": "stake_set", "amount": 10},
    {"type": "hand_began", "hand": 1, "dealer": 3},
    *({"type": "staked", "seat": seat, "amount": 10, "why": "ante"} for seat in (1, 2, 3)),
    {"type": "dealt", "seat": 1, "cards": ["Ks", "Qh", "8d"]},
    {"type": "dealt", "seat": 2, "cards": ["Js", "9h", "7d"]},
    {"type": "dealt", "seat": 3, "cards": ["Tc", "9c", "6d"]},
    {"type": "trump_turned", "card": "7h"},
    {"type": "played", "seat": 1, "cards": ["Ks"], "face": "up"},
    {"type": "played", "seat": 2, "cards": ["7d"], "face": "down"},
]
WORDS = {
    "Ks": "king of spades", "Qh": "queen of hearts", "8d": "eight of diamonds", "Js": "jack of spades",
    "9h": "nine of hearts", "7d": "seven of diamonds", "Tc": "ten of clubs", "9c": "nine of clubs",
    "6d": "six of diamonds",
}  # fmt: skip
PLAIN = ("static", "cards", "uploads.", "reference.", "api.", "live_api.openapi")
ALL_UNPLACED = ("disputes.",)
"""Pages that list every card the view cannot place, wherever it lies: they are compared with another deal instead."""
OTHER_FACES = {
    "Qh": "As", "8d": "Ah", "Js": "Ad", "9h": "Ac", "7d": "Kd", "Tc": "Kc", "9c": "Kh", "6d": "Qs",
}  # fmt: skip
OF_THE_ADDRESS = r'[0-9a-f]{8,}|"ImE[^"]+|d="M0 0h1v1h-1z[^"]*"'
"""Keys, the form's token, the QR code."""
STREAMS = ("live_api.stream", "watch.stream")


@dataclass
class House:
    app: Flask
    table: Seated
    desk: TableDesk
    hidden: dict[str, set[str]]


@pytest.fixture(scope="module", params=[False, True], ids=["closed", "open"])
def house(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[House]:
    journal = Journal.open(tmp_path_factory.mktemp("matrix") / "journal.db")
    desk = TableDesk(journal, open_house=request.param)
    app = create_app(desk, secret=b"tests", uploads_a_minute=10_000)
    app.config["WTF_CSRF_ENABLED"] = False
    table = seated(app.test_client())
    assert table.append(EVENTS, 1).status_code == 201
    whole = journal.load(table.key).recording
    faces = set(WORDS)
    hidden = {}
    for role in ROLES:
        view = {"": "public", "scribe": "full", "arbiter": "full"}.get(role, role)
        text = b"\n".join(redact(whole, view, desks.house_of(whole).rules).lines).decode()
        hidden[role] = {face for face in faces if f'"{face}"' not in text}
    assert len(hidden[""]) == 8
    assert len(hidden["seat:1"]) == 6
    assert not hidden["scribe"]
    yield House(app, table, desk, hidden)
    journal.close()


def entered(house: House, role: str) -> FlaskClient:
    client = house.app.test_client()
    if role:
        assert client.get(f"/tables/{house.table.key}/as/{house.table.tokens[role]}").status_code == 303
    return client


def addresses(app: Flask, key: str) -> list[tuple[str, str]]:
    """Every route that can be read, filled with this table, its hand and its events."""
    values = {"id_": key, "key": key, "hand": "1", "seq": "10", "one": "1", "number": "1", "token": "x" * 24}
    found = []
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.endpoint.startswith(PLAIN):
            continue
        path = str(rule)
        for name in rule.arguments:
            at = path.index(f":{name}>") if f":{name}>" in path else path.index(f"<{name}>")
            start = path.rindex("<", 0, at + 1)
            path = path[:start] + values.get(name, "x") + path[path.index(">", at) + 1 :]
        found.append((rule.endpoint, path))
    return found


def tells(text: str, face: str) -> bool:
    return f'"{face}"' in text or f"#{face}" in text or f"#s{face}" in text or WORDS[face] in text


@pytest.mark.parametrize("role", ROLES)
def test_no_route_tells_a_role_more_than_its_view(house: House, role: str) -> None:
    client = entered(house, role)
    seen = 0
    for endpoint, path in addresses(house.app, house.table.key):
        for view in ("", "?view=public", "?view=seat:1", "?view=seat:2", "?view=full", "?view=full&lang=en"):
            if endpoint in STREAMS or endpoint.startswith(ALL_UNPLACED):
                continue
            answer = client.get(path + view, headers={"Accept-Language": "en"})
            assert answer.status_code < 500, path
            text = answer.get_data(as_text=True)
            if endpoint == "tables.pad" and answer.status_code == 200:
                assert role == "scribe"
                continue
            seen += answer.status_code == 200
            assert [face for face in house.hidden[role] if tells(text, face)] == [], (path, view)
    assert seen > 15


def test_a_dispute_is_the_same_whatever_the_table_has_not_seen(client: FlaskClient) -> None:
    told = []
    for faces in ({}, OTHER_FACES):
        table = seated(client)
        events = [
            {**event, "cards": [faces.get(card, card) for card in event["cards"]]} if "cards" in event else event
            for event in EVENTS
        ]
        assert table.append(events, 1).status_code == 201
        pages = [path for name, path in addresses(client.application, table.key) if name.startswith(ALL_UNPLACED)]
        assert len(pages) >= 2
        answers = [client.get(f"{path}?lang=en{more}") for path in pages for more in ("", "&view=full", "&view=seat:2")]
        texts = [re.sub(OF_THE_ADDRESS, "#", answer.get_data(as_text=True)) for answer in answers]
        told.append([(answer.status_code, text) for answer, text in zip(answers, texts, strict=True)])
    assert told[0] == told[1]


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("path", ["/api/v1/tables/{}/stream", "/tables/{}/stream?lang=en"])
def test_the_stream_tells_a_role_its_view(
    house: House, role: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_stream, "_places", threading.BoundedSemaphore())  # others may hold streams still
    client = entered(house, role)
    with client.get(path.format(house.table.key), buffered=False) as answer:
        pieces = iter(answer.response)
        text = b"".join(next(pieces) for _ in range(2)).decode()  # type: ignore[misc]
    assert text.count("id: ") == len(EVENTS) + 1
    assert [face for face in house.hidden[role] if tells(text, face)] == []


@pytest.mark.parametrize("role", ROLES)
def test_every_route_that_writes_asks_for_the_role(house: House, role: str) -> None:
    client, before = entered(house, role), house.desk.table(house.table.key).events
    for rule in house.app.url_map.iter_rules():
        if not rule.endpoint.startswith(("tables.", "table_mend.", "live_api.", "watch.")):
            continue
        for method in sorted((rule.methods or set()) & {"POST", "DELETE", "PUT"}):
            path = str(rule).replace("<key:key>", house.table.key).replace("<number:one>", "99")
            path = path.replace("<number:seq>", "1")
            answer = client.open(path, method=method, data={"way": "strike", "reason": "so"})
            assert answer.status_code < 500
            if role != "scribe" or rule.endpoint.startswith("live_api."):
                assert answer.status_code in (400, 401, 403), (path, method, answer.status_code)
    assert house.desk.table(house.table.key).events - before == (1 if role == "scribe" else 0)


def test_a_finished_table_is_whole_to_who_had_a_role_and_closed_to_others(client: FlaskClient, desk: TableDesk) -> None:
    table = seated(client)
    table.append([*EVENTS, {"type": "recording_ended", "events": len(EVENTS) + 2}], 1)
    stranger = client.get(f"/recordings/{table.key}/recording.jsonl").get_data(as_text=True)
    assert '"Js"' not in stranger
    client.get(f"/tables/{table.key}/as/{table.tokens['seat:1']}")
    assert '"Js"' in client.get(f"/recordings/{table.key}/recording.jsonl").get_data(as_text=True)
    assert json.loads(client.get(f"/api/v1/tables/{table.key}").data)["ended"] is True
    assert HEADER["seats"][0] in client.get(f"/tables/{table.key}/watch").get_data(as_text=True)
