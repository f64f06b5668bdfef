"""Who acts in a hand of Bura where a line names another: deals (`rules.md` 1.5), and words (1.7, 1.12)."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from replay.engine.bura.declare import BuraDeclarations
from replay.engine.bura.laws import is_combination, unseen_combination
from replay.engine.bura.state import ANSWERING, LEADING
from replay.engine.findings import Code
from replay.engine.table import DEALING
from schemas import events as ev
from schemas.cards import mask_of, spell_all
from schemas.rules import BuraRules, MolodkaTurn, Scoring
from schemas.values import Seat

IDLE: Final = (ev.Noted, ev.Testified, ev.Revealed, ev.PotCounted, ev.StackCounted)
"""What may stand anywhere and says nothing of who acts."""
SETTLING: Final = (*IDLE, ev.Counted, ev.Staked, ev.PotTaken, ev.Scored, ev.HandEnded)
"""What may stand between an opening and the end of its hand."""
WORDS: Final = (*IDLE, ev.Declared, ev.RaiseOffered, ev.RaiseAccepted)
"""What may stand between a declaration and what it gives a right to."""


class BuraDeals(BuraDeclarations):
    """Deals and words written under another seat, seats passed over, and seats dealt to that do not play."""

    __slots__ = ("idle", "spare", "to_come")

    def sit_down(self, began: ev.RecordingBegan, rules: BuraRules, witness: Any) -> None:
        super().sit_down(began, rules, witness)
        self.to_come: tuple[Any, ...] = ()
        """The events of the hand, where what comes later may show who acted."""
        self.idle: tuple[int, ...] = ()
        """Who opened without the right to, and when: that its count goes for nothing too is not told again."""

    def clear_hand(self) -> None:
        if self.phase and self.rules.scoring is Scoring.MATCH_POINTS:  # of each hand anew, where it is unrecorded
            self.ante_ours = self.ante_ought = False
        super().clear_hand()
        self.spare = 0
        """How many cards seats got too few of, as was told: so many fewer may lie in the stock."""

    def foresee(self, events: Sequence[Any]) -> None:
        super().foresee(events)
        self.to_come = tuple(events)

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

    def deal_done(self) -> None:
        super().deal_done()
        for seat in self.players:
            if self.held[seat].size != self.hand_size:  # which was told: the seat may go on so, or fill its hand
                self.lacks[seat] = self.hand_size - self.held[seat].size
                self.count_spare()

    def count_spare(self) -> None:
        """The cards that were told to be too few have become more or fewer."""
        self.spare = sum([lack for lack in self.lacks if lack > 0])

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

    def moment_of(self, seat: int) -> tuple[int, ...]:
        """The seat, and how far the hand is."""
        return self.hand, seat, self.phase, len(self.tricks), len(self.trick_seqs), len(self.draws_made)

    def are_short(self, leader: int, count: int) -> bool:
        """Whether an opponent holds fewer cards than so many, and does not answer with as many all the same.

        Whoever does was told to have got too few: a card was left out of the line.
        """
        short = [seat for seat in self.holders_after(leader) if self.held[seat].size < count]
        if any(self.held[seat].size + self.lacks[seat] < count for seat in short) or not self._named_later(short):
            return bool(short)
        plays = [each for each in self._after() if isinstance(each, ev.Played)]
        first = (next((len(each.cards) for each in plays if each.seat == seat), 0) for seat in short)
        return any(laid != count for laid in first)

    # -- words under another seat -----------------------------------------------------------------------------------

    def who_opened(self, event: ev.Opened) -> int:
        """Who opened where the seat written down may not: who may, if all that comes after names that one alone."""
        able = [] if self.claims else [seat for seat in self.players if self.opening_wrong(seat) is None]
        fits = [seat for seat in self._named_later(able) if self._opens_by(seat, self._after())]
        return fits[0] if len(fits) == 1 else 0

    def _named_later(self, able: list[int]) -> list[int]:
        """These seats, once what comes later can be asked; before, the hand is to be judged again with it."""
        if self.foretold is None and able:
            self.strange_hands.append(self.began_seq)
        return able if self.foretold is not None else []

    def _after(self) -> Sequence[Any]:
        place = next((at for at, each in enumerate(self.to_come) if each.seq == self.seq), len(self.to_come))
        return self.to_come[place + 1 :]

    def _opens_by(self, seat: int, rest: Sequence[Any]) -> bool:
        """Whether the hand ends at once, by words and chips as an opening of this seat would have them."""
        low, high = self.pile_bounds(seat)
        counts = [each for each in rest if isinstance(each, ev.Counted)]
        if not all(isinstance(each, SETTLING) for each in rest):
            return False
        if not all(each.seat == seat and low <= each.points <= high for each in counts):
            return False
        paid = {each.seat for each in rest if isinstance(each, ev.Staked) and each.why == "failed_open"}
        taken, reason = _takers(rest), next((each.reason for each in rest if isinstance(each, ev.HandEnded)), "")
        won = high >= self.rules.target and reason in ("", "opened") and not paid
        lost = low < self.rules.target and reason in ("", "failed_open") and seat not in taken
        return (won and taken <= {seat} and bool(taken or counts)) or (
            lost and paid <= {seat} and bool(paid or counts)
        )

    def as_declared(self, event: ev.Declared) -> ev.Declared:
        if self.spare and self.lacks[event.seat] > 0:
            self.find_left_out(event.seat, event.cards or self._led_on(event))
        if event.cards or not self._is_false(event) or not self._is_in_time(event.combination):
            return super().as_declared(event)
        said = {claim[0] for claim in self.claims}
        able = [seat for seat in self.players if seat not in said and self._holds(seat, event.combination)]
        for seat in self._named_later(able):
            if self._acts_on(seat, event.combination, self._after()):
                self.find(Code.FALSE_DECLARATION, event.seat, event.combination, self._surely(event.seat), "bura.7")
                return ev.Declared(seq=event.seq, seat=Seat(seat), combination=event.combination)
        return event

    def _led_on(self, event: ev.Declared) -> tuple[str, ...]:
        """The cards that the seat leads on its declaration, once what comes later can be asked."""
        if self._named_later([event.seat]):
            later = next((each for each in self._after() if not isinstance(each, WORDS)), None)
            return later.cards if isinstance(later, ev.Played) and later.seat == event.seat else ()
        return ()

    def _surely(self, seat: int) -> list[str] | None:
        """The hand of the seat, where all of it is known."""
        cards = self.certain(seat)
        return spell_all(cards) if cards.bit_count() == self.held[seat].size else None

    def _holds(self, seat: int, kind: str) -> bool:
        """Whether the seat surely holds the combination, and nothing else."""
        return self.held[seat].size == self.hand_size and is_combination(self, kind, self.certain(seat))

    def _is_false(self, event: ev.Declared) -> bool:
        """Whether the seat surely holds no such combination."""
        seat, kind = event.seat, event.combination
        return not self._holds(seat, kind) and unseen_combination(self, kind, seat) is False

    def _is_in_time(self, kind: str) -> bool:
        """Whether the declaration is not late whoever makes it."""
        counters = self.rules.molodka_turn is MolodkaTurn.COUNTER_LEAD
        return self.phase != ANSWERING or (counters and kind == "molodka" and not self.answers)

    def _acts_on(self, seat: int, kind: str, rest: Sequence[Any]) -> bool:
        """Whether the seat, which has not declared it, at once does what the combination gives a right to."""
        for place, each in enumerate(rest):
            if isinstance(each, ev.Played):
                whole = mask_of(each.cards) == self.certain(seat) and each.face == "up"
                return each.seat == seat and whole and kind in self.leading_kinds()
            if isinstance(each, ev.Declared):
                if each.seat == seat:
                    return False
            elif not isinstance(each, WORDS):
                return kind != "molodka" and _takers(rest[place:]) == {seat}
        return False


def _takers(rest: Iterable[Any]) -> set[int]:
    """Who takes chips from the pot or is given match points."""
    scored = {each.seat for each in rest if isinstance(each, ev.Scored) and each.points}
    return scored | {each.seat for each in rest if isinstance(each, ev.PotTaken)}
