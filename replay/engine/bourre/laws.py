"""The laws of Bourré's play: what a card had to be, given holding and trick, and whether it was (`rules.md` 4.7, 4.8).

Every law answers for holdings known in part only: a duty is broken for sure, left open, or not broken. A rule is
asked for only where its values differ for the card in question. Within a suit a card's code grows with its rank.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from replay.engine.bourre.rests import Rest
from replay.engine.findings import Code
from schemas.cards import CARDS_PER_SUIT, KNOWN, RANK_MASK, SUIT_MASK, SUITS, spread
from schemas.rules import BourreRules, HeadDuty, LeadDuty, Overtrump, VoidDuty

KEPT: Final = "kept"
BROKEN: Final = "broken"
OPEN: Final = "open"
"""Whether a duty was kept: surely, surely not, or not known (`report.md` 5)."""

ABOVE: Final[tuple[int, ...]] = tuple(
    SUIT_MASK[card // CARDS_PER_SUIT] & ~((1 << (card + 1)) - 1) for card in range(KNOWN)
)
"""By card: the mask of the higher cards of its suit."""
AKQ: Final[tuple[int, ...]] = tuple(
    SUIT_MASK[suit] & (RANK_MASK[-1] | RANK_MASK[-2] | RANK_MASK[-3]) for suit in range(len(SUITS))
)
"""By suit: its ace, king and queen."""
CODE_OF: Final[dict[str, Code]] = {
    "lead_highest_trump": Code.LED_LOW_TRUMP,
    "lead_akq": Code.LED_LOW_TRUMP,
    "cinch": Code.LED_LOW_TRUMP,
    "follow": Code.DID_NOT_FOLLOW,
    "head": Code.DID_NOT_HEAD,
    "trump": Code.DID_NOT_TRUMP,
    "overtrump": Code.DID_NOT_OVERTRUMP,
}
"""By duty: what breaking it is called."""


class Holding(NamedTuple):
    """A seat's cards just before it lays one: surely held, possibly held (a superset), and how many.

    `rests`, where they were worked out: every way the cards may be beside the one laid now.
    """

    sure: int
    may: int
    size: int
    rests: tuple[Rest, ...] = ()


class Spot(NamedTuple):
    """What a card has to answer: the led suit (-1: it leads), the lead, the best of the suit, the best trump on it.

    Each card stands as the lowest and the highest it may be, the same where it was seen; a trump is -1 where none
    (surely, or possibly) lies on a plain lead. `first`: the first trick; `won`: tricks the seat has; `gone`: trumps it
    has seen elsewhere; `hidden`: cards it has seen elsewhere that are not on record, each as what it may be.
    """

    trump: int
    suit: int = -1
    led: tuple[int, int] = (-1, -1)
    best: tuple[int, int] = (-1, -1)
    top: tuple[int, int] = (-1, -1)
    first: bool = False
    won: int = 0
    gone: int = 0
    hidden: tuple[int, ...] = ()


class Verdict(NamedTuple):
    """One duty of one card: its name, whether it was kept, and the cards surely held that would have fulfilled it."""

    duty: str
    answer: str
    legal: int


class Duty(NamedTuple):
    """A play that had a duty, as a dispute tells it (`report.md` 5)."""

    seq: int
    seat: int
    duty: str
    answer: str
    would_have: tuple[str, ...]
    proved_by: int | None


def has(hand: Holding, card: int, wanted: int) -> bool | None:
    """Whether a holding that lays `card`, which is not one of `wanted`, holds one of these; None where that is open."""
    if hand.sure & wanted:
        return True
    bit = 1 << card
    if hand.size <= (hand.sure | bit).bit_count() or not hand.may & wanted:
        return False
    if hand.size > ((hand.may | bit) & ~wanted).bit_count():
        return True
    return _left_in(hand.rests, wanted) if hand.rests else None


def _left_in(rests: tuple[Rest, ...], wanted: int) -> bool | None:
    """Whether one of these cards is left, in every way, in none, or in some of them (None)."""
    if not any(place & wanted for rest in rests for place in rest):
        return False
    return True if all(any(not place & ~wanted for place in rest) for rest in rests) else None


def breach_of(hand: Holding, card: int, spot: Spot, rules: BourreRules) -> Verdict | None:
    """The duty that laying this known card breaks or may break, or None."""
    if spot.suit < 0:
        return _low_lead(hand, card, spot, rules)
    led = SUIT_MASK[spot.suit]
    if 1 << card & led:
        return _not_headed(hand, card, spot, rules)
    held = has(hand, card, led)
    if held:
        return Verdict("follow", BROKEN, following(hand.sure, spot, rules))
    void = _not_trumped(hand, card, spot, rules)
    if held is None and (void is None or void.answer != BROKEN):
        either = void is not None and void.duty == "trump" and has(hand, card, led | SUIT_MASK[spot.trump])
        return Verdict("follow", BROKEN if either else OPEN, hand.sure & led)
    return void


def common(told: list[Verdict | None]) -> Verdict | None:
    """What all ways a play may have been have in common: broken only where every one of them breaks a duty."""
    wrong = [each for each in told if each is not None]
    if not wrong:
        return None
    sure = len(wrong) == len(told) and all(each.answer == BROKEN for each in wrong)
    return Verdict(wrong[0].duty, BROKEN if sure else OPEN, wrong[0].legal)


def kept_duty(hand: Holding, card: int, spot: Spot, rules: BourreRules) -> Verdict | None:
    """The duty that a known card kept, where it broke none; None where it had none."""
    held = hand.sure | 1 << card
    if spot.suit < 0:
        return _kept_lead(held, spot, rules)
    trumps = SUIT_MASK[spot.trump]
    if 1 << card & SUIT_MASK[spot.suit]:
        heads = held & _above(headed(spot, rules), SUIT_MASK[spot.suit])
        if heads:
            return Verdict("head", KEPT, heads)
        return Verdict("follow", KEPT, held & SUIT_MASK[spot.suit])
    if not 1 << card & trumps or rules.void_duty is not VoidDuty.TRUMP:
        return None
    over = held & _above(spot.top, trumps) if spot.top[0] >= 0 else 0
    if over and rules.overtrump is Overtrump.MUST:
        return Verdict("overtrump", KEPT, over)
    return Verdict("trump", KEPT, held & trumps)


def _above(cards: tuple[int, int], suit: int) -> int:
    """The cards of the suit surely above a card; none above a card nobody can know."""
    return ABOVE[cards[1]] & suit if cards[1] >= 0 else 0


def headed(spot: Spot, rules: BourreRules) -> tuple[int, int]:
    """The card a follower has to head: the best of the suit, or the lead (`head_duty`); (-1, -1) where none."""
    if spot.suit != spot.trump and spot.top[1] >= 0:
        return -1, -1
    duty = rules.head_duty
    if duty is HeadDuty.NONE:
        return -1, -1
    return spot.led if duty is HeadDuty.BEAT_LEAD else spot.best


def following(sure: int, spot: Spot, rules: BourreRules) -> int:
    """The cards of a holding that follow suit rightly: those that head where some do, else all of the suit."""
    suited = sure & SUIT_MASK[spot.suit]
    return suited & _above(headed(spot, rules), suited) or suited


def _not_headed(hand: Holding, card: int, spot: Spot, rules: BourreRules) -> Verdict | None:
    """A follower heads the trick if it can, unless a plain lead has been trumped (`bourre.8`)."""
    plain = spot.suit != spot.trump
    if card > spot.best[1] or (plain and spot.top[0] >= 0):
        return None
    mine = ~(1 << card)
    if has(hand, card, ABOVE[spot.led[0]] & mine) is False:
        return None
    duty = rules.head_duty
    if duty is HeadDuty.NONE:
        return None
    low, high = spot.led if duty is HeadDuty.BEAT_LEAD else spot.best
    if card >= high or has(hand, card, ABOVE[max(low, card + 1)]) is False:
        return None
    sure = card < low and not (plain and spot.top[1] >= 0) and has(hand, card, ABOVE[high] & mine)
    return Verdict("head", BROKEN if sure else OPEN, hand.sure & ABOVE[high])


def _not_trumped(hand: Holding, card: int, spot: Spot, rules: BourreRules) -> Verdict | None:
    """Without the led suit a trump is played (`bourre.8`, `void_duty`)."""
    trumps = SUIT_MASK[spot.trump]
    if spot.suit == spot.trump:
        return None
    if 1 << card & trumps:
        return _not_overtrumped(hand, card, spot, rules)
    held = has(hand, card, trumps)
    if held is False or rules.void_duty is not VoidDuty.TRUMP:
        return None
    legal = hand.sure & trumps
    if spot.top[0] >= 0 and legal & ABOVE[spot.top[1]] and rules.overtrump is Overtrump.MUST:
        legal &= ABOVE[spot.top[1]]
    return Verdict("trump", BROKEN if held else OPEN, legal)


def _not_overtrumped(hand: Holding, card: int, spot: Spot, rules: BourreRules) -> Verdict | None:
    """A trump on a trumped trick is the higher one (`overtrump=must`)."""
    low, high = spot.top
    if card >= high or has(hand, card, ABOVE[max(low, card + 1)]) is False:
        return None
    if rules.overtrump is not Overtrump.MUST or rules.void_duty is not VoidDuty.TRUMP:
        return None
    sure = 0 <= card < low and has(hand, card, ABOVE[high])
    return Verdict("overtrump", BROKEN if sure else OPEN, hand.sure & ABOVE[high])


def _low_lead(hand: Holding, card: int, spot: Spot, rules: BourreRules) -> Verdict | None:
    """Who holds ace, king or queen of trumps must lead the highest trump, or one of them (`bourre.7`, `lead_duty`)."""
    trumps, high = SUIT_MASK[spot.trump], AKQ[spot.trump]
    higher = ABOVE[card] if 1 << card & trumps else trumps
    if has(hand, card, higher) is False:
        return None
    strong = 1 << card & high or has(hand, card, high)
    if strong is False and high & ~spot.gone:
        return None
    duty = lead_duty(spot, rules)
    if duty == "cinch":
        return _not_cinched(hand, card, spot, higher)
    if not duty or (duty == "lead_akq" and 1 << card & high):
        return None
    held = has(hand, card, higher if 1 << card & high else high)
    if held is False:
        return None
    return Verdict(duty, BROKEN if held else OPEN, _right_lead(duty, hand.sure | 1 << card, spot))


def lead_duty(spot: Spot, rules: BourreRules) -> str:
    """The name of the duty that binds a lead in this trick; empty where leads are free."""
    duty = rules.lead_duty
    if duty is LeadDuty.HIGHEST_TRUMP_IF_AKQ:
        return "lead_highest_trump"
    if duty is LeadDuty.HIGHEST_FIRST_THEN_AKQ:
        return "lead_highest_trump" if spot.first else "lead_akq"
    if duty is LeadDuty.ONE_OF_AKQ:
        return "lead_akq"
    return "cinch" if duty is LeadDuty.CINCH else ""


def _right_lead(duty: str, held: int, spot: Spot) -> int:
    """The cards of a holding that fulfil a lead's duty."""
    if duty == "lead_akq":
        return held & AKQ[spot.trump]
    trumps = held & SUIT_MASK[spot.trump]
    return 1 << (trumps.bit_length() - 1) if trumps else 0


