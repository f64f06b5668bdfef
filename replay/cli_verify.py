"""`razbor verify`: the answers one by one, and how an answer reads on a terminal."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from itertools import chain, islice, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, TypeVar

from recorder.rulebook import UnknownRulesError
from recorder.words import topic
from replay import desk
from replay.audit.amend import Reading
from replay.cli_sources import SQLITE, STDIN, Source, sources, unreadable
from replay.cli_values import Sums, reason_told, seat_name, side_told, spelled
from replay.cli_words import MistypedError, aligned, bare, coloured, columns, line, put, put_report, say, stoppable
from schemas.problems import Refusal

if TYPE_CHECKING:
    from replay.cli_match import Brought
    from replay.views.sources import Match

REFUSED: Final = 3
WORTH_A_BAR: Final = 1 << 20
"""A single file of fewer bytes is judged at a glance."""
VERDICTS: Final = ("verified", "refuted", "undecided", "refused")
GRAVITY: Final = {0: 0, 4: 1, 1: 2, 3: 3}
"""By exit code: how grave it is among several (refused > refuted > undecided > verified)."""
COLOUR: Final = {
    "verified": "green", "refuted": "red", "undecided": "yellow", "refused": "red",
    "error": "red", "doubt": "yellow", "note": "blue",
}  # fmt: skip
SUMS: Final = ("pot_before", "pot", "pot_after")
"""What a hand tells in chips."""
Json = Mapping[str, Any]
T = TypeVar("T")


def check_view(view: str, names: Mapping[int, str]) -> None:
    """`MistypedError` where a view is that of a seat which never was at the table of these names."""
    seat = int(view.removeprefix("seat:")) if view.startswith("seat:") else 0
    if names and seat and seat not in names:
        raise MistypedError("no_seat", seat=seat, seats=len(names))


def check_reading(reading: Reading, events: int | None) -> None:
    """`MistypedError` where a reading is that of an event which a recording of so many does not have."""
    if isinstance(reading, int) and events is not None and reading >= events:
        raise MistypedError("no_event", at=reading, last=events - 1)


def not_in_the_book(error: UnknownRulesError) -> MistypedError:
    """The sentence for a preset, option or value that a recording's game does not have."""
    said = error.flaws[0].args
    return MistypedError("no_rule", field=error.field, value=said["value"], choices=said["expected"])


@dataclass(frozen=True)
class _Followed(Source):
    """A file, and how far it was read."""

    opened: list[BinaryIO] = field(default_factory=list)

    def open(self) -> AbstractContextManager[BinaryIO]:
        stream = super().open()
        if self.name != STDIN:
            self.opened.append(stream.__enter__())
        return stream

    def place(self) -> int:
        """So many bytes of it; 0 of what is no file, and where it is closed."""
        stream = self.opened[-1] if self.opened else None
        return stream.tell() if stream and not stream.closed and stream.seekable() else 0


@dataclass(frozen=True)
class Answer:
    """What is said of one recording: where it came from, who sat there, the report or refusal, the exit code."""

    source: Source
    names: Mapping[int, str]
    said: Json
    code: int
    reading: Reading = "amended"
    amended: desk.Amended | None = None
    #: Its unit, and the decimals of its sums.
    unit: tuple[str, int] = ("", 0)
    #: How to come by the score of a match.
    match: "Callable[[], Match | None] | None" = None

    @property
    def verdict(self) -> str:
        """The verdict, `refused` among them."""
        return str(self.said.get("verdict", "refused"))


def answers(found: Sequence[Source], asked: Mapping[str, Any]) -> Iterator[Answer]:
    """The answer to each recording of each file, in order; `asked` goes to the desk as it is."""
    for source in found:
        with source.open() as stream:
            try:
                for names, said, amended, unit, match in desk.verify_each(stream, **asked):
                    check_view(asked["view"], names)
                    check_reading(asked["reading"], said.get("recording", {}).get("events"))
                    code = desk.exit_code(said)
                    yield Answer(source, names, said, code, asked["reading"], amended, unit, match)
            except UnknownRulesError as error:
                raise not_in_the_book(error) from error
            except OSError as error:
                raise unreadable(source.name, error) from error


