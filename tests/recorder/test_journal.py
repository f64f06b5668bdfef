"""What was acknowledged stays; what was changed shows (`integrity.md`)."""

import contextlib
import hashlib
import json
import multiprocessing
from pathlib import Path

import pytest
from sqlite_utils import Database

from recorder import database, intake, sqlite_file
from recorder.address import Place
from recorder.journal import (
    CommandReusedError,
    EventsRefusedError,
    Journal,
    Stored,
    UnknownRecordingError,
    VersionConflictError,
)
from schemas.events import Noted, Recording
from tests.recorder.lines import GOOD, HAND_OBJECT, HEADER, STAKE_OBJECT

CASES = Path(__file__).parent.parent / "cases"
STAKE, HAND = STAKE_OBJECT, HAND_OBJECT
END = {"type": "recording_ended", "events": 2}


def a_recording(name: str = "clean-01") -> Recording:
    found = intake.read((CASES / "bura" / f"{name}.bura.jsonl").read_bytes())
    assert isinstance(found, Recording)
    return found


@pytest.mark.parametrize("name", [path.stem.split(".")[0] for path in sorted(CASES.glob("bura/clean-*.jsonl"))])
def test_an_upload_comes_back_byte_for_byte(journal: Journal, name: str) -> None:
    recording = a_recording(name)
    assert journal.store(recording) == Stored(recording.id, new=True)
    assert journal.store(recording) == Stored(recording.id, new=False)
    data = journal.export(recording.id)
    assert hashlib.sha256(data).hexdigest() == recording.digest
    kept = journal.load(recording.id)
    assert kept.recording == recording
    assert (kept.entry.arrived, kept.entry.ended, kept.entry.events) == ("uploaded", True, len(recording.events))


def test_a_live_recording_is_a_file_read_later(journal: Journal) -> None:
    entry = journal.create(HEADER)
    assert len(bytes.fromhex(entry.key)) == 8
    assert (entry.arrived, entry.at, entry.events, entry.id) == ("live", 1_000, 1, None)
    for version, line in enumerate(GOOD[1:], 1):
        answer = journal.append(entry.key, [line.encode()], version)
        assert (answer.seqs, answer.version) == ((version,), version + 1)
    file = intake.read("\n".join(GOOD).encode())
    assert isinstance(file, Recording)
    assert journal.export(entry.key) == b"\n".join(file.lines) + b"\n"


def test_the_end_fixes_digest_and_id_and_both_lead_to_it(journal: Journal) -> None:
    entry = journal.create(HEADER, "0123456789abcdef")
    journal.append(entry.key, [END], 1)
    ended = journal.entry(entry.key)
    assert ended.digest == hashlib.sha256(journal.export(entry.key)).hexdigest()
    assert ended.id == ended.digest[:16]
    journal.append(entry.key, [{"type": "noted", "text": "late"}], 2)
    assert journal.entry(ended.id).digest == ended.digest
    assert journal.load(ended.id) == journal.load(entry.key)
    with pytest.raises(EventsRefusedError):
        journal.append(entry.key, [STAKE], 3)


def test_an_upload_that_breaks_off_takes_only_words_about_it(journal: Journal) -> None:
    found = intake.read("\n".join(GOOD).encode())
    assert isinstance(found, Recording)
    journal.store(found)
    with pytest.raises(EventsRefusedError) as caught:
        journal.append(found.id, [STAKE], 5)
    assert [problem.code for problem in caught.value.refusal.problems] == ["not-a-recording"]
    assert journal.append(found.id, [{"type": "noted", "text": "late"}], 5).version == 6


def test_the_expected_version_is_held(journal: Journal) -> None:
    key = journal.create(HEADER).key
    for wrong in (0, 2):
        with pytest.raises(VersionConflictError) as caught:
            journal.append(key, [STAKE], wrong)
        assert caught.value.current == 1
    assert journal.entry(key).events == 1


