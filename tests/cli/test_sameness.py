"""The same recording gives the same bytes, whatever the machine; a viewer's file gives the viewer's report."""

import json
from pathlib import Path

import pytest

from recorder import intake
from replay import desk
from schemas.events import Recording
from tests.check_cases import case_names, recording_path
from tests.cli.razbor import SAMPLES, VERIFIED, process, razbor

MACHINES = [
    {"PYTHONHASHSEED": seed, "LC_ALL": locale, "TZ": zone, "PYTHONUTF8": utf8}
    for seed, locale, zone, utf8 in [
        ("0", "C", "UTC", "0"),
        ("1", "tr_TR.UTF-8", "Asia/Tbilisi", "0"),
        ("2", "C", "Asia/Tbilisi", "1"),
        ("0", "tr_TR.UTF-8", "UTC", "1"),
    ]
]
TWICE = (
    "import sys; from replay.cli import main\n"
    "for _ in range(2):\n"
    "    try: main(sys.argv[1:])\n"
    "    except SystemExit: pass\n"
)
MIXED = [str(SAMPLES), str(recording_path("bura/table-amended")), str(recording_path("bura/refuse-unknown-field"))]


@pytest.fixture(scope="module")
def here() -> bytes:
    return razbor("verify", "--json", *MIXED).stdout.encode()


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: " ".join(machine.values()))
def test_reports_are_the_same_everywhere(machine: dict[str, str], here: bytes) -> None:
    done = process("verify", "--json", *MIXED, env=machine)
    assert done.returncode == 3, done.stderr.decode()
    assert done.stdout == here


def test_reports_are_the_same_the_second_time(here: bytes) -> None:
    done = process("verify", "--json", *MIXED, code=TWICE)
    assert done.stdout == here + here


def test_reports_are_the_same_from_any_folder(here: bytes, tmp_path: Path) -> None:
    assert process("verify", "--json", *MIXED, cwd=tmp_path).stdout == here


@pytest.mark.parametrize("command", ["verify", "show"])
def test_text_is_utf8_whatever_the_locale(command: str) -> None:
    texts = [process(command, VERIFIED, "--lang", "ru", env=machine).stdout for machine in MACHINES]
    assert "Анна" in texts[0].decode("utf-8")
    assert set(texts) == {texts[0]}


def test_keys_stand_in_the_order_of_the_format() -> None:
    said = json.loads(razbor("verify", "--json", VERIFIED).stdout)
    assert list(said) == ["format", "engine", "recording", "verdict", "findings", "hands", "balances"]
    assert list(said["recording"]) == [
        "digest", "id", "game", "rules", "options", "rules_digest", "view", "events", "hands", "complete"
    ]  # fmt: skip


def recording_of(name: str) -> Recording | None:
    found = intake.read(recording_path(name).read_bytes())
    return found if isinstance(found, Recording) else None


@pytest.mark.parametrize("name", [name for name in case_names() if "refuse-" not in name])
def test_a_viewers_file_gives_the_viewers_report(name: str) -> None:
    recording = recording_of(name)
    assert recording is not None
    data = recording_path(name).read_bytes()
    for view in ("public", "seat:1", "seat:2"):
        seen = desk.seen_as(recording, view)
        assert desk.verify(seen) == desk.verify(data, view=view)
        assert desk.verify(seen, reading="recorded") == desk.verify(data, view=view, reading="recorded")


def test_the_whole_view_is_the_file_itself() -> None:
    recording = recording_of("bura/clean-01")
    assert recording is not None
    assert desk.seen_as(recording, "full") == b"".join(line + b"\n" for line in recording.lines)


HEAVY = (
    "babel", "click", "cryptography", "flask", "hypothesis", "marshmallow", "rich", "sqlite3", "sqlite_utils",
    "waitress", "replay.audit.dispute", "replay.audit.places", "replay.audit.scene", "replay.audit.sight",
    "replay.engine.bourre", "replay.views", "schemas.wire_schema",
)  # fmt: skip
"""What the verdict on one game of Bura does without: `razbor verify FILE` is to start in under 8 bare Pythons."""
LOADED = (
    "import sys; sys.argv[0] = 'razbor'; from replay.cli import main\n"
    "try: main()\n"
    "except SystemExit: pass\n"
    "print(*sorted(sys.modules), file=sys.stderr)"
)


def test_one_game_loads_nothing_it_does_not_need() -> None:
    done = process("verify", VERIFIED, "--json", code=LOADED)
    loaded = set(done.stderr.decode().split())
    assert "msgspec" in loaded
    assert sorted(loaded & set(HEAVY)) == []


@pytest.mark.parametrize("more", [(), ("--json",)])
@pytest.mark.parametrize(
    "name", ["bura/rule-open-31", "bura/rule-open-30-takes", "bura/refuse-unknown-field", "nowhere"]
)
def test_the_plain_road_and_the_door_say_the_same(name: str, more: tuple[str, ...]) -> None:
    file = str(recording_path(name))
    plain, door = process("verify", file, *more), process("--lang", "en", "verify", file, *more)
    assert (plain.returncode, plain.stdout, plain.stderr) == (door.returncode, door.stdout, door.stderr)
    assert plain.returncode in (0, 1, 2, 3)
