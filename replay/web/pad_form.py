"""The pad's forms read back: what was tapped, as events with ids of their own."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from werkzeug.datastructures import ImmutableMultiDict

Form = ImmutableMultiDict[str, str]
Json = dict[str, Any]
MOST: Final = 24
_ID: Final = re.compile(r"[A-Za-z0-9._:-]{1,48}")
_NUMBER: Final = re.compile(r"-?[0-9]{1,15}")
_NUMBERS: Final = ("seat", "amount", "points", "of", "hand", "dealer", "to", "stack", "events")
_WORDS: Final = ("name", "text", "why", "reason", "combination", "face", "card", "note")


class BadFormError(ValueError):
    """A form that no pad has sent."""


def listed(text: str) -> list[Json]:
    """A list of JSON objects; `BadFormError`."""
    try:
        found = json.loads(text) if text else []
    except (ValueError, RecursionError) as error:
        raise BadFormError from error
    if not isinstance(found, list) or len(found) > MOST or not all(isinstance(each, dict) for each in found):
        raise BadFormError
    return found


def built(form: Form) -> list[Json]:
    """What a form records, in order; nothing where it only confirms."""
    id_ = form.get("id", "")
    if form.get("events"):
        events = listed(form["events"])
    elif form.get("base"):
        bases = listed(f"[{form['base']}]")
        if len(bases) != 1:
            raise BadFormError
        events = [_completed(bases[0], form)]
    elif form.get("kind"):
        events = [by_hand(form)]
    else:
        return []
    if not _ID.fullmatch(id_):
        raise BadFormError
    source = form.get("source", "")
    extra = {"source": source} if source in ("told", "inferred") else {}
    many = len(events) > 1
    return [{"id": f"{id_}.{place}" if many else id_, **event, **extra} for place, event in enumerate(events)]


def cards_of(form: Form) -> list[str]:
    """The cards that were tapped, in the order tapped where that is known, and those not seen."""
    tapped = [card for card in form.getlist("card") if card]
    order = {card: place for place, card in enumerate(form.get("order", "").split())}
    tapped.sort(key=lambda card: order.get(card, len(order)))
    unseen = form.get("unseen", "")
    return tapped + ["??"] * (int(unseen) if unseen.isascii() and unseen.isdigit() and len(unseen) == 1 else 0)


def _completed(base: Json, form: Form) -> Json:
    event = dict(base)
    cards = cards_of(form)
    if event.get("type") == "trump_turned":
        event["card"] = cards[0] if cards else "??"
    elif event.get("type") == "declared":
        event |= {"cards": cards} if cards else {}
    elif event.get("type") in ("dealt", "drew", "played", "discarded"):
        event["cards"] = cards
    if form.get("face") in ("up", "down"):
        event["face"] = form["face"]
    if event.get("type") == "played" and form.get("face") == "down" and not cards:
        event["cards"] = ["??"] * max(1, _plain_number(form.get("most", "1")))
    for name in ("amount", "points"):
        if name in form:
            event[name] = value_of(form[name])
    return event


def _plain_number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else 0


def value_of(text: str) -> Any:
    """A number where it is written as one; else the text, which will be refused with a reason."""
    return int(text) if _NUMBER.fullmatch(text) else text


def by_hand(form: Mapping[str, str]) -> Json:
    """An event from the fields of the form for everything else; empty fields are left out."""
    event: Json = {"type": form.get("kind", "")}
    for name in _NUMBERS:
        if text := form.get(f"e_{name}", "").strip():
            event[name] = value_of(text)
    for name in _WORDS:
        if text := form.get(f"e_{name}", "").strip():
            event[name] = text
    if cards := form.get("e_cards", "").split():
        event |= {"card": cards[0]} if event["type"] in ("trump_turned", "card_missing") else {"cards": cards}
    if event["type"] in ("player_joined", "pot_counted", "stack_counted"):
        event |= {"amount": event["amount"]} if "amount" in event else {}
    allowed = FIELDS.get(event["type"], frozenset(event))
    return {name: value for name, value in event.items() if name == "type" or name in allowed}


FIELDS: Final[Mapping[str, frozenset[str]]] = {
    "player_joined": frozenset({"seat", "name", "stack"}),
    "player_left": frozenset({"seat"}),
    "sat_out": frozenset({"seat"}),
    "chips_bought": frozenset({"seat", "amount"}),
    "stake_set": frozenset({"seat", "amount"}),
    "staked": frozenset({"seat", "amount", "why"}),
    "dealt": frozenset({"seat", "cards"}),
    "drew": frozenset({"seat", "cards"}),
    "discarded": frozenset({"seat", "cards"}),
    "played": frozenset({"seat", "cards", "face"}),
    "trump_turned": frozenset({"card"}),
    "card_missing": frozenset({"card"}),
    "revealed": frozenset({"of", "cards"}),
    "testified": frozenset({"seat", "of", "cards"}),
    "pot_taken": frozenset({"seat", "amount"}),
    "trick_taken": frozenset({"seat", "points"}),
    "pot_counted": frozenset({"amount"}),
    "stack_counted": frozenset({"seat", "amount"}),
    "hand_began": frozenset({"hand", "dealer"}),
    "hand_ended": frozenset({"reason"}),
    "unseen": frozenset({"text"}),
    "noted": frozenset({"text", "seat"}),
    "declared": frozenset({"seat", "combination", "cards"}),
    "counted": frozenset({"seat", "points", "cards"}),
    "scored": frozenset({"seat", "points"}),
    "raise_offered": frozenset({"seat", "to"}),
    "stock_recycled": frozenset({"cards"}),
    **dict.fromkeys(
        ("opened", "open_declined", "raise_accepted", "raise_declined", "folded", "stayed"), frozenset({"seat"})
    ),
}
"""By event type: the fields a form may give it."""
