"""What is paid: antes, fees, debts, penalties, the pot; and the claims about chips (`rules.md` 1.3, 1.15, 4.3)."""

from typing import Final

from replay.engine.findings import Code
from replay.engine.ledger import ALL, NOTHING, Dues
from replay.engine.seating import BEGUN, BETWEEN, DECIDED, Seating
from schemas.events import PotCounted, PotTaken, StackCounted, Staked

PENALTY_RULE: Final = {"failed_open": "bura.12", "razburka": "bura.14", "bourre": "bourre.10"}
"""By reason of a payment that the decided hand makes due: its paragraph."""


class Payments(Seating):
    """The part of the table that judges each move of chips."""

    __slots__ = ()

    def ante_of(self, seat: int) -> tuple[int, int, int]:
        """The chips of the seat's ante, by each sum (`rules.md` 1.3, 4.3)."""
        ours = self.ante if self.ante_ours else 0
        return ours, ours, self.ante if self.ante_ought else 0

    def on_ante(self, seat: int, amount: int) -> None:
        """An ante is paid."""
        if self.lacking and self.comes_late(seat, amount, "ante"):
            return
        if self.ante == 0:
            self.ante = amount
        self.came_late &= ~(1 << seat)
        due = self.ante_of(seat)
        if self.phase != BEGUN or self.paid_ante & (1 << seat) or not self.plays(seat):
            due = (0, 0, 0)
        if due == NOTHING:
            self.find(Code.UNEXPECTED_STAKE, seat, amount, None, self.ante_rule())
            self.book_in(seat, amount, due)
            return
        self.paid_ante |= 1 << seat
        self.in_pot[seat] = True
        self.stake(seat, amount, due, self.ante_rule())

    def ante_rule(self) -> str:
        """The paragraph of the ante."""
        return "bura.3" if self.game == "bura" else "bourre.3"

    def tell_missing_antes(self) -> None:
        """The deal begins: who should have paid and has not."""
        self.antes_told = True
        if not self.players:
            self.seat_players()
        for seat in self.players:
            if not self.paid_ante & (1 << seat):
                due = self.ante_of(seat)
                if due != NOTHING:
                    if not self.antes_unseen(seat):
                        self.lack(seat, due, self.ante_rule(), "ante")
                    self.in_pot[seat] = True
        if self.ante_ours != self.ante_ought and self.alive != ALL:
            self._go_on_with_the_pot()
        elif self.antes_unseen() and not self.joins_at_once():
            self._ask_who_waits()

    def _ask_who_waits(self) -> None:
        """Nobody saw whether a pot lies there: for one that does, whoever has not paid into it has to wait."""
        ring = [(self.dealer + step) % self.seats() + 1 for step in range(self.seats())]
        seated = [seat for seat in ring if self.occupied[seat] and not self.sitting >> seat & 1]
        paid = [seat for seat in seated if self.in_last_pot[seat]]
        if paid != seated:
            all_play = self.witness.choose(Code.UNKNOWN_CARD, "join_pot", (False, True), self.seq)
            self.players = seated if all_play else paid

    def _go_on_with_the_pot(self) -> None:
        """Antes were due by one of the two sums only, and what was paid shows which sum stands (`report.md` 1).

        Where none are due by that one, all who paid into the pot that lies are in it still; whoever has not may have to
        wait for the next (`join_pot`).
        """
        if self.ante_ours if self.by_start() else self.ante_ought:
            return
        if not self.joins_at_once():
            self.players = [seat for seat in self.players if self.in_last_pot[seat]]
        self.in_pot = [paid or seat in self.players for seat, paid in enumerate(self.in_last_pot)]

    # -- claims both games make -----------------------------------------------------------------------------------

    def on_pot_counted(self, event: PotCounted) -> None:
        """The chips of the pot as said: right by any of the sums that stand, else told (`report.md` 1)."""
        if self.silent or self.pot_unseen:
            return
        if self.fits(event.amount, self.pots(), 0):
            return
        if self.pot_is_hidden() or any(event.amount == self.pot + self.gap_ought + more for more, _ in self.oughts):
            self.find(Code.UNKNOWN_CARD, 0, str(Code.POT_MISCOUNTED), None, self.game + self.money_rule())
        else:
            self.find(Code.POT_MISCOUNTED, 0, event.amount, self.due_now(self.pots()), self.game + self.money_rule())

    def on_stack_counted(self, event: StackCounted) -> None:
        """The seat's chips as said: a note where it should have them, an error where not even that (`report.md` 1)."""
        seat, amount = event.seat, event.amount
        more = amount - self.stack[seat]
        if not more or self.pot_unseen:
            return
        rule = self.game + self.money_rule()
        if amount == self._stack_ought(seat):
            if self.otherwise.get(seat) != more:
                self.find(Code.CARRY_DISPUTED, seat, amount, "should", rule)
            self.otherwise[seat] = more
        elif self.stacks_unseen:
            self.find(Code.UNKNOWN_CARD, seat, str(Code.STACK_MISCOUNTED), None, rule)
        else:
            self.find(Code.STACK_MISCOUNTED, seat, amount, self.stack[seat], rule)

    def _stack_ought(self, seat: int) -> int | None:
        """What the seat should have now, wrong payments put right; None where that is not known."""
        due = self.chips_due[seat]
        return due if due is None or self.phase == BETWEEN else due + self.net_due(seat)

    def money_rule(self) -> str:
        """The paragraph about money."""
        return ".15" if self.game == "bura" else ".10"

    # -- payments -------------------------------------------------------------------------------------------------

    def on_staked(self, event: Staked) -> None:
        """Chips go into the pot: judged by what they are for (`rules.md` 1.3, 1.12-1.15, 4.3, 4.5, 4.10)."""
        seat, amount, why = event.seat, event.amount, event.why
        if why == "ante":
            self.cut_short = False
        if self.silent:
            self.book_in(seat, amount, (amount, amount, amount))
        elif self.phase == BETWEEN:
            if not self.comes_late(seat, amount, why):
                self.find(Code.UNEXPECTED_STAKE, seat, amount, None, self.game + self.money_rule())
                self.early[seat, why] = amount
                self.book_in(seat, amount, NOTHING)
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
        open_debt = self.owed_on(self.debts[seat], self.of_penalties[seat])
        can = max(self.within_means(seat, (amount, amount, amount)))
        rule = self.game + self.money_rule()
        if self.capped and amount > min(open_debt, can) and self._debts_unseen():
            self.find(Code.UNKNOWN_CARD, seat, str(Code.WRONG_STAKE), None, rule)
            self._forget_debt(seat, amount)
            self.book_in(seat, amount, (amount, amount, amount))
        elif not open_debt:
            self.find(Code.UNEXPECTED_STAKE, seat, amount, None, rule)
            self._forget_debt(seat, amount)
            self.book_in(seat, amount, (0, 0, 0))
        elif amount > can:
            self.find(Code.OVERDRAWN, seat, amount, can, rule)
            self.take_debt(seat, amount, min(open_debt, can))
        elif amount > open_debt:
            self.find(Code.WRONG_STAKE, seat, amount, open_debt, rule)
            self.take_debt(seat, amount, open_debt)
            self._forget_debt(seat, amount - open_debt)
        else:
            self.take_debt(seat, amount, amount)

    def _debts_unseen(self) -> bool:
        """Whether there may be debts that nobody saw made, and chips that nobody saw won."""
        return self.stacks_unseen and self.owed_on(1, 0) > 0

    def take_debt(self, seat: int, amount: int, due: int) -> None:
        """So much of a debt is paid, of which `due` is right; it lies in the pot."""
        self._forget_debt(seat, due)
        self.book_in(seat, amount, (due, due, due))

    def _forget_debt(self, seat: int, amount: int) -> None:
        """A debt gets less, last of all what of it is of penalties."""
        self.debts[seat] -= min(amount, self.debts[seat])
        self.of_penalties[seat] = min(self.of_penalties[seat], self.debts[seat])

    def on_fee(self, seat: int, amount: int, why: str) -> None:
        """A payment of a kind that this game or moment does not know."""
        self.find(Code.UNEXPECTED_STAKE, seat, amount, None, self.game + self.money_rule())
        self.book_in(seat, amount, (0, 0, 0))

    def on_penalty(self, seat: int, amount: int, why: str) -> None:
        """What a decided hand makes somebody pay into the pot."""
        self.decide_at_last()
        hidden = self.is_of_the_pot(why) and self.pot_is_hidden()
        if hidden and seat in self.dues_in and self.dues_in[seat][0] == why:
            due = self.dues_in[seat][1]
            if not self.capped or amount >= self.due_now(due):
                self.learn_pot(amount, due, len(self.dues_in) if why == "razburka" else 1)
            if self.capped and self.stacks_unseen:  # it may be all that the seat has
                self.pot_hidden = True
        owed = self.dues_in.get(seat)
        if owed is None or owed[0] != why:
            self.find(Code.UNEXPECTED_STAKE, seat, amount, None, self.penalty_rule(why))
            self.comes_early(seat, amount, why)
            self.book_in(seat, amount, (0, 0, 0))
            return
        del self.dues_in[seat]
        self.done_in[seat] = owed[1]
        if hidden and self.still_hidden(amount, owed[1]):
            self.find(Code.UNKNOWN_CARD, seat, str(Code.WRONG_STAKE), None, self.penalty_rule(why))
            self.book_in(seat, amount, (amount, amount, amount))
            return
        if owed[1] == NOTHING:
            self.find(Code.UNEXPECTED_STAKE, seat, amount, None, self.game + self.money_rule())
            self.book_in(seat, amount, (0, 0, 0))
            return
        self.stake(seat, amount, owed[1], self.penalty_rule(why))

    def is_of_the_pot(self, why: str) -> bool:
        """Whether so much as the pot holds, or a part of it, is due of a penalty: it shows what lies there."""
        return True

    def penalty_rule(self, why: str) -> str:
        """The paragraph of a penalty."""
        return PENALTY_RULE[why]

    def on_pot_taken(self, event: PotTaken) -> None:
        """Chips are taken from the pot: judged by what the decided hand makes due (`rules.md` 1.15, 4.10)."""
        seat, amount = event.seat, event.amount
        if self.silent:
            self.book_out(seat, amount, (amount, amount, amount))
            return
        self.decide_at_last()
        if seat in self.dues_out and self.pot_is_hidden():
            self.learn_pot(amount, self.dues_out[seat], len(self.dues_out))
        due, shares = NOTHING, seat in self.dues_out
        if shares:
            due = self.done_out[seat] = self.dues_out[seat]
            del self.dues_out[seat]
        if due == NOTHING and not (shares and self.still_hidden(amount, due)):
            if self.phase != BETWEEN or not self.told_as_lacking(seat, amount, "pot"):
                self.unexpected_payout(seat, amount)
                self.comes_early(seat, amount, "pot")
            self.book_out(seat, amount, NOTHING)
            if self.phase == BETWEEN and not self.pot:
                self.pot_emptied()
            return
        if self.still_hidden(amount, due):
            self.find(Code.UNKNOWN_CARD, seat, str(Code.WRONG_PAYOUT), None, self.game + self.money_rule())
            due = amount, amount, amount
        elif not self.fits(amount, due, seat):
            self.find(Code.WRONG_PAYOUT, seat, amount, self.due_now(due), self.game + self.money_rule())
        self.book_out(seat, amount, due)

    def comes_early(self, seat: int, amount: int, why: str) -> None:
        """A payment that is told as not due may become so before the hand is decided: it does not lack then."""
        if not self.decided and self.phase != BETWEEN:
            self.early[seat, why] = amount

    def pot_emptied(self) -> None:
        """Between hands the last chips were taken from the pot."""

    def pot_is_hidden(self) -> bool:
        """Whether nothing has shown yet what lay in the pot when the hand began."""
        return self.pot_hidden

    def antes_unseen(self, seat: int = 0) -> bool:
        """Whether nobody can tell if antes were due, of this seat or of all."""
        return False

    def learn_pot(self, amount: int, due: Dues, parts: int) -> None:
        """The first payment of one of so many equal shares, but for an odd chip, shows what lay in the pot unseen."""
        odd = [each - pot // parts for each, pot in zip(due, self.pots(), strict=True)]
        if self.done_in or self.done_out or not 0 <= min(odd) <= max(odd) < min(parts, 2):
            parts = 0
        self.pot_hidden = not self.shows_all(amount, parts)
        if amount in {sum_due for place, sum_due in enumerate(due) if self.alive & (1 << place)}:
            return
        if parts:
            self.pot_shown(amount * parts)
            self.settle_again()

    def still_hidden(self, amount: int, due: Dues) -> bool:
        """Whether a payment that fits no sum may fit a pot of which only parts were shown."""
        return self.pot_is_hidden() and amount not in due

    def shows_all(self, amount: int, parts: int) -> bool:
        """Whether a payment of one of so many equal parts (0: it is none) shows the whole pot that nobody saw."""
        return True

    def settle_again(self) -> None:
        """The hand is decided as it was, of a pot that is another than was thought."""

    def unexpected_payout(self, seat: int, amount: int) -> None:
        """Somebody takes chips from the pot who has no right to them."""
        self.find(Code.UNEXPECTED_PAYOUT, seat, amount, None, self.game + self.money_rule())

    def decide_at_last(self) -> None:
        """A payment or the end comes: what had to wait for it is decided now."""

    def settle(self, reason: str, takers: tuple[int, ...]) -> None:
        """The hand is decided: why, and who takes."""
        self.decided = True
        self.reason = reason
        self.takers = takers
        self.phase = DECIDED
        self.pot_due = self.pots()
