"""`razbor dispute`: who really had what in one hand, with the sums a person can check with a pencil."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from recorder.decode import BULK
from recorder.rulebook import UnknownRulesError
from replay import desk
from replay.audit.dispute import NoSuchMomentError
from replay.cli_show import one
from replay.cli_verify import REFUSED, Json, check_view, not_in_the_book, seat_name, signed, spelled
from replay.cli_words import MistypedError, columns, line, put, say
from schemas.events import HandBegan, Recording


def dispute(file: str, lang: str, as_json: bool, **asked: Any) -> int:
    """Prints the answer; the exit code is 3 where the file cannot be read."""
    recording = one(file, lang, as_json)
    if recording is None:
        return REFUSED
    names = desk.names_of(recording)
    check_view(asked["view"], names)
    for seat in asked["believe"]:
        check_view(f"seat:{seat}", names)
    data = b"\n".join(recording.lines)
    try:
        answer = desk.dispute(data, limits=BULK, **asked)
    except NoSuchMomentError as error:
        raise _nowhere(recording, asked["hand"], asked["at"]) from error
    except UnknownRulesError as error:
        raise not_in_the_book(error) from error
    put(line(answer) if as_json else "\n".join(told(answer, names, lang)))
    return 0


def _nowhere(recording: Recording, hand: int, at: int | None) -> MistypedError:
    numbers = [event.hand for event in recording.events if isinstance(event, HandBegan)]
    if hand not in numbers:
        return MistypedError("no_hand", hand=hand, choices=", ".join(map(str, numbers)))
    return MistypedError("no_moment", hand=hand, at=at)


def told(answer: Json, names: Mapping[int, str], lang: str) -> list[str]:
    """The answer as lines of text."""
    title = say("dispute.title", lang, hand=answer["hand"], view=answer["view"], at=answer["at"])
    target = f", {say('dispute.target', lang, target=answer['target'])}" if answer.get("target") else ""
    lines = [title + target]
    for seat, entry in answer["seats"].items():
        name = seat_name(int(seat), names, lang)
        lines += ["", *(_bura(name, entry, names, lang) if "points" in entry else _bourre(name, entry, lang))]
    lines.append("")
    if "joint" in answer:
        joint = answer["joint"]
        least, most = (say(f"dispute.joint_{joint[key]}", lang) for key in ("at_least_one", "at_most_one"))
        lines.append(say("dispute.joint", lang, least=least, most=most))
    if answer.get("unseen"):
        lines.append(say("dispute.unseen", lang, cards=" ".join(answer["unseen"])))
    lines += [say("dispute.contradiction", lang, **each) for each in answer.get("contradictions", ())]
    lines += [_rightful(answer["rightful"], names, lang), "", say("dispute.remedy", lang)]
    lines.append("  " + ", ".join(f"{seat} {signed(amount)}" for seat, amount in answer["remedy"].items()))
    return [*lines, "", say("dispute.rules", lang), *_rules(answer["rules"], names, lang)]


def _bura(name: str, entry: Json, names: Mapping[int, str], lang: str) -> Iterator[str]:
    low, high = entry["points"]["low"], entry["points"]["high"]
    points = say("dispute.exact" if low == high else "dispute.points", lang, low=spelled(low), high=spelled(high))
    yield f"{name}: {points}, " + say(f"dispute.{entry['answer']}", lang)
    certificate = entry["certificate"]
    known = certificate["known"]
    if known:
        cards = " + ".join(f"{card} {worth}" for card, worth in known)
        yield "  " + say("dispute.sum", lang, cards=cards, points=sum(worth for _, worth in known))
    if entry["unknown"]:
        yield "  " + say("dispute.unknown", lang, count=entry["unknown"])
    for place in certificate["places"]:
        low, high = (" ".join(map(str, place[side])) for side in ("low", "high"))
        seat = seat_name(place["seat"], names, lang)
        yield "    " + say("dispute.least_most", lang, seq=place["seq"], seat=seat, low=low, high=high)
    if not certificate["exact"]:
        yield "  " + say("dispute.not_exact", lang)
    yield from ("  " + each for each in _clocks(entry, names, lang))


def _clocks(entry: Json, names: Mapping[int, str], lang: str) -> Iterator[str]:
    """When the seat reached the target, could open, and opened; whose word would settle what is open."""
    never = say("dispute.never", lang)
    possibly, surely = (entry["reached"][key] for key in ("possibly", "surely"))
    if possibly is not None:
        yield say("dispute.reached", lang, possibly=possibly, surely=never if surely is None else surely)
    if entry["entitled_at"]:
        yield say("dispute.entitled", lang, events=spelled(entry["entitled_at"]))
    if entry["opened_at"] is not None:
        counted = entry["counted"]
        yield say("dispute.opened", lang, at=entry["opened_at"], counted=never if counted is None else counted)
    for seats in entry["settled_by"]:
        yield say("dispute.settled", lang, seats=_seats(seats, names, lang))


def _bourre(name: str, entry: Json, lang: str) -> Iterator[str]:
    low, high = entry["tricks"]["low"], entry["tricks"]["high"]
    key = "dispute.exact_tricks" if low == high else "dispute.tricks"
    tricks = say(key, lang, low=spelled(low), high=spelled(high))
    bourre = say("dispute.bourre", lang, answer=say(f"dispute.{entry['bourre']}", lang))
    yield f"{name}: {tricks}; {bourre}"
    yield "  " + say("dispute.share", lang, share=spelled(entry["share"]), owes=spelled(entry["owes"]))
    for duty in entry["duties"]:
        answer = say(f"dispute.{'unsettled' if duty['answer'] == 'open' else duty['answer']}", lang)
        said = say("dispute.duty", lang, seq=duty["seq"], duty=duty["duty"], answer=answer)
        if duty["answer"] != "kept":
            said += say("dispute.would_have", lang, cards=spelled(duty["would_have"]))
        if duty["proved_by"] is not None:
            said += say("dispute.proved", lang, seq=duty["proved_by"])
        yield "  " + said


def _seats(seats: Sequence[int], names: Mapping[int, str], lang: str) -> str:
    return ", ".join(seat_name(seat, names, lang) for seat in seats) or say("dispute.nobody", lang)


def _rightful(rightful: Json, names: Mapping[int, str], lang: str) -> str:
    why = rightful["why"] or say("dispute.never", lang)
    key = "dispute.rightful_open" if rightful["answer"] == "open" else "dispute.rightful"
    return say(key, lang, amount=spelled(rightful["amount"]), seats=_seats(rightful["seats"], names, lang), why=why)


def _rules(rules: Sequence[Json], names: Mapping[int, str], lang: str) -> list[str]:
    """The same facts under other values: the recorded ones first, then each that comes to another result."""
    rows = []
    for place, row in enumerate(rules):
        ways = [row["options"], *row.get("also", ())]
        spelled_out = " | ".join(", ".join(f"{key}={spelled(value)}" for key, value in way.items()) for way in ways)
        net = " ".join(f"{seat} {signed(due)}" for seat, due in row["net_due"].items())
        head = say("dispute.recorded_rules", lang) if place == 0 else spelled_out
        rows.append((f"  {_seats(row['rightful'], names, lang)}", net, head))
    return columns(rows) if rows else []
