"""One event as a sheet's line gives it: its fields as JSON text, each with the column it stands at."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from unicodedata import normalize

from recorder.sheet_forms import NUMBER, SLOTS, Slot
from recorder.sheet_scan import SheetFlawError, Token
from recorder.sheet_words import Dialect
from schemas.forms import shown
from schemas.problems import Code, Flaw
from schemas.values import GREATEST

_NUMBER: Final = re.compile(NUMBER)


def quoted(value: object) -> str:
    """A value as JSON text."""
    return json.dumps(value, ensure_ascii=False)


@dataclass(slots=True)
class Draft:
    """An event being read: its type, where it begins and ends, its fields, and objects with more of them.

    A head stands on several lines: `rows` says on which each of its fields does, `names` who sits there.
    """

    kind: str
    column: int
    end: int
    fields: list[tuple[str, str]] = field(default_factory=list)
    columns: dict[str, int] = field(default_factory=dict)
    objects: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    rows: dict[str, int] = field(default_factory=dict)

    def put(self, name: str, value: str, column: int) -> None:
        """One more field; one given twice stays twice, for the strict road to tell, and stands where it came last."""
        self.fields.append((name, value))
        self.columns[name] = column

    def number(self, name: str) -> int | None:
        """The number of a field, None where it holds none that is short enough to be one."""
        value = dict(self.fields).get(name, "")
        return int(value) if _NUMBER.fullmatch(value) and len(value) < 17 else None

    def text(self, seq: int | None = None) -> str:
        """The event as one line of JSON."""
        own = [("seq", str(seq))] if seq is not None else []
        said = [f"{quoted(name)}:{value}" for name, value in (*own, ("type", quoted(self.kind)), *self.fields)]
        return "{" + ",".join([*said, *(inner for one in self.objects if (inner := one[1:-1].strip()))]) + "}"

    def place(self, path: str) -> tuple[int, int]:
        """The row (0 where it has only one) and the column of a field by its path, or of the whole without it."""
        while path:
            if path in self.columns:
                return self.rows.get(path, 0), self.columns[path]
            path = path.rpartition(".")[0]
        return 0, self.column


def put_pair(draft: Draft, token: Token, dialect: Dialect) -> None:
    """A field of which the sheet gives the name, `name=value`; the words of its language mean what they say."""
    name, value = dialect.meaning("field", token.name) or token.name, token.text
    if name == "source" and value.startswith('"'):
        value = quoted(dialect.meaning("source", value.strip('"')) or read_text(value))
    draft.put(name, value, token.column)


class Filler:
    """Puts the words of a line into an event's places; knows the table's names and the keys of earlier events."""

    def __init__(self, dialect: Dialect, names: Mapping[str, int], keys: Mapping[str, int]) -> None:
        self._dialect, self._names, self._keys = dialect, names, keys

    def is_seat(self, token: Token) -> bool:
        """Whether a token names a seat: a number, or the name of who sits there."""
        return self.seat(token) is not None

    def seat(self, token: Token) -> str | None:
        """The number of a seat as JSON text."""
        if token.kind == "word" and token.text.isascii() and token.text.isdigit():
            return token.text if _NUMBER.fullmatch(token.text) else None
        if token.kind not in ("word", "text"):
            return None
        name = normalize("NFC", token.text if token.kind == "word" else read_text(token.text))
        return str(self._names[name]) if name in self._names else None

    def fill(self, draft: Draft, tokens: Sequence[Token]) -> Draft:
        """The draft with everything the tokens say; `SheetFlawError` at the first that has no place there."""
        words = [token for token in tokens if token.kind not in ("pair", "object")]
        self._extras(draft, tokens)
        given = set(draft.columns)
        for slot in SLOTS[draft.kind]:
            if slot.field in given and slot.looks != "filler":
                continue
            words = self._slot(draft, slot, words)
        if words:
            raise SheetFlawError(Flaw(Code.UNKNOWN_FIELD, shown(words[0].text)), words[0].column)
        return draft

    def _extras(self, draft: Draft, tokens: Iterable[Token]) -> None:
        for token in tokens:
            if token.kind == "object":
                draft.objects.append(token.text)
            elif token.kind == "pair":
                put_pair(draft, token, self._dialect)

    def _slot(self, draft: Draft, slot: Slot, words: list[Token]) -> list[Token]:
        """Fills one place, and gives the words that are left."""
        if slot.looks in ("cards", "faced"):
            return self._card_slot(draft, slot, words)
        first = words[0] if words else None
        if slot.looks == "filler":
            fits = first and first.kind == "word" and self._dialect.meaning("filler", first.text)
            return words[1:] if fits else words
        if first is None:
            if slot.optional:
                return words
            raise SheetFlawError(Flaw(Code.MISSING_FIELD, slot.field), draft.end)
        value = self._value(slot, first)
        if value is None:
            if slot.optional:
                return words
            raise SheetFlawError(self._expected(slot, first), first.column)
        draft.put(slot.field, value, first.column)
        return words[1:]

    def _value(self, slot: Slot, token: Token) -> str | None:
        looks, word = slot.looks, token.text
        if looks == "seat":
            return self.seat(token)
        if looks == "text":
            return word if token.kind == "text" else None
        if token.kind != "word":
            return None
        if looks == "number":
            return word if _NUMBER.fullmatch(word) else None
        if looks == "event":
            return word if _NUMBER.fullmatch(word) else str(self._keys[word]) if word in self._keys else None
        if looks == "letters":
            return quoted(word)
        if looks == "card":
            found = self._cards(token)
            return quoted(found[0]) if len(found) == 1 else None
        meaning = self._dialect.meaning(looks.partition(":")[2], word)
        return quoted(meaning) if meaning else None

    def _expected(self, slot: Slot, token: Token) -> Flaw:
        looks, _, table = slot.looks.partition(":")
        if looks == "card":
            return Flaw(Code.BAD_CARD, slot.field, _card_args(self._dialect, token))
        seats = " | ".join(shown(f"{seat} {name}").strip('"') for name, seat in self._names.items())
        expected = {
            "seat": seats or f"1 .. {GREATEST}",
            "text": '"..."',
            "number": f"0 .. {GREATEST}",
            "event": " | ".join([f"0 .. {GREATEST}", *list(self._keys)[-3:]]),
            "choice": self._dialect.choices(table) if table else "",
            "letters": "[0-9a-f]{64}",
        }[looks]
        return Flaw(Code.BAD_VALUE, slot.field, {"value": shown(token.text), "expected": expected})

    def _cards(self, token: Token) -> list[str]:
        found = self._dialect.cards(token.text) if token.kind == "word" else None
        if isinstance(found, list):
            return found
        raise SheetFlawError(found or Flaw(Code.BAD_CARD, "cards", _card_args(self._dialect, token)), token.column)

    def _card_slot(self, draft: Draft, slot: Slot, words: list[Token]) -> list[Token]:
        start = words[0].column if words else draft.end
        if not words:
            if slot.optional:
                return words
            raise SheetFlawError(Flaw(Code.MISSING_FIELD, slot.field), start)
        down = slot.looks == "faced" and words[0].text == "(" and words[0].kind == "sign"
        if down:
            words = self._inside(words)
        found = [] if [word.text for word in words] == ["-"] else [card for word in words for card in self._cards(word)]
        draft.put("cards", quoted(found), start)
        if slot.looks == "faced" and (down or "face" not in draft.columns):
            draft.put("face", quoted("down" if down else "up"), start)
        return []

    @staticmethod
    def _inside(words: list[Token]) -> list[Token]:
        """The words between the brackets that close a play laid face down."""
        closed = next((at for at, word in enumerate(words) if word.kind == "sign" and word.text == ")"), 0)
        if not closed:
            raise SheetFlawError(Flaw(Code.MISSING_FIELD, ")"), words[-1].end + 1)
        if words[closed + 1 :]:
            behind = words[closed + 1]
            raise SheetFlawError(Flaw(Code.UNKNOWN_FIELD, shown(behind.text)), behind.column)
        return words[1:-1] or [Token("word", "-", words[closed].column, end=words[closed].end)]


def _card_args(dialect: Dialect, token: Token) -> dict[str, str]:
    flaw = dialect.cards("*")
    assert isinstance(flaw, Flaw)
    return {**flaw.args, "value": shown(token.text)}


def read_text(text: str) -> str:
    """What a JSON text says; the text itself where it is none that may stand in a recording."""
    try:
        return str(json.loads(text, strict=False))
    except ValueError:
        return text
