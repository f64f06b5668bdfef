"""Speed and memory, measured beside other replayers in the same run: `make bench`; exit 1 when a figure is missed."""

import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from click.testing import CliRunner

from replay import cli_commands
from tests.bench import journal
from tests.bench.scaling import EVENING, RAZBOR, ROOT, memory, scaling
from tests.bench.speeds import ROUNDS, speeds
from tests.bench.table import Figure, ratio, table

Found = tuple[list[Figure], list[str]]
"""Figures, and what was left out and why."""
COMPILED = ROOT / "build" / "compiled" / "tree"
SHOWN = re.compile(r"(?<=<!-- make bench -->\n).*(?=<!-- end -->)", re.DOTALL)


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
    pairs = sorted(one / other for one, other in zip(times["ours"], times["bare"], strict=True))
    spread = (pairs[0], statistics.median(pairs), pairs[-1])
    return [Figure("start of verify", ours / bare, 8, at_least=False, spread=spread, detail=detail)]


def storage() -> list[Figure]:
    middle = statistics.median
    return [
        ratio("durable appends of eight threads: plain sqlite3", *journal.crowd(), 0.9),
        ratio("durable appends of one thread: plain sqlite3", *journal.appends(), 0.9, best=middle),
        ratio("bulk upload: raw executemany", *journal.bulk(), 0.3),
    ]


def compiled(rounds: int) -> Found:
    """The speeds of the engine that `make compiled` built, where it did, by this very bench."""
    if not (COMPILED / "replay").is_dir():
        return [], ["the compiled engine: make compiled was not run"]
    command = [sys.executable, "-m", "tests.bench", "--only", "speeds", "--json", "--rounds", str(rounds)]
    with tempfile.TemporaryDirectory() as folder:
        for part in COMPILED.iterdir():
            Path(folder, part.name).symlink_to(ROOT / "tests" if part.name == "tests" else part)
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        return [], [f"the compiled engine: its bench ended with {done.returncode}"]
    told = json.loads(done.stdout)
    if told["version"] == version():
        return [], [f"the compiled engine: {told['version']} was found in its place"]
    figures = [Figure(**figure) for figure in told["figures"] if not figure["what"].startswith("size")]
    return [replace(figure, what=f"compiled: {figure.what}") for figure in figures], told["left_out"]


def version() -> str:
    """Which Razbor is measured, and whether its engine is compiled."""
    return CliRunner().invoke(cli_commands.main, ["--lang", "en", "--version"]).stdout.strip()


def conditions(load: Sequence[float]) -> str:
    """What it was measured on, and how busy that was before and after."""
    busy = f"load {load[0]:.1f} before, {os.getloadavg()[0]:.1f} after"
    return f"{version()}, Python {platform.python_version()}, {os.cpu_count()} processors, {busy}."


def _hands(text: str) -> int:
    hands = int(text)
    if hands <= 0 or hands % EVENING:
        raise argparse.ArgumentTypeError(f"a multiple of {EVENING}")
    return hands


def asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--only", choices=("speeds", "compiled", "memory", "scaling", "startup", "storage"))
    parser.add_argument(
        "--hands", type=_hands, default=100_000, help="the most that are judged in one go, in steps of 250"
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--json", action="store_true", help="the figures as JSON")
    parser.add_argument("--readme", action="store_true", help="put the table into README.md as well")
    return parser.parse_args()


def main() -> int:
    given, load = asked(), os.getloadavg()
    parts: dict[str, Callable[[], Found]] = {
        "speeds": lambda: speeds(given.rounds),
        "compiled": lambda: compiled(given.rounds),
        "memory": lambda: (memory(), []),
        "scaling": lambda: scaling(given.hands),
        "startup": lambda: (startup(), []),
        "storage": lambda: (storage(), []),
    }
    found = [part() for name, part in parts.items() if given.only in (None, name)]
    figures = [figure for some, _ in found for figure in some]
    left_out = list(dict.fromkeys(why for _, some in found for why in some))
    if given.json:
        print(json.dumps({"version": version(), "figures": [asdict(each) for each in figures], "left_out": left_out}))
        return 0
    told = "\n".join([conditions(load), *(f"Left out: {each}." for each in left_out), "", table(figures)])
    print(told, end="")
    if given.readme:
        _put(told, ROOT / "README.md")
    return 0 if all(figure.holds for figure in figures) else 1


def _put(told: str, readme: Path) -> None:
    text = readme.read_text(encoding="utf-8")
    if not SHOWN.search(text):
        raise SystemExit(f"{readme.name} has no place for the table")
    readme.write_text(SHOWN.sub(lambda _: told, text), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
