"""Disputes and cases on the real desk: every view and language, nothing leaked, nothing lost, one sheet of paper."""

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import html5lib
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.serving import make_server

from recorder.journal import Journal
from recorder.words import LANGUAGES, load
from replay import desk_cases
from replay.audit.dispute import dispute as compute
from replay.desk_journal import JournalDesk
from replay.views.wording import Wording
from replay.web.app import create_app
from schemas.events import Recording
from schemas.problems import Refusal

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CASES = Path(__file__).parents[1] / "cases"
OPEN, WORDS, DARK = "bura/dispute-open-02", "bura/dispute-believe-01", "bura/table-unseen-stretch"
CHOSEN = (
    "bura/dispute-open-01", OPEN, "bura/dispute-open-03", WORDS, "bura/dispute-believe-02", "bura/dispute-settled-01",
    "bura/dispute-word-candidates", "bura/public-36a-001", "bura/table-amended", "bura/table-public-view", DARK,
    "bura/fault-molodka-rule-unrecorded", "bura/fault-record-breaks-off", "bourre/session-05", "bourre/lead-low-trump",
    "bourre/fault-rule-unrecorded-tie", "bourre/inserted-ante",
)  # fmt: skip
LONGEST = ("bura/dispute-believe-02", OPEN, "bura/dispute-word-candidates", "bura/public-36a-035", "bourre/session-06")


@pytest.fixture(scope="module", autouse=True)
def asked_once() -> Iterator[None]:
    """What the engine answers knows nothing of languages, pages and twins: of one question it is computed once."""
    kept: dict[object, Any] = {}

    def dispute(recording: Recording, *question: Any) -> Any:
        key = (recording.digest, recording.lines, *map(repr, question))
        if key not in kept:
            kept[key] = compute(recording, *question)
        return copy.deepcopy(kept[key])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(desk_cases, "dispute", dispute)
        yield


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JournalDesk]:
    journal = Journal.open(tmp_path_factory.mktemp("disputes") / "journal.db")
    yield JournalDesk(journal, open_house=True)
    journal.close()


@pytest.fixture(scope="module")
def app(desk: JournalDesk) -> Flask:
    app = create_app(desk, secret=b"tests", uploads_a_minute=10_000)
    app.config["WTF_CSRF_ENABLED"] = False
    return app


@pytest.fixture(scope="module")
def served(app: Flask) -> FlaskClient:
    return app.test_client()


def put(desk: JournalDesk, case: str, public: bool = False) -> str:
    found = desk.receive(next(CASES.glob(f"{case}.*.jsonl")).read_bytes(), keep=True, public=public)
    assert not isinstance(found, Refusal)
    return found.id


def page(served: FlaskClient, address: str) -> str:
    answer = served.get(address)
    assert answer.status_code == 200, address
    return answer.get_data(as_text=True)


@pytest.mark.parametrize("case", CHOSEN)
def test_every_view_and_language_of_every_hand(desk: JournalDesk, served: FlaskClient, case: str) -> None:
    id_ = put(desk, case)
    head = desk.head(id_, "")
    assert head
    for span in head.hands:
        for view in head.views:
            for lang in LANGUAGES:
                html = page(served, f"/recordings/{id_}/hands/{span.hand}/dispute?view={view}&lang={lang}")
                assert f'<html lang="{lang}"' in html
                html5lib.HTMLParser(strict=True).parse(html)
                assert " style=" not in html
                assert not re.search(r"<script(?![^>]*\bsrc=)", html)
                assert "<h1></h1>" not in html


@pytest.mark.parametrize("case", CHOSEN)
def test_every_event_of_a_hand_can_be_disputed(desk: JournalDesk, served: FlaskClient, case: str) -> None:
    id_ = put(desk, case)
    head = desk.head(id_, "public")
    assert head
    hand = desk.hand(id_, head.hands[0].hand, "public")
    assert hand
    for event in hand.events:
        address = f"/recordings/{id_}/hands/{hand.hand}/dispute"
        html = page(served, f"{address}?at={event['seq']}&view=public")
        twin = json.loads(page(served, f"{address}.json?at={event['seq']}&view=public"))
        assert (twin["format"], twin["at"], twin["view"]) == ("razbor-dispute/1", event["seq"], "public")
        assert f"at={event['seq']}" in html


