"""Where the turned card lies: under the stock, drawn, beside it, or in the dealer's hand (`rules.md`, the deal)."""

import pytest

from recorder import intake
from replay import desk
from replay.views.observe import observe
from schemas.events import HandBegan, Recording
from tests.check_cases import recording_path

PLACES = (
    ("bura/clean-02", {"under_stock", "drawn"}),
    ("bura/public-36a-023", {"beside"}),
    ("bourre/session-01", {"beside"}),
    ("bourre/public-nbl-001", {"dealers"}),
)


@pytest.mark.parametrize(("case", "places"), PLACES)
def test_the_turned_card_lies_where_the_rule_puts_it(case: str, places: set[str]) -> None:
    recording = intake.read(recording_path(case).read_bytes())
    assert isinstance(recording, Recording)
    hands = [at for at, event in enumerate(recording.events) if isinstance(event, HandBegan)]
    house = desk.house_of(recording)
    tables = [table for first in hands for table in observe(recording.events, house, first)]
    assert {table.turnup_place for table in tables if table.turnup} == places
    assert {table.turnup_place for table in tables if not table.turnup} <= {None}
