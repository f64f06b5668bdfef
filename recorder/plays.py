"""A table of plays (CSV) and a small file that says what its columns mean -> the recordings, or every problem by cell.

The mapping (TOML): `[recording]` holds the fields of `recording_began`; `[columns]` the column of each field of an
event, by its name in the first line or by its number; `[defaults]` what holds where a cell is empty; `[values.FIELD]`
what a cell's text means; `letters` (en, ru, fr), `delimiter`, and `ended = true` where the evening ended. A column
`recording` tells several evenings of one table apart; with `names_from_table = true` nobody is named in `[recording]`:
the players sit in the order in which the column of seats first names them, and `stacks = 1000` gives each so much.
"""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from recorder import intake
from recorder.decode import BULK, Limits, UnreadableError, chunks
from recorder.plays_mapping import PlaysMapping
from recorder.sheet_draft import Draft, quoted
from recorder.sheet_forms import NUMBER
from recorder.sheet_words import Dialect, dialect
from schemas.events import TYPES, Recording
from schemas.forms import bad_value, shown
from schemas.problems import MOST_PROBLEMS, Code, Flaw, Problem, Refusal, refuse
from schemas.values import GREATEST

_NUMBER: Final = re.compile(NUMBER)
_NUMBERS: Final = frozenset(("seat", "stack", "amount", "hand", "dealer", "of", "points", "events", "after", "to"))
_GROUPS: Final = ("hand", "trick", "recording")
_NOT_OF_THE_EVENT: Final = (*_GROUPS, "type", "dealer")
"""Fields that say of a row where it belongs; any other that the event has not is told as a problem."""
_OUTSIDE_HANDS: Final = ("hand_began", "stake_set", "player_joined", "player_left", "chips_bought", "recording_ended")
_MERGED: Final = ("played", "dealt", "drew", "discarded")
"""Types of which neighbouring rows of one seat are one event with several cards."""


def read_plays(data: bytes, mapping: PlaysMapping, limits: Limits = BULK) -> tuple[Recording, ...] | Refusal:
    """The recordings of a table, or its problems, each with its line and the number of its column."""
    table = _Table(mapping)
    try:
        table.read(b"".join(chunks(io.BytesIO(data), limits)))
    except UnreadableError as error:
        table.tell(1, 1, error.flaw)
    if table.problems:
        return refuse(table.problems)
    recordings: list[Recording] = []
    problems: list[Problem] = []
    for evening in table.evenings:
        found = intake.read(evening.text(mapping), limits)
        if isinstance(found, Refusal):
            problems += map(evening.placed, found.problems)
        else:
            recordings.append(found)
    return refuse(problems) if problems else tuple(recordings)


@dataclass(slots=True)
class _Evening:
    """The rows of one recording as events, and where each stands."""

    #: The first row, and what stands there in the column `recording`.
    line: int
    name: str
    #: By name the seat, where the table names the players.
    seats: dict[str, str]
    events: list[tuple[int, Draft, tuple[str, ...]]] = field(default_factory=list)
    hand: str = ""
    #: The same of whoever joined later, and does not stand in the head.
    joined: dict[str, str] = field(default_factory=dict)

    def text(self, mapping: PlaysMapping) -> bytes:
        """The recording as JSON Lines."""
        header = mapping.header
        if mapping.names_from_table or self.name:
            began = json.loads(header)
            began |= {"seats": list(self.seats)} if mapping.names_from_table else {}
            began |= {"stacks": [mapping.stack] * len(self.seats)} if mapping.stack is not None else {}
            header = json.dumps({"title": self.name, **began} if self.name else began)
        lines = [header, *(draft.text(seq) for seq, (_, draft, _) in enumerate(self.events, 1))]
        if mapping.ended:
            lines.append(f'{{"seq":{len(lines)},"type":"recording_ended","events":{len(lines) + 1}}}')
        return "\n".join(lines).encode()

    def placed(self, problem: Problem) -> Problem:
        """A problem of the JSON Lines as one of the table; one of the head stands at the first row."""
        if problem.line == 1 or not self.events:
            return Problem(self.line, problem.field, problem.code, problem.args, 1)
        line, draft, _ = self.events[min(problem.line - 2, len(self.events) - 1)]
        return Problem(line, problem.field, problem.code, problem.args, draft.place(problem.field)[1])


