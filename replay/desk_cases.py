"""The desk over disputes and cases: who had what, by whose word; and what is kept beside a recording, never in it."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Literal

import msgspec

from recorder import intake
from recorder.cases import Case, CaseClosedError, CaseMovedError, UnknownCaseError
from recorder.rows import UnknownRecordingError
from replay import desk
from replay.audit.amend import Reading, as_reading, counted, touched
from replay.audit.clocks import course
from replay.audit.dispute import Moment, NoSuchMomentError, dispute
from replay.audit.explain import NoSuchEventError, as_data, explain
from replay.audit.sight import redact
from replay.desk_journal import MOST_KEPT, JournalDesk
from replay.views.dispute_sources import CaseSource, CaseStep, CaseView, DisputeSource, FitSource, Question, Said
from replay.views.sources import HandSource, Lens, RecordingHead
from schemas.events import Recording, Testified
from schemas.rules import HouseRules

MOST_TEXT: Final = 2000
"""So many characters of a claim, a ruling or a reason are kept."""
Trouble = Literal["", "empty", "no_such_event", "cannot_be_read", "moved", "closed"]
"""Why nothing was written; empty where it was."""


class CaseDesk:
    """Disputes over the recordings of a journal, and the cases kept beside them."""

    def __init__(self, over: JournalDesk) -> None:
        self._desk = over
        self._cases = over.journal.cases()
        self._fits: OrderedDict[tuple[Any, ...], Mapping[str, Any]] = OrderedDict()

    # -- who may do what --------------------------------------------------------------------------------------------

    def may_write(self, id_: str) -> bool:
        """Who may open a case, quote and testify: whoever holds the recording's private link, or has a role in it.

        The address of a recording on the shelf proves nothing. Of one that is still being written there are no cases.
        """
        return self._desk.holds(id_)

    def seat_of(self, id_: str) -> int:
        """The seat in whose name alone the reader may testify, 0 for any; who is bound to a seat does not rule."""
        return self._desk.seat_of(id_)

    # -- disputes ---------------------------------------------------------------------------------------------------

    def dispute(self, id_: str, question: Question) -> DisputeSource | None:
        """The answer to a question, redacted to its view; `None` where there is no such hand, event, view or case."""
        lens = Lens(question.reading, question.rules)
        head = self._desk.head(id_, question.view, lens)
        source = self._source(id_, question, lens) if head else None
        if head is None or source is None:
            return None
        cases = self.cases(id_)
        case = next((one for one in cases if one.number == question.case), None)
        if question.case and case is None:
            return None
        spoken = _Spoken(self._desk.journal.load(id_).recording, head, case, question)
        try:
            answer = spoken.answer()
            both = spoken.both(answer)
        except NoSuchMomentError:
            return None
        return DisputeSource(
            source=source,
            question=question,
            answer=answer,
            course=spoken.course(),
            said=spoken.said,
            trusted=spoken.trusted(),
            other=_other(question.reading, answer, both),
            cases=tuple(one for one in cases if one.hand == question.hand),
            case=case,
            may_write=self.may_write(id_),
            seat=self.seat_of(id_),
            amendments=spoken.amendments,
            since=spoken.since(int(answer["at"])),
            both=both,
            pin=self._desk.pin(id_, int(answer["at"])),
        )

    def _source(self, id_: str, question: Question, lens: Lens) -> HandSource | None:
        """The hand as it could be known at the event in question, or at its end."""
        if question.at is not None:
            then = self._desk.step(id_, question.hand, question.at, question.view, lens)
            if then is not None:
                return then
        return self._desk.hand(id_, question.hand, question.view, lens)

    def fit(self, id_: str, seq: int, view: str, lens: Lens) -> FitSource | None:
        """What would make what was found at an event fit, as far as that view can know it."""
        head = self._desk.head(id_, view, lens)
        if head is None:
            return None
        key = (id_, head.events, head.seats, head.view, lens, seq)
        fit = self._fits.get(key)
        if fit is None:
            whole = self._desk.journal.load(id_).recording
            house = desk.house_of(whole, lens.rules or None)
            seen = redact(whole, head.view, house.rules)
            try:
                found = explain(seen, house, seq, as_reading(lens.reading))
            except NoSuchEventError:
                return None
            fit = self._fits[key] = as_data(found, whole)
            while len(self._fits) > MOST_KEPT:
                self._fits.popitem(last=False)
        return FitSource(head, fit)

    # -- cases ------------------------------------------------------------------------------------------------------

    def cases(self, id_: str) -> tuple[CaseSource, ...]:
        """The cases of a recording, the oldest first."""
        try:
            return tuple(_source(case) for case in self._cases.of(id_))
        except UnknownRecordingError:
            return ()

    def case(self, id_: str, number: int, view: str) -> CaseView | None:
        """One case, and the hand it is about in that view."""
        head = self._desk.head(id_, view)
        case = next((one for one in self.cases(id_) if one.number == number), None)
        if head is None or case is None:
            return None
        return CaseView(head, self._desk.hand(id_, case.hand, view), case, self.may_write(id_), self.seat_of(id_))

    def open(self, id_: str, question: Question, claim: str, parties: Iterable[int], quoted: Iterable[int]) -> int:
        """Opens a case about a hand; its number."""
        body = {
            "hand": question.hand,
            "at": question.at,
            "claim": claim.strip()[:MOST_TEXT],
            "parties": sorted(set(parties)),
            "quoted": sorted(set(quoted)),
        }
        return self._cases.open(id_, body)

    def hears(self, id_: str, seat: int, of: int, cards: Sequence[str]) -> Trouble:
        """Whether a seat's word about the cards of an event is fit to be a `testified` event."""
        recording = self._desk.journal.load(id_).recording
        given = {"type": "testified", "seat": seat, "of": of, "cards": list(cards)}
        read = intake.Continuation(recording.events, finished=True).take(given)
        if not isinstance(read, intake.Read):
            return "cannot_be_read"
        return "" if seat in desk.names_of(recording) else "cannot_be_read"

    def testify(self, id_: str, number: int, seat: int, of: int, cards: Sequence[str]) -> Trouble:
        """Adds a seat's word about the cards of an event to a case, where it is heard."""
        trouble = self.hears(id_, seat, of, cards)
        return trouble or self._add(id_, number, "testified", {"seat": seat, "of": of, "cards": list(cards)})

    def quote(self, id_: str, number: int, seq: int) -> Trouble:
        """Adds an event to those a case quotes."""
        head = self._desk.head(id_, "")
        if head is None or not 0 <= seq < head.events:
            return "no_such_event"
        return self._add(id_, number, "quoted", {"of": seq})

    def rule(self, id_: str, number: int, ruling: str, reason: str, by: str, expected: int | None) -> Trouble:
        """Adds the arbiter's ruling and its reason; an earlier ruling stays readable above it."""
        body = {name: text.strip()[:MOST_TEXT] for name, text in (("ruling", ruling), ("reason", reason), ("by", by))}
        if not body["ruling"] or not body["reason"]:
            return "empty"
        return self._add(id_, number, "ruled", body, expected)

    def withdraw(self, id_: str, number: int, reason: str) -> Trouble:
        """Closes a case without a ruling."""
        return self._add(id_, number, "withdrawn", {"reason": reason.strip()[:MOST_TEXT]})

    def _add(self, id_: str, number: int, act: str, body: Mapping[str, Any], expected: int | None = None) -> Trouble:
        try:
            self._cases.add(id_, number, act, body, expected)
        except CaseMovedError:
            return "moved"
        except CaseClosedError:
            return "closed"
        except UnknownCaseError:
            return "no_such_event"
        return ""


