"""Speed and memory, measured beside other replayers in the same run: `make bench`; exit 1 when a figure is missed."""

import io
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.bench import journal
from tests.bench.evenings import evening

ROOT = Path(__file__).resolve().parent.parent.parent
RAZBOR = "import sys; from replay.cli import main; main(sys.argv[1:])"
POKER = """variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [10000, 10000, 10000]
actions = [
    "d dh p1 AcKd", "d dh p2 7h7s", "d dh p3 QsQc", "p3 cbr 300", "p1 cbr 1000", "p2 f", "p3 cc", "d db Jc8d2h",
    "p1 cbr 900", "p3 cc", "d db 5s", "p1 cc", "p3 cbr 2500", "p1 cc", "d db Ts", "p1 cc", "p3 cbr 4000", "p1 f",
]
"""


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


def best_rate(work: Callable[[], int], rounds: int = 7) -> float:
    """Things done in a second, in the quickest of some rounds."""
    best = 0.0
    for _ in range(rounds):
        began = time.perf_counter()
        done = work()
        best = max(best, done / (time.perf_counter() - began))
    return best


def poker_actions() -> int:
    from pokerkit import HandHistory

    return sum(1 for _ in range(30) for _ in HandHistory.loads(POKER)) - 30


def chess_game() -> str:
    import chess
    import chess.pgn

    chance, board, game = random.Random(36), chess.Board(), chess.pgn.Game()
    node: chess.pgn.GameNode = game
    while not board.is_game_over() and board.ply() < 120:
        move = chance.choice(list(board.legal_moves))
        board.push(move)
        node = node.add_variation(move)
    return str(game)


def speeds() -> list[Figure]:
    import chess.pgn

    from replay import desk

    record, moves = evening(300), chess_game()
    events = record.count(b"\n")
    if desk.verify(record)["verdict"] != "verified":
        raise SystemExit("the evening to be measured is not clean")

    def verified() -> int:
        desk.verify(record)
        return events

    def read() -> int:
        game = chess.pgn.read_game(io.StringIO(moves))
        return sum(1 for _ in game.mainline_moves()) if game else 0

    ours, poker, chess_rate = best_rate(verified), best_rate(poker_actions), best_rate(read)
    told = f"{ours:,.0f} events/s against {{:,.0f}}"
    return [
        Figure("verify against pokerkit's parse and replay", ours / poker, 30, "x", True, told.format(poker)),
        Figure("verify against python-chess read_game", ours / chess_rate, 3, "x", True, told.format(chess_rate)),
    ]


def peak_memory(hands: int) -> float:
    """MiB that `razbor verify` of one long evening holds at most."""
    with tempfile.NamedTemporaryFile(suffix=".bura.jsonl") as file:
        file.write(evening(hands))
        file.flush()
        command = [sys.executable, "-c", RAZBOR, "verify", file.name]
        child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"razbor verify exits with {child.returncode}")
    return usage.ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)


def memory() -> list[Figure]:
    once, tenfold = peak_memory(200), peak_memory(2000)
    return [
        Figure("memory of verify", once, 64, " MiB", False, "200 hands"),
        Figure("memory of ten times the file", tenfold, 64, " MiB", False, "2000 hands"),
        Figure("memory growth from 1x to 10x", tenfold / once, 1.05, "x", False, f"{once:.0f} to {tenfold:.0f} MiB"),
    ]


def startup() -> list[Figure]:
    sample = str(ROOT / "data" / "recordings" / "thirty-counted-as-thirty-one.bura.jsonl")

    def started(*arguments: str) -> Callable[[], int]:
        def once() -> int:
            subprocess.run([sys.executable, *arguments], cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
            return 1

        return once

    bare, ours = best_rate(started("-c", "pass"), 15), best_rate(started("-c", RAZBOR, "verify", sample), 15)
    detail = f"{1000 / ours:.0f} ms against {1000 / bare:.0f} ms of python -c pass"
    return [Figure("start of verify", bare / ours, 8, "x", False, detail)]


def storage() -> list[Figure]:
    told = []
    for what, wanted, (ours, raw) in (
        ("durable appends against plain sqlite3", 0.9, journal.appends()),
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
