"""Short Bura hands written by hand for tests: one line a word, numbered and laid out as a recording.

made("ante 1 10", "deal 1 As Ks Ts", "turn 6c", "up 1 As Ks Ts", "down 2 Td Qh 9h", ...)
"""

from typing import Any

from replay import desk
from tests.walks.bura import NAMES, Json, to_bytes

Codes = list[tuple[int, str]]


def _event(words: str) -> Json:  # noqa: C901, PLR0912 - one row a word
    kind, *rest = words.split()
    if kind in ("up", "down"):
        return {"type": "played", "seat": int(rest[0]), "cards": rest[1:], "face": kind}
    if kind in ("deal", "draw"):
        return {"type": {"deal": "dealt", "draw": "drew"}[kind], "seat": int(rest[0]), "cards": rest[1:]}
    if kind == "turn":
        return {"type": "trump_turned", "card": rest[0]}
    if kind == "lack":
        return {"type": "card_missing", "card": rest[0]}
    if kind in ("ante", "failed_open", "razburka", "debt", "raise", "bourre", "draw_fee"):
        return {"type": "staked", "seat": int(rest[0]), "amount": int(rest[1]), "why": kind}
    if kind in ("pot_taken", "stack_counted", "chips_bought"):
        return {"type": kind, "seat": int(rest[0]), "amount": int(rest[1])}
    if kind in ("bura", "three_aces", "molodka"):
        shown = {"cards": rest[1:]} if rest[1:] else {}
        return {"type": "declared", "seat": int(rest[0]), "combination": kind, **shown}
    if kind == "counted":
        shown = {"cards": rest[2:]} if rest[2:] else {}
        return {"type": kind, "seat": int(rest[0]), "points": int(rest[1]), **shown}
    if kind == "trick_taken":
        return {"type": kind, "seat": int(rest[0]), **({"points": int(rest[1])} if rest[1:] else {})}
    if kind == "scored":
        return {"type": kind, "seat": int(rest[0]), "points": int(rest[1])}
    if kind == "hand":
        return {"type": "hand_began", "hand": int(rest[0]), "dealer": int(rest[1])}
    if kind == "end":
        return {"type": "hand_ended", "reason": rest[0]}
    if kind in ("stake_set", "pot_counted"):
        return {"type": kind, "amount": int(rest[0])}
    if kind == "joined":
        return {"type": "player_joined", "seat": int(rest[0]), "name": rest[1]} | (
            {"stack": int(rest[2])} if rest[2:] else {}
        )
    if kind == "left":
        return {"type": "player_left", "seat": int(rest[0])}
    if kind == "raise_offered":
        return {"type": kind, "seat": int(rest[0]), "to": int(rest[1])}
    if kind == "revealed":
        return {"type": kind, "of": int(rest[0]), "cards": rest[1:]}
    if kind == "unseen":
        return {"type": kind}
    return {"type": kind, "seat": int(rest[0])}


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
