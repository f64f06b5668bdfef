"""Every chip move of a recording: who paid whom, what was recorded beside what was due, what everybody had then."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from replay.views.sources import EventDict, Story

POT: Final = "pot"
BANK: Final = "bank"
_DIFFERS: Final = frozenset(
    {"table/wrong-stake", "table/unexpected-stake", "table/wrong-payout", "table/unexpected-payout"}
)
_LACKS: Final = {"table/missing-stake": "staked", "table/missing-payout": "pot_taken"}
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")


@dataclass(frozen=True)
class Move:
    """One move of chips, or one that was due and is not on record."""

    hand: int
    seq: int
    #: A seat's number, `pot` or `bank`.
    source: int | str
    target: int | str
    why: str
    #: `None` where it is not on record.
    recorded: int | None
    #: `None` where nobody knows.
    due: int | None
    pot: int
    #: By seat, after the move as recorded.
    balances: tuple[tuple[int, int], ...]


def moves(story: Story) -> Iterator[Move]:
    """All moves in order; a stake that lacks stands at the event where it was missed."""
    stacks, pot, hand = _beginning(story)
    found = _money(story.report)
    for event in story.events:
        kind, seat, seq = event["type"], int(event.get("seat") or 0), int(event["seq"])
        if kind == "hand_began":
            hand = int(event["hand"])
        elif kind == "player_joined":
            stacks[seat] = int(event.get("stack") or stacks.get(seat, 0))
        amount = int(event.get("amount") or 0)
        if kind in ("staked", "pot_taken", "chips_bought"):
            gain = -amount if kind == "staked" else amount
            stacks[seat] = stacks.get(seat, 0) + gain
            pot -= gain if kind != "chips_bought" else 0
            source: int | str = {"pot_taken": POT, "chips_bought": BANK}.get(kind, seat)
            due = found.pop((seq, seat, kind), amount)
            why = str(event.get("why") or kind)
            yield Move(hand, seq, source, POT if kind == "staked" else seat, why, amount, due, pot, _standing(stacks))
        for lacking in [key for key in found if key[0] == seq and key[2].startswith("lack:")]:
            due, owing = found.pop(lacking), lacking[1]
            paid = lacking[2] == "lack:staked"
            ends = (owing, POT) if paid else (POT, owing)
            yield Move(hand, seq, ends[0], ends[1], "missing", None, due, pot, _standing(stacks))


def _beginning(story: Story) -> tuple[dict[int, int], int, int]:
    began = story.events[0]
    given = began.get("stacks") or [0] * len(began.get("seats", ()))
    return dict(enumerate((int(one) for one in given), start=1)), int(began.get("pot") or 0), 0


def _standing(stacks: Mapping[int, int]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(stacks.items()))


def _money(report: Mapping[str, Any]) -> dict[tuple[int, int, str], int | None]:
    """By event, seat and kind: what was due where it differs, `lack:...` where nothing was paid."""
    out: dict[tuple[int, int, str], int | None] = {}
    for one in report["findings"]:
        seq, seat, code, due = int(one["seq"]), int(one["seat"] or 0), str(one["code"]), one["expected"]
        amount = due if isinstance(due, int) else None
        if code in _LACKS:
            out[seq, seat, f"lack:{_LACKS[code]}"] = amount
        elif code in _DIFFERS:
            kind = "staked" if code.endswith("stake") else "pot_taken"
            out[seq, seat, kind] = 0 if due is None else amount
    return out


def stake_of(events: tuple[EventDict, ...], hand: int) -> int | None:
    """The ante of a hand as it was paid, or `None` where none was."""
    here = 0
    for event in events:
        here = int(event["hand"]) if event["type"] == "hand_began" else here
        if here == hand and event["type"] == "staked" and event.get("why") == "ante":
            return int(event["amount"])
    return None


def safe(cell: str) -> str:
    """A cell no spreadsheet takes for a formula.

    >>> safe("=1+1"), safe("Anna")
    ("'=1+1", 'Anna')
    """
    return f"'{cell}" if cell.lstrip(" ").startswith(_FORMULA) or cell[:1] in ("\t", "\r", "\n") else cell


def as_csv(story: Story, name: Callable[[int], str]) -> str:
    """The moves as RFC 4180 text; unknown amounts are empty."""
    rows = list(moves(story))
    seats = sorted({seat for row in rows for seat, _ in row.balances})
    head = ["hand", "seq", "from", "to", "why", "recorded", "due", "pot", *(safe(name(seat)) for seat in seats)]
    lines = [_line(head)]
    for row in rows:
        ends = [safe(name(one)) if isinstance(one, int) else one for one in (row.source, row.target)]
        standing = dict(row.balances)
        numbers = ["" if one is None else one for one in (row.recorded, row.due)]
        have = [standing.get(seat, "") for seat in seats]
        lines.append(_line([row.hand, row.seq, *ends, row.why, *numbers, row.pot, *have]))
    return "".join(lines)


def _line(cells: Sequence[int | str]) -> str:
    return ",".join(_quoted(str(cell)) for cell in cells) + "\r\n"


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if any(sign in cell for sign in ',"\r\n') else cell
