"""Reading later knowledge into earlier events: reveals, a revealed pack, and what later plays show was held.

What a later event reveals convicts the earlier one at the earlier one's `seq`; so unseen faces that are told later
are named before the hand is judged. A face that cannot be is told at the event that tells it (`report.md` 1, 3).
"""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from replay.engine.findings import Code, Finding, Severity
from schemas.cards import CODE, DOMAIN, KNOWN, mask_of
from schemas.events import (
    Dealt,
    DeckRevealed,
    Declared,
    Discarded,
    Drew,
    Event,
    HandBegan,
    Played,
    Revealed,
    StockRecycled,
    TrumpTurned,
)

Mover = Dealt | Drew | Played | Discarded


def has_unseen(events: Sequence[Event]) -> bool:
    """Whether some card of these events was not seen, so that naming it may change what is judged."""
    for event in events:
        cards = getattr(event, "cards", None)
        if cards and any("?" in card for card in cards):
            return True
        if isinstance(event, TrumpTurned) and "?" in event.card:
            return True
    return False


def read_reveals(
    events: list[Event], game: str, pack: int, *, fifth: bool = False
) -> tuple[list[Event], list[Finding]]:
    """The events with faces filled in that a `revealed` tells, and findings for faces that cannot be.

    `pack` is the mask of the cards there are; `fifth`: the turned card is the dealer's last, named again.
    """
    reveals = [event for event in events if isinstance(event, Revealed)]
    if not reveals:
        return events, []
    places = {event.seq: place for place, event in enumerate(events)}
    hands = _hand_of(events)
    named = list(events)
    findings = []
    for reveal in reveals:
        place = places.get(reveal.of)
        target = named[place] if place is not None else None
        if place is None or not isinstance(target, Dealt | Drew | Played):
            continue
        fellows = [
            event
            for at, event in enumerate(named)
            if hands[at] == hands[place] and at != place and not _came_again(named, min(at, place), max(at, place))
        ]
        turned = _turned_for(target, fellows, game, fifth=fifth)
        cards, right = _named(target, reveal.cards, fellows, pack, turned)
        if not right:
            findings.append(_contradiction(reveal, hands[place], target, game))
        else:
            named[place] = replace(target, cards=cards)
    return named, findings


def _hand_of(events: Sequence[Event]) -> list[int]:
    hand = 0
    hands = []
    for event in events:
        if isinstance(event, HandBegan):
            hand = event.hand
        hands.append(hand)
    return hands


def _contradiction(reveal: Revealed, hand: int, target: Any, game: str) -> Finding:
    return Finding(
        Code.REVEAL_CONTRADICTS,
        Severity.ERROR,
        reveal.seq,
        hand,
        target.seat,
        list(reveal.cards),
        list(target.cards),
        f"{game}.2",
        False,
    )


def _came_again(events: Sequence[Event], early: int, late: int) -> bool:
    """Whether a card of the event at `early` may be one of that at `late` again."""
    return _sent_back(events, early, late) or _went_round(events, early, late)


def _went_round(events: Sequence[Event], early: int, late: int) -> bool:
    """Whether the stock was made new in between: what one seat had may have come to the other (`recycle`)."""
    one, other = events[early], events[late]
    if not isinstance(one, Dealt | Drew | Discarded) or not isinstance(other, Mover) or one.seat == other.seat:
        return False
    return any(isinstance(event, StockRecycled) for event in events[early:late])


def _sent_back(events: Sequence[Event], early: int, late: int) -> bool:
    """Whether a molodka answered the lead at `early`: its cards may be laid at `late` again (`counter_lead`)."""
    if not isinstance(events[early], Played) or not isinstance(events[late], Played):
        return False
    for event in events[early + 1 : late]:
        if isinstance(event, Declared):
            return event.combination == "molodka"
        if isinstance(event, Mover):
            return False
    return False


def _turned_for(target: Mover, fellows: list[Event], game: str, *, fifth: bool) -> tuple[int, int]:
    """The cards that no face of this event can be, as one of them was turned up; and those its last can only be."""
    turned = next((DOMAIN[CODE[event.card]] for event in fellows if isinstance(event, TrumpTurned)), 0)
    if turned.bit_count() > 1 and not fifth:
        return 0, -1
    dealer = next((event.dealer for event in fellows if isinstance(event, HandBegan)), 0)
    if fifth and turned and isinstance(target, Dealt):
        own = target.seat == dealer
        return (0, turned) if own else (turned if turned.bit_count() == 1 else 0, -1)
    out_of_play = game == "bourre" and not fifth
    return (turned, -1) if out_of_play or isinstance(target, Dealt) else (0, -1)


def _named(
    target: Any, faces: tuple[str, ...], fellows: list[Event], pack: int, turned: tuple[int, int]
) -> tuple[tuple[str, ...], bool]:
    """The target's cards with unseen ones named, and whether every face can be."""
    if len(faces) != len(target.cards):
        return target.cards, False
    cards = []
    for spot, (said, face) in enumerate(zip(target.cards, faces, strict=True), 1):
        told, shown = CODE[said], CODE[face]
        barred = turned[0] | (~turned[1] if spot == len(faces) else 0)
        if shown >= KNOWN:
            agree = bool(DOMAIN[told] & DOMAIN[shown] & (pack if told >= KNOWN else -1))
            cards.append(face if said == "??" else said)
        else:
            agree = bool(DOMAIN[told] >> shown & 1)
            may = pack & ~barred
            agree = agree and (told < KNOWN or (bool(may >> shown & 1) and _free(1 << shown, target, fellows)))
            cards.append(face if agree else said)
        if not agree:
            return target.cards, False
    known = [card for card in cards if CODE[card] < KNOWN]
    return tuple(cards), len(set(known)) == len(known)


