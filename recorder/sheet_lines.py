"""The lines of one score sheet, one by one: which events each of them says (`recorder.sheet`)."""

from collections.abc import Iterator, Sequence
from typing import Final

from recorder.sheet_draft import Draft, Filler, quoted
from recorder.sheet_forms import HEADER
from recorder.sheet_head import header_line
from recorder.sheet_scan import SheetFlawError, Token, scan
from recorder.sheet_words import STRUCK, dialect
from schemas.events import FORMAT
from schemas.forms import shown
from schemas.problems import Code, Flaw

_EVERYONE: Final = ("staked", "dealt", "drew")
"""Said of no seat, they are of all: antes and deals from the dealer's left on, draws from who took the trick on."""


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
        self._dealer = self._taker = 0
        self._filler = Filler(self._dialect, self._names, self._keys)

    def take(self, number: int, line: bytes) -> None:
        """The next line; `SheetFlawError` where it cannot be read, and then it says nothing."""
        tokens = scan(line)
        if not tokens:
            return
        if self._header is not None:
            word = self._dialect.meaning("header", tokens[0].text) if tokens[0].kind == "word" else None
            if word in HEADER:
                self._head(self._header, number, word, tokens, line.decode())
                return
            self.close()
        for draft in list(self._events(tokens)):
            self._write(draft, number)

    def _head(self, header: Draft, number: int, word: str, tokens: Sequence[Token], line: str) -> None:
        known, count = set(header.columns), len(header.fields)
        header_line(header, word, tokens, line, self._dialect)
        new = header.columns.keys() - known | {name for name, _ in header.fields[count:]}
        header.rows |= dict.fromkeys(new, number)
        self._number = number

    def close(self) -> None:
        """The head is complete: the recording begins."""
        if self._header is None:
            return
        header, self._header = self._header, None
        header.put("format", quoted(FORMAT), 1)
        self.written.append((self._number, header, header.text(0)))
        for seat, name in enumerate(header.names, 1):
            self._names[name] = seat
            self._seats.add(seat)

    # -- one line ---------------------------------------------------------------------------------------------------

    def _events(self, tokens: Sequence[Token]) -> Iterator[Draft]:
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

    def _parts(self, tokens: Sequence[Token]) -> Iterator[Draft]:
        """The events of a line: its parts stand between commas, and `=` says who took the trick."""
        if not tokens:
            return
        leading: str | None = None
        part = list[Token]()
        mark = Token("sign", "", tokens[0].column)
        for token in (*tokens, Token("sign", ",", tokens[-1].end + 1, end=tokens[-1].end)):
            if token.kind != "sign" or token.text not in (",", "="):
                part.append(token)
                continue
            if part or mark.text or token.text == ",":
                if not leading and not mark.text and part:
                    leading = self._keyword(part[0])
                yield from self._part(mark, part, leading, token.column)
            mark, part = token, []

    def _part(self, mark: Token, part: list[Token], leading: str | None, end: int) -> Iterator[Draft]:
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
            yield from self._said(word, [part[0], *part[2:]], column, end)
        elif leading:
            yield from self._said(leading, part, column, end)
        elif seated:
            yield self._filler.fill(Draft("played", column, end), part)
        else:
            args = {"value": shown(part[0].text)}
            raise SheetFlawError(Flaw(Code.UNKNOWN_TYPE, "type", args), column)

    def _keyword(self, token: Token) -> str | None:
        """The event a word stands for: its type, or `staked:WHY`."""
        if token.kind != "word":
            return None
        if found := self._dialect.meaning("event", token.text):
            return found
        why = self._dialect.meaning("stake", token.text)
        return f"staked:{why}" if why else None

    def _said(self, word: str, args: list[Token], column: int, end: int) -> Iterator[Draft]:
        kind, _, why = word.partition(":")
        everyone = kind in _EVERYONE and args and not self._names_a_seat(kind, args)
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
            case "trick_taken":
                self._taker = seat
            case "player_left":
                self._seats.discard(seat)
            case "player_joined":
                self._seats.add(seat)
                self._names[dict(draft.fields).get("name", "").strip('"')] = seat
            case _:
                pass
