"""The ledger: every move once, what was due beside it, nothing a spreadsheet would take for a formula."""

from typing import Any

import pytest

from replay.views.ledger import as_csv, moves, safe
from replay.views.sources import Story
from tests.web import evening

BEGAN = {"seq": 0, "type": "recording_began", "seats": ["=1+1", "Boris, K.", "-2"], "stacks": [100, 100, 100], "pot": 4}
EVENTS: list[dict[str, Any]] = [
    BEGAN,
    {"seq": 1, "type": "hand_began", "hand": 1, "dealer": 1},
    {"seq": 2, "type": "staked", "seat": 1, "amount": 4, "why": "ante"},
    {"seq": 3, "type": "staked", "seat": 2, "amount": 5, "why": "ante"},
    {"seq": 4, "type": "trump_turned", "card": "7h"},
    {"seq": 5, "type": "chips_bought", "seat": 3, "amount": 50},
    {"seq": 6, "type": "pot_taken", "seat": 2, "amount": 13},
]


def finding(code: str, seq: int, seat: int, expected: int | None) -> dict[str, Any]:
    return {"code": code, "seq": seq, "seat": seat, "expected": expected, "hand": 1, "severity": "error"}


@pytest.fixture
def story() -> Story:
    found = [finding("table/wrong-stake", 3, 2, 4), finding("table/missing-stake", 4, 3, 4),
             finding("table/unexpected-payout", 6, 2, None)]  # fmt: skip
    return Story(evening.head("full"), tuple(EVENTS), {"findings": found})


def test_each_move_stands_once_with_what_was_due(story: Story) -> None:
    rows = [(row.seq, row.source, row.target, row.recorded, row.due, row.pot) for row in moves(story)]
    assert rows == [
        (2, 1, "pot", 4, 4, 8),
        (3, 2, "pot", 5, 4, 13),
        (4, 3, "pot", None, 4, 13),
        (5, "bank", 3, 50, 50, 13),
        (6, "pot", 2, 13, 0, 0),
    ]


def test_chips_neither_come_nor_go_but_by_the_bank(story: Story) -> None:
    for row in moves(story):
        bought = 50 if row.seq >= 5 else 0
        assert row.pot + sum(chips for _, chips in row.balances) == 304 + bought


def test_the_table_is_safe_to_open(story: Story) -> None:
    names = BEGAN["seats"]
    assert isinstance(names, list)
    text = as_csv(story, lambda seat: str(names[seat - 1]))
    lines = text.split("\r\n")
    assert lines[0] == "hand,seq,from,to,why,recorded,due,pot,'=1+1,\"Boris, K.\",'-2"
    assert lines[1] == "1,2,'=1+1,pot,ante,4,4,8,96,100,100"
    assert lines[3].split(",")[5:7] == ["", "4"]
    assert text.endswith("\r\n")


@pytest.mark.parametrize("cell", ["=x", "+x", "-x", "@x", "\tx", "\rx", " =x", "|x", "%x"])
def test_a_cell_that_looks_like_a_formula_is_none(cell: str) -> None:
    assert safe(cell).startswith("'")
