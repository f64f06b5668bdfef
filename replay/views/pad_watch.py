"""The page of those who watch a table while it is played, and the page where a slip is mended."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from replay.views.pad_confirmed import confirmed_lines
from replay.views.pad_parts import HoldLine
from replay.views.pad_words import actor, at_stake, chips_of, hold_line, sums_hint, tell
from replay.views.parts import Frame, Link
from replay.views.sources import Match
from replay.views.wording import Sentence, Wording, plain
from schemas.sums import digits_of
from schemas.values import BOURRE_REASONS, BURA_REASONS


@dataclass(frozen=True)
class WatchLine:
    """One event."""

    seq: int
    text: Sentence


@dataclass(frozen=True)
class WatchSeat:
    """A seat and its chips by what is recorded."""

    name: str
    stack: str


@dataclass(frozen=True)
class WatchPage:
    """What a spectator, a player or the arbiter sees of a table that is being played."""

    frame: Frame
    key: str
    title: str
    #: The last event in one sentence: the page's heading.
    heading: Sentence
    seats: tuple[WatchSeat, ...]
    pot: Sentence
    #: The newest first.
    lines: tuple[WatchLine, ...]
    #: The number of the last event that stands here.
    last: int
    ended: bool
    #: Whose eyes: a role in words.
    role: str
    holds: tuple[HoldLine, ...]
    #: Hands whose settlement this reader may hold, or rule on.
    may_hold: tuple[int, ...]
    may_rule: tuple[int, ...]
    #: Settlements that seats confirmed by their links, a sentence a hand.
    confirmed: tuple[str, ...]
    #: Hands that ended and that this reader, who plays, may confirm.
    may_confirm: tuple[int, ...]
    #: This reader plays.
    plays: bool
    hands: Link


@dataclass(frozen=True)
class WatchSource:
    """What the desk knows of a table for one role."""

    key: str
    title: str
    names: Mapping[int, str]
    events: Sequence[Mapping[str, Any]]
    stacks: Mapping[int, int]
    pot: int
    match: Match | None
    ended: bool
    role: str
    hands: Sequence[int]
    holds: Sequence[Any]
    may_hold: bool
    may_rule: bool
    confirmed: Sequence[Any]
    may_confirm: Sequence[int]


MOST_LINES: Final = 60


def watch_page(source: WatchSource, words: Wording, langs: tuple[Link, ...]) -> WatchPage:
    """The page of one role: seats and chips, the log so far, settlements held and confirmed."""
    words = words.of(digits_of(source.events[0]) if source.events else 0)
    newest = reversed(source.events[-MOST_LINES:])
    lines = [WatchLine(int(event["seq"]), tell(event, source.names, words)) for event in newest]
    title = source.title or ", ".join(source.names.values())
    chips = chips_of(source.stacks, source.match, source.events[0] if source.events else {}, words)
    held = {hold.hand for hold in source.holds if hold.ruling is None}
    return WatchPage(
        frame=Frame(words.lang, words.say("pad.watch_heading", title=title), langs),
        key=source.key,
        title=title,
        heading=lines[0].text if lines else words.parts("pad.watch_empty"),
        seats=tuple(WatchSeat(source.names[seat], chips.get(seat, "")) for seat in source.stacks),
        pot=at_stake(source.pot, source.match, source.names, words),
        lines=tuple(lines),
        last=len(source.events) - 1,
        ended=source.ended,
        role=actor(source.role, source.names, words),
        holds=tuple(hold_line(hold, source.names, words) for hold in source.holds),
        may_hold=tuple(hand for hand in source.hands if hand not in held) if source.may_hold else (),
        may_rule=tuple(sorted(held)) if source.may_rule else (),
        confirmed=confirmed_lines(source.confirmed, source.names, words),
        may_confirm=tuple(source.may_confirm),
        plays=source.role.startswith("seat:"),
        hands=Link(words.say("pad.recording"), f"/recordings/{source.key}"),
    )


def said(event: Mapping[str, Any], names: Mapping[int, str], words: Wording) -> str:
    """One event as text, for the stream; `words` of the recording (`Wording.of`)."""
    return plain(tell(event, names, words))


@dataclass(frozen=True)
class MendField:
    """A field of an event as it can be written anew."""

    name: str
    word: str
    value: str
    #: Values and their words, where there is a choice.
    choices: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class MendPage:
    """Where an event is struck out, replaced, or followed by one that was forgotten."""

    frame: Frame
    key: str
    seq: int
    text: Sentence
    fields: tuple["MendField", ...]
    #: The event as JSON, without its number.
    event: str
    kinds: tuple[tuple[str, str], ...]
    names: tuple[tuple[int, str], ...]
    notice: str
    #: How sums are written, where they are read with decimals.
    sums: str


def mend_page(
    key: str,
    event: Mapping[str, Any],
    names: Mapping[int, str],
    kinds: Sequence[str],
    words: Wording,
    langs: tuple[Link, ...],
    notice: str = "",
) -> MendPage:
    """The page of one event; `words` of its recording (`Wording.of`)."""
    seq = int(event["seq"])
    bare = {name: value for name, value in event.items() if name not in ("seq", "id", "at", "source", "note")}
    reasons = BURA_REASONS if "opened" in kinds else BOURRE_REASONS
    shown = [
        MendField(name, _field_word(name, words), _spelled(value), _choices(name, names, words, reasons))
        for name, value in bare.items()
        if name != "type" and not isinstance(value, dict)
    ]
    return MendPage(
        frame=Frame(words.lang, words.say("pad.correct_heading", seq=str(seq)), langs),
        key=key,
        seq=seq,
        text=tell(event, names, words),
        fields=tuple(shown),
        event=json.dumps(bare, ensure_ascii=False),
        kinds=tuple((kind, words.template(f"pad.kind.{kind}")) for kind in kinds),
        names=tuple(names.items()),
        notice=notice,
        sums=sums_hint(words),
    )


def _field_word(name: str, words: Wording) -> str:
    keys = (f"pad.mend.{name}", f"pad.field.{name}", f"pad.{name}_label")
    return next((words.template(key) for key in keys if words.has(key)), name)


def _choices(
    name: str, names: Mapping[int, str], words: Wording, reasons: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """What may stand in a field, with its words; nothing where it is written freely."""
    if name in ("seat", "dealer"):
        return tuple((str(seat), who) for seat, who in names.items())
    if name == "face":
        return ("up", words.template("pad.up")), ("down", words.template("pad.down"))
    if name in ("why", "combination"):
        return tuple((value, words.template(f"pad.{name}.{value}")) for value in words.tree["pad"][name])
    if name == "reason":
        return tuple((value, words.template(f"value.{value}")) for value in reasons)
    return ()


def _spelled(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
