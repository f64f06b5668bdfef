"""Words and draws of Bourré: fold or stay, the discard, the draw (`rules.md` 4.5, 4.6)."""

from typing import Final

from replay.engine.bourre.fees import BourreFees
from replay.engine.bourre.state import CARDS, FOLLOWING, LEADING, SPEAKING
from replay.engine.findings import Code
from replay.engine.table import DEALING, TURNED
from schemas.cards import BIT, CODE, DOMAIN, KNOWN, RANK_MASK, SPELLING, UNKNOWN, mask_of
from schemas.events import Discarded, Drew, Folded, Stayed
from schemas.rules import Declaration, Recycle

ACES: Final = RANK_MASK[-1]
# What every hand asks for: before Python 3.12 an enum's member takes ten times as long to look up as a name.
ONE_ROUND: Final = Declaration.ONE_ROUND
NEVER: Final = Recycle.NONE


class BourreDraw(BourreFees):
    """The round before play: each seat's word, and what it changes."""

    __slots__ = ()

    # -- words ----------------------------------------------------------------------------------------------------

    def on_stayed(self, event: Stayed) -> None:
        """The seat plays for the pot (`rules.md` 4.5)."""
        seat = event.seat if self.silent else self.whose_word(event.seat, folds=False)
        if self.unsaid >> seat & 1:
            self.unsaid &= ~(1 << seat)
        elif self.unheard >> seat & 1 and not self.silent:
            self.hear(seat)
        elif not self.silent and self._speaks(seat, event.seat):
            self.staying |= 1 << seat
            self.folded &= ~(1 << seat)
            self.speaker = seat

    def on_folded(self, event: Folded) -> None:
        """The seat throws its cards in; told where it stayed before, or must stay (`rules.md` 4.5)."""
        if self.silent:
            return
        seat = self.whose_word(event.seat, folds=True)
        if self.unheard >> seat & 1:
            self.unheard &= ~(1 << seat)
        elif self.staying >> seat & 1 and self.phase in (SPEAKING, LEADING, FOLLOWING):
            self.find(Code.FOLDED_LATE, seat, None, None, "bourre.5")
            self.folded_late |= 1 << seat
        elif not self._speaks(seat, event.seat):
            return
        elif seat == self.dealer:
            self._judge_dealers_fold(seat)
        self.speaker = 0
        self.fold(seat)

    def _speaks(self, seat: int, written: int) -> bool:
        """Whether the seat has a word to say now; a word out of turn counts, one too many does not.

        It may be `written` down under another seat.
        """
        self.need_turnup()
        if self.phase == SPEAKING:
            self._close_draw()
        if self.phase != SPEAKING or seat not in self.to_speak:
            self.find(Code.OUT_OF_PLACE, seat, None, None, "bourre.5")
            return False
        if written == seat:
            self.judge_turn(seat, self.to_speak, "bourre.5")
        else:
            self.find(Code.WRONG_TURN, written, written, seat, "bourre.5")
        self.to_speak.remove(seat)
        return True

    def judge_turn(self, seat: int, waiting: list[int], rule: str) -> None:
        """Who acts before others have is told once; those passed over may act later without a second word."""
        if self.skipped >> seat & 1 or seat == waiting[0]:
            return
        due = next(other for other in waiting if not self.skipped >> other & 1)
        if seat != due:
            self.find(Code.WRONG_TURN, seat, seat, due, rule)
            for other in waiting[: waiting.index(seat)]:
                self.skipped |= 1 << other

    def need_turnup(self) -> None:
        """Cards are dealt and the game goes on though no trump is on record yet: it is turned later, or one of four."""
        if self.phase == DEALING:
            self.find(Code.OUT_OF_PLACE, 0, None, None, "bourre.4")
            self.shaken = True
            self.lost_track()
            self.phase = TURNED
            self.turn_told = True
            self.turnup = self.place_turnup(self.to_turn) if self.to_turn else UNKNOWN
            self.trump = self.trump_suit(self.turnup)
            self.deal_done()

    def _judge_dealers_fold(self, seat: int) -> None:
        """The dealer stays where an ace was turned (`dealer_stays_on_ace`)."""
        turned = DOMAIN[self.turnup]
        if not turned & ACES or not self.rules.dealer_stays_on_ace:
            return
        if turned & ~ACES:
            self.find(Code.UNKNOWN_CARD, seat, str(Code.DEALER_MUST_STAY), None, "dealer_stays_on_ace")
        else:
            self.find(Code.DEALER_MUST_STAY, seat, None, None, "dealer_stays_on_ace")

    def fold(self, seat: int) -> None:
        """The seat's cards are thrown in; the last one left takes the pot."""
        self.folded |= 1 << seat
        self.staying &= ~(1 << seat)
        self.pool_folded |= self.held[seat].sure
        self.pool_folded_cards += self.held[seat].size
        if self.astray:
            self._settle_astray()
        if self.pending_seat == seat:
            self.pending_seat = self.pending = 0
        alive = self.still_in()
        if len(alive) == 1:
            self.survive(alive[0])
        elif self.phase in (LEADING, FOLLOWING):
            self.leave_ring(seat)

    def leave_ring(self, seat: int) -> None:
        """A seat folds in mid-play."""
        raise NotImplementedError

    def hear(self, seat: int) -> None:
        """It shows after the first lead that a seat stayed whose word was not on record before, which was told."""
        raise NotImplementedError

    # -- discards and draws ---------------------------------------------------------------------------------------

    def on_discarded(self, event: Discarded) -> None:
        """Cards are thrown away before the draw: judged for moment and number (`rules.md` 4.5, `max_draw`)."""
        if self.silent:
            return
        self.need_turnup()
        seat: int = event.seat
        cards = event.cards
        if cards and not BIT[cards[0]] & self.held[seat].sure:
            seat = self._whose_discard(seat, cards)
        if self.phase != SPEAKING or seat not in self.players or self.folded >> seat & 1:
            self.find(Code.OUT_OF_PLACE, seat, len(cards), None, "bourre.5")
            if self.phase in (LEADING, FOLLOWING) and seat in self.ring and not self._thrown_already(seat, cards):
                self.let_go(seat, cards)
            return
        if self._discards_late(seat, cards):
            return
        if (self.drawn >> seat & 1 or self.pending_seat == seat) and self._thrown_already(seat, cards):
            self.find(Code.OUT_OF_PLACE, seat, len(cards), None, "bourre.5")
            return
        if self.pending_seat not in (0, seat):
            self._close_draw()
        self._judge_discard(seat, len(cards))
        most = self._max_draw()
        total = self.pending + len(cards)
        if total > most:
            self.find(Code.DREW_TOO_MANY, seat, total, most, "max_draw")
        if cards:
            self._throw_away(seat, cards)
            self.pending_seat, self.pending = seat, total
            self.draw_place = self.players.index(seat)

    def _whose_discard(self, seat: int, cards: tuple[str, ...]) -> int:
        """Who threw these cards away: a seat that may and surely holds them, where the one written down cannot."""
        if self.phase != SPEAKING or not self.holds_none(seat, cards):
            return seat
        mute = self.drawn | sum(1 << other for other in (*self.to_speak, self.pending_seat))
        for acting in self.still_in():
            if not mute >> acting & 1 and self._may_change(acting) and self.has_them(acting, cards):
                self.find(Code.CARD_NOT_HELD, seat, cards[0], None, "bourre.5")
                return acting
        return seat

    def _thrown_already(self, seat: int, cards: tuple[str, ...]) -> bool:
        """Cards that are no more in the hand that threw some away cannot leave it again, which is told."""
        if nowhere := self.holds_none(seat, cards):
            self.find(Code.CARD_NOT_HELD, seat, cards[0], None, "bourre.5")
        return nowhere

    def _discards_late(self, seat: int, cards: tuple[str, ...]) -> bool:
        """Whether these cards were thrown away before the draw that stands before them, of which it was told."""
        before, drawn = self.undiscarded.pop(seat, (None, ()))
        if before is None or len(drawn) != len(cards) or mask_of(cards) & ~before.sure:
            return False
        self.held[seat] = before.copy()
        self.moves = [each for each in self.moves if each[0] != seat or len(each[2]) == CARDS]
        self.discarded[seat] = 0
        self._throw_away(seat, cards)
        self.pool_served |= self.discarded[seat]
        self.seen &= ~mask_of(drawn)
        self.take(seat, drawn)
        return True

    def _throw_away(self, seat: int, cards: tuple[str, ...]) -> None:
        """Cards leave the hand; which of them are known is remembered, for they may be drawn again."""
        held, possible = self.held[seat], self.possible(seat)
        known = held.sure | held.limbo
        self.let_go(seat, cards)
        self.moves.append((seat, False, cards))
        left = held.sure | held.limbo
        self.discarded[seat] |= (mask_of(cards) & possible) | (known & ~left)

    def _judge_discard(self, seat: int, count: int) -> None:
        """Whether it is this seat's turn to change cards."""
        if seat in self.to_speak:
            self.find(Code.OUT_OF_PLACE, seat, count, None, "bourre.5")
            self.to_speak.remove(seat)
            self.staying |= 1 << seat
            self.unsaid |= 1 << seat
            self.speaker = seat
        elif self.drawn >> seat & 1 or self.pending_seat == seat:
            self.find(Code.OUT_OF_PLACE, seat, count, None, "bourre.5")
        elif not self._may_change(seat):
            expected = self.to_speak[0] if self.to_speak else None
            self.find(Code.WRONG_TURN, seat, seat, expected, "bourre.5")

    def _may_change(self, seat: int) -> bool:
        one_round = seat == self.speaker
        two_rounds = not self.waits_for_words() and self.players.index(seat) > self.draw_place
        if one_round == two_rounds:
            return one_round
        return one_round if self.rules.declaration is ONE_ROUND else two_rounds

    def _max_draw(self) -> int:
        """How many cards a seat may change, by the number of seats dealt in (`max_draw`)."""
        table = self.rules.max_draw
        seats = len(self.players)
        for upto, cards in table:
            if seats <= upto:
                return cards
        return table[-1][1]

    def on_drew(self, event: Drew) -> None:
        """The seat draws for what it threw away; its fee is due before (`rules.md` 4.5)."""
        if self.silent:
            return
        seat, cards = event.seat, event.cards
        if self.phase not in (SPEAKING, LEADING, FOLLOWING):
            self.find(Code.OUT_OF_PLACE, seat, len(cards), None, "bourre.5")
            return
        if self.astray:
            self._settle_astray(seat)
        if self.pending_seat != seat and self._draws_late(seat, cards):
            return
        if self.pending_seat != seat:
            waits = self.phase == SPEAKING and self.pending_seat
            expected = self.pending_seat if waits else None
            self.find(Code.WRONG_TURN if waits else Code.OUT_OF_PLACE, seat, len(cards), expected, "bourre.5")
            if self.has_them(seat, cards):
                self.find(Code.CARD_TWICE, seat, cards[0], None, "bourre.2")
                return
            idle = self.held[seat].size >= CARDS or seat not in self.still_in()
            if waits and idle and len(cards) == min(self.pending, self.stock):
                self.astray = self.seq, seat, cards
                return
            self._discard_unseen(seat, cards)
        else:
            self.need_fee(seat)
            if len(cards) > self.pending:
                cards = self.without_impossible(seat, cards, self.pending)
            self._judge_draw(seat, len(cards))
            self._served()
        self._draw(seat, cards)

    def _draws_late(self, seat: int, cards: tuple[str, ...]) -> bool:
        """Whether this is the draw of which it was told that it had not come: it takes the place of that."""
        move, drawn, count = self.undrawn.get(seat, (0, 0, 0))
        new = self.pack & ~self.seen
        if count != len(cards) or mask_of(cards) & ~new or self.moves[move:][:1] != [(seat, True, ("??",) * count)]:
            return False
        del self.undrawn[seat], self.moves[move]
        self.stock_order[drawn : drawn + count] = [CODE[card] for card in cards]
        held = self.held[seat]
        held.size -= count
        held.may &= held.sure | held.limbo
        self.take(seat, cards)
        return True

    def _settle_astray(self, seat: int = 0) -> None:
        """A seat with a full hand has drawn while another was to draw, which was told; this seat draws now, or none.

        Where the draw that was due comes, the other was one too many; else it was that one, under another seat.
        """
        assert self.astray is not None
        now, (self.seq, drawer, cards), self.astray = self.seq, self.astray, None
        if seat == self.pending_seat:
            self._discard_unseen(drawer, cards)
        else:
            drawer = self.pending_seat
            self.need_fee(drawer)
            self._judge_draw(drawer, len(cards))
            self._served()
        self._draw(drawer, cards)
        self.seq = now

    def _discard_unseen(self, seat: int, cards: tuple[str, ...]) -> None:
        """A seat draws and no discard is on record: what it has thrown away is not known."""
        count = len(cards)
        first = self.phase == SPEAKING and self.staying & ~self.drawn & (1 << seat)
        if first and count <= self.held[seat].size == CARDS:
            self.drawn |= 1 << seat
            self.early_fees.pop(seat, None)
            self.undiscarded[seat] = self.held[seat].copy(), cards
            self._throw_away(seat, ("??",) * count)
            self.pool_served |= self.discarded[seat]
            self.pool_served_cards += count
            self.lost_track()

    def _judge_draw(self, seat: int, count: int) -> None:
        """A seat draws as many as it has thrown away, or what a stock that is not made new still holds."""
        wanted = self.pending
        if wanted > self.stock:
            if self.rules.recycle is not NEVER and self.pool_folded_cards + self.pool_served_cards:
                self.find(Code.WRONG_CARD_COUNT, seat, count, self.stock, "bourre.5")
                self.new_order += [UNKNOWN] * self.recycle()
                return
            wanted = self.stock
            self.short |= 1 << seat
        if count == wanted:
            return
        most = self._max_draw()
        wrong = Code.DREW_TOO_MANY if count > most >= self.pending else Code.WRONG_CARD_COUNT
        self.find(wrong, seat, count, wanted, "max_draw" if wrong is Code.DREW_TOO_MANY else "bourre.5")

    def _served(self) -> None:
        """The draw that was waited for is over: what the seat threw away may be drawn by others."""
        seat = self.pending_seat
        self.drawn |= 1 << seat
        self.pool_served |= self.discarded[seat]
        self.pool_served_cards += self.pending
        self.pending_seat = self.pending = 0

    def _draw(self, seat: int, spellings: tuple[str, ...]) -> None:
        """Cards go from the stock to the seat: first what is left of the old one, then the new one in its order."""
        old = min(self.first_left, len(spellings))
        self.first_left -= old
        for spelling in spellings[:old]:
            self.stock_order.append(CODE[spelling])
        self.stock = max(0, self.stock - len(spellings))
        self.take(seat, spellings if old == len(spellings) else self._from_new_stock(seat, spellings, old))

    def _from_new_stock(self, seat: int, spellings: tuple[str, ...], old: int) -> tuple[str, ...]:
        """Cards drawn, those from place `old` on from the new stock: its order names those that were not seen."""
        named = list(spellings)
        for spot in range(old, len(named)):
            if not self.new_order:
                break
            lies = self.new_order.pop(0)
            said = CODE[named[spot]]
            if not DOMAIN[said] & DOMAIN[lies]:
                self.find(Code.DECK_MISMATCH, seat, SPELLING[said], SPELLING[lies], "record.3.3")
            elif said >= KNOWN:
                named[spot] = SPELLING[lies]
        return tuple(named)

    def _close_draw(self) -> None:
        """The game goes on: a draw that was due has not come."""
        if self.astray:
            self._settle_astray()
        if not self.pending_seat:
            return
        pool = self.pool_folded_cards + self.pool_served_cards
        if self.stock or (pool and self.rules.recycle is not NEVER):
            self.find(Code.WRONG_CARD_COUNT, self.pending_seat, 0, self.pending, "bourre.5")
            if self.pending <= self.first_left:
                self.undrawn[self.pending_seat] = len(self.moves), len(self.stock_order), self.pending
            self._draw(self.pending_seat, ("??",) * self.pending)
            self.lost_track()
        else:
            self.short |= 1 << self.pending_seat
        self.need_fee(self.pending_seat)
        self._served()

    def close_round(self) -> None:
        """All have spoken and drawn: play begins."""
        self._close_draw()
        self.settle_fees()
        self.need_staying_fees()
