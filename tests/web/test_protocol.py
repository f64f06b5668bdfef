"""The protocol on paper and on a phone, and what the shelf says to whoever sends it nothing."""

import re
from typing import TYPE_CHECKING

import pytest

from recorder.words import LANGUAGES
from replay.desk_journal import JournalDesk
from tests.web.test_sums import CASES, put

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.needs("chromium")]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_three_hands_of_seven_are_one_sheet_of_paper(
    browser: "Browser", club: tuple[str, JournalDesk], lang: str
) -> None:
    address, desk = club
    id_ = put(desk, next(CASES.glob("bourre/session-06.*.jsonl")).read_bytes())
    context = browser.new_context(base_url=address)
    page = context.new_page()
    page.goto(f"/recordings/{id_}/report?lang={lang}")
    pdf = page.pdf(prefer_css_page_size=True)
    context.close()
    assert len(re.findall(rb"/Type\s*/Page[^s]", pdf)) == 1


def test_on_a_phone_a_finding_has_room_and_says_what_was_recorded_and_what_is_due(
    browser: "Browser", club: tuple[str, JournalDesk]
) -> None:
    address, desk = club
    id_ = put(desk, next(CASES.glob("bura/fault-count-said-wrong.*.jsonl")).read_bytes())
    context = browser.new_context(base_url=address, viewport={"width": 360, "height": 780})
    page = context.new_page()
    page.goto(f"/recordings/{id_}/report?lang=en")
    cell = page.locator("table").first.locator("tbody td").nth(1)
    box, text = cell.bounding_box(), cell.inner_text()
    context.close()
    assert box
    assert box["width"] > 200
    assert re.search(r"Recorded: \d+ · Due: \d+", text)


def test_whoever_sends_nothing_sees_at_once_that_it_was_nothing(
    browser: "Browser", club: tuple[str, JournalDesk]
) -> None:
    context = browser.new_context(base_url=club[0], viewport={"width": 360, "height": 780})
    page = context.new_page()
    page.goto("/?lang=en")
    page.click(".drops .main")
    told = page.get_by_text("Choose a file or paste a recording first.")
    told.wait_for()
    box = told.bounding_box()
    context.close()
    assert box
    assert box["y"] + box["height"] < 500


def test_a_score_sheet_that_is_pasted_anywhere_lands_in_its_field(
    browser: "Browser", club: tuple[str, JournalDesk]
) -> None:
    context = browser.new_context(base_url=club[0])
    page = context.new_page()
    page.goto("/?lang=en")
    page.evaluate("""text => { const given = new DataTransfer(); given.setData("text", text);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: given, bubbles: true })); }""",
                  "\nrazbor-sheet/1 en\ngame bura\n")  # fmt: skip
    assert page.locator("#text").input_value() == "\nrazbor-sheet/1 en\ngame bura\n"
    assert page.locator(".paste").get_attribute("open") is not None
    context.close()
