"""A scribe with a phone: finds on the pad what has happened and taps it, by hand where it is not offered."""

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

Json = dict[str, Any]
HAND_FIELDS = (
    "seat", "amount", "points", "of", "hand", "dealer", "to", "why", "reason", "combination", "name", "text", "stack",
)  # fmt: skip


def bare(event: Json) -> Json:
    return {name: value for name, value in event.items() if name not in ("seq", "id")}


ASKED = {"cards", "card", "amount", "points", "face"}


class Scribe:
    """Writes at one table; `taps` counts the touches on the screen."""

    def __init__(self, page: "Page") -> None:
        self.page = page
        self.taps = 0
        self.offered = 0

    def write(self, events: list[Json]) -> None:
        """All these events, several at once where the pad joins them."""
        left = [bare(event) for event in events]
        while left:
            left = left[self.next(left) :]

    def next(self, left: list[Json]) -> int:
        """The next event or events; how many were written."""
        buttons = self.page.locator("form[data-tap] button[name=events]")
        for place, value in enumerate(buttons.evaluate_all("all => all.map(one => one.value)")):
            offered = json.loads(value)
            if offered == left[: len(offered)]:
                self.settled(lambda place=place: buttons.nth(place).click())
                self.taps += 1
                self.offered += len(offered)
                return len(offered)
        if self.asked(left[0]):
            self.offered += 1
        else:
            self.by_hand(left[0])
        return 1

    def asked(self, event: Json) -> bool:
        """Writes it in the form that asks for it, if there is one."""
        if self._fill(event):
            return True
        steps = self.page.locator("button[name=step]")
        for place in range(steps.count()):
            title = steps.nth(place).inner_text()
            if event["type"] not in ("declared", "discarded", "drew", "stake_set", "counted", "played", "dealt"):
                break
            self.settled(lambda place=place: steps.nth(place).click())
            self.taps += 1
            if self._fill(event):
                return True
            assert title
        return False

    def _fill(self, event: Json) -> bool:
        form = self.page.locator("form[data-ask]")
        if not form.count():
            return False
        base = json.loads(form.locator("input[name=base]").input_value())
        if any(event.get(name) != value for name, value in base.items()) or set(event) - set(base) - ASKED:
            return False
        cards = [event["card"]] if "card" in event else event.get("cards", [])
        for card in cards:
            form.locator(f"input[name=card][value='{card}']").dispatch_event("click")
        self.taps += len(cards) + 1
        for name in ("amount", "points"):
            if form.locator(f"input[name={name}]").count():
                form.locator(f"input[name={name}]").fill(str(event[name]))
        face = f"button[name=face][value={event.get('face')}]"
        button = form.locator(face) if form.locator(face).count() else form.locator(".go button").first
        self.settled(button.click)
        return True

    def by_hand(self, event: Json, *, lost: bool = False) -> None:
        """Writes it in the form for everything else; `lost`: there is no connection, so that no new page comes."""
        more = self.page.locator("details.more")
        if more.get_attribute("open") is None:
            more.locator("summary").click()
        form = more.locator("form")
        form.locator("[name=kind]").select_option(event["type"])
        for name in HAND_FIELDS:
            if name in event:
                field = form.locator(f"[name=e_{name}]")
                if name in ("seat", "why", "reason", "combination"):
                    field.select_option(str(event[name]))
                else:
                    field.fill(str(event[name]))
        if "cards" in event or "card" in event:
            form.locator("[name=e_cards]").fill(" ".join(event.get("cards", [event.get("card")])))
        if "face" in event:
            form.locator("[name=e_face]").select_option(event["face"])
        button = form.locator("button.main")
        self.taps += 4
        if lost:
            button.click()
        else:
            self.settled(button.click)

    def settled(self, act: Any) -> None:
        """Does something and waits until the pad shows what follows from it."""
        stamp = self.page.locator("main.pad").get_attribute("data-stamp")
        act()
        self.page.wait_for_function(
            "old => { const pad = document.querySelector('main.pad'); return pad && pad.dataset.stamp !== old; }",
            arg=stamp,
        )
