"""Two scribes: agreements, conflicts and gaps event by event; the merged recording; two halves joined."""

import gzip
import json
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from backports import zstd
from flask.testing import FlaskClient

from replay import desk
from replay.audit import compare as comparing
from replay.audit.compare import compare, join, merged, together
from replay.cli import main
from replay.desk_live import TableDesk
from tests.cli.razbor import data_of, razbor
from tests.walks.bura import Habits, evening, to_bytes
from tests.walks.script import START, made

Json = dict[str, Any]
assert "compare" in main.commands  # asked for, they are all there
PLAIN = Habits(tells=0.3, moves=0, spoils=0, commits=0)


def numbered(events: list[Json]) -> list[Json]:
    told = [{**event, "seq": seq} for seq, event in enumerate(events)]
    return [{**event, "events": event["seq"] + 1} if event["type"] == "recording_ended" else event for event in told]


def test_a_recording_agrees_with_itself() -> None:
    events = evening(5, hands=3, seats=3)
    found = compare(events, events)
    assert (found.agreements, found.conflicts, found.gaps) == (len(events), 0, 0)
    assert list(merged(found)) == events


def test_times_notes_and_ids_are_no_difference() -> None:
    events = evening(5, hands=1)
    other = [{**event, "id": f"x{event['seq']}", "note": "so", "at": "2026-11-29T21:00:00Z"} for event in events]
    assert compare(events, other).conflicts == compare(events, other).gaps == 0


@pytest.mark.parametrize("seed", range(8))
def test_a_changed_card_is_a_conflict_a_lost_line_a_gap(seed: int) -> None:
    events = evening(seed, hands=2, seats=3, habits=PLAIN)
    plays = [event["seq"] for event in events if event["type"] == "played" and event["face"] == "up"]
    wrong, lost = plays[1], plays[-2]
    other = [dict(event) for event in events]
    other[wrong] = {**other[wrong], "cards": ["6s" if card != "6s" else "7s" for card in other[wrong]["cards"]]}
    del other[lost]
    found = compare(events, numbered(other))
    assert found.conflicts == 1
    assert found.gaps == 1
    bad = [row for row in found.rows if row.answer == "differ"]
    assert bad[0].first
    assert bad[0].first["seq"] == wrong
    assert [row.first["seq"] for row in found.rows if row.answer == "first" and row.first] == [lost]


def test_cards_one_did_not_see_are_filled_in_by_the_other() -> None:
    events = evening(3, hands=2, seats=2, habits=PLAIN)
    blind = [{**event, "cards": ["??"] * len(event["cards"])} if "cards" in event else event for event in events]
    half = [{**event, "cards": ["??"] * len(event["cards"])} if event["type"] == "dealt" else event for event in events]
    assert list(merged(compare(blind, events))) == events
    assert list(merged(compare(events, half))) == events
    assert desk.verify(to_bytes(list(merged(compare(half, events)))))["verdict"] == "verified"


DEALT = (*START, "deal 1 As Ks Ts", "deal 2 9h Qd Jd", "turn 6c")
"""The next line has seq 8."""


def without(events: list[Json], seq: int) -> list[Json]:
    """The record of a scribe who missed one line: all numbers after it are others."""
    return [
        {**event, **{name: event[name] - (event[name] > seq) for name in ("of", "after") if name in event}}
        for event in numbered([event for event in events if event["seq"] != seq])
    ]


def test_what_speaks_of_another_event_agrees_though_the_numbers_do_not() -> None:
    """A reveal, a word and amendments of one play: events are compared by what happened, and one missed a line."""
    play = {"type": "played", "seat": 2, "cards": ["9h"], "face": "down"}
    late = {"type": "revealed", "cards": ["9h"]}
    events = made(
        *DEALT,
        "up 1 As",
        "down 2 ??",
        "revealed 9 9h",
        {"type": "testified", "seat": 2, "of": 9, "cards": ["9h"]},
        {"type": "corrected", "of": 9, "event": play, "reason": "seen"},
        {"type": "inserted", "after": 9, "event": {**late, "of": 9}, "reason": "late"},
    )
    other = without(events, 5)
    other[-2]["event"] = {**late, "of": 8}
    found = compare(events, other)
    assert (found.conflicts, found.gaps, found.agreements) == (0, 1, len(events) - 1)
    assert list(merged(found)) == events
    back = compare(other, events)
    assert (back.conflicts, back.gaps) == (0, 1)
    assert list(merged(back)) == events


