"""The one bridge between what is written down and what is judged, and the only clock."""

from collections.abc import Mapping
from typing import Any

from recorder import intake, rulebook
from recorder.decode import WEB, Limits
from replay.audit.amend import Reading
from replay.audit.report import Audit, audit, report
from replay.audit.sight import redact
from schemas.events import Recording
from schemas.problems import Refusal
from schemas.rules import HouseRules

EXIT_OF: Mapping[str, int] = {"verified": 0, "refuted": 1, "undecided": 4}
REFUSED = 3


def house_of(recording: Recording, preset: str | None = None, options: Mapping[str, Any] | None = None) -> HouseRules:
    """The rules a recording names, or others in their place; `rulebook.UnknownRulesError` where there are none such."""
    began = recording.began
    recorded = rulebook.house_rules(began.game, began.rules.preset, began.rules.options)
    return rulebook.judged_by(recorded, preset, options) if preset or options else recorded


def judge(
    recording: Recording,
    *,
    reading: Reading = "amended",
    view: str = "full",
    rules: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> Audit:
    """A recording judged, after redaction to a view (`report.md` 4)."""
    house = house_of(recording, rules, options)
    seen = redact(recording, view, house.rules)
    return audit(seen, house, reading)


def verify(
    data: bytes,
    *,
    reading: Reading = "amended",
    view: str = "full",
    rules: str | None = None,
    options: Mapping[str, Any] | None = None,
    limits: Limits = WEB,
) -> dict[str, Any]:
    """Bytes to a `razbor-report/1`, or to a `razbor-refusal/1` that lists every problem."""
    found = intake.read(data, limits)
    if isinstance(found, Refusal):
        return refusal(found)
    return report(judge(found, reading=reading, view=view, rules=rules, options=options))


def refusal(refused: Refusal) -> dict[str, Any]:
    """A refusal as plain data (`report.md` 4)."""
    return {
        "format": "razbor-refusal/1",
        "problems": [
            {"line": each.line, "field": each.field, "code": str(each.code), "message": ""} for each in refused.problems
        ],
    }


def exit_code(result: Mapping[str, Any]) -> int:
    """The exit code of `verify` for a report or a refusal (`report.md` 2)."""
    if result["format"] == "razbor-refusal/1":
        return REFUSED
    return EXIT_OF[result["verdict"]]
