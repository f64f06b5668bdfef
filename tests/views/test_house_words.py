"""What is said of a hand's end and of a finding is true under the rules of that table, not only under classic ones."""

from types import SimpleNamespace
from typing import Any

import pytest

from recorder.words import LANGUAGES, load
from replay.views import logbook
from replay.views.addresses import Addresses
from replay.views.house_words import ended, option_value
from replay.views.verdicts import finding_box
from replay.views.wording import Wording, plain


def words(lang: str = "en") -> Wording:
    return Wording(lang, load(lang))


def found(code: str, lang: str = "en", **also: Any) -> Any:
    finding = {"code": code, "severity": "error", "seq": 9, "hand": 1, "seat": 1, "rule": "bura.12", **also}
    return finding_box(finding, words(lang), Addresses("0" * 16), lambda seat: ("Anna", "Boris")[seat - 1], "bura")


@pytest.mark.parametrize(
    ("reason", "takers", "pot", "said"),
    [
        ("opened", ["Anna"], 30, "Anna opened and took the pot"),
        ("opened", ["Anna"], None, "Anna opened and took the pot"),
        ("opened", ["Anna"], 0, "Anna opened and won"),
        ("bura", ["Anna"], 0, "Anna won with a bura"),
        ("failed_open", [], 60, "An opening failed, the pot was matched"),
        ("failed_open", ["Boris"], 30, "An opening failed, the pot went to Boris"),
        ("failed_open", ["Boris"], 0, "An opening failed, Boris won"),
        ("razburka", [], 60, "Nobody opened, razburka"),
        ("razburka", ["Boris"], 60, "A razburka, the pot went to Boris"),
        ("raise_declined", ["Anna"], 0, "The raise was declined, Anna won"),
        ("most_tricks", ["Anna"], 0, "Anna took most tricks"),
        (None, [], None, "Not known"),
    ],
)
def test_how_a_hand_ended_follows_who_took_what(reason: str, takers: list[str], pot: int | None, said: str) -> None:
    assert ended(words(), reason, takers, pot) == said


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_option_nobody_wrote_down_is_told_in_words(lang: str) -> None:
    told = {"split": "ok", "carry": "table/wrong-reason"}
    box = found("table/rule-unrecorded", lang, severity="doubt", recorded="tie", expected=told, rule="tie")
    options = load(lang)["options"]["bourre"]["tie"]
    assert all(options[value] in plain(box.text) for value in told)
    assert options["title"] in plain(box.title)
    assert options["title"] in box.rule
    assert not any(name in plain((*box.title, *box.text)).split() for name in ("tie", "carry:", "split:"))


def test_what_follows_from_each_value_is_told_with_names() -> None:
    result = {"reason": "split", "takers": [1, 2], "pot_after": 0, "net_due": {"1": 5, "2": -5}}
    box = found("table/rule-unrecorded", recorded="tie", expected={"split": result, "carry": None}, rule="tie")
    said = "share the pot — Shared by Anna, Boris (Anna +5, Boris −5); the pot is carried — undecided"
    assert said in plain(box.text)


def test_a_count_that_unseen_cards_leave_open_is_a_range() -> None:
    box = found("table/unknown-card", severity="doubt", recorded=40, expected={"low": 25, "high": 88})
    assert plain(box.due) == "25–88"


@pytest.mark.parametrize(
    ("code", "also", "said"),
    [
        ("table/unknown-card", {"recorded": "unseen", "rule": "record.3.1"}, "What nobody saw leaves this open."),
        ("table/unknown-card", {"recorded": "bura/short-count"}, "An unseen card leaves this open."),
        ("bura/laid-face-down", {"recorded": "down", "expected": "up", "rule": "bura.9"}, "A lead is always seen."),
        ("bura/laid-face-down", {"recorded": "down", "expected": "up", "rule": "bura.10"},
         "A card laid in answer must be seen by these rules."),
        ("bura/false-declaration", {"recorded": "bura", "expected": ["6c"]}, "Held: six of clubs."),
    ],
)  # fmt: skip
def test_a_finding_tells_its_own_cause(code: str, also: dict[str, Any], said: str) -> None:
    box = found(code, **also)
    assert said in (plain(box.title), plain(box.text))


def test_what_nobody_had_to_do_is_not_called_due() -> None:
    assert found("bura/false-declaration", recorded="bura", expected=["6c"]).due == ()
    assert found("table/pot-left", recorded=None, expected=114).due == ()
    assert found("table/overdrawn", recorded=50, expected=10).due == ()
    assert found("table/carry-disputed", recorded=153, expected="lying").due == ()
    assert found("bura/short-count", recorded=31, expected=29).due


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ({"type": "testified", "seat": 1, "of": 9, "cards": ["??", "??"]}, "Anna speaks of event 9 but names no card"),
        ({"type": "testified", "seat": 1, "of": 9, "cards": ["6c", "??"]},
         "Anna says event 9 was six of clubs, unseen card"),
        ({"type": "corrected", "of": 9, "event": None, "reason": "twice"}, "Event 9 is struck out"),
        ({"type": "corrected", "of": 9, "event": {"type": "folded", "seat": 1}, "reason": "x"}, "Event 9 is corrected"),
        ({"type": "raise_offered", "seat": 2, "to": 3}, "Boris offers a raise to 3"),
        ({"type": "stack_counted", "seat": 2, "amount": 1}, "Boris counts chips: 1"),
        ({"type": "chips_bought", "seat": 2, "amount": 1}, "Boris buys chips: 1"),
    ],
)  # fmt: skip
def test_an_event_says_what_happened(event: dict[str, Any], said: str) -> None:
    source = SimpleNamespace(events=({"seq": 10, **event},), tables=(SimpleNamespace(trick=0, sets=()),))
    names = ("Anna", "Boris")
    scene = SimpleNamespace(
        source=source, wording=words(), named=True, name=lambda seat: names[seat - 1], kept=lambda *a: a[2]()
    )
    assert plain(logbook.sentence(scene, 0)) == said  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("lang", "option", "value", "said"),
    [
        ("en", "max_draw", {"5": 4, "7": 3}, "up to 5 seats 4, up to 7 seats 3"),
        ("ru", "max_draw", {"5": 4, "7": 3}, "до 5 мест 4, до 7 мест 3"),
        ("fr", "max_draw", {"5": 4, "7": 3}, "jusqu’à 5 places 4, jusqu’à 7 places 3"),
        ("en", "max_ante", None, "no limit"),
        ("ru", "pot_limit", None, "без предела"),
        ("ru", "draw_fee", "none", "нет"),
        ("fr", "max_ante", 25, "25"),
    ],
)
def test_a_value_of_an_option_is_told_in_words(lang: str, option: str, value: Any, said: str) -> None:
    assert option_value(words(lang), "bourre", option, value) == said