def told(text: str, card: str, words: Wording) -> bool:
    """Whether a body shows where a card lies: drawn, named by its label, or listed as known."""
    name = re.escape(words.card_name(card))
    labelled = re.search(rf'class="l">#\d+</span> <span class="t .?" role="img" aria-label="{name}"', text)
    return bool(re.search(rf"#s?{card}\b", text) or labelled)


@pytest.mark.parametrize("case", ["bura/dispute-open-01", OPEN, "bura/dispute-open-03", "bourre/session-05"])
def test_no_view_learns_a_card_it_may_not_see(tmp_path: Path, case: str) -> None:
    """What the table sees is all its pages are made of: the redacted recording, uploaded by itself, has the same."""
    desk = JournalDesk(Journal.open(tmp_path / "journal.db"), open_house=True)  # nobody filed a case here
    served = create_app(desk, secret=b"tests").test_client()
    id_ = put(desk, case)
    for view in ("public", "seat:1", "seat:2"):
        lines = desk.lines(id_, view)
        assert lines
        redacted = desk.receive(lines, keep=True, public=False)
        assert not isinstance(redacted, Refusal)
        address = f"/recordings/{{}}/hands/1/dispute?view={view}&lang=en"
        ours, theirs = page(served, address.format(id_)), page(served, address.format(redacted.id))
        body = [re.sub(r"<header.*?</header>|value=\"[^\"]*\"", "", text, flags=re.DOTALL) for text in (ours, theirs)]
        without_pins = [re.sub(r"h=[0-9a-f]{8}", "", text) for text in body]
        plain = [text.split("<main")[1].replace(id_, "").replace(redacted.id, "") for text in without_pins]
        without_codes = [re.sub(r'<svg class="qr".*?</svg>', "", text, flags=re.DOTALL) for text in plain]
        assert without_codes[0] == without_codes[1]
    desk.journal.close()


@pytest.mark.parametrize("case", ["bura/dispute-open-01", OPEN, WORDS])
def test_hidden_faces_stand_nowhere_but_among_the_unseen(desk: JournalDesk, served: FlaskClient, case: str) -> None:
    id_ = put(desk, case)
    words = Wording("en", load("en"))
    whole, table = desk.hand(id_, 1, "full"), desk.hand(id_, 1, "public")
    assert whole
    assert table
    said = {card for event in table.events if event["type"] == "testified" for card in event["cards"]}
    shown = json.dumps([dict(event) for event in table.events])
    hidden = {card for event in whole.events for card in event.get("cards", []) if f'"{card}"' not in shown} - said
    html = page(served, f"/recordings/{id_}/hands/1/dispute?view=public&lang=en")
    assert [card for card in sorted(hidden) if told(html, card, words)] == []
    known = json.loads(page(served, f"/recordings/{id_}/hands/1/dispute.json?view=public"))
    for entry in known["seats"].values():
        assert not hidden & set(entry["known"])
        assert not hidden & {pair[0] for pair in entry["certificate"]["known"]}


def test_odd_addresses_are_not_there(desk: JournalDesk, served: FlaskClient) -> None:
    id_ = put(desk, OPEN)
    address = f"/recordings/{id_}/hands/1/dispute"
    odd = ("at=٣", "at=0056", "at=9999", "believe=9", "believe=x", "case=700", "view=seat:9", "as=guessed", "at=-1")
    for query in odd:
        assert served.get(f"{address}?{query}").status_code == 404, query
    assert served.get(f"/recordings/{id_}/hands/2/dispute").status_code == 404
    assert served.get(f"/recordings/{'0' * 16}/hands/1/dispute").status_code == 404


def test_an_event_of_another_hand_leads_to_its_own_address(desk: JournalDesk, served: FlaskClient) -> None:
    id_ = put(desk, "bourre/session-05")
    head = desk.head(id_, "")
    assert head
    first, second = head.hands[:2]
    answer = served.get(f"/recordings/{id_}/hands/{first.hand}/dispute.json?at={second.first}&view=public")
    assert answer.status_code == 302
    assert answer.location == f"/recordings/{id_}/hands/{second.hand}/dispute.json?at={second.first}&view=public"


