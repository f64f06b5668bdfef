"""`rules.md` 1 and 2 where two of their sentences meet in one hand."""

import pytest

from tests.walks.script import START, told, verified

Lines = tuple[str, ...]


def ring_of(seats: int, dealer: int) -> list[int]:
    return [(dealer + step) % seats + 1 for step in range(seats)]


def dealt(hands: dict[int, str], dealer: int, turned: str, *, hand: int = 1, ante: int = 10) -> Lines:
    ring = ring_of(len(hands), dealer)
    antes = [f"ante {seat} {ante}" for seat in ring if ante]
    return (f"hand {hand} {dealer}", *antes, *[f"deal {seat} {hands[seat]}" for seat in ring], f"turn {turned}")


# -- a set while an opponent holds fewer ----------------------------------------------------------------------------

FOUR = {1: "9c 8d Qh", 2: "Jh Qc 7s", 3: "Qs Js Ts", 4: "7d 9h Jd"}
STOCK = "Tc Th Td 6s Kd Kc Ks Kh Qd Ad Ah 6d 9s 6h Ac 8s 7c 7h 8c Jc 9d 8h As"


def one_by_one(hands: dict[int, str], stock: str, tricks: int) -> tuple[Lines, dict[int, list[str]]]:
    """Tricks of one card that seat 1 leads and takes, each followed by the draw; with what is held then."""
    held = {seat: cards.split() for seat, cards in hands.items()}
    left, lines = stock.split(), []
    for _ in range(tricks):
        lines += [f"{'up' if seat == 1 else 'down'} {seat} {cards.pop(0)}" for seat, cards in held.items()]
        for seat, cards in held.items():
            if left:
                cards.append(left.pop(0))
                lines.append(f"draw {seat} {cards[-1]}")
    return tuple(lines), held


@pytest.mark.parametrize("turn", ["out_of_turn", "counter_lead"])
def test_a_molodka_gives_no_right_while_an_opponent_holds_fewer_than_three(turn: str) -> None:
    """The turn-up is out of play: of 23 cards the last round goes to three of four seats, and seat 4 holds two."""
    options = {"molodka_turn": turn, "turnup": "out_of_play"}
    before, held = one_by_one(FOUR, STOCK, 6)
    assert (held[2], len(held[4])) == (["6h", "7h", "8h"], 2)
    said = ("up 1 9s", "molodka 2") if turn == "counter_lead" else ("molodka 2", "up 1 9s")
    lines = ("stake_set 10", *dealt(FOUR, 4, "6c"), *before)
    answered = (*lines, *said, "down 2 6h", "down 3 Ac", "down 4 8s")
    assert told(verified(*answered, closed=False, seats=4, options=options)) == []
    led = (*lines, *[word for word in said if word != "up 1 9s" or turn == "counter_lead"], "up 2 6h 7h 8h")
    wrong = ["wrong-card-count"] if turn == "counter_lead" else ["lead-too-large", "lead-not-entitled"]
    assert [code for _, code in told(verified(*led, closed=False, seats=4, options=options))] == wrong


# -- a declared bura decides the hand at once -----------------------------------------------------------------------

PAGAT = {"preset": "bura/pagat-36@1", "options": {"molodka_turn": "in_turn"}}
DRAWN: Lines = (
    *("stake_set 10", *dealt({1: "As Ks Ts", 2: "8c Td Jd"}, 2, "7c")),
    *("up 1 As Ks", "up 2 Td Jd", "draw 1 Ad 6d", "draw 2 9c Jc"),
)
"""Seat 1 holds 27 points and is to lead, seat 2 three trumps; the next line has seq 12."""


def test_after_a_declared_bura_nobody_opens() -> None:
    report = verified(*DRAWN, "bura 2", "opened 1", "pot_taken 2 20", "end bura", **PAGAT)
    assert told(report) == [(13, "out-of-place")]
    assert report["hands"][0]["takers"] == [2]
    late = verified(*DRAWN, "bura 2", "opened 1", "pot_taken 2 20", "end bura")  # the window of classic
    assert told(late)[-1] == (13, "opened-late")
    before = verified(*DRAWN, "opened 1", "bura 2", "failed_open 1 20", "end failed_open", **PAGAT)
    assert told(before) == [(13, "out-of-place")]


GEORGIAN = {"preset": "bura/georgian-20@1", "options": {"molodka_turn": "counter_lead"}}


