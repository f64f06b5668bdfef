"""Who had 31: bounds of each pile, the three clocks, whose word settles it, and the sums to check it with a pencil."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from replay.audit.board import board_of
from replay.audit.certain import Group, certain
from replay.audit.places import Bounds, Lay, Scene, View, joint
from replay.audit.settled import BUDGET, settled_by
from replay.audit.stand import Stand, Way
from replay.engine.bura.laws import union
from replay.engine.findings import Code
from schemas.cards import SPELLING, spell_all, spread
from schemas.events import Counted, Opened, Played
from schemas.rules import BuraRules, OpenWindow

Clock = dict[str, int | None]
Spot = tuple[int, int]
"""Seq of a play, and place in it."""
MOST_SCENES: Final = 16
"""So many ways a hand may have gone are added up one by one; where there are more, nothing is said of the piles."""
NO_RIGHT: Final = frozenset({Code.MAY_NOT_OPEN, Code.OPENED_LATE, Code.OUT_OF_PLACE})
"""What is told of an opening that has no effect."""


def bura_part(stand: Stand, rules: BuraRules, unrecorded: Sequence[str]) -> dict[str, Any]:
    """What the answer says of a hand of Bura."""
    target = None if "target" in unrecorded else rules.target
    players = sorted(stand.table.players) or stand.seats
    if stand.dark:
        return _in_the_dark(stand, target, players)
    piles = _Piles(stand, players)
    return {
        "target": target,
        "seats": {str(seat): piles.seat(seat) for seat in players},
        "joint": piles.joint(),
        "unseen": piles.unseen(),
    }


def _in_the_dark(stand: Stand, target: int | None, players: Sequence[int]) -> dict[str, Any]:
    """A stretch of the hand was not seen: what was opened and said stands, all else is not known."""
    seats: dict[str, Any] = {
        str(seat): {
            "points": {"low": None, "high": None},
            "answer": "open",
            "reached": {"possibly": None, "surely": None},
            "entitled_at": [],
            **_said(stand, seat),
            "known": [],
            "unknown": None,
            "settled_by": [],
            "certificate": {"known": [], "places": [], "exact": False, "dropped": []},
        }
        for seat in players
    }
    both = {"at_least_one": "open", "at_most_one": "open"}
    return {"target": target, "seats": seats, "joint": both, "unseen": []}


def _said(stand: Stand, seat: int) -> dict[str, int | None]:
    """When the seat opened - with the right to, where it had it once - and the number it said."""
    found = stand.ways[0].findings
    meant = {each.seq: each.expected for each in found if each.code is Code.MAY_NOT_OPEN and each.expected}
    opened = [
        event.seq for event in stand.events if isinstance(event, Opened) and meant.get(event.seq, event.seat) == seat
    ]
    counted = [event.points for event in stand.events if isinstance(event, Counted) and event.seat == seat]
    idle = {each.seq for each in found if each.code in NO_RIGHT} - meant.keys()
    effective = [seq for seq in opened if seq not in idle] or opened
    return {"opened_at": effective[0] if effective else None, "counted": counted[-1] if counted else None}


class _Piles:
    """The piles of a hand in every way it may have gone: each different scene once, with its target."""

    def __init__(self, stand: Stand, players: Sequence[int]) -> None:
        self.stand = stand
        self.players = players
        by_identity = {(id(way.scene), way.rules.target): way for way in stand.ways}
        views = {(way.scene, int(way.rules.target)): way.view for way in by_identity.values()}
        self.whole = len(views) <= MOST_SCENES
        self.scenes = list(views)[:MOST_SCENES]
        self.views = list(views.values())[:MOST_SCENES]
        self.found = [{seat: view.bounds(seat) for seat in players} for view in self.views]
        self.groups = [groups_of(scene, found) for (scene, _), found in zip(self.scenes, self.found, strict=True)]

    def unseen(self) -> list[str]:
        """The cards that the view cannot place, in any of the ways."""
        cards = 0
        for (scene, _), groups in zip(self.scenes, self.groups, strict=True):
            cards |= unseen(scene, groups)
        return spell_all(cards)

    def seat(self, seat: int) -> dict[str, Any]:
        """All that is said of one seat."""
        piles = [
            Pile(scene, seat, found[seat], groups)
            for (scene, _), found, groups in zip(self.scenes, self.found, self.groups, strict=True)
        ]
        low = min(piles, key=lambda pile: pile.found.low)
        high = max(piles, key=lambda pile: pile.found.high)
        answer = self._answer(seat)
        known, placed = low.known, low.placed
        for pile in piles:
            known &= pile.known
            placed &= pile.placed
        everything = sum(low.scene.points[card] for card in spread(low.scene.pack))
        return {
            "points": {
                "low": low.found.low if self.whole else 0,
                "high": high.found.high if self.whole else everything,
            },
            "answer": answer,
            "reached": self._clock(seat),
            "entitled_at": _common([_entitled(self.stand, way, seat) for way in self.stand.ways]),
            **_said(self.stand, seat),
            "known": spell_all(known),
            "unknown": max(low.count, high.count) - known.bit_count(),
            "settled_by": self._settled_by(seat) if answer == "open" else [],
            "certificate": certificate(low, high, placed, exact=self.whole),
        }

    def _settled_by(self, seat: int) -> list[list[int]]:
        if len(self.scenes) > 1:
            return []
        scene, target = self.scenes[0]
        asked = sum(self._answer(each) == "open" for each in self.players)
        return settled_by(scene, seat, self.players, target, self.groups[0], BUDGET // max(asked, 1))

    def _answer(self, seat: int) -> str:
        pairs = zip(self.scenes, self.found, strict=True)
        return agreed([answer_of(found[seat], target) for (_, target), found in pairs]) if self.whole else "open"

    def joint(self) -> dict[str, str]:
        """What holds of all seats together."""
        pairs = zip(self.scenes, self.views, strict=True)
        both = [joint(scene, self.players, target, view) for (scene, target), view in pairs]
        return {
            "at_least_one": agreed([each.at_least_one for each in both]) if self.whole else "open",
            "at_most_one": agreed([each.at_most_one for each in both]) if self.whole else "open",
        }

    def _clock(self, seat: int) -> Clock:
        """The first trick end from which the seat possibly, and surely, had the target, by all that is known now."""
        clocks = [
            reached(view, seat, found[seat], target)
            for (_, target), view, found in zip(self.scenes, self.views, self.found, strict=True)
        ]
        maybe = [clock["possibly"] for clock in clocks if clock["possibly"] is not None]
        sure = [clock["surely"] for clock in clocks if clock["surely"] is not None]
        always = self.whole and len(sure) == len(clocks)
        return {"possibly": min(maybe, default=None), "surely": max(sure, default=None) if always else None}


def agreed(answers: Sequence[str]) -> str:
    """The answer all give, else `open`."""
    return answers[0] if len(set(answers)) == 1 else "open"


def answer_of(found: Bounds, target: int) -> str:
    """Whether a pile has so many points: `must`, `cannot` or `open`; open too where the search was cut off between."""
    if found.low >= target:
        return "must"
    return "cannot" if found.high < target else "open"


def reached(view: View, seat: int, final: Bounds, target: int) -> Clock:
    """By all that is known: the last card of the first trick with which the pile may, and must, have so many points."""
    scene = view.scene
    ends: dict[int, int] = {}
    for lay in sorted(scene.lays, key=lambda each: each.at):  # by time: an inserted play bears a later number
        if lay.pile == seat:
            ends[lay.trick] = lay.seq if lay.seq >= 0 else ends.get(lay.trick, 0)
    tricks = sorted(ends)

    def after(count: int) -> Bounds:
        if count == len(tricks):
            return final
        lays = (lay if lay.trick <= tricks[count - 1] else replace(lay, pile=0) for lay in scene.lays)
        return View(replace(scene, lays=tuple(lays)), view).bounds(seat)

    possibly = _first(len(tricks), lambda count: after(count).high >= target)
    surely = _first(len(tricks), lambda count: after(count).low >= target)
    return {
        "possibly": ends[tricks[possibly - 1]] if possibly else None,
        "surely": ends[tricks[surely - 1]] if surely else None,
    }


def _first(count: int, holds: Callable[[int], bool]) -> int:
    """The first number up to `count` from which on something holds; 0 where it never does."""
    if not count or not holds(count):
        return 0
    low, high = 1, count
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def _common(rows: Sequence[list[int]]) -> list[int]:
    """What stands in every row, in the order of the first."""
    return [each for each in rows[0] if all(each in row for row in rows)]


def _entitled(stand: Stand, way: Way, seat: int) -> list[int]:
    """The trick ends after which the seat could open (`open_window`).

    Where one opens in one's own turn, that is every trick after which the seat had a turn before the next one's end.
    """
    tricks = way.table.tricks
    window = way.rules.open_window
    if seat not in way.table.players:
        return []
    if window is OpenWindow.TAKER_BEFORE_DRAW:
        return [trick.seqs[-1] for trick in tricks if trick.taker == seat]
    if window is OpenWindow.BOTH_AFTER_TRICK:
        return [trick.seqs[-1] for trick in tricks]
    said = _said(stand, seat)["opened_at"]
    acts = [
        at
        for at, event in enumerate(stand.events)
        if event.seq == said or (isinstance(event, Played) and event.seat == seat)
    ]
    places = {event.seq: at for at, event in enumerate(stand.events)}
    ends = [trick.seqs[-1] for trick in tricks]
    turns = []
    for number, end in enumerate(ends, 1):
        until = places.get(ends[number], -1) if number < len(ends) else len(stand.events)
        in_turn = any(places.get(end, -1) < at <= until for at in acts)
        if in_turn or (number == len(ends) and way.table.opening_wrong(seat) is None):
            turns.append(end)
    return turns


class Pile:
    """One seat's pile in one scene: what lies in it for certain, and which of its places are open."""

    def __init__(self, scene: Scene, seat: int, found: Bounds, groups: Sequence[Group]) -> None:
        self.scene = scene
        self.found = found
        self.own = [at for at, lay in enumerate(scene.lays) if lay.pile == seat]
        self.count = len(self.own)
        filled = {at for places, _ in groups for at in places}
        self.open = [at for at in self.own if at not in filled]
        self.groups = [group for group in groups if set(group[0]) <= set(self.own)]
        self.placed = union(mask for _, mask in self.groups)
        self.known = self.placed | (0 if "shown" in found.dropped else _counted(scene, self.own))


