"""The pages over the real desk: recorded cases, every event, in the table's view."""

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient

from recorder.journal import Journal
from recorder.words import load
from replay.desk_journal import JournalDesk
from replay.views.wording import Wording
from replay.web.app import create_app
from schemas.problems import Refusal
from tests.web.test_leaks import told

READINGS = ("amended", "recorded")
CASES = Path(__file__).parents[1] / "cases"
MATCH = "bura/public-20c-000"
CHOSEN = ("bura/dispute-open-01", "bura/clean-02", "bura/table-amended", "bourre/session-05", "bourre/tie-five-of-six")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JournalDesk]:
    journal = Journal.open(tmp_path_factory.mktemp("web") / "journal.db")
    yield JournalDesk(journal, open_house=True)
    journal.close()


@pytest.fixture(scope="module")
def served(desk: JournalDesk) -> FlaskClient:
    return create_app(desk, secret=b"tests").test_client()


def put(desk: JournalDesk, case: str) -> str:
    found = desk.receive(next(CASES.glob(f"{case}.*.jsonl")).read_bytes(), keep=True, public=True)
    assert not isinstance(found, Refusal)
    return found.id


@pytest.mark.parametrize("case", CHOSEN)
def test_every_event_has_its_page_and_the_table_sees_no_hidden_card(
    desk: JournalDesk, served: FlaskClient, case: str
) -> None:
    id_ = put(desk, case)
    words = Wording("en", load("en"))
    head = desk.head(id_, "public")
    assert head
    for span in head.hands:
        whole, table = desk.hand(id_, span.hand, "full"), desk.hand(id_, span.hand, "public")
        assert whole
        assert table
        laid = {card for event in whole.events for card in event.get("cards", [])}
        shown = json.dumps([dict(event) for event in table.events])
        hidden = [card for card in laid if "?" not in card and f'"{card}"' not in shown]
        for event in table.events:
            for ending in ("", ".json"):
                address = f"/recordings/{id_}/hands/{span.hand}/events/{event['seq']}{ending}?view=public&lang=en"
                answer = served.get(address)
                assert answer.status_code == 200, address
                if not ending:
                    text = answer.get_data(as_text=True)
                    assert [card for card in hidden if told(text, card, words)] == [], address


@pytest.mark.parametrize("case", CHOSEN)
def test_recording_report_and_lines_of_every_view(desk: JournalDesk, served: FlaskClient, case: str) -> None:
    id_ = put(desk, case)
    head = desk.head(id_, "")
    assert head
    for view in head.views:
        for page in ("", ".json", "/report", "/report.json", "/recording.jsonl"):
            assert served.get(f"/recordings/{id_}{page}?view={view}").status_code == 200, (view, page)


def test_the_same_file_twice_is_one_recording(served: FlaskClient) -> None:
    data = next(CASES.glob("bura/clean-03.*.jsonl")).read_bytes()
    first, second = (served.post("/api/v1/recordings", data=data) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 200)
    assert json.loads(first.data)["id"] == json.loads(second.data)["id"]


def test_a_refused_case_is_told_in_words(served: FlaskClient) -> None:
    for path in sorted(CASES.glob("*/refuse-*.jsonl"))[:12]:
        for lang in ("en", "ru", "fr"):
            answer = served.post(f"/api/v1/verify?lang={lang}", data=path.read_bytes())
            assert answer.status_code == 422, path.name
            assert all(each["message"] for each in json.loads(answer.data)["problems"])


def test_other_rules_and_the_log_as_recorded_have_addresses(desk: JournalDesk, served: FlaskClient) -> None:
    id_ = put(desk, "bura/table-amended")
    head = desk.head(id_, "full")
    assert head
    seqs = sorted(head.hands[0].seqs)
    step = f"/recordings/{id_}/hands/1/events/{seqs[0]}"
    pages = [served.get(f"/recordings/{id_}/hands/1/events/{seq}?view=full&lang=en").get_data(True) for seq in seqs]
    assert any("Amended since" in page and "as=recorded" in page for page in pages)
    recorded = served.get(f"{step}?view=full&lang=en&as=recorded").get_data(as_text=True)
    assert "without its amendments" in recorded
    verdicts = [served.get(f"/recordings/{id_}/report.json?as={one}").get_json()["verdict"] for one in READINGS]
    assert verdicts == ["verified", "refuted"]
    other = served.get(f"/recordings/{id_}/report.json?rules=bura/classic-32@1").get_json()
    assert other["recording"]["rules"] == "bura/classic-32@1"
    for odd in ("rules=bourre/classic@1", "rules=../../x", "as=both"):
        assert served.get(f"/recordings/{id_}?{odd}").status_code == 404, odd
        assert served.get(f"{step}?{odd}").status_code == 404, odd