@pytest.mark.parametrize(
    ("words", "errors"),
    [
        (("bura 1", "raise_offered 2 2"), [6]),
        (("bura 1", "raise_offered 1 2", "raise_declined 2"), [6, 7]),
        (("bura 1", "raise_offered 1 2", "raise_accepted 2"), [6, 7]),
        (("raise_offered 2 2", "bura 1", "raise_declined 1"), [7]),
        (("raise_offered 2 2", "bura 1"), []),
    ],
)
def test_after_a_declared_bura_nobody_raises(words: Lines, errors: list[int]) -> None:
    """The hand is scored at the level that stood."""
    lines = dealt({1: "As Ks Ts", 2: "Td Qh Jd"}, 2, "Qs", ante=0)
    report = verified(*lines, *words, "scored 1 1", "end bura", **GEORGIAN)
    assert told(report) == [(seq, "out-of-place") for seq in errors]
    assert report["hands"][0]["takers"] == [1]


# -- chips between the decision and the payment ---------------------------------------------------------------------

OPENED: Lines = (*dealt({1: "As Ks Ts", 2: "Td Qh 9h"}, 2, "6c"), "up 1 As Ks Ts", "down 2 Td Qh 9h", "opened 1")
"""Seat 1 opens with 38 for a pot of 20; the next line has seq 11."""


@pytest.mark.parametrize(
    ("words", "errors"),
    [
        (("failed_open 2 20", "pot_taken 1 40"), ["unexpected-stake"]),
        (("failed_open 2 20", "pot_taken 1 20"), ["unexpected-stake"]),
        (("failed_open 2 20", "pot_taken 1 30"), ["unexpected-stake", "wrong-payout"]),
        (("pot_taken 2 5", "pot_taken 1 15"), ["unexpected-payout"]),
        (("pot_taken 2 5",), ["unexpected-payout", "missing-payout"]),
        (("pot_taken 2 20",), ["unexpected-payout", "missing-payout"]),
    ],
)
def test_who_takes_the_pot_takes_what_lies_there_or_what_should(words: Lines, errors: list[str]) -> None:
    report = verified("stake_set 10", *OPENED, *words, "end opened")
    assert [code for _, code in told(report)] == errors
    assert [row["net_due"] for row in report["hands"][0]["seats"].values()] == [10, -10]


@pytest.mark.parametrize(
    ("words", "pot", "left", "errors"),
    [
        (("debt 2 5", "pot_taken 1 40"), 40, 0, []),
        (("debt 2 5", "pot_taken 1 35"), 40, 0, ["wrong-payout"]),
        (("pot_taken 1 35", "debt 2 5"), 35, 5, []),
    ],
)
def test_a_debt_paid_before_the_pot_is_taken_is_part_of_it(
    words: Lines, pot: int, left: int, errors: list[str]
) -> None:
    """Seat 2 matched a pot of 20 with 15, and owes five."""
    failed = (*dealt({2: "As Ks Js", 1: "Td Qh 9h"}, 1, "6c"), "up 2 As Ks Js", "down 1 Td Qh 9h", "opened 2")
    opened = tuple(line for line in OPENED if "ante" not in line and "hand" not in line)
    lines = (*failed, "failed_open 2 15", "end failed_open", "chips_bought 2 5", "hand 2 2", *opened)
    report = verified("stake_set 10", *lines, *words, "end opened", stacks=[100, 25])
    assert [code for _, code in told(report)] == errors
    assert (report["hands"][1]["pot"], report["hands"][1]["pot_after"]) == (pot, left)


# -- a seat that sits out and is dealt to ---------------------------------------------------------------------------

SEAT_OUT: dict[int, Lines] = {
    2: ("hand 1 3", "sat_out 2", "ante 1 10", "ante 3 10"),
    1: ("hand 1 3", "sat_out 1", "ante 2 10", "ante 3 10"),
}
DEALT_ALL = ("deal 1 As Ks Ts", "deal 2 Ah Kh Th", "deal 3 7h 8h 8d", "turn 6c")


