"""The shelf and what is put on it."""

import re
from typing import Final

from flask import Blueprint, Response, abort, current_app, request

from replay.views.pages import RefusalBox, RefusalPage, UploadRow
from replay.views.parts import Frame
from replay.views.shelf import refusal_box, shelf_page, size, upload_row
from replay.web import reader
from schemas.problems import Refusal

pages = Blueprint("uploads", __name__)
_MOST_FILES: Final = 20
_PLACE: Final = re.compile("[1-9][0-9]{0,8}")
_BLANK: Final = " \t\r\n"


@pages.get("/")
def shelf() -> Response:
    """The first page."""
    return _shelf()


def _limit() -> str:
    return size(int(current_app.config["UPLOAD_LIMIT"]), reader.words())


def _shelf(
    uploads: tuple[UploadRow, ...] = (), refusals: tuple[RefusalBox, ...] = (), message: str = "", status: int = 200
) -> Response:
    words, pasted, before = reader.words(), request.form.get("text", ""), request.args.get("before")
    if before is not None and not _PLACE.fullmatch(before):
        abort(404)
    lying = reader.desk().shelf(None if before is None else int(before))
    langs, named = reader.languages(), reader.named()
    page = shelf_page(
        lying, words, _limit(), langs, uploads, refusals, pasted, message, named=named, first=before is None
    )
    return reader.show("shelf.html", page, status, here="shelf")


def _given() -> list[tuple[str, bytes]]:
    """Every file as it came, and the pasted text, without the blank lines that stay behind it when it is pasted."""
    files = []
    for one in request.files.getlist("files")[:_MOST_FILES]:
        files.append((one.filename or "", one.stream.read()))
        one.close()
    found = [(name, data) for name, data in files if name or data]
    pasted = request.form.get("text", "")
    if pasted.strip():
        found.append((reader.words().say("shelf.pasted"), pasted.rstrip(_BLANK).encode()))
    return found


@pages.post("/recordings")
def upload() -> Response:
    """Take files or pasted text: one that can be read leads to its page, one that cannot to its problems."""
    words = reader.words()
    given = _given()
    keep = "check" not in request.form
    shown = request.form.get("shown", "")
    rows: list[UploadRow] = []
    boxes: list[RefusalBox] = []
    for name, data in given:
        found = reader.desk().receive(data, keep=keep, public=shown in ("public", "full"), shown=shown or "public")
        if isinstance(found, Refusal):
            boxes.append(refusal_box(name, data, found, words))
        else:
            rows.append(upload_row(name, found.report, found.id, words, found.key, found.continues))
    if len(request.files.getlist("files")) > _MOST_FILES:
        return _shelf(tuple(rows), tuple(boxes), words.say("shelf.too_many", most=_MOST_FILES))
    if len(rows) == 1 and not boxes and rows[0].href:
        return _see(rows[0].href)
    if boxes and not rows:
        frame = Frame(words.lang, words.say("refusal.title"), reader.languages())
        page = RefusalPage(frame, tuple(boxes), request.form.get("text", ""), _limit())
        return reader.show("refusal.html", page, 422, here="shelf")
    if not given:
        return _shelf(message=words.say("shelf.nothing_sent"), status=422)
    return _shelf(tuple(rows), tuple(boxes))


def _see(href: str) -> Response:
    answer = Response(status=303)
    answer.headers["Location"] = href
    return answer
