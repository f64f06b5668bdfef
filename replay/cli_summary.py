"""What many answers come to: how many of each verdict, how often each code, the gravest exit code."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from replay.cli_verify import GRAVITY, Answer, counted


@dataclass(frozen=True)
class Summary:
    """Sums of the same kind are put together with `+`, in any grouping and any order."""

    verdicts: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    worst: int = 0

    @classmethod
    def of(cls, answer: Answer) -> "Summary":
        """The sum of one answer."""
        codes = Counter(finding["code"] for finding in answer.said.get("findings", ()))
        return cls(Counter([answer.verdict]), codes, answer.code)

    def __add__(self, other: "Summary") -> "Summary":
        worst = max(self.worst, other.worst, key=GRAVITY.__getitem__)
        return Summary(self.verdicts + other.verdicts, self.codes + other.codes, worst)

    def told(self, lang: str) -> str:
        """The table at the end."""
        return "\n".join(counted(self.verdicts, self.codes, lang))

    def as_data(self) -> dict[str, Any]:
        """As plain data."""
        return {"verdicts": dict(self.verdicts), "codes": dict(self.codes), "worst": self.worst}
