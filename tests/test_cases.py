"""Every recorded case: the verdict, the findings, the hands, the sums and the disputes it claims."""

import copy
from collections.abc import Callable

import pytest

from tests.check_cases import Json, case_names, complaints, dispute_complaints, recording_path, report_complaints


@pytest.mark.parametrize("name", case_names())
def test_case_holds(name: str) -> None:
    found = complaints(name)
    assert not found, "\n" + "\n".join([recording_path(name).name, *found])


def test_the_cases_are_all_here() -> None:
    names = case_names()
    assert sum(name.startswith("bura/") for name in names) == 121
    assert sum(name.startswith("bourre/") for name in names) == 91
    assert all(recording_path(name).is_file() for name in names)


# The checker itself can complain: a report that fits its claims, and the same report with one thing changed.

CLAIMED: Json = {
    "exit": 1,
    "verdict": "refuted",
    "first_error": {"seq": 7, "seq_to": 9, "codes": ["table/wrong-turn"]},
    "error_count": 1,
    "all_errors": [[8, "table/wrong-turn"]],
    "error_codes": ["table/wrong-turn"],
    "doubt_codes": [],
    "note_codes": ["table/not-closed"],
    "hands": [
        {
            "hand": 2,
            "reason": "split",
            "takers": [2, 1],
            "pot_before": 0,
            "pot": 20,
            "pot_after": 0,
            "net_due": {"1": -10},
            "points": {"1": {"low": 0, "high": 11}},
        }
    ],
    "balances_due": {"1": -10},
}
REPORT: Json = {
    "format": "razbor-report/1",
    "verdict": "refuted",
    "findings": [
        {"seq": 8, "code": "table/wrong-turn", "severity": "error"},
        {"seq": 9, "code": "table/not-closed", "severity": "note"},
    ],
    "hands": [
        {
            "hand": 2,
            "reason": "split",
            "takers": [1, 2],
            "pot_before": 0,
            "pot": 20,
            "pot_after": 0,
            "seats": {"1": {"net_due": -10, "points": {"low": 0, "high": 11}}},
        }
    ],
    "balances": {"due": {"1": -10}},
}
CHANGES: list[Callable[[Json], object]] = [
    lambda report: report.update(verdict="verified"),
    lambda report: report["findings"][0].update(seq=10),
    lambda report: report["findings"][0].update(severity="doubt"),
    lambda report: report["findings"][0].update(code="table/out-of-place"),
    lambda report: report["findings"].append({"seq": 20, "code": "table/overdrawn", "severity": "error"}),
    lambda report: report["findings"].append({"seq": 20, "code": "table/unknown-card", "severity": "doubt"}),
    lambda report: report["findings"].pop(),
    lambda report: report["hands"].clear(),
    lambda report: report["hands"][0].update(reason="carried"),
    lambda report: report["hands"][0].update(takers=None),
    lambda report: report["hands"][0].update(takers=[1]),
    lambda report: report["hands"][0].update(pot=None),
    lambda report: report["hands"][0].update(pot_before=1),
    lambda report: report["hands"][0].update(pot_after=1),
    lambda report: report["hands"][0]["seats"]["1"].update(net_due=None),
    lambda report: report["hands"][0]["seats"]["1"].update(points={"low": 0, "high": 10}),
    lambda report: report["balances"]["due"].clear(),
    lambda report: report.update(format="razbor-refusal/1", problems=[]),
]


def test_a_fitting_report_has_no_complaint() -> None:
    assert list(report_complaints(CLAIMED, REPORT)) == []


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_report_is_complained_about(change: Callable[[Json], object]) -> None:
    report = copy.deepcopy(REPORT)
    change(report)
    assert list(report_complaints(CLAIMED, report))


@pytest.mark.parametrize("told", [{"line": 5}, {"field": "card"}, {"code": "bad-card"}])
def test_a_problem_told_otherwise_is_complained_about(told: Json) -> None:
    problem = {"line": 4, "field": "amount", "code": "not-an-integer"}
    claimed = {"exit": 3, "problems": [problem]}
    refusal = {"format": "razbor-refusal/1", "problems": [problem]}
    assert list(report_complaints(claimed, refusal)) == []
    assert list(report_complaints(claimed, {**refusal, "problems": [{**problem, **told}]}))


@pytest.mark.parametrize(
    "told",
    [
        {"answer": "must"},
        {"points": {"low": 6, "high": 39}},
        {"opened_at": 30},
        {"entitled_at": [11]},
        {"settled_by": [[2]]},
    ],
)
def test_a_dispute_answered_otherwise_is_complained_about(told: Json) -> None:
    entry = {"answer": "open", "opened_at": None, "entitled_at": [11, 21], "settled_by": [[3, 2]]}
    claimed = {"seats": {"1": {"low": 6, "high": 38, **entry}}, "rightful": [], "contradictions": []}
    answer: Json = {"seats": {"1": {"points": {"low": 6, "high": 38}, **entry}}, "rightful": {"seats": []}}
    assert list(dispute_complaints(claimed, answer)) == []
    assert list(dispute_complaints(claimed, {**answer, "seats": {"1": {**answer["seats"]["1"], **told}}}))
    assert list(dispute_complaints(claimed, {**answer, "rightful": {"seats": [1]}}))
    assert list(dispute_complaints(claimed, {**answer, "contradictions": [{"seat": 2, "seq": 9}]}))
