"""The archive form: every recording there and back byte for byte, half as long, and nothing in it changed unseen."""

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings

from recorder import archive, intake
from recorder.decode import Limits
from recorder.flow import flows
from schemas.events import Recording
from schemas.problems import Refusal
from tests.bench.evenings import bourre, bura
from tests.recorder.lines import GOOD
from tests.walks.bura import to_bytes
from tests.walks.drawn import walks

CASES = Path(__file__).parent.parent / "cases"


def read(data: bytes) -> Recording:
    found = intake.read(data, intake.BULK)
    assert isinstance(found, Recording), found
    return found


def packed(recording: Recording) -> bytes:
    return b"".join(archive.packed(recording))


def refused(data: bytes, limits: Limits = intake.BULK) -> list[tuple[int, str]]:
    found = intake.read(data, limits)
    assert isinstance(found, Refusal), data
    return [(problem.line, str(problem.code)) for problem in found.problems]


EVENING = read((CASES / "bura" / "clean-04.bura.jsonl").read_bytes())
ARCHIVE = packed(EVENING)
ODD = [
    '{"seq":5,"type":"noted","text":"\\u0444 \\u2028 , : \\\\ \\"","x_mine":{"b":[1,null],"a":true}}',
    '{"seq":6,"type":"unseen","x_seq":1}', '{"seq":7,"type":"stack_counted","seat":1,"amount":-3,"id":"a.b"}',
    '{"seq":8,"type":"played","seat":1,"cards":["??","T?","?s"],"face":"down","at":"2026-11-29T10:00:00Z"}',
    '{"seq":9,"type":"drew","seat":1,"cards":[]}', '{"seq":10,"type":"trick_taken","seat":1,"x_a":"é"}',
    '{"seq":11,"type":"corrected","of":4,"event":{"type":"opened","seat":1},"reason":"so"}',
    '{"seq":12,"type":"inserted","after":4,"event":{"type":"opened","seat":2,"x_b":0,"note":"n"},"reason":"so"}',
    '{"seq":13,"type":"counted","seat":1,"points":0,"cards":[]}', '{"seq":14,"type":"stake_set","amount":1,"seat":2}',
]  # fmt: skip


@pytest.mark.parametrize("path", sorted(CASES.glob("*/*.jsonl")), ids=lambda path: path.stem)
def test_every_case_is_packed_and_unpacked_without_loss(path: Path) -> None:
    found = intake.read(path.read_bytes(), intake.BULK)
    if isinstance(found, Recording):
        assert read(packed(found)) == found


def test_odd_events_are_kept_to_the_byte() -> None:
    found = read("\n".join([*GOOD, *ODD]).encode())
    assert read(packed(found)) == found
    assert b'"cards":["??","T?","?s"]' in packed(found)


@settings(max_examples=30, deadline=None)
@given(walks(most_hands=2))
def test_any_evening_is_packed_and_unpacked_without_loss(events: list[dict[str, Any]]) -> None:
    found = read(to_bytes(events))
    assert read(packed(found)) == found


@pytest.mark.parametrize("plain", [bura(40), bourre(40)], ids=["bura", "bourre"])
def test_a_hand_is_one_line_and_takes_less_than_half_the_bytes(plain: bytes) -> None:
    data = packed(read(plain))
    assert data.count(b"\n") == 1 + 1 + 40
    assert len(data) <= 0.45 * len(plain)


def test_the_hash_of_a_line_is_that_of_all_canonical_lines_up_to_its_end() -> None:
    head, *lines = ARCHIVE.splitlines()
    told, count = hashlib.sha256(), 0
    for line in lines:
        said, events = json.loads(line)
        told.update(b"".join(each + b"\n" for each in EVENING.lines[count : count + len(events)]))
        count += len(events)
        assert said == told.hexdigest()
    assert count == len(EVENING.lines)
    assert json.loads(head) == {"archive": "razbor-archive/1", "digest": EVENING.digest}


def test_a_long_hand_goes_on_in_another_line() -> None:
    note = json.dumps({"type": "noted", "text": "x" * 500})
    lines = [*GOOD, *(f'{{"seq":{seq},{note[1:]}' for seq in range(5, 400))]
    found = read("\n".join(lines).encode())
    data = packed(found)
    assert max(map(len, data.splitlines())) < 40_000
    assert data.count(b"\n") > 5
    assert read(data) == found


def test_an_archive_of_several_recordings_is_a_bundle() -> None:
    other = read((CASES / "bourre" / "session-01.bourre.jsonl").read_bytes())
    assert tuple(intake.read_bundle(ARCHIVE + packed(other) + ARCHIVE)) == (EVENING, other, EVENING)
    assert intake.read_all(ARCHIVE + packed(other)) == (EVENING, other)


