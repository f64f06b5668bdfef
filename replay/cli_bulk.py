"""`razbor verify` of many files by several processes: the answers in the order given, what is done remembered."""

import json
import multiprocessing
import signal
import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from replay.cli_verify import GRAVITY, STDIN, Source, answers, counted, sources, told, watched
from replay.cli_words import MistypedError, put, report_pieces

Json = Mapping[str, Any]
AHEAD: Final = 4
"""So many files a process are judged before the one that is waited for."""


@dataclass(frozen=True)
class Done:
    """What was said of one file: the answers as printed, how many of each verdict, how often each code, the worst."""

    name: str
    texts: tuple[str, ...] = ()
    verdicts: dict[str, int] = field(default_factory=dict)
    codes: dict[str, int] = field(default_factory=dict)
    worst: int = 0


def judge_file(name: str, asked: Json, as_json: bool) -> Done:
    """One file judged, in whatever process."""
    texts, worst, verdicts, codes = [], 0, Counter[str](), Counter[str]()
    for answer in answers([Source(name)], asked):
        worst = max(worst, answer.code, key=GRAVITY.__getitem__)
        verdicts[answer.verdict] += 1
        codes.update(finding["code"] for finding in answer.said.get("findings", ()))
        said = report_pieces(answer.said) if as_json else told(answer, asked["language"], brief=True)
        texts.append(("" if as_json else "\n").join(said))
    return Done(name, tuple(texts), dict(verdicts), dict(codes), worst)


def judged(names: Iterable[str], asked: Json, as_json: bool, jobs: int) -> Iterator[Done]:
    """Each file judged, in order; no more than a few files' answers are held."""
    work = partial(judge_file, asked=asked, as_json=as_json)
    if jobs == 1:
        yield from map(work, names)
        return
    waiting: deque[Future[Done]] = deque()
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _leave_interrupts) as pool:
        try:
            for name in names:
                waiting.append(pool.submit(work, name))
                if len(waiting) >= AHEAD * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _leave_interrupts() -> None:
    """Ctrl-C is for the process that was started; it tells the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class Memory:
    """What `--resume` remembers: a line of JSON a file, written when its answers are printed."""

    def __init__(self, path: str | None, asked: Json) -> None:
        self._path = Path(path) if path else None
        self._asked = json.dumps({**asked, "language": None}, sort_keys=True)
        self._known: dict[str, Json] = {}
        try:
            data = self._path.read_bytes() if self._path and self._path.exists() else b""
            whole, _, torn = data.rpartition(b"\n")
            self._known = {row["name"]: row for row in map(json.loads, whole.splitlines())}
            if self._path and torn:
                self._path.write_bytes(whole + b"\n" if whole else b"")
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise MistypedError("resume", name=path) from error

    def recall(self, name: str) -> Done | None:
        """What was said of a file, where it and what is asked are what they were."""
        row = self._known.get(name)
        if row is None or name == STDIN or row["asked"] != self._asked or row["mark"] != _mark(name):
            return None
        return Done(name, (), row["verdicts"], row["codes"], row["worst"])

    def keep(self, done: Done) -> None:
        """Remember it for the next time."""
        if self._path is None:
            return
        row = asdict(done) | {"asked": self._asked, "mark": _mark(done.name)}
        del row["texts"]
        with self._path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _mark(name: str) -> list[int]:
    """A file's size and the time it was written; of standard input, nothing."""
    if name == STDIN:
        return []
    stat = Path(name).stat()
    return [stat.st_size, stat.st_mtime_ns]


def verify(names: Sequence[str], asked: Json, as_json: bool, jobs: int, resume: str | None) -> int:
    """Judges everything named, prints the answers, and gives the exit code: the gravest of all.

    Interrupted, it tells what is done and lets the interruption pass on.
    """
    found, memory, lang = [source.name for source in sources(names)], Memory(resume, asked), asked["language"]
    known = [done for name in dict.fromkeys(found) if (done := memory.recall(name))]
    remembered = {done.name for done in known}
    left = [name for name in found if name not in remembered]
    worst = max((done.worst for done in known), key=GRAVITY.__getitem__, default=0)
    verdicts, codes = Counter[str](), Counter[str]()
    for done in known:
        verdicts.update(done.verdicts)
        codes.update(done.codes)
    try:
        with _bar(left, lang) as step:
            for done in judged(left, asked, as_json, jobs):
                worst = max(worst, done.worst, key=GRAVITY.__getitem__)
                verdicts.update(done.verdicts)
                codes.update(done.codes)
                for text in done.texts:
                    put(text)
                sys.stdout.flush()
                memory.keep(done)
                step(done.name)
    finally:
        put("\n".join(counted(verdicts, codes, lang)), error=as_json)
    return worst


def _bar(names: Sequence[str], lang: str) -> AbstractContextManager[Any]:
    return watched(names, lang) if sys.stderr.isatty() and not sys.stdout.isatty() else nullcontext(lambda _: None)
