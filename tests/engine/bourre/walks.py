"""Random legal evenings of Bourré, dealt by the rules alone: nothing here knows the engine.

`evening(seed, ...)` gives a whole recording as a list of event dicts that breaks no rule of `rules.md` 4-5, under any
values of table 5. Where the rules leave a choice to the players it is made by `random.Random(seed)`.
"""

import hashlib
import random
from dataclasses import dataclass
from typing import Any

from recorder import rulebook

Json = dict[str, Any]

SUITS = "shdc"
RANKS = "23456789TJQKA"
PACK = [rank + suit for rank in RANKS for suit in SUITS]
PACK_ORDER = {card: SUITS.index(card[1]) * 13 + RANKS.index(card[0]) for card in PACK}.__getitem__
NAMES = ("Анна", "Борис", "Chloé", "Дмитрий", "Eve", "Фёдор", "Галя", "Hugo", "Ida", "Жан")


@dataclass
class Habits:
    """How often the players do what they may and need not: 0..1 each."""

    folds: float = 0.3
    draws: float = 0.6
    tells: float = 0.5
    """Claims: tricks, pots, stacks."""
    moves: float = 0.1
    """Joining, leaving, sitting out, buying chips, a card that is lacking."""
    spoils: float = 0.05
    """Misdeals and hands given up."""
    commits: float = 0.1
    """Packs committed to before the deal and shown after it."""
    strong: float = 0.2
    """Deals that put high trumps together."""
    reneges: float = 0.0
    """Cards laid though a duty forbids them; each is listed in `Evening.breaches`."""


@dataclass
class Breach:
    """A card that broke a duty: what it is called, the cards that would have been right, the play that proves it."""

    seq: int
    seat: int
    code: str
    right: list[str]
    proved_by: int | None = None


def rank(card: str) -> int:
    return RANKS.index(card[0])


def best_of(cards: list[str], suit: str) -> int:
    """The highest rank of a suit among cards; -1 where there is none."""
    return max((rank(card) for card in cards if card[1] == suit), default=-1)


def sure_of(hand: list[str], trump: str, seen: list[str]) -> int:
    """How many tricks a hand's trumps take for sure."""
    count = 0
    for each in reversed(RANKS):
        if each + trump in hand:
            count += 1
        elif each + trump not in seen:
            break
    return count


def right_leads(hand: list[str], trump: str, rules: Json, first: bool, won: int, seen: list[str]) -> list[str]:
    """The cards that may be led (`rules.md` 4.7)."""
    trumps = sorted((card for card in hand if card[1] == trump), key=rank)
    strong = [card for card in trumps if card[0] in "AKQ"]
    duty = rules["lead_duty"]
    if duty == "cinch":
        return trumps[-1:] if 0 < 3 - won <= sure_of(hand, trump, seen) else hand
    if duty == "free" or not strong:
        return hand
    if duty == "one_of_akq" or (duty == "highest_first_then_akq" and not first):
        return strong
    return trumps[-1:]


def right_answers(hand: list[str], laid: list[str], trump: str, rules: Json) -> list[str]:
    """The cards that may follow (`rules.md` 4.8)."""
    led = laid[0][1]
    suited = [card for card in hand if card[1] == led]
    trumped = led != trump and best_of(laid, trump) >= 0
    if suited:
        duty = rules["head_duty"]
        if trumped or duty == "none":
            return suited
        bar = rank(laid[0]) if duty == "beat_lead" else best_of(laid, led)
        return [card for card in suited if rank(card) > bar] or suited
    trumps = [card for card in hand if card[1] == trump]
    if not trumps or rules["void_duty"] == "none":
        return hand
    if rules["overtrump"] == "must":
        return [card for card in trumps if rank(card) > best_of(laid, trump)] or trumps
    return trumps


def taker_of(plays: list[tuple[int, str]], trump: str) -> int:
    """Who takes a trick: the highest trump, else the highest of the led suit."""
    cards = [card for _, card in plays]
    suit = trump if best_of(cards, trump) >= 0 else cards[0][1]
    return next(seat for seat, card in plays if card[1] == suit and rank(card) == best_of(cards, suit))


