"""People read sums in the recording's unit, with its decimals; machines read whole numbers of its smallest part."""

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from flask.testing import FlaskClient

from recorder.journal import Journal
from replay import desk as desks
from replay.desk_journal import JournalDesk
from replay.web.app import create_app
from schemas.problems import Refusal
from schemas.sums import FIELDS
from tests.cli.razbor import razbor

CASES: Final = Path(__file__).parents[1] / "cases"
LANGS: Final = ("en", "ru", "fr")
BIG: Final = 1234567
"""What every sum is made greater by: no other number of a page is as long."""
NUMBER: Final = re.compile(r"(?<![0-9a-f#/=])\d+(?:[,\u202f]\d{3})*(?:[.,]\d{2})?(?![0-9a-f])")
MONEY: Final = (
    "bourre/fault-ante-above-maximum", "bourre/fault-missing-stake-ante", "bourre/cannot-pay-recorded",
    "bourre/fault-rule-unrecorded-tie", "bourre/fault-pot-miscounted", "bura/fault-takes-less-than-the-pot",
    "bura/rule-money-failed-open-pays-first-stake", "bura/table-opener-short-of-chips", "bura/table-amended",
    "bura/fault-ante-too-small", "bura/rule-contest-wrong-seat-paid",
)  # fmt: skip

IN_TURN: Final = tuple((case, LANGS[place % 3]) for place, case in enumerate(MONEY))


def great(value: Any, inside: str = "") -> Any:
    """The same event with every sum so many times greater."""
    if isinstance(value, dict):
        return {key: great(each, key) for key, each in value.items()}
    if isinstance(value, list):
        return [great(each, inside) for each in value]
    return value * BIG if inside in {*FIELDS, "max_ante", "pot_limit"} and isinstance(value, int) else value


def in_euros(case: str) -> bytes:
    """A case with great sums, counted in cents."""
    lines = [great(json.loads(line)) for line in next(CASES.glob(f"{case}.*.jsonl")).read_bytes().splitlines()]
    lines[0] |= {"unit": "EUR", "unit_digits": 2}
    return b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in lines)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JournalDesk]:
    journal = Journal.open(tmp_path_factory.mktemp("sums") / "journal.db")
    yield JournalDesk(journal, open_house=True)
    journal.close()


@pytest.fixture(scope="module")
def served(desk: JournalDesk) -> FlaskClient:
    return create_app(desk, secret=b"tests").test_client()


def put(desk: JournalDesk, data: bytes) -> str:
    found = desk.receive(data, keep=True, public=True)
    assert not isinstance(found, Refusal)
    return found.id


def unwritten(text: str) -> set[str]:
    """The long numbers of a text that are no sum with two decimals."""
    return {found for found in long_numbers(text) if found[-3] not in ".,"}


def long_numbers(text: str) -> list[str]:
    """The numbers of a text that are longer than any but sums: seven digits and more."""
    return [found for found in NUMBER.findall(text) if sum(sign.isdigit() for sign in found) > 6]


