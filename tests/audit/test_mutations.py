"""One thing changed in a clean recording is told, or `SILENT` says why it cannot be.

A change that is not told makes another legal evening: each reason below says which, and is asked for proof.
"""

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

from replay import desk
from tests.walks.bura import Habits, Json, to_bytes
from tests.walks.drawn import renumbered, walk

REASONS = ("opened", "failed_open", "bura", "razburka", "raise_declined", "misdeal", "abandoned")
WHYS = ("ante", "draw_fee", "failed_open", "razburka", "bourre", "raise", "debt")
KINDS = ("bura", "three_aces", "molodka")
PACK = [rank + suit for rank in "6789TJQKA" for suit in "shdc"]
FACED = ("dealt", "drew", "played")


class Change(NamedTuple):
    """The event at `at` had `what` changed; `events` is the recording after it."""

    at: int
    what: str
    events: list[Json]


def with_event(events: list[Json], at: int, what: str, /, **fields: object) -> Change:
    return Change(at, what, [*events[:at], {**events[at], **fields}, *events[at + 1 :]])


def numbers(events: list[Json], at: int) -> Iterator[Change]:
    event = events[at]
    for name in ("amount", "points", "hand", "events", "to"):
        for step in (1, -1):
            least = 0 if name == "points" or event["type"] in ("pot_counted", "stack_counted") else 1
            if name in event and event[name] + step >= least:
                yield with_event(events, at, name, **{name: event[name] + step})


def words(events: list[Json], at: int) -> Iterator[Change]:
    event, seats = events[at], len(events[0]["seats"])
    for name in ("seat", "dealer"):
        if name in event:
            yield with_event(events, at, name, **{name: event[name] % seats + 1})
    for name, values in (("face", ("up", "down")), ("reason", REASONS), ("why", WHYS), ("combination", KINDS)):
        for value in values:
            if event.get(name, value) != value:
                yield with_event(events, at, name, **{name: value})
    if "commitment" in event:
        yield with_event(events, at, "commitment", commitment="00" * 32)


def cards(events: list[Json], at: int) -> Iterator[Change]:
    event = events[at]
    if "card" in event:
        for card in PACK:
            if card != event["card"]:
                yield with_event(events, at, "card", card=card)
    for spot, old in enumerate(event.get("cards") or ()):
        for card in PACK if event["type"] != "deck_revealed" or spot < 4 else ():
            if card != old and (card not in event["cards"] or event["type"] == "deck_revealed"):
                changed = [*event["cards"][:spot], card, *event["cards"][spot + 1 :]]
                yield with_event(events, at, "card", cards=changed)
    if event.get("cards"):
        yield with_event(events, at, "fewer", cards=event["cards"][:-1])


def whole(events: list[Json], at: int) -> Iterator[Change]:
    yield Change(at, "dropped", renumbered([*events[:at], *events[at + 1 :]]))
    yield Change(at, "doubled", renumbered([*events[: at + 1], *events[at:]]))
    if at + 1 < len(events) and events[at]["type"] != events[at + 1]["type"]:
        swapped = [*events[:at], events[at + 1], events[at], *events[at + 2 :]]
        yield Change(at, "swapped", renumbered(swapped))


# -- what cannot be told ------------------------------------------------------------------------------------------

Proof = Callable[[list[Json], Change], bool]


def hand_of(events: list[Json], at: int) -> tuple[int, int]:
    """Where the hand that `at` lies in begins and ends."""
    begin = max((place for place in range(at + 1) if events[place]["type"] == "hand_began"), default=0)
    after = (place for place in range(at, len(events)) if events[place]["type"] == "hand_ended")
    return begin, next(after, len(events) - 1)


def shown(event: Json) -> list[str]:
    return [*(event.get("cards") or ()), *([event["card"]] if "card" in event else [])]


def never_seen_again(events: list[Json], change: Change) -> bool:
    """The old card is not met later in the hand, the new one nowhere in it."""
    begin, end = hand_of(events, change.at)
    old, new = shown(events[change.at]), shown(change.events[change.at])
    gone, come = set(old) - set(new), set(new) - set(old)
    later = {card for event in events[change.at + 1 : end + 1] for card in shown(event)}
    everywhere = {card for event in events[begin : end + 1] for card in shown(event)}
    trump_same = events[change.at]["type"] != "trump_turned" or no_play(events, change) or same_suits(gone, come)
    return trump_same and not gone & later and not come & everywhere


