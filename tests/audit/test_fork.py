"""A table that is moved moves no other: a fork, and many events at one go."""

from typing import Any

import pytest

from recorder import intake
from replay import desk
from replay.audit import explore
from replay.audit.explore import fork
from replay.audit.fold import Fold
from replay.engine.holdings import Held
from schemas.events import Recording
from tests.check_cases import recording_path

CASES = (
    *("bura/clean-04", "bura/fault-card-not-held-played", "bura/fault-card-twice-drawn"),
    *("bourre/head-with-jack", "bourre/fault-wrong-turn-play", "bourre/fault-card-not-held-play"),
)
OWN = {"findings", "results", "strange_hands"}
"""What a fork begins anew, or never gives back."""


def recording(case: str) -> Recording:
    found = intake.read(recording_path(case).read_bytes())
    assert isinstance(found, Recording)
    return found


def seated(found: Recording) -> Any:
    return Fold([found.began], desk.house_of(found)).table


def state(table: Any) -> dict[str, Any]:
    """All that a table is made of, as values."""
    names = [name for name in dir(table) if name[0] != "_" and name not in OWN and not callable(getattr(table, name))]
    return {name: plain(getattr(table, name)) for name in names}


def plain(value: Any) -> Any:
    if isinstance(value, Held):
        return value.sure, value.may, value.size, value.limbo
    return [plain(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("case", CASES)
def test_a_fork_goes_its_way_and_leaves_its_origin_as_it_was(case: str) -> None:
    found = recording(case)
    table = seated(found)
    for event in found.events[1:]:
        before = state(fork(table))
        twin = fork(table)
        twin.step(event)
        assert state(table) == before
        table.step(event)
        assert state(twin) == state(table)


@pytest.mark.parametrize("case", CASES)
def test_events_at_one_go_move_a_table_as_one_by_one(case: str) -> None:
    found = recording(case)
    one, other, third = seated(found), seated(found), seated(found)
    for event in found.events:
        one.step(event)
    other.walk(list(found.events))
    third.walk_on(list(found.events), 0)
    third.witness = other.witness = one.witness
    assert state(one) == state(other) == state(third)
    assert one.findings == other.findings == third.findings
    assert len(state(one)["held"]) == len(found.began.seats) + 1


def test_where_too_many_bounds_were_looked_for_no_other_way_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What only some ways were looked at for is open, and convicts nobody."""
    data, gone = recording_path("bura/clean-07").read_bytes(), []
    step_hand = Fold._step_hand

    def counted(fold: Fold, *hand: Any, **how: Any) -> None:
        gone.append(1)
        step_hand(fold, *hand, **how)

    monkeypatch.setattr(Fold, "_step_hand", counted)
    whole = desk.verify(data, view="public")
    ways = len(gone)
    monkeypatch.setattr(explore, "MOST_BOUNDS", 1)
    cut = desk.verify(data, view="public")
    assert len(gone) - ways < ways
    assert whole["verdict"] == cut["verdict"] == "undecided"
    assert all(each["severity"] != "error" for each in cut["findings"])