def _counted(scene: Scene, own: Sequence[int]) -> int:
    """The cards counted in a pile that lie in it still."""
    counted = 0
    for places, mask in scene.sets:
        if mask.bit_count() <= len(places) and set(places) <= set(own):
            counted |= mask
    return counted


def groups_of(scene: Scene, found: Mapping[int, Bounds]) -> list[Group]:
    """What is certain of the piles, without what the bounds could not use."""
    shown = not any("shown" in each.dropped for each in found.values())
    return certain(scene, board_of(scene, with_shown=shown))


def unseen(scene: Scene, groups: Sequence[Group]) -> int:
    """The mask of all cards the view cannot place: not seen at all, or held once and perhaps laid face down since."""
    filled = {at for places, _ in groups for at in places}
    placed = scene.elsewhere
    for _, mask in (*groups, *scene.sets):
        placed |= mask
    held = [(take.seat, take.at, take.domain) for take in scene.takes]
    held += [(show.seat, show.at, show.card) for show in scene.shows]
    open_lays = [lay for at, lay in enumerate(scene.lays) if at not in filled]
    for seat, at, mask in held:
        if mask.bit_count() == 1 and not any(_may_be(lay, seat, at, mask) for lay in open_lays):
            placed |= mask
    return scene.pack & ~placed


