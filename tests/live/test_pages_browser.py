"""The live pages: axe finds nothing, nothing goes sideways at 360 px; who watches sees what is written at once."""

import re
from typing import TYPE_CHECKING, Any

import pytest

from replay.desk_live import TableDesk
from tests.live.conftest import HEADER
from tests.live.test_matrix import EVENTS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

pytestmark = [pytest.mark.browser, pytest.mark.needs("chromium")]


def seat(desk: TableDesk, count: int = len(EVENTS)) -> tuple[str, dict[str, str]]:
    began = {"type": "recording_began", "format": "razbor/1", **HEADER}
    opened = desk.create(began, 0, "table")
    tokens = {made.link.role: made.token for made in opened.links}
    role = desk.role(opened.entry.key, tokens["scribe"])
    assert role
    desk.append(opened.entry.key, EVENTS[:count], 1, None, role)
    desk.roles.hold(opened.entry.key, 1, "seat:2/3", "miscounted")
    return opened.entry.key, tokens


def entered(context: "BrowserContext", key: str, token: str) -> None:
    page = context.new_page()
    page.goto(f"/tables/{key}/as/{token}")
    page.close()


@pytest.mark.parametrize(("scheme", "lang"), [("light", "en"), ("dark", "ru")])
def test_axe_finds_nothing_and_nothing_goes_sideways(
    browser: "Browser", address: str, desk: TableDesk, scheme: Any, lang: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    key, tokens = seat(desk)
    context = browser.new_context(
        base_url=address, color_scheme=scheme, viewport={"width": 360, "height": 780}, bypass_csp=True
    )
    told = []
    for role, paths in {
        "scribe": (f"/tables/{key}", f"/tables/{key}/links", f"/tables/{key}/events/9", "/tables/new"),
        "arbiter": (f"/tables/{key}/watch", f"/compare?first={key}&second={key}"),
    }.items():
        entered(context, key, tokens[role])
        for path in paths:
            page = context.new_page()
            page.goto(f"{path}{'&' if '?' in path else '?'}lang={lang}")
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
            found = Axe().run(page)
            rows = found.response["violations"]
            told += [(path, one["id"], [node["target"] for node in one["nodes"]][:3]) for one in rows]
            page.close()
    context.close()
    assert told == []


def test_a_spectator_sees_what_is_written_and_no_hidden_card(browser: "Browser", address: str, desk: TableDesk) -> None:
    key, tokens = seat(desk, 8)
    context = browser.new_context(base_url=address, viewport={"width": 360, "height": 780}, locale="en")
    page = context.new_page()
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.goto(f"/tables/{key}/watch")
    assert page.locator("[data-log] li").count() == 9
    role = desk.role(key, tokens["scribe"])
    assert role
    for event in EVENTS[8:]:
        desk.append(key, [event], desk.table(key).events, None, role)
    page.wait_for_function("n => document.querySelectorAll('[data-log] li').length === n", arg=len(EVENTS) + 1)
    assert "lays 1 face down" in page.locator("[data-heading]").inner_text()
    numbers = page.locator("[data-log] li").evaluate_all("all => all.map(one => one.value)")
    assert numbers == list(range(len(EVENTS), -1, -1))
    assert not re.search("seven of diamonds|7♦", page.content())
    context.close()
    assert errors == []


def test_the_chips_beside_the_log_move_with_it_and_the_end_is_said(
    browser: "Browser", address: str, desk: TableDesk
) -> None:
    key, tokens = seat(desk, 2)
    context = browser.new_context(base_url=address, locale="en")
    page = context.new_page()
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.goto(f"/tables/{key}/watch?lang=en")
    role = desk.role(key, tokens["scribe"])
    assert role
    paid = [event for event in EVENTS if event["type"] == "staked"]
    assert paid
    desk.append(key, paid, desk.table(key).events, None, role)
    pot = sum(event["amount"] for event in paid)
    page.locator(".padseats", has_text=f"pot {pot}").wait_for()
    count = desk.table(key).events
    desk.append(key, [{"type": "recording_ended", "events": count + 1}], count, None, role)
    page.locator(".livetag").wait_for(state="detached")
    context.close()
    assert errors == []
