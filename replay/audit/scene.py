"""One hand as cards and places: what each seat took, what it laid, and in whose pile that lies (`report.md` 5)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from replay.engine.outcome import TrickResult
from replay.engine.tricks import POINTS
from schemas.cards import CODE, DOMAIN, PACK
from schemas.events import (
    CardMissing,
    Counted,
    Dealt,
    DeckRevealed,
    Declared,
    Drew,
    Happening,
    Played,
    Revealed,
    TrumpTurned,
)
from schemas.rules import BuraRules, DealPacket, DrawStyle, Turnup

NOBODY: Final = 0


@dataclass(frozen=True, slots=True)
class Take:
    """One card that seat `seat` acquired, dealt or drawn: one of the mask `domain`.

    `at` is the event's place in the order of the hand; `seq` and `spot` name it in the record (which card of it).
    """

    seat: int
    at: int
    domain: int
    seq: int = -1
    spot: int = 0


@dataclass(frozen=True, slots=True)
class Lay:
    """One card that seat `seat` let go, one of the mask `domain`; it lies in the pile of seat `pile` (0: nobody's).

    `trick` is its trick's number, 0 where it has none; the rest as in `Take`.
    """

    seat: int
    at: int
    domain: int
    pile: int = NOBODY
    trick: int = 0
    seq: int = -1
    spot: int = 0


@dataclass(frozen=True, slots=True)
class Show:
    """One card that seat `seat` showed in its hand and kept: the mask `card` has one bit."""

    seat: int
    at: int
    card: int


@dataclass(frozen=True, slots=True)
class Scene:
    """What bounds the piles of one hand: each card of `pack` lies in at most one place.

    `elsewhere` is the mask of cards known to lie neither in a holding nor in a pile; `apart` has, for each further
    such card whose face is not known, the mask it is of. `points` go by card code. Each of `sets` is a tuple of
    indices of `lays` and a mask: together those hold the cards of the mask (and, when as many, no others).
    """

    pack: int
    takes: tuple[Take, ...]
    lays: tuple[Lay, ...]
    elsewhere: int = 0
    points: tuple[int, ...] = POINTS
    sets: tuple[tuple[tuple[int, ...], int], ...] = ()
    shows: tuple[Show, ...] = ()
    apart: tuple[int, ...] = ()


def scene_of(
    events: Sequence[Happening],
    tricks: Iterable[TrickResult],
    rules: BuraRules,
    *,
    missing: Sequence[int] = (),
    returned: Collection[int] = (),
    testimony: Mapping[tuple[int, int], int] | None = None,
) -> Scene:
    """The scene of one hand of Bura: `events` of the hand as read and redacted, up to the moment asked for.

    `tricks` are those the engine found in them (taker 0 where unfinished); `missing` the domains of cards found
    lacking in earlier hands; `returned` the seqs of plays sent back to the hand (`counter_lead`); `testimony` the
    mask that a believed seat gives for card `spot` of event `seq`, used where the record does not contradict it.
    A hand with an `unseen` stretch has no scene: do not ask. Half-known faces of a `declared` or `counted` are not
    used (`report.md` 5; `rules.md` 1.5, 1.13).
    """
    faces = _Faces(events, testimony or {})
    deal = _Deal(events, faces, rules, missing)
    piles = {seq: trick for trick in tricks for seq in trick.seqs}
    lays, shows, sets = _laid(events, faces, piles, returned)
    return Scene(
        pack=deal.pack,
        takes=tuple(deal.takes),
        lays=tuple(lays),
        elsewhere=deal.elsewhere,
        sets=tuple(sets),
        shows=tuple(shows),
        apart=tuple(deal.apart),
    )


def _laid(
    events: Iterable[Happening], faces: "_Faces", piles: Mapping[int, TrickResult], returned: Collection[int]
) -> tuple[list[Lay], list[Show], list[tuple[tuple[int, ...], int]]]:
    """What was laid, what was shown and kept, and what was counted in piles."""
    lays: list[Lay] = []
    shows: list[Show] = []
    sets: list[tuple[tuple[int, ...], int]] = []
    for at, event in enumerate(events):
        if isinstance(event, Played) and event.seq in returned:
            shows += _shown(event.seat, at, faces.of(event))
        elif isinstance(event, Played):
            trick = piles.get(event.seq)
            pile, number = (trick.taker, trick.trick) if trick else (NOBODY, 0)
            for spot, domain in enumerate(faces.of(event)):
                lays.append(Lay(event.seat, at, domain, pile, number, event.seq, spot))
        elif isinstance(event, Declared) and event.cards:
            shows += _shown(event.seat, at, _domains(event.cards))
        elif isinstance(event, Counted) and event.cards:
            mask = sum({domain for domain in _domains(event.cards) if domain.bit_count() == 1})
            sets.append((tuple(index for index, lay in enumerate(lays) if lay.pile == event.seat), mask))
    return lays, shows, sets


def _domains(cards: Iterable[str]) -> list[int]:
    return [DOMAIN[CODE[card]] for card in cards]


def _shown(seat: int, at: int, domains: Iterable[int]) -> list[Show]:
    return [Show(seat, at, domain) for domain in domains if domain.bit_count() == 1]


class _Faces:
    """The domains of an event's cards: as recorded, as revealed, and as a believed seat says."""

    def __init__(self, events: Iterable[Happening], testimony: Mapping[tuple[int, int], int]) -> None:
        self.testimony = testimony
        self.shown: dict[int, list[int]] = {}
        for event in events:
            if isinstance(event, Revealed):
                earlier = self.shown.get(event.of, [-1] * len(event.cards))
                pairs = zip(earlier, _domains(event.cards), strict=False)
                self.shown[event.of] = [mask & more or mask for mask, more in pairs]

    def of(self, event: Dealt | Drew | Played) -> list[int]:
        """By position; where a later word contradicts an earlier face, the earlier stands."""
        domains = _domains(event.cards)
        for spot, more in enumerate(self.shown.get(event.seq, ())[: len(domains)]):
            domains[spot] = domains[spot] & more or domains[spot]
        for spot, domain in enumerate(domains):
            told = self.testimony.get((event.seq, spot))
            if told is not None:
                domains[spot] = domain & told or domain
        return domains


class _Deal:
    """Deal, turn-up and draws of one hand: the takes, and the cards that lie in no holding."""

    def __init__(self, events: Sequence[Happening], faces: _Faces, rules: BuraRules, missing: Sequence[int]) -> None:
        self.rules = rules
        self.pack = PACK[rules.pack]
        self.apart = [domain for domain in missing if domain.bit_count() > 1]
        self.lacking = len(missing)
        for domain in missing:
            if domain.bit_count() == 1:
                self.pack &= ~domain
        self.elsewhere = 0
        self.takes: list[Take] = []
        self.phases: list[list[list[int]]] = [[], []]
        """Of each round of draws: the indices in `takes` of each seat's cards. The deal is the first."""
        turned = self._read(events, faces)
        self.stock = rules.pack - self.lacking - sum(map(len, self.phases[0]))
        turned = self._follow_deck(events, turned)
        if turned:
            self._place_turn_up(turned)

    def _read(self, events: Sequence[Happening], faces: _Faces) -> int:
        turned, seen = 0, 0
        for at, event in enumerate(events):
            if isinstance(event, Played):
                seen |= sum({domain for domain in faces.of(event) if domain.bit_count() == 1})
                self.phases += [[]] if self.phases[-1] else []
            elif isinstance(event, Dealt | Drew):
                domains = faces.of(event)
                indices = list(range(len(self.takes), len(self.takes) + len(domains)))
                self.phases[0 if isinstance(event, Dealt) else -1].append(indices)
                self.takes += [Take(event.seat, at, domain, event.seq, spot) for spot, domain in enumerate(domains)]
                seen |= sum({domain for domain in domains if domain.bit_count() == 1})
            elif isinstance(event, TrumpTurned):
                turned = DOMAIN[CODE[event.card]]
                self._deal_unseen(events, at)
            elif isinstance(event, CardMissing):
                self._lose(DOMAIN[CODE[event.card]], seen)
        return turned

    def _deal_unseen(self, events: Sequence[Happening], at: int) -> None:
        """Whoever plays and was not dealt to on record had cards that nobody knows."""
        dealt = {event.seat for event in events if isinstance(event, Dealt)}
        for seat in sorted({event.seat for event in events if isinstance(event, Played)} - dealt):
            count = self.rules.hand_size
            self.phases[0].append(list(range(len(self.takes), len(self.takes) + count)))
            self.takes += [Take(seat, at, self.pack) for _ in range(count)]

    def _lose(self, domain: int, seen: int) -> None:
        """A card is gone from the pack, and was all along unless it was seen in this hand."""
        if domain.bit_count() > 1:
            self.apart.append(domain)
            self.lacking += 1
        elif not domain & seen:
            self.lacking += bool(domain & self.pack)
            self.pack &= ~domain

    def _drawn(self) -> list[int]:
        """The draws, as indices in `takes`, in the order the cards left the stock (`draw_style`)."""
        order: list[int] = []
        for phase in self.phases[1:]:
            if self.rules.draw_style is DrawStyle.FILL_EACH:
                order += [index for seat in phase for index in seat]
            else:
                order += _by_rounds(phase)
        return order

    def _follow_deck(self, events: Sequence[Happening], turned: int) -> int:
        """Name the cards from a revealed pack that agrees with all that was seen; the turn-up's domain."""
        decks = [event.cards for event in events if isinstance(event, DeckRevealed)]
        if not decks:
            return turned
        deck = _domains(decks[-1])
        one_by_one = self.rules.deal_packet is DealPacket.ONE_BY_ONE
        dealt = _by_rounds(self.phases[0]) if one_by_one else [index for seat in self.phases[0] for index in seat]
        drawn = self._drawn()
        stock = deck[len(dealt) + 1 :]
        if self.rules.turnup is Turnup.LAST_OF_STOCK:
            stock += deck[len(dealt) : len(dealt) + 1]
        named = dict(zip(dealt + drawn, deck[: len(dealt)] + stock, strict=False))
        turn_up = deck[len(dealt)] if len(dealt) < len(deck) else 0
        if len(named) < len(self.takes) or not turn_up & turned:
            return turned
        if any(not self.takes[index].domain & card for index, card in named.items()):
            return turned
        self.takes = [replace(take, domain=take.domain & named[index]) for index, take in enumerate(self.takes)]
        return turn_up & turned

    def _place_turn_up(self, turned: int) -> None:
        """The turn-up lies under the stock until its last card is drawn (`rules.md` 1.5)."""
        drawn = self._drawn()
        if self.rules.turnup is Turnup.LAST_OF_STOCK and drawn and len(drawn) >= self.stock:
            last = drawn[self.stock - 1] if self.stock > 0 else drawn[-1]
            take = self.takes[last]
            self.takes[last] = replace(take, domain=take.domain & turned or take.domain)
        elif turned.bit_count() > 1:
            self.apart.append(turned)
        elif turned not in {take.domain for take in self.takes}:
            self.elsewhere |= turned


def _by_rounds(seats: Sequence[Sequence[int]]) -> list[int]:
    """One of each seat's cards a round, in the order of the seats."""
    rounds = max(map(len, seats), default=0)
    return [seat[turn] for turn in range(rounds) for seat in seats if turn < len(seat)]
