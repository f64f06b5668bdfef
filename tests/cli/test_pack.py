"""`razbor pack` and `razbor unpack`: there and back byte for byte, whatever is read, and nothing of what cannot be."""

import gzip
from pathlib import Path

import pytest
from backports import zstd

from recorder import intake
from schemas.events import Recording
from tests.cli.razbor import REFUSED, REFUTED, UNDECIDED, VERIFIED, data_of, razbor

FILES = (VERIFIED, REFUTED, UNDECIDED)


def canonical(*files: str) -> bytes:
    found = [intake.read(Path(file).read_bytes()) for file in files]
    return b"".join(line + b"\n" for each in found if isinstance(each, Recording) for line in each.lines)


def test_there_and_back(tmp_path: Path) -> None:
    packed, plain = tmp_path / "all.archive.jsonl", tmp_path / "all.jsonl"
    assert razbor("pack", *FILES, "-o", str(packed)).exit_code == 0
    assert razbor("unpack", str(packed), "-o", str(plain)).exit_code == 0
    assert plain.read_bytes() == canonical(*FILES)
    assert razbor("pack", "-", given=plain.read_bytes()).stdout_bytes == packed.read_bytes()
    assert packed.stat().st_size < plain.stat().st_size


def test_every_command_reads_it_packed_once_more_or_not(tmp_path: Path) -> None:
    packed = razbor("pack", REFUTED).stdout_bytes
    for name, data in {"a": packed, "b": gzip.compress(packed), "c": zstd.compress(packed)}.items():
        file = tmp_path / name
        file.write_bytes(data)
        for command in (("verify", "--json"), ("show",), ("dispute", "--hand", "1", "--json")):
            assert razbor(*command, str(file)).stdout == razbor(*command, REFUTED).stdout
        assert razbor("unpack", str(file)).stdout_bytes == canonical(REFUTED)
    db = str(tmp_path / "journal.db")
    assert [row["new"] for row in data_of(razbor("add", str(tmp_path / "a"), REFUTED, "--db", db, "--json"))] == [
        True, False,
    ]  # fmt: skip


@pytest.mark.parametrize("command", ["pack", "unpack"])
def test_nothing_is_written_where_a_recording_cannot_be_read(command: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = razbor(command, VERIFIED, REFUSED, UNDECIDED, "-o", str(out))
    assert (result.exit_code, result.stdout, out.exists()) == (3, "", False)
    assert "look-alike-letter" in result.stderr
    assert razbor(command, VERIFIED, "-o", str(tmp_path / "no" / "file")).exit_code == 2
    assert razbor(command, str(tmp_path / "nothing")).exit_code == 2
