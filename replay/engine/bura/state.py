"""The state of one hand of Bura: piles, the trick in hand, draws due, declarations and the raise (`rules.md` 1)."""

from typing import Any, Final

from replay.engine.deck import Deck
from replay.engine.findings import Code
from replay.engine.holdings import Codes
from replay.engine.outcome import SeatResult, TrickResult
from replay.engine.table import BETWEEN, DECIDED, TURNED
from replay.engine.voice import Witness
from schemas.cards import PACK
from schemas.events import Dealt, RecordingBegan
from schemas.rules import (
    BuraRules,
    DealerAfterFailedOpen,
    DealerAfterRazburka,
    DealerAfterWin,
    DealPacket,
    FirstLead,
    JoinPot,
    Scoring,
    Turnup,
)

ANYBODY: Final = -1
"""A leader that is not judged."""
LEADING: Final = 4
ANSWERING: Final = 5
TAKEN: Final = 6
"""Phases of a trick: before the lead, between lead and last answer, between the last answer and the next lead."""

Unrecorded = tuple[int, int, tuple[str, ...], bool]
"""A draw or an answer not on record: seq of the event that shows it, seat, cards, whether they were laid."""
Ended = tuple[str, tuple[int, ...], int, int, tuple[int, ...]]
"""What the next dealer hangs on: reason, takers, dealer and opener of a hand, and who played in it."""

# What every hand asks for: before Python 3.12 an enum's member takes ten times as long to look up as a name.
MATCH_POINTS: Final = Scoring.MATCH_POINTS
LEFT: Final = DealerAfterWin.LEFT
LOSER: Final = DealerAfterWin.LOSER
OUT_OF_PLAY: Final = Turnup.OUT_OF_PLAY
PREVIOUS_WINNER: Final = FirstLead.PREVIOUS_WINNER
LAST_TRICK_TAKER: Final = FirstLead.LAST_TRICK_TAKER


