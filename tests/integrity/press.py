"""Processes that write to a journal while something happens to them. Run as `python -m tests.integrity.press WHAT ...`.

One process has everything imported and forks the writers, so that a hundred of them take seconds.
"""

import json
import os
import random
import select
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from recorder import fsck
from recorder.address import Place, place_of
from recorder.journal import Journal, VersionConflictError
from recorder.store import StoreError
from tests.integrity.evening import BEGAN, noted, texts

SETTING = "PRAGMA synchronous = {}"
PATIENCE = 60
"""Seconds that a writer may take to its first word, on a machine that has other things to do."""


def fork(run: Callable[[], None]) -> int:
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        run()
        code = 0
    finally:
        os._exit(code)


def say(out: int, what: str) -> None:
    os.write(out, f"{what}\n".encode())


def read_all(inlet: int) -> list[str]:
    with os.fdopen(inlet) as file:
        return file.read().splitlines()


def write_on(path: Place, key: str, out: int, *, early: bool = False) -> None:
    """Appends until killed, telling of each event after it was acknowledged; `early` tells before: the control."""
    journal = Journal.open(path)
    version = journal.entry(key).events
    while True:
        if early:
            say(out, f"number {version}")
        journal.append(key, [noted(version)], version)
        if not early:
            say(out, f"number {version}")
        version += 1


def killed(path: Place, rounds: int, seed: int, *, early: bool = False) -> dict[str, int]:
    """Kills writers at chance moments; how much was acknowledged, lost, and written without being acknowledged."""
    chance = random.Random(seed)
    told = {"rounds": rounds, "acknowledged": 0, "lost": 0, "unacknowledged": 0, "findings": 0}
    key, so_far = "", 0
    for number in range(rounds):
        if number % 8 == 0:
            journal = Journal.open(path)
            key, so_far = journal.create(BEGAN).key, 0
            journal.close()
        inlet, out = os.pipe()
        pid = fork(lambda out=out, key=key: write_on(path, key, out, early=early))  # type: ignore[misc]
        os.close(out)
        if number % 4:  # else it may still be opening the journal
            select.select([inlet], [], [], PATIENCE)
        time.sleep(chance.choice([0.002, 0.01, 0.03]) * chance.random())
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        acknowledged = read_all(inlet)
        journal = Journal.open(path)
        stored = texts(journal, key)[so_far:]
        journal.close()
        told["acknowledged"] += len(acknowledged)
        told["lost"] += len(set(acknowledged) - set(stored))
        told["unacknowledged"] += len(set(stored) - set(acknowledged))
        so_far += len(stored)
        if stored != [f"number {so_far - len(stored) + at + 1}" for at in range(len(stored))]:
            told["findings"] += 1
    told["findings"] += len(fsck.audit(path).findings)
    return told


def killed_together(path: Place, rounds: int, seed: int) -> dict[str, int]:
    """As `killed`, where four threads of the process write at once, and share their commits."""
    chance = random.Random(seed)
    told = {"rounds": rounds, "acknowledged": 0, "lost": 0, "gaps": 0}
    journal = Journal.open(path)
    keys = [journal.create(BEGAN).key for _ in range(4)]
    journal.close()
    for number in range(rounds):
        inlet, out = os.pipe()
        pid = fork(lambda out=out: write_together(path, keys, out))  # type: ignore[misc]
        os.close(out)
        if number % 4:
            select.select([inlet], [], [], PATIENCE)
        time.sleep(chance.choice([0.002, 0.01, 0.03]) * chance.random())
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        acknowledged = [tuple(line.split()) for line in read_all(inlet)]
        journal = Journal.open(path)
        stored = {key: texts(journal, key) for key in keys}
        journal.close()
        told["acknowledged"] += len(acknowledged)
        told["lost"] += sum(f"number {version}" not in stored[key] for key, version in acknowledged)
        told["gaps"] += sum(lines != [f"number {at}" for at in range(1, len(lines) + 1)] for lines in stored.values())
    told["findings"] = len(fsck.audit(path).findings)
    return told


