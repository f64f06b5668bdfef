"""Well-formed nonsense: any events of any type in any order, that a reader accepts and no rule allows."""

import random

from schemas.cards import SPELLING
from tests.walks.bura import Json

WHYS = ("ante", "draw_fee", "failed_open", "razburka", "bourre", "raise", "debt")
REASONS = {
    "bura": ("opened", "failed_open", "bura", "razburka", "raise_declined", "misdeal", "abandoned"),
    "bourre": ("most_tricks", "split", "carried", "sole_survivor", "misdeal", "abandoned"),
}
BOTH = (
    "player_left",
    "sat_out",
    "unseen",
    "card_missing",
    "chips_bought",
    "stake_set",
    "hand_began",
    "deck_committed",
    "deck_revealed",
    "staked",
    "dealt",
    "trump_turned",
    "played",
    "drew",
    "revealed",
    "pot_taken",
    "trick_taken",
    "pot_counted",
    "stack_counted",
    "hand_ended",
    "player_joined",
    "noted",
    "testified",
)
ONLY = {
    "bura": (
        "declared",
        "opened",
        "counted",
        "open_declined",
        "raise_offered",
        "raise_accepted",
        "raise_declined",
        "scored",
    ),
    "bourre": ("folded", "stayed", "discarded", "stock_recycled"),
}


class Noise:
    """A source of events that are well-formed for a recording of one game with so many seats."""

    def __init__(self, seed: int, game: str, seats: int, unseen: float = 0.1) -> None:
        self.rng = random.Random(seed)
        self.game = game
        self.seats = seats
        self.unseen = unseen
        self.names = iter(f"Гость {number}" for number in range(10_000))

    def card(self) -> str:
        known = SPELLING[:52] if self.rng.random() < 0.1 else [card for card in SPELLING[:52] if card[0] in "6789TJQKA"]
        return self.rng.choice(SPELLING[52:]) if self.rng.random() < self.unseen else self.rng.choice(known)

    def cards(self, count: int | None = None) -> list[str]:
        return [self.card() for _ in range(self.rng.randint(1, 4) if count is None else count)]

    def seat(self) -> int:
        return self.rng.randint(1, self.seats)

    def event(self, faced: list[Json], kind: str | None = None) -> Json:
        """Any event; `faced` are the earlier events whose faces a `revealed` or a `testified` may tell."""
        rng = self.rng
        kind = kind or rng.choice(BOTH + ONLY[self.game])
        if kind in ("revealed", "testified"):
            if not faced:
                return {"type": "noted", "text": "?"}
            target = rng.choice(faced)
            cards = self.cards(len(target["cards"]))
            return {"type": kind, "of": target["seq"], "cards": cards} | ({"seat": 1} if kind == "testified" else {})
        if kind == "player_joined":
            fields: Json = {"seat": rng.randint(1, self.seats + 1), "name": next(self.names)}
            self.seats = max(self.seats, fields["seat"])
            return {"type": kind, **fields}
        seatless = self._seatless().get(kind)
        return {"type": kind, **({"seat": self.seat(), **self._of_a_seat(kind)} if seatless is None else seatless)}

    def _seatless(self) -> dict[str, Json]:
        """By type: the fields of events that speak of no seat, or need not."""
        rng = self.rng
        return {
            "unseen": {},
            "noted": {"text": "и"},
            "card_missing": {"card": self.card()},
            "trump_turned": {"card": self.card()},
            "stake_set": {"amount": rng.randint(1, 9)} | ({"seat": self.seat()} if rng.random() < 0.5 else {}),
            "hand_began": {"hand": rng.randint(1, 3), "dealer": self.seat()},
            "deck_committed": {"commitment": "ab" * 32},
            "deck_revealed": {"cards": self.cards(rng.choice([3, 36, 52]))},
            "pot_counted": {"amount": rng.randint(0, 40)},
            "hand_ended": {"reason": rng.choice(REASONS[self.game])},
            "stock_recycled": {} if rng.random() < 0.5 else {"cards": self.cards()},
        }

    def _of_a_seat(self, kind: str) -> Json:
        """The fields of an event of one seat, beside the seat."""
        rng = self.rng
        amount = {"amount": rng.randint(1, 30)}
        shown = {"cards": self.cards()} if rng.random() < 0.5 else {}
        fields: dict[str, Json] = {
            "dealt": {"cards": self.cards()},
            "drew": {"cards": self.cards()},
            "discarded": {"cards": self.cards()},
            "played": {"cards": self.cards(), "face": rng.choice(["up", "up", "down"])},
            "chips_bought": amount,
            "pot_taken": amount,
            "stack_counted": amount,
            "staked": {**amount, "why": rng.choice(WHYS)},
            "counted": {"points": rng.randint(0, 60), **shown},
            "scored": {"points": rng.randint(0, 60)},
            "declared": {"combination": rng.choice(["bura", "three_aces", "molodka"]), **shown},
            "raise_offered": {"to": rng.randint(1, 7)},
        }
        return fields.get(kind, {})

    def amendment(self, events: list[Json]) -> Json:
        """A correction or an insertion that speaks of an earlier event."""
        target = self.rng.randint(1, len(events) - 1)
        inner = self.event([], self.rng.choice(("staked", "dealt", "played", "drew", "player_joined", "player_left")))
        if self.rng.random() < 0.5:
            return {"type": "inserted", "after": target, "event": inner, "reason": "так"}
        event = None if self.rng.random() < 0.3 else inner
        return {"type": "corrected", "of": target, "event": event, "reason": "так"}


def scrambled(events: list[Json], noise: Noise, share: float) -> list[Json]:
    """The events with some struck, doubled, moved or drowned in nonsense, numbered anew."""
    rng = noise.rng
    made: list[Json] = [events[0]]
    for event in events[1:-1]:
        roll = rng.random()
        if roll < share / 4:
            continue
        if roll < share / 2 and event["type"] != "player_joined":
            made.append({**event, "seq": len(made)})
        elif roll < share:
            faced = [each for each in made if each["type"] in ("dealt", "played", "drew")]
            made.append({**noise.event(faced), "seq": len(made)})
        elif roll < share * 1.1:
            amendment = noise.amendment(made) if len(made) > 1 else {"type": "noted", "text": "!"}
            target = made[int(amendment.get("of", 0))]
            if amendment["type"] == "inserted" or target["type"] not in ("corrected", "inserted"):
                made.append({**amendment, "seq": len(made)})
        made.append({**event, "seq": len(made)})
    if rng.random() < 0.7:
        made.append({"type": "recording_ended", "seq": len(made), "events": len(made) + 1})
    return made
