"""Signed notes and checkpoints of the log (C2SP signed-note, tlog-checkpoint, tlog-cosignature; Go's `sumdb/note`).

What is read is what would be written: a note, key or hash in any other spelling is refused.
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

PLAIN: Final = 1
"""The kind of a key that signs the text of a note."""
COSIGNATURE: Final = 4
"""The kind of a witness's key: it signs the time with the text."""
_MARK: Final = "— "
_MOST_SIGNATURES: Final = 100
_LONGEST: Final = 1 << 20
_CONTROL: Final = re.compile(r"[\x00-\x09\x0b-\x1f]")
_NAME: Final = re.compile(r"[^\s+\x00-\x1f]+")
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,18}")
_TIME_BYTES: Final = 8


class NoteError(ValueError):
    """No note, key or checkpoint that would be written so, or not signed by whom it should be.

    `code` says which, in words it is told by `data/words/log.LANG.toml`; `name` is the key or log it speaks of.
    """

    def __init__(self, code: str, name: str = "") -> None:
        super().__init__(f"{code}: {name}" if name else code)
        self.code, self.name = code, name


def spell_bytes(data: bytes) -> str:
    """Standard base64."""
    return base64.b64encode(data).decode()


def read_bytes(text: str) -> bytes:
    """Standard base64 back; `NoteError` for every spelling but the one of `spell_bytes`."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise NoteError("not-base64") from None
    if spell_bytes(data) != text:
        raise NoteError("other-base64")
    return data


def read_hash(text: str) -> bytes:
    """A SHA-256 from its base64; `NoteError`."""
    data = read_bytes(text)
    if len(data) != 32:
        raise NoteError("no-hash")
    return data


def read_number(text: str) -> int:
    """A count from its decimal spelling, without leading zeroes, below 2**63; `NoteError`."""
    if not _NUMBER.fullmatch(text) or int(text) >= 1 << 63:
        raise NoteError("no-number")
    return int(text)


def is_name(name: str) -> bool:
    """Whether a key may have this name: something, without spaces and plus signs."""
    return bool(_NAME.fullmatch(name)) and not any(each.isspace() for each in name)


def _key_id(name: str, kind: int, public: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + bytes([kind]) + public).digest()[:4]


def _read_key(text: str) -> tuple[str, str, int, bytes]:
    """Name, id in hex, kind and 32 bytes of a spelled key."""
    parts = text.split("+", 2)
    if len(parts) != 3 or not is_name(parts[0]) or not re.fullmatch("[0-9a-f]{8}", parts[1]):
        raise NoteError("no-key")
    material = read_bytes(parts[2])
    if len(material) != 33 or material[0] not in (PLAIN, COSIGNATURE):
        raise NoteError("no-key")
    return parts[0], parts[1], material[0], material[1:]


def _signed_bytes(kind: int, text: str, at: bytes) -> bytes:
    if kind == PLAIN:
        return text.encode()
    return f"cosignature/v1\ntime {int.from_bytes(at)}\n{text}".encode()


@dataclass(frozen=True, slots=True)
class Verifier:
    """A public key with its name; spelled `name+id+base64`, as Go spells it."""

    name: str
    kind: int
    public: bytes

    @classmethod
    def parse(cls, text: str) -> Self:
        """A verifier key from its spelling; `NoteError`."""
        name, key_id, kind, public = _read_key(text)
        found = cls(name, kind, public)
        if found.key_id.hex() != key_id:
            raise NoteError("wrong-key-id")
        return found

    def __str__(self) -> str:
        return f"{self.name}+{self.key_id.hex()}+{spell_bytes(bytes([self.kind]) + self.public)}"

    @property
    def key_id(self) -> bytes:
        """The four bytes by which a signature names its key."""
        return _key_id(self.name, self.kind, self.public)

    def holds(self, text: str, signature: bytes) -> bool:
        """Whether this key made the signature (without its key id) of the text."""
        at = signature[:_TIME_BYTES] if self.kind == COSIGNATURE else b""
        if len(signature) != 64 + len(at) or int.from_bytes(at) >= 1 << 63:
            return False
        try:
            key = Ed25519PublicKey.from_public_bytes(self.public)
            key.verify(signature[len(at) :], _signed_bytes(self.kind, text, at))
        except (InvalidSignature, ValueError):
            return False
        return True


@dataclass(frozen=True, slots=True)
class Signer:
    """A secret key with its name; spelled `PRIVATE+KEY+name+id+base64`, as Go spells it."""

    name: str
    kind: int
    seed: bytes

    @classmethod
    def parse(cls, text: str) -> Self:
        """A signer key from its spelling; `NoteError`, which never tells the key."""
        if not text.startswith("PRIVATE+KEY+"):
            raise NoteError("no-secret-key")
        name, key_id, kind, seed = _read_key(text.removeprefix("PRIVATE+KEY+"))
        found = cls(name, kind, seed)
        if found.verifier.key_id.hex() != key_id:
            raise NoteError("wrong-key-id")
        return found

    def spell(self) -> str:
        """The secret in its spelling: for the key file, and nothing else."""
        return f"PRIVATE+KEY+{self.name}+{self.verifier.key_id.hex()}+{spell_bytes(bytes([self.kind]) + self.seed)}"

    def __repr__(self) -> str:
        return f"Signer({self.verifier})"

    @property
    def verifier(self) -> Verifier:
        """The public half."""
        public = Ed25519PrivateKey.from_private_bytes(self.seed).public_key().public_bytes_raw()
        return Verifier(self.name, self.kind, public)

    def line(self, text: str, at: int = 0) -> str:
        """The signature line of a note's text; `at`, in seconds since 1970, counts for a witness's key."""
        stamp = at.to_bytes(_TIME_BYTES) if self.kind == COSIGNATURE else b""
        made = Ed25519PrivateKey.from_private_bytes(self.seed).sign(_signed_bytes(self.kind, text, stamp))
        return f"{_MARK}{self.name} {spell_bytes(self.verifier.key_id + stamp + made)}\n"


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature line of a note, not yet verified."""

    name: str
    key_id: bytes
    made: bytes

    @property
    def line(self) -> str:
        """The line as it stands in the note, with its line end."""
        return f"{_MARK}{self.name} {spell_bytes(self.key_id + self.made)}\n"


