"""How a hand ends: payments that lack, reasons, what it came to, and what that means for the next (`report.md` 1)."""

from typing import Final

from replay.engine.findings import Code, Finding, Severity
from replay.engine.ledger import ALL
from replay.engine.outcome import HandResult, SeatResult, TrickResult
from replay.engine.payments import Payments
from replay.engine.seating import BEGUN, BETWEEN
from schemas.cards import SUITS
from schemas.events import HandEnded

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
MOST_OUGHTS: Final = 6
"""Of so many sums that may be what should lie there each is followed into the next hand; of more, none is."""


class Ending(Payments):
    """The part of the table that closes a hand."""

    __slots__ = ()

    def on_hand_ended(self, event: HandEnded) -> None:
        """The hand is over: payments that lack and a reason that is not the true one are told (`record.md` 3.1)."""
        if self.phase == BETWEEN or self._ends_the_hand_before():
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
            if self.phase == BEGUN and self.paid_ante:
                self.tell_missing_antes()
            true = "abandoned" if self.played_any else "misdeal"
            self.give_up(true)
            if event.reason != true:
                self.find(Code.WRONG_REASON, 0, event.reason, true, "record.3.1")
        else:
            self.tell(Code.HAND_UNFINISHED, Severity.ERROR, 0, event.reason, None, "record.4")
            self.give_up("abandoned")
        self.close_hand(known=True)

    def _ends_the_hand_before(self) -> bool:
        """Whether this is the lacking end of the hand before, and nothing has been done yet in the one that began."""
        return self.cut_short and self.phase == BEGUN

    def tell_lacks(self) -> None:
        """Payments a decided hand made due that have not come."""
        for seat, due in self.dues_out.items():
            if self.came_early(seat, due, "pot") or self.fits(0, due, seat):
                self.shift(seat, -due[1], -due[2])
                continue
            self.find(Code.MISSING_PAYOUT, seat, None, self.due_now(due), self.game + self.money_rule())
            self.lacking[seat, "pot"] = self.due_now(due)
            self.shift(seat, -due[1], -due[2])
        for seat, (why, due) in self.dues_in.items():
            if any(due):
                self.lack(seat, due, self.penalty_rule(why), why)
        if self.dues_out:
            self.done_out |= self.dues_out
            self.dues_out = {}
        if self.dues_in:
            self.done_in |= {seat: due for seat, (_, due) in self.dues_in.items()}
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
        """The hand stops without its end: an error, or a doubt where the record itself stops and may go on.

        What would still be paid or opened then is not told as lacking (`report.md` 1: a lack is told at an event).
        """
        goes_on = severity is Severity.DOUBT
        if not goes_on:
            self.decide_at_last()
        if not self.silent:
            told = len(self.findings)
            if self.decided:
                self.tell_lacks()
            if goes_on:
                del self.findings[told:]
            self.tell(Code.HAND_UNFINISHED, severity, 0, None, None, "record.4")
        if not self.decided:
            self.give_up("abandoned")
        self.close_hand(known=not self.silent and self.decided)

    def cut_off(self) -> None:
        """Another hand begins at the present event, and this one has not ended, or not where anybody saw it."""
        told = not self.silent
        self.break_off(Severity.ERROR)
        self.cut_short = told

    def settle_open_ends(self) -> None:
        """The record stops here for now; nothing more is told of the hand until it goes on or ends."""

    def close_hand(self, known: bool) -> None:
        """Write down what the hand came to, and what it means for the next."""
        assert self.conserved()
        self.results.append(self.result(known))
        for seat, due in enumerate(self.chips_due):
            if not seat:
                continue
            self.chips_due[seat] = due + self.net_due(seat) if known and due is not None else None
            if self.leaving & (1 << seat):
                self.occupied[seat] = False
                self.in_pot[seat] = False
        self.early.clear()
        self.prepare_next(known)
        self.phase = BETWEEN
        self.silent = False
        self.cut_short = False

    def prepare_next(self, known: bool) -> None:
        """Who deals the next hand and whether antes are due in it."""
        raise NotImplementedError

    def result(self, known: bool) -> HandResult:
        """The hand's result as it stands now; values that are not known are None."""
        ours = self.by_start()
        pot_after = self.pot + (self.gap_ours if ours else self.gap_ought)
        due = self.pot_due[1] if ours else self.pot_due[2]
        return HandResult(
            hand=self.hand,
            seq=self.began_seq,
            end=self.seq,
            dealer=self.written_dealer,
            trump=SUITS[self.trump] if self.trump >= 0 else None,
            pot_before=self.start_pot if ours else self.start_ought,
            pot=due if known else None,
            pot_after=pot_after if known else None,
            reason=self.reason if known and self.reason else None,
            takers=self.takers if known else None,
            tricks=self.told_tricks(),
            seats={seat: self.seat_result(seat, known) for seat in self.result_seats()},
            score=self.match_score() if known and self.reason else None,
        )

    def match_score(self) -> dict[int, int] | None:
        """Match points won in the decided hand, by seat; None where none are played for."""
        return None

    def told_tricks(self) -> tuple[TrickResult, ...]:
        """The tricks as the hand's result tells them."""
        return tuple(self.tricks)

    def result_seats(self) -> list[int]:
        """The seats that a hand's result speaks of: everybody who sat at the table, or played."""
        return [seat for seat, occupied in enumerate(self.occupied) if occupied or seat in self.players]

    def seat_result(self, seat: int, known: bool) -> SeatResult:
        """One seat's part of the result."""
        raise NotImplementedError

    def forget_what_differs(self, tables: list["Ending"]) -> None:
        """Of several ways one hand may have gone: keep what all share, count on from the recorded moves elsewhere.

        Of the sums that should lie there besides the recorded one, each is kept for the next hand (`report.md` 1).
        """
        if any(
            (each.expected_dealer, each.expected_left) != (self.expected_dealer, self.expected_left) for each in tables
        ):
            self.expected_dealer = 0
        decision = (self.decided, self.reason, self.takers)
        if self.phase != BETWEEN and any((each.decided, each.reason, each.takers) != decision for each in tables):
            self.decided = False
            self.reason = ""
            self.takers = ()
            self.dues_in, self.dues_out = {}, {}
        sums = (self.alive, self.gap_ours, self.gap_ought)
        if any((each.alive, each.gap_ours, each.gap_ought) != sums for each in tables):
            others = {each.pot_ought() for each in tables} - {self.pot}
            if self.phase == BETWEEN and 1 < len(others) <= MOST_OUGHTS:
                self.oughts = tuple(sorted({(each.pot_ought() - self.pot, each.ante_ought) for each in tables}))
            self.alive = ALL
            self.gap_ours = 0
            self.gap_ought = others.pop() - self.pot if len(others) == 1 else 0
        if any((each.ante_ours, each.ante_ought) != (self.ante_ours, self.ante_ought) for each in tables):
            self.ante_ours = self.ante_ought = self.antes_by_moves()
        for seat in range(1, len(self.chips_due)):
            if any(each.chips_due[seat] != self.chips_due[seat] for each in tables):
                self.chips_due[seat] = None
            self.debts[seat] = max(each.debts[seat] for each in tables)
            self.of_penalties[seat] = max(each.of_penalties[seat] for each in tables)
            self.in_pot[seat] = any(each.in_pot[seat] for each in tables)

    def forget_all(self) -> None:
        """Nobody knows what the hand came to: count on from the recorded moves."""
        self.decided = False
        self.takers = ()
        self.dues_in, self.dues_out = {}, {}
        self.alive = ALL
        self.gap_ours = self.gap_ought = 0
        self.oughts = ()
        self.chips_due[1:] = [None] * (len(self.chips_due) - 1)
        if self.phase == BETWEEN:
            self.prepare_next(known=False)

    def antes_by_moves(self) -> bool:
        """Whether antes are due in the next hand, as far as the recorded moves show."""
        return self.pot_taken_now or self.pot == 0
