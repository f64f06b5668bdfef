"""Every problem code of `record.md` 1, with the line and the field it is told at."""

import json
from typing import Any

import pytest

from recorder import intake, words
from schemas.events import Recording
from schemas.problems import Refusal
from tests.recorder.lines import BEGAN, DEALT, GOOD, HAND, PLAYED, STAKE


def told(*lines: str | bytes) -> list[tuple[int, str, str]]:
    """The line, field and code of each problem of a file of these lines."""
    data = b"\n".join(line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line for line in lines)
    found = intake.read(data)
    if isinstance(found, Recording):
        return []
    for problem in found.problems:
        for language in words.LANGUAGES:
            assert words.tell(problem, language).replace("\xa0", " ").isprintable()
    return [(problem.line, problem.field, str(problem.code)) for problem in found.problems]


def header(**changes: Any) -> str:
    raw = json.loads(BEGAN)
    raw |= changes
    return json.dumps({key: value for key, value in raw.items() if value is not ...}, ensure_ascii=False)


def fifth(**fields: Any) -> list[str]:
    """The good lines and one more event, the sixth line."""
    return [*GOOD, json.dumps({"seq": 5, **fields}, ensure_ascii=False)]


def test_the_good_lines_are_a_recording() -> None:
    assert told(*GOOD) == []


