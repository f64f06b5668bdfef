"""Unseen cards against every way to name them: a doubt stands only where one way is a breach and another is not.

A short hand has a few faces blotted out; each way to fill them in that the pack and the holdings allow is judged as a
recording of its own, and what they say together is what the blotted recording must say (`report.md` 1).
"""

import math
import random
from collections.abc import Iterator
from itertools import product

import pytest

from replay import desk
from tests.walks.bura import Habits, Json, to_bytes
from tests.walks.drawn import OPTIONS, walk

Spot = tuple[int, int]
FIXED: Json = {"pack": 20, "three_aces": "leads", "bura_tie": "contest", "target": 31, "failed_open": "match_pot"}
FREE = ("answer_face", "draw_style", "short_stock", "molodka_turn", "bura", "razburka", "turnup", "beat_pairing")
IMPOSSIBLE = {"table/card-not-held", "table/card-twice", "table/card-not-in-pack", "table/reveal-contradicts"}
PACK = [rank + suit for rank in "TJQKA" for suit in "shdc"]
MOST = 400


def with_faces(events: list[Json], spots: list[Spot], faces: tuple[str, ...]) -> list[Json]:
    changed = list(events)
    for (at, spot), face in zip(spots, faces, strict=True):
        cards = list(changed[at]["cards"])
        cards[spot] = face
        changed[at] = {**changed[at], "cards": cards}
    return changed


def blotted(seed: int) -> tuple[list[Json], list[Spot], list[list[str]]] | None:
    """A hand, perhaps with one fault; faces to blot out; what each of them may be."""
    rng = random.Random(seed)
    options = FIXED | {name: rng.choice(OPTIONS[name]) for name in FREE if rng.random() < 0.4}
    habits = Habits(opens=0.3, bluffs=0.15, spoils=0, moves=0, declares=0.7, commits=0, stacked=0.4, tells=0.4)
    events = walk(seed, "bura/classic-36@1", options, seats=2, hands=1, habits=habits)
    plays = [at for at, event in enumerate(events) if event["type"] == "played"]
    if rng.random() < 0.4 and plays:
        at = rng.choice(plays)
        events[at] = {**events[at], "face": "up" if events[at]["face"] == "down" else "down"}
    faced = [at for at, event in enumerate(events) if event["type"] in ("dealt", "drew", "played")]
    faces = [(at, spot, card) for at in faced for spot, card in enumerate(events[at]["cards"])]
    turned = next(event["card"] for event in events if event["type"] == "trump_turned")
    hidden = rng.sample(sorted({card for _, _, card in faces} - {turned}), rng.randint(1, 3))
    spots = [(at, spot) for at, spot, card in faces if card in hidden and rng.random() < 0.85]
    seen = {card for at, spot, card in faces if (at, spot) not in spots} | {turned}
    pool = [card for card in PACK if card not in seen or card in hidden]
    taken = {seat: {card for at, _, card in faces if events[at]["seat"] == seat} for seat in (1, 2)}
    may = [sorted({*pool, *taken[events[at]["seat"]]}) if events[at]["type"] == "played" else pool for at, _ in spots]
    return (events, spots, may) if spots and math.prod(map(len, may)) <= MOST else None


def ways(events: list[Json], spots: list[Spot], may: list[list[str]]) -> Iterator[Json]:
    for faces in product(*may):
        report = desk.verify(to_bytes(with_faces(events, spots, faces)))
        if not IMPOSSIBLE & {finding["code"] for finding in report["findings"] if finding["severity"] == "error"}:
            yield report


def judged_as_all_ways_together(seed: int) -> bool:
    case = blotted(seed)
    if case is None:
        return False
    events, spots, may = case
    every = list(ways(events, spots, may))
    if not every:
        return False
    report = desk.verify(to_bytes(with_faces(events, spots, ("??",) * len(spots))))
    verdicts = {each["verdict"] for each in every}
    errors = [{(f["seq"], f["code"]) for f in each["findings"] if f["severity"] == "error"} for each in every]
    wrong_events = [{seq for seq, _ in each} for each in errors]
    told = {finding["seq"] for finding in report["findings"] if finding["severity"] == "error"}
    if verdicts == {"verified"}:
        assert report["verdict"] == "verified", (seed, report["findings"])
    assert told == set.intersection(*wrong_events), (seed, told, wrong_events)
    if told != set.union(*wrong_events):
        assert any(finding["severity"] == "doubt" for finding in report["findings"]), seed
    [hand] = report["hands"]
    for key in ("reason", "takers", "pot", "pot_after"):
        values = [each["hands"][0][key] for each in every]
        expected = values[0] if all(value == values[0] for value in values) else None
        assert hand[key] == expected, (seed, key, values)
    for seat in ("1", "2"):
        points = [each["hands"][0]["seats"][seat]["points"] for each in every]
        assert hand["seats"][seat]["points"]["low"] <= min(each["low"] for each in points)
        assert hand["seats"][seat]["points"]["high"] >= max(each["high"] for each in points)
    return True


def test_a_blotted_hand_is_judged_as_all_its_namings_together() -> None:
    assert sum(judged_as_all_ways_together(seed) for seed in range(120)) > 30


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_a_great_many_blotted_hands_are_judged_as_all_their_namings_together() -> None:
    assert sum(judged_as_all_ways_together(seed) for seed in range(1000, 6000)) > 1000
