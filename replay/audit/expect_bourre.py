"""What Bourré expects next from the turned trump to the decision (`rules.md` 4.5-4.9)."""

from typing import Any

from replay.audit.expect_steps import UNSEEN, Now, Step, one, plain, several
from replay.engine.bourre.draw import ACES
from replay.engine.bourre.state import SPEAKING
from schemas.cards import DOMAIN
from schemas.rules import Declaration, DrawFee, Recycle


def play(at: Now) -> list[Step]:
    """The steps of words, draws and plays."""
    table = at.table
    if table.phase == SPEAKING:
        return _words(table)
    seats = [table.next_up] if table.next_up else [seat for seat in table.ring if table.may_lead >> seat & 1]
    return [*told(table), *(_card(seat, "bourre.8" if table.trick_open() else "bourre.7") for seat in seats)]


def told(table: Any) -> list[Step]:
    """Who took the last trick, said aloud: a claim, never needed."""
    if not table.tricks or table.told >= len(table.tricks) or table.trick_open() or not table.tricks[-1].taker:
        return []
    return [one("trick_taken", seat=table.tricks[-1].taker, rule="bourre.9")]


def _card(seat: int, rule: str) -> Step:
    fields = {"type": "played", "seat": seat, "face": "up"}
    return Step("played", seat, True, asks="cards", least=1, most=1, fields=fields, rule=rule)


def _words(table: Any) -> list[Step]:
    stayed = [seat for seat in table.players if table.staying >> seat & 1]
    fees = [fee for seat in stayed for fee in _fee(table, seat, DrawFee.ANTE_IF_STAYING)]
    steps = [one("staked", due=True, rule="draw_fee", **plain(fee)) for fee in fees]
    if table.pending_seat:
        return [*steps, *_draw(table, table.pending_seat)]
    steps += [step for changer in _changers(table) for step in _change(table, changer)]
    if table.to_speak:
        seat = table.to_speak[0]
        words = ("stayed",) if _must_stay(table, seat) else ("stayed", "folded")
        steps += [one(kind, due=True, seat=seat, rule="bourre.5") for kind in words]
    else:
        steps += [_card(seat, "bourre.7") for seat in table.still_in()[:1]]
    return steps


def _must_stay(table: Any, seat: int) -> bool:
    """Whether the seat deals, and the card turned is surely an ace (`dealer_stays_on_ace`)."""
    turned = DOMAIN[table.turnup] if table.turnup >= 0 else 0
    return bool(table.rules.dealer_stays_on_ace and seat == table.dealer and turned and not turned & ~ACES)


def _changers(table: Any) -> list[int]:
    """The seats that may change cards now; whoever keeps his passes the draw on by saying nothing."""
    may = [seat for seat in table.players if table.staying >> seat & 1 and not table.drawn >> seat & 1]
    if table.rules.declaration is Declaration.ONE_ROUND:
        return [seat for seat in may if seat == table.speaker]
    if table.waits_for_words():
        return []
    return [seat for seat in may if table.players.index(seat) > table.draw_place]


def _most(table: Any) -> int:
    """How many cards may be changed (`max_draw`)."""
    seats = len(table.players)
    rows = table.rules.max_draw
    return int(next((cards for upto, cards in rows if seats <= upto), rows[-1][1]))


def _fee(table: Any, seat: int, rule: DrawFee) -> list[dict[str, Any]]:
    ante = table.ante
    amount = table.due_now(table.within_means(seat, (ante, ante, ante)))
    if table.rules.draw_fee is not rule or table.fee_paid >> seat & 1 or amount <= 0:
        return []
    return [{"type": "staked", "seat": seat, "amount": amount, "why": "draw_fee"}]


def _change(table: Any, seat: int) -> list[Step]:
    most = _most(table)
    shown = Step(
        "discarded", seat, asks="cards", least=1, most=most, fields={"type": "discarded", "seat": seat}, rule="bourre.5"
    )
    steps = [shown]
    fees = _fee(table, seat, DrawFee.ANTE_IF_DRAWING)
    for count in range(1, most + 1):
        if count <= table.stock:
            unseen = [UNSEEN] * count
            away = {"type": "discarded", "seat": seat, "cards": unseen}
            new = {"type": "drew", "seat": seat, "cards": unseen}
            steps.append(several("change_unseen", [away, *fees, new], rule="bourre.5"))
    return steps


def _draw(table: Any, seat: int) -> list[Step]:
    fees = _fee(table, seat, DrawFee.ANTE_IF_DRAWING)
    made_new = table.rules.recycle is not Recycle.NONE and table.pool_folded_cards + table.pool_served_cards
    if table.pending > table.stock and made_new:
        steps = [one("stock_recycled", due=True, rule="bourre.5")]
    else:
        count = min(table.pending, table.stock)
        drew = {"type": "drew", "seat": seat, "cards": [UNSEEN] * count}
        shown = Step(
            "drew", seat, not fees, asks="cards", least=count, most=count, fields={"type": "drew", "seat": seat},
            rule="bourre.5",
        )  # fmt: skip
        steps = [several("fee_and_draw" if fees else "draw_unseen", [*fees, drew], due=True, rule="bourre.5"), shown]
    paid = [one("staked", due=True, rule="draw_fee", **plain(fee)) for fee in fees]
    return [*paid, *steps]
