"""Much to judge, in tasks: the same work in this process, in several, or on a cluster; the answers in order."""

import multiprocessing
import signal
import socket
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from recorder.shares import Share
from replay.cli_summary import Summary
from replay.cli_verify import Source, answers, told
from replay.cli_words import MistypedError, report_pieces

Json = Mapping[str, Any]
AHEAD: Final = 4
"""So many tasks a worker are given out before the one that is waited for."""
PATIENCE: Final = 10
"""Seconds within which a cluster has to answer."""


@dataclass(frozen=True)
class Part:
    """Some recordings of a file; `size` is how many bytes of it they were, `last` that no more follow."""

    name: str
    share: Share
    size: int
    last: bool


@dataclass(frozen=True)
class Done:
    """What was said of a part: the answers as printed, and what they come to."""

    name: str
    texts: tuple[str, ...] = ()
    summary: Summary = field(default_factory=Summary)
    size: int = 0
    last: bool = True


@dataclass(frozen=True)
class _Shared(Source):
    """A file of which a share is read."""

    share: Share

    def open(self) -> AbstractContextManager[Any]:
        return nullcontext(self.share)


def judge(parts: list[Part], asked: Json, as_json: bool) -> list[Done]:
    """Some parts judged, in whatever process and on whatever machine."""
    return [_judge_part(part, asked, as_json) for part in parts]


def _judge_part(part: Part, asked: Json, as_json: bool) -> Done:
    texts, summary = [], Summary()
    for answer in answers([_Shared(part.name, part.share)], asked):
        summary += Summary.of(answer)
        said = report_pieces(answer.said) if as_json else told(answer, asked["language"], brief=True)
        texts.append(("" if as_json else "\n").join(said))
    if part.share.path:
        Path(part.share.path).unlink()
    return Done(part.name, tuple(texts), summary, part.size, part.last)


@dataclass(frozen=True)
class Pool:
    """Who works, None for this process alone; how many they are; whether they see this machine's files."""

    workers: Executor | None = None
    count: int = 1
    near: bool = True


def judged(tasks: Iterable[list[Part]], asked: Json, as_json: bool, pool: Pool) -> Iterator[Done]:
    """Each part judged, in order; no more than a few tasks are held. Why a task cannot be had is raised after those
    before it.
    """
    work = partial(judge, asked=asked, as_json=as_json)
    if pool.workers is None:
        yield from (_judge_part(part, asked, as_json) for task in tasks for part in task)
        return
    waiting: deque[Future[list[Done]]] = deque()
    amiss: list[MistypedError] = []
    try:
        for task in _until_amiss(tasks, amiss):
            waiting.append(pool.workers.submit(work, task))
            if len(waiting) >= AHEAD * pool.count:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()
    for error in amiss:
        raise error


def _until_amiss(tasks: Iterable[list[Part]], amiss: list[MistypedError]) -> Iterator[list[Part]]:
    try:
        yield from tasks
    except MistypedError as error:
        amiss.append(error)


@contextmanager
def processes(jobs: int) -> Iterator[Pool]:
    """So many processes of this machine; one is this one."""
    if jobs == 1:
        yield Pool()
        return
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _leave_interrupts) as pool:
        try:
            yield Pool(pool, jobs)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _leave_interrupts() -> None:
    """Ctrl-C is for the process that was started; it tells the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _engine() -> str:
    from replay.audit.report import ENGINE

    return ENGINE


def _are_alike(client: Any, address: str) -> None:
    """Every worker judges as this process would: a verdict does not hang on where it was given."""
    try:
        found = sorted(set(client.run(_engine).values()))
    except ImportError:
        found = []
    if found != [_engine()]:
        raise MistypedError("workers", name=address, engine=_engine(), found=", ".join(found) or "-")


@contextmanager
def cluster(address: str) -> Iterator[Pool]:
    """The workers of a dask cluster; `MistypedError` where none answers there, or not all of them have this Razbor."""
    try:
        from distributed import Client
        from distributed.comm import get_address_host_port
    except ImportError as error:
        raise MistypedError("extra", name="--cluster", extra="cluster") from error
    try:  # a client that finds nobody there takes its time to say so
        socket.create_connection(get_address_host_port(address), PATIENCE).close()
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise MistypedError("no_cluster", name=address) from error
    with client:
        _are_alike(client, address)
        yield Pool(client.get_executor(pure=False), max(1, sum(client.nthreads().values())), near=False)
