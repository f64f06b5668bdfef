"""Where a hand's events end, of hands that lack their own end (`report.md` 1)."""

import pytest

from recorder import intake
from replay.audit.fold import hand_end
from schemas.events import Recording
from tests.walks.bura import to_bytes
from tests.walks.script import START, made


@pytest.mark.parametrize(
    ("late", "done", "end"),
    [((), (), 8), (("end abandoned",), (), 9), ((), ("ante 1 10",), 9), (("end abandoned",), ("ante 1 10",), 10),
     (("ante 1 10", "end abandoned"), (), 8)],
    ids=["own", "late", "staked", "late-then-staked", "staked-then-late"],
)  # fmt: skip
def test_an_end_before_anything_is_done_is_that_of_the_hand_before(
    late: tuple[str, ...], done: tuple[str, ...], end: int
) -> None:
    """Hand 1 has no end of its own; hand 2 begins at place 5, and an end that stands first in it closes hand 1."""
    lines = (*START, "hand 2 2", *late, *done, "turn 6d", "end misdeal", "hand 3 2", "end misdeal")
    recording = intake.read(to_bytes(made(*lines)))
    assert isinstance(recording, Recording)
    assert hand_end(recording.events, 5) == end
