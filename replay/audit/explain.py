"""What would make it fit: the smallest changes of the record after which what was found at an event is gone.

Hypotheses, never applied and never judged: whoever kept the record may remember which of them was the slip. Bounded
in steps, not in time, so that the same recording is always explained alike.
"""

from dataclasses import dataclass, replace
from typing import Any, Final

from replay.audit.amend import Reading, read
from replay.audit.edits import AFTER, EVENT, Edit, letters_apart
from replay.audit.retrial import Key, Keys, Whole, errors_in, scope_of
from replay.audit.slips import Slips
from replay.engine.findings import Finding, Severity
from schemas.events import HandBegan, Recording
from schemas.rules import HouseRules

FORMAT: Final = "razbor-explain/1"
MOST: Final = 5
"""So many hypotheses are told."""
STEPS: Final = 160_000
"""So many events are stepped through for one explanation."""
ROUGHLY: Final = 120_000
"""So many more, where nothing fits, for what comes near it."""
A_FEW: Final = 5
"""With more errors new than these nothing has been explained."""
MANY: Final = 1 << 30
BOUND: Final = 500
"""What one question for the bounds of a pile counts for."""


class NoSuchEventError(LookupError):
    """The reading has no event of that number."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """Changes of one or two fields, and what they leave, by seq and code.

    `left` are the errors of the hand that would still stand, `new` those that were none before. Only where nothing
    else takes away what was found, some of the event's own are left, or there are new ones.
    """

    edits: tuple[Edit, ...]
    left: tuple[Key, ...]
    new: tuple[Key, ...] = ()

    @property
    def fields(self) -> int:
        """How many fields are changed."""
        return len(self.edits)


@dataclass(frozen=True, slots=True)
class Explanation:
    """What was found at the event, what would make it fit, and whether the search was cut before its end."""

    seq: int
    hand: int
    found: tuple[Finding, ...]
    hypotheses: tuple[Hypothesis, ...]
    cut: bool


def explain(recording: Recording, house: HouseRules, seq: int, reading: Reading = "amended") -> Explanation:
    """Up to five smallest changes that make what was found at event `seq` disappear without a new error in its hand.

    Where there are none, those after which a part of it is gone, or other errors, as few as may be, are in its place.
    `NoSuchEventError` where the reading has no such event.
    """
    events = read(recording.events, reading)
    places = [place for place, event in enumerate(events) if event.seq == seq]
    if not places:
        raise NoSuchEventError(f"event {seq}")
    scope = scope_of(events, house, places[0])
    base = scope.judged(())
    found = tuple(each for each in base if each.seq == seq and each.severity is not Severity.NOTE)
    search = _Search(scope, Slips(scope, places[0], found), base)
    hypotheses = search.run() if found else ()
    hands = [event.hand for event in events[: places[0] + 1] if isinstance(event, HandBegan)]
    hand = found[0].hand if found else hands[-1] if hands else 0
    return Explanation(seq, hand, found, hypotheses, search.cut or search.left_out)


def as_data(explanation: Explanation, recording: Recording) -> dict[str, Any]:
    """The explanation as `razbor-explain/1`."""
    return {
        "format": FORMAT,
        "recording": recording.id,
        "event": explanation.seq,
        "hand": explanation.hand or None,
        "findings": [str(each.code) for each in explanation.found],
        "hypotheses": [
            {
                "fields": one.fields,
                "edits": [
                    {
                        "seq": edit.seq,
                        "type": edit.kind,
                        "field": edit.field,
                        "place": edit.place or None,
                        "recorded": edit.recorded,
                        "instead": edit.instead,
                        "also": list(edit.also),
                    }
                    for edit in one.edits
                ],
                "left": [{"seq": seq, "code": code} for seq, code in one.left],
                "new": [{"seq": seq, "code": code} for seq, code in one.new],
            }
            for one in explanation.hypotheses
        ],
        "cut": explanation.cut,
    }


# -- the search -------------------------------------------------------------------------------------------------------


class _Search:
    """Tries changes, one field first, and keeps those after which it fits."""

    def __init__(self, scope: Whole, slips: Slips, base: tuple[Finding, ...]) -> None:
        self.scope = scope
        self.slips = slips
        self.event = slips.event
        self.target = slips.target
        self.codes = {code for _, code in self.target}
        self.before = {(each.seq, str(each.code)) for each in base}
        self.known: Keys = errors_in(base)
        self.steps = 0
        self.most = STEPS
        self.left_out = False
        """Whether a change was not tried since it reaches too far."""
        self.alone: dict[tuple[Any, str], int] = {}
        """Changes of one field that do alone: how many errors they leave."""
        self.kept: dict[tuple[Any, ...], Hypothesis] = {}
        self.tried: set[tuple[Any, ...]] = set()

    @property
    def cut(self) -> bool:
        """Whether the search ended before all was tried."""
        return self.steps > self.most

    def run(self) -> tuple[Hypothesis, ...]:
        """The best hypotheses: fewest fields, then those that leave least wrong, then those nearest to the event."""
        for edit in self.slips.singles():
            self._try((edit,))
        if sum(not one.left for one in self.kept.values()) < MOST:
            for pair in self.slips.pairs():
                self._try(pair)
        best = sorted(self.kept.values(), key=self._rank)
        if all(edit.field == EVENT and edit.instead is None for one in best for edit in one.edits):
            best += self._nearly()
        return tuple(best[:MOST])

    def _nearly(self) -> list[Hypothesis]:
        """Where nothing written otherwise fits: what takes away a part of what was found, or all at the least cost."""
        cut, whole, self.kept, self.tried = self.cut, self.kept, {}, set()
        self.steps, self.most = 0, ROUGHLY
        for edits in self.slips.roughly():
            self._try(edits, roughly=True)
        self.steps += cut * (ROUGHLY + 1)
        near = [one for spot, one in self.kept.items() if spot not in whole]
        least = min(map(self._cost, near), default=0)
        return sorted((one for one in near if self._cost(one) == least), key=self._rank)

    def _cost(self, one: Hypothesis) -> int:
        """How many errors are new, or still at the event."""
        return len(one.new) + sum(seq == self.event.seq for seq, _ in one.left)

    def _rank(self, one: Hypothesis) -> tuple[int, int, int, int, int]:
        """Fewer fields; what was written, before what stood where or was forgotten; least left; nearest; likest."""
        away = [abs(edit.seq - self.event.seq) for edit in one.edits]
        slip = sum(
            letters_apart(edit.recorded, edit.instead) if edit.place and edit.recorded and edit.instead else 1
            for edit in one.edits
        )
        kind = max((AFTER, EVENT).index(e.field) + 1 if e.field in (AFTER, EVENT) else 0 for e in one.edits)
        return one.fields, kind, len(one.left), sum(away), slip

    def _try(self, edits: tuple[Edit, ...], *, roughly: bool = False) -> None:
        changes = tuple((edit.spot, repr(edit.instead)) for edit in edits)
        alone = min(self.alone.get(change, MANY) for change in changes)
        if self.cut or not alone or changes in self.tried:
            return
        self.tried.add(changes)
        if self.steps + self.scope.cost_beyond(edits) > self.most:
            self.left_out = True
            return
        self.steps += (self.scope.end - self.scope.first) // 4 if self.scope.dear == 1 else 0
        if not self.scope.may_fit(edits, None if roughly else self.known, self.target):
            return
        found = self._judged(edits)
        errors = errors_in(found)
        keys = {(each.seq, str(each.code)) for each in found if each.severity is not Severity.NOTE}
        here = {key for key in keys if key[0] == self.event.seq} - (self.before - self.target)
        new = errors - self.known
        if any(code in self.codes and (seq, code) not in self.before for seq, code in keys):
            return
        if (new or here) and not (roughly and here < self.target and not (here and new) and len(new) <= A_FEW):
            return
        self.steps += self.scope.cost_beyond(edits)
        if not self.scope.spares(edits):
            return
        if len(edits) == 1 and not roughly:
            self.alone[changes[0]] = len(errors)
        if len(errors) < alone:
            self._keep(Hypothesis(edits, tuple(sorted(errors - new)), tuple(sorted(new))))

    def _judged(self, edits: tuple[Edit, ...]) -> tuple[Finding, ...]:
        """What is found with these changes made; the steps it took are counted."""
        asked = self.scope.asked
        found = self.scope.judged(edits)
        self.steps += self.scope.cost(edits) + BOUND * (self.scope.asked - asked)
        return found

    def _keep(self, one: Hypothesis) -> None:
        """Values of the same field are one hypothesis: the nearest, and the others that would do as well."""
        spot = tuple(edit.spot for edit in one.edits)
        known = self.kept.get(spot)
        if known is None:
            self.kept[spot] = one
        elif one.fields == 1:
            first, new = known.edits[0], one.edits[0]
            if (self._cost(one), len(one.left)) < (self._cost(known), len(known.left)):
                first, new, known = new, first, one
            also = (*first.also, new.instead, *new.also)
            self.kept[spot] = replace(known, edits=(replace(first, also=also),))