def test_what_speaks_of_different_events_is_a_conflict_and_left_out() -> None:
    events = made(*DEALT, "up 1 As", "down 2 ??", "revealed 8 As")
    other = made(*DEALT, "up 1 As", "down 2 ??", "revealed 9 As")
    found = compare(events, other)
    assert (found.conflicts, found.gaps) == (1, 0)
    assert [event["type"] for event in merged(found)][-2:] == ["played", "recording_ended"]


def test_what_speaks_of_an_event_left_out_is_left_out_too() -> None:
    events = made(
        *DEALT, "up 1 As", "down 2 9h", {"type": "testified", "seat": 2, "of": 9, "cards": ["9h"]}, "end misdeal"
    )
    other = made(*DEALT, "up 1 As", "down 2 Qd", "end misdeal")
    found = compare(events, other)
    assert (found.conflicts, found.gaps) == (1, 1)
    kinds = [event["type"] for event in merged(found)]
    assert kinds[-3:] == ["played", "hand_ended", "recording_ended"]
    assert kinds.count("played") == 1


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ({"cards": ["?h", "??"]}, {"cards": ["T?", "6s"]}, {"cards": ["Th", "6s"]}),
        ({"cards": ["?h"]}, {"cards": ["Ts"]}, None),
        ({"cards": ["T?"]}, {"cards": ["9?"]}, None),
        ({"cards": ["As", "??"]}, {"cards": ["As"]}, None),
        ({"card": "?h"}, {"card": "6h"}, {"card": "6h"}),
        ({"points": 31}, {}, {"points": 31}),
        ({}, {"points": 31, "cards": ["As"]}, {"points": 31, "cards": ["As"]}),
        ({"points": 31}, {"points": 30}, None),
        ({"amount": 5}, {}, None),
        ({"amount": 5}, {"amount": 6}, None),
    ],
)
def test_two_who_saw_different_parts_of_one_event_say_the_whole(one: Json, other: Json, both: Json | None) -> None:
    for a, b in ((one, other), (other, one)):
        found = together({"type": "x", "seat": 1, **a}, {"type": "x", "seat": 1, **b})
        assert found == (None if both is None else {"type": "x", "seat": 1, **both})
    assert together({"type": "x", "seat": 1, **one}, {"type": "y", "seat": 1, **one}) is None
    assert together({"type": "x", "seat": 1, **one}, {"type": "x", "seat": 2, **one}) is None


def test_a_hand_that_one_lacks_stands_alone_and_the_others_side_by_side() -> None:
    """Also where a number was given twice: the second hand of a number is compared with the second."""
    hand = ("ante 1 10", "ante 2 10", "end misdeal")
    lines = ("stake_set 10", "hand 1 2", *hand, "hand 2 2", "stack_counted 1 80", *hand, "hand 2 2", *hand)
    events = made(*lines, closed=False)
    other = made(*lines[:5], *lines[10:], closed=False)
    found = compare(events, other)
    assert (found.conflicts, found.gaps) == (0, 5)
    assert list(merged(found)) == events
    assert [row.answer for row in found.rows if row.first and row.first["seq"] in range(6, 11)] != []
    back = compare(other, events)
    assert (back.conflicts, back.gaps) == (0, 5)
    assert list(merged(back)) == events


def test_both_may_lack_something_and_private_fields_are_no_difference() -> None:
    events = made(*DEALT, "up 1 As", "down 2 9h", "trick_taken 1 11")
    mine, yours = without(events, 10), without(events, 6)
    mine = [{**event, "x_pen": "blue"} for event in mine]
    found = compare(mine, yours)
    assert (found.conflicts, found.gaps, found.agreements) == (0, 2, len(events) - 2)
    assert [row.answer for row in found.rows if row.answer != "same"] == ["first", "second"]
    assert list(merged(found)) == events


