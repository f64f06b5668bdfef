"""Speed and memory, measured beside other replayers in the same run: `make bench`; exit 1 when a figure is missed."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from schemas.events import Recording
from schemas.rules import HouseRules
from tests.bench import journal, peers
from tests.bench.evenings import bourre, bura, evening

ROOT = Path(__file__).resolve().parent.parent.parent
# A process of its own: what a child weighs at most counts from its parent's weight at the fork.
WEIGHED = """
import os, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(child.pid, 0)
sys.exit(1) if status else print(usage.ru_maxrss)
"""
RAZBOR = "import sys; from replay.cli import main; main(sys.argv[1:])"


@dataclass(frozen=True)
class Figure:
    """What was measured, what was wanted of it, and how the two stand."""

    what: str
    got: float
    wanted: float
    unit: str
    at_least: bool
    detail: str

    @property
    def holds(self) -> bool:
        return self.got >= self.wanted if self.at_least else self.got <= self.wanted

    def __str__(self) -> str:
        sign = ">=" if self.at_least else "<="
        mark = "ok  " if self.holds else "MISS"
        wanted = f"wanted {sign} {self.wanted:g}{self.unit}"
        return f"{mark} {self.what}: {self.got:.2f}{self.unit} ({wanted}; {self.detail})"


def rates(works: Mapping[str, Callable[[], int]], rounds: int = 9) -> dict[str, list[float]]:
    """By name of a work: things done in a second of this process's own time, in each of some rounds, all in turn."""
    found: dict[str, list[float]] = {name: [] for name in works}
    for work in works.values():
        work()  # imports, and what is worked out once
    for _ in range(rounds):
        for name, work in works.items():
            began = time.process_time()
            done = work()
            found[name].append(done / (time.process_time() - began))
    return found


def ratio(what: str, ours: list[float], theirs: list[float], wanted: float, goal: float) -> Figure:
    """The best round against the best, and the spread of the rounds taken in pairs."""
    pairs = sorted(one / other for one, other in zip(ours, theirs, strict=True))
    spread = f"rounds {pairs[0]:.2f} .. {statistics.median(pairs):.2f} .. {pairs[-1]:.2f}"
    per = f"{max(ours):,.0f} against {max(theirs):,.0f} a second"
    return Figure(what, max(ours) / max(theirs), wanted, "x", True, f"goal {goal:g}x; {spread}; {per}")


def _playing(recording: Recording, house: HouseRules) -> Callable[[], int]:
    """The engine alone: events that were read are stepped through, and what is wrong is found."""
    from replay.audit.stream import Stream

    def played() -> int:
        assert Stream(recording.began, house).take(list(recording.events))
        return len(recording.events)

    return played


def speeds() -> list[Figure]:
    from recorder import intake
    from replay import desk

    records = {"bura": bura(300), "bourre": bourre(300)}
    works: dict[str, Callable[[], int]] = {"poker": peers.poker, "chess": peers.chess}
    for game, record in records.items():
        found = intake.read(record)
        if desk.verify(record)["verdict"] != "verified" or not isinstance(found, Recording):
            raise SystemExit(f"the evening of {game} to be measured is not clean")

        def verified(record: bytes = record, count: int = len(found.events)) -> int:
            for _ in desk.verify_each(record):
                pass
            return count

        works |= {game: verified, f"{game} played": _playing(found, desk.house_of(found))}
    got = rates(works)
    return [
        *(
            figure
            for game in records
            for figure in (
                ratio(f"verify {game} against pokerkit's parse and replay", got[game], got["poker"], 30, 50),
                ratio(f"verify {game} against python-chess read_game", got[game], got["chess"], 3, 5),
                ratio(f"engine on {game} against pokerkit", got[f"{game} played"], got["poker"], 150, 150),
            )
        ),
        ratio("verify bourre against bura", got["bourre"], got["bura"], 0.8, 0.8),
    ]


def peak_memory(hands: int) -> float:
    """MiB that `razbor verify` of one long evening holds at most."""
    with tempfile.NamedTemporaryFile(suffix=".bura.jsonl") as file:
        file.write(evening(hands))
        file.flush()
        command = [sys.executable, "-c", WEIGHED, sys.executable, "-c", RAZBOR, "verify", file.name]
        told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return int(told) / (1024 * 1024 if sys.platform == "darwin" else 1024)


def memory() -> list[Figure]:
    once, tenfold = peak_memory(200), peak_memory(2000)
    return [
        Figure("memory of verify", once, 64, " MiB", False, "200 hands"),
        Figure("memory of ten times the file", tenfold, 64, " MiB", False, "2000 hands"),
        Figure("memory growth from 1x to 10x", tenfold / once, 1.05, "x", False, f"{once:.0f} to {tenfold:.0f} MiB"),
    ]


def startup() -> list[Figure]:
    sample = str(ROOT / "data" / "recordings" / "thirty-counted-as-thirty-one.bura.jsonl")
    ways = {"bare": ("-c", "pass"), "ours": ("-c", RAZBOR, "verify", sample)}
    times: dict[str, list[float]] = {name: [] for name in ways}
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, *ways["ours"]], cwd=ROOT, stdout=subprocess.DEVNULL, env=env, check=False)
    for _ in range(21):
        for name, arguments in ways.items():
            child = subprocess.Popen([sys.executable, *arguments], cwd=ROOT, stdout=subprocess.DEVNULL, env=env)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            times[name].append(usage.ru_utime + usage.ru_stime)
    bare, ours = statistics.median(times["bare"]), statistics.median(times["ours"])
    detail = f"medians of {1000 * ours:.0f} ms against {1000 * bare:.0f} ms of python -c pass"
    return [Figure("start of verify", ours / bare, 8, "x", False, detail)]


def storage() -> list[Figure]:
    told = []
    for what, wanted, (ours, raw) in (
        ("durable appends of eight threads against plain sqlite3", 0.9, journal.crowd()),
        ("durable appends of one thread against plain sqlite3, prepared rows", 0.6, journal.appends()),
        ("bulk upload against raw executemany", 0.3, journal.bulk()),
    ):
        told.append(Figure(what, ours / raw, wanted, "x", True, f"{ours:,.0f} against {raw:,.0f} a second"))
    return told


def main() -> int:
    figures = [*speeds(), *memory(), *startup(), *storage()]
    for figure in figures:
        print(figure)
    return 0 if all(figure.holds for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
