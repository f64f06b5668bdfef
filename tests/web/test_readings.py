"""The readings of an amended recording on the site: by address, beside each other, and links that are pinned."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from recorder.journal import Journal
from recorder.words import LANGUAGES, load
from replay.desk_journal import JournalDesk
from replay.web.app import create_app
from schemas.problems import Refusal
from tests.check_cases import recording_path

AMENDED, PLAIN = "bura/table-amended", "bura/dispute-open-02"
"""In the first an ante is put in at event 14 and a payment corrected at event 15."""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JournalDesk]:
    journal = Journal.open(tmp_path_factory.mktemp("readings") / "journal.db")
    yield JournalDesk(journal, open_house=True)
    journal.close()


@pytest.fixture(scope="module")
def app(desk: JournalDesk) -> Flask:
    return create_app(desk, secret=b"tests", uploads_a_minute=10_000)


@pytest.fixture(scope="module")
def served(app: Flask) -> FlaskClient:
    return app.test_client()


def put(desk: JournalDesk, case: str) -> str:
    found = desk.receive(recording_path(case).read_bytes(), keep=True, public=False)
    assert not isinstance(found, Refusal)
    return found.id


@pytest.fixture(scope="module")
def amended(desk: JournalDesk) -> str:
    return f"/recordings/{put(desk, AMENDED)}"


def page(served: FlaskClient, address: str) -> str:
    answer = served.get(address)
    assert answer.status_code == 200, address
    return answer.get_data(as_text=True)


def rows(html: str) -> list[list[str]]:
    """The table of what differs, cell by cell."""
    box = html[html.index('<h2 id="readings">') :]
    box = box[: box.index("</section>")]
    return [re.findall(r"<t[dh][^>]*>([^<]*)</t[dh]>", row) for row in re.findall(r"<tr>(.*?)</tr>", box)]


PAGES = ("", "/report", "/report.json", "/hands/1/dispute", "/hands/1/dispute.json", "/hands/1/events/12",
         "/hands/1/events/12.json", "/events/12/fit.json", "/ledger.csv")  # fmt: skip


@pytest.mark.parametrize("place", PAGES)
def test_a_page_judges_with_what_was_known(served: FlaskClient, amended: str, place: str) -> None:
    def body(reading: str) -> str:
        text = page(served, f"{amended}{place}?lang=en&as={reading}")
        return re.sub(r"as(=|_known|: |-)?(recorded|\d+)|<svg.*?</svg>|known at event \d+", "", text, flags=re.DOTALL)

    later = "15" if place == "/hands/1/events/12.json" else "14"
    assert body("recorded") != body(later)
    if place.endswith(".json") and "events/12.json" not in place:
        assert body("recorded") == body("13")
        assert body("15") == body("16") == body("amended")


@pytest.mark.parametrize("place", PAGES)
@pytest.mark.parametrize("reading", ["17", "014", "-1", "later", "Recorded", "99999999999999999999", "٣"])
def test_a_reading_there_is_not_is_no_page(served: FlaskClient, amended: str, place: str, reading: str) -> None:
    assert served.get(f"{amended}{place}?as={reading}").status_code == 404


def test_blind_nobody_learns_the_length_by_asking_for_readings(served: FlaskClient, amended: str) -> None:
    for place in ("", "/hands/1/events/4", "/hands/1/events/4.json"):
        asked = [served.get(f"{amended}{place}?blind=1&as={seq}") for seq in (0, 14, 16, 17, 5000)]
        assert {answer.status_code for answer in asked} == {404}
        assert len({re.sub(rb"as=[0-9]+", b"", answer.data) for answer in asked}) == 1
        assert served.get(f"{amended}{place}?blind=1&as=recorded").status_code == 200


WHAT_DIFFERS = [
    ["", "as recorded", "as amended"],
    ["verdict", "Refuted", "Verified"],
    ["hand 1, event 4, Глеб: table/missing-stake", "error", "—"],
    ["hand 1, event 12, Егор: table/wrong-payout", "error: recorded 27, due 20", "—"],
    ["hand 1, Егор: chips by the record", "+17", "+10"],
    ["hand 1, Глеб: chips by the record", "0", "−10"],
    ["Егор: balance by the record", "+17", "+10"],
    ["Глеб: balance by the record", "0", "−10"],
]


@pytest.mark.parametrize("reading", ["amended", "recorded", "14"])
@pytest.mark.parametrize("place", ["", "/report"])
def test_recording_and_protocol_show_what_differs(served: FlaskClient, amended: str, place: str, reading: str) -> None:
    html = page(served, f"{amended}{place}?lang=en&as={reading}")
    assert rows(html) == WHAT_DIFFERS
    assert "The record was amended at events 14, 15." in html
    named = page(served, f"{amended}{place}?lang=en&as={reading}&names=0")
    assert rows(named)[2][0] == "hand 1, event 4, Seat 2: table/missing-stake"
    assert "Глеб" not in named


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_dispute_shows_what_differs(served: FlaskClient, amended: str, lang: str) -> None:
    html = page(served, f"{amended}/hands/1/dispute?lang={lang}")
    words = load(lang)["readings"]
    assert rows(html)[0] == ["", words["as"]["recorded"], words["as"]["amended"]]
    assert [row[1:] for row in rows(html)[1:]] == [["−7", "0"], ["−10", "0"]]


def test_each_reading_leads_to_the_others(served: FlaskClient, amended: str) -> None:
    for place in ("", "/report", "/hands/1/dispute"):
        html = page(served, f"{amended}{place}?lang=en")
        box = html[html.index('id="readings"') :].partition("</section>")[0]
        links = re.findall(r'href="([^"]*)"', box)
        assert [link.partition("as=")[2] for link in links] == ["recorded", "14", ""]
        for link in links:
            assert page(served, link.replace("&amp;", "&"))


def test_what_was_never_amended_shows_no_readings(served: FlaskClient, desk: JournalDesk) -> None:
    plain = f"/recordings/{put(desk, PLAIN)}"
    for place in ("", "/report", "/hands/1/dispute"):
        assert 'id="readings"' not in page(served, plain + place)


# -- pinned links -------------------------------------------------------------------------------------------------


def address(html: str) -> str:
    """The address of its own that a page prints."""
    found = re.search(r'<span class="mono">([^<]*)</span>', html)
    assert found
    return found[1].replace("&amp;", "&").removeprefix("http://localhost")


@pytest.mark.parametrize("place", ["/hands/1/dispute", "/hands/1/dispute?at=12", "/hands/1/dispute?at=9&as=recorded"])
def test_the_printed_address_of_a_dispute_is_pinned_and_leads_to_it(
    served: FlaskClient, desk: JournalDesk, amended: str, place: str
) -> None:
    own = address(page(served, amended + place))
    at = int((re.search(r"at=(\d+)", place) or [0, 13])[1])
    assert re.search(rf"[?&]h={desk.pin(amended.rpartition('/')[2], at)}$", own)
    html = page(served, own + "&lang=en")
    assert "made for another state" not in html
    assert address(html) == own


def test_a_link_of_another_chain_says_so_and_offers_both_readings(served: FlaskClient, amended: str) -> None:
    html = page(served, f"{amended}/hands/1/dispute?h=01234567&lang=en")
    lead = html[html.index("made for another state") :].partition("</p>")[0]
    links = [link.replace("&amp;", "&") for link in re.findall(r'href="([^"]*)"', lead)]
    assert len(links) == 2
    assert "as=recorded" in links[0]
    assert "as=" not in links[1]
    assert all("h=" not in link and page(served, link) for link in links)


def test_a_dispute_says_when_it_was_amended_since_or_read_otherwise(served: FlaskClient, amended: str) -> None:
    assert "As first recorded" in page(served, f"{amended}/hands/1/dispute?at=9&lang=en")
    assert "known at event 14" in page(served, f"{amended}/hands/1/dispute?as=14&lang=en")
    assert "without its amendments" in page(served, f"{amended}/hands/1/dispute?as=recorded&lang=en")


def test_an_amendment_that_changes_nothing_is_told_and_both_readings_offered(
    served: FlaskClient, desk: JournalDesk
) -> None:
    lines = recording_path(PLAIN).read_text(encoding="utf-8").splitlines()
    note = {"seq": len(lines), "type": "inserted", "after": 3, "reason": "-", "event": {"type": "noted", "text": "-"}}
    found = desk.receive("\n".join([*lines, json.dumps(note)]).encode(), keep=True, public=False)
    assert not isinstance(found, Refusal)
    html = page(served, f"/recordings/{found.id}/hands/1/dispute?lang=en")
    assert f"Amended since, at event {len(lines)}" in html
    assert "as=recorded" in html.partition("Amended since")[2].partition("</p>")[0]


def test_the_pin_stands_in_no_data(served: FlaskClient, amended: str) -> None:
    place = f"{amended}/hands/1/dispute.json"
    assert page(served, place) == page(served, f"{place}?h=01234567")


def test_the_sentence_of_a_reading_stands_in_every_language() -> None:
    for lang in LANGUAGES:
        assert "{seq}" in load(lang)["ui"]["pin"]["as_known"]
        assert set(load(lang)["readings"]["what"]) == set(load("en")["readings"]["what"])
        assert (Path(__file__).parents[2] / "data" / "words" / f"readings.{lang}.toml").is_file()
