"""Alive, ready, counted and logged, without a card, a name or an address."""

import json
import logging
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from recorder.journal import Journal
from recorder.store import StoreError
from recorder.words import topic
from replay.cli_serve_log import OneLine
from replay.desk_journal import JournalDesk
from replay.desk_live import TableDesk
from replay.web.app import create_app
from tests.web.test_real import put


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[JournalDesk]:
    journal = Journal.open(tmp_path / "journal.db")
    yield JournalDesk(journal, open_house=True)
    journal.close()


@pytest.fixture
def kept(desk: JournalDesk) -> Flask:
    return create_app(desk, secret=b"tests")


@pytest.fixture
def served(kept: Flask) -> FlaskClient:
    return kept.test_client()


def test_alive_and_ready(served: FlaskClient) -> None:
    assert served.get("/healthz").data == b"ok\n"
    answer = served.get("/readyz")
    assert (answer.status_code, answer.get_json()) == (200, {"ready": True, "reason": None})


def test_an_old_copy_is_alive_and_not_ready(desk: JournalDesk, served: FlaskClient) -> None:
    path = desk.journal.path
    assert isinstance(path, Path)
    desk.journal.close()
    shutil.copy(path, path.with_name("old.db"))
    put(desk, "bura/clean-01")
    desk.journal.close()
    shutil.copy(path.with_name("old.db"), path)
    assert desk.seal.sign() is None
    answer = served.get("/readyz")
    assert (answer.status_code, answer.get_json()["reason"]) == (503, "log/missing-events")
    assert served.get("/healthz").status_code == 200


def test_where_the_journal_s_server_is_away_that_is_told(
    desk: JournalDesk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    served = create_app(TableDesk(desk.journal), secret=b"tests").test_client()

    def away(*_: object, **__: object) -> None:
        raise StoreError("unreachable", "nobody listens")

    for question in ("size", "list", "entry"):
        monkeypatch.setattr(desk.journal, question, away)
    answer = served.get("/readyz")
    assert (answer.status_code, answer.get_json()) == (503, {"ready": False, "reason": "store/unreachable"})
    assert served.get("/healthz").status_code == 200
    for lang in ("en", "ru", "fr"):
        page = served.get(f"/?lang={lang}")
        assert page.status_code == 503
        assert str(topic("ui", lang)["error"]["away"]) in page.get_data(as_text=True)
    told = served.get("/api/v1/recordings?lang=en")
    assert (told.status_code, told.get_json()["error"]["code"]) == (503, "journal-away")
    assert "journal: unreachable: nobody listens" in caplog.text


def test_metrics_are_shut_unless_opened(served: FlaskClient) -> None:
    assert served.get("/metrics").status_code == 404


def test_metrics_count_and_name_nothing(desk: JournalDesk, kept: Flask, served: FlaskClient) -> None:
    kept.config["METRICS"] = True
    id_ = put(desk, "bura/clean-01")
    for address in (f"/recordings/{id_}", f"/recordings/{id_}", "/nowhere", "/recordings/0123456789abcdef"):
        served.get(address)
    served.open("/", method='BREW"7s')
    answer = served.get("/metrics")
    text = answer.get_data(as_text=True)
    assert answer.content_type.startswith("text/plain; version=0.0.4")
    assert 'razbor_requests_total{page="recordings.recording",method="GET",status="200"} 2' in text
    assert 'razbor_requests_total{page="none",method="GET",status="404"} 1' in text
    assert f"\nrazbor_events {desk.journal.size()[0]}\n" in text
    assert "\nrazbor_recordings 1\n" in text
    assert "\nrazbor_writable 1\n" in text
    assert "\nrazbor_signatures_failed_total 0\n" in text
    assert id_ not in text
    line = re.compile(r'# TYPE razbor_\w+ (counter|gauge)|razbor_\w+(\{\w+="[\w./]+"(,\w+="[\w./]+")*\})? [0-9.]+')
    assert [each for each in text.splitlines() if not line.fullmatch(each)] == []


def test_a_request_is_one_line_of_log(desk: JournalDesk, served: FlaskClient, caplog: pytest.LogCaptureFixture) -> None:
    id_ = put(desk, "bura/clean-01")
    with caplog.at_level(logging.INFO, "razbor.access"):
        served.get(f"/recordings/{id_}/hands/1/events/3?k=secret")
    (record,) = [each for each in caplog.records if each.name == "razbor.access"]
    told = json.loads(OneLine().format(record))
    assert (told["page"], told["method"], told["status"]) == ("recordings.event", "GET", 200)
    assert set(told) == {"at", "level", "from", "page", "method", "status", "ms"}
    assert id_ not in record.getMessage()
    assert "secret" not in record.getMessage()


def test_an_exception_is_logged_without_what_it_says(caplog: pytest.LogCaptureFixture) -> None:
    try:
        raise KeyError("seven-of-spades")
    except KeyError:
        logging.getLogger("razbor.web").exception("Exception on /recordings/x")
    text = OneLine().format(caplog.records[0])
    assert "seven-of-spades" not in text
    assert json.loads(text)["error"] == "KeyError"
    assert "test_operations.py" in json.loads(text)["where"][0]