@pytest.mark.parametrize(
    ("out", "place", "words"),
    [
        (2, 7, ("up 1 As Ks Ts", "down 3 7h 8h 8d", "opened 1", "failed_open 1 20", "end failed_open")),
        (2, 7, ("up 1 As", "down 3 8d", "draw 1 9c", "draw 3 9d", "up 1 9c", "down 3 9d", "end abandoned")),
        (2, 7, ("up 1 As", "down 3 8d", "trick_taken 1 11", "open_declined 1", "draw 1 9c", "end abandoned")),
        (2, 7, ("up 1 As", "down 2 Th", "down 3 8d", "draw 1 9c", "draw 2 Td", "draw 3 Jd", "end abandoned")),
        (1, 6, ("up 2 Ah", "down 3 8d", "draw 2 9c", "draw 3 9d", "up 2 9c", "down 3 9d", "end abandoned")),
        (1, 6, ("up 1 As", "down 2 Th", "down 3 8d", "draw 1 9c", "end abandoned")),
    ],
)
def test_a_seat_that_sits_out_and_is_dealt_to_plays_along_or_does_not(out: int, place: int, words: Lines) -> None:
    report = verified("stake_set 10", *SEAT_OUT[out], *DEALT_ALL, *words, seats=3)
    assert told(report) == [(place, "wrong-turn")]
    assert told(report, "doubt") == []


@pytest.mark.parametrize(
    "words",
    [
        ("up 1 As Ks", "down 3 7h 8h", "draw 1 Ac Ad", "draw 3 Td Jd", "up 1 Ac", "down 3 Td", "end abandoned"),
        ("up 1 As Ks", "down 3 7h 8h", "trick_taken 1 15", "opened 1", "failed_open 1 20", "end failed_open"),
    ],
)
def test_a_seat_that_sits_out_though_it_is_not_on_record_is_not_waited_for(words: Lines) -> None:
    lines = ("hand 1 3", "ante 1 10", "ante 3 10", "deal 1 As Ks Ts", "deal 3 7h 8h 8d", "turn 6c")
    report = verified("stake_set 10", *lines, *words, seats=3)
    assert told(report) == [(5, "missing-stake"), (6, "wrong-turn")]
    assert told(report, "doubt") == []


@pytest.mark.parametrize("words", [("up 2 As Ks Ts",), ("molodka 1", "up 1 7h 8h 9h", "down 2 As Ks Ts")])
def test_a_newcomer_who_waits_and_is_dealt_to_is_not_waited_for(words: Lines) -> None:
    """Seat 4 has come while a pot lies; it stands in the middle of the trick, or at its end."""
    failed = (*dealt({1: "As Ks Js", 2: "Td Qh 9h", 3: "7h 8h 8d"}, 3, "6c"), "up 1 As Ks Js", "down 2 Td Qh 9h")
    lines = ("stake_set 10", *failed, "down 3 7h 8h 8d", "opened 1", "failed_open 1 30", "end failed_open")
    again = ("deal 2 As Ks Ts", "deal 3 Td Qh Jc", "deal 4 9s 9d 9c", "deal 1 7h 8h 9h", "turn 6c")
    answers = ("down 3 Td Qh Jc", *(() if "molodka 1" in words else ("down 1 7h 8h 9h",)))
    taker = 1 if "molodka 1" in words else 2
    paid = (f"pot_taken {taker} 60", "end opened")
    report = verified(
        *(*lines, "joined 4 Глеб", "hand 2 1", *again, *words, *answers, f"opened {taker}", *paid), seats=3
    )
    assert told(report) == [(len(lines) + 5, "wrong-turn")]
    assert report["hands"][1]["takers"] == [taker]


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("other", [1, 2, 3])
def test_a_deal_written_under_another_seat_gives_no_wrong_amount(place: int, other: int) -> None:
    deals = ["deal 1 As Ks Ts", "deal 2 Td Qh 9h", "deal 3 7h 8h 8d"]
    right = deals[place]
    deals[place] = right.replace(right.split()[1], str(other), 1)
    lines = ("hand 1 3", "ante 1 10", "ante 2 10", "ante 3 10", *deals, "turn 6c", "up 1 As Ks Ts", "down 2 Td Qh 9h")
    report = verified(
        "stake_set 10", *lines, "down 3 7h 8h 8d", "opened 1", "counted 1 38", "pot_taken 1 30", "end opened", seats=3
    )
    assert [code for _, code in told(report)] == ([] if deals[place] == right else ["wrong-turn"])
    assert [row["net_due"] for row in report["hands"][0]["seats"].values()] == [20, -10, -10]


