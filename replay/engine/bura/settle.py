"""How a hand of Bura is decided and what it makes due (`rules.md` 1.7-1.8, 1.12, 1.14-1.15)."""

from typing import Final

from replay.engine.bura.laws import ACES, Faces, beats_unseen
from replay.engine.bura.state import ANYBODY, BuraState
from replay.engine.findings import Code
from replay.engine.ledger import Dues
from replay.engine.seating import BEGUN, BETWEEN
from replay.engine.tricks import set_beats
from schemas.cards import SUIT_MASK, spread
from schemas.events import PlayerJoined, Unseen
from schemas.rules import BuraRight, BuraTie, FailedOpen, JoinPot, Razburka, Scoring, ThreeAces

# What many a hand asks for: before Python 3.12 an enum's member takes ten times as long to look up as a name.
POT: Final = Scoring.POT
BURA_LEADS: Final = BuraRight.LEADS
ACES_LEAD: Final = ThreeAces.LEADS
ACES_WIN: Final = ThreeAces.WINS_POT
POT_RIGHTS: Final = frozenset((BuraRight.WINS_POT, BuraRight.WINS_DOUBLE))

Claim = tuple[int, str, int]
"""A true declaration: seat, combination, and the mask of its cards, 0 where they are not all known."""


class BuraSettlement(BuraState):
    """Decisions of a hand: each makes payments and payouts due, or match points."""

    __slots__ = ()

    def on_player_joined(self, event: PlayerJoined) -> None:
        super().on_player_joined(event)
        if self.phase == BETWEEN:
            self.fresh |= 1 << event.seat

    def on_unseen(self, event: Unseen) -> None:
        super().on_unseen(event)
        if not self.pot_hidden:
            self.surely_in = sum([1 << seat for seat, paid in enumerate(self.in_pot) if paid])
        self.surely_in = 0 if self.phase == BETWEEN else self.surely_in | self.paid_ante
        if self.phase == BETWEEN:
            self.prev_winner = self.prev_taker = ANYBODY
            self.ended = None
        gone = 0 if self.phase == BETWEEN else self.sitting | self.came_late
        for seat, here in enumerate(self.occupied):
            if here and not gone >> seat & 1:
                self.in_pot[seat] = True
        self.maybe_in = sum([1 << seat for seat, paid in enumerate(self.in_pot) if paid]) & ~self.surely_in

    def on_ante(self, seat: int, amount: int) -> None:
        if self.phase == BEGUN and self._may_be_a_share(seat, amount):
            self.find(Code.UNKNOWN_CARD, seat, str(Code.WRONG_STAKE), None, self.ante_rule())
            self.paid_ante |= 1 << seat
            self.shared |= 1 << seat
            self.in_pot[seat] = True
            self.book_in(seat, amount, (amount, amount, amount))
            return
        if self.pot_is_hidden():
            self.in_pot = [self.shared >> other & 1 == 1 for other in range(len(self.in_pot))]
            self.maybe_in = 0
        super().on_ante(seat, amount)

    def antes_due(self) -> bool:
        """Nobody saw what lies in the pot, and who deals without antes says that it is some chips."""
        dealt = self.antes_told and self.phase != BETWEEN
        return super().antes_due() and not (dealt and self.pot_is_hidden())

    def _may_be_a_share(self, seat: int, amount: int) -> bool:
        """Whether a seat pays for a pot that nobody saw: its share, or an ante where none lies (`join_pot`).

        A newcomer, or one of which nobody saw that it had paid into that pot, where it is no ante.
        """
        if not self.pot_is_hidden() or self.paid_ante >> seat & 1:
            return False
        if not self.fresh >> seat & 1 and (self.surely_in >> seat & 1 or (amount == self.ante and self._all_ante())):
            return False
        return self.plays(seat) and self.rules.join_pot is JoinPot.SHARE

    def _all_ante(self) -> bool:
        """Whether everybody antes, or one who had surely paid into the pot that lay, as far as later events tell."""
        if self.foretold is None:
            self.strange_hands.append(self.began_seq)
            return True
        paying = self.foretold[2]
        if paying & self.surely_in:
            return True
        return all(paying >> seat & 1 for seat in range(1, self.seats() + 1) if self.plays(seat))

    def win(self, reason: str, seat: int) -> None:
        """One seat takes the whole pot."""
        self.settle(reason, (seat,))
        if self.rules.scoring is POT:
            self.dues_out = {seat: self.pots()}

    def book_in(self, seat: int, amount: int, dues: Dues) -> None:
        super().book_in(seat, amount, dues)
        self._keep_whole()

    def book_out(self, seat: int, amount: int, dues: Dues) -> None:
        super().book_out(seat, amount, dues)
        if self.pot > 0:
            self._keep_whole()

    def _keep_whole(self) -> None:
        """Whoever takes the pot alone takes all that lies in it then, though the hand is decided before."""
        if self.dues_out and len(self.takers) == 1:
            self.dues_out = {self.takers[0]: self.pots()}

    def take_debt(self, seat: int, amount: int, due: int) -> None:
        super().take_debt(seat, amount, due)
        if self.decided and (self.dues_out or not self.takers):
            ours, own, ought = self.pot_due
            self.pot_due = (ours + due, own + due, ought + due)

    def fail(self, seat: int) -> None:
        """The opener has fewer than the target (`bura.12`)."""
        rule = self.rules.failed_open
        others = [other for other in self.players if other != seat]
        if rule is FailedOpen.MATCH_POT:
            self.settle("failed_open", ())
            self.opener = seat
            if self.rules.scoring is POT:
                self.dues_in = {seat: ("failed_open", self.pots())}
                self._raise_pot_due()
            return
        winners = others if len(others) != 1 or rule is FailedOpen.POT_TO_OTHERS else others[:1]
        self.settle("failed_open", tuple(winners))
        self.opener = seat
        if self.rules.scoring is POT and winners:
            share = tuple(pot // len(winners) for pot in self.pots())
            self.dues_out = dict.fromkeys(winners, (share[0], share[1], share[2]))

    def match_score(self) -> dict[int, int] | None:
        if not self.takers:
            return {}
        return dict.fromkeys(self.takers, self.hand_counts()) if self.rules.scoring is not POT else None

    def hand_counts(self) -> int:
        """The match points of who wins the hand: its level, twice with a bura that wins double (`bura.2`)."""
        return self.level * (2 if self.won_double else 1)

    def settle_again(self) -> None:
        if self.reason == "failed_open":
            self.fail(self.opener)
        elif self.takers:
            self.win(self.reason, self.takers[0])
        else:
            self.void()

    def shows_all(self, amount: int, parts: int) -> bool:
        """One share of a razburka leaves odd chips open; all of them, of one amount, leave none."""
        if self.reason != "razburka" or parts == 1:
            return True
        doubt = self.hand, Code.UNKNOWN_CARD, self.penalty_rule("razburka")
        doubted = any((each.hand, each.code, each.rule) == doubt for each in self.findings)
        return len(self.dues_in) == 1 and not doubted and all(amount in due for _, due in self.dues_in.values())

    def is_of_the_pot(self, why: str) -> bool:
        return why != "razburka" or self.rules.razburka is not Razburka.RESTAKE

    def void(self) -> None:
        """Razburka: all hands are empty and nobody opened (`bura.14`)."""
        rule = self.rules.razburka
        if rule is Razburka.MOST_POINTS:
            self._most_points()
            return
        self.settle("razburka", ())
        if self.rules.scoring is not POT or rule is Razburka.DRAW:
            return
        if rule is Razburka.DOUBLE:
            self.dues_in = {seat: ("razburka", share) for seat, share in self._shares().items()}
        else:
            again = (self.ante, self.ante, self.ante)
            self.dues_in = dict.fromkeys(self.players, ("razburka", again))
        self._raise_pot_due()

    def _shares(self) -> dict[int, Dues]:
        """What each player adds so that the pot doubles; odd chips one each from the dealer's left (`bura.15`)."""
        count = len(self.players)
        shares = {}
        for place, seat in enumerate(self.players):
            parts = [pot // count + (1 if place < pot % count else 0) for pot in self.pots()]
            shares[seat] = (parts[0], parts[1], parts[2])
        return shares

    def _raise_pot_due(self) -> None:
        """The pot at its largest: with what the decided hand makes due, as far as seats can pay."""
        now = list(self.pots())
        for seat, (_, due) in self.dues_in.items():
            for place, part in enumerate(self.within_means(seat, due)):
                now[place] += part
        self.pot_due = (now[0], now[1], now[2])

    def _most_points(self) -> None:
        bounds = {seat: self.pile_bounds(seat) for seat in self.players}
        best = max((low for low, _ in bounds.values()), default=0)
        may_win = [seat for seat, (_, high) in bounds.items() if high >= best]
        if len(may_win) == 1:
            self.win("razburka", may_win[0])
            return
        if all(low == high for low, high in bounds.values()):
            self.settle("razburka", ())
            return
        seat = self.witness.choose(Code.UNKNOWN_CARD, "most_points", [*may_win, 0], self.seq)
        if seat:
            self.win("razburka", int(seat))
        else:
            self.settle("razburka", ())

    def decide_claims(self) -> bool:
        """Decide a declared bura, or aces that take the pot (`bura.7`, `bura.8`); whether the hand is decided."""
        if not self.claims or self.decided:
            return self.decided
        rules = self.rules
        pot_kinds = {"bura"} if rules.bura in POT_RIGHTS else set()
        if rules.three_aces is ACES_WIN:
            pot_kinds.add("three_aces")
        if not any(kind in pot_kinds for _, kind, _ in self.claims):
            return False
        rivals = [claim for claim in self.in_turn_order() if claim[1] != "molodka"]
        if rules.bura_tie is BuraTie.EARLIEST:
            buras = [claim for claim in rivals if claim[1] == "bura"]
            holder = (buras or rivals)[0]
        else:
            holder = self._contest(rivals)
        if holder[1] == "bura" and rules.bura is BURA_LEADS:
            self.claims = [claim for claim in self.claims if claim[1] != "three_aces"]
            return False
        self.won_double = holder[1] == "bura" and rules.bura is BuraRight.WINS_DOUBLE
        self.win("bura", holder[0])
        return True

    def in_turn_order(self) -> list[Claim]:
        """The declarations in turn order from the natural leader."""
        if len(self.claims) == 1:
            return self.claims
        if self.leader == ANYBODY:
            self.leader = int(self.witness.choose(Code.UNKNOWN_CARD, "leader", self.players, self.seq))
        ring = self.holders()
        return sorted(self.claims, key=lambda claim: ring.index(claim[0]) if claim[0] in ring else len(ring))

    def _contest(self, rivals: list[Claim]) -> Claim:
        holder = rivals[0]
        for rival in rivals[1:]:
            if self._claim_beats(rival, holder):
                holder = rival
        return holder

    def _claim_beats(self, claim: Claim, other: Claim) -> bool:
        if claim[2] and other[2]:
            return set_beats(spread(claim[2]), spread(other[2]), self.trump, True)
        beats = beats_unseen(self._claimed(claim), self._claimed(other), self.trump, True)
        if beats is None:
            return bool(self.witness.choose(Code.UNKNOWN_CARD, "contest", [False, True], self.seq))
        return beats

    def _claimed(self, claim: Claim) -> Faces:
        """By card of a true declaration: the mask of the cards it may be."""
        seat, kind, cards = claim
        if cards:
            return tuple(1 << card for card in spread(cards))
        sure = self.certain(seat)
        unseen = self.possible(seat) & ~sure & (ACES if kind == "three_aces" else SUIT_MASK[self.trump])
        return (*(1 << card for card in spread(sure)), *[unseen] * (self.hand_size - sure.bit_count()))

    def entitled(self) -> tuple[int, int, bool]:
        """Who may lead now, the cards it must then lead (0 = any), and whether suits may be mixed (`bura.7`)."""
        if self.claims:
            order = self.in_turn_order()
            for kind in self.leading_kinds():
                for seat, combination, cards in order:
                    if combination == kind:
                        return seat, cards, kind == "three_aces"
        return self.natural(), 0, False

    def entitled_by_any_order(self, seat: int) -> tuple[int, int, bool]:
        """The same where the natural leader is not known: the seat itself, if some order would let it lead."""
        for kind in self.leading_kinds():
            rivals = {claim[0]: claim[2] for claim in self.claims if claim[1] == kind}
            if rivals:
                holder = seat if seat in rivals else next(iter(rivals))
                return holder, rivals[holder], kind == "three_aces"
        return seat, 0, False

    def leading_kinds(self) -> tuple[str, ...]:
        """The combinations that lead out of turn, the gravest first."""
        kinds = []
        if self.rules.bura is BURA_LEADS:
            kinds.append("bura")
        if self.rules.three_aces is ACES_LEAD:
            kinds.append("three_aces")
        return (*kinds, "molodka")
