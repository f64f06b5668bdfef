"""The end of a trick in Bura, and the draw after it (`rules.md` 1.11, 1.13)."""

from typing import Final

from replay.engine.bura.deals import BuraDeals
from replay.engine.bura.laws import answer_beats, dealt_out
from replay.engine.bura.state import ANSWERING, LEADING, TAKEN
from replay.engine.findings import Code
from replay.engine.holdings import Codes
from replay.engine.outcome import TrickResult
from replay.engine.table import BETWEEN
from schemas import events as ev
from schemas.cards import BIT, CODE, DOMAIN, KNOWN, mask_of
from schemas.rules import DrawStyle, RazburkaWhen, ShortStock, Turnup

# What every card asks for: before Python 3.12 an enum's member takes ten times as long to look up as a name.
STOCK_EMPTY: Final = RazburkaWhen.STOCK_EMPTY


class BuraDraws(BuraDeals):
    """What comes between the last answer and the next lead, but for the words."""

    __slots__ = ()

    def finish_trick(self) -> None:
        """All have answered: the winning seat takes the trick (`bura.11`), and draws are due."""
        taker, points = self.winner, self.trick_points
        self.pile_points[taker] = self.pile_points[taker] + points
        self.pile_cards[taker] = self.pile_cards[taker] | self.trick_cards
        if self.trick_blank:
            self.pile_blank[taker] += self.trick_blank
            points = -1
        tricks = self.tricks
        tricks.append(TrickResult(len(tricks) + 1, self.leader, taker, tuple(self.trick_seqs), points, points))
        self.leader = taker
        self.phase = TAKEN
        self.drawn_any = False
        self.declined = False
        self.passed = 0
        if self.missed:
            self.missed = {}
        if self.ahead:
            self.ahead = {}
        self._plan_draws()

    # -- the draw -------------------------------------------------------------------------------------------------

    def _plan_draws(self) -> None:
        """Who draws how many, trick winner first (`bura.13`); the last of the stock is the turn-up."""
        if self.draws_due:
            self.draws_due = []
        if not self.stock or self.leader not in self.players:
            return
        ring = self.ring_from(self.leader)
        full, held = self.hand_size, self.held
        draws = [(seat, full - held[seat].size, False) for seat in ring if held[seat].size < full]
        draws.reverse()
        need = 0
        for _, count, _ in draws:
            need += count
        if need < self.stock:
            self.draws_due = draws
            return
        wants = [max(0, full - held[seat].size) for seat in ring]
        last = -1
        if need > self.stock:
            if self.rules.short_stock is ShortStock.SET_ASIDE:
                self.stock = 0
                return
            wants, last = dealt_out(wants, self.stock, self.rules.draw_style)
        elif need == self.stock:
            _, last = dealt_out(wants, self.stock, self.rules.draw_style)
        turned = self.rules.turnup is Turnup.LAST_OF_STOCK and need >= self.stock
        self.draws_due = [
            (seat, count, turned and place == last)
            for place, (seat, count) in enumerate(zip(ring, wants, strict=True))
            if count
        ]
        self.draws_due.reverse()

    def drawn_order(self) -> list[int]:
        by_trick: dict[int, list[tuple[str, ...]]] = {}
        for trick, cards in zip(self.drew_after, self.draws_made, strict=True):
            by_trick.setdefault(trick, []).append(cards)
        order: list[str] = []
        for made in by_trick.values():
            if self.rules.draw_style is DrawStyle.FILL_EACH:
                order += [card for cards in made for card in cards]
            else:
                rounds = max(map(len, made))
                order += [cards[turn] for turn in range(rounds) for cards in made if turn < len(cards)]
        return [CODE[card] for card in order]

    def on_drew(self, event: ev.Drew) -> None:
        """The seat draws: judged for turn and number (`rules.md` 1.13)."""
        if self.silent:
            return
        seat, cards = event.seat, event.cards
        if self.astray:
            self.settle_astray(seat)
        if self.phase == ANSWERING and not self.trick_is_over():
            if not self._take_for_unseen(seat, cards):
                self._draw_in_trick(seat, cards)
            return
        dues = self.draws_due
        if (self.phase != TAKEN or not dues or dues[-1][0] != seat) and not self._comes_first(seat):
            self._draw_amiss(seat, cards)
            return
        _, wanted, turned = dues.pop()
        if wanted < len(cards) < self.stock and not (turned or any(entry[2] for entry in dues)):
            cards = self.without_impossible(seat, cards, wanted)
        count = len(cards)
        if count != wanted or self.lacks[seat]:
            self._judge_count(seat, count, wanted)
        self.drawn_any = True
        if self.passed or count >= self.stock - self.spare:
            turned = self._takes_turnup(cards, turned)
        if turned:
            cards = self._with_turnup(cards)
        self.stock = self.stock - count if count <= self.stock else 0
        self.take(seat, cards)
        self.draws_made.append(cards)
        self.drew_after.append(len(self.tricks))
        if not dues:
            self._end_draws()

    def _judge_count(self, seat: int, count: int, wanted: int) -> None:
        """A seat that was told to hold too few or too many may go on so, or fill its hand."""
        if count not in (wanted, wanted - self.lacks[seat]):
            self.find(Code.WRONG_CARD_COUNT, seat, count, wanted, "bura.13")
        self.lacks[seat] = wanted - count
        self.count_spare()

    def find_left_out(self, seat: int, spellings: tuple[str, ...]) -> None:
        """A card that a seat lays or shows which was told to have got too few, and nobody else has, was left out.

        So was one where it lays or shows more than it holds, not all of it seen.
        """
        for spelling in spellings:
            free = BIT[spelling] & self.pack & ~self.seen & ~self.possible(seat)
            if free and self.lacks[seat] > 0:
                self._take_left_out(seat, spelling)
        may = self.possible(seat) | self.pack & ~self.seen
        more = sum([DOMAIN[CODE[spelling]] & may > 0 for spelling in spellings]) - self.held[seat].size
        for _ in range(min(more, self.lacks[seat])):
            self._take_left_out(seat, "??")

    def _take_left_out(self, seat: int, spelling: str) -> None:
        """The seat had the card all along: where the stock has too few for who still draws, the last draws one less."""
        self._note_unrecorded(seat, (spelling,), laid=False)
        self.take(seat, (spelling,))
        self.stock = max(0, self.stock - 1)
        self.lacks[seat] -= 1
        self.count_spare()
        if sum([due[1] for due in self.draws_due]) > self.stock:
            last, count, turned = self.draws_due[0]
            self.draws_due[:1] = [(last, count - 1, turned)] if count > 1 else []

    def has_gaps(self) -> bool:
        return bool(self.unrecorded)

    def leave_draws(self) -> None:
        """The next lead is there, which is told: who has not drawn on record holds cards that nobody saw."""
        while self.draws_due:
            self._leave_draw()

    def _leave_draw(self, made: tuple[str, ...] = ()) -> None:
        """The next to draw has drawn cards that nobody saw: those that are written down under another seat, if any."""
        seat, wanted, turned = self.draws_due.pop()
        cards = ("??",) * wanted
        if turned:
            cards = self._with_turnup(cards)
        self._note_unrecorded(seat, cards, laid=False)
        self.take(seat, cards)
        self.stock = max(0, self.stock - wanted)
        self.missed[seat] = len(self.unrecorded) - 1, len(self.draws_made)
        self.draws_made.append(made or cards)
        self.drew_after.append(len(self.tricks))

    def settle_astray(self, seat: int = 0) -> None:
        """A seat that had none to make has made a draw, which was told, and this seat draws now, or none does.

        Where the draw that was due comes, the other was one too many; else it was that one, under another seat.
        """
        drawn, self.astray = self.astray, None
        if drawn is None or self.phase != TAKEN:
            return
        if self.draws_due and self.draws_due[-1][0] == seat:
            self.take(*drawn)
            self.stock = max(0, self.stock - len(drawn[1]))
        elif self.draws_due:
            self._leave_draw(drawn[1])
            self.drawn_any = True
            self._end_draws()

    def _end_draws(self) -> None:
        """After a draw: the last of them opens the claim window, or ends the hand."""
        if self.draws_due:
            return
        if not self.stock and self.rules.razburka_when is STOCK_EMPTY:
            self.void()
        else:
            self.to_lead()

    def _goes_astray(self, seat: int, cards: tuple[str, ...]) -> bool:
        """Whether a draw of a seat that can have none may be the one that is due: told, and settled by what follows."""
        if seat in self.ahead and self._gives_back(seat, cards):
            return True
        _, wanted, _ = self.draws_due[-1]
        served = self.held[seat].size >= self.hand_size or sum([due[1] for due in self.draws_due]) >= self.stock
        idle = seat not in self.players or (served and seat not in self.missed and not self.lacks[seat])
        if not idle or len(cards) != wanted or self.has_them(seat, cards):
            return False
        self.find(Code.WRONG_TURN, seat, seat, self.draws_due[-1][0], "bura.13")
        self.astray = seat, cards
        return True

    def _gives_back(self, seat: int, cards: tuple[str, ...]) -> bool:
        """A seat that drew in another's place, which was told, draws again: its first draw was the other's.

        It gives back the cards it drew, or, where nobody saw them, so many of those that are not known.
        """
        made = self.ahead.pop(seat)
        first = self.draws_made[made]
        held, unseen = self.held[seat], not any(CODE[card] < KNOWN for card in first)
        if not self.passed >> self.draws_due[-1][0] & 1:
            return False
        if not (self.has_them(seat, first) or (unseen and held.size - held.sure.bit_count() >= len(first))):
            return False
        drawn = mask_of(first)
        held.sure ^= drawn
        held.may &= ~drawn
        held.size -= len(first)
        self.seen &= ~drawn
        if self._takes_turnup(cards, turned=False):
            cards = self._with_turnup(cards)
        due = self.draws_due[-1][0]
        self._leave_draw(cards)
        self.missed[due] = self.missed[due][0], made
        self.take(seat, cards)
        self._end_draws()
        return True

    def trick_is_over(self) -> bool:
        """Whether no answer is waited for but those of which it was told that they are lacking: they were not seen."""
        if self.phase == ANSWERING and self.guests and all(self.guests >> seat & 1 for seat in self.to_answer):
            for seat in tuple(self.to_answer):
                self.leave_out(seat)
            self.finish_trick()
        if self.phase == ANSWERING and (self.called_over or all(self.passed >> seat & 1 for seat in self.to_answer)):
            self.close_trick()
        return self.phase != ANSWERING

    def close_trick(self) -> None:
        """The trick is over though answers are not on record."""
        self.shaken = True
        self._answer_unseen()
        self.up_next = len(self.tricks) + self.called_over
        self.finish_trick()

    def _answer_unseen(self) -> None:
        """The trick is over, which is told: who has not answered on record has laid cards that nobody saw."""
        while self.to_answer:
            seat = self.to_answer.pop()
            cards = ("??",) * min(len(self.lead), self.held[seat].size)
            if cards:
                self.trick_seqs.insert(0, self._note_unrecorded(seat, cards, laid=True))
                self.laid_may = self.possible(seat)
                codes = self.let_go(seat, cards)
                self.trick_blank += len(cards)
                if self._may_have_led(seat) or self.beats_best(codes):
                    self.best, self.best_may, self.winner = codes, self.laid_may, seat

    def _may_have_led(self, seat: int) -> bool:
        """Whether the seat, whose lead is not on record, has led and taken the trick; asked for, as nobody saw it."""
        return seat == self.unled and bool(self.witness.choose(Code.UNKNOWN_CARD, "led", [True, False], self.seq))

    def beats_best(self, codes: Codes) -> bool:
        """Whether a set laid face up beats the best before it; asked for where that is not known."""
        won = answer_beats(self, codes, self.laid_may)
        if won is None:
            return bool(self.witness.choose(Code.UNKNOWN_CARD, "beats", [True, False], self.seq))
        return won

    def _note_unrecorded(self, seat: int, cards: tuple[str, ...], *, laid: bool) -> int:
        """Keeps what is not on record, for bounds of piles: the number, below 0, that stands for its seq."""
        self.unrecorded.append((self.seq, seat, cards, laid))
        self.strange_hands.append(self.began_seq)
        return -len(self.unrecorded)

    def _draw_amiss(self, seat: int, cards: tuple[str, ...]) -> None:
        """A draw of a seat that has none to make: what it has already it cannot draw again."""
        waits = self.phase == TAKEN and bool(self.draws_due)
        if waits and self._goes_astray(seat, cards):
            return
        if self.lacks[seat] < 0 and self.phase in (TAKEN, LEADING) and self._goes_on_with_more(seat, len(cards)):
            self.take(seat, cards)
            self.stock = max(0, self.stock - len(cards))
            return
        if self.phase != BETWEEN and self._take_for_unseen(seat, cards):
            return
        code = Code.WRONG_TURN if waits else Code.OUT_OF_PLACE
        self.find(code, seat, seat, self.draws_due[-1][0] if waits else None, "bura.13")
        if self.phase == BETWEEN:
            return
        if self.has_them(seat, cards):
            self.find(Code.CARD_TWICE, seat, cards[0], None, "bura.2")
            return
        self.take(seat, cards)
        self.stock = max(0, self.stock - len(cards))

    def on_card_missing(self, event: ev.CardMissing) -> None:
        super().on_card_missing(event)
        if self.phase == TAKEN and self.draws_due and not self.drawn_any:
            self._plan_draws()

    def _takes_turnup(self, cards: tuple[str, ...], turned: bool) -> bool:
        """The stock's last card goes to who takes all that is left, or out of turn to whom the record gives it."""
        dues = self.draws_due
        named = 0 <= self.turnup < KNOWN and cards[-1:] == (self.turnup_spelling(),)
        if turned and not named and dues:
            dues[0] = (*dues[0][:2], True)
            return False
        if named and len(cards) < self.stock <= len(cards) + self.spare:
            self.stock = len(cards)
            dues.clear()
            return True
        if named and (len(cards) >= self.stock or any(entry[2] for entry in dues)):
            dues[:] = [(seat, count, False) for seat, count, _ in dues]
            return True
        return turned

    def _goes_on_with_more(self, seat: int, count: int) -> bool:
        """Whether a seat that was told to hold too many draws what it has laid, and holds as many again."""
        return self.held[seat].size + count == self.hand_size - self.lacks[seat]

    def _pass_over(self, seat: int) -> None:
        """A seat draws before others whose turn it is: told once, however many draw before those do."""
        waiting = [entry[0] for entry in self.draws_due if not self.passed & (1 << entry[0])]
        if not self.passed >> seat & 1 and (not waiting or waiting[-1] != seat):
            self.find(Code.WRONG_TURN, seat, seat, self.draws_due[-1][0], "bura.13")
        for entry in reversed(self.draws_due):
            if entry[0] == seat:
                break
            self.passed |= 1 << entry[0]

    def _draw_in_trick(self, seat: int, cards: tuple[str, ...]) -> None:
        """Too early, or left over from the trick before: the cards are drawn, and the trick goes on."""
        self.find(Code.OUT_OF_PLACE, seat, len(cards), None, "bura.13")
        left_over = seat in self.to_answer and self.held[seat].size < self.hand_size
        self.take(seat, cards)
        self.stock = max(0, self.stock - len(cards))
        self.draws_made.append(cards)
        self.drew_after.append(len(self.tricks) + (not left_over))

    def _take_for_unseen(self, seat: int, cards: tuple[str, ...]) -> bool:
        """Whether this is the draw that was not on record when the next lead was there, as was told then."""
        if seat not in self.missed:
            return False
        place, made = self.missed.pop(seat)
        seq, _, drawn, _ = self.unrecorded[place]
        if len(drawn) != len(cards):
            return False
        self.unrecorded[place] = seq, seat, (), False
        self.draws_made[made] = cards
        held, named = self.held[seat], mask_of(drawn)
        self.seen &= ~named
        held.size -= len(cards)
        held.sure &= ~named
        held.may &= held.sure | held.limbo
        self.take(seat, cards)
        return True

    def _comes_first(self, seat: int) -> bool:
        """Whether a seat that is not the next to draw has a draw to make; that one is the next then."""
        for place, entry in enumerate(self.draws_due if self.phase == TAKEN else ()):
            if entry[0] == seat:
                self._pass_over(seat)
                self.ahead[seat] = len(self.draws_made)
                self.draws_due.append(self.draws_due.pop(place))
                return True
        return False

    def _with_turnup(self, cards: tuple[str, ...]) -> tuple[str, ...]:
        """The last cards of the stock: the turn-up is drawn from under it, also where it was not written in full."""
        if not cards or not 0 <= self.turnup < KNOWN or not DOMAIN[CODE[cards[-1]]] >> self.turnup & 1:
            return cards
        self.seen &= ~(1 << self.turnup)
        return (*cards[:-1], self.turnup_spelling())
