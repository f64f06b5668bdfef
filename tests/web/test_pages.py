"""Addresses, headers, languages, sizes: what holds for every page."""

import gzip
import io
import json
import re

import html5lib
import pytest
from flask import Flask
from flask.testing import FlaskClient

from replay.views.cards import sheet
from replay.web.reader import STATIC
from tests.web.desk import LINE, EveningDesk
from tests.web.evening import ID

HAND = f"/recordings/{ID}/hands/4"
PAGES = ("/", "/rules", "/codes", "/notation", f"/recordings/{ID}", f"/recordings/{ID}/report",
         f"{HAND}/events/96?view=seat:1", f"{HAND}/events/97?view=full&of=Kc&card=3", f"/recordings/{ID}?blind=1",
         f"/embed/recordings/{ID}/hands/4/events/94?view=seat:1&names=0")  # fmt: skip
READ = b'{"seq":0,"type":"recording_began"}'


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("lang", ["en", "ru", "fr"])
def test_every_page_is_there_in_every_language_and_valid(client: FlaskClient, path: str, lang: str) -> None:
    answer = client.get(path + ("&" if "?" in path else "?") + f"lang={lang}")
    assert answer.status_code == 200
    html = answer.get_data(as_text=True)
    assert f'<html lang="{lang}"' in html
    html5lib.HTMLParser(strict=True).parse(html.replace("<noscript>", "").replace("</noscript>", ""))
    assert " style=" not in html
    assert not re.search(r"<script(?![^>]*\bsrc=)", html)
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", html)


@pytest.mark.parametrize("path", [*PAGES, "/nowhere"])
def test_every_page_bears_the_security_headers(client: FlaskClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "require-trusted-types-for 'script'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize(
    "path",
    ["/events/٩٦", "/events/0096", "/events/+96", "/events/9999", "/events?at=0096", "/events?at=٩٦", "/events?at="],
)
def test_odd_digits_and_what_is_out_of_range_are_not_there(client: FlaskClient, path: str) -> None:
    assert client.get(HAND + path).status_code == 404


def test_an_event_of_another_hand_leads_to_its_own_address(client: FlaskClient) -> None:
    answer = client.get(f"/recordings/{ID}/hands/3/events/96?view=public")
    assert answer.status_code == 302
    assert answer.location == f"{HAND}/events/96?view=public"
    twin = client.get(f"/recordings/{ID}/hands/3/events/96.json")
    assert twin.location == f"{HAND}/events/96.json"


def test_the_slider_works_as_a_form(client: FlaskClient) -> None:
    answer = client.get(f"{HAND}/events?view=seat:1&blind=1&at=80")
    assert answer.location == f"{HAND}/events/80?view=seat:1&blind=1"


@pytest.mark.parametrize("view", ["seat:9", "seat:0", "all", "seat:1 "])
def test_a_view_the_reader_may_not_have_is_not_there(client: FlaskClient, view: str) -> None:
    assert client.get(f"{HAND}/events/96", query_string={"view": view}).status_code == 404


def test_a_view_the_reader_may_not_have_is_absent_from_the_switch() -> None:
    from replay.web.app import create_app

    client = create_app(EveningDesk("en", views=("public",)), secret=b"tests").test_client()
    html = client.get(f"{HAND}/events/96").get_data(as_text=True)
    assert "view=full" not in html
    assert "view=seat" not in html
    assert client.get(f"{HAND}/events/96?view=full").status_code == 404


@pytest.mark.parametrize("lang", ["xx", "", "en-US<", "../../etc"])
def test_an_unknown_language_falls_back(client: FlaskClient, lang: str) -> None:
    answer = client.get("/", query_string={"lang": lang})
    assert answer.status_code == 200
    assert '<html lang="en"' in answer.get_data(as_text=True)


def test_the_language_is_remembered(client: FlaskClient) -> None:
    client.get("/?lang=fr")
    assert '<html lang="fr"' in client.get("/").get_data(as_text=True)


def test_a_step_is_small(client: FlaskClient) -> None:
    for seq in range(59, 100):
        page = client.get(f"{HAND}/events/{seq}?view=full&lang=ru").data
        assert len(gzip.compress(page)) <= 8 * 1024, seq


def test_script_style_and_cards_are_small() -> None:
    files = b"".join((STATIC / name).read_bytes() for name in ("razbor.css", "razbor.js", "step.js"))
    assert len(gzip.compress(files)) <= 15 * 1024
    assert len(gzip.compress(sheet("ru", "AKQJT9876").encode())) <= 60 * 1024


