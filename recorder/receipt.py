"""A receipt: what the record of one game said on a day, to be proved offline with the log's public key alone.

The file is one canonical JSON object and a line end. Headers and payloads stand in it as the texts that were hashed.
"""

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from recorder import chain, confirm, intake, rows
from recorder.chain import Header, Link
from recorder.checkpoint import Checkpoint, NoteError, Verifier
from recorder.confirm import Confirmation
from recorder.decode import DEEPEST, depth_of
from recorder.journal import Journal
from recorder.merkle import leaf_hash
from recorder.notary import Notary
from recorder.proof import Inclusion
from schemas import wire
from schemas.events import Recording
from schemas.problems import Refusal
from schemas.values import GREATEST

FORMAT: Final = "razbor-receipt/1"
LARGEST: Final = 128 * 1024 * 1024
"""Bytes; a larger file is not read."""


class ReceiptError(Exception):
    """Not a receipt, or one that does not hold. `seq` is the first event that shows it, None where it is none.

    `code` says why, in words it is told by `data/words/log.LANG.toml`; `name` is the key or log it speaks of.
    """

    def __init__(self, code: str, seq: int | None = None, *, name: str = "") -> None:
        super().__init__(": ".join([code, name] if name else [code]) + ("" if seq is None else f" (event {seq})"))
        self.code, self.seq, self.name = code, seq, name


