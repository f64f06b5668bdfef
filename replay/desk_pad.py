"""What the pad shows: a table as it stands with what is not yet confirmed, judged as if it were already written."""

from collections.abc import Mapping, Sequence
from typing import Any

from recorder import intake
from recorder.rows import Entry
from replay import desk
from replay.audit.amend import read
from replay.audit.expect import expected, now
from replay.audit.report import audit, finding_row
from replay.desk_confirm import confirmations
from replay.desk_live import TableDesk
from replay.desk_match import match_so_far
from replay.views.pad import PadSource
from schemas import wire
from schemas.events import Corrected, Recording, RecordingEnded
from schemas.problems import Problem, Refusal, refuse

NOBODYS: str = "0" * 64
"""The digest of what is not written yet."""


def with_draft(whole: Recording, draft: Sequence[Mapping[str, Any]]) -> Recording | Refusal:
    """The recording with events at its end that are not stored; the line of each problem counts these from 1."""
    ended = any(isinstance(event, RecordingEnded) for event in whole.events)
    course = intake.Continuation(whole.events, finished=ended)
    events, lines, problems = list(whole.events), list(whole.lines), []
    for place, given in enumerate(draft, 1):
        found = course.take(given)
        if isinstance(found, tuple):
            problems += [Problem(place, flaw.field, flaw.code, flaw.args) for flaw in found]
        else:
            events.append(found.event)
            lines.append(found.line)
    if problems:
        return refuse(problems)
    complete = ended or any(isinstance(event, RecordingEnded) for event in events)
    return Recording(tuple(events), tuple(lines), NOBODYS, complete)


def pad_source(
    tables: TableDesk,
    entry: Entry,
    draft: Sequence[Mapping[str, Any]],
    id_: str,
    *,
    notice: str = "",
    chosen: int | None = None,
) -> PadSource | Refusal:
    """The table with its draft, or why the draft cannot be recorded."""
    whole = tables.journal.load(entry.key).recording
    found = with_draft(whole, draft)
    if isinstance(found, Refusal):
        return found
    house = desk.house_of(found)
    at = now(read(found.events, "amended"), house)
    judged = audit(found, house)
    return PadSource(
        key=entry.key,
        game=entry.game,
        names=desk.names_of(found),
        at=at,
        steps=() if found.complete else expected(at, len(found.events)),
        events=tuple(wire.object_of(event) for event in found.events),
        version=len(whole.events),
        draft=draft,
        findings=tuple(finding_row(finding) for finding in judged.findings),
        writers=tables.writers(entry.key),
        ended=found.complete,
        id=id_,
        holds=tables.roles.holds(entry.key),
        notice=notice,
        chosen=chosen,
        corrected=frozenset(event.of for event in found.events if isinstance(event, Corrected)),
        confirmed=confirmations(tables, entry),
        match=match_so_far(judged.results, judged.events, house),
    )


def standing(whole: Recording, given: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the first of these events is recorded already, by its id."""
    known = {event.id for event in whole.events if event.id}
    id_ = given[0].get("id") if given else None
    return isinstance(id_, str) and id_ in known
