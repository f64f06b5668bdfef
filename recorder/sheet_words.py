"""The words and letters of a hand-written score sheet in one language (`data/words/sheet.LANG.toml`)."""

import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from recorder.words import topic
from schemas.cards import CODE, RANKS, SUITS
from schemas.forms import TWINS, shown
from schemas.problems import Code, Flaw

UNSEEN: Final = "??"
STRUCK: Final = "struck"
"""Not a type: a correction that strikes an event."""
_SIGNS: Final = dict(zip("♠♥♦♣", SUITS, strict=True))
_DRESS: Final = "\ufe0e\ufe0f"
_MOST_DOTS: Final = 60
_TABLES: Final = ("header", "event", "stake", "reason", "combination", "source", "field", "game", "filler")


def folded(word: str) -> str:
    """A word as it is looked up: in small letters, each of one sign; ё is е, and a curved apostrophe a straight one."""
    return unicodedata.normalize("NFC", word).casefold().replace("ё", "е").replace("’", "'")


class Dialect:
    """What may stand on a sheet of one language. The first word of each meaning is the one that is written."""

    def __init__(self, language: str) -> None:
        said = topic("sheet", language)
        self.language = language
        self._write: dict[str, Mapping[str, str]] = {}
        self._read: dict[str, dict[str, str]] = {}
        for table in _TABLES:
            self._write[table] = {meaning: spelled[0] for meaning, spelled in said[table].items()}
            words = {folded(word): meaning for meaning, spelled in said[table].items() for word in spelled}
            own = {} if table == "header" else {meaning: meaning for meaning in said[table]}
            self._read[table] = own | words
        ranks, suits = said["letters"]["ranks"], said["letters"]["suits"]
        self._rank_of: dict[str, str] = {rank: spelled[0] for rank, spelled in zip(RANKS, ranks, strict=True)}
        self._suit_of: dict[str, str] = dict(zip(SUITS, suits, strict=True))
        self._ranks: dict[str, str] = {
            folded(one): rank for rank, spelled in zip(RANKS, ranks, strict=True) for one in spelled
        }
        self._suits: dict[str, str] = {letter: suit for suit, letter in self._suit_of.items()} | _SIGNS

    def meaning(self, table: str, word: str) -> str | None:
        """What a word means in a table; but for the head's, a meaning may also stand as the wire spells it."""
        return self._read[table].get(folded(word))

    def word(self, table: str, meaning: str) -> str:
        """The word that is written for a meaning; the meaning itself where the language has none."""
        return self._write[table].get(meaning, meaning)

    def choices(self, table: str, meanings: Sequence[str] = ()) -> str:
        """The words of a table, for a sentence."""
        return " | ".join(word for meaning, word in self._write[table].items() if not meanings or meaning in meanings)

    # -- cards ------------------------------------------------------------------------------------------------------

    def spell(self, cards: Sequence[str]) -> str:
        """Cards of the wire in this language's letters: a dot for each where none was seen, `-` for no card at all."""
        if not cards:
            return "-"
        if len(cards) > 1 and set(cards) == {UNSEEN} and len(cards) <= _MOST_DOTS:
            return "." * len(cards)
        return " ".join("/".join(map(self._spell, card.split("/"))) for card in cards)

    def _spell(self, card: str) -> str:
        if card == UNSEEN:
            return "?"
        return self._rank_of.get(card[0], "?") + self._suit_of.get(card[1], "?")

    def cards(self, word: str) -> list[str] | Flaw:
        """The cards of the wire that a word stands for, or why it stands for none."""
        if word == "?":
            return [UNSEEN]
        if not word.strip(".") and 0 < len(word) <= _MOST_DOTS:
            return [UNSEEN] * len(word)
        found = [self._card(each) for each in word.split("/")]
        candidates = [each for each in found if each]
        known = len(found) == 1 or not any("?" in each for each in candidates)
        if len(candidates) < len(found) or not known or len(set(found)) < len(found):
            return self._no_card(word)
        return ["/".join(candidates)]

    def _card(self, word: str) -> str | None:
        bare = folded(word.rstrip(_DRESS))
        rank = "?" if bare[:-1] == "?" else self._ranks.get(bare[:-1])
        suit = "?" if bare[-1:] == "?" else self._suits.get(bare[-1:])
        card = f"{rank}{suit}" if rank and suit else UNSEEN
        return card if card in CODE and card != UNSEEN else None

    def _no_card(self, word: str) -> Flaw:
        own = {letter for spelled in (*self._ranks, *self._suits) for letter in (spelled, spelled.upper())}
        like = {TWINS.get(letter, letter): letter for letter in sorted(own)}
        for letter in word[:40]:
            twin = like.get(TWINS.get(letter, letter))
            if letter.isalpha() and letter not in own and twin:
                name = unicodedata.name(letter, f"U+{ord(letter):04X}")
                args = {"value": shown(word), "letter": letter, "name": name, "twin": twin}
                return Flaw(Code.LOOK_ALIKE_LETTER, "cards", args)
        ranks, suits = " ".join(self._rank_of.values()), " ".join(self._suit_of.values())
        return Flaw(Code.BAD_CARD, "cards", {"value": shown(word), "ranks": ranks, "suits": suits})


@cache
def dialect(language: str) -> Dialect:
    """The words and letters of a language; `KeyError` for a language there is not."""
    return Dialect(language)
