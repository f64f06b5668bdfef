"""The house's rules written otherwise: which options bear on what was found, and what else they might have said."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from replay.audit.edits import RULES, Edit
from replay.audit.stand import with_option
from replay.engine.findings import Finding
from schemas.options import paragraph_of, plain, values_of
from schemas.rules import AMOUNTS, RULES_OF, UNRECORDED, HouseRules


def other_rules(house: HouseRules, found: Sequence[Finding], numbers: Iterable[int]) -> Iterator[Edit]:
    """Every other value of the options that the findings name, then of those in the same paragraphs.

    `numbers` are what an option that is an amount, or a number of cards, may have been.
    """
    named = {each.rule for each in found}
    names = sorted(RULES_OF[house.game].__dataclass_fields__, key=lambda name: name not in named)
    heard = list(dict.fromkeys(number for number in numbers if number > 0))
    for name in names:
        if name in named or paragraph_of(house.game, name) in named:
            own = UNRECORDED if name in house.unrecorded else plain(getattr(house.rules, name))
            for value in _values(house, name, heard):
                if value != own:
                    yield Edit(0, "recording_began", RULES + name, 0, own, value)


def _values(house: HouseRules, name: str, heard: Sequence[int]) -> Iterator[Any]:
    """What the option may say, as the wire writes it."""
    yield from map(plain, values_of(house.game, name))
    if name in AMOUNTS:
        yield from heard
        yield plain(None)
    elif name == "max_draw":
        rules: Any = house.rules
        for cards in heard:
            yield {str(seats): max(most, cards) for seats, most in rules.max_draw}


def ruled(house: HouseRules, edits: Sequence[Edit]) -> HouseRules:
    """The house with the options that these changes give."""
    for edit in edits:
        if edit.field.startswith(RULES):
            name = edit.field.removeprefix(RULES)
            house = with_option(house, name, _value(house.game, name, edit.instead))
    return house


def _value(game: str, name: str, said: Any) -> Any:
    """An option's value from the wire's."""
    if name in AMOUNTS:
        return said if isinstance(said, int) else None
    if isinstance(said, dict):
        return tuple((int(seats), cards) for seats, cards in said.items())
    return next(each for each in values_of(game, name) if plain(each) == said)
