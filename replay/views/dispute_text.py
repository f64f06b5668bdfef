"""A dispute as lines of text that a person can check with a pencil: the claim, the bounds, the sums, who is right."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from replay.views.wording import Wording
from schemas.rules import AMOUNTS

Json = Mapping[str, Any]
MOST_ALSO: Final = 4
"""So many further changes that come to the same result are spelled out."""


def dispute_text(answer: Json, names: Mapping[int, str], words: Wording, believe: Sequence[int] = ()) -> list[str]:
    """The lines of a `razbor-dispute/1`; `names` by seat, `believe` the seats whose word was taken for it."""
    page = _Page(answer, names, words)
    parts = (page.head, page.bounds, page.seats, page.joint, page.rightful, page.rules)
    title, *rest = [line.rstrip() for part in parts for line in part()]
    believed = [page.say("view.believing", seats=page.people(sorted(set(believe))))] if believe else []
    return [title, *believed, *rest]


@dataclass(frozen=True)
class _Page:
    """One answer, being put into words."""

    answer: Json
    names: Mapping[int, str]
    words: Wording

    @property
    def bura(self) -> bool:
        """Whether points are counted, and not tricks."""
        return "joint" in self.answer

    def say(self, key: str, n: int | None = None, **values: Any) -> str:
        """A sentence of `data/words/dispute.LANG.toml`."""
        return self.words.say(f"dispute.{key}", n, **{name: _plain(value) for name, value in values.items()})

    def seat(self, seat: int) -> str:
        """A seat's number and who sits there."""
        return f"{seat} {self.names.get(seat, '')}".rstrip()

    def people(self, seats: Sequence[int]) -> str:
        """Several seats."""
        return ", ".join(self.seat(seat) for seat in seats) or self.say("nobody")

    def either(self, ways: Sequence[str]) -> str:
        """Several ways, any of which will do."""
        return f" {self.say('or')} ".join(ways)

    def number(self, value: int | None) -> str:
        """A number; a question mark where it is not known."""
        return "?" if value is None else self.words.amount(value)

    def money(self, value: int | None) -> str:
        """A sum; a question mark where it is not known."""
        return "?" if value is None else self.words.money(value)

    # -- the claim and the bounds -----------------------------------------------------------------------------------

    def head(self) -> Iterator[str]:
        """What is asked, from where it is seen, and in one line what is the answer."""
        answer = self.answer
        view = str(answer["view"])
        own = view.removeprefix("seat:")
        seen = self.say("view.seat", seat=self.seat(int(own))) if own != view else self.say(f"view.{view}")
        yield self.say("title", hand=answer["hand"], at=answer["at"], seen=seen)
        target = answer.get("target")
        for seat, entry in answer["seats"].items():
            if self.bura and target and entry["opened_at"] is not None:
                key = "claim" if entry["counted"] is None else "claim_said"
                counted = entry["counted"] or 0
                yield self.say(key, seat=self.seat(int(seat)), at=entry["opened_at"], target=target, counted=counted)
                yield self.say(f"verdict.{entry['answer']}", target=target, span=self._span(entry["points"]))
        for one in answer["contradictions"]:
            yield self.say("contradiction", seat=self.seat(one["seat"]), seq=one["seq"])
        yield ""

    def _span(self, points: Json) -> str:
        low, high = points["low"], points["high"]
        return "?" if low is None or high is None else self.words.span(low, high)

    def bounds(self) -> Iterator[str]:
        """The table of all seats: least, most, and the answer."""
        rows = [[self.say("table.seat"), self.say("table.low"), self.say("table.high"), self._asked()]]
        for seat, entry in self.answer["seats"].items():
            span = entry["points" if self.bura else "tricks"]
            said = self.say(f"answer.{entry['answer' if self.bura else 'bourre']}")
            rows.append([self.seat(int(seat)), self.number(span["low"]), self.number(span["high"]), said])
            if not self.bura:
                rows[-1] += [self.money(entry["share"]), self.money(entry["owes"])]
        if not self.bura:
            rows[0] += [self.say("table.share"), self.say("table.owes")]
        yield from table(rows)
        yield ""

    def _asked(self) -> str:
        if not self.bura:
            return self.say("table.bourre")
        target = self.answer["target"]
        return self.say("table.target", target=target) if target else self.say("table.reached")

    # -- each seat --------------------------------------------------------------------------------------------------

    def seats(self) -> Iterator[str]:
        """The sum of each pile that is worth one, the clocks, whose word would settle it; or each play's duty."""
        for seat, entry in self.answer["seats"].items():
            lines = list(self._bura(entry) if self.bura else self._duties(entry))
            if lines:
                yield self.seat(int(seat))
                yield from ("  " + line for line in lines)
                yield ""
        if self.answer.get("unseen"):
            yield self.say("unseen", cards=" ".join(self.answer["unseen"]))
            yield ""

    def _bura(self, entry: Json) -> Iterator[str]:
        paper = entry["certificate"]
        if paper["known"]:
            cards = " + ".join(f"{card} {worth}" for card, worth in paper["known"])
            yield self.say("sum.known", cards=cards, points=sum(worth for _, worth in paper["known"]))
        rows = [self._place(place) for place in paper["places"]]
        yield from table(rows)
        if rows:
            yield from (self._total(entry, side) for side in ("low", "high"))
        if not paper["exact"] and entry["points"]["low"] is not None:
            yield self.say("sum.not_exact")
        yield from self._clocks(entry)

    def _place(self, place: Json) -> list[str]:
        """One open place: the play, who laid it, and the card that makes the sum least, and most."""
        sides = [" ".join(map(str, place[side])) if place[side] else "-" for side in ("low", "high")]
        seat, seq = self.seat(place["seat"]), place["seq"]
        where = self.say("sum.place_lost", seat=seat) if seq is None else self.say("sum.place", seq=seq, seat=seat)
        return [where, self.say("sum.least", card=sides[0]), self.say("sum.most", card=sides[1])]

    def _total(self, entry: Json, side: str) -> str:
        paper = entry["certificate"]
        worth = [place[side][1] for place in paper["places"] if place[side]]
        known = sum(points for _, points in paper["known"])
        terms = " + ".join(map(str, [known, *worth]))
        return self.say(f"sum.{side}", sum=f"{terms} = {known + sum(worth)}")

    def _clocks(self, entry: Json) -> Iterator[str]:
        target, clock = self.answer["target"] or "?", entry["reached"]
        if clock["surely"] is not None and clock["surely"] == clock["possibly"]:
            yield self.say("clock.reached", at=clock["surely"], target=target)
        elif clock["surely"] is not None:
            yield self.say("clock.both", possibly=clock["possibly"], surely=clock["surely"], target=target)
        elif clock["possibly"] is not None:
            yield self.say("clock.possibly", possibly=clock["possibly"], target=target)
        if entry["entitled_at"] and clock["possibly"] is not None:
            yield self.say("clock.entitled", events=", ".join(map(str, entry["entitled_at"])))
        if entry["opened_at"] is not None:
            key = "clock.opened" if entry["counted"] is None else "clock.opened_said"
            yield self.say(key, at=entry["opened_at"], counted=entry["counted"] or 0)
        if entry["answer"] == "open":
            ways = self.either([self.people(seats) for seats in entry["settled_by"]])
            yield self.say("settled", seats=ways) if ways else self.say("not_settled")

    def _duties(self, entry: Json) -> Iterator[str]:
        for duty in entry["duties"]:
            line = self.say(f"duty.{duty['answer']}", seq=duty["seq"], duty=self.say(f"duty.{duty['duty']}"))
            if duty["answer"] != "kept" and duty["would_have"]:
                line += ", " + self.say("duty.right", cards=" ".join(duty["would_have"]))
            if duty["proved_by"] is not None:
                line += ", " + self.say("duty.proved", seq=duty["proved_by"])
            yield line

    def joint(self) -> Iterator[str]:
        """What holds of all piles together."""
        if self.bura and self.answer["target"]:
            both = self.answer["joint"]
            target = self.answer["target"]
            yield self.say(f"joint.at_least_one_{both['at_least_one']}", target=target)
            yield self.say(f"joint.at_most_one_{both['at_most_one']}", target=target)
            yield ""

    # -- what should come of it -------------------------------------------------------------------------------------

    def rightful(self) -> Iterator[str]:
        """Whose the pot is, and why; who owes what against what was paid."""
        found = self.answer["rightful"]
        amount = self.money(found["amount"])
        if found["answer"] == "open":
            yield self.say("rightful.open" if found["amount"] != 0 else "rightful.hand_open", amount=amount)
        else:
            key = "rightful.seats" if found["seats"] else "rightful.nobody"
            if found["amount"] == 0:  # nothing to be won but match points
                key = "rightful.hand" if found["seats"] else "rightful.hand_nobody"
            why = self.say(f"why.{found['why']}") if found["why"] else ""
            yield self.say(key, amount=amount, seats=self.people(found["seats"]), why=why)
        owed = {int(seat): value for seat, value in self.answer["remedy"].items() if value}
        for seat, value in sorted(owed.items(), key=lambda pair: pair[1]):
            yield self.say("remedy.owes" if value < 0 else "remedy.owed", seat=self.seat(seat), amount=abs(value))
        if None not in self.answer["remedy"].values() and (left := sum(owed.values())):
            yield self.say("remedy.to_pot" if left < 0 else "remedy.from_pot", amount=self.money(abs(left)))
        if not owed:
            yield self.say("remedy.unknown" if None in self.answer["remedy"].values() else "remedy.nothing")
        yield ""

    def rules(self) -> Iterator[str]:
        """The same facts under other house rules: who takes, and what each seat's chips change by."""
        first, *others = self.answer["rules"]
        yield self.say("rules.title")
        yield from table([self._row(self.say("rules.recorded"), first), *(self._row("", row) for row in others)])
        for number, row in enumerate(others, 1):
            ways = [row["options"], *row["also"]]
            flips = f"  <- {self.say('rules.flips')}" if row["rightful"] != first["rightful"] and number == 1 else ""
            yield f"  {number}. " + self.either([self._options(way) for way in ways[:MOST_ALSO]]) + flips
            if len(ways) > MOST_ALSO:
                yield "     " + self.say("rules.more", len(ways) - MOST_ALSO)
        if not others:
            yield self.say("rules.same")

    def _row(self, title: str, row: Json) -> list[str]:
        number = self.answer["rules"].index(row)
        nets = [f"{seat} {'?' if due is None else self.words.signed(due)}" for seat, due in row["net_due"].items()]
        unsettled = not row["rightful"] and None in row["net_due"].values()
        taker = self.say("answer.open") if unsettled else self.people(row["rightful"])
        return ["  " + (title or f"{number}."), taker, *nets]

    def _options(self, options: Json) -> str:
        return self.words.semicolon.join(self._option(name, value) for name, value in options.items())

    def _option(self, name: str, value: Any) -> str:
        key = f"options.{'bura' if self.bura else 'bourre'}.{name}"
        spelled = str(value).lower()
        title = self.words.say(f"{key}.title") if self.words.has(f"{key}.title") else name
        if name in AMOUNTS and isinstance(value, int):
            spelled = self.words.money(value)
        meaning = self.words.say(f"{key}.{spelled}") if self.words.has(f"{key}.{spelled}") else spelled
        return f"{title}{self.words.colon}{meaning}"


def _plain(value: Any) -> Any:
    return "?" if value is None else value


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as aligned lines, two spaces between the columns.

    >>> table([("seat", "least"), ("1", "12")])
    ['seat  least', '1     12']
    """
    if not rows:
        return []
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
