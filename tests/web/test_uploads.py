"""What the shelf answers to whoever hands something in: what was kept, what was not, and what was not looked at."""

import io
import re
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


def test_a_recording_is_not_lost_behind_those_that_came_later(
    shelf: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("replay.desk_journal.MOST_ON_A_PAGE", 2)
    lines = GOOD.decode().replace("Two held thirty-one", "{}")
    for number in range(5):
        assert shelf.post("/recordings", data={"text": lines.replace("{}", f"Evening {number}")}).status_code == 303
    pages, address = [], "/?lang=en"
    while address:
        html = shelf.get(address).get_data(as_text=True)
        pages.append(re.findall(r"<b>(Evening \d)</b>", html))
        assert ("Back to the newest" in html) == (len(pages) > 1)
        address = "".join(re.findall(r'href="(/\?before=\d+)#shelf"', html))
    assert pages == [["Evening 4", "Evening 3"], ["Evening 2", "Evening 1"], ["Evening 0"]]
    for odd in ("0", "-1", "x", "٣", "1" * 10, ""):
        assert shelf.get(f"/?before={odd}").status_code == 404
    assert "Nothing older lies here." in shelf.get("/?before=1&lang=en").get_data(as_text=True)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_was_only_checked_is_said_not_to_be_kept(lang: str, shelf: FlaskClient) -> None:
    said = load(lang)["ui"]["shelf"]["not_kept"]
    checked = shelf.post(f"/recordings?lang={lang}", data={"text": GOOD.decode(), "check": "on"})
    html = checked.get_data(as_text=True)
    assert said in html
    assert escape(load(lang)["ui"]["shelf"]["pasted"]) in html
    kept = shelf.post(f"/recordings?lang={lang}", data={"text": GOOD.decode()}, follow_redirects=True)
    assert said not in kept.get_data(as_text=True)


@pytest.mark.parametrize("behind", ["\n", "\r\n\r\n", "\n  \n\t\n"])
def test_blank_lines_behind_a_pasted_recording_are_none_of_it(shelf: FlaskClient, behind: str) -> None:
    """A file that ends so is refused, as record.md 1 has it; who pastes a text seldom sees them."""
    plain = shelf.post("/recordings", data={"text": GOOD.decode()}).location
    assert shelf.post("/recordings", data={"text": GOOD.decode() + behind}).location == plain
    between = GOOD.replace(b"\n", b"\n\n", 1)
    assert shelf.post("/recordings", data={"text": between.decode()}).status_code == 422
    file = {"files": [(io.BytesIO(GOOD + b"\n\n"), "a.jsonl")]}
    assert shelf.post("/recordings", data=file).status_code == 422


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
    assert 'data-large="Файл слишком велик. Запись может занимать до 8 МиБ."' in html


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", "empty"),
        (b"\n \n", "empty"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "binary"),
        (b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n", "binary"),
        (b"PK\x03\x04\x14\0\x06\0", "binary"),
        ((SAMPLES.parent / "examples" / "plays.csv").read_bytes(), "table"),
        (b"hand,seat,cards\n1,2,Th\n", "table"),
        (b"<!doctype html><html>\n", "text"),
        ("Анна взяла взятку\n".encode(), "text"),
    ],
)
def test_who_hands_in_something_else_is_told_what_to_do(lang: str, data: bytes, kind: str, shelf: FlaskClient) -> None:
    sent = {"files": (io.BytesIO(data), "something"), "check": "on"}
    answer = shelf.post(f"/recordings?lang={lang}", data=sent, content_type="multipart/form-data")
    assert answer.status_code == 422
    assert escape(load(lang)["ui"]["refusal"]["hint"][kind], quote=False) in answer.get_data(as_text=True)


@pytest.mark.parametrize(
    "data", [b'{"seq":0}\n', GOOD[:-40], b"razbor-sheet/1 en\ngame whist\n", b"\x1f\x8b\x08", "п".encode("utf-16")]
)
def test_a_recording_with_flaws_is_told_its_flaws_alone(data: bytes, shelf: FlaskClient) -> None:
    sent = {"files": (io.BytesIO(data), "game.jsonl"), "check": "on"}
    html = shelf.post("/recordings?lang=en", data=sent, content_type="multipart/form-data").get_data(as_text=True)
    assert 'class="prob"' in html
    assert 'class="hint"' not in html


@pytest.mark.parametrize(("lang", "said"), [("en", "8 MiB"), ("ru", "8 МиБ"), ("fr", "8 Mio")])
def test_a_size_is_written_as_the_language_writes_it(lang: str, said: str, shelf: FlaskClient) -> None:
    assert said in shelf.get(f"/?lang={lang}").get_data(as_text=True)
