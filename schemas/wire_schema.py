"""The only marshmallow: every flaw of an object at once.

The schemas are built from the declarations in `schemas.events`, so the two cannot drift.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, Final, cast

from marshmallow import RAISE, Schema, ValidationError, fields
from msgspec import inspect

from schemas import forms
from schemas.problems import Code, Flaw

_EXPECTED: Final = {
    "key": '"[A-Za-z0-9._:-]{1,64}"',
    "sha256": '"[0-9a-f]{64}"',
    "salt": '"[0-9a-f]*"',
    "view": '"full" | "public" | "seat:1"',
}


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


def _check(of: inspect.Type) -> forms.Check:
    bare, extra = forms.bare(of)
    form = extra.get("form")
    if form in forms.FORMS:
        return forms.FORMS[form]
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
    bare, extra = forms.bare(declared.type)
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
            inner = path if key == "_schema" else f"{path}.{forms.spell_key(key)}" if path else forms.spell_key(key)
            yield from _flatten(each, inner)


def load(shape: type, given: dict[str, Any], *, nested: bool) -> tuple[list[Flaw], dict[str, Any]]:
    """Every flaw of an event's fields, and the fields that are right; a `nested` one stands in an amendment."""
    flaws = []
    if nested and "seq" in given:
        del given["seq"]
        flaws.append(Flaw(Code.UNKNOWN_FIELD, "seq"))
    try:
        return flaws, _schema(shape).load(given, partial=("seq",) if nested else None)
    except ValidationError as error:
        flaws += _flatten(error.messages)
        return flaws, cast("dict[str, Any]", error.valid_data)
