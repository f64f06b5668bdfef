"""What the rules expect next at a table, and what they allow: who, what, how many, how much; from the table alone.

A step that has `events` can be recorded as it stands; the others lack cards, a number or a seat.
"""

from collections.abc import Sequence
from typing import Any

from replay.audit import expect_bourre, expect_bura
from replay.audit.expect_steps import UNSEEN, Now, Step, decided, one, plain, rule_of, settlement, several
from replay.audit.explore import Branch, fork
from replay.audit.fold import Fold, hand_end
from replay.engine.findings import Finding, Severity
from replay.engine.seating import BEGUN, BETWEEN, DEALING, DECIDED
from schemas.events import Event, HandBegan
from schemas.rules import AnteBy, HouseRules, Scoring

__all__ = ["Now", "Step", "expected", "now"]


def now(events: Sequence[Event], house: HouseRules) -> Now:
    """The table after the last event, the hand gone the way that fits best what is recorded of it."""
    places = [place for place, event in enumerate(events) if isinstance(event, HandBegan)]
    fold = Fold(events, house)
    findings: tuple[Finding, ...] = ()
    hand: tuple[Event, ...] = ()
    table, place = fold.table, 1
    if places:
        place = hand_end(events, places[-1])
        best = min(fold.ways(places[-1], place), key=_errors)
        table, findings, hand = best.table, best.findings, tuple(events[places[-1] : place])
    for event in events[place:]:
        table.step(event)
    return Now(table, findings, hand)


def _errors(way: Branch) -> int:
    return sum(finding.severity is Severity.ERROR for finding in way.findings)


def expected(at: Now, seq: int) -> tuple[Step, ...]:
    """The steps from here, what is due first; `seq` is the number of the next event."""
    table = at.table
    if table.silent:
        return (one("hand_ended", due=True, reason="abandoned"),)
    if table.phase == BETWEEN:
        found = _between(table, seq)
    elif table.phase == BEGUN:
        found = _begun(table)
    elif table.phase == DEALING:
        found = _deal(table)
    elif table.phase == DECIDED:
        found = settlement(table, at.hand) + (expect_bourre.told(table) if table.game == "bourre" else [])
    else:
        found = _play(at)
    if table.phase not in (BETWEEN, DECIDED) and decided(table).phase != DECIDED:
        found = [*found, one("hand_ended", reason="abandoned" if table.played_any else "misdeal")]
    return tuple(sorted(found, key=lambda step: not step.due))


def _play(at: Now) -> list[Step]:
    return expect_bura.play(at) if at.table.game == "bura" else expect_bourre.play(at)


# -- between hands, antes, the deal ------------------------------------------------------------------------------------


def _plays_for_chips(table: Any) -> bool:
    return table.game != "bura" or table.rules.scoring is Scoring.POT


def _between(table: Any, seq: int) -> list[Step]:
    dealer = table.expected_dealer
    if dealer and (table.expected_left or not table.plays(dealer)):
        dealer = table.left_of(dealer)
    if not dealer and table.game == "bourre" and table.setters:
        dealer = table.setters[-1][1]  # who has set the ante deals
    number = (table.numbered if table.numbered >= 0 else table.hand) + 1
    seats = [dealer] if dealer else [seat for seat in range(1, table.seats() + 1) if table.occupied[seat]]
    wanting = not table.ante and _plays_for_chips(table) and table.antes_due()
    steps = [_stake(table, dealer, due=wanting)] if _plays_for_chips(table) else []
    rule = rule_of(table, ".4", ".2")
    steps += [one("hand_began", due=not wanting, hand=number, dealer=seat, rule=rule) for seat in seats]
    return [*steps, one("recording_ended", events=seq + 1)]


def _stake(table: Any, dealer: int, *, due: bool) -> Step:
    by_dealer = table.game == "bourre" and table.rules.ante_by is AnteBy.DEALER and dealer
    fields = {"type": "stake_set", **({"seat": dealer} if by_dealer else {})}
    rule = rule_of(table, ".3", ".3")
    return Step("stake_set", dealer if by_dealer else 0, due, asks="amount", fields=fields, rule=rule)


def _begun(table: Any) -> list[Step]:
    twin = fork(table)
    if not twin.players:
        twin.seat_players()
    unpaid = [seat for seat in twin.players if not table.paid_ante >> seat & 1]
    antes = [
        {"type": "staked", "seat": seat, "amount": amount, "why": "ante"}
        for seat in unpaid
        if (amount := table.due_now(table.within_means(seat, twin.ante_of(seat)))) > 0
    ]
    steps: list[Step] = []
    wanting = not table.ante and _plays_for_chips(table) and table.antes_due()
    if wanting:
        fields = {"type": "staked", "seat": unpaid[0], "why": "ante"} if unpaid else {}
        first = Step("staked", unpaid[0], asks="amount", fields=fields) if unpaid else None
        steps += [_stake(table, table.dealer, due=True), *([first] if first else [])]
    elif len(antes) > 1:
        steps.append(several("antes", antes, due=True, rule=rule_of(table, ".3", ".3")))
    steps += [one("staked", due=True, rule=rule_of(table, ".3", ".3"), **plain(ante)) for ante in antes]
    steps += _debts(table)
    deal = _deal(twin, due=not antes and not wanting)
    sitting = [one("sat_out", seat=seat) for seat in unpaid if len(twin.players) > 2]
    return [*steps, *deal, *sitting]


def _debts(table: Any) -> list[Step]:
    steps = []
    for seat, debt in table.open_debts():
        can = table.can_pay(seat) if seat else 0
        amount = debt if can is None else min(debt, can)
        if seat and amount > 0:
            steps.append(one("staked", seat=seat, amount=amount, why="debt", rule=rule_of(table, ".15", ".10")))
    return steps


def _deal(table: Any, *, due: bool = True) -> list[Step]:
    waiting = table.players[len(table.order) :]
    count, rule = table.hand_size or 3, rule_of(table, ".5", ".4")
    if table.game == "bourre":
        count = 5
    if not waiting:
        fields = {"type": "trump_turned"}
        return [Step("trump_turned", 0, due, asks="cards", least=1, most=1, fields=fields, rule=rule)]
    unseen = [{"type": "dealt", "seat": seat, "cards": [UNSEEN] * count} for seat in waiting]
    fields = {"type": "dealt", "seat": waiting[0]}
    first = Step("dealt", waiting[0], due, asks="cards", least=count, most=count, fields=fields, rule=rule)
    return [several("deal_unseen", unseen, due=due, rule=rule), first]
