"""What the desk hands to the pages of disputes and cases: frozen, redacted to the viewer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from replay.audit.clocks import Course
from replay.views.sources import HandSource, RecordingHead


@dataclass(frozen=True)
class Question:
    """What is asked of a hand."""

    hand: int
    #: An event of it; `None` for its end.
    at: int | None = None
    #: A view of the recording this reader may have; empty for the widest.
    view: str = ""
    believe: tuple[int, ...] = ()
    #: `amended`, `recorded`, or the number of the event at which the amendments that count were known.
    reading: str = "amended"
    #: A preset in place of the recorded rules, or nothing.
    rules: str = ""
    #: The case whose testimony counts too, 0 for none.
    case: int = 0
    #: The pin of the link that led here, or nothing.
    pin: str = ""


@dataclass(frozen=True)
class Said:
    """One testimony: of the recording (`seq`), or of the case the page stands in (`turn`)."""

    seat: int
    #: The event it speaks of.
    of: int
    #: A card, `??`, or candidates such as `Td/Ks`, for each card of that event.
    cards: tuple[str, ...]
    #: Its number in the recording, 0 where it stands in a case.
    seq: int = 0
    #: Its place in the case.
    turn: int = 0


@dataclass(frozen=True)
class CaseStep:
    """One entry of a case."""

    turn: int
    #: ISO time to the minute.
    at: str
    #: `opened`, `quoted`, `testified`, `ruled` or `withdrawn`.
    act: str
    #: What was said, by name of the field.
    body: Mapping[str, Any]


@dataclass(frozen=True)
class CaseSource:
    """A case beside a recording."""

    number: int
    #: `open`, `ruled` or `withdrawn`.
    state: str
    steps: tuple[CaseStep, ...]

    @property
    def hand(self) -> int:
        """The hand it is about."""
        return int(self.steps[0].body["hand"])

    @property
    def at(self) -> int | None:
        """The event it is about; `None` for the hand's end."""
        found = self.steps[0].body.get("at")
        return None if found is None else int(found)

    @property
    def claim(self) -> str:
        """What is claimed, in the words of who opened it."""
        return str(self.steps[0].body["claim"])

    @property
    def parties(self) -> tuple[int, ...]:
        """The seats between whom it is."""
        return tuple(int(seat) for seat in self.steps[0].body["parties"])


@dataclass(frozen=True)
class DisputeSource:
    """One dispute of one hand, answered."""

    source: HandSource
    question: Question
    #: `razbor-dispute/1`.
    answer: Mapping[str, Any]
    course: Course
    #: Every testimony about this hand that counts here.
    said: tuple[Said, ...]
    #: By seat that testified and is not believed: the answer if it were.
    trusted: Mapping[int, Mapping[str, Any]]
    #: The answer by the other reading, where the hand was amended and that changes it.
    other: Mapping[str, Any] | None
    cases: tuple[CaseSource, ...]
    case: CaseSource | None
    may_write: bool
    #: The seat in whose name alone this reader may testify, 0 for any.
    seat: int = 0
    #: The recording's amendments by number.
    amendments: tuple[int, ...] = ()
    #: Those written after the event in question that change it or what came before.
    since: tuple[int, ...] = ()
    #: The answer as recorded, and as amended, where both have this hand and event.
    both: tuple[Mapping[str, Any], Mapping[str, Any]] | None = None
    #: Eight hex digits of the chain at the event in question, or nothing.
    pin: str = ""


@dataclass(frozen=True)
class FitSource:
    """What would make it fit at one event, redacted to the viewer."""

    head: RecordingHead
    #: `razbor-explain/1`.
    told: Mapping[str, Any]


@dataclass(frozen=True)
class CaseView:
    """One case with the hand it is about, as the viewer may see it."""

    head: RecordingHead
    #: `None` where the recording has no such hand any more.
    source: HandSource | None
    case: CaseSource
    may_write: bool
    #: The seat this reader is bound to, who therefore does not rule; 0 for none.
    seat: int = 0
