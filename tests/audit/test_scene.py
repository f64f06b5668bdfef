"""One hand read as cards and places, and what each view's bounds say of the recorded cases (`report.md` 5)."""

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from recorder.intake import read_all
from replay.audit.amend import read
from replay.audit.places import Bounds, Scene, bounds, bounds_of, joint, scene_of
from replay.audit.report import audit
from replay.audit.sight import redact
from replay.desk import house_of
from replay.engine.outcome import TrickResult
from schemas import rules as rulebook
from schemas.cards import mask_of
from schemas.events import (
    CardMissing,
    Counted,
    Dealt,
    DeckRevealed,
    Declared,
    Drew,
    HandBegan,
    Happening,
    Played,
    Recording,
    Revealed,
    TrumpTurned,
    Unseen,
)
from schemas.options import values_of
from schemas.values import Seat

CASES = Path(__file__).parents[1] / "cases" / "bura"


def house(**more: Any) -> rulebook.BuraRules:
    values = {each.name: values_of("bura", each.name)[0] for each in fields(rulebook.BuraRules)}
    return rulebook.BuraRules(**(values | more))


def dealt(seq: int, seat: int, cards: str) -> Dealt:
    return Dealt(seq=seq, seat=Seat(seat), cards=tuple(cards.split()))


def drew(seq: int, seat: int, cards: str) -> Drew:
    return Drew(seq=seq, seat=Seat(seat), cards=tuple(cards.split()))


def played(seq: int, seat: int, cards: str, face: Any = "down") -> Played:
    return Played(seq=seq, seat=Seat(seat), cards=tuple(cards.split()), face=face)


def turned(seq: int, card: str) -> TrumpTurned:
    return TrumpTurned(seq=seq, card=card)


def trick(number: int, taker: int, *seqs: int) -> TrickResult:
    return TrickResult(number, 1, taker, seqs, 0, 0)


def scene(events: Sequence[Happening], *tricks: TrickResult, rules: Any = None, **more: Any) -> Scene:
    return scene_of(events, tricks, rules or house(), **more)


def span(events: Sequence[Happening], *tricks: TrickResult, seat: int = 1, **more: Any) -> tuple[int, int]:
    found = bounds(scene(events, *tricks, **more), seat)
    assert found.exact
    assert not found.dropped
    return found.low, found.high


UNSEEN = [dealt(1, 1, "?? ?? ??"), dealt(2, 2, "?? ?? ??"), turned(3, "Ah")]
LAID = [*UNSEEN, played(4, 1, "As Ts", "up"), played(5, 2, "?? ??")]
TAKEN = trick(1, 1, 4, 5)


def test_unseen_cards_are_any_that_lie_nowhere_else() -> None:
    assert span(LAID, TAKEN) == (21, 21 + 11 + 11)
    assert span([*LAID, played(6, 1, "Ad", "up")], TAKEN) == (21, 21 + 11 + 10)
    assert span(LAID, trick(1, 0, 4, 5)) == (0, 0), "a trick that is not taken lies in no pile"


def test_a_reveal_names_the_cards_of_its_event() -> None:
    assert span([*LAID, Revealed(seq=6, of=5, cards=("Kd", "??"))], TAKEN) == (25, 25 + 11)
    assert span([*LAID, Revealed(seq=6, of=2, cards=("6d", "7d", "8d"))], TAKEN) == (21, 21)


def test_a_counted_pile_holds_the_cards_shown() -> None:
    whole = Counted(seq=6, seat=Seat(1), points=0, cards=("Kd", "As", "6c", "Ts"))
    assert span([*LAID, whole], TAKEN) == (25, 25)
    assert span([*LAID, replace_cards(whole, "Kd", "??", "As", "Ts")], TAKEN) == (25, 25 + 11)
    false = bounds(scene([*LAID, replace_cards(whole, "Kd", "6c", "7c", "8c")], TAKEN), 1)
    assert (false.low, false.high, false.dropped) == (21, 43, ("shown",))


