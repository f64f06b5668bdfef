"""The console blocks of README.md: `python tests/fill_readme.py` writes what the commands really print.

A block starts with a fence marked `console`; its first line is `$ razbor ...`, the rest is that command's output.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```console\n\$ razbor (?P<arguments>.*)\n(?P<output>(?:(?!```).*\n)*)```$", re.MULTILINE)
RUN = "import sys; sys.argv[0] = 'razbor'; from replay.cli import main; main()"


def output_of(arguments: str) -> str:
    """What `razbor ARGUMENTS` prints on a plain English terminal of 100 columns, without trailing spaces."""
    plain = {"NO_COLOR": "1", "COLUMNS": "100", "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1", "TZ": "UTC"}
    done = subprocess.run(
        [sys.executable, "-c", RUN, *shlex.split(arguments)],
        cwd=ROOT,
        env={**os.environ, **plain},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if "Traceback" in done.stderr or done.returncode == 2:
        raise RuntimeError(f"razbor {arguments}: exit {done.returncode}\n{done.stderr}")
    return "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())


def filled(text: str) -> str:
    def fill(block: re.Match[str]) -> str:
        return f"```console\n$ razbor {block['arguments']}\n{output_of(block['arguments'])}```"

    return BLOCK.sub(fill, text)


if __name__ == "__main__":
    readme = ROOT / "README.md"
    readme.write_text(filled(readme.read_text(encoding="utf-8")), encoding="utf-8")
