"""A disk that is full, a journal that is locked or was changed: the site tells it, and goes on with the rest."""

import contextlib
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined] # the one sqlite-utils itself found

from recorder import sqlite_file
from recorder.journal import Journal
from recorder.words import load
from replay.desk_live import TableDesk
from replay.web.app import create_app
from tests.check_cases import recording_path
from tests.recorder.raw import opened
from tests.web.test_real import put

LANGUAGES = ("en", "ru", "fr")


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


def upload(served: FlaskClient, case: str) -> int:
    data = {"text": recording_path(case).read_text(encoding="utf-8")}
    return served.post("/recordings", data=data).status_code


def test_a_recording_somebody_changed_is_told_and_hides_no_other(
    desk: TableDesk, served: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    changed, sound = put(desk, "bura/clean-01"), put(desk, "bura/clean-03")
    with opened(desk.journal.path, unguarded=True) as rows:
        rows.execute(
            "UPDATE payloads SET body = x'00' WHERE idx = (SELECT idx FROM events WHERE rec = ? AND seq = 7)", [changed]
        )
    for lang in LANGUAGES:
        words = load(lang)
        shelf = served.get(f"/?lang={lang}")
        assert shelf.status_code == 200
        assert f"/recordings/{sound}" in shelf.text
        assert str(words["ui"]["shelf"]["broken"]) in shelf.text
        assert str(words["ui"]["shelf"]["broken_at"]).format(seq=7) in shelf.text
        page = served.get(f"/recordings/{changed}?lang={lang}")
        assert page.status_code == 503
        assert str(words["ui"]["error"]["broken"]) in page.text
    for ending in (".json", "/report.json", "/receipt.json", "/hands/1/steps.json", "/events/3/fit.json"):
        answer = served.get(f"/recordings/{changed}{ending}")
        assert (answer.status_code, answer.get_json()["error"]["code"]) == (503, "not-as-stored"), ending
    assert served.get(f"/recordings/{sound}").status_code == 200
    assert "log/chain-broken at event 7" in caplog.text
    assert changed not in "".join(record.getMessage() for record in caplog.records)


def test_a_full_disk_is_told_and_with_room_it_goes_on(desk: TableDesk, served: FlaskClient) -> None:
    put(desk, "bura/clean-01")
    database = desk.journal._connections.database()
    pages = database.execute("PRAGMA page_count").fetchone()[0]
    database.execute(f"PRAGMA max_page_count = {pages}")
    assert upload(served, "bura/clean-03") == 503
    assert served.get("/").status_code == 200
    database.execute("PRAGMA max_page_count = 100000")
    assert upload(served, "bura/clean-03") == 303


def test_without_room_it_is_not_ready(served: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    assert served.get("/readyz").status_code == 200
    monkeypatch.setattr(sqlite_file, "LEAST_ROOM", 1 << 62)
    answer = served.get("/readyz")
    assert (answer.status_code, answer.get_json()) == (503, {"ready": False, "reason": "store/full"})
    assert served.get("/healthz").status_code == 200


def test_a_journal_somebody_else_holds_is_not_ready(desk: TableDesk, served: FlaskClient) -> None:
    with contextlib.closing(sqlite3.connect(str(desk.journal.path), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = served.get("/readyz")
        assert (answer.status_code, answer.get_json()["reason"]) == (503, "store/busy")
        assert served.get("/").status_code == 200
    assert served.get("/readyz").status_code == 200


def test_a_file_that_may_only_be_read_is_told(
    desk: TableDesk, served: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    desk.journal._connections.database().execute("PRAGMA query_only = ON")
    with caplog.at_level(logging.ERROR):
        assert upload(served, "bura/clean-01") == 503
    assert "journal: unwritable" in caplog.text
