"""What the columns of a table of plays mean: a small TOML file (`recorder.plays` tells what it holds)."""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from recorder import intake
from recorder.decode import BULK
from recorder.words import LANGUAGES
from schemas.events import TYPES
from schemas.problems import Problem, Refusal
from schemas.values import FORMAT

_TOML_PLACE: Final = re.compile(r"at line ([0-9]+), column ([0-9]+)")
_FIELDS: Final = frozenset(name for shape in TYPES.values() for name in shape.__struct_fields__) | {
    "type", "trick", "recording",
}  # fmt: skip


class MappingError(Exception):
    """A mapping that cannot be used: the key that is wrong and what could stand there, nothing where it is missing; or
    the line and column, each counted from 1, from which on it is no TOML; or what is wrong with its `[recording]`.
    """

    def __init__(
        self, key: str, expected: str = "", *, place: tuple[int, int] | None = None, problem: Problem | None = None
    ) -> None:
        super().__init__(key)
        self.key, self.expected, self.place, self.problem = key, expected, place, problem


@dataclass(frozen=True, slots=True)
class PlaysMapping:
    """What the columns of a table mean. `header` is the `recording_began` as JSON text; `stack` what each player begins
    with where the table names the players and `[recording]` gives one sum for all.
    """

    header: str
    seats: Mapping[str, str]
    columns: Mapping[str, str | int]
    defaults: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    letters: str = "en"
    delimiter: str = ","
    ended: bool = False
    names_from_table: bool = False
    stack: int | None = None


def read_mapping(data: bytes) -> PlaysMapping:
    """The mapping of a file; `MappingError` where a key is wrong."""
    said = _toml(data)
    unnamed = said.pop("names_from_table", False)
    if not isinstance(unnamed, bool):
        raise MappingError("names_from_table", "true | false")
    stack = _stack_of_all(said) if unnamed else None
    header = _header(said, unnamed)
    columns, defaults, values = (_table(said, name) for name in ("columns", "defaults", "values"))
    letters, delimiter, ended = said.pop("letters", "en"), said.pop("delimiter", ","), said.pop("ended", False)
    if letters not in LANGUAGES:
        raise MappingError("letters", " | ".join(LANGUAGES))
    if not isinstance(delimiter, str) or len(delimiter) != 1 or delimiter in '\r\n"':
        raise MappingError("delimiter", '"," | ";" | "\\t"')
    if not isinstance(ended, bool):
        raise MappingError("ended", "true | false")
    for key in (*columns, *defaults, *values):
        if key not in _FIELDS:
            raise MappingError(key, " | ".join(sorted(_FIELDS)))
    for key in said:
        known = "recording | columns | defaults | values | letters | delimiter | ended | names_from_table"
        raise MappingError(key, known)
    for key, column in columns.items():
        if not isinstance(column, str) and not (type(column) is int and column > 0):
            raise MappingError(f"columns.{key}", '"..." | 1 | 2 | 3')
    meanings = {
        name: {key: _plain(f"values.{name}", one) for key, one in _table(values, name).items()} for name in list(values)
    }
    plain = {key: _plain(f"defaults.{key}", one) for key, one in defaults.items()}
    names = {} if unnamed else _names(header)
    return PlaysMapping(header, names, columns, plain, meanings, letters, delimiter, ended, unnamed, stack)


def _toml(data: bytes) -> dict[str, Any]:
    try:
        return tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        place = data.count(b"\n", 0, error.start) + 1, error.start - data.rfind(b"\n", 0, error.start)
        raise MappingError("TOML", place=place) from None
    except (ValueError, RecursionError) as error:
        found = _TOML_PLACE.search(str(error))
        last = data.count(b"\n") + 1
        raise MappingError("TOML", place=(int(found[1]), int(found[2])) if found else (last, 1)) from None


def _header(said: dict[str, Any], unnamed: bool) -> str:
    """`[recording]` as the `recording_began` of a recording that holds no more; `unnamed`: whose players come later."""
    if "recording" not in said:
        raise MappingError("[recording]")
    try:
        began = {"seq": 0, "type": "recording_began", "format": FORMAT, **said.pop("recording")}
        nobody = _nobody(began.get("stacks")) if unnamed else ()
        if unnamed and began.setdefault("seats", nobody) is not nobody:
            raise MappingError("names_from_table", "false")
        header = json.dumps(began, allow_nan=False)
    except (ValueError, TypeError, RecursionError):
        raise MappingError("recording", '"..." | 1 | [...] | {...}') from None
    found = intake.read(header.encode(), BULK)
    if isinstance(found, Refusal):
        problem = found.problems[0]
        raise MappingError(f"recording.{problem.field}", problem=problem)
    return header


def _nobody(stacks: Any) -> list[str]:
    """As many players as have a stack, two where nobody has one; the table will name them."""
    count = len(stacks) if isinstance(stacks, list) and 2 <= len(stacks) <= 8 else 2
    return [str(seat) for seat in range(1, count + 1)]


def _stack_of_all(said: dict[str, Any]) -> int | None:
    """`stacks = 1000`: of whomever the table will name. The head gets it as if two sat there, and is read so."""
    began = said.get("recording")
    stacks = began.get("stacks") if isinstance(began, dict) else None
    if not isinstance(began, dict) or type(stacks) is not int:
        return None
    said["recording"] = {**began, "stacks": [stacks] * 2}
    return stacks


def _names(header: str) -> dict[str, str]:
    """Who sits where, so that a cell may hold a name."""
    names = json.loads(header).get("seats")
    return {str(name): str(seat) for seat, name in enumerate(names, 1)} if isinstance(names, list) else {}


def _table(said: dict[str, Any], name: str) -> dict[str, Any]:
    found = said.pop(name, {})
    if not isinstance(found, dict):
        raise MappingError(name, "{...}")
    return found


def _plain(key: str, value: Any) -> str:
    if isinstance(value, str | int) and not isinstance(value, bool):
        return str(value)
    raise MappingError(key, '"..." | 1')
