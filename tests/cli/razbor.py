"""Running the command line: in this process, or as a process of its own where the environment matters."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from click.testing import CliRunner, Result

from replay import cli

ROOT: Final = Path(__file__).resolve().parent.parent.parent
RUN: Final = "import sys; sys.argv[0] = 'razbor'; from replay.cli import main; main()"
SAMPLES: Final = ROOT / "data" / "recordings"
REFUTED: Final = str(SAMPLES / "thirty-counted-as-thirty-one.bura.jsonl")
VERIFIED: Final = str(SAMPLES / "two-held-thirty-one.bura.jsonl")
UNDECIDED: Final = str(SAMPLES / "word-against-closed-cards.bura.jsonl")
SEVERAL_HANDS: Final = str(SAMPLES / "failed-opening-razburka-and-ninety-won.bura.jsonl")
REFUSED: Final = str(ROOT / "tests" / "cases" / "bura" / "refuse-card-cyrillic-te.bura.jsonl")
PLAIN: Final = {"LC_ALL": "C", "LC_MESSAGES": "", "LANG": "", "NO_COLOR": "1", "RAZBOR_DB": ""}


def razbor(*arguments: str, given: bytes | None = None, env: Mapping[str, str] | None = None) -> Result:
    """One command in this process; an exception is a failure of the test."""
    result = CliRunner(env={**PLAIN, **(env or {})}).invoke(cli._door(), arguments, input=given, prog_name="razbor")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def data_of(result: Result) -> list[Any]:
    """The JSON objects a command printed, one a line."""
    return [json.loads(line) for line in result.stdout.split("\n")[:-1]]


def process(
    *arguments: str, env: Mapping[str, str] | None = None, code: str = RUN, given: bytes = b"", cwd: Path = ROOT
) -> subprocess.CompletedProcess[bytes]:
    """One command in a process of its own, with nothing of this one's language, zone or colours."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "RAZBOR", "TZ"))}
    clean = {**kept, "PYTHONPATH": str(ROOT), **(env or {})}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, env=clean, input=given, cwd=cwd, capture_output=True, check=False)
