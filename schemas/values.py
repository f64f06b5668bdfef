"""What a value of an event may be (`record.md` 2): checked by msgspec, and the source of the marshmallow fields."""

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


Number = Annotated[int, msgspec.Meta(ge=0, le=GREATEST)]
"""The number of an event (`seq`), or how many there are."""
SeatNumber = Annotated[Seat, msgspec.Meta(ge=1, le=GREATEST)]
"""A seat, counted from 1."""
HandNumber = Annotated[int, msgspec.Meta(ge=1, le=GREATEST)]
"""A hand of the recording, counted from 1."""
Level = Annotated[int, msgspec.Meta(ge=1, le=GREATEST)]
"""A level of the raise ladder (`rules.md` 2, `to_6`)."""
Moved = Annotated[Chips, msgspec.Meta(ge=1, le=GREATEST)]
"""Chips that move, or are to be staked."""
Counts = Annotated[int, msgspec.Meta(ge=0, le=GREATEST)]
"""Chips that lie there, as counted."""
Points = Annotated[int, msgspec.Meta(ge=0, le=GREATEST)]
"""Card points of a trick or pile, or match points (`rules.md` 1.2, 2)."""
Balance = Annotated[int, msgspec.Meta(ge=-GREATEST, le=GREATEST)]
"""Chips of a seat, below 0 where balances are open."""
Digits = Annotated[int, msgspec.Meta(ge=0, le=9)]
"""How many decimals the unit has."""
Text = Annotated[str, _form("text", min_length=1, max_length=500)]
Name = Annotated[str, _form("name", min_length=1, max_length=40)]
Names = Annotated[tuple[Name, ...], _form("names", min_length=2, max_length=8)]
Time = Annotated[str, _form("time")]
"""RFC 3339 with an offset; tells nothing about the order."""
Key = Annotated[str, _form("key", pattern="^[A-Za-z0-9._:-]{1,64}$")]
"""The client's own name of an event."""
Version = Annotated[str, _form("version")]
Sha256 = Annotated[str, _form("sha256", pattern="^[0-9a-fA-F]{64}$")]
Salt = Annotated[str, _form("salt", pattern="^[0-9a-fA-F]*$")]
View = Annotated[str, _form("view", pattern="^(full|public|seat:[1-9][0-9]?)$")]
Preset = Annotated[str, _form("preset")]
"""A preset of house rules with its version, such as `bura/classic-36@1`."""
Testimony = Annotated[str, _form("testimony", pattern=rf"^([2-9TJQKA?][shdc?]|{_ONE_CARD}(/{_ONE_CARD})+)$")]
"""A card, or known candidates for it: `Td/Ks`."""
if TYPE_CHECKING:
    CardText = str
else:
    CardText = Annotated[Literal[SPELLING], _form("card")]
"""A card as it is spelled, `Th`; `??`, `?s` or `T?` where it was not seen, or half seen."""

Source = Literal["seen", "told", "inferred"]
"""How the recorder knows of an event."""
Face = Literal["up", "down"]
Why = Literal["ante", "draw_fee", "failed_open", "razburka", "bourre", "raise", "debt"]
"""What a payment into the pot is for."""
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
"""Why a hand ended."""

BURA_REASONS: Final = ("opened", "failed_open", "bura", "razburka", "raise_declined", "misdeal", "abandoned")
BOURRE_REASONS: Final = ("most_tricks", "split", "carried", "sole_survivor", "misdeal", "abandoned")
"""The reasons that a hand of either game may end for."""


class RulesChosen(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A preset with its version, and the options in which this table differs from it."""

    preset: Preset
    options: dict[str, Any] = {}
