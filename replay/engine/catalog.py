"""Name to game: a third game costs one folder and one case here. Only the game that is played is imported."""

from typing import Any

from replay.engine.voice import Witness
from schemas.events import RecordingBegan


def seat_table(began: RecordingBegan, rules: Any, witness: Witness) -> Any:
    """A fresh table for a recording's header under the given rules."""
    match began.game:
        case "bura":
            from replay.engine.bura.play import Bura  # noqa: PLC0415 - the other game is not needed

            bura = Bura()
            bura.sit_down(began, rules, witness)
            return bura
        case "bourre":
            from replay.engine.bourre.play import Bourre  # noqa: PLC0415 - the other game is not needed

            bourre = Bourre()
            bourre.sit_down(began, rules, witness)
            return bourre
