"""The request's hash in a header tells nothing of a card: a receipt shows headers whose payload it withholds."""

import hashlib
import json

import pytest

from recorder import chain
from recorder.journal import CommandReusedError, Journal
from tests.recorder.lines import HAND_OBJECT, HEADER, STAKE_OBJECT

CARDS = [rank + suit for rank in "6789TJQKA" for suit in "shdc"]


def test_a_card_cannot_be_guessed_from_the_request_hash(journal: Journal) -> None:
    key = journal.create(HEADER).key
    journal.append(key, [STAKE_OBJECT, HAND_OBJECT], 1)
    journal.append(key, [{"type": "trump_turned", "card": "7d"}], 3, "turn")
    header = chain.read_header(journal.links(key)[3][1].header)
    assert header
    assert header.rq
    for card in CARDS:
        request = json.dumps({"type": "trump_turned", "card": card}, sort_keys=True).encode()
        plain = hashlib.sha256(b"\n".join([key.encode(), request])).hexdigest()
        assert header.rq != plain
        assert header.rq != hashlib.sha256(plain.encode()).hexdigest()


def test_a_command_is_known_again_by_its_salted_hash(journal: Journal) -> None:
    key, other = journal.create(HEADER).key, journal.create(HEADER).key
    first = journal.append(key, [STAKE_OBJECT, HAND_OBJECT], 1, "stake")
    again = journal.append(key, [STAKE_OBJECT, HAND_OBJECT], 1, "stake")
    assert (again.seqs, again.version, again.repeated) == (first.seqs, first.version, True)
    with pytest.raises(CommandReusedError):
        journal.append(key, [STAKE_OBJECT], 1, "stake")
    with pytest.raises(CommandReusedError):
        journal.append(other, [STAKE_OBJECT, HAND_OBJECT], 1, "stake")


def test_a_command_that_named_a_player_is_known_again_after_erasure(journal: Journal) -> None:
    key = journal.create(HEADER).key
    joined = {"type": "player_joined", "seat": 3, "name": "Вера"}
    first = journal.append(key, [joined], 1, "join")
    journal.erase(key)
    assert journal.append(key, [joined], 1, "join").seqs == first.seqs
