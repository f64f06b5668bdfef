"""A dispute over cards whose laying is not on record: they have no event, in data, in text and on the page."""

import re
from html import unescape
from pathlib import Path

from jsonschema import Draft202012Validator

from recorder.journal import Journal
from recorder.words import LANGUAGES, load
from replay import desk
from replay.cli_dispute import told
from replay.desk_journal import JournalDesk
from replay.engine.findings import Code
from replay.web.app import create_app
from schemas import jsonschema
from schemas.problems import Refusal
from tests.walks.bura import to_bytes
from tests.walks.script import START3, made

LINES = ("deal 1 As Ks Ts", "deal 2 ?? ?? ??", "deal 3 8d 7d 9d", "turn 6d", "up 1 As Ks Ts", "down 3 8d 7d 9d")
EVENTS = made(*START3, *LINES, "trick_taken 1 32", "opened 1", "counted 1 32", "pot_taken 1 30", "end opened", seats=3)
"""What seat 2 answered is not on record."""
LAST_PLAY = 11


def test_the_data_name_no_event_that_is_not_there() -> None:
    answer = desk.dispute(to_bytes(EVENTS), hand=1)
    assert not list(Draft202012Validator(jsonschema.schema(list(Code), "dispute")).iter_errors(answer))
    assert answer["seats"]["1"]["reached"]["possibly"] == LAST_PLAY
    places = [(place["seq"], place["seat"]) for place in answer["seats"]["1"]["certificate"]["places"]]
    assert places == [(10, 1)] * 3 + [(11, 3)] * 3 + [(None, 2)] * 3


def test_text_and_page_say_that_it_is_not_on_record(tmp_path: Path) -> None:
    journal = JournalDesk(Journal.open(tmp_path / "journal.db"), open_house=True)
    found = journal.receive(to_bytes(EVENTS), keep=True, public=False)
    assert not isinstance(found, Refusal)
    client = create_app(journal, secret=b"tests").test_client()
    answer = desk.dispute(to_bytes(EVENTS), hand=1)
    for lang in LANGUAGES:
        page = unescape(client.get(f"/recordings/{found.id}/hands/1/dispute?lang={lang}").get_data(as_text=True))
        assert load(lang)["disputes_page"]["pencil"]["lost"] in page
        text = "\n".join(told(answer, {1: "a", 2: "b", 3: "c"}, lang))
        assert load(lang)["dispute"]["sum"]["place_lost"].format(seat="2 b") in text
        assert not re.search(r"[\u2212-]1\b", page + text)
    journal.journal.close()