def split(note: str) -> tuple[str, tuple[Signature, ...]]:
    """The text of a note, its last line end included, and its signatures; `NoteError` for what is no note."""
    head, blank, tail = note.rpartition("\n\n")
    text = head + "\n"
    if not blank or not head or len(note) > _LONGEST or _CONTROL.search(note) or not note.endswith("\n"):
        raise NoteError("no-note")
    try:
        note.encode()
    except UnicodeEncodeError:
        raise NoteError("no-note") from None
    signatures = tuple(map(_read_signature, tail[:-1].split("\n")))
    if len(signatures) > _MOST_SIGNATURES or len(set(signatures)) < len(signatures):
        raise NoteError("too-many-signatures")
    return text, signatures


def _read_signature(line: str) -> Signature:
    name, space, spelled = line.removeprefix(_MARK).partition(" ")
    if not line.startswith(_MARK) or not space or not is_name(name):
        raise NoteError("no-signature-line")
    made = read_bytes(spelled)
    if len(made) < 5:
        raise NoteError("no-signature-line")
    return Signature(name, made[:4], made[4:])


def verify(note: str, keys: Sequence[Verifier], witnesses: Sequence[Verifier] = ()) -> str:
    """The text of a note that one of the keys at least and all of the witnesses have signed.

    Signatures of keys not given are passed over. `NoteError` where one is lacking, or one of a key given does not hold.
    """
    text, signatures = split(note)
    signed = []
    for key in (*keys, *witnesses):
        named = [each for each in signatures if (each.name, each.key_id) == (key.name, key.key_id)]
        if not all(key.holds(text, each.made) for each in named):
            raise NoteError("signature-wrong", key.name)
        signed += [key] if named else []
    for key in witnesses:
        if key not in signed:
            raise NoteError("not-signed-by", key.name)
    if not any(key in signed for key in keys):
        raise NoteError("not-signed-by-log")
    return text


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What a log says of itself: its origin, how many leaves it has, and the root of its tree."""

    origin: str
    size: int
    root: bytes

    @classmethod
    def parse(cls, text: str) -> Self:
        """A checkpoint from a note's text; `NoteError` for every other text, extension lines too."""
        lines = text.split("\n")
        if len(lines) != 4 or lines[3] or not lines[0]:
            raise NoteError("no-checkpoint")
        return cls(lines[0], read_number(lines[1]), read_hash(lines[2]))

    @classmethod
    def verified(cls, note: str, keys: Sequence[Verifier], witnesses: Sequence[Verifier] = ()) -> Self:
        """The checkpoint of a note signed by one of the log's keys, which bear its origin as name, and each witness.

        `NoteError` where it is not so signed, or the keys are another log's.
        """
        found = cls.parse(verify(note, keys, witnesses))
        if any(key.name != found.origin for key in keys):
            raise NoteError("another-log", found.origin)
        return found

    @property
    def text(self) -> str:
        """The text that is signed."""
        return f"{self.origin}\n{self.size}\n{spell_bytes(self.root)}\n"

    def signed(self, signer: Signer) -> str:
        """The signed note."""
        return f"{self.text}\n{signer.line(self.text)}"