def verify(names: Sequence[str], asked: Mapping[str, Any], as_json: bool) -> int:
    """Judges everything named, prints the answers, and gives the exit code: the gravest of all.

    Interrupted, it tells what is done and lets the interruption pass on.
    """
    lang, amiss = asked["language"], list[MistypedError]()
    given = until_amiss(_watched(sources(names), asked), amiss)
    first = list(islice(given, 2))
    several = bool(amiss) or len(first) > 1
    worst, counts, codes = 0, Counter[str](), Counter[str]()
    try:
        with stoppable() if several else nullcontext():
            for answer in chain(first, given):
                worst = max(worst, answer.code, key=GRAVITY.__getitem__)
                counts[answer.verdict] += 1
                codes.update(finding["code"] for finding in answer.said.get("findings", ()))
                _print(answer, lang, as_json, brief=several)
    except KeyboardInterrupt:
        several = True
        raise
    finally:
        if several and counts:
            put("\n".join(counted(counts, codes, lang)), error=as_json)
    for error in amiss:
        raise error
    return worst


def until_amiss(given: Iterable[T], amiss: list[MistypedError]) -> Iterator[T]:
    """The same; what cannot be done ends it, and is told after what could."""
    try:
        yield from given
    except MistypedError as error:
        amiss.append(error)


def _print(answer: Answer, lang: str, as_json: bool, *, brief: bool) -> None:
    if as_json:
        put_report(answer.said)
    else:
        for text in told(answer, lang, brief=brief):
            put(text)


def _watched(found: Sequence[Source], asked: Mapping[str, Any]) -> Iterator[Answer]:
    """The answers, with a bar on stderr where that is a terminal and there is more than a glance to judge."""
    sizes = {}
    if sys.stderr.isatty():
        sizes = {source.name: Path(source.name).stat().st_size for source in found if Path(source.name).is_file()}
    if not sizes or (len(found) == 1 and sum(sizes.values()) < WORTH_A_BAR):
        yield from answers(found, asked)
        return
    from replay.cli_bar import bar

    with bar(list(sizes), sum(sizes.values()), asked["language"]) as shown:
        for source in found:
            followed, before = _Followed(source.name), 0
            for answer in answers([followed], asked):
                with shown.aside():
                    yield answer
                now = followed.place()
                shown.moved(now - before)
                before = now
            shown.moved(sizes.get(source.name, 0) - before, source.name)


def counted(counts: Counter[str], codes: Counter[str], lang: str) -> list[str]:
    """How many of each verdict, and how often each code was told."""
    numbers = {verdict: counts[verdict] for verdict in VERDICTS}
    rows = [(str(count), code) for code, count in sorted(codes.items(), key=lambda pair: (-pair[1], pair[0]))]
    return ["", say("verify.table", lang, count=counts.total(), **numbers), *(f"  {line}" for line in columns(rows))]


# -- one answer as text ----------------------------------------------------------------------------------------------


def told(answer: Answer, lang: str, *, brief: bool = False) -> Iterator[str]:
    """An answer as lines of text: verdict, findings, and, unless `brief`, hands and balances."""
    if answer.verdict == "refused":
        yield from refusal_told(answer.source.name, answer.said, lang)
        return
    report, sums = answer.said, Sums(answer.unit[1], lang)
    yield f"{_headed(answer.verdict, _headline(report, lang), lang)}  {bare(answer.source.name)}"
    if not brief:
        yield _judged_by(report["recording"], sums)
    for finding in report["findings"]:
        yield from _finding(finding, answer.names, sums, brief=brief)
    match = answer.match() if answer.match and not brief else None
    if not brief and report["hands"]:
        yield ""
        yield from _hands(report, answer.names, sums, match)
    if match:
        from replay.cli_match import match_told

        yield from ("", *match_told(match, answer.names, lang))
    if not brief and _chips_matter(report["balances"], match):
        heading = ", ".join(filter(None, (say("verify.balances", lang), answer.unit[0])))
        yield from ("", heading, *_balances(report["balances"], answer.names, sums))
    if not brief and answer.amended:
        yield from _readings(answer, answer.amended, lang)


