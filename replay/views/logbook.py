"""Each event in one sentence; the log of a hand; the slider's marks."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from replay.views.parts import Link, LogGroup, LogLine, Rail, RailMark, RailTick
from replay.views.scene import UNSEEN, Scene, joined, percent
from replay.views.wording import GAP, Part, Sentence, plain

_GRAVITY: Final = {"bad": 0, "dbt": 1, "opened": 2, "pot": 3, "note": 4, "": 5}
#: A mark of the rail: its place in percent, its event and what it is.
_Flag = tuple[float, int, str]
#: Marks closer than this stand in each other's way, in percent of the rail.
_NEAR: Final = 3.6
_NEAR_ON_A_PHONE: Final = 4.6
#: The same of the numbers of tricks under it.
_NEAR_NUMBERS: Final = 8.5
_SEVERITY: Final = {"error": "bad", "doubt": "dbt", "note": "note"}
#: What is said or noted beside the play belongs to what it follows.
_BESIDE: Final = frozenset(
    ("pot_counted", "stack_counted", "noted", "testified", "revealed", "deck_revealed", "corrected", "inserted")
)
_SETTLING: Final = ("failed_open", "razburka", "bourre")
_MONEY: Final = ("staked", "pot_taken", "pot_counted", "stack_counted", "chips_bought", "stake_set")


def sentence(scene: Scene, index: int) -> Sentence:
    """What happened in one event. Step after step tells the same: it is put into words once."""
    event = scene.source.events[index]
    found: Sentence = scene.kept(("sentence", index), event, lambda: _sentence(scene, index))
    return found


def _sentence(scene: Scene, index: int) -> Sentence:
    event = scene.source.events[index]
    kind = str(event["type"])
    words = scene.wording
    values: dict[str, Any] = {"seat": scene.name(int(event["seat"]))} if event.get("seat") else {}
    if kind == "played":
        return _played(scene, index, values)
    if kind in ("drew", "dealt", "discarded"):
        return _moved(scene, event, values)
    if kind in ("staked", "hand_ended", "declared"):
        detail = event.get("why") or event.get("reason") or event.get("combination")
        values["amount"] = int(event.get("amount", 0))
        said = words.parts(f"event.{kind}.{detail}", **values)
        shown = event.get("cards") or ()
        return (*said, Part(" "), *words.cards(shown)) if shown else said
    return _other(scene, index, values)


def _other(scene: Scene, index: int, values: dict[str, Any]) -> Sentence:
    event = scene.source.events[index]
    kind = str(event["type"])
    words = scene.wording
    for key in ("amount", "points", "hand", "of", "after", "to", "events"):
        if isinstance(event.get(key), int):
            values[key] = event[key]
    if kind == "trick_taken":
        values["trick"] = scene.source.tables[index].trick
    if kind == "hand_began":
        values["dealer"] = scene.name(int(event["dealer"]))
    if "card" in event:
        values["card"] = words.card(event["card"])
    if kind == "noted":
        return _noted(event, scene)
    key = "event.struck" if kind == "corrected" and event.get("event") is None else f"event.{kind}"
    if kind in ("stake_set", "trick_taken", "testified", "stock_recycled") and words.has(f"{key}_by"):
        key = f"{key}_by" if "seat" in values else key
    if kind == "testified" and all(card == UNSEEN for card in event["cards"]):
        return words.parts("event.testified_none", **values)
    said = words.parts(key, **values)
    shown = event.get("cards") if kind in ("revealed", "testified") else None
    return (*said, Part(" "), *_candidates(scene, shown)) if shown else said


def _noted(event: Mapping[str, Any], scene: Scene) -> Sentence:
    """Free text, and who says it; neither where names are left out."""
    if not scene.named:
        return scene.wording.parts("event.noted_unnamed")
    text, seat = str(event.get("text", "")), int(event.get("seat") or 0)
    return scene.wording.parts("event.noted_by", seat=scene.name(seat), text=text) if seat else (Part(text),)


def _candidates(scene: Scene, cards: list[str]) -> Sentence:
    return joined([joined([(scene.wording.card(one),) for one in card.split("/")], "/") for card in cards], GAP)


def _played(scene: Scene, index: int, values: dict[str, Any]) -> Sentence:
    event = scene.source.events[index]
    words = scene.wording
    cards: list[str] = list(event["cards"])
    if event.get("face") == "down":
        values["cards"] = joined([_hidden(scene, event["seq"], n, card) for n, card in enumerate(cards)], " ")
        return words.parts("event.played.down", len(cards), **values)
    role = next((one.role for one in scene.source.tables[index].sets if one.seq == event["seq"]), "thrown")
    values["cards"] = _candidates(scene, cards)
    settled = role in ("led", "beats") and event["seq"] not in scene.unsettled
    return words.parts(f"event.played.{role if settled else 'thrown'}", **values)


def _hidden(scene: Scene, seq: int, place: int, card: str) -> Sentence:
    label = scene.label_part(seq, place)
    if card == UNSEEN:
        return (label,)
    return (label, Part(" "), scene.wording.card(card))


def _moved(scene: Scene, event: Mapping[str, Any], values: dict[str, Any]) -> Sentence:
    cards: list[str] = list(event["cards"])
    kind = str(event["type"])
    if not cards:
        return scene.wording.parts(f"event.{kind}_none", **values)
    if all(card == UNSEEN for card in cards):
        return scene.wording.parts(f"event.{kind}_unseen", len(cards), **values)
    return scene.wording.parts(f"event.{kind}", cards=_candidates(scene, cards), **values)


def marks_of(scene: Scene) -> dict[int, tuple[str, ...]]:
    """By event: what is to be marked there, gravest first. In blind mode nothing after this step."""
    if "marks" not in scene.known:
        scene.known["marks"] = _marks(scene)
    found: dict[int, tuple[str, ...]] = scene.known["marks"]
    return found


def _marks(scene: Scene) -> dict[int, tuple[str, ...]]:
    out: dict[int, set[str]] = {}
    for finding in scene.source.findings:
        if finding.get("hand") == scene.hand:
            out.setdefault(int(finding["seq"]), set()).add(_SEVERITY[str(finding["severity"])])
    for event in scene.source.events:
        seq, kind = int(event["seq"]), str(event["type"])
        if kind == "opened":
            out.setdefault(seq, set()).add("opened")
        elif kind == "pot_taken" or (kind == "staked" and event.get("why") != "ante"):
            out.setdefault(seq, set()).add("pot")
        if kind in ("noted", "testified", "corrected", "inserted") or (event.get("note") and scene.named):
            out.setdefault(seq, set()).add("note")
    return {
        seq: tuple(sorted(marks, key=_GRAVITY.__getitem__))
        for seq, marks in out.items()
        if not (scene.blind and scene.later(seq))
    }


def chapter(scene: Scene, index: int) -> tuple[str, int]:
    """The part of the hand an event belongs to: the deal, a trick, or the settlement."""
    at = index
    while at and scene.source.events[at]["type"] in _BESIDE:
        at -= 1
    event, table = scene.source.events[at], scene.source.tables[index]
    if event["type"] in ("pot_taken", "hand_ended") or event.get("why") in _SETTLING:
        return "settled", 0
    return ("trick", table.trick) if table.trick else ("deal", 0)


def _shown(kind: str, marks: tuple[str, ...], chosen: str) -> bool:
    if chosen == "play":
        return kind not in _MONEY
    if chosen == "money":
        return kind in _MONEY or kind in ("opened", "counted")
    return bool(marks) if chosen == "marks" else True


def log(scene: Scene) -> tuple[LogGroup, ...]:
    """The hand's events as sentences, grouped by trick; in blind mode only up to this step."""
    marks, events, tables = marks_of(scene), scene.source.events, scene.source.tables
    told = scene.at + 1 if scene.blind else len(events)
    if scene.to.log:
        return _groups(scene, range(told))
    out: list[LogGroup] = []
    for start, stop in scene.kept("chapters", tables[:told], lambda: _chapters(scene, told)):
        marked = [marks.get(table.seq) for table in tables[start:stop]]
        on = (events[start:stop], marked, min(max(scene.at, start - 1), stop))
        out += scene.kept(("chapter", start), on, partial(_groups, scene, range(start, stop)))
    return tuple(out)


