"""README's pictures: `python -m tests.web.pictures` serves the samples, looks at ten pages, writes small PNGs."""

import base64
import struct
import sys
import tempfile
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from werkzeug.serving import WSGIRequestHandler, make_server

from recorder.journal import Journal
from replay.desk_journal import JournalDesk
from replay.web.app import create_app
from schemas.problems import Refusal

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT: Final = Path(__file__).parents[2]
SAMPLES: Final = ROOT / "data" / "recordings"
PICTURES: Final = ROOT / "data" / "pictures"
MOST: Final = 60 * 1024
QUARREL, EVENING = "thirty-counted-as-thirty-one.bura", "evening-of-three-four-hands.bura"
SIX, PROGRAM, WORD = "six-at-the-table.bourre", "public-program-nbl.bourre", "word-against-closed-cards.bura"
#: Name, sample, what is looked at, query, width, height, scheme.
SHOTS: Final = (
    ("step-desktop", EVENING, "most", "view=seat:1&lang=en", 1280, 860, "light"),
    ("step-dark", SIX, "most", "view=full&lang=fr", 1280, 860, "dark"),
    ("step-phone", EVENING, "most", "view=seat:1&lang=ru", 360, 780, "light"),
    ("step-phone-dark", PROGRAM, "most", "view=full&lang=en", 360, 780, "dark"),
    ("count", QUARREL, "counted", "view=full&lang=en&card=4", 1280, 860, "light"),
    ("blind", EVENING, "most", "view=public&blind=1&lang=ru", 1280, 860, "dark"),
    ("recording", QUARREL, "page", "lang=ru", 1280, 900, "light"),
    ("protocol", QUARREL, "report", "lang=fr", 820, 1100, "light"),
    ("dispute", WORD, "dispute", "lang=en", 1280, 900, "light"),
    ("shelf", "", "shelf", "lang=en", 1280, 820, "light"),
)
#: In the browser, where it is quick: the most frequent colours become the palette, every other takes the nearest.
_PALETTE: Final = """async source => {
  const image = await createImageBitmap(await (await fetch(source)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height), draw = canvas.getContext('2d');
  draw.drawImage(image, 0, 0);
  const data = new Uint32Array(draw.getImageData(0, 0, image.width, image.height).data.buffer);
  const count = new Map();
  for (const one of data) count.set(one, (count.get(one) || 0) + 1);
  const often = [...count].sort((a, b) => b[1] - a[1]).map(one => one[0]);
  const apart = (a, b) => { let sum = 0; for (const n of [0, 8, 16]) sum += ((a >> n & 255) - (b >> n & 255)) ** 2;
    return sum; };
  const palette = [];
  for (const least of [900, 200, 0]) for (const one of often)
    if (palette.length < 64 && !palette.includes(one) && palette.every(other => apart(one, other) >= least))
      palette.push(one);
  const at = new Map(often.map(one => { let best = 0;
    palette.forEach((other, n) => { if (apart(one, other) < apart(one, palette[best])) best = n; });
    return [one, best]; }));
  let text = '';
  for (const one of data) text += String.fromCharCode(at.get(one));
  return { width: image.width, height: image.height, palette, places: btoa(text) };
}"""


class _Quiet(WSGIRequestHandler):
    def log_request(self, code: Any = "-", size: Any = "-") -> None:
        """Says nothing."""


@contextmanager
def site() -> Iterator[tuple[str, JournalDesk, dict[str, str]]]:
    """The samples served: address, desk, and by sample its id."""
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal.open(Path(folder) / "journal.db", clock=lambda: 1_764_360_000_000)
        desk = JournalDesk(journal, open_house=True)
        ids: dict[str, str] = {}
        for path in sorted(SAMPLES.glob("*.jsonl")):
            found = desk.receive(path.read_bytes(), keep=True, public=True)
            assert not isinstance(found, Refusal)
            ids[path.name.removesuffix(".jsonl")] = found.id
        server = make_server("127.0.0.1", 0, create_app(desk), threaded=True, request_handler=_Quiet)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", desk, ids
        server.shutdown()
        thread.join()
        server.server_close()
        journal.close()


def step_of(desk: JournalDesk, id_: str, wanted: str) -> str:
    """The step at which most cards lie on the table, or the first event of a type."""
    best = (-1, 0, 0)
    head = desk.head(id_, "")
    assert head
    for span in head.hands:
        source = desk.hand(id_, span.hand, head.view)
        assert source
        for event, table in zip(source.events, source.tables, strict=True):
            lying = sum(len(one.cards) for one in table.sets) if wanted == "most" else event["type"] == wanted
            if int(lying) > best[0]:
                best = int(lying), span.hand, table.seq
    return f"/hands/{best[1]}/events/{best[2]}"


def address(desk: JournalDesk, id_: str, what: str) -> str:
    """What a shot looks at."""
    if what == "shelf":
        return "/"
    ends = {"page": "", "report": "/report", "dispute": "/hands/1/dispute"}
    return f"/recordings/{id_}{ends[what] if what in ends else step_of(desk, id_, what)}"


def png(shot: dict[str, Any]) -> bytes:
    """Places in a palette as an 8-bit PNG."""
    width, places = int(shot["width"]), base64.b64decode(shot["places"])
    rows = b"".join(b"\0" + places[at : at + width] for at in range(0, len(places), width))
    colours = b"".join(bytes((one & 255, one >> 8 & 255, one >> 16 & 255)) for one in shot["palette"])

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, int(shot["height"]), 8, 3, 0, 0, 0)
    packed = zlib.compress(rows, 9)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"PLTE", colours)
        + chunk(b"IDAT", packed)
        + chunk(b"IEND", b"")
    )


def take(browser: "Browser", base: str, path: str, shot: tuple[Any, ...]) -> bytes:
    """One picture."""
    name, _, _, query, width, height, scheme = shot
    context = browser.new_context(
        base_url=base, viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(f"{path}?{query}" + ("#why" if name == "count" else ""))
    page.wait_for_timeout(300)
    source = "data:image/png;base64," + base64.b64encode(page.screenshot()).decode()
    page.goto("about:blank")
    drawn = png(page.evaluate(_PALETTE, source))
    context.close()
    return drawn


def main(only: list[str]) -> None:
    """Writes the pictures, all or those named."""
    from playwright.sync_api import sync_playwright

    from tests.conftest import program_path

    PICTURES.mkdir(exist_ok=True)
    with site() as (base, desk, ids), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program_path("chromium"), args=["--no-sandbox"])
        for shot in SHOTS:
            if only and shot[0] not in only:
                continue
            drawn = take(browser, base, address(desk, ids.get(shot[1], ""), shot[2]), shot)
            (PICTURES / f"{shot[0]}.png").write_bytes(drawn)
            print(shot[0], len(drawn), "" if len(drawn) <= MOST else "TOO LARGE")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
