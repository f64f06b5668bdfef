"""Private links: the shelf's address gives the view its uploader chose, the key gives the whole."""

import json
import re
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from recorder.journal import Journal
from recorder.keys import directory
from replay.desk import verify
from replay.desk_journal import JournalDesk
from replay.web.app import create_app

CASE = Path(__file__).parents[1] / "cases" / "bura" / "rule-open-30-says-31.bura.jsonl"
ENDINGS = ("", ".json", ".svg")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[JournalDesk]:
    journal = Journal.open(tmp_path / "journal.db")
    yield JournalDesk(journal)
    journal.close()


@pytest.fixture
def app(desk: JournalDesk) -> Flask:
    app = create_app(desk, secret=b"tests")
    app.config["WTF_CSRF_ENABLED"] = False
    return app


def uploaded(app: Flask, shown: str) -> tuple[str, str]:
    """The recording's address, and where its uploader is sent."""
    answer = app.test_client().post("/recordings", data={"text": CASE.read_text(encoding="utf-8"), "shown": shown})
    assert answer.status_code == 303
    return answer.location.partition("?")[0], answer.location


def test_the_shelf_gives_no_more_than_the_chosen_view(app: Flask) -> None:
    address, _ = uploaded(app, "public")
    client = app.test_client()
    assert address in client.get("/").get_data(as_text=True)
    html = client.get(address).get_data(as_text=True)
    assert "view=full" not in html
    for view in ("full", "seat:1"):
        for path in ("", ".json", "/report", "/report.json", "/recording.jsonl", "/ledger.csv", "/hands/1/events/3"):
            assert client.get(address + path, query_string={"view": view}).status_code == 404, (view, path)


def test_the_key_gives_the_whole_and_is_taken_from_the_address(app: Flask) -> None:
    address, private = uploaded(app, "public")
    client = app.test_client()
    answer = client.get(private + "&lang=fr")
    assert answer.status_code == 303
    assert answer.location == f"{address}?lang=fr"
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert f"Path={address}" in cookie
    html = client.get(address).get_data(as_text=True)
    assert "view=full" in html
    assert private in html  # the private link is shown to who holds it
    assert client.get(f"{address}/hands/1/events/3?view=full").status_code == 200
    assert app.test_client().get(f"{address}/report.json?view=full&{private.partition('?')[2]}").status_code == 200


@pytest.mark.parametrize("key", ["", "k", "x" * 22, "é" * 22])
def test_a_wrong_key_gives_nothing(app: Flask, key: str) -> None:
    address, _ = uploaded(app, "public")
    client = app.test_client()
    assert client.get(address, query_string={"k": key, "view": "full"}).status_code == 404
    assert "view=full" not in client.get(address, query_string={"k": key}).get_data(as_text=True)


def test_a_key_opens_one_recording_only(app: Flask, desk: JournalDesk) -> None:
    address, private = uploaded(app, "public")
    key = private.partition("k=")[2]
    assert desk.opens(address.rpartition("/")[2], key)
    assert not desk.opens("0" * 16, key)


def test_unlisted_the_address_alone_is_the_private_link(app: Flask) -> None:
    address, _ = uploaded(app, "private")
    client = app.test_client()
    assert address not in client.get("/").get_data(as_text=True)
    assert "view=full" in client.get(address).get_data(as_text=True)


def test_on_the_shelf_with_all_cards_everybody_sees_all(app: Flask) -> None:
    address, _ = uploaded(app, "full")
    client = app.test_client()
    assert address in client.get("/").get_data(as_text=True)
    assert client.get(f"{address}?view=full").status_code == 200


def test_a_second_upload_changes_nothing(app: Flask) -> None:
    address, _ = uploaded(app, "private")
    uploaded(app, "full")
    assert address not in app.test_client().get("/").get_data(as_text=True)


def test_the_secret_is_its_owners_alone(app: Flask, tmp_path: Path) -> None:
    uploaded(app, "public")
    path = directory(tmp_path / "journal.db") / "share.key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(path.read_bytes()) == 32


def test_no_names_anywhere(app: Flask) -> None:
    address, _ = uploaded(app, "full")
    client = app.test_client()
    names = set(re.findall(r'"seats":\[([^]]*)\]', CASE.read_text(encoding="utf-8"))[0].replace('"', "").split(","))
    paths = ("", ".json", "/report", "/recording.jsonl", "/ledger.csv", *(f"/hands/1/events/9{one}" for one in ENDINGS))
    for path in paths:
        answer = client.get(address + path, query_string={"names": "0", "lang": "en"})
        text = re.sub(r"[?&/#\"][\w:.=/-]*", "", answer.get_data(as_text=True))
        assert answer.status_code == 200, path
        assert not [name for name in names if re.search(rf"\b{re.escape(name)}\b(?! \()", text) and len(name) > 2], path


@pytest.mark.parametrize("name", ["bura/table-joined-while-a-pot-lies.bura.jsonl", "bourre/table-joined.bourre.jsonl"])
def test_who_joined_later_has_a_view_too(app: Flask, desk: JournalDesk, name: str) -> None:
    """`verify --view` and `export --view` had it before."""
    data = (CASE.parents[1] / name).read_bytes()
    answer = app.test_client().post("/recordings", data={"text": data.decode()})
    address = answer.location.partition("?")[0]
    head = desk.head(address.rpartition("/")[2], "")
    assert head
    view = f"seat:{len(head.seats)}"
    assert (head.views[-1], len(json.loads(data.splitlines()[0])["seats"])) == (view, len(head.seats) - 1)
    report = app.test_client().get(f"{address}/report.json?view={view}").get_json()
    assert report == verify(data, view=view)
    assert f"view={view}" in app.test_client().get(address).text


FREE = "Анна сдала дважды"
SAID = {"noted": "text", "unseen": "text", "corrected": "reason", "inserted": "reason"}


@pytest.mark.parametrize("name", ["bura/table-amended", "bura/table-unseen-stretch", "bourre/corrected-slip"])
def test_the_download_without_names_has_no_free_text(app: Flask, name: str) -> None:
    """A note, a comment, what was said of an unseen stretch, the reason of an amendment, one inside an amendment."""
    whole = (CASE.parents[1] / f"{name}.{name.partition('/')[0]}.jsonl").read_bytes()
    rows = [json.loads(line) for line in whole.splitlines()]
    rows = [{**row, ("note" if row["seq"] else "title"): FREE} for row in rows]
    rows = [row | ({SAID[row["type"]]: FREE} if row["type"] in SAID else {}) for row in rows]
    inner = {"type": "noted", "text": FREE}
    rows.append({"seq": len(rows), "type": "inserted", "after": 2, "reason": FREE, "event": inner})
    rows.append({"seq": len(rows), **inner})
    data = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    address = app.test_client().post("/recordings", data={"text": data}).location.partition("?")[0]
    assert FREE in app.test_client().get(f"{address}/recording.jsonl").text
    bare = app.test_client().get(f"{address}/recording.jsonl?names=0").text
    assert FREE not in bare
    assert verify(bare.encode())["verdict"] == verify(data.encode())["verdict"]
