"""Whatever bytes come in, the parsers answer: `python -m tests.integrity.fuzz upload|receipt FOLDER SECONDS` (atheris).

`FOLDER` keeps what was found to lead further; it is begun with the samples where it is empty.
"""

import gzip
import hashlib
import importlib.util
import json
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from recorder import chain, intake, merkle, receipt
from recorder.checkpoint import PLAIN, Checkpoint, NoteError, Signer
from recorder.places_on_disk import DATA, RECORDINGS
from recorder.proof import Growth, Inclusion
from recorder.receipt import Proved, ReceiptError
from replay import desk
from schemas import wire
from schemas.events import Recording

SIGNER: Final = Signer("razbor.test/fuzz", PLAIN, hashlib.sha256(b"fuzz").digest())
KEYS: Final = (SIGNER.verifier,)
_LONGEST: Final = 1 << 16
_WORDS: Final = b'" { } [ ] : , null -1 0 1e9 ?? \\u0000 \r'.split(b" ")


def samples() -> list[bytes]:
    """Recordings as they are uploaded, the short ones."""
    found = [path.read_bytes() for path in sorted(RECORDINGS.glob("*.jsonl"))]
    short = [each for each in found if len(each) < 8_000]
    return [*short, gzip.compress(short[0], mtime=0), short[0] + short[1]]


def upload(data: bytes) -> None:
    """A file is read or refused with problems; what was read is read the same from its canonical bytes, and judged."""
    for found in intake.read_bundle(data, intake.WEB):
        if not isinstance(found, Recording):
            assert found.problems
            assert all(problem.line > 0 for problem in found.problems)
            continue
        again = intake.read(b"".join(line + b"\n" for line in found.lines))
        assert again == found
        assert desk.verify(b"\n".join(found.lines))["verdict"] in {"verified", "refuted", "undecided"}
    whole = intake.read(data)
    assert isinstance(whole, Recording) or whole.problems


def sealed(events: Sequence[dict[str, Any]]) -> bytes:
    """A receipt of these events, signed as if their last were all that is in the log."""
    leaf = merkle.leaf_hash(events[-1]["header"].encode())
    note = Checkpoint(SIGNER.name, 1, leaf).signed(SIGNER)
    proof = str(Inclusion(0, (), note))
    return wire.canonical({"events": list(events), "format": receipt.FORMAT, "proof": proof}) + b"\n"


def receipts() -> list[bytes]:
    """A receipt of each sample, whole, with withheld events, and with erased names."""
    found = []
    for data in samples():
        read = intake.read(data)
        if isinstance(read, Recording):
            events = _events(read)
            found += [sealed(events), sealed([{**each, "payload": None} for each in events[:9]])]
    return found


def _events(read: Recording) -> list[dict[str, Any]]:
    previous, events = None, []
    for event, line in zip(read.events, read.lines, strict=True):
        kind = str(event.__struct_config__.tag)
        header = chain.Header(chain.VERSION, SIGNER.name, "0" * 16, event.seq, previous, kind, 1, "fuzz", "")
        link, _ = chain.link(header, line, bytes(16))
        assert link.payload is not None
        events.append({"header": link.header.decode(), "payload": link.payload.decode()})
        previous = link.leaf.hex()
    return events


class Receipts:
    """A receipt is refused or proved, by Razbor and by the checker that needs no Razbor alike.

    Bytes that prove something are those of a receipt that was made. The same with a signature over whatever they say,
    and with a chain mended too: then what comes after signature and chain is reached.
    """

    def __init__(self) -> None:
        self._made = set(receipts())
        self._checker = _checker()
        self._key = [(KEYS[0].name, KEYS[0].key_id, KEYS[0].kind, KEYS[0].public)]

    def __call__(self, data: bytes) -> None:
        if self._asked(data) is not None:
            assert data in self._made
        try:
            events = json.loads(data)["events"]
            events[-1]["header"].encode()
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
            _texts(data)
            return
        for forged in (events, mended(events)):
            try:
                signed = sealed(forged)
            except (TypeError, ValueError, RecursionError):
                continue
            self._asked(signed)

    def _asked(self, data: bytes) -> Proved | None:
        try:
            proved = receipt.verify(data, KEYS)
        except ReceiptError:
            self._refused(data)
            return None
        assert receipt.summary(proved)["events"] == len(proved.headers)
        found = proved.recording()
        if isinstance(found, Recording):
            desk.verify(b"\n".join(found.lines))
        lines = [None if line is None else line.encode() for line in self._checker.check(data, self._key)[3]]
        assert lines == list(proved.lines)
        return proved

    def _refused(self, data: bytes) -> None:
        try:
            self._checker.check(data, self._key)
        except self._checker.WrongError:
            return
        raise AssertionError("the checker takes what Razbor refuses")


