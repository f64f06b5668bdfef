"""The legal plays of `rules.md` 4.7, 4.8 and the tables of section 6, law by law."""

import pytest

from recorder import rulebook
from replay.engine.bourre.laws import Holding, Spot, Verdict, breach_of, common, has, kept_duty, sure_tricks
from schemas.cards import CODE, SUITS, mask_of, spell_all
from schemas.rules import BourreRules


def rules(**options: str) -> BourreRules:
    found = rulebook.house_rules("bourre", "bourre/classic@1", options).rules
    assert isinstance(found, BourreRules)
    return found


def known(cards: str) -> Holding:
    mask = mask_of(cards.split())
    return Holding(mask, mask, mask.bit_count())


def spot(laid: str, trump: str) -> Spot:
    """What a follower has to answer after these cards; nothing laid: a lead, in the first trick."""
    cards = [CODE[card] for card in laid.split()]
    if not cards:
        return Spot(SUITS.index(trump), first=True)
    suit = SUITS.index(laid[1])
    best = max(card for card in cards if card // 13 == suit)
    trumps = [card for card in cards if card // 13 == SUITS.index(trump)]
    top = max(trumps, default=-1) if suit != SUITS.index(trump) else -1
    return Spot(SUITS.index(trump), suit, (cards[0], cards[0]), (best, best), (top, top))


def legal(hand: str, laid: str, trump: str, **options: str) -> str:
    """The cards of a hand that break no duty."""
    place, house = spot(laid, trump), rules(**options)
    return " ".join(card for card in hand.split() if breach_of(known(hand), CODE[card], place, house) is None)


LEADS = [
    ("Kh 7h 5c Ac 2s", "h", {}, "Kh"),
    ("Jh 7h 5c Ac 2s", "h", {}, "Jh 7h 5c Ac 2s"),
    ("Qh Ah 5c Ac 2s", "h", {}, "Ah"),
    ("Qh Ah 5c Ac 2s", "h", {"lead_duty": "one_of_akq"}, "Qh Ah"),
    ("Qh Ah 5c Ac 2s", "h", {"lead_duty": "highest_first_then_akq"}, "Ah"),
    ("Qh Jh 5c Ac 2s", "h", {"lead_duty": "one_of_akq"}, "Qh"),
    ("Qh Ah 5c Ac 2s", "h", {"lead_duty": "free"}, "Qh Ah 5c Ac 2s"),
    ("Ah Kh Qh 5c 2s", "h", {"lead_duty": "cinch"}, "Ah"),
    ("Ah Kh Jh 5c 2s", "h", {"lead_duty": "cinch"}, "Ah Kh Jh 5c 2s"),
]


@pytest.mark.parametrize(("hand", "trump", "options", "right"), LEADS)
def test_who_holds_high_trumps_must_lead_one(hand: str, trump: str, options: dict[str, str], right: str) -> None:
    assert legal(hand, "", trump, **options) == right


ANSWERS = [
    ("Ks 3s Ah", "9s Th", "h", {}, "Ks 3s"),
    ("Ks Js 4h", "9s Qs", "h", {}, "Ks"),
    ("Ts 4s", "9s Qs", "h", {}, "Ts 4s"),
    ("Ts 4s", "9s Qs", "h", {"head_duty": "beat_lead"}, "Ts"),
    ("Ks Js 4h", "9s Qs", "h", {"head_duty": "beat_lead"}, "Ks Js"),
    ("Ks Js 4h", "9s Qs", "h", {"head_duty": "none"}, "Ks Js"),
    ("5d Ad", "5c Kd", "d", {}, "5d Ad"),
    ("5d Ad", "5c Kd", "d", {"overtrump": "must"}, "Ad"),
    ("5d Qd", "5c Kd", "d", {"overtrump": "must"}, "5d Qd"),
    ("5d Ad", "5c Kd", "d", {"overtrump": "must", "void_duty": "none"}, "5d Ad"),
    ("2h 3d", "5c", "d", {}, "3d"),
    ("2h 3d", "5c", "d", {"void_duty": "none"}, "2h 3d"),
    ("2h 3s", "5c", "d", {}, "2h 3s"),
    ("Kd 3d 2h", "Qd", "d", {}, "Kd"),
    ("Jd 3d 2h", "Qd", "d", {}, "Jd 3d"),
    ("2h 3s", "Qd", "d", {}, "2h 3s"),
    ("Ts 4s", "9s Th", "h", {"head_duty": "beat_lead"}, "Ts 4s"),
    ("Ks 9s", "Js 2c As", "h", {}, "Ks 9s"),
]


@pytest.mark.parametrize(("hand", "laid", "trump", "options", "right"), ANSWERS)
def test_following(hand: str, laid: str, trump: str, options: dict[str, str], right: str) -> None:
    assert legal(hand, laid, trump, **options) == right


@pytest.mark.parametrize(
    ("hand", "card", "laid", "duty", "right"),
    [
        ("Kh 7h 5c", "5c", "", "lead_highest_trump", ["Kh"]),
        ("Ks 3s Ah", "Ah", "9s Th", "follow", ["3s", "Ks"]),
        ("Ks 3s Ah", "Ah", "9s", "follow", ["Ks"]),
        ("Ks Js 4h", "Js", "9s Qs", "head", ["Ks"]),
        ("2c 3h Kh", "2c", "9s", "trump", ["3h", "Kh"]),
    ],
)
def test_a_broken_duty_names_the_cards_that_would_have_been_right(
    hand: str, card: str, laid: str, duty: str, right: list[str]
) -> None:
    found = breach_of(known(hand), CODE[card], spot(laid, "h"), rules())
    assert found is not None
    assert (found.duty, found.answer, spell_all(found.legal)) == (duty, "broken", right)


def test_with_overtrump_must_a_void_hand_is_told_the_higher_trumps() -> None:
    found = breach_of(known("2c 3h Kh"), CODE["2c"], spot("9s Th", "h"), rules(overtrump="must"))
    assert found == Verdict("trump", "broken", mask_of(["Kh"]))
    found = breach_of(known("2c 3h Kh"), CODE["3h"], spot("9s Th", "h"), rules(overtrump="must"))
    assert found == Verdict("overtrump", "broken", mask_of(["Kh"]))


@pytest.mark.parametrize(
    ("hand", "card", "laid", "options", "duty"),
    [
        ("Kh 7h", "Kh", "", {}, "lead_highest_trump"),
        ("Kh 7h", "Kh", "", {"lead_duty": "one_of_akq"}, "lead_akq"),
        ("Kh 7h", "Kh", "", {"lead_duty": "free"}, None),
        ("Ah Kh Qh", "Ah", "", {"lead_duty": "cinch"}, "cinch"),
        ("Ah Kh Jh", "Ah", "", {"lead_duty": "cinch"}, None),
        ("Jh 7h", "7h", "", {}, None),
        ("Ks 3s", "Ks", "9s", {}, "head"),
        ("8s 3s", "8s", "9s", {}, "follow"),
        ("Ks 3s", "3s", "9s Th", {}, "follow"),
        ("3h 2c", "3h", "9s", {}, "trump"),
        ("3h Kh 2c", "Kh", "9s Th", {"overtrump": "must"}, "overtrump"),
        ("3h 5h 2c", "3h", "9s Th", {"overtrump": "must"}, "trump"),
        ("3h 2c", "3h", "9s", {"void_duty": "none"}, None),
        ("2c 3d", "2c", "9s", {}, None),
    ],
)
def test_a_kept_duty_has_a_name(hand: str, card: str, laid: str, options: dict[str, str], duty: str | None) -> None:
    house, place = rules(**options), spot(laid, "h")
    assert breach_of(known(hand), CODE[card], place, house) is None
    found = kept_duty(known(hand), CODE[card], place, house)
    assert (found.duty if found else None) == duty
    assert found is None or (found.answer == "kept" and CODE[card] in {CODE[each] for each in spell_all(found.legal)})


def test_what_a_hand_known_in_part_holds() -> None:
    spades, hearts = mask_of(["Ks", "Qs"]), mask_of(["Kh"])
    card = CODE["2c"]
    assert has(Holding(spades, spades, 2), card, mask_of(["Ks"])) is True
    assert has(Holding(spades, spades, 2), card, hearts) is False
    assert has(Holding(0, spades | hearts, 2), card, hearts) is None
    assert has(Holding(0, spades | hearts, 1), card, hearts) is False, "its one card is the one laid"
    assert has(Holding(0, spades | hearts, 4), card, hearts) is True, "three unseen cards among three"


def test_a_duty_of_an_unseen_hand_is_open_until_every_hand_would_break_it() -> None:
    maybe = mask_of(["Ks", "Kh", "2c"])
    place = spot("9s", "h")
    for other, answer in (("Kd", "open"), ("Qs", "broken")):
        found = breach_of(Holding(0, maybe | mask_of([other]), 2), CODE["2c"], place, rules())
        assert found is not None
        assert (found.duty, found.answer) == ("follow", answer), "a spade or a trump, where it is no diamond"
    surely_trump = Holding(mask_of(["Kh"]), maybe | mask_of(["3c"]), 3)
    found = breach_of(surely_trump, CODE["2c"], place, rules())
    assert found is not None
    assert (found.duty, found.answer) == ("trump", "broken"), "with a spade or without one"


def test_a_head_whose_standard_is_not_known_is_open() -> None:
    queen, nine = CODE["Qs"], CODE["9s"]
    place = Spot(SUITS.index("h"), 0, (nine, nine), (nine, queen), (-1, -1))
    for card, answer in (("Ks", None), ("Js", "open"), ("8s", "broken")):
        found = breach_of(known(f"As {card}"), CODE[card], place, rules())
        assert (found.answer if found else None) == answer, card
    maybe_trumped = place._replace(best=(nine, nine), top=(-1, CODE["2h"]))
    found = breach_of(known("As 8s"), CODE["8s"], maybe_trumped, rules())
    assert found is not None
    assert found.answer == "open"


def test_what_many_ways_have_in_common() -> None:
    broken, doubtful = Verdict("head", "broken", 1), Verdict("follow", "open", 2)
    assert common([None, None]) is None
    assert common([broken, broken]) == broken
    assert common([broken, None]) == Verdict("head", "open", 1)
    assert common([doubtful, broken]) == Verdict("follow", "open", 2)


@pytest.mark.parametrize(
    ("held", "gone", "sure"),
    [("Ah Kh Qh", "", 3), ("Ah Kh Jh", "", 2), ("Ah Kh Jh", "Qh", 3), ("Kh Qh Jh", "", 0), ("Kh Qh Jh", "Ah", 3)],
)
def test_seen_trumps_fill_the_gaps_of_a_sequence(held: str, gone: str, sure: int) -> None:
    place = Spot(SUITS.index("h"), gone=mask_of(gone.split()))
    assert sure_tricks(mask_of(held.split()), place) == sure


def test_a_seat_with_three_tricks_need_not_cinch() -> None:
    hand, house = known("Ah 5c"), rules(lead_duty="cinch")
    for won, right in ((1, True), (2, False), (3, True)):
        found = breach_of(hand, CODE["5c"], Spot(SUITS.index("h"), won=won), house)
        assert (found is None) is right, won


def test_later_leads_under_hoyle_may_be_any_of_the_high_trumps() -> None:
    house = rules(lead_duty="highest_first_then_akq")
    hand = known("Ah Qh 5c")
    later = Spot(SUITS.index("h"), first=False)
    assert [breach_of(hand, CODE[card], later, house) is None for card in ("Ah", "Qh", "5c")] == [True, True, False]
