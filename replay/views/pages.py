"""A frozen dataclass a page: templates draw from these alone, and so does each page's JSON twin."""

from dataclasses import dataclass
from typing import Final

from replay.views.parts import (
    CountBox,
    FindingBox,
    Frame,
    Link,
    LogGroup,
    Moves,
    Rail,
    SeatBox,
    SetBox,
    StockBox,
    Tag,
    Term,
)
from replay.views.readings import ReadingsBox
from replay.views.wording import Sentence


@dataclass(frozen=True)
class Chart:
    """A finished SVG drawing and the sentence that says what it shows."""

    svg: str
    text: str


@dataclass(frozen=True)
class Panes:
    """What stands beside the table: reasons, money, clocks, notes."""

    findings: tuple[FindingBox, ...]
    #: What the seat that plays could have laid.
    legal: tuple[Term, ...]
    #: The card asked after and its moments, or nothing.
    moments_title: Sentence
    moments: tuple[Term, ...]
    #: The opened pile, card by card.
    count: CountBox | None
    why: tuple[Term, ...]
    why_end: Sentence
    ledger: tuple[Term, ...]
    clocks: tuple[Term, ...]
    points_chart: Chart | None
    notes: tuple[Term, ...]


@dataclass(frozen=True)
class StepPage:
    """One step of one hand."""

    frame: Frame
    seq: int
    hand: int
    #: The step in one sentence: headline, title, live region.
    sentence: Sentence
    #: `after trick 5, before any draw`.
    aside: str
    #: `Event 96 of 243`, for the phone's bar; without the total in blind mode.
    where: str
    place: str
    status: tuple[Tag, ...]
    #: The last breach so far, linked, or nothing.
    last_breach: Sentence
    rules: Link
    #: Other seats, clockwise from the viewed one.
    others: tuple[SeatBox, ...]
    #: The seat at the bottom.
    mine: SeatBox
    sets: tuple[SetBox, ...]
    #: A word in place of the sets where nothing lies on the table.
    empty: str
    stock: StockBox | None
    #: What is played for, its word and how much: the pot, or the score of the match.
    pot_word: str
    pot: str
    pot_text: Sentence
    log: tuple[LogGroup, ...]
    log_filters: tuple[Link, ...]
    #: The hand's tricks on one line.
    strip: tuple[Link, ...]
    #: Amended since, another chain, read as recorded.
    warnings: tuple[Sentence, ...]
    #: The preset the reader chose to judge by, or nothing.
    lens: str
    #: The step as a still picture.
    picture: str
    #: The same step without names, or with them.
    names_link: str
    panes: Panes
    rail: Rail
    moves: Moves
    #: `of 243`, or nothing in blind mode.
    total: str
    #: Autoplay stops here: `opening`, `breach`, `settlement` or nothing.
    stop: str
    #: Where the remaining keys lead: name of the key, address.
    keys: tuple[tuple[str, str], ...]
    blind: bool
    recording: Link
    #: The whole hand as data for who steps in his browser, or nothing.
    steps: str = ""


@dataclass(frozen=True)
class Pair:
    """Recorded and due, as text; `recorded` is empty where they agree."""

    due: str
    recorded: str = ""


@dataclass(frozen=True)
class HandRow:
    """A hand in the table of hands."""

    hand: int
    href: str
    dealer: str
    #: Suit letter and its name, or nothing.
    trump: str
    trump_name: str
    before: str
    pot: str
    ended: str
    #: By seat: what it won or lost.
    nets: tuple[Pair, ...]
    #: The gravest mark (`bad`, `dbt`, `note` or nothing), its word and how many.
    mark: str
    mark_name: str
    count: int
    #: Where the hand's dispute is, or nothing.
    dispute: str
    #: The score of the match after it, where one is played.
    score: str = ""


@dataclass(frozen=True)
class MatchBox:
    """The score of a match."""

    #: By seat: name, match points, and whether they end the match.
    rows: tuple[tuple[str, str, bool], ...]
    #: To how many it goes, who reached that and when, what is not settled.
    text: tuple[str, ...]


@dataclass(frozen=True)
class BalanceRow:
    """What a seat has, as recorded and as due; of the pot only what it gets, or gives."""

    name: str
    recorded: str
    due: str
    owes: str
    #: They differ.
    strong: bool


@dataclass(frozen=True)
class LastHand:
    """One of the last hands: where it is, its stake, steps and pot, and what every seat had after it, as recorded."""

    hand: Link
    stake: str
    steps: str
    pot: str
    balances: tuple[str, ...]


_NOWHERE: Final = Link("", "")


