"""Every link of a finding leads somewhere, and no two things of a page have the same name."""

import html
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from flask.testing import FlaskClient

from recorder.journal import Journal
from replay.desk_journal import JournalDesk
from replay.web.app import create_app
from tests.web.test_sums import CASES, put

BETWEEN: Final = "bourre/fault-ante-above-maximum"
"""Its error stands at an event between two hands."""
MANY: Final = ("bura/public-36a-001", "bura/table-unseen-stretch", "bourre/fault-rule-unrecorded-tie", BETWEEN)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JournalDesk]:
    journal = Journal.open(tmp_path_factory.mktemp("links") / "journal.db")
    yield JournalDesk(journal, open_house=True)
    journal.close()


@pytest.fixture(scope="module")
def served(desk: JournalDesk) -> FlaskClient:
    return create_app(desk, secret=b"tests").test_client()


def data(case: str) -> bytes:
    found: Path = next(iter(sorted(CASES.glob(f"{case}.*.jsonl"))))
    return found.read_bytes()


def events_named(page: str) -> list[str]:
    return sorted({html.unescape(each) for each in re.findall(r'class="where" href="([^"#]+)', page)})


@pytest.mark.parametrize("case", MANY)
@pytest.mark.parametrize("rules", ["", "bura/georgian-20@1", "bourre/louisiana@1"])
def test_every_finding_leads_to_a_step(desk: JournalDesk, served: FlaskClient, case: str, rules: str) -> None:
    if rules and not rules.startswith(case.partition("/")[0]):
        return
    page = served.get(f"/recordings/{put(desk, data(case))}", query_string={"rules": rules, "lang": "en"}).text
    for address in events_named(page)[:12]:
        assert served.get(address, follow_redirects=True).status_code == 200, address
    assert [name for name, count in Counter(re.findall(r'\sid="([^"]+)"', page)).items() if count > 1] == []


def test_an_event_between_hands_leads_to_where_the_next_begins(desk: JournalDesk, served: FlaskClient) -> None:
    id_ = put(desk, data(BETWEEN))
    head = desk.head(id_, "")
    assert head
    second, third = head.hands[1:3]
    for hand in (1, 2, 3):
        answer = served.get(f"/recordings/{id_}/hands/{hand}/events/{third.first - 1}?lang=fr")
        assert answer.location.endswith(f"/recordings/{id_}/hands/3/events/{third.first}")
    assert served.get(f"/recordings/{id_}/hands/1/events/0").location.endswith("/hands/1/events/2")
    last = served.get(f"/recordings/{id_}/hands/2/events/{head.events - 1}.json")
    assert last.location.endswith(f"/hands/3/events/{third.last}.json")
    assert served.get(f"/recordings/{id_}/hands/1/events/{head.events}").status_code == 404
    assert second.last < third.first - 1


def test_blind_nobody_is_led_to_the_end(desk: JournalDesk, served: FlaskClient) -> None:
    id_ = put(desk, data(BETWEEN))
    head = desk.head(id_, "")
    assert head
    for seq in (0, head.events - 1, head.events):
        assert served.get(f"/recordings/{id_}/hands/1/events/{seq}?blind=1").status_code == 404


@pytest.mark.parametrize("path", ["/rules", "/codes", "/notation", "/tables/new", "/"])
def test_no_two_things_of_a_page_have_the_same_name(served: FlaskClient, path: str) -> None:
    names = Counter(re.findall(r'\sid="([^"]+)"', served.get(path).text))
    assert [name for name, count in names.items() if count > 1] == []


def test_a_rule_that_both_games_have_leads_to_the_game_that_is_played(desk: JournalDesk, served: FlaskClient) -> None:
    page = served.get("/rules?lang=en").text
    whole = data("bourre/table-too-many-seats").replace(b'"max_draw":', b'"seats_max":"unrecorded","max_draw":', 1)
    got = served.get(f"/recordings/{put(desk, whole)}?lang=en").text
    assert 'href="/rules#bourre.seats_max"' in got
    assert "<h2>Bourr" in page.partition('id="bourre.seats_max"')[0]
    assert "<h2>Bourr" not in page.partition('id="seats_max"')[0]


def test_a_hand_of_any_number_is_stepped_through(desk: JournalDesk, served: FlaskClient) -> None:
    """A wrong number is a finding; it hides no hand."""
    number = 2**53 - 1
    whole = data("bura/rule-open-30-says-31").replace(b'"hand":1,', f'"hand":{number},'.encode())
    whole = whole.replace(b'"hand": 1,', f'"hand": {number},'.encode())
    id_ = put(desk, whole)
    head = desk.head(id_, "")
    assert head
    assert [span.hand for span in head.hands] == [number]
    for path in ("", "/events/5", "/events/5.json", "/dispute", "/dispute.json", "/steps.json"):
        assert served.get(f"/recordings/{id_}/hands/{number}{path}", follow_redirects=True).status_code == 200, path
    assert served.get(f"/recordings/{id_}/hands/{number}/events/{10**16}").status_code == 404
