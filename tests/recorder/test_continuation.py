"""An upload that begins with a recording stored before goes on from it: remembered, shown on both, audited."""

from collections.abc import Iterator

import pytest

from recorder import fsck, intake
from recorder.address import Place
from recorder.journal import Journal, Stored
from schemas.events import Recording
from tests.integrity.evening import BEGAN, noted, sample
from tests.recorder.raw import REFUSED, opened

WHOLE = sample()


@pytest.fixture
def journal(place: Place) -> Iterator[Journal]:
    made = Journal.open(place)
    yield made
    made.close()


def part(count: int, whole: Recording = WHOLE) -> Recording:
    """Its first lines, as a record that breaks off."""
    found = intake.read(b"".join(line + b"\n" for line in whole.lines[:count]))
    assert isinstance(found, Recording)
    return found


def sound(journal: Journal) -> bool:
    return not fsck.audit(journal.path).findings


def test_what_goes_on_is_told_and_remembered(journal: Journal) -> None:
    first, second = journal.store(part(6)), journal.store(part(10))
    assert (first.continues, second.continues) == (None, first.key)
    assert journal.store(WHOLE) == Stored(WHOLE.id, new=True, continues=second.key)
    assert journal.store(WHOLE) == Stored(WHOLE.id, new=False, continues=second.key)
    assert journal.continuations(first.key) == (None, (second.key,))
    assert journal.continuations(second.key) == (first.key, (WHOLE.id,))
    assert sound(journal)


def test_what_only_resembles_it_is_none(journal: Journal) -> None:
    journal.store(part(6))
    lines = list(part(10).lines)
    lines[3] = lines[3].replace(b'"amount":10', b'"amount":11')
    other = intake.read(b"\n".join(lines))
    assert isinstance(other, Recording)
    assert journal.store(other).continues is None
    assert journal.store(part(4)).continues is None  # shorter than what is there
    assert sound(journal)


def test_amendments_after_the_end_go_on_from_it(journal: Journal) -> None:
    journal.store(WHOLE)
    text = b'{"seq":16,"text":"so","type":"noted"}'
    more = intake.read(b"\n".join([*WHOLE.lines, text]))
    assert isinstance(more, Recording)
    assert journal.store(more).continues == WHOLE.id


@pytest.mark.parametrize("ended", [False, True])
def test_a_live_recording_may_go_on_on_paper(journal: Journal, ended: bool) -> None:
    key = journal.create(BEGAN).key
    journal.append(key, [noted(1), *([{"type": "recording_ended", "events": 3}] if ended else [])], 1)
    kept = journal.load(key).recording
    text = b'{"seq":%d,"text":"so","type":"noted"}' % len(kept.lines)
    more = intake.read(b"\n".join([*kept.lines, text]))
    assert isinstance(more, Recording)
    assert journal.store(more).continues == key
    assert journal.continuations(key) == (None, (more.id,))
    journal.append(key, [noted(2)], len(kept.lines))  # and it may go on otherwise: then neither goes on from the other
    assert journal.continuations(key) == journal.continuations(more.id) == (None, ())
    assert journal.store(more) == Stored(more.id, new=False, continues=None)
    assert sound(journal)


def test_erased_names_are_not_found_again(journal: Journal) -> None:
    first, second = journal.store(part(6)), journal.store(part(10))
    journal.erase(first.key)
    assert journal.continuations(first.key) == journal.continuations(second.key) == (None, ())
    assert journal.store(part(8)).continues is None
    assert sound(journal)


def test_a_long_recording_is_looked_up_in_pieces(journal: Journal) -> None:
    lines = [*WHOLE.lines[:2], *(b'{"seq":%d,"text":"so","type":"noted"}' % seq for seq in range(2, 1300))]
    long = intake.read(b"\n".join(lines))
    assert isinstance(long, Recording)
    first = journal.store(part(700, long))
    journal.store(part(100, long))
    assert journal.store(long).continues == first.key


@pytest.mark.parametrize("column", ["rec", "of", "digest"])
def test_a_changed_row_shows(journal: Journal, column: str) -> None:
    journal.store(part(6))
    journal.store(WHOLE)
    journal.close()
    with opened(journal.path) as rows:
        with pytest.raises(REFUSED, match="no UPDATE"):
            rows.execute(f"UPDATE continuations SET {column} = '0'")
        with pytest.raises(REFUSED, match="no DELETE"):
            rows.execute("DELETE FROM continuations")
    with opened(journal.path, unguarded=True) as rows:
        rows.execute(f"UPDATE continuations SET {column} = '0' || substr({column}, 2)")
        rows.execute(
            f"UPDATE continuations SET {column} = '1' || substr({column}, 2) WHERE {column} IN "
            f"(SELECT digest FROM recordings UNION SELECT key FROM recordings)"
        )
    assert [finding.place for finding in fsck.audit(journal.path).findings] == ["continuations"]
