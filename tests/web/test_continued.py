"""An upload that goes on from a recording stored before is shown as its continuation, on both pages and to programs."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from recorder.journal import Journal
from replay.desk_live import TableDesk
from replay.web.app import create_app
from tests.cli.razbor import data_of, razbor
from tests.integrity.evening import SAMPLE

LINES = SAMPLE.read_bytes().splitlines(keepends=True)
HALF, WHOLE = b"".join(LINES[:8]), b"".join(LINES)


@pytest.fixture(params=[False, True], ids=["closed", "open"])
def client(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[FlaskClient]:
    journal = Journal.open(tmp_path / "journal.db")
    app = create_app(TableDesk(journal, open_house=request.param), secret=b"tests", uploads_a_minute=10_000)
    app.config["WTF_CSRF_ENABLED"] = False
    yield app.test_client()
    journal.close()


def put(client: FlaskClient, data: bytes, asked: str = "") -> dict[str, object]:
    made: dict[str, object] = client.post(f"/api/v1/recordings{asked}", data=data).get_json()
    return made


def test_the_api_and_both_pages_tell(client: FlaskClient) -> None:
    half = put(client, HALF, "?public=1")
    whole = put(client, WHOLE, "?public=1")
    assert (half["continues"], whole["continues"]) == (None, half["id"])
    assert put(client, WHOLE)["continues"] == half["id"]
    page = client.get(f"/recordings/{whole['id']}?lang=en").get_data(as_text=True)
    assert f'<a href="/recordings/{half["id"]}">It continues {half["id"]}</a>' in page
    page = client.get(f"/recordings/{half['id']}?lang=en").get_data(as_text=True)
    assert f'<a href="/recordings/{whole["id"]}">It is continued by {whole["id"]}</a>' in page
    assert client.get(f"/recordings/{half['id']}.json").get_json()["continued"][0]["href"].endswith(str(whole["id"]))
    assert "continue" not in client.get(f"/recordings/{half['id']}?blind=1&lang=en").get_data(as_text=True)


def test_the_row_of_an_upload_tells(client: FlaskClient) -> None:
    files = [(io.BytesIO(HALF), "half.jsonl"), (io.BytesIO(WHOLE), "whole.jsonl")]
    page = client.post("/recordings?lang=en", data={"files": files}).get_data(as_text=True)
    half = put(client, HALF)["id"]
    assert f'<a href="/recordings/{half}">It continues {half}</a>' in page


def test_an_address_that_is_a_private_link_is_not_given_away(client: FlaskClient) -> None:
    """Nobody listed these: the half's readers do not learn of the whole; the whole's readers see the half anyway."""
    half, whole = put(client, HALF)["id"], put(client, WHOLE)["id"]
    seen = str(whole) in client.get(f"/recordings/{half}").get_data(as_text=True)
    assert seen == client.application.extensions["razbor-desk"].open_house
    assert str(half) in client.get(f"/recordings/{whole}").get_data(as_text=True)


def test_of_a_listed_one_only_who_sees_the_whole_of_it_learns_what_it_goes_on_from(client: FlaskClient) -> None:
    half, whole = put(client, HALF)["id"], put(client, WHOLE, "?public=1")
    for asked, told in (("", client.application.extensions["razbor-desk"].open_house), (f"?k={whole['key']}", True)):
        page = client.get(f"/recordings/{whole['id']}{asked}", follow_redirects=True).get_data(as_text=True)
        assert (str(half) in page) is told, asked


def test_the_command_line_tells(tmp_path: Path) -> None:
    (tmp_path / "half.jsonl").write_bytes(HALF)
    (tmp_path / "whole.jsonl").write_bytes(WHOLE)
    db = str(tmp_path / "journal.db")
    (half,) = data_of(razbor("add", str(tmp_path / "half.jsonl"), "--db", db, "--json"))
    (whole,) = data_of(razbor("add", str(tmp_path / "whole.jsonl"), "--db", db, "--json"))
    assert (half["continues"], whole["continues"]) == (None, half["key"])
    said = razbor("add", str(tmp_path / "whole.jsonl"), "--db", db).stdout.splitlines()
    assert said[-1] == f"{whole['key']} continues {half['key']}"
