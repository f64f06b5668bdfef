"""`--as`: which amendments count, wherever a game is judged on the command line; and what differs, as text."""

import json
from pathlib import Path

import pytest

from recorder.words import LANGUAGES, topic
from replay.audit.readings import Differs
from replay.views.readings import TOPICS, label, value
from replay.views.wording import Wording
from tests.cli.razbor import ROOT, VERIFIED, data_of, razbor

AMENDED = str(ROOT / "tests" / "cases" / "bura" / "table-amended.bura.jsonl")
"""An ante put in at event 14, a payment corrected at event 15."""
ASKED = (("verify",), ("show",), ("dispute", "--hand", "1"), ("explain", "--event", "12"))


@pytest.mark.parametrize(
    ("reading", "code", "codes"),
    [
        ("recorded", 1, ["table/missing-stake", "table/wrong-payout"]),
        ("13", 1, ["table/missing-stake", "table/wrong-payout"]),
        ("14", 1, ["table/wrong-payout"]),
        ("15", 0, []),
        ("16", 0, []),
        ("amended", 0, []),
    ],
)
def test_verify_judges_with_what_was_known(reading: str, code: int, codes: list[str]) -> None:
    result = razbor("verify", "--json", "--as", reading, AMENDED)
    assert result.exit_code == code
    assert [finding["code"] for finding in data_of(result)[0]["findings"]] == codes


def test_show_tells_no_amendment_before_it_was_made() -> None:
    shown = {reading: razbor("show", AMENDED, "--as", reading).stdout for reading in ("13", "14", "15", "recorded")}
    assert shown["13"] == shown["recorded"]
    assert "inserted" not in shown["13"]
    assert "inserted" in shown["14"]
    assert "corrected" not in shown["14"]
    assert "corrected" in shown["15"]


def test_dispute_and_explain_judge_with_what_was_known() -> None:
    for command in (("dispute", "--hand", "1"), ("explain", "--event", "12")):
        readings = ("recorded", "13", "14", "15")
        said = {one: data_of(razbor(*command, "--json", AMENDED, "--as", one)) for one in readings}
        assert said["13"] == said["recorded"]
        assert said["14"] != said["13"]
        assert said["15"] != said["14"]


@pytest.mark.parametrize("command", ASKED)
@pytest.mark.parametrize(
    ("reading", "said"),
    [("17", "There is no event 17; the last one is 16."), ("014", "amended, recorded, SEQ"), ("later", "SEQ")],
)
def test_a_reading_there_is_not(command: tuple[str, ...], reading: str, said: str) -> None:
    result = razbor(*command, AMENDED, "--as", reading)
    assert result.exit_code == 2
    assert said in result.stderr


def test_verify_shows_what_differs() -> None:
    text = razbor("verify", AMENDED, "--as", "14").stdout
    box = text[text.index("The record was amended") :]
    assert box == (
        "The record was amended at events 14, 15. Here it is read as known at event 14.\n"
        "                                              as recorded                 as amended\n"
        "verdict                                       Refuted                     Verified\n"
        "hand 1, event 4, 2 Глеб: table/missing-stake  error                       —\n"
        "hand 1, event 12, 1 Егор: table/wrong-payout  error: recorded 27, due 20  —\n"
        "hand 1, 1 Егор: chips by the record           +17                         +10\n"
        "hand 1, 2 Глеб: chips by the record           0                           −10\n"
        "1 Егор: balance by the record                 +17                         +10\n"
        "2 Глеб: balance by the record                 0                           −10\n"
    )


def test_dispute_shows_what_differs() -> None:
    text = razbor("dispute", AMENDED, "--hand", "1").stdout
    assert text.endswith(
        "The record was amended at events 14, 15. Here it is read as amended.\n"
        "                                                  as recorded  as amended\n"
        "hand 1, 1 Егор: settlement against what was paid  −7           0\n"
        "hand 1, 2 Глеб: settlement against what was paid  −10          0\n"
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_shows_it(lang: str) -> None:
    lead = topic("readings", lang)["amended"]["other"].format(events="14, 15")
    for command in (("verify",), ("dispute", "--hand", "1")):
        assert lead in razbor(*command, AMENDED, "--lang", lang).stdout


def test_an_amendment_that_changes_no_result_is_told_all_the_same(tmp_path: Path) -> None:
    lines = Path(VERIFIED).read_text(encoding="utf-8").splitlines()
    note = {"seq": len(lines), "type": "inserted", "after": 1, "reason": "-", "event": {"type": "noted", "text": "-"}}
    file = tmp_path / "one.jsonl"
    file.write_text("\n".join([*lines, json.dumps(note)]), encoding="utf-8")
    said = f"The record was amended at event {len(lines)}. Here it is read as amended."
    assert razbor("verify", str(file)).stdout.endswith(f"{said} Nothing in the result hangs on that.\n")


def test_what_was_never_amended_is_told_as_before() -> None:
    assert razbor("verify", VERIFIED).stdout == razbor("verify", VERIFIED, "--as", "0").stdout
    assert "amended" not in razbor("verify", VERIFIED).stdout
    assert "amended" not in razbor("dispute", VERIFIED, "--hand", "1").stdout


@pytest.mark.parametrize("command", ASKED)
def test_data_keeps_its_keys(command: tuple[str, ...]) -> None:
    amended, plain = (data_of(razbor(*command, "--json", file))[0] for file in (AMENDED, VERIFIED))
    assert list(amended) == list(plain)


def test_french_sets_off_its_colon() -> None:
    differs = Differs("finding", ("error", 27, 20), None, 1, 2, 12, "table/wrong-payout")
    words = Wording("fr", {name: topic(name, "fr") for name in TOPICS})
    assert label(differs, words, "?AB".__getitem__) == "donne 1, événement 12, B\u00a0: table/wrong-payout"
    assert value(differs.what, differs.first, words, str, differs.code) == "erreur\u00a0: noté 27, dû 20"
    assert value(differs.what, differs.first, words.of(2), str, differs.code) == "erreur\u00a0: noté 0,27, dû 0,20"
