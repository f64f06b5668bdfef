"""Bourré as a game: what each event does to the table, and what was wrong about it (`rules.md` 4)."""

from typing import Final

from replay.engine.bourre.laws import ABOVE, AKQ
from replay.engine.bourre.state import CARDS, FOLLOWING, LEADING, SPEAKING
from replay.engine.bourre.tricks import BourreTricks
from replay.engine.findings import Code
from replay.engine.table import DECIDED
from schemas import events as ev
from schemas.cards import CARDS_PER_SUIT, CODE, KNOWN, SUIT_MASK, UNKNOWN
from schemas.rules import HeadDuty

BEAT_LEAD: Final = HeadDuty.BEAT_LEAD


class Bourre(BourreTricks):
    """The table of one recording of Bourré."""

    __slots__ = ()

    # -- leads and answers ----------------------------------------------------------------------------------------

    def on_played(self, event: ev.Played) -> None:
        """A card is led or answers; told where its turn or a duty is not kept (`rules.md` 4.7-4.9)."""
        if self.silent:
            return
        seat = event.seat
        if self.late and seat in self.late:
            self._lay_late(event, seat)
        elif seat != self.next_up:
            self._play_amiss(event, seat)
        elif self.phase == FOLLOWING:
            if (self.skipped or self.called_over) and self.leads_instead(seat, event.cards):
                self.close_trick()
                self.on_played(event)
            else:
                self._follow(event, seat)
        elif self.trick and self.trick[-1][1] == seat and self.lies_there(seat, event.cards):
            self.tell_nowhere(seat, event.cards)
        else:
            self._lead(event, seat)

    def _lay(self, event: ev.Played, seat: int) -> int:
        """The card leaves the hand: its code as recorded."""
        self.played_any = True
        if self.unheard >> seat & 1:
            self.hear(seat)
        cards, held = event.cards, self.held[seat]
        sure, size = held.sure, held.size
        may = self.possible(seat) if self.blind and size != sure.bit_count() else sure
        if len(cards) == 1 and event.face == "up":
            code = CODE[cards[0]]
            bit = 1 << code
            if bit & sure:
                held.sure = sure ^ bit
                held.may &= ~bit
                held.size = size - 1
            else:
                bit, code = self.lay_unsure(seat, code, may)
        else:
            self._judge_form(event, seat)
            bit, code = self.lay_unsure(seat, CODE[cards[0]] if cards else UNKNOWN, may)
            self._lay_besides(seat, cards[1:])
        self.trick.append((self.seq, seat, code, bit, sure, may, size, self.foreseen[seat]))
        if self.unproved:
            self.prove(self.seq, seat, code)
        return code

    def _lay_late(self, event: ev.Played, seat: int) -> None:
        """The answer before which another seat led, which was told: the card was still in the hand then."""
        number, place, held = self.late[seat]
        self.held[seat] = held.copy()
        now, self.trick = self.trick, self.past[number][:place]
        self._lay(event, seat)
        laid, self.trick = self.trick[-1], now
        self.answer_late(laid)

    def _lay_besides(self, seat: int, cards: tuple[str, ...]) -> None:
        """Cards beside the one that counts, which is told: gone, if they were held and fewer than five plays follow."""
        if not cards:
            return
        self.look_ahead()
        if self.on_record.get(seat) != CARDS and not self.holds_none(seat, cards):
            self.let_go(seat, cards)

    def _judge_form(self, event: ev.Played, seat: int) -> None:
        """One card, always up (`bourre.8`): the first of several is the play."""
        cards = event.cards
        if len(cards) != 1:
            self.find(Code.WRONG_CARD_COUNT, seat, len(cards), 1, "bourre.8")
        if event.face != "up":
            self.find(Code.OUT_OF_PLACE, seat, event.face, "up", "bourre.8")

    def _lead(self, event: ev.Played, seat: int, unled: int = 0) -> None:
        self.trick = []
        self.unled = unled
        code = self._lay(event, seat)
        ring = self.ring
        place = ring.index(seat)
        self.to_play = ring[place + 1 :] + ring[:place]
        self.to_play.reverse()
        if self.short:
            self.to_play = [other for other in self.to_play if self.has_cards(other)]
        self.leader = self.winner = seat
        self.skipped = self.absent | 1 << unled if unled else self.absent
        self.called_over = False
        self.phase = FOLLOWING
        self.top = -1
        if code >= KNOWN:
            self.murky = True
            self.judge()
        else:
            self.lead = self.best = code
            self.lead_mask = SUIT_MASK[code // CARDS_PER_SUIT]
            self.murky = False
            trumps, may = self.trump_mask, self.trick[0][5]
            rest = may & (ABOVE[code] & trumps if trumps >> code & 1 else trumps)
            if rest and self._may_be_bound(seat, may | 1 << code):
                self.judge()
        if self.to_play:
            self.next_up = self.to_play[-1]
        else:
            self.finish_trick()

    def _may_be_bound(self, seat: int, may: int) -> bool:
        """Whether a lead may have a duty: the hand may hold one of the three highest trumps, or has seen them all."""
        high = AKQ[self.trump]
        return bool(may & high) or not high & ~self._gone(seat, len(self.tricks))

    def _follow(self, event: ev.Played, seat: int) -> None:
        self.to_play.pop()
        code = self._lay(event, seat)
        if self.murky or code >= KNOWN:
            self.murky = True
            self.judge()
        else:
            bit = 1 << code
            may = self.trick[-1][5]
            if bit & self.lead_mask:
                if code > self.best:
                    self.best = code
                    if self.top < 0:
                        self.winner = seat
                elif self.top < 0 and may & ABOVE[self.lead] & ~bit and self._might_have_headed(may):
                    self.judge()
            elif bit & self.trump_mask:
                if may & self.lead_mask or (self.top >= 0 and code < self.top and may & ABOVE[self.top]):
                    self.judge()
                if code > self.top:
                    self.top = code
                    self.winner = seat
            elif may & (self.lead_mask | self.trump_mask):
                self.judge()
        if self.to_play:
            self.next_up = self.to_play[-1]
        else:
            self.finish_trick()

    def _might_have_headed(self, may: int) -> bool:
        """Whether a duty may bind who held a card above the lead: above the best, or where the lead counts."""
        return self.blind or bool(may & ABOVE[self.best]) or self.rules.head_duty is BEAT_LEAD

    def _play_amiss(self, event: ev.Played, seat: int) -> None:
        """A play by another seat than the one whose turn it is, or at another time: told, and played on from there."""
        self.need_turnup()
        acting = self._whose(seat, event.cards)
        if acting != seat:
            self._play_for(event, acting)
            return
        if self.phase == DECIDED and self.lays_late(event):
            return
        if self.folded >> seat & 1 and not self._plays_on(seat):
            self.find(Code.OUT_OF_PLACE, seat, list(event.cards), None, "bourre.5")
            self.shaken = True
            return
        if self.phase == SPEAKING and seat in self.players and self.still_in():
            self._begin_play(event)
            if seat == self.next_up:
                self._lead(event, seat)
                return
        if self.phase not in (LEADING, FOLLOWING) or seat not in self.players:
            self.find(Code.OUT_OF_PLACE, seat, list(event.cards), None, "bourre.7")
            self.shaken = True
            return
        self.ring = self.still_in()
        if not self._goes_on_with(event, seat):
            return
        if self.phase == LEADING:
            self._lead(event, seat, unled=0 if seat in (self.next_up, self.awarded) else self.next_up)
            return
        self.to_play.remove(seat)
        self.to_play.append(seat)
        self._follow(event, seat)

    def _whose(self, seat: int, cards: tuple[str, ...]) -> int:
        """Who laid this card: whose turn it is, where that seat surely holds it and the one written down cannot."""
        acting = self._whose_turn() if self.holds_none(seat, cards) else seat
        if acting == seat or not self.has_them(acting, cards):
            return seat
        self.tell_nowhere(seat, cards)
        return acting

    def _whose_turn(self) -> int:
        """The seat whose play is next as far as it is known, else 0."""
        if self.phase != SPEAKING:
            return self.next_up if self.phase in (LEADING, FOLLOWING) else 0
        return 0 if self.to_speak else next(filter(self.has_cards, self.still_in()), 0)

    def _play_for(self, event: ev.Played, acting: int) -> None:
        """The play of whose turn it is, though another seat is written down, which was told."""
        if self.phase == SPEAKING:
            self._begin_play(event)
        if self.phase == FOLLOWING:
            self._follow(event, acting)
        else:
            self._lead(event, acting)

    def _goes_on_with(self, event: ev.Played, seat: int) -> bool:
        """Tells what is wrong with the seat's turn; whether the card is laid, as the lead or an answer."""
        if self.phase == FOLLOWING and seat in self.to_play:
            self.judge_turn(seat, self.to_play[::-1], "bourre.8")
            return True
        if self.phase == LEADING and (seat == self.next_up or (not self.next_up and self.may_lead >> seat & 1)):
            if seat != self.next_up:
                self.find(Code.UNKNOWN_CARD, seat, str(Code.WRONG_TURN), None, "bourre.7")
            return True
        if self.close_trick():
            return self._goes_on_with(event, seat)
        following = self.phase == FOLLOWING
        waiting = [other for other in reversed(self.to_play) if not self.skipped >> other & 1] if following else []
        if waiting or not (following or self.absent >> self.next_up & 1):
            due = waiting[0] if waiting else self.next_up or None
            self.find(Code.WRONG_TURN, seat, seat, due, "bourre.8" if following else "bourre.7")
        if self.holds_none(seat, event.cards):
            self.tell_nowhere(seat, event.cards)
            return False
        if following:
            self.shaken = True
            self.force_on()
        return self.phase == LEADING

    def _begin_play(self, event: ev.Played) -> None:
        """The first lead closes the round; who has said nothing is taken to stay."""
        if self.waits_for_words():
            self.find(Code.OUT_OF_PLACE, event.seat, list(event.cards), None, "bourre.5")
        if self.to_speak:
            self.unheard = sum(1 << seat for seat in self.to_speak)
            self.to_speak = []
        self.close_round()
        self.ring = self.still_in()
        self.next_up = next(filter(self.has_cards, self.ring), self.ring[0])
        self.phase = LEADING

    def _plays_on(self, seat: int) -> bool:
        """Who folded when he might not any more plays on: that fold was none. Any other has no card left to lay."""
        if not self.folded_late >> seat & 1 or self.phase == DECIDED:
            return False
        self.folded &= ~(1 << seat)
        self.folded_late &= ~(1 << seat)
        self.staying |= 1 << seat
        self.ring = self.still_in()
        fresh = all(laid[1] != seat for laid in self.trick)
        if self.phase == FOLLOWING and fresh:
            self.to_play = sorted([*self.to_play, seat], key=self.turn_of, reverse=True)
        elif self.phase == LEADING and self.tricks[-1].taker == seat:
            self.next_up = seat
        elif self.phase == LEADING and fresh and self._was_last(seat):
            self._reopen_trick(seat)
        return True

    def _was_last(self, seat: int) -> bool:
        """Whether the seat's turn comes after all who laid a card to the last trick, of which nobody has spoken yet."""
        return self.told < len(self.tricks) and self.turn_of(seat) > self.turn_of(self.trick[-1][1])

    def _reopen_trick(self, seat: int) -> None:
        """The trick was not complete: this seat, taken to have folded, had yet to lay its card."""
        taker = self.tricks.pop().taker
        self.past.pop()
        if taker:
            self.won[taker] -= 1
        else:
            self.unsure.pop()
        self.phase = FOLLOWING
        self.to_play = [seat]

    def leave_ring(self, seat: int) -> None:
        self.ring = self.still_in()
        if self.phase == LEADING:
            self.may_lead &= ~(1 << seat)
            if self.next_up == seat:
                self.next_up = self.leader_after(seat)
        elif seat in self.to_play:
            self.to_play.remove(seat)
            if self.to_play:
                self.next_up = self.to_play[-1]
            else:
                self.finish_trick()


Bourre.HANDLERS = {
    ev.PlayerJoined: Bourre.on_player_joined,
    ev.PlayerLeft: Bourre.on_player_left,
    ev.SatOut: Bourre.on_sat_out,
    ev.Unseen: Bourre.on_unseen,
    ev.CardMissing: Bourre.on_card_missing,
    ev.ChipsBought: Bourre.on_chips_bought,
    ev.StakeSet: Bourre.on_stake_set,
    ev.HandBegan: Bourre.on_hand_began,
    ev.DeckCommitted: Bourre.on_deck_committed,
    ev.DeckRevealed: Bourre.on_deck_revealed,
    ev.Staked: Bourre.on_staked,
    ev.Dealt: Bourre.on_dealt,
    ev.TrumpTurned: Bourre.on_trump_turned,
    ev.Played: Bourre.on_played,
    ev.Drew: Bourre.on_drew,
    ev.PotTaken: Bourre.on_pot_taken,
    ev.TrickTaken: Bourre.on_trick_taken,
    ev.PotCounted: Bourre.on_pot_counted,
    ev.StackCounted: Bourre.on_stack_counted,
    ev.HandEnded: Bourre.on_hand_ended,
    ev.Folded: Bourre.on_folded,
    ev.Stayed: Bourre.on_stayed,
    ev.Discarded: Bourre.on_discarded,
    ev.StockRecycled: Bourre.on_stock_recycled,
    **dict.fromkeys((ev.RecordingBegan, ev.RecordingEnded, ev.Testified, ev.Noted), Bourre.on_words),
    **dict.fromkeys((ev.Corrected, ev.Inserted, ev.Revealed), Bourre.on_later_word),
    **dict.fromkeys(ev.BURA_TYPES, Bourre.on_words),
}
