"""Well-formed nonsense is audited to its end: no exception, no chip lost, in both readings and every view."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recorder import intake
from replay import desk
from replay.audit.report import audit, report
from replay.audit.sight import redact
from schemas.events import Recording
from tests.walks.bura import Json, to_bytes
from tests.walks.drawn import walk, walks
from tests.walks.noise import BOTH, ONLY, Noise, scrambled

VIEWS = ("full", "public", "seat:1")
OPEN = ("bura", "three_aces", "molodka_turn", "answer_face", "open_window", "failed_open", "razburka", "target")


def survives(events: list[Json]) -> None:
    """`audit` asserts by itself that no chip is lost at the end of each hand."""
    recording = intake.read(to_bytes(events))
    if not isinstance(recording, Recording):
        assert recording.problems
        return
    house = desk.house_of(recording)
    for view in VIEWS:
        seen = redact(recording, view, house.rules)
        for reading in ("amended", "recorded"):
            told = report(audit(seen, house, reading))
            assert told["verdict"] in ("verified", "refuted", "undecided")
            assert all(finding["seq"] < len(events) for finding in told["findings"])


def nonsense(seed: int, game: str, seats: int, length: int) -> list[Json]:
    """A header and events of any type in any order."""
    noise = Noise(seed, game, seats)
    options = {"molodka_turn": "out_of_turn"} if game == "bura" else {}
    preset = "bura/classic-36@1" if game == "bura" else "bourre/classic@1"
    names = [f"Игрок {seat}" for seat in range(seats)]
    header: Json = {"format": "razbor/1", "game": game, "rules": {"preset": preset, "options": options}, "seats": names}
    events: list[Json] = [{"seq": 0, "type": "recording_began", **header}]
    for seq in range(1, length):
        faced = [event for event in events if event["type"] in ("dealt", "drew", "played")]
        events.append({**noise.event(faced), "seq": seq})
    return events


@pytest.mark.parametrize("game", ["bura", "bourre"])
@settings(max_examples=60)
@given(seed=st.integers(0, 2**32), seats=st.integers(2, 6), length=st.integers(2, 60))
def test_any_events_in_any_order_are_audited(game: str, seed: int, seats: int, length: int) -> None:
    survives(nonsense(seed, game, seats, length))


@settings(max_examples=80)
@given(walks(most_hands=2), st.integers(0, 2**32), st.sampled_from([0.03, 0.1, 0.4]))
def test_a_scrambled_evening_is_audited(events: list[Json], seed: int, share: float) -> None:
    survives(scrambled(events, _noise(events, seed), share))


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.lists(st.sampled_from(OPEN), unique=True, min_size=1, max_size=6))
def test_a_scrambled_evening_under_unrecorded_rules_is_audited(seed: int, names: list[str]) -> None:
    events = walk(seed, "bura/classic-36@1", {}, seats=2 + seed % 2, hands=1)
    events[0]["rules"]["options"].update(dict.fromkeys(names, "unrecorded"))
    survives(scrambled(events, _noise(events, seed), 0.05))


@pytest.mark.soak
@settings(max_examples=10_000)
@given(walks(), st.integers(0, 2**32), st.sampled_from([0.03, 0.1, 0.4]))
def test_a_great_many_scrambled_evenings_are_audited(events: list[Json], seed: int, share: float) -> None:
    survives(scrambled(events, _noise(events, seed), share))


def _noise(events: list[Json], seed: int) -> Noise:
    seats = max([len(events[0]["seats"]), *(each["seat"] for each in events if each["type"] == "player_joined")])
    return Noise(seed, "bura", seats)


@pytest.mark.parametrize("kind", [*BOTH, *ONLY["bura"]])
def test_every_event_is_taken_at_every_moment(kind: str) -> None:
    """One event of each type is put after each event of a short evening."""
    events = walk(7, "bura/classic-36@1", {"raise_ladder": "to_6"}, seats=2, hands=2)
    noise = Noise(1, "bura", 2, unseen=0.3)
    for at in range(1, len(events) - 1, 3):
        faced = [event for event in events[:at] if event["type"] in ("dealt", "drew", "played")]
        mixed = [*events[:at], noise.event(faced, kind), *events[at:-1]]
        recording = intake.read(to_bytes([{**event, "seq": seq} for seq, event in enumerate(mixed)]))
        if isinstance(recording, Recording):
            audit(recording, desk.house_of(recording))
