"""Whether something fits a schema that `razbor schema` prints.

Two validators that share no code read the schemas: everything is put to the quick one, and what that refuses, the other
must refuse as well, and says why. That both take the same is asked in `tests/cli/test_schema.py`.
"""

from functools import cache

import jsonschema_rs
from jsonschema import Draft202012Validator

from replay.engine.findings import Code
from schemas import jsonschema


@cache
def validator(name: str | None = None) -> Draft202012Validator:
    """The thorough one: some 300 times slower."""
    made = jsonschema.schema([str(code) for code in Code], name)
    Draft202012Validator.check_schema(made)
    return Draft202012Validator(made)


@cache
def _quick(name: str | None) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(jsonschema.schema([str(code) for code in Code], name))


def wrong_in_full(name: str | None, value: object) -> list[str]:
    return [f"{error.json_path}: {error.message[:200]}" for error in validator(name).iter_errors(value)]


def wrong(name: str | None, value: object) -> list[str]:
    """What does not fit; nothing where all of it does."""
    if _quick(name).is_valid(value):
        return []
    told = wrong_in_full(name, value)
    assert told, f"one validator alone refuses it: {list(_quick(name).iter_errors(value))}"
    return told
