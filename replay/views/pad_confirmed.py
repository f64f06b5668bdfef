"""Confirmed settlements in words: which hand, and who said by his own link that it was settled right."""

from collections.abc import Mapping, Sequence
from typing import Any

from replay.views.wording import Wording


def confirmed_lines(found: Sequence[Any], names: Mapping[int, str], words: Wording) -> tuple[str, ...]:
    """A sentence for each hand, in order; `found` are `recorder.confirm.Confirmation`s."""
    hands: dict[int, dict[str, None]] = {}
    number = {each.ended: each.hand for each in found}
    for each in found:
        who = names.get(each.seat, str(each.seat))
        if each.amended is not None:
            who = words.say("pad.confirmed_before", seat=who, seq=str(each.amended))
        hands.setdefault(each.ended, {})[who] = None
    return tuple(
        words.say("pad.confirmed", hand=number[ended], seats=", ".join(seats)) for ended, seats in sorted(hands.items())
    )
