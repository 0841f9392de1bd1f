/* The page of a player: a colour and a note are kept as the marks of hands are. */

const { key } = $("own").dataset;
function redraw() {
  const { tags, note } = markOf(key);
  for (const one of document.querySelectorAll("[name=colour]")) one.checked = one.value === (tags[0] ?? "");
  if (document.activeElement !== $("note")) $("note").value = note;
  document.querySelector("h1").dataset.colour = tags[0] ?? "";
}
function keepPlayer() {
  const { value } = document.querySelector("[name=colour]:checked") ?? { value: "" };
  mark(key, { tags: [value], note: $("note").value });
  redraw();
}
$("own").hidden = false;
$("own").addEventListener("change", keepPlayer);
const fetched = fetchKept();
if (fetched instanceof Promise) fetched.then(redraw); else redraw();
