"""House rules: each option of `rules.md` tables 2 and 5 is a field, each choice a member of a StrEnum.

A preset spells out every option. An option that nobody wrote down is `UNRECORDED`; the engine never sees that, the
audit tries each value of it (`report.md`, `table/rule-unrecorded`).
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

UNRECORDED: Final = "unrecorded"
"""The wire's word for an option that nobody wrote down."""


# fmt: off
class DealPacket(StrEnum):
    """Whether cards are dealt one at a time or a hand at once (`rules.md` 1.5)."""
    ONE_BY_ONE = "one_by_one"
    ALL_AT_ONCE = "all_at_once"


class Turnup(StrEnum):
    """Whether the turn-up is the stock's last card or never drawn (`rules.md` 1.5)."""
    LAST_OF_STOCK = "last_of_stock"
    OUT_OF_PLAY = "out_of_play"


class FirstLead(StrEnum):
    """Who leads to the first trick; both takers are of the hand before (`rules.md` 1.6)."""
    LEFT_OF_DEALER = "left_of_dealer"
    LAST_TRICK_TAKER = "last_trick_taker"
    PREVIOUS_WINNER = "previous_winner"


class DealerAfterWin(StrEnum):
    """Who deals after a pot was taken (`rules.md` 1.4)."""
    WINNER = "winner"
    LEFT = "left"
    LOSER = "loser"


class DealerAfterFailedOpen(StrEnum):
    """Who deals after an opening that failed (`rules.md` 1.4)."""
    OPENER = "opener"
    SAME = "same"
    LEFT = "left"
    WINNER = "winner"


class DealerAfterRazburka(StrEnum):
    """Who deals after a razburka (`rules.md` 1.4)."""
    SAME = "same"
    LEFT = "left"


class BeatPairing(StrEnum):
    """How the cards of two sets are paired to beat (`rules.md` 1.10)."""
    ANY_PAIRING = "any_pairing"
    ORDER_LAID = "order_laid"


class AnswerFace(StrEnum):
    """Whether an answer that does not beat lies face down (`rules.md` 1.10)."""
    UP_ONLY_IF_BEATS = "up_only_if_beats"
    ALWAYS_UP = "always_up"


class DrawStyle(StrEnum):
    """Whether the draw goes round card by card or fills each hand in turn (`rules.md` 1.13)."""
    ROUND_ROBIN = "round_robin"
    FILL_EACH = "fill_each"


class ShortStock(StrEnum):
    """What becomes of a stock that cannot fill every hand (`rules.md` 1.13)."""
    DEAL_OUT = "deal_out"
    SET_ASIDE = "set_aside"


class OpenWindow(StrEnum):
    """Who may open, and when (`rules.md` 1.12)."""
    TAKER_BEFORE_DRAW = "taker_before_draw"
    BOTH_AFTER_TRICK = "both_after_trick"
    OWN_TURN = "own_turn"


class FailedOpen(StrEnum):
    """What an opening with too few points costs (`rules.md` 1.12)."""
    MATCH_POT = "match_pot"
    POT_TO_OTHERS = "pot_to_others"
    OPPONENT_WINS = "opponent_wins"


class BuraRight(StrEnum):
    """What a declared bura gives (`rules.md` 1.7)."""
    WINS_POT = "wins_pot"
    WINS_DOUBLE = "wins_double"
    LEADS = "leads"
    OFF = "off"


class ThreeAces(StrEnum):
    """What three declared aces give (`rules.md` 1.7)."""
    LEADS = "leads"
    WINS_POT = "wins_pot"
    OFF = "off"


class MolodkaTurn(StrEnum):
    """Whether a molodka leads out of turn, or sends a lead back (`rules.md` 1.7)."""
    OUT_OF_TURN = "out_of_turn"
    IN_TURN = "in_turn"
    COUNTER_LEAD = "counter_lead"


class BuraTie(StrEnum):
    """Whether rivals for the pot contest it or the earliest bura takes it (`rules.md` 1.8)."""
    CONTEST = "contest"
    EARLIEST = "earliest"


class Razburka(StrEnum):
    """What follows where nobody opened (разбурка, `rules.md` 1.14)."""
    DOUBLE = "double"
    RESTAKE = "restake"
    MOST_POINTS = "most_points"
    DRAW = "draw"


