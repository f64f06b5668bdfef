"""The dispute page: who really had 31, said in one sentence, proved, and settled - for the screen and for one sheet."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from replay.audit.readings import between_disputes
from replay.views import dispute_bourre
from replay.views.addresses import Addresses
from replay.views.clocks import Clock, drawings
from replay.views.dispute_page import CaseLink, DisputePage
from replay.views.dispute_proof import bounds_rows, certificates, clock_rows
from replay.views.dispute_rules import outcome
from replay.views.dispute_said import contradictions, forms, settle_sentence, word_boxes
from replay.views.dispute_scene import Matter
from replay.views.dispute_sources import CaseSource, DisputeSource
from replay.views.parts import FindingBox, Frame, Link, Tag
from replay.views.readings import ReadingsBox, readings_box
from replay.views.scene import joined, title_of
from replay.views.summary import names_of, view_links
from replay.views.verdicts import finding_boxes
from replay.views.wording import Part, Sentence, Wording

STATE_TAG: Mapping[str, tuple[str, str]] = {
    "open": ("dbt", "dbt"),
    "ruled": ("ok", "ok"),
    "withdrawn": ("quiet", "cannot"),
}


def dispute_page(
    given: DisputeSource, w: Wording, to: Addresses, address: str, qr: tuple[str, int], langs: tuple[Link, ...] = ()
) -> DisputePage:
    """The page; `address` is its own, `qr` the path of that address's QR code and its size in modules."""
    m = Matter(given, w.of(given.source.head.digits), to)
    headline, tag, answer = _claim(m) if m.bura else dispute_bourre.claim(m)
    return DisputePage(
        frame=_frame(m, headline, langs),
        hand=m.hand,
        at=m.at,
        tag=tag,
        headline=headline,
        answer=answer,
        seats=tuple(m.name(seat) for seat in m.players),
        words=word_boxes(m),
        contradictions=contradictions(m),
        findings=_findings(m),
        remedy_seats=tuple(m.name(seat) for seat in m.seats),
        reading=_reading(m),
        warnings=_warnings(m),
        readings=_readings(m),
        cases=tuple(case_link(case, w, to) for case in given.cases),
        case=Link(m.tell("case.title", number=given.case.number), to.case(given.case.number)) if given.case else None,
        forms=forms(m, headline),
        step=Link(m.tell("to_step"), m.scene.link(m.at)),
        under=_under(m),
        qr_path=qr[0],
        qr_size=qr[1],
        address=address,
        **(_points(m) if m.bura else dispute_bourre.duties(m)),
        **outcome(m),
    )


def _points(m: Matter) -> dict[str, Any]:
    """What the page says of a hand of Bura alone."""
    return {
        "joint": _joint(m),
        "charts": _charts(m),
        "bounds": bounds_rows(m),
        "clocks": clock_rows(m),
        "certificates": certificates(m),
        "settle": settle_sentence(m),
    }


def _claim(m: Matter) -> tuple[str, Tag, Sentence]:
    """The question in one line, its answer as a word, and in a sentence."""
    seat, seq = m.opened
    points = m.claimed() if m.players else None
    if points is None:
        head = m.tell("claim.end", target=m.target, hand=m.hand)
        return head, Tag("dbt", m.tell("verdict.open"), "dbt"), m.told("answer.dark")
    low, high = points
    bound = m.bound(low, high)
    if seat:
        tone = {"must": "ok", "cannot": "bad", "open": "dbt"}[bound.state]
        head = m.tell("claim.opened", seat=m.name(seat), target=m.target)
        word = bound.state if bound.state == "open" or not m.given.question.believe else f"if_{bound.state}"
        return head, Tag(tone, m.tell(f"verdict.{word}", target=m.target), tone), _answer(m, low, high, seq)
    key = "claim.end" if m.given.question.at is None else "claim.event"
    head = m.tell(key, target=m.target, seq=m.at, hand=m.hand)
    states = {m.entry(one)["answer"] for one in m.players}
    state = "open" if "open" in states else "must" if "must" in states else "cannot"
    tone = "dbt" if state == "open" else "ok"
    return head, Tag(tone, m.tell(f"verdict.who_{state}", target=m.target), tone), _who(m, state)


def _answer(m: Matter, low: int, high: int, seq: int) -> Sentence:
    """Whether who opened had the points then, in a sentence or two."""
    span = m.w.span(low, high)
    exact = "_exact" if low == high else ""
    if low >= m.target or high < m.target:
        state = "must" if low >= m.target else "cannot"
        said = m.told(f"answer.{state}{exact}", low=low, high=high, span=span, seat=m.name(m.focus),
                       lack=m.target - high, target=m.target)  # fmt: skip
        return (*said, *_no_right(m, seq))
    hidden = m.hidden(m.focus)
    seen = sum(points for _, points in m.entry(m.focus)["certificate"]["known"])
    count = int(m.entry(m.focus)["unknown"])
    said = m.told("answer.open", count, seen=seen, labels=m.labels(hidden), span=span)
    return (*said, Part(" "), *settle_sentence(m), *_no_right(m, seq))


def _no_right(m: Matter, seq: int) -> Sentence:
    """The opening was not at a trick end at which the seat was entitled."""
    ended = m.given.course.ended(seq)
    if ended and ended[-1].seq in m.entry(m.focus)["entitled_at"]:
        return ()
    return (Part(" "), *m.told("answer.no_right", seat=m.name(m.focus)))


