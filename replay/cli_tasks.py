"""Much to judge, in tasks: the same work in this process, in several, or on a cluster; the answers in order."""

import multiprocessing
import os
import signal
import socket
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from recorder.shares import Share
from replay.cli_sources import Source
from replay.cli_summary import Summary
from replay.cli_verify import Answer, answers, told, until_amiss
from replay.cli_words import MistypedError, colours_as_told, report_pieces, shows_colours

Json = Mapping[str, Any]
AHEAD: Final = 4
"""So many tasks a worker are given out before the one that is waited for."""
PATIENCE: Final = 10
"""Seconds within which a cluster has to answer."""


@dataclass(frozen=True)
class Part:
    """Some recordings of a file; `size` is how many bytes of it they were, `last` that no more follow in it, `first`
    that it is the first of all.
    """

    name: str
    share: Share
    size: int
    last: bool
    first: bool = False


@dataclass(frozen=True)
class Done:
    """What was said of a part: the answers as printed, and what they come to; `whole` is the only answer of the first
    part, as it is told where there is no other.
    """

    name: str
    texts: tuple[str, ...] = ()
    whole: str = ""
    summary: Summary = field(default_factory=Summary)
    size: int = 0
    last: bool = True


@dataclass(frozen=True)
class _Shared(Source):
    """A file of which a share is read."""

    share: Share

    def open(self) -> AbstractContextManager[Any]:
        return nullcontext(self.share)


def judge(parts: list[Part], asked: Json, as_json: bool, colours: bool) -> list[Done]:
    """Some parts judged, in whatever process and on whatever machine; `colours`: whether there are any where it is
    printed.
    """
    with colours_as_told(colours):
        return [_judge_part(part, asked, as_json) for part in parts]


def _judge_part(part: Part, asked: Json, as_json: bool) -> Done:
    texts, summary, whole = list[str](), Summary(), ""
    for answer in answers([_Shared(part.name, part.share)], asked):
        if part.first and not texts:
            whole = _text(answer, asked, as_json, brief=False)
        summary += Summary.of(answer)
        texts.append(_text(answer, asked, as_json, brief=True))
    if part.share.path:
        Path(part.share.path).unlink()
    return Done(part.name, tuple(texts), whole if len(texts) == 1 else "", summary, part.size, part.last)


def _text(answer: Answer, asked: Json, as_json: bool, *, brief: bool) -> str:
    return "".join(report_pieces(answer.said)) if as_json else "\n".join(told(answer, asked["language"], brief=brief))


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
    work = partial(judge, asked=asked, as_json=as_json, colours=shows_colours())
    if pool.workers is None:
        yield from (_judge_part(part, asked, as_json) for task in tasks for part in task)
        return
    waiting: deque[Future[list[Done]]] = deque()
    amiss: list[MistypedError] = []
    try:
        for task in until_amiss(tasks, amiss):
            with _interrupts_held():
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


@contextmanager
def processes(jobs: int) -> Iterator[Pool]:
    """So many processes of this machine; one is this one."""
    if jobs == 1:
        yield Pool()
        return
    with _interrupts_held():  # what keeps count of semaphores is a process as well
        made = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _end_with_parent)
    with made as pool:
        try:
            yield Pool(pool, jobs)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """What stops the process that was started is not for those that it starts here, though it may reach all of them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with_parent() -> None:
    """Whatever ends the process that gives the work out, the one that does it ends as well."""
    threading.Thread(target=_outlive_parent, daemon=True).start()


def _outlive_parent() -> None:
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)


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