def test_a_record_that_breaks_off_is_ended_by_the_other() -> None:
    events = made(*DEALT, "up 1 As", "down 2 9h")
    assert list(merged(compare(events[:-1], events))) == events
    assert list(merged(compare(events[:-1], events[:-1]))) == events[:-1]


@pytest.mark.parametrize("cells", [0, 50, 2000])
def test_long_stretches_cost_no_more_than_they_may(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "MOST_CELLS", cells)
    likeness = mock.Mock(side_effect=comparing._likeness)
    monkeypatch.setattr(comparing, "_likeness", likeness)
    events = evening(5, hands=2, seats=3, habits=PLAIN)
    ours = numbered([events[0], *({"type": "noted", "text": f"ours {at}"} for at in range(90)), *events[1:]])
    theirs = numbered([events[0], *({"type": "noted", "text": f"theirs {at}"} for at in range(80)), *events[1:-1]])
    found = compare(ours, theirs)
    assert [row.first for row in found.rows if row.first] == ours
    assert [row.second for row in found.rows if row.second] == theirs
    assert likeness.call_count <= cells + 2 * (len(ours) + len(theirs))
    assert found.agreements >= len(events) - 2


def written(tmp_path: Path, name: str, data: bytes) -> str:
    (tmp_path / name).write_bytes(data)
    return str(tmp_path / name)


def speaking(events: list[Json], of: int) -> list[Json]:
    """The evening, its end, and words and amendments that speak of the play `of`."""
    play = {name: value for name, value in events[of].items() if name != "seq"}
    faces = {"type": "revealed", "of": of, "cards": play["cards"]}
    said = {"type": "testified", "seat": play["seat"], "of": of, "cards": play["cards"]}
    return numbered(
        [
            *events[: of + 1],
            faces,
            *events[of + 1 :],
            said,
            {"type": "corrected", "of": of, "event": play, "reason": "-"},
            {"type": "inserted", "after": of, "event": faces, "reason": "-"},
        ]
    )


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("lost", ["staked", "hand_began", "dealt", "trump_turned"])
def test_what_speaks_of_an_event_is_no_conflict_where_it_has_another_number(seed: int, lost: str) -> None:
    events = evening(seed, hands=2, seats=3, habits=PLAIN)
    of = next(event["seq"] for event in events if event["type"] == "played")
    gone = next(event["seq"] for event in events if event["type"] == lost)
    whole, fewer = speaking(events, of), speaking(numbered([*events[:gone], *events[gone + 1 :]]), of - 1)
    for found in (compare(whole, fewer), compare(fewer, whole)):
        assert (found.agreements, found.conflicts, found.gaps) == (len(whole) - 1, 0, 1)
        assert list(merged(found)) == whole
    assert desk.verify(to_bytes(whole))["verdict"] == "verified"


def test_who_speaks_of_another_event_contradicts() -> None:
    events = evening(5, hands=1, seats=3, habits=PLAIN)
    first, second = [event["seq"] for event in events if event["type"] == "played"][:2]
    said = {"type": "testified", "seat": 1, "of": first, "cards": ["??"]}
    inner = {"type": "inserted", "after": second, "event": said, "reason": "-"}
    other = {**inner, "event": {**said, "of": second}}
    found = compare(numbered([*events, said, inner]), numbered([*events, {**said, "of": second}, other]))
    assert (found.agreements, found.conflicts, found.gaps) == (len(events), 2, 0)
    assert list(merged(found)) == events


