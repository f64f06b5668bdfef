"""A stretch of a legal evening that nobody saw: what hangs on it is doubt, never error (`record.md` 3.1, `unseen`)."""

import random
from collections.abc import Iterator

import pytest

from replay import desk
from tests.engine.bourre import walks as bourre_walks
from tests.engine.bourre.hands import Script
from tests.walks import bura as bura_walks
from tests.walks.bura import Json, to_bytes
from tests.walks.script import told, verified

ELSEWHERE = {"player_joined", "player_left", "chips_bought", "stake_set", "card_missing"}
"""Between hands and seen: without them nobody knows who sits there, what is staked, what the pack holds."""
PRESETS = {
    "bura": ("bura/classic-36@1", "bura/classic-32@1", "bura/pagat-36@1", "bura/georgian-20@1"),
    "bourre": ("bourre/classic@1", "bourre/hoyle@1", "bourre/louisiana@1"),
}


def evening(game: str, seed: int) -> list[Json]:
    rand = random.Random(seed)
    how: Json = {"preset": rand.choice(PRESETS[game]), "seats": rand.randint(2, 5), "hands": 4}
    how["stacks"] = [200] if rand.random() < 0.3 else None
    if game == "bourre":
        options = {"tie": rand.choice(("split", "carry")), "ante_exempt": rand.choice(("none", "bourre_and_tied"))}
        return bourre_walks.evening(seed, options=options, habits=bourre_walks.Habits(moves=0.3, spoils=0.2), **how)
    options = {"join_pot": rand.choice(("wait", "free", "share"))}
    return bura_walks.evening(seed, options=options, habits=bura_walks.Habits(moves=0.3, spoils=0.2), **how)


def cuts(events: list[Json], rand: random.Random, count: int) -> Iterator[list[Json]]:
    """The evening with an `unseen` in place of a part of one hand, `count` times at the most."""
    starts = [event["seq"] for event in events if event["type"] == "hand_began"] + [len(events) - 1]
    for _ in range(count):
        hand = rand.randrange(len(starts) - 1)
        inside = range(starts[hand] + 1, starts[hand + 1])
        first, last = sorted((rand.choice(inside), rand.choice(inside)))
        lost = {event["type"] for event in events[first : last + 1]}
        if not lost & ELSEWHERE and not any(event.get("of", -1) >= first for event in events[last + 1 :]):
            left = [*events[:first], {"type": "unseen"}, *events[last + 1 :]]
            yield [
                {**event, "seq": seq} | ({"events": len(left)} if event["type"] == "recording_ended" else {})
                for seq, event in enumerate(left)
            ]


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("game", ["bura", "bourre"])
def test_a_legal_evening_with_a_stretch_cut_out_is_not_refuted(game: str, seed: int) -> None:
    events = evening(game, seed)
    assert desk.verify(to_bytes(events))["verdict"] == "verified"
    for cut in cuts(events, random.Random(seed), 6):
        assert desk.verify(to_bytes(cut))["verdict"] == "undecided"


UNSEEN_ANTES = ("stake_set 10", "hand 1 3", "ante 1 10", "unseen", "end misdeal", "hand 2 3")
"""Three seats, seat 3 deals: who of the others has paid was not seen. The next line has seq 7."""


def test_who_was_passed_over_had_not_paid_where_nobody_saw_who_had() -> None:
    """A payment shows the pot, not who paid into it: a seat that waits is not dealt to (`rules.md` 2, `join_pot`)."""
    two = ("deal 1 As Ks 9s", "deal 3 6h 7h 8h", "turn 6c", "up 1 9s", "down 3 6h", "opened 1", "failed_open 1 20")
    lines = (*UNSEEN_ANTES, "sat_out 2", *two, "end failed_open", "hand 3 1")
    third = "deal 3 6h 7h 8h"
    assert told(verified(*lines, third, "deal 1 As Ks 9s", "turn 6c", seats=3, closed=False)) == []
    turn = len(lines) + 2
    assert told(verified(*lines, third, "turn 6c", seats=3, closed=False)) == [(turn, "out-of-place")]


def unseen_antes() -> Script:
    """Seat 3 deals; that seat 1 antes is seen, what the others did before the misdeal is not."""
    script = Script(3)
    script.begin(3, payers=[1])
    script.put("unseen")
    script.end("misdeal")
    return script


SPLIT = "1Ah 22h 34h 1Kh 23h 35h 12c 2Ac 35c 2Kc 36c 13c 22d 3Ad 14c"
"""Two tricks, two, and one."""


@pytest.mark.parametrize("share", [15, 10, 5])
def test_a_share_of_a_pot_that_nobody_saw_shows_it(share: int) -> None:
    """Three antes lie there, two, or the one on record (`rules.md` 4.10): all equal shares are right."""
    script = unseen_antes()
    script.deal("Ah Kh 2c 3c 4c/2h 3h Ac Kc 2d/4h 5h 5c 6c Ad", "2s", payers=[])
    script.say("1+ 2+ 3+")
    script.play(SPLIT)
    script.take(1, share)
    script.take(2, share)
    script.end("split")
    assert script.told() == []
    assert script.report()["hands"][1]["pot"] == 2 * share


@pytest.mark.parametrize("payers", [[], [2], [3], [2, 3]])
def test_who_antes_after_a_misdeal_had_not_before_where_nobody_saw(payers: list[int]) -> None:
    """Nobody antes anew after a misdeal (`record.md` 3.1); that seat 1 had paid is on record."""
    script = unseen_antes()
    script.deal("Ah Kh 2c 3c 4c/2h 3h Ac Kc 2d/4h 5h 5c 6c Ad", "2s", payers=payers)
    assert script.told() == []


def test_an_ante_paid_twice_is_told_though_others_were_not_seen() -> None:
    script = unseen_antes()
    script.begin(3, payers=[])
    twice = script.pay(1, 10, "ante")
    assert script.told() == [(twice, "table/unexpected-stake")]
