"""Short Bura hands written by hand for tests: one line a word, numbered and laid out as a recording.

made("ante 1 10", "deal 1 As Ks Ts", "turn 6c", "up 1 As Ks Ts", "down 2 Td Qh 9h", ...)
"""

from collections.abc import Callable
from typing import Any

from recorder import intake
from replay import desk
from replay.audit.report import Audit
from schemas.events import Recording
from tests.walks.bura import NAMES, Json, to_bytes

Codes = list[tuple[int, str]]
Row = tuple[str, Callable[[list[str]], Json]]


def _cards(rest: list[str]) -> Json:
    return {"seat": int(rest[0]), "cards": rest[1:]}


def _amount(rest: list[str]) -> Json:
    return {"seat": int(rest[0]), "amount": int(rest[1])}


def _points(rest: list[str]) -> Json:
    return {"seat": int(rest[0])} | ({"points": int(rest[1])} if rest[1:] else {})


def _staked(why: str) -> Row:
    return "staked", lambda rest: {**_amount(rest), "why": why}


def _declared(combination: str) -> Row:
    return "declared", lambda rest: {
        "seat": int(rest[0]),
        "combination": combination,
        **({"cards": rest[1:]} if rest[1:] else {}),
    }


ROWS: dict[str, Row] = {
    "up": ("played", lambda rest: {**_cards(rest), "face": "up"}),
    "down": ("played", lambda rest: {**_cards(rest), "face": "down"}),
    "deal": ("dealt", _cards),
    "draw": ("drew", _cards),
    "turn": ("trump_turned", lambda rest: {"card": rest[0]}),
    "lack": ("card_missing", lambda rest: {"card": rest[0]}),
    **{why: _staked(why) for why in ("ante", "failed_open", "razburka", "debt", "raise", "bourre", "draw_fee")},
    **{kind: (kind, _amount) for kind in ("pot_taken", "stack_counted", "chips_bought")},
    **{kind: _declared(kind) for kind in ("bura", "three_aces", "molodka")},
    "counted": ("counted", lambda rest: {**_points(rest[:2]), **({"cards": rest[2:]} if rest[2:] else {})}),
    "trick_taken": ("trick_taken", _points),
    "scored": ("scored", _points),
    "hand": ("hand_began", lambda rest: {"hand": int(rest[0]), "dealer": int(rest[1])}),
    "end": ("hand_ended", lambda rest: {"reason": rest[0]}),
    "stake_set": ("stake_set", lambda rest: {"amount": int(rest[0])}),
    "pot_counted": ("pot_counted", lambda rest: {"amount": int(rest[0])}),
    "joined": (
        "player_joined",
        lambda rest: {"seat": int(rest[0]), "name": rest[1]} | ({"stack": int(rest[2])} if rest[2:] else {}),
    ),
    "left": ("player_left", lambda rest: {"seat": int(rest[0])}),
    "raise_offered": ("raise_offered", lambda rest: {"seat": int(rest[0]), "to": int(rest[1])}),
    "revealed": ("revealed", lambda rest: {"of": int(rest[0]), "cards": rest[1:]}),
    "unseen": ("unseen", lambda rest: {}),
}
"""By first word: the event's type, and its fields from the words that follow. Any other word is a type of a seat."""


def _event(words: str) -> Json:
    kind, *rest = words.split()
    name, fields = ROWS.get(kind, (kind, lambda rest: {"seat": int(rest[0])}))
    return {"type": name, **fields(rest)}


def made(
    *lines: str | Json,
    seats: int = 2,
    options: Json | None = None,
    preset: str = "bura/classic-36@1",
    closed: bool = True,
    **header: Any,
) -> list[Json]:
    """A recording of these lines; the event of line i (counted from 1) has seq i."""
    given = {"molodka_turn": "out_of_turn", **(options or {})}
    began = {"format": "razbor/1", "game": "bura", "rules": {"preset": preset, "options": given}}
    events: list[Json] = [{"seq": 0, "type": "recording_began", **began, "seats": list(NAMES[:seats]), **header}]
    for line in lines:
        event = _event(line) if isinstance(line, str) else line
        events.append({"seq": len(events), **event})
    if closed:
        events.append({"seq": len(events), "type": "recording_ended", "events": len(events) + 1})
    return events


def verified(*lines: str | Json, **how: Any) -> Json:
    """The report of these lines in the amended reading (`reading=`, `view=`)."""
    asked = {name: how.pop(name) for name in ("reading", "view") if name in how}
    report = desk.verify(to_bytes(made(*lines, **how)), **asked)
    assert report["format"] == "razbor-report/1", report
    return report


def audited(*lines: str | Json, **how: Any) -> Audit:
    """What these lines come to: findings and the result of each hand."""
    recording = intake.read(to_bytes(made(*lines, **how)))
    assert isinstance(recording, Recording)
    return desk.judge(recording)


def told(report: Json, severity: str = "error") -> Codes:
    """Seq and code, without the game's name, of the findings of one severity."""
    return [
        (finding["seq"], finding["code"].partition("/")[2])
        for finding in report["findings"]
        if finding["severity"] == severity
    ]


START = ("stake_set 10", "hand 1 2", "ante 1 10", "ante 2 10")
"""Two seats, seat 2 deals: the next line has seq 5."""
START3 = ("stake_set 10", "hand 1 3", "ante 1 10", "ante 2 10", "ante 3 10")
"""Three seats, seat 3 deals: the next line has seq 6."""
TAKES = ("pot_taken 1 20", "end opened")
