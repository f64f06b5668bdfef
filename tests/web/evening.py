"""One invented evening: hand 4 of "Friday, Troika" (the pictures' hand), folded crudely for the pages' tests."""

import json
from collections.abc import Mapping
from typing import Any

from replay.views.sources import (
    HandSource,
    HandSpan,
    PileCard,
    PotTerm,
    RecordingHead,
    SeatView,
    SetView,
    TableView,
)

NAMES = {"ru": ("Анна", "Борис", "Вера"), "en": ("Anna", "Boris", "Vera"), "fr": ("Anna", "Boris", "Véra")}
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
ID = "7f3a91c05be2d408"
FIRST = 59

LINES = """
{"type":"hand_began","hand":4,"dealer":1}
{"type":"dealt","seat":2,"cards":["8d","7d","6d"]}
{"type":"dealt","seat":3,"cards":["9s","7c","8s"]}
{"type":"dealt","seat":1,"cards":["Qd","6s","8c"]}
{"type":"trump_turned","card":"7h"}
{"type":"played","seat":2,"cards":["8d"],"face":"up"}
{"type":"played","seat":3,"cards":["9s"],"face":"down"}
{"type":"played","seat":1,"cards":["Qd"],"face":"up"}
{"type":"trick_taken","seat":1,"points":3}
{"type":"drew","seat":1,"cards":["Jh"]}
{"type":"drew","seat":2,"cards":["Js"]}
{"type":"drew","seat":3,"cards":["9d"]}
{"type":"played","seat":1,"cards":["6s"],"face":"up"}
{"type":"played","seat":2,"cards":["Js"],"face":"down"}
{"type":"played","seat":3,"cards":["8s"],"face":"up"}
{"type":"trick_taken","seat":3,"points":2}
{"type":"drew","seat":3,"cards":["Td"]}
{"type":"drew","seat":1,"cards":["8h"]}
{"type":"drew","seat":2,"cards":["6h"]}
{"type":"played","seat":3,"cards":["7c"],"face":"up"}
{"type":"played","seat":1,"cards":["8c"],"face":"up"}
{"type":"played","seat":2,"cards":["6h"],"face":"up"}
{"type":"trick_taken","seat":2,"points":0}
{"type":"drew","seat":3,"cards":["Ks"]}
{"type":"drew","seat":2,"cards":["Ac"]}
{"type":"drew","seat":1,"cards":["9h"]}
{"type":"played","seat":2,"cards":["7d","6d"],"face":"up"}
{"type":"played","seat":3,"cards":["9d","Td"],"face":"up"}
{"type":"played","seat":1,"cards":["8h","9h"],"face":"up"}
{"type":"trick_taken","seat":1,"points":10}
{"type":"drew","seat":1,"cards":["Kc","9c"],"note":"Short pause, tea"}
{"type":"drew","seat":2,"cards":["Tc","Qh"]}
{"type":"drew","seat":3,"cards":["7s","Ad"]}
{"type":"played","seat":1,"cards":["Kc","9c"],"face":"up"}
{"type":"played","seat":2,"cards":["Ac","Tc"],"face":"up"}
{"type":"played","seat":3,"cards":["Ks","7s"],"face":"down"}
{"type":"trick_taken","seat":2}
{"type":"opened","seat":2}
{"type":"counted","seat":2,"points":31}
{"type":"pot_taken","seat":2,"amount":24}
{"type":"hand_ended","reason":"opened"}
"""


def events() -> list[dict[str, Any]]:
    """The hand's events with their numbers."""
    lines = [json.loads(line) for line in LINES.strip().splitlines()]
    return [{"seq": FIRST + n, **line} for n, line in enumerate(lines)]


def redacted(view: str) -> list[dict[str, Any]]:
    """What a view may see of them."""
    own = int(view[5:]) if view.startswith("seat:") else 0
    out = []
    for event in events():
        faced = event["type"] in ("dealt", "drew") or (event["type"] == "played" and event["face"] == "down")
        if view != "full" and faced and event["seat"] != own:
            out.append({**event, "cards": ["??"] * len(event["cards"])})
        elif view != "full" and event["type"] == "trick_taken":
            out.append({key: value for key, value in event.items() if key != "points"})
        else:
            out.append(event)
    return out


