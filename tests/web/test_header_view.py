"""A recording whose header names a view, and which holds more: the site judges what `verify` judges, and says so."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from flask import Flask

from recorder import intake
from recorder.journal import Journal
from replay import desk as desks
from replay.desk_journal import JournalDesk
from replay.desk_live import TableDesk
from replay.web.app import create_app
from schemas.events import Recording

CASES: Final = Path(__file__).parents[1] / "cases"
HELD: Final = ("bura/dispute-settled-01", "bura/fault-card-twice-drawn", "bura/table-amended", "bourre/head-the-queen")
HOLDS_MORE: Final = {"en": "more than that is on record", "ru": "записано больше", "fr": "en contient davantage"}


def headed(case: str, view: str) -> bytes:
    """A case with another view in its header, and all its cards."""
    found = next(iter(sorted(CASES.glob(f"{case}*.jsonl"))))
    first, *rest = found.read_bytes().splitlines(keepends=True)
    return json.dumps({**json.loads(first), "view": view}, ensure_ascii=False).encode() + b"\n" + b"".join(rest)


@pytest.fixture(params=[JournalDesk, TableDesk])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[JournalDesk]:
    journal = Journal.open(tmp_path / "journal.db")
    yield request.param(journal)
    journal.close()


@pytest.fixture
def app(desk: JournalDesk) -> Flask:
    app = create_app(desk, secret=b"tests")
    app.config["WTF_CSRF_ENABLED"] = False
    return app


def uploaded(app: Flask, data: bytes, shown: str = "") -> str:
    """Its address: unlisted, that is its private link."""
    answer = app.test_client().post("/recordings", data={"text": data.decode(), "shown": shown})
    assert answer.status_code == 303
    return str(answer.location).partition("?")[0]


def report(app: Flask, address: str, view: str = "") -> dict[str, Any]:
    found: dict[str, Any] = app.test_client().get(f"{address}/report.json?view={view}").get_json()
    return found


@pytest.mark.parametrize("view", ["public", "seat:1"])
@pytest.mark.parametrize("case", HELD)
def test_an_upload_is_judged_as_the_command_judges_it(app: Flask, case: str, view: str) -> None:
    data = headed(case, view)
    assert report(app, uploaded(app, data)) == desks.verify(data)


@pytest.mark.parametrize("view", ["public", "seat:1"])
@pytest.mark.parametrize("case", HELD)
def test_its_own_view_is_offered_too_and_is_that_of_the_command(app: Flask, case: str, view: str) -> None:
    data = headed(case, view)
    assert report(app, uploaded(app, data), view) == desks.verify(data, view=view)


@pytest.mark.parametrize("lang", ["en", "ru", "fr"])
def test_the_page_and_the_protocol_say_that_more_is_on_record(app: Flask, lang: str) -> None:
    address = uploaded(app, headed("bura/dispute-settled-01", "public"))
    client = app.test_client()
    for ending in ("", "/report"):
        assert HOLDS_MORE[lang] in client.get(f"{address}{ending}?lang={lang}").get_data(as_text=True)
        page = client.get(f"{address}{ending}?lang={lang}&view=public").get_data(as_text=True)
        assert HOLDS_MORE[lang] not in page


def test_what_holds_no_more_than_its_header_says_has_that_view_alone(app: Flask) -> None:
    whole = intake.read(headed("bura/clean-03", "full"))
    assert isinstance(whole, Recording)
    public = desks.seen_as(whole, "public")
    address = uploaded(app, public)
    page = app.test_client().get(f"{address}?lang=en").get_data(as_text=True)
    assert HOLDS_MORE["en"] not in page
    assert app.test_client().get(f"{address}?view=full").status_code == 404
    assert report(app, address) == desks.verify(public)


def test_the_shelf_still_shows_no_more_than_was_chosen(app: Flask) -> None:
    data = headed("bura/dispute-settled-01", "public")
    address = uploaded(app, data, shown="public")
    client = app.test_client()
    assert report(app, address) == desks.verify(data, view="public")
    assert client.get(f"{address}?view=full").status_code == 404
    assert "view=full" not in client.get(address).get_data(as_text=True)


def test_a_dispute_is_of_all_that_is_on_record(app: Flask) -> None:
    data = headed("bura/dispute-settled-01", "public")
    address, client = uploaded(app, data), app.test_client()
    assert client.get(f"{address}/hands/1/dispute.json").get_json() == desks.dispute(data, hand=1)
    seen = client.get(f"{address}/hands/1/dispute.json?view=public").get_json()
    assert seen == desks.dispute(data, hand=1, view="public")
