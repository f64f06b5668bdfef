"""A person at a real site: uploads, steps through a whole hand, copies a link, asks after a card, works by keyboard."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from replay.desk_journal import JournalDesk
from schemas.problems import Refusal

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.needs("chromium")]
ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "data" / "recordings"
QUARREL = SAMPLES / "thirty-counted-as-thirty-one.bura.jsonl"
THREE_HANDS = SAMPLES / "failed-opening-razburka-and-ninety-won.bura.jsonl"
Club = tuple[str, JournalDesk]


def put(club: Club, path: Path) -> str:
    found = club[1].receive(path.read_bytes(), keep=True, public=True)
    assert not isinstance(found, Refusal)
    return found.id


@pytest.fixture
def page(browser: "Browser", club: Club) -> Iterator["Page"]:
    context = browser.new_context(base_url=club[0], viewport={"width": 1280, "height": 860}, locale="en")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


def at(page: "Page", where: str) -> None:
    page.wait_for_function("where => location.href.endsWith(where)", arg=where)


def shown_by_the_command(path: Path) -> list[dict[str, Any]]:
    run = "import sys; sys.argv[0] = 'razbor'; from replay.cli import main; main()"
    command = [sys.executable, "-c", run, "show", "--json", "--hand", "1", str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, encoding="utf-8")
    return [row for row in map(json.loads, done.stdout.splitlines()) if row["hand"] == 1 and row["table"]]


def test_every_event_of_a_hand_shows_what_the_command_shows(page: "Page", club: Club) -> None:
    rows = shown_by_the_command(QUARREL)
    page.goto(f"/recordings/{put(club, QUARREL)}/hands/1/events/{rows[0]['event']['seq']}?view=full")
    for row in rows:
        at(page, f"/events/{row['event']['seq']}?view=full")
        page.wait_for_function("seq => document.querySelector('main.table').dataset.seq === seq",
                               arg=str(row["event"]["seq"]))  # fmt: skip
        table = row["table"]
        assert page.locator("p.pot .sum").text_content() == str(table["pot"])
        stacks = sorted(text.replace("−", "-") for text in page.locator(".seat .stack b").all_text_contents())
        assert stacks == sorted(str(seat["stack"]) for seat in table["seats"])
        held = sum(len(seat["cards"]) for seat in table["seats"])
        assert page.locator(".hand .card").count() == held
        assert page.locator(".set .card").count() == sum(len(one["cards"]) for one in table["sets"])
        page.keyboard.press("ArrowRight")


def test_a_copied_link_opens_the_same_screen_in_a_clean_browser(page: "Page", club: Club, browser: "Browser") -> None:
    page.goto(f"/recordings/{put(club, QUARREL)}/hands/1/events/9?view=public")
    page.keyboard.press("c")
    page.wait_for_function("document.querySelector('#live').textContent.length > 0")
    link = page.evaluate("navigator.clipboard.readText()")
    assert "h=" in link
    clean = browser.new_context(viewport={"width": 1280, "height": 860}, locale="en")
    other = clean.new_page()
    other.goto(link)
    for query in (".say h1", ".seats", ".felt", "p.pot"):
        assert other.locator(query).first.inner_text() == page.locator(query).first.inner_text()
    assert other.locator(".warn").count() == 0
    clean.close()


def test_keys_lead_to_hands_help_slider_speed_and_dispute(page: "Page", club: Club) -> None:
    id_ = put(club, THREE_HANDS)
    first = [span.first for span in (club[1].head(id_, "full") or pytest.fail("no head")).hands]
    page.goto(f"/recordings/{id_}/hands/2/events/{first[1] + 3}?view=full")
    page.keyboard.press("PageDown")
    at(page, f"/hands/3/events/{first[2]}?view=full")
    page.keyboard.press("PageUp")
    at(page, f"/hands/2/events/{first[1]}?view=full")
    page.keyboard.press("g")
    assert page.evaluate("document.activeElement.type") == "range"
    page.keyboard.press("Tab")
    page.keyboard.press("-")
    assert "0.5×" in (page.locator("[data-speed]").text_content() or "")
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("d")
    page.wait_for_url("**/dispute?*")


def test_the_last_event_of_a_hand_leads_into_the_next(page: "Page", club: Club) -> None:
    id_ = put(club, THREE_HANDS)
    spans = (club[1].head(id_, "full") or pytest.fail("no head")).hands
    for blind in ("", "&blind=1"):
        page.goto(f"/recordings/{id_}/hands/1/events/{spans[0].last}?view=full{blind}")
        page.keyboard.press("ArrowRight")
        at(page, f"/hands/2/events/{spans[1].first}?view=full{blind}")
    page.keyboard.press("ArrowLeft")
    at(page, f"/hands/1/events/{spans[0].last}?view=full&blind=1")


@pytest.mark.parametrize(("start", "stop"), [("opened", "opening"), ("pot_taken", "settlement")])
def test_autoplay_stops_where_one_has_to_look(page: "Page", club: Club, start: str, stop: str) -> None:
    id_ = put(club, QUARREL)
    source = club[1].hand(id_, 1, "full")
    assert source
    seq = next(int(event["seq"]) for event in source.events if event["type"] == start)
    page.goto(f"/recordings/{id_}/hands/1/events/{seq - 1}?view=full")
    page.keyboard.press("+")
    page.keyboard.press("+")
    page.keyboard.press("Space")
    at(page, f"/events/{seq}?view=full")
    page.wait_for_timeout(700)
    at(page, f"/events/{seq}?view=full")
    assert page.locator("main.table").get_attribute("data-stop") == stop


def test_a_pile_is_counted_card_by_card(page: "Page", club: Club) -> None:
    id_ = put(club, QUARREL)
    source = club[1].hand(id_, 1, "full")
    assert source
    seq = next(int(event["seq"]) for event in source.events if event["type"] == "counted")
    page.goto(f"/recordings/{id_}/hands/1/events/{seq}?view=full")
    cards = page.locator(".count31 li").count()
    page.click(".chips >> text=Card by card")
    sums = []
    for card in range(1, cards + 1):
        at(page, f"card={card}#why")
        page.wait_for_function("n => [...document.querySelectorAll('.count31 span')].filter(one => one.textContent)"
                               ".length === n", arg=card)  # fmt: skip
        sums.append(int(page.locator(".count31 span").nth(card - 1).text_content() or "-1"))
        if card < cards:
            page.click(".chips >> text=Next card")
    assert sums == sorted(sums)
    assert sums[-1] == 30
    assert "Said 31" in page.locator("#why").inner_text()


def test_a_card_leads_to_its_moments(page: "Page", club: Club) -> None:
    id_ = put(club, QUARREL)
    source = club[1].hand(id_, 1, "full")
    assert source
    seq = next(int(event["seq"]) for event in source.events if event["type"] == "played")
    page.goto(f"/recordings/{id_}/hands/1/events/{seq}?view=full")
    page.locator(".set a").first.click()
    at(page, "#why")
    told = page.locator("#why").inner_text()
    assert "dealt to" in told
    assert "laid by" in told


def test_view_and_language_are_switched_in_place(page: "Page", club: Club) -> None:
    page.goto(f"/recordings/{put(club, QUARREL)}/hands/1/events/9?view=full")
    page.click(".seg >> text=Table")
    at(page, "/events/9?view=public")
    page.click("text=Share")
    page.click(".menu >> text=RU")
    page.wait_for_function("document.documentElement.lang === 'ru'")
    assert "/events/9" in page.url


def dropped(page: "Page", path: Path) -> None:
    transfer = page.evaluate_handle(
        "([text, name]) => { const t = new DataTransfer(); t.items.add(new File([text], name)); return t; }",
        [path.read_text(encoding="utf-8"), path.name],
    )
    page.dispatch_event("main", "drop", {"dataTransfer": transfer})


def test_a_dropped_file_leads_to_its_page_and_a_bad_one_to_its_lines(page: "Page", tmp_path: Path) -> None:
    page.goto("/")
    dropped(page, QUARREL)
    page.wait_for_url("**/recordings/*")
    assert "Anna" in page.locator("h1").inner_text() or "Анна" in page.locator("h1").inner_text()
    bad = tmp_path / "bad.bura.jsonl"
    bad.write_text('{"seq":0}\n', encoding="utf-8")
    page.goto("/")
    dropped(page, bad)
    page.wait_for_selector(".prob")
    assert "bad.bura.jsonl" in page.locator("main").inner_text()


def test_a_pasted_recording_is_taken(page: "Page") -> None:
    page.goto("/")
    text = QUARREL.read_text(encoding="utf-8")
    page.evaluate(
        "text => { const t = new DataTransfer(); t.setData('text', text); document.body.dispatchEvent("
        "new ClipboardEvent('paste', {clipboardData: t, bubbles: true})); }",
        text,
    )
    assert page.locator("textarea").input_value() == text.replace("\r\n", "\n")
    page.click("text=Check it")
    page.wait_for_url("**/recordings/*")


def test_by_keyboard_alone(page: "Page", club: Club) -> None:
    put(club, QUARREL)
    page.goto("/")
    for _ in range(60):
        page.keyboard.press("Tab")
        if "/hands/1" in (page.evaluate("document.activeElement.href || ''")):
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/hands/1/events/*")
    start = page.url
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.go === 'next'"):
            break
    page.keyboard.press("Enter")
    page.wait_for_function("start => location.href !== start", arg=start)
    assert page.evaluate("document.activeElement.dataset.go") == "next"


@pytest.mark.parametrize(("width", "height"), [(1280, 860), (1366, 700), (360, 780), (800, 360)])
@pytest.mark.parametrize("sample", ["evening-of-three-four-hands.bura", "six-at-the-table.bourre"])
def test_the_whole_table_fits(browser: "Browser", club: Club, width: int, height: int, sample: str) -> None:
    id_ = put(club, SAMPLES / f"{sample}.jsonl")
    most = (0, 0, 0)
    for span in (club[1].head(id_, "full") or pytest.fail("no head")).hands:
        source = club[1].hand(id_, span.hand, "full")
        assert source
        most = max(most, *((sum(len(one.cards) for one in t.sets), span.hand, t.seq) for t in source.tables))
    context = browser.new_context(base_url=club[0], viewport={"width": width, "height": height}, locale="ru")
    page = context.new_page()
    page.goto(f"/recordings/{id_}/hands/{most[1]}/events/{most[2]}?view=full")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    tops = {round(box["y"]) for one in page.locator(".set .row").all() if (box := one.bounding_box())}
    assert max(tops) - min(tops) <= 4, "the sets stand in one row"
    if width >= 1280 and "three" in sample:
        pot = page.locator("p.pot").bounding_box()
        assert pot
        assert pot["y"] + pot["height"] <= (page.locator(".transport").bounding_box() or pot)["y"] + 1
    context.close()