def test_what_is_merged_is_a_recording_though_the_two_begin_otherwise(tmp_path: Path) -> None:
    events = evening(5, hands=2, seats=3, habits=PLAIN)
    join = {"type": "player_joined", "seat": 4, "name": "Zoë"}
    said = {"type": "noted", "seat": 4, "text": "-"}
    ours = numbered([*events[:-1], join, said, events[-1]])
    names = [*events[0]["seats"][:-1], "somebody else"]
    theirs = [{**events[0], "seats": names, "title": "mine"}, *events[1:-1], {**join, "name": "Zoé"}, said, events[-1]]
    for one, other in ((ours, numbered(theirs)), (numbered(theirs), ours)):
        found = compare(one, other)
        assert (found.conflicts, found.gaps) == (2, 0)
        assert list(merged(found)) == one
    paths = [written(tmp_path, name, to_bytes(each)) for name, each in (("a", ours), ("b", numbered(theirs)))]
    assert razbor("compare", *paths, "--merged", str(tmp_path / "m")).exit_code == 1
    assert (tmp_path / "m").read_bytes() == to_bytes(ours)


def test_what_is_merged_and_no_recording_is_not_written(tmp_path: Path) -> None:
    events = evening(5, hands=1, seats=3, habits=PLAIN)
    fewer = numbered([events[0] | {"seats": events[0]["seats"][:2]}, {"type": "stake_set", "amount": 3}])
    more = numbered([events[0], {"type": "stake_set", "amount": 3}, {"type": "noted", "seat": 3, "text": "-"}])
    paths = [written(tmp_path, name, to_bytes(each)) for name, each in (("a", fewer), ("b", more))]
    refused = razbor("compare", *paths, "--merged", str(tmp_path / "m"))
    assert (refused.exit_code, (tmp_path / "m").exists()) == (3, False)
    assert "line 3  bad-reference" in refused.stdout


def test_halves_are_joined_only_where_they_continue() -> None:
    events = evening(4, hands=2)
    assert join(events[:20], events[20:]) == tuple(events)
    assert join(events[:20], events[15:]) == tuple(events)
    assert join(events[:20], events[21:]) == 21
    changed = [{**events[15], "note": "x"}, *events[16:]]
    assert join(events[:20], changed) == 15


@pytest.mark.parametrize("spoilt", [b"abc", b'{"seq":12,"type":"stakd"}', b"", b'{"seq":12,"type":"noted"}', b"\xff"])
def test_of_a_half_that_cannot_be_read_every_problem_is_told(tmp_path: Path, spoilt: bytes) -> None:
    events = evening(2, hands=2, seats=3, habits=PLAIN)
    first = tmp_path / "first.jsonl"
    first.write_bytes(to_bytes(events[:12]))
    found = razbor("join", str(first), "-", given=spoilt + b"\n" + to_bytes(events[13:]))
    assert (found.exit_code, "line 1" in found.stdout) == (3, True)
    assert razbor("join", str(first), "-", given=b"").exit_code == 3


def test_a_half_may_come_in_any_wrapper_and_the_first_begins_at_nought(tmp_path: Path) -> None:
    events = evening(2, hands=2, seats=3, habits=PLAIN)
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    first.write_bytes(b"\xef\xbb\xbf" + to_bytes(events[:12]))
    for packed in (gzip.compress, zstd.compress):
        second.write_bytes(packed(to_bytes(events[12:])))
        assert razbor("join", str(first), str(second)).stdout_bytes == to_bytes(events)
    assert razbor("join", str(second), "-", given=to_bytes(events)).exit_code == 1
    assert join(events[12:], events[len(events) - 12 :]) == 12


def test_halves_are_read_as_any_file_is(tmp_path: Path) -> None:
    lines = to_bytes(evening(4, hands=2)).splitlines(keepends=True)
    first = written(tmp_path, "first", b"\xef\xbb\xbf" + b"".join(lines[:20]).replace(b"\n", b"\r\n"))
    second = written(tmp_path, "second", gzip.compress(b"".join(lines[17:]).replace(b":", b" :\r ")))
    joined = razbor("join", first, second)
    assert (joined.exit_code, joined.stdout_bytes) == (0, b"".join(lines))