class RazburkaWhen(StrEnum):
    """What ends a hand in which nobody opened (`rules.md` 1.14)."""
    HANDS_EMPTY = "hands_empty"
    STOCK_EMPTY = "stock_empty"


class JoinPot(StrEnum):
    """How a newcomer joins while a pot lies (`rules.md` 1.15)."""
    WAIT = "wait"
    FREE = "free"
    SHARE = "share"


class RaiseLadder(StrEnum):
    """Whether the worth of a hand may be raised (`rules.md` 2, `to_6`)."""
    NONE = "none"
    TO_6 = "to_6"


class Scoring(StrEnum):
    """Whether chips or match points are played for (`rules.md` 2)."""
    POT = "pot"
    MATCH_POINTS = "match_points"


class AnteBy(StrEnum):
    """Who sets the ante (`rules.md` 4.3)."""
    DEALER = "dealer"
    FIXED = "fixed"


class TrumpCard(StrEnum):
    """Whether the turn-up is a card more or the dealer's fifth (`rules.md` 4.4)."""
    EXTRA = "extra"
    DEALERS_FIFTH = "dealers_fifth"


class Declaration(StrEnum):
    """Whether words and draws are one round or two (`rules.md` 4.5)."""
    ONE_ROUND = "one_round"
    TWO_ROUNDS = "two_rounds"


class DrawFee(StrEnum):
    """What a draw or a stay costs (`rules.md` 4.5)."""
    NONE = "none"
    ANTE_IF_DRAWING = "ante_if_drawing"
    ANTE_IF_STAYING = "ante_if_staying"


class Recycle(StrEnum):
    """What a stock that ran out is made new of (`rules.md` 4.5)."""
    FOLDED_AND_SERVED = "folded_and_served"
    FOLDED_FIRST = "folded_first"
    NONE = "none"


class LeadDuty(StrEnum):
    """What a leader with high trumps must lead (`rules.md` 4.7)."""
    HIGHEST_TRUMP_IF_AKQ = "highest_trump_if_akq"
    HIGHEST_FIRST_THEN_AKQ = "highest_first_then_akq"
    ONE_OF_AKQ = "one_of_akq"
    CINCH = "cinch"
    FREE = "free"


class HeadDuty(StrEnum):
    """Which card a follower has to head (`rules.md` 4.8)."""
    BEAT_BEST_OF_SUIT = "beat_best_of_suit"
    BEAT_LEAD = "beat_lead"
    NONE = "none"


class VoidDuty(StrEnum):
    """Whether who cannot follow must trump (`rules.md` 4.8)."""
    TRUMP = "trump"
    NONE = "none"


class Overtrump(StrEnum):
    """Whether an earlier trump must be beaten (`rules.md` 4.8)."""
    FREE = "free"
    MUST = "must"


class Tie(StrEnum):
    """Whether a tie shares the pot or carries it on (`rules.md` 4.10)."""
    SPLIT = "split"
    CARRY = "carry"


class OddChips(StrEnum):
    """Where the chips go that cannot be shared (`rules.md` 4.10)."""
    NEXT_POT = "next_pot"
    LEFT_OF_DEALER_FIRST = "left_of_dealer_first"


class BourrePays(StrEnum):
    """What a seat without a trick pays (`rules.md` 4.10)."""
    POT = "pot"
    LIMIT = "limit"
    CAPPED_AT_STACK = "capped_at_stack"


class AnteExempt(StrEnum):
    """Who pays no ante in the next hand (`rules.md` 4.3)."""
    NONE = "none"
    BOURRE = "bourre"
    TIED = "tied"
    BOURRE_AND_TIED = "bourre_and_tied"


class Debt(StrEnum):
    """Whether what a seat cannot pay is owed or forgiven (`rules.md` 4.10)."""
    RECORDED = "recorded"
    CAPPED = "capped"
# fmt: on


def option(paragraph: str, *values: Any) -> Any:
    """A field of a rules class: the paragraph of `rules.md`, and its values where no StrEnum lists them."""
    return field(metadata={"paragraph": paragraph, "values": values})


