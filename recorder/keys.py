"""The log's secret key: made when first needed, in a directory beside the database, never in it."""

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from recorder.address import Place
from recorder.checkpoint import PLAIN, NoteError, Signer, Verifier, is_name

DIRECTORY: Final = "RAZBOR_KEYS"
"""The environment's name for the directory of the keys."""
_CURRENT: Final = "log.key"
_RETIRED: Final = "retired-{}.pub"
_Key = TypeVar("_Key", Signer, Verifier)


class KeyExposedError(Exception):
    """Others than its owner can read the key: it is not used."""


class KeyOfAnotherLogError(Exception):
    """The directory holds the key of another log."""


class KeyUnreadableError(Exception):
    """What should be a key is none."""


def directory(database: Place) -> Path:
    """Where the keys of a database lie: what `RAZBOR_KEYS` says, or else beside it."""
    told = os.environ.get(DIRECTORY)
    return Path(told) if told else database.with_name(f"{database.name}.keys")


def signer(
    folder: Path, name: str, *, kind: int = PLAIN, randomness: Callable[[int], bytes] = os.urandom, file: str = _CURRENT
) -> Signer:
    """The secret key of this name, made now where there is none.

    `KeyExposedError` where others can read the file, `KeyOfAnotherLogError` where it has another name,
    `KeyUnreadableError` where it holds no key.
    """
    path = folder / file
    if not path.exists():
        _write(path, Signer(name, kind, randomness(32)), replace=False)
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise KeyExposedError(str(path))
    found = _read(path, Signer.parse)
    if (found.name, found.kind) != (name, kind):
        raise KeyOfAnotherLogError(found.name)
    return found


def verifiers(folder: Path, name: str) -> tuple[Verifier, ...]:
    """The public keys of this log: the current one first, made now where there is none, then those it had before."""
    signer(folder, name)
    return known(folder, name)


def known(folder: Path, name: str) -> tuple[Verifier, ...]:
    """The public keys of this log that are there: the current one first. Makes none."""
    current = (signer(folder, name).verifier,) if (folder / _CURRENT).exists() else ()
    retired = sorted(folder.glob(_RETIRED.format("*")))
    found = [_read(path, Verifier.parse) for path in retired]
    return (*current, *(each for each in found if each.name == name))


def renew(folder: Path, name: str, randomness: Callable[[int], bytes] = os.urandom) -> Signer:
    """A new key from now on; of the old one only the public half is kept, for what it signed."""
    old = signer(folder, name).verifier
    retired = folder / _RETIRED.format(old.key_id.hex())
    write_file(retired, f"{old}\n", 0o644, replace=True)
    fresh = Signer(name, PLAIN, randomness(32))
    _write(folder / _CURRENT, fresh, replace=True)
    return fresh


def _read(path: Path, parse: Callable[[str], _Key]) -> _Key:
    try:
        return parse(path.read_text(encoding="utf-8").removesuffix("\n"))
    except (NoteError, UnicodeDecodeError):
        raise KeyUnreadableError(str(path)) from None


def _write(path: Path, made: Signer, *, replace: bool) -> None:
    assert is_name(made.name)
    write_file(path, f"{made.spell()}\n", 0o600, replace=replace)


def write_file(path: Path, text: str, mode: int, *, replace: bool) -> None:
    """Whole or not at all, and safe on disk; without `replace`, whoever comes first has written it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    waiting = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    handle = os.open(waiting, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if replace:
            waiting.replace(path)
        else:
            _link(waiting, path)
    finally:
        waiting.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    os.fsync(folder)
    os.close(folder)


def _link(waiting: Path, path: Path) -> None:
    try:
        path.hardlink_to(waiting)
    except FileExistsError:
        return
