"""The checkers that need no Razbor: one Python file, one page. They say what Razbor says of every receipt."""

import hashlib
import importlib.util
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from recorder import receipt, witness
from recorder.checkpoint import Verifier
from recorder.journal import Journal
from recorder.notary import Notary
from recorder.places_on_disk import DATA
from recorder.receipt import ReceiptError
from recorder.witness import Witness
from schemas.wire import canonical
from tests.integrity.evening import fill, open_journal
from tests.integrity.fuzz import SIGNER, sealed

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHECKER = DATA / "examples" / "check_receipt.py"
PAGE = DATA / "examples" / "check-receipt.html"


@dataclass
class Given:
    """Receipts of every form, the log's key, and one receipt that a witness signed too."""

    receipts: list[bytes]
    log: Verifier
    cosigned: bytes
    watcher: Verifier


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Given:
    folder = tmp_path_factory.mktemp("receipts")
    journal: Journal = open_journal(folder / "journal.db")
    made = fill(journal)
    notary = Notary.open(folder / "journal.db")
    watcher = Witness(folder / "witness", "witness.test/w", lambda: 1_700_000_000)
    growth = notary.growth(0)
    note = witness.add(growth.note, watcher.cosign(str(growth), notary.verifiers), watcher.verifier)
    found = Given(
        [receipt.make(journal, notary, key) for key in made]
        + [receipt.make(journal, notary, made[0], upto=9, withheld={5, 6})],
        notary.verifiers[0],
        receipt.make(journal, notary, made[1], note=note),
        watcher.verifier,
    )
    notary.close()
    journal.close()
    return found


@pytest.fixture(scope="module")
def checker() -> Any:
    spec = importlib.util.spec_from_file_location("check_receipt", CHECKER)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(*arguments: object) -> "subprocess.CompletedProcess[bytes]":
    """The checker as anybody would run it: by itself, without this tree or its packages."""
    command = [sys.executable, "-I", "-S", str(CHECKER), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=False, cwd="/")


def test_the_checker_is_one_short_file() -> None:
    assert len(CHECKER.read_text(encoding="utf-8").splitlines()) < 300


def test_the_checker_says_what_razbor_says(given: Given, tmp_path: Path) -> None:
    file = tmp_path / "receipt.json"
    for each in [*given.receipts, given.cosigned]:
        file.write_bytes(each)
        done = run(file, given.log)
        proved = receipt.verify(each, [given.log])
        assert done.returncode == 0, done.stdout
        assert f"HOLDS: recording {proved.key}, {len(proved.lines)} events" in done.stdout.decode()
        lines = run(file, given.log, "--events").stdout.splitlines()
        assert lines == [line for line in proved.lines if line is not None]
    assert run(file, given.log, given.watcher).returncode == 0
    file.write_bytes(given.receipts[0])
    assert b"not signed by witness" in run(file, given.log, given.watcher).stdout
    assert (run(file).returncode, run(file, "nonsense").returncode, run(tmp_path, given.log).returncode) == (2, 1, 1)


def test_the_checker_refuses_what_razbor_refuses(given: Given, checker: Any) -> None:
    """Bits of every receipt, and other spellings of it."""
    chance, keys = random.Random(5), [checker.read_key(str(given.log))]
    for each in given.receipts:
        places = chance.sample(range(len(each) * 8), 120)
        spoiled = [bytes(data) for data in flips(each, places)]
        spoiled += [each[:-1], each + b"\n", b" " + each, json.dumps(json.loads(each)).encode() + b"\n", b"", b"[]\n"]
        for data in spoiled:
            with pytest.raises(ReceiptError):
                receipt.verify(data, [given.log])
            with pytest.raises(checker.WrongError):
                checker.check(data, keys)


def flips(data: bytes, places: list[int]) -> Iterator[bytearray]:
    for place in places:
        flipped = bytearray(data)
        flipped[place // 8] ^= 1 << place % 8
        yield flipped


def test_its_signatures_are_those_of_the_standard(checker: Any) -> None:
    for number in range(12):
        secret = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"%d" % number).digest())
        message, public = b"message %d" % number, secret.public_key().public_bytes_raw()
        made = secret.sign(message)
        assert checker.signature_holds(public, message, made)
        assert not checker.signature_holds(public, message + b"x", made)
        scalar = int.from_bytes(made[32:], "little") + checker.ORDER
        assert not checker.signature_holds(public, message, made[:32] + scalar.to_bytes(32, "little"))
        for flipped in flips(made, [number, 255, 256 + number, 511]):
            assert not checker.signature_holds(public, message, bytes(flipped))
    assert not checker.signature_holds((2**255 - 1).to_bytes(32, "little"), b"", bytes(64))