@dataclass(frozen=True, kw_only=True)
class BuraRules:
    """Every option of `rules.md` table 2."""

    pack: int = option("bura.2", 36, 32, 20)
    seats_max: int = option("bura.1", 2, 3, 4, 5, 6)
    hand_size: int = option("bura.5", 3, 5)
    deal_packet: DealPacket = option("bura.5")
    turnup: Turnup = option("bura.5")
    first_lead: FirstLead = option("bura.6")
    dealer_after_win: DealerAfterWin = option("bura.4")
    dealer_after_failed_open: DealerAfterFailedOpen = option("bura.4")
    dealer_after_razburka: DealerAfterRazburka = option("bura.4")
    beat_pairing: BeatPairing = option("bura.10")
    answer_face: AnswerFace = option("bura.10")
    draw_style: DrawStyle = option("bura.13")
    short_stock: ShortStock = option("bura.13")
    open_window: OpenWindow = option("bura.12")
    target: int = option("bura.12", 31, 61)
    failed_open: FailedOpen = option("bura.12")
    bura: BuraRight = option("bura.7")
    three_aces: ThreeAces = option("bura.7")
    molodka_turn: MolodkaTurn = option("bura.7")
    bura_tie: BuraTie = option("bura.8")
    razburka: Razburka = option("bura.14")
    razburka_when: RazburkaWhen = option("bura.14")
    join_pot: JoinPot = option("bura.15")
    raise_ladder: RaiseLadder = option("bura.2")
    scoring: Scoring = option("bura.2")
    match_to: int | None = option("bura.2", 3, 5, 7, 11)


@dataclass(frozen=True, kw_only=True)
class BourreRules:
    """Every option of `rules.md` table 5. `max_draw` is a list of (up to so many seats, so many cards)."""

    seats_max: int = option("bourre.1", 7, 8)
    ante_by: AnteBy = option("bourre.3")
    max_ante: int | None = option("bourre.3")
    trump_card: TrumpCard = option("bourre.4")
    declaration: Declaration = option("bourre.5")
    draw_fee: DrawFee = option("bourre.5")
    max_draw: tuple[tuple[int, int], ...] = option("bourre.5")
    recycle: Recycle = option("bourre.5")
    lead_duty: LeadDuty = option("bourre.7")
    head_duty: HeadDuty = option("bourre.8")
    void_duty: VoidDuty = option("bourre.8")
    overtrump: Overtrump = option("bourre.8")
    tie: Tie = option("bourre.10")
    odd_chips: OddChips = option("bourre.10")
    bourre_pays: BourrePays = option("bourre.10")
    ante_exempt: AnteExempt = option("bourre.3")
    pot_limit: int | None = option("bourre.10")
    dealer_stays_on_ace: bool = option("bourre.5", False, True)
    debt: Debt = option("bourre.10")


Rules = BuraRules | BourreRules
RULES_OF: Final[dict[str, type[BuraRules] | type[BourreRules]]] = {"bura": BuraRules, "bourre": BourreRules}
AMOUNTS: Final = frozenset({"max_ante", "pot_limit"})
"""Options whose value is an amount or `none`; they cannot be `"unrecorded"`."""


@dataclass(frozen=True)
class HouseRules:
    """The rules one recording is judged by: preset, options given, and every option spelled out.

    `options` are as recorded (wire values); `rules` has a member of each option's type, except that the options named
    in `unrecorded` hold an arbitrary value of theirs; `digest` is the first 16 hex digits of the SHA-256 over the
    canonical JSON of preset and options together, spelled out.
    """

    game: str
    preset: str
    options: dict[str, Any]
    rules: Rules
    unrecorded: tuple[str, ...]
    digest: str

    @property
    def for_points(self) -> bool:
        """Whether match points are known to be what is played for (`rules.md` 2, `scoring`)."""
        rules = self.rules
        by_points = isinstance(rules, BuraRules) and rules.scoring is Scoring.MATCH_POINTS
        return by_points and "scoring" not in self.unrecorded

    @property
    def match_to(self) -> int | None:
        """The match points that end a match; None where none were agreed, or nobody wrote down how many."""
        return None if "match_to" in self.unrecorded or not isinstance(self.rules, BuraRules) else self.rules.match_to
