"""On a phone and on a tablet nothing of a table lies behind an edge: above all not the way to the dispute."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from replay.desk_journal import JournalDesk
from tests.web.test_sums import put

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.needs("chromium")]
SAMPLES: Final = Path(__file__).parents[2] / "data" / "recordings"
PATHS: Final = ("", "/report", "/hands/1/dispute")
BEYOND: Final = """() => [
    ...[...document.querySelectorAll('.scroll')].filter(one => one.scrollWidth > one.clientWidth + 1),
    ...[...document.querySelectorAll('th')].filter(one => one.getClientRects().length &&
        one.scrollWidth > one.clientWidth + 1),
].map(one => one.innerText.slice(0, 60))"""
"""What of a table has to be scrolled to be seen, and heads that reach over their edge."""


@pytest.mark.parametrize("lang", ["ru", "en", "fr"])
@pytest.mark.parametrize("width", [360, 820])
@pytest.mark.parametrize("sample", ["thirty-counted-as-thirty-one.bura", "jack-where-the-king-was-due.bourre",
                                    "six-at-the-table.bourre", "six-at-the-table.bura"])  # fmt: skip
def test_every_column_is_in_sight(
    browser: "Browser", club: tuple[str, JournalDesk], sample: str, width: int, lang: str
) -> None:
    address, desk = club
    id_ = put(desk, (SAMPLES / f"{sample}.jsonl").read_bytes())
    context = browser.new_context(base_url=address, viewport={"width": width, "height": 780}, has_touch=True)
    page = context.new_page()
    for path in PATHS:
        page.goto(f"/recordings/{id_}{path}?lang={lang}")
        assert page.evaluate(BEYOND) == [], path
        if not path:
            assert page.locator(".hands a[href*='/dispute']:visible").count() == page.locator(".hands tbody tr").count()
    page.goto(f"/recordings/{id_}/hands/1/events/9?lang={lang}")
    small = page.locator(".bar p.ph small")
    assert small.evaluate("one => one.scrollWidth <= one.clientWidth")
    context.close()


OVER: Final = """() => [...document.querySelectorAll('.seat')].flatMap(seat => {
    const edge = seat.getBoundingClientRect().right + 1;
    const parts = [...seat.querySelectorAll('.hand .card, .about p, .pts .num, .pts .word, .bar31')]
        .filter(one => one.getClientRects().length && !one.closest('.menu'));
    const boxes = parts.map(one => {
        const text = document.createRange();
        text.selectNodeContents(one);
        return [one.matches('svg') ? one.getBoundingClientRect() : text.getBoundingClientRect(), one];
    });
    const meet = (a, b) => a.left < b.right - 2 && b.left < a.right - 2 && a.top < b.bottom - 3 && b.top < a.bottom - 3;
    const over = boxes.flatMap(([a, one], n) => boxes.slice(n + 1)
        .filter(([b, other]) => !(one.matches('.card') && other.matches('.card')) && meet(a, b)));
    return [...over, ...boxes.filter(([box]) => box.right > edge)].map(([, one]) => one.textContent);
})"""
"""What of a seat lies on another part of it or reaches over its edge."""


@pytest.mark.parametrize("size", [(1280, 860), (1024, 768), (820, 1180), (780, 360), (667, 375), (360, 780)])
def test_the_parts_of_a_seat_lie_beside_each_other(
    browser: "Browser", club: tuple[str, JournalDesk], size: tuple[int, int]
) -> None:
    """Three cards, a pile with cards face down and the points: on a narrow seat the words lay on the points."""
    address, desk = club
    id_ = put(desk, (SAMPLES / "evening-of-three-four-hands.bura.jsonl").read_bytes())
    context = browser.new_context(base_url=address, viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    for lang in ("ru", "en", "fr"):
        page.goto(f"/recordings/{id_}/hands/1/events/30?lang={lang}&view=full")
        assert page.evaluate(OVER) == [], lang
        said, seats = (page.locator(one).first.bounding_box() for one in (".say", ".seats"))
        assert said
        assert seats
        assert said["y"] + said["height"] <= seats["y"] + 1
    context.close()


def test_a_long_sentence_lies_on_no_seat(browser: "Browser", club: tuple[str, JournalDesk]) -> None:
    address, desk = club
    whole = (SAMPLES / "evening-of-three-four-hands.bura.jsonl").read_text(encoding="utf-8")
    name = "Константин Константинович Рождественский"
    id_ = put(desk, whole.replace('"Ёлка"', f'"{name}"').encode())
    context = browser.new_context(base_url=address, viewport={"width": 1280, "height": 720})
    page = context.new_page()
    page.goto(f"/recordings/{id_}/hands/1/events/32?lang=fr&view=full")
    assert name in page.locator(".say h1").inner_text()
    said, seats = (page.locator(one).first.bounding_box() for one in (".say", ".seats"))
    assert said
    assert seats
    assert said["y"] + said["height"] <= seats["y"] + 1
    context.close()
