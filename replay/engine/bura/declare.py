"""Bura's words: declarations, raises, opening rights, counted piles, match points (`rules.md` 1.7, 1.12, 2)."""

from typing import Final

from replay.engine.bura.laws import faces_of, is_combination, union, unseen_combination
from replay.engine.bura.settle import BuraSettlement
from replay.engine.bura.state import ANSWERING, ANYBODY, LEADING, TAKEN
from replay.engine.findings import Code
from replay.engine.ledger import Dues
from replay.engine.seating import BETWEEN
from schemas import events as ev
from schemas.cards import CODE, DOMAIN, KNOWN, SPELLING, UNKNOWN, mask_of, spell_all
from schemas.rules import MolodkaTurn, OpenWindow, RaiseLadder, RazburkaWhen, Scoring
from schemas.values import Seat

HIGHEST_LEVEL: Final = 6
"""To which level a hand may be raised (`rules.md` 2, `to_6`)."""

# What every hand asks for: before Python 3.12 an enum's member takes ten times as long to look up as a name.
OWN_TURN: Final = OpenWindow.OWN_TURN
TAKER_BEFORE_DRAW: Final = OpenWindow.TAKER_BEFORE_DRAW
OUT_OF_TURN: Final = MolodkaTurn.OUT_OF_TURN


