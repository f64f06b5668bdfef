"""What is no recording at all, however much there is of it, is read through and not held."""

import io
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from recorder import intake
from recorder.flow import flows
from recorder.sections import sections
from schemas.events import Recording
from schemas.problems import Refusal
from tests.cli.razbor import VERIFIED

GAME = Path(VERIFIED).read_bytes()
BEGINNING = GAME.split(b"\n")[0] + b"\n"
LINES = [b"x" * 65_535 + b"\n", b"\n", b"no recording\n", b'{"seq":1,"type":"bogus"}\n', GAME.split(b"\n")[1] + b"\n"]


class Endless(io.BytesIO):
    """The same line as often as makes 32 MiB, after others."""

    def __init__(self, before: bytes, line: bytes) -> None:
        super().__init__()
        self._texts: Iterator[bytes] = self._made(before, line)

    def _made(self, before: bytes, line: bytes) -> Iterator[bytes]:
        yield before
        for _ in range(512):
            yield line * ((1 << 16) // len(line))

    def read(self, _size: int | None = -1) -> bytes:
        return next(self._texts, b"")


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("before", [BEGINNING, GAME])
def test_so_much_of_it_takes_little_memory(before: bytes, line: bytes) -> None:
    tracemalloc.start()
    try:
        for flow in flows(Endless(before, line)):
            list(flow.batches())
            found = flow.read()
        for told in intake.read_bundle(Endless(before, line)):
            assert told == found or before == GAME
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert isinstance(found, Refusal)
    assert told == found
    assert peak < 24 << 20


@pytest.mark.parametrize("line", LINES)
def test_the_same_is_told_as_where_all_of_it_was_held(line: bytes) -> None:
    whole = BEGINNING + line * ((9 << 20) // len(line)) + GAME
    held = [intake.read_section(each) for each in sections(io.BytesIO(whole), intake.BULK, lambda _: False)]
    assert list(intake.read_bundle(whole)) == held
    assert [flow.read() for flow in flows(io.BytesIO(whole))] == held
    assert isinstance(held[-1], Recording) == (len(held) > 1)
