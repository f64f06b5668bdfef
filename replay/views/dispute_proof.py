"""The proof in words: bounds at every trick's end, the three clocks, and the sums a person checks with a pencil."""

from collections.abc import Sequence
from typing import Any

from replay.audit.clocks import Hidden
from replay.views.dispute_page import BoundsRow, Certificate, ClockRow
from replay.views.dispute_scene import Matter
from replay.views.reasons import placed
from replay.views.scene import joined
from replay.views.wording import Part, Sentence


def bounds_rows(m: Matter) -> tuple[BoundsRow, ...]:
    """One row a trick's end, and the event in dispute last."""
    rows = [
        BoundsRow(
            title=m.w.say("disputes_page.bounds.trick", trick=row.trick),
            event=m.link(row.seq),
            bounds=tuple(m.bound(*row.piles.get(seat, (0, 0))) for seat in m.players),
            strong=False,
        )
        for row in m.given.course.tricks
    ]
    opened = m.opened[1]
    now = tuple(m.bound_now(seat) for seat in m.players)
    if opened and opened == m.at:
        title, seq = m.tell("bounds.opening"), opened
    elif m.given.question.at is None:
        title, seq = m.tell("bounds.end"), m.at
    else:
        title, seq = m.tell("bounds.event"), m.at
    if rows and rows[-1].event.href == m.scene.link(seq):
        return (*rows[:-1], BoundsRow(rows[-1].title, rows[-1].event, now, strong=True))
    return (*rows, BoundsRow(title, m.link(seq), now, strong=True))


def clock_rows(m: Matter) -> tuple[ClockRow, ...]:
    """The three clocks of every seat: the chart in words."""
    rows = []
    for seat in m.players:
        entry = m.entry(seat)
        reached = entry["reached"]
        rows.append(
            ClockRow(
                name=m.name(seat),
                possibly=_from(m, reached["possibly"]),
                surely=_from(m, reached["surely"]),
                entitled=joined([(m.event(seq),) for seq in entry["entitled_at"]], ", ") or _never(m),
                opened=(m.event(entry["opened_at"]),) if entry["opened_at"] is not None else _never(m),
            )
        )
    return tuple(rows)


def _never(m: Matter) -> Sentence:
    return (Part(m.tell("clock.never")),)


def _from(m: Matter, seq: int | None) -> Sentence:
    return _never(m) if seq is None else m.told("clock.from", seq=m.event(seq))


def certificates(m: Matter) -> tuple[Certificate, ...]:
    """The sums of every pile, that in question first; an empty pile needs none."""
    order = sorted(m.players, key=lambda seat: (seat != m.focus, seat))
    return tuple(_certificate(m, seat) for seat in order if m.entry(seat)["known"] or m.entry(seat)["unknown"])


def _certificate(m: Matter, seat: int) -> Certificate:
    entry = m.entry(seat)
    proof = entry["certificate"]
    worth = sorted((pair for pair in proof["known"] if pair[1]), key=lambda pair: -pair[1])
    idle = [pair[0] for pair in proof["known"] if not pair[1]]
    rows: list[tuple[Sentence, str]] = [((m.w.card(card),), m.w.amount(points)) for card, points in worth]
    if idle:
        rows.append((m.w.cards(idle), m.w.amount(0)))
    total = sum(points for _, points in worth)
    hidden = m.hidden(seat)
    span = m.bound_now(seat).span
    low, high = m.points(seat) or (total, total)
    return Certificate(
        title=m.tell("pencil.pile", seat=m.name(seat)),
        known=tuple(rows),
        total=m.w.amount(total),
        hidden=_hidden(m, hidden, int(entry["unknown"])),
        unseen=m.w.cards(_by_suit(m.answer["unseen"])) if entry["unknown"] else (),
        least=_sum(m, [place["low"] for place in proof["places"]], low - total),
        most=_sum(m, [place["high"] for place in proof["places"]], high - total),
        span=span,
        caveat="" if proof["exact"] else m.tell("pencil.not_exact"),
        placements=placed(m.given.course.placements.get(seat), m.target, m.w) if entry["answer"] == "open" else "",
    )


def _by_suit(cards: Sequence[str]) -> list[str]:
    return sorted(cards, key=lambda card: ("shdc".find(card[1]), "ATKQJ98765432".find(card[0])))


def _hidden(m: Matter, cards: list[Hidden], count: int) -> Sentence:
    if not count:
        return ()
    who: dict[int, list[Hidden]] = {}
    for card in cards:
        who.setdefault(card.seat, []).append(card)
    laid = [m.told("pencil.laid", labels=m.labels(own), seat=m.name(seat)) for seat, own in who.items()]
    said = joined(laid, m.w.semicolon)
    pool = len(m.answer["unseen"])
    return (
        (*m.told("pencil.hidden", count, pool=pool), Part(m.w.colon), *said)
        if said
        else m.told("pencil.hidden", count, pool=pool)
    )


def _sum(m: Matter, cards: Sequence[Any], points: int) -> tuple[Sentence, str]:
    """Cards with their worth, those that count first; a place that lies in another pile has none."""
    there = sorted((card for card in cards if card), key=lambda card: -card[1])
    return joined([(m.w.card(card[0]),) for card in there], " + "), m.w.amount(points)