def _chapters(scene: Scene, told: int) -> tuple[tuple[int, int], ...]:
    """Where each chapter of what is told of the hand begins and ends."""
    parts = [chapter(scene, index) for index in range(told)]
    starts = [index for index, part in enumerate(parts) if not index or part != parts[index - 1]]
    return tuple(zip(starts, [*starts[1:], len(parts)], strict=True))


def _groups(scene: Scene, indexes: range) -> tuple[LogGroup, ...]:
    marks = marks_of(scene)
    groups: list[tuple[str, list[LogLine]]] = []
    for index in indexes:
        event = scene.source.events[index]
        mine = marks.get(int(event["seq"]), ())
        if index != scene.at and not _shown(str(event["type"]), mine, scene.to.log):
            continue
        part, number = chapter(scene, index)
        title = scene.wording.say(f"chapter.{part}", trick=number)
        if not groups or groups[-1][0] != title:
            groups.append((title, []))
        lines = groups[-1][1]
        if scene.to.log == "joined" and lines and not mine and index != scene.at and _dull(scene, index, index - 1):
            before = lines[-1]
            if before.seq == scene.source.events[index - 1]["seq"] and not before.mark and before.when != "now":
                both = (*before.text, Part(scene.wording.semicolon), *sentence(scene, index))
                lines[-1] = replace(_line(scene, index, ""), text=both)
                continue
        lines.append(_line(scene, index, mine[0] if mine else ""))
    return tuple(LogGroup(title, tuple(lines)) for title, lines in groups)


