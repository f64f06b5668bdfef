"""Recordings -> a score sheet that reads back as the very same recordings (`recorder.sheet`)."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from recorder.sheet_draft import quoted
from recorder.sheet_forms import HEADER, SIGNATURE, SLOTS, VERSION, Slot
from recorder.sheet_words import STRUCK, Dialect, dialect
from schemas import wire
from schemas.events import Recording
from schemas.values import FORMAT

Json = Mapping[str, Any]
_PLAIN: Final = re.compile(r"[^\W\d]\w*(?:[ -]\w+)*")
_BARE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.:+-]*|[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9:.]+(?:[Zz]|[+-][0-9:]+)")
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LITERALS: Final = ("true", "false", "null")
_TOGETHER: Final = ("dealt", "drew", "staked")
"""Types whose events stand on one line, a part a seat."""
_ALONE: Final = ("played", "trick_taken")


def write_sheet(recordings: Iterable[Recording], language: str = "en") -> str:
    """The recordings of one file as a sheet in a language's letters and words."""
    return "\n".join(_Sheet(list(map(json.loads, each.lines)), dialect(language)).text() for each in recordings)


class _Sheet:
    def __init__(self, events: Sequence[Json], words: Dialect) -> None:
        self._events, self._words = events, words

    def text(self) -> str:
        """The head, and then line after line, an empty one before each hand."""
        lines = [f"{SIGNATURE}{VERSION} {self._words.language}", *self._head(self._events[0]), ""]
        for group in _grouped(self._events[1:]):
            if group[0]["type"] == "hand_began" and lines[-1]:
                lines.append("")
            lines.append(self._line(group))
        return "\n".join(lines) + "\n"

    # -- the head ---------------------------------------------------------------------------------------------------

    def _head(self, header: Json) -> Iterator[str]:
        more = {name: value for name, value in header.items() if name not in HEADER and name != "rules"}
        if more["format"] == FORMAT:
            del more["format"]
        for name, looks in HEADER.items():
            if name in header:
                said = [self._words.word("header", name), self._heading(header[name], looks)]
                yield " ".join([*said, *(self._pairs(more, ()) if name == "game" else ())])

    def _heading(self, value: Any, looks: str) -> str:
        if looks == "rules":
            options = value.get("options")
            pairs = [f"{name}={_bare(each)}" for name, each in (options or {}).items()]
            return " ".join([value["preset"], *(pairs if options or options is None else ["{}"])])
        if looks in ("names", "numbers"):
            return ", ".join(map(_plain, value))
        if looks.startswith("choice:"):
            return self._words.word(looks.partition(":")[2], value)
        return value if looks == "letters" else _plain(value)

    # -- one line ---------------------------------------------------------------------------------------------------

    def _line(self, group: Sequence[Json]) -> str:
        first = group[0]
        if first["type"] not in _TOGETHER:
            return "".join(self._part(event, first=event is first) for event in group)
        return f"{self._keyword(first)} " + ", ".join(" ".join(self._words_of(event)) for event in group)

    def _part(self, event: Json, *, first: bool) -> str:
        said = self.event(event)
        if event["type"] == "trick_taken":
            return said if first else f" {said}"
        return said if first else f", {said}"

    def event(self, event: Json) -> str:
        """One event by itself, with no number."""
        kind, words = event["type"], self._words_of(event)
        if kind == "trick_taken":
            return " ".join(["=", *words])
        if kind in _ALONE:
            return " ".join(words)
        seated = SLOTS[kind][0].looks == "seat"
        said = [words[0], self._keyword(event), *words[1:]] if seated else [self._keyword(event), *words]
        return " ".join(said) + (f" => {self.event(event['event'])}" if event.get("event") else "")

    def _keyword(self, event: Json) -> str:
        if event["type"] == "staked":
            return self._words.word("stake", event["why"])
        return self._words.word("event", STRUCK if "event" in event and event["event"] is None else event["type"])

    def _words_of(self, event: Json) -> list[str]:
        """What stands in the event's places, and behind them every field that has none."""
        said, used = list[str](), {"seq", "type", "event"} | ({"why"} if event["type"] == "staked" else set())
        for slot in SLOTS[event["type"]]:
            if slot.looks == "filler":
                said.append(self._words.word("filler", slot.field))
            elif slot.field in event:
                used.add(slot.field)
                said.append(self._place(slot, event))
        if event.get("events") == event.get("seq", -2) + 1:
            said.clear()
        return said + self._pairs(event, {*used, *(("face",) if event["type"] == "played" else ())})

    def _place(self, slot: Slot, event: Json) -> str:
        value = event[slot.field]
        if slot.looks == "card":
            return self._words.spell([value])
        if slot.looks in ("cards", "faced"):
            cards = self._words.spell(value)
            return f"({cards})" if slot.looks == "faced" and event["face"] == "down" else cards
        if slot.looks.startswith("choice:"):
            return self._words.word(slot.looks.partition(":")[2], value)
        return quoted(value) if slot.looks == "text" else str(value)

    def _pairs(self, event: Json, used: Iterable[str]) -> list[str]:
        """`name=value` of each field but those `used`; those whose name is no word, together in braces."""
        rest = {name: value for name, value in event.items() if name not in used}
        odd = {name: value for name, value in rest.items() if not _NAME.fullmatch(name)}
        for name in ("type", "seq"):
            rest.pop(name, None)
        plain = {name: self._value(name, value) for name, value in rest.items() if name not in odd}
        pairs = [f"{self._words.word('field', name)}={value}" for name, value in plain.items()]
        return pairs + ([wire.canonical(odd).decode()] if odd else [])

    def _value(self, name: str, value: Any) -> str:
        return self._words.word("source", value) if name == "source" else _bare(value)


def _plain(value: Any) -> str:
    """A name, a title or a number as it may stand without quotes, else in them."""
    if isinstance(value, int):
        return str(value)
    return value if _PLAIN.fullmatch(value) else quoted(value)


def _bare(value: Any) -> str:
    if isinstance(value, str):
        return value if _BARE.fullmatch(value) and value not in _LITERALS else quoted(value)
    return wire.canonical(value).decode()


def _grouped(events: Iterable[Json]) -> Iterator[list[Json]]:
    """The events of each line: a trick with who took it, a deal, a round of draws or payments; else one."""
    group: list[Json] = []
    for event in events:
        if group and not _joins(group, event):
            yield group
            group = []
        group.append(event)
    if group:
        yield group


def _joins(group: Sequence[Json], event: Json) -> bool:
    last, kind = group[-1], event["type"]
    fresh = event.get("seat") not in [each["seat"] for each in group if "seat" in each]
    if kind == "trick_taken":
        return bool(last["type"] == "played")
    if kind == "played":
        return bool(last["type"] == "played") and fresh
    return kind in _TOGETHER and last["type"] == kind and fresh and last.get("why") == event.get("why")
