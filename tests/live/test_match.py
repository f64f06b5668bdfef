"""A table where a match is played: its pages say the score, and no pot where nobody pays one."""

from typing import Final

import pytest
from flask.testing import FlaskClient

from replay.desk_live import TableDesk
from tests.live.conftest import Json
from tests.web.test_match import LINES, plain

POT: Final = {"en": "pot 0", "ru": "кон 0", "fr": "pot 0"}
SCORE: Final = {"en": "Score:", "ru": "Счёт:", "fr": "Score :"}
GOES_TO: Final = {"en": "The match goes to 11.", "ru": "Матч до 11.", "fr": "La partie va à 11."}


def seat(desk: TableDesk, client: FlaskClient, last: int, **header: object) -> str:
    """The match of another program up to an event, written live; the client is its scribe."""
    events = [{key: value for key, value in line.items() if key[:2] != "x_"} for line in LINES]
    opened = desk.create({**events[0], **header}, 0, "table")
    tokens = {made.link.role: made.token for made in opened.links}
    role = desk.role(opened.entry.key, tokens["scribe"])
    assert role
    rest: list[Json] = [{key: value for key, value in event.items() if key != "seq"} for event in events[1 : last + 1]]
    desk.append(opened.entry.key, rest, 1, None, role)
    client.get(f"/tables/{opened.entry.key}/as/{tokens['scribe']}")
    return opened.entry.key


@pytest.mark.parametrize("lang", SCORE)
@pytest.mark.parametrize("page", ["", "/watch"])
def test_the_score_stands_where_else_the_pot_does(desk: TableDesk, client: FlaskClient, page: str, lang: str) -> None:
    key = seat(desk, client, 30)
    text = plain(client.get(f"/tables/{key}{page}?lang={lang}").text)
    assert f"{SCORE[lang]} p1 1 · p2 0" in text
    assert GOES_TO[lang] in text
    assert POT[lang] not in text


@pytest.mark.parametrize("page", ["", "/watch"])
@pytest.mark.parametrize(("last", "score"), [(21, "p1 0 · p2 0"), (22, "p1 1 · p2 0"), (43, "p1 1 · p2 0")])
def test_a_hand_counts_when_it_has_ended(
    desk: TableDesk, client: FlaskClient, page: str, last: int, score: str
) -> None:
    key = seat(desk, client, last)
    text = plain(client.get(f"/tables/{key}{page}?lang=en").text)
    assert f"Score: {score}" in text
    assert "Not settled" not in text


@pytest.mark.parametrize("page", ["", "/watch"])
def test_the_end_of_the_match_is_said(desk: TableDesk, client: FlaskClient, page: str) -> None:
    key = seat(desk, client, len(LINES) - 1)
    text = plain(client.get(f"/tables/{key}{page}?lang=en").text)
    assert "p1 reached 11 in hand 19; the match ended there." in text


@pytest.mark.parametrize("page", ["", "/watch"])
def test_chips_are_said_in_a_match_where_there_are_some(desk: TableDesk, client: FlaskClient, page: str) -> None:
    key = seat(desk, client, 30, stacks=[700, 800])
    text = client.get(f"/tables/{key}{page}?lang=en").text
    assert "700" in text
    assert "800" in text


def test_what_takes_too_long_to_judge_is_not_settled_and_the_table_is_watched_all_the_same(
    desk: TableDesk, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = seat(desk, client, 100)
    monkeypatch.setattr("replay.desk_live.MOST_STEPS_OF_A_ROW", 0)
    other = client.application.test_client()  # a spectator sees no closed cards, and much has to be tried
    answer = other.get(f"/tables/{key}/watch?lang=en")
    assert answer.status_code == 200
    assert "Not settled, and not counted: hands 1, 2, 3, 4." in plain(answer.text)


def test_where_chips_are_played_for_nothing_is_judged_to_watch(
    desk: TableDesk, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = seat(desk, client, 100, rules={**LINES[0]["rules"], "options": {"scoring": "pot"}})
    monkeypatch.setattr("replay.desk_live.audit", None)
    assert "pot 0" in plain(client.get(f"/tables/{key}/watch?lang=en").text)
