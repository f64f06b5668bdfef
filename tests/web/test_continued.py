"""An upload that goes on from a recording stored before is shown as its continuation, on both pages and to programs."""

import io
import json
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


@pytest.mark.parametrize("ended", [False, True])
def test_a_guess_at_a_table_s_hidden_cards_is_not_answered(client: FlaskClient, ended: bool) -> None:
    """Seat 2 brings the log with one card seat 1 may hold: only who sees all cards is told that it is the right one."""
    desk = client.application.extensions["razbor-desk"]
    events = [json.loads(line) for line in LINES[:6]]
    made = client.post("/api/v1/tables", json={"header": events[0]}).get_json()
    links = {link["role"]: link for link in made["links"]}
    end = [{"type": "recording_ended", "events": 7}] if ended else []
    body = {"events": [*({key: kept for key, kept in event.items() if key != "seq"} for event in events[1:]), *end]}
    headers = {"Authorization": f"Bearer {links['scribe']['token']}", "If-Match": '"1"'}
    assert client.post(f"/api/v1/tables/{made['key']}/events", json=body, headers=headers).status_code == 201
    lines = desk.journal.load(made["key"]).recording.lines
    for number, role in enumerate(("", "seat:2", "scribe")):
        asking = client.application.test_client()
        if role:
            asking.get(links[role]["href"])
        guess = b"\n".join([*lines, b'{"seq":%d,"text":"%d","type":"noted"}' % (len(lines), number)])
        tried = asking.post("/api/v1/recordings", data=guess, headers={"Authorization": "Bearer " + "x" * 24})
        assert tried.status_code == 201  # a false token tells nothing either
        found = tried.get_json()
        page = asking.get(f"/recordings/{found['id']}").get_data(as_text=True)
        known = role == "scribe" or (ended and (desk.open_house or role != ""))
        assert (found["continues"] is not None, made["key"] in page) == (known, known), role


def test_the_command_line_tells(tmp_path: Path) -> None:
    (tmp_path / "half.jsonl").write_bytes(HALF)
    (tmp_path / "whole.jsonl").write_bytes(WHOLE)
    db = str(tmp_path / "journal.db")
    (half,) = data_of(razbor("add", str(tmp_path / "half.jsonl"), "--db", db, "--json"))
    (whole,) = data_of(razbor("add", str(tmp_path / "whole.jsonl"), "--db", db, "--json"))
    assert (half["continues"], whole["continues"]) == (None, half["key"])
    said = razbor("add", str(tmp_path / "whole.jsonl"), "--db", db).stdout.splitlines()
    assert said[-1] == f"{whole['key']} continues {half['key']}"
