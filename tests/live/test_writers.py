"""Each live event keeps who wrote it: beside its source on the step page, and in a file beside the export."""

import html
import json
from pathlib import Path

import pytest
from flask import Flask

from replay.desk_live import TableDesk
from tests.cli.razbor import VERIFIED, razbor
from tests.live.conftest import Json, Seated

EVENTS: list[Json] = [
    {"type": "hand_began", "hand": 1, "dealer": 3},
    {"type": "staked", "seat": 1, "amount": 10, "why": "ante", "source": "told"},
    {"type": "staked", "seat": 2, "amount": 10, "why": "ante"},
]


@pytest.fixture
def number(table: Seated, desk: TableDesk) -> int:
    """The number of the scribe's link, who has written three events."""
    assert table.append(EVENTS, 1).status_code == 201
    return next(each.number for each in desk.roles.links(table.key) if each.role == "scribe")


@pytest.mark.parametrize(
    ("query", "known", "plain"),
    [
        ("lang=en", "scribe {} · told", "scribe {}"),
        ("lang=ru", "писарь {} · со слов", "писарь {}"),
        ("lang=fr&names=0", "scribe {} · dit", "scribe {}"),
    ],
)
def test_the_step_page_says_who_wrote_and_how_it_is_known(
    table: Seated, number: int, query: str, known: str, plain: str
) -> None:
    answer = table.client.get(f"/recordings/{table.key}/hands/1/events/3?{query}")
    assert answer.status_code == 200
    log = answer.get_data(as_text=True).partition('<div class="log">')[2].partition("</section>")[0]
    said = [html.unescape(each.partition("</small>")[0]) for each in log.split("<small>")[1:]]
    assert said == [plain.format(number), known.format(number), plain.format(number)]


def test_the_step_s_twin_says_it_as_well(table: Seated, number: int) -> None:
    said = table.client.get(f"/recordings/{table.key}/hands/1/events/3.json?lang=en").get_json()
    assert [line["how"] for group in said["log"] for line in group["lines"]] == [
        f"scribe {number}",
        f"scribe {number} · told",
        f"scribe {number}",
    ]


def test_blind_mode_knows_no_later_writer(app: Flask, table: Seated, desk: TableDesk, number: int) -> None:
    with app.test_request_context("/"):
        source = desk.step(table.key, 1, 2, "public", blind=True)
    assert source is not None
    assert source.writers == {0: "table", 1: f"scribe/{number}", 2: f"scribe/{number}"}


def test_the_export_s_writers_stand_in_a_file_beside_it(
    table: Seated, desk: TableDesk, number: int, tmp_path: Path
) -> None:
    path, lines, beside = tmp_path / "journal.db", tmp_path / "out.jsonl", tmp_path / "writers.jsonl"
    done = razbor("export", table.key, "--db", str(path), "-o", str(lines), "--writers", str(beside))
    assert done.exit_code == 0, done.output
    assert lines.read_bytes() == b"".join(line + b"\n" for line in desk.journal.load(table.key).recording.lines)
    rows = [json.loads(line) for line in beside.read_text(encoding="utf-8").splitlines()]
    assert [(row["seq"], row["type"], row["by"], row["source"]) for row in rows] == [
        (0, "recording_began", "table", "seen"),
        (1, "hand_began", f"scribe/{number}", "seen"),
        (2, "staked", f"scribe/{number}", "told"),
        (3, "staked", f"scribe/{number}", "seen"),
    ]
    assert all(row["at"].endswith("Z") for row in rows)


def test_of_an_upload_the_door_is_told_and_the_page_names_nobody(tmp_path: Path) -> None:
    path, beside = str(tmp_path / "own.db"), tmp_path / "writers.jsonl"
    (row,) = razbor("add", "--json", "--db", path, VERIFIED).stdout.splitlines()
    done = razbor("export", json.loads(row)["key"], "--db", path, "-o", str(tmp_path / "o"), "--writers", str(beside))
    assert done.exit_code == 0
    assert {json.loads(line)["by"] for line in beside.read_text(encoding="utf-8").splitlines()} == {"cli"}
    assert razbor("export", "--all", "--db", path, "--writers", str(beside)).exit_code == 2
