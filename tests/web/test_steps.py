"""A hand in the browser: fetched once and small, drawn step by step as the server draws it, and telling no more."""

from typing import TYPE_CHECKING, Any

import pytest

from replay.desk_journal import JournalDesk
from tests.web.test_known_then import recorded

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CASES = (
    ("bura/dispute-open-01", "full", "en"), ("bura/dispute-open-01", "public", "ru"),
    ("bura/rule-open-30-says-31", "seat:2", "fr"), ("bura/table-amended", "full", "en"),
    ("bourre/session-05", "full", "fr"), ("bourre/session-05", "public", "en"),
    ("bourre/redacted-proved-1", "", "ru"), ("bourre/tie-five-of-six", "seat:1", "ru"),
)  # fmt: skip

STEPS = """async () => {
  const clean = (text) => text.replace(/\\s+/g, ' ')
  const number = (name, value) => /^[xy]$/.test(name) && !/%/.test(value)
  const blank = (text) => !text || /\\n/.test(text) && !text.trim()
  const idle = (one) => one.nodeType === 8 || one.nodeType === 3 && blank(one.data)
  function shape(at) {
    if (at.nodeType === 3) return clean(at.data)
    const told = [...at.attributes].filter((one) => !['hidden', 'aria-pressed'].includes(one.name))
      .map(({ name, value }) => name + '=' + (number(name, value) ? +value : clean(value).trim())).sort()
    at.normalize()
    const inner = [...at.childNodes].filter((one) => !idle(one))
      .map((one) => one.nodeType === 3 && !one.nextSibling ? shape(one).trimEnd() : shape(one))
    return '<' + at.localName + ' ' + told.join(' ') + '>' + inner.join('') + '</>\\n'
  }
  const wanted = ['main.table', '.log', '.hs', '.keys', 'input[type=range]', '.railbox svg:not(.marks)', '.count b']
  const at = (query, page = document) => page.querySelector(query)
  const told = (page) => [page.title, ...wanted.map((query) => at(query, page) ? shape(at(query, page)) : '')]
  const server = () => new Promise((done) => {
    const ask = new XMLHttpRequest()
    ask.open('GET', location.href)
    ask.responseType = 'document'
    ask.onload = () => done(ask.response)
    ask.send()
  })
  const soon = () => new Promise((go) => setTimeout(go, 5))
  const wrong = [], main = at('main.table'), last = +at('input[type=range]').max
  let seen = 0
  for (const name of ['next', 'back']) for (;;) {
    const seq = main.dataset.seq
    if (name === 'next' ? +seq === last : !at('[data-go=first][href]')) break
    at('[data-go=' + name + ']').click()
    for (let k = 0; k < 2000 && at('main.table').dataset.seq === seq; k++) await soon()
    if (main.dataset.seq === seq) return { wrong: [...wrong, [seq, main.isConnected ? 'no step' : 'a page']], seen }
    const [ours, theirs] = [told(document), told(await server())]
    ours.forEach((one, k) => {
      if (one === theirs[k]) return
      const [lines, others] = [one.split('\\n'), theirs[k].split('\\n')]
      const n = lines.findIndex((line, n) => line !== others[n])
      wrong.push([location.pathname, wanted[k - 1] || 'title', lines[n], others[n]])
    })
    seen += 1
  }
  return { wrong, seen }
}"""


def stepped(browser: "Browser", address: str, path: str) -> dict[str, Any]:
    context = browser.new_context(base_url=address, viewport={"width": 1280, "height": 860})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    with page.expect_response(lambda answer: "/steps.json" in answer.url):
        page.goto(path)
    found: dict[str, Any] = page.evaluate(STEPS)
    context.close()
    assert errors == [], found
    return found


@pytest.mark.browser
@pytest.mark.needs("chromium")
@pytest.mark.parametrize(("case", "view", "lang"), CASES)
def test_each_step_is_drawn_in_the_browser_as_the_server_draws_it(
    browser: "Browser", club: tuple[str, JournalDesk], case: str, view: str, lang: str
) -> None:
    address, desk = club
    id_ = desk.journal.store(recorded(case)).key
    head = desk.head(id_, view)
    assert head
    span = head.hands[-1]
    asked = f"view={view or head.view}&lang={lang}"
    path = f"/recordings/{id_}/hands/{span.hand}/events/{span.first}"
    found = stepped(browser, address, f"{path}?{asked}")
    assert found["wrong"][:4] == []
    assert found["seen"] == 2 * (len(span.seqs) - 1)
