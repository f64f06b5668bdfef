"""The receipt to download holds for somebody who has no Razbor, and withholds what the view may not see."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from recorder import receipt
from recorder.journal import Journal
from recorder.notary import Notary
from replay.desk_journal import JournalDesk
from replay.web.app import create_app
from tests.web.test_real import put

CHECKER = Path(__file__).parents[2] / "data" / "examples" / "check_receipt.py"
CASE = "bura/dispute-open-01"


@pytest.fixture(scope="module", params=[True, False], ids=["open", "shelf"])
def desk(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[JournalDesk]:
    journal = Journal.open(tmp_path_factory.mktemp("receipts") / "journal.db")
    yield JournalDesk(journal, open_house=request.param)
    journal.close()


@pytest.fixture(scope="module")
def served(desk: JournalDesk) -> FlaskClient:
    return create_app(desk, secret=b"tests").test_client()


def keys(desk: JournalDesk) -> list[str]:
    notary = Notary.open(desk.journal.path)
    found = [str(each) for each in notary.verifiers]
    notary.close()
    return found


def withheld_of(desk: JournalDesk, data: bytes) -> tuple[int, ...]:
    notary = Notary.open(desk.journal.path)
    proved = receipt.verify(data, notary.verifiers)
    notary.close()
    return proved.withheld


def test_the_checker_accepts_what_is_downloaded(desk: JournalDesk, served: FlaskClient, tmp_path: Path) -> None:
    id_ = put(desk, CASE)
    head = desk.head(id_, "")
    assert head
    assert ("full" in head.views) is desk.open_house
    for view in head.views:
        answer = served.get(f"/recordings/{id_}/receipt.json?view={view}")
        assert (answer.status_code, answer.mimetype) == (200, "application/json")
        file = tmp_path / "receipt.json"
        file.write_bytes(answer.data)
        command = [sys.executable, str(CHECKER), str(file), *keys(desk)]
        done = subprocess.run(command, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        hidden = withheld_of(desk, answer.data)
        assert bool(hidden) is (view != "full")
        lines = desk.lines(id_, view)
        assert lines
        whole = desk.journal.load(id_).recording.lines
        shown = lines.splitlines()
        assert list(hidden) == [seq for seq in range(1, len(whole)) if whole[seq] != shown[seq]]


def test_without_names_the_names_are_withheld(desk: JournalDesk, served: FlaskClient) -> None:
    id_ = put(desk, CASE)
    answer = served.get(f"/recordings/{id_}/receipt.json?names=0")
    assert 0 in withheld_of(desk, answer.data)
    began = desk.journal.load(id_).recording.began
    assert [name for name in began.seats if name in answer.get_data(as_text=True)] == []


def test_the_page_leads_to_it_and_a_view_one_may_not_have_does_not(desk: JournalDesk, served: FlaskClient) -> None:
    id_ = put(desk, CASE)
    assert f"/recordings/{id_}/receipt.json" in served.get(f"/recordings/{id_}").get_data(as_text=True)
    assert served.get("/recordings/0123456789abcdef/receipt.json").status_code == 404
    assert served.get(f"/recordings/{id_}/receipt.json?blind=1").status_code == 404
    assert served.get(f"/recordings/{id_}/receipt.json?view=full").status_code == (200 if desk.open_house else 404)
    assert served.get(f"/recordings/{id_}/receipt.json?view=seat:99").status_code == 404
