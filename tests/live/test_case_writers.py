"""Who may write into the cases beside a recording that was written live: role by role."""

import pytest
from flask import Flask
from werkzeug.test import Client, TestResponse

from replay.desk_live import TableDesk
from tests.live.conftest import Seated, seated
from tests.live.scribe import bare
from tests.walks.script import START3, made

pytestmark = pytest.mark.usefixtures("place")  # the journal in a file and on a server
HAND = [bare(event) for event in made(*START3, "deal 1 As Ks Ts", "deal 2 Ah Kh Th", "deal 3 Ac Kc Tc", "turn 6d",
                                      "up 1 As", "down 2 Kh", "down 3 Kc", "trick_taken 1", "end abandoned",
                                      seats=3, closed=False)[1:]]  # fmt: skip
WROTE, REFUSED, NOT_THERE = 303, 403, 404


def played(table: Seated, ended: bool) -> None:
    """The hand is written down; the recording is closed, or not."""
    end = [{"type": "recording_ended", "events": len(HAND) + 2}] if ended else []
    assert table.append([*HAND, *end], 1).status_code < 300


def says(app: Flask, key: str, token: str = "", by_key: str = "") -> TestResponse:
    """A word about the card laid face down at event 11, sent by a browser with a role's cookie or the private key's."""
    browser: Client = app.test_client()
    if token:
        browser.set_cookie(f"role-{key}", token)
    if by_key:
        browser.set_cookie("k", by_key, path=f"/recordings/{key}")
    form = {"hand": "1", "at": "13", "view": "public", "seat": "2", "of": "11", "card0": "Th", "claim": "10?"}
    return browser.post(f"/recordings/{key}/hands/1/words", data=form)


@pytest.mark.parametrize("role", ["seat:1", "seat:3"])
def test_who_plays_says_nothing_in_the_name_of_another(app: Flask, desk: TableDesk, table: Seated, role: str) -> None:
    played(table, ended=True)
    assert says(app, table.key, table.tokens[role]).status_code == REFUSED
    assert desk.journal.cases().of(table.key) == ()


@pytest.mark.parametrize(
    ("role", "may"), [("scribe", True), ("arbiter", True), ("seat:1", False), ("seat:2", False), ("", False)]
)
@pytest.mark.parametrize("act", ["rule", "withdraw"])
def test_who_plays_rules_in_no_case(app: Flask, table: Seated, act: str, role: str, may: bool) -> None:
    played(table, ended=True)
    assert says(app, table.key, table.tokens["seat:2"]).status_code == WROTE
    browser = app.test_client()
    if role:
        browser.set_cookie(f"role-{table.key}", table.tokens[role])
    page = f"/recordings/{table.key}/cases/1"
    shown = f'action="{page}/{act}' in browser.get(page).get_data(as_text=True)
    answer = browser.post(f"{page}/{act}", data={"ruling": "Mine.", "reason": "Because."})
    assert (shown, answer.status_code) == (may, WROTE if may else REFUSED)


@pytest.mark.parametrize("role", ["scribe", "arbiter", "seat:2"])
def test_whoever_has_a_role_in_a_finished_one_may_write(app: Flask, table: Seated, role: str) -> None:
    played(table, ended=True)
    answer = says(app, table.key, table.tokens[role])
    assert answer.status_code == WROTE
    assert "case=1" in answer.location


def test_the_holder_of_the_private_link_may_write(app: Flask, desk: TableDesk, table: Seated) -> None:
    played(table, ended=True)
    assert says(app, table.key, by_key=desk.key(table.key)).status_code == WROTE


def test_nobody_else_may(app: Flask, desk: TableDesk, table: Seated) -> None:
    played(table, ended=True)
    other = seated(table.client)
    for token in ("", "x" * 24, other.tokens["arbiter"], other.tokens["scribe"]):
        assert says(app, table.key, token).status_code == REFUSED
    assert says(app, table.key, by_key=desk.key(other.key)).status_code == REFUSED
    number = next(link.number for link in desk.roles.links(table.key) if link.role == "seat:2")
    desk.roles.revoke(table.key, number)
    assert says(app, table.key, table.tokens["seat:2"]).status_code == REFUSED
    assert desk.journal.cases().of(table.key) == ()


@pytest.mark.parametrize("role", ["", "scribe", "arbiter", "seat:1", "seat:2"])
def test_while_it_is_being_written_nobody_may(app: Flask, desk: TableDesk, table: Seated, role: str) -> None:
    played(table, ended=False)
    assert says(app, table.key, table.tokens.get(role, "")).status_code in (REFUSED, NOT_THERE)
    assert says(app, table.key, by_key=desk.key(table.key)).status_code in (REFUSED, NOT_THERE)
    assert desk.journal.cases().of(table.key) == ()


@pytest.mark.parametrize(("role", "may"), [("", False), ("seat:1", False), ("seat:2", True), ("arbiter", True)])
def test_the_form_is_shown_to_who_may_use_it(app: Flask, table: Seated, role: str, may: bool) -> None:
    played(table, ended=True)
    browser = app.test_client()
    if role:
        browser.set_cookie(f"role-{table.key}", table.tokens[role])
    html = browser.get(f"/recordings/{table.key}/hands/1/dispute?at=13&view=public&lang=en").get_data(as_text=True)
    assert ('name="card0"' in html) is may
