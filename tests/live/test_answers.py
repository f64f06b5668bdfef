"""Every answer that the OpenAPI document names is given by a table that is played at, in the shape that it names."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator

from replay.desk_live import TableDesk
from replay.web import turns
from schemas.values import GREATEST
from tests.live.conftest import HEADER, Json, Seated
from tests.recorder.raw import opened

HANDS: list[Json] = [
    {"type": "stake_set", "amount": 10},
    {"type": "hand_began", "hand": 1, "dealer": 3},
    {"type": "hand_ended", "reason": "misdeal"},
    {"type": "hand_began", "hand": GREATEST, "dealer": 3},
    {"type": "dealt", "seat": 1, "cards": ["??", "??", "??"]},
]
VERSION = len(HANDS) + 1
TABLE = "/tables/{key}"


@dataclass
class Asking:
    """Asks by the document, and remembers what was answered."""

    table: Seated
    document: Json
    answered: set[tuple[str, str, int]] = field(default_factory=set)

    def __call__(self, method: str, path: str, status: int, role: str = "", **how: Any) -> Any:
        headers = how.pop("headers", {}) | (
            {"Authorization": f"Bearer {self.table.tokens.get(role, role)}"} if role else {}
        )
        address = f"/api/v1{path}".format(key=how.pop("key", self.table.key), number=how.pop("number", 1))
        answer = self.table.client.open(address, method=method, headers=headers, **how)
        assert answer.status_code == status, (method, path, answer.get_data(as_text=True))
        named = self.document["paths"][f"/api/v1{path}"][method]["responses"][str(status)]
        if "content" in named:
            shape = named["content"]["application/json"]["schema"] | {"components": self.document["components"]}
            Draft202012Validator(shape).validate(answer.get_json())
        self.answered.add((method, path, status))
        return answer.get_json()

    def append(self, status: int, events: list[Json], version: int | None = VERSION, role: str = "scribe") -> None:
        headers = {} if version is None else {"If-Match": f'"{version}"'}
        self("post", f"{TABLE}/events", status, role, json={"events": events}, headers=headers)


@pytest.fixture
def asking(table: Seated, client: FlaskClient) -> Asking:
    document = client.get("/api/v1/openapi.json").get_json()
    assert table.append(HANDS, 1).status_code == 201
    return Asking(table, document)


def play(asking: Asking, desk: TableDesk) -> None:
    """What a game server asks for, and some of what it is refused."""
    operator = desk.roles.make("", ["operator"])[0].token
    asking("post", "/tables", 201, operator, json={"header": HEADER, "delay": 5})
    assert len(asking("get", "/tables", 200, operator)["tables"]) == 2
    assert len(asking("get", "/recordings", 200, operator)["recordings"]) == 2
    for role in ("", "seat:1", "scribe"):
        asking("get", TABLE, 200, role)
        asking("get", f"{TABLE}/events", 200, role)
        asking("get", f"{TABLE}/report", 200, role)
    noted = {"type": "noted", "text": "so", "id": "a"}
    asking.append(201, [noted, {"type": "hand_began", "hand": 10**9, "dealer": 1}])
    asking.append(200, [noted])
    assert asking("post", f"{TABLE}/links", 201, "scribe", json={"role": "seat:2"})["role"] == "seat:2"
    number = asking("get", f"{TABLE}/links", 200, "scribe")["links"][-1]["number"]
    asking("delete", f"{TABLE}/links/{{number}}", 204, "scribe", number=number)
    asking("post", f"{TABLE}/holds", 201, "seat:1", json={"hand": 10**9, "text": "no", "act": "hold"})
    assert asking("get", f"{TABLE}/holds", 200)["holds"][0]["hand"] == 10**9
    asking("post", f"{TABLE}/confirmations", 201, "seat:1", json={"hand": 1})
    assert len(asking("get", f"{TABLE}/confirmations", 200)["confirmations"]) == 1


def test_a_table_that_is_played_at_gives_every_answer_as_the_document_says(asking: Asking, desk: TableDesk) -> None:
    play(asking, desk)
    told = {
        (method, path.removeprefix("/api/v1"), int(status))
        for path, item in asking.document["paths"].items()
        for method, made in item.items()
        for status in made["responses"]
        if status.startswith("2") and not path.endswith("/stream")
    }
    assert asking.answered == told


def test_a_journal_that_is_not_as_it_was_stored(asking: Asking, desk: TableDesk) -> None:
    with opened(desk.journal.path, unguarded=True) as rows:
        rows.execute("UPDATE payloads SET body = x'00' WHERE idx = 1")
    for path in ("", "/events", "/report", "/confirmations"):
        answer = asking("get", f"{TABLE}{path}", 503, "scribe")
        assert answer["error"]["code"] == "not-as-stored"


def test_too_much_at_once(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "MOST_AT_ONCE", 0)
    asking.table.client.environ_base["REMOTE_ADDR"] = "198.51.100.7"
    for path, item in asking.document["paths"].items():
        for method in item:
            if not path.endswith("/stream"):
                answer = asking(method, path.removeprefix("/api/v1"), 429, "scribe")
                assert answer["error"]["code"] == "too-many"
