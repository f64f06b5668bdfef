"""Every chip move of a recording: who paid whom, what was recorded beside what was due, what everybody had then."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from replay.views.sources import EventDict, Story

POT: Final = "pot"
BANK: Final = "bank"
_DIFFERS: Final = {
    "table/wrong-stake": "staked",
    "table/unexpected-stake": "staked",
    "table/overdrawn": "staked",
    "table/wrong-payout": "pot_taken",
    "table/unexpected-payout": "pot_taken",
}
_NOT_DUE: Final = ("table/unexpected-stake", "table/unexpected-payout")
_TAKEN: Final = "table/out-of-place"
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
    purses, pot, hand = _Purses(story), int(story.events[0].get("pot") or 0), 0
    stacks = purses.stacks
    found = _money(story.report)
    for event in story.events:
        kind, seat, seq = event["type"], int(event.get("seat") or 0), int(event["seq"])
        if kind == "hand_began":
            hand = int(event["hand"])
        elif kind in ("player_joined", "player_left"):
            purses.change(event)
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


def standing(story: Story) -> dict[int, Mapping[int, int]]:
    """By hand: what everybody had after its last move, as recorded; of a hand without one, what they had before."""
    have: Mapping[int, int] = _Purses(story).stacks
    after = {row.hand: dict(row.balances) for row in moves(story)}
    found: dict[int, Mapping[int, int]] = {}
    for event in story.events:
        if event["type"] == "hand_began":
            number = int(event["hand"])
            have = found[number] = after.get(number, have)
    return found


class _Purses:
    """What everybody has, by seat; the chips of a player who has left go with the name (`record.md` 3.1)."""

    def __init__(self, story: Story) -> None:
        began = story.events[0]
        self._names: dict[int, str] = dict(enumerate((str(name) for name in began.get("seats", ())), start=1))
        given = began.get("stacks") or [0] * len(self._names)
        self.stacks: dict[int, int] = dict(enumerate((int(one) for one in given), start=1))
        self._left: set[int] = set()
        self._away: dict[str, int] = {}
        self._refused = {
            int(one["seq"])
            for one in story.report["findings"]
            if one["code"] == _TAKEN and one["expected"] is not None
        }

    def change(self, event: EventDict) -> None:
        """Somebody leaves, or sits down where there is room."""
        seat = int(event["seat"])
        if event["type"] == "player_left":
            self._left.add(seat)
        elif int(event["seq"]) not in self._refused:
            name = str(event["name"])
            for old in [seat, *(one for one in self._left if self._names.get(one) == name)]:
                if old in self._names:
                    self._away[self._names.pop(old)] = self.stacks[old]
                    self.stacks[old] = 0
            self._left.discard(seat)
            self._names[seat] = name
            self.stacks[seat] = self._away.pop(name, 0) + int(event.get("stack") or 0)


def _standing(stacks: Mapping[int, int]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(stacks.items()))


def _money(report: Mapping[str, Any]) -> dict[tuple[int, int, str], int | None]:
    """By event, seat and kind: what was due where it differs or is not known, `lack:...` where nothing was paid."""
    out: dict[tuple[int, int, str], int | None] = {}
    for one in report["findings"]:
        seq, seat, code, due = int(one["seq"]), int(one["seat"] or 0), str(one["code"]), one["expected"]
        amount = due if isinstance(due, int) else None
        if code in _LACKS:
            out[seq, seat, f"lack:{_LACKS[code]}"] = amount
        elif code in _DIFFERS:
            out[seq, seat, _DIFFERS[code]] = 0 if code in _NOT_DUE else amount
        else:
            out |= {(seq, seat, _DIFFERS[each]): None for each in _doubted(one) if each in _DIFFERS}
    return out


def _doubted(finding: Mapping[str, Any]) -> list[str]:
    """The codes that a doubt leaves open."""
    if finding["code"] == "table/unknown-card":
        return [str(finding["recorded"])]
    said = finding["expected"]
    return list(map(str, said.values())) if isinstance(said, Mapping) else []


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
    return f"'{cell}" if cell.lstrip(" ").startswith(_FORMULA) else cell


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
