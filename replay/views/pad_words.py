"""The pad's sentences: what a tap records, what a form asks for, what stands in the log."""

from collections.abc import Mapping
from typing import Any

from replay.audit.expect_steps import UNSEEN, Step
from replay.views.match import by_name, score_at, standing
from replay.views.pad_parts import HoldLine
from replay.views.sources import Match
from replay.views.wording import Part, Sentence, Wording

Names = Mapping[int, str]


def _seat(names: Names, seat: Any) -> str:
    return names.get(int(seat), str(seat)) if seat else ""


def stacks_of(table: Any) -> dict[int, int]:
    """By occupied seat of a table: its chips by the recorded moves."""
    return {seat: table.stack[seat] for seat in range(1, table.seats() + 1) if table.occupied[seat]}


def at_stake(pot: int, match: Match | None, names: Names, words: Wording, beside: Sentence = ()) -> Sentence:
    """What is played for: the chips in the pot, or, in a match, its score; with what stands `beside` it."""
    if match is None:
        return (*words.parts("pad.pot", amount=pot), *beside)
    score = score_at(match, sorted(names))
    said = Part(f"{words.say('match.word')}{words.colon}{by_name(score, names.__getitem__)}")
    more = " ".join(standing(score, names.__getitem__, words))
    return (said, *beside, Part(f". {more}")) if more else (said, *beside)


def chips_of(
    stacks: Mapping[int, int], match: Match | None, began: Mapping[str, Any], words: Wording
) -> dict[int, str]:
    """By seat: its chips; of a match without chips nothing."""
    if match and not any(stacks.values()):
        return {}
    return {seat: words.balance(stack, began) for seat, stack in stacks.items()}


def tell(event: Mapping[str, Any], names: Names, words: Wording) -> Sentence:
    """One event in one sentence, from itself alone."""
    kind = str(event["type"])
    numbers = ("amount", "points", "hand", "of", "after", "to")
    values: dict[str, Any] = {name: event[name] for name in numbers if name in event}
    values["seat"] = _seat(names, event.get("seat"))
    if kind == "hand_began":
        values["dealer"] = _seat(names, event["dealer"])
    cards = list(event.get("cards") or ())
    if kind == "played":
        return _played(event, cards, values, words)
    if kind in ("drew", "dealt", "discarded"):
        if all(card == UNSEEN for card in cards):
            return words.parts(f"event.{kind}_unseen", len(cards), seat=values["seat"])
        return words.parts(f"event.{kind}", cards=_cards(cards, words), seat=values["seat"])
    if kind in ("staked", "hand_ended", "declared"):
        detail = event.get("why") or event.get("reason") or event.get("combination")
        said = words.parts(f"event.{kind}.{detail}", **values)
        return (*said, Part(" "), *_cards(cards, words)) if cards else said
    if kind == "noted":
        text = str(event.get("text", ""))
        return words.parts("event.noted_by", seat=values["seat"], text=text) if values["seat"] else (Part(text),)
    if "card" in event:
        values["card"] = words.card(str(event["card"]))
    return _other(kind, cards, values, words)


def _other(kind: str, cards: list[str], values: dict[str, Any], words: Wording) -> Sentence:
    key = f"event.{kind}"
    if kind == "trick_taken":
        said = words.parts("pad.trick", seat=values["seat"])
        return (*said, *words.parts("pad.with_points", n=values["points"])) if "points" in values else said
    if kind in ("stake_set", "testified", "stock_recycled") and values["seat"] and words.has(f"{key}_by"):
        key = f"{key}_by"
    said = words.parts(key, **values)
    return (*said, Part(" "), *_cards(cards, words)) if cards and kind in ("revealed", "counted") else said


def _played(event: Mapping[str, Any], cards: list[str], values: dict[str, Any], words: Wording) -> Sentence:
    if event.get("face") == "down":
        shown = [card for card in cards if card != UNSEEN]
        said = words.parts("pad.lays_down", len(cards), seat=values["seat"])
        return (*said, Part(" "), *_cards(shown, words)) if shown else said
    return words.parts("event.played.thrown", seat=values["seat"], cards=_cards(cards, words))


def _cards(cards: list[str], words: Wording) -> Sentence:
    parts: list[Part] = []
    for card in cards:
        if parts:
            parts.append(Part(" "))
        if card == UNSEEN:
            parts.append(Part(words.say("pad.unseen_card")))
        else:
            parts += [words.card(one) for one in card.split("/")]
    return tuple(parts)


def tap_text(step: Step, names: Names, words: Wording) -> Sentence:
    """What a tap on this step records."""
    if not step.joined:
        return tell(step.events[0], names, words)
    first, last = step.events[0], step.events[-1]
    if step.kind == "antes":
        return words.parts("pad.step.antes", len(step.events), amount=first["amount"])
    if step.kind in ("settle", "settle_failed"):
        parts: list[Part] = [*words.parts("pad.step.settle")]
        for event in step.events[:-1]:
            parts += [Part(" "), *tell(event, names, words), Part(".")]
        return tuple(parts)
    count = len(last.get("cards") or ())
    return words.parts(f"pad.step.{step.kind}", count, seat=_seat(names, last.get("seat")))


def ask_title(step: Step, names: Names, table: Any, words: Wording) -> Sentence:
    """What a form asks for."""
    seat = _seat(names, step.seat)
    if step.kind == "declared":
        return words.parts(f"event.declared.{step.fields['combination']}", seat=seat)
    key = f"pad.ask.{step.kind}"
    if step.kind == "played":
        key += "_answer" if table.trick_open() else "_lead"
    return words.parts(key, seat=seat)


def sums_hint(words: Wording) -> str:
    """How a sum is written into a form, where sums have decimals: in smallest parts, as the record has it."""
    parts = 125 * 10 ** max(0, words.digits - 1)
    return words.say("pad.sums", parts=str(parts), sum=words.money(parts)) if words.digits else ""


def seat_now(acts: bool, words: Wording) -> Sentence:
    """What a seat that has laid nothing does."""
    return words.parts("pad.now") if acts else ()


def actor(by: str, names: Mapping[int, str], words: Wording) -> str:
    """Who wrote: a player by name, others by their role."""
    role = by.partition("/")[0]
    if role.startswith("seat:"):
        return names.get(int(role[5:]), role)
    return words.say(f"pad.role.{role}") if words.has(f"pad.role.{role}") else role


def hold_line(hold: Any, names: Mapping[int, str], words: Wording) -> HoldLine:
    """A settlement that is or was held (`recorder.roles.Hold`), in a sentence, with its ruling."""
    text = words.say("pad.held", hand=hold.hand, by=actor(hold.by, names, words), text=hold.text)
    if hold.ruling is None:
        return HoldLine(text, ruled=False)
    return HoldLine(f"{text} {words.say('pad.ruled', text=hold.ruling)}", ruled=True)
