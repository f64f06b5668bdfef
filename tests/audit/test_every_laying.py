"""Cards laid or turned unseen in Bourré against every way to name them (`report.md` 1)."""

import random
from collections import defaultdict
from collections.abc import Iterator
from itertools import product

import pytest

from recorder import intake
from replay import desk
from replay.audit.layings import layings
from schemas.cards import PACK as MASKS
from schemas.events import Played, Recording, TrumpTurned
from tests.engine.bourre.hands import Json, Script
from tests.engine.bourre.walks import Habits, walk
from tests.walks.bura import to_bytes

CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "shdc"]

Spot = tuple[int, int]


def fits(card: str, text: str) -> bool:
    return all(sign in ("?", own) for own, sign in zip(card, text, strict=True))


def possible(events: list[Json]) -> bool:
    """Whether the cards of one hand, all named, can have lain so."""
    seen: set[str] = set()
    held: dict[int, list[str]] = defaultdict(list)
    for event in events:
        cards = event.get("cards", [event.get("card")])
        if event["type"] in ("dealt", "drew", "trump_turned"):
            if seen & set(cards) or len(set(cards)) < len(cards):
                return False
            seen |= set(cards)
            held[event.get("seat", 0)] += cards
        elif event["type"] in ("discarded", "played"):
            if any(card not in held[event["seat"]] for card in cards):
                return False
            held[event["seat"]] = [card for card in held[event["seat"]] if card not in cards]
    return True


def named(events: list[Json], spots: list[Spot], faces: tuple[str, ...]) -> list[Json]:
    changed = [dict(event) for event in events]
    for (at, spot), face in zip(spots, faces, strict=True):
        if "card" in changed[at]:
            changed[at]["card"] = face
        else:
            changed[at]["cards"] = [face if place == spot else card for place, card in enumerate(changed[at]["cards"])]
    return changed


def blotted(seed: int) -> tuple[list[Json], list[Spot], list[str]]:
    """A hand, perhaps with a renege; cards that were laid unseen, some of them wherever they lay before, too."""
    rng = random.Random(seed)
    habits = Habits(spoils=0, moves=0, reneges=0.2)
    played = walk(seed, preset="bourre/classic@1", options={}, seats=rng.choice([2, 2, 3]), hands=1, habits=habits)
    spots = [
        (at, spot)
        for at, event in enumerate(played.events)
        for spot in range(len(event.get("cards", ())))
        if event["type"] in ("dealt", "drew", "played")
    ]
    laid = [(at, spot) for at, spot in spots if played.events[at]["type"] == "played"]
    hidden = rng.sample(laid, min(len(laid), rng.randint(2, 3)))
    cards = {played.events[at]["cards"][0] for at, _ in hidden if rng.random() < 0.3}
    hidden += [
        (at, spot) for at, spot in spots if played.events[at]["cards"][spot] in cards and (at, spot) not in hidden
    ]
    texts = []
    for at, spot in hidden:
        rank, suit = played.events[at]["cards"][spot]
        texts.append(rng.choice(["??", f"?{suit}", f"{rank}?"]))
    return played.events, hidden, texts


def ways(events: list[Json], spots: list[Spot], texts: list[str]) -> Iterator[Json]:
    for faces in product(*[[card for card in CARDS if fits(card, text)] for text in texts]):
        full = named(events, spots, faces)
        if possible(full):
            yield desk.verify(to_bytes(full))


def wrong(report: Json, severity: str) -> set[int]:
    return {each["seq"] for each in report["findings"] if each["severity"] == severity}


def judged() -> list[int]:
    """Seeds of hands of which there are few enough ways to try each."""
    kept = []
    for seed in range(600):
        events, spots, texts = blotted(seed)
        size = 1
        for text in texts:
            size *= sum(fits(card, text) for card in CARDS)
        plain = not any(event["type"] in ("stock_recycled", "deck_committed") for event in events)
        if spots and size <= 3000 and plain:
            kept.append(seed)
    return kept[:120]


@pytest.mark.parametrize("seed", judged())
def test_what_was_laid_unseen_is_judged_in_every_way(seed: int) -> None:
    events, spots, texts = blotted(seed)
    told = desk.verify(to_bytes(named(events, spots, tuple(texts))))
    all_ways = list(ways(events, spots, texts))
    errors = [wrong(report, "error") for report in all_ways]
    always, ever = set.intersection(*errors), set.union(*errors)
    assert wrong(told, "error") == always
    left_open = set.union(*[wrong(report, "doubt") for report in all_ways])  # a gap of the record, whatever was laid
    assert wrong(told, "doubt") - always == (ever | left_open) - always
    for hand, same in zip(told["hands"], zip(*[each["hands"] for each in all_ways], strict=True), strict=True):
        for key in ("trump", "pot", "pot_after", "reason", "takers"):
            first = same[0][key]
            assert hand[key] == (first if all(each[key] == first for each in same) else None), key


def test_two_cards_laid_unseen_are_never_one() -> None:
    script = Script(2)
    script.deal("8s 5h 4h 2h Tc/Kh 9d Qd 3h Jd", "Jh")
    script.say("1+ 2+")
    script.play("18s 2?? 2?? 14h 2Qd 12h 1Tc 2Jd 15h 23h")
    recording = intake.read(to_bytes(script.events))
    assert isinstance(recording, Recording)
    found = layings(recording.events[2:], MASKS[52])
    laid = [[event.cards[0] for event in way if isinstance(event, Played) and event.seat == 2][:2] for way in found]
    assert sorted(laid) == [["9d", "Kh"], ["Kh", "9d"]]


def test_of_an_unseen_turn_up_only_the_suit_is_named() -> None:
    script = Script(2)
    script.deal("8s 5h 4h 2h Tc/Kh 9d Qd 3h Jd", "??")
    recording = intake.read(to_bytes(script.events))
    assert isinstance(recording, Recording)
    found = layings(recording.events[2:], MASKS[52])
    assert [next(event.card for event in way if isinstance(event, TrumpTurned)) for way in found] == [
        "?s",
        "?h",
        "?d",
        "?c",
    ]
