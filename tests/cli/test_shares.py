"""Much at once: however it is divided and whoever judges it, the answers are the same, to the byte and in order."""

import gzip
import io
import os
import pty
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

import pytest
from distributed import LocalCluster

from recorder import intake
from recorder.archive import packed
from recorder.shares import Share, shares
from replay import cli_bulk, desk
from replay.audit.report import ENGINE
from replay.cli_sources import Source
from replay.cli_summary import Summary
from replay.cli_tasks import Part, judge
from replay.cli_words import report_pieces
from schemas.events import Recording
from tests.check_cases import CASES
from tests.cli.razbor import PLAIN, REFUSED, REFUTED, ROOT, RUN, UNDECIDED, VERIFIED, process, razbor

GOOD = [Path(name).read_bytes() for name in (VERIFIED, REFUTED, UNDECIDED)]
MEMORY = "/proc/self/mem"
CUT = b"".join(GOOD[0].splitlines(keepends=True)[:9])
PLAYED = [path.read_bytes() for path in sorted(CASES.glob("b*/session-0*.jsonl"))[:2]]


def archived(*files: bytes) -> bytes:
    found = [each for file in files for each in intake.read_bundle(file) if isinstance(each, Recording)]
    return b"".join(line for each in found for line in packed(each))


DAMAGED = archived(*GOOD).replace(b'["p",1,"AsKsQs"]', b'["p",1,"AsKsJs"]')
BUNDLES = {
    "good": b"".join([*GOOD, *PLAYED]),
    "refused": b"".join([GOOD[0], Path(REFUSED).read_bytes(), GOOD[1], GOOD[1]]),
    "cut": b"".join([CUT, GOOD[1], CUT, CUT]),
    "noise": b"\xef\xbb\xbf" + b"\r\n".join([b"", b"{", *GOOD[0].split(b"\n"), b"}"]),
    "gzip": gzip.compress(b"".join([*GOOD, *PLAYED])),
    "broken": gzip.compress(b"".join([*GOOD, *PLAYED, random.Random(5).randbytes(5000)]))[:-3000],
    "twice": gzip.compress(gzip.compress(GOOD[0])),
    "empty": b"",
    "archive": archived(*GOOD, *PLAYED),
    "damaged": DAMAGED,
    "lacking": b"".join(line for at, line in enumerate(archived(*GOOD, *PLAYED).splitlines(keepends=True)) if at != 4),
    "odd spaces": archived(*GOOD, *PLAYED).replace(b'{"cards', b'\r{"cards').replace(b'["p"', b'["p"\r'),
    "cuts": archived(CUT, GOOD[0]) + archived(CUT),
    "mixed": archived(GOOD[0]) + GOOD[1],
    "headless": archived(*GOOD).replace(b'{"archive":"razbor-archive/1"', b'{"archive":"razbor-archive/9"', 1),
}


def said(given: bytes | Share) -> list[str]:
    return ["".join(report_pieces(answer[1])) for answer in desk.verify_each(given)]


def divided(data: bytes, size: int, folder: str) -> list[Share]:
    return list(shares(io.BytesIO(data), size=size, folder=folder))


@pytest.mark.parametrize("name", BUNDLES)
def test_the_shares_of_a_file_say_what_the_file_says(name: str, tmp_path: Path) -> None:
    whole = said(BUNDLES[name])
    for size in (1, 3000, 1 << 30):
        for folder in ("", str(tmp_path)):
            with mock.patch("recorder.shares.SPILLED", 2000):
                found = divided(BUNDLES[name], size, folder)
            assert [text for share in found for text in said(share)] == whole
    assert len(divided(BUNDLES[name], 1, "")) > 1 or len(whole) == 1


def test_a_long_recording_waits_on_disk(tmp_path: Path) -> None:
    (share,) = divided(PLAYED[0], 1, str(tmp_path))
    assert share.text
    with mock.patch("recorder.shares.SPILLED", 10):
        (share,) = divided(PLAYED[0], 1, str(tmp_path))
    assert (share.text, Path(share.path).read_bytes()) == (b"", PLAYED[0])


def test_sums_are_put_together_in_any_grouping_and_order() -> None:
    rng = random.Random(7)
    sums = [
        Summary(
            Counter({rng.choice("abc"): 1}), Counter(rng.choices("xyz", k=rng.randrange(4))), rng.choice([0, 1, 3, 4])
        )
        for _ in range(40)
    ]
    whole = sum(sums, Summary())
    for _ in range(200):
        left = sums[:]
        rng.shuffle(left)
        while len(left) > 1:
            at = rng.randrange(len(left) - 1)
            left[at : at + 2] = [left[at] + left[at + 1]]
        assert left == [whole]
    assert whole.worst == 3
    assert whole.as_data() == {"verdicts": whole.verdicts, "codes": whole.codes, "worst": 3}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    for name, data in BUNDLES.items():
        (tmp_path / name).write_bytes(data)
    return [str(tmp_path / name) for name in BUNDLES]


@pytest.mark.parametrize("how", [(), ("--json",), ("--lang", "ru", "--view", "public")])
def test_however_it_is_divided_the_same_is_printed(how: tuple[str, ...], files: list[str], tmp_path: Path) -> None:
    plain = razbor("verify", *how, *files)
    for size in (1, 5000) if "--json" in how else (3000,):
        with mock.patch.object(cli_bulk, "SIZE", size):
            told = razbor("verify", *how, "--resume", str(tmp_path / f"state{size}"), *files)
        assert (told.stdout, told.stderr, told.exit_code) == (plain.stdout, plain.stderr, plain.exit_code)


