"""The recording pad: what is expected as buttons, what lacks cards as a form, what was written as a log."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from replay.audit.expect_steps import Now, Step, pack_of, unlawful, used
from replay.engine.table import DECIDED
from replay.views.addresses import Addresses, rule_page
from replay.views.glyphs import letter
from replay.views.observe import trump_shown
from replay.views.pad_confirmed import confirmed_lines
from replay.views.pad_parts import Ask, FoundLine, KeyCap, PadPage, SeatLine, Tap, Written
from replay.views.pad_words import (
    actor,
    ask_title,
    at_stake,
    chips_of,
    hold_line,
    seat_now,
    stacks_of,
    sums_hint,
    tap_text,
    tell,
)
from replay.views.parts import Frame, Link, Tag
from replay.views.sources import Match
from replay.views.verdicts import finding_box, rule_name
from replay.views.wording import Part, Sentence, Wording, plain
from schemas.cards import SUITS
from schemas.events import Played, TrumpTurned
from schemas.sums import digits_of

MOST_LOG: Final = 12
MOST_CONFIRMED: Final = 3
_HIGH_TO_LOW: Final = {"bura": "ATKQJ98765432", "bourre": "AKQJT98765432"}
_SUITS_SHOWN: Final = "shdc"
_QUIET: Final = ("table/hand-unfinished", "table/not-closed", "table/pot-left", "table/debt-open")
BY_HAND: Final = (
    "player_joined", "player_left", "sat_out", "chips_bought", "stake_set", "staked", "dealt", "trump_turned", "played",
    "drew", "pot_taken", "trick_taken", "pot_counted", "stack_counted", "revealed", "card_missing", "unseen", "noted",
    "hand_began", "hand_ended", "testified",
)  # fmt: skip
OF_GAME: Final = {
    "bura": (
        "declared", "opened", "counted", "open_declined", "raise_offered", "raise_accepted", "raise_declined", "scored",
    ),
    "bourre": ("folded", "stayed", "discarded", "stock_recycled"),
}  # fmt: skip


@dataclass(frozen=True)
class PadSource:
    """What the desk knows of a table at this moment, the draft included."""

    key: str
    game: str
    names: Mapping[int, str]
    at: Now
    steps: tuple[Step, ...]
    #: All events as JSON objects, those of the draft at the end.
    events: Sequence[Mapping[str, Any]]
    #: How many of them are stored.
    version: int
    draft: Sequence[Mapping[str, Any]]
    findings: Sequence[Mapping[str, Any]]
    writers: Sequence[str]
    ended: bool
    id: str
    holds: Sequence[Any] = ()
    notice: str = ""
    #: Which of the forms is asked for, by its place among the steps.
    chosen: int | None = None
    corrected: frozenset[int] = field(default_factory=frozenset)
    confirmed: Sequence[Any] = ()
    match: Match | None = None


def pad_page(source: PadSource, words: Wording, langs: tuple[Link, ...]) -> PadPage:
    """The page of the pad."""
    words = words.of(digits_of(source.events[0]))
    asking = [(place, step) for place, step in enumerate(source.steps) if step.asks]
    ready = [step for step in source.steps if step.events]
    picked = next((step for place, step in asking if place == source.chosen), None)
    first = picked or next((step for _, step in asking if step.due), None)
    heading = _heading(source, first, words)
    taps = [_tap(step, source, words) for step in ready]
    return PadPage(
        frame=Frame(words.lang, plain(heading), langs),
        key=source.key,
        heading=heading,
        place=_place(source, words),
        facts=_facts(source, words),
        sums=sums_hint(words),
        counted=words.say("pad.counted", source.version),
        version=source.version,
        draft=json.dumps(list(source.draft), ensure_ascii=False) if source.draft else "",
        drafted=tuple(tell(event, source.names, words) for event in source.draft),
        id=source.id,
        seats=_seats(source, words),
        taps=tuple(tap for tap in taps if tap.due),
        others=tuple(tap for tap in taps if not tap.due),
        ask=_ask(first, source, words) if first is not None else None,
        asks=_links(asking, first, source, words),
        found=_found(source, words),
        log=_log(source, words),
        holds=tuple(hold_line(hold, source.names, words) for hold in source.holds),
        confirmed=confirmed_lines(source.confirmed, source.names, words)[-MOST_CONFIRMED:],
        notice=source.notice,
        ended=source.ended,
        kinds=tuple((kind, words.template(f"pad.kind.{kind}")) for kind in (*BY_HAND, *OF_GAME[source.game])),
        names=tuple(source.names.items()),
        watch=Link(words.say("pad.watch"), f"/tables/{source.key}/watch"),
        hands=Link(words.say("pad.recording"), f"/recordings/{source.key}"),
    )


def _heading(source: PadSource, first: Step | None, words: Wording) -> Sentence:
    if source.ended:
        return words.parts("pad.ended")
    due = next((step for step in source.steps if step.due), None)
    if first is not None and (due is None or due.seat in (0, first.seat) or due.asks):
        return ask_title(first, source.names, source.at.table, words)
    if due is not None and due.seat:
        return words.parts("pad.turn", seat=source.names.get(due.seat, str(due.seat)))
    if due is not None and due.kind == "antes":
        return words.parts("pad.ante_now")
    decided = source.at.table.phase == DECIDED
    return words.parts("pad.between" if not source.at.table.phase else "pad.settle_now" if decided else "pad.anything")


def _place(source: PadSource, words: Wording) -> str:
    table = source.at.table
    if not table.hand or not table.phase:
        return words.say("pad.no_hand")
    leads = any(step.due and step.kind == "played" for step in source.steps)
    trick = len(table.tricks) + (1 if table.trick_open() or leads else 0)
    if not trick:
        return words.say("pad.place_deal", hand=table.hand)
    return words.say("pad.place", hand=table.hand, trick=trick)


def _facts(source: PadSource, words: Wording) -> Sentence:
    table = source.at.table
    parts: list[Part] = []
    if table.phase and table.turnup >= 0:
        parts += [*words.parts("pad.stock", n=table.stock)]
        if any(isinstance(event, TrumpTurned) and trump_shown(event) for event in source.at.hand):
            parts += [*words.parts("pad.trump", card=words.card("?" + SUITS[table.trump]))]
    return at_stake(table.pot, source.match, source.names, words, tuple(parts))


def _tap(step: Step, source: PadSource, words: Wording) -> Tap:
    value = json.dumps([dict(event) for event in step.events], ensure_ascii=False)
    return Tap(tap_text(step, source.names, words), value, step.due, _rule(step.rule, source.game, words))


def _rule(rule: str, game: str, words: Wording) -> Link:
    if not rule:
        return Link("", "")
    return Link(rule_name(rule, words), rule_page(rule, game))


def _links(asking: list[tuple[int, Step]], first: Step | None, source: PadSource, words: Wording) -> tuple[Link, ...]:
    table = source.at.table
    return tuple(
        Link(plain(ask_title(step, source.names, table, words)), str(place), step is first)
        for place, step in asking
        if step is not first
    )


def _ask(step: Step, source: PadSource, words: Wording) -> Ask:
    table = source.at.table
    gone, against = used(table, step), unlawful(table, step)
    pack = _in_order(pack_of(table), source.game)
    keys = tuple(_key(card, card in gone, card in against, words) for card in pack)
    span = words.span(step.least, step.most) if step.least else words.say("pad.up_to", n=step.most)
    ways = [("", "", words.say("pad.write"))]
    if step.kind == "played" and source.game == "bura" and table.trick_open():
        ways = [("face", "up", words.say("pad.lay_up")), ("face", "down", words.say("pad.lay_down"))]
    return Ask(
        title=ask_title(step, source.names, table, words),
        base=json.dumps(dict(step.fields), ensure_ascii=False),
        asks=step.asks,
        least=step.least,
        most=step.most,
        count=words.say("pad.cards", step.most, span=span) if step.asks == "cards" else "",
        keys=keys if step.asks == "cards" else (),
        ways=tuple(ways),
        rule=_rule(step.rule, source.game, words),
    )


def _in_order(pack: Sequence[str], game: str) -> list[str]:
    """A row a rank from the highest, a column a suit."""
    ranks = _HIGH_TO_LOW[game]
    return sorted(pack, key=lambda card: (ranks.index(card[0]), _SUITS_SHOWN.index(card[1])))


def _key(card: str, gone: bool, against: bool, words: Wording) -> KeyCap:
    return KeyCap(card, letter(card[0], words.lang), words.card_name(card), card[1], gone, against)


def _seats(source: PadSource, words: Wording) -> tuple[SeatLine, ...]:
    table = source.at.table
    due = next((step.seat for step in source.steps if step.due and step.seat), 0)
    seqs = table.laid_seqs() if table.phase and table.trick_open() else ()
    plays = (event for event in source.at.hand if isinstance(event, Played) and event.seq in seqs)
    laid: dict[int, Played] = {event.seat: event for event in plays}
    chips = chips_of(stacks_of(table), source.match, source.events[0], words)
    lines = []
    for seat, name in source.names.items():
        if seat > table.seats() or not table.occupied[seat]:
            continue
        note = ""
        if table.phase and table.sitting >> seat & 1:
            note = words.say("seat_note.sat_out")
        elif table.phase and table.folded_mask() >> seat & 1:
            note = words.say("seat_note.folded")
        text = _laid(laid[seat], words) if seat in laid else seat_now(seat == due, words)
        lines.append(SeatLine(seat, name, text, seat == due, chips.get(seat, ""), note))
    return tuple(lines)


def _laid(event: Played, words: Wording) -> Sentence:
    if event.face == "down":
        return words.parts("pad.lies_down", len(event.cards))
    return words.cards(event.cards)


def _found(source: PadSource, words: Wording) -> tuple[FoundLine, ...]:
    """What was found in the part that can still be undone, and in the last event before it."""
    fresh = [row for row in source.findings if row["seq"] >= source.version - 1 and row["code"] not in _QUIET]
    return tuple(_finding(row, source, words) for row in fresh)


def _finding(row: Mapping[str, Any], source: PadSource, words: Wording) -> FoundLine:
    to = Addresses(source.key, "")
    box = finding_box(row, words, to, lambda seat: source.names.get(seat, str(seat)), source.game)
    tag = Tag(box.tone if box.tone != "note" else "quiet", box.word, box.tone)
    return FoundLine(tag, (*box.title, Part(" "), *box.text), Link(box.rule, box.rule_href))


def _log(source: PadSource, words: Wording) -> tuple[Written, ...]:
    told: dict[int, list[FoundLine]] = {}
    for row in source.findings:
        if row["code"] not in _QUIET and row["severity"] != "note":
            found, before = _finding(row, source, words), told.setdefault(row["seq"], [])
            before += [found] if (found.tag, found.text) not in [(one.tag, one.text) for one in before] else []
    lines = []
    for event in reversed(source.events[: source.version]):
        seq = int(event["seq"])
        by = source.writers[seq] if seq < len(source.writers) else ""
        how = words.say(f"pad.source.{event['source']}") if event.get("source") else ""
        again = event["type"] in ("recording_began", "corrected", "inserted", "recording_ended")
        text = tell(event, source.names, words)
        where = "" if again else f"/tables/{source.key}/events/{seq}"
        who = " ".join(filter(None, (actor(by, source.names, words), by.partition("/")[2])))
        lines.append(Written(seq, text, " · ".join(filter(None, (who, how))), where, tuple(told.get(seq, ()))))
        if len(lines) == MOST_LOG:
            break
    return tuple(lines)
