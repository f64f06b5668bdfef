"""A step shows what could be known then: blind, the page of a recording that ends there; sighted, its table."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from recorder import intake
from recorder.journal import Journal
from recorder.words import load
from replay.audit.sight import redact
from replay.desk import house_of
from replay.desk_journal import JournalDesk
from replay.views.wording import Wording
from replay.web.app import create_app
from schemas.events import Recording
from tests.web.test_leaks import told

CASES = Path(__file__).parents[1] / "cases"
CHOSEN = (
    "bura/dispute-open-01", "bura/rule-open-30-says-31", "bura/clean-02", "bura/dispute-word-candidates",
    "bourre/redacted-proved-1", "bourre/head-with-jack", "bourre/tie-five-of-six",
)  # fmt: skip
#: What a step's page says of the step itself, not of the way on.
NOW = ("sentence", "aside", "status", "last_breach", "others", "mine", "sets", "empty", "stock", "pot", "pot_text")
PANES = ("findings", "legal", "count", "why", "why_end", "ledger", "clocks", "points_chart")
EVERY = 4


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JournalDesk]:
    journal = Journal.open(tmp_path_factory.mktemp("then") / "journal.db")
    yield JournalDesk(journal, open_house=True)
    journal.close()


@pytest.fixture(scope="module")
def served(desk: JournalDesk) -> FlaskClient:
    return create_app(desk, secret=b"tests").test_client()


def recorded(case: str) -> Recording:
    found = intake.read(next(CASES.glob(f"{case}.*.jsonl")).read_bytes())
    assert isinstance(found, Recording)
    return found


def stripped(text: str, id_: str) -> str:
    """Without the recording's own number and the pin of its chain, which is made of random numbers."""
    return re.sub(r"h=[0-9a-f]{8}", "h=", text).replace(id_, "ID")


def places(desk: JournalDesk, id_: str) -> Iterator[tuple[str, int, int]]:
    """View, hand and event."""
    head = desk.head(id_, "")
    assert head
    for view in [one for one in head.views if one in ("full", "public", "seat:2")]:
        for span in head.hands[:2]:
            seqs = sorted(span.seqs)
            for seq in sorted({*seqs[::EVERY], *seqs[-3:]}):
                yield view, span.hand, seq


@pytest.mark.parametrize("case", CHOSEN)
def test_a_blind_step_is_that_of_a_recording_that_ends_there(desk: JournalDesk, served: FlaskClient, case: str) -> None:
    whole = recorded(case)
    id_ = desk.journal.store(whole).key
    for view, hand, seq in places(desk, id_):
        cut = desk.journal.store(redact(whole, "full", house_of(whole).rules, upto=seq)).key
        for ending in ("", ".json", ".svg"):
            address = f"hands/{hand}/events/{seq}{ending}?view={view}&blind=1&lang=en"
            ours, theirs = (served.get(f"/recordings/{key}/{address}") for key in (id_, cut))
            assert ours.status_code == theirs.status_code == 200, address
            texts = [stripped(one.get_data(as_text=True), key) for one, key in ((ours, id_), (theirs, cut))]
            assert texts[0] == texts[1], address
            headers = [{name: value for name, value in one.headers if name != "Set-Cookie"} for one in (ours, theirs)]
            assert headers[0] == headers[1]


@pytest.mark.parametrize("case", CHOSEN)
def test_a_sighted_step_tells_of_the_step_what_the_blind_one_tells(
    desk: JournalDesk, served: FlaskClient, case: str
) -> None:
    id_ = desk.journal.store(recorded(case)).key
    for view, hand, seq in places(desk, id_):
        pages = []
        for blind in ("", "&blind=1"):
            address = f"/recordings/{id_}/hands/{hand}/events/{seq}.json?view={view}&lang=en{blind}"
            found = json.loads(served.get(address).get_data(as_text=True).replace("&blind=1", ""))
            pages.append({name: found[name] for name in NOW} | {name: found["panes"][name] for name in PANES})
        assert without_the_end(pages[0]) == pages[1], (view, seq)


def without_the_end(page: dict[str, Any]) -> dict[str, Any]:
    """Only the recording's very last page tells that it breaks off."""
    ends = [one for one in page["findings"] if one["code"] in ("table/hand-unfinished", "table/not-closed")]
    assert not ends
    return page


