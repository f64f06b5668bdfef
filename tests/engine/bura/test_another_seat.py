"""A line written under another seat than the one that acted: one fault, and nobody's sums are others for it."""

import pytest

from replay import desk
from tests.walks import bura as walks
from tests.walks.bura import Json, to_bytes
from tests.walks.script import START, START3, made, told, verified

CALM = walks.Habits(tells=0, opens=0.6, bluffs=0, moves=0, spoils=0, raises=0, commits=0, stacked=0)
SEATS = 5
EVENING = walks.evening(8, seats=SEATS, hands=3, habits=CALM)
"""Five at the table: the stock runs short, its last card is the turn-up."""
TOLD = {"played": "table/card-not-held", "drew": "table/wrong-turn", "dealt": "table/wrong-turn"}
LINES = [(kind, event["seq"]) for kind in TOLD for event in EVENING if event["type"] == kind]


def judged(events: list[Json]) -> Json:
    report = desk.verify(to_bytes(events))
    assert report["format"] == "razbor-report/1"
    return report


def nets(report: Json) -> list[Json]:
    return [{seat: each["net_due"] for seat, each in hand["seats"].items()} for hand in report["hands"]]


NETS = nets(judged(EVENING))


def test_the_evening_is_clean_and_has_it_all() -> None:
    assert judged(EVENING)["verdict"] == "verified"
    turned = [event["card"] for event in EVENING if event["type"] == "trump_turned"]
    assert any(set(turned) & set(event["cards"]) for event in EVENING if event["type"] == "drew")


@pytest.mark.parametrize(("kind", "seq"), LINES)
def test_a_line_under_another_seat_is_one_fault(kind: str, seq: int) -> None:
    right = EVENING[seq]
    for other in range(1, SEATS + 1):
        if other != right["seat"]:
            report = judged([*EVENING[:seq], right | {"seat": other}, *EVENING[seq + 1 :]])
            assert [each["code"] for each in report["findings"] if each["severity"] == "error"] == [TOLD[kind]], other
            for told, right_ones in zip(nets(report), NETS, strict=True):
                assert all(net in (None, right_ones[each]) for each, net in told.items())


@pytest.mark.parametrize("seq", [seq for kind, seq in LINES if kind == "drew"])
def test_a_draw_of_unseen_cards_under_another_seat_is_one_fault(seq: int) -> None:
    """The table does not see what is drawn; that a seat draws twice names the draw that was another's all the same."""
    right = EVENING[seq]
    for other in {*range(1, SEATS + 1)} - {right["seat"]}:
        written = to_bytes([*EVENING[:seq], right | {"seat": other}, *EVENING[seq + 1 :]])
        report = desk.verify(written, view="public")
        told = [(each["seq"], each["code"]) for each in report["findings"] if each["severity"] == "error"]
        assert told == [(seq, "table/wrong-turn")], other


def lines_of(kind: str) -> list[int]:
    return [event["seq"] for event in BURAS if event["type"] == kind and (kind == "counted" or event.get("cards"))]


BURAS = walks.evening(
    3,
    seats=4,
    hands=6,
    habits=walks.Habits(tells=0.5, opens=0.8, bluffs=0, moves=0, spoils=0, raises=0, commits=0, stacked=0.8),
)


def test_combinations_are_shown_and_piles_are_counted() -> None:
    kinds = {event["combination"] for event in BURAS if event["type"] == "declared" and event.get("cards")}
    assert kinds == {"bura", "three_aces", "molodka"}
    assert lines_of("counted")


@pytest.mark.parametrize("seq", lines_of("declared"))
def test_a_declaration_is_that_of_who_holds_the_cards_shown(seq: int) -> None:
    """The seat written down holds none of them (`table/card-not-held`); who does has the right that they give."""
    right = BURAS[seq]
    for other in {1, 2, 3, 4} - {right["seat"]}:
        report = judged([*BURAS[:seq], right | {"seat": other}, *BURAS[seq + 1 :]])
        errors = [(each["seq"], each["code"]) for each in report["findings"] if each["severity"] == "error"]
        assert errors == [(seq, "table/card-not-held")]
        assert nets(report) == nets(judged(BURAS))


