"""Who holds what, as far as the record knows: cards surely and possibly held, and how many (`report.md` 1)."""

from typing import Final

from replay.engine.findings import Code
from replay.engine.voice import Voice
from schemas.cards import BIT, CODE, DOMAIN, KNOWN, SPELLING, UNKNOWN, mask_of

Codes = tuple[int, ...]
"""The codes of cards in the order in which they were written."""
ALONE: Final[tuple[Codes, ...]] = tuple((code,) for code in CODE.values())
"""By code: the codes of that one card."""


class Held:
    """What one seat holds, sets of cards as bit masks; moved in place.

    `sure` are cards it certainly holds, `may` those it may hold (a superset), `size` is how many it holds, `limbo` are
    known cards of it that may already have left it unseen. With nothing unknown `sure == may` and `limbo == 0`.
    """

    __slots__ = ("limbo", "may", "size", "sure")

    def __init__(self) -> None:
        self.sure = 0
        self.may = 0
        self.size = 0
        self.limbo = 0

    def copy(self) -> "Held":
        """The same, which can be moved without moving this one."""
        twin = Held()
        twin.sure, twin.may, twin.size, twin.limbo = self.sure, self.may, self.size, self.limbo
        return twin


class Holdings(Voice):
    """Holdings of every seat, by seat; index 0 is nobody. `seen` is every known card that has a place in this hand."""

    __slots__ = (
        "began_seq",
        "blind",
        "game",
        "held",
        "missing",
        "pack",
        "seen",
        "strange",
        "strange_got",
        "strange_hands",
    )

    def begin_cards(self, game: str, pack: int) -> None:
        """Before the first hand: no card has a place."""
        self.game = game
        self.pack = pack
        self.missing = 0
        self.seen = 0
        self.blind = False
        """Some card of this hand was not seen."""
        self.held: list[Held] = []
        self.strange_hands: list[int] = []
        self.began_seq = 0
        self.strange: list[tuple[int, int]] = []
        """The cards, by seq of their event and place in it, that cannot be what was written."""
        self.strange_got: list[tuple[int, int]] = []
        """Seat and code of each such card dealt or drawn: that the seat lays it later is no second breach."""

    def clear_holdings(self, seats: int) -> None:
        """An empty table for a new hand of seats 1..`seats`."""
        self.seen = self.missing
        self.blind = False
        self.strange = []
        self.strange_got = []
        if len(self.held) != seats + 1:
            self.held = [Held() for _ in range(seats + 1)]
        for held in self.held:
            held.sure = held.may = held.size = held.limbo = 0

    def place(self, spelling: str, seat: int) -> int:
        """Note that a card now has a place: its code, or an unknown code where it cannot be that card.

        A card outside the pack or one that already lies somewhere is told and treated as unseen: the card that
        really lay there is not known. So is a half-known one, where that holds of every card it may be.
        """
        code = CODE[spelling]
        may = DOMAIN[code] & self.pack
        if code == UNKNOWN or may & ~self.seen:
            if code >= KNOWN:
                self.blind = True
            else:
                self.seen |= may
            return code
        self._tell_elsewhere(spelling, may, seat)
        self.strange_got.append((seat, code))
        self.blind = True
        return UNKNOWN

    def _tell_elsewhere(self, spelling: str, may: int, seat: int) -> None:
        """A card that is none of the pack's, or lies somewhere already, cannot be here."""
        code = Code.CARD_TWICE if may & ~self.missing else Code.REVEAL_CONTRADICTS if may else Code.CARD_NOT_IN_PACK
        self.find(code, seat, spelling, None, self.game + ".2")
        self.shaken = True

    def without_impossible(self, seat: int, spellings: tuple[str, ...], wanted: int) -> tuple[str, ...]:
        """More cards than due, of which just so many cannot be there: those are told and leave the state alone."""
        left = self.pack & ~self.seen
        kept: list[str] = []
        strange: list[str] = []
        for spelling in spellings:
            bit = BIT[spelling]
            (kept if bit & left or CODE[spelling] >= KNOWN else strange).append(spelling)
            left &= ~bit
        if not strange or len(kept) != wanted:
            return spellings
        for spelling in strange:
            self._tell_elsewhere(spelling, BIT[spelling] & self.pack, seat)
        return tuple(kept)

    def take(self, seat: int, spellings: tuple[str, ...]) -> None:
        """The seat receives cards, dealt or drawn."""
        free = left = self.pack & ~self.seen
        for spelling in spellings:
            bit = BIT[spelling]
            if not bit & left:
                self._take_one_by_one(seat, spellings)
                return
            left ^= bit
        cards = free ^ left
        self.seen |= cards
        held = self.held[seat]
        held.sure |= cards
        held.may |= cards
        held.size += len(spellings)

    def _take_one_by_one(self, seat: int, spellings: tuple[str, ...]) -> None:
        held = self.held[seat]
        for spot, spelling in enumerate(spellings):
            code = CODE[spelling]
            if code >= KNOWN or (1 << code) & self.seen or not (1 << code) & self.pack:
                placed = self.place(spelling, seat)
                if placed != code:
                    self.not_so(spot)
                code = placed
            if code < KNOWN:
                bit = 1 << code
                self.seen |= bit
                held.sure |= bit
                held.may |= bit
            else:
                held.may |= DOMAIN[code] & self.pack
        held.size += len(spellings)

    def let_go(self, seat: int, spellings: tuple[str, ...]) -> Codes:
        """The seat lets cards go, played or discarded: their codes as recorded, each told where it was not held."""
        held = self.held[seat]
        sure = left = held.sure
        for spelling in spellings:
            bit = BIT[spelling]
            if not bit & left:
                return self._let_go_one_by_one(seat, spellings)
            left ^= bit
        held.sure = left
        held.may &= ~(sure ^ left)
        held.size -= len(spellings)
        return tuple([CODE[spelling] for spelling in spellings])

    def _let_go_one_by_one(self, seat: int, spellings: tuple[str, ...]) -> Codes:
        held, codes = self.held[seat], []
        for spot, spelling in enumerate(spellings):
            code = CODE[spelling]
            codes.append(code)
            if code < KNOWN:
                bit = 1 << code
                if bit & held.sure:
                    held.sure ^= bit
                    held.may &= ~bit
                    held.size -= 1
                    continue
                self._let_go_unsure(seat, code, spot)
            elif code == UNKNOWN or DOMAIN[code] & self.may_hold(seat):
                self._let_go_unseen(seat, code)
            else:
                self._cannot_go(seat, code, spot)
        return tuple(codes)

    def not_so(self, spot: int) -> None:
        """A card of the present event cannot be what was written."""
        self.strange.append((self.seq, spot))
        self.strange_hands.append(self.began_seq)

    def _let_go_unsure(self, seat: int, code: int, spot: int) -> None:
        bit = 1 << code
        if bit & self.may_hold(seat):
            self.held[seat].may &= ~bit
            self.held[seat].limbo &= ~bit
            self.seen |= bit
            self._count_off(seat)
        else:
            self._cannot_go(seat, code, spot)

    def _cannot_go(self, seat: int, code: int, spot: int) -> None:
        """A card that the seat cannot hold, known or half known, counts as one of its cards that nobody saw.

        Where the hand has fewer cards than it needs, which was told, none of those on record is that one.
        """
        if (seat, code) in self.strange_got:
            self.strange_got.remove((seat, code))
        else:
            wrong = Code.CARD_NOT_HELD if DOMAIN[code] & self.pack else Code.CARD_NOT_IN_PACK
            self.find(wrong, seat, SPELLING[code], None, self.game + ".5")
        self.shaken = True
        self.not_so(spot)
        if not self.lacks_cards(seat, spot):
            self._let_go_unseen(seat, UNKNOWN)

    def lacks_cards(self, _seat: int, _gone: int) -> bool:
        """Whether the seat, of which `_gone` cards went by this event, has fewer cards on record than it needs."""
        return False

    def _let_go_unseen(self, seat: int, code: int) -> None:
        self.blind = True
        held = self.held[seat]
        gone = held.sure & DOMAIN[code]
        held.limbo |= gone
        held.sure &= ~gone
        self._count_off(seat)

    def _count_off(self, seat: int) -> None:
        held = self.held[seat]
        held.size = max(0, held.size - 1)
        if held.size == 0:
            held.sure = held.may = held.limbo = 0

    def in_hands(self) -> int:
        """How many cards all seats hold together."""
        count = 0
        for held in self.held:
            count += held.size
        return count

    def none_in_hand(self) -> bool:
        """Whether no seat holds a card."""
        for held in self.held:  # noqa: SIM110 - a generator costs more than the loop, and every hand asks
            if held.size:
                return False
        return True

    def possible(self, seat: int) -> int:
        """The mask of cards the seat may hold now."""
        held = self.held[seat]
        return held.may & ~(self.seen & ~(held.sure | held.limbo))

    def may_hold(self, seat: int) -> int:
        """The mask of cards the seat may hold now, those alone where they are as many as it holds for sure."""
        held = self.held[seat]
        return held.sure if held.size == held.sure.bit_count() else self.possible(seat)

    def certain(self, seat: int) -> int:
        """The mask of cards the seat holds now for sure: all it may hold where they are no more than it holds."""
        held = self.held[seat]
        if held.size == held.sure.bit_count():
            return held.sure
        possible = self.possible(seat)
        return possible if possible.bit_count() == held.size else held.sure

    def holds_none(self, seat: int, spellings: tuple[str, ...]) -> bool:
        """Whether these cards are all seen, and none of them can be in the seat's hand."""
        cards = mask_of(spellings)
        return cards.bit_count() == len(spellings) > 0 and not cards & self.possible(seat)

    def has_them(self, seat: int, spellings: tuple[str, ...]) -> bool:
        """Whether these cards are all in the seat's hand already."""
        sure = self.held[seat].sure
        if not sure:
            return False
        cards = mask_of(spellings)
        return cards.bit_count() == len(spellings) > 0 and not cards & ~sure

    def foreknow(self, seat: int, cards: int) -> None:
        """Later events show that the seat holds these cards now; what it cannot hold is left out."""
        held = self.held[seat]
        cards &= self.possible(seat) & ~held.sure
        if (held.sure | cards).bit_count() > held.size:
            return
        held.sure |= cards
        held.limbo &= ~cards
        self.seen |= cards