class _Event(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """`payload` is null where it is withheld; `nameless` is what stands for it after the names were erased."""

    header: str
    payload: str | None
    nameless: str | None = None


class _Receipt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: str
    events: list[_Event]
    proof: str


_MOST_DIGITS: Final = 17
_DECODER: Final = msgspec.json.Decoder(_Receipt)


@dataclass(frozen=True, slots=True)
class Proved:
    """What a receipt proves: these events, in this order, stood in the log of the checkpoint.

    Of each event the canonical line, or None where it is withheld; `at` is when the last was written, in milliseconds
    since 1970 by the log's clock; `place` is its place among all leaves; `erased` says that names were erased.
    """

    checkpoint: Checkpoint
    key: str
    headers: tuple[Header, ...]
    lines: tuple[bytes | None, ...]
    place: int
    erased: bool

    @property
    def at(self) -> int:
        """When the last event was written, in milliseconds since 1970."""
        return self.headers[-1].at

    @property
    def withheld(self) -> tuple[int, ...]:
        """The events of which only the hash is known."""
        return tuple(seq for seq, line in enumerate(self.lines) if line is None)

    def confirmations(self) -> tuple[Confirmation, ...]:
        """The settlements that seats confirmed by their own links, as far as nothing of it is withheld."""
        return confirm.confirmations(self.lines, [header.by for header in self.headers])

    def recording(self) -> Recording | Refusal | None:
        """The recording that was proved, to be judged; None where events are withheld."""
        whole = [line for line in self.lines if line is not None]
        return intake.read(b"\n".join(whole), intake.BULK) if len(whole) == len(self.lines) else None


def make(
    journal: Journal,
    notary: Notary,
    key_or_id: str,
    *,
    upto: int | None = None,
    withheld: Collection[int] = (),
    note: str | None = None,
) -> bytes:
    """The receipt of a recording as it stands now, or up to event `upto`; `ReceiptError` where it has no such event.

    `withheld` are the events of which only the hash is given: those a viewer may not see. `note` is an earlier
    checkpoint of the log, such as one that bears signatures of witnesses.
    """
    kept = journal.load(key_or_id)
    links = journal.links(key_or_id)[: len(kept.recording.lines)]
    if upto is not None:
        if not 0 <= upto < len(links):
            raise ReceiptError("no-such-event", upto)
        links = links[: upto + 1]
    events = [_event(link, kept.recording.lines[seq], withheld=seq in withheld) for seq, (_, link) in enumerate(links)]
    proof = notary.inclusion(links[-1][0], note)
    return _spell(_Receipt(FORMAT, events, str(proof)))


def _event(link: Link, line: bytes, *, withheld: bool) -> _Event:
    header = link.header.decode()
    if withheld:
        return _Event(header, None)
    if link.payload is None:
        return _Event(header, None, line.decode())
    return _Event(header, link.payload.decode())


def _spell(receipt: _Receipt) -> bytes:
    return wire.canonical(receipt) + b"\n"


def verify(data: bytes, keys: Sequence[Verifier], witnesses: Sequence[Verifier] = ()) -> Proved:
    """What a receipt proves to somebody who trusts one of these keys of the log, and these witnesses.

    `ReceiptError` for everything that would not be written so, and for whatever does not hold: signature, proof,
    chain, payload. Whether the game was right is not said: `Proved.recording` is there to be judged.
    """
    receipt = _read(data)
    headers = [each.header.encode() for each in receipt.events]
    try:
        proof = Inclusion.parse(receipt.proof)
        checkpoint = proof.verified(leaf_hash(headers[-1]), keys, witnesses)
    except NoteError as error:
        raise ReceiptError(error.code, name=error.name) from None
    links = [_link(each, header) for each, header in zip(receipt.events, headers, strict=True)]
    last = chain.read_header(headers[-1])
    if last is None:
        raise ReceiptError("no-header", len(headers) - 1)
    try:
        lines = list(chain.verify(last.rec, links, len(links)))
    except chain.LogError as error:
        raise ReceiptError("chain-broken", error.seq) from None
    said = [header for each in headers if (header := chain.read_header(each))]
    if any(header.log != checkpoint.origin for header in said):
        raise ReceiptError("event-of-another-log")
    for seq, (spelled, line) in enumerate(zip(headers, lines, strict=True)):
        if not _is_canonical(spelled) or (line is not None and not _is_canonical(line)):
            raise ReceiptError("event-spelling", seq)
        if line is not None and not rows.binds(said[seq], line):
            raise ReceiptError("nameless-hash", seq)
    for seq, each in enumerate(receipt.events):
        if each.nameless is not None:
            lines[seq] = _nameless(each.nameless.encode(), links[seq], seq)
    erased = any(each.nameless is not None for each in receipt.events)
    return Proved(checkpoint, last.rec, tuple(said), tuple(lines), proof.index, erased)


def _read(data: bytes) -> _Receipt:
    if len(data) > LARGEST:
        raise ReceiptError("too-large")
    try:
        found = _DECODER.decode(data)
        same = _spell(found) == data
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        raise ReceiptError("no-receipt") from None
    if not same or found.format != FORMAT or not found.events:
        raise ReceiptError("receipt-spelling")
    return found


def _is_canonical(line: bytes) -> bool:
    """Whether a header or an event is spelled as it would be written: no fraction, no number that is too great, and
    nested no deeper than an event may be (`record.md` 1)."""
    if depth_of(line) > DEEPEST:
        return False
    try:
        found = json.loads(line, parse_int=_whole, parse_float=_whole, parse_constant=_whole)
        return wire.canonical(found) == line
    except (ValueError, RecursionError, OverflowError):
        return False


def _whole(text: str) -> int:
    if not text.lstrip("-").isdigit() or len(text) > _MOST_DIGITS or abs(int(text)) > GREATEST:
        raise ValueError(text)
    return int(text)


def _link(event: _Event, header: bytes) -> Link:
    """The link of an event; a payload whose hash is another goes no further."""
    payload = None if event.payload is None else event.payload.encode()
    said = chain.read_header(header)
    if payload is not None and said is not None and hashlib.sha256(payload).hexdigest() != said.ph:
        raise ReceiptError("payload-hash", said.seq)
    return Link(header, leaf_hash(header), payload)


def _nameless(line: bytes, link: Link, seq: int) -> bytes:
    left = rows.is_left_of(link.header, line) and _is_canonical(line) and rows.nameless(line) == line
    if link.payload is not None or not left:
        raise ReceiptError("nameless-hash", seq)
    return line


def summary(proved: Proved) -> dict[str, Any]:
    """What a receipt proves, as plain data."""
    return {
        "format": "razbor-proof/1",
        "origin": proved.checkpoint.origin,
        "size": proved.checkpoint.size,
        "root": proved.checkpoint.root.hex(),
        "key": proved.key,
        "events": len(proved.lines),
        "place": proved.place,
        "at": proved.at,
        "withheld": list(proved.withheld),
        "erased": proved.erased,
        "confirmed": [
            {"hand": each.hand, "seat": each.seat, "seq": each.seq, "amended": each.amended}
            for each in proved.confirmations()
        ],
    }
