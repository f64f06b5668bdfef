"""Whole evenings through the pad at 360 px: offline in the middle, one correction, and the result verifies."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from replay.desk_live import Role, TableDesk
from tests.engine.bourre import walks as bourre
from tests.live.scribe import Json, Scribe, bare
from tests.walks import bura

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = [pytest.mark.browser, pytest.mark.needs("chromium"), pytest.mark.timeout(400)]


@pytest.fixture
def phone(browser: "Browser", address: str) -> Iterator["Page"]:
    context = browser.new_context(base_url=address, viewport={"width": 360, "height": 780}, has_touch=True, locale="en")
    page = context.new_page()
    page.set_default_timeout(60_000)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda told: errors.append(told.text) if "Content Security Policy" in told.text else None)
    yield page
    context.close()
    assert errors == []


def bura_evening() -> list[Json]:
    habits = bura.Habits(
        tells=0, declares=1, opens=0.5, bluffs=0.3, moves=0, spoils=0, raises=0, commits=0, stacked=0.6
    )
    return bura.evening(1428, seats=3, hands=3, preset="bura/classic-32@1", habits=habits)


def bourre_evening() -> list[Json]:
    habits = bourre.Habits(folds=0.2, draws=0.6, tells=0, moves=0, spoils=0, commits=0, strong=0.2)
    return bourre.evening(64, seats=3, hands=2, habits=habits)


def begin(page: "Page", header: Json) -> str:
    game, preset = header["game"], header["rules"]["preset"]
    page.goto(f"/tables/new?game={game}&preset={preset}")
    for seat, name in enumerate(header["seats"], 1):
        page.fill(f"[name=seat{seat}]", name)
    for name, value in header["rules"]["options"].items():
        page.select_option(f"[name='opt.{name}']", value)
    with page.expect_navigation():
        page.click("button.main")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    with page.expect_navigation():
        page.click("a.main")
    return page.url.rsplit("/", 1)[1]


def lose_the_line(page: "Page", scribe: Scribe, events: list[Json]) -> None:
    """Writes events without a connection; they wait, and are delivered when it is back."""
    page.context.set_offline(True)
    for event in events:
        scribe.by_hand(bare(event), lost=True)
    page.wait_for_function("n => document.querySelector('[data-state]').textContent.includes(n)", arg=str(len(events)))
    page.context.set_offline(False)
    delivered(page)


def delivered(page: "Page") -> None:
    """Waits until nothing waits."""
    page.wait_for_function(
        "() => { const key = document.querySelector('main.pad').dataset.table;"
        " return !JSON.parse(localStorage.getItem('pad-' + key)).queue.length; }"
    )


def correct(page: "Page", key: str, seq: int, amount: int) -> None:
    page.goto(f"/tables/{key}/events/{seq}")
    page.fill("[name=reason]", "misheard")
    page.check("[name=agreed][value='1']", force=True)
    page.fill("[name=f_amount]", str(amount))
    page.click("button[value=replace]")
    page.wait_for_selector("main.pad")
    page.wait_for_load_state("networkidle")


def stored(desk: TableDesk, key: str) -> list[Json]:
    return [json.loads(line) for line in desk.journal.export(key).splitlines()]


def test_an_evening_of_bura(phone: "Page", desk: TableDesk) -> None:
    header, *events = bura_evening()
    reasons = [event["reason"] for event in events if event["type"] == "hand_ended"]
    assert {"failed_open", "razburka", "bura"} <= set(reasons)
    key, scribe = begin(phone, header), Scribe(phone)
    ante = next(place for place, event in enumerate(events) if event["type"] == "staked")
    scribe.write(events[:ante])
    scribe.by_hand({**bare(events[ante]), "amount": events[ante]["amount"] + 3})
    assert phone.locator(".padfound.bad").count() == 1, "a wrong ante is marked at once"
    assert "rule" in phone.locator(".padfound.bad a").inner_text()
    middle = next(place for place, event in enumerate(events) if place > 40 and event["type"] == "played")
    scribe.write(events[ante + 1 : middle])
    correct(phone, key, ante + 1, events[ante]["amount"])
    lose_the_line(phone, scribe, events[middle : middle + 3])
    scribe.write(events[middle + 3 : -1])
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    phone.locator("button[name=events]", has_text="The recording ends").click()
    phone.wait_for_function("() => document.querySelector('main.pad h1').textContent.includes('ended')")
    written = [bare(event) for event in stored(desk, key) if event["type"] not in ("corrected", "recording_ended")]
    wrong = {**bare(events[ante]), "amount": events[ante]["amount"] + 3}
    assert written[1:] == [*map(bare, events[:ante]), wrong, *map(bare, events[ante + 1 : -1])]
    report = desk.judged(desk.table(key), "full")
    assert (report["verdict"], report["recording"]["complete"]) == ("verified", True)
    assert len(set(desk.writers(key)[1:])) == 1
    assert scribe.offered >= 0.9 * (len(events) - 5)


def test_an_evening_of_bourre(phone: "Page", desk: TableDesk) -> None:
    header, *events = bourre_evening()
    key, scribe = begin(phone, header), Scribe(phone)
    middle = next(place for place, event in enumerate(events) if event["type"] == "played")
    scribe.write(events[:middle])
    lose_the_line(phone, scribe, events[middle : middle + 2])
    scribe.write(events[middle + 2 : -1])
    phone.locator("button[name=events]", has_text="The recording ends").click()
    phone.wait_for_function("() => document.querySelector('main.pad h1').textContent.includes('ended')")
    assert [bare(event) for event in stored(desk, key)][1:-1] == [bare(event) for event in events[:-1]]
    assert desk.judged(desk.table(key), "full")["verdict"] == "verified"


def test_undo_takes_back_what_no_next_tap_has_confirmed(phone: "Page", desk: TableDesk) -> None:
    header, *events = bura_evening()
    key, scribe = begin(phone, header), Scribe(phone)
    scribe.write(events[:2])
    assert len(stored(desk, key)) == 2
    scribe.settled(phone.locator("button[name=undo]").click)
    assert phone.locator("[data-draft]").count() == 0
    scribe.write(events[1:3])
    assert [bare(event) for event in stored(desk, key)][1:] == [bare(event) for event in events[:2]]


def test_the_pad_without_javascript(browser: "Browser", address: str, desk: TableDesk) -> None:
    header, *events = bura_evening()
    context = browser.new_context(base_url=address, java_script_enabled=False, viewport={"width": 360, "height": 780})
    page = context.new_page()
    key = begin_plain(page, header)
    for event in events[:9]:
        buttons = page.locator("form[data-tap] button[name=events]")
        values = [json.loads(str(buttons.nth(place).get_attribute("value"))) for place in range(buttons.count())]
        found = next((place for place, value in enumerate(values) if value == [bare(event)]), None)
        if found is not None:
            with page.expect_navigation():
                buttons.nth(found).click()
            continue
        cards = [event["card"]] if "card" in event else event.get("cards", [])
        for card in cards:
            page.locator(f"input[name=card][value='{card}']").dispatch_event("click")
        if "amount" in event:
            page.fill("form[data-ask] [name=amount]", str(event["amount"]))
        with page.expect_navigation():
            page.locator("form[data-ask] .go button").first.click()
    with page.expect_navigation():
        page.locator("button[name=confirm]").click()
    context.close()
    kept = [bare(event) for event in stored(desk, key)][1:]
    cards = [sorted(event.get("cards", ())) for event in events[:9]]
    assert [sorted(event.get("cards", ())) for event in kept] == cards
    assert [event["type"] for event in kept] == [event["type"] for event in events[:9]]


def begin_plain(page: "Page", header: Json) -> str:
    page.goto(f"/tables/new?game=bura&preset={header['rules']['preset']}")
    for seat, name in enumerate(header["seats"], 1):
        page.fill(f"[name=seat{seat}]", name)
    page.select_option("[name='opt.molodka_turn']", "out_of_turn")
    with page.expect_navigation():
        page.click("button.main")
    with page.expect_navigation():
        page.click("a.main")
    return page.url.rsplit("/", 1)[1]


def waits(page: "Page") -> int:
    kept: str = page.evaluate("localStorage.getItem('pad-' + document.querySelector('main.pad').dataset.table)")
    return len(json.loads(kept)["queue"])


def tapped_without_a_line(page: "Page", scribe: Scribe, notes: list[Json]) -> None:
    page.context.set_offline(True)
    for event in notes:
        scribe.by_hand(event, lost=True)
    page.wait_for_function("n => document.querySelector('[data-state]').textContent.includes(n)", arg=str(len(notes)))


def test_what_waited_while_another_device_wrote_is_not_lost(phone: "Page", desk: TableDesk) -> None:
    header, *events = bura_evening()
    key, scribe = begin(phone, header), Scribe(phone)
    scribe.write(events[:2])
    tapped_without_a_line(phone, scribe, [{"type": "noted", "text": f"tap {one}"} for one in (1, 2, 3)])
    desk.append(key, [{"type": "noted", "text": "the other one"}], 2, None, Role("scribe", "scribe/9"))
    phone.context.set_offline(False)
    phone.wait_for_selector(".padnotice.bad")  # nothing is written over what another has written unseen
    assert waits(phone) == 3
    assert "3" in phone.locator("[data-state]").inner_text()
    assert [event.get("text") for event in stored(desk, key)[2:]] == ["the other one"]
    phone.locator("[data-unqueue]").click()
    assert waits(phone) == 2
    scribe.by_hand({"type": "noted", "text": "tap 4"})
    delivered(phone)
    scribe.settled(phone.locator("button[name=confirm]").click)
    written = [event.get("text") for event in stored(desk, key)[3:]]
    assert (stored(desk, key)[3]["type"], written[1:]) == (events[1]["type"], ["tap 1", "tap 2", "tap 4"])


def test_what_is_refused_of_what_waited_is_told_and_the_rest_waits(phone: "Page", desk: TableDesk) -> None:
    header, *_ = bura_evening()
    key, scribe = begin(phone, header), Scribe(phone)
    taps: list[Json] = [{"type": "staked", "amount": 5}, {"type": "noted", "text": "tap 2"}]  # a payment of nobody
    tapped_without_a_line(phone, scribe, taps)
    phone.context.set_offline(False)
    phone.wait_for_selector(".padnotice.bad")
    assert waits(phone) == 1
    scribe.by_hand({"type": "noted", "text": "tap 3"})
    delivered(phone)
    scribe.settled(phone.locator("button[name=confirm]").click)
    assert [event.get("text") for event in stored(desk, key)[1:]] == ["tap 2", "tap 3"]


def test_what_is_taken_back_without_a_connection_stays_taken_back(phone: "Page", desk: TableDesk) -> None:
    header, *events = bura_evening()
    key, scribe = begin(phone, header), Scribe(phone)
    scribe.write(events[:2])
    phone.context.set_offline(True)
    phone.locator("[data-draft] button[name=undo]").click()
    phone.wait_for_selector("[data-draft]", state="detached")
    scribe.by_hand({"type": "noted", "text": "instead"}, lost=True)
    phone.context.set_offline(False)
    delivered(phone)
    scribe.settled(phone.locator("button[name=confirm]").click)
    assert [bare(event) for event in stored(desk, key)[1:]] == [bare(events[0]), {"type": "noted", "text": "instead"}]


def test_what_is_taken_back_while_it_is_on_its_way_takes_nothing_else_along(phone: "Page", desk: TableDesk) -> None:
    header, *events = bura_evening()
    key, scribe = begin(phone, header), Scribe(phone)
    scribe.write(events[:2])
    tapped_without_a_line(phone, scribe, [{"type": "noted", "text": "taken back"}])
    held: list[Route] = []

    def hold(route: "Route") -> None:
        held.append(route)

    phone.route(f"**/tables/{key}", hold, times=1)
    with phone.expect_request(f"**/tables/{key}"):
        phone.context.set_offline(False)
    phone.locator("[data-unqueue]").click()
    scribe.by_hand({"type": "noted", "text": "instead"}, lost=True)
    held[0].continue_()
    delivered(phone)
    scribe.settled(phone.locator("button[name=confirm]").click)
    assert [bare(event) for event in stored(desk, key)[2:]] == [bare(events[1]), {"type": "noted", "text": "instead"}]
