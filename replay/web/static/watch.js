// A table is followed while it is played; what is missed is sent again by its number. No markup is ever made from text.
const main = document.querySelector("main[data-watch]");
const SETTLES = ["hand_ended", "inserted", "corrected"];
// What these move stands beside the log: chips, the score, who sits there, what is held or confirmed.
const MOVES = [...SETTLES, "staked", "pot_taken", "chips_bought", "player_joined", "player_left", "noted", "unseen"];
let last = Number(main.dataset.last), stale = 0;

function freshen() {
  clearTimeout(stale);
  stale = setTimeout(() => {
    const request = new XMLHttpRequest();
    request.open("GET", location.href);
    request.responseType = "document";
    request.onload = () => {
      for (const old of document.querySelectorAll("[data-now]")) {
        const now = request.response?.querySelector(`[data-now=${old.dataset.now}]`);
        if (now) old.replaceWith(document.importNode(now, true));
      }
    };
    request.send();
  }, 1000 + 3000 * Math.random()); // all who watch do not ask at once
}

function tell(message) {
  const seq = Number(message.lastEventId);
  if (!message.lastEventId || seq <= last) return;
  last = seq;
  const { say, event } = JSON.parse(message.data);
  const line = document.createElement("li"), number = document.createElement("span"), text = document.createElement("span");
  line.value = seq;
  number.className = "no";
  number.textContent = seq;
  text.textContent = say;
  line.append(number, " ", text);
  document.querySelector("[data-log]").prepend(line);
  document.querySelector("[data-heading]").textContent = say;
  // Who plays is asked to confirm the settlement; nothing that is being typed is lost.
  if (main.dataset.plays && SETTLES.includes(event.type) && !document.querySelector("details[open]")) location.reload();
  else if (MOVES.includes(event.type)) freshen();
}

if (!main.dataset.ended) {
  const lang = document.documentElement.lang;
  const stream = new EventSource(`/tables/${main.dataset.watch}/stream?lang=${lang}&after=${last}`);
  const state = document.querySelector("[data-state]");
  let lost = 0;
  stream.addEventListener("message", tell);
  stream.addEventListener("open", () => { clearTimeout(lost); state.textContent = ""; });
  stream.addEventListener("error", () => { clearTimeout(lost); lost = setTimeout(() => { state.textContent = main.dataset.lost; }, 8000); });
  stream.addEventListener("ended", () => { stream.close(); freshen(); });
}
