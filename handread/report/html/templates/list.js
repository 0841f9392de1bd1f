/* The list of hands: sorting, filters, and what is kept of each. */

const PORTION = matchMedia("(max-width:40rem)").matches ? 25 : 100;
const SWITCHES = ["played", "known", "starred", "noted"];
/* What only links choose: kinds of decisions, and where and when a hand was played. */
const CHOSEN = ["kind", "costly", "hands", "day", "log", "table", "family", "start", "kicker", "position", "front", "end", "variant", "players", "room", "weekday"];
const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const FIELDS = ["find", "game", "tag", "sort", ...SWITCHES, ...CHOSEN];

const body = document.querySelector("#hands tbody");
const rowOf = (tr) => ({
  tr,
  key: tr.dataset.key,
  title: (tr.querySelector("th :is(.name, .called)") ?? tr.querySelector("th a")).textContent,
  date: tr.querySelector("th .name, th .called") ? tr.querySelector("th a").textContent : "",
  text: `${tr.textContent} ${tr.dataset.find}`.toLowerCase(),
  drawn: false,
});
const rows = [...body.rows].map(rowOf);
const state = { find: "", game: "", tag: "", sort: "number", shown: PORTION };
for (const name of SWITCHES) state[name] = false;
for (const name of CHOSEN) state[name] = "";
/* A running program sends the rows: until all are here, nothing is counted. */
let arriving = document.body.dataset.columns !== undefined, growing = false;

/* What did not change stays the same element: somebody may be about to click on it, or have the focus in it. */
function fill(parent, ...nodes) {
  const old = [...parent.childNodes];
  if (old.length !== nodes.length || old.some((node, i) => !node.isEqualNode(nodes[i]))) parent.replaceChildren(...nodes);
}
function arrange(parent, nodes) {
  const stays = new Set(nodes), focused = document.activeElement;
  for (const node of [...parent.children]) if (!stays.has(node)) node.remove();
  let at = parent.firstElementChild;
  for (const node of nodes) {
    if (node === at) at = at.nextElementSibling;
    else parent.insertBefore(node, at);
  }
  if (focused !== document.activeElement && parent.contains(focused)) focused.focus({ preventScroll: true });
}

/* What of a row is compared: null where it has none, which comes last. */
function valueOf({ tr }, name) {
  const value = tr.dataset[name];
  if (value === undefined) return null;
  return name === "game" ? value : Number(value);
}
const spelled = new Intl.Collator("en", { numeric: true });
function compared(a, b) {
  const down = state.sort.startsWith("-");
  const [x, y] = [a, b].map((row) => valueOf(row, state.sort.replace("-", "")));
  if (x === null || y === null) return (x === null) - (y === null) || a.tr.dataset.number - b.tr.dataset.number;
  const order = typeof x === "string" ? spelled.compare(x, y) : x - y;
  return (down ? -order : order) || a.tr.dataset.number - b.tr.dataset.number;
}
/* From one to another, "2012-03-05..2012-03-11"; without an end, to the last. */
const bounds = (range) => { const [from, to = from] = range.split(".."); return [from, to]; };
/* Days may also be of a month, "2012-03"; hands are chosen by their numbers. */
function facet(data, name) {
  const { day } = data;
  if (name === "month") return day?.slice(0, 7);
  return name === "weekday" ? day && DAYS[(new Date(`${day}T12:00`).getDay() + 6) % 7] : data[name];
}
function isChosen({ day = "", kind = "", costly = "", ...rest }, name) {
  if (name === "day") {
    const [from, to] = bounds(state.day);
    return day !== "" && day >= from && (to === "" || day.slice(0, to.length) <= to);
  }
  if (name === "hands") {
    const [from, to] = bounds(state.hands).map(Number);
    return rest.number >= from && rest.number <= to;
  }
  return name in { kind, costly } ? { kind, costly }[name].split("|").includes(state[name]) : facet({ day, ...rest }, name) === state[name];
}
/* A word to find, or a result in big bets: ">5" is a win of more than five, "<-5" a larger loss. */
function isFound(word, text, { bets }) {
  const [, sign, size] = /^([<>])(-?\d+(?:\.\d+)?)$/.exec(word) ?? [];
  if (sign === undefined) return text.includes(word);
  return bets !== undefined && (sign === ">" ? Number(bets) > Number(size) : Number(bets) < Number(size));
}
function fits(row) {
  const { tags, note, star } = markOf(row.key);
  const text = `${row.text} ${tags.join(" ")} ${note}`.toLowerCase();
  return state.find.toLowerCase().split(/\s+/).every((word) => isFound(word, text, row.tr.dataset))
    && (!state.game || row.tr.dataset.game === state.game)
    && (!state.tag || tags.includes(state.tag))
    && (!state.played || row.tr.dataset.in === "played")
    && (!state.known || row.tr.dataset.read !== undefined)
    && (!state.starred || star)
    && (!state.noted || note !== "" || tags.length > 0)
    && CHOSEN.every((name) => !state[name] || isChosen(row.tr.dataset, name));
}
const isFiltered = () => ["find", "game", "tag", ...SWITCHES, ...CHOSEN].some((name) => state[name]);

