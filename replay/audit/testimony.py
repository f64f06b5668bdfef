"""What believed seats say of unseen cards, and where words contradict each other or the record (`report.md` 5)."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final

from msgspec.structs import replace

from replay.audit.arrange import Search
from replay.audit.board import board_of
from replay.audit.scene import Lay, Scene, Take
from schemas.cards import CODE, DOMAIN, SPELLING, UNKNOWN, spread
from schemas.events import Counted, Declared, Discarded, Event, Revealed, Testified, TrumpTurned

NODES: Final = 200
"""So many relaxed problems it may cost to see that words cannot be true together."""

MOST_CANDIDATES: Final = 12
"""In so many ways are cards named of which candidates were heard that no face says."""

Words = Mapping[tuple[int, int], int]
"""By seq of an event and place in it: the mask of cards it may be."""
SceneWith = Callable[[Words], Scene]
"""The hand as cards and places, with such words taken into it."""


@dataclass(frozen=True, slots=True)
class Word:
    """One `testified` event of a believed seat: by card spoken of, the mask of what it may be."""

    seat: int
    seq: int
    masks: dict[tuple[int, int], int]


@dataclass(frozen=True, slots=True)
class Heard:
    """The words that count, by card; and those told as contradictions, as (seat, seq)."""

    masks: dict[tuple[int, int], int]
    contradictions: tuple[tuple[int, int], ...]


def words_of(events: Sequence[Event], believe: Collection[int], spoken_of: Collection[int]) -> list[Word]:
    """The words of believed seats, wherever they stand, about the events numbered in `spoken_of`."""
    return [
        Word(event.seat, event.seq, {(event.of, spot): mask_of(card) for spot, card in enumerate(event.cards)})
        for event in events
        if isinstance(event, Testified) and event.seat in believe and event.of in spoken_of
    ]


def mask_of(said: str) -> int:
    """The mask of a card said, or of candidates such as `Td/Ks`; of `??`, every card.

    >>> from schemas.cards import spell_all
    >>> spell_all(mask_of("Ks/Td"))
    ['Ks', 'Td']
    """
    mask = 0
    for each in said.split("/"):
        mask |= DOMAIN[CODE[each]]
    return mask


def faces_of(events: Sequence[Event], scene: Scene | None = None) -> dict[int, list[int]]:
    """By seq of each event that has faces: by place in it, the mask of what it may be, as the record has it.

    Of `declared` and `counted` cards the order says nothing, so each may be any of them. A card that lies apart, as the
    turn-up under the stock does, was neither dealt, drawn nor laid.
    """
    faces: dict[int, list[int]] = {}
    places: list[Take | Lay] = [*scene.takes, *scene.lays] if scene else []
    apart = scene.elsewhere if scene else 0
    for place in places:
        faces.setdefault(place.seq, []).append(place.domain & ~apart or place.domain)
    for event in events:
        if isinstance(event, TrumpTurned):
            faces[event.seq] = [mask_of(event.card)]
        elif isinstance(event, Declared | Counted) and event.cards:
            faces[event.seq] = [mask_of("/".join(event.cards))] * len(event.cards)
        else:
            cards = getattr(event, "cards", ())
            faces.setdefault(event.seq, [mask_of(card) for card in cards or ()])
    return faces


def hear(words: Sequence[Word], faces: Mapping[int, Sequence[int]], heard_in: SceneWith) -> Heard:
    """Which words count: a word against a fact is left out, and so are words of two seats that cannot both be true."""
    calm = strain(heard_in({}))
    wrong = {
        at for at, word in enumerate(words) if _against_record(word, faces) or strain(heard_in(word.masks)) != calm
    }
    standing = [at for at in range(len(words)) if at not in wrong]
    for one, two in combinations(standing, 2):
        both = joined([words[one], words[two]])
        if both is None or strain(heard_in(both)) != calm:
            wrong |= {one, two}
    kept = [words[at] for at in standing if at not in wrong]
    masks = joined(kept)
    if masks is None or (len(kept) > 2 and strain(heard_in(masks)) != calm):
        wrong |= {at for at in standing if at not in wrong}
        masks = {}
    return Heard(masks, tuple(sorted((words[at].seat, words[at].seq) for at in wrong)))


def hear_plainly(words: Sequence[Word], faces: Mapping[int, Sequence[int]]) -> Heard:
    """The same where no piles are counted: each word beside the record, and beside every other."""
    wrong = {at for at, word in enumerate(words) if _against_record(word, faces)}
    standing = [at for at in range(len(words)) if at not in wrong]
    for one, two in combinations(standing, 2):
        if joined([words[one], words[two]]) is None:
            wrong |= {one, two}
    masks = joined([words[at] for at in standing if at not in wrong])
    return Heard(masks or {}, tuple(sorted((words[at].seat, words[at].seq) for at in wrong)))


def as_reveals(heard: Heard, last: int) -> list[Revealed]:
    """What was heard of cards, or of their suits or ranks, as if they had been turned up after the event `last`."""
    told: dict[int, dict[int, str]] = {}
    for (of, spot), mask in heard.masks.items():
        told.setdefault(of, {})[spot] = face_of(mask)
    return [
        Revealed(seq=last + number, of=of, cards=tuple(face for _, face in sorted(cards.items())))
        for number, (of, cards) in enumerate(sorted(told.items()), 1)
    ]


def face_of(mask: int) -> str:
    """The face that says what a card may be; of candidates that no face says, `??`.

    >>> face_of(mask_of("Td")), face_of(mask_of("?d")), face_of(mask_of("Td/Ks"))
    ('Td', '?d', '??')
    """
    return next((SPELLING[code] for code, domain in enumerate(DOMAIN) if domain == mask), "??")


def candidates_in(masks: Words) -> list[tuple[int, int]]:
    """The cards of which only candidates were heard that no face says, those of the fewest first, as far as there are
    no more than `MOST_CANDIDATES` ways to name them all."""
    several = sorted((mask.bit_count(), key) for key, mask in masks.items() if mask & (mask - 1))
    named: list[tuple[int, int]] = []
    ways = 1
    for count, key in several:
        if face_of(masks[key]) == SPELLING[UNKNOWN] and ways * count <= MOST_CANDIDATES:
            ways *= count
            named.append(key)
    return named


def each_naming(masks: Words, keys: Sequence[tuple[int, int]]) -> list[dict[tuple[int, int], int]]:
    """What was heard, once for each way to name these cards of which candidates were heard."""
    ways = product(*(spread(masks[key]) for key in keys))
    return [
        {**masks, **{key: 1 << card for key, card in zip(keys, cards, strict=True)}}
        for cards in ways
        if len(set(cards)) == len(cards)
    ]


def thrown_as_said(event: Discarded, masks: Words) -> Discarded:
    """Cards thrown away, those that nobody saw with the faces that were heard."""
    said = [face_of(masks.get((event.seq, spot), 0)) for spot in range(len(event.cards))]
    return replace(
        event, cards=tuple(face if card == "??" else card for card, face in zip(event.cards, said, strict=True))
    )


def strain(scene: Scene) -> tuple[str, ...]:
    """What the record contradicts itself in; `never` where no arrangement of the cards agrees with all of it."""
    board = board_of(scene)
    found = Search(board, scene.points).least([0] * len(scene.lays), nodes=NODES)
    never = ("never",) if found.cards is None and found.exact else ()
    return (*sorted(board.dropped), *never)


def _against_record(word: Word, faces: Mapping[int, Sequence[int]]) -> bool:
    """Whether a word names a card that the event did not have, or more or fewer cards than it had."""
    for of in {of for of, _ in word.masks}:
        said = {spot: mask for (seq, spot), mask in word.masks.items() if seq == of}
        faced = faces.get(of, ())
        if len(said) != len(faced) or any(not faced[spot] & mask for spot, mask in said.items()):
            return True
    return False


def joined(words: Sequence[Word]) -> dict[tuple[int, int], int] | None:
    """What several words say together; None where two say different things of one card."""
    masks: dict[tuple[int, int], int] = {}
    for word in words:
        for key, mask in word.masks.items():
            masks[key] = masks.get(key, mask) & mask
            if not masks[key]:
                return None
    return masks