def test_who_plays_though_it_has_left_on_record_stands_in_the_result() -> None:
    """Seat 1 has left, it is written, and plays: its points and chips are told too."""
    deals = ("deal 1 As Ks Ts", "deal 3 7h 8h 8d", "turn 6c", "up 1 As Ks Ts", "down 3 7h 8h 8d")
    lines = ("left 1", "hand 1 3", "ante 1 10", "ante 3 10", *deals, "opened 1", "failed_open 1 20", "end failed_open")
    [hand] = verified("stake_set 10", *lines, seats=3)["hands"]
    assert hand["seats"]["1"]["points"] == {"low": 25, "high": 25}
    assert sum(row["net_due"] for row in hand["seats"].values()) == hand["pot_before"] - hand["pot_after"]


# -- the stock's last card ------------------------------------------------------------------------------------------

THREE = {1: "9s 8d Qh", 2: "Jh Qc 7s", 3: "Qs Js Ts"}
REST = "6s 8s Ks As 6h 7h 8h 9h Kh Th Ah 6d 9d Qd Kd Td Ad 7c 8c 9c Jc Kc Tc Ac"
BEFORE, HELD = one_by_one(THREE, REST, 8)
LAST: Lines = (*BEFORE, f"up 1 {HELD[1][0]}", f"down 2 {HELD[2][0]}", f"down 3 {HELD[3][0]}")
"""Before the ninth draw of three seats: 7d, Jd and the turn-up 6c are left."""


@pytest.mark.parametrize(
    ("draws", "errors"),
    [
        (("draw 1 7d", "draw 2 Jd", "draw 3 6c"), []),
        (("draw 1 7d", "draw 3 Jd", "draw 2 6c"), [(1, "wrong-turn")]),
        (("draw 3 7d", "draw 1 Jd", "draw 2 6c"), [(0, "wrong-turn")]),
        (("draw 2 7d", "draw 3 Jd", "draw 1 6c"), [(0, "wrong-turn")]),
        (("draw 3 6c", "draw 1 7d", "draw 2 Jd"), [(0, "wrong-turn")]),
        (("lack 7d", "draw 1 Jd", "draw 2 6c"), []),
        (("lack 7d", "lack 7d", "draw 1 Jd", "draw 2 6c"), []),
        (("draw 1 6c", "draw 2 7d", "draw 3 Jd"), [(0, "card-twice")]),
    ],
)
def test_the_turn_up_is_the_last_card_whoever_draws_it(draws: Lines, errors: list[tuple[int, str]]) -> None:
    lines = ("stake_set 10", *dealt(THREE, 3, "6c"), *LAST)
    report = verified(*lines, *draws, f"up 1 {HELD[1][1]}", f"down 2 {HELD[2][1]}", seats=3, closed=False)
    assert told(report) == [(len(lines) + 1 + place, code) for place, code in errors]
    assert [each for each in told(report, "doubt") if each[1] != "hand-unfinished"] == []


# -- chips that a seat should have ----------------------------------------------------------------------------------


def quick(hand: int, dealer: int, *, antes: tuple[int, int] | None = (7, 7), wins: bool = True) -> Lines:
    """Two seats; the one left of the dealer opens, with 38 points or, failing, with 17; nothing is paid for it yet."""
    first, second = ring_of(2, dealer)
    paid = tuple(f"ante {seat} {antes[seat - 1]}" for seat in (first, second)) if antes else ()
    led = "As Ks Ts" if wins else "As Ks Js"
    other = "Td Qh 9h" if wins else "9d 8h 9h"
    begun = (f"hand {hand} {dealer}", *paid, f"deal {first} {led}", f"deal {second} {other}", "turn 6c")
    return (*begun, f"up {first} {led}", f"down {second} {other}", f"opened {first}")


def test_who_should_have_been_paid_stakes_of_that() -> None:
    """Seat 2 has one chip by the moves, and 15 by right: what it stakes of them is not overdrawn."""
    lost = (*quick(1, 2), "pot_taken 1 14", "end opened", *quick(2, 1), "end opened")
    again = (*quick(3, 2), "pot_counted 14", "pot_taken 1 14", "end opened")
    report = verified("stake_set 7", *lost, *again, stacks=[15, 15])
    assert told(report) == [(len(lost) + 1, "missing-payout")]
    assert [[row["net_due"] for row in hand["seats"].values()] for hand in report["hands"]] == [
        [7, -7],
        [-7, 7],
        [7, -7],
    ]


