"""Threads that append at one moment share a commit: each append is all or nothing by itself, answered after it."""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined] # the one sqlite-utils itself found

from recorder import fsck
from recorder.address import Place
from recorder.database import MOST_TOGETHER
from recorder.journal import Journal, VersionConflictError
from recorder.store import Database, StoreError
from tests.integrity.evening import BEGAN, noted, texts


@pytest.fixture
def journal(place: Place) -> Iterator[Journal]:
    made = Journal.open(place)
    yield made
    made.close()


@contextmanager
def one_writes(journal: Journal) -> Iterator[None]:
    """Somebody's transaction lasts as long as the block: who comes now has to wait, and waits together."""
    begun, leave = threading.Event(), threading.Event()

    def hold(_: Database) -> None:
        begun.set()
        leave.wait()

    holder = threading.Thread(target=journal._connections.together, args=[hold])
    holder.start()
    begun.wait()
    yield
    leave.set()
    holder.join()


def all_at_once(journal: Journal, works: Sequence[Callable[[], Any]]) -> list[Any]:
    """What came of each work, an answer or an exception; they are begun in this order while somebody else writes."""
    waiting, futures = journal._connections._waiting, list[Future[Any]]()
    with ThreadPoolExecutor(len(works)) as pool, one_writes(journal):
        for work in works:
            futures.append(pool.submit(work))
            while len(waiting) < len(futures):
                os.sched_yield()
    return [each.exception() or each.result() for each in futures]


def commits(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A list that grows by one with every transaction begun from now on."""
    begun: list[int] = []
    writing = journal._connections.writing

    @contextmanager
    def counted() -> Iterator[Database]:
        with writing() as database:
            begun.append(1)
            yield database

    monkeypatch.setattr(journal._connections, "writing", counted)
    return begun


def test_appends_that_wait_share_one_commit(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [journal.create(BEGAN).key for _ in range(6)]
    begun = commits(journal, monkeypatch)
    answers = all_at_once(journal, [partial(journal.append, key, [noted(1)], 1) for key in keys])
    assert [(each.seqs, each.version, each.repeated) for each in answers] == [((1,), 2, False)] * 6
    assert len(begun) == 2  # the one they waited for, and their own
    assert [texts(journal, key) for key in keys] == [["number 1"]] * 6
    assert fsck.audit(journal.path).findings == ()


def test_one_that_fails_takes_nothing_of_the_others_back(journal: Journal) -> None:
    first, second = journal.create(BEGAN).key, journal.create(BEGAN).key
    given: list[tuple[str, int, int]] = [(first, 1, 1), (second, 7, 9), (first, 2, 2), (first, 3, 2), (second, 1, 1)]
    answers = all_at_once(journal, [partial(journal.append, key, [noted(n)], version) for key, n, version in given])
    failed = [place for place, each in enumerate(answers) if isinstance(each, VersionConflictError)]
    assert (failed, answers[1].current, answers[3].current) == ([1, 3], 1, 3)
    assert texts(journal, first) == ["number 1", "number 2"]
    assert texts(journal, second) == ["number 1"]
    assert fsck.audit(journal.path).findings == ()


def test_one_that_the_database_refuses_fails_alone(journal: Journal) -> None:
    keys = [journal.create(BEGAN).key for _ in range(2)]
    refused = partial(journal._connections.together, lambda database: database.execute("UPDATE log SET origin = 'x'"))
    first, last = (partial(journal.append, key, [noted(1)], 1) for key in keys)
    answers = all_at_once(journal, [first, refused, last])
    assert [isinstance(each, (sqlite3.IntegrityError, StoreError)) for each in answers] == [False, True, False]
    assert [texts(journal, key) for key in keys] == [["number 1"]] * 2
    assert fsck.audit(journal.path).findings == ()


def test_what_fails_halfway_leaves_nothing(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second writes its rows, then fails: not even they stay."""
    from recorder import rows

    keys = [journal.create(BEGAN).key for _ in range(3)]
    close = rows.close

    def spoiled(database: Database, entry: Any, fresh: Any) -> Any:
        if entry.key == keys[1]:
            raise RuntimeError
        return close(database, entry, fresh)

    monkeypatch.setattr(rows, "close", spoiled)
    answers = all_at_once(journal, [partial(journal.append, key, [noted(1)], 1) for key in keys])
    assert [type(each) is RuntimeError for each in answers] == [False, True, False]
    assert [texts(journal, key) for key in keys] == [["number 1"], [], ["number 1"]]
    assert fsck.audit(journal.path).findings == ()


def test_where_the_commit_fails_nobody_is_told_that_it_was_kept(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = [journal.create(BEGAN).key for _ in range(4)]
    writing = journal._connections.writing

    @contextmanager
    def failing() -> Iterator[Database]:
        with writing() as database:
            yield database
            if database.execute("SELECT count(*) FROM events").fetchone()[0] > len(keys):
                raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as patch:
        patch.setattr(journal._connections, "writing", failing)
        answers = all_at_once(journal, [partial(journal.append, key, [noted(1)], 1) for key in keys])
    assert all(isinstance(each, sqlite3.OperationalError) for each in answers)
    assert [texts(journal, key) for key in keys] == [[]] * 4
    assert [journal.append(key, [noted(1)], 1).version for key in keys] == [2] * 4
    assert fsck.audit(journal.path).findings == ()


def test_a_crowd_larger_than_one_commit_takes_is_served_too(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recorder.database.MOST_TOGETHER", 2)
    keys = [journal.create(BEGAN).key for _ in range(5)]
    answers = all_at_once(journal, [partial(journal.append, key, [noted(1)], 1) for key in keys])
    assert [each.version for each in answers] == [2] * 5
    assert MOST_TOGETHER > 2


# -- closing while others ask -----------------------------------------------------------------------------------------


def test_a_connection_is_closed_when_its_transaction_is_over(journal: Journal) -> None:
    begun, leave = threading.Event(), threading.Event()

    def read() -> int:
        with journal._connections.reading() as database:
            begun.set()
            leave.wait()
            return int(database.execute("SELECT count(*) FROM events").fetchone()[0])

    with ThreadPoolExecutor(2) as pool:
        reader = pool.submit(read)
        begun.wait()
        closing = pool.submit(journal.close)
        assert not closing.done()
        leave.set()
        assert reader.result() == 0
        closing.result()


def test_who_asks_while_the_journal_is_closed_has_an_answer(journal: Journal) -> None:
    over = threading.Event()

    def ask() -> int:
        asked = 0
        while not over.is_set():
            with journal._connections.reading() as database:
                assert database.execute("SELECT count(*) FROM events").fetchone() == (0,)
            asked += 1
        return asked

    with ThreadPoolExecutor(3) as pool:
        askers = [pool.submit(ask) for _ in range(3)]
        for _ in range(50):
            journal.close()
        over.set()
        assert all(asker.result() for asker in askers)
