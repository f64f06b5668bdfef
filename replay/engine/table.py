"""What both games share at the table: who sits there, hands that begin and end, the deal, the chips."""

from typing import Any, Final

from replay.engine.findings import Code, Finding, Severity
from replay.engine.ledger import ALL, Ledger
from replay.engine.outcome import HandResult, SeatResult, TrickResult
from replay.engine.voice import Witness
from schemas.cards import CARDS_PER_SUIT, CODE, DOMAIN, KNOWN, SUITS, UNKNOWN
from schemas.events import (
    CardMissing,
    ChipsBought,
    Dealt,
    HandBegan,
    HandEnded,
    PlayerJoined,
    PlayerLeft,
    PotCounted,
    PotTaken,
    RecordingBegan,
    SatOut,
    StackCounted,
    StakeSet,
    Staked,
    TrumpTurned,
    Unseen,
)

BETWEEN: Final = 0
BEGUN: Final = 1
DEALING: Final = 2
TURNED: Final = 3
"""Phases of a hand that both games know; each game has further ones from 4 on."""
DECIDED: Final = 9

EXCUSED: Final = frozenset(
    {
        Code.CARD_NOT_IN_PACK,
        Code.CARD_TWICE,
        Code.WRONG_CARD_COUNT,
        Code.WRONG_TURN,
        Code.OUT_OF_PLACE,
        Code.WRONG_DEALER,
        Code.WRONG_HAND_NUMBER,
        Code.TOO_MANY_SEATS,
        Code.DECK_MISMATCH,
    }
)
"""What a misdeal excuses in its deal."""


