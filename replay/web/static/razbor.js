// Makes stepping quick. Every page works without this file; no markup is ever made from text here.
const $ = (query, root = document) => root.querySelector(query);
const step = () => $("main.table");
const pages = new Map();
let speed = 1, timer = 0, keysOn = true;

function fetchPage(href) {
  if (!pages.has(href)) {
    if (pages.size > 60) pages.delete(pages.keys().next().value);
    pages.set(href, new Promise((resolve, reject) => {
      const ask = new XMLHttpRequest();
      ask.open("GET", href);
      ask.responseType = "document";
      ask.onload = () => (ask.status === 200 && ask.response ? resolve({ page: ask.response, href: ask.responseURL }) : reject(ask.status));
      ask.onerror = reject;
      ask.send();
    }));
  }
  return pages.get(href);
}

function put(page) {
  const focus = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.go : "";
  const ranged = document.activeElement && document.activeElement.type === "range";
  for (const query of [".bar", ".strip", "main.table", ".side", ".transport"]) {
    const now = $(query), next = $(query, page);
    if (now && next) now.replaceWith(document.importNode(next, true));
  }
  document.title = page.title;
  const said = $(".say h1");
  if (said) $("#live").textContent = [...said.childNodes].map((one) => (one.getAttribute && one.getAttribute("aria-label")) || one.textContent).join("");
  wake();
  if (ranged) $("input[type=range]").focus();
  else if (focus) ($(`[data-go="${focus}"]`) || $("main.table")).focus();
}

async function go(href, push = true) {
  const url = new URL(href, location.href);
  if (url.origin !== location.origin) return;
  try {
    const got = await fetchPage(url.pathname + url.search);
    if (!$("main.table", got.page)) { location.href = href; return; }
    put(got.page);
    if (push) history.pushState(null, "", got.href + location.hash);
    if (url.hash && url.hash !== location.hash) location.replace(url.hash);
    ahead();
  } catch { location.href = href; }
}

function ahead() {
  for (const name of ["next", "back"]) {
    const link = $(`[data-go="${name}"]`);
    if (link) soon(link.href, name === "next" ? 3 : 0);
  }
  for (const name of ["pageup", "pagedown"]) soon(step().getAttribute("data-k-" + name));
}

function soon(href, further = 0) {
  if (!href) return;
  const url = new URL(href, location.href);
  fetchPage(url.pathname + url.search).then((got) => {
    const link = further && $("[data-go=next]", got.page);
    if (link) soon(link.getAttribute("href"), further - 1);
  }, () => {});
}

function stop() {
  clearTimeout(timer);
  timer = 0;
  const button = $("[data-play]");
  if (button) { button.setAttribute("aria-pressed", "false"); use(button, "play"); }
}

