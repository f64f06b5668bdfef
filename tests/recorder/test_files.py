"""Whole files: the liberties a reader takes, what it cannot read at all, bundles, and the recorded cases."""

import gzip
import io
import json
import secrets
from collections.abc import Callable
from pathlib import Path

import pytest
from backports import zstd

from recorder import intake
from recorder.decode import Limits, chunks
from recorder.flow import flows
from schemas.events import Recording
from schemas.problems import Code, Refusal
from tests.recorder.lines import BEGAN, GOOD, PLAYED

CASES = Path(__file__).parent.parent / "cases"


def problems(data: bytes, limits: Limits = intake.WEB) -> list[tuple[int, str]]:
    found = intake.read(data, limits)
    assert isinstance(found, Refusal)
    return [(problem.line, str(problem.code)) for problem in found.problems]


TEXT = "\n".join(GOOD).encode() + b"\n"
ZSTD = b"\x28\xb5\x2f\xfd"
DIGEST = getattr(intake.read(TEXT), "digest", "")


@pytest.mark.parametrize(
    "data",
    [
        TEXT, TEXT[:-1], b"\xef\xbb\xbf" + TEXT, TEXT.replace(b"\n", b"\r\n"), TEXT.replace(b'":', b'" : '),
        TEXT.replace(b",", b" ,\t"), gzip.compress(TEXT), gzip.compress(b"\xef\xbb\xbf" + TEXT),
        gzip.compress(TEXT[:99]) + gzip.compress(TEXT[99:]),
        zstd.compress(TEXT), zstd.compress(b"\xef\xbb\xbf" + TEXT), zstd.compress(TEXT[:99]) + zstd.compress(TEXT[99:]),
        zstd.compress(TEXT, options={zstd.CompressionParameter.checksum_flag: 1}),
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
        (zstd.compress(TEXT)[:-1], "bad-zstd"), (zstd.compress(TEXT)[:20], "bad-zstd"), (ZSTD, "bad-zstd"),
        (zstd.compress(TEXT) + b"x", "bad-zstd"), (zstd.compress(TEXT) + b"\0" * 9, "bad-zstd"),
        (ZSTD + TEXT, "bad-zstd"), (zstd.compress(TEXT) + gzip.compress(TEXT), "bad-zstd"),
        (zstd.compress(TEXT, zstd_dict=zstd.ZstdDict(TEXT, is_raw=True)), "bad-zstd"),
        (TEXT.decode().encode("utf-16"), "not-utf8"), (TEXT.decode().encode("utf-16-be"), "not-utf8"),
        (TEXT.decode().encode("utf-16-le"), "not-utf8"), (TEXT.decode().encode("utf-32"), "not-utf8"),
        (b"", "not-a-recording"), (gzip.compress(b""), "not-a-recording"),
        (zstd.compress(b""), "not-a-recording"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read_at_all(data: bytes, code: str) -> None:
    assert problems(data) == [(1, code)]


def test_a_small_file_does_not_become_a_large_memory() -> None:
    assert problems(gzip.compress(b"\0" * (64 << 20))) == [(1, "not-utf8")]
    assert problems(gzip.compress(b" " * (64 << 20))) == [(1, "too-large")]
    assert problems(b"x" * (9 << 20)) == [(1, "too-large")]
    assert problems(zstd.compress(b"\0" * (64 << 20))) == [(1, "not-utf8")]
    assert problems(zstd.compress(b" " * (64 << 20))) == [(1, "too-large")]


@pytest.mark.parametrize(("pack", "code"), [(zstd.compress, "bad-zstd"), (gzip.compress, "bad-gzip")])
def test_a_small_file_of_nothing_does_not_become_a_long_time(pack: Callable[[bytes], bytes], code: str) -> None:
    assert getattr(intake.read(pack(b"") * 100 + pack(TEXT)), "digest", "") == DIGEST
    assert problems(pack(b"") * 50_000 + pack(TEXT)) == [(1, code)]


def test_a_file_that_looks_back_further_than_it_may_be_long_takes_no_memory() -> None:
    wide: dict[int, int] = {zstd.CompressionParameter.window_log: 27, zstd.CompressionParameter.content_size_flag: 0}
    packer = zstd.ZstdCompressor(options=wide)
    packed = packer.compress(TEXT) + packer.flush()
    assert problems(packed) == [(1, "bad-zstd")]
    assert isinstance(intake.read(packed, intake.BULK), Recording)


class Counting(io.BytesIO):
    """Packed bytes, and how many of them were asked for."""

    asked = 0

    def read(self, size: int | None = -1) -> bytes:
        found = super().read(size)
        self.asked += len(found)
        return found


@pytest.mark.parametrize("pack", [gzip.compress, zstd.compress])
def test_a_packed_file_is_read_no_further_than_its_text_is_wanted(pack: Callable[[bytes], bytes]) -> None:
    lines = b"".join(
        b'{"seq":%d,"type":"noted","text":"%s"}\n' % (at, secrets.token_hex(40).encode()) for at in range(20_000)
    )
    stream = Counting(pack(lines))
    pieces = chunks(stream, intake.BULK)
    next(pieces)
    assert stream.asked < len(stream.getvalue()) // 4
    assert sum(map(len, pieces)) > len(lines) // 2


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


@pytest.mark.parametrize("before", [b"\n", b"{\n", b" \r\n{}\n"])
def test_a_beginning_is_not_blamed_for_what_stands_before_it(before: bytes) -> None:
    data = before + "\n".join(GOOD).encode()
    read = [[(each.line, each.code) for each in getattr(found, "problems", ())] for found in intake.read_bundle(data)]
    flown = [
        [(each.line, each.code) for each in getattr(flow.read(), "problems", ())] for flow in flows(io.BytesIO(data))
    ]
    assert read == flown
    assert all(line <= before.count(b"\n") for line, _ in read[0])
    assert read[0]
    assert not read[1]


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
