"""Bourré: tricks, who is bourré, and every play that had a duty, with the card that would have been right."""

from typing import Any, Final

from replay.views.dispute_page import DutyRow, TrickRow
from replay.views.dispute_scene import Matter
from replay.views.parts import Tag
from replay.views.wording import Part, Sentence

_TONE: Final = {"kept": ("ok", "ok"), "broken": ("bad", "bad"), "open": ("dbt", "dbt")}
_BOURRE: Final = {"must": ("bad", "must"), "cannot": ("quiet", "cannot"), "open": ("dbt", "dbt")}


def duties(m: Matter) -> dict[str, Any]:
    """What the page says of a hand of Bourré alone, by name of its fields."""
    broken, kept = duty_rows(m)
    return {
        "tricks": trick_rows(m),
        "duties": broken,
        "duties_kept": kept,
        "kept_text": m.tell("duty.kept_count", len(kept)) if kept else "",
    }


def trick_rows(m: Matter) -> tuple[TrickRow, ...]:
    """One row a seat."""
    rows = []
    for seat in m.players:
        entry = m.entry(seat)
        tone, mark = _BOURRE[entry["bourre"]]
        rows.append(
            TrickRow(
                name=m.name(seat),
                tricks=_span(m, entry["tricks"]),
                bourre=Tag(tone, m.tell(f"bourre.{entry['bourre']}"), mark),
                share=_sum(m, entry["share"]),
                owes=_sum(m, entry["owes"]),
            )
        )
    return tuple(rows)


def _span(m: Matter, tricks: Any) -> str:
    return "—" if tricks["low"] is None else m.w.span(tricks["low"], tricks["high"])


def _sum(m: Matter, value: int | None) -> str:
    return "—" if value is None else m.w.money(value)


def duty_rows(m: Matter) -> tuple[tuple[DutyRow, ...], tuple[DutyRow, ...]]:
    """The duties that were broken or stay open, and those kept; in the order of play."""
    found = sorted(
        ((duty, seat) for seat in m.players for duty in m.entry(seat)["duties"]), key=lambda pair: int(pair[0]["seq"])
    )
    rows = [(duty["answer"], _duty_row(m, duty, seat)) for duty, seat in found]
    return (
        tuple(row for answer, row in rows if answer != "kept"),
        tuple(row for answer, row in rows if answer == "kept"),
    )


def _duty_row(m: Matter, duty: Any, seat: int) -> DutyRow:
    tone, mark = _TONE[duty["answer"]]
    proof = duty["proved_by"]
    return DutyRow(
        event=m.link(int(duty["seq"])),
        name=m.name(seat),
        duty=m.tell(f"duty.{duty['duty']}"),
        tag=Tag(tone, m.tell(f"duty.{duty['answer']}"), mark),
        right=m.w.cards(duty["would_have"]),
        proof=m.link(int(proof)) if proof is not None else None,
    )


def disputed_duty(m: Matter) -> tuple[int, Any] | None:
    """The duty of the very event in dispute, with its seat."""
    for seat in m.players:
        for duty in m.entry(seat)["duties"]:
            if int(duty["seq"]) == m.given.question.at:
                return seat, duty
    return None


def claim(m: Matter) -> tuple[str, Tag, Sentence]:
    """The question in one line, its answer as a word, and in a sentence."""
    found = disputed_duty(m)
    if found:
        return _duty_claim(m, *found)
    broken = [(seat, duty) for seat in m.players for duty in m.entry(seat)["duties"] if duty["answer"] == "broken"]
    if broken:
        seat, duty = min(broken, key=lambda pair: int(pair[1]["seq"]))
        return _duty_claim(m, seat, duty)
    return _pot_claim(m)


def _duty_claim(m: Matter, seat: int, duty: Any) -> tuple[str, Tag, Sentence]:
    tone, mark = _TONE[duty["answer"]]
    cards = m.w.cards(duty["would_have"]) or (Part("—"),)
    head = m.tell("claim.duty", seat=m.name(seat), duty=m.tell(f"duty.{duty['duty']}"), seq=int(duty["seq"]))
    said = m.told(f"answer.duty_{duty['answer']}", seat=m.name(seat), cards=cards)
    if duty["proved_by"] is not None:
        said = (*said, Part(" "), *m.told("answer.proved", seq=m.event(int(duty["proved_by"]))))
    return head, Tag(tone, m.tell(f"verdict.duty_{duty['answer']}"), mark), said


def _pot_claim(m: Matter) -> tuple[str, Tag, Sentence]:
    bourre = [seat for seat in m.players if m.entry(seat)["bourre"] == "must"]
    found = m.answer["rightful"]
    head = m.tell("claim.pot", hand=m.hand)
    if found["answer"] == "open":
        return head, Tag("dbt", m.tell("verdict.pot_open"), "dbt"), m.told("answer.pot_open")
    key = "answer.pot" if found["seats"] else "answer.pot_nobody"
    said = m.told(key, seats=m.names(found["seats"]), amount=int(found["amount"] or 0))
    if bourre:
        said = (*said, Part(" "), *m.told("answer.bourre", len(bourre), seats=m.names(bourre)))
    return head, Tag("ok", m.tell("verdict.pot_must"), "ok"), said
