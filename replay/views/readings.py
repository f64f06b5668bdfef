"""What differs between two readings of a recording, as rows of a table: for pages and for the terminal."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from replay.audit.readings import Differs
from replay.views.parts import Link
from replay.views.verdicts import number_text
from replay.views.wording import Wording

SEATS: Final = ("takers", "rightful_seats")
SIGNED: Final = ("net_due", "net_recorded", "balance_recorded", "balance_due", "remedy")
SUMS: Final = ("pot_before", "pot", "pot_after", "share", "owes", "rightful_amount")
SPOKEN: Final = {
    "verdict": "cli.verify",
    "reason": "dispute.why",
    "rightful_why": "dispute.why",
    "answer": "dispute.answer",
    "bourre": "dispute.answer",
}
"""By value: where its words stand."""
MOST_LINKS: Final = 6
"""So many amendments are led to, each as it was known then."""
TOPICS: Final = ("readings", "dispute", "cli")
"""The words this needs."""


@dataclass(frozen=True)
class ReadingRow:
    """One value by both readings."""

    label: str
    first: str
    second: str


@dataclass(frozen=True)
class ReadingsBox:
    """An amended recording: its amendments, its readings, and what differs between the first and the last of them."""

    #: `Amended at events 14, 15.`
    lead: str
    #: Of the columns of values: `as recorded`, `as amended`.
    columns: tuple[str, str]
    rows: tuple[ReadingRow, ...]
    #: The readings there are; the one read is current.
    links: tuple[Link, ...] = ()


def readings_box(
    differs: Sequence[Differs],
    reading: str,
    amendments: Sequence[int],
    w: Wording,
    name: Callable[[int], str],
    href: Callable[[str], str] | None = None,
) -> ReadingsBox:
    """The box of a recording with amendments, read in `reading`; `differs` is between as recorded and as amended.

    `href` gives the address of another reading.
    """
    said = [w.say("readings.amended", len(amendments), events=", ".join(map(str, amendments)))]
    said += [w.say("readings.read", reading=title(reading, w))]
    said += [] if differs else [w.say("readings.same")]
    own = [reading] if reading.isdigit() else []
    readings = dict.fromkeys(["recorded", *map(str, amendments[:-1][:MOST_LINKS]), *own, "amended"])
    links = tuple(Link(title(one, w), href(one), one == reading) for one in readings) if href else ()
    rows = tuple(
        ReadingRow(label(one, w, name), *(value(one.what, each, w, name, one.code) for each in (one.first, one.second)))
        for one in differs
    )
    return ReadingsBox(" ".join(said), (title("recorded", w), title("amended", w)), rows, links)


def title(reading: str, w: Wording) -> str:
    """What a reading is called."""
    return w.say(f"readings.as.{reading}") if not reading.isdigit() else w.say("readings.as.known", seq=reading)


def label(differs: Differs, w: Wording, name: Callable[[int], str]) -> str:
    """Of what the row speaks: where, whose, and what."""
    what = differs.code or w.say(f"readings.what.{differs.what}")
    where = [w.say("readings.hand", hand=differs.hand)] if differs.hand else []
    where += [w.say("readings.event", seq=differs.seq)] if differs.code else []
    where += [name(differs.seat)] if differs.seat else []
    return f"{', '.join(where)}{w.colon}{what}" if where else what


def value(what: str, found: Any, w: Wording, name: Callable[[int], str], code: str = "") -> str:
    """A value in words; a dash where there is none, a question mark where it is not known."""
    if what == "finding":
        return _finding(found, w, code) if found else "—"
    if what == "hand":
        return w.say("readings.there") if found else "—"
    if isinstance(found, Mapping):
        low, high = found["low"], found["high"]
        return "?" if low is None or high is None else w.span(low, high)
    if found is None:
        return "—" if what in ("opened_at", "counted") else "?"
    if what in SEATS:
        return ", ".join(map(name, found)) or w.say("dispute.nobody")
    if what == "dealer":
        return name(found)
    if what in SPOKEN:
        return w.say(f"{SPOKEN[what]}.{found}")
    if what == "trump":
        return w.say(f"suit.{found}") if w.has(f"suit.{found}") else str(found)
    if what in SIGNED:
        return w.signed(found)
    return w.money(found) if what in SUMS else w.amount(found)


def _finding(found: tuple[Any, Any, Any], w: Wording, code: str) -> str:
    """Its severity, and the number recorded and due, where it has both."""
    severity, recorded, expected = found
    said = w.say(f"cli.verify.{severity}")
    if isinstance(recorded, int) and isinstance(expected, int):
        both = number_text(recorded, code, w), number_text(expected, code, w)
        said += w.colon + w.say("cli.verify.setting", recorded=both[0], expected=both[1])
    return said
