"""Cards half seen: a duty is open only where one way to name them breaks it and another does not (`report.md` 1)."""

import random
from itertools import product
from typing import Any

import pytest

from replay import desk
from tests.engine.bourre.hands import Script
from tests.engine.bourre.walks import PACK, Habits, Json, evening
from tests.walks.bura import to_bytes

UNSEEN = "?? ?? ?? ?? ??"


@pytest.mark.parametrize(
    ("hands", "trick", "options", "error", "doubt"),
    [
        # a half-seen trump lies: any card of the suit led will do
        ("9s 8s 2h 3h 4h/?d 4c 2c 3c 5c/Ts 4s 5s 6s 7s", "19s 2?d 34s", {}, "", ""),
        # whichever trump it is, the ace is over it and the three is not
        ("9s 8s 2h 3h 4h/?d 4c 2c 3c 5c/Ad 3d 5h 6h 7h", "19s 2?d 33d", {"overtrump": "must"}, "did-not-overtrump", ""),
        ("9s 8s 2h 3h 4h/?d 4c 2c 3c 5c/Kd 3d 5h 6h 7h", "19s 2?d 33d", {"overtrump": "must"}, "", "did-not-overtrump"),
        # a lead below the ten is headed by it, one above it is out of reach of this hand
        ("?s 8h 2h 3h 4h/Ts 7s 2c 3c 5c/6c 4h 5h 6h 7h", "1?s 2Ts", {}, "", ""),
        ("?s 8h 2h 3h 4h/Ts Qs 2c 3c 5c/6c 4c 5h 6h 7h", "1?s 2Ts", {}, "", "did-not-head"),
        ("?s 8h 2h 3h 4h/As Qs 2c 3c 5c/6c 4c 5h 6h 7h", "1?s 2Qs", {}, "", "did-not-head"),
        # the best of the suit is a half-seen one: lowest and highest of what it may be
        ("9s 8s 2h 3h 4h/?s 4c 2c 3c 5c/As 3s 5h 6h 7h", "19s 2?s 33s", {}, "did-not-head", ""),
        (f"9s 8s 2h 3h 4h/{UNSEEN}/As 3s 5h 6h 7h", "19s 2?? 33s", {}, "", "did-not-head"),
    ],
)
def test_what_a_half_seen_card_of_the_trick_asks_for(
    hands: str, trick: str, options: dict[str, Any], error: str, doubt: str
) -> None:
    script = Script(3, **options)
    script.deal(hands, "2d")
    script.say("1+ 2+ 3+")
    last = script.play(trick)
    script.end("abandoned")
    told = {finding["recorded"] for finding in script.report()["findings"] if finding["seq"] == last and doubt}
    assert [code for seq, code in script.told() if seq == last] == ([f"bourre/{error}"] if error else [])
    assert [code for seq, code in script.told("doubt") if seq == last] == (["table/unknown-card"] if doubt else [])
    assert told == ({f"bourre/{doubt}"} if doubt else set())


DRAWN = {
    # the king of diamonds was the card not seen, so what was thrown away unseen was the ace or the three
    "thrown away by name": (
        "6h Jh Js 2d 4c/?? Ac 9h Kh 3d",
        "Kd 9h ??",
        "Ks ?? ??",
        "1Jh 2Qh 2Ks 1Js 29s 12d 2Kh",
        "",
        "",
    ),
    # the three of clubs was the card not seen: no trump is left to the five that was drawn
    "half seen, and laid": ("6c 7d Qd 8d Js/Jd 5c J? 4s ??", "Jc 3c", "5? 9s", "17d 2Jd 25c", "", ""),
    # a heart or a spade was thrown away: the other is there, and neither is the club laid
    "one of two duties": ("7h Jh Kc 7d 4c/?? 9h Kh 4s ??", "9d ?? Qd", "9c 8c Tc", "1Jh 28c", "did-not-follow", ""),
    "neither is sure": ("7h Jh Kc 7d 4c/?? 9h Kh 4d ??", "9d ?? ??", "9c 8c Tc", "1Jh 28c", "", "did-not-follow"),
}


@pytest.mark.parametrize(("hands", "away", "got", "plays", "error", "doubt"), DRAWN.values(), ids=DRAWN)
def test_what_may_be_left_of_a_hand_of_which_some_cards_were_seen(
    hands: str, away: str, got: str, plays: str, error: str, doubt: str
) -> None:
    script = Script(2)
    script.deal(hands, "6s")
    script.say("1+ 2+")
    script.change(2, away, got)
    script.play(plays)
    assert [code for _, code in script.told()] == ([f"bourre/{error}"] if error else [])
    doubts = [each["recorded"] for each in script.report()["findings"] if each["code"] == "table/unknown-card"]
    assert doubts == ([f"bourre/{doubt}"] if doubt else [])


