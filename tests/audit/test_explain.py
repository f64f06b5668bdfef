"""What would make it fit: the undoing of a planted fault is among the hypotheses (`razbor explain`)."""

import json
from functools import cache
from typing import Any

import pytest

from recorder import intake
from replay import desk
from replay.audit import explain as hypotheses
from replay.audit.edits import Edit, edited
from replay.audit.explain import Explanation, NoSuchEventError, as_data
from schemas.events import Played, Recording
from schemas.values import Seat
from tests.check_cases import case_names, expectation, recording_path
from tests.fits import wrong
from tests.walks.bura import to_bytes
from tests.walks.script import START, made

Json = dict[str, Any]
UNDONE: list[tuple[str, int, int, str, Any]] = [
    ("bourre/fault-card-not-held-play", 58, 58, "cards", "Td"),
    ("bourre/fault-card-twice-dealt", 8, 8, "cards", "Qc"),
    ("bourre/fault-folded-late-draw", 67, 67, "event", None),
    ("bourre/fault-missing-stake-ante", 64, 63, "event", {"seat": 6, "amount": 6, "why": "ante"}),
    ("bourre/fault-pot-miscounted", 42, 42, "amount", 0),
    ("bourre/fault-rule-unrecorded-tie", 45, 0, "rules.tie", "split"),
    ("bourre/fault-wrong-count-drew", 102, 102, "cards", "8s"),
    ("bourre/fault-wrong-count-drew", 109, 102, "cards", "8s"),
    ("bourre/fault-wrong-payout-split", 124, 124, "amount", 77),
    ("bourre/fault-wrong-stake-bourre", 51, 51, "amount", 98),
    ("bourre/fault-wrong-turn-play", 64, 64, "after", 65),
    ("bura/fault-ante-too-small", 5, 5, "amount", 10),
    ("bura/fault-card-not-held-played", 20, 20, "cards", "Kc"),
    ("bura/fault-card-twice-drawn", 23, 23, "cards", "7d"),
    ("bura/fault-count-said-wrong", 65, 65, "points", 36),
    ("bura/fault-face-up-without-beating", 25, 25, "face", "down"),
    ("bura/fault-molodka-rule-unrecorded", 9, 0, "rules.molodka_turn", "out_of_turn"),
    ("bura/fault-takes-less-than-the-pot", 43, 43, "amount", 30),
    ("bura/fault-trick-given-to-another", 20, 20, "seat", 2),
    ("bura/fault-wrong-dealer", 21, 21, "dealer", 1),
]
"""Case, event asked about, and the change that undoes the planted fault."""


def read(data: bytes) -> Recording:
    found = intake.read(data)
    assert isinstance(found, Recording)
    return found


@cache
def of_case(name: str, seq: int) -> Explanation:
    """Several tests ask of the same event of the same case, and the answer is always the same: see below."""
    return explained(read(recording_path(name).read_bytes()), seq)


def explained(recording: Recording, seq: int) -> Explanation:
    said = hypotheses.explain(recording, desk.house_of(recording), seq)
    assert wrong("explain", json.loads(json.dumps(as_data(said, recording)))) == []
    return said


@pytest.mark.parametrize(("name", "asked", "seq", "field", "instead"), UNDONE)
def test_a_planted_fault_is_undone(name: str, asked: int, seq: int, field: str, instead: Any) -> None:
    said = of_case(name, asked)
    whole = [one for one in said.hypotheses if one.fields == 1 and not one.left]
    changes = [edit for one in whole for edit in one.edits if (edit.seq, edit.field) == (seq, field)]
    assert any(value == instead for edit in changes for value in (edit.instead, *edit.also))


FAULTS = [name for name in case_names() if "/fault-" in name and expectation(name).get("exit") != desk.REFUSED]


@pytest.mark.parametrize("name", FAULTS)
def test_a_hypothesis_takes_away_what_was_found_and_names_every_error_it_brings(name: str) -> None:
    """Judged anew as a whole recording, where the change is of an event's own fields."""
    recording = read(recording_path(name).read_bytes())
    before = desk.judge(recording)
    errors = [each for each in before.findings if each.severity == "error"]
    if not errors:
        return
    said = of_case(name, errors[0].seq)
    assert len(said.hypotheses) <= 5
    assert [one.fields for one in said.hypotheses] == sorted(one.fields for one in said.hypotheses)
    known = {(each.seq, each.code) for each in errors}
    for one in said.hypotheses:
        if any(edit.field in ("after", "event") or edit.field.startswith("rules.") for edit in one.edits):
            continue
        after = desk.judge(rewritten(recording, one.edits))
        found = {(e.seq, e.code) for e in after.findings if e.severity == "error" and e.hand == said.hand}
        assert not {(seq, code) for seq, code in found if seq == errors[0].seq}
        assert sorted((seq, str(code)) for seq, code in found & known) == list(one.left)
        assert sorted((seq, str(code)) for seq, code in found - known) == list(one.new)


