"""Hands of every case, from every view: an answer of the declared shape, and no bound that leaves out the truth."""

import json
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from recorder import intake
from recorder.decode import BULK
from replay import desk
from replay.audit.dispute import Moment, dispute
from schemas.events import HandBegan, HandEnded, Recording
from tests.check_cases import case_names, expectation, recording_path
from tests.fits import wrong

Json = dict[str, Any]
READABLE = [name for name in case_names() if expectation(name).get("exit") != desk.REFUSED]


@cache
def recording_of(name: str) -> Recording:
    found = intake.read(recording_path(name).read_bytes(), BULK)
    assert isinstance(found, Recording)
    return found


def hands_of(recording: Recording) -> dict[int, list[int]]:
    """By number of the last hand that bears it: the seqs of its events."""
    hands: dict[int, list[int]] = {}
    own: list[int] | None = None
    for event in recording.events:
        if isinstance(event, HandBegan):
            own = hands[event.hand] = []
        if own is not None:
            own.append(event.seq)
        if isinstance(event, HandEnded):
            own = None
    return hands


def asked(recording: Recording, moment: Moment) -> Json:
    answer = dispute(recording, desk.house_of(recording), moment)
    assert wrong("dispute", json.loads(json.dumps(answer))) == []
    return answer


def spans(answer: Json) -> Iterator[tuple[str, int, int]]:
    """By seat: least and most, unless the record contradicts itself and something of it could not be used."""
    for seat, said in answer["seats"].items():
        if said.get("certificate", {}).get("dropped"):
            continue
        span = said.get("points") or said["tricks"]
        if span["low"] is not None:
            yield seat, span["low"], span["high"]


def check_inside(recording: Recording, hand: int, at: int | None) -> None:
    """What the table saw bounds what the record tells, and so does what each seat saw; each seat knows more."""
    whole = {seat: (low, high) for seat, low, high in spans(asked(recording, Moment(hand, at)))}
    public = {seat: (low, high) for seat, low, high in spans(asked(recording, Moment(hand, at, "public")))}
    for seat, (low, high) in whole.items():
        if seat in public:
            assert public[seat][0] <= low <= high <= public[seat][1]
    for viewer in range(1, len(recording.began.seats) + 1):
        for seat, low, high in spans(asked(recording, Moment(hand, at, f"seat:{viewer}"))):
            if seat in public and seat in whole:
                assert public[seat][0] <= low <= whole[seat][0]
                assert whole[seat][1] <= high <= public[seat][1]


@pytest.mark.parametrize("name", READABLE)
def test_what_is_seen_bounds_what_is_true(name: str) -> None:
    recording = recording_of(name)
    hands = list(hands_of(recording).items())
    rng = random.Random(name)
    for hand, seqs in rng.sample(hands, min(2, len(hands))):
        check_inside(recording, hand, rng.choice([None, rng.choice(seqs)]))


@pytest.mark.parametrize("name", READABLE)
def test_whatever_is_believed_there_is_an_answer(name: str) -> None:
    recording = recording_of(name)
    seats = tuple(range(1, len(recording.began.seats) + 1))
    hands = list(hands_of(recording))
    for hand in hands[-2:]:
        answer = asked(recording, Moment(hand, None, "public", seats))
        told = {seat: (low, high) for seat, low, high in spans(answer)}
        for seat, low, high in spans(asked(recording, Moment(hand, None, "public"))):
            assert low <= told[seat][0] <= told[seat][1] <= high


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", READABLE)
def test_what_is_seen_bounds_what_is_true_at_every_event(name: str) -> None:
    recording = recording_of(name)
    for hand, seqs in hands_of(recording).items():
        for at in (*seqs, None):
            check_inside(recording, hand, at)
