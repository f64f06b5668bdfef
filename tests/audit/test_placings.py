"""That there are too many ways to name a hand's unseen cards is told early, and only where the walk would find so."""

import random
from dataclasses import dataclass
from typing import Any

from recorder import intake
from replay import desk
from replay.audit import placings
from replay.audit.scene import scene_of
from schemas.events import Recording
from tests.audit.test_every_naming import FIXED
from tests.walks.bura import Habits, to_bytes
from tests.walks.drawn import walk


@dataclass(frozen=True)
class Searched:
    """A hand's unseen cards: the least number of steps told beforehand, the steps taken, and whether it gave up."""

    fewest: int
    steps: int
    gave_up: bool
    named: bool


def searched(seed: int, pack: int, *, deal_only: bool = False) -> Searched:
    rng = random.Random(seed)
    options = FIXED | {"pack": pack}
    rows = walk(seed, "bura/classic-36@1", options, seats=2, hands=1, habits=Habits(opens=0.3, stacked=0.4))
    kinds = ("dealt",) if deal_only else ("dealt", "drew")
    faces = [(row, spot) for row in rows if row["type"] in kinds for spot in range(len(row["cards"]))]
    for row, spot in rng.sample(faces, min(len(faces), rng.randint(1, 2 if deal_only else 8))):
        row["cards"][spot] = "??"
    recording = intake.read(to_bytes(rows))
    assert isinstance(recording, Recording)
    rules: Any = desk.house_of(recording).rules
    last = max((row["seq"] for row in rows if row["type"] == "dealt"), default=5) + 1
    events: Any = recording.events[2 : last if deal_only else rng.randint(6, len(rows))]
    scene = scene_of(events, (), rules)
    search = placings._Search(events, scene, 10**6 if deal_only else placings.MOST_PLACINGS, ())
    fewest = search.fewest_steps()
    try:
        ways = list(search.walk())
    except placings.TooManyError:
        return Searched(fewest, search.steps, gave_up=True, named=bool(placings.placings(events, scene)))
    named = placings.placings(events, scene, search.most)
    return Searched(fewest, search.steps, gave_up=False, named=len(named) == len(ways))


def test_what_is_told_early_is_what_the_walk_finds() -> None:
    found = [searched(seed, pack) for pack in (20, 36) for seed in range(40)]
    for one in found:
        assert one.gave_up or (one.fewest <= min(one.steps, placings.MOST_STEPS) and one.named)
        assert not (one.gave_up and one.named)
    early = [one for one in found if one.fewest > placings.MOST_STEPS]
    assert len(early) >= 5, "hands with too many ways were among them"
    assert sum(not one.gave_up for one in found) >= 20, "and hands with few"


def test_of_a_deal_alone_the_number_of_steps_is_told_exactly() -> None:
    found = [searched(seed, pack, deal_only=True) for pack in (20, 36) for seed in range(20)]
    assert all(one.fewest == one.steps and one.named != one.gave_up for one in found)
    assert len({one.fewest for one in found}) > 10
