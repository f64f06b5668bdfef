"""Findings and verdicts in words: what happened, what would be right, where it stands."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from replay.views.addresses import Addresses, code_page, rule_page
from replay.views.house_words import ended, game_of, option_title, option_value
from replay.views.parts import FindingBox, Link, Tag
from replay.views.scene import joined
from replay.views.wording import Part, Sentence, Wording
from schemas import sums

TONE: Final = {"error": "bad", "doubt": "dbt", "note": "note"}
_VERDICT_TONE: Final = {"verified": "ok", "refuted": "bad", "undecided": "dbt", "refused": "bad"}
#: Codes that set seats beside each other, not numbers.
_BY_SEAT: Final = ("table/wrong-turn", "table/wrong-dealer", "table/trick-misawarded", "bura/lead-not-entitled")
_BY_RULE: Final = "table/rule-unrecorded"
#: What stands as expected there is told in the sentence: what was held, what lies, what follows from each value. None
#: of it is due.
_NOT_DUE: Final = (
    "bura/false-declaration", "table/carry-disputed", "table/overdrawn", "table/pot-left", _BY_RULE,
)  # fmt: skip
_RANKS: Final = "23456789TJQKA?"
_SUITS: Final = "shdc?"


def verdict_tag(verdict: str, wording: Wording) -> Tag:
    """The verdict as icon and word."""
    tone = _VERDICT_TONE[verdict]
    return Tag(tone, wording.say(f"verdict.{verdict}"), tone)


def is_card(value: object) -> bool:
    """Whether a value of a finding is a card's spelling.

    >>> is_card("Kc"), is_card("opened"), is_card(31)
    (True, False, False)
    """
    return isinstance(value, str) and len(value) == 2 and value[0] in _RANKS and value[1] in _SUITS


def value_text(value: Any, wording: Wording, name: Callable[[int], str], code: str = "") -> Sentence:
    """What a finding sets beside each other, readable: cards drawn, words translated, lists joined.

    A dictionary with string keys of digits is by seat.
    """
    if value is None:
        return ()
    if isinstance(value, bool):
        return (Part(wording.say("yes" if value else "no")),)
    if isinstance(value, int):
        return (Part(name(value) if code in _BY_SEAT else number_text(value, code, wording)),)
    if isinstance(value, str):
        return _word(value, wording)
    if isinstance(value, Mapping):
        if set(value) == {"low", "high"} and all(isinstance(one, int) for one in value.values()):
            return (Part(wording.span(value["low"], value["high"])),)
        rows = [
            (Part(_key(str(key), wording, name) + wording.colon), *value_text(one, wording, name, code))
            for key, one in value.items()
            if one is not None
        ]
        return joined(rows, wording.semicolon)
    return joined([value_text(one, wording, name, code) for one in value], " ")


def number_text(value: int, code: str, wording: Wording) -> str:
    """A whole number that a finding of that code sets beside another: a sum, or a count."""
    return wording.money(value) if code in sums.FINDINGS else wording.amount(value)


def _key(key: str, wording: Wording, name: Callable[[int], str]) -> str:
    if key.isdecimal():
        return name(int(key))
    return wording.say(f"value.{key}") if wording.has(f"value.{key}") else key


def _word(value: str, wording: Wording) -> Sentence:
    if "/" in value and wording.has(f"findings.{value.replace('/', '.')}.title"):
        return (Part(value, href=code_page(value)),)
    if is_card(value):
        return (Part(wording.say("card.unknown")),) if value == "??" else (wording.card(value),)
    key = f"value.{value}"
    return (Part(wording.say(key) if wording.has(key) else value),)


def capital(sentence: Sentence) -> Sentence:
    """A sentence begins with a capital, whatever fills its first hole."""
    if not sentence or sentence[0].card:
        return sentence
    first = sentence[0]
    return (replace(first, text=first.text[:1].upper() + first.text[1:]), *sentence[1:])


def finding_boxes(
    findings: Iterable[Mapping[str, Any]], wording: Wording, to: Addresses, name: Callable[[int], str], game: str
) -> tuple[FindingBox, ...]:
    """Several findings in words, each with a name of its own on the page."""
    told: Counter[str] = Counter()
    boxes = []
    for finding in findings:
        box = finding_box(finding, wording, to, name, game)
        anchor = f"{box.seq}-{box.code.replace('/', '-')}"
        told[anchor] += 1
        boxes.append(replace(box, anchor=anchor if told[anchor] == 1 else f"{anchor}-{told[anchor]}"))
    return tuple(boxes)


def finding_box(
    finding: Mapping[str, Any], wording: Wording, to: Addresses, name: Callable[[int], str], game: str
) -> FindingBox:
    """One finding of a report in words."""
    code, severity = str(finding["code"]), str(finding["severity"])
    said = finding.get("recorded")
    proof = said.get("proved_by") if isinstance(said, Mapping) else None
    if isinstance(said, Mapping) and "played" in said:
        said = said["played"]
    recorded = value_text(said, wording, name, code)
    due = value_text(finding.get("expected"), wording, name, code)
    if code == _BY_RULE:
        recorded, due = _by_rule(finding, wording, name)
    seat = finding.get("seat") or 0
    key = _key_of(finding, wording)
    values: dict[str, Any] = {
        "seat": name(int(seat)) if seat else wording.say("somebody"),
        "recorded": recorded or wording.say("nothing"),
        "expected": due or wording.say("nothing"),
        "hand": int(finding.get("hand") or 0),
    }
    hand, seq = int(finding.get("hand") or 0), int(finding["seq"])
    where = wording.say("where.event" if not hand else "where.hand_event", hand=hand, seq=seq)
    rule = str(finding.get("rule") or "")
    return FindingBox(
        tone=TONE[severity],
        word=wording.say(f"severity.{severity}"),
        title=capital(wording.parts(f"{key}.title", **values)),
        text=(*_text(key, recorded, due, wording, values), *_proof(proof, hand, to, wording)),
        where=Link(where, to.event(hand, seq) if hand else ""),
        code=code,
        code_href=code_page(code),
        recorded=() if code == _BY_RULE else recorded,
        due=() if code in _NOT_DUE else due,
        rule=rule_name(rule, wording),
        rule_href=rule_page(rule, game) if rule and not rule.startswith(("record.", "report.")) else "",
        shaken=bool(finding.get("shaken")),
        seq=seq,
        hand=hand,
    )


def _key_of(finding: Mapping[str, Any], wording: Wording) -> str:
    """Where the sentences of a finding stand: some codes have others for another cause, told apart by rule or claim."""
    key = "findings." + str(finding["code"]).replace("/", ".")
    for cause in (finding.get("rule"), finding.get("recorded")):
        if isinstance(cause, str) and wording.has(f"{key}.{cause.replace('.', '-')}.title"):
            return f"{key}.{cause.replace('.', '-')}"
    return key


def _by_rule(finding: Mapping[str, Any], wording: Wording, name: Callable[[int], str]) -> tuple[Sentence, Sentence]:
    """An option nobody wrote down, and what follows from each of its values."""
    option, told = str(finding["recorded"]), finding.get("expected") or {}
    game = game_of(wording, option)
    rows = [
        (Part(option_value(wording, game, option, value) + " — "), *_outcome(one, wording, name))
        for value, one in told.items()
    ]
    return (Part(option_title(wording, game, option)),), joined(rows, wording.semicolon)


def _outcome(told: Any, wording: Wording, name: Callable[[int], str]) -> Sentence:
    """What one value leads to: a code, nothing amiss, or how the hand ends and what it moves."""
    if not isinstance(told, Mapping):
        return value_text("open" if told is None else told, wording, name)
    takers = [name(int(seat)) for seat in told.get("takers") or ()]
    moved = [(int(seat), net) for seat, net in (told.get("net_due") or {}).items() if net is not None]
    nets = ", ".join(f"{name(seat)} {wording.signed(net)}" for seat, net in moved)
    return (Part(ended(wording, told.get("reason"), takers) + (f" ({nets})" if nets else "")),)


def _text(key: str, recorded: Sentence, due: Sentence, wording: Wording, values: dict[str, Any]) -> Sentence:
    """The second sentence; left out where it would speak of what there is not."""
    template = wording.template(f"{key}.text")
    if ("{expected}" in template and not due) or ("{recorded}" in template and not recorded):
        return ()
    return capital(wording.parts(f"{key}.text", **values))


def _proof(seq: int | None, hand: int, to: Addresses, wording: Wording) -> Sentence:
    """The later event that proves what was held, linked."""
    if seq is None:
        return ()
    link = Part(wording.amount(seq), href=to.event(hand, seq) if hand else "")
    return (Part(" "), *wording.parts("where.proved", seq=link))


def rule_name(rule: str, wording: Wording) -> str:
    """`bura.12` as "rule 12", an option by its own name."""
    game, _, number = rule.partition(".")
    if game in ("bura", "bourre") and number:
        return wording.say("rule.paragraph", number=number)
    if game in ("record", "report"):
        return wording.say(f"rule.{game}", number=number)
    return wording.say("rule.option", name=option_title(wording, game_of(wording, rule), rule)) if rule else ""


def counts(findings: list[Mapping[str, Any]] | tuple[Mapping[str, Any], ...], wording: Wording) -> str:
    """`3 breaches · 1 in doubt · 1 note`, or that there is none."""
    said = []
    for severity in ("error", "doubt", "note"):
        number = sum(finding["severity"] == severity for finding in findings)
        if number:
            said.append(wording.say(f"count.{severity}", number))
    return " · ".join(said) or wording.say("count.none")
