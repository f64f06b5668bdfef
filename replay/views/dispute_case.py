"""A case on a page: what is claimed, what is quoted, who says what, how it was ruled; and its printed form."""

from collections.abc import Callable
from typing import Final

from replay.views.addresses import Addresses
from replay.views.dispute import STATE_TAG
from replay.views.dispute_page import CasePage, CaseStepBox
from replay.views.dispute_sources import CaseStep, CaseView
from replay.views.logbook import sentence
from replay.views.parts import Frame, Link, Tag
from replay.views.scene import Scene, joined, labels_of, title_of
from replay.views.summary import names_of, view_links
from replay.views.wording import Part, Sentence, Wording

_ACTS: Final = ("quote", "rule", "withdraw")
"""The first is for whoever may write; the others are not for who is bound to a seat."""


class _Docket:
    """A case, and how to speak of it."""

    def __init__(self, given: CaseView, w: Wording, to: Addresses) -> None:
        self.given, self.w, self.to = given, w.of(given.head.digits), to
        self.case = given.case
        self.name: Callable[[int], str] = names_of(given.head, w, to.names)
        source = given.source
        self.scene = Scene(source, self.w, to, 0, named=to.names, labels=labels_of(source)) if source else None

    def tell(self, key: str, n: int | None = None, **values: str | int) -> str:
        """A sentence of this page as text."""
        return self.w.say(f"disputes_page.{key}", n, **values)

    def of(self, act: str) -> list[CaseStep]:
        """The entries of one kind."""
        return [step for step in self.case.steps if step.act == act]

    def quoted(self) -> tuple[tuple[Link, Sentence], ...]:
        """The quoted events of this hand as this viewer may see them; of other hands only their numbers."""
        seqs = {int(seq) for seq in self.case.steps[0].body["quoted"]}
        seqs |= {int(step.body["of"]) for step in self.of("quoted")}
        return tuple(self._quoted(seq) for seq in sorted(seqs))

    def _quoted(self, seq: int) -> tuple[Link, Sentence]:
        spans = [span for span in self.given.head.hands if span.holds(seq)]
        link = Link(self.w.amount(seq), self.to.event(spans[-1].hand, seq) if spans else "")
        if self.scene is not None:
            for index, event in enumerate(self.scene.source.events):
                if event["seq"] == seq:
                    return link, sentence(self.scene.at_index(index), index)
        return link, (Part(self.tell("case.elsewhere")),)

    def word(self, step: CaseStep) -> Sentence:
        """`Vera says event 94 was #3 K♠ #4 7♠`."""
        of = int(step.body["of"])
        cards: list[Sentence] = []
        for spot, card in enumerate(step.body["cards"]):
            number = self.scene.label(of, spot) if self.scene else 0
            label = (self.w.label(number), Part(" ")) if number else ()
            if card == "??":
                cards.append((*label, Part(self.w.say("card.unknown"))))
            else:
                ways = [(self.w.card(one),) for one in str(card).split("/")]
                cards.append((*label, *joined(ways, "/")))
        said = self.w.parts("event.testified", seat=self.name(int(step.body["seat"])), of=of)
        return (*said, Part(" "), *joined(cards, " "))

    def step_box(self, step: CaseStep) -> CaseStepBox:
        """One entry; free text is left out where names are."""
        if step.act == "testified":
            text = self.word(step)
        elif step.act == "quoted":
            text = (Part(self.w.say("step.event_blind", seq=int(step.body["of"]))),)
        else:
            field = {"opened": "claim", "ruled": "ruling", "withdrawn": "reason"}[step.act]
            text = (Part(str(step.body[field])),) if self.to.names else ()
        return CaseStepBox(step.at, self.tell(f"case.act_{step.act}"), text)

    def frame(self, langs: tuple[Link, ...]) -> Frame:
        """Trail and views."""
        head = self.given.head
        title = title_of(head, self.w, self.to.names)
        here = self.tell("case.title", number=self.case.number)
        crumbs = (
            Link(title, self.to.recording()),
            Link(self.w.say("step.hand_blind", hand=self.case.hand), self.to.hand(self.case.hand)),
            Link(here, "", current=True),
        )
        views, seats = view_links(head, self.name, self.w, lambda view: self.to.seen_by(view).case(self.case.number))
        return Frame(self.w.lang, here, langs, crumbs, views, seats)


def case_page(
    given: CaseView,
    w: Wording,
    to: Addresses,
    address: str,
    qr: tuple[str, int],
    langs: tuple[Link, ...] = (),
    trouble: str = "",
) -> CasePage:
    """The page; `trouble` says why the last entry was not taken."""
    d = _Docket(given, w, to)
    case = given.case
    tone, mark = STATE_TAG[case.state]
    ruled = d.of("ruled")
    last = ruled[-1].body if ruled else None
    believe = sorted({int(step.body["seat"]) for step in d.of("testified")})
    may = given.may_write and case.state != "withdrawn"
    head = given.head
    title = title_of(head, w, to.names)
    return CasePage(
        frame=d.frame(langs),
        number=case.number,
        state=Tag(tone, d.tell(f"case.{case.state}"), mark),
        claim=case.claim if to.names else d.tell("case.title", number=case.number),
        under=" · ".join([title, w.say("step.hand_blind", hand=case.hand), head.preset, case.steps[0].at]),
        parties=tuple(d.name(seat) for seat in case.parties),
        quoted=d.quoted(),
        words=tuple(d.word(step) for step in d.of("testified")),
        ruling=(str(last["ruling"]), str(last["reason"]), str(last["by"])) if last and to.names else None,
        steps=tuple(d.step_box(step) for step in case.steps),
        dispute=Link(d.tell("case.to_dispute"), to.dispute(case.hand, case.at, believe=believe, case=case.number)),
        acts=tuple((act, to.case(case.number, act)) for act in (_ACTS[:1] if given.seat else _ACTS)) if may else (),
        version=len(case.steps),
        signs=(*(d.name(seat) for seat in case.parties), w.say("report.referee")),
        trouble=d.tell(f"trouble.{trouble}") if trouble else "",
        qr_path=qr[0],
        qr_size=qr[1],
        address=address,
    )