def test_the_step_leads_here_by_button_and_key(desk: JournalDesk, served: FlaskClient) -> None:
    id_ = put(desk, OPEN)
    html = page(served, f"/recordings/{id_}/hands/1/events/54?view=public&lang=en")
    address = f"/recordings/{id_}/hands/1/dispute?view=public&amp;at=54"
    assert f'href="{address}">Dispute</a>' in html
    assert f'data-k-d="{address}"' in html


def test_names_can_be_left_out(desk: JournalDesk, served: FlaskClient) -> None:
    id_ = put(desk, WORDS)
    served.post(f"/recordings/{id_}/cases", data={"hand": "1", "at": "33", "claim": "Тимур врёт", "party": "1"})
    for ending in ("", ".json"):
        text = page(served, f"/recordings/{id_}/hands/1/dispute{ending}?names=0&lang=ru&believe=1")
        for word in ("Тимур", "Анна", "врёт"):
            assert word not in text


def test_believing_a_word_changes_the_answer(desk: JournalDesk, served: FlaskClient) -> None:
    id_ = put(desk, WORDS)
    address = f"/recordings/{id_}/hands/1/dispute?at=33&view=public&lang=en"
    doubted, believed = page(served, address), page(served, f"{address}&believe=1")
    assert "Undecided: not everything was seen" in doubted
    assert "If believed, Анна had" in doubted
    assert "Proven" not in believed
    assert "If believed: 31 was there" in believed
    assert "This takes Тимур at their word." in believed
    assert "at their word" not in doubted
    assert "Without the word of Тимур" in believed


# -- cases ------------------------------------------------------------------------------------------------------------


def give_word(served: FlaskClient, id_: str, **more: Any) -> Any:
    form = {"at": "40", "view": "public", "seat": "2", "of": "25", "card0": "7d", "claim": "Had he 31?"}
    return served.post(f"/recordings/{id_}/hands/1/words", data={**form, **more})


@pytest.mark.parametrize("more", [{"card0": "Zz"}, {"seat": "9"}, {"of": "3"}])
def test_a_word_that_cannot_be_heard_opens_no_case(
    desk: JournalDesk, served: FlaskClient, more: dict[str, str]
) -> None:
    id_ = put(desk, OPEN)
    before = desk.journal.cases().of(id_)
    answer = give_word(served, id_, **more)
    assert (answer.status_code, "Nothing was written." in answer.text) == (422, True)
    assert desk.journal.cases().of(id_) == before


def test_a_word_goes_into_a_case_and_not_into_the_recording(desk: JournalDesk, served: FlaskClient) -> None:
    id_ = put(desk, OPEN)
    before = desk.journal.export(id_)
    answer = give_word(served, id_)
    assert answer.status_code == 303
    assert "believe=2" in answer.location
    assert "case=" in answer.location
    html = page(served, answer.location + "&lang=en")
    assert "Word of Kim" in html
    assert "seven of diamonds" in html
    spoken = json.loads(page(served, answer.location.replace("/dispute?", "/dispute.json?")))
    silent = json.loads(page(served, f"/recordings/{id_}/hands/1/dispute.json?at=40&view=public"))
    wide, narrow = (twin["seats"]["1"]["points"] for twin in (silent, spoken))
    assert wide["high"] - wide["low"] > narrow["high"] - narrow["low"]
    assert desk.journal.export(id_) == before
    assert "Word of Kim" not in page(served, f"/recordings/{id_}/hands/1/dispute?at=40&view=public&lang=en")


def test_candidates_can_be_named(desk: JournalDesk, served: FlaskClient) -> None:
    id_ = put(desk, OPEN)
    answer = give_word(served, id_, card0="7d", card0or="Qd")
    html = page(served, answer.location + "&lang=en")
    assert "seven of diamonds" in html
    assert "queen of diamonds" in html


def test_a_word_that_cannot_be_is_left_out_and_told(desk: JournalDesk, served: FlaskClient) -> None:
    id_ = put(desk, OPEN)
    answer = give_word(served, id_, card0="Js")
    html = page(served, answer.location + "&lang=en")
    assert "contradicts" in html


@pytest.mark.parametrize("card", ["Zz", "7d/7d/7d", "<b>"])
def test_what_is_no_card_is_not_written(desk: JournalDesk, served: FlaskClient, card: str) -> None:
    id_ = put(desk, OPEN)
    answer = give_word(served, id_, card0=card)
    assert answer.status_code == 422
    assert "<b>" not in answer.get_data(as_text=True).split("<main")[1].replace("<b>case", "").split("<h1>")[0]