class Evening:
    """One evening while it is being played."""

    def __init__(self, seed: int, rules: Json, seats: int, stacks: list[int] | None, pot: int, habits: Habits) -> None:
        self.rng = random.Random(seed)
        self.rules = rules
        self.habits = habits
        self.events: list[Json] = []
        self.names = ["", *NAMES[:seats]]
        self.seated = [False] + [True] * seats
        self.capped = stacks is not None
        self.stack = [0, *(stacks or [0] * seats)]
        self.debt = [0] * (seats + 1)
        self.pot = pot
        self.dealer = 0
        self.same_dealer = False
        self.anybody_deals = True
        self.redeal: set[int] = set()
        """Seats whose ante lies there from a misdeal."""
        self.free: set[int] = set()
        """Seats that are exempt from the next ante."""
        self.ante = 0
        self.number = 0
        self.lost: list[str] = []
        self.breaches: list[Breach] = []

    # -- writing ---------------------------------------------------------------------------------------------------

    def put(self, kind: str, **fields: Any) -> None:
        self.events.append({"seq": len(self.events), "type": kind, **fields})

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def pay(self, seat: int, due: int, why: str, forgiven: bool = False) -> None:
        """What the seat owes, as far as it can; the rest is a debt or forgiven."""
        amount = min(due, max(0, self.stack[seat])) if self.capped else due
        if not forgiven and self.rules["debt"] == "recorded":
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

    def settle_debt(self, seat: int) -> None:
        have = self.stack[seat] if self.capped else self.debt[seat]
        if self.debt[seat] and have > 0 and self.chance(0.5):
            amount = self.rng.randint(1, min(self.debt[seat], have))
            self.debt[seat] -= amount
            self.move(seat, amount, "debt")

    def chatter(self) -> None:
        """Words and counts that may stand anywhere."""
        if self.chance(self.habits.tells * 0.2):
            self.put("pot_counted", amount=self.pot)
        if self.chance(self.habits.tells * 0.2):
            seat = self.rng.choice(self.everybody())
            self.put("stack_counted", seat=seat, amount=self.stack[seat])

    # -- between hands ---------------------------------------------------------------------------------------------

    def everybody(self) -> list[int]:
        return [seat for seat in range(1, len(self.names)) if self.seated[seat]]

    def most(self) -> int:
        return min(int(self.rules["seats_max"]), 8)

    def between_hands(self) -> None:
        if not self.chance(self.habits.moves * 3):
            return
        what = self.rng.choice(["join", "leave", "buy", "lack"])
        if what == "join" and len(self.everybody()) < self.most():
            self._join()
        elif what == "leave" and len(self.everybody()) > 2:
            seat = self.rng.choice(self.everybody())
            self.seated[seat] = False
            self.free.discard(seat)
            self.redeal.discard(seat)
            self.put("player_left", seat=seat)
        elif what == "buy":
            seat = self.rng.choice(self.everybody())
            amount = self.rng.randint(1, 50)
            self.stack[seat] += amount
            self.put("chips_bought", seat=seat, amount=amount)
        elif what == "lack" and len(self.lost) < 2:
            card = self.rng.choice([card for card in PACK if card not in self.lost])
            self.lost.append(card)
            self.put("card_missing", card=card)

    def _join(self) -> None:
        fresh = [name for name in NAMES if name not in self.names]
        empty = [seat for seat in range(1, len(self.names)) if not self.seated[seat]]
        if self.chance(0.5) or not fresh:
            if not empty:
                return
            seat = self.rng.choice(empty)
            name = self.names[seat]
        else:
            seat, name = len(self.names), fresh[0]
            if seat > 8:
                return
            for row in (self.stack, self.debt):
                row.append(0)
            self.names.append(name)
            self.seated.append(True)
        extra = self.rng.randint(20, 200) if self.capped or self.chance(0.3) else 0
        self.seated[seat] = True
        self.stack[seat] += extra
        self.put("player_joined", seat=seat, name=name, **({"stack": extra} if extra else {}))

    # -- one hand --------------------------------------------------------------------------------------------------

    def hand(self) -> None:
        self.between_hands()
        ring = self.everybody()
        sitter = self.rng.choice(ring) if self.chance(self.habits.moves) and len(ring) > 2 else 0
        ring = [seat for seat in ring if seat != sitter]
        dealer = self._next_dealer(ring)
        self._set_ante(dealer)
        self.number += 1
        self.put("hand_began", hand=self.number, dealer=dealer)
        if sitter:
            self.put("sat_out", seat=sitter)
        at = next((place for place, seat in enumerate(ring) if seat > dealer), 0)
        players = ring[at:] + ring[:at]
        payers = [seat for seat in players if seat not in self.free and seat not in self.redeal]
        for seat in payers:
            self.pay(seat, self.ante, "ante")
        for seat in players:
            self.settle_debt(seat)
        self.dealer = dealer
        self.anybody_deals = self.same_dealer = False
        Hand(self, players).play()

    def _next_dealer(self, ring: list[int]) -> int:
        if self.anybody_deals:
            return self.rng.choice(ring)
        if self.same_dealer and self.dealer in ring:
            return self.dealer
        return next((seat for seat in ring if seat > self.dealer), ring[0])

    def _set_ante(self, dealer: int) -> None:
        if self.ante and not self.chance(0.3):
            return
        most = self.rules["max_ante"]
        amount = self.rng.choice([1, 3, 7, 10])
        self.ante = amount if most == "none" else min(amount, most)
        by_dealer = self.rules["ante_by"] == "dealer" and self.chance(0.9)
        poor = self.capped and min(self.stack[seat] for seat in self.everybody()) < self.ante
        if self.number or poor or self.chance(0.8):
            self.put("stake_set", amount=self.ante, **({"seat": dealer} if by_dealer else {}))


