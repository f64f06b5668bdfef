"""Signs what the log is, keeps the note in the journal and at the anchor, and proves by it."""

import contextlib
from pathlib import Path
from typing import Final, Self

from recorder import keys, merkle
from recorder.address import Place, place_of
from recorder.anchor import Anchor, Anchored, AnchorMovedError, directory, objection, stored_hash
from recorder.checkpoint import Checkpoint, Verifier, split
from recorder.database import Connections
from recorder.proof import Growth, Inclusion

_TRIES: Final = 100


class Notary:
    """The one who signs for the journal in a database. Its keys and its anchor lie elsewhere (`integrity.md`)."""

    def __init__(self, connections: Connections, origin: str, anchor: Anchor, folder: Path) -> None:
        self._connections = connections
        self.origin = origin
        self._anchor = anchor
        self._folder = folder

    @classmethod
    def open(cls, place: str | Place) -> Self:
        """The notary of a journal that exists; the key is made when it is first needed."""
        found = place_of(place)
        connections = Connections(found)
        with connections.reading() as database:
            origin: str = database.execute("SELECT origin FROM log").fetchone()[0]
        return cls(connections, origin, Anchor.open(directory(found)), keys.directory(found))

    def close(self) -> None:
        """Closes its files."""
        self._connections.close()
        self._anchor.close()

    @property
    def verifiers(self) -> tuple[Verifier, ...]:
        """The log's public keys, the current one first."""
        return keys.verifiers(self._folder, self.origin)

    def renew_key(self) -> Verifier:
        """Signs with a new key from now on."""
        return keys.renew(self._folder, self.origin).verifier

    def checkpoint(self) -> str:
        """The signed checkpoint of all that is in the log now; kept at the anchor before anybody sees it.

        `recorder.anchor.RestoredError` where the log does not go on from what was signed last: nothing is signed.
        `AnchorMovedError` where others signed first, each time it was tried.
        """
        for _ in range(_TRIES):
            with contextlib.suppress(AnchorMovedError):
                return self._sign()
        raise AnchorMovedError(self.origin)

    def _sign(self) -> str:
        anchored = self._anchor.of(self.origin)
        signer = keys.signer(self._folder, self.origin)
        with self._connections.reading() as database:
            refusal = objection(database, anchored)
            if refusal is not None:
                raise refusal
            size: int = database.execute("SELECT size FROM tree").fetchone()[0]
            root = merkle.subtree(stored_hash(database), 0, size)
        if anchored is None or anchored.size < size or not _is_signed_by(anchored.note, signer.verifier):
            new = Anchored(size, root, Checkpoint(self.origin, size, root).signed(signer))
            self._anchor.move(self.origin, anchored, new)
            anchored = new
        self._keep(anchored)
        return anchored.note

    def _keep(self, signed: Anchored) -> None:
        """Puts the note among the journal's checkpoints, unless one of this size or a later one is there."""
        with self._connections.writing() as database:
            latest = database.execute("SELECT max(size) FROM checkpoints").fetchone()[0]
            if signed.size > (-1 if latest is None else latest):
                database.execute(
                    "INSERT INTO checkpoints (size, root, note) VALUES (?, ?, ?)",
                    [signed.size, signed.root, signed.note],
                )

    def inclusion(self, index: int, note: str | None = None) -> Inclusion:
        """The proof that a leaf stands in the log, by a note signed now or by this one.

        A given note may bear signatures of witnesses; `NoteError` where it is not this log's, `ValueError` where the
        leaf is later than it.
        """
        chosen = note or self.checkpoint()
        size = Checkpoint.verified(chosen, self.verifiers).size
        with self._connections.reading() as database:
            return Inclusion(index, tuple(merkle.inclusion(stored_hash(database), index, size)), chosen)

    def growth(self, old: int) -> Growth:
        """The proof that the log as signed now begins with its first `old` leaves; `ValueError` where it has fewer."""
        note = self.checkpoint()
        size = Checkpoint.parse(split(note)[0]).size
        with self._connections.reading() as database:
            return Growth(old, tuple(merkle.consistency(stored_hash(database), old, size)), note)


def _is_signed_by(note: str, key: Verifier) -> bool:
    return any((each.name, each.key_id) == (key.name, key.key_id) for each in split(note)[1])
