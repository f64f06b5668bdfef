// Steps in the browser: a hand is fetched once and drawn as templates/step.html draws it.
// Every page works without this file, and no text becomes markup.
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
      ask.onload = () => {
        if (ask.status !== 200 || !ask.response) return reject(ask.status);
        const got = { page: ask.response, href: ask.responseURL }, at = new URL(got.href);
        pages.set(at.pathname + at.search, Promise.resolve(got));
        resolve(got);
      };
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

const where = () => location.pathname + location.search;
// A tab that was put anew is shown again; focus and sight stay.
function aim() {
  const at = document.activeElement, y = scrollY;
  if (location.hash && !$(":target")) { location.replace(location.hash); at.focus({ preventScroll: true }); scrollTo(0, y); }
}
let last = where();

async function go(href, push = true) {
  const url = new URL(href, location.href);
  if (url.origin !== location.origin) return;
  try {
    let at = url.pathname + url.search;
    const drawn = await here(url);
    if (!drawn) {
      const got = await fetchPage(at);
      if (!$("main.table", got.page)) { location.href = href; return; }
      put(got.page);
      at = got.href;
    }
    if (push) history.pushState(null, "", at + location.hash);
    if (drawn) beside(url); else ahead();
    last = where();
    if (url.hash && url.hash !== location.hash) location.replace(url.hash); else if (!drawn) aim();
  } catch { location.href = href; }
}

async function ahead() {
  const hand = await whole(step().dataset.steps);
  if (hand) for (const href of hand.beyond) soon(href);
  else for (const name of ["next", "back"]) {
    const link = $(`[data-go="${name}"]`);
    soon(link.href);
  }
  for (const name of ["pageup", "pagedown"]) soon(step().getAttribute("data-k-" + name));
}

function soon(href) {
  if (!href) return;
  const url = new URL(href, location.href);
  fetchPage(url.pathname + url.search).then((got) => {
    const main = $("main.table", got.page);
    if (main) whole(main.dataset.steps);
  }, () => {});
}

function stop() {
  clearTimeout(timer);
  timer = 0;
  const button = $("[data-play]");
  if (button) { button.setAttribute("aria-pressed", "false"); glyph(button, "play"); }
}

