"""The archive form (`schemas.archive`): recordings to its lines, and back to canonical text, each hash checked."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from recorder.decode import ARCHIVED, Limits, UnreadableError, depth_of
from schemas import wire
from schemas.archive import FORMAT, AnyShort, Hand, Head, PlainHand, Short, shortened
from schemas.events import Event, HandBegan, Recording
from schemas.problems import Code, Flaw

_LONGEST: Final = 32 * 1024
"""A line of more bytes than this is continued on another."""
_DEEPEST: Final = 500
"""Levels of nesting; how much deeper than this can be read is not the same on every machine."""
_HEAD: Final = msgspec.json.Decoder(Head)
_HAND: Final = msgspec.json.Decoder(Hand)
_PLAIN: Final = msgspec.json.Decoder(PlainHand)
_EVENTS: Final = msgspec.json.Decoder(Event)
_ENCODER: Final = msgspec.json.Encoder(order="sorted")
_SHORT: Final = msgspec.json.Decoder(AnyShort)


@dataclass(frozen=True, slots=True)
class Packed:
    """A line of the archive form: its hash, its events, and how they are spelled in it."""

    hash: str
    events: tuple[Event, ...]
    spelled: bytes


def packed(recording: Recording) -> Iterator[bytes]:
    """The lines of the archive form of a recording, each ended by LF."""
    yield head(recording.digest)
    for each in hands(recording):
        yield line(each.hash, each.spelled)


def head(digest: str) -> bytes:
    """The line with which a recording begins."""
    return msgspec.json.encode(Head(FORMAT, digest)) + b"\n"


def line(told: str, spelled: bytes) -> bytes:
    """The line of a hash and of events as they are spelled."""
    return b'["%b",[%b]]\n' % (told.encode(), spelled)


def hands(recording: Recording) -> Iterator[Packed]:
    """What stands before the first hand, then each hand with what follows it; a long one in several pieces."""
    told, first, held, size = hashlib.sha256(), 0, list[bytes](), 0
    for at, (event, text) in enumerate(zip(recording.events, recording.lines, strict=True)):
        spelled = _spelled(event, text)
        if held and (type(event) is HandBegan or size + len(spelled) > _LONGEST):
            yield Packed(told.hexdigest(), recording.events[first:at], b",".join(held))
            first, held, size = at, [], 0
        told.update(text + b"\n")
        held.append(spelled)
        size += len(spelled)
    yield Packed(told.hexdigest(), recording.events[first:], b",".join(held))


def _spelled(event: Event, text: bytes) -> bytes:
    """An event as it stands in a line: short where that gives back its very bytes, else whole without its number."""
    short = shortened(event)
    if short is not None:
        spelled = msgspec.json.encode(short)
        if _ENCODER.encode(_SHORT.decode(spelled).whole(event.seq)) == text:
            return spelled
    return wire.canonical({name: value for name, value in msgspec.json.decode(text).items() if name != "seq"})


@dataclass(slots=True)
class Stretch:
    """Some lines of short events of one recording, or one line with a whole event in it: canonical text and events.

    Where there are none, the events are still to be read from the text. `first` is the number of the first line in the
    text the archive unpacks to, `digest` the hash of the last of the hands; `flaw`, of a stretch without a hand, is why
    the rest of the recording is not read.
    """

    first: int
    begins: bool
    plain: bool
    digest: str = ""
    flaw: Flaw | None = None
    texts: list[bytes] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)


class Unpacker:
    """Reads the lines of an archive. Numbers of lines are those of the text it unpacks to."""

    def __init__(self, limits: Limits, first: int = 1) -> None:
        self._limits = limits
        self._bytes = 0
        self._number = first
        self._seq = 0
        self._head: Head | None = None
        self._hash = hashlib.sha256()
        self._told = ""

    def take(self, lines: bytes) -> Iterator[Stretch]:
        """What some whole lines hold. What is amiss ends the recording it stands in, a limit the file."""
        held: Stretch | None = None
        for line in lines.split(b"\n")[:-1]:
            plain = b"{" not in line
            if held is not None and not (plain and held.plain and self._seq):
                yield held
                held = None
            number, begins = self._number, not self._seq
            try:
                if line.startswith(ARCHIVED):
                    yield from self.close()
                    self._open(line)
                elif self._head is not None:
                    text, events = self._read(line, plain=plain)
                    held = held or Stretch(number, begins, plain)
                    held.digest = self._told
                    held.texts.append(text)
                    held.events += events
                else:
                    self._number += events_in(line)
            except _AmissError as error:
                if held is not None:
                    yield held
                    held = None
                yield self._broken(error.flaw)
                self._number += events_in(line)
        if held is not None:
            yield held

    def close(self) -> Iterator[Stretch]:
        """The recording is at its end; what is told where lines of it are missing."""
        if self._head is not None and self._told != self._head.digest:
            yield self._broken(Flaw(Code.BAD_HASH))

    def _broken(self, flaw: Flaw) -> Stretch:
        self._head = None
        return Stretch(self._number, not self._seq, plain=False, flaw=flaw)

    def _open(self, line: bytes) -> None:
        self._hash, self._seq, self._told = hashlib.sha256(), 0, ""
        try:
            head = _HEAD.decode(line)
        except msgspec.MsgspecError:
            raise _AmissError(Code.BAD_ARCHIVE) from None
        if head.archive != FORMAT:
            raise _AmissError(Code.UNKNOWN_VERSION, value=head.archive[:60], known=FORMAT)
        self._head = head

    def _read(self, line: bytes, *, plain: bool) -> tuple[bytes, Sequence[Event]]:
        try:
            told, events = _plain(line, self._seq) if plain else _mixed(line, self._seq)
            text = _ENCODER.encode_lines(events)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            raise _AmissError(Code.BAD_ARCHIVE) from None
        self._hash.update(text)
        self._told = self._hash.hexdigest()
        if self._told != told:
            raise _AmissError(Code.BAD_HASH)
        self._bytes += len(text)
        if self._bytes > self._limits.unpacked_bytes:
            raise self._limit(Code.TOO_LARGE, self._limits.unpacked_bytes)
        if self._number + len(events) - 1 > self._limits.events:
            raise self._limit(Code.TOO_MANY_EVENTS, self._limits.events)
        self._seq += len(events)
        self._number += len(events)
        return text, events if plain else _events(text)

    def _limit(self, code: Code, limit: int) -> UnreadableError:
        return UnreadableError(Flaw(code, args={"limit": limit}), self._number)


def events_in(line: bytes) -> int:
    """How many events stand in a line of an archive; 0 where it is none."""
    if b"{" not in line:
        return max(line.count(b"[") - 2, 0)
    try:
        return len(_decoded(line).events)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return 0


class _AmissError(Exception):
    """A line is not of this form, or its hash does not fit."""

    def __init__(self, code: Code, **args: object) -> None:
        super().__init__(code)
        self.flaw = Flaw(code, args=args)


def _plain(line: bytes, seq: int) -> tuple[str, list[Any]]:
    """The hash of a line of short events, and the events."""
    hand = _PLAIN.decode(line)
    return hand.hash, [short.whole(number) for number, short in enumerate(hand.events, seq)]


def _decoded(line: bytes) -> Hand:
    """A line with whole events in it; `ValueError` where it is so deep that not every Python could read it."""
    if line.count(b"[") + line.count(b"{") > _DEEPEST and depth_of(line) > _DEEPEST:
        raise ValueError(_DEEPEST)
    return _HAND.decode(line)


def _mixed(given: bytes, seq: int) -> tuple[str, list[Any]]:
    """The hash of a line with whole events in it, and its events; `ValueError` where it would be packed otherwise."""
    hand = _decoded(given)
    events: list[Any] = [
        each.whole(number) if isinstance(each, Short) else {**each, "seq": number}
        for number, each in enumerate(hand.events, seq)
    ]
    spelled = [
        wire.canonical(each) if isinstance(each, dict) else msgspec.json.encode(shortened(event))
        for each, event in zip(hand.events, events, strict=True)
    ]
    if line(hand.hash, b",".join(spelled)) != given + b"\n" or any(
        "seq" in each for each in hand.events if isinstance(each, dict)
    ):
        raise ValueError(hand.hash)
    return hand.hash, events


def _events(text: bytes) -> Sequence[Event]:
    """The events of a canonical text; none where only another road can read them."""
    if b"\\" in text or b"\x7f" in text or b"\xc2" in text:
        return ()
    try:
        events = _EVENTS.decode_lines(text)
    except msgspec.MsgspecError:
        return ()
    return events if _ENCODER.encode_lines(events) == text else ()  # a null that is written is not left out


def pieces(batches: Iterable[bytes], limits: Limits, first: int = 1) -> Iterator[Stretch]:
    """What an archive unpacks to, from its lines; `UnreadableError` where that is more than the limits allow."""
    unpacker = Unpacker(limits, first)
    for text in batches:
        yield from unpacker.take(text)
    yield from unpacker.close()