def strings(value: Any) -> Iterator[str]:
    """Every text in a piece of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from strings(each)


def plain(page: str) -> str:
    page = re.sub(r"<(script|style)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]*>", " ", page))


@pytest.mark.parametrize(("case", "lang"), IN_TURN)
def test_no_page_shows_a_sum_in_smallest_parts(desk: JournalDesk, served: FlaskClient, case: str, lang: str) -> None:
    id_ = put(desk, in_euros(case))
    head = desk.head(id_, "full")
    assert head
    asked = [f"/recordings/{id_}", f"/recordings/{id_}/report"]
    for span in head.hands:
        hand = f"/recordings/{id_}/hands/{span.hand}"
        asked += [f"{hand}/events/{span.last}", f"{hand}/events/{span.last}.svg", f"{hand}/dispute"]
    story = desk.story(id_, "full")
    assert story
    asked += [f"/recordings/{id_}/events/{one['seq']}/fit" for one in story.report["findings"][:4]]
    long = 0
    for path in asked:
        answer = served.get(f"{path}{'&' if '?' in path else '?'}lang={lang}")
        assert answer.status_code == 200, path
        text = plain(answer.text)
        long += len(long_numbers(text))
        assert unwritten(text) == set(), path
    assert long > 20


@pytest.mark.parametrize("case", MONEY)
def test_what_the_stepper_is_sent_says_sums_in_the_unit(desk: JournalDesk, served: FlaskClient, case: str) -> None:
    id_ = put(desk, in_euros(case))
    head = desk.head(id_, "full")
    assert head
    for span in head.hands:
        text = " ".join(strings(served.get(f"/recordings/{id_}/hands/{span.hand}/steps.json?lang=en").get_json()))
        assert unwritten(text) == set()
        assert long_numbers(text)


@pytest.mark.parametrize(("case", "lang"), IN_TURN)
def test_no_command_shows_a_sum_in_smallest_parts(tmp_path: Path, case: str, lang: str) -> None:
    file = tmp_path / "evening.jsonl"
    file.write_bytes(in_euros(case))
    said = razbor("verify", str(file), "--lang", lang).stdout
    hands = [json.loads(line)["hand"] for line in in_euros(case).splitlines() if b'"hand_began"' in line]
    findings = json.loads(razbor("verify", str(file), "--json").stdout)["findings"]
    said += razbor("show", str(file), "--lang", lang).stdout
    said += "".join(razbor("dispute", str(file), "--hand", str(hand), "--lang", lang).stdout for hand in hands)
    for seq in {finding["seq"] for finding in findings[:3]}:
        said += razbor("explain", str(file), "--event", str(seq), "--lang", lang).stdout
    assert unwritten(said) == set()
    assert len(long_numbers(said)) > 20


def test_what_two_scribes_wrote_is_compared_in_the_unit(tmp_path: Path) -> None:
    one = in_euros("bura/fault-takes-less-than-the-pot")
    other = one.replace(b'"amount": %d' % (29 * BIG), b'"amount": %d' % (30 * BIG))
    files = [tmp_path / "one.jsonl", tmp_path / "other.jsonl"]
    for file, data in zip(files, (one, other), strict=True):
        file.write_bytes(data)
    said = razbor("compare", *map(str, files), "--lang", "fr").stdout
    assert unwritten(said) == set()
    assert "358\u202f024,43" in said
    assert "370\u202f370,10" in said


def test_machines_read_whole_numbers(desk: JournalDesk, served: FlaskClient) -> None:
    data = in_euros("bura/fault-takes-less-than-the-pot")
    id_ = put(desk, data)
    whole = desks.verify(data)
    assert served.get(f"/recordings/{id_}/report.json").get_json() == json.loads(json.dumps(whole))
    ledger = served.get(f"/recordings/{id_}/ledger.csv").text
    assert f",{10 * BIG}," in ledger
    assert re.search(r"\d\.\d\d", ledger) is None


@pytest.mark.parametrize(
    ("lang", "antes", "pot", "ante"),
    [
        ("en", "370,370.10 antes, 3 × 123,456.70", "12,345.67", "Zoë antes 123,456.70"),
        ("ru", "370\u202f370,10", "12\u202f345,67", "−123\u202f456,70"),
        ("fr", "370\u202f370,10 de mises, 3 × 123\u202f456,70", "12\u202f345,67", "Zoë mise 123\u202f456,70"),
    ],
)
def test_a_sum_is_grouped_and_pointed_as_the_language_has_it(
    desk: JournalDesk, served: FlaskClient, lang: str, antes: str, pot: str, ante: str
) -> None:
    id_ = put(desk, in_euros("bura/fault-takes-less-than-the-pot"))
    story = desk.story(id_, "full")
    assert story
    page = plain(served.get(f"/recordings/{id_}/hands/2/events/{story.head.hands[1].first}?lang={lang}").text)
    for word in (antes, pot, ante):
        assert word in re.sub("[ \n]+", " ", page)
