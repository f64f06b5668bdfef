"""A table whose sums have decimals: what is read has them, and how a sum is written into a form is said beside it."""

import re

import pytest
from flask.testing import FlaskClient

from replay.desk_live import TableDesk
from schemas.sums import digits_of
from tests.live.conftest import HEADER, Json

EVENTS: list[Json] = [
    {"type": "stake_set", "amount": 1250},
    {"type": "hand_began", "hand": 1, "dealer": 3},
    *({"type": "staked", "seat": seat, "amount": 1250, "why": "ante"} for seat in (1, 2, 3)),
]
SAID = {
    "en": ("pot 37.50", "Анна antes 12.50", "−12.50", "1250 stands for 12.50"),
    "ru": ("37,50", "12,50", "−12,50", "1250\u00a0— это 12,50"),
    "fr": ("pot 37,50", "Анна mise 12,50", "−12,50", "1250 vaut 12,50"),
}


def seat(desk: TableDesk, client: FlaskClient, digits: int) -> str:
    """A table where antes are paid; the client is its scribe."""
    began = {"type": "recording_began", "format": "razbor/1", **HEADER, "unit": "EUR", "unit_digits": digits}
    assert digits_of(began) == digits
    opened = desk.create(began, 0, "table")
    tokens = {made.link.role: made.token for made in opened.links}
    role = desk.role(opened.entry.key, tokens["scribe"])
    assert role
    desk.append(opened.entry.key, EVENTS, 1, None, role)
    client.get(f"/tables/{opened.entry.key}/as/{tokens['scribe']}")
    return opened.entry.key


@pytest.mark.parametrize("lang", SAID)
def test_the_pad_and_the_watched_table_say_sums_in_the_unit(desk: TableDesk, client: FlaskClient, lang: str) -> None:
    key = seat(desk, client, 2)
    pot, ante, balance, hint = SAID[lang]
    pages = {
        "": (pot, ante, balance, hint),
        "/watch": (pot, ante, balance),
        "/events/3": (ante, hint),
    }
    for path, words in pages.items():
        text = client.get(f"/tables/{key}{path}?lang={lang}").text
        for word in words:
            assert word in text, (path, word)
        assert re.findall(r">[^<]*\b3750\b", text) == [], path


@pytest.mark.parametrize("lang", SAID)
def test_what_comes_in_and_what_is_compared_says_sums_in_the_unit(
    desk: TableDesk, client: FlaskClient, lang: str
) -> None:
    key = seat(desk, client, 2)
    stream = client.get(f"/tables/{key}/stream?lang={lang}", buffered=False)
    told = b"".join(next(stream.response) for _ in range(2)).decode()  # type: ignore[call-overload]
    stream.close()
    assert SAID[lang][1] in told
    assert '"amount": 1250' in told
    compared = client.get(f"/compare?first={key}&second={key}&lang={lang}").text
    assert compared.count(SAID[lang][1]) >= 2
    assert not re.search(r"\b1250\b", re.sub(r"<[^>]*>", " ", compared))


def test_where_sums_have_no_decimals_nothing_is_said_of_them(desk: TableDesk, client: FlaskClient) -> None:
    text = client.get(f"/tables/{seat(desk, client, 0)}?lang=en").text
    assert "pot 3750" in text
    assert "smallest unit" not in text


def test_a_written_sheet_takes_whole_numbers_and_says_so(client: FlaskClient) -> None:
    for lang, word in {"en": "12.50 EUR", "ru": "12,50 EUR", "fr": "12,50 EUR"}.items():
        assert word in client.get(f"/notation?lang={lang}").text
