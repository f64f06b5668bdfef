"""What should have come of it: the rightful taker, who owes whom, and the same facts under other house rules."""

from collections.abc import Mapping
from typing import Any, Final

from replay.views.dispute_page import RuleRow
from replay.views.dispute_scene import Matter
from replay.views.house_words import ended, option_title, option_value
from replay.views.logbook import sentence
from replay.views.parts import Tag
from replay.views.wording import Part, Sentence, Wording

_PAID: Final = ("pot_taken", "staked")


def outcome(m: Matter) -> dict[str, Any]:
    """What the page says of rules, the rightful taker and debts, by name of its fields."""
    rows, unmoved = rule_rows(m)
    said, debt = remedy(m)
    return {
        "rules": rows,
        "rules_title": m.tell("rules.title_hand" if m.given.source.head.match else "rules.title"),
        "unmoved": unmoved,
        "rightful": rightful(m),
        "remedy": said,
        "debt": debt,
        "paid": paid(m),
    }


def rule_rows(m: Matter) -> tuple[tuple[RuleRow, ...], str]:
    """The recorded rules first, then each other result; and the options that change nothing here."""
    recorded, *others = m.answer["rules"]
    moved = [row for row in others if not _same(row, recorded)]
    still = [each for row in others if _same(row, recorded) for each in (row["options"], *row["also"])]
    still += recorded["also"]
    deciding = [name for row in moved for each in (row["options"], *row["also"]) for name in each]
    flip = next((row for row in moved if row["rightful"] != recorded["rightful"]), None)
    names = dict.fromkeys(name for name in recorded["options"] if name in deciding)
    own = {name: recorded["options"][name] for name in names}
    rows = [_row(m, recorded, own, Tag("ok", m.tell("rules.agreed"), "ok"))]
    for row in moved:
        tag = Tag("dbt", m.tell("rules.flips"), "dbt") if row is flip else None
        rows.append(_row(m, row, row["options"], tag))
    idle = dict.fromkeys(name for each in still for name in each if name not in names)
    said = ", ".join(_title(m, name) for name in idle)
    return tuple(rows), m.tell("rules.unmoved", options=said) if said else ""


def _same(row: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return bool(row["rightful"] == other["rightful"] and row["net_due"] == other["net_due"])


def _row(m: Matter, row: Mapping[str, Any], options: Mapping[str, Any], tag: Tag | None) -> RuleRow:
    recorded = tag is not None and tag.tone == "ok"
    said = _together(m, options)
    said = said[:1].upper() + said[1:] or m.tell("rules.all")
    also = m.either.join(_together(m, each) for each in row["also"][:3])
    more = len(row["also"]) - 3
    if more > 0:
        also += " " + m.tell("rules.more", more)
    return RuleRow(
        text=said,
        also="" if recorded or not also else m.tell("rules.also", options=also),
        tag=tag,
        taker=_taker(m, row),
        nets=_nets(m, row),
        recorded=recorded,
    )


def _together(m: Matter, options: Mapping[str, Any]) -> str:
    """Options within a sentence, each with its value."""
    return m.w.semicolon.join(_small(option_words(m, name, value)) for name, value in options.items())


def _taker(m: Matter, row: Mapping[str, Any]) -> str:
    """Who takes the pot; nobody and not decided are different answers."""
    nets, own = row["net_due"], m.answer["rules"][0]
    undecided = m.answer["rightful"]["answer"] == "open" and (None in nets.values() or nets == own["net_due"])
    return m.tell("undecided") if undecided and not row["rightful"] else m.names(row["rightful"])


def _nets(m: Matter, row: Mapping[str, Any]) -> tuple[str, ...]:
    """What each seat's chips change by; nothing where none are played for."""
    seats = () if m.given.source.head.match else m.seats
    return tuple(_signed(m, row["net_due"].get(str(seat))) for seat in seats)


def _signed(m: Matter, value: int | None) -> str:
    return "—" if value is None else m.w.signed(value)


def _title(m: Matter, name: str) -> str:
    return _small(option_title(m.w, "bura" if m.bura else "bourre", name))


def _small(text: str) -> str:
    """A title within a sentence."""
    return text[:1].lower() + text[1:]


def option_words(m: Matter, name: str, value: Any) -> str:
    """`A failed opening: doubles the pot at the opener's cost`."""
    return option_of(m.w, "bura" if m.bura else "bourre", name, value)


def option_of(w: Wording, game: str, name: str, value: Any) -> str:
    """An option of a game with one of its values, in words."""
    said = option_value(w, game, name, value)
    return w.say("disputes_page.rules.option", title=option_title(w, game, name), value=said)


def rightful(m: Matter) -> Sentence:
    """Whose the pot is, and why."""
    found = m.answer["rightful"]
    why = found["why"]
    if found["answer"] == "open":
        key = "rightful.open" if found["amount"] != 0 else "rightful.hand_open"
        return m.told(key, amount=_amount(m, found["amount"]))
    seats, amount = m.names(found["seats"]), found["amount"]
    said = ended(m.w, why, [m.name(seat) for seat in found["seats"]], amount)
    key = "rightful.seats" if found["seats"] else "rightful.nobody"
    if amount == 0:  # nothing to be won but match points
        key = "rightful.hand" if found["seats"] else "rightful.hand_nobody"
    return m.told(key, amount=_amount(m, found["amount"]), seats=seats, why=said)


def _amount(m: Matter, value: int | None) -> Part:
    return Part("—" if value is None else m.w.money(value), strong=True)


def remedy(m: Matter) -> tuple[tuple[str, ...], tuple[str, str] | None]:
    """Who owes and who is owed against what was paid, the pot too; and the largest debt by itself."""
    if m.answer["rightful"]["answer"] == "open" and not any(m.answer["remedy"].values()):
        return (m.tell(_nothing(m)),), None
    owed = {int(seat): int(value or 0) for seat, value in m.answer["remedy"].items()}
    said = [m.tell("remedy.owes" if value < 0 else "remedy.owed", seat=m.name(seat), amount=abs(value))
            for seat, value in sorted(owed.items(), key=lambda pair: pair[1]) if value]  # fmt: skip
    if not said:
        return (m.tell(_nothing(m)),), None
    if None not in m.answer["remedy"].values() and (left := sum(owed.values())):
        said.append(m.tell("remedy.to_pot" if left < 0 else "remedy.from_pot", amount=abs(left)))
    worst = min(owed, key=lambda seat: owed[seat])
    if owed[worst] >= 0:
        return tuple(said), None
    return tuple(said), (m.tell("remedy.debtor", seat=m.name(worst)), m.w.money(-owed[worst]))


def _nothing(m: Matter) -> str:
    if not _over(m):
        return "remedy.not_over"
    return "remedy.open" if m.answer["rightful"]["answer"] == "open" else "remedy.nothing"


def _over(m: Matter) -> bool:
    seen = [event for event in m.given.source.events if event["seq"] <= m.at or m.given.question.at is None]
    return bool(seen) and seen[-1]["type"] == "hand_ended"


def paid(m: Matter) -> tuple[Sentence, ...]:
    """What went into the pot and out of it at the settlement, as recorded, each line leading to its event."""
    said: list[Sentence] = []
    for index, event in enumerate(m.given.source.events):
        kind = str(event["type"])
        late = m.given.question.at is not None and event["seq"] > m.at
        if late or kind not in _PAID or (kind == "staked" and event.get("why") in ("ante", "draw_fee")):
            continue
        said.append((*sentence(m.scene.at_index(index), index), *m.told("remedy.at", seq=m.event(event["seq"]))))
    return tuple(said)
