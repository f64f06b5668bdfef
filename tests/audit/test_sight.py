"""What each viewer may know of a recording (`report.md` 6, `export --view`)."""

import hashlib
import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from recorder import intake
from replay import desk
from replay.audit import sight
from schemas import rules
from schemas.events import TYPES, Recording, RecordingEnded
from schemas.options import values_of
from tests.check_cases import recording_path

CASES = Path(__file__).parents[1] / "cases"
CLASSIC = {"preset": "bura/classic-36@1", "options": {"molodka_turn": "in_turn"}}


def bura_rules(pack: int = 36, turnup: str = "last_of_stock") -> Any:
    values = {each.name: values_of("bura", each.name)[0] for each in fields(rules.BuraRules)}
    return rules.BuraRules(**(values | {"pack": pack, "turnup": rules.Turnup(turnup)}))


def bourre_rules(trump_card: str = "extra") -> Any:
    values: dict[str, Any] = {
        name: None if name in rules.AMOUNTS else ((7, 3),) if name == "max_draw" else values_of("bourre", name)[0]
        for name in (each.name for each in fields(rules.BourreRules))
    }
    return rules.BourreRules(**(values | {"trump_card": rules.TrumpCard(trump_card)}))


def recording(rows: list[dict[str, Any]]) -> Recording:
    """A recording of wire rows; `seq` is filled in, private fields stay in the lines only."""
    events: list[Any] = []
    lines = []
    for seq, row in enumerate(rows):
        wire = {"seq": seq} | row
        lines.append(json.dumps(wire, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode())
        public = {name: value for name, value in wire.items() if not name.startswith("x_")}
        events.append(msgspec.convert(public, TYPES[wire["type"]]))
    digest = hashlib.sha256(b"".join(line + b"\n" for line in lines)).hexdigest()
    return Recording(tuple(events), tuple(lines), digest, any(isinstance(event, RecordingEnded) for event in events))


def began(game: str = "bura", seats: int = 2, **more: Any) -> dict[str, Any]:
    chosen = CLASSIC if game == "bura" else {"preset": "bourre/classic@1"}
    names = ["Анна", "Борис", "Chloé"][:seats]
    return {"type": "recording_began", "format": "razbor/1", "game": game, "rules": chosen, "seats": names, **more}


def hand(dealer: int = 2) -> dict[str, Any]:
    return {"type": "hand_began", "hand": 1, "dealer": dealer}


def dealt(seat: int, *cards: str) -> dict[str, Any]:
    return {"type": "dealt", "seat": seat, "cards": list(cards)}


def drew(seat: int, *cards: str) -> dict[str, Any]:
    return {"type": "drew", "seat": seat, "cards": list(cards)}


def played(seat: int, face: str, *cards: str) -> dict[str, Any]:
    return {"type": "played", "seat": seat, "cards": list(cards), "face": face}


def turned(card: str) -> dict[str, Any]:
    return {"type": "trump_turned", "card": card}


def taken(seat: int, points: int) -> dict[str, Any]:
    return {"type": "trick_taken", "seat": seat, "points": points}


def corrected(of: int, event: dict[str, Any] | None) -> dict[str, Any]:
    return {"type": "corrected", "of": of, "event": event, "reason": "описка"}


def inserted(after: int, event: dict[str, Any]) -> dict[str, Any]:
    return {"type": "inserted", "after": after, "event": event, "reason": "забыл"}


def rows_of(seen: Recording) -> list[dict[str, Any]]:
    return [json.loads(line) for line in seen.lines]


def public(rows: list[dict[str, Any]], house: Any = None, view: str = "public") -> list[dict[str, Any]]:
    seen = sight.redact(recording(rows), view, house or bura_rules())
    assert seen == recording(rows_of(seen)), "lines, events and digest of the redacted file fit together"
    assert sight.redact(seen, view, house or bura_rules()) == seen, "a second time changes nothing"
    return rows_of(seen)


OPENING = [
    began(),
    hand(),
    dealt(1, "Ac", "Kc", "Tc"),
    dealt(2, "Th", "Qd", "9d"),
    turned("6s"),
    played(1, "up", "Ac", "Kc"),
    played(2, "down", "Th", "Qd"),
    taken(1, 28),
    drew(1, "As", "8s"),
    drew(2, "7s", "9s"),
]


def test_the_table_sees_only_what_lies_face_up() -> None:
    rows = public(OPENING)
    assert rows[0]["view"] == "public"
    assert [rows[seq]["cards"] for seq in (2, 3, 6, 8, 9)] == [["??"] * 3] * 2 + [["??"] * 2] * 3
    assert rows[5]["cards"] == ["Ac", "Kc"]
    assert rows[4]["card"] == "6s"
    assert "points" not in rows[7]


def test_a_seat_sees_its_own_cards_too() -> None:
    rows = public(OPENING, view="seat:2")
    assert rows[0]["view"] == "seat:2"
    assert rows[3]["cards"] == ["Th", "Qd", "9d"]
    assert rows[6]["cards"] == ["Th", "Qd"]
    assert rows[7]["points"] == 28
    assert rows[9]["cards"] == ["7s", "9s"]
    assert rows[2]["cards"] == ["??"] * 3


def test_the_full_view_is_the_file_itself() -> None:
    whole = recording([began(x_cards="As"), *OPENING[1:]])
    assert sight.redact(whole, "full", bura_rules()) is whole


def test_up_to_an_event_nothing_later_is_known() -> None:
    whole = recording(OPENING)
    cut = sight.redact(whole, "full", bura_rules(), upto=4)
    assert len(cut.events) == len(cut.lines) == 5
    assert cut == recording(OPENING[:5])


@pytest.mark.parametrize("word", ["", "Public", "seat:0", "seat:03", "seat:٣", "seat:", "seat:1 ", "seat:123"])
def test_a_view_that_is_none_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match=f"^{word}$"):
        sight.redact(recording(OPENING), word, bura_rules())


