"""Both games know every event that a recording may hold, of their own and of the other game."""

from typing import Any

import pytest

from replay.engine.bourre.play import Bourre
from replay.engine.bura.play import Bura
from schemas.events import TYPES


@pytest.mark.parametrize("game", [Bura, Bourre])
def test_every_event_has_a_handler(game: Any) -> None:
    assert set(game.HANDLERS) == set(TYPES.values())
