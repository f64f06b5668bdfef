"""Bura as a game: what each event does to the table, and what was wrong about it (`rules.md` 1)."""

from typing import Final

from replay.engine.bura.draws import BuraDraws
from replay.engine.bura.laws import ACES, faces_of, largest_lead, one_suit
from replay.engine.bura.state import ANSWERING, ANYBODY, LEADING, TAKEN
from replay.engine.findings import Code
from replay.engine.holdings import ALONE, Codes
from replay.engine.table import BETWEEN, DEALING, TURNED
from replay.engine.tricks import BEATEN, POINTS
from schemas import events as ev
from schemas.cards import BIT, CARDS_PER_SUIT, CODE, DOMAIN, KNOWN, SUIT_MASK
from schemas.rules import AnswerFace

# What every card asks for: before Python 3.12 an enum's member takes ten times as long to look up as a name.
ALWAYS_UP: Final = AnswerFace.ALWAYS_UP


class Bura(BuraDraws):
    """The table of one recording of Bura."""

    __slots__ = ()

    # -- leads and answers ----------------------------------------------------------------------------------------

    def on_played(self, event: ev.Played) -> None:
        """Cards are led or answer: judged for turn, number, suit and face (`rules.md` 1.9, 1.10)."""
        if self.silent:
            return
        seat: int = event.seat
        cards, waiting = event.cards, self.to_answer
        if self.phase == ANSWERING and waiting[-1] == seat != self.hasty and not self.guests:
            if len(cards) == len(self.lead):
                waiting.pop()
                self._answer(seat, cards, event.face)
                return
        elif self.guests:
            self.meet_guests(seat)
        if cards and not BIT[cards[0]] & self.held[seat].sure:
            if self.spare:
                self.find_left_out(seat, cards)
            seat = self._whose(seat, cards)
        if self.phase == ANSWERING and seat in self.to_answer:
            self._lay_in_turn(seat, cards, event.face)
            return
        again = cards and BIT[cards[0]] & self.trick_cards
        if (again or self.phase != LEADING) and not self._comes_to_a_lead(seat, cards):
            return
        if self.phase != LEADING or (self.claims and self.decide_claims()):
            self.find(Code.OUT_OF_PLACE, seat, list(cards), None, "bura.7")
            if self.phase != BETWEEN:
                self.let_go(seat, cards)
            return
        if cards:
            self._lead(seat, cards, event.face)
        else:
            self.find(Code.WRONG_CARD_COUNT, seat, 0, largest_lead(self, seat), "bura.9")

    def _lay_in_turn(self, seat: int, cards: tuple[str, ...], face: str) -> None:
        """Who has yet to answer lays cards: the answer, a molodka that was not declared, or the lead that was due."""
        molodka = len(cards) == self.hand_size != len(self.lead) and self.counters_unsaid(seat, cards, face)
        if molodka:
            self.find(Code.LEAD_NOT_ENTITLED, seat, seat, self.leader, "molodka_turn")
            self.send_back(seat, molodka)
            self._lead(seat, cards, face)
            return
        if seat == self.hasty and face == "up" and not self.answers:
            self._lead_after_all(seat, cards)
            return
        if self.to_answer[-1] == seat:
            self.to_answer.pop()
        else:
            self._pass_over_answers(seat)
            self.to_answer.remove(seat)
        self._answer(seat, cards, face)

    def _whose(self, seat: int, cards: tuple[str, ...]) -> int:
        """Who laid these cards: whose turn it is, where that seat surely holds them and the one written down cannot."""
        acting = self.whose_turn() if self.holds_none(seat, cards) else seat
        if acting == seat or not self.has_them(acting, cards):
            return seat
        self.find(Code.CARD_NOT_HELD, seat, cards[0], None, "bura.5")
        return acting

    def whose_turn(self) -> int:
        """The seat whose play is next as far as it is known, else 0."""
        if self.phase == ANSWERING:
            return self.to_answer[-1]
        if self.leader == ANYBODY or not (self.phase == LEADING or (self.phase == TAKEN and not self.draws_due)):
            return 0
        return self.entitled()[0]

    def _turn_unseen(self, seat: int, cards: tuple[str, ...]) -> None:
        """A lead where no trump was turned on record: told, and played on under one turned later, or seen by nobody."""
        self.find(Code.OUT_OF_PLACE, seat, list(cards), None, "bura.5")
        self.strange_hands.append(self.began_seq)
        self.phase = TURNED
        self.turn_told = True
        self.turnup = self.place_turnup(self.to_turn or "??")
        self.trump = self.trump_suit(self.turnup)
        self.deal_done()

    def _pass_over_answers(self, seat: int) -> None:
        """A seat answers before others whose turn it is: told once, however many answer before those do."""
        before = self.to_answer[self.to_answer.index(seat) + 1 :]
        waiting = [other for other in before if not self.passed >> other & 1]
        if waiting and not self.passed >> seat & 1:
            self.find(Code.WRONG_TURN, seat, seat, waiting[-1], "bura.10")
        for other in waiting:
            self.passed |= 1 << other

    def _comes_to_a_lead(self, seat: int, cards: tuple[str, ...]) -> bool:
        """Closes what is over when cards are laid that are no answer; whether they may be a lead, or change nothing."""
        over = self.trick_is_over()
        if not over or (self.phase == TAKEN and not self.draws_over()):
            self._judge_early(seat, cards)
            if self._is_nowhere(seat, cards):
                return False
            if not over and seat != self.winner:
                self._lay(seat, cards)
                return False
            self.force_on()
        elif self.phase in (TAKEN, LEADING) and self._lie_in_the_trick(cards) and self._is_nowhere(seat, cards):
            return False
        elif self.phase == TAKEN:
            self.to_lead()
        elif self.phase == DEALING and self.order and not self.deal_breaks_off():
            self._turn_unseen(seat, cards)
        return True

    def _lie_in_the_trick(self, cards: tuple[str, ...]) -> bool:
        """Whether a card lies in the trick that was just taken: the line was written twice."""
        return bool(cards) and bool(BIT[cards[0]] & self.trick_cards)

    def _is_nowhere(self, seat: int, cards: tuple[str, ...]) -> bool:
        """Cards laid out of turn that their seat cannot hold change nothing."""
        nowhere = self.holds_none(seat, cards)
        if nowhere:
            self.find(Code.CARD_NOT_HELD, seat, cards[0], None, "bura.5")
        return nowhere

    def _judge_early(self, seat: int, cards: tuple[str, ...]) -> None:
        """A play while others have still to answer, or to draw."""
        if self.to_answer:
            self.find(Code.WRONG_TURN, seat, seat, self.to_answer[-1], "bura.10")
        else:
            self.find(Code.OUT_OF_PLACE, seat, list(cards), None, "bura.11")
        self.shaken = True

    def force_on(self) -> None:
        """What happened next shows that the trick or the draw is over, though something of it is not on record."""
        if self.phase == ANSWERING:
            self.close_trick()
        self.to_lead()

    def _lay(self, seat: int, cards: tuple[str, ...]) -> Codes:
        """The cards leave the hand and lie in the trick: their codes as recorded."""
        self.trick_seqs.append(self.seq)
        if len(cards) == 1 and not self.blind:
            held, code = self.held[seat], CODE[cards[0]]
            bit = 1 << code
            if held.sure & bit:
                held.sure = held.may = held.sure ^ bit
                held.size -= 1
                self.trick_points += POINTS[code]
                self.trick_cards |= bit
                return ALONE[code]
        if self.spare:
            self.find_left_out(seat, cards)
        self.laid_may = self.possible(seat)
        codes = self.let_go(seat, cards)
        if self.blind:
            self._count_seen(codes)
            return codes
        for code in codes:
            self.trick_points += POINTS[code]
            self.trick_cards |= 1 << code
        return codes

    def _count_seen(self, codes: Codes) -> None:
        """Of a hand with unseen cards: what is known of a set goes into the trick as known, the rest as unseen."""
        for spot, code in enumerate(codes):
            if code < KNOWN and (self.seq, spot) not in self.strange:
                self.trick_points += POINTS[code]
                self.trick_cards |= 1 << code
            else:
                self.trick_blank += 1

    def _lead(self, seat: int, cards: tuple[str, ...], face: str) -> None:
        judged = self.leader != ANYBODY
        holder, must, mixed = (self.natural(), 0, False) if judged and not self.claims else self._entitled(seat, judged)
        if seat != holder:
            self.find(Code.LEAD_NOT_ENTITLED, seat, seat, holder, "bura.7")
            if self._is_nowhere(seat, cards):
                return
        if self.raises_due:
            self.tell_missing_raises()
        if self.offer:
            self.accept_offer()
        self.by_right = bool(self.claims) and seat == holder and self.leads_by_right(cards)
        self.claims = []
        self.played_any, self.trick_seqs = True, []
        self.trick_cards = self.trick_points = self.trick_blank = 0
        codes = self._lay(seat, cards)
        self.best_may = self.laid_may
        laid = self.trick_cards
        if must and laid != must and not self.trick_blank and judged and seat == holder != self.natural():
            self.find(Code.LEAD_NOT_ENTITLED, seat, list(cards), None, "bura.7")
        if face != "up":
            self.find(Code.LAID_FACE_DOWN, seat, face, "up", "bura.9")
        if len(codes) > 1:
            if self.trick_blank or laid & ~SUIT_MASK[codes[0] // CARDS_PER_SUIT]:
                whole = len(codes) == self.hand_size and not laid & ~(must or ACES)
                self._judge_suits(seat, codes, cards, free=mixed and (whole or self.trick_blank > 0))
            largest = largest_lead(self, seat)
            if len(codes) > largest and (len(codes) > self.hand_size or self.are_short(seat, len(codes))):
                self.find(Code.LEAD_TOO_LARGE, seat, len(codes), largest, "bura.13")
        self.lead = self.best = codes
        self.leader = self.winner = seat
        self.to_answer = waiting = self.holders_after(seat)[::-1]
        self.answers = 0
        self.unled = holder if seat != holder else 0
        self.hasty = self.unled if face != "up" else 0
        self.passed = 1 << self.unled if self.unled else 0
        self.called_over = False
        self.phase = ANSWERING
        if not waiting:
            self.finish_trick()

    def _lead_after_all(self, seat: int, cards: tuple[str, ...]) -> None:
        """Who should have led does so after another has laid face down, which was told: that was its answer."""
        early, count = self.leader, len(self.lead)
        codes = self._lay(seat, cards)
        self.best_may = self.laid_may
        if len(codes) > 1:
            self._judge_suits(seat, codes, cards, free=False)
        if len(codes) != count:
            self.find(Code.WRONG_CARD_COUNT, early, count, len(codes), "bura.10")
        self.lead = self.best = codes
        self.leader = self.winner = seat
        self.to_answer = [other for other in reversed(self.holders_after(seat)) if other != early]
        self.answers = 1
        self.passed = self.unled = self.hasty = 0
        if not self.to_answer:
            self.finish_trick()

    def _entitled(self, seat: int, judged: bool) -> tuple[int, int, bool]:
        return self.entitled() if judged else self.entitled_by_any_order(seat)

    def _judge_suits(self, seat: int, codes: Codes, cards: tuple[str, ...], *, free: bool) -> None:
        """Several cards are of one suit, unless the seat is free to mix them."""
        kept = free or one_suit(faces_of(codes, self.best_may))
        if kept is None:
            self.find(Code.UNKNOWN_CARD, seat, "one_suit", None, "bura.9")
        elif not kept:
            self.find(Code.MIXED_SUIT_LEAD, seat, list(cards), None, "bura.9")

    def _answer(self, seat: int, cards: tuple[str, ...], face: str) -> None:
        wanted, held = len(self.lead), self.held[seat].size
        if len(cards) > wanted:
            cards = self._without_unheld(seat, cards, wanted)
        codes = self._lay(seat, cards)
        self.answers += 1
        best, count = self.best, len(codes)
        fits = count == wanted or count == held < wanted
        if not fits:
            self.find(Code.WRONG_CARD_COUNT, seat, count, min(wanted, held), "bura.10")
        if face != "up":
            if self.rules.answer_face is ALWAYS_UP:
                self.find(Code.LAID_FACE_DOWN, seat, face, "up", "bura.10")
        elif (
            BEATEN[self.trump][codes[0]] >> best[0] & 1
            if count == len(best) == 1 and not self.blind
            else self.beats_best(codes)
        ):
            self.best, self.best_may = codes, self.laid_may
            self.winner = seat
        elif self.rules.answer_face is not ALWAYS_UP and fits and not self._not_so_now():
            self.find(Code.FACE_UP_WITHOUT_BEATING, seat, list(cards), "down", "bura.10")
        if not self.to_answer:
            self.finish_trick()

    def _not_so_now(self) -> bool:
        """Whether a card laid now cannot be what was written, which was told: what it beats is not known."""
        return bool(self.strange) and self.strange[-1][0] == self.seq

    def _without_unheld(self, seat: int, cards: tuple[str, ...], wanted: int) -> tuple[str, ...]:
        """More cards than were led, of which just so many the seat cannot hold: those leave the state alone."""
        kept = tuple([card for card in cards if DOMAIN[CODE[card]] & self.may_hold(seat)])
        if len(kept) != wanted:
            return cards
        self.find(Code.WRONG_CARD_COUNT, seat, len(cards), wanted, "bura.10")
        self.shaken = True
        return kept

    # -- opening --------------------------------------------------------------------------------------------------

    def on_opened(self, event: ev.Opened) -> None:
        """The seat opens: with the target of points it takes the pot, with less the opening fails (`rules.md` 1.12)."""
        if self.silent:
            return
        seat: int = event.seat
        self.guests &= ~(1 << seat)
        self.trick_is_over()
        wrong = self.opening_wrong(seat)
        acting = self.who_opened(event) if wrong is Code.MAY_NOT_OPEN else 0
        if acting:
            self.find(Code.MAY_NOT_OPEN, seat, seat, acting, "bura.12")
            seat, wrong = acting, None
        if wrong is None and self.decide_by_words():
            wrong = Code.OUT_OF_PLACE
        if wrong is not None:
            self.find(wrong, seat, None, None, "bura.12")
            self.idle = self.moment_of(seat)
            return
        self.opener = seat
        low, high = self.pile_bounds(seat)
        enough = low >= self.rules.target
        if not enough and high >= self.rules.target:
            enough = bool(self.witness.choose(Code.UNKNOWN_CARD, f"opened:{low}:{high}", [True, False], self.seq))
        if enough:
            self.win("opened", seat)
        else:
            self.fail(seat)

    def on_counted(self, event: ev.Counted) -> None:
        """The points of the opened pile as said, and its faces where they were shown (`rules.md` 1.12)."""
        if self.silent:
            return
        seat = event.seat
        if self.idle == self.moment_of(seat):
            self.idle = ()
        elif not self.opener or seat != self.opener or self.phase == BETWEEN:
            code = Code.WRONG_TURN if self.opener and self.phase != BETWEEN else Code.OUT_OF_PLACE
            self.find(code, seat, event.points, None, "bura.12")
            if self._counts_for(self.opener, event):
                return
        if self.phase == BETWEEN:
            return
        if event.cards is not None:
            self.judge_shown_pile(seat, event.cards)
        self.judge_points(seat, event.points, self.pile_bounds(seat), (), "bura.12")

    def _counts_for(self, opener: int, event: ev.Counted) -> bool:
        """Whether the number that another seat said, which was told, is that of the opened pile: it is the opener's."""
        low, high = self.pile_bounds(opener) if opener else (1, 0)
        return low <= event.points <= high

    def on_trick_taken(self, event: ev.TrickTaken) -> None:
        """The taker of the last trick and its points as said; told where they are others (`rules.md` 1.11)."""
        if self.silent:
            return
        if not self.trick_is_over() or not self.tricks or self.phase == BETWEEN or self.trick_told():
            self.find(Code.OUT_OF_PLACE, event.seat, event.points, None, "bura.11")
            self.called_over = self.phase == ANSWERING
            return
        trick = self.tricks[-1]
        self.up_next = trick.trick
        if event.seat != trick.taker:
            self.find(Code.TRICK_MISAWARDED, event.seat, event.seat, trick.taker, "bura.11")
        if event.points is None:
            return
        bounds = (trick.low, trick.high) if trick.low >= 0 else self.witness.trick_bounds(trick.seqs)
        self.judge_points(event.seat, event.points, bounds, trick.seqs, "bura.11")


Bura.HANDLERS = {
    ev.PlayerJoined: Bura.on_player_joined,
    ev.PlayerLeft: Bura.on_player_left,
    ev.SatOut: Bura.on_sat_out,
    ev.Unseen: Bura.on_unseen,
    ev.CardMissing: Bura.on_card_missing,
    ev.ChipsBought: Bura.on_chips_bought,
    ev.StakeSet: Bura.on_stake_set,
    ev.HandBegan: Bura.on_hand_began,
    ev.DeckCommitted: Bura.on_deck_committed,
    ev.DeckRevealed: Bura.on_deck_revealed,
    ev.Staked: Bura.on_staked,
    ev.Dealt: Bura.on_dealt,
    ev.TrumpTurned: Bura.on_trump_turned,
    ev.Played: Bura.on_played,
    ev.Drew: Bura.on_drew,
    ev.PotTaken: Bura.on_pot_taken,
    ev.TrickTaken: Bura.on_trick_taken,
    ev.PotCounted: Bura.on_pot_counted,
    ev.StackCounted: Bura.on_stack_counted,
    ev.HandEnded: Bura.on_hand_ended,
    ev.Declared: Bura.on_declared,
    ev.Opened: Bura.on_opened,
    ev.Counted: Bura.on_counted,
    ev.OpenDeclined: Bura.on_open_declined,
    ev.RaiseOffered: Bura.on_raise_offered,
    ev.RaiseAccepted: Bura.on_raise_accepted,
    ev.RaiseDeclined: Bura.on_raise_declined,
    ev.Scored: Bura.on_scored,
    **dict.fromkeys((ev.RecordingBegan, ev.RecordingEnded, ev.Testified, ev.Noted), Bura.on_words),
    **dict.fromkeys((ev.Corrected, ev.Inserted, ev.Revealed), Bura.on_later_word),
    **dict.fromkeys(ev.BOURRE_TYPES, Bura.on_words),
}
