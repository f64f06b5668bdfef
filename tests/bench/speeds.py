"""Judging, whole and by stages, against other replayers in the same run."""

import io
import time
from collections.abc import Mapping
from contextlib import ExitStack
from hashlib import sha256
from importlib.util import find_spec
from typing import NamedTuple

from recorder import archive, flow, intake
from replay import desk
from replay.audit.stream import Stream
from schemas.events import Recording, RecordingBegan
from schemas.rules import HouseRules
from tests.bench import peers
from tests.bench.board import MissingError, board
from tests.bench.evenings import bourre, bura
from tests.bench.table import Figure, Work, number, rates, ratio

HANDS, ROUNDS = 300, 9
Rates = Mapping[str, list[float]]


class Wanted(NamedTuple):
    """So many times as fast as a peer: the whole of `verify`, or the engine alone."""

    peer: str
    whole: bool
    times: float


WANTED = (
    Wanted("pokerkit", whole=True, times=50),
    Wanted("python-chess", whole=True, times=5),
    Wanted("pokerkit", whole=False, times=150),
    Wanted("pokerfast", whole=False, times=7),
    Wanted("boardgame.io", whole=False, times=20),
    Wanted("open_spiel", whole=False, times=0.4),
)
ASKED = {
    "pokerkit": "pokerkit's parse and replay",
    "python-chess": "python-chess's read_game",
    "pokerfast": "pokerfast",
    "boardgame.io": "boardgame.io playing the same Bura, whole process",
    "open_spiel": "open_spiel's hearts, each action checked",
}


def speeds(rounds: int = ROUNDS) -> tuple[list[Figure], list[str]]:
    """The figures, and what was left out and why."""
    records = {"bura": bura(HANDS), "bourre": bourre(HANDS)}
    works = {f"{what} {game}": work for game, record in records.items() for what, work in _ours(record).items()}
    left_out = [
        f"{name}: {package} is not installed" for name, (package, _) in peers.ALL.items() if not find_spec(package)
    ]
    works |= {name: work for name, (package, work) in peers.ALL.items() if find_spec(package)}
    with ExitStack() as stack:
        try:
            works["boardgame.io"] = stack.enter_context(board(records["bura"]))
        except MissingError as error:
            left_out.append(f"boardgame.io: {error}")
        got = rates(works, rounds)
    figures = [_against(wanted, game, got) for wanted in WANTED for game in records if _met(wanted, game, got)]
    figures.append(ratio("verify: bourre against bura", got["verify bourre"], got["verify bura"], 0.8))
    for game, record in records.items():
        figures += [*_archived(game, record, got), *_stages(game, record, rounds)]
    return figures, left_out


def _met(wanted: Wanted, game: str, got: Rates) -> bool:
    return wanted.peer in got and (game == "bura" or wanted.peer != "boardgame.io")


def _against(wanted: Wanted, game: str, got: Rates) -> Figure:
    ours = "verify" if wanted.whole else "engine"
    return ratio(f"{ours} {game}: {ASKED[wanted.peer]}", got[f"{ours} {game}"], got[wanted.peer], wanted.times)


def _ours(record: bytes) -> dict[str, Work]:
    """The whole of `verify`, digest and report included, and of the archive; the engine with its findings; reading."""
    found = _read(record)
    house, events, packed = desk.house_of(found), list(found.events), b"".join(archive.packed(found))

    def judged(data: bytes) -> int:
        (told,) = desk.verify_each(data)
        assert told.said["verdict"] == "verified"
        return len(events)

    def played() -> int:
        assert Stream(found.began, house).take(events)
        return len(events)

    def decoded(data: bytes) -> int:
        assert sum(len(batch) for coming in flow.flows(io.BytesIO(data)) for batch in coming.batches()) == len(events)
        return len(events)

    return {
        "verify": lambda: judged(record),
        "archive": lambda: judged(packed),
        "engine": played,
        "decode": lambda: decoded(record),
        "decode archive": lambda: decoded(packed),
    }


def _archived(game: str, record: bytes, got: Rates) -> list[Figure]:
    """The archive form against canonical lines."""
    size = len(b"".join(archive.packed(_read(record))))
    share, detail = size / len(record), f"{size:,} against {len(record):,} bytes"
    return [
        ratio(f"verify {game}: archive against lines", got[f"archive {game}"], got[f"verify {game}"], 1.4),
        ratio(f"decode {game}: archive against lines", got[f"decode archive {game}"], got[f"decode {game}"]),
        Figure(f"size {game}: archive against lines", share, 0.45, at_least=False, detail=detail),
    ]


def _stages(game: str, record: bytes, rounds: int) -> list[Figure]:
    """What each stage has of the processor time of `verify`, by the quickest round of each."""
    house, taken = desk.house_of(_read(record)), dict[str, float]()
    for _ in range(rounds):
        for stage, took in _walk(record, house).items():
            taken[stage] = min(took, taken.get(stage, took))
    taken["decode"] -= taken["hash"]  # which is done while reading
    count, whole = record.count(b"\n"), sum(taken.values())
    return [
        Figure(
            f"stage {game}: {stage}", 100 * took / whole, unit=" %", detail=f"{number(count / took)} events a second"
        )
        for stage, took in taken.items()
    ]


def _walk(record: bytes, house: HouseRules) -> dict[str, float]:
    """Once through: hashed; read, checked and hashed; stepped through and what is wrong found; the report made."""
    marks = [time.process_time()]
    digest = sha256(record).hexdigest()
    marks.append(time.process_time())
    ((coming, batches),) = ((each, list(each.batches())) for each in flow.flows(io.BytesIO(record)))
    marks.append(time.process_time())
    began = batches[0][0]
    assert isinstance(began, RecordingBegan)
    stream = Stream(began, house)
    assert all(stream.take(events) for events in batches)
    marks.append(time.process_time())
    said = stream.report(coming.digest, coming.count)
    assert (len(list(said["hands"])), said["recording"]["digest"]) == (HANDS, digest)
    marks.append(time.process_time())
    stages = ("hash", "decode", "engine and findings", "report")
    return {stage: after - before for stage, before, after in zip(stages, marks, marks[1:], strict=False)}


def _read(record: bytes) -> Recording:
    found = intake.read(record)
    if desk.verify(record)["verdict"] != "verified" or not isinstance(found, Recording):
        raise SystemExit("the evening to be measured is not clean")
    return found
