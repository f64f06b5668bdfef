"""Name to game: a third game costs one folder and one line here."""

from typing import Any, Final

from replay.engine.bourre.play import Bourre
from replay.engine.bura.play import Bura
from replay.engine.voice import Witness
from schemas.events import RecordingBegan

GAMES: Final[dict[str, Any]] = {"bourre": Bourre, "bura": Bura}


def seat_table(began: RecordingBegan, rules: Any, witness: Witness) -> Any:
    """A fresh table for a recording's header under the given rules."""
    return GAMES[began.game](began, rules, witness)
