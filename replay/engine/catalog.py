"""Name to game: a third game costs one folder and one case here. Only the game that is played is imported."""

from typing import TYPE_CHECKING, Any

from replay.engine.voice import Witness
from schemas.events import RecordingBegan

if TYPE_CHECKING:
    from replay.engine.game import Game


def seat_table(began: RecordingBegan, rules: Any, witness: Witness) -> Any:
    """A fresh table for a recording's header, with `BuraRules` or `BourreRules`; mypy holds it to `Game`."""
    table: Game
    match began.game:
        case "bura":
            from replay.engine.bura.play import Bura  # noqa: PLC0415 - the other game is not needed

            table = Bura()
        case "bourre":
            from replay.engine.bourre.play import Bourre  # noqa: PLC0415 - the other game is not needed

            table = Bourre()
    table.sit_down(began, rules, witness)
    return table
