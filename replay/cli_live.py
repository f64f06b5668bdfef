"""`razbor compare`, `join` and `token`: two scribes of one evening, two halves of one, and who may begin a table."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from replay.cli_commands import as_json, database, lang, option
from replay.cli_door import SpokenCommand, language
from replay.cli_sources import apart, once, spared
from replay.cli_words import line, put, say

if TYPE_CHECKING:
    from recorder.address import Place
    from replay.views.wording import Sentence
    from schemas.problems import Refusal

T = TypeVar("T")
Json = dict[str, Any]
DIFFER: Final = 1
SIGNS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


def _read(name: str) -> bytes:
    from replay.cli_sources import Source

    return Source(name).read()


def _events(name: str, tongue: str, as_json: bool) -> list[Json]:
    """The events of one recording; the command exits with 3 where it is refused."""
    from recorder import intake

    found = _unless_refused(name, intake.read(_read(name), intake.BULK), tongue, as_json)
    return [json.loads(row) for row in found.lines]


def _half(name: str, tongue: str) -> tuple[Json, ...]:
    """The events of half a recording, which is none yet; the command exits with 3 where a line is no event."""
    from recorder import intake

    return _unless_refused(name, intake.read_half(_read(name)), tongue)


def _unless_refused(name: str, found: T | "Refusal", tongue: str, as_json: bool = False) -> T:
    from replay.cli_verify import refused
    from schemas.problems import Refusal

    if isinstance(found, Refusal):
        click.get_current_context().exit(refused(name, found, tongue, as_json))
    return found


def _recorded(name: str, events: tuple[Json, ...], tongue: str, as_json: bool = False) -> tuple[Json, ...]:
    """The events as they came; the command exits with 3 where they are no recording."""
    from recorder import intake
    from schemas import wire

    lines = b"\n".join(wire.canonical(event) for event in events)
    _unless_refused(name, intake.read(lines, intake.BULK), tongue, as_json)
    return events


def _write(name: str, events: tuple[Json, ...]) -> None:
    from replay.cli_journal import write
    from schemas import wire

    write(b"".join(wire.canonical(event) + b"\n" for event in events), name)


@click.command("compare", cls=SpokenCommand)
@click.argument("first", type=click.Path())
@click.argument("second", type=click.Path())
@option("--merged", type=click.Path(), metavar="FILE")
@as_json
@lang
@click.pass_context
def compare(ctx: click.Context, first: str, second: str, merged: str | None, as_json: bool) -> None:
    """Two recordings of one evening side by side; exits with 1 where they differ."""
    from recorder.words import load
    from replay.audit import compare as comparing
    from replay.views.pad_compare import both_told
    from replay.views.wording import Wording
    from schemas.sums import digits_of

    tongue = language(ctx, data=as_json)
    if merged:
        spared(merged)
        apart(merged, (first, second))
    ours, theirs = (_events(name, tongue, as_json) for name in once((first, second)))
    found = comparing.compare(ours, theirs)
    seated = {seat: name for each in (theirs, ours) for seat, name in enumerate(each[0]["seats"], 1)}
    names, words = seated, Wording(tongue, load(tongue))
    spoken = [words.of(digits_of(each[0])) for each in (ours, theirs)]
    for row in found.rows:
        if as_json:
            put(line({"answer": row.answer, "first": row.first, "second": row.second, "merged": row.merged}))
        elif row.answer != "same":
            both = zip((row.first, row.second), both_told(row, (names, names), spoken), strict=True)
            told = [_said(event, said) if event else "" for event, said in both]
            event = next(filter(None, told))
            put(say(f"compare.{row.answer}", tongue, first=told[0], second=told[1], event=event))
    if not as_json:
        put(say("compare.summary", tongue, same=found.agreements, differ=found.conflicts, gaps=found.gaps))
    if merged:
        _write(merged, _recorded(merged, comparing.merged(found), tongue, as_json))
    ctx.exit(DIFFER if found.conflicts or found.gaps else 0)


def _said(event: Mapping[str, Any], told: "Sentence") -> str:
    """An event with its number, its cards as they are written: letter and suit."""
    shown = (part.text + SIGNS.get(part.card[1], "") if part.card else part.text for part in told)
    return f"{event['seq']} {''.join(shown).strip()}"


@click.command("join", cls=SpokenCommand)
@click.argument("first", type=click.Path())
@click.argument("second", type=click.Path())
@option("-o", "--output", type=click.Path(), metavar="FILE")
@option("--receipt", type=click.Path(), metavar="FILE", multiple=True)
@option("--key", "log", metavar="KEY", multiple=True)
@database
@lang
@click.pass_context
def join(
    ctx: click.Context,
    first: str,
    second: str,
    output: str | None,
    receipt: Sequence[str],
    log: Sequence[str],
    db: "Place",
) -> None:
    """Two halves of one recording; exits with 1 where the second does not continue the first.

    Numbers and events are what half a recording shows; with a receipt the chain is held to, too.
    """
    from replay.audit import compare as comparing
    from schemas import wire

    tongue = language(ctx)
    apart(output, (first, second, *receipt))
    half, rest = (_half(name, tongue) for name in once((first, second)))
    found = comparing.join(half, rest)
    if isinstance(found, int):
        put(say("error.not_continuing", tongue, seq=found), error=True)
        ctx.exit(DIFFER)
    _recorded(f"{first} + {second}", found, tongue)
    for name in receipt:
        if told := _unproved(found, len(half), name, log, db):
            put(say(f"error.{told[0]}", tongue, name=name, **told[1]), error=True)
            ctx.exit(DIFFER)
    if output and output != "-":
        _write(output, found)
    else:
        put("\n".join(wire.canonical(event).decode() for event in found))


def _unproved(
    events: Sequence[Json], seam: int, name: str, log: Sequence[str], db: "Place"
) -> tuple[str, dict[str, Any]] | None:
    """Why a receipt does not prove that these events stand in one chain across the seam; None where it does."""
    from recorder import receipt
    from replay.cli_log import verifiers
    from schemas import wire

    try:
        proved = receipt.verify(_read(name), verifiers(log, db))
    except receipt.ReceiptError as error:
        return "receipt_fails", {"reason": error}
    for seq, (event, row) in enumerate(zip(events, proved.lines, strict=False)):
        if row is not None and wire.canonical(event) != row:
            return "not_proved", {"seq": seq}
    covered = len(proved.lines) > seam > 0 and None not in proved.lines[seam - 1 : seam + 1]
    return None if covered else ("not_covered", {"seq": seam})


@click.command("token", cls=SpokenCommand)
@option("--revoke", type=click.IntRange(1), metavar="N")
@database
@lang
@click.pass_context
def token(ctx: click.Context, db: "Place", revoke: int | None) -> None:
    """A token for an operator, shown once; or one revoked."""
    from recorder.roles import OPERATOR, UnknownLinkError
    from replay.cli_journal import opened

    tongue = language(ctx)
    with opened(db, new=revoke is None) as journal:
        if revoke is None:
            (made,) = journal.roles().make("", [OPERATOR])
            put(say("compare.made", tongue, token=made.token, number=made.link.number))
            return
        try:
            journal.roles().revoke("", revoke)
        except UnknownLinkError:
            put(say("compare.unknown_token", tongue, number=revoke), error=True)
            ctx.exit(DIFFER)
        put(say("compare.revoked", tongue, number=revoke))


COMMANDS: Final = (compare, join, token)
