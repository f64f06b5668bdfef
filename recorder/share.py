"""Private links: the key that opens a recording more widely than the shelf does, by a secret beside the database."""

import base64
import hashlib
import hmac
import os
from collections.abc import Callable
from typing import Final

from recorder.address import Place
from recorder.keys import directory

_FILE: Final = "share.key"
_BYTES: Final = 32
_DIGITS: Final = 22


def secret(database: Place, randomness: Callable[[int], bytes] = os.urandom) -> bytes:
    """The secret of this database's private links, made now where there is none; only its owner can read the file."""
    path = directory(database) / _FILE
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_bytes()
    with os.fdopen(handle, "wb") as file:
        file.write(made := randomness(_BYTES))
    return made


def key_of(secret_bytes: bytes, recording: str) -> str:
    """The key of one recording's private link, 22 signs that stand in an address as they are."""
    told = hmac.new(secret_bytes, b"razbor-share/1 " + recording.encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(told).decode()[:_DIGITS]


def opens(secret_bytes: bytes, recording: str, key: str) -> bool:
    """Whether this is that recording's key."""
    return hmac.compare_digest(key_of(secret_bytes, recording).encode(), key.encode())
