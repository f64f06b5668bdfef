"""Who holds cards and plays in a hand of Bura where the deal tells of others than sit there (`rules.md` 1.5)."""

from replay.engine.bura.declare import BuraDeclarations
from replay.engine.bura.state import LEADING
from replay.engine.table import DEALING
from schemas import events as ev


class BuraDeals(BuraDeclarations):
    """Deals written under another seat, seats passed over, and seats dealt to that do not play."""

    __slots__ = ()

    def on_dealt(self, event: ev.Dealt) -> None:
        seat = event.seat
        if self.dealt_before(seat, event.cards):
            return
        if self.phase == DEALING:
            self._skip_unpaid(seat)
        super().on_dealt(event)
        self.maybe_in &= ~(1 << seat)
        if not self.plays(seat) and seat in self.players:
            self.guests |= 1 << seat

    def see_who_deals(self, first: int) -> None:
        super().see_who_deals(first)
        self._skip_unpaid(first)

    def on_trump_turned(self, event: ev.TrumpTurned) -> None:
        if self.phase == DEALING:
            self._skip_unpaid(0)
        super().on_trump_turned(event)

    def _skip_unpaid(self, seat: int) -> None:
        """Nobody saw who paid into the pot that lies here: whoever is passed over in the deal has not (`join_pot`)."""
        doubtful = ~self.surely_in if self.pot_is_hidden() else self.maybe_in
        if self.silent or not doubtful or (seat and seat not in self.players) or self.joins_at_once():
            return
        before = self.players[: self.players.index(seat)] if seat else self.players
        passed = [other for other in before if other not in self.order and doubtful >> other & 1]
        for other in passed:
            self.in_pot[other] = False
            self.maybe_in &= ~(1 << other)
        self.players = [other for other in self.players if other not in passed]

    def leave_out(self, seat: int) -> None:
        """A seat that was dealt to by mistake, or passed over, which was told, does not play: its cards lie aside."""
        if self.never_dealt >> seat & 1:
            self.never_dealt &= ~(1 << seat)
            self.stock += self.held[seat].size
        self.guests &= ~(1 << seat)
        self.players = [other for other in self.players if other != seat]
        self.to_answer = [other for other in self.to_answer if other != seat]
        held = self.held[seat]
        held.sure = held.may = held.size = held.limbo = 0

    def meet_guests(self, seat: int) -> None:
        """Whoever the deal leaves open may play along; where others go on before it does, it is left out."""
        self.guests &= ~(1 << seat)
        while self.phase == LEADING and not self.claims and self.guests >> self.natural() & 1:
            self.leave_out(self.natural())
        if seat in self.to_answer:
            for other in self.to_answer[self.to_answer.index(seat) + 1 :]:
                if self.guests >> other & 1:
                    self.leave_out(other)