@pytest.mark.parametrize(
    ("hand", "answers", "told"),
    [
        # the card not seen was a club: nothing above the ten was held
        ("8s ?? 2c 3c 4c", "8s 2c 3c 4c ?c", ""),
        ("8s ?? 2c 3c 4c", "8s 2c 3c 4c 7?", ""),
        # the king of clubs came last, so the first was the eight
        ("8s Kc 2c 3c 4c", "?? 2c 3c 4c ?c", ""),
        # a spade came later
        ("?? ?? 2c 3c 4c", "2c 3c 4c ?c ?s", "did-not-follow"),
        ("?? ?? 2c 3c 4c", "2c 3c 4c ?c ??", "open"),
        ("8s ?? 2c 3c 4c", "8s 2c 3c 4c ??", "open"),
    ],
)
def test_what_is_half_seen_later_settles_what_was_laid_before(hand: str, answers: str, told: str) -> None:
    """Ts and then four hearts are led, diamonds are trumps; of the sevens only that of clubs is not seen elsewhere."""
    script = Script(3)
    script.deal(f"Ts Ah Kh Qh Jh/{hand}/7s 7h 7d 5c 6c", "2d")
    script.say("1+ 2+ 3-")
    first, *rest = answers.split()
    seq = script.play(f"1Ts 2{first}")
    script.play(" ".join(f"1{led} 2{card}" for led, card in zip(("Ah", "Kh", "Qh", "Jh"), rest, strict=True)))
    error = [(seq, f"bourre/{told}")] if told.startswith("did") else []
    assert [each for each in script.told() if "bourre/" in each[1]] == error
    assert (seq in {at for at, code in script.told("doubt") if code == "table/unknown-card"}) == (told == "open")


@pytest.mark.parametrize(
    ("lies", "seat", "face", "right"),
    [
        ("extra", 2, "6s", False),  # the turn-up lies apart: nobody was dealt it
        ("extra", 2, "7s", True),
        ("dealers_fifth", 2, "6s", True),  # the turn-up is the dealer's own fifth card, and nothing else is
        ("dealers_fifth", 2, "7s", False),
        ("dealers_fifth", 1, "6s", False),
        ("dealers_fifth", 1, "7s", True),
    ],
)
def test_a_reveal_agrees_with_where_the_turned_card_lies(lies: str, seat: int, face: str, right: bool) -> None:
    hands = ["Ts Ah Kh Qh ??", "8c 9c 2c 3c ??"]
    script = Script(2, trump_card=lies)
    script.deal("/".join(hands), "6s")
    dealt = next(each["seq"] for each in script.events if each["type"] == "dealt" and each["seat"] == seat)
    said = script.put("revealed", of=dealt, cards=[*hands[seat - 1].split()[:4], face])
    assert script.told() == ([] if right else [(said, "table/reveal-contradicts")])


@pytest.mark.parametrize(
    ("plays", "told"),
    [
        ("1?h 28c", []),
        ("1?d 28c", [(0, "table/card-not-held")]),
        ("1Ah 28? 1Kh 2?c", []),
        ("1Ah 27? 1Kh 2?c", [(1, "table/card-not-held")]),
        ("1Ah 28c 1Kh 29c 1Qh 22c 1Jh 23c 1Th 24?", []),
        ("1Ah 28c 1Kh 29c 1Qh 22c 1Jh 23c 1Th 23?", [(9, "table/card-not-held")]),
        ("1Ah 28c 1Kh 29c 1Qh 22c 1Jh 23c 1Th 2?d", [(9, "table/card-not-held")]),
    ],
)
def test_a_half_seen_card_that_the_seat_cannot_hold_is_told(plays: str, told: list[tuple[int, str]]) -> None:
    script = Script(2)
    script.deal("Th Ah Kh Qh Jh/8c 9c 2c 3c 4c", "6h")
    first = script.say("1+ 2+") + 1
    script.play(plays)
    assert script.told() == [(first + place, code) for place, code in told]


def test_half_of_a_card_not_held_cannot_be_thrown_away() -> None:
    script = Script(2)
    script.deal("Th Ah Kh Qh Jh/8c 9c 2c 3c 4c", "6s")
    script.say("1+")
    drew = script.change(1, "?d", "??")
    assert script.told() == [(drew - 2, "table/card-not-held")]


def test_no_reveal_makes_the_turned_card_a_drawn_one() -> None:
    script = Script(2)
    script.deal("Ts Ah Kh Qh Jh/8c 9c 2c 3c 4c", "6s")
    script.say("1+")
    drew = script.change(1, "Jh", "??")
    said = script.put("revealed", of=drew, cards=["6s"])
    assert script.told() == [(said, "table/reveal-contradicts")]


IMPOSSIBLE = {"table/card-not-held", "table/card-twice"}
MOST = 250


