"""Name to game: a third game costs one folder and one line here."""

from typing import Any

from replay.engine.bura.play import Bura
from replay.engine.voice import Witness
from schemas.events import RecordingBegan
from schemas.rules import BuraRules


def seat_table(began: RecordingBegan, rules: Any, witness: Witness) -> Any:
    """A fresh table for a recording's header under the given rules."""
    assert isinstance(rules, BuraRules)
    return Bura(began, rules, witness)