def test_who_should_have_paid_has_nothing_left_to_pay_with() -> None:
    """Seat 2 should have matched ten with its last ten; of the next failed opening it owes all."""
    failed = (*quick(1, 1, antes=(5, 5), wins=False), "end failed_open")
    again, same = ("pot_counted 20", "end failed_open"), {"dealer_after_failed_open": "same"}
    report = verified(
        "stake_set 5", *failed, *quick(2, 1, antes=None, wins=False), *again, stacks=[40, 15], options=same
    )
    assert [code for _, code in told(report)] == ["missing-stake"]
    assert [hand["seats"]["2"]["net_due"] for hand in report["hands"]] == [-15, 0]


# -- a molodka that counters and was not declared on record ---------------------------------------------------------

COUNTERED = {1: "As Ks Ts", 2: "Td Qd 9d", 3: "7h 8h Ah"}
LEADS = ("up 1 As", "up 2 Td Qd 9d")
BACK = ("down 3 7h 8h Ah", "down 1 As Ks Ts", "opened 2", "counted 2 49", "pot_taken 2 30", "end opened")


@pytest.mark.parametrize(
    ("turn", "words", "codes"),
    [
        ("counter_lead", ("up 1 As", "molodka 2", "up 2 Td Qd 9d", *BACK), []),
        ("counter_lead", (*LEADS, *BACK), ["lead-not-entitled"]),
        ("counter_lead", ("up 1 As", "bura 2", *LEADS[1:], *BACK), ["late-declaration", "lead-not-entitled"]),
        ("counter_lead", ("up 1 As", "down 2 Td Qd 9d", "down 3 Ah", "end abandoned"), ["wrong-card-count"]),
        ("out_of_turn", (*LEADS, "down 3 Ah", "end abandoned"), ["wrong-card-count"]),
    ],
)
def test_a_molodka_led_against_a_lead_without_a_word_is_one_fault(turn: str, words: Lines, codes: list[str]) -> None:
    report = verified("stake_set 10", *dealt(COUNTERED, 3, "6c"), *words, seats=3, options={"molodka_turn": turn})
    assert [code for _, code in told(report)] == codes
    assert report["hands"][0]["takers"] == ([2] if words[-6:] == BACK else [])


@pytest.mark.parametrize(
    ("hand", "led", "options"),
    [("Ah As Ac", "three_aces 1", {}), ("7c 8c Kc", "bura 1", {"bura": "leads"})],
)
@pytest.mark.parametrize("said", [(), ("molodka 2",)])
def test_a_molodka_does_not_counter_what_outranks_it(hand: str, led: str, options: dict[str, str], said: Lines) -> None:
    """Aces that lead by right, and a bura that does, outrank any molodka (`bura.7`): their lead stands."""
    lines = ("stake_set 10", *dealt({1: hand, 2: "Kd 9d 8d"}, 2, "6c"), led, f"up 1 {hand}", *said)
    options = {"molodka_turn": "counter_lead", **options}
    report = verified(*lines, "down 2 Kd 9d 8d", "trick_taken 1", closed=False, options=options)
    assert told(report) == []
    assert report["hands"][0]["tricks"][0]["leader"] == 1
    lines = ("stake_set 10", *dealt({1: hand, 2: "Kd 9d 8d"}, 2, "6c"), f"up 1 {hand[:2]}", "molodka 2")
    assert told(verified(*lines, "up 2 Kd 9d 8d", closed=False, options=options)) == []


# -- a play written under another seat ------------------------------------------------------------------------------

PLAYS = (
    *("up 1 As", "down 2 9h", "down 3 7h", "draw 1 Jd", "draw 2 Jh", "draw 3 Js"),
    *("up 1 Ks Ts", "down 2 Td Qh", "down 3 8h 8d", "opened 1", "counted 1 38", "pot_taken 1 30", "end opened"),
)


