"""Which engine the tests judge by: the compiled one where `make compiled` runs them, else the sources."""

import os
from importlib.util import find_spec

from tests.cli.razbor import razbor


def test_the_engine_is_the_one_that_was_asked_for() -> None:
    compiled = os.environ.get("RAZBOR_COMPILE", "") not in {"", "0"}
    for name in ("replay.engine.table", "replay.engine.bura.play", "replay.engine.bourre.play", "schemas.cards"):
        found = find_spec(name)
        assert found is not None
        assert str(found.origin).endswith(".py") is not compiled, found.origin
    assert ("compiled engine" in razbor("--version").stdout) is compiled