LINE_CASES = [
    ('{"seq":1,"type":"stake_set","amount":10}}', "", "not-json"),
    ('{"seq":1,"type":"stake_set","amount":10', "", "not-json"),
    ("{'seq':1}", "", "not-json"),
    ('{"seq":1,"type":"stake_set","amount":010}', "", "not-json"),
    ('{"seq":1,"type":"stake_set","amount":NaN}', "", "not-json"),
    ('{"seq":1,"type":"stake_set","amount":-Infinity}', "", "not-json"),
    ('\ufeff{"seq":1,"type":"stake_set","amount":10}', "", "not-json"),
    (b'{"seq":1,"type":"noted","text":"\xff"}', "", "not-utf8"),
    (b'{"seq":1,"type":"noted","text":"\xed\xa0\x80"}', "", "not-utf8"),
    (b'{"seq":1,"type":"noted","text":"\xc0\x80"}', "", "not-utf8"),
    ("[1]", "", "not-an-object"),
    ("null", "", "not-an-object"),
    ('"seq"', "", "not-an-object"),
    ("1.5", "", "not-an-object"),
    ('{"seq":1,"type":"stake_set","amount":10,"amount":10}', "amount", "duplicate-key"),
    ('{"seq":1,"seq":1,"type":"stake_set","amount":10}', "seq", "duplicate-key"),
    ('{"seq":1,"type":"stake_set","amount":10,"x_a":{"b":1,"b":2}}', "x_a.b", "duplicate-key"),
    ('{"seq":1,"type":"stake_set","amount":1.0}', "amount", "not-an-integer"),
    ('{"seq":1,"type":"stake_set","amount":1e3}', "amount", "not-an-integer"),
    ('{"seq":1,"type":"stake_set","amount":10,"x_a":[1.5]}', "x_a", "not-an-integer"),
    ('{"seq":1,"type":"stake_set","amount":9007199254740992}', "amount", "out-of-range"),
    ('{"seq":1,"type":"stake_set","amount":10,"x_a":-9007199254740992}', "x_a", "out-of-range"),
    ('{"seq":1,"type":"stake_set","amount":' + "9" * 60_000 + "}", "amount", "out-of-range"),
    ('{"seq":1,"type":"noted","text":""}', "text", "bad-text"),
    ('{"seq":1,"type":"noted","text":"a\\tb"}', "text", "bad-text"),
    ('{"seq":1,"type":"noted","text":"a\tb"}', "text", "bad-text"),
    ('{"seq":1,"type":"noted","text":"a\x7f"}', "text", "bad-text"),
    ('{"seq":1,"type":"noted","text":"a\x9f"}', "text", "bad-text"),
    ('{"seq":1,"type":"noted","text":"\\ud800"}', "text", "bad-text"),
    ('{"seq":1,"type":"noted","text":"e\u0301"}', "text", "bad-text"),
    ('{"seq":1,"type":"noted","text":"' + "a" * 501 + '"}', "text", "bad-text"),
    ('{"seq":1,"type":"noted","text":"a","note":""}', "note", "bad-text"),
    ('{"seq":1,"type":"noted","text":"a","x_a":"\\u0000"}', "x_a", "bad-text"),
    ('{"seq":1,"type":"card_missing","card":"Xh"}', "card", "bad-card"),
    ('{"seq":1,"type":"card_missing","card":"10h"}', "card", "bad-card"),
    ('{"seq":1,"type":"card_missing","card":"Тh"}', "card", "look-alike-letter"),
    ('{"seq":1,"type":"dealt","seat":1,"cards":["As","Кs"]}', "cards", "look-alike-letter"),
    ('{"seq":1,"type":"stake_set","amount":10,"colour":"red"}', "colour", "unknown-field"),
    ('{"seq":1,"type":"stake_set","amount":10,"X_a":1}', "X_a", "unknown-field"),
    ('{"seq":1,"type":"stake_set","amount":10,"q\\u001b[31m":1}', "q\\x1b[31m", "unknown-field"),
    ('{"seq":1,"type":"stake_set","amount":10,"x_\\u001b[31m":1}', "x_\\x1b[31m", "unknown-field"),
    ('{"seq":1,"type":"stake_set","amount":10,"x_a":{"\\u0007":1}}', "x_a.\\x07", "unknown-field"),
    ('{"seq":1,"type":"stake_set"}', "amount", "missing-field"),
    ('{"seq":1,"amount":10}', "type", "missing-field"),
    ('{"type":"stake_set","amount":10}', "seq", "missing-field"),
    ('{"seq":1,"type":"stake_set","amount":"10"}', "amount", "bad-value"),
    ('{"seq":1,"type":"stake_set","amount":true}', "amount", "bad-value"),
    ('{"seq":1,"type":"stake_set","amount":null}', "amount", "bad-value"),
    ('{"seq":1,"type":"stake_set","amount":0}', "amount", "bad-value"),
    ('{"seq":1,"type":"stake_set","amount":-10}', "amount", "bad-value"),
    ('{"seq":1,"type":"stake_set","amount":10,"seat":null}', "seat", "bad-value"),
    ('{"seq":true,"type":"stake_set","amount":10}', "seq", "bad-value"),
    ('{"seq":1,"type":7,"amount":10}', "type", "bad-value"),
    ('{"seq":1,"type":"pot_counted","amount":-1}', "amount", "bad-value"),
    ('{"seq":1,"type":"stake_set","amount":10,"source":"dreamt"}', "source", "bad-value"),
    ('{"seq":1,"type":"stake_set","amount":10,"at":"2026-11-29T20:15:00"}', "at", "bad-value"),
    ('{"seq":1,"type":"stake_set","amount":10,"at":"2026-02-30T20:15:00Z"}', "at", "bad-value"),
    ('{"seq":1,"type":"stake_set","amount":10,"id":"a b"}', "id", "bad-value"),
    ('{"seq":1,"type":"stake_set","amount":10,"id":""}', "id", "bad-value"),
    ('{"seq":1,"type":"hand_began","hand":0,"dealer":1}', "hand", "bad-value"),
    ('{"seq":1,"type":"dealt","seat":0,"cards":["As"]}', "seat", "bad-value"),
    ('{"seq":1,"type":"dealt","seat":1,"cards":"As"}', "cards", "bad-value"),
    ('{"seq":1,"type":"dealt","seat":1,"cards":[5]}', "cards", "bad-value"),
    ('{"seq":1,"type":"played","seat":1,"cards":["As"],"face":"left"}', "face", "bad-value"),
    ('{"seq":1,"type":"deck_committed","commitment":"abc"}', "commitment", "bad-value"),
    ('{"seq":1,"type":"deck_revealed","cards":["As"],"salt":"xyz"}', "salt", "bad-value"),
    ('{"seq":1,"type":"hand_ended","reason":"most_tricks"}', "reason", "bad-value"),
    ('{"seq":1,"type":"shuffled"}', "type", "unknown-type"),
    ('{"seq":1,"type":"folded","seat":1}', "type", "wrong-game"),
    ('{"seq":9,"type":"stake_set","amount":10}', "seq", "seq-gap"),
    ('{"seq":0,"type":"stake_set","amount":10}', "seq", "seq-gap"),
    ('{"seq":1,"type":"dealt","seat":3,"cards":["As"]}', "seat", "bad-reference"),
    ('{"seq":1,"type":"hand_began","hand":1,"dealer":3}', "dealer", "bad-reference"),
    ('{"seq":1,"type":"stake_set","amount":10,"seat":3}', "seat", "bad-reference"),
    ('{"seq":1,"type":"noted","text":"a","seat":3}', "seat", "bad-reference"),
    ('{"seq":1,"type":"player_joined","seat":4,"name":"Вера"}', "seat", "bad-reference"),
    ('{"seq":1,"type":"revealed","of":1,"cards":["As"]}', "of", "bad-reference"),
    ('{"seq":1,"type":"revealed","of":0,"cards":["As"]}', "of", "bad-reference"),
    ('{"seq":1,"type":"testified","seat":1,"of":2,"cards":["As"]}', "of", "bad-reference"),
    ('{"seq":1,"type":"corrected","of":1,"event":null,"reason":"a"}', "of", "bad-reference"),
    ('{"seq":1,"type":"corrected","of":0,"event":null,"reason":"a"}', "of", "bad-reference"),
    ('{"seq":1,"type":"inserted","after":5,"event":{"type":"opened","seat":1},"reason":"a"}', "after", "bad-reference"),
    ("", "", "blank-line"),
    (" \t", "", "blank-line"),
    ('{"seq":1,"type":"noted","text":"a","x_a":"' + "a" * 65_536 + '"}', "", "line-too-long"),
    ('{"seq":1,"type":"noted","text":"a","x_a":' + "[" * 8 + "]" * 8 + "}", "", "too-deep"),
    ("[" * 60_000, "", "too-deep"),
    (BEGAN.replace('"seq":0', '"seq":1'), "type", "not-a-recording"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "field", "code"), LINE_CASES)
