"""One hand seen from one place: the source, the words and the addresses together, and small questions about them."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from replay.views.addresses import Addresses
from replay.views.parts import CardFace
from replay.views.sources import EventDict, HandSource, RecordingHead, SeatView, TableView
from replay.views.wording import Part, Sentence, Wording

#: What a card counts in a Bura pile.
POINTS: Final = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
UNSEEN: Final = "??"
_MAY_NOT_BEAT: Final = ("table/unknown-card", "bura/face-up-without-beating")
_PACKS: Final = {20: "AKQJT", 32: "AKQJT987", 36: "AKQJT9876", 52: "AKQJT98765432"}


def seat_of(view: str) -> int:
    """The seat a view looks from, 0 for the table and the whole.

    >>> seat_of("seat:2"), seat_of("public")
    (2, 0)
    """
    return int(view[5:]) if view.startswith("seat:") else 0


@dataclass(frozen=True)
class Look:
    """What the reader asks of a step beside the step itself."""

    #: A card (`Kc`) or a label (`3`) whose moments are wanted, or nothing.
    of: str = ""
    #: How many cards of the opened pile are turned; 0 for all.
    card: int = 0
    #: The pin of the link that led here, or nothing.
    pin: str = ""


@dataclass(frozen=True)
class Scene:
    """A hand, a step in it, and how to speak about it."""

    source: HandSource
    wording: Wording
    to: Addresses
    #: Index of the step in `source.events`.
    at: int
    #: Names are shown; else seat numbers.
    named: bool = True
    blind: bool = False
    labels: dict[tuple[int, int], int] = field(default_factory=dict)
    look: Look = Look()
    #: What was asked of this step before.
    known: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def kept(self, what: Hashable, on: Any, draw: Callable[[], Any]) -> Any:
        """What was drawn at another step of the hand for this reader, where `on`, all it depends on, is still the same.

        Step after step most of a page stays as it is.
        """
        found = self._said.get(what)
        if found is None or found[0] != on:
            found = self._said[what] = on, draw()
        return found[1]

    def same(self, what: Hashable, now: Any) -> Any:
        """What stood there at another step of the hand, where it is equal: the very same thing is drawn once."""
        return self.kept(what, now, lambda: now)

    @cached_property
    def _said(self) -> dict[Hashable, Any]:
        whole: dict[Hashable, Any] = self.source.said.setdefault((self.to, self.wording.lang, self.named), {})
        return whole

    @property
    def table(self) -> TableView:
        """The table after this step."""
        return self.source.tables[self.at]

    @property
    def event(self) -> EventDict:
        """This step's event."""
        return self.source.events[self.at]

    @property
    def seq(self) -> int:
        """The number of this step's event."""
        return self.table.seq

    @cached_property
    def _places(self) -> dict[int, int]:
        return {int(event["seq"]): at for at, event in enumerate(self.source.events)}

    def place(self, seq: int) -> int:
        """Where an event stands in this hand, or before or after it: what was put in bears a later number."""
        beyond = -1 if seq < int(self.source.events[0]["seq"]) else len(self.source.events)
        return self._places.get(seq, beyond)

    def later(self, seq: int) -> bool:
        """Whether an event comes after this step."""
        return self.place(seq) > self.at

    @property
    def hand(self) -> int:
        """The number of this hand."""
        return self.source.hand

    @cached_property
    def unsettled(self) -> frozenset[int]:
        """The plays of which nobody can say whether they beat: the fold has taken one way for another."""
        return frozenset(
            int(one["seq"]) for one in self.source.findings if (one["code"], one.get("recorded")) == _MAY_NOT_BEAT
        )

    @cached_property
    def viewer(self) -> int:
        """The seat drawn at the bottom."""
        own = seat_of(self.source.head.view)
        return own or self.table.seats[0].seat

    def name(self, seat: int) -> str:
        """What a seat is called."""
        seats = self.source.head.seats
        if self.named and 1 <= seat <= len(seats):
            return seats[seat - 1]
        return self.wording.say("seat", seat=seat)

    def link(self, seq: int) -> str:
        """The address of another event of this hand."""
        return self.to.event(self.hand, seq)

    def seat(self, seat: int) -> SeatView | None:
        """That seat as it stands, if it is at the table."""
        return next((one for one in self.table.seats if one.seat == seat), None)

    def label(self, seq: int, place: int) -> int:
        """The label of the card laid face down at that event and place, 0 for none."""
        return self.labels.get((seq, place), 0)

    def label_part(self, seq: int, place: int) -> Part:
        """That label in a sentence, leading to where it was laid."""
        return self.wording.label(self.label(seq, place))

    def face(self, card: str, label: int = 0, fresh: bool = False) -> CardFace:
        """How a card of this hand is drawn; it leads to its moments."""
        found: CardFace = self.kept(
            ("face", card, label, fresh), None, lambda: face(card, self.wording, label, fresh, self.about(card, label))
        )
        return found

    def about(self, card: str, label: int = 0) -> str:
        """Where the moments of a card are told: by its label if it has one, else by its face."""
        asked = str(label) if label else card if "?" not in card else ""
        return self.to.here(of=asked) + "#why" if asked else ""

    def pack(self) -> tuple[str, ...]:
        """All cards of the pack, by suit, high to low."""
        ranks = _PACKS.get(self.source.head.pack, _PACKS[36])
        order = "ATKQJ98765432" if self.source.head.game == "bura" else "AKQJT98765432"
        return tuple(rank + suit for suit in "shdc" for rank in order if rank in ranks)

    def at_index(self, index: int) -> "Scene":
        """The same hand at another step."""
        return Scene(self.source, self.wording, self.to, index, self.named, self.blind, self.labels, self.look)


def labels_of(source: HandSource) -> dict[tuple[int, int], int]:
    """Numbers 1, 2, ... for every card laid face down in this hand, in the order laid, by event and place in it."""
    out: dict[tuple[int, int], int] = {}
    for event in source.events:
        if event["type"] == "played" and event.get("face") == "down":
            for place in range(len(event["cards"])):
                out[(event["seq"], place)] = len(out) + 1
    return out


def title_of(head: RecordingHead, wording: Wording, named: bool) -> str:
    """What a recording is called: its title, else game, players and day; without names, game, seats and day."""
    if named and head.title:
        return head.title
    game = wording.say(f"game.{head.game}")
    who = ", ".join(head.seats) if named else wording.say("report.seats", len(head.seats))
    return f"{game}{wording.colon}{who}" + (f", {head.date}" if head.date else "")


def face(card: str, wording: Wording, label: int = 0, fresh: bool = False, href: str = "") -> CardFace:
    """How a card is drawn: its face where it may be seen, else a back."""
    if card == UNSEEN or "?" in card:
        name = wording.say("card.back_labelled", label=f"#{label}") if label else wording.say("card.back")
        return CardFace("back", "back", "b", name, label, fresh, href)
    name = wording.card_name(card)
    if label:
        name = f"#{label}, {name}"
    return CardFace(card, f"s{card}", card[1], name, label, fresh, href)


def joined(parts: Sequence[Sentence], between: str | Part) -> Sentence:
    """Several sentences with something between them."""
    out: list[Part] = []
    for one in parts:
        if out and between:
            out.append(between if isinstance(between, Part) else Part(between))
        out.extend(one)
    return tuple(out)


def percent(part: float, whole: float) -> str:
    """A share in percent, one digit at most.

    >>> percent(31, 60), percent(1, 2)
    ('51.7', '50')
    """
    return f"{100 * part / (whole or 1):.1f}".removesuffix(".0")