class BuraState(Deck):
    """What a hand of Bura holds beside what every table holds. Points are per pile; index 0 is nobody."""

    __slots__ = (
        "ahead",
        "answers",
        "astray",
        "best",
        "best_may",
        "by_right",
        "called_over",
        "claims",
        "declined",
        "drawn_any",
        "draws_due",
        "draws_made",
        "drew_after",
        "ended",
        "fresh",
        "guests",
        "hasty",
        "lacks",
        "laid_may",
        "lead",
        "leader",
        "level",
        "maybe_in",
        "missed",
        "never_dealt",
        "offer",
        "offerer",
        "opener",
        "passed",
        "pile_blank",
        "pile_cards",
        "pile_points",
        "prev_taker",
        "prev_winner",
        "raises_due",
        "rings",
        "rules",
        "score",
        "sent_back",
        "shared",
        "surely_in",
        "to_answer",
        "trick_blank",
        "trick_cards",
        "trick_points",
        "trick_seqs",
        "unled",
        "unrecorded",
        "up_next",
        "winner",
        "won_double",
    )

    def sit_down(self, began: RecordingBegan, rules: BuraRules, witness: Witness) -> None:
        """Before the first hand, under these rules."""
        self.begin("bura", PACK[rules.pack], began, witness)
        self.rules = rules
        self.prev_winner = self.prev_taker = self.fresh = self.surely_in = self.maybe_in = 0
        """Seats, bit by seat: who joined before this hand; who has paid into the pot; who may have, unseen."""
        self.ended: Ended | None = None
        """How the hand before ended, where only a rule that nobody wrote down leaves open who deals after it."""
        self.score = [0] * len(self.names)
        if began.pot or rules.scoring is Scoring.MATCH_POINTS:
            self.ante_ours = self.ante_ought = False
        if len(began.seats) > rules.seats_max:
            self.find(Code.TOO_MANY_SEATS, 0, len(began.seats), rules.seats_max, "bura.1")
        self.clear_hand()

    def clear_hand(self) -> None:
        seats = self.seats()
        self.pack = PACK[self.rules.pack]
        self.hand_size = self.rules.hand_size
        nothing = [0] * (seats + 1)
        self.pile_points = nothing.copy()
        self.pile_blank = nothing.copy()
        self.pile_cards = nothing
        self.leader = self.winner = 0
        self.rings: list[list[int]] = [[]] * (seats + 1)  # by seat: the players clockwise from it, where asked for
        self._clear_trick()
        self.never_dealt = 0
        """The seats, bit by seat, whose deal is not on record."""
        self.guests = 0
        """The seats, bit by seat, dealt to though they do not play, or not though they do: they may play along."""
        self.drawn_any = False
        self.declined = False
        self.opener = 0
        self.claims: list[tuple[int, str, int]] = []
        self.level = 1
        self.offer = self.offerer = self.by_right = 0
        self.raises_due: dict[int, int] = {}
        self.won_double = False
        self.sent_back: list[int] = []
        self.up_next = self.shared = 0
        if self.phase and self.antes_due() and not self.pot_hidden:
            self.in_pot = [False] * (seats + 1)
            self.maybe_in = 0

    def _clear_trick(self) -> None:
        """Nothing was led or drawn yet."""
        self.lead: Codes = ()
        self.laid_may = 0
        """The cards the seat that laid last may have held just before; of no meaning for cards that were seen."""
        self.best: Codes = ()
        self.best_may = 0
        self.answers = 0
        self.called_over = False
        self.to_answer: list[int] = []
        """Who has yet to answer, the next one last."""
        self.trick_seqs: list[int] = []
        self.trick_cards = 0
        self.trick_points = 0
        self.trick_blank = 0
        self.draws_due: list[tuple[int, int, bool]] = []
        """Seat, how many cards, whether the turn-up is among them; the next one last."""
        self.draws_made: list[tuple[str, ...]] = []
        self.drew_after: list[int] = []
        """By draw: its cards; and after how many tricks it was made."""
        self.astray: tuple[int, tuple[str, ...]] | None = None
        """Seat and cards of a draw that was told to be another's, until it shows whose."""
        self.ahead: dict[int, int] = {}
        self.passed = self.unled = self.hasty = 0
        """The seats, bit by seat, that others came before, as was told; who should have led; the same if face down."""
        self.unrecorded: list[Unrecorded] = []
        """What the game shows was drawn or laid though it is not on record; an entry without cards was taken back."""
        self.missed: dict[int, tuple[int, int]] = {}
        """By seat: where a draw of this trick that is not on record stands in `unrecorded` and in `draws_made`."""
        self.lacks = [0] * (self.seats() + 1)
        """By seat: how many cards fewer than due it drew, which was told; below 0, more."""

    def grow(self) -> None:
        for row in (self.pile_points, self.pile_blank, self.pile_cards, self.lacks, self.score):
            row.append(0)
        self.rings.append([])

    def rules_seats_max(self) -> int:
        return self.rules.seats_max

    def joins_at_once(self) -> bool:
        return self.rules.join_pot is not JoinPot.WAIT

    def ante_of(self, seat: int) -> tuple[int, int, int]:
        due = super().ante_of(seat)
        if self.in_last_pot[seat] or (self.ante_ours and self.ante_ought) or self.rules.scoring is MATCH_POINTS:
            return due
        if self.rules.join_pot is not JoinPot.SHARE:
            return due
        n = max(1, sum(self.shares_pot(other) for other in range(1, self.seats() + 1)))
        ours = due[1] if self.ante_ours else self.start_pot // n
        return ours, ours, due[2] if self.ante_ought else self.start_ought // n

    def forget_pot(self) -> None:
        super().forget_pot()
        self.ante_ought = self.rules.scoring is not MATCH_POINTS

    def pot_emptied(self) -> None:
        self.ante_ours = self.rules.scoring is not MATCH_POINTS

    def pot_is_hidden(self) -> bool:
        return self.pot_hidden and not self.paid_ante & ~self.shared

    def antes_unseen(self, seat: int = 0) -> bool:
        return self.pot_is_hidden()

    def shares_pot(self, seat: int) -> bool:
        """Whether the seat had paid into the pot that lay here when the hand began, and plays."""
        return self.in_last_pot[seat] and self.occupied[seat] and not self.sitting & (1 << seat)

    def on_dealt(self, event: Dealt) -> None:
        if self.never_dealt and self.never_dealt >> event.seat & 1 and not self.played_any:
            self.never_dealt &= ~(1 << event.seat)
            self.guests &= ~(1 << event.seat)
            held = self.held[event.seat]
            held.may = held.size = 0
        super().on_dealt(event)

    def deal_unseen(self, seat: int) -> None:
        """A seat that was not dealt to on record holds cards that nobody knows."""
        self.never_dealt |= 1 << seat
        self.guests |= 1 << seat
        self.take(seat, ("??",) * self.hand_size)
        self.strange_hands.append(self.began_seq)

    def deal_done(self) -> None:
        if len(set(self.order)) < len(self.players):
            for seat in self.players:
                if seat not in self.order:
                    self.deal_unseen(seat)
        left = (self.pack & ~self.missing).bit_count() - self.in_hands() - (self.barred - self.missing.bit_count())
        self.stock = max(0, left - (1 if self.rules.turnup is OUT_OF_PLAY else 0))
        self.leader = self.first_leader()
        self.phase = LEADING

    def trick_open(self) -> bool:
        return self.phase == ANSWERING

    def laid_seqs(self) -> list[int]:
        return self.trick_seqs

    def trick_told(self) -> bool:
        """Whether the last trick has been told already, or the next stage has begun."""
        return self.up_next == len(self.tricks) or self.drawn_any or self.phase == LEADING

    def turnup_under_stock(self) -> bool:
        return self.rules.turnup is Turnup.LAST_OF_STOCK

    def deals_one_by_one(self) -> bool:
        return self.rules.deal_packet is DealPacket.ONE_BY_ONE

    def first_leader(self) -> int:
        """The natural leader of the first trick (`rules.md` 1.6 and `first_lead`)."""
        rule = self.rules.first_lead
        wanted = 0
        if rule is PREVIOUS_WINNER:
            wanted = self.prev_winner
        elif rule is LAST_TRICK_TAKER:
            wanted = self.prev_taker
        if wanted == ANYBODY or wanted in self.players:
            return wanted
        return self.players[0] if self.players else 0

    def unsettled(self) -> bool:
        return ANYBODY in (self.prev_winner, self.prev_taker) or super().unsettled()

    def ring_from(self, seat: int) -> list[int]:
        """The players clockwise from this one, or from the dealer's left where it does not play."""
        seat = max(seat, 0)
        ring = self.rings[seat]
        if len(ring) != len(self.players):
            place = self.players.index(seat) if seat in self.players else 0
            ring = self.rings[seat] = self.players[place:] + self.players[:place]
        return ring

    def holders_after(self, leader: int) -> list[int]:
        """Players after the leader, clockwise, who hold cards."""
        held = self.held
        return [seat for seat in self.ring_from(leader) if seat != leader and held[seat].size]

    def holders(self) -> list[int]:
        """Players who hold cards, in turn order from the natural leader."""
        held = self.held
        return [seat for seat in self.ring_from(self.leader) if held[seat].size]

    def natural(self) -> int:
        """Who leads where nobody has declared."""
        leader = self.leader
        if leader > 0 and self.held[leader].size and leader in self.players:
            return leader
        ring = self.holders()
        return ring[0] if ring else 0

    def pile_bounds(self, seat: int) -> tuple[int, int]:
        """The least and greatest points in the seat's pile now."""
        if not self.pile_blank[seat]:
            return self.pile_points[seat], self.pile_points[seat]
        return self.witness.bounds(seat)

    def told_tricks(self) -> tuple[TrickResult, ...]:
        """The tricks, each with the least and greatest points that may lie in it."""
        if not self.blind:
            return tuple(self.tricks)
        return tuple(trick if trick.low >= 0 else self._bounded(trick) for trick in self.tricks)

    def _bounded(self, trick: TrickResult) -> TrickResult:
        low, high = (-1, -1) if self.silent else self.witness.trick_bounds(trick.seqs)
        seqs = tuple(seq for seq in trick.seqs if seq >= 0)
        return TrickResult(trick.trick, trick.leader, trick.taker, seqs, low, high)

    def seat_result(self, seat: int, known: bool) -> SeatResult:
        due = self.net_due(seat) if known else None
        if self.silent:
            return SeatResult(None, None, None, self.net_recorded(seat), due)
        low, high = self.pile_bounds(seat)
        return SeatResult(low, high, None, self.net_recorded(seat), due)

    def prepare_next(self, known: bool) -> None:
        self.ended = None
        self.fresh = self.came_late if self.silent else 0
        self.pot_hidden = self.pot_is_hidden()
        if self.ante_ours != self.ante_ought and not self.antes_told:  # nobody was dealt to: all are where they were
            self.in_pot = [now or before for now, before in zip(self.in_pot, self.in_last_pot, strict=True)]
        if not known:
            self.expected_dealer = 0
            self.ante_ours = self.ante_ought = self.antes_by_moves()
        else:
            self._expect_dealer()
            gone = bool(self.takers) and self.pot_due[2] >= len(self.takers)
            self.ante_ours = self.pot_taken_now or self.pot_basis() == 0
            self.ante_ought = gone or self.pot_ought() == 0
        if self.rules.scoring is MATCH_POINTS:
            self.ante_ours = self.ante_ought = False
        if self.reason == "misdeal":
            return
        if not known:
            self.prev_winner = self.prev_taker = ANYBODY
            return
        self.prev_winner = self.takers[0] if len(self.takers) == 1 else 0
        self.prev_taker = self.tricks[-1].taker if self.tricks else 0

    def forget_what_differs(self, tables: list[Any]) -> None:
        ended = self._how_it_ended()
        alike = self.phase == BETWEEN and all(each._how_it_ended() == ended for each in tables)  # noqa: SLF001
        self.ended = ended if alike and any(each.expected_dealer for each in tables) else None
        super().forget_what_differs(tables)
        if any(each.prev_winner != self.prev_winner for each in tables):
            self.prev_winner = ANYBODY
        if any(each.prev_taker != self.prev_taker for each in tables):
            self.prev_taker = ANYBODY

    def _expect_dealer(self) -> None:
        self.expected_dealer, self.expected_left = self._next_dealer(self._how_it_ended())

    def _how_it_ended(self) -> Ended:
        return self.reason, self.takers, self.dealer, self.opener, tuple(self.players)

    def seat_players(self) -> None:
        if self.ended is not None:
            self.expected_dealer, self.expected_left = self._next_dealer(self.ended)
        super().seat_players()

    def _next_dealer(self, ended: Ended) -> tuple[int, bool]:
        """Who deals next: a seat, and whether it is the one to its left (`rules.md` 1.4)."""
        reason, takers, dealer, _, players = ended
        if reason == "misdeal":
            return dealer, False
        if reason == "abandoned":
            return 0, False
        if reason == "failed_open":
            return self._after_failed_open(ended)
        if not takers:
            return dealer, self.rules.dealer_after_razburka is DealerAfterRazburka.LEFT
        rule = self.rules.dealer_after_win
        if rule is LEFT:
            return dealer, True
        if rule is LOSER:
            others = [seat for seat in players if seat not in takers]
            return (others[0], False) if len(players) == 2 and others else (dealer, False)
        return takers[0], False

    def _after_failed_open(self, ended: Ended) -> tuple[int, bool]:
        _, takers, dealer, opener, _ = ended
        rule = self.rules.dealer_after_failed_open
        if rule is DealerAfterFailedOpen.SAME:
            return dealer, False
        if rule is DealerAfterFailedOpen.LEFT:
            return dealer, True
        if rule is DealerAfterFailedOpen.WINNER and takers:
            return takers[0], False
        return opener, False


__all__ = ["ANSWERING", "DECIDED", "LEADING", "TAKEN", "TURNED", "BuraState"]
