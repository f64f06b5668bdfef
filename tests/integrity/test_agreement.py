"""Razbor, the checker in Python and the page say the same of hundreds of receipts, whoever made them."""

import base64
import hashlib
import json
import random
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from recorder import chain, merkle, receipt, rows
from recorder.checkpoint import spell_bytes
from recorder.proof import Inclusion
from recorder.receipt import ReceiptError
from schemas import wire
from tests.integrity import fuzz
from tests.integrity.fuzz import SIGNER, mended, mutated, sealed
from tests.integrity.test_checkers import PAGE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

MUTATED = 120
_NONCE = bytes(16)


def one(event: dict[str, Any], header: dict[str, Any], *, payload: bool = True, left: str | None = None) -> bytes:
    """A signed receipt of one event, whatever its header says; `left` stands for the names."""
    told = chain.payload_of(wire.canonical(event), _NONCE).decode()
    said = {
        "v": 1, "log": SIGNER.name, "rec": "0" * 16, "seq": 0, "prev": None, "type": event["type"], "at": 1, "by": "x",
        "ph": hashlib.sha256(told.encode()).hexdigest(), **header,
    }  # fmt: skip
    shown = {} if left is None else {"nameless": left}
    return sealed([{"header": wire.canonical(said).decode(), "payload": told if payload else None, **shown}])


def hashed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


PLAYED = {"type": "played", "seq": 0, "seat": 1, "cards": ["As"], "face": "up"}
BEGUN = {"type": "recording_began", "seq": 0, "seats": ["Anna", "Boris"], "pot": 10}
MENDED = {"type": "inserted", "seq": 0, "event": {"type": "player_joined", "seat": 3, "name": "Vera"}, "after": 1}


def two_faced() -> Iterator[bytes]:
    """Receipts of one leaf that stands for two events: one in the payload, another where that is erased."""
    for event, other in (
        (PLAYED, {**PLAYED, "cards": ["6c"]}),
        (BEGUN, {**BEGUN, "seats": ["seat 1", "seat 2"], "pot": 90}),
        (MENDED, {**MENDED, "after": 0, "event": {"type": "player_joined", "seat": 3, "name": "seat 3"}}),
    ):
        text = wire.canonical(other).decode()
        yield one(event, {"nh": hashed(text)})
    for event, other in ((PLAYED, PLAYED), (BEGUN, BEGUN), (BEGUN, {**BEGUN, "seq": 1}), (MENDED, MENDED)):
        text = wire.canonical(other).decode()
        yield one(event, {"nh": hashed(text)}, payload=False, left=text)
    text = rows.nameless(wire.canonical(BEGUN)).decode()
    for changed in ({"type": "player_joined"}, {"type": "noted"}, {"seq": 1}):
        yield one(BEGUN, {"nh": hashed(text), **changed}, payload=False, left=text)
    yield one(BEGUN, {"nh": hashed(text)}, left=text)
    yield one(BEGUN, {"nh": hashed(text + " ")}, payload=False, left=text + " ")


def as_it_should_be() -> Iterator[bytes]:
    for event in (BEGUN, MENDED, {**BEGUN, "title": "t", "note": "n", "x_a": {"b": 1}, "seats": "odd"}):
        text = rows.nameless(wire.canonical(event)).decode()
        yield one(event, {"nh": hashed(text)})
        yield one(event, {"nh": hashed(text)}, payload=False, left=text)
        yield one(event, {"nh": hashed(text)}, payload=False)
    yield one({**PLAYED, "x_most": 2**53 - 1}, {"at": 1 - 2**53})


def greater_than_any_number() -> Iterator[bytes]:
    for number in (2**53, 2**53 + 1, -(2**53), 10**17):
        yield one(PLAYED, {"at": number})
        yield one({**PLAYED, "x_most": number}, {})


def signed_beside(made: bytes) -> Iterator[bytes]:
    """The same receipt with a line of some stranger's, or many."""
    names = [
        "x",
        "x\x85y",
        "x\ufeffy",
        "x\u2028y",
        "x\xa0y",
        "x\x7fy",
        "x\x1cy",
        "\u200b",
        "é",
        "\U0001f0a1",
        "a+b",
        "a b",
        "",
    ]
    lines = [f"— {name} {spell_bytes(bytes(9))}\n" for name in names]
    lines += [f"— x {spelled}\n" for spelled in ("AAAAAA==", "AAAAAAA=", "AAAAAAB=", "AAAAAAA", "AAAAAAA=\t", "A AA=")]
    lines += ["".join(f"— x{number} {spell_bytes(bytes(9))}\n" for number in range(most)) for most in (98, 99, 100)]
    lines += [f"— {'é' * length} {spell_bytes(bytes(9))}\n" for length in (600_000, 1_100_000)]
    for each in lines:
        told = json.loads(made)
        yield wire.canonical({**told, "proof": told["proof"] + each}) + b"\n"