def test_a_pinned_link_says_when_the_chain_is_another(desk: JournalDesk, served: FlaskClient) -> None:
    id_ = put(desk, "bura/clean-02")
    step = f"/recordings/{id_}/hands/1/events/9?view=full&lang=en"
    found = re.search(r"[;&]h=([0-9a-f]{8})", served.get(step).get_data(as_text=True))
    assert found
    pin = found[1]
    assert "another state" not in served.get(f"{step}&h={pin}").get_data(as_text=True)
    assert "another state" in served.get(f"{step}&h={'0' * 8}").get_data(as_text=True)


def test_a_still_picture_needs_nothing_beside_it(desk: JournalDesk, served: FlaskClient) -> None:
    id_ = put(desk, "bura/clean-02")
    answer = served.get(f"/recordings/{id_}/hands/1/events/21.svg?view=full&lang=ru")
    text = answer.get_data(as_text=True)
    assert answer.mimetype == "image/svg+xml"
    assert ElementTree.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    assert not [use for use in re.findall(r'<use href="([^"]+)"', text) if f'id="{use[1:]}"' not in text]


@pytest.mark.parametrize(
    ("case", "seq", "said"),
    [
        ("bura/rule-open-31", 11, "after trick 1, before any draw"),
        ("bura/rule-open-after-the-draw", 12, "after trick 1, when a card was drawn already"),
        ("bura/fault-opens-after-the-draw", 21, "after trick 2, when a card was drawn already"),
        ("bura/public-20c-000", 20, "after trick 3, when a card was drawn already"),
    ],
)
def test_a_step_says_of_an_opening_what_was_drawn_before_it(
    desk: JournalDesk, served: FlaskClient, case: str, seq: int, said: str
) -> None:
    id_ = put(desk, case)
    for view in ("full", "public"):
        answer = served.get(f"/recordings/{id_}/hands/1/events/{seq}.json?view={view}&lang=en")
        assert json.loads(answer.data)["aside"] == said


@pytest.mark.parametrize(("case", "shown"), [("bourre/session-02", "3032"), ("bura/table-amended", "+10")])
def test_chips_of_a_stack_are_no_gain(desk: JournalDesk, served: FlaskClient, case: str, shown: str) -> None:
    table = served.get(f"/recordings/{put(desk, case)}?view=full&lang=en").text.split('id="balances"')[1]
    assert re.findall(r'<td class="r">([^<]*)<', table.split("</table>")[0])[0] == shown


@pytest.mark.parametrize(
    ("case", "said", "unsaid"),
    [
        ("bura/public-20c-000", "p1 opened and won", "the pot"),
        ("bura/public-36a-023", "An opening failed, the pot went to p1", "matched"),
    ],
)
def test_the_end_of_a_hand_is_told_by_the_rules_of_its_table(
    desk: JournalDesk, served: FlaskClient, case: str, said: str, unsaid: str
) -> None:
    html = served.get(f"/recordings/{put(desk, case)}?lang=en").get_data(as_text=True)
    rows = re.search(r'id="hands">.*?</table>', html, re.DOTALL)
    assert rows
    assert said in rows[0]
    assert unsaid not in rows[0].partition("</thead>")[2]


def test_no_page_spells_a_value_as_python_does(desk: JournalDesk, served: FlaskClient) -> None:
    html = served.get(f"/recordings/{put(desk, 'bourre/public-axl-06-1')}?lang=en").get_data(as_text=True)
    assert "dealer_stays_on_ace = false" in html


def chapters(served: FlaskClient, address: str) -> list[tuple[str, list[int]]]:
    groups = json.loads(served.get(address).data)["log"]
    return [(group["title"], [line["seq"] for line in group["lines"]]) for group in groups]


