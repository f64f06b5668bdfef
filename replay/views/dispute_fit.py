"""What would make it fit, in words: guesses at the slip behind a finding, each in one sentence."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from replay.views.addresses import Addresses, code_page
from replay.views.dispute_page import FitPage, Guess
from replay.views.dispute_rules import option_of
from replay.views.dispute_sources import FitSource
from replay.views.house_words import option_value
from replay.views.parts import Frame, Link
from replay.views.scene import joined, title_of
from replay.views.summary import names_of, view_links
from replay.views.verdicts import value_text
from replay.views.wording import Part, Sentence, Wording
from schemas import sums

_SEATS: Final = ("seat", "dealer")


def fit_page(given: FitSource, w: Wording, to: Addresses, langs: tuple[Link, ...] = ()) -> FitPage:
    """The page of one event."""
    told = given.told
    seq = int(told["event"])
    guess = _Guesser(given, w, to)
    if not told["findings"]:
        note = guess.tell("nothing")
    elif not told["hypotheses"]:
        note = guess.tell("none")
    else:
        note = guess.tell("cut") if told["cut"] else ""
    return FitPage(
        frame=guess.frame(langs),
        lead=guess.tell("lead", seq=seq),
        found=tuple(Link(code, code_page(code)) for code in dict.fromkeys(told["findings"])),
        guesses=tuple(guess.of(one) for one in told["hypotheses"]),
        note=note,
        step=Link(w.say("disputes_page.to_step"), guess.link(seq)),
    )


class _Guesser:
    """Says hypotheses about one recording."""

    def __init__(self, given: FitSource, w: Wording, to: Addresses) -> None:
        self.given, self.w, self.to = given, w.of(given.head.digits), to
        self.name = names_of(given.head, w, to.names)

    def tell(self, key: str, **values: Any) -> str:
        """A sentence of this page as text."""
        return self.w.say(f"disputes_page.fit.{key}", **values)

    def told(self, key: str, **values: Any) -> Sentence:
        """A sentence of this page."""
        return self.w.parts(f"disputes_page.fit.{key}", **values)

    def link(self, seq: int) -> str:
        """The address of an event, where it stands in a hand."""
        hand = next((span.hand for span in self.given.head.hands if span.holds(seq)), 0)
        return self.to.event(hand, seq) if hand else self.to.recording()

    def frame(self, langs: tuple[Link, ...]) -> Frame:
        """Trail and views."""
        head, seq = self.given.head, int(self.given.told["event"])
        title = title_of(head, self.w, self.to.names)
        crumbs = (
            Link(title, self.to.recording()),
            Link(self.w.say("step.event_blind", seq=seq), self.link(seq)),
            Link(self.tell("crumb"), "", current=True),
        )
        views, seats = view_links(head, self.name, self.w, lambda view: self.to.seen_by(view).fit(seq))
        return Frame(self.w.lang, f"{self.tell('title')} · {seq}", langs, crumbs, views, seats)

    def of(self, hypothesis: Mapping[str, Any]) -> Guess:
        """One hypothesis."""
        edits = hypothesis["edits"]
        clauses = self.clause(edits[0])
        for edit in edits[1:]:
            clauses = self.told("and", first=clauses, last=self.clause(edit))
        also = edits[0]["also"] if len(edits) == 1 else ()
        return Guess(
            text=self.told("sentence", clauses=clauses),
            also=self.told("also", values=self.several(edits[0], also)) if also else (),
            left=" ".join(self.errors(key, hypothesis[key]) for key in ("left", "new") if hypothesis[key]),
        )

    def errors(self, key: str, errors: Sequence[Mapping[str, Any]]) -> str:
        """Errors that would stay, or come up."""
        return self.tell(key, codes=", ".join(sorted({f"{one['code']} ({one['seq']})" for one in errors})))

    def several(self, edit: Mapping[str, Any], values: Sequence[Any]) -> Sentence:
        """Other values in a row."""
        return joined([self.value(edit["field"], value) for value in values], ", ")

    def clause(self, edit: Mapping[str, Any]) -> Sentence:
        """What would have to be otherwise."""
        seq, field = Part(self.w.amount(edit["seq"]), href=self.link(edit["seq"])), str(edit["field"])
        recorded, instead = (self.value(field, edit[key]) for key in ("recorded", "instead"))
        if field.startswith("rules."):
            option = option_of(self.w, self.given.head.game, field.removeprefix("rules."), edit["instead"])
            return self.told("rule", option=option)
        if field == "after":
            return self.told("moved", seq=seq, instead=self.w.amount(edit["instead"]))
        if field == "event":
            return self.told("struck" if edit["instead"] is None else "put", seq=seq, instead=instead)
        if edit["place"]:
            key = "too_many" if not instead else "too_few" if not recorded else "card"
            return self.told(key, seq=seq, place=edit["place"], recorded=recorded, instead=instead)
        key = f"disputes_page.fit.fields.{field}"
        said = self.w.say(key) if self.w.has(key) else field
        none = (Part("—"),)
        return self.told("field", seq=seq, field=said, recorded=recorded or none, instead=instead or none)

    def value(self, field: str, value: Any) -> Sentence:
        """A value of a field, readable: cards drawn, seats by name."""
        if field in _SEATS and isinstance(value, int):
            return (Part(self.name(value)),)
        if field.startswith("rules."):
            return (Part(option_value(self.w, self.given.head.game, field.removeprefix("rules."), value)),)
        if isinstance(value, Mapping):
            return self._event(value)
        if field in sums.FIELDS and isinstance(value, int):
            return (Part(self.w.money(value)),)
        return value_text(value, self.w, self.name)

    def _event(self, fields: Mapping[str, Any]) -> Sentence:
        """An event that would have been written: who, why, how much."""
        said = [self.value(key, fields[key]) for key in ("seat", "why", "amount") if key in fields]
        return joined(said, ", ") or (Part(str(fields.get("type", ""))),)