def test_no_byte_can_be_changed_unseen() -> None:
    small = packed(read("\n".join([*GOOD, *ODD[:2]]).encode()))
    for at in range(len(small)):
        for bit in (1, 32):
            changed = small[:at] + bytes([small[at] ^ bit]) + small[at + 1 :]
            assert isinstance(intake.read(changed), Refusal), (at, changed)


def test_lines_that_are_lacking_moved_doubled_or_foreign_are_told() -> None:
    head, *lines = ARCHIVE.splitlines(keepends=True)
    assert refused(head + b"".join(lines[:-1]))[0][1] == "bad-hash"
    assert refused(head) == [(1, "bad-hash")]
    for at in range(len(lines) - 1):
        assert refused(head + b"".join([*lines[:at], *lines[at + 1 :]]))[0][1] == "bad-hash"
        moved = [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]
        assert refused(head + b"".join(moved))[0][1] == "bad-hash"
        assert refused(head + b"".join([*lines[: at + 1], *lines[at:]]))[0][1] == "bad-hash"
    other = packed(read(bura(2))).splitlines(keepends=True)
    assert refused(other[0] + b"".join(lines))[0][1] == "bad-hash"
    assert refused(head + lines[0] + b"".join(other[2:]))[0][1] == "bad-hash"
    assert refused(ARCHIVE + EVENING.lines[0] + b"\n") == [(len(EVENING.lines) + 1, "bad-archive")]
    damaged = head + b"".join(lines[:-1])
    others = list(intake.read_bundle(damaged + ARCHIVE))
    assert isinstance(others[0], Refusal)
    assert others[1:] == [EVENING]


