"""Names of forty letters and a title of two hundred, without a space: no page goes sideways."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from replay.desk_journal import JournalDesk
from schemas.problems import Refusal

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.needs("chromium")]
SAMPLES = Path(__file__).parents[2] / "data" / "recordings"


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("sample", ["thirty-counted-as-thirty-one.bura", "six-at-the-table.bourre"])
def test_no_page_goes_sideways(browser: "Browser", club: tuple[str, JournalDesk], sample: str, width: int) -> None:
    address, desk = club
    lines = [json.loads(line) for line in (SAMPLES / f"{sample}.jsonl").read_bytes().splitlines()]
    lines[0] |= {"seats": [letter * 40 for letter in "WЖMЩQЮ"[: len(lines[0]["seats"])]], "title": "Ы" * 200}
    found = desk.receive("\n".join(map(json.dumps, lines)).encode(), keep=True, public=True)
    assert not isinstance(found, Refusal)
    context = browser.new_context(base_url=address, viewport={"width": width, "height": 800})
    page = context.new_page()
    here = f"/recordings/{found.id}"
    for path in ("/", here, f"{here}/report", f"{here}/hands/1/dispute", f"{here}/hands/1/events/9"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    context.close()
