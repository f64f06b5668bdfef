"""A hand-written score sheet -> JSON Lines -> the recordings, or every problem with its line and column.

The notation is told in `data/words/sheet.LANG.toml` (`razbor import --help`). A sheet only spells a recording out:
every line gives the events it says, numbered as they stand, and the strict reader of `record.md` judges them.
"""

import io
from collections.abc import Iterator
from typing import Final

from recorder import intake
from recorder.decode import BULK, Limits, UnreadableError, chunks, texts
from recorder.sheet_forms import SIGNATURE, VERSION
from recorder.sheet_lines import SheetReader
from recorder.sheet_scan import SheetFlawError
from recorder.words import LANGUAGES
from schemas.events import Recording
from schemas.forms import shown
from schemas.problems import MOST_PROBLEMS, Code, Flaw, Problem, Refusal, refuse

_HEAD: Final = 1 << 10
_NAME: Final = SIGNATURE.partition("-")[0].encode()


def is_sheet(data: bytes, limits: Limits = BULK) -> bool:
    """Whether a file is a score sheet or would be one, by how it begins; gzip and a BOM are looked through."""
    try:
        piece = next(chunks(io.BytesIO(data), limits), b"")
    except UnreadableError:
        return False
    return piece[:_HEAD].lstrip()[: len(_NAME)].lower() == _NAME


def read_sheet(data: bytes, limits: Limits = BULK) -> tuple[Recording, ...] | Refusal:
    """Every recording of a sheet, or its problems: those of its lines if any, else those of what the lines say."""
    found = _Sheet(limits)
    try:
        for number, line in enumerate(_lines(data, limits), 1):
            if found.full:
                break
            found.take(number, line)
    except UnreadableError as error:
        found.problems.append(_problem(error.line, 1, error.flaw))
    found.close()
    if not found.lines and not found.problems:
        found.problems.append(_problem(1, 1, Flaw(Code.NOT_A_RECORDING)))
    if found.problems:
        return refuse(found.problems)
    recordings = intake.read_all(b"".join(found.lines), limits)
    return recordings if isinstance(recordings, tuple) else found.placed(recordings)


def read_one(data: bytes, limits: Limits = BULK) -> Recording | Refusal:
    """The one recording of a file, be it JSON Lines or a score sheet, or every problem of the file."""
    if not is_sheet(data, limits):
        return intake.read(data, limits)
    found = read_sheet(data, limits)
    if isinstance(found, Refusal):
        return found
    return found[0] if len(found) == 1 else refuse([_problem(1, 1, Flaw(Code.NOT_A_RECORDING))])


def _problem(line: int, column: int, flaw: Flaw) -> Problem:
    return Problem(line, flaw.field, flaw.code, flaw.args, column, "sheet")


def _lines(data: bytes, limits: Limits) -> Iterator[bytes]:
    for text in texts(chunks(io.BytesIO(data), limits)):
        yield from text.split(b"\n")[:-1]


class _Sheet:
    """All recordings of a file: the lines of JSON so far, where each came from, and what is wrong."""

    def __init__(self, limits: Limits) -> None:
        self.lines: list[bytes] = []
        self.problems: list[Problem] = []
        self._places: list[tuple[int, SheetReader, int]] = []
        self._limits = limits
        self._reader: SheetReader | None = None
        self._lost = False  # after a first line that nobody can read, up to the next one

    @property
    def full(self) -> bool:
        """Whether reading on would tell nothing more."""
        return len(self.lines) > self._limits.events or len(self.problems) >= MOST_PROBLEMS

    def take(self, number: int, line: bytes) -> None:
        """The next line of the file."""
        try:
            if line.lstrip()[: len(SIGNATURE)].lower() == SIGNATURE.encode():
                self.close()
                self._reader, self._lost = None, True
                self._reader, self._lost = SheetReader(_language(line), number), False
            elif self._reader is not None:
                self._reader.take(number, line)
            elif line.strip() and not self._lost:
                self._lost = True
                raise SheetFlawError(Flaw(Code.NOT_A_RECORDING), 1)
        except SheetFlawError as error:
            self._tell(number, error)
        self._gather()

    def close(self) -> None:
        """The end of a recording: a head without an event is one, too."""
        if self._reader is not None:
            self._reader.close()
        self._gather()

    def _tell(self, number: int, error: SheetFlawError) -> None:
        self.problems.append(_problem(number, error.column, error.flaw))

    def _gather(self) -> None:
        if self._reader is not None:
            for place, (number, _, text) in enumerate(self._reader.written[self._reader.taken :], self._reader.taken):
                self._places.append((number, self._reader, place))
                self.lines.append(text.encode() + b"\n")
            self._reader.taken = len(self._reader.written)

    def placed(self, refusal: Refusal) -> Refusal:
        """The problems of the lines of JSON as problems of the sheet."""
        return refuse(self._placed(problem) for problem in refusal.problems)

    def _placed(self, problem: Problem) -> Problem:
        number, reader, place = self._places[min(problem.line, len(self._places)) - 1]
        draft = reader.written[place][1]
        row, column = (0, draft.end) if problem.code is Code.MISSING_FIELD else draft.place(problem.field)
        return _problem(row or number, column, Flaw(problem.code, problem.field, problem.args))


def _language(line: bytes) -> str:
    """The language of a sheet's first line, `razbor-sheet/1 ru`."""
    said = line.decode("utf-8", "replace").lstrip()[len(SIGNATURE) :]
    version, _, language = said.partition("#")[0].strip().partition(" ")
    start = len(SIGNATURE) + 1
    if version != VERSION:
        args = {"value": shown(SIGNATURE + version), "known": SIGNATURE + VERSION}
        raise SheetFlawError(Flaw(Code.UNKNOWN_VERSION, "", args), start)
    if language.strip().lower() not in LANGUAGES:
        args = {"value": shown(language.strip()), "expected": " | ".join(LANGUAGES)}
        raise SheetFlawError(Flaw(Code.BAD_VALUE, SIGNATURE + VERSION, args), start + len(version) + 1)
    return language.strip().lower()
