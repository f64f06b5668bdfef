"""`python -m tests.golden` writes the golden transcripts anew."""

from tests.golden.transcripts import write

write()
