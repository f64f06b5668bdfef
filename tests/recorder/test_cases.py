"""A case grows entry by entry, and nothing of it can be changed or dropped."""

from pathlib import Path

import pytest

from recorder import intake
from recorder.cases import CaseClosedError, CaseMovedError, UnknownCaseError
from recorder.journal import Journal, UnknownRecordingError
from schemas.events import Recording
from tests.recorder.raw import REFUSED, opened

SAMPLE = Path(__file__).parents[1] / "cases" / "bura" / "dispute-open-01.bura.jsonl"


@pytest.fixture
def key(journal: Journal) -> str:
    found = intake.read(SAMPLE.read_bytes())
    assert isinstance(found, Recording)
    return journal.store(found).key


def test_entries_stand_in_order_and_numbers_count_from_one(journal: Journal, key: str) -> None:
    cases = journal.cases()
    before = journal.export(key)
    assert cases.open(key, {"claim": "спор"}) == 1
    assert cases.open(key, {"claim": "another"}) == 2
    cases.add(key, 1, "testified", {"seat": 1}, expected=1)
    cases.add(key, 1, "ruled", {"ruling": "pay"})
    first, second = cases.of(key)
    assert [entry.act for entry in first.entries] == ["opened", "testified", "ruled"]
    assert [entry.turn for entry in first.entries] == [0, 1, 2]
    assert first.entries[0].body == {"claim": "спор"}
    assert (first.state, second.state) == ("ruled", "open")
    assert journal.export(key) == before


def test_who_saw_fewer_entries_is_told(journal: Journal, key: str) -> None:
    cases = journal.cases()
    cases.open(key, {})
    cases.add(key, 1, "quoted", {"of": 24})
    with pytest.raises(CaseMovedError) as moved:
        cases.add(key, 1, "ruled", {}, expected=1)
    assert moved.value.current == 2


def test_a_withdrawn_case_is_closed(journal: Journal, key: str) -> None:
    cases = journal.cases()
    cases.open(key, {})
    cases.add(key, 1, "withdrawn", {})
    assert cases.of(key)[0].state == "withdrawn"
    with pytest.raises(CaseClosedError):
        cases.add(key, 1, "ruled", {})


def test_there_is_no_case_of_what_is_not_there(journal: Journal, key: str) -> None:
    cases = journal.cases()
    with pytest.raises(UnknownCaseError):
        cases.add(key, 1, "ruled", {})
    with pytest.raises(UnknownRecordingError):
        cases.open("0" * 16, {})
    assert cases.of(key) == ()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE cases SET body = '{}'",
        "DELETE FROM cases",
        "INSERT OR REPLACE INTO cases SELECT 0, rec, number, turn, at, act, body FROM cases",
        "INSERT INTO cases SELECT 1, rec, 3, 0, at, act, body FROM cases",
        "INSERT INTO cases SELECT 1, rec, number, 2, at, 'ruled', body FROM cases",
        "INSERT INTO cases SELECT 1, rec, number, 1, at, 'opened', body FROM cases",
    ],
)
def test_no_entry_can_be_changed_dropped_or_put_elsewhere(journal: Journal, key: str, statement: str) -> None:
    journal.cases().open(key, {"claim": "as it was"})
    with opened(journal.path) as rows, pytest.raises(REFUSED):
        rows.execute(statement)
    assert journal.cases().of(key)[0].entries[0].body == {"claim": "as it was"}