function glyph(button, name) {
  const mark = $("use", button), href = mark.getAttribute("href");
  mark.setAttribute("href", href.replace(/#.*/, "#" + name));
}

function play() {
  const next = $("[data-go=next][href]");
  if (!next) return stop();
  const button = $("[data-play]");
  button.setAttribute("aria-pressed", "true");
  glyph(button, "pause");
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
    return link.href && go(link.href);
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
  if (button) { button.hidden = false; if (timer) glyph(button, "pause"); }
  const shown = $("[data-speed]");
  if (shown) { shown.hidden = false; faster(0); }
  const now = $(".log [aria-current]");
  for (const pane of now ? [$(".log"), !$(".panes > :target") && $(".side")] : [])
    if (pane && pane.scrollHeight > pane.clientHeight) pane.scrollTop += now.getBoundingClientRect().top - pane.getBoundingClientRect().top - pane.clientHeight + 92;
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
  if (link.href) go(link.href);
});

document.addEventListener("click", (event) => {
  const at = event.target;
  if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (at.closest("[data-play]")) return toggle();
  if (at.closest("[data-speed]")) return speed === 4 ? faster(-3) : faster(1);
  const link = at.closest("a[href]");
  if (!link || !step() || link.target || link.hreflang) return;
  const href = typeof link.href === "string" ? link.href : link.href.baseVal;
  const url = new URL(href, location.href);
  if (url.hash && url.pathname + url.search === where()) return;
  if (!/\/hands\/\d+\/events(\/\d+)?$/.test(url.pathname) || link.closest(".menu") && /\.svg$/.test(url.pathname)) return;
  event.preventDefault();
  stop();
  go(href);
});
document.addEventListener("change", (event) => { if (event.target.matches("[data-keys]")) keysOn = event.target.checked; else slide(event); });
document.addEventListener("keydown", key);
addEventListener("popstate", () => { if (step() && where() !== last) go(location.href, false); });

const hands = new Map(), told = new Map();
let rested = 0;

function json(kept, href) {
  if (!kept.has(href)) kept.set(href, fetch(href).then((got) => (got.ok ? got.json() : null), () => null));
  return kept.get(href);
}

async function whole(href) {
  if (!href) return null;
  const hand = await json(hands, href), words = hand && hand.lang === document.documentElement.lang && await json(told, hand.words);
  if (!words) return null;
  if (!hand.at) {
    const lists = Object.entries(hand.columns), places = lists.map(() => 0);
    let now = {};
    hand.say = words;
    const runs = hand.seqs.splice(0);
    while (runs.length) for (let [first, many] = runs.splice(0, 2); many--;) hand.seqs.push(first++);
    hand.at = hand.seqs.map((_, n) => {
      now = { ...now };
      lists.forEach(([name, list], one) => { if (list[places[one]] === n) { now[name] = list[places[one] + 1]; places[one] += 2; } });
      return now;
    });
  }
  return hand;
}

async function here(url) {
  const base = new URL(step().dataset.steps || "x:", location.href), seq = /\/events\/(\d+)$/.exec(url.pathname);
  if (!seq || url.search !== base.search || !url.pathname.startsWith(base.pathname.replace("steps.json", "events/"))) return false;
  const hand = await whole(step().dataset.steps), n = hand ? hand.seqs.indexOf(+seq[1]) : -1;
  if (n < 0) return false;
  draw(hand, n, base);
  return true;
}

function beside(url) {
  clearTimeout(rested);
  rested = setTimeout(() => fetchPage(url.pathname + "/beside" + url.search).then(({ page }) => {
    if (where() !== url.pathname + url.search) return;
    for (const query of [".bar", ".strip", ".panes"]) {
      const now = $(query), next = $(query, page);
      if (next && !now.querySelector("details[open]") && !now.contains(document.activeElement)) now.replaceWith(document.importNode(next, true));
    }
    aim();
  }, () => {}), 150);
}

const SVG = /^(svg|use|rect|circle)$/;
function h(tag, attributes, ...inner) {
  const [name, ...kinds] = tag.split("."), at = SVG.test(name) ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  set(at, { class: kinds.filter((one) => one).join(" "), ...attributes });
  at.append(...inner.flat(9).filter((one) => one));
  return at;
}
const use = (sheet, name, kind = "") => h("use." + kind, { href: `${sheet}#${name}` });

function set(at, attributes) {
  for (const [key, value] of Object.entries(attributes)) if (value || value === 0 || (value === "" && key[0] === "d")) at.setAttribute(key, value); else at.removeAttribute(key);
}

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, key) => (values[key] > 9999 ? String(values[key]).replace(/\B(?=(\d{3})+$)/g, document.documentElement.lang === "en" ? "," : "\u202f") : values[key]));
const pairs = (cards) => (cards || "").match(/../g) || [];
const plain = (at) => at.nodeName !== "SMALL";
const spoken = (at) => [...at.childNodes].filter(plain).map((one) => (one.nodeName === "I" ? ", " : (one.getAttribute && one.getAttribute("aria-label")) || (one.children && one.children.length ? spoken(one) : one.textContent))).join("").trim();

