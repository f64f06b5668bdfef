"""Whose word would settle it: what was said of unseen cards, what follows if it is believed, and the form for more."""

from collections.abc import Sequence
from typing import Any

from replay.audit.clocks import Hidden
from replay.views.dispute_page import CardChoice, Forms, WordBox, WordForm
from replay.views.dispute_scene import Matter
from replay.views.dispute_sources import Said
from replay.views.parts import Link
from replay.views.scene import POINTS, face, joined
from replay.views.wording import Part, Sentence


def settle_sentence(m: Matter) -> Sentence:
    """Whose word settles the pile in question, whatever it is; or that nobody's does."""
    entry = m.entry(m.focus)
    if entry["answer"] != "open":
        return ()
    ways = [(Part(m.names(seats)),) for seats in entry["settled_by"]]
    if not ways:
        return m.parts("settle.nobody", seat=m.name(m.focus))
    key = "settle.one" if len(entry["settled_by"][0]) == 1 else "settle.together"
    return m.parts(key, seats=joined(ways, m.say("or")))


def word_boxes(m: Matter) -> tuple[WordBox, ...]:
    """Every testimony about this hand, newest last."""
    return tuple(_word_box(m, said) for said in m.given.said)


def _word_box(m: Matter, said: Said) -> WordBox:
    believed = said.seat in m.given.question.believe
    others = tuple(seat for seat in m.given.question.believe if seat != said.seat)
    believe = others if believed else tuple(sorted((*others, said.seat)))
    answer = m.answer if believed else m.given.trusted.get(said.seat, m.answer)
    wrong = any(one["seat"] == said.seat and one["seq"] == _seq(m, said) for one in answer["contradictions"])
    points = answer["seats"].get(str(m.focus), {}).get("points") if m.bura and not m.dark else None
    key = "words.believed" if believed else "words.if_believed"
    return WordBox(
        title=m.say("words.title", seat=m.name(said.seat)),
        source=_source(m, said),
        faces=tuple(face(card, m.w) for card in said.cards if len(card) == 2 and "?" not in card),
        lines=tuple(_line(m, said, spot) for spot in range(len(said.cards))),
        result=m.parts(key, seat=m.name(m.focus)) if points else (),
        bound=m.bound(points["low"], points["high"]) if points else None,
        contradicts=m.say("words.contradicts") if wrong else "",
        believe=Link(m.say("words.doubt" if believed else "words.believe", seat=m.name(said.seat)),
                     m.here(believe=believe), current=believed),
    )  # fmt: skip


def _seq(m: Matter, said: Said) -> int:
    """The number by which the answer knows a testimony; those of a case follow the recording's last event."""
    if said.seq:
        return said.seq
    mine = [one.turn for one in m.given.said if not one.seq]
    return m.given.source.head.events + sorted(mine).index(said.turn)


def _source(m: Matter, said: Said) -> Sentence:
    if said.seq:
        return m.parts("words.recorded", seq=Part(m.w.amount(said.seq)), of=m.event(said.of))
    return m.parts("words.in_case", of=m.event(said.of))


def _line(m: Matter, said: Said, spot: int) -> Sentence:
    """`#3 king of spades, 4`."""
    card = said.cards[spot]
    label = m.label(said.of, spot)
    if card == "??":
        return (label, Part(" "), *m.parts("words.silent"))
    either = card.split("/")
    cards = joined([(m.w.card(one), Part(f" {m.w.card_name(one)}")) for one in either], m.say("or"))
    worth = {POINTS.get(one[0], 0) for one in either}
    return (label, Part(" "), *cards, Part(f", {m.w.amount(worth.pop())}" if len(worth) == 1 and m.bura else ""))


def contradictions(m: Matter) -> tuple[str, ...]:
    """Believed words that were left out."""
    wrong = sorted({int(one["seat"]) for one in m.answer["contradictions"]})
    return tuple(m.say("words.left_out", seat=m.name(seat)) for seat in wrong)


def forms(m: Matter, claim: str) -> Forms | None:
    """What this reader may add to a case; nothing where he may not."""
    if not m.given.may_write:
        return None
    question = m.given.question
    kept: list[tuple[str, str]] = [("at", str(question.at))] if question.at is not None else []
    kept += [("case", str(question.case))] if question.case else []
    kept += [("believe", str(seat)) for seat in question.believe]
    return Forms(
        words=m.to.testimony(m.hand),
        cases=m.to.cases(),
        kept=(*kept, *m.to.kept()),
        word_forms=_word_forms(m),
        choices=tuple((card, m.w.card_name(card)) for card in m.answer.get("unseen") or ()),
        parties=tuple((seat, m.name(seat), seat == m.focus) for seat in m.seats),
        claim=claim,
    )


def _word_forms(m: Matter) -> tuple[WordForm, ...]:
    """One form for each event whose cards lie unseen in the pile in question; where there are none, in any pile."""
    events: dict[int, list[Hidden]] = {}
    hidden = m.hidden(m.focus) or m.given.course.hidden
    for one in sorted(hidden, key=lambda one: (one.seq, one.spot)):
        events.setdefault(one.seq, []).append(one)
    return tuple(_word_form(m, seq, own) for seq, own in events.items())


def _word_form(m: Matter, seq: int, hidden: Sequence[Hidden]) -> WordForm:
    event: Any = next((one for one in m.given.source.events if one["seq"] == seq), {"cards": ()})
    spots = {one.spot for one in hidden}
    cards = tuple(
        CardChoice(m.label(seq, spot).text, f"card{spot}", "" if spot in spots else card)
        for spot, card in enumerate(event["cards"])
    )
    seat = hidden[0].seat
    return WordForm(m.say("words.form", seat=m.name(seat), seq=seq), seat, seq, cards)