@pytest.mark.parametrize("other", [1, 2, 3])
@pytest.mark.parametrize("place", [0, 1, 2, 6, 7, 8])
def test_a_play_written_under_another_seat_is_one_fault(place: int, other: int) -> None:
    """The seat whose turn it is surely holds the cards, and the one written down cannot have laid them."""
    face, seat, cards = PLAYS[place].split(maxsplit=2)
    words = (*PLAYS[:place], f"{face} {other} {cards}", *PLAYS[place + 1 :])
    lines = ("stake_set 10", *dealt({1: "As Ks Ts", 2: "Td Qh 9h", 3: "7h 8h 8d"}, 3, "6c"))
    report = verified(*lines, *words, seats=3)
    assert told(report) == ([] if str(other) == seat else [(len(lines) + 1 + place, "card-not-held")])
    assert told(report, "doubt") == []
    assert [row["net_due"] for row in report["hands"][0]["seats"].values()] == [20, -10, -10]


def test_a_card_that_nobody_but_another_holds_is_not_held_by_whose_turn_it_is() -> None:
    lines = ("stake_set 10", *dealt({1: "As Ks Ts", 2: "Td Qh 9h"}, 2, "6c"))
    assert told(verified(*lines, "up 1 Td", closed=False)) == [(len(lines) + 1, "card-not-held")]
    assert told(verified(*lines, "up 1 As", "up 2 Ts", closed=False))[0] == (len(lines) + 2, "card-not-held")


# -- a draw written under another seat ------------------------------------------------------------------------------


@pytest.mark.parametrize("other", [1, 2, 3])
@pytest.mark.parametrize("place", [3, 4, 5])
def test_a_draw_written_under_another_seat_gives_no_wrong_amount(place: int, other: int) -> None:
    word, seat, cards = PLAYS[place].split(maxsplit=2)
    words = (*PLAYS[:place], f"{word} {other} {cards}", *PLAYS[place + 1 :])
    lines = ("stake_set 10", *dealt({1: "As Ks Ts", 2: "Td Qh 9h", 3: "7h 8h 8d"}, 3, "6c"))
    report = verified(*lines, *words, seats=3)
    assert [code for _, code in told(report)] == ([] if str(other) == seat else ["wrong-turn"])
    assert [row["net_due"] for row in report["hands"][0]["seats"].values()] == [20, -10, -10]


def test_a_draw_too_many_is_one_where_the_draw_that_was_due_comes_too() -> None:
    lines = ("stake_set 10", *dealt({1: "As Ks Ts", 2: "Td Qh 9h", 3: "7h 8h 8d"}, 3, "6c"), *PLAYS[:4])
    report = verified(*lines, "draw 1 9s", *PLAYS[4:6], "up 1 9s", closed=False, seats=3)
    assert told(report) == [(len(lines) + 1, "wrong-turn")]


def test_a_hand_that_was_opened_is_not_played_on_because_of_a_draw_told_to_be_anothers() -> None:
    """Under `own_turn` seat 1 opens before the draw of seat 2 is there, which is on record under seat 1."""
    lines = (*START, "deal 1 As Ks Ts", "deal 2 Td Ah 9h", "turn 6c", "up 1 As Ts", "down 2 Td Ah")
    told_on = ("draw 1 7s Js", "draw 1 8s 9s", "opened 1", "pot_taken 1 20", "up 1 Ks", "up 2 9h", "end opened")
    report = verified(*lines, *told_on, options={"open_window": "own_turn"})
    assert told(report) == [(11, "wrong-turn"), (14, "out-of-place"), (15, "out-of-place")]


# -- an answer written before its lead ------------------------------------------------------------------------------


@pytest.mark.parametrize("place", [1, 2])
def test_an_answer_written_before_its_lead_is_told_where_it_stands_and_no_more(place: int) -> None:
    words = (PLAYS[place], PLAYS[0], PLAYS[3 - place], *PLAYS[3:])
    lines = ("stake_set 10", *dealt({1: "As Ks Ts", 2: "Td Qh 9h", 3: "7h 8h 8d"}, 3, "6c"))
    report = verified(*lines, *words, seats=3)
    assert told(report) == [(len(lines) + 1, "laid-face-down"), (len(lines) + 1, "lead-not-entitled")]
    assert [row["net_due"] for row in report["hands"][0]["seats"].values()] == [20, -10, -10]
    assert report["hands"][0]["tricks"][0]["leader"] == 1


def test_an_early_answer_of_another_size_is_one_more_fault() -> None:
    lines = ("stake_set 10", *dealt({1: "As Ks Ts", 2: "Td Qh 9h"}, 2, "6c"), "down 2 9h", "up 1 As Ks")
    assert [code for _, code in told(verified(*lines, closed=False))][2:] == ["wrong-card-count"]
