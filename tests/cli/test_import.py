"""`import` and `show --notation`: a score sheet or a table becomes a recording, and a recording a sheet."""

import gzip
import json
from pathlib import Path

import pytest

from recorder import intake
from replay.cli import main
from tests.cli.razbor import REFUSED, ROOT, SAMPLES, VERIFIED, data_of, razbor

assert "import" in main.commands  # asked for, they are all there
SHEET = str(SAMPLES / "sheets" / "thursday.bura.txt")
EXAMPLES = ROOT / "data" / "examples"
TABLE, MAPPING = str(EXAMPLES / "plays.csv"), str(EXAMPLES / "plays.toml")


def canonical(data: bytes) -> bytes:
    """The lines of every recording of a file in their one form."""
    found = intake.read_all(data, intake.BULK)
    assert isinstance(found, tuple)
    return b"".join(line + b"\n" for recording in found for line in recording.lines)


@pytest.mark.parametrize("lang", ["en", "ru", "fr"])
def test_what_show_writes_import_reads(tmp_path: Path, lang: str) -> None:
    written = razbor("show", "--notation", "--lang", lang, VERIFIED)
    assert written.exit_code == 0
    assert written.stdout.startswith(f"razbor-sheet/1 {lang}\n")
    sheet = tmp_path / "sheet.txt"
    sheet.write_text(written.stdout, encoding="utf-8")
    assert razbor("import", str(sheet)).stdout_bytes == canonical(Path(VERIFIED).read_bytes())
    output = tmp_path / "back.jsonl"
    assert razbor("import", "-o", str(output), "-", given=written.stdout_bytes).exit_code == 0
    assert output.read_bytes() == canonical(Path(VERIFIED).read_bytes())


def test_a_bundle_is_several_sheets_in_one_file(tmp_path: Path) -> None:
    bundle = tmp_path / "bundle.jsonl"
    samples = sorted(SAMPLES.glob("*.jsonl"))
    data = b"".join(path.read_bytes() for path in samples if b'"recording_ended"' in path.read_bytes())
    bundle.write_bytes(data)
    written = razbor("show", "--notation", str(bundle))
    assert razbor("import", "-", given=written.stdout_bytes).stdout_bytes == canonical(data)


def test_a_sheet_of_a_view_holds_no_card_of_another() -> None:
    written = razbor("show", "--notation", "--view", "public", VERIFIED).stdout
    assert "deal 1 ..., 2 ..., 3 ..." in written
    back = data_of(razbor("import", "-", given=written.encode()))
    assert back[0]["view"] == "public"


def test_a_table_becomes_the_same_recording() -> None:
    table, sheet = razbor("import", "--mapping", MAPPING, TABLE), razbor("import", SHEET)
    assert table.exit_code == sheet.exit_code == 0
    assert table.stdout_bytes == sheet.stdout_bytes


def test_a_fault_is_told_with_line_and_column_and_nothing_is_written(tmp_path: Path) -> None:
    text, output = Path(SHEET).read_text(encoding="utf-8"), tmp_path / "out.jsonl"
    spoilt = text.replace("Лев (6ч)", "Лев (6х)")
    told = razbor("import", "-", "-o", str(output), given=spoilt.encode())
    assert told.exit_code == 3
    assert "line 14, column 15  bad-card" in told.stdout
    assert not output.exists()
    said = razbor("import", "-", "--json", given=spoilt.encode())
    (row,) = json.loads(said.stdout)["problems"]
    assert (row["line"], row["column"], row["code"]) == (14, 15, "bad-card")
    assert "строка 14, столбец 15" in razbor("import", "--lang", "ru", "-", given=spoilt.encode()).stdout


def test_a_fault_of_a_table_is_told_with_line_and_column() -> None:
    spoilt = Path(TABLE).read_text(encoding="utf-8").replace("Лев;;6ч", "Лёва;;6ч")
    told = razbor("import", "--mapping", MAPPING, "-", given=spoilt.encode())
    assert told.exit_code == 3
    assert "line 16, column 4  bad-value" in told.stdout