/* Your result in the hands of the list, where all are played for the same money or in one tournament. */
function netWords(list) {
  const own = list.filter(({ tr }) => tr.dataset.net !== undefined && tr.dataset.in);
  const purses = new Set(own.map(({ tr }) => `${tr.dataset.unit} ${tr.dataset.tournament || ""}`));
  if (purses.size !== 1) return "";
  const { unit } = own[0].tr.dataset;
  const chips = unit === "chips";
  const net = own.reduce((sum, { tr }) => sum + Number(tr.dataset.net), 0);
  const places = chips ? 0 : 2;
  const size = Math.abs(net).toLocaleString("en", { minimumFractionDigits: places, maximumFractionDigits: places });
  return ` · your result in them: ${net < 0 ? "-" : "+"}${chips ? "" : unit}${size}`;
}
function draw(step = false) {
  const found = rows.filter(fits).sort(compared);
  const shown = found.slice(0, state.shown);
  for (const row of shown) if (!row.drawn) drawMarks(row);
  arrange(body, shown.map(({ tr }) => tr));
  const n = (count) => count.toLocaleString("en");
  const some = found.length === rows.length ? "" : ` of ${n(rows.length)}`;
  $("count").textContent = arriving ? "Loading ..." : growing ? "Some hands are still being read or valued." : found.length
    ? `${n(found.length)}${some} ${rows.length === 1 ? "hand" : "hands"}${isFiltered() ? netWords(found) : ""}`
    : "No hand fits.";
  const left = found.length - shown.length;
  $("more").hidden = $("whole").hidden = left === 0 || arriving;
  $("csv").disabled = arriving;
  $("more").textContent = `Show ${Math.min(PORTION, left)} more`;
  $("whole").textContent = `Show all ${n(found.length)}`;
  $("clear").hidden = !isFiltered();
  for (const th of document.querySelectorAll("#hands [data-sort]")) {
    const by = th.dataset.sort.replace("-", "") === state.sort.replace("-", "");
    if (by) th.setAttribute("aria-sort", state.sort.startsWith("-") ? "descending" : "ascending");
    else th.removeAttribute("aria-sort");
  }
  fill($("only"), ...CHOSEN.filter((name) => state[name]).map((name) =>
    el("button", { type: "button", class: "toggle", "aria-pressed": "true", on: () => set({ [name]: "" }, true) }, `${name} ${state[name].replace("..", " to ")} ✕`)));
  for (const name of FIELDS) {
    if (!$(name)) continue;
    if (SWITCHES.includes(name)) $(name).setAttribute("aria-pressed", String(state[name]));
    else if ($(name).value !== state[name]) $(name).value = state[name];
  }
  const [from, to] = bounds(state.day).map((day) => /^\d{4}-\d{2}$/.test(day) ? "" : day);
  if ($("from")) [$("from").value, $("to").value] = [from, to];
  remember(step);
  drawPlayers();
  drawResults();
  drawFilters();
  document.dispatchEvent(new CustomEvent("listed"));
}
function drawMarks(row) {
  const { star, tags, note } = markOf(row.key);
  const focused = document.activeElement?.closest("tr") === row.tr ? document.activeElement.className : "";
  row.drawn = true;
  row.tr.querySelector(".star").replaceChildren(
    el("button", { type: "button", class: "to-star", "aria-pressed": String(star), "aria-label": `Star ${row.title}`, on: () => toggleStar(row) }, star ? "★" : "☆"));
  row.tr.querySelector(".marks").replaceChildren(
    ...tags.map((tag) => el("span", { class: "tag" }, tag)),
    ...(note ? [el("span", { class: "noted" }, note)] : []),
    el("button", { type: "button", class: "to-note", "aria-label": `Tag ${row.title} or note something`, on: () => edit(row) }, note || tags.length ? "change" : "tag, note"));
  if (focused) row.tr.querySelector(`.${focused}`)?.focus();
}
function toggleStar(row) {
  mark(row.key, { star: !markOf(row.key).star });
  drawMarks(row);
}
function drawTags() {
  const found = new Set(rows.flatMap(({ key }) => markOf(key).tags));
  /* The rows of a running program come later: the address may name a tag that none has yet. */
  if ([...marks.values()].some(({ tags }) => tags.includes(state.tag))) found.add(state.tag);
  else state.tag = "";
  const tags = [...found].sort(spelled.compare);
  $("tags-of").hidden = tags.length === 0;
  fill($("tag"), el("option", { value: "" }, "all"), ...tags.map((tag) => el("option", { value: tag }, tag)));
  $("tag").value = state.tag;
}
/* Marks came from elsewhere: all rows may have changed. */
function redraw() {
  for (const row of rows) row.drawn = false;
  drawTags();
  draw();
}
function clear() {
  set({ find: "", game: "", tag: "", ...Object.fromEntries([...SWITCHES.map((name) => [name, false]), ...CHOSEN.map((name) => [name, ""])]) }, true);
  $("find").focus();
}
/* What a click chooses is a step: the way back undoes it. */
function set(changes, step = false) {
  Object.assign(state, { shown: PORTION }, changes);
  draw(step);
}