class Hand:
    """One deal and its play."""

    def __init__(self, evening: Evening, players: list[int]) -> None:
        self.e = evening
        self.rules = evening.rules
        self.rng = evening.rng
        self.players = players
        self.holding: dict[int, list[str]] = {}
        self.away: dict[int, list[str]] = {seat: [] for seat in players}
        self.folded: list[int] = []
        self.heap_folded: list[str] = []
        self.heap_served: list[str] = []
        self.tricks = dict.fromkeys(players, 0)
        self.staying: list[int] = []

    def play(self) -> None:
        e = self.e
        self._shuffle()
        if e.chance(e.habits.spoils) and self._misdeal():
            return
        self._deal()
        e.chatter()
        if self._speak():
            e.chatter()
            self._tricks()

    # -- the deal --------------------------------------------------------------------------------------------------

    def _shuffle(self) -> None:
        e = self.e
        self.pack = [card for card in PACK if card not in e.lost]
        self.rng.shuffle(self.pack)
        if e.chance(e.habits.strong):
            suit = self.rng.choice(SUITS)
            high = [card for card in self.pack if card[1] == suit and card[0] in "AKQJT9"]
            keep = [card for card in self.pack if card not in high]
            at = self.rng.randint(0, 10)
            self.pack = keep[:at] + high + keep[at:]
        if e.chance(e.habits.commits):
            salt = f"{self.rng.getrandbits(64):016x}"
            digest = hashlib.sha256((salt + " ".join(self.pack)).encode()).hexdigest()
            e.put("deck_committed", commitment=digest)
            self.salt: str | None = salt
        else:
            self.salt = None
        self.shown = list(self.pack)
        count = len(self.players)
        self.dealt = {seat: [self.pack[turn * count + at] for turn in range(5)] for at, seat in enumerate(self.players)}
        self.stock = self.pack[5 * count :]

    def _misdeal(self) -> bool:
        e = self.e
        for seat in self.players[: self.rng.randint(0, len(self.players))]:
            e.put("dealt", seat=seat, cards=self.dealt[seat])
        e.put("hand_ended", reason="misdeal")
        e.same_dealer = True
        e.redeal |= set(self.players)
        return True

    def _deal(self) -> None:
        for seat in self.players:
            self.e.put("dealt", seat=seat, cards=self.dealt[seat])
        self.e.redeal = set()
        self.e.free = set()
        self.holding = {seat: list(self.dealt[seat]) for seat in self.players}
        if self.rules["trump_card"] == "extra":
            self.turned = self.stock.pop(0)
        else:
            self.turned = self.dealt[self.players[-1]][-1]
        self.trump = self.turned[1]
        self.e.put("trump_turned", card=self.turned)

    # -- words and draws -------------------------------------------------------------------------------------------

    def _speak(self) -> bool:
        """Whether it comes to play."""
        one_round = self.rules["declaration"] == "one_round"
        for seat in self.players:
            if len(self.folded) == len(self.players) - 1:
                self._survive(seat)
                return False
            if self._wants_to_fold(seat):
                self.e.put("folded", seat=seat)
                self.folded.append(seat)
                self.heap_folded += self.holding[seat]
            else:
                self.e.put("stayed", seat=seat)
                self.staying.append(seat)
                if self.rules["draw_fee"] == "ante_if_staying":
                    self.e.pay(seat, self.e.ante, "draw_fee")
                if one_round:
                    self._change(seat)
        if len(self.staying) == 1:
            self._survive(self.staying[0])
            return False
        if not one_round:
            for seat in self.staying:
                self._change(seat)
        return True

    def _wants_to_fold(self, seat: int) -> bool:
        if seat == self.players[-1] and self.turned[0] == "A" and self.rules["dealer_stays_on_ace"]:
            return False
        return self.e.chance(self.e.habits.folds)

    def _most_draws(self) -> int:
        table = self.rules["max_draw"]
        if isinstance(table, int):
            return table
        rows = sorted((int(upto), cards) for upto, cards in table.items())
        return int(next((cards for upto, cards in rows if len(self.players) <= upto), rows[-1][1]))

    def _change(self, seat: int) -> None:
        if not self.e.chance(self.e.habits.draws):
            return
        count = self.rng.randint(1, min(5, self._most_draws()))
        away = self.rng.sample(self.holding[seat], count)
        self.e.put("discarded", seat=seat, cards=away)
        if self.rules["draw_fee"] == "ante_if_drawing":
            self.e.pay(seat, self.e.ante, "draw_fee")
        self.holding[seat] = [card for card in self.holding[seat] if card not in away]
        if count > len(self.stock):
            self._recycle()
        got, self.stock = self.stock[:count], self.stock[count:]
        if got:
            self.e.put("drew", seat=seat, cards=got)
        self.holding[seat] += got
        self.away[seat] = away
        self.heap_served += away

    def _recycle(self) -> None:
        rule = self.rules["recycle"]
        if rule == "none" or not (self.heap_folded or self.heap_served):
            return
        new, self.heap_folded = self.heap_folded, []
        if rule == "folded_and_served" or not new:
            new, self.heap_served = new + self.heap_served, []
        self.rng.shuffle(new)
        self.e.put("stock_recycled", **({"cards": new} if self.e.chance(0.7) else {}))
        self.stock += new

    def _survive(self, seat: int) -> None:
        self.e.take(seat, self._limited())
        self._end("sole_survivor")

    # -- tricks ----------------------------------------------------------------------------------------------------

    def _seen(self, seat: int, laid: list[str]) -> list[str]:
        return [self.turned, *self.away[seat], *laid]

    def _tricks(self) -> None:
        e = self.e
        leader = self.staying[0]
        done: list[str] = []
        stops = self.rng.randint(1, 4 * len(self.staying)) if e.chance(e.habits.spoils) else 0
        for trick in range(5):
            ring = self._ring_from(leader)
            if not ring:
                break
            plays: list[tuple[int, str]] = []
            for seat in ring:
                hand = self.holding[seat]
                if plays:
                    right = right_answers(hand, [card for _, card in plays], self.trump, self.rules)
                else:
                    seen = self._seen(seat, done)
                    right = right_leads(hand, self.trump, self.rules, not trick, self.tricks[seat], seen)
                card = self._choose(seat, right, [laid for _, laid in plays])
                hand.remove(card)
                plays.append((seat, card))
                e.put("played", seat=seat, cards=[card], face="up")
                if stops and len(done) + len(plays) == stops:
                    e.put("hand_ended", reason="abandoned")
                    e.anybody_deals = True
                    return
            leader = taker_of(plays, self.trump)
            self.tricks[leader] += 1
            done += [card for _, card in plays]
            if e.chance(e.habits.tells):
                e.put("trick_taken", seat=leader)
        self._settle()

    def _choose(self, seat: int, right: list[str], laid: list[str]) -> str:
        """A right card, or now and then a wrong one."""
        e, hand = self.e, self.holding[seat]
        wrong = [card for card in hand if card not in right]
        here = len(e.events)
        card = self.rng.choice(wrong if wrong and e.chance(e.habits.reneges) else right)
        for breach in e.breaches:
            if breach.seat == seat and breach.proved_by is None and card in breach.right:
                breach.proved_by = here
        if card in wrong:
            e.breaches.append(Breach(here, seat, self._broken(hand, card, laid), sorted(right, key=PACK_ORDER)))
        return card

    def _broken(self, hand: list[str], card: str, laid: list[str]) -> str:
        if not laid:
            return "bourre/led-low-trump"
        suited = [each for each in hand if each[1] == laid[0][1]]
        if suited:
            return "bourre/did-not-head" if card in suited else "bourre/did-not-follow"
        return "bourre/did-not-overtrump" if card[1] == self.trump else "bourre/did-not-trump"

    def _ring_from(self, leader: int) -> list[int]:
        at = self.players.index(leader)
        ring = self.players[at:] + self.players[:at]
        return [seat for seat in ring if seat in self.staying and self.holding[seat]]

    # -- the end ---------------------------------------------------------------------------------------------------

    def _limited(self) -> int:
        limit = self.rules["pot_limit"]
        return self.e.pot if limit == "none" else min(self.e.pot, limit)

    def _settle(self) -> None:
        e, pot = self.e, self.e.pot
        most = max(self.tricks[seat] for seat in self.staying)
        best = [seat for seat in self.staying if self.tricks[seat] == most]
        empty = [seat for seat in self.staying if not self.tricks[seat]]
        owed = self._limited() if self.rules["bourre_pays"] == "limit" else pot
        exempt = set()
        if len(best) == 1:
            reason = "most_tricks"
            e.take(best[0], self._limited())
        elif self.rules["tie"] == "split":
            reason = "split"
            share, odd = divmod(self._limited(), len(best))
            if self.rules["odd_chips"] == "next_pot":
                odd = 0
            for place, seat in enumerate(best):
                e.take(seat, share + (place < odd))
        else:
            reason = "carried"
            if self.rules["ante_exempt"] in ("tied", "bourre_and_tied"):
                exempt |= set(best)
        for seat in empty:
            e.pay(seat, owed, "bourre", forgiven=self.rules["bourre_pays"] == "capped_at_stack")
        if self.rules["ante_exempt"] in ("bourre", "bourre_and_tied"):
            exempt |= set(empty)
        self._end(reason)
        e.free = exempt

    def _end(self, reason: str) -> None:
        if self.salt is not None:
            self.e.put("deck_revealed", cards=self.shown, salt=self.salt)
        self.e.chatter()
        self.e.put("hand_ended", reason=reason)


def evening(
    seed: int,
    *,
    preset: str = "bourre/classic@1",
    options: Json | None = None,
    seats: int = 4,
    hands: int = 3,
    stacks: list[int] | None = None,
    pot: int = 0,
    habits: Habits | None = None,
) -> list[Json]:
    """A legal recording; `options` are those the header names, `seats` is cut to what the rules allow."""
    return walk(
        seed, preset=preset, options=options, seats=seats, hands=hands, stacks=stacks, pot=pot, habits=habits
    ).events


def walk(
    seed: int,
    *,
    preset: str = "bourre/classic@1",
    options: Json | None = None,
    seats: int = 4,
    hands: int = 3,
    stacks: list[int] | None = None,
    pot: int = 0,
    habits: Habits | None = None,
) -> Evening:
    """The same, with what is known of it beside the events."""
    given = dict(options or {})
    whole = {**rulebook.preset_options(preset), **given}
    seats = max(2, min(seats, whole["seats_max"]))
    stacks = None if stacks is None else (stacks * seats)[:seats]
    table = Evening(seed, whole, seats, stacks, pot, habits or Habits())
    header: Json = {
        "format": "razbor/1",
        "game": "bourre",
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
    return table