function use(button, name) {
  const mark = $("use", button), href = mark.getAttribute("href");
  mark.setAttribute("href", href.replace(/#.*/, "#" + name));
}

function play() {
  const next = $("[data-go=next]");
  if (!next) return stop();
  const button = $("[data-play]");
  button.setAttribute("aria-pressed", "true");
  use(button, "pause");
  timer = setTimeout(async () => {
    await go(next.href);
    if (timer && !step().dataset.stop) play(); else stop();
  }, 1400 / speed);
}

function toggle() { if (timer) stop(); else play(); }

function faster(by) {
  const speeds = [0.5, 1, 2, 4];
  speed = speeds[Math.max(0, Math.min(3, speeds.indexOf(speed) + by))];
  const shown = $("[data-speed]");
  if (shown) shown.textContent = shown.textContent.replace(/[\d.]+×/, speed + "×");
}

function copy() {
  const field = $(".bar .menu input");
  if (!field || !navigator.clipboard) return;
  navigator.clipboard.writeText(field.value).then(() => { $("#live").textContent = $("#live").dataset.copied || ""; }, () => {});
}

const named = { ArrowLeft: "back", ArrowRight: "next", "[": "back_trick", "]": "next_trick", Home: "first", End: "last" };

function key(event) {
  if (!step() || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const at = event.target;
  if (at.closest("input:not([type=range]):not([type=checkbox]),textarea,select,dialog[open]")) return;
  if (event.key === "?") { $("#keys").showModal(); return event.preventDefault(); }
  if (!keysOn || (at.type === "range" && /^(Arrow|Home|End|Page)/.test(event.key))) return;
  let name = named[event.key];
  if (event.shiftKey && name === "back") name = "back_trick";
  if (event.shiftKey && name === "next") name = "next_trick";
  if (name) {
    const link = $(`[data-go="${name}"]`);
    event.preventDefault();
    stop();
    return link && go(link.href);
  }
  const letter = event.key.toLowerCase();
  if (letter === " ") { if (at.closest("a,button,summary")) return; event.preventDefault(); return toggle(); }
  if (letter === "-" || letter === "+" || letter === "=") return faster(letter === "-" ? -1 : 1);
  if (letter === "c") return copy();
  if (letter === "g") { event.preventDefault(); return $("input[type=range]").focus(); }
  const href = step().getAttribute("data-k-" + (event.shiftKey ? "shift-" : "") + letter);
  if (href) { event.preventDefault(); stop(); if (letter === "d") location.href = href; else go(href); }
}

function wake() {
  const button = $("[data-play]");
  if (button) { button.hidden = false; if (timer) use(button, "pause"); }
  const shown = $("[data-speed]");
  if (shown) { shown.hidden = false; faster(0); }
  const log = $(".log"), now = $(".log [aria-current]");
  if (log && now && log.scrollHeight > log.clientHeight) log.scrollTop = now.offsetTop - log.clientHeight + 92;
}

function slide(event) {
  if (event.target.type !== "range" || !event.target.form) return;
  const form = event.target.form, query = new URLSearchParams(new FormData(form));
  query.delete("at");
  const rest = String(query).replace(/%3A/g, ":");
  stop();
  go(`${form.getAttribute("action")}/${event.target.value}${rest ? "?" + rest : ""}`);
}

let touch = null;
document.addEventListener("touchstart", (event) => { touch = event.touches.length === 1 && event.target.closest(".table") && !event.target.closest(".sets") ? event.touches[0] : null; }, { passive: true });
document.addEventListener("touchend", (event) => {
  if (!touch) return;
  const end = event.changedTouches[0], x = end.clientX - touch.clientX, y = end.clientY - touch.clientY;
  if (Math.abs(x) < 60 || Math.abs(y) > 40) return;
  const link = $(`[data-go="${x < 0 ? "next" : "back"}"]`);
  if (link) go(link.href);
});

document.addEventListener("click", (event) => {
  const at = event.target;
  for (const menu of document.querySelectorAll("details.drop[open],.about details[open]")) if (!menu.contains(at)) menu.open = false;
  if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (at.closest("[data-play]")) return toggle();
  if (at.closest("[data-speed]")) return speed === 4 ? faster(-3) : faster(1);
  if (at.closest("[data-print]")) return print();
  const link = at.closest("a[href]");
  if (!link || !step() || link.target || link.hreflang) return;
  const href = typeof link.href === "string" ? link.href : link.href.baseVal;
  const url = new URL(href, location.href);
  if (!/\/hands\/\d+\/events(\/\d+)?$/.test(url.pathname) || link.closest(".menu") && /\.svg$/.test(url.pathname)) return;
  event.preventDefault();
  stop();
  go(href);
});
document.addEventListener("change", (event) => { if (event.target.matches("[data-keys]")) keysOn = event.target.checked; else slide(event); });
document.addEventListener("keydown", key);
addEventListener("popstate", () => { if (step()) go(location.href, false); });

let drop = $("[data-drop]");
if (drop) {
  const over = (on) => document.body.classList.toggle("over", on);
  addEventListener("dragover", (event) => { event.preventDefault(); over(true); });
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) over(false); });
  addEventListener("drop", (event) => {
    event.preventDefault();
    over(false);
    if (event.dataTransfer.files.length) { $("input[type=file]", drop).files = event.dataTransfer.files; drop.requestSubmit(); }
  });
  addEventListener("paste", (event) => {
    if (event.target.closest("textarea,input")) return;
    const text = event.clipboardData.getData("text");
    if (text.trim().startsWith("{")) { $(".paste", drop).open = true; $("textarea", drop).value = text; $("textarea", drop).focus(); }
  });
}
addEventListener("submit", (event) => {
  const form = event.target;
  if (form !== drop) return;
  event.preventDefault();
  const said = $("[data-sending]", form), first = $("input[type=file]", form).files[0];
  const ask = new XMLHttpRequest();
  ask.open("POST", form.action);
  ask.responseType = "document";
  ask.upload.onprogress = (now) => { if (first && now.lengthComputable) said.textContent = said.dataset.sending.replace("{name}", first.name).replace("{percent}", Math.round(100 * now.loaded / now.total)); };
  ask.onload = () => {
    const main = ask.response && $("main", ask.response);
    if (new URL(ask.responseURL).pathname !== new URL(form.action).pathname || !main) { location.href = ask.responseURL; return; }
    $("main").replaceWith(document.importNode(main, true));
    document.title = ask.response.title;
    drop = $("[data-drop]");
    scrollTo(0, 0);
  };
  ask.onerror = () => form.submit();
  ask.send(new FormData(form));
});
for (const one of document.querySelectorAll("[data-print]")) one.hidden = false;
if (step()) { wake(); ahead(); }
