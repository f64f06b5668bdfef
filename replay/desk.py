"""The one bridge between what is written down and what is judged. The clock is the journal's."""

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple

import msgspec

from recorder import intake, rulebook, words
from recorder.decode import BULK, WEB, Limits
from recorder.flow import Flow, flows
from recorder.shares import Share
from replay.audit.amend import Reading, counted
from replay.audit.report import Audit, audit, report
from replay.audit.stream import Stream
from replay.engine.outcome import HandResult
from schemas.events import PlayerJoined, Recording, RecordingBegan
from schemas.problems import Problem, Refusal
from schemas.rules import HouseRules

if TYPE_CHECKING:
    from replay.views.sources import Match

EXIT_OF: Mapping[str, int] = {"verified": 0, "refuted": 1, "undecided": 4}
REFUSED: Final = 3


def house_of(recording: Recording, preset: str | None = None, options: Mapping[str, Any] | None = None) -> HouseRules:
    """The rules a recording names, or others in their place; `rulebook.UnknownRulesError` where there are none such."""
    return _house(recording.began, preset, options)


def _house(began: RecordingBegan, preset: str | None, options: Mapping[str, Any] | None) -> HouseRules:
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
    return audit(_seen(recording, view, house), house, reading)


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


def verify_each(
    data: bytes | BinaryIO | Share,
    *,
    reading: Reading = "amended",
    view: str = "full",
    rules: str | None = None,
    options: Mapping[str, Any] | None = None,
    limits: Limits = BULK,
    language: str = "en",
) -> Iterator["Verified"]:
    """Each recording of a file or a bundle, or of a share of one: who sat there, and the report or the refusal.

    No more is held of a recording than it takes to judge it: of one on which nothing throws a new light later, a
    piece.
    """
    for coming in flows(io.BytesIO(data) if isinstance(data, bytes) else data, limits):
        judged = _judge_in_pieces(coming, rules, options) if view == "full" else None
        if judged is not None:
            yield judged
            continue
        found = coming.read()
        if isinstance(found, Refusal):
            yield Verified({}, refusal(found, language))
        else:
            judged_as = partial(judge, found, view=view, rules=rules, options=options)
            seen = judged_as(reading=reading)
            match = _match(seen.house, partial(iter, seen.results))
            amended = _amended(found, judged_as)
            yield Verified(names_of(found), report(seen), amended, unit_of(found.began), match)


class Verified(NamedTuple):
    """Who sat there, by seat, the report or refusal, the recording's amendments where it has some, its unit, and, of a
    match, the points of every hand.
    """

    names: dict[int, str]
    said: dict[str, Any]
    amended: "Amended | None" = None
    unit: tuple[str, int] = ("", 0)
    match: "Callable[[], Match | None] | None" = None


def _match(house: HouseRules, results: Callable[[], Iterable[HandResult]]) -> "Callable[[], Match | None] | None":
    """How to come by the points of every hand, where they are what is played for."""
    if not house.for_points:
        return None
    from replay.desk_match import match_of  # noqa: PLC0415 - a game for chips needs none of it, and starts quickly

    return lambda: match_of(results(), house)


def unit_of(began: RecordingBegan) -> tuple[str, int]:
    """What the sums of a recording are in, and how many decimals they have (`record.md` 3.1)."""
    return began.unit or "", began.unit_digits or 0


class Amended(msgspec.Struct, frozen=True):
    """The amendments of a recording by number, and its report by any reading."""

    amendments: tuple[int, ...]
    report: Callable[[Reading], dict[str, Any]]


def _amended(recording: Recording, judged: Callable[..., Audit]) -> Amended | None:
    amendments = tuple(each.seq for each in counted(recording.events, "amended"))
    return Amended(amendments, lambda reading: report(judged(reading=reading))) if amendments else None


def _judge_in_pieces(coming: Flow, rules: str | None, options: Mapping[str, Any] | None) -> Verified | None:
    """Who sat there, the report and the unit; None where the recording has to be looked at as a whole."""
    stream: Stream | None = None
    names: dict[int, str] = {}
    unit = "", 0
    for events in coming.batches():
        if stream is None:
            began = events[0]
            assert isinstance(began, RecordingBegan)
            house = _house(began, rules, options)
            if house.unrecorded:
                return None
            stream = Stream(began, house)
            names, unit = dict(enumerate(began.seats, 1)), unit_of(began)
        if PlayerJoined in map(type, events):
            names |= {event.seat: event.name for event in events if isinstance(event, PlayerJoined)}
        if not stream.take(events):
            return None
    if stream is None or not coming.sound:
        return None
    said = stream.report(coming.digest, coming.count)
    return Verified(names, said, None, unit, _match(stream.house, stream.results))


def dispute(
    data: bytes,
    *,
    hand: int,
    at: int | None = None,
    view: str = "full",
    believe: Sequence[int] = (),
    reading: Reading = "amended",
    rules: str | None = None,
    options: Mapping[str, Any] | None = None,
    limits: Limits = WEB,
) -> dict[str, Any]:
    """Bytes to a `razbor-dispute/1`, or to a refusal; `NoSuchMomentError` where there is no such hand or event."""
    from replay.audit import dispute as disputes  # noqa: PLC0415 - a verdict needs none of it, and starts quickly

    found = intake.read(data, limits)
    if isinstance(found, Refusal):
        return refusal(found)
    moment = disputes.Moment(hand, at, view, tuple(believe))
    return disputes.dispute(found, house_of(found, rules, options), moment, reading)


def explain(data: bytes, *, event: int, reading: Reading = "amended", limits: Limits = WEB) -> dict[str, Any]:
    """Bytes to a `razbor-explain/1`, or to a refusal; `NoSuchEventError` where there is no such event."""
    from replay.audit import explain as hypotheses  # noqa: PLC0415 - a verdict needs none of it

    found = intake.read(data, limits)
    if isinstance(found, Refusal):
        return refusal(found)
    return hypotheses.as_data(hypotheses.explain(found, house_of(found), event, reading), found)


def refusal(refused: Refusal, language: str = "en") -> dict[str, Any]:
    """A refusal as plain data (`report.md` 4), its sentences in a language."""
    return {
        "format": "razbor-refusal/1",
        "problems": [_problem(each, language) for each in refused.problems],
    }


def _problem(problem: Problem, language: str) -> dict[str, Any]:
    row = {"line": problem.line, "field": problem.field, "code": str(problem.code)}
    column = {"column": problem.column} if problem.column else {}
    return row | column | {"message": words.tell(problem, language)}


def seen_as(recording: Recording, view: str) -> bytes:
    """The file of a recording as a viewer could have written it; its upload gives that view's report."""
    return b"".join(line + b"\n" for line in _seen(recording, view, house_of(recording)).lines)


def _seen(recording: Recording, view: str, house: HouseRules) -> Recording:
    if view == "full":
        return recording
    from replay.audit.sight import redact  # noqa: PLC0415 - the whole view needs none of it, and starts quickly

    return redact(recording, view, house.rules)


def names_of(recording: Recording) -> dict[int, str]:
    """By seat: who sat there last."""
    joined: dict[int, str] = {event.seat: event.name for event in recording.events if isinstance(event, PlayerJoined)}
    return {**dict(enumerate(recording.began.seats, 1)), **joined}


def exit_code(result: Mapping[str, Any]) -> int:
    """The exit code of `verify` for a report or a refusal (`report.md` 2)."""
    if result["format"] == "razbor-refusal/1":
        return REFUSED
    return EXIT_OF[result["verdict"]]