@pytest.mark.parametrize(
    ("arguments", "exit_code", "told"),
    [
        (["import", "nowhere.txt"], 2, "nowhere.txt"),
        (["import", VERIFIED], 3, "not-a-recording"),
        (["import", TABLE, "--mapping", TABLE], 2, f"{TABLE} is not TOML from line 1, column 1 on."),
        (["import", TABLE, "--mapping", "nowhere.toml"], 2, "nowhere.toml"),
        (["import", TABLE], 3, "A table of plays (CSV) needs --mapping FILE"),
        (["verify", SHEET], 3, f"{SHEET} is a score sheet: razbor import {SHEET}"),
        (["show", "--notation", REFUSED], 3, "look-alike-letter"),
        (["show", "--notation", "--hand", "1", VERIFIED], 2, "--notation"),
        (["show", "--notation", "--json", VERIFIED], 2, "--notation"),
        (["show", "--notation", "--at", "0", VERIFIED], 2, "--notation"),
        (["show", "--notation", "--view", "seat:9", VERIFIED], 2, "9"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(arguments: list[str], exit_code: int, told: str) -> None:
    result = razbor(*arguments)
    assert result.exit_code == exit_code
    assert told in result.output


def test_a_sheet_given_to_verify_is_known_however_it_was_saved(tmp_path: Path) -> None:
    data, kept = Path(SHEET).read_bytes(), tmp_path / "sheet.txt"
    for saved in (b"\xef\xbb\xbf" + data, b"\r\n" + data, data.replace(b"razbor", b"Razbor", 1), gzip.compress(data)):
        kept.write_bytes(saved)
        told = razbor("verify", str(kept))
        assert (told.exit_code, f"{kept} is a score sheet" in told.output) == (3, True)


@pytest.mark.parametrize("lang", ["en", "ru", "fr"])
def test_the_help_tells_the_notation(lang: str) -> None:
    told = razbor("--lang", lang, "import", "--help")
    assert told.exit_code == 0
    assert f"razbor-sheet/1 {lang}" in told.stdout
    assert "trump_turned" in told.stdout


def test_who_imports_a_sheet_is_not_told_to_import_it(tmp_path: Path) -> None:
    """A sum with decimals is no whole number of the smallest unit: it is refused where it stands, never rounded."""
    file = tmp_path / "evening.txt"
    rules = "rules bura/classic-36@1 molodka_turn=out_of_turn"
    lines = ["razbor-sheet/1 en", "game bura", rules, "players A, B", "unit EUR", "digits 2", "stake 12.50"]
    file.write_text("\n".join(lines), encoding="utf-8")
    refused = razbor("import", str(file))
    assert refused.exit_code == 3
    assert "line 7, column 7" in refused.stdout
    assert "razbor import" not in refused.stdout
    assert "razbor import" in razbor("verify", str(file)).stdout


MANY = """names_from_table = true
ended = {ended}
[recording]
game = "bourre"
rules = {{ preset = "bourre/classic@1" }}
[columns]
recording = "game"
type = "what"
hand = "hand"
dealer = "dealer"
seat = "who"
cards = "cards"
[defaults]
face = "up"
"""
GAMES = "game,what,hand,dealer,who,cards\n{0}1,played,1,Bob,Ann,As\n{0}1,played,1,Bob,Bob,Ks\n"


def test_many_tables_become_many_recordings_and_one_that_cannot_be_read_keeps_none_back(tmp_path: Path) -> None:
    mapping, tables, out = tmp_path / "log.toml", [tmp_path / f"{name}.csv" for name in "abc"], tmp_path / "out"
    mapping.write_text(MANY.format(ended="true"))
    for table in tables:
        table.write_text(GAMES.format(table.stem) + GAMES.format(f"{table.stem}{table.stem}").partition("\n")[2])
    tables[1].write_text(GAMES.format("b").replace("As", "Xs"))
    told = razbor("import", *map(str, tables), "--mapping", str(mapping), "-o", f"{out}/")
    assert told.exit_code == 3
    assert "b.csv" in told.stdout
    assert "line 2, column 6  bad-card" in told.stdout
    assert told.stderr == "Recordings written: 4\n"
    titles = [json.loads(path.read_text().splitlines()[0])["title"] for path in out.iterdir()]
    assert sorted(titles) == ["a1", "aa1", "c1", "cc1"]
    assert "Recordings 4: " in razbor("verify", str(out)).stdout
    bundle = razbor("import", str(tables[0]), str(tables[2]), "--mapping", str(mapping))
    assert [json.loads(line).get("title") for line in bundle.stdout.splitlines() if '"seq":0' in line] == [
        "a1", "aa1", "c1", "cc1",
    ]  # fmt: skip
    assert bundle.stdout_bytes == canonical(bundle.stdout_bytes)


def test_what_breaks_off_stands_in_no_bundle_but_last(tmp_path: Path) -> None:
    mapping, table = tmp_path / "log.toml", tmp_path / "log.csv"
    mapping.write_text(MANY.format(ended="false"))
    table.write_text(GAMES.format("a") + GAMES.format("b").partition("\n")[2])
    told = razbor("import", str(table), "--mapping", str(mapping))
    assert told.exit_code == 1
    assert "log.csv (1) breaks off" in told.stderr
    assert [line for line in told.stdout.splitlines() if '"title":"a1"' in line] == []
    assert '"title":"b1"' in told.stdout
    spoilt = tmp_path / "spoilt.csv"
    spoilt.write_text(GAMES.format("c").replace("As", "Xs"))
    kept = razbor("import", str(table), str(spoilt), "--mapping", str(mapping))
    assert (kept.exit_code, '"title":"b1"' in kept.stdout) == (3, True), "no other follows that can be read"
    assert razbor("import", "-", "-", "--mapping", str(mapping), given=table.read_bytes()).exit_code == 2
    whole = razbor("import", str(table), "--mapping", str(mapping), "-o", f"{tmp_path / 'out'}/")
    assert whole.exit_code == 0
    assert len(list((tmp_path / "out").iterdir())) == 2


def test_no_sheet_and_no_mapping_is_written_over(tmp_path: Path) -> None:
    mapping, table = tmp_path / "log.toml", tmp_path / "log.csv"
    mapping.write_text(MANY.format(ended="true"))
    table.write_text(GAMES.format("a"))
    for file in (mapping, table):
        before = file.read_bytes()
        told = razbor("import", str(table), "--mapping", str(mapping), "-o", str(file))
        assert (told.exit_code, "is not written over" in told.stderr, file.read_bytes() == before) == (2, True, True)
