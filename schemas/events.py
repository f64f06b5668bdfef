"""Everything that can happen at a table, as frozen typed structs: facts, claims, evidence, amendments, comments.

`record.md` 3 gives the meaning of every type and field. The struct's tag is the wire's `type`; a field left at its
default is not written. Facts move the engine, claims are only compared with what the engine knows.
"""

from typing import Any, Final, Literal

import msgspec

from schemas.values import (
    Balance,
    CardText,
    Combination,
    Counts,
    Digits,
    Face,
    HandNumber,
    Key,
    Level,
    Moved,
    Name,
    Names,
    Number,
    Points,
    Reason,
    RulesChosen,
    Salt,
    SeatNumber,
    Sha256,
    Source,
    Testimony,
    Text,
    Time,
    Version,
    View,
    Why,
)


class Happening(
    msgspec.Struct, frozen=True, tag_field="type", omit_defaults=True, forbid_unknown_fields=True, gc=False
):
    """What every event carries: its number and, optionally, time, note, source and the client's own key."""

    seq: Number
    at: Time | None = None
    note: Text | None = None
    source: Source | None = None
    id: Key | None = None


class Fact(Happening, frozen=True):
    """Physically happened: cards or chips moved, words were spoken."""


class Claim(Happening, frozen=True):
    """What somebody concluded; recomputed and compared, never believed."""


class Evidence(Happening, frozen=True):
    """What a seat says it saw; never changes the state."""


class Comment(Happening, frozen=True):
    """Free text."""


class Amendment(Happening, frozen=True):
    """Changes how the log is read, never the log."""


class RecordingBegan(Fact, frozen=True, kw_only=True, tag="recording_began"):
    """Event 0: the game, its rules, who sits where; `stacks` and `pot` are chips from before the record."""

    format: Version
    game: Literal["bura", "bourre"]
    rules: RulesChosen
    seats: Names
    stacks: tuple[Counts, ...] | None = None
    pot: Counts | None = None
    unit: Text | None = None
    unit_digits: Digits | None = None
    view: View | None = None
    title: Text | None = None


class PlayerJoined(Fact, frozen=True, kw_only=True, tag="player_joined"):
    """Between hands somebody sits down on an empty seat, or on one more; `stack`: the chips brought."""

    seat: SeatNumber
    name: Name
    stack: Counts | None = None


class PlayerLeft(Fact, frozen=True, kw_only=True, tag="player_left"):
    """Somebody leaves for good; in mid-hand the seat keeps its rights and duties until the hand ends."""

    seat: SeatNumber


class SatOut(Fact, frozen=True, kw_only=True, tag="sat_out"):
    """The seat is not dealt to in this hand: no ante, no turn (after `hand_began`, before the deal)."""

    seat: SeatNumber


class Unseen(Fact, frozen=True, kw_only=True, tag="unseen"):
    """A stretch that nobody saw or wrote down: holdings, turn and pot are unknown until the next hand."""

    text: Text | None = None


class CardMissing(Fact, frozen=True, kw_only=True, tag="card_missing"):
    """A card is found lacking from the pack, for the rest of the recording."""

    card: CardText


class ChipsBought(Fact, frozen=True, kw_only=True, tag="chips_bought"):
    """Between hands the seat buys chips."""

    seat: SeatNumber
    amount: Moved


class StakeSet(Fact, frozen=True, kw_only=True, tag="stake_set"):
    """The ante, in chips, from now on; `seat`: the dealer who set it (Bourré), none where the table agreed on it."""

    amount: Moved
    seat: SeatNumber | None = None


class HandBegan(Fact, frozen=True, kw_only=True, tag="hand_began"):
    """A hand begins: its number and its dealer."""

    hand: HandNumber
    dealer: SeatNumber


class DeckCommitted(Fact, frozen=True, kw_only=True, tag="deck_committed"):
    """The SHA-256 of salt and pack, told before the deal."""

    commitment: Sha256


class DeckRevealed(Fact, frozen=True, kw_only=True, tag="deck_revealed"):
    """The whole pack: the cards dealt in dealing order, the turn-up, the stock in drawing order."""

    cards: tuple[CardText, ...]
    salt: Salt | None = None


