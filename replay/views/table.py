"""The table drawn in boxes: seats with hands, piles and points; the trick; the stock."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from replay.views.parts import CardFace, PileTrick, SeatBox, SetBox, StockBox, Tag, Track
from replay.views.scene import UNSEEN, Scene, face, joined, percent
from replay.views.sources import PileCard, SeatView, SetView
from replay.views.wording import Part, Sentence

_SCALE: Final = 60
_ACTS: Final = {
    "opened": "opened",
    "counted": "opened",
    "played": "played",
    "drew": "drew",
    "declared": "declared",
    "pot_taken": "pot",
    "staked": "pot",
    "trick_taken": "ok",
    "folded": "cannot",
    "stayed": "ok",
    "discarded": "drew",
}


def track(low: int, high: int, target: int, scene: Scene) -> Track:
    """The points track: what the pile can hold at least and at most, against the target."""
    state = "must" if low >= target else "cannot" if high < target else "open"
    left, right = min(low, _SCALE), min(high, _SCALE)
    return Track(
        span=scene.wording.span(low, high),
        state=state,
        word=scene.wording.say(f"points.{state}", target=target),
        icon="dbt" if state == "open" else state,
        x=percent(left, _SCALE),
        width=percent(right - left, _SCALE),
        tick=percent(min(target, _SCALE), _SCALE),
        exact=low == high,
    )


def places_in(pile: Sequence[PileCard]) -> list[int]:
    """For each card of a pile: its place in the event that laid it, as far as the pile's own order tells."""
    seen: dict[int, int] = {}
    out: list[int] = []
    for card in pile:
        out.append(seen.get(card.seq, 0))
        seen[card.seq] = out[-1] + 1
    return out


def hidden_labels(scene: Scene, pile: Sequence[PileCard]) -> list[tuple[PileCard, int, int]]:
    """The labelled cards of a pile: card, place in its event, label."""
    rows = zip(pile, places_in(pile), strict=True)
    found = [(card, place, scene.label(card.seq, place)) for card, place in rows if card.face_down]
    return [row for row in found if row[2]]


def _pile_tricks(scene: Scene, seat: SeatView) -> tuple[PileTrick, ...]:
    tricks: dict[int, list[tuple[str, int]]] = {}
    for card, place in zip(seat.pile, places_in(seat.pile), strict=True):
        label = scene.label(card.seq, place) if card.face_down else 0
        tricks.setdefault(card.trick, []).append((card.card, label))
    return tuple(
        scene.kept(("pile", trick), cards, partial(_pile_trick, scene, trick, cards))
        for trick, cards in sorted(tricks.items())
    )


def _pile_trick(scene: Scene, trick: int, cards: Sequence[tuple[str, int]]) -> PileTrick:
    words = scene.wording
    told: list[Sentence] = []
    for card, label in cards:
        href = scene.about(card, label)
        shown: list[Part] = [words.label(label, href)] if label else []
        if "?" not in card:
            known = words.card(card, "" if label else href)
            shown += [Part(" "), known] if shown else [known]
        elif not shown:
            shown = [Part("–")]
        told.append(tuple(shown))
    return PileTrick(trick, (Part(words.say("chapter.trick", trick=trick) + words.colon), *joined(told, " ")))


def _notes(scene: Scene, seat: SeatView) -> tuple[str, ...]:
    notes = []
    view = scene.source.head.view
    if view == f"seat:{seat.seat}":
        notes.append(scene.wording.say("seat_note.viewed"))
    if seat.seat == scene.table.dealer:
        notes.append(scene.wording.say("seat_note.dealer"))
    if seat.status != "in":
        notes.append(scene.wording.say(f"seat_note.{seat.status}"))
    return tuple(notes)


def _holding(scene: Scene, seat: SeatView) -> tuple[CardFace, ...]:
    """The cards in hand; those that came in this very step are marked, they stand last."""
    event = scene.event
    came = len(event["cards"]) if event["type"] in ("drew", "dealt") and event.get("seat") == seat.seat else 0
    first = len(seat.cards) - came
    return tuple(scene.face(card, fresh=n >= first) for n, card in enumerate(seat.cards))


def seat_box(scene: Scene, seat: SeatView) -> SeatBox:
    """One seat in a box; the one drawn before, where nothing of it is new."""
    acts = scene.event if scene.table.acting == seat.seat else None
    on = (seat, acts, scene.table.dealer == seat.seat, scene.viewer, len(scene.labels))
    found: SeatBox = scene.kept(("seat", seat.seat), on, lambda: _seat_box(scene, seat))
    return found


