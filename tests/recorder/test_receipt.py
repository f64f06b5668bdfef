"""A receipt proves what the record said, offline; whatever was changed in it is refused."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from recorder import receipt, witness
from recorder.address import Place
from recorder.checkpoint import PLAIN, Signer, Verifier
from recorder.journal import Journal
from recorder.notary import Notary
from recorder.receipt import ReceiptError
from recorder.witness import Witness
from schemas import wire
from schemas.events import Recording
from tests.recorder.lines import BEGAN, DEALT, HAND_OBJECT, STAKE_OBJECT


@pytest.fixture
def notary(journal: Journal, place: Place) -> Iterator[Notary]:
    found = Notary.open(place)
    yield found
    found.close()


@pytest.fixture
def key(journal: Journal) -> str:
    journal.create(BEGAN.encode(), by="someone else")
    key = journal.create(BEGAN.encode()).key
    journal.append(key, [STAKE_OBJECT, HAND_OBJECT], 1, "first")
    journal.append(key, [json.loads(DEALT)], 3)
    return key


def spoiled(data: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    found = json.loads(data)
    change(found)
    return wire.canonical(found) + b"\n"


def test_a_receipt_proves_the_recording(journal: Journal, notary: Notary, key: str) -> None:
    proved = receipt.verify(receipt.make(journal, notary, key), notary.verifiers)
    assert proved.recording() == journal.load(key).recording
    assert (proved.key, proved.withheld, proved.erased, proved.place) == (key, (), False, 4)
    assert proved.checkpoint.size == 5
    assert receipt.summary(proved)["events"] == 4


def test_a_receipt_at_a_settlement_ends_there(journal: Journal, notary: Notary, key: str) -> None:
    proved = receipt.verify(receipt.make(journal, notary, key, upto=2), notary.verifiers)
    assert [header.type for header in proved.headers] == ["recording_began", "stake_set", "hand_began"]
    with pytest.raises(ReceiptError, match="no-such-event"):
        receipt.make(journal, notary, key, upto=4)


def test_a_withheld_payload_tells_no_card(journal: Journal, notary: Notary, key: str) -> None:
    face = json.dumps('"Th"')[1:-1].encode()
    assert face in receipt.make(journal, notary, key)
    data = receipt.make(journal, notary, key, withheld={3})
    assert face not in data
    proved = receipt.verify(data, notary.verifiers)
    assert proved.withheld == (3,)
    assert proved.recording() is None


def test_a_receipt_after_erasure_names_nobody_and_still_holds(journal: Journal, notary: Notary, key: str) -> None:
    before = receipt.make(journal, notary, key)
    journal.erase(key)
    after = receipt.make(journal, notary, key)
    assert "Анна".encode() not in after
    proved = receipt.verify(after, notary.verifiers)
    recording = proved.recording()
    assert isinstance(recording, Recording)
    assert recording.began.seats == ("seat 1", "seat 2")
    assert proved.erased
    assert receipt.verify(before, notary.verifiers).headers == proved.headers
    with pytest.raises(ReceiptError, match="nameless-hash"):
        receipt.verify(after.replace(b"seat 2", b"seat 3"), notary.verifiers)


def test_a_receipt_with_a_witness(journal: Journal, notary: Notary, key: str, tmp_path: Path) -> None:
    watcher = Witness(tmp_path / "witness", "witness.test/w", lambda: 1_700_000_000)
    growth = notary.growth(0)
    note = witness.add(growth.note, watcher.cosign(str(growth), notary.verifiers), watcher.verifier)
    journal.append(key, [{"type": "noted", "text": "later"}], 4)
    data = receipt.make(journal, notary, key, upto=3, note=note)
    assert receipt.verify(data, notary.verifiers, [watcher.verifier]).checkpoint.size == 5
    with pytest.raises(ReceiptError, match="not-signed-by: witness"):
        receipt.verify(receipt.make(journal, notary, key), notary.verifiers, [watcher.verifier])
    with pytest.raises(ValueError, match="no leaf"):
        receipt.make(journal, notary, key, note=note)


def test_receipts_outlive_their_key(journal: Journal, notary: Notary, key: str) -> None:
    old = notary.verifiers
    before = receipt.make(journal, notary, key)
    fresh = notary.renew_key()
    after = receipt.make(journal, notary, key)
    assert receipt.verify(before, notary.verifiers).key == receipt.verify(after, [fresh]).key
    assert notary.verifiers == (fresh, *old)
    for data, keys in ((before, [fresh]), (after, old)):
        with pytest.raises(ReceiptError, match="not-signed-by-log"):
            receipt.verify(data, keys)


def test_another_key_of_the_same_name_does_not_do(journal: Journal, notary: Notary, key: str) -> None:
    stranger = Signer(notary.origin, PLAIN, bytes(32)).verifier
    with pytest.raises(ReceiptError):
        receipt.verify(receipt.make(journal, notary, key), [stranger])
    with pytest.raises(ReceiptError):
        receipt.verify(receipt.make(journal, notary, key), [])


CHANGES: list[tuple[str, Callable[[dict[str, Any]], object]]] = [
    ("format", lambda told: told.update(format="razbor-receipt/2")),
    ("an unknown field", lambda told: told.update(more=1)),
    ("no events", lambda told: told.update(events=[])),
    ("the last dropped", lambda told: told["events"].pop()),
    ("one dropped", lambda told: told["events"].pop(1)),
    ("two swapped", lambda told: told["events"].insert(1, told["events"].pop(2))),
    ("one doubled", lambda told: told["events"].insert(1, told["events"][1])),
    ("payload exchanged", lambda told: told["events"][1].update(payload=told["events"][2]["payload"])),
    ("nameless beside payload", lambda told: told["events"][0].update(nameless="{}")),
    ("nameless of a nameless type", lambda told: told["events"][1].update(payload=None, nameless="{}")),
    ("header of no object", lambda told: told["events"][3].update(header="[]")),
    ("deep", lambda told: told["events"][1].update(payload='{"e":' + "[" * 100_000 + "]" * 100_000 + ',"n":"00"}')),
    ("another place", lambda told: told.update(proof=told["proof"].replace("index 4", "index 3"))),
    ("extra data", lambda told: told.update(proof=told["proof"].replace("index", "extra QQ==\nindex", 1))),
    ("a stranger's signature", lambda told: told.update(proof=told["proof"] + "— x QQ==\n")),
]


@pytest.mark.parametrize(("change"), [each for _, each in CHANGES], ids=[name for name, _ in CHANGES])
def test_a_changed_receipt_is_refused(
    journal: Journal, notary: Notary, key: str, change: Callable[[dict[str, Any]], object]
) -> None:
    data = receipt.make(journal, notary, key)
    with pytest.raises(ReceiptError):
        receipt.verify(spoiled(data, change), notary.verifiers)


def test_another_spelling_is_refused(journal: Journal, notary: Notary, key: str) -> None:
    data = receipt.make(journal, notary, key)
    first, second = data.split(b',"format"', 1)
    others = [
        data[:-1], data + b"\n", b" " + data, data.replace(b":[", b": [", 1), b"\xef\xbb\xbf" + data,
        data.decode().encode("utf-16"),
        data.replace(b"razbor-receipt", b"\\u0072azbor-receipt"), b"", b"null\n", b"[]\n", b"{}\n", b"\x00" * 50,
        first + b',"format":"razbor-receipt/1","format"' + second, b"[" * 100_000, b'{"events":' * 50_000,
    ]  # fmt: skip
    for other in others:
        with pytest.raises(ReceiptError):
            receipt.verify(other, notary.verifiers)


@pytest.mark.usefixtures("path")  # it is of no journal any more
def test_every_bit_of_a_receipt_counts(journal: Journal, notary: Notary) -> None:
    key = journal.create(BEGAN.encode()).key
    journal.append(key, [STAKE_OBJECT, HAND_OBJECT], 1)
    journal.create(BEGAN.encode())
    data = receipt.make(journal, notary, key, withheld={1})
    keys: tuple[Verifier, ...] = notary.verifiers
    assert receipt.verify(data, keys).withheld == (1,)
    passed = []
    for place in range(len(data) * 8):
        flipped = bytearray(data)
        flipped[place // 8] ^= 1 << place % 8
        try:
            receipt.verify(bytes(flipped), keys)
        except ReceiptError:
            continue
        passed.append(place)
    assert passed == []
    assert len(data) * 8 > 10_000
