"""`razbor explain`: which small slip of the record would explain what was found at an event."""

from recorder.decode import BULK
from recorder.words import topic
from replay import desk
from replay.audit.amend import Reading
from replay.audit.explain import NoSuchEventError
from replay.cli_show import one
from replay.cli_verify import REFUSED, check_reading
from replay.cli_words import MistypedError, line, put
from replay.views.explain_text import explain_text
from replay.views.wording import Wording


def explain(file: str, lang: str, as_json: bool, *, event: int, reading: Reading) -> int:
    """Prints the hypotheses; the exit code is 3 where the file cannot be read."""
    recording = one(file, lang, as_json)
    if recording is None:
        return REFUSED
    check_reading(reading, len(recording.events))
    try:
        said = desk.explain(b"\n".join(recording.lines), event=event, reading=reading, limits=BULK)
    except NoSuchEventError as error:
        raise MistypedError("no_event", at=event, last=len(recording.events) - 1) from error
    words = Wording(lang, {"explain": topic("explain", lang)}).of(recording.began.unit_digits or 0)
    put(line(said) if as_json else "\n".join(explain_text(said, desk.names_of(recording), words)))
    return 0
