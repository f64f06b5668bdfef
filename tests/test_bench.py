"""The bench tells what it measured, and the game it lets boardgame.io play is Bura."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.bench.__main__ import _put
from tests.bench.board import HERE, MissingError, board
from tests.bench.evenings import bura
from tests.bench.table import Figure, rates, ratio, table
from tests.walks import bura as bura_walks

Json = dict[str, Any]
CALM = bura_walks.Habits(tells=0, bluffs=0, moves=0, spoils=0, raises=0, commits=0)


def test_a_ratio_is_the_best_round_against_the_best_and_its_spread_that_of_the_pairs() -> None:
    figure = ratio("ours", [100, 300, 200], [100, 50, 400], 0.7)
    assert figure.got == 0.75
    assert list(figure.spread) == [0.5, 1, 6]
    assert figure.holds
    assert not ratio("ours", [100], [100], 1.01).holds


def test_a_figure_that_is_only_told_is_never_missed() -> None:
    assert Figure("hands", 0).holds
    assert Figure("memory", 65, 64, at_least=False).cells[0] == "MISS"
    assert Figure("memory", 64, 64, at_least=False).cells[0] == "ok"


def test_the_table_is_one_and_its_columns_stand_under_each_other() -> None:
    lines = table(
        [Figure("short", 1), Figure("something longer", 1234, 1000, " a second", spread=(1, 2, 3))]
    ).splitlines()
    assert len(lines) == 4
    assert len({len(line) for line in lines}) == 1
    assert "1,234 a second | >= 1,000 a second | 1.00 .. 2.00 .. 3.00" in lines[3]


def test_works_are_done_in_turn_by_the_clock_given() -> None:
    now, done = [0.0], list[str]()

    def work(name: str, takes: float) -> Callable[[], int]:
        def run() -> int:
            done.append(name)
            now[0] += takes
            return 6

        return run

    found = rates({"quick": work("quick", 2), "slow": work("slow", 3)}, 2, lambda: now[0])
    assert found == {"quick": [3, 3], "slow": [2, 2]}
    assert done == ["quick", "slow"] * 3


def test_the_table_goes_to_its_place_in_readme_and_nowhere_else(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("before\n<!-- make bench -->\nold\nolder\n<!-- end -->\nafter\n")
    _put("new\n", readme)
    assert readme.read_text() == "before\n<!-- make bench -->\nnew\n<!-- end -->\nafter\n"
    readme.write_text("no place\n")
    with pytest.raises(SystemExit):
        _put("new\n", readme)


def test_a_peer_that_cannot_be_had_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingError, match="node or npm is not installed"), board(b""):
        pass
    for name in ("node", "npm"):
        (tmp_path / name).write_text("#!/bin/sh\nexit 7\n")
        (tmp_path / name).chmod(0o755)
    with pytest.raises(MissingError, match="exit 7"), board(b""):
        pass


def on_board(tmp_path: Path, record: bytes) -> subprocess.CompletedProcess[str]:
    """What the game of `bura.cjs`, without boardgame.io, makes of a recording."""
    file = tmp_path / "evening.jsonl"
    file.write_bytes(record)
    command = [str(shutil.which("node")), str(HERE / "board.cjs"), str(file), "--bare"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.needs("node")
@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_the_game_on_the_board_takes_legal_hands(tmp_path: Path, seats: int) -> None:
    record = bura_walks.to_bytes(bura_walks.evening(seats, seats=seats, hands=60, habits=CALM))
    done = on_board(tmp_path, record)
    assert (done.stderr, done.stdout) == ("", f"{len(record.splitlines())}\n")


def other_seat(event: Json) -> Json:
    return {**event, "seat": event["seat"] % 3 + 1}


BREACHES: dict[str, tuple[str, Callable[[Json], Json]]] = {
    "a card not held": ("played", lambda event: {**event, "cards": ["Ah" if event["cards"] != ["Ah"] else "As"]}),
    "a lead laid down": ("played", lambda event: {**event, "face": "down"}),
    "out of turn": ("played", other_seat),
    "drawn out of turn": ("drew", other_seat),
    "one card too many": ("drew", lambda event: {**event, "cards": [*event["cards"], "??"]}),
    "a card dealt twice": ("dealt", lambda event: {**event, "cards": [event["cards"][0]] * 3}),
    "not the whole pot": ("pot_taken", lambda event: {**event, "amount": event["amount"] - 1}),
    "somebody else's pot": ("pot_taken", other_seat),
    "opened by another": ("opened", other_seat),
    "no such combination": ("declared", other_seat),
    "a wrong reason": ("hand_ended", lambda event: {**event, "reason": "bura"}),
    "another dealer": ("hand_began", lambda event: {**event, "dealer": event["dealer"] % 3 + 1}),
    "too small an ante": ("staked", lambda event: {**event, "amount": event["amount"] - 1}),
}


@pytest.mark.needs("node")
@pytest.mark.parametrize("name", BREACHES)
def test_the_game_on_the_board_refuses_a_breach(tmp_path: Path, name: str) -> None:
    kind, spoil = BREACHES[name]
    events = [json.loads(line) for line in bura(30).splitlines()]
    second = next(event["seq"] for event in events if event.get("hand") == 2)  # who deals the first is free
    at = next(event["seq"] for event in events[second:] if event["type"] == kind)
    done = on_board(tmp_path, bura_walks.to_bytes([*events[:at], spoil(events[at]), *events[at + 1 :]]))
    assert (done.returncode, done.stderr) == (1, f"event {at} refused\n")


@pytest.mark.needs("node")
def test_the_game_on_the_board_refuses_a_set_laid_up_that_does_not_beat(tmp_path: Path) -> None:
    events = [json.loads(line) for line in bura(1).splitlines()]
    assert (events[9]["card"], events[11]["cards"], events[12]["cards"]) == ("8d", ["Ad"], ["Ts"])
    events[12]["face"] = "up"
    assert on_board(tmp_path, bura_walks.to_bytes(events)).stderr == "event 12 refused\n"