def rewritten(recording: Recording, edits: tuple[Edit, ...]) -> Recording:
    """The recording as it would be with these changes written into it."""
    events = edited(recording.events, edits)
    lines = [json.loads(line) for line in recording.lines]
    for place, event in enumerate(events):
        for edit in edits:
            if edit.seq == event.seq:
                name = "card" if edit.field == "card" else edit.field
                value = getattr(event, name)
                lines[place][name] = list(value) if isinstance(value, tuple) else value
    return read(to_bytes(lines))


def test_two_cards_that_changed_places_are_put_back() -> None:
    """Each of the two plays names the card that the other seat laid."""
    events = made(
        *START,
        "deal 1 As Ks Ts", "deal 2 Ah Kh 6c", "turn 6d",
        "up 1 Ah", "down 2 As", "trick_taken 1",
    )  # fmt: skip
    said = explained(read(to_bytes(events)), 8)
    pairs = {tuple((e.seq, e.place, e.instead) for e in one.edits) for one in said.hypotheses}
    assert ((8, 1, "As"), (9, 1, "Ah")) in pairs


def test_nothing_found_needs_no_hypothesis() -> None:
    said = explained(read(recording_path("bura/clean-01").read_bytes()), 10)
    assert (said.found, said.hypotheses, said.cut) == ((), (), False)


def test_an_event_that_is_not_there() -> None:
    recording = read(recording_path("bura/clean-01").read_bytes())
    with pytest.raises(NoSuchEventError):
        hypotheses.explain(recording, desk.house_of(recording), 10_000)


@pytest.mark.parametrize("event", ["turn 6d", "up 1 As", "deal 1 As Ks Ts", "draw 1 As", "counted 1 31 As"])
def test_an_event_that_stands_in_no_hand(event: str) -> None:
    said = explained(read(to_bytes(made(event, "stake_set 10", closed=False))), 1)
    assert [str(each.code) for each in said.found] == ["table/out-of-place"]
    assert all(one.edits for one in said.hypotheses)


def test_what_only_a_gap_of_the_record_shows_is_looked_for_within_its_hand() -> None:
    """Under the rules of another pack two lines that changed places leave a draw open, and with it what is found."""
    lines = [json.loads(line) for line in recording_path("bura/accept-crlf").read_bytes().splitlines()]
    lines[20], lines[21] = lines[21], lines[20]
    recording = read(to_bytes([{**line, "seq": seq} for seq, line in enumerate(lines)]))
    house = desk.house_of(recording, "bura/classic-32@1")
    for each in desk.judge(recording, rules="bura/classic-32@1").findings:
        assert hypotheses.explain(recording, house, each.seq).seq == each.seq


def test_a_card_too_many_and_one_more() -> None:
    event = Played(seq=5, seat=Seat(1), cards=("As", "Ks"), face="up")
    assert edited([event], [Edit(5, "played", "cards", 1, "As", None)])[0].cards == ("Ks",)  # type: ignore[union-attr]
    more = edited([event], [Edit(5, "played", "cards", 3, None, "6h")])[0]
    assert more.cards == ("As", "Ks", "6h")  # type: ignore[union-attr]


def test_the_same_recording_is_always_explained_alike() -> None:
    name = "bourre/fault-wrong-count-drew"
    assert explained(read(recording_path(name).read_bytes()), 102) == of_case(name, 102)


@cache
def smallest_by_code() -> dict[str, tuple[str, int]]:
    """Each error that any case has, with the shortest recording of it and the event where it stands first."""
    cases = [name for name in case_names() if expectation(name)["exit"] == desk.EXIT_OF["refuted"]]
    chosen: dict[str, tuple[str, int]] = {}
    for name in sorted(cases, key=lambda name: recording_path(name).stat().st_size):
        for each in desk.verify(recording_path(name).read_bytes())["findings"]:
            if each["severity"] == "error":
                chosen.setdefault(each["code"], (name, each["seq"]))
    return chosen


NOTHING_FITS = {
    "bura/may-not-open": "opening, number and chips are all written under the seat that had no right to them",
    "bura/mixed-suit-lead": "the card stands in a third event, the pile counted by its cards",
    "table/wrong-card-count": "the pile was counted by its cards, without the one that lacks",
}
"""What no two fields explain in the case at hand: the hypotheses say which errors would stand instead."""


@pytest.mark.parametrize(("code", "at"), smallest_by_code().items(), ids=lambda value: value if "/" in value else "")
def test_every_error_that_the_cases_reach_has_a_hypothesis(code: str, at: tuple[str, int]) -> None:
    name, seq = at
    said = of_case(name, seq)
    assert said.hypotheses
    assert any((seq, code) not in one.left for one in said.hypotheses)
    assert bool(said.hypotheses[0].new) == (code in NOTHING_FITS)


def test_the_cases_reach_most_errors() -> None:
    assert len(smallest_by_code()) >= 30