def sure_tricks(held: int, spot: Spot, unseen: Iterable[int] = (), hidden: Iterable[int] = ()) -> int:
    """How many tricks the trumps of a holding take for sure: its own from the top, seen ones fill gaps (`cinch`).

    At the most, where `unseen` cards of the holding and `hidden` ones seen elsewhere may be any of these masks.
    """
    count, mine, elsewhere = 0, list(unseen), list(hidden)
    for card in range(spot.trump * CARDS_PER_SUIT + CARDS_PER_SUIT - 1, spot.trump * CARDS_PER_SUIT - 1, -1):
        bit = 1 << card
        if held & bit or _takes(mine, bit):
            count += 1
        elif not spot.gone & bit and not _takes(elsewhere, bit):
            break
    return count


def _takes(places: list[int], bit: int) -> bool:
    """Whether one of these unseen cards may be this one; the one that could be the fewest others is it then."""
    fitting = [place for place in places if place & bit]
    if fitting:
        places.remove(min(fitting, key=int.bit_count))
    return bool(fitting)


def _not_cinched(hand: Holding, card: int, spot: Spot, higher: int) -> Verdict | None:
    """A seat sure of three tricks leads its highest trump; one that has three is not bound (`cinch`)."""
    need = 3 - spot.won
    if need <= 0:
        return None
    bit = 1 << card
    sure = hand.sure & ~bit
    unseen = (hand.may & ~hand.sure & ~bit,) * (hand.size - 1 - sure.bit_count())
    ways = hand.rests or ((*[1 << each for each in spread(sure)], *unseen),)
    told = {_bound(rest, bit, spot, need, higher) for rest in ways}
    if told == {False}:
        return None
    return Verdict("cinch", BROKEN if told == {True} else OPEN, _right_lead("cinch", hand.sure | bit, spot))


def _bound(rest: Rest, bit: int, spot: Spot, need: int, higher: int) -> bool | None:
    """Whether a lead that leaves these cards should have been a higher trump; None where that is open (`cinch`).

    Where all cards left are known, nothing is open: what a seat threw away unseen is then taken to fill no gap.
    """
    named = sum({place for place in rest if not place & (place - 1)})
    if named & higher and sure_tricks(named | bit, spot) >= need:
        return True
    unseen = [place & ~spot.gone for place in rest if place & (place - 1)]
    if not unseen or not any(place & higher for place in (named, *unseen)):
        return False
    return None if sure_tricks(named | bit, spot, unseen, spot.hidden) >= need else False


def _kept_lead(held: int, spot: Spot, rules: BourreRules) -> Verdict | None:
    duty = lead_duty(spot, rules)
    if duty == "cinch":
        bound = spot.won < 3 <= sure_tricks(held, spot) + spot.won
    else:
        bound = bool(duty and held & AKQ[spot.trump])
    return Verdict(duty, KEPT, _right_lead(duty, held, spot)) if bound else None
