// The pad when a connection may be lost: taps wait here and are delivered once, in order. Without this file each tap is a
// form. No markup is ever made from text.
const $ = (query, root = document) => root.querySelector(query);
const $$ = (query, root = document) => [...root.querySelectorAll(query)];
const key = () => $("main.pad").dataset.table;
const shelf = () => `pad-${key()}`;
let sending = false, again = 0;

// What waits: taps (form fields without what belongs to the page they were tapped on), and the draft still to be undone.
const kept = () => { try { return JSON.parse(localStorage.getItem(shelf())) || { queue: [], draft: "" }; } catch { return { queue: [], draft: "" }; } };
const keep = (state) => localStorage.setItem(shelf(), JSON.stringify(state));
const OF_PAGE = ["csrf_token", "version", "draft"];

function ask(method, body) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, `/tables/${key()}`);
    request.responseType = "document";
    request.timeout = 15000;
    request.onload = () => (request.response && $("main.pad", request.response) ? resolve(request) : reject(request.status));
    request.onerror = request.ontimeout = () => reject(0);
    request.send(body);
  });
}

function put(page) {
  const next = $("main.pad", page);
  document.title = page.title;
  $("main.pad").replaceWith(document.importNode(next, true));
  wake();
}

const hidden = (name) => { const found = $(`main.pad input[name=${name}]`); return found ? found.value : ""; };

async function deliver() {
  if (sending) return;
  sending = true;
  clearTimeout(again);
  try {
    let state = kept();
    let fresh = false;
    while (state.queue.length || (state.draft && state.draft !== hidden("draft"))) {
      const body = new FormData();
      const tap = state.queue[0] || [];
      for (const [name, value] of tap) body.append(name, value);
      for (const name of ["csrf_token", "version"]) body.append(name, hidden(name));
      if (!state.queue.length) { body.append("events", state.draft); body.append("id", "again"); body.append("kept", "1"); }
      else if (state.draft) body.append("draft", state.draft);
      let got;
      try { got = await ask("POST", body); }
      catch (status) {
        if (!status || fresh) throw status;
        fresh = true;
        put((await ask("GET")).response);
        continue;
      }
      fresh = false;
      state = kept();
      const draft = $("input[name=draft]", got.response);
      // What was taken back while it was on its way is gone, and nothing else with it.
      const here = tap.length ? state.queue.length && idOf(state.queue[0]) === idOf(tap) : state.draft;
      state.draft = draft && (here || got.status > 399) ? draft.value : "";
      // Taps behind one that was not taken wait until somebody has looked; after a conflict that one does, too.
      if (here && (got.status !== 409 || state.queue.length < 2)) state.queue.shift();
      keep(state);
      put(got.response);
      if (!state.draft) undraft();
      if (got.status > 399 && state.queue.length) { waiting("held"); return; }
    }
    say($("main.pad").dataset.saved, true);
  } catch {
    offline();
    again = setTimeout(deliver, 3000);
  } finally {
    sending = false;
  }
}

const idOf = (tap) => tap.find(([name]) => name === "id")[1];
const undraft = () => $$("[data-draft], input[name=draft]").forEach((one) => one.remove());

function say(text, quiet) {
  const state = $("[data-state]");
  if (quiet && !state.dataset.lost) return;
  state.dataset.lost = quiet ? "" : "1";
  state.textContent = text;
}

const offline = () => waiting("offline");

function waiting(why) {
  const { queue } = kept();
  say($("main.pad").dataset[why].replace("{n}", queue.length));
  const box = $("[data-waits]");
  box.hidden = !queue.length;
  const more = $("details.more");
  if (queue.length && more) more.open = true;
  $("[data-waiting]").textContent = queue.length ? queue[queue.length - 1].find(([name]) => name === "x_label")[1] : "";
}

function tapped(event) {
  const form = event.target.closest("form[data-tap]");
  if (!form) return;
  event.preventDefault();
  const state = kept();
  const button = event.submitter;
  if (button && button.name === "undo") {
    state.draft = "";
    keep(state);
    undraft(); // the page may be all there is for a while
    if (!state.queue.length) ask("GET").then((got) => put(got.response)).catch(offline);
    return;
  }
  if (button && button.name === "step") {
    const body = new FormData(form);
    body.append("step", button.value);
    if (!state.queue.length) ask("POST", body).then((got) => put(got.response)).catch(offline);
    return;
  }
  state.draft = state.queue.length ? state.draft : hidden("draft");
  const fields = [...new FormData(form).entries()].filter(([name]) => !OF_PAGE.includes(name));
  if (button && button.name) fields.push([button.name, button.value]);
  const id = fields.find(([name]) => name === "id");
  if (state.queue.length || kept().sent === id[1]) id[1] = fresh();
  state.sent = id[1];
  const chosen = $$("input[name=card]:checked", form).map((one) => one.getAttribute("aria-label")).join(", ");
  fields.push(["x_label", `${button ? button.textContent.trim() : ""} ${chosen}`.trim()]);
  state.queue.push(fields);
  keep(state);
  form.reset();
  order.length = 0;
  chosenCards();
  deliver();
}

function fresh() {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const order = [];
function chosenCards() {
  const form = $("form[data-ask]");
  if (!form) return;
  const field = $("[data-order]", form);
  if (field) field.value = order.join(" ");
  const caps = order.map((card) => $(`input[value="${card}"] + span`, form));
  for (const place of $$("[data-chosen]", form)) {
    place.replaceChildren(...caps.flatMap((cap) => [" ", ...[...cap.childNodes].map((one) => one.cloneNode(true))]));
  }
}

function wake() {
  order.length = 0;
  for (const box of $$("form[data-ask] input[name=card]")) {
    box.addEventListener("change", () => {
      if (box.checked) order.push(box.value);
      else order.splice(order.indexOf(box.value), 1);
      chosenCards();
    });
  }
}

document.addEventListener("submit", tapped);
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-unqueue]")) {
    const state = kept();
    state.queue.pop();
    keep(state);
    waiting(navigator.onLine ? "held" : "offline");
  }
});
addEventListener("online", deliver);
wake();
const state = kept();
if (state.queue.length || (state.draft && state.draft !== hidden("draft"))) deliver();