def opened(served: FlaskClient, id_: str, **more: Any) -> str:
    form = {"hand": "1", "at": "40", "claim": "Kim <b>had</b> it", "party": ["1", "2"], **more}
    answer = served.post(f"/recordings/{id_}/cases", data=form)
    assert answer.status_code == 303
    return str(answer.location)


def test_a_case_from_claim_to_ruling(desk: JournalDesk, served: FlaskClient) -> None:
    id_ = put(desk, "bura/dispute-open-01")
    address = opened(served, id_, at="24")
    number = address.rpartition("/")[2]
    html = page(served, address + "?lang=en")
    assert "Kim &lt;b&gt;had&lt;/b&gt; it" in html
    assert "Not ruled yet" in html
    assert served.post(f"{address}/quote", data={"of": "31"}).status_code == 303
    assert served.post(f"{address}/quote", data={"of": "9999"}).status_code == 422
    assert served.post(f"{address}/rule", data={"ruling": "Pay 10", "reason": ""}).status_code == 422
    ruling = {"ruling": "Pay 10", "reason": "Only 28", "by": "Arbiter", "version": "2"}
    assert served.post(f"{address}/rule", data=ruling).status_code == 303
    html = page(served, address + "?lang=en")
    assert "Pay 10" in html
    assert "Only 28" in html
    assert served.post(f"{address}/rule", data=ruling).status_code == 409
    assert f"Case {number}" in page(served, f"/recordings/{id_}?lang=en")
    assert f"Case {number}" in page(served, f"/recordings/{id_}/hands/1/dispute?lang=en")
    assert served.post(f"{address}/withdraw", data={"reason": "peace"}).status_code == 303
    assert served.post(f"{address}/quote", data={"of": "31"}).status_code == 409
    assert json.loads(page(served, f"{address}.json"))["state"]["text"]


def test_a_case_quotes_no_card_its_reader_may_not_see(desk: JournalDesk, served: FlaskClient) -> None:
    id_ = put(desk, "bura/dispute-open-01")
    address = opened(served, id_, at="24")
    assert "eight of hearts" in page(served, f"{address}?view=full&lang=en")
    assert "eight of hearts" not in page(served, f"{address}?view=public&lang=en")
    assert "eight of hearts" not in page(served, f"{address}.json?view=public&lang=en")


def test_only_who_holds_the_private_link_may_write(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "journal.db")
    desk = JournalDesk(journal)
    app = create_app(desk, secret=b"tests")
    app.config["WTF_CSRF_ENABLED"] = False
    client = app.test_client()
    id_ = put(desk, OPEN, public=True)
    html = page(client, f"/recordings/{id_}/hands/1/dispute?lang=en")
    assert "<form" not in html.split("<main")[1]
    assert client.post(f"/recordings/{id_}/cases", data={"hand": "1", "claim": "x"}).status_code == 403
    assert give_word(client, id_).status_code == 403
    private = put(desk, WORDS)
    assert client.post(f"/recordings/{private}/cases", data={"hand": "1", "claim": "x"}).status_code == 303
    journal.close()


def test_forms_need_their_token(desk: JournalDesk) -> None:
    app = create_app(desk, secret=b"tests", uploads_a_minute=10_000)
    client = app.test_client()
    id_ = put(desk, OPEN)
    assert client.post(f"/recordings/{id_}/cases", data={"hand": "1", "claim": "x"}).status_code == 400
    html = page(client, f"/recordings/{id_}/hands/1/dispute?view=public")
    token = re.search(r'name="csrf_token" value="([^"]+)"', html)
    assert token
    form = {"hand": "1", "claim": "x", "csrf_token": token[1]}
    assert client.post(f"/recordings/{id_}/cases", data=form).status_code == 303


