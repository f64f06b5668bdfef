"""Everything that can happen at a table, as frozen typed structs: facts, claims, evidence, amendments, comments.

`record.md` 3 gives the meaning of every type and field. The struct's tag is the wire's `type`; a field left at its
default is not written. Facts move the engine, claims are only compared with what the engine knows.
"""

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NewType

import msgspec

from schemas.cards import SPELLING

Seat = NewType("Seat", int)
"""A seat at the table, 1..n clockwise; seat 1 is the first name of the header."""
Chips = NewType("Chips", int)
"""An amount in the recording's smallest unit."""

GREATEST: Final = 2**53 - 1
"""The greatest integer a recording may hold, as the least is its negative (`record.md` 1)."""
FORMAT: Final = "razbor/1"
"""The one format this code knows."""
_ONE_CARD: Final = "[2-9TJQKA][shdc]"


def _form(name: str, **limits: Any) -> msgspec.Meta:
    return msgspec.Meta(extra={"form": name}, **limits)


# What the wire allows a value to be. `schemas.wire` builds its marshmallow fields from these, msgspec checks by them.
Number = Annotated[int, msgspec.Meta(ge=0, le=GREATEST)]
SeatNumber = Annotated[int, msgspec.Meta(ge=1, le=GREATEST)]
Moved = Annotated[int, msgspec.Meta(ge=1, le=GREATEST)]
Counts = Annotated[int, msgspec.Meta(ge=0, le=GREATEST)]
Balance = Annotated[int, msgspec.Meta(ge=-GREATEST, le=GREATEST)]
Digits = Annotated[int, msgspec.Meta(ge=0, le=9)]
Text = Annotated[str, _form("text", min_length=1, max_length=500)]
Name = Annotated[str, _form("name", min_length=1, max_length=40)]
Names = Annotated[tuple[Name, ...], _form("names", min_length=2, max_length=8)]
Time = Annotated[str, _form("time")]
Key = Annotated[str, _form("key", pattern="^[A-Za-z0-9._:-]{1,64}$")]
Version = Annotated[str, _form("version")]
Sha256 = Annotated[str, _form("sha256", pattern="^[0-9a-fA-F]{64}$")]
Salt = Annotated[str, _form("salt", pattern="^[0-9a-fA-F]*$")]
View = Annotated[str, _form("view", pattern="^(full|public|seat:[1-9][0-9]?)$")]
Preset = Annotated[str, _form("preset")]
Testimony = Annotated[str, _form("testimony", pattern=rf"^([2-9TJQKA?][shdc?]|{_ONE_CARD}(/{_ONE_CARD})+)$")]
if TYPE_CHECKING:
    CardText = str
else:
    CardText = Annotated[Literal[SPELLING], _form("card")]

Source = Literal["seen", "told", "inferred"]
Face = Literal["up", "down"]
Why = Literal["ante", "draw_fee", "failed_open", "razburka", "bourre", "raise", "debt"]
Combination = Literal["bura", "three_aces", "molodka"]
Reason = Literal[
    "opened",
    "failed_open",
    "bura",
    "razburka",
    "raise_declined",
    "most_tricks",
    "split",
    "carried",
    "sole_survivor",
    "misdeal",
    "abandoned",
]

BURA_REASONS: Final = ("opened", "failed_open", "bura", "razburka", "raise_declined", "misdeal", "abandoned")
BOURRE_REASONS: Final = ("most_tricks", "split", "carried", "sole_survivor", "misdeal", "abandoned")


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


