"""What believed seats say of unseen cards, and where words contradict each other or the record (`report.md` 5)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from replay.audit.places import Lay, Scene, Take, bounds
from schemas.cards import CODE, DOMAIN
from schemas.events import Event, Testified

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


def words_of(events: Sequence[Event], believe: Sequence[int], spoken_of: set[int]) -> list[Word]:
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


def hear(words: Sequence[Word], scene: Scene, heard_in: SceneWith) -> Heard:
    """Which words count: a word against a fact is left out, and so are words of two seats that cannot both be true."""
    places: list[Take | Lay] = [*scene.takes, *scene.lays]
    faces = {(place.seq, place.spot): place.domain for place in places}
    wrong = {at for at, word in enumerate(words) if _against_record(word, faces)}
    standing = [at for at in range(len(words)) if at not in wrong]
    calm = bounds(scene, 0).dropped
    for at in standing:
        if bounds(heard_in(words[at].masks), 0).dropped != calm:
            wrong.add(at)
    standing = [at for at in standing if at not in wrong]
    for one, two in combinations(standing, 2):
        both = joined([words[one], words[two]])
        if both is None or bounds(heard_in(both), 0).dropped != calm:
            wrong |= {one, two}
    kept = [words[at] for at in standing if at not in wrong]
    masks = joined(kept)
    if masks is None or (len(kept) > 2 and bounds(heard_in(masks), 0).dropped != calm):
        wrong |= set(standing)
        masks = {}
    return Heard(masks, tuple(sorted((words[at].seat, words[at].seq) for at in wrong)))


def _against_record(word: Word, faces: Mapping[tuple[int, int], int]) -> bool:
    return any(key not in faces or not faces[key] & mask for key, mask in word.masks.items())


def joined(words: Sequence[Word]) -> dict[tuple[int, int], int] | None:
    """What several words say together; None where two say different things of one card."""
    masks: dict[tuple[int, int], int] = {}
    for word in words:
        for key, mask in word.masks.items():
            masks[key] = masks.get(key, mask) & mask
            if not masks[key]:
                return None
    return masks