def test_one_bad_line_is_told_once_at_its_line_and_field(line: str | bytes, field: str, code: str) -> None:
    after = HAND if line and not (isinstance(line, str) and not line.strip()) else HAND.replace('"seq":2', '"seq":1')
    assert told(BEGAN, line, after) == [(2, field, code)]


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"format": "razbor/2"}, "format", "unknown-version"),
        ({"format": "chess"}, "format", "unknown-version"),
        ({"format": ...}, "format", "missing-field"),
        ({"format": 1}, "format", "bad-value"),
        ({"game": "poker"}, "game", "bad-value"),
        ({"game": ...}, "game", "missing-field"),
        ({"rules": ...}, "rules", "missing-field"),
        ({"rules": []}, "rules", "bad-value"),
        ({"rules": {}}, "rules.preset", "unknown-rules"),
        ({"rules": {"preset": "bura/classic-36"}}, "rules.preset", "unknown-rules"),
        ({"rules": {"preset": "bourre/classic@1"}}, "rules.preset", "unknown-rules"),
        ({"rules": {"preset": "../../x@1"}}, "rules.preset", "unknown-rules"),
        ({"rules": {"preset": 1}}, "rules.preset", "bad-value"),
        ({"rules": {"preset": "bura/pagat-36@1", "options": []}}, "rules.options", "bad-value"),
        ({"rules": {"preset": "bura/pagat-36@1", "hint": 1}}, "rules.hint", "unknown-field"),
        ({"rules": {"preset": "bura/classic-36@1"}}, "rules.options.molodka_turn", "unknown-rules"),
        ({"rules": {"preset": "bura/classic-32@1", "options": {}}}, "rules.options.molodka_turn", "unknown-rules"),
        ({"rules": {"preset": "bura/pagat-36@1", "options": {"tie": "split"}}}, "rules.options.tie", "unknown-rules"),
        ({"rules": {"preset": "bura/pagat-36@1", "options": {"pack": "36"}}}, "rules.options.pack", "unknown-rules"),
        ({"rules": {"preset": "bura/pagat-36@1", "options": {"pack": True}}}, "rules.options.pack", "unknown-rules"),
        ({"seats": ["a"]}, "seats", "bad-value"),
        ({"seats": list("abcdefghi")}, "seats", "bad-value"),
        ({"seats": ["a", "a"]}, "seats", "bad-value"),
        ({"seats": ["a", ""]}, "seats", "bad-text"),
        ({"seats": ["a", "b" * 41]}, "seats", "bad-text"),
        ({"seats": {"a": 1}}, "seats", "bad-value"),
        ({"stacks": [100]}, "stacks", "bad-value"),
        ({"stacks": [100, -1]}, "stacks", "bad-value"),
        ({"pot": -1}, "pot", "bad-value"),
        ({"unit": ""}, "unit", "bad-text"),
        ({"unit_digits": 10}, "unit_digits", "bad-value"),
        ({"view": "seat:0"}, "view", "bad-value"),
        ({"view": "seat:x"}, "view", "bad-value"),
        ({"view": "mine"}, "view", "bad-value"),
        ({"view": "seat:3"}, "view", "bad-reference"),
        ({"title": "a" * 501}, "title", "bad-text"),
        ({"seq": 1}, "seq", "seq-gap"),
    ],
)
def test_a_bad_header(changes: dict[str, Any], field: str, code: str) -> None:
    shift = 1 if changes == {"seq": 1} else 0
    rest = [line.replace(f'"seq":{number}', f'"seq":{number + shift}') for number, line in enumerate(GOOD) if number]
    assert told(header(**changes), *rest) == [(1, field, code)]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [({"seats": ["Anna", "Boris", "Anna"]}, '1 × "Anna"'), ({"stacks": [100]}, "[..., ...]")],
)
def test_what_would_be_right_in_a_header(changes: dict[str, Any], expected: str) -> None:
    found = intake.read("\n".join([header(**changes), *GOOD[1:]]).encode())
    assert isinstance(found, Refusal)
    assert expected in [each.args.get("expected") for each in found.problems]


