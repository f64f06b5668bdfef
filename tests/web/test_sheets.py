"""A score sheet put on the shelf: pasted or as a file, judged, kept; and refused with line and column."""

import io
import re
from html import escape, unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from recorder.journal import Journal
from recorder.words import LANGUAGES, load
from replay.desk_journal import JournalDesk
from replay.web.app import create_app

SHEET = Path(__file__).parent.parent.parent / "data" / "recordings" / "sheets" / "thursday.bura.txt"


@pytest.fixture
def shelf(tmp_path: Path) -> FlaskClient:
    app = create_app(JournalDesk(Journal.open(tmp_path / "journal.db"), open_house=True), secret=b"tests")
    app.config["WTF_CSRF_ENABLED"] = False
    return app.test_client()


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_pasted_sheet_is_kept_as_the_recording_it_says(shelf: FlaskClient, line_end: str) -> None:
    text = SHEET.read_text(encoding="utf-8").replace("\n", line_end)
    answer = shelf.post("/recordings", data={"text": text, "shown": "full"})
    assert answer.status_code == 303
    kept = shelf.get(answer.location.partition("?")[0] + "/recording.jsonl")
    assert kept.data.startswith(b'{"format":"razbor/1","game":"bura"')
    other = shelf.post("/recordings", data={"files": (io.BytesIO(SHEET.read_bytes()), "sheet.txt")})
    assert other.location == answer.location


def test_a_program_may_send_a_sheet(shelf: FlaskClient) -> None:
    answer = shelf.post("/api/v1/verify", data=SHEET.read_bytes())
    assert answer.get_json()["verdict"] == "verified"
    refused = shelf.post("/api/v1/verify?lang=fr", data=SHEET.read_bytes() + b"\n1 Xx")
    (row,) = refused.get_json()["problems"]
    assert (row["line"], row["column"], row["code"]) == (21, 3, "bad-card")
    assert "couleur" in row["message"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_refused_sheet_tells_line_and_column(shelf: FlaskClient, lang: str) -> None:
    text = SHEET.read_text(encoding="utf-8").replace("Лев (6ч)", "Лев (6х)")
    answer = shelf.post(f"/recordings?lang={lang}", data={"text": text})
    assert answer.status_code == 422
    html = answer.get_data(as_text=True)
    assert "Катя Тт, Лев (<mark>6х</mark>) = Катя" in html
    assert re.search(r"</span>14</span>", html)
    assert re.search(r"(column|столбец|colonne) 15", html)
    assert "п ч б т" in html


def test_each_language_link_of_an_answered_form_leads_to_a_page(shelf: FlaskClient) -> None:
    refused = shelf.post("/recordings", data={"text": "razbor-sheet/1 en"}).get_data(as_text=True)
    kept = shelf.post("/recordings", data={"text": SHEET.read_text(encoding="utf-8")}).location.partition("?")[0]
    shelf.post(f"{kept}/cases", data={"hand": "1", "claim": "?", "party": "1"})
    case = shelf.post(f"{kept}/cases/1/quote", data={"of": "999", "version": "1"})
    assert case.status_code == 422
    for html in (refused, case.get_data(as_text=True)):
        links = re.findall(r'href="([^"]*lang=[a-z]{2})"', html)
        assert len(links) >= len(LANGUAGES)
        for link in links:
            assert shelf.get(unescape(link), follow_redirects=True).status_code == 200, link
    assert shelf.get(f"{kept}/cases/1/quote?lang=ru").location == f"{kept}/cases/1?lang=ru"
    assert shelf.get("/api/v1/verify").status_code == 405
    assert shelf.put("/recordings").status_code == 405


def test_the_page_tells_every_word(shelf: FlaskClient) -> None:
    for lang in LANGUAGES:
        html = shelf.get(f"/notation?lang={lang}").get_data(as_text=True)
        assert f"razbor-sheet/1 {lang}" in html
        assert "trump_turned" in html
    assert 'href="/notation"' in shelf.get("/").get_data(as_text=True)


def test_the_page_tells_what_each_word_is_for(shelf: FlaskClient) -> None:
    for lang in LANGUAGES:
        html = shelf.get(f"/notation?lang={lang}").get_data(as_text=True)
        said = load(lang)
        for heading in said["sheet"]["heading"].values():
            assert f"<h2>{escape(heading)}</h2>" in html
        assert escape(said["pad"]["kind"]["trump_turned"]) in html
        assert html.count("<code") == sum(map(len, (said["sheet"][name] for name in said["sheet"]["heading"])))
    words = shelf.get("/notation.json?lang=en").get_json()["words"]
    assert ["trump_turned", "trump"] in words


def test_what_is_left_out_of_a_sentence_ends_it_once(shelf: FlaskClient) -> None:
    for lang in LANGUAGES:
        assert "…." not in shelf.get(f"/codes?lang={lang}").get_data(as_text=True)
