"""Go's `sumdb/note` and `tlog` verify what is signed and proved here, unchanged."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recorder import keys, merkle
from recorder.checkpoint import PLAIN, Checkpoint, Signer
from recorder.journal import Journal
from recorder.notary import Notary
from tests.integrity.evening import ORIGIN, fill, open_journal

HERE = Path(__file__).resolve().parent
SOURCES = Path("/usr/share/gocode")  # where Debian puts the sources of golang.org/x/mod
RECORDED = HERE / "go_case.json"
SIGNER = Signer(ORIGIN, PLAIN, bytes(range(32)))  # for the recorded case: everybody may know it
Check = Callable[[dict[str, Any]], "subprocess.CompletedProcess[str]"]
needs_go = [
    pytest.mark.needs("go"),
    pytest.mark.skipif(not (SOURCES / "src/golang.org/x/mod/sumdb").is_dir(), reason="not installed: golang.org/x/mod"),
]


def case(path: Path) -> dict[str, Any]:
    """A journal's checkpoint with the proof of every leaf, and of every earlier size."""
    journal: Journal = open_journal(path)
    made = fill(journal)
    keys.write_file(keys.directory(path) / "log.key", SIGNER.spell() + "\n", 0o600, replace=True)
    notary = Notary.open(path)
    note = notary.checkpoint()
    size = Checkpoint.verified(note, notary.verifiers).size
    links = sorted(link for key in made for link in journal.links(key))
    leaves = [link.leaf for _, link in links]
    told = {
        "key": str(notary.verifiers[0]),
        "note": note,
        "inclusions": [
            {"header": link.header.hex(), "index": at, "proof": spell(notary.inclusion(at).hashes)}
            for at, link in links
        ],
        "growths": [
            {"old": old, "root": root_of(leaves[:old]).hex(), "proof": spell(notary.growth(old).hashes)}
            for old in range(1, size + 1)
        ],
    }
    notary.close()
    journal.close()
    return told


def spell(hashes: tuple[bytes, ...]) -> list[str]:
    return [each.hex() for each in hashes]


def root_of(leaves: list[bytes]) -> bytes:
    frontier: list[bytes] = []
    for size, leaf in enumerate(leaves):
        frontier, _ = merkle.grow(size, frontier, leaf)
    return merkle.root(frontier)


@pytest.fixture(scope="module")
def check(tmp_path_factory: pytest.TempPathFactory) -> Check:
    """The Go program, built once."""
    folder = tmp_path_factory.mktemp("go")
    settings = {"GO111MODULE": "off", "GOFLAGS": "", "GOPATH": str(SOURCES), "GOCACHE": str(folder / "cache")}
    around = {**os.environ, **settings}
    program = folder / "check"
    subprocess.run(["go", "build", "-o", program, "main.go"], cwd=HERE / "go" / "check", env=around, check=True)

    def run(told: dict[str, Any]) -> "subprocess.CompletedProcess[str]":
        given = json.dumps({**told, "secret": SIGNER.spell()})
        return subprocess.run([program], input=given, capture_output=True, text=True, check=False)

    return run


class TestGo:
    pytestmark = needs_go

    def test_go_verifies_checkpoint_inclusion_and_consistency(self, check: Check, tmp_path: Path) -> None:
        told = case(tmp_path / "journal.db")
        done = check(told)
        assert (done.returncode, done.stderr) == (0, "")
        assert json.loads(done.stdout)["note"] == told["note"]  # and Go, with the same key, signs the same bytes

    def test_go_refuses_what_was_changed(self, check: Check, tmp_path: Path) -> None:
        told = case(tmp_path / "journal.db")
        wrong = "00" * 32
        for spoiled in (
            {**told, "note": told["note"].replace("\n", "\n1", 1)},
            {**told, "inclusions": [{**told["inclusions"][3], "index": 4}]},
            {**told, "inclusions": [{**told["inclusions"][3], "header": "7b7d"}]},
            {**told, "growths": [{**told["growths"][3], "root": wrong}]},
        ):
            assert check(spoiled).returncode == 1

    def test_the_recorded_case_is_what_go_verified(self, check: Check) -> None:
        assert check(json.loads(RECORDED.read_text(encoding="utf-8"))).returncode == 0


def test_what_go_verified_is_what_is_made_here() -> None:
    """Where there is no Go: a case Go verified, made again byte for byte."""
    told = json.loads(RECORDED.read_text(encoding="utf-8"))
    leaves = [merkle.leaf_hash(bytes.fromhex(each["header"])) for each in told["inclusions"]]
    stored: list[bytes] = []
    frontier: list[bytes] = []
    for size, leaf in enumerate(leaves):
        frontier, fresh = merkle.grow(size, frontier, leaf)
        stored += fresh
    assert str(SIGNER.verifier) == told["key"]
    assert Checkpoint(ORIGIN, len(leaves), merkle.root(frontier)).signed(SIGNER) == told["note"]
    for at, each in enumerate(told["inclusions"]):
        assert spell(tuple(merkle.inclusion(stored.__getitem__, at, len(leaves)))) == each["proof"]
    for each in told["growths"]:
        assert spell(tuple(merkle.consistency(stored.__getitem__, each["old"], len(leaves)))) == each["proof"]
        assert root_of(leaves[: each["old"]]).hex() == each["root"]