def forged(*elements: bytes) -> tuple[bytes, bytes]:
    """An archive whose hashes were all reckoned for what stands in it, each element as it is spelled there on a line of
    its own; and the text it stands for.
    """
    head = json.loads(GOOD[0])
    del head["seq"]
    first = json.dumps(head, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    told, lines, text = hashlib.sha256(), b"", b""
    for seq, element in enumerate((first, *elements)):
        raw: Any = msgspec.json.decode(element)
        event = {**raw, "seq": seq} if isinstance(raw, dict) else archive._SHORT.decode(element).whole(seq)
        spelled = archive._ENCODER.encode(event) + b"\n"
        told.update(spelled)
        text += spelled
        lines += archive.line(told.hexdigest(), element)
    return archive.head(told.hexdigest()) + lines, text


def test_whoever_reckons_every_hash_anew_has_made_another_recording_or_none() -> None:
    data, text = forged(b'["h",1,1]', b'{"text":"so","type":"noted"}')
    assert read(data) == read(text)
    for element, code in {
        b'["o",9]': "bad-reference", b'["f",1]': "wrong-game", b'{"text":"a","text":"b","type":"noted"}': "bad-archive",
        b'{"seat":1.0,"type":"opened"}': "not-an-integer", b'{"type":"opened", "seat":1}': "bad-archive",
        b'{"seat":1,"seq":1,"type":"opened"}': "bad-archive",
        b'{"seat":1,"type":"opened","zeal":2}': "unknown-field", b'{"type":"recording_began"}': "missing-field",
        b'{"event":{"seat":3.5,"type":"opened"},"of":0,"reason":"r","type":"corrected"}': "not-an-integer",
    }.items():  # fmt: skip
        assert code in {code for _, code in refused(forged(element)[0])}, element


@pytest.mark.parametrize(
    "element",
    [
        '["a",1,null]', '["k",1,null]', '["o",9]', '["f",1]', '["h",1,3]', '["j",1,-5]', '["e","carried"]',
        '{"points":null,"seat":1,"type":"trick_taken"}', '{"seat":1,"type":"opened"}', '{"seat":1.0,"type":"opened"}',
        '{"seat":9,"type":"opened"}', '{"id":"a","seat":1,"type":"opened"}', '{"id":"","seat":1,"type":"opened"}',
        '{"note":"\u0301","seat":1,"type":"opened"}', '{"text":"a\u0085b","type":"noted"}', '["d",1,""]',
        '{"text":"","type":"noted"}',
        '{"text":"\u212b","type":"noted"}', '{"at":"2026-13-01T00:00:00Z","text":"a","type":"noted"}',
        '{"card":"Zz","type":"card_missing"}', '{"events":7,"type":"recording_ended"}', '{"seat":7,"type":"opened"}',
        '{"name":"A","seat":3,"type":"player_joined"}', '{"name":"A","seat":9,"type":"player_joined"}',
        '{"cards":["Th"],"of":0,"type":"revealed"}', '{"of":7,"seat":1,"cards":["Th"],"type":"testified"}',
        '{"event":null,"of":0,"reason":"r","type":"corrected"}',
        '{"event":null,"of":1,"reason":"r","type":"corrected"}',
        '{"x_a":1.5,"type":"unseen"}', '{"type":"unseen","x_a":{"b":[[[[[[[[1]]]]]]]]}}', '{"type":"unseen","x_a":"a"}',
        '{"source":"seen","type":"unseen"}', '{"source":null,"type":"unseen"}', '{"type":"unseen","text":null}', "{}",
    ],
)  # fmt: skip
def test_an_archive_of_anything_says_what_its_text_says(element: str) -> None:
    """Whoever reckons every hash anew gains nothing by it."""
    data, text = forged(b'["a",7]', element.encode(), b'["h",1,1]')
    spelled = json.dumps(json.loads(element), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    if spelled != element:
        data, _ = forged(b'["a",7]', spelled.encode(), b'["h",1,1]')
        assert refused(forged(b'["a",7]', element.encode(), b'["h",1,1]')[0])[0][1] in ("bad-archive", "bad-text")
    assert answers(data) == answers(text)
    found = intake.read(text, intake.BULK)
    assert intake.read(data, intake.BULK) == found


@pytest.mark.parametrize(("deep", "code"), [(20, "too-deep"), (450, "too-deep"), (600, "bad-archive")])
def test_how_deep_can_be_read_does_not_hang_on_the_machine(deep: int, code: str) -> None:
    """Of what is nested as deep as no event is, some Pythons read more than others."""
    data, _ = forged(b'{"type":"unseen","x_a":' + b"[" * deep + b"]" * deep + b"}")
    assert refused(data)[0][1] == code


def answers(data: bytes) -> list[tuple[object, ...] | Refusal]:
    """What each recording is found to be: read in pieces where that leads to its end, else as a whole."""
    found: list[tuple[object, ...] | Refusal] = []
    for flow in flows(io.BytesIO(data)):
        events = tuple(event for batch in flow.batches() for event in batch)
        whole = flow.read()
        if flow.sound:
            found.append((events, flow.digest, flow.complete))
        else:
            found.append(whole if isinstance(whole, Refusal) else (whole.events, whole.digest, whole.complete))
    return found


def test_shapes_that_no_event_has_are_refused() -> None:
    for element in (
        b'["z",1]',
        b'["h",1]',
        b'["h",1,2,3]',
        b'["h",0,1]',
        b'["d",1,"Zz"]',
        b'["d",1,"T"]',
        b"1",
        b"null",
    ):
        body = b'{"archive":"razbor-archive/1","digest":"%b"}\n["%b",[%b]]\n' % (b"0" * 64, b"0" * 64, element)
        assert refused(body) == [(1, "bad-archive")], element


def test_what_is_read_of_an_archive_is_all_of_it() -> None:
    noted = '{"seq":%d,"type":"noted","text":"«%d»"}'
    lines = [
        *GOOD[:2],
        *(
            noted % (at, at) if at % 3 else f'{{"seq":{at},"type":"hand_began","hand":1,"dealer":1}}'
            for at in range(2, 30)
        ),
    ]
    found = read("\n".join(lines).encode())
    flow = next(flows(io.BytesIO(packed(found))))
    assert tuple(event for batch in flow.batches() for event in batch) == found.events
    assert flow.sound
    flow.skip()


def test_another_version_is_told() -> None:
    later = ARCHIVE.replace(b"razbor-archive/1", b"razbor-archive/2", 1)
    found = intake.read(later)
    assert isinstance(found, Refusal)
    assert [str(problem.code) for problem in found.problems] == ["unknown-version"]
    assert found.problems[0].args == {"value": "razbor-archive/2", "known": "razbor-archive/1"}


def test_the_limits_are_those_of_what_it_unpacks_to() -> None:
    count, size = len(EVENING.lines), sum(map(len, EVENING.lines)) + len(EVENING.lines)
    assert read(ARCHIVE) == EVENING
    assert isinstance(intake.read(ARCHIVE, Limits(size, count)), Recording)
    assert refused(ARCHIVE, Limits(size - 1, count))[0][1] == "too-large"
    assert {code for _, code in refused(ARCHIVE, Limits(size, count - 1))} == {"too-many-events"}