class _Table:
    """The rows of a table, by the recording they belong to."""

    def __init__(self, mapping: PlaysMapping) -> None:
        self.problems: list[Problem] = []
        self._mapping = mapping
        self._words: Dialect = dialect(mapping.letters)
        self._evenings: dict[str, _Evening] = {}
        self._now = _Evening(1, "", {})
        self._rows: list[tuple[int, list[str]]] = []

    @property
    def evenings(self) -> tuple[_Evening, ...]:
        """The recordings, in the order in which they begin; a table without rows is one without events."""
        return tuple(self._evenings.values()) or (self._now,)

    def tell(self, line: int, column: int, flaw: Flaw) -> None:
        """One more problem."""
        self.problems.append(Problem(line, flaw.field, flaw.code, flaw.args, column))

    def read(self, data: bytes) -> None:
        """All rows; every problem of a cell is told."""
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            self.tell(line, 1, Flaw(Code.NOT_UTF8, args={"byte": error.start + 1}))
            return
        rows, start = csv.reader(io.StringIO(text, newline=""), delimiter=self._mapping.delimiter, strict=True), 1
        places: dict[str, int] | None = None
        head, width, widest = False, 0, 0
        try:
            for row in rows:
                if places is None:
                    places = self._places(row)
                    if self.problems:
                        return
                    head = self._named
                    width = len(row) if head else 0
                widest = max(widest, len(row))
                self._beyond(start, row, width)
                if not head and any(cell.strip() for cell in row):
                    self._rows.append((start, row))
                start, head = rows.line_num + 1, False
        except csv.Error as error:
            if "limit" in str(error):
                self.tell(start, 1, Flaw(Code.LINE_TOO_LONG, args={"limit": csv.field_size_limit()}))
            else:
                self.problems.append(Problem(start, "", Code.BAD_TEXT, {}, 1, "plays"))
        if places is None:
            self._places(())
        else:
            self._told(places)
        for name, column in self._mapping.columns.items():
            if isinstance(column, int) and column > widest > 0:
                self.tell(1, 1, bad_value(column, f"1 .. {widest}").under(f"columns.{name}"))

    def _beyond(self, line: int, row: Sequence[str], width: int) -> None:
        """A cell behind the last column that the first line names: something has pushed the row aside."""
        found = next(((place, cell) for place, cell in enumerate(row) if place >= width and cell.strip()), None)
        if width and found is not None:
            self.problems.append(Problem(line, shown(found[1]), Code.UNKNOWN_FIELD, {}, found[0] + 1, "plays"))

    @property
    def _named(self) -> bool:
        """Whether the first line names the columns: where any is known by its name."""
        return any(isinstance(column, str) for column in self._mapping.columns.values())

    def _places(self, head: Sequence[str]) -> dict[str, int]:
        """Of each field the place of its column; a column that is not there is a problem of the first line."""
        named = [name.strip() for name in head]
        names = {name: place for place, name in reversed(list(enumerate(named)))}
        places = {}
        for name, column in self._mapping.columns.items():
            if isinstance(column, int):
                places[name] = column - 1
            elif named.count(column) > 1:
                again = named.index(column, names[column] + 1) + 1
                self.problems.append(Problem(1, column, Code.DUPLICATE_KEY, {}, again, "plays"))
            elif column in names:
                places[name] = names[column]
            else:
                args = {"columns": " | ".join(head) or "-", "delimiter": shown(self._mapping.delimiter)}
                self.problems.append(Problem(1, column, Code.MISSING_FIELD, args, 1, "plays"))
        return places

    # -- which recording a row belongs to ----------------------------------------------------------------------------

    def _told(self, places: Mapping[str, int]) -> None:
        """All rows, recording by recording; the players of each first, where the table names them."""
        column = places.get("recording", -1)
        name = None
        for line, row in self._rows:
            here = self._evening_of(row, column)
            if here != name:
                if here in self._evenings:
                    args = {"value": shown(here)}
                    self.problems.append(Problem(line, "recording", Code.DUPLICATE_ID, args, column + 1, "plays"))
                    return
                name = here
                self._evenings[here] = _Evening(line, here, {})
            self._seat(self._evenings[here], line, row, places)
        for line, row in self._rows:
            if len(self.problems) >= MOST_PROBLEMS:
                return
            self._now = self._evenings[self._evening_of(row, column)]
            self._row(line, row, places)

    def _seat(self, evening: _Evening, line: int, row: Sequence[str], places: Mapping[str, int]) -> None:
        """Whoever a row names first takes the next seat; a newcomer is seated by the event that says so.

        A number that is not that seat's is no name: it could be meant as a seat.
        """
        place, kind, called = (places.get(name, len(row)) for name in ("seat", "type", "name"))
        if not self._mapping.names_from_table or place >= len(row) or not (name := row[place].strip()):
            return
        if kind < len(row) and self._meaning("type", row[kind].strip()) == "player_joined":
            if called < len(row) and (newcomer := row[called].strip()) not in evening.seats:
                evening.joined[newcomer] = name
        elif name not in evening.seats and name not in evening.joined:
            seat = evening.seats[name] = str(len(evening.seats) + 1)
            if _NUMBER.fullmatch(name) and name != seat:
                self.tell(line, place + 1, bad_value(name, seat).under("seat"))

    def _evening_of(self, row: Sequence[str], column: int) -> str:
        """What the table, or the mapping for it, calls the recording of a row."""
        text = row[column].strip() if 0 <= column < len(row) else ""
        text = text or str(self._mapping.defaults.get("recording", ""))
        return self._mapping.values.get("recording", {}).get(text, text)

    # -- one row ----------------------------------------------------------------------------------------------------

    def _row(self, line: int, row: Sequence[str], places: Mapping[str, int]) -> None:
        filled = {name: place for name, place in places.items() if place < len(row) and row[place].strip()}
        cells = {name: (self._meaning(name, row[place].strip()), place + 1) for name, place in filled.items()}
        known = cells | {name: (text, 1) for name, text in self._mapping.defaults.items() if name not in cells}
        kind, column = known.pop("type", ("played", 1))
        if kind not in TYPES:
            self.tell(line, column, Flaw(Code.UNKNOWN_TYPE, "type", {"value": shown(kind)}))
            return
        own = set(TYPES[kind].__struct_fields__)
        heard = {places[name] for name in cells if name in own or name in _NOT_OF_THE_EVENT}
        draft = Draft(kind, column, column)
        for name, (text, place) in known.items():
            if name in own or (name in cells and places[name] not in heard):
                self._put(draft, name, text, line, place)
        hand = known.get("hand", ("", 1))
        if kind == "hand_began":
            self._now.hand = hand[0]
        elif hand[0] and hand[0] != self._now.hand and kind not in _OUTSIDE_HANDS:
            self._begin_hand(known, line)
        trick = known.get("trick", ("", places.get("trick", 0) + 1))
        self._add(line, draft, (self._now.hand, known.get("seat", ("", 1))[0], known.get("face", ("", 1))[0]), trick)

    def _meaning(self, name: str, text: str) -> str:
        known = self._mapping.seats or self._now.joined | self._now.seats
        seats = known if name in ("seat", "dealer") else {}
        return {**seats, **self._mapping.values.get(name, {})}.get(text, text)

    def _begin_hand(self, known: Mapping[str, tuple[str, int]], line: int) -> None:
        """The first row of another hand begins it."""
        self._now.hand = known["hand"][0]
        draft = Draft("hand_began", known["hand"][1], known["hand"][1])
        for name in ("hand", "dealer"):
            if name in known:
                self._put(draft, name, *(known[name][0], line, known[name][1]))
        self._add(line, draft, ())

    def _add(self, line: int, draft: Draft, group: tuple[str, ...], trick: tuple[str, int] = ("", 1)) -> None:
        """The event of a row; the cards of neighbouring rows of one play are one play."""
        if self._now.events and draft.kind in _MERGED and "trick" in self._mapping.columns:
            _, last, before = self._now.events[-1]
            if last.kind == draft.kind and before[:-1] == group:
                if draft.kind == "played" and not (before[-1] and trick[0]):
                    self.tell(line, trick[1], Flaw(Code.MISSING_FIELD, "trick"))
                    return
                if before[-1] == trick[0]:
                    self._join(line, last, draft)
                    return
        self._now.events.append((line, draft, (*group, trick[0])))

    def _join(self, line: int, last: Draft, draft: Draft) -> None:
        """Two rows of one play: its cards together; what else they say may not differ, but for their times."""
        said = dict(last.fields)
        for name, text in draft.fields:
            if name == "cards":
                said[name] = quoted(json.loads(said.get(name, "[]")) + json.loads(text))
            elif said.setdefault(name, text) != text and name != "at":
                self.tell(line, draft.columns[name], bad_value(json.loads(text), said[name]).under(name))
            last.columns.setdefault(name, draft.columns[name])
        last.fields = list(said.items())

    def _put(self, draft: Draft, name: str, text: str, line: int, column: int) -> None:
        if name in ("cards", "card"):
            cards = self._cards(text, line, column)
            draft.put(name, quoted(cards if name == "cards" else cards[0] if len(cards) == 1 else text), column)
        elif name == "agreed" or (name in _NUMBERS and not _NUMBER.fullmatch(text)):
            seats = self._mapping.seats or self._now.seats if name in ("seat", "dealer") else ()
            self.tell(line, column, bad_value(text, " | ".join(seats) or f"0 .. {GREATEST}").under(name))
        else:
            draft.put(name, text if name in _NUMBERS else quoted(text), column)

    def _cards(self, text: str, line: int, column: int) -> list[str]:
        words = text.split() if text != "-" else []
        return [card for word in words for card in self._card(word, line, column)]

    def _card(self, word: str, line: int, column: int) -> Iterator[str]:
        found = self._words.cards(word)
        if isinstance(found, Flaw):
            self.problems.append(Problem(line, found.field, found.code, found.args, column, "sheet"))
            return
        yield from found