def test_what_is_paid_and_counted_at_the_end_is_one_settlement(desk: JournalDesk, served: FlaskClient) -> None:
    id_ = put(desk, "bura/rule-money-28-razburka-31")
    failed = chapters(served, f"/recordings/{id_}/hands/1/events/2.json?lang=en&view=full")
    assert [title for title, _ in failed].count("Settlement") == 1
    last = failed[-1]
    kinds = [event["type"] for event in desk.story(id_, "full").events if event["seq"] in last[1]]  # type: ignore[union-attr]
    assert last[0] == "Settlement"
    assert kinds[0] == "staked"
    assert kinds[-1] == "hand_ended"


@pytest.mark.parametrize("case", ["bura/clean-05", "bura/fault-card-twice-drawn", "bourre/public-nbl-001"])
def test_what_is_counted_beside_the_play_opens_no_chapter(desk: JournalDesk, served: FlaskClient, case: str) -> None:
    id_ = put(desk, case)
    head = desk.head(id_, "full")
    assert head
    address = f"/recordings/{id_}/hands/1/events/{head.hands[0].last}.json?lang=en&view=full"
    titles = [title for title, _ in chapters(served, address)]
    assert len(titles) == len(set(titles))


@pytest.mark.parametrize(
    ("case", "at", "back", "under"),
    [
        ("bura/clean-02", 20, True, True),
        ("bura/public-36a-023", 8, True, False),
        ("bourre/session-01", 20, True, False),
        ("bourre/public-nbl-001", 14, True, False),
    ],
)
def test_a_stock_with_cards_shows_a_back(
    desk: JournalDesk, served: FlaskClient, case: str, at: int, back: bool, under: bool
) -> None:
    id_ = put(desk, case)
    seen = json.loads(served.get(f"/recordings/{id_}/hands/1/events/{at}.json?lang=en&view=full").data)["stock"]
    assert (seen["back"], seen["under"]) == (back, under)
    html = served.get(f"/recordings/{id_}/hands/1/events/{at}?lang=en&view=full").get_data(as_text=True)
    assert ("#back" in html.partition('<div class="stock">')[2].partition("</div></div>")[0]) == back


@pytest.mark.parametrize("page", ["", "/hands/1/dispute", "/hands/1/events/8", "/report"])
def test_a_recording_without_a_title_is_called_the_same_on_every_page(
    desk: JournalDesk, served: FlaskClient, page: str
) -> None:
    id_ = put(desk, "bura/rule-open-31")
    html = served.get(f"/recordings/{id_}{page}?lang=en").get_data(as_text=True)
    trail = html.partition('class="crumbs"')[2].partition("</nav>")[0]
    assert "Bura: Анна, Борис" in trail
    assert id_ not in re.sub(r'href="[^"]*"', "", trail)


@pytest.mark.parametrize("case", ["bura/clean-05", "bura/clean-08", "bourre/tie-five-of-seven"])
def test_what_is_written_beside_the_sets_of_a_still_picture_does_not_run_together(
    desk: JournalDesk, served: FlaskClient, case: str
) -> None:
    id_ = put(desk, case)
    head = desk.head(id_, "full")
    assert head
    for seq in range(head.hands[0].first, head.hands[0].last + 1):
        answer = served.get(f"/recordings/{id_}/hands/1/events/{seq}.svg?lang=ru&view=full")
        texts = [node for node in ElementTree.fromstring(answer.data).iter() if node.tag.endswith("text")]
        lines: dict[str, list[tuple[float, str]]] = {}
        for node in texts:
            if "end" not in node.attrib.values():
                lines.setdefault(node.get("y", ""), []).append((float(node.get("x", 0)), node.text or ""))
        for (x, text), (after, _) in (pair for line in lines.values() for pair in pairwise(line)):
            assert not text or x + 6.2 * len(text) <= after, (seq, text)


def test_the_rules_page_tells_the_amounts_presets_choose(served: FlaskClient) -> None:
    html = served.get("/rules?lang=en").get_data(as_text=True)
    drawn = html.partition('id="max_draw"')[2].partition('class="house"')[0]
    assert "up to 5 seats 4, up to 7 seats 3" in drawn
    assert "classic" in drawn
    assert "no limit" in html.partition('id="pot_limit"')[2].partition('class="house"')[0]