class Staked(Fact, frozen=True, kw_only=True, tag="staked"):
    """Chips go from the seat into the pot (ставка, взнос)."""

    seat: SeatNumber
    amount: Moved
    why: Why


class Dealt(Fact, frozen=True, kw_only=True, tag="dealt"):
    """All cards dealt to one seat, in the order received."""

    seat: SeatNumber
    cards: tuple[CardText, ...]


class TrumpTurned(Fact, frozen=True, kw_only=True, tag="trump_turned"):
    """The turn-up: its suit is trump (козырь)."""

    card: CardText


class Played(Fact, frozen=True, kw_only=True, tag="played"):
    """Cards in the order laid; the first play of a trick is its lead (ход). In Bourré one card, face up."""

    seat: SeatNumber
    cards: tuple[CardText, ...]
    face: Face


class Drew(Fact, frozen=True, kw_only=True, tag="drew"):
    """The cards one seat drew, in drawing order."""

    seat: SeatNumber
    cards: tuple[CardText, ...]


class Revealed(Fact, frozen=True, kw_only=True, tag="revealed"):
    """The faces of the cards of event `of`, in their order."""

    of: Number
    cards: tuple[CardText, ...]


class PotTaken(Fact, frozen=True, kw_only=True, tag="pot_taken"):
    """Chips go from the pot to the seat."""

    seat: SeatNumber
    amount: Moved


class TrickTaken(Claim, frozen=True, kw_only=True, tag="trick_taken"):
    """Who took the trick (взятка), and its card points."""

    seat: SeatNumber
    points: Points | None = None


class PotCounted(Claim, frozen=True, kw_only=True, tag="pot_counted"):
    """The chips in the pot (кон) now."""

    amount: Counts


class StackCounted(Claim, frozen=True, kw_only=True, tag="stack_counted"):
    """The seat's chips now; its balance where nobody brought stacks."""

    seat: SeatNumber
    amount: Balance


class HandEnded(Claim, frozen=True, kw_only=True, tag="hand_ended"):
    """Why the hand is over; every hand has one."""

    reason: Reason


class RecordingEnded(Claim, frozen=True, kw_only=True, tag="recording_ended"):
    """The end; `events` is their number, this one included, what follows not."""

    events: Number


class Testified(Evidence, frozen=True, kw_only=True, tag="testified"):
    """The seat says that these were the cards of event `of`."""

    seat: SeatNumber
    of: Number
    cards: tuple[Testimony, ...]


class Noted(Comment, frozen=True, kw_only=True, tag="noted"):
    """Free text; of a seat where one is named."""

    text: Text
    seat: SeatNumber | None = None


class Corrected(Amendment, frozen=True, kw_only=True, tag="corrected"):
    """Event `of` is to be read as `event`, which bears no number, or is struck where there is none."""

    of: Number
    event: dict[str, Any] | None
    reason: Text
    agreed: tuple[SeatNumber, ...] | None = None


class Inserted(Amendment, frozen=True, kw_only=True, tag="inserted"):
    """After the event numbered `after` another one (without a number) was forgotten."""

    after: Number
    event: dict[str, Any]
    reason: Text
    agreed: tuple[SeatNumber, ...] | None = None


class Declared(Fact, frozen=True, kw_only=True, tag="declared"):
    """Bura: a combination is declared before the lead, with its cards where they were shown (`rules.md` 1.7)."""

    seat: SeatNumber
    combination: Combination
    cards: tuple[CardText, ...] | None = None


class Opened(Fact, frozen=True, kw_only=True, tag="opened"):
    """Bura: the seat opens its pile to be counted (вскрытие, `rules.md` 1.12)."""

    seat: SeatNumber


class Counted(Claim, frozen=True, kw_only=True, tag="counted"):
    """Bura: the card points of a pile as said aloud. `cards`, a fact: all its faces, in any order."""

    seat: SeatNumber
    points: Points
    cards: tuple[CardText, ...] | None = None


