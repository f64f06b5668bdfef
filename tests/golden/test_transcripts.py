"""Both games, told event by event, are told today as they were told when somebody looked."""

import pytest

from replay.engine.findings import Code
from replay.views.transcript import hands_of, transcript
from schemas.events import Corrected, Inserted
from tests.golden.transcripts import HERE, NAMES, NOT_OF_A_GAME, covered, golden_path, judged, told, wanted

AGAIN = "python -m tests.golden"


@pytest.mark.parametrize("name", NAMES)
def test_transcript_is_the_golden_one(name: str) -> None:
    path = golden_path(name)
    assert path.is_file(), f"no transcript yet: {AGAIN}"
    golden = path.read_text(encoding="utf-8").split("\n")[:-1]
    now = told(name)
    for place, (line, was) in enumerate(zip(now, golden, strict=False), 1):
        assert line == was, f"{path.name}:{place}; if it is right now: {AGAIN}"
    assert len(now) == len(golden)


def test_golden_transcripts_cover_everything() -> None:
    missing = wanted() - set().union(*(covered(name) for name in NAMES))
    assert not missing, f"no golden transcript has {sorted(missing)}"


@pytest.mark.parametrize("name", NAMES)
def test_each_transcript_shows_what_it_covers(name: str) -> None:
    text = "\n".join(told(name))
    assert [each for each in sorted(covered(name)) if each not in text] == []


def test_no_transcript_is_left_over() -> None:
    assert sorted(path.name for path in HERE.glob("*.txt")) == sorted(golden_path(name).name for name in NAMES)


def test_what_is_left_out_is_of_the_journal() -> None:
    assert {code.split("/")[0] for code in NOT_OF_A_GAME} == {"log"}
    assert {str(code) for code in Code if code.startswith("log/")} == set(NOT_OF_A_GAME)


@pytest.mark.parametrize("name", NAMES)
def test_every_event_is_told_once(name: str) -> None:
    found = judged(name)
    told_of = [line.event.seq for line in transcript(found)]
    struck = {event.of for event in found.recording.events if isinstance(event, Corrected) and not event.event}
    inserted = {event.seq for event in found.recording.events if isinstance(event, Inserted)}
    assert sorted(set(told_of)) == [event.seq for event in found.recording.events if event.seq not in struck]
    assert sorted(seq for seq in set(told_of) if told_of.count(seq) > 1) == sorted(inserted)


@pytest.mark.parametrize("name", NAMES)
def test_every_finding_is_told_at_its_event(name: str) -> None:
    found = judged(name)
    told_of = [finding for line in transcript(found) for finding in line.findings]
    assert sorted(map(repr, told_of)) == sorted(map(repr, found.findings))
    assert all(finding.seq == line.event.seq for line in transcript(found) for finding in line.findings)


def test_one_hand_is_told_alone() -> None:
    found = judged("bourre/session-06")
    (_, second) = hands_of(found.events)[1]
    lines = list(transcript(found, second))
    assert lines
    assert {line.hand for line in lines} == {second}
    whole = [line.text for line in transcript(found) if line.hand == second]
    assert [line.text for line in lines] == whole


def test_a_transcript_stops_where_it_is_asked_to() -> None:
    found = judged("bura/clean-03")
    assert [line.event.seq for line in transcript(found, at=12)] == list(range(13))