def corrected(event: Any, **fields: Any) -> dict[str, Any]:
    return {"type": "corrected", "of": 3, "event": event, "reason": "slip", **fields}


def inserted(event: Any, **fields: Any) -> dict[str, Any]:
    return {"type": "inserted", "after": 3, "event": event, "reason": "forgotten", **fields}


@pytest.mark.parametrize(
    ("event", "field", "code"),
    [
        (corrected({"type": "dealt", "seat": 1, "cards": ["Xx"]}), "event.cards", "bad-card"),
        (corrected({"type": "dealt", "seat": 1}), "event.cards", "missing-field"),
        (corrected({"seat": 1}), "event.type", "missing-field"),
        (corrected({"type": "x", "seat": 1}), "event.type", "unknown-type"),
        (corrected({"type": "folded", "seat": 1}), "event.type", "wrong-game"),
        (corrected({"type": "opened", "seat": 3}), "event.seat", "bad-reference"),
        (corrected({"type": "opened", "seat": 1, "seq": 3}), "event.seq", "unknown-field"),
        (corrected({"type": "opened", "seat": 1, "seq": None}), "event.seq", "unknown-field"),
        (corrected({"type": "opened", "seat": 1, "note": "a\u0007"}), "event.note", "bad-text"),
        (corrected({"type": "staked", "seat": 1, "amount": 1.5, "why": "ante"}), "event.amount", "not-an-integer"),
        (corrected({"type": "recording_ended", "events": 5}), "event.type", "bad-value"),
        (corrected({"type": "corrected"}), "event.type", "bad-value"),
        (corrected("opened"), "event", "bad-value"),
        ({"type": "corrected", "of": 3, "reason": "a"}, "event", "missing-field"),
        ({"type": "corrected", "of": 3, "event": None}, "reason", "missing-field"),
        (corrected(None, agreed=[1, 3]), "agreed", "bad-reference"),
        (inserted(None), "event", "bad-value"),
        (inserted({"type": "opened", "seat": 1}, after=-1), "after", "bad-value"),
        (inserted({"type": "revealed", "of": 7, "cards": ["As"]}), "event.of", "bad-reference"),
        ({"type": "revealed", "of": 4, "cards": ["Th"]}, "cards", "bad-value"),
        ({"type": "revealed", "of": 2, "cards": ["Th"]}, "of", "bad-reference"),
        ({"type": "testified", "seat": 1, "of": 4, "cards": ["Th/Th", "??"]}, "cards", "bad-card"),
    ],
)  # fmt: skip
def test_amendments_and_evidence(event: dict[str, Any], field: str, code: str) -> None:
    assert told(*fifth(**event)) == [(6, field, code)]


