"""Three roads lead from bytes to a recording, and they give one answer; no bytes at all make an exception."""

import gzip
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recorder import intake
from recorder.decode import parse
from schemas import wire
from schemas.events import TYPES, Event, Recording
from schemas.problems import Refusal
from tests.recorder.lines import GOOD

CASES = Path(__file__).parent.parent / "cases"
FILES = [path.read_bytes() for path in sorted(CASES.glob("*/*.jsonl")) if not path.name.startswith("accept")]
SHORT = sorted((data for data in FILES if b"\n" in data and data[:1] == b"{"), key=len)[:60]
LINES = sorted({line for data in FILES for line in data.split(b"\n") if line.startswith(b"{")}, key=len)
OBJECTS: list[dict[str, Any]] = [raw for line in LINES for raw in [parse(line).raw] if raw]


@contextmanager
def without(*roads: str) -> Iterator[None]:
    with ExitStack() as closed:
        for road in roads:
            closed.enter_context(mock.patch.object(intake, road, return_value=None))
        yield


def by_every_road(data: bytes) -> Recording | Refusal:
    """The answer of all roads, which must be one."""
    found = intake.read(data)
    with without("_quick"):
        assert intake.read(data) == found
    with without("_quick", "_quick_line"):
        assert intake.read(data) == found
    with without("_quick", "_quick_line", "_middle"):
        assert intake.read(data) == found
    return found


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 12) | st.sampled_from([2**53, -(2**53), 10**20, 1.5, 1e300])
    | st.sampled_from(["As", "Тs", "??", "?s", "seen", "up", "ante", "bura", "full", "seat:3", "opened", "Td/Ks", ""])
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=5,
)  # fmt: skip
NAMES = st.sampled_from(
    sorted({name for raw in OBJECTS for name in raw} | {"id", "at", "note", "x_a", "agreed", "hue"})
)


@st.composite
def spoiled(draw: st.DrawFn) -> list[str]:
    """The good lines, then some of the recorded events or any others, with fields changed, dropped and added."""
    lines = list(GOOD)
    for _ in range(draw(st.integers(1, 3))):
        raw = dict(draw(st.sampled_from(OBJECTS)))
        raw["seq"] = len(lines)
        for name in draw(st.lists(NAMES, max_size=2)):
            raw[name] = draw(VALUES)
        for name in draw(st.lists(st.sampled_from(sorted(raw)), max_size=1)):
            raw.pop(name)
        raw |= {"type": draw(st.sampled_from(sorted(TYPES)))} if draw(st.integers(0, 4)) == 0 else {}
        pairs = draw(st.permutations(sorted(raw.items())))
        separators = draw(st.sampled_from([(",", ":"), (", ", ": "), (" ,", " :")]))
        lines.append(json.dumps(dict(pairs), ensure_ascii=draw(st.booleans()), separators=separators))
    place = draw(st.integers(0, len(lines) - 1))
    if draw(st.booleans()):
        lines[place], lines[-1] = lines[-1], lines[place]
    return lines


@given(spoiled())
@settings(max_examples=300)
def test_the_roads_agree_on_spoiled_events(lines: list[str]) -> None:
    by_every_road("\n".join(lines).encode("utf-8", "surrogatepass"))


@given(st.sampled_from(SHORT), st.data())
@settings(max_examples=200)
def test_the_roads_agree_on_files_with_changed_bytes(data: bytes, draws: st.DataObject) -> None:
    spoilt = bytearray(data)
    for _ in range(draws.draw(st.integers(1, 4))):
        at = draws.draw(st.integers(0, len(spoilt) - 1))
        size = draws.draw(st.integers(0, 3))
        spoilt[at : at + size] = draws.draw(
            st.binary(max_size=3) | st.sampled_from([b'"', b"{", b"\n", b"0", b"\\u0000"])
        )
    by_every_road(bytes(spoilt))


@given(st.sampled_from(SHORT), st.randoms(use_true_random=False))
@settings(max_examples=50)
def test_shuffled_lines_are_told_and_never_an_exception(data: bytes, random: Any) -> None:
    lines = data.split(b"\n")
    random.shuffle(lines)
    by_every_road(b"\n".join(lines))


@given(st.binary(max_size=300) | st.text(max_size=100).map(lambda text: text.encode("utf-16")))
@settings(max_examples=300)
def test_any_bytes_are_a_recording_or_a_refusal(data: bytes) -> None:
    for each in (data, gzip.compress(data), b"\x1f\x8b\x08" + data, gzip.compress(data)[: len(data)]):
        assert isinstance(intake.read(each), Recording | Refusal)
        assert isinstance(intake.read_all(each), tuple | Refusal)
        for found in intake.read_bundle(each):
            assert isinstance(found, Recording | Refusal)


@pytest.mark.parametrize("data", FILES, ids=range(len(FILES)))
def test_the_roads_agree_on_the_recorded_cases(data: bytes) -> None:
    by_every_road(data)


@pytest.mark.parametrize("spelled", [{"separators": (",", ":")}, {}, {"indent": None, "ensure_ascii": True}])
def test_other_spellings_are_the_same_recording(spelled: dict[str, Any]) -> None:
    for data in SHORT[:20]:
        found = intake.read(data)
        if isinstance(found, Recording):
            lines = [json.dumps(json.loads(line), **{"ensure_ascii": False} | spelled) for line in found.lines]
            assert by_every_road("\n".join(lines).encode()) == found


def test_an_event_is_turned_into_an_object_and_back() -> None:
    for data in SHORT:
        found = intake.read(data)
        if isinstance(found, Recording):
            for event, line in zip(found.events, found.lines, strict=True):
                assert wire.event_of(wire.object_of(event)) == event
                assert wire.canonical(json.loads(line)) == line


def test_a_live_recording_is_read_like_a_file() -> None:
    for data in SHORT:
        found = intake.read(data)
        if isinstance(found, Recording):
            so_far: list[Event] = []
            for line in found.lines:
                read = intake.continue_event(
                    so_far, {key: value for key, value in json.loads(line).items() if key != "seq"}
                )
                assert isinstance(read, intake.Read)
                assert read.line == line
                so_far.append(read.event)


@given(spoiled())
@settings(max_examples=60)
def test_whatever_a_live_recording_takes_is_read_again(lines: list[str]) -> None:
    taken = list[bytes]()
    for line in [GOOD[0], *lines, *GOOD[:3]]:
        parsed = parse(line.encode("utf-8", "surrogatepass"))
        if parsed.raw is None or parsed.flaws:
            continue
        raw = {key: value for key, value in parsed.raw.items() if key != "seq"}
        found = intake.continue_event(events_of(taken), raw)
        if isinstance(found, intake.Read):
            taken.append(found.line)
    assert [event.seq for event in events_of(taken)] == list(range(len(taken)))


def events_of(lines: list[bytes]) -> tuple[Event, ...]:
    """The events of a recording written so far, read as a file is."""
    if not lines:
        return ()
    found = intake.read(b"\n".join(lines))
    assert isinstance(found, Recording), found
    assert list(found.lines) == lines
    return found.events


def test_compact_files_take_the_quick_road() -> None:
    for data in SHORT:
        found = intake.read(data)
        if isinstance(found, Recording):
            with mock.patch.object(intake, "_quick_line", side_effect=AssertionError("the slow road")):
                assert intake.read(b"\n".join(found.lines)) == found
                assert intake.read(data) == found