def _readings(answer: Answer, amended: desk.Amended, lang: str) -> list[str]:
    """What differs between the recording as recorded and as amended."""
    from replay.audit.readings import between_reports
    from replay.cli_readings import readings_told

    differs = between_reports(amended.report("recorded"), amended.report("amended"))
    return readings_told(differs, answer.reading, amended.amendments, answer.names, lang, answer.unit[1])


def refusal_told(name: str, said: Json, lang: str) -> list[str]:
    """A refusal as lines of text: every problem with its line, and a sentence."""
    problems = said["problems"]
    lines = [f"{_headed('refused', say('verify.problems', lang, count=len(problems)), lang)}  {bare(name)}"]
    for problem in problems:
        where = say("verify.line", lang, line=problem["line"])
        if "column" in problem:
            where = f"{where}, {say('verify.column', lang, column=problem['column'])}"
        lines.append(f"  {where}  {problem['code']}  {problem['message']}")
    told_apart = any("column" in problem for problem in problems)  # it was read as a sheet
    other = "" if told_apart else _what_else(name)
    return [*lines, *([say(f"verify.{other}", lang, name=bare(name))] if other else [])]


def _headed(verdict: str, said: str, lang: str) -> str:
    return say("verify.headed", lang, verdict=coloured(say(f"verify.{verdict}", lang), COLOUR[verdict]), said=said)


def _what_else(name: str) -> str:
    """The sentence for what a file is that cannot be read as a recording: a score sheet, which `import` reads, or a
    journal; nothing for any other.
    """
    path = Path(name)
    if name == STDIN or not path.is_file():
        return ""
    from recorder import sheet

    with path.open("rb") as stream:
        begun = stream.read(1 << 16)
    if begun.startswith(SQLITE):
        return "is_journal"
    return "is_sheet" if sheet.is_sheet(begun) else ""


def refused(name: str, refusal: Refusal, lang: str, as_json: bool) -> int:
    """Tells why a file cannot be read, as text or as data, and gives the exit code."""
    said = desk.refusal(refusal, lang)
    put(line(said) if as_json else "\n".join(refusal_told(name, said, lang)))
    return REFUSED


def _headline(report: Json, lang: str) -> str:
    count = Counter(finding["severity"] for finding in report["findings"])
    numbers = {severity: count[severity] for severity in ("error", "doubt", "note")}
    said = say("verify.counts", lang, **numbers) if report["findings"] else say("verify.no_findings", lang)
    if report["recording"]["complete"]:
        return said
    key = "verify.up_to" if count["error"] or count["doubt"] else "verify.not_closed"
    return f"{say(key, lang, last=report['recording']['events'] - 1)}; {said}"


def _judged_by(recording: Json, sums: Sums) -> str:
    lang = sums.lang
    told = {name: sums.option(name, value) for name, value in recording["options"].items()}
    options = ", ".join(f"{name}={value}" for name, value in told.items())
    rules = recording["rules"] + (say("verify.options", lang, options=options) if options else "")
    view, events, hands = recording["view"], recording["events"], recording["hands"]
    said = say("verify.judged_by", lang, rules=rules, view=view, events=events, hands=hands)
    return f"  {recording['id']} · {said}"


