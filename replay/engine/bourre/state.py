"""The state of one hand of Bourré, and what passes on to the next: antes, exemptions, the deal (`rules.md` 4.2-4.4)."""

from typing import Any, Final

from replay.engine.deck import Deck
from replay.engine.findings import Code
from replay.engine.holdings import Held
from replay.engine.outcome import SeatResult
from replay.engine.table import BEGUN, BETWEEN, DECIDED
from replay.engine.voice import Witness
from schemas.cards import CODE, DOMAIN, KNOWN, PACK, SPELLING
from schemas.events import HandBegan, PlayerJoined, RecordingBegan, StakeSet, Unseen
from schemas.rules import AnteBy, AnteExempt, BourreRules, Tie, TrumpCard

SPEAKING: Final = 4
LEADING: Final = 5
FOLLOWING: Final = 6
"""Phases of a hand: words and draws, before a lead, between lead and last card of a trick."""
CARDS: Final = 5
"""Cards a seat is dealt, and tricks in a hand (`bourre.4`, `bourre.9`)."""

Laid = tuple[int, ...]
"""One card laid: seq, seat, code, the cards it may be; and of the hand just before: cards surely held, possibly held,
how many, and which of them only later events show. The seq is 0 for an answer that is not on record, -1 for a lead."""
# What every hand asks for: before Python 3.12 an enum's member takes ten times as long to look up as a name.
EXTRA: Final = TrumpCard.EXTRA
DEALERS_FIFTH: Final = TrumpCard.DEALERS_FIFTH
BY_DEALER: Final = AnteBy.DEALER
NO_EXEMPTION: Final = AnteExempt.NONE
SPLIT: Final = Tie.SPLIT


