"""Where names were erased, no page tells them any more, not even one that was drawn before; it says that they were."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from recorder.journal import Journal
from recorder.words import topic
from replay.desk_live import TableDesk
from replay.web.app import create_app
from tests.live.conftest import HEADER, seated
from tests.live.test_matrix import EVENTS
from tests.web.test_real import put


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[TableDesk]:
    journal = Journal.open(tmp_path / "journal.db")
    yield TableDesk(journal, open_house=True)
    journal.close()


@pytest.fixture
def served(desk: TableDesk) -> FlaskClient:
    app = create_app(desk, secret=b"tests")
    app.config["WTF_CSRF_ENABLED"] = False
    return app.test_client()


def names_in(served: FlaskClient, paths: list[str], names: tuple[str, ...]) -> dict[str, list[str]]:
    answers = {path: served.get(path) for path in paths}
    found = {path: str(answer.get_json() if answer.is_json else answer.text) for path, answer in answers.items()}
    return {path: [name for name in names if name in text] for path, text in found.items()}


def test_pages_drawn_before_tell_no_name_afterwards(desk: TableDesk, served: FlaskClient) -> None:
    id_ = put(desk, "bura/dispute-open-01")
    names = desk.journal.load(id_).recording.began.seats
    endings = ("", ".json", "/report", "/report.json", "/recording.jsonl", "/ledger.csv", "/hands/1/events/3",
               "/hands/1/events/3.json", "/hands/1/events/3.svg", "/hands/1/steps.json", "/receipt.json")  # fmt: skip
    paths = ["/", f"/recordings/{id_}/hands/1/dispute", *(f"/recordings/{id_}{ending}" for ending in endings)]
    before = names_in(served, paths, names)
    assert sum(bool(found) for found in before.values()) > 6
    said = {lang: str(topic("log", lang)["said"]["erased"]) for lang in ("en", "ru", "fr")}
    assert said["en"] not in served.get(f"/recordings/{id_}?lang=en").get_data(as_text=True)
    desk.journal.erase(id_)
    assert {path: found for path, found in names_in(served, paths, names).items() if found} == {}
    for lang, sentence in said.items():
        for path in (f"/recordings/{id_}", f"/recordings/{id_}/report"):
            assert sentence in served.get(f"{path}?lang={lang}").get_data(as_text=True)


def test_a_table_tells_no_name_afterwards(desk: TableDesk, served: FlaskClient) -> None:
    table = seated(served)
    table.append(EVENTS, 1)
    paths = [f"/tables/{table.key}/watch", f"/api/v1/tables/{table.key}/events", f"/recordings/{table.key}"]
    names = tuple(HEADER["seats"])
    assert all(names_in(served, paths, names).values())
    desk.journal.erase(table.key)
    assert not any(names_in(served, paths, names).values())
