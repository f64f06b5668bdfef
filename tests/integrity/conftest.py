"""Here the folders of tests lie on a disk: what is proved of kills, faults and lost power is proved on one."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest) -> Iterator[Path]:
    """Gone afterwards, unless the test failed."""
    folder, failed = Path(tempfile.mkdtemp(prefix="razbor-")).resolve(), request.session.testsfailed
    yield folder
    if request.session.testsfailed == failed:
        shutil.rmtree(folder)