def _dull(scene: Scene, index: int, before: int) -> bool:
    """Whether two neighbours are of the kind that is read in one go: a deal, a round of draws, antes."""
    kinds = [scene.source.events[one]["type"] for one in (index, before)]
    return kinds[0] == kinds[1] and kinds[0] in ("dealt", "drew", "discarded", "staked", "stayed")


def strip(scene: Scene) -> tuple[Link, ...]:
    """All tricks of the hand on one line: number and taker; in blind mode up to this step."""
    out: list[Link] = []
    tricks = scene.kept("tricks", (scene.source.events, scene.source.tables), lambda: _tricks(scene))
    for trick, (seq, taker, last) in tricks.items():
        if scene.blind and scene.later(seq):
            break
        name = scene.name(taker) if taker and not (scene.blind and scene.later(last)) else ""
        text = scene.wording.say("strip.taken" if name else "strip.open", trick=trick, seat=name)
        out.append(Link(text, scene.link(seq), trick == scene.table.trick))
    return tuple(out)


def _tricks(scene: Scene) -> dict[int, tuple[int, int, int]]:
    """By trick: its first event, who took it (0: not told), and when."""
    out: dict[int, tuple[int, int, int]] = {}
    for event, table in zip(scene.source.events, scene.source.tables, strict=True):
        if not table.trick:
            continue
        first, _, _ = out.setdefault(table.trick, (table.seq, 0, table.seq))
        if event["type"] == "trick_taken":
            out[table.trick] = first, int(event.get("seat") or 0), table.seq
    return out


def _line(scene: Scene, index: int, mark: str) -> LogLine:
    """A line as it was written before, where nothing of it is new."""
    way = (sentence(scene, index), mark, (index > scene.at) - (index < scene.at))
    found: LogLine = scene.kept(("line", index, way[2]), way, lambda: _new_line(scene, index, mark))
    return found


def _new_line(scene: Scene, index: int, mark: str) -> LogLine:
    seq = int(scene.source.events[index]["seq"])
    when = "now" if index == scene.at else "past" if index < scene.at else "next"
    name = scene.wording.say(f"mark.{mark}") if mark else ""
    return LogLine(seq, scene.link(seq), sentence(scene, index), when, mark, name, how_written(scene, index))


def how_written(scene: Scene, index: int) -> str:
    """Who wrote an event, by name or role and the number of the link, and how the recorder knows: `Scribe 3 · told`."""
    event, words = scene.source.events[index], scene.wording
    role, _, number = scene.source.writers.get(int(event["seq"]), "").partition("/")
    if role.startswith("seat:"):
        who = f"{scene.name(int(role.removeprefix('seat:')))} {number}"
    else:
        who = f"{words.say(f'pad.role.{role}')} {number}" if words.has(f"pad.role.{role}") else ""
    said = words.say(f"pad.source.{event['source']}") if event.get("source") else ""
    return " · ".join(filter(None, (who, said)))


