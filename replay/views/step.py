"""The stepper: one event of one hand made into a page."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from replay.views import logbook, reasons, table, whereabouts
from replay.views.addresses import Addresses
from replay.views.charts import points_chart
from replay.views.counting import count_box
from replay.views.pages import Panes, StepPage
from replay.views.parts import FindingBox, Frame, Link, Moves, Tag, Term
from replay.views.scene import UNSEEN, Look, Scene, joined, labels_of, seat_of, title_of
from replay.views.sources import HandSource
from replay.views.verdicts import finding_box, finding_boxes
from replay.views.wording import Part, Sentence, Wording, plain

_FILTERS: Final = ("", "joined", "play", "money", "marks")
_JUMPS: Final = (("o", "opened"), ("p", "pot"), ("e", "bad"), ("n", "note"))


def step_page(
    source: HandSource,
    seq: int,
    wording: Wording,
    to: Addresses,
    langs: tuple[Link, ...] = (),
    look: Look = Look(),  # noqa: B008 - frozen
) -> StepPage:
    """The page of event `seq`, which belongs to this hand (a `StopIteration` otherwise is our own bug)."""
    at = next(n for n, event in enumerate(source.events) if event["seq"] == seq)
    scene = Scene(source, wording.of(source.head.digits), to, at, to.names, to.blind, labels_of(source), look)
    return _page(scene, langs)


def _page(scene: Scene, langs: tuple[Link, ...]) -> StepPage:
    wording, head, to = scene.wording, scene.source.head, scene.to
    said = logbook.sentence(scene, scene.at)
    others, mine = table.seats(scene)
    moves = _moves(scene)
    return StepPage(
        frame=_frame(scene, said, langs),
        seq=scene.seq,
        hand=scene.hand,
        sentence=said,
        aside=aside(scene),
        where=_where(scene),
        place=_place(scene),
        status=_status(scene),
        last_breach=_last_breach(scene),
        rules=Link(wording.say("step.rules", name=head.preset.split("/")[-1].split("@")[0]), to.recording() + "#rules"),
        others=others,
        mine=mine,
        sets=table.set_boxes(scene),
        empty=wording.say("step.empty") if not scene.table.sets else "",
        stock=table.stock_box(scene),
        **_at_stake(scene),
        log=logbook.log(scene),
        log_filters=_filters(scene),
        panes=_panes(scene),
        strip=scene.same("strip", logbook.strip(scene)),
        warnings=warnings(scene),
        lens=_lens(scene),
        picture=to.picture(scene.hand, scene.seq),
        names_link=replace(to, names=not to.names).event(scene.hand, scene.seq),
        rail=logbook.rail(scene),
        moves=moves,
        total="" if scene.blind else wording.say("step.of", events=head.events - 1),
        stop=stop(scene),
        keys=_keys(moves),
        blind=scene.blind,
        recording=Link(_title(scene), to.recording()),
        steps=to.steps(scene.hand),
    )


def _at_stake(scene: Scene) -> dict[str, Any]:
    """What the page says of the pot or the match, by name of its fields."""
    return dict(zip(("pot_word", "pot", "pot_text"), reasons.at_stake(scene), strict=True))


def _panes(scene: Scene) -> Panes:
    why, why_end = reasons.why(scene)
    title = whereabouts.title(scene)
    return Panes(
        findings=findings_here(scene),
        legal=scene.same("legal", choices(scene)),
        moments_title=title,
        moments=whereabouts.moments(scene) if title else (),
        count=count_box(scene),
        why=why,
        why_end=why_end,
        ledger=scene.same("ledger", reasons.ledger(scene)),
        clocks=scene.same("clocks", reasons.clocks(scene)),
        points_chart=points_chart(scene),
        notes=scene.same("notes", reasons.notes(scene)),
    )


def _title(scene: Scene) -> str:
    return title_of(scene.source.head, scene.wording, scene.named)


def warnings(scene: Scene) -> tuple[Sentence, ...]:
    """What the reader must know of this link: another chain, amended since, or read without amendments."""
    words, source, to = scene.wording, scene.source, scene.to
    out: list[Sentence] = []
    if scene.look.pin and source.pin and scene.look.pin != source.pin:
        out.append(words.parts("pin.other"))
    if to.reading:
        key = "pin.as_recorded" if to.reading == "recorded" else "pin.as_known"
        amended = replace(to, reading="").event(scene.hand, scene.seq)
        link = Part(words.say("pin.amended_link"), href=amended)
        out.append(words.parts(key, seq=to.reading, link=link))
    elif source.amended:
        events = joined([(Part(str(seq)),) for seq in source.amended[:3]], ", ")
        recorded = replace(to, reading="recorded").event(scene.hand, scene.seq)
        link = Part(words.say("pin.recorded_link"), href=recorded)
        out.append(words.parts("pin.amended", events=events, link=link))
    return tuple(out)


def _lens(scene: Scene) -> str:
    """The preset the reader chose in place of the recorded one."""
    return scene.wording.say("step.judged_by", name=scene.to.rules) if scene.to.rules else ""


def choices(scene: Scene) -> tuple[Term, ...]:
    """What the seat that plays could have laid, by the laws; nothing where the view does not know its hand."""
    legal = scene.source.legal
    if legal is None:
        return ()
    words = scene.wording
    sets = joined([words.cards(one) for one in legal.sets], " · ")
    key = f"legal.{legal.kind}" if legal.sets else f"legal.{legal.kind}_none"
    return (Term(words.say("legal.title"), words.parts(key, max(legal.count, 1), sets=sets), ""),)


def _known_findings(scene: Scene) -> list[Mapping[str, Any]]:
    return [finding for finding in scene.source.findings if not scene.later(int(finding["seq"]))]


def findings_here(scene: Scene) -> tuple[FindingBox, ...]:
    """The findings at this very event."""
    here = (one for one in scene.source.findings if int(one["seq"]) == scene.seq)
    return finding_boxes((*here, *scene.source.proved), scene.wording, scene.to, scene.name, scene.source.head.game)


def _status(scene: Scene) -> tuple[Tag, ...]:
    """What stands so far: breaches and doubts, or that there is neither; how many laid cards this view cannot see."""
    known = _known_findings(scene)
    tags: list[Tag] = []
    breaches = sum(finding["severity"] == "error" for finding in known)
    doubts = sum(finding["severity"] == "doubt" for finding in known)
    if breaches:
        tags.append(Tag("bad", scene.wording.say("status.breaches", breaches), "bad"))
    elif not doubts:
        tags.append(Tag("ok", scene.wording.say("status.verified"), "ok"))
    if doubts:
        tags.append(Tag("dbt", scene.wording.say("count.doubt", doubts), "dbt"))
    piled = [card for seat in scene.table.seats for card in seat.pile]
    hidden = sum(card.card == UNSEEN for card in piled)
    taken = {card.seq for card in piled}
    hidden += sum(one.cards.count(UNSEEN) for one in scene.table.sets if one.seq not in taken)
    if hidden:
        tags.append(Tag("dbt", scene.wording.say("status.unseen", hidden), "dbt"))
    return tuple(tags)


def _last_breach(scene: Scene) -> Sentence:
    breaches = [finding for finding in _known_findings(scene) if finding["severity"] == "error"]
    if not breaches:
        return ()
    box = finding_box(breaches[-1], scene.wording, scene.to, scene.name, scene.source.head.game)
    words = scene.wording.parts("status.at_event", seq=box.seq)
    link = tuple(type(part)(part.text, href=box.where.href) for part in words) if box.where.href else words
    return (*link, Part(scene.wording.colon), *box.title)


def aside(scene: Scene) -> str:
    """What part of the hand the step belongs to, in a word or two."""
    kind = str(scene.event["type"])
    if kind == "opened":
        kind = _opening(scene)
    key = f"aside.{kind}"
    if scene.table.trick and scene.wording.has(key):
        return scene.wording.say(key, trick=scene.table.trick)
    part, number = logbook.chapter(scene, scene.at)
    return scene.wording.say(f"aside.{part}", trick=number)


def _opening(scene: Scene) -> str:
    """When an opening stands: between trick and draw, once a card is drawn, or while a trick lies open."""
    for at in range(scene.at - 1, -1, -1):
        kind = scene.source.events[at]["type"]
        if kind == "drew":
            return "opened_drawn"
        if kind == "played":
            return "opened_amid" if scene.source.tables[at].phase == "answer" else "opened"
    return "opened_amid"


def _place(scene: Scene) -> str:
    hands = len(scene.source.head.hands)
    key = "step.hand_blind" if scene.blind else "step.hand"
    place = scene.wording.say(key, hand=scene.hand, hands=hands)
    if scene.table.trick:
        place += " · " + scene.wording.say("chapter.trick_short", trick=scene.table.trick)
    return place


def _where(scene: Scene) -> str:
    key = "step.event_blind" if scene.blind else "step.event"
    return scene.wording.say(key, seq=scene.seq, events=scene.source.head.events - 1)


def _frame(scene: Scene, said: Sentence, langs: tuple[Link, ...]) -> Frame:
    head, words, to = scene.source.head, scene.wording, scene.to
    hand_key = "step.hand_blind" if scene.blind else "step.hand"
    hand = words.say(hand_key, hand=scene.hand, hands=len(head.hands))
    crumbs = [Link(_title(scene), to.recording()), Link(hand, to.hand(scene.hand))]
    if scene.table.trick:
        first = next(one.seq for one in scene.source.tables if one.trick == scene.table.trick)
        crumbs.append(Link(words.say("chapter.trick", trick=scene.table.trick), scene.link(first)))
    crumbs.append(Link(words.say("step.event_blind", seq=scene.seq), "", current=True))
    views, seat_views = view_links(head.view, head.views, scene)
    title = f"{plain(said)} · {words.say('step.event_blind', seq=scene.seq)}"
    return Frame(words.lang, title, langs, tuple(crumbs), views, seat_views)


def view_links(view: str, allowed: tuple[str, ...], scene: Scene) -> tuple[tuple[Link, ...], tuple[Link, ...]]:
    """The view switch: table, a seat, all; and the seats folded under the second. Only what the reader may have."""
    words = scene.wording
    seats = [one for one in allowed if one.startswith("seat:")]

    def at(one: str) -> str:
        return scene.to.seen_by(one).event(scene.hand, scene.seq)

    links = [Link(words.say("view.public"), at("public"), view == "public")] if "public" in allowed else []
    if seats:
        own = view if view in seats else ""
        text = scene.name(seat_of(own)) if own else words.say("view.seat")
        links.append(Link(text, "", bool(own)))
    if "full" in allowed:
        links.append(Link(words.say("view.full"), at("full"), view == "full"))
    folded = tuple(Link(scene.name(seat_of(one)), at(one), view == one) for one in seats)
    return tuple(links), folded


def _filters(scene: Scene) -> tuple[Link, ...]:
    return tuple(
        Link(
            scene.wording.say(f"log.{name or 'all'}"),
            scene.to.event(scene.hand, scene.seq, log=name),
            scene.to.log == name,
        )
        for name in _FILTERS
    )


def _at(scene: Scene, index: int) -> str:
    events = scene.source.events
    return scene.link(int(events[index]["seq"])) if 0 <= index < len(events) and index != scene.at else ""


def _trick_starts(scene: Scene) -> list[int]:
    """Indexes at which a new chapter begins, the hand's first event among them."""
    starts, seen = [0], 0
    for index, one in enumerate(scene.source.tables):
        if one.trick > seen:
            seen = one.trick
            starts.append(index)
    return starts