@dataclass(frozen=True)
class RecordingPage:
    """Verdict, findings, hands and balances of one recording."""

    frame: Frame
    verdict: Tag
    headline: str
    lead: str
    #: Step through it; print it.
    step: Link
    counts: str = ""
    findings: tuple[FindingBox, ...] = ()
    seats: tuple[str, ...] = ()
    hands: tuple[HandRow, ...] = ()
    balances: tuple[BalanceRow, ...] = ()
    pot_chart: Chart | None = None
    report: Link = _NOWHERE
    download: Link = _NOWHERE
    ledger: Link = _NOWHERE
    blind_link: Link = _NOWHERE
    #: Rules, digest, number of events.
    facts: tuple[Term, ...] = ()
    last_hands: tuple[LastHand, ...] = ()
    #: The recording stored before with which it begins, and those that begin with it.
    continues: tuple[Link, ...] = ()
    continued: tuple[Link, ...] = ()
    #: Settlements that seats confirmed by their links, a sentence a hand.
    confirmed: tuple[str, ...] = ()
    #: Nothing is told but where to begin.
    blind: bool = False
    #: Where it was amended: its readings, and what differs.
    readings: ReadingsBox | None = None
    #: Where its names were erased: that this is so.
    erased: str = ""
    #: Where it is played for match points.
    match: MatchBox | None = None
    #: How many letters wide the table of hands is with a column a seat.
    breadth: int = 0
    #: A seat's sums need a line of their own.
    balances_long: bool = False


@dataclass(frozen=True)
class ReportPage:
    """The printable protocol of a recording, A4."""

    frame: Frame
    heading: str
    under: str
    verdict: Tag
    headline: str
    findings: tuple[FindingBox, ...]
    seats: tuple[str, ...]
    hands: tuple[HandRow, ...]
    balances: tuple[BalanceRow, ...]
    facts: tuple[Term, ...]
    #: QR code of the page's own address, an SVG path and its size.
    qr_path: str
    qr_size: int
    address: str
    back: Link
    readings: ReadingsBox | None = None
    erased: str = ""
    match: MatchBox | None = None
    breadth: int = 0
    balances_long: bool = False


@dataclass(frozen=True)
class ShelfItem:
    """A recording on the shelf."""

    title: Link
    game: str
    hands: str
    verdict: Tag
    text: str
    added: str
    replay: Link


@dataclass(frozen=True)
class UploadRow:
    """What became of one uploaded file."""

    name: str
    verdict: Tag
    text: str
    href: str
    #: The recording stored before with which it begins, or nothing.
    continues: Link = _NOWHERE


@dataclass(frozen=True)
class ProblemRow:
    """One reason a file was refused."""

    line: str
    title: str
    #: The source line around the wrong piece: before, wrong, after.
    before: str
    wrong: str
    after: str
    right: str
    code: str
    code_href: str
    field: str


@dataclass(frozen=True)
class RefusalBox:
    """A refused file with all its problems."""

    name: str
    verdict: Tag
    text: str
    problems: tuple[ProblemRow, ...]
    #: What it is and what to do, where it is no recording at all; nothing where it is one with flaws.
    hint: str = ""


@dataclass(frozen=True)
class ShelfPage:
    """The first page: upload and what lies on the shelf."""

    frame: Frame
    items: tuple[ShelfItem, ...]
    #: Filled after an upload.
    uploads: tuple[UploadRow, ...] = ()
    refusals: tuple[RefusalBox, ...] = ()
    #: Kept when an upload failed.
    pasted: str = ""
    limit: str = ""
    #: What is lacking, where nothing was given.
    message: str = ""
    #: The pages of older recordings and of the newest, where this is not the last or not the first.
    turns: tuple[Link, ...] = ()


@dataclass(frozen=True)
class RefusalPage:
    """An upload that could not be read: every problem by line, nothing stored."""

    frame: Frame
    refusals: tuple[RefusalBox, ...]
    #: Kept, so that nothing typed is lost.
    pasted: str
    limit: str


@dataclass(frozen=True)
class OptionValue:
    """One value of a house rule, what it means, and the presets that choose it."""

    value: str
    text: str
    presets: str


@dataclass(frozen=True)
class OptionRow:
    """One house rule."""

    #: Its own anchor: the name, behind that of its game where both games have such a rule.
    place: str
    name: str
    title: str
    text: str
    #: Its paragraph's anchor and name.
    anchor: str
    paragraph: str
    values: tuple[OptionValue, ...]


@dataclass(frozen=True)
class RulesPage:
    """Every paragraph and every option explained."""

    frame: Frame
    #: Game name, its paragraphs (anchor, number, text), its options.
    games: tuple[tuple[str, tuple[tuple[str, str, str], ...], tuple[OptionRow, ...]], ...]


@dataclass(frozen=True)
class CodeRow:
    """One finding or problem code, explained."""

    anchor: str
    code: str
    title: str
    text: str
    word: str


@dataclass(frozen=True)
class CodesPage:
    """Every code explained."""

    frame: Frame
    groups: tuple[tuple[str, tuple[CodeRow, ...]], ...]


@dataclass(frozen=True)
class NotationPage:
    """How a score sheet is written by hand: the text, and each meaning with its words."""

    frame: Frame
    text: str
    words: tuple[tuple[str, str], ...]
    #: The text as it is set: whether a block is an example, and its lines.
    blocks: tuple[tuple[bool, str], ...]


@dataclass(frozen=True)
class ErrorPage:
    """Something is not there, or may not be done."""

    frame: Frame
    code: int
    heading: str
    text: str
