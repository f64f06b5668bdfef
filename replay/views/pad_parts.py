"""The boxes of the recording pad: frozen, each field documented."""

from dataclasses import dataclass

from replay.views.parts import Frame, Link, Tag
from replay.views.wording import Sentence


@dataclass(frozen=True)
class Tap:
    """A button that records something as it stands."""

    text: Sentence
    #: The events as JSON, what the form sends.
    value: str
    #: The rules want this now.
    due: bool
    #: Where its paragraph is explained, or nothing.
    rule: Link


@dataclass(frozen=True)
class KeyCap:
    """One card of the pack, to be tapped."""

    spelling: str
    text: str
    name: str
    suit: str
    #: It lies elsewhere as far as the record knows; it can be recorded all the same.
    used: bool
    #: It is held, and laying it now breaks a rule.
    against: bool = False


@dataclass(frozen=True)
class Ask:
    """A form for one event that lacks cards or a number."""

    title: Sentence
    #: The fields that are known, as JSON.
    base: str
    #: `cards`, `points` or `amount`.
    asks: str
    least: int
    most: int
    #: `2 cards`, `1 to 3 cards`.
    count: str
    keys: tuple[KeyCap, ...]
    #: The buttons that end it: name and value of the field they add (`face`, `up`), and their words.
    ways: tuple[tuple[str, str, str], ...]
    rule: Link


@dataclass(frozen=True)
class SeatLine:
    """A seat in the strip at the top."""

    seat: int
    name: str
    #: What it has laid in this trick, or what it does now or later.
    text: Sentence
    now: bool
    #: Its chips.
    stack: str
    #: `folded`, `sits out`, or nothing.
    note: str


@dataclass(frozen=True)
class FoundLine:
    """A breach or a doubt, marked at once."""

    tag: Tag
    text: Sentence
    rule: Link


@dataclass(frozen=True)
class Written:
    """One event of the log, the newest first."""

    seq: int
    text: Sentence
    #: Who wrote it, and how he knows.
    by: str
    #: Where it is corrected, empty where this reader may not.
    correct: str
    #: What was found at it, each told once.
    found: tuple[FoundLine, ...]


@dataclass(frozen=True)
class HoldLine:
    """A settlement that is held, and its ruling."""

    text: str
    ruled: bool


@dataclass(frozen=True)
class PadPage:
    """The pad of one table as its scribe sees it."""

    frame: Frame
    key: str
    #: What the rules expect: the page's heading.
    heading: Sentence
    #: `Hand 4, trick 5`.
    place: str
    #: `pot 24 · stock 12 · trump 7♥`.
    facts: Sentence
    #: How sums are written into its forms, where they are read with decimals.
    sums: str
    #: `92 recorded`.
    counted: str
    version: int
    #: Events not yet confirmed by a next one, as JSON; empty where there are none.
    draft: str
    #: Them in words.
    drafted: tuple[Sentence, ...]
    #: A new id for what comes next.
    id: str
    seats: tuple[SeatLine, ...]
    taps: tuple[Tap, ...]
    #: Taps the rules allow beside those they want.
    others: tuple[Tap, ...]
    ask: Ask | None
    #: Other events that lack cards: their words, and what chooses their form.
    asks: tuple[Link, ...]
    found: tuple[FoundLine, ...]
    log: tuple[Written, ...]
    holds: tuple[HoldLine, ...]
    #: Settlements that seats confirmed by their links, a sentence a hand.
    confirmed: tuple[str, ...]
    #: A sentence that has to be said first, such as that another device wrote.
    notice: str
    ended: bool
    #: Event types that can be recorded by hand: value and word.
    kinds: tuple[tuple[str, str], ...]
    #: Seats to choose from: number and name.
    names: tuple[tuple[int, str], ...]
    watch: Link
    hands: Link
