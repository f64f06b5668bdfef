"""With a finger, at 360 px: what is tapped is 44 px high, and the title of a step is not cut off."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from replay.desk_journal import JournalDesk
from tests.web.evening import ID
from tests.web.test_sums import put

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SAMPLES = Path(__file__).parents[2] / "data" / "recordings"
pytestmark = [pytest.mark.browser, pytest.mark.needs("chromium")]
R = f"/recordings/{ID}"
#: By page what stands there by itself, outside of any sentence.
PAGES = {
    "/": ".bar a, .btn, .ask label, summary, footer a",
    R: ".bar a, .bar summary, .btn, .find a.where, .private summary, footer a",
    f"{R}/report": ".bar a, .bar summary, .btn, footer a",
    f"{R}/hands/4/events/96?view=seat:1": ".bar a, .bar summary, .tabs a, .keys .btn, .backto",
}
#: How far up and down from the middle a finger still hits it; its visible size, or beyond.
REACH = """(all) => all.filter(one => one.checkVisibility()).map(one => {
  one.scrollIntoView({ block: "center" });
  const box = one.getBoundingClientRect(), x = box.left + Math.min(box.width / 2, 12), y = box.top + box.height / 2;
  const hit = at => { const found = document.elementFromPoint(x, at); return !!found && one.contains(found); };
  return [one.textContent.trim(), hit(y - 20.5) && hit(y + 20.5), Math.round(box.height)]; })"""


@pytest.mark.parametrize("path", PAGES)
def test_a_finger_finds_what_it_taps(browser: "Browser", site: str, path: str) -> None:
    context = browser.new_context(
        base_url=site, viewport={"width": 360, "height": 780}, has_touch=True, is_mobile=True, locale="en"
    )
    page = context.new_page()
    page.goto(path)
    found = page.locator(PAGES[path]).evaluate_all(REACH)
    context.close()
    assert len(found) > 5
    assert [one for one in found if not one[1]] == []


@pytest.mark.parametrize("lang", ["ru", "fr"])
def test_the_title_of_a_step_is_whole(browser: "Browser", site: str, lang: str) -> None:
    context = browser.new_context(base_url=site, viewport={"width": 360, "height": 780}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{R}/hands/4/events/96?view=full&lang={lang}")
    title = page.locator(".bar .ph b")
    cut = title.evaluate("one => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1")
    text, bar = title.inner_text(), page.locator(".bar").bounding_box()
    context.close()
    assert "5" in text
    assert not cut
    assert bar
    assert bar["height"] <= 80


def test_a_phone_gets_from_a_step_to_its_dispute(browser: "Browser", club: tuple[str, JournalDesk]) -> None:
    address, desk = club
    id_ = put(desk, (SAMPLES / "thirty-counted-as-thirty-one.bura.jsonl").read_bytes())
    seen = []
    for width in (360, 1280):
        context = browser.new_context(base_url=address, viewport={"width": width, "height": 860}, locale="en")
        page = context.new_page()
        page.goto(f"/recordings/{id_}/hands/1/events/11?view=full")
        page.locator("a[rel=next]").click()
        page.wait_for_url("**/events/12?*")
        page.locator(".tabs [href='#why']").click()
        page.wait_for_function("() => document.querySelector('.panes .lite a').href.includes('at=12')")
        links = [page.locator(where, has_text="Dispute") for where in (".panes .lite a", ".bar a.main.opt")]
        seen.append([link.is_visible() for link in links])
        context.close()
    assert seen == [[True, False], [False, True]], "one road to it, and on every screen"
