"""Sentences: a key, some values and a language give text, or text with cards drawn in it. Pure; the words are data."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final

from babel import Locale

from replay.views.glyphs import letter
from schemas import sums

MINUS: Final = "−"
_MOST_SPOKEN: Final = 8192
_DE: Final = re.compile(r"\bde \{([a-z_]+)\}")
_VOWELS: Final = tuple("aàâäeéèêëiîïoôöœuùûüæ")
#: The holes of sentences that only sums fill.
_SUMS: Final = frozenset({"amount", "each"})
_HOLE: Final = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True)
class Part:
    """A stretch of a sentence: plain text, a card, a label or a link. A template draws it."""

    #: What is read: the words, or a card's index letter.
    text: str
    #: A card's spelling (`Kc`), or nothing.
    card: str = ""
    #: The number of a face-down card that people talk about, 0 for none.
    label: int = 0
    #: What a screen reader says in place of the picture.
    name: str = ""
    #: Where it leads, or nothing.
    href: str = ""
    #: Set in bold.
    strong: bool = False


#: Between two cards: a space to the eye, a comma to the ear.
GAP: Final = Part(" ", name=", ")

Value = str | int | Part | Sequence[Part]
Sentence = tuple[Part, ...]


def plain(parts: Sequence[Part]) -> str:
    """A sentence as text alone: cards by name, labels as `#3`.

    >>> plain((Part("Anna leads "), Part("K", card="Kc", name="king of clubs")))
    'Anna leads king of clubs'
    """
    return "".join(part.name or part.text for part in parts).strip()


def linked(parts: Sequence[Part], href: str) -> Sentence:
    """The same sentence, each part leading to one address."""
    return tuple(replace(part, href=href) for part in parts)


@lru_cache(maxsize=8)
def _locale(lang: str) -> Locale:
    return Locale.parse(lang)


@dataclass(frozen=True)
class Wording:
    """All words of one language."""

    #: `en`, `ru` or `fr`.
    lang: str
    #: By topic (`ui`, `findings`, `problems` ...) the nested tables of `data/words/TOPIC.LANG.toml`.
    tree: Mapping[str, Any]
    #: What was looked up before.
    known: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)
    spoken: dict[Any, str] = field(default_factory=dict, compare=False, repr=False)
    #: The decimals of every sum: those of the recording that is spoken of.
    digits: int = 0

    def of(self, digits: int) -> "Wording":
        """The same words for a recording whose sums have so many decimals."""
        return self if digits == self.digits else replace(self, digits=digits, spoken={})

    @property
    def colon(self) -> str:
        """A colon between two stretches of text; French sets it off."""
        return "\u00a0: " if self.lang == "fr" else ": "

    @property
    def semicolon(self) -> str:
        """A semicolon between two stretches of text; French sets it off."""
        return "\u00a0; " if self.lang == "fr" else "; "

    def has(self, key: str) -> bool:
        """Whether that dotted key exists."""
        found: bool | None = self.known.get(("has", key))
        if found is None:
            found = self.known["has", key] = self._find(key) is not None
        return found

    def _find(self, key: str) -> Any:
        """A key without a topic belongs to `ui`."""
        found = _walk(self.tree.get("ui"), key)
        return _walk(self.tree, key) if found is None else found

    def template(self, key: str, n: int | None = None) -> str:
        """The raw sentence of a dotted key, in the plural form that goes with `n`; a `KeyError` is our own bug."""
        known = self.known.get(key)
        if known is None:
            known = self.known[key] = self._find(key)
        if isinstance(known, Mapping):
            form = _locale(self.lang).plural_form(abs(n or 0))
            known = known.get(form, known.get("other"))
        if not isinstance(known, str):
            raise KeyError(f"{self.lang}: {key}")
        return known

    def say(self, key: str, n: int | None = None, **values: Value) -> str:
        """A sentence as text."""
        for value in values.values():
            if type(value) is not str and type(value) is not int:
                return plain(self.parts(key, n, **values))
        asked = (key, n, *values.items())
        found: str | None = self.spoken.get(asked)
        if found is None:
            if len(self.spoken) >= _MOST_SPOKEN:
                self.spoken.clear()
            found = self.spoken[asked] = plain(self.parts(key, n, **values))
        return found

    def parts(self, key: str, n: int | None = None, **values: Value) -> Sentence:
        """A sentence whose holes are filled with text, numbers, cards or links."""
        if n is not None:
            values.setdefault("n", self.amount(n))
        template = self.template(key, n)
        if self.lang == "fr" and "de {" in template:
            template = elided(template, values)
        return fill(template, values, self.amount, self.money)

    def amount(self, value: int) -> str:
        """A whole number as this language groups it, with a true minus."""
        group = "\u202f" if self.lang in ("ru", "fr") else ","
        digits = f"{abs(value):,}".replace(",", group)
        if abs(value) < 10_000:
            digits = str(abs(value))
        return (MINUS if value < 0 else "") + digits

    def money(self, value: int) -> str:
        """A sum of the recording, in its unit: `12.50`, `12,50`; every sum that is read is written here."""
        if not self.digits:
            return self.amount(value)
        point = "." if self.lang == "en" else ","
        return (MINUS if value < 0 else "") + sums.decimal(abs(value), self.digits, point, self.amount)

    def signed(self, value: int) -> str:
        """A change of chips: `+8`, `−4`, `0`."""
        return ("+" if value > 0 else "") + self.money(value)

    def balance(self, value: int, began: Mapping[str, Any]) -> str:
        """What a seat has: its chips where the recording names the stacks, else what it is up or down."""
        return self.money(value) if began.get("stacks") else self.signed(value)

    def span(self, low: int, high: int) -> str:
        """A range, or the one number it shrinks to."""
        if low == high:
            return self.amount(low)
        return f"{self.amount(low)}{'–' if self.lang == 'en' else '…'}{self.amount(high)}"

    def card(self, spelling: str, href: str = "") -> Part:
        """A card in a sentence: its index letter and its drawn suit, with its full name for those who listen."""
        bare = self.known.get(("card", spelling))
        if bare is None:
            text = "?" if spelling[0] == "?" else letter(spelling[0], self.lang)
            bare = self.known["card", spelling] = Part(text, card=spelling, name=self.card_name(spelling))
        return replace(bare, href=href) if href else bare

    def cards(self, spellings: Sequence[str]) -> Sentence:
        """Several cards, a space between them."""
        parts: list[Part] = []
        for spelling in spellings:
            if parts:
                parts.append(GAP)
            parts.append(self.card(spelling))
        return tuple(parts)

    def label(self, number: int, href: str = "") -> Part:
        """The label of a face-down card, `#3`."""
        return Part(f"#{number}", label=number, href=href)

    def card_name(self, spelling: str) -> str:
        """`queen of spades`, `дама пик`, `dame de pique`; of a half-known card the known half."""
        found: str | None = self.known.get(("name", spelling))
        if found is None:
            found = self.known["name", spelling] = self._card_name(*spelling)
        return found

    def _card_name(self, rank: str, suit: str) -> str:
        if rank == "?" and suit == "?":
            return self.template("card.unknown")
        if rank == "?":
            return self.say("card.some_of", suit=self.template(f"suit_of.{suit}"))
        if suit == "?":
            return self.say("card.some_suit", rank=self.template(f"rank.{rank}"))
        return self.say("card.name", rank=self.template(f"rank.{rank}"), suit=self.template(f"suit_of.{suit}"))


def elided(template: str, values: Mapping[str, Value]) -> str:
    """French drops the e of "de" before a name or word that begins with a vowel.

    >>> elided("le tas de {seat}", {"seat": "Anna"}), elided("le tas de {seat}", {"seat": "Boris"})
    ('le tas d’{seat}', 'le tas de {seat}')
    """

    def cut(found: re.Match[str]) -> str:
        value = values.get(found[1])
        return f"d’{{{found[1]}}}" if isinstance(value, str) and value[:1].lower() in _VOWELS else found[0]

    return _DE.sub(cut, template)


def _walk(tree: Any, key: str) -> Any:
    for step in key.split("."):
        if not isinstance(tree, Mapping) or step not in tree:
            return None
        tree = tree[step]
    return tree


@lru_cache(maxsize=4096)
def _pieces(template: str) -> tuple[tuple[str, str], ...]:
    """What stands before each hole, and the hole's name; at the end what is left, with no name."""
    found = tuple(_HOLE.split(template))
    return tuple(zip(found[::2], (*found[1::2], ""), strict=True))


def fill(template: str, values: Mapping[str, Value], amount: Any = str, money: Any = str) -> Sentence:
    """Fill the `{holes}` of a sentence, sums by `money`, other numbers by `amount`; neighbouring text runs together.

    >>> fill("{who} leads", {"who": "Anna"})
    (Part(text='Anna leads', card='', label=0, name='', href='', strong=False),)
    """
    parts: list[Part] = []
    text = ""
    for before, hole in _pieces(template):
        text += before
        value = values[hole] if hole else ""
        if isinstance(value, str):
            text += value
        elif isinstance(value, int):
            text += (money if hole in _SUMS else amount)(value)
        else:
            parts.append(Part(text))
            text = ""
            parts.extend((value,) if isinstance(value, Part) else value)
    parts.append(Part(text))
    return _joined(parts)


def _is_plain(part: Part) -> bool:
    return not (part.card or part.label or part.href or part.strong or part.name)


def _joined(parts: Sequence[Part]) -> Sentence:
    out: list[Part] = []
    for part in parts:
        if not part.text:
            continue
        if out and _is_plain(part) and _is_plain(out[-1]):
            out[-1] = Part(out[-1].text + part.text)
        else:
            out.append(part)
    return tuple(out)
