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
        self.pile_points[taker] += points
        self.pile_cards[taker] |= self.trick_cards
        if self.trick_blank:
            self.pile_blank[taker] += self.trick_blank
            points = -1
        tricks = self.tricks
        tricks.append(TrickResult(len(tricks) + 1, self.leader, taker, tuple(self.trick_seqs), points, points))
        self.leader = taker
        self.phase = TAKEN
        self.to_answer = []
        self.drawn_any = False
        self.declined = False
        self.passed = 0
        self._plan_draws()

    # -- the draw -------------------------------------------------------------------------------------------------

    def _plan_draws(self) -> None:
        """Who draws how many, trick winner first (`bura.13`); the last of the stock is the turn-up."""
        self.draws_due = []
        if not self.stock or self.leader not in self.players:
            return
        ring = self.ring_from(self.leader)
        full, size = self.hand_size, self.size
        draws = [(seat, full - size[seat], False) for seat in ring if size[seat] < full]
        need = 0
        for draw in draws:
            need += draw[1]
        if need < self.stock:
            self.draws_due = draws
            return
        wants = [full - size[seat] if size[seat] < full else 0 for seat in ring]
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
        due = None if self.phase != TAKEN else dues[0] if dues and dues[0][0] == seat else self._draw_due(seat)
        if due is None:
            self._draw_amiss(seat, cards)
            return
        if dues[0][0] == seat:
            del dues[0]
        else:
            self._pass_over(seat)
            dues.remove(due)
        count = len(cards)
        if count != due[1]:
            self.find(Code.WRONG_CARD_COUNT, seat, count, due[1], "bura.13")
        self.drawn_any = True
        if due[2]:
            cards = self._with_turnup(cards)
        self.stock = self.stock - count if count <= self.stock else 0
        self.take(seat, cards)
        self.draws_made.append((len(self.tricks), cards))
        if not dues:
            if not self.stock and self.rules.razburka_when is STOCK_EMPTY:
                self.void()
            else:
                self.to_lead()

    def _draw_amiss(self, seat: int, cards: tuple[str, ...]) -> None:
        """A draw of a seat that has none to make: what it has already it cannot draw again."""
        waits = self.phase == TAKEN and bool(self.draws_due)
        code = Code.WRONG_TURN if waits else Code.OUT_OF_PLACE
        self.find(code, seat, seat, self.draws_due[0][0] if waits else None, "bura.13")
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
        if not waiting or waiting[0] != seat:
            self.find(Code.WRONG_TURN, seat, seat, self.draws_due[0][0], "bura.13")
        for entry in self.draws_due:
            if entry[0] == seat:
                break
            self.passed |= 1 << entry[0]

    def _draw_in_trick(self, seat: int, cards: tuple[str, ...]) -> None:
        """Too early, or left over from the trick before: the cards are drawn, and the trick goes on."""
        left_over = seat in self.to_answer and self.size[seat] < self.hand_size
        self.take(seat, cards)
        self.stock = max(0, self.stock - len(cards))
        self.draws_made.append((len(self.tricks) + (not left_over), cards))

    def _draw_due(self, seat: int) -> tuple[int, int, bool] | None:
        for entry in self.draws_due:
            if entry[0] == seat:
                return entry
        return None

    def _with_turnup(self, cards: tuple[str, ...]) -> tuple[str, ...]:
        """The last cards of the stock: the turn-up is drawn from under it, also where it was not written down."""
        if not cards or not 0 <= self.turnup < KNOWN or cards[-1] not in (self.turnup_spelling(), "??"):
            return cards
        self.seen &= ~(1 << self.turnup)
        return (*cards[:-1], self.turnup_spelling())
