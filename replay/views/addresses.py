"""Where everything lives: the one place that spells an address."""

from dataclasses import dataclass, replace
from urllib.parse import urlencode


@dataclass(frozen=True)
class Addresses:
    """The addresses of one recording, with what the reader carries along: view, blind mode, names, rules."""

    id: str
    view: str = ""
    blind: bool = False
    names: bool = True
    log: str = ""
    #: Whether there is a page of disputes to lead to.
    disputes: bool = False

    def _query(self, *extra: tuple[str, str]) -> str:
        pairs = [("view", self.view)] if self.view else []
        if self.blind:
            pairs.append(("blind", "1"))
        if not self.names:
            pairs.append(("names", "0"))
        pairs.extend(extra)
        return "?" + urlencode(pairs, safe=":") if pairs else ""

    def seen_by(self, view: str) -> "Addresses":
        """The same places in another view."""
        return replace(self, view=view)

    def recording(self) -> str:
        """The recording's own page."""
        return f"/recordings/{self.id}{self._query()}"

    def report(self) -> str:
        """The printable protocol."""
        return f"/recordings/{self.id}/report{self._query()}"

    def download(self) -> str:
        """The recording as this view may have it."""
        return f"/recordings/{self.id}/recording.jsonl{self._query()}"

    def hand(self, hand: int) -> str:
        """A hand: leads to its first event."""
        return f"/recordings/{self.id}/hands/{hand}{self._query()}"

    def slider(self, hand: int) -> str:
        """Where the slider's form goes; the event comes as `at`."""
        return f"/recordings/{self.id}/hands/{hand}/events"

    def event(self, hand: int, seq: int, log: str | None = None) -> str:
        """One step of one hand."""
        chosen = self.log if log is None else log
        extra = (("log", chosen),) if chosen else ()
        return f"/recordings/{self.id}/hands/{hand}/events/{seq}{self._query(*extra)}"

    def dispute(self, hand: int, at: int) -> str:
        """Who really had the points at that event; nothing where there is no such page."""
        if not self.disputes:
            return ""
        return f"/recordings/{self.id}/hands/{hand}/dispute{self._query(('at', str(at)))}"

    def kept(self) -> tuple[tuple[str, str], ...]:
        """What a form has to carry along as hidden fields."""
        pairs = [("view", self.view)] if self.view else []
        if self.blind:
            pairs.append(("blind", "1"))
        if not self.names:
            pairs.append(("names", "0"))
        if self.log:
            pairs.append(("log", self.log))
        return tuple(pairs)


def code_page(code: str) -> str:
    """Where a finding's or a problem's code is explained."""
    return f"/codes#{code.replace('/', '-')}"


def rule_page(rule: str) -> str:
    """Where a paragraph of the rules (`bura.12`) or an option (`failed_open`) is explained."""
    return f"/rules#{rule}"
