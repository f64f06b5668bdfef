"""The score of a match, hand by hand: on the recording's page, in the protocol and at every step."""

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import pytest
from flask.testing import FlaskClient

from recorder.journal import Journal
from recorder.words import load
from replay.desk_journal import JournalDesk
from replay.views.match import Score, colons, score_at, scores, standing
from replay.views.sources import HandScore, Match
from replay.views.wording import Wording
from replay.web.app import create_app
from tests.walks.bura import to_bytes
from tests.walks.script import made
from tests.web.test_sums import CASES, put
from tests.web.test_sums import plain as bare

if TYPE_CHECKING:
    from playwright.sync_api import Browser

MATCH: Final = (CASES / "bura/public-20c-000.bura.jsonl").read_bytes()
"""Another program wrote it, with its own score after each hand (`x_score`)."""
LINES: Final[list[dict[str, Any]]] = [json.loads(line) for line in MATCH.splitlines()]
KEPT: Final = {line["seq"]: tuple(line["x_score"].values()) for line in LINES if "x_score" in line}


def plain(page: str) -> str:
    return " ".join(bare(page).split())


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JournalDesk]:
    journal = Journal.open(tmp_path_factory.mktemp("match") / "journal.db")
    yield JournalDesk(journal, open_house=True)
    journal.close()


@pytest.fixture(scope="module")
def served(desk: JournalDesk) -> FlaskClient:
    return create_app(desk, secret=b"tests").test_client()


def step(served: FlaskClient, id_: str, hand: int, seq: int, more: str = "lang=en") -> dict[str, Any]:
    found: dict[str, Any] = served.get(f"/recordings/{id_}/hands/{hand}/events/{seq}.json?{more}").get_json()
    return found


def test_the_score_after_each_hand_is_that_of_the_program_that_wrote_it(desk: JournalDesk, served: FlaskClient) -> None:
    id_ = put(desk, MATCH)
    page = served.get(f"/recordings/{id_}.json?lang=en").get_json()
    assert [row["score"] for row in page["hands"]] == [f"{a}\u00a0:\u00a0{b}" for a, b in KEPT.values()]
    assert page["match"]["rows"] == [["p1", "11", True], ["p2", "8", False]]
    assert page["match"]["text"] == ["p1 reached 11 in hand 19; the match ended there."]
    assert page["balances"] == []
    assert [one["balances"] for one in page["last_hands"]] == [[str(a), str(b)] for a, b in list(KEPT.values())[-10:]]


def test_at_each_step_the_score_is_that_of_the_hands_that_are_over(desk: JournalDesk, served: FlaskClient) -> None:
    id_ = put(desk, MATCH)
    before = (0, 0)
    for number, (last, after) in enumerate(KEPT.items(), 1):
        for seq, (a, b) in ((last - 1, before), (last, after)):
            shown = step(served, id_, number, seq)
            assert (shown["pot_word"], shown["pot"]) == ("Score", f"{a}\u00a0:\u00a0{b}"), seq
            if number in (1, 9):
                assert step(served, id_, number, seq, "blind=1")["pot"] == shown["pot"]
        before = after
    steps = served.get(f"/recordings/{id_}/hands/2/steps.json?lang=en").get_json()
    assert steps["stake"] == "Score"
    assert steps["columns"]["pot"] == [0, "1\u00a0:\u00a00", 21, "1\u00a0:\u00a01"]


@pytest.mark.parametrize(
    ("lang", "word", "to", "ended"),
    [
        ("en", "Score", "The match goes to 11.", "p1 reached 11 in hand 19; the match ended there."),
        ("ru", "Счёт", "Матч до 11.", "p1: 11 набрано в раздаче 19, на ней матч окончен."),
        ("fr", "Score", "La partie va à 11.", "p1 a atteint 11 à la donne 19 : la partie s’arrête là."),
    ],
)
def test_it_is_said_in_every_language(
    desk: JournalDesk, served: FlaskClient, lang: str, word: str, to: str, ended: str
) -> None:
    id_ = put(desk, MATCH)
    for page in ("", "/report"):
        assert ended in plain(served.get(f"/recordings/{id_}{page}?lang={lang}").text)
    assert f"{word} 9 : 8 p1 9 · p2 8. {to}" in plain(
        served.get(f"/recordings/{id_}/hands/17/events/369?lang={lang}").text
    )
    assert f"{word} 9 : 8" in plain(served.get(f"/recordings/{id_}/hands/18/events/370.svg?lang={lang}").text)


