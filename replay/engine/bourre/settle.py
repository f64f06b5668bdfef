"""How a hand of Bourré is decided: who takes what, and who pays for having taken no trick (`rules.md` 4.10)."""

from functools import lru_cache
from typing import Final

from replay.engine.bourre.deals import BourreDeals
from replay.engine.findings import Code
from replay.engine.ledger import Dues
from replay.engine.payments import PENALTY_RULE
from replay.engine.seating import BETWEEN
from replay.engine.voice import Witness
from schemas.events import PlayerJoined, RecordingBegan, Unseen
from schemas.rules import BourrePays, BourreRules, Debt, OddChips, Tie

Outcome = tuple[tuple[int, ...], tuple[int, ...]]
"""The seats with most tricks and the seats with none, from the dealer's left."""

# What every hand asks for: before Python 3.12 an enum's member takes ten times as long to look up as a name.
SPLIT: Final = Tie.SPLIT
LIMIT: Final = BourrePays.LIMIT
CAPPED_AT_STACK: Final = BourrePays.CAPPED_AT_STACK
RECORDED: Final = Debt.RECORDED


def outcomes_of(won: tuple[int, ...], unsure: tuple[int, ...], ring: tuple[int, ...]) -> tuple[Outcome, ...]:
    """Every outcome there may be: tricks surely won by seat, masks of who may have taken each other one, who plays."""
    return _outcomes(won, unsure, ring) if unsure else (_best_and_empty(won, ring),)


@lru_cache(maxsize=64)
def _outcomes(won: tuple[int, ...], unsure: tuple[int, ...], ring: tuple[int, ...]) -> tuple[Outcome, ...]:
    counts = {won}
    for seats in unsure:
        takers = [seat for seat in range(len(won)) if seats >> seat & 1]
        counts = {(*count[:taker], count[taker] + 1, *count[taker + 1 :]) for count in counts for taker in takers}
    return tuple(sorted({_best_and_empty(count, ring) for count in counts}))


def _best_and_empty(won: tuple[int, ...], ring: tuple[int, ...]) -> Outcome:
    most = 0
    for seat in ring:
        most = max(most, won[seat])
    best = tuple([seat for seat in ring if won[seat] == most]) if most else ()
    return best, tuple([seat for seat in ring if not won[seat]])


