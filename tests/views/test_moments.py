"""What a step tells is what an audit of the recording up to it tells; what was legal is what the laws say."""

from pathlib import Path

import pytest

from recorder import intake
from replay import desk
from replay.audit.amend import read
from replay.audit.moments import AT_THE_END, Moments, cuts_of
from replay.audit.report import audit
from replay.audit.sight import redact
from replay.desk_seen import spans_of
from replay.engine.findings import Severity
from schemas.events import Played, Recording
from tests.engine.bourre.hands import Script
from tests.walks.bura import to_bytes

CASES = Path(__file__).parents[1] / "cases"
CHOSEN = (
    "bura/clean-02", "bura/dispute-open-01", "bura/dispute-word-candidates", "bourre/redacted-proved-1",
    "bourre/head-with-jack", "bourre/tie-five-of-six", "bourre/session-05", "bourre/fault-card-not-held-play",
    "bura/fault-card-twice-drawn", "bura/table-missing-card",
)  # fmt: skip
ORDERS = (*CHOSEN, "bura/table-amended", "bura/rule-open-30-says-31", "bourre/table-joined", "bourre/table-half-known")


def recorded(case: str) -> Recording:
    found = intake.read(next(CASES.glob(f"{case}.*.jsonl")).read_bytes())
    assert isinstance(found, Recording)
    return found


@pytest.mark.parametrize("case", CHOSEN)
@pytest.mark.parametrize("view", ["full", "public", "seat:2"])
def test_the_findings_of_a_step_are_those_of_the_recording_cut_there(case: str, view: str) -> None:
    whole = recorded(case)
    house = desk.house_of(whole)
    cut = cuts_of(whole, view, house, "amended")
    events = tuple(read(redact(whole, view, house.rules).events, "amended"))
    for place in spans_of(events)[:2]:
        moments = Moments(cut, events, house, place.first)
        for at in range(place.first, moments.end, 3):
            judged = audit(redact(whole, view, house.rules, upto=at), house)
            assert list(moments.findings(at)) == [each for each in judged.findings if each.code not in AT_THE_END]


@pytest.mark.parametrize("case", ["bura/clean-02", "bourre/tie-five-of-six", "bourre/head-with-jack"])
def test_a_play_is_among_the_legal_ones_unless_it_is_a_breach(case: str) -> None:
    whole = recorded(case)
    house = desk.house_of(whole)
    cut = cuts_of(whole, "full", house, "amended")
    wrong = {each.seq for each in audit(whole, house).findings if each.severity is Severity.ERROR}
    asked = 0
    for place in spans_of(tuple(whole.events)):
        moments = Moments(cut, whole.events, house, place.first)
        for at in range(place.first, moments.end):
            event, legal = whole.events[at], moments.legal(at)
            if legal is None or not isinstance(event, Played):
                continue
            asked += 1
            if legal.kind == "beat":
                continue  # any cards may go face down
            held = {frozenset(one) for one in legal.sets}
            assert (frozenset(event.cards) in held) == (event.seq not in wrong), event
    assert asked


def test_who_may_not_see_a_hand_is_not_told_what_it_could_have_laid() -> None:
    whole = recorded("bura/clean-02")
    house = desk.house_of(whole)
    events = redact(whole, "public", house.rules).events
    moments = Moments(cuts_of(whole, "public", house, "amended"), events, house, spans_of(events)[0].first)
    first = next(at for at, event in enumerate(events) if isinstance(event, Played))
    assert moments.legal(first) is None


@pytest.mark.parametrize("case", ORDERS)
@pytest.mark.parametrize("view", ["full", "public", "seat:1"])
def test_a_step_tells_the_same_in_whatever_order_steps_are_asked_for(case: str, view: str) -> None:
    whole = recorded(case)
    house = desk.house_of(whole)
    cut = cuts_of(whole, view, house, "amended")
    events = tuple(read(redact(whole, view, house.rules).events, "amended"))
    first = spans_of(events)[0].first

    def told(moments: Moments, at: int) -> object:
        return moments.findings(at), moments.legal(at), [moments.placements(at, seat) for seat in (1, 2)]

    ahead = Moments(cut, events, house, first)
    places = range(first, ahead.end)
    alone = {at: told(Moments(cut, events, house, first), at) for at in places[::4]}
    forth = {at: told(ahead, at) for at in places}
    back = Moments(cut, events, house, first)
    assert forth == {at: told(back, at) for at in reversed(places)}
    assert alone == {at: forth[at] for at in alone}


def test_a_step_knows_nothing_of_the_hand_before() -> None:
    """Who laid five cards in the hand before may fold in this one: what was foreseen of a hand ends with it."""
    script = Script(3)
    script.deal("Ah Kh 2c 3c 4c/2h 3h Ac Kc 2d/4h 5h 5c 6c Ad", "2s")
    script.say("1+ 2+ 3+")
    script.play("1Ah 22h 34h 1Kh 23h 35h 12c 2Ac 35c 2Kc 36c 13c 22d 3?? 14c")
    script.take(1, 15)
    script.take(2, 15)
    script.end("split")
    script.deal("2h 3h Ac Kc 2d/4h 5h 5c 6c Ad/Ah Kh 2c 3c 4c", "2s", dealer=1)
    script.say("2+ 3- 1+")
    script.play("2Ac 12c")
    recording = intake.read(to_bytes(script.events))
    assert isinstance(recording, Recording)
    house = desk.house_of(recording)
    moments = Moments(
        cuts_of(recording, "full", house, "amended"), recording.events, house, spans_of(recording.events)[1].first
    )
    folded = [table.folded_mask() for _, table in moments.steps()]
    assert folded[-1] == 1 << 3
    assert not [each for each in moments.findings(len(recording.events) - 1) if each.severity is Severity.ERROR]
