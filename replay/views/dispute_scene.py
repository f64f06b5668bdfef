"""A dispute seen from one place: the answer, the hand and the words together, and small questions about them."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from replay.audit.clocks import Hidden
from replay.views.addresses import Addresses
from replay.views.dispute_page import Bound
from replay.views.dispute_sources import DisputeSource
from replay.views.parts import Link
from replay.views.scene import Scene, joined, labels_of
from replay.views.wording import Part, Sentence, Wording

ICON: Final = {"must": "must", "open": "dbt", "cannot": "cannot"}


@dataclass(frozen=True)
class Matter:
    """What a dispute is about, and how to speak of it."""

    given: DisputeSource
    w: Wording
    to: Addresses

    @cached_property
    def scene(self) -> Scene:
        """The hand at the event in dispute."""
        source = self.given.source
        seqs = [table.seq for table in source.tables]
        at = seqs.index(self.at) if self.at in seqs else len(seqs) - 1
        return Scene(source, self.w, self.to, at, named=self.to.names, labels=labels_of(source))

    @property
    def answer(self) -> Any:
        """`razbor-dispute/1`."""
        return self.given.answer

    @property
    def hand(self) -> int:
        """The hand's number."""
        return self.given.question.hand

    @property
    def at(self) -> int:
        """The event in dispute: the one asked for, else the hand's last."""
        return int(self.answer["at"])

    @property
    def bura(self) -> bool:
        """Whether points are in dispute."""
        return "target" in self.answer

    @property
    def target(self) -> int:
        """Points to open with; where nobody wrote them down, the classic ones."""
        return int(self.answer["target"] or self.given.source.head.target) if self.bura else 0

    @property
    def players(self) -> list[int]:
        """The seats of this hand."""
        return sorted(int(seat) for seat in self.answer["seats"])

    @property
    def seats(self) -> list[int]:
        """Everybody at the table, with or without cards."""
        return sorted(int(seat) for seat in self.answer["remedy"])

    def entry(self, seat: int) -> Any:
        """What the answer says of a seat."""
        return self.answer["seats"][str(seat)]

    def name(self, seat: int) -> str:
        """What a seat is called."""
        return self.scene.name(seat)

    def tell(self, key: str, n: int | None = None, **values: Any) -> str:
        """A sentence of this page as text."""
        return self.w.say(f"disputes_page.{key}", n, **values)

    def told(self, key: str, n: int | None = None, **values: Any) -> Sentence:
        """A sentence of this page."""
        return self.w.parts(f"disputes_page.{key}", n, **values)

    @property
    def either(self) -> str:
        """What stands between two of several ways."""
        return f" {self.tell('or')} "

    def names(self, seats: Any) -> str:
        """Several seats in a row."""
        said = [self.name(int(seat)) for seat in seats]
        if len(said) < 2:
            return "".join(said) or self.tell("nobody")
        return self.tell("and", first=", ".join(said[:-1]), last=said[-1])

    def event(self, seq: int) -> Part:
        """An event's number that leads to it."""
        return Part(self.w.amount(seq), href=self.scene.link(seq))

    def link(self, seq: int, current: bool = False) -> Link:
        """The same as a link of a table."""
        return Link(self.w.amount(seq), self.scene.link(seq), current)

    def here(self, **changed: Any) -> str:
        """The address of this dispute with something changed."""
        asked = replace(self.given.question, **changed)
        to = replace(self.to, reading="")
        return to.dispute(asked.hand, asked.at, believe=asked.believe, case=asked.case, reading=asked.reading)

    @cached_property
    def opened(self) -> tuple[int, int]:
        """The seat that opened last up to this moment, and when; zeros where nobody did."""
        found = [(int(entry["opened_at"]), int(seat)) for seat, entry in self.answer["seats"].items()
                 if self.bura and entry["opened_at"] is not None]  # fmt: skip
        seq, seat = max(found, key=lambda one: (self.given.course.place(one[0]), one), default=(0, 0))
        return seat, seq

    @cached_property
    def focus(self) -> int:
        """The seat in question: who opened, else who may have had it with the most points."""
        if self.opened[0]:
            return self.opened[0]
        if not self.bura:
            return 0
        ranks = {"open": 2, "must": 1, "cannot": 0}
        return max(
            self.players,
            key=lambda seat: (ranks[self.entry(seat)["answer"]], (self.points(seat) or (0, 0))[1], -seat),
            default=0,
        )

    @property
    def dark(self) -> bool:
        """A stretch of the hand was not seen: nothing of the piles is known."""
        return self.bura and all(self.points(seat) is None for seat in self.players)

    def points(self, seat: int) -> tuple[int, int] | None:
        """What the seat's pile holds at least and at most; `None` where nothing is known."""
        found = self.entry(seat)["points"]
        return None if found["low"] is None or found["high"] is None else (int(found["low"]), int(found["high"]))

    def bound_now(self, seat: int) -> Bound:
        """That pile's span in words."""
        found = self.points(seat)
        return self.bound(*found) if found else Bound("—", "open", ICON["open"], self.state_word("open"))

    def state_word(self, state: str) -> str:
        """`has 31`, `open: 31?`, `cannot`."""
        return self.w.say(f"points.{state}", target=self.target)

    def bound(self, low: int, high: int) -> Bound:
        """A pile's span in words."""
        state = "must" if low >= self.target else "cannot" if high < self.target else "open"
        return Bound(self.w.span(low, high), state, ICON[state], self.state_word(state))

    def claimed(self) -> tuple[int, int] | None:
        """The points of the pile in question when it was opened, or else now; `None` where nothing is known."""
        seat, seq = self.opened
        rows = self.given.course.ended(seq) if seat else []
        if rows and seat in rows[-1].piles:
            return rows[-1].piles[seat]
        return self.points(self.focus)

    def hidden(self, seat: int) -> list[Hidden]:
        """The unseen cards of a pile."""
        return [one for one in self.given.course.hidden if one.pile == seat]

    def label(self, of: int, spot: int) -> Part:
        """The label of a card laid face down, or else its event, where that is on record."""
        if of < 0:
            return Part(self.tell("pencil.lost"))
        number = self.scene.label(of, spot)
        return self.w.label(number) if number else self.event(of)

    def labels(self, cards: list[Hidden]) -> Sentence:
        """The labels of several, each once."""
        said: list[Sentence] = []
        for card in cards:
            one = (self.label(card.seq, card.spot),)
            if one not in said:
                said.append(one)
        return joined(said, " ")
