"""`razbor serve` behind a proxy: what the proxy says of its clients is believed, from it and from nobody else."""

import http.client
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import BinaryIO

import pytest

from tests.cli.razbor import PLAIN, ROOT, RUN, razbor
from tests.live.conftest import HEADER

SAID = {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "club.example"}


@contextmanager
def served(
    path: Path, settings: Mapping[str, str], *options: str, log: int | BinaryIO = subprocess.DEVNULL
) -> Iterator[int]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RAZBOR")}
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, "serve", "--db", str(path), "--port", "0", *options],
        env={**kept, **PLAIN, "PYTHONPATH": str(ROOT), **settings},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=log,
    )
    assert process.stdout
    told = re.search(rb":(\d+)/", process.stdout.readline())
    assert told
    yield int(told[1])
    process.kill()
    process.wait()
    process.stdout.close()


def cookie_of_a_role(port: int) -> str:
    """What a role's link leaves in a browser behind the proxy."""
    with closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
        connection.request("POST", "/api/v1/tables", json.dumps({"header": HEADER}), SAID)
        made = json.loads(connection.getresponse().read())
        connection.request("GET", made["links"][0]["href"], headers=SAID)
        return connection.getresponse().headers["Set-Cookie"]


@pytest.mark.parametrize(
    ("proxy", "believed"), [("127.0.0.1", True), ("192.0.2.1", False), ("", False)], ids=["it", "another", "none"]
)
def test_what_the_proxy_says_is_believed_from_it_alone(tmp_path: Path, proxy: str, believed: bool) -> None:
    with served(tmp_path / "journal.db", {"RAZBOR_PROXY": proxy}, "--shown-only") as port:
        assert ("Secure" in cookie_of_a_role(port)) is believed
        codes = set()
        with closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
            for number in range(62):
                client = f"192.0.2.{9 + number % 2}" if proxy == "127.0.0.1" else "192.0.2.9"
                connection.request("POST", "/api/v1/verify", b"{}", {**SAID, "X-Forwarded-For": client})
                answer = connection.getresponse()
                answer.read()
                codes.add(answer.status)
    assert (429 in codes) is not believed, "60 a minute for each client, not for all of them"


def test_the_environment_opens_metrics_and_the_log_of_requests(tmp_path: Path) -> None:
    for settings, status, logged in (({}, 404, 0), ({"RAZBOR_METRICS": "1", "RAZBOR_LOG": "access"}, 200, 2)):
        log = tmp_path / f"log-{status}"
        with log.open("wb") as file, served(tmp_path / "journal.db", settings, log=file) as port:
            with closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
                connection.request("GET", "/metrics")
                assert connection.getresponse().status == status
            assert answered(port, "localhost") == 200
        lines = [json.loads(line) for line in log.read_bytes().splitlines()]
        pages = [line["page"] for line in lines if "page" in line]  # a busy server says so too
        assert pages == ["operations.metrics", "uploads.shelf"][:logged]


def answered(port: int, host: str) -> int:
    with closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
        connection.request("GET", "/", headers={"Host": host})
        return connection.getresponse().status


def test_what_shows_everything_answers_to_its_own_names_alone(tmp_path: Path) -> None:
    """The name of any site may lead to 127.0.0.1, and its pages in a browser of this machine could read it all."""
    ours = ("localhost", "127.0.0.1", "LOCALHOST", "[::1]")
    others = ("evil.example", "127.0.0.1.evil.example", "127.0.0.2", "[::2]", "localhost.", "192.0.2.1")
    with served(tmp_path / "journal.db", {}) as port:
        assert {answered(port, name) for host in ours for name in (host, f"{host}:{port}")} == {200}
        assert {answered(port, name) for host in others for name in (host, f"{host}:{port}")} == {400}
    with served(tmp_path / "journal.db", {}, "--shown-only") as port:
        assert {answered(port, host) for host in ("localhost", "club.example")} == {200}


@pytest.mark.parametrize(
    ("name", "value"),
    [("RAZBOR_METRICS", "yes"), ("RAZBOR_LOG", "everything"), ("RAZBOR_PROXY", "proxy.example"), ("RAZBOR_PROXY", "*")],
)
@pytest.mark.parametrize("lang", ["en", "ru", "fr"])
def test_a_setting_that_means_nothing_is_refused(tmp_path: Path, name: str, value: str, lang: str) -> None:
    result = razbor("serve", "--db", str(tmp_path / "journal.db"), "--port", "0", "--lang", lang, env={name: value})
    assert result.exit_code == 2
    assert name in result.stderr
    assert value in result.stderr
    assert not (tmp_path / "journal.db").exists()
