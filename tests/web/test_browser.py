"""What a person does: keys, slider, autoplay, tabs without JavaScript, 360 px, and nothing for axe to find."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from replay.desk_journal import JournalDesk
from tests.web.evening import ID
from tests.web.test_real import CASES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

pytestmark = [pytest.mark.browser, pytest.mark.needs("chromium")]
HAND = f"/recordings/{ID}/hands/4"
PATHS = ("/", "/rules", "/codes", "/notation", f"/recordings/{ID}", f"/recordings/{ID}/report", f"{HAND}/events/96",
         f"{HAND}/events/97?view=full&of=Kc&card=3#why", f"{HAND}/events/94?view=seat:1#clocks",
         f"/recordings/{ID}?blind=1")  # fmt: skip


@pytest.fixture
def page(browser: "Browser", site: str) -> Iterator["Page"]:
    context = browser.new_context(base_url=site, viewport={"width": 1280, "height": 860}, locale="en")
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if is_fault(message) else None)
    yield page
    context.close()
    assert errors == []


def is_fault(message: "ConsoleMessage") -> bool:
    """The invented evening has one hand only; its neighbours are fetched ahead in vain."""
    return message.type == "error" and not re.search(r"/hands/[35]/", message.location["url"])


def at(page: "Page", where: str) -> None:
    page.wait_for_function("where => location.href.endsWith(where)", arg=where)


@pytest.mark.parametrize(
    ("start", "key", "end"),
    [
        ("90?view=seat:1", "ArrowRight", "91?view=seat:1"),
        ("90?view=seat:1", "ArrowLeft", "89?view=seat:1"),
        ("90?view=seat:1", "Shift+ArrowRight", "92?view=seat:1"),
        ("90?view=seat:1", "[", "85?view=seat:1"),
        ("90?view=seat:1", "]", "92?view=seat:1"),
        ("90?view=seat:1", "Home", "59?view=seat:1"),
        ("90?view=seat:1", "End", "99?view=seat:1"),
        ("90?view=seat:1", "o", "96?view=seat:1"),
        ("99?view=seat:1", "Shift+O", "96?view=seat:1"),
        ("90?view=seat:1", "p", "98?view=seat:1"),
        ("60?view=seat:1", "e", "82?view=seat:1"),
        ("90?view=seat:1", "Shift+E", "82?view=seat:1"),
        ("60?view=seat:1", "n", "89?view=seat:1"),
        ("90?view=seat:1", "v", "90?view=seat:2"),
        ("90?view=seat:1", "1", "90?view=public"),
        ("90?view=public", "2", "90?view=seat:1"),
        ("90?view=public", "3", "90?view=full"),
        ("90?view=full", "b", "90?view=full&blind=1"),
    ],
)
def test_a_key_leads_to_its_place(page: "Page", start: str, key: str, end: str) -> None:
    page.goto(f"{HAND}/events/{start}")
    page.keyboard.press(key)
    at(page, end)
    page.go_back()
    at(page, start)


def test_each_step_is_announced_in_one_sentence(page: "Page") -> None:
    page.goto(f"{HAND}/events/95?view=seat:1")
    page.keyboard.press("ArrowRight")
    at(page, "96?view=seat:1")
    assert page.locator("#live").text_content() == "Boris opens"
    assert page.title().startswith("Boris opens")


def test_autoplay_stops_at_the_opening(page: "Page") -> None:
    page.goto(f"{HAND}/events/93?view=seat:1")
    page.keyboard.press("+")
    page.keyboard.press("+")
    page.keyboard.press("Space")
    at(page, "96?view=seat:1")
    page.wait_for_timeout(600)
    at(page, "96?view=seat:1")
    assert page.locator("[data-play]").get_attribute("aria-pressed") == "false"


def test_the_slider_can_be_dragged(page: "Page") -> None:
    page.goto(f"{HAND}/events/59?view=public")
    page.locator("input[type=range]").fill("80")
    at(page, "80?view=public")


def test_keys_can_be_switched_off(page: "Page") -> None:
    page.goto(f"{HAND}/events/90?view=public")
    page.keyboard.press("?")
    page.locator("[data-keys]").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(200)
    at(page, "90?view=public")


def test_without_javascript_every_step_is_a_link(browser: "Browser", site: str) -> None:
    context = browser.new_context(base_url=site, java_script_enabled=False, viewport={"width": 360, "height": 780})
    page = context.new_page()
    page.goto(f"{HAND}/events/96?view=seat:1")
    page.click("a[href='#log']")
    assert page.locator("#log").is_visible()
    assert not page.locator(".felt").is_visible()
    assert page.locator("h1").is_visible()
    page.click("a[href='#why']")
    assert page.locator("#why dl").is_visible()
    page.click("a[rel=next]")
    assert page.url.endswith("97?view=seat:1")
    context.close()


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing_and_nothing_goes_sideways(
    browser: "Browser", site: str, path: str, scheme: Any, width: int
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    context = browser.new_context(
        base_url=site, color_scheme=scheme, viewport={"width": width, "height": 800}, bypass_csp=True
    )
    page = context.new_page()
    page.goto(path)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(page)
    told = [(one["id"], [node["target"] for node in one["nodes"]][:3]) for one in found.response["violations"]]
    context.close()
    assert told == []


@pytest.mark.parametrize("width", [360, 1280])
def test_the_wrong_piece_of_a_refused_line_is_in_sight(
    browser: "Browser", club: tuple[str, JournalDesk], width: int
) -> None:
    context = browser.new_context(base_url=club[0], viewport={"width": width, "height": 780}, locale="en")
    page = context.new_page()
    page.goto("/")
    page.set_input_files("input[type=file]", next(CASES.glob("bura/refuse-three-problems-at-once.*.jsonl")))
    page.get_by_role("button", name="Check it").click()
    page.wait_for_selector(".prob mark")
    boxes = page.evaluate(
        """() => [...document.querySelectorAll('.prob mark')].map(mark => {
            const inner = mark.getBoundingClientRect(), outer = mark.closest('pre').getBoundingClientRect()
            return inner.left >= outer.left && inner.right <= outer.right
        })"""
    )
    assert boxes
    assert all(boxes)
    context.close()


@pytest.mark.parametrize("query", ["view=full", "view=full&lang=ru", "view=full&deck=2"])
def test_a_tab_opens_and_stays_while_one_steps(browser: "Browser", site: str, query: str) -> None:
    context = browser.new_context(base_url=site, viewport={"width": 360, "height": 780})
    page = context.new_page()
    page.goto(f"{HAND}/events/94?{query}")
    for tab in ("log", "why"):
        page.click(f".tabs a[href='#{tab}']")
        page.wait_for_selector(f"#{tab}:target", state="visible")
        for go in ("next", "back"):
            page.evaluate("document.querySelector('.panes').stale = location.href")
            page.click(f"[data-go={go}]")
            page.wait_for_function(
                "() => { const was = document.querySelector('.panes').stale; return !was && location.hash; }"
            )
            page.wait_for_selector(f"#{tab}:target", state="visible")
            assert page.evaluate("document.activeElement.dataset.go") == go
    page.click(".tabs a[href='#table']")
    page.wait_for_selector(".felt", state="visible")
    context.close()


def test_stepping_with_a_panel_open_leaves_the_page_where_it_was_scrolled_to(browser: "Browser", site: str) -> None:
    context = browser.new_context(base_url=site, viewport={"width": 1280, "height": 600})
    page = context.new_page()
    page.goto(f"{HAND}/events/94?view=full#clocks")
    page.wait_for_function("scrollY > 0")
    page.evaluate("scrollTo(0, 0)")
    page.evaluate("document.querySelector('.panes').stale = true")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => !document.querySelector('.panes').stale && document.querySelector('#clocks:target')")
    assert page.evaluate("scrollY") == 0
    context.close()


def test_paper_bears_the_name_once_and_no_private_link(browser: "Browser", site: str) -> None:
    context = browser.new_context(base_url=site, viewport={"width": 800, "height": 1100})
    page = context.new_page()
    page.emulate_media(media="print")
    page.goto(f"/recordings/{ID}/report")
    assert page.locator(".brand:visible").count() == 1
    page.goto(f"/recordings/{ID}")
    assert page.locator("a[download]").count() > 0
    assert page.locator("a[download]:visible, .private:visible").count() == 0
    context.close()


@pytest.mark.parametrize("javascript", [True, False])
@pytest.mark.parametrize(("width", "height"), [(780, 360), (1280, 860)])
def test_the_current_line_of_the_log_is_in_sight(
    browser: "Browser", site: str, width: int, height: int, javascript: bool
) -> None:
    context = browser.new_context(
        base_url=site, viewport={"width": width, "height": height}, java_script_enabled=javascript
    )
    page = context.new_page()
    page.goto(f"{HAND}/events/96?view=public")
    seen = ("document.querySelector('.log [aria-current]').getBoundingClientRect().bottom"
            " <= document.querySelector('.transport').getBoundingClientRect().top")  # fmt: skip
    for _ in range(50):  # wait_for_function asks once only where the page may run no script
        if page.evaluate(seen):
            break
        page.wait_for_timeout(100)
    assert page.evaluate(seen)
    context.close()
