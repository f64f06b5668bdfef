"""Role links: found by their token alone, revocable, of one recording; settlements held until they are ruled."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined] # the one sqlite-utils itself found

from recorder.address import Place
from recorder.journal import Journal
from recorder.roles import UnknownLinkError
from recorder.store import StoreError

HEADER = {
    "seq": 0,
    "type": "recording_began",
    "format": "razbor/1",
    "game": "bura",
    "rules": {"preset": "bura/classic-36@1", "options": {"molodka_turn": "out_of_turn"}},
    "seats": ["A", "B"],
}


@pytest.fixture
def journal(place: Place) -> Iterator[Journal]:
    made = Journal.open(place)
    yield made
    made.close()


def test_a_token_opens_its_own_recording_and_no_other(journal: Journal) -> None:
    roles = journal.roles()
    one, two = journal.create(HEADER).key, journal.create(HEADER).key
    made = roles.make(one, ["scribe", "seat:2"])
    assert [roles.find(one, each.token) for each in made] == [each.link for each in made]
    assert [roles.find(two, each.token) for each in made] == [None, None]
    assert roles.find(one, "nonsense \udc80") is None


def test_a_revoked_link_opens_nothing(journal: Journal) -> None:
    roles, key = journal.roles(), journal.create(HEADER).key
    (made,) = roles.make(key, ["arbiter"])
    roles.revoke(key, made.link.number)
    roles.revoke(key, made.link.number)
    assert roles.find(key, made.token) is None
    assert [link.revoked for link in roles.links(key)] == [True]
    with pytest.raises(UnknownLinkError):
        roles.revoke(key, 99)


def test_an_operator_opens_every_recording(journal: Journal) -> None:
    roles, key = journal.roles(), journal.create(HEADER).key
    (made,) = roles.make("", ["operator"])
    found = roles.find(key, made.token)
    assert found
    assert found.actor == "operator/1"


def test_no_token_stands_in_the_database(journal: Journal, path: Path) -> None:
    key = journal.create(HEADER).key
    (made,) = journal.roles().make(key, ["scribe"])
    journal.close()
    stored = b"".join(each.read_bytes() for each in path.parent.iterdir())
    assert made.token.encode() not in stored


def test_a_settlement_is_held_once_and_ruled_once(journal: Journal) -> None:
    roles, key = journal.roles(), journal.create(HEADER).key
    assert not roles.rule(key, 1, "arbiter/1", "?")
    assert roles.hold(key, 1, "seat:2/2", "miscounted")
    assert not roles.hold(key, 1, "seat:1/3", "me too")
    assert roles.holds(key)[0].ruling is None
    assert roles.rule(key, 1, "arbiter/1", "stands")
    assert [(hold.by, hold.ruling, hold.ruled_by) for hold in roles.holds(key)] == [("seat:2/2", "stands", "arbiter/1")]
    assert roles.hold(key, 1, "seat:2/2", "again")
    assert len(roles.holds(key)) == 2


def test_holds_are_never_edited(journal: Journal) -> None:
    roles, key = journal.roles(), journal.create(HEADER).key
    roles.hold(key, 1, "seat:2/2", "miscounted")
    with pytest.raises((sqlite3.IntegrityError, StoreError)), journal._connections.writing() as database:
        database.execute("UPDATE holds SET text = 'nothing'")