def same_suits(some: set[str], others: set[str]) -> bool:
    return {card[1] for card in some} == {card[1] for card in others}


def no_play(events: list[Json], change: Change) -> bool:
    _, end = hand_of(events, change.at)
    return all(event["type"] not in ("played", "declared") for event in events[change.at : end + 1])


def another_of_the_hand(events: list[Json], change: Change) -> bool:
    """The seat held the other card too, and neither is met again."""
    begin, end = hand_of(events, change.at)
    play = events[change.at]
    held: set[str] = set()
    for event in events[begin : change.at]:
        if event.get("seat") == play["seat"] and event["type"] in FACED:
            held = held - set(event["cards"]) if event["type"] == "played" else held | set(event["cards"])
    come = set(change.events[change.at]["cards"]) - set(play["cards"])
    later = {card for event in events[change.at + 1 : end + 1] for card in shown(event) if event["type"] == "played"}
    return come <= held and not come & later


def nothing_hangs_on_it(events: list[Json], change: Change) -> bool:
    """The trick had the same taker, or it was the last and nobody drew, opened or took after it."""
    _, end = hand_of(events, change.at)
    before = desk.verify(to_bytes(events))["hands"]
    after = desk.verify(to_bytes(change.events))["hands"]
    takers = [[trick["taker"] for trick in hand["tricks"]] for hand in before]
    others = [[trick["taker"] for trick in hand["tricks"]] for hand in after]
    rest = {event["type"] for event in events[change.at + 1 : end]}
    last = [each[:-1] for each in takers] == [each[:-1] for each in others] and not rest & {"opened", "trick_taken"}
    return takers == others or (last and "drew" not in rest)


def sent_back(events: list[Json], change: Change) -> bool:
    """The lead is countered by a molodka and goes back; what it was of that hand's cards, nothing hangs on."""
    begin, _ = hand_of(events, change.at)
    lead, after = change.events[change.at], events[change.at + 1]
    held = [card for event in events[begin : change.at] for card in shown(event) if event.get("seat") == lead["seat"]]
    return after["type"] == "declared" and after["combination"] == "molodka" and set(lead["cards"]) <= set(held)


def led_to_nothing(events: list[Json], change: Change) -> bool:
    """It is a lead of the same hand, and the hand ends with no card laid, drawn or shown after it."""
    _, end = hand_of(events, change.at)
    rest = {event["type"] for event in events[change.at + 1 : end]}
    return set(change.events[change.at]["cards"]) <= set(events[change.at]["cards"]) and not rest & {
        "played", "drew", "declared", "trick_taken",
    }  # fmt: skip


def back_in_hand(events: list[Json], change: Change) -> bool:
    return sent_back(events, change) or led_to_nothing(events, change)


def another_or_sent_back(events: list[Json], change: Change) -> bool:
    return another_of_the_hand(events, change) or sent_back(events, change)


def nobody_counts(events: list[Json], change: Change) -> bool:
    """The stack is not counted between this and the end, and nobody runs out."""
    seats = {events[change.at]["seat"], change.events[change.at].get("seat")}
    return not any(event["type"] == "stack_counted" and event["seat"] in seats for event in events[change.at + 1 :])


def not_revealed(events: list[Json], change: Change) -> bool:
    _, end = hand_of(events, change.at)
    return not any(event["type"] == "deck_revealed" for event in events[change.at : end + 1])


def same_chips(events: list[Json], change: Change) -> bool:
    return True


def leads_twice(events: list[Json], change: Change) -> bool:
    """Who offers leads there, and once more: before either lead it may be offered."""
    three = events[change.at : change.at + 3]
    return [event["type"] for event in three].count("played") == 2 and len({event["seat"] for event in three}) == 1


def anywhere(events: list[Json], change: Change) -> bool:
    """One of the two swapped may stand anywhere, or both in either order: who leaves in a hand leaves at its end."""
    free = {"noted", "pot_counted", "stack_counted", "open_declined", "trick_taken", "counted", "scored", "stake_set"}
    kinds = {events[change.at]["type"], events[change.at + 1]["type"]}
    if kinds == {"hand_ended", "player_left"}:
        return True
    if kinds == {"raise_offered", "played"}:
        return leads_twice(events, change)
    return bool(
        kinds & (free | {"deck_committed", "deck_revealed", "chips_bought", "card_missing", "staked", "sat_out"})
    )


