"""What a view does not see is never told as an error; what is revealed later settles it (`report.md` 1 and 4)."""

import json

import pytest
from hypothesis import given, settings

from recorder import intake
from replay import desk
from replay.audit.sight import redact
from schemas.events import Recording
from tests.walks.bura import Habits, Json, to_bytes
from tests.walks.drawn import walks

FACED = ("dealt", "drew", "played")


def views_of(events: list[Json]) -> list[str]:
    return ["public", *(f"seat:{seat}" for seat in range(1, len(events[0]["seats"]) + 1))]


def redacted(events: list[Json], view: str) -> list[Json]:
    recording = intake.read(to_bytes(events))
    assert isinstance(recording, Recording)
    seen = redact(recording, view, desk.house_of(recording).rules)
    return [json.loads(line) for line in seen.lines]


def revealed(seen: list[Json], whole: list[Json]) -> list[Json]:
    """The view's recording with every face told before its hand ends."""
    made: list[Json] = []
    due: list[tuple[int, list[str]]] = []
    for event, full in zip(seen, whole, strict=True):
        if event["type"] == "hand_ended":
            for seq, cards in due:
                made.append({"type": "revealed", "of": seq, "cards": cards, "seq": len(made)})
            due = []
        if event["type"] in FACED and "??" in event["cards"]:
            due.append((len(made), full["cards"]))
        made.append({**event, "seq": len(made)})
    made[-1]["events"] = len(made)
    return made


@settings(max_examples=60)
@given(walks(most_hands=3))
def test_a_clean_evening_is_no_error_in_any_view(events: list[Json]) -> None:
    for view in views_of(events):
        told = desk.verify(to_bytes(events), view=view)
        assert [finding for finding in told["findings"] if finding["severity"] == "error"] == []
        doubts = [finding for finding in told["findings"] if finding["severity"] == "doubt"]
        assert told["verdict"] == ("undecided" if doubts else "verified")
        assert {finding["code"] for finding in doubts} <= {"table/unknown-card"}


@settings(max_examples=40)
@given(walks(most_hands=2))
def test_the_true_values_lie_within_what_a_view_says(events: list[Json]) -> None:
    whole = desk.verify(to_bytes(events))
    for view in ("public", "seat:1"):
        told = desk.verify(to_bytes(events), view=view)
        for true, seen in zip(whole["hands"], told["hands"], strict=True):
            for key in ("reason", "takers", "pot", "pot_after", "trump"):
                assert seen[key] in (None, true[key])
            for seat, row in seen["seats"].items():
                low, high = row["points"]["low"], row["points"]["high"]
                assert low <= true["seats"][seat]["points"]["low"] <= high
                assert row["net_due"] in (None, true["seats"][seat]["net_due"])
            for trick, real in zip(seen["tricks"], true["tricks"], strict=True):
                assert trick["taker"] in (None, real["taker"])
                assert trick["points"]["low"] <= real["points"]["low"] <= trick["points"]["high"]


@settings(max_examples=40)
@given(walks(most_hands=2, habits=Habits(moves=0)))
def test_with_everything_revealed_later_it_is_verified_again(events: list[Json]) -> None:
    for view in ("public", "seat:2"):
        told = desk.verify(to_bytes(revealed(redacted(events, view), events)))
        assert told["verdict"] == "verified", told["findings"]


@settings(max_examples=25)
@given(walks(most_hands=2))
def test_uploading_a_views_export_gives_that_views_report(events: list[Json]) -> None:
    for view in views_of(events)[:2]:
        assert desk.verify(to_bytes(redacted(events, view))) == desk.verify(to_bytes(events), view=view)


HAND: list[Json] = [
    {"type": "stake_set", "amount": 10},
    {"type": "hand_began", "hand": 1, "dealer": 2},
    {"type": "staked", "seat": 1, "amount": 10, "why": "ante"},
    {"type": "staked", "seat": 2, "amount": 10, "why": "ante"},
    {"type": "dealt", "seat": 1, "cards": ["??", "??", "??"]},
    {"type": "dealt", "seat": 2, "cards": ["Td", "Qh", "9h"]},
    {"type": "trump_turned", "card": "6c"},
    {"type": "played", "seat": 1, "cards": ["As", "??", "Ts"], "face": "up"},
    {"type": "played", "seat": 2, "cards": ["Td", "Qh", "9h"], "face": "down"},
    {"type": "opened", "seat": 1},
]
TOOK: list[Json] = [
    {"type": "pot_taken", "seat": 1, "amount": 20},
    {"type": "hand_ended", "reason": "opened"},
]


def recorded(*later: Json) -> Json:
    header: Json = {
        "type": "recording_began",
        "format": "razbor/1",
        "game": "bura",
        "rules": {"preset": "bura/classic-36@1", "options": {"molodka_turn": "in_turn"}},
        "seats": ["Анна", "Борис"],
    }
    lines = [header, *HAND, *later]
    lines.append({"type": "recording_ended", "events": len(lines) + 1})
    report = desk.verify(to_bytes([{**line, "seq": seq} for seq, line in enumerate(lines)]))
    assert report["format"] == "razbor-report/1", report
    return report


def rows(report: Json) -> list[tuple[int, str, str]]:
    return [(finding["seq"], finding["severity"], finding["code"]) for finding in report["findings"]]


def test_an_unseen_card_of_a_lead_is_a_doubt() -> None:
    assert rows(recorded(*TOOK)) == [(8, "doubt", "table/unknown-card")]


@pytest.mark.parametrize(
    ("face", "expected"),
    [
        ("Ks", []),
        ("Kd", [(8, "error", "bura/mixed-suit-lead")]),
        ("Td", [(8, "doubt", "table/unknown-card"), (11, "error", "table/reveal-contradicts")]),
        ("2s", [(8, "doubt", "table/unknown-card"), (11, "error", "table/reveal-contradicts")]),
        ("??", [(8, "doubt", "table/unknown-card")]),
        ("?s", []),
        ("?h", [(8, "error", "bura/mixed-suit-lead")]),
    ],
)
def test_what_is_revealed_later_convicts_the_earlier_event(face: str, expected: list[tuple[int, str, str]]) -> None:
    reveal: Json = {"type": "revealed", "of": 8, "cards": ["As", face, "Ts"]}
    assert rows(recorded(reveal, *TOOK)) == expected
    assert rows(recorded(*TOOK, reveal)) == [(13 if seq == 11 else seq, *rest) for seq, *rest in expected]


def test_a_reveal_of_another_face_than_the_one_seen_contradicts() -> None:
    reveal: Json = {"type": "revealed", "of": 8, "cards": ["Ad", "Ks", "Ts"]}
    assert (11, "error", "table/reveal-contradicts") in rows(recorded(reveal, *TOOK))
