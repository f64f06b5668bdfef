"""An opened pile counted card by card: each card turned, the running sum, what was said beside what it holds."""

from typing import Final

from replay.views.parts import CountBox, CountRow, Link
from replay.views.scene import POINTS, UNSEEN, Scene, face
from replay.views.sources import EventDict, SeatView
from replay.views.table import places_in

_COUNTS: Final = ("opened", "counted")


def _pile(scene: Scene) -> SeatView | None:
    if scene.event["type"] not in _COUNTS:
        return None
    seat = scene.seat(int(scene.event.get("seat") or 0))
    return seat if seat and seat.pile and seat.low is not None else None


def _said(scene: Scene, seat: int) -> EventDict | None:
    """The count said aloud for this pile, up to this step."""
    events = scene.source.events[: scene.at + 1]
    return next((one for one in events if one["type"] == "counted" and one.get("seat") == seat), None)


def count_box(scene: Scene) -> CountBox | None:
    """The pile of the seat that opens or counts, turned as far as the reader has stepped; all of it where he has not.

    Nothing at other events.
    """
    seat = _pile(scene)
    if seat is None or seat.low is None or seat.high is None:
        return None
    words, whole = scene.wording, len(seat.pile)
    turned = min(scene.look.card, whole) if scene.look.card else whole
    rows, total = _rows(scene, seat, turned)
    said = _said(scene, seat.seat)
    done = turned == whole
    first = scene.look.card < 2
    back = Link(words.say("count_pile.back"), "") if first else _step(scene, turned - 1, "count_pile.back")
    return CountBox(
        title=words.say("count_pile.title", seat=scene.name(seat.seat)),
        rows=tuple(rows),
        said=words.amount(int(said["points"])) if said and "points" in said else "",
        due=words.span(seat.low, seat.high) if done else words.amount(total),
        agrees=bool(said and done and seat.low == seat.high == said.get("points")),
        back=back,
        next=Link(words.say("count_pile.next"), "") if done and scene.look.card else _next(scene, turned),
        all=Link(words.say("count_pile.all"), scene.link(scene.seq) if scene.look.card else ""),
        place=words.say("count_pile.place", n=turned, of=whole),
    )


def _rows(scene: Scene, seat: SeatView, turned: int) -> tuple[list[CountRow], int]:
    rows: list[CountRow] = []
    total = 0
    words = scene.wording
    for place, (card, spot) in enumerate(zip(seat.pile, places_in(seat.pile), strict=True), start=1):
        label = scene.label(card.seq, spot) if card.face_down else 0
        shown = card.card if place <= turned else UNSEEN
        known = "?" not in shown
        total += POINTS.get(shown[0], 0) if known else 0
        rows.append(
            CountRow(
                face=face(shown, words, label if card.face_down else 0, fresh=place == turned),
                value=words.amount(POINTS.get(shown[0], 0)) if known else "–",
                sum=words.amount(total) if place <= turned else "",
                href=scene.to.event(scene.hand, card.seq),
                turned=place <= turned,
            )
        )
    return rows, total


def _next(scene: Scene, turned: int) -> Link:
    return _step(scene, turned + 1, "count_pile.next") if scene.look.card else _step(scene, 1, "count_pile.start")


def _step(scene: Scene, card: int, key: str) -> Link:
    return Link(scene.wording.say(key), scene.to.event(scene.hand, scene.seq, card=str(card)) + "#why")
