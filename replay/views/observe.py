"""From the fold to what a page shows: the table after each event of a hand, as the viewer knew it then."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from replay.audit.fold import Fold
from replay.views.sources import PileCard, SeatView, SetView, TableView
from schemas.cards import SPELLING, SUITS, spell_all
from schemas.events import Event, HandBegan, Played, TrumpTurned
from schemas.rules import HouseRules

PHASES: Final = {0: "between", 1: "antes", 2: "deal", 3: "draw", 4: "lead", 5: "answer", 6: "taken", 9: "settled"}
UNSEEN: Final = "??"


def observe(events: Sequence[Event], house: HouseRules, first: int) -> tuple[TableView, ...]:
    """The table after each event of the hand that begins at place `first` of a reading, redacted as the events are."""
    assert isinstance(events[first], HandBegan)
    return tuple(_Watch(house.game).snapshots(Fold(events, house).trace(first)))


def watch(game: str, steps: Iterator[tuple[Event, Any]]) -> tuple[TableView, ...]:
    """The table after each of these steps of one hand."""
    return tuple(_Watch(game).snapshots(steps))


def trump_shown(turned: TrumpTurned) -> bool:
    """Whether the suit of a turned card is on record; where it is not, the fold has taken one for another."""
    return turned.card[1] in SUITS


class _Watch:
    """Follows one hand and remembers what was laid, so that piles and sets can be shown."""

    def __init__(self, game: str) -> None:
        self.bura = game == "bura"
        self.laid: dict[int, Played] = {}
        self.trump_known = False

    def snapshots(self, steps: Iterator[tuple[Event, Any]]) -> Iterator[TableView]:
        """One snapshot a step."""
        for event, table in steps:
            if isinstance(event, Played):
                self.laid[event.seq] = event
            elif isinstance(event, TrumpTurned):
                self.trump_known |= trump_shown(event)
            yield self._snapshot(event, table)

    def _snapshot(self, event: Event, table: Any) -> TableView:
        seats = [seat for seat in range(1, table.seats() + 1) if table.occupied[seat]]
        sets = self._sets(table)
        return TableView(
            seq=event.seq,
            hand=table.hand,
            phase=PHASES.get(table.phase, "play"),
            dealer=table.dealer,
            trump=SUITS[table.trump] if table.trump >= 0 and self.trump_known else None,
            turnup=SPELLING[table.turnup] if table.turnup >= 0 else None,
            turnup_place=self._turnup_place(table),
            stock=table.stock if table.turnup >= 0 else None,
            pot=table.pot,
            acting=getattr(event, "seat", None),
            winning=table.winner or None,
            trick=len(table.tricks) + (1 if table.trick_open() else 0),
            leader=table.leader if table.leader > 0 else None,
            sets=sets,
            seats=tuple(self._seat(table, seat) for seat in seats),
        )

    def _turnup_place(self, table: Any) -> str | None:
        if table.turnup < 0:
            return None
        if table.turnup_is_dealt():
            return "dealers"
        if not table.turnup_under_stock():
            return "beside"
        return "under_stock" if table.stock else "drawn"

    def _sets(self, table: Any) -> tuple[SetView, ...]:
        """What lies on the table: the trick in hand, or the last one until the next lead."""
        seqs = table.laid_seqs() if table.trick_open() else (table.tricks[-1].seqs if table.tricks else ())
        plays = [self.laid[seq] for seq in seqs if seq in self.laid]
        winner = table.winner
        sets = []
        for place, play in enumerate(plays):
            up = play.face == "up"
            if place == 0:
                role = "led"
            elif not up:
                role = "thrown"
            else:
                role = "beats" if play.seat == winner else "beaten"
            sets.append(SetView(play.seat, play.cards, play.face, role, play.seq))
        return tuple(sets)

    def _seat(self, table: Any, seat: int) -> SeatView:
        sure = table.held[seat].sure
        unseen = max(0, table.held[seat].size - sure.bit_count())
        low, high = self._points(table, seat)
        bit = 1 << seat
        status = "in"
        if table.sitting & bit:
            status = "sat_out"
        elif table.folded_mask() & bit:
            status = "folded"
        elif table.leaving & bit:
            status = "left"
        return SeatView(
            seat=seat,
            cards=(*spell_all(sure), *(UNSEEN for _ in range(unseen))),
            pile=self._pile(table, seat),
            low=low,
            high=high,
            tricks=sum(1 for trick in table.tricks if trick.taker == seat),
            stack=table.stack[seat],
            status=status,
        )

    def _points(self, table: Any, seat: int) -> tuple[int | None, int | None]:
        if not self.bura or table.silent:
            return None, None
        low, high = table.pile_bounds(seat)
        return low, high

    def _pile(self, table: Any, seat: int) -> tuple[PileCard, ...]:
        cards = []
        for trick in table.tricks:
            if trick.taker != seat:
                continue
            for seq in trick.seqs:
                play = self.laid.get(seq)
                if play is not None:
                    down = play.face == "down"
                    cards += [PileCard(card, trick.trick, down, seq) for card in play.cards]
        return tuple(cards)
