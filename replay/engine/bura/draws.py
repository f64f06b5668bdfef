"""The end of a trick in Bura, and the draw after it (`rules.md` 1.11, 1.13)."""

from typing import Final

from replay.engine.bura.declare import BuraDeclarations
from replay.engine.bura.laws import dealt_out
from replay.engine.bura.state import ANSWERING, TAKEN
from replay.engine.findings import Code
from replay.engine.outcome import TrickResult
from replay.engine.table import BETWEEN
from schemas import events as ev
from schemas.cards import KNOWN
from schemas.rules import RazburkaWhen, ShortStock, Turnup

# What every card asks for: before Python 3.12 an enum's member takes ten times as long to look up as a name.
STOCK_EMPTY: Final = RazburkaWhen.STOCK_EMPTY


class BuraDraws(BuraDeclarations):
    """What comes between the last answer and the next lead, but for the words."""

    __slots__ = ()

    def finish_trick(self) -> None:
        """All have answered: the winning seat takes the trick (`bura.11`), and draws are due."""
        taker, points = self.winner, self.trick_points
        self.pile_points[taker] = self.pile_points[taker] + points
        self.pile_cards[taker] = self.pile_cards[taker] | self.trick_cards
        if self.trick_blank:
            self.pile_blank[taker] += self.trick_blank
            points = -1
        tricks = self.tricks
        tricks.append(TrickResult(len(tricks) + 1, self.leader, taker, tuple(self.trick_seqs), points, points))
        self.leader = taker
        self.phase = TAKEN
        if self.to_answer:
            self.to_answer = []
        self.drawn_any = False
        self.declined = False
        self.passed = 0
        self._plan_draws()

    # -- the draw -------------------------------------------------------------------------------------------------

    def _plan_draws(self) -> None:
        """Who draws how many, trick winner first (`bura.13`); the last of the stock is the turn-up."""
        if self.draws_due:
            self.draws_due = []
        if not self.stock or self.leader not in self.players:
            return
        ring = self.ring_from(self.leader)
        full, held = self.hand_size, self.held
        draws = [(seat, full - held[seat].size, False) for seat in ring if held[seat].size < full]
        draws.reverse()
        need = 0
        for _, count, _ in draws:
            need += count
        if need < self.stock:
            self.draws_due = draws
            return
        wants = [max(0, full - held[seat].size) for seat in ring]
        last = -1
        if need > self.stock:
            if self.rules.short_stock is ShortStock.SET_ASIDE:
                self.stock = 0
                return
            wants, last = dealt_out(wants, self.stock, self.rules.draw_style)
        elif need == self.stock:
            _, last = dealt_out(wants, self.stock, self.rules.draw_style)
        turned = self.rules.turnup is Turnup.LAST_OF_STOCK and need >= self.stock
        self.draws_due = [
            (seat, count, turned and place == last)
            for place, (seat, count) in enumerate(zip(ring, wants, strict=True))
            if count
        ]
        self.draws_due.reverse()

    def on_drew(self, event: ev.Drew) -> None:
        if self.silent:
            return
        seat, cards = event.seat, event.cards
        if self.phase == ANSWERING:
            self.find(Code.OUT_OF_PLACE, seat, len(cards), None, "bura.13")
            if not self.called_over:
                self._draw_in_trick(seat, cards)
                return
            self.shaken = True
            self.finish_trick()
        dues = self.draws_due
        if (self.phase != TAKEN or not dues or dues[-1][0] != seat) and not self._comes_first(seat):
            self._draw_amiss(seat, cards)
            return
        _, wanted, turned = dues.pop()
        count = len(cards)
        if count != wanted:
            self.find(Code.WRONG_CARD_COUNT, seat, count, wanted, "bura.13")
        self.drawn_any = True
        if turned:
            cards = self._with_turnup(cards)
        self.stock = self.stock - count if count <= self.stock else 0
        self.take(seat, cards)
        self.draws_made.append(cards)
        self.drew_after.append(len(self.tricks))
        if not dues:
            if not self.stock and self.rules.razburka_when is STOCK_EMPTY:
                self.void()
            else:
                self.to_lead()

    def _draw_amiss(self, seat: int, cards: tuple[str, ...]) -> None:
        """A draw of a seat that has none to make: what it has already it cannot draw again."""
        waits = self.phase == TAKEN and bool(self.draws_due)
        code = Code.WRONG_TURN if waits else Code.OUT_OF_PLACE
        self.find(code, seat, seat, self.draws_due[-1][0] if waits else None, "bura.13")
        if self.phase == BETWEEN:
            return
        if self.has_them(seat, cards):
            self.find(Code.CARD_TWICE, seat, cards[0], None, "bura.2")
            return
        self.take(seat, cards)
        self.stock = max(0, self.stock - len(cards))

    def _pass_over(self, seat: int) -> None:
        """A seat draws before others whose turn it is: told once, however many draw before those do."""
        waiting = [entry[0] for entry in self.draws_due if not self.passed & (1 << entry[0])]
        if not waiting or waiting[-1] != seat:
            self.find(Code.WRONG_TURN, seat, seat, self.draws_due[-1][0], "bura.13")
        for entry in reversed(self.draws_due):
            if entry[0] == seat:
                break
            self.passed |= 1 << entry[0]

    def _draw_in_trick(self, seat: int, cards: tuple[str, ...]) -> None:
        """Too early, or left over from the trick before: the cards are drawn, and the trick goes on."""
        left_over = seat in self.to_answer and self.held[seat].size < self.hand_size
        self.take(seat, cards)
        self.stock = max(0, self.stock - len(cards))
        self.draws_made.append(cards)
        self.drew_after.append(len(self.tricks) + (not left_over))

    def _comes_first(self, seat: int) -> bool:
        """Whether a seat that is not the next to draw has a draw to make; that one is the next then."""
        for place, entry in enumerate(self.draws_due if self.phase == TAKEN else ()):
            if entry[0] == seat:
                self._pass_over(seat)
                self.draws_due.append(self.draws_due.pop(place))
                return True
        return False

    def _with_turnup(self, cards: tuple[str, ...]) -> tuple[str, ...]:
        """The last cards of the stock: the turn-up is drawn from under it, also where it was not written down."""
        if not cards or not 0 <= self.turnup < KNOWN or cards[-1] not in (self.turnup_spelling(), "??"):
            return cards
        self.seen &= ~(1 << self.turnup)
        return (*cards[:-1], self.turnup_spelling())
