"""Bura as a game: what each event does to the table, and what was wrong about it (`rules.md` 1)."""

from typing import Final

from replay.engine.bura.draws import BuraDraws
from replay.engine.bura.laws import answer_beats, faces_of, largest_lead, one_suit
from replay.engine.bura.state import ANSWERING, ANYBODY, LEADING, TAKEN
from replay.engine.findings import Code
from replay.engine.holdings import MASK_OF
from replay.engine.table import BETWEEN
from replay.engine.tricks import BEATEN, POINTS
from schemas import events as ev
from schemas.cards import CODE, KNOWN
from schemas.rules import AnswerFace

# What every card asks for: before Python 3.12 an enum's member takes ten times as long to look up as a name.
ALWAYS_UP: Final = AnswerFace.ALWAYS_UP


class Bura(BuraDraws):
    """The table of one recording of Bura."""

    __slots__ = ()

    # -- leads and answers ----------------------------------------------------------------------------------------

    def on_played(self, event: ev.Played) -> None:
        if self.silent:
            return
        phase = self.phase
        waiting = self.to_answer
        if phase == ANSWERING and event.seat in waiting:
            if event.seat == waiting[0]:
                del waiting[0]
            else:
                self.find(Code.WRONG_TURN, event.seat, event.seat, waiting[0], "bura.10")
                waiting.remove(event.seat)
            self._answer(event)
            return
        if phase == ANSWERING or (phase == TAKEN and not self.draws_over()):
            self._judge_early(event)
            if self._is_nowhere(event):
                return
            if phase == ANSWERING and event.seat != self.winner:
                self._lay(event)
                return
            self.force_on()
        elif phase == TAKEN:
            self.to_lead()
        if self.phase != LEADING or (self.claims and self.decide_claims()):
            self.find(Code.OUT_OF_PLACE, event.seat, list(event.cards), None, "bura.7")
            if self.phase != BETWEEN:
                self.let_go(event.seat, event.cards)
            return
        if event.cards:
            self._lead(event)
        else:
            self.find(Code.WRONG_CARD_COUNT, event.seat, 0, largest_lead(self, event.seat), "bura.9")

    def _is_nowhere(self, event: ev.Played) -> bool:
        """Cards laid out of turn that their seat cannot hold change nothing."""
        nowhere = self.holds_none(event.seat, event.cards)
        if nowhere:
            self.find(Code.CARD_NOT_HELD, event.seat, event.cards[0], None, "bura.5")
        return nowhere

    def _judge_early(self, event: ev.Played) -> None:
        """A play while others have still to answer, or to draw."""
        if self.to_answer:
            self.find(Code.WRONG_TURN, event.seat, event.seat, self.to_answer[0], "bura.10")
        else:
            self.find(Code.OUT_OF_PLACE, event.seat, list(event.cards), None, "bura.11")
        self.shaken = True

    def force_on(self) -> None:
        """What happened next shows that the trick or the draw is over, though something of it is not on record."""
        if self.phase == ANSWERING:
            self.finish_trick()
        self.draws_due = []
        self.to_lead()

    def _lay(self, event: ev.Played) -> list[int]:
        self.trick_seqs.append(event.seq)
        if len(event.cards) == 1 and not self.blind:
            seat = event.seat
            code = CODE[event.cards[0]]
            bit = 1 << code
            sure = self.sure[seat]
            if sure & bit:
                self.sure[seat] = self.may[seat] = sure ^ bit
                self.size[seat] -= 1
                self.trick_points += POINTS[code]
                self.trick_cards |= bit
                return [code]
        codes = self.let_go(event.seat, event.cards)
        if self.blind:
            self._count_seen(event.seq, codes)
            return codes
        for code in codes:
            self.trick_points += POINTS[code]
            self.trick_cards |= 1 << code
        return codes

    def _count_seen(self, seq: int, codes: list[int]) -> None:
        """Of a hand with unseen cards: what is known of a set goes into the trick as known, the rest as unseen."""
        for spot, code in enumerate(codes):
            if code < KNOWN and (seq, spot) not in self.strange:
                self.trick_points += POINTS[code]
                self.trick_cards |= 1 << code
            else:
                self.trick_blank += 1

    def _lead(self, event: ev.Played) -> None:
        seat = event.seat
        judged = self.leader != ANYBODY
        holder, must, mixed = (self.natural(), 0, False) if judged and not self.claims else self._entitled(seat, judged)
        if seat != holder:
            self.find(Code.LEAD_NOT_ENTITLED, seat, seat, holder, "bura.7")
            if self._is_nowhere(event):
                return
        if self.raises_due:
            self.tell_missing_raises()
        if self.offer:
            self.accept_offer()
        self.claims = []
        self.played_any = True
        self.trick_seqs = []
        self.trick_cards = self.trick_points = self.trick_blank = 0
        self.best_may = 0 if MASK_OF[event.cards] else self.possible(seat)
        codes = self._lay(event)
        laid = self.trick_cards
        if must and laid != must and not self.trick_blank and judged and seat == holder != self.natural():
            self.find(Code.LEAD_NOT_ENTITLED, seat, list(event.cards), None, "bura.7")
        if event.face != "up":
            self.find(Code.LAID_FACE_DOWN, seat, event.face, "up", "bura.9")
        if len(codes) > 1:
            if not (mixed and (laid == must or self.trick_blank)):
                self._judge_suits(seat, codes, event)
            largest = largest_lead(self, seat)
            if len(codes) > largest:
                self.find(Code.LEAD_TOO_LARGE, seat, len(codes), largest, "bura.13")
        self.lead = self.best = codes
        self.leader = self.winner = seat
        ring = self.holders_after(seat)
        self.to_answer = ring
        self.answers = 0
        self.called_over = False
        self.phase = ANSWERING
        if not ring:
            self.finish_trick()

    def _entitled(self, seat: int, judged: bool) -> tuple[int, int, bool]:
        return self.entitled() if judged else self.entitled_by_any_order(seat)

    def _judge_suits(self, seat: int, codes: list[int], event: ev.Played) -> None:
        kept = one_suit(faces_of(codes, self.best_may))
        if kept is None:
            self.find(Code.UNKNOWN_CARD, seat, "one_suit", None, "bura.9")
        elif not kept:
            self.find(Code.MIXED_SUIT_LEAD, seat, list(event.cards), None, "bura.9")

    def _answer(self, event: ev.Played) -> None:
        seat = event.seat
        wanted, held = len(self.lead), self.size[seat]
        may = 0 if MASK_OF[event.cards] else self.possible(seat)
        codes = self._lay(event)
        self.answers += 1
        best, count = self.best, len(codes)
        fits = count == wanted or count == held < wanted
        if not fits:
            self.find(Code.WRONG_CARD_COUNT, seat, count, min(wanted, held), "bura.10")
        if event.face != "up":
            if self.rules.answer_face is ALWAYS_UP:
                self.find(Code.LAID_FACE_DOWN, seat, event.face, "up", "bura.10")
        elif (
            BEATEN[self.trump][codes[0]] >> best[0] & 1
            if count == len(best) == 1 and not self.blind
            else self._beats_best(codes, may)
        ):
            self.best, self.best_may = codes, may
            self.winner = seat
        elif self.rules.answer_face is not ALWAYS_UP and fits:
            self.find(Code.FACE_UP_WITHOUT_BEATING, seat, list(event.cards), "down", "bura.10")
        if not self.to_answer:
            self.finish_trick()

    def _beats_best(self, codes: list[int], may: int) -> bool:
        won = answer_beats(self, codes, may)
        if won is None:
            return bool(self.witness.choose(Code.UNKNOWN_CARD, "beats", [True, False], self.seq))
        return won

    # -- opening --------------------------------------------------------------------------------------------------

    def on_opened(self, event: ev.Opened) -> None:
        if self.silent:
            return
        seat = event.seat
        wrong = self.opening_wrong(seat)
        if wrong is not None:
            self.find(wrong, seat, None, None, "bura.12")
            return
        self.opener = seat
        low, high = self.pile_bounds(seat)
        target = self.rules.target
        if low < target <= high:
            name = f"opened:{low}:{high}"
            enough = bool(self.witness.choose(Code.UNKNOWN_CARD, name, [True, False], self.seq))
        else:
            enough = low >= target
        if enough:
            self.win("opened", seat)
        else:
            self.fail(seat)

    def on_counted(self, event: ev.Counted) -> None:
        if self.silent:
            return
        seat = event.seat
        if not self.opener or seat != self.opener or self.phase == BETWEEN:
            code = Code.WRONG_TURN if self.opener and self.phase != BETWEEN else Code.OUT_OF_PLACE
            self.find(code, seat, event.points, None, "bura.12")
        if self.phase == BETWEEN:
            return
        if event.cards is not None:
            self.judge_shown_pile(seat, event.cards)
        low, high = self.pile_bounds(seat)
        self.judge_points(seat, event.points, low, high, "bura.12")

    def on_open_declined(self, event: ev.OpenDeclined) -> None:
        if self.silent:
            return
        wrong = self.opening_wrong(event.seat)
        if wrong is not None:
            self.find(Code.OUT_OF_PLACE, event.seat, None, None, "bura.12")
            return
        self.declined = event.seat == self.winner or self.declined

    def on_trick_taken(self, event: ev.TrickTaken) -> None:
        if self.silent:
            return
        if not self.tricks or self.phase in (BETWEEN, ANSWERING) or self.trick_told():
            self.find(Code.OUT_OF_PLACE, event.seat, event.points, None, "bura.11")
            self.called_over = self.phase == ANSWERING
            return
        trick = self.tricks[-1]
        self.up_next = trick.trick
        if event.seat != trick.taker:
            self.find(Code.TRICK_MISAWARDED, event.seat, event.seat, trick.taker, "bura.11")
        if event.points is None:
            return
        low, high = (trick.low, trick.high) if trick.low >= 0 else self.witness.trick_bounds(trick.seqs)
        self.judge_points(event.seat, event.points, low, high, "bura.11")

    def trick_told(self) -> bool:
        """Whether the last trick has been told already, or the next stage has begun."""
        return self.up_next == len(self.tricks) or self.drawn_any or self.phase == LEADING


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
    ev.Revealed: Bura.on_revealed,
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
    **dict.fromkeys((ev.Corrected, ev.Inserted, *ev.BOURRE_TYPES), Bura.on_words),
}