@pytest.mark.parametrize(
    ("spoilt", "code", "line"),
    [
        ((b'"seat":', b'"seat":0.5,"x_was":'), "not-an-integer", 1),
        ((b'"seat":', b'"seat":1,"seat":'), "duplicate-key", 1),
        ((b'"seq":21', b'"seq":true'), "bad-value", 2),
        ((b'"seq":21,', b""), "missing-field", 2),
        ((b"{", b"\xff{"), "not-utf8", 1),
        ((b"{", b"\n{"), "blank-line", 1),
        ((b'"seat":', b'"seat":9,"x_was":'), "bad-reference", 21),  # of both together
    ],
)
def test_a_half_that_cannot_be_read_is_refused(
    spoilt: tuple[bytes, bytes], code: str, line: int, tmp_path: Path
) -> None:
    lines = to_bytes(evening(4, hands=2)).splitlines(keepends=True)
    noted = {"type": "noted", "seat": 1, "text": "-"}
    later = to_bytes([{**noted, "seq": 20}, {**noted, "seq": 21}])
    first = written(tmp_path, "first", b"".join(lines[:20]))
    refused = razbor("join", first, written(tmp_path, "second", later.replace(*spoilt, 1)), "-o", str(tmp_path / "out"))
    assert (refused.exit_code, (tmp_path / "out").exists()) == (3, False)
    assert f"line {line}  {code}" in refused.stdout
    assert razbor("join", written(tmp_path, "none", b""), first).exit_code == 3
    assert razbor("join", first, written(tmp_path, "sound", later)).exit_code == 0


def test_the_commands(tmp_path: Path) -> None:
    events = evening(2, hands=2, seats=3, habits=PLAIN)
    whole, other, first, second = (tmp_path / f"{name}.jsonl" for name in ("whole", "other", "first", "second"))
    whole.write_bytes(to_bytes(events))
    other.write_bytes(to_bytes(numbered([*events[:9], *events[10:]])))
    first.write_bytes(to_bytes(events[:12]))
    second.write_bytes(to_bytes(events[12:]))
    assert razbor("compare", str(whole), str(whole)).exit_code == 0
    found = razbor("compare", str(whole), str(other), "--merged", str(tmp_path / "m.jsonl"), "--lang", "en")
    assert found.exit_code == 1
    assert "only in the first" in found.stdout
    assert (tmp_path / "m.jsonl").read_bytes() == whole.read_bytes()
    assert razbor("join", str(first), str(second)).stdout == whole.read_text(encoding="utf-8")
    assert razbor("join", str(second), str(first)).exit_code == 1
    assert razbor("compare", "-", str(whole), given=to_bytes(events)).exit_code == 0
    assert razbor("compare", str(other), "-", given=to_bytes(events)).exit_code == 1
    assert razbor("join", str(first), "-", given=to_bytes(events[12:])).stdout == whole.read_text(encoding="utf-8")
    for command in ("compare", "join"):
        twice = razbor(command, "-", "-", given=to_bytes(events))
        assert (twice.exit_code, "Standard input (-) can be read once." in twice.stderr) == (2, True)
    assert razbor("compare", str(whole), str(tmp_path / "none.jsonl")).exit_code == 2
    half = razbor("compare", str(whole), str(second), "--json")
    assert (half.exit_code, data_of(half)[0]["format"]) == (3, "razbor-refusal/1")
    assert razbor("compare", str(whole), str(tmp_path)).exit_code == 2
    made = razbor("token", "--db", str(tmp_path / "j.db"), "--lang", "en")
    assert made.exit_code == 0
    assert razbor("token", "--revoke", "1", "--db", str(tmp_path / "j.db")).exit_code == 0
    assert razbor("token", "--revoke", "2", "--db", str(tmp_path / "j.db")).exit_code == 1