class _Spoken:
    """A recording with the words of a case said after it, and what is asked of it."""

    def __init__(self, recording: Recording, head: RecordingHead, case: CaseSource | None, question: Question) -> None:
        self._bare = recording
        self._house: HouseRules = desk.house_of(recording, question.rules or None)
        self._recording, in_case = _with_words(recording, case)
        self._question = question
        self._view = head.view
        self._reading = as_reading(question.reading)
        span = next((one for one in reversed(head.hands) if one.hand == question.hand), None)
        own = span.seqs if span else frozenset()
        self.said: tuple[Said, ...] = tuple(
            Said(event.seat, event.of, event.cards, event.seq if event.seq not in in_case else 0,
                 in_case.get(event.seq, 0))
            for event in self._recording.events
            if isinstance(event, Testified) and event.of in own
        )  # fmt: skip
        self._end = span.last if span else 0
        self._closed = recording.complete

    def _moment(self, believe: Sequence[int]) -> Moment:
        at = self._question.at
        if at is None and not self._closed:
            at = self._end  # words of a case stand after what was written so far, not in the open hand
        return Moment(self._question.hand, at, self._view, tuple(believe))

    def answer(self, reading: Reading | None = None) -> dict[str, Any]:
        """The dispute as asked for."""
        moment = self._moment(self._question.believe)
        found = dispute(self._recording, self._house, moment, reading or self._reading)
        return {**found, "recording": self._bare.id}

    def course(self) -> Any:
        """The course of the piles."""
        return course(self._recording, self._house, self._moment(self._question.believe), self._reading)

    def trusted(self) -> dict[int, dict[str, Any]]:
        """By seat with a word that is not believed: the answer if it were."""
        found = {}
        if self._house.game == "bura":
            for seat in sorted({one.seat for one in self.said} - set(self._question.believe)):
                believe = sorted({*self._question.believe, seat})
                found[seat] = dispute(self._recording, self._house, self._moment(believe), self._reading)
        return found

    @property
    def amendments(self) -> tuple[int, ...]:
        """The recording's amendments by number."""
        return tuple(each.seq for each in counted(self._bare.events, "amended"))

    def since(self, at: int) -> tuple[int, ...]:
        """The amendments that were written after an event and change it or what came before."""
        return tuple(each.seq for each in counted(self._bare.events, "amended") if each.seq > at >= touched(each))

    def both(self, answer: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """The answer as recorded and as amended; None where nothing was amended, or one of them has no such moment."""
        if not self.amendments:
            return None
        try:
            first = answer if self._reading == "recorded" else self.answer("recorded")
            return first, answer if self._reading == "amended" else self.answer("amended")
        except NoSuchMomentError:
            return None


def _other(reading: str, answer: Any, both: tuple[dict[str, Any], dict[str, Any]] | None) -> dict[str, Any] | None:
    """The answer by the other reading, where that comes to something else."""
    found = both[reading == "recorded"] if both else answer
    return found if any(found[key] != answer[key] for key in ("seats", "rightful", "remedy")) else None


def _with_words(recording: Recording, case: CaseSource | None) -> tuple[Recording, dict[int, int]]:
    """The recording with a case's testimony after its last event; by number of each such event its place in the case.

    `digest` stays that of the recording: nothing of it was changed.
    """
    course_ = intake.Continuation(recording.events, finished=True)
    events, lines, turns = list(recording.events), list(recording.lines), {}
    for step in case.steps if case else ():
        if step.act == "testified":
            read = course_.take({"type": "testified", **step.body})
            if isinstance(read, intake.Read):
                events.append(read.event)
                lines.append(read.line)
                turns[read.event.seq] = step.turn
    return msgspec.structs.replace(recording, events=tuple(events), lines=tuple(lines)), turns


def _source(case: Case) -> CaseSource:
    steps = tuple(
        CaseStep(
            entry.turn,
            datetime.fromtimestamp(entry.at / 1000, UTC).isoformat(" ", "minutes").removesuffix("+00:00"),
            entry.act,
            entry.body,
        )
        for entry in case.entries
    )
    return CaseSource(case.number, case.state, steps)
