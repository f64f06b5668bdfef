"""The head of a score sheet: game, rules, who sits there, with what."""

import json
import re
from collections.abc import Sequence
from typing import Final

from recorder.sheet_draft import Draft, put_pair, quoted
from recorder.sheet_forms import HEADER, NUMBER
from recorder.sheet_scan import SheetFlawError, Token
from recorder.sheet_words import Dialect
from schemas.forms import shown
from schemas.problems import Code, Flaw
from schemas.values import GREATEST

_NUMBER: Final = re.compile(NUMBER)


def header_line(draft: Draft, field: str, tokens: Sequence[Token], line: str, dialect: Dialect) -> None:
    """Puts what one line of the head says into the header; `SheetFlawError` where it says something else."""
    first, rest = tokens[0], list(tokens[1:])
    draft.end = tokens[-1].end + 1
    if field == "rules":
        _rules(draft, rest, first)
        return
    pairs = [token for token in rest if token.kind in ("pair", "object")] if field == "game" else []
    words = [token for token in rest if token not in pairs]
    _more(draft, pairs, dialect)
    if not words:
        raise SheetFlawError(Flaw(Code.MISSING_FIELD, field), draft.end)
    looks = HEADER[field]
    if looks == "names":
        parts = _between_commas(words, field, draft.end)
        names = [_name(part, seat, line) for seat, part in enumerate(parts, 1)]
        draft.names = [str(json.loads(name, strict=False)) for name in names]
        value = f"[{','.join(names)}]"
    elif looks == "numbers":
        value = f"[{','.join(_number(token, field) for token in words if token.text != ',')}]"
    elif looks == "text":
        value = _text(words, line)
    else:
        value = _one(words, field, looks, dialect)
    draft.put(field, value, words[0].column)


def _more(draft: Draft, tokens: Sequence[Token], dialect: Dialect) -> None:
    for token in tokens:
        if token.kind == "object":
            draft.objects.append(token.text)
        else:
            put_pair(draft, token, dialect)


def _rules(draft: Draft, tokens: Sequence[Token], first: Token) -> None:
    """`rules PRESET NAME=VALUE ...`; an empty `{}` says that the options stand there and are none."""
    if not tokens or tokens[0].kind not in ("word", "text"):
        raise SheetFlawError(Flaw(Code.MISSING_FIELD, "rules.preset"), draft.end)
    preset, options = tokens[0], list(tokens[1:])
    said = quoted(preset.text) if preset.kind == "word" else preset.text
    draft.columns["rules.preset"] = preset.column
    pairs = []
    for token in options:
        if token.kind == "pair":
            pairs.append(f"{quoted(token.name)}:{token.text}")
            draft.columns.setdefault(f"rules.options.{token.name}", token.column)
        elif token.kind != "object" or token.text[1:-1].strip():
            raise SheetFlawError(Flaw(Code.UNKNOWN_FIELD, shown(token.text)), token.column)
    more = f',"options":{{{",".join(pairs)}}}' if options else ""
    draft.put("rules", f'{{"preset":{said}{more}}}', first.column)


def _between_commas(tokens: Sequence[Token], field: str, end: int) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind == "sign" and token.text == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    if not all(parts):
        raise SheetFlawError(Flaw(Code.MISSING_FIELD, field), end)
    return parts


def _text(tokens: Sequence[Token], line: str) -> str:
    """A text in quotes, or the words as they stand on the line."""
    if len(tokens) == 1 and tokens[0].kind == "text":
        return tokens[0].text
    return quoted(line[tokens[0].column - 1 : tokens[-1].end])


def _name(tokens: Sequence[Token], seat: int, line: str) -> str:
    """A player's name; one that would be read as another seat stands in quotes, for numbers are seats."""
    first = tokens[0]
    if len(tokens) == 1 and first.kind == "word" and _NUMBER.fullmatch(first.text) and first.text != str(seat):
        args = {"value": first.text, "expected": f"{seat} | {quoted(first.text)}"}
        raise SheetFlawError(Flaw(Code.BAD_VALUE, "seats", args), first.column)
    return _text(tokens, line)


def _number(token: Token, field: str) -> str:
    if token.kind == "word" and _NUMBER.fullmatch(token.text):
        return token.text
    args = {"value": shown(token.text), "expected": f"0 .. {GREATEST}"}
    raise SheetFlawError(Flaw(Code.BAD_VALUE, field, args), token.column)


def _one(words: Sequence[Token], field: str, looks: str, dialect: Dialect) -> str:
    if len(words) > 1:
        raise SheetFlawError(Flaw(Code.UNKNOWN_FIELD, shown(words[1].text)), words[1].column)
    if looks == "number":
        return _number(words[0], field)
    if looks == "letters":
        return quoted(words[0].text)
    table = looks.partition(":")[2]
    meaning = dialect.meaning(table, words[0].text)
    if meaning is None:
        args = {"value": shown(words[0].text), "expected": dialect.choices(table)}
        raise SheetFlawError(Flaw(Code.BAD_VALUE, field, args), words[0].column)
    return quoted(meaning)
