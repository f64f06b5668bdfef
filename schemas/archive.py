"""The archive form `razbor-archive/1`: each frequent event as a short array, its number implied by its place.

| code | event | then |
|---|---|---|
| `h` | `hand_began` | hand, dealer |
| `s` | `staked` | seat, amount, why |
| `d` | `dealt` | seat, cards |
| `t` | `trump_turned` | card |
| `p`, `q` | `played` face up, face down | seat, cards |
| `k` | `trick_taken` | seat, points? |
| `w` | `drew` | seat, cards |
| `o`, `n` | `opened`, `open_declined` | seat |
| `c` | `counted` | seat, points, cards? |
| `m` | `declared` | seat, combination, cards? |
| `f`, `y` | `folded`, `stayed` | seat |
| `x` | `discarded` | seat, cards |
| `g` | `pot_taken` | seat, amount |
| `a` | `stake_set` | amount, seat? |
| `b` | `pot_counted` | amount |
| `j` | `stack_counted` | seat, amount |
| `e` | `hand_ended` | reason |

Cards stand one after another, `ThKh`. Every other event, and one with a time, note, source, key or private field,
stands as its own object without `seq`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from schemas import events
from schemas.cards import SPELLING
from schemas.events import Event
from schemas.values import (
    Balance,
    CardText,
    Combination,
    Counts,
    HandNumber,
    Moved,
    Points,
    Reason,
    SeatNumber,
    Sha256,
    Why,
)

FORMAT: Final = "razbor-archive/1"
_MOST_KEPT: Final = 1 << 16
_FACES: Final[dict[str, str]] = {card: card for card in SPELLING}


class _Packed(dict[str, tuple[str, ...]]):
    """By packed text: the cards of it; `ValueError` where one is none."""

    def __missing__(self, text: str) -> tuple[str, ...]:
        if len(self) >= _MOST_KEPT:
            self.clear()
        pairs = [text[at : at + 2] for at in range(0, len(text), 2)]
        if not all(pair in _FACES for pair in pairs):
            raise ValueError(text)
        return self.setdefault(text, tuple(_FACES[pair] for pair in pairs))


_CARDS: Final = _Packed()


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of each recording in an archive: the form, and the digest of what it unpacks to."""

    archive: str
    digest: Sha256


