"""Every way to name the unseen cards of one hand of Bura, where there are few (`report.md` 1: unseen cards).

A hand whose cards can lie in a handful of ways only is judged in each of them: exactly what all ways say stands. Where
there are too many, the engine asks for what it needs instead, question by question.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

from msgspec.structs import replace as renamed

from replay.audit.scene import Scene
from replay.engine.findings import Code, Finding
from schemas.cards import CODE, DOMAIN, SPELLING, spread
from schemas.events import Dealt, Declared, Drew, Event, Played

MOST_PLACINGS: Final = 160
"""So many ways are judged one by one."""
MOST_STEPS: Final = 4000
"""So many cards are tried before the ways count as too many."""
OF_THE_CARDS: Final = frozenset(
    {Code.CARD_NOT_HELD, Code.CARD_TWICE, Code.CARD_NOT_IN_PACK, Code.REVEAL_CONTRADICTS, Code.DECK_MISMATCH}
)
"""What is told where cards lie as they cannot: no way in which they may have lain."""

Face = tuple[int, int]
"""Where an unseen card lies: place of its event in the hand, place within the event."""


class TooManyError(Exception):
    """There are more ways than are worth looking at one by one."""


def placings(
    events: Sequence[Event], scene: Scene, most: int = MOST_PLACINGS, returned: Collection[int] = ()
) -> list[list[Event]]:
    """The hand's events once for each way to name all their unseen cards; empty where there are too many or none.

    `scene` is that of the whole hand, `returned` the seqs of plays that went back to the hand (`counter_lead`). Only
    the cards themselves count: who was dealt, drew and laid what.
    """
    if scene.apart:
        return []
    search = _Search(events, scene, most, returned)
    if search.fewest_steps() > MOST_STEPS:
        return []
    try:
        return [search.with_faces(faces) for faces in search.walk()]
    except TooManyError:
        return []


class _Search:
    """A walk through the hand's events that names unseen cards one after another."""

    def __init__(self, events: Sequence[Event], scene: Scene, most: int, returned: Collection[int]) -> None:
        self.events = list(events)
        self.most = most
        self.returned = returned
        self.spots: list[tuple[int, int, int, int]] = []
        """Place of the event, place in it (-1: shown in a declaration), seat, domain."""
        self.takes: list[bool] = []
        domains = {(take.seq, take.spot): take.domain for take in scene.takes}
        for at, event in enumerate(events):
            if isinstance(event, Dealt | Drew | Played):
                for spot, card in enumerate(event.cards):
                    domain = domains.get((event.seq, spot), DOMAIN[CODE[card]])
                    self._add(at, spot, event.seat, domain, takes=not isinstance(event, Played))
            elif isinstance(event, Declared):
                for card in event.cards or ():
                    self._add(at, -1, event.seat, DOMAIN[CODE[card]], takes=False)
        known = [spot[3] for spot, takes in zip(self.spots, self.takes, strict=True) if takes]
        taken = sum({domain for domain in known if domain.bit_count() == 1})
        self.free = scene.pack & ~scene.elsewhere & ~taken
        """What an unseen card that somebody took may be."""
        self.steps = 0
        self.found = 0

    def _add(self, at: int, spot: int, seat: int, domain: int, *, takes: bool) -> None:
        self.spots.append((at, spot, seat, domain))
        self.takes.append(takes)

    def fewest_steps(self) -> int:
        """So many cards at least are tried to name what was taken before anything is laid; tells early of too many."""
        steps, ways, unseen, known = 0, 1, 0, 0
        for (_, _, _, domain), takes in zip(self.spots, self.takes, strict=True):
            single = domain.bit_count() == 1
            if not takes or (single and domain & known) or steps > MOST_STEPS:
                break
            if single:
                known |= domain
            else:
                ways *= max((domain & self.free).bit_count() - unseen, 0)
                unseen += 1
            steps += ways
        return steps

    def walk(self) -> Iterator[dict[Face, int]]:
        """By unseen face: its card, for each way."""
        yield from self._from(0, {}, 0, {})

    def _from(self, place: int, hands: dict[int, int], used: int, faces: dict[Face, int]) -> Iterator[dict[Face, int]]:
        if place == len(self.spots):
            self.found += 1
            if self.found > self.most:
                raise TooManyError
            yield dict(faces)
            return
        at, spot, seat, _ = self.spots[place]
        held = hands.get(seat, 0)
        for card in spread(self._choices(place, held, used)):
            self.steps += 1
            if self.steps > MOST_STEPS:
                raise TooManyError
            bit = 1 << card
            if spot < 0:
                yield from self._from(place + 1, hands, used, faces)
                continue
            faces[at, spot] = card
            back = self.events[at].seq in self.returned
            now = held | bit if self.takes[place] or back else held & ~bit
            yield from self._from(place + 1, {**hands, seat: now}, used | bit, faces)

    def _choices(self, place: int, held: int, used: int) -> int:
        """The cards this spot may be, with all before it named."""
        _, spot, _, domain = self.spots[place]
        if not self.takes[place]:
            fits = held & domain
            return fits & -fits if spot < 0 else fits
        if domain.bit_count() == 1:
            return domain & ~used
        return domain & self.free & ~used

    def with_faces(self, faces: dict[Face, int]) -> list[Event]:
        """The hand's events with these faces named."""
        named = list(self.events)
        for (at, spot), card in faces.items():
            event = named[at]
            if isinstance(event, Dealt | Drew | Played):
                cards = (*event.cards[:spot], SPELLING[card], *event.cards[spot + 1 :])
                named[at] = renamed(event, cards=cards)
        return named


def as_recorded(findings: Sequence[Finding], named: Sequence[Event], events: Sequence[Event]) -> list[Finding]:
    """Findings on named cards, telling the cards as they were written."""
    written = {
        one.seq: (list(one.cards), list(other.cards))
        for one, other in zip(named, events, strict=True)
        if isinstance(one, Dealt | Drew | Played) and isinstance(other, Dealt | Drew | Played)
    }
    return [
        replace(finding, recorded=written[finding.seq][1])
        if finding.seq in written and finding.recorded == written[finding.seq][0]
        else finding
        for finding in findings
    ]
