"""Who holds cards in a hand of Bourré where the deal tells of others than sit there (`rules.md` 4.4)."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from replay.engine.bourre.state import CARDS, SPEAKING, BourreState
from schemas.cards import SUIT_MASK
from schemas.events import Dealt, Folded, PotTaken, Stayed


class BourreDeals(BourreState):
    """The deal, and who speaks after it."""

    __slots__ = ()

    def on_dealt(self, event: Dealt) -> None:
        if self.never_dealt and self.never_dealt >> event.seat & 1:
            self.never_dealt &= ~(1 << event.seat)
            held = self.held[event.seat]
            held.may = held.size = 0
        if not self.dealt_before(event.seat, event.cards):
            super().on_dealt(event)

    def foresee(self, events: Sequence[Any]) -> None:
        super().foresee(events)
        self.words = Counter(event.seat for event in events if isinstance(event, Stayed | Folded))
        self.to_collect = sum(1 << seat for seat in {event.seat for event in events if isinstance(event, PotTaken)})

    def deal_unseen(self, seat: int) -> None:
        """Whoever was not dealt to on record holds five cards nobody knows."""
        self.never_dealt |= 1 << seat
        self.take(seat, ("??",) * CARDS)
        self.lost_track()

    def swap_deals(self, one: int, other: int) -> None:
        super().swap_deals(one, other)
        seats = {one: other, other: one}
        self.moves = [(seats.get(seat, seat), taken, cards) for seat, taken, cards in self.moves]

    def deal_done(self) -> None:
        for seat in self.players:
            if seat not in self.order:
                self.deal_unseen(seat)
        unseen_gone = self.barred - self.missing.bit_count()
        left = (self.pack & ~self.missing).bit_count() - self.in_hands() - unseen_gone
        self.stock = self.first_left = max(0, left - (1 if self.turnup_apart() else 0))
        self.trump_mask = SUIT_MASK[self.trump]
        self.to_speak = list(self.players)
        self.phase = SPEAKING
        if len(self.findings) > self.first_bad:
            self._pass_over_idle()

    def whose_word(self, seat: int, *, folds: bool) -> int:
        """Whose word this is: of whose turn it is, where that seat has none on record and this one has its own.

        So where later events do not gainsay it: this seat speaks twice, does not play, or takes the pot though it would
        have folded, and whoever would have folded does nothing more.
        """
        if self.phase != SPEAKING or not self.to_speak or seat == self.to_speak[0]:
            return seat
        due = next((other for other in self.to_speak if not self.skipped >> other & 1), 0)
        if due in (0, seat):
            return seat
        self.strange_hands.append(self.began_seq)
        if self.foretold is None or self.words.get(due) or (folds and self.foretold[1] >> due & 1):
            return seat
        own = seat in self.players and self.words[seat] < 2 and not (folds and self.to_collect >> seat & 1)
        return seat if own else due

    def look_ahead(self) -> None:
        """What later events show decides what was wrong here: the hand is judged again, with them known."""
        if self.foretold is None:
            self.strange_hands.append(self.began_seq)

    def _pass_over_idle(self) -> None:
        """Who sits out, has paid nothing and is dealt to all the same has no turn unless it acts (`record.md` 3.1)."""
        idle = sum([1 << seat for seat in self.players if not self.plays(seat) and not self.net_recorded(seat)])
        self.skipped |= idle
        self.folded |= idle
        self.folded_late |= idle