def test_halves_are_held_to_the_chain_of_a_receipt(tmp_path: Path) -> None:
    events = evening(2, hands=2, seats=3, habits=PLAIN)
    whole, first, second, other, db = (str(tmp_path / name) for name in ("whole", "first", "second", "other", "j.db"))
    Path(whole).write_bytes(to_bytes(events))
    Path(first).write_bytes(to_bytes(events[:12]))
    Path(second).write_bytes(to_bytes(events[12:]))
    Path(other).write_bytes(to_bytes([*events[12:14], {**events[14], "note": "later"}, *events[15:]]))
    (row,) = razbor("add", "--json", "--db", db, whole).stdout.splitlines()
    receipts = {name: str(tmp_path / name) for name in ("all", "early")}
    for name, more in (("all", ()), ("early", ("--at", "11"))):
        made = razbor("receipt", json.loads(row)["key"], "--db", db, "-o", receipts[name], *more)
        assert made.exit_code == 0, made.output
    joined = razbor("join", first, second, "--db", db, "--receipt", receipts["all"])
    assert (joined.exit_code, joined.stdout) == (0, Path(whole).read_text(encoding="utf-8"))
    assert razbor("join", first, other).exit_code == 0  # by numbers alone it continues
    strange = razbor("join", first, other, "--db", db, "--receipt", receipts["all"], "-o", str(tmp_path / "out"))
    assert strange.exit_code == 1
    assert "proves another event 14" in strange.output
    assert not (tmp_path / "out").exists()
    early = razbor("join", first, second, "--db", db, "--receipt", receipts["early"])
    assert early.exit_code == 1
    assert "does not reach across the seam" in early.output
    spoilt = tmp_path / "spoilt"
    spoilt.write_bytes(Path(receipts["all"]).read_bytes().replace(b'\\"seq\\":3', b'\\"seq\\":4', 1))
    assert razbor("join", first, second, "--db", db, "--receipt", str(spoilt)).exit_code == 1
    assert razbor("join", first, second, "--db", str(tmp_path / "none"), "--receipt", receipts["all"]).exit_code == 2


def test_the_page_compares_what_the_reader_may_see(client: FlaskClient, desk: TableDesk) -> None:
    events = evening(2, hands=1, seats=2, habits=PLAIN)
    both = (events, numbered([*events[:6], *events[7:]]))
    keys = [client.post("/api/v1/recordings", data=to_bytes(lines)).get_json()["id"] for lines in both]
    page = client.get(f"/compare.json?first={keys[0]}&second={keys[1]}")
    answers = [row["answer"] for row in page.get_json()["rows"]]
    assert answers.count("first") == 1
    assert client.get(f"/compare?first={keys[0]}&second={keys[1]}&lang=ru").status_code == 200
    got = client.get(f"/compare/merged.jsonl?first={keys[0]}&second={keys[1]}").get_data()
    assert [json.loads(line) for line in got.splitlines()] == events
    assert client.get(f"/compare?first={'0' * 16}&second=x").status_code == 404
    assert client.get("/compare").status_code == 200


def test_each_side_of_a_comparison_has_its_own_names(client: FlaskClient) -> None:
    events = evening(2, hands=1, seats=2, habits=PLAIN)
    head = {**events[0], "seats": ["Nina", "Oleg"]}
    both = (events, [head, *events[1:]])
    keys = [client.post("/api/v1/recordings", data=to_bytes(lines)).get_json()["id"] for lines in both]
    rows = client.get(f"/compare.json?first={keys[0]}&second={keys[1]}&lang=en").get_json()["rows"]
    anted = next(row for row in rows if any("antes" in part["text"] for part in row["first"]))
    said = ["".join(part["text"] for part in anted[side]).split()[0] for side in ("first", "second")]
    assert said[0] in events[0]["seats"]
    assert said[1] == head["seats"][events[0]["seats"].index(said[0])]


def test_time_note_and_source_that_one_alone_wrote_are_kept_in_the_merger() -> None:
    """Who took the note home, or the hour, and merged the two records, had lost them."""
    events = evening(2, hands=1, seats=2, habits=PLAIN)
    noon, later = "2026-11-29T20:15:00+03:00", "2026-11-29T20:16:00+03:00"
    ours = [{**event, "at": noon} if event["seq"] in (3, 5) else event for event in events]
    ours[4] = {**ours[4], "note": "said aloud", "source": "told"}
    theirs = [{**event, "at": later} if event["seq"] in (5, 6, len(events) - 1) else event for event in events]
    theirs[7] = {**theirs[7], "note": "hurried", "source": "inferred"}
    got = merged(compare(ours, numbered([*theirs[:8], *theirs[9:]])))
    assert {event["seq"]: event["at"] for event in got if "at" in event} == {
        3: noon, 5: noon, 6: later, len(events) - 1: later,
    }  # fmt: skip
    assert {event["seq"]: event["note"] for event in got if "note" in event} == {4: "said aloud", 7: "hurried"}
    # one saw what the other was told: it was seen
    assert not any("source" in event for event in got)
    assert [{name: event[name] for name in event if name not in ("at", "note")} for event in got] == events


