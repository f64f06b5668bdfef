// Makes handing in pleasant: the whole page takes files, a paste is put in its place, large files tell how far they are.
const $ = (query, root = document) => root.querySelector(query);

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
    if (/^\s*(\{|razbor-sheet\/)/i.test(text)) { $(".paste", drop).open = true; $("textarea", drop).value = text; $("textarea", drop).focus(); }
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
    if (!main && ask.status === 413) { said.textContent = said.dataset.large; return; }
    if (new URL(ask.responseURL).pathname !== new URL(form.action).pathname || !main) { location.href = ask.responseURL; return; }
    $("main").replaceWith(document.importNode(main, true));
    document.title = ask.response.title;
    drop = $("[data-drop]");
    scrollTo(0, 0);
  };
  ask.onerror = () => form.submit();
  ask.send(new FormData(form));
});
