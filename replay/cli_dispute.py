"""`razbor dispute`: who really had what in one hand, with the sums a person can check with a pencil."""

from collections.abc import Mapping, Sequence
from typing import Any

from recorder.decode import BULK
from recorder.rulebook import UnknownRulesError
from recorder.words import topic
from replay import desk
from replay.audit.amend import counted
from replay.audit.dispute import NoSuchMomentError
from replay.audit.readings import between_disputes
from replay.cli_readings import readings_told
from replay.cli_show import one
from replay.cli_verify import REFUSED, Json, check_reading, check_view, not_in_the_book
from replay.cli_words import MistypedError, line, put
from replay.views.dispute_text import dispute_text
from replay.views.wording import Wording
from schemas.events import HandBegan, Recording


def dispute(file: str, lang: str, as_json: bool, **asked: Any) -> int:
    """Prints the answer; the exit code is 3 where the file cannot be read."""
    recording = one(file, lang, as_json)
    if recording is None:
        return REFUSED
    names = desk.names_of(recording)
    check_view(asked["view"], names)
    check_reading(asked["reading"], len(recording.events))
    for seat in asked["believe"]:
        check_view(f"seat:{seat}", names)
    data = b"\n".join(recording.lines)
    try:
        answer = desk.dispute(data, limits=BULK, **asked)
    except NoSuchMomentError as error:
        raise _nowhere(recording, asked["hand"], asked["at"]) from error
    except UnknownRulesError as error:
        raise not_in_the_book(error) from error
    said = told(answer, names, lang, asked["believe"], recording.began.unit_digits or 0)
    put(line(answer) if as_json else "\n".join([*said, *_readings(recording, asked, lang)]))
    return 0


def _readings(recording: Recording, asked: Mapping[str, Any], lang: str) -> list[str]:
    """What differs between the hand as recorded and as amended; nothing where it does not stand in both."""
    amendments = [each.seq for each in counted(recording.events, "amended")]
    if not amendments:
        return []
    data = b"\n".join(recording.lines)
    try:
        both = [desk.dispute(data, limits=BULK, **{**asked, "reading": one}) for one in ("recorded", "amended")]
    except NoSuchMomentError:
        return []
    names = desk.names_of(recording)
    digits = recording.began.unit_digits or 0
    return readings_told(between_disputes(*both), asked["reading"], amendments, names, lang, digits)


def _nowhere(recording: Recording, hand: int, at: int | None) -> MistypedError:
    numbers = [event.hand for event in recording.events if isinstance(event, HandBegan)]
    if hand not in numbers:
        return MistypedError("no_hand", hand=hand, choices=", ".join(map(str, numbers)))
    return MistypedError("no_moment", hand=hand, at=at)


def told(answer: Json, names: Mapping[int, str], lang: str, believe: Sequence[int] = (), digits: int = 0) -> list[str]:
    """The answer as lines of text; under its title, whom it believes. Sums have so many decimals."""
    words = Wording(lang, {each: topic(each, lang) for each in ("dispute", "options")}).of(digits)
    return dispute_text(answer, names, words, believe)
