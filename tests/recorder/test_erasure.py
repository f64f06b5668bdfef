"""Names are erased for good; what is left cannot be changed either."""

import json
from typing import Any

import pytest

from recorder import chain, fsck, receipt, rows
from recorder.journal import ChainBrokenError, CommandReusedError, Journal
from recorder.notary import Notary
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


def test_a_name_that_was_amended_is_erased_with_the_others(journal: Journal) -> None:
    """A name may stand in the amendment of an event too; the reason beside it is free text, and stays."""
    key = journal.create(HEADER).key
    joined = {"type": "player_joined", "seat": 3, "name": "Ermengarde"}
    corrected = {"type": "corrected", "of": 1, "reason": "misheard", "event": {**joined, "name": "Quetzal"}}
    forgotten = {"type": "inserted", "after": 1, "reason": "late", "event": {**joined, "seat": 4, "name": "Yggdrasil"}}
    struck = {"type": "corrected", "of": 4, "reason": "twice", "event": None}
    journal.append(key, [joined, corrected, forgotten, STAKE_OBJECT, struck], 1)
    notary = Notary.open(journal.path)
    before = receipt.make(journal, notary, key)
    journal.erase(key)
    after = receipt.make(journal, notary, key)
    lines = journal.export(key)
    for name in ("Анна", "Ermengarde", "Quetzal", "Yggdrasil"):
        assert name.encode() not in lines + after
    assert [json.loads(line)["event"]["name"] for line in lines.splitlines()[2:4]] == ["seat 3", "seat 4"]
    assert b"misheard" in lines
    proved = [receipt.verify(each, notary.verifiers) for each in (before, after)]
    assert proved[0].headers == proved[1].headers
    notary.close()
    journal.close()
    assert fsck.audit(journal.path).findings == ()


def test_the_audit_tells_of_a_beginning_that_would_be_another_without_names(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever wrote it could show another event once the names are erased."""
    with monkeypatch.context() as patch:
        patch.setattr(rows, "nameless", lambda line: line.replace(b"in_turn", b"out_of_turn"))
        journal.create(HEADER)
    journal.close()
    assert [(each.place, each.seq) for each in fsck.audit(journal.path).findings] == [("events.header", 0)]


def test_the_audit_tells_of_a_payload_that_is_another_event(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    key, link = journal.create(HEADER).key, chain.link

    def forged(header: chain.Header, line: bytes, nonce: bytes) -> tuple[chain.Link, chain.Header]:
        return link(header, line.replace(b'"seq":1', b'"seq":7'), nonce)

    with monkeypatch.context() as patch:
        patch.setattr(chain, "link", forged)
        journal.append(key, [STAKE_OBJECT], 1)
    journal.close()
    assert [(each.place, each.seq) for each in fsck.audit(journal.path).findings] == [("payloads", 1)]


def test_a_command_is_known_again_after_erasure_and_another_one_is_not_taken_for_it(journal: Journal) -> None:
    """What it wrote is acknowledged again; what it would have written instead must not seem to be kept."""
    key = journal.create(HEADER).key
    joined: dict[str, Any] = {"type": "player_joined", "seat": 3, "name": "Vera"}
    request: list[dict[str, Any]] = [joined, STAKE_OBJECT, {"type": "noted", "text": "late", "id": "n1"}]
    first = journal.append(key, request, 1, "command")
    journal.erase(key)
    again = journal.append(key, [json.dumps(each).encode() for each in request], 1, "command")
    assert (again.seqs, again.version, again.repeated) == (first.seqs, first.version, True)
    odd: dict[str, Any] = {"type": "player_joined", "seat": "\ud800", "name": "Vera"}
    for other in ([{"type": "noted", "text": "other"}], request[:2], [{**joined, "seat": 4}, *request[1:]], [odd], []):
        with pytest.raises(CommandReusedError):
            journal.append(key, other, 4, "command")
    assert journal.entry(key).events == 4
