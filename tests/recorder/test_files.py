"""Whole files: the liberties a reader takes, what it cannot read at all, bundles, and the recorded cases."""

import gzip
import json
from pathlib import Path

import pytest

from recorder import intake
from recorder.decode import Limits
from schemas.events import Recording
from schemas.problems import Code, Refusal
from tests.recorder.lines import BEGAN, GOOD, PLAYED

CASES = Path(__file__).parent.parent / "cases"


def problems(data: bytes, limits: Limits = intake.WEB) -> list[tuple[int, str]]:
    found = intake.read(data, limits)
    assert isinstance(found, Refusal)
    return [(problem.line, str(problem.code)) for problem in found.problems]


TEXT = "\n".join(GOOD).encode() + b"\n"
DIGEST = getattr(intake.read(TEXT), "digest", "")


@pytest.mark.parametrize(
    "data",
    [
        TEXT, TEXT[:-1], b"\xef\xbb\xbf" + TEXT, TEXT.replace(b"\n", b"\r\n"), TEXT.replace(b'":', b'" : '),
        TEXT.replace(b",", b" ,\t"), gzip.compress(TEXT), gzip.compress(b"\xef\xbb\xbf" + TEXT),
        gzip.compress(TEXT[:99]) + gzip.compress(TEXT[99:]),
        json.dumps(json.loads(GOOD[0])).encode() + TEXT[len(GOOD[0].encode()):],
        TEXT.replace(b'"seq":0', b'"seq":-0'),
    ],
)  # fmt: skip
def test_the_liberties_a_reader_takes_make_no_second_recording(data: bytes) -> None:
    found = intake.read(data)
    assert isinstance(found, Recording), found
    assert found.digest == DIGEST


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (gzip.compress(TEXT)[:-1], "bad-gzip"), (gzip.compress(TEXT)[:20], "bad-gzip"), (b"\x1f\x8b", "bad-gzip"),
        (gzip.compress(TEXT) + b"x", "bad-gzip"), (gzip.compress(TEXT) + b"\0" * 9, "bad-gzip"),
        (gzip.compress(TEXT)[:-6] + b"abcdef", "bad-gzip"), (b"\x1f\x8b" + TEXT, "bad-gzip"),
        (TEXT.decode().encode("utf-16"), "not-utf8"), (TEXT.decode().encode("utf-16-be"), "not-utf8"),
        (TEXT.decode().encode("utf-16-le"), "not-utf8"), (TEXT.decode().encode("utf-32"), "not-utf8"),
        (b"", "not-a-recording"), (gzip.compress(b""), "not-a-recording"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read_at_all(data: bytes, code: str) -> None:
    assert problems(data) == [(1, code)]


def test_a_small_file_does_not_become_a_large_memory() -> None:
    assert problems(gzip.compress(b"\0" * (64 << 20))) == [(1, "not-utf8")]
    assert problems(gzip.compress(b" " * (64 << 20))) == [(1, "too-large")]
    assert problems(b"x" * (9 << 20)) == [(1, "too-large")]


def test_more_events_than_the_limit_are_told_at_the_first_too_many() -> None:
    assert problems(TEXT, Limits(unpacked_bytes=1 << 20, events=4)) == [(5, "too-many-events")]
    assert isinstance(intake.read(TEXT, Limits(unpacked_bytes=1 << 20, events=5)), Recording)


def told(*lines: str) -> list[tuple[int, str]]:
    found = intake.read("\n".join(lines).encode())
    return [] if isinstance(found, Recording) else [(problem.line, str(problem.code)) for problem in found.problems]


def test_a_line_of_exactly_64_kib_is_read() -> None:
    for extra, expected in ((0, 0), (1, 1)):
        line = '{"seq":1,"type":"unseen","x_a":""}'
        line = line.replace('""', f'"{"a" * (64 * 1024 - len(line) + extra)}"')
        assert len(told(BEGAN, line)) == expected


def test_a_bundle_gives_each_recording_and_problems_by_the_lines_of_the_file() -> None:
    ended = [*GOOD, '{"seq":5,"type":"recording_ended","events":6}', '{"seq":6,"type":"noted","text":"a"}']
    bad = [*GOOD[:4], PLAYED.replace("Th", "Zz"), ended[5]]
    data = "\n".join([*ended, *bad, *ended]).encode()
    first, second, third = intake.read_bundle(data)
    assert isinstance(first, Recording)
    assert first == third
    assert [(problem.line, problem.field) for problem in getattr(second, "problems", ())] == [(12, "cards")]
    assert isinstance(intake.read_all(data), Refusal)
    assert intake.read_all("\n".join([*ended, *ended]).encode()) == (first, first)


def test_in_a_bundle_a_beginning_before_the_end_is_told() -> None:
    first, second = intake.read_bundle("\n".join([*GOOD, *GOOD]).encode())
    assert isinstance(first, Refusal)
    assert [(problem.line, problem.code) for problem in first.problems] == [(6, Code.NOT_A_RECORDING)]
    assert isinstance(second, Recording)


def test_a_lost_beginning_in_a_bundle_makes_no_other_problems() -> None:
    ended = [*GOOD, '{"seq":5,"type":"recording_ended","events":6}']
    assert told(*ended, "{", *ended[1:]) == [(7, "not-json")]


@pytest.mark.parametrize("path", sorted(CASES.glob("*/*.jsonl")), ids=lambda path: path.stem)
def test_the_recorded_cases(path: Path) -> None:
    expected = json.loads((path.parent / f"{path.name.split('.')[0]}.expect.json").read_text(encoding="utf-8"))
    found = intake.read(path.read_bytes())
    if expected["exit"] != 3:
        assert isinstance(found, Recording), found
        return
    assert isinstance(found, Refusal)
    assert {problem.line for problem in found.problems} == {problem["line"] for problem in expected["problems"]}
    for wanted in expected["problems"]:
        assert any(
            problem.line == wanted["line"]
            and problem.field.startswith(wanted.get("field", ""))
            and problem.code == wanted.get("code", problem.code)
            for problem in found.problems
        )
