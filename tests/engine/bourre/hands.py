"""A hand of Bourré written down in one line a step, and what the desk tells of it."""

from typing import Any

from replay import desk
from tests.walks.bura import to_bytes

Json = dict[str, Any]
NAMES = ("Анна", "Борис", "Chloé", "Дмитрий", "Eve", "Фёдор", "Галя", "Hugo")


class Script:
    """A recording put together step by step; every method gives the seq of the last event it wrote."""

    def __init__(
        self, seats: int, preset: str = "bourre/classic@1", stacks: list[int] | None = None, **more: Any
    ) -> None:
        options = {name: value for name, value in more.items() if name != "pot"}
        self.events: list[Json] = []
        self.hand = 0
        self.ante = 10
        header: Json = {"pot": more["pot"]} if "pot" in more else {}
        if stacks is not None:
            header["stacks"] = stacks
        rules = {"preset": preset, "options": options}
        names = list(NAMES[:seats])
        self.put("recording_began", format="razbor/1", game="bourre", rules=rules, seats=names, **header)
        self.seats = list(range(1, seats + 1))

    def put(self, kind: str, **fields: Any) -> int:
        self.events.append({"seq": len(self.events), "type": kind, **fields})
        return len(self.events) - 1

    def begin(self, dealer: int, payers: list[int] | None = None) -> list[int]:
        """`hand_began` and the antes; the players from the dealer's left."""
        self.hand += 1
        if self.hand == 1:
            self.put("stake_set", amount=self.ante)
        self.put("hand_began", hand=self.hand, dealer=dealer)
        ring = [seat for seat in self.seats if seat > dealer] + [seat for seat in self.seats if seat <= dealer]
        for seat in ring if payers is None else payers:
            self.put("staked", seat=seat, amount=self.ante, why="ante")
        return ring

    def deal(self, hands: str, turned: str, dealer: int | None = None, payers: list[int] | None = None) -> int:
        """Antes, deal and turn-up: hands of the seats from the dealer's left, apart by `/`; the last seat deals."""
        dealer = self.seats[-1] if dealer is None else dealer
        ring = self.begin(dealer, payers)
        for seat, cards in zip(ring, hands.split("/"), strict=True):
            self.put("dealt", seat=seat, cards=cards.split())
        return self.put("trump_turned", card=turned)

    def say(self, words: str) -> int:
        """`1+` stays, `1-` folds."""
        for word in words.split():
            self.put("stayed" if word[1] == "+" else "folded", seat=int(word[0]))
        return len(self.events) - 1

    def change(self, seat: int, away: str, got: str, fee: int = 10) -> int:
        """Discard, fee and draw."""
        self.put("discarded", seat=seat, cards=away.split())
        if fee:
            self.put("staked", seat=seat, amount=fee, why="draw_fee")
        return self.put("drew", seat=seat, cards=got.split())

    def play(self, cards: str) -> int:
        """`1Kh 2As`: seat and card."""
        for word in cards.split():
            self.put("played", seat=int(word[0]), cards=[word[1:]], face="up")
        return len(self.events) - 1

    def pay(self, seat: int, amount: int, why: str = "bourre") -> int:
        return self.put("staked", seat=seat, amount=amount, why=why)

    def take(self, seat: int, amount: int) -> int:
        return self.put("pot_taken", seat=seat, amount=amount)

    def end(self, reason: str) -> int:
        return self.put("hand_ended", reason=reason)

    def report(self, **how: Any) -> Json:
        result = desk.verify(to_bytes(self.events), **how)
        assert result["format"] == "razbor-report/1", result
        return result

    def told(self, severity: str = "error", **how: Any) -> list[tuple[int, str]]:
        """Seq and code of the findings of one severity."""
        findings = self.report(**how)["findings"]
        return [(each["seq"], each["code"]) for each in findings if each["severity"] == severity]
