"""One line of a score sheet cut into words, texts, `name=value` pairs and signs, each with its column from 1."""

import json
import re
from dataclasses import dataclass
from typing import Final, Literal

from recorder.decode import DEEPEST, depth_of
from schemas.forms import shown
from schemas.problems import Code, Flaw

LONGEST: Final = 1 << 20
"""The bytes a line of a sheet may have: a trick of eight long notes, and more."""

_PAIR: Final = re.compile(r"([^\W\d]\w*)=(?!>)")
_BARE: Final = re.compile(r'[^\s(),"]*')
_WORD: Final = re.compile(r'[^\s(),"=]+')
_SIGN: Final = re.compile(r"=>|[(),=]")
_LITERAL: Final = re.compile(r"true|false|null|-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_JSON: Final = json.JSONDecoder(strict=False, parse_int=str, parse_float=str, parse_constant=str)


_DOTS: Final = ".…"
"""Unseen cards; of three dots a phone makes one sign."""


class SheetFlawError(Exception):
    """What is wrong in a line of a sheet, and at which column."""

    def __init__(self, flaw: Flaw, column: int) -> None:
        super().__init__(flaw.code)
        self.flaw, self.column = flaw, column


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a line. `text` is it as written; of a text, a pair's value and an object, JSON as written."""

    kind: Literal["word", "text", "pair", "object", "sign"]
    text: str
    column: int
    name: str = ""
    end: int = 0


def scan(line: bytes) -> list[Token]:
    """The pieces of a line up to its comment; `SheetFlawError` where one is not closed."""
    if len(line) > LONGEST:
        raise SheetFlawError(Flaw(Code.LINE_TOO_LONG, args={"limit": LONGEST}), 1)
    if depth_of(line) > DEEPEST:
        raise SheetFlawError(Flaw(Code.TOO_DEEP, args={"limit": DEEPEST}), 1)
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        before = line[: error.start].decode("utf-8")
        raise SheetFlawError(Flaw(Code.NOT_UTF8, args={"byte": error.start + 1}), len(before) + 1) from None
    tokens, at = list[Token](), 0
    while at < len(text) and text[at] != "#":
        if text[at].isspace():
            at += 1
            continue
        tokens.append(_token(text, at))
        at = tokens[-1].end
    return tokens


def _token(text: str, at: int) -> Token:
    if text[at] in '"{':
        end = _json_end(text, at, "text" if text[at] == '"' else "{}")
        return Token("text" if text[at] == '"' else "object", text[at:end], at + 1, end=end)
    if sign := _SIGN.match(text, at):
        return Token("sign", sign.group(), at + 1, end=sign.end())
    if pair := _PAIR.match(text, at):
        return _pair(text, at, pair.group(1), pair.end())
    word = _WORD.match(text, at)
    assert word is not None
    bare = word.group()
    return Token("word", bare if bare.strip(_DOTS) else bare.replace("…", "..."), at + 1, end=word.end())


def _pair(text: str, at: int, name: str, start: int) -> Token:
    if text[start : start + 1] in ('"', "{", "["):
        end = _json_end(text, start, name)
        return Token("pair", text[start:end], at + 1, name, end)
    bare = _BARE.match(text, start)
    assert bare is not None
    if not bare.group():
        raise SheetFlawError(Flaw(Code.MISSING_FIELD, name), start + 1)
    literal = _LITERAL.fullmatch(bare.group())
    value = bare.group() if literal else json.dumps(bare.group(), ensure_ascii=False)
    return Token("pair", value, at + 1, name, bare.end())


def _json_end(text: str, at: int, name: str) -> int:
    try:
        return _JSON.raw_decode(text, at)[1]
    except json.JSONDecodeError as error:
        expected = {'"': '"..."', "{": "{...}", "[": "[...]"}[text[at]]
        args = {"value": shown(text[at:]), "expected": expected}
        raise SheetFlawError(Flaw(Code.BAD_VALUE, name, args), min(error.pos, len(text)) + 1) from None
