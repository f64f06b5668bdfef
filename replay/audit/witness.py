"""What the engine asks while a hand is judged: rules nobody wrote down, bounds of piles, the answers of a branch."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace as replaced

from replay.audit.effort import spend
from replay.audit.explore import Script
from replay.engine.bura.state import Unrecorded
from replay.engine.findings import Code
from schemas.cards import CODE, DOMAIN
from schemas.events import CardMissing, Dealt, Drew, Event, Played
from schemas.options import values_of
from schemas.rules import HouseRules
from schemas.values import Seat

if TYPE_CHECKING:
    from replay.audit.scene import Scene

TARGET_PILE: Final = 1
SHAPE_THE_DEAL: Final = frozenset({"pack", "turnup", "draw_style", "deal_packet"})
"""Options that decide which card can lie where."""


def lacking(missing: Sequence[int], events: Iterable[object]) -> list[int]:
    """The domains of cards found lacking, with those of these events: a known one once, however often it is said."""
    found = list(missing)
    for event in events:
        if isinstance(event, CardMissing):
            domain = DOMAIN[CODE[event.card]]
            if domain.bit_count() > 1 or domain not in found:
                found.append(domain)
    return found


class Probe:
    """Rules of which some are unrecorded: reading one of those asks which value it shall have this time."""

    __slots__ = ("_house", "_script", "_table")

    def __init__(self, house: HouseRules, script: Script, table: Any) -> None:
        self._house = house
        self._script = script
        self._table = table

    def __getattr__(self, name: str) -> Any:
        if name not in self._house.unrecorded:
            return getattr(self._house.rules, name)
        values = [value for value in values_of(self._house.game, name) if value != "cinch"]
        table = self._table
        return self._script.choose(Code.RULE_UNRECORDED, name, values, table.seq, len(table.findings))


Testimony = Mapping[tuple[int, int], int]
"""By seq of an event and place in it: the mask of cards a believed seat says it may be."""


class HandWitness:
    """Answers the engine within one hand: exact bounds from all that is known of it, branches from a script."""

    __slots__ = ("events", "found", "house", "missing", "script", "table", "testimony")

    def __init__(
        self,
        house: HouseRules,
        events: Sequence[Event],
        missing: Sequence[int],
        script: Script,
        table: Any,
        testimony: Testimony | None = None,
        found: "dict[Any, tuple[int, int]] | None" = None,
    ) -> None:
        spend()
        self.testimony = testimony
        self.found = {} if found is None else found
        self.house = house
        self.events = events
        self.missing = missing
        self.script = script
        self.table = table

    def choose(self, kind: Code, name: str, values: Sequence[Any], seq: int) -> Any:
        """The answer of this branch; a hand that was taken to go one way only has to be judged in each of them."""
        self.table.strange_hands.append(self.table.began_seq)
        return self.script.choose(kind, name, values, seq, len(self.table.findings))

    def scene(self) -> "Scene":
        """The hand as cards and places, with the tricks taken so far."""
        rules: Any = self.table.rules if self.house.unrecorded else self.house.rules
        sent_back = getattr(self.table, "sent_back", ())
        from replay.audit.scene import scene_of  # noqa: PLC0415 - where every card was seen none is needed

        return scene_of(
            self.plain_events(),
            self.table.tricks,
            rules,
            missing=self.missing,
            returned=tuple(sent_back),
            testimony=self.testimony,
        )

    def plain_events(self) -> Sequence[Event]:
        """The hand's events, with every card that cannot be what was written as an unseen one, and with what the game
        shows was drawn or laid though it is not on record."""
        return with_unrecorded(without_strange(self.events, self.table.strange), self.table.unrecorded)

    def bounds(self, seat: int) -> tuple[int, int]:
        """The least and greatest points in the seat's pile."""
        return self._once((seat,), self.scene, seat)

    def _once(self, asked: tuple[int, ...], scene: "Callable[[], Scene]", pile: int) -> tuple[int, int]:
        """Bounds are dear, and the branches of one hand ask for the same ones again and again."""
        known = self.found.get((asked, self._layout()))
        if known is None:
            from replay.audit.places import bounds  # noqa: PLC0415 - where every card was seen none is needed

            exact = bounds(scene(), pile)
            known = self.found[asked, self._layout()] = exact.low, exact.high
        return known

    def _layout(self) -> tuple[Any, ...]:
        """All that a scene is made of; a rule that the scene has first to ask for is not answered yet."""
        table = self.table
        tricks = tuple((trick.taker, trick.seqs) for trick in table.tricks)
        shape = tuple(self.script.known.get(name) for name in self.house.unrecorded if name in SHAPE_THE_DEAL)
        return len(self.events), tricks, tuple(table.strange), tuple(table.unrecorded), tuple(table.sent_back), shape

    def trick_bounds(self, seqs: Sequence[int]) -> tuple[int, int]:
        """The least and greatest points in one trick."""
        return self._once((0, *seqs), lambda: self._one_pile(seqs), TARGET_PILE)

    def _one_pile(self, seqs: Sequence[int]) -> "Scene":
        """The scene with the cards of these plays as one pile, and no other pile."""
        whole = self.scene()
        lays = tuple(replace(lay, pile=TARGET_PILE if lay.seq in seqs else 0) for lay in whole.lays)
        return replace(whole, lays=lays)

    def may_have(self, seat: int, seqs: Sequence[int], points: int) -> bool:
        """Whether some naming of the unseen cards gives the trick of these plays, or the seat's pile, such points."""
        key = ("may have", seat, *seqs, points), self._layout()
        if key not in self.found:
            from replay.audit.places import View  # noqa: PLC0415 - where every card was seen none is needed

            view = View(self._one_pile(seqs) if seqs else self.scene())
            may = view.exactly(TARGET_PILE if seqs else seat, points) is not False
            self.found[key] = int(may), int(may)
        return self.found[key] != (0, 0)


def without_strange(events: Sequence[Event], strange: Sequence[tuple[int, int]]) -> Sequence[Event]:
    """The events with every card that cannot be what was written as an unseen one."""
    if not strange:
        return events
    spots: dict[int, set[int]] = {}
    for seq, spot in strange:
        spots.setdefault(seq, set()).add(spot)
    plain: list[Event] = []
    for event in events:
        wrong = spots.get(event.seq)
        if wrong and isinstance(event, Dealt | Drew | Played):
            cards = tuple("??" if at in wrong else card for at, card in enumerate(event.cards))
            plain.append(replaced(event, cards=cards))
        else:
            plain.append(event)
    return plain


def with_unrecorded(events: Sequence[Event], unrecorded: Sequence[Unrecorded]) -> Sequence[Event]:
    """The events with these draws and plays among them, each before the event that shows it."""
    if not unrecorded:
        return events
    missing: dict[int, list[Event]] = {}
    for place, (seq, seat, cards, laid) in enumerate(unrecorded, 1):
        event: Event = Drew(seq=-place, seat=Seat(seat), cards=cards)
        if laid:
            event = Played(seq=-place, seat=Seat(seat), cards=cards, face="down")
        if cards:
            missing.setdefault(seq, []).append(event)
    return [each for event in events for each in (*missing.get(event.seq, ()), event)]