@pytest.mark.parametrize(
    ("ours", "theirs", "source"),
    [
        ({"cards": ["Th"], "source": "told"}, {"cards": ["??"]}, "told"),
        ({"cards": ["Th"], "source": "told"}, {"cards": ["Th"], "source": "inferred"}, "told"),
        ({"cards": ["Th"], "source": "told"}, {"cards": ["Th"], "source": "seen"}, "seen"),
        ({"cards": ["?h"]}, {"cards": ["T?"], "source": "inferred"}, "inferred"),
    ],
)
def test_a_face_is_known_as_whoever_wrote_it_knew_it(ours: Json, theirs: Json, source: str) -> None:
    events = evening(2, hands=1, seats=2, habits=PLAIN)
    revealed = {"type": "revealed", "of": 5}
    found = compare(numbered([*events[:8], revealed | ours]), numbered([*events[:8], revealed | theirs]))
    assert found.rows[-1].merged == {"type": "revealed", "of": 5, "cards": ["Th"], "source": source}


def test_no_input_is_written_over(tmp_path: Path) -> None:
    events = evening(5, hands=1, seats=3, habits=PLAIN)
    first, second = (written(tmp_path, name, to_bytes(each)) for name, each in (("a", events), ("b", events[:-1])))
    (tmp_path / "link").symlink_to(second)
    for output in (first, second, str(tmp_path / "link")):
        for command in (("compare", first, second, "--merged"), ("join", first, second, "-o")):
            done = razbor(*command, output, "--lang", "en")
            assert (done.exit_code, "is not written over" in done.stderr) == (2, True)
    assert (Path(first).read_bytes(), Path(second).read_bytes()) == (to_bytes(events), to_bytes(events[:-1]))


def test_a_merger_that_is_no_recording_is_not_given_away(client: FlaskClient) -> None:
    events = evening(5, hands=1, seats=3, habits=PLAIN)
    fewer = numbered([events[0] | {"seats": events[0]["seats"][:2]}, {"type": "stake_set", "amount": 3}])
    more = numbered([events[0], {"type": "stake_set", "amount": 3}, {"type": "noted", "seat": 3, "text": "-"}])
    keys = [client.post("/api/v1/recordings", data=to_bytes(lines)).get_json()["id"] for lines in (fewer, more)]
    got = client.get(f"/compare/merged.jsonl?first={keys[0]}&second={keys[1]}&lang=en")
    assert (got.status_code, got.mimetype) == (422, "text/html")
    assert "bad-reference" in got.text


def test_what_differs_is_told_where_one_sentence_says_both(client: FlaskClient, tmp_path: Path) -> None:
    """`The recording begins` stood on both sides, and that they differ, but not in what."""
    events = evening(2, hands=1, seats=2, habits=PLAIN)
    both = (events, [{**events[0], "seats": ["Nina", "Oleg"]}, *events[1:]])
    keys = [client.post("/api/v1/recordings", data=to_bytes(lines)).get_json()["id"] for lines in both]
    row = client.get(f"/compare.json?first={keys[0]}&second={keys[1]}&lang=en").get_json()["rows"][0]
    told = ["".join(part["text"] for part in row[side]) for side in ("first", "second")]
    assert told[1] == 'The recording begins · seats ["Nina", "Oleg"]'
    assert told[0] != told[1]
    paths = [written(tmp_path, name, to_bytes(each)) for name, each in zip("ab", both, strict=True)]
    assert 'seats ["Nina", "Oleg"]' in razbor("compare", *paths, "--lang", "en").stdout
