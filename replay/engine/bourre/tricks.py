"""Tricks of Bourré: who takes them, and when one is over though cards of it are not on record (`rules.md` 4.9)."""

from collections.abc import Sequence
from typing import Any

from replay.engine.bourre.duties import LOST_LEAD, BourreDuties, suits_of
from replay.engine.bourre.fees import ANTE_IF_STAYING
from replay.engine.bourre.state import CARDS, FOLLOWING, LEADING, SPEAKING, Laid
from replay.engine.findings import Code
from replay.engine.outcome import TrickResult
from schemas import events as ev
from schemas.cards import CODE, DOMAIN, KNOWN, SPELLING, SUIT_MASK, UNKNOWN


class BourreTricks(BourreDuties):
    """The tricks of a hand."""

    __slots__ = ()

    def lies_there(self, seat: int, cards: tuple[str, ...]) -> bool:
        """Whether the seat laid this very card last: the line was written twice."""
        laid = self.trick[-1]
        return laid[1] == seat and len(cards) == 1 and laid[2] == CODE[cards[0]] < KNOWN

    def tell_nowhere(self, seat: int, cards: tuple[str, ...]) -> None:
        """What cannot be leaves the table as it is."""
        self.find(Code.CARD_NOT_HELD, seat, cards[0], None, "bourre.8")

    def lacks_cards(self, seat: int, gone: int) -> bool:
        """Fewer cards than tricks to come: the cards on record are all still to be laid (`rules.md` 4.4)."""
        if self.short >> seat & 1:
            return False
        thrown = self.pending * (seat == self.pending_seat) if self.phase == SPEAKING else len(self.tricks)
        return self.held[seat].size < CARDS - thrown - gone

    def lay_unsure(self, seat: int, code: int, may: int) -> tuple[int, int]:
        """A card not seen, or not surely held: the cards it may be, and its code, known where there is one."""
        cards = DOMAIN[code]
        if code >= KNOWN:
            cards = cards & may & ~self.later[seat] or cards & may or cards
            if not cards & (cards - 1):
                code = cards.bit_length() - 1
        self.let_go(seat, (SPELLING[code],))
        return cards, code

    def hear(self, seat: int) -> None:
        """A seat whose word is not on record lays a card: it stayed, and by the first lead its fee was due."""
        self.unheard &= ~(1 << seat)
        if self.fee_paid >> seat & 1 or not self.ante or self.rules.draw_fee is not ANTE_IF_STAYING:
            return
        now = self.seq
        first = [*self.past, self.trick][0]
        self.seq = first[0][0] if first else now
        self.fee_paid |= 1 << seat
        self.lack(seat, self._fee(), "draw_fee", "draw_fee")
        self.seq = now

    def has_cards(self, seat: int) -> bool:
        """Whether the seat plays on: one that drew short from an empty stock may be out of cards."""
        return not self.short >> seat & 1 or self.held[seat].size > 0

    def finish_trick(self) -> None:
        """All have answered: the taker leads next, and the fifth trick decides the hand (`rules.md` 4.9)."""
        number = len(self.tricks) + 1
        takers = self._takers() if self.murky else 1 << self.winner
        taker = self.winner = 0 if takers & (takers - 1) else takers.bit_length() - 1
        seqs = tuple([laid[0] for laid in self.trick if laid[0] > 0])
        self.tricks.append(TrickResult(number, self.leader, taker, seqs, 0, 0))
        self.past.append(self.trick)
        self.awarded = 0
        self.phase = LEADING
        self.next_up = taker
        if taker:
            self.won[taker] = self.won[taker] + 1
        else:
            self.unsure.append((number - 1, takers))
            self.may_lead = takers
        if number == CARDS:
            self.settle_tricks()
        elif self.short or self.folded & takers:
            self._pass_lead(takers)

    def _pass_lead(self, takers: int) -> None:
        """A taker without cards: the next seat clockwise that holds some leads; none does: the hand is over."""
        leaders = [self.leader_after(seat) for seat in self.players if takers >> seat & 1]
        if not any(leaders):
            self.settle_tricks()
        elif len(set(leaders)) == 1:
            self.next_up = leaders[0]
        else:
            self.may_lead = sum(1 << seat for seat in set(leaders) if seat)

    def leader_after(self, taker: int) -> int:
        """Who leads where this seat took the last trick; 0 where nobody holds cards."""
        place = self.players.index(taker)
        ring = self.players[place:] + self.players[:place]
        return next((seat for seat in ring if seat in self.ring and self.has_cards(seat)), 0)

    def _takers(self) -> int:
        """Who may have taken a trick with unseen cards; one that is not on record may have been the lead."""
        takers = self._takers_of(self.trick)
        for place, laid in enumerate(self.trick):
            if laid[0] == LOST_LEAD:
                takers |= self._takers_of([laid, *self.trick[:place], *self.trick[place + 1 :]])
        return takers or 1 << self.leader

    def _takers_of(self, trick: Sequence[Laid]) -> int:
        seats = 0
        for suit in suits_of(trick[0][3]):
            laid = [(each[1], each[3]) for each in trick]
            laid[0] = laid[0][0], laid[0][1] & SUIT_MASK[suit]
            for place, (seat, cards) in enumerate(laid):
                best = self._strengths(cards, suit)[-1]
                others = [each for other, (_, each) in enumerate(laid) if other != place]
                if best >= 0 and all(self._strengths(each, suit)[0] < best for each in others):
                    seats |= 1 << seat
        return seats

    def _strengths(self, cards: int, suit: int) -> tuple[int, int]:
        """How low and how high one of these cards may stand in the trick: trumps above the led suit, others nowhere."""
        trumps, suited = cards & self.trump_mask, cards & SUIT_MASK[suit]
        high = KNOWN + trumps.bit_length() if trumps else suited.bit_length() - 1
        if cards & ~(self.trump_mask | SUIT_MASK[suit]):
            return -1, high
        if suited & ~self.trump_mask:
            return (suited & -suited).bit_length() - 1, high
        return KNOWN + (trumps & -trumps).bit_length(), high

    def close_trick(self) -> bool:
        """Whether only cards are waited for of which it was told that they are lacking: the trick is over then."""
        over = self.phase == FOLLOWING and (self.called_over or all(self.skipped >> seat & 1 for seat in self.to_play))
        if over:
            self.shaken = True
            self.told = len(self.tricks) + 1 if self.called_over else self.told
            self.force_on()
        return over

    def force_on(self) -> None:
        """What happens shows that the trick is over, though cards of it are not on record: they are unseen ones."""
        for seat in reversed(self.to_play):
            if self.unheard >> seat & 1:
                self.folded |= 1 << seat
            elif self.held[seat].size:
                self._miss(seat)
                if self.on_record.get(seat) == CARDS > len(self.tricks) + 1:
                    self.late[seat] = len(self.past), len(self.trick), self.held[seat].copy()
                lost = self.lost_card(seat)
                late = lost[5] & self.later[seat] if self.held[seat].size == 1 else 0
                cards, code = self.lay_unsure(seat, UNKNOWN, late or lost[5])
                self.trick.append((*lost[:2], code, cards, *lost[4:]))
        self.murky = True
        self.lost_track()
        self.ring = self.still_in()
        self.to_play = []
        self.finish_trick()

    def _miss(self, seat: int) -> None:
        """A card of the seat is not on record; where it lays no other any more, that is told once for all."""
        self.look_ahead()
        laid = sum(each[1] == seat and each[0] > 0 for trick in self.past for each in trick)
        if self.foretold is not None and self.on_record.get(seat, 0) == laid:
            self.absent |= 1 << seat

    def foresee(self, events: Sequence[Any]) -> None:
        super().foresee(events)
        played = [event.seat for event in events if isinstance(event, ev.Played)]
        self.on_record = {seat: played.count(seat) for seat in set(played)}

    def answer_late(self, laid: Laid) -> None:
        """All five cards of a seat are on record, and this is the one that another's lead came before."""
        number, place, _ = self.late.pop(laid[1])
        trick, told = self.past[number], self.tricks[number]
        self.past[number] = trick = [*trick[:place], laid, *trick[place + 1 :]]
        takers = self._takers_of(trick)
        taker = 0 if takers & (takers - 1) else takers.bit_length() - 1
        self.tricks[number] = TrickResult(told.trick, told.leader, taker, (*told.seqs, laid[0]), 0, 0)
        if told.taker:
            self.won[told.taker] -= 1
        self.unsure = [each for each in self.unsure if each[0] != number]
        if taker:
            self.won[taker] += 1
        else:
            self.unsure = sorted([*self.unsure, (number, takers)])
        self.judge_at(number, place)

    def has_gaps(self) -> bool:
        return any(laid[0] <= 0 for trick in self.past for laid in trick)

    def on_trick_taken(self, event: ev.TrickTaken) -> None:
        """The taker of the last trick as said; told where it was another (`rules.md` 4.9)."""
        if self.silent:
            return
        if self.phase == FOLLOWING and all(not self.held[seat].size for seat in self.to_play):
            self.decide_at_last()
        self.close_trick()
        done = len(self.tricks)
        if not done or self.told == done or (self.phase == FOLLOWING and not self._was_late()):
            self.find(Code.OUT_OF_PLACE, event.seat, None, None, "bourre.9")
            self.called_over = self.phase == FOLLOWING
            return
        self.told = done
        taker = self.tricks[-1].taker
        if event.seat == taker:
            return
        if not taker and self.unsure[-1][1] >> event.seat & 1:
            self.find(Code.UNKNOWN_CARD, event.seat, str(Code.TRICK_MISAWARDED), None, "bourre.9")
        else:
            self.find(Code.TRICK_MISAWARDED, event.seat, event.seat, taker or None, "bourre.9")
            self.awarded = event.seat

    def _was_late(self) -> bool:
        """Whether the trick before the one that is being played was complete only after the next lead."""
        return any(laid[0] > self.trick[0][0] for laid in self.past[-1])

    def on_pot_taken(self, event: ev.PotTaken) -> None:
        self._end_last_trick(event.seat, event.amount)
        super().on_pot_taken(event)

    def on_staked(self, event: ev.Staked) -> None:
        if event.why == "bourre":
            self._end_last_trick(event.seat, event.amount)
        super().on_staked(event)

    def _end_last_trick(self, seat: int, amount: int) -> None:
        """A payment that only the end of the hand makes due shows that the last trick is over: told, and played out."""
        if self.phase == FOLLOWING and len(self.tricks) == CARDS - 1 and not self.silent:
            if not self.called_over and any(not self.skipped >> other & 1 for other in self.to_play):
                self.find(Code.OUT_OF_PLACE, seat, amount, None, "bourre.9")
            self.called_over = True
            self.decide_at_last()

    def lays_late(self, event: ev.Played) -> bool:
        """Whether this is a card of the last trick that was not yet on record where a payment showed the trick over."""
        last = self.past[-1] if self.past else []
        code = CODE[event.cards[0]] if len(event.cards) == 1 and event.face == "up" else -1
        for place, laid in enumerate(last):
            faces = laid[3] & DOMAIN[code] if code >= 0 else 0
            if laid[0] or laid[1] != event.seat or not faces:
                continue
            if not faces & (faces - 1):
                code = faces.bit_length() - 1
            self.trick = [*last[:place], (self.seq, event.seat, code, faces, *laid[4:]), *last[place + 1 :]]
            self.past[-1] = self.trick
            trick = self.tricks[-1]
            self.tricks[-1] = TrickResult(trick.trick, trick.leader, trick.taker, (*trick.seqs, self.seq), 0, 0)
            self.told = len(self.tricks) - 1
            self.prove(self.seq, event.seat, code)
            return True
        return False

    def decide_at_last(self) -> None:
        if self.decided:
            return
        self.close_trick()
        if self.phase == FOLLOWING and not any(self.held[seat].size for seat in self.to_play):
            self.to_play = []
            self.finish_trick()
        elif self.phase == LEADING and self.tricks and not any(self.held[seat].size for seat in self.ring):
            self.settle_tricks()