def test_the_same_command_again_gives_the_same_answer(journal: Journal) -> None:
    key = journal.create(HEADER).key
    first = journal.append(key, [STAKE, HAND], 1, "c1")
    journal.append(key, [{"type": "noted", "text": "a"}], 3, "c2")
    again = journal.append(key, [STAKE, HAND], 1, "c1")
    assert (again.seqs, again.version, again.repeated) == (first.seqs, first.version, True)
    with pytest.raises(CommandReusedError):
        journal.append(key, [STAKE], 1, "c1")
    other = journal.create(HEADER).key
    with pytest.raises(CommandReusedError):
        journal.append(other, [STAKE, HAND], 1, "c1")
    assert journal.entry(key).events == 4


def test_an_event_with_the_same_id_and_bytes_is_skipped(journal: Journal) -> None:
    key = journal.create(HEADER).key
    stake = {**STAKE, "id": "k1"}
    journal.append(key, [stake], 1)
    assert journal.append(key, [stake], 1).repeated
    answer = journal.append(key, [stake, HAND, {**stake, "seq": 1}], 2, "c1")
    assert (answer.seqs, answer.version) == ((1, 2, 1), 3)
    assert journal.append(key, [stake, HAND, {**stake, "seq": 1}], 2, "c1").seqs == (1, 2, 1)
    with pytest.raises(EventsRefusedError) as caught:
        journal.append(key, [{**stake, "amount": 11}], 3)
    assert [problem.code for problem in caught.value.refusal.problems] == ["duplicate-id"]


def test_all_of_a_request_or_nothing(journal: Journal) -> None:
    key = journal.create(HEADER).key
    with pytest.raises(EventsRefusedError) as caught:
        journal.append(key, [STAKE, {**HAND, "dealer": 7}, b"{", b""], 1)
    told = [(problem.line, problem.field, problem.code) for problem in caught.value.refusal.problems]
    assert told == [(2, "dealer", "bad-reference"), (3, "", "not-json"), (4, "", "blank-line")]
    assert journal.entry(key).events == 1
    with pytest.raises(EventsRefusedError):
        journal.create({**STAKE, "seq": 0})


def test_what_is_not_there_is_unknown(journal: Journal) -> None:
    for question in (journal.entry, journal.load, journal.export):
        with pytest.raises(UnknownRecordingError):
            question("0123456789abcdef")


def test_the_list_goes_on_from_a_cursor(journal: Journal) -> None:
    keys = [journal.create(HEADER).key for _ in range(5)]
    found: list[str] = []
    cursor = None
    while True:
        page = journal.list(cursor, limit=2)
        found += [entry.key for entry in page.entries]
        cursor = page.cursor
        if cursor is None:
            break
    assert found == keys[::-1]
    journal.show(keys[2], "public")
    assert [(entry.key, entry.shown) for entry in journal.list(shown_only=True).entries] == [(keys[2], "public")]


def test_names_can_be_erased_and_the_chain_still_holds(journal: Journal, path: Path) -> None:
    key = journal.create(HEADER).key
    journal.append(key, [{"type": "player_joined", "seat": 3, "name": "Вера"}, STAKE, END | {"events": 4}], 1)
    digest = journal.entry(key).digest
    journal.erase(key)
    kept = journal.load(key)
    assert kept.entry.erased
    assert kept.entry.digest == digest != kept.recording.digest
    assert kept.recording.began.seats == ("seat 1", "seat 2")
    assert "Вера".encode() not in journal.export(key)
    assert all("Вера".encode() not in each.read_bytes() for each in path.parent.iterdir()), "while it is in use, too"
    journal.close()
    assert all("Вера".encode() not in each.read_bytes() for each in path.parent.iterdir())


def test_verdicts_stand_beside_each_other(journal: Journal) -> None:
    key = journal.create(HEADER).key
    journal.note_verdict(key, 1, "0.1.0", "r", "verified")
    journal.note_verdict(key, 1, "0.1.0", "r", "refuted")
    journal.note_verdict(key, 1, "0.2.0", "r", "refuted")
    assert [(each["engine"], each["verdict"]) for each in journal.verdicts(key)] == [
        ("0.1.0", "verified"),
        ("0.2.0", "refuted"),
    ]