def misdealt(events: list[Json], change: Change) -> bool:
    """The hand ends in a misdeal, which excuses its deal."""
    return events[hand_of(events, change.at)[1]].get("reason") == "misdeal"


def nobody_dealt(events: list[Json], change: Change) -> bool:
    """The hand ends before its dealer deals."""
    begin, end = hand_of(events, change.at)
    return misdealt(events, change) and not any(event["type"] in FACED for event in events[begin:end])


def nothing_follows(events: list[Json], change: Change) -> bool:
    """The hand is given up with no further move, or somebody opens at his turn, before he draws or plays."""
    _, end = hand_of(events, change.at)
    words = {"noted", "pot_counted", "stack_counted"}
    moves = [event["type"] for event in events[change.at + 1 : end] if event["type"] not in words]
    given_up = events[end].get("reason") == "abandoned" and not moves
    return given_up or ("pagat" in events[0]["rules"]["preset"] and moves[:1] == ["opened"])


def never_plays(events: list[Json], change: Change) -> bool:
    """The seat is not met after it was taken."""
    seat = events[change.at]["seat"]
    return all(event.get("seat") != seat != event.get("dealer") for event in events[change.at + 1 :])


def both_may_declare(events: list[Json], change: Change) -> bool:
    """The other seat declares the same in that hand; or it is a molodka, which has no effect by these rules or beside
    three aces that were declared."""
    begin, end = hand_of(events, change.at)
    said, rules = change.events[change.at], events[0]["rules"]
    in_turn = rules["options"].get("molodka_turn", "in_turn" if "pagat" in rules["preset"] else "") == "in_turn"
    aces = any(event.get("combination") == "three_aces" for event in events[begin:end])
    if (in_turn or aces) and said["combination"] == "molodka":
        return True
    same = {name: said[name] for name in ("type", "seat", "combination")}
    return any(event.items() >= same.items() for event in events[begin:end])


def always(events: list[Json], change: Change) -> bool:
    return True


SILENT: dict[tuple[str, str], tuple[str, Proof]] = {
    ("hand_began", "dealer"): ("nobody deals", nobody_dealt),
    ("staked", "dropped"): ("the hand is thrown in before all have anted", nobody_dealt),
    ("dealt", "dropped"): ("the hand is thrown in when fewer are dealt", misdealt),
    ("drew", "dropped"): ("the hand is given up there", nothing_follows),
    ("player_joined", "dropped"): ("who joins waits, and nobody misses him", never_plays),
    ("player_joined", "seat"): ("he waits at another empty seat", never_plays),
    ("declared", "seat"): ("of two who may say it, the other does", both_may_declare),
    ("card_missing", "dropped"): ("a card that nobody meets need not be missed", always),
    ("card_missing", "doubled"): ("said twice; of one that nobody knows, another that nobody meets", always),
    ("dealt", "card"): ("it stays in the hand to the end, as any other would", never_seen_again),
    ("drew", "card"): ("it stays in the hand to the end, as any other would", never_seen_again),
    ("trump_turned", "dropped"): ("the hand is thrown in before it is turned", misdealt),
    ("trump_turned", "card"): ("it is not drawn, and its suit decided nothing", lambda *_: True),
    ("card_missing", "card"): ("another card that nobody meets", lambda *_: True),
    ("played", "card"): ("another card of the hand, laid as rightly", another_or_sent_back),
    ("played", "fewer"): ("it goes back to the hand, or stays there and nobody plays on", back_in_hand),
    ("played", "face"): ("a set that beats may be laid either way where nothing hangs on it", nothing_hangs_on_it),
    ("played", "dropped"): ("the hand is given up there", lambda *_: True),
    ("played", "seat"): ("the hand is given up there", lambda *_: False),
    ("stack_counted", "seat"): ("both have the same chips", same_chips),
    ("chips_bought", "seat"): ("a purse is what it is said to be", nobody_counts),
    ("chips_bought", "amount"): ("a purse is what it is said to be", nobody_counts),
    ("chips_bought", "dropped"): ("a purse is what it is said to be", nobody_counts),
    ("chips_bought", "doubled"): ("a purse is what it is said to be", nobody_counts),
    ("open_declined", "seat"): ("where both may open, either may decline", always),
    ("open_declined", "dropped"): ("a right not used need not be spoken of", always),
    ("open_declined", "doubled"): ("where both may open, one declines for the other", always),
    ("deck_committed", "commitment"): ("the pack is never revealed", not_revealed),
    ("deck_committed", "dropped"): ("a commitment is not a duty", always),
    ("deck_revealed", "dropped"): ("a reveal is not a duty", always),
    ("deck_revealed", "doubled"): ("the same pack again", always),
    ("declared", "dropped"): ("declaring is a right, not a duty; no effect, or the natural leader's own", always),
    ("declared", "doubled"): ("said twice", always),
    ("declared", "fewer"): ("cards shown are fewer, the holding is known", always),
    ("raise_accepted", "dropped"): ("playing on accepts", always),
    ("raise_accepted", "seat"): ("with more than two seats, another accepts", always),
    ("raise_offered", "dropped"): ("an acceptance without an offer is told; an offer over an offer accepts", always),
    ("raise_offered", "seat"): ("the other may offer", always),
    ("raise_declined", "seat"): ("with more than two seats, another declines", always),
    ("stake_set", "dropped"): ("the first ante shows it", always),
    ("stake_set", "doubled"): ("the same again", always),
    ("stake_set", "amount"): ("no ante follows", always),
    ("stake_set", "seat"): ("agreed by the table", always),
    ("counted", "doubled"): ("said twice", always),
    ("counted", "dropped"): ("a claim is not a duty", always),
    ("trick_taken", "dropped"): ("a claim is not a duty", always),
    ("scored", "dropped"): ("a claim is not a duty", always),
    ("scored", "doubled"): ("said twice", always),
    ("pot_counted", "dropped"): ("a claim is not a duty", always),
    ("pot_counted", "doubled"): ("said twice", always),
    ("stack_counted", "dropped"): ("a claim is not a duty", always),
    ("stack_counted", "doubled"): ("said twice", always),
    ("sat_out", "doubled"): ("said twice", always),
    ("noted", "dropped"): ("a comment", always),
    ("noted", "doubled"): ("a comment", always),
}
"""By event type and change: why it is not told, and the proof that this change is one of those."""


