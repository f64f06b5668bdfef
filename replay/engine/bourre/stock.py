"""The stock of Bourré made new of cards thrown away (`rules.md` 4.5, `recycle`)."""

from typing import Final

from replay.engine.bourre.settle import BourreSettlement
from replay.engine.bourre.state import SPEAKING
from replay.engine.findings import Code
from schemas.cards import CODE, KNOWN, UNKNOWN
from schemas.events import StockRecycled
from schemas.rules import Recycle

# What every hand asks for: before Python 3.12 an enum's member takes ten times as long to look up as a name.
NEVER: Final = Recycle.NONE


class BourreStock(BourreSettlement):
    """The stock, where it does not suffice."""

    __slots__ = ()

    def on_stock_recycled(self, event: StockRecycled) -> None:
        """A new stock of cards thrown away: told where there is no need of it (`rules.md` 4.5, `recycle`)."""
        if self.silent:
            return
        if self.phase != SPEAKING:
            self.find(Code.OUT_OF_PLACE, 0, None, None, "bourre.5")
            return
        if self.pending <= self.stock or self.rules.recycle is NEVER:
            self.find(Code.OUT_OF_PLACE, 0, None, None, "recycle")
        gained = self.recycle()
        if event.cards is None:
            self.new_order += [UNKNOWN] * gained
            return
        if len(event.cards) != gained:
            self.find(Code.WRONG_CARD_COUNT, 0, len(event.cards), gained, "recycle")
        known = 0
        for spelling in event.cards:
            code = CODE[spelling]
            bit = 1 << code if code < KNOWN else 0
            if bit & (self.seen | known):
                self.find(Code.CARD_TWICE, 0, spelling, None, "recycle")
            known |= bit
        self.new_order += [CODE[spelling] for spelling in event.cards]

    def recycle(self) -> int:
        """Cards thrown away become stock again (`recycle`): how many."""
        folded_only = self.pool_folded_cards and self.rules.recycle is Recycle.FOLDED_FIRST
        gained, freed = self.pool_folded_cards, self.pool_folded
        gone = self.folded
        if not folded_only:
            gained, freed = gained + self.pool_served_cards, freed | self.pool_served
            gone |= self.drawn
            self.pool_served = self.pool_served_cards = 0
        self.pool_folded = self.pool_folded_cards = 0
        for seat in self.players:
            held = self.held[seat]
            held.may = self.possible(seat)
            if gone >> seat & 1:
                freed |= held.limbo
            if self.folded >> seat & 1:
                held.sure = held.may = held.limbo = held.size = 0
        self.seen &= ~freed
        self.stock += gained
        return gained