# -- what would make it fit --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("case", "seq", "said"),
    [
        ("bura/fault-card-twice-drawn", 23, "If card 1 of event 23 were"),
        ("bura/fault-takes-less-than-the-pot", 43, "If in event 43 the amount were 30, not 29, it would fit."),
        ("bura/fault-molodka-rule-unrecorded", 9, "If the house rule were"),
        ("bourre/fault-wrong-turn-play", 64, "If event 64 stood after event 65, it would fit."),
        ("bourre/fault-drew-too-many", 28, "up to 5 seats 4, up to 7 seats 4"),
        ("bourre/fault-wrong-dealer", 45, "But wrong then, and not before: table/wrong-turn (44)"),
    ],
)
def test_what_would_make_it_fit_is_a_guess_in_a_sentence(
    desk: JournalDesk, served: FlaskClient, case: str, seq: int, said: str
) -> None:
    id_ = put(desk, case)
    html = page(served, f"/recordings/{id_}/events/{seq}/fit?lang=en")
    text = re.sub(r"<[^>]+>", "", html)
    assert said in text
    assert json.loads(page(served, f"/recordings/{id_}/events/{seq}/fit.json"))["format"] == "razbor-explain/1"
    for lang in LANGUAGES:
        html5lib.HTMLParser(strict=True).parse(page(served, f"/recordings/{id_}/events/{seq}/fit?lang={lang}"))
    assert f"/events/{seq}/fit" in page(served, f"/recordings/{id_}?lang=en")


def test_an_event_without_a_finding_needs_no_guess(desk: JournalDesk, served: FlaskClient) -> None:
    id_ = put(desk, OPEN)
    assert "nothing to explain" in page(served, f"/recordings/{id_}/events/20/fit?view=full&lang=en")
    assert served.get(f"/recordings/{id_}/events/9999/fit").status_code == 404


# -- in a browser -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(app: Flask) -> Iterator[str]:
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.browser
@pytest.mark.needs("chromium")
@pytest.mark.parametrize("case", LONGEST)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_dispute_prints_on_one_sheet(browser: "Browser", desk: JournalDesk, site: str, case: str, lang: str) -> None:
    context = browser.new_context(base_url=site)
    sheet = context.new_page()
    sheet.goto(f"/recordings/{put(desk, case)}/hands/1/dispute?view=public&lang={lang}")
    pdf = sheet.pdf(prefer_css_page_size=True)
    context.close()
    assert len(re.findall(rb"/Type\s*/Page[^s]", pdf)) == 1


@pytest.mark.browser
@pytest.mark.needs("chromium")
def test_without_javascript_a_word_is_written_and_believed(browser: "Browser", desk: JournalDesk, site: str) -> None:
    id_ = put(desk, "bura/dispute-open-01")
    context = browser.new_context(base_url=site, java_script_enabled=False, viewport={"width": 360, "height": 780})
    sheet = context.new_page()
    sheet.goto(f"/recordings/{id_}/hands/1/dispute?at=24&view=public&lang=en")
    sheet.click("text=about event 24")
    form = sheet.locator("form:has(input[name=of][value='24'])")
    form.locator("select[name=card0]").select_option("8h")
    form.locator("select[name=card1]").select_option("Kc")
    with sheet.expect_navigation():
        form.locator("button").click()
    assert "believe=1" in sheet.url
    assert sheet.locator("h3:has-text('Word of')").count() == 1
    context.close()


@pytest.mark.browser
@pytest.mark.needs("chromium")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing_and_nothing_goes_sideways(
    browser: "Browser", desk: JournalDesk, served: FlaskClient, site: str, scheme: Any, width: int
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    id_ = put(desk, OPEN)
    paths = [
        f"/recordings/{id_}/hands/1/dispute?view=public&lang=ru",
        f"/recordings/{put(desk, WORDS)}/hands/1/dispute?at=33&view=public&believe=1&lang=fr",
        f"/recordings/{put(desk, 'bourre/session-05')}/hands/1/dispute?lang=en",
        opened(served, id_) + "?lang=en",
    ]
    context = browser.new_context(
        base_url=site, color_scheme=scheme, viewport={"width": width, "height": 800}, bypass_csp=True
    )
    sheet = context.new_page()
    found = []
    for path in paths:
        sheet.goto(path)
        sheet.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
        assert sheet.evaluate("document.documentElement.scrollWidth") <= width, path
        violations = Axe().run(sheet).response["violations"]
        found += [(path, one["id"], [node["target"] for node in one["nodes"]][:3]) for one in violations]
    context.close()
    assert found == []