class BourreState(Deck):
    """What a hand of Bourré holds beside what every table holds; index 0 is nobody, sets of seats are bit masks."""

    __slots__ = (
        "absent",
        "ante_next",
        "astray",
        "awarded",
        "best",
        "bourre_now",
        "called_over",
        "discarded",
        "doubted",
        "draw_place",
        "drawn",
        "early_fees",
        "fee_paid",
        "first_left",
        "folded",
        "folded_late",
        "foreseen",
        "late",
        "later",
        "lead",
        "lead_mask",
        "leader",
        "may_lead",
        "moves",
        "murky",
        "never_dealt",
        "new_order",
        "next_up",
        "on_record",
        "past",
        "pending",
        "pending_seat",
        "pool_folded",
        "pool_folded_cards",
        "pool_served",
        "pool_served_cards",
        "ring",
        "rules",
        "setters",
        "short",
        "skipped",
        "speaker",
        "staying",
        "stock_order",
        "tied_now",
        "to_collect",
        "to_play",
        "to_speak",
        "told",
        "top",
        "trick",
        "trump_mask",
        "undiscarded",
        "undrawn",
        "unheard",
        "unled",
        "unproved",
        "unsaid",
        "unsure",
        "was_bourre",
        "was_tied",
        "winner",
        "won",
        "words",
    )

    def sit_down(self, began: RecordingBegan, rules: BourreRules, witness: Witness) -> None:
        """Before the first hand, under these rules."""
        self.begin("bourre", PACK[52], began, witness)
        self.rules = rules
        self.hand_size = CARDS
        self.ante_next = 0
        self.on_record: dict[int, int] = {}
        """By seat: how many plays of this hand are on record, where the hand is judged with what later events show."""
        self.words: dict[int, int] = {}
        self.to_collect = 0
        """How many words are on record, by seat; who takes chips, bit by seat: as above."""
        self.setters: list[tuple[int, int]] = []
        """Who set the ante since the last hand began: seq of the `stake_set`, seat."""
        self.was_bourre: list[bool | None] = [False] * len(self.names)
        self.was_tied: list[bool | None] = [False] * len(self.names)
        """By seat: whether it was so in the hand before; None where that is not known."""
        if len(began.seats) > rules.seats_max:
            self.find(Code.TOO_MANY_SEATS, 0, len(began.seats), rules.seats_max, "bourre.1")
        self.clear_hand()

    def clear_hand(self) -> None:
        rows = self.seats() + 1
        self.to_speak: list[int] = []
        self.staying = self.folded = self.folded_late = self.drawn = self.unheard = 0
        self.speaker = self.pending_seat = self.pending = 0
        self.draw_place = -1
        self.unsaid = 0
        """Seats that threw cards away before they had spoken, which is told: they stay."""
        self.undiscarded: dict[int, tuple[Held, tuple[str, ...]]] = {}
        """By seat that drew and had thrown nothing away on record: its hand before, and the cards drawn."""
        self.undrawn: dict[int, tuple[int, int, int]] = {}
        """By seat whose draw was told not to have come: its place among the moves, and in the stock; how many cards."""
        self.astray: tuple[int, int, tuple[str, ...]] | None = None
        """A draw, by seq, seat and cards, of a seat that had none to make while another had, until that is settled."""
        self.fee_paid = 0
        self.skipped = self.never_dealt = self.absent = 0
        """Seats passed over in this round or trick, which is told; seats whose deal is not on record; seats of which it
        was told that they laid no card, and that lay none in the rest of the hand."""
        self.early_fees: dict[int, tuple[int, int, int]] = {}
        """Draw fees paid before the discard, by seat: seq, the chips paid, the chips due."""
        self.moves: list[tuple[int, bool, tuple[str, ...]]] = []
        """Seat, whether it took them, and the cards as recorded: what was dealt, drawn and thrown away, in order."""
        nothing = [0] * rows
        self.discarded = nothing.copy()
        self.foreseen = nothing.copy()
        self.later = nothing.copy()
        """By seat: cards that later events show it lays after its last draw or unseen card."""
        self.pool_folded = self.pool_folded_cards = self.pool_served = self.pool_served_cards = 0
        self.stock_order: list[int] = []
        self.new_order: list[int] = []
        self.first_left = -1
        self.short = 0
        self._clear_tricks()
        self.won = nothing
        self.told = 0
        self.unproved: list[tuple[Any, int, int]] = []
        self.doubted: dict[int, Any] = {}
        self.bourre_now = self.tied_now = 0
        if self.phase and self.antes_due():
            self.in_pot = [False] * rows

    def _clear_tricks(self) -> None:
        """Nothing was led yet."""
        self.ring: list[int] = []
        self.leader = self.winner = self.next_up = self.unled = 0
        self.to_play: list[int] = []
        """Who has yet to lay a card to this trick, the next one last."""
        self.trick: list[Laid] = []
        self.past: list[list[Laid]] = []
        self.late: dict[int, tuple[int, int, Held]] = {}
        """By seat, of an answer before which another seat led: its trick, its place there, the hand just before."""
        self.lead = self.best = self.top = -1
        self.lead_mask = self.trump_mask = self.may_lead = 0
        self.awarded = 0
        """The seat to which the last trick was given wrongly: it leads on, and no lead of another got lost."""
        self.murky = self.called_over = False
        """A card of the trick was not seen."""
        self.unsure: list[tuple[int, int]] = []
        """Tricks of which it is not known who took them: how many came before, and the seats that may have."""

    def grow(self) -> None:
        for row in (self.discarded, self.foreseen, self.later, self.won):
            row.append(0)
        for flags in (self.was_bourre, self.was_tied):
            flags.append(False)

    def rules_seats_max(self) -> int:
        return self.rules.seats_max

    def joins_at_once(self) -> bool:
        return True

    def folded_mask(self) -> int:
        return self.folded

    def trick_open(self) -> bool:
        return self.phase == FOLLOWING

    def laid_seqs(self) -> list[int]:
        return [laid[0] for laid in self.trick]

    def on_player_joined(self, event: PlayerJoined) -> None:
        free = event.seat > self.seats() or not self.occupied[event.seat]
        super().on_player_joined(event)
        if free:
            self.was_bourre[event.seat] = self.was_tied[event.seat] = False
            self.in_pot[event.seat] &= not (self.pot_unseen or self.pot_hidden)

    def on_unseen(self, event: Unseen) -> None:
        super().on_unseen(event)
        if self.phase == BETWEEN:
            self._forget_exemptions()
            self.setters = []

    def _forget_exemptions(self) -> None:
        self.was_bourre = [None] * len(self.names)
        self.was_tied = [None] * len(self.names)

    # -- the ante -------------------------------------------------------------------------------------------------

    def on_stake_set(self, event: StakeSet) -> None:
        seat, amount = event.seat or 0, event.amount
        self._judge_ante(seat, amount)
        if self.phase in (BETWEEN, BEGUN, DECIDED):
            if self.phase == BEGUN and self.paid_ante:
                self.find(Code.OUT_OF_PLACE, seat, amount, None, "bourre.3")
            self.ante = amount
        else:
            self.find(Code.OUT_OF_PLACE, seat, amount, None, "bourre.3")
            self.ante_next = amount
        if seat and self.phase == BEGUN:
            self._judge_setter(seat)
        elif seat:
            self.setters.append((event.seq, seat))

    def _judge_ante(self, seat: int, amount: int) -> None:
        """The dealer's ante is not above the agreed maximum (`bourre.3`)."""
        most = self.rules.max_ante
        if most is not None and amount > most and self.rules.ante_by is BY_DEALER:
            self.find(Code.ANTE_ABOVE_MAXIMUM, seat, amount, most, "bourre.3")

    def _judge_setter(self, seat: int) -> None:
        """The dealer sets the ante of his hand; a fixed one is agreed, no seat sets it (`bourre.3`, `ante_by`)."""
        if seat != self.dealer:
            self.find(Code.WRONG_TURN, seat, seat, self.dealer, "bourre.3")
        elif self.rules.ante_by is not BY_DEALER:
            self.find(Code.WRONG_TURN, seat, seat, None, "ante_by")

    def on_hand_began(self, event: HandBegan) -> None:
        super().on_hand_began(event)
        for seq, seat in self.setters:
            self.seq = seq
            if seat != self._due_to_deal():
                self._judge_setter(seat)
        self.seq = event.seq
        self.first_bad = len(self.findings)
        self.setters = []
        if self.ante_next:
            self.ante = self.ante_next
            self.ante_next = 0

    def _due_to_deal(self) -> int:
        """The seat that should deal and may set the ante though another is written down as dealer."""
        expected = self.expected_dealer
        if not expected or self.rules.ante_by is not BY_DEALER:
            return 0
        return self.left_of(expected) if self.expected_left else expected

    def on_ante(self, seat: int, amount: int) -> None:
        if not self.ante and self.phase == BEGUN:
            self._judge_ante(seat, amount)
        super().on_ante(seat, amount)

    def ante_of(self, seat: int) -> tuple[int, int, int]:
        """The chips of the seat's ante: none where it is exempt, or has anted before a misdeal (`bourre.3`)."""
        if not self.antes_due() and self.in_pot[seat]:
            return 0, 0, 0
        exempt = self.exempt(seat)
        if exempt or (exempt is None and self.antes_told):
            return 0, 0, 0
        return self.ante, self.ante, self.ante

    def exempt(self, seat: int) -> bool | None:
        """Whether the seat is free of this hand's ante (`ante_exempt`); None where it is not known.

        A tie frees only where the pot is carried then (`tie`), whatever was paid out.
        """
        bourre, tied = self.was_bourre[seat], self.was_tied[seat]
        if bourre is False and tied is False:
            return False
        rule = self.rules.ante_exempt
        if rule is NO_EXEMPTION:
            return False
        if tied is not False and rule is not AnteExempt.BOURRE and self.rules.tie is SPLIT:
            tied = False
        flags = {AnteExempt.BOURRE: (bourre,), AnteExempt.TIED: (tied,)}.get(rule, (bourre, tied))
        return True if True in flags else None if None in flags else False

    # -- the deal -------------------------------------------------------------------------------------------------

    def turnup_is_dealt(self) -> bool:
        return self.rules.trump_card is DEALERS_FIFTH

    def place_turnup(self, card: str) -> int:
        if self.rules.trump_card is not DEALERS_FIFTH:
            return super().place_turnup(card)
        dealt = [cards for seat, cards in self.deals if seat == self.dealer and cards]
        return self._name_fifth(CODE[card], CODE[dealt[-1][-1]]) if dealt else super().place_turnup(card)

    def _name_fifth(self, code: int, fifth: int) -> int:
        """The turned card is the dealer's own last card, named again (`dealers_fifth`)."""
        both = DOMAIN[code] & DOMAIN[fifth] & self.pack
        bit = 1 << code if code < KNOWN else 0
        foreseen = self.held[self.dealer].sure & self.foreseen[self.dealer]
        if not both or (bit & self.seen & ~foreseen and code != fifth):
            wrong = Code.CARD_TWICE if bit & self.seen else Code.CARD_NOT_HELD
            self.find(wrong, self.dealer, SPELLING[code], SPELLING[fifth], "trump_card")
            return code
        if both & (both - 1):
            return code
        named = both.bit_length() - 1
        if fifth >= KNOWN:
            super().foreknow(self.dealer, both)
        return named

    def lost_track(self) -> None:
        """Something of this hand is not on record: it is judged again with what later events show."""
        self.blind = True
        self.strange_hands.append(self.began_seq)

    def take(self, seat: int, spellings: tuple[str, ...]) -> None:
        super().take(seat, spellings)
        self.moves.append((seat, True, spellings))

    def waits_for_words(self) -> bool:
        """Whether somebody has yet to speak who was not passed over."""
        return any(not self.skipped >> seat & 1 for seat in self.to_speak)

    def turnup_apart(self) -> bool:
        return self.rules.trump_card is EXTRA

    def drawn_order(self) -> list[int]:
        return self.stock_order

    def foreknow(self, seat: int, cards: int) -> None:
        before = self.held[seat].sure
        super().foreknow(seat, cards)
        self.foreseen[seat] |= self.held[seat].sure & ~before
        self.later[seat] = cards

    # -- from hand to hand ----------------------------------------------------------------------------------------

    def still_in(self) -> list[int]:
        """The players who have not folded, from the dealer's left."""
        return [seat for seat in self.players if not self.folded >> seat & 1]

    def seat_result(self, seat: int, known: bool) -> SeatResult:
        open_tricks = self.unsure and any(seats >> seat & 1 for _, seats in self.unsure)
        tricks = self.won[seat] if known and not open_tricks else None
        return SeatResult(None, None, tricks, self.net_recorded(seat), self.net_due(seat) if known else None)

    def prepare_next(self, known: bool) -> None:
        """Left of the dealer deals next and antes are due; after a misdeal the same seat, and none (`bourre.2`)."""
        misdeal = self.reason == "misdeal"
        self.next_up = 0
        self.ante_ours = self.ante_ought = not misdeal
        judged = known and self.reason != "abandoned"
        self.expected_dealer = self.dealer if judged else 0
        self.expected_left = not misdeal
        if misdeal:
            for seat in self.players:
                self.in_pot[seat] = self.in_pot[seat] or self.exempt(seat) is not False
        elif known:
            self.was_bourre = self._flags(self.bourre_now)
            self.was_tied = self._flags(self.tied_now)
        else:
            self._forget_exemptions()

    def _flags(self, seats: int) -> list[bool | None]:
        rows = len(self.names)
        return [seats >> seat & 1 == 1 for seat in range(rows)] if seats else [False] * rows

    def antes_by_moves(self) -> bool:
        return True

    def forget_what_differs(self, tables: list[Any]) -> None:
        super().forget_what_differs(tables)
        for seat in range(len(self.names)):
            if any(each.was_bourre[seat] != self.was_bourre[seat] for each in tables):
                self.was_bourre[seat] = None
            if any(each.was_tied[seat] != self.was_tied[seat] for each in tables):
                self.was_tied[seat] = None
