"""A whole hand at once, for who steps in his browser: what each event changes on the table, and the words around it.

A page's sentences stand in its log already; what only a rested look needs - reasons, findings - is asked for apart.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from replay.views import logbook, table
from replay.views.addresses import Addresses
from replay.views.glyphs import RANKS, SUITS, letter
from replay.views.parts import CardFace, SeatBox, SetBox, StockBox
from replay.views.reasons import at_stake
from replay.views.scene import UNSEEN, Scene, labels_of
from replay.views.sources import HandSource
from replay.views.step import aside, beyond, jump_marks, stop, warnings
from replay.views.wording import GAP, Part, Sentence, Wording

_EVENT: Final = re.compile(r"/hands/(\d+)/events/(\d+)")
_SAID: Final = {
    "empty": "step.empty",
    "back": "card.back",
    "labelled": "card.back_labelled",
    "card": "card.name",
    "stack": "stack",
    "winning": "set.winning",
    "event": "step.event_blind",
    "rail": "rail.at",
    "rail_trick": "rail.at_trick",
    "step": "rail.step",
    "must": "points.must",
    "open": "points.open",
    "cannot": "points.cannot",
}


def step_words(words: Wording) -> dict[str, Any]:
    """The words of one language that stand around every step, with their holes."""
    return {
        **{name: words.template(key) for name, key in _SAID.items()},
        "rank": {rank: [letter(rank, words.lang), words.template(f"rank.{rank}")] for rank in RANKS},
        "suit": {suit: words.template(f"suit_of.{suit}") for suit in SUITS},
    }


def hand_steps(sources: Sequence[HandSource], wording: Wording, to: Addresses) -> dict[str, Any]:
    """The hand as data for the stepper; `sources` is the hand as it could be known at each of its events, in order.

    `columns` holds by name what changes: the place of an event in the hand and the value from there on, in turn;
    what is empty from the start is left out.
    """
    wording = wording.of(sources[0].head.digits)
    scenes = [Scene(source, wording, to, at, to.names, False, labels_of(source)) for at, source in enumerate(sources)]
    columns: dict[str, list[Any]] = {}
    last: dict[str, Any] = {}
    for at, scene in enumerate(scenes):
        for name, value in _state(scene).items():
            if last.get(name) != value and (value or last.get(name)):
                columns.setdefault(name, []).extend((at, value))
                last[name] = value
    head = sources[0].head
    acts, acting = _acts(scenes)
    return {
        "lang": wording.lang,
        "hand": sources[0].hand,
        "events": head.events - 1,
        "seqs": _runs([scene.seq for scene in scenes]),
        "names": {seat.seat: scenes[0].name(seat.seat) for one in sources[0].tables for seat in one.seats},
        "stake": at_stake(scenes[0])[0],
        "target": head.target,
        "tick": table.track(0, 0, head.target, scenes[0]).tick if head.target else "",
        "beyond": list(beyond(scenes[0])),
        "acts": acts,
        "acting": acting,
        "columns": columns,
        "lines": _lines(scenes),
    }


def _state(scene: Scene) -> dict[str, Any]:
    """Everything on the table after one event, by the name of its column."""
    others, mine = table.seats(scene)
    stock, sets = table.stock_box(scene), table.set_boxes(scene)
    _, pot, pot_text = at_stake(scene)
    out: dict[str, Any] = {
        "order": [box.seat for box in (*others, mine)],
        "aside": aside(scene),
        "stop": stop(scene),
        "trick": scene.table.trick,
        "fresh": sum(card.fresh for box in (*others, mine) for card in box.cards),
        "sets": [_set(box, one.seat) for box, one in zip(sets, scene.table.sets, strict=True)],
        "won": next((one.order for one in sets if one.winning), 0),
        "stock": stock and _stock(stock, scene),
        "pot": pot,
        "pot_text": told(pot_text, scene),
        "warn": [told(one, scene) for one in warnings(scene)],
        "jumps": jump_marks(scene),
    }
    for box in (*others, mine):
        out |= {f"{name}{box.seat}": value for name, value in _seat(box, scene).items()}
    return out


def _stock(stock: StockBox, scene: Scene) -> list[Any]:
    return [_card(stock.turnup), int(stock.under), stock.stock, told(stock.trump, scene), int(stock.back)]


def _card(face: CardFace | None) -> str:
    return "" if face is None else UNSEEN if face.full == "back" else face.full


def _runs(seqs: Sequence[int]) -> list[int]:
    """First number and length of each run of numbers.

    >>> _runs([7, 8, 9, 12])
    [7, 3, 12, 1]
    """
    out: list[int] = []
    for seq in seqs:
        if out and seq == out[-2] + out[-1]:
            out[-1] += 1
        else:
            out += [seq, 1]
    return out


def _acts(scenes: Sequence[Scene]) -> tuple[list[list[str]], str]:
    """What seats do, word and mark; and by event two signs: the digit of the seat that acts, the letter of its deed."""
    acts: list[list[str]] = []
    said = ""
    for scene in scenes:
        others, mine = table.seats(scene)
        box = next((box for box in (*others, mine) if box.acting), None)
        act = [box.act.text, box.act.mark] if box and box.act else None
        if act and act not in acts:
            acts.append(act)
        said += str(box.seat if box else 0) + (chr(ord("a") + acts.index(act)) if act else "-")
    return acts, said


def _set(one: SetBox, seat: int) -> list[Any]:
    """Seat, act, cards, labels of those that have one, note where it is not that it wins."""
    labels = [card.label for card in one.cards if card.label]
    told = [seat, one.act, "".join(_card(card) for card in one.cards)]
    note = "" if one.winning else one.note
    return [*told, labels, note] if note else [*told, labels] if labels else told


def _seat(box: SeatBox, scene: Scene) -> dict[str, Any]:
    track = box.track
    return {
        "notes": list(box.notes),
        "stack": box.stack,
        "cards": "".join(_card(card) for card in box.cards),
        "heap": [sum(box.slivers), len(box.slivers)],
        "pile": told(box.pile, scene),
        "hidden": told(box.hidden, scene),
        "tricks": [told(one.text, scene) for one in box.pile_tricks],
        "track": [track.span, track.state, track.x, track.width, int(track.exact)] if track else None,
        "taken": box.tricks,
        "out": int(box.out),
    }


def told(sentence: Sentence, scene: Scene) -> list[Any]:
    """A sentence as text and tokens.

    A card is `[Kc]`, a label `[3]`; followed by 1 where it leads to its moments; a half-known card brings its name
    and text along; 0 is the gap between two cards. A link is `[text, address]`, to an event in this view
    `[text, hand, seq]`.
    """
    return [_token(part, scene) for part in sentence]


def _token(part: Part, scene: Scene) -> Any:
    if part.label:
        return [part.label, 1] if part.href else [part.label]
    if part.card:
        if "?" in part.card:
            return [part.card, int(bool(part.href)), part.name, part.text]
        return [part.card, 1] if part.href else [part.card]
    if part == GAP:
        return 0
    return [part.text, *_led(part.href, scene)] if part.href else part.text


def _led(href: str, scene: Scene) -> tuple[int, int] | tuple[str]:
    found = _EVENT.search(href)
    event = (int(found[1]), int(found[2])) if found else (0, 0)
    return event if href == scene.to.event(*event) else (href,)


def _lines(scenes: Sequence[Scene]) -> dict[int, list[Any]]:
    """The log's lines that do not read the same at every step: by place, from which step on they read how."""
    out: dict[int, list[Any]] = {}
    for index in range(len(scenes)):
        ways = [_line(scene, index) for scene in scenes]
        if any(way != ways[0] for way in ways):
            out[index] = [one for at, way in enumerate(ways) if not at or way != ways[at - 1] for one in (at, way)]
    return out


def _line(scene: Scene, index: int) -> list[Any]:
    marks: Mapping[int, tuple[str, ...]] = logbook.marks_of(scene)
    mine = marks.get(int(scene.source.events[index]["seq"]), ())
    mark = mine[0] if mine else ""
    name = scene.wording.say(f"mark.{mark}") if mark else ""
    return [told(logbook.sentence(scene, index), scene), mark, name]