# Receipts that are signed, and still say what no journal writes.
_ODD_PAYLOADS = (
    b"null", b"[]", b"1", b'"x"', b"{}", b'{"e":{},"n":"%s"}', b'{"e":null,"n":"%s"}', b'{"e":[],"n":"%s"}', b"{",
    b'{"e":{"seq":0.0,"type":"noted"},"n":"%s"}', b'{"e":{"seq":"0","type":"noted"},"n":"%s"}',
    b'{"e":{"seq":0,"type":"played"},"n":"%s"}', b'{"e":{"seq":1,"type":"noted"},"n":"%s"}',
    b'{"e":{"seq":0,"type":"noted"},"n":"zz%s"}', b'{"e":{"seq":0,"type":"noted"},"n":1}',
    b'{"e":{"seq":0,"type":"noted"},"n":"%s","x":1}', b'{"e":{"seq":0,"type":"noted"}, "n":"%s"}',
    b'{"n":"%s","e":{"seq":0,"type":"noted"}}', b'{"e":{"seq":0,"seq":0,"type":"noted"},"n":"%s"}',
    b'{"e":{"a":1.5,"seq":0,"type":"noted"},"n":"%s"}', b'{"e":{"a":1e2,"seq":0,"type":"noted"},"n":"%s"}',
    b'{"e":{"a":-0,"seq":0,"type":"noted"},"n":"%s"}',
    b'{"e":{"a":1234567890123456789,"seq":0,"type":"noted"},"n":"%s"}',
    rb'{"e":{"a":"\ud800","seq":0,"type":"noted"},"n":"%s"}', rb'{"e":{"a":"\u0041","seq":0,"type":"noted"},"n":"%s"}',
    *(b'{"e":{"a":' + b"[" * deep + b"]" * deep + b',"seq":0,"type":"noted"},"n":"%s"}' for deep in (8, 900, 5000)),
    '{"e":{"seq":0,"type":"noted","\uffff":1,"\U0001f0a1":1},"n":"%s"}'.encode().replace(b"%s", b"0" * 32)[:-1],
)  # fmt: skip
_ODD_HEADERS: tuple[dict[str, Any], ...] = (
    {"v": 2}, {"v": "1"}, {"v": True}, {"v": 1.0}, {"seq": 1}, {"seq": "0"}, {"seq": None}, {"prev": ""},
    {"prev": "0" * 64}, {"log": "other.test/log"}, {"log": None}, {"rec": None}, {"rec": 7}, {"type": 1}, {"at": "1"},
    {"at": None}, {"at": 1.5}, {"by": None}, {"ph": "0" * 64}, {"ph": None}, {"cmd": 1}, {"rq": None}, {"nh": []},
    {"more": 1}, {"__proto__": 1}, {"by": {"__proto__": 1}},
)  # fmt: skip


def _odd() -> list[bytes]:
    """Receipts of one event, each wrong in one way, signed all the same; the first two are right."""
    said: dict[str, Any] = {
        "v": 1, "log": SIGNER.name, "rec": "0" * 16, "seq": 0, "prev": None, "type": "noted", "at": 1, "by": "x"
    }  # fmt: skip
    plain = b'{"e":{"seq":0,"type":"noted"},"n":"%s"}'
    found, none = [], dict[str, Any]()
    deep = b'{"e":{"a":[[[[[[[]]]]]]],"seq":0,"type":"noted"},"n":"%s"}'  # as deep as an event may be
    ways = [(text, none) for text in (plain, deep, *_ODD_PAYLOADS)] + [(plain, each) for each in _ODD_HEADERS]
    for text, changed in ways:
        payload = text.replace(b"%s", b"0" * 32)
        header = said | {"ph": hashlib.sha256(payload).hexdigest()} | changed
        found.append(sealed([{"header": canonical(header).decode(), "payload": payload.decode()}]))
    for without in said:
        header = {name: value for name, value in said.items() if name != without} | {"ph": "0" * 64}
        found.append(sealed([{"header": canonical(header).decode(), "payload": None}]))
    return found


@pytest.fixture(scope="module")
def odd() -> list[bytes]:
    return _odd()


def test_the_checker_refuses_what_is_signed_but_odd(odd: list[bytes], checker: Any) -> None:
    right, deep, *wrong = odd
    keys = [checker.read_key(str(SIGNER.verifier))]
    for data in (right, deep):
        assert receipt.verify(data, [SIGNER.verifier]).key == "0" * 16
        assert checker.check(data, keys)[2] == "0" * 16
    for data in wrong:
        with pytest.raises(ReceiptError):
            receipt.verify(data, [SIGNER.verifier])
        with pytest.raises(checker.WrongError):
            checker.check(data, keys)


# The page.


@pytest.fixture
def page(browser: "Browser") -> "Iterator[Page]":
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(PAGE.as_uri())
    yield page
    context.close()


def ask(page: "Page", data: bytes, keys: str) -> str:
    page.fill("#keys", keys)
    page.set_input_files("#file", {"name": "receipt.json", "mimeType": "application/json", "buffer": data})
    page.click("#check")
    page.wait_for_selector("#answer[data-done='yes']")
    return page.text_content("#answer") or ""


@pytest.mark.browser
@pytest.mark.needs("chromium")
def test_the_page_says_what_razbor_says(given: Given, page: "Page") -> None:
    for each in given.receipts:
        proved = receipt.verify(each, [given.log])
        answer = ask(page, each, str(given.log))
        assert answer.startswith("Holds"), answer
        assert proved.key in answer
        assert f"{len(proved.lines)} events" in answer
    assert ask(page, given.cosigned, f"{given.log}\n{given.watcher}").startswith("Holds")
    assert "not signed by witness" in ask(page, given.receipts[0], f"{given.log}\n{given.watcher}")


@pytest.mark.browser
@pytest.mark.needs("chromium")
def test_the_page_refuses_what_razbor_refuses(given: Given, page: "Page") -> None:
    chance = random.Random(6)
    for each in given.receipts[1:]:
        for data in [*flips(each, chance.sample(range(len(each) * 8), 8)), each[:-1], each + b"\n", b"", b"{}\n"]:
            answer = ask(page, bytes(data), str(given.log))
            assert answer.startswith("Does not hold"), answer


@pytest.mark.browser
@pytest.mark.needs("chromium")
def test_the_page_refuses_what_is_signed_but_odd(odd: list[bytes], page: "Page") -> None:
    right, deep, *wrong = odd
    assert all(ask(page, data, str(SIGNER.verifier)).startswith("Holds") for data in (right, deep))
    answers = [ask(page, data, str(SIGNER.verifier)) for data in wrong]
    assert [answer for answer in answers if not answer.startswith("Does not hold: ")] == []
    assert not [answer for answer in answers if "sign" in answer], "refused for what it says, not for its signature"
