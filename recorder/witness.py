"""A witness of somebody else's log: it says of a checkpoint that the log only grew since the one it saw last.

It needs files only: the log's request (C2SP tlog-witness), the log's public key, and a directory of its own.
"""

import fcntl
import hashlib
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from recorder import keys, merkle
from recorder.checkpoint import COSIGNATURE, Checkpoint, NoteError, Signer, Verifier, split
from recorder.proof import Growth

_KEY: Final = "witness.key"


class NotConsistentError(Exception):
    """Not signed: the log does not go on from what this witness saw last. That note and this one convict the log."""

    code, name = "not-consistent", ""


class OtherSizeError(Exception):
    """Not signed: the request starts from another size than this witness saw last, which is `size`."""

    code = "other-size"

    def __init__(self, size: int) -> None:
        super().__init__(f"seen last: {size}")
        self.size, self.name = size, str(size)


def _seconds() -> int:
    return time.time_ns() // 1_000_000_000


class Witness:
    """A witness whose key and memory lie in one directory. `clock` gives seconds since 1970."""

    def __init__(self, folder: Path, name: str, clock: Callable[[], int] = _seconds) -> None:
        self._folder = folder
        self._name = name
        self._clock = clock

    def _signer(self) -> Signer:
        return keys.signer(self._folder, self._name, kind=COSIGNATURE, file=_KEY)

    @property
    def verifier(self) -> Verifier:
        """The witness's public key, made now where there is none."""
        return self._signer().verifier

    def _seen(self, origin: str) -> Path:
        return self._folder / f"seen-{hashlib.sha256(origin.encode()).hexdigest()[:32]}.note"

    def last(self, log: Sequence[Verifier]) -> Checkpoint | None:
        """The checkpoint of a log this witness signed last; None where it has seen none."""
        path = self._seen(log[0].name)
        return Checkpoint.verified(path.read_text(encoding="utf-8"), log) if path.exists() else None

    def cosign(self, request: str, log: Sequence[Verifier]) -> str:
        """The signature line for a request of a log with these public keys, remembered before it is given.

        `recorder.checkpoint.NoteError` where the request is none or its note not signed by the log; `OtherSizeError`,
        `NotConsistentError`.
        """
        growth = Growth.parse(request)
        new = Checkpoint.verified(growth.note, log)
        signer = self._signer()
        lock = os.open(self._folder / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            last = self.last(log) or Checkpoint(new.origin, 0, merkle.EMPTY)
            if growth.old != last.size:
                raise OtherSizeError(last.size)
            if not merkle.is_consistent(last.size, last.root, new.size, new.root, growth.hashes):
                raise NotConsistentError(f"{last.size} {last.root.hex()} / {new.size} {new.root.hex()}")
            keys.write_file(self._seen(new.origin), growth.note, 0o600, replace=True)
            return signer.line(new.text, self._clock())
        finally:
            os.close(lock)


def add(note: str, line: str, witness: Verifier) -> str:
    """A log's note with a witness's signature line after those it has; `NoteError` where that does not hold."""
    joined = note + line
    text, signatures = split(joined)
    Checkpoint.parse(text)
    made = signatures[-1]
    if (made.name, made.key_id) != (witness.name, witness.key_id) or not witness.holds(text, made.made):
        raise NoteError("not-signed-by", witness.name)
    return joined


def note_of(request: str) -> str:
    """The log's note in a request; `NoteError`."""
    return Growth.parse(request).note
