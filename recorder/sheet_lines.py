"""The lines of one score sheet, one by one: which events each of them says (`recorder.sheet`)."""

from collections.abc import Iterator, Sequence
from typing import Final

from recorder.sheet_draft import Draft, Filler, quoted, read_text
from recorder.sheet_forms import SEAT, SLOTS
from recorder.sheet_head import header_line
from recorder.sheet_scan import SheetFlawError, Token, scan
from recorder.sheet_words import STRUCK, dialect
from schemas.forms import shown
from schemas.problems import Code, Flaw
from schemas.values import FORMAT

_EVERYONE: Final = ("staked:ante", "staked:razburka", "dealt", "drew")
"""Said of no seat, they are of all: payments and deals from the dealer's left on, draws from who took the trick on."""
_HANDFULS: Final = ("dealt", "drew", "discarded")
"""Said behind a seat, they leave it open whether the next seat's cards without a word are such, too, or a play."""


class SheetReader:
    """Reads one sheet. `written` holds, of every event: the line, the draft with its columns, and its JSON."""

    def __init__(self, language: str, number: int) -> None:
        self.written: list[tuple[int, Draft, str]] = []
        self.taken = 0
        self._dialect = dialect(language)
        self._header: Draft | None = Draft("recording_began", 1, 1)
        self._number = number
        self._names: dict[str, int] = {}
        self._keys: dict[str, int] = {}
        self._seats: set[int] = set()
        self._out: set[int] = set()
        self._dealer = self._taker = 0  # -1: the line that says it is told as a problem
        self._shared = 0  # the column behind a word on this line that is said of everybody
        self._mute = False  # nobody knows who sits there, and the head is told as a problem
        self._filler = Filler(self._dialect, self._names, self._keys)

    def take(self, number: int, line: bytes) -> None:
        """The next line; `SheetFlawError` where it cannot be read, and then it says nothing."""
        tokens = scan(line)
        if not tokens or self._mute:
            return
        if self._header is not None:
            word = self._heading(tokens[0])
            if word:
                self._head(self._header, number, word, tokens, line.decode())
                return
            if not self._begins(tokens):
                raise _nothing(tokens[0])
            self.close()
        for draft in self._told(tokens):
            self._write(draft, number)

    def _told(self, tokens: Sequence[Token]) -> list[Draft]:
        try:
            return [] if self._mute else list(self._events(tokens))
        except SheetFlawError:
            self._miss(tokens)
            raise

    def _heading(self, token: Token) -> str | None:
        return self._dialect.meaning("header", token.text) if token.kind == "word" else None

    def _begins(self, tokens: Sequence[Token]) -> bool:
        """Whether a line in the head is none of it: it tells an event, or is of a seat."""
        return any(map(self._keyword, tokens[:2])) or self._filler.is_seat(tokens[0]) or tokens[0].text in ("=", "=>")

    def _miss(self, tokens: Sequence[Token]) -> None:
        """What a line that cannot be read would have said of dealer and taker is not missed in later lines."""
        said = [self._dialect.meaning("event", token.text) for token in tokens if token.kind == "word"]
        if "hand_began" in said:
            self._dealer, self._taker, self._out = -1, 0, set()
        elif "trick_taken" in said or any(token.kind == "sign" and token.text == "=" for token in tokens):
            self._taker = -1

    def _head(self, header: Draft, number: int, word: str, tokens: Sequence[Token], line: str) -> None:
        known, count = set(header.columns), len(header.fields)
        header_line(header, word, tokens, line, self._dialect)
        new = header.columns.keys() - known | {name for name, _ in header.fields[count:]}
        header.rows |= dict.fromkeys(new, number)
        self._number = number
        if word == "seats":
            self._names |= {name: seat for seat, name in enumerate(header.names, 1)}
            self._seats |= set(range(1, len(header.names) + 1))

    def close(self) -> None:
        """The head is complete: the recording begins."""
        if self._header is None:
            return
        header, self._header = self._header, None
        header.put("format", quoted(FORMAT), 1)
        self.written.append((self._number, header, header.text(0)))
        self._mute = len(header.names) == 1 or not ("seats" in header.columns or header.objects)

    # -- one line ---------------------------------------------------------------------------------------------------

    def _events(self, line: Sequence[Token]) -> Iterator[Draft]:
        tokens = [piece for token in line for piece in self._apart(token)]
        arrow = next((at for at, token in enumerate(tokens) if token.text == "=>" and token.kind == "sign"), None)
        if arrow is None:
            yield from self._parts(tokens)
            return
        sign = tokens[arrow]
        outer, inner = list(self._parts(tokens[:arrow])), list(self._parts(tokens[arrow + 1 :]))
        for found in (outer, inner):
            if len(found) != 1:
                args = {"value": f"{len(outer)} => {len(inner)}", "expected": "1 => 1"}
                raise SheetFlawError(Flaw(Code.BAD_VALUE, "event", args), sign.column)
        draft, amended = outer[0], inner[0]
        draft.put("event", amended.text(), amended.column)
        draft.columns |= {f"event.{path}": column for path, column in amended.columns.items()}
        draft.end = amended.end
        yield draft

    def _apart(self, token: Token) -> list[Token]:
        """A token; of what looks like a pair whose name is a card, card, sign and the taker: `Ks=Anna`."""
        name, start = token.name, token.column - 1 + len(token.name)
        if token.kind != "pair" or self._dialect.meaning("field", name) or isinstance(self._dialect.cards(name), Flaw):
            return [token]
        bare = token.end - start - 1 != len(token.text) or token.text.isdecimal()
        if not bare and token.text[0] != '"':
            return [token]
        text = read_text(token.text) if bare else token.text
        return [
            Token("word", name, token.column, end=start),
            Token("sign", "=", start + 1, end=start + 1),
            Token("word" if bare else "text", text, start + 2, end=token.end),
        ]

    def _parts(self, tokens: Sequence[Token]) -> Iterator[Draft]:
        """The events of a line: its parts stand between commas, and `=` says who took the trick."""
        if not tokens:
            return
        self._shared, leading = 0, self._keyword(tokens[0])
        before, part = "", list[Token]()
        mark = Token("sign", "", tokens[0].column)
        for token in (*self._whole(tokens, leading), Token("sign", ",", tokens[-1].end + 1, end=tokens[-1].end)):
            if token.kind != "sign" or token.text not in (",", "="):
                part.append(token)
                continue
            if part or mark.text or token.text == ",":
                yield from self._part(mark, part, leading or before, token.column)
                before = self._handful(part) if len(part) > 1 else before
            mark, part = token, []

    @staticmethod
    def _whole(tokens: Sequence[Token], leading: str | None) -> Sequence[Token]:
        """The tokens; a number with digits behind a comma is one of them, to be told as no whole number."""
        if leading and SLOTS.get(leading) == (SEAT,):
            return tokens
        for at, (first, comma, last) in enumerate(zip(tokens, tokens[1:], tokens[2:], strict=False)):
            alone = len(tokens) == at + 3 or tokens[at + 3].kind in ("sign", "pair")
            close = comma.text == "," and last.end - first.column + 1 == len(first.text + last.text) + 1
            if alone and close and first.text.isdecimal() and last.text.isdecimal():
                number = Token("word", f"{first.text},{last.text}", first.column, end=last.end)
                return [*tokens[:at], number, *tokens[at + 3 :]]
        return tokens

    def _handful(self, part: Sequence[Token]) -> str:
        """The event whose word stands behind the seat, if its cards could be taken for a play; marked by a `?`."""
        word = self._keyword(part[1]) if not self._keyword(part[0]) else None
        return f"{word}?" if word in _HANDFULS else ""

    def _part(self, mark: Token, part: list[Token], leading: str, end: int) -> Iterator[Draft]:
        column = part[0].column if part else end
        if not part:
            raise SheetFlawError(Flaw(Code.MISSING_FIELD, "seat"), column)
        end = part[-1].end + 1
        if mark.text == "=":
            yield self._filler.fill(Draft("trick_taken", column, end), part)
            return
        seated = self._filler.is_seat(part[0])
        if word := self._keyword(part[0]):
            yield from self._said(word, part[1:], column, end)
        elif seated and len(part) > 1 and (word := self._keyword(part[1])):
            yield from self._seated(word, part, end)
        elif leading.endswith("?"):
            choices = f"{self._dialect.word('event', leading[:-1])} | {self._dialect.word('event', 'played')}"
            value = shown(" ".join(token.text for token in part))
            raise SheetFlawError(Flaw(Code.BAD_VALUE, "type", {"value": value, "expected": choices}), column)
        elif leading and self._shared:
            raise SheetFlawError(Flaw(Code.MISSING_FIELD, "seat"), self._shared)
        elif leading:
            yield from self._said(leading, part, column, end, further=bool(mark.text))
        elif seated:
            yield self._filler.fill(Draft("played", column, end), part)
        elif self._heading(part[0]):
            raise SheetFlawError(Flaw(Code.UNKNOWN_FIELD, shown(part[0].text)), column)
        else:
            raise _nothing(part[0])

    def _seated(self, word: str, part: Sequence[Token], end: int) -> Iterator[Draft]:
        """The event of a word behind a seat, if it is one of a seat, wherever the seat's place is."""
        kind, _, why = word.partition(":")
        first = part[0]
        if not any(slot.field == "seat" for slot in SLOTS.get(kind, ())):
            raise SheetFlawError(Flaw(Code.UNKNOWN_FIELD, shown(first.text)), first.column)
        draft = Draft(kind, first.column, end)
        if why:
            draft.put("why", quoted(why), first.column)
        draft.put("seat", self._filler.seat(first) or "", first.column)
        yield self._filler.fill(draft, part[2:])

    def _keyword(self, token: Token) -> str | None:
        """The event a word stands for: its type, or `staked:WHY`; told where somebody is called so."""
        if token.kind != "word":
            return None
        for table, before in (("event", ""), ("stake", "staked:")):
            found = self._dialect.meaning(table, token.text)
            if found and token.text in self._names and token.text != self._dialect.word(table, found):
                choices = f"{quoted(token.text)} | {self._dialect.word(table, found)}"
                args = {"value": shown(token.text), "expected": choices}
                raise SheetFlawError(Flaw(Code.BAD_VALUE, "seat", args), token.column)
            if found:
                return before + found
        return None

    def _said(self, word: str, args: list[Token], column: int, end: int, further: bool = False) -> Iterator[Draft]:
        kind, _, why = word.partition(":")
        everyone = kind in ("staked", "dealt", "drew") and args and not self._names_a_seat(kind, args)
        if everyone and (further or word not in _EVERYONE):
            raise SheetFlawError(Flaw(Code.MISSING_FIELD, "seat"), args[0].column)
        self._shared = args[0].column if everyone else 0
        seats = self._everyone(kind, args[0]) if everyone else (None,)
        for seat in seats:
            draft = Draft("corrected" if kind == STRUCK else kind, column, end)
            if why:
                draft.put("why", quoted(why), column)
            if kind == STRUCK:
                draft.put("event", "null", column)
            if seat:
                draft.put("seat", str(seat), column)
            yield self._filler.fill(draft, args)

    def _names_a_seat(self, kind: str, args: list[Token]) -> bool:
        """Whether a deal, draw or payment is of one seat; a payment of one number alone is everybody's."""
        words = [token for token in args if token.kind not in ("pair", "object")]
        if any(token.kind == "pair" and token.name == "seat" for token in args):
            return True
        alone = kind == "staked" and len(words) == 1
        return bool(words) and self._filler.is_seat(words[0]) and not alone

    def _everyone(self, kind: str, first: Token) -> tuple[int, ...]:
        """Everybody in this hand, in order."""
        start = self._taker if kind == "drew" else self._dealer
        dotted = not first.text.strip(".?") or kind == "staked"
        seats = sorted(self._seats - self._out)
        if not start or not seats or not dotted:
            raise SheetFlawError(Flaw(Code.MISSING_FIELD, "seat"), first.column)
        turn = start if kind == "drew" else start + 1
        return tuple([seat for seat in seats if seat >= turn] + [seat for seat in seats if seat < turn])

    # -- what the sheet has said so far -----------------------------------------------------------------------------

    def _write(self, draft: Draft, number: int) -> None:
        seq = len(self.written)
        if draft.kind == "recording_ended" and "events" not in draft.columns:
            draft.put("events", str(seq + 1), draft.column)
        fields = dict(draft.fields)
        if fields.get("id", "").startswith('"'):
            self._keys[fields["id"].strip('"')] = seq
        self._follow(draft, draft.number("seat") or 0)
        self.written.append((number, draft, draft.text(seq)))

    def _follow(self, draft: Draft, seat: int) -> None:
        """Who sits where, who is out of this hand, who deals and who took the last trick."""
        match draft.kind:
            case "hand_began":
                self._dealer, self._taker, self._out = draft.number("dealer") or 0, 0, set()
            case "sat_out" | "folded":
                self._out.add(seat)
            case "played":
                self._taker = 0
            case "trick_taken":
                self._taker = seat
            case "player_left":
                self._seats.discard(seat)
            case "player_joined":
                gone = [] if seat in self._seats else [name for name, held in self._names.items() if held == seat]
                for name in gone:
                    del self._names[name]
                self._seats.add(seat)
                self._names[read_text(dict(draft.fields).get("name", ""))] = seat
            case _:
                pass


def _nothing(token: Token) -> SheetFlawError:
    """What a piece is that begins a line or a part and has no meaning there."""
    return SheetFlawError(Flaw(Code.UNKNOWN_TYPE, "type", {"value": shown(token.text)}), token.column)
