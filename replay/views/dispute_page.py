"""The page of a dispute and that of a case: frozen, each field documented; templates draw from these alone."""

from dataclasses import dataclass

from replay.views.parts import CardFace, FindingBox, Frame, Link, Tag
from replay.views.readings import ReadingsBox
from replay.views.wording import Sentence


@dataclass(frozen=True)
class Bound:
    """What one pile can hold: its span, `must` / `open` / `cannot`, the state's icon and word."""

    span: str
    state: str
    icon: str
    word: str


@dataclass(frozen=True)
class BoundsRow:
    """The piles at one trick's end, or at the event in dispute."""

    title: str
    event: Link
    bounds: tuple[Bound, ...]
    #: The event in dispute.
    strong: bool


@dataclass(frozen=True)
class ClockRow:
    """The three clocks of one seat in words."""

    name: str
    #: `from event 24`, or that it never had it.
    possibly: Sentence
    surely: Sentence
    entitled: Sentence
    opened: Sentence


@dataclass(frozen=True)
class Certificate:
    """The sum of one pile, checkable with a pencil."""

    title: str
    #: Cards that count, each with its worth; the last row may be several that count nothing.
    known: tuple[tuple[Sentence, str], ...]
    total: str
    #: `Face down #3 #4, laid by Vera: two of 18`, or nothing.
    hidden: Sentence
    #: What the unseen cards may be.
    unseen: Sentence
    #: `least 9♠ + 7♠` and what it sums to.
    least: tuple[Sentence, str]
    most: tuple[Sentence, str]
    span: str
    #: What makes the bounds wider than need be, or nothing.
    caveat: str
    #: How many placements of the unseen cards reach the target, or nothing; no proof, and not printed.
    placements: str = ""


@dataclass(frozen=True)
class CardChoice:
    """One unseen card of an event in the form of a testimony."""

    #: `#3`, or the place in the event.
    label: str
    #: Part of the names of its fields.
    name: str
    #: Set where the card is known and not asked for.
    known: str


@dataclass(frozen=True)
class WordForm:
    """A form for what one seat says of the cards of one event."""

    title: str
    seat: int
    of: int
    cards: tuple[CardChoice, ...]


@dataclass(frozen=True)
class Statement:
    """One testimony."""

    #: Where it was said, and of which event.
    source: Sentence
    #: The cards as they are drawn.
    faces: tuple[CardFace, ...]
    #: `#3 king of spades, 4`.
    lines: tuple[Sentence, ...]


@dataclass(frozen=True)
class WordBox:
    """What one seat said, and what follows if it is believed."""

    title: str
    statements: tuple[Statement, ...]
    #: `If believed: 29`, with its state.
    result: Sentence
    bound: Bound | None
    #: That something of it contradicts what is known and was left out, or nothing.
    contradicts: str
    believe: Link


@dataclass(frozen=True)
class RuleRow:
    """The result under one reading of the rules."""

    text: str
    #: Other single changes that come to the same.
    also: str
    #: `as agreed`, or that this is the smallest change that flips the result.
    tag: Tag | None
    taker: str
    #: By seat, as text.
    nets: tuple[str, ...]
    recorded: bool


@dataclass(frozen=True)
class DutyRow:
    """One play that had a duty (Bourré)."""

    event: Link
    name: str
    duty: str
    tag: Tag
    right: Sentence
    proof: Link | None


@dataclass(frozen=True)
class TrickRow:
    """One seat of a Bourré hand."""

    name: str
    tricks: str
    bourre: Tag
    share: str
    owes: str


@dataclass(frozen=True)
class CaseLink:
    """A case in a list."""

    link: Link
    claim: str
    state: Tag