class OpenDeclined(Fact, frozen=True, kw_only=True, tag="open_declined"):
    """Bura: the right to open is not used."""

    seat: SeatNumber


class RaiseOffered(Fact, frozen=True, kw_only=True, tag="raise_offered"):
    """Bura: a raise to a level is offered (`rules.md` 2, `raise_ladder`)."""

    seat: SeatNumber
    to: Level


class RaiseAccepted(Fact, frozen=True, kw_only=True, tag="raise_accepted"):
    """Bura: the offer that stands is taken."""

    seat: SeatNumber


class RaiseDeclined(Fact, frozen=True, kw_only=True, tag="raise_declined"):
    """Bura: the offer is not taken; the hand is lost at the level before."""

    seat: SeatNumber


class Scored(Claim, frozen=True, kw_only=True, tag="scored"):
    """Bura: the match points of the hand go to the seat (`rules.md` 2, `scoring`)."""

    seat: SeatNumber
    points: Points


class Folded(Fact, frozen=True, kw_only=True, tag="folded"):
    """Bourré: the seat throws its cards in and loses its ante (`rules.md` 4.5)."""

    seat: SeatNumber


class Stayed(Fact, frozen=True, kw_only=True, tag="stayed"):
    """Bourré: the seat plays for the pot (`rules.md` 4.5)."""

    seat: SeatNumber


class Discarded(Fact, frozen=True, kw_only=True, tag="discarded"):
    """Bourré: cards thrown away before others are drawn (`rules.md` 4.5)."""

    seat: SeatNumber
    cards: tuple[CardText, ...]


class StockRecycled(Fact, frozen=True, kw_only=True, tag="stock_recycled"):
    """Bourré: cards thrown away became a new stock (`rules.md` 4.5); `cards`: its order."""

    cards: tuple[CardText, ...] | None = None


BothGames = (
    RecordingBegan | PlayerJoined | PlayerLeft | SatOut | Unseen | CardMissing | ChipsBought | StakeSet | HandBegan
    | DeckCommitted | DeckRevealed | Staked | Dealt | TrumpTurned | Played | Drew | Revealed | PotTaken | TrickTaken
    | PotCounted | StackCounted | HandEnded | RecordingEnded | Testified | Noted | Corrected | Inserted
)  # fmt: skip
BuraOnly = Declared | Opened | Counted | OpenDeclined | RaiseOffered | RaiseAccepted | RaiseDeclined | Scored
BourreOnly = Folded | Stayed | Discarded | StockRecycled
Event = BothGames | BuraOnly | BourreOnly

BOTH_TYPES: Final[tuple[type[Happening], ...]] = BothGames.__args__
BURA_TYPES: Final[tuple[type[Happening], ...]] = BuraOnly.__args__
BOURRE_TYPES: Final[tuple[type[Happening], ...]] = BourreOnly.__args__
"""The shapes of both games, of Bura alone and of Bourré alone."""


def type_of(event: Happening) -> str:
    """The wire's name of an event's type, such as `played`."""
    return str(event.__struct_config__.tag)


TYPES: Final[dict[str, type[Happening]]] = {
    str(shape.__struct_config__.tag): shape for shape in (*BOTH_TYPES, *BURA_TYPES, *BOURRE_TYPES)
}
"""By its wire name: the shape of each event type."""


class Recording(msgspec.Struct, frozen=True):
    """One evening as it was read: the events, their canonical lines, and what was on the wire of each.

    `lines[i]` is the canonical bytes of `events[i]` without the line end (private `x_...` fields kept); `digest` is
    the SHA-256 in hex of all lines, each ended by LF; `complete` says that `recording_ended` stands in it.
    """

    events: tuple[Event, ...]
    lines: tuple[bytes, ...]
    digest: str
    complete: bool

    @property
    def id(self) -> str:
        """The first 16 hex digits of the digest."""
        return self.digest[:16]

    @property
    def began(self) -> RecordingBegan:
        """The header, event 0."""
        first = self.events[0]
        assert isinstance(first, RecordingBegan)
        return first
