"""Names are erased for good; what is left cannot be changed either."""

import json
from typing import Any

import pytest

from recorder import fsck, rows
from recorder.journal import ChainBrokenError, Journal
from tests.recorder.lines import HEADER, STAKE_OBJECT
from tests.recorder.raw import opened

NAMED: dict[str, Any] = {
    **json.loads(HEADER), "title": "Anna's birthday", "note": "at Boris's", "x_phone": "5", "stacks": [100, 100]
}  # fmt: skip


def test_what_is_left_after_erasure_is_bound_by_the_header(journal: Journal) -> None:
    key = journal.create(NAMED).key
    before = journal.links(key)[0][1]
    journal.erase(key)
    after = journal.links(key)[0][1]
    assert (after.header, after.leaf, after.payload) == (before.header, before.leaf, None)
    line = journal.load(key).recording.lines[0]
    assert rows.is_left_of(after.header, line)
    assert not any(each.encode() in line for each in ("Анна", "birthday", "Boris", "x_phone"))
    assert json.loads(line)["seats"] == ["seat 1", "seat 2"]


@pytest.mark.parametrize(("was", "now"), [("[100,100]", "[100,900]"), ("in_turn", "out_of_turn"), ("seat 2", "seat 3")])
def test_what_is_left_after_erasure_cannot_be_changed(journal: Journal, was: str, now: str) -> None:
    key = journal.create(NAMED).key
    journal.append(key, [STAKE_OBJECT], 1)
    journal.erase(key)
    with opened(journal.path) as rows_of_it:
        rows_of_it.execute("UPDATE recordings SET nameless = replace(nameless, ?, ?)", [was, now])
        assert now in rows_of_it.execute("SELECT nameless FROM recordings").fetchone()[0]
    with pytest.raises(ChainBrokenError) as caught:
        journal.load(key)
    assert caught.value.seq == 0
    journal.close()
    assert [(each.place, each.seq) for each in fsck.audit(journal.path).findings] == [("recordings.nameless", 0)]
