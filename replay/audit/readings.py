"""What differs between two readings of one log: of its report, and of the dispute of a hand (`record.md` 3.1)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

Json = Mapping[str, Any]
OF_A_HAND: Final = ("dealer", "trump", "pot_before", "pot", "pot_after", "reason", "takers")
OF_A_SEAT: Final = ("points", "tricks", "net_due", "net_recorded")
OF_A_DISPUTED_SEAT: Final = ("points", "answer", "opened_at", "counted", "tricks", "bourre", "share", "owes")
OF_THE_POT: Final = ("seats", "amount", "why")


@dataclass(frozen=True, slots=True)
class Differs:
    """One value that two readings tell differently.

    `what` names it as the report or the dispute does (`verdict`, `finding`, `pot`, `points` ...), `hand` and `seat`
    say whose it is (0: nobody's), of a finding `seq` its event and `code` its code. `first` and `second` are its
    values by each reading, as the report has them (points and tricks as low and high); None where one does not tell
    it or does not know it. Of a finding they are severity, recorded and expected.
    """

    what: str
    first: Any
    second: Any
    hand: int = 0
    seat: int = 0
    seq: int = 0
    code: str = ""


def between_reports(first: Json, second: Json) -> tuple[Differs, ...]:
    """What two reports of one recording tell differently, in the order of `report.md` 4."""
    return (
        *_unequal("verdict", first["verdict"], second["verdict"]),
        *_findings(first["findings"], second["findings"]),
        *_hands(first["hands"], second["hands"]),
        *_balances(first["balances"], second["balances"]),
    )


def between_disputes(first: Json, second: Json) -> tuple[Differs, ...]:
    """What two disputes of one hand tell differently, in the order of `report.md` 5: seats, pot, settlement."""
    hand = int(second["hand"])
    found: list[Differs] = []
    for seat in _both(first["seats"], second["seats"]):
        one, two = first["seats"].get(seat, {}), second["seats"].get(seat, {})
        found += _each(OF_A_DISPUTED_SEAT, one, two, hand, int(seat))
    found += [
        Differs(f"rightful_{each.what}", each.first, each.second, hand)
        for each in _each(OF_THE_POT, first["rightful"], second["rightful"], hand)
    ]
    for seat in _both(first["remedy"], second["remedy"]):
        found += _unequal("remedy", first["remedy"].get(seat), second["remedy"].get(seat), hand, int(seat))
    return tuple(found)


def _unequal(what: str, first: Any, second: Any, hand: int = 0, seat: int = 0) -> list[Differs]:
    return [] if first == second else [Differs(what, first, second, hand, seat)]


def _each(names: Sequence[str], first: Json, second: Json, hand: int, seat: int = 0) -> Iterator[Differs]:
    for name in names:
        yield from _unequal(name, first.get(name), second.get(name), hand, seat)


def _both(first: Json, second: Json) -> list[str]:
    """The seats of either."""
    return sorted({*first, *second}, key=int)


def _findings(first: Sequence[Json], second: Sequence[Json]) -> Iterator[Differs]:
    """Findings of one reading alone, and those that say something else in the other."""
    one, two = _by_place(first), _by_place(second)
    for key in sorted({*one, *two}):
        seq, code, seat, _ = key
        told, also = one.get(key), two.get(key)
        if _said(told) != _said(also):
            hand = (told or also or {}).get("hand") or 0
            yield Differs("finding", _said(told), _said(also), hand, seat, seq, code)


def _by_place(findings: Sequence[Json]) -> dict[tuple[int, str, int, int], Json]:
    """Findings by event, code and seat, and which of several such it is."""
    found: dict[tuple[int, str, int, int], Json] = {}
    for each in findings:
        place = each["seq"], each["code"], each["seat"] or 0
        turn = sum(key[:3] == place for key in found)
        found[(*place, turn)] = each
    return found


def _said(finding: Json | None) -> tuple[Any, ...] | None:
    return None if finding is None else tuple(finding[key] for key in ("severity", "recorded", "expected"))


def _hands(first: Sequence[Json], second: Sequence[Json]) -> Iterator[Differs]:
    """Hand by hand, by recorded number and which of several of that number it is."""
    one, two = _by_number(first), _by_number(second)
    for key in sorted({*one, *two}):
        here, there = one.get(key, {}), two.get(key, {})
        if not here or not there:
            yield Differs("hand", bool(here), bool(there), key[0])
            continue
        yield from _each(OF_A_HAND, here, there, key[0])
        for seat in _both(here["seats"], there["seats"]):
            rows = here["seats"].get(seat, {}), there["seats"].get(seat, {})
            yield from _each(OF_A_SEAT, *rows, key[0], int(seat))


def _by_number(hands: Sequence[Json]) -> dict[tuple[int, int], Json]:
    found: dict[tuple[int, int], Json] = {}
    for row in hands:
        turn = sum(number == row["hand"] for number, _ in found)
        found[row["hand"], turn] = row
    return found


def _balances(first: Json, second: Json) -> Iterator[Differs]:
    for side in ("recorded", "due"):
        for seat in _both(first[side], second[side]):
            yield from _unequal(f"balance_{side}", first[side].get(seat), second[side].get(seat), 0, int(seat))
