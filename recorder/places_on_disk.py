"""Where the data files lie: in `data/` beside the packages, in the checkout as in an installation."""

from pathlib import Path
from typing import Final

DATA: Final = Path(__file__).resolve().parent.parent / "data"
RULES: Final = DATA / "rules"
WORDS: Final = DATA / "words"
RECORDINGS: Final = DATA / "recordings"