def in_a_log_of_any_size(made: bytes) -> Iterator[bytes]:
    events = json.loads(made)["events"]
    leaf = merkle.leaf_hash(events[-1]["header"].encode())
    for size, index, levels in ((2, 1, 1), (3, 2, 1), (10**15, 5, 50), (2**53 + 1, 5, 54), (2**62, 5, 62), (1, 1, 0)):
        for count in (levels - 1, levels, levels + 1):
            hashes = tuple(bytes([number]) * 32 for number in range(count))
            root = merkle.inclusion_root(leaf, index, size, hashes) or bytes(32)
            text = f"{SIGNER.name}\n{size}\n{spell_bytes(root)}\n"
            proof = str(Inclusion(index, hashes, f"{text}\n{SIGNER.line(text)}"))
            yield wire.canonical({"events": events, "format": receipt.FORMAT, "proof": proof}) + b"\n"


def changed_anyhow(made: list[bytes]) -> Iterator[bytes]:
    chance = random.Random(3)
    for _ in range(MUTATED):
        data = mutated(chance.choice(made), chance, made)
        yield data
        try:
            events = json.loads(data)["events"]
            yield from (sealed(events), sealed(mended(events)))
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
            continue


@pytest.fixture(scope="module")
def receipts() -> list[bytes]:
    made = fuzz.receipts()
    return [
        *made, *as_it_should_be(), *two_faced(), *greater_than_any_number(), *signed_beside(made[0]),
        *in_a_log_of_any_size(made[0]), *changed_anyhow(made),
    ]  # fmt: skip


def holds(check: Callable[[], object], refusal: type[Exception]) -> bool:
    try:
        check()
    except refusal:
        return False
    return True


@pytest.fixture(scope="module")
def said(receipts: list[bytes]) -> list[bool]:
    return [holds(lambda data=each: receipt.verify(data, fuzz.KEYS), ReceiptError) for each in receipts]  # type: ignore[misc]


def test_no_leaf_stands_for_two_events() -> None:
    for data in two_faced():
        with pytest.raises(ReceiptError):
            receipt.verify(data, fuzz.KEYS)
    for data in as_it_should_be():
        assert receipt.verify(data, fuzz.KEYS).key == "0" * 16


def test_no_number_is_greater_than_a_recording_may_hold() -> None:
    for data in greater_than_any_number():
        with pytest.raises(ReceiptError):
            receipt.verify(data, fuzz.KEYS)


def test_the_checker_says_the_same(receipts: list[bytes], said: list[bool]) -> None:
    checker = fuzz._checker()
    key = [(SIGNER.verifier.name, SIGNER.verifier.key_id, SIGNER.verifier.kind, SIGNER.verifier.public)]
    told = [holds(lambda data=each: checker.check(data, key), checker.WrongError) for each in receipts]  # type: ignore[misc]
    assert [each for each, one, other in zip(receipts, said, told, strict=True) if one != other] == []
    assert sum(said) > 30
    assert len(said) - sum(said) > 200


# What it makes of a signature itself is asked elsewhere: some tenth of a second each.
_ASK = """async ([receipts, key]) => {
  const keys = [await keyOf(key)], answers = [];
  window.signatureHolds = (_, message, signature) => signatureOfTheLog(hex(message), hex(signature));
  for (const each of receipts) {
    const bytes = Uint8Array.from(atob(each), (sign) => sign.charCodeAt(0));
    answers.push(await check(bytes, keys).then(() => true, (error) => error instanceof Wrong ? false : String(error)));
  }
  return answers;
}"""


def signed(message: str, signature: str) -> bool:
    return SIGNER.verifier.holds(bytes.fromhex(message).decode(), bytes.fromhex(signature))


@pytest.mark.browser
@pytest.mark.needs("chromium")
def test_the_page_says_the_same(receipts: list[bytes], said: list[bool], browser: "Browser") -> None:
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.expose_function("signatureOfTheLog", signed)
    page.goto(PAGE.as_uri())
    told = page.evaluate(_ASK, [[base64.b64encode(each).decode() for each in receipts], str(SIGNER.verifier)])
    context.close()
    odd = [(each[:300], one, other) for each, one, other in zip(receipts, said, told, strict=True) if one != other]
    assert odd == []
