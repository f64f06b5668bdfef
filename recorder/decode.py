"""Bytes -> lines -> raw JSON objects, or every problem with its line (`record.md` 1).

Nothing here knows what an event is. A value that JSON could read but a recording may not hold (a float, a huge
integer, a control character) is told once and replaced by `forms.TOLD`.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, BinaryIO, Final, NoReturn

import msgspec

from recorder.wrappers import PIECE, DamagedError, unwrapped
from schemas import forms, wire
from schemas.problems import Code, Flaw
from schemas.values import GREATEST

LONGEST_LINE: Final = 64 * 1024
"""Bytes of a line."""
DEEPEST: Final = 8
"""Levels of nesting, the line's own object the first."""
MOST_DIGITS: Final = 17
"""Digits of a number (`record.md` 1)."""
_BOM: Final = b"\xef\xbb\xbf"
ARCHIVED: Final = b'{"archive":'
"""How each recording in an archive begins (`schemas.archive`)."""
_MARKS: Final = re.compile(rb'["\\\[\]{}]')


class Limits(msgspec.Struct, frozen=True):
    """How much of a file is read: bytes after unpacking, events in the file; `tables`: whether it may be Parquet."""

    unpacked_bytes: int
    events: int
    tables: bool = False


WEB: Final = Limits(unpacked_bytes=8 * 1024 * 1024, events=100_000)
"""What a page or the API accepts from outside."""
BULK: Final = Limits(unpacked_bytes=1 << 40, events=1 << 40, tables=True)
"""What the command line reads of its owner's own files."""


class UnreadableError(Exception):
    """The file as a whole cannot be read: `flaw` says why (`bad-gzip`, `bad-zstd`, `too-large`, `not-utf8`)."""

    def __init__(self, flaw: Flaw, line: int = 1) -> None:
        super().__init__(flaw.code)
        self.flaw = flaw
        self.line = line


class Parsed(msgspec.Struct):
    """One line as JSON: its object where there is one, and what is wrong with the line whatever it means."""

    raw: dict[str, Any] | None
    flaws: list[Flaw] = msgspec.field(default_factory=list)