def replace_cards(event: Counted, *cards: str) -> Counted:
    return Counted(seq=event.seq, seat=event.seat, points=0, cards=cards)


def test_cards_shown_in_a_declaration_are_held_then() -> None:
    shown = Declared(seq=6, seat=Seat(2), combination="molodka", cards=("Ad",))
    assert span([*LAID, shown], TAKEN) == (21, 21 + 11 + 10)
    assert span([*UNSEEN, shown, *LAID[3:]], TAKEN) == (21, 43)


def test_testimony_narrows_what_the_record_leaves_open() -> None:
    told = {(5, 0): mask_of(["Kd", "Td"]), (5, 1): mask_of(["6d"]), (4, 0): mask_of(["6h"])}
    assert span(LAID, TAKEN, testimony=told) == (25, 31)


def test_a_missing_card_lies_in_no_pile() -> None:
    assert span([*LAID, CardMissing(seq=6, card="Ac")], TAKEN) == (21, 21 + 11 + 10)
    assert span(LAID, TAKEN, missing=(mask_of(["Ac", "Ad"]),)) == (21, 21 + 11 + 10)
    assert span([*LAID, CardMissing(seq=6, card="As")], TAKEN) == (21, 43), "it was lost after it was seen"


def test_plays_sent_back_lie_in_the_hand_again() -> None:
    events = [*UNSEEN, played(4, 1, "As", "up"), played(5, 2, "Kd Qd Jd", "up"), played(6, 1, "?? ?? ??")]
    assert span(events, trick(1, 2, 5, 6), seat=2, returned=(4,)) == (9 + 11, 9 + 11 + 11 + 11)


SHORT = [*UNSEEN, played(4, 1, "??"), played(5, 2, "??"), drew(6, 1, "??"), drew(7, 2, "??")]


def test_who_draws_the_last_card_draws_the_turn_up() -> None:
    small = house(pack=20)
    events = [
        *UNSEEN,
        played(4, 1, "?? ?? ??"),
        played(5, 2, "?? ?? ??"),
        drew(6, 1, "?? ?? ??"),
        drew(7, 2, "?? ?? ??"),
    ]
    events += [played(8, 1, "?? ?? ??"), played(9, 2, "?? ?? ??"), drew(10, 1, "?? ?? ??"), drew(11, 2, "?? ?? ??")]
    events += [played(12, 1, "??"), played(13, 2, "??"), drew(14, 1, "??")]
    assert scene(events, rules=small).elsewhere == mask_of(["Ah"])
    after = scene([*events, drew(15, 2, "??")], rules=small)
    assert after.elsewhere == 0
    assert [take.seq for take in after.takes if take.domain == mask_of(["Ah"])] == [15]
    out = replace(small, turnup=rulebook.Turnup.OUT_OF_PLAY)
    assert scene([*events, drew(15, 2, "??")], rules=out).elsewhere == mask_of(["Ah"])


def test_round_by_round_the_first_to_draw_may_get_the_last_card() -> None:
    events = [*UNSEEN, played(4, 1, "??"), drew(5, 1, "?? ??"), drew(6, 2, "??")]
    seven = replace(house(pack=20), draw_style=rulebook.DrawStyle.ROUND_ROBIN)
    lost = [(1 << 52) - 1] * 11
    found = scene(events, rules=seven, missing=lost)
    assert [(take.seq, take.spot) for take in found.takes if take.domain == mask_of(["Ah"])] == [(5, 1)]
    filled = scene(events, rules=replace(seven, draw_style=rulebook.DrawStyle.FILL_EACH), missing=lost)
    assert [(take.seq, take.spot) for take in filled.takes if take.domain == mask_of(["Ah"])] == [(6, 0)]