class Fold:
    """Just enough of a table to draw it."""

    def __init__(self) -> None:
        self.hands: dict[int, list[str]] = {1: [], 2: [], 3: []}
        self.piles: dict[int, list[PileCard]] = {1: [], 2: [], 3: []}
        self.stacks = {1: -24, 2: 0, 3: 0}
        self.sets: list[SetView] = []
        self.trick, self.stock, self.pot = 0, 36, 24
        self.winning: int | None = None
        self.turnup: str | None = None
        self.fresh = True

    def step(self, event: Mapping[str, Any]) -> None:
        kind, seat = event["type"], event.get("seat", 0)
        if kind in ("dealt", "drew"):
            self.hands[seat] += event["cards"]
            self.stock -= len(event["cards"])
            if kind == "drew":
                self.sets, self.winning = [], None
        elif kind == "trump_turned":
            self.turnup = event["card"]
        elif kind == "played":
            self.play(event)
        elif kind == "trick_taken":
            for one in self.sets:
                self.piles[seat] += [PileCard(card, self.trick, one.face == "down", one.seq) for card in one.cards]
            self.fresh = True
        elif kind == "pot_taken":
            self.stacks[seat] += event["amount"]
            self.pot -= event["amount"]

    def play(self, event: Mapping[str, Any]) -> None:
        seat, cards, down = event["seat"], event["cards"], event["face"] == "down"
        if self.fresh:
            self.sets, self.fresh, self.trick = [], False, self.trick + 1
        for card in cards:
            held = self.hands[seat]
            held.remove(card if card in held else "??")
        role = "led" if not self.sets else "thrown" if down else "beats"
        if role == "beats":
            self.sets = [
                SetView(one.seat, one.cards, one.face, "beaten" if one.role == "beats" else one.role, one.seq)
                for one in self.sets
            ]
        if role != "thrown":
            self.winning = seat
        self.sets.append(SetView(seat, tuple(cards), event["face"], role, event["seq"]))

    def seat(self, number: int, unseen: list[str]) -> SeatView:
        pile = self.piles[number]
        low = sum(POINTS.get(one.card[0], 0) for one in pile)
        hidden = sum(one.card == "??" for one in pile)
        worth = sorted((POINTS.get(card[0], 0) for card in unseen), reverse=True)
        high = low + sum(worth[:hidden])
        return SeatView(number, tuple(self.hands[number]), tuple(pile), low, high, 0, self.stacks[number])

    def view(self, event: Mapping[str, Any]) -> TableView:
        pack = [rank + suit for suit in "shdc" for rank in "ATKQJ9876"]
        seen = {card for held in self.hands.values() for card in held}
        seen |= {one.card for pile in self.piles.values() for one in pile} | {self.turnup or ""}
        unseen = [card for card in pack if card not in seen]
        return TableView(
            seq=event["seq"],
            hand=4,
            phase="play",
            dealer=1,
            trump=self.turnup[1] if self.turnup else None,
            turnup=self.turnup,
            turnup_place="under_stock" if self.turnup else None,
            stock=self.stock,
            pot=self.pot,
            acting=event.get("seat"),
            winning=self.winning,
            trick=self.trick,
            leader=2,
            sets=tuple(self.sets),
            seats=tuple(self.seat(number, unseen) for number in (1, 2, 3)),
        )


FINDINGS: tuple[dict[str, Any], ...] = (
    {"code": "table/wrong-turn", "severity": "error", "seq": 82, "hand": 4, "seat": 3, "recorded": 3, "expected": 2,
     "rule": "bura.13", "shaken": False},
    {"code": "table/points-miscounted", "severity": "error", "seq": 97, "hand": 4, "seat": 2, "recorded": 31,
     "expected": 29, "rule": "bura.12", "shaken": False},
    {"code": "bura/short-count", "severity": "error", "seq": 98, "hand": 4, "seat": 2, "recorded": 31, "expected": 29,
     "rule": "bura.12", "shaken": False},
    {"code": "table/carry-disputed", "severity": "note", "seq": 100, "hand": 5, "seat": 0, "recorded": 12,
     "expected": "lying", "rule": "report.1", "shaken": False},
    {"code": "table/unknown-card", "severity": "doubt", "seq": 183, "hand": 7, "seat": 1, "recorded": ["??"],
     "expected": None, "rule": "bura.10", "shaken": False},
)  # fmt: skip

