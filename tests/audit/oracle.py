"""Every way to lay the unseen cards of a small hand of Bura, walked through one by one: what a dispute must answer.

Written from `report.md` 5 alone; it shares nothing with the code it judges but the spelling of cards.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

Json = dict[str, Any]
Spot = tuple[int, int]
Words = Mapping[Spot, frozenset[str]]

WORTH = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
RANKS = {36: "6789TJQKA", 32: "789TJQKA", 20: "TJQKA"}


def points(card: str) -> int:
    return WORTH.get(card[0], 0)


def pack_of(size: int) -> frozenset[str]:
    return frozenset(rank + suit for rank in RANKS[size] for suit in "shdc")


@dataclass
class Position:
    """What is on record of one hand: takes (seat, time, what it may be), lays (the same with trick and key)."""

    pack: frozenset[str]
    takes: list[tuple[int, int, frozenset[str]]] = field(default_factory=list)
    lays: list[tuple[int, int, frozenset[str], int, Spot]] = field(default_factory=list)
    shows: list[tuple[int, int, str]] = field(default_factory=list)
    counted: list[tuple[int, int, frozenset[str]]] = field(default_factory=list)
    takers: dict[int, int] = field(default_factory=dict)
    ends: dict[int, int] = field(default_factory=dict)
    turned: str = ""

    @property
    def free(self) -> frozenset[str]:
        """Cards that are not known to be with somebody, nor under the stock."""
        known = {next(iter(may)) for _, _, may in self.takes if len(may) == 1}
        return self.pack - known - ({self.turned} if self.turned not in known else set())


def position(hand: Sequence[Json], whole: Sequence[Json], pack: frozenset[str], words: Words, rules: Json) -> Position:
    """Reads the events of one hand up to the moment asked for; the `whole` hand tells who took each trick."""
    seen = _seen(hand)
    turned = frozenset(event["card"] for event in hand if event["type"] == "trump_turned")
    found = Position(pack)
    trick = 1
    for time, event in enumerate(hand):
        kind = event["type"]
        if kind in ("dealt", "drew", "played"):
            for spot, card in enumerate(event["cards"]):
                key = (event["seq"], spot)
                may = _domain(seen.get(key, card), pack)
                if len(may) > 1 and kind != "played":  # nobody has the turn-up while it lies there, whoever says so
                    may -= turned
                may &= words.get(key, pack)
                if kind == "played":
                    found.lays.append((event["seat"], time, may, trick, key))
                else:
                    found.takes.append((event["seat"], time, may))
        if kind == "played":
            found.ends[trick] = event["seq"]
        elif kind == "trick_taken":
            trick += 1
        elif kind == "trump_turned":
            found.turned = event["card"]
        elif kind == "declared" and event.get("cards"):
            found.shows += [(event["seat"], time, card) for card in event["cards"]]
        elif kind == "counted" and event.get("cards"):
            found.counted.append((event["seat"], trick, frozenset(c for c in event["cards"] if "?" not in c)))
    tricks = tricks_of(whole)
    found.ends = {at: end for at, end in found.ends.items() if at <= len(tricks) and tricks[at - 1][1] == end}
    found.takers = {at: tricks[at - 1][0] for at in found.ends}
    if rules["turnup"] == "last_of_stock":
        _place_turned(hand, found, rules["draw_style"] == "fill_each")
    return found


def tricks_of(whole: Sequence[Json]) -> list[tuple[int, int]]:
    """Of each trick: its taker, and the seq of its last card."""
    tricks, last = [], 0
    for event in whole:
        if event["type"] == "played":
            last = event["seq"]
        elif event["type"] == "trick_taken":
            tricks.append((event["seat"], last))
    return tricks


def _place_turned(hand: Sequence[Json], found: Position, fill_each: bool) -> None:
    """The turn-up is the last card drawn from the stock, one card a round or seat by seat (`rules.md` 1.5, 1.13)."""
    draws = [(time, event["seat"], len(event["cards"])) for time, event in enumerate(hand) if event["type"] == "drew"]
    dealt = sum(len(event["cards"]) for event in hand if event["type"] == "dealt")
    if not draws or sum(count for _, _, count in draws) < len(found.pack) - dealt:
        return
    began = max((time for time, event in enumerate(hand[: draws[-1][0]]) if event["type"] == "played"), default=0)
    most = max(count for time, _, count in draws if time > began)
    last = [(time, seat) for time, seat, count in draws if time > began and (fill_each or count == most)][-1]
    index = max(at for at, (seat, time, _) in enumerate(found.takes) if (time, seat) == last)
    found.takes[index] = (last[1], last[0], frozenset({found.turned}))


def _domain(card: str, pack: frozenset[str]) -> frozenset[str]:
    return frozenset(each for each in pack if all(one in ("?", other) for one, other in zip(card, each, strict=True)))


def _seen(hand: Sequence[Json]) -> dict[Spot, str]:
    """Faces told by later reveals."""
    return {
        (event["of"], spot): card
        for event in hand
        if event["type"] == "revealed"
        for spot, card in enumerate(event["cards"])
        if "?" not in card
    }


def matched(ways: Sequence[Sequence[Any]]) -> bool:
    """Whether each entry can have one of its ways to itself."""
    holder: dict[Any, int] = {}

    def place(entry: int, tried: set[Any]) -> bool:
        for way in ways[entry]:
            if way not in tried:
                tried.add(way)
                if way not in holder or place(holder[way], tried):
                    holder[way] = entry
                    return True
        return False

    return all(place(entry, set()) for entry in range(len(ways)))


Naming = dict[Spot, str]


def arrangements(here: Position) -> Iterator[Naming]:
    """Every way to name the cards laid that agrees with all that is on record."""

    def walk(index: int, naming: Naming, used: frozenset[str]) -> Iterator[Naming]:
        if index == len(here.lays):
            if _possible(here, naming):
                yield dict(naming)
            return
        seat, time, may, _, key = here.lays[index]
        for card in sorted(may - used):
            if _had(here, seat, time, card):
                yield from walk(index + 1, {**naming, key: card}, used | {card})

    yield from walk(0, {}, frozenset())


def _had(here: Position, seat: int, time: int, card: str) -> bool:
    """Whether the seat may have taken the card before that time, looked at alone."""
    for other, _, may in here.takes:
        if may == {card} and other != seat:
            return False
    return any(who == seat and when < time and card in may for who, when, may in here.takes)


def _possible(here: Position, naming: Naming) -> bool:
    """Whether the hands can have been dealt so that these cards were laid, shown and counted."""
    for seat, upto, cards in here.counted:
        lying = {naming[key] for _, _, _, trick, key in here.lays if trick < upto and here.takers.get(trick) == seat}
        if not cards <= lying:
            return False
    needs = {naming[key]: (seat, time) for seat, time, _, _, key in here.lays}
    for seat, time, card in here.shows:
        who, when = needs.get(card, (seat, time + 1))
        if who != seat or when < time:
            return False
        needs[card] = (seat, min(time, when))
    left = here.pack - {here.turned}

    def may_be(index: int, card: str) -> bool:
        who, when, may = here.takes[index]
        if card not in may:
            return False
        if card in needs and (needs[card][0] != who or not when < needs[card][1]):
            return False
        return card in left or may == {card}

    places = range(len(here.takes))
    pack = sorted(here.pack)
    return matched([[index for index in places if may_be(index, card)] for card in needs]) and matched(
        [[card for card in pack if may_be(index, card)] for index in places]
    )


class Oracle:
    """All arrangements of one position."""

    def __init__(self, here: Position, target: int) -> None:
        self.here = here
        self.target = target
        self.ways = list(arrangements(here))

    def pile(self, seat: int, upto: int = 99) -> list[Spot]:
        """The cards in the seat's pile after so many tricks."""
        return [key for _, _, _, trick, key in self.here.lays if trick <= upto and self.here.takers.get(trick) == seat]

    def sums(self, seat: int, upto: int = 99) -> list[int]:
        """The points of the pile after so many tricks, by arrangement."""
        keys = self.pile(seat, upto)
        return [sum(points(way[key]) for key in keys) for way in self.ways]

    def has_it(self, seat: int) -> list[bool]:
        return [each >= self.target for each in self.sums(seat)]

    def answer(self, seat: int) -> str:
        return _answer(self.has_it(seat))

    def joint(self, seats: Sequence[int]) -> Json:
        rows = list(zip(*(self.has_it(seat) for seat in seats), strict=True))
        return {
            "at_least_one": _answer([any(row) for row in rows]),
            "at_most_one": _answer([sum(row) < 2 for row in rows]),
        }

    def reached(self, seat: int) -> Json:
        own = [trick for trick, taker in sorted(self.here.takers.items()) if taker == seat]
        rows = {trick: [each >= self.target for each in self.sums(seat, trick)] for trick in own}
        return {
            "possibly": next((self.here.ends[trick] for trick in own if any(rows[trick])), None),
            "surely": next((self.here.ends[trick] for trick in own if all(rows[trick])), None),
        }

    def settled_by(self, seat: int, others: Sequence[int]) -> list[list[int]]:
        if self.answer(seat) != "open":
            return []
        for size in range(1, len(others)):
            groups = [group for group in combinations(others, size) if seat not in group]
            found = [list(group) for group in groups if self._settles(seat, group)]
            if found:
                return found
        return []

    def _settles(self, seat: int, group: Sequence[int]) -> bool:
        keys = [key for who, _, _, _, key in self.here.lays if who in group]
        said: dict[tuple[str, ...], set[bool]] = {}
        for way, has in zip(self.ways, self.has_it(seat), strict=True):
            said.setdefault(tuple(way[key] for key in keys), set()).add(has)
        return all(len(answers) == 1 for answers in said.values())


def _answer(held: Sequence[bool]) -> str:
    return "must" if all(held) else "open" if any(held) else "cannot"
