"""Receipts of the desk: what a viewer may take away as proof, with what he may not see withheld."""

from typing import Final

from recorder.rows import nameless
from replay import desk
from schemas.events import Corrected, Inserted, Noted, Recording

_FREE_TEXT: Final = (Noted, Corrected, Inserted)
"""Events in which anything may have been written, names too."""


def withheld(recording: Recording, view: str, *, named: bool = True) -> set[int]:
    """The events a viewer may not see as they were written; the beginning names no card.

    Not `named`: the events with names and free text as well.
    """
    found: set[int] = set()
    if view != "full":
        seen = desk.seen_as(recording, view).splitlines()
        pairs = enumerate(zip(recording.lines, seen, strict=True))
        found = {seq for seq, (whole, shown) in pairs if seq and whole != shown}
    if not named:
        found |= {
            event.seq
            for event, line in zip(recording.events, recording.lines, strict=True)
            if isinstance(event, _FREE_TEXT) or nameless(line) != line
        }
    return found