def test_a_narrower_record_stays_narrow() -> None:
    once = sight.redact(recording(OPENING), "seat:1", bura_rules())
    other = rows_of(sight.redact(once, "seat:2", bura_rules()))
    assert other[0]["view"] == "public"
    assert other[2]["cards"] == other[3]["cards"] == ["??"] * 3
    assert sight.redact(once, "full", bura_rules()) is once


def test_private_fields_and_packs_are_withheld_but_notes_stay() -> None:
    rows = [
        began(x_seen="As"),
        hand() | {"x_table": {"card": "As"}},
        dealt(1, "Ac", "Kc", "Tc") | {"note": "кофе", "x_camera": 2},
        {"type": "deck_revealed", "cards": ["Ac", "Kc"], "salt": "00", "id": "d-1", "note": "спор"},
        corrected(3, {"type": "deck_revealed", "cards": ["Ac", "Tc"], "salt": "00", "x_y": "Ac"}),
        inserted(3, {"type": "deck_revealed", "cards": ["Ac", "Tc"]}),
    ]
    seen = public(rows)
    text = json.dumps(seen)
    assert not any(card in text for card in ("Ac", "Kc", "Tc", "As", "x_", "salt"))
    assert seen[3] == {"seq": 3, "type": "noted", "text": sight.WITHHELD, "id": "d-1", "note": "спор"}
    assert seen[4]["event"] == seen[5]["event"] == {"type": "noted", "text": sight.WITHHELD}
    assert seen[2]["note"] == "кофе"


def test_shown_told_and_turned_cards_stay() -> None:
    told: list[dict[str, Any]] = [
        {"type": "revealed", "of": 6, "cards": ["Th", "??"]},
        {"type": "counted", "seat": 1, "points": 28, "cards": ["Ac", "Kc", "Th", "Qd"]},
        {"type": "declared", "seat": 1, "combination": "molodka", "cards": ["Ac", "Kc", "Tc"]},
        {"type": "testified", "seat": 2, "of": 6, "cards": ["Td/Ks", "??"]},
        {"type": "card_missing", "card": "7d"},
    ]
    seen = public([*OPENING, *told])
    assert [row | {"seq": 0} for row in seen[-5:]] == [{"seq": 0} | row for row in told]
    assert seen[6]["cards"] == ["??", "??"], "a reveal does not write into the event it speaks of"


def test_points_of_a_trick_revealed_before_the_claim_stay() -> None:
    shown = {"type": "revealed", "of": 6, "cards": ["Th", "Qd"]}
    rows = [*OPENING[:7], shown, taken(1, 28)]
    assert public(rows)[8]["points"] == 28
    assert "points" not in public([*OPENING[:8], shown])[7]


