"""A desk with one invented evening on it: enough for every page, with nothing stored."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from replay.views.sources import PLAIN, HandSource, Lens, Received, RecordingHead, Shelf, ShelfRow, Story
from schemas.problems import Code, Problem, Refusal
from tests.web import evening

LINE = b'{"seq":3,"type":"dealt","seat":1,"cards":["\xd0\xa2h","Kh","6c"]}'


class EveningDesk:
    """`lang` chooses the names of the players."""

    def __init__(self, lang: str = "ru", views: tuple[str, ...] = ("public", "seat:1", "seat:2", "seat:3", "full")):
        self.lang, self.views = lang, views

    def shelf(self, before: int | None = None) -> Shelf:
        title = evening.head("full", self.lang).title
        return Shelf(
            (
                ShelfRow(evening.ID, title, "bura", 9, "refuted", 3, 1, "2026-11-28"),
                ShelfRow("0" * 16, "Lafayette, Saturday", "bourre", 14, "verified", 0, 0, "2026-11-22"),
                ShelfRow("1" * 16, "Online table 12", "bura", 31, "undecided", 0, 2, "2026-11-21"),
            )
        )

    def key(self, id_: str) -> str:
        return "k" * 22

    def opens(self, id_: str, key: str) -> bool:
        return key == "k" * 22

    def hold(self, ids: Iterable[str]) -> None:
        pass

    def holds(self, id_: str) -> bool:
        return False

    def receive(self, data: bytes, *, keep: bool, public: bool, shown: str = "public") -> Received | Refusal:
        if b"recording_began" in data:
            return Received(evening.ID if keep else "", evening.report(), keep)
        value = '"\u0422h"'
        look_alike = {"value": value, "letter": "\u0422", "name": "CYRILLIC CAPITAL LETTER TE", "twin": "T"}
        return Refusal(
            (
                Problem(1, "cards[0]", Code.LOOK_ALIKE_LETTER, look_alike),
                Problem(2, "amount", Code.NOT_AN_INTEGER, {"value": "1.5"}),
                Problem(3, "seq", Code.SEQ_GAP, {"value": "42", "expected": "41"}),
            )
        )

    def head(self, id_: str, view: str, lens: Lens = PLAIN) -> RecordingHead | None:
        shown = view or self.views[-1]
        if id_ != evening.ID or shown not in self.views:
            return None
        return replace(evening.head(shown, self.lang), views=self.views)

    def report(self, id_: str, view: str, lens: Lens = PLAIN) -> Mapping[str, Any] | None:
        return evening.report(view)

    def story(self, id_: str, view: str, lens: Lens = PLAIN) -> Story | None:
        head = self.head(id_, view)
        began = {"seq": 0, "type": "recording_began", "seats": list(evening.NAMES[self.lang]), "pot": 24}
        return None if head is None else Story(head, (began, *evening.redacted(head.view)), evening.report(head.view))

    def hand(self, id_: str, hand: int, view: str, lens: Lens = PLAIN) -> HandSource | None:
        if hand != 4:
            return None
        source = evening.hand_source(view, self.lang)
        return replace(source, head=replace(source.head, views=self.views))

    def step(
        self, id_: str, hand: int, seq: int, view: str, lens: Lens = PLAIN, *, blind: bool = False
    ) -> HandSource | None:
        return self.hand(id_, hand, view)

    def lines(self, id_: str, view: str) -> bytes | None:
        return b""
