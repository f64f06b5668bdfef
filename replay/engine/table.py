"""What both games share at the table: a hand begins, cards are dealt, the trump is turned (`rules.md` 1.5, 4.4)."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final

from replay.engine.ending import Ending
from replay.engine.findings import Code
from replay.engine.seating import BEGUN, BETWEEN, DEALING, DECIDED, TURNED
from schemas.cards import CARDS_PER_SUIT, CODE, DOMAIN, KNOWN, SUITS, UNKNOWN
from schemas.events import (
    Dealt,
    Declared,
    Discarded,
    Drew,
    Folded,
    HandBegan,
    Opened,
    Played,
    Staked,
    StakeSet,
    Stayed,
    TrumpTurned,
)

__all__ = ["BEGUN", "BETWEEN", "DEALING", "DECIDED", "TURNED", "Table"]

DEEDS: Final = (Declared, Discarded, Drew, Folded, Opened, Played, Stayed)
"""What only a seat that was dealt cards does in a hand."""


class Table(Ending):
    """The state of one table, moved in place by `step`; both games build on it.

    Seats are 1-based everywhere; index 0 is nobody.
    """

    __slots__ = ()

    HANDLERS: ClassVar[dict[type, Callable[[Any, Any], None]]] = {}
    """By event type: the method that applies it; each game has its own."""

    # -- a hand begins ------------------------------------------------------------------------------------------

    def on_stake_set(self, event: StakeSet) -> None:
        """The ante is so many chips from now on; set in mid-hand it is told, and holds (`rules.md` 1.3)."""
        if self.phase not in (BETWEEN, BEGUN, DECIDED):
            self.find(Code.OUT_OF_PLACE, event.seat or 0, event.amount, None, "record.4")
        self.ante = event.amount

    def on_hand_began(self, event: HandBegan) -> None:
        """A hand begins: its number is judged, and one that has not ended is cut off (`record.md` 3.1)."""
        if self.phase != BETWEEN:
            self.cut_off()
        self.silent = False
        self.shaken = False
        if self.oughts:
            more, self.ante_ought = self.witness.choose(Code.UNKNOWN_CARD, "pot", self.oughts, self.seq)
            self.gap_ought, self.oughts = self.gap_ought + more, ()
        self.open_books()
        self.hand = number = event.hand
        self.first_bad = len(self.findings)
        if self.numbered >= 0 and number != self.numbered + 1:
            self.find(Code.WRONG_HAND_NUMBER, 0, number, self.numbered + 1, "record.3.1")
        self.numbered = number
        self.dealer = self.written_dealer = event.dealer
        self.rightful_dealer = 0
        self.began_seq = self.seq
        self.sitting = 0
        self.leaving = 0
        self.came_late = 0
        self.phase = BEGUN
        self.paid_ante = 0
        self.antes_told = False
        self.players = []
        self.order = []
        self.deals = []
        self.commitment = ""
        self.tricks = []
        self.trump = -1
        self.turnup = -1
        self.turn_told = False
        self.decided = False
        self.reason = ""
        self.takers = ()
        self.pot_due = (0, 0, 0)
        self.played_any = False
        self.clear_holdings(self.seats())
        self.in_last_pot = self.in_pot.copy()
        self.clear_hand()

    def clear_hand(self) -> None:
        """What a game keeps for one hand, made new."""

    def on_dealt(self, event: Dealt) -> None:
        """A seat gets its cards: judged for moment, turn and number (`rules.md` 1.5, 4.4)."""
        seat: int = event.seat
        cards = event.cards
        if self.phase == BEGUN:
            self.tell_missing_antes()
            self.see_who_deals(seat)
            self.phase = DEALING
        if self.phase == BETWEEN:
            self.find(Code.OUT_OF_PLACE, seat, None, None, self.game + self.deal_rule())
            return
        again = self.has_them(seat, cards)
        due = self.next_to_be_dealt() if self.phase == DEALING else 0
        if self.phase != DEALING:
            turned_early = not self.played_any and seat in self._later_dealt()
            if not turned_early:
                self.find(Code.OUT_OF_PLACE, seat, None, None, self.game + self.deal_rule())
                self.stock = max(0, self.stock - (0 if again else len(cards)))
        elif seat != due and not self._follows_in_the_deal(seat):
            self.find(Code.WRONG_TURN, seat, seat, due or None, self.game + self.deal_rule())
            seat = due if self._dealt_for(due, seat) else seat
        if again:
            self.find(Code.CARD_TWICE, seat, cards[0], None, self.game + ".2")
            return
        if len(cards) > self.hand_size and not self.held[seat].size:
            cards = self.without_impossible(seat, cards, self.hand_size)
        if len(cards) != self.hand_size or self.held[seat].size:
            self.find(Code.WRONG_CARD_COUNT, seat, len(cards), self.hand_size, self.game + self.deal_rule())
        self.order.append(seat)
        self.deals.append((seat, cards))
        if seat != due and seat not in self.players:
            self.players = sorted([*self.players, seat], key=self._place_from_dealer)
        self.take(seat, cards)

    def _dealt_for(self, due: int, seat: int) -> bool:
        """Whether a deal under a seat that does not play was that of whose turn it is: nothing later says otherwise.

        Else that one is dealt to as well, or the seat does something in this hand.
        """
        if not due or self.plays(seat):
            return False
        self.strange_hands.append(self.began_seq)
        if self.foretold is None:
            return False
        dealt, acting = self.foretold[:2]
        return not dealt >> due & 1 and not acting >> seat & 1

    def dealt_before(self, seat: int, cards: tuple[str, ...]) -> bool:
        """A seat that has its cards is dealt to again, and another has none: one of the two deals was that one's.

        The first, where it came out of turn, which was told; else this one, of which is told who should have got it.
        """
        if self.phase != DEALING or seat not in self.order or self.has_them(seat, cards):
            return False
        before = self.players[: self.players.index(seat)]
        passed = next((other for other in before if other not in self.order), 0)
        due = 0 if passed else self.next_to_be_dealt()
        if passed:
            self.swap_deals(passed, seat)
            self.order.append(seat)
            self.deals.append((seat, cards))
            self.take(seat, cards)
        elif due:
            self.find(Code.WRONG_TURN, seat, seat, due, self.game + self.deal_rule())
            self.order.append(due)
            self.deals.append((due, cards))
            self.deal_unseen(due)
        return passed + due > 0

    def swap_deals(self, one: int, other: int) -> None:
        """What was dealt to the one seat was dealt to the other."""
        self.held[one], self.held[other] = self.held[other], self.held[one]
        seats = {one: other, other: one}
        self.order = [seats.get(seat, seat) for seat in self.order]
        self.deals = [(seats.get(seat, seat), cards) for seat, cards in self.deals]

    def deal_unseen(self, seat: int) -> None:
        """A seat that was not dealt to on record holds cards that nobody knows."""
        raise NotImplementedError

    def see_who_deals(self, first: int) -> None:
        """A wrong dealer is written down, but the deal begins left of the right one: that one deals."""
        rightful = self.rightful_dealer
        if rightful and first != self.left_of(self.dealer) and first == self.left_of(rightful):
            self.dealer = rightful
            self.players = self.clockwise_from(rightful)
        elif not rightful and not self.expected_dealer and not self.pot_hidden and self._deals_from(first):
            self.find(Code.WRONG_TURN, first, first, self.players[0], self.game + self.deal_rule())
            place = self.players.index(first)
            self.players = self.players[place:] + self.players[:place]
            self.dealer = self.players[-1]

    def _deals_from(self, first: int) -> bool:
        """No rule says who deals, another is written down, and all are dealt to from this seat on, which acts first."""
        if first not in self.players[1:]:
            return False
        if self.foretold is None:
            self.strange_hands.append(self.began_seq)
            return False
        last = self.players[self.players.index(first) - 1]
        return self.foretold[3:] == (first, last)

    def next_to_be_dealt(self) -> int:
        """The seat whose cards come next: after the one dealt last, 0 where nobody is left."""
        place = len(self.order)
        if self.order == self.players[:place]:
            return self.players[place] if place < len(self.players) else 0
        later = self._later_dealt()
        last = self._place_from_dealer(self.order[-1])
        return next((seat for seat in later if self._place_from_dealer(seat) > last), later[0] if later else 0)

    def _later_dealt(self) -> list[int]:
        """Who has no cards yet, from the dealer's left."""
        return [seat for seat in self.players if seat not in self.order]

    def _follows_in_the_deal(self, seat: int) -> bool:
        """Whether the seat is the first that was passed over, of which was told, or the one whose place this is."""
        place = len(self.order)
        return place > 0 and seat in self._later_dealt()[:1] + self.players[place : place + 1]

    def deal_breaks_off(self) -> bool:
        """Whether seats have no cards yet of which it was not told already that others got theirs before them."""
        later = self._later_dealt()
        last = max((self._place_from_dealer(seat) for seat in self.order), default=-1)
        return any(self._place_from_dealer(seat) > last for seat in later)

    def _place_from_dealer(self, seat: int) -> int:
        return (seat - self.dealer - 1) % self.seats()

    def deal_rule(self) -> str:
        """The paragraph of the deal."""
        return ".5" if self.game == "bura" else ".4"

    def on_trump_turned(self, event: TrumpTurned) -> None:
        """The turn-up makes its suit trump; told where the deal is not at its end (`rules.md` 1.5, 4.4)."""
        if self.turn_told:
            self.turn_told = False
            return
        if self.phase != DEALING or (self.order != self.players and self.deal_breaks_off()):
            self.find(Code.OUT_OF_PLACE, 0, event.card, None, self.game + self.deal_rule())
        if self.turnup >= 0 or self.phase == BETWEEN:
            return
        if self.phase < TURNED:
            if self.phase == BEGUN:
                self.tell_missing_antes()
            self.phase = TURNED
        self.turnup = self.place_turnup(event.card)
        # A card that cannot lie there was turned all the same: the table saw its suit.
        self.trump = self.trump_suit(self.turnup if self.turnup < KNOWN else CODE[event.card])
        self.deal_done()

    def place_turnup(self, card: str) -> int:
        """The turn-up gets its place: beside or under the stock."""
        return self.place(card, 0)

    def trump_suit(self, code: int) -> int:
        """The suit number of the trump; asked for where the turn-up was not seen."""
        if code < KNOWN:
            return code // CARDS_PER_SUIT
        if UNKNOWN < code <= UNKNOWN + len(SUITS):
            return code - UNKNOWN - 1
        suits = [suit for suit in range(len(SUITS)) if DOMAIN[code] & DOMAIN[UNKNOWN + 1 + suit] & self.pack]
        suits = suits or list(range(len(SUITS)))
        chosen = self.witness.choose(Code.UNKNOWN_CARD, "trump", suits, self.seq)
        return int(chosen)

    def deal_done(self) -> None:
        """The turn-up lies there: the stock is what is left."""

    def on_words(self, event: Any) -> None:
        """Words, and events that this game does not know: they move nothing."""

    def on_later_word(self, event: Any) -> None:
        """An event that changes what was read before: whoever reads piece by piece has to know of it."""
        self.looks_back = True

    def foresee(self, events: Sequence[Any]) -> None:
        """These are the events of the hand that begins now, judged with what later ones show."""
        self.to_turn = next((event.card for event in events if isinstance(event, TrumpTurned)), "")
        dealt = {event.seat for event in events if isinstance(event, Dealt)}
        acting = {event.seat for event in events if isinstance(event, DEEDS)}
        paying = {event.seat for event in events if isinstance(event, Staked) and event.why == "ante"}
        masks = [sum([1 << seat for seat in seats]) for seats in (dealt, acting, paying)]
        opens = next((event.seat for event in events if isinstance(event, Stayed | Folded | Played)), 0)
        last = next((event.seat for event in reversed(events) if isinstance(event, Dealt)), 0)
        masks += [opens, last]
        self.foretold = tuple(masks)

    def close_hand(self, known: bool) -> None:
        super().close_hand(known)
        if self.foretold is not None:  # of the next hand nothing is foreseen unless it is said
            self.foresee(())
            self.foretold = None

    def unsettled(self) -> bool:
        """Whether something of the hands before is not known that may decide how the next hand goes."""
        return bool(self.oughts)

    def trick_open(self) -> bool:
        """Whether a trick lies on the table that is not complete."""
        return False

    def laid_seqs(self) -> list[int]:
        """The seqs of the cards in the trick that is being played, or was played last."""
        return []

    def turnup_under_stock(self) -> bool:
        """Whether the turn-up is the stock's last card."""
        return False

    def turnup_is_dealt(self) -> bool:
        """Whether the turn-up is a card of the dealer's hand."""
        return False

    def has_gaps(self) -> bool:
        """Whether the hand shows plays or draws that are not on record."""
        return False

    def folded_mask(self) -> int:
        """The seats, bit by seat, that have thrown their cards in."""
        return 0

    def step(self, event: Any) -> None:
        """Apply what happened and tell what was wrong; never repairs, never stops."""
        self.seq = event.seq
        self.HANDLERS[type(event)](self, event)

    def walk(self, events: list[Any]) -> None:
        """The same, one after another."""
        handlers = self.HANDLERS
        for event in events:
            self.seq = event.seq
            handlers[type(event)](self, event)

    def walk_on(self, events: list[Any], seq: int) -> None:
        """The same with events numbered from `seq` on, without a gap."""
        handlers = self.HANDLERS
        for event in events:
            self.seq = seq
            handlers[type(event)](self, event)
            seq += 1