@pytest.mark.parametrize("case", CHOSEN)
@pytest.mark.parametrize("view", ["public", "seat:2"])
def test_no_answer_shows_a_card_its_view_may_not_see(
    desk: JournalDesk, served: FlaskClient, case: str, view: str
) -> None:
    whole = recorded(case)
    id_ = desk.journal.store(whole).key
    head = desk.head(id_, view)
    if head is None:
        return
    words = Wording("en", load("en"))
    seen = b"".join(redact(whole, view, house_of(whole).rules).lines).decode()
    laid = set(re.findall(r'"([2-9TJQKA][shdc])"', b"".join(whole.lines).decode()))
    hidden = {card for card in laid if f'"{card}"' not in seen}
    answers = [f"{part}?view={view}&lang=en" for part in ("", ".json", "/report", "/report.json", "/recording.jsonl")]
    answers.append(f"/ledger.csv?view={view}")
    for _, hand, seq in places(desk, id_):
        answers += [f"/hands/{hand}/events/{seq}{ending}?view={view}&lang=en" for ending in ("", ".json", ".svg")]
    for address in dict.fromkeys(answers):
        text = served.get(f"/recordings/{id_}{address}").get_data(as_text=True)
        if "/events/" in address and ".json" in address:  # the cards that may lie anywhere are named as a whole
            page = json.loads(text)
            page["panes"]["why"] = [one for one in page["panes"]["why"] if one["term"] != words.say("why.unseen")]
            text = json.dumps(page)
        assert [card for card in hidden if told(text, card, words)] == [], address


def test_blind_finds_no_address_that_tells_the_end(desk: JournalDesk, served: FlaskClient) -> None:
    id_ = desk.journal.store(recorded("bura/rule-open-30-says-31")).key
    fit = {"recording", "hand", "slide", "event", "event_json", "picture"}
    for rule in served.application.url_map.iter_rules():
        if "id_" not in rule.arguments or "GET" not in (rule.methods or set()) or rule.rule.startswith("/tables"):
            continue
        values: dict[str, Any] = {"id_": id_, "hand": 1, "seq": 3, "number": 1}
        if rule.arguments - set(values):
            continue
        with served.application.test_request_context():
            path = served.application.url_for(rule.endpoint, **{name: values[name] for name in rule.arguments})
        answer = served.get(path, query_string={"blind": "1", "at": "3"})
        if rule.endpoint.rpartition(".")[2] not in fit:
            assert answer.status_code == 404, path
        text = answer.get_data(as_text=True)
        assert "Refuted" not in text, path
        assert "refuted" not in text, path


def test_an_embedded_page_may_be_framed_and_no_other(desk: JournalDesk, served: FlaskClient) -> None:
    id_ = desk.journal.store(recorded("bura/rule-open-30-says-31")).key
    framed = served.get(f"/embed/recordings/{id_}/hands/1/events/3?view=public")
    assert framed.status_code == 200
    assert "frame-ancestors *" in framed.headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in framed.headers
    html = framed.get_data(as_text=True)
    assert f'href="/embed/recordings/{id_}/hands/1/events/4?view=public"' in html
    assert f'"/recordings/{id_}' not in html
    plain = served.get(f"/recordings/{id_}/hands/1/events/3?view=public")
    assert "frame-ancestors 'none'" in plain.headers["Content-Security-Policy"]
    assert plain.headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("amended", [False, True])
def test_the_dealers_fifth_is_hidden_until_it_is_turned_in_an_amended_recording_too(
    desk: JournalDesk, served: FlaskClient, amended: bool
) -> None:
    lines = [json.loads(line) for line in recorded("bourre/public-nbl-006").lines]
    lines = [one for one in lines if one["type"] != "recording_ended"]
    turned = next(one for one in lines if one["type"] == "trump_turned")
    if amended:
        same = next(one for one in lines if one["type"] == "stayed")
        again = {"type": "corrected", "of": same["seq"], "reason": "slip of the pen"}
        lines.append({"seq": len(lines), **again, "event": {"type": "stayed", "seat": same["seat"]}})
    found = intake.read("".join(json.dumps(one) + "\n" for one in lines).encode())
    assert isinstance(found, Recording)
    id_ = desk.journal.store(found).key
    words = Wording("en", load("en"))
    for blind in ("", "&blind=1"):
        address = f"/recordings/{id_}/hands/1/events/{turned['seq'] - 1}.json?view=public&lang=en{blind}"
        page = json.loads(served.get(address).data)
        hands = [card["name"] for seat in (*page["others"], page["mine"]) for card in seat["cards"]]
        assert len(hands) > 1
        assert words.card_name(turned["card"]) not in hands, blind
