"""Canonical bytes on disk: payload, header, leaf, and the chain of one recording (`integrity.md`, "Event on disk").

An event lies in two levels, because one of 36 cards is easily guessed from a bare hash: the payload holds a random
number beside the event, the header only the payload's hash.
"""

import hashlib
from collections.abc import Sequence
from typing import Final

import msgspec

from recorder.merkle import leaf_hash
from schemas import wire

VERSION: Final = 1


class LogError(Exception):
    """What is stored is not what was stored; `code` is the finding's (`report.md` 3)."""

    code = "log/chain-broken"

    def __init__(self, key: str, seq: int) -> None:
        super().__init__(f"{self.code}: {key} at {seq}")
        self.key, self.seq = key, seq


class ChainBrokenError(LogError):
    """An event, its header or its place was changed; `seq` is the first that shows it."""


class MissingEventsError(LogError):
    """Events that were acknowledged are no longer there; `seq` is the first of them."""

    code = "log/missing-events"


class Header(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the chain says of one event. `prev` is the leaf before in hex (of the first event null), `at` milliseconds
    since 1970, `by` who wrote it, `ph` the payload's SHA-256, `cmd` the command's key and `rq` its request's hash
    (`salted`, for a header is shown where the payload is not);
    `nh`, where the event names people, is the SHA-256 of the line that stays when the names are erased."""

    v: int
    log: str
    rec: str
    seq: int
    prev: str | None
    type: str
    at: int
    by: str
    ph: str
    cmd: str | None = None
    rq: str | None = None
    nh: str | None = None


class _Payload(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    e: msgspec.Raw
    n: str


class _Kind(msgspec.Struct, frozen=True):
    seq: int
    type: str


_UNREADABLE: Final = (msgspec.MsgspecError, RecursionError)
_HEADER: Final = msgspec.json.Decoder(Header)
_PAYLOAD: Final = msgspec.json.Decoder(_Payload)
_KIND: Final = msgspec.json.Decoder(_Kind)


class Link(msgspec.Struct, frozen=True):
    """One event as it lies on disk; `payload` is None where it was erased or withheld."""

    header: bytes
    leaf: bytes
    payload: bytes | None


def digest(lines: Sequence[bytes]) -> str:
    """The digest of a recording: SHA-256 in hex of its canonical lines, each ended by LF (`record.md` 1)."""
    return hashlib.sha256(b"".join(line + b"\n" for line in lines)).hexdigest()


def payload_of(line: bytes, nonce: bytes) -> bytes:
    """The payload of an event's canonical line and 16 random bytes; canonical itself."""
    return b'{"e":' + line + b',"n":"' + nonce.hex().encode() + b'"}'


def salted(request: str, nonce: bytes) -> str:
    """A request's hash that tells nothing to who does not know the random number of the command's first payload."""
    return hashlib.sha256(nonce + request.encode()).hexdigest()


def nonce_of(payload: bytes) -> bytes:
    """The random number of a payload."""
    return bytes.fromhex(_PAYLOAD.decode(payload).n)


def link(header: Header, line: bytes, nonce: bytes) -> tuple[Link, Header]:
    """An event ready for the disk, and its header with the payload's hash filled in."""
    payload = payload_of(line, nonce)
    whole = msgspec.structs.replace(header, ph=hashlib.sha256(payload).hexdigest())
    spelled = wire.canonical(whole)
    return Link(spelled, leaf_hash(spelled), payload), whole


def read_header(header: bytes) -> Header | None:
    """A header from its bytes; None unless they are exactly what would be written for it."""
    try:
        found = _HEADER.decode(header)
    except _UNREADABLE:
        return None
    return found if wire.canonical(found) == header else None


def line_of(payload: bytes) -> bytes | None:
    """The event's canonical line in a payload; None unless the payload is exactly what would be written for it."""
    try:
        found = _PAYLOAD.decode(payload)
        nonce = bytes.fromhex(found.n)
    except (*_UNREADABLE, ValueError):
        return None
    line = bytes(found.e)
    return line if len(nonce) == 16 and payload_of(line, nonce) == payload else None


def verify(key: str, links: Sequence[Link], count: int) -> tuple[bytes | None, ...]:
    """The canonical lines of one recording, each header, leaf, place and payload held to the chain.

    None stands for an erased payload. `ChainBrokenError` and `MissingEventsError` name the first event that is wrong.
    """
    previous: str | None = None
    lines: list[bytes | None] = []
    for seq, each in enumerate(links):
        header = read_header(each.header)
        if header is None or header.v != VERSION or header.rec != key or leaf_hash(each.header) != each.leaf:
            raise ChainBrokenError(key, seq)
        if header.seq > seq:
            raise MissingEventsError(key, seq)
        if header.seq != seq or header.prev != previous:
            raise ChainBrokenError(key, seq)
        lines.append(_verified_line(key, header, each.payload))
        previous = each.leaf.hex()
    if len(links) < count:
        raise MissingEventsError(key, len(links))
    return tuple(lines)


def _verified_line(key: str, header: Header, payload: bytes | None) -> bytes | None:
    if payload is None:
        return None
    line = line_of(payload)
    if line is None or hashlib.sha256(payload).hexdigest() != header.ph or not is_told_by(header, line):
        raise ChainBrokenError(key, header.seq)
    return line


def is_told_by(header: Header, line: bytes) -> bool:
    """Whether an event's line has the number and the type that a header tells."""
    try:
        kind = _KIND.decode(line)
    except _UNREADABLE:
        return False
    return (kind.seq, kind.type) == (header.seq, header.type)
