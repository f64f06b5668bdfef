"""A steady append reads only what is new; whatever changed meanwhile is noticed."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from sqlite_utils import Database

from recorder import chain, ongoing, rows
from recorder.address import Place
from recorder.decode import LONGEST_LINE
from recorder.journal import EventsRefusedError, Journal, VersionConflictError
from recorder.rows import Entry
from tests.recorder.lines import HEADER, STAKE_OBJECT


def noted(number: int, **more: Any) -> dict[str, Any]:
    return {"type": "noted", "text": f"number {number}", **more}


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The key of each recording that was read whole."""
    found: list[str] = []
    lines = rows.lines

    def counted(database: Database, entry: Entry) -> Sequence[bytes]:
        found.append(entry.key)
        return lines(database, entry)

    monkeypatch.setattr(rows, "lines", counted)
    return found


def test_a_steady_append_reads_nothing_again(journal: Journal, read: list[str]) -> None:
    key = journal.create(HEADER).key
    for version in range(1, 20):
        assert journal.append(key, [noted(version, id=f"n{version}")], version).version == version + 1
    assert read == [key]
    again = journal.append(key, [noted(3, id="n3"), noted(20)], 20)
    assert (again.seqs, again.version, read) == ((3, 20), 21, [key])


def test_what_another_journal_object_wrote_is_noticed(journal: Journal, place: Place) -> None:
    key = journal.create(HEADER).key
    other = Journal.open(place)
    for version in range(1, 12):
        writer = journal if version % 2 else other
        assert writer.append(key, [noted(version, id=f"n{version}")], version).version == version + 1
    with pytest.raises(VersionConflictError):
        journal.append(key, [noted(1)], 11)
    assert other.append(key, [noted(11, id="n11")], 0).seqs == (11,)
    with pytest.raises(EventsRefusedError):
        journal.append(key, [noted(99, id="n10")], 12)
    other.close()
    assert [event.seq for event in journal.load(key).recording.events] == list(range(12))


def test_what_was_refused_leaves_no_trace(journal: Journal) -> None:
    key = journal.create(HEADER).key
    for given in ([noted(1, id="a"), {"type": "nonsense"}], [noted(1, id="a"), noted(2, id="a")]):
        with pytest.raises(EventsRefusedError):
            journal.append(key, given, 1)
    with pytest.raises(VersionConflictError):
        journal.append(key, [noted(1, id="a")], 5)
    assert journal.append(key, [noted(1, id="a")], 1).seqs == (1,)


def test_what_was_not_committed_is_not_remembered(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    key = journal.create(HEADER).key
    journal.append(key, [noted(1)], 1)

    put = ongoing.Memory.put

    def then_fails(self: ongoing.Memory, *given: Any) -> None:
        put(self, *given)
        raise InterruptedError

    monkeypatch.setattr(ongoing.Memory, "put", then_fails)
    with pytest.raises(InterruptedError):
        journal.append(key, [noted(2, id="a")], 2)
    monkeypatch.undo()
    assert journal.append(key, [noted(3, id="a")], 2).seqs == (2,)


def test_erased_names_are_forgotten(journal: Journal, read: list[str]) -> None:
    key = journal.create(HEADER).key
    journal.append(key, [STAKE_OBJECT], 1)
    journal.erase(key)
    read.clear()
    journal.append(key, [noted(2)], 2)
    assert read == [key]


def test_only_so_many_are_remembered(journal: Journal, monkeypatch: pytest.MonkeyPatch, read: list[str]) -> None:
    monkeypatch.setattr(ongoing, "MOST_KEPT", 2)
    keys = [journal.create(HEADER).key for _ in range(3)]
    for version in (1, 2):
        for key in keys:
            journal.append(key, [noted(version)], version)
    assert len(read) == 6


def test_the_end_has_the_digest_of_all_lines(journal: Journal) -> None:
    key = journal.create(HEADER).key
    journal.append(key, [noted(1)], 1)
    journal.append(key, [{"type": "recording_ended", "events": 3}, noted(2)], 2)
    kept = journal.load(key)
    assert kept.entry.digest == chain.digest(kept.recording.lines[:3])
    with pytest.raises(EventsRefusedError):
        journal.append(key, [STAKE_OBJECT], 4)
    assert journal.append(key, [noted(3)], 4).version == 5


def of_length(length: int, number: str = "") -> bytes:
    """A note as a line of so many bytes."""
    bare = f'{{{number}"type":"noted","text":"-","x_long":""}}'
    return bare.replace('""', f'"{"y" * (length - len(bare))}"').encode()


@pytest.mark.parametrize(
    ("given", "field", "code"),
    [
        (HEADER, "seq", "seq-gap"),
        (HEADER.replace(b'"seq":0', b'"seq":2'), "type", "not-a-recording"),
        (json.loads(HEADER.replace(b'"seq":0', b'"seq":2')), "type", "not-a-recording"),
        (of_length(LONGEST_LINE), "", "line-too-long"),
        (of_length(LONGEST_LINE + 1, '"seq":2,'), "", "line-too-long"),
        ({"type": "noted", "text": "-", "x_long": "ы" * (LONGEST_LINE // 2)}, "", "line-too-long"),
    ],
)
def test_nothing_is_taken_that_a_reader_of_the_file_would_refuse(
    journal: Journal, given: Any, field: str, code: str
) -> None:
    key = journal.create(HEADER).key
    journal.append(key, [noted(1)], 1)
    with pytest.raises(EventsRefusedError) as told:
        journal.append(key, [given], 2)
    assert (field, code) in [(problem.field, problem.code) for problem in told.value.refusal.problems]
    assert [event.seq for event in journal.load(key).recording.events] == [0, 1]


@pytest.mark.parametrize(
    "given",
    [
        of_length(LONGEST_LINE - len('"seq":1,')),
        of_length(LONGEST_LINE, '"seq":1,'),
        {"type": "noted", "text": "-", "x_long": "ы" * (LONGEST_LINE // 2 - 40)},
    ],
)
def test_the_longest_lines_are_taken_and_read_again(journal: Journal, given: Any) -> None:
    key = journal.create(HEADER).key
    assert journal.append(key, [given], 1).seqs == (1,)
    assert max(map(len, journal.load(key).recording.lines)) > LONGEST_LINE - 80


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (b'{"type":"noted","text":"other","text":"number 1","id":"a"}', "duplicate-key"),
        (b'{"type":"noted","text":"number 1","id":"a","seq":7}', "seq-gap"),
        (b'{"type":"noted","text":"number 1","id":"a","seq":"1"}', "bad-value"),
        (b'{"type":"noted","text":"number 1","id":"a","seq":1.0}', "not-an-integer"),
        ({"type": "noted", "text": "number 1", "id": "a", "seq": True}, "bad-value"),
        ({"type": "noted", "text": "number 1", "id": "a", "seq": 0}, "seq-gap"),
    ],
)
def test_a_second_delivery_says_the_same_or_is_refused(journal: Journal, given: Any, code: str) -> None:
    key = journal.create(HEADER).key
    assert journal.append(key, [noted(1, id="a")], 1).seqs == (1,)
    for same in (noted(1, id="a"), noted(1, id="a", seq=1), b'{"seq": 1, "id":"a", "text":"number 1","type":"noted"}'):
        assert journal.append(key, [same], 1).repeated
    with pytest.raises(EventsRefusedError) as told:
        journal.append(key, [given], 2)
    assert code in [problem.code for problem in told.value.refusal.problems]