def _seat_box(scene: Scene, seat: SeatView) -> SeatBox:
    kind = str(scene.event["type"])
    acting = scene.table.acting == seat.seat
    mark = _ACTS.get(kind, "")
    act = Tag("acc", scene.wording.say(f"act.{kind}"), mark) if acting and mark else None
    out = seat.status != "in"
    down = [label for _, _, label in hidden_labels(scene, seat.pile)]
    hidden = _short([(scene.wording.label(label, scene.about("", label)),) for label in down])
    points = seat.low is not None and seat.high is not None and not out and scene.source.head.target
    return SeatBox(
        seat=seat.seat,
        name=scene.name(seat.seat),
        acting=acting,
        mine=seat.seat == scene.viewer,
        act=act,
        notes=_notes(scene, seat),
        stack_word=scene.wording.say("stack"),
        stack=scene.wording.money(seat.stack),
        cards=() if out else _holding(scene, seat),
        slivers=tuple(sorted((card.face_down for card in seat.pile), reverse=True))[:9],
        pile=scene.wording.parts("pile", len(seat.pile)) if seat.pile or points else (),
        hidden=scene.wording.parts("pile_hidden", labels=joined([*hidden], " ")) if hidden else (),
        pile_tricks=_pile_tricks(scene, seat),
        track=track(seat.low or 0, seat.high or 0, scene.source.head.target, scene) if points else None,
        tricks="" if points or out else scene.wording.say("tricks", seat.tricks),
        out=out,
    )


def _short(labels: list[Sentence]) -> list[Sentence]:
    """Many labels as the first and the last; the list by trick has them all."""
    return labels if len(labels) < 4 else [labels[0], (Part("…"),), labels[-1]]


def seats(scene: Scene) -> tuple[tuple[SeatBox, ...], SeatBox]:
    """The other seats clockwise from the viewed one, and the viewed one."""
    order = sorted(scene.table.seats, key=lambda seat: (seat.seat - scene.viewer) % 64)
    mine = order[0]
    return tuple(seat_box(scene, seat) for seat in order[1:]), seat_box(scene, mine)


def set_boxes(scene: Scene) -> tuple[SetBox, ...]:
    """The trick on the table, in order of play."""
    return tuple(_kept_set(scene, order, one) for order, one in enumerate(scene.table.sets, start=1))


def _kept_set(scene: Scene, order: int, one: SetView) -> SetBox:
    """The one drawn before, where nothing of it is new."""
    on = (one, scene.table.winning, one.seq == scene.seq, len(scene.labels))
    found: SetBox = scene.kept(("set", order), on, lambda: _set_box(scene, order, one))
    return found


def _laid(scene: Scene, one: SetView, place: int, card: str) -> CardFace:
    return scene.face(card, scene.label(one.seq, place) if one.face == "down" else 0)


def _set_box(scene: Scene, order: int, one: SetView) -> SetBox:
    down = one.face == "down"
    open_ = any(each.seq in scene.unsettled for each in scene.table.sets)
    winning = scene.table.winning == one.seat and not down and not open_
    role = "down" if down else "thrown" if one.seq in scene.unsettled else one.role
    if role == "beaten" and scene.source.head.game == "bourre":
        role = "thrown"  # one card, laid by duty: whether it beat for a while says nothing
    cards = tuple(_laid(scene, one, place, card) for place, card in enumerate(one.cards))
    note = ""
    if winning:
        note = scene.wording.say("set.winning")
    elif role == "beaten":
        note = scene.wording.say("set.beaten_note")
    elif down and UNSEEN in one.cards:
        note = scene.wording.say("set.seen_only_by", name=scene.name(one.seat))
    elif down:
        note = scene.wording.say("set.was_down")
    act = scene.wording.say(f"set.{role}")
    return SetBox(order, act, scene.name(one.seat), cards, winning, note, one.seq == scene.seq)


def stock_box(scene: Scene) -> StockBox | None:
    """The stock with the turn-up; nothing before the turn-up is known to lie anywhere."""
    table = scene.table
    if table.trump is None and table.turnup is None and table.stock is None:
        return None
    words = scene.wording
    known = table.turnup is not None and "?" not in table.turnup
    if known and table.turnup:
        shown: Part = words.card(table.turnup)
    elif table.trump:
        shown = Part(words.say(f"suit.{table.trump}"), card=f"?{table.trump}", name=words.say(f"suit.{table.trump}"))
    else:
        shown = Part("–")
    place = table.turnup_place or "none"
    lying = face(table.turnup, words) if known and table.turnup and place not in ("drawn", "dealers") else None
    return StockBox(
        turnup=lying,
        under=place == "under_stock" and bool(table.stock),
        stock=words.say("stock", n=table.stock) if table.stock is not None else "",
        trump=words.parts(f"trump.{place}", card=shown) if table.trump else words.parts("trump.unseen"),
        back=bool(table.stock),
    )
