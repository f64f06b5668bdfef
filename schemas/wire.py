"""Shapes <-> JSON objects.

msgspec checks what its types can say, quickly and up to the first flaw; the marshmallow of `schemas.wire_schema` finds
every flaw of an object, and is imported only then. A test holds both to one answer.
"""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, cast

import msgspec
from msgspec import inspect

from schemas import forms
from schemas.events import TYPES, Corrected, Event, Happening, Inserted, RecordingBegan, RecordingEnded
from schemas.problems import Code, Flaw

spell_key: Final = forms.spell_key
PRIVATE: Final = "x_"
"""Fields whose name begins so are kept and ignored."""
_UNAMENDABLE: Final = frozenset(
    str(shape.__struct_config__.tag) for shape in (RecordingBegan, RecordingEnded, Corrected, Inserted)
)
_ENCODER: Final = msgspec.json.Encoder(order="sorted")
_UNSAID_BY_TYPES: Final = ("text", "name", "time", "version", "testimony")


def examine(raw: dict[str, Any], *, nested: bool = False) -> tuple[list[Flaw], str | None, dict[str, Any]]:
    """Every flaw of one event by itself, its type where that is known, and the fields that are right.

    A `nested` event stands in an amendment: it has no `seq`, and is neither beginning, end nor amendment.
    """
    given = {key: value for key, value in raw.items() if not key.startswith(PRIVATE) and key != "type"}
    kind = raw.get("type", forms.TOLD if "type" in raw else None)
    if kind is None and "type" not in raw:
        return [Flaw(Code.MISSING_FIELD, "type")], None, _number(given)
    if isinstance(kind, forms.Told):
        return [], None, _number(given)
    if not isinstance(kind, str):
        return [forms.bad_value(kind, '"..."').under("type")], None, _number(given)
    if kind not in TYPES:
        return [Flaw(Code.UNKNOWN_TYPE, "type", {"value": forms.shown(kind)})], None, _number(given)
    if nested and kind in _UNAMENDABLE:
        return [forms.bad_value(kind, "! " + " ".join(sorted(_UNAMENDABLE))).under("type")], None, {}
    from schemas import wire_schema  # noqa: PLC0415 - marshmallow takes as long to import as a game to judge

    flaws, good = wire_schema.load(TYPES[kind], given, nested=nested)
    if kind == "recording_began":
        flaws += header_flaws(good)
    if kind in ("corrected", "inserted") and isinstance(good.get("event"), dict):
        inner, _, _ = examine(good["event"], nested=True)
        flaws += [flaw.under("event") for flaw in inner]
    return flaws, kind, {key: value for key, value in good.items() if not isinstance(value, forms.Told)}


def _number(given: dict[str, Any]) -> dict[str, Any]:
    """Of an event of no known type: its `seq` where that can be read."""
    seq = given.get("seq")
    return {"seq": seq} if isinstance(seq, int) and not isinstance(seq, bool) and seq >= 0 else {}


def header_flaws(good: Mapping[str, Any]) -> list[Flaw]:
    """What is wrong between the fields of a header: a name given twice, stacks that are not one for each seat."""
    seats, stacks = good.get("seats"), good.get("stacks")
    flaws = []
    names = Counter(name for name in seats if isinstance(name, str)) if isinstance(seats, list) else Counter[str]()
    twice = next((name for name, count in names.items() if count > 1), None)
    if twice is not None:
        flaws.append(forms.bad_value(seats, f"1 × {forms.shown(twice)}").under("seats"))
    if isinstance(seats, list) and isinstance(stacks, list) and len(seats) != len(stacks):
        flaws.append(forms.bad_value(stacks, f"[{', '.join(['...'] * len(seats))}]").under("stacks"))
    return flaws


@cache
def _remaining(shape: type[Happening]) -> tuple[tuple[str, bool, forms.Check], ...]:
    """Of a shape: the fields whose form its types do not say in full, whether each is a list, and the check."""
    rest = []
    for declared in cast("inspect.StructType", inspect.type_info(shape)).fields:
        bare, extra = forms.bare(declared.type)
        several = isinstance(bare, inspect.VarTupleType)
        if isinstance(bare, inspect.VarTupleType):
            extra = forms.bare(bare.item_type)[1]
        if extra.get("form") in _UNSAID_BY_TYPES:
            rest.append((declared.encode_name, several, forms.FORMS[extra["form"]]))
    return tuple(rest)


def passes(event: Happening) -> bool:
    """Whether an event that msgspec read is right in what its types cannot say: texts in NFC, dates that exist."""
    for name, several, check in _remaining(type(event)):
        value = getattr(event, name)
        if value is None:
            continue
        if any(map(check, value)) if several else check(value):
            return False
    return True


def event_of(raw: Mapping[str, Any]) -> Event:
    """The event of a JSON object, private fields left out; `msgspec.ValidationError` where the object has flaws."""
    kind = raw.get("type")
    shape = TYPES.get(kind) if isinstance(kind, str) else None
    given = {key: value for key, value in raw.items() if not key.startswith(PRIVATE)}
    event: Any = msgspec.convert(given, shape or Event)  # one shape alone is found ten times as quickly
    return cast("Event", event)


def object_of(event: Happening) -> dict[str, Any]:
    """The JSON object of an event: what `event_of` reads, fields left at their default not written."""
    return cast("dict[str, Any]", msgspec.to_builtins(event))


def canonical(value: Any) -> bytes:
    """Canonical JSON: sorted keys, no spaces, UTF-8, nothing escaped that need not be (`record.md` 1).

    >>> canonical({"b": "é", "a": [1]})
    b'{"a":[1],"b":"\\xc3\\xa9"}'
    """
    return _ENCODER.encode(value)
