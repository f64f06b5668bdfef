// What every page has: menus that close, buttons that print. Every page works without it.
document.addEventListener("click", (event) => {
  const at = event.target;
  for (const menu of document.querySelectorAll("details.drop[open],.about details[open]")) if (!menu.contains(at)) menu.open = false;
  if (at.closest("[data-print]")) print();
});
for (const one of document.querySelectorAll("[data-print]")) one.hidden = false;
