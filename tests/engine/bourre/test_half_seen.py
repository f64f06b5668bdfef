"""Cards half seen: a duty is open only where one way to name them breaks it and another does not (`report.md` 1)."""

from typing import Any

import pytest

from tests.engine.bourre.hands import Script

UNSEEN = "?? ?? ?? ?? ??"


@pytest.mark.parametrize(
    ("hands", "trick", "options", "error", "doubt"),
    [
        # a half-seen trump lies: any card of the suit led will do
        ("9s 8s 2h 3h 4h/?d 4c 2c 3c 5c/Ts 4s 5s 6s 7s", "19s 2?d 34s", {}, "", ""),
        # whichever trump it is, the ace is over it and the three is not
        ("9s 8s 2h 3h 4h/?d 4c 2c 3c 5c/Ad 3d 5h 6h 7h", "19s 2?d 33d", {"overtrump": "must"}, "did-not-overtrump", ""),
        ("9s 8s 2h 3h 4h/?d 4c 2c 3c 5c/Kd 3d 5h 6h 7h", "19s 2?d 33d", {"overtrump": "must"}, "", "did-not-overtrump"),
        # a lead below the ten is headed by it, one above it is out of reach of this hand
        ("?s 8h 2h 3h 4h/Ts 7s 2c 3c 5c/6c 4h 5h 6h 7h", "1?s 2Ts", {}, "", ""),
        ("?s 8h 2h 3h 4h/Ts Qs 2c 3c 5c/6c 4c 5h 6h 7h", "1?s 2Ts", {}, "", "did-not-head"),
        ("?s 8h 2h 3h 4h/As Qs 2c 3c 5c/6c 4c 5h 6h 7h", "1?s 2Qs", {}, "", "did-not-head"),
        # the best of the suit is a half-seen one: lowest and highest of what it may be
        ("9s 8s 2h 3h 4h/?s 4c 2c 3c 5c/As 3s 5h 6h 7h", "19s 2?s 33s", {}, "did-not-head", ""),
        (f"9s 8s 2h 3h 4h/{UNSEEN}/As 3s 5h 6h 7h", "19s 2?? 33s", {}, "", "did-not-head"),
    ],
)
def test_what_a_half_seen_card_of_the_trick_asks_for(
    hands: str, trick: str, options: dict[str, Any], error: str, doubt: str
) -> None:
    script = Script(3, **options)
    script.deal(hands, "2d")
    script.say("1+ 2+ 3+")
    last = script.play(trick)
    script.end("abandoned")
    told = {finding["recorded"] for finding in script.report()["findings"] if finding["seq"] == last and doubt}
    assert [code for seq, code in script.told() if seq == last] == ([f"bourre/{error}"] if error else [])
    assert [code for seq, code in script.told("doubt") if seq == last] == (["table/unknown-card"] if doubt else [])
    assert told == ({f"bourre/{doubt}"} if doubt else set())
