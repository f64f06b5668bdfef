"""An application over the invented evening, and a served one for the browser."""

import threading
from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.serving import make_server

from recorder.journal import Journal
from replay.desk_journal import JournalDesk
from replay.web.app import create_app
from tests.once import compile_once
from tests.web.desk import EveningDesk

compile_once()


@pytest.fixture
def app() -> Flask:
    app = create_app(EveningDesk("en"), secret=b"tests", uploads_a_minute=10_000)
    app.config["WTF_CSRF_ENABLED"] = False
    return app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """The address of the evening's site, served on this machine."""
    yield from served(create_app(EveningDesk("en"), secret=b"tests"))


@pytest.fixture(scope="session")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, JournalDesk]]:
    """A site over a real journal that shows everything, and its desk."""
    journal = Journal.open(tmp_path_factory.mktemp("club") / "journal.db")
    desk = JournalDesk(journal, open_house=True)
    for address in served(create_app(desk, secret=b"tests")):
        yield address, desk
    journal.close()


def served(app: Flask) -> Iterator[str]:
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()
