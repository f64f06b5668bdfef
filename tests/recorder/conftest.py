"""An empty journal for each test that asks for one: in a file and on a server, unless the test asks for the file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from recorder.address import Place
from recorder.journal import Journal


@pytest.fixture
def path(place: Place) -> Path:
    assert isinstance(place, Path)
    return place


@pytest.fixture
def journal(place: Place) -> Iterator[Journal]:
    ticks = iter(range(1_000, 1_000_000))
    found = Journal.open(place, origin="razbor.test/journal", clock=lambda: next(ticks))
    yield found
    found.close()
