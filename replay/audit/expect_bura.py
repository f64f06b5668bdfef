"""What Bura expects next in the play of a hand (`rules.md` 1.7-1.14)."""

from typing import Any

from replay.audit.expect_steps import UNSEEN, Now, Step, decided, one, settlement, several
from replay.audit.explore import fork
from replay.engine.bura.laws import largest_lead
from replay.engine.bura.state import ANSWERING, ANYBODY, LEADING, TAKEN
from replay.engine.seating import DECIDED
from schemas.cards import KNOWN, SPELLING
from schemas.events import Played
from schemas.rules import AnswerFace, BuraRight, MolodkaTurn, RaiseLadder, ThreeAces


def play(at: Now) -> list[Step]:
    """The steps from the turned trump to the decision."""
    table = at.table
    if table.phase == ANSWERING:
        return [*_raises_due(table), *_answer(table), *_opening(table)]
    opening = _opening(table)
    if table.phase == TAKEN and table.draws_due:
        return [*_raises_due(table), *_trick(at), *opening, *_draws(table)]
    ready = fork(table)
    ready.seq = table.seq
    if ready.phase == TAKEN:
        ready.to_lead()
    settled = decided(ready)
    if settled.phase == DECIDED:
        opening = [] if settled.reason == "bura" else opening
        return [*_raises_due(table), *_trick(at), *opening, *_claims(table, ready), *settlement(settled, at.hand)]
    return [*_raises_due(table), *_trick(at), *_lead(ready), *opening, *_claims(table, ready), *_raises(table)]


def _answer(table: Any) -> list[Step]:
    seat = table.to_answer[-1]
    count = min(len(table.lead), table.held[seat].size)
    fields = {"type": "played", "seat": seat}
    shown = Step("played", seat, True, asks="cards", least=count, most=count, fields=fields, rule="bura.10")
    steps = [shown]
    if table.rules.answer_face is AnswerFace.UP_ONLY_IF_BEATS:
        steps.append(one("played", due=True, seat=seat, cards=[UNSEEN] * count, face="down", rule="bura.10"))
    if table.rules.molodka_turn is MolodkaTurn.COUNTER_LEAD and not (table.answers or table.by_right):
        counters = [other for other in table.players if other != table.leader]
        steps += [_claim(other, "molodka", table.hand_size) for other in counters]
    return steps


def _trick(at: Now) -> list[Step]:
    """Who took the trick, said aloud: a claim, never needed; its points only where the whole table saw every card."""
    table = at.table
    if not table.tricks or table.trick_told():
        return []
    trick = table.tricks[-1]
    hidden = any(isinstance(event, Played) and event.face == "down" and event.seq in trick.seqs for event in at.hand)
    points = trick.low if trick.low >= 0 and not hidden else None
    return [one("trick_taken", seat=trick.taker, points=points, rule="bura.11")]


def _opening(table: Any) -> list[Step]:
    able = [seat for seat in table.players if table.opening_wrong(seat) is None]
    steps = [one("opened", seat=seat, rule="bura.12") for seat in able]
    return [*steps, *(one("open_declined", seat=seat, rule="bura.12") for seat in able if seat == table.winner)]


def _draws(table: Any) -> list[Step]:
    events = []
    for seat, count, turned in reversed(table.draws_due):
        cards = [UNSEEN] * count
        if turned and 0 <= table.turnup < KNOWN:
            cards[-1] = SPELLING[table.turnup]
        events.append({"type": "drew", "seat": seat, "cards": cards})
    seat, count, _ = table.draws_due[-1]
    fields = {"type": "drew", "seat": seat}
    shown = Step("drew", seat, True, asks="cards", least=count, most=count, fields=fields, rule="bura.13")
    return [several("draw_unseen", events, due=True, rule="bura.13"), shown]


def _lead(table: Any) -> list[Step]:
    seats = table.players if table.leader == ANYBODY else [table.entitled()[0]]
    fields = [{"type": "played", "seat": seat, "face": "up"} for seat in seats if seat]
    return [
        Step(
            "played", seat, True, asks="cards", least=1,
            most=max(1, min(largest_lead(table, seat), table.held[seat].size)), fields=each, rule="bura.9",
        )
        for each in fields
        if (seat := int(str(each["seat"])))
    ]  # fmt: skip


def _claims(table: Any, ready: Any) -> list[Step]:
    """The combinations that may be declared before the lead."""
    if ready.phase != LEADING:
        return []
    kinds = [
        kind
        for kind, can in (
            ("bura", table.rules.bura is not BuraRight.OFF),
            ("three_aces", table.rules.three_aces is not ThreeAces.OFF and table.hand_size == 3),
            ("molodka", table.rules.molodka_turn is not MolodkaTurn.COUNTER_LEAD),
        )
        if can
    ]
    said = {seat for seat, _, _ in table.claims}
    holders = [seat for seat in table.players if ready.held[seat].size == ready.hand_size and seat not in said]
    return [_claim(seat, kind, table.hand_size) for seat in holders for kind in kinds]


def _claim(seat: int, kind: str, most: int) -> Step:
    fields = {"type": "declared", "seat": seat, "combination": kind}
    return Step("declared", seat, asks="cards", least=0, most=most, fields=fields, rule="bura.7")


def _raises_due(table: Any) -> list[Step]:
    """The payments of an accepted raise, as far as each seat can pay; a lead that accepted it stands before them."""
    return [
        one("staked", due=True, seat=seat, amount=amount, why="raise", rule="raise_ladder")
        for seat, due in table.raises_due.items()
        if (amount := table.due_now(table.within_means(seat, (due, due, due)))) > 0
    ]


def _raises(table: Any) -> list[Step]:
    if table.rules.raise_ladder is not RaiseLadder.TO_6:
        return []
    others = [seat for seat in table.players if seat != table.offerer]
    steps = []
    if table.offer:
        steps += [one("raise_accepted", seat=seat, rule="raise_ladder") for seat in others]
        steps += [one("raise_declined", seat=seat, rule="raise_ladder") for seat in others]
    level = max(table.level, table.offer)
    if level < 6:
        steps += [one("raise_offered", seat=seat, to=level + 1, rule="raise_ladder") for seat in others]
    return steps
