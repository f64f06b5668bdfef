"""Random legal evenings of Bura, dealt by the rules alone: nothing here knows the engine.

`evening(seed, ...)` gives a whole recording as a list of event dicts that breaks no rule of `rules.md` 1-2, under any
values of table 2. Where the rules leave a choice to the players it is made by `random.Random(seed)`.
"""

import hashlib
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from recorder import rulebook

Json = dict[str, Any]

SUITS = "shdc"
ORDER = "6789JQKTA"
WORTH = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
RANKS_OF = {36: "6789TJQKA", 32: "789TJQKA", 20: "TJQKA"}
NAMES = ("Анна", "Борис", "Вера", "Глеб", "Дина", "Егор", "Жан", "Зоя")
LEVELS = 6


def points(cards: list[str]) -> int:
    return sum(WORTH.get(card[0], 0) for card in cards)


def beats(card: str, other: str, trump: str) -> bool:
    if card[1] == other[1]:
        return ORDER.index(card[0]) > ORDER.index(other[0])
    return card[1] == trump


def set_beats(cards: list[str], others: list[str], trump: str, any_pairing: bool) -> bool:
    """By trying every pairing there is."""
    orders: Any = permutations(cards) if any_pairing else [cards]
    return len(cards) == len(others) and any(
        all(beats(card, other, trump) for card, other in zip(order, others, strict=True)) for order in orders
    )


@dataclass
class Habits:
    """How often the players do what they may and need not: 0..1 each."""

    tells: float = 0.5
    declares: float = 0.8
    opens: float = 0.4
    bluffs: float = 0.05
    moves: float = 0.1
    """Joining, leaving, sitting out, buying chips, finding a card lacking."""
    spoils: float = 0.06
    """Misdeals and hands given up."""
    raises: float = 0.3
    commits: float = 0.2
    stacked: float = 0.3
    """Deals that put combinations into hands."""


