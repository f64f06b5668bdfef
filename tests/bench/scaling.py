"""`razbor verify` as it is run: ever more hands, two processes and a cluster against one, what a process holds."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import cycle, islice
from pathlib import Path

from tests.bench.evenings import bura, evening
from tests.bench.table import Figure, ratio

ROOT = Path(__file__).resolve().parent.parent.parent
# A process of its own: what a child weighs at most counts from its parent's weight at the fork.
WEIGHED = """
import os, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(child.pid, 0)
sys.exit(1) if status else print(usage.ru_maxrss)
"""
RAZBOR = "import sys; from replay.cli import main; main(sys.argv[1:])"
EVENING, DIFFERENT, ROUNDS = 250, 112, 3
"""Hands of an evening, different evenings at most, and how often the most hands are judged."""
CLOCK = "hands a second by the clock"


@dataclass(frozen=True)
class Run:
    """Seconds by the clock, and MiB of the greatest of its processes."""

    seconds: float
    memory: float


def verify(*arguments: str) -> Run:
    """`razbor verify` of clean recordings, in a process of its own."""
    command = [sys.executable, "-c", WEIGHED, sys.executable, "-c", RAZBOR, "verify", *arguments]
    began = time.perf_counter()
    told = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    took = time.perf_counter() - began
    return Run(took, int(told) / (1024 * 1024 if sys.platform == "darwin" else 1024))


def memory() -> list[Figure]:
    """Of one evening, and of one ten times as long."""
    once, tenfold = (_of_one_evening(hands) for hands in (200, 2000))
    return [
        Figure("memory of verify", once, 64, " MiB", at_least=False, detail="one evening of 200 hands"),
        Figure("memory of ten times the file", tenfold, 64, " MiB", at_least=False, detail="one of 2,000 hands"),
        Figure("memory growth from 1x to 10x", tenfold / once, 1.05, at_least=False),
    ]


def _of_one_evening(hands: int) -> float:
    with tempfile.NamedTemporaryFile(suffix=".bura.jsonl") as file:
        file.write(evening(hands))
        file.flush()
        return verify(file.name).memory


def scaling(most: int) -> tuple[list[Figure], list[str]]:
    """From a thousand hands to the most, by tens; then the most with two processes, and on a cluster of two."""
    sizes = [size for size in (1000 * 10**power for power in range(9)) if size < most] + [most]
    with tempfile.TemporaryDirectory() as folder:
        files = list(_evenings(Path(folder), min(DIFFERENT, most // EVENING)))
        figures = [_told(size, verify(*_named(files, size))) for size in sizes]
        all_of_them = _named(files, most)
        figures.append(_room())
        runs = [(verify(*all_of_them), verify("--jobs", "2", *all_of_them)) for _ in range(ROUNDS)]
        ones, twos = ([most / run.seconds for run in each] for each in zip(*runs, strict=True))
        figures.append(ratio(f"verify {most:,} hands: two processes against one", twos, ones, 1.7, CLOCK))
        greatest = max(run.memory for _, run in runs)
        what = f"memory of {most:,} hands, the greatest of two processes and their parent"
        figures.append(Figure(what, greatest, 100, " MiB", at_least=False))
        if find_spec("distributed") is None:
            return figures, ["dask: distributed is not installed"]
        with _cluster() as address:
            across = [most / verify("--cluster", address, *all_of_them).seconds for _ in range(ROUNDS)]
        figures.append(
            ratio(f"verify {most:,} hands: dask, two workers against two processes", across, twos, per=CLOCK)
        )
    return figures, []


def _room() -> Figure:
    """What this machine gives a second process just now: as much counting done by two at once as by one."""
    counting = [sys.executable, "-c", "for number in range(10**7): pass"]
    found: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for many, rates in zip((2, 1), found, strict=True):
            began = time.perf_counter()
            for each in [subprocess.Popen(counting) for _ in range(many)]:
                each.wait()
            rates.append(many / (time.perf_counter() - began))
    return ratio(
        "two processes that only count against one: what the machine gives", *found, per="a second by the clock"
    )


def _told(size: int, run: Run) -> Figure:
    detail = f"{run.seconds:.1f} s by the clock, {run.memory:.0f} MiB"
    return Figure(f"verify {size:,} hands", size / run.seconds, unit=" hands/s", detail=detail)


def _evenings(folder: Path, count: int) -> Iterator[str]:
    """Files of one evening each, every hand of which is different."""
    for seed in range(count):
        file = folder / f"{seed}.bura.jsonl"
        file.write_bytes(bura(EVENING, seed))
        yield str(file)


def _named(files: Sequence[str], hands: int) -> list[str]:
    """So many hands: the files in turn, over and over."""
    return list(islice(cycle(files), hands // EVENING))


@contextmanager
def _cluster() -> Iterator[str]:
    """Two workers of one thread each, on this machine."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster:
        yield str(cluster.scheduler_address)