def mended(events: Any, log: str = SIGNER.name) -> Any:
    """Events whose headers hash their payloads and follow each other, as far as they are events at all."""
    whole, previous = [], None
    for seq, each in enumerate(events):
        try:
            header = json.loads(each["header"])
            payload = each["payload"]
            hashed = header.get("ph") if payload is None else hashlib.sha256(payload.encode()).hexdigest()
            told = wire.canonical({**header, "log": log, "seq": seq, "prev": previous, "ph": hashed}).decode()
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
            return events
        whole.append({**each, "header": told})
        previous = merkle.leaf_hash(told.encode()).hex()
    return whole


def _texts(data: bytes) -> None:
    """The forms inside a receipt, by themselves."""
    text = data.decode("utf-8", "replace")
    for form in (Inclusion, Growth):
        try:
            assert str(form.parse(text)) == text
        except NoteError:
            continue


def _checker() -> Any:
    spec = importlib.util.spec_from_file_location("check_receipt", DATA / "examples" / "check_receipt.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    vars(module)["signature_holds"] = lambda public, message, made: KEYS[0].holds(
        message.decode(), made
    )  # its own takes 10 ms
    return module


def mutated(data: bytes, chance: random.Random, others: Sequence[bytes]) -> bytes:
    """The bytes with pieces of lines left out, doubled, moved, or taken from elsewhere."""
    for _ in range(chance.randrange(1, 4)):
        mark = chance.choice([b"\n", b",", b'"'])
        parts, at = data.split(mark), chance.randrange(data.count(mark) + 1)
        other = chance.choice(others).split(mark)
        match chance.randrange(6):
            case 0:
                del parts[at]
            case 1:
                parts.insert(at, parts[chance.randrange(len(parts))])
            case 2:
                parts[at] = parts[chance.randrange(len(parts))]
            case 3:
                parts.insert(at, other[chance.randrange(len(other))])
            case 4:
                place = chance.randrange(len(parts[at]) + 1)
                parts[at] = parts[at][:place] + chance.choice(_WORDS) + parts[at][place:]
            case _:
                bits = bytearray(parts[at] or b"0")
                bits[chance.randrange(len(bits))] ^= 1 << chance.randrange(8)
                parts[at] = bytes(bits)
        data = mark.join(parts)
    return data[:_LONGEST]


TARGETS: Final[dict[str, tuple[Callable[[], Callable[[bytes], None]], Callable[[], list[bytes]]]]] = {
    "upload": (lambda: upload, samples),
    "receipt": (Receipts, receipts),
}
"""By name: what makes the target, and what it begins with."""


def main(what: str, folder: Path, seconds: int) -> None:
    """Lets atheris look for bytes at which the target fails, for so long."""
    import atheris  # type: ignore[import-untyped, unused-ignore]

    making, beginning = TARGETS[what]
    target, seeds = making(), beginning()
    folder.mkdir(parents=True, exist_ok=True)
    if not any(folder.iterdir()):
        for number, seed in enumerate(seeds):
            (folder / f"seed-{number}").write_bytes(seed)

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        chance = random.Random(seed)
        if chance.randrange(3):
            return mutated(bytes(data), chance, seeds)[:most]
        return bytes(atheris.Mutate(data, most))

    atheris.instrument_all()
    options = [f"-max_total_time={seconds}", f"-max_len={_LONGEST}", "-timeout=30", "-rss_limit_mb=2048"]
    arguments = [sys.argv[0], str(folder), *options, "-print_final_stats=1", f"-artifact_prefix={folder}-"]
    atheris.Setup(arguments, target, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
