"""The power goes at any moment: the disk holds what was synced, and of the rest any part, torn anywhere."""

import os
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from recorder import fsck
from recorder.journal import Journal
from tests.integrity.evening import BEGAN, quick_folder
from tests.integrity.traced import files_of, press, strace

pytestmark = pytest.mark.needs("strace")
APPENDS = 60
SECTOR = 512
_CALL = re.compile(r"([a-z0-9_]+)\((\d+)<([^>]*)>(?:, )?(.*)\) += (-?\d+)")
_TRACED = "trace=pwrite64,write,fdatasync,fsync,ftruncate"


@dataclass
class File:
    """What surely is on the disk, and what was asked since the last sync: where, and which bytes."""

    synced: bytearray
    asked: list[tuple[int, bytes | None]] = field(default_factory=list)

    def sync(self) -> None:
        for at, data in self.asked:
            put(self.synced, at, data)
        self.asked.clear()

    def crashed(self, chance: random.Random) -> bytes:
        """One way it may be found: each thing asked is there, or not, or torn."""
        found, kept = bytearray(self.synced), chance.choice([0.0, 0.5, 0.9, 1.0])
        for at, data in self.asked:
            if chance.random() < kept:
                put(found, at, data)
            elif data is not None and chance.random() < 0.3:
                torn = chance.randrange(0, len(data) + 1, SECTOR) if len(data) > SECTOR else len(data)
                put(found, at, data[:torn])
        return bytes(found)


def put(found: bytearray, at: int, data: bytes | None) -> None:
    """What a write does to a file; without data, its length is set."""
    if data is None:
        del found[at:]
        data = b""
    if len(found) < at:
        found.extend(bytes(at - len(found)))
    found[at : at + len(data)] = data


@dataclass(frozen=True)
class Asked:
    """One call of the trace: of which file, what."""

    name: str
    file: str
    at: int
    data: bytes


def name_of(file: str) -> str:
    return Path(unhex(file).decode() if file.startswith("\\x") else file).name


def unhex(text: str) -> bytes:
    return bytes.fromhex(text.strip('"').replace("\\x", ""))


def read_trace(trace: Path) -> Iterator[Asked]:
    with trace.open() as lines:
        for line in lines:
            match = _CALL.match(line)
            if not match:
                assert line.startswith(("+++", "---", "strace")) or "resumed" in line or "kill(" in line, line[:200]
                continue
            name, _, file, rest, done = match.groups()
            assert int(done) >= 0, line[:200]
            if name == "pwrite64":
                spelled, length, at = rest.rsplit(", ", 2)
                data = unhex(spelled)
                assert len(data) == int(length) == int(done)
                yield Asked(name, name_of(file), int(at), data)
            elif name == "write":
                yield Asked(name, name_of(file), 0, unhex(rest.rsplit(", ", 1)[0]))
            else:
                yield Asked(name, name_of(file), int(rest or 0), b"")


@dataclass
class Recorded:
    """A writer's trace, and the files as they were when it began."""

    before: dict[str, bytes]
    asked: list[Asked]
    acknowledged_before: int


def record(folder: Path, synchronous: str) -> Recorded:
    path = folder / "journal.db"
    journal = Journal.open(path)
    key = journal.create(BEGAN).key
    journal.close()
    with press("steady", path, key, APPENDS, synchronous) as writer:
        assert writer.stdout
        assert writer.stdin
        assert writer.stdout.readline() == "ready\n"
        os.sync()
        before = {name: (folder / name).read_bytes() for name in ("journal.db", "journal.db-wal")}
        how = (*files_of(path), "-y", "-xx", "-s", "70000", "-e", _TRACED)
        with strace(writer.pid, folder / "trace", *how, patience=60):
            writer.stdin.write("go\n")
            writer.stdin.flush()
            writer.wait()
    asked = list(read_trace(folder / "trace"))
    assert sum(each.file == "acknowledged" for each in asked) == APPENDS
    assert sum(each.file == "journal.db" for each in asked) > 4, "no checkpoint was traced"
    return Recorded(before, asked, 2)


def events_after(folder: Path, files: dict[str, File], chance: random.Random) -> int:
    """How many events stand in the journal that is found after the crash; -1 where it has findings."""
    path = folder / "journal.db"
    path.with_name("journal.db-shm").unlink(missing_ok=True)
    for name, file in files.items():
        (folder / name).write_bytes(file.crashed(chance))
    audit = fsck.audit(path)
    return -1 if audit.findings else audit.events


def crash(recorded: Recorded, folder: Path, count: int, seed: int) -> tuple[int, int]:
    """So many crashes: how many lost an acknowledged event, how many left a journal with findings."""
    chance, lost, broken = random.Random(seed), 0, 0
    moments = sorted(chance.randrange(len(recorded.asked) + 1) for _ in range(count))
    files = {name: File(bytearray(data)) for name, data in recorded.before.items()}
    acknowledged, done = recorded.acknowledged_before, 0
    for moment in moments:
        for each in recorded.asked[done:moment]:
            if each.file == "acknowledged":
                acknowledged += 1
            elif each.name == "pwrite64":
                files[each.file].asked.append((each.at, each.data))
            elif each.name == "ftruncate":
                files[each.file].asked.append((each.at, None))
            elif each.name in ("fdatasync", "fsync"):
                files[each.file].sync()
            else:
                raise AssertionError(each.name)
        done = moment
        events = events_after(folder, files, chance)
        broken += events < 0
        lost += 0 <= events < acknowledged
    return lost, broken


@pytest.fixture
def images() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder


def test_power_loss_loses_nothing_acknowledged(tmp_path: Path, images: Path) -> None:
    assert crash(record(tmp_path, "as it is"), images, 2_500, 1) == (0, 0)


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_fifty_thousand_power_losses_lose_nothing_acknowledged(tmp_path: Path, images: Path) -> None:
    assert crash(record(tmp_path, "as it is"), images, 50_000, 2) == (0, 0)


def test_without_a_sync_at_every_commit_power_loss_loses_events(tmp_path: Path, images: Path) -> None:
    """The control: `synchronous = NORMAL` must lose acknowledged events, or the test above sees nothing."""
    lost, broken = crash(record(tmp_path, "NORMAL"), images, 250, 1)
    assert lost > 50
    assert broken == 0
