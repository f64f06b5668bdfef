"""The wrappers a file may come in, gzip and zstd, told by their first bytes; unpacked in pieces (`record.md` 1)."""

import zlib
from collections.abc import Iterator
from typing import BinaryIO, Final, Protocol

from schemas.problems import Code

PIECE: Final = 1 << 16
_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
PARQUET: Final = b"PAR1"
"""How a Parquet file begins."""
_WIDEST: Final = 27
"""A zstd file may look back so far at most, as a power of two; no more memory than that is taken for it."""
_LEAST: Final = 1024
"""As so many bytes of the text a member counts, be it empty: a small file cannot become a long time either."""


class DamagedError(Exception):
    """A wrapper is broken, cut short or followed by something else; `code` says which wrapper."""

    def __init__(self, code: Code) -> None:
        super().__init__(code)
        self.code = code


class MissingExtraError(Exception):
    """What is to be read needs an extra of this package that is not installed."""

    def __init__(self, extra: str) -> None:
        super().__init__(extra)
        self.extra = extra


class _Member(Protocol):
    """One of the packed texts that stand one after another in a file."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def take(self, packed: bytes) -> bytes: ...
    @property
    def left(self) -> bytes | None: ...


class _Gzip:
    """A member of a gzip file. `left` is what it has still to read, None where it waits for more."""

    code: Final = Code.BAD_GZIP

    def __init__(self, _most: int) -> None:
        self._unpacker = zlib.decompressobj(31)

    @property
    def eof(self) -> bool:
        return self._unpacker.eof

    @property
    def unused_data(self) -> bytes:
        return self._unpacker.unused_data

    @property
    def left(self) -> bytes | None:
        return self._unpacker.unconsumed_tail or None

    def take(self, packed: bytes) -> bytes:
        """The next piece of the text."""
        try:
            return self._unpacker.decompress(packed, PIECE)
        except zlib.error:
            raise DamagedError(self.code) from None


class _Zstd:
    """A frame of a zstd file."""

    code: Final = Code.BAD_ZSTD

    def __init__(self, most: int) -> None:
        from backports import zstd  # noqa: PLC0415 - most files are plain, and verify starts quickly

        width = max(min((most - 1).bit_length(), _WIDEST), 10)
        self._unpacker = zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: width})
        self._error = zstd.ZstdError

    @property
    def eof(self) -> bool:
        return self._unpacker.eof

    @property
    def unused_data(self) -> bytes:
        return self._unpacker.unused_data

    @property
    def left(self) -> bytes | None:
        return None if self._unpacker.needs_input else b""

    def take(self, packed: bytes) -> bytes:
        """The next piece of the text."""
        try:
            return self._unpacker.decompress(packed, PIECE)
        except self._error:
            raise DamagedError(self.code) from None


def unwrapped(head: bytes, stream: BinaryIO, most: int) -> Iterator[bytes]:
    """The bytes of a stream whose `head` was read, unpacked where they are packed; `most` of them will be read.

    `DamagedError` where a wrapper is amiss. A small file cannot become a large memory.
    """
    if head.startswith(_GZIP):
        return _unpacked(head, stream, _Gzip, most)
    if head.startswith(_ZSTD):
        return _unpacked(head, stream, _Zstd, most)
    return _plain(head, stream)


def _plain(head: bytes, stream: BinaryIO) -> Iterator[bytes]:
    while head:
        yield head
        head = stream.read(PIECE)


def _unpacked(head: bytes, stream: BinaryIO, kind: type[_Gzip] | type[_Zstd], most: int) -> Iterator[bytes]:
    """Every member of a packed file, one after the other."""
    packed, members = head, 1
    member: _Member = kind(most)
    while True:
        if member.eof:
            members += 1
            if members * _LEAST > most + _LEAST:
                raise DamagedError(kind.code)
            packed = member.unused_data or stream.read(PIECE)
            if not packed:
                return
            member = kind(most)
        piece = member.take(packed)
        yield piece
        if not member.eof:
            left = member.left
            packed = stream.read(PIECE) if left is None else left
            if left is None and not packed and not piece:
                raise DamagedError(kind.code)