@pytest.mark.parametrize(
    "event",
    [
        corrected(None, agreed=[1, 2]),
        corrected({"type": "dealt", "seat": 1, "cards": ["??"], "id": "k", "x_a": 1}),
        inserted({"type": "player_joined", "seat": 3, "name": "Вера"}, after=0),
        {"type": "revealed", "of": 4, "cards": ["Th", "??"]},
        {"type": "testified", "seat": 2, "of": 4, "cards": ["Td/Ks", "?s"]},
        {"type": "stack_counted", "seat": 1, "amount": -5},
        {"type": "player_joined", "seat": 3, "name": "Вера", "stack": 0},
        {"type": "player_joined", "seat": 1, "name": "Анна"},
        {"type": "deck_revealed", "cards": ["As"], "salt": ""},
        {"type": "noted", "text": "a\u2028b", "x_anything": {"deep": [True, None, {"a": -1}]}, "x_": "e\u0301"},
        {"type": "trick_taken", "seat": 1, "points": 0, "source": "told", "id": "a.b:c-d_e"},
        {"type": "opened", "seat": 1, "at": "2026-11-29T20:15:00Z", "note": "at last"},
    ],
)  # fmt: skip
def test_what_may_be_written(event: dict[str, Any]) -> None:
    assert told(*fifth(**event)) == []


def test_a_correction_of_an_amendment_is_refused() -> None:
    lines = fifth(type="corrected", of=3, event=None, reason="a")
    again = {"seq": 6, "type": "corrected", "of": 5, "event": None, "reason": "b"}
    assert told(*lines, json.dumps(again)) == [(7, "of", "bad-reference")]


def test_a_negative_stack_needs_open_balances() -> None:
    count = '{"seq":5,"type":"stack_counted","seat":1,"amount":-5}'
    assert told(header(stacks=[100, 100]), *GOOD[1:], count) == [(6, "amount", "bad-value")]


def test_a_player_who_joined_may_be_named_afterwards_and_viewed() -> None:
    joined = '{"seq":1,"type":"player_joined","seat":3,"name":"Вера"}'
    hand = '{"seq":2,"type":"hand_began","hand":1,"dealer":3}'
    assert told(header(view="seat:3"), joined, hand) == []
    assert told(BEGAN, hand.replace('"seq":2', '"seq":1'), joined.replace('"seq":1', '"seq":2')) == [
        (2, "dealer", "bad-reference")
    ]


def test_a_join_by_amendment_seats_nobody_for_the_record_itself() -> None:
    joined = {"type": "inserted", "after": 0, "event": {"type": "player_joined", "seat": 3, "name": "В"}, "reason": "a"}
    stake = {"seq": 6, "type": "inserted", "after": 0, "event": {"type": "sat_out", "seat": 3}, "reason": "a"}
    assert told(*fifth(**joined), json.dumps(stake)) == []
    assert told(*fifth(**joined), '{"seq":6,"type":"opened","seat":3}') == [(7, "seat", "bad-reference")]