@pytest.mark.parametrize("seq", lines_of("counted"))
def test_a_count_under_another_seat_is_told_once(seq: int) -> None:
    """Where two codes fit one event, one is told (`report.md` 1)."""
    right = BURAS[seq]
    for other in {1, 2, 3, 4} - {right["seat"]}:
        report = judged([*BURAS[:seq], right | {"seat": other}, *BURAS[seq + 1 :]])
        errors = [(each["seq"], each["code"]) for each in report["findings"] if each["severity"] == "error"]
        assert errors == [(seq, "table/wrong-turn")]


def test_cards_shown_that_are_not_another_whole_hand_are_a_false_declaration_of_nobody_else() -> None:
    lines = (*START, "deal 1 6h 7s 8d", "deal 2 Ad 9d 7d", "turn 6d", "bura 1 Ad 9d", "up 1 6h")
    assert told(verified(*lines, closed=False)) == [(8, "card-not-held")]


def opened_in(evening: list[Json]) -> list[int]:
    return [event["seq"] for event in evening if event["type"] == "opened"]


def errors_of(report: Json) -> list[tuple[int, str]]:
    return [(each["seq"], each["code"]) for each in report["findings"] if each["severity"] == "error"]


@pytest.mark.parametrize("evening", [EVENING, BURAS])
def test_an_opening_is_that_of_who_may_open_where_all_that_follows_names_that_seat(evening: list[Json]) -> None:
    seats = {event["seat"] for event in evening if event["type"] == "dealt"}
    assert opened_in(evening)
    for seq in opened_in(evening):
        right = evening[seq]
        for other in seats - {right["seat"]}:
            report = judged([*evening[:seq], right | {"seat": other}, *evening[seq + 1 :]])
            assert errors_of(report) == [(seq, "bura/may-not-open")]
            assert nets(report) == nets(judged(evening))


TAKEN = (*START, "deal 1 As Ks Qs", "deal 2 Th Qd 9c", "turn 6d", "up 1 As Ks Qs", "down 2 Th Qd 9c", "opened 2")
"""Seat 1 holds 31 and may open; seat 2, written down, may not."""
SHORT = (*START, "deal 1 As Ks Qs", "deal 2 Th Jd 9c", "turn 6d", "up 1 As Ks Qs", "down 2 Th Jd 9c", "opened 2")
"""The same with 30."""
NO_EFFECT = [(10, "may-not-open")]


@pytest.mark.parametrize(
    ("lines", "net"),
    [
        ((*TAKEN, "counted 1 31", "pot_taken 1 20", "end opened"), 10),
        ((*TAKEN, "pot_taken 1 20", "end opened"), 10),
        ((*SHORT, "counted 1 30", "failed_open 1 20", "end failed_open"), -30),
        ((*SHORT, "failed_open 1 20", "end failed_open"), -30),
    ],
)
def test_who_opened_is_told_once_and_owes_or_takes_what_is_due(lines: tuple[str, ...], net: int) -> None:
    report = verified(*lines)
    assert told(report) == NO_EFFECT
    assert report["findings"][0]["expected"] == 1
    assert report["hands"][0]["seats"]["1"]["net_due"] == net


@pytest.mark.parametrize(
    "lines",
    [
        (*TAKEN, "counted 2 31", "pot_taken 1 20", "end opened"),
        (*TAKEN, "counted 1 31", "pot_taken 2 20", "end opened"),
        (*TAKEN, "pot_taken 2 20", "end opened"),
        (*TAKEN, "failed_open 1 20", "end failed_open"),
        (*SHORT, "counted 1 31", "pot_taken 1 20", "end opened"),
        (*SHORT, "failed_open 2 20", "end failed_open"),
    ],
)
def test_later_lines_that_gainsay_it_leave_the_opening_where_it_was_written(lines: tuple[str, ...]) -> None:
    report = verified(*lines)
    assert told(report)[0] == NO_EFFECT[0]
    assert report["findings"][0]["expected"] is None
    assert report["hands"][0]["reason"] == "abandoned"
    assert len(told(report)) > 2


def test_play_that_goes_on_shows_that_nobody_else_opened() -> None:
    on = ("draw 1 6c 7c 8c", "draw 2 6h 7h 8h", "up 1 6c", "down 2 6h", "opened 1", "pot_taken 1 20", "end opened")
    report = verified(*TAKEN, *on)
    assert told(report) == NO_EFFECT
    assert report["findings"][0]["expected"] is None


