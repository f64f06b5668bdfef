"""What the record leaves open is not shown as one of the ways it may have been."""

import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from recorder.journal import Journal
from replay.desk_journal import JournalDesk
from replay.web.app import create_app
from schemas.problems import Refusal

RULES = {"preset": "bura/classic-36@1", "options": {"molodka_turn": "in_turn"}}
HEAD: list[dict[str, Any]] = [
    {"type": "recording_began", "format": "razbor/1", "game": "bura", "rules": RULES, "seats": ["Anna", "Boris"]},
    {"type": "stake_set", "amount": 10},
    {"type": "hand_began", "hand": 1, "dealer": 2},
    {"type": "staked", "seat": 1, "amount": 10, "why": "ante"},
    {"type": "staked", "seat": 2, "amount": 10, "why": "ante"},
    {"type": "dealt", "seat": 1, "cards": ["Th", "Kh", "6c"]},
    {"type": "dealt", "seat": 2, "cards": ["??", "??", "??"]},
    {"type": "trump_turned", "card": "6d"},
    {"type": "played", "seat": 1, "cards": ["Th", "Kh"], "face": "up"},
]


def step(tmp_path: Path, cards: list[str], view: str) -> dict[str, Any]:
    """The JSON twin of Boris' answer with these cards, face up, that many of them unseen."""
    events = [*HEAD, {"type": "played", "seat": 2, "cards": cards, "face": "up"}]
    lines = "".join(json.dumps({"seq": seq, **event}) + "\n" for seq, event in enumerate(events))
    journal = Journal.open(tmp_path / "journal.db")
    desk = JournalDesk(journal, open_house=True)
    found = desk.receive(lines.encode(), keep=True, public=True)
    assert not isinstance(found, Refusal)
    client: FlaskClient = create_app(desk, secret=b"tests").test_client()
    answer = client.get(f"/recordings/{found.id}/hands/1/events/9.json?lang=en&view={view}")
    journal.close()
    return dict(json.loads(answer.data))


@pytest.mark.parametrize(
    ("cards", "said", "winning"),
    [
        (["??", "??"], "lays", None),
        (["Ah", "??"], "lays", None),
        (["Ah", "Ad"], "beats", "Boris"),
        (["7d", "8d"], "beats", "Boris"),
        (["7c", "8s"], "lays", "Anna"),
        (["7c", "??"], "lays", "Anna"),
    ],
)
def test_a_set_that_may_or_may_not_beat_is_laid_and_nobody_is_winning(
    tmp_path: Path, cards: list[str], said: str, winning: str | None
) -> None:
    page = step(tmp_path, cards, "full")
    assert "".join(part["text"] for part in page["sentence"]).startswith(f"Boris {said} ")
    assert next((one["name"] for one in page["sets"] if one["winning"]), None) == winning