def in_doubt(hand: int) -> bytes:
    """The same evening; of one hand something was not seen."""
    here, out = 0, []
    for line in LINES:
        here = line["hand"] if line["type"] == "hand_began" else here
        out.append({key: value for key, value in line.items() if key != "x_score"})
        if here == hand and line["type"] == "trump_turned":
            out.append({"type": "unseen"})
    numbered = [{**line, "seq": seq} for seq, line in enumerate(out)]
    numbered[-1]["events"] = len(numbered)
    return b"".join(json.dumps(line).encode() + b"\n" for line in numbered)


def test_a_hand_in_doubt_is_named_and_not_counted(desk: JournalDesk, served: FlaskClient) -> None:
    id_ = put(desk, in_doubt(4))
    page = served.get(f"/recordings/{id_}.json?lang=en").get_json()
    assert page["hands"][3]["score"] == "—"
    assert [net["due"] for net in page["hands"][3]["nets"]] == ["—", "—"]
    assert page["hands"][4]["score"] == "2\u00a0:\u00a02"
    assert page["balances"] == []
    assert page["match"]["rows"] == [["p1", "10", False], ["p2", "8", False]]
    assert page["match"]["text"] == ["The match goes to 11.", "Not settled, and not counted: hand 4."]
    assert "hand 4." in step(served, id_, 5, 100)["pot_text"][0]["text"]


@pytest.mark.parametrize(
    ("lang", "asked"), [("en", "Whose is the hand"), ("ru", "Кому раздача"), ("fr", "À qui la donne")]
)
def test_a_dispute_asks_whose_the_hand_is_and_tells_no_chips(
    desk: JournalDesk, served: FlaskClient, lang: str, asked: str
) -> None:
    page = served.get(f"/recordings/{put(desk, MATCH)}/hands/18/dispute?lang={lang}").text
    table = page.partition('class="matrix"')[2].partition("</table>")[0]
    assert asked in page
    assert "opt3" not in table
    assert table.count("<tr") > 2


def test_who_left_keeps_the_points_in_the_score(desk: JournalDesk, served: FlaskClient) -> None:
    lines = ["hand 1 3", "deal 1 As Ks Ts", "deal 2 Td Qh 9h", "deal 3 7c 8c 7d", "turn 6c"]
    lines += ["up 1 As Ks Ts", "down 2 Td Qh 9h", "down 3 7c 8c 7d", "opened 1", "end opened"]
    rules = {"scoring": "match_points", "match_to": 3}
    id_ = put(desk, to_bytes(made(*lines, "left 1", seats=3, options=rules)))
    page = served.get(f"/recordings/{id_}.json?lang=en").get_json()
    assert [points for _, points, _ in page["match"]["rows"]] == ["1", "0", "0"]
    assert page["hands"][0]["score"] == "1\u00a0:\u00a00\u00a0:\u00a00"
    assert len(page["hands"][0]["nets"]) == len(page["seats"]) == 2


def test_the_report_as_data_has_no_score(desk: JournalDesk, served: FlaskClient) -> None:
    report = served.get(f"/recordings/{put(desk, MATCH)}/report.json").get_json()
    assert list(report["hands"][0]) == [
        "hand", "dealer", "trump", "pot_before", "pot", "pot_after", "reason", "takers", "tricks", "seats",
    ]  # fmt: skip
    assert "score" not in json.dumps(report).replace('"scoring"', "")


def test_who_plays_for_a_pot_has_no_score(desk: JournalDesk, served: FlaskClient) -> None:
    page = served.get(f"/recordings/{put(desk, (CASES / 'bura/clean-02.bura.jsonl').read_bytes())}.json").get_json()
    assert page["match"] is None
    assert page["hands"][0]["score"] == ""


HANDS: Final = tuple(
    HandScore(number, number * 10, points)
    for number, points in enumerate([{1: 1}, {2: 3}, None, {}, {2: 2}, {1: 6}], start=1)
)


