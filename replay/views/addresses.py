"""Where everything lives: the one place that spells an address."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from urllib.parse import urlencode

from schemas.rules import BuraRules


@lru_cache(maxsize=4096)
def query(pairs: tuple[tuple[str, str], ...]) -> str:
    """Names and values as the end of an address; nothing where there are none."""
    return "?" + urlencode(pairs, safe=":/@") if pairs else ""


@dataclass(frozen=True)
class Addresses:
    """The addresses of one recording, with what the reader carries along: view, blind mode, names, rules."""

    id: str
    view: str = ""
    blind: bool = False
    names: bool = True
    log: str = ""
    #: `recorded`, or a number, where the reader asked for the log without its amendments, or without later ones.
    reading: str = ""
    #: The preset the reader asked to have it judged by, or nothing.
    rules: str = ""
    #: `/embed` inside another site's frame.
    root: str = ""
    #: Whether there is a page of disputes to lead to.
    disputes: bool = False

    def _query(self, *extra: tuple[str, str]) -> str:
        return self._carried(extra) if extra else self._plain

    @cached_property
    def _plain(self) -> str:
        return self._carried(())

    def _carried(self, extra: tuple[tuple[str, str], ...]) -> str:
        pairs = [("view", self.view)] if self.view else []
        if self.blind:
            pairs.append(("blind", "1"))
        if not self.names:
            pairs.append(("names", "0"))
        pairs += [("rules", self.rules)] if self.rules else []
        pairs += [("as", self.reading)] if self.reading and all(name != "as" for name, _ in extra) else []
        pairs.extend(extra)
        return query(tuple(pairs))

    @cached_property
    def _place(self) -> str:
        return f"{self.root}/recordings/{self.id}"

    def seen_by(self, view: str) -> "Addresses":
        """The same places in another view."""
        return _seen_by(self, view)

    def recording(self) -> str:
        """The recording's own page."""
        return f"{self._place}{self._query()}"

    def report(self) -> str:
        """The printable protocol."""
        return f"{self._place}/report{self._query()}"

    def download(self) -> str:
        """The recording as this view may have it."""
        return f"{self._place}/recording.jsonl{self._query()}"

    def hand(self, hand: int) -> str:
        """A hand: leads to its first event."""
        return f"{self._place}/hands/{hand}{self._query()}"

    def ledger(self) -> str:
        """Every chip move as a table for a spreadsheet."""
        return f"{self._place}/ledger.csv{self._query()}"

    def slider(self, hand: int) -> str:
        """Where the slider's form goes; the event comes as `at`."""
        return f"{self._place}/hands/{hand}/events"

    def event(self, hand: int, seq: int, log: str | None = None, **more: str) -> str:
        """One step of one hand; `more`: a card looked for (`of`), a card of the count (`card`), a pin (`h`)."""
        chosen = self.log if log is None else log
        if not chosen and not more:
            return f"{self._place}/hands/{hand}/events/{seq}{self._plain}"
        extra = (*((("log", chosen),) if chosen else ()), *more.items())
        return f"{self._place}/hands/{hand}/events/{seq}{self._query(*extra)}"

    def steps(self, hand: int) -> str:
        """A whole hand's steps as data; nothing where the log is cut down or the reader wants to know nothing ahead."""
        return "" if self.blind or self.log else f"{self._place}/hands/{hand}/steps.json{self._query()}"

    def after(self, hand: int, seq: int) -> str:
        """The event after this one, whatever it is and whether there is one or not."""
        return f"{self.slider(hand)}{self._query(*((('log', self.log),) if self.log else ()), ('after', str(seq)))}"

    def here(self, **more: str) -> str:
        """The very step the reader is at, with something more asked: the same words at every step."""
        extra = (*((("log", self.log),) if self.log else ()), *more.items())
        return self._query(*extra) or "?"

    def picture(self, hand: int, seq: int) -> str:
        """The table after an event as a still picture."""
        return f"{self._place}/hands/{hand}/events/{seq}.svg{self._query()}"

    def dispute(
        self,
        hand: int,
        at: int | None = None,
        *,
        believe: Sequence[int] = (),
        case: int = 0,
        reading: str = "",
        pin: str = "",
    ) -> str:
        """Who really had the points at that event, or at the hand's end; nothing where there is no such page."""
        if not self.disputes:
            return ""
        pairs = [("at", str(at))] if at is not None else []
        pairs += [("believe", str(seat)) for seat in believe]
        pairs += [("case", str(case))] if case else []
        pairs += [("as", reading)] if reading and reading != "amended" else []
        pairs += [("h", pin)] if pin else []
        return f"{self._place}/hands/{hand}/dispute{self._query(*pairs)}"

    def fit(self, seq: int) -> str:
        """What would make it fit: guesses at the slip behind what was found at an event."""
        return f"{self._place}/events/{seq}/fit{self._query()}" if self.disputes else ""

    def testimony(self, hand: int) -> str:
        """Where a word about a hand is sent."""
        return f"{self._place}/hands/{hand}/words"

    def cases(self) -> str:
        """Where a case is opened."""
        return f"{self._place}/cases{self._query()}"

    def case(self, number: int, act: str = "") -> str:
        """A case kept beside the recording, or where an entry of it is sent."""
        return f"{self._place}/cases/{number}{'/' + act if act else ''}{self._query()}"

    def kept(self) -> tuple[tuple[str, str], ...]:
        """What a form has to carry along as hidden fields."""
        pairs = [("view", self.view)] if self.view else []
        if self.blind:
            pairs.append(("blind", "1"))
        if not self.names:
            pairs.append(("names", "0"))
        pairs += [("rules", self.rules)] if self.rules else []
        pairs += [("as", self.reading)] if self.reading else []
        if self.log:
            pairs.append(("log", self.log))
        return tuple(pairs)


@lru_cache(maxsize=256)
def _seen_by(places: Addresses, view: str) -> Addresses:
    return replace(places, view=view)


def code_page(code: str) -> str:
    """Where a finding's or a problem's code is explained."""
    return f"/codes#{code.replace('/', '-')}"


def rule_page(rule: str, game: str) -> str:
    """Where a paragraph of the rules (`bura.12`) or an option of that game (`failed_open`) is explained."""
    return f"/rules#{rule if '.' in rule else option_place(game, rule)}"


def option_place(game: str, option: str) -> str:
    """An option's name on the page of the rules: of one that both games have, Bourré's bears the game's.

    >>> option_place("bura", "seats_max"), option_place("bourre", "seats_max"), option_place("bourre", "tie")
    ('seats_max', 'bourre.seats_max', 'tie')
    """
    both = game != "bura" and option in BuraRules.__dataclass_fields__
    return f"{game}.{option}" if both else option
