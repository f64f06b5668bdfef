"""What would make it fit, as sentences: hypotheses for whoever kept the record, never a ruling."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from replay.views.wording import Wording
from schemas import sums
from schemas.rules import AMOUNTS

Json = Mapping[str, Any]
MOST_ALSO: Final = 6
"""So many further values that would do as well are spelled out."""


def explain_text(said: Json, names: Mapping[int, str], words: Wording) -> list[str]:
    """The lines of a `razbor-explain/1`; `names` by seat, `words` of the recording (`Wording.of`)."""
    found = ", ".join(said["findings"])
    if not said["findings"]:
        return [words.say("explain.nothing_found", seq=said["event"])]
    lines = [words.say("explain.title", seq=said["event"], found=found)]
    for number, one in enumerate(said["hypotheses"], 1):
        lines.append(f"  {number}. {_sentence(one, names, words)}")
    if not said["hypotheses"]:
        lines.append("  " + words.say("explain.none"))
    if said["cut"]:
        lines.append(words.say("explain.cut"))
    return [*lines, words.say("explain.caution")]


def _sentence(one: Json, names: Mapping[int, str], words: Wording) -> str:
    """`If card 2 of event 40 were Tc, not Td, all would fit.`"""
    joint = f" {words.say('explain.and')} "
    what = joint.join(_edit(edit, names, words) for edit in one["edits"])
    also = [_value(edit, value, names, words) for edit in one["edits"] for value in edit["also"]]
    line = words.say("explain.fits_there" if one["left"] or one["new"] else "explain.fits", what=what)
    for key in ("left", "new"):
        if one[key]:
            places = ", ".join(str(seq) for seq in dict.fromkeys(error["seq"] for error in one[key]))
            line += " " + words.say(f"explain.{key}", seqs=places)
    if also:
        more = "" if len(also) <= MOST_ALSO else " ..."
        line += " " + words.say("explain.also", values=", ".join(also[:MOST_ALSO]) + more)
    return line


def _edit(edit: Json, names: Mapping[int, str], words: Wording) -> str:
    seq, field = edit["seq"], edit["field"]
    recorded, instead = (_value(edit, edit[key], names, words) for key in ("recorded", "instead"))
    if field.startswith("rules."):
        option = field.removeprefix("rules.")
        return words.say("explain.rule", option=option, recorded=recorded, instead=instead)
    if field == "after":
        return words.say("explain.after", seq=seq, instead=instead)
    if field == "event":
        key = "struck" if edit["instead"] is None else "forgotten"
        return words.say(f"explain.{key}", seq=seq, what="; ".join(_paid(edit, names, words)))
    if edit["place"] is None:
        name = words.say(f"explain.field.{field}")
        return words.say("explain.changed", seq=seq, field=name, recorded=recorded, instead=instead)
    key = "card_less" if edit["instead"] is None else "card_more" if edit["recorded"] is None else "card"
    return words.say(f"explain.{key}", seq=seq, place=edit["place"], recorded=recorded, instead=instead)


def _paid(edit: Json, names: Mapping[int, str], words: Wording) -> Iterator[str]:
    """What a payment that was forgotten says."""
    fields = edit["instead"]
    if isinstance(fields, Mapping):
        why = words.say(f"explain.why.{fields.get('why', 'pot_taken')}")
        yield words.say("explain.paid", seat=_seat(fields["seat"], names), amount=fields["amount"], why=why)


def _value(edit: Json, value: Any, names: Mapping[int, str], words: Wording) -> str:
    """A value as the record writes it; seats with who sits there, sums as they are read."""
    if edit["field"] in ("seat", "dealer") and isinstance(value, int):
        return _seat(value, names)
    if edit["field"].removeprefix("rules.") in sums.FIELDS | AMOUNTS and isinstance(value, int):
        return words.money(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{seats}: {cards}" for seats, cards in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)


def _seat(seat: int, names: Mapping[int, str]) -> str:
    return f"{seat} {names.get(seat, '')}".rstrip()
