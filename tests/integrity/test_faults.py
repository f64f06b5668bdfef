"""Every system call of an append fails once: with an input/output error, with a full disk, with a kill."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined] # the one that the journal uses

from recorder import fsck
from recorder.journal import Journal
from recorder.sqlite_file import store_error
from recorder.store import StoreError
from tests.integrity.evening import BEGAN, texts
from tests.integrity.traced import Call, Probes, calls, press

pytestmark = pytest.mark.needs("strace")
LOCK_LOST = 15
"""SQLITE_PROTOCOL: what SQLite says where a lock is not given back."""
FAULTS = ("error=EIO", "error=ENOSPC", "signal=SIGKILL")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def key(path: Path) -> str:
    journal = Journal.open(path)
    found = journal.create(BEGAN).key
    journal.close()
    return found


@pytest.fixture
def probes(path: Path, key: str) -> Iterator[Probes]:
    with press("probes", path, key) as server:
        yield Probes(server, path)


def stored(path: Path, key: str) -> list[str]:
    journal = Journal.open(path)
    found = texts(journal, key)
    journal.close()
    return found


def check(path: Path, key: str, probes: Probes, call: Call, fault: str) -> str:
    """One append with one fault; what the writer said of it."""
    before = len(stored(path, key))
    said, trace = probes.run(["-e", f"inject={call.name}:{fault}:when={call.nth}"])
    after = stored(path, key)
    assert after == [f"number {number + 1}" for number in range(len(after))]
    outcome = json.loads(said) if said else {"first": "killed", "again": "killed"}
    fresh = len(after) - before - 1  # one the writer appended before it was traced
    where = f"{call} {fault} {outcome}"
    assert fresh == 1 if "kept" in outcome.values() else fresh in (0, 1), where
    assert (said == "") == ("SIGKILL" in trace), where
    assert fsck.audit(path).findings == (), where
    return str(outcome["first"])


def check_all(path: Path, key: str, probes: Probes, fault: str, *, locks: bool) -> None:
    said, trace = probes.run([])
    assert json.loads(said)["first"] == "kept"
    places = calls(trace)
    names = {call.name for call in places}
    assert "pwrite64" in names, trace
    assert names & {"fsync", "fdatasync"}, trace
    outcomes = [check(path, key, probes, call, fault) for call in places if locks or call.name != "fcntl"]
    print(fault, len(places), {each: outcomes.count(each) for each in outcomes})
    assert any(each != "kept" for each in outcomes)
    if fault == "signal=SIGKILL":
        assert set(outcomes) == {"killed"}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_at_every_system_call_of_an_append(path: Path, key: str, probes: Probes, fault: str) -> None:
    """SQLite waits ten seconds for a lock that cannot be given back: that one is left to the long test."""
    check_all(path, key, probes, fault, locks=fault == "signal=SIGKILL")


@pytest.mark.soak
@pytest.mark.timeout(0)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_at_every_lock_too(path: Path, key: str, probes: Probes, fault: str) -> None:
    check_all(path, key, probes, fault, locks=True)


@pytest.mark.parametrize(("code", "why"), [(LOCK_LOST, "busy"), (10 | 4 << 8, "disk"), (19, None)])
def test_what_the_file_did_not_do_is_told_and_what_is_wrong_with_a_row_is_ours(
    tmp_path: Path, code: int, why: str | None
) -> None:
    """A lock that was not given back was told as a bug of ours."""
    error = sqlite3.OperationalError("locking protocol")
    error.sqlite_errorcode = code
    told = store_error(error, tmp_path)
    assert (isinstance(told, StoreError), str(told).partition(":")[0] if why else told) == (bool(why), why or error)
