"""A pack committed to before the deal and revealed after it: does what was dealt and drawn agree? (`record.md` 3.1)"""

import hashlib

from replay.engine.findings import Code, Severity
from replay.engine.table import BEGUN, BETWEEN, Table
from schemas.cards import CODE, KNOWN, UNKNOWN
from schemas.events import DeckCommitted, DeckRevealed


class Deck(Table):
    """The part of the table that checks a revealed pack."""

    __slots__ = ()

    def on_deck_committed(self, event: DeckCommitted) -> None:
        """A pack is committed to, once and before the deal, or it is told (`record.md` 3.1)."""
        if self.phase != BEGUN or self.commitment:
            self.find(Code.OUT_OF_PLACE, 0, None, None, "record.3.1")
        self.commitment = event.commitment

    def on_deck_revealed(self, event: DeckRevealed) -> None:
        """The pack is told: whole, as committed to, and what was dealt, turned and drawn (`record.md` 3.1)."""
        if self.phase == BETWEEN:
            self.find(Code.OUT_OF_PLACE, 0, None, None, "record.3.1")
            return
        codes = [CODE[spelling] for spelling in event.cards]
        self._judge_commitment(event)
        self._judge_whole(codes)
        dealt = self.deal_order()
        turned_apart = self.turnup_apart()
        lies = codes[: len(dealt)]
        wrong = not all(self._agree(said, real) for said, real in zip(dealt, lies, strict=False))
        rest = codes[len(dealt) :]
        if turned_apart and rest:
            wrong = wrong or not self._agree(self.turnup, rest[0])
            rest = rest[1:]
        drawn = [code for code in self.drawn_order() if not (turned_apart and code == self.turnup)]
        wrong = wrong or not all(self._agree(said, real) for said, real in zip(drawn, rest, strict=False))
        if wrong or len(rest) < len(drawn):
            self.find(Code.DECK_MISMATCH, 0, None, None, "record.3.1")

    @staticmethod
    def _agree(said: int, real: int) -> bool:
        return said < 0 or said >= KNOWN or real in (said, UNKNOWN)

    def _judge_commitment(self, event: DeckRevealed) -> None:
        if not self.commitment:
            return
        text = (event.salt or "") + " ".join(event.cards)
        made = hashlib.sha256(text.encode("ascii")).hexdigest()
        if made != self.commitment.lower():
            # What was sealed and what is shown do not hang on anything that was not seen.
            self.tell(Code.DECK_MISMATCH, Severity.ERROR, 0, self.commitment, made, "record.3.1")

    def _judge_whole(self, codes: list[int]) -> None:
        mask = 0
        for code in codes:
            if code < KNOWN:
                mask |= 1 << code
        whole = self.pack & ~self.missing
        expected = self.pack.bit_count() - self.barred
        if len(codes) != expected or mask & ~whole or mask.bit_count() != len(codes):
            self.find(Code.DECK_MISMATCH, 0, len(codes), expected, "record.3.1")

    def deal_order(self) -> list[int]:
        """The cards dealt, in dealing order."""
        rows = [[CODE[spelling] for spelling in cards] for _, cards in self.deals]
        if not self.deals_one_by_one():
            return [code for codes in rows for code in codes]
        rounds = max((len(codes) for codes in rows), default=0)
        return [codes[turn] for turn in range(rounds) for codes in rows if turn < len(codes)]

    def deals_one_by_one(self) -> bool:
        """Whether cards are dealt one at a time."""
        return True

    def turnup_apart(self) -> bool:
        """Whether the turn-up is a card of its own, dealt to nobody."""
        return True

    def drawn_order(self) -> list[int]:
        """The cards drawn from the first stock, in drawing order."""
        return []
