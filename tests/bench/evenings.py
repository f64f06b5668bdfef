"""Recordings as long as a measurement wants them: legal hands of both games, or those of a recorded case."""

import json
from typing import Any

from tests.check_cases import recording_path
from tests.engine.bourre import walks
from tests.walks import bura as bura_walks

# Three seats, three hands won by opening with an empty pot after each: the deal comes back to where it began.
CASE, SEATS = "bura/clean-04", 3
DROPPED = {"noted", "stack_counted"}
Json = dict[str, Any]


def canonical(event: Json) -> bytes:
    return json.dumps(event, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def evening(hands: int) -> bytes:
    """A clean Bura evening of so many hands, in canonical lines; balances are open, so no stack runs dry."""
    lines = recording_path(CASE).read_bytes().split(b"\n")
    events: list[Json] = [json.loads(line) for line in lines if line]
    header = {key: value for key, value in events[0].items() if key != "stacks"}
    stake = next(event for event in events if event["type"] == "stake_set")
    cycle = [_hand(events, number) for number in range(1, SEATS + 1)]
    told: list[Json] = [header, stake]
    for number in range(1, hands + 1):
        first, *rest = cycle[(number - 1) % SEATS]
        told += [{**first, "hand": number}, *rest]
    told.append({"type": "recording_ended", "events": len(told) + 1})
    return b"".join(canonical({**event, "seq": seq}) for seq, event in enumerate(told))


def bura(hands: int, seed: int = 5) -> bytes:
    """Legal hands of Bura, three at the table, every one different; nothing but what is played and paid."""
    calm = bura_walks.Habits(tells=0, opens=0.6, bluffs=0, moves=0, spoils=0, raises=0, commits=0, stacked=0)
    return bura_walks.to_bytes(bura_walks.evening(seed, seats=3, hands=hands, habits=calm))


def bourre(hands: int) -> bytes:
    """The same of Bourré, five at the table."""
    calm = walks.Habits(tells=0, moves=0, spoils=0, commits=0, strong=0)
    return bura_walks.to_bytes(walks.evening(5, seats=5, hands=hands, habits=calm))


def _hand(events: list[Json], number: int) -> list[Json]:
    began = next(at for at, event in enumerate(events) if event["type"] == "hand_began" and event["hand"] == number)
    ended = next(at for at, event in enumerate(events) if at > began and event["type"] == "hand_ended")
    return [_plain(event) for event in events[began : ended + 1] if event["type"] not in DROPPED]


def _plain(event: Json) -> Json:
    return {key: value for key, value in event.items() if key not in {"id", "at", "note"} and key[:2] != "x_"}
