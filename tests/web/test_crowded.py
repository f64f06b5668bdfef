"""Many seats, great sums: on a phone and on a sheet of paper no card lies on another and no column is lost."""

import json
from typing import TYPE_CHECKING, Any, Final

import pytest

from replay.desk_journal import JournalDesk
from tests.walks.bura import to_bytes
from tests.walks.script import made
from tests.web.test_sums import CASES, in_euros, put

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.needs("chromium")]
DEALS: Final = {1: "As Ks Ts", 2: "Ah Kh Th", 3: "Ac Kc Tc", 4: "Qs Qh Qc", 5: "Js Jh Jc", 6: "9s 9h 9c"}
OVERLAPPING: Final = """() => {
    const all = [...document.querySelectorAll('.sets .row')].map(one => one.getBoundingClientRect());
    const cards = [...document.querySelectorAll('.sets .row .card')].filter(one => one.getClientRects().length)
        .map(one => one.getBoundingClientRect());
    const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    const pairs = boxes => boxes.flatMap((a, n) => boxes.slice(n + 1).filter(b => meet(a, b))).length;
    const stock = document.querySelector('.stock').getBoundingClientRect();
    const wide = document.documentElement.clientWidth;
    const under = cards.filter(one => meet(one, stock)).length;
    const cut = cards.filter(one => one.width < 24 || one.right > wide).length;
    return [pairs(cards) + under, cut, cards.length, all.length];
}"""
"""Cards of a trick that lie on each other or on the stock; such as are too small or cut; how many cards, and sets."""


def trick(count: int) -> bytes:
    """Six seats, so many cards led and answered."""
    lines = ["stake_set 10", "hand 1 6", *(f"ante {seat} 10" for seat in DEALS)]
    lines += [*(f"deal {seat} {cards}" for seat, cards in DEALS.items()), "turn 6d"]
    laid = {seat: " ".join(cards.split()[:count]) for seat, cards in DEALS.items()}
    lines += [f"{'down' if seat > 1 else 'up'} {seat} {cards}" for seat, cards in laid.items()]
    return to_bytes(made(*lines, seats=6, closed=False))


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("width", [360, 800, 1280])
def test_no_card_of_a_trick_of_six_lies_on_another(
    browser: "Browser", club: tuple[str, JournalDesk], count: int, width: int
) -> None:
    address, desk = club
    context = browser.new_context(base_url=address, viewport={"width": width, "height": 780})
    page = context.new_page()
    page.goto(f"/recordings/{put(desk, trick(count))}/hands/1/events/21?view=full&lang=ru")
    assert page.evaluate(OVERLAPPING) == [0, 0, 6 * count, 6]
    context.close()


def test_no_card_of_seven_lies_on_another_whatever_the_names(browser: "Browser", club: tuple[str, JournalDesk]) -> None:
    address, desk = club
    lines: list[dict[str, Any]] = [
        json.loads(line) for line in next(CASES.glob("bourre/session-06.*.jsonl")).read_bytes().splitlines()
    ]
    lines[0]["seats"] = ["Bob", *(letter * 40 for letter in "WЖMЩQЮ")]
    context = browser.new_context(base_url=address, viewport={"width": 360, "height": 780})
    page = context.new_page()
    page.goto(f"/recordings/{put(desk, to_bytes(lines))}/hands/1/events/55?view=full&lang=fr")
    assert page.evaluate(OVERLAPPING) == [0, 0, 7, 7]
    context.close()


@pytest.mark.parametrize(("path", "width"), [("", 1280), ("/report", 820), ("/report", 1280)])
def test_great_sums_and_long_names_need_no_scrolling_and_names_stay_words(
    browser: "Browser", club: tuple[str, JournalDesk], path: str, width: int
) -> None:
    """A column that scrolls is lost on paper; a name in a narrow column was broken letter by letter."""
    address, desk = club
    lines = [json.loads(line) for line in in_euros("bourre/session-05").splitlines()]
    lines[0]["seats"] = [f"{first} Константинович Рождественский" for first in "АБВГДЕ"]
    context = browser.new_context(base_url=address, viewport={"width": width, "height": 860})
    page = context.new_page()
    page.goto(f"/recordings/{put(desk, to_bytes(lines))}{path}?lang=ru")
    hands = page.locator(".scroll").filter(has=page.locator("a[href*='/hands/']")).first
    assert hands.evaluate("one => one.scrollWidth <= one.clientWidth + 1")
    heights = page.locator("tbody th[scope=row]").evaluate_all("all => all.map(one => one.clientHeight)")
    assert len(heights) == 7, "six, and the pot: it pays what was not shared out"
    assert max(heights) < 90
    ticks = page.locator("svg.chart text").evaluate_all("all => all.map(one => one.getBoundingClientRect().left)")
    figure = page.locator("figure").evaluate_all("all => all.map(one => one.getBoundingClientRect().left)")
    assert all(left >= figure[0] - 1 for left in ticks)
    context.close()


@pytest.mark.parametrize(("name", "folded"), [("six-at-the-table", False), ("session-06", False), ("in euros", True)])
def test_on_paper_every_column_is_there_and_only_what_would_not_fit_is_folded(
    browser: "Browser", club: tuple[str, JournalDesk], name: str, folded: bool
) -> None:
    address, desk = club
    data = {
        "six-at-the-table": (CASES.parents[1] / "data/recordings/six-at-the-table.bourre.jsonl").read_bytes(),
        "session-06": next(CASES.glob("bourre/session-06.*.jsonl")).read_bytes(),
        "in euros": in_euros("bourre/session-06"),
    }[name]
    context = browser.new_context(base_url=address, viewport={"width": 680, "height": 900})
    page = context.new_page()
    page.emulate_media(media="print")
    page.goto(f"/recordings/{put(desk, data)}/report?lang=ru")
    table = page.locator(".scroll table").filter(has=page.locator("a[href*='/hands/']")).first
    assert ("folded" in (table.get_attribute("class") or "")) is folded
    assert table.evaluate("one => one.scrollWidth <= one.parentElement.clientWidth + 1")
    context.close()