/* The address keeps how the list is shown, for the way back from a hand. */

function stateText() {
  const kept = new URLSearchParams();
  for (const name of FIELDS) if (state[name] && state[name] !== "number") kept.set(name, state[name] === true ? "1" : state[name]);
  return String(kept);
}
function remember(step = false) {
  const kept = stateText();
  if (kept === location.hash.slice(1)) return;
  try {
    history[step ? "pushState" : "replaceState"](null, "", `${location.pathname}${location.search}${kept && `#${kept}`}`);
  } catch { /* some browsers forbid it for files */ }
}
function recall(text = location.hash.slice(1)) {
  const kept = new URLSearchParams(text);
  for (const name of FIELDS) {
    const value = kept.get(name) ?? "";
    if (SWITCHES.includes(name)) state[name] = value === "1" && $(name) !== null;
    else if (["find", "tag", ...CHOSEN].includes(name) || [...($(name)?.options ?? [])].some((option) => option.value === value)) state[name] = value;
  }
  state.sort ||= "number";
}

/* Keys */

function moveBy(way) {
  const links = [...body.rows].map((tr) => tr.querySelector("th a"));
  const at = [...body.rows].indexOf(document.activeElement?.closest("#hands tbody tr"));
  links[at < 0 ? 0 : Math.min(links.length - 1, Math.max(0, at + way))]?.focus();
}
function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea") || $("editor").open) return;
  const row = rows.find(({ tr }) => tr === event.target.closest("#hands tbody tr"));
  const action = {
    "/": () => $("find").focus(), n: () => moveBy(1), p: () => moveBy(-1),
    "?": () => { $("how").open = true; $("keys").scrollIntoView({ block: "center" }); $("how").querySelector("summary").focus(); },
    s: row && (() => toggleStar(row)), t: row && (() => edit(row)),
  }[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}
function listen() {
  $("find").addEventListener("input", () => set({ find: $("find").value }));
  for (const name of ["from", "to"]) $(name)?.addEventListener("change", () => set({ day: $("from").value || $("to").value ? `${$("from").value}..${$("to").value}` : "" }, true));
  for (const name of ["game", "tag", "sort"]) $(name)?.addEventListener("change", () => set({ [name]: $(name).value }, name !== "sort"));
  for (const name of SWITCHES) $(name)?.addEventListener("click", () => set({ [name]: !state[name] }, true));
  $("clear").addEventListener("click", clear);
  listenFilters();
  $("more").addEventListener("click", () => { state.shown += PORTION; draw(); });
  $("whole").addEventListener("click", () => { state.shown = rows.length; draw(); });
  for (const th of document.querySelectorAll("#hands [data-sort]")) {
    const [first, name] = [th.dataset.sort, th.dataset.sort.replace("-", "")];
    const other = first === name ? `-${name}` : name;
    th.replaceChildren(el("button", { type: "button", on: () => set({ sort: state.sort === first ? other : first }) }, th.textContent));
  }
  $("give").addEventListener("click", exportMarks);
  $("take").addEventListener("change", async () => {
    const [file] = $("take").files;
    if (file && await importMarks(file)) redraw();
    $("take").value = "";
  });
  $("editor-save").addEventListener("click", saveEdited);
  $("editor-cancel").addEventListener("click", () => $("editor").close());
  $("editor").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.target.id === "editor-tags" || event.ctrlKey || event.metaKey)) { event.preventDefault(); saveEdited(); }
  });
  $("editor").addEventListener("close", () => { drawMarks(edited); drawTags(); edited.tr.querySelector(".to-note").focus(); });
  document.addEventListener("keydown", pressed);
  window.addEventListener("hashchange", () => { recall(); drawTags(); draw(); toChosen(); });
}
/* A link that chooses hands leads to them. */
function toChosen() {
  if (CHOSEN.some((name) => state[name])) $("hands-title").focus();
}
async function begin() {
  await fetchKept();
  recall();
  drawTags();
  listen();
  $("filters").hidden = $("carry").hidden = false;
  draw();
  if (performance.getEntriesByType("navigation")[0]?.type === "navigate") toChosen(); // not on the way back from a hand
}
const started = begin();
