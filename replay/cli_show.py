"""`razbor show`: one game as text, or each step of it as data."""

from typing import Any

import msgspec

from recorder import intake
from recorder.sheet_write import write_sheet
from replay import desk
from replay.audit.amend import Reading
from replay.audit.report import finding_row
from replay.cli_sources import Source
from replay.cli_verify import REFUSED, check_reading, check_view, refused
from replay.cli_words import MistypedError, line, put
from replay.views.transcript import Line, hands_of, transcript
from schemas.events import Recording
from schemas.problems import Refusal


def one(file: str, lang: str, as_json: bool) -> Recording | None:
    """The one recording of a file; None where it cannot be read, which is told."""
    found = list(intake.read_bundle(Source(file).read()))
    if len(found) > 1:
        raise MistypedError("one_game", name=file)
    if isinstance(found[0], Refusal):
        refused(file, found[0], lang, as_json)
        return None
    return found[0]


def show(file: str, lang: str, as_json: bool, *, hand: int | None, at: int | None, view: str, reading: Reading) -> int:
    """Prints a game event by event; the exit code is 3 where the file cannot be read."""
    recording = one(file, lang, as_json)
    if recording is None:
        return REFUSED
    check_view(view, desk.names_of(recording))
    check_reading(reading, len(recording.events))
    judged = desk.judge(recording, reading=reading, view=view)
    numbers = [number for _, number in hands_of(judged.events)]
    if hand is not None and hand not in numbers:
        raise MistypedError("no_hand", hand=hand, choices=", ".join(map(str, numbers)))
    if at is not None and at >= len(recording.events):
        raise MistypedError("no_event", at=at, last=len(recording.events) - 1)
    for each in transcript(judged, hand, at):
        put(line(step_row(each)) if as_json else "\n".join(each.text))
    return 0


def show_sheet(file: str, lang: str, view: str) -> int:
    """Prints every recording of a file as a score sheet; the exit code is 3 where the file cannot be read."""
    found = intake.read_all(Source(file).read(), intake.BULK)
    if isinstance(found, Refusal):
        return refused(file, found, lang, as_json=False)
    seen = []
    for recording in found:
        check_view(view, desk.names_of(recording))
        seen.append(intake.read(desk.seen_as(recording, view), intake.BULK) if view != "full" else recording)
    put(write_sheet([each for each in seen if isinstance(each, Recording)], lang).removesuffix("\n"))
    return 0


def step_row(step: Line) -> dict[str, Any]:
    """One step as plain data: the event, its hand, the table after it, what was found there."""
    row = {"event": step.event, "hand": step.hand or None, "table": step.table}
    plain: dict[str, Any] = msgspec.to_builtins(row)
    return plain | {"findings": [finding_row(each) for each in step.findings]}
