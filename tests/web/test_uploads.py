"""What the shelf answers to whoever hands something in: what was kept, what was not, and what was not looked at."""

import io
from html import escape
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from recorder.journal import Journal
from recorder.words import LANGUAGES, load
from replay.desk_journal import JournalDesk
from replay.web.app import create_app

SAMPLES = Path(__file__).parents[2] / "data" / "recordings"
GOOD = (SAMPLES / "two-held-thirty-one.bura.jsonl").read_bytes()


@pytest.fixture
def shelf(tmp_path: Path) -> FlaskClient:
    app = create_app(JournalDesk(Journal.open(tmp_path / "journal.db"), open_house=True), secret=b"tests")
    app.config["WTF_CSRF_ENABLED"] = False
    return app.test_client()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_was_only_checked_is_said_not_to_be_kept(lang: str, shelf: FlaskClient) -> None:
    said = load(lang)["ui"]["shelf"]["not_kept"]
    checked = shelf.post(f"/recordings?lang={lang}", data={"text": GOOD.decode(), "check": "on"})
    html = checked.get_data(as_text=True)
    assert said in html
    assert escape(load(lang)["ui"]["shelf"]["pasted"]) in html
    kept = shelf.post(f"/recordings?lang={lang}", data={"text": GOOD.decode()}, follow_redirects=True)
    assert said not in kept.get_data(as_text=True)


@pytest.mark.parametrize("data", [GOOD, b"no recording\n"])
def test_files_beyond_those_taken_at_once_are_not_passed_over_in_silence(data: bytes, shelf: FlaskClient) -> None:
    def sent(count: int) -> str:
        files = [(io.BytesIO(data), f"{number}.jsonl") for number in range(count)]
        return shelf.post("/recordings", data={"files": files}).get_data(as_text=True)

    assert "At most 20 files are taken at once." not in sent(20)
    told = sent(21)
    assert "At most 20 files are taken at once. The rest were not looked at" in told
    assert ("19.jsonl" in told, "20.jsonl" in told) == (True, False)


def test_a_file_the_server_does_not_even_take_is_told_without_it(shelf: FlaskClient) -> None:
    html = shelf.get("/?lang=ru").get_data(as_text=True)
    assert 'data-large="Файл слишком велик. Запись может занимать до 8 MiB."' in html