def chunks(stream: BinaryIO, limits: Limits, head: bytes | None = None) -> Iterator[bytes]:
    """The unpacked bytes of a stream in pieces, a BOM at the very start left out; `head` where that was read already.

    `UnreadableError` where the wrapper is broken, cut or followed by something else, where more than the limit
    comes out of it, and where the text is UTF-16 or UTF-32.
    """
    begun = stream.read(PIECE) if head is None else head
    total, first = 0, True
    for piece in _gathered(sound(unwrapped(begun, stream, limits.unpacked_bytes))):
        if first and (piece[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in piece[:2]):
            raise UnreadableError(Flaw(Code.NOT_UTF8))
        total += len(piece)
        if total > limits.unpacked_bytes:
            raise UnreadableError(Flaw(Code.TOO_LARGE, args={"limit": limits.unpacked_bytes}))
        yield piece.removeprefix(_BOM) if first else piece
        first = False


def sound(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The same pieces; `UnreadableError` where their wrapper is amiss."""
    try:
        yield from pieces
    except DamagedError as error:
        raise UnreadableError(Flaw(error.code)) from None


def _gathered(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The same bytes in pieces that are worth a look each: thousands of tiny ones would cost more than they hold."""
    gathered = bytearray()
    for piece in pieces:
        gathered += piece
        if len(gathered) >= PIECE:
            yield bytes(gathered)
            gathered.clear()
    if gathered:
        yield bytes(gathered)


def texts(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The text in batches of whole lines, each ended by LF, the CR before it left out.

    Lines end at LF and nowhere else. Of a line that is too long only so much is kept as shows that; a missing or
    present last newline makes no line.
    """
    rest = b""
    for piece in pieces:
        end = piece.rfind(b"\n") + 1
        if end:
            yield _bare(rest + piece[:end])
            rest = b""
        rest += piece[end:]
        if len(rest) > 2 * LONGEST_LINE:
            rest = rest[: LONGEST_LINE + 2]
    if rest:
        yield _bare(rest + b"\n")


def _bare(text: bytes) -> bytes:
    return text.replace(b"\r\n", b"\n") if b"\r" in text else text


def parse(line: bytes) -> Parsed:
    """One line that is not blank: its JSON object, every number an integer, every string clean, every key once."""
    if len(line) > LONGEST_LINE:
        return Parsed(None, [Flaw(Code.LINE_TOO_LONG, args={"limit": LONGEST_LINE})])
    if depth_of(line) > DEEPEST:
        return Parsed(None, [Flaw(Code.TOO_DEEP, args={"limit": DEEPEST})])
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        return Parsed(None, [Flaw(Code.NOT_UTF8, args={"byte": error.start + 1})])
    try:
        value = _DECODER.decode(text)
    except _ConstantError:
        return Parsed(None, [Flaw(Code.NOT_JSON, args={"column": 1})])
    except json.JSONDecodeError as error:
        return Parsed(None, [Flaw(Code.NOT_JSON, args={"column": error.pos + 1})])
    if not isinstance(value, dict):
        return Parsed(None, [Flaw(Code.NOT_AN_OBJECT, args={"value": forms.shown(_clean(value, "", []))})])
    flaws: list[Flaw] = []
    return Parsed(_clean(value, "", flaws), flaws)


def depth_of(line: bytes) -> int:
    """How deep objects and arrays stand in each other; brackets inside strings do not count."""
    if line.count(b"{") + line.count(b"[") <= DEEPEST:
        return 0
    depth = deepest = 0
    inside, escaped = False, -1
    for mark in _MARKS.finditer(line):
        at, sign = mark.start(), mark.group()
        if inside:
            if at == escaped:
                continue
            if sign == b"\\":
                escaped = at + 1
            elif sign == b'"':
                inside = False
        elif sign == b'"':
            inside = True
        elif sign in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif sign in b"]}":
            depth -= 1
    return deepest


class _ConstantError(ValueError):
    """NaN or Infinity, which are no JSON."""


class _Number(msgspec.Struct, frozen=True):
    """A number that a recording may not hold, as it was written."""

    code: Code
    text: str


class _Object(dict[str, Any]):
    """An object and the keys that stood in it more than once."""

    twice: tuple[str, ...] = ()


def _object(pairs: list[tuple[str, Any]]) -> _Object:
    found = _Object(pairs)
    if len(found) < len(pairs):
        times = Counter(key for key, _ in pairs)
        found.twice = tuple(key for key in found if times[key] > 1)
    return found


def _integer(text: str) -> int | _Number:
    if len(text.lstrip("-")) > MOST_DIGITS or abs(int(text)) > GREATEST:
        return _Number(Code.OUT_OF_RANGE, text[:60])
    return int(text)


def _no_constant(text: str) -> NoReturn:
    raise _ConstantError(text)


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_float=lambda text: _Number(Code.NOT_AN_INTEGER, text[:60]),
    parse_int=_integer,
    parse_constant=_no_constant,
    strict=False,
)


def _clean(value: Any, path: str, flaws: list[Flaw]) -> Any:
    """The value with plain objects, and `TOLD` in the place of everything whose flaw was added to `flaws`."""
    if isinstance(value, str):
        if not forms.unclean(value):
            return value
        flaws.append(forms.bad_text(value, 500).under(path))
        return forms.TOLD
    if isinstance(value, _Number):
        flaws.append(Flaw(value.code, path, {"value": value.text}))
        return forms.TOLD
    if isinstance(value, list):
        return [_clean(each, path, flaws) for each in value]
    if isinstance(value, _Object):
        prefix = f"{path}." if path else ""
        flaws += [
            Flaw(Code.DUPLICATE_KEY, prefix + wire.spell_key(key), {"key": forms.shown(key)}) for key in value.twice
        ]
        return {
            _key(key, path, flaws): _clean(each, prefix + wire.spell_key(key), flaws) for key, each in value.items()
        }
    return value


def _key(key: str, path: str, flaws: list[Flaw]) -> str:
    """Keys are ASCII, so that sorting them is the same everywhere; at the top no such field is known anyway."""
    if not key.isascii() or forms.unclean(key):
        where = f"{path}.{wire.spell_key(key)}" if path else wire.spell_key(key)
        flaws.append(Flaw(Code.UNKNOWN_FIELD, where, {"value": forms.shown(key)}))
    return key