def test_points_of_a_bright_trick_stay_after_a_dark_one_nobody_claimed() -> None:
    rows = [
        began(),
        hand(),
        dealt(1, "Ac", "Kc", "Tc"),
        dealt(2, "Th", "Qd", "9d"),
        turned("6s"),
        played(1, "up", "Ac"),
        played(2, "down", "Th"),
        played(1, "up", "Kc"),
        played(2, "up", "6s"),
        taken(2, 4),
    ]
    assert public(rows)[9]["points"] == 4


STOCK_OF_TWO = [
    began(seats=2),
    hand(),
    dealt(1, "Ac", "Kc", "Tc"),
    dealt(2, "Th", "Qd", "9d"),
    turned("As"),
    played(1, "up", "Ac"),
    played(2, "down", "Th"),
]


def small_pack(count: int) -> Any:
    return replace(bura_rules(), pack=count)


def test_everyone_sees_who_draws_the_turn_up() -> None:
    rows = [*STOCK_OF_TWO, drew(1, "7s"), drew(2, "As")]
    seen = public(rows, small_pack(8))
    assert seen[7]["cards"] == ["??"]
    assert seen[8]["cards"] == ["As"]


def test_a_turn_up_drawn_while_the_stock_lasts_is_not_seen() -> None:
    rows = [*STOCK_OF_TWO, drew(1, "7s"), drew(2, "As")]
    assert public(rows, small_pack(9))[8]["cards"] == ["??"]
    out = bura_rules(turnup="out_of_play")
    assert public(rows, replace(out, pack=8))[8]["cards"] == ["??"]


def test_the_first_to_draw_may_also_draw_the_turn_up() -> None:
    three = [*STOCK_OF_TWO, drew(1, "7s", "As"), drew(2, "8s")]
    assert public(three, small_pack(9))[7]["cards"] == ["??", "As"]
    cut = sight.redact(recording(three), "public", small_pack(9), upto=7)
    assert rows_of(cut)[7]["cards"] == ["??", "??"], "before the last card is drawn nobody knows"


def test_a_missing_card_makes_the_stock_shorter() -> None:
    rows = [*STOCK_OF_TWO, {"type": "card_missing", "card": "??"}, drew(1, "7s"), drew(2, "As")]
    assert public(rows, small_pack(9))[9]["cards"] == ["As"]


def test_a_card_said_to_be_missing_twice_lacks_once() -> None:
    lost = {"type": "card_missing", "card": "9s"}
    for before in ([STOCK_OF_TWO[0], lost, lost, *STOCK_OF_TWO[1:]], [*STOCK_OF_TWO, lost, lost]):
        rows = [*before, drew(1, "7s"), drew(2, "As")]
        assert public(rows, small_pack(9))[10]["cards"] == ["As"]
        assert public(rows, small_pack(10))[10]["cards"] == ["??"], "one card more lies in the stock"


BOURRE = [
    began("bourre"),
    hand(dealer=2),
    dealt(1, "2c", "3c", "4c", "5c", "6c"),
    dealt(2, "2d", "3d", "4d", "5d", "6d"),
    turned("6d"),
    {"type": "stayed", "seat": 1},
    {"type": "discarded", "seat": 1, "cards": ["2c", "3c"]},
    {"type": "stock_recycled", "cards": ["2h", "3h"]},
    drew(1, "7c", "8c"),
]


def test_bourre_discards_draws_and_the_new_stock_are_unseen() -> None:
    seen = public(BOURRE, bourre_rules())
    assert [seen[seq]["cards"] for seq in (2, 3)] == [["??"] * 5] * 2
    assert seen[6]["cards"] == seen[8]["cards"] == ["??", "??"]
    assert "cards" not in seen[7]
    own = public(BOURRE, bourre_rules(), "seat:1")
    assert own[6]["cards"] == ["2c", "3c"]
    assert own[8]["cards"] == ["7c", "8c"]


def test_the_dealers_fifth_card_is_seen_once_it_is_turned() -> None:
    fifth = bourre_rules("dealers_fifth")
    assert public(BOURRE, fifth)[3]["cards"] == ["??", "??", "??", "??", "6d"]
    before = sight.redact(recording(BOURRE), "public", fifth, upto=3)
    assert rows_of(before)[3]["cards"] == ["??"] * 5