def beyond(scene: Scene) -> tuple[str, str]:
    """The last event of the hand before and the first of the hand after; nothing where there is none."""
    spans, to = scene.source.head.hands, scene.to
    here = next(n for n, span in enumerate(spans) if span.hand == scene.hand)
    back = to.event(spans[here - 1].hand, spans[here - 1].last) if here else ""
    return back, to.event(spans[here + 1].hand, spans[here + 1].first) if here + 1 < len(spans) else ""


def _moves(scene: Scene) -> Moves:
    head, to = scene.source.head, scene.to
    starts = _trick_starts(scene)
    hands = [span.hand for span in head.hands]
    here = hands.index(scene.hand)
    before, following = beyond(scene)
    last = len(scene.source.events) - 1
    seats = [one for one in head.views if one.startswith("seat:")]
    turn = seats[(seats.index(head.view) + 1) % len(seats)] if head.view in seats else (seats[0] if seats else "")

    def seen(view: str) -> str:
        return to.seen_by(view).event(scene.hand, scene.seq) if view in head.views else ""

    blind = replace(to, blind=not to.blind)
    return Moves(
        first=_at(scene, 0),
        back_trick=_at(scene, max((one for one in starts if one < scene.at), default=0)),
        back=_at(scene, scene.at - 1) or before,
        next=to.after(scene.hand, scene.seq) if scene.blind else _at(scene, scene.at + 1) or following,
        next_trick="" if scene.blind else _at(scene, min((one for one in starts if one > scene.at), default=last)),
        last="" if scene.blind else _at(scene, last),
        back_hand=to.hand(hands[here - 1]) if here else "",
        next_hand=to.hand(hands[here + 1]) if here + 1 < len(hands) and not scene.blind else "",
        rotate=seen(turn),
        public=seen("public"),
        seat=seen(head.view if head.view in seats else (seats[0] if seats else "")),
        full=seen("full"),
        blind=blind.event(scene.hand, scene.seq),
        dispute="" if scene.blind else to.dispute(scene.hand, scene.seq),
        clean=_pinned(scene.link(scene.seq), scene.source.pin),
        jumps=_jumps(scene),
    )