def test_who_opened_is_the_opener_in_a_dispute_too() -> None:
    data = to_bytes(made(*TAKEN, "counted 1 31", "pot_taken 1 20", "end opened"))
    found = desk.dispute(data, hand=1)
    assert (found["seats"]["1"]["opened_at"], found["seats"]["2"]["opened_at"]) == (10, None)
    assert found["rightful"]["seats"] == [1]


def test_the_number_said_of_a_pile_that_might_not_be_opened_is_no_second_breach() -> None:
    on = ("draw 1 6c 7c 8c", "draw 2 6h 7h 8h", "up 1 6c", "down 2 6h", "opened 1", "pot_taken 1 20", "end opened")
    assert told(verified(*TAKEN, "counted 2 0", *on)) == NO_EFFECT
    assert told(verified(*TAKEN, "counted 2 7", *on)) == [*NO_EFFECT, (11, "points-miscounted")]
    assert told(verified(*TAKEN, *on[:4], "counted 2 0", *on[4:])) == [*NO_EFFECT, (15, "out-of-place")]


UNSHOWN = [{key: each[key] for key in each if key != "cards"} if each["type"] == "declared" else each for each in BURAS]


def with_effect(seq: int) -> bool:
    """Whether what comes next is what the declaration gives a right to."""
    seat = UNSHOWN[seq]["seat"]
    later = next(each for each in UNSHOWN[seq + 1 :] if each["type"] not in ("declared", "noted"))
    return bool(later.get("seat") == seat) and (later["type"] == "pot_taken" or len(later.get("cards", ())) == 3)


def test_a_declaration_without_cards_is_that_of_who_holds_the_combination_and_acts_on_it() -> None:
    tried = set()
    for event in UNSHOWN:
        seq = event["seq"]
        if event["type"] != "declared" or not with_effect(seq):
            continue
        for other in {1, 2, 3, 4} - {event["seat"]}:
            report = judged([*UNSHOWN[:seq], event | {"seat": other}, *UNSHOWN[seq + 1 :]])
            if (seq, "bura/false-declaration") in errors_of(report):  # the other may hold such a combination as well
                tried.add(event["combination"])
            assert len(errors_of(report)) <= 1
            assert nets(report) == nets(judged(UNSHOWN))
    assert tried == {"bura", "three_aces", "molodka"}


HANDS = (*START, "deal 1 As 7s 6h", "deal 2 9d 8d 7d", "turn 6d")


@pytest.mark.parametrize(
    ("lines", "codes"),
    [
        (("bura 1", "pot_taken 2 20", "end bura"), [(8, "false-declaration")]),
        (("bura 1", "up 1 As", "up 2 9d"), [(8, "false-declaration")]),
        (("bura 1", "bura 2", "pot_taken 2 20", "end bura"), [(8, "false-declaration")]),
        (
            ("bura 1", "pot_taken 1 20", "end bura"),
            [(8, "false-declaration"), (9, "unexpected-payout"), (10, "hand-unfinished")],
        ),
    ],
)
def test_a_false_declaration_is_another_seats_only_where_that_seat_acts_on_it(
    lines: tuple[str, ...], codes: list[tuple[int, str]]
) -> None:
    assert [each for each in told(verified(*HANDS, *lines, closed=False)) if each[1] != "hand-unfinished"] == [
        each for each in codes if each[1] != "hand-unfinished"
    ]


COUNTERED = (*START, "deal 1 Ks 7s 6h", "deal 2 9c 8c 7c", "turn 6d", "up 1 Ks", "molodka 1", "up 2 9c 8c 7c")


def test_a_molodka_that_counters_a_lead_is_that_of_who_leads_it() -> None:
    counter = {"molodka_turn": "counter_lead"}
    report = verified(*COUNTERED, "down 1 Ks 7s 6h", options=counter, closed=False)
    assert [each for each in told(report) if each[1] != "hand-unfinished"] == [(9, "false-declaration")]


def test_aces_declared_of_a_hand_dealt_under_another_seat_may_be_led() -> None:
    """The hand is not known for sure then; of aces that were declared truly no suits are mixed."""
    deal = ("deal 1 6h 7s 8d", "deal 1 Ad Ah Ac", "deal 3 Jd 8s 9d", "turn Kc")
    report = verified(*START3, *deal, "three_aces 2", "up 2 Ac Ah Ad", seats=3, closed=False)
    assert [each for each in told(report) if each[1] != "hand-unfinished"] == [(7, "wrong-turn")]
