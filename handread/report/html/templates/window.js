/* The index of a running program: logs are added to it, and what is new appears. */

const BUSY = 400, IDLE = 700, GONE = 2000;
const the = (id) => document.getElementById(id);
const list = typeof rowOf === "function" ? rows : null;
const places = new Map();
let revision = 0, summed = 0, pause = 0;

/* Rows that are new, or have changed; what has the focus keeps it. */
function take(html) {
  const made = new DOMParser().parseFromString(`<table><tbody>${html}</tbody></table>`, "text/html");
  const focused = document.activeElement;
  for (const tr of [...made.querySelectorAll("tbody tr")]) {
    const { number } = tr.dataset;
    const row = rowOf(document.adoptNode(tr));
    if (!places.has(number)) places.set(number, list.push(row) - 1);
    else list[places.get(number)] = row;
  }
  drawTags();
  draw();
  if (focused.isConnected) return focused.focus({ preventScroll: true });
  const number = focused.closest("tr")?.dataset.number;
  const again = list[places.get(number)]?.tr;
  (again?.querySelector(focused.className ? `.${focused.className}` : "th a") ?? again?.querySelector("th a"))?.focus({ preventScroll: true });
}

/* All but the list and the place for more logs: it comes anew from the same page. */
async function refresh() {
  const begun = performance.now();
  const answer = await fetch("./");
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const stays = (part) => part.id === "add" || part.matches("dialog") || part.querySelector("#hands") !== null;
  const parts = (from) => [from.querySelector(".masthead"), ...[...from.querySelector("main").children].filter((part) => !stays(part))];
  const [old, fresh] = [parts(document), parts(page)];
  for (const part of document.querySelectorAll("main details[id]")) page.getElementById(part.id)?.toggleAttribute("open", part.open);
  const text = (all) => all.map((part) => part.outerHTML).join("");
  if (text(old) !== text(fresh)) {
    if (old.some((part) => part.contains(document.activeElement))) return;
    const hands = the("hands")?.closest("section");
    const above = new Set(fresh.filter((part) => page.getElementById("hands")?.compareDocumentPosition(part) & Node.DOCUMENT_POSITION_PRECEDING));
    document.querySelector(".masthead").replaceWith(fresh[0]);
    for (const part of old.slice(1)) part.remove();
    for (const part of fresh.slice(1)) hands && above.has(part) ? hands.before(part) : document.querySelector("main").append(part);
    document.title = page.title;
  }
  pause = performance.now() + Math.max(1000, 8 * (performance.now() - begun));
}
async function look() {
  const columns = document.body.dataset.columns;
  const answer = await fetch(`news?${new URLSearchParams({ since: revision, columns })}`);
  if (!answer.ok) throw new Error("refused");
  const news = await answer.json();
  if (news.reload || news.gone.some((number) => places.has(String(number)))) return location.reload();
  the("progress").textContent = news.progress;
  if (news.answers.length) answered(news.answers);
  if (list !== null && the("editor").open) return IDLE;
  if (list !== null && news.rows) take(news.rows);
  if (list !== null && news.marks !== marksRevision && news.marks >= 0) {
    await fetchKept();
    redraw();
  }
  revision = news.revision;
  if (news.more) return 0;
  if (news.latest !== summed && performance.now() > pause) {
    await refresh();
    summed = news.latest;
  }
  return news.latest !== summed || news.progress ? BUSY : IDLE;
}
async function follow() {
  let next = GONE;
  try {
    next = await look();
  } catch {
    the("progress").textContent = "The program has ended: nothing new comes. Start handread open again.";
  }
  if (next !== undefined) setTimeout(follow, next);
}

/* Logs that are dropped, pasted or chosen */

async function sendLog(name, content) {
  const answer = await fetch(`logs?${new URLSearchParams({ name })}`, { method: "POST", body: content });
  if (!answer.ok) throw new Error((await answer.text()).trim() || "it was refused");
}
/* What came of them; the program answers once it has read them. */
let unanswered = 0, answers = [];
function answered(lines) {
  answers.push(...lines);
  unanswered = Math.max(0, unanswered - lines.length);
  const waits = unanswered ? [`Reading ${unanswered} ${unanswered === 1 ? "log" : "logs"} ...`] : [];
  the("added").replaceChildren(...[...answers, ...waits].map((line) => Object.assign(document.createElement("span"), { textContent: line })));
}
async function add(files) {
  if (!unanswered) answers = [];
  unanswered += files.length;
  answered([]);
  for (const [name, content] of files) {
    try {
      await sendLog(name, content);
    } catch (error) {
      answered([`${name || "the text"}: ${error.message}.`]);
    }
  }
}
async function below(entry) {
  if (entry.isFile) {
    const file = await new Promise((found, failed) => entry.file(found, failed));
    return [[file.name, file]];
  }
  const reader = entry.createReader(), found = [];
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (some.length === 0) break;
    for (const one of some) found.push(...await below(one));
  }
  return found;
}
const carries = (event) => the("add-files") !== null && [...event.dataTransfer.types].some((type) => type === "Files" || type === "text/plain");
document.addEventListener("dragover", (event) => {
  if (!carries(event)) return;
  event.preventDefault();
  document.body.classList.add("over");
});
document.addEventListener("dragleave", (event) => { if (event.relatedTarget === null) document.body.classList.remove("over"); });
document.addEventListener("drop", async (event) => {
  document.body.classList.remove("over");
  if (!carries(event)) return;
  event.preventDefault();
  const entries = [...event.dataTransfer.items].map((item) => item.kind === "file" && item.webkitGetAsEntry()).filter(Boolean);
  const files = [...event.dataTransfer.files].map((file) => [file.name, file]);
  const text = event.dataTransfer.getData("text/plain");
  const found = (await Promise.all(entries.map(below))).flat();
  if (found.length || files.length) add(found.length ? found : files);
  else if (text.trim()) add([["", text]]);
});
document.addEventListener("paste", (event) => {
  if (the("add-files") === null || event.target.closest?.("input:not([type=file]), textarea")) return;
  const files = [...event.clipboardData.files].map((file) => [file.name, file]);
  const text = event.clipboardData.getData("text/plain");
  if (files.length) add(files);
  else if (text.trim()) add([["", text]]);
});
the("add-files")?.addEventListener("change", () => {
  const files = [...the("add-files").files].map((file) => [file.name, file]);
  if (files.length) add(files);
  the("add-files").value = "";
});
if (list === null) follow();
else started.then(moveMarks).then(follow);
