"""What each play of a hand owed, and whether that was kept (`rules.md` 4.7, 4.8): told, and listed for disputes."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from replay.engine.bourre.draw import BourreDraw
from replay.engine.bourre.laws import (
    BROKEN,
    CODE_OF,
    Duty,
    Holding,
    Spot,
    Verdict,
    breach_of,
    common,
    kept_duty,
)
from replay.engine.bourre.rests import MOST_FACES, Move, Rest, Story, rests_by_card
from replay.engine.bourre.state import DEALERS_FIFTH, FOLLOWING, Laid
from replay.engine.findings import Code, Finding, severity_of
from schemas.cards import CODE, DOMAIN, KNOWN, SPELLING, SUIT_MASK, UNKNOWN, spell_all, spread
from schemas.rules import BourreRules, LeadDuty


def suits_of(cards: int) -> list[int]:
    """The suits of which there are cards among these."""
    return [suit for suit, mask in enumerate(SUIT_MASK) if cards & mask]


def _whatever_it_was(hand: Holding, cards: int, spots: Sequence[Spot], rules: BourreRules) -> Verdict | None:
    return common([breach_of(hand, card, spot, rules) for spot in spots for card in spread(cards)])


_same_again = lru_cache(maxsize=4096)(_whatever_it_was)
"""The same where much was not seen: a hand that is judged in many ways asks it again and again."""


def _exactly(
    hand: Holding, by_card: tuple[tuple[int, tuple[Rest, ...]], ...], spots: tuple[Spot, ...], rules: BourreRules
) -> Verdict | None:
    hands = [(card, hand._replace(rests=rests)) for card, rests in by_card]
    return common([breach_of(each, card, spot, rules) for card, each in hands for spot in spots])


_exactly_again = lru_cache(maxsize=4096)(_exactly)


def same(one: Finding, other: Finding) -> bool:
    """Whether this is that finding; of a breach what proves it may have been added since."""
    if one is other or other.code is Code.UNKNOWN_CARD:
        return one is other
    return (one.seq, one.code, one.expected) == (other.seq, other.code, other.expected)


LOST_LEAD: Final = -1
"""In place of the seq of a lead that is not on record."""


class BourreDuties(BourreDraw):
    """The duties of a hand's plays."""

    __slots__ = ()

    def turn_of(self, seat: int) -> int:
        """The seat's place in the trick, clockwise from its leader."""
        return self._turn(self.leader, seat)

    def leads_instead(self, seat: int, cards: tuple[str, ...]) -> bool:
        """Whether a seat that was passed over does not answer late but leads to the next trick, its answer not on
        record: asked for where none but such seats are waited for, and the card would break a duty as an answer."""
        late = seat == self.unled or any(self.turn_of(laid[1]) > self.turn_of(seat) for laid in self.trick)
        waited_for = not late or any(not self.skipped >> other & 1 for other in self.to_play)
        if (waited_for and not self.called_over) or len(cards) != 1 or CODE[cards[0]] >= KNOWN:
            return False
        held, code = self.held[seat], CODE[cards[0]]
        hand = Holding(held.sure, self.possible(seat), held.size)
        spots = [self._answering(self.trick, suit) for suit in suits_of(self.trick[0][3])]
        found = _whatever_it_was(hand, 1 << code, spots, self.rules)
        if found is None or found.answer != BROKEN:
            return False
        self.strange_hands.append(self.began_seq)
        return bool(self.witness.choose(Code.UNKNOWN_CARD, "leads", [False, True], self.seq))

    def judge(self) -> None:
        """Tell whether the card just laid breaks a duty."""
        self.judge_at(len(self.past), len(self.trick) - 1)

    def judge_at(self, number: int, place: int) -> None:
        """The same of the card at a place of the trick before which so many were taken."""
        tricks = [*self.past, self.trick]
        laid = tricks[number][place]
        found = self._breach(tricks, (number, place), self._spots(tricks[number], place, number), at_once=True)
        if found is None:
            return
        wrong = CODE_OF[found.duty]
        rule = "lead_duty" if found.duty == "cinch" else "bourre.8" if place else "bourre.7"
        told = len(self.findings)
        if found.answer != BROKEN:
            self.find(Code.UNKNOWN_CARD, laid[1], str(wrong), None, rule)
            self.doubted |= {each.seq: each for each in self.findings[told:]}
            return
        self.find(wrong, laid[1], {"played": SPELLING[laid[2]], "proved_by": None}, spell_all(found.legal), rule)
        if found.duty in ("trump", "overtrump") and laid[6] > laid[4].bit_count():
            self.doubted |= {each.seq: each for each in self.findings[told:]}
        if found.legal and not found.legal & ~laid[7] and len(self.findings) > told:
            self.unproved.append((self.findings[-1], laid[1], found.legal))

    def _breach(
        self, tricks: list[list[Laid]], at: tuple[int, int], spots: list[Spot], *, at_once: bool = False
    ) -> Verdict | None:
        """The duty a card breaks or may break, whatever it was if unseen, whatever it had to answer.

        Asked `at_once`, as it is laid, an unseen card is taken for any that its seat may hold; `look_back` follows.
        """
        laid = tricks[at[0]][at[1]]
        hand = Holding(laid[4], laid[5], laid[6])
        cards = laid[3] & hand.may
        exact = not self.strange and (laid[2] < KNOWN or not at_once)
        if exact and cards.bit_count() > MOST_FACES:
            hand = self._left_as_laid(hand, self._story(tricks, at).later)
        elif exact and hand.size > hand.sure.bit_count():
            rests = rests_by_card(self._story(tricks, at), cards, hand.size - 1)
            if rests:
                asked = _exactly_again if type(self.rules) is BourreRules else _exactly
                return asked(hand, rests, tuple(spots), self.rules)
        if (laid[2] >= KNOWN or len(spots) > 1) and type(self.rules) is BourreRules:
            return _same_again(hand, cards, tuple(spots), self.rules)
        return _whatever_it_was(hand, cards, spots, self.rules)

    def _left_as_laid(self, hand: Holding, later: tuple[int, ...]) -> Holding:
        """The hand, where all cards that were left of it are on record: no other can have been beside the one laid."""
        if len(later) != hand.size - 1:
            return hand
        free = self.pack & ~self.seen
        named = sum({card for card in later if not card & (card - 1)})
        unnamed = 0
        for card in later:
            unnamed |= card & free
        return Holding(hand.sure | named, hand.sure | named | hand.may & unnamed, hand.size)

    def _story(self, tricks: list[list[Laid]], at: tuple[int, int]) -> Story:
        """What is known of the cards of the seat that laid this one."""
        laid = tricks[at[0]][at[1]]
        seat = laid[1]
        moves = [
            Move(taken, tuple([DOMAIN[CODE[spelling]] for spelling in cards]))
            for who, taken, cards in self.moves
            if who == seat
        ]
        if moves and seat == self.dealer and self.rules.trump_card is DEALERS_FIFTH:
            dealt = moves[0].cards
            moves[0] = Move(taken=True, cards=(*dealt[:-1], dealt[-1] & DOMAIN[self.turnup]))
        own = [
            ((number, place), DOMAIN[each[2]])
            for number, trick in enumerate(tricks)
            for place, each in enumerate(trick)
            if each[1] == seat
        ]
        moves += [Move(taken=False, cards=(cards,)) for where, cards in own if where < at]
        later = tuple([cards for where, cards in own if where > at])
        return Story(tuple(moves), laid[4], later, self.pack & ~self.seen)

    def look_back(self) -> None:
        """A doubt that later events settle is not told; a breach that they prove is told where it was done.

        A breach that is certain is told by its right name: whether the led suit was held only later events may show.
        """
        doubted, self.doubted = self.doubted, {}
        if self.silent or not doubted:
            return
        tricks = self._all_tricks()
        plays = [laid for trick in tricks for laid in trick]
        for number, trick in enumerate(tricks):
            for place, laid in enumerate(trick):
                finding = doubted.get(laid[0])
                told = next((spot for spot, each in enumerate(self.findings) if finding and same(each, finding)), -1)
                if finding is None or told < 0:
                    continue
                found = self._breach(tricks, (number, place), self._spots(trick, place, number))
                if found is None:
                    self.findings[told : told + 1] = [finding] * (finding.code is not Code.UNKNOWN_CARD)
                elif found.answer == BROKEN and CODE_OF[found.duty] is not finding.code:
                    wrong = CODE_OF[found.duty]
                    played = {"played": SPELLING[laid[2]], "proved_by": self._proof(laid, found, plays)}
                    self.findings[told] = replace(
                        finding,
                        code=wrong,
                        severity=severity_of(wrong),
                        recorded=played,
                        expected=spell_all(found.legal),
                    )

    def close_hand(self, known: bool) -> None:
        self.look_back()
        super().close_hand(known)

    def settle_open_ends(self) -> None:
        super().settle_open_ends()
        self.look_back()

    def _all_tricks(self) -> list[list[Laid]]:
        """The hand's tricks, an unseen card in them as what it may have been with all that is known now."""
        tricks = [*self.past, *self._open_trick()]
        return [
            [self._narrowed(tricks, (number, place)) for place in range(len(trick))]
            for number, trick in enumerate(tricks)
        ]

    def _narrowed(self, tricks: list[list[Laid]], at: tuple[int, int]) -> Laid:
        laid = tricks[at[0]][at[1]]
        faces = laid[3] & laid[5]
        if laid[2] < KNOWN or self.strange or faces.bit_count() > MOST_FACES:
            return laid
        rests = rests_by_card(self._story(tricks, at), faces, laid[6] - 1)
        cards = sum(1 << card for card, _ in rests)
        if not cards:
            return laid
        code = laid[2] if cards & (cards - 1) else cards.bit_length() - 1
        return laid[0], laid[1], code, cards, laid[4], laid[5], laid[6], laid[7]

    def _spots(self, trick: list[Laid], place: int, number: int) -> list[Spot]:
        """What the card at a place of a trick may have to answer; `number` tricks were taken before."""
        before = [*trick[:place], *self._lost(trick, place)]
        answered = [before] if place else []
        answered += [[laid, *[each for each in before if each is not laid]] for laid in before if laid[0] == LOST_LEAD]
        spots = [self._answering(laid, suit) for laid in answered for suit in suits_of(laid[0][3])]
        return spots if place else spots + self._leading(trick, number)

    def _lost(self, trick: list[Laid], place: int) -> list[Laid]:
        """The cards that lay there before a card though they are not on record: of seats that were passed over.

        Whose turn comes after that of the card is passed over only later.
        """
        lost = [laid for laid in trick[place + 1 :] if laid[0] <= 0]
        if self.skipped and trick is self.trick and self.phase == FOLLOWING:
            lost += [self.lost_card(seat) for seat in self.to_play if self.skipped >> seat & 1]
        leaders = [trick[0][1], *(laid[1] for laid in lost if laid[0] == LOST_LEAD)] if lost else []
        own = trick[place][1]
        return [laid for laid in lost if any(self._turn(first, laid[1]) < self._turn(first, own) for first in leaders)]

    def _turn(self, leader: int, seat: int) -> int:
        return (self.players.index(seat) - self.players.index(leader)) % len(self.players)

    def lost_card(self, seat: int) -> Laid:
        """A card of this seat that is not on record: any of its hand, laid as an answer or as the lead."""
        held, may = self.held[seat], self.possible(seat)
        seq = LOST_LEAD if seat == self.unled else 0
        return seq, seat, UNKNOWN, may, held.sure, may, held.size, self.foreseen[seat]

    def _leading(self, trick: list[Laid], number: int) -> list[Spot]:
        """What binds a leader, where `number` tricks were taken before."""
        seat = trick[0][1]
        won = sum(1 for result in self.tricks[:number] if result.taker == seat)
        more = sum(1 for before, seats in self.unsure if before < number and seats >> seat & 1)
        gone, hidden = self._gone(seat, number), self._unshown(seat, number)
        leads = Spot(self.trump, first=not number, gone=gone, hidden=hidden)
        return [leads._replace(won=won + extra) for extra in range(more + 1)]

    def _answering(self, laid: list[Laid], suit: int) -> Spot:
        """What a follower has to answer where this suit was led."""
        cards = laid[0][3] & SUIT_MASK[suit]
        led = (cards & -cards).bit_length() - 1, cards.bit_length() - 1
        low, high = self._highest(laid[1:], SUIT_MASK[suit])
        top = (-1, -1) if suit == self.trump else self._highest(laid[1:], self.trump_mask)
        return Spot(self.trump, suit, led, (max(low, led[0]), max(high, led[1])), top)

    def _highest(self, laid: list[Laid], suit: int) -> tuple[int, int]:
        """The highest card of a suit among these, at the least and at the most; -1 where there is none."""
        low = high = -1
        for each in laid:
            cards = each[3]
            high = max(high, (cards & suit).bit_length() - 1)
            if not cards & ~suit:
                low = max(low, (cards & -cards).bit_length() - 1)
        return low, high

    def _gone(self, seat: int, number: int) -> int:
        """The cards a seat has seen elsewhere: laid in earlier tricks, the turn-up, its own discards."""
        gone = self.discarded[seat]
        if 0 <= self.turnup < KNOWN:
            gone |= 1 << self.turnup
        for trick in self.past[:number]:
            for laid in trick:
                if laid[2] < KNOWN:
                    gone |= 1 << laid[2]
        return gone

    def _unshown(self, seat: int, number: int) -> tuple[int, ...]:
        """What the cards may be that a seat has seen elsewhere and that are not on record (`cinch` asks for them)."""
        if type(self.rules) is BourreRules and self.rules.lead_duty is not LeadDuty.CINCH:
            return ()
        free = self.pack & ~self.seen
        laid = [each for trick in self.past[:number] for each in trick if each[2] >= KNOWN]
        hidden = [each[3] for each in laid]
        if self.turnup >= KNOWN:
            hidden.append(DOMAIN[self.turnup] & free)
        away = [CODE[card] for who, taken, cards in self.moves if who == seat and not taken for card in cards]
        if self.discarded[seat].bit_count() < len(away):
            held = self.held[seat].sure
            for each in self._all_laid(seat):
                held |= 1 << each
            got = [CODE[card] for who, taken, cards in self.moves if who == seat and taken for card in cards]
            named = sum({1 << code for code in got if code < KNOWN}) & ~held & ~self.discarded[seat]
            hidden += [DOMAIN[code] & (free | named) for code in away if code >= KNOWN]
        return tuple(sorted(hidden))

    def _all_laid(self, seat: int) -> list[int]:
        """The cards a seat has laid in this hand, as far as they were seen."""
        tricks = [*self.past, *self._open_trick()]
        return [each[2] for trick in tricks for each in trick if each[1] == seat and each[2] < KNOWN]

    def prove(self, seq: int, seat: int, code: int) -> None:
        """A card that only later play shows was held lies on the table: it proves earlier breaches."""
        waiting = []
        for finding, breaker, legal in self.unproved:
            if breaker != seat or code >= KNOWN or not legal >> code & 1:
                waiting.append((finding, breaker, legal))
                continue
            place = next(at for at, each in enumerate(self.findings) if each is finding)
            self.findings[place] = replace(finding, recorded={**finding.recorded, "proved_by": seq})
        self.unproved = waiting

    def duties(self) -> list[Duty]:
        """Every play on record of this hand that had a duty, kept or not, in the order played (`report.md` 5)."""
        tricks = self._all_tricks()
        plays = [laid for trick in tricks for laid in trick]
        told = []
        for number, trick in enumerate(tricks):
            for place, laid in enumerate(trick):
                if laid[0] <= 0:
                    continue
                spots = self._spots(trick, place, number)
                found = self._breach(tricks, (number, place), spots)
                if found is None and len(spots) == 1 and laid[2] < KNOWN and laid[5] >> laid[2] & 1:
                    found = kept_duty(Holding(laid[4], laid[5], laid[6]), laid[2], spots[0], self.rules)
                if found is not None:
                    proof = self._proof(laid, found, plays) if found.answer == BROKEN else None
                    told.append(Duty(laid[0], laid[1], found.duty, found.answer, tuple(spell_all(found.legal)), proof))
        return told

    def _open_trick(self) -> list[list[Laid]]:
        """The trick that lacks cards, also where the hand was given up in the middle of it."""
        return [self.trick] if self.trick and self.past[-1:] != [self.trick] else []

    @staticmethod
    def _proof(laid: Laid, found: Verdict, plays: list[Laid]) -> int | None:
        """The earliest later play that shows a right card was held; None where that was on record anyway."""
        if found.legal & ~laid[7]:
            return None
        later = (each for each in plays[plays.index(laid) + 1 :] if each[1] == laid[1] and each[2] < KNOWN)
        return next((each[0] for each in later if found.legal >> each[2] & 1), None)
