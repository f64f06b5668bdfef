"""A desk that writes, the application over it, and a table with its tokens."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.serving import make_server
from werkzeug.test import TestResponse

from recorder.journal import Journal
from replay.desk_live import TableDesk
from replay.web.app import create_app
from tests.once import compile_once

compile_once()

Json = dict[str, Any]
HEADER: Json = {
    "game": "bura",
    "rules": {"preset": "bura/classic-36@1", "options": {"molodka_turn": "out_of_turn"}},
    "seats": ["Анна", "Борис", "Вера"],
}


@dataclass
class Seated:
    """A table made through the API, and who holds which token."""

    client: FlaskClient
    key: str
    tokens: dict[str, str]

    def ask(self, method: str, path: str, role: str = "", **how: Any) -> TestResponse:
        headers = dict(how.pop("headers", {}))
        if role:
            headers["Authorization"] = f"Bearer {self.tokens.get(role, role)}"
        return self.client.open(f"/api/v1/tables/{self.key}{path}", method=method, headers=headers, **how)

    def append(
        self, events: list[Json], version: int, role: str = "scribe", command: str | None = None
    ) -> TestResponse:
        headers = {"If-Match": f'"{version}"'} | ({"Idempotency-Key": command} if command else {})
        return self.ask("POST", "/events", role, json={"events": events}, headers=headers)


@pytest.fixture
def desk(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[TableDesk]:
    """Over a journal in a file; a test that uses `place` is done over one on a server as well."""
    served = "place" in request.fixturenames
    journal = Journal.open(request.getfixturevalue("place") if served else tmp_path / "journal.db")
    yield TableDesk(journal)
    journal.close()


@pytest.fixture
def app(desk: TableDesk) -> Flask:
    app = create_app(desk, secret=b"tests", uploads_a_minute=10_000)
    app.config["WTF_CSRF_ENABLED"] = False
    return app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def seated(client: FlaskClient, **more: Any) -> Seated:
    answer = client.post("/api/v1/tables", json={"header": HEADER, **more})
    assert answer.status_code == 201, answer.get_data(as_text=True)
    made = answer.get_json()
    return Seated(client, made["key"], {link["role"]: link["token"] for link in made["links"]})


@pytest.fixture
def table(client: FlaskClient) -> Seated:
    return seated(client)


@pytest.fixture
def address(desk: TableDesk) -> Iterator[str]:
    """The address of the real application, with its forms' tokens, served on this machine."""
    server = make_server("127.0.0.1", 0, create_app(desk, secret=b"tests"), threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()
