"""Settlements that a seat confirmed by its own link: an event of the recording, so that it stands in the receipt.

`record.md` has no type of its own for it. A confirmation is a `noted` of the seat whose `id` is `confirms:SEQ:...`, SEQ
being the event that ended the hand; it counts only where the header says that a link of this seat wrote it (`by`), and
proves no more than that: whoever makes a table's links has seen them. The rules of the game do not ask for it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

_ID: Final = re.compile(r"confirms:(0|[1-9][0-9]{0,8}):[A-Za-z0-9._-]+")
_ENDS: Final = "hand_ended"


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Event `seq`: the seat says that the settlement of a hand, ended by event `ended`, is right.

    `amended` is the first later amendment of that event or of one before it, None where there is none: what was
    confirmed then is not what stands now.
    """

    seq: int
    seat: int
    hand: int
    ended: int
    amended: int | None


class _Line(msgspec.Struct, frozen=True):
    type: str
    hand: int = 0
    seat: int = 0
    id: str = ""
    of: int = -1
    after: int = -1
    event: dict[str, Any] | None = None


_LINE: Final = msgspec.json.Decoder(_Line)


def event(seat: int, ended: int, text: str, chance: str) -> dict[str, Any]:
    """The confirmation to be written: of the hand that event `ended` closed, said in these words."""
    return {"type": "noted", "seat": seat, "text": text, "id": f"confirms:{ended}:{chance}"}


def settlements(lines: Sequence[bytes | None]) -> dict[int, int]:
    """By the event that ended it, in order: the number of each hand. A forgotten end that was inserted is one too."""
    return _ends(list(map(_read, lines)))


def confirmations(lines: Sequence[bytes | None], writers: Sequence[str]) -> tuple[Confirmation, ...]:
    """All that a recording holds: of each event its canonical line, None where it is withheld, and who wrote it."""
    read = list(map(_read, lines))
    ends = _ends(read)
    found = []
    for seq, (one, by) in enumerate(zip(read, writers, strict=True)):
        told = _ID.fullmatch(one.id) if one is not None and one.type == "noted" else None
        if one is None or told is None or by.partition("/")[0] != f"seat:{one.seat}":
            continue
        ended = int(told[1])
        if ended in ends and ended < seq:
            found.append(Confirmation(seq, one.seat, ends[ended], ended, _amended(read, seq, ended)))
    return tuple(found)


def _read(line: bytes | None) -> _Line | None:
    if line is None:
        return None
    try:
        return _LINE.decode(line)
    except msgspec.MsgspecError:
        return None


def _ends(read: Sequence[_Line | None]) -> dict[int, int]:
    ends, hand, hands = {}, 0, list[int]()
    for seq, one in enumerate(read):
        if one is not None and one.type == "hand_began":
            hand = one.hand
        hands.append(hand)
        if one is not None and one.type == _ENDS:
            ends[seq] = hand
        elif one is not None and one.type == "inserted" and (one.event or {}).get("type") == _ENDS:
            ends[seq] = hands[one.after] if 0 <= one.after < seq else hand
    return ends


def _amended(read: Sequence[_Line | None], seq: int, ended: int) -> int | None:
    return next(
        (
            later
            for later, one in enumerate(read)
            if later > seq and one is not None and one.type in ("corrected", "inserted") and _target(one) <= ended
        ),
        None,
    )


def _target(one: _Line) -> int:
    return one.of if one.type == "corrected" else one.after