class RulesChosen(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A preset with its version, and the options in which this table differs from it."""

    preset: Preset
    options: dict[str, Any] = {}


class RecordingBegan(Fact, frozen=True, kw_only=True, tag="recording_began"):
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
    seat: SeatNumber
    name: Name
    stack: Counts | None = None


class PlayerLeft(Fact, frozen=True, kw_only=True, tag="player_left"):
    seat: SeatNumber


class SatOut(Fact, frozen=True, kw_only=True, tag="sat_out"):
    seat: SeatNumber


class Unseen(Fact, frozen=True, kw_only=True, tag="unseen"):
    text: Text | None = None


class CardMissing(Fact, frozen=True, kw_only=True, tag="card_missing"):
    card: CardText


class ChipsBought(Fact, frozen=True, kw_only=True, tag="chips_bought"):
    seat: SeatNumber
    amount: Moved


class StakeSet(Fact, frozen=True, kw_only=True, tag="stake_set"):
    amount: Moved
    seat: SeatNumber | None = None


class HandBegan(Fact, frozen=True, kw_only=True, tag="hand_began"):
    hand: Moved
    dealer: SeatNumber


class DeckCommitted(Fact, frozen=True, kw_only=True, tag="deck_committed"):
    commitment: Sha256


class DeckRevealed(Fact, frozen=True, kw_only=True, tag="deck_revealed"):
    cards: tuple[CardText, ...]
    salt: Salt | None = None


class Staked(Fact, frozen=True, kw_only=True, tag="staked"):
    seat: SeatNumber
    amount: Moved
    why: Why


class Dealt(Fact, frozen=True, kw_only=True, tag="dealt"):
    seat: SeatNumber
    cards: tuple[CardText, ...]


class TrumpTurned(Fact, frozen=True, kw_only=True, tag="trump_turned"):
    card: CardText


class Played(Fact, frozen=True, kw_only=True, tag="played"):
    seat: SeatNumber
    cards: tuple[CardText, ...]
    face: Face


class Drew(Fact, frozen=True, kw_only=True, tag="drew"):
    seat: SeatNumber
    cards: tuple[CardText, ...]


class Revealed(Fact, frozen=True, kw_only=True, tag="revealed"):
    of: Number
    cards: tuple[CardText, ...]


class PotTaken(Fact, frozen=True, kw_only=True, tag="pot_taken"):
    seat: SeatNumber
    amount: Moved


class TrickTaken(Claim, frozen=True, kw_only=True, tag="trick_taken"):
    seat: SeatNumber
    points: Counts | None = None


class PotCounted(Claim, frozen=True, kw_only=True, tag="pot_counted"):
    amount: Counts


class StackCounted(Claim, frozen=True, kw_only=True, tag="stack_counted"):
    seat: SeatNumber
    amount: Balance


class HandEnded(Claim, frozen=True, kw_only=True, tag="hand_ended"):
    reason: Reason


class RecordingEnded(Claim, frozen=True, kw_only=True, tag="recording_ended"):
    events: Number


class Testified(Evidence, frozen=True, kw_only=True, tag="testified"):
    seat: SeatNumber
    of: Number
    cards: tuple[Testimony, ...]


class Noted(Comment, frozen=True, kw_only=True, tag="noted"):
    text: Text
    seat: SeatNumber | None = None


class Corrected(Amendment, frozen=True, kw_only=True, tag="corrected"):
    of: Number
    event: dict[str, Any] | None
    reason: Text
    agreed: tuple[SeatNumber, ...] | None = None


class Inserted(Amendment, frozen=True, kw_only=True, tag="inserted"):
    after: Number
    event: dict[str, Any]
    reason: Text
    agreed: tuple[SeatNumber, ...] | None = None


class Declared(Fact, frozen=True, kw_only=True, tag="declared"):
    seat: SeatNumber
    combination: Combination
    cards: tuple[CardText, ...] | None = None


class Opened(Fact, frozen=True, kw_only=True, tag="opened"):
    seat: SeatNumber


class Counted(Claim, frozen=True, kw_only=True, tag="counted"):
    seat: SeatNumber
    points: Counts
    cards: tuple[CardText, ...] | None = None


class OpenDeclined(Fact, frozen=True, kw_only=True, tag="open_declined"):
    seat: SeatNumber


class RaiseOffered(Fact, frozen=True, kw_only=True, tag="raise_offered"):
    seat: SeatNumber
    to: Moved


class RaiseAccepted(Fact, frozen=True, kw_only=True, tag="raise_accepted"):
    seat: SeatNumber


class RaiseDeclined(Fact, frozen=True, kw_only=True, tag="raise_declined"):
    seat: SeatNumber


class Scored(Claim, frozen=True, kw_only=True, tag="scored"):
    seat: SeatNumber
    points: Counts


class Folded(Fact, frozen=True, kw_only=True, tag="folded"):
    seat: SeatNumber


class Stayed(Fact, frozen=True, kw_only=True, tag="stayed"):
    seat: SeatNumber


class Discarded(Fact, frozen=True, kw_only=True, tag="discarded"):
    seat: SeatNumber
    cards: tuple[CardText, ...]


class StockRecycled(Fact, frozen=True, kw_only=True, tag="stock_recycled"):
    cards: tuple[CardText, ...] | None = None


BothGames = (
    RecordingBegan
    | PlayerJoined
    | PlayerLeft
    | SatOut
    | Unseen
    | CardMissing
    | ChipsBought
    | StakeSet
    | HandBegan
    | DeckCommitted
    | DeckRevealed
    | Staked
    | Dealt
    | TrumpTurned
    | Played
    | Drew
    | Revealed
    | PotTaken
    | TrickTaken
    | PotCounted
    | StackCounted
    | HandEnded
    | RecordingEnded
    | Testified
    | Noted
    | Corrected
    | Inserted
)
BuraOnly = Declared | Opened | Counted | OpenDeclined | RaiseOffered | RaiseAccepted | RaiseDeclined | Scored
BourreOnly = Folded | Stayed | Discarded | StockRecycled
Event = BothGames | BuraOnly | BourreOnly

BOTH_TYPES: Final[tuple[type[Happening], ...]] = BothGames.__args__
BURA_TYPES: Final[tuple[type[Happening], ...]] = BuraOnly.__args__
BOURRE_TYPES: Final[tuple[type[Happening], ...]] = BourreOnly.__args__


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
