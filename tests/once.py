"""What is the same in every application of a process is made once: its templates' code, the code of its addresses.

A test has an application of its own, and compiling all of this anew took most of its time. Nothing is kept but code
that was made from the very same text.
"""

from collections.abc import Callable
from types import CodeType
from typing import Any, Final

from flask import Flask
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from werkzeug.routing.rules import Rule


class Compiled(BytecodeCache):
    """The code of templates by the name and the very text of each."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._kept.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self._kept[bucket.key, bucket.checksum] = bucket.code


_build: Final = Rule._compile_builder
_builders: Final[dict[object, Callable[..., tuple[str, str]]]] = {}


def _built_once(rule: Rule, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
    """How werkzeug spells an address: a function that is given the rule, made from its pieces alone."""
    pieces: Any = rule.rule, tuple(rule._trace), repr(rule.defaults), [*map(type, rule._converters.values())]
    key = repr((pieces, append_unknown))
    if key not in _builders:
        _builders[key] = _build(rule, append_unknown)
    return _builders[key]


def compile_once() -> None:
    """From now on, in this process."""
    if Rule._compile_builder is not _built_once:
        Rule._compile_builder = _built_once  # type: ignore[method-assign, assignment]
        Flask.jinja_options = {**Flask.jinja_options, "bytecode_cache": Compiled()}