function draw(hand, n, base) {
  const now = hand.at[n], who = +hand.acting[2 * n], act = hand.acts[hand.acting.charCodeAt(2 * n + 1) - 97], w = hand.say, seq = hand.seqs[n], faces = hand.sheet, query = base.search;
  const marks = $(".brand use").getAttribute("href").replace(/#.*/, ""), lines = [...document.querySelectorAll(".log a")];
  const place = base.pathname.replace(/\d+\/steps\.json/, ""), event = (number, of = hand.hand) => `${place}${of}/events/${number}${query}`;
  const about = (asked) => `${query ? query + "&" : "?"}of=${asked}#why`;
  const icon = (name, kind = "") => h("svg.i." + kind, { "aria-hidden": "true" }, use(marks, name));
  const link = (href, inner) => (href ? h("a", { href }, inner) : inner);
  const called = (card) => fill(w.card, { rank: w.rank[card[0]][1], suit: w.suit[card[1]] });
  const token = (one) => {
    if (typeof one === "string") return one;
    const [what, to, third, text] = one;
    if (typeof what === "number") return link(to && about(what), h("span.l", {}, "#" + what));
    if (one.length < 3 && typeof to === "string") return link(to, what);
    if (one.length === 3) return link(event(third, to), what);
    const suit = "shdc".includes(what[1]) ? what[1] : "";
    const card = h("span.t." + (suit || "n"), { role: "img", "aria-label": third || called(what) }, text ? (what[0] !== "?" || !suit) && text : w.rank[what[0]][0], suit && h("svg.i", {}, use(marks, suit)));
    return link(to && about(what), card);
  };
  const tell = (sentence) => (sentence || []).map((one) => (one === 0 ? h("i", {}, " ") : token(one)));
  const drawn = (card, label, big, kind = "") => {
    const back = card === "??", name = back ? (label ? fill(w.labelled, { label: "#" + label }) : w.back) : (label ? `#${label}, ` : "") + called(card);
    return h(`svg.card.${back ? "b" : card[1]}${kind}`, { role: "img", "aria-label": name },
      back ? use(faces, "back") : [big && use(faces, card, "f"), use(faces, "s" + card, big ? "m" : "")], back && label && use(faces, "n" + label));
  };
  const linked = (card, label, big, kind) => link(label ? about(label) : card !== "??" && about(card), drawn(card, label, big, kind));

  const seat = (number, mine = "") => {
    const of = (name) => now[name + number], track = of("track"), out = of("out"), acting = who === number;
    const cards = pairs(of("cards")), heap = of("heap") || [0, 0], tricks = of("tricks") || [], points = hand.target && { must: "must", open: "dbt", cannot: "cannot" };
    return h(`section.seat${track ? "" : ".flat"}${acting ? ".acting" : ""}${out ? ".out" : ""}${mine}`, { "aria-label": hand.names[number] },
      h("div.head", {}, h("h2", {}, hand.names[number]), acting && act && h("span.tag.acc", {}, icon(act[1]), act[0]),
        (of("notes") || []).map((note) => h("span.pill", {}, note)), h("span.stack", {}, w.stack + " ", h("b", {}, of("stack")))),
      h("div.hand", {}, cards.map((card, k) => linked(card, 0, 0, acting && k >= cards.length - (now.fresh || 0) ? ".new" : ""))),
      heap[1] ? h("svg.heap", { width: 31 + 3 * heap[1], height: 46, "aria-hidden": "true" }, [...Array(heap[1]).keys()].map((k) => h(k < heap[0] ? "rect.dn" : "rect", { x: 1 + 2.4 * k, y: 2 - 0.2 * k, width: 30, height: 42, rx: 3 }))) : h("span.heap"),
      h("div.about", {}, tricks.length ? h("details", {}, h("summary", {}, tell(of("pile"))), h("ol.menu", {}, tricks.map((one) => h("li", {}, tell(one))))) : !out && tell(of("pile")),
        of("hidden") && h("p.dn-in", {}, tell(of("hidden"))), of("taken") && h("p.dn-in", {}, h("b", {}, of("taken")))),
      track && h("div.pts." + track[1], {}, h("p.nums", {}, h("span.num.nw", {}, track[0])), h("svg.bar31", { "aria-hidden": "true" }, h("rect.r", { y: 7, width: "100%", height: 4, rx: 2 }),
        track[4] ? h("circle.v", { cx: track[2] + "%", cy: 9, r: 5 }) : h("rect.v", { x: track[2] + "%", y: 5, width: track[3] + "%", height: 8, rx: 4 }),
        h("rect.k", { x: hand.tick + "%", y: 1, width: 2, height: 16 })), h("p.word", {}, icon(points[track[1]]), fill(w[track[1]], { target: hand.target }))));
  };

  const sets = now.sets || [], fresh = act && act[1] === "played" && (!n || sets !== hand.at[n - 1].sets), many = sets.length > 3, count = sets.reduce((sum, one) => sum + one[2].length / 2, 0);
  const laid = sets.map(([who, act, cards, labels = [], note], k) => {
    const won = now.won === k + 1, left = [...labels];
    return h(`figure.set${won ? ".win" : ""}${fresh && k === sets.length - 1 ? ".new" : ""}`, {},
      h("figcaption", {}, h("span.ord", {}, `${k + 1}.`), " " + act, won && h("span.ph-in", {}, many ? [" ", icon("ok", "ok"), h("span.vh", {}, w.winning)] : ", " + w.winning), " ", h("span.ord", {}, "—"), " ", h("b", {}, hand.names[who])),
      h("div.row", {}, pairs(cards).map((card) => linked(card, left.shift() || 0, 1))), h("p.foot", {}, won && icon("ok"), won ? w.winning : note));
  });
  const stock = now.stock && (([turned, under, text, trump, back]) => h("div.stock", {},
    (back || turned) && h("div.pack" + (under ? "" : back ? ".by" : ".solo"), {}, turned && drawn(turned, 0, 0, ".up"), back && h("svg.card.b", { "aria-hidden": "true" }, use(faces, "back"))), h("p", {}, text), h("p", {}, tell(trump))))(now.stock);

  const main = step(), others = now.order.slice(0, -1), held = document.activeElement, focus = held && held.dataset ? held.dataset.go : "";
  for (const [k, [text, mark, name]] of changed(hand, n)) {
    lines[k].replaceChildren(lines[k].firstChild, h("span", {}, tell(text), " ", $("small", lines[k])), mark ? h("svg.i." + ({ bad: "bad", dbt: "dbt", opened: "acc" }[mark] || "n"), { role: "img", "aria-label": name }, use(marks, mark)) : "");
  }
  lines.forEach((one, k) => {
    set(one, { "aria-current": k === n && "step", class: k > n && "next" });
    one.firstChild.replaceChildren(k === n ? icon("now") : "", hand.seqs[k]);
  });
  const said = lines[n].children[1], sentence = spoken(said), old = main.dataset.seq;
  for (const at of [main, ...document.querySelectorAll(".seg a,.menu a,.menu input,.bar a.opt")]) {
    for (const one of at.attributes) if (/^(href|value|data-k-[vbd\d])$/.test(one.name)) one.value = one.value.replace(/&h=\w+/, "").replace(RegExp(`(events/|at=)${old}\\b`), (_, name) => name + seq);
  }
  const keys = {}, of = (one) => hand.seqs.indexOf(one);
  for (const key of "open") {
    const wanted = (now.jumps || {})[key] || [], to = (one) => one && event(one);
    keys["data-k-" + key] = to(wanted.find((one) => of(one) > n));
    keys["data-k-shift-" + key] = to(wanted.findLast((one) => of(one) < n));
  }
  set(main, { ...keys, "data-seq": seq, "data-stop": now.stop || "", class: `table n${Math.min(count, 18)}${count > 8 ? " tiny" : ""}${many ? " crowd" : ""}${sets.length > 4 ? " mass" : ""}` });
  main.replaceChildren(...(now.warn || []).map((one) => h("p.warn", {}, icon("dbt", "dbt"), " ", tell(one))),
    h("div.say", { id: "main" }, h("span.no", {}, seq), h("h1", {}, [...said.cloneNode(true).childNodes].filter(plain)), h("span.aside", {}, now.aside)),
    h("div.seats" + (others.length > 3 ? ".lots" : ""), {}, others.map((one) => seat(one))),
    h("div.felt", {}, h("div.lay", {}, h("div.sets", {}, laid.length ? laid : h("p.mute", {}, w.empty)), stock)), seat(now.order.at(-1), ".mine"),
    h("p.pot", {}, h("span.word", {}, hand.stake), " ", h("span.sum", {}, now.pot), " ", h("span", {}, tell(now.pot_text))));

  const trick = hand.at.map((one) => one.trick || 0), end = trick.length - 1, starts = [0, ...trick.keys()].filter((k, at) => !at || trick[k] > Math.max(0, ...trick.slice(0, k)));
  const other = (k) => (k === n || k < 0 || k > end ? "" : event(hand.seqs[k])), [before, after] = hand.beyond;
  const ways = { first: other(0), back_trick: other(starts.findLast((k) => k < n) || 0), back: other(n - 1) || before, next: other(n + 1) || after, next_trick: other(starts.find((k) => k > n) || end), last: other(end) };
  for (const at of document.querySelectorAll(".keys [data-go]")) {
    const href = ways[at.dataset.go] || null;
    at.classList.toggle("off", !href);
    set(at, { href, role: !href && "link", "aria-disabled": !href && "true" });
  }
  document.querySelectorAll(".hs a").forEach((at, k) => set(at, { "aria-current": k + 1 === trick[n] && "true" }));
  const range = $("input[type=range]"), first = hand.seqs[0], span = hand.seqs[end] - first;
  range.value = seq;
  set(range, { value: seq, "aria-valuetext": fill(trick[n] ? w.rail_trick : w.rail, { seq, trick: trick[n], text: sentence }) });
  $(".line .v").setAttribute("width", (span > 0 ? +(100 * (seq - first) / span).toFixed(1) : 100) + "%");
  $(".count b").textContent = fill(w.step, { step: n + 1, steps: end + 1 });
  const where = fill(w.event, { seq });
  $(".crumbs b").textContent = where;
  document.title = `${sentence} · ${where} · ${document.title.split(" · ").pop()}`;
  $("#live").textContent = sentence;
  if (focus) ($(`[data-go="${focus}"]`) || main).focus();
  wake();
}

function* changed(hand, n) {
  for (const [k, ways] of Object.entries(hand.lines)) {
    let at = 0;
    while (at + 2 < ways.length && ways[at + 2] <= n) at += 2;
    yield [k, ways[at + 1]];
  }
}

wake();
ahead();
