"""Writers are killed, crowd each other, run out of room, repeat themselves, and live by a clock that jumps."""

import itertools
import json
import random
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from recorder import fsck, receipt
from recorder.address import Address, Place
from recorder.journal import CommandReusedError, EventsRefusedError, Journal, VersionConflictError
from recorder.notary import Notary
from recorder.store import StoreError
from tests.integrity.evening import BEGAN, noted, texts

ROOT = Path(__file__).resolve().parent.parent.parent


def press(what: str, place: Place, *arguments: object, **settings: Any) -> dict[str, int]:
    given = place.url if isinstance(place, Address) else place
    command = [sys.executable, "-m", "tests.integrity.press", what, *map(str, (given, *arguments))]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, **settings)
    told: dict[str, int] = json.loads(done.stdout)
    print(what, *arguments, told)
    return told


def check_killed(place: Place, rounds: int, seed: int) -> None:
    told = press("killed", place, rounds, seed)
    assert (told["lost"], told["findings"]) == (0, 0)
    assert told["acknowledged"] >= rounds * 3 // 4  # so many are waited for
    assert told["unacknowledged"] <= rounds


def test_kill_9_loses_nothing_acknowledged(place: Place) -> None:
    check_killed(place, 16 if isinstance(place, Address) else 100, 1)


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_two_thousand_kill_9_lose_nothing_acknowledged(place: Place) -> None:
    check_killed(place, 2_000, 2)


def test_kill_9_loses_nothing_of_threads_that_share_a_commit(place: Place) -> None:
    rounds = 10 if isinstance(place, Address) else 20
    told = press("together", place, rounds, 4)
    assert (told["lost"], told["gaps"], told["findings"]) == (0, 0, 0)
    assert told["acknowledged"] >= rounds // 2


def test_an_answer_before_the_commit_would_be_lost(tmp_path: Path) -> None:
    """The control: a writer that acknowledges first loses events, and the test above would see it."""
    assert press("killed", tmp_path / "journal.db", 20, 3, "early")["lost"] > 0


def check_crowd(place: Place, writers: int, each: int) -> None:
    told = press("crowd", place, writers, each)
    share = each // 8
    assert told == {
        "failed": 0,
        "own": writers * (each - share),
        "shared": writers * share,
        "in_order": 1,
        "findings": 0,
        "events": writers * each + writers + 1,
    }


def test_eight_writers_leave_no_gap(place: Place) -> None:
    check_crowd(place, 8, 56 if isinstance(place, Address) else 40)


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_eight_writers_of_four_hundred_leave_no_gap(place: Place) -> None:
    check_crowd(place, 8, 400)


def test_a_full_disk_refuses_and_loses_nothing(tmp_path: Path) -> None:
    """The file may not grow: every refused append leaves what stood there, and with room it goes on."""
    path = tmp_path / "journal.db"
    journal = Journal.open(path)
    key = journal.create(BEGAN).key
    kept, refused = 0, 0
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.with_name("journal.db-wal").stat().st_size + 120_000, hard))
    try:
        while refused < 5:
            try:
                journal.append(key, [noted(kept, note="x" * 400)], kept + 1)
                kept += 1
            except StoreError:
                refused += 1
                assert len(texts(journal, key)) == kept
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)
    assert kept
    journal.append(key, [noted(kept)], kept + 1)
    journal.close()
    journal = Journal.open(path)
    assert texts(journal, key) == [f"number {number}" for number in range(kept + 1)]
    journal.close()
    assert fsck.audit(path).findings == ()


def test_a_full_database_refuses_and_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    journal = Journal.open(path)
    key = journal.create(BEGAN).key
    database = journal._connections.database()
    pages = database.execute("PRAGMA page_count").fetchone()[0]
    database.execute(f"PRAGMA max_page_count = {pages + 4}")
    kept, full = 0, False
    while not full:
        try:
            journal.append(key, [noted(kept, note="x" * 400)], kept + 1)
            kept += 1
        except StoreError as error:
            full = error.code == "full"
    assert len(texts(journal, key)) == kept
    database.execute("PRAGMA max_page_count = 100000")
    journal.append(key, [noted(kept)], kept + 1)
    journal.close()
    assert fsck.audit(path).findings == ()


def deliver(journal: Journal, key: str, events: list[dict[str, Any]], chance: random.Random) -> None:
    """Every event twice or more, in any order; who comes too early comes again. As a bad network would."""
    post = [number for number in range(len(events)) for _ in range(chance.randrange(2, 4))]
    chance.shuffle(post)
    for _ in range(100 * len(post)):
        number = post.pop()
        try:
            journal.append(key, [events[number]], number + 1, f"command-{number}")
        except VersionConflictError:
            post.insert(0, number)
        if not post:
            return
    raise AssertionError("what was delivered is not taken")


@pytest.mark.parametrize("seed", range(4))
def test_duplicates_and_reorderings_arrive_exactly_once(tmp_path: Path, seed: int) -> None:
    path, chance = tmp_path / "journal.db", random.Random(seed)
    journal = Journal.open(path)
    key = journal.create(BEGAN).key
    events = [noted(number, **({"id": f"e{number}"} if number % 2 else {})) for number in range(25)]
    deliver(journal, key, events, chance)
    assert texts(journal, key) == [f"number {number}" for number in range(25)]
    for number in range(25):
        again = journal.append(key, [events[number]], 0, f"command-{number}")
        assert (again.seqs, again.version, again.repeated) == ((number + 1,), number + 2, True)
        with pytest.raises(CommandReusedError):
            journal.append(key, [noted(99)], number + 1, f"command-{number}")
    with pytest.raises(EventsRefusedError):
        journal.append(key, [noted(98, id="e1")], 26)
    assert journal.entry(key).events == 26
    journal.close()
    assert fsck.audit(path).findings == ()


JUMPS = [0, 1_700_000_000_000, -5, 2**53 - 1, 1, 1_700_000_000_000, -(2**40), 4_102_444_800_000]


def test_a_clock_that_jumps_changes_no_order_and_breaks_no_proof(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    ticks = itertools.cycle(JUMPS)
    journal = Journal.open(path, clock=lambda: next(ticks))
    notary = Notary.open(path)
    key = journal.create(BEGAN).key
    receipts = []
    for number in range(24):
        journal.append(key, [noted(number)], number + 1, f"c{number}")
        receipts.append(receipt.make(journal, notary, key))
    assert texts(journal, key) == [f"number {number}" for number in range(24)]
    assert journal.append(key, [noted(3)], 0, "c3").seqs == (4,)
    assert [len(receipt.verify(each, notary.verifiers).lines) for each in receipts] == list(range(2, 26))
    assert {header.at for header in receipt.verify(receipts[-1], notary.verifiers).headers} == set(JUMPS)
    notary.close()
    journal.close()
    assert fsck.audit(path).findings == ()