def _finding(finding: Json, names: Mapping[int, str], sums: Sums, *, brief: bool) -> list[str]:
    """One finding: where, what happened, what would be right, by which rule."""
    severity, code, lang = finding["severity"], finding["code"], sums.lang
    key = "verify.where_hand" if finding["hand"] else "verify.where"
    where = say(key, lang, hand=finding["hand"], seq=finding["seq"])
    if finding["seat"]:
        where = say("verify.where_seat", lang, where=where, seat=seat_name(finding["seat"], names, lang))
    head = f"  {coloured(say(f'verify.{severity}', lang), COLOUR[severity])} {where}  {code}"
    if brief:
        return [head]
    group, _, word = code.partition("/")
    words = _sentences(topic("findings", lang)[group][word], finding)
    nobody = say("verify.nobody", lang)
    sides = {side: side_told(finding[side], code, names, sums) for side in ("recorded", "expected")}
    holes = {side: value or nobody for side, value in sides.items()}
    holes |= {"hand": str(finding["hand"] or ""), "seat": seat_name(finding["seat"], names, lang)}
    untold = [f"{{{side}}}" for side, value in sides.items() if not value]
    told = ["title"] + ["text"] * ("text" in words and not any(hole in words["text"] for hole in untold))
    said = " ".join(words[part].format_map(holes) for part in told)
    present = [side for side, value in sides.items() if value]
    beside = "setting" if len(present) == 2 else "".join(present)
    if code == "table/unknown-card" and beside == "recorded":  # the check that it leaves open
        beside = "open"
    tail = [say(f"verify.{beside}", lang, **holes)] if beside else []
    proof = finding["recorded"].get("proved_by") if isinstance(finding["recorded"], Mapping) else None
    tail += [say("verify.proved", lang, seq=proof)] if proof is not None else []
    tail += [finding["rule"]] if finding["rule"] else []
    tail += [say("verify.shaken", lang)] if finding["shaken"] else []
    return [head, f"    {said}", f"    {' · '.join(tail)}"]


def _sentences(words: Json, finding: Json) -> Json:
    """The sentences of a code, or those it has for another cause: by rule, or by what was claimed."""
    for cause in (finding["rule"], finding["recorded"]):
        told = words.get(cause.replace(".", "-")) if isinstance(cause, str) else None
        if isinstance(told, Mapping):
            return dict(told)
    return words


def _chips_matter(balances: Json, match: "Match | None") -> bool:
    """Whether anybody has, or is due, chips; where a match is played for points there need be none."""
    return bool(balances["due"]) and (not match or any(one for side in balances.values() for one in side.values()))


def _hands(report: Json, names: Mapping[int, str], sums: Sums, match: "Match | None") -> Iterator[str]:
    """What was due in each hand; of a match, which has no pots, the score after it."""
    lang = sums.lang
    seats = sorted({int(seat) for hand in report["hands"] for seat in hand["seats"]})
    middle = ("score",) if match else SUMS
    keys = ("hand", "dealer", "trump", *middle, "reason", "takers")

    def rows() -> Iterator[Sequence[str]]:
        yield [*(say(f"verify.{key}", lang) for key in keys), *(seat_name(seat, names, lang) for seat in seats)]
        for hand, brought in zip(report["hands"], _brought(match, names), strict=False):
            row = [*(spelled(hand[key]) for key in keys[:3])]
            row += [brought.score] if brought else [sums.told(hand[key]) for key in middle]
            row += [reason_told(hand["reason"], lang), spelled(hand["takers"]) or say("verify.nobody", lang)]
            won = brought.by_seat(seats) if brought else repeat("")
            cells = zip((hand["seats"].get(str(seat)) for seat in seats), won, strict=False)
            yield [*row, *(_seat_cell(seat, sums, points) for seat, points in cells)]

    return aligned(rows)


def _brought(match: "Match | None", names: Mapping[int, str]) -> "Iterable[Brought | None]":
    """What each hand brought in a match; nothing again and again where none is played."""
    if match is None:
        return repeat(None)
    from replay.cli_match import hand_by_hand

    return hand_by_hand(match, names)


def _seat_cell(seat: Json | None, sums: Sums, won: str) -> str:
    """Points or tricks, then what it won in a match, else chips as due, with the recorded change where it differs."""
    if seat is None:
        return say("verify.nobody", sums.lang)
    points = seat.get("points")
    had = spelled(seat.get("tricks")) if points is None else spelled(points["low"])
    if points is not None and points["low"] != points["high"]:
        had += f"..{spelled(points['high'])}"
    due, moved = seat["net_due"], seat["net_recorded"]
    return f"{had} {won or sums.signed(due)}" + (f" ({sums.signed(moved)})" if due != moved else "")


def _balances(balances: Json, names: Mapping[int, str], sums: Sums) -> list[str]:
    seats, lang = list(balances["due"]), sums.lang
    rows = [["", *(seat_name(int(seat), names, lang) for seat in seats)]]
    rows += [
        [say(f"verify.balance_{side}", lang), *(sums.told(balances[side][seat]) for seat in seats)]
        for side in ("due", "recorded")
    ]
    return columns(rows)