def write_together(path: Place, keys: list[str], out: int) -> None:
    """A thread for each recording appends until killed, telling of each event after it was acknowledged."""
    journal = Journal.open(path)

    def write(key: str) -> None:
        version = journal.entry(key).events
        while True:
            journal.append(key, [noted(version)], version)
            say(out, f"{key} {version}")
            version += 1

    threads = [threading.Thread(target=write, args=[key]) for key in keys]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def crowd(path: Place, writers: int, each: int) -> dict[str, int]:
    """Many processes append to one recording and to one of their own; conflicts are tried again."""
    journal = Journal.open(path)
    shared = journal.create(BEGAN).key
    own = [journal.create(BEGAN).key for _ in range(writers)]
    journal.close()
    share = each // 8

    def work(number: int) -> None:
        mine = Journal.open(path)
        for count in range(each - share):
            mine.append(own[number], [noted(count)], count + 1)
        for count in range(share):
            while True:
                version = mine.entry(shared).events
                try:
                    mine.append(shared, [{"type": "noted", "text": f"{number} {count}"}], version)
                except VersionConflictError:
                    continue
                break
        mine.close()

    pids = [fork(lambda number=number: work(number)) for number in range(writers)]  # type: ignore[misc]
    failed = sum(os.waitpid(pid, 0)[1] != 0 for pid in pids)
    journal = Journal.open(path)
    together = [tuple(map(int, text.split())) for text in texts(journal, shared)]
    told = {
        "failed": failed,
        "own": sum(len(texts(journal, key)) for key in own),
        "shared": len(together),
        "in_order": int(
            all([n for w, n in together if w == writer] == list(range(share)) for writer in range(writers))
        ),
        "findings": len(fsck.audit(path).findings),
        "events": fsck.audit(path).events,
    }
    journal.close()
    return told


def probe(path: Path, key: str) -> None:
    """Says when it is ready; told to go on, appends one event by a command, once more if that failed, and says how."""
    journal = Journal.open(path)
    version = journal.entry(key).events
    journal.append(key, [noted(version)], version)
    say(1, "ready")
    sys.stdin.readline()
    outcome = append_once(journal, key, version + 1, f"probe-{os.getpid()}")
    again = append_once(journal, key, version + 1, f"probe-{os.getpid()}") if outcome != "kept" else outcome
    say(1, json.dumps({"first": outcome, "again": again}))
    os._exit(0)


def append_once(journal: Journal, key: str, version: int, command: str) -> str:
    try:
        journal.append(key, [noted(version)], version, command)
    except (StoreError, OSError) as error:
        return type(error).__name__
    return "kept"


def steady(path: Path, key: str, count: int, synchronous: str) -> None:
    """Appends so many events, noting each acknowledgement in a file beside the journal; often checkpoints its WAL."""
    journal = Journal.open(path)
    database = journal._connections.database()
    if synchronous != "as it is":
        database.execute(SETTING.format(synchronous))
    database.execute("PRAGMA wal_autocheckpoint = 60")
    version = journal.entry(key).events
    journal.append(key, [noted(version)], version)
    notes = os.open(path.with_name("acknowledged"), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    say(1, "ready")
    sys.stdin.readline()
    for number in range(version + 1, version + 1 + count):
        journal.append(key, [noted(number)], number)
        say(notes, f"{number}")
    os.kill(os.getpid(), signal.SIGKILL)


def main(what: str, place: str, *given: str) -> None:
    path = Path(place)
    match what:
        case "killed":
            print(json.dumps(killed(place_of(place), int(given[0]), int(given[1]), early="early" in given)))
        case "together":
            print(json.dumps(killed_together(place_of(place), int(given[0]), int(given[1]))))
        case "crowd":
            print(json.dumps(crowd(place_of(place), int(given[0]), int(given[1]))))
        case "probe":
            probe(path, given[0])
        case "steady":
            steady(path, given[0], int(given[1]), given[2])
        case _:
            serve(lambda: probe(path, given[0]))


def serve(run: Callable[[], None]) -> None:
    """Forks a writer for each line of standard input, which names a directory with two pipes, `in` and `out`."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while line := sys.stdin.readline():
        folder = Path(line.rstrip("\n"))

        def start(folder: Path = folder) -> None:
            os.dup2(os.open(folder / "out", os.O_WRONLY), 1)
            say(1, str(os.getpid()))
            sys.stdin = (folder / "in").open(encoding="utf-8")
            run()

        fork(start)


if __name__ == "__main__":
    arguments: Any = sys.argv
    main(*arguments[1:])
