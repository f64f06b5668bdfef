"""A Parquet table of hands: what it says is what the lines say, and what is damaged is refused."""

import io
import random
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import pyarrow
import pytest
from pyarrow import parquet

import recorder
from recorder import intake
from recorder import parquet as tables
from recorder.wrappers import MissingExtraError
from schemas.events import Recording
from schemas.problems import Refusal
from tests.bench.evenings import bourre, bura

CASES = Path(__file__).parent.parent / "cases"


def table(*recordings: Recording) -> bytes:
    file = io.BytesIO()
    tables.write(recordings, file)
    return file.getvalue()


def read(data: bytes) -> Recording:
    found = intake.read(data, intake.BULK)
    assert isinstance(found, Recording)
    return found


EVENINGS = (read(bura(30)), read(bourre(30)))
TABLE = table(*EVENINGS)


class Pipe(io.BytesIO):
    """Bytes that come once."""

    def seekable(self) -> bool:
        return False


def test_a_table_gives_back_every_byte_in_order() -> None:
    assert tuple(intake.read_bundle(TABLE)) == EVENINGS
    assert tuple(intake.read_bundle(Pipe(TABLE))) == EVENINGS
    assert list(intake.read_bundle(table())) == list(intake.read_bundle(b""))


def test_a_row_is_a_hand() -> None:
    rows = parquet.read_table(io.BytesIO(TABLE)).to_pylist()
    assert [row["hand"] for row in rows] == [*range(31)] * 2
    assert {row["digest"] for row in rows} == {evening.digest for evening in EVENINGS}
    assert sum(row["events"] for row in rows) == sum(len(evening.events) for evening in EVENINGS)
    assert {(row["game"], row["rules"]) for row in rows} == {
        (evening.began.game, evening.began.rules.preset) for evening in EVENINGS
    }
    hands = [row for row in rows if row["hand"]]
    assert all(row["dealer"] and row["reason"] for row in hands)
    assert [(row["hand"], row["dealer"], row["reason"]) for row in rows if not row["first"]] == [(0, None, None)] * 2


def test_row_groups_hold_whole_recordings() -> None:
    with mock.patch.object(tables, "GROUP", 20):
        data = table(*EVENINGS, *EVENINGS)
    found = parquet.ParquetFile(io.BytesIO(data))
    assert [found.metadata.row_group(at).num_rows for at in range(found.num_row_groups)] == [31] * 4
    assert tuple(intake.read_bundle(data)) == (*EVENINGS, *EVENINGS)
    with mock.patch.object(tables, "GROUP", 2):
        assert tuple(intake.read_bundle(table(*EVENINGS))) == EVENINGS


def test_what_is_damaged_is_refused_or_unharmed() -> None:
    rng = random.Random(3)
    for cut in (4, 5, 100, len(TABLE) // 2, len(TABLE) - 1):
        assert any(isinstance(each, Refusal) for each in intake.read_bundle(TABLE[:cut]))
    for _ in range(150):
        at = rng.randrange(4, len(TABLE))
        changed = TABLE[:at] + bytes([TABLE[at] ^ 1 << rng.randrange(8)]) + TABLE[at + 1 :]
        for found in intake.read_bundle(changed):
            assert isinstance(found, Refusal) or found in EVENINGS


def test_a_row_lacking_doubled_or_moved_is_told_wherever_it_stands() -> None:
    whole = parquet.read_table(io.BytesIO(table(*EVENINGS, EVENINGS[0])))
    last = whole.num_rows - 1
    for at in (0, 1, 30, 31, 32, 61, last - 1):
        before, rest = list(range(at)), list(range(at + 2, last + 1))
        for rows in ([at + 1], [at, at, at + 1], [at + 1, at]):
            found = list(intake.read_bundle(written(whole.take([*before, *rows, *rest]))))
            assert any(isinstance(each, Refusal) for each in found), (at, rows)
    assert any(isinstance(each, Refusal) for each in intake.read_bundle(written(whole.slice(5))))
    for name in ("digest", "hash", "line"):
        values = [None if at < 31 else value for at, value in enumerate(whole[name].to_pylist())]
        nulls = whole.set_column(whole.column_names.index(name), name, pyarrow.array(values))
        assert any(isinstance(each, Refusal) for each in intake.read_bundle(written(nulls)))


def test_the_columns_for_queries_are_not_asked() -> None:
    whole = parquet.read_table(io.BytesIO(table(*EVENINGS, EVENINGS[1])))
    for rows in (1, 7, 1000):
        few = written(whole.select(["line", "hash", "digest"]), row_group_size=rows)
        assert tuple(intake.read_bundle(few)) == (*EVENINGS, EVENINGS[1])


def test_a_name_of_a_column_that_is_no_text_is_refused() -> None:
    data = written(parquet.read_table(io.BytesIO(TABLE)).replace_schema_metadata(None))
    for name in (b"digest", b"hash", b"line"):
        assert isinstance(intake.read(data.replace(name, name[:-1] + b"\xff"), intake.BULK), Refusal)


def written(found: pyarrow.Table, **how: Any) -> bytes:
    file = io.BytesIO()
    parquet.write_table(found, file, **how)
    return file.getvalue()


def test_another_table_is_refused() -> None:
    file = io.BytesIO()
    parquet.write_table(pyarrow.table({"digest": [1], "first": ["x"], "hash": [None], "line": [2.5]}), file)
    assert isinstance(intake.read(file.getvalue(), intake.BULK), Refusal)


def test_nothing_from_outside_is_taken_for_a_table() -> None:
    found = intake.read(TABLE, intake.WEB)
    assert isinstance(found, Refusal)
    assert [str(problem.code) for problem in found.problems][:1] == ["not-utf8"]


def test_without_the_extra_it_says_so() -> None:
    with mock.patch.dict(sys.modules, {"pyarrow": None}), mock.patch.object(recorder, "parquet"):
        del sys.modules["recorder.parquet"], recorder.parquet
        with pytest.raises(MissingExtraError):
            intake.read(TABLE, intake.BULK)
