"""What each event's line on a score sheet holds, in order; reader and writer both go by it."""

from typing import Final, NamedTuple

SIGNATURE: Final = "razbor-sheet/"
"""How a sheet begins, before the number of its version and the letters it is written in."""
VERSION: Final = "1"
NUMBER: Final = r"-?(0|[1-9][0-9]*)"


class Slot(NamedTuple):
    """One place on an event's line: the field that stands there, and what it looks like.

    `choice:TABLE` is a word of that table, `filler` a word that may be left out and means nothing.
    """

    field: str
    looks: str
    optional: bool = False


SEAT: Final = Slot("seat", "seat")
CARDS: Final = Slot("cards", "cards")
_AMOUNT: Final = Slot("amount", "number")
_OF: Final = Slot("of", "event")
_REASON: Final = Slot("reason", "text")

SLOTS: Final[dict[str, tuple[Slot, ...]]] = {
    "player_joined": (SEAT, Slot("name", "text"), Slot("stack", "number", optional=True)),
    "player_left": (SEAT,),
    "sat_out": (SEAT,),
    "unseen": (Slot("text", "text", optional=True),),
    "card_missing": (Slot("card", "card"),),
    "chips_bought": (SEAT, _AMOUNT),
    "stake_set": (_AMOUNT, Slot("seat", "seat", optional=True)),
    "hand_began": (Slot("hand", "number"), Slot("dealer", "filler"), Slot("dealer", "seat")),
    "deck_committed": (Slot("commitment", "letters"),),
    "deck_revealed": (CARDS,),
    "staked": (SEAT, _AMOUNT),
    "dealt": (SEAT, CARDS),
    "trump_turned": (Slot("card", "card"),),
    "played": (SEAT, Slot("cards", "faced")),
    "drew": (SEAT, CARDS),
    "revealed": (_OF, CARDS),
    "pot_taken": (SEAT, _AMOUNT),
    "trick_taken": (SEAT, Slot("points", "number", optional=True)),
    "pot_counted": (_AMOUNT,),
    "stack_counted": (SEAT, _AMOUNT),
    "hand_ended": (Slot("reason", "choice:reason"),),
    "recording_ended": (Slot("events", "number", optional=True),),
    "testified": (SEAT, Slot("of", "filler"), _OF, CARDS),
    "noted": (Slot("text", "text"), Slot("seat", "seat", optional=True)),
    "corrected": (_OF, _REASON),
    "inserted": (Slot("after", "event"), _REASON),
    "declared": (SEAT, Slot("combination", "choice:combination"), Slot("cards", "cards", optional=True)),
    "opened": (SEAT,),
    "counted": (SEAT, Slot("points", "number"), Slot("cards", "cards", optional=True)),
    "open_declined": (SEAT,),
    "raise_offered": (SEAT, Slot("to", "number")),
    "raise_accepted": (SEAT,),
    "raise_declined": (SEAT,),
    "scored": (SEAT, Slot("points", "number")),
    "folded": (SEAT,),
    "stayed": (SEAT,),
    "discarded": (SEAT, CARDS),
    "stock_recycled": (Slot("cards", "cards", optional=True),),
}
"""By the event's type: its places. `staked` is known by its reason; `played` and `trick_taken` do without a word."""

HEADER: Final[dict[str, str]] = {
    "game": "choice:game",
    "rules": "rules",
    "seats": "names",
    "stacks": "numbers",
    "pot": "number",
    "unit": "text",
    "unit_digits": "number",
    "view": "letters",
    "title": "text",
}
"""The lines of a sheet's head, each the field of `recording_began` it gives, and what it looks like."""