def test_what_was_inserted_can_be_revealed() -> None:
    play = {"type": "played", "seat": 2, "cards": ["??"], "face": "down"}
    lines = fifth(type="inserted", after=4, event=play, reason="a")
    assert told(*lines, '{"seq":6,"type":"revealed","of":5,"cards":["7h"]}') == []
    assert told(*lines, '{"seq":6,"type":"revealed","of":5,"cards":["7h","8h"]}') == [(7, "cards", "bad-value")]


def test_ids_are_used_once() -> None:
    lines = [BEGAN, STAKE.replace("10", '10,"id":"k"'), HAND.replace('"dealer"', '"id":"k","dealer"')]
    assert told(*lines) == [(3, "id", "duplicate-id")]


def test_after_the_end_only_amendments_testimony_and_notes() -> None:
    ended = [*GOOD, '{"seq":5,"type":"recording_ended","events":6}']
    assert (
        told(
            *ended,
            '{"seq":6,"type":"noted","text":"a"}',
            '{"seq":7,"type":"testified","seat":1,"of":4,"cards":["Th","Kh"]}',
        )
        == []
    )
    assert told(*ended, '{"seq":6,"type":"opened","seat":1}') == [(7, "type", "not-a-recording")]
    assert told(*ended, '{"seq":6,"type":"recording_ended","events":6}') == [(7, "type", "not-a-recording")]
    assert told(*ended, BEGAN) == [(7, "type", "not-a-recording")]  # fmt: skip


def test_a_file_without_a_beginning() -> None:
    assert told(STAKE, HAND) == [(1, "type", "not-a-recording")]
    assert told("") == [(1, "", "not-a-recording")]


def test_what_stands_before_the_first_beginning_does_not_make_it_a_second_one() -> None:
    assert told("", *GOOD) == [(1, "", "blank-line")]
    assert told("{", *GOOD) == [(1, "", "not-json")]
    assert told(STAKE, *GOOD) == [(1, "type", "not-a-recording")]
    assert told("", *GOOD, *GOOD) == [(1, "", "blank-line"), (7, "type", "not-a-recording")]


def test_one_bad_line_does_not_hide_another_nor_make_others_bad() -> None:
    lines = [
        BEGAN,
        '{"seq":1,"type":"stake_set"',
        HAND.replace('"seq":2', '"seq":"2"'),
        DEALT.replace("Th", "Zz"),
        PLAYED,
    ]
    assert told(*lines) == [(2, "", "not-json"), (3, "seq", "bad-value"), (4, "cards", "bad-card")]
    assert told("{", *GOOD[1:]) == [(1, "", "not-json")]
    assert told(BEGAN, STAKE, DEALT, PLAYED) == [(3, "seq", "seq-gap")]
    assert told(BEGAN, STAKE, STAKE, HAND, DEALT) == [(3, "seq", "seq-gap")]
    assert told(BEGAN, STAKE, HAND.replace('"seq":2', '"seq":20'), DEALT) == [(3, "seq", "seq-gap")]


def test_all_flaws_of_one_line_are_told() -> None:
    line = '{"seq":5,"type":"played","seat":3,"cards":["Zz","Тh"],"face":"left","hue":1,"at":"now","note":1.5}'
    assert set(told(*GOOD, line)) == {
        (6, "seat", "bad-reference"), (6, "cards", "bad-card"), (6, "cards", "look-alike-letter"),
        (6, "face", "bad-value"), (6, "hue", "unknown-field"), (6, "at", "bad-value"), (6, "note", "not-an-integer"),
    }  # fmt: skip


def test_no_more_than_a_hundred_problems() -> None:
    assert len(told(BEGAN, *["{"] * 1000)) == 100
