"""No response tells a card its viewer may not see, and blind mode tells neither length nor result."""

import re

import pytest
from flask.testing import FlaskClient

from recorder.words import LANGUAGES, load
from replay.views.wording import Wording
from tests.web import evening
from tests.web.evening import ID

HAND = f"/recordings/{ID}/hands/4"


def hidden(view: str, upto: int) -> set[str]:
    """The cards that view cannot know at any time up to an event: of the log as a whole, less what it shows."""
    whole = {card for event in evening.events() for card in event.get("cards", [])}
    shown = {card for event in evening.redacted(view) for card in [*event.get("cards", []), event.get("card", "??")]}
    later = {card for event in evening.redacted(view) if event["seq"] > upto for card in event.get("cards", [])}
    return whole - shown - later


def told(text: str, card: str, words: Wording) -> bool:
    """Whether a body shows that card outside the list of cards that may lie anywhere."""
    name = re.escape(words.card_name(card))
    spelled = re.search(rf"#s?{card}\b|\"{card}\"|\bs{card}\b", text)
    return bool(spelled or re.search(rf'aria-label="#\d+, {name}"', text))


@pytest.mark.parametrize("view", ["public", "seat:1", "seat:2", "seat:3"])
def test_a_view_shows_no_card_it_may_not_see(client: FlaskClient, view: str) -> None:
    words = Wording("en", load("en"))
    for seq in range(59, 100):
        html = client.get(f"{HAND}/events/{seq}?view={view}&lang=en").get_data(as_text=True)
        for card in hidden(view, seq):
            assert not told(html, card, words), (seq, card)


def test_the_unseen_are_named_as_a_whole_or_not_at_all(client: FlaskClient) -> None:
    """What may lie under a back is the same list whatever lies there."""
    html = client.get(f"{HAND}/events/96?view=seat:1&lang=en").get_data(as_text=True)
    why = html.split('id="why"')[1].split('id="ledger"')[0]
    assert "king of spades" in why
    assert "ten of spades" in why


@pytest.mark.parametrize("lang", LANGUAGES)
def test_blind_mode_tells_neither_length_nor_result(client: FlaskClient, lang: str) -> None:
    for ending in ("", ".json"):
        for seq in (59, 80, 95):
            text = client.get(f"{HAND}/events/{seq}{ending}?view=full&blind=1&lang={lang}").get_data(as_text=True)
            for later in range(seq + 2, 100):
                assert f"/events/{later}" not in text, (seq, later)
            assert not re.search(r"\b24[34]\b", text)
            assert not re.search(r"\b41\b", text.split("<body")[-1].split("aria-label")[0])
            assert 'max="99"' not in text
