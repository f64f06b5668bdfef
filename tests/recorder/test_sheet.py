"""Score sheets: what is written reads back as the very same recording; what a person writes; where a fault stands."""

import gzip
import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recorder import intake, sheet
from recorder.sheet_forms import HEADER, SLOTS
from recorder.sheet_words import STRUCK, dialect, folded
from recorder.sheet_write import write_sheet
from recorder.words import LANGUAGES, tell, topic
from replay import desk
from schemas.events import TYPES, Recording
from schemas.problems import Code, Refusal
from tests.engine.bourre import drawn as bourre
from tests.walks import drawn as bura
from tests.walks.bura import to_bytes
from tests.walks.noise import Noise

ROOT = Path(__file__).parent.parent.parent
FILES = sorted([*(ROOT / "tests" / "cases").glob("*/*.jsonl"), *(ROOT / "data" / "recordings").glob("*.jsonl")])
SHEETS = sorted((ROOT / "data" / "recordings" / "sheets").glob("*.txt"))
HEAD = "razbor-sheet/1 en\ngame bura\nrules bura/classic-36@1 molodka_turn=out_of_turn\nplayers Anna, Boris\n"
BEGAN: dict[str, Any] = {
    "seq": 0, "type": "recording_began", "format": "razbor/1", "game": "bura", "seats": ["Anna", "Boris"],
    "rules": {"preset": "bura/classic-36@1", "options": {"molodka_turn": "out_of_turn"}},
}  # fmt: skip


def bytes_of(recordings: tuple[Recording, ...]) -> list[bytes]:
    return [line for each in recordings for line in each.lines]


def holds(recordings: tuple[Recording, ...], language: str) -> None:
    """The sheet of the recordings reads back as them, to the byte."""
    text = write_sheet(recordings, language)
    found = sheet.read_sheet(text.encode())
    assert isinstance(found, tuple), (text, found)
    assert bytes_of(found) == bytes_of(recordings)
    assert [each.digest for each in found] == [each.digest for each in recordings]


def lines_of(body: str, head: str = HEAD) -> list[dict[str, Any]]:
    """The events of a sheet behind its head."""
    found = sheet.read_sheet((head + body).encode())
    assert isinstance(found, tuple), found
    return [{**json.loads(line)} for line in found[0].lines[1:]]


# -- there and back --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_case_goes_there_and_back(path: Path) -> None:
    found = intake.read_all(path.read_bytes(), intake.BULK)
    if isinstance(found, Refusal):
        assert path.name.startswith("refuse-")
        return
    for language in LANGUAGES:
        holds(found, language)


@given(st.one_of(bura.walks(most_hands=2), bourre.walks(most_hands=2).map(lambda evening: evening.events)))
@settings(max_examples=40)
def test_every_evening_goes_there_and_back(events: Any) -> None:
    found = intake.read_all(to_bytes(events))
    assert isinstance(found, tuple)
    for language in LANGUAGES:
        holds(found, language)


TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=12) | st.sampled_from(
    ['a "b" \\ c', "# no remark", "=> 1", "x=1, y", " ", "deal", "9", "true", "\u2028", "null", "2026-11-29T20:15:00Z"]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab =\"'{", max_size=3), inner, max_size=2),
    max_leaves=4,
)
EXTRAS = st.fixed_dictionaries(
    {},
    optional={
        "at": st.sampled_from(["2026-11-29T20:15:00+03:00", "2026-11-29t20:15:00.5z"]),
        "note": TEXTS,
        "source": st.sampled_from(["seen", "told", "inferred"]),
        "x_a": JSON,
        "x_ b=\"'": JSON,
        "x_1": JSON,
    },
)


