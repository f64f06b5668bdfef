"""Which words count: against facts, against each other, alone (`report.md` 5)."""

from replay.audit.places import Lay, Scene, Take
from replay.audit.testimony import Heard, Word, Words, faces_of, hear, joined, mask_of, strain, words_of
from schemas import events as ev
from schemas.cards import PACK
from schemas.cards import mask_of as mask
from schemas.values import Seat


def word(seat: int, seq: int, *said: str, of: int = 5) -> Word:
    return Word(seat, seq, {(of, spot): mask_of(card) for spot, card in enumerate(said)})


def two_cards(words: Words) -> Scene:
    """Seats 1 and 2 laid one unseen card each, at seqs 5 and 6."""
    lays = tuple(Lay(seat, 1, words.get((seq, 0), -1) & PACK[36], 1, 1, seq, 0) for seat, seq in ((1, 5), (2, 6)))
    return Scene(PACK[36], (Take(1, 0, -1), Take(2, 0, -1)), lays)


FACES = {5: [PACK[36]], 6: [PACK[36]]}


def test_candidates_and_silence() -> None:
    assert mask_of("Td/Ks") == mask(["Td", "Ks"])
    assert mask_of("??").bit_count() == 52
    assert mask_of("T?").bit_count() == 4


def test_only_believed_seats_are_heard_and_only_of_what_is_asked() -> None:
    said = ((9, 2, "Td"), (10, 3, "Kd"))
    events: list[ev.Event] = [ev.Testified(seq=seq, seat=Seat(seat), of=5, cards=(card,)) for seq, seat, card in said]
    assert words_of(events, [2], {5}) == [word(2, 9, "Td")]
    assert words_of(events, [2, 3], {6}) == []


def test_what_is_said_alone_counts() -> None:
    assert hear([word(1, 9, "Td")], FACES, two_cards) == Heard({(5, 0): mask(["Td"])}, ())


def test_a_word_against_the_record_is_left_out() -> None:
    faces = {5: [mask(["Kd"])], 6: [PACK[36]]}
    assert hear([word(1, 9, "Td")], faces, two_cards) == Heard({}, ((1, 9),))


def test_a_word_about_an_event_without_faces_is_left_out() -> None:
    assert hear([word(1, 9, "Td", of=77)], FACES, two_cards) == Heard({}, ((1, 9),))


def test_two_words_for_one_card_are_both_left_out() -> None:
    words = [word(1, 9, "Td"), word(2, 10, "Kd"), word(2, 11, "7d", of=6)]
    assert hear(words, FACES, two_cards) == Heard({(6, 0): mask(["7d"])}, ((1, 9), (2, 10)))


def test_one_card_in_two_places_is_a_contradiction_too() -> None:
    words = [word(1, 9, "Td"), word(2, 10, "Td", of=6)]
    assert hear(words, FACES, two_cards) == Heard({}, ((1, 9), (2, 10)))


def test_candidates_that_leave_a_common_card_agree() -> None:
    words = [word(1, 9, "Td/Kd"), word(2, 10, "Kd/7d")]
    assert hear(words, FACES, two_cards) == Heard({(5, 0): mask(["Kd"])}, ())


def test_words_that_fit_in_pairs_but_not_together() -> None:
    """Three seats have one of two cards each."""

    def scene(words: Words) -> Scene:
        lays = tuple(Lay(seat, 1, words.get((seat, 0), -1) & PACK[36], 1, 1, seat, 0) for seat in (1, 2, 3))
        return Scene(PACK[36], tuple(Take(seat, 0, -1) for seat in (1, 2, 3)), lays)

    words = [word(seat, 10 + seat, "Td/Kd", of=seat) for seat in (1, 2, 3)]
    faces = {seat: [PACK[36]] for seat in (1, 2, 3)}
    assert hear(words, faces, scene) == Heard({}, ((1, 11), (2, 12), (3, 13)))


def test_faces_of_a_record() -> None:
    events: list[ev.Event] = [
        ev.TrumpTurned(seq=3, card="9h"),
        ev.Played(seq=5, seat=Seat(1), cards=("As",), face="up"),
        ev.Counted(seq=7, seat=Seat(1), points=11, cards=("As", "6d")),
    ]
    faces = faces_of(events, Scene(PACK[36], (), (Lay(1, 1, mask(["As"]), 1, 1, 5, 0),)))
    assert faces == {3: [mask(["9h"])], 5: [mask(["As"])], 7: [mask(["As", "6d"])] * 2}


def test_joined_words() -> None:
    assert joined([word(1, 9, "Td/Kd"), word(2, 10, "Kd")]) == {(5, 0): mask(["Kd"])}
    assert joined([word(1, 9, "Td"), word(2, 10, "Kd")]) is None


def test_a_record_that_cannot_be_is_strained() -> None:
    assert strain(two_cards({})) == ()
    lays = (Lay(1, 1, mask(["As"]), 1), Lay(2, 1, mask(["As"]), 1))
    assert strain(Scene(PACK[36], (Take(1, 0, -1), Take(2, 0, -1)), lays)) == ("lay",)