@dataclass(frozen=True)
class Forms:
    """What this reader may add to a case kept beside the recording."""

    #: Where words go, and where a case is opened.
    words: str
    cases: str
    #: What goes along with either.
    kept: tuple[tuple[str, str], ...]
    word_forms: tuple[WordForm, ...]
    #: What the cards may be: spelling and name.
    choices: tuple[tuple[str, str], ...]
    #: Seats as (number, name, chosen).
    parties: tuple[tuple[int, str, bool], ...]
    claim: str


@dataclass(frozen=True)
class DisputePage:
    """One dispute: the claim, its answer, the proof, what is due."""

    frame: Frame
    hand: int
    at: int
    tag: Tag
    headline: str
    answer: Sentence
    #: Names of those who play, in the order of each row of `bounds`.
    seats: tuple[str, ...]
    words: tuple[WordBox, ...]
    #: Believed words that contradict each other or the record.
    contradictions: tuple[str, ...]
    findings: tuple[FindingBox, ...]
    #: What the table of rules asks, and its rows.
    rules_title: str
    rules: tuple[RuleRow, ...]
    #: Names of everybody at the table, in the order of `nets` of each rule.
    remedy_seats: tuple[str, ...]
    #: Options that change nothing here.
    unmoved: str
    rightful: Sentence
    remedy: tuple[str, ...]
    #: Who owes most: word and number, or nothing.
    debt: tuple[str, str] | None
    paid: tuple[Sentence, ...]
    #: Another reading of the log, what differs in it, or nothing.
    reading: tuple[str, Link] | None
    #: Another chain than the link was made for, amended since, or read without amendments.
    warnings: tuple[Sentence, ...]
    #: Where the hand comes out differently as recorded and as amended: what differs.
    readings: ReadingsBox | None
    cases: tuple[CaseLink, ...]
    case: Link | None
    forms: Forms | None
    step: Link
    under: str
    qr_path: str
    qr_size: int
    address: str
    #: Bura: what can be said of all seats together.
    joint: tuple[str, ...] = ()
    #: The chart for a desk and for a phone, or nothing.
    charts: tuple[str, str] | None = None
    bounds: tuple[BoundsRow, ...] = ()
    clocks: tuple[ClockRow, ...] = ()
    #: The pile in question first.
    certificates: tuple[Certificate, ...] = ()
    #: Whose word would settle it.
    settle: Sentence = ()
    #: Bourré: the seats; duties broken or open, and those kept.
    tricks: tuple[TrickRow, ...] = ()
    duties: tuple[DutyRow, ...] = ()
    duties_kept: tuple[DutyRow, ...] = ()
    kept_text: str = ""


@dataclass(frozen=True)
class Guess:
    """One hypothesis in a sentence, other values that would do, and what it leaves wrong."""

    text: Sentence
    also: Sentence
    left: str


@dataclass(frozen=True)
class FitPage:
    """What would make it fit at one event."""

    frame: Frame
    lead: str
    #: The codes found there.
    found: tuple[Link, ...]
    guesses: tuple[Guess, ...]
    #: Why there is none, or that the search was cut, or nothing.
    note: str
    step: Link


@dataclass(frozen=True)
class CaseStepBox:
    """One entry of a case in words."""

    at: str
    title: str
    text: Sentence


@dataclass(frozen=True)
class CasePage:
    """A case: the claim, the parties, what is quoted and said, the ruling."""

    frame: Frame
    number: int
    state: Tag
    claim: str
    under: str
    parties: tuple[str, ...]
    quoted: tuple[tuple[Link, Sentence], ...]
    words: tuple[Sentence, ...]
    #: Ruling, reason and who ruled; the last one that stands.
    ruling: tuple[str, str, str] | None
    steps: tuple[CaseStepBox, ...]
    dispute: Link
    #: Where entries are sent: quote, rule, withdraw; empty where the reader may not.
    acts: tuple[tuple[str, str], ...]
    #: How many entries the reader saw.
    version: int
    signs: tuple[str, ...]
    trouble: str
    qr_path: str
    qr_size: int
    address: str
