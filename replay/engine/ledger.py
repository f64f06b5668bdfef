"""Chips: stacks, the pot, and the two sums that exist after a wrong payment (`report.md` 1).

`pot` is what lies there by the recorded moves. `gap_ours` and `gap_ought` are what is to be added to it to get the
pot that should lie there: the first counted from the chips that lay at the hand's beginning, the second from the
chips that should have lain there. All three agree as long as nobody pays wrongly, so a right payment costs nothing.
"""

from typing import Final

from replay.engine.findings import Code
from replay.engine.holdings import Holdings

MOVED: Final = 1
OURS: Final = 2
OUGHT: Final = 4
ALL: Final = 7
"""Bits of the sums by which a payment may be right: the chips that lie there, those of the hand's own start, those that
should have lain there."""

Dues = tuple[int, int, int]
"""An amount due by each sum: by the chips that lie there, by the hand's own start, by what should have lain there."""
NOTHING: Final[Dues] = (0, 0, 0)
"""No chips by any sum."""


class Ledger(Holdings):
    """Stacks and pot; every move conserves chips: what leaves a stack is in the pot and the other way round."""

    __slots__ = (
        "adj_ought",
        "adj_ours",
        "alive",
        "bought",
        "capped",
        "debts",
        "done_in",
        "done_out",
        "dues_in",
        "dues_out",
        "early",
        "gap_ought",
        "gap_ours",
        "lacking",
        "of_penalties",
        "otherwise",
        "oughts",
        "pot",
        "pot_hidden",
        "pot_taken_now",
        "pot_unseen",
        "stack",
        "stacks_unseen",
        "start_ought",
        "start_pot",
        "start_stack",
        "total",
    )

    def begin_books(self, stacks: tuple[int, ...], capped: bool, pot: int) -> None:
        """Before the first hand: the chips that everybody brought, and those that lie in the pot."""
        self.stack = [0, *stacks]
        self.capped = capped
        self.pot = pot
        self.gap_ours = 0
        self.gap_ought = 0
        self.oughts: tuple[tuple[int, bool], ...] = ()
        """Where the hand before leaves open which of several sums should lie there: by each, what is to be added to
        `gap_ought`, in which late payments are reckoned, and whether antes are due by it."""
        self.alive = ALL
        self.debts = [0] * len(self.stack)
        self.of_penalties = self.debts.copy()
        """What of each debt was lacking for a penalty."""
        self.total = sum(stacks) + pot
        self.bought = [0] * len(self.stack)
        self.start_pot = pot
        self.start_ought = pot
        self.start_stack = list(self.stack)
        self.adj_ours = [0] * len(self.stack)
        self.adj_ought = [0] * len(self.stack)
        self.dues_in: dict[int, tuple[str, Dues]] = {}
        self.dues_out: dict[int, Dues] = {}
        self.done_in: dict[int, Dues] = {}
        self.done_out: dict[int, Dues] = {}
        self.lacking: dict[tuple[int, str], int] = {}
        self.early: dict[tuple[int, str], int] = {}
        """By seat and kind: payments told as lacking; and those told as not due when they were made."""
        self.otherwise: dict[int, int] = {}
        """By seat: how many chips more than by the moves were counted, as they should be, when it was last told."""
        self.pot_taken_now = False
        self.pot_unseen = False
        """Something was not seen since the last hand began: what lies in the pot is not known."""
        self.pot_hidden = False
        """What lay in the pot when this hand began is not known, and no payment has shown it yet."""
        self.stacks_unseen = False
        """Something was not seen in some hand: what anybody has is not known any more."""

    def open_books(self) -> None:
        """A hand begins: it is judged from what lies in the pot now, and from what should lie there."""
        ought = self.pot_ought()
        self.start_pot = self.pot_basis()
        self.pot_adopt(self.start_pot)
        self.start_ought = ought
        self.gap_ours = 0
        self.gap_ought = ought - self.pot
        self.alive = ALL
        self.start_stack = self.stack.copy()
        nothing = [0] * len(self.stack)
        self.bought = nothing.copy()
        self.adj_ours = nothing.copy()
        self.adj_ought = nothing
        self.dues_in.clear()
        self.dues_out.clear()
        self.done_in.clear()
        self.done_out.clear()
        self.lacking.clear()
        self.pot_taken_now = False
        self.pot_hidden = self.pot_hidden or self.pot_unseen
        self.pot_unseen = False
        if self.pot_hidden:
            self.forget_pot()

    def forget_pot(self) -> None:
        """Nobody saw what became of the pot: what lies there by the recorded moves, or nothing."""
        self.start_ought = 0
        self.gap_ought = -self.pot

    def pot_shown(self, pot: int) -> None:
        """A payment shows what lay in a pot that nobody saw: the hand is judged from that."""
        more = pot - self.pot
        self.pot_adopt(pot)
        self.start_pot += more
        self.start_ought = self.start_pot
        self.gap_ought = self.gap_ours
        self.alive = ALL

    def pot_basis(self) -> int:
        """The chips of the pot by the sum that stands now: those that lie there, unless a payment showed another."""
        if self.alive & MOVED:
            return self.pot
        return self.pot + (self.gap_ours if self.alive & OURS else self.gap_ought)

    def pot_ought(self) -> int:
        """The chips that should lie there now."""
        if self.alive == MOVED:
            return self.pot
        return self.pot + (self.gap_ought if self.alive & OUGHT else self.gap_ours)

    def pot_adopt(self, basis: int) -> None:
        """From now on the table counts from so many chips."""
        self.total += basis - self.pot
        self.pot = basis

    def pots(self) -> Dues:
        """The pot now by each of the three sums; where more was taken than lay there, nothing is left to be had."""
        return max(0, self.pot), max(0, self.pot + self.gap_ours), max(0, self.pot + self.gap_ought)

    def conserved(self) -> bool:
        """Whether all chips are still there."""
        chips = self.pot
        for stack in self.stack:
            chips += stack
        return chips == self.total

    def fits(self, amount: int, dues: Dues, seat: int) -> bool:
        """Whether so many chips are right by one of the sums that stand; that sum is the basis from then on."""
        if dues[0] == dues[1] == dues[2]:
            return amount == dues[0]
        match = 0
        for place, due in enumerate(dues):
            if due == amount:
                match |= 1 << place
        match &= self.alive
        if not match:
            return False
        if match != self.alive and len({due for place, due in enumerate(dues) if self.alive & (1 << place)}) > 1:
            used = "lying" if match & MOVED else "should"
            self.find(Code.CARRY_DISPUTED, seat, amount, used, "report.1")
        self.alive = match
        return True

    def due_now(self, dues: Dues) -> int:
        """The one amount to tell as due: by the sum that a payment has shown, or else as `due_truly`."""
        return dues[0] if self.alive == MOVED else self.due_truly(dues)

    def due_truly(self, dues: Dues) -> int:
        """The amount due by the sum that this hand's report reckons with: its own wrong payments put right."""
        return dues[1] if self.by_start() else dues[2]

    def by_start(self) -> bool:
        """Whether the hand is reckoned from the chips that lay there when it began: no payment has shown the others."""
        return bool(self.alive & OURS) or not self.alive & OUGHT

    def can_pay(self, seat: int) -> int | None:
        """The chips the seat has, or None where balances are open."""
        return max(0, self.stack[seat]) if self.capped else None

    def carried(self, seat: int) -> int:
        """How many chips more, or less, the seat should have had when the hand began: it was paid wrongly before."""
        return 0

    def within_means(self, seat: int, dues: Dues) -> Dues:
        """What of an amount due the seat can pay: of what it has, or of what it should have by the other sums."""
        can = self.can_pay(seat)
        if can is None:
            return dues
        ours, ought = self.adj_ours[seat], self.adj_ought[seat]
        has = self.stack[seat]
        by_ours, by_ought = has + ours, has + ought + self.carried(seat)
        if can >= max(dues) and by_ours >= dues[1] and by_ought >= dues[2]:
            return dues
        return min(dues[0], can), min(dues[1], max(0, by_ours)), min(dues[2], max(0, by_ought))

    def book_in(self, seat: int, amount: int, dues: Dues) -> None:
        """The seat paid `amount` chips where `dues` were due."""
        self.stack[seat] = self.stack[seat] - amount
        self.pot += amount
        if dues[1] != amount or dues[2] != amount:
            self.shift(seat, dues[1] - amount, dues[2] - amount)

    def book_out(self, seat: int, amount: int, dues: Dues) -> None:
        """The seat took `amount` chips where `dues` were due."""
        self.stack[seat] = self.stack[seat] + amount
        self.pot -= amount
        self.pot_taken_now = True
        if dues[1] != amount or dues[2] != amount:
            self.shift(seat, amount - dues[1], amount - dues[2])

    def shift(self, seat: int, more_ours: int, more_ought: int) -> None:
        """So many chips more than moved should have gone from the seat into the pot, by either sum."""
        if more_ours:
            self.gap_ours += more_ours
            self.adj_ours[seat] -= more_ours
        if more_ought:
            self.gap_ought += more_ought
            self.adj_ought[seat] -= more_ought

    def stake(self, seat: int, amount: int, full: Dues, rule: str) -> None:
        """Judge and book a payment that is due; what the seat cannot pay is a debt (`rules.md` 1.15, `debt`)."""
        dues = self.within_means(seat, full) if self.capped else full
        if dues == (amount, amount, amount) and dues == full:
            self.stack[seat] = self.stack[seat] - amount
            self.pot += amount
            return
        if not self.fits(amount, dues, seat):
            can = self.can_pay(seat)
            if can is not None and self.stacks_unseen and amount <= max(full):
                self.find(Code.UNKNOWN_CARD, seat, str(Code.WRONG_STAKE), None, rule)
                self.book_in(seat, amount, (amount, amount, amount))
                return
            code = Code.OVERDRAWN if can is not None and amount > can else Code.WRONG_STAKE
            self.find(code, seat, amount, self.due_now(dues), rule)
        self.debts[seat] += self.due_now(full) - self.due_now(dues)
        self.book_in(seat, amount, dues)

    def lack(self, seat: int, full: Dues, rule: str, why: str) -> None:
        """A payment due has not come; nothing lacks where one of the sums asks for nothing, or where it came early."""
        dues = full if self.came_early(seat, full, why) else self.within_means(seat, full)
        self.debts[seat] += self.due_now(full) - self.due_now(dues)
        if why == "ante" and self.came_early(seat, dues, why):
            self.start_pot -= dues[0]
            self.start_stack[seat] += dues[0]
            self.shift(seat, 0, dues[2])
            return
        if self.came_early(seat, dues, why) or self.fits(0, dues, seat):
            self.shift(seat, dues[1], dues[2])
            return
        if self.capped and self.stacks_unseen:
            self.find(Code.UNKNOWN_CARD, seat, str(Code.MISSING_STAKE), None, rule)
            return
        self.find(Code.MISSING_STAKE, seat, None, self.due_now(dues), rule)
        self.lacking[seat, why] = self.due_now(dues)
        self.shift(seat, dues[1], dues[2])

    def came_early(self, seat: int, due: Dues, why: str) -> bool:
        """Whether this payment was made before it was due, which was told then."""
        return bool(self.early) and self.early.get((seat, why)) == self.due_now(due)

    def comes_late(self, seat: int, amount: int, why: str) -> bool:
        """A payment told as lacking comes after all: it is booked without a second word."""
        late = self.told_as_lacking(seat, amount, why)
        if late:
            self.book_in(seat, amount, NOTHING)
        return late

    def told_as_lacking(self, seat: int, amount: int, why: str) -> bool:
        """Whether this very payment was told as lacking; it is so only once."""
        if self.lacking.get((seat, why)) != amount:
            return False
        del self.lacking[seat, why]
        return True

    def still_due(self, seat: int) -> int:
        """What a decided hand still makes due of the seat: its share, less what it can pay of what it owes."""
        gets = self.due_truly(self.dues_out.get(seat, NOTHING))
        owes = self.due_truly(self.within_means(seat, self.dues_in.get(seat, ("", NOTHING))[1]))
        return gets - owes

    def share_and_debt(self, seat: int) -> tuple[int, int]:
        """The chips of the seat's share of the pot and those it owes, as decided, paid or not."""
        gets = self.done_out.get(seat) or self.dues_out.get(seat, NOTHING)
        owes = self.done_in.get(seat) or self.dues_in.get(seat, ("", NOTHING))[1]
        return self.due_truly(gets), self.due_truly(owes)

    def net_recorded(self, seat: int) -> int:
        """What the seat's chips changed by in this hand, by the recorded moves."""
        return self.stack[seat] - self.start_stack[seat] - self.bought[seat]

    def net_due(self, seat: int) -> int:
        """What they should have changed by, from the pot the hand began with (`report.md` 4)."""
        adjust = self.adj_ours if self.by_start() else self.adj_ought
        return self.stack[seat] - self.start_stack[seat] - self.bought[seat] + adjust[seat]
