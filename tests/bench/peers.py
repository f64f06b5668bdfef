"""What is measured beside: pokerkit and pokerfast on a whole hand of six at the table, python-chess on a whole game,
open_spiel on a whole deal of hearts.
"""

import io
import random
import re
import warnings
from functools import cache
from typing import Any

from tests.bench.table import Work

# Six are dealt their own cards, three see the flop, two go to the showdown; as the PHH format writes it.
POKER = """variant = "NT"
ante_trimming_status = true
antes = [0, 0, 0, 0, 0, 0]
blinds_or_straddles = [50, 100, 0, 0, 0, 0]
min_bet = 100
starting_stacks = [10000, 10000, 10000, 10000, 10000, 10000]
actions = [
    "d dh p1 AcKd", "d dh p2 7h7s", "d dh p3 QsQc", "d dh p4 9d8d", "d dh p5 Kh2c", "d dh p6 Ts9s",
    "p3 cbr 300", "p4 cc", "p5 f", "p6 f", "p1 cbr 1000", "p2 f", "p3 cc", "p4 f",
    "d db Jc8s2h", "p1 cbr 900", "p3 cc", "d db 5s", "p1 cc", "p3 cbr 2500", "p1 cc",
    "d db Td", "p1 cc", "p3 cc", "p1 sm AcKd", "p3 sm QsQc",
]
"""
# Kasparov - Topalov, Wijk aan Zee 1999: the moves alone.
CHESS = """[Event "?"]
[Result "1-0"]

1. e4 d6 2. d4 Nf6 3. Nc3 g6 4. Be3 Bg7 5. Qd2 c6 6. f3 b5 7. Nge2 Nbd7 8. Bh6 Bxh6 9. Qxh6 Bb7 10. a3 e5 11. O-O-O
Qe7 12. Kb1 a6 13. Nc1 O-O-O 14. Nb3 exd4 15. Rxd4 c5 16. Rd1 Nb6 17. g3 Kb8 18. Na5 Ba8 19. Bh3 d5 20. Qf4+ Ka7 21.
Rhe1 d4 22. Nd5 Nbxd5 23. exd5 Qd6 24. Rxd4 cxd4 25. Re7+ Kb6 26. Qxd4+ Kxa5 27. b4+ Ka4 28. Qc3 Qxd5 29. Ra7 Bb7 30.
Rxb7 Qc4 31. Qxf6 Kxa3 32. Qxa6+ Kxb4 33. c3+ Kxc3 34. Qa1+ Kd2 35. Qb2+ Kd1 36. Bf1 Rd2 37. Rd7 Rxd7 38. Bxc4 bxc4
39. Qxh8 Rd3 40. Qa8 c3 41. Qa4+ Ke1 42. f4 f5 43. Kc1 Rd2 44. Qa7 1-0
"""
POKER_ACTIONS, CHESS_MOVES, HEARTS_ACTIONS = 26, 87, 117


def poker(rounds: int = 10) -> int:
    """The actions of a hand that pokerkit parses and replays."""
    from pokerkit import HandHistory

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(rounds):
            states = sum(1 for _ in HandHistory.loads(POKER))
            assert states == POKER_ACTIONS + 1
    return rounds * POKER_ACTIONS


def chess(rounds: int = 4) -> int:
    """The moves of a game that python-chess reads."""
    from chess import pgn

    for _ in range(rounds):
        game = pgn.read_game(io.StringIO(CHESS))
        assert game is not None
        assert not game.errors
        assert sum(1 for _ in game.mainline_moves()) == CHESS_MOVES
    return rounds * CHESS_MOVES


def fast(rounds: int = 200) -> int:
    """The actions of the same hand that pokerfast replays; cards come as it is made."""
    from pokerfast import FastHand

    hole, board, acts = _poker_hand()
    for _ in range(rounds):
        hand = FastHand.for_cards([10000] * 6, hole, board, 50, 100)
        for seat, act, upto in acts:
            assert hand.state.turn_index == seat
            if act == "f":
                assert hand.fold()
            elif act == "cbr":
                assert hand.bet_or_raise(upto - hand.state.bets[seat])
            elif max(hand.state.bets) == hand.state.bets[seat]:
                assert hand.check()
            else:
                assert hand.call()
        assert hand.done
        assert hand.state.payoffs == [-4400, -100, 4800, -300, 0, 0]
    return rounds * POKER_ACTIONS


@cache
def _poker_hand() -> tuple[list[str], list[str], list[tuple[int, str, int]]]:
    """Cards held, the board, and each decision: seat from 0, what, and up to how much."""
    board = "".join(re.findall(r"d db (\w+)", POKER))
    acts = re.findall(r'"p(\d) (cbr|cc|f)(?: (\d+))?"', POKER)
    return (
        re.findall(r"d dh p\d (\w+)", POKER),
        re.findall("..", board),
        [(int(seat) - 1, act, int(upto or 0)) for seat, act, upto in acts],
    )


def hearts(rounds: int = 200) -> int:
    """The actions of a deal of hearts that open_spiel applies, each found legal; cards dealt are actions too."""
    game, actions = _deal_of_hearts()
    for _ in range(rounds):
        state = game.new_initial_state()
        for action in actions:
            state.apply_action_with_legality_check(action)
        assert state.is_terminal()
    return rounds * HEARTS_ACTIONS


@cache
def _deal_of_hearts() -> tuple[Any, list[int]]:
    import pyspiel

    game = pyspiel.load_game("hearts")
    state, chance = game.new_initial_state(), random.Random(5)
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
    assert len(state.history()) == HEARTS_ACTIONS
    return game, state.history()


ALL: dict[str, tuple[str, Work]] = {
    "pokerkit": ("pokerkit", poker),
    "pokerfast": ("pokerfast", fast),
    "python-chess": ("chess", chess),
    "open_spiel": ("pyspiel", hearts),
}
"""By name: the package it wants, and the work."""
