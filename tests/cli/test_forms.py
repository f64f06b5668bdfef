"""Every recorded case in every form, lines, archive and Parquet, packed once more or not: one answer."""

import gzip
import io
import sys
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import pytest
from backports import zstd

import recorder
from recorder import archive, intake, parquet
from replay import desk
from replay.cli_words import report_pieces
from schemas.events import Recording
from tests.check_cases import case_names, recording_path
from tests.cli.razbor import REFUTED, razbor


def table(recording: Recording) -> bytes:
    file = io.BytesIO()
    parquet.write([recording], file)
    return file.getvalue()


def archived(recording: Recording) -> bytes:
    return b"".join(archive.packed(recording))


FORMS: dict[str, Callable[[Recording], bytes]] = {
    "archive": archived,
    "archive in gzip": lambda recording: gzip.compress(archived(recording)),
    "lines in zstd": lambda recording: zstd.compress(b"".join(line + b"\n" for line in recording.lines)),
    "parquet": table,
}


def said(data: bytes, **asked: str) -> list[str]:
    return ["".join(report_pieces(answer[1])) for answer in desk.verify_each(data, **asked)]  # type: ignore[arg-type]


@pytest.mark.parametrize("name", case_names())
def test_a_case_is_judged_alike_in_every_form(name: str) -> None:
    data = recording_path(name).read_bytes()
    found, answer = intake.read(data, intake.BULK), said(data)
    if isinstance(found, Recording):
        for form, made in FORMS.items():
            assert said(made(found)) == answer, form


def test_parquet_from_the_command_line(tmp_path: Path) -> None:
    file, out = str(tmp_path / "a.parquet"), tmp_path / "out"
    assert razbor("pack", "--parquet", REFUTED, "-o", file).exit_code == 0
    for how in ((), ("--jobs", "2")):
        assert razbor("verify", "--json", *how, file).stdout == razbor("verify", "--json", *how, REFUTED).stdout
    assert razbor("unpack", file).stdout_bytes == razbor("unpack", REFUTED).stdout_bytes
    with mock.patch.dict(sys.modules, {"pyarrow": None}), mock.patch.object(recorder, "parquet"):
        del recorder.parquet
        for command in ("verify", "verify --jobs 2", f"add --db {out}", "unpack"):
            sys.modules.pop("recorder.parquet", None)
            told = razbor(*command.split(), file)
            assert (told.exit_code, told.stdout) == (2, "")
            assert "pip install 'razbor[parquet]'" in told.stderr
        told = razbor("pack", "--parquet", REFUTED, "-o", str(tmp_path / "none"))
        assert (told.exit_code, (tmp_path / "none").exists()) == (2, False)