def rail(scene: Scene) -> Rail:
    """The slider with its ticks and marks; in blind mode it ends at this step."""
    events = scene.source.events
    first = int(events[0]["seq"])
    last = scene.seq if scene.blind else int(events[-1]["seq"])
    span = max(last - first, 1)
    where: dict[str, Any] = {"seq": scene.seq, "trick": scene.table.trick, "text": plain(sentence(scene, scene.at))}
    key = "rail.at_trick" if scene.table.trick else "rail.at"
    number = scene.at + 1
    step = scene.wording.say("rail.step_blind" if scene.blind else "rail.step", step=number, steps=len(events))
    return Rail(
        action=scene.to.slider(scene.hand),
        kept=scene.to.kept(),
        first=first,
        last=last,
        at=scene.seq,
        done=percent(scene.seq - first, span) if last > first else "100",
        text=scene.wording.say(key, **where),
        ticks=scene.kept("ticks", (last, len(events)), lambda: _ticks(scene, first, last, span)),
        marks=scene.kept("marks", (last, marks_of(scene)), lambda: _rail_marks(scene, first, span, _NEAR)),
        thin=scene.kept("thin", (last, marks_of(scene)), lambda: _rail_marks(scene, first, span, _NEAR_ON_A_PHONE)),
        step=step,
    )


def _ticks(scene: Scene, first: int, last: int, span: int) -> tuple[RailTick, ...]:
    """A tick where a trick begins; its number is left out where that of the one before stands too near."""
    ticks: list[RailTick] = []
    seen, told = 0, -100.0
    for table in scene.source.tables:
        if table.trick > seen and table.seq <= last:
            seen = table.trick
            place = 100 * (table.seq - first) / span
            text = scene.wording.say("chapter.trick_short", trick=seen) if place - told >= _NEAR_NUMBERS else ""
            told = place if text else told
            ticks.append(RailTick(percent(table.seq - first, span), text))
    return tuple(ticks)


def _rail_marks(scene: Scene, first: int, span: int, near: float) -> tuple[RailMark, ...]:
    """Marks nearer than `near` percent shift apart; three or more at one place become the gravest and a number."""
    flat = [(100 * (seq - first) / span, seq, mark) for seq, here in sorted(marks_of(scene).items()) for mark in here]
    crowds: list[list[_Flag]] = []
    for one in flat:
        if crowds and one[0] - max(crowds[-1][-1][0], _end(crowds[-1], near)) < near:
            crowds[-1].append(one)
        else:
            crowds.append([one])
    while len(crowds) > 1 and _drawn(crowds[-1], near)[0][0] - _end(crowds[-2], near) < near:
        crowds[-2:] = [crowds[-2] + crowds[-1]]
    out: list[RailMark] = []
    for crowd in crowds:
        for x, seq, mark in _drawn(crowd, near):
            text = scene.wording.say("rail.mark", name=scene.wording.say(f"mark.{mark}"), seq=seq)
            out.append(RailMark(percent(x, 100), mark, text, scene.link(seq), len(crowd) if len(crowd) > 2 else 0))
    return tuple(out)


def _drawn(crowd: list[_Flag], near: float) -> list[_Flag]:
    """What is drawn of marks that stand together, and where: none beyond the end, where a number has room as well."""
    if len(crowd) > 2:
        x, seq, mark = min(crowd, key=lambda one: _GRAVITY[one[2]])
        return [(min(x, 100 - near), seq, mark)]
    start = min(crowd[0][0], 100 - (len(crowd) - 1) * near)
    return [(max(x, start + near) if n else start, seq, mark) for n, (x, seq, mark) in enumerate(crowd)]


def _end(crowd: list[_Flag], near: float) -> float:
    """How far marks that stand together reach, with the number beside them."""
    return _drawn(crowd, near)[-1][0] + (near if len(crowd) > 2 else 0)