def test_the_twin_says_what_the_page_says(client: FlaskClient) -> None:
    twin = json.loads(client.get(f"{HAND}/events/96.json?view=seat:1").data)
    assert twin["sentence"][0]["text"] == "Boris opens"
    assert twin["others"][0]["track"]["span"] == "25–47"
    assert twin["pot"] == "24"


def test_the_report_is_given_as_it_is(client: FlaskClient) -> None:
    assert json.loads(client.get(f"/recordings/{ID}/report.json").data)["format"] == "razbor-report/1"


def test_names_can_be_left_out(client: FlaskClient) -> None:
    for path in (f"{HAND}/events/96", f"{HAND}/events/96.json", f"/recordings/{ID}", f"/recordings/{ID}/report"):
        text = client.get(path, query_string={"names": "0", "view": "seat:1"}).get_data(as_text=True)
        for word in ("Anna", "Boris", "Vera", "Troika", "tea"):
            assert word not in text, (path, word)


def test_a_refused_upload_tells_every_problem(client: FlaskClient) -> None:
    files = {"files": (io.BytesIO(LINE + b"\n{}\n{}"), "вторник.bura.jsonl")}
    answer = client.post("/recordings", data=files)
    html = answer.get_data(as_text=True)
    assert answer.status_code == 422
    assert "вторник.bura.jsonl" in html
    assert "<mark>Тh</mark>" in html
    assert "look-alike-letter" in html
    assert "seq-gap" in html


def test_one_good_file_leads_to_its_page(client: FlaskClient) -> None:
    answer = client.post("/recordings", data={"text": READ.decode()})
    assert answer.status_code == 303
    assert answer.location == f"/recordings/{ID}"


def test_only_checked_keeps_nothing_and_shows_the_verdict(client: FlaskClient) -> None:
    answer = client.post("/recordings", data={"text": READ.decode(), "check": "on"})
    assert answer.status_code == 200
    assert "Refuted" in answer.get_data(as_text=True)


def test_an_upload_needs_its_form(app: Flask) -> None:
    app.config["WTF_CSRF_ENABLED"] = True
    client = app.test_client()
    assert client.post("/recordings", data={"text": "x"}).status_code == 400
    token = re.search(r'name="csrf_token" value="([^"]+)"', client.get("/").get_data(as_text=True))
    assert token
    answer = client.post("/recordings", data={"text": READ.decode(), "csrf_token": token[1]})
    assert answer.status_code == 303


def test_a_program_puts_a_recording_in(client: FlaskClient) -> None:
    answer = client.post("/api/v1/recordings", data=READ)
    assert answer.status_code == 201
    assert json.loads(answer.data)["id"] == ID
    assert answer.headers["Location"] == f"/recordings/{ID}"


def test_a_program_has_one_judged_or_learns_every_problem(client: FlaskClient) -> None:
    assert json.loads(client.post("/api/v1/verify", data=READ).data)["format"] == "razbor-report/1"
    answer = client.post("/api/v1/verify", data=LINE)
    assert answer.status_code == 422
    problems = json.loads(answer.data)["problems"]
    assert [each["code"] for each in problems] == ["look-alike-letter", "not-an-integer", "seq-gap"]
    assert all(each["message"] for each in problems)


def test_too_large_is_said_so() -> None:
    from replay.web.app import create_app

    app = create_app(EveningDesk("en"), secret=b"tests", limit=1024 * 1024)
    app.config["WTF_CSRF_ENABLED"] = False
    big = b"x" * (2 * 1024 * 1024)
    with app.test_client().post("/recordings", data=big, content_type="multipart/form-data; boundary=x") as answer:
        assert answer.status_code == 413
        assert "1 MiB" in answer.get_data(as_text=True)
    with app.test_client().post("/recordings", data={"text": big.decode()}) as answer:
        assert answer.status_code == 413


@pytest.mark.parametrize("host", ["evil.example/<x>", "a b", "x" * 300, "a@b"])
def test_a_host_that_is_none_is_refused(client: FlaskClient, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 400


def test_the_parts_of_a_name_cannot_become_markup(app: Flask) -> None:
    client = app.test_client()
    html = client.get(f"{HAND}/events/96?view=seat:1&log=%22%3E%3Cscript%3E").get_data(as_text=True)
    assert "<script>" not in html