def _who(m: Matter, state: str) -> Sentence:
    """Of every seat that had it or may have had it, a clause; or that nobody can have had it."""
    if state == "cannot":
        best = max((m.points(seat) or (0, 0))[1] for seat in m.players)
        return m.told("answer.none", high=best)
    said: list[Part] = []
    for seat in m.players:
        entry = m.entry(seat)
        if entry["answer"] != "cannot":
            span = m.bound_now(seat).span
            said += [*m.told(f"answer.who_{entry['answer']}", seat=m.name(seat), span=span), Part(" ")]
    return (*said, *settle_sentence(m))


def _joint(m: Matter) -> tuple[str, ...]:
    """What holds of all seats together, where it says more than each by itself."""
    if len(m.players) < 2:
        return ()
    found = m.answer["joint"]
    return tuple(m.tell(f"joint.{key}_{found[key]}", target=m.target) for key in ("at_least_one", "at_most_one"))


def _charts(m: Matter) -> tuple[str, str] | None:
    if not m.players:
        return None
    entry = m.entry(m.focus)
    reached = entry["reached"]
    clock = Clock(m.focus, reached["possibly"], reached["surely"], tuple(entry["entitled_at"]), entry["opened_at"])
    return drawings(m.given.course, clock, m.target, m.name, m.w)


def _findings(m: Matter) -> tuple[FindingBox, ...]:
    """What the audit found in this hand up to the event in dispute."""
    late = m.given.question.at
    found = (finding for finding in m.given.source.findings if finding.get("hand") == m.hand)
    seen = (finding for finding in found if late is None or int(finding["seq"]) <= late)
    return finding_boxes(seen, m.w, m.to, m.name, m.given.source.head.game)


def _reading(m: Matter) -> tuple[str, Link] | None:
    """That the hand was amended, where the other reading comes to something else."""
    other = m.given.other
    if other is None:
        return None
    name = "amended" if m.given.question.reading == "recorded" else "recorded"
    text = m.tell(f"reading.differs_{name}")
    points = other["seats"].get(str(m.focus), {}).get("points") if m.bura else None
    if points and points["low"] is not None:
        span = m.w.span(points["low"], points["high"])
        text = m.tell(f"reading.points_{name}", seat=m.name(m.focus), span=span)
    return text, Link(m.tell(f"reading.{name}"), m.here(reading=name))


def _readings(m: Matter) -> ReadingsBox | None:
    """What differs between the hand as recorded and as amended."""
    given = m.given
    differs = between_disputes(*given.both) if given.both else ()
    if not differs:
        return None
    return readings_box(differs, given.question.reading, given.amendments, m.w, m.name, lambda one: m.here(reading=one))


def _warnings(m: Matter) -> tuple[Sentence, ...]:
    """What the reader must know of this link: whom it believes, another chain, that it is one of several readings."""
    w, given = m.w, m.given
    recorded = Part(w.say("pin.recorded_link"), href=m.here(reading="recorded"))
    amended = Part(w.say("pin.amended_link"), href=m.here(reading="amended"))
    reading = given.question.reading
    out: list[Sentence] = []
    if given.question.believe:
        alone = Part(m.tell("seen.by_the_record"), href=m.here(believe=()))
        out.append(m.told("seen.at_their_word", seats=m.names(given.question.believe), link=alone))
    if given.question.pin and given.pin and given.question.pin != given.pin:
        out.append((*w.parts("pin.other"), Part(" "), recorded, Part(" · "), amended))
    if reading != "amended":
        out.append(w.parts("pin.as_recorded" if reading == "recorded" else "pin.as_known", seq=reading, link=amended))
    else:
        events = joined([(Part(w.amount(seq)),) for seq in given.since[:3]], ", ")
        told = given.other is not None or not given.since
        out += [] if told else [w.parts("pin.amended", events=events, link=recorded)]
    return tuple(out)


def _frame(m: Matter, headline: str, langs: tuple[Link, ...]) -> Frame:
    head = m.given.source.head
    title = title_of(head, m.w, m.to.names)
    crumbs = (
        Link(title, m.to.recording()),
        Link(m.w.say("step.hand_blind", hand=m.hand), m.to.hand(m.hand)),
        Link(m.tell("crumb", seq=m.at), "", current=True),
    )
    q = m.given.question

    def seen(view: str) -> str:
        to = replace(m.to, view=view, reading="")
        return to.dispute(q.hand, q.at, believe=q.believe, case=q.case, reading=q.reading)

    views, seat_views = view_links(head, names_of(head, m.w, m.to.names), m.w, seen)
    return Frame(m.w.lang, headline, langs, crumbs, views, seat_views)


def _under(m: Matter) -> str:
    head = m.given.source.head
    title = title_of(head, m.w, m.to.names)
    view = m.tell(f"seen.{head.view.partition(':')[0]}", seat=m.name(int(head.view.partition(":")[2] or 0)))
    said = [title, m.w.say("step.hand_blind", hand=m.hand), m.w.say("step.event_blind", seq=m.at), head.preset, view]
    believed = m.given.question.believe
    said += [m.tell("seen.believing", seats=m.names(believed))] if believed else []
    return " · ".join([*said, *([head.date] if head.date else [])])


def case_link(case: CaseSource, w: Wording, to: Addresses) -> CaseLink:
    """A case in a list; its claim is free text, left out where names are."""
    tone, mark = STATE_TAG[case.state]
    state = Tag(tone, w.say(f"disputes_page.case.{case.state}"), mark)
    title = w.say("disputes_page.case.title", number=case.number)
    return CaseLink(Link(title, to.case(case.number)), case.claim if to.names else "", state)
