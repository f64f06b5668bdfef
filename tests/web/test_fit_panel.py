"""What would make it fit unfolds at the finding itself; without JavaScript it is one link away."""

from typing import TYPE_CHECKING

import pytest

from replay.desk_journal import JournalDesk
from schemas.problems import Refusal
from tests.web.test_real import CASES

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.needs("chromium")]
CASE = "bura/fault-takes-less-than-the-pot"
GUESS = "If in event 43 the amount were 30, not 29, it would fit."


@pytest.fixture
def served(club: tuple[str, JournalDesk]) -> tuple[str, str]:
    """The address of a site and of a recording there with one error, at event 43."""
    site, desk = club
    found = desk.receive(next(CASES.glob(f"{CASE}.*.jsonl")).read_bytes(), keep=True, public=False)
    assert not isinstance(found, Refusal)
    return site, f"/recordings/{found.id}"


def test_the_panel_is_filled_once_when_it_is_opened(browser: "Browser", served: tuple[str, str]) -> None:
    site, recording = served
    context = browser.new_context(base_url=site, locale="en", viewport={"width": 360, "height": 780})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/fit" in request.url else None)
    page.goto(f"{recording}?lang=en")
    panel = page.locator(".find details.fit").first
    assert not [url for url in asked if "/static/" not in url]
    panel.locator("summary").click()
    panel.locator("li").first.wait_for()
    assert panel.locator("li").first.inner_text() == GUESS
    panel.locator("summary").click()
    panel.locator("summary").click()
    assert panel.locator("ol").count() == 1
    assert len([url for url in asked if "/static/" not in url]) == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()
    assert errors == []


def test_without_javascript_the_panel_has_the_link(browser: "Browser", served: tuple[str, str]) -> None:
    site, recording = served
    context = browser.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{recording}?lang=en")
    page.click(".find details.fit summary")
    with page.expect_navigation():
        page.click(".find details.fit a")
    assert page.url.endswith("/events/43/fit")
    assert GUESS in page.inner_text("main")
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_open_panel(browser: "Browser", served: tuple[str, str], scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    site, recording = served
    context = browser.new_context(base_url=site, color_scheme="dark" if scheme == "dark" else "light", bypass_csp=True)
    page = context.new_page()
    page.goto(f"{recording}?lang=ru")
    page.click(".find details.fit summary")
    page.locator(".find details.fit li").first.wait_for()
    violations = Axe().run(page).response["violations"]
    context.close()
    assert [each["id"] for each in violations] == []