class Short(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """An event without its number."""

    def whole(self, seq: int) -> Event:
        """The event as number `seq`; `ValueError` where a card is none."""
        raise NotImplementedError


class HandBegan(Short, frozen=True, tag="h"):
    """`h`: its number, its dealer."""

    hand: HandNumber
    dealer: SeatNumber

    def whole(self, seq: int) -> Event:
        return events.HandBegan(seq, hand=self.hand, dealer=self.dealer)


class Staked(Short, frozen=True, tag="s"):
    """`s`: a payment into the pot, in chips."""

    seat: SeatNumber
    amount: Moved
    why: Why

    def whole(self, seq: int) -> Event:
        return events.Staked(seq, seat=self.seat, amount=self.amount, why=self.why)


class Dealt(Short, frozen=True, tag="d"):
    """`d`: the seat's cards, packed: `ThKh`."""

    seat: SeatNumber
    cards: str

    def whole(self, seq: int) -> Event:
        return events.Dealt(seq, seat=self.seat, cards=_CARDS[self.cards])


class TrumpTurned(Short, frozen=True, tag="t"):
    """`t`: the turn-up."""

    card: CardText

    def whole(self, seq: int) -> Event:
        return events.TrumpTurned(seq, card=self.card)


class PlayedUp(Short, frozen=True, tag="p"):
    """`p`: cards laid face up."""

    seat: SeatNumber
    cards: str

    def whole(self, seq: int) -> Event:
        return events.Played(seq, seat=self.seat, cards=_CARDS[self.cards], face="up")


class PlayedDown(Short, frozen=True, tag="q"):
    """`q`: cards laid face down."""

    seat: SeatNumber
    cards: str

    def whole(self, seq: int) -> Event:
        return events.Played(seq, seat=self.seat, cards=_CARDS[self.cards], face="down")


class TrickTaken(Short, frozen=True, tag="k"):
    """`k`: the taker, and the card points where they were said."""

    seat: SeatNumber
    points: Points | None = None

    def whole(self, seq: int) -> Event:
        return events.TrickTaken(seq, seat=self.seat, points=self.points)


class Drew(Short, frozen=True, tag="w"):
    """`w`: the cards drawn."""

    seat: SeatNumber
    cards: str

    def whole(self, seq: int) -> Event:
        return events.Drew(seq, seat=self.seat, cards=_CARDS[self.cards])


class Opened(Short, frozen=True, tag="o"):
    """`o`: the seat opens its pile."""

    seat: SeatNumber

    def whole(self, seq: int) -> Event:
        return events.Opened(seq, seat=self.seat)


class OpenDeclined(Short, frozen=True, tag="n"):
    """`n`: the seat does not open."""

    seat: SeatNumber

    def whole(self, seq: int) -> Event:
        return events.OpenDeclined(seq, seat=self.seat)


class Counted(Short, frozen=True, tag="c"):
    """`c`: card points as said, and the faces of the pile where they were shown."""

    seat: SeatNumber
    points: Points
    cards: str | None = None

    def whole(self, seq: int) -> Event:
        cards = None if self.cards is None else _CARDS[self.cards]
        return events.Counted(seq, seat=self.seat, points=self.points, cards=cards)


class Declared(Short, frozen=True, tag="m"):
    """`m`: a combination, with its cards where they were shown."""

    seat: SeatNumber
    combination: Combination
    cards: str | None = None

    def whole(self, seq: int) -> Event:
        cards = None if self.cards is None else _CARDS[self.cards]
        return events.Declared(seq, seat=self.seat, combination=self.combination, cards=cards)


class Folded(Short, frozen=True, tag="f"):
    """`f`: the seat throws its cards in."""

    seat: SeatNumber

    def whole(self, seq: int) -> Event:
        return events.Folded(seq, seat=self.seat)


class Stayed(Short, frozen=True, tag="y"):
    """`y`: the seat plays."""

    seat: SeatNumber

    def whole(self, seq: int) -> Event:
        return events.Stayed(seq, seat=self.seat)


class Discarded(Short, frozen=True, tag="x"):
    """`x`: cards thrown away."""

    seat: SeatNumber
    cards: str

    def whole(self, seq: int) -> Event:
        return events.Discarded(seq, seat=self.seat, cards=_CARDS[self.cards])


class PotTaken(Short, frozen=True, tag="g"):
    """`g`: chips taken from the pot."""

    seat: SeatNumber
    amount: Moved

    def whole(self, seq: int) -> Event:
        return events.PotTaken(seq, seat=self.seat, amount=self.amount)


class StakeSet(Short, frozen=True, tag="a"):
    """`a`: the ante in chips, and the dealer who set it."""

    amount: Moved
    seat: SeatNumber | None = None

    def whole(self, seq: int) -> Event:
        return events.StakeSet(seq, amount=self.amount, seat=self.seat)


class PotCounted(Short, frozen=True, tag="b"):
    """`b`: the chips in the pot."""

    amount: Counts

    def whole(self, seq: int) -> Event:
        return events.PotCounted(seq, amount=self.amount)


class StackCounted(Short, frozen=True, tag="j"):
    """`j`: the seat's chips."""

    seat: SeatNumber
    amount: Balance

    def whole(self, seq: int) -> Event:
        return events.StackCounted(seq, seat=self.seat, amount=self.amount)


class HandEnded(Short, frozen=True, tag="e"):
    """`e`: why the hand is over."""

    reason: Reason

    def whole(self, seq: int) -> Event:
        return events.HandEnded(seq, reason=self.reason)


AnyShort = (
    HandBegan | Staked | Dealt | TrumpTurned | PlayedUp | PlayedDown | TrickTaken | Drew | Opened | OpenDeclined
    | Counted | Declared | Folded | Stayed | Discarded | PotTaken | StakeSet | PotCounted | StackCounted | HandEnded
)


class Hand(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A line: one hand with what follows it up to the next, or what stands before the first.

    `hash` is the SHA-256 in hex of the recording's canonical lines from its beginning to the end of this line; that of
    the last line is the digest.
    """

    hash: Sha256
    events: list[AnyShort | dict[str, Any]]


class PlainHand(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A line of short events only."""

    hash: Sha256
    events: list[AnyShort]


def shortened(event: Event) -> list[Any] | None:
    """The short array of an event whose time, note, source and key are not looked at; None where it has no code."""
    spell = _SPELL.get(type(event))
    return spell(event) if spell else None


def _text(cards: Sequence[str] | None) -> str | None:
    return None if cards is None else "".join(cards)


def _trimmed(*values: Any) -> list[Any]:
    """The values without the last, where that is not written."""
    return list(values if values[-1] is not None else values[:-1])


_SPELL: Final[Mapping[type, Callable[[Any], list[Any]]]] = {
    events.HandBegan: lambda event: ["h", event.hand, event.dealer],
    events.Staked: lambda event: ["s", event.seat, event.amount, event.why],
    events.Dealt: lambda event: ["d", event.seat, _text(event.cards)],
    events.TrumpTurned: lambda event: ["t", event.card],
    events.Played: lambda event: ["p" if event.face == "up" else "q", event.seat, _text(event.cards)],
    events.TrickTaken: lambda event: _trimmed("k", event.seat, event.points),
    events.Drew: lambda event: ["w", event.seat, _text(event.cards)],
    events.Opened: lambda event: ["o", event.seat],
    events.OpenDeclined: lambda event: ["n", event.seat],
    events.Counted: lambda event: _trimmed("c", event.seat, event.points, _text(event.cards)),
    events.Declared: lambda event: _trimmed("m", event.seat, event.combination, _text(event.cards)),
    events.Folded: lambda event: ["f", event.seat],
    events.Stayed: lambda event: ["y", event.seat],
    events.Discarded: lambda event: ["x", event.seat, _text(event.cards)],
    events.PotTaken: lambda event: ["g", event.seat, event.amount],
    events.StakeSet: lambda event: _trimmed("a", event.amount, event.seat),
    events.PotCounted: lambda event: ["b", event.amount],
    events.StackCounted: lambda event: ["j", event.seat, event.amount],
    events.HandEnded: lambda event: ["e", event.reason],
}
