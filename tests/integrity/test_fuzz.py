"""The parsers answer whatever comes: a quick dose of spoiled samples here, atheris for ten minutes each in the soak."""

import importlib.util
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from recorder import receipt
from recorder.receipt import ReceiptError
from tests.cli.razbor import ROOT
from tests.integrity import fuzz

SPOILED, MINUTES = 150, 10


@pytest.mark.parametrize("what", fuzz.TARGETS)
def test_spoiled_samples_are_answered(what: str) -> None:
    making, beginning = fuzz.TARGETS[what]
    target, seeds, chance = making(), beginning(), random.Random(what)
    for seed in seeds:
        target(seed)
    for _ in range(SPOILED):
        target(fuzz.mutated(chance.choice(seeds), chance, seeds))
    for data in (b"", b"\n", b"{}", b"[]\n", b"\xff", b"\x1f\x8b", b'{"events":[]}\n', b'{"events":[{"header":""}]}\n'):
        target(data)


@pytest.mark.soak
@pytest.mark.timeout(0)
@pytest.mark.parametrize("what", fuzz.TARGETS)
def test_atheris_finds_nothing(what: str, tmp_path: Path) -> None:
    if importlib.util.find_spec("atheris") is None:
        pytest.skip("not installed: atheris")
    command = [sys.executable, "-m", "tests.integrity.fuzz", what, str(tmp_path / what), str(60 * MINUTES)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    print(done.stderr.decode()[-400:])
    assert done.returncode == 0


def first_event() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(fuzz.receipts()[0])["events"][0]
    return found


@pytest.mark.parametrize(
    ("part", "old", "new", "code"),
    [
        ("header", '"by":"fuzz"', '"by": "fuzz"', "no-header"),
        ("header", '"by":"fuzz"', '"also":1,"by":"fuzz"', "no-header"),
        ("header", '"v":1', '"v":true', "no-header"),
        ("header", '"v":1', '"v":2', "chain-broken"),
        ("header", '"at":1', '"at":1234567890123456789', "event-spelling"),
        ("payload", '"format":"razbor/1"', '"format": "razbor/1"', "event-spelling"),
        ("payload", '"format":"razbor/1"', '"format":"razbor/1","x_a":1.5', "event-spelling"),
        ("payload", '"n":"0', '"n":"', "chain-broken"),
        ("payload", '{"e":', '{"e": ', "chain-broken"),
    ],
)
def test_what_the_log_signed_in_another_spelling_is_refused(part: str, old: str, new: str, code: str) -> None:
    """Sound but for one piece of its only event; the checker that needs no Razbor says the same."""
    event = first_event()
    assert receipt.verify(fuzz.sealed([event]), fuzz.KEYS).lines
    assert event[part].count(old) == 1
    events = [{**event, part: event[part].replace(old, new)}]
    data = fuzz.sealed(events if part == "header" else fuzz.mended(events))
    with pytest.raises(ReceiptError) as caught:
        receipt.verify(data, fuzz.KEYS)
    assert caught.value.code == code
    fuzz.Receipts()(data)


def test_events_of_another_log_are_refused() -> None:
    data = fuzz.sealed(fuzz.mended([first_event()], log="razbor.test/other"))
    with pytest.raises(ReceiptError, match="event-of-another-log"):
        receipt.verify(data, fuzz.KEYS)
    fuzz.Receipts()(data)
