"""The golden transcripts: which recordings are told, and what their text must cover.

`python -m tests.golden` writes them anew; look at the difference before you commit it.
"""

from functools import cache
from pathlib import Path
from typing import Final

from recorder import intake, rulebook
from replay import desk
from replay.audit.report import Audit
from replay.engine.findings import Code
from replay.views.transcript import transcript
from schemas.events import TYPES, Recording, type_of
from tests.check_cases import recording_path

HERE: Final = Path(__file__).resolve().parent
CASES: Final = (
    "bura/clean-03", "bura/dispute-settled-01", "bura/dispute-word-candidates", "bura/fault-ante-too-small",
    "bura/fault-card-not-held-played", "bura/fault-card-twice-drawn", "bura/fault-molodka-rule-unrecorded",
    "bura/fault-record-breaks-off", "bura/fault-trick-given-to-another", "bura/fault-wrong-dealer",
    "bura/public-20b-001", "bura/rule-contest-wrong-seat-paid", "bura/rule-mixed-lead",
    "bura/rule-molodka-after-the-lead", "bura/rule-molodka-in-turn-only", "bura/rule-one-card-for-two",
    "bura/fault-face-up-without-beating", "bourre/fault-wrong-turn-play",
    "bura/rule-open-30-says-31", "bura/rule-open-after-the-draw", "bura/rule-open-by-another-seat",
    "bura/rule-three-trumps-are-no-molodka", "bura/table-amended", "bura/table-joined-while-a-pot-lies",
    "bura/table-lead-laid-face-down", "bura/table-left", "bura/table-missing-card", "bura/table-public-view",
    "bura/table-sat-out", "bura/table-unseen-stretch", "bura/table-wrong-hand-number",
    "bura/table-wrong-payout-then-moved",
    "bourre/fault-ante-above-maximum", "bourre/fault-drew-too-many", "bourre/fault-folded-late-draw",
    "bourre/fault-pot-miscounted", "bourre/lead-first-hoyle", "bourre/overtrump-must", "bourre/redacted-proved-1",
    "bourre/session-06", "bourre/sums-3-2-0-fold", "bourre/table-cinch-keeps", "bourre/table-dealer-folds-on-ace",
    "bourre/table-debt-open", "bourre/table-too-many-seats", "bourre/trump-lead-not-headed",
    "bourre/trumped-still-follow", "bourre/void-throws",
)  # fmt: skip
OWN: Final = tuple(sorted(path.name for path in HERE.glob("*.jsonl")))
NAMES: Final = (*CASES, *OWN)
NOT_OF_A_GAME: Final = frozenset({Code.CHAIN_BROKEN, Code.MISSING_EVENTS})
"""Findings about what a journal stored, not about a game: tests/recorder tells them."""


def golden_path(name: str) -> Path:
    """Where the transcript of a recording lies."""
    return HERE / f"{name.replace('/', '-').removesuffix('.jsonl')}.txt"


@cache
def judged(name: str) -> Audit:
    """One of `NAMES`, judged as amended."""
    path = recording_path(name) if name in CASES else HERE / name
    recording = intake.read(path.read_bytes())
    assert isinstance(recording, Recording), recording
    return desk.judge(recording)


def told(name: str) -> list[str]:
    """The transcript of one recording, its verdict last."""
    found = judged(name)
    return [text for line in transcript(found) for text in line.text] + [f"verdict {found.verdict}"]


def covered(name: str) -> set[str]:
    """The finding codes, event types and the preset of one recording."""
    found = judged(name)
    recording = found.recording
    return {
        *(str(finding.code) for finding in found.findings),
        *(type_of(event) for event in recording.events),
        recording.began.rules.preset,
    }


def wanted() -> set[str]:
    """Everything the golden transcripts must cover together."""
    return {str(code) for code in Code if code not in NOT_OF_A_GAME} | set(TYPES) | set(rulebook.presets())


def write() -> None:
    """Writes every transcript anew and removes those nobody asks for."""
    for path in HERE.glob("*.txt"):
        path.unlink()
    for name in NAMES:
        golden_path(name).write_text("\n".join(told(name)) + "\n", encoding="utf-8")
