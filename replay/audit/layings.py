"""Every way to name the cards of one hand of Bourré that were laid or turned unseen, where there are few.

Cards that were dealt, drawn or thrown away unseen stay so: of those the engine knows what may be. What was laid unseen
decides who takes the trick, and each such card is one that its seat had and laid nowhere else (`report.md` 1).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from msgspec.structs import replace as renamed

from replay.audit.placings import TooManyError
from replay.engine.findings import Finding
from schemas.cards import CODE, DOMAIN, KNOWN, SPELLING, SUIT_MASK, SUITS, spread
from schemas.events import Dealt, Discarded, Drew, Event, HandBegan, Played, StockRecycled, TrumpTurned, Unseen

MOST_LAYINGS: Final = 64
"""So many ways are judged one by one."""
MOST_STEPS: Final = 4000
"""So many cards are tried before the ways count as too many."""

Move = tuple[int, int]
"""Place of its event in the hand, and the mask of what the card may be."""


def layings(events: Sequence[Event], pack: int, most: int = MOST_LAYINGS, *, fifth: bool = False) -> list[list[Event]]:
    """The hand's events once for each way to name the cards laid and turned unseen; empty where too many or none.

    `pack` is the mask of the cards there are; `fifth`: the turned card is the dealer's last, named again.
    """
    hidden = any(isinstance(event, Played) and "?" in "".join(event.cards) for event in events)
    hidden = hidden or any(isinstance(event, TrumpTurned) and "?" in event.card for event in events)
    if not hidden or any(isinstance(event, StockRecycled | Unseen) for event in events):
        return []
    try:
        return list(_Search(events, pack, most, fifth=fifth).walk())
    except TooManyError:
        return []


class _Search:
    """A walk through the cards laid and turned unseen that names one after another."""

    def __init__(self, events: Sequence[Event], pack: int, most: int, *, fifth: bool) -> None:
        self.events = events
        self.most = most
        self.steps = self.found = 0
        self.takes: dict[int, list[Move]] = {}
        self.lets: dict[int, list[Move]] = {}
        self.spots: list[tuple[int, int, int, int]] = []
        """Place of the event, place in it, seat (0: the turn-up), mask; and where it stands among the seat's moves."""
        self.standing: list[int] = []
        self.named = 0
        turned = next(((at, each) for at, each in enumerate(events) if isinstance(each, TrumpTurned)), None)
        for at, event in enumerate(events):
            if isinstance(event, Dealt | Drew):
                masks = [DOMAIN[CODE[card]] for card in event.cards]
                self.takes.setdefault(event.seat, []).extend((at, mask) for mask in masks)
                self.named |= sum({mask for mask in masks if _single(mask)})
            elif isinstance(event, Discarded | Played):
                self._let_go(at, event)
        self.apart = 0
        if turned is not None and not fifth:
            self._turn(*turned, pack)
        elif turned is not None:
            self._name_again(DOMAIN[CODE[turned[1].card]])
        free = pack & ~self.named & ~self.apart
        self.takes = {
            seat: [(at, mask if _single(mask) else mask & free) for at, mask in moves]
            for seat, moves in self.takes.items()
        }

    def _name_again(self, turned: int) -> None:
        """The turned card is the dealer's own last one, where that was not seen when it was dealt."""
        dealer = next((event.dealer for event in self.events if isinstance(event, HandBegan)), 0)
        places = [place for place, event in enumerate(self.events) if isinstance(event, Dealt) and event.seat == dealer]
        own = self.takes.get(dealer, [])
        last = next((spot for spot in reversed(range(len(own))) if own[spot][0] == places[-1]), -1) if places else -1
        both = own[last][1] & turned if last >= 0 else 0
        if both and not _single(own[last][1]):
            own[last] = own[last][0], both
            self.named |= both if _single(both) else 0

    def _let_go(self, at: int, event: Discarded | Played) -> None:
        moves = self.lets.setdefault(event.seat, [])
        for spot, card in enumerate(event.cards):
            mask = DOMAIN[CODE[card]]
            if isinstance(event, Played) and not _single(mask):
                self.spots.append((at, spot, event.seat, mask))
                self.standing.append(len(moves))
            moves.append((at, mask))

    def _turn(self, at: int, event: TrumpTurned, pack: int) -> None:
        mask = DOMAIN[CODE[event.card]]
        if _single(mask):
            self.apart = mask
        elif CODE[event.card] < KNOWN or not any(mask == suit for suit in SUIT_MASK):
            laid = sum({move for moves in self.lets.values() for _, move in moves if _single(move)})
            self.spots.append((at, 0, 0, mask & pack & ~self.named & ~laid))
            self.standing.append(0)

    def walk(self, place: int = 0, texts: tuple[str, ...] = ()) -> Iterator[list[Event]]:
        """The events with all spots from this one on named, in each way."""
        if place == len(self.spots):
            if self._can_be():
                self.found += 1
                if self.found > self.most:
                    raise TooManyError
                yield self._with(texts)
            return
        _, _, seat, mask = self.spots[place]
        if not seat:
            yield from self._walk_turned(place, texts, mask)
            return
        moves, standing = self.lets[seat], self.standing[place]
        before = moves[standing]
        for card in spread(mask & self._may_lay(seat, before[0])):
            self._step()
            moves[standing] = before[0], 1 << card
            yield from self.walk(place + 1, (*texts, SPELLING[card]))
        moves[standing] = before

    def _walk_turned(self, place: int, texts: tuple[str, ...], mask: int) -> Iterator[list[Event]]:
        """Of a turn-up of which nothing is known only the suit is named: it is what decides."""
        wide = mask.bit_count() > len(SUITS)
        for text in (
            [f"?{suit}" for suit, cards in zip(SUITS, SUIT_MASK, strict=True) if mask & cards]
            if wide
            else [SPELLING[card] for card in spread(mask)]
        ):
            self._step()
            self.apart = 0 if wide else DOMAIN[CODE[text]]
            yield from self.walk(place + 1, (*texts, text))
        self.apart = 0

    def _step(self) -> None:
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooManyError

    def _may_lay(self, seat: int, at: int) -> int:
        """What the seat may have had before that event and lets go nowhere else; nobody else lays it."""
        taken = 0
        for when, mask in self.takes.get(seat, ()):
            if when < at:
                taken |= mask
        laid = sum({move for moves in self.lets.values() for _, move in moves if _single(move)})
        return taken & ~laid & ~self.apart

    def _can_be(self) -> bool:
        """Whether every card let go is one that its seat took before."""
        return all(self._fit(self.takes.get(seat, []), moves) for seat, moves in self.lets.items())

    def _fit(self, takes: list[Move], moves: list[Move]) -> bool:
        owner: dict[int, int] = {}

        def settle(move: int, tried: set[int]) -> bool:
            at, mask = moves[move]
            for place, (when, may) in enumerate(takes):
                if when < at and may & mask & ~self.apart and place not in tried:
                    tried.add(place)
                    if place not in owner or settle(owner[place], tried):
                        owner[place] = move
                        return True
            return False

        return all(settle(move, set()) for move in range(len(moves)))

    def _with(self, texts: Sequence[str]) -> list[Event]:
        named = list(self.events)
        for (at, spot, _, _), text in zip(self.spots, texts, strict=True):
            event: Any = named[at]
            if isinstance(event, TrumpTurned):
                named[at] = renamed(event, card=text)
            else:
                named[at] = renamed(event, cards=(*event.cards[:spot], text, *event.cards[spot + 1 :]))
        return named


def _single(mask: int) -> bool:
    return not mask & (mask - 1)


def as_written(findings: Sequence[Finding], events: Sequence[Event]) -> list[Finding]:
    """Findings on cards that were named, telling what was laid as it was written, and what proves it.

    Where a seat laid something unseen before, a card that it was dealt is not on record as held any more: its later
    play proves it.
    """
    plays = [event for event in events if isinstance(event, Played)]
    return [_as_written(finding, plays) if isinstance(finding.recorded, dict) else finding for finding in findings]


def _as_written(finding: Finding, plays: Sequence[Played]) -> Finding:
    own = [play for play in plays if play.seat == finding.seat]
    here = next((at for at, play in enumerate(own) if play.seq == finding.seq), len(own))
    told = dict(finding.recorded)
    if here < len(own) and "?" in own[here].cards[0]:
        told["played"] = own[here].cards[0]
    if told.get("proved_by", 0) is None and any("?" in play.cards[0] for play in own[:here]):
        right = finding.expected or ()
        told["proved_by"] = next((play.seq for play in own[here + 1 :] if play.cards[0] in right), None)
    return replace(finding, recorded=told)