def _free(card: int, target: Any, fellows: list[Event]) -> bool:
    """Whether an unseen card of this event may be that card, with all else that is known of the hand."""
    taking = isinstance(target, Dealt | Drew)
    for other in fellows:
        if not isinstance(other, Mover) or not mask_of(other.cards) & card:
            continue
        if other.seat != target.seat or isinstance(other, Dealt | Drew) == taking:
            return False
    return True


def read_deck(events: list[Event], one_by_one: bool, in_rounds: bool, turnup_last: bool, apart: bool) -> list[Event]:
    """A hand's events with unseen dealt, turned and drawn faces named by its revealed pack, where lengths agree."""
    reveal = next((event for event in events if isinstance(event, DeckRevealed)), None)
    if reveal is None:
        return events
    named = list(events)
    slots = _dealt_slots(named, one_by_one)
    turned = next((at for at, event in enumerate(named) if isinstance(event, TrumpTurned)), None)
    drawn = _drawn_slots(named, in_rounds)
    pack = list(reveal.cards)
    rest = pack[len(slots) :]
    if apart and turned is not None and rest:
        event = named[turned]
        if isinstance(event, TrumpTurned) and CODE[event.card] >= KNOWN:
            named[turned] = replace(event, card=rest[0])
        rest = [*rest[1:], rest[0]] if turnup_last else rest[1:]
    for slot, face in [*zip(slots, pack, strict=False), *zip(drawn, rest, strict=False)]:
        at, place = slot
        event = named[at]
        if not isinstance(event, Dealt | Drew):
            continue
        said = CODE[event.cards[place]]
        if said >= KNOWN and DOMAIN[said] & DOMAIN[CODE[face]]:
            named[at] = replace(event, cards=(*event.cards[:place], face, *event.cards[place + 1 :]))
    return named


def read_turnup(events: list[Event], cards: int, in_rounds: bool) -> list[Event]:
    """A hand's events with an unseen turn-up named by the card drawn last, where all `cards` were dealt and drawn.

    It lies under the stock (`rules.md` 1.5); nothing is named where a card stands twice.
    """
    found = ((at, event) for at, event in enumerate(events) if isinstance(event, TrumpTurned))
    at, turned = next(found, (0, None))
    slots = _drawn_slots(events, in_rounds)
    if turned is None or CODE[turned.card] < KNOWN or not slots:
        return events
    taken = [card for event in events if isinstance(event, Dealt | Drew) for card in event.cards]
    known = [card for card in taken if CODE[card] < KNOWN]
    place, spot = slots[-1]
    drawn: Any = events[place]
    last = drawn.cards[spot]
    if len(taken) != cards or len(set(known)) < len(known) or CODE[last] >= KNOWN:
        return events
    if not DOMAIN[CODE[turned.card]] >> CODE[last] & 1:
        return events
    return [*events[:at], replace(turned, card=last), *events[at + 1 :]]


def _dealt_slots(events: list[Event], one_by_one: bool) -> list[tuple[int, int]]:
    dealt = [(at, len(event.cards)) for at, event in enumerate(events) if isinstance(event, Dealt)]
    if not one_by_one:
        return [(at, place) for at, count in dealt for place in range(count)]
    rounds = max((count for _, count in dealt), default=0)
    return [(at, place) for place in range(rounds) for at, count in dealt if place < count]


def _drawn_slots(events: list[Event], in_rounds: bool) -> list[tuple[int, int]]:
    """The places of drawn cards in drawing order; draws between two plays belong to one round of drawing."""
    slots: list[tuple[int, int]] = []
    group: list[tuple[int, int]] = []
    for at, event in enumerate(events):
        if isinstance(event, Drew):
            group.append((at, len(event.cards)))
        elif isinstance(event, Played) and group:
            slots += _in_order(group, in_rounds)
            group = []
    return slots + _in_order(group, in_rounds)


def _in_order(group: list[tuple[int, int]], in_rounds: bool) -> list[tuple[int, int]]:
    if not in_rounds:
        return [(at, place) for at, count in group for place in range(count)]
    rounds = max((count for _, count in group), default=0)
    return [(at, place) for place in range(rounds) for at, count in group if place < count]


def foreknown(events: Sequence[Event]) -> dict[int, tuple[int, int]]:
    """By place of an event: the seat and the mask of cards which later plays show it holds after that event.

    A card laid later and not surely received in between was held already, unless an unseen card received in between
    may be it.
    """
    hints: dict[int, tuple[int, int]] = {}
    needs: dict[int, int] = {}
    for place in range(len(events) - 1, -1, -1):
        event = events[place]
        if isinstance(event, Played | Discarded):
            need = needs.get(event.seat, 0)
            if need and any(CODE[card] >= KNOWN for card in event.cards):
                hints[place] = (event.seat, need)
            needs[event.seat] = need | mask_of(event.cards)
        elif isinstance(event, Dealt | Drew):
            need = needs.get(event.seat, 0)
            if need:
                hints[place] = (event.seat, need)
            need &= ~mask_of(event.cards)
            if any(CODE[card] >= KNOWN for card in event.cards):
                need = 0
            needs[event.seat] = need
    return hints
