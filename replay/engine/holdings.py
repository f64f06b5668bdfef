"""Who holds what, as far as the record knows: cards surely held, cards possibly held, and how many there are."""

from typing import Final

from replay.engine.findings import Code
from replay.engine.voice import Voice
from schemas.cards import BIT, CODE, DOMAIN, KNOWN, SPELLING, mask_of


class _Masks(dict[tuple[str, ...], int]):
    """The mask of one or two cards as they were written, worked out once; 0 where it does not tell all of them."""

    def __missing__(self, spellings: tuple[str, ...]) -> int:
        cards = 0
        for spelling in spellings:
            cards |= BIT[spelling]
        if cards.bit_count() != len(spellings):
            cards = 0
        if len(spellings) <= 2:  # there are not many pairs
            self[spellings] = cards
        return cards


MASK_OF: Final = _Masks()
"""By spellings: the mask of these cards where all are known and no two the same, else 0."""


class Holdings(Voice):
    """Holdings of every seat as bit masks; index 0 is nobody.

    `sure[s]` are cards the seat certainly holds, `may[s]` those it may hold (a superset), `size[s]` how many cards
    it holds, `limbo[s]` known cards of the seat that may already have left it unseen. `seen` is every known card that
    has a place in this hand. With nothing unknown `sure == may` and `limbo == 0`.
    """

    __slots__ = (
        "began_seq",
        "blind",
        "game",
        "limbo",
        "may",
        "missing",
        "pack",
        "seen",
        "size",
        "strange",
        "strange_got",
        "strange_hands",
        "sure",
    )

    def begin_cards(self, game: str, pack: int) -> None:
        """Before the first hand: no card has a place."""
        self.game = game
        self.pack = pack
        self.missing = 0
        self.seen = 0
        self.blind = False
        """Some card of this hand was not seen."""
        self.sure: list[int] = []
        self.may: list[int] = []
        self.limbo: list[int] = []
        self.size: list[int] = []
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
        self.sure = [0] * (seats + 1)
        self.may = [0] * (seats + 1)
        self.limbo = [0] * (seats + 1)
        self.size = [0] * (seats + 1)

    def place(self, spelling: str, seat: int) -> int:
        """Note that a card now has a place: its code, or an unknown code where it cannot be that card.

        A card outside the pack or one that already lies somewhere is told and treated as unseen: the card that
        really lay there is not known.
        """
        code = CODE[spelling]
        if code >= KNOWN:
            self.blind = True
            return code
        bit = 1 << code
        if not bit & self.seen and bit & self.pack:
            self.seen |= bit
            return code
        if not bit & self.pack:
            self.find(Code.CARD_NOT_IN_PACK, seat, spelling, None, self.game + ".2")
        elif bit & self.missing:
            self.find(Code.REVEAL_CONTRADICTS, seat, spelling, None, self.game + ".2")
        else:
            self.find(Code.CARD_TWICE, seat, spelling, None, self.game + ".2")
        self.strange_got.append((seat, code))
        self.shaken = True
        self.blind = True
        return CODE["??"]

    def take(self, seat: int, spellings: tuple[str, ...]) -> None:
        """The seat receives cards, dealt or drawn."""
        seen = self.seen
        if len(spellings) > 2:
            cards = 0
            for spelling in spellings:
                cards |= BIT[spelling]
            cards = cards if cards.bit_count() == len(spellings) else 0
        else:
            cards = MASK_OF[spellings]
        if cards and cards & ~seen & self.pack == cards:
            self.seen = seen | cards
            self.sure[seat] |= cards
            self.may[seat] |= cards
            self.size[seat] += len(spellings)
            return
        self._take_one_by_one(seat, spellings)

    def _take_one_by_one(self, seat: int, spellings: tuple[str, ...]) -> None:
        for spot, spelling in enumerate(spellings):
            code = CODE[spelling]
            if code >= KNOWN or (1 << code) & self.seen or not (1 << code) & self.pack:
                if code < KNOWN:
                    self.not_so(spot)
                code = self.place(spelling, seat)
            if code < KNOWN:
                bit = 1 << code
                self.seen |= bit
                self.sure[seat] |= bit
                self.may[seat] |= bit
            else:
                self.may[seat] |= DOMAIN[code] & self.pack
        self.size[seat] += len(spellings)

    def let_go(self, seat: int, spellings: tuple[str, ...]) -> list[int]:
        """The seat lets cards go, played or discarded: their codes as recorded, each told where it was not held."""
        cards = MASK_OF[spellings]
        sure = self.sure[seat]
        if cards and cards & sure == cards:
            self.sure[seat] = sure ^ cards
            self.may[seat] &= ~cards
            self.size[seat] -= len(spellings)
            return [CODE[spelling] for spelling in spellings]
        return self._let_go_one_by_one(seat, spellings)

    def _let_go_one_by_one(self, seat: int, spellings: tuple[str, ...]) -> list[int]:
        codes = []
        for spot, spelling in enumerate(spellings):
            code = CODE[spelling]
            codes.append(code)
            if code < KNOWN:
                bit = 1 << code
                if bit & self.sure[seat]:
                    self.sure[seat] ^= bit
                    self.may[seat] &= ~bit
                    self.size[seat] -= 1
                    continue
                self._let_go_unsure(seat, code, spot)
            else:
                self._let_go_unseen(seat, code)
        return codes

    def not_so(self, spot: int) -> None:
        """A card of the present event cannot be what was written."""
        self.strange.append((self.seq, spot))
        self.strange_hands.append(self.began_seq)

    def _let_go_unsure(self, seat: int, code: int, spot: int) -> None:
        bit = 1 << code
        if bit & self.possible(seat):
            self.may[seat] &= ~bit
            self.limbo[seat] &= ~bit
            self.seen |= bit
            self._count_off(seat)
            return
        if (seat, code) in self.strange_got:
            self.strange_got.remove((seat, code))
        else:
            wrong = Code.CARD_NOT_HELD if bit & self.pack else Code.CARD_NOT_IN_PACK
            self.find(wrong, seat, SPELLING[code], None, self.game + ".5")
        self.shaken = True
        self.not_so(spot)
        self._let_go_unseen(seat, CODE["??"])

    def _let_go_unseen(self, seat: int, code: int) -> None:
        self.blind = True
        gone = self.sure[seat] & DOMAIN[code]
        self.limbo[seat] |= gone
        self.sure[seat] &= ~gone
        self._count_off(seat)

    def _count_off(self, seat: int) -> None:
        self.size[seat] = max(0, self.size[seat] - 1)
        if self.size[seat] == 0:
            self.sure[seat] = self.may[seat] = self.limbo[seat] = 0

    def possible(self, seat: int) -> int:
        """The mask of cards the seat may hold now."""
        return self.may[seat] & ~(self.seen & ~(self.sure[seat] | self.limbo[seat]))

    def certain(self, seat: int) -> int:
        """The mask of cards the seat holds now for sure: all it may hold where they are no more than it holds."""
        sure = self.sure[seat]
        if self.size[seat] == sure.bit_count():
            return sure
        possible = self.possible(seat)
        return possible if possible.bit_count() == self.size[seat] else sure

    def holds_none(self, seat: int, spellings: tuple[str, ...]) -> bool:
        """Whether these cards are all seen, and none of them can be in the seat's hand."""
        cards = mask_of(spellings)
        return cards.bit_count() == len(spellings) > 0 and not cards & self.possible(seat)

    def has_them(self, seat: int, spellings: tuple[str, ...]) -> bool:
        """Whether these cards are all in the seat's hand already."""
        cards = mask_of(spellings)
        return cards.bit_count() == len(spellings) > 0 and not cards & ~self.sure[seat]

    def foreknow(self, seat: int, cards: int) -> None:
        """Later events show that the seat holds these cards now; what it cannot hold is left out."""
        cards &= self.possible(seat) & ~self.sure[seat]
        if (self.sure[seat] | cards).bit_count() > self.size[seat]:
            return
        self.sure[seat] |= cards
        self.limbo[seat] &= ~cards
        self.seen |= cards

    def holds(self, seat: int, cards: int) -> bool | None:
        """Whether the seat holds any of these cards now: yes, no, or None where it is not known."""
        if self.sure[seat] & cards:
            return True
        if self.size[seat] == self.sure[seat].bit_count() or not self.possible(seat) & cards:
            return False
        return True if self.certain(seat) & cards else None