@st.composite
def nonsense(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Any events a reader accepts, with all that may stand beside them, and amended in every way."""
    game = draw(st.sampled_from(["bura", "bourre"]))
    rules = {"preset": "bourre/classic@1"} if game == "bourre" else BEGAN["rules"]
    names = draw(st.lists(TEXTS, min_size=2, max_size=4, unique=True))
    head = {"title": TEXTS, "unit": TEXTS, "pot": st.integers(0, 9), "unit_digits": st.integers(0, 2)}
    events: list[dict[str, Any]] = [
        {**BEGAN, "game": game, "rules": rules, "seats": names, **draw(EXTRAS)}
        | draw(st.fixed_dictionaries({}, optional=head))
    ]
    noise = Noise(draw(st.integers(0, 2**32)), game, len(names), unseen=0.3)
    faced: list[dict[str, Any]] = []
    for seq in range(1, draw(st.integers(2, 12))):
        event: dict[str, Any] = {**noise.event(faced), **draw(EXTRAS)}
        if draw(st.integers(0, 5)) == 0:
            event["id"] = draw(st.sampled_from(["12", "true", "a", "null", ":", "-"])) + f"-{seq}"
        if draw(st.integers(0, 4)) == 0 and seq > 1 and events[-1]["type"] not in ("corrected", "inserted"):
            inner = {name: value for name, value in event.items() if name not in ("seq", "id")}
            agreed: dict[str, Any] = draw(st.sampled_from([{}, {"agreed": []}, {"agreed": [1, 2]}]))
            where = draw(st.sampled_from(["of", "after"]))
            event = {
                "type": "corrected" if where == "of" else "inserted",
                where: seq - 1,
                "reason": draw(TEXTS),
            } | agreed
            event["event"] = inner if where == "after" or draw(st.booleans()) else None
        if event["type"] in ("dealt", "played", "drew"):
            faced.append({**event, "seq": seq})
        events.append({**event, "seq": seq})
    return events


@given(nonsense(), st.sampled_from(LANGUAGES))
@settings(max_examples=100)
def test_any_events_at_all_go_there_and_back(events: list[dict[str, Any]], language: str) -> None:
    found = intake.read_all("\n".join(map(json.dumps, events)).encode())
    if isinstance(found, tuple):
        holds(found, language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("source", ["seen", "told", "inferred"])
def test_the_head_too_says_how_it_is_known(language: str, source: str) -> None:
    found = intake.read_all(json.dumps({**BEGAN, "source": source, "note": "=", "x_of": None}).encode())
    assert isinstance(found, tuple)
    holds(found, language)


def test_nonsense_is_mostly_accepted() -> None:
    """Else the test above would show nothing."""
    accepted: list[bool] = []

    @given(nonsense())
    @settings(max_examples=40)
    def count(events: list[dict[str, Any]]) -> None:
        accepted.append(isinstance(intake.read_all("\n".join(map(json.dumps, events)).encode()), tuple))

    count()
    assert sum(accepted) * 3 > len(accepted)


def test_a_sheet_may_be_packed_marked_and_ended_like_any_file() -> None:
    plain = (HEAD + "stake 10\n").encode()
    for data in (gzip.compress(plain), b"\xef\xbb\xbf" + plain, plain.replace(b"\n", b"\r\n"), b"\n\n" + plain):
        assert sheet.is_sheet(data)
        found = sheet.read_one(data)
        assert isinstance(found, Recording)
        assert found.lines[1] == b'{"amount":10,"seq":1,"type":"stake_set"}'


# -- what a person writes --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.name)
def test_the_sample_sheets_verify(path: Path) -> None:
    found = sheet.read_one(path.read_bytes())
    assert isinstance(found, Recording), [tell(each, "en") for each in found.problems]
    report = desk.verify(b"\n".join(found.lines))
    assert report["verdict"] == "verified", report["findings"]


def test_there_are_samples_of_each_game_and_language() -> None:
    assert {(path.name.split(".")[1], path.read_text().split("\n")[0][-2:]) for path in SHEETS} >= {
        ("bura", "ru"), ("bura", "en"), ("bourre", "ru"), ("bourre", "en"),
    }  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_example_of_the_help_is_a_sheet(language: str) -> None:
    text = topic("sheet", language)["help"]["text"]
    lines = [line for line in text.split("\n") if line.startswith("    ") or not line]
    start = next(at for at, line in enumerate(lines) if "razbor-sheet/1" in line)
    end = next(at for at, line in enumerate(lines) if line.strip() in ("finish", "всё", "terminé"))
    found = sheet.read_one("\n".join(line.strip() for line in lines[start : end + 1]).encode())
    assert isinstance(found, Recording)
    assert [event.seq for event in found.events] == list(range(16))
    amendments = [line.strip() for line in lines[end + 1 :] if line.strip()]
    assert len(amendments) == 4
    rest = "\n".join(line.strip() for line in [*lines[start : end + 1], *amendments])
    assert isinstance(sheet.read_one(rest.encode()), Recording)


def test_all_that_is_said_of_nobody_is_said_of_everybody() -> None:
    head = HEAD.replace("Anna, Boris", "Anna, Boris, Vera")
    events = lines_of("hand 1 dealer Boris\nante 10\ndeal ...\n3 As, 1 Ks, 2 (?) = 2\ndraw ?\n", head)
    assert [(each["type"], each["seat"]) for each in events if each["type"] in ("staked", "dealt", "drew")] == [
        ("staked", 3), ("staked", 1), ("staked", 2), ("dealt", 3), ("dealt", 1), ("dealt", 2),
        ("drew", 2), ("drew", 3), ("drew", 1),
    ]  # fmt: skip
    assert all(each["cards"] == ["??"] * 3 for each in events if each["type"] == "dealt")


def test_who_left_or_sits_out_is_not_everybody() -> None:
    head = HEAD.replace("Anna, Boris", "Anna, Boris, Vera")
    body = 'leaves Anna\nhand 1 dealer 2\nante 5\nend abandoned\njoins 1 "Ёлка"\n'
    body += "hand 2 dealer 2\nout 3\nante 5\nЁлка opens\n"
    events = lines_of(body, head)
    assert [each["seat"] for each in events if each["type"] == "staked"] == [3, 2, 1, 2]
    assert events[-1] == {"seq": len(events), "type": "opened", "seat": 1}


@pytest.mark.parametrize(
    ("line", "cards"),
    [
        ("1 As", ["As"]),
        ("1 as tH 10d", ["As", "Th", "Td"]),
        ("1 A♠ 10♥\ufe0f", ["As", "Th"]),
        ("1 ?h T? ? ..", ["?h", "T?", "??", "??", "??"]),
        ("1 -", []),
        ("1 (..)", ["??", "??"]),
        ("1 (9c ?)", ["9c", "??"]),
        ("1 ()", []),
        ("Anna plays As", ["As"]),
        ("plays Anna As", ["As"]),
        ('"Anna" As  # a remark', ["As"]),
    ],
)
def test_cards_may_be_written_so(line: str, cards: list[str]) -> None:
    (event,) = lines_of(line)
    assert event == {"seq": 1, "type": "played", "seat": 1, "cards": cards, "face": "down" if "(" in line else "up"}


@pytest.mark.parametrize(
    ("language", "written", "card"),
    [
        ("ru", "Тт", "Ac"), ("ru", "10п", "Ts"), ("ru", "вБ", "Jd"), ("ru", "Дч", "Qh"), ("ru", "?т", "?c"),
        ("fr", "Rp", "Ks"), ("fr", "Vk", "Jd"), ("fr", "Dc", "Qh"), ("fr", "10t", "Tc"), ("fr", "At", "Ac"),
        ("en", "Tc", "Tc"), ("ru", "Т?", "A?"),
    ],
)  # fmt: skip
def test_each_language_has_its_letters(language: str, written: str, card: str) -> None:
    assert dialect(language).cards(written) == [card]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_is_written_and_read(language: str) -> None:
    words = dialect(language)
    for card in [rank + suit for rank in "?23456789TJQKA" for suit in "?shdc"]:
        assert words.cards(words.spell([card])) == [card]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_means_two_things(language: str) -> None:
    """Neither at the beginning of a line nor in any other place; and no event is without a word."""
    said = topic("sheet", language)
    for tables in (("header", "event", "stake"), ("reason",), ("combination",), ("source",), ("field",), ("game",)):
        meanings: dict[str, tuple[str, str]] = {}
        for table in tables:
            for key, spelled in said[table].items():
                for word in {folded(each) for each in [*spelled, *([] if table == "header" else [key])]}:
                    assert meanings.setdefault(word, (table, key)) == (table, key), word
    assert set(said["event"]) == (set(TYPES) - {"recording_began", "staked"}) | {STRUCK}
    assert set(SLOTS) == set(TYPES) - {"recording_began"}
    assert set(said["header"]) == set(HEADER)
    assert set(said["problem"]) <= set(Code)


# -- faults ----------------------------------------------------------------------------------------------------------

FAULTS = [
    ("1 As Кs", 6, Code.LOOK_ALIKE_LETTER),
    ("1 As (..)", 6, Code.BAD_CARD),
    ("1 (..", 6, Code.MISSING_FIELD),
    ("1", 2, Code.MISSING_FIELD),
    ("1 ??", 3, Code.BAD_CARD),
    ("1 10s 11s", 7, Code.BAD_CARD),
    ("deal", 5, Code.MISSING_FIELD),
    ("deal As", 6, Code.MISSING_FIELD),
    ("hand 1", 7, Code.MISSING_FIELD),
    ("hand 1 dealer 3", 15, Code.BAD_REFERENCE),
    ("hand 1 dealer Vera", 15, Code.BAD_VALUE),
    ("stake ten", 7, Code.BAD_VALUE),
    ("stake 010", 7, Code.BAD_VALUE),
    ("stake 99999999999999999999", 7, Code.OUT_OF_RANGE),
    ("dance 1", 1, Code.UNKNOWN_TYPE),
    ("Vera As", 1, Code.UNKNOWN_TYPE),
    ('note "x', 6, Code.BAD_VALUE),
    ("note x", 6, Code.BAD_VALUE),
    ("1 As at=now", 6, Code.BAD_VALUE),
    ("1 As source=rumour", 6, Code.BAD_VALUE),
    ("1 As id=", 9, Code.MISSING_FIELD),
    ("1 As hue=red", 6, Code.UNKNOWN_FIELD),
    ("1 As x_a=1.5", 6, Code.NOT_AN_INTEGER),
    ('1 As x_a={"b":NaN}', 1, Code.NOT_JSON),
    ("1 As x_a=[[[[[[[[[1]]]]]]]]]", 1, Code.TOO_DEEP),
    ('1 As x_a="\\ud800"', 6, Code.BAD_TEXT),
    ('stake 1 note=""', 9, Code.BAD_TEXT),
    ("1 As, ,2 Ks", 7, Code.MISSING_FIELD),
    ("1 As, 2", 8, Code.MISSING_FIELD),
    ("= 5", 3, Code.BAD_REFERENCE),
    ("reveal 7 As", 8, Code.BAD_REFERENCE),
    ("reveal a1 As", 8, Code.BAD_VALUE),
    ('correct 0 "x" => stake 5', 9, Code.BAD_REFERENCE),
    ('insert 0 "x"', 13, Code.MISSING_FIELD),
    ('insert 0 "x" => 1 As, 2 Ks', 14, Code.BAD_VALUE),
    ('insert 0 "x" => stake 0', 23, Code.BAD_VALUE),
    ("1 opens 5", 9, Code.UNKNOWN_FIELD),
    ("1 counts", 9, Code.MISSING_FIELD),
    ("end won", 5, Code.BAD_VALUE),
    ("1 folds", 1, Code.WRONG_GAME),
    ("takes 1 5 id=a id=b", 16, Code.DUPLICATE_KEY),
    ("=", 2, Code.MISSING_FIELD),
]


@pytest.mark.parametrize(("line", "column", "code"), FAULTS, ids=[line for line, _, _ in FAULTS])
def test_a_fault_is_told_where_it_stands(line: str, column: int, code: Code) -> None:
    found = sheet.read_sheet(f"{HEAD}\npot 10 # so far so good\n{line}\n".encode())
    assert isinstance(found, Refusal)
    assert [(each.line, each.column, each.code) for each in found.problems][-1:] == [(7, column, code)]
    for language in LANGUAGES:
        assert all(tell(each, language) for each in found.problems)


@pytest.mark.parametrize(
    ("text", "line", "column", "code"),
    [
        ("razbor-sheet/2 en\n", 1, 14, Code.UNKNOWN_VERSION),
        ("razbor-sheet/1 de\ngame bura\n", 1, 16, Code.BAD_VALUE),
        ("hello\nworld\n", 1, 1, Code.NOT_A_RECORDING),
        ("", 1, 1, Code.NOT_A_RECORDING),
        (HEAD.replace("game bura", "game poker"), 2, 6, Code.BAD_VALUE),
        (HEAD.replace("game bura\n", ""), 3, 20, Code.MISSING_FIELD),
        (HEAD.replace("36@1", "37@1"), 3, 7, Code.UNKNOWN_RULES),
        (HEAD.replace("out_of_turn", "never"), 3, 25, Code.UNKNOWN_RULES),
        (HEAD.replace("Anna, Boris", "Anna"), 4, 9, Code.BAD_VALUE),
        (HEAD.replace("Anna, Boris", "Anna, Anna"), 4, 9, Code.BAD_VALUE),
        (HEAD.replace("Anna, Boris", "Anna,"), 4, 14, Code.MISSING_FIELD),
        (HEAD.replace("Anna, Boris", "2, 1"), 4, 9, Code.BAD_VALUE),
        (HEAD.replace("Anna, Boris", "Anna, 1"), 4, 15, Code.BAD_VALUE),
        (HEAD.replace("Anna, Boris", "7, Boris"), 4, 9, Code.BAD_VALUE),
        (HEAD + "stacks 100, ten\n", 5, 13, Code.BAD_VALUE),
        (HEAD + "stacks 100\n", 5, 8, Code.BAD_VALUE),
        (HEAD + "players X, Y\n", 5, 9, Code.DUPLICATE_KEY),
        (HEAD + "finish\n1 As\n", 6, 1, Code.NOT_A_RECORDING),
    ],
)
def test_a_fault_of_the_head_is_told_where_it_stands(text: str, line: int, column: int, code: Code) -> None:
    found = sheet.read_sheet(text.encode())
    assert isinstance(found, Refusal)
    first = found.problems[0]
    assert (first.line, first.column, first.code) == (line, column, code)


def test_a_russian_sheet_takes_no_latin_twin() -> None:
    """A Latin T beside Cyrillic ones would be ten or ace."""
    head = (
        HEAD.replace("/1 en", "/1 ru").replace("game", "игра").replace("rules", "правила").replace("players", "игроки")
    )
    found = sheet.read_sheet((head + "1 Tп\n").encode())
    assert isinstance(found, Refusal)
    assert found.problems[0].code is Code.LOOK_ALIKE_LETTER
    assert found.problems[0].args["twin"] == "Т"


SILENT = [  # these were read as something else, or told at another place
    ("1 draws 9c, 2 Kd", 13, Code.BAD_VALUE),
    ("Anna deal As, Boris Kd", 15, Code.BAD_VALUE),
    ("stake 10,5", 7, Code.BAD_VALUE),
    ("pot 20,50", 5, Code.BAD_VALUE),
    ("1 takes 10,5", 9, Code.BAD_VALUE),
    ("ante 1 10,5, 2 10", 8, Code.BAD_VALUE),
    ("= 1 23,5", 5, Code.UNKNOWN_FIELD),
    ("deal 1 As Ks Qs, ...", 18, Code.MISSING_FIELD),
    ("ante 10, 5", 6, Code.MISSING_FIELD),
    ("ante 10, 2 10", 6, Code.MISSING_FIELD),
    ("deal ..., 2 As Ks Qs", 6, Code.MISSING_FIELD),
    ("failed 20", 8, Code.MISSING_FIELD),
    ("debt 20", 6, Code.MISSING_FIELD),
    ("2 reveal As", 1, Code.UNKNOWN_FIELD),
    ("2 finish", 1, Code.UNKNOWN_FIELD),
    ("1 As = 1, 2 Ks\ndraw ?", 6, Code.MISSING_FIELD),
    ("title Thursday", 1, Code.UNKNOWN_FIELD),
    ("2 ante", 7, Code.MISSING_FIELD),
    ("Anna ante", 10, Code.MISSING_FIELD),
    ("Boris ante 10 20", 15, Code.UNKNOWN_FIELD),
    ("trump ..", 7, Code.BAD_CARD),
    ('trump "6d"', 7, Code.BAD_CARD),
    ("1 (As) face=up", 3, Code.DUPLICATE_KEY),
    ("1 (As Ks) 2 7c", 11, Code.UNKNOWN_FIELD),
    ("1 (As) Ks), 2 7c", 8, Code.UNKNOWN_FIELD),
]


@pytest.mark.parametrize(("line", "column", "code"), SILENT, ids=[line for line, _, _ in SILENT])
def test_nothing_is_read_as_something_else(line: str, column: int, code: Code) -> None:
    text = f"{HEAD}hand 1 dealer 2\n{line}\n"
    found = sheet.read_sheet(text.encode())
    assert isinstance(found, Refusal)
    assert [(each.line, each.column, each.code) for each in found.problems] == [(text.count("\n"), column, code)]
    assert all(tell(each, language)[0] != " " for each in found.problems for language in LANGUAGES)


@pytest.mark.parametrize(
    ("line", "event"),
    [
        ("2 stake 1", {"type": "stake_set", "amount": 1, "seat": 2}),
        ('Boris note "x"', {"type": "noted", "text": "x", "seat": 2}),
        ("razburka 5", {"type": "staked", "why": "razburka", "seat": 1, "amount": 5}),
        ("ante 1 10,2 20", {"type": "staked", "why": "ante", "seat": 1, "amount": 10}),
        ("ante 10, 1 opens", {"type": "staked", "why": "ante", "seat": 1, "amount": 10}),
        ("out 1,2", {"type": "sat_out", "seat": 1}),
    ],
)
def test_a_seat_may_stand_before_the_word(line: str, event: dict[str, Any]) -> None:
    assert lines_of(f"hand 1 dealer 2\n{line}\n")[1] == {"seq": 2, **event}


@pytest.mark.parametrize("taker", ["Boris", "2", '"Boris"'])
def test_the_sign_of_the_taker_wants_no_space(taker: str) -> None:
    for cards in ("10s 9s", "9s Ks"):
        said = lines_of(f"1 {cards}={taker} 14\n")
        assert said == lines_of(f"1 {cards} = {taker} 14\n")
        assert said[1] == {"seq": 2, "type": "trick_taken", "seat": 2, "points": 14}


def test_who_has_left_is_nobody_once_somebody_else_sits_there() -> None:
    body = 'leaves Anna\nAnna opens\njoins 1 "Ve\\"ra"\n"Ve\\"ra" opens\n'
    assert [each["seat"] for each in lines_of(body)] == [1, 1, 1, 1]
    found = sheet.read_sheet((HEAD + body + "Anna opens\n").encode())
    assert isinstance(found, Refusal)
    assert [(each.line, each.code) for each in found.problems] == [(9, Code.UNKNOWN_TYPE)]


def test_a_player_called_like_a_word_stands_in_quotes() -> None:
    head = HEAD.replace("Anna", "Trump")
    assert lines_of('"Trump" 6d\ntrump 7d\n', head)[0]["type"] == "played"
    found = sheet.read_sheet(f"{head}Trump 6d\n".encode())
    assert isinstance(found, Refusal)
    assert [(each.column, each.args["expected"]) for each in found.problems] == [(1, '"Trump" | trump')]


@pytest.mark.parametrize(
    ("line", "names"),
    [("1, 2", ("1", "2")), ('"2", "1"', ("2", "1")), ("Anna 2, B7", ("Anna 2", "B7")), ('Anna, "1"', ("Anna", "1"))],
)
def test_a_number_is_a_name_where_it_cannot_be_read_as_another_seat(line: str, names: tuple[str, ...]) -> None:
    found = sheet.read_sheet((HEAD.replace("Anna, Boris", line) + "2 ante 10\nfinish\n").encode())
    assert not isinstance(found, Refusal)
    assert found[0].began.seats == names
    assert found[0].events[1].seat == 2  # type: ignore[union-attr]


def test_words_may_be_spelled_as_a_phone_or_another_system_spells_them() -> None:
    head = "Razbor-Sheet/1 FR\njeu bura\nrègles bura/classic-36@1 molodka_turn=out_of_turn\njoueurs Zoé, Luc\n"
    assert lines_of("Zoé n’ouvre-pas\n", head)[0]["type"] == "open_declined"
    plain = unicodedata.normalize("NFD", head).replace(unicodedata.normalize("NFD", "Zoé"), "Zoé")
    assert lines_of(unicodedata.normalize("NFD", "Zoé reçoit ...\n"), plain)[0]["type"] == "dealt"
    evening = (HEAD + EVENING).encode()
    assert sheet.read_sheet(evening.replace(b"...", "…".encode())) == sheet.read_sheet(evening)
    assert lines_of("Anna (….)\n")[0]["cards"] == ["??"] * 4


EVENING = (
    "\nstake 10\nhand 1 dealer Boris\nante 10\ndeal ...\ntrump 6d\nAnna As Ks Qs, Boris (...) = Anna 30\ndraw ...\n"
    "Anna opens\nend opened\nfinish\n"
)


@pytest.mark.parametrize(
    ("right", "slip", "line"),
    [
        ("game", "gme", 2), ("rules", "rulez", 3), ("players", "plyers", 4), ("Anna, B", "Anna B", 4),
        ("Anna, B", "Anna; B", 4), ("players", "игроки", 4), ("stake", "stke", 6), ("dealer B", "dealer Br", 7),
        ("ante 10", "ante ten", 8), ("deal ", "dael ", 9), ("= Anna", "= Ana", 11), ("Anna opens", "Ana opens", 13),
    ],
)  # fmt: skip
def test_one_slip_is_told_in_one_sentence(right: str, slip: str, line: int) -> None:
    found = sheet.read_sheet((HEAD + EVENING).replace(right, slip, 1).encode())
    assert isinstance(found, Refusal)
    assert [each.line for each in found.problems] == [line]


@pytest.mark.parametrize("first", ["razbor-sheet 1 en", "Razbor sheet/1 en", "razbor-shet/1 en"])
def test_what_begins_nearly_like_a_sheet_is_told_how_one_begins(first: str) -> None:
    data = (HEAD + EVENING).replace("razbor-sheet/1 en", first).encode()
    assert sheet.is_sheet(data)
    found = sheet.read_one(data)
    assert isinstance(found, Refusal)
    assert [(each.line, each.code, each.words) for each in found.problems] == [(1, Code.NOT_A_RECORDING, "sheet")]


def test_every_fault_of_the_lines_is_told() -> None:
    found = sheet.read_sheet((HEAD + "stake ten\npot 1\n1 Zz\n").encode())
    assert isinstance(found, Refusal)
    assert [each.line for each in found.problems] == [5, 7]


WORDS = [
    "1", "2", "As", "(", ")", ",", "=", "=>", "deal", "ante", "10", "..", "?", '"x"', "id=a", "x_a=[1]", "{}", "#",
    "\n", "correct", "insert", "strike", "hand", "dealer", "Anna", "finish", "razbor-sheet/1 ru", "testifies",
    "of", "0", "a", "reveal", "noted", "\u2028", "counts", "-", "players", "joins", "out",
]  # fmt: skip


@given(st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join) | st.text(max_size=60), st.booleans())
@settings(max_examples=400)
def test_any_text_is_a_recording_or_a_refusal_with_its_place(text: str, headed: bool) -> None:
    data = ((HEAD if headed else "") + text).encode("utf-8", "surrogatepass")
    found = sheet.read_sheet(data)
    if isinstance(found, Refusal):
        assert found.problems
        assert all(each.line >= 1 and each.column >= 1 for each in found.problems)
        assert all(tell(each, language) for each in found.problems for language in LANGUAGES)


@given(st.binary(max_size=80), st.integers(0, 400))
@settings(max_examples=200)
def test_changed_bytes_never_make_an_exception(noise: bytes, at: int) -> None:
    data = (HEAD + 'stake 10\nhand 1 dealer 2\nante 10\ndeal ...\n1 As, 2 (Ks) = 1 11\nnote "x"\n').encode()
    place = at % len(data)
    found = sheet.read_sheet(data[:place] + noise + data[place + len(noise) // 2 :])
    assert isinstance(found, tuple | Refusal)


def test_what_may_be_a_sheet_is_unpacked_within_the_limits_of_the_file() -> None:
    data = gzip.compress(b"") * 9000 + gzip.compress(SHEETS[0].read_bytes())
    assert sheet.is_sheet(data)
    assert not sheet.is_sheet(data, intake.WEB)
    found = sheet.read_one(data, intake.WEB)
    assert isinstance(found, Refusal)
    assert [problem.code for problem in found.problems] == [Code.BAD_GZIP]
