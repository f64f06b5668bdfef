"""A recording judged piece by piece gives the report of the same recording judged as a whole, byte for byte."""

import gzip
import io
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from recorder import decode, flow, wrappers
from recorder.decode import BULK
from recorder.flow import flows
from replay import desk
from schemas.events import Recording
from schemas.problems import Refusal
from tests.bench.evenings import evening
from tests.walks import bura

CASES = Path(__file__).parent.parent / "cases"
FILES = sorted(CASES.glob("*/*.jsonl*"))
LONG: dict[str, Callable[[], bytes]] = {
    "the same three hands": lambda: evening(400),
    "legal hands": lambda: bura.to_bytes(bura.evening(3, seats=4, hands=150)),
    "an end that lacks": lambda: bura.to_bytes(bura.evening(4, seats=3, hands=150)[:-9]),
}


@cache
def long_evening(name: str) -> bytes:
    return LONG[name]()


def as_text(said: dict[str, Any]) -> str:
    return json.dumps({**said, "hands": list(said["hands"])} if "hands" in said else said)


def in_pieces(data: bytes, size: int) -> list[str]:
    """The answers to a file that is read so many bytes at a time."""
    with mock.patch.object(decode, "PIECE", size), mock.patch.object(wrappers, "PIECE", size):
        return [as_text(each.said) for each in desk.verify_each(io.BytesIO(data))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_case_in_small_pieces(path: Path) -> None:
    data = path.read_bytes()
    whole = in_pieces(data, len(data) + 1)
    assert in_pieces(data, 700) == whole
    if len(whole) == 1:
        assert whole == [as_text(desk.verify(data, limits=BULK))]


@pytest.mark.parametrize("name", LONG)
def test_long_evenings(name: str) -> None:
    data = long_evening(name)
    assert [as_text(each.said) for each in desk.verify_each(data)] == [as_text(desk.verify(data, limits=BULK))]
    assert in_pieces(gzip.compress(data), 5000) == in_pieces(data, 5000)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"cards":["', b'"cards":["??","'),
        (b'"type":"hand_began"', b'"type":"hand_begun"'),
        (b'"seat":3,', b'"seat":7,'),
        (b'"amount":', b'"amount": 1'),
    ],
    ids=["a face unseen", "an unknown type", "nobody's seat", "another sum"],
)
def test_what_is_amiss_far_on_is_told_as_if_it_were_read_at_once(old: bytes, new: bytes) -> None:
    head, middle, tail = (
        long_evening("the same three hands")[at:to] for at, to in ((0, 500_000), (500_000, 510_000), (510_000, None))
    )
    assert old in middle
    data = head + middle.replace(old, new, 1) + tail
    whole = [as_text(desk.verify(data, limits=BULK))]
    for in_memory in (10_000, 300_000, 10_000_000):
        with mock.patch.object(flow, "_IN_MEMORY", in_memory):
            assert in_pieces(data, 20_000) == whole


@pytest.mark.parametrize("in_memory", [0, 100_000, 10_000_000])
def test_what_was_read_in_pieces_is_had_as_a_whole_wherever_it_waited(in_memory: int) -> None:
    one = long_evening("the same three hands")
    with mock.patch.object(decode, "PIECE", 30_000), mock.patch.object(flow, "_IN_MEMORY", in_memory):
        for coming in flows(io.BytesIO(one)):
            assert sum(map(len, coming.batches())) == one.count(b"\n")
            found = coming.read()
            assert isinstance(found, Recording)
            assert found.lines == tuple(one.split(b"\n")[:-1])


def test_a_bundle_gives_each_recording_whether_it_is_asked_for_or_not() -> None:
    one, two = long_evening("the same three hands"), long_evening("legal hands")
    with mock.patch.object(decode, "PIECE", 30_000):
        found = [coming.read() for at, coming in enumerate(flows(io.BytesIO(one + two + one))) if at != 1]
    assert [None if isinstance(each, Refusal) else each.lines for each in found] == [tuple(one.split(b"\n")[:-1])] * 2


def test_hands_of_a_long_evening_are_a_sequence() -> None:
    ((_, said, *_),) = desk.verify_each(long_evening("the same three hands"))
    hands, plain = said["hands"], desk.verify(long_evening("the same three hands"), limits=BULK)["hands"]
    assert not isinstance(hands, list)
    assert len(hands) == len(plain)
    assert [hands[0], hands[-1], hands[7:9]] == [plain[0], plain[-1], plain[7:9]]
