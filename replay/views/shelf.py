"""The first page: what lies on the shelf, and what became of an upload."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from babel import Locale

from replay.views.addresses import Addresses, code_page
from replay.views.pages import ProblemRow, RefusalBox, ShelfItem, ShelfPage, UploadRow
from replay.views.parts import Frame, Link, Tag
from replay.views.sources import Shelf, ShelfRow
from replay.views.verdicts import verdict_tag
from replay.views.wording import Wording
from schemas.problems import Problem, Refusal

_EXCERPT: Final = 90
_NO: Final = Link("", "")
#: How files begin that are packed, by gzip or zstd, or are text in UTF-16; and such as hold no text.
_PACKED: Final = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xff\xfe", b"\xfe\xff")
_NO_TEXT: Final = (b"%PDF", b"PK\x03\x04", b"\x89PNG", b"GIF8", b"\xff\xd8\xff")


def size(limit: int, w: Wording) -> str:
    """A size in bytes, in the words people use."""
    mebi, rest = divmod(limit, 1024 * 1024)
    return w.say("size.mebi", n=mebi) if mebi and not rest else w.say("size.kibi", n=limit // 1024)


def shelf_item(row: ShelfRow, w: Wording, named: bool = True) -> ShelfItem:
    """One recording in a line."""
    to = Addresses(row.id, names=named)
    if row.broken is not None:
        tag, text = Tag("bad", w.say("shelf.broken"), "bad"), w.say("shelf.broken_at", seq=row.broken)
        return ShelfItem(Link(row.id, to.recording()), w.say(f"game.{row.game}"), "", tag, text, day(row.added, w), _NO)
    if not row.verdict:
        tag, named_so = Tag("quiet", w.say("shelf.not_judged")), (row.title if named else "") or row.id
        link, text = Link(named_so, to.recording()), w.say("shelf.too_long")
        return ShelfItem(link, w.say(f"game.{row.game}"), "", tag, text, day(row.added, w), _NO)
    who = ", ".join(row.seats) if named else w.say("report.seats", len(row.seats))
    title = (row.title if named else "") or (who and f"{who}{', ' + day(row.date, w) if row.date else ''}") or row.id
    said = [w.say("count.error", row.breaches)] if row.breaches else []
    said += [w.say("count.doubt", row.doubts)] if row.doubts else []
    return ShelfItem(
        title=Link(title, to.recording()),
        game=w.say(f"game.{row.game}"),
        hands=w.amount(row.hands),
        verdict=verdict_tag(row.verdict, w),
        text=" · ".join(said) or w.say("count.none"),
        added=day(row.added, w),
        replay=Link(w.say("shelf.replay"), to.hand(1)),
    )


def day(iso: str, w: Wording) -> str:
    """An ISO date as this language writes it, short; nothing for nothing."""
    if len(iso) < 10:
        return ""
    year, month, number = (int(piece) for piece in iso[:10].split("-"))
    name = Locale.parse(w.lang).months["format"]["abbreviated"][month]
    return f"{number} {name} {year}"


def upload_row(
    name: str, report: Mapping[str, Any], id_: str, w: Wording, key: str = "", continues: str = ""
) -> UploadRow:
    """What became of a file that could be read; `id_` is empty where nothing was kept."""
    errors = sum(one["severity"] == "error" for one in report["findings"])
    doubts = sum(one["severity"] == "doubt" for one in report["findings"])
    said = [w.say("count.error", errors)] if errors else []
    said += [w.say("count.doubt", doubts)] if doubts else []
    hands = w.say("count.hand", int(report["recording"]["hands"]))
    text = " · ".join([hands, *(said or [w.say("count.none")]), *([] if id_ else [w.say("shelf.not_kept")])])
    href = Addresses(id_).recording() + (f"?k={key}" if key else "") if id_ else ""
    return UploadRow(name, verdict_tag(report["verdict"], w), text, href, continues_link(continues, w))


def continues_link(id_: str, w: Wording) -> Link:
    """The recording stored before with which an upload begins; nothing where there is none."""
    return Link(w.say("shelf.continues", id=id_), Addresses(id_).recording()) if id_ else Link("", "")


def refusal_box(name: str, data: bytes, refusal: Refusal, w: Wording) -> RefusalBox:
    """A refused file: each problem with its line, what is wrong there and what would be right."""
    lines = data.split(b"\n")
    rows = tuple(_problem(problem, lines, w) for problem in refusal.problems)
    problems = w.say("count.problem", len(rows))
    what = kind_of(data)
    hint = w.say(f"refusal.hint.{what}") if what else ""
    return RefusalBox(name, verdict_tag("refused", w), w.say("refusal.text", problems=problems), rows, hint)


def kind_of(data: bytes) -> str:
    """What was handed in, where it is neither a recording nor a score sheet: `empty`, `binary`, `table` or `text`.

    >>> kind_of(b""), kind_of(b"hand;seat;cards"), kind_of(b"Dear friends,"), kind_of(b'{"seq":0')
    ('empty', 'table', 'text', '')
    """
    if not data.strip():
        return "empty"
    if data.startswith(_PACKED):
        return ""
    if b"\0" in data[:4096] or data.startswith(_NO_TEXT):
        return "binary"
    first = data.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")[0]
    if first.startswith((b"{", b"[", b"razbor-")):
        return ""
    return "table" if any(first.count(sign) > 1 for sign in (b";", b"\t", b",")) else "text"


def _problem(problem: Problem, lines: Sequence[bytes], w: Wording) -> ProblemRow:
    own = f"{problem.words}.problem.{problem.code}"
    sentence = w.template(own if problem.words and w.has(own) else f"problems.{problem.code}").format_map(
        {**problem.args, "field": problem.field or w.say("refusal.line")}
    )
    title, _, right = sentence.partition("; ")
    before, wrong, after = excerpt(_line(lines, problem.line), problem)
    return ProblemRow(
        line=str(problem.line),
        title=title[:1].upper() + title[1:].rstrip() + ("." if right else ""),
        before=before,
        wrong=wrong,
        after=after,
        right=right[:1].upper() + right[1:],
        code=str(problem.code),
        code_href=code_page(str(problem.code)),
        field=_where(problem, w),
    )


def _where(problem: Problem, w: Wording) -> str:
    """Beside the line: the column of a score sheet, else the field."""
    if problem.column:
        return w.say("refusal.column", column=str(problem.column))
    return w.say("refusal.field", field=problem.field) if problem.field else ""


def _line(lines: Sequence[bytes], number: int) -> str:
    if not 1 <= number <= len(lines):
        return ""
    text = lines[number - 1][:4000].decode("utf-8", "replace")
    return "".join(sign if sign.isprintable() else "·" for sign in text.rstrip("\r"))


def excerpt(line: str, problem: Problem) -> tuple[str, str, str]:
    """A piece of a line around what is wrong: before, wrong, after; wrong is empty where it cannot be found."""
    value = str(problem.args.get("value", "")).strip('"')
    at = line.find(value) if value else -1
    if problem.column:
        at = min(problem.column - 1, len(line))
        value = re.split(r"[\s,)]", line[at:], maxsplit=1)[0] or line[at : at + 1]
        return _cut(line, at, value)
    if at < 0:
        last = problem.field.split(".")[-1].split("[")[0]
        value = f'"{last}"' if last else ""
        at = line.find(value) if value else -1
    if at < 0:
        return (line[:_EXCERPT] + ("…" if len(line) > _EXCERPT else ""), "", "")
    return _cut(line, at, value)


def _cut(line: str, at: int, value: str) -> tuple[str, str, str]:
    start = max(0, at - 30)
    end = min(len(line), at + len(value) + 40)
    before = ("…" if start else "") + line[start:at]
    return before, line[at : at + len(value)], line[at + len(value) : end] + ("…" if end < len(line) else "")


def shelf_page(
    shelf: Shelf,
    w: Wording,
    limit: str,
    langs: tuple[Link, ...] = (),
    uploads: tuple[UploadRow, ...] = (),
    refusals: tuple[RefusalBox, ...] = (),
    pasted: str = "",
    message: str = "",
    named: bool = True,
    first: bool = True,
) -> ShelfPage:
    """A page of the shelf, with the outcome of an upload on top; `first`: that of the newest."""
    frame = Frame(w.lang, w.say("shelf.title"), langs)
    items = tuple(shelf_item(row, w, named) for row in shelf.rows)
    turns = () if first else (Link(w.say("shelf.newest"), "/#shelf"),)
    if shelf.older is not None:
        turns = (*turns, Link(w.say("shelf.older"), f"/?before={shelf.older}#shelf"))
    return ShelfPage(frame, items, uploads, refusals, pasted, limit, message, turns)
