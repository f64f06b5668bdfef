"""What every test may rely on: programs that may be missing, a count of what was left out, a browser, a server."""

import os
import shutil
from collections.abc import Iterator
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from recorder.address import Place
    from tests.server import Server

LEAVE_NOTHING_OUT = os.environ.get("RAZBOR_LEAVE_NOTHING_OUT", "") not in {"", "0"}
# Where a program goes under several names, or lies outside PATH; the first that is there is taken. The shell is
# Chromium without windows, and draws a page in a third of the time.
NAMES = {
    "chromium": ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"),
    "postgresql": ("postgres", "/usr/lib/postgresql/*/bin/postgres"),
}
# A loaded machine is no reason to fail; where nothing may be left to chance, the same examples are tried every time.
settings.register_profile(
    "suite",
    deadline=None,
    derandomize=LEAVE_NOTHING_OUT or "CI" in os.environ,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("suite")
MEMORY, ROOM = Path("/dev/shm"), 2 << 30
LEFT_OUT = pytest.StashKey[list[tuple[str, str]]]()


def program_path(program: str) -> str | None:
    """Where a program is installed; `None` where it is not."""
    for name in NAMES.get(program, (program,)):
        found = max(glob(name), default=None) if "*" in name else shutil.which(name)  # noqa: PTH207 - an absolute pattern
        if found:
            return found
    return None


def there_is_room_in_memory() -> bool:
    """Whether files may lie there, so many, and be run."""
    if not os.access(MEMORY, os.W_OK):
        return False
    found = os.statvfs(MEMORY)
    return found.f_bavail * found.f_frsize >= ROOM and not found.f_flag & os.ST_NOEXEC


def pytest_configure(config: pytest.Config) -> None:
    config.stash[LEFT_OUT] = []
    if there_is_room_in_memory():  # thousands of small journals wait for no disk; those of tests/integrity do
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes are no name: what gzip makes differs from second to second, and so would the workers' lists of tests."""
    return argname if isinstance(val, bytes) else None


def pytest_runtest_setup(item: pytest.Item) -> None:
    wanted = [program for mark in item.iter_markers("needs") for program in mark.args]
    if missing := [program for program in wanted if program_path(program) is None]:
        pytest.skip(f"not installed: {', '.join(missing)}")


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """The system's Chromium; a test that asks for it is marked `needs("chromium")`."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program_path("chromium"), args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def server() -> "Iterator[Server]":
    """A PostgreSQL server, one a process of the tests; a test that asks for it is marked `needs("postgresql")`."""
    from tests.server import Server

    program = program_path("postgresql")
    assert program
    made = Server(program)
    yield made
    made.remove()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test of a journal is done with each kind of database, but with a file alone where it asks for its `path`."""
    if "store" in metafunc.fixturenames:
        kinds = ["file", pytest.param("server", marks=pytest.mark.needs("postgresql"))]
        metafunc.parametrize("store", kinds[:1] if "path" in metafunc.fixturenames else kinds)


@pytest.fixture
def place(store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> "Place":
    """Where a journal may be made; its keys and its anchor go to the test's own folder."""
    if store == "file":
        return tmp_path / "journal.db"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    server: Server = request.getfixturevalue("server")
    return server.new_place()


# A test left out for whatever reason is named and counted; the last line of the output is the count.


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    left_out = config.stash[LEFT_OUT]
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        left_out.append((report.nodeid, reason.removeprefix("Skipped: ")))
    if left_out:
        terminalreporter.section("left out")
    for name, reason in sorted(left_out):
        terminalreporter.line(f"{name}: {reason}")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Iterator[None]:
    yield
    if LEAVE_NOTHING_OUT and session.config.stash[LEFT_OUT] and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or hasattr(config, "workerinput") or config.option.collectonly:
        return
    count = len(config.stash[LEFT_OUT])
    verdict = " - and none may be (RAZBOR_LEAVE_NOTHING_OUT)" if count and LEAVE_NOTHING_OUT else ""
    reporter.line(f"left out: {count}{verdict}")
