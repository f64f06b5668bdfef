"""Where a card was and when: dealt, drawn, played, taken, counted - as far as this view may know at this step."""

from collections.abc import Iterator
from typing import Final

from replay.views.parts import Term
from replay.views.scene import Scene
from replay.views.sources import EventDict
from replay.views.wording import Part, Sentence

_MOVES: Final = ("dealt", "drew", "discarded", "played", "revealed", "trump_turned")


def title(scene: Scene) -> Sentence:
    """Which card is asked after: its face, or the label of its back; nothing where none is."""
    asked = scene.look.of
    if asked.isdecimal() and int(asked) in scene.labels.values():
        return scene.wording.parts("moments.title", card=scene.wording.label(int(asked)))
    if asked in scene.pack():
        return scene.wording.parts("moments.title", card=scene.wording.card(asked))
    return ()


def moments(scene: Scene) -> tuple[Term, ...]:
    """The moments of the card asked after, each leading to its event."""
    asked = scene.look.of
    spot = next((spot for spot, label in scene.labels.items() if str(label) == asked), None)
    rows: list[Term] = []
    seen: set[int] = set()
    for event in scene.source.events[: scene.at + 1]:
        if not _tells(event, asked, spot):
            continue
        seq = int(event["seq"])
        seen.add(seq)
        rows.append(_row(scene, seq, f"moments.{event['type']}", int(event.get("seat") or 0)))
    rows += [_row(scene, seq, key, seat) for seq, key, seat in _taken(scene, seen)]
    return tuple(rows)


def _tells(event: EventDict, asked: str, spot: tuple[int, int] | None) -> bool:
    if event["type"] not in _MOVES:
        return False
    if spot is not None:
        return int(event["seq"]) == spot[0] or (event["type"] == "revealed" and event.get("of") == spot[0])
    return asked in event.get("cards", ()) or event.get("card") == asked


def _taken(scene: Scene, played: set[int]) -> Iterator[tuple[int, str, int]]:
    """When the trick was taken in which it lay, and when that pile was counted."""
    owner = 0
    for index, event in enumerate(scene.source.events[: scene.at + 1]):
        seat, kind = int(event.get("seat") or 0), event["type"]
        if kind == "trick_taken" and not owner:
            table = scene.source.tables[index]
            if any(card.seq in played for one in table.seats for card in one.pile if one.seat == seat):
                owner = seat
                yield int(event["seq"]), "moments.taken", seat
        elif kind == "counted" and seat and seat == owner:
            yield int(event["seq"]), "moments.counted", seat


def _row(scene: Scene, seq: int, key: str, seat: int) -> Term:
    said = scene.wording.parts(key, seat=scene.name(seat) if seat else "")
    link = Part(scene.wording.say("where.event", seq=seq), href=scene.link(seq))
    return Term("", (link, Part(" "), *said), "")