@pytest.mark.parametrize(
    ("change", "view", "recorded", "nested"),
    [
        (dealt(2, "Ah", "Kh", "Th"), "seat:1", ["??"] * 3, ["??"] * 3),
        (dealt(2, "Ah", "Kh", "Th"), "seat:2", ["??"] * 3, ["Ah", "Kh", "Th"]),
        (dealt(1, "Ah", "Kh", "Th"), "seat:1", ["Ac", "Kc", "Tc"], ["Ah", "Kh", "Th"]),
        (played(2, "down", "Ah"), "public", ["??"] * 3, ["??"]),
        (None, "seat:1", ["Ac", "Kc", "Tc"], None),
    ],
)
def test_a_corrected_deal_shows_what_both_readings_show(
    change: dict[str, Any] | None, view: str, recorded: list[str], nested: list[str] | None
) -> None:
    seen = public([*OPENING, corrected(2, change)], view=view)
    assert seen[2]["cards"] == recorded
    assert (seen[-1]["event"] or {}).get("cards") == nested


def test_a_play_corrected_to_face_down_is_hidden_from_the_start() -> None:
    rows = [*OPENING, corrected(5, played(1, "down", "Ac", "Kc"))]
    seen = public(rows)
    assert seen[5]["cards"] == seen[-1]["event"]["cards"] == ["??", "??"]
    early = sight.redact(recording(rows), "public", bura_rules(), upto=5)
    assert rows_of(early)[5]["cards"] == ["??", "??"]


def test_a_replaced_correction_shows_no_more_than_the_last() -> None:
    rows = [*OPENING, corrected(5, played(1, "up", "Ac", "Qc")), corrected(5, played(1, "down", "Ac", "Kc"))]
    seen = public(rows)
    assert seen[-2]["event"]["cards"] == seen[-1]["event"]["cards"] == ["??", "??"]


def test_inserted_claims_on_dark_tricks_lose_their_points() -> None:
    rows = [*OPENING[:7], *OPENING[8:], inserted(6, taken(1, 28)), inserted(5, taken(1, 15))]
    seen = public(rows)
    assert "points" not in seen[-2]["event"]
    assert seen[-1]["event"]["points"] == 15
    claim = public([*OPENING, corrected(7, taken(2, 28))])
    assert "points" not in claim[-1]["event"]


def recordings() -> list[Path]:
    return sorted(path for path in CASES.glob("*/*.jsonl") if not path.name.startswith(("refuse-", "accept-gzip")))


@pytest.mark.parametrize("path", recordings(), ids=lambda path: path.name)
@pytest.mark.parametrize("view", ["public", "seat:1", "seat:2"])
def test_no_view_of_a_case_tells_a_face_its_viewer_did_not_see(path: Path, view: str) -> None:
    rows = [json.loads(line) for line in path.read_text("utf-8-sig").split("\n") if line.strip()]
    bura = rows[0]["game"] == "bura"
    pack = 32 if "classic-32" in rows[0]["rules"]["preset"] else 20 if "georgian" in rows[0]["rules"]["preset"] else 36
    seen = public(rows, bura_rules(pack) if bura else bourre_rules(), view)
    seat = int(view[5:] or 0) if view != "public" else 0
    turn_up = ""
    assert len(seen) == len(rows)
    for before, after in zip(rows, seen, strict=True):
        kind = before["type"]
        turn_up = before["card"] if kind == "trump_turned" else turn_up
        hidden = kind in ("dealt", "drew", "discarded") or (kind == "played" and before["face"] == "down")
        if hidden and before["seat"] != seat:
            assert all(card == "??" or (kind == "drew" and card == turn_up) for card in after["cards"])
        elif kind == "played" or hidden:
            assert after["cards"] == before["cards"] or rows[0].get("view", "full") not in ("full", view)


@pytest.mark.parametrize(
    "case", ["bura/dispute-open-01", "bura/table-amended", "bura/table-missing-card", "bourre/session-05"]
)
@pytest.mark.parametrize("view", ["full", "public", "seat:1"])
def test_the_events_up_to_any_of_them_are_those_of_a_recording_that_ends_there(case: str, view: str) -> None:
    whole = intake.read(recording_path(case).read_bytes())
    assert isinstance(whole, Recording)
    rules = desk.house_of(whole).rules
    forth, back = (sight.redacted_until(whole, view, rules) for _ in range(2))
    cut = [sight.redact(whole, view, rules, upto=seq).events for seq in range(len(whole.events))]
    assert [forth(seq) for seq in range(len(cut))] == cut
    assert [back(seq) for seq in reversed(range(len(cut)))] == cut[::-1]
