"""What a draw or a stay costs in Bourré (`rules.md` 4.5, `draw_fee`)."""

from typing import Final

from replay.engine.bourre.state import SPEAKING
from replay.engine.bourre.stock import BourreStock
from replay.engine.findings import Code
from replay.engine.ledger import Dues
from schemas.rules import DrawFee

# What every hand asks for: before Python 3.12 an enum's member takes ten times as long to look up as a name.
ANTE_IF_DRAWING: Final = DrawFee.ANTE_IF_DRAWING
ANTE_IF_STAYING: Final = DrawFee.ANTE_IF_STAYING


class BourreFees(BourreStock):
    """Fees: who owes one, and when it lacks."""

    __slots__ = ()

    def _fee(self) -> Dues:
        return self.ante, self.ante, self.ante

    def on_fee(self, seat: int, amount: int, why: str) -> None:
        if why != "draw_fee":
            super().on_fee(seat, amount, why)
            return
        if self.comes_late(seat, amount, why):
            return
        late = self._fee_of_survivor(seat)
        if not self.ante and self.stacks_unseen and self._fee_expected(seat, amount):
            self.ante = amount  # nobody saw it set
        if not self.ante or not (late or self._fee_expected(seat, amount)):
            self.find(Code.UNEXPECTED_STAKE, seat, amount, None, "draw_fee")
            self.comes_early(seat, amount, why)
            self.book_in(seat, amount, (0, 0, 0))
            return
        self.fee_paid |= 1 << seat
        self.stake(seat, amount, self._fee(), "draw_fee")
        if late:
            self.settle_again()

    def _fee_of_survivor(self, seat: int) -> bool:
        """Whether who stayed may still pay for it where all others folded: no lead will come (`ante_if_staying`)."""
        due = self.reason == "sole_survivor" and not self.pot_taken_now and self.staying >> seat & 1
        return bool(due and not self.fee_paid >> seat & 1) and self.rules.draw_fee is ANTE_IF_STAYING

    def _fee_expected(self, seat: int, amount: int) -> bool:
        """Whether a draw fee may be paid by this seat now; one paid before the discard is remembered (`draw_fee`)."""
        if self.phase != SPEAKING or not self.staying >> seat & 1 or self.fee_paid >> seat & 1:
            return False
        rule = self.rules.draw_fee
        if rule is not ANTE_IF_DRAWING:
            return rule is ANTE_IF_STAYING
        if self.drawn >> seat & 1:
            return False
        if self.pending_seat != seat:
            self.early_fees[seat] = (self.seq, amount, self.ante)
        return True

    def need_fee(self, seat: int) -> None:
        """Before the draw its fee is due, as many chips as the ante (`bourre.5`)."""
        self.early_fees.pop(seat, None)
        if not self.fee_paid >> seat & 1 and self.ante and self.rules.draw_fee is ANTE_IF_DRAWING:
            self.fee_paid |= 1 << seat
            self.lack(seat, self._fee(), "draw_fee", "draw_fee")

    def need_staying_fees(self) -> None:
        """Before the first lead every seat that stayed has paid (`ante_if_staying`); of one not heard, see `hear`."""
        unpaid = [seat for seat in self.still_in() if not (self.fee_paid | self.unheard) >> seat & 1]
        if unpaid and self.ante and self.rules.draw_fee is ANTE_IF_STAYING:
            for seat in unpaid:
                self.fee_paid |= 1 << seat
                self.lack(seat, self._fee(), "draw_fee", "draw_fee")

    def owe_staying_fees(self) -> None:
        """Where all others have folded, who stayed and had nothing to pay the fee with owes it (`ante_if_staying`)."""
        for seat in self.still_in():
            unpaid = self.staying & ~self.fee_paid
            if unpaid >> seat & 1 and self.can_pay(seat) == 0 and self.ante and self.rules.draw_fee is ANTE_IF_STAYING:
                self.fee_paid |= 1 << seat
                self.lack(seat, self._fee(), "draw_fee", "draw_fee")

    def settle_fees(self) -> None:
        """Who paid for a draw and stood pat owed nothing: not a wrong fee, but none at all."""
        now = self.seq
        for seat, (seq, amount, due) in self.early_fees.items():
            self.seq = seq
            self.findings[:] = [each for each in self.findings if (each.code, each.seq) != (Code.WRONG_STAKE, seq)]
            self.find(Code.UNEXPECTED_STAKE, seat, amount, None, "draw_fee")
            self.shift(seat, -due, -due)
        self.seq = now
        self.early_fees = {}
