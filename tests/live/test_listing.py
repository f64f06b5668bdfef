"""The list of recordings for programs: whole and once each whatever is added, bounded, and only what is shown."""

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from replay.desk_live import TableDesk
from tests.check_cases import CASES
from tests.live.conftest import Json, Seated, seated

FILES = sorted(CASES.glob("bura/clean-0*.jsonl"))[:7]
LIST = "/api/v1/recordings"


def put(client: FlaskClient, path: Path, **asked: str) -> str:
    answer = client.post(LIST, data=path.read_bytes(), query_string={"public": "1", **asked})
    assert answer.status_code == 201, answer.get_data(as_text=True)
    return str(answer.get_json()["id"])


def page(client: FlaskClient, address: str, **how: Any) -> Json:
    answer = client.get(address, **how)
    assert answer.status_code == 200, answer.get_data(as_text=True)
    found: Json = answer.get_json()
    assert answer.headers.get("Link") == (f'<{found["next"]}>; rel="next"' if found["next"] else None)
    return found


def operator(desk: TableDesk) -> Json:
    (made,) = desk.roles.make("", ["operator"])
    return {"Authorization": f"Bearer {made.token}"}


def test_pages_hold_each_recording_once_whatever_is_added_meanwhile(client: FlaskClient) -> None:
    keys = [put(client, path) for path in FILES[:5]]
    found = page(client, f"{LIST}?limit=2")
    seen = [row["key"] for row in found["recordings"]]
    while found["next"]:
        put(client, FILES[5], shown="full") if len(seen) == 2 else put(client, FILES[6]) if len(seen) == 4 else None
        found = page(client, found["next"])
        seen += [row["key"] for row in found["recordings"]]
    assert seen == keys[::-1]
    assert found["cursor"] is None
    assert len(page(client, LIST)["recordings"]) == 7


def test_only_what_is_shown_is_listed_and_the_rest_to_an_operator(client: FlaskClient, desk: TableDesk) -> None:
    shown = put(client, FILES[0], shown="full")
    hidden = put(client, FILES[1], public="0")
    (row,) = page(client, LIST)["recordings"]
    assert (row["key"], row["view"], row["arrived"], row["href"]) == (shown, "full", "uploaded", f"/recordings/{shown}")
    rows = page(client, LIST, headers=operator(desk))["recordings"]
    assert [(row["key"], row["view"]) for row in rows] == [(hidden, None), (shown, "full")]
    assert client.get(LIST, headers={"Authorization": "Bearer nobody"}).status_code == 401
    desk.open_house = True
    assert len(page(client, LIST)["recordings"]) == 2


def test_a_table_that_spectators_see_later_is_not_listed_until_it_ends(client: FlaskClient, desk: TableDesk) -> None:
    late, now = seated(client, delay=600), seated(client)
    for each in (late, now):
        desk.journal.show(each.key, "public")
    assert [row["key"] for row in page(client, LIST)["recordings"]] == [now.key]
    assert late.append([{"type": "recording_ended", "events": 2}], 1).status_code == 201
    assert [row["key"] for row in page(client, LIST)["recordings"]] == [now.key, late.key]


@pytest.mark.parametrize("asked", ["limit=0", "limit=201", "limit=-1", "limit=x", "limit=٣", "limit=01", "cursor=x"])
def test_a_page_has_its_bounds(table: Seated, asked: str) -> None:
    answer = table.client.get(f"{LIST}?{asked}")
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (400, "bad-value")
