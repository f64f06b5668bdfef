"""An empty journal for each test that asks for one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from recorder.journal import Journal


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    ticks = iter(range(1_000, 1_000_000))
    found = Journal.open(path, origin="razbor.test/journal", clock=lambda: next(ticks))
    yield found
    found.close()
