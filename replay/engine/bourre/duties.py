"""What each play of a hand owed and whether it was kept: told as it happens, listed for a dispute."""

from dataclasses import replace

from replay.engine.bourre.draw import BourreDraw
from replay.engine.bourre.laws import (
    BROKEN,
    CODE_OF,
    Duty,
    Hand,
    Spot,
    Verdict,
    breach_of,
    breach_unseen,
    kept_duty,
)
from replay.engine.bourre.state import FOLLOWING, Laid
from replay.engine.findings import Code
from schemas.cards import DOMAIN, KNOWN, SPELLING, SUIT_MASK, spell_all


class BourreDuties(BourreDraw):
    """The duties of a hand's plays."""

    __slots__ = ()

    def judge(self, code: int) -> None:
        """Tell whether the card just laid breaks a duty."""
        laid = self.trick[-1]
        found = self._breach(laid, self._spot(self.trick, len(self.trick) - 1, len(self.tricks)))
        if found is None:
            return
        wrong = CODE_OF[found.duty]
        rule = "lead_duty" if found.duty == "cinch" else "bourre.7" if len(self.trick) == 1 else "bourre.8"
        if found.answer != BROKEN:
            self.find(Code.UNKNOWN_CARD, laid[1], str(wrong), None, rule)
            return
        told = len(self.findings)
        self.find(wrong, laid[1], {"played": SPELLING[code], "proved_by": None}, spell_all(found.legal), rule)
        if found.legal and not found.legal & ~laid[6] and len(self.findings) > told:
            self.unproved.append((self.findings[-1], laid[1], found.legal))

    def _breach(self, laid: Laid, spot: Spot) -> Verdict | None:
        code, may = laid[2], laid[4]
        hand = Hand(laid[3], may, laid[5])
        if code < KNOWN:
            return breach_of(hand, code, spot, self.rules) if may >> code & 1 else None
        cards = DOMAIN[code] & may
        return breach_unseen(hand, cards & self.lead_mask if spot.suit < 0 else cards, spot, self.rules)

    def _spot(self, trick: list[Laid], place: int, number: int) -> Spot:
        """What the card at a place of a trick has to answer; `number` tricks were taken before."""
        seat = trick[place][1]
        won = sum(1 for result in self.tricks[:number] if result.taker == seat)
        if not place:
            return Spot(self.trump, first=not number, won=won, gone=self._gone(seat, number))
        suit = self.suits[number]
        low, high = self._highest(trick[:place], SUIT_MASK[suit])
        led = self._highest(trick[:1], SUIT_MASK[suit])
        if trick[0][2] >= KNOWN:
            cards = DOMAIN[trick[0][2]] & trick[0][4] & SUIT_MASK[suit] or SUIT_MASK[suit]
            led = (cards & -cards).bit_length() - 1, led[1] if led[1] >= 0 else cards.bit_length() - 1
            low, high = max(low, led[0]), max(high, led[1])
        top = (-1, -1) if suit == self.trump else self._highest(trick[1:place], self.trump_mask)
        return Spot(self.trump, suit, led, (low, high), top)

    def _highest(self, laid: list[Laid], suit: int) -> tuple[int, int]:
        """The highest card of a suit among these, at the least and at the most; -1 where there is none."""
        low = high = -1
        for each in laid:
            if each[2] < KNOWN:
                if suit >> each[2] & 1:
                    low, high = max(low, each[2]), max(high, each[2])
            else:
                cards = DOMAIN[each[2]] & each[4] & suit
                high = max(high, cards.bit_length() - 1)
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

    @property
    def duties(self) -> list[Duty]:
        """Every play of this hand that had a duty, kept or not, in the order played (`report.md` 5)."""
        plays = [laid for trick in [*self.past, *self._open_trick()] for laid in trick]
        told = []
        for number, trick in enumerate([*self.past, *self._open_trick()]):
            for place, laid in enumerate(trick):
                spot = self._spot(trick, place, number)
                found = self._breach(laid, spot)
                if found is None and laid[2] < KNOWN and laid[4] >> laid[2] & 1:
                    found = kept_duty(Hand(laid[3], laid[4], laid[5]), laid[2], spot, self.rules)
                if found is not None:
                    proof = self._proof(laid, found, plays) if found.answer == BROKEN else None
                    told.append(Duty(laid[0], laid[1], found.duty, found.answer, tuple(spell_all(found.legal)), proof))
        return told

    def _open_trick(self) -> list[list[Laid]]:
        return [self.trick] if self.phase == FOLLOWING else []

    @staticmethod
    def _proof(laid: Laid, found: Verdict, plays: list[Laid]) -> int | None:
        """The earliest later play that shows a right card was held; None where that was on record anyway."""
        if found.legal & ~laid[6]:
            return None
        later = (each for each in plays if each[0] > laid[0] and each[1] == laid[1] and each[2] < KNOWN)
        return next((each[0] for each in later if found.legal >> each[2] & 1), None)
