"""The boxes, lines and marks that pages are made of: frozen, each field documented."""

from dataclasses import dataclass

from replay.views.wording import Sentence


@dataclass(frozen=True)
class Link:
    """Something to go to."""

    text: str
    #: Empty where there is nothing to go to: drawn as text, or as a disabled button.
    href: str
    #: It is where the reader is.
    current: bool = False


@dataclass(frozen=True)
class Tag:
    """A statement: icon and word."""

    #: `ok`, `bad`, `dbt` or `quiet`.
    tone: str
    text: str
    #: The icon's name, or nothing.
    mark: str = ""


@dataclass(frozen=True)
class CardFace:
    """A card lying somewhere."""

    #: Symbol of the full face in the sheet (`Kc`, `back`).
    full: str
    #: Symbol of the small face (`sKc`, `back`).
    small: str
    #: Suit letter for its ink, `b` for a back, `n` where the suit is not known.
    suit: str
    #: What a screen reader says.
    name: str
    #: Number on the plate, 0 for none.
    label: int = 0
    #: It came, or was turned, in this very step.
    fresh: bool = False
    #: Where its moments are told, or nothing.
    href: str = ""


@dataclass(frozen=True)
class Track:
    """The points of a pile from least to greatest on a scale of 0 to 60; the project's own sign."""

    #: `25…47`.
    span: str
    #: `must`, `open` or `cannot`.
    state: str
    #: The state's word.
    word: str
    #: The icon that goes with it.
    icon: str
    #: Start and length of the bar and the place of the target's tick, in percent with one digit.
    x: str
    width: str
    tick: str
    #: A dot in place of a bar: the number is exact.
    exact: bool


@dataclass(frozen=True)
class PileTrick:
    """What a pile holds from one trick."""

    trick: int
    text: Sentence


@dataclass(frozen=True)
class SeatBox:
    """One seat at the table."""

    seat: int
    name: str
    #: It acts in this step.
    acting: bool
    #: The viewed seat.
    mine: bool
    #: What it does now, with its mark; `None` when it does nothing.
    act: Tag | None
    #: Quiet words: dealer, viewed, folded ...
    notes: tuple[str, ...]
    #: Word and number of its chips.
    stack_word: str
    stack: str
    cards: tuple[CardFace, ...]
    #: True for each card of the pile that lies face down, at most nine are drawn.
    slivers: tuple[bool, ...]
    #: `pile 9 cards`.
    pile: Sentence
    #: `#3 #4 face down`, or nothing.
    hidden: Sentence
    #: The pile by trick, for hover and focus.
    pile_tricks: tuple[PileTrick, ...]
    track: Track | None
    #: `2 tricks` where tricks are counted, or nothing.
    tricks: str
    #: Not playing this hand.
    out: bool


@dataclass(frozen=True)
class SetBox:
    """The cards of one seat in the trick on the table."""

    order: int
    act: str
    name: str
    cards: tuple[CardFace, ...]
    winning: bool
    #: `takes it as it stands`, `beaten again`, `faces seen only by Vera`.
    note: str
    #: It was laid in this very step.
    fresh: bool


@dataclass(frozen=True)
class StockBox:
    """The stock and the turn-up."""

    #: The turned card, if anyone may see it.
    turnup: CardFace | None
    #: It lies crosswise under the stock.
    under: bool
    stock: str
    #: `Trump 7♥ lies under it`.
    trump: Sentence
    #: Cards are left to draw, so a back is shown.
    back: bool = False


@dataclass(frozen=True)
class LogLine:
    """One event in the log of the hand."""

    seq: int
    href: str
    text: Sentence
    #: `past`, `now` or `next`.
    when: str
    #: Mark at the right end: `bad`, `dbt`, `note`, `opened`, `pot` or nothing.
    mark: str
    mark_name: str
    #: Who wrote it, where it was written live, and how the recorder knows, where that was said.
    how: str = ""


@dataclass(frozen=True)
class LogGroup:
    """The log lines of the deal, of one trick, or of the settlement."""

    title: str
    lines: tuple[LogLine, ...]


@dataclass(frozen=True)
class RailMark:
    """A mark above the slider. `x` is a percentage with one digit."""

    x: str
    mark: str
    name: str
    href: str
    count: int


@dataclass(frozen=True)
class RailTick:
    """Where a trick begins on the slider."""

    x: str
    text: str


@dataclass(frozen=True)
class Rail:
    """The slider: a range from the hand's first to its last event."""

    action: str
    kept: tuple[tuple[str, str], ...]
    first: int
    last: int
    at: int
    #: How much of it lies behind, percent.
    done: str
    #: `trick 5, event 96, Boris opens`.
    text: str
    ticks: tuple[RailTick, ...]
    marks: tuple[RailMark, ...]
    #: The same where the rail is short, on a phone.
    thin: tuple[RailMark, ...]
    #: `step 38 of 41`.
    step: str


@dataclass(frozen=True)
class Moves:
    """Where the buttons and keys lead; empty where there is nothing to go to."""

    first: str
    back_trick: str
    back: str
    next: str
    next_trick: str
    last: str
    back_hand: str
    next_hand: str
    #: Where `v`, `1`, `2`, `3`, `b`, `d` and `c` lead; `clean` is pinned to the chain where there is one.
    rotate: str
    public: str
    seat: str
    full: str
    blind: str
    dispute: str
    clean: str
    #: Next and previous opening, pot change, breach and note: `o O p P e E n N`.
    jumps: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Term:
    """A labelled line with a number at its right: in the reasons, in the ledger."""

    term: str
    text: Sentence
    total: str
    strong: bool = False


@dataclass(frozen=True)
class CountRow:
    """One card of a pile that is counted."""

    face: CardFace
    #: What it counts, a dash where nobody knows.
    value: str
    #: The sum so far, nothing before it is turned.
    sum: str
    #: Where it was played.
    href: str
    turned: bool


@dataclass(frozen=True)
class CountBox:
    """A pile counted card by card."""

    title: str
    rows: tuple[CountRow, ...]
    #: Said aloud, or nothing.
    said: str
    #: What it holds, as far as it is turned.
    due: str
    agrees: bool
    back: Link
    next: Link
    all: Link
    #: `card 3 of 9`.
    place: str


@dataclass(frozen=True)
class FindingBox:
    """One finding, in words."""

    #: `bad`, `dbt` or `note`.
    tone: str
    #: `Breach`, `In doubt`, `Note`.
    word: str
    title: Sentence
    text: Sentence
    #: `hand 4, event 82` and its address; no address where it has no event of a hand.
    where: Link
    code: str
    code_href: str
    #: Recorded and due, empty when there is no pair.
    recorded: Sentence
    due: Sentence
    rule: str
    rule_href: str
    shaken: bool
    seq: int
    hand: int
    #: What it is called among those beside it: event and code, and which of several.
    anchor: str = ""


@dataclass(frozen=True)
class Frame:
    """What every page has around it."""

    lang: str
    title: str
    #: The other languages of this very page.
    langs: tuple[Link, ...]
    #: Trail of places; the last one is here.
    crumbs: tuple[Link, ...] = ()
    #: Views the reader may choose from; the chosen one is current.
    views: tuple[Link, ...] = ()
    #: Seats to look from, folded under one of the views.
    seat_views: tuple[Link, ...] = ()