def test_an_event_lies_on_disk_in_two_levels(journal: Journal) -> None:
    key = journal.create(HEADER).key
    journal.append(key, [STAKE], 1, "c1", by="pad")
    (_, first), (index, second) = journal.links(key)
    assert second.payload is not None
    payload = json.loads(second.payload)
    assert payload["e"] == {"seq": 1, **STAKE}
    assert len(bytes.fromhex(payload["n"])) == 16
    header = json.loads(second.header)
    assert header == {
        "v": 1, "log": "razbor.test/journal", "rec": key, "seq": 1, "prev": first.leaf.hex(), "type": "stake_set",
        "at": 1001, "by": "pad", "ph": hashlib.sha256(second.payload).hexdigest(), "cmd": "c1", "rq": header["rq"],
    }  # fmt: skip
    for each in (second.header, second.payload):
        spelled = json.dumps(json.loads(each), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert spelled.encode() == each
    assert second.leaf == hashlib.sha256(b"\0" + second.header).digest()
    assert index == 1


def test_opening_again_changes_nothing(journal: Journal, place: Place) -> None:
    journal.store(a_recording())
    journal.close()
    again = Journal.open(place, origin="another")
    assert again.origin == "razbor.test/journal"
    assert again.load(a_recording().id).recording == a_recording()
    again.close()


def test_every_setting_is_on(path: Path) -> None:
    Journal.open(path).close()
    connections = database.Connections(path)
    settings = {
        name: connections.database().execute(f"PRAGMA {name}").fetchone()[0]
        for name in (
            "journal_mode", "synchronous", "foreign_keys", "recursive_triggers", "secure_delete", "trusted_schema",
            "cell_size_check",
        )
    }  # fmt: skip
    connections.close()
    assert list(settings.values()) == [sqlite_file.journal_mode().lower(), 2, 1, 1, 1, 0, 1]


def test_an_older_sqlite_keeps_no_write_ahead_log(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    monkeypatch.setattr(sqlite_file, "WAL_IS_SOUND", (99,))
    Journal.open(path).close()
    rows = Database(path)
    assert rows.journal_mode != "wal"
    rows.close()


def _write_some(place: Place, key: str, writer: int, count: int) -> None:
    journal = Journal.open(place)
    done = 0
    while done < count:
        version = journal.entry(key).events
        with contextlib.suppress(VersionConflictError):
            journal.append(key, [{"type": "noted", "text": f"{writer}/{done}"}], version, f"{writer}/{done}")
            done += 1
    journal.store(a_recording())
    journal.close()


def test_writers_at_once_lose_nothing(place: Place) -> None:
    writers, count = 3, 40
    start = multiprocessing.get_context("spawn")
    journal = Journal.open(place)
    key = journal.create(HEADER).key
    running = [start.Process(target=_write_some, args=(place, key, each, count)) for each in range(writers)]
    for each in running:
        each.start()
    for each in running:
        each.join(100)
        assert each.exitcode == 0
    texts = [event.text for event in journal.load(key).recording.events if isinstance(event, Noted)]
    assert sorted(texts) == sorted(f"{writer}/{number}" for writer in range(writers) for number in range(count))
    for writer in range(writers):
        mine = [text for text in texts if text.startswith(f"{writer}/")]
        assert mine == [f"{writer}/{number}" for number in range(count)]
    assert journal.load(a_recording().id).recording == a_recording()
    journal.close()


def _open_and_close(place: Place) -> None:
    Journal.open(place).close()


def test_several_may_make_it_at_once(place: Place) -> None:
    start = multiprocessing.get_context("spawn")
    running = [start.Process(target=_open_and_close, args=(place,)) for _ in range(4)]
    for each in running:
        each.start()
    for each in running:
        each.join(100)
        assert each.exitcode == 0
