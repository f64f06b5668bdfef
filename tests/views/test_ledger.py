"""The ledger: every move once, what was due beside it, nothing a spreadsheet would take for a formula."""

from typing import Any

import pytest

from replay.views.ledger import as_csv, moves, safe, stake_of, standing
from replay.views.sources import Story
from tests.walks.bura import Json
from tests.walks.script import START3, made, verified
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


@pytest.mark.parametrize(
    ("told", "due"),
    [
        (finding("table/overdrawn", 3, 2, 4), 4),
        (finding("table/wrong-stake", 3, 2, None), None),
        (finding("table/wrong-stake", 3, 2, None) | {"expected": {"draw": 4}}, None),
        (finding("table/unexpected-stake", 3, 2, None), 0),
        (finding("table/unknown-card", 3, 2, None) | {"recorded": "table/wrong-stake"}, None),
        (finding("table/unknown-card", 3, 2, None) | {"recorded": "table/card-twice"}, 5),
        (finding("table/rule-unrecorded", 3, 2, None) | {"expected": {"one": "ok", "two": "table/wrong-stake"}}, None),
    ],
    ids=["overdrawn", "wrong-as-nobody-knows", "several", "unexpected", "open", "another-doubt", "open-by-a-rule"],
)
def test_what_was_due_is_told_as_far_as_it_is_known(told: dict[str, Any], due: int | None) -> None:
    rows = moves(Story(evening.head("full"), tuple(EVENTS), {"findings": [{"recorded": 5, **told}]}))
    assert [row.due for row in rows if row.seq == 3] == [due]


def test_what_lacks_stands_where_it_was_missed() -> None:
    found = [finding("table/missing-payout", 6, 3, 7)]
    rows = [(row.seq, row.source, row.target, row.why, row.due) for row in moves(Story(evening.head("full"),
            tuple(EVENTS), {"findings": found})) if row.seq > 4]  # fmt: skip
    assert rows == [(5, "bank", 3, "chips_bought", 50), (6, "pot", 2, "pot_taken", 13), (6, "pot", 3, "missing", 7)]


def test_chips_neither_come_nor_go_but_by_the_bank(story: Story) -> None:
    for row in moves(story):
        bought = 50 if row.seq >= 5 else 0
        assert row.pot + sum(chips for _, chips in row.balances) == 304 + bought


def test_the_stake_of_a_hand_is_its_first_ante() -> None:
    fee = {"seq": 2, "type": "staked", "seat": 1, "amount": 3, "why": "debt"}
    events = (*EVENTS[:2], fee, *EVENTS[2:], {"seq": 8, "type": "hand_began", "hand": 2, "dealer": 1})
    assert (stake_of(events, 1), stake_of(events, 2)) == (4, None)


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


def at_the_end(*lines: str | Json, **how: Any) -> tuple[dict[int, int], dict[str, int]]:
    """What everybody has after the last move, in the ledger and by the report."""
    report = verified(*lines, **how)
    rows = list(moves(Story(evening.head("full"), tuple(made(*lines, **how)), report)))
    return dict(rows[-1].balances), report["balances"]["recorded"]


OVER = ("end misdeal", "left 3")
NEXT = ("chips_bought 1 5",)


@pytest.mark.parametrize(
    ("lines", "third"),
    [
        ((*START3, *OVER, "joined 3 Gleb", *NEXT), 0),
        ((*START3, *OVER, "joined 3 Gleb 50", *NEXT), 50),
        ((*START3, *OVER, "joined 3 Gleb 50", "left 3", "joined 3 Вера", *NEXT), -10),
        ((*START3, *OVER, "joined 3 Вера 50", *NEXT), 40),
        ((*START3, *OVER, "joined 4 Вера 50", "left 4", "joined 3 Gleb", *NEXT), 0),
        ((*START3, *OVER, "joined 4 Вера 50", *NEXT), 0),
        ((*START3, "end misdeal", "left 2", "left 3", "joined 3 Gleb", *NEXT), 0),
        ((*START3, "end misdeal", "joined 3 Gleb 50", *NEXT), -10),
        ((*START3, "left 3", "joined 3 Gleb 50", "end misdeal", *NEXT), 50),
        ((*START3, *OVER, "joined 3 Gleb 50", "left 3", "joined 3 Вера", "left 3", "joined 3 Gleb", *NEXT), 50),
    ],
    ids=["another", "another-with-chips", "back", "back-with-chips", "back-elsewhere", "gone-elsewhere",
         "two-gone", "taken", "in-mid-hand", "another-back"],
)
def test_chips_go_with_the_name(lines: tuple[str, ...], third: int) -> None:
    ledger, report = at_the_end(*lines, seats=3)
    assert ledger[3] == third
    assert {str(seat): chips for seat, chips in ledger.items() if str(seat) in report} == report
    assert ledger[2] == -10


def test_a_hand_without_a_move_has_what_everybody_had_before() -> None:
    lines = ("hand 1 2", "end misdeal", "hand 2 2", "ante 1 10", "ante 2 10", "end misdeal", "hand 3 2", "end misdeal")
    story = Story(evening.head("full"), tuple(made(*lines, stacks=[100, 100])), verified(*lines, stacks=[100, 100]))
    assert standing(story) == {1: {1: 100, 2: 100}, 2: {1: 90, 2: 90}, 3: {1: 90, 2: 90}}
