"""No client keeps the others waiting: requests under way by address, and what one of them may cost."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from recorder.journal import Journal
from recorder.words import load
from replay import desk as desks
from replay import desk_journal
from replay.audit import effort
from replay.desk_kept import Remembered
from replay.desk_live import TableDesk
from replay.desk_seen import see
from replay.views.sources import Received
from replay.web import turns
from replay.web.app import create_app
from replay.web.kept import MOST_SIGNS, KeptPages
from replay.web.turns import MOST_AT_ONCE, MOST_SLOW, SLOW, Turns
from tests.check_cases import recording_path
from tests.web.test_real import put

UNSEEN = "bura/dispute-word-candidates"
"""A recording with cards nobody saw."""


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[TableDesk]:
    journal = Journal.open(tmp_path / "journal.db")
    yield TableDesk(journal, open_house=True)
    journal.close()


@pytest.fixture
def app(desk: TableDesk) -> Flask:
    made = create_app(desk, secret=b"tests", uploads_a_minute=10_000)
    made.config["WTF_CSRF_ENABLED"] = False
    return made


@pytest.fixture
def served(app: Flask) -> FlaskClient:
    return app.test_client()


def from_address(app: Flask, address: str) -> FlaskClient:
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = address
    return client


def upload(client: FlaskClient, case: str = UNSEEN, lang: str = "en") -> Any:
    return client.post(f"/recordings?lang={lang}", data={"text": recording_path(case).read_text(encoding="utf-8")})


def test_an_address_has_so_many_turns_and_no_more() -> None:
    now = [0.0]
    counted = Turns(lambda: now[0])
    begun = [counted.begin("a") for _ in range(MOST_AT_ONCE)]
    assert None not in begun
    assert counted.begin("a") is None
    other = counted.begin("b")
    assert other is not None
    for each in begun:
        assert each is not None
        counted.end("a", each)
    slow = [counted.begin("a") for _ in range(MOST_SLOW)]
    now[0] += SLOW * 2
    assert counted.begin("a") is None
    assert counted.begin("b") is not None
    assert slow[0] is not None
    counted.end("a", slow[0])
    assert counted.begin("a") is not None


def test_who_asks_for_everything_at_once_is_told_so_and_nobody_else(
    app: Flask, desk: TableDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside, go_on, answers = threading.Semaphore(0), threading.Event(), list[int]()
    receive = desk.receive

    def slowly(*given: Any, **how: Any) -> Any:
        inside.release()
        assert go_on.wait(60)
        return receive(*given, **how)

    monkeypatch.setattr(desk, "receive", slowly)
    greedy, other = from_address(app, "192.0.2.7"), from_address(app, "192.0.2.8")
    threads = [
        threading.Thread(target=lambda: answers.append(upload(from_address(app, "192.0.2.7")).status_code))
        for _ in range(MOST_AT_ONCE)
    ]
    for thread in threads:
        thread.start()
    for _ in threads:
        assert inside.acquire(timeout=60)
    for path in ("/", "/recordings/0123456789abcdef.json", "/api/v1/tables"):
        refused = greedy.get(path)
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "5"), path
    assert greedy.get("/api/v1/tables").get_json()["error"]["code"] == "too-many"
    assert {greedy.get(path).status_code for path in ("/healthz", "/words/en.json")} == {200}
    assert {client.get("/").status_code for client in (other, from_address(app, "127.0.0.1"))} == {200}
    go_on.set()
    for thread in threads:
        thread.join()
    assert set(answers) == {303}
    assert greedy.get("/").status_code == 200


@pytest.mark.parametrize("lang", ["en", "ru", "fr"])
def test_what_would_take_too_long_is_refused_and_not_kept(
    served: FlaskClient, desk: TableDesk, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "MOST_STEPS", 3)
    answer = upload(served, lang=lang)
    assert answer.status_code == 422
    assert str(load(lang)["pad"]["api"]["too-long"]) in answer.get_data(as_text=True)
    told = served.post("/api/v1/verify", data=recording_path(UNSEEN).read_bytes())
    assert (told.status_code, told.get_json()["error"]["code"]) == (422, "too-long")
    assert desk.journal.list().entries == ()
    monkeypatch.setattr(turns, "MOST_STEPS", 20_000)
    assert upload(served, lang=lang).status_code == 303


def test_a_bound_changes_nothing_of_what_is_said() -> None:
    data = recording_path(UNSEEN).read_bytes()
    with effort.at_most(10_000):
        within = desks.verify(data)
        left = effort.left()
    assert within == desks.verify(data)
    assert left is not None
    assert 0 < left < 10_000 - 3
    for steps in (0, 1, 10_000 - left - 1):
        with effort.at_most(10_000), pytest.raises(effort.TooLongError), effort.at_most(steps):
            desks.verify(data)
    with effort.at_most(10_000 - left):
        assert desks.verify(data) == within
        with pytest.raises(effort.TooLongError), effort.at_most(10_000):
            desks.verify(data)


def test_the_shelf_shows_what_it_would_take_too_long_to_judge_unjudged(
    served: FlaskClient, desk: TableDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    hard, plain = put(desk, UNSEEN), put(desk, "bura/clean-01")
    monkeypatch.setattr(desk_journal, "MOST_STEPS_OF_A_ROW", 2)
    for lang in ("en", "ru", "fr"):
        text = served.get(f"/?lang={lang}").get_data(as_text=True)
        assert text.count(str(load(lang)["ui"]["shelf"]["not_judged"])) == 1
        assert f"/recordings/{hard}" in text
        assert f"/recordings/{plain}" in text
    assert served.get(f"/recordings/{hard}").status_code == 200


def test_where_too_little_is_left_the_next_request_judges_the_row(
    served: FlaskClient, desk: TableDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(desk, UNSEEN)
    monkeypatch.setattr(turns, "MOST_STEPS", 2)
    unjudged = str(load("en")["ui"]["shelf"]["not_judged"])
    assert unjudged in served.get("/?lang=en").get_data(as_text=True)
    monkeypatch.setattr(turns, "MOST_STEPS", 20_000)
    assert unjudged not in served.get("/?lang=en").get_data(as_text=True)


def test_a_hand_without_end_costs_no_more_than_another(served: FlaskClient, desk: TableDesk) -> None:
    """Each of its steps is drawn from all its events: hours, and gigabytes, for a file that may be uploaded."""
    lines = recording_path("bura/clean-01").read_bytes().splitlines()[:6]
    notes = [b'{"type":"noted","seq":%d,"text":"x"}' % (len(lines) + number) for number in range(6_000)]
    found = desk.receive(b"\n".join([*lines, *notes]), keep=True, public=True)
    assert isinstance(found, Received)
    assert served.get(f"/recordings/{found.id}").status_code == 200
    for ending in ("/hands/1/events/9", "/hands/1/events/9.svg", "/hands/1/steps.json", "/hands/1/events/9.json"):
        assert served.get(f"/recordings/{found.id}{ending}").status_code == 422, ending


def test_what_is_remembered_is_so_much_and_no_more() -> None:
    kept = Remembered[int, list[int]](3, len, 10)
    for key in range(5):
        assert kept.put(key, [0]) == [0]
    assert [kept.get(key) is not None for key in range(5)] == [False, False, True, True, True]
    kept.put(5, [0] * 9)
    assert [kept.get(key) is not None for key in range(6)] == [False, False, False, False, True, True]
    kept.put(6, [0] * 50)
    assert [key for key in range(7) if kept.get(key)] == [6]
    pages = KeptPages()
    for key in range(3):
        assert len(pages.page(key, lambda: "x" * (MOST_SIGNS // 2))) == MOST_SIGNS // 2
    assert len(pages._pages) == 2
    assert len(pages.page(3, lambda: "x" * (MOST_SIGNS + 1))) == MOST_SIGNS + 1
    assert not pages._pages


def test_the_shelf_judges_each_recording_once(
    served: FlaskClient, desk: TableDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many there are, and however few judgements are remembered whole."""
    judged = list[int]()

    def counted(*given: Any) -> Any:
        judged.append(1)
        return see(*given)

    monkeypatch.setattr(desk_journal, "see", counted)
    desk._seen.most = 1
    for case in ("bura/clean-01", "bura/clean-03", UNSEEN):
        put(desk, case)
    first = served.get("/").get_data(as_text=True)
    count = len(judged)
    assert served.get("/").get_data(as_text=True) == first
    assert len(judged) == count


def test_what_is_forgotten_at_once_is_answered_all_the_same(
    served: FlaskClient, desk: TableDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another thread may ask for so much meanwhile that a judgement is gone when it is to be shown."""
    id_ = put(desk, UNSEEN)
    desk._seen.most = 0
    monkeypatch.setattr(desk_journal, "MOST_KEPT", 0)
    for ending in ("", "/hands/1/events/3", "/hands/1/dispute"):
        assert served.get(f"/recordings/{id_}{ending}").status_code == 200, ending
