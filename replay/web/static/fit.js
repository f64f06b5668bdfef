// What would make it fit is fetched when its panel is first opened. Without this file the panel has a link to its page.
document.addEventListener("toggle", ({ target: panel }) => {
  if (!panel.open || !panel.matches(".fit:not([data-asked])")) return;
  panel.dataset.asked = "";
  const link = panel.querySelector("a"), ask = new XMLHttpRequest();
  ask.open("GET", link.href);
  ask.responseType = "document";
  ask.onload = () => {
    if (ask.status !== 200 || !ask.response) return;
    const told = ask.response.querySelectorAll("main > .quoted, main > .under");
    link.before(...[...told].map((one) => document.importNode(one, true)));
  };
  ask.onerror = () => { delete panel.dataset.asked; };
  ask.send();
}, true);