def _pinned(href: str, pin: str) -> str:
    return f"{href}{'&' if '?' in href else '?'}h={pin}" if pin else href


def jump_marks(scene: Scene) -> dict[str, list[int]]:
    """By key: the events it leads to."""
    marks = logbook.marks_of(scene)
    found: dict[str, list[int]] = scene.kept("jumps", marks, lambda: _jump_marks(scene, marks))
    return found


def _jump_marks(scene: Scene, marks: dict[int, tuple[str, ...]]) -> dict[str, list[int]]:
    ordered = sorted((seq for seq in marks if scene.place(seq) < len(scene.source.events)), key=scene.place)
    return {key: [seq for seq in ordered if mark in marks[seq]] for key, mark in _JUMPS}


def _jumps(scene: Scene) -> tuple[tuple[str, str], ...]:
    out: list[tuple[str, str]] = []
    for key, wanted in jump_marks(scene).items():
        after = next((seq for seq in wanted if scene.later(seq)), None)
        before = next((seq for seq in reversed(wanted) if scene.place(seq) < scene.at), None)
        if after is not None:
            out.append((key, scene.link(after)))
        if before is not None:
            out.append((key.upper(), scene.link(before)))
    return tuple(out)


def stop(scene: Scene) -> str:
    """Why playing by itself pauses here: `opening`, `settlement`, `breach`, or nothing."""
    kind = scene.event["type"]
    if kind == "opened":
        return "opening"
    if kind in ("pot_taken", "hand_ended"):
        return "settlement"
    return "breach" if "bad" in logbook.marks_of(scene).get(scene.seq, ()) else ""


def _keys(moves: Moves) -> tuple[tuple[str, str], ...]:
    """The keys that no button on the page stands for. A capital is written `shift-o`: attributes know no case."""
    named = {
        "pageup": moves.back_hand,
        "pagedown": moves.next_hand,
        "v": moves.rotate,
        "1": moves.public,
        "2": moves.seat,
        "3": moves.full,
        "b": moves.blind,
        "d": moves.dispute,
    }
    jumps = [(f"shift-{key.lower()}" if key.isupper() else key, href) for key, href in moves.jumps]
    return tuple((key, href) for key, href in named.items() if href) + tuple(jumps)