@pytest.mark.parametrize(
    ("case", "lines", "said"),
    [
        ("bura/rule-open-31", None, ("Every card, chip and claim is in order.",)),
        ("bura/rule-open-31", -1, ("Verified up to event 14, not closed.",)),
        ("bura/fault-record-breaks-off", None,
         ("The record breaks off before it is decided.", "It stops at event 9 and was not closed.")),
        ("bourre/redacted-cut-1", None,
         ("Unseen cards or unrecorded rules leave it open.", "It stops at event 64 and was not closed.")),
    ],
)  # fmt: skip
def test_a_record_that_stops_is_headed_so(
    desk: JournalDesk, served: FlaskClient, case: str, lines: int | None, said: tuple[str, ...]
) -> None:
    whole = next(CASES.glob(f"{case}.*.jsonl")).read_bytes().splitlines(keepends=True)
    found = desk.receive(b"".join(whole[:lines]), keep=True, public=True)
    assert not isinstance(found, Refusal)
    html = served.get(f"/recordings/{found.id}?lang=en").get_data(as_text=True)
    head = html.partition('class="lede"')[2].partition('class="acts"')[0]
    assert all(one in head for one in said)


def test_a_hand_for_match_points_belongs_to_somebody_without_a_pot(desk: JournalDesk, served: FlaskClient) -> None:
    html = served.get(f"/recordings/{put(desk, MATCH)}/hands/18/dispute?lang=en").get_data(as_text=True)
    said = re.sub(r"<[^>]+>", "", html.partition('id="remedy"')[2].partition("</section>")[0])
    assert "The hand belongs to p1. An opening failed, p1 won." in said
    assert "pot" not in said


@pytest.mark.parametrize(
    ("case", "seq", "tones"),
    [
        ("bura/dispute-word-candidates", 10, ["ok"]),
        ("bura/dispute-word-candidates", 15, ["dbt", "dbt"]),
        ("bura/rule-open-30-takes", 13, ["bad"]),
        ("bura/rule-open-31", 13, ["ok"]),
    ],
)
def test_what_is_in_doubt_is_not_called_verified(
    desk: JournalDesk, served: FlaskClient, case: str, seq: int, tones: list[str]
) -> None:
    address = f"/recordings/{put(desk, case)}/hands/1/events/{seq}.json?lang=en&view=full"
    assert [tag["tone"] for tag in json.loads(served.get(address).data)["status"]] == tones


@pytest.mark.parametrize(
    ("fields", "lang", "shown"),
    [
        ({"unit": "EUR", "unit_digits": 2}, "en", "EUR; 1 in the record is 0.01"),
        ({"unit": "руб.", "unit_digits": 2}, "ru", "руб.; 1 в записи\u00a0— это 0,01"),
        ({"unit": "jeton"}, "fr", "jeton"),
        ({}, "en", ""),
    ],
)
def test_what_the_sums_are_in_is_said(
    desk: JournalDesk, served: FlaskClient, fields: dict[str, object], lang: str, shown: str
) -> None:
    lines = (CASES / "bura/clean-02.bura.jsonl").read_bytes().split(b"\n")
    lines[0] = json.dumps({**json.loads(lines[0]), **fields}).encode()
    found = desk.receive(b"\n".join(lines), keep=True, public=True)
    assert not isinstance(found, Refusal)
    page = served.get(f"/recordings/{found.id}?view=full&lang={lang}").text
    facts = re.findall(r"<dt>([^<]*)</dt><dd[^>]*>(.*?)</dd>", page, re.DOTALL)
    said = dict(facts).get(Wording(lang, load(lang)).say("recording.unit"), "")
    assert re.sub(r"<[^>]*>", "", said).strip() == shown


def test_another_deck_and_another_language_keep_what_was_asked_for(desk: JournalDesk, served: FlaskClient) -> None:
    id_ = put(desk, "bura/table-amended")
    for page in (f"/recordings/{id_}", f"/recordings/{id_}/report"):
        told = served.get(f"{page}?view=public&names=0&as=recorded&deck=4").get_data(as_text=True)
        foot = told.partition('<footer class="end">')[2]
        kept = f"{page}?view=public&amp;names=0&amp;as=recorded&amp;"
        assert f'href="{kept}deck=2"' in foot
        assert f'href="{kept}deck=4&amp;lang=fr"' in foot
