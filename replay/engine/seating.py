"""Who sits at the table: players who join, leave, sit out; who plays a hand and who deals it (`rules.md` 1.4, 4.2)."""

from typing import Final

from replay.engine.findings import Code
from replay.engine.holdings import Held
from replay.engine.ledger import Ledger
from replay.engine.outcome import HandResult, TrickResult
from replay.engine.voice import Witness
from schemas.cards import CODE, KNOWN
from schemas.events import CardMissing, ChipsBought, PlayerJoined, PlayerLeft, RecordingBegan, SatOut, Unseen

BETWEEN: Final = 0
BEGUN: Final = 1
DEALING: Final = 2
TURNED: Final = 3
DECIDED: Final = 9
"""Phases of a hand that both games know; each game has further ones from 4 to 8."""


class Seating(Ledger):
    """The state of one table, moved in place by `step`; both games build on it.

    Seats are 1-based everywhere; index 0 is nobody.
    """

    __slots__ = (
        "ante",
        "ante_ought",
        "ante_ours",
        "antes_told",
        "barred",
        "came_late",
        "chips_due",
        "commitment",
        "cut_short",
        "dealer",
        "deals",
        "decided",
        "expected_dealer",
        "expected_left",
        "first_bad",
        "foretold",
        "hand_size",
        "in_last_pot",
        "in_pot",
        "leaving",
        "looks_back",
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
        "rightful_dealer",
        "sitting",
        "stock",
        "takers",
        "to_turn",
        "tricks",
        "trump",
        "turn_told",
        "turnup",
        "witness",
        "written_dealer",
    )

    def begin(self, game: str, pack: int, began: RecordingBegan, witness: Witness) -> None:
        """Before the first hand: everybody has sat down."""
        self.begin_cards(game, pack)
        self.begin_books(began.stacks or (0,) * len(began.seats), began.stacks is not None, began.pot or 0)
        self.witness = witness
        self.names: list[str] = ["", *began.seats]
        self.occupied = [False] + [True] * len(began.seats)
        self.chips_due: list[int | None] = list(self.stack)
        self.purses: dict[str, tuple[int, int | None, int, int]] = {}
        """By name of a player whose seat is another's now: chips, chips as due, debt, what of it is of penalties."""
        self.in_pot = [False] + [True] * len(began.seats)
        self.in_last_pot = self.in_pot.copy()
        """By seat: whether it had paid into the pot that lay there when the hand began."""
        self.sitting = 0
        self.leaving = 0
        self.came_late = 0
        """The seats, bit by seat, that joined while this hand was going on and have not staked for it."""
        self.barred = 0
        self.ante = 0
        self.ante_ours = True
        self.ante_ought = True
        self.antes_told = False
        self.paid_ante = 0
        self.expected_dealer = 0
        self.expected_left = False
        self.commitment = ""
        self.cut_short = False
        """The hand before had not ended when this one began, and nothing has been done in this one yet."""
        self.deals: list[tuple[int, tuple[str, ...]]] = []
        self.written_dealer = 0
        self.rightful_dealer = 0
        """Who should have dealt, where the record names another."""
        self.numbered = 0
        self.dealer = 0
        self.phase = BETWEEN
        self.looks_back = False
        """Some event so far changes what was read before it."""
        self._begin_clear(len(began.seats))

    def _begin_clear(self, seats: int) -> None:
        """Before the first hand: nothing lies on the table."""
        self.players: list[int] = []
        self.order: list[int] = []
        self.results: list[HandResult] = []
        self.tricks: list[TrickResult] = []
        self.trump = -1
        self.turnup = -1
        self.to_turn = ""
        """The card that is turned up in this hand, where the hand is judged with what later events show."""
        self.foretold: tuple[int, ...] | None = None
        """The seats, bit by seat, that are dealt to in this hand, that do something, and that ante; who speaks or plays
        first, and who is dealt to last: as `to_turn`."""
        self.turn_told = False
        """It was told that the game went on though no card was turned up."""
        self.stock = 0
        self.decided = False
        self.reason = ""
        self.takers: tuple[int, ...] = ()
        self.pot_due: tuple[int, int, int] = (0, 0, 0)
        self.played_any = False
        self.first_bad = 0
        self.hand_size = 0
        self.clear_holdings(seats)

    # -- who sits there -----------------------------------------------------------------------------------------

    def seats(self) -> int:
        """The highest seat number there ever was."""
        return len(self.names) - 1

    def left_of(self, seat: int) -> int:
        """The next seat clockwise that plays this hand (a seat that waits for the next pot does not deal)."""
        count = self.seats()
        for step in range(count):
            other = (seat + step) % count + 1
            if self.plays(other):
                return other
        return 0

    def clockwise_from(self, dealer: int) -> list[int]:
        """The players from the dealer's left round to the dealer."""
        ring, count = [], self.seats()
        for step in range(count):
            seat = (dealer + step) % count + 1
            if self.plays(seat):
                ring.append(seat)
        return ring

    def plays(self, seat: int) -> bool:
        """Whether the seat is to be dealt cards in this hand (`rules.md` 1.15; `record.md` 3.1, `sat_out`)."""
        if not self.occupied[seat] or (self.sitting | self.came_late) & (1 << seat):
            return False
        return self.in_pot[seat] or self.antes_due() or self.joins_at_once()

    def antes_due(self) -> bool:
        """Whether antes are due in this hand by either sum."""
        return self.ante_ours or self.ante_ought

    def joins_at_once(self) -> bool:
        """Whether somebody who has not paid into the pot that lies may play for it."""
        return False

    def on_player_joined(self, event: PlayerJoined) -> None:
        """Somebody sits down with chips; told, without effect, where the seat is taken (`record.md` 3.1)."""
        seat = event.seat
        if seat <= self.seats() and self.occupied[seat] and not self.leaving & (1 << seat):
            self.find(Code.OUT_OF_PLACE, seat, event.name, self.names[seat], "record.3.1")
            return
        if self.phase != BETWEEN:
            self.find(Code.OUT_OF_PLACE, seat, event.name, None, "record.3.1")
            self.came_late |= 1 << seat
        if seat > self.seats():
            self._new_seat()
        else:
            self._put_away(seat)
        for other, name in enumerate(self.names):
            if name == event.name and not self.occupied[other]:
                self._put_away(other)
        kept, due, owed, of_penalties = self.purses.pop(event.name, (0, 0, 0, 0))
        added = event.stack or 0
        self.leaving &= ~(1 << seat)
        self.debts[seat] = owed
        self.of_penalties[seat] = of_penalties
        self.names[seat] = event.name
        self.occupied[seat] = True
        self.in_pot[seat] = False
        self.stack[seat] = kept + added
        self.chips_due[seat] = None if due is None else due + added
        self.total += kept + added
        self.start_stack[seat] = self.stack[seat]
        if self.pot_basis() == 0 and self.pot_ought() == 0:
            self.in_pot[seat] = True

    def _put_away(self, seat: int) -> None:
        """The chips and the debt of whoever had the seat go with the name."""
        if self.names[seat]:
            debt, of_penalties = self.debts[seat], self.of_penalties[seat]
            self.purses[self.names[seat]] = (self.stack[seat], self.chips_due[seat], debt, of_penalties)
        self.total -= self.stack[seat]
        self.names[seat] = ""
        self.stack[seat] = self.debts[seat] = self.of_penalties[seat] = self.chips_due[seat] = 0

    def make_room(self, seats: int) -> None:
        """Rows for seats that an amendment names before somebody joins there."""
        while self.seats() < seats:
            self._new_seat()

    def carried(self, seat: int) -> int:
        due = self.chips_due[seat]
        return 0 if due is None else due - self.start_stack[seat] - self.bought[seat]

    def open_debts(self) -> list[tuple[int, int]]:
        """Seat and chips of each debt that is open; seat 0 for players who have left and whose seat is another's."""
        debts = [(0, self.owed_on(debt, of_penalties)) for _, _, debt, of_penalties in self.purses.values()]
        for seat, debt in enumerate(self.debts):
            debts.append((seat, self.owed_on(debt, self.of_penalties[seat])))
        return [(seat, debt) for seat, debt in debts if debt]

    def owed_on(self, debt: int, of_penalties: int) -> int:
        """The chips of a debt still to be paid; whoever may pay it asks, not whoever lacked it."""
        return debt

    def _new_seat(self) -> None:
        sums = self.stack, self.debts, self.of_penalties, self.bought, self.start_stack
        for row in (*sums, self.adj_ours, self.adj_ought):
            row.append(0)
        self.held.append(Held())
        self.chips_due.append(0)
        self.names.append("")
        self.occupied.append(False)
        self.in_pot.append(False)
        self.in_last_pot.append(False)
        self.grow()

    def grow(self) -> None:
        """A seat more than there were: a game that keeps rows by seat adds to them."""

    def on_player_left(self, event: PlayerLeft) -> None:
        """Somebody leaves; in mid-hand the seat stays in it until its end (`record.md` 3.1)."""
        if not self.occupied[event.seat]:
            self.find(Code.OUT_OF_PLACE, event.seat, None, None, "record.3.1")
            return
        if self.phase == BETWEEN:
            self.occupied[event.seat] = False
            self.in_pot[event.seat] = False
        else:
            self.leaving |= 1 << event.seat

    def on_sat_out(self, event: SatOut) -> None:
        """The seat plays no part in this hand; told, without effect, after its ante or the deal (`record.md` 3.1)."""
        self.cut_short = False
        if self.phase != BEGUN or not self.occupied[event.seat] or self.paid_ante & (1 << event.seat):
            self.find(Code.OUT_OF_PLACE, event.seat, None, None, "record.3.1")
            return
        self.sitting |= 1 << event.seat

    def on_chips_bought(self, event: ChipsBought) -> None:
        """The seat buys chips; in mid-hand it is told, and they count all the same (`record.md` 3.1)."""
        if self.phase != BETWEEN:
            self.find(Code.OUT_OF_PLACE, event.seat, None, None, "record.3.1")
        self.stack[event.seat] += event.amount
        self.bought[event.seat] += event.amount
        self.total += event.amount
        due = self.chips_due[event.seat]
        self.chips_due[event.seat] = None if due is None else due + event.amount

    def on_card_missing(self, event: CardMissing) -> None:
        """The pack lacks a card from here on; told where it lies in this hand (`record.md` 3.1)."""
        code = CODE[event.card]
        if code < KNOWN:
            bit = 1 << code
            if not bit & self.pack:
                self.find(Code.CARD_NOT_IN_PACK, 0, event.card, None, self.game + ".2")
                return
            if bit & self.missing:
                return
            if self.phase != BETWEEN and bit & self.seen:
                self.find(Code.REVEAL_CONTRADICTS, 0, event.card, None, "record.3.1")
            self.missing |= bit
            self.seen |= bit
        self.barred += 1
        if self.phase > DEALING and self.stock:
            self.stock -= 1

    def on_unseen(self, event: Unseen) -> None:
        """Pot and stacks are unknown from here on, and of a hand under way no more is judged (`record.md` 3.1)."""
        self.find(Code.UNKNOWN_CARD, 0, "unseen", None, "record.3.1")
        self.pot_unseen = self.stacks_unseen = True
        if self.phase != BETWEEN:
            self.silent = True
        else:
            self.expected_dealer = 0
            self.numbered = -1

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
        if len(self.players) > limit and not any(
            finding.code is Code.TOO_MANY_SEATS and finding.seq == 0 for finding in self.findings
        ):
            self._tell_at_began(Code.TOO_MANY_SEATS, 0, len(self.players), limit, self.game + ".1")

    def rules_seats_max(self) -> int:
        """The most seats the rules allow."""
        raise NotImplementedError

    def _tell_dealer(self, expected: int) -> None:
        self.rightful_dealer = expected
        self._tell_at_began(Code.WRONG_DEALER, self.dealer, self.dealer, expected, self.game + self.dealer_rule())

    def dealer_rule(self) -> str:
        """The paragraph that says who deals."""
        return ".4" if self.game == "bura" else ".2"

    def _tell_at_began(self, code: Code, seat: int, recorded: int, expected: int, rule: str) -> None:
        now = self.seq
        self.seq = self.began_seq
        self.find(code, seat, recorded, expected, rule)
        self.seq = now