class Evening:
    """One evening while it is being played."""

    def __init__(
        self, seed: int, options: Json, seats: int, stacks: list[int] | None, pot: int, habits: Habits
    ) -> None:
        self.rng = random.Random(seed)
        self.o = options
        self.habits = habits
        self.events: list[Json] = []
        self.names = ["", *NAMES[:seats]]
        self.seated = [False] + [True] * seats
        self.capped = stacks is not None
        self.stack = [0, *(stacks or [0] * seats)]
        self.debt = [0] * (seats + 1)
        self.gone: dict[str, tuple[int, int]] = {}
        self.pot = pot
        self.paid = dict.fromkeys(range(1, seats + 1), True)
        self.taken = pot == 0
        self.dealer_next: tuple[int, bool] | None = None
        self.last_winner = 0
        self.last_taker = 0
        self.number = 0
        self.ante = 0
        self.lost: list[str] = []
        self.secretly_lost: list[str] = []
        self.score_kind = options["scoring"]

    # -- writing ---------------------------------------------------------------------------------------------------

    def put(self, kind: str, **fields: Any) -> None:
        self.events.append({"seq": len(self.events), "type": kind, **fields})

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def pay(self, seat: int, due: int, why: str) -> None:
        """What the seat owes, as far as it can; the rest is a debt."""
        amount = min(due, max(0, self.stack[seat])) if self.capped else due
        self.debt[seat] += due - amount
        self.move(seat, amount, why)

    def move(self, seat: int, amount: int, why: str) -> None:
        if amount:
            self.stack[seat] -= amount
            self.pot += amount
            self.put("staked", seat=seat, amount=amount, why=why)

    def take(self, seat: int, amount: int) -> None:
        if amount:
            self.stack[seat] += amount
            self.pot -= amount
            self.put("pot_taken", seat=seat, amount=amount)

    def chatter(self) -> None:
        """Words and counts that may stand anywhere."""
        if self.chance(self.habits.tells * 0.1):
            self.put("noted", text="так")
        if self.chance(self.habits.tells * 0.2):
            self.put("pot_counted", amount=self.pot)
        if self.chance(self.habits.tells * 0.2):
            seat = self.rng.choice(self.everybody())
            self.put("stack_counted", seat=seat, amount=self.stack[seat])

    # -- who sits there --------------------------------------------------------------------------------------------

    def everybody(self) -> list[int]:
        return [seat for seat in range(1, len(self.names)) if self.seated[seat]]

    def antes_due(self) -> bool:
        return self.score_kind == "pot" and (self.taken or self.pot == 0)

    def plays(self, seat: int, sitting: set[int]) -> bool:
        if not self.seated[seat] or seat in sitting:
            return False
        at_once = self.score_kind != "pot" or self.o["join_pot"] != "wait"
        return at_once or self.antes_due() or self.paid.get(seat, False)

    def most(self) -> int:
        cards = self.o["pack"] - len(self.lost) - len(self.secretly_lost)
        return int(min(self.o["seats_max"], (cards - 1) // self.o["hand_size"]))

    def between_hands(self) -> None:
        if not self.chance(self.habits.moves * 3):
            return
        what = self.rng.choice(["join", "leave", "buy", "lack"])
        if what == "join" and len(self.everybody()) < self.most():
            self._join()
        elif what == "leave" and len([seat for seat in self.everybody() if self.plays(seat, set())]) > 2:
            seat = self.rng.choice(self.everybody())
            self._leave(seat)
            self.put("player_left", seat=seat)
        elif what == "buy":
            seat = self.rng.choice(self.everybody())
            amount = self.rng.randint(1, 50)
            self.stack[seat] += amount
            self.put("chips_bought", seat=seat, amount=amount)
        elif what == "lack" and len(self.lost) + len(self.secretly_lost) < 2:
            self._lack()

    def _lack(self) -> None:
        if len(self.everybody()) * self.o["hand_size"] + 3 > self.o["pack"] - len(self.lost) - len(self.secretly_lost):
            return
        card = self.rng.choice(self.pack())
        if self.chance(0.3):
            self.secretly_lost.append(card)
            self.put("card_missing", card="??")
        else:
            self.lost.append(card)
            self.put("card_missing", card=card)

    def _leave(self, seat: int) -> None:
        self.gone[self.names[seat]] = (self.stack[seat], self.debt[seat])
        self.seated[seat] = False
        self.names[seat] = ""
        self.stack[seat] = self.debt[seat] = 0
        self.paid[seat] = False

    def _join(self) -> None:
        free = [seat for seat in range(1, len(self.names)) if not self.seated[seat]]
        if len(self.names) <= 8:
            free.append(len(self.names))
        seat = self.rng.choice(free) if free else 0
        fresh = [name for name in NAMES if name not in self.names and name not in self.gone]
        name = self.rng.choice([*self.gone, *fresh[:1]])
        if not seat:
            return
        if seat == len(self.names):
            self.names.append("")
            self.stack.append(0)
            self.debt.append(0)
            self.seated.append(False)
        kept, owed = self.gone.pop(name, (0, 0))
        extra = self.rng.randint(20, 200) if self.capped or self.chance(0.3) else 0
        self.names[seat] = name
        self.stack[seat], self.debt[seat] = kept + extra, owed
        self.seated[seat] = True
        self.paid[seat] = self.pot == 0
        self.put("player_joined", seat=seat, name=name, **({"stack": extra} if extra else {}))

    # -- one hand --------------------------------------------------------------------------------------------------

    def pack(self) -> list[str]:
        ranks = RANKS_OF[self.o["pack"]]
        return [r + s for r in ranks for s in SUITS if r + s not in self.lost and r + s not in self.secretly_lost]

    def hand(self) -> None:
        self.between_hands()
        if self.score_kind == "pot" and (not self.ante or (self.antes_due() and self.chance(0.1))):
            self.ante = self.rng.choice([1, 5, 7, 10])
            self.put("stake_set", amount=self.ante)
        sitting = self._sitters()
        ring = [seat for seat in range(1, len(self.names)) if self.plays(seat, sitting)]
        if len(ring) < 2:
            return
        dealer = self._dealer(ring)
        self.number += 1
        self.put("hand_began", hand=self.number, dealer=dealer)
        for seat in sorted(sitting):
            self.put("sat_out", seat=seat)
        self.chatter()
        self._antes(ring)
        at = next((place for place, seat in enumerate(ring) if seat > dealer), 0)
        players = ring[at:] + ring[:at]
        assert players[-1] == dealer
        Hand(self, dealer, players).play()

    def _sitters(self) -> set[int]:
        if not self.chance(self.habits.moves):
            return set()
        seat = self.rng.choice(self.everybody())
        rest = [other for other in range(1, len(self.names)) if self.plays(other, {seat})]
        return {seat} if len(rest) >= 2 else set()

    def _dealer(self, ring: list[int]) -> int:
        if self.dealer_next is None:
            return self.rng.choice(ring)
        seat, left = self.dealer_next
        if not left and seat in ring:
            return seat
        return next((other for other in ring if other > seat), ring[0])

    def _antes(self, ring: list[int]) -> None:
        if self.score_kind != "pot":
            self.paid = dict.fromkeys(ring, True)
            return
        order = ring[:]
        if self.chance(0.5):
            self.rng.shuffle(order)
        if self.antes_due():
            self.paid = dict.fromkeys(ring, True)
            for seat in order:
                self.pay(seat, self.ante, "ante")
                if self.debt[seat] and self.chance(0.1):
                    self.chatter()
        elif self.o["join_pot"] == "share":
            lying, n = self.pot, len([seat for seat in ring if self.paid.get(seat, False)])
            for seat in order:
                if not self.paid.get(seat, False):
                    self.pay(seat, lying // max(1, n), "ante")
                    self.paid[seat] = True
        else:
            for seat in ring:
                self.paid[seat] = True
        for seat in order:
            self.settle_debt(seat)
        self.chatter()

    def settle_debt(self, seat: int) -> None:
        have = self.stack[seat] if self.capped else self.debt[seat]
        if self.debt[seat] and have > 0 and self.chance(0.5):
            amount = self.rng.randint(1, min(self.debt[seat], have))
            self.debt[seat] -= amount
            self.move(seat, amount, "debt")


class Hand:
    """One deal and its play."""

    def __init__(self, evening: Evening, dealer: int, players: list[int]) -> None:
        self.e = evening
        self.o = evening.o
        self.rng = evening.rng
        self.dealer = dealer
        self.players = players
        self.size = evening.o["hand_size"]
        self.hold: dict[int, list[str]] = {seat: [] for seat in players}
        self.pile: dict[int, list[str]] = {seat: [] for seat in players}
        self.stock: list[str] = []
        self.deck: list[str] = []
        self.trump = ""
        self.level = 1
        self.last_offerer = 0
        self.tricks = 0
        self.over = False
        self.committed = False
        self.salt = ""
        self.double = self.by_right = False
        self.set_aside = False
        self.paid_out = True
        self.laid: list[str] = []
        self.opener = 0
        self.owing = 0
        """Raises accepted and not yet paid, in antes a seat."""
        self.silently_raised = False
        """An offer stands that nobody has answered: playing on accepts it."""

    def ring_from(self, seat: int) -> list[int]:
        at = self.players.index(seat)
        return self.players[at:] + self.players[:at]

    def is_over(self) -> bool:
        return self.over

    def can_raise(self) -> bool:
        return bool(self.o["raise_ladder"] == "to_6")

    def play(self) -> None:
        e = self.e
        self._shuffle()
        if e.chance(e.habits.commits):
            self._commit()
        misdeal = e.chance(e.habits.spoils)
        self._deal(self.rng.randint(0, len(self.players)) if misdeal else len(self.players))
        if misdeal:
            self.e.dealer_next = (self.dealer, False)
            self.e.taken = self.e.pot == 0
            e.put("hand_ended", reason="misdeal")
            return
        leader = self._first_leader()
        while not self.is_over():
            leader = self.trick(leader)
            e.chatter()
            # Whether a stock laid aside whole ends the hand under `stock_empty` is not said: play goes on to the end.
            unclear = self.set_aside and self.o["razburka_when"] == "stock_empty"
            if not self.is_over() and not unclear and e.chance(e.habits.spoils * 0.2):
                self._abandon()

    def _shuffle(self) -> None:
        self.deck = self.e.pack()
        self.rng.shuffle(self.deck)
        if not self.e.chance(self.e.habits.stacked):
            return
        # A stacked deck: some seats get combinations, the turn-up is of a suit that suits them.
        kinds = [[card for card in self.deck if card[1] == suit] for suit in SUITS]
        kinds.append([card for card in self.deck if card[0] == "A"])
        wanted: list[str] = []
        for _ in self.players:
            kind = self.rng.choice(kinds)
            free = [card for card in kind if card not in wanted]
            got = free[: self.size]
            wanted += got + [c for c in self.deck if c not in wanted and c not in got][: self.size - len(got)]
        rows = [wanted[at : at + self.size] for at in range(0, len(wanted), self.size)]
        dealt = self._interleave(rows)
        self.deck = dealt + [card for card in self.deck if card not in dealt]

    def _interleave(self, rows: list[list[str]]) -> list[str]:
        if self.o["deal_packet"] == "all_at_once":
            return [card for row in rows for card in row]
        return [row[turn] for turn in range(self.size) for row in rows]

    def _commit(self) -> None:
        self.committed = True
        self.salt = self.rng.choice(["", "00ff", "DEADBEEF"])
        text = self.salt + " ".join(self.deck)
        self.e.put("deck_committed", commitment=hashlib.sha256(text.encode()).hexdigest())

    def reveal_deck(self) -> None:
        if self.committed and self.trump and self.e.chance(0.8):
            self.e.put("deck_revealed", cards=self.deck[:], **({"salt": self.salt} if self.salt else {}))
            self.committed = False

    def _deal(self, how_many: int) -> None:
        count, size = len(self.players), self.size
        one_by_one = self.o["deal_packet"] == "one_by_one"
        for place, seat in enumerate(self.players[:how_many]):
            rounds = range(size)
            self.hold[seat] = [self.deck[place + t * count if one_by_one else place * size + t] for t in rounds]
            self.e.put("dealt", seat=seat, cards=self.hold[seat][:])
        if how_many < count:
            return
        turned = self.deck[count * size]
        self.trump = turned[1]
        self.stock = self.deck[count * size + 1 :]
        if self.o["turnup"] == "last_of_stock":
            self.stock.append(turned)
        self.e.put("trump_turned", card=turned)

    def _first_leader(self) -> int:
        last = {"previous_winner": self.e.last_winner, "last_trick_taker": self.e.last_taker}
        wanted = last.get(self.o["first_lead"], 0)
        return wanted if wanted in self.players else self.players[0]

    # -- one trick -------------------------------------------------------------------------------------------------

    def trick(self, natural: int) -> int:
        """A whole trick with what stands before and after it; the next natural leader."""
        e = self.e
        if e.chance(0.1):
            e.settle_debt(self.rng.choice(self.players))
        if self._raises():
            return 0
        if self.owing:
            self._pay_raises()
        leader, cards = self._claims(natural)
        if self.is_over():
            return 0
        if self._own_turn_opening(leader):
            return 0
        led = cards or self._choose_lead(leader)
        counter = self._counter(leader, led)
        if counter:
            leader, led = counter
        e.put("played", seat=leader, cards=led, face="up")
        self._play_on()
        self._lose(leader, led)
        taker = self._answers(leader, led)
        if self.is_over():
            return 0
        self.tricks += 1
        e.last_taker = taker
        self._after_trick(taker)
        return self._next_leader(taker)

    def _lose(self, seat: int, cards: list[str]) -> None:
        for card in cards:
            self.hold[seat].remove(card)

    def _choose_lead(self, leader: int) -> list[str]:
        others = [len(self.hold[seat]) for seat in self.players if seat != leader and self.hold[seat]]
        most = min([self.size, *others])
        suit = self.rng.choice(self.hold[leader])[1]
        cards = [card for card in self.hold[leader] if card[1] == suit]
        self.rng.shuffle(cards)
        return cards[: self.rng.randint(1, min(most, len(cards)))]

    def _answers(self, leader: int, led: list[str]) -> int:
        best, taker, laid = led, leader, [*led]
        for seat in self.ring_from(leader)[1:]:
            if not self.hold[seat]:
                continue
            if self._own_turn_opening(seat):
                return 0
            cards, face = self._choose_answer(seat, best)
            self.e.put("played", seat=seat, cards=cards, face=face)
            self._lose(seat, cards)
            laid += cards
            if face == "up" and set_beats(cards, best, self.trump, self.o["beat_pairing"] == "any_pairing"):
                best, taker = cards, seat
        self.pile[taker] += laid
        self.laid = laid
        return taker

    def _choose_answer(self, seat: int, best: list[str]) -> tuple[list[str], str]:
        hand = self.hold[seat]
        any_pairing = self.o["beat_pairing"] == "any_pairing"
        picks = [list(pick) for pick in permutations(hand, len(best))]
        wins = [pick for pick in picks if set_beats(pick, best, self.trump, any_pairing)]
        if wins and self.e.chance(0.7):
            return self.rng.choice(wins), "up"
        cards = self.rng.sample(hand, len(best))
        return cards, "up" if self.o["answer_face"] == "always_up" else "down"

    def _next_leader(self, taker: int) -> int:
        if self.is_over():
            return 0
        holders = [seat for seat in self.ring_from(taker) if self.hold[seat]]
        if holders:
            return holders[0]
        self._void()
        return 0

    # -- after a trick ---------------------------------------------------------------------------------------------

    def _after_trick(self, taker: int) -> None:
        e = self.e
        if e.chance(e.habits.tells):
            told = {"points": points(self.laid)} if e.chance(0.5) else {}
            e.put("trick_taken", seat=taker, **told)
        window = self.o["open_window"]
        openers = {"taker_before_draw": [taker], "both_after_trick": self.players, "own_turn": []}[window]
        for seat in self.rng.sample(openers, len(openers)):
            if self._wants_to_open(seat):
                self._open(seat)
                return
        if openers and e.chance(e.habits.tells * 0.2):
            e.put("open_declined", seat=taker)
        self._draw(taker)

    def _wants_to_open(self, seat: int) -> bool:
        enough = points(self.pile[seat]) >= self.o["target"]
        return self.e.chance(self.e.habits.opens if enough else self.e.habits.bluffs)

    def _own_turn_opening(self, seat: int) -> bool:
        if self.o["open_window"] != "own_turn" or not self._wants_to_open(seat):
            return False
        self._open(seat)
        return True

    def _draw(self, taker: int) -> None:
        ring = self.ring_from(taker)
        wants = {seat: self.size - len(self.hold[seat]) for seat in ring}
        if not self.stock:
            return
        if sum(wants.values()) > len(self.stock) and self.o["short_stock"] == "set_aside":
            self.stock = []
            self.set_aside = True
            return
        got: dict[int, list[str]] = {seat: [] for seat in ring}
        if self.o["draw_style"] == "fill_each":
            for seat in ring:
                while self.stock and len(got[seat]) < wants[seat]:
                    got[seat].append(self.stock.pop(0))
        else:
            while self.stock and any(len(got[seat]) < wants[seat] for seat in ring):
                for seat in ring:
                    if self.stock and len(got[seat]) < wants[seat]:
                        got[seat].append(self.stock.pop(0))
        for seat in ring:
            if got[seat]:
                self.hold[seat] += got[seat]
                self.e.put("drew", seat=seat, cards=got[seat])
        if not self.stock and self.o["razburka_when"] == "stock_empty":
            self._void()

    # -- words before a lead ---------------------------------------------------------------------------------------

    def _raises(self) -> bool:
        e = self.e
        while self.can_raise() and e.chance(e.habits.raises * 0.5) and self.level < LEVELS:
            may = [seat for seat in self.players if seat != self.last_offerer]
            offerer = self.rng.choice(may)
            e.put("raise_offered", seat=offerer, to=self.level + 1)
            self.last_offerer = offerer
            answerer = self.rng.choice([seat for seat in self.players if seat != offerer])
            if e.chance(0.15):
                self._pay_raises()
                e.put("raise_declined", seat=answerer)
                self._win("raise_declined", offerer)
                return True
            if e.chance(0.2) and self.level + 2 <= LEVELS:
                e.put("raise_offered", seat=answerer, to=self.level + 2)
                self._raised()
                self.last_offerer, answerer = answerer, offerer
            if e.chance(0.7):
                e.put("raise_accepted", seat=answerer)
                self._raised()
            else:
                self.silently_raised = True
                return False
        return False

    def _play_on(self) -> None:
        if self.silently_raised:
            self.silently_raised = False
            self._raised()
            self._pay_raises()

    def _raised(self) -> None:
        self.level += 1
        if self.o["scoring"] == "pot":
            self.owing += 1

    def _pay_raises(self) -> None:
        for seat in self.players:
            self.e.pay(seat, self.owing * self.e.ante, "raise")
        self.owing = 0

    def combination(self, seat: int) -> str:
        cards = self.hold[seat]
        if len(cards) != self.size:
            return ""
        if self.size == 3 and all(card[0] == "A" for card in cards):
            return "three_aces" if self.o["three_aces"] != "off" else ""
        if len({card[1] for card in cards}) > 1:
            return ""
        if cards[0][1] == self.trump:
            return "bura" if self.o["bura"] != "off" else ""
        return "molodka"

    def _claims(self, natural: int) -> tuple[int, list[str]]:
        e = self.e
        order = [seat for seat in self.ring_from(natural) if self.hold[seat]]
        said: list[tuple[int, str]] = []
        self.by_right = False
        for seat in self.rng.sample(order, len(order)):
            kind = self.combination(seat)
            if kind == "molodka" and self.o["molodka_turn"] == "counter_lead":
                continue
            if kind and e.chance(e.habits.declares):
                shown = {"cards": self.rng.sample(self.hold[seat], self.size)} if e.chance(0.6) else {}
                e.put("declared", seat=seat, combination=kind, **shown)
                if all(len(self.hold[other]) == self.size for other in self.players if other != seat):
                    said.append((seat, kind))
        said.sort(key=lambda claim: order.index(claim[0]))
        if self._contest(said):
            return 0, []
        for kind in self._leading():
            for seat, what in said:
                if what == kind:
                    self.by_right = kind != "molodka"
                    return seat, self.rng.sample(self.hold[seat], self.size)
        return natural, []

    def _leading(self) -> Iterator[str]:
        if self.o["bura"] == "leads":
            yield "bura"
        if self.o["three_aces"] == "leads":
            yield "three_aces"
        if self.o["molodka_turn"] == "out_of_turn":
            yield "molodka"

    def _contest(self, said: list[tuple[int, str]]) -> bool:
        buras = [seat for seat, kind in said if kind == "bura"] if self.o["bura"] in ("wins_pot", "wins_double") else []
        aces = [seat for seat, kind in said if kind == "three_aces"]
        if not buras and not (aces and self.o["three_aces"] == "wins_pot"):
            return False
        rivals = [seat for seat, _ in said if seat in buras or seat in aces]
        holder = rivals[0]
        if self.o["bura_tie"] == "earliest":
            holder = buras[0] if buras else aces[0]
        else:
            for rival in rivals[1:]:
                if set_beats(self.hold[rival], self.hold[holder], self.trump, True):
                    holder = rival
        self.double = holder in buras and self.o["bura"] == "wins_double"
        self._win("bura", holder)
        return True

    def _counter(self, leader: int, led: list[str]) -> tuple[int, list[str]] | None:
        if self.o["molodka_turn"] != "counter_lead" or self.by_right:  # aces and a bura outrank any molodka
            return None
        if any(len(self.hold[seat]) != self.size for seat in self.players):
            return None
        for seat in self.ring_from(leader)[1:]:
            if self.combination(seat) == "molodka" and self.e.chance(self.e.habits.declares):
                self.e.put("played", seat=leader, cards=led, face="up")
                self._play_on()
                shown = {"cards": self.hold[seat][:]} if self.e.chance(0.5) else {}
                self.e.put("declared", seat=seat, combination="molodka", **shown)
                return seat, self.rng.sample(self.hold[seat], self.size)
        return None

    # -- how it ends -----------------------------------------------------------------------------------------------

    def _open(self, seat: int) -> None:
        e, total = self.e, points(self.pile[seat])
        e.put("opened", seat=seat)
        if e.chance(e.habits.tells):
            cards = self.rng.sample(self.pile[seat], len(self.pile[seat]))
            e.put("counted", seat=seat, points=total, **({"cards": cards} if cards and e.chance(0.5) else {}))
        if total >= self.o["target"]:
            self._win("opened", seat)
        else:
            self._fail(seat)

    def _win(self, reason: str, seat: int) -> None:
        if self.o["scoring"] == "pot":
            self.e.take(seat, self.e.pot)
        self._score([seat])
        self._end(reason, [seat])

    def _score(self, seats: list[int]) -> None:
        if self.o["scoring"] == "match_points":
            for seat in seats:
                if self.e.chance(0.6):
                    self.e.put("scored", seat=seat, points=self.level * (2 if self.double else 1))

    def _fail(self, seat: int) -> None:
        rule = self.o["failed_open"]
        self.opener = seat
        if rule == "match_pot":
            if self.o["scoring"] == "pot":
                self.e.pay(seat, self.e.pot, "failed_open")
            self._end("failed_open", [])
            return
        others = [other for other in self.players if other != seat]
        share = self.e.pot // len(others)
        self.paid_out = share > 0
        if self.o["scoring"] == "pot":
            for other in others:
                self.e.take(other, share)
        self._score(others)
        self._end("failed_open", others)

    def _void(self) -> None:
        rule = self.o["razburka"]
        takers: list[int] = []
        if rule == "most_points":
            best = max(points(pile) for pile in self.pile.values())
            takers = [seat for seat in self.players if points(self.pile[seat]) == best]
            takers = takers if len(takers) == 1 else []
            for seat in takers:
                if self.o["scoring"] == "pot":
                    self.e.take(seat, self.e.pot)
            self._score(takers)
        elif self.o["scoring"] == "pot" and rule == "restake":
            for seat in self.players:
                self.e.pay(seat, self.e.ante, "razburka")
        elif self.o["scoring"] == "pot" and rule == "double":
            lying, n = self.e.pot, len(self.players)
            for place, seat in enumerate(self.players):
                self.e.pay(seat, lying // n + (place < lying % n), "razburka")
        self._end("razburka", takers)

    def _abandon(self) -> None:
        self.e.dealer_next = None
        self.e.last_winner = 0
        self.e.taken = self.e.pot == 0
        self.e.put("hand_ended", reason="abandoned")
        self.over = True

    def _end(self, reason: str, takers: list[int]) -> None:
        self.over = True
        self.reveal_deck()
        self.e.chatter()
        self.e.put("hand_ended", reason=reason)
        self.e.taken = bool(takers) and self.paid_out
        self.e.last_winner = takers[0] if len(takers) == 1 else 0
        if not self.tricks:
            self.e.last_taker = 0
        self.e.dealer_next = self._next_dealer(reason, takers)

    def _next_dealer(self, reason: str, takers: list[int]) -> tuple[int, bool]:
        if reason == "failed_open":
            rule = self.o["dealer_after_failed_open"]
            if rule == "winner" and takers:
                return takers[0], False
            return {"same": (self.dealer, False), "left": (self.dealer, True)}.get(rule, (self.opener, False))
        if not takers:
            return self.dealer, self.o["dealer_after_razburka"] == "left"
        rule = self.o["dealer_after_win"]
        if rule == "left":
            return self.dealer, True
        if rule == "loser":
            loser = [seat for seat in self.players if seat not in takers]
            return (loser[0], False) if len(self.players) == 2 else (self.dealer, False)
        return takers[0], False


def evening(
    seed: int,
    *,
    preset: str = "bura/classic-36@1",
    options: Json | None = None,
    seats: int = 2,
    hands: int = 3,
    stacks: list[int] | None = None,
    pot: int = 0,
    habits: Habits | None = None,
) -> list[Json]:
    """A legal recording; `options` are those the header names, `seats` is cut to what pack and rules allow."""
    given = dict(options or {})
    if preset.startswith("bura/classic") and "molodka_turn" not in given:
        given["molodka_turn"] = "out_of_turn"
    whole = {**rulebook.preset_options(preset), **given}
    seats = max(2, min(seats, whole["seats_max"], (whole["pack"] - 1) // whole["hand_size"]))
    stacks = None if stacks is None else (stacks * seats)[:seats]
    table = Evening(seed, whole, seats, stacks, pot, habits or Habits())
    header: Json = {
        "format": "razbor/1",
        "game": "bura",
        "rules": {"preset": preset, "options": given},
        "seats": list(NAMES[:seats]),
    }
    if stacks is not None:
        header["stacks"] = stacks
    if pot:
        header["pot"] = pot
    table.put("recording_began", **header)
    for _ in range(hands):
        table.hand()
    table.put("recording_ended", events=len(table.events) + 1)
    return table.events


def to_bytes(events: list[Json]) -> bytes:
    """The recording's lines in canonical form."""
    lines = [json.dumps(event, ensure_ascii=False, sort_keys=True, separators=(",", ":")) for event in events]
    return ("\n".join(lines) + "\n").encode()
