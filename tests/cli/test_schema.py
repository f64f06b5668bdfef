"""Everything Razbor reads and says validates against what `razbor schema` prints."""

import copy
import gzip
import json
from typing import Any

import pytest

from replay import desk
from schemas import jsonschema
from tests.check_cases import case_names, expectation, recording_path
from tests.fits import wrong, wrong_in_full

Json = dict[str, Any]


def lines_of(name: str) -> list[Json]:
    data = recording_path(name).read_bytes()
    text = (gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data).decode("utf-8-sig")
    return [json.loads(line) for line in text.split("\n") if line.strip()]


READABLE = [name for name in case_names() if expectation(name).get("exit") != desk.REFUSED]
REFUSED = [name for name in case_names() if expectation(name).get("exit") == desk.REFUSED]


@pytest.mark.parametrize("name", READABLE)
def test_recording_fits_its_schema(name: str) -> None:
    recorded = lines_of(name)
    assert wrong("recording", recorded) == []


@pytest.mark.parametrize("name", [*READABLE, *REFUSED])
def test_answer_fits_its_schema(name: str) -> None:
    answer = desk.verify(recording_path(name).read_bytes())
    kind = "refusal" if name in REFUSED else "report"
    assert wrong(kind, json.loads(json.dumps(answer))) == []


DISPUTES = [(name, place) for name in case_names() for place, _ in enumerate(expectation(name).get("disputes", []))]


@pytest.mark.skipif(not hasattr(desk, "dispute"), reason="the desk answers no dispute yet")
@pytest.mark.parametrize(("name", "place"), DISPUTES)
def test_dispute_fits_its_schema(name: str, place: int) -> None:
    asked = expectation(name)["disputes"][place]["args"]
    answer = desk.dispute(recording_path(name).read_bytes(), **asked)
    assert wrong("dispute", json.loads(json.dumps(answer))) == []


@pytest.mark.parametrize("name", REFUSED)
def test_one_schema_takes_anything_razbor_says(name: str) -> None:
    assert wrong(None, desk.verify(recording_path(name).read_bytes())) == []
    assert wrong(None, desk.verify(recording_path("bura/rule-open-31").read_bytes())) == []
    assert wrong(None, lines_of("bura/rule-open-31")[3]) == []


def test_both_validators_take_what_fits() -> None:
    """The first event of each type of each game, and for each kind of answer the shortest."""
    events = {(name[:4], line["type"]): line for name in reversed(READABLE) for line in reversed(lines_of(name))}
    assert len(events) > 40
    assert [wrong_in_full("event", event) for event in events.values()] == [[]] * len(events)
    for kind, names in (("report", READABLE), ("refusal", REFUSED)):
        said = [json.loads(json.dumps(desk.verify(recording_path(name).read_bytes()))) for name in names]
        assert wrong_in_full(kind, min(said, key=lambda one: len(str(one)))) == []
    name, place = DISPUTES[0]
    disputed = desk.dispute(recording_path(name).read_bytes(), **expectation(name)["disputes"][place]["args"])
    assert wrong_in_full("dispute", json.loads(json.dumps(disputed))) == []


# A schema that takes everything would prove nothing: each of these changes must be told.

EVENT_CHANGES: list[tuple[int, Json]] = [
    (0, {"format": "razbor/2"}),
    (0, {"seats": ["Anna"]}),
    (0, {"rules": {"preset": "bura/classic-36@1", "options": {"molodka_turn": "never"}}}),
    (0, {"rules": {"preset": "bura/classic-36@1", "options": {"tempo": 1}}}),
    (1, {"surprise": 1}),
    (1, {"amount": 1.5}),
    (1, {"note": None}),
    (2, {"hand": "1"}),
    (5, {"cards": ["Xh", "Kh", "6c"]}),
]


@pytest.mark.parametrize(("line", "change"), EVENT_CHANGES)
def test_a_bad_line_does_not_fit(line: int, change: Json) -> None:
    recorded = lines_of("bura/rule-open-31")
    assert wrong("event", recorded[line]) == []
    assert wrong("event", recorded[line] | change)


def test_private_fields_fit() -> None:
    assert wrong("event", lines_of("bura/rule-open-31")[1] | {"x_camera": 3}) == []


REPORT_CHANGES: list[Json] = [
    {"verdict": "guilty"},
    {"engine": 1},
    {"balances": {}},
    {"path": "/somewhere"},
    {"findings": [{"code": "table/unheard-of"}]},
]


@pytest.mark.parametrize("change", REPORT_CHANGES)
def test_a_bad_report_does_not_fit(change: Json) -> None:
    said = desk.verify(recording_path("bura/rule-open-31").read_bytes())
    assert wrong("report", said | change)


def test_bura_and_bourre_options_are_told_apart() -> None:
    header = copy.deepcopy(lines_of("bura/rule-open-31")[0])
    header["rules"] = {"preset": "bura/classic-36@1", "options": {"lead_duty": "free"}}
    assert wrong("event", header)


def test_an_unheard_of_schema_is_an_error() -> None:
    with pytest.raises(KeyError):
        jsonschema.schema([], "receipt")
