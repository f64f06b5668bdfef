"""A table of plays and its mapping: the recording, or every problem with its line and column."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recorder import plays, sheet
from recorder.plays_mapping import MappingError, read_mapping
from recorder.words import LANGUAGES, tell
from schemas.events import Recording
from schemas.problems import Code, Refusal

DATA = Path(__file__).parent.parent.parent / "data"
TABLE = (DATA / "examples" / "plays.csv").read_bytes()
MAPPING = (DATA / "examples" / "plays.toml").read_bytes()
HEAD = """
[recording]
game = "bourre"
rules = { preset = "bourre/classic@1" }
seats = ["Ann", "Bob"]
"""
COLUMNS = (
    HEAD + '[columns]\ntype = "what"\nhand = "hand"\ndealer = "dealer"\nseat = "who"\ncards = "cards"\nface = "how"\n'
)


def read(table: str | bytes, mapping: str = COLUMNS) -> Recording | Refusal:
    found = evenings(table, mapping)
    if isinstance(found, Refusal):
        return found
    (recording,) = found
    return recording


def evenings(table: str | bytes, mapping: str) -> tuple[Recording, ...] | Refusal:
    data = table if isinstance(table, bytes) else table.encode()
    return plays.read_plays(data, read_mapping(mapping.encode()))


def events_of(table: str | bytes, mapping: str = COLUMNS) -> list[bytes]:
    found = read(table, mapping)
    assert isinstance(found, Recording), found
    return list(found.lines[1:])


def places(table: str | bytes, mapping: str = COLUMNS) -> list[tuple[int, int, Code]]:
    found = read(table, mapping)
    assert isinstance(found, Refusal)
    assert all(tell(each, language) for each in found.problems for language in LANGUAGES)
    return [(each.line, each.column, each.code) for each in found.problems]


def test_the_sample_is_the_same_evening_as_the_sheet() -> None:
    found = read(TABLE, MAPPING.decode())
    other = sheet.read_one((DATA / "recordings" / "sheets" / "thursday.bura.txt").read_bytes())
    assert isinstance(found, Recording)
    assert isinstance(other, Recording)
    assert found.lines == other.lines


def test_a_hand_begins_with_its_first_row() -> None:
    table = "what,hand,dealer,who,cards,how\nplayed,1,Bob,Ann,As,up\nplayed,2,Ann,Bob,Ks,up\nplayed,2,Ann,Ann,Qs,up\n"
    kinds = [line.split(b'"type":"')[1].split(b'"')[0] for line in events_of(table)]
    assert kinds == [b"hand_began", b"played", b"hand_began", b"played", b"played"]
    assert events_of(table)[2] == b'{"dealer":1,"hand":2,"seq":3,"type":"hand_began"}'


def test_columns_may_be_numbers_and_the_delimiter_any_sign() -> None:
    mapping = 'delimiter = "\\t"\n' + HEAD + '[columns]\nseat = 1\ncards = 2\n[defaults]\nface = "up"\n'
    assert events_of("Ann\tAs\n2\tKs\n", mapping) == [
        b'{"cards":["As"],"face":"up","seat":1,"seq":1,"type":"played"}',
        b'{"cards":["Ks"],"face":"up","seat":2,"seq":2,"type":"played"}',
    ]


def test_a_quoted_cell_may_hold_lines_and_they_are_counted() -> None:
    mapping = COLUMNS + 'note = "note"\n'
    head = "what,hand,dealer,who,cards,how,note\n"
    found = places(head + 'played,1,1,1,As,up,"a, b"\nplayed,1,1,1,Zz,up,"c\nd"\nplayed,1,1,5,Zs,up,\n', mapping)
    assert found == [(3, 5, Code.BAD_CARD), (5, 5, Code.BAD_CARD)]


@pytest.mark.parametrize(
    ("row", "column", "code"),
    [
        ("played,1,Bob,Ann,Ax,up", 5, Code.BAD_CARD),
        ("played,1,Bob,Ann,Аs,up", 5, Code.LOOK_ALIKE_LETTER),
        ("played,1,Bob,Vera,As,up", 4, Code.BAD_VALUE),
        ("played,1,Bob,3,As,up", 4, Code.BAD_REFERENCE),
        ("played,1,Bob,Ann,As,sideways", 6, Code.BAD_VALUE),
        ("dances,1,Bob,Ann,As,up", 1, Code.UNKNOWN_TYPE),
        ("opened,1,Bob,Ann,,", 1, Code.WRONG_GAME),
        ("folded,1,Bob,Ann,As,", 5, Code.UNKNOWN_FIELD),
        ("played,one,Bob,Ann,As,up", 2, Code.BAD_VALUE),
        ("played,1,Vera,Ann,As,up", 3, Code.BAD_VALUE),
        ("played,1,,Ann,As,up", 2, Code.MISSING_FIELD),
        ("played,1,Bob,Ann,As", 1, Code.MISSING_FIELD),
        ('played,1,Bob,Ann,"As', 1, Code.BAD_TEXT),
    ],
)
def test_a_fault_is_told_by_line_and_column(row: str, column: int, code: Code) -> None:
    assert places(f"what,hand,dealer,who,cards,how\n\n{row}\n")[0] == (3, column, code)


def test_where_a_mapping_is_no_toml_is_told() -> None:
    for mapping, place in ((b"letters = en\n", (1, 11)), (b"# a\n[", (2, 1)), (b"# a\n# b\xff\n", (2, 4))):
        with pytest.raises(MappingError) as caught:
            read_mapping(mapping)
        assert caught.value.place == place


def test_an_empty_table_lacks_every_column_that_was_named() -> None:
    assert places("") == [(1, 1, Code.MISSING_FIELD)] * 6


def test_a_name_nobody_has_is_told_with_the_names_there_are() -> None:
    found: Any = read("what,hand,dealer,who,cards,how\nplayed,1,Ann,Cid,As,up\n")
    assert [each.args["expected"] for each in found.problems] == ["Ann | Bob"]


def test_a_column_that_is_not_there_is_told() -> None:
    assert places("what,hand,dealer,who,cards\n") == [(1, 1, Code.MISSING_FIELD)]
    assert places("what,hand,dealer,who,cards,how\n\xff".encode("latin-1")) == [(2, 1, Code.NOT_UTF8)]


@pytest.mark.parametrize(
    ("mapping", "key"),
    [
        ("[", "TOML"),
        ("", "[recording]"),
        ("[recording]\nday = 2026-11-29\n", "recording"),
        ("[recording]\npot = inf\n", "recording"),
        ('ended = "yes"\n' + COLUMNS, "ended"),
        (COLUMNS + 'hue = "x"\n', "hue"),
        (COLUMNS + "points = 0\n", "columns.points"),
        (COLUMNS + "points = true\n", "columns.points"),
        (COLUMNS + "[defaults]\nface = [1]\n", "defaults.face"),
        (COLUMNS + '[values]\nface = "x"\n', "face"),
        (COLUMNS + "[values.face]\nx = 1.5\n", "values.face"),
        ('letters = "de"\n' + COLUMNS, "letters"),
        ("delimiter = 5\n" + COLUMNS, "delimiter"),
        ("colour = 5\n" + COLUMNS, "colour"),
        ("columns = 5\n" + HEAD, "columns"),
        (COLUMNS.replace("classic@1", "classic@7"), "recording.rules.preset"),
        (COLUMNS.replace('seats = ["Ann", "Bob"]', ""), "recording.seats"),
    ],
)
def test_a_mapping_that_cannot_be_used_is_told(mapping: str, key: str) -> None:
    with pytest.raises(MappingError) as caught:
        read("what,hand,dealer,who,cards,how\n", mapping)
    assert caught.value.key == key


CELLS = st.sampled_from(["", "1", "Ann", "As", "..", "played", "hand_began", '"', "up", "x", "\n", ",", "9" * 30, "\0"])


@given(st.lists(CELLS, max_size=40).map(",".join) | st.text(max_size=40), st.booleans())
@settings(max_examples=300)
def test_any_table_is_a_recording_or_a_refusal_with_its_place(text: str, headed: bool) -> None:
    table = ("what,hand,dealer,who,cards,how\n" if headed else "") + text
    found: Any = read(table.encode("utf-8", "surrogatepass"))
    if isinstance(found, Refusal):
        assert all(each.line >= 1 and each.column >= 1 for each in found.problems)


# -- nothing is left out, put together or taken for something else in silence ------------------------------------------

PLAYS = (
    '[recording]\ngame = "bura"\nseats = ["Ann", "Bob"]\n'
    'rules = { preset = "bura/classic-36@1", options = { molodka_turn = "in_turn" } }\n'
    '[columns]\nhand = "hand"\ntrick = "trick"\ndealer = "dealer"\nseat = "who"\ncards = "cards"\nat = "at"\n'
    'note = "note"\n[defaults]\nface = "up"\n'
)
TOP = "hand,trick,dealer,who,cards,at,note\n"


@pytest.mark.parametrize("second", ["1,1,Bob,Ann,Ks,,", ",1,,Ann,Ks,,", "1,1,Bob,Ann,Ks,2026-11-29T20:15:09Z,"])
def test_cards_of_one_play_are_one_play_whatever_else_its_rows_leave_out(second: str) -> None:
    """A hand written once, as in merged cells, and a note or a time beside one of the cards."""
    said = events_of(f"{TOP}1,1,Bob,Ann,As,2026-11-29T20:15:00Z,slowly\n{second}\n", PLAYS)
    assert len(said) == 2
    assert b'"at":"2026-11-29T20:15:00Z","cards":["As","Ks"],"face":"up","note":"slowly"' in said[1]
    assert events_of(f"{TOP}1,1,Bob,Ann,As,,\n1,1,Bob,Ann,Ks,,slowly\n", PLAYS)[1].count(b'"note":"slowly"') == 1


@pytest.mark.parametrize(
    ("first", "second", "column", "code"),
    [
        ("1,1,Bob,Ann,As,,slowly", "1,1,Bob,Ann,Ks,,fast", 7, Code.BAD_VALUE),
        ("1,1,Bob,Ann,As,,", "1,,Bob,Ann,Ks,,", 2, Code.MISSING_FIELD),
        ("1,,Bob,Ann,As,,", "1,,Bob,Ann,Ks,,", 2, Code.MISSING_FIELD),
        ("1,1,Bob,Ann,As,,", "1,1,Bob,Bob,Ks,,10,5", 8, Code.UNKNOWN_FIELD),
    ],
)
def test_what_could_mean_two_things_is_told(first: str, second: str, column: int, code: Code) -> None:
    assert places(f"{TOP}{first}\n{second}\n", PLAYS) == [(3, column, code)]


def test_empty_cells_behind_the_last_column_say_nothing() -> None:
    assert len(events_of(f"{TOP}1,1,Bob,Ann,As,,,,, \n", PLAYS)) == 2


def test_a_column_named_twice_is_told_if_the_mapping_names_it() -> None:
    table = TOP.replace("note", "note,who,who,other,other") + "1,1,Bob,Ann,As,,,,,,\n"
    assert places(table, PLAYS) == [(1, 8, Code.DUPLICATE_KEY)]
    assert len(events_of(table, PLAYS.replace('seat = "who"', "seat = 4"))) == 2


def test_a_numbered_column_that_no_row_has_is_told() -> None:
    mapping = HEAD + '[columns]\nseat = 1\ncards = 2\nnote = 4\n[defaults]\nface = "up"\n'
    assert places("Ann,As\nBob,Ks,x\n", mapping) == [(1, 1, Code.BAD_VALUE)]
    assert len(events_of("Ann,As\nBob,Ks,,x\n", mapping)) == 2


@pytest.mark.parametrize(
    ("cell", "code"), [('"Ann"x', Code.BAD_TEXT), ('"Ann', Code.BAD_TEXT), ("x" * 140_000, Code.LINE_TOO_LONG)]
)
def test_what_the_quotes_of_a_row_lack_is_told_in_a_sentence(cell: str, code: Code) -> None:
    found = read(f"what,hand,dealer,who,cards,how\n\nplayed,1,Bob,{cell},As,up\n")
    assert isinstance(found, Refusal)
    assert [(each.line, each.code) for each in found.problems] == [(3, code)]
    for language in LANGUAGES:
        said = tell(found.problems[0], language)
        assert "expected" not in said
        assert "field larger" not in said
        assert said[0].isupper()


def test_a_stroke_is_no_card() -> None:
    table = "what,hand,dealer,who,cards,how\ndiscarded,1,Bob,Ann,-,\ndrew,1,Bob,Ann,As,\n"
    assert [line.count(b"[]") for line in events_of(table)] == [0, 1, 0]
    assert places(table.replace("As", "As -")) == [(3, 5, Code.BAD_CARD)]


# -- what a server writes: many evenings in one table, and who played stands in the rows alone ------------------------

MANY = (COLUMNS.replace('seats = ["Ann", "Bob"]\n', "").replace("[columns]", '[columns]\nrecording = "game"')).replace(
    "\n[recording]", "names_from_table = true\nended = true\n[recording]", 1
)
HEADS = "game,what,hand,dealer,who,cards,how\n"


def test_one_table_holds_many_recordings_each_with_its_own_players() -> None:
    table = HEADS + "g1,played,1,Cid,Ann,As,up\ng1,played,1,Cid,Bob,Ks,up\ng1,played,1,Cid,Cid,Qs,up\n"
    found = evenings(table + "g2,played,1,Eve,Dan,2h,up\ng2,played,1,Eve,Eve,3h,up\n", MANY)
    assert isinstance(found, tuple)
    assert [(one.began.title, one.began.seats, one.complete) for one in found] == [
        ("g1", ("Ann", "Bob", "Cid"), True),
        ("g2", ("Dan", "Eve"), True),
    ]
    assert found[0].lines[1] == b'{"dealer":3,"hand":1,"seq":1,"type":"hand_began"}'
    assert found[1].lines[-1] == b'{"events":5,"seq":4,"type":"recording_ended"}'


def test_a_title_of_the_mapping_stands_and_players_may_be_named_there_too() -> None:
    mapping = COLUMNS.replace("[columns]", 'title = "Club"\n[columns]\nrecording = "game"')
    found = evenings(HEADS + "g1,played,1,Bob,Ann,As,up\ng2,played,1,Bob,Ann,As,up\n", mapping)
    assert isinstance(found, tuple)
    assert [(one.began.title, one.began.seats) for one in found] == [("Club", ("Ann", "Bob"))] * 2


def test_whoever_joins_is_seated_by_that_event() -> None:
    mapping = MANY.replace('seat = "who"', 'seat = "who"\nname = "how"')
    rows = "g,played,1,Ann,Ann,As,\ng,played,1,Ann,Bob,Ks,\ng,player_joined,,,3,,Cid\ng,played,2,Bob,Cid,Qs,\n"
    found = evenings(HEADS + rows, mapping.replace('face = "how"\n', "") + '[defaults]\nface = "up"\n')
    assert isinstance(found, tuple), found
    assert found[0].began.seats == ("Ann", "Bob")
    assert [b'"name":"Cid","seat":3' in line for line in found[0].lines].count(True) == 1
    assert found[0].lines[-2] == b'{"cards":["Qs"],"face":"up","seat":3,"seq":6,"type":"played"}'


@pytest.mark.parametrize(
    ("rows", "line", "column", "code"),
    [
        ("g1,played,1,Ann,Ann,As,up\ng2,played,1,Ann,Ann,As,up\ng1,played,1,Ann,Ann,As,up\n", 4, 1, Code.DUPLICATE_ID),
        ("g1,played,1,Bob,Ann,As,up\ng1,played,1,Bob,Bob,Ks,up\ng2,played,1,Bob,Ann,As,up\n", 4, 4, Code.BAD_VALUE),
        ("g1,played,1,Bob,Ann,As,up\ng1,played,1,Bob,Bob,Ks,up\ng2,played,1,Ann,Ann,As,up\n", 4, 1, Code.BAD_VALUE),
        ("g1,played,1,2,2,As,up\ng1,played,1,2,1,Ks,up\n", 2, 5, Code.BAD_VALUE),
    ],
)
def test_what_is_wrong_with_one_of_many_is_told_at_its_row(rows: str, line: int, column: int, code: Code) -> None:
    found = evenings(HEADS + rows, MANY)
    assert isinstance(found, Refusal)
    assert all(tell(each, language) for each in found.problems for language in LANGUAGES)
    assert (found.problems[0].line, found.problems[0].column, found.problems[0].code) == (line, column, code)


@pytest.mark.parametrize(
    "mapping",
    ["names_from_table = 1\n" + COLUMNS, "names_from_table = true\n" + COLUMNS],
)
def test_players_are_named_in_one_place(mapping: str) -> None:
    with pytest.raises(MappingError) as caught:
        evenings("what,hand,dealer,who,cards,how\n", mapping)
    assert caught.value.key == "names_from_table"


@pytest.mark.parametrize(("stacks", "began"), [("1000", [(1000,) * 3, (1000,) * 2]), ("[1000, 500]", None)])
def test_players_whom_the_table_names_have_a_stack(stacks: str, began: list[tuple[int, ...]] | None) -> None:
    """One sum is everybody's; a list is that of the seats in their order, and an evening of other seats is refused."""
    mapping = MANY.replace("[recording]", f"[recording]\nstacks = {stacks}")
    table = HEADS + "g1,played,1,Cid,Ann,As,up\ng1,played,1,Cid,Bob,Ks,up\ng1,played,1,Cid,Cid,Qs,up\n"
    found = evenings(table + "g2,played,1,Eve,Dan,2h,up\ng2,played,1,Eve,Eve,3h,up\n", mapping)
    if began is not None:
        assert isinstance(found, tuple)
        assert [one.began.stacks for one in found] == began
    else:
        assert isinstance(found, Refusal)
        assert [(each.line, each.field) for each in found.problems] == [(2, "stacks")]


def test_stacks_of_three_whom_the_table_names() -> None:
    mapping = MANY.replace("[recording]", "[recording]\nstacks = [3, 2, 1]")
    found = evenings(HEADS + "g,played,1,C,A,As,up\ng,played,1,C,B,Ks,up\ng,played,1,C,C,Qs,up\n", mapping)
    assert isinstance(found, tuple)
    assert (found[0].began.seats, found[0].began.stacks) == (("A", "B", "C"), (3, 2, 1))


@pytest.mark.parametrize("stacks", ["-1", "true", "[1]", '"ten"', str(2**53)])
def test_stacks_that_are_none_are_told_of_the_mapping(stacks: str) -> None:
    with pytest.raises(MappingError) as caught:
        evenings(HEADS, MANY.replace("[recording]", f"[recording]\nstacks = {stacks}"))
    assert caught.value.key == "recording.stacks"