class BuraDeclarations(BuraSettlement):
    """What is said in a hand, and what it gives a right to."""

    __slots__ = ()

    def to_lead(self) -> None:
        """The draw is over: the claim window before the next lead."""
        self.phase = LEADING
        if self.draws_due:
            self.leave_draws()

    def draws_over(self) -> bool:
        """Whether nobody has still to draw of whom it was not told already."""
        self.settle_astray()
        return not self.draws_due or all(self.passed & (1 << entry[0]) for entry in self.draws_due)

    def settle_astray(self, seat: int = 0) -> None:
        """Whose draw it was that a seat which had none to make has made."""
        raise NotImplementedError

    def leave_draws(self) -> None:
        """Who has not drawn on record has drawn cards that nobody saw."""
        raise NotImplementedError

    def find_left_out(self, seat: int, spellings: tuple[str, ...]) -> None:
        """A card that a seat lays or shows may have been left out where it got too few."""
        raise NotImplementedError

    def trick_is_over(self) -> bool:
        """Whether no answer is waited for but those of which it was told that they are lacking."""
        raise NotImplementedError

    def turnup_spelling(self) -> str:
        """The turn-up as it is spelled."""
        return SPELLING[self.turnup]

    def codes_of(self, spellings: tuple[str, ...]) -> list[int]:
        """The codes of spellings."""
        return [CODE[spelling] for spelling in spellings]

    # -- declarations -------------------------------------------------------------------------------------------

    def on_declared(self, event: ev.Declared) -> None:
        """A combination is declared: a right where it is true and in the claim window, else told (`rules.md` 1.7)."""
        if self.silent:
            return
        event = self.as_declared(event)
        seat, kind = event.seat, event.combination
        self.guests &= ~(1 << seat)
        if self.phase == TAKEN and self.draws_over():
            self.to_lead()
        if self.phase == ANSWERING:
            self._declared_late(event)
            return
        if self.phase != LEADING or self._out_of_cards():
            self.find(Code.OUT_OF_PLACE, seat, kind, None, "bura.7")
            return
        cards = self._declared_cards(event)
        if cards is None:
            return
        if self._gives_right(seat, kind):
            self.claims.append((seat, kind, cards))

    def as_declared(self, event: ev.Declared) -> ev.Declared:
        """The declaration of who surely holds the hand that is shown, where the one written down holds none of it."""
        cards = event.cards or ()
        if not self.holds_none(event.seat, cards):
            return event
        for seat in self.players:
            if self.has_them(seat, cards) and len(cards) == self.held[seat].size:
                self.find(Code.CARD_NOT_HELD, event.seat, cards[0], None, "bura.7")
                return ev.Declared(seq=event.seq, seat=Seat(seat), combination=event.combination, cards=cards)
        return event

    def _out_of_cards(self) -> bool:
        return self.none_in_hand()

    def _gives_right(self, seat: int, kind: str) -> bool:
        """A declared set gives no right while an opponent holds fewer cards, nor a molodka played in turn only."""
        if self._opponents_are_short(seat):
            return False
        return kind != "molodka" or self.rules.molodka_turn is OUT_OF_TURN

    def _opponents_are_short(self, seat: int) -> bool:
        """Whether an opponent holds fewer cards than a whole hand; a lead that may go back counts as held,
        and what it got too few, which was told."""
        led = {self.leader: len(self.lead)} if self.phase == ANSWERING else {}
        return any(
            self.held[other].size + led.get(other, 0) + max(0, self.lacks[other]) < self.hand_size
            for other in self.players
            if other != seat
        )

    def _declared_cards(self, event: ev.Declared) -> int | None:
        """The cards of a declaration that is true; None where it is false, 0 where it is not known."""
        seat, kind = event.seat, event.combination
        shown = self._show(seat, event.cards) if event.cards else 0
        if shown < 0:
            return None
        cards = self.certain(seat)
        if not shown and cards.bit_count() < self.held[seat].size:
            told = event.cards or ()
            told += ("??",) * (self.hand_size - len(told) if told else 0)  # a part that is shown leaves the rest open
            faces = faces_of(self.codes_of(told), self.possible(seat))
            true = unseen_combination(self, kind, seat, faces)
            if true is not True:
                wrong = Code.UNKNOWN_CARD if true is None else Code.FALSE_DECLARATION
                self.find(wrong, seat, kind, None, "bura.7")
            if true is None:
                true = bool(self.witness.choose(Code.UNKNOWN_CARD, "declared", [True, False], self.seq))
            return 0 if true else None
        whole = shown or cards
        if self.held[seat].size != self.hand_size or not is_combination(self, kind, whole):
            self.find(Code.FALSE_DECLARATION, seat, kind, spell_all(whole), "bura.7")
            return None
        return whole

    def _show(self, seat: int, spellings: tuple[str, ...]) -> int:
        """Cards shown in a declaration are held: their mask, 0 where not all are shown, -1 where one cannot be held."""
        cards = mask_of(spellings)
        for code in self.codes_of(spellings):
            if code != UNKNOWN and not DOMAIN[code] & self.may_hold(seat):
                wrong = Code.CARD_NOT_HELD if DOMAIN[code] & self.pack else Code.CARD_NOT_IN_PACK
                self.find(wrong, seat, SPELLING[code], None, "bura.7")
                return -1
        self.foreknow(seat, cards)
        return cards if cards.bit_count() == len(spellings) == self.held[seat].size else 0

    def _declared_late(self, event: ev.Declared) -> None:
        """After the lead: a breach, except a molodka that answers the lead under `counter_lead`.

        Declared aces and a bura that leads outrank it: on their lead it changes nothing (`rules.md` 1.7).
        """
        seat = event.seat
        counter = self.rules.molodka_turn is MolodkaTurn.COUNTER_LEAD
        if not counter or event.combination != "molodka" or self.answers or seat == self.leader:
            self.find(Code.LATE_DECLARATION, seat, event.combination, None, "bura.7")
            return
        cards = self._declared_cards(event)
        if cards is None or self.by_right or self._opponents_are_short(seat):
            return
        self.send_back(seat, cards)

    def leads_by_right(self, cards: tuple[str, ...]) -> bool:
        """Whether these are led as declared aces or a declared bura, which outrank any molodka (`rules.md` 1.7)."""
        return self.claims[0][1] != "molodka" and len(cards) == self.hand_size

    def send_back(self, seat: int, cards: int) -> None:
        """The led cards go back to their hand; the molodka of these cards is to be led (`counter_lead`)."""
        back = self.trick_cards
        self.sent_back += self.trick_seqs
        held = self.held[self.leader]
        held.sure |= back
        held.may |= back
        held.size += len(self.lead)
        self.phase = LEADING
        self.to_answer = []
        self.claims = [(seat, "molodka", cards)]

    def counters_unsaid(self, seat: int, spellings: tuple[str, ...], face: str) -> int:
        """The cards of a molodka laid open on a lead of another size, as no answer is; 0 where they are none."""
        cards = mask_of(spellings)
        if face != "up" or self.answers or cards & ~self.certain(seat) or self._opponents_are_short(seat):
            return 0
        counters = self.rules.molodka_turn is MolodkaTurn.COUNTER_LEAD and not self.by_right
        return cards if counters and is_combination(self, "molodka", cards) else 0

    def decide_by_words(self) -> bool:
        """Other words than declarations come: whether a bura that was declared has decided the hand (`bura.7`)."""
        return bool(self.claims) and self.phase == LEADING and self.decide_claims()

    # -- raises ---------------------------------------------------------------------------------------------------

    def _before_a_lead(self) -> bool:
        """Whether a raise may be offered now; of a hand that a declared set has decided it may not."""
        self.decide_by_words()
        if self.phase == TAKEN and self.draws_over():
            self.to_lead()
        return self.phase == LEADING and self.rules.raise_ladder is RaiseLadder.TO_6

    def on_raise_offered(self, event: ev.RaiseOffered) -> None:
        """One level more is offered before a lead; that accepts an offer which stood (`rules.md` 2, `to_6`)."""
        if self.silent:
            return
        seat = event.seat
        if not self._before_a_lead() or seat not in self.players:
            self.find(Code.OUT_OF_PLACE, seat, event.to, None, "raise_ladder")
            return
        if seat == self.offerer:
            self.find(Code.WRONG_TURN, seat, seat, None, "raise_ladder")
        if self.offer:
            self.accept_offer()
        if event.to != self.level + 1 or event.to > HIGHEST_LEVEL:
            expected = self.level + 1 if self.level < HIGHEST_LEVEL else None
            self.find(Code.OUT_OF_PLACE, seat, event.to, expected, "raise_ladder")
        self.offer = event.to
        self.offerer = seat

    def accept_offer(self) -> None:
        """The standing offer is taken: the hand goes on at its level."""
        steps = max(0, self.offer - self.level)
        self.level = self.offer
        self.offer = 0
        if self.rules.scoring is Scoring.POT and steps:
            for seat in self.players:
                self.raises_due[seat] = self.raises_due.get(seat, 0) + steps * self.ante

    def on_raise_accepted(self, event: ev.RaiseAccepted) -> None:
        """The offer of another seat is taken (`rules.md` 2, `to_6`)."""
        if not self.silent and self._answers_an_offer(event.seat):
            self.accept_offer()

    def on_raise_declined(self, event: ev.RaiseDeclined) -> None:
        """It is not taken: the offerer wins the hand at the level before (`rules.md` 2, `to_6`)."""
        if not self.silent and self._answers_an_offer(event.seat):
            self.offer = 0
            self.win("raise_declined", self.offerer)

    def _answers_an_offer(self, seat: int) -> bool:
        """Whether an offer stands that another seat has made; told where none does, or the seat's own."""
        self.decide_by_words()
        if self.offer and seat != self.offerer:
            return True
        self.find(Code.WRONG_TURN if self.offer else Code.OUT_OF_PLACE, seat, None, None, "raise_ladder")
        return False

    def on_fee(self, seat: int, amount: int, why: str) -> None:
        if why == "raise" and self.offer and not self.raises_due and not self.decided:
            self.accept_offer()
        due = self.raises_due.pop(seat, 0) if why == "raise" else 0
        if not due:
            if not self.comes_late(seat, amount, why):
                super().on_fee(seat, amount, why)
            return
        full: Dues = (due, due, due)
        self.stake(seat, amount, full, "raise_ladder")

    def settle(self, reason: str, takers: tuple[int, ...]) -> None:
        self.tell_missing_raises()
        self.offer = 0
        super().settle(reason, takers)

    def tell_missing_raises(self) -> None:
        """A lead or the decision comes: raises accepted before should have been paid."""
        for seat, due in self.raises_due.items():
            self.lack(seat, (due, due, due), "raise_ladder", "raise")
        self.raises_due = {}

    # -- who may open ---------------------------------------------------------------------------------------------

    def opening_wrong(self, seat: int) -> Code | None:
        """What is wrong about an opening by this seat now, or None (`bura.12`, `open_window`)."""
        if self.decided or self.phase == BETWEEN or seat not in self.players:
            return Code.OUT_OF_PLACE if self.decided or self.phase == BETWEEN else Code.MAY_NOT_OPEN
        window = self.rules.open_window
        if window is OWN_TURN:
            return None if seat == self._to_act(seat) else Code.MAY_NOT_OPEN
        if not self.tricks:
            return Code.MAY_NOT_OPEN
        if window is TAKER_BEFORE_DRAW and seat != self.tricks[-1].taker:
            return Code.MAY_NOT_OPEN
        lying = self.phase == TAKEN or (self.phase == LEADING and not self.drawn_any)
        closed = not lying or self.drawn_any or (self.declined and seat == self.winner)
        return Code.OPENED_LATE if closed else None

    def _to_act(self, seat: int) -> int:
        """The seat whose own play is next; this seat, where the leader is not known."""
        if self.phase == ANSWERING:
            return self.to_answer[-1] if self.to_answer else 0
        if self.phase == TAKEN and self.draws_due:
            return self.leader
        if self.phase in (LEADING, TAKEN):
            return self.entitled()[0] if self.leader != ANYBODY else self.entitled_by_any_order(seat)[0]
        return 0

    def on_open_declined(self, event: ev.OpenDeclined) -> None:
        """The taker does not open; told of a seat that might not (`rules.md` 1.12)."""
        if self.silent:
            return
        self.trick_is_over()
        wrong = self.opening_wrong(event.seat)
        if wrong is not None:
            self.find(Code.OUT_OF_PLACE, event.seat, None, None, "bura.12")
            return
        self.declined = event.seat == self.winner or self.declined

    def unexpected_payout(self, seat: int, amount: int) -> None:
        if self.decided and self.reason == "failed_open" and seat == self.opener:
            low, high = self.pile_bounds(seat)
            true = low if low == high else {"low": low, "high": high}
            self.find(Code.SHORT_COUNT, seat, self.rules.target, true, "bura.12")
            return
        super().unexpected_payout(seat, amount)

    def decide_at_last(self) -> None:
        self.settle_astray()
        if self.decided or (self.guests and not self.trick_is_over()):
            return
        if self.phase == LEADING and self.decide_claims():
            return
        if (self.phase in (TAKEN, LEADING) and self.tricks and not self.draws_due and self.none_in_hand()) or (
            self.phase == TAKEN
            and not self.stock
            and self.rules.razburka_when is RazburkaWhen.STOCK_EMPTY
            and not self.draws_due
        ):
            self.void()

    def judge_points(self, seat: int, said: int, bounds: tuple[int, int], seqs: tuple[int, ...], rule: str) -> None:
        """Points said of the trick of these plays, or of the seat's pile, against what there can be."""
        low, high = bounds
        if low == high == said:
            return
        expected = low if low == high else {"low": low, "high": high}
        may = said in bounds or (low < said < high and self.witness.may_have(seat, seqs, said))
        self.find(Code.UNKNOWN_CARD if may else Code.POINTS_MISCOUNTED, seat, said, expected, rule)

    def judge_shown_pile(self, seat: int, spellings: tuple[str, ...]) -> None:
        """The faces of a pile as counted must be the cards that went into it (`bura.12`)."""
        shown = mask_of(spellings)
        known = self.pile_cards[seat]
        total = known.bit_count() + self.pile_blank[seat]
        unknown = len(spellings) - shown.bit_count()
        strange = (shown & ~known).bit_count()
        lacking = (known & ~shown).bit_count()
        miscounted = len(spellings) != total or strange > self.pile_blank[seat] or lacking > unknown
        impossible = shown & ~self.pack or shown & ~known & self.elsewhere(seat)
        if miscounted or impossible or self._shown_amiss(seat, spellings, known & ~shown, shown | known):
            self.find(Code.REVEAL_CONTRADICTS, seat, list(spellings), spell_all(known), "bura.12")

    def _shown_amiss(self, seat: int, spellings: tuple[str, ...], lacking: int, named: int) -> bool:
        """Whether a face shown in part fits none of the pile's cards that were not named, or leaves one of them out."""
        partly = [DOMAIN[code] for code in self.codes_of(spellings) if code >= KNOWN]
        unseen = self.pack & ~named & ~self.elsewhere(seat)
        blank = len(partly) - lacking.bit_count()
        return lacking & ~union(partly) > 0 or any(
            partly.count(half) > (lacking & half).bit_count() + (blank if half & unseen else 0) for half in partly
        )

    def elsewhere(self, seat: int) -> int:
        """Cards known to lie neither in this pile nor face down in any."""
        held = 0
        for other in self.players:
            held |= self.held[other].sure
        for other in self.players:
            if other != seat:
                held |= self.pile_cards[other]
        under = 1 << self.turnup if self.stock and 0 <= self.turnup < KNOWN else 0
        return held | under | self.missing

    def on_scored(self, event: ev.Scored) -> None:
        """Match points as said: the worth of the hand for who takes it, else 0 (`rules.md` 2, `match_points`)."""
        if self.silent:
            return
        self.decide_at_last()
        if not self.decided or self.rules.scoring is not Scoring.MATCH_POINTS:
            self.find(Code.OUT_OF_PLACE, event.seat, event.points, None, "scoring")
            return
        due = self.hand_counts() if event.seat in self.takers else 0
        if event.points != due:
            self.find(Code.POINTS_MISCOUNTED, event.seat, event.points, due, "scoring")