def _may_be(lay: Lay, seat: int, at: int, card: int) -> bool:
    """Whether an unseen card laid by a seat may be one that it had before."""
    return lay.seat == seat and lay.at > at and bool(lay.domain & card)


def certificate(low: Pile, high: Pile, placed: int, *, exact: bool) -> dict[str, Any]:
    """The sums a person can check with a pencil: known cards, and for each open place a card for least and most.

    Where the two come from different ways the hand may have gone, a place that lies in another pile has none; a card
    whose laying is not on record has no `seq`.
    """
    known = _agreed_cards(low, high, placed)
    least, most = _loose(low, known), _loose(high, known)
    lays = {spot: pile.scene.lays[at] for pile, spots in ((low, least), (high, most)) for spot, at in spots.items()}
    told = low.found.best_low is not None and high.found.best_high is not None
    return {
        "known": [[SPELLING[card], low.scene.points[card]] for card in spread(known)],
        "places": [
            {
                "seq": lays[spot].seq if lays[spot].seq >= 0 else None,
                "seat": lays[spot].seat,
                "low": _worth(low, low.found.best_low, least.get(spot)),
                "high": _worth(high, high.found.best_high, most.get(spot)),
            }
            for spot in sorted(lays, key=lambda spot: (lays[spot].at, spot))
            if told
        ],
        "exact": exact and low.found.exact and high.found.exact,
        "dropped": sorted({*low.found.dropped, *high.found.dropped}),
    }


def _agreed_cards(low: Pile, high: Pile, placed: int) -> int:
    """Of these cards, which certain places of both piles hold, whole groups of them only."""
    known = placed
    masks = [mask for _, mask in (*low.groups, *high.groups)]
    while parted := union(mask for mask in masks if mask & known and mask & ~known):
        known &= ~parted
    return known


def _loose(pile: Pile, known: int) -> dict[Spot, int]:
    """The places of the pile that do not hold these cards for certain, each with its lay.

    An event and a place in it are the same in every way the hand may have gone; which lay that is may differ.
    """
    sure = {at for places, mask in pile.groups if not mask & ~known for at in places}
    lays = pile.scene.lays
    return {(lays[at].seq, lays[at].spot): at for at in pile.own if at not in sure}


def _worth(pile: Pile, cards: Sequence[int] | None, at: int | None) -> list[Any] | None:
    """The card and its points that an extreme arrangement puts there, where the place is of this pile."""
    if cards is None or at is None or cards[at] < 0:
        return None
    return [SPELLING[cards[at]], pile.scene.points[cards[at]]]