def _blotted(seed: int) -> tuple[list[Json], list[Json], list[str]] | None:
    """A hand that breaks off: as it was, with some faces of one seat blotted out, and the cards these may be."""
    rng = random.Random(seed)
    habits = Habits(folds=0.1, moves=0, spoils=0, commits=0, draws=0.9, strong=0.3, reneges=0.2, tells=0)
    events = evening(seed, options={"overtrump": rng.choice(["free", "must"])}, seats=6, hands=1, habits=habits)
    plays = [at for at, event in enumerate(events) if event["type"] == "played"]
    if not plays or any(event["type"] == "stock_recycled" for event in events):
        return None
    events = events[: rng.choice(plays) + 1]
    moves = [event for event in events if event["type"] in ("dealt", "drew", "discarded")]
    seat = rng.choice([event["seat"] for event in events if event["type"] == "played"])
    own = {card for event in moves if event["seat"] == seat for card in event["cards"]}
    hidden = set(rng.sample(sorted(own), rng.randint(2, 3)))
    spots: dict[tuple[int, int], str] = {}
    for event in moves:
        for spot, card in enumerate(event["cards"]):
            if event["seat"] == seat and card in hidden and rng.random() < 0.8:
                spots[event["seq"], spot] = rng.choice(["??", card[0] + "?", "?" + card[1]])
    seen = {card for event in events for spot, card in enumerate(event.get("cards", ()))
            if (event["seq"], spot) not in spots}  # fmt: skip
    turned = {event["card"] for event in events if event["type"] == "trump_turned"}
    return events, _faced(events, spots), [card for card in PACK if card in own or card not in seen | turned]


def _faced(events: list[Json], faces: dict[tuple[int, int], str]) -> list[Json]:
    return [
        {**event, "cards": [faces.get((event["seq"], spot), card) for spot, card in enumerate(event["cards"])]}
        if "cards" in event
        else event
        for event in events
    ]


def _judged_as_all_namings_together(seed: int) -> bool:
    case = _blotted(seed)
    if case is None:
        return False
    events, blotted, pool = case
    spots = [
        (event["seq"], spot) for event in blotted for spot, card in enumerate(event.get("cards", ())) if "?" in card
    ]
    said = [blotted[seq]["cards"][spot] for seq, spot in spots]
    may = [[card for card in pool if all(a in ("?", b) for a, b in zip(face, card, strict=True))] for face in said]
    ways = list(product(*may)) if spots else []
    if not 1 < len(ways) <= MOST:
        return False
    wrong = []
    for faces in ways:
        found = desk.verify(to_bytes(_faced(events, dict(zip(spots, faces, strict=True)))))["findings"]
        if not IMPOSSIBLE & {each["code"] for each in found}:
            wrong.append({each["seq"] for each in found if each["severity"] == "error"})
    found = desk.verify(to_bytes(blotted))["findings"]
    assert {each["seq"] for each in found if each["severity"] == "error"} == set.intersection(*wrong), seed
    doubts = {each["seq"] for each in found if each["code"] == "table/unknown-card"}
    assert doubts == set.union(*wrong) - set.intersection(*wrong), seed
    return True


def test_a_hand_seen_in_part_that_breaks_off_is_judged_as_all_its_namings_together() -> None:
    assert sum(_judged_as_all_namings_together(seed) for seed in range(60)) > 20


def test_a_lead_that_no_way_to_name_what_was_left_forbids_is_no_doubt() -> None:
    """All five cards are on record: beside the unseen lead no other can be ace, king or queen of trumps."""
    script = Script(2)
    script.deal(f"{UNSEEN}/{UNSEEN}", "Kd")
    script.say("1+ 2+")
    lead = script.play("1??")
    script.play("2Kc 2Qd 18s 2Jd 1Ts 2Jh 19? 25h 1Tc")
    doubts = [each["recorded"] for each in script.report()["findings"] if each["seq"] == lead]
    assert doubts == []


def test_a_suit_that_a_half_seen_card_shows_was_held_is_what_was_not_followed() -> None:
    """That no trump was laid is certain at once; that a heart was held only the heart laid later shows."""
    script = Script(2)
    script.deal(f"{UNSEEN}/{UNSEEN}", "Jd")
    script.say("1+ 2+")
    script.play("1?h")
    broken = script.play("28c")
    script.play("15d 27d 2?h 1Ah 14d 2Qc 1Qs 2Jc")
    assert script.told() == [(broken, "bourre/did-not-follow")]


def test_the_dealers_own_turned_card_is_the_one_it_laid_unseen_where_no_other_is_left() -> None:
    """`dealers_fifth`: the turned card is one of the dealer's five, and the other four are on record."""
    script = Script(2, "bourre/louisiana@1")
    script.deal(f"{UNSEEN}/{UNSEEN}", "Kh")
    script.say("1+ 2+")
    script.play("14s 28s 2Tc 1Ac 15s 2??")
    script.put("trick_taken", seat=2)
    script.play("2Td 14d 23d 19h")
    script.take(2, 20)
    script.end("most_tricks")
    report = script.report()
    assert [each["code"] for each in report["findings"]] == ["table/not-closed"]
    assert [trick["taker"] for trick in report["hands"][0]["tricks"]] == [2, 1, 2, 2, 1]