def test_the_match_stands_still_once_somebody_reached_its_number() -> None:
    told = [score for _, score in scores(Match(3, HANDS), (1, 2))]
    assert [colons(one) for one in told] == ["1\u00a0:\u00a00", *["1\u00a0:\u00a03"] * 5]
    assert {one.ended for one in told[1:]} == {2}
    assert score_at(Match(3, HANDS), (1, 2), 19) == Score(3, {1: 1, 2: 0}, 0, (), ())
    assert score_at(Match(3, HANDS), (1, 2), 20).winners == (2,)


def test_a_winner_after_a_hand_in_doubt_is_one_by_the_hands_that_are_certain() -> None:
    now = score_at(Match(5, HANDS), (1, 2))
    assert (now.ended, now.winners, now.open) == (5, (2,), (3,))
    said = {lang: standing(now, "?AB".__getitem__, Wording(lang, load(lang))) for lang in ("en", "ru", "fr")}
    assert said["en"][0] == "By the hands that are certain, B reached 5 in hand 5."
    assert said["ru"] == ("По бесспорным раздачам 5 набрано в раздаче 5: B.", "Не решена и не засчитана раздача 3.")
    assert re.search(r"donne 5\.$", said["fr"][0])


def test_without_a_number_to_reach_the_score_goes_on() -> None:
    now = score_at(Match(None, HANDS), (1, 2))
    assert (now.points, now.ended) == ({1: 7, 2: 5}, 0)


def test_numbers_of_tricks_under_the_slider_stand_apart(desk: JournalDesk, served: FlaskClient) -> None:
    """Eighteen tricks of one card: ticks that are near each other keep their place; only some bear a number."""
    ranks = "ATKQJ9876"
    mine, theirs = ([rank + suit for suit in suits for rank in ranks] for suits in ("sh", "cd"))
    lines = ["stake_set 10", "hand 1 2", "ante 1 10", "ante 2 10"]
    lines += [f"deal 1 {' '.join(mine[:3])}", f"deal 2 {' '.join(theirs[:3])}", f"turn {theirs[-1]}"]
    for place in range(18):
        lines += [f"up 1 {mine[place]}", f"down 2 {theirs[place]}"]
        lines += [f"draw 1 {mine[place + 3]}", f"draw 2 {theirs[place + 3]}"] if place < 15 else []
    id_ = put(desk, to_bytes(made(*lines, closed=False)))
    ticks = step(served, id_, 1, len(lines))["rail"]["ticks"]
    told = [float(tick["x"]) for tick in ticks if tick["text"]]
    assert len(ticks) == 18
    assert ticks[0]["text"]
    assert all(two - one >= 8 for one, two in pairwise(told))
    assert 6 < len(told) < 12


@pytest.mark.browser
@pytest.mark.needs("chromium")
def test_who_steps_in_the_browser_sees_the_score_too(browser: "Browser", club: tuple[str, JournalDesk]) -> None:
    address, shown = club
    context = browser.new_context(base_url=address, viewport={"width": 1280, "height": 860})
    page = context.new_page()
    page.goto(f"/recordings/{put(shown, MATCH)}/hands/2/events/43?lang=fr&view=full")
    pot = page.locator("p.pot")
    assert " ".join(pot.inner_text().split()) == "Score 1 : 0 p1 1 · p2 0. La partie va à 11."
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/events/44*")
    assert " ".join(pot.inner_text().split()) == "Score 1 : 1 p1 1 · p2 1. La partie va à 11."
    context.close()


@pytest.mark.parametrize(("last", "hand"), [(39, 2), (len(LINES) - 1, 3), (len(LINES) - 1, 18)])
def test_a_dispute_in_a_match_speaks_of_no_pot(desk: JournalDesk, served: FlaskClient, last: int, hand: int) -> None:
    cut = b"".join(json.dumps(line).encode() + b"\n" for line in LINES[: last + 1])
    page = plain(served.get(f"/recordings/{put(desk, cut)}/hands/{hand}/dispute?lang=en").text)
    assert "pot of" not in page
    assert ("Who wins the hand cannot be said yet." in page) == (hand == 2)