def silence_excused(events: list[Json], change: Change) -> bool:
    if change.what == "swapped":
        return anywhere(events, change)
    reason = SILENT.get((events[change.at]["type"], change.what))
    return reason is not None and reason[1](events, change)


EVENINGS: list[tuple[str, Json, int]] = [
    ("bura/classic-36@1", {}, 2),
    ("bura/classic-36@1", {}, 3),
    ("bura/classic-32@1", {"molodka_turn": "in_turn"}, 4),
    ("bura/pagat-36@1", {}, 3),
    ("bura/georgian-20@1", {}, 2),
    ("bura/classic-36@1", {"draw_style": "fill_each", "join_pot": "share"}, 5),
]


def told_of(events: list[Json]) -> tuple[str, list[tuple[str, str]]]:
    report = desk.verify(to_bytes(events))
    if report["format"] != "razbor-report/1":
        return "refused", []
    return report["verdict"], sorted((finding["code"], finding["severity"]) for finding in report["findings"])


def changes(events: list[Json]) -> Iterator[Change]:
    for at in range(1, len(events)):
        for kind in (numbers, words, cards, whole):
            yield from kind(events, at)


@pytest.mark.parametrize(("preset", "options", "seats"), EVENINGS)
def test_one_change_is_told_or_cannot_be(preset: str, options: Json, seats: int) -> None:
    unexplained = unexplained_changes(preset, options, seats, seeds=range(3), share=0.05)
    assert not unexplained, unexplained[:5]


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("preset", "options", "seats"), EVENINGS)
def test_every_change_is_told_or_cannot_be(preset: str, options: Json, seats: int) -> None:
    assert not unexplained_changes(preset, options, seats, seeds=range(20), share=1)


def unexplained_changes(preset: str, options: Json, seats: int, *, seeds: range, share: float) -> list[object]:
    found: list[object] = []
    for seed in seeds:
        events = walk(seed, preset, options, seats=seats, hands=2, habits=Habits(commits=0.5))
        chosen = random.Random(seed)
        clean = told_of(events)
        assert clean[0] == "verified"
        for change in changes(events):
            if chosen.random() > share or told_of(change.events) != clean:
                continue
            if not silence_excused(events, change):
                found.append((seed, change.what, events[change.at], change.events[change.at]))
    return found
