"""The marks over the slider: none lies on another or beyond its end, on a desk or on a phone."""

from itertools import pairwise
from pathlib import Path

import pytest

from recorder.journal import Journal
from replay.desk_journal import JournalDesk
from replay.web.app import create_app
from schemas.problems import Refusal
from tests.web.test_real import CASES

SAMPLES = Path(__file__).parents[2] / "data" / "recordings"
#: By what it is drawn for: the share of the rail a mark of 13 pixels takes, at the least.
NEAR = {"marks": 3.5, "thin": 4.5}


@pytest.mark.parametrize(
    "path",
    [*sorted(SAMPLES.glob("*.jsonl")), *sorted(CASES.glob("bura/dispute-*.jsonl"))],
    ids=lambda path: path.name.partition(".")[0],
)
def test_no_mark_lies_on_another_or_beyond_the_end(tmp_path: Path, path: Path) -> None:
    desk = JournalDesk(Journal.open(tmp_path / "journal.db"), open_house=True)
    found = desk.receive(path.read_bytes(), keep=True, public=True)
    assert not isinstance(found, Refusal)
    head, client = desk.head(found.id, ""), create_app(desk, secret=b"tests").test_client()
    assert head
    for span in head.hands:
        first = client.get(f"/recordings/{found.id}/hands/{span.hand}", follow_redirects=True).request.path
        rail = client.get(f"{first}.json").get_json()["rail"]
        for kind, near in NEAR.items():
            ends = [(float(one["x"]), float(one["x"]) + near * (2 if one["count"] else 1)) for one in rail[kind]]
            assert all(0 <= place <= 100 for place, _ in ends)
            assert [pair for pair in pairwise(ends) if pair[1][0] < pair[0][1]] == []
    desk.journal.close()