class Table(Ledger):
    """The state of one table, moved in place by `step`; both games build on it.

    Seats are 1-based everywhere; index 0 is nobody.
    """

    __slots__ = (
        "ante",
        "ante_ought",
        "ante_ours",
        "ante_set_by",
        "antes_told",
        "barred",
        "chips_due",
        "commitment",
        "deals",
        "dealer",
        "decided",
        "expected_dealer",
        "expected_left",
        "first_bad",
        "hand_size",
        "in_pot",
        "last_dealer",
        "leaving",
        "names",
        "numbered",
        "occupied",
        "order",
        "paid_ante",
        "phase",
        "played_any",
        "players",
        "pot_due",
        "purses",
        "reason",
        "results",
        "sitting",
        "stock",
        "takers",
        "tricks",
        "trump",
        "turnup",
        "witness",
    )

    def __init__(self, game: str, pack: int, began: RecordingBegan, witness: Witness) -> None:
        stacks = began.stacks or (0,) * len(began.seats)
        super().__init__(game, pack, stacks, began.stacks is not None, began.pot or 0)
        self.witness = witness
        self.names: list[str] = ["", *began.seats]
        self.occupied = [False] + [True] * len(began.seats)
        self.chips_due: list[int | None] = list(self.stack)
        self.purses: dict[str, tuple[int, int | None]] = {}
        self.in_pot = [False] + [True] * len(began.seats)
        self.sitting = 0
        self.leaving = 0
        self.barred = 0
        self.ante = 0
        self.ante_set_by = -1
        self.ante_ours = True
        self.ante_ought = True
        self.antes_told = False
        self.paid_ante = 0
        self.expected_dealer = 0
        self.expected_left = False
        self.commitment = ""
        self.deals: list[tuple[int, list[int]]] = []
        self.last_dealer = 0
        self.numbered = 0
        self.dealer = 0
        self.phase = BETWEEN
        self.players: list[int] = []
        self.order: list[int] = []
        self.results: list[HandResult] = []
        self.tricks: list[TrickResult] = []
        self.trump = -1
        self.turnup = -1
        self.stock = 0
        self.decided = False
        self.reason = ""
        self.takers: tuple[int, ...] = ()
        self.pot_due: tuple[int, int, int] = (0, 0, 0)
        self.played_any = False
        self.first_bad = 0
        self.hand_size = 0
        self.clear_holdings(len(began.seats))

    # -- who sits there -----------------------------------------------------------------------------------------

    def seats(self) -> int:
        """The highest seat number there ever was."""
        return len(self.names) - 1

    def left_of(self, seat: int) -> int:
        """The next occupied seat clockwise that does not sit this hand out; 0 where there is none."""
        count = self.seats()
        for step in range(1, count + 1):
            other = (seat + step - 1) % count + 1
            if self.occupied[other] and not self.sitting & (1 << other):
                return other
        return 0

    def clockwise_from(self, dealer: int) -> list[int]:
        """The players from the dealer's left round to the dealer."""
        count = self.seats()
        ring = [(dealer + step) % count + 1 for step in range(count)]
        return [seat for seat in ring if self.plays(seat)]

    def plays(self, seat: int) -> bool:
        """Whether the seat is to be dealt cards in this hand."""
        if not self.occupied[seat] or self.sitting & (1 << seat):
            return False
        return self.in_pot[seat] or self.antes_due() or self.joins_at_once()

    def antes_due(self) -> bool:
        """Whether antes are due in this hand by either sum."""
        return self.ante_ours or self.ante_ought

    def joins_at_once(self) -> bool:
        """Whether somebody who has not paid into the pot that lies may play for it."""
        return False

    def on_player_joined(self, event: PlayerJoined) -> None:
        seat = event.seat
        if seat <= self.seats() and self.occupied[seat] and not self.leaving & (1 << seat):
            self.find(Code.OUT_OF_PLACE, seat, event.name, self.names[seat], "record.3.1")
            return
        if self.phase != BETWEEN:
            self.find(Code.OUT_OF_PLACE, seat, event.name, None, "record.3.1")
        if seat > self.seats():
            self._new_seat()
        elif self.names[seat]:
            self.purses[self.names[seat]] = (self.stack[seat], self.chips_due[seat])
            self.total -= self.stack[seat]
        kept, due = self.purses.pop(event.name, (0, 0))
        added = event.stack or 0
        self.names[seat] = event.name
        self.occupied[seat] = True
        self.in_pot[seat] = False
        self.stack[seat] = kept + added
        self.chips_due[seat] = None if due is None else due + added
        self.total += kept + added
        self.start_stack[seat] = self.stack[seat]
        if self.pot_basis() == 0 and self.pot_ought() == 0:
            self.in_pot[seat] = True

    def _new_seat(self) -> None:
        for row in (self.stack, self.debts, self.bought, self.start_stack, self.adj_ours, self.adj_ought):
            row.append(0)
        for masks in (self.sure, self.may, self.limbo, self.size):
            masks.append(0)
        self.chips_due.append(0)
        self.names.append("")
        self.occupied.append(False)
        self.in_pot.append(False)
        self.grow()

    def grow(self) -> None:
        """A seat more than there were: a game that keeps rows by seat adds to them."""

    def on_player_left(self, event: PlayerLeft) -> None:
        if not self.occupied[event.seat]:
            self.find(Code.OUT_OF_PLACE, event.seat, None, None, "record.3.1")
            return
        if self.phase == BETWEEN:
            self.occupied[event.seat] = False
            self.in_pot[event.seat] = False
        else:
            self.leaving |= 1 << event.seat

    def on_sat_out(self, event: SatOut) -> None:
        if self.phase != BEGUN or not self.occupied[event.seat] or self.paid_ante & (1 << event.seat):
            self.find(Code.OUT_OF_PLACE, event.seat, None, None, "record.3.1")
            return
        self.sitting |= 1 << event.seat

    def on_chips_bought(self, event: ChipsBought) -> None:
        if self.phase != BETWEEN:
            self.find(Code.OUT_OF_PLACE, event.seat, None, None, "record.3.1")
        self.stack[event.seat] += event.amount
        self.bought[event.seat] += event.amount
        self.total += event.amount
        due = self.chips_due[event.seat]
        self.chips_due[event.seat] = None if due is None else due + event.amount

    def on_card_missing(self, event: CardMissing) -> None:
        code = CODE[event.card]
        if code < KNOWN:
            bit = 1 << code
            if not bit & self.pack:
                self.find(Code.CARD_NOT_IN_PACK, 0, event.card, None, self.game + ".2")
                return
            if self.phase != BETWEEN and bit & self.seen & ~self.missing:
                self.find(Code.REVEAL_CONTRADICTS, 0, event.card, None, "record.3.1")
            self.missing |= bit
            self.seen |= bit
        self.barred += 1
        if self.phase > DEALING and self.stock:
            self.stock -= 1

    def on_unseen(self, event: Unseen) -> None:
        self.find(Code.UNKNOWN_CARD, 0, "unseen", None, "record.3.1")
        if self.phase != BETWEEN:
            self.silent = True
        else:
            self.expected_dealer = 0
            self.numbered = -1

    # -- a hand begins ------------------------------------------------------------------------------------------

    def on_stake_set(self, event: StakeSet) -> None:
        self.ante = event.amount
        self.ante_set_by = event.seat or 0

    def on_hand_began(self, event: HandBegan) -> None:
        if self.phase != BETWEEN:
            self.break_off(Severity.ERROR)
        self.silent = False
        self.shaken = False
        self.open_books()
        self.hand = event.hand
        if self.numbered >= 0 and event.hand != self.numbered + 1:
            self.find(Code.WRONG_HAND_NUMBER, 0, event.hand, self.numbered + 1, "record.3.1")
        self.numbered = event.hand
        self.dealer = event.dealer
        self.began_seq = event.seq
        self.first_bad = len(self.findings)
        self.sitting = 0
        self.leaving = 0
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
        self.decided = False
        self.reason = ""
        self.takers = ()
        self.pot_due = (0, 0, 0)
        self.played_any = False
        self.clear_holdings(self.seats())
        self.clear_hand()

    def clear_hand(self) -> None:
        """What a game keeps for one hand, made new."""

    def seat_players(self) -> None:
        """Nobody sits out any more: who plays, whether the right seat deals, whether the rules seat so many."""
        self.players = self.clockwise_from(self.dealer)
        if not self.plays(self.dealer):
            self._tell_dealer(self.left_of(self.dealer))
        elif self.expected_dealer:
            expected = self.expected_dealer
            if self.expected_left or not self.plays(expected):
                expected = self.left_of(expected)
            if expected != self.dealer:
                self._tell_dealer(expected)
        limit = self.rules_seats_max()
        if len(self.players) > limit:
            if not any(finding.code is Code.TOO_MANY_SEATS and finding.seq == 0 for finding in self.findings):
                self._tell_at_began(Code.TOO_MANY_SEATS, 0, len(self.players), limit, self.game + ".1")

    def rules_seats_max(self) -> int:
        """The most seats the rules allow."""
        raise NotImplementedError

    def _tell_dealer(self, expected: int) -> None:
        self._tell_at_began(Code.WRONG_DEALER, self.dealer, self.dealer, expected, self.game + self.dealer_rule())

    def dealer_rule(self) -> str:
        """The paragraph that says who deals."""
        return ".4" if self.game == "bura" else ".2"

    def _tell_at_began(self, code: Code, seat: int, recorded: int, expected: int, rule: str) -> None:
        now = self.seq
        self.seq = self.began_seq
        self.find(code, seat, recorded, expected, rule)
        self.seq = now

    # -- antes and the deal -------------------------------------------------------------------------------------

    def ante_of(self, seat: int) -> tuple[int, int, int]:
        """The ante due of a seat, by each sum."""
        ours = self.ante if self.ante_ours else 0
        return ours, ours, self.ante if self.ante_ought else 0

    def on_ante(self, seat: int, amount: int) -> None:
        """An ante is paid."""
        if self.comes_late(seat, amount, "ante"):
            return
        if self.ante == 0:
            self.ante = amount
        due = self.ante_of(seat)
        if self.phase != BEGUN or self.paid_ante & (1 << seat) or not self.occupied[seat]:
            due = (0, 0, 0)
        if not any(due):
            self.find(Code.UNEXPECTED_STAKE, seat, amount, None, self.ante_rule())
            self.book_in(seat, amount, due)
            return
        self.paid_ante |= 1 << seat
        self.in_pot[seat] = True
        self.stake(seat, amount, due, self.owes_on(), self.ante_rule())

    def ante_rule(self) -> str:
        """The paragraph of the ante."""
        return self.game + ".3"

    def owes_on(self) -> bool:
        """Whether what a seat cannot pay is a debt, not forgiven."""
        return True

    def tell_missing_antes(self) -> None:
        """The deal begins: who should have paid and has not."""
        self.antes_told = True
        if not self.players:
            self.seat_players()
        for seat in self.players:
            if not self.paid_ante & (1 << seat):
                due = self.ante_of(seat)
                if any(due):
                    self.lack(seat, due, self.owes_on(), self.ante_rule(), "ante")
                    self.in_pot[seat] = True

    def on_dealt(self, event: Dealt) -> None:
        seat = event.seat
        if self.phase == BEGUN:
            self.tell_missing_antes()
            self.phase = DEALING
        if self.phase != DEALING:
            self.find(Code.OUT_OF_PLACE, seat, None, None, self.game + self.deal_rule())
        else:
            place = len(self.order)
            due = self.players[place] if place < len(self.players) else 0
            if seat != due:
                self.find(Code.WRONG_TURN, seat, seat, due or None, self.game + self.deal_rule())
        if len(event.cards) != self.hand_size or self.size[seat]:
            self.find(Code.WRONG_CARD_COUNT, seat, len(event.cards), self.hand_size, self.game + self.deal_rule())
        self.order.append(seat)
        self.deals.append((seat, [CODE[spelling] for spelling in event.cards]))
        if seat not in self.players:
            self.players = sorted([*self.players, seat], key=self._place_from_dealer)
        self.take(seat, event.cards)

    def _place_from_dealer(self, seat: int) -> int:
        return (seat - self.dealer - 1) % self.seats()

    def deal_rule(self) -> str:
        """The paragraph of the deal."""
        return ".5" if self.game == "bura" else ".4"

    def on_trump_turned(self, event: TrumpTurned) -> None:
        if self.phase != DEALING or len(self.order) < len(self.players):
            self.find(Code.OUT_OF_PLACE, 0, event.card, None, self.game + self.deal_rule())
        if self.turnup >= 0:
            return
        if self.phase < TURNED:
            if self.phase == BEGUN:
                self.tell_missing_antes()
            self.phase = TURNED
        self.turnup = self.place_turnup(event.card)
        self.trump = self.trump_suit(self.turnup)
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
        chosen = self.witness.choose(Code.UNKNOWN_CARD, "trump", suits, self.seq)
        return int(chosen)

    def deal_done(self) -> None:
        """The turn-up lies there: the stock is what is left."""

    # -- claims both games make -----------------------------------------------------------------------------------

    def on_pot_counted(self, event: PotCounted) -> None:
        if self.silent:
            return
        if not self.fits(event.amount, self.pots(), 0):
            self.find(Code.POT_MISCOUNTED, 0, event.amount, self.due_now(self.pots()), self.game + self.money_rule())

    def on_stack_counted(self, event: StackCounted) -> None:
        if event.amount != self.stack[event.seat]:
            rule = self.game + self.money_rule()
            self.find(Code.STACK_MISCOUNTED, event.seat, event.amount, self.stack[event.seat], rule)

    def money_rule(self) -> str:
        """The paragraph about money."""
        return ".15" if self.game == "bura" else ".10"

    # -- payments -------------------------------------------------------------------------------------------------

    def on_staked(self, event: Staked) -> None:
        seat, amount, why = event.seat, event.amount, event.why
        if self.silent or self.phase == BETWEEN:
            if self.phase == BETWEEN:
                self.find(Code.UNEXPECTED_STAKE, seat, amount, None, self.game + self.money_rule())
            self.book_in(seat, amount, (amount, amount, amount) if self.silent else (0, 0, 0))
        elif why == "ante":
            self.on_ante(seat, amount)
        elif why == "debt":
            self.on_debt(seat, amount)
        elif why in ("failed_open", "razburka", "bourre"):
            self.on_penalty(seat, amount, why)
        else:
            self.on_fee(seat, amount, why)

    def on_debt(self, seat: int, amount: int) -> None:
        """A debt is paid into the pot that lies here."""
        open_debt = self.debts[seat]
        can = self.can_pay(seat)
        rule = self.game + self.money_rule()
        if not open_debt:
            self.find(Code.UNEXPECTED_STAKE, seat, amount, None, rule)
            self.book_in(seat, amount, (0, 0, 0))
        elif can is not None and amount > can:
            self.find(Code.OVERDRAWN, seat, amount, can, rule)
            self._take_debt(seat, amount, min(open_debt, can))
        elif amount > open_debt:
            self.find(Code.WRONG_STAKE, seat, amount, open_debt, rule)
            self._take_debt(seat, amount, open_debt)
        else:
            self._take_debt(seat, amount, amount)

    def _take_debt(self, seat: int, amount: int, due: int) -> None:
        self.debts[seat] -= due
        self.book_in(seat, amount, (due, due, due))

    def on_fee(self, seat: int, amount: int, why: str) -> None:
        """A payment of a kind that this game or moment does not know."""
        self.find(Code.UNEXPECTED_STAKE, seat, amount, None, self.game + self.money_rule())
        self.book_in(seat, amount, (0, 0, 0))

    def on_penalty(self, seat: int, amount: int, why: str) -> None:
        """What a decided hand makes somebody pay into the pot."""
        self.decide_at_last()
        rule = self.game + self.money_rule()
        owed = self.dues_in.get(seat)
        if owed is None or owed[0] != why:
            if self.comes_late(seat, amount, why):
                return
            self.find(Code.UNEXPECTED_STAKE, seat, amount, None, self.penalty_rule(why))
            self.book_in(seat, amount, (0, 0, 0))
            return
        del self.dues_in[seat]
        if not any(owed[1]):
            self.find(Code.UNEXPECTED_STAKE, seat, amount, None, rule)
            self.book_in(seat, amount, (0, 0, 0))
            return
        self.stake(seat, amount, owed[1], self.penalty_owed_on(), self.penalty_rule(why))

    def penalty_owed_on(self) -> bool:
        """Whether a penalty that a seat cannot pay is a debt."""
        return self.owes_on()

    def penalty_rule(self, why: str) -> str:
        """The paragraph of a penalty."""
        return {"failed_open": "bura.12", "razburka": "bura.14", "bourre": "bourre.10"}[why]

    def on_pot_taken(self, event: PotTaken) -> None:
        seat, amount = event.seat, event.amount
        if self.silent:
            self.book_out(seat, amount, (amount, amount, amount))
            return
        self.decide_at_last()
        due = self.dues_out.pop(seat, None)
        if due is None or not any(due):
            self.unexpected_payout(seat, amount)
            self.book_out(seat, amount, (0, 0, 0))
            return
        if not self.fits(amount, due, seat):
            self.find(Code.WRONG_PAYOUT, seat, amount, self.due_now(due), self.game + self.money_rule())
        self.book_out(seat, amount, due)

    def unexpected_payout(self, seat: int, amount: int) -> None:
        """Somebody takes chips from the pot who has no right to them."""
        self.find(Code.UNEXPECTED_PAYOUT, seat, amount, None, self.game + self.money_rule())

    def decide_at_last(self) -> None:
        """A payment or the end comes: what had to wait for it is decided now."""

    # -- a hand ends ----------------------------------------------------------------------------------------------

    def settle(self, reason: str, takers: tuple[int, ...]) -> None:
        """The hand is decided: why, and who takes."""
        self.decided = True
        self.reason = reason
        self.takers = takers
        self.phase = DECIDED
        self.pot_due = self.pots()

    def on_hand_ended(self, event: HandEnded) -> None:
        if self.phase == BETWEEN:
            self.find(Code.OUT_OF_PLACE, 0, event.reason, None, "record.4")
            return
        if self.silent:
            self.reason = event.reason
            self.close_hand(known=False)
            return
        self.decide_at_last()
        if self.decided:
            self.tell_lacks()
            if event.reason != self.reason:
                self.find(Code.WRONG_REASON, 0, event.reason, self.reason, "record.3.1")
        elif event.reason in ("misdeal", "abandoned"):
            true = "abandoned" if self.played_any else "misdeal"
            self.give_up(true)
            if event.reason != true:
                self.find(Code.WRONG_REASON, 0, event.reason, true, "record.3.1")
        else:
            self.tell(Code.HAND_UNFINISHED, Severity.ERROR, 0, event.reason, None, "record.4")
            self.give_up("abandoned")
        self.close_hand(known=True)

    def tell_lacks(self) -> None:
        """Payments a decided hand made due that have not come."""
        for seat, due in self.dues_out.items():
            if self.fits(0, due, seat):
                self.shift(seat, -due[1], -due[2])
                continue
            self.find(Code.MISSING_PAYOUT, seat, None, self.due_now(due), self.game + self.money_rule())
            self.shift(seat, -due[1], -due[2])
        for seat, (why, due) in self.dues_in.items():
            if any(due):
                self.lack(seat, due, self.penalty_owed_on(), self.penalty_rule(why), why)
        self.dues_out = {}
        self.dues_in = {}

    def give_up(self, reason: str) -> None:
        """The hand ends without a decision; the pot lies."""
        self.reason = reason
        self.takers = ()
        self.pot_due = self.pots()
        if reason == "misdeal":
            self.findings[self.first_bad :] = [self._excused(each) for each in self.findings[self.first_bad :]]

    def _excused(self, finding: Finding) -> Finding:
        if finding.hand != self.hand or finding.code not in EXCUSED:
            return finding
        return Finding(
            finding.code,
            Severity.NOTE,
            finding.seq,
            finding.hand,
            finding.seat,
            finding.recorded,
            finding.expected,
            finding.rule,
            finding.shaken,
        )

    def break_off(self, severity: Severity) -> None:
        """The hand stops without its end."""
        self.decide_at_last()
        if self.decided and not self.silent:
            self.tell_lacks()
        if not self.silent:
            self.tell(Code.HAND_UNFINISHED, severity, 0, None, None, "record.4")
        if not self.decided:
            self.give_up("abandoned")
        self.close_hand(known=not self.silent and self.decided)

    def settle_open_ends(self) -> None:
        """The record stops here for now; nothing more is told of the hand until it goes on or ends."""

    def close_hand(self, known: bool) -> None:
        """Write down what the hand came to, and what it means for the next."""
        assert self.conserved()
        self.results.append(self.result(known))
        for seat in range(1, self.seats() + 1):
            due = self.chips_due[seat]
            net = self.net_due(seat) if known else None
            self.chips_due[seat] = None if due is None or net is None else due + net
            if self.leaving & (1 << seat):
                self.occupied[seat] = False
                self.in_pot[seat] = False
        self.prepare_next(known)
        self.last_dealer = self.dealer
        self.phase = BETWEEN
        self.silent = False

    def prepare_next(self, known: bool) -> None:
        """Who deals the next hand and whether antes are due in it."""
        raise NotImplementedError

    def result(self, known: bool) -> HandResult:
        """The hand's result as it stands now; values that are not known are None."""
        ours = self.alive & 3
        pot_after = self.pot + (self.gap_ours if ours else self.gap_ought)
        due = self.pot_due[1] if ours else self.pot_due[2]
        return HandResult(
            hand=self.hand,
            seq=self.began_seq,
            end=self.seq,
            dealer=self.dealer,
            trump=SUITS[self.trump] if self.trump >= 0 else None,
            pot_before=self.start_pot if ours else self.start_ought,
            pot=due if known else None,
            pot_after=pot_after if known else None,
            reason=self.reason if known and self.reason else None,
            takers=self.takers if known else None,
            tricks=tuple(self.tricks),
            seats={seat: self.seat_result(seat, known) for seat in self.result_seats()},
        )

    def result_seats(self) -> list[int]:
        """The seats that a hand's result speaks of: everybody who sat at the table."""
        return [seat for seat in range(1, self.seats() + 1) if self.occupied[seat]]

    def seat_result(self, seat: int, known: bool) -> SeatResult:
        """One seat's part of the result."""
        raise NotImplementedError

    def forget_what_differs(self, tables: list["Table"]) -> None:
        """Of several ways one hand may have gone: keep what all share, count on from the recorded moves elsewhere."""
        if any(
            (each.expected_dealer, each.expected_left) != (self.expected_dealer, self.expected_left) for each in tables
        ):
            self.expected_dealer = 0
        if any((each.alive, each.gap_ours, each.gap_ought) != (self.alive, self.gap_ours, self.gap_ought) for each in tables):
            self.alive = ALL
            self.gap_ours = self.gap_ought = 0
        if any((each.ante_ours, each.ante_ought) != (self.ante_ours, self.ante_ought) for each in tables):
            self.ante_ours = self.ante_ought = self.antes_by_moves()
        for seat in range(1, len(self.chips_due)):
            if any(each.chips_due[seat] != self.chips_due[seat] for each in tables):
                self.chips_due[seat] = None
            self.debts[seat] = max(each.debts[seat] for each in tables)
            self.in_pot[seat] = any(each.in_pot[seat] for each in tables)

    def antes_by_moves(self) -> bool:
        """Whether antes are due in the next hand, as far as the recorded moves show."""
        return self.pot_taken_now or self.pot == 0

    def step(self, event: Any) -> None:
        """Apply what happened and tell what was wrong; never repairs, never stops."""
        raise NotImplementedError
