"""Whose word would settle it: what was said of unseen cards, what follows if it is believed, and the form for more."""

from collections.abc import Sequence
from typing import Any

from replay.audit.clocks import Hidden
from replay.views.dispute_page import CardChoice, Forms, Statement, WordBox, WordForm
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
        return m.told("settle.nobody", seat=m.name(m.focus))
    key = "settle.one" if len(entry["settled_by"][0]) == 1 else "settle.together"
    return m.told(key, seats=joined(ways, m.either))


def word_boxes(m: Matter) -> tuple[WordBox, ...]:
    """By seat that testified about this hand: all it said, and what follows if it is believed."""
    return tuple(_word_box(m, seat) for seat in sorted({said.seat for said in m.given.said}))


def _word_box(m: Matter, seat: int) -> WordBox:
    own = [said for said in m.given.said if said.seat == seat]
    believed = seat in m.given.question.believe
    others = [one for one in m.given.question.believe if one != seat]
    answer = m.answer if believed else m.given.trusted.get(seat, m.answer)
    wrong = {one["seq"] for one in answer["contradictions"] if one["seat"] == seat}
    points = answer["seats"].get(str(m.focus), {}).get("points") if m.bura and not m.dark else None
    return WordBox(
        title=m.tell("words.title", seat=m.name(seat)),
        statements=tuple(_statement(m, said) for said in own),
        result=m.told("words.believed" if believed else "words.if_believed", seat=m.name(m.focus)) if points else (),
        bound=m.bound(points["low"], points["high"]) if points else None,
        contradicts=m.tell("words.contradicts") if wrong & {_seq(m, said) for said in own} else "",
        believe=Link(
            m.tell("words.doubt" if believed else "words.believe", seat=m.name(seat)),
            m.here(believe=tuple(others if believed else sorted((*others, seat)))),
            current=believed,
        ),
    )


def _statement(m: Matter, said: Said) -> Statement:
    return Statement(
        source=_source(m, said),
        faces=tuple(face(card, m.w) for card in said.cards if len(card) == 2 and "?" not in card),
        lines=tuple(_line(m, said, spot) for spot in range(len(said.cards))),
    )


def _seq(m: Matter, said: Said) -> int:
    """The number by which the answer knows a testimony; those of a case follow the recording's last event."""
    if said.seq:
        return said.seq
    mine = [one.turn for one in m.given.said if not one.seq]
    return m.given.source.head.events + sorted(mine).index(said.turn)


def _source(m: Matter, said: Said) -> Sentence:
    if said.seq:
        return m.told("words.recorded", seq=Part(m.w.amount(said.seq)), of=m.event(said.of))
    return m.told("words.in_case", of=m.event(said.of))


def _line(m: Matter, said: Said, spot: int) -> Sentence:
    """`#3 king of spades, 4`."""
    card = said.cards[spot]
    label = m.label(said.of, spot)
    if card == "??":
        return (label, Part(" "), *m.told("words.silent"))
    either = card.split("/")
    cards = joined([(m.w.card(one), Part(f" {m.w.card_name(one)}")) for one in either], m.either)
    worth = {POINTS.get(one[0], 0) for one in either}
    return (label, Part(" "), *cards, Part(f", {m.w.amount(worth.pop())}" if len(worth) == 1 and m.bura else ""))


def contradictions(m: Matter) -> tuple[str, ...]:
    """Believed words that were left out."""
    wrong = sorted({int(one["seat"]) for one in m.answer["contradictions"]})
    return tuple(m.tell("words.left_out", seat=m.name(seat)) for seat in wrong)


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
    """One form for each event whose cards lie unseen in the pile in question; where there are none, in any pile.

    Of what is not on record nobody's word can be taken.
    """
    events: dict[int, list[Hidden]] = {}
    hidden = m.hidden(m.focus) or m.given.course.hidden
    for one in sorted(hidden, key=lambda one: (one.seq, one.spot)):
        if one.seq >= 0 and m.given.seat in (0, one.seat):
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
    return WordForm(m.tell("words.form", seat=m.name(seat), seq=seq), seat, seq, cards)
