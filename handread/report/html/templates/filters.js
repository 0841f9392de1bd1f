/* Filters that have a name: they are kept with the marks, as the part of an address behind #. */

const KEPT = "filter ", LONGEST_FILTER = 150;
const keptFilters = () => [...marks].filter(([key, { note }]) => key.startsWith(KEPT) && note).map(([key, { note }]) => [key.slice(KEPT.length), note]).sort(([a], [b]) => spelled.compare(a, b));
const keptName = () => keptFilters().find(([, text]) => text === stateText())?.[0] ?? "";

function drawFilters() {
  const kept = keptFilters(), name = keptName();
  $("kept-of").hidden = kept.length === 0;
  fill($("kept"), el("option", { value: "" }, "choose"), ...kept.map(([one]) => el("option", { value: one }, one)));
  $("kept").value = name;
  $("keep-filter").hidden = !isFiltered() || name !== "";
  $("forget-filter").hidden = name === "";
}
function nameFilter() {
  const name = $("namer-name").value.trim().slice(0, LONGEST_FILTER);
  if (!name) return;
  mark(`${KEPT}${name}`, { note: stateText() });
  $("namer").close();
  drawFilters();
}
function listenFilters() {
  $("kept").addEventListener("change", () => {
    const found = keptFilters().find(([name]) => name === $("kept").value);
    if (!found) return;
    recall(found[1]);
    drawTags();
    set({}, true);
  });
  $("keep-filter").addEventListener("click", () => {
    $("namer-name").value = [...$("only").children].map((one) => one.textContent.replace(/^\S+ | ✕$/g, "")).join(", ") || state.find;
    $("namer").showModal();
    $("namer-name").select();
  });
  $("forget-filter").addEventListener("click", () => { mark(`${KEPT}${keptName()}`, { note: "" }); drawFilters(); });
  $("namer-save").addEventListener("click", nameFilter);
  $("namer-cancel").addEventListener("click", () => $("namer").close());
  $("namer").addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); nameFilter(); } });
}
/* A link that filters adds to the filters that there are. */
document.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="#"][href*="="]');
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  set(Object.fromEntries(new URLSearchParams(link.hash.slice(1))), true);
  toChosen();
});