class BourreSettlement(BourreDeals):
    """Decisions of a hand: each makes payments and payouts due."""

    __slots__ = ("antes_open",)

    def sit_down(self, began: RecordingBegan, rules: BourreRules, witness: Witness) -> None:
        self.antes_open = 0
        """Bit by seat: nobody saw the hands before this one, and the last may have been a misdeal, after which nobody
        antes anew; or nobody saw whether this seat had paid when cards were dealt anew. Bit 0 of all."""
        super().sit_down(began, rules, witness)

    def on_unseen(self, event: Unseen) -> None:
        super().on_unseen(event)
        if self.phase == BETWEEN:
            self.antes_open, self.ante_ours, self.ante_ought = -1, True, True

    def on_player_joined(self, event: PlayerJoined) -> None:
        super().on_player_joined(event)
        self.antes_open &= ~(1 << event.seat)

    def cut_off(self) -> None:
        unseen = self.silent
        super().cut_off()
        if unseen:
            self.antes_open, self.ante_ours, self.ante_ought = -1, True, True

    def antes_unseen(self, seat: int = 0) -> bool:
        return self.antes_open >> seat & 1 == 1

    def prepare_next(self, known: bool) -> None:
        in_before = [False] * (self.seats() + 1) if self.antes_due() else self.in_last_pot
        super().prepare_next(known)
        dealt_in = sum([1 << seat for seat in self.players])
        self.antes_open = self.antes_open & ~dealt_in if self.reason == "misdeal" else 0
        if not known and self.reason == "misdeal":
            gone = self.sitting | self.came_late
            for seat, here in enumerate(self.occupied):
                paid = in_before[seat] or self.paid_ante >> seat & 1 == 1
                self.in_pot[seat] = here and (paid or self.exempt(seat) is not False)
                if here and not self.in_pot[seat] and not gone >> seat & 1:
                    self.antes_open |= 1 << seat

    def survive(self, seat: int) -> None:
        """All others have folded: the last seat takes the pot without play (`bourre.6`)."""
        self.settle_fees()
        self.owe_staying_fees()
        self.settle("sole_survivor", (seat,))
        self.dues_out = {seat: self._limited(self.pots())}

    def settle(self, reason: str, takers: tuple[int, ...]) -> None:
        super().settle(reason, takers)
        self.next_up = 0

    def settle_again(self) -> None:
        if self.reason == "sole_survivor":
            self.survive(self.takers[0])
        else:
            self.settle_tricks()

    def shows_all(self, amount: int, parts: int) -> bool:
        return parts == 1 and amount != self.rules.pot_limit

    def settle_fees(self) -> None:
        """Draw fees that were paid without a draw are told, before what they paid into is decided."""
        raise NotImplementedError

    def owe_staying_fees(self) -> None:
        """What a sole survivor could not pay for staying is a debt."""
        raise NotImplementedError

    def settle_tricks(self) -> None:
        """The last trick is taken: most tricks take the pot, no trick costs it (`bourre.10`)."""
        best, empty = self._outcome()
        if len(best) == 1:
            self.settle("most_tricks", (best[0],))
            self.dues_out = {best[0]: self._limited(self.pots())}
        elif best and self.rules.tie is SPLIT:
            self.settle("split", tuple(sorted(best)))
            self.dues_out = self._shares(best)
        else:
            self.settle("carried", ())
        self.tied_now = sum(1 << seat for seat in best) if len(best) > 1 else 0
        self.bourre_now = 0
        for seat in empty:
            self.bourre_now |= 1 << seat
        if empty:
            due = self._penalty()
            self.dues_in = dict.fromkeys(empty, ("bourre", due))

    def _outcome(self) -> Outcome:
        """Who has most tricks and who has none; asked for where unseen cards leave it open."""
        seats = tuple(seats for _, seats in self.unsure)
        outcomes = outcomes_of(tuple(self.won), seats, tuple(self.ring))
        if len(outcomes) == 1:
            return outcomes[0]
        chosen: Outcome = self.witness.choose(Code.UNKNOWN_CARD, "tricks", outcomes, self.seq)
        return chosen

    def _limited(self, pots: Dues) -> Dues:
        """The takers get at most the limit; the rest stays (`pot_limit`)."""
        limit = self.rules.pot_limit
        if limit is None:
            return pots
        return min(pots[0], limit), min(pots[1], limit), min(pots[2], limit)

    def _shares(self, tied: tuple[int, ...]) -> dict[int, Dues]:
        """What each tied seat takes; what does not divide stays, or goes one chip each from the dealer's left."""
        count = len(tied)
        sums = self._limited(self.pots())
        odd = [pot % count for pot in sums]
        if any(odd) and self.rules.odd_chips is not OddChips.LEFT_OF_DEALER_FIRST:
            odd = [0, 0, 0]
        shares = {}
        for place, seat in enumerate(tied):
            parts = [pot // count + (place < left) for pot, left in zip(sums, odd, strict=True)]
            shares[seat] = (parts[0], parts[1], parts[2])
        return shares

    def _penalty(self) -> Dues:
        """What a seat without a trick pays to the next pot: the pot, or no more than the limit (`bourre_pays`)."""
        pots = self.pots()
        if self.rules.pot_limit is not None and self.rules.bourre_pays is LIMIT:
            return self._limited(pots)
        return pots

    # -- what cannot be paid --------------------------------------------------------------------------------------

    def stake(self, seat: int, amount: int, full: Dues, rule: str) -> None:
        owed = self.debts[seat]
        super().stake(seat, amount, full, rule)
        if self.debts[seat] != owed:
            self._tell_apart(seat, owed, rule)

    def lack(self, seat: int, full: Dues, rule: str, why: str) -> None:
        owed = self.debts[seat]
        super().lack(seat, full, rule, why)
        self._tell_apart(seat, owed, rule)

    def _tell_apart(self, seat: int, owed: int, rule: str) -> None:
        """What was lacking for a penalty may be forgiven where other debts are not."""
        if rule == PENALTY_RULE["bourre"]:
            self.of_penalties[seat] += self.debts[seat] - owed

    def owed_on(self, debt: int, of_penalties: int) -> int:
        if not debt or self.rules.debt is not RECORDED:
            return 0
        return debt - of_penalties if of_penalties and self.rules.bourre_pays is CAPPED_AT_STACK else debt
