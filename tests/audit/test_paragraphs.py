"""Each finding names the paragraph of the rules it speaks of, or the option (`report.md` 3)."""

from collections.abc import Iterator
from dataclasses import fields

import pytest

from replay import desk
from schemas.rules import BourreRules, BuraRules
from tests.check_cases import case_names, expectation, recording_path
from tests.walks.bura import Json
from tests.walks.script import START, verified

PARAGRAPHS = {"bura": 15, "bourre": 10}
OPTIONS = {"bura": {one.name for one in fields(BuraRules)}, "bourre": {one.name for one in fields(BourreRules)}}
OF_A_CODE = {
    "bourre/ante-above-maximum": {"bourre.3"},
    "bourre/dealer-must-stay": {"dealer_stays_on_ace"},
    "bourre/did-not-follow": {"bourre.8"},
    "bourre/did-not-head": {"bourre.8"},
    "bourre/did-not-overtrump": {"bourre.8"},
    "bourre/did-not-trump": {"bourre.8"},
    "bourre/drew-too-many": {"max_draw"},
    "bourre/folded-late": {"bourre.5"},
    "bourre/led-low-trump": {"bourre.7", "lead_duty"},
    "bura/face-up-without-beating": {"bura.10"},
    "bura/false-declaration": {"bura.7"},
    "bura/late-declaration": {"bura.7"},
    "bura/lead-not-entitled": {"bura.7"},
    "bura/lead-too-large": {"bura.13"},
    "bura/may-not-open": {"bura.12"},
    "bura/mixed-suit-lead": {"bura.9"},
    "bura/opened-late": {"bura.12"},
    "bura/short-count": {"bura.12"},
    "table/carry-disputed": {"report.1"},
    "table/card-twice": {"bura.2", "bourre.2"},
    "table/debt-open": {"bura.15", "bourre.10"},
    "table/hand-unfinished": {"record.4"},
    "table/pot-left": {"bura.15", "bourre.10"},
    "table/too-many-seats": {"bura.1", "bourre.1"},
    "table/trick-misawarded": {"bura.11", "bourre.9"},
    "table/wrong-dealer": {"bura.4", "bourre.2"},
    "table/wrong-payout": {"bura.15", "bourre.10"},
    "table/wrong-reason": {"record.3.1"},
}
"""Of codes that have one paragraph in each game."""


def _first_of_each_code() -> Iterator[str]:
    told: set[tuple[str, str]] = set()
    for name in case_names():
        game, codes = name.partition("/")[0], expectation(name).get("error_codes") or ()
        fresh = {(game, code) for code in codes} - told
        if fresh:
            told |= fresh
            yield name


def _of(name: str) -> Json:
    report = desk.verify(recording_path(name).read_bytes())
    assert report["format"] == "razbor-report/1"
    return report


@pytest.mark.parametrize("name", list(_first_of_each_code()))
def test_a_finding_names_a_paragraph_of_its_own_game(name: str) -> None:
    report = _of(name)
    game = report["recording"]["game"]
    for each in report["findings"]:
        where, _, number = each["rule"].partition(".")
        if where in PARAGRAPHS:
            assert where == game
            assert 1 <= int(number) <= PARAGRAPHS[game]
        else:
            assert where in ("record", "report") or each["rule"] in OPTIONS[game]
        assert each["rule"] in OF_A_CODE.get(each["code"], {each["rule"]}), each


def test_chips_bought_in_the_middle_of_a_hand_are_no_gain_of_it() -> None:
    (hand,) = verified(*START, "chips_bought 1 50", "end misdeal", stacks=[100, 100])["hands"]
    assert (hand["seats"]["1"]["net_recorded"], hand["seats"]["1"]["net_due"]) == (-10, -10)