@pytest.mark.parametrize(
    "named",
    [
        (VERIFIED,), (REFUTED, "--json"), (VERIFIED, MEMORY), (VERIFIED, REFUTED, MEMORY), (MEMORY, VERIFIED),
    ],
)  # fmt: skip
def test_one_answer_or_one_that_cannot_be_had_is_told_the_same(named: tuple[str, ...]) -> None:
    """/proc/self/mem can be opened, and its first byte not be read."""
    plain, told = razbor("verify", *named), process("verify", "--jobs", "2", *named, env=PLAIN)
    assert (told.stdout.decode(), told.stderr.decode(), told.returncode) == (
        plain.stdout,
        plain.stderr,
        plain.exit_code,
    )
    assert bool(plain.stdout) == (named[0] != MEMORY)


def test_whether_there_are_colours_is_said_by_the_process_that_prints() -> None:
    part = Part(REFUTED, divided(GOOD[1], 1, "")[0], 0, last=True)
    with mock.patch.dict(os.environ, {"NO_COLOR": ""}), mock.patch("sys.stdout.isatty", return_value=True):
        for colours in (True, False):
            (done,) = judge([part], {"language": "en", "view": "full", "reading": "amended"}, False, colours)
            assert ("\x1b[" in done.texts[0]) == colours


def test_what_comes_through_a_pipe_is_read_once(tmp_path: Path) -> None:
    plain = razbor("verify", "--json", VERIFIED, REFUTED).stdout
    both = GOOD[0] + GOOD[1]
    assert razbor("verify", "--json", "--resume", str(tmp_path / "state"), "-", given=both).stdout == plain
    for how in ((), ("--resume", str(tmp_path / "other"))):
        pipe = tmp_path / f"pipe{len(how)}"
        os.mkfifo(pipe)
        with ThreadPoolExecutor(1) as writer:
            writer.submit(pipe.write_bytes, both)
            assert razbor("verify", "--json", *how, str(pipe)).stdout == plain


def test_what_cannot_be_opened_is_told_after_what_could(files: list[str], tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with mock.patch.object(cli_bulk, "sources", return_value=[Source(files[0]), Source("/nothing")]):
        told = razbor("verify", "--jobs", "2", files[0])
    assert told.exit_code == 2
    assert told.stdout.startswith("Verified: no")
    assert "There is no file /nothing." in told.stderr


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    with LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=":0", protocol="tcp"
    ) as made:
        yield made.scheduler_address


@pytest.mark.parametrize("how", [("--json",), ()])
def test_a_cluster_says_what_one_process_says(how: tuple[str, ...], cluster: str, files: list[str]) -> None:
    plain = razbor("verify", *how, *files)
    for size in (1, 50_000):
        with mock.patch.object(cli_bulk, "SIZE", size):
            told = razbor("verify", *how, "--cluster", cluster, *files)
        assert (told.stdout, told.stderr, told.exit_code) == (plain.stdout, plain.stderr, plain.exit_code)


def test_a_cluster_that_is_not_there_is_a_mistake() -> None:
    for address in ("tcp://127.0.0.1:9", "127.0.0.1", "nonsense", "inproc://1", ""):
        told = razbor("verify", "--cluster", address, VERIFIED)
        assert (told.exit_code, told.stdout) == (2, "")
        assert f"No cluster answers at {address}." in told.stderr
    assert "not both" in razbor("verify", "--cluster", "tcp://127.0.0.1:9", "--jobs", "2", VERIFIED).stderr
    with mock.patch.dict(sys.modules, {"distributed": None}):
        told = razbor("verify", "--cluster", "tcp://127.0.0.1:9", VERIFIED)
    assert (told.exit_code, told.stdout) == (2, "")
    assert "pip install 'razbor[cluster]'" in told.stderr


def test_a_cluster_of_other_workers_judges_nothing(cluster: str) -> None:
    with mock.patch("distributed.Client.run", return_value={"one": ENGINE, "two": "0.0.1"}):
        told = razbor("verify", "--cluster", cluster, VERIFIED)
    assert (told.exit_code, told.stdout) == (2, "")
    assert f"needs Razbor {ENGINE}; found there: 0.0.1, {ENGINE}." in told.stderr
    with LocalCluster(n_workers=0, processes=False, dashboard_address=":0", protocol="tcp") as nobody:
        told = razbor("verify", "--cluster", nobody.scheduler_address, VERIFIED)
    assert (told.exit_code, told.stdout) == (2, "")
    assert "found there: -." in told.stderr


@pytest.mark.parametrize("how", [(), ("--jobs", "2")])
def test_on_a_terminal_a_bar_goes_before_the_answers_and_leaves_them_whole(
    how: tuple[str, ...], files: list[str]
) -> None:
    ours, theirs = pty.openpty()
    env = {**os.environ, **PLAIN, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "100"}
    command = [sys.executable, "-c", RUN, "verify", *how, *files[:6]]
    child = subprocess.Popen(command, stdout=theirs, stderr=theirs, env=env)
    os.close(theirs)
    told = b"".join(iter(lambda: _read(ours), b"")).decode()
    os.close(ours)
    plain = razbor("verify", *files[:6])
    assert child.wait() == plain.exit_code
    assert "verify" in told
    assert "/6" in told
    lines = told.replace("\r\n", "\n").split("\n")
    assert [line for line in plain.stdout.split("\n") if not any(each.endswith(line) for each in lines)] == []


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # the other end is closed
        return b""