def test_a_revealed_pack_names_every_card_unless_it_contradicts() -> None:
    deck = ("Ad", "Kd", "6s", "7s", "8s", "9s", "Ah", "6c", "7c")
    shown = [*SHORT, DeckRevealed(seq=8, cards=deck)]
    found = scene(shown)
    assert [take.domain for take in found.takes] == [
        mask_of([card]) for card in ("Ad", "6s", "8s", "Kd", "7s", "9s", "6c", "7c")
    ]
    false = scene([dealt(1, 1, "As ?? ??"), *shown[1:]])
    assert [take.domain.bit_count() for take in false.takes] == [1, *[52] * 7]


def bura_recordings() -> list[Path]:
    return sorted(path for path in CASES.glob("*.bura.jsonl") if not path.name.startswith("refuse-"))


def loaded(path: Path) -> Recording:
    found = read_all(path.read_bytes())
    assert isinstance(found, tuple)
    return found[0]


def moments(recording: Recording) -> Iterator[tuple[int, tuple[TrickResult, ...]]]:
    """Each play of each hand, and the tricks of its hand that are over by then."""
    for result in audit(recording, house_of(recording)).results:
        for each in result.tricks:
            for seq in each.seqs:
                yield (
                    seq,
                    tuple(
                        trick(one.trick, one.taker if one.seqs[-1] <= seq else 0, *one.seqs) for one in result.tricks
                    ),
                )


def seen_bounds(
    recording: Recording, view: str, seq: int, tricks: tuple[TrickResult, ...], seats: Sequence[int]
) -> dict[int, Bounds]:
    rules = house_of(recording).rules
    assert isinstance(rules, rulebook.BuraRules)
    events = read(redact(recording, view, rules, upto=seq).events, "amended")
    start = max(at for at, event in enumerate(events) if event.seq < tricks[0].seqs[0] and isinstance(event, HandBegan))
    return bounds_of(scene_of(events[start:], tricks, rules), seats)


@pytest.mark.parametrize("path", bura_recordings(), ids=lambda path: path.name)
def test_a_narrower_view_never_has_narrower_bounds(path: Path) -> None:
    recording = loaded(path)
    if any(isinstance(event, Unseen) for event in recording.events):
        return
    seats = tuple(range(1, len(recording.began.seats) + 1))
    for seq, tricks in moments(recording):
        if any(not one.seqs or one.taker < 0 for one in tricks):
            continue
        full = seen_bounds(recording, "full", seq, tricks, seats)
        if any(found.dropped for found in full.values()):
            continue
        public = seen_bounds(recording, "public", seq, tricks, seats)
        own = seen_bounds(recording, "seat:1", seq, tricks, seats)
        for seat in seats:
            assert public[seat].low <= own[seat].low <= full[seat].low
            assert public[seat].high >= own[seat].high >= full[seat].high
            assert public[seat].exact


def test_six_seats_and_twelve_unseen_cards_are_bounded_at_once() -> None:
    seats = range(1, 7)
    deal = [dealt(seat, seat, "?? ?? ??") for seat in seats]
    lead = [played(10, 1, "As Ts", "up"), *(played(10 + seat, seat + 1, "?? ??") for seat in range(1, 6))]
    draws = [drew(20 + seat, seat, "?? ??") for seat in seats]
    second = [played(30, 1, "Kd", "up"), *(played(30 + seat, seat + 1, "??") for seat in range(1, 6))]
    events = [*deal, turned(9, "Ah"), *lead, *draws, *second]
    tricks = (trick(1, 1, *range(10, 16)), trick(2, 2, *range(30, 36)))
    both = scene(events, *tricks)
    found = bounds_of(both, (1, 2))
    assert (found[1].low, found[1].high) == (21, 21 + 3 * 10 + 2 * 11 + 3 * 4 + 2 * 3)
    assert found[1].exact
    answer = joint(both, tuple(seats), 31)
    assert answer.exact
    assert (answer.at_least_one, answer.at_most_one) == ("open", "open")
