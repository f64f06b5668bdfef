"""Signs a journal when something was stored that somebody may want to prove: an upload, a settlement, an end."""

import contextlib
import logging
import threading
from collections.abc import Callable, Collection
from typing import Final, TypeVar

from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined] # the one sqlite-utils itself found

from recorder import keys, receipt
from recorder.anchor import AnchorMovedError, RestoredError
from recorder.chain import LogError
from recorder.checkpoint import NoteError
from recorder.journal import Journal
from recorder.notary import Notary
from recorder.store import StoreError

_Answer = TypeVar("_Answer")
_LOG: Final = logging.getLogger("razbor.seal")
_HINDERED: Final = (
    AnchorMovedError,
    keys.KeyExposedError,
    keys.KeyOfAnotherLogError,
    keys.KeyUnreadableError,
    NoteError,
    OSError,
    sqlite3.Error,
    StoreError,
)
"""What may keep the notary from signing. The events are safe even so; the next signature holds for them."""


class Seal:
    """Signs after every such event of this journal, and when told to. `note` is the last checkpoint signed here."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._lock = threading.Lock()
        self.note: str | None = None
        self.failed = 0
        journal.settled = self.sign

    def sign(self) -> str | None:
        """The signed checkpoint of what is in the log now; None where it cannot be signed, which the log tells.

        Where the journal is not what was signed last, nothing more is written to it.
        """
        note = self._asked(Notary.checkpoint)
        self.note = note or self.note
        return note

    def receipt(self, key: str, withheld: Collection[int], upto: int) -> bytes | None:
        """The receipt of a recording up to an event, by a checkpoint signed now; None where it cannot be signed."""
        return self._asked(lambda notary: receipt.make(self._journal, notary, key, upto=upto, withheld=withheld))

    def _asked(self, question: Callable[[Notary], _Answer]) -> _Answer | None:
        """The notary's answer, None where there is none; one at a time."""
        with self._lock:
            try:
                with contextlib.closing(Notary.open(self._journal.path)) as notary:
                    return question(notary)
            except RestoredError as error:
                self._journal.refuse(error)
                self._not_signed(error.code)
            except LogError as error:
                self._not_signed(error.code)
            except _HINDERED as error:
                self._not_signed(type(error).__name__)
        return None

    def _not_signed(self, code: str) -> None:
        self.failed += 1
        _LOG.error("not signed: %s", code)
