"""Proofs as text: that a leaf stands in a log (C2SP tlog-proof), that a log only grew (C2SP tlog-witness)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

from recorder import merkle
from recorder.checkpoint import Checkpoint, NoteError, Verifier, read_hash, read_number, spell_bytes

_FORMAT: Final = "c2sp.org/tlog-proof@v1"
_MOST_HASHES: Final = 63


def _spell(head: Sequence[str], hashes: Sequence[bytes], note: str) -> str:
    return "\n".join([*head, *map(spell_bytes, hashes), "", note])


def _read(text: str, title: str, heads: int) -> tuple[list[str], tuple[bytes, ...], str]:
    """The first lines, the hashes and the note; `title` is what the last of the first lines begins with."""
    top, blank, note = text.partition("\n\n")
    lines = top.split("\n")
    if not blank or len(lines) < heads or len(lines) - heads > _MOST_HASHES or not lines[heads - 1].startswith(title):
        raise NoteError("no-proof")
    return lines[:heads], tuple(map(read_hash, lines[heads:])), note


@dataclass(frozen=True, slots=True)
class Inclusion:
    """Leaf `index` stands in the log, as the signed note says it is; extra data is neither written nor read."""

    index: int
    hashes: tuple[bytes, ...]
    note: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """From its spelling; `NoteError` for any other."""
        (form, index), hashes, note = _read(text, "index ", 2)
        if form != _FORMAT:
            raise NoteError("no-proof")
        return cls(read_number(index.removeprefix("index ")), hashes, note)

    def __str__(self) -> str:
        return _spell([_FORMAT, f"index {self.index}"], self.hashes, self.note)

    def verified(self, leaf: bytes, keys: Sequence[Verifier], witnesses: Sequence[Verifier] = ()) -> Checkpoint:
        """The checkpoint in which this leaf stands; `NoteError` where the proof or a signature does not hold."""
        found = Checkpoint.verified(self.note, keys, witnesses)
        if merkle.inclusion_root(leaf, self.index, found.size, self.hashes) != found.root:
            raise NoteError("not-in-log")
        return found


@dataclass(frozen=True, slots=True)
class Growth:
    """The log of the signed note begins with what it was at size `old`: what is asked of a witness."""

    old: int
    hashes: tuple[bytes, ...]
    note: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """From its spelling; `NoteError` for any other."""
        (old,), hashes, note = _read(text, "old ", 1)
        return cls(read_number(old.removeprefix("old ")), hashes, note)

    def __str__(self) -> str:
        return _spell([f"old {self.old}"], self.hashes, self.note)
