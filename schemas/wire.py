"""The only marshmallow: shapes <-> JSON objects.

The schemas are built from the declarations in `schemas.events`, so the two cannot drift. msgspec checks what its types
can say, quickly and up to the first flaw; marshmallow finds every flaw of an object. A test holds both to one answer.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final, cast

import msgspec
from marshmallow import RAISE, Schema, ValidationError, fields
from msgspec import inspect

from schemas import forms
from schemas.events import TYPES, Corrected, Event, Happening, Inserted, RecordingBegan, RecordingEnded
from schemas.problems import Code, Flaw

PRIVATE: Final = "x_"
"""Fields whose name begins so are kept and ignored."""
_UNAMENDABLE: Final = frozenset(
    str(shape.__struct_config__.tag) for shape in (RecordingBegan, RecordingEnded, Corrected, Inserted)
)
_ENCODER: Final = msgspec.json.Encoder(order="sorted")
_TEXT: Final = forms.text_check(500)
_NAME: Final = forms.text_check(40)
_FORMS: Final[dict[str, forms.Check]] = {
    "text": _TEXT,
    "name": _NAME,
    "time": forms.time,
    "version": forms.version,
    "card": forms.card,
    "testimony": forms.testimony,
    "preset": forms.any_string,
}
_EXPECTED: Final = {
    "key": '"[A-Za-z0-9._:-]{1,64}"',
    "sha256": '"[0-9a-f]{64}"',
    "salt": '"[0-9a-f]*"',
    "view": '"full" | "public" | "seat:1"',
}
_UNSAID_BY_TYPES: Final = ("text", "name", "time", "version", "testimony")


def _lacking(missing: Code) -> dict[str, str | list[Any] | dict[Any, Any]]:
    args = {"value": "null", "expected": '"bura/classic-36@1"'} if missing is Code.UNKNOWN_RULES else {}
    return {"required": [Flaw(missing, args=args)], "null": [forms.bad_value(None, "...")]}


class Checked(fields.Field[Any]):
    """One value of an event, judged by the form its declaration names."""

    def __init__(self, check: forms.Check, *, required: bool, missing: Code = Code.MISSING_FIELD) -> None:
        self.check = check
        super().__init__(required=required, allow_none=False, error_messages=_lacking(missing))

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        flaw = self.check(value)
        if flaw:
            raise ValidationError(cast("list[str]", [flaw]))
        return value


class Several(Checked):
    """A list of values, each judged by the same form; every bad one is told."""

    def __init__(self, check: forms.Check, *, required: bool, least: int = 0, most: int | None = None) -> None:
        super().__init__(check, required=required)
        self.least, self.most = least, most

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        if isinstance(value, forms.Told):
            return value
        bounds = f"[{self.least} .. {self.most}]" if self.most else "[...]"
        if not isinstance(value, list):
            flaws = [forms.bad_value(value, "[...]")]
        elif len(value) < self.least or (self.most and len(value) > self.most):
            flaws = [forms.bad_value(value, bounds)]
        else:
            flaws = [flaw for flaw in map(self.check, value) if flaw]
        if flaws:
            raise ValidationError(cast("list[str]", flaws))
        return value


class _Object(Schema):
    """What every schema of this module has in common: an unknown field is a flaw, and flaws travel as such."""

    error_messages = {  # noqa: RUF012 - marshmallow's own way
        "unknown": cast("str", Flaw(Code.UNKNOWN_FIELD)),
        "type": cast("str", forms.bad_value(None, "{...}")),
    }

    class Meta:
        unknown = RAISE


def _bare(of: inspect.Type) -> tuple[inspect.Type, dict[str, Any]]:
    """A declared type without its wrapping, and what `schemas.events` noted about it (`form`)."""
    extra: dict[str, Any] = {}
    while isinstance(of, inspect.Metadata | inspect.UnionType):
        if isinstance(of, inspect.Metadata):
            extra |= of.extra or {}
            of = of.type
        else:
            of = next(each for each in of.types if not isinstance(each, inspect.NoneType))
    return of, extra


def _check(of: inspect.Type) -> forms.Check:
    bare, extra = _bare(of)
    form = extra.get("form")
    if form in _FORMS:
        return _FORMS[form]
    if isinstance(bare, inspect.IntType):
        return forms.integer_check(bare.ge, bare.le)
    if isinstance(bare, inspect.LiteralType):
        return forms.choice_check(tuple(bare.values))
    if isinstance(bare, inspect.StrType) and bare.pattern:
        return forms.pattern_check(bare.pattern, _EXPECTED[form or ""])
    if isinstance(bare, inspect.DictType):
        return forms.any_object
    raise TypeError(f"no check for {of}")


def _field(declared: inspect.Field) -> fields.Field[Any]:
    bare, extra = _bare(declared.type)
    if isinstance(bare, inspect.StructType):
        return fields.Nested(
            _schema(bare.cls), required=True, error_messages=_lacking(Code.MISSING_FIELD), unknown=RAISE
        )
    if isinstance(bare, inspect.VarTupleType):
        return Several(
            _check(bare.item_type), required=declared.required, least=bare.min_length or 0, most=bare.max_length
        )
    missing = Code.UNKNOWN_RULES if extra.get("form") == "preset" else Code.MISSING_FIELD
    check = _check(declared.type)
    if declared.required and isinstance(declared.type, inspect.UnionType):
        inner = check

        def check(value: object) -> Flaw | None:
            return None if value is None else inner(value)

        field = Checked(check, required=True)
        field.allow_none = True
        return field
    return Checked(check, required=declared.required, missing=missing)


@cache
def _schema(shape: type) -> Schema:
    """The marshmallow schema of a declared shape, without the event's `type`."""
    info = inspect.type_info(shape)
    assert isinstance(info, inspect.StructType)
    return _Object.from_dict({each.encode_name: _field(each) for each in info.fields}, name=shape.__name__)()