SPANS = ((1, 2, 20), (2, 21, 34), (3, 35, 58), (4, 59, 99), (5, 100, 130), (6, 131, 160), (7, 161, 199), (8, 200, 215),
         (9, 216, 242))  # fmt: skip


def head(view: str, lang: str = "ru") -> RecordingHead:
    """The recording as that view knows it."""
    return RecordingHead(
        id=ID,
        title={"ru": "Пятница, «Тройка»", "en": "Friday, Troika club", "fr": "Vendredi, club Troïka"}[lang],
        game="bura",
        preset="bura/classic-36@1",
        options={"molodka_turn": "out_of_turn"},
        seats=NAMES[lang],
        view=view,
        views=("public", "seat:1", "seat:2", "seat:3", "full"),
        events=244,
        hands=tuple(HandSpan(*span) for span in SPANS),
        complete=True,
        date="2025-11-28",
    )


def hand_source(view: str, lang: str = "ru") -> HandSource:
    """Hand 4 in that view."""
    fold, tables = Fold(), []
    shown = redacted(view)
    for event in shown:
        fold.step(event)
        tables.append(fold.view(event))
    known = FINDINGS if view == "full" else FINDINGS[:1]
    carried = (
        PotTerm(12, "carried", 0, 58, 3),
        PotTerm(12, "failed_open", 1, 57, 3),
    )
    return HandSource(head(view, lang), 4, tuple(shown), tuple(tables), known, carried)


def report(view: str = "full") -> dict[str, Any]:
    """The recording's report, razbor-report/1."""
    rows: tuple[tuple[Any, ...], ...] = (
        (1, 3, "s", 0, 12, 0, "opened", [2], (-4, 8, -4)),
        (2, 2, "h", 0, 12, 0, "bura", [3], (-4, -4, 8)),
        (3, 3, "d", 0, 24, 24, "failed_open", [], (-16, -4, -4)),
        (4, 1, "h", 24, 48, 48, "failed_open", [], (0, -24, 0)),
        (5, 2, "c", 0, 12, 0, "opened", [3], (-4, -4, 8)),
        (6, 3, "s", 0, 24, 24, "razburka", [], (-8, -8, -8)),
        (7, 3, "d", 24, 24, 0, "opened", [1], (24, 0, 0)),
        (8, 1, "c", 0, 12, 0, "bura", [2], (-4, 8, -4)),
        (9, 2, "h", 0, 12, 0, "opened", [3], (-4, -4, 8)),
    )
    hands = []
    for hand, dealer, trump, before, pot, after, reason, takers, nets in rows:
        said = list(nets)
        if hand == 4:
            said[1] = 24
        seats = {
            str(n + 1): {"points": {"low": 0, "high": 0}, "net_recorded": said[n], "net_due": nets[n]} for n in range(3)
        }
        hands.append({"hand": hand, "dealer": dealer, "trump": trump, "pot_before": before, "pot": pot,
                      "pot_after": after, "reason": reason, "takers": takers, "tricks": [],
                      "seats": seats})  # fmt: skip
    return {
        "format": "razbor-report/1",
        "engine": "0.1.0",
        "recording": {"digest": ID * 4, "id": ID, "game": "bura", "rules": "bura/classic-36@1",
                      "options": {"molodka_turn": "out_of_turn"}, "rules_digest": "00" * 8, "view": view,
                      "events": 244, "hands": 9, "complete": True},
        "verdict": "refuted" if view == "full" else "undecided",
        "findings": list(FINDINGS if view == "full" else FINDINGS[:1]),
        "hands": hands,
        "balances": {"recorded": {"1": -20, "2": 16, "3": 4}, "due": {"1": -20, "2": -32, "3": 4}},
    }  # fmt: skip
