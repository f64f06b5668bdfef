"""Placements on the site: a whole number in the WHY panel and beside the pencil check; nowhere else."""

import json
import re
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from recorder.journal import Journal
from replay.desk_journal import JournalDesk
from replay.web.app import create_app
from schemas.problems import Refusal
from tests.check_cases import recording_path

SAID = re.compile(r"Placements of these cards that reach 31: ([0-9,]+) of ([0-9,]+)[.]")
OPEN = "bura/dispute-open-02"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[FlaskClient, str]]:
    journal = Journal.open(tmp_path_factory.mktemp("placements") / "journal.db")
    desk = JournalDesk(journal, open_house=True)
    found = desk.receive(recording_path(OPEN).read_bytes(), keep=True, public=False)
    assert not isinstance(found, Refusal)
    yield create_app(desk, secret=b"tests", uploads_a_minute=10_000).test_client(), f"/recordings/{found.id}"
    journal.close()


def counts(text: str) -> list[tuple[int, int]]:
    return [(int(one.replace(",", "")), int(two.replace(",", ""))) for one, two in SAID.findall(text)]


def read(served: FlaskClient, address: str) -> str:
    answer = served.get(address)
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def test_step_and_dispute_say_it_where_it_is_open_and_nowhere_else(place: tuple[FlaskClient, str]) -> None:
    served, address = place
    twin = json.loads(read(served, f"{address}/hands/1/dispute.json?view=public"))
    opened = next(entry["opened_at"] for entry in twin["seats"].values() if entry["opened_at"])
    said = json.loads(read(served, f"{address}/hands/1/dispute.json?at={opened}&view=public"))
    open_seats = [seat for seat, entry in said["seats"].items() if entry["answer"] == "open"]
    step = read(served, f"{address}/hands/1/events/{opened}?view=public&lang=en")
    dispute = read(served, f"{address}/hands/1/dispute?at={opened}&view=public&lang=en")
    assert len(counts(dispute)) == len(open_seats) > 0
    assert counts(step) == counts(dispute)[:1]
    assert all(0 < reach < whole for reach, whole in counts(step))
    for line in re.findall(r"<p[^>]*>[^<]*Placements of[^<]*</p>", dispute):
        assert "noprint" in line
    assert "lacements" not in dispute.partition('class="cols"')[0]


def test_no_data_and_no_paper_tells_it(place: tuple[FlaskClient, str]) -> None:
    served, address = place
    for page in ("/report", "/report.json", "/hands/1/dispute.json"):
        assert "lacements" not in read(served, f"{address}{page}?view=public&lang=en").replace("replacements", "")


def test_who_sees_every_card_reads_no_number(place: tuple[FlaskClient, str]) -> None:
    served, address = place
    hands = json.loads(read(served, f"{address}/hands/1/dispute.json?view=full"))["seats"].values()
    pages = read(served, f"{address}/hands/1/dispute?view=full&lang=en")
    assert len(counts(pages)) == sum(entry["answer"] == "open" for entry in hands)