def _flatten(messages: Any, path: str = "") -> Iterator[Flaw]:
    if isinstance(messages, Flaw):
        yield messages.under(path) if path else messages
    elif isinstance(messages, list):
        for each in messages:
            yield from _flatten(each, path)
    else:
        for key, each in messages.items():
            inner = path if key == "_schema" else f"{path}.{spell_key(key)}" if path else spell_key(key)
            yield from _flatten(each, inner)


def spell_key(key: str) -> str:
    """A key as it stands in a problem's field: shortened, and free of characters that print nothing."""
    return key[:60] if key.isprintable() else key[:60].encode("ascii", "backslashreplace").decode()


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
    flaws, good = _by_schema(TYPES[kind], given, nested=nested)
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


def _by_schema(shape: type, given: dict[str, Any], *, nested: bool) -> tuple[list[Flaw], dict[str, Any]]:
    flaws = []
    if nested and given.pop("seq", None) is not None:
        flaws.append(Flaw(Code.UNKNOWN_FIELD, "seq"))
    try:
        return flaws, _schema(shape).load(given, partial=("seq",) if nested else None)
    except ValidationError as error:
        flaws += _flatten(error.messages)
        return flaws, cast("dict[str, Any]", error.valid_data)


def header_flaws(good: Mapping[str, Any]) -> list[Flaw]:
    """What is wrong between the fields of a header: a name given twice, stacks that are not one for each seat."""
    seats, stacks = good.get("seats"), good.get("stacks")
    flaws = []
    if isinstance(seats, list) and len(set(map(str, seats))) < len(seats):
        flaws.append(forms.bad_value(seats, "a, b, c ...").under("seats"))
    if isinstance(seats, list) and isinstance(stacks, list) and len(seats) != len(stacks):
        flaws.append(forms.bad_value(stacks, f"[{len(seats)}]").under("stacks"))
    return flaws


@cache
def _remaining(shape: type[Happening]) -> tuple[tuple[str, bool, forms.Check], ...]:
    """Of a shape: the fields whose form its types do not say in full, whether each is a list, and the check."""
    rest = []
    for declared in cast("inspect.StructType", inspect.type_info(shape)).fields:
        bare, extra = _bare(declared.type)
        several = isinstance(bare, inspect.VarTupleType)
        if isinstance(bare, inspect.VarTupleType):
            extra = _bare(bare.item_type)[1]
        if extra.get("form") in _UNSAID_BY_TYPES:
            rest.append((declared.encode_name, several, _FORMS[extra["form"]]))
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
